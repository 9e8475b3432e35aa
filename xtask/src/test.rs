//! `cargo xtask test`: the tests, on every kind of machine.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::expectation::{Expectation, expectations};
use crate::firmware::{Build, Profile};
use crate::machine::{self, MACHINES};
use crate::missing::Missing;
use crate::parallel;
use crate::process::End;
use crate::progress::{self, Step, Tally};
use crate::toolchain::{Place, Toolchain};
use crate::{capi, fuzz, process, qemu, setup, size, workspace};

mod beside;
mod card;
mod elsewhere;
#[cfg(unix)]
mod http;
mod repeats;
#[cfg(target_os = "linux")]
mod serial;
mod vm;

pub(crate) use beside::Beside;
pub(crate) use vm::zero_2w;

/// A part of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// This machine: unit, integration, documentation and compile-fail tests, and the examples.
    Host,
    /// Every decoder: what has broken one, the seeds of the fuzz targets, and damaged ones.
    Fuzz,
    /// aarch64 Linux, under qemu-user elsewhere: tests that may depend on it, and the examples.
    Linux,
    /// An emulated Pi: the examples, and what has to hold before they run.
    Bare,
    /// The way to a real Pi and back: the image of its SD card, and its serial line.
    Card,
    /// An emulated board with Linux: deployments, measurements, and links that break.
    Vm,
    /// The interface for C: header, tests under sanitizers, firmware on an emulated Pi.
    Capi,
    /// Other machines, emulated: Cortex-M0, 32-bit RISC-V, AVR, WebAssembly.
    Elsewhere,
    /// aarch64 Linux: every test of the library and every example. Not by default, since most do not
    /// depend on the processor, and each is built once more.
    EveryLinux,
    /// This machine: the tests of HTTP without the ways of `http-quick`. Not by default, since each is
    /// built once more.
    HttpPlain,
    /// Big-endian Linux, emulated: the examples, and the tests that compare bytes. Not by default,
    /// since what they depend on takes minutes to build.
    BigEndian,
}

/// What has to hold for every change, in order.
pub(crate) const USUAL: [Part; 8] = [
    Part::Host,
    Part::Fuzz,
    Part::Linux,
    Part::Bare,
    Part::Card,
    Part::Capi,
    Part::Elsewhere,
    Part::Vm,
];

/// Runs the parts, prints the summary, and fails when a test failed or a part had none.
///
/// What came out is written to the file `results`, for whoever started us beside other tests.
pub(crate) fn command(parts: &[Part], results: Option<&Path>, yes: bool) -> Result<()> {
    if results.is_some() {
        process::end_with_parent();
    }
    let (mut steps, mut total) = (Vec::new(), Tally::default());
    for &part in parts {
        run_part(part, yes, &mut steps, &mut total);
    }
    let result = summary(&steps);
    // Alone on the last line, for whoever reads only that.
    println!("{total}");
    if let Some(file) = results {
        beside::Results { steps, total }.write(file)?;
    }
    result
}

/// The same without the last line; adds to `total`. Some of the parts may run already, beside others.
pub(crate) fn run(
    parts: &[Part],
    beside: Option<Beside>,
    yes: bool,
    total: &mut Tally,
) -> Result<()> {
    let mut steps = Vec::new();
    for &part in parts.iter().filter(|&&part| beside.is_none() || !Beside::has(part)) {
        run_part(part, yes, &mut steps, total);
    }
    if let Some(beside) = beside {
        let results = beside.finish();
        steps.extend(results.steps);
        total.add(results.total);
    }
    summary(&steps)
}

/// Prints what the parts came to, and fails when one of them did not pass.
fn summary(steps: &[Step]) -> Result<()> {
    print!("\n{}", progress::table(steps));
    let skipped = steps.iter().filter(|step| step.skipped).count();
    let failed = steps.iter().filter(|step| step.result.is_err()).count() - skipped;
    match (failed, skipped) {
        (0, 0) => Ok(()),
        (failed, 0) => bail!("{failed} of {} parts failed", steps.len()),
        // What did not run has not passed.
        (0, skipped) => bail!("{skipped} of {} parts skipped", steps.len()),
        _ => bail!("{failed} of {} parts failed, {skipped} skipped", steps.len()),
    }
}

