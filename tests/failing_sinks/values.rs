//! Records, texts, rows, and what a client of a database says.

use onewrite::Record;
use onewrite::bsatn::{
    ConnectionId, Encode, I256, Identity, RowListWriter, ScheduleAt, Timestamp, U256,
};
use onewrite::literal;
use onewrite::record::{CopyRecords as _, WriteRecord as _};
use onewrite::render_batch::{EditRecord, FrameRecord};
use onewrite::sink::SinkExt as _;
use onewrite::spacetimedb::stream::Version;
use onewrite::spacetimedb::{Arguments, Queries, Request, v1, v2, v3};
use onewrite::template;
use zerocopy::{Immutable, IntoBytes};

use super::writers::{Messages, Unit, Writer, messages, of_sink};

pub(crate) const WRITERS: &[Writer] = &[
    Writer {
        name: "bytes",
        covers: &["sink::Sink::write", "literal!"],
        unit: Unit::Message,
        start: || {
            messages(&[
                |(), out| out.write(literal!("a literal ", dec(7), "\r\n")),
                |(), out| out.write(&[]),
                |(), out| out.write(&[0xee; 300]),
            ])
        },
    },
    Writer {
        name: "memory that is lent",
        covers: &["sink::Sink::reserve", "sink::SinkExt::record", "sink::SinkExt::records"],
        unit: Unit::Message,
        start: || {
            messages(&[
                |(), out| {
                    match out.record::<5>()? {
                        Some(record) => *record = *b"first",
                        None => out.write(b"first")?,
                    }
                    Ok(())
                },
                |(), out| {
                    match out.records::<3>(2)? {
                        Some(records) => records.copy_from_slice(&[*b"two", *b"ten"]),
                        None => out.write(b"twoten")?,
                    }
                    Ok(())
                },
                |(), out| {
                    match out.reserve(4)? {
                        Some(bytes) => bytes.copy_from_slice(b"last"),
                        None => out.write(b"last")?,
                    }
                    Ok(())
                },
            ])
        },
    },
    Writer {
        name: "a record",
        covers: &["record::write::WriteRecord::write_record"],
        unit: Unit::Message,
        start: || {
            messages(&[
                |(), out| out.write_record(&FrameRecord::text(7)),
                |(), out| out.write_record(&EDITS[0]),
            ])
        },
    },
    Writer {
        name: "records, twelve a write",
        covers: &["record::write::WriteRecord::write_records"],
        unit: Unit::Records(20),
        start: || records(&const { [FrameRecord::element(2, 9); 30] }, 20),
    },
    Writer {
        name: "records as they lie, or not",
        covers: &["record::copy::CopyRecords::copy_records"],
        unit: Unit::Message,
        start: || {
            messages(&[
                |(), out| out.copy_records(&READINGS),
                |(), out| out.copy_records(&PORTS),
                |(), out| out.copy_records(&READINGS[..1]),
            ])
        },
    },
    Writer {
        name: "records, sixteen a write",
        covers: &[],
        unit: Unit::Records(16),
        start: || records(&EDITS, 16),
    },
    Writer {
        name: "a template",
        covers: &["template!: write_to"],
        unit: Unit::Message,
        start: || {
            template!(HEAD = "content-length: ", len: dec(3), "\r\netag: ", tag: hex(8), "\r\n");
            messages(&[
                |(), out| of_sink(HEAD.write_to(out, 11, 0xfeed)),
                |(), out| of_sink(HEAD.write_to(out, 999, 1)),
            ])
        },
    },
    Writer {
        name: "values of BSATN",
        covers: &["bsatn::encode::Encode::encode"],
        unit: Unit::Message,
        start: || {
            messages(&[
                |(), out| 7u32.encode(out),
                |(), out| EVERYTHING.encode(out),
                |(), out| [(1u8, 2u16); 70].encode(out),
                |(), out| "x".repeat(300).as_str().encode(out),
                |(), out| ().encode(out),
                |(), out| (Some(&b"some"[..]), Shape::Nothing).encode(out),
            ])
        },
    },
    Writer {
        name: "lists of rows",
        covers: &[],
        unit: Unit::Message,
        start: || {
            messages(&[
                |(), out| RowListWriter::new(&[7u64; 40]).encode(out),
                |(), out| RowListWriter::new(&["a", "", "name", "a", "", "name"]).encode(out),
                |(), out| RowListWriter::new(&[EVERYTHING, EVERYTHING]).encode(out),
                |(), out| RowListWriter::<u8>::new(&[]).encode(out),
            ])
        },
    },
    Writer {
        name: "values of serde",
        covers: &["bsatn::serde::to_sink"],
        unit: Unit::Message,
        start: || {
            messages(&[
                |(), out| of_sink(onewrite::bsatn::serde::to_sink(&(7u16, Some("hi")), out)),
                |(), out| {
                    let rows: Vec<(u32, &str)> = vec![(9, "a row of a table"); 20];
                    of_sink(onewrite::bsatn::serde::to_sink(&rows, out))
                },
            ])
        },
    },
    Writer {
        name: "version 1",
        covers: &["spacetimedb::v1::client::ClientMessage::write_to"],
        unit: Unit::Message,
        start: || {
            messages(&[
                |(), out| {
                    let (request_id, query_id) = (1, 2);
                    let queries = Queries::new(QUERIES);
                    let message: v1::ClientMessage<'_> =
                        v1::ClientMessage::SubscribeMulti { queries, request_id, query_id };
                    of_sink(message.write_to(out))
                },
                |(), out| {
                    let (request_id, no_success_notify) = (3, false);
                    let (reducer, args) = ("say", Arguments((7u32, LONG)));
                    of_sink(
                        v1::ClientMessage::CallReducer {
                            reducer,
                            args,
                            request_id,
                            no_success_notify,
                        }
                        .write_to(out),
                    )
                },
            ])
        },
    },
    Writer {
        name: "version 2",
        covers: &["spacetimedb::v2::client::ClientMessage::write_to"],
        unit: Unit::Message,
        start: || {
            messages(&[
                |(), out| of_sink(call(4).write_to(out)),
                |(), out| of_sink(call(5).write_to(out)),
            ])
        },
    },
    Writer {
        name: "version 3",
        covers: &["spacetimedb::v3::write_to"],
        unit: Unit::Message,
        start: || {
            messages(&[
                |(), out| of_sink(v3::write_to(&[call(4), call(5)], out)),
                |(), out| of_sink(v3::write_to(&[call(6)], out)),
            ])
        },
    },
    Writer {
        name: "requests",
        covers: &["spacetimedb::request::Request::write_to"],
        unit: Unit::Message,
        start: || {
            messages(&[
                |(), out| {
                    let request: Request<'_> =
                        Request::Subscribe { query_set_id: 1, queries: Queries::new(QUERIES) };
                    of_sink(request.write_to(Version::V1, 7, out))
                },
                |(), out| {
                    let request: Request<'_> = Request::Query { query: "SELECT * FROM lamp" };
                    of_sink(request.write_to(Version::V2, 8, out))
                },
                |(), out| {
                    let args = Arguments((7u32, "hi"));
                    let request = Request::CallReducer { reducer: "say", args };
                    of_sink(request.write_to(Version::V3, 9, out))
                },
            ])
        },
    },
];

