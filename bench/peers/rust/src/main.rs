//! Validators in Rust in the protocol of ../../driver.h: peers NAME SCHEMAS INSTANCES MILLISECONDS.
mod corvus;
mod tree;

use cpu_time::ProcessTime;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A validator in the fastest way that its crate offers.
pub trait Peer {
    type Program;
    type Document<'t>;
    /// None for a schema that the crate refuses.
    fn compile(text: &str) -> Option<Self::Program>;
    /// None for a text that the crate refuses.
    fn parse(text: &str) -> Option<Self::Document<'_>>;
    fn validate(program: &Self::Program, document: &Self::Document<'_>) -> bool;
    /// Bytes in, verdict out.
    fn judge(program: &Self::Program, text: &str) -> bool;
}

struct Instance<'t, P: Peer> {
    schema: usize,
    text: &'t str,
    document: P::Document<'t>,
}

fn load<P: Peer>(data: &str) -> Vec<Instance<'_, P>> {
    let split = |line| {
        let (schema, text) = str::split_once(line, '\t').expect("a number and a tab");
        Instance {
            schema: schema.parse().expect("a number"),
            text,
            document: P::parse(text).expect("a document is refused"),
        }
    };
    data.lines().map(split).collect()
}

fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("statm");
    let pages: u64 = statm
        .split(' ')
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
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
fn measure_compile<P: Peer>(budget: Duration, schemas: &[&str]) -> Vec<u64> {
    let start = Instant::now();
    let mut best = vec![u64::MAX; schemas.len()];
    let mut round = 0;
    while round < 3 || (round < 1000 && start.elapsed() < budget) {
        for (schema, least) in schemas.iter().zip(best.iter_mut()) {
            let begin = ProcessTime::now();
            let program = P::compile(schema);
            *least = (*least).min(begin.elapsed().as_nanos() as u64);
            drop(black_box(program));
        }
        round += 1;
    }
    best
}

/// Each document many times before the next, the least of three; twice and once if a pass takes long.
fn measure_hot<P: Peer>(
    budget: Duration,
    eval: u64,
    programs: &[Option<P::Program>],
    instances: &[Instance<P>],
) -> u64 {
    let budget = budget.as_nanos() as u64;
    let (rounds, least) = if eval > budget { (1, 2) } else { (3, 4) };
    let repeats = (budget / 3 / (eval + 1)).clamp(least, 1000);
    let mut total = 0;
    for i in instances {
        let Some(program) = &programs[i.schema] else {
            continue;
        };
        let mut repeat = || {
            for _ in 0..repeats {
                black_box(P::validate(program, black_box(&i.document)));
            }
        };
        total += (0..rounds).map(|_| timed(&mut repeat)).min().unwrap_or(0);
    }
    total / repeats
}

fn run<P: Peer>(args: &[String]) {
    let read = |path: &String| std::fs::read_to_string(path).expect("a file");
    let (lines, data) = (read(&args[0]), read(&args[1]));
    let schemas: Vec<&str> = lines.lines().collect();
    let instances = load::<P>(&data);
    let budget = Duration::from_millis(args[2].parse().expect("milliseconds"));

    let before = resident();
    let programs: Vec<_> = schemas.iter().map(|s| P::compile(s)).collect();
    let memory = resident().saturating_sub(before);
    let compile_times = measure_compile::<P>(budget, &schemas);
    let judge = |i: &Instance<P>| {
        programs[i.schema]
            .as_ref()
            .is_some_and(|p| P::judge(p, i.text))
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
                    black_box(P::validate(program, &i.document));
                }
            }
        });
        let hot = measure_hot::<P>(budget, eval, &programs, &instances);
        let e2e = measure(budget, &mut || {
            for i in &instances {
                black_box(judge(i));
            }
        });
        let read = measure(budget, &mut || {
            for i in &instances {
                black_box(P::parse(i.text));
            }
        });
        print!(",\"eval_ns\":{eval},\"eval_hot_ns\":{hot},\"e2e_ns\":{e2e},\"parse_ns\":{read}");
    }
    println!("}}");
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args[0].as_str() {
        "corvus" => run::<corvus::Corvus>(&args[1..]),
        _ => run::<tree::Tree>(&args[1..]),
    }
}
