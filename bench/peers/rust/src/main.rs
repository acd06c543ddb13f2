//! The crate `jsonschema` in the protocol of ../driver.h: peer SCHEMAS INSTANCES MILLISECONDS.
use cpu_time::ProcessTime;
use serde_json::Value;
use std::hint::black_box;
use std::time::{Duration, Instant};

struct Instance {
    schema: usize,
    text: String,
    document: Value,
}

fn compile(text: &str) -> Option<jsonschema::Validator> {
    let schema: Value = serde_json::from_str(text).ok()?;
    jsonschema::options()
        .should_validate_formats(false)
        .build(&schema)
        .ok()
}

fn parse(text: &str) -> Value {
    serde_json::from_slice(text.as_bytes()).expect("a document is refused")
}

fn load(path: &str) -> Vec<Instance> {
    let data = std::fs::read_to_string(path).expect("instances");
    let split = |line: &str| {
        let (schema, text) = line.split_once('\t').expect("a number and a tab");
        Instance {
            schema: schema.parse().expect("a number"),
            text: text.to_string(),
            document: parse(text),
        }
    };
    data.lines().map(split).collect()
}

fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("statm");
    let pages: u64 = statm.split(' ').nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    pages * 4096
}

/// What the process uses of the processor.
fn used(run: &mut dyn FnMut()) -> u64 {
    let start = ProcessTime::now();
    run();
    start.elapsed().as_nanos() as u64
}

fn timed(run: &mut dyn FnMut()) -> u64 {
    let start = Instant::now();
    run();
    start.elapsed().as_nanos() as u64
}

fn middle(mut times: Vec<u64>) -> u64 {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or(0)
}

/// The median time of a pass, after one that warms up.
fn measure(budget: Duration, run: &mut dyn FnMut()) -> u64 {
    let start = Instant::now();
    let mut times = Vec::new();
    run();
    let fewest = if start.elapsed() > budget { 1 } else { 3 };
    while times.len() < fewest || (times.len() < 2001 && start.elapsed() < budget) {
        times.push(used(run));
    }
    middle(times)
}

/// For each schema the least time of some.
fn measure_compile(budget: Duration, schemas: &[&str]) -> Vec<u64> {
    let start = Instant::now();
    let mut best = vec![u64::MAX; schemas.len()];
    let mut round = 0;
    while round < 3 || (round < 1000 && start.elapsed() < budget) {
        for (schema, least) in schemas.iter().zip(best.iter_mut()) {
            let begin = ProcessTime::now();
            let program = compile(schema);
            *least = (*least).min(begin.elapsed().as_nanos() as u64);
            drop(black_box(program));
        }
        round += 1;
    }
    best
}

/// Each document many times before the next, the least of three; twice and once if a pass takes long.
fn measure_hot(
    budget: Duration,
    eval: u64,
    programs: &[Option<jsonschema::Validator>],
    instances: &[Instance],
) -> u64 {
    let budget = budget.as_nanos() as u64;
    let (rounds, least) = if eval > budget { (1, 2) } else { (3, 4) };
    let repeats = (budget / 3 / (eval + 1)).clamp(least, 1000);
    let mut total = 0;
    for i in instances {
        let Some(program) = &programs[i.schema] else { continue };
        let mut repeat = || {
            for _ in 0..repeats {
                black_box(program.is_valid(black_box(&i.document)));
            }
        };
        total += (0..rounds).map(|_| timed(&mut repeat)).min().unwrap_or(0);
    }
    total / repeats
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let lines = std::fs::read_to_string(&args[1]).expect("schemas");
    let schemas: Vec<&str> = lines.lines().collect();
    let instances = load(&args[2]);
    let budget = Duration::from_millis(args[3].parse().expect("milliseconds"));

    let before = resident();
    let programs: Vec<_> = schemas.iter().map(|s| compile(s)).collect();
    let memory = resident().saturating_sub(before);
    let compile_times = measure_compile(budget, &schemas);
    let judge = |i: &Instance| {
        programs[i.schema].as_ref().is_some_and(|p| p.is_valid(&parse(&i.text)))
    };
    let valid = instances.iter().filter(|i| judge(i)).count();
    print!(
        "{{\"instances\":{},\"bytes\":{},\"schemas\":{},\"refused\":{},\"valid\":{},\
         \"memory_bytes\":{},\"compile_ns\":{},\"compile_median_ns\":{}",
        instances.len(),
        instances.iter().map(|i| i.text.len()).sum::<usize>(),
        schemas.len(),
        programs.iter().filter(|p| p.is_none()).count(),
        valid,
        memory,
        compile_times.iter().sum::<u64>(),
        middle(compile_times)
    );
    if !instances.is_empty() {
        let eval = measure(budget, &mut || {
            for i in &instances {
                if let Some(program) = &programs[i.schema] {
                    black_box(program.is_valid(&i.document));
                }
            }
        });
        let hot = measure_hot(budget, eval, &programs, &instances);
        let e2e = measure(budget, &mut || {
            for i in &instances {
                black_box(judge(i));
            }
        });
        let read = measure(budget, &mut || {
            for i in &instances {
                black_box(parse(&i.text));
            }
        });
        print!(
            ",\"eval_ns\":{eval},\"eval_hot_ns\":{hot},\"e2e_ns\":{e2e},\"parse_ns\":{read}"
        );
    }
    println!("}}");
}
