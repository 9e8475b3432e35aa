//! `cargo xtask test`: every test there is, on every kind of machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;

use crate::firmware::{Build, Profile};
use crate::process::End;
use crate::progress::{self, Step};
use crate::toolchain::{Place, Toolchain};
use crate::{process, qemu, setup, workspace};

/// A part of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Unit, integration, documentation and compile-fail tests on this machine.
    Host,
    /// The library's tests on aarch64 Linux, under qemu-user.
    Linux,
    /// The examples on an emulated Pi, against their expected output.
    Bare,
}

/// Every part, in order.
pub(crate) const ALL: [Part; 3] = [Part::Host, Part::Linux, Part::Bare];

/// What a part's tests came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    passed: usize,
    failed: usize,
    ignored: usize,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }

    /// Adds up every `test result:` line.
    pub(crate) fn of_output(text: &str) -> Self {
        let mut tally = Self::default();
        for line in text.lines() {
            let Some((_, counts)) = line.split_once("test result: ") else { continue };
            for count in counts.split([';', '.']) {
                let mut words = count.split_whitespace();
                let (Some(number), Some(what)) = (words.next(), words.next()) else { continue };
                let Ok(number) = number.parse::<usize>() else { continue };
                match what {
                    "passed" => tally.passed += number,
                    "failed" => tally.failed += number,
                    "ignored" => tally.ignored += number,
                    _ => {}
                }
            }
        }
        tally
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.ignored != 0 {
            write!(f, ", {} ignored", self.ignored)?;
        }
        Ok(())
    }
}

/// Runs the parts, prints the summary, and fails when a test failed or a part had none.
pub(crate) fn command(parts: &[Part], yes: bool) -> Result<()> {
    let mut total = Tally::default();
    let mut steps = Vec::new();
    for &part in parts {
        run_part(part, yes, &mut steps, &mut total);
    }
    print!("\n{}", progress::table(&steps));
    println!("{total}");
    let broken = steps.iter().filter(|step| step.result.is_err()).count();
    if broken != 0 || total.failed != 0 {
        bail!("{broken} of {} parts failed", steps.len());
    }
    Ok(())
}

fn run_part(part: Part, yes: bool, steps: &mut Vec<Step>, total: &mut Tally) {
    let mut add = |name: &str, work: &dyn Fn() -> Result<Tally>| {
        steps.push(progress::step(name, || {
            let tally = work()?;
            total.add(tally);
            judge(tally)
        }));
    };
    match part {
        Part::Host => {
            add("host: all features", &|| {
                let kinds = ["--lib", "--bins", "--tests", "--examples"];
                host(&[&["--workspace", "--all-features"], kinds.as_slice()].concat())
            });
            add("host: no features", &|| {
                host(&["--package=onewrite", "--no-default-features", "--lib", "--tests"])
            });
            add("host: documentation", &|| host(&["--workspace", "--all-features", "--doc"]));
            add("host: examples", &|| examples(Place::Host, yes));
        }
        Part::Linux => {
            add("aarch64 Linux: tests", &|| linux(yes));
            add("aarch64 Linux: examples", &|| examples(Place::Linux, yes));
        }
        Part::Bare => add("bare metal: examples", &|| examples(Place::Bare, yes)),
    }
}

/// A part passes when it has tests and none of them failed.
fn judge(tally: Tally) -> Result<String> {
    if tally.failed != 0 {
        bail!("{tally}");
    }
    if tally.passed == 0 {
        bail!("no test ran");
    }
    Ok(tally.to_string())
}

fn host(arguments: &[&str]) -> Result<Tally> {
    let toolchain = Toolchain::host()?;
    let mut command = toolchain.cargo(Place::Host, "test");
    cargo_test(command.args(arguments))
}

/// The tests of the library; those of its derive macro run in the compiler, on the host.
fn linux(yes: bool) -> Result<Tally> {
    setup::ensure(setup::needs_of(Place::Linux), yes)?;
    let toolchain = Toolchain::for_place(Place::Linux)?;
    let mut command = toolchain.cargo(Place::Linux, "test");
    for setting in EMULATED_PROFILE {
        command.args(["--config", &format!("profile.dev.{setting}")]);
    }
    cargo_test(command.args(["--package=onewrite", "--all-features", "--lib", "--tests"]))
}

