//! DATA (RFC 9113 section 6.1): bodies of requests, which are dropped.

use super::answer::Answer;
use super::frame::{Code, Header, MAX_PAYLOAD, flag, kind};
use super::streams::{Slot, State};
use super::{Call, H2, Stage, Stop, WINDOW};
use crate::http::Handler;

/// Bytes for which the client gets its window back at once.
const GIVEN_BACK: u32 = WINDOW / 2;

/// How many times the longest body is read before it is refused.
///
/// There are clients that forget an answer when their stream is reset, and that wait for ever when it
/// comes while they send. So a body that is too long is read to its end, within bounds.
const READ_BODIES: u64 = 16;

const _: () = assert!(
    GIVEN_BACK as usize + MAX_PAYLOAD < WINDOW as usize,
    "a frame could use up more than the window"
);

impl<const STREAMS: usize, const BLOCK: usize, const MEMO: usize> H2<STREAMS, BLOCK, MEMO> {
    /// Takes the header of a frame, and as much of it as is there.
    pub(super) fn data<'i, H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        header: Header,
        after: &'i [u8],
        rest: &mut &'i [u8],
    ) -> Result<(), Stop> {
        let Header { length, stream, .. } = header;
        if self.is_idle(stream) {
            return Err(Stop::Error(Code::ProtocolError));
        }
        let (padding, left, after) = if !header.has(flag::PADDED) {
            (0, length, after)
        } else if length == 0 {
            return Err(Stop::Error(Code::FrameSizeError));
        } else {
            let Some((padding, after)) = after.split_first() else { return Err(Stop::Read) };
            (usize::from(*padding), length - 1, after)
        };
        let Some(data) = left.checked_sub(padding) else {
            return Err(Stop::Error(Code::ProtocolError));
        };
        *rest = after;
        // The whole frame counts, padding too (section 6.9.1). No client can send more than it may: what
        // it sends is given back with the frame that uses up half of the window.
        let counted = u32::try_from(length).unwrap_or_default();
        self.owed += counted;
        let end = header.has(flag::END_STREAM);
        if data == 0 && !end {
            self.budget.idle(call.counters, &call.routes.limits)?;
        }
        self.stage = Stage::Data { stream, left, end };
        self.receive(call, stream, counted, data, end)?;
        self.more_data(call, rest)
    }

    /// Counts a frame for its stream.
    fn receive<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        stream: u32,
        counted: u32,
        data: usize,
        end: bool,
    ) -> Result<(), Stop> {
        let Some(slot) = self.streams.get(stream) else {
            return self.drop_frame(stream, counted);
        };
        let data = u32::try_from(data).unwrap_or_default();
        slot.owed += counted;
        let code = if slot.state != State::Receiving {
            Code::StreamClosed
        } else {
            slot.done = slot.done.saturating_add(data);
            let done = slot.done;
            let known = slot.length != Slot::UNKNOWN;
            if known && (done > slot.length || end && done != slot.length) {
                // Section 8.1.1.
                Code::ProtocolError
            } else {
                let limit = call.routes.limits.body;
                if u64::from(done) > limit {
                    slot.answer = Answer::CONTENT_TOO_LARGE;
                }
                self.budget.move_bytes(data as usize);
                if u64::from(done) <= limit.saturating_mul(READ_BODIES) {
                    return Ok(());
                }
                let (pending, window) = (slot.pending(), slot.window_of_request());
                self.streams.remove(stream);
                if end {
                    return self.respond(call, pending);
                }
                // Section 8.1: the answer is whole, and no more of the request is wanted.
                self.streams.drop_rest(stream, window);
                self.respond(call, pending)?;
                return self.reset(call, stream, true, Code::NoError);
            }
        };
        self.reset(call, stream, end, code)
    }

    /// Counts a frame of a stream that was reset.
    fn drop_frame(&mut self, stream: u32, counted: u32) -> Result<(), Stop> {
        let Some(dropped) = self.streams.dropped(stream) else {
            return Err(Stop::Error(self.closed(stream)));
        };
        // Section 6.9.1.
        let left = dropped.window.checked_sub(counted);
        dropped.window = left.ok_or(Stop::Error(Code::FlowControlError))?;
        Ok(())
    }

    /// Drops what there is of the frame, and goes on when that is all of it.
    pub(super) fn more_data<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        rest: &mut &[u8],
    ) -> Result<(), Stop> {
        let Stage::Data { stream, left, end } = self.stage else { return Ok(()) };
        let here = left.min(rest.len());
        *rest = rest.get(here..).unwrap_or_default();
        if here < left {
            self.stage = Stage::Data { stream, left: left - here, end };
            return Err(Stop::Read);
        }
        self.stage = Stage::Frame;
        if self.owed >= GIVEN_BACK {
            call.frames.number(kind::WINDOW_UPDATE, 0, self.owed);
            self.owed = 0;
        }
        if end {
            return self.end_of_request(call, stream);
        }
        if let Some(slot) = self.streams.get(stream)
            && slot.owed >= GIVEN_BACK
        {
            call.frames.number(kind::WINDOW_UPDATE, stream, slot.owed);
            slot.owed = 0;
        }
        Ok(())
    }

    /// Answers a request whose body ended.
    pub(super) fn end_of_request<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        stream: u32,
    ) -> Result<(), Stop> {
        self.streams.forget(stream);
        if !self.is_receiving(stream) {
            return Ok(());
        }
        let Some(slot) = self.streams.remove(stream) else { return Ok(()) };
        self.respond(call, slot.pending())
    }

    pub(super) fn is_receiving(&mut self, stream: u32) -> bool {
        self.streams.get(stream).is_some_and(|slot| slot.state == State::Receiving)
    }

    /// The error of a frame on a stream that is closed: never opened, or ended.
    pub(super) const fn closed(&self, stream: u32) -> Code {
        let (before, behind) = self.skipped;
        if before < stream && stream < behind { Code::ProtocolError } else { Code::StreamClosed }
    }
}
