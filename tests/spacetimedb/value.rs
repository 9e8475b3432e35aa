//! Values as the vectors write them, encoded by the library and rebuilt from its tokens.

use onewrite::bsatn::{AlgebraicType, Encode, I256, Output, Token, TokenKind, U256, Walker};
use onewrite::reader::Reader;
use serde_json::Value as Json;

use crate::report::hex;

/// The deepest vectors have a hundred levels.
const DEPTH: usize = 128;

/// Any value. Floats are their bits, so that equal means equal bits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
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
    F32(u32),
    F64(u64),
    String(String),
    Bytes(Vec<u8>),
    Array(Vec<Self>),
    Product(Vec<Self>),
    Sum(u8, Box<Self>),
}

impl Encode for Value {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    fn encoded_len(&self) -> usize {
        match self {
            Self::Bool(value) => value.encoded_len(),
            Self::I8(value) => value.encoded_len(),
            Self::U8(value) => value.encoded_len(),
            Self::I16(value) => value.encoded_len(),
            Self::U16(value) => value.encoded_len(),
            Self::I32(value) => value.encoded_len(),
            Self::U32(value) => value.encoded_len(),
            Self::I64(value) => value.encoded_len(),
            Self::U64(value) => value.encoded_len(),
            Self::I128(value) => value.encoded_len(),
            Self::U128(value) => value.encoded_len(),
            Self::I256(value) => value.encoded_len(),
            Self::U256(value) => value.encoded_len(),
            Self::F32(value) => f32::from_bits(*value).encoded_len(),
            Self::F64(value) => f64::from_bits(*value).encoded_len(),
            Self::String(value) => value.as_str().encoded_len(),
            Self::Bytes(value) => value.as_slice().encoded_len(),
            Self::Array(value) => value.as_slice().encoded_len(),
            Self::Product(fields) => fields.iter().map(Self::encoded_len).sum(),
            Self::Sum(tag, value) => (*tag, &**value).encoded_len(),
        }
    }

    fn put<O: Output>(&self, out: &mut O) {
        match self {
            Self::Bool(value) => value.put(out),
            Self::I8(value) => value.put(out),
            Self::U8(value) => value.put(out),
            Self::I16(value) => value.put(out),
            Self::U16(value) => value.put(out),
            Self::I32(value) => value.put(out),
            Self::U32(value) => value.put(out),
            Self::I64(value) => value.put(out),
            Self::U64(value) => value.put(out),
            Self::I128(value) => value.put(out),
            Self::U128(value) => value.put(out),
            Self::I256(value) => value.put(out),
            Self::U256(value) => value.put(out),
            Self::F32(value) => f32::from_bits(*value).put(out),
            Self::F64(value) => f64::from_bits(*value).put(out),
            Self::String(value) => value.as_str().put(out),
            Self::Bytes(value) => value.as_slice().put(out),
            Self::Array(value) => value.as_slice().put(out),
            Self::Product(fields) => fields.iter().for_each(|field| field.put(out)),
            Self::Sum(tag, value) => (*tag, &**value).put(out),
        }
    }
}

impl Value {
    /// The value that a vector states.
    pub(crate) fn parse(ty: &AlgebraicType<'_>, json: &Json) -> Result<Self, String> {
        fn number<T: std::str::FromStr>(json: &Json) -> Result<T, String> {
            json.as_str()
                .and_then(|text| text.parse().ok())
                .ok_or_else(|| format!("{json} is no such number"))
        }
        fn bits(json: &Json) -> Result<u64, String> {
            json.as_str()
                .and_then(|text| u64::from_str_radix(text.strip_prefix("0x")?, 16).ok())
                .ok_or_else(|| format!("{json} are no bits"))
        }
        let list = || json.as_array().ok_or_else(|| format!("{json} is no list"));
        Ok(match ty {
            AlgebraicType::Bool => Self::Bool(json.as_bool().ok_or("no bool")?),
            AlgebraicType::I8 => Self::I8(number(json)?),
            AlgebraicType::U8 => Self::U8(number(json)?),
            AlgebraicType::I16 => Self::I16(number(json)?),
            AlgebraicType::U16 => Self::U16(number(json)?),
            AlgebraicType::I32 => Self::I32(number(json)?),
            AlgebraicType::U32 => Self::U32(number(json)?),
            AlgebraicType::I64 => Self::I64(number(json)?),
            AlgebraicType::U64 => Self::U64(number(json)?),
            AlgebraicType::I128 => Self::I128(number(json)?),
            AlgebraicType::U128 => Self::U128(number(json)?),
            AlgebraicType::I256 => Self::I256(I256::from_le_bytes(decimal(json)?)),
            AlgebraicType::U256 => Self::U256(U256::from_le_bytes(decimal(json)?)),
            AlgebraicType::F32 => {
                Self::F32(bits(json)?.try_into().map_err(|_| "more than 32 bits")?)
            }
            AlgebraicType::F64 => Self::F64(bits(json)?),
            AlgebraicType::String => Self::String(json.as_str().ok_or("no string")?.to_owned()),
            AlgebraicType::Array(AlgebraicType::U8) => Self::Bytes(hex(&json["hex"])?),
            AlgebraicType::Array(element) => {
                let items = list()?.iter().map(|item| Self::parse(element, item));
                Self::Array(items.collect::<Result<_, _>>()?)
            }
            AlgebraicType::Product(fields) => {
                let list = list()?;
                if list.len() != fields.len() {
                    return Err(format!("{} fields of {}", list.len(), fields.len()));
                }
                let values =
                    fields.iter().zip(list).map(|(field, json)| Self::parse(&field.ty, json));
                Self::Product(values.collect::<Result<_, _>>()?)
            }
            AlgebraicType::Sum(variants) => {
                let tag = json["tag"].as_u64().and_then(|tag| u8::try_from(tag).ok());
                let tag = tag.ok_or("no tag")?;
                let variant = variants.get(usize::from(tag)).ok_or("no such variant")?;
                Self::Sum(tag, Box::new(Self::parse(&variant.ty, &json["value"])?))
            }
            AlgebraicType::Ref(_) => return Err("a reference in a vector".to_owned()),
        })
    }