/// Emulated, unoptimized code would take minutes; debug assertions and overflow checks stay on.
const EMULATED_PROFILE: [&str; 2] = ["opt-level=1", "debug=1"];

/// Runs `cargo test` to its end whatever fails, and counts.
fn cargo_test(command: &mut Command) -> Result<Tally> {
    command.arg("--no-fail-fast");
    progress::say(process::show(command));
    let (status, output) = process::tee(command)?;
    let tally = Tally::of_output(&output);
    if !status.success() && tally.failed == 0 {
        // Nothing was counted as failed: it did not compile, or a program was ended.
        process::check(command, status)?;
    }
    Ok(tally)
}

/// An example and how it has to end.
///
/// `NAME.out` beside the source is what it prints to its console on every machine;
/// `NAME.bare.out` is for an example that makes sense on bare metal only. `NAME.code` holds the
/// exit code where that is not 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Expectation {
    package: &'static str,
    example: String,
    output: PathBuf,
    code: i32,
}

/// Runs every example that has an expected output and compares.
fn examples(place: Place, yes: bool) -> Result<Tally> {
    let mut all = expectations("onewrite", &workspace::root().join("examples"), place)?;
    all.extend(expectations("onewrite-boards", &workspace::root().join("boards/examples"), place)?);
    setup::ensure(setup::needs_of(place), yes)?;
    let toolchain = Toolchain::for_place(place)?;
    let mut tally = Tally::default();
    for expectation in &all {
        match run_example(&toolchain, place, expectation) {
            Ok(()) => {
                println!("example {} ... ok", expectation.example);
                tally.passed += 1;
            }
            Err(error) => {
                println!("example {} ... FAILED\n{error:#}", expectation.example);
                tally.failed += 1;
            }
        }
    }
    Ok(tally)
}

/// The expectations in a folder that count on `place`, in order of their names.
fn expectations(package: &'static str, folder: &Path, place: Place) -> Result<Vec<Expectation>> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return Ok(found) };
    for entry in entries {
        let output = entry?.path();
        let name = output.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(stem) = name.strip_suffix(".out") else { continue };
        let example = match stem.strip_suffix(".bare") {
            Some(_) if place != Place::Bare => continue,
            Some(stem) => stem,
            None => stem,
        };
        let code = match fs::read_to_string(folder.join(format!("{example}.code"))) {
            Ok(code) => code.trim().parse().with_context(|| format!("{example}.code"))?,
            Err(_) => 0,
        };
        found.push(Expectation { package, example: example.to_owned(), output, code });
    }
    found.sort();
    Ok(found)
}

fn run_example(toolchain: &Toolchain, place: Place, expectation: &Expectation) -> Result<()> {
    let Expectation { package, example, output, code } = expectation;
    let (profile, settings) = match place {
        Place::Bare => (Profile::Release, [].as_slice()),
        Place::Linux => (Profile::Dev, EMULATED_PROFILE.as_slice()),
        Place::Host => (Profile::Dev, [].as_slice()),
    };
    let program = Build { package, example, profile, settings }.build(toolchain, place)?;
    let found = match place {
        Place::Bare => qemu::run_expecting(*code, &program, qemu::LIMIT)?.console,
        Place::Host | Place::Linux => run_hosted(&mut toolchain.program(place, &program), *code)?,
    };
    let wanted = fs::read_to_string(output)?;
    match first_difference(&wanted, &found) {
        None => Ok(()),
        Some(difference) => bail!("{}: {difference}", workspace::short(output)),
    }
}

