//! Judges the lines of standard input: `cargo run --example validate schema.json < documents.jsonl`.

use cupel_jsonschema::Validator;
use std::io::BufRead;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("usage: validate SCHEMA < DOCUMENTS")?;
    let validator = Validator::new(&std::fs::read(path)?)?;
    for line in std::io::stdin().lock().split(b'\n') {
        match validator.validate(&line?) {
            Ok(()) => println!("valid"),
            Err(error) => println!("{error}"),
        }
    }
    Ok(())
}
