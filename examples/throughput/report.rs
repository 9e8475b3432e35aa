//! The lines of a report. `xtask/src/throughput/protocol.rs` describes them.

use core::fmt::{self, Write as _};

use crc::{CRC_32_ISO_HDLC, Crc, Digest, NoTable};
use onewrite_boards::{Console, environment};

/// Keys of the facts that may change while a run lasts.
const MOVING: [&str; 8] = [
    "governor",
    "clock",
    "clock measured",
    "core clock",
    "throttled",
    "temperature",
    "core",
    "shared readings",
];

/// The CRC-32 of zlib, bit by bit: what it costs is not measured, and a table is 1 KiB.
static CODE: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);

/// Writes lines, counts them, and sums them up.
pub(crate) struct Report<'c> {
    console: &'c mut Console,
    lines: u32,
    sum: Digest<'static, u32, NoTable>,
}

impl<'c> Report<'c> {
    /// A report that begins with the facts about machine and build.
    pub(crate) fn begin(console: &'c mut Console) -> Result<Self, fmt::Error> {
        let mut report = Self { console, lines: 0, sum: CODE.digest() };
        report.line(format_args!("onewrite-report 3"))?;
        for fact in environment().facts() {
            report.line(format_args!("env {fact}"))?;
        }
        Ok(report)
    }

    pub(crate) fn line(&mut self, line: fmt::Arguments<'_>) -> fmt::Result {
        self.lines += 1;
        writeln!(self, "{line}")
    }

    /// Ends with the facts that may have moved.
    pub(crate) fn end(mut self) -> fmt::Result {
        for fact in environment().facts() {
            if MOVING.contains(&fact.key()) {
                self.line(format_args!("env-after {fact}"))?;
            }
        }
        let Self { console, lines, sum } = self;
        writeln!(console, "end OK lines={lines} crc32={}", sum.finalize())
    }

    /// Ends a run that measured nothing anybody may use.
    pub(crate) fn fail(self, reason: &str) -> fmt::Result {
        writeln!(self.console, "end FAILED {reason}")
    }
}

/// To the console, and into the sum.
impl fmt::Write for Report<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.sum.update(text.as_bytes());
        self.console.write_str(text)
    }
}
