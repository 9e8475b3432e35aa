//! Types of rows, from SpacetimeDB's JSON.

use onewrite::bsatn::{AlgebraicType, Element};
use serde_json::Value as Json;

type Type = AlgebraicType<'static>;

/// What is known about rows. The types live as long as the program, which reads one schema.
#[derive(Debug, Default)]
pub(crate) struct Schema {
    /// The types that a `Ref` means.
    pub(crate) types: &'static [Type],
    tables: Vec<(String, Type)>,
    /// The type of all rows.
    every: Option<Type>,
}

impl Schema {
    /// A whole module, or one type.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let Some(types) = json.pointer("/typespace/types") else {
            if json.get("typespace").is_some() || json.get("sections").is_some() {
                return Err("no /typespace/types: ask the server for version=9".to_owned());
            }
            return Ok(Self { every: Some(algebraic(&json, "")?), ..Self::default() });
        };
        let mut parsed = Vec::new();
        for (index, ty) in array(types, "/typespace/types")?.iter().enumerate() {
            parsed.push(algebraic(ty, &format!("/typespace/types/{index}"))?);
        }
        let types: &[Type] = parsed.leak();
        let mut tables = Vec::new();
        let list = json.get("tables").ok_or("no /tables")?;
        for (index, table) in array(list, "/tables")?.iter().enumerate() {
            let path = format!("/tables/{index}");
            let name = table.get("name").and_then(Json::as_str);
            let name = name.ok_or_else(|| format!("{path}/name is no string"))?;
            let path = format!("{path}/product_type_ref");
            let index = table.get("product_type_ref").and_then(Json::as_u64);
            let index = index.and_then(|index| u32::try_from(index).ok());
            let index = index.ok_or_else(|| format!("{path} is no number"))?;
            if usize::try_from(index).ok().and_then(|index| types.get(index)).is_none() {
                return Err(format!("{path} is {index}, and there are {} types", types.len()));
            }
            tables.push((name.to_owned(), AlgebraicType::Ref(index)));
        }
        Ok(Self { types, tables, every: None })
    }

    /// The type of the rows of a table.
    pub(crate) fn rows_of(&self, table: Option<&str>) -> Option<Type> {
        self.every.or_else(|| {
            let (_, ty) = self.tables.iter().find(|(name, _)| Some(name.as_str()) == table)?;
            Some(*ty)
        })
    }

    /// The tables that it knows by name.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().map(|(name, _)| name.as_str())
    }
}

fn array<'j>(json: &'j Json, path: &str) -> Result<&'j [Json], String> {
    json.as_array().map(Vec::as_slice).ok_or_else(|| format!("{path} is no array"))
}

/// A type: an object of one key, the name of the variant.
fn algebraic(json: &Json, path: &str) -> Result<Type, String> {
    let object = json.as_object().filter(|object| object.len() == 1);
    let Some((name, payload)) = object.and_then(|object| object.iter().next()) else {
        return Err(format!("{} is no type: an object of one key", shown(path)));
    };
    let path = format!("{path}/{name}");
    Ok(match name.as_str() {
        "Ref" => {
            let index = payload.as_u64().and_then(|index| u32::try_from(index).ok());
            AlgebraicType::Ref(index.ok_or_else(|| format!("{path} is no number"))?)
        }
        "Product" => AlgebraicType::Product(elements(payload, "elements", &path)?),
        "Sum" => AlgebraicType::Sum(elements(payload, "variants", &path)?),
        "Array" => AlgebraicType::Array(Box::leak(Box::new(algebraic(payload, &path)?))),
        "String" => AlgebraicType::String,
        "Bool" => AlgebraicType::Bool,
        "I8" => AlgebraicType::I8,
        "U8" => AlgebraicType::U8,
        "I16" => AlgebraicType::I16,
        "U16" => AlgebraicType::U16,
        "I32" => AlgebraicType::I32,
        "U32" => AlgebraicType::U32,
        "I64" => AlgebraicType::I64,
        "U64" => AlgebraicType::U64,
        "I128" => AlgebraicType::I128,
        "U128" => AlgebraicType::U128,
        "I256" => AlgebraicType::I256,
        "U256" => AlgebraicType::U256,
        "F32" => AlgebraicType::F32,
        "F64" => AlgebraicType::F64,
        _ => return Err(format!("{path} is no type of BSATN")),
    })
}

fn elements(json: &Json, key: &str, path: &str) -> Result<&'static [Element<'static>], String> {
    let path = format!("{path}/{key}");
    let list = json.get(key).ok_or_else(|| format!("no {path}"))?;
    let mut elements = Vec::new();
    for (index, element) in array(list, &path)?.iter().enumerate() {
        let path = format!("{path}/{index}");
        let ty =
            element.get("algebraic_type").ok_or_else(|| format!("no {path}/algebraic_type"))?;
        let ty = algebraic(ty, &format!("{path}/algebraic_type"))?;
        let name = element.get("name").and_then(|name| name.get("some").unwrap_or(name).as_str());
        let name = name.map(|name| &*name.to_owned().leak());
        elements.push(Element { name, ty });
    }
    Ok(elements.leak())
}

const fn shown(path: &str) -> &str {
    if path.is_empty() { "the whole" } else { path }
}
