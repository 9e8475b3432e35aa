//! What the tool is asked.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};

/// Load an HTTP server over both protocols and compare two of its paths.
#[derive(Debug, Parser)]
#[command(name = "http_load", after_help = AFTER)]
pub(crate) struct Arguments {
    /// The server.
    #[arg(value_name = "HOST:PORT", required_unless_present = "start", conflicts_with = "start")]
    pub(crate) server: Option<String>,
    /// Start this server on this machine instead, and end it afterwards.
    #[arg(long, value_name = "PROGRAM", conflicts_with = "server_pid")]
    pub(crate) start: Option<PathBuf>,
    /// The protocols, each in a run of its own.
    #[arg(long, value_enum, default_value_t = Protocols::Both, value_name = "WHICH")]
    pub(crate) protocol: Protocols,
    /// The two paths, interleaved in slices; the ratio is that of the first to the second.
    #[arg(long, num_args = 1..=2, default_values = ["/", "/data"], value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Connections, each of which waits for its answers before it asks again.
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) clients: u32,
    /// Requests for each path, after one on each connection that is not measured.
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) requests: u32,
    /// Requests a connection has in flight: streams of HTTP/2, pipelined requests of HTTP/1.1.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) in_flight: u32,
    /// Requests of one path in a row, before the other's turn may come.
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) slice: u32,
    /// The body that every response must have; by default what the last path answers first.
    #[arg(long, value_name = "TEXT")]
    pub(crate) expect: Option<String>,
    /// The server's process on this machine, for the time it takes on the processor.
    #[arg(long, value_name = "PID")]
    pub(crate) server_pid: Option<u32>,
    /// Milliseconds after which a response that has not come is lost.
    #[arg(long, default_value_t = 10_000, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: u64,
    /// What the order of the slices is made from.
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    pub(crate) seed: u64,
    /// Keep the measurement, for `cargo xtask report FILE`.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Print what the server took on the processor in the lines that `cargo xtask throughput` reads,
    /// in place of tables.
    #[arg(long)]
    pub(crate) report: bool,
    /// Show no progress.
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl Arguments {
    pub(crate) const fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout)
    }
}

/// The protocols to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Protocols {
    /// HTTP/1.1, then HTTP/2.
    Both,
    /// HTTP/1.1.
    H1,
    /// HTTP/2 without TLS, with prior knowledge.
    H2c,
}

const AFTER: &str = "\
Columns: Mean, StdDev (of the whole population), Error (StdDev divided by the root of the number of
requests), Median, Min, Max and 95th are of the time from just before a request is sent to the end
of its body. Req/Sec is requests by the time between the first one sent and the last one answered, of
all slices together. Throughput is bytes that came from the socket by that time. CHttp's column of
this name is something else, all bytes by the mean latency of one request; it is shown as well, so
that tables can be laid beside each other. Server CPU is what the process took on the processor for
one request, kernel included, where --server-pid is given and /proc has it.

Over HTTP/2 a request is sent as .NET's client does: fields without index and without Huffman code,
every time the same bytes. Of a response's fields only the status is decoded. The status has to be
200 and the body the expected one, byte for byte.

Exit code: 0 every response was right, 1 one was wrong or lost, 2 nothing was measured.";