/// What a part came to, and what there is to say about it.
type Outcome = Result<(Tally, String)>;

fn run_part(part: Part, yes: bool, steps: &mut Vec<Step>, total: &mut Tally) {
    let mut add = |name: &str, work: &dyn Fn() -> Outcome| {
        steps.push(progress::step(name, || {
            let outcome = work();
            total.add(match &outcome {
                Ok((tally, _)) => *tally,
                Err(error) if error.is::<Missing>() => Tally::SKIPPED,
                // What does not even build has failed once.
                Err(_) => Tally::one(false),
            });
            let (tally, remark) = outcome?;
            judge(tally).map(|line| line + &remark)
        }));
    };
    match part {
        Part::Host => {
            add("host: all features", &|| {
                let kinds = ["--lib", "--bins", "--tests", "--examples"];
                host(&[&["--workspace", "--all-features"], kinds.as_slice()].concat())
            });
            add("host: no features", &|| host(&WITHOUT_FEATURES));
            // Where brotli's dictionary is not built in, which every other step has.
            add("host: gzip and brotli", &|| host(&WITHOUT_DICTIONARY));
            add("host: documentation", &|| host(&["--workspace", "--all-features", "--doc"]));
            add("host: examples", &|| examples(Place::Host, &|_| true, yes));
        }
        Part::Fuzz => add("host: fuzz targets", &|| cargo_test(&mut fuzz::replay()?)),
        Part::Linux => {
            add("aarch64 Linux: tests", &|| {
                let tests: Vec<String> = ON_LINUX.map(|test| format!("--test={test}")).into();
                linux(&tests, yes)
            });
            add("aarch64 Linux: examples", &|| examples(Place::Linux, &is_for_linux, yes));
        }
        Part::EveryLinux => {
            add("aarch64 Linux: every test", &|| linux(&["--tests".to_owned()], yes));
            add("aarch64 Linux: every example", &|| examples(Place::Linux, &|_| true, yes));
        }
        Part::HttpPlain => add("host: HTTP without quick ways", &|| host(&WITHOUT_QUICK)),
        Part::Bare => {
            add("bare metal: examples", &|| examples(Place::Bare, &|_| true, yes));
            add("bare metal: repeats", &|| repeats::check(yes));
            #[cfg(unix)]
            add("bare metal: HTTP over a UART", &|| http::over_the_line(yes));
            add("bare metal: flags", &|| refusal(yes));
            add("bare metal: no panic", &|| proof(yes));
        }
        Part::Vm => add("emulated Linux: deployments", &|| vm::deployments(yes)),
        Part::Capi => add("C interface", &|| capi::test(yes)),
        Part::Elsewhere => {
            // At once, since two libraries are built at a time; each machine says what it lacks.
            if let Err(error) = machine::set_up(yes) {
                progress::say(format_args!("other machines: {error:#}"));
            }
            for machine in MACHINES.iter().filter(|machine| machine.is_usual()) {
                add(&format!("elsewhere: {}", machine.name), &|| elsewhere::machine(machine, yes));
            }
        }
        Part::BigEndian => {
            for machine in MACHINES.iter().filter(|machine| !machine.is_usual()) {
                add(&format!("elsewhere: {}", machine.name), &|| elsewhere::machine(machine, yes));
                add(&format!("{}: tests", machine.name), &|| elsewhere::tests(machine, yes));
            }
        }
        Part::Card => {
            add("card: image", &|| card::image_boots(yes));
            #[cfg(target_os = "linux")]
            add("card: serial line", &|| serial::reports_arrive(yes));
        }
    }
}

/// The tests that know of features; the others see the same code as with all of them.
const WITHOUT_FEATURES: [&str; 9] = [
    "--package=onewrite",
    "--no-default-features",
    "--lib",
    "--test=render_batch",
    "--test=inspect",
    "--test=spacetimedb_live",
    "--test=spacetimedb_messages",
    "--test=record",
    "--test=sink",
];

