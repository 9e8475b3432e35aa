//! The record of 20 bytes with each serializer that links without an allocator.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context as _, Result};

use super::{PEER, RECORD, TARGETS, look_at_all};

/// Ours, the one that it is compared with, and the others.
const RECORDS: [&str; 9] = [
    RECORD,
    PEER,
    "record_micropb",
    "record_minicbor",
    "record_musli",
    "record_postcard",
    "record_rkyv",
    "record_wincode",
    "record_zerocopy",
];
/// The feature that builds them.
const FEATURE: &str = "peers";

/// Bytes of a program on a machine, and how many of its symbols belong to a panic.
type Found = (u64, usize);

/// A table in Markdown: bytes of text and constants, what that is of bincode's, and symbols of panics.
pub(super) fn table(level: &str, yes: bool) -> Result<String> {
    let mut found: BTreeMap<String, [Found; TARGETS.len()]> = BTreeMap::new();
    let options = |command: &mut std::process::Command| {
        command.args(["--features", FEATURE]);
        command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level);
    };
    let rustc = look_at_all(&RECORDS, options, yes, |program, at, size, bad| {
        if let Some(cell) = found.entry(program.to_owned()).or_default().get_mut(at) {
            *cell = (size, bad.len());
        }
        Ok(())
    })?;
    text(level, &rustc, &found)
}

fn text(
    level: &str,
    rustc: &str,
    found: &BTreeMap<String, [Found; TARGETS.len()]>,
) -> Result<String> {
    let base = found.get(PEER).context("no size of the peer")?;
    let mut text = format!("rustc {rustc}, opt-level {level}, fat LTO\n\n| program |");
    for target in &TARGETS {
        let _ = write!(text, " {} | of bincode 2 | panics |", target.name);
    }
    text += "\n| --- |";
    text += &" ---: | ---: | ---: |".repeat(TARGETS.len());
    for (program, found) in found {
        let _ = write!(text, "\n| {program} |");
        for ((size, panics), (base, _)) in found.iter().zip(base) {
            #[expect(clippy::cast_precision_loss, reason = "sizes stay far below 2^53")]
            let share = *size as f64 / *base as f64;
            let _ = write!(text, " {size} | {share:.2} | {panics} |");
        }
    }
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_row_has_sizes_shares_and_panics() {
        let rows = [(RECORD, (244, 0)), (PEER, (1220, 3))];
        let found = rows.map(|(name, found)| (name.to_owned(), [found; TARGETS.len()])).into();
        let text = text("z", "1.96.0", &found).unwrap();
        assert!(text.contains("| record | 244 | 0.20 | 0 | 244 | 0.20 | 0 |"), "{text}");
        assert!(text.contains("| record_bincode | 1220 | 1.00 | 3 |"), "{text}");
    }
}
