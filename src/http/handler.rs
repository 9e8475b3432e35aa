//! What makes those parts of a response that are no literal.

use super::Method;

/// Makes those parts of a response that are no literal.
///
/// `()` is the handler of a server that has none of them.
pub trait Handler {
    /// Overwrites `bytes` with the value of hole number `hole` in the response of `request`.
    ///
    /// `bytes` has the width of the hole, and holds what the literal has there.
    fn fill(&mut self, request: Request, hole: usize, bytes: &mut [u8]) {
        let _ = (request, hole, bytes);
    }

    /// Writes the body for `request` at the start of `body`, and returns its length.
    ///
    /// `body` is the place in the output buffer behind the response's head. It has the length that the
    /// response declares as the longest, and what it holds is unspecified. A body that does not fit
    /// the window of an HTTP/2 client is asked for again once it does.
    ///
    /// # Errors
    ///
    /// [`NoBody`]: the client gets status 500.
    fn body(&mut self, request: Request, body: &mut [u8]) -> Result<usize, NoBody> {
        let _ = (request, body);
        Err(NoBody)
    }
}

impl Handler for () {}

impl<H: Handler + ?Sized> Handler for &mut H {
    fn fill(&mut self, request: Request, hole: usize, bytes: &mut [u8]) {
        (**self).fill(request, hole, bytes);
    }

    fn body(&mut self, request: Request, body: &mut [u8]) -> Result<usize, NoBody> {
        (**self).body(request, body)
    }
}

/// What is asked of a [`Handler`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Request {
    /// Number of the route among the [`Routes`](crate::http::Routes).
    pub route: usize,
    /// The method.
    pub method: Method,
}

/// A body that could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NoBody;
