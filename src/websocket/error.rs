//! What a peer can do wrong, and what a sender refuses.

use core::fmt;

use super::CloseCode;

/// A frame that ends the connection, and where it began.
///
/// What is left to do is to send a close frame with [`ErrorKind::close_code`], for which there is
/// [`Sender::fail`](crate::websocket::Sender::fail), and to close: nothing that comes after can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Error {
    /// Offset of the frame's first byte, counted from the first byte behind the handshake.
    pub at: u64,
    /// What is wrong with it.
    pub kind: ErrorKind,
}

/// What is wrong with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ErrorKind {
    /// A close code that may not be sent (section 7.4).
    BadCloseCode {
        /// The code as it stands in the frame.
        code: u16,
    },
    /// An opcode that is reserved (section 5.2).
    BadOpcode {
        /// The opcode.
        opcode: u8,
    },
    /// A control frame that is not the last of its message (section 5.5).
    ControlFragmented,
    /// A control frame of more than 125 bytes (section 5.5).
    ControlTooLong,
    /// The payload of a close frame is one byte (section 5.5.1).
    CutCloseCode,
    /// A frame of more bytes than this side takes.
    FrameTooLarge {
        /// Bytes that its header announces.
        len: u64,
        /// [`Limits::frame`](crate::websocket::Limits::frame).
        limit: u64,
    },
    /// A text, or the reason of a close frame, that is not UTF-8 (section 8.1).
    InvalidUtf8,
    /// A length in more bytes than it takes (section 5.2).
    LengthNotMinimal,
    /// A length of 64 bits (section 5.2).
    LengthTooLarge,
    /// A client's frame that is not masked (section 5.1).
    MaskMissing,
    /// A server's frame that is masked (section 5.1).
    MaskUnexpected,
    /// A message of more bytes than this side takes.
    MessageTooLarge {
        /// Bytes of its frames up to this one.
        len: u64,
        /// [`Limits::message`](crate::websocket::Limits::message).
        limit: u64,
    },
    /// A message begins inside another one (section 5.4).
    MessageUnfinished,
    /// Not a mistake: the memory lent to an [`Assembly`](crate::websocket::Assembly) is too short for what
    /// has arrived of a message. Lend more and go on with the same input, or refuse the message with
    /// [`Sender::fail`](crate::websocket::Sender::fail).
    NeedsRoom {
        /// Bytes without which it cannot go on.
        at_least: usize,
        /// Bytes that the message has with the current frame, if its header says the truth.
        announced: u64,
    },
    /// A frame goes on with a message that has not begun (section 5.4).
    NoMessage,
    /// A reserved bit is set, and there is no extension that could have done it (section 5.2).
    ReservedBits,
}

impl ErrorKind {
    /// The code to close with (section 7.4.1).
    #[must_use]
    pub const fn close_code(self) -> CloseCode {
        match self {
            Self::InvalidUtf8 => CloseCode::INVALID_DATA,
            Self::FrameTooLarge { .. } | Self::MessageTooLarge { .. } | Self::NeedsRoom { .. } => {
                CloseCode::TOO_LARGE
            }
            _ => CloseCode::PROTOCOL_ERROR,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in the frame at byte {}", self.kind, self.at)
    }
}

impl core::error::Error for Error {}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadCloseCode { code } => write!(f, "close code {code} may not be sent"),
            Self::BadOpcode { opcode } => write!(f, "opcode {opcode:#x} is reserved"),
            Self::ControlFragmented => f.write_str("control frame is fragmented"),
            Self::ControlTooLong => f.write_str("control frame has more than 125 bytes"),
            Self::CutCloseCode => f.write_str("close code is cut short"),
            Self::FrameTooLarge { len, limit } => {
                write!(f, "{len} bytes where {limit} are the most")
            }
            Self::InvalidUtf8 => f.write_str("text is not UTF-8"),
            Self::LengthNotMinimal => f.write_str("length takes more bytes than it needs"),
            Self::LengthTooLarge => f.write_str("length has 64 bits"),
            Self::MaskMissing => f.write_str("client has not masked"),
            Self::MaskUnexpected => f.write_str("server has masked"),
            Self::MessageTooLarge { len, limit } => {
                write!(f, "message of {len} bytes where {limit} are the most")
            }
            Self::MessageUnfinished => f.write_str("message begins inside another one"),
            Self::NeedsRoom { at_least, .. } => {
                write!(f, "message needs room for {at_least} bytes or more")
            }
            Self::NoMessage => f.write_str("there is no message to go on with"),
            Self::ReservedBits => f.write_str("reserved bits are set"),
        }
    }
}

/// Why a frame cannot be sent. Nothing of it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SendError {
    /// A close frame has gone out: nothing may follow it (section 5.5.1).
    Closed,
    /// A control frame of more than 125 bytes; a reason to close has 123 (section 5.5).
    ControlTooLong {
        /// Bytes that it would have.
        len: usize,
    },
    /// A length of 64 bits (section 5.2).
    LengthTooLarge,
    /// The fragments of the message before are not all sent (section 5.4).
    MessageUnfinished,
    /// There is no key left for the frame.
    NoKey,
    /// There is no message to go on with (section 5.4).
    NoMessage,
    /// The buffer is too short for the frame.
    NoRoom {
        /// Bytes that it needs.
        needed: usize,
        /// Bytes that it has.
        available: usize,
    },
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("connection was closed on this side"),
            Self::ControlTooLong { len } => write!(f, "control frame would have {len} bytes"),
            Self::LengthTooLarge => f.write_str("length has 64 bits"),
            Self::MessageUnfinished => f.write_str("message before is not sent to its end"),
            Self::NoKey => f.write_str("no key is left for the frame"),
            Self::NoMessage => f.write_str("there is no message to go on with"),
            Self::NoRoom { needed, available } => {
                write!(f, "frame needs {needed} bytes of the buffer's {available}")
            }
        }
    }
}

impl core::error::Error for SendError {}
