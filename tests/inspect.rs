//! The tool that prints what messages are made of: its reports, its limits, its exit codes.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails by panicking, and the reports are read as JSON"
)]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "../examples/inspect/tool/mod.rs"]
mod tool;

#[path = "inspect/agreement.rs"]
mod agreement;
#[path = "inspect/golden.rs"]
mod golden;
#[path = "inspect/limits.rs"]
mod limits;
#[path = "inspect/usage.rs"]
mod usage;

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

/// What a run of the tool came to.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    code: u8,
    stdout: String,
    stderr: String,
}

/// Runs the tool with these arguments, and with `input` as its standard input.
fn run(arguments: &[&str], mut input: &[u8]) -> Run {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let words = ["inspect"].iter().chain(arguments).map(OsString::from);
    let code = tool::run(words, &mut input, &mut stdout, &mut stderr);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code, stdout: text(stdout), stderr: text(stderr) }
}

/// Standard output that takes nothing.
struct Closed(ErrorKind);

impl std::io::Write for Closed {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_report_that_is_lost_is_told_unless_nobody_wants_it() {
    for (kind, code, message) in [
        (ErrorKind::BrokenPipe, 1, ""),
        (ErrorKind::StorageFull, 2, "inspect: standard output: no storage space\n"),
    ] {
        let mut stderr = Vec::new();
        let words = ["inspect", "--hex", "00"].map(OsString::from);
        let ended = tool::run(words, &mut std::io::empty(), Closed(kind), &mut stderr);
        assert_eq!((ended, str::from_utf8(&stderr).unwrap()), (code, message));
    }
}

/// The report on bytes as they are, as JSON; `arguments` come on top.
fn report(arguments: &[&str], input: &[u8]) -> Json {
    let run = run(&[&["--json", "--input", "raw", "-"], arguments].concat(), input);
    assert_eq!(run.stderr, "");
    let report: Json = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(run.code == 0, report["sound"].as_bool().unwrap(), "{report:#}");
    report
}

fn data(path: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(path)
}

fn read(path: impl AsRef<Path>) -> Vec<u8> {
    let path = data(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read_json(path: &str) -> Json {
    serde_json::from_slice(&read(path)).unwrap()
}

/// The messages of the vectors with at most so many bytes: name, kind, whether compressed, bytes.
fn messages(most: u64) -> Vec<(String, &'static str, bool, Vec<u8>)> {
    let mut found = Vec::new();
    for case in read_json("spacetimedb/messages.json").as_array().unwrap() {
        let Some(file) = case["file"].as_str() else { continue };
        if case["len"].as_u64().unwrap() > most {
            continue;
        }
        let kind = match (case["protocol"].as_str().unwrap(), case["direction"].as_str().unwrap()) {
            ("v1", "server") => "server-v1",
            ("v2", "server") => "server-v2",
            ("v3", "server") => "server-v3",
            ("v1", "client") => "client-v1",
            ("v2", "client") => "client-v2",
            other => panic!("{other:?}"),
        };
        let compressed = matches!(case["compression"].as_str(), Some("gzip" | "brotli"));
        let bytes = read(Path::new("spacetimedb").join(file));
        found.push((case["name"].as_str().unwrap().to_owned(), kind, compressed, bytes));
    }
    assert!(found.len() > 50, "{}", found.len());
    found
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    assert!(rest.is_empty());
    let byte = |pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
    pairs.iter().map(|pair| byte(pair.as_slice())).collect()
}

/// Numbers that look random, and are the same each time.
struct Numbers(u64);

impl Numbers {
    /// One below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % u64::try_from(end.max(1)).unwrap()).unwrap()
    }

    /// The same bytes with one to three of them changed, or cut short.
    fn damage(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut damaged = bytes.to_vec();
        if self.below(4) == 0 {
            damaged.truncate(self.below(bytes.len()));
            return damaged;
        }
        for _ in 0..=self.below(3) {
            let at = self.below(damaged.len());
            if let Some(byte) = damaged.get_mut(at) {
                *byte = match self.below(4) {
                    0 => 0,
                    1 => 0xff,
                    2 => *byte ^ (1 << self.below(8)),
                    _ => u8::try_from(self.below(256)).unwrap(),
                };
            }
        }
        damaged
    }
}
