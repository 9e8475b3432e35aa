//! HTTP/1 (RFC 9112): one request after the other, each with one response.

mod body;
mod facts;
mod line;
mod memo;
mod name;
mod plain;
mod scan;
mod send;
mod target;

use super::refusals::Refusal;
use super::speaks::private::Begin;
use super::{Counters, Fed, Handler, Next, Response, Routes, Waiting, is_quick};
use crate::sink;
use facts::{Facts, Reply, TRAILERS};
use line::Step;
use memo::Memo;
use plain::Plain;

/// The state of a connection over HTTP/1.
#[derive(Debug)]
pub(super) struct H1<const MEMO: usize> {
    message: Message,
    memo: Memo<MEMO>,
}

/// How far a request and its response have got.
#[derive(Debug)]
struct Message {
    stage: Stage,
    /// The response is the connection's last, since the server wants to stop.
    shutdown: bool,
    /// The response is one to a mistake of the client.
    faulty: bool,
    /// The owner ended the connection, and the response is what the client is told.
    ended: bool,
    /// Nothing of the request is consumed before all of it is there: a handler is to see it.
    holds: bool,
    /// Digits of the size of a chunk.
    digits: u8,
    facts: Facts,
    /// Consumed bytes of the head, of trailers and of the extensions of chunks.
    used: usize,
    /// Complete fields, trailers included.
    fields: usize,
    /// How many bytes of a line were read that is not complete.
    scanned: usize,
    /// Where the second part of that line begins: the target, or a field's value.
    mark: usize,
    /// Bytes of the body or of the chunk that are still to come.
    left: u64,
    /// Bytes in all chunks.
    total: u64,
    /// How many bytes of the response went out.
    at: usize,
    /// How many bytes of a request were read that is held.
    held: usize,
}

/// What [`H1::quick`] leaves of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    All,
    Nothing,
}

/// Where in a message the connection is. What a stage waits for is not yet consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing of a request was seen, and nobody wants to stop.
    Fresh,
    /// In the method, or in front of it.
    Method,
    /// Behind the CR of an empty line.
    EmptyLine,
    Target,
    Version,
    /// Behind the CR of a request line.
    LineEnd,
    /// In front of a field, or of the end of the head.
    Field,
    Name,
    /// In the value of a field that something depends on.
    Value,
    /// Behind its CR.
    ValueEnd,
    /// In the value of a field that nothing depends on.
    Skip,
    /// Behind its CR.
    SkipEnd,
    /// Behind the CR of the empty line that ends a head.
    HeadEnd,
    /// The client is to be told that the body may come.
    Continue,
    Body,
    ChunkSize,
    /// Between the size of a chunk and its extension.
    ChunkSpace,
    ChunkExtension,
    /// Behind the CR of the line with the size.
    ChunkSizeEnd,
    ChunkData,
    ChunkDataEnd,
    /// Behind the CR after the data of a chunk.
    ChunkEnd,
    /// The request is complete, or refused.
    Respond,
    /// A response is on its way.
    Send,
    /// The last response is out.
    Closed,
    /// The same, and the connection speaks another protocol now.
    Switched,
}

impl<const MEMO: usize> Begin for H1<MEMO> {
    #[inline(always)]
    fn begin() -> Self {
        Self { message: Message::NEW, memo: Memo::NONE }
    }
}

impl<const MEMO: usize> H1<MEMO> {
    /// What answers a plain request that is all of the input, and its place in the output.
    ///
    /// # Errors
    ///
    /// How much of the input is left to [`Self::feed`].
    #[inline(always)]
    pub(super) fn quick<'r, 'o>(
        &mut self,
        routes: &Routes<'r>,
        input: &[u8],
        output: &'o mut [u8],
    ) -> Result<(&'r [u8], &'o mut [u8]), Left> {
        if is_quick() && self.message.stage == Stage::Fresh {
            match self.memo.read(routes, input) {
                // With more behind it, requests are answered in a loop. Here they are not, so that
                // little has to be kept while the response is copied.
                Some(plain) if plain.rest.is_empty() => {
                    return send::literal(plain.response, plain.head, output)
                        .ok_or_else(|| self.message.answer(&plain));
                }
                Some(_) => {}
                // What was no plain head is none at a second look.
                None if !input.is_empty() => self.message.stage = Stage::Method,
                None => {}
            }
        }
        Err(Left::All)
    }

