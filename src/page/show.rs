//! What can stand in a text or in an attribute.

use core::fmt::{self, Write as _};

use super::node::place;
use crate::sink;

/// A value that a page shows: as a text, or as that of an attribute.
///
/// | value | is shown as | takes copied text |
/// |---|---|---|
/// | `&'static str` | itself | only in an attribute |
/// | [`Copied`] | the string | yes |
/// | an integer | decimal digits | yes |
/// | `char` | itself | yes |
/// | [`fmt::Arguments`], from `format_args!` | what it formats to | yes |
/// | `Option` | `None`: no text, no attribute | as its value |
pub trait Show: sealed::Show {}

impl<T: sealed::Show> Show for T {}

/// A string that is copied, as it does not live as long as the program.
///
/// ```
/// use onewrite::page::{Content, Copied};
///
/// fn greeting(page: &mut Content<'_>, name: &str) {
///     page.element("p").attribute("title", Copied(name)).text(Copied(name));
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied<'a>(pub &'a str);

/// Where a shown value lies.
#[allow(unnameable_types, reason = "only the sealed trait names it")]
#[derive(Clone, Copy, Debug)]
pub enum Shown {
    Nothing,
    Literal(&'static str),
    /// Among the copied texts, at this place.
    Copied(u64),
    /// There is no room for it.
    Full,
}

mod sealed {
    #[allow(unnameable_types, reason = "seals Show")]
    pub trait Show {
        fn show(self, texts: &mut super::Texts<'_>) -> super::Shown;
    }
}

/// Memory for texts that are copied.
#[allow(unnameable_types, reason = "only the sealed trait names it")]
#[derive(Debug)]
pub struct Texts<'d> {
    bytes: &'d mut [u8],
    len: usize,
}

impl<'d> Texts<'d> {
    /// Memory of which the first `len` bytes are taken.
    pub(super) const fn new(bytes: &'d mut [u8], len: usize) -> Self {
        Self { bytes, len }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) const fn capacity(&self) -> usize {
        self.bytes.len()
    }

    /// Copies `text` behind what was copied before.
    #[inline]
    pub(super) fn copy(&mut self, text: &[u8]) -> Shown {
        let start = self.len;
        let rest = self.bytes.get_mut(start..).unwrap_or_default();
        let Some(to) = rest.get_mut(..text.len()) else { return Shown::Full };
        sink::copy(to, text);
        self.len += text.len();
        Shown::Copied(place(start, text.len()))
    }
}

impl fmt::Write for Texts<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match self.copy(text.as_bytes()) {
            Shown::Full => Err(fmt::Error),
            _ => Ok(()),
        }
    }
}

impl sealed::Show for &'static str {
    #[inline(always)]
    fn show(self, _: &mut Texts<'_>) -> Shown {
        Shown::Literal(self)
    }
}

impl sealed::Show for Copied<'_> {
    #[inline]
    fn show(self, texts: &mut Texts<'_>) -> Shown {
        texts.copy(self.0.as_bytes())
    }
}

impl sealed::Show for char {
    fn show(self, texts: &mut Texts<'_>) -> Shown {
        texts.copy(self.encode_utf8(&mut [0; 4]).as_bytes())
    }
}

impl sealed::Show for fmt::Arguments<'_> {
    fn show(self, texts: &mut Texts<'_>) -> Shown {
        if let Some(literal) = self.as_str() {
            return Shown::Literal(literal);
        }
        let start = texts.len;
        if texts.write_fmt(self).is_err() {
            return Shown::Full;
        }
        Shown::Copied(place(start, texts.len - start))
    }
}

impl<T: sealed::Show> sealed::Show for Option<T> {
    #[inline]
    fn show(self, texts: &mut Texts<'_>) -> Shown {
        match self {
            Some(value) => value.show(texts),
            None => Shown::Nothing,
        }
    }
}

macro_rules! integers {
    ($($unsigned:ty, $signed:ty;)*) => {$(
        impl sealed::Show for $unsigned {
            #[inline]
            fn show(self, texts: &mut Texts<'_>) -> Shown {
                decimal(u64::try_from(self).unwrap_or(u64::MAX), false, texts)
            }
        }

        impl sealed::Show for $signed {
            #[inline]
            fn show(self, texts: &mut Texts<'_>) -> Shown {
                decimal(u64::try_from(self.unsigned_abs()).unwrap_or(u64::MAX), self < 0, texts)
            }
        }
    )*};
}

integers! {
    u8, i8;
    u16, i16;
    u32, i32;
    u64, i64;
    usize, isize;
}

/// Digits of the largest number, and a sign.
const MAX_DIGITS: usize = 21;

/// Of numbers that fit 32 bits, which most do, also where 64 take a function call to divide.
fn decimal(value: u64, negative: bool, texts: &mut Texts<'_>) -> Shown {
    let mut buffer = [0; MAX_DIGITS];
    let mut places = buffer.iter_mut().rev();
    let mut len = 0;
    let mut high = value;
    while high > u64::from(u32::MAX)
        && let Some(place) = places.next()
    {
        *place = b'0' + (high % 10) as u8;
        high /= 10;
        len += 1;
    }
    let mut low = u32::try_from(high).unwrap_or(u32::MAX);
    for place in places {
        if low == 0 && len != 0 {
            if negative {
                *place = b'-';
                len += 1;
            }
            break;
        }
        *place = b'0' + (low % 10) as u8;
        low /= 10;
        len += 1;
    }
    texts.copy(buffer.get(MAX_DIGITS - len..).unwrap_or_default())
}
