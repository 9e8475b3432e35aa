//! No input makes the tool panic, or print without end.

use super::{Numbers, bytes_of, messages, read, read_json, report, run};

/// Most bytes of a report with so many lines: strings and bytes are cut, and so are complaints.
fn most_bytes(lines: usize) -> usize {
    // A line: an offset, an indent of 32 levels, a name, and 64 bytes of a string, escaped.
    lines * 900 + 40 * 2_000
}

#[test]
fn damaged_input_of_any_kind_is_bounded() {
    let mut inputs: Vec<Vec<u8>> =
        messages(3_000).into_iter().step_by(3).map(|message| message.3).collect();
    for case in read_json("render_batch/malformed/malformed.json").as_array().unwrap() {
        inputs.push(bytes_of(case["hex"].as_str().unwrap()));
    }
    inputs.push(bytes_of(read_json("render_batch/utf8-mixed.json")["hex"].as_str().unwrap()));
    let schema = super::data("inspect/player.json");
    let schema = schema.to_str().unwrap();
    let mut numbers = Numbers(2);
    let mut unsound = 0;
    for input in &inputs {
        for round in 0..10 {
            let damaged = numbers.damage(input);
            let mut arguments = vec!["-", "--input", "raw", "--limit", "50", "--schema", schema];
            arguments.extend([["--strict"].as_slice(), &["--json"], &[]][round % 3]);
            let run = run(&arguments, &damaged);
            assert!(run.code <= 1, "{run:?}");
            unsound += usize::from(run.code);
            assert!(run.stdout.len() < most_bytes(50), "{} bytes", run.stdout.len());
        }
    }
    assert!(unsound > inputs.len(), "{unsound} of {}", inputs.len());
}

#[test]
fn noise_of_any_kind_is_bounded() {
    let mut numbers = Numbers(3);
    let kinds = [
        "render-batch",
        "server-v1",
        "server-v2",
        "server-v3",
        "client-v1",
        "client-v2",
        "client-v3",
        "row-list",
    ];
    for len in 0..100 {
        let noise: Vec<u8> = (0..len).map(|_| u8::try_from(numbers.below(7)).unwrap()).collect();
        let run = run(&["-", "--input", "raw", "--as", kinds[len % kinds.len()]], &noise);
        assert!(run.code <= 1 && run.stdout.len() < most_bytes(1_000), "{run:?}");
    }
}

#[test]
fn lines_past_the_limit_are_counted() {
    let message = read("spacetimedb/messages/v2-tx-u32-100.none.bin");
    let full = report(&[], &message);
    assert_eq!(full["cut"], false);
    let run = run(&["-", "--limit", "20"], &message);
    let lines: Vec<&str> = run.stdout.lines().collect();
    // A line each before and behind the tree, one that says so, and the counts.
    assert!(lines.len() <= 20 + 3 + 10, "{}", run.stdout);
    assert!(run.stdout.contains("...: 93 more"), "{}", run.stdout);
    assert!(run.stdout.contains("see --limit"), "{}", run.stdout);
    assert_eq!(run.code, 0);
}

#[test]
fn levels_past_the_limit_are_counted() {
    let message = read("spacetimedb/messages/v2-tx-u32-100.none.bin");
    let run = run(&["-", "--depth", "2"], &message);
    assert!(run.stdout.contains("    ...: 1 more"), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 7, "{}", run.stdout);
}

/// The error behind the last line that is printed is found all the same.
#[test]
fn what_is_not_printed_is_checked() {
    let mut message = read("spacetimedb/messages/v2-tx-u32-100.none.bin");
    message.pop();
    let run = run(&["-", "--as", "server-v2", "--limit", "3"], &message);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("input ends early"), "{}", run.stdout);
}

#[test]
fn long_strings_are_cut_between_characters() {
    // v2 SubscriptionError: "é" 100 times.
    let mut message = vec![0, 3, 1, 1, 0, 0, 0, 200, 0, 0, 0];
    message.extend("é".repeat(100).as_bytes());
    let report = report(&["--text", "5"], &message);
    let error = &report["tree"][1]["children"][2];
    assert_eq!((&error["start"], &error["len"]), (&"éé".into(), &200.into()), "{report:#}");
}

/// What a message says is printed, and does nothing to the terminal.
#[test]
fn strings_are_escaped() {
    let mut message = vec![0, 3, 1, 1, 0, 0, 0, 9, 0, 0, 0];
    message.extend(b"\x1b[2J\n\r\x07\x7f!");
    let run = run(&["-", "--input", "raw"], &message);
    assert_eq!(run.code, 0);
    let odd = |letter: char| letter.is_control() && letter != '\n';
    assert!(!run.stdout.contains(odd) && run.stdout.contains("\\u{1b}[2J\\n"), "{}", run.stdout);
}

