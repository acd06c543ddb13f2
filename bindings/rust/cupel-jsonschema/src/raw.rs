//! What all modules need of the C interface: texts, strings, statuses.

use core::ffi::{c_char, CStr};
use cupel_sys as sys;

/// A static string of the library.
///
/// # Safety
///
/// `text` points to a NUL-terminated string of ASCII that is never freed.
pub(crate) unsafe fn static_str(text: *const c_char) -> &'static str {
    CStr::from_ptr(text).to_str().unwrap_or("?")
}

/// A text of the library, up to its NUL; what is not UTF-8 is replaced.
///
/// # Safety
///
/// `text` points to a NUL-terminated string.
pub(crate) unsafe fn string(text: *const c_char) -> String {
    CStr::from_ptr(text).to_string_lossy().into_owned()
}

/// `len` bytes of the library as a string; empty for NULL.
///
/// # Safety
///
/// `bytes` is NULL or points to `len` readable bytes.
pub(crate) unsafe fn string_of(bytes: *const c_char, len: usize) -> String {
    if bytes.is_null() {
        return String::new();
    }
    String::from_utf8_lossy(core::slice::from_raw_parts(bytes.cast(), len)).into_owned()
}

/// A growing buffer of the library.
pub(crate) struct Text(pub sys::cupel_text);

impl Text {
    pub fn new() -> Self {
        let mut text = core::mem::MaybeUninit::uninit();
        // SAFETY: the function fills in the struct; NULL is the C library's allocator.
        unsafe {
            sys::cupel_text_init(text.as_mut_ptr(), core::ptr::null());
            Text(text.assume_init())
        }
    }

    pub fn clear(&mut self) {
        // SAFETY: the text was initialised.
        unsafe { sys::cupel_text_clear(&mut self.0) }
    }

    /// The content; None if the buffer could not grow.
    pub fn content(&self) -> Option<String> {
        // SAFETY: `bytes` has `len` bytes, or is NULL.
        (self.0.failed == 0).then(|| unsafe { string_of(self.0.bytes, self.0.len) })
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        // SAFETY: the text was initialised.
        unsafe { sys::cupel_text_free(&mut self.0) }
    }
}

// SAFETY: the buffer belongs to the struct alone.
unsafe impl Send for Text {}
