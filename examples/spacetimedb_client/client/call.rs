//! The arguments of a call: from hexadecimal digits, or from JSON and the reducer's types.

use onewrite::bsatn::AlgebraicType;
use serde_json::Value as Json;

use super::types::Types;

type Type = AlgebraicType<'static>;

/// A call as it will be sent.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) reducer: String,
    pub(crate) args: Vec<u8>,
}

impl Call {
    pub(crate) fn new(reducer: &str, args: &str, types: &Types) -> Result<Self, String> {
        let whole = |why: String| format!("--call {reducer}: {why}");
        let args = if args.trim_start().starts_with('[') {
            let ty = types.reducer(reducer);
            let ty = ty.ok_or_else(|| whole("its types are not in a --schema".to_owned()))?;
            let json: Json =
                serde_json::from_str(args).map_err(|error| whole(error.to_string()))?;
            let mut out = Vec::new();
            value(&json, ty, types.types(), DEPTH, &mut out).map_err(whole)?;
            out
        } else {
            digits(args).ok_or_else(|| whole("neither a JSON array nor digits".to_owned()))?
        };
        Ok(Self { reducer: reducer.to_owned(), args })
    }
}

const DEPTH: u32 = 64;

fn digits(text: &str) -> Option<Vec<u8>> {
    let (pairs, []) = text.trim().as_bytes().as_chunks::<2>() else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

/// Appends the value in BSATN.
fn value(
    json: &Json,
    ty: Type,
    types: &'static [Type],
    depth: u32,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let depth = depth.checked_sub(1).ok_or("nested too deep")?;
    let wrong = || format!("{json} is no {ty:?}");
    match ty {
        AlgebraicType::Ref(index) => {
            let ty = usize::try_from(index).ok().and_then(|index| types.get(index));
            return value(json, *ty.ok_or_else(wrong)?, types, depth, out);
        }
        AlgebraicType::Product(fields) => {
            for (index, field) in fields.iter().enumerate() {
                let given = match json {
                    Json::Array(values) if values.len() == fields.len() => values.get(index),
                    Json::Object(values) if values.len() == fields.len() => {
                        field.name.and_then(|name| values.get(name))
                    }
                    // A product of one field is written as the field is: a point in time, an identity.
                    single if fields.len() == 1 => Some(single),
                    _ => None,
                };
                let missing = || format!("{json} has not the {} fields needed", fields.len());
                value(given.ok_or_else(missing)?, field.ty, types, depth, out)?;
            }
            if fields.is_empty() && json.as_array().is_none_or(|values| !values.is_empty()) {
                return Err(wrong());
            }
        }
        AlgebraicType::Sum(variants) => {
            let (name, payload) = match json {
                Json::String(name) => (name.as_str(), &Json::Array(Vec::new())),
                Json::Object(object) if object.len() == 1 => object
                    .iter()
                    .next()
                    .map(|(name, payload)| (name.as_str(), payload))
                    .ok_or_else(wrong)?,
                _ => return Err(wrong()),
            };
            let tag = variants.iter().position(|variant| variant.name == Some(name));
            let tag = tag.ok_or_else(|| format!("there is no variant {name}"))?;
            out.push(u8::try_from(tag).map_err(|_| wrong())?);
            let variant = variants.get(tag).ok_or_else(wrong)?;
            value(payload, variant.ty, types, depth, out)?;
        }
        AlgebraicType::Array(element) => {
            if let (AlgebraicType::U8, Json::String(text)) = (*element, json) {
                let bytes = digits(text).ok_or_else(wrong)?;
                count(bytes.len(), out)?;
                out.extend(bytes);
                return Ok(());
            }
            let values = json.as_array().ok_or_else(wrong)?;
            count(values.len(), out)?;
            for one in values {
                value(one, *element, types, depth, out)?;
            }
        }
        AlgebraicType::String => {
            let text = json.as_str().ok_or_else(wrong)?;
            count(text.len(), out)?;
            out.extend(text.as_bytes());
        }
        AlgebraicType::Bool => out.push(json.as_bool().ok_or_else(wrong)?.into()),
        AlgebraicType::F32 => {
            #[allow(clippy::cast_possible_truncation, reason = "the nearest one is meant")]
            let number = json.as_f64().ok_or_else(wrong)? as f32;
            out.extend(number.to_le_bytes());
        }
        AlgebraicType::F64 => out.extend(json.as_f64().ok_or_else(wrong)?.to_le_bytes()),
        AlgebraicType::I8 | AlgebraicType::U8 => integer::<1>(json, ty, out)?,
        AlgebraicType::I16 | AlgebraicType::U16 => integer::<2>(json, ty, out)?,
        AlgebraicType::I32 | AlgebraicType::U32 => integer::<4>(json, ty, out)?,
        AlgebraicType::I64 | AlgebraicType::U64 => integer::<8>(json, ty, out)?,
        AlgebraicType::I128 | AlgebraicType::U128 => integer::<16>(json, ty, out)?,
        AlgebraicType::I256 | AlgebraicType::U256 => integer::<32>(json, ty, out)?,
    }
    Ok(())
}

fn count(len: usize, out: &mut Vec<u8>) -> Result<(), String> {
    out.extend(u32::try_from(len).map_err(|_| "too long")?.to_le_bytes());
    Ok(())
}

/// A number, or a string of hexadecimal digits, most significant first, of exactly its size.
fn integer<const SIZE: usize>(json: &Json, ty: Type, out: &mut Vec<u8>) -> Result<(), String> {
    let wrong = || format!("{json} is no {ty:?}");
    if let Some(text) = json.as_str() {
        let mut bytes = digits(text).filter(|bytes| bytes.len() == SIZE).ok_or_else(wrong)?;
        bytes.reverse();
        out.extend(bytes);
        return Ok(());
    }
    let number = json.as_i64().map(i128::from).or_else(|| json.as_u64().map(i128::from));
    let number = number.ok_or_else(wrong)?;
    let signed = matches!(
        ty,
        AlgebraicType::I8
            | AlgebraicType::I16
            | AlgebraicType::I32
            | AlgebraicType::I64
            | AlgebraicType::I128
            | AlgebraicType::I256
    );
    let bits = u32::try_from(SIZE).unwrap_or(0) * 8;
    let fits = match (signed, bits) {
        (false, 128..) => number >= 0,
        (false, _) => number >= 0 && number >> bits == 0,
        (true, 128..) => true,
        (true, _) => matches!(number >> (bits - 1), 0 | -1),
    };
    if !fits {
        return Err(wrong());
    }
    let sign = if number < 0 { 0xff } else { 0 };
    out.extend(number.to_le_bytes().into_iter().chain([sign; 16]).take(SIZE));
    Ok(())
}
