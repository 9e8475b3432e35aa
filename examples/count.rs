//! Does one thing of the `throughput` example a given number of times, to be counted from outside:
//! `cargo xtask count`.
//!
//! ```text
//! count                                       checks everything once and says so
//! count --list                                a line `WORKLOAD SHAPE bytes=N records=N` each
//! count --count                               the same of parts, with instructions where the machine counts
//! count --workload W --shape S --reps N       does it N times and prints nothing
//! ```
//!
//! The output is compared with its golden vector before the first repetition. That costs the same
//! whatever N is, and so drops out of the difference of two counts. Bare metal has no command line:
//! it checks everything, and `count.out` is what all machines print then; an emulator may ask it for `--count`.
//! Batches and rows are left out there, as `throughput` counts them.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[path = "throughput/flat.rs"]
mod flat;
#[path = "throughput/memory.rs"]
mod memory;
#[path = "count/parts.rs"]
mod parts;
#[path = "throughput/shapes.rs"]
mod shapes;
#[path = "count/task.rs"]
mod task;
#[path = "throughput/walk.rs"]
mod walk;
#[path = "count/websocket.rs"]
mod websocket;
#[path = "throughput/workloads/mod.rs"]
mod workloads;

use core::hint::black_box;

use onewrite::render_batch::write_into;
use onewrite_boards::{Console, Failure, entry};
use sha2::{Digest as _, Sha256};

use crate::flat::Row;
use crate::memory::Memory;
use crate::parts::{Items, Part};
use crate::shapes::{Shape, Tools};
use crate::task::{List, Task, task};
use crate::workloads::{Arena, Page, Workload};

/// The workload without a protocol.
const CORE: &str = "core";

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    match task()? {
        Task::Check => check(console),
        Task::List(list) if list.counts() => count(console, list),
        Task::List(list) => all(console, list),
        Task::Repeat { workload, shape, reps } => {
            let mut memory = Memory::take().ok_or("the memory is in use")?;
            let no_such = Failure::new("no such workload and shape: --list shows them", 2);
            if workload == websocket::WORKLOAD {
                let part =
                    websocket::ALL.iter().find(|part| shape == part.name()).ok_or(no_such)?;
                return websocket_part(*part, reps, &mut memory);
            }
            if workload == CORE
                && let Some(part) = parts::ALL.iter().find(|p| shape == p.name())
            {
                return core_part(*part, reps, &mut memory);
            }
            if workload == CORE {
                let row = flat::ALL.iter().find(|row| shape == row.name()).ok_or(no_such)?;
                return core_row(*row, reps, &mut memory);
            }
            let workload = workloads::ALL.iter().find(|w| workload == w.name).ok_or(no_such)?;
            let shape = shapes::ALL.iter().find(|s| shape == s.name()).ok_or(no_such)?;
            batch(workload, *shape, reps, &mut memory)?;
            Ok(())
        }
    }
}

fn check(console: &mut Console) -> Result<(), Failure> {
    let mut memory = Memory::take().ok_or("the memory is in use")?;
    for workload in &workloads::ALL {
        let Workload { name, bytes, records, .. } = workload;
        writeln!(console, "{name}: {bytes} bytes, {records} records")?;
        for shape in shapes::ALL {
            let calls = batch(workload, shape, 0, &mut memory)?;
            let shape = shape.name();
            match calls {
                Some(1) => writeln!(console, "  {shape}: as the golden vector, in 1 call")?,
                Some(calls) => {
                    writeln!(console, "  {shape}: as the golden vector, in {calls} calls")?;
                }
                None => writeln!(console, "  {shape}: as the golden vector")?,
            }
        }
    }
    for row in flat::ALL {
        core_row(row, 0, &mut memory)?;
        writeln!(console, "{CORE} {}: {} bytes, right", row.name(), row.bytes())?;
    }
    for part in parts::ALL {
        core_part(part, 0, &mut memory)?;
        writeln!(console, "{CORE} {}: {} bytes, right", part.name(), part.bytes())?;
    }
    for part in websocket::ALL {
        websocket_part(part, 0, &mut memory)?;
        writeln!(console, "{} {}: right", websocket::WORKLOAD, part.name())?;
    }
    Ok(())
}

