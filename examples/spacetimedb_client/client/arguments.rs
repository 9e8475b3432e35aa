//! What the client is asked.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use onewrite::spacetimedb::Compression;
use onewrite::spacetimedb::stream::Version;

/// Subscribe to a SpacetimeDB database, and print every change of its rows as it comes.
#[derive(Debug, Parser)]
#[command(name = "spacetimedb_client", after_help = AFTER)]
pub(crate) struct Arguments {
    /// The server: HOST:PORT, also with http:// or ws:// in front. There is no TLS.
    #[arg(long, default_value = "127.0.0.1:3000", value_name = "URL", value_parser = host)]
    pub(crate) server: String,
    /// Name or identity of the database.
    #[arg(long, value_name = "NAME")]
    pub(crate) database: String,
    /// A query whose rows are kept, and whose changes are printed; up to 64 of them.
    #[arg(long = "query", value_name = "SQL")]
    pub(crate) queries: Vec<String>,
    /// The version of the protocol; auto lets the server choose.
    #[arg(long, value_enum, default_value_t = Protocol::Auto, value_name = "WHICH")]
    pub(crate) protocol: Protocol,
    /// What long messages are compressed with.
    #[arg(long, value_enum, default_value_t = Compressed::None, value_name = "HOW")]
    pub(crate) compression: Compressed,
    /// Call a reducer once, behind the subscription; may be given several times.
    #[arg(long, num_args = 2, value_names = ["REDUCER", "ARGS"])]
    pub(crate) call: Vec<String>,
    /// Read the token from this file; where it does not exist, write the server's to it.
    #[arg(long, value_name = "FILE")]
    pub(crate) token: Option<PathBuf>,
    /// The types of rows and arguments, and the keys of tables: see below.
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Come back when the connection is lost, for ever, or with =N for so many times in a row.
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "4294967295")]
    pub(crate) reconnect: Option<u32>,
    /// The first pause before coming back. It doubles each time up to half a minute.
    #[arg(long, default_value_t = 250, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    backoff: u32,
    /// End once the rows are there and every call was answered.
    #[arg(long)]
    pub(crate) once: bool,
    /// End after so many seconds.
    #[arg(long = "for", value_name = "SECONDS")]
    for_seconds: Option<u32>,
    /// Print the rows of all tables at the end.
    #[arg(long)]
    pub(crate) rows: bool,
    /// Print JSON, an object a line.
    #[arg(long)]
    pub(crate) json: bool,
    /// Have room for so many rows in all tables together: up to 3,584, or up to 28,672; when coming back,
    /// together with those that have gone.
    #[arg(long, default_value_t = 3_584, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=28_672))]
    pub(crate) capacity: u32,
    /// Take a compressed message of up to so many bytes, compressed and inflated.
    #[arg(long, default_value_t = 1 << 20, value_name = "BYTES")]
    pub(crate) max_message: usize,
    /// For how long a server may say nothing; asked with a ping after half of it.
    #[arg(long, default_value_t = 60_000, value_name = "MS", value_parser = clap::value_parser!(u32).range(2..))]
    idle: u32,
}

/// Most queries.
pub(crate) const QUERIES: usize = 64;

impl Arguments {
    pub(crate) const fn backoff(&self) -> Duration {
        Duration::from_millis(self.backoff as u64)
    }

    pub(crate) const fn idle(&self) -> Duration {
        Duration::from_millis(self.idle as u64)
    }

    pub(crate) fn limit(&self) -> Option<Duration> {
        self.for_seconds.map(|seconds| Duration::from_secs(seconds.into()))
    }

    /// Reducers with their arguments as they were given.
    pub(crate) fn calls(&self) -> impl Iterator<Item = (&str, &str)> {
        let (pairs, _) = self.call.as_chunks();
        pairs.iter().map(|[reducer, args]| (reducer.as_str(), args.as_str()))
    }
}

/// The version that is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the names of the versions")]
pub(crate) enum Protocol {
    Auto,
    V1,
    V2,
    V3,
}

impl Protocol {
    /// Subprotocols, the best one first.
    pub(crate) fn names(self) -> &'static [&'static str] {
        let [from, to] = match self {
            Self::Auto => [0, 3],
            Self::V3 => [0, 1],
            Self::V2 => [1, 2],
            Self::V1 => [2, 3],
        };
        NAMES.get(from..to).unwrap_or_default()
    }
}

/// The best one first.
const NAMES: &[&str] =
    &[Version::V3.subprotocol(), Version::V2.subprotocol(), Version::V1.subprotocol()];

/// What messages are compressed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the names of the formats")]
pub(crate) enum Compressed {
    None,
    Gzip,
    Brotli,
}

impl From<Compressed> for Compression {
    fn from(compressed: Compressed) -> Self {
        match compressed {
            Compressed::None => Self::None,
            Compressed::Gzip => Self::Gzip,
            Compressed::Brotli => Self::Brotli,
        }
    }
}

/// Host and port of a server's address.
fn host(text: &str) -> Result<String, String> {
    if text.starts_with("https://") || text.starts_with("wss://") {
        return Err("there is no TLS here: let a proxy on this machine do it".to_owned());
    }
    let rest = ["http://", "ws://"].iter().find_map(|scheme| text.strip_prefix(scheme));
    let rest = rest.unwrap_or(text);
    let host = rest.strip_suffix('/').unwrap_or(rest);
    match host.rsplit_once(':') {
        _ if host.contains(['/', '?', '#', '@']) => Err("more than a host and a port".to_owned()),
        Some((name, port)) if !name.is_empty() && port.parse::<u16>().is_ok() => {
            Ok(host.to_owned())
        }
        _ if host.is_empty() || host.ends_with(':') => Err("no host".to_owned()),
        _ => Ok(format!("{host}:80")),
    }
}

const AFTER: &str = "\
What it prints:
  + TABLE ROW           a row is there now
  - TABLE ROW           it no longer is
  ~ TABLE OLD -> NEW    another row has its key
  * TABLE ROW           an event, which nobody keeps
Several copies of a row, as overlapping queries bring them, are one row. After the connection was lost
and is there again, what has changed in between is printed in the same way.

A schema is what the server says:
  curl 'http://HOST:PORT/v1/database/NAME/schema?version=9' > schema.json
Without it rows are hexadecimal digits and have no key, so that nothing is an update.

The arguments of a call are hexadecimal digits of BSATN, or with a schema a JSON array:
  --call set_level '[7, 99]'

Without compression a message of any length passes through a buffer of 4,096 bytes; one that is
compressed has to be whole, and takes --max-message twice. Compression needs the features gzip and
brotli:
  cargo run --release --features gzip,brotli --example spacetimedb_client -- --help

TLS is not in it: for a server that has only https, let a proxy on this machine do it, such as
  socat TCP-LISTEN:3000,bind=127.0.0.1,fork,reuseaddr OPENSSL:HOST:443

Exit code: 0 it has ended as it was asked to, 1 it could not go on or a call failed, 2 wrong usage.";
