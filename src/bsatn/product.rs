//! Tuples, and what takes no bytes.

use core::marker::PhantomData;

use super::sum::larger;
use super::{Decode, Encode, Output};
use crate::error::DecodeError;
use crate::reader::Reader;

/// Fields in order; the invocation names type, value and position of each.
macro_rules! tuple {
    ($($field:ident $index:tt,)*) => {
        impl<$($field: Encode,)*> Encode for ($($field,)*) {
            const MIN_SIZE: usize = 0usize $(.saturating_add($field::MIN_SIZE))*;
            const MAX_SIZE: usize = 0usize $(.saturating_add($field::MAX_SIZE))*;
            type Scratch = [u8; 0];

            #[inline]
            fn encoded_len(&self) -> usize {
                0usize $(.saturating_add(self.$index.encoded_len()))*
            }

            #[inline]
            fn put<O: Output>(&self, out: &mut O) {
                $(self.$index.put(out);)*
            }
        }

        impl<'de, $($field: Decode<'de>,)*> Decode<'de> for ($($field,)*) {
            const MIN_SIZE: usize = 0usize $(.saturating_add($field::MIN_SIZE))*;
            const MAX_SIZE: usize = 0usize $(.saturating_add($field::MAX_SIZE))*;
            const ALL_VALID: bool = true $(&& $field::ALL_VALID)*;
            const DEPTH: usize = {
                let mut inside = 0;
                $(inside = larger(inside, $field::DEPTH);)*
                1 + inside
            };

            #[inline]
            fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
                Ok(($($field::decode(reader)?,)*))
            }
        }
    };
}

tuple!(A 0,);
tuple!(A 0, B 1,);
tuple!(A 0, B 1, C 2,);
tuple!(A 0, B 1, C 2, D 3,);
tuple!(A 0, B 1, C 2, D 3, E 4,);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5,);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6,);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7,);

/// The product of no fields.
impl Encode for () {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = 0;
    type Scratch = [u8; 0];

    #[inline(always)]
    fn encoded_len(&self) -> usize {
        0
    }

    #[inline(always)]
    fn put<O: Output>(&self, _: &mut O) {}
}

impl Decode<'_> for () {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = 0;
    const ALL_VALID: bool = true;
    const DEPTH: usize = 1;

    #[inline(always)]
    fn decode(_: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(())
    }
}

impl<T: ?Sized> Encode for PhantomData<T> {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = 0;
    type Scratch = [u8; 0];

    #[inline(always)]
    fn encoded_len(&self) -> usize {
        0
    }

    #[inline(always)]
    fn put<O: Output>(&self, _: &mut O) {}
}

impl<T: ?Sized> Decode<'_> for PhantomData<T> {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = 0;
    const ALL_VALID: bool = true;
    const DEPTH: usize = 1;

    #[inline(always)]
    fn decode(_: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self)
    }
}
