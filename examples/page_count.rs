//! Updates a page a given number of times, to be counted from outside: `cargo xtask count page_count`.
//!
//! ```text
//! page_count                                       checks everything once and says so
//! page_count --list                                a line `WORKLOAD SHAPE bytes=N records=N` each
//! page_count --count                               the same, with instructions where the machine counts
//! page_count --workload W --shape S --reps N       does it N times and prints nothing
//! ```
//!
//! A workload is what changes from one rendering to the next; a shape is how far it goes: to the batch, or to
//! its bytes. A record is an update. The first is checked. That costs the same whatever N is, and so drops out
//! of the difference of two counts.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[path = "count/task.rs"]
mod task;

use core::hint::black_box;

use onewrite::page::{Content, Draft, Page};
use onewrite::render_batch::{Batch, write_into};
use onewrite::string_table::StringTable;
use onewrite_boards::{Console, Failure, entry};

use crate::task::{Task, task};

/// Rows of the table.
const ROWS: u64 = 200;
/// Frames of the table, and a few more.
const FRAMES: usize = 1216;
/// Its text that is copied.
const TEXT: usize = 6144;

type Component = fn(&mut Content<'_>, u64);

/// What changes.
struct Workload {
    name: &'static str,
    /// What is shown, which depends on how often.
    component: Component,
    /// Edits of each batch.
    edits: usize,
    /// Bytes of the second batch.
    bytes: usize,
}

const WORKLOADS: [Workload; 4] = [
    Workload { name: "page-counter", component: counter, edits: 3, bytes: 125 },
    Workload { name: "page-table-same", component: |p, _| table(p, 0, 0), edits: 0, bytes: 0 },
    Workload {
        name: "page-table-200",
        component: |p, n| table(p, n, 0),
        edits: 1002,
        bytes: 21_880,
    },
    Workload {
        name: "page-table-moved",
        component: |p, n| table(p, 0, n),
        edits: 203,
        bytes: 3_296,
    },
];

/// How far it goes.
#[derive(Clone, Copy)]
enum Shape {
    Batch,
    Bytes,
}

const SHAPES: [(Shape, &str); 2] = [(Shape::Batch, "batch"), (Shape::Bytes, "bytes")];

/// As the page of a new Blazor project has it.
fn counter(page: &mut Content<'_>, count: u64) {
    page.element("h1").text("Counter");
    page.element("p").attribute("role", "status").content(|p| {
        p.text("Current count: ");
        p.text(1000 + count);
    });
    page.element("button").attribute("class", "btn btn-primary").on("onclick", 1).text("Click me");
}

/// Rows with a key and two cells, the first `first` times moved on, with another number at each `tick`.
fn table(page: &mut Content<'_>, tick: u64, first: u64) {
    page.element("table").content(|table| {
        for row in 0..ROWS {
            let id = (row + first) % ROWS;
            table.element("tr").key(id).content(|tr| {
                tr.element("td").text(id);
                tr.element("td").text(1000 + (id + tick) % 1000);
            });
        }
    });
}

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    match task()? {
        Task::Check => {
            for workload in &WORKLOADS {
                for (shape, name) in SHAPES {
                    repeat(workload, shape, 0)?;
                    let Workload { name: of, edits, bytes, .. } = workload;
                    writeln!(console, "{of} {name}: {edits} edits, {bytes} bytes")?;
                }
            }
            Ok(())
        }
        Task::List(list) => {
            for workload in &WORKLOADS {
                for (shape, name) in SHAPES {
                    let repeat = |reps| repeat(workload, shape, reps);
                    list.line(console, [workload.name, name], [workload.bytes, 1], repeat)?;
                }
            }
            Ok(())
        }
        Task::Repeat { workload, shape, reps } => {
            let no_such = Failure::new("no such workload and shape: --list shows them", 2);
            let workload = WORKLOADS.iter().find(|w| workload == w.name);
            let shape = SHAPES.iter().find(|(_, name)| shape == *name);
            let (Some(workload), Some((shape, _))) = (workload, shape) else { return Err(no_such) };
            repeat(workload, *shape, reps)
        }
    }
}

fn repeat(workload: &Workload, shape: Shape, reps: u32) -> Result<(), Failure> {
    if workload.name == "page-counter" {
        let (page, draft) = (&mut Page::<16, 128>::new(0), &mut Draft::<16, 128>::new());
        return on(page, draft, workload, shape, reps);
    }
    let (page, draft) = (&mut Page::<FRAMES, TEXT>::new(0), &mut Draft::<FRAMES, TEXT>::new());
    on(page, draft, workload, shape, reps)
}

#[inline(never)]
fn on<const FRAMES: usize, const TEXT: usize>(
    page: &mut Page<FRAMES, TEXT>,
    draft: &mut Draft<FRAMES, TEXT>,
    workload: &Workload,
    shape: Shape,
    reps: u32,
) -> Result<(), Failure> {
    let mut table = StringTable::<16>::new();
    #[allow(clippy::large_stack_arrays, reason = "the smallest stack that it runs on has 2 MiB")]
    let mut out = [0xa5; 48 << 10];
    let mut first = true;
    for count in 0..3 {
        let send = |batch: &Batch<'_>| {
            let len = write_into(&mut table, batch, &mut out)?;
            Ok::<_, onewrite::render_batch::BatchError>((
                batch.diffs.first().map(|d| d.edits.len()),
                len,
            ))
        };
        let sent = page.update(draft, |p| (workload.component)(p, count), send);
        let (edits, bytes) = sent.map_err(|_| "the page was refused")?.unwrap_or((Some(0), 0));
        if !first && (edits, bytes) != (Some(workload.edits), workload.bytes) {
            return Err("the edits are other ones".into());
        }
        first = false;
    }
    // Nothing of this is known behind here, so that little but the update is counted.
    let (page, draft, component) = black_box((page, draft, workload.component));
    for count in 3..3 + u64::from(reps) {
        let sent = match shape {
            Shape::Batch => page.update(
                draft,
                |p| component(p, count),
                |batch| {
                    black_box(batch);
                    Ok(0)
                },
            ),
            Shape::Bytes => page.update(
                draft,
                |p| component(p, count),
                |batch| black_box(write_into(&mut table, batch, &mut out)),
            ),
        };
        sent.map_err(|_| "the page was refused")?;
    }
    Ok(())
}
