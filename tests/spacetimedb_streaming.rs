//! Messages in pieces say what the whole of them says, wherever they are cut.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "spacetimedb_streaming/cuts.rs"]
mod cuts;
#[path = "spacetimedb_streaming/whole.rs"]
mod whole;

use std::fs;
use std::mem::discriminant;
use std::path::{Path, PathBuf};

use onewrite::bsatn::{
    Decode, Encode, RowCut, RowListStream, RowListWriter, RowsEvent, StreamError, StreamErrorKind,
};
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::spacetimedb::stream::{Event, MessageStream, Version};
use onewrite::spacetimedb::{Payload, v1, v2, v3};
use serde_json::Value as Json;

use whole::{Said, Whole};

/// The longest row of the captures has 260 bytes.
const BUFFER: usize = 512;

/// What tells rows of different lengths apart.
#[derive(Clone, Copy, Debug, PartialEq)]
enum How<'c> {
    Lend,
    Cut(&'c [Option<RowCut>]),
    Skip,
}

/// What a stream says of a body that comes in `pieces`.
fn streamed<'b>(
    version: Version,
    pieces: impl IntoIterator<Item = &'b [u8]>,
    how: How<'_>,
    room: &mut [u32],
) -> Result<Vec<Said>, StreamError> {
    let mut stream = MessageStream::<BUFFER>::new(version);
    if how == How::Lend {
        stream.lend(room);
    }
    let (mut said, mut lists) = (Vec::new(), 0);
    for mut piece in pieces {
        while let Some(event) = stream.next(&mut piece)? {
            match event {
                Event::Text { of, piece, .. } => match said.last_mut() {
                    Some(Said::Text(last, text)) if *last == of => text.push_str(piece),
                    _ => said.push(Said::Text(of, piece.to_owned())),
                },
                Event::Bytes { of, piece, .. } => match said.last_mut() {
                    Some(Said::Bytes(last, bytes)) if *last == of => bytes.extend(piece),
                    _ => said.push(Said::Bytes(of, piece.to_vec())),
                },
                Event::Rows(rows) => {
                    assert!(!rows.is_empty());
                    match said.last_mut() {
                        Some(Said::Rows(count, bytes)) => {
                            *count += rows.len();
                            bytes.extend(rows.data());
                        }
                        _ => said.push(Said::Rows(rows.len(), rows.data().to_vec())),
                    }
                }
                event => {
                    said.push(Said::Event(format!("{event:?}")));
                    if matches!(event, Event::BeginRows { .. }) {
                        match how {
                            How::Lend => {}
                            How::Cut(cuts) => match cuts.get(lists).copied().flatten() {
                                Some(cut) => stream.cut_by(cut),
                                None => stream.skip(),
                            },
                            How::Skip => stream.skip(),
                        }
                        lists += 1;
                    }
                }
            }
        }
        assert!(piece.is_empty(), "bytes were left");
    }
    stream.finish()?;
    Ok(said)
}

/// What the view of the whole body says.
fn whole(version: Version, body: &[u8]) -> Result<Whole, DecodeError> {
    let mut whole = Whole::default();
    match version {
        Version::V1 => whole.v1(&v1::ServerMessage::from_slice(body)?),
        Version::V2 => whole.v2(&v2::ServerMessage::from_slice(body)?),
        _ => {
            for message in v3::ServerMessages::new(body)? {
                whole.v2(&message?);
            }
        }
    }
    Ok(whole)
}

fn version(protocol: &str) -> Version {
    match protocol {
        "v1" => Version::V1,
        "v2" => Version::V2,
        _ => Version::V3,
    }
}

