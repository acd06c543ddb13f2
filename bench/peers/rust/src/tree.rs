//! The crate `jsonschema` over trees of serde_json.
use serde_json::Value;

pub struct Tree;

impl crate::Peer for Tree {
    type Program = jsonschema::Validator;
    type Document<'t> = Value;

    fn compile(text: &str) -> Option<Self::Program> {
        let schema: Value = serde_json::from_str(text).ok()?;
        jsonschema::options()
            .should_validate_formats(false)
            .build(&schema)
            .ok()
    }

    fn parse(text: &str) -> Option<Value> {
        serde_json::from_slice(text.as_bytes()).ok()
    }

    fn validate(program: &Self::Program, document: &Value) -> bool {
        program.is_valid(document)
    }

    fn judge(program: &Self::Program, text: &str) -> bool {
        Self::parse(text).is_some_and(|document| program.is_valid(&document))
    }
}
