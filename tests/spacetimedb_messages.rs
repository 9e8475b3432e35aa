//! What a client of SpacetimeDB has to cope with, message by message.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

use hex_literal::hex;
use onewrite::bsatn::{Decode, Encode, RowListWriter, Tail};
use onewrite::compression::{DecompressError, DecompressErrorKind};
use onewrite::error::{DecodeError, DecodeErrorKind, WriteErrorKind};
use onewrite::sink::{CountingSink, SliceSink};
use onewrite::spacetimedb::v2::{ServerMessage, TableUpdateRows};
use onewrite::spacetimedb::{Arguments, MessageError, PAYLOAD_LIMIT, Payload, Queries, v1, v2, v3};

fn bytes<T: Encode>(value: &T) -> Vec<u8> {
    let mut out = vec![0; value.encoded_len()];
    value.encode_to_slice(&mut out).unwrap();
    out
}

fn kind<T: std::fmt::Debug>(result: Result<T, DecodeError>) -> (usize, DecodeErrorKind) {
    let error = result.unwrap_err();
    (error.at, error.kind)
}

/// `ReducerResult` of request 7, `OkEmpty`.
const OK_EMPTY: [u8; 14] = hex!("06 07000000 0000000000000000 01");

/// Case bsatn-01.
#[test]
fn two_messages_in_one_payload_are_an_error_in_version_2_and_two_messages_in_version_3() {
    let both = [OK_EMPTY, OK_EMPTY].concat();
    let trailing = DecodeErrorKind::TrailingBytes { extra: OK_EMPTY.len() };
    assert_eq!(kind(ServerMessage::from_slice(&both)), (OK_EMPTY.len(), trailing));

    let (first, rest) = ServerMessage::take_from(&both).unwrap();
    assert_eq!(rest, OK_EMPTY);
    let messages: Vec<_> = v3::ServerMessages::new(&both).unwrap().map(Result::unwrap).collect();
    assert_eq!(messages, [first, first]);
}

#[test]
fn many_messages_come_in_one_payload_and_none_is_an_error() {
    let many = OK_EMPTY.repeat(23);
    let messages = v3::ServerMessages::new(&many).unwrap();
    assert_eq!(messages.filter(Result::is_ok).count(), 23);

    let end = DecodeErrorKind::EndOfInput { needed: 1, available: 0 };
    assert_eq!(kind(v3::ServerMessages::new(&[])), (0, end));
}

#[test]
fn a_message_behind_a_good_one_is_the_last_when_it_is_wrong() {
    let mut body = OK_EMPTY.to_vec();
    body.extend(hex!("08 00000000"));
    let mut messages = v3::ServerMessages::new(&body).unwrap();
    assert_eq!(messages.next().unwrap().unwrap().answers(), Some(7));
    let unknown = DecodeErrorKind::UnknownDiscriminant { name: "v2 ServerMessage", value: 8 };
    assert_eq!(kind(messages.next().unwrap()), (OK_EMPTY.len(), unknown));
    assert!(messages.next().is_none());
}

/// Case bsatn-06.
#[test]
fn compression_is_told_apart() {
    let end = |needed| DecodeErrorKind::EndOfInput { needed, available: 0 };
    assert_eq!(kind(Payload::new(&[])), (0, end(1)));

    let Ok(Payload::Plain(body)) = Payload::new(&[0]) else { panic!("not plain") };
    assert_eq!(kind(ServerMessage::from_slice(body)), (0, end(1)));

    let unknown = DecodeErrorKind::UnknownDiscriminant { name: "Compression", value: 3 };
    assert_eq!(kind(Payload::new(&[3, 0])), (0, unknown));

    let gzip = hex!("02 1f8b08000000000002ff cb48cdc9c9070086a6103605000000");
    let brotli = hex!("01 0b028068656c6c6f03");
    let mut out = [0xa5; 5];
    for (received, payload, feature, is_built_in) in [
        (&gzip[..], Payload::Gzip(&gzip[1..]), "gzip", cfg!(feature = "gzip")),
        (&brotli[..], Payload::Brotli(&brotli[1..]), "brotli", cfg!(feature = "brotli")),
    ] {
        assert_eq!(Payload::new(received), Ok(payload));
        let inflated = payload.decompress(&mut out);
        if is_built_in {
            assert_eq!(inflated, Ok(&b"hello"[..]));
            let no_message = DecodeErrorKind::UnknownDiscriminant {
                name: "v2 ServerMessage",
                value: u64::from(b'h'),
            };
            assert_eq!(kind(ServerMessage::from_slice(inflated.unwrap())), (0, no_message));
        } else {
            let refused = DecompressErrorKind::NotBuiltIn { feature };
            assert_eq!(inflated, Err(DecompressError::new(0, refused)));
        }
    }
    if cfg!(feature = "gzip") {
        let Ok(payload) = Payload::new(&gzip[..12]) else { panic!("no payload") };
        let cut = DecompressError::new(11, DecompressErrorKind::EndOfInput);
        assert_eq!(payload.decompress(&mut out), Err(cut));
    }
}

