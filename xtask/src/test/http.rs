//! HTTP over the serial line of an emulated Pi, through the relay: several clients after each other
//! and at once, and one that goes away in the middle.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use super::Outcome;
use crate::firmware::{self, Build, Profile};
use crate::process::{self, Background};
use crate::progress::Tally;
use crate::qemu::Boot;
use crate::setup;
use crate::toolchain::{Place, Toolchain};

/// The firmware that answers, and what stands between it and TCP.
const FIRMWARE: &str = "http_uart";
const RELAY: &str = "http_relay";
/// An image that has everything of the board and nothing else.
const BOARD: (&str, &str) = ("onewrite-boards", "facts");

/// Longer than anything should take where the emulator has a core of its own.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs all of it on one boot.
pub(super) fn over_the_line(yes: bool) -> Outcome {
    setup::ensure(setup::needs_of(Place::Bare), yes)?;
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let program = Build::example(FIRMWARE).build(&toolchain, Place::Bare)?;
    let image = firmware::write_image(&program)?;
    let image_bytes = image.metadata()?.len();
    let work = tempfile::tempdir()?;
    let line = work.path().join("line");
    let (mut emulator, mut relay, address) = begin(&program, &image, &line)?;
    let tests: [(&str, Test); 5] = [
        ("each protocol, several clients after each other", one_after_another),
        ("a client that goes away in the middle leaves nothing behind", cut),
        ("four clients at once", at_once),
        ("every page, and what is none", pages),
        ("curl, where it is installed", curl),
    ];
    let mut tally = Tally::default();
    for (name, test) in tests {
        let result = test(address);
        tally.add(Tally::one(result.is_ok()));
        match result {
            Ok(()) => println!("HTTP over a UART: {name} ... ok"),
            Err(error) => println!("HTTP over a UART: {name} ... FAILED\n{error:#}"),
        }
    }
    let result = end(&mut emulator, &mut relay);
    tally.add(Tally::one(result.is_ok()));
    match result {
        Ok(()) => println!("HTTP over a UART: it ends when told to ... ok"),
        Err(error) => println!("HTTP over a UART: it ends when told to ... FAILED\n{error:#}"),
    }
    let (package, example) = BOARD;
    let board = Build { package, ..Build::example(example) }.build(&toolchain, Place::Bare)?;
    let board_bytes = firmware::write_image(&board)?.metadata()?.len();
    let over = image_bytes.saturating_sub(board_bytes);
    Ok((tally, format!("; image of {image_bytes} bytes, {over} over the board's own")))
}

/// One thing that has to hold there.
type Test = fn(SocketAddr) -> Result<()>;

/// Boots the board with its line in a socket, and starts the relay.
fn begin(
    program: &Path,
    image: &Path,
    line: &Path,
) -> Result<(Background, Background, SocketAddr)> {
    // It counts no instructions: there it would answer from memory instead.
    let mut command = Boot::Uncounted.command(program, image);
    let socket = format!("socket,id=line,path={},server=on,wait=on", line.display());
    command.args(["-chardev", &socket, "-serial", "chardev:line"]).stdin(Stdio::null());
    let emulator = Background::start(&mut command)?;
    let limit = Instant::now() + PATIENCE;
    while !line.exists() {
        pause(limit, &emulator, "the emulator makes no socket")?;
    }
    let toolchain = Toolchain::host()?;
    let relay = Build { profile: Profile::Dev, ..Build::example(RELAY) };
    let relay = relay.build(&toolchain, Place::Host)?;
    let mut command = Command::new(relay);
    command.arg("--socket").arg(line).args(["--port=0", "--until-stdin-ends"]);
    let relay = Background::start(command.stdin(Stdio::piped()))?;
    let limit = Instant::now() + PATIENCE;
    loop {
        let stdout = String::from_utf8_lossy(&relay.stdout()).into_owned();
        if let Some((address, _)) =
            stdout.strip_prefix("listening on ").and_then(|rest| rest.split_once('\n'))
        {
            return Ok((emulator, relay, address.parse()?));
        }
        pause(limit, &relay, "the relay hears no board")?;
    }
}

/// Ends the relay's input: it ends the board's program, and itself.
fn end(emulator: &mut Background, relay: &mut Background) -> Result<()> {
    drop(relay.stdin());
    for (child, name) in [(relay, "the relay"), (emulator, "the emulator")] {
        let limit = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = child.finished()? {
                break status;
            }
            pause(limit, child, name)?;
        };
        ensure!(status.success(), "{name}: {}", process::ended(status));
    }
    Ok(())
}

fn pause(limit: Instant, child: &Background, what: &str) -> Result<()> {
    if Instant::now() > limit {
        bail!("{what}; {}", String::from_utf8_lossy(&child.stderr()));
    }
    thread::sleep(Duration::from_millis(5));
    Ok(())
}

fn connect(address: SocketAddr) -> Result<TcpStream> {
    let socket = TcpStream::connect(address)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    socket.set_write_timeout(Some(PATIENCE))?;
    Ok(socket)
}