    /// Takes `input`, writes what is to be said.
    pub(super) fn feed<H: Handler + ?Sized>(
        &mut self,
        counters: &mut Counters,
        routes: &Routes<'_>,
        handler: &mut H,
        input: &[u8],
        output: &mut [u8],
    ) -> Fed {
        let mut went = (input, 0);
        let next = self.message.converse(counters, routes, handler, &mut went, output);
        Fed { consumed: input.len() - went.0.len(), written: went.1, next }
    }

    /// The owner's buffer is full: status 431, or 414.
    pub(super) fn overflow(&mut self, counters: &mut Counters, output: &mut [u8]) -> Fed {
        let refusal = self.message.too_long();
        self.message.end(counters, refusal, output)
    }

    /// The client took too long: status 408 if a request has begun.
    pub(super) fn time_out(&mut self, counters: &mut Counters, output: &mut [u8]) -> Fed {
        self.message.end(counters, Refusal::TimedOut, output)
    }

    /// The next response, or the next feed if none is under way, is the last.
    pub(super) const fn shutdown(&mut self) {
        self.message.shutdown = true;
        if matches!(self.message.stage, Stage::Fresh) {
            self.message.stage = Stage::Method;
        }
    }

    /// Nothing is read any more.
    pub(super) const fn close(&mut self) {
        self.message.stage = Stage::Closed;
    }

    /// Bytes of a request were seen that are not consumed.
    pub(super) const fn begin(&mut self) {
        (self.message.stage, self.message.scanned) = (Stage::Method, 1);
    }

    pub(super) const fn waiting(&self) -> Waiting {
        self.message.waiting()
    }
}

impl Message {
    const NEW: Self = Self {
        stage: Stage::Fresh,
        shutdown: false,
        faulty: false,
        ended: false,
        holds: false,
        digits: 0,
        facts: Facts::NONE,
        used: 0,
        fields: 0,
        scanned: 0,
        mark: 0,
        left: 0,
        total: 0,
        at: 0,
        held: 0,
    };

    /// Reads requests and answers them, as far as input and output go; what to do then.
    ///
    /// `went` is the input that is left, and the length of the output.
    #[cold]
    #[inline(never)]
    fn converse<H: Handler + ?Sized>(
        &mut self,
        counters: &mut Counters,
        routes: &Routes<'_>,
        handler: &mut H,
        (rest, written): &mut (&[u8], usize),
        output: &mut [u8],
    ) -> Next {
        loop {
            if is_quick() && self.stage == Stage::Fresh {
                let room = output.get_mut(*written..).unwrap_or_default();
                *written += self.plain(counters, routes, rest, room);
            }
            *rest = self.receive(routes, rest);
            match self.stage {
                Stage::Closed => return Next::Close,
                Stage::Switched => return Next::Switch,
                _ => {}
            }
            if !self.stage.is_sending() {
                if self.shutdown && self.stage.is_idle(self.scanned) {
                    self.stage = Stage::Closed;
                    return Next::Close;
                }
                return Next::Read;
            }
            let sent = if self.is_exchanging() {
                self.exchange(counters, routes, handler, rest, output, written)
            } else {
                self.send(counters, routes, handler, output, written)
            };
            if let Err(flush) = sent {
                return flush;
            }
        }
    }

    /// Answers plain requests; the length of the answers.
    #[inline(never)]
    fn plain(
        &mut self,
        counters: &mut Counters,
        routes: &Routes<'_>,
        rest: &mut &[u8],
        output: &mut [u8],
    ) -> usize {
        let (all, mut room) = (output.len(), output);
        while let Some(plain) = plain::read(routes, rest) {
            let Some((bytes, to)) = send::literal(plain.response, plain.head, room) else {
                if self.answer(&plain) == Left::Nothing {
                    *rest = plain.rest;
                }
                break;
            };
            *rest = plain.rest;
            sink::copy(to, bytes);
            counters.requests += 1;
            room = room.get_mut(bytes.len()..).unwrap_or_default();
        }
        all - room.len()
    }

