//! What it costs to make a response, each time or once by the compiler.
//!
//! | shape | the response |
//! |---|---|
//! | `literal` | made by the compiler: it is copied, and over HTTP/2 two stream numbers are put in |
//! | `usual` | put together of fields by their names and numbers by `write!`, and encoded |
//! | `tuned` | put together by hand, as fast as bytes that are known only now let it be |
//! | `parts` | put together by `Parts::http2_in`, the encoder that also runs in the compiler |
//!
//! All have the same bytes, which is compared first, and all but the first begin with a text in UTF-16, a
//! status and a type. `/` of `http_server` is `usual` over HTTP/1.1 and `parts` over HTTP/2. Nothing else that a request costs is in here. A record is a response. Every round
//! measures everything once, beginning at another one, so that what drifts hits all of them.
//!
//! ```text
//! throughput_http [--rounds N] [--workload W] [--core N]   measures, and prints a report
//! throughput_http --list                                   a line `WORKLOAD SHAPE bytes=N records=N` each
//! throughput_http --workload W --shape S --reps N          does it N times and prints nothing
//! ```
//!
//! The last two are for `cargo xtask count`, which counts from outside.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[path = "../throughput_bsatn/arguments.rs"]
mod arguments;
mod hpack;
mod huffman;
#[path = "../throughput/measure.rs"]
#[allow(dead_code, reason = "there is no breakdown here")]
mod measure;
mod output;
#[path = "../throughput/report.rs"]
mod report;
mod site;
mod tuned;
mod usual;

use core::hint::black_box;

use heapless::Vec;
use onewrite::http::Protocol;
use onewrite_boards::{Console, Failure, entry, pin_to};

use crate::arguments::{Arguments, Asked};
use crate::measure::{Cost, Meter};
use crate::report::Report;
use crate::site::{DATA, Stated, TEXT, built};

/// Rounds where time is measured.
const TIMED_ROUNDS: u32 = 31;
/// Rounds where instructions are counted: more than one, to show that they are equal.
const COUNTED_ROUNDS: u32 = 2;
/// A timed sample takes about so long.
const SAMPLE_NS: u64 = 200_000;
/// A counted sample has so many responses.
const SAMPLE_RESPONSES: u32 = 100;

/// How a response comes about.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Literal,
    Usual,
    Tuned,
    Parts,
}

/// One thing that is measured: its workload, its shape, and what they are.
type Task = (&'static str, &'static str, Protocol, Shape);

const TASKS: [Task; 7] = [
    ("http1-response", "literal", Protocol::Http1, Shape::Literal),
    ("http1-response", "usual", Protocol::Http1, Shape::Usual),
    ("http1-response", "tuned", Protocol::Http1, Shape::Tuned),
    ("http2-response", "literal", Protocol::Http2, Shape::Literal),
    ("http2-response", "usual", Protocol::Http2, Shape::Usual),
    ("http2-response", "tuned", Protocol::Http2, Shape::Tuned),
    ("http2-response", "parts", Protocol::Http2, Shape::Parts),
];

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let arguments = match Arguments::read()? {
        Asked::List => {
            for (workload, shape, protocol, _) in TASKS {
                let bytes = made(protocol).len();
                writeln!(console, "{workload} {shape} bytes={bytes} records=1")?;
            }
            return Ok(());
        }
        Asked::Repeat { workload, shape, reps } => {
            let mut tasks = TASKS.into_iter();
            let task = tasks.find(|task| task.0 == workload && task.1 == shape);
            let no_such = Failure::new("no such workload and shape: --list shows them", 2);
            return make(task.ok_or(no_such)?, &mut Repeat(reps));
        }
        Asked::Report(arguments) => arguments,
    };
    if let Some(core) = arguments.core {
        pin_to(core)?;
    }
    let mut report = Report::begin(console)?;
    match measure(&arguments, &mut report) {
        Ok(()) => Ok(report.end()?),
        Err(failure) => {
            report.fail(failure.message())?;
            Err(failure)
        }
    }
}