    /// The value that the library finds in all of `bytes`.
    pub(crate) fn walk(
        ty: AlgebraicType<'_>,
        bytes: &[u8],
    ) -> Result<Self, onewrite::error::DecodeError> {
        let mut walker = Walker::<'_, '_, DEPTH>::with_depth(&[], ty, Reader::new(bytes));
        // Closed values wait in the container around them.
        let mut open: Vec<(TokenKind<'_, '_>, Vec<Self>)> = Vec::new();
        let mut whole = None;
        for token in &mut walker {
            let Token { kind, .. } = token?;
            let value = match kind {
                TokenKind::Product { .. } | TokenKind::Sum { .. } | TokenKind::Array { .. } => {
                    open.push((kind, Vec::new()));
                    continue;
                }
                TokenKind::End => {
                    let (start, values) = open.pop().expect("something ends");
                    close(start, values)
                }
                leaf => leaf_value(leaf),
            };
            match open.last_mut() {
                Some((_, values)) => values.push(value),
                None => whole = Some(value),
            }
        }
        assert!(open.is_empty(), "something does not end");
        walker.into_reader().finish()?;
        Ok(whole.expect("a walk without an error finds a value"))
    }
}

fn close(start: TokenKind<'_, '_>, mut values: Vec<Value>) -> Value {
    match start {
        TokenKind::Product { fields } => {
            assert_eq!(values.len(), fields, "fields");
            Value::Product(values)
        }
        TokenKind::Array { len } => {
            assert_eq!(values.len(), len, "elements");
            Value::Array(values)
        }
        TokenKind::Sum { tag, .. } => {
            assert_eq!(values.len(), 1, "payloads");
            Value::Sum(tag, Box::new(values.remove(0)))
        }
        other => panic!("{other:?} does not end"),
    }
}

fn leaf_value(kind: TokenKind<'_, '_>) -> Value {
    match kind {
        TokenKind::Bool(value) => Value::Bool(value),
        TokenKind::I8(value) => Value::I8(value),
        TokenKind::U8(value) => Value::U8(value),
        TokenKind::I16(value) => Value::I16(value),
        TokenKind::U16(value) => Value::U16(value),
        TokenKind::I32(value) => Value::I32(value),
        TokenKind::U32(value) => Value::U32(value),
        TokenKind::I64(value) => Value::I64(value),
        TokenKind::U64(value) => Value::U64(value),
        TokenKind::I128(value) => Value::I128(value),
        TokenKind::U128(value) => Value::U128(value),
        TokenKind::I256(value) => Value::I256(value),
        TokenKind::U256(value) => Value::U256(value),
        TokenKind::F32(value) => Value::F32(value.to_bits()),
        TokenKind::F64(value) => Value::F64(value.to_bits()),
        TokenKind::String(value) => Value::String(value.to_owned()),
        TokenKind::Bytes(value) => Value::Bytes(value.to_vec()),
        other => panic!("{other:?} is no leaf"),
    }
}

/// A decimal number as 32 bytes of two's complement, least significant first.
pub(crate) fn decimal(json: &Json) -> Result<[u8; 32], String> {
    let text = json.as_str().ok_or("no number")?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let mut bytes = [0u8; 32];
    for digit in digits.chars() {
        let mut carry = digit.to_digit(10).ok_or_else(|| format!("{text} is no number"))?;
        for byte in &mut bytes {
            let product = u32::from(*byte) * 10 + carry;
            [*byte, ..] = product.to_le_bytes();
            carry = product >> 8;
        }
        if carry != 0 {
            return Err(format!("{text} has more than 256 bits"));
        }
    }
    if digits.len() != text.len() {
        let mut carry = true;
        for byte in &mut bytes {
            (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
        }
    }
    Ok(bytes)
}
