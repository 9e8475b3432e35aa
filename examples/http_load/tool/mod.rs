//! The tool: a server under load, a table.
#![allow(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "a program for the host; one prefix for everything reads better"
)]

mod arguments;
mod connection;
mod http1;
mod http2;
mod lines;
mod load;
mod progress;
mod report;
mod server;
mod slices;
mod started;
mod statistics;
mod table;

use std::ffi::OsString;
use std::io::Write as _;
use std::net::{SocketAddr, ToSocketAddrs as _};

use clap::Parser as _;

use self::arguments::{Arguments, Protocols};
use self::connection::Protocol;
use self::lines::Lines;
use self::load::{Load, Outcome};
use self::progress::Progress;
use self::report::Report;
use self::started::Started;

/// Every response was right.
const RIGHT: u8 = 0;
/// One was not.
const WRONG: u8 = 1;
/// Nothing was measured.
const USAGE: u8 = 2;

/// Does what `arguments` ask, the first of which is the program's name; returns the exit code.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let code = if error.use_stderr() { USAGE } else { RIGHT };
            error.print().ok();
            return code;
        }
    };
    match measure(&arguments) {
        Ok(true) => RIGHT,
        Ok(false) => WRONG,
        Err(message) => {
            eprintln!("http_load: {message}");
            USAGE
        }
    }
}

/// Runs each protocol and prints its table; whether every response was right.
fn measure(arguments: &Arguments) -> Result<bool, String> {
    let started = arguments.start.as_deref().map(Started::new).transpose()?;
    let named = started.as_ref().map(|started| started.address.as_str());
    let server = named.or(arguments.server.as_deref()).unwrap_or_default();
    let address = address(server)?;
    let protocols: &[Protocol] = match arguments.protocol {
        Protocols::Both => &[Protocol::Http1, Protocol::Http2],
        Protocols::H1 => &[Protocol::Http1],
        Protocols::H2c => &[Protocol::Http2],
    };
    let paths = &arguments.paths;
    if let Some(path) = paths.iter().find(|path| !path.starts_with('/')) {
        return Err(format!("the path {path:?} does not begin with a slash"));
    }
    let times = onewrite_boards::label().measures_time();
    if arguments.json.is_some() && !times {
        return Err("an emulator's time is no measurement, so there is none to keep".to_owned());
    }
    let mut report = Report::begin();
    let mut lines = Lines::begin();
    let mut right = true;
    for &protocol in protocols {
        let load = Load {
            address,
            authority: server,
            protocol,
            paths,
            clients: arguments.clients,
            in_flight: usize::try_from(arguments.in_flight).unwrap_or(1),
            timeout: arguments.timeout(),
            server_pid: arguments.server_pid.or(started.as_ref().map(Started::pid)),
        };
        let expected = match &arguments.expect {
            Some(text) => text.clone().into_bytes(),
            None => load.first_body(paths.last().map_or("/", String::as_str))?,
        };
        let Arguments { clients, requests, in_flight, .. } = arguments;
        let title = format!(
            "{}, {clients} clients, {requests} requests, {in_flight} in flight",
            protocol.name()
        );
        let turns = slices::shuffled(paths.len(), *requests, arguments.slice, arguments.seed);
        let total = turns.iter().map(|turn| turn.requests).sum();
        let mut progress = Progress::new(&title, total, arguments.quiet);
        let outcome = load.run(&turns, &expected, &mut progress);
        drop(progress);
        let workload = format!("{} c{clients} m{in_flight}", protocol.name());
        for (path, sample) in paths.iter().zip(&outcome.samples) {
            report.add(&workload, path, sample);
        }
        lines.add(&workload, paths, &outcome.samples);
        right &= print(arguments, &title, &outcome)?;
        if !times && !arguments.report {
            say("an emulated machine: its times are no speed\n")?;
        }
    }
    if arguments.report && right {
        say(&lines.end())?;
    }
    if let Some(file) = &arguments.json {
        report.note(format!(
            "load by http_load on {server}; the rows without a word are time by requests, of all clients \
             together"
        ));
        std::fs::write(file, report.json())
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(right)
}

/// The first address of a server's name.
fn address(server: &str) -> Result<SocketAddr, String> {
    let mut addresses = server.to_socket_addrs().map_err(|error| format!("{server}: {error}"))?;
    addresses.next().ok_or_else(|| format!("{server} has no address"))
}

/// Prints a run's table, and what went wrong; whether nothing did.
fn print(arguments: &Arguments, title: &str, outcome: &Outcome) -> Result<bool, String> {
    let columns = arguments.paths.iter().zip(&outcome.samples);
    let columns: Option<Vec<_>> =
        columns.map(|(path, sample)| Some((path.clone(), sample.columns()?))).collect();
    let mut text = match columns {
        Some(columns) => table::table(title, &columns),
        None => format!("{title}\nno answer\n"),
    };
    let Outcome { wrong, lost, complaints, .. } = outcome;
    text += &format!("{wrong} wrong, {lost} lost\n");
    for complaint in complaints {
        text += &format!("  {complaint}\n");
    }
    text.push('\n');
    if arguments.report {
        eprint!("{text}");
    } else {
        say(&text)?;
    }
    // A warm-up that fails is a failure as well.
    Ok(*wrong == 0 && *lost == 0 && complaints.is_empty())
}

/// To standard output; a reader that goes away ends the program's interest, not its run.
fn say(text: &str) -> Result<(), String> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}
