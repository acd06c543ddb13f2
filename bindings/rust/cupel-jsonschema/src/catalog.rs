//! Tools of the Model Context Protocol: definitions, calls, results.

use crate::error::SchemaError;
use crate::raw::{self, Text};
use crate::Options;
use core::mem::{zeroed, MaybeUninit};
use core::ptr::{null, null_mut, NonNull};
use cupel_sys as sys;
use std::sync::Mutex;

/// A version of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Profile {
    /// 2024-11-05.
    V20241105,
    /// 2025-03-26.
    V20250326,
    /// 2025-06-18.
    V20250618,
    /// 2025-11-25.
    V20251125,
    /// 2026-07-28, the default.
    V20260728,
}

impl Profile {
    fn to_raw(self) -> sys::cupel_mcp_profile {
        match self {
            Profile::V20241105 => sys::CUPEL_MCP_2024_11_05,
            Profile::V20250326 => sys::CUPEL_MCP_2025_03_26,
            Profile::V20250618 => sys::CUPEL_MCP_2025_06_18,
            Profile::V20251125 => sys::CUPEL_MCP_2025_11_25,
            Profile::V20260728 => sys::CUPEL_MCP_2026_07_28,
        }
    }
}

/// Options of a [`Catalog`].
#[derive(Clone, Debug)]
pub struct CatalogOptions {
    /// For compiling the schemas of tools, and for reading messages.
    pub engine: Options,
    /// The version of the specification.
    pub profile: Profile,
    /// Refuse names of arguments that differ by case alone from declared ones; true unless changed.
    pub exact_arguments: bool,
}

impl Default for CatalogOptions {
    fn default() -> Self {
        CatalogOptions {
            engine: Options::new(),
            profile: Profile::V20260728,
            exact_arguments: true,
        }
    }
}

/// The verdict on a message of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallVerdict {
    /// Pass the message on as it is.
    Valid,
    /// The arguments do not conform.
    Invalid,
    /// A limit was reached, there was no memory, or the definition of the tool was refused.
    Undecided,
    /// No tool has this name.
    UnknownTool,
    /// The text is not JSON, or not a message that every receiver reads the same.
    BadRequest,
    /// The fields of the HTTP request say something else.
    HeaderMismatch,
}

/// The verdict on a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultVerdict {
    /// Pass the result on as it is.
    Valid,
    /// It breaks a rule of the specification, or the output schema.
    Invalid,
    /// A limit was reached, there was no memory, or the definition of the tool was refused.
    Undecided,
    /// The text is not JSON, or nothing that answers tools/call.
    Bad,
}

/// What is known of a message of a client.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Call {
    /// The verdict.
    pub verdict: CallVerdict,
    /// Why there is no other verdict: "" or a word such as "LIMIT_STEPS" or "tool-refused".
    pub reason: String,
    /// The method that is requested; "" if that is not known.
    pub method: String,
    /// The tool that is requested; "" if there is none.
    pub tool: String,
    /// The JSON-RPC message to send back; "" if the message is valid, or is a notification.
    pub answer: String,
}

/// A tool of a catalog.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Whether it can be called.
    pub is_usable: bool,
    /// What is wrong with its definition, warnings included.
    pub problems: Vec<ToolProblem>,
}

/// A rule that a definition breaks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolProblem {
    /// The rule, such as "root-type".
    pub rule: String,
    /// Whether the tool cannot be called because of it.
    pub is_error: bool,
    /// JSON Pointer within the definition, or within one of its schemas.
    pub pointer: String,
    /// One sentence without a full stop.
    pub message: String,
}

/// The tools of one server, checked and compiled. Any number of threads may use it at once.
pub struct Catalog {
    catalog: NonNull<sys::cupel_catalog>,
    options: CatalogOptions,
    idle: Mutex<Vec<Context>>,
}

// SAFETY: nothing is added to a catalog after `new`, so threads may share it; contexts are handed out
// one thread at a time.
unsafe impl Send for Catalog {}
// SAFETY: as above.
unsafe impl Sync for Catalog {}

/// What one thread needs to judge messages.
struct Context {
    context: NonNull<sys::cupel_call_context>,
    answer: Text,
}

// SAFETY: a context may be used by any thread, one at a time.
unsafe impl Send for Context {}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the object is ours.
        unsafe { sys::cupel_call_context_free(self.context.as_ptr()) }
    }
}

impl Drop for Catalog {
    fn drop(&mut self) {
        // SAFETY: the catalog is ours, and no call borrows it any more.
        unsafe { sys::cupel_catalog_free(self.catalog.as_ptr()) }
    }
}

