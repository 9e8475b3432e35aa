//! The client: arguments in, lines out.
#![allow(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "a program for the host; one prefix for everything reads better"
)]

mod arguments;
mod call;
mod plain;
mod print;
mod random;
mod session;
mod state;
mod tables;
mod types;

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Read as _, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser as _;

use self::arguments::{Arguments, Compressed, QUERIES};
use self::call::Call;
use self::plain::Plain;
use self::print::Printer;
use self::session::{Ended, Session};
use self::state::State;
use self::tables::{LARGE, SMALL, Tables};
use self::types::Types;

/// It has ended as it was asked to.
const DONE: u8 = 0;
/// It could not go on, or a call has failed.
const FAILED: u8 = 1;
/// Nothing was done.
const USAGE: u8 = 2;

/// Tables of this size lie on the stack: once, and as often again as the compiler copies them while they
/// are made.
const fn stack<const N: usize>() -> usize {
    let copies = if cfg!(debug_assertions) { 16 } else { 3 };
    copies * size_of::<Tables<N>>() + (4 << 20)
}

/// The longest pause before coming back.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Does what `arguments` ask, the first of which is the program's name; returns the exit code.
///
/// Reading the arguments and the schema takes memory as it comes; behind that, nothing does.
pub(crate) fn run(
    arguments: impl IntoIterator<Item = OsString>,
    mut stdout: impl Write + Send,
    mut stderr: impl Write + Send,
) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            write!(stderr, "{error}").ok();
            return USAGE;
        }
        Err(help) => {
            write!(stdout, "{help}").ok();
            return DONE;
        }
    };
    let prepared = prepare(&arguments);
    let (types, calls, token) = match prepared {
        Ok(prepared) => prepared,
        Err(message) => {
            writeln!(stderr, "spacetimedb_client: {}", Plain(message)).ok();
            return USAGE;
        }
    };
    let small =
        usize::try_from(arguments.capacity).is_ok_and(|rows| rows <= Tables::<SMALL>::CAPACITY);
    let stack = if small { stack::<SMALL>() } else { stack::<LARGE>() };
    let work = || {
        let mut out = BufWriter::new(&mut stdout);
        if small {
            start::<SMALL>(&arguments, &types, &calls, token, &mut out)
        } else {
            start::<LARGE>(&arguments, &types, &calls, token, &mut out)
        }
    };
    let result = thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(stack).spawn_scoped(scope, work);
        match thread {
            Ok(thread) => thread.join().unwrap_or(Err("it has panicked".to_owned())),
            Err(error) => Err(format!("there is no memory for the tables: {error}")),
        }
    });
    match result {
        Ok(code) => code,
        Err(message) => {
            writeln!(stderr, "spacetimedb_client: {}", Plain(message)).ok();
            FAILED
        }
    }
}

type Prepared = (Types, Vec<Call>, Option<String>);

fn prepare(arguments: &Arguments) -> Result<Prepared, String> {
    let lacks = match arguments.compression {
        Compressed::Gzip if !cfg!(feature = "gzip") => Some("gzip"),
        Compressed::Brotli if !cfg!(feature = "brotli") => Some("brotli"),
        _ => None,
    };
    if let Some(feature) = lacks {
        return Err(format!(
            "--compression {feature} is not built in: build with --features {feature}"
        ));
    }
    if arguments.queries.len() > QUERIES {
        return Err(format!("more than {QUERIES} of --query"));
    }
    let types = match &arguments.schema {
        Some(path) => Types::read(path)?,
        None => Types::default(),
    };
    let calls = arguments.calls().map(|(reducer, args)| Call::new(reducer, args, &types));
    let calls = calls.collect::<Result<Vec<_>, _>>()?;
    let token = match &arguments.token {
        Some(path) if path.exists() => Some(read(path)?.trim().to_owned()),
        _ => None,
    };
    Ok((types, calls, token))
}

/// The longest schema or token.
const LONGEST_FILE: u64 = 16 << 20;

/// A text file, whole.
fn read(path: &Path) -> Result<String, String> {
    let mut text = String::new();
    let file = File::open(path);
    let len = file.and_then(|file| file.take(LONGEST_FILE + 1).read_to_string(&mut text));
    match len {
        Ok(_) if text.len() as u64 > LONGEST_FILE => {
            Err(format!("{}: more than {LONGEST_FILE} bytes", path.display()))
        }
        Ok(_) => Ok(text),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

/// Makes the tables, on a stack that only this size of them is for.
#[inline(never)]
fn start<const N: usize>(
    arguments: &Arguments,
    types: &Types,
    calls: &[Call],
    token: Option<String>,
    out: &mut dyn Write,
) -> Result<u8, String> {
    let printer = Printer::new(out, arguments.json, types.types());
    let mut tables = Tables::<N>::new();
    serve(State::new(arguments, types, calls, token, printer, &mut tables))
}

/// Connects, and comes back as long as it is asked to.
fn serve<const N: usize>(mut state: State<'_, N>) -> Result<u8, String> {
    let arguments = state.arguments;
    let end = arguments.limit().map(|limit| Instant::now() + limit);
    let mut memory = session::Memory::new(arguments);
    let mut failures: u32 = 0;
    loop {
        let ended = Session::run(&mut state, &mut memory, end);
        if state.take_subscribed() {
            failures = 0;
        }
        state.end_of_connection();
        let trouble = match ended {
            Ended::Done => break,
            Ended::Lost(trouble) => trouble,
            Ended::Refused(trouble) => {
                state.finish();
                return Err(trouble.to_string());
            }
        };
        failures += 1;
        if arguments.reconnect.is_none_or(|most| failures > most) {
            state.finish();
            return Err(trouble.to_string());
        }
        let pause = pause(arguments.backoff(), failures, state.random.next());
        state
            .printer
            .note("lost", format_args!("{trouble}; comes back in {} ms", pause.as_millis()));
        state.printer.flush();
        if state.printer.failure().is_some() {
            break;
        }
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        thread::sleep(left.map_or(pause, |left| left.min(pause)));
        if left.is_some_and(|left| left <= pause) {
            break;
        }
    }
    let all_well = state.finish();
    match state.printer.failure() {
        // Whoever reads may stop at any time.
        None | Some(ErrorKind::BrokenPipe) => Ok(if all_well { DONE } else { FAILED }),
        Some(kind) => Err(format!("standard output: {kind}")),
    }
}

/// The pause after so many failures in a row: doubled each time, and of it between a half and all, so that
/// clients that lost the same server do not come back together.
fn pause(first: Duration, failures: u32, random: u64) -> Duration {
    let doubled = first.saturating_mul(1 << (failures.saturating_sub(1)).min(16));
    let whole = doubled.min(LONGEST_PAUSE.max(first));
    let half = whole / 2;
    let spread = u64::try_from(half.as_nanos()).unwrap_or(u64::MAX);
    half + Duration::from_nanos(random.checked_rem(spread).unwrap_or(0))
}
