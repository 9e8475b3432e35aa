//! Parts of the tests that run beside everything else, in a process of their own.
//!
//! Most of their time they take no more than one core: an emulator that waits for an emulated board, or
//! one program that is optimized. Where both build for the same target, cargo lets one of them wait.
//! What they say is held back, and printed whole in its place.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use clap::ValueEnum as _;
use serde::{Deserialize, Serialize};

use super::Part;
use crate::parallel;
use crate::process::{self, Own};
use crate::progress::{Step, Tally, say};

/// The parts; of those that every change has to pass they are the last.
const PARTS: [Part; 2] = [Part::Elsewhere, Part::Vm];

/// What tests came to, as one process tells it another.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Results {
    pub(super) steps: Vec<Step>,
    pub(super) total: Tally,
}

impl Results {
    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let text = serde_json::to_vec(self)?;
        std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
    }

    /// Reads what ran beside us.
    fn read(file: &Path) -> Result<Self> {
        let mut results: Self = serde_json::from_slice(&std::fs::read(file)?)?;
        ensure!(!results.steps.is_empty(), "no part ran");
        results.steps.iter_mut().for_each(|step| step.beside = true);
        Ok(results)
    }
}

/// The parts, running.
pub(crate) struct Beside {
    process: Own,
    results: tempfile::TempPath,
}

impl Beside {
    /// Starts them, where there is a core for them. What they need has been set up: they cannot ask.
    pub(crate) fn start(yes: bool) -> Option<Self> {
        if parallel::cores() < 2 {
            return None;
        }
        let names = PARTS.map(name).join(",");
        match Self::try_start(&names, yes) {
            Ok(beside) => {
                say(format_args!("testing beside what follows: {names}"));
                Some(beside)
            }
            Err(error) => {
                say(format_args!("nothing is tested beside what follows: {error:#}"));
                None
            }
        }
    }

    fn try_start(names: &str, yes: bool) -> Result<Self> {
        let results = tempfile::NamedTempFile::new()?.into_temp_path();
        let words = ["test", "--only", names, "--results"].map(OsStr::new);
        let asked: &[&OsStr] = if yes { &[OsStr::new("--yes")] } else { &[] };
        let process = Own::start(&[asked, &words, &[results.as_os_str()]].concat())?;
        Ok(Self { process, results })
    }

    /// Whether it runs this part.
    pub(super) fn has(part: Part) -> bool {
        PARTS.contains(&part)
    }

    /// Waits for them, and prints what they said.
    pub(super) fn finish(self) -> Results {
        say("== what ran beside the others");
        let Self { process, results } = self;
        let read = || -> Result<Results> {
            let (status, said) = process.finish()?;
            print!("{said}");
            Results::read(&results).with_context(|| process::ended(status))
        };
        read().unwrap_or_else(|error| Results {
            steps: vec![Step {
                name: PARTS.map(name).join(","),
                time: Duration::ZERO,
                result: Err(format!("{error:#}")),
                skipped: false,
                beside: true,
            }],
            total: Tally::one(false),
        })
    }
}

/// What a part is called on the command line.
fn name(part: Part) -> String {
    part.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::missing::Missing;
    use crate::progress;
    use crate::test::USUAL;

    #[test]
    fn parts_that_run_beside_the_others_are_the_last_of_them() {
        let (others, last) = USUAL.split_at(USUAL.len() - PARTS.len());
        assert_eq!(last, PARTS);
        assert!(!others.iter().any(|&part| Beside::has(part)));
        assert_eq!(PARTS.map(name), ["elsewhere", "vm"]);
    }

    #[test]
    fn a_process_that_tells_nothing_is_one_step_that_failed() {
        let results = tempfile::NamedTempFile::new().unwrap().into_temp_path();
        // These tests themselves, of which none has that name: they end well.
        let process = Own::start(&["--exact", "nothing"].map(OsStr::new)).unwrap();
        let Results { steps, total } = Beside { process, results }.finish();
        assert_eq!(total, Tally::one(false));
        assert_eq!(steps.len(), 1);
        assert!(steps.iter().all(|step| step.result.is_err() && step.beside));
    }

    #[test]
    fn results_come_back_as_they_were_and_are_marked() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("results.json");
        assert!(Results::read(&file).is_err());
        let steps = vec![
            progress::step("a", || Ok("2 passed".into())),
            progress::step("b", || anyhow::bail!("broken\nmore")),
            progress::step("c", || Err(Missing("no emulator".to_owned()).into())),
        ];
        let total = Tally { passed: 2, failed: 1, ignored: 1 };
        Results { steps: steps.clone(), total }.write(&file).unwrap();
        let read = Results::read(&file).unwrap();
        let marked = steps.into_iter().map(|step| Step { beside: true, ..step });
        assert_eq!((read.steps, read.total), (marked.collect(), total));
        // A process that ended early has told nothing.
        Results { steps: Vec::new(), total: Tally::default() }.write(&file).unwrap();
        assert!(Results::read(&file).is_err());
    }
}
