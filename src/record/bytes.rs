//! Arrays of bytes, as an associated type can name them.

mod sealed {
    #[allow(unnameable_types, reason = "so that no other type can be an array of bytes")]
    pub trait Sealed {}
    impl<const N: usize> Sealed for [u8; N] {}
}

/// An array of bytes of any length: `[u8; N]` and nothing else.
///
/// Stable Rust cannot write `[u8; Self::SIZE]` in a trait; an associated type of this bound says
/// the same.
pub trait ByteArray: sealed::Sealed + Copy + 'static {
    /// Length of the array in bytes.
    const LEN: usize;

    /// All bytes zero.
    const ZERO: Self;

    /// The bytes.
    fn as_slice(&self) -> &[u8];

    /// The bytes, to be overwritten.
    fn as_mut_slice(&mut self) -> &mut [u8];

    /// The first `LEN` bytes of `bytes` and what follows them; `None` where there are fewer.
    fn split_first(bytes: &[u8]) -> Option<(&Self, &[u8])>;

    /// The first `LEN` bytes of `bytes` and what follows them; `None` where there are fewer.
    fn split_first_mut(bytes: &mut [u8]) -> Option<(&mut Self, &mut [u8])>;

    /// `bytes` as whole arrays, and the bytes left over.
    ///
    /// The length of `bytes` is looked at once, so a loop over the arrays checks nothing. Of empty
    /// arrays, of which any number fit, it gives none.
    fn chunks_mut(bytes: &mut [u8]) -> (&mut [Self], &mut [u8]);
}

impl<const N: usize> ByteArray for [u8; N] {
    const LEN: usize = N;

    const ZERO: Self = [0; N];

    #[inline(always)]
    fn as_slice(&self) -> &[u8] {
        self
    }

    #[inline(always)]
    fn as_mut_slice(&mut self) -> &mut [u8] {
        self
    }

    #[inline(always)]
    fn split_first(bytes: &[u8]) -> Option<(&Self, &[u8])> {
        bytes.split_first_chunk()
    }

    #[inline(always)]
    fn split_first_mut(bytes: &mut [u8]) -> Option<(&mut Self, &mut [u8])> {
        bytes.split_first_chunk_mut()
    }

    #[inline(always)]
    fn chunks_mut(bytes: &mut [u8]) -> (&mut [Self], &mut [u8]) {
        if N == 0 { (&mut [], bytes) } else { bytes.as_chunks_mut() }
    }
}

/// The last `W` bytes of `bytes`; `None` where there are fewer.
///
/// `slice::last_chunk` and its kin split with a check that can panic, and at opt-level `z` keep it.
#[inline(always)]
pub(crate) const fn last_chunk<const W: usize>(bytes: &[u8]) -> Option<&[u8; W]> {
    match split_last_chunk(bytes) {
        Some((_, last)) => Some(last),
        None => None,
    }
}

/// What is in front of the last `W` bytes, and these; see [`last_chunk`].
#[inline(always)]
pub(crate) const fn split_last_chunk<const W: usize>(bytes: &[u8]) -> Option<(&[u8], &[u8; W])> {
    let Some(at) = bytes.len().checked_sub(W) else { return None };
    if let Some((front, last)) = bytes.split_at_checked(at)
        && let Some(last) = last.first_chunk()
    {
        Some((front, last))
    } else {
        None
    }
}

/// What is in front of the last `W` bytes, and these, to be overwritten; see [`last_chunk`].
#[inline(always)]
pub(crate) const fn split_last_chunk_mut<const W: usize>(
    bytes: &mut [u8],
) -> Option<(&mut [u8], &mut [u8; W])> {
    let Some(at) = bytes.len().checked_sub(W) else { return None };
    if let Some((front, last)) = bytes.split_at_mut_checked(at)
        && let Some(last) = last.first_chunk_mut()
    {
        Some((front, last))
    } else {
        None
    }
}
