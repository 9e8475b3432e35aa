//! What a call came to.

use core::ffi::{CStr, c_char};

use onewrite::error::{DecodeErrorKind, WriteErrorKind};
use onewrite::render_batch::{BatchError, TreeError};

/// What a call came to. A number keeps its meaning; later versions may add some.
///
/// From 1 on the caller made a mistake, from 16 on something cannot be written, from 32 on the input
/// is no encoding, from 64 on a browser could not apply a batch, from 96 on a response or a path cannot
/// be served.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// A pointer is NULL where it must not be.
    NullPointer = 1,
    /// A length is larger than any object.
    LengthTooLarge = 2,
    /// A pointer is not aligned for its type.
    Unaligned = 3,
    /// An output overlaps an input, a handle or another output.
    Overlap = 4,
    /// The size in a struct is not the one this library has for it.
    WrongStructSize = 5,
    /// A handle was not begun, has ended, or was moved.
    BadHandle = 6,
    /// An argument or a field has a value that it may not have.
    BadArgument = 7,
    /// The buffer is smaller than what is to be written.
    BufferTooSmall = 16,
    /// The workspace is smaller than its capacities need.
    WorkspaceTooSmall = 17,
    /// More components, edits, frames or paths than the workspace was made for.
    CapacityExceeded = 18,
    /// More distinct shared strings than the workspace was made for.
    StringTableFull = 19,
    /// A string is longer than its format allows.
    StringTooLong = 20,
    /// A batch is longer than its format allows.
    BatchTooLong = 21,
    /// An event handler id is above 2^53 - 1.
    EventIdTooLarge = 22,
    /// An edit comes before any component.
    NoComponent = 23,
    /// A value has more bytes, or a list more rows, than its format can count.
    ValueTooLong = 24,
    /// The input ends before the item does.
    EndOfInput = 32,
    /// Bytes are left after the value.
    TrailingBytes = 33,
    /// Padding is not zero.
    BadPadding = 34,
    /// A position is none of the table's.
    BadPosition = 35,
    /// A count does not fit the input.
    CountTooLarge = 36,
    /// An index is past the end of its table, or a row past the last one.
    IndexOutOfRange = 37,
    /// A bool is neither 0 nor 1.
    InvalidBool = 38,
    /// A string is not UTF-8.
    InvalidUtf8 = 39,
    /// Positions do not ascend.
    NotAscending = 40,
    /// A varint is longer than it needs to be.
    OverlongVarint = 41,
    /// A varint does not fit its type.
    VarintTooLong = 42,
    /// The input ends before a table does.
    TableTruncated = 43,
    /// Rows do not cover their data.
    UnevenRows = 44,
    /// No variant has this number.
    UnknownDiscriminant = 45,
    /// A string that must be null is not.
    UnusedNotNull = 46,
    /// A field that must be zero is not.
    UnusedNotZero = 47,
    /// The input is wrong in some other way.
    Malformed = 48,
    /// An attribute follows a child that is none, or its parent can have none.
    AttributeNotLeading = 64,
    /// An attribute has an event handler and a name that does not start with `on`.
    EventNameWithoutOn = 65,
    /// An edit refers to a frame that is not there.
    FrameOutOfRange = 66,
    /// An edit counts its sibling from below 0.
    NegativeSibling = 67,
    /// A frame stands where a browser inserts none of its kind.
    NotInsertable = 68,
    /// A list of permutations is not ended.
    PermutationNotEnded = 69,
    /// A list of permutations is ended that has no entry.
    PermutationWithoutEntries = 70,
    /// Edits step out of their component.
    StepOutOfRoot = 71,
    /// Edits step in more often than out.
    StepsNotBalanced = 72,
    /// A subtree length is below 1.
    SubtreeEmpty = 73,
    /// A subtree reaches past the one around it.
    SubtreeTooLong = 74,
    /// An edit refers to a frame of another kind than it needs.
    WrongFrame = 75,
    /// A browser could not apply the batch for some other reason.
    BadTree = 76,
    /// A response of status 204, 205 or 304 has a body.
    BodyNotAllowed = 96,
    /// A response of another status than 200 has an entity tag.
    EtagNotAllowed = 97,
    /// An entity tag has a quote, a space or a control character in it.
    EtagText = 98,
    /// A header field is one that the library writes: `content-length` or `etag`.
    FieldIsDerived = 99,
    /// The name of a header field is empty, or has a byte that no name has.
    FieldName = 100,
    /// The name of a header field has a capital letter.
    FieldNameCase = 101,
    /// A header field is about the connection.
    FieldOfConnection = 102,
    /// A header field that can be there once is there twice.
    FieldTwice = 103,
    /// The value of a header field has a control character in it, or a space at an end.
    FieldValue = 104,
    /// The header fields together are longer than a frame of HTTP/2.
    HeadTooLong = 105,
    /// A path has a byte that no path of a request has.
    PathByte = 106,
    /// A path has a query or a fragment.
    PathQuery = 107,
    /// A path does not start with a slash.
    PathSlash = 108,
    /// A path, or the response for all others, is there already.
    PathTwice = 109,
    /// The status of a response is not 200 to 599.
    ResponseStatus = 110,
}

