//! What the tool is asked.

use std::time::Duration;

use clap::Parser;

/// Click in many pages of `live_counter` at once, without a browser.
#[derive(Debug, Parser)]
#[command(name = "live_load", after_help = AFTER)]
pub(crate) struct Arguments {
    /// The server, by the address that its pages are to be at.
    #[arg(value_name = "HOST:PORT")]
    pub(crate) server: String,
    /// Pages.
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) circuits: u32,
    /// Clicks, of all pages together.
    #[arg(long, default_value_t = 1_000, value_name = "N")]
    pub(crate) clicks: u64,
    /// Milliseconds from one click in a page to its next; 0: as soon as it was answered.
    #[arg(long, default_value_t = 500, value_name = "MS")]
    pub(crate) every: u64,
    /// Seconds to stay connected after the clicks, as pages that nobody uses do.
    #[arg(long, default_value_t = 0, value_name = "S")]
    pub(crate) idle: u64,
    /// Milliseconds after which an answer that has not come is lost.
    #[arg(long, default_value_t = 10_000, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: u64,
    /// Milliseconds after which a page that has said nothing says that it is there; as the script.
    #[arg(long, default_value_t = 15_000, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    ping: u64,
    /// The server's process on this machine, for the memory that it takes.
    #[arg(long, value_name = "PID")]
    pub(crate) server_pid: Option<u32>,
}

impl Arguments {
    pub(crate) const fn every(&self) -> Duration {
        Duration::from_millis(self.every)
    }

    pub(crate) const fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout)
    }

    pub(crate) const fn ping(&self) -> Duration {
        Duration::from_millis(self.ping)
    }

    pub(crate) fn idle(&self) -> Option<Duration> {
        (self.idle != 0).then(|| Duration::from_secs(self.idle))
    }
}

const AFTER: &str = "\
A click goes out as the script sends one, 310 bytes of JSON and all. Its time is from just before it is
sent until the batch with the next count has been read. Each batch is checked and acknowledged. A count
that is not the one before and one more is wrong. The run ends with the first thing that goes wrong.

It shows what a server that listens on this machine takes; over a network it shows the network as well.

Exit code: 0 every click was counted, 1 one was wrong or lost, 2 nothing was measured.";
