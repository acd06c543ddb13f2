//! Compiled schemas, and the judgement of documents.

use crate::error::{Error, JsonError, Problem, Reason, SchemaError};
use crate::raw::{self, Text};
use crate::Options;
use core::cell::RefCell;
use core::mem::{zeroed, MaybeUninit};
use core::ptr::{null, null_mut, NonNull};
use cupel_sys as sys;
use std::sync::Mutex;

/// The verdict on a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The document conforms.
    Valid,
    /// It does not.
    Invalid,
    /// A limit was reached, there was no memory, or the text is not JSON.
    Undecided,
}

/// What came of [`Validator::repair`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// The document is valid.
    NotNeeded,
    /// The one way to make it valid: the repaired text, and the changes as an RFC 6902 patch.
    Repaired {
        /// The repaired JSON text.
        text: String,
        /// A JSON array of operations.
        patch: String,
    },
    /// No such changes make it valid.
    Impossible,
    /// Several do, in different ways.
    Ambiguous,
    /// A limit was reached, there was no memory, or the text is not JSON.
    Undecided,
}

/// The memory that judging needs; one thread at a time.
struct Scratch(NonNull<sys::cupel_scratch>);

// SAFETY: a scratch may be used by any thread, one at a time.
unsafe impl Send for Scratch {}

impl Scratch {
    fn new(options: &sys::cupel_options) -> Option<Self> {
        let mut scratch = null_mut();
        // SAFETY: the options are initialised; on success the function returns an object that is ours.
        let status = unsafe { sys::cupel_scratch_new(options, &mut scratch) };
        (status == sys::CUPEL_OK)
            .then(|| NonNull::new(scratch).map(Scratch))
            .flatten()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // SAFETY: the object is ours.
        unsafe { sys::cupel_scratch_free(self.0.as_ptr()) }
    }
}

thread_local! {
    /// For validators whose options leave judging at its defaults.
    static SCRATCH: RefCell<Option<Scratch>> = const { RefCell::new(None) };
}

/// A compiled schema. It is immutable, and any number of threads may use it at once.
pub struct Validator {
    program: NonNull<sys::cupel_program>,
    /// Of validators with limits of their own: the options, and scratches that no thread uses.
    own: Option<Own>,
}

struct Own {
    options: Options,
    idle: Mutex<Vec<Scratch>>,
}

// SAFETY: a program is immutable and may be shared by any number of threads.
unsafe impl Send for Validator {}
// SAFETY: as above; scratches are handed out one thread at a time.
unsafe impl Sync for Validator {}

impl Drop for Validator {
    fn drop(&mut self) {
        // SAFETY: the program is ours, and no judgement borrows it any more.
        unsafe { sys::cupel_program_free(self.program.as_ptr()) }
    }
}

impl core::fmt::Debug for Validator {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Validator")
            .field("image_bytes", &self.image().len())
            .finish()
    }
}

impl Validator {
    /// Compiles a schema with the default options. The schema is JSON text in UTF-8.
    pub fn new(schema: &[u8]) -> Result<Self, SchemaError> {
        Self::compile(schema, &Options::default())
    }

    pub(crate) fn compile(schema: &[u8], options: &Options) -> Result<Self, SchemaError> {
        Self::make(options, |raw, program, error| {
            // SAFETY: all pointers are valid for the call.
            unsafe { sys::cupel_compile(schema.as_ptr().cast(), schema.len(), raw, program, error) }
        })
    }

    pub(crate) fn load(image: &[u8], options: &Options) -> Result<Self, SchemaError> {
        Self::make(options, |raw, program, error| {
            // SAFETY: all pointers are valid for the call; without flags the image is copied.
            unsafe { sys::cupel_program_load(image.as_ptr().cast(), image.len(), 0, raw, program, error) }
        })
    }

    fn make(
        options: &Options,
        call: impl FnOnce(
            *const sys::cupel_options,
            *mut *mut sys::cupel_program,
            *mut sys::cupel_error,
        ) -> sys::cupel_status,
    ) -> Result<Self, SchemaError> {
        let raw = options.to_raw();
        let mut program = null_mut();
        // SAFETY: all zeroes is a value of this struct.
        let mut error: sys::cupel_error = unsafe { zeroed() };
        let status = call(&raw, &mut program, &mut error);
        let own = (!options.judges_by_default()).then(|| Own {
            options: options.clone(),
            idle: Mutex::new(Vec::new()),
        });
        match NonNull::new(program) {
            Some(program) if status == sys::CUPEL_OK => Ok(Validator { program, own }),
            _ => Err(SchemaError::new(status, &error)),
        }
    }

