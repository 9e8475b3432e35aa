//! Numbers and bools.

use super::{Decode, Encode, Output};
use crate::error::DecodeError;
use crate::reader::Reader;

macro_rules! number {
    ($($number:ident)*) => {$(
        impl Encode for $number {
            const MIN_SIZE: usize = size_of::<$number>();
            const MAX_SIZE: usize = size_of::<$number>();
            type Scratch = [u8; size_of::<$number>()];

            #[inline(always)]
            fn encoded_len(&self) -> usize {
                size_of::<$number>()
            }

            #[inline(always)]
            fn put<O: Output>(&self, out: &mut O) {
                out.array(self.to_le_bytes());
            }
        }

        impl Decode<'_> for $number {
            const MIN_SIZE: usize = size_of::<$number>();
            const MAX_SIZE: usize = size_of::<$number>();
            const ALL_VALID: bool = true;
            const DEPTH: usize = 1;

            #[inline(always)]
            fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
                match reader.array() {
                    Ok(bytes) => Ok(Self::from_le_bytes(*bytes)),
                    Err(error) => Err(error),
                }
            }
        }
    )*};
}

number!(u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64);

impl Encode for u8 {
    const MIN_SIZE: usize = 1;
    const MAX_SIZE: usize = 1;
    type Scratch = [Self; 1];

    #[inline(always)]
    fn encoded_len(&self) -> usize {
        1
    }

    #[inline(always)]
    fn put<O: Output>(&self, out: &mut O) {
        out.array([*self]);
    }

    #[inline(always)]
    fn as_bytes(items: &[Self]) -> Option<&[u8]> {
        Some(items)
    }
}

impl Decode<'_> for u8 {
    const MIN_SIZE: usize = 1;
    const MAX_SIZE: usize = 1;
    const ALL_VALID: bool = true;
    const DEPTH: usize = 1;

    #[inline(always)]
    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        reader.u8()
    }
}

impl Encode for bool {
    const MIN_SIZE: usize = 1;
    const MAX_SIZE: usize = 1;
    type Scratch = [u8; 1];

    #[inline(always)]
    fn encoded_len(&self) -> usize {
        1
    }

    #[inline(always)]
    fn put<O: Output>(&self, out: &mut O) {
        out.array([u8::from(*self)]);
    }
}

impl Decode<'_> for bool {
    const MIN_SIZE: usize = 1;
    const MAX_SIZE: usize = 1;
    const DEPTH: usize = 1;

    #[inline(always)]
    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        reader.bool()
    }
}
