//! What a driver of a test fails with.

use std::fmt;

use embedded_io::ErrorKind;

/// A driver's own error: its kind, and a number by which it is known again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault(pub(crate) ErrorKind, pub(crate) u8);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fault {}", self.1)
    }
}

impl core::error::Error for Fault {}

impl embedded_io::Error for Fault {
    fn kind(&self) -> ErrorKind {
        self.0
    }
}
