//! `xtask/budgets.json`: how many instructions a workload may need.
//!
//! `at_most` is what was promised and may not be exceeded. `goal`, where it is smaller, is where we
//! want to be: it is shown and fails nothing. `blessed` is what was counted when somebody last looked:
//! 3 % more fails, and 3 % less is said, so that what was gained is kept (`cargo xtask bless`).
//!
//! Compilers differ, so a budget is compared only under the compiler it was written for. One that was
//! never blessed would let everything in up to what was promised, and is an error under any.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::progress::say;
use crate::report::output;
use crate::workspace;

/// What register allocation may cost more without anybody having done anything.
const TOLERANCE: f64 = 0.01;

/// By how much a count may differ from the blessed one.
const MOVED: f64 = 0.03;

/// The instructions of one workload in one shape.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measurement {
    /// What is serialized.
    pub(crate) workload: String,
    /// How.
    pub(crate) shape: String,
    /// Bytes of output.
    pub(crate) bytes: u64,
    /// Records in it.
    pub(crate) records: u64,
    /// Instructions for all of it.
    pub(crate) instructions: f64,
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
impl Measurement {
    /// Instructions a record.
    pub(crate) fn per_record(&self) -> f64 {
        self.instructions / self.records.max(1) as f64
    }

    /// Instructions a byte.
    pub(crate) fn per_byte(&self) -> f64 {
        self.instructions / self.bytes.max(1) as f64
    }
}

/// What a budget is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Per {
    Record,
    Batch,
    /// The same workload, a field a write.
    FieldDyn,
}

impl Per {
    fn name(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Batch => "batch",
            Self::FieldDyn => FIELD_DYN,
        }
    }
}

/// The shape with a field a write, which others are compared with.
const FIELD_DYN: &str = "field_dyn";

#[derive(Clone, Debug, PartialEq)]
struct Budget {
    place: String,
    workload: String,
    shape: String,
    per: Per,
    at_most: f64,
    goal: Option<f64>,
    blessed: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
struct Budgets {
    /// The compiler of each place.
    rustc: BTreeMap<String, String>,
    all: Vec<Budget>,
}

/// How the measurements of a place compare with its budgets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Comparison {
    /// A line for each budget.
    lines: String,
    exceeded: usize,
    improved: usize,
}

/// Compares with the budgets of a place and fails where one is exceeded, has no measurement or was never
/// blessed.
///
/// Returns in words how many were compared, or why none was.
pub(crate) fn check(place: &str, release: &str, rows: &[Measurement]) -> Result<String> {
    let budgets = read()?;
    let comparison = compare(&budgets, place, rows)?;
    output::print(&comparison.lines)?;
    let verdict = verdict(&budgets, place, release, &comparison)?;
    if verdict.starts_with(NOT_COMPARED) {
        say(&verdict);
    }
    Ok(verdict)
}

/// What a comparison without any begins with.
const NOT_COMPARED: &str = "NOTHING COMPARED";

/// What came out, in words.
fn verdict(
    budgets: &Budgets,
    place: &str,
    release: &str,
    comparison: &Comparison,
) -> Result<String> {
    let Comparison { lines, exceeded, improved } = comparison;
    let unblessed = budgets.of(place).filter(|budget| budget.blessed.is_none());
    let unblessed: Vec<String> =
        unblessed.map(|budget| format!("{} {}", budget.workload, budget.shape)).collect();
    if !unblessed.is_empty() {
        bail!("never blessed (cargo xtask bless {place}): {}", unblessed.join(", "));
    }
    let written_for = budgets.rustc.get(place).map(String::as_str).unwrap_or_default();
    if release != written_for {
        return Ok(format!("{NOT_COMPARED}: rustc {release}, budgets for {written_for}"));
    }
    if *exceeded != 0 {
        bail!("{exceeded} budgets exceeded");
    }
    let kept = format!("{} budgets kept", lines.lines().count());
    if *improved == 0 {
        return Ok(kept);
    }
    Ok(format!("{kept}, {improved} of them improved: cargo xtask bless {place}"))
}

/// The workloads and shapes that the budgets of a place are about, and are compared with.
pub(crate) fn wanted(place: &str) -> Result<BTreeSet<(String, String)>> {
    let mut wanted = BTreeSet::new();
    for Budget { workload, shape, per, .. } in read()?.of(place) {
        wanted.insert((workload.clone(), shape.clone()));
        if *per == Per::FieldDyn {
            wanted.insert((workload.clone(), FIELD_DYN.to_owned()));
        }
    }
    Ok(wanted)
}

