//! Answers that are no user's: refusals, and what methods there are.

use super::super::{Response, refusals};

/// An answer that is the same on every server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// To OPTIONS: which methods there are.
    Methods,
    /// No HTTP/1, or not in this form.
    BadRequest,
    /// A method that the resource has not.
    NotAllowed,
    /// The head did not come in time.
    TimedOut,
    /// A body without a length for a handler that is to see it whole.
    LengthRequired,
    /// More body than is read.
    ContentTooLarge,
    /// More target than is read.
    TargetTooLong,
    /// `expect` with something else than `100-continue`.
    ExpectationFailed,
    /// More fields than are read.
    FieldsTooLarge,
    /// The handler has no body.
    NoBody,
    /// A method or a transfer coding that nobody here knows.
    NotImplemented,
    /// Another version than 1.0 and 1.1.
    VersionNotSupported,
}

impl Answer {
    /// The bytes.
    pub(super) const fn response(self) -> &'static Response<'static> {
        match self {
            Self::Methods => &refusals::METHODS,
            Self::BadRequest => &refusals::BAD_REQUEST,
            Self::NotAllowed => &refusals::METHOD_NOT_ALLOWED,
            Self::TimedOut => &refusals::REQUEST_TIMEOUT,
            Self::LengthRequired => &refusals::LENGTH_REQUIRED,
            Self::ContentTooLarge => &refusals::CONTENT_TOO_LARGE,
            Self::TargetTooLong => &refusals::URI_TOO_LONG,
            Self::ExpectationFailed => &refusals::EXPECTATION_FAILED,
            Self::FieldsTooLarge => &refusals::FIELDS_TOO_LARGE,
            Self::NoBody => &refusals::INTERNAL_SERVER_ERROR,
            Self::NotImplemented => &refusals::NOT_IMPLEMENTED,
            Self::VersionNotSupported => &refusals::VERSION_NOT_SUPPORTED,
        }
    }

    /// Whether it counts as a refusal: the answers 404 and 405 do not.
    pub(super) const fn is_refusal(self) -> bool {
        !matches!(self, Self::Methods | Self::NotAllowed)
    }
}

/// What says that the body may come (RFC 9110 section 15.2.1).
pub(super) static CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";
/// The line behind the status line that says that the connection ends (RFC 9112 section 9.6).
pub(super) static CLOSE: &[u8] = b"connection: close\r\n";
