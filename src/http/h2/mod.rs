//! HTTP/2 (RFC 9113).
//!
//! A request that ends with its HEADERS is answered on the spot: its response is copied, two stream
//! numbers are patched, and no state is left. Only a stream that waits, for the rest of its request
//! or for a window, takes a slot.

mod answer;
mod budget;
mod control;
mod data;
mod frame;
mod headers;
mod memo;
mod respond;
mod settings;
mod streams;

use self::answer::Answer;
use self::budget::Budget;
use self::frame::{Code, Frames, Header, MAX_PAYLOAD, kind};
use self::headers::Block;
use self::memo::Memo;
use self::streams::Streams;
use super::hpack::{Head, Table, decode_here, quick_get};
use super::speaks::private::Begin;
use super::{Counters, Fed, Handler, Limits, Next, Routes, Waiting, is_quick};

/// What a client sends first (section 3.4).
pub(super) const PREFACE: [u8; 24] = *b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Room that any frame needs whose answer is no response of a route: window updates, a refusal, the end
/// of a stream and of the connection.
const FRAME_ROOM: usize = 160;

/// The window that a connection and each of its streams start with (section 6.9.2), in both directions.
const WINDOW: u32 = 65_535;

/// The greatest window (section 6.9.1).
const MAX_WINDOW: u32 = 0x7fff_ffff;

/// The state of a connection over HTTP/2.
#[derive(Debug)]
pub(super) struct H2<const STREAMS: usize, const BLOCK: usize, const MEMO: usize> {
    stage: Stage,
    /// The client's highest stream.
    last: u32,
    /// The streams between these two were skipped last, so they were never open.
    skipped: (u32, u32),
    /// Bytes that the client lets us send on the connection.
    window: i32,
    /// Bytes that it lets us send on a stream that begins.
    initial: i32,
    /// Bytes received for which the client has no window back yet.
    owed: u32,
    /// What does not fit the output and goes first into the next one.
    pending: Option<Pending>,
    /// Whether the last input ended within a frame.
    partial: bool,
    ending: Ending,
    budget: Budget,
    streams: Streams<STREAMS>,
    block: Block<BLOCK>,
    memo: Memo<MEMO>,
    table: Table,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Preface,
    /// The frame behind the preface, which is SETTINGS.
    Settings,
    /// Any frame.
    Frame,
    /// CONTINUATION.
    Block,
    /// The rest of a DATA frame.
    Data {
        stream: u32,
        left: usize,
        end: bool,
    },
    /// The rest of a frame that means nothing.
    Skip {
        left: usize,
    },
    Closed,
}

/// What one call of [`H2::feed`] is about.
struct Call<'c, H: ?Sized> {
    counters: &'c mut Counters,
    routes: &'c Routes<'c>,
    handler: &'c mut H,
    frames: Frames<'c>,
}

/// A response that has not begun.
#[derive(Clone, Copy, Debug)]
struct Pending {
    stream: u32,
    window: i32,
    answer: Answer,
}

impl Pending {
    /// The same with another answer.
    const fn with(self, answer: Answer) -> Self {
        Self { answer, ..self }
    }
}

/// Why nothing more is taken of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// More of it has to come.
    Read,
    /// An output of this length is needed.
    Flush(usize),
    /// A connection error (section 5.4.1).
    Error(Code),
    /// It ended before.
    Close,
}

/// Length of the shortest output in which each frame fits that goes out whole.
pub(super) const fn min_output(routes: &Routes<'_>) -> usize {
    let mut longest = respond::whole_len(routes.not_found, FRAME_ROOM);
    let mut left = routes.routes;
    while let [route, rest @ ..] = left {
        longest = respond::whole_len(route.response, longest);
        left = rest;
    }
    longest
}

/// Whether the end is announced (section 6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    No,
    /// It is to be.
    Asked,
    /// It was, and this is the last stream that is answered.
    Said(u32),
}