/// A count of 2^32 - 1 rows or tables ends at once.
#[test]
fn counts_without_bytes_end_at_once() {
    let report = report(&["--as", "server-v2"], &[0, 4, 0xff, 0xff, 0xff, 0xff]);
    assert_eq!(report["complaints"][0]["at"], 2);
    assert_eq!(report["complaints"][0]["got"], "4294967295");
    assert_eq!(report["complaints"][0]["in"], "message.query_sets");
}

/// A hundred rows that are too short: each is counted, and no more than twenty are printed.
#[test]
fn complaints_are_counted_and_not_all_printed() {
    let schema = super::data("inspect/player.json");
    let arguments = ["--schema", schema.to_str().unwrap(), "--table", "other", "--as", "row-list"];
    let list = [&[0, 1, 0, 100, 0, 0, 0][..], &[7; 100]].concat();
    let found = report(&arguments, &list);
    assert_eq!(found["errors"], 100);
    assert_eq!(found["complaints"].as_array().unwrap().len(), 20);
    let text = run(&[&["-", "--input", "raw"], &arguments[..]].concat(), &list).stdout;
    assert!(text.contains("... and 80 more complaints\n100 errors\n"), "{text}");
}

/// Version 1: one table with one update, compressed on its own.
#[cfg(feature = "gzip")]
pub(crate) fn compressed_update(update: &[u8]) -> Vec<u8> {
    let len = u16::try_from(update.len()).unwrap();
    let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(update);
    let mut member = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 1];
    member.extend([len.to_le_bytes(), (!len).to_le_bytes()].concat());
    member.extend(update);
    member.extend([crc.to_le_bytes(), u32::from(len).to_le_bytes()].concat());
    let mut message = vec![0, 2, 9, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, b't'];
    message.extend([0; 8]);
    message.extend([1, 0, 0, 0, 2]);
    message.extend(u32::try_from(member.len()).unwrap().to_le_bytes());
    message.extend(member);
    message
}

#[cfg(feature = "gzip")]
#[test]
fn offsets_in_what_was_inflated_count_from_its_start() {
    let update = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 0, 0, 7, 0];
    let sound = report(&[], &compressed_update(&update));
    assert_eq!((&sound["kind"], &sound["sound"]), (&"server-v1".into(), &true.into()), "{sound:#}");
    for (damaged, at, message) in [
        ([&update[..], &[0, 0]].concat(), 18, "2 bytes left after the value"),
        (update[..17].to_vec(), 16, "input ends early: 2 bytes needed, 1 left"),
        ([&[9][..], &update[1..]].concat(), 0, "0x9 is no variant of RowSizeHint"),
    ] {
        let found = report(&["--as", "server-v1"], &compressed_update(&damaged));
        let complaint = &found["complaints"][0];
        assert_eq!((&found["errors"], &complaint["inflated"]), (&1.into(), &1.into()), "{found:#}");
        assert_eq!((&complaint["at"], &complaint["message"]), (&at.into(), &message.into()));
    }
    // And damage to the member itself is named by where it is in the payload.
    let mut message = compressed_update(&update);
    let last = message.len() - 1;
    message[last - 4] ^= 1;
    let found = report(&["--as", "server-v1"], &message);
    assert!(
        found["complaints"][0]["message"].as_str().unwrap().starts_with("checksum"),
        "{found:#}"
    );
    assert_eq!(found["complaints"][0]["inflated"], 0);
}

#[cfg(feature = "gzip")]
#[test]
fn a_bomb_is_not_inflated() {
    let message = read("spacetimedb/messages/v2-tx-u32-10000.gzip.bin");
    let small = report(&["--max-inflated", "1000", "--as", "server-v2"], &message);
    let text = small["complaints"][0]["message"].as_str().unwrap();
    assert!(text.contains("--max-inflated"), "{small:#}");
    assert_eq!(report(&["--limit", "1"], &message)["sound"], true);
}

#[cfg(not(feature = "gzip"))]
#[test]
fn the_feature_that_is_missing_is_named() {
    let message = read("spacetimedb/messages/v2-tx-u32-10000.gzip.bin");
    let run = run(&["-", "--input", "raw"], &message);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("enable the feature `gzip`"), "{}", run.stdout);
}
