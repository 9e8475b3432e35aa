//! Why a run ended badly.

use core::fmt;

use embedded_io::ErrorKind;

/// Why a run ended badly: a line for the console and the exit code.
///
/// `?` makes one of a message (code 1) and of a failed write to the console (code 74, `EX_IOERR`
/// of sysexits.h).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    message: &'static str,
    code: u8,
}

impl Failure {
    /// A failure with an exit code of its own.
    ///
    /// A code of 0 would report success, so it becomes 1.
    #[must_use]
    pub const fn new(message: &'static str, code: u8) -> Self {
        Self { message, code: if code == 0 { 1 } else { code } }
    }

    /// The line for the console.
    #[must_use]
    pub const fn message(&self) -> &'static str {
        self.message
    }

    /// The exit code, never 0.
    #[must_use]
    pub const fn code(&self) -> u8 {
        self.code
    }
}

impl From<&'static str> for Failure {
    fn from(message: &'static str) -> Self {
        Self::new(message, 1)
    }
}

impl From<fmt::Error> for Failure {
    fn from(_: fmt::Error) -> Self {
        Self::new("the console refused text", 74)
    }
}

impl From<ErrorKind> for Failure {
    fn from(_: ErrorKind) -> Self {
        Self::new("the console refused bytes", 74)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message)
    }
}

impl core::error::Error for Failure {}