impl<const STREAMS: usize, const BLOCK: usize, const MEMO: usize> Begin
    for H2<STREAMS, BLOCK, MEMO>
{
    #[inline(always)]
    fn begin() -> Self {
        Self {
            stage: Stage::Preface,
            last: 0,
            skipped: (0, 0),
            window: WINDOW.cast_signed(),
            initial: WINDOW.cast_signed(),
            owed: 0,
            pending: None,
            partial: false,
            ending: Ending::No,
            budget: Budget::new(),
            streams: Streams::new(),
            block: Block::new(),
            memo: Memo::new(),
            table: Table::new(),
        }
    }
}

impl<const STREAMS: usize, const BLOCK: usize, const MEMO: usize> H2<STREAMS, BLOCK, MEMO> {
    #[inline(always)]
    pub(super) fn feed<H: Handler + ?Sized>(
        &mut self,
        counters: &mut Counters,
        routes: &Routes<'_>,
        handler: &mut H,
        input: &[u8],
        output: &mut [u8],
    ) -> Fed {
        if is_quick()
            && let Some(written) = self.alone(counters, routes, input, output)
        {
            counters.move_bytes(input.len(), written);
            return Fed { consumed: input.len(), written, next: Next::Read };
        }
        let fed = self.feed_all(counters, routes, handler, input, output);
        counters.move_bytes(fed.consumed, fed.written);
        fed
    }

    /// Answers a request that is all of the input and one of those of [`Self::quick`]; the length of
    /// the answer.
    ///
    /// Without a loop little has to be kept while the response is copied.
    #[inline(always)]
    fn alone(
        &mut self,
        counters: &mut Counters,
        routes: &Routes<'_>,
        input: &[u8],
        output: &mut [u8],
    ) -> Option<usize> {
        let (header, block) = input.split_first_chunk()?;
        let (stream, len) = Header::short_request(header)?;
        if len != block.len()
            || stream != self.last + 2
            || !self.is_at_frame()
            || !self.streams.is_empty()
        {
            return None;
        }
        let route = self.quick_route(routes, block)?;
        let response = routes.routes.get(route as usize)?.response;
        let written = self.copy(stream, self.initial, response, output)?;
        self.last = stream;
        self.partial = false;
        counters.requests += 1;
        Some(written)
    }

    /// Whether the next thing is a frame, of which any may come.
    #[inline(always)]
    fn is_at_frame(&self) -> bool {
        self.stage == Stage::Frame && self.pending.is_none() && self.ending == Ending::No
    }

    #[inline(never)]
    fn feed_all<H: Handler + ?Sized>(
        &mut self,
        counters: &mut Counters,
        routes: &Routes<'_>,
        handler: &mut H,
        input: &[u8],
        output: &mut [u8],
    ) -> Fed {
        let (mut consumed, mut written) = (0, 0);
        if is_quick() && self.is_at_frame() {
            (consumed, written) = self.quick(counters, routes, input, output);
            if consumed == input.len() && self.streams.is_empty() {
                self.partial = false;
                return Fed { consumed, written, next: Next::Read };
            }
        }
        self.feed_rest(counters, routes, handler, (input, consumed), (output, written))
    }

    /// Answers those requests at the start of `input` that are the most usual ones, each a frame of
    /// fields that are in the tables, by a literal.
    ///
    /// Returns how much was consumed and written. What stops it is left to [`Self::feed_rest`], which
    /// does the same for every request.
    #[inline(always)]
    fn quick(
        &mut self,
        counters: &mut Counters,
        routes: &Routes<'_>,
        input: &[u8],
        output: &mut [u8],
    ) -> (usize, usize) {
        let (mut rest, mut written) = (input, 0);
        while let Some((header, after)) = rest.split_first_chunk()
            && let Some((stream, len)) = Header::short_request(header)
            && stream == self.last + 2
            && let Some((block, after)) = after.split_at_checked(len)
            && let Some(route) = self.quick_route(routes, block)
            && let Some(route) = routes.routes.get(route as usize)
            && let Some(free) = output.get_mut(written..)
            && let Some(len) = self.copy(stream, self.initial, route.response, free)
        {
            self.last = stream;
            counters.requests += 1;
            written += len;
            rest = after;
        }
        (input.len() - rest.len(), written)
    }

