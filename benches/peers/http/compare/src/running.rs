//! A server that runs on the loopback, until it is stopped or forgotten.

use std::ffi::OsString;
use std::fs::File;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

use crate::machine::{self, Core};
use crate::scenario::Protocol;
use crate::server::{self, Server};

/// How long a server may take to listen, under valgrind too.
const START: Duration = Duration::from_secs(30);
/// How long it may take to end once it was asked to.
const END: Duration = Duration::from_secs(60);

/// A server that listens.
#[derive(Debug)]
pub(crate) struct Running {
    /// Where, on 127.0.0.1.
    pub(crate) port: u16,
    child: Child,
    log: PathBuf,
}

impl Running {
    /// Starts `program`, behind the words of `wrapper` where there are any.
    ///
    /// What the server writes goes to a file of `folder`, which is made for it alone.
    pub(crate) fn start(
        server: &Server,
        program: &Path,
        protocol: Protocol,
        wrapper: &[String],
        folder: &Path,
    ) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let port = free_port()?;
        // Whatever becomes of us, no server is left behind.
        let setpriv = server::installed("setpriv");
        let guard = setpriv.map(|path| [path.into_os_string(), "--pdeathsig=KILL".into()]);
        let mut words: Vec<OsString> = guard.into_iter().flatten().collect();
        words.extend(wrapper.iter().map(OsString::from));
        words.push(program.into());
        words.extend(server.arguments(folder, protocol, port)?);
        let (first, rest) = words.split_first().context("a program has a name")?;
        let mut command = Command::new(first);
        command.args(rest);
        let log = folder.join("log");
        let file = File::create(&log)?;
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        let child = machine::on(Core::Server, || command.spawn());
        let child = child.with_context(|| format!("cannot start {command:?}"))?;
        let mut running = Self { port, child, log };
        running.wait_for_port()?;
        Ok(running)
    }

    fn wait_for_port(&mut self) -> Result<()> {
        let start = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_err() {
            if let Some(status) = self.child.try_wait()? {
                bail!("the server ended, {status}:\n{}", self.said());
            }
            if start.elapsed() > START {
                bail!("the server does not listen:\n{}", self.said());
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    fn said(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Nanoseconds that it has run so far.
    pub(crate) fn processor_ns(&self) -> Result<u64> {
        machine::processor_ns(self.child.id()).context("the server's time cannot be read")
    }

    /// The most memory that it has ever had, in KiB.
    pub(crate) fn peak_memory_kib(&self) -> Option<u64> {
        machine::peak_memory_kib(self.child.id())
    }

    /// Asks it to end and waits until it has: what counts for it writes its counts then.
    pub(crate) fn stop(mut self) -> Result<()> {
        let process = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        kill_process(process.context("no process number")?, Signal::TERM)?;
        let start = Instant::now();
        while self.child.try_wait()?.is_none() {
            if start.elapsed() > END {
                bail!("the server does not end:\n{}", self.said());
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already, and then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that nobody listened on just now.
fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
