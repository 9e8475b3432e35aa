//! The core without a protocol: slices of records into memory.
//!
//! | shape | what | limit |
//! |---|---|---|
//! | `frames-flat` | 4,096 records of 20 bytes, field by field | |
//! | `edits-flat` | 4,096 records of 16 bytes, field by field | |
//! | `frames-bytes` | 4,096 records of 20 bytes that are held as wire bytes | one copy |

use core::hint::black_box;

use heapless::Vec;
use onewrite::record::{Record, write_slice};
use onewrite::render_batch::{EditRecord, FrameRecord};
use onewrite::sink::{Sink as _, SliceSink};

use crate::shapes::Refused;

/// Records of each kind.
pub(crate) const RECORDS: usize = 4096;

/// A slice of records, and how it goes into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    FramesFlat,
    EditsFlat,
    FramesBytes,
}

pub(crate) const ALL: [Row; 3] = [Row::FramesFlat, Row::EditsFlat, Row::FramesBytes];

/// The records of all rows.
#[derive(Debug, Default)]
pub(crate) struct Slices {
    frames: Vec<FrameRecord, RECORDS>,
    edits: Vec<EditRecord, RECORDS>,
    wire: Vec<[u8; FrameRecord::SIZE], RECORDS>,
}

impl Slices {
    /// Fills the slices, which are empty; whether everything fitted.
    pub(crate) fn build(&mut self) -> bool {
        let mut whole = true;
        for i in 0..4096_i32 {
            let [kind, first, second, event] = frame(i);
            let event = u64::from(event.cast_unsigned());
            let frame = FrameRecord { kind, first, second, event };
            let [kind, sibling, index, name] = edit(i);
            whole &= self.frames.push(frame).is_ok()
                && self.edits.push(EditRecord { kind, sibling, index, name }).is_ok()
                && self.wire.push(frame.to_bytes()).is_ok();
        }
        whole
    }
}

#[allow(dead_code, reason = "only the counting example asks")]
impl Slices {
    /// The records of 20 bytes.
    pub(crate) fn frames(&self) -> &[FrameRecord] {
        &self.frames
    }

    /// The sum of what a reader of these records looks at.
    pub(crate) fn checksum(&self) -> u64 {
        let seen = |frame: &FrameRecord| frame.event + u64::from(frame.first.cast_unsigned());
        self.frames.iter().map(seen).fold(0, u64::wrapping_add)
    }
}

const fn frame(i: i32) -> [i32; 4] {
    [i % 10 + 1, i, -i, i * 3]
}

const fn edit(i: i32) -> [i32; 4] {
    [i % 10 + 1, i, i * 7, -1]
}

impl Row {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::FramesFlat => "frames-flat",
            Self::EditsFlat => "edits-flat",
            Self::FramesBytes => "frames-bytes",
        }
    }

    /// Bytes of the row.
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::FramesFlat | Self::FramesBytes => RECORDS * FrameRecord::SIZE,
            Self::EditsFlat => RECORDS * EditRecord::SIZE,
        }
    }

    /// Writes the records to the front of `out` and returns their length.
    #[inline(always)]
    pub(crate) fn write(self, slices: &Slices, out: &mut [u8]) -> Result<usize, Refused> {
        match self {
            Self::FramesFlat => slice(black_box(&slices.frames), out),
            Self::EditsFlat => slice(black_box(&slices.edits), out),
            Self::FramesBytes => {
                let mut sink = SliceSink::new(out);
                let bytes = black_box(&slices.wire).as_flattened();
                sink.write(bytes).map_err(|_| Refused)?;
                Ok(sink.written())
            }
        }
    }

    /// Whether `out` is what these records have to be, integer by integer.
    pub(crate) fn is_right(self, out: &[u8]) -> bool {
        let (mut words, _) = out.as_chunks::<4>();
        for i in 0..4096_i32 {
            let wanted = if self == Self::EditsFlat { edit(i) } else { frame(i) };
            let Some((head, rest)) = words.split_first_chunk::<4>() else { return false };
            if head.map(i32::from_le_bytes) != wanted {
                return false;
            }
            words = rest;
            if self != Self::EditsFlat {
                // The upper half of the event handler id.
                let Some(([0, 0, 0, 0], rest)) = words.split_first() else { return false };
                words = rest;
            }
        }
        words.is_empty()
    }
}

#[inline(never)]
fn slice<R: Record>(records: &[R], out: &mut [u8]) -> Result<usize, Refused> {
    write_slice(records, out).map_err(|_| Refused)
}
