//! Whole reports: `tests/data/inspect/NAME.out` is what the tool prints about one input.
//!
//! `ONEWRITE_BLESS=1` writes them anew; look at the difference before it goes in.

use super::{bytes_of, data, read, read_json, run};

/// Name, arguments, and the input under `tests/data`.
type Case = (&'static str, &'static [&'static str], &'static str);

const CASES: &[Case] = &[
    ("v2-initial-connection", &[], "spacetimedb/messages/v2-initial-connection-0.none.bin"),
    ("v2-tx-mixed", &[], "spacetimedb/messages/v2-tx-mixed-1.none.bin"),
    ("v2-tx-mixed-schema", &["--schema", "SCHEMA"], "spacetimedb/messages/v2-tx-mixed-1.none.bin"),
    (
        "v2-tx-mixed-json",
        &["--schema", "SCHEMA", "--json"],
        "spacetimedb/messages/v2-tx-mixed-1.none.bin",
    ),
    ("v2-subscription-error", &[], "spacetimedb/messages/v2-subscription-error-1.none.bin"),
    ("v2-reducer", &["--limit", "30"], "spacetimedb/messages/v2-reducer-other-1.none.bin"),
    ("v3-batch", &["--limit", "40"], "spacetimedb/messages/v3-batch-2.none.bin"),
    ("v1-identity-token", &[], "spacetimedb/messages/v1-identity-token.none.bin"),
    ("v1-tx-failed", &[], "spacetimedb/messages/v1-tx-failed.none.bin"),
    ("v1-client", &[], "spacetimedb/messages/v1-client-call-reducer.bin"),
    ("v2-client", &[], "spacetimedb/messages/v2-client-call-procedure.bin"),
    ("render-batch", &[], "render_batch/seed001-counter-initial.json"),
    ("render-batch-edits", &[], "render_batch/edit-every-type.json"),
    ("render-batch-strict", &["--strict"], "render_batch/edit-every-type.json"),
];

/// The same where brotli and gzip are there.
#[cfg(all(feature = "gzip", feature = "brotli"))]
const COMPRESSED: &[Case] = &[
    ("v2-tx-multi-gzip", &["--limit", "30"], "spacetimedb/messages/v2-tx-multi-1.gzip.bin"),
    ("v3-batch-brotli", &["--limit", "30"], "spacetimedb/messages/v3-batch-2.brotli.bin"),
    ("v1-tx-gzip-inside", &["--limit", "25"], "spacetimedb/messages/v1-tx-gzip-100.brotli.bin"),
];

fn check(cases: &[Case]) {
    let schema = data("inspect/player.json");
    for (name, arguments, file) in cases {
        let input = match file.strip_suffix(".json") {
            None => read(file),
            Some(_) => bytes_of(read_json(file)["hex"].as_str().unwrap()),
        };
        let schema = schema.to_str().unwrap();
        let words = arguments.iter().map(|word| if *word == "SCHEMA" { schema } else { word });
        let words: Vec<&str> = ["-", "--input", "raw"].into_iter().chain(words).collect();
        compare(name, &run(&words, &input).stdout);
    }
}

fn compare(name: &str, found: &str) {
    let path = data(format!("inspect/{name}.out"));
    if std::env::var_os("ONEWRITE_BLESS").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(wanted == found, "{}:\n{wanted}\nand not\n{found}", path.display());
}

#[test]
fn reports_are_what_they_were() {
    check(CASES);
}

#[cfg(all(feature = "gzip", feature = "brotli"))]
#[test]
fn reports_of_compressed_messages_are_what_they_were() {
    check(COMPRESSED);
}

/// What is wrong, and where: a message cut short, one with bytes behind it, a tag that is none, a
/// batch whose trailer points elsewhere.
#[test]
fn complaints_are_what_they_were() {
    let message = read("spacetimedb/messages/v2-tx-mixed-1.none.bin");
    let arguments = ["-", "--input", "raw", "--limit", "20"];
    let cut = run(&arguments, &message[..message.len() - 5]);
    compare("complaint-cut-short", &cut.stdout);
    let as_v2 = [&arguments[..], &["--as", "server-v2"]].concat();
    let longer = run(&as_v2, &[&message[..], b"\x01\x02"].concat());
    compare("complaint-trailing-bytes", &longer.stdout);
    let mut tag = message.clone();
    tag[0x1c] = 9;
    compare("complaint-tag", &run(&arguments, &tag).stdout);
    let vector = read_json("render_batch/seed001-counter-initial.json");
    let mut batch = bytes_of(vector["hex"].as_str().unwrap());
    let trailer = batch.len() - 20;
    batch[trailer + 4] ^= 4;
    compare("complaint-batch", &run(&arguments, &batch).stdout);
    assert_eq!([cut.code, longer.code], [1, 1]);
}
