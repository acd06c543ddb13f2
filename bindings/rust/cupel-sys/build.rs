//! Compiles the C files in `csrc`, which `scripts/rust.sh` writes: the library as one folder of C
//! that needs no other library.

use std::path::Path;

fn main() {
    let sources = Path::new("csrc");
    println!("cargo:rerun-if-changed=csrc");
    let Ok(entries) = sources.read_dir() else {
        panic!("csrc has no C files: run scripts/rust.sh in the checkout of cupel");
    };
    let mut files: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    let mut build = cc::Build::new();
    // The VM's dispatch needs tail calls, which come with optimisation.
    build.std("gnu11").include(sources).opt_level(3).warnings(false);
    if std::env::var("CARGO_CFG_TARGET_ENV").as_deref() != Ok("msvc") {
        build.flag_if_supported("-fvisibility=hidden");
    }
    if let Ok(sanitizer) = std::env::var("CUPEL_SANITIZE") {
        build.flag(format!("-fsanitize={sanitizer}")).opt_level(1);
    }
    build.files(files).compile("cupel");
}
