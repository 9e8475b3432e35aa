//! Row lists and messages in pieces.

use core::hint::black_box;

use onewrite::bsatn::{
    Decode, RowCut, RowListStream, RowsEvent, StreamError, StreamErrorKind, Tail,
};
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::spacetimedb::stream::{Event, MessageStream, Version};

/// A list of strings of different lengths; with another first byte, of what happens to be there.
const LIST: &[u8] =
    b"\x01\x02\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0\x0b\0\0\0\x01\0\0\0a\x02\0\0\0bc";

const NAMES: RowCut = |row| <&str>::decode(row).map(drop);

#[inline(never)]
pub(crate) fn call() {
    let kind = StreamErrorKind::NeedsBuffer { at_least: 7 };
    let error = StreamError::new(black_box(7), black_box(kind));
    black_box(StreamError::shifted(black_box(error), black_box(1)));
    let error = DecodeError::new(7, DecodeErrorKind::InvalidUtf8);
    black_box(<StreamError as From<DecodeError>>::from(black_box(error)));

    let mut room = [0; 4];
    let mut list = LIST_BUFFER;
    for hint in 0..3 {
        list[0] = hint;
        for how in 0..3 {
            rows(black_box(&list), black_box(how), black_box(&mut room));
        }
    }
    let mut input = [0; 160];
    for version in black_box([Version::V1, Version::V2, Version::V3]) {
        for tag in 0..=11 {
            input[0] = tag;
            input[1] = 1;
            messages(version, black_box(&input), black_box(&mut room));
        }
    }
}

const LIST_BUFFER: [u8; LIST.len()] = {
    let mut list = [0; LIST.len()];
    list.copy_from_slice(LIST);
    list
};

#[inline(never)]
fn rows(input: &[u8], how: u8, room: &mut [u32]) {
    black_box(<RowListStream<'_, 64> as Default>::default());
    let mut stream = RowListStream::<64>::new();
    for mut piece in input.chunks(5) {
        while let Ok(Some(event)) = RowListStream::next(black_box(&mut stream), &mut piece) {
            if let RowsEvent::Rows(rows) = event {
                black_box(rows.typed::<&str>(Tail::AllowTail).count());
            }
            match how {
                0 => RowListStream::cut_by(&mut stream, black_box(NAMES)),
                1 => RowListStream::skip(&mut stream),
                _ => {}
            }
        }
    }
    black_box(RowListStream::finish(black_box(&stream))).ok();
    black_box(RowListStream::position(black_box(&stream)));
    RowListStream::reset(&mut stream);
    RowListStream::lend(&mut stream, room);
    black_box(RowListStream::next(black_box(&mut stream), &mut &input[..])).ok();
}

#[inline(never)]
fn messages(version: Version, input: &[u8], room: &mut [u32]) {
    let mut stream = MessageStream::<64>::new(version);
    for mut piece in input.chunks(7) {
        while let Ok(Some(event)) = MessageStream::next(black_box(&mut stream), &mut piece) {
            if let Event::Table(name) = event {
                if name.is_empty() {
                    MessageStream::skip_table(&mut stream);
                }
            } else if let Event::BeginRows { rows, .. } = event {
                match rows & 1 {
                    0 => MessageStream::cut_by(&mut stream, black_box(NAMES)),
                    _ => MessageStream::skip(&mut stream),
                }
            }
        }
    }
    black_box(MessageStream::finish(black_box(&stream))).ok();
    black_box(MessageStream::position(black_box(&stream)));
    MessageStream::reset(&mut stream);
    MessageStream::lend(&mut stream, room);
    black_box(MessageStream::next(black_box(&mut stream), &mut &input[..])).ok();
}
