//! The required tests of the official suite, where CUPEL_CORPORA names the folder that holds it.

use cupel_jsonschema::{Dialect, Options, Verdict};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::path::Path;

type Object<'a> = HashMap<&'a str, &'a RawValue>;

const DRAFTS: [(&str, Dialect); 5] = [
    ("draft4", Dialect::Draft4),
    ("draft6", Dialect::Draft6),
    ("draft7", Dialect::Draft7),
    ("draft2019-09", Dialect::Draft201909),
    ("draft2020-12", Dialect::Draft202012),
];

/// Adds the suite's remote documents by the URIs that its schemas use.
fn with_remotes(mut options: Options, folder: &Path, uri: &str) -> Options {
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let uri = format!("{uri}/{}", path.file_name().unwrap().to_str().unwrap());
        options = if path.is_dir() {
            with_remotes(options, &path, &uri)
        } else {
            options.resource(uri, std::fs::read(&path).unwrap())
        };
    }
    options
}

/// Runs a group; returns the numbers of tests that passed and failed.
fn run_group(group: &Object, options: &Options, path: &Path) -> [usize; 2] {
    let tests: Vec<Object> = serde_json::from_str(group["tests"].get()).unwrap();
    let schema = group["schema"].get();
    let v = options
        .compile(schema.as_bytes())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut counts = [0; 2];
    for test in &tests {
        let want = if test["valid"].get() == "true" {
            Verdict::Valid
        } else {
            Verdict::Invalid
        };
        let good = v.verdict(test["data"].get().as_bytes()) == want;
        if !good {
            println!("{}: {}", path.display(), test["description"].get());
        }
        counts[usize::from(!good)] += 1;
    }
    counts
}

#[test]
fn official_suite() {
    let Some(corpora) = std::env::var_os("CUPEL_CORPORA") else {
        println!("skipped: CUPEL_CORPORA names no folder");
        return;
    };
    let suite = Path::new(&corpora).join("json-schema-test-suite");
    let options = with_remotes(Options::new(), &suite.join("remotes"), "http://localhost:1234");
    let mut counts = [0; 2];
    for (draft, dialect) in DRAFTS {
        let options = options.clone().dialect(dialect);
        let folder = suite.join("tests").join(draft);
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let groups: Vec<Object> = serde_json::from_str(&text).unwrap();
            for group in &groups {
                let one = run_group(group, &options, &path);
                counts.iter_mut().zip(one).for_each(|(sum, n)| *sum += n);
            }
        }
    }
    println!("{} passed, {} failed", counts[0], counts[1]);
    assert!(counts[0] > 4900 && counts[1] == 0);
}
