//! What the `throughput` example prints, line by line. This is the one description of it.
//!
//! ```text
//! onewrite-report 3
//! env KEY: VALUE
//! sample WORKLOAD SHAPE bytes=N records=N round=N [reps=N] COUNTS [calls=N]
//! breakdown WORKLOAD SHAPE PART round=N [reps=N] COUNTS
//! note TEXT
//! env-after KEY: VALUE
//! end OK lines=N crc32=N
//! ```
//!
//! - The first line names the format. What comes before it is somebody else's and is skipped.
//! - `env` states a fact about machine and build before the measurement (`env label: qemu-icount`
//!   has to be among them), `env-after` one that may have moved, such as the clock.
//! - `sample` is one round of one workload in one shape: `bytes` and `records` of the output of
//!   one repetition, and what `reps` repetitions (1 where it is missing) cost altogether. `calls`
//!   is the number of sink calls of one repetition. Rounds are interleaved: every shape once, then
//!   every shape again.
//! - `breakdown` splits a shape into named parts, in the same units.
//! - `note` is shown under the table as it is.
//! - `end OK lines=N crc32=N` is the last line. `lines` counts those from the first one to the one
//!   before it, so that a log that lost lines is not taken for a whole one; `crc32` is the CRC-32 of
//!   zlib over them, each with its line feed, in decimal: a serial line has no other check, and a
//!   digit that was changed on the way is a digit. A run that fails says `end FAILED REASON`.
//!
//! COUNTS is what the machine measures of these, at least one, for all repetitions together:
//!
//! | field | counts |
//! |---|---|
//! | `instructions=N` | instructions retired |
//! | `cycles=N` | clock cycles of the core |
//! | `ns=N` | nanoseconds |
//! | `l1d_refills=N` | lines brought into the first-level data cache |
//! | `l2_refills=N` | lines brought into the second-level cache |
//! | `branch_misses=N` | branches predicted wrongly or not at all |
//! | `bus_accesses=N` | accesses to the bus behind the caches |
//!
//! All rounds of a shape have the same ones. The one exception: where the counters were shared with
//! another program, as `env-after shared readings: N of M` says with an N that is not 0, rounds may
//! lack counts. Such a run is unfit (`fitness.rs`).
//!
//! Words have no spaces in them; `KEY` has no colon. Other lines are errors. Version 1 had no
//! counts of caches, branches and the bus, versions 1 and 2 had no checksum; they are still read.

use anyhow::{Context as _, Result, bail};
use crc::{CRC_32_ISO_HDLC, Crc, Digest};

use super::fitness;

/// The versions this program reads, the one that the example prints last.
const VERSIONS: [&str; 3] = ["1", "2", "3"];
/// Those that may end without a checksum.
const UNCHECKED: [&str; 2] = ["1", "2"];
const HEADER: &str = "onewrite-report";

/// What one round of something cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Repetitions in the round.
    pub(crate) reps: u64,
    /// Instructions of all repetitions.
    pub(crate) instructions: Option<u64>,
    /// Clock cycles of all repetitions.
    pub(crate) cycles: Option<u64>,
    /// Nanoseconds of all repetitions.
    pub(crate) ns: Option<u64>,
    /// Lines that all repetitions brought into the first-level data cache.
    pub(crate) l1d_refills: Option<u64>,
    /// Lines that all repetitions brought into the second-level cache.
    pub(crate) l2_refills: Option<u64>,
    /// Branches of all repetitions that were predicted wrongly or not at all.
    pub(crate) branch_misses: Option<u64>,
    /// Accesses of all repetitions to the bus behind the caches.
    pub(crate) bus_accesses: Option<u64>,
}

impl Cost {
    /// Which quantities there are, in the order of the fields.
    fn measured(self) -> [bool; 7] {
        let Self { instructions, cycles, ns, l1d_refills, l2_refills, .. } = self;
        let (branch_misses, bus_accesses) = (self.branch_misses, self.bus_accesses);
        [instructions, cycles, ns, l1d_refills, l2_refills, branch_misses, bus_accesses]
            .map(|count| count.is_some())
    }
}

