//! What it costs to write and read SpacetimeDB's rows and messages, on the machine itself.
//!
//! The sibling of `throughput`, with a report of the same form, and apart from it because of its
//! size. What each work does, `tasks.rs` tells. Each result is checked row by row before or after it
//! is counted. Every round measures everything once, beginning at another work, so that what drifts
//! hits all of them.
//!
//! ```text
//! throughput_bsatn [--rounds N] [--workload W] [--core N]   measures, and prints a report
//! throughput_bsatn --list                                   a line `WORKLOAD SHAPE bytes=N records=N` each
//! throughput_bsatn --workload W --shape S --reps N          does it N times and prints nothing
//! ```
//!
//! The last two are for `cargo xtask count`, which counts from outside.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod arguments;
#[path = "../throughput/measure.rs"]
#[allow(dead_code, reason = "there is no breakdown here")]
mod measure;
mod memory;
#[path = "../throughput/report.rs"]
mod report;
mod rows;
mod stored;
mod tasks;
mod work;

use core::hint::black_box;

use onewrite_boards::{Console, Failure, entry, pin_to};

use crate::arguments::{Arguments, Asked};
use crate::measure::{Cost, Meter};
use crate::memory::Memory;
use crate::report::Report;
use crate::tasks::{Task, all};
use crate::work::Timer;

/// Rounds where time is measured.
const TIMED_ROUNDS: u32 = 31;
/// Rounds where instructions are counted: more than one, to show that they are equal.
const COUNTED_ROUNDS: u32 = 2;
/// A timed sample takes about so long.
const SAMPLE_NS: u64 = 200_000;
/// A counted sample has about so many rows.
const SAMPLE_RECORDS: usize = 1_000;

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let mut memory = Memory::take().ok_or("the memory is in use, or too small")?;
    let arguments = match Arguments::read()? {
        Asked::List => return Ok(list(console, &memory)?),
        Asked::Repeat { workload, shape, reps } => {
            let mut tasks = all().into_iter();
            let task = tasks.find(|task| task.workload() == workload && task.work.name() == shape);
            let no_such = Failure::new("no such workload and shape: --list shows them", 2);
            return repeat(task.ok_or(no_such)?, &mut memory, &mut Repeat(reps));
        }
        Asked::Report(arguments) => arguments,
    };
    if let Some(core) = arguments.core {
        pin_to(core)?;
    }
    let mut report = Report::begin(console)?;
    match measure(&arguments, &mut memory, &mut report) {
        Ok(()) => Ok(report.end()?),
        Err(failure) => {
            report.fail(failure.message())?;
            Err(failure)
        }
    }
}

fn list(console: &mut Console, memory: &Memory) -> core::fmt::Result {
    for task in all() {
        let (workload, shape) = (task.workload(), task.work.name());
        let (bytes, records) = (task.bytes(memory), task.records());
        writeln!(console, "{workload} {shape} bytes={bytes} records={records}")?;
    }
    Ok(())
}

fn repeat<T: Timer>(task: Task, memory: &mut Memory, timer: &mut T) -> Result<(), Failure> {
    task.run(memory, timer).map_err(|_| "what was written or read is not what it has to be".into())
}

/// Does it so many times.
struct Repeat(u32);

impl Timer for Repeat {
    #[inline(always)]
    fn time<R>(&mut self, _: usize, mut work: impl FnMut() -> R) {
        for _ in 0..self.0 {
            black_box(work());
        }
    }
}

fn measure(
    arguments: &Arguments,
    memory: &mut Memory,
    report: &mut Report<'_>,
) -> Result<(), Failure> {
    for note in NOTES {
        report.line(format_args!("note {note}"))?;
    }
    let wanted = |task: &Task| match &arguments.workload {
        Some(only) => task.workload() == *only,
        None => true,
    };
    let meter = Meter::new();
    let tasks = all();
    if !meter.measures() {
        // What this machine can tell is whether the results are right.
        for task in tasks.iter().filter(|task| wanted(task)) {
            repeat(*task, memory, &mut Sample { meter: &meter, cost: Cost::default() })?;
        }
        return Err("this emulator does not count, and its time is not speed".into());
    }
    let usual = if meter.measures_time() { TIMED_ROUNDS } else { COUNTED_ROUNDS };
    let mut measured = false;
    for round in 0..arguments.rounds.unwrap_or(usual) {
        for task in tasks.iter().cycle().skip(round as usize).take(tasks.len()) {
            if !wanted(task) {
                continue;
            }
            let mut sample = Sample { meter: &meter, cost: Cost::default() };
            repeat(*task, memory, &mut sample)?;
            let (workload, shape, cost) = (task.workload(), task.work.name(), sample.cost);
            let (bytes, records) = (task.bytes(memory), task.records());
            report.line(format_args!(
                "sample {workload} {shape} bytes={bytes} records={records} round={round} {cost}"
            ))?;
            measured = true;
        }
    }
    if measured { Ok(()) } else { Err(Failure::new("no such workload, or no round", 2)) }
}

const NOTES: [&str; 4] = [
    "encode: an array of rows; chunked: through a scratch of 256 bytes into a slice behind an opaque \
     dyn embedded_io::Write",
    "decode, row_list, payloads: each row, handed to black_box; decode/chunked: an update of version 2 \
     in pieces of 4096 bytes",
    "view: an update of version 2, with its rows as bytes",
    "apply: collecting the changes and applying them; every row is replaced",
];

/// Measures as often as the machine needs.
struct Sample<'m> {
    meter: &'m Meter,
    cost: Cost,
}

impl Timer for Sample<'_> {
    #[inline(always)]
    fn time<R>(&mut self, records: usize, mut work: impl FnMut() -> R) {
        let reps = if self.meter.measures_time() {
            let once = self.meter.cost(1, &mut work).ns_each().unwrap_or(SAMPLE_NS).max(1);
            u32::try_from(SAMPLE_NS / once).unwrap_or(1).clamp(1, 10_000)
        } else {
            u32::try_from(SAMPLE_RECORDS / records.max(1)).unwrap_or(1).clamp(1, 50)
        };
        self.cost = self.meter.cost(reps, &mut work);
    }
}
