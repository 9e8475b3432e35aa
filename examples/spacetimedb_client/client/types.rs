//! What is known about tables and reducers, from the server's JSON.

use std::path::Path;

use onewrite::bsatn::{AlgebraicType, Walker};
use onewrite::error::DecodeError;
use onewrite::reader::Reader;
use serde_json::Value as Json;

#[path = "../../inspect/tool/schema.rs"]
#[allow(dead_code, reason = "of the tool that it is shared with")]
mod schema;

type Type = AlgebraicType<'static>;

/// Types and keys. All of it stays for as long as the program runs.
#[derive(Debug, Default)]
pub(crate) struct Types {
    schema: schema::Schema,
    /// Of each table with a primary key, the number of its column.
    keys: Vec<(String, usize)>,
    reducers: Vec<(String, Type)>,
}

impl Types {
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let whole = |error: String| format!("{}: {error}", path.display());
        Self::parse(&super::read(path)?).map_err(whole)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let schema = schema::Schema::parse(text)?;
        let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let (mut keys, mut reducers) = (Vec::new(), Vec::new());
        for table in list(&json, "tables") {
            let name = table.get("name").and_then(Json::as_str);
            let columns = table.get("primary_key").and_then(Json::as_array);
            // A key of several columns there is none.
            if let (Some(name), Some([column])) = (name, columns.map(Vec::as_slice)) {
                let column = column.as_u64().and_then(|column| usize::try_from(column).ok());
                let column = column.ok_or_else(|| format!("the key of {name} is no number"))?;
                keys.push((name.to_owned(), column));
            }
        }
        for reducer in list(&json, "reducers") {
            let name = reducer.get("name").and_then(Json::as_str);
            if let (Some(name), Some(params)) = (name, reducer.get("params")) {
                // The parameters are written down as a product's elements are.
                let one = serde_json::json!({ "Product": params }).to_string();
                let ty = schema::Schema::parse(&one)?.rows_of(None);
                reducers.push((name.to_owned(), ty.ok_or("a reducer without types")?));
            }
        }
        Ok(Self { schema, keys, reducers })
    }

    /// The types that a `Ref` means.
    pub(crate) const fn types(&self) -> &'static [Type] {
        self.schema.types
    }

    /// The type of a table's rows, and the column that is its key.
    pub(crate) fn table(&self, name: &str) -> (Option<Type>, Option<usize>) {
        let key = self.keys.iter().find(|(table, _)| table == name).map(|(_, column)| *column);
        (self.schema.rows_of(Some(name)), key)
    }

    /// The product of a reducer's arguments.
    pub(crate) fn reducer(&self, name: &str) -> Option<Type> {
        self.reducers.iter().find(|(reducer, _)| reducer == name).map(|(_, ty)| *ty)
    }
}

fn list<'j>(json: &'j Json, name: &str) -> &'j [Json] {
    json.get(name).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The bytes of a column of a row.
pub(crate) fn column<'r>(
    types: &'static [Type],
    ty: Type,
    column: usize,
    row: &'r [u8],
) -> Result<&'r [u8], DecodeError> {
    let mut walker = Walker::new(types, ty, Reader::new(row));
    // The row itself is the first container; its columns are what begins inside it.
    let (mut start, mut seen, mut depth) = (None, 0, walker.depth());
    while let Some(token) = walker.next() {
        let token = token?;
        if depth == 1 {
            if let Some(start) = start {
                return Ok(row.get(start..token.at).unwrap_or_default());
            }
            if seen == column {
                start = Some(token.at);
            }
            seen += 1;
        }
        depth = walker.depth();
    }
    Ok(row)
}
