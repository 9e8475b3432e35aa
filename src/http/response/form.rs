//! One form of a response, made at run time.

use super::PartsError;
use super::layout;
use super::parts::{Content, Parts};
use crate::http::output::Output;

impl Parts<'_> {
    /// Writes the response at the start of `bytes` as HTTP/1.1 has it, and returns its length.
    ///
    /// For a [`Handler::respond`](crate::http::Handler::respond), which is asked for one form at a time.
    /// Holes have what they have at first.
    ///
    /// ```
    /// use onewrite::http::{Parts, PartsError};
    ///
    /// let mut bytes = [0; 64];
    /// let len = Parts::new(200).body(b"Hello").http1_in(&mut bytes)?;
    /// assert_eq!(&bytes[..len], b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nHello");
    /// # Ok::<(), PartsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// All that [`PartsError`] says. `Full` if `bytes` is too short, `Dynamic` if the body is one that
    /// a handler writes. What is in `bytes` then has no meaning.
    pub const fn http1_in(&self, bytes: &mut [u8]) -> Result<usize, PartsError> {
        if let Err(error) = self.check_form() {
            return Err(error);
        }
        let room = bytes.len();
        within(layout::put_http1(self, &mut Output::new(bytes)), room)
    }

    /// Writes the response at the start of `bytes` as HTTP/2 has it, and returns its length.
    ///
    /// A HEADERS frame, and a DATA frame if there is a body of at most 16,384 bytes; both with stream
    /// number zero. The twin of [`http1_in`](Self::http1_in).
    ///
    /// # Errors
    ///
    /// As those of [`http1_in`](Self::http1_in).
    pub const fn http2_in(&self, bytes: &mut [u8]) -> Result<usize, PartsError> {
        if let Err(error) = self.check_form() {
            return Err(error);
        }
        let room = bytes.len();
        within(layout::put_http2(self, &mut Output::new(bytes)), room)
    }

    const fn check_form(&self) -> Result<(), PartsError> {
        match self.body {
            Content::Dynamic(_) => Err(PartsError::Dynamic),
            _ => self.check(),
        }
    }
}

const fn within(len: usize, room: usize) -> Result<usize, PartsError> {
    if len > room { Err(PartsError::Full { bytes: len, holes: 0 }) } else { Ok(len) }
}