/// Every way to read `body` says what the whole says.
fn compare(name: &str, version: Version, body: &[u8], most_splits: usize) {
    let expected = whole(version, body).unwrap_or_else(|error| panic!("{name}: {error}"));
    if expected.compressed {
        let error = streamed(version, [body], How::Skip, &mut []).unwrap_err();
        let what = DecodeErrorKind::Unsupported { what: "compressed update in pieces" };
        assert_eq!(error.kind, StreamErrorKind::Decode(what), "{name}");
        return;
    }
    let mut room = vec![0; expected.offsets];
    let unread: Vec<_> =
        expected.said.iter().filter(|said| !matches!(said, Said::Rows(..))).cloned().collect();
    let mut check = |pieces: &[&[u8]]| {
        let pieces = || pieces.iter().copied();
        let found = streamed(version, pieces(), How::Lend, &mut room);
        assert!(found.as_ref() == Ok(&expected.said), "{name}: lent, {found:?}");
        let found = streamed(version, pieces(), How::Skip, &mut []);
        assert!(found.as_ref() == Ok(&unread), "{name}: skipped, {found:?}");
        if expected.cuts.iter().all(Option::is_some) {
            let found = streamed(version, pieces(), How::Cut(&expected.cuts), &mut []);
            assert!(found.as_ref() == Ok(&expected.said), "{name}: cut, {found:?}");
        }
    };
    check(&[body]);
    check(&body.chunks(4096).collect::<Vec<_>>());
    check(&body.chunks(1).collect::<Vec<_>>());
    check(&body.chunks(7).flat_map(|piece| [&[][..], piece]).collect::<Vec<_>>());
    let step = body.len().div_ceil(most_splits).max(1);
    for at in (0..=body.len()).step_by(step) {
        check(&[&body[..at], &body[at..]]);
    }
    // However far apart the splits are, in the head they are dense.
    for at in 0..=body.len().min(most_splits).min(100) {
        check(&[&body[..at], &body[at..]]);
    }
}