/// A sentence about `status`, without a full stop: static, never NULL, NUL at its end.
///
/// For a number that is no status it says so.
#[unsafe(no_mangle)]
pub extern "C" fn ow_error_text(status: i32) -> *const c_char {
    text(status).as_ptr()
}

const fn text(status: i32) -> &'static CStr {
    match status {
        0 => c"done",
        1 => c"a pointer is NULL where it must not be",
        2 => c"a length is larger than any object",
        3 => c"a pointer is not aligned for its type",
        4 => c"an output overlaps an input, a handle or another output",
        5 => c"the size in a struct is not the one that this library has for it",
        6 => c"a handle was not begun, has ended, or was moved",
        7 => c"an argument or a field has a value that it may not have",
        16 => c"the buffer is smaller than what is to be written",
        17 => c"the workspace is smaller than its capacities need",
        18 => c"more components, edits, frames or paths than the workspace was made for",
        19 => c"more distinct shared strings than the workspace was made for",
        20 => c"a string is longer than its format allows",
        21 => c"a batch is longer than its format allows",
        22 => c"an event handler id is above 2^53 - 1",
        23 => c"an edit comes before any component",
        24 => c"a value has more bytes, or a list more rows, than its format can count",
        32 => c"the input ends before the item does",
        33 => c"bytes are left after the value",
        34 => c"padding is not zero",
        35 => c"a position is none of the table's",
        36 => c"a count does not fit the input",
        37 => c"an index is past the end of its table",
        38 => c"a bool is neither 0 nor 1",
        39 => c"a string is not UTF-8",
        40 => c"positions do not ascend",
        41 => c"a varint is longer than it needs to be",
        42 => c"a varint does not fit its type",
        43 => c"the input ends before a table does",
        44 => c"rows do not cover their data",
        45 => c"no variant has this number",
        46 => c"a string that must be null is not",
        47 => c"a field that must be zero is not",
        48 => c"the input is wrong in some other way",
        64 => c"an attribute follows a child that is none, or its parent can have none",
        65 => c"an attribute has an event handler and a name that does not start with on",
        66 => c"an edit refers to a frame that is not there",
        67 => c"an edit counts its sibling from below 0",
        68 => c"a frame stands where a browser inserts none of its kind",
        69 => c"a list of permutations is not ended",
        70 => c"a list of permutations is ended that has no entry",
        71 => c"edits step out of their component",
        72 => c"edits step in more often than out",
        73 => c"a subtree length is below 1",
        74 => c"a subtree reaches past the one around it",
        75 => c"an edit refers to a frame of another kind than it needs",
        76 => c"a browser could not apply the batch for some other reason",
        96 => c"a response of status 204, 205 or 304 has a body",
        97 => c"a response of another status than 200 has an entity tag",
        98 => c"an entity tag has a quote, a space or a control character in it",
        99 => c"a header field is one that the library writes: content-length or etag",
        100 => c"the name of a header field is empty, or has a byte that no name has",
        101 => c"the name of a header field has a capital letter",
        102 => c"a header field is about the connection",
        103 => c"a header field that can be there once is there twice",
        104 => c"the value of a header field has a control character in it, or a space at an end",
        105 => c"the header fields together are longer than a frame of HTTP/2",
        106 => c"a path has a byte that no path of a request has",
        107 => c"a path has a query or a fragment",
        108 => c"a path does not start with a slash",
        109 => c"a path, or the response for all others, is there already",
        110 => c"the status of a response is not 200 to 599",
        _ => c"no status of this library",
    }
}

