//! Runs our HTTP server and other people's against each other, all on the loopback.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs};

use anyhow::{Result, bail};
use clap::Parser;

mod counts;
mod load;
mod machine;
mod report;
mod running;
mod scenario;
mod server;
mod statistics;
mod times;
mod workspace;

use machine::Environment;
use report::{Report, Skipped};
use scenario::Quantity;
use server::{COALESCED, OURS, Server};

/// The page that everybody serves.
const BODY: &str = "Hello World";
/// Its type. nghttpd sends none.
const MEDIA_TYPE: &str = "text/plain; charset=utf-8";

/// Compare processor time a request, or with `--count` instructions a request.
#[derive(Debug, Parser)]
#[command(name = "compare", after_help = HELP)]
struct Arguments {
    /// Count instructions under valgrind instead of measuring time.
    #[arg(long)]
    count: bool,
    /// Measure only these servers, besides ours.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = names())]
    only: Vec<String>,
    /// Rounds in which every server is asked once in every scenario.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Three rounds of a quarter of the requests; counts with one request in flight only.
    #[arg(long)]
    quick: bool,
    /// Decides the order within the rounds; by default another one each time.
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Another build of our server instead of the one of this checkout.
    #[arg(long, value_name = "PROGRAM")]
    ours: Option<PathBuf>,
    /// Where to write times.json and times.md, or counts.json and counts.md.
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

const HELP: &str = "\
Scenarios are a protocol and the requests in flight on each of 20 connections: h2-1, h2-32, h1-1, h1-16.
Ours is `onewrite` (a literal, /data), `onewrite-coalesced` (the same with --coalesce 500) and
`onewrite-built` (the same answer built for each request, /).
What is not installed is skipped with a message; the client, h2load, must be there, and valgrind to count.

Exit code: 0 done; 1 failed, requests of ours were lost, or a count is short of its bar; 2 wrong usage.
Bars on times are shown only: other work on the machine moves them.";

fn names() -> clap::builder::PossibleValuesParser {
    server::ALL.iter().map(|server| server.name).collect::<Vec<_>>().into()
}

/// A server that is there.
#[derive(Debug)]
struct Candidate {
    server: Server,
    program: PathBuf,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(failures) if failures.is_empty() => ExitCode::SUCCESS,
        Ok(failures) => {
            for line in failures {
                eprintln!("compare: FAILED: {line}");
            }
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("compare: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<Vec<String>> {
    let needed = ["h2load", "valgrind"];
    for program in needed.iter().take(if arguments.count { 2 } else { 1 }) {
        if server::installed(program).is_none() {
            bail!("{program} is not installed (Debian: nghttp2-client, valgrind)");
        }
    }
    let chosen = |server: &&Server| {
        let named = arguments.only.iter().any(|name| name == server.name);
        // Waiting takes no instructions: there it would be the same row twice.
        let is_base = server.name == OURS || (server.name == COALESCED && !arguments.count);
        is_base || named || (arguments.only.is_empty() && server.name != COALESCED)
    };
    let chosen: Vec<Server> = server::ALL.iter().filter(chosen).copied().collect();
    if arguments.ours.is_none() {
        workspace::build_ours()?;
    }
    if chosen.iter().any(Server::is_built_here) {
        workspace::build_peers()?;
    }
    let mut report = Report {
        quantity: if arguments.count { Quantity::Counts } else { Quantity::Times },
        arguments: env::args().skip(1).collect::<Vec<_>>().join(" "),
        environment: Environment::look(),
        versions: Vec::new(),
        rows: Vec::new(),
        skipped: Vec::new(),
    };
    let mut candidates = Vec::new();
    for server in chosen {
        let Some(program) = server.find(arguments.ours.as_deref()) else {
            if server.is_ours() {
                bail!("{} is not there", server.name);
            }
            report.skipped.push(Skipped::new(server.name, "not installed"));
            continue;
        };
        // Our second row is a page of the same program.
        if !server.is_ours() || server.name == OURS {
            report.versions.push((server.name, server.version(&program)));
        }
        candidates.push(Candidate { server, program });
    }
    let folder = Folder::new()?;
    measure(arguments, &candidates, &folder.0, &mut report)?;
    report.environment.close();
    println!("{}", report.markdown());
    let output = arguments.output.clone().unwrap_or_else(|| workspace::target().join("compare"));
    say(format_args!("written to {}", report.write(&output)?.display()));
    Ok(report.failures())
}

fn measure(
    arguments: &Arguments,
    candidates: &[Candidate],
    folder: &Path,
    report: &mut Report,
) -> Result<()> {
    if arguments.count {
        return counts::measure(candidates, arguments.quick, folder, report);
    }
    let clock = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let effort = times::Effort {
        rounds: if arguments.quick { 3 } else { arguments.rounds },
        divisor: if arguments.quick { 4 } else { 1 },
        seed: arguments.seed.unwrap_or(clock),
    };
    say(format_args!("order of the rounds: --seed {}", effort.seed));
    times::measure(candidates, effort, folder, report)
}

/// A folder for configurations and logs, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        let path = env::temp_dir().join(format!("onewrite-compare-{}", machine::own_process()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is a few small files of a temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// One line about what happens.
fn say(line: impl Display) {
    eprintln!("compare: {line}");
}