fn failure(status: sys::cupel_status) -> SchemaError {
    // SAFETY: all zeroes is a value of this struct.
    SchemaError::new(status, &unsafe { zeroed() })
}

impl Catalog {
    /// Makes a catalog of the pages of a list: each a response of tools/list, its result, or an array
    /// of tools, as JSON text. A definition that is refused is no error: see [`Catalog::tools`].
    pub fn new(pages: &[&[u8]], options: CatalogOptions) -> Result<Self, SchemaError> {
        let engine = options.engine.to_raw();
        let mut raw = MaybeUninit::<sys::cupel_catalog_options>::zeroed();
        let mut made = null_mut();
        // SAFETY: the function fills in the struct; `engine` outlives the call that reads it.
        let status = unsafe {
            let size = core::mem::size_of::<sys::cupel_catalog_options>();
            sys::cupel_catalog_options_init_sized(raw.as_mut_ptr(), size);
            let raw = raw.assume_init_mut();
            raw.engine = &engine;
            raw.profile = options.profile.to_raw();
            if options.exact_arguments {
                raw.flags |= sys::CUPEL_CATALOG_EXACT_ARGUMENTS;
            }
            sys::cupel_catalog_new(raw, &mut made)
        };
        let Some(catalog) = NonNull::new(made).filter(|_| status == sys::CUPEL_OK) else {
            return Err(failure(status));
        };
        let new = Catalog {
            catalog,
            options,
            idle: Mutex::new(Vec::new()),
        };
        pages.iter().try_for_each(|page| new.add(page))?;
        Ok(new)
    }

    fn add(&self, page: &[u8]) -> Result<(), SchemaError> {
        // SAFETY: all zeroes is a value of this struct.
        let mut error: sys::cupel_error = unsafe { zeroed() };
        // SAFETY: the pointers are valid for the call, and no other thread has the catalog yet.
        let status = unsafe {
            sys::cupel_catalog_add(
                self.catalog.as_ptr(),
                page.as_ptr().cast(),
                page.len(),
                &mut error,
            )
        };
        if status == sys::CUPEL_OK {
            Ok(())
        } else {
            Err(SchemaError::new(status, &error))
        }
    }

    /// The tools in the order of the list.
    pub fn tools(&self) -> Vec<Tool> {
        // SAFETY: tools live as long as the catalog, and their strings are terminated.
        unsafe {
            (0..sys::cupel_catalog_count(self.catalog.as_ptr()))
                .map(|i| tool(&*sys::cupel_catalog_tool(self.catalog.as_ptr(), i)))
                .collect()
        }
    }

    fn context(&self) -> Option<Context> {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .pop();
        idle.or_else(|| {
            let mut context = null_mut();
            // SAFETY: on success the function returns an object that is ours.
            let status = unsafe { sys::cupel_call_context_new(&self.options.engine.to_raw(), &mut context) };
            let context = NonNull::new(context).filter(|_| status == sys::CUPEL_OK)?;
            Some(Context {
                context,
                answer: Text::new(),
            })
        })
    }

    fn give_back(&self, context: Context) {
        self.idle
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .push(context);
    }

    /// Judges whatever a client may send, JSON text in UTF-8. Arguments of tools/call are held to the
    /// tool's input schema. `headers` are fields of the HTTP request, which have to agree with the
    /// message; None if there are none to compare.
    pub fn call(&self, message: &[u8], headers: Option<&[(&str, &str)]>) -> Call {
        let Some(mut context) = self.context() else {
            return Call::without_memory();
        };
        let call = self.call_with(&mut context, message, headers);
        self.give_back(context);
        call
    }

    fn call_with(&self, context: &mut Context, message: &[u8], headers: Option<&[(&str, &str)]>) -> Call {
        let fields: Vec<_> = headers
            .unwrap_or_default()
            .iter()
            .map(|(name, value)| field(name, value))
            .collect();
        let mut options = MaybeUninit::<sys::cupel_request_options>::zeroed();
        let mut outcome = MaybeUninit::<sys::cupel_call_outcome>::zeroed();
        // SAFETY: the pointers are valid for the calls, and the outcome's strings until the next use of
        // the context.
        unsafe {
            let size = core::mem::size_of::<sys::cupel_request_options>();
            sys::cupel_request_options_init_sized(options.as_mut_ptr(), size);
            let options = options.assume_init_mut();
            if headers.is_some() {
                options.flags |= sys::CUPEL_REQUEST_FIELDS;
                options.headers = fields.as_ptr();
                options.header_count = fields.len();
            }
            let (text, len) = (message.as_ptr().cast(), message.len());
            let (catalog, place, answer) = (
                self.catalog.as_ptr(),
                context.context.as_ptr(),
                &mut context.answer.0,
            );
            let mut verdict = sys::cupel_call_check(
                catalog,
                place,
                text,
                len,
                options,
                answer,
                None,
                null_mut(),
                outcome.as_mut_ptr(),
            );
            let outcome = outcome.assume_init();
            let mut call = Call {
                verdict: CallVerdict::Undecided,
                reason: raw::string(outcome.reason),
                method: raw::string_of(outcome.method, outcome.method_len),
                tool: raw::string_of(outcome.tool, outcome.tool_len),
                answer: String::new(),
            };
            if verdict == sys::CUPEL_CALL_BAD_REQUEST && call.method != "tools/call" {
                verdict =
                    sys::cupel_request_check(catalog, place, text, len, options, answer, None, null_mut());
            }
            call.finish(verdict, context.answer.content());
            call
        }
    }

