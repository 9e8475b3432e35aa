//! What the tool is asked.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use super::tree::Limits;

/// Print what a render batch, a SpacetimeDB message or a BSATN value is made of, and what is wrong
/// with it.
#[derive(Debug, Parser)]
#[command(name = "inspect", arg_required_else_help = true, after_help = AFTER)]
pub(crate) struct Arguments {
    /// The file to inspect; - is standard input.
    #[arg(value_name = "FILE", required_unless_present = "hex", conflicts_with = "hex")]
    pub(crate) file: Option<PathBuf>,
    /// Inspect these bytes instead, in hexadecimal digits.
    #[arg(long, value_name = "DIGITS")]
    pub(crate) hex: Option<String>,
    /// What the bytes are; found out by default.
    #[arg(long = "as", value_name = "KIND")]
    pub(crate) kind: Option<Kind>,
    /// How the bytes are written down in the file.
    #[arg(long, value_enum, default_value_t = Written::Auto, value_name = "HOW")]
    pub(crate) input: Written,
    /// A server's message begins with its tag, without the byte for its compression.
    #[arg(long)]
    pub(crate) body: bool,
    /// The types of rows and values, in SpacetimeDB's JSON: see below.
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// The table in the schema that a row list or a value is of.
    #[arg(long, value_name = "NAME", requires = "schema")]
    pub(crate) table: Option<String>,
    /// Let nothing pass that a decoder could leave alone: see below.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print at most so many lines of the tree.
    #[arg(long, value_name = "LINES", default_value_t = 1_000)]
    pub(crate) limit: usize,
    /// Print at most so many of its levels.
    #[arg(long, value_name = "LEVELS", default_value_t = 32, value_parser = levels)]
    pub(crate) depth: usize,
    /// Print at most so many bytes of a string, or of an array of bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 64)]
    pub(crate) text: usize,
    /// Take no more than so many bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 64 * 1024 * 1024)]
    pub(crate) max_input: usize,
    /// Inflate to no more than so many bytes in all.
    #[arg(long, value_name = "BYTES", default_value_t = 64 * 1024 * 1024)]
    pub(crate) max_inflated: usize,
}

impl Arguments {
    pub(crate) const fn limits(&self) -> Limits {
        Limits { lines: self.limit, depth: self.depth, text: self.text }
    }
}

/// Levels that a reader of the JSON need not be prepared for are none.
const MOST_LEVELS: usize = 100;

fn levels(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(levels) if (1..=MOST_LEVELS).contains(&levels) => Ok(levels),
        _ => Err(format!("not a number from 1 to {MOST_LEVELS}")),
    }
}

/// What bytes can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// A render batch of Blazor.
    RenderBatch,
    /// A WebSocket message of a SpacetimeDB server, version 1.
    ServerV1,
    /// The same of version 2.
    ServerV2,
    /// The same of version 3: messages of version 2 back to back.
    ServerV3,
    /// A WebSocket message of a client, version 1.
    ClientV1,
    /// The same of version 2.
    ClientV2,
    /// The same of version 3.
    ClientV3,
    /// A row list of BSATN.
    RowList,
    /// A value of BSATN; its type is in the schema.
    Bsatn,
}

impl Kind {
    /// As in the arguments.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::RenderBatch => "render-batch",
            Self::ServerV1 => "server-v1",
            Self::ServerV2 => "server-v2",
            Self::ServerV3 => "server-v3",
            Self::ClientV1 => "client-v1",
            Self::ClientV2 => "client-v2",
            Self::ClientV3 => "client-v3",
            Self::RowList => "row-list",
            Self::Bsatn => "bsatn",
        }
    }
}

/// How bytes are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Written {
    /// As hexadecimal digits if they look like it, else as they are.
    Auto,
    /// As they are.
    Raw,
    /// As hexadecimal digits, or as xxd or hexdump -C write them.
    Hex,
}

const AFTER: &str = "\
Each line of the tree begins with an offset in hexadecimal digits. It counts from the first byte of
the input; with a ' behind it, from the first byte of what was inflated.

Compressed messages need the features gzip and brotli:
  cargo run --features gzip,brotli --example inspect -- FILE

A schema is JSON, and one of two things: what a server says at /v1/database/NAME/schema?version=9,
whose tables name the types of their rows; or one type, which all rows are of, such as
  {\"Product\": {\"elements\": [{\"name\": {\"some\": \"id\"}, \"algebraic_type\": {\"U32\": []}}]}}

With --strict these are errors, and without it notes: a render batch that ASP.NET Core would not
have written, or that a browser could not apply; bytes of a row behind its last column.

Exit code: 0 the input is sound, 1 it is not, 2 wrong usage, or a file that cannot be read.";
