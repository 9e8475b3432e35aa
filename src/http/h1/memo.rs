//! The last plain head, so that the same bytes are not read again field by field.

use super::super::Routes;
use super::super::kept::Kept;
use super::plain::{self, Plain};

/// A head of at most `MEMO` bytes, and what it asked for.
///
/// The same bytes ask for the same thing, since the routes of a connection are always the same.
#[derive(Debug)]
pub(super) struct Memo<const MEMO: usize> {
    bytes: Kept<MEMO>,
    /// Length of the head; zero if there is none.
    len: usize,
    number: usize,
    head: bool,
}

impl<const MEMO: usize> Memo<MEMO> {
    pub(super) const NONE: Self = Self { bytes: Kept::NONE, len: 0, number: 0, head: false };

    /// Reads a plain head, or knows it.
    #[inline(always)]
    pub(super) fn read<'r, 'i>(
        &mut self,
        routes: &Routes<'r>,
        input: &'i [u8],
    ) -> Option<Plain<'r, 'i>> {
        if MEMO == 0 {
            return plain::read(routes, input);
        }
        if self.len != 0
            && let Some((head, rest)) = input.split_at_checked(self.len)
            && self.bytes.as_slice().get(..self.len) == Some(head)
            && let Some(route) = routes.routes.get(self.number)
        {
            let Self { number, head, .. } = *self;
            return Some(Plain { number, response: route.response, head, rest });
        }
        let plain = plain::read(routes, input)?;
        let len = input.len() - plain.rest.len();
        if let (Some(bytes), Some(head)) =
            (self.bytes.as_mut_slice().get_mut(..len), input.get(..len))
        {
            crate::sink::copy(bytes, head);
            (self.len, self.number, self.head) = (len, plain.number, plain.head);
        }
        Some(plain)
    }
}
