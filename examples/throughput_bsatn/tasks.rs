//! What is measured: a kind of work, on rows of a kind, so many of them.

use core::fmt::Write as _;

use heapless::{String, Vec};

use crate::memory::Memory;
use crate::rows::NUMBERS;

/// What rows there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    U32,
    Fixed,
    Mixed,
}

/// What is done; the names in reports are those of [`Work::name`].
///
/// | work | from | to |
/// |---|---|---|
/// | `encode/whole` | rows | an array in memory |
/// | `encode/chunked` | rows | an array through 256 bytes of scratch into an opaque writer |
/// | `decode/whole` | an array | each row |
/// | `decode/chunked` | an update, in pieces of 4,096 bytes | each row |
/// | `row_list` | a row list | each row |
/// | `view` | an update | the message, with its rows as bytes |
/// | `reducer_payload` | the answer to a call, with what it changed | each row |
/// | `procedure_payload` | the answer to a call, with an array of rows | each row |
/// | `apply` | rows, each in its old and its new form, and its key | a table in which all of them are replaced |
/// | `inflate/..` | a compressed update | its bytes |
/// | `decompress_decode/..` | a payload | the message and each row |
/// | `claim` | four bytes that claim 2^32 - 1 elements of no bytes | an error |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    EncodeWhole,
    EncodeChunked,
    DecodeWhole,
    DecodeChunked,
    RowList,
    View,
    ReducerPayload,
    ProcedurePayload,
    Apply,
    Inflate(Way),
    Update(Way),
    Connection(Way),
    Claim,
}

/// How a payload is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    None,
    Gzip,
    Brotli,
}

/// One thing that is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) kind: Kind,
    /// Where in [`NUMBERS`] the number of rows is.
    pub(crate) at: usize,
    pub(crate) work: Work,
}

/// Work on rows of every kind.
const OF_EACH: [Work; 6] = [
    Work::EncodeWhole,
    Work::EncodeChunked,
    Work::DecodeWhole,
    Work::DecodeChunked,
    Work::RowList,
    Work::View,
];
/// Work on rows of `u32` alone.
const OF_IDS: [Work; 8] = [
    Work::Apply,
    Work::ReducerPayload,
    Work::ProcedurePayload,
    Work::Inflate(Way::Gzip),
    Work::Inflate(Way::Brotli),
    Work::Update(Way::None),
    Work::Update(Way::Gzip),
    Work::Update(Way::Brotli),
];
/// Work that has no rows.
const OF_NONE: [Work; 4] = [
    Work::Connection(Way::None),
    Work::Connection(Way::Gzip),
    Work::Connection(Way::Brotli),
    Work::Claim,
];

/// All of them.
pub(crate) fn all() -> Vec<Task, 96> {
    let mut all = Vec::new();
    let mut add = |kind, at, work| all.push(Task { kind, at, work }).is_ok();
    let mut whole = true;
    for at in 0..NUMBERS.len() {
        for kind in [Kind::U32, Kind::Fixed, Kind::Mixed] {
            for work in OF_EACH {
                whole &= add(kind, at, work);
            }
        }
        for work in OF_IDS {
            whole &= add(Kind::U32, at, work);
        }
    }
    for work in OF_NONE {
        whole &= add(Kind::U32, 0, work);
    }
    debug_assert!(whole, "there are more");
    all
}

impl Task {
    /// Number of rows, or 1 where there are none.
    pub(crate) fn records(&self) -> usize {
        NUMBERS.get(self.at).copied().unwrap_or_default()
    }

    /// The name in reports: kind and number of rows, or what there is instead of rows.
    pub(crate) fn workload(&self) -> String<24> {
        let kind = match (self.work, self.kind) {
            (Work::Connection(_), _) => return name("initial-connection"),
            (Work::Claim, _) => return name("zero-width"),
            (_, Kind::U32) => "u32",
            (_, Kind::Fixed) => "fixed",
            (_, Kind::Mixed) => "mixed",
        };
        let mut workload = name(kind);
        // It fits: see the longest of them.
        let _ = write!(workload, "-{}", self.records());
        workload
    }

    /// Bytes that are written, or read where none are.
    pub(crate) fn bytes(&self, memory: &Memory) -> usize {
        let inputs = match self.kind {
            Kind::U32 => &memory.id_inputs,
            Kind::Fixed => &memory.fixed_inputs,
            Kind::Mixed => &memory.mixed_inputs,
        };
        let input = inputs.get(self.at).copied().unwrap_or_default();
        let of = |payloads: &[&[u8]; 3]| payloads.get(self.at).map_or(0, |payload| payload.len());
        match self.work {
            Work::EncodeWhole | Work::EncodeChunked | Work::DecodeWhole => input.array.len(),
            Work::RowList | Work::Apply => input.list.len(),
            Work::DecodeChunked | Work::View | Work::Inflate(_) | Work::Update(_) => {
                input.update.len()
            }
            Work::ReducerPayload => of(&memory.reducers),
            Work::ProcedurePayload => of(&memory.procedures),
            Work::Connection(_) => crate::stored::PLAIN_CONNECTION.len(),
            Work::Claim => 4,
        }
    }
}

impl Work {
    /// The name in reports.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::EncodeWhole => "encode/whole",
            Self::EncodeChunked => "encode/chunked",
            Self::DecodeWhole => "decode/whole",
            Self::DecodeChunked => "decode/chunked",
            Self::RowList => "row_list",
            Self::View => "view",
            Self::ReducerPayload => "reducer_payload",
            Self::ProcedurePayload => "procedure_payload",
            Self::Apply => "apply",
            Self::Inflate(Way::Brotli) => "inflate/brotli",
            Self::Inflate(_) => "inflate/gzip",
            Self::Update(Way::None) => "decompress_decode/transaction_update/none",
            Self::Update(Way::Gzip) => "decompress_decode/transaction_update/gzip",
            Self::Update(Way::Brotli) => "decompress_decode/transaction_update/brotli",
            Self::Connection(Way::None) => "decompress_decode/initial_connection/none",
            Self::Connection(Way::Gzip) => "decompress_decode/initial_connection/gzip",
            Self::Connection(Way::Brotli) => "decompress_decode/initial_connection/brotli",
            Self::Claim => "claim",
        }
    }
}

fn name(text: &str) -> String<24> {
    String::try_from(text).unwrap_or_default()
}
