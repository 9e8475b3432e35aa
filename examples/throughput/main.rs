//! What it costs to serialize real render batches, in five ways, on the machine itself.
//!
//! Runs on a host, on aarch64 Linux and on a Raspberry Pi Zero 2W without an operating system, and
//! prints a report for `cargo xtask throughput`. Each output is compared with length and SHA-256 of
//! the golden vector before anything is counted. Every round measures everything once, beginning
//! at another workload and another shape, so that what drifts hits all of them.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod arguments;
mod breakdown;
mod flat;
mod measure;
mod memory;
mod report;
mod shapes;
mod walk;
mod workloads;

use onewrite::render_batch::write_into;
use onewrite::string_table::SlimStringTable;
use onewrite_boards::{Console, Failure, entry, pin_to};
use sha2::{Digest as _, Sha256};

use crate::arguments::Arguments;
use crate::breakdown::Breakdown;
use crate::measure::Meter;
use crate::memory::{Memory, SLOTS, Table};
use crate::report::Report;
use crate::shapes::{Shape, Tools};
use crate::workloads::{Arena, Page, STRINGS, Workload};

/// Rounds where time is measured.
const TIMED_ROUNDS: u32 = 31;
/// Rounds where instructions are counted: more than one, to show that they are equal.
const COUNTED_ROUNDS: u32 = 2;
/// A timed sample takes about so long.
const SAMPLE_NS: u64 = 200_000;
/// A counted sample has about so many records.
const SAMPLE_RECORDS: usize = 2_400;

/// The workload without a protocol.
const CORE: &str = "core";

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let arguments = Arguments::read()?;
    if let Some(core) = arguments.core {
        pin_to(core)?;
    }
    let mut memory = Memory::take().ok_or("the memory is in use")?;
    let mut report = Report::begin(console)?;
    match measure(&arguments, &mut memory, &mut report) {
        Ok(()) => Ok(report.end()?),
        Err(failure) => {
            report.fail(failure.message())?;
            Err(failure)
        }
    }
}

fn measure(
    arguments: &Arguments,
    memory: &mut Memory,
    report: &mut Report<'_>,
) -> Result<(), Failure> {
    facts(report)?;
    let meter = Meter::new();
    if !meter.measures() {
        return Err("this emulator does not count, and its time is not speed".into());
    }
    let usual = if meter.measures_time() { TIMED_ROUNDS } else { COUNTED_ROUNDS };
    let wanted = |name: &str| arguments.workload.as_ref().is_none_or(|only| only == name);
    let mut measured = false;
    for round in 0..arguments.rounds.unwrap_or(usual) {
        for workload in
            workloads::ALL.iter().cycle().skip(round as usize).take(workloads::ALL.len())
        {
            if wanted(workload.name) {
                batch(workload, round, &meter, memory, report)?;
                measured = true;
            }
        }
        if wanted(CORE) {
            core_rows(round, &meter, memory, report)?;
            measured = true;
        }
    }
    if measured { Ok(()) } else { Err(Failure::new("no such workload, or no round", 2)) }
}

/// What is known before anything runs.
fn facts(report: &mut Report<'_>) -> core::fmt::Result {
    let (slots, size) = (SLOTS, Table::SIZE);
    report.line(format_args!("env string table: {slots} slots, {size} bytes; statics, no heap"))?;
    let size = SlimStringTable::<SLOTS>::SIZE;
    report.line(format_args!("env slim string table: {size} bytes with as many slots"))?;
    let (strings, size) = (STRINGS, size_of::<[u32; STRINGS]>());
    report
        .line(format_args!("env list of strings: {strings} strings, {size} bytes; not in_place"))?;
    for note in NOTES {
        report.line(format_args!("note {note}"))?;
    }
    Ok(())
}

const NOTES: [&str; 6] = [
    "counted: from the first call to the last byte, with table and list reused from batch to batch; \
     what reading the counters costs is taken off",
    "field_dyn, scratch and stream: into a slice behind an opaque dyn embedded_io::Write",
    "memcpy: one copy of the finished bytes, the limit; on bare metal memcpy is that of boards/",
    "NAME: names hashed at compile time, an address for each; NAME-plain: an address for each \
     occurrence",
    "breakdown: differences to batches without unshared strings, without strings, without records; \
     tables is the rest: heads, positions, ids, trailer; these four add up to in_place",
    "construction: making the batch, its texts included; not part of in_place",
];