fn measure(arguments: &Arguments, report: &mut Report<'_>) -> Result<(), Failure> {
    report.line(format_args!(
        "note http1-response, http2-response: made and nothing else; what they hold is the same"
    ))?;
    let wanted = |task: &Task| match &arguments.workload {
        Some(only) => task.0 == *only,
        None => true,
    };
    let meter = Meter::new();
    if !meter.measures() {
        // What this machine can tell is whether the responses are right.
        for task in TASKS.into_iter().filter(wanted) {
            make(task, &mut Sample { meter: &meter, cost: Cost::default() })?;
        }
        return Err("this emulator does not count, and its time is not speed".into());
    }
    let usual = if meter.measures_time() { TIMED_ROUNDS } else { COUNTED_ROUNDS };
    let mut measured = false;
    for round in 0..arguments.rounds.unwrap_or(usual) {
        for task in TASKS.iter().cycle().skip(round as usize).take(TASKS.len()) {
            if !wanted(task) {
                continue;
            }
            let mut sample = Sample { meter: &meter, cost: Cost::default() };
            make(*task, &mut sample)?;
            let (workload, shape, protocol, _) = *task;
            let (bytes, cost) = (made(protocol).len(), sample.cost);
            report.line(format_args!(
                "sample {workload} {shape} bytes={bytes} records=1 round={round} {cost}"
            ))?;
            measured = true;
        }
    }
    if measured { Ok(()) } else { Err(Failure::new("no such workload, or no round", 2)) }
}

/// The response of the compiler.
fn made(protocol: Protocol) -> &'static [u8] {
    if protocol == Protocol::Http2 { DATA.http2() } else { DATA.http1() }
}

/// Does a work again and again, and knows what to do with that.
trait Timer {
    fn time<R>(&mut self, work: impl FnMut() -> R);
}

/// Does it so many times.
struct Repeat(u32);

impl Timer for Repeat {
    #[inline(always)]
    fn time<R>(&mut self, mut work: impl FnMut() -> R) {
        for _ in 0..self.0 {
            black_box(work());
        }
    }
}

/// Measures as often as the machine needs.
struct Sample<'m> {
    meter: &'m Meter,
    cost: Cost,
}

impl Timer for Sample<'_> {
    #[inline(always)]
    fn time<R>(&mut self, mut work: impl FnMut() -> R) {
        let reps = if self.meter.measures_time() {
            let once = self.meter.cost(100, &mut work).ns_each().unwrap_or(SAMPLE_NS).max(1);
            u32::try_from(SAMPLE_NS / once).unwrap_or(1).clamp(1, 10_000)
        } else {
            SAMPLE_RESPONSES
        };
        self.cost = self.meter.cost(reps, &mut work);
    }
}

/// Makes a response once, to be compared with the compiler's, and then as often as is asked for.
fn make<T: Timer>(task: Task, timer: &mut T) -> Result<(), Failure> {
    let (_, _, protocol, shape) = task;
    let text: Vec<u16, 64> = TEXT.encode_utf16().collect();
    let mut output = [0xa5; built::MAX];
    // None of it is known to the compiler behind here.
    let (text, literal, output, stated, stream) =
        black_box((&text[..], made(protocol), &mut output[..], Stated::TEXT, STREAM));
    match shape {
        Shape::Literal => checked(timer, literal, output, |to| copy(literal, protocol, stream, to)),
        Shape::Usual if protocol == Protocol::Http2 => {
            checked(timer, literal, output, |to| usual::respond(text, stated, to))
        }
        Shape::Usual | Shape::Parts => {
            checked(timer, literal, output, |to| built::respond(text, protocol, to))
        }
        Shape::Tuned => {
            checked(timer, literal, output, |to| tuned::respond(text, stated, protocol, to))
        }
    }
}

#[inline(always)]
fn checked<T: Timer>(
    timer: &mut T,
    literal: &[u8],
    output: &mut [u8],
    mut make: impl FnMut(&mut [u8]) -> Option<usize>,
) -> Result<(), Failure> {
    let len = make(output).unwrap_or(0);
    if output.get(..len) != Some(literal) {
        return Err("what was made is not the response of the compiler".into());
    }
    timer.time(|| make(output));
    Ok(())
}

/// Where the number of the stream stands in the two frames.
const STREAMS: [usize; 2] = {
    let [a, b, c, ..] = DATA.http2() else { panic!("a frame begins with its length") };
    [5, 9 + u32::from_be_bytes([0, *a, *b, *c]) as usize + 5]
};

/// The number of the stream that the literals have.
const STREAM: u32 = 0;

/// Copies the response of the compiler.
#[inline(never)]
fn copy(literal: &[u8], protocol: Protocol, stream: u32, output: &mut [u8]) -> Option<usize> {
    output.get_mut(..literal.len())?.copy_from_slice(literal);
    if protocol == Protocol::Http2 {
        for at in STREAMS {
            *output.get_mut(at..)?.first_chunk_mut()? = stream.to_be_bytes();
        }
    }
    Some(literal.len())
}
