//! Values whose types are known at run time only.

use super::array::{ZERO_WIDTH_LIMIT, take_count};
use super::sum::unknown_tag;
use super::{AlgebraicType, Decode, Element, I256, U256};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::reader::Reader;

/// How deep a [`Walker`] goes where nothing else is said.
pub const DEPTH_LIMIT: usize = 64;

/// Most tokens in a row that take nothing from the input.
const IDLE_LIMIT: usize = 4 * ZERO_WIDTH_LIMIT;

/// Goes through a value and tells what is there, for tools that know no Rust type of it.
///
/// It takes memory for `DEPTH` levels of products, sums and arrays, and none besides; a value that
/// is deeper is an error, on every machine at the same level. The time is in proportion to the
/// input: values that take no bytes are limited in number. The walk ends with the value, with
/// [`into_reader`](Self::into_reader) behind it, or with the first error.
///
/// ```
/// use onewrite::bsatn::{AlgebraicType, Element, TokenKind, Walker};
/// use onewrite::reader::Reader;
///
/// const ROW: AlgebraicType<'_> = AlgebraicType::Product(&[
///     Element::new("id", AlgebraicType::U16),
///     Element::new("name", AlgebraicType::String),
/// ]);
/// let mut walker = Walker::new(&[], ROW, Reader::new(b"\x07\0\x02\0\0\0hi"));
/// let mut names = 0;
/// for token in &mut walker {
///     let token = token?;
///     if let TokenKind::String(text) = token.kind {
///         assert_eq!((token.name, text, token.at), (Some("name"), "hi", 2));
///         names += 1;
///     }
/// }
/// assert_eq!(names, 1);
/// walker.into_reader().finish()?;
/// # Ok::<(), onewrite::error::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walker<'t, 'a, const DEPTH: usize = DEPTH_LIMIT> {
    types: &'t [AlgebraicType<'t>],
    reader: Reader<'a>,
    /// What comes next; where there is nothing, the innermost container says.
    next: Option<Element<'t>>,
    /// The containers that are open, outermost first.
    open: [Open<'t>; DEPTH],
    /// How many of `open` are.
    depth: usize,
    /// Tokens since the input was last taken from.
    idle: usize,
}

/// A container whose end has not come.
#[derive(Clone, Copy, Debug)]
enum Open<'t> {
    /// The fields that are left.
    Fields(&'t [Element<'t>]),
    /// How many elements are left, and what each is.
    Elements(usize, AlgebraicType<'t>),
}

/// One step of a [`Walker`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token<'t, 'a> {
    /// Where its first byte is, counted from the start of the outermost input.
    pub at: usize,
    /// Name of the field or variant that it is the value of.
    pub name: Option<&'t str>,
    /// What is there.
    pub kind: TokenKind<'t, 'a>,
}

/// What a [`Walker`] found.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the format's own names")]
pub enum TokenKind<'t, 'a> {
    /// A product starts: its fields follow, and then `End`.
    Product {
        /// Number of fields.
        fields: usize,
    },
    /// A sum starts: the payload follows, under the name of the variant, and then `End`.
    Sum {
        /// The tag.
        tag: u8,
        /// The name of the variant.
        variant: Option<&'t str>,
    },
    /// An array starts: its elements follow, and then `End`.
    Array {
        /// Number of elements.
        len: usize,
    },
    /// The innermost container that is open ends.
    End,
    /// An array of bytes.
    Bytes(&'a [u8]),
    String(&'a str),
    Bool(bool),
    I8(i8),
    U8(u8),
    I16(i16),
    U16(u16),
    I32(i32),
    U32(u32),
    I64(i64),
    U64(u64),
    I128(i128),
    U128(u128),
    I256(I256),
    U256(U256),
    F32(f32),
    F64(f64),
}

impl<'t, 'a> Walker<'t, 'a> {
    /// A walk over the value of type `ty` at the front of `reader`, [`DEPTH_LIMIT`] levels deep.
    ///
    /// `types` are those that a `Ref` means.
    #[must_use]
    pub const fn new(
        types: &'t [AlgebraicType<'t>],
        ty: AlgebraicType<'t>,
        reader: Reader<'a>,
    ) -> Self {
        Self::with_depth(types, ty, reader)
    }
}

impl<'t, 'a, const DEPTH: usize> Walker<'t, 'a, DEPTH> {
    /// [`new`](Walker::new), but `DEPTH` levels deep.
    #[must_use]
    pub const fn with_depth(
        types: &'t [AlgebraicType<'t>],
        ty: AlgebraicType<'t>,
        reader: Reader<'a>,
    ) -> Self {
        Self {
            types,
            reader,
            next: Some(Element { name: None, ty }),
            open: [Open::Fields(&[]); DEPTH],
            depth: 0,
            idle: 0,
        }
    }

