//! A reference frame on the wire.

use super::FrameType;
use crate::error::DecodeError;
use crate::record::{Record, get, put};

/// A reference frame on the wire: 20 bytes, with string table indexes in place of strings.
///
/// | offset | size | type | meaning |
/// |---|---|---|---|
/// | 0 | 4 | i32 LE | [`FrameType`] |
/// | 4 | 4 | i32 LE | subtree length, or index of a string, or 0 |
/// | 8 | 4 | i32 LE | index of a string, or component id, or 0 |
/// | 12 | 8 | u64 LE | event handler id of an attribute, else 0 |
///
/// A string index of -1 is null. Source: dotnet/aspnetcore,
/// `src/Components/Shared/src/RenderBatchWriter.cs`, commit c8caba5522.
///
/// ```
/// use onewrite::render_batch::FrameRecord;
///
/// // An element of two frames whose name is string 0, made by the compiler.
/// const HELLO: [u8; 20] = FrameRecord::element(2, 0).to_bytes();
/// assert_eq!(HELLO[..12], [1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FrameRecord {
    /// [`FrameType`] as a number.
    pub kind: i32,
    /// Bytes 4 to 8.
    pub first: i32,
    /// Bytes 8 to 12.
    pub second: i32,
    /// Event handler id.
    pub event: u64,
}

impl FrameRecord {
    /// Bytes of a frame on the wire.
    pub const SIZE: usize = 20;

    #[inline(always)]
    pub(super) const fn new(kind: FrameType, first: i32, second: i32, event: u64) -> Self {
        Self { kind: kind as i32, first, second, event }
    }

    /// An element of `subtree` frames whose name is string `name`.
    #[must_use]
    pub const fn element(subtree: i32, name: i32) -> Self {
        Self::new(FrameType::Element, subtree, name, 0)
    }

    /// A text node whose content is string `content`.
    #[must_use]
    pub const fn text(content: i32) -> Self {
        Self::new(FrameType::Text, content, 0, 0)
    }

    /// An attribute from strings `name` and `value` with an event handler id, or 0.
    #[must_use]
    pub const fn attribute(name: i32, value: i32, event: u64) -> Self {
        Self::new(FrameType::Attribute, name, value, event)
    }

    /// The frame's 20 bytes.
    #[inline(always)]
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        self.write_at(&mut bytes);
        bytes
    }

    /// The fields of the frame that `bytes` encode; whether they make sense is for
    /// [`BatchView`](super::BatchView) to check.
    ///
    /// # Errors
    ///
    /// None: every value of every field is one. The result is that of a derived record, so that
    /// this one can be nested in it.
    #[inline(always)]
    pub const fn from_bytes(bytes: &[u8; Self::SIZE]) -> Result<Self, DecodeError> {
        Ok(Self::fields(bytes))
    }

    #[inline(always)]
    pub(super) const fn fields(bytes: &[u8; Self::SIZE]) -> Self {
        Self {
            kind: i32::from_le_bytes(get::<0, 4, 20>(bytes)),
            first: i32::from_le_bytes(get::<4, 4, 20>(bytes)),
            second: i32::from_le_bytes(get::<8, 4, 20>(bytes)),
            event: u64::from_le_bytes(get::<12, 8, 20>(bytes)),
        }
    }

    /// Writes the frame over `out`.
    ///
    /// Machine code: [`flat_frame`](crate::machine_code::flat_frame).
    #[inline(always)]
    pub const fn write_at(&self, out: &mut [u8; Self::SIZE]) {
        put::<0, 4, 20>(out, self.kind.to_le_bytes());
        put::<4, 4, 20>(out, self.first.to_le_bytes());
        put::<8, 4, 20>(out, self.second.to_le_bytes());
        put::<12, 8, 20>(out, self.event.to_le_bytes());
    }
}

impl Record for FrameRecord {
    type Bytes = [u8; 20];

    #[inline(always)]
    fn write_at(&self, out: &mut [u8; 20]) {
        Self::write_at(self, out);
    }

    #[inline(always)]
    fn from_bytes(bytes: &[u8; 20]) -> Result<Self, DecodeError> {
        Self::from_bytes(bytes)
    }
}
