//! The rows of a list, as bytes and as values.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use super::view::RowList;
use crate::bsatn::Decode;
use crate::error::DecodeError;
use crate::reader::Reader;

/// What to do with bytes of a row behind its last known column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Tail {
    /// Leave them: a module that appended a column still serves older clients.
    #[default]
    AllowTail,
    /// They are an error.
    Strict,
}

/// The bytes of the rows of a list.
#[derive(Clone)]
pub struct Rows<'a> {
    list: RowList<'a>,
    next: usize,
    end: usize,
}

impl<'a> Rows<'a> {
    #[inline]
    pub(super) const fn new(list: RowList<'a>) -> Self {
        Self { list, next: 0, end: list.len() }
    }

    /// The next row and where it starts in the input.
    #[inline]
    fn next_at(&mut self) -> Option<(&'a [u8], usize)> {
        if self.next >= self.end {
            return None;
        }
        let (start, end) = self.list.bounds(self.next)?;
        self.next = self.next.wrapping_add(1);
        Some((self.list.data.get(start..end)?, self.list.at.wrapping_add(start)))
    }
}

impl<'a> Iterator for Rows<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        match self.next_at() {
            Some((row, _)) => Some(row),
            None => None,
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end.saturating_sub(self.next);
        (left, Some(left))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<&'a [u8]> {
        self.next = self.next.saturating_add(n).min(self.end);
        self.next()
    }
}

impl DoubleEndedIterator for Rows<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        self.end = self.end.wrapping_sub(1);
        self.list.get(self.end)
    }
}

impl ExactSizeIterator for Rows<'_> {}

impl FusedIterator for Rows<'_> {}

impl fmt::Debug for Rows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// The rows of a list as values of `T`.
///
/// Each row is decoded from where it starts to where it ends. A row that is no `T` is an error, and
/// the rows behind it follow all the same: the list says where they are.
#[derive(Clone)]
pub struct TypedRows<'a, T> {
    rows: Rows<'a>,
    tail: Tail,
    row: PhantomData<fn() -> T>,
}

impl<'a, T: Decode<'a>> TypedRows<'a, T> {
    #[inline]
    pub(super) const fn new(list: RowList<'a>, tail: Tail) -> Self {
        Self { rows: Rows::new(list), tail, row: PhantomData }
    }
}

impl<'a, T: Decode<'a>> Iterator for TypedRows<'a, T> {
    type Item = Result<T, DecodeError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (row, at) = self.rows.next_at()?;
        let mut reader = Reader::starting_at(at, row);
        let value = match T::decode(&mut reader) {
            Ok(value) => value,
            Err(error) => return Some(Err(error)),
        };
        if self.tail == Tail::Strict
            && let Err(error) = reader.finish()
        {
            return Some(Err(error));
        }
        Some(Ok(value))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rows.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.rows.next = self.rows.next.saturating_add(n).min(self.rows.end);
        self.next()
    }
}

impl<'a, T: Decode<'a>> ExactSizeIterator for TypedRows<'a, T> {}

impl<'a, T: Decode<'a>> FusedIterator for TypedRows<'a, T> {}

impl<T> fmt::Debug for TypedRows<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedRows").field("rows", &self.rows).field("tail", &self.tail).finish()
    }
}