/// Keeps what was measured at a place as its blessed counts; returns in words what moved.
///
/// What was promised stays: a count above `at_most` is refused.
pub(crate) fn bless(place: &str, release: &str, rows: &[Measurement]) -> Result<String> {
    let mut budgets = read()?;
    let (mut all, mut moved) = (0, 0);
    for budget in budgets.all.iter_mut().filter(|budget| budget.place == place) {
        let found = budget.found(rows)?;
        let Budget { workload, shape, at_most, .. } = budget;
        if found > *at_most * (1.0 + TOLERANCE) {
            bail!("{workload} {shape}: {found:.2} is more than the {at_most} that were promised");
        }
        all += 1;
        moved += usize::from(budget.blessed.is_none_or(|blessed| change(found, blessed) != 0));
        // More digits would only make differences that mean nothing.
        let digits = if found < 10.0 { 1000.0 } else { 10.0 };
        budget.blessed = Some((found * digits).round() / digits);
    }
    budgets.rustc.insert(place.to_owned(), release.to_owned());
    output::write(&path(), &budgets.text())?;
    Ok(format!("{place}: {moved} of {all} counts moved by more than 3 %, or are new"))
}

/// Whether what was measured would be found by [`check`] if it stood for another shape: what a gate
/// is worth that nobody has seen closed.
///
/// # Errors
///
/// The gate would be open.
pub(crate) fn prove(place: &str, slowed: &Measurement, as_shape: &str) -> Result<()> {
    let mut budgets = read()?;
    let is_one = |budget: &Budget| {
        let Budget { workload, shape, .. } = budget;
        budget.place == place && *workload == slowed.workload && shape == as_shape
    };
    budgets.all.retain(is_one);
    let row = Measurement { shape: as_shape.to_owned(), ..slowed.clone() };
    if compare(&budgets, place, &[row])?.exceeded == 0 {
        bail!("{} passes as {as_shape}: the budgets keep nothing out", slowed.shape);
    }
    Ok(())
}

fn path() -> PathBuf {
    workspace::root().join("xtask/budgets.json")
}

fn read() -> Result<Budgets> {
    let path = path();
    let text = fs::read_to_string(&path).with_context(|| workspace::short(&path))?;
    parse(&text).with_context(|| workspace::short(&path))
}

impl Budget {
    /// What was measured, in the budget's unit.
    fn found(&self, rows: &[Measurement]) -> Result<f64> {
        let find = |shape: &str| {
            let row = rows.iter().find(|row| row.workload == self.workload && row.shape == shape);
            row.with_context(|| format!("nothing measured for {} {shape}", self.workload))
        };
        let row = find(&self.shape)?;
        Ok(match self.per {
            Per::Record => row.per_record(),
            Per::Batch => row.instructions,
            Per::FieldDyn => row.instructions / find(FIELD_DYN)?.instructions,
        })
    }
}

/// 1 where a count is above the blessed one, -1 where it is below, 0 where it is about the same.
fn change(found: f64, blessed: f64) -> i32 {
    if found > blessed * (1.0 + MOVED) {
        1
    } else if found < blessed * (1.0 - MOVED) {
        -1
    } else {
        0
    }
}

/// A line for each budget of the place, and how many were exceeded and improved.
fn compare(budgets: &Budgets, place: &str, rows: &[Measurement]) -> Result<Comparison> {
    let mut comparison = Comparison::default();
    for budget in budgets.of(place) {
        let found = budget.found(rows)?;
        let Budget { workload, shape, at_most, goal, blessed, .. } = budget;
        let unit = match budget.per {
            Per::Record => "instructions a record",
            Per::Batch => "instructions a batch",
            Per::FieldDyn => "of field_dyn",
        };
        let moved = blessed.map_or(0, |blessed| change(found, blessed));
        let over = found > at_most * (1.0 + TOLERANCE) || moved > 0;
        comparison.exceeded += usize::from(over);
        comparison.improved += usize::from(!over && moved < 0);
        let word = match moved {
            _ if over => "EXCEEDED",
            -1 => "improved",
            _ => "ok",
        };
        let lines = &mut comparison.lines;
        let _ = write!(lines, "{word:<8}  {workload} {shape}: {found:.2} {unit}, budget {at_most}");
        if let Some(blessed) = blessed.filter(|_| moved != 0) {
            let _ = write!(lines, ", blessed {blessed}");
        }
        if let Some(goal) = goal.filter(|goal| found > goal * (1.0 + TOLERANCE)) {
            let _ = write!(lines, ", goal {goal} not reached");
        }
        lines.push('\n');
    }
    if comparison.lines.is_empty() {
        bail!("no budget for {place}");
    }
    Ok(comparison)
}

impl Budgets {
    fn of(&self, place: &str) -> impl Iterator<Item = &Budget> {
        self.all.iter().filter(move |budget| budget.place == place)
    }