/// On most machines as on the wire.
#[derive(Clone, Copy, Record, IntoBytes, Immutable)]
#[repr(C)]
pub(crate) struct Reading {
    time: u32,
    sensor: u16,
    value: i16,
}

/// On most machines the other way round.
#[derive(Clone, Copy, Record, IntoBytes, Immutable)]
#[record(endian = "big")]
#[repr(C)]
pub(crate) struct Port {
    number: u16,
    owner: u16,
}

pub(crate) const READINGS: [Reading; 40] = [Reading { time: 1, sensor: 2, value: -3 }; 40];
pub(crate) const PORTS: [Port; 70] = [Port { number: 80, owner: 7 }; 70];
const EDITS: [EditRecord; 37] = [EditRecord { kind: 6, sibling: 2, index: 1, name: 0 }; 37];
const QUERIES: &[&str] = &["SELECT * FROM lamp", "SELECT * FROM room"];
/// No scratch holds it.
const LONG: &str = match str::from_utf8(&[b'l'; 280]) {
    Ok(long) => long,
    Err(_) => "",
};

pub(crate) fn call(request_id: u32) -> v2::ClientMessage<'static, Arguments<(u32, &'static str)>> {
    v2::ClientMessage::CallReducer { request_id, reducer: "say", args: Arguments((7, LONG)) }
}

/// Those that the error says have gone out are not written again.
fn records<R: Record>(all: &'static [R], len: usize) -> Messages {
    let mut left = Some(all);
    Box::new(move |out, at| {
        let records = left?;
        let outcome = out.write_records(records);
        left = match &outcome {
            Ok(()) => None,
            Err(error) => Some(&records[(error.written - at) / len..]),
        };
        Some(outcome)
    })
}

#[derive(Clone, Copy, Encode)]
pub(crate) enum Shape {
    Nothing,
    Circle(f32),
    Named(&'static str),
}

/// A row of all kinds of values.
#[derive(Clone, Copy, Encode)]
pub(crate) struct Everything {
    flag: bool,
    small: (u8, i8, u16, i16),
    large: (u64, i64, u128, i128),
    huge: (U256, I256),
    real: (f32, f64),
    text: &'static str,
    bytes: &'static [u8],
    list: &'static [u16],
    texts: &'static [&'static str],
    shapes: (Shape, Shape, Shape),
    maybe: (Option<u32>, Option<&'static str>),
    who: (Identity, ConnectionId),
    when: (Timestamp, ScheduleAt),
}

pub(crate) const EVERYTHING: Everything = Everything {
    flag: true,
    small: (1, -2, 3, -4),
    large: (5, -6, 7, -8),
    huge: (U256::from_le_bytes([9; 32]), I256::from_le_bytes([10; 32])),
    real: (1.5, -2.5),
    text: "a text",
    bytes: b"bytes",
    list: &[11, 12, 13],
    texts: &["", "one", "seventeen letters"],
    shapes: (Shape::Nothing, Shape::Circle(0.5), Shape::Named("round")),
    maybe: (None, Some("text")),
    who: (Identity::from_le_bytes([14; 32]), ConnectionId::from_le_bytes([15; 16])),
    when: (Timestamp::from_le_bytes([16; 8]), ScheduleAt::Time(Timestamp::from_le_bytes([17; 8]))),
};