    /// The compiled program as bytes, for [`Options::load`] in another process.
    pub fn image(&self) -> &[u8] {
        let mut len = 0;
        // SAFETY: the image lives as long as the program.
        unsafe {
            let bytes = sys::cupel_program_image(self.program.as_ptr(), &mut len);
            core::slice::from_raw_parts(bytes.cast(), len)
        }
    }

    /// Calls `judge` with a scratch; None if there is no memory for one.
    fn with_scratch<T>(&self, judge: impl FnOnce(*mut sys::cupel_scratch) -> T) -> Option<T> {
        let Some(own) = &self.own else {
            return SCRATCH.with(|cell| {
                let mut slot = cell.borrow_mut();
                if slot.is_none() {
                    *slot = Scratch::new(&Options::default().to_raw());
                }
                slot.as_ref().map(|scratch| judge(scratch.0.as_ptr()))
            });
        };
        let idle = own
            .idle
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .pop();
        let scratch = idle.or_else(|| Scratch::new(&own.options.to_raw()))?;
        let result = judge(scratch.0.as_ptr());
        own.idle
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .push(scratch);
        Some(result)
    }

    /// Runs the program on a text.
    fn run(
        &self,
        scratch: *mut sys::cupel_scratch,
        json: &[u8],
        outcome: *mut sys::cupel_outcome,
    ) -> sys::cupel_verdict {
        // SAFETY: the scratch is in use by this thread alone, and the pointers are valid for the call.
        unsafe {
            sys::cupel_validate(
                self.program.as_ptr(),
                scratch,
                json.as_ptr().cast(),
                json.len(),
                outcome,
            )
        }
    }

    /// The verdict on a document, which is JSON text in UTF-8. A text that is not JSON is
    /// [`Verdict::Undecided`].
    pub fn verdict(&self, json: &[u8]) -> Verdict {
        match self.with_scratch(|scratch| self.run(scratch, json, null_mut())) {
            Some(sys::CUPEL_VALID) => Verdict::Valid,
            Some(sys::CUPEL_INVALID) => Verdict::Invalid,
            _ => Verdict::Undecided,
        }
    }

    /// Whether a document is valid: false for everything else, undecided ones included.
    pub fn is_valid(&self, json: &[u8]) -> bool {
        self.verdict(json) == Verdict::Valid
    }

    /// Judges a document, and says what is wrong with it.
    pub fn validate(&self, json: &[u8]) -> Result<(), Error> {
        self.with_scratch(|scratch| self.validate_with(scratch, json))
            .unwrap_or(Err(Error::Undecided(Reason::new(sys::CUPEL_E_NO_MEMORY))))
    }

    fn validate_with(&self, scratch: *mut sys::cupel_scratch, json: &[u8]) -> Result<(), Error> {
        let mut outcome = MaybeUninit::<sys::cupel_outcome>::zeroed();
        let verdict = self.run(scratch, json, outcome.as_mut_ptr());
        // SAFETY: the function fills in the struct, of which all zeroes is a value.
        let outcome = unsafe { outcome.assume_init() };
        match verdict {
            sys::CUPEL_VALID => Ok(()),
            sys::CUPEL_INVALID => Err(Error::Invalid(self.problems(scratch))),
            _ if is_of_reading(outcome.reason) => Err(Error::Json(JsonError::new(&outcome.error))),
            _ => Err(Error::Undecided(Reason::new(outcome.reason))),
        }
    }

    /// The problems of the text that was judged last.
    fn problems(&self, scratch: *mut sys::cupel_scratch) -> Vec<Problem> {
        let mut text = Text::new();
        // SAFETY: the scratch holds the document that was judged last, and `json` is still borrowed.
        unsafe {
            let verdict = sys::cupel_report_run(self.program.as_ptr(), scratch, null_mut(), 0, 0, null_mut());
            let mut counts: sys::cupel_report_counts = zeroed();
            if verdict == sys::CUPEL_INVALID {
                sys::cupel_report_count(scratch, &mut counts);
            }
            let mut problems: Vec<_> = (0..counts.problems)
                .map(|i| problem(scratch, i, &mut text))
                .collect();
            if problems.is_empty() {
                problems.push(unreported());
            }
            problems
        }
    }