/// The vectors in `folder` of the repository, or of `$ONEWRITE_VECTORS` where that is set.
fn data(folder: &str) -> PathBuf {
    match std::env::var_os("ONEWRITE_VECTORS") {
        Some(vectors) => PathBuf::from(vectors).join(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(folder),
    }
}

/// What a payload holds, inflated where that is built in.
fn body_of(payload: &[u8]) -> Option<Vec<u8>> {
    match Payload::new(payload).ok()? {
        Payload::Plain(body) => Some(body.to_vec()),
        compressed => {
            let mut room = vec![0; 4 << 20];
            compressed.decompress(&mut room).ok().map(<[u8]>::to_vec)
        }
    }
}

/// The bodies of the vectors, by name, and a large update whose rows differ in length.
fn vectors() -> Vec<(String, Version, Vec<u8>)> {
    let folder = data("spacetimedb");
    let text = fs::read_to_string(folder.join("messages.json")).unwrap();
    let cases: Vec<Json> = serde_json::from_str(&text).unwrap();
    let mut bodies = vec![("mixed".to_owned(), Version::V2, large_update())];
    for case in cases {
        let Some(file) = case["file"].as_str() else { continue };
        if case["direction"] == "client" {
            continue;
        }
        if let Some(body) = body_of(&fs::read(folder.join(file)).unwrap()) {
            bodies.push((file.to_owned(), version(case["protocol"].as_str().unwrap()), body));
        }
    }
    bodies
}

/// An update of 3,000 rows with strings of 0 to 16 bytes.
fn large_update() -> Vec<u8> {
    let name = "0123456789abcdef";
    let rows: Vec<_> = (0..3000u32)
        .map(|id| (id, u64::from(id) << 20, -7i32, &name[..id as usize % (name.len() + 1)]))
        .collect();
    let head = (4u8, 1u32, 9u32, 1u32, "mixed", 1u32, 0u8);
    let mut body = vec![0; 200_000];
    let len = (head, RowListWriter::new(&rows), RowListWriter::new(&rows[..0]))
        .encode_to_slice(&mut body)
        .unwrap();
    body.truncate(len);
    body
}

#[test]
fn a_vector_in_pieces_says_what_the_whole_says() {
    let bodies = vectors();
    // Those that are compressed as well, where they can be inflated.
    let least = if cfg!(all(feature = "gzip", feature = "brotli")) { 120 } else { 50 };
    assert!(bodies.len() >= least || std::env::var_os("ONEWRITE_VECTORS").is_some());
    for (name, version, body) in bodies {
        // Every split point, as far as that takes no minutes.
        let splits = if body.len() <= 1500 { body.len() } else { 60_000 / body.len() + 1 };
        compare(&name, version, &body, splits);
    }
}

/// Whether the events of two streams say the same is asked of a whole one here, so that every split
/// point of the largest vectors takes minutes and not hours.
#[test]
#[ignore = "takes minutes: cargo test --release --all-features --test spacetimedb_streaming -- --ignored"]
fn every_vector_at_every_split_point_says_what_the_whole_says() {
    for (name, version, body) in vectors() {
        let Ok(expected) = whole(version, &body) else { continue };
        if expected.compressed {
            continue;
        }
        let mut room = vec![0; expected.offsets];
        for at in 0..=body.len() {
            let pieces = [&body[..at], &body[at..]];
            let found = streamed(version, pieces, How::Lend, &mut room);
            assert!(found.as_ref() == Ok(&expected.said), "{name}: lent, at {at}: {found:?}");
        }
        println!("{name}: {} split points", body.len() + 1);
    }
}

#[test]
fn a_capture_in_pieces_says_what_the_whole_says() {
    let folder = data("spacetimedb_live");
    let index = fs::read_to_string(folder.join("index.jsonl")).unwrap();
    let mut bodies = 0;
    for line in index.lines() {
        let line: Json = serde_json::from_str(line).unwrap();
        if line["dir"] != "s2c" || line["what"].is_string() || line["omitted"] == true {
            continue;
        }
        let bytes = fs::read(folder.join(line["file"].as_str().unwrap())).unwrap();
        let number = |name: &str| usize::try_from(line[name].as_u64().unwrap()).unwrap();
        let bytes = &bytes[number("offset")..][..number("len")];
        let Some(body) = body_of(bytes) else { continue };
        let name = format!("{} {}", line["file"], line["offset"]);
        compare(&name, version(line["protocol"].as_str().unwrap()), &body, 3);
        bodies += 1;
    }
    assert!(bodies > 300, "{bodies} bodies");
}

#[test]
fn every_truncation_is_noticed() {
    for (name, version, body) in vectors().into_iter().filter(|(_, _, body)| body.len() < 700) {
        let Ok(expected) = whole(version, &body) else { continue };
        if expected.compressed {
            continue;
        }
        for len in 0..body.len() {
            let cut = &body[..len];
            let by_one = streamed(version, cut.chunks(1), How::Skip, &mut []);
            let at_once = streamed(version, [cut], How::Skip, &mut []);
            assert_eq!(by_one.is_ok(), whole(version, cut).is_ok(), "{name}: {len}: {by_one:?}");
            assert_eq!(by_one, at_once, "{name}: {len}");
        }
    }
}

/// Whether a stream may notice this later than the view does, or elsewhere.
fn depends_on_what_follows(kind: DecodeErrorKind) -> bool {
    use DecodeErrorKind as Kind;
    matches!(
        kind,
        // The input, or the data of a list, is not that long.
        Kind::CountTooLarge { .. }
            | Kind::EndOfInput { .. }
            | Kind::TrailingBytes { .. }
            | Kind::BadPosition { .. }
    )
}

/// Rows of a damaged body, cut by the types of the body as it was: they are those of the view, or
/// there is an error, and the pieces make no difference.
fn damaged_cuts(
    name: &str,
    version: Version,
    body: &[u8],
    cuts: &[Option<RowCut>],
    expected: &Result<Whole, DecodeError>,
) {
    let results: Vec<_> = [1, 3, 64, body.len()]
        .iter()
        .map(|size| streamed(version, body.chunks(*size), How::Cut(cuts), &mut []))
        .collect();
    for result in &results {
        match (result, expected) {
            (Ok(said), Ok(whole)) if whole.cuts.len() == cuts.len() => {
                let rows = |said: &[Said]| -> Vec<Said> {
                    said.iter().filter(|said| matches!(said, Said::Rows(..))).cloned().collect()
                };
                // Lists that no type is known of are skipped.
                if cuts.iter().all(Option::is_some) {
                    assert_eq!(rows(said), rows(&whole.said), "{name}");
                }
            }
            (Ok(_), Err(error)) => panic!("{name}: accepted, not {error}"),
            _ => {}
        }
        let at = |result: &Result<_, StreamError>| result.as_ref().err().map(|error| error.at);
        assert_eq!(at(result), at(&results[0]), "{name}: {results:?}");
    }
}

#[test]
fn damage_is_found_where_the_view_finds_it() {
    let mut found = 0;
    for (name, version, body) in vectors().into_iter().filter(|(_, _, body)| body.len() < 300) {
        let cuts = whole(version, &body).unwrap().cuts;
        for bit in 0..body.len() * 8 {
            let mut body = body.clone();
            body[bit / 8] ^= 1 << (bit % 8);
            let expected = whole(version, &body);
            let room = expected.as_ref().map_or(4096, |whole| whole.offsets);
            let mut room = vec![0; room];
            let mut results = Vec::new();
            for size in [1, 3, 64, body.len()] {
                results.push(streamed(version, body.chunks(size), How::Lend, &mut room));
            }
            for result in &results {
                // How much of what is too long was there depends on the pieces.
                let verdict = |result: &Result<_, StreamError>| {
                    result.as_ref().err().map(|error| (error.at, discriminant(&error.kind)))
                };
                let same = result == &results[0] || verdict(result) == verdict(&results[0]);
                assert!(same, "{name}: bit {bit}: {results:?}");
            }
            damaged_cuts(&name, version, &body, &cuts, &expected);
            match (expected, &results[0]) {
                (Ok(whole), _) if whole.compressed => {}
                (Ok(whole), Ok(said)) => assert!(whole.said == *said, "{name}: bit {bit}"),
                (Ok(_), Err(error)) => {
                    let is_limit = matches!(error.kind, StreamErrorKind::NeedsBuffer { .. });
                    assert!(is_limit, "{name}: bit {bit}: {error}");
                }
                (Err(expected), Ok(_)) => panic!("{name}: bit {bit}: accepted, not {expected}"),
                (Err(expected), Err(error)) => {
                    if depends_on_what_follows(expected.kind) {
                        continue;
                    }
                    match error.kind {
                        StreamErrorKind::Decode(kind) => {
                            assert_eq!(
                                (error.at, kind),
                                (expected.at, expected.kind),
                                "{name}: bit {bit}"
                            );
                            found += 1;
                        }
                        StreamErrorKind::NeedsBuffer { .. } => {}
                        other => panic!("{name}: bit {bit}: {other:?}, not {expected}"),
                    }
                }
            }
        }
    }
    assert!(found > 500, "{found}");
}

/// A list of strings, `a` and `bcd`, in two rows that differ in length.
const NAMES: &[u8] = b"\x01\x02\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0\x0c\0\0\0\
    \x01\0\0\0a\x03\0\0\0bcd";

/// The rows of `list` in pieces of `size` bytes, cut by the type of strings.
fn names(list: &[u8], size: usize) -> Result<Vec<Vec<u8>>, StreamError> {
    let mut stream = RowListStream::<32>::new();
    let mut rows = Vec::new();
    for mut piece in list.chunks(size) {
        while let Some(event) = stream.next(&mut piece)? {
            match event {
                RowsEvent::Begin { .. } => stream.cut_by(|row| <&str>::decode(row).map(drop)),
                RowsEvent::Rows(some) => rows.extend(some.rows().map(<[u8]>::to_vec)),
                _ => {}
            }
        }
    }
    stream.finish()?;
    Ok(rows)
}

#[test]
fn rows_that_end_elsewhere_than_the_list_says_are_no_rows() {
    for size in 1..NAMES.len() {
        let rows = names(NAMES, size).unwrap();
        assert_eq!(rows, [&b"\x01\0\0\0a"[..], b"\x03\0\0\0bcd"]);
        // The second row begins a byte earlier than the first one ends.
        let mut other = NAMES.to_vec();
        other[13] = 4;
        let error = names(&other, size).unwrap_err();
        assert_eq!((error.at, error.kind), (25, StreamErrorKind::OffsetsDiffer));
        // There are bytes behind the last row.
        let mut other = NAMES.to_vec();
        other[21] = 13;
        other.push(0);
        let error = names(&other, size).unwrap_err();
        assert_eq!((error.at, error.kind), (25, StreamErrorKind::OffsetsDiffer));
        // The last row does not fit the data: of the type's errors this one is kept.
        let mut other = NAMES.to_vec();
        other[30] = 4;
        let error = names(&other, size).unwrap_err();
        assert_eq!(error.at, 34);
        assert!(matches!(
            error.kind,
            StreamErrorKind::Decode(DecodeErrorKind::EndOfInput { needed: 4, .. })
        ));
    }
}

#[test]
fn an_offset_behind_the_data_is_refused() {
    let mut list = NAMES.to_vec();
    list[13] = 13;
    let outside = DecodeErrorKind::BadPosition { table: "rows", position: 13 };
    let expected = StreamError::new(13, StreamErrorKind::Decode(outside));
    assert_eq!(names(&list, 3), Err(expected));
    let mut room = [0; 2];
    let mut stream = RowListStream::<32>::new();
    stream.lend(&mut room);
    let mut piece = &list[..];
    assert_eq!(stream.next(&mut piece), Ok(Some(RowsEvent::Begin { rows: 2 })));
    assert_eq!(stream.next(&mut piece), Err(expected));
}

#[test]
fn a_list_that_needs_offsets_says_so_and_goes_on_with_them() {
    let mut room = [0; 2];
    let mut stream = RowListStream::<32>::new();
    let mut piece = NAMES;
    assert_eq!(stream.next(&mut piece), Ok(Some(RowsEvent::Begin { rows: 2 })));
    let error = stream.next(&mut piece).unwrap_err();
    assert_eq!((error.at, error.kind), (5, StreamErrorKind::NeedsOffsets { rows: 2 }));
    stream.lend(&mut room);
    for expected in [&b"\x01\0\0\0a"[..], b"\x03\0\0\0bcd"] {
        let Ok(Some(RowsEvent::Rows(rows))) = stream.next(&mut piece) else { panic!("no row") };
        assert!(rows.rows().eq([expected]), "{rows:?}");
    }
    assert_eq!(stream.next(&mut piece), Ok(Some(RowsEvent::End)));
    assert_eq!(stream.next(&mut piece), Ok(None));
    assert_eq!(stream.finish(), Ok(()));
}

#[test]
fn a_row_longer_than_the_buffer_is_refused_however_the_pieces_fall() {
    let mut long = b"\x01\x01\0\0\0\0\0\0\0\0\0\0\0\x2a\0\0\0\x26\0\0\0".to_vec();
    long.extend([b'x'; 38]);
    for size in [1, 5, 40, long.len()] {
        let error = names(&long, size).unwrap_err();
        assert_eq!((error.at, error.kind), (17, StreamErrorKind::NeedsBuffer { at_least: 42 }));
    }
    let fixed = [&[0, 33, 0, 33, 0, 0, 0][..], &[1; 33]].concat();
    for size in [1, 5, fixed.len()] {
        let error = names(&fixed, size).unwrap_err();
        assert_eq!((error.at, error.kind), (7, StreamErrorKind::NeedsBuffer { at_least: 33 }));
    }
}

#[test]
fn an_error_stays_until_the_stream_is_reset() {
    let mut stream = MessageStream::<32>::new(Version::V2);
    let error = stream.next(&mut &b"\x09"[..]).unwrap_err();
    assert_eq!(error.at, 0);
    assert_eq!(stream.next(&mut &b"\x03"[..]).unwrap_err(), error);
    assert_eq!(stream.finish().unwrap_err(), error);
    stream.reset();
    let body = b"\x03\x01\x09\0\0\0\x02\0\0\0no";
    let mut piece = &body[..];
    while stream.next(&mut piece).unwrap().is_some() {}
    assert_eq!(stream.finish(), Ok(()));
    // Version 2 has one message a payload, version 3 any number.
    let error = stream.next(&mut &body[..]).unwrap_err();
    let extra = StreamErrorKind::Decode(DecodeErrorKind::TrailingBytes { extra: body.len() });
    assert_eq!((error.at, error.kind), (body.len(), extra));
}

#[test]
fn a_text_is_cut_between_characters() {
    let body = "\x03\x01\x09\0\0\0\x09\0\0\0aé€😀".replace("\x09\0\0\0a", "\x0a\0\0\0a");
    for size in 1..=body.len() {
        let mut stream = MessageStream::<32>::new(Version::V2);
        let (mut text, mut last) = (String::new(), None);
        for mut piece in body.as_bytes().chunks(size) {
            while let Some(event) = stream.next(&mut piece).unwrap() {
                if let Event::Text { piece, left, .. } = event {
                    text.push_str(piece);
                    last = Some(left);
                }
            }
        }
        stream.finish().unwrap();
        assert_eq!((text.as_str(), last), ("aé€😀", Some(0)));
    }
}

#[test]
fn a_wrong_row_longer_than_the_buffer_is_one_however_the_pieces_fall() {
    // A string of 35 bytes and a bool that is none.
    let mut list = b"\x01\x01\0\0\0\0\0\0\0\0\0\0\0\x28\0\0\0\x23\0\0\0".to_vec();
    list.extend([b'x'; 35]);
    list.push(9);
    for size in [1, 30, 45, list.len()] {
        let mut stream = RowListStream::<32>::new();
        let mut failed = None;
        for mut piece in list.chunks(size) {
            while failed.is_none() {
                match stream.next(&mut piece) {
                    Ok(Some(_)) => stream.cut_by(|row| <(&str, bool)>::decode(row).map(drop)),
                    Ok(None) => break,
                    Err(error) => failed = Some((error.at, error.kind)),
                }
            }
        }
        assert_eq!(failed, Some((17, StreamErrorKind::NeedsBuffer { at_least: 39 })), "{size}");
    }
}

#[test]
fn what_is_lent_in_a_list_holds_from_the_next_one_on() {
    let mut short = [0; 2];
    let mut long = [0; 3];
    let three = b"\x01\x03\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x04\0\0\0abcd";
    let mut stream = RowListStream::<32>::new();
    stream.lend(&mut short);
    let mut piece = NAMES;
    assert_eq!(stream.next(&mut piece), Ok(Some(RowsEvent::Begin { rows: 2 })));
    assert!(matches!(stream.next(&mut piece), Ok(Some(RowsEvent::Rows(_)))));
    stream.lend(&mut long);
    while stream.next(&mut piece).unwrap().is_some() {}
    let (mut piece, mut rows) = (&three[..], 0);
    while let Some(event) = stream.next(&mut piece).unwrap() {
        rows += usize::from(matches!(event, RowsEvent::Rows(_)));
    }
    assert_eq!((rows, stream.finish()), (3, Ok(())));
}

#[test]
fn what_is_said_between_two_lists_is_said_of_none() {
    let mut stream = RowListStream::<32>::new();
    stream.skip();
    stream.cut_by(|row| <&str>::decode(row).map(drop));
    let mut piece = NAMES;
    assert_eq!(stream.next(&mut piece), Ok(Some(RowsEvent::Begin { rows: 2 })));
    let error = stream.next(&mut piece).unwrap_err();
    assert_eq!(error.kind, StreamErrorKind::NeedsOffsets { rows: 2 });
}

#[test]
fn rows_of_a_table_that_nobody_wants_are_skipped_in_all_of_its_lists() {
    let list = |rows: &[u16]| {
        let mut bytes = vec![0; 64];
        let len = RowListWriter::new(rows).encode_to_slice(&mut bytes).unwrap();
        bytes.truncate(len);
        bytes
    };
    let mut body = b"\x04\x01\0\0\0\x09\0\0\0\x02\0\0\0".to_vec();
    for table in *b"ab" {
        body.extend([1, 0, 0, 0, table, 1, 0, 0, 0, 0]);
        body.extend(list(&[7, 8]));
        body.extend(list(&[9]));
    }
    let mut stream = MessageStream::<32>::new(Version::V2);
    let (mut rows, mut lists) = (0, 0);
    for mut piece in body.chunks(3) {
        while let Some(event) = stream.next(&mut piece).unwrap() {
            match event {
                Event::Table("a") => stream.skip_table(),
                Event::Rows(some) => rows += some.len(),
                Event::EndRows => lists += 1,
                _ => {}
            }
        }
    }
    assert_eq!((rows, lists, stream.finish()), (3, 4, Ok(())));
}