impl From<DecodeErrorKind> for Status {
    fn from(kind: DecodeErrorKind) -> Self {
        match kind {
            DecodeErrorKind::BadPadding => Self::BadPadding,
            DecodeErrorKind::BadPosition { .. } => Self::BadPosition,
            DecodeErrorKind::CountTooLarge { .. } => Self::CountTooLarge,
            DecodeErrorKind::EndOfInput { .. } => Self::EndOfInput,
            DecodeErrorKind::IndexOutOfRange { .. } => Self::IndexOutOfRange,
            DecodeErrorKind::InvalidBool { .. } => Self::InvalidBool,
            DecodeErrorKind::InvalidUtf8 => Self::InvalidUtf8,
            DecodeErrorKind::NotAscending { .. } => Self::NotAscending,
            DecodeErrorKind::OverlongVarint => Self::OverlongVarint,
            DecodeErrorKind::TableTruncated { .. } => Self::TableTruncated,
            DecodeErrorKind::TrailingBytes { .. } => Self::TrailingBytes,
            DecodeErrorKind::UnevenRows { .. } => Self::UnevenRows,
            DecodeErrorKind::UnknownDiscriminant { .. } => Self::UnknownDiscriminant,
            DecodeErrorKind::UnusedNotNull => Self::UnusedNotNull,
            DecodeErrorKind::UnusedNotZero => Self::UnusedNotZero,
            DecodeErrorKind::VarintTooLong => Self::VarintTooLong,
            _ => Self::Malformed,
        }
    }
}

impl<E, P> From<WriteErrorKind<E, P>> for Status {
    fn from(kind: WriteErrorKind<E, P>) -> Self {
        match kind {
            WriteErrorKind::Full { needed, available } if needed > available => {
                // The format counts bytes in 32 bits.
                let countable = u32::try_from(needed).is_ok() && needed != usize::MAX;
                if countable { Self::BufferTooSmall } else { Self::ValueTooLong }
            }
            // Memory has no other errors.
            _ => Self::BadArgument,
        }
    }
}

impl From<BatchError> for Status {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::BufferTooSmall { .. } => Self::BufferTooSmall,
            BatchError::BatchTooLong => Self::BatchTooLong,
            BatchError::EventIdTooLarge { .. } | BatchError::DisposedEventIdTooLarge { .. } => {
                Self::EventIdTooLarge
            }
            BatchError::StringTableFull { .. } => Self::StringTableFull,
            BatchError::StringTooLong { .. } => Self::StringTooLong,
            // Those of the writer in chunks, which is not used here.
            _ => Self::BadArgument,
        }
    }
}

impl From<TreeError> for Status {
    fn from(error: TreeError) -> Self {
        match error {
            TreeError::AttributeNotLeading { .. } => Self::AttributeNotLeading,
            TreeError::EventIdTooLarge { .. } | TreeError::DisposedEventIdTooLarge { .. } => {
                Self::EventIdTooLarge
            }
            TreeError::EventNameWithoutOn { .. } => Self::EventNameWithoutOn,
            TreeError::FrameOutOfRange { .. } => Self::FrameOutOfRange,
            TreeError::NegativeSibling { .. } => Self::NegativeSibling,
            TreeError::NotInsertable { .. } => Self::NotInsertable,
            TreeError::PermutationNotEnded { .. } => Self::PermutationNotEnded,
            TreeError::PermutationWithoutEntries { .. } => Self::PermutationWithoutEntries,
            TreeError::StepOutOfRoot { .. } => Self::StepOutOfRoot,
            TreeError::StepsNotBalanced { .. } => Self::StepsNotBalanced,
            TreeError::SubtreeEmpty { .. } => Self::SubtreeEmpty,
            TreeError::SubtreeTooLong { .. } => Self::SubtreeTooLong,
            TreeError::WrongFrame { .. } => Self::WrongFrame,
            _ => Self::BadTree,
        }
    }
}
