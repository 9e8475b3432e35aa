//! The tool finds what the library finds, at the same byte.

use onewrite::bsatn::Decode;
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::render_batch::BatchView;
use onewrite::spacetimedb::{v1, v2, v3};
use serde_json::Value as Json;

use super::{Numbers, bytes_of, data, messages, read, read_json, report};

/// What the library says about a message that is not compressed.
fn verdict(kind: &str, bytes: &[u8]) -> Result<(), DecodeError> {
    let server = kind.starts_with("server");
    let body = if server { bytes.get(1..).unwrap_or_default() } else { bytes };
    let result = match kind {
        "server-v1" => v1::ServerMessage::from_slice(body).map(|_| ()),
        "server-v2" => v2::ServerMessage::from_slice(body).map(|_| ()),
        "server-v3" => v3::ServerMessages::new(body)
            .and_then(|mut messages| messages.try_for_each(|message| message.map(|_| ()))),
        "client-v1" => v1::ClientMessage::from_slice(body).map(|_| ()),
        "client-v2" => v2::ClientMessage::from_slice(body).map(|_| ()),
        other => panic!("{other}"),
    };
    result.map_err(|error| error.shifted(usize::from(server)))
}

/// Fails where the errors of a report are not this one.
///
/// The library leaves an update alone that is compressed on its own, and the tool does not.
fn agree(what: &str, wanted: Result<(), DecodeError>, report: &Json) {
    let inflating = |complaint: &&Json| {
        let inside = complaint["inflated"] != 0;
        let path = complaint["in"].as_str().unwrap();
        let update = path.contains("updates[") && path.ends_with(']');
        inside || (update && complaint.get("expected").is_none())
    };
    let complaints = report["complaints"].as_array().unwrap();
    let found: Vec<_> = complaints
        .iter()
        .filter(|complaint| complaint["severity"] == "error" && !inflating(complaint))
        .map(|complaint| {
            (complaint["at"].as_u64().unwrap(), complaint["message"].as_str().unwrap())
        })
        .collect();
    let error =
        wanted.err().map(|error| (u64::try_from(error.at).unwrap(), error.kind.to_string()));
    let wanted: Vec<_> = error.iter().map(|(at, message)| (*at, message.as_str())).collect();
    assert_eq!(found, wanted, "{what}: {report:#}");
}

#[test]
fn every_message_is_found_out_and_sound() {
    let (mut plain, mut inflated) = (0, 0);
    for (name, kind, compressed, bytes) in messages(100_000) {
        let built_in = match bytes.first() {
            Some(1) if compressed => cfg!(feature = "brotli"),
            Some(2) if compressed => cfg!(feature = "gzip"),
            _ => true,
        };
        let inner = name.contains("-gzip-") || name.contains("-brotli-");
        if !built_in || (inner && !cfg!(all(feature = "gzip", feature = "brotli"))) {
            continue;
        }
        let report = report(&["--limit", "5"], &bytes);
        assert_eq!(report["kind"], kind, "{name}: {report:#}");
        assert_eq!(report["complaints"].as_array().unwrap().len(), 0, "{name}: {report:#}");
        if compressed {
            inflated += 1;
        } else {
            plain += 1;
        }
    }
    assert!(plain >= 40, "{plain}");
    assert!(inflated >= 50 || !cfg!(all(feature = "gzip", feature = "brotli")), "{inflated}");
}

#[test]
fn damaged_messages_are_refused_as_the_library_refuses_them() {
    let mut numbers = Numbers(1);
    let (mut refused, mut taken) = (0, 0);
    for (name, kind, compressed, bytes) in messages(4_000) {
        if compressed || name.contains("-gzip-") || name.contains("-brotli-") {
            continue;
        }
        for _ in 0..30 {
            let mut damaged = numbers.damage(&bytes);
            if kind.starts_with("server") {
                // Another compression is another test.
                match damaged.first_mut() {
                    Some(first) => *first = 0,
                    None => continue,
                }
            }
            let wanted = verdict(kind, &damaged);
            if wanted.is_ok() {
                taken += 1;
            } else {
                refused += 1;
            }
            let report = report(&["--as", kind, "--limit", "3"], &damaged);
            agree(&name, wanted, &report);
        }
    }
    assert!(refused > 500 && taken > 100, "{refused} refused, {taken} taken");
}

#[test]
fn every_truncation_is_refused_at_the_same_byte() {
    for (name, kind, _, bytes) in messages(120).into_iter().filter(|message| !message.2) {
        for len in 1..bytes.len() {
            let cut = &bytes[..len];
            agree(&name, verdict(kind, cut), &report(&["--as", kind, "--limit", "0"], cut));
        }
    }
}

/// Bytes that inflate whole are a server's, whatever is wrong inside.
#[cfg(feature = "gzip")]
#[test]
fn what_inflates_is_a_servers() {
    let update = super::limits::compressed_update(&[0; 14]);
    // The member as a whole payload: an update alone is no message.
    let payload = [&[2][..], &update[36..]].concat();
    let found = report(&[], &payload);
    let kind = found["kind"].as_str().unwrap();
    assert!(kind.starts_with("server") && found["fits"] == false, "{found:#}");
    assert_eq!(found["tree"][1]["len"], 14, "{found:#}");
}

/// A batch is known by its trailer; zeros at the end of something else are none.
#[test]
fn zeros_are_no_trailer() {
    let message = [&[0, 4][..], &[0; 80]].concat();
    let found = report(&[], &message);
    assert!(found["kind"] != "render-batch" && found["fits"] == false, "{found:#}");
}

