//! The interface: verdicts, errors, options, images, repairs, catalogs, threads.

use cupel_jsonschema::*;

const SCHEMA: &[u8] = br#"{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}},
    "additionalProperties":false}"#;

#[test]
fn verdicts() {
    let v = Validator::new(SCHEMA).unwrap();
    for (json, verdict) in [
        (r#"{"id":1}"#, Verdict::Valid),
        (r#"{"id":"1"}"#, Verdict::Invalid),
        (r#"{"id":"#, Verdict::Undecided),
        ("", Verdict::Undecided),
        ("{\"id\":1}\0", Verdict::Undecided),
    ] {
        assert_eq!(v.verdict(json.as_bytes()), verdict, "{json}");
        assert_eq!(v.is_valid(json.as_bytes()), verdict == Verdict::Valid);
        assert_eq!(v.validate(json.as_bytes()).is_ok(), verdict == Verdict::Valid);
    }
    assert_eq!(v.verdict(b"\xff"), Verdict::Undecided);
}

#[test]
fn problems_name_the_place() {
    let v = Validator::new(SCHEMA).unwrap();
    let Err(Error::Invalid(problems)) = v.validate(br#"{"id":"1","x":2}"#) else {
        panic!()
    };
    assert_eq!(problems.len(), 2);
    assert_eq!(problems[0].pointer, "/id");
    assert_eq!(problems[0].keyword, "type");
    assert_eq!(problems[0].schema_pointer, "/properties/id/type");
    assert_eq!(problems[0].message, "expected integer, found string");
    assert_eq!(problems[1].code, "unknown-property");
    let message = v.model_message(br#"{"id":"1"}"#).unwrap();
    assert!(message.contains("id: expected integer"), "{message}");
    assert_eq!(v.model_message(br#"{"id":1}"#), None);
}

#[test]
fn texts_that_are_not_json() {
    let v = Validator::new(SCHEMA).unwrap();
    let Err(Error::Json(error)) = v.validate(b"{\"id\":\n 1,}") else {
        panic!()
    };
    assert_eq!((error.line, error.column, error.offset), (2, 4, 10));
    let short = Options::new()
        .limit(Limit::BodyBytes, 3)
        .compile(b"true")
        .unwrap();
    let Err(Error::Json(error)) = short.validate(b"[1,2]") else {
        panic!()
    };
    assert_eq!(error.name, "JSON_SIZE");
}

#[test]
fn undecided_is_not_valid() {
    let options = Options::new()
        .limit(Limit::Steps, 3)
        .limit(Limit::StepsPerByte, 0);
    let v = options.compile(br#"{"items":{"type":"integer"}}"#).unwrap();
    let json = format!("[{}1]", "1,".repeat(100));
    assert!(!v.is_valid(json.as_bytes()));
    let Err(Error::Undecided(reason)) = v.validate(json.as_bytes()) else {
        panic!()
    };
    assert_eq!(reason.name, "LIMIT_STEPS");
    assert_eq!(v.repair(json.as_bytes()), Repair::Undecided);
    assert_eq!(Limit::Steps.name(), "steps");
}

#[test]
fn options() {
    let formats = Options::new()
        .formats(true)
        .compile(br#"{"format":"date"}"#)
        .unwrap();
    assert!(!formats.is_valid(br#""2026-02-30""#));
    assert!(Validator::new(br#"{"format":"date"}"#)
        .unwrap()
        .is_valid(br#""x""#));
    let old = Options::new()
        .dialect(Dialect::Draft7)
        .compile(br#"{"items":[{"type":"null"}]}"#)
        .unwrap();
    assert!(!old.is_valid(b"[1]"));
    let last = Options::new()
        .allow_duplicate_keys(true)
        .compile(br#"{"const":{"a":2}}"#)
        .unwrap();
    assert!(last.is_valid(br#"{"a":1,"a":2}"#));
    let uri = "https://example.com/a";
    let options = Options::new().resource(uri, *br#"{"type":"null"}"#);
    let with = options.compile(br#"{"$ref":"https://example.com/a"}"#).unwrap();
    assert!(with.is_valid(b"null") && !with.is_valid(b"1"));
}

#[test]
fn schemas_that_are_refused() {
    let error = Validator::new(br#"{"type":"sting"}"#).unwrap_err();
    assert_eq!((error.name, error.pointer.as_str()), ("SCHEMA", "/type"));
    assert_eq!(Validator::new(b"{").unwrap_err().name, "SYNTAX");
    assert_eq!(
        Validator::new(br#"{"$ref":"https://example.com/a"}"#)
            .unwrap_err()
            .name,
        "UNRESOLVED_REF"
    );
}

#[test]
fn images() {
    let v = Validator::new(SCHEMA).unwrap();
    let again = Options::new().load(v.image()).unwrap();
    assert!(again.is_valid(br#"{"id":1}"#) && !again.is_valid(b"{}"));
    assert_eq!(again.image(), v.image());
    for at in (0..v.image().len()).step_by(7) {
        let mut damaged = v.image().to_vec();
        damaged[at] = damaged[at].wrapping_add(1);
        let _ = Options::new().load(&damaged).map(|v| v.is_valid(br#"{"id":1}"#));
    }
    assert!(Options::new().load(&[]).is_err());
}

#[test]
fn repairs() {
    let v = Validator::new(SCHEMA).unwrap();
    let Repair::Repaired { text, patch } = v.repair(br#"{"id":"5"}"#) else {
        panic!()
    };
    assert_eq!(text, r#"{"id":5}"#);
    assert_eq!(patch, r#"[{"op":"replace","path":"/id","value":5}]"#);
    assert_eq!(v.repair(br#"{"id":1}"#), Repair::NotNeeded);
    assert_eq!(v.repair(b"{"), Repair::Undecided);
    assert_eq!(v.repair(br#"{"id":{}}"#), Repair::Impossible);
}

const TOOLS: &[u8] = br#"{"tools":[{"name":"add","inputSchema":{"type":"object",
    "properties":{"a":{"type":"integer"}},"required":["a"]},"outputSchema":{"type":"object","required":["sum"]}},
    {"name":"bad","inputSchema":{"type":"sting"}}]}"#;

fn call_of(name: &str, arguments: &str) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"{name}","arguments":{arguments}}}}}"#)
        .into_bytes()
}

#[test]
fn calls() {
    let options = CatalogOptions {
        profile: Profile::V20250618,
        ..CatalogOptions::default()
    };
    let catalog = Catalog::new(&[TOOLS], options).unwrap();
    let tools = catalog.tools();
    assert!(tools[0].is_usable && !tools[1].is_usable && tools[1].problems[0].is_error);
    for (message, verdict) in [
        (call_of("add", r#"{"a":1}"#), CallVerdict::Valid),
        (call_of("add", r#"{"a":"1"}"#), CallVerdict::Invalid),
        (call_of("add", r#"{"A":1,"a":1}"#), CallVerdict::Invalid),
        (call_of("bad", "{}"), CallVerdict::Undecided),
        (call_of("none", "{}"), CallVerdict::UnknownTool),
        (
            br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.to_vec(),
            CallVerdict::Valid,
        ),
        (
            br#"{"jsonrpc":"2.0","id":1,"Method":"ping"}"#.to_vec(),
            CallVerdict::BadRequest,
        ),
        (b"{".to_vec(), CallVerdict::BadRequest),
    ] {
        let call = catalog.call(&message, None);
        assert_eq!(call.verdict, verdict, "{}", String::from_utf8_lossy(&message));
        assert_eq!(call.answer.is_empty(), verdict == CallVerdict::Valid);
    }
    let call = catalog.call(&call_of("add", r#"{"a":"1"}"#), None);
    assert_eq!((call.tool.as_str(), call.method.as_str()), ("add", "tools/call"));
    assert!(call.answer.contains(r#""id":7"#));
    let fields = [("Mcp-Method", "tools/call"), ("Mcp-Name", "bad")];
    let call = catalog.call(&call_of("add", r#"{"a":1}"#), Some(&fields));
    assert_eq!(call.verdict, CallVerdict::HeaderMismatch);
    assert!(Catalog::new(&[br#"{"tools":{}}"#], CatalogOptions::default()).is_err());
}

#[test]
fn results() {
    let catalog = Catalog::new(&[TOOLS], CatalogOptions::default()).unwrap();
    let result = |content: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":7,"result":{{"resultType":"complete","content":[],"structuredContent":{content}}}}}"#
        )
    };
    let (verdict, answer) = catalog.result("add", result(r#"{"sum":1}"#).as_bytes()).unwrap();
    assert_eq!((verdict, answer.as_str()), (ResultVerdict::Valid, ""));
    let (verdict, answer) = catalog.result("add", result("{}").as_bytes()).unwrap();
    assert_eq!(verdict, ResultVerdict::Invalid);
    assert!(answer.contains(r#""code":-32603"#));
    assert!(catalog.result("none", b"{}").is_none());
    assert_eq!(catalog.result("add", b"[]").unwrap().0, ResultVerdict::Bad);
}

#[test]
fn threads_share_a_validator() {
    let v = Options::new().limit(Limit::Steps, 1000).compile(SCHEMA).unwrap();
    let catalog = Catalog::new(&[TOOLS], CatalogOptions::default()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for i in 0..2000 {
                    let good = i % 3 == 0;
                    let json = if good { r#"{"id":1}"# } else { r#"{"id":"x"}"# };
                    assert_eq!(v.is_valid(json.as_bytes()), good);
                    let arguments = if good { r#"{"a":1}"# } else { r#"{"a":[]}"# };
                    let verdict = catalog.call(&call_of("add", arguments), None).verdict;
                    assert_eq!(verdict == CallVerdict::Valid, good);
                }
            });
        }
    });
}

#[test]
fn errors_are_sentences() {
    let v = Validator::new(SCHEMA).unwrap();
    let text = v.validate(br#"{"id":"1"}"#).unwrap_err().to_string();
    assert_eq!(
        text,
        "the document is not valid; /id: expected integer, found string"
    );
    let text = Validator::new(br#"{"type":"sting"}"#).unwrap_err().to_string();
    assert!(text.contains("there is no type"), "{text}");
    assert_eq!(library_version(), env!("CARGO_PKG_VERSION"));
}
