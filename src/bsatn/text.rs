//! Strings, and arrays of bytes.

use super::array::{count_bytes, take_count};
use super::{Decode, Encode, Output};
use crate::error::DecodeError;
use crate::reader::Reader;

impl Encode for str {
    const MIN_SIZE: usize = 4;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    #[inline(always)]
    fn encoded_len(&self) -> usize {
        // Does not wrap: nothing in memory has more than isize::MAX bytes.
        self.len().wrapping_add(4)
    }

    #[inline(always)]
    fn put<O: Output>(&self, out: &mut O) {
        out.headed(count_bytes(self.len()), self.as_bytes());
    }
}

impl<'de: 'a, 'a> Decode<'de> for &'a str {
    const MIN_SIZE: usize = 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let len = take_count(reader)?;
        reader.str(len)
    }
}

impl<'de: 'a, 'a> Decode<'de> for &'a [u8] {
    const MIN_SIZE: usize = 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let len = take_count(reader)?;
        reader.bytes(len)
    }
}
