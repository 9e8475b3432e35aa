//! What the server is asked.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use clap::{Parser, ValueEnum};
use onewrite::http;

/// Serve a few pages over HTTP/1.1 and HTTP/2 without TLS, on one thread.
#[derive(Debug, Parser)]
#[command(name = "http_server", after_help = AFTER)]
pub(crate) struct Arguments {
    /// The port; 0 is one that is free.
    #[arg(long, default_value_t = 8080)]
    pub(crate) port: u16,
    /// The address; 0.0.0.0 is every one of this machine.
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "ADDRESS")]
    pub(crate) listen: IpAddr,
    /// What clients may speak.
    #[arg(long, value_enum, default_value_t = Protocol::Auto, value_name = "WHICH")]
    pub(crate) protocol: Protocol,
    /// Connections at the same time; whoever comes then is refused at once, with status 503.
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) connections: u32,
    /// For how long a connection may ask for nothing.
    #[arg(long, default_value_t = 60_000, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    idle_timeout: u32,
    /// For how long the head of a request may take, from its first byte to its last.
    #[arg(long, default_value_t = 10_000, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    head_timeout: u32,
    /// For how long a KiB of a request's body may take.
    #[arg(long, default_value_t = 20_000, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    body_timeout: u32,
    /// For how long a client may take to receive a KiB of a response.
    #[arg(long, default_value_t = 20_000, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    write_timeout: u32,
    /// For how long requests that have begun are answered when the server stops.
    #[arg(long, default_value_t = 5_000, value_name = "MS")]
    grace: u32,
    /// How long to wait after each turn, so that the next one has more to do: less of the processor
    /// where many requests of HTTP/2 are in flight, and so much later an answer; 0 looks again at once.
    #[arg(long, default_value_t = 0, value_name = "US", value_parser = clap::value_parser!(u32).range(..=100_000))]
    coalesce: u32,
}

impl Arguments {
    pub(crate) const fn address(&self) -> SocketAddr {
        SocketAddr::new(self.listen, self.port)
    }

    pub(crate) const fn timeouts(&self) -> Timeouts {
        Timeouts {
            idle: ms(self.idle_timeout),
            head: ms(self.head_timeout),
            body: ms(self.body_timeout),
            write: ms(self.write_timeout),
            grace: ms(self.grace),
        }
    }

    /// The wait after a turn; `None` for no wait.
    pub(crate) fn coalesce(&self) -> Option<Duration> {
        (self.coalesce != 0).then(|| Duration::from_micros(self.coalesce.into()))
    }
}

const fn ms(count: u32) -> Duration {
    Duration::from_millis(count as u64)
}

/// What a client may take its time for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeouts {
    pub(crate) idle: Duration,
    pub(crate) head: Duration,
    pub(crate) body: Duration,
    pub(crate) write: Duration,
    /// From the first signal to the end of the process.
    pub(crate) grace: Duration,
}

/// The protocols of the port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Protocol {
    /// Both: what the first bytes of a connection are decides.
    Auto,
    /// HTTP/1.1 and 1.0.
    H1,
    /// HTTP/2 with prior knowledge.
    H2,
}

impl From<Protocol> for http::Protocol {
    fn from(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Auto => Self::Auto,
            Protocol::H1 => Self::Http1,
            Protocol::H2 => Self::Http2,
        }
    }
}

const AFTER: &str = "\
Paths:
  /         a text whose response is built for each request: status, fields and length are formatted,
            the text is converted from UTF-16 to UTF-8, over HTTP/2 the fields are encoded
  /data     the same response as a literal that the compiler made
  /counter  a render batch with the number of requests so far
  /metrics  counts of this server, as text
  /large    one MiB, a literal as well

The first line it prints is `listening on ADDRESS:PORT`. SIGINT or SIGTERM ends it: no connection is
accepted any more, requests that have begun are answered, connections that ask for nothing are
closed. A second signal ends it at once.

Exit code: 0 it was stopped, 1 it could not go on, 2 wrong usage.";
