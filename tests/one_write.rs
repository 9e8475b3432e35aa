//! One record, one write, counted at a sink that is not memory: for every writer, how many writes its bytes
//! take and how long each is.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]
#![cfg(feature = "derive")]

use core::convert::Infallible;

use onewrite::bsatn::{Encode, RowListWriter};
use onewrite::error::WriteError;
use onewrite::literal;
use onewrite::record::WriteRecord as _;
use onewrite::render_batch::{
    Batch, BatchProducer, Diff, Edit, EditRecord, Frame, FrameRecord, Value,
};
use onewrite::sink::{SCRATCH_LEN, Sink, write_from};
use onewrite::spacetimedb::v2;
use onewrite::string_table::StringTable;
use onewrite::template;
use onewrite::websocket::{Ask, Client, ClientHandshake, CloseCode, Data, Sender, Server};

/// Keeps the length of each write.
#[derive(Debug, Default)]
struct Recording {
    writes: Vec<usize>,
}

impl Sink for Recording {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<Infallible>> {
        self.writes.push(bytes.len());
        Ok(())
    }

    fn reserve(&mut self, _: usize) -> Result<Option<&mut [u8]>, WriteError<Infallible>> {
        Ok(None)
    }
}

/// The lengths of the writes that `work` takes.
fn writes(work: impl FnOnce(&mut Recording)) -> Vec<usize> {
    let mut sink = Recording::default();
    work(&mut sink);
    sink.writes
}

#[test]
fn a_record_is_one_write_and_so_is_a_scratch_of_them() {
    let frames = [FrameRecord::text(7); 30];
    let edits = [EditRecord { kind: 6, sibling: 2, index: 0, name: 0 }; 40];
    assert_eq!(writes(|sink| sink.write_record(&frames[0]).unwrap()), [20]);
    assert_eq!(writes(|sink| sink.write_records(&frames).unwrap()), [240, 240, 120]);
    assert_eq!(writes(|sink| sink.write_records(&edits).unwrap()), [256, 256, 128]);
}

#[test]
fn literals_and_templates_are_one_write() {
    template!(HEAD = "content-length: ", len: dec(3), "\r\n");
    assert_eq!(writes(|sink| sink.write(literal!("hello ", dec(7))).unwrap()), [7]);
    assert_eq!(writes(|sink| HEAD.write_to(sink, 11).unwrap()), [21]);
}

#[test]
fn a_row_is_one_write_and_many_rows_are_one_a_scratch() {
    #[derive(Clone, Copy, Encode)]
    struct Row<'a> {
        id: u32,
        score: u64,
        name: &'a str,
    }
    let (row, rows) =
        (Row { id: 1, score: 2, name: "name" }, [Row { id: 1, score: 2, name: "name" }; 30]);
    assert_eq!(writes(|sink| 7u32.encode(sink).unwrap()), [4]);
    assert_eq!(writes(|sink| row.encode(sink).unwrap()), [20]);
    let list = writes(|sink| rows[..].encode(sink).unwrap());
    assert_eq!(list.iter().sum::<usize>(), 604);
    assert_eq!(list.len(), 604_usize.div_ceil(SCRATCH_LEN));
    let list = writes(|sink| RowListWriter::new(&rows[..]).encode(sink).unwrap());
    let len: usize = list.iter().sum();
    // Offsets of eight bytes each do not always fill a scratch.
    assert!(list.len() <= len.div_ceil(SCRATCH_LEN - 20) && len > 600, "{list:?}");
    // What is longer than a scratch goes out by itself.
    let long = "x".repeat(1000);
    assert_eq!(writes(|sink| long.as_str().encode(sink).unwrap()).iter().sum::<usize>(), 1004);
    assert!(writes(|sink| long.as_str().encode(sink).unwrap()).len() <= 2);
}

/// Whole records only: a chunk ends within 20 bytes of the scratch's end.
#[test]
fn a_batch_is_one_write_a_scratch() {
    let frames: Vec<_> = (0..200)
        .map(|i| {
            if i % 2 == 0 {
                Frame::element("div", 1)
            } else {
                Frame::attribute("id", Value::Str("row"))
            }
        })
        .collect();
    let edits = [Edit::prepend_frame(0, 0); 50];
    let diffs = [Diff { component: 1, edits: &edits }];
    let batch = Batch { diffs: &diffs, frames: &frames, ..Batch::default() };
    let (mut table, mut strings) = (StringTable::<64>::new(), [0; 256]);
    let mut producer = BatchProducer::new(&mut table, &mut strings, &batch).unwrap();
    let list = writes(|sink| {
        write_from(sink, &mut producer, &mut [0; SCRATCH_LEN]).unwrap();
    });
    let (last, whole) = list.split_last().unwrap();
    assert!(whole.len() > 15 && *last > 0, "{list:?}");
    assert!(whole.iter().all(|len| (SCRATCH_LEN - 20..=SCRATCH_LEN).contains(len)), "{list:?}");
}

#[test]
fn a_frame_of_a_websocket_is_at_most_two_writes() {
    let mut server = Sender::<Server>::new();
    let mut client = Sender::<Client>::new();
    let key = [1, 2, 3, 4];
    // A header with its payload, where both fit a scratch.
    assert_eq!(writes(|sink| server.message(Data::Text("hello"), (), sink).unwrap()), [2 + 5]);
    assert_eq!(writes(|sink| client.message(Data::Text("hello"), key, sink).unwrap()), [6 + 5]);
    let long = [0; 1000];
    let list = writes(|sink| server.message(Data::Binary(&long), (), sink).unwrap());
    assert_eq!((list.len(), list.iter().sum::<usize>()), (2, 4 + 1000));
    assert_eq!(writes(|sink| server.ping(b"ping", (), sink).unwrap()), [2 + 4]);
    assert_eq!(writes(|sink| server.pong(b"pong", (), sink).unwrap()), [2 + 4]);
    let close = writes(|sink| client.close(CloseCode::NORMAL, "bye", key, sink).unwrap());
    assert_eq!(close, [6 + 2 + 3]);
}

#[test]
fn a_clients_words_are_one_write_a_scratch() {
    let ask = Ask { host: "a", target: "/", origin: None, protocols: &["v2"], fields: &[] };
    let list = writes(|sink| ClientHandshake::new(&[7; 16]).request(&ask, sink).unwrap());
    let len: usize = list.iter().sum();
    assert!(len > 100, "{list:?}");
    assert_eq!(list.len(), len.div_ceil(SCRATCH_LEN));
    let reducer = v2::ClientMessage::CallReducer {
        request_id: 1,
        reducer: "set_name",
        args: &b"argument"[..],
    };
    let list = writes(|sink| reducer.write_to(sink).unwrap());
    assert_eq!(list, [reducer.encoded_len()]);
}
