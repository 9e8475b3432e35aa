//! The measurement as the lines that `cargo xtask throughput` reads: see
//! `xtask/src/throughput/protocol.rs`.

use std::fmt::Write as _;

use crc::{CRC_32_ISO_HDLC, Crc};
use onewrite_boards::{Environment, Label, environment};

use super::statistics::Sample;

/// Facts that may change while a run lasts.
const MOVING: [&str; 7] =
    ["governor", "clock", "clock measured", "core clock", "throttled", "temperature", "core"];

/// The lines so far.
#[derive(Debug)]
pub(crate) struct Lines {
    text: String,
    label: Label,
}

impl Lines {
    /// Begins with the facts of before the run.
    pub(crate) fn begin() -> Self {
        let mut lines = Self { text: String::new(), label: onewrite_boards::label() };
        lines.line("onewrite-report 3");
        lines.facts("env", &environment(), |_| true);
        lines
    }

    /// What the server's process took on the processor, slice by slice; nothing where that is not
    /// known. An emulator that counts instructions has a clock that follows them: there a nanosecond
    /// is an instruction, of the kernel as well.
    pub(crate) fn add(&mut self, workload: &str, paths: &[String], samples: &[Sample]) {
        let workload = workload.replace(' ', "_");
        let field = if self.label == Label::QemuIcount { "instructions" } else { "ns" };
        let rounds = samples.iter().map(|sample| sample.slices.len()).min().unwrap_or(0);
        for round in 0..rounds {
            for (path, sample) in paths.iter().zip(samples) {
                let Some(slice) = sample.slices.get(round) else { continue };
                let Some(cpu) = slice.server_cpu else { continue };
                let answered = u64::try_from(sample.latencies.len()).unwrap_or(0).max(1);
                self.line(&format!(
                    "sample {workload}_server {path} bytes={} records=1 round={round} reps={} \
                     {field}={}",
                    sample.bytes / answered,
                    slice.requests,
                    cpu.as_nanos()
                ));
            }
        }
    }

    /// All of it, with the facts of after the run and the sum that says it is whole.
    pub(crate) fn end(mut self) -> String {
        self.line(
            "note rows that end in _server: the HTTP server's process and the kernel on its behalf, \
             for one request, from /proc/PID/task/*/schedstat; load by http_load",
        );
        self.facts("env-after", &environment(), |key| MOVING.contains(&key));
        let sum = Crc::<u32>::new(&CRC_32_ISO_HDLC).checksum(self.text.as_bytes());
        let count = self.text.lines().count();
        self.line(&format!("end OK lines={count} crc32={sum}"));
        self.text
    }

    fn facts(&mut self, word: &str, environment: &Environment, is_wanted: fn(&str) -> bool) {
        for fact in environment.facts().iter().filter(|fact| is_wanted(fact.key())) {
            self.line(&format!("{word} {fact}"));
        }
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::statistics::Slice;
    use super::*;

    #[test]
    fn each_round_has_every_path_once() {
        let slice = |ns| Slice {
            elapsed: Duration::ZERO,
            requests: 50,
            server_cpu: Some(Duration::from_nanos(ns)),
        };
        let sample = |first| Sample {
            latencies: vec![Duration::ZERO; 100],
            slices: vec![slice(first), slice(first + 1)],
            bytes: 5_600,
        };
        let mut lines = Lines { text: String::new(), label: Label::QemuIcount };
        let paths = ["/".to_owned(), "/data".to_owned()];
        lines.add("http/2 c20 m1", &paths, &[sample(10), sample(20)]);
        let rest = "bytes=56 records=1 round=";
        let wanted = format!(
            "sample http/2_c20_m1_server / {rest}0 reps=50 instructions=10\n\
             sample http/2_c20_m1_server /data {rest}0 reps=50 instructions=20\n\
             sample http/2_c20_m1_server / {rest}1 reps=50 instructions=11\n\
             sample http/2_c20_m1_server /data {rest}1 reps=50 instructions=21\n"
        );
        assert_eq!(lines.text, wanted);
    }
}
