//! What the server is asked.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Parser, ValueEnum};

/// Show a page that lives: a counter, what is typed, a table that runs, and how warm a Raspberry Pi is.
#[derive(Debug, Parser)]
#[command(name = "live_counter", after_help = AFTER)]
pub(crate) struct Arguments {
    /// The port; 0 is one that is free.
    #[arg(long, default_value_t = 8080)]
    pub(crate) port: u16,
    /// The address; 0.0.0.0 is every one of this machine, and needs --origin.
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "ADDRESS")]
    pub(crate) listen: IpAddr,
    /// The client's script, blazor.server.js or blazor.web.js; without one the page stays empty.
    ///
    /// Without this the first file in the variable `ONEWRITE_BLAZOR_SCRIPT` is taken.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Which of the two the script is; else its name says so.
    #[arg(long, value_enum, value_name = "WHICH")]
    kind: Option<Kind>,
    /// The number of the script's renderer: 0 before .NET 8.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=1))]
    pub(crate) renderer: u8,
    /// What browsers call this server, http://HOST:PORT; may be there several times.
    #[arg(long, value_name = "URL")]
    pub(crate) origin: Vec<String>,
    /// Batches that are kept for a browser whose connection is cut; with 0 it loads the page again.
    #[arg(long, value_enum, default_value_t = Store::Four, value_name = "N")]
    pub(crate) store: Store,
    /// Pages at the same time.
    #[arg(long, default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) circuits: u32,
    /// Connections at the same time; whoever comes then is refused at once, with status 503.
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) connections: u32,
    /// Send messages in fragments of so many bytes.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) fragment: Option<u32>,
    /// For how long a page is kept whose connection was cut.
    #[arg(long, default_value_t = 180_000, value_name = "MS")]
    pub(crate) kept: u32,
    /// For how long a browser may say nothing.
    #[arg(long, default_value_t = 30_000, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    silence: u32,
    /// For how long this server says nothing before it says that it is there.
    #[arg(long, default_value_t = 15_000, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    ping: u32,
    /// For how long a request may take, and a connection before its page is asked for.
    #[arg(long, default_value_t = 15_000, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    begin: u32,
    /// For how long a client may take to receive a KiB.
    #[arg(long, default_value_t = 20_000, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    write_timeout: u32,
    /// For how long what has begun is finished when the server stops.
    #[arg(long, default_value_t = 2_000, value_name = "MS")]
    grace: u32,
    /// Answer requests that disturb the pages: /_t/NAME. Only on this machine.
    #[arg(long)]
    pub(crate) test_hooks: bool,
}

impl Arguments {
    pub(crate) const fn address(&self) -> SocketAddr {
        SocketAddr::new(self.listen, self.port)
    }

    /// What is wrong with the arguments together.
    pub(crate) fn complaint(&self) -> Option<&'static str> {
        if self.test_hooks && !self.listen.is_loopback() {
            return Some("--test-hooks is for --listen with an address of this machine alone");
        }
        if self.listen.is_unspecified() && self.origin.is_empty() {
            return Some("--listen with every address needs --origin");
        }
        None
    }

    pub(crate) fn script(&self) -> Option<PathBuf> {
        let listed = || std::env::split_paths(&std::env::var_os(SCRIPT)?).next();
        self.script.clone().or_else(listed)
    }

    pub(crate) fn kind(&self) -> Kind {
        let script = self.script();
        let name = script.as_deref().and_then(Path::file_name).unwrap_or_default();
        let is_web = name.to_string_lossy().contains("web");
        self.kind.unwrap_or(if is_web { Kind::Web } else { Kind::Server })
    }

    pub(crate) const fn timeouts(&self) -> Timeouts {
        Timeouts {
            idle: ms(self.silence),
            head: ms(self.begin),
            body: ms(self.begin),
            write: ms(self.write_timeout),
            grace: ms(self.grace),
            ping: ms(self.ping),
        }
    }
}

/// Holds the paths of scripts.
const SCRIPT: &str = "ONEWRITE_BLAZOR_SCRIPT";

const fn ms(count: u32) -> Duration {
    Duration::from_millis(count as u64)
}

/// What a client may take its time for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeouts {
    /// To say something.
    pub(crate) idle: Duration,
    /// To ask for something, once it has begun; on a WebSocket, for its page.
    pub(crate) head: Duration,
    pub(crate) body: Duration,
    pub(crate) write: Duration,
    /// From the first signal to the end of the process.
    pub(crate) grace: Duration,
    /// Before this server says that it is there.
    pub(crate) ping: Duration,
}

/// The two scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// blazor.server.js
    Server,
    /// blazor.web.js
    Web,
}

/// How many batches are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Store {
    /// None.
    #[value(name = "0")]
    None,
    /// Four.
    #[value(name = "4")]
    Four,
    /// Sixteen.
    #[value(name = "16")]
    Sixteen,
}

const AFTER: &str = "\
Paths:
  /                        the page
  /_framework/blazor.js    the script
  /_blazor…                what the script asks for

The first line it prints is `listening on ADDRESS:PORT`. SIGINT or SIGTERM ends it: no connection is
accepted any more, and browsers are told. A second signal ends it at once. At its end it prints what it
has counted, and what it has refused.

Exit code: 0 it was stopped, 1 it could not go on, 2 wrong usage.";
