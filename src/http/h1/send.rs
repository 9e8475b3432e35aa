//! Responses on their way out.

use super::super::refusals::Refusal;
use super::super::{
    Counters, Exchanged, Handler, Method, Next, Protocol, Received, Request, Response, Routes,
};
use super::facts::{CLOSE, HEAD, Reply};
use super::{Message, Stage};
use crate::sink;

impl Message {
    /// Writes what there is to write, as far as there is room; what to do if that is not all.
    pub(super) fn send<H: Handler + ?Sized>(
        &mut self,
        counters: &mut Counters,
        routes: &Routes<'_>,
        handler: &mut H,
        output: &mut [u8],
        written: &mut usize,
    ) -> Result<(), Next> {
        if self.stage == Stage::Continue {
            self.copy([CONTINUE, &[], &[]], output, written)?;
            self.at = 0;
            self.stage = self.behind_head();
            return Ok(());
        }
        if self.stage == Stage::Respond {
            self.begin(counters);
        }
        if let Reply::Fixed(refusal) = self.facts.reply {
            return self.send_fixed(counters, refusal, output, written);
        }
        let response = response(routes, self.facts.reply);
        if response.dynamic.is_some() || response.has_holes_in_body() {
            match self.made(routes, handler, response, output.get_mut(*written..)) {
                Ok(Some(len)) => *written += len,
                Ok(None) => {
                    counters.refused += 1;
                    self.facts.reply = Reply::Fixed(Refusal::NoBody);
                    return Ok(());
                }
                Err(needed) => return Err(Next::Flush { needed }),
            }
        } else {
            if self.at == 0 && !response.holes.is_empty() {
                self.fill_head(routes, handler, response, output, written)?;
            }
            self.copy(self.pieces(response), output, written)?;
        }
        self.finish();
        Ok(())
    }

    /// Whether a handler is to see the request and to answer it.
    pub(super) fn is_exchanging(&self) -> bool {
        let answers = matches!(self.stage, Stage::Respond | Stage::Send);
        self.holds && answers && matches!(self.facts.reply, Reply::Route(_))
    }

    /// Shows a handler the request at the start of `rest`, and writes its answer if there is room for any.
    pub(super) fn exchange<H: Handler + ?Sized>(
        &mut self,
        counters: &mut Counters,
        routes: &Routes<'_>,
        handler: &mut H,
        rest: &mut &[u8],
        output: &mut [u8],
        written: &mut usize,
    ) -> Result<(), Next> {
        if self.stage == Stage::Respond {
            self.begin(counters);
        }
        let max = len_of_made(response(routes, self.facts.reply));
        let close = self.close_line();
        let needed = max + close.len();
        let room = output.get_mut(*written..).and_then(|room| room.get_mut(..needed));
        let Some(room) = room else { return Err(Next::Flush { needed }) };
        let (request, behind) = rest.split_at_checked(self.held).unwrap_or_default();
        *rest = behind;
        let received = self.received(routes, request);
        let head = self.facts.seen & HEAD != 0;
        match exchanged(handler, &received, head, close, room) {
            Some(Exchanged::Response(len)) => {
                *written += len;
                self.finish();
            }
            Some(Exchanged::Close(len)) => {
                *written += len;
                self.stage = Stage::Closed;
            }
            Some(Exchanged::Switch(len)) => {
                *written += len;
                self.stage = Stage::Switched;
            }
            None => {
                counters.refused += 1;
                self.facts.reply = Reply::Fixed(Refusal::NoBody);
                (self.holds, self.held) = (false, 0);
            }
        }
        Ok(())
    }

    /// A request that is held, in its parts.
    fn received<'i>(&self, routes: &Routes<'_>, request: &'i [u8]) -> Received<'i> {
        let body = usize::try_from(self.facts.length).unwrap_or(0);
        let head = request.len().saturating_sub(body);
        let (head, body) = request.split_at_checked(head).unwrap_or_default();
        Received::new(self.request(routes).route, head, body)
    }

    /// Writes what is no response of a route: for whoever has neither routes nor handler.
    pub(super) fn send_fixed(
        &mut self,
        counters: &mut Counters,
        refusal: Refusal,
        output: &mut [u8],
        written: &mut usize,
    ) -> Result<(), Next> {
        if self.stage == Stage::Respond {
            self.begin(counters);
        }
        let [status_line, rest] = refusal.http1();
        self.copy([status_line, self.close_line(), rest], output, written)?;
        self.finish();
        Ok(())
    }

    fn begin(&mut self, counters: &mut Counters) {
        counters.requests += 1;
        if let Reply::Fixed(refusal) = self.facts.reply {
            counters.refused += u64::from(refusal.is_one());
            counters.errors += u64::from(self.faulty);
        }
        if self.shutdown {
            self.facts.seen |= CLOSE;
        }
        (self.stage, self.at) = (Stage::Send, 0);
    }