/// The tests of HTTP, which know nothing of its quick ways.
const WITHOUT_QUICK: [&str; 9] = [
    "--package=onewrite",
    "--no-default-features",
    "--features=embedded-io-07,embedded-io-async-07",
    "--test=http_exchange",
    "--test=http_forms",
    "--test=http_h1",
    "--test=http_h2",
    "--test=http_literals",
    "--test=http_serve",
];

/// The tests that take compressed messages, with the features of a server's usual client.
const WITHOUT_DICTIONARY: [&str; 7] = [
    "--package=onewrite",
    "--no-default-features",
    "--features=derive,gzip,brotli",
    "--lib",
    "--test=spacetimedb",
    "--test=spacetimedb_connection",
    "--test=spacetimedb_live",
];

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

fn host(arguments: &[&str]) -> Outcome {
    let toolchain = Toolchain::host()?;
    let mut command = toolchain.cargo(Place::Host, "test");
    cargo_test(command.args(arguments))
}

/// What another processor, and another system below, may come to see: bytes, memory, sinks, sockets.
const ON_LINUX: [&str; 25] = [
    "bsatn",
    "bsatn_row_list",
    "circuit",
    "compression",
    "derive",
    "http_h1",
    "http_h2",
    "http_serve",
    "leb128",
    "literal",
    "multi_dictionary",
    "page",
    "reader",
    "record",
    "render_batch",
    "render_batch_reader",
    "sink",
    "sink_stream",
    "source",
    "source_stream",
    "spacetimedb",
    "spacetimedb_live",
    "std_adapters",
    "string_table",
    "websocket",
];

/// Examples of the library that are measured on a Pi's Linux, or whose bytes are looked at.
const EXAMPLES_ON_LINUX: [&str; 8] = [
    "bsatn_rows",
    "inspect",
    "live_replay",
    "record",
    "render_batch",
    "throughput",
    "throughput_bsatn",
    "websocket",
];

/// Those, and every one of the boards. The others say the same on the host and on bare metal.
fn is_for_linux(expectation: &Expectation) -> bool {
    expectation.package != "onewrite" || EXAMPLES_ON_LINUX.contains(&&*expectation.example)
}

/// Tests of the library; those of its derive macro run in the compiler, on the host.
fn linux(tests: &[String], yes: bool) -> Outcome {
    setup::ensure(setup::needs_of(Place::Linux), yes)?;
    let toolchain = Toolchain::for_place(Place::Linux)?;
    let mut command = toolchain.cargo(Place::Linux, "test");
    for setting in EMULATED_PROFILE {
        command.args(["--config", &format!("profile.dev.{setting}")]);
    }
    cargo_test(command.args(["--package=onewrite", "--all-features", "--lib"]).args(tests))
}

/// Emulated, unoptimized code would take minutes; debug assertions and overflow checks stay on. A panic
/// says its line without debug information.
///
/// Examples unwind as tests do, so that what both depend on is built once.
const EMULATED_PROFILE: [&str; 3] = ["opt-level=1", "debug=0", UNWIND];
const UNWIND: &str = "panic='unwind'";

/// Runs `cargo test` to its end whatever fails, and counts.
fn cargo_test(command: &mut Command) -> Outcome {
    command.arg("--no-fail-fast");
    progress::say(process::show(command));
    let (status, output) = process::tee(command)?;
    let tally = Tally::of_output(&output);
    if !status.success() && tally.failed == 0 {
        // Nothing was counted as failed: it did not compile, or a program was ended.
        process::check(command, status)?;
    }
    Ok((tally, String::new()))
}

