//! What nobody can guess.

use core::{fmt, str};

/// Where random numbers come from: the hardware's generator, or the system's.
///
/// They have to be such that nobody can foretell them. The library has none of its own, and without one
/// there is no server: whoever guesses a secret has the circuit.
pub trait Random {
    /// What can go wrong.
    type Error;

    /// Overwrites all of `bytes`.
    ///
    /// # Errors
    ///
    /// That there are no such numbers, or not yet. What `bytes` holds then is not used.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error>;
}

impl<R: Random + ?Sized> Random for &mut R {
    type Error = R::Error;

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), R::Error> {
        (**self).fill(bytes)
    }
}

/// Random bytes as text: six bits a character, in the alphabet of base64url (RFC 4648 section 5).
///
/// `CHARS` is a multiple of four. The text stands in URLs, in HTML and in JSON as it is. It is not copied
/// by accident, it is not printed, and it is compared in a time that does not tell how much of it is right.
/// Memory that held it is not wiped.
///
/// ```
/// use onewrite::circuit::secret::{CircuitSecret, Random};
///
/// /// Whatever the system has; these are not random.
/// struct System;
/// impl Random for System {
///     type Error = ();
///     fn fill(&mut self, bytes: &mut [u8]) -> Result<(), ()> {
///         bytes.fill(0x5a);
///         Ok(())
///     }
/// }
///
/// let secret = CircuitSecret::random(&mut System)?;
/// assert_eq!(secret.as_str().len(), 64);
/// assert!(secret.matches(secret.as_str()) && !secret.matches("Wlpa"));
/// assert_eq!(format!("{secret:?}"), "Secret { .. }");
/// # Ok::<(), ()>(())
/// ```
pub struct Secret<const CHARS: usize> {
    text: [u8; CHARS],
}

/// What a circuit is found by: 48 random bytes.
pub type CircuitSecret = Secret<64>;

/// What a connection or a page is let in with, once: 24 random bytes.
pub type Token = Secret<32>;

impl<const CHARS: usize> Secret<CHARS> {
    /// Characters of its text: four for three random bytes.
    pub const CHARS: usize = CHARS;

    /// A new one.
    ///
    /// # Errors
    ///
    /// Those of `random`.
    pub fn random<R: Random + ?Sized>(random: &mut R) -> Result<Self, R::Error> {
        const { assert!(CHARS.is_multiple_of(4), "four characters are three bytes") }
        let (mut text, mut bytes) = ([0; CHARS], [0; CHARS]);
        let bytes = bytes.get_mut(..CHARS / 4 * 3).unwrap_or_default();
        random.fill(bytes)?;
        for (four, three) in text.as_chunks_mut().0.iter_mut().zip(bytes.as_chunks().0) {
            *four = four_chars(*three);
        }
        Ok(Self { text })
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // The alphabet is ASCII.
        str::from_utf8(&self.text).unwrap_or_default()
    }

    /// Whether this is `text`.
    ///
    /// Takes a time that depends on nothing but the length of `text`.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        same(&self.text, text.as_bytes())
    }

    pub(in crate::circuit) const fn bytes(&self) -> &[u8; CHARS] {
        &self.text
    }

    /// The same once more, for who keeps it.
    pub(in crate::circuit) const fn duplicate(&self) -> Self {
        Self { text: self.text }
    }
}

/// Without its text.
impl<const CHARS: usize> fmt::Debug for Secret<CHARS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secret").finish_non_exhaustive()
    }
}

#[cfg(feature = "defmt")]
impl<const CHARS: usize> defmt::Format for Secret<CHARS> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "Secret {{ .. }}");
    }
}

/// Whether both are the same, found out in a time that only depends on their lengths.
#[inline(never)]
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    let mut differences = u8::from(a.len() != b.len());
    for (a, b) in a.iter().zip(b) {
        // Opaque, so that no compiler finds out that the rest could be left out.
        differences = core::hint::black_box(differences | a ^ b);
    }
    differences == 0
}

/// The characters of three bytes, first bits first.
const fn four_chars([a, b, c]: [u8; 3]) -> [u8; 4] {
    [char(a >> 2), char(a << 4 | b >> 4), char(b << 2 | c >> 6), char(c)]
}

/// The character of the low six bits, found without memory that they would be an address in.
const fn char(bits: u8) -> u8 {
    match bits & 0x3f {
        bits @ 0..=25 => bits + b'A',
        bits @ 26..=51 => bits - 26 + b'a',
        bits @ 52..=61 => bits - 52 + b'0',
        62 => b'-',
        _ => b'_',
    }
}
