//! What can stand in a text or in an attribute.

use core::fmt::{self, Write as _};
use core::str;

use heapless::string::StringView;

use super::node::place;
use crate::literal::space_padded;

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
        fn show(self, texts: &mut super::StringView) -> super::Shown;
    }
}

pub(super) fn show<S: Show>(value: S, texts: &mut StringView) -> Shown {
    value.show(texts)
}

/// Copies `text` behind what was copied before.
#[inline]
pub(super) fn copy(text: &str, texts: &mut StringView) -> Shown {
    let start = texts.len();
    if texts.push_str(text).is_err() {
        return Shown::Full;
    }
    Shown::Copied(place(start, text.len()))
}

impl sealed::Show for &'static str {
    #[inline(always)]
    fn show(self, _: &mut StringView) -> Shown {
        Shown::Literal(self)
    }
}

impl sealed::Show for Copied<'_> {
    #[inline]
    fn show(self, texts: &mut StringView) -> Shown {
        copy(self.0, texts)
    }
}

impl sealed::Show for char {
    fn show(self, texts: &mut StringView) -> Shown {
        copy(self.encode_utf8(&mut [0; 4]), texts)
    }
}

impl sealed::Show for fmt::Arguments<'_> {
    fn show(self, texts: &mut StringView) -> Shown {
        if let Some(literal) = self.as_str() {
            return Shown::Literal(literal);
        }
        let start = texts.len();
        if texts.write_fmt(self).is_err() {
            return Shown::Full;
        }
        Shown::Copied(place(start, texts.len().saturating_sub(start)))
    }
}

impl<T: sealed::Show> sealed::Show for Option<T> {
    #[inline]
    fn show(self, texts: &mut StringView) -> Shown {
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
            fn show(self, texts: &mut StringView) -> Shown {
                decimal(u64::try_from(self).unwrap_or(u64::MAX), false, texts)
            }
        }

        impl sealed::Show for $signed {
            #[inline]
            fn show(self, texts: &mut StringView) -> Shown {
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

/// Four digits are what most numbers need.
fn decimal(value: u64, negative: bool, texts: &mut StringView) -> Shown {
    let start = texts.len();
    if negative && texts.push('-').is_err() {
        return Shown::Full;
    }
    let fits = if let Some(digits) = space_padded::<4>(value) {
        push_digits(&digits, texts)
    } else if let Some(digits) = space_padded::<20>(value) {
        push_digits(&digits, texts)
    } else {
        false
    };
    if fits { Shown::Copied(place(start, texts.len().saturating_sub(start))) } else { Shown::Full }
}

fn push_digits(padded: &[u8], texts: &mut StringView) -> bool {
    texts.push_str(str::from_utf8(padded.trim_ascii_start()).unwrap_or_default()).is_ok()
}
