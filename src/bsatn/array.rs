//! Arrays: a count, and that many elements.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use super::{Decode, Encode, Output};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::reader::Reader;

/// Most elements that an array may have whose elements take no bytes.
///
/// The input does not bound their number: four bytes could claim 2^32 - 1 of them.
pub const ZERO_WIDTH_LIMIT: usize = 4096;

/// Bytes of the count of `len` elements; `usize::MAX` where a `u32` cannot count them.
#[inline(always)]
const fn count_len(len: usize) -> usize {
    if len as u64 > u32::MAX as u64 { usize::MAX } else { 4 }
}

/// Puts the count of `len` elements, which `count_len` has seen to fit.
#[inline(always)]
pub(super) fn put_count<O: Output>(len: usize, out: &mut O) {
    out.array(count_bytes(len));
}

/// The bytes of the count of `len` elements, which `count_len` has seen to fit.
#[inline(always)]
#[must_use]
#[allow(clippy::cast_possible_truncation, reason = "seen to fit")]
pub const fn count_bytes(len: usize) -> [u8; 4] {
    (len as u32).to_le_bytes()
}

/// A count of bytes that follow.
#[inline(always)]
pub(super) fn take_count(reader: &mut Reader<'_>) -> Result<usize, DecodeError> {
    // Where a u32 is too large for a usize, so is what it counts for the memory.
    Ok(usize::try_from(reader.u32_le()?).unwrap_or(usize::MAX))
}

/// A count of elements of at least `min_size` bytes, checked against what is left.
#[inline(always)]
fn take_count_of(reader: &mut Reader<'_>, min_size: usize) -> Result<usize, DecodeError> {
    let before = *reader;
    let count = reader.u32_le()?;
    let len = usize::try_from(count).unwrap_or(usize::MAX);
    let fits = match min_size {
        0 => len <= ZERO_WIDTH_LIMIT,
        size => len.saturating_mul(size) <= reader.remaining(),
    };
    if fits {
        Ok(len)
    } else {
        let kind = DecodeErrorKind::CountTooLarge { table: "array", count: count.into() };
        Err(before.error(kind))
    }
}

impl<T: Encode> Encode for [T] {
    const MIN_SIZE: usize = 4;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    #[inline]
    fn encoded_len(&self) -> usize {
        count_len(self.len()).saturating_add(len_of(self))
    }

    #[inline]
    fn put<O: Output>(&self, out: &mut O) {
        put_count(self.len(), out);
        match T::as_bytes(self) {
            Some(bytes) => out.bytes(bytes),
            None => out.items(self),
        }
    }
}

/// Bytes of the elements; `usize::MAX` where one cannot be encoded.
#[inline]
pub(super) fn len_of<T: Encode>(items: &[T]) -> usize {
    if T::MIN_SIZE == T::MAX_SIZE {
        return items.len().saturating_mul(T::MIN_SIZE);
    }
    // A sum that cannot overflow takes half the instructions of one that saturates, and whether it
    // can is known in the end: no length is more than all their bits together.
    let (mut sum, mut bits): (usize, usize) = (0, 0);
    for item in items {
        let len = item.encoded_len();
        sum = sum.wrapping_add(len);
        bits |= len;
    }
    match bits.checked_mul(items.len()) {
        Some(_) => sum,
        None => saturating_len_of(items),
    }
}

#[cold]
fn saturating_len_of<T: Encode>(items: &[T]) -> usize {
    let mut sum: usize = 0;
    for item in items {
        sum = sum.saturating_add(item.encoded_len());
    }
    sum
}

impl<T: Encode, const N: usize> Encode for [T; N] {
    const MIN_SIZE: usize = N.saturating_mul(T::MIN_SIZE).saturating_add(4);
    const MAX_SIZE: usize = N.saturating_mul(T::MAX_SIZE).saturating_add(4);
    // `[u8; MAX_SIZE]` is not an array that stable Rust can name here.
    type Scratch = [u8; 0];

    #[inline]
    fn encoded_len(&self) -> usize {
        self.as_slice().encoded_len()
    }

    #[inline]
    fn put<O: Output>(&self, out: &mut O) {
        self.as_slice().put(out);
    }
}

/// The count must be `N`.
impl<'de, T: Decode<'de> + Default, const N: usize> Decode<'de> for [T; N] {
    const MIN_SIZE: usize = N.saturating_mul(T::MIN_SIZE).saturating_add(4);
    const MAX_SIZE: usize = N.saturating_mul(T::MAX_SIZE).saturating_add(4);
    const DEPTH: usize = 1 + T::DEPTH;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let () = const { assert!(T::DEPTH != 0) };
        let before = *reader;
        let count = reader.u32_le()?;
        if usize::try_from(count) != Ok(N) {
            return Err(before.error(DecodeErrorKind::WrongCount { expected: N, count }));
        }
        let mut failed = Ok(());
        let items = core::array::from_fn(|_| match (failed, T::decode(reader)) {
            (Ok(()), Ok(item)) => item,
            (Ok(()), Err(error)) => {
                failed = Err(error);
                T::default()
            }
            (Err(_), _) => T::default(),
        });
        failed.map(|()| items)
    }
}

/// An array that was validated once and is read where it lies.
///
/// | offset | size | meaning |
/// |---|---|---|
/// | 0 | 4 | number of elements |
/// | 4 | | the elements |
///
/// [`decode`](Decode::decode) looks at every byte once; then elements are decoded again as they are
/// asked for, which takes no memory. To go through an array once, [`Elements`] is cheaper.
pub struct Array<'a, T> {
    bytes: &'a [u8],
    len: usize,
    element: PhantomData<fn() -> T>,
}

