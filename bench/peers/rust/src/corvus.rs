//! The crate `corvus-json-schema` over its own documents, which it reads in place.
use corvus_json_schema::{compile_with, CompileOptions, JsonDocument, Validator};

pub struct Corvus;

impl crate::Peer for Corvus {
    type Program = Validator;
    type Document<'t> = JsonDocument<'t>;

    fn compile(text: &str) -> Option<Validator> {
        let schema = serde_json::from_str(text).ok()?;
        let mut options = CompileOptions::default();
        options.assert_format = Some(false);
        compile_with(&schema, &options).ok()
    }

    fn parse(text: &str) -> Option<JsonDocument<'_>> {
        JsonDocument::parse(text).ok()
    }

    fn validate(program: &Validator, document: &JsonDocument<'_>) -> bool {
        program
            .try_validate_instance(document.root())
            .unwrap_or(false)
    }

    /// The crate takes text that is known to be UTF-8; bytes have to be checked first.
    fn judge(program: &Validator, text: &str) -> bool {
        let Ok(text) = std::str::from_utf8(std::hint::black_box(text.as_bytes())) else {
            return false;
        };
        program.try_validate_json(text).unwrap_or(false)
    }
}
