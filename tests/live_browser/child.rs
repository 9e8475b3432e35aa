//! The example's server as a process of its own: this very program, started again.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::PATIENCE;

/// Holds the server's arguments in a process that is to be one, a line each.
const ARGUMENTS: &str = "ONEWRITE_LIVE_COUNTER";

/// What such a process runs: the test of this name.
pub(crate) const TEST: &str = "the_server_itself";

/// Becomes the server, where this process is to be one.
pub(crate) fn be_the_server(run: fn(Vec<std::ffi::OsString>) -> u8) {
    if let Ok(arguments) = std::env::var(ARGUMENTS) {
        let program = std::iter::once("live_counter".into());
        std::process::exit(run(program.chain(arguments.lines().map(Into::into)).collect()).into());
    }
}

/// A server that runs. It ends with this value.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    arguments: Vec<String>,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Starts it on a port that is free, with the test hooks.
    pub(crate) fn start<S: AsRef<str>>(arguments: impl IntoIterator<Item = S>) -> Self {
        let arguments: Vec<_> = arguments.into_iter().map(|word| word.as_ref().into()).collect();
        Self::start_on(0, &arguments)
    }

    fn start_on(port: u16, arguments: &[String]) -> Self {
        let own = std::env::current_exe().unwrap();
        let mut process = Command::new(own);
        process.args(["--exact", TEST, "--nocapture", "--test-threads=1"]);
        let mut lines = vec!["--port".to_owned(), port.to_string(), "--test-hooks".to_owned()];
        lines.extend_from_slice(arguments);
        process.env(ARGUMENTS, lines.join("\n")).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = process.spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        let address = loop {
            line.clear();
            assert_ne!(stdout.read_line(&mut line).unwrap(), 0, "the server does not listen");
            // The harness may have begun a line of its own.
            if let Some((_, address)) = line.split_once("listening on ") {
                break address.trim().parse().unwrap();
            }
        };
        Self { child, stdout, arguments: arguments.to_vec(), address }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Where its page is.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Has it do what `--test-hooks` lets it do; returns what it says of itself then.
    pub(crate) fn hook(&self, name: &str) -> Json {
        let mut socket = TcpStream::connect(self.address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let address = self.address;
        write!(socket, "GET /_t/{name} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut answer = BufReader::new(socket);
        let mut line = String::new();
        answer.read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 200 "), "{name}: {line}");
        let mut body = Vec::new();
        while line != "\r\n" {
            line.clear();
            answer.read_line(&mut line).unwrap();
            let line = line.to_ascii_lowercase();
            if let Some(length) = line.strip_prefix("content-length:") {
                body.resize(length.trim().parse().unwrap(), 0);
            }
        }
        answer.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap_or_else(|why| panic!("{name}: {why} in {body:?}"))
    }

    /// Waits until what it says of itself under `name` is `expected`.
    pub(crate) fn until(&self, name: &str, expected: &Json) {
        let begun = Instant::now();
        loop {
            let state = self.hook("state");
            if state[name] == *expected {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{name} is not {expected} in {state}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Stops it and starts it again at the same address, after a while.
    pub(crate) fn restart(self, after: Duration) -> Self {
        let (port, arguments) = (self.address.port(), self.arguments.clone());
        self.stop();
        thread::sleep(after);
        Self::start_on(port, &arguments)
    }

    /// Stops it and expects that it ends well; returns what it printed.
    pub(crate) fn stop(mut self) -> String {
        let arguments = ["-TERM".to_owned(), self.pid().to_string()];
        assert!(Command::new("kill").args(arguments).status().unwrap().success());
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < PATIENCE, "the server does not end");
            thread::sleep(Duration::from_millis(5));
        };
        assert!(status.success(), "{status}");
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        rest
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
