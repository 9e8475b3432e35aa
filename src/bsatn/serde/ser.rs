//! serde's data model to bytes.

use core::fmt;

use ::serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::ValueError;
use crate::bsatn::{Encode, Output};

/// Puts one value.
pub(super) struct Writer<'o, O>(pub(super) &'o mut O);

impl<O: Output> Writer<'_, O> {
    fn put<T: Encode + ?Sized>(self, value: &T) -> Result<(), ValueError> {
        value.put(self.0);
        Ok(())
    }

    fn tag(&mut self, index: u32) -> Result<(), ValueError> {
        match u8::try_from(index) {
            Ok(tag) => {
                self.0.array([tag]);
                Ok(())
            }
            Err(_) => Err(ValueError::TooManyVariants { index }),
        }
    }

    fn count(&mut self, len: Option<usize>) -> Result<usize, ValueError> {
        let len = len.ok_or(ValueError::UnknownLength)?;
        let count = u32::try_from(len).map_err(|_| ValueError::WrongLength)?;
        self.0.array(count.to_le_bytes());
        Ok(len)
    }
}

impl<'o, O: Output> Serializer for Writer<'o, O> {
    type Ok = ();
    type Error = ValueError;
    type SerializeSeq = Counted<'o, O>;
    type SerializeTuple = Fields<'o, O>;
    type SerializeTupleStruct = Fields<'o, O>;
    type SerializeTupleVariant = Fields<'o, O>;
    type SerializeMap = Counted<'o, O>;
    type SerializeStruct = Fields<'o, O>;
    type SerializeStructVariant = Fields<'o, O>;

    fn serialize_bool(self, value: bool) -> Result<(), ValueError> {
        self.put(&value)
    }

    fn serialize_i8(self, value: i8) -> Result<(), ValueError> {
        self.put(&value)
    }

    fn serialize_i16(self, value: i16) -> Result<(), ValueError> {
        self.put(&value)
    }

    fn serialize_i32(self, value: i32) -> Result<(), ValueError> {
        self.put(&value)
    }

    fn serialize_i64(self, value: i64) -> Result<(), ValueError> {
        self.put(&value)
    }

    fn serialize_i128(self, value: i128) -> Result<(), ValueError> {
        self.put(&value)
    }

    fn serialize_u8(self, value: u8) -> Result<(), ValueError> {
        self.put(&value)
    }

    fn serialize_u16(self, value: u16) -> Result<(), ValueError> {
        self.put(&value)
    }

    fn serialize_u32(self, value: u32) -> Result<(), ValueError> {
        self.put(&value)
    }

    fn serialize_u64(self, value: u64) -> Result<(), ValueError> {
        self.put(&value)
    }

    fn serialize_u128(self, value: u128) -> Result<(), ValueError> {
        self.put(&value)
    }

    fn serialize_f32(self, value: f32) -> Result<(), ValueError> {
        self.put(&value)
    }

    fn serialize_f64(self, value: f64) -> Result<(), ValueError> {
        self.put(&value)
    }

    fn serialize_char(self, _: char) -> Result<(), ValueError> {
        Err(ValueError::Char)
    }

    fn serialize_str(self, value: &str) -> Result<(), ValueError> {
        self.put(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), ValueError> {
        self.put(value)
    }

    fn serialize_none(self) -> Result<(), ValueError> {
        self.put(&1u8)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), ValueError> {
        self.0.array([0]);
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), ValueError> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), ValueError> {
        Ok(())
    }

