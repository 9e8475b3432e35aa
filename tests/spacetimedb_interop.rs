//! Values through SpacetimeDB's own TypeScript package, both ways: what it writes is what the
//! library writes and reads, and what the library writes it reads as the same value.
//!
//! `cargo xtask interop` installs the package with npm into the build folder and runs this with
//! `$ONEWRITE_PEER` set to that folder; without the variable nothing is compared. The package is
//! under the Business Source License 1.1 and neither in the repository nor a dependency.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "spacetimedb_interop/known.rs"]
mod known;
#[path = "spacetimedb_interop/peer.rs"]
mod peer;
#[path = "spacetimedb/report.rs"]
#[allow(dead_code, reason = "it runs vectors too")]
mod report;
#[path = "spacetimedb/types.rs"]
mod types;
#[path = "spacetimedb/value.rs"]
mod value;

use std::path::Path;
use std::process::ExitCode;

use onewrite::bsatn::Encode as _;
use serde_json::{Value as Json, json};

use known::{KNOWN, Way};
use peer::Peer;
use report::{Report, hex, load};
use value::Value;

/// Values that are made up, beside those of the vectors.
const RANDOM: u64 = 2_000;

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--list") {
        println!("spacetimedb_interop: test\n\n1 test, 0 benchmarks");
        return ExitCode::SUCCESS;
    }
    let Some(folder) = std::env::var_os("ONEWRITE_PEER") else {
        println!(
            "nothing compared with SpacetimeDB's TypeScript package: cargo xtask interop does"
        );
        println!("\ntest result: ok. 0 passed; 0 failed; 1 ignored");
        return ExitCode::SUCCESS;
    };
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/spacetimedb/values.json");
    let mut interop = Interop {
        peer: Peer::start(Path::new(&folder)),
        report: Report::default(),
        seen: [Seen::default(); KNOWN.len()],
    };
    for case in load(&vectors).unwrap() {
        let name = case["name"].as_str().unwrap_or_default();
        interop.compare(name, &case["ty"], &case["value"]);
    }
    for seed in 0..RANDOM {
        let name = format!("random {seed}");
        match interop.peer.ask(&json!({ "random": seed })) {
            Ok(made) => interop.compare(&name, &made["ty"], &made["value"]),
            Err(why) => interop.report.fail(&name, &why),
        }
    }
    interop.close()
}

/// Comparisons where the package is known to differ, and those where it did.
#[derive(Clone, Copy, Default)]
struct Seen {
    all: usize,
    differ: usize,
}

struct Interop {
    peer: Peer,
    report: Report,
    /// For each of [`KNOWN`].
    seen: [Seen; KNOWN.len()],
}

impl Interop {
    /// Compares one value both ways.
    fn compare(&mut self, name: &str, ty: &Json, json: &Json) {
        let encoded = self.encoded(ty, json);
        self.judge(name, Way::Encoded, ty, json, encoded);
        let decoded = self.decoded(ty, json);
        self.judge(name, Way::Decoded, ty, json, decoded);
    }

    /// The package writes what the library writes, and the library reads the value from it.
    fn encoded(&mut self, ty: &Json, json: &Json) -> Result<(), String> {
        let parsed = types::parse(ty)?;
        let value = Value::parse(&parsed, json)?;
        let answer = self.peer.ask(&json!({ "ty": ty, "value": json }))?;
        let theirs = hex(&answer["hex"])?;
        let walked = Value::walk(parsed, &theirs).map_err(|error| format!("{answer}: {error}"))?;
        if walked != value {
            return Err(format!("{answer} is {walked:?}"));
        }
        let ours = bytes(&value);
        if ours != theirs {
            return Err(format!("ours is {ours:02x?}, theirs {answer}"));
        }
        Ok(())
    }

    /// The package reads the same value from what the library writes.
    fn decoded(&mut self, ty: &Json, json: &Json) -> Result<(), String> {
        let parsed = types::parse(ty)?;
        let value = Value::parse(&parsed, json)?;
        let digits: String = bytes(&value).iter().map(|byte| format!("{byte:02x}")).collect();
        let answer = self.peer.ask(&json!({ "ty": ty, "hex": digits }))?;
        let theirs = Value::parse(&parsed, &answer["value"])?;
        if theirs != value {
            return Err(format!("{digits} is {answer}"));
        }
        Ok(())
    }

    fn judge(&mut self, name: &str, way: Way, ty: &Json, json: &Json, result: Result<(), String>) {
        let known = KNOWN.iter().position(|known| known.way.includes(way) && known.holds(ty, json));
        match (known, result) {
            (Some(at), result) => {
                self.seen[at].all += 1;
                self.seen[at].differ += usize::from(result.is_err());
            }
            (None, Ok(())) => self.report.pass(1),
            (None, Err(why)) => self.report.fail(&format!("{name}, {way:?}: {ty}, {json}"), &why),
        }
    }

    fn close(mut self) -> ExitCode {
        for (known, seen) in KNOWN.iter().zip(self.seen) {
            println!("left out, {}: {}, of which {} differ", known.name, seen.all, seen.differ);
            if seen.differ == 0 {
                self.report.fail(known.name, "the package keeps it: take it out of the list");
            }
        }
        self.report.close()
    }
}

fn bytes(value: &Value) -> Vec<u8> {
    let mut bytes = vec![0xa5; value.encoded_len()];
    value.encode_to_slice(&mut bytes).expect("it was measured");
    bytes
}
