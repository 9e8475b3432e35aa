//! The example's server as a process of its own: this very program, started again.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Holds the server's arguments in a process that is to be one.
const ARGUMENTS: &str = "ONEWRITE_HTTP_SERVER";

/// What such a process runs: the test of this name.
pub(crate) const TEST: &str = "the_server_itself";

/// A server that runs. It ends with this value.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    stdout: Option<BufReader<ChildStdout>>,
    pub(crate) address: SocketAddr,
}

/// Becomes the server, where this process is to be one.
pub(crate) fn be_the_server(run: fn(Vec<std::ffi::OsString>) -> u8) {
    if let Ok(arguments) = std::env::var(ARGUMENTS) {
        let arguments = arguments.split(' ').filter(|word| !word.is_empty()).map(Into::into);
        let program = std::iter::once("http_server".into());
        std::process::exit(run(program.chain(arguments).collect()).into());
    }
}

impl Server {
    /// Starts it on a port that is free; `None`, with a message, where the machine that runs this
    /// program cannot start it again.
    pub(crate) fn start(arguments: &str) -> Option<Self> {
        Self::start_under(&[], arguments)
    }

    /// The same as the last argument of a command.
    pub(crate) fn start_under(command: &[&str], arguments: &str) -> Option<Self> {
        if !onewrite_boards::label().measures_time() {
            // Times would run out, and what a process takes would be the emulator's.
            eprintln!("skipped: an emulated machine");
            return None;
        }
        let own = std::env::current_exe().unwrap().into_os_string();
        let mut words = command.iter().map(std::ffi::OsString::from).chain([own]);
        let mut process = Command::new(words.next().unwrap());
        process.args(words).args(["--exact", TEST, "--nocapture", "--test-threads=1"]);
        process.env(ARGUMENTS, format!("--port 0 {arguments}"));
        let spawned = process.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut child = match spawned {
            Ok(child) => child,
            Err(error) => {
                eprintln!("skipped: no server could be started: {error}");
                return None;
            }
        };
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
        Some(Self { child, stdout: Some(stdout), address })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// A connection to it.
    pub(crate) fn connect(&self) -> TcpStream {
        let socket = TcpStream::connect(self.address).unwrap();
        socket.set_nodelay(true).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        socket.set_write_timeout(Some(PATIENCE)).unwrap();
        socket
    }

    /// Sends it a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let arguments = [format!("-{name}"), self.pid().to_string()];
        assert!(Command::new("kill").args(arguments).status().unwrap().success());
    }

    /// The exit code, once it has ended by itself.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        let limit = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < limit, "the server does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Reads no more of what it prints.
    #[allow(dead_code, reason = "for live_counter, which has this file as well")]
    pub(crate) fn close_stdout(&mut self) {
        self.stdout = None;
    }

    /// Stops it and expects that it ends well; returns what it printed.
    pub(crate) fn stop(mut self) -> String {
        self.signal("TERM");
        assert_eq!(self.wait(), Some(0));
        let mut rest = String::new();
        if let Some(stdout) = &mut self.stdout {
            stdout.read_to_string(&mut rest).unwrap();
        }
        assert!(!rest.contains("panicked"), "{rest}");
        rest
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Longer than anything should take, also on a machine that is busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Sends a request and returns the response, which has a length.
pub(crate) fn get(socket: &mut TcpStream, path: &str) -> Vec<u8> {
    write!(socket, "GET {path} HTTP/1.1\r\nHost: pi\r\n\r\n").unwrap();
    response(socket)
}

/// One response of HTTP/1.1 that has a length.
pub(crate) fn response(socket: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        match socket.read(&mut byte) {
            Ok(1) => bytes.extend(byte),
            other => panic!("{other:?} after {:?}", String::from_utf8_lossy(&bytes)),
        }
    }
    let head = String::from_utf8(bytes.clone()).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")).unwrap();
    let mut body = vec![0; length.trim().parse().unwrap()];
    socket.read_exact(&mut body).unwrap();
    bytes.extend(body);
    bytes
}

/// Everything until the server closes.
pub(crate) fn rest(socket: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    socket.read_to_end(&mut bytes).unwrap();
    bytes
}

/// Whether a program is installed; says so if not.
pub(crate) fn has(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&paths).any(|folder| folder.join(program).is_file());
    if !found {
        eprintln!("skipped: {program} is not installed");
    }
    found
}
