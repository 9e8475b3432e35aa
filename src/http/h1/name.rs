//! Names of fields that come with nearly every request, by words instead of bytes.

/// What is behind the version, the name of the field that comes first, and a space.
///
/// In front of the version is the space that ended the target.
#[inline(always)]
pub(super) fn behind_host(input: &[u8]) -> Option<&[u8]> {
    const VERSION: u64 = u64::from_le_bytes(*b"HTTP/1.1");
    const HOST: Word = Word::new(b"\r\nhost: ", 0);
    let (front, rest) = input.split_first_chunk::<17>()?;
    let (version, host) = (word(front.get(1..)?)?, word(front.get(9..)?)?);
    (version == VERSION && HOST.is(host)).then_some(rest)
}

/// What is behind a frequent name and its colon at the start of `input`, which belong to a field that
/// nothing depends on.
///
/// Such a name is found by one bit of its first letter that is the same in both cases.
#[inline(always)]
pub(super) fn behind_frequent(input: &[u8]) -> Option<&[u8]> {
    let front = word(input)?;
    let name = FREQUENT.get((front >> 2 & 1) as usize)?;
    if !name.front.is(front) {
        return None;
    }
    if front >> 2 & 1 == 0 {
        return input.get(ACCEPT.len()..);
    }
    // The word overlaps the one in front.
    let (text, rest) = input.split_first_chunk::<{ USER_AGENT.len() }>()?;
    name.back.is(word(text.get(USER_AGENT.len() - 8..)?)?).then_some(rest)
}

#[inline(always)]
fn word(input: &[u8]) -> Option<u64> {
    input.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// Up to eight bytes without regard to case.
#[derive(Clone, Copy)]
struct Word {
    /// The bytes in lower case.
    bytes: u64,
    /// Which of them there are.
    keep: u64,
    /// The bit of letters that tells their case.
    fold: u64,
}

impl Word {
    /// Those of `text` from `at`.
    const fn new(text: &[u8], at: usize) -> Self {
        let (_, mut rest) = text.split_at(at);
        let (mut word, mut shift) = (Self { bytes: 0, keep: 0, fold: 0 }, 0);
        while let [byte, tail @ ..] = rest {
            if shift == 64 {
                break;
            }
            word.bytes |= (*byte as u64) << shift;
            word.keep |= 0xff << shift;
            word.fold |= if byte.is_ascii_lowercase() { 0x20 << shift } else { 0 };
            (shift, rest) = (shift + 8, tail);
        }
        word
    }

    #[inline(always)]
    const fn is(&self, word: u64) -> bool {
        (word | self.fold) & self.keep == self.bytes
    }
}

/// A name with its colon.
// As long as a cache line, so that its number becomes its address by a shift.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Name {
    front: Word,
    /// Its last eight bytes, if it has so many.
    back: Word,
}

impl Name {
    const fn new(text: &[u8]) -> Self {
        let back = Word::new(text, text.len().saturating_sub(8));
        Self { front: Word::new(text, 0), back }
    }
}

const ACCEPT: &[u8] = b"accept:";
const USER_AGENT: &[u8] = b"user-agent:";

/// Of the first one's `a` this bit is clear, of the second one's `u` it is set.
static FREQUENT: [Name; 2] = [Name::new(ACCEPT), Name::new(USER_AGENT)];
