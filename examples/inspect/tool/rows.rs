//! Values whose types a schema tells.

use onewrite::bsatn::{AlgebraicType, TokenKind, Walker};
use onewrite::error::DecodeErrorKind;
use onewrite::reader::Reader;

use super::schema::Schema;
use super::shape::hex;
use super::time;
use super::tree::{self, Limits, Name, Severity, Tree, Value};

/// Adds the value of type `ty` that `reader` has all the bytes of, and complains of what is wrong.
///
/// Bytes behind it are as bad as `tail` says; `space` is what offsets count from the start of.
pub(crate) fn row(
    tree: &mut Tree,
    schema: &Schema,
    ty: AlgebraicType<'static>,
    name: Name,
    reader: Reader<'_>,
    tail: Severity,
    space: &[u8],
) {
    let depth = tree.depth();
    let mut walker = Walker::new(schema.types, ty, reader);
    // How many children each container that is open has had.
    let mut children: Vec<usize> = Vec::new();
    for token in &mut walker {
        let token = match token {
            Ok(token) => token,
            Err(error) => {
                tree.refuse(Severity::Error, error, space);
                tree.close_to(depth);
                return;
            }
        };
        if matches!(token.kind, TokenKind::End) {
            tree.close();
            children.pop();
            continue;
        }
        let name = match children.last_mut() {
            None => name,
            Some(count) => {
                let index = *count;
                *count = count.saturating_add(1);
                token.name.map_or(Name::Index(index), Name::Field)
            }
        };
        let container = match token.kind {
            TokenKind::Product { .. } => Some(Value::None),
            TokenKind::Sum { tag, variant } => {
                Some(Value::Word(variant.map_or_else(|| format!("tag {tag}"), str::to_owned)))
            }
            TokenKind::Array { len } => Some(Value::Count(len)),
            _ => None,
        };
        match container {
            Some(value) => {
                tree.open(token.at, name, value);
                children.push(0);
            }
            None => tree.leaf(token.at, name, |limits| scalar(token.name, token.kind, limits)),
        }
    }
    let rest = walker.into_reader();
    if rest.remaining() != 0 {
        let error = rest.error(DecodeErrorKind::TrailingBytes { extra: rest.remaining() });
        tree.refuse(tail, error, space);
    }
}

fn scalar(name: Option<&str>, kind: TokenKind<'_, '_>, limits: Limits) -> Value {
    match kind {
        TokenKind::Bytes(value) => tree::bytes(limits, value),
        TokenKind::String(value) => tree::text(limits, value),
        TokenKind::Bool(value) => Value::Bool(value),
        TokenKind::I8(value) => Value::Signed(value.into()),
        TokenKind::U8(value) => Value::Unsigned(value.into()),
        TokenKind::I16(value) => Value::Signed(value.into()),
        TokenKind::U16(value) => Value::Unsigned(value.into()),
        TokenKind::I32(value) => Value::Signed(value.into()),
        TokenKind::U32(value) => Value::Unsigned(value.into()),
        TokenKind::I64(value) => match name {
            Some("__timestamp_micros_since_unix_epoch__") => Value::Word(time::date(value)),
            Some("__time_duration_micros__") => Value::Word(format!("{value} us")),
            _ => Value::Signed(value.into()),
        },
        TokenKind::U64(value) => Value::Unsigned(value.into()),
        TokenKind::I128(value) => Value::Signed(value),
        TokenKind::U128(value) => match name {
            Some("__connection_id__" | "__uuid__") => Value::Word(hex(&value.to_be_bytes())),
            _ => Value::Unsigned(value),
        },
        TokenKind::I256(value) => Value::Word(hex(&value.to_be_bytes())),
        TokenKind::U256(value) => Value::Word(hex(&value.to_be_bytes())),
        TokenKind::F32(value) => Value::Float(value.into()),
        TokenKind::F64(value) => Value::Float(value),
        TokenKind::Product { .. }
        | TokenKind::Sum { .. }
        | TokenKind::Array { .. }
        | TokenKind::End => Value::None,
    }
}