    /// What is wrong with a document in words that a language model can act on; None unless it is
    /// invalid.
    pub fn model_message(&self, json: &[u8]) -> Option<String> {
        self.with_scratch(|scratch| {
            if self.run(scratch, json, null_mut()) != sys::CUPEL_INVALID {
                return None;
            }
            let mut text = Text::new();
            // SAFETY: the scratch holds the document; NULL options are the defaults.
            unsafe {
                let verdict = sys::cupel_render(
                    self.program.as_ptr(),
                    scratch,
                    null_mut(),
                    0,
                    sys::CUPEL_RENDER_MODEL,
                    null(),
                    &mut text.0,
                    null_mut(),
                );
                (verdict == sys::CUPEL_INVALID).then(|| text.content()).flatten()
            }
        })
        .flatten()
    }

    /// Tries to repair a document, only where there is one way to do so.
    pub fn repair(&self, json: &[u8]) -> Repair {
        self.with_scratch(|scratch| self.repair_with(scratch, json))
            .unwrap_or(Repair::Undecided)
    }

    fn repair_with(&self, scratch: *mut sys::cupel_scratch, json: &[u8]) -> Repair {
        match self.run(scratch, json, null_mut()) {
            sys::CUPEL_VALID => return Repair::NotNeeded,
            sys::CUPEL_INVALID => {}
            _ => return Repair::Undecided,
        }
        let (mut patch, mut text) = (Text::new(), Text::new());
        // SAFETY: the scratch holds the document that was judged last.
        let result = unsafe {
            sys::cupel_repair(
                self.program.as_ptr(),
                scratch,
                null_mut(),
                0,
                &mut patch.0,
                &mut text.0,
                null_mut(),
            )
        };
        match (result, text.content(), patch.content()) {
            (sys::CUPEL_REPAIRED, Some(text), Some(patch)) => Repair::Repaired { text, patch },
            (sys::CUPEL_REPAIR_NOT_NEEDED, ..) => Repair::NotNeeded,
            (sys::CUPEL_REPAIR_IMPOSSIBLE, ..) => Repair::Impossible,
            (sys::CUPEL_REPAIR_AMBIGUOUS, ..) => Repair::Ambiguous,
            _ => Repair::Undecided,
        }
    }

    /// Judges a value that serde_json keeps as text.
    #[cfg(feature = "raw_value")]
    pub fn validate_raw(&self, value: &serde_json::value::RawValue) -> Result<(), Error> {
        self.validate(value.get().as_bytes())
    }
}

/// Whether a status belongs to the group "Reading JSON".
fn is_of_reading(status: sys::cupel_status) -> bool {
    (sys::CUPEL_E_NUMBER_SIZE..=sys::CUPEL_E_SYNTAX).contains(&status)
}

/// The problem of a document that is invalid, when memory for the report was lacking.
fn unreported() -> Problem {
    Problem {
        code: "unreported",
        pointer: String::new(),
        keyword: String::new(),
        schema_pointer: String::new(),
        message: "the document is not valid".to_owned(),
    }
}

/// Problem `i` of the last report.
///
/// # Safety
///
/// The last report of the scratch has more than `i` problems.
unsafe fn problem(scratch: *mut sys::cupel_scratch, i: u32, text: &mut Text) -> Problem {
    let number = sys::cupel_report_problem(scratch, i);
    let mut record: sys::cupel_record = zeroed();
    sys::cupel_report_record(scratch, number, &mut record);
    let mut part = |what: sys::cupel_record_text| {
        text.clear();
        sys::cupel_report_write(scratch, number, what, null(), &mut text.0);
        text.content().unwrap_or_default()
    };
    Problem {
        code: raw::static_str(sys::cupel_problem_id(record.code)),
        pointer: part(sys::CUPEL_RECORD_INSTANCE),
        keyword: part(sys::CUPEL_RECORD_KEYWORD),
        schema_pointer: part(sys::CUPEL_RECORD_SCHEMA),
        message: part(sys::CUPEL_RECORD_SENTENCE),
    }
}