/// Everything; nothing of it is counted here.
fn all(console: &mut Console, list: List) -> Result<(), Failure> {
    for Workload { name, bytes, records, .. } in &workloads::ALL {
        for shape in shapes::ALL {
            list.line(console, [name, shape.name()], [*bytes, *records], |_| Ok(()))?;
        }
    }
    for row in flat::ALL {
        let size = [row.bytes(), flat::RECORDS];
        list.line(console, [CORE, row.name()], size, |_| Ok(()))?;
    }
    count(console, list)
}

/// What `throughput` does not count.
fn count(console: &mut Console, list: List) -> Result<(), Failure> {
    let mut memory = Memory::take().ok_or("the memory is in use")?;
    for part in parts::ALL {
        let size = [part.bytes(), part.records()];
        list.line(console, [CORE, part.name()], size, |reps| core_part(part, reps, &mut memory))?;
    }
    for part in websocket::ALL {
        let names = [websocket::WORKLOAD, part.name()];
        let size = [part.bytes(), part.records()];
        list.line(console, names, size, |reps| websocket_part(part, reps, &mut memory))?;
    }
    Ok(())
}

/// Checks one workload in one shape, repeats it, and returns how many calls it takes.
fn batch(
    workload: &Workload,
    shape: Shape,
    reps: u32,
    memory: &mut Memory,
) -> Result<Option<u32>, Failure> {
    let Memory { table, list, out, finished, arena } = memory;
    let mut page = Page::new(workload.variant, Arena::new(&mut arena[..]));
    if !workload.build(&mut page) {
        return Err("the workload does not fit the memory for it".into());
    }
    let diff = page.diff();
    let batch = page.batch(diff.as_slice());
    let refused = "the batch was refused";
    let len = write_into(*table, &batch, &mut finished[..]).map_err(|_| refused)?;
    let finished = finished.get(..len).unwrap_or_default();
    let mut tools = Tools { table, list: &mut list[..], finished };
    let calls = shape.calls(&mut tools, &batch, &mut out[..]).map_err(|_| refused)?;
    out.fill(0xa5);
    let len = shape.write(&mut tools, &batch, &mut out[..]).map_err(|_| refused)?;
    let found = out.get(..len).unwrap_or_default();
    if len != workload.bytes || Sha256::digest(found)[..] != workload.sha256[..] {
        return Err("what was written is not the golden vector".into());
    }
    for _ in 0..reps {
        let _ = black_box(shape.write(&mut tools, &batch, &mut out[..]));
    }
    Ok(calls)
}

fn core_row(row: Row, reps: u32, memory: &mut Memory) -> Result<(), Failure> {
    let mut slices = flat::Slices::default();
    if !slices.build() {
        return Err("records do not fit the memory for them".into());
    }
    let out = &mut memory.out[..];
    out.fill(0xa5);
    let len = row.write(&slices, out).map_err(|_| "records were refused")?;
    if len != row.bytes() || !row.is_right(out.get(..len).unwrap_or_default()) {
        return Err("what was written are not these records".into());
    }
    for _ in 0..reps {
        let _ = black_box(row.write(&slices, out));
    }
    Ok(())
}

fn core_part(part: Part, reps: u32, memory: &mut Memory) -> Result<(), Failure> {
    let mut slices = flat::Slices::default();
    if !slices.build() {
        return Err("records do not fit the memory for them".into());
    }
    let out = &mut memory.out[..];
    out.fill(0xa5);
    let repeated = part.repeat(&slices, &mut Items::new(), out, reps);
    repeated.map_err(|_| "what came out is wrong".into())
}

fn websocket_part(part: websocket::Part, reps: u32, memory: &mut Memory) -> Result<(), Failure> {
    part.repeat(&mut memory.out[..], reps).map_err(|_| "what came out is wrong".into())
}
