//! A client for the matrix, with the Rust SDK.
//!
//! usage: client URL STATE_URL json|stream|resumed
//!
//! It goes through the scenarios of tests/matrix/README.md and prints a line for each: its name, a tab, and
//! what came of it as JSON.
#![allow(deprecated)]

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};
use std::time::Duration;

use rmcp::model::*;
use rmcp::service::{NotificationContext, RequestContext, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, ErrorData, RoleClient};
use serde_json::{Value, from_value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[derive(Clone, Default)]
struct Handler {
    changes: Arc<AtomicUsize>,
    seen: Arc<Mutex<Vec<(f64, f64)>>>,
    tasks: bool,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let builder = ClientCapabilities::builder().enable_elicitation().enable_sampling();
        let mut config = ClientConfig::default();
        config.capabilities = if self.tasks { builder.enable_tasks().build() } else { builder.build() };
        config
    }

    async fn create_elicitation(&self, _: ElicitRequestParams, _: RequestContext<RoleClient>) -> Result<ElicitResult, ErrorData> {
        Ok(from_value(json!({"action": "accept", "content": {"colour": "blue"}})).unwrap())
    }

    async fn create_message(&self, _: CreateMessageRequestParams, _: RequestContext<RoleClient>) -> Result<CreateMessageResult, ErrorData> {
        Ok(from_value(json!({"model": "none", "role": "assistant", "content": {"type": "text", "text": "yes"}})).unwrap())
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.seen.lock().unwrap().push((params.progress, params.total.unwrap_or(0.0)));
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changes.fetch_add(1, Ordering::SeqCst);
    }
}

type Service = RunningService<RoleClient, Handler>;

fn params(name: &str, arguments: Value) -> CallToolRequestParams {
    from_value(json!({"name": name, "arguments": arguments})).unwrap()
}

async fn call(service: &Service, name: &str, arguments: Value) -> Result<Value, String> {
    let result = service.call_tool(params(name, arguments)).await.map_err(|error| error.to_string())?;
    serde_json::to_value(result).map_err(|error| error.to_string())
}

fn words(result: Result<Value, String>) -> Value {
    match result {
        Ok(result) => Value::Array(result["content"].as_array().unwrap().iter().map(|part| part["text"].clone()).collect()),
        Err(error) => json!(format!("failed: {error}")),
    }
}

fn judged(result: Result<Value, String>) -> Value {
    match result {
        Ok(result) if result["isError"] != json!(true) => json!("passed"),
        _ => json!("refused"),
    }
}

async fn list(service: &Service) -> Value {
    let (mut names, mut pages, mut cursor) = (Vec::new(), 0, None);
    loop {
        let request = PaginatedRequestParams::default().with_cursor(cursor.clone());
        let page = match service.list_tools(Some(request)).await {
            Ok(page) => page,
            Err(error) => return json!(format!("failed: {error}")),
        };
        names.extend(page.tools.iter().map(|tool| tool.name.to_string()));
        pages += 1;
        cursor = page.next_cursor;
        if cursor.is_none() {
            return json!({"names": names, "pages": pages});
        }
    }
}

/// What the server says of itself, beside the protocol.
async fn state(url: &str) -> Value {
    let address = url.trim_start_matches("http://").split('/').next().unwrap().to_owned();
    let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
    let request = format!("GET /state HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap()
}

async fn cancellation(service: &Service, state_url: &str) -> Value {
    let outcome = match tokio::time::timeout(Duration::from_millis(100), service.call_tool(params("wait", json!({})))).await {
        Ok(_) => "answered",
        Err(_) => "cancelled",
    };
    tokio::time::sleep(Duration::from_millis(200)).await;
    json!({"outcome": outcome, "server": state(state_url).await["cancelled"]})
}

async fn task(service: &Service) -> Value {
    let task = match service.call_tool_once(params("task", json!({"a": 4, "b": 5}))).await {
        Ok(CallToolResponse::Task(task)) => task,
        Ok(_) => return json!("no task"),
        Err(error) => return json!(format!("failed: {error}")),
    };
    match service.get_task(GetTaskParams::new(task.task.task_id)).await {
        Ok(result) => json!({"created": true, "result": serde_json::to_value(result).unwrap()["result"]["structuredContent"]}),
        Err(error) => json!(format!("failed: {error}")),
    }
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (url, state_url, mode) = (&arguments[1], &arguments[2], arguments[3].as_str());
    let modern = mode == "json";
    let handler = Handler { tasks: modern, ..Handler::default() };
    let lifecycle = if modern {
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
    } else {
        ClientLifecycleMode::Initialize
    };
    let transport = StreamableHttpClientTransport::from_uri(url.as_str());
    let service = handler.clone().serve_with_lifecycle(transport, lifecycle).await.unwrap();
    for name in ["list", "call", "refused", "result", "elicitation", "sampling", "progress", "cancellation", "changed", "ping", "task"] {
        let absent = match (name, modern) {
            ("progress", true) => "a JSON response carries no notification",
            ("ping", true) => "2026-07-28 has no ping",
            ("ping", false) => "the client has no way to send it",
            ("task", false) => "the SDK has tasks of 2026-07-28 alone",
            _ => "",
        };
        if !absent.is_empty() {
            println!("{name}\tabsent: {absent}");
            continue;
        }
        let run = async {
            match name {
                "list" => list(&service).await,
                "call" => call(&service, "add", json!({"a": 1, "b": 2})).await
                    .map_or_else(|error| json!(format!("failed: {error}")), |result| result["structuredContent"].clone()),
                "refused" => judged(call(&service, "add", json!({"a": "one", "b": 2})).await),
                "result" => judged(call(&service, "wrong", json!({})).await),
                "elicitation" => words(call(&service, "ask", json!({})).await),
                "sampling" => words(call(&service, "sample", json!({})).await),
                "progress" => {
                    let text = words(call(&service, "slow", json!({})).await);
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    let mut seen = handler.seen.lock().unwrap().clone(); // handlers run at the same time
                    seen.sort_by(|a, b| a.0.total_cmp(&b.0));
                    json!({"seen": seen, "text": text})
                }
                "cancellation" => cancellation(&service, state_url).await,
                "changed" => {
                    let _ = call(&service, "grow", json!({})).await;
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    json!({"changes": handler.changes.load(Ordering::SeqCst) > 0, "list": list(&service).await,
                        "sum": words(call(&service, "grown", json!({"a": 2, "b": 3})).await)})
                }
                _ => task(&service).await,
            }
        };
        let outcome = tokio::time::timeout(Duration::from_secs(5), run).await.unwrap_or(json!("no answer in 5 s"));
        println!("{name}\t{outcome}");
    }
    let _ = service.cancel().await;
    println!("end\t\"ended\"");
}
