//! What a message is made of, and the walk over its bytes.

use onewrite::bsatn::{ConnectionId, Decode, Identity, RowList, SizeHint};
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::reader::Reader;
use onewrite::spacetimedb::Payload;

use super::inflate::Inflater;
use super::rows;
use super::schema::Schema;
use super::time;
use super::tree::{self, Name, Severity, Tree, Value};

/// A part of a message.
///
/// The walk refuses what the library's decoders refuse, at the same byte; a test compares them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    U32,
    U64,
    U128,
    Text,
    Bytes,
    Identity,
    ConnectionId,
    Timestamp,
    Duration,
    /// A byte of flags, up to this one.
    Flags(u8),
    List(&'static Self),
    Option(&'static Self),
    /// One of some variants; the name is that of the library's errors.
    Sum(&'static str, &'static [(&'static str, Self)]),
    Product(&'static [(&'static str, Self)]),
    /// The name of the table that the rows after it are of.
    Table,
    /// The name of a reducer or procedure, and its arguments as bytes.
    Call,
    RowList,
    /// Bytes that inflate to this; brotli or else gzip.
    Inflates(Format, &'static Self),
}

/// How bytes were compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Brotli,
    Gzip,
}

impl Shape {
    /// Fewest bytes that it takes.
    fn min_size(self) -> usize {
        match self {
            Self::Flags(_) | Self::Option(_) => 1,
            Self::U32 | Self::Text | Self::Bytes | Self::List(_) | Self::Table => 4,
            Self::Inflates(..) => 4,
            Self::RowList => RowList::MIN_SIZE,
            Self::U64 | Self::Timestamp | Self::Duration | Self::Call => 8,
            Self::U128 | Self::ConnectionId => 16,
            Self::Identity => 32,
            Self::Sum(_, variants) => {
                let sizes = variants.iter().map(|(_, shape)| shape.min_size());
                sizes.min().unwrap_or(0).saturating_add(1)
            }
            Self::Product(fields) => {
                fields.iter().fold(0, |sum, (_, shape)| shape.min_size().saturating_add(sum))
            }
        }
    }
}

/// A walk over the bytes of messages.
#[derive(Debug)]
pub(crate) struct Walk<'w> {
    pub(crate) tree: &'w mut Tree,
    pub(crate) schema: &'w Schema,
    pub(crate) inflater: &'w mut Inflater,
    /// How bad are bytes of a row behind its last column.
    pub(crate) tail: Severity,
    /// The table whose rows come next.
    table: Option<String>,
}

impl<'w> Walk<'w> {
    pub(crate) const fn new(
        tree: &'w mut Tree,
        schema: &'w Schema,
        inflater: &'w mut Inflater,
        tail: Severity,
    ) -> Self {
        Self { tree, schema, inflater, tail, table: None }
    }

    /// The table whose rows come first, where no message says.
    pub(crate) fn set_table(&mut self, table: Option<&str>) {
        self.table = table.map(str::to_owned);
    }

    /// Takes one message of `shape`; `space` is what offsets count from the start of.
    ///
    /// An error is complained of, and ends the walk: where the next item would be is not known.
    pub(crate) fn message(
        &mut self,
        name: Name,
        shape: Shape,
        reader: &mut Reader<'_>,
        space: &[u8],
    ) -> bool {
        let depth = self.tree.depth();
        let result = self.item(name, shape, reader, space);
        if let Err(error) = result {
            self.tree.refuse(Severity::Error, error, space);
        }
        self.tree.close_to(depth);
        result.is_ok()
    }

    fn item(
        &mut self,
        name: Name,
        shape: Shape,
        reader: &mut Reader<'_>,
        space: &[u8],
    ) -> Result<(), DecodeError> {
        let before = *reader;
        let at = before.position();
        match shape {
            Shape::U32 => {
                let value = reader.u32_le()?;
                self.tree.leaf(at, name, |_| Value::Unsigned(value.into()));
            }
            Shape::U64 => {
                let value = reader.u64_le()?;
                self.tree.leaf(at, name, |_| Value::Unsigned(value.into()));
            }
            Shape::U128 => {
                let value = reader.u128_le()?;
                self.tree.leaf(at, name, |_| Value::Unsigned(value));
            }
            Shape::Text => {
                let value = <&str>::decode(reader)?;
                self.tree.leaf(at, name, |limits| tree::text(limits, value));
            }
            Shape::Table => {
                let value = <&str>::decode(reader)?;
                self.tree.leaf(at, name, |limits| tree::text(limits, value));
                self.table = Some(value.to_owned());
            }
            Shape::Bytes => {
                let value = <&[u8]>::decode(reader)?;
                self.tree.leaf(at, name, |limits| tree::bytes(limits, value));
            }
            Shape::Identity => {
                let value = Identity::decode(reader)?;
                self.tree.leaf(at, name, |_| Value::Word(hex(&value.to_be_bytes())));
            }
            Shape::ConnectionId => {
                let value = ConnectionId::decode(reader)?;
                self.tree.leaf(at, name, |_| Value::Word(hex(&value.to_be_bytes())));
            }
            Shape::Timestamp => {
                let value = reader.i64_le()?;
                self.tree.leaf(at, name, |_| Value::Word(time::date(value)));
            }
            Shape::Duration => {
                let value = reader.i64_le()?;
                self.tree.leaf(at, name, |_| Value::Word(format!("{value} us")));
            }
            Shape::Flags(most) => {
                let value = reader.u8()?;
                if value > most {
                    return Err(unknown(&before, "flags", value));
                }
                self.tree.leaf(at, name, |_| Value::Unsigned(value.into()));
            }
            Shape::List(item) => self.list(name, *item, reader, space)?,
            Shape::Option(item) => match reader.u8()? {
                0 => {
                    self.tree.open(at, name, Value::Word("some".to_owned()));
                    self.item(Name::Field("some"), *item, reader, space)?;
                    self.tree.close();
                }
                1 => self.tree.leaf(at, name, |_| Value::Word("none".to_owned())),
                tag => return Err(unknown(&before, "Option", tag)),
            },
            Shape::Sum(sum, variants) => {
                let tag = reader.u8()?;
                let Some((variant, shape)) = variants.get(usize::from(tag)) else {
                    return Err(unknown(&before, sum, tag));
                };
                self.tree.open(at, name, Value::Word((*variant).to_owned()));
                match shape {
                    Shape::Product(fields) => self.fields(fields, reader, space)?,
                    other => self.item(Name::Field(variant), *other, reader, space)?,
                }
                self.tree.close();
            }
            Shape::Product(fields) => {
                self.tree.open(at, name, Value::None);
                self.fields(fields, reader, space)?;
                self.tree.close();
            }
            Shape::Call => {
                let callee = <&str>::decode(reader)?;
                self.tree.leaf(at, name, |limits| tree::text(limits, callee));
                let at = reader.position();
                let args = <&[u8]>::decode(reader)?;
                self.tree.leaf(at, Name::Field("args"), |limits| tree::bytes(limits, args));
            }
            Shape::RowList => self.row_list(name, reader, space)?,
            Shape::Inflates(format, shape) => {
                let compressed = <&[u8]>::decode(reader)?;
                let payload = match format {
                    Format::Brotli => Payload::Brotli(compressed),
                    Format::Gzip => Payload::Gzip(compressed),
                };
                self.tree.leaf(at, name, |limits| tree::bytes(limits, compressed));
                let at = reader.position().saturating_sub(compressed.len());
                self.inflated(*shape, payload, at, space);
            }
        }
        Ok(())
    }

    fn fields(
        &mut self,
        fields: &'static [(&'static str, Shape)],
        reader: &mut Reader<'_>,
        space: &[u8],
    ) -> Result<(), DecodeError> {
        for (name, shape) in fields {
            self.item(Name::Field(name), *shape, reader, space)?;
        }
        Ok(())
    }

    fn list(
        &mut self,
        name: Name,
        item: Shape,
        reader: &mut Reader<'_>,
        space: &[u8],
    ) -> Result<(), DecodeError> {
        let before = *reader;
        let len = usize::try_from(reader.u32_le()?).unwrap_or(usize::MAX);
        self.tree.open(before.position(), name, Value::Count(len));
        if len.saturating_mul(item.min_size()) > reader.remaining() {
            let count = i64::try_from(len).unwrap_or(i64::MAX);
            return Err(before.error(DecodeErrorKind::CountTooLarge { table: "array", count }));
        }
        for index in 0..len {
            self.item(Name::Index(index), item, reader, space)?;
        }
        self.tree.close();
        Ok(())
    }

    /// A row list, and in it what the schema knows about the rows.
    fn row_list(
        &mut self,
        name: Name,
        reader: &mut Reader<'_>,
        space: &[u8],
    ) -> Result<(), DecodeError> {
        let at = reader.position();
        self.tree.open(at, name, Value::None);
        let list = RowList::decode(reader)?;
        let hint = Name::Field("size_hint");
        match list.hint() {
            SizeHint::FixedSize(size) => self.tree.leaf(at, hint, |_| {
                Value::Record("FixedSize", vec![("bytes", Value::Unsigned(size.into()))])
            }),
            SizeHint::RowOffsets(offsets) => self.tree.leaf(at, hint, |_| {
                let count = u128::try_from(offsets.len()).unwrap_or(u128::MAX);
                Value::Record("RowOffsets", vec![("offsets", Value::Unsigned(count))])
            }),
        }
        let data_at = reader.position().saturating_sub(list.data().len());
        self.tree.open(data_at, Name::Field("rows"), Value::Count(list.len()));
        let ty = self.schema.rows_of(self.table.as_deref());
        let mut at = data_at;
        for (index, row) in list.rows().enumerate() {
            let name = Name::Index(index);
            match ty {
                Some(ty) => {
                    let row = Reader::starting_at(at, row);
                    rows::row(self.tree, self.schema, ty, name, row, self.tail, space);
                }
                None => self.tree.leaf(at, name, |limits| tree::bytes(limits, row)),
            }
            at = at.saturating_add(row.len());
        }
        self.tree.close();
        self.tree.close();
        Ok(())
    }

    /// What compressed bytes at `at` inflate to; complains of all that is wrong in there.
    fn inflated(&mut self, shape: Shape, payload: Payload<'_>, at: usize, space: &[u8]) {
        match self.inflater.inflate(payload) {
            Ok(inflated) => {
                let name = Name::Field("inflated");
                self.tree.open(at, name, Value::Bytes(Vec::new(), inflated.len()));
                self.tree.enter();
                let mut reader = Reader::new(&inflated);
                if self.message(Name::Field("update"), shape, &mut reader, &inflated)
                    && let Err(error) = reader.finish()
                {
                    self.tree.refuse(Severity::Error, error, &inflated);
                }
                self.tree.leave();
                self.tree.close();
            }
            Err(refusal) => {
                let at = at.saturating_add(refusal.at);
                self.tree.complain(Severity::Error, at, refusal.message, None, space);
            }
        }
    }
}

/// Bytes as people write large numbers.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold("0x".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

fn unknown(before: &Reader<'_>, name: &'static str, tag: u8) -> DecodeError {
    before.error(DecodeErrorKind::UnknownDiscriminant { name, value: tag.into() })
}