    /// The route that a header block asks for.
    #[inline(always)]
    fn quick_route(&mut self, routes: &Routes<'_>, block: &[u8]) -> Option<u32> {
        if let Some(route) = self.memo.get(block, &self.table) {
            return Some(route);
        }
        let route = quick_get(&self.table, routes, block)?;
        self.memo.set(block, route, &self.table, self.table.changes());
        Some(route)
    }

    #[inline(never)]
    fn feed_rest<H: Handler + ?Sized>(
        &mut self,
        counters: &mut Counters,
        routes: &Routes<'_>,
        handler: &mut H,
        (input, consumed): (&[u8], usize),
        (output, written): (&mut [u8], usize),
    ) -> Fed {
        let mut call = Call { counters, routes, handler, frames: Frames::behind(output, written) };
        let mut rest = input.get(consumed..).unwrap_or_default();
        let stop = self.run(&mut call, &mut rest);
        self.partial = !rest.is_empty();
        let next = match stop {
            Stop::Read if self.ending == Ending::No => Next::Read,
            stop => self.stopped(&mut call, stop),
        };
        Fed { consumed: input.len() - rest.len(), written: call.frames.len(), next }
    }

    /// Ends the connection because the input buffer is full and holds no whole frame.
    pub(super) fn overflow(&mut self, counters: &mut Counters, output: &mut [u8]) -> Fed {
        self.leave(counters, Code::EnhanceYourCalm, output)
    }

    /// Ends the connection because the client took too long.
    pub(super) fn time_out(&mut self, counters: &mut Counters, output: &mut [u8]) -> Fed {
        self.leave(counters, Code::NoError, output)
    }

    /// Announces the end with the next output. What has begun is brought to its end.
    pub(super) const fn shutdown(&mut self) {
        if matches!(self.ending, Ending::No) {
            self.ending = Ending::Asked;
        }
    }

    /// What the connection waits for.
    pub(super) const fn waiting(&self) -> Waiting {
        let (receiving, sending) = self.streams.count();
        if self.pending.is_some() || sending > 0 {
            Waiting::Window
        } else if receiving > 0 || matches!(self.stage, Stage::Data { .. }) {
            Waiting::Body
        } else if self.partial || matches!(self.stage, Stage::Block | Stage::Settings) {
            Waiting::Head
        } else {
            Waiting::Idle
        }
    }

    /// Takes frames until it has to stop.
    #[inline(always)]
    fn run<H: Handler + ?Sized>(&mut self, call: &mut Call<'_, H>, rest: &mut &[u8]) -> Stop {
        if self.is_special()
            && let Err(stop) = self.begin(call)
        {
            return stop;
        }
        while let Some((header, after)) = rest.split_first_chunk() {
            if call.frames.room() < FRAME_ROOM {
                return Stop::Flush(FRAME_ROOM);
            }
            let header = Header::from_bytes(header);
            let result = if is_quick()
                && header.is_request()
                && self.stage == Stage::Frame
                && header.stream > self.last
                && header.length <= MAX_PAYLOAD
            {
                let Some((block, after)) = after.split_at_checked(header.length) else { break };
                *rest = after;
                self.request(call, header.stream, block)
            } else {
                self.other(call, rest)
            };
            match result {
                Ok(()) => {}
                Err(Stop::Read) => break,
                Err(stop) => return stop,
            }
        }
        if !rest.is_empty() || !self.streams.is_empty() {
            return self.remainder(call, rest);
        }
        Stop::Read
    }