/// Tags, flags and counts one and two too high, and as high as can be.
#[test]
fn every_byte_is_judged_as_the_library_judges_it() {
    for (name, kind, _, bytes) in messages(120).into_iter().filter(|message| !message.2) {
        for at in usize::from(kind.starts_with("server"))..bytes.len() {
            for value in [bytes[at].wrapping_add(1), bytes[at].wrapping_add(2), 0xff] {
                let mut changed = bytes.clone();
                changed[at] = value;
                let report = report(&["--as", kind, "--limit", "0"], &changed);
                agree(&name, verdict(kind, &changed), &report);
            }
        }
    }
}

/// The shortest message of each variant, all of whose numbers are 0, and whatever is made of it by
/// changing a byte or leaving some out.
#[test]
fn every_variant_is_judged_as_the_library_judges_it() {
    for (kind, variants) in
        [("server-v1", 11), ("server-v2", 8), ("client-v1", 8), ("client-v2", 5)]
    {
        for tag in 0..=variants {
            let start: &[u8] = if kind.starts_with("server") { &[0, tag] } else { &[tag] };
            let long = [start, &[0; 200]].concat();
            let error = verdict(kind, &long).unwrap_err();
            let DecodeErrorKind::TrailingBytes { .. } = error.kind else {
                assert_eq!(tag, variants, "{kind}: {error}");
                agree(kind, Err(error), &report(&["--as", kind], &long));
                continue;
            };
            let message = &long[..error.at];
            agree(kind, verdict(kind, message), &report(&["--as", kind], message));
            assert_eq!(verdict(kind, message), Ok(()));
            for at in start.len()..message.len() {
                let cut = &message[..at];
                agree(kind, verdict(kind, cut), &report(&["--as", kind], cut));
                for value in [1, 2, 0xff] {
                    let mut changed = message.to_vec();
                    changed[at] = value;
                    agree(kind, verdict(kind, &changed), &report(&["--as", kind], &changed));
                }
            }
        }
    }
}

#[test]
fn live_payloads_are_what_they_were_recorded_as() {
    let index = String::from_utf8(read("spacetimedb_live/index.jsonl")).unwrap();
    let (mut checked, mut messages) = (0, 0);
    for line in index.lines() {
        let entry: Json = serde_json::from_str(line).unwrap();
        let session = entry["session"].as_str().unwrap();
        let server = entry["dir"] == "s2c";
        let compression = entry["compression_used"].as_str();
        let built_in = (cfg!(feature = "gzip") || compression != Some("gzip"))
            && (cfg!(feature = "brotli") || compression != Some("brotli"));
        let len = entry["len"].as_u64().unwrap_or(u64::MAX);
        // Each run costs some milliseconds: not all of them.
        if !built_in || session.starts_with("err") || len > 3_000 || checked >= 300 {
            continue;
        }
        let (Some(file), Some(at)) = (entry["file"].as_str(), entry["offset"].as_u64()) else {
            continue;
        };
        let at = usize::try_from(at).unwrap();
        let bytes =
            &read(format!("spacetimedb_live/{file}"))[at..][..usize::try_from(len).unwrap()];
        let protocol = entry["protocol"].as_str().unwrap();
        let kind = format!("{}-{protocol}", if server { "server" } else { "client" });
        let report = report(&["--as", &kind, "--limit", "40"], bytes);
        assert_eq!(report["errors"], 0, "{line}: {report:#}");
        if let (true, Some(kinds)) = (protocol != "v3", entry["kinds"].as_array()) {
            let message = match &report["tree"][0]["value"] {
                Json::String(none) if none == "none" => &report["tree"][1],
                _ => &report["tree"][1]["children"][0],
            };
            assert_eq!(message["value"], kinds[0], "{line}: {report:#}");
            messages += 1;
        }
        checked += 1;
    }
    assert!(checked >= 100 && messages >= 50, "{checked} payloads, {messages} kinds");
}

#[test]
fn batches_are_sound_and_damaged_ones_are_not() {
    let (mut sound, mut refused, mut excused) = (0, 0, 0);
    for entry in std::fs::read_dir(data("render_batch")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let vector: Json = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let Some(hex) = vector["hex"].as_str().filter(|hex| hex.len() < 20_000) else { continue };
        let report = report(&["--limit", "20"], &bytes_of(hex));
        assert_eq!(report["kind"], "render-batch", "{}", path.display());
        assert_eq!(report["errors"], 0, "{}: {report:#}", path.display());
        sound += 1;
    }
    for case in read_json("render_batch/malformed/malformed.json").as_array().unwrap() {
        let bytes = bytes_of(case["hex"].as_str().unwrap());
        let strict = BatchView::strict(&bytes).map(|_| ());
        let lenient = BatchView::lenient(&bytes).map(|_| ());
        let name = case["name"].as_str().unwrap();
        let arguments = ["--as", "render-batch", "--limit", "20"];
        let found = report(&arguments, &bytes);
        if lenient.is_ok() {
            assert!(found["errors"] == 0 && found["notes"] != 0, "{name}: {found:#}");
            excused += 1;
        } else {
            agree(name, lenient, &found);
            refused += 1;
        }
        let found = report(&[&arguments[..], &["--strict"]].concat(), &bytes);
        let complaint = &found["complaints"][0];
        // Where both readers refuse, it is the lenient one's word that is printed.
        let error = lenient.err().or(strict.err()).unwrap();
        assert_eq!(complaint["at"].as_u64(), u64::try_from(error.at).ok(), "{name}: {found:#}");
    }
    assert!(sound > 80 && refused > 50 && excused == 3, "{sound}, {refused}, {excused}");
}