/// Asks over HTTP/1.1 and has the board close the connection.
fn get(address: SocketAddr, path: &str) -> Result<String> {
    let mut socket = connect(address)?;
    write!(socket, "GET {path} HTTP/1.1\r\nHost: pi\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer)?;
    Ok(answer)
}

/// Preface and SETTINGS of HTTP/2, and GET /data on streams 1 and 3.
const HTTP2: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\
    \0\0\x0d\x01\x05\0\0\0\x01\x82\x86\x01\x02pi\x04\x05/data\
    \0\0\x0d\x01\x05\0\0\0\x03\x82\x86\x01\x02pi\x04\x05/data";

/// Asks twice over HTTP/2, and closes.
fn get_http2(address: SocketAddr) -> Result<()> {
    let mut socket = connect(address)?;
    socket.write_all(HTTP2)?;
    let (mut bytes, mut piece) = (Vec::new(), [0; 1024]);
    let bodies = |bytes: &[u8]| bytes.windows(11).filter(|part| part == b"Hello World").count();
    while bodies(&bytes) < 2 {
        let count = socket.read(&mut piece)?;
        ensure!(count != 0, "closed after {}", bytes.escape_ascii());
        bytes.extend_from_slice(piece.get(..count).unwrap_or_default());
    }
    // The first frame is SETTINGS (RFC 9113 section 3.4).
    ensure!(bytes.get(3) == Some(&4), "{}", bytes.escape_ascii());
    Ok(())
}

fn is_data(answer: &str) -> Result<()> {
    let right =
        answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\nHello World");
    ensure!(right, "{answer:?}");
    Ok(())
}

fn one_after_another(address: SocketAddr) -> Result<()> {
    for _ in 0..5 {
        is_data(&get(address, "/data")?)?;
        get_http2(address)?;
    }
    // One that stays open for several.
    let mut socket = connect(address)?;
    for _ in 0..5 {
        socket.write_all(b"GET /data HTTP/1.1\r\nHost: pi\r\n\r\n")?;
        let mut answer = Vec::new();
        while !answer.ends_with(b"Hello World") {
            let mut byte = [0];
            socket.read_exact(&mut byte).with_context(|| format!("{}", answer.escape_ascii()))?;
            answer.extend(byte);
        }
    }
    Ok(())
}

fn cut(address: SocketAddr) -> Result<()> {
    for begun in [b"GET /data HT".as_slice(), HTTP2.get(..40).unwrap_or_default(), b"", b"\xff\0"] {
        for _ in 0..3 {
            let mut socket = connect(address)?;
            socket.write_all(begun)?;
            drop(socket);
            is_data(&get(address, "/data")?)?;
            get_http2(address)?;
        }
    }
    Ok(())
}

fn at_once(address: SocketAddr) -> Result<()> {
    // Heads that are interleaved byte by byte.
    let head = b"GET /data HTTP/1.1\r\nHost: pi\r\nConnection: close\r\n\r\n";
    let mut sockets = [(); 4].map(|()| connect(address));
    for byte in head {
        for socket in &mut sockets {
            match socket {
                Ok(socket) => socket.write_all(std::slice::from_ref(byte))?,
                Err(error) => bail!("{error}"),
            }
        }
    }
    for socket in sockets {
        let mut answer = String::new();
        socket?.read_to_string(&mut answer)?;
        is_data(&answer)?;
    }
    // More than there are channels: they wait for one.
    thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|_| scope.spawn(|| get(address, "/data"))).collect();
        all.into_iter().try_for_each(|one| is_data(&one.join().ok().context("a client panicked")??))
    })
}

fn pages(address: SocketAddr) -> Result<()> {
    let environment = get(address, "/environment")?;
    ensure!(environment.contains("target: aarch64-unknown-none\n"), "{environment}");
    let uptime = get(address, "/uptime")?;
    ensure!(uptime.ends_with(" seconds\n"), "{uptime}");
    let nothing = get(address, "/nothing")?;
    ensure!(nothing.starts_with("HTTP/1.1 404 "), "{nothing}");
    // A line that no buffer of the board holds.
    let mut socket = connect(address)?;
    let line = format!("GET /{} HTTP/1.1\r\n", "x".repeat(4000));
    // It may be refused, and closed, before all of it is sent.
    match socket.write_all(line.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => bail!("{error}"),
        _ => {}
    }
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).ok();
    ensure!(answer.starts_with(b"HTTP/1.1 4"), "{}", answer.escape_ascii());
    socket.shutdown(Shutdown::Both).ok();
    Ok(())
}

fn curl(address: SocketAddr) -> Result<()> {
    if process::find("curl").is_none() {
        println!("curl is not installed");
        return Ok(());
    }
    for version in ["--http1.1", "--http2-prior-knowledge"] {
        let mut command = Command::new("curl");
        command.args(["--silent", "--show-error", "--max-time", "60", version]);
        let output = command.arg(format!("http://{address}/data")).output()?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        ensure!(output.stdout == b"Hello World", "{version}: {complaint}");
    }
    Ok(())
}
