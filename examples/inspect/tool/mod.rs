//! The tool: bytes in, a report out.
#![allow(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "a program for the host; one prefix for everything reads better"
)]

mod arguments;
mod batch;
mod hex;
mod inflate;
mod kinds;
mod messages;
mod report;
mod rows;
mod schema;
mod shape;
mod time;
mod tree;

use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use clap::Parser as _;
use onewrite::error::DecodeErrorKind;
use onewrite::reader::Reader;

use self::arguments::{Arguments, Kind, Written};
use self::inflate::Inflater;
use self::kinds::{Body, Detected, Input};
use self::report::Report;
use self::schema::Schema;
use self::shape::{Shape, Walk};
use self::tree::{Name, Severity, Tree, Value};

/// The input is sound.
const SOUND: u8 = 0;
/// It is not.
const UNSOUND: u8 = 1;
/// Nothing was inspected.
const USAGE: u8 = 2;

/// Does what `arguments` ask, the first of which is the program's name; returns the exit code.
///
/// Whoever reads the report may stop at any time: then the rest is left out.
pub(crate) fn run(
    arguments: impl IntoIterator<Item = OsString>,
    stdin: &mut dyn Read,
    mut stdout: impl Write,
    mut stderr: impl Write,
) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            write!(stderr, "{error}").ok();
            return USAGE;
        }
        Err(help) => {
            write!(stdout, "{help}").ok();
            return SOUND;
        }
    };
    match inspect(&arguments, stdin) {
        Ok((report, sound)) => {
            match stdout.write_all(report.as_bytes()).and_then(|()| stdout.flush()) {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    writeln!(stderr, "inspect: standard output: {error}").ok();
                    USAGE
                }
                _ if sound => SOUND,
                _ => UNSOUND,
            }
        }
        Err(message) => {
            writeln!(stderr, "inspect: {message}").ok();
            USAGE
        }
    }
}

/// The report, and whether the input is sound; or why nothing was inspected.
fn inspect(arguments: &Arguments, stdin: &mut dyn Read) -> Result<(String, bool), String> {
    let schema = match &arguments.schema {
        Some(path) => read_schema(path, arguments)?,
        None => Schema::default(),
    };
    let (source, bytes) = read(arguments, stdin)?;

    let mut inflater = Inflater::new(arguments.max_inflated);
    let input = Input::new(&bytes, arguments.body, &mut inflater);
    let detected = match arguments.kind {
        Some(kind) => Detected { kind, fits: true, others: Vec::new() },
        None => input.detect(),
    };
    let strict = if arguments.strict { Severity::Error } else { Severity::Note };
    let mut tree = Tree::new(arguments.limits());
    let table = arguments.table.as_deref();
    match detected.kind {
        Kind::RenderBatch => batch::inspect(&mut tree, &bytes, strict),
        Kind::Bsatn => {
            let Some(ty) = schema.rows_of(table) else {
                return Err("--as bsatn takes the type from --schema FILE, and --table NAME \
                            where that has tables"
                    .to_owned());
            };
            let (name, reader) = (Name::Field("value"), Reader::new(&bytes));
            rows::row(&mut tree, &schema, ty, name, reader, Severity::Error, &bytes);
        }
        kind => {
            let mut walk = Walk::new(&mut tree, &schema, &mut inflater, strict);
            walk.set_table(table);
            messages_of(kind, &input, &mut walk);
        }
    }
    let report =
        Report { source: &source, len: bytes.len(), asked: arguments.kind, detected, tree };
    let sound = report.tree.errors == 0;
    Ok((if arguments.json { report.json() } else { report.text() }, sound))
}