    /// The file: a line for each budget, so that a diff shows what moved.
    fn text(&self) -> String {
        let quoted = |text: &str| Value::from(text).to_string();
        let compilers = self.rustc.iter();
        let compilers: Vec<String> = compilers
            .map(|(place, rustc)| format!("{}: {}", quoted(place), quoted(rustc)))
            .collect();
        let mut lines = Vec::new();
        for budget in &self.all {
            let Budget { place, workload, shape, per, at_most, goal, blessed } = budget;
            let (place, workload, shape) = (quoted(place), quoted(workload), quoted(shape));
            let mut line = format!(
                "    {{\"place\": {place}, \"workload\": {workload}, \"shape\": {shape}, \
                 \"per\": \"{}\", \"at_most\": {at_most}",
                per.name()
            );
            for (name, value) in [("goal", goal), ("blessed", blessed)] {
                if let Some(value) = value {
                    let _ = write!(line, ", \"{name}\": {value}");
                }
            }
            lines.push(format!("{line}}}"));
        }
        let (compilers, lines) = (compilers.join(", "), lines.join(",\n"));
        format!("{{\n  \"rustc\": {{{compilers}}},\n  \"budgets\": [\n{lines}\n  ]\n}}\n")
    }
}

fn parse(text: &str) -> Result<Budgets> {
    let value: Value = serde_json::from_str(text)?;
    let compilers = value.get("rustc").and_then(Value::as_object).context("no compilers")?;
    let compiler = |(place, rustc): (&String, &Value)| {
        let rustc = rustc.as_str().with_context(|| format!("no compiler for {place}"))?;
        Ok((place.clone(), rustc.to_owned()))
    };
    let rustc = compilers.iter().map(compiler).collect::<Result<_>>()?;
    let list = value.get("budgets").and_then(Value::as_array).context("no list of budgets")?;
    let mut all = Vec::new();
    for entry in list {
        let per = match word(entry, "per")?.as_str() {
            "record" => Per::Record,
            "batch" => Per::Batch,
            "field_dyn" => Per::FieldDyn,
            other => bail!("per {other:?} is neither record, batch nor field_dyn"),
        };
        let at_most = entry.get("at_most").and_then(Value::as_f64).context("no number at_most")?;
        all.push(Budget {
            place: word(entry, "place")?,
            workload: word(entry, "workload")?,
            shape: word(entry, "shape")?,
            per,
            at_most,
            goal: entry.get("goal").and_then(Value::as_f64),
            blessed: entry.get("blessed").and_then(Value::as_f64),
        });
    }
    Ok(Budgets { rustc, all })
}

