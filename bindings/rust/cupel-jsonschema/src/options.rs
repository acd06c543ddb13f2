//! Options for compiling and judging.

use crate::raw;
use crate::{SchemaError, Validator};
use core::ffi::{c_char, c_int, c_void};
use core::mem::MaybeUninit;
use cupel_sys as sys;
use std::collections::HashMap;

/// The dialect of schemas without `$schema`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// Draft 4.
    Draft4,
    /// Draft 6.
    Draft6,
    /// Draft 7.
    Draft7,
    /// 2019-09.
    Draft201909,
    /// 2020-12, the default.
    Draft202012,
}

/// A bound on what strangers can cause, by the name that `cupel help limits` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// Bytes of a document.
    BodyBytes,
    /// Levels of nesting of a document.
    Depth,
    /// Bytes of a schema.
    SchemaBytes,
    /// Problems that are reported of one document.
    Errors,
    /// Steps of judging a document …
    Steps,
    /// … and so many more for each byte of it.
    StepsPerByte,
    /// Bytes of memory for judging, beside the document.
    ScratchBytes,
}

/// Options of a [`Validator`]: `Options::new().formats(true).compile(schema)`.
#[derive(Clone, Debug, Default)]
pub struct Options {
    dialect: Option<Dialect>,
    formats: bool,
    duplicate_keys: bool,
    limits: Vec<(Limit, u64)>,
    resources: HashMap<String, Vec<u8>>,
}

impl Options {
    /// The defaults: 2020-12, formats annotate, limits for texts of strangers.
    pub fn new() -> Self {
        Self::default()
    }

    /// The dialect of schemas without `$schema`.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// Whether `format` asserts in every dialect.
    pub fn formats(mut self, assert: bool) -> Self {
        self.formats = assert;
        self
    }

    /// Whether a document may have two members with one name; the last of them counts then.
    pub fn allow_duplicate_keys(mut self, allow: bool) -> Self {
        self.duplicate_keys = allow;
        self
    }

    /// Sets a bound. A document that reaches it is [`crate::Error::Undecided`], or
    /// [`crate::Error::Json`] if it is a bound of the reader.
    pub fn limit(mut self, limit: Limit, value: u64) -> Self {
        self.limits.push((limit, value));
        self
    }

    /// Adds a schema that references find by its absolute URI, without a fragment. Nothing is ever
    /// fetched.
    pub fn resource(mut self, uri: impl Into<String>, schema: impl Into<Vec<u8>>) -> Self {
        self.resources.insert(uri.into(), schema.into());
        self
    }

    /// Compiles a schema, which is JSON text in UTF-8.
    pub fn compile(&self, schema: &[u8]) -> Result<Validator, SchemaError> {
        Validator::compile(schema, self)
    }

    /// Loads what [`Validator::image`] gave. The image is verified and may come from anybody.
    pub fn load(&self, image: &[u8]) -> Result<Validator, SchemaError> {
        Validator::load(image, self)
    }

    /// Whether nothing that a scratch needs differs from the defaults.
    pub(crate) fn judges_by_default(&self) -> bool {
        self.limits.is_empty() && !self.duplicate_keys
    }

    /// The options of the C interface, which borrow the resources: `self` outlives their use.
    pub(crate) fn to_raw(&self) -> sys::cupel_options {
        let mut options = MaybeUninit::<sys::cupel_options>::zeroed();
        // SAFETY: the function fills in a struct of this size, of which all zeroes is a value.
        let mut options = unsafe {
            sys::cupel_options_init_sized(options.as_mut_ptr(), core::mem::size_of::<sys::cupel_options>());
            options.assume_init()
        };
        if let Some(dialect) = self.dialect {
            options.dialect = dialect.to_raw();
        }
        if self.formats {
            options.flags |= sys::CUPEL_ASSERT_FORMAT;
        }
        if self.duplicate_keys {
            options.flags |= sys::CUPEL_ALLOW_DUPLICATE_KEYS;
        }
        if !self.resources.is_empty() {
            options.resolver = Some(resolve);
            options.resolver_ctx = (&self.resources as *const HashMap<String, Vec<u8>>)
                .cast_mut()
                .cast();
        }
        for &(limit, value) in &self.limits {
            options.limits[limit.to_raw() as usize] = value;
        }
        options
    }
}

impl Dialect {
    fn to_raw(self) -> sys::cupel_dialect {
        match self {
            Dialect::Draft4 => sys::CUPEL_DRAFT_4,
            Dialect::Draft6 => sys::CUPEL_DRAFT_6,
            Dialect::Draft7 => sys::CUPEL_DRAFT_7,
            Dialect::Draft201909 => sys::CUPEL_2019_09,
            Dialect::Draft202012 => sys::CUPEL_2020_12,
        }
    }
}

impl Limit {
    fn to_raw(self) -> sys::cupel_limit {
        match self {
            Limit::BodyBytes => sys::CUPEL_LIMIT_BODY_BYTES,
            Limit::Depth => sys::CUPEL_LIMIT_DEPTH,
            Limit::SchemaBytes => sys::CUPEL_LIMIT_SCHEMA_BYTES,
            Limit::Errors => sys::CUPEL_LIMIT_ERRORS,
            Limit::Steps => sys::CUPEL_LIMIT_STEPS,
            Limit::StepsPerByte => sys::CUPEL_LIMIT_STEPS_PER_BYTE,
            Limit::ScratchBytes => sys::CUPEL_LIMIT_SCRATCH_BYTES,
        }
    }

    /// The name that `cupel help limits` prints, such as "steps".
    pub fn name(self) -> &'static str {
        // SAFETY: the function returns a static string for a bound that exists.
        unsafe { raw::static_str(sys::cupel_limit_name(self.to_raw())) }
    }
}

/// The resolver of [`Options::resource`].
///
/// # Safety
///
/// `ctx` is the map of resources of options that are borrowed, `uri` has `uri_len` bytes, and the other
/// pointers may be written to.
unsafe extern "C" fn resolve(
    ctx: *mut c_void,
    uri: *const c_char,
    uri_len: usize,
    ret_text: *mut *const c_char,
    ret_len: *mut usize,
) -> c_int {
    let resources = &*ctx.cast::<HashMap<String, Vec<u8>>>();
    let uri = core::slice::from_raw_parts(uri.cast::<u8>(), uri_len);
    let found = core::str::from_utf8(uri).ok().and_then(|uri| resources.get(uri));
    let Some(schema) = found else {
        return -1;
    };
    *ret_text = schema.as_ptr().cast();
    *ret_len = schema.len();
    0
}
