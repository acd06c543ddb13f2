//! JSON Schema validation from bytes, in bounded time and memory.
//!
//! A schema is compiled once into bytecode, which a verifier checks; a small virtual machine runs it
//! on the text of a document. Nothing is parsed into a tree first: a small document takes tens of
//! nanoseconds.
//!
//! ```
//! use cupel_jsonschema::{Error, Validator};
//!
//! let schema = br#"{"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}"#;
//! let validator = Validator::new(schema)?;
//!
//! assert!(validator.is_valid(br#"{"id": 7}"#));
//! match validator.validate(br#"{"id": "7"}"#) {
//!     Err(Error::Invalid(problems)) => {
//!         assert_eq!(problems[0].pointer, "/id");
//!         assert_eq!(problems[0].message, "expected integer, found string");
//!     }
//!     other => panic!("{other:?}"),
//! }
//! # Ok::<(), cupel_jsonschema::SchemaError>(())
//! ```
//!
//! There are three outcomes: valid, invalid, and undecided. Undecided means that a limit was reached
//! or that there was no memory; it is never reported as valid or invalid. Schemas and documents may
//! come from strangers: everything that they cause is bounded (see [`Options::limit`]).
//!
//! All JSON Schema drafts from 4 to 2020-12 are supported. The crate compiles the C library cupel
//! and needs no other library. Formats that need internationalised host names are undecided in this
//! build.

mod catalog;
mod error;
mod options;
mod raw;
mod validator;

pub use catalog::{Call, CallVerdict, Catalog, CatalogOptions, Profile, ResultVerdict, Tool, ToolProblem};
pub use error::{Error, JsonError, Problem, Reason, SchemaError};
pub use options::{Dialect, Limit, Options};
pub use validator::{Repair, Validator, Verdict};

/// The version of the C library, such as "0.1.0".
pub fn library_version() -> &'static str {
    // SAFETY: the function returns a static string.
    unsafe { raw::static_str(cupel_sys::cupel_version()) }
}

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