/// Measures one workload in every shape.
#[inline(never)]
fn batch(
    workload: &Workload,
    round: u32,
    meter: &Meter,
    memory: &mut Memory,
    report: &mut Report<'_>,
) -> Result<(), Failure> {
    let &Workload { name, bytes, records, .. } = workload;
    let Memory { table, list, out, finished, arena } = memory;
    let mut page = Page::new(workload.variant, Arena::new(&mut arena[..]));
    let mut whole = false;
    let construction = meter.cost(1, || whole = workload.build(&mut page));
    if !whole {
        return Err("a workload does not fit the memory for it".into());
    }

    let finished = finished.get_mut(..bytes).ok_or("a batch does not fit the memory for it")?;
    let diff = page.diff();
    let batch = page.batch(diff.as_slice());
    let len = write_into(*table, &batch, finished).map_err(|_| "a batch was refused")?;
    verify(workload, Shape::InPlace, finished.get(..len).unwrap_or_default(), report)?;
    let mut tools = Tools { table, list: &mut list[..], finished };
    let mut in_place_reps = 1;
    for &shape in shapes::ALL.iter().cycle().skip(round as usize).take(shapes::ALL.len()) {
        let refused = |_| "a batch was refused";
        let calls = shape.calls(&mut tools, &batch, &mut out[..]).map_err(refused)?;
        out.fill(0xa5);
        let len = shape.write(&mut tools, &batch, &mut out[..]).map_err(refused)?;
        verify(workload, shape, out.get(..len).unwrap_or_default(), report)?;

        let reps = repetitions(meter, records, || shape.write(&mut tools, &batch, &mut out[..]));
        if shape == Shape::InPlace {
            in_place_reps = reps;
        }
        let cost = meter.cost(reps, || shape.write(&mut tools, &batch, &mut out[..]));
        let shape = shape.name();
        match calls {
            Some(calls) => report.line(format_args!(
                "sample {name} {shape} bytes={bytes} records={records} round={round} {cost} \
                 calls={calls}"
            ))?,
            None => report.line(format_args!(
                "sample {name} {shape} bytes={bytes} records={records} round={round} {cost}"
            ))?,
        }
    }

    let parts = Breakdown::of(&mut page, meter, in_place_reps, table, &mut out[..]).parts;
    for (part, cost) in parts.iter().chain([&("construction", construction)]) {
        report.line(format_args!("breakdown {name} in_place {part} round={round} {cost}"))?;
    }
    Ok(())
}

/// Compares what a shape wrote with the golden vector.
fn verify(
    workload: &Workload,
    shape: Shape,
    found: &[u8],
    report: &mut Report<'_>,
) -> Result<(), Failure> {
    let Workload { name, bytes, sha256, .. } = workload;
    if found.len() == *bytes && Sha256::digest(found)[..] == sha256[..] {
        return Ok(());
    }
    let (shape, len) = (shape.name(), found.len());
    report.line(format_args!("note {name} {shape}: {len} bytes that are not the golden vector"))?;
    Err("what was written is not the golden vector".into())
}

/// How many repetitions make a sample of this piece of work, which has run once.
fn repetitions<R>(meter: &Meter, records: usize, work: impl FnMut() -> R) -> u32 {
    if meter.measures_time() {
        let once = meter.cost(1, work).ns_each().unwrap_or(SAMPLE_NS).max(1);
        u32::try_from(SAMPLE_NS / once).unwrap_or(1).clamp(1, 10_000)
    } else {
        u32::try_from(SAMPLE_RECORDS / records.max(1)).unwrap_or(1).clamp(1, 100)
    }
}

/// Measures slices of records.
#[inline(never)]
fn core_rows(
    round: u32,
    meter: &Meter,
    memory: &mut Memory,
    report: &mut Report<'_>,
) -> Result<(), Failure> {
    let mut slices = flat::Slices::default();
    if !slices.build() {
        return Err("records do not fit the memory for them".into());
    }
    let out = &mut memory.out[..];
    for row in flat::ALL.iter().cycle().skip(round as usize).take(flat::ALL.len()) {
        let (name, bytes, records) = (row.name(), row.bytes(), flat::RECORDS);
        out.fill(0xa5);
        let len = row.write(&slices, out).map_err(|_| "records were refused")?;
        if len != bytes || !row.is_right(out.get(..len).unwrap_or_default()) {
            return Err("what was written are not these records".into());
        }
        let reps = repetitions(meter, records, || row.write(&slices, out));
        let cost = meter.cost(reps, || row.write(&slices, out));
        report.line(format_args!(
            "sample {CORE} {name} bytes={bytes} records={records} round={round} {cost}"
        ))?;
    }
    Ok(())
}
