//! Counts one fixed piece of work three times, and claims only what was counted.
//!
//! Case pi-05: equal numbers under QEMU with `-icount`, none without; `cargo xtask test` runs it
//! several times and compares. On bare metal the counters of 32 bits run through their end while
//! it counts, which must not show.
#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use onewrite_boards::{Console, Failure, Label, counters, entry, label};

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let label = label();
    writeln!(console, "label: {label}")?;
    // Under an operating system the first reading sets things up.
    let _ = counters();
    let mut counts = [None; 3];
    for count in &mut counts {
        let start = counters();
        work();
        let span = counters().since(start);
        *count = span.instructions;
        line(console, "instructions", span.instructions)?;
        line(console, "cycles", span.cycles)?;
    }
    if label == Label::QemuIcount {
        // The code around each span may differ by some instructions.
        let [Some(first), Some(second), Some(third)] = counts else {
            return Err("an emulator that counts did not count".into());
        };
        if first < 300_000 || first.abs_diff(second).max(first.abs_diff(third)) > 4 {
            return Err("the same work cost differently".into());
        }
        if cfg!(target_os = "none") {
            let wrapped = wrapped_span()?;
            // Other code stands around it; a wrap that shows is off by millions.
            if first.abs_diff(wrapped) > 64 {
                return Err("a span in which the counter wrapped is another one".into());
            }
            writeln!(console, "a wrap of the counter: allowed for")?;
        }
    }
    if label.measures_time() {
        writeln!(console, "time here is speed")?;
    } else {
        writeln!(console, "emulated: time here is not speed")?;
    }
    Ok(())
}

/// Works until the counter has run through its end within a span, and returns that span.
fn wrapped_span() -> Result<u64, Failure> {
    // The board starts its counters five million before the end; work is some 600,000.
    for _ in 0..20 {
        let start = counters();
        work();
        let end = counters();
        if end.instructions < start.instructions {
            return Ok(end.since(start).instructions.ok_or("the span was lost")?);
        }
    }
    Err("the counter did not wrap".into())
}

fn line(console: &mut Console, what: &str, count: Option<u64>) -> core::fmt::Result {
    match count {
        Some(count) => writeln!(console, "{what}: {count}"),
        None => writeln!(console, "{what}: not counted"),
    }
}

/// At least three instructions, 100,000 times; the same code wherever it is called.
#[inline(never)]
fn work() {
    let mut sum = 0_u64;
    for number in 0..100_000 {
        sum = black_box(sum.wrapping_add(number));
    }
}