/// A `sample` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) workload: String,
    pub(crate) shape: String,
    pub(crate) bytes: u64,
    pub(crate) records: u64,
    pub(crate) calls: Option<u64>,
    pub(crate) cost: Cost,
}

/// A `breakdown` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) workload: String,
    pub(crate) shape: String,
    pub(crate) part: String,
    pub(crate) cost: Cost,
}

/// A whole report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) environment_after: Vec<(String, String)>,
    pub(crate) samples: Vec<Sample>,
    pub(crate) parts: Vec<Part>,
    pub(crate) notes: Vec<String>,
}

impl Report {
    /// The value of a fact from before the measurement.
    pub(crate) fn fact(&self, key: &str) -> Option<&str> {
        self.environment.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

impl Report {
    /// Adds what another program has measured in the same place, and of its facts these.
    pub(crate) fn append(&mut self, other: Self, facts: &[&str]) {
        let added = other.environment.into_iter();
        self.environment.extend(added.filter(|(name, _)| facts.contains(&name.as_str())));
        // What may have moved has moved until the end of all.
        self.environment_after = other.environment_after;
        self.samples.extend(other.samples);
        self.parts.extend(other.parts);
        self.notes.extend(other.notes);
    }
}

/// Whether a report begins anywhere in the text.
pub(crate) fn is_begun(text: &str) -> bool {
    text.lines().any(|line| line.starts_with(HEADER))
}

/// Reads the text of a console.
pub(crate) fn parse(text: &str) -> Result<Report> {
    let mut lines = text.lines().enumerate();
    let first = lines.by_ref().find(|(_, line)| line.starts_with(HEADER));
    let (_, first) = first.context("no report: the program said nothing that begins one")?;
    let version = first.strip_prefix(HEADER).unwrap_or_default().trim();
    if !VERSIONS.contains(&version) {
        let known = VERSIONS.join(", ");
        bail!("the report has version {version:?}, this program reads versions {known}");
    }
    let mut report = Report::default();
    let mut sum = Sum::default();
    sum.add(first);
    for (index, line) in lines {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "end" {
            finish(rest, &sum, UNCHECKED.contains(&version))?;
            return check(report);
        }
        sum.add(line);
        read_line(&mut report, word, rest)
            .with_context(|| format!("line {}: {line:?}", index + 1))?;
    }
    bail!("the report ends in the middle, after {} lines", sum.lines)
}

/// The CRC-32 of zlib and Ethernet.
const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// What the last line says of those before it.
pub(super) struct Sum {
    pub(super) lines: u64,
    crc: Digest<'static, u32>,
}

impl Default for Sum {
    fn default() -> Self {
        static CODE: Crc<u32> = CRC;
        Self { lines: 0, crc: CODE.digest() }
    }
}

impl Sum {
    pub(super) fn add(&mut self, line: &str) {
        self.lines += 1;
        self.crc.update(line.as_bytes());
        self.crc.update(b"\n");
    }

    /// The whole last line.
    #[cfg(test)]
    pub(super) fn end(&self) -> String {
        format!("end OK lines={} crc32={}", self.lines, self.crc.clone().finalize())
    }
}

fn read_line(report: &mut Report, word: &str, rest: &str) -> Result<()> {
    match word {
        "env" => report.environment.push(fact(rest)?),
        "env-after" => report.environment_after.push(fact(rest)?),
        "sample" => report.samples.push(sample(rest)?),
        "breakdown" => report.parts.push(part(rest)?),
        "note" => report.notes.push(rest.to_owned()),
        _ => bail!("no such line in a report"),
    }
    Ok(())
}

fn finish(rest: &str, sum: &Sum, unchecked: bool) -> Result<()> {
    let Some(rest) = rest.strip_prefix("OK ") else {
        let reason = rest.strip_prefix("FAILED").unwrap_or(rest).trim();
        bail!("the program reports that it failed: {reason}");
    };
    let mut fields = Fields::new(rest);
    let broken = "the end of the report is broken";
    let lines = fields.number("lines").context(broken)?.context(broken)?;
    let crc = fields.number("crc32").context(broken)?;
    fields.end().context(broken)?;
    let count = sum.lines;
    if let Some(lost @ 1..) = lines.checked_sub(count) {
        bail!("the report has {count} lines and says it had {lines}: {lost} lost on the way");
    }
    if lines != count {
        bail!("the report has {count} lines and says it had {lines}: some are not its own");
    }
    let own = u64::from(sum.crc.clone().finalize());
    match crc {
        Some(crc) if crc != own => {
            bail!(
                "the report says that its checksum is {crc}, but it is {own}: something in it was changed on the way"
            )
        }
        None if !unchecked => bail!("{broken}: it has no checksum"),
        _ => Ok(()),
    }
}

/// What holds for a report as a whole.
fn check(report: Report) -> Result<Report> {
    if report.fact("label").is_none() {
        bail!("the report has no label: no line `env label: …`");
    }
    if report.samples.is_empty() {
        bail!("the report has no sample");
    }
    let shared = fitness::shared_readings(&report.environment_after) != 0;
    for sample in &report.samples {
        let Sample { workload, shape, .. } = sample;
        let first = report.samples.iter().find(|s| s.workload == *workload && s.shape == *shape);
        let same = first.is_none_or(|first| {
            (first.bytes, first.records, first.calls)
                == (sample.bytes, sample.records, sample.calls)
                && first.cost.ns.is_some() == sample.cost.ns.is_some()
                && (shared || first.cost.measured() == sample.cost.measured())
        });
        if !same {
            bail!("the rounds of {workload} {shape} do not measure the same thing");
        }
    }
    Ok(report)
}

fn fact(rest: &str) -> Result<(String, String)> {
    let (key, value) = rest.split_once(':').context("no KEY: VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

fn sample(rest: &str) -> Result<Sample> {
    let mut fields = Fields::new(rest);
    let sample = Sample {
        workload: fields.word()?,
        shape: fields.word()?,
        bytes: fields.number("bytes")?.context("no bytes=")?,
        records: fields.number("records")?.context("no records=")?,
        calls: fields.number("calls")?,
        cost: fields.cost()?,
    };
    fields.end()?;
    Ok(sample)
}

fn part(rest: &str) -> Result<Part> {
    let mut fields = Fields::new(rest);
    let (workload, shape, part) = (fields.word()?, fields.word()?, fields.word()?);
    let cost = fields.cost()?;
    fields.end()?;
    Ok(Part { workload, shape, part, cost })
}

/// The words of a line that have not been used yet.
struct Fields<'a>(Vec<&'a str>);

impl<'a> Fields<'a> {
    fn new(rest: &'a str) -> Self {
        Self(rest.split_whitespace().collect())
    }

    /// The next word that is a name.
    fn word(&mut self) -> Result<String> {
        match self.0.first() {
            Some(word) if !word.contains('=') => Ok(self.0.remove(0).to_owned()),
            _ => bail!("a name is missing"),
        }
    }

    /// The value of `name=N`, if it is there.
    fn number(&mut self, name: &str) -> Result<Option<u64>> {
        let is_it = |word: &&str| word.split_once('=').is_some_and(|(key, _)| key == name);
        let Some(at) = self.0.iter().position(is_it) else { return Ok(None) };
        let word = self.0.remove(at);
        let (_, value) = word.split_once('=').unwrap_or_default();
        Ok(Some(value.parse().with_context(|| format!("{word} has no number"))?))
    }

    fn cost(&mut self) -> Result<Cost> {
        self.number("round")?.context("no round=")?;
        let reps = self.number("reps")?.unwrap_or(1);
        if reps == 0 {
            bail!("no repetition");
        }
        let cost = Cost {
            reps,
            instructions: self.number("instructions")?,
            cycles: self.number("cycles")?,
            ns: self.number("ns")?,
            l1d_refills: self.number("l1d_refills")?,
            l2_refills: self.number("l2_refills")?,
            branch_misses: self.number("branch_misses")?,
            bus_accesses: self.number("bus_accesses")?,
        };
        if !cost.measured().contains(&true) {
            bail!("nothing was measured");
        }
        Ok(cost)
    }

    /// Nothing may be left: a misspelt name would be lost silently.
    fn end(self) -> Result<()> {
        match self.0.first() {
            None => Ok(()),
            Some(word) => bail!("{word} means nothing here, or stands there twice"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::*;

    const TEXT: &str = "boot noise\nonewrite-report 2\nenv label: qemu-icount\nenv opt level: 3\n\
        sample t in_place bytes=244 records=8 round=0 reps=2 instructions=1600 calls=1\n\
        breakdown t in_place strings round=0 instructions=300\n\
        note table: 42 KiB\nenv-after clock: 1 GHz\nend OK lines=7\n";

    fn failure(text: &str) -> String {
        format!("{:#}", parse(text).unwrap_err())
    }

    #[test]
    fn a_whole_report_is_read() {
        let report = parse(TEXT).unwrap();
        assert_eq!(report.fact("label"), Some("qemu-icount"));
        assert_eq!(report.fact("opt level"), Some("3"));
        let cost = Cost { reps: 2, instructions: Some(1600), ..Cost::default() };
        assert_eq!(report.samples[0].cost, cost);
        assert_eq!((report.samples[0].bytes, report.samples[0].records), (244, 8));
        assert_eq!(report.samples[0].calls, Some(1));
        assert_eq!((report.parts[0].part.as_str(), report.parts[0].cost.reps), ("strings", 1));
        assert_eq!(report.notes, ["table: 42 KiB"]);
        assert_eq!(report.environment_after, [("clock".to_owned(), "1 GHz".to_owned())]);
    }

    #[test]
    fn every_truncation_is_an_error() {
        let whole = TEXT.trim_end().len();
        for end in 0..whole {
            // A number cut short at the very end still has to be noticed.
            assert!(parse(&TEXT[..end]).is_err(), "{:?}", &TEXT[..end]);
        }
    }

    #[test]
    fn a_lost_line_is_noticed() {
        let lost = TEXT.replace("note table: 42 KiB\n", "");
        assert!(failure(&lost).contains("6 lines and says it had 7: 1 lost"), "{}", failure(&lost));
    }

    /// The same as version 3, with a checksum.
    fn checked() -> String {
        let text = TEXT.replace("report 2", "report 3");
        let (mut sum, mut checked) = (Sum::default(), String::new());
        for line in text.lines().filter(|line| !line.starts_with("end")) {
            if line != "boot noise" {
                sum.add(line);
            }
            checked += &format!("{line}\n");
        }
        checked + &sum.end() + "\n"
    }

    #[test]
    fn a_digit_that_was_changed_on_the_way_is_noticed() {
        let checked = checked();
        assert!(checked.ends_with("end OK lines=7 crc32=398716430\n"), "{checked}");
        assert_eq!(parse(&checked).unwrap(), parse(TEXT).unwrap());
        let error = failure(&checked.replace("instructions=1600", "instructions=1700"));
        assert!(error.contains("changed on the way"), "{error}");
        // Each bit of it, wherever it stands.
        let start = checked.find(HEADER).unwrap();
        for at in start..checked.len() - 1 {
            for bit in 0..7 {
                let mut bytes = checked.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let text = String::from_utf8(bytes).unwrap();
                assert!(parse(&text).is_err(), "{text}");
            }
        }
    }

    #[test]
    fn a_report_that_should_have_a_checksum_has_one() {
        let bare = TEXT.replace("report 2", "report 3");
        assert!(failure(&bare).contains("no checksum"), "{}", failure(&bare));
        let twice = checked().replace("crc32=", "crc32=1 crc32=");
        assert!(failure(&twice).contains("end of the report is broken"), "{}", failure(&twice));
    }

    #[test]
    fn another_version_is_refused() {
        for version in ["0", "4", "", "2x"] {
            let other = TEXT.replace("report 2", &format!("report {version}"));
            let wanted = format!("version {version:?}, this program reads versions 1, 2, 3");
            assert!(failure(&other).contains(&wanted), "{}", failure(&other));
        }
        assert_eq!(parse(&TEXT.replace("report 2", "report 1")).unwrap(), parse(TEXT).unwrap());
    }

    #[test]
    fn every_count_is_read_into_its_field() {
        let counts = "reps=3 instructions=1 cycles=2 ns=3 l1d_refills=4 l2_refills=5 \
            branch_misses=6 bus_accesses=7";
        let report = parse(&TEXT.replace("reps=2 instructions=1600", counts)).unwrap();
        let wanted = Cost {
            reps: 3,
            instructions: Some(1),
            cycles: Some(2),
            ns: Some(3),
            l1d_refills: Some(4),
            l2_refills: Some(5),
            branch_misses: Some(6),
            bus_accesses: Some(7),
        };
        assert_eq!(report.samples[0].cost, wanted);
    }

    #[test]
    fn a_failed_run_gives_its_reason() {
        let failed = TEXT.replace("end OK lines=7", "end FAILED sha256 differs");
        assert!(failure(&failed).contains("failed: sha256 differs"));
    }

    #[test]
    fn a_bad_line_is_shown_with_its_number() {
        for (from, to, wanted) in [
            ("reps=2", "reps=x", "reps=x"),
            ("reps=2", "reps=0", "no repetition"),
            ("reps=2", "repz=2", "repz=2"),
            ("records=8", "", "no records="),
            ("round=0 reps", "reps", "no round="),
            ("sample t in_place", "sample t", "name is missing"),
            ("instructions=1600", "", "nothing was measured"),
            ("note table", "nota table", "no such line"),
        ] {
            let error = failure(&TEXT.replace(from, to));
            assert!(error.starts_with("line ") && error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn rounds_that_measure_different_things_are_refused() {
        let more = |line: &str| {
            TEXT.replace("note", &format!("{line}\nnote")).replace("lines=7", "lines=8")
        };
        let same = "sample t in_place bytes=244 records=8 round=1 instructions=800 calls=1";
        assert!(parse(&more(same)).is_ok());
        assert!(failure(&more(&same.replace("244", "243"))).contains("the same thing"));
        assert!(failure(&more(&same.replace("instructions", "ns"))).contains("the same thing"));
        let also = same.replace("instructions=800", "instructions=800 branch_misses=1");
        assert!(failure(&more(&also)).contains("the same thing"));
    }

    #[test]
    fn only_shared_counters_may_miss_a_round() {
        let lacking = |shared: &str| {
            TEXT.replace(
                "note",
                "sample t in_place bytes=244 records=8 round=1 cycles=800 calls=1\nnote",
            )
            .replace("end OK lines=7", &format!("env-after {shared}\nend OK lines=9"))
        };
        assert!(parse(&lacking("shared readings: 2 of 40")).is_ok());
        for other in ["shared readings: 0 of 40", "clock: 2 of 40"] {
            assert!(failure(&lacking(other)).contains("the same thing"), "{other}");
        }
    }

    #[test]
    fn a_report_has_a_label_and_a_sample() {
        assert!(failure("onewrite-report 1\nend OK lines=1\n").contains("no label"));
        assert!(
            failure("onewrite-report 1\nenv label: host\nend OK lines=2\n").contains("no sample")
        );
    }
}