impl<'a, T: Decode<'a>> Array<'a, T> {
    /// Number of elements.
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

    /// The bytes of all elements, without the count.
    #[inline]
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Element `index`, or `None` past the last one.
    ///
    /// Takes a few instructions where all elements have one size, else time in proportion to
    /// `index`.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<T> {
        if T::MIN_SIZE == T::MAX_SIZE && index < self.len {
            let (_, tail) = self.bytes.split_at_checked(index.checked_mul(T::MIN_SIZE)?)?;
            return T::decode(&mut Reader::new(tail)).ok();
        }
        self.iter().nth(index)
    }

    /// The elements in order.
    #[inline]
    #[must_use]
    pub const fn iter(&self) -> ArrayIter<'a, T> {
        ArrayIter { rest: self.bytes, left: self.len, element: PhantomData }
    }
}

impl<'de: 'a, 'a, T: Decode<'a>> Decode<'de> for Array<'a, T> {
    const MIN_SIZE: usize = 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1 + T::DEPTH;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        // An array that contains itself has no depth: here the build stops.
        let () = const { assert!(T::DEPTH != 0) };
        let len = take_count_of(reader, T::MIN_SIZE)?;
        let taken = if T::ALL_VALID {
            len.saturating_mul(T::MIN_SIZE)
        } else {
            let mut inner: Reader<'a> = *reader;
            for _ in 0..len {
                T::decode(&mut inner)?;
            }
            reader.remaining().saturating_sub(inner.remaining())
        };
        Ok(Self { bytes: reader.bytes(taken)?, len, element: PhantomData })
    }
}

impl<'a, T: Decode<'a>> Encode for Array<'a, T> {
    const MIN_SIZE: usize = 4;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    #[inline]
    fn encoded_len(&self) -> usize {
        self.bytes.len().saturating_add(4)
    }

    #[inline]
    fn put<O: Output>(&self, out: &mut O) {
        put_count(self.len, out);
        out.bytes(self.bytes);
    }
}

impl<T> Clone for Array<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Array<'_, T> {}

/// An array of no elements.
impl<T> Default for Array<'_, T> {
    fn default() -> Self {
        Self { bytes: &[], len: 0, element: PhantomData }
    }
}

impl<'a, T: Decode<'a> + fmt::Debug> fmt::Debug for Array<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Whether the elements have the same bytes, NaNs included.
impl<T> PartialEq for Array<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.bytes == other.bytes
    }
}

impl<T> Eq for Array<'_, T> {}

impl<'a, T: Decode<'a>> IntoIterator for Array<'a, T> {
    type Item = T;
    type IntoIter = ArrayIter<'a, T>;

    fn into_iter(self) -> ArrayIter<'a, T> {
        self.iter()
    }
}

/// The elements of an [`Array`].
pub struct ArrayIter<'a, T> {
    rest: &'a [u8],
    left: usize,
    element: PhantomData<fn() -> T>,
}

impl<'a, T: Decode<'a>> Iterator for ArrayIter<'a, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        if T::MIN_SIZE == T::MAX_SIZE {
            let (bytes, rest) = self.rest.split_at_checked(T::MIN_SIZE)?;
            self.rest = rest;
            return T::decode(&mut Reader::new(bytes)).ok();
        }
        let mut reader = Reader::new(self.rest);
        let item = T::decode(&mut reader).ok();
        self.rest = reader.rest();
        item
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<'a, T: Decode<'a>> ExactSizeIterator for ArrayIter<'a, T> {}

impl<'a, T: Decode<'a>> FusedIterator for ArrayIter<'a, T> {}

impl<T> Clone for ArrayIter<'_, T> {
    fn clone(&self) -> Self {
        Self { rest: self.rest, left: self.left, element: PhantomData }
    }
}

impl<T> fmt::Debug for ArrayIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrayIter").field("left", &self.left).finish()
    }
}

/// The elements of an array, each decoded once as it is reached.
///
/// Nothing is validated beforehand but the count, so each element may be an error, and it is the
/// last one then. When all were taken, [`into_reader`](Self::into_reader) stands behind the array.
///
/// ```
/// use onewrite::bsatn::Elements;
/// use onewrite::reader::Reader;
///
/// let mut elements = Elements::<u8>::new(Reader::new(b"\x02\0\0\0\x05\x06\xff"))?;
/// let mut sum = 0;
/// for element in &mut elements {
///     sum += element?;
/// }
/// assert_eq!((sum, elements.into_reader().rest()), (11, &[0xff][..]));
/// # Ok::<(), onewrite::error::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Elements<'a, T> {
    reader: Reader<'a>,
    left: usize,
    element: PhantomData<fn() -> T>,
}

impl<'a, T: Decode<'a>> Elements<'a, T> {
    /// Takes the count of the array at the front of `reader`.
    ///
    /// # Errors
    ///
    /// `EndOfInput` where the count is cut short, `CountTooLarge` where the elements cannot all be
    /// there.
    #[inline]
    pub fn new(mut reader: Reader<'a>) -> Result<Self, DecodeError> {
        let left = take_count_of(&mut reader, T::MIN_SIZE)?;
        Ok(Self { reader, left, element: PhantomData })
    }

    /// The reader behind the last element that was taken.
    #[inline]
    #[must_use]
    pub const fn into_reader(self) -> Reader<'a> {
        self.reader
    }
}

impl<'a, T: Decode<'a>> Iterator for Elements<'a, T> {
    type Item = Result<T, DecodeError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let item = T::decode(&mut self.reader);
        if item.is_err() {
            self.left = 0;
        }
        Some(item)
    }

    /// Not less than one where an element is left, and not more than the count.
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left.min(1), Some(self.left))
    }
}

impl<'a, T: Decode<'a>> FusedIterator for Elements<'a, T> {}