/// Walks over all messages that a payload has.
fn messages_of(kind: Kind, input: &Input<'_>, walk: &mut Walk<'_>) {
    let (shape, server, several) = match kind {
        Kind::ServerV1 => (messages::SERVER_V1, true, false),
        Kind::ServerV3 => (messages::SERVER_V2, true, true),
        Kind::ClientV1 => (messages::CLIENT_V1, false, false),
        Kind::ClientV2 => (messages::CLIENT_V2, false, false),
        Kind::ClientV3 => (messages::CLIENT_V2, false, true),
        Kind::RowList => (Shape::RowList, false, false),
        _ => (messages::SERVER_V2, true, false),
    };
    let bytes = input.bytes;
    if !server {
        return payload(walk, shape, several, Reader::new(bytes), bytes);
    }
    let compression = |name: &'static str| move |_| Value::Word(name.to_owned());
    let name = Name::Field("compression");
    match &input.body {
        Body::Plain(at, body) => {
            if *at != 0 {
                walk.tree.leaf(0, name, compression("none"));
            }
            payload(walk, shape, several, Reader::starting_at(*at, body), bytes);
        }
        Body::Inflated(how, body) => {
            walk.tree.leaf(0, name, compression(how));
            walk.tree.open(1, Name::Field("inflated"), Value::Bytes(Vec::new(), body.len()));
            walk.tree.enter();
            payload(walk, shape, several, Reader::new(body), body);
            walk.tree.leave();
            walk.tree.close();
        }
        Body::NotInflated(how, refusal) => {
            walk.tree.leaf(0, name, compression(how));
            let (at, message) = (refusal.at.saturating_add(1), refusal.message.clone());
            walk.tree.complain(Severity::Error, at, message, None, bytes);
        }
        Body::None(error) => walk.tree.refuse(Severity::Error, *error, bytes),
    }
}

/// One message, or as many as there are bytes for.
fn payload(walk: &mut Walk<'_>, shape: Shape, several: bool, mut reader: Reader<'_>, space: &[u8]) {
    let mut index = 0;
    loop {
        let name = if several { Name::Index(index) } else { Name::Field("message") };
        if !walk.message(name, shape, &mut reader, space) {
            return;
        }
        if !several || reader.remaining() == 0 {
            break;
        }
        index = index.saturating_add(1);
    }
    if reader.remaining() != 0 {
        let kind = DecodeErrorKind::TrailingBytes { extra: reader.remaining() };
        walk.tree.refuse(Severity::Error, reader.error(kind), space);
    }
}

fn read_schema(path: &Path, arguments: &Arguments) -> Result<Schema, String> {
    let shown = path.display();
    let bytes = read_all(path, arguments.max_input)?;
    let text = String::from_utf8(bytes).map_err(|error| format!("{shown}: {error}"))?;
    let schema = Schema::parse(&text).map_err(|error| format!("{shown}: {error}"))?;
    match &arguments.table {
        Some(table) if schema.rows_of(Some(table)).is_none() => {
            let tables: Vec<&str> = schema.tables().collect();
            Err(format!("{shown}: no table {table:?}; there are {tables:?}"))
        }
        _ => Ok(schema),
    }
}

/// The bytes to inspect, and where they are from.
fn read(arguments: &Arguments, stdin: &mut dyn Read) -> Result<(String, Vec<u8>), String> {
    let limit = arguments.max_input;
    if let Some(digits) = &arguments.hex {
        let bytes = hex::parse(digits, limit).map_err(|error| format!("--hex: {error}"))?;
        return Ok(("--hex".to_owned(), bytes));
    }
    let path = arguments.file.as_deref().unwrap_or(Path::new("-"));
    let (source, bytes) = if path == Path::new("-") {
        ("standard input".to_owned(), read_to_end("standard input", stdin, limit)?)
    } else {
        (path.display().to_string(), read_all(path, limit)?)
    };
    let digits = match arguments.input {
        Written::Raw => false,
        Written::Hex => true,
        Written::Auto => hex::is_hex(&bytes),
    };
    if !digits {
        return Ok((source, bytes));
    }
    let text = String::from_utf8(bytes).map_err(|error| format!("{source}: {error}"))?;
    let bytes = hex::parse(&text, limit).map_err(|error| format!("{source}: {error}"))?;
    Ok((source + ", hexadecimal", bytes))
}

fn read_all(path: &Path, limit: usize) -> Result<Vec<u8>, String> {
    let shown = path.display().to_string();
    let mut file = File::open(path).map_err(|error| format!("{shown}: {error}"))?;
    read_to_end(&shown, &mut file, limit)
}

fn read_to_end(shown: &str, from: &mut dyn Read, limit: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    from.take(most).read_to_end(&mut bytes).map_err(|error| format!("{shown}: {error}"))?;
    if bytes.len() > limit {
        return Err(format!("{shown}: more than {limit} bytes: raise --max-input"));
    }
    Ok(bytes)
}
