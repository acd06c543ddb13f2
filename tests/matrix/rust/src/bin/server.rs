//! A server for the matrix, with the Rust SDK.
//!
//! usage: server PORT json|stream
//!
//! json serves the specification of 2026-07-28 in application/json, with tasks as the extension has them;
//! stream serves sessions of 2025-11-25 in event streams.  The tools are those of tests/matrix/README.md.
#![allow(deprecated)]

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};
use std::time::Duration;

use rmcp::model::*;
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, from_value, json};

#[derive(Default)]
struct State {
    cancelled: AtomicBool,
    grown: Mutex<bool>,
}

#[derive(Clone)]
struct Matrix {
    state: Arc<State>,
    modern: bool,
}

fn text(value: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(value)])
}

fn structured(value: Value) -> CallToolResult {
    from_value(json!({"content": [{"type": "text", "text": value.to_string()}],
        "structuredContent": value}))
    .unwrap()
}

fn prompt() -> Value {
    json!({"messages": [{"role": "user", "content": {"type": "text", "text": "Say yes"}}], "maxTokens": 5})
}

fn question() -> Value {
    json!({"mode": "form", "message": "Which colour?", "requestedSchema": {"type": "object",
        "properties": {"colour": {"type": "string", "enum": ["red", "blue"]}}, "required": ["colour"]}})
}

