//! Instructions on bare metal, of what no `throughput` example counts there.
//!
//! The counting examples are booted once each and asked for `--count`; a line of their console is
//! `WORKLOAD SHAPE bytes=N records=N reps=N instructions=N`. The emulator counts exactly.

use anyhow::{Context as _, Result, bail};

use super::{COUNTED, Pair, parse_pair};
use crate::budgets::Measurement;
use crate::firmware::Build;
use crate::parallel;
use crate::qemu::{self, Boot};
use crate::setup;
use crate::toolchain::{Place, Toolchain};

/// The examples; the tests have built and run them anyway.
const EXAMPLES: [&str; 4] = ["count", "circuit_count", "http_count", "page_count"];

/// Builds and boots the examples, and reads what they count.
pub(crate) fn measure(yes: bool) -> Result<Vec<Measurement>> {
    setup::ensure(setup::needs_of(Place::Bare), yes)?;
    let toolchain = Toolchain::for_place(Place::Bare)?;
    Build::example("").prepare(&EXAMPLES, &toolchain, Place::Bare);
    let boot = |example: &&str| {
        let program = Build::example(example).build(&toolchain, Place::Bare)?;
        let log = qemu::run_expecting(0, Boot::Counting, &program, qemu::LIMIT)?;
        log.console.lines().map(parse).collect::<Result<Vec<_>>>().with_context(|| log.text())
    };
    let counted: Result<Vec<Vec<_>>> = parallel::map(&EXAMPLES, boot).into_iter().collect();
    Ok(counted?.into_iter().flatten().collect())
}

fn parse(line: &str) -> Result<Measurement> {
    let parts = line.split_once(" reps=").and_then(|(pair, rest)| {
        let (reps, instructions) = rest.split_once(" instructions=")?;
        Some((pair, reps.parse::<u64>().ok()?, instructions.parse::<u64>().ok()?))
    });
    let (pair, reps, instructions) = parts.with_context(|| format!("no count: {line:?}"))?;
    if reps != COUNTED || instructions == 0 {
        bail!("{line:?} is not what {COUNTED} repetitions take");
    }
    let Pair { workload, shape, bytes, records } = parse_pair(pair)?;
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    let instructions = instructions as f64 / reps as f64;
    Ok(Measurement { workload, shape, bytes, records, instructions })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_count_is_read_whole_and_is_of_as_many_repetitions_as_elsewhere() {
        let row = parse("core strings bytes=4357 records=512 reps=40 instructions=400").unwrap();
        assert_eq!((row.instructions.to_string(), row.records), ("10".to_owned(), 512));
        for line in [
            "core strings: 4357 bytes, right",
            "core strings bytes=4357 records=512",
            "core strings bytes=4357 records=512 reps=50 instructions=400",
            "core strings bytes=4357 records=512 reps=40 instructions=0",
            "core strings bytes=4357 records=512 reps=40 instructions=4 0",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
