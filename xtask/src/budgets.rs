//! `xtask/budgets.json`: how many instructions a workload may need.
//!
//! `at_most` may not be exceeded. `goal`, where it is smaller, is where we want to be: it is shown
//! and fails nothing.
//!
//! Compilers differ, so a budget is compared only under the compiler it was written for.

use std::fs;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::progress::say;
use crate::report::output;
use crate::workspace;

/// What register allocation may cost more without anybody having done anything.
const TOLERANCE: f64 = 0.01;

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

#[derive(Clone, Debug, PartialEq)]
struct Budget {
    place: String,
    workload: String,
    shape: String,
    per: Per,
    at_most: f64,
    goal: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
struct Budgets {
    rustc: String,
    all: Vec<Budget>,
}

/// Compares with the budgets of a place and fails where one is exceeded or has no measurement.
///
/// Returns in words how many were compared, or why none was.
pub(crate) fn check(place: &str, release: &str, rows: &[Measurement]) -> Result<String> {
    let path = workspace::root().join("xtask/budgets.json");
    let text = fs::read_to_string(&path).with_context(|| workspace::short(&path))?;
    let budgets = parse(&text).with_context(|| workspace::short(&path))?;
    let (lines, exceeded) = compare(&budgets, place, rows)?;
    output::print(&lines)?;
    if release != budgets.rustc {
        let reason = format!("not compared: rustc {release}, budgets for {}", budgets.rustc);
        say(&reason);
        return Ok(reason);
    }
    if exceeded != 0 {
        bail!("{exceeded} budgets exceeded");
    }
    Ok(format!("{} budgets kept", lines.lines().count()))
}

/// A line for each budget of the place, and how many were exceeded.
fn compare(budgets: &Budgets, place: &str, rows: &[Measurement]) -> Result<(String, usize)> {
    use std::fmt::Write as _;
    let (mut lines, mut exceeded, mut compared) = (String::new(), 0, 0);
    for budget in budgets.all.iter().filter(|budget| budget.place == place) {
        let Budget { workload, shape, at_most, .. } = budget;
        let find = |shape: &str| {
            let row = rows.iter().find(|row| row.workload == *workload && row.shape == shape);
            row.with_context(|| format!("nothing measured for {workload} {shape}"))
        };
        let row = find(shape)?;
        let (found, unit) = match budget.per {
            Per::Record => (row.per_record(), "instructions a record"),
            Per::Batch => (row.instructions, "instructions a batch"),
            Per::FieldDyn => (row.instructions / find("field_dyn")?.instructions, "of field_dyn"),
        };
        compared += 1;
        let over = found > at_most * (1.0 + TOLERANCE);
        exceeded += usize::from(over);
        let word = if over { "EXCEEDED" } else { "ok" };
        let _ = write!(lines, "{word:<8}  {workload} {shape}: {found:.2} {unit}, budget {at_most}");
        if let Some(goal) = budget.goal.filter(|goal| found > goal * (1.0 + TOLERANCE)) {
            let _ = write!(lines, ", goal {goal} not reached");
        }
        lines.push('\n');
    }
    if compared == 0 {
        bail!("no budget for {place}");
    }
    Ok((lines, exceeded))
}

fn parse(text: &str) -> Result<Budgets> {
    let value: Value = serde_json::from_str(text)?;
    let rustc = word(&value, "rustc")?;
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

    const TEXT: &str = r#"{"rustc": "1.96.0", "budgets": [
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
            |place, instructions| compare(&budgets, place, &[row(instructions)]).unwrap().1;
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
        let exceeded = |amount| compare(&budgets, "linux", &[row(amount), base.clone()]).unwrap().1;
        assert_eq!((exceeded(100.0), exceeded(110.0)), (0, 1));
        assert!(compare(&budgets, "linux", &[row(100.0)]).is_err());
    }

    #[test]
    fn a_goal_is_shown_and_fails_nothing() {
        let budgets = parse(&TEXT.replace("55", "55, \"goal\": 40")).unwrap();
        let shown = |instructions| compare(&budgets, "linux", &[row(instructions)]).unwrap();
        let (lines, exceeded) = shown(500.0);
        assert!(lines.contains("goal 40 not reached") && exceeded == 0, "{lines}");
        assert!(!shown(400.0).0.contains("goal"));
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
            r#"{"rustc": "1", "budgets": 1}"#,
            r#"{"rustc": "1", "budgets": [{}]}"#,
            r#"{"rustc": "1", "budgets": [{"place": "bare", "workload": "a", "shape": "b", "per": "day", "at_most": 1}]}"#,
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_checked_in_file_is_valid() {
        let path = workspace::root().join("xtask/budgets.json");
        parse(&fs::read_to_string(path).unwrap()).unwrap();
    }
}