fn internal(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

impl Matrix {
    fn tools(&self, page: usize) -> Value {
        let numbers = json!({"type": "object", "properties": {"a": {"type": "integer"},
            "b": {"type": "integer"}}, "required": ["a", "b"]});
        let sum = json!({"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]});
        let none = json!({"type": "object"});
        if page == 0 {
            return json!([{"name": "add", "inputSchema": numbers, "outputSchema": sum},
                {"name": "wrong", "inputSchema": none, "outputSchema": sum},
                {"name": "ask", "inputSchema": none}, {"name": "sample", "inputSchema": none}]);
        }
        let mut tools = vec![
            json!({"name": "slow", "inputSchema": none}),
            json!({"name": "wait", "inputSchema": none}),
            json!({"name": "grow", "inputSchema": none}),
        ];
        if self.modern {
            tools.push(json!({"name": "task", "inputSchema": numbers, "outputSchema": sum}));
        }
        if *self.state.grown.lock().unwrap() {
            tools.push(json!({"name": "grown", "inputSchema": numbers}));
        }
        Value::Array(tools)
    }

    async fn ask(&self, request: &CallToolRequestParams, context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let answer = if self.modern {
            match request.input_responses.as_ref().and_then(|all| all.get("colour")) {
                Some(answer) => answer.clone(),
                None => return required(json!({"colour": {"method": "elicitation/create", "params": question()}})),
            }
        } else {
            let answer = context.peer.create_elicitation(from_value(question()).map_err(internal)?).await;
            serde_json::to_value(answer.map_err(internal)?).map_err(internal)?
        };
        let words = format!("{} {}", answer["action"].as_str().unwrap_or("?"),
            answer["content"]["colour"].as_str().unwrap_or("?"));
        Ok(text(&words).into())
    }

    async fn sample(&self, request: &CallToolRequestParams, context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let answer = if self.modern {
            match request.input_responses.as_ref().and_then(|all| all.get("yes")) {
                Some(answer) => answer.clone(),
                None => return required(json!({"yes": {"method": "sampling/createMessage", "params": prompt()}})),
            }
        } else {
            let answer = context.peer.create_message(from_value(prompt()).map_err(internal)?).await;
            serde_json::to_value(answer.map_err(internal)?).map_err(internal)?
        };
        Ok(text(answer["content"]["text"].as_str().unwrap_or("?")).into())
    }

    async fn slow(&self, context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        if let Some(token) = context.meta.get_progress_token() {
            for i in 1..=3 {
                let progress = ProgressNotificationParam::new(token.clone(), i as f64).with_total(3.0);
                context.peer.notify_progress(progress).await.map_err(internal)?;
            }
        }
        Ok(text("done").into())
    }

    async fn wait(&self, context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        tokio::select! {
            _ = context.ct.cancelled() => self.state.cancelled.store(true, Ordering::SeqCst),
            _ = tokio::time::sleep(Duration::from_secs(30)) => {}
        }
        Ok(text("cancelled").into())
    }
}

fn required(requests: Value) -> Result<CallToolResponse, ErrorData> {
    let result: InputRequiredResult =
        from_value(json!({"resultType": "input_required", "inputRequests": requests})).map_err(internal)?;
    Ok(result.into())
}

impl ServerHandler for Matrix {
    fn get_info(&self) -> ServerConfig {
        let builder = ServerCapabilities::builder().enable_tools().enable_tool_list_changed();
        ServerConfig::new(if self.modern { builder.enable_tasks().build() } else { builder.build() })
    }

    async fn list_tools(&self, request: Option<PaginatedRequestParams>, _: RequestContext<RoleServer>) -> Result<ListToolsResult, ErrorData> {
        let second = request.is_some_and(|params| params.cursor.as_deref() == Some("2"));
        let mut result = json!({"tools": self.tools(second as usize)});
        if !second {
            result["nextCursor"] = json!("2");
        }
        from_value(result).map_err(internal)
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.clone().unwrap_or_default());
        let (a, b) = (arguments["a"].as_i64(), arguments["b"].as_i64());
        match request.name.as_ref() {
            "add" => match (a, b) {
                (Some(a), Some(b)) => Ok(structured(json!({"sum": a + b})).into()),
                _ => Ok(CallToolResult::error(vec![ContentBlock::text("a is not an integer")]).into()),
            },
            "wrong" => Ok(structured(json!({"sum": "three"})).into()),
            "ask" => self.ask(&request, &context).await,
            "sample" => self.sample(&request, &context).await,
            "slow" => self.slow(&context).await,
            "wait" => self.wait(&context).await,
            "grow" => {
                *self.state.grown.lock().unwrap() = true;
                let _ = context.peer.notify_tool_list_changed().await;
                Ok(text("grown").into())
            }
            "grown" => Ok(text(&(a.unwrap_or(0) + b.unwrap_or(0)).to_string()).into()),
            "task" => {
                let task: CreateTaskResult = from_value(json!({"resultType": "task",
                    "taskId": format!("sum-{}", a.unwrap_or(0) + b.unwrap_or(0)), "status": "working",
                    "createdAt": "2026-11-22T00:00:00Z", "lastUpdatedAt": "2026-11-22T00:00:00Z",
                    "ttlMs": 60000, "pollIntervalMs": 20})).map_err(internal)?;
                Ok(task.into())
            }
            name => Err(ErrorData::invalid_params(format!("no tool {name}"), None)),
        }
    }

    async fn get_task(&self, request: GetTaskParams, _: RequestContext<RoleServer>) -> Result<GetTaskResult, ErrorData> {
        let sum: i64 = request.task_id.trim_start_matches("sum-").parse().map_err(internal)?;
        from_value(json!({"resultType": "complete", "taskId": request.task_id, "status": "completed",
            "createdAt": "2026-11-22T00:00:00Z", "lastUpdatedAt": "2026-11-22T00:00:01Z", "ttlMs": 60000,
            "result": structured(json!({"sum": sum}))})).map_err(internal)
    }
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let modern = arguments[2] == "json";
    let state = Arc::new(State::default());
    let matrix = Matrix { state: state.clone(), modern };
    let mut config = StreamableHttpServerConfig::default();
    config.json_response = modern;
    config.legacy_session_mode = !modern;
    let service = StreamableHttpService::new(move || Ok(matrix.clone()), Arc::new(LocalSessionManager::default()), config);
    let router = axum::Router::new().nest_service("/mcp", service).route("/state",
        axum::routing::get(move || async move {
            format!("{{\"cancelled\":{}}}", state.cancelled.load(Ordering::SeqCst))
        }));
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{}", arguments[1])).await.unwrap();
    println!("ready");
    axum::serve(listener, router).await.unwrap();
}