/// Runs the examples that are `wanted` and compares their output.
fn examples(place: Place, wanted: &dyn Fn(&Expectation) -> bool, yes: bool) -> Outcome {
    setup::ensure(setup::needs_of(place), yes)?;
    let toolchain = Toolchain::for_place(place)?;
    let emulated = toolchain.emulates(place);
    let folder = |path| workspace::root().join(path);
    let mut all = expectations("onewrite", &folder("examples"), place, emulated)?;
    all.extend(expectations("onewrite-boards", &folder("boards/examples"), place, emulated)?);
    all.retain(|expectation| wanted(expectation));
    for package in ["onewrite", "onewrite-boards"] {
        let names = all.iter().filter(|one| one.package == package).map(|one| &*one.example);
        let names: Vec<&str> = names.collect();
        build_of(package, "", place).prepare(&names, &toolchain, place);
    }
    // Runs of one program share its image and the file for its serial line.
    let programs: Vec<&[Expectation]> = all.chunk_by(Expectation::is_of_same_program).collect();
    let results = parallel::map(&programs, |runs| {
        let results = runs.iter().map(|run| run_example(&toolchain, place, run));
        results.collect::<Vec<_>>()
    });
    let (mut tally, mut remark) = (Tally::default(), String::new());
    for (expectation, result) in all.iter().zip(results.into_iter().flatten()) {
        tally.add(Tally::one(result.is_ok()));
        let title = expectation.title();
        match result {
            Ok(()) => println!("example {title} ... ok"),
            Err(error) => println!("example {title} ... FAILED\n{error:#}"),
        }
        if expectation.is_emulators() {
            remark += &format!("; {} only as far as qemu-user allows", expectation.example);
        }
    }
    Ok((tally, remark))
}

/// Builds an example, runs it and compares its output.
fn run_example(toolchain: &Toolchain, place: Place, expectation: &Expectation) -> Result<()> {
    let Expectation { package, example, code, boot, .. } = expectation;
    let program = build_of(package, example, place).build(toolchain, place)?;
    let found = match place {
        Place::Bare => qemu::run_expecting(*code, *boot, &program, qemu::LIMIT)?.console,
        Place::Host | Place::Linux => {
            let mut command = toolchain.program(place, &program);
            run_hosted(command.args(&expectation.arguments), *code)?
        }
    };
    expectation.check(&found)
}

/// How the examples are built for a place.
fn build_of<'a>(package: &'a str, example: &'a str, place: Place) -> Build<'a> {
    let (profile, settings) = match place {
        Place::Bare => (Profile::Release, [].as_slice()),
        Place::Linux => (Profile::Dev, EMULATED_PROFILE.as_slice()),
        Place::Host => (Profile::Dev, [UNWIND].as_slice()),
    };
    Build { package, example, profile, settings }
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

/// Without the flag that allows unaligned stores the firmware does not build, and says why.
fn refusal(yes: bool) -> Outcome {
    setup::ensure(&[setup::Need::BareCompiler], yes)?;
    let mut command = Toolchain::for_place(Place::Bare)?.cargo(Place::Bare, "build");
    command.args(["--quiet", "--package=onewrite-boards", "--example=facts"]);
    command.env("CARGO_ENCODED_RUSTFLAGS", "-Ctarget-cpu=cortex-a53");
    command.stdin(Stdio::null());
    let output = command.output()?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        bail!("{}: builds without {STRICT_ALIGN_OFF}", process::show(&command));
    }
    if !complaint.contains(&format!("has to be built with {STRICT_ALIGN_OFF}")) {
        bail!("{}: does not name {STRICT_ALIGN_OFF}\n{complaint}", process::show(&command));
    }
    let remark = format!("; refuses to build without {STRICT_ALIGN_OFF}");
    Ok((Tally::one(true), remark))
}

const STRICT_ALIGN_OFF: &str = "-Ctarget-feature=-strict-align";

/// What was just run on bare metal has neither a panic nor an allocation in it.
fn proof(yes: bool) -> Outcome {
    let remark = format!("; no allocation, {}; other levels: xtask ci", size::prove_release(yes)?);
    Ok((Tally::one(true), remark))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

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
    fn the_exit_code_of_an_example_is_compared() {
        let mut command = Command::new("sh");
        let error = run_hosted(command.args(["-c", "echo early; exit 3"]), 0).unwrap_err();
        assert!(error.to_string().ends_with("not exit code 0\nearly\n"), "{error}");
        assert_eq!(run_hosted(&mut command, 3).unwrap(), "early\n");
    }
}