/// Runs an example that was built and has to end with `code`; returns its standard output.
fn run_hosted(command: &mut Command, code: i32) -> Result<String> {
    let (end, stdout, stderr) = process::capture_within(command, HOSTED_LIMIT)?;
    match end {
        End::Exited(status) if status.code() == Some(code) => {
            Ok(String::from_utf8_lossy(&stdout).into_owned())
        }
        end => {
            let (stdout, stderr) =
                (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
            bail!("{}: {end:?}, not exit code {code}\n{stdout}{stderr}", process::show(command))
        }
    }
}

/// An example takes no longer than this where there is an operating system.
const HOSTED_LIMIT: Duration = Duration::from_secs(120);

/// The first line that differs, in words. A `#` stands for any number.
fn first_difference(wanted: &str, found: &str) -> Option<String> {
    let (mut wanted, mut found) = (wanted.lines(), found.lines());
    let mut number = 0;
    loop {
        number += 1;
        let (left, right) = (wanted.next(), found.next());
        let same = match (left, right) {
            (None, None) => return None,
            (Some(left), Some(right)) => matches(left, right),
            _ => false,
        };
        if !same {
            let show = |line: Option<&str>| line.map_or("nothing".to_owned(), |l| format!("{l:?}"));
            return Some(format!("line {number}: expected {}, found {}", show(left), show(right)));
        }
    }
}

/// Whether a line is as expected; each `#` takes a number, or itself.
fn matches(wanted: &str, found: &str) -> bool {
    let mut rest = found;
    for (index, piece) in wanted.split('#').enumerate() {
        if index != 0 {
            match rest.strip_prefix('#').or_else(|| after_number(rest)) {
                Some(after) => rest = after,
                None => return false,
            }
        }
        match rest.strip_prefix(piece) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.is_empty()
}

/// What follows a number: `0x` and hexadecimal digits, or digits with points and commas.
fn after_number(text: &str) -> Option<&str> {
    let after = match text.strip_prefix("0x") {
        Some(digits) => digits.trim_start_matches(|c: char| c.is_ascii_hexdigit()),
        None => text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ','),
    };
    (after.len() < text.len()).then_some(after)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn results_of_several_programs_are_added() {
        let output = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; \
            0 filtered out; finished in 0.00s\n\ntest result: FAILED. 3 passed; 4 failed; 0 ignored; \
            0 measured; 0 filtered out; finished in 1.23s\n";
        let tally = Tally::of_output(output);
        assert_eq!(tally, Tally { passed: 5, failed: 4, ignored: 1 });
        assert_eq!(tally.to_string(), "5 passed, 4 failed, 1 ignored");
    }

    #[test]
    fn a_part_without_a_test_fails() {
        assert!(judge(Tally::default()).is_err());
        assert!(judge(Tally { passed: 1, failed: 1, ignored: 0 }).is_err());
        assert_eq!(
            judge(Tally { passed: 1, failed: 0, ignored: 0 }).unwrap(),
            "1 passed, 0 failed"
        );
    }

    #[test]
    fn the_first_differing_line_is_named() {
        let difference = |wanted, found| first_difference(wanted, found).unwrap_or_default();
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(difference("a\nb\n", "a\nc\n"), "line 2: expected \"b\", found \"c\"");
        assert_eq!(difference("a\n", "a\nc\n"), "line 2: expected nothing, found \"c\"");
        assert_eq!(difference("a\nb\n", "a\n"), "line 2: expected \"b\", found nothing");
    }

    #[test]
    fn the_exit_code_of_an_example_is_compared() {
        let mut command = Command::new("sh");
        let error = run_hosted(command.args(["-c", "echo early; exit 3"]), 0).unwrap_err();
        assert!(error.to_string().ends_with("not exit code 0\nearly\n"), "{error}");
        assert_eq!(run_hosted(&mut command, 3).unwrap(), "early\n");
    }

    #[test]
    fn every_output_file_is_an_expectation() {
        let folder = std::env::temp_dir().join(format!("onewrite-out-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in
            [("b.out", ""), ("b.code", "7\n"), ("a.bare.out", ""), ("c.rs", ""), ("d.code", "1")]
        {
            fs::write(folder.join(name), text).unwrap();
        }
        let names = |place| {
            let found = expectations("onewrite", &folder, place).unwrap();
            found.into_iter().map(|found| (found.example, found.code)).collect::<Vec<_>>()
        };
        let (bare, host) = (names(Place::Bare), names(Place::Host));
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(bare, [("a".to_owned(), 0), ("b".to_owned(), 7)]);
        assert_eq!(host, [("b".to_owned(), 7)]);
    }

    #[test]
    fn a_number_sign_stands_for_a_number() {
        assert!(matches("took # ns, # calls", "took 1,234.5 ns, 7 calls"));
        assert!(matches("C# is #", "C# is 4"));
        assert!(matches("at # (ELR)", "at 0x80f00 (ELR)"));
        assert!(!matches("took # ns", "took no ns"));
        assert!(!matches("took 1 ns", "took 2 ns"));
        assert!(!matches("took # ns", "took 1 ns more"));
    }
}