fn word(value: &Value, name: &str) -> Result<String> {
    let word = value.get(name).and_then(Value::as_str);
    word.map(str::to_owned).with_context(|| format!("no text {name} in {value}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    const TEXT: &str = r#"{"rustc": {"linux": "1.96.0"}, "budgets": [
        {"place": "linux", "workload": "table", "shape": "in_place", "per": "record", "at_most": 55},
        {"place": "bare", "workload": "table", "shape": "in_place", "per": "batch", "at_most": 800}
    ]}"#;

    fn row(instructions: f64) -> Measurement {
        let (workload, shape) = ("table".to_owned(), "in_place".to_owned());
        Measurement { workload, shape, bytes: 200, records: 10, instructions }
    }

    #[test]
    fn a_budget_holds_within_one_per_cent() {
        let budgets = parse(TEXT).unwrap();
        let exceeded =
            |place, instructions| compare(&budgets, place, &[row(instructions)]).unwrap().exceeded;
        assert_eq!(exceeded("linux", 555.0), 0);
        assert_eq!(exceeded("linux", 556.0), 1);
        assert_eq!(exceeded("bare", 808.0), 0);
        assert_eq!(exceeded("bare", 809.0), 1);
    }

    #[test]
    fn a_shape_is_compared_with_a_field_a_write() {
        let text = TEXT.replace("record", "field_dyn").replace("55", "0.25");
        let budgets = parse(&text).unwrap();
        let base = Measurement { shape: "field_dyn".to_owned(), ..row(400.0) };
        let exceeded =
            |amount| compare(&budgets, "linux", &[row(amount), base.clone()]).unwrap().exceeded;
        assert_eq!((exceeded(100.0), exceeded(110.0)), (0, 1));
        assert!(compare(&budgets, "linux", &[row(100.0)]).is_err());
    }

    #[test]
    fn a_goal_is_shown_and_fails_nothing() {
        let budgets = parse(&TEXT.replace("55", "55, \"goal\": 40")).unwrap();
        let shown = |instructions| compare(&budgets, "linux", &[row(instructions)]).unwrap();
        let Comparison { lines, exceeded, .. } = shown(500.0);
        assert!(lines.contains("goal 40 not reached") && exceeded == 0, "{lines}");
        assert!(!shown(400.0).lines.contains("goal"));
    }

    #[test]
    fn a_blessed_count_may_move_by_three_per_cent() {
        let budgets = parse(&TEXT.replace("55", "55, \"blessed\": 40")).unwrap();
        let found = |instructions| {
            let comparison = compare(&budgets, "linux", &[row(instructions)]).unwrap();
            (comparison.exceeded, comparison.improved)
        };
        assert_eq!(found(412.0), (0, 0));
        assert_eq!(found(413.0), (1, 0));
        assert_eq!(found(388.0), (0, 0));
        assert_eq!(found(387.0), (0, 1));
    }

    #[test]
    fn a_budget_that_was_never_blessed_fails_under_any_compiler() {
        let verdict = |text: &str, release, instructions| {
            let budgets = parse(text).unwrap();
            let comparison = compare(&budgets, "linux", &[row(instructions)]).unwrap();
            verdict(&budgets, "linux", release, &comparison).map_err(|error| error.to_string())
        };
        for release in ["1.96.0", "1.97.0"] {
            let error = verdict(TEXT, release, 400.0).unwrap_err();
            assert!(error.contains("bless linux): table in_place"), "{error}");
        }
        let text = TEXT.replace("55", "55, \"blessed\": 40");
        assert_eq!(verdict(&text, "1.96.0", 400.0).unwrap(), "1 budgets kept");
        assert!(verdict(&text, "1.96.0", 380.0).unwrap().ends_with("cargo xtask bless linux"));
        assert_eq!(verdict(&text, "1.96.0", 420.0).unwrap_err(), "1 budgets exceeded");
        // Another compiler: the line in CI's summary says that nothing was looked at.
        let said = verdict(&text, "1.97.0", 420.0).unwrap();
        assert_eq!(said, "NOTHING COMPARED: rustc 1.97.0, budgets for 1.96.0");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = TEXT.replace("55", "0.333, \"goal\": 0.3, \"blessed\": 0.271");
        let budgets = parse(&text).unwrap();
        assert_eq!(parse(&budgets.text()).unwrap(), budgets);
        assert_eq!(budgets.text().lines().count(), 7);
    }

    #[test]
    fn a_budget_without_a_measurement_fails() {
        let budgets = parse(TEXT).unwrap();
        assert!(compare(&budgets, "linux", &[]).is_err());
        assert!(compare(&budgets, "moon", &[row(1.0)]).is_err());
    }

    #[test]
    fn a_broken_file_is_refused() {
        for text in [
            "",
            "{}",
            r#"{"rustc": {}, "budgets": 1}"#,
            r#"{"rustc": {}, "budgets": [{}]}"#,
            r#"{"rustc": {}, "budgets": [{"place": "bare", "workload": "a", "shape": "b", "per": "day", "at_most": 1}]}"#,
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_checked_in_file_is_valid() {
        let path = workspace::root().join("xtask/budgets.json");
        let text = fs::read_to_string(path).unwrap();
        // Blessing changes numbers and no lines.
        let budgets = parse(&text).unwrap();
        assert_eq!(budgets.text(), text);
        for Budget { place, workload, shape, blessed, .. } in &budgets.all {
            assert!(blessed.is_some(), "{place} {workload} {shape} was never blessed");
            assert!(budgets.rustc.contains_key(place), "no compiler for {place}");
        }
    }

    /// Each hot path, by a workload and a shape that stand for it: on both of the Cortex-A53's places and
    /// on x86-64.
    const HOT_PATHS: [[&str; 2]; 17] = [
        ["core", "frames-flat"],
        ["core", "records-read"],
        ["core", "strings"],
        ["core", "interning"],
        ["core", "templates"],
        ["seed001-table-200", "in_place"],
        ["seed001-table-200", "stream"],
        ["mixed-10000", "encode/whole"],
        ["mixed-10000", "decode/whole"],
        ["u32-10000", "view"],
        ["u32-10000", "apply"],
        ["http1-browser", "plain"],
        ["http2-h2load", "plain"],
        ["counter-click", "page"],
        ["page-table-200", "bytes"],
        ["websocket", "read"],
        ["websocket", "write"],
    ];

    #[test]
    fn every_hot_path_has_a_budget_everywhere() {
        for place in ["linux", "bare", "host"] {
            let wanted = wanted(place).unwrap();
            for [workload, shape] in HOT_PATHS {
                let one = (workload.to_owned(), shape.to_owned());
                assert!(wanted.contains(&one), "{place}: {workload} {shape}");
            }
        }
    }
}
