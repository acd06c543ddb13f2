//! Declarations of the C library cupel, which this crate
//! compiles from its sources. `cupel-jsonschema` is the safe interface.
//!
//! The headers in `csrc/cupel` say what each function takes, returns and owns.
#![no_std]
#![allow(non_camel_case_types, non_upper_case_globals)]

include!("bindings.rs");
