//! Arrays inside messages.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use crate::bsatn::Decode;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::reader::Reader;

/// An array that was validated once, and whose items know where in the message they are.
///
/// | offset | size | meaning |
/// |---|---|---|
/// | 0 | 4 | number of items |
/// | 4 | | the items |
///
/// As [`Array`](crate::bsatn::Array), but the rows in its items report errors by their offset in
/// the whole message. Items are decoded as they are asked for, which takes no memory.
pub struct List<'a, T> {
    /// From the first item on, and past the last one.
    items: Reader<'a>,
    /// Bytes of all items.
    size: usize,
    len: usize,
    item: PhantomData<fn() -> T>,
}

impl<'a, T: Decode<'a>> List<'a, T> {
    /// Number of items.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The items in order.
    #[inline]
    #[must_use]
    pub const fn iter(&self) -> ListIter<'a, T> {
        ListIter { rest: self.items, left: self.len, item: PhantomData }
    }

    /// The bytes of all items, without the count.
    #[inline]
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        match self.items.rest().split_at_checked(self.size) {
            Some((items, _)) => items,
            None => &[],
        }
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for List<'de, T> {
    const MIN_SIZE: usize = 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1 + T::DEPTH;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        // No item has zero bytes, so a count that is too large is seen before the first of them.
        let () = const { assert!(T::MIN_SIZE != 0) };
        let len = usize::try_from(reader.u32_le()?).unwrap_or(usize::MAX);
        if len.saturating_mul(T::MIN_SIZE) > reader.remaining() {
            return Err(too_many(reader, len));
        }
        let items = *reader;
        for _ in 0..len {
            T::decode(reader)?;
        }
        let size = items.remaining().wrapping_sub(reader.remaining());
        Ok(Self { items, size, len, item: PhantomData })
    }
}

/// The error of a count that was just taken.
#[cold]
fn too_many(behind: &Reader<'_>, len: usize) -> DecodeError {
    let count = i64::try_from(len).unwrap_or(i64::MAX);
    let kind = DecodeErrorKind::CountTooLarge { table: "array", count };
    DecodeError::new(behind.position().wrapping_sub(4), kind)
}

impl<T> Clone for List<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<'_, T> {}

/// A list of no items.
impl<T> Default for List<'_, T> {
    fn default() -> Self {
        Self { items: Reader::new(&[]), size: 0, len: 0, item: PhantomData }
    }
}

/// Whether the items have the same bytes.
impl<'a, T: Decode<'a>> PartialEq for List<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.as_bytes() == other.as_bytes()
    }
}

impl<'a, T: Decode<'a>> Eq for List<'a, T> {}

impl<'a, T: Decode<'a> + fmt::Debug> fmt::Debug for List<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, T: Decode<'a>> IntoIterator for List<'a, T> {
    type Item = T;
    type IntoIter = ListIter<'a, T>;

    fn into_iter(self) -> ListIter<'a, T> {
        self.iter()
    }
}

/// The items of a [`List`].
pub struct ListIter<'a, T> {
    rest: Reader<'a>,
    left: usize,
    item: PhantomData<fn() -> T>,
}

impl<'a, T: Decode<'a>> Iterator for ListIter<'a, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        T::decode(&mut self.rest).ok()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<'a, T: Decode<'a>> ExactSizeIterator for ListIter<'a, T> {}

impl<'a, T: Decode<'a>> FusedIterator for ListIter<'a, T> {}

impl<T> Clone for ListIter<'_, T> {
    fn clone(&self) -> Self {
        Self { rest: self.rest, left: self.left, item: PhantomData }
    }
}

impl<T> fmt::Debug for ListIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListIter").field("left", &self.left).finish()
    }
}
