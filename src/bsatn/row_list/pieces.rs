//! Items out of an input that arrives in pieces.

use crate::sink::copy;

/// What an item has had of the pieces so far, and where in the input that is.
#[derive(Clone, Debug)]
pub(crate) struct Pieces<const N: usize> {
    bytes: [u8; N],
    held: usize,
    /// Bytes of the item that is waited for, as far as they are known.
    wanted: usize,
    /// Where the next byte of the next piece stands in the input.
    position: usize,
}

/// Where a whole item lies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found<'p> {
    /// In the piece that was handed in.
    Piece(&'p [u8]),
    /// It came in several pieces and has this many bytes.
    Held(usize),
}

impl<const N: usize> Pieces<N> {
    pub(crate) const fn new() -> Self {
        // The largest number of a message is an identity.
        const { assert!(N >= 32, "the buffer takes at least 32 bytes") };
        Self { bytes: [0; N], held: 0, wanted: 0, position: 0 }
    }

    /// Where the item begins that is waited for.
    #[inline]
    pub(crate) const fn item_at(&self) -> usize {
        self.position.wrapping_sub(self.held)
    }

    /// Bytes of it that are here.
    #[inline]
    pub(crate) const fn held(&self) -> usize {
        self.held
    }

    /// Bytes that it has at the least, as far as that is known.
    pub(crate) const fn wanted(&self) -> usize {
        self.wanted
    }

    /// The bytes of it that are here.
    #[inline]
    pub(crate) fn held_bytes(&self) -> &[u8] {
        self.bytes.get(..self.held).unwrap_or_default()
    }

    /// Takes an item of `size` bytes, at most `N` of them where it comes in several pieces; `None`
    /// where the piece is used up before.
    #[inline]
    pub(crate) fn take<'p>(&mut self, piece: &mut &'p [u8], size: usize) -> Option<Found<'p>> {
        if self.held == 0
            && let Some((item, rest)) = piece.split_at_checked(size)
        {
            *piece = rest;
            self.wanted = 0;
            self.position = self.position.wrapping_add(size);
            return Some(Found::Piece(item));
        }
        self.hold(piece, size);
        if self.held < size {
            self.wanted = size;
            return None;
        }
        (self.held, self.wanted) = (0, 0);
        Some(Found::Held(size))
    }

    /// Copies from the piece until `size` bytes are held, or as many as there are.
    pub(crate) fn hold(&mut self, piece: &mut &[u8], size: usize) {
        let (_, room) = self.bytes.split_at_mut_checked(self.held).unwrap_or_default();
        let wanted = size.saturating_sub(self.held).min(room.len()).min(piece.len());
        if let (Some(room), Some((bytes, rest))) =
            (room.get_mut(..wanted), piece.split_at_checked(wanted))
        {
            copy(room, bytes);
            *piece = rest;
            self.held = self.held.wrapping_add(wanted);
            self.position = self.position.wrapping_add(wanted);
        }
    }

    /// Ends the item after `size` of the held bytes and gives the rest back to `whole`, the piece
    /// as it was before they were copied; `None` where they were not of that piece.
    pub(crate) fn give_back<'p>(
        &mut self,
        size: usize,
        piece: &mut &'p [u8],
        whole: &'p [u8],
    ) -> Option<Found<'p>> {
        let copied = whole.len().checked_sub(piece.len())?;
        let surplus = self.held.checked_sub(size)?;
        *piece = whole.get(copied.checked_sub(surplus)?..)?;
        self.position = self.position.wrapping_sub(surplus);
        (self.held, self.wanted) = (0, 0);
        Some(Found::Held(size))
    }

    /// Gives up the item that is waited for; returns how many bytes of it there were.
    pub(crate) fn drop_held(&mut self) -> usize {
        core::mem::take(&mut self.held)
    }

    /// A number's bytes.
    #[inline]
    pub(crate) fn array<const K: usize>(&mut self, piece: &mut &[u8]) -> Option<[u8; K]> {
        let found = self.take(piece, K)?;
        self.bytes_of(found).first_chunk().copied()
    }

    /// The bytes of an item that was just taken.
    #[inline]
    pub(crate) fn bytes_of<'e, 'p: 'e>(&'e self, found: Found<'p>) -> &'e [u8] {
        match found {
            Found::Piece(bytes) => bytes,
            Found::Held(size) => self.bytes.get(..size).unwrap_or_default(),
        }
    }
}