/// What a server sends for a subscription to tables without rows.
#[test]
fn tables_without_rows_are_left_out() {
    let body = hex!("01 05000000 09000000 00000000");
    let ServerMessage::SubscribeApplied { request_id: 5, query_set_id: 9, tables } =
        ServerMessage::from_slice(&body).unwrap()
    else {
        panic!("another message");
    };
    assert!(tables.is_empty());
    assert_eq!(tables.iter().next(), None);
}

/// `SELECT * FROM tick` and `SELECT * FROM tick WHERE id < 3` in one set.
#[test]
fn a_table_comes_twice_with_all_rows_of_each_query() {
    let mut body = bytes(&(1u8, 5u32, 9u32, 2u32, "tick"));
    body.extend(bytes(&RowListWriter::new(&[0u32, 1, 2, 3])));
    body.extend(bytes(&"tick"));
    body.extend(bytes(&RowListWriter::new(&[0u32, 1])));
    let ServerMessage::SubscribeApplied { tables, .. } = ServerMessage::from_slice(&body).unwrap()
    else {
        panic!("another message");
    };
    let rows: Vec<(&str, Vec<u32>)> = tables
        .iter()
        .map(|table| {
            (table.table, table.rows.typed(Tail::Strict).map(Result::unwrap).collect::<Vec<u32>>())
        })
        .collect();
    assert_eq!(rows, [("tick", vec![0, 1, 2, 3]), ("tick", vec![0, 1])]);
}

/// An update of two rows in a table that two queries see; deletes come in an order of their own.
#[test]
fn deletes_need_not_be_in_the_order_of_inserts() {
    let mut body = bytes(&(4u8, 1u32, 9u32, 1u32, "tick", 2u32));
    for _ in 0..2 {
        body.push(0);
        body.extend(bytes(&RowListWriter::new(&[(1u32, 10u16), (2, 20)])));
        body.extend(bytes(&RowListWriter::new(&[(2u32, 0u16), (1, 0)])));
    }
    let ServerMessage::TransactionUpdate { query_sets } = ServerMessage::from_slice(&body).unwrap()
    else {
        panic!("another message");
    };
    let mut entries = 0;
    for rows in query_sets.iter().flat_map(|set| set.tables).flat_map(|table| table.rows) {
        let TableUpdateRows::PersistentTable { inserts, deletes } = rows else { panic!("events") };
        let ids = |list: onewrite::bsatn::RowList<'_>| -> Vec<u32> {
            list.typed::<u32>(Tail::AllowTail).map(Result::unwrap).collect()
        };
        assert_eq!((ids(inserts), ids(deletes)), (vec![1, 2], vec![2, 1]));
        entries += 1;
    }
    assert_eq!(entries, 2);
}

/// A row's error counts from the start of the message, however deep in lists the row is.
#[test]
fn rows_know_where_in_the_message_they_are() {
    let mut body = bytes(&(4u8, 1u32, 9u32, 1u32, "tick", 1u32, 1u8));
    let rows = body.len() + 1 + 2 + 4;
    body.extend(bytes(&RowListWriter::new(&[0u8, 1, 2])));
    let ServerMessage::TransactionUpdate { query_sets } = ServerMessage::from_slice(&body).unwrap()
    else {
        panic!("another message");
    };
    let entry = query_sets.iter().flat_map(|set| set.tables).flat_map(|table| table.rows).next();
    let Some(TableUpdateRows::EventTable { events }) = entry else { panic!("no events") };
    let found: Vec<_> = events.typed::<bool>(Tail::Strict).collect();
    let wrong = DecodeError::new(rows + 2, DecodeErrorKind::InvalidBool { value: 2 });
    assert_eq!(found, [Ok(false), Ok(true), Err(wrong)]);
}

/// Version 1: an observer's update has the caller's number, and a call that could not begin has 0.
#[test]
fn numbers_that_say_nothing_are_not_matched() {
    let light = hex!("02 05000000 00000000");
    assert_eq!(v1::ServerMessage::from_slice(&light).unwrap().answers(), None);

    let call = |failed: bool, request_id: u32| {
        let status = if failed { bytes(&(1u8, "no")) } else { bytes(&(0u8, 0u32)) };
        let mut body = vec![1];
        body.extend(status);
        body.extend([0; 8 + 32 + 16]);
        body.extend(bytes(&("noop", u32::MAX, 0u32, request_id)));
        body.extend([0; 16 + 8]);
        v1::ServerMessage::from_slice(&body).unwrap().answers()
    };
    assert_eq!(call(true, 0), None);
    assert_eq!(call(true, 5), Some(5));
    assert_eq!(call(false, 5), Some(5));
    assert_eq!(call(false, 0), Some(0));

    let unasked = hex!("03 01 09000000 00000000");
    assert_eq!(ServerMessage::from_slice(&unasked).unwrap().answers(), None);
}