    /// Goes to the end of the value and returns the reader behind it.
    ///
    /// # Errors
    ///
    /// The first that the walk would tell.
    pub fn skip(mut self) -> Result<Reader<'a>, DecodeError> {
        for token in &mut self {
            token?;
        }
        Ok(self.reader)
    }

    /// The reader behind what was walked over.
    #[must_use]
    pub const fn into_reader(self) -> Reader<'a> {
        self.reader
    }

    /// How many containers are open.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// The value that comes next; `None` where the innermost container ends.
    fn take_next(&mut self) -> Option<Element<'t>> {
        if let Some(next) = self.next.take() {
            return Some(next);
        }
        match self.open.get_mut(self.depth.checked_sub(1)?)? {
            Open::Fields(fields) => {
                let (first, rest) = fields.split_first()?;
                *fields = rest;
                Some(*first)
            }
            Open::Elements(left, ty) => {
                *left = left.checked_sub(1)?;
                Some(Element { name: None, ty: *ty })
            }
        }
    }

    /// Opens a container whose first byte is the next one of `before`.
    fn open(&mut self, before: &Reader<'a>, container: Open<'t>) -> Result<(), DecodeError> {
        match self.open.get_mut(self.depth) {
            Some(place) => {
                *place = container;
                self.depth = self.depth.saturating_add(1);
                Ok(())
            }
            None => Err(before.error(DecodeErrorKind::DepthLimit { limit: DEPTH })),
        }
    }

    /// The type that `ty` stands for, through as many `Ref`s as there are types.
    fn resolve(&self, ty: AlgebraicType<'t>) -> Result<AlgebraicType<'t>, DecodeError> {
        let mut found = ty;
        for _ in 0..=self.types.len() {
            let AlgebraicType::Ref(index) = found else { return Ok(found) };
            let place = usize::try_from(index).ok().and_then(|index| self.types.get(index));
            match place {
                Some(ty) => found = *ty,
                None => return Err(self.no_type(index)),
            }
        }
        Err(self.no_type(0))
    }

    #[cold]
    fn no_type(&self, index: u32) -> DecodeError {
        let (index, len) = (index.into(), self.types.len());
        self.reader.error(DecodeErrorKind::IndexOutOfRange { table: "types", index, len })
    }

    fn step(&mut self) -> Result<Option<Token<'t, 'a>>, DecodeError> {
        let before = self.reader;
        let at = before.position();
        let Some(Element { name, ty }) = self.take_next() else {
            return Ok(self.depth.checked_sub(1).map(|depth| {
                self.depth = depth;
                Token { at, name: None, kind: TokenKind::End }
            }));
        };
        let kind = self.value(ty)?;
        if self.reader.remaining() != before.remaining() {
            self.idle = 0;
        } else {
            self.idle = self.idle.saturating_add(1);
            if self.idle > IDLE_LIMIT {
                let count = i64::try_from(self.idle).unwrap_or(i64::MAX);
                let table = "values without bytes";
                return Err(before.error(DecodeErrorKind::CountTooLarge { table, count }));
            }
        }
        Ok(Some(Token { at, name, kind }))
    }

    fn value(&mut self, ty: AlgebraicType<'t>) -> Result<TokenKind<'t, 'a>, DecodeError> {
        let before = self.reader;
        let reader = &mut self.reader;
        Ok(match ty {
            AlgebraicType::Bool => TokenKind::Bool(reader.bool()?),
            AlgebraicType::I8 => TokenKind::I8(reader.i8()?),
            AlgebraicType::U8 => TokenKind::U8(reader.u8()?),
            AlgebraicType::I16 => TokenKind::I16(reader.i16_le()?),
            AlgebraicType::U16 => TokenKind::U16(reader.u16_le()?),
            AlgebraicType::I32 => TokenKind::I32(reader.i32_le()?),
            AlgebraicType::U32 => TokenKind::U32(reader.u32_le()?),
            AlgebraicType::I64 => TokenKind::I64(reader.i64_le()?),
            AlgebraicType::U64 => TokenKind::U64(reader.u64_le()?),
            AlgebraicType::I128 => TokenKind::I128(reader.i128_le()?),
            AlgebraicType::U128 => TokenKind::U128(reader.u128_le()?),
            AlgebraicType::I256 => TokenKind::I256(I256::decode(reader)?),
            AlgebraicType::U256 => TokenKind::U256(U256::decode(reader)?),
            AlgebraicType::F32 => TokenKind::F32(reader.f32_le()?),
            AlgebraicType::F64 => TokenKind::F64(reader.f64_le()?),
            AlgebraicType::String => TokenKind::String(<&str>::decode(reader)?),
            AlgebraicType::Ref(_) => {
                let ty = self.resolve(ty)?;
                // Not a `Ref` any more, so this goes one level down and no further.
                self.value(ty)?
            }
            AlgebraicType::Product(fields) => {
                self.open(&before, Open::Fields(fields))?;
                TokenKind::Product { fields: fields.len() }
            }
            AlgebraicType::Sum(variants) => {
                let tag = reader.u8()?;
                let (_, tail) = variants.split_at_checked(tag.into()).unwrap_or_default();
                let Some((variant, _)) = tail.split_at_checked(1) else {
                    return Err(unknown_tag(&before, "sum", tag));
                };
                self.open(&before, Open::Fields(variant))?;
                let name = variant.first().and_then(|variant| variant.name);
                TokenKind::Sum { tag, variant: name }
            }
            AlgebraicType::Array(element) => {
                let element = self.resolve(*element)?;
                if matches!(element, AlgebraicType::U8) {
                    return Ok(TokenKind::Bytes(<&[u8]>::decode(&mut self.reader)?));
                }
                let len = take_count(&mut self.reader)?;
                if len > self.reader.remaining().max(ZERO_WIDTH_LIMIT) {
                    let count = i64::try_from(len).unwrap_or(i64::MAX);
                    let table = "array";
                    return Err(before.error(DecodeErrorKind::CountTooLarge { table, count }));
                }
                self.open(&before, Open::Elements(len, element))?;
                TokenKind::Array { len }
            }
        })
    }
}

impl<'t, 'a, const DEPTH: usize> Iterator for Walker<'t, 'a, DEPTH> {
    type Item = Result<Token<'t, 'a>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let step = self.step();
        if step.is_err() {
            // Nothing is next, nothing is open: the walk is over.
            self.depth = 0;
        }
        step.transpose()
    }
}

impl<const DEPTH: usize> core::iter::FusedIterator for Walker<'_, '_, DEPTH> {}