    fn finish(&mut self) {
        if self.facts.seen & CLOSE != 0 {
            self.stage = Stage::Closed;
        } else {
            // The owner may have said in between that it is the last.
            let shutdown = self.shutdown;
            *self = Self::NEW;
            if shutdown {
                (self.shutdown, self.stage) = (true, Stage::Method);
            }
        }
    }

    /// The bytes of a response: its status line, a line that says that the connection ends, the rest.
    fn pieces<'r>(&self, response: &'r Response<'_>) -> [&'r [u8]; 3] {
        let end = if self.facts.seen & HEAD != 0 { response.h1_head } else { response.h1.len() };
        let bytes = response.h1.get(..end).unwrap_or(response.h1);
        let (status, rest) = bytes.split_at_checked(response.status_line).unwrap_or_default();
        [status, self.close_line(), rest]
    }

    const fn close_line(&self) -> &'static [u8] {
        if self.facts.seen & CLOSE != 0 { CLOSE_LINE } else { &[] }
    }

    /// Copies pieces from where the last call stopped.
    fn copy(
        &mut self,
        pieces: [&[u8]; 3],
        output: &mut [u8],
        written: &mut usize,
    ) -> Result<(), Next> {
        let len: usize = pieces.iter().map(|piece| piece.len()).sum();
        let fits = |room: usize| len - self.at.min(len) <= room;
        // What fits one write goes out in one.
        if self.at == 0 && *written > 0 && !fits(output.len() - *written) && fits(output.len()) {
            return Err(Next::Flush { needed: 1 });
        }
        let mut skip = self.at;
        for piece in pieces {
            let Some(piece) = piece.get(skip..) else {
                skip -= piece.len();
                continue;
            };
            skip = 0;
            let room = output.get_mut(*written..).unwrap_or_default();
            let copied = piece.len().min(room.len());
            let (Some(to), Some(from)) = (room.get_mut(..copied), piece.get(..copied)) else {
                break;
            };
            sink::copy(to, from);
            *written += copied;
            self.at += copied;
            if copied < piece.len() {
                return Err(Next::Flush { needed: 1 });
            }
        }
        Ok(())
    }

    /// Writes the head of a response whose holes are all in it.
    fn fill_head<H: Handler + ?Sized>(
        &mut self,
        routes: &Routes<'_>,
        handler: &mut H,
        response: &Response<'_>,
        output: &mut [u8],
        written: &mut usize,
    ) -> Result<(), Next> {
        let [status, close, rest] = self.pieces(response);
        let whole = status.len() + close.len() + rest.len();
        let needed = response.h1_head + close.len();
        let room = output.len() - *written;
        // As in `copy`: what fits one write goes out in one.
        if room < needed || *written > 0 && room < whole && whole <= output.len() {
            return Err(Next::Flush { needed });
        }
        let start = *written;
        let head = rest.get(..response.h1_head - response.status_line).unwrap_or(rest);
        self.copy([status, close, head], output, written)?;
        if let Some(head) = output.get_mut(start..*written) {
            response.fill(handler, self.request(routes), close.len(), head);
        }
        Ok(())
    }

    /// What a handler is asked for.
    const fn request(&self, routes: &Routes<'_>) -> Request {
        Request {
            route: match self.facts.reply {
                Reply::Route(route) | Reply::NotModified(route) => route as usize,
                Reply::NotFound | Reply::Fixed(_) => routes.routes.len(),
            },
            method: if self.facts.seen & HEAD != 0 { Method::Head } else { Method::Get },
            protocol: Protocol::Http1,
        }
    }

    /// Writes a response that is no literal: its length, nothing if the handler has no body, or how
    /// much room it needs.
    fn made<H: Handler + ?Sized>(
        &self,
        routes: &Routes<'_>,
        handler: &mut H,
        response: &Response<'_>,
        room: Option<&mut [u8]>,
    ) -> Result<Option<usize>, usize> {
        let close = self.close_line();
        let needed = len_of_made(response) + close.len();
        let Some(room) = room.and_then(|room| room.get_mut(..needed)) else { return Err(needed) };
        Ok(made(handler, self.request(routes), response, close, room))
    }
}

/// The response to a plain request, and its place at the start of `room`, if it is a literal and fits.
#[inline(always)]
pub(super) fn literal<'r, 'o>(
    response: &Response<'r>,
    head: bool,
    room: &'o mut [u8],
) -> Option<(&'r [u8], &'o mut [u8])> {
    if !response.is_literal() {
        return None;
    }
    let bytes = if head { response.h1.get(..response.h1_head)? } else { response.h1 };
    Some((bytes, room.get_mut(..bytes.len())?))
}

/// What answers a request that is not refused.
pub(super) fn response<'r>(routes: &Routes<'r>, reply: Reply) -> &'r Response<'r> {
    let route = |number: u16| routes.routes.get(usize::from(number)).map(|route| route.response);
    let response = match reply {
        Reply::Route(number) => route(number),
        Reply::NotModified(number) => route(number).and_then(|response| response.not_modified),
        Reply::NotFound | Reply::Fixed(_) => None,
    };
    response.unwrap_or(routes.not_found)
}

