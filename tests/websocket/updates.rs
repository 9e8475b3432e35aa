//! An update of SpacetimeDB that is larger than the buffer it goes through.

use onewrite::bsatn::{Encode, RowListWriter, Tail};
use onewrite::spacetimedb::stream::{Change, Event as Update, MessageStream, Version};
use onewrite::websocket::{Client, Event, Kind, Limits, Receiver};

use super::shell::plain;

/// Bytes of the buffer that the socket reads into.
const BUFFER: usize = 4096;

/// A payload as a server sends it: its first byte says that it is not compressed.
fn payload(rows: u32) -> Vec<u8> {
    let rows: Vec<_> = (0..rows).map(|id| (id, u64::from(id) << 20)).collect();
    let head = (4u8, 1u32, 9u32, 1u32, "tick", 1u32, 0u8);
    let mut body = vec![0; 1 + 100 + 12 * rows.len()];
    let len = (head, RowListWriter::new(&rows), RowListWriter::new(&rows[..0]))
        .encode_to_slice(&mut body[1..])
        .unwrap();
    body.truncate(1 + len);
    body
}

/// What the rows add up to, read from `socket` in reads of `read` bytes.
fn sum(socket: &[u8], read: usize) -> (u32, u64) {
    let mut receiver = Receiver::<Client>::new(Limits::NONE);
    let mut stream = MessageStream::<64>::new(Version::V2);
    let mut buffer = [0; BUFFER];
    let (mut rows, mut total, mut change) = (0, 0, Change::Matches);
    // The first byte of a payload is none of its message.
    let mut tag = None;
    for arrived in socket.chunks(read) {
        let buffer = &mut buffer[..arrived.len()];
        buffer.copy_from_slice(arrived);
        let mut input = &mut *buffer;
        while let Some(event) = receiver.next(&mut input).unwrap() {
            let mut piece = match event {
                Event::Begin { kind, .. } => {
                    assert_eq!(kind, Kind::Binary);
                    stream.reset();
                    tag = None;
                    continue;
                }
                Event::Piece(piece) => piece,
                Event::End => {
                    stream.finish().unwrap();
                    continue;
                }
                _ => continue,
            };
            if tag.is_none() {
                tag = piece.split_off_first().copied();
                assert_eq!(tag, Some(0));
            }
            while let Some(update) = stream.next(&mut piece).unwrap() {
                match update {
                    Update::BeginRows { of, .. } => change = of,
                    Update::Rows(found) if change == Change::Inserts => {
                        for row in found.typed::<(u32, u64)>(Tail::AllowTail) {
                            let (id, value) = row.unwrap();
                            assert_eq!(id, rows);
                            (rows, total) = (rows + 1, total + value);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    (rows, total)
}

#[test]
fn ten_thousand_rows_pass_through_four_thousand_bytes() {
    let payload = payload(10_000);
    assert!(payload.len() > 120_000);
    let expected = (10_000, (0..10_000u64).map(|id| id << 20).sum());
    // In one frame, and in frames of at most 4,096 bytes as the server sends them, with a ping between.
    let one = plain(0x82, &payload);
    let mut many: Vec<_> = payload.chunks(4096).map(|part| plain(0x00, part)).collect();
    many[0][0] = 0x02;
    many.last_mut().unwrap()[0] |= 0x80;
    many.insert(7, plain(0x89, b"still there?"));
    let many = many.concat();
    for socket in [one, many] {
        for read in [1, 13, 1460, 4095, BUFFER] {
            assert_eq!(sum(&socket, read), expected, "{read}");
        }
    }
}
