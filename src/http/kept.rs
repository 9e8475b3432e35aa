//! Memory for the last request, for the quick ways alone.

/// `N` bytes, or none without the feature `http-quick`: then nobody looks at them.
#[derive(Debug)]
pub(super) struct Kept<const N: usize> {
    #[cfg(feature = "http-quick")]
    bytes: [u8; N],
}

impl<const N: usize> Kept<N> {
    pub(super) const NONE: Self = Self {
        #[cfg(feature = "http-quick")]
        bytes: [0; N],
    };

    #[inline(always)]
    pub(super) const fn as_slice(&self) -> &[u8] {
        #[cfg(feature = "http-quick")]
        return &self.bytes;
        #[cfg(not(feature = "http-quick"))]
        &[]
    }

    #[inline(always)]
    pub(super) const fn as_mut_slice(&mut self) -> &mut [u8] {
        #[cfg(feature = "http-quick")]
        return &mut self.bytes;
        #[cfg(not(feature = "http-quick"))]
        &mut []
    }
}