/// The most bytes of a response that go out whole: all, the head alone, or none.
pub(super) const fn len_of_made(response: &Response<'_>) -> usize {
    match response.dynamic {
        Some(dynamic) => response.h1.len() + dynamic.max,
        None if response.has_holes_in_body() => response.h1.len(),
        None if response.holes.is_empty() => 0,
        None => response.h1_head,
    }
}

/// Writes a response at the start of `room`, which is long enough.
fn made<H: Handler + ?Sized>(
    handler: &mut H,
    request: Request,
    response: &Response<'_>,
    close: &[u8],
    room: &mut [u8],
) -> Option<usize> {
    let head = request.method == Method::Head;
    if let Some(dynamic) = response.dynamic.filter(|dynamic| dynamic.whole) {
        return whole(handler, request, dynamic.max, close, room);
    }
    let (status, rest) = response.h1.split_at_checked(response.status_line)?;
    let (to, behind) = room.split_at_mut_checked(status.len())?;
    sink::copy(to, status);
    let (to, behind) = behind.split_at_mut_checked(close.len())?;
    sink::copy(to, close);
    let (to, body) = behind.split_at_mut_checked(rest.len())?;
    sink::copy(to, rest);
    let mut len = status.len() + close.len() + rest.len();
    if let Some(dynamic) = response.dynamic {
        let written = handler.body(request, body.get_mut(..dynamic.max)?).ok()?;
        if written > dynamic.max {
            return None;
        }
        let at = dynamic.length.checked_sub(response.status_line)?;
        put_decimal(to.get_mut(at..)?.first_chunk_mut()?, written);
        len += if head { 0 } else { written };
    } else if head {
        len -= response.h1.len() - response.h1_head;
    }
    response.fill(handler, request, close.len(), room.get_mut(..len)?);
    Some(len)
}

/// Lets the handler write head and body, and puts the line behind the status line.
fn whole<H: Handler + ?Sized>(
    handler: &mut H,
    request: Request,
    max: usize,
    close: &[u8],
    room: &mut [u8],
) -> Option<usize> {
    // Behind the room for the line: only the status line moves then.
    let space = room.get_mut(close.len()..)?.get_mut(..max)?;
    let len = handler.respond(request, space).ok()?;
    with_close(request.method == Method::Head, len, close, room)
}

/// Lets the handler see the request and write head and body; at most as much as `room` has behind `close`.
fn exchanged<H: Handler + ?Sized>(
    handler: &mut H,
    received: &Received<'_>,
    head: bool,
    close: &[u8],
    room: &mut [u8],
) -> Option<Exchanged> {
    match handler.exchange(received, room.get_mut(close.len()..)?).ok()? {
        Exchanged::Response(len) => with_close(head, len, close, room).map(Exchanged::Response),
        // The others have a line about the connection.
        exchanged @ (Exchanged::Close(len) | Exchanged::Switch(len)) => {
            move_to_start(close.len(), len, room)?;
            Some(exchanged)
        }
    }
}

/// Puts the line `close` behind the status line of a response, which was written behind room for it.
fn with_close(head: bool, mut len: usize, close: &[u8], room: &mut [u8]) -> Option<usize> {
    let response = room.get(close.len()..)?.get(..len)?;
    if close.is_empty() && !head {
        return Some(len);
    }
    let ends = |end: &[u8]| response.windows(end.len()).position(|bytes| bytes == end);
    let status_line = ends(b"\r\n")? + 2;
    let end_of_head = ends(b"\r\n\r\n")? + 4;
    if head {
        len = end_of_head;
    }
    move_to_start(close.len(), status_line, room)?;
    sink::copy(room.get_mut(status_line..)?.get_mut(..close.len())?, close);
    Some(len + close.len())
}

/// Moves `len` bytes from `from` to the start of `room`.
fn move_to_start(from: usize, len: usize, room: &mut [u8]) -> Option<()> {
    // They are few, and the places overlap. `copy_within` keeps its panics at some levels.
    for at in 0..len {
        let byte = *room.get(at + from)?;
        *room.get_mut(at)? = byte;
    }
    Some(())
}

/// Puts a number that has at most five digits, with spaces in front.
fn put_decimal(to: &mut [u8; 5], mut number: usize) {
    for byte in to.iter_mut().rev() {
        #[expect(clippy::cast_possible_truncation, reason = "one digit")]
        let digit = (number % 10) as u8;
        *byte = if number == 0 { b' ' } else { b'0' + digit };
        number /= 10;
    }
    if to[4] == b' ' {
        to[4] = b'0';
    }
}

/// What says that the body may come (RFC 9110 section 15.2.1).
static CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";
/// The line behind the status line that says that the connection ends (RFC 9112 section 9.6).
pub(super) static CLOSE_LINE: &[u8] = b"connection: close\r\n";
