//! Why a schema or a document was refused.

use crate::raw;
use core::fmt;
use cupel_sys as sys;

/// One thing that is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Problem {
    /// A stable identifier, such as "unknown-property".
    pub code: &'static str,
    /// JSON Pointer (RFC 6901) to the value; "" is the root.
    pub pointer: String,
    /// The keyword that failed, such as "required".
    pub keyword: String,
    /// JSON Pointer to the keyword in the schema document.
    pub schema_pointer: String,
    /// One sentence without a full stop. It repeats no values of the document.
    pub message: String,
}

/// Why nothing was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Reason {
    /// The name of the status, such as "LIMIT_STEPS".
    pub name: &'static str,
    /// What it means, in a few words.
    pub meaning: &'static str,
}

/// Where a text is not acceptable JSON (RFC 8259), or is beyond a limit of the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct JsonError {
    /// The name of the status, such as "SYNTAX" or "DUPLICATE_KEY".
    pub name: &'static str,
    /// One sentence without a full stop.
    pub message: String,
    /// Counted from 1; 0 if the error has no place.
    pub line: u32,
    /// In code points, counted from 1; 0 if the error has no place.
    pub column: u32,
    /// In bytes from the start of the text.
    pub offset: u64,
}

/// Why a document is not valid. Only a valid document is `Ok`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Error {
    /// The document breaks the schema. There is at least one problem; they are in document order.
    Invalid(Vec<Problem>),
    /// A limit was reached, or there was no memory.
    Undecided(Reason),
    /// The text is not JSON.
    Json(JsonError),
}

/// Why a schema, an image or a list of tools was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SchemaError {
    /// The name of the status, such as "SCHEMA" or "UNRESOLVED_REF".
    pub name: &'static str,
    /// One sentence without a full stop.
    pub message: String,
    /// JSON Pointer to the place in the schema.
    pub pointer: String,
    /// Counted from 1; 0 if the error has no place in the text.
    pub line: u32,
    /// In code points, counted from 1; 0 if the error has no place in the text.
    pub column: u32,
}

impl Reason {
    pub(crate) fn new(status: sys::cupel_status) -> Self {
        // SAFETY: both functions return static strings for any number.
        unsafe {
            Reason {
                name: raw::static_str(sys::cupel_status_name(status)),
                meaning: raw::static_str(sys::cupel_status_message(status)),
            }
        }
    }
}

/// The sentence of an error, or the meaning of its status.
fn sentence(status: sys::cupel_status, error: &sys::cupel_error) -> String {
    // SAFETY: `detail` is NUL-terminated.
    let detail = unsafe { raw::string(error.detail.as_ptr()) };
    if detail.is_empty() {
        Reason::new(status).meaning.to_owned()
    } else {
        detail
    }
}

impl JsonError {
    pub(crate) fn new(error: &sys::cupel_error) -> Self {
        JsonError {
            name: Reason::new(error.status).name,
            message: sentence(error.status, error),
            line: error.line,
            column: error.column,
            offset: error.offset,
        }
    }
}

impl SchemaError {
    pub(crate) fn new(status: sys::cupel_status, error: &sys::cupel_error) -> Self {
        SchemaError {
            name: Reason::new(status).name,
            message: sentence(status, error),
            // SAFETY: `where` is NUL-terminated.
            pointer: unsafe { raw::string(error.where_.as_ptr()) },
            line: error.line,
            column: error.column,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}",
            if self.pointer.is_empty() {
                "document"
            } else {
                &self.pointer
            },
            self.message
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.meaning)
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Invalid(problems) => {
                f.write_str("the document is not valid")?;
                problems.iter().try_for_each(|problem| write!(f, "; {problem}"))
            }
            Error::Undecided(reason) => write!(f, "the document could not be judged: {reason}"),
            Error::Json(error) => write!(f, "the document is not JSON: {error}"),
        }
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}: ", self.line, self.column)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
impl std::error::Error for SchemaError {}
