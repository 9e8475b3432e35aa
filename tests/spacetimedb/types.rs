//! Types as the vectors write them.

use onewrite::bsatn::{AlgebraicType, Element};
use serde_json::Value as Json;

/// The type of a vector. It lives as long as the program.
pub(crate) fn parse(json: &Json) -> Result<AlgebraicType<'static>, String> {
    if let Some(name) = json.as_str() {
        return named(name).ok_or_else(|| format!("unknown type {name}"));
    }
    if let Some(element) = json.get("array") {
        return Ok(AlgebraicType::Array(Box::leak(Box::new(parse(element)?))));
    }
    if let Some(fields) = json.get("product") {
        return Ok(AlgebraicType::Product(elements(fields)?));
    }
    if let Some(variants) = json.get("sum") {
        return Ok(AlgebraicType::Sum(elements(variants)?));
    }
    Err(format!("unknown type {json}"))
}

fn elements(json: &Json) -> Result<&'static [Element<'static>], String> {
    let mut elements = Vec::new();
    for pair in json.as_array().ok_or("elements are a list")? {
        let name = pair[0].as_str().ok_or("an element has a name")?;
        elements.push(Element::new(name.to_owned().leak(), parse(&pair[1])?));
    }
    Ok(elements.leak())
}

fn named(name: &str) -> Option<AlgebraicType<'static>> {
    Some(match name {
        "string" => AlgebraicType::String,
        "bool" => AlgebraicType::Bool,
        "i8" => AlgebraicType::I8,
        "u8" => AlgebraicType::U8,
        "i16" => AlgebraicType::I16,
        "u16" => AlgebraicType::U16,
        "i32" => AlgebraicType::I32,
        "u32" => AlgebraicType::U32,
        "i64" => AlgebraicType::I64,
        "u64" => AlgebraicType::U64,
        "i128" => AlgebraicType::I128,
        "u128" => AlgebraicType::U128,
        "i256" => AlgebraicType::I256,
        "u256" => AlgebraicType::U256,
        "f32" => AlgebraicType::F32,
        "f64" => AlgebraicType::F64,
        _ => return None,
    })
}
