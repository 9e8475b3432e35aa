//! Where the compiler puts bytes, or counts them.

use crate::literal;

/// Bytes that are put one behind the other, and counted where there is no room for them.
///
/// The same code so foretells a length, over no bytes, and writes.
pub(super) struct Output<'a> {
    rest: &'a mut [u8],
    len: usize,
}

impl<'a> Output<'a> {
    pub(super) const fn new(bytes: &'a mut [u8]) -> Self {
        Self { rest: bytes, len: 0 }
    }

    /// Puts all of `part`, or nothing of it or of what comes behind it.
    pub(super) const fn put(&mut self, part: &[u8]) {
        self.len = self.len.saturating_add(part.len());
        #[expect(clippy::mem_replace_with_default, reason = "`take` is not `const`")]
        let rest = core::mem::replace(&mut self.rest, &mut []);
        if let Some((to, after)) = rest.split_at_mut_checked(part.len()) {
            literal::copy(to, part);
            self.rest = after;
        }
    }

    pub(super) const fn byte(&mut self, byte: u8) {
        self.put(&[byte]);
    }

    /// Bytes that were put or counted.
    pub(super) const fn len(&self) -> usize {
        self.len
    }
}