    /// A request that is one frame.
    #[inline(always)]
    fn request<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        stream: u32,
        block: &[u8],
    ) -> Result<(), Stop> {
        let before = self.table.changes();
        let mut head = Head::new();
        match decode_here(&mut self.table, call.routes, &mut head, block) {
            Ok([]) => {}
            _ => return Err(Stop::Error(Code::CompressionError)),
        }
        match head.plain_get(&call.routes.limits) {
            Some(number) if self.ending == Ending::No => {
                self.memo.set(block, number, &self.table, before);
                self.open(stream);
                let answer = Answer::route(number);
                self.respond_here(call, Pending { stream, window: self.initial, answer })
            }
            _ => self.new_stream(call, stream, &head, true),
        }
    }

    /// Notes that the client opened a stream.
    #[inline(always)]
    fn open(&mut self, stream: u32) {
        if stream != self.last + 2 {
            self.skipped = (self.last, stream);
        }
        self.last = stream;
    }

    /// Whether there is something to do in front of the input.
    #[inline(always)]
    fn is_special(&self) -> bool {
        self.pending.is_some() || self.ending == Ending::Asked || self.stage == Stage::Closed
    }

    /// What comes in front of the input.
    #[cold]
    fn begin<H: Handler + ?Sized>(&mut self, call: &mut Call<'_, H>) -> Result<(), Stop> {
        if self.stage == Stage::Closed {
            return Err(Stop::Close);
        }
        if call.frames.room() < FRAME_ROOM {
            return Err(Stop::Flush(FRAME_ROOM));
        }
        if let Some(pending) = self.pending.take() {
            self.respond(call, pending)?;
        }
        if self.ending == Ending::Asked && self.stage != Stage::Preface {
            if call.frames.room() < FRAME_ROOM {
                return Err(Stop::Flush(FRAME_ROOM));
            }
            call.frames.go_away(self.last, Code::NoError);
            self.ending = Ending::Said(self.last);
        }
        Ok(())
    }

    /// What can be done with less than the 9 bytes of a frame header, and without any.
    #[inline(never)]
    fn remainder<H: Handler + ?Sized>(&mut self, call: &mut Call<'_, H>, rest: &mut &[u8]) -> Stop {
        if self.stage != Stage::Frame && !rest.is_empty() {
            if call.frames.room() < FRAME_ROOM {
                return Stop::Flush(FRAME_ROOM);
            }
            match self.other(call, rest) {
                Ok(()) | Err(Stop::Read) => {}
                Err(stop) => return stop,
            }
        }
        self.send(call).err().unwrap_or(Stop::Read)
    }

    /// What follows for the owner.
    #[cold]
    fn stopped<H: Handler + ?Sized>(&mut self, call: &mut Call<'_, H>, stop: Stop) -> Next {
        match stop {
            Stop::Read if self.is_done() => Next::Close,
            Stop::Read => Next::Read,
            Stop::Flush(needed) => Next::Flush { needed },
            Stop::Close => Next::Close,
            Stop::Error(code) => {
                self.fail(call.counters, code, &mut call.frames);
                Next::Close
            }
        }
    }

    /// Whether the end was announced and nothing is left to do.
    fn is_done(&self) -> bool {
        match self.ending {
            Ending::No => false,
            Ending::Asked => self.stage == Stage::Preface,
            Ending::Said(_) => {
                self.pending.is_none() && self.streams.is_empty() && self.stage == Stage::Frame
            }
        }
    }

    #[cold]
    fn leave(&mut self, counters: &mut Counters, code: Code, output: &mut [u8]) -> Fed {
        let mut frames = Frames::new(output);
        if self.stage != Stage::Closed {
            if frames.room() < FRAME_ROOM {
                return Fed { next: Next::Flush { needed: FRAME_ROOM }, ..Fed::NOTHING };
            }
            self.fail(counters, code, &mut frames);
        }
        Fed { consumed: 0, written: frames.len(), next: Next::Close }
    }

    /// Ends the connection (section 5.4.1).
    fn fail(&mut self, counters: &mut Counters, code: Code, frames: &mut Frames<'_>) {
        counters.errors += 1;
        if self.stage == Stage::Preface {
            settings::ours::<STREAMS>(frames, &Limits::DEFAULT);
        }
        let last = if let Ending::Said(last) = self.ending { last } else { self.last };
        frames.go_away(last, code);
        self.stage = Stage::Closed;
    }

    /// Ends a stream (section 5.4.2), of which more may come if the request did not end.
    #[cold]
    fn reset<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        stream: u32,
        ended: bool,
        code: Code,
    ) -> Result<(), Stop> {
        call.frames.number(kind::RST_STREAM, stream, code as u32);
        let removed = self.streams.remove(stream);
        if !ended {
            let window = removed.map_or(WINDOW, |slot| slot.window_of_request());
            self.streams.drop_rest(stream, window);
        }
        call.counters.resets_sent += 1;
        budget::check_resets(call.counters, &call.routes.limits)
    }
}
