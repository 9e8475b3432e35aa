//! A measurement on a board with Linux, or on an emulated one.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::EXAMPLE;
use super::on::describe;
use super::protocol::{self, Report};
use crate::deploy::{self, Job};
use crate::process;
use crate::progress::say;
use crate::ssh::{Destination, Options, Session};
use crate::toolchain::{Place, Toolchain};
use crate::vm::{Machine, Vm};

/// Where the program goes, from the login folder.
const FOLDER: &str = "onewrite";
/// How often a run says how far it is.
const PACE: Duration = Duration::from_secs(5);

/// On a board.
pub(super) fn on_board(
    destination: &Destination,
    options: &Options,
    limit: Duration,
    yes: bool,
) -> Result<(Report, String)> {
    let session = Session::new(destination.clone(), options)?;
    crate::setup::ensure(&[crate::setup::Need::SshClient], yes)?;
    let program = deploy::build(EXAMPLE, yes)?;
    measure(&session, &program, limit)
}

/// On an emulated Linux that counts instructions, booted for this.
pub(super) fn on_vm(limit: Duration, yes: bool) -> Result<(Report, String)> {
    let program = deploy::build(EXAMPLE, yes)?;
    let vm = Vm::boot(Machine::Virt, true, yes)?;
    say(format_args!("ready after {:.1} s", vm.took.as_secs_f64()));
    let (mut report, release) = measure(vm.session(), &program, limit)?;
    report.append(serve(vm.session(), limit, yes)?, &[SERVER_PROGRAM]);
    let version = process::capture(Command::new("qemu-system-aarch64").arg("--version"))?;
    let version = version.lines().next().unwrap_or_default();
    report.environment.push(("emulator".to_owned(), format!("{version}, virt, -icount shift=0")));
    Ok((report, release))
}

/// Deploys an HTTP server and what loads it, and reads what a request costs the server and the
/// kernel there.
fn serve(session: &Session, limit: Duration, yes: bool) -> Result<Report> {
    let server = deploy::build(SERVER, yes)?;
    deploy::install(session, &server, FOLDER)?;
    let load = deploy::install(session, &deploy::build(LOAD, yes)?, FOLDER)?;
    let start = format!("./{SERVER}");
    let arguments = ["--report", "--quiet", "--start", &start, "--requests", REQUESTS];
    let arguments = [arguments.as_slice(), &["--slice", SLICE, "--timeout", "60000"]].concat();
    let arguments = arguments.into_iter().map(str::to_owned).collect();
    let output = load.run(session, &Job { arguments, core: None, limit }, &mut |_| {})?;
    let output = String::from_utf8_lossy(&output);
    let mut report = protocol::parse(&output)
        .with_context(|| format!("--- output\n{output}---"))
        .context("what http_load measured cannot be read")?;
    report.environment.push((SERVER_PROGRAM.to_owned(), describe(&server)?));
    Ok(report)
}

/// The server, and the program that loads it.
const SERVER: &str = "http_server";
const LOAD: &str = "http_load";
/// The fact with the server's size and hash.
const SERVER_PROGRAM: &str = "program of http_server";
/// Requests for each path over each protocol, in ten rounds: an emulator that counts is slow.
const REQUESTS: &str = "1000";
const SLICE: &str = "100";

/// Deploys, runs on one core, and reads the report.
pub(super) fn measure(
    session: &Session,
    program: &Path,
    limit: Duration,
) -> Result<(Report, String)> {
    let release = Toolchain::for_place(Place::Linux)?.release;
    let installed = deploy::install(session, program, FOLDER)?;
    // The program keeps itself on the core: a board may have no taskset.
    let core = installed.board.last_core;
    let arguments = core.map_or_else(Vec::new, |core| vec!["--core".into(), core.to_string()]);
    let job = Job { arguments, core: None, limit };
    let mut said = Instant::now();
    let output = installed.run(session, &job, &mut |child| {
        if said.elapsed() >= PACE {
            said = Instant::now();
            let lines = child.stdout().iter().filter(|&&byte| byte == b'\n').count();
            say(format_args!("{lines} lines of the report so far"));
        }
    })?;
    let output = String::from_utf8_lossy(&output);
    let mut report = protocol::parse(&output)
        .with_context(|| format!("--- output\n{output}---"))
        .context("the program's report cannot be read")?;
    report.environment.push(("program".to_owned(), describe(program)?));
    Ok((report, release))
}