/// Four bytes that claim 2^32 - 1 items end before the first of them.
#[test]
fn a_count_of_items_that_cannot_be_there_is_an_error() {
    let body = hex!("04 ffffffff 00000000 00000000");
    let kind_of = DecodeErrorKind::CountTooLarge { table: "array", count: 0xffff_ffff };
    assert_eq!(kind(ServerMessage::from_slice(&body)), (1, kind_of));
}

#[test]
fn flags_that_mean_nothing_are_an_error() {
    let unknown = |value| DecodeErrorKind::UnknownDiscriminant { name: "flags", value };
    let call = hex!("03 01000000 07 00000000 00000000");
    assert_eq!(kind(v2::ClientMessage::from_slice(&call)), (5, unknown(7)));
    let unsubscribe = hex!("01 01000000 02000000 09");
    assert_eq!(kind(v2::ClientMessage::from_slice(&unsubscribe)), (9, unknown(9)));
    let call = hex!("00 00000000 00000000 01000000 02");
    assert_eq!(kind(v1::ClientMessage::from_slice(&call)), (13, unknown(2)));
    let call = hex!("07 00000000 00000000 01000000 01");
    assert_eq!(kind(v1::ClientMessage::from_slice(&call)), (13, unknown(1)));
}

#[test]
fn arguments_are_a_product_behind_its_length() {
    let typed = v2::ClientMessage::CallReducer {
        request_id: 1,
        reducer: "set_name",
        args: Arguments((7u32, "hi")),
    };
    let args = bytes(&(7u32, "hi"));
    let raw =
        v2::ClientMessage::CallReducer { request_id: 1, reducer: "set_name", args: &args[..] };
    let (mut a, mut b) = ([0xa5; 64], [0xa5; 64]);
    assert_eq!(typed.write_into(&mut a), raw.write_into(&mut b));
    assert_eq!(a, b);
    assert_eq!(a[..5], hex!("03 01000000"));
}

#[test]
fn a_message_goes_into_every_sink_at_the_length_said_beforehand() {
    let texts = ["SELECT * FROM tick", "SELECT * FROM note"];
    let message: v2::ClientMessage<'_> = v2::ClientMessage::Subscribe {
        request_id: 1,
        query_set_id: 2,
        queries: Queries::new(&texts),
    };
    let len = message.encoded_len();
    let mut whole = [0xa5; 64];
    assert_eq!(message.write_into(&mut whole), Ok(len));
    assert_eq!(whole[len..], [0xa5; 64][len..]);

    let mut memory = [0; 64];
    let mut sink = SliceSink::new(&mut memory);
    message.write_to(&mut sink).unwrap();
    assert_eq!(sink.into_written(), &whole[..len]);

    let mut short = [0xa5; 20];
    let full = WriteErrorKind::Full { needed: len, available: 20 };
    assert_eq!(message.write_into(&mut short).unwrap_err().kind, full);
    assert_eq!(short, [0xa5; 20]);

    let decoded = v2::ClientMessage::from_slice(&whole[..len]).unwrap();
    assert_eq!(decoded, message);
    let v2::ClientMessage::Subscribe { queries, .. } = decoded else { panic!("another message") };
    assert!(queries.iter().eq(texts));
    assert_eq!(queries.len(), 2);
}

#[test]
fn what_a_server_would_not_take_is_refused() {
    // Tag, request id, flags, name, and the length of the arguments.
    let head = 1 + 4 + 1 + 4 + 4;
    let args = vec![0u8; PAYLOAD_LIMIT - head + 1];
    let call = |args| v2::ClientMessage::CallReducer { request_id: 1, reducer: "", args };
    assert_eq!(call(&args[1..]).write_to(&mut CountingSink::new()), Ok(()));

    let refused = WriteErrorKind::Encode(MessageError::TooLarge { len: PAYLOAD_LIMIT + 1 });
    let mut count = CountingSink::new();
    assert_eq!(call(&args).write_to(&mut count).unwrap_err().kind, refused);
    assert_eq!(call(&args).write_into(&mut [0; 8]).unwrap_err().kind, refused);
    let call = v1::ClientMessage::CallReducer {
        reducer: "",
        args: args.as_slice(),
        request_id: 1,
        no_success_notify: false,
    };
    assert_eq!(call.write_to(&mut count).unwrap_err().kind, refused);
    assert_eq!(count.written(), 0);
}

#[test]
fn a_payload_of_several_messages_is_refused_as_a_whole() {
    let half = vec![0u8; PAYLOAD_LIMIT / 2];
    let call = v2::ClientMessage::CallReducer { request_id: 1, reducer: "", args: &half[..] };
    assert_eq!(call.write_to(&mut CountingSink::new()), Ok(()));
    let len = v3::encoded_len(&[call, call]);
    assert_eq!(len, 2 * call.encoded_len());
    let refused = WriteErrorKind::Encode(MessageError::TooLarge { len });
    assert_eq!(v3::write_to(&[call, call], &mut CountingSink::new()).unwrap_err().kind, refused);

    let none: [v2::ClientMessage<'_>; 0] = [];
    let refused = WriteErrorKind::Encode(MessageError::NoMessages);
    assert_eq!(v3::write_into(&none, &mut [0; 8]).unwrap_err().kind, refused);
}
