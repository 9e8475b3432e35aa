//! The measured workloads are the golden vectors, in both variants and through both writers.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and the vectors are read as JSON"
)]

#[path = "../examples/throughput/workloads/mod.rs"]
mod workloads;

use core::fmt::Write as _;
use std::path::Path;

use onewrite::render_batch::{BatchProducer, BatchView, encoded_len, write_into};
use onewrite::sink::{self, SliceSink};
use onewrite::string_table::StringTable;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use workloads::{ALL, ARENA_LEN, Arena, BATCH_LEN, Page, STRINGS, Variant, Workload};

fn vector(workload: &Workload) -> Value {
    let name = match workload.name.trim_end_matches("-plain") {
        "ids-5000" => "disposed-chunked-5000",
        name => name,
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/render_batch");
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        write!(text, "{byte:02x}").unwrap();
    }
    text
}

/// Runs `test` on every workload, made in memory of its own.
fn each(test: fn(&Workload, &Page<'_>)) {
    for workload in &ALL {
        let mut memory = vec![0; ARENA_LEN];
        let mut page = Box::new(Page::new(workload.variant, Arena::new(&mut memory)));
        assert!(workload.build(&mut page), "{} does not fit", workload.name);
        test(workload, &page);
    }
}

#[test]
fn a_workload_states_what_its_vector_states() {
    for workload in &ALL {
        let vector = vector(workload);
        let name = workload.name;
        assert_eq!(vector["length"], workload.bytes, "{name}");
        assert_eq!(vector["sha256"], hex(&workload.sha256), "{name}");
        let batch = &vector["batch"];
        let count = |value: &Value| value.as_array().unwrap().len();
        let edits: usize =
            batch["components"].as_array().unwrap().iter().map(|diff| count(&diff["edits"])).sum();
        let mut records = count(&batch["frames"]) + edits;
        if records == 0 {
            records = count(&batch["disposedComponents"]) + count(&batch["disposedEvents"]);
        }
        assert_eq!(records, workload.records, "{name}");
        assert!(count(&vector["strings"]) <= STRINGS, "{name}");
        assert!(workload.bytes <= BATCH_LEN, "{name}");
    }
}

#[test]
fn in_place_a_workload_is_its_vector() {
    let mut table = Box::new(StringTable::<4096>::new());
    let mut seen = 0;
    for workload in &ALL {
        let mut memory = vec![0; ARENA_LEN];
        let mut page = Box::new(Page::new(workload.variant, Arena::new(&mut memory)));
        assert!(workload.build(&mut page), "{} does not fit", workload.name);
        let mut out = vec![0; workload.bytes];
        let diff = page.diff();
        let batch = page.batch(diff.as_slice());
        assert_eq!(write_into(&mut *table, &batch, &mut out), Ok(workload.bytes));
        assert_eq!(hex(&Sha256::digest(&out)), hex(&workload.sha256), "{}", workload.name);
        BatchView::strict(&out).unwrap();
        seen += 1;
    }
    assert_eq!(seen, 13);
}

#[test]
fn as_a_stream_a_workload_is_its_vector() {
    each(|workload, page| {
        let mut table = Box::new(StringTable::<4096>::new());
        let diff = page.diff();
        let batch = page.batch(diff.as_slice());
        assert_eq!(encoded_len(&mut *table, &batch), Ok(workload.bytes));
        let (mut strings, mut out) = (vec![0; STRINGS], vec![0; workload.bytes]);
        let mut sink = SliceSink::new(&mut out);
        let mut producer = BatchProducer::new(&mut *table, &mut strings, &batch).unwrap();
        sink::write_from(&mut sink, &mut producer, &mut [0; 256]).unwrap();
        assert_eq!(hex(&Sha256::digest(&out)), hex(&workload.sha256), "{}", workload.name);
    });
}

#[test]
fn plain_strings_have_an_address_for_each_occurrence() {
    each(|workload, page| {
        let mut addresses: Vec<_> = page
            .frames
            .iter()
            .filter_map(|frame| match frame.view() {
                onewrite::render_batch::FrameView::Element { name, .. } => name,
                onewrite::render_batch::FrameView::Text { content } => content,
                _ => None,
            })
            .map(str::as_ptr)
            .collect();
        let count = addresses.len();
        addresses.sort_unstable();
        addresses.dedup();
        let shares = addresses.len() < count;
        let repeats = count > 2;
        assert_eq!(shares, repeats && workload.variant == Variant::Named, "{}", workload.name);
    });
}

#[test]
fn an_arena_that_is_too_small_is_noticed() {
    let mut memory = [0; 100];
    let mut page = Box::new(Page::new(Variant::Plain, Arena::new(&mut memory)));
    let table = ALL.iter().find(|workload| workload.name == "seed001-table-200-plain").unwrap();
    assert!(!table.build(&mut page));
}
