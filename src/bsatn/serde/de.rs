//! Bytes to serde's data model.

use core::fmt;

use ::serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};

use crate::bsatn::Decode;
use crate::bsatn::array::{ZERO_WIDTH_LIMIT, take_count};
use crate::bsatn::sum::unknown_tag;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::reader::Reader;

/// Levels of values: a type may contain itself behind an allocation of its own.
const DEPTH: usize = 128;

/// What is left of the input.
pub(super) struct Source<'de> {
    reader: Reader<'de>,
    /// Levels that are left.
    depth: usize,
}

/// Why a value was not made.
#[derive(Debug)]
pub(super) enum Failure {
    Input(DecodeError),
    /// The type does not want it.
    Type,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::Type => f.write_str("type refuses the value"),
        }
    }
}

impl core::error::Error for Failure {}

impl Error for Failure {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Type
    }
}

impl From<DecodeError> for Failure {
    fn from(error: DecodeError) -> Self {
        Self::Input(error)
    }
}

impl<'de> Source<'de> {
    pub(super) const fn new(input: &'de [u8]) -> Self {
        Self { reader: Reader::new(input), depth: DEPTH }
    }

    pub(super) const fn reader(&self) -> Reader<'de> {
        self.reader
    }

    pub(super) fn value<T: Deserialize<'de>>(&mut self) -> Result<T, DecodeError> {
        T::deserialize(&mut *self).map_err(|failure| match failure {
            Failure::Input(error) => error,
            Failure::Type => self.reader.error(DecodeErrorKind::Refused),
        })
    }

    fn take<T: Decode<'de>>(&mut self) -> Result<T, Failure> {
        Ok(T::decode(&mut self.reader)?)
    }

    /// The number of elements, which cannot be more than bytes are left, unless they have none.
    fn count(&mut self) -> Result<usize, Failure> {
        let before = self.reader;
        let len = take_count(&mut self.reader)?;
        if len > self.reader.remaining().max(ZERO_WIDTH_LIMIT) {
            let count = i64::try_from(len).unwrap_or(i64::MAX);
            Err(before.error(DecodeErrorKind::CountTooLarge { table: "array", count }))?;
        }
        Ok(len)
    }

    fn enter(&mut self) -> Result<(), Failure> {
        match self.depth.checked_sub(1) {
            Some(depth) => {
                self.depth = depth;
                Ok(())
            }
            None => Err(self.reader.error(DecodeErrorKind::DepthLimit { limit: DEPTH }))?,
        }
    }

    const fn leave(&mut self) {
        self.depth = self.depth.saturating_add(1);
    }

    fn items<V: Visitor<'de>>(&mut self, left: usize, visitor: V) -> Result<V::Value, Failure> {
        self.enter()?;
        let value = visitor.visit_seq(Items { source: self, left })?;
        self.leave();
        Ok(value)
    }

    #[cold]
    fn unsupported(&self, what: &'static str) -> Failure {
        Failure::Input(self.reader.error(DecodeErrorKind::Unsupported { what }))
    }
}

impl<'de> Deserializer<'de> for &mut Source<'de> {
    type Error = Failure;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Failure> {
        Err(self.unsupported("type that the input would name"))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_bool(self.take()?)
    }

    fn deserialize_i8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_i8(self.take()?)
    }

    fn deserialize_i16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_i16(self.take()?)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_i32(self.take()?)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_i64(self.take()?)
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_i128(self.take()?)
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_u8(self.take()?)
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_u16(self.take()?)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_u32(self.take()?)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_u64(self.take()?)
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_u128(self.take()?)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_f32(self.take()?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_f64(self.take()?)
    }

    fn deserialize_char<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Failure> {
        Err(self.unsupported("char"))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_borrowed_str(self.take()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_borrowed_bytes(self.take()?)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        let before = self.reader;
        match self.take()? {
            0u8 => {
                self.enter()?;
                let value = visitor.visit_some(&mut *self)?;
                self.leave();
                Ok(value)
            }
            1 => visitor.visit_none(),
            tag => Err(unknown_tag(&before, "Option", tag))?,
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.enter()?;
        let value = visitor.visit_newtype_struct(&mut *self)?;
        self.leave();
        Ok(value)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        let len = self.count()?;
        self.items(len, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.items(len, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.items(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        let left = self.count()?;
        self.enter()?;
        let value = visitor.visit_map(Items { source: self, left })?;
        self.leave();
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.items(fields.len(), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let before = self.reader;
        let tag: u8 = self.take()?;
        if usize::from(tag) >= variants.len() {
            Err(unknown_tag(&before, name, tag))?;
        }
        self.enter()?;
        let value = visitor.visit_enum(Variant { source: self, tag })?;
        self.leave();
        Ok(value)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Failure> {
        Err(self.unsupported("names of fields"))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Failure> {
        Err(self.unsupported("value to be ignored"))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Elements of an array, fields of a product, or entries of a map.
struct Items<'s, 'de> {
    source: &'s mut Source<'de>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Failure;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failure> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        seed.deserialize(&mut *self.source).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> MapAccess<'de> for Items<'_, 'de> {
    type Error = Failure;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Failure> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Failure> {
        seed.deserialize(&mut *self.source)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// A variant whose tag was taken.
struct Variant<'s, 'de> {
    source: &'s mut Source<'de>,
    tag: u8,
}

impl<'s, 'de> EnumAccess<'de> for Variant<'s, 'de> {
    type Error = Failure;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Failure> {
        let index = IntoDeserializer::<Failure>::into_deserializer(u32::from(self.tag));
        Ok((seed.deserialize(index)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Failure;

    fn unit_variant(self) -> Result<(), Failure> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Failure> {
        seed.deserialize(self.source)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Failure> {
        self.source.items(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.source.items(fields.len(), visitor)
    }
}