    /// Judges the response to a call of a tool: a JSON-RPC response, or a CallToolResult alone. The
    /// string is the JSON-RPC error to send in place of the response; "" if it is valid. None if the
    /// catalog has no such tool.
    pub fn result(&self, tool: &str, response: &[u8]) -> Option<(ResultVerdict, String)> {
        // SAFETY: the pointers are valid for the call; tools live as long as the catalog.
        let definition =
            unsafe { sys::cupel_catalog_find(self.catalog.as_ptr(), tool.as_ptr().cast(), tool.len()) };
        if definition.is_null() {
            return None;
        }
        let Some(mut context) = self.context() else {
            return Some((ResultVerdict::Undecided, String::new()));
        };
        // SAFETY: as above.
        let verdict = unsafe {
            sys::cupel_result_check(
                definition,
                context.context.as_ptr(),
                response.as_ptr().cast(),
                response.len(),
                self.options.profile.to_raw(),
                &mut context.answer.0,
                null(),
                null_mut(),
            )
        };
        let answer = context.answer.content().unwrap_or_default();
        self.give_back(context);
        Some((result_verdict(verdict), answer))
    }
}

impl Call {
    fn without_memory() -> Self {
        Call {
            verdict: CallVerdict::Undecided,
            reason: "NO_MEMORY".to_owned(),
            method: String::new(),
            tool: String::new(),
            answer: String::new(),
        }
    }

    /// Sets what the check returned.
    fn finish(&mut self, verdict: sys::cupel_call_verdict, answer: Option<String>) {
        self.verdict = match verdict {
            sys::CUPEL_CALL_VALID => CallVerdict::Valid,
            sys::CUPEL_CALL_INVALID => CallVerdict::Invalid,
            sys::CUPEL_CALL_UNKNOWN_TOOL => CallVerdict::UnknownTool,
            sys::CUPEL_CALL_BAD_REQUEST => CallVerdict::BadRequest,
            sys::CUPEL_CALL_HEADER_MISMATCH => CallVerdict::HeaderMismatch,
            _ => CallVerdict::Undecided,
        };
        if self.verdict == CallVerdict::Valid {
            self.reason.clear();
        }
        self.answer = answer.unwrap_or_default();
    }
}

fn result_verdict(verdict: sys::cupel_result_verdict) -> ResultVerdict {
    match verdict {
        sys::CUPEL_RESULT_VALID => ResultVerdict::Valid,
        sys::CUPEL_RESULT_INVALID => ResultVerdict::Invalid,
        sys::CUPEL_RESULT_BAD => ResultVerdict::Bad,
        _ => ResultVerdict::Undecided,
    }
}

fn field(name: &str, value: &str) -> sys::cupel_header {
    sys::cupel_header {
        name: name.as_ptr().cast(),
        name_len: name.len(),
        value: value.as_ptr().cast(),
        value_len: value.len(),
    }
}

/// # Safety
///
/// The tool belongs to a catalog that lives.
unsafe fn tool(tool: &sys::cupel_tool) -> Tool {
    let problems = if tool.problem_count == 0 {
        &[]
    } else {
        core::slice::from_raw_parts(tool.problems, tool.problem_count as usize)
    };
    Tool {
        name: raw::string_of(tool.name, tool.name_len),
        is_usable: tool.verdict != sys::CUPEL_TOOL_INVALID,
        problems: problems
            .iter()
            .map(|problem| ToolProblem {
                rule: raw::string(problem.rule),
                is_error: problem.severity == sys::CUPEL_SEVERITY_ERROR,
                pointer: raw::string(problem.pointer),
                message: raw::string(problem.message),
            })
            .collect(),
    }
}
