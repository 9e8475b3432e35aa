//! The types of vectors that Rust types stand for.

use onewrite::bsatn::{Array, Decode, Encode, I256, U256};
use onewrite::error::DecodeError;
use serde_json::Value as Json;

/// Decodes all of `bytes` and encodes the value again; `None` for a type that is not here.
pub(crate) fn decode(ty: &Json, bytes: &[u8]) -> Option<Result<Vec<u8>, DecodeError>> {
    if let Some(name) = ty.as_str() {
        return named(name, Around::Nothing, bytes);
    }
    if let Some(element) = ty["array"].as_str() {
        return named(element, Around::Array, bytes);
    }
    let variants = ty["sum"].as_array()?;
    let [some, none] = variants.as_slice() else { return None };
    if some[0] == "some" && none[0] == "none" {
        return named(some[1].as_str()?, Around::Option, bytes);
    }
    if some[0] == "ok" && none[0] == "err" && some[1] == none[1] {
        return named(some[1].as_str()?, Around::Result, bytes);
    }
    None
}

#[derive(Clone, Copy)]
enum Around {
    Nothing,
    Array,
    Option,
    Result,
}

fn named(name: &str, around: Around, bytes: &[u8]) -> Option<Result<Vec<u8>, DecodeError>> {
    Some(match name {
        "string" => typed::<&str>(around, bytes),
        "bool" => typed::<bool>(around, bytes),
        "i8" => typed::<i8>(around, bytes),
        "u8" => typed::<u8>(around, bytes),
        "i16" => typed::<i16>(around, bytes),
        "u16" => typed::<u16>(around, bytes),
        "i32" => typed::<i32>(around, bytes),
        "u32" => typed::<u32>(around, bytes),
        "i64" => typed::<i64>(around, bytes),
        "u64" => typed::<u64>(around, bytes),
        "i128" => typed::<i128>(around, bytes),
        "u128" => typed::<u128>(around, bytes),
        "i256" => typed::<I256>(around, bytes),
        "u256" => typed::<U256>(around, bytes),
        "f32" => typed::<f32>(around, bytes),
        "f64" => typed::<f64>(around, bytes),
        _ => return None,
    })
}

fn typed<'a, T: Decode<'a> + Encode>(
    around: Around,
    bytes: &'a [u8],
) -> Result<Vec<u8>, DecodeError> {
    match around {
        Around::Nothing => again(&T::from_slice(bytes)?),
        Around::Array => {
            let array = Array::<T>::from_slice(bytes)?;
            let items: Vec<T> = array.iter().collect();
            assert_eq!(items.len(), array.len());
            if let Some(last) = items.len().checked_sub(1) {
                assert_eq!(again(&array.get(last))?, again(&items.last())?);
            }
            assert_eq!(again(&array)?, bytes);
            again(&items.as_slice())
        }
        Around::Option => again(&Option::<T>::from_slice(bytes)?),
        Around::Result => again(&Result::<T, T>::from_slice(bytes)?),
    }
}

fn again<T: Encode>(value: &T) -> Result<Vec<u8>, DecodeError> {
    let mut bytes = vec![0xa5; value.encoded_len()];
    assert_eq!(value.encode_to_slice(&mut bytes), Ok(bytes.len()));
    Ok(bytes)
}