    fn serialize_unit_variant(
        mut self,
        _: &'static str,
        index: u32,
        _: &'static str,
    ) -> Result<(), ValueError> {
        self.tag(index)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), ValueError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), ValueError> {
        self.tag(index)?;
        value.serialize(self)
    }

    fn serialize_seq(mut self, len: Option<usize>) -> Result<Counted<'o, O>, ValueError> {
        let left = self.count(len)?;
        Ok(Counted { out: self.0, left })
    }

    fn serialize_tuple(self, _: usize) -> Result<Fields<'o, O>, ValueError> {
        Ok(Fields(self.0))
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Fields<'o, O>, ValueError> {
        Ok(Fields(self.0))
    }

    fn serialize_tuple_variant(
        mut self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Fields<'o, O>, ValueError> {
        self.tag(index)?;
        Ok(Fields(self.0))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Counted<'o, O>, ValueError> {
        self.serialize_seq(len)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields<'o, O>, ValueError> {
        Ok(Fields(self.0))
    }

    fn serialize_struct_variant(
        mut self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Fields<'o, O>, ValueError> {
        self.tag(index)?;
        Ok(Fields(self.0))
    }

    /// Formats twice: the length stands in front.
    fn collect_str<T: fmt::Display + ?Sized>(mut self, value: &T) -> Result<(), ValueError> {
        let mut len = Length(0);
        fmt::write(&mut len, format_args!("{value}")).map_err(|_| ValueError::Refused)?;
        self.count(Some(len.0))?;
        fmt::write(&mut Text(self.0), format_args!("{value}")).map_err(|_| ValueError::Refused)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Counts the bytes of a text.
struct Length(usize);

impl fmt::Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.saturating_add(text.len());
        Ok(())
    }
}

/// Puts the bytes of a text.
struct Text<'o, O>(&'o mut O);

impl<O: Output> fmt::Write for Text<'_, O> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.bytes(text.as_bytes());
        Ok(())
    }
}

/// The elements of an array that said how many they are.
pub(super) struct Counted<'o, O> {
    out: &'o mut O,
    left: usize,
}

impl<O> Counted<'_, O> {
    fn take(&mut self) -> Result<(), ValueError> {
        self.left = self.left.checked_sub(1).ok_or(ValueError::WrongLength)?;
        Ok(())
    }

    fn finish(self) -> Result<(), ValueError> {
        if self.left == 0 { Ok(()) } else { Err(ValueError::WrongLength) }
    }
}

impl<O: Output> SerializeSeq for Counted<'_, O> {
    type Ok = ();
    type Error = ValueError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
        self.take()?;
        value.serialize(Writer(self.out))
    }

    fn end(self) -> Result<(), ValueError> {
        self.finish()
    }
}

impl<O: Output> SerializeMap for Counted<'_, O> {
    type Ok = ();
    type Error = ValueError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), ValueError> {
        self.take()?;
        key.serialize(Writer(self.out))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
        value.serialize(Writer(self.out))
    }

    fn end(self) -> Result<(), ValueError> {
        self.finish()
    }
}

/// The fields of a product.
pub(super) struct Fields<'o, O>(&'o mut O);

impl<O: Output> SerializeTuple for Fields<'_, O> {
    type Ok = ();
    type Error = ValueError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
        value.serialize(Writer(self.0))
    }

    fn end(self) -> Result<(), ValueError> {
        Ok(())
    }
}

impl<O: Output> SerializeTupleStruct for Fields<'_, O> {
    type Ok = ();
    type Error = ValueError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
        value.serialize(Writer(self.0))
    }

    fn end(self) -> Result<(), ValueError> {
        Ok(())
    }
}

impl<O: Output> SerializeTupleVariant for Fields<'_, O> {
    type Ok = ();
    type Error = ValueError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
        value.serialize(Writer(self.0))
    }

    fn end(self) -> Result<(), ValueError> {
        Ok(())
    }
}

impl<O: Output> SerializeStruct for Fields<'_, O> {
    type Ok = ();
    type Error = ValueError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        _: &'static str,
        value: &T,
    ) -> Result<(), ValueError> {
        value.serialize(Writer(self.0))
    }

    fn end(self) -> Result<(), ValueError> {
        Ok(())
    }
}

impl<O: Output> SerializeStructVariant for Fields<'_, O> {
    type Ok = ();
    type Error = ValueError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        _: &'static str,
        value: &T,
    ) -> Result<(), ValueError> {
        value.serialize(Writer(self.0))
    }

    fn end(self) -> Result<(), ValueError> {
        Ok(())
    }
}
