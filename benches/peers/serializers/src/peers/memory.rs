//! Records into a slice.

use std::hint::black_box;
use std::mem::MaybeUninit;

use bincode::config::{Configuration, Fixint, LittleEndian};
use deku::DekuContainerWrite as _;
use micropb::{MessageEncode as _, PbEncoder};
use musli::options::{self, Options};
use rkyv::api::low::to_bytes_in_with_alloc;
use rkyv::rancor::Failure;
use rkyv::ser::allocator::SubAllocator;
use rkyv::ser::writer::Buffer;
use speedy::Writable as _;
use zerocopy::little_endian::{I32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::frames::{Edit, Frame};
use crate::proto::frames_ as proto;
use crate::row::Rows;

pub(super) const BINCODE: Configuration<LittleEndian, Fixint> =
    bincode::config::standard().with_fixed_int_encoding();
const OPTIONS: Options = options::new().fixed().build();
pub(super) const MUSLI: musli::storage::Encoding<OPTIONS> =
    musli::storage::Encoding::new().with_options();

/// A frame on the wire, for zerocopy.
#[derive(Clone, Copy, FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct WireFrame {
    kind: I32,
    first: I32,
    second: I32,
    event: U64,
}

/// An edit on the wire, for zerocopy.
#[derive(Clone, Copy, FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned)]
#[repr(C)]
struct WireEdit {
    kind: I32,
    sibling: I32,
    index: I32,
    name: I32,
}

/// A slice as rkyv takes one without an allocator.
#[derive(rkyv::Archive, rkyv::Serialize)]
struct Frames<'a> {
    #[rkyv(with = rkyv::with::InlineAsBox)]
    items: &'a [Frame],
}

#[derive(rkyv::Archive, rkyv::Serialize)]
struct Edits<'a> {
    #[rkyv(with = rkyv::with::InlineAsBox)]
    items: &'a [Edit],
}

impl From<&Frame> for WireFrame {
    #[inline(always)]
    fn from(frame: &Frame) -> Self {
        Self {
            kind: frame.kind.into(),
            first: frame.first.into(),
            second: frame.second.into(),
            event: frame.event.into(),
        }
    }
}

impl From<&Edit> for WireEdit {
    #[inline(always)]
    fn from(edit: &Edit) -> Self {
        Self {
            kind: edit.kind.into(),
            sibling: edit.sibling.into(),
            index: edit.index.into(),
            name: edit.name.into(),
        }
    }
}

const ROOM: &str = "the room is there";

/// Rows of all peers that take any record; two functions, as the derives have no trait in common.
macro_rules! common {
    ($rows:ident, $records:ident, $wire:ty, $list:ident, $size:literal) => {
        $rows.memory("bincode", move |out| {
            bincode::encode_into_slice(black_box($records), out, BINCODE).expect(ROOM)
        });
        $rows.memory("wincode", move |out| {
            let available = out.len();
            let mut free = out;
            wincode::serialize_into(&mut free, black_box($records)).expect(ROOM);
            available - free.len()
        });
        $rows.memory("borsh", move |out| {
            let available = out.len();
            let mut free = out;
            borsh::to_writer(&mut free, black_box($records)).expect(ROOM);
            available - free.len()
        });
        $rows.memory("speedy", move |out| {
            let records = black_box($records);
            let len = 4 + $size * records.len();
            let context = speedy::LittleEndian {};
            records.write_to_buffer_with_ctx(context, &mut out[..len]).expect(ROOM);
            len
        });
        $rows.memory("zerocopy", move |out| {
            let records = black_box($records);
            let (wire, _) = <[$wire]>::mut_from_prefix_with_elems(out, records.len()).expect(ROOM);
            for (wire, record) in wire.iter_mut().zip(records) {
                *wire = record.into();
            }
            $size * records.len()
        });
        let held: Vec<$wire> = $records.iter().map(Into::into).collect();
        $rows.memory("zerocopy-held", move |out| {
            let held = black_box(&held[..]);
            held.write_to_prefix(out).expect(ROOM);
            $size * held.len()
        });
        $rows.memory("deku", move |out| {
            let mut len = 0;
            for record in black_box($records) {
                len += record.to_slice(&mut out[len..]).expect(ROOM);
            }
            len
        });
        $rows.memory("musli", move |out| MUSLI.to_slice(out, black_box($records)).expect(ROOM));
        $rows.memory("rkyv", move |out| {
            let mut scratch = [MaybeUninit::<u8>::uninit(); 64];
            let list = $list { items: black_box($records) };
            let allocator = SubAllocator::new(&mut scratch);
            let bytes =
                to_bytes_in_with_alloc::<_, _, Failure>(&list, Buffer::from(out), allocator);
            bytes.expect(ROOM).len()
        });
        $rows.memory("postcard", move |out| {
            postcard::to_slice(black_box($records), out).expect(ROOM).len()
        });
        $rows.memory("minicbor", move |out| {
            let mut cursor = minicbor::encode::write::Cursor::new(out);
            minicbor::encode(black_box($records), &mut cursor).expect(ROOM);
            cursor.position()
        });
    };
}

pub(crate) fn frames(rows: &mut Rows, frames: &'static [Frame]) {
    common!(rows, frames, WireFrame, Frames, 20);
    let messages: &'static [proto::Frame] = messages(frames).leak();
    rows.memory("micropb", move |out| {
        let available = out.len();
        let mut free = out;
        let mut encoder = PbEncoder::new(&mut free);
        for message in black_box(messages) {
            message.encode_len_delimited(&mut encoder).expect(ROOM);
        }
        available - free.len()
    });
}

pub(crate) fn edits(rows: &mut Rows, edits: &'static [Edit]) {
    common!(rows, edits, WireEdit, Edits, 16);
}

/// The same frames in the struct that the generator made, which is laid out as ours.
pub(super) fn messages(frames: &[Frame]) -> Vec<proto::Frame> {
    let message =
        |&Frame { kind, first, second, event }: &Frame| proto::Frame { kind, first, second, event };
    frames.iter().map(message).collect()
}