    /// Reads up to where a response is due, or the input ends; what is left of it, with a request that is
    /// held.
    fn receive<'i>(&mut self, routes: &Routes<'_>, input: &'i [u8]) -> &'i [u8] {
        let mut start = input;
        let mut rest = input.get(self.held..).unwrap_or_default();
        while !self.stage.is_sending() && !self.stage.is_over() {
            if !self.holds {
                start = rest;
            }
            let step = if self.stage.is_body() {
                self.body(&routes.limits, rest)
            } else {
                self.line(routes, rest)
            };
            match step {
                Step::On(consumed) => {
                    rest = rest.get(consumed..).unwrap_or_default();
                    self.held += if self.holds { consumed } else { 0 };
                }
                Step::More => break,
            }
        }
        if self.holds { start } else { rest }
    }

    /// Lets the response of a route be sent in pieces, or with the help of a handler; what is left of the
    /// request.
    #[inline(always)]
    fn answer(&mut self, plain: &Plain<'_, '_>) -> Left {
        if plain.response.is_exchanged() {
            // Line by line, so that it is held.
            self.stage = Stage::Method;
            return Left::All;
        }
        self.facts.seen = if plain.head { facts::HEAD } else { 0 };
        self.facts.reply = u16::try_from(plain.number).map_or(Reply::NotFound, Reply::Route);
        self.stage = Stage::Respond;
        Left::Nothing
    }

    /// Makes a refusal the connection's last response.
    #[cold]
    fn refuse(&mut self, refusal: Refusal) -> Step {
        self.facts.reply = Reply::Fixed(refusal);
        self.facts.seen = facts::CLOSE;
        self.faulty = true;
        self.stage = Stage::Respond;
        Step::On(0)
    }

    /// Ends the connection from outside, with `refusal` if a request has begun.
    fn end(&mut self, counters: &mut Counters, refusal: Refusal, output: &mut [u8]) -> Fed {
        let mut written = 0;
        if !self.ended && !self.stage.is_sending() && !self.stage.is_idle(self.scanned) {
            let _ = self.refuse(refusal);
            self.ended = true;
        }
        // A response that is under way from before is not waited for.
        let next = match self.facts.reply {
            Reply::Fixed(refusal) if self.ended && self.stage.is_sending() => {
                self.send_fixed(counters, refusal, output, &mut written)
            }
            _ => Ok(()),
        };
        if next.is_ok() {
            self.stage = Stage::Closed;
        }
        Fed { consumed: 0, written, next: next.err().unwrap_or(Next::Close) }
    }

    const fn waiting(&self) -> Waiting {
        match self.stage {
            stage if stage.is_sending() => Waiting::Window,
            stage if stage.is_idle(self.scanned) => Waiting::Idle,
            _ if self.facts.seen & TRAILERS != 0 || self.stage.is_body() => Waiting::Body,
            _ => Waiting::Head,
        }
    }
}

impl Stage {
    /// Something is to be written before more is read.
    const fn is_sending(self) -> bool {
        matches!(self, Self::Continue | Self::Respond | Self::Send)
    }

    /// Nothing is read or written any more.
    const fn is_over(self) -> bool {
        matches!(self, Self::Closed | Self::Switched)
    }

    /// In a body, but not in its trailers.
    const fn is_body(self) -> bool {
        matches!(
            self,
            Self::Body
                | Self::ChunkSize
                | Self::ChunkSpace
                | Self::ChunkExtension
                | Self::ChunkSizeEnd
                | Self::ChunkData
                | Self::ChunkDataEnd
                | Self::ChunkEnd
        )
    }

    /// Nothing of a request was seen but empty lines.
    const fn is_idle(self, scanned: usize) -> bool {
        match self {
            Self::Fresh | Self::Closed | Self::Switched => true,
            Self::Method => scanned == 0,
            _ => false,
        }
    }
}

/// Length of the shortest output in which each response fits that goes out whole.
pub(super) const fn min_output(routes: &Routes<'_>) -> usize {
    let (mut longest, mut rest) = (len(routes.not_found), routes.routes);
    while let [route, tail @ ..] = rest {
        let needed = len(route.response);
        longest = if needed > longest { needed } else { longest };
        rest = tail;
    }
    longest
}

const fn len(response: &Response<'_>) -> usize {
    match send::len_of_made(response) {
        0 => 1,
        len => len + send::CLOSE_LINE.len(),
    }
}
