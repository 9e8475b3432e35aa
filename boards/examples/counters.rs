//! Counts one fixed piece of work three times, and claims only what was counted.
//!
//! Case pi-05: equal numbers under QEMU with `-icount`, none without.
#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use onewrite_boards::{Console, Failure, counters, entry, label};

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let label = label();
    writeln!(console, "label: {label}")?;
    for round in 0..3 {
        let start = counters();
        work();
        let span = counters().since(start);
        writeln!(console, "round {round}")?;
        line(console, "instructions", span.instructions)?;
        line(console, "cycles", span.cycles)?;
    }
    if label.measures_time() {
        writeln!(console, "time here is speed")?;
    } else {
        writeln!(console, "emulated: time here is not speed")?;
    }
    Ok(())
}

fn line(console: &mut Console, what: &str, count: Option<u64>) -> core::fmt::Result {
    match count {
        Some(count) => writeln!(console, "  {what}: {count}"),
        None => writeln!(console, "  {what}: not counted"),
    }
}

fn work() {
    let mut sum = 0_u64;
    for number in 0..100_000 {
        sum = black_box(sum.wrapping_add(number));
    }
}
