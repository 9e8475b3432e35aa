//! What makes those parts of a response that are no literal.

use super::{Exchanged, Method, Protocol, Received};

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

    /// Writes the whole response for `request` at the start of `output`, and returns its length.
    ///
    /// For a response whose head is no literal either. Its bytes are those that a [`Response`] would
    /// have for `request.protocol`: over HTTP/1.1 status line, header lines without `connection`,
    /// empty line and body; over HTTP/2 one HEADERS frame with `END_HEADERS`, and behind it, if there is
    /// a body, one DATA frame with `END_STREAM`, both with stream number zero, which is patched. `output`
    /// has the length that the response declares as the longest. For HEAD the same is written as for
    /// GET: what does not belong to it is left out.
    ///
    /// [`Response`]: crate::http::Response
    ///
    /// # Errors
    ///
    /// [`NoBody`]: the client gets status 500.
    fn respond(&mut self, request: Request, output: &mut [u8]) -> Result<usize, NoBody> {
        let _ = (request, output);
        Err(NoBody)
    }

    /// Answers a request that it sees whole, at the start of `output`.
    ///
    /// This is for a route of [`Response::exchanged`], over HTTP/1.1, and GET, HEAD, POST, PUT, DELETE, PATCH
    /// and TRACE. The response has the form that [`respond`](Self::respond) says. One call sees the
    /// request and has the room for the response, so that nothing has to be kept in between.
    ///
    /// With [`Exchanged::Switch`] the connection leaves HTTP: the response goes out as it is, and
    /// [`Next::Switch`] tells the owner.
    ///
    /// [`Response::exchanged`]: crate::http::Response::exchanged
    /// [`Next::Switch`]: crate::http::Next::Switch
    ///
    /// # Errors
    ///
    /// [`NoBody`]: the client gets status 500.
    fn exchange(
        &mut self,
        received: &Received<'_>,
        output: &mut [u8],
    ) -> Result<Exchanged, NoBody> {
        let _ = (received, output);
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

    fn respond(&mut self, request: Request, output: &mut [u8]) -> Result<usize, NoBody> {
        (**self).respond(request, output)
    }

    fn exchange(
        &mut self,
        received: &Received<'_>,
        output: &mut [u8],
    ) -> Result<Exchanged, NoBody> {
        (**self).exchange(received, output)
    }
}

/// What is asked of a [`Handler`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Request {
    /// Number of the route among the [`Routes`](crate::http::Routes); how many there are for the response
    /// of all other paths.
    pub route: usize,
    /// The method.
    pub method: Method,
    /// What the connection speaks, never [`Protocol::Auto`].
    pub protocol: Protocol,
}

/// A body that could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NoBody;
