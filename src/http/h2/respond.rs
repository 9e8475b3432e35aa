//! Responses.

use super::answer::Answer;
use super::frame::{Code, HEADER, Header, MAX_PAYLOAD, flag, kind};
use super::streams::{Slot, State};
use super::{Call, FRAME_ROOM, H2, Pending, Stop};
use crate::http::refusals::Refusal;
use crate::http::{Counters, Dynamic, Handler, Response};
use crate::sink::copy;

/// Where the stream's number stands in a frame.
const STREAM: core::ops::Range<usize> = 5..HEADER;
const FLAGS: usize = 4;

/// Bytes of an output that a response needs at once, its HEADERS with a body that is no literal or with
/// the first piece of one; or `least` if that is more.
pub(super) const fn whole_len(response: &Response<'_>, least: usize) -> usize {
    let len = match response.dynamic {
        Some(dynamic) => response.h2.len().saturating_add(dynamic.max),
        None if response.has_holes_in_body() => response.h2.len(),
        None => response.h2_headers.saturating_add(FRAME_ROOM),
    };
    let least = if len > least { len } else { least };
    match response.not_modified {
        Some(not_modified) => whole_len(not_modified, least),
        None => least,
    }
}

impl<const STREAMS: usize, const BLOCK: usize, const MEMO: usize> H2<STREAMS, BLOCK, MEMO> {
    /// Answers a request on a stream that has no slot.
    #[inline(never)]
    pub(super) fn respond<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        pending: Pending,
    ) -> Result<(), Stop> {
        self.respond_here(call, pending)
    }

    /// The same without a call, where it is the usual way.
    #[inline(always)]
    pub(super) fn respond_here<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        pending: Pending,
    ) -> Result<(), Stop> {
        let Pending { stream, window, answer } = pending;
        if let Some(refusal) = answer.refusal() {
            return self.refuse(call, pending, refusal);
        }
        let response = answer.response(call.routes);
        if !answer.head
            && let Some(len) = self.copy(stream, window, response, call.frames.rest())
        {
            call.frames.advance(len);
            count(call.counters, answer);
            return Ok(());
        }
        self.respond_and_send(call, pending)
    }

    /// What does not leave whole is a slot's, so that it takes turns with the others.
    #[inline(never)]
    fn respond_and_send<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        pending: Pending,
    ) -> Result<(), Stop> {
        self.respond_otherwise(call, pending)?;
        self.send(call)
    }

    /// Copies a whole response, if it is a literal and fits `to` and the windows.
    ///
    /// Returns its length.
    #[inline(always)]
    pub(super) fn copy(
        &mut self,
        stream: u32,
        window: i32,
        response: &Response<'_>,
        to: &mut [u8],
    ) -> Option<usize> {
        let body = response.body_len();
        if !response.is_literal() || body > MAX_PAYLOAD || body > bytes(window.min(self.window)) {
            return None;
        }
        let (to, _) = to.split_at_mut_checked(response.h2.len())?;
        copy(to, response.h2);
        // Where there is no body, the second place is behind the end.
        let number = stream.to_be_bytes();
        patch(to, STREAM.start, number);
        patch(to, response.h2_headers + STREAM.start, number);
        take(&mut self.window, body);
        Some(to.len())
    }

    /// The same for what is not one copy; of a body that does not leave whole only the head.
    ///
    /// It sends nothing else, as it is called for every stream that waited.
    #[inline(never)]
    fn respond_otherwise<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        pending: Pending,
    ) -> Result<(), Stop> {
        let Pending { stream, window, answer } = pending;
        if let Some(refusal) = answer.refusal() {
            return self.refuse(call, pending, refusal);
        }
        let response = answer.response(call.routes);
        match response.dynamic {
            Some(dynamic) if dynamic.whole => return self.written_whole(call, pending, dynamic),
            Some(dynamic) if !answer.head => return self.written(call, pending, dynamic),
            _ => {}
        }
        let body = response.body_len();
        let headers = response.h2.get(..response.h2_headers).unwrap_or_default();
        let ends = answer.head || body == 0;
        let fits = body <= bytes(window.min(self.window));
        let whole = !ends && body <= MAX_PAYLOAD && fits;
        let len = if whole { response.h2.len() } else { headers.len() };
        if !ends && response.has_holes_in_body() {
            if !fits {
                return self.wait(call, pending, body);
            }
        } else if !ends && (!whole || len > call.frames.capacity()) {
            return self.respond_in_pieces(call, pending);
        }
        if len > call.frames.room() {
            self.pending = Some(pending);
            return Err(Stop::Flush(len));
        }
        let to = call.frames.put(response.h2.get(..len).unwrap_or_default());
        response.fill(call.handler, answer.request(call.routes), 0, to);
        patch(to, STREAM.start, stream.to_be_bytes());
        if whole {
            patch(to, headers.len() + STREAM.start, stream.to_be_bytes());
            take(&mut self.window, body);
        } else if let Some(flags) = to.get_mut(FLAGS) {
            *flags |= flag::END_STREAM;
        }
        count(call.counters, answer);
        Ok(())
    }

    /// An answer that is no response of a route.
    #[cold]
    #[inline(never)]
    fn refuse<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        pending: Pending,
        refusal: Refusal,
    ) -> Result<(), Stop> {
        let frame = refusal.http2();
        if frame.len() > call.frames.room() {
            self.pending = Some(pending);
            return Err(Stop::Flush(frame.len()));
        }
        let to = call.frames.put(frame);
        patch(to, STREAM.start, pending.stream.to_be_bytes());
        count(call.counters, pending.answer);
        Ok(())
    }

    /// Sends the HEADERS, and leaves the body to a slot.
    fn respond_in_pieces<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        pending: Pending,
    ) -> Result<(), Stop> {
        let Pending { stream, answer, .. } = pending;
        let response = answer.response(call.routes);
        let headers = response.h2.get(..response.h2_headers).unwrap_or_default();
        if self.streams.is_full() {
            let code = Code::RefusedStream;
            return self.reset(call, stream, true, code);
        }
        // The first piece goes out with the HEADERS.
        let needed = headers.len().saturating_add(FRAME_ROOM);
        if needed > call.frames.room() {
            self.pending = Some(pending);
            return Err(Stop::Flush(needed));
        }
        let to = call.frames.put(headers);
        response.fill(call.handler, answer.request(call.routes), 0, to);
        patch(to, STREAM.start, stream.to_be_bytes());
        count(call.counters, answer);
        self.streams.insert(Slot::new(State::Sending, pending));
        Ok(())
    }

    /// Lets a stream wait until its window takes `body` bytes.
    ///
    /// A window that begins smaller than that grows only for what it let through, so that would be for
    /// ever.
    fn wait<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        pending: Pending,
        body: usize,
    ) -> Result<(), Stop> {
        let Pending { stream, window, .. } = pending;
        let code = if body > bytes(window.max(self.initial)) {
            Code::InternalError
        } else {
            let mut slot = Slot::new(State::Waiting, pending);
            slot.length = u32::try_from(body).unwrap_or(u32::MAX);
            if self.streams.insert(slot) {
                return Ok(());
            }
            Code::RefusedStream
        };
        self.reset(call, stream, true, code)
    }

    /// A response whose body the handler writes.
    fn written<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        pending: Pending,
        dynamic: Dynamic,
    ) -> Result<(), Stop> {
        let Pending { stream, window, answer } = pending;
        let response = answer.response(call.routes);
        let frames = response.h2;
        let needed = frames.len().saturating_add(dynamic.max);
        let Some((to, _)) = call.frames.rest().split_at_mut_checked(needed) else {
            self.pending = Some(pending);
            return Err(Stop::Flush(needed));
        };
        let Some((head, body)) = to.split_at_mut_checked(frames.len()) else { return Ok(()) };
        let length = match call.handler.body(answer.request(call.routes), body) {
            Ok(length) if length <= body.len().min(MAX_PAYLOAD) => length,
            _ => {
                return self.respond_otherwise(call, pending.with(Answer::INTERNAL_SERVER_ERROR));
            }
        };
        if length > bytes(window.min(self.window)) {
            return self.wait(call, pending, length);
        }
        copy(head, frames);
        response.fill(call.handler, answer.request(call.routes), 0, head);
        patch(head, STREAM.start, stream.to_be_bytes());
        let data = Header::bytes(length, kind::DATA, flag::END_STREAM, stream);
        patch(head, response.h2_headers, data);
        call.frames.advance(response.h2.len() + length);
        take(&mut self.window, length);
        count(call.counters, answer);
        Ok(())
    }

    /// A response that the handler writes, head and body.
    fn written_whole<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        pending: Pending,
        dynamic: Dynamic,
    ) -> Result<(), Stop> {
        let Pending { stream, window, answer } = pending;
        let Some((to, _)) = call.frames.rest().split_at_mut_checked(dynamic.max) else {
            self.pending = Some(pending);
            return Err(Stop::Flush(dynamic.max));
        };
        let written = call.handler.respond(answer.request(call.routes), to);
        let response = written.ok().and_then(|len| to.get_mut(..len)).and_then(check_response);
        let Some((headers, data)) = response else {
            return self.respond_otherwise(call, pending.with(Answer::INTERNAL_SERVER_ERROR));
        };
        patch(headers, STREAM.start, stream.to_be_bytes());
        let mut len = headers.len();
        if answer.head {
            if let Some(flags) = headers.get_mut(FLAGS) {
                *flags |= flag::END_STREAM;
            }
        } else if !data.is_empty() {
            let body = data.len() - HEADER;
            if body > bytes(window.min(self.window)) {
                return self.wait(call, pending, body);
            }
            patch(data, STREAM.start, stream.to_be_bytes());
            len += data.len();
            take(&mut self.window, body);
        }
        call.frames.advance(len);
        count(call.counters, answer);
        Ok(())
    }

    /// Sends what windows and output let through, a frame of each stream in turn.
    #[inline(never)]
    pub(super) fn send<H: Handler + ?Sized>(&mut self, call: &mut Call<'_, H>) -> Result<(), Stop> {
        let mut idle = 0;
        while idle < STREAMS && !self.streams.is_empty() {
            idle += 1;
            let Some(slot) = self.streams.next() else { return Ok(()) };
            let window = bytes(slot.window.min(self.window));
            let is_ready = match slot.state {
                State::Receiving => false,
                State::Sending => window > 0,
                State::Waiting => u64::from(slot.length) <= window as u64,
            };
            if slot.stream == 0 || !is_ready {
                continue;
            }
            if call.frames.room() < FRAME_ROOM {
                self.streams.stay();
                return Err(Stop::Flush(FRAME_ROOM));
            }
            idle = 0;
            if slot.state == State::Waiting {
                self.streams.remove(slot.stream);
                self.respond_otherwise(call, slot.pending())?;
                continue;
            }
            self.send_piece(call, slot, window);
        }
        Ok(())
    }

    /// Sends one DATA frame, of `window` bytes or less.
    fn send_piece<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        slot: Slot,
        window: usize,
    ) {
        let body = slot.answer.response(call.routes).body();
        let body = body.get(slot.done as usize..).unwrap_or_default();
        let most = window.min(MAX_PAYLOAD).min(call.frames.room() - HEADER);
        let (piece, left) = body.split_at_checked(most).unwrap_or((body, &[]));
        let flags = if left.is_empty() { flag::END_STREAM } else { 0 };
        call.frames.put(&Header::bytes(piece.len(), kind::DATA, flags, slot.stream));
        call.frames.put(piece);
        take(&mut self.window, piece.len());
        self.budget.move_bytes(piece.len());
        if left.is_empty() {
            self.streams.remove(slot.stream);
        } else if let Some(slot) = self.streams.get(slot.stream) {
            take(&mut slot.window, piece.len());
            slot.done += u32::try_from(piece.len()).unwrap_or_default();
        }
    }
}

/// A window as a number of bytes; none if it is below zero, and no more than memory can have.
#[inline(always)]
fn bytes(window: i32) -> usize {
    usize::try_from(window.max(0)).unwrap_or(usize::MAX)
}

/// Takes bytes that were sent off a window, which has as many.
#[inline(always)]
fn take(window: &mut i32, bytes: usize) {
    *window = window.wrapping_sub_unsigned(u32::try_from(bytes).unwrap_or_default());
}

/// Counts a response that was begun.
#[inline(always)]
fn count(counters: &mut Counters, answer: Answer) {
    counters.requests += 1;
    if answer.refusal().is_some_and(Refusal::is_one) {
        counters.refused += 1;
    }
}

/// Overwrites some bytes at `at`.
#[inline(always)]
fn patch<const N: usize>(bytes: &mut [u8], at: usize, value: [u8; N]) {
    if let Some(place) = bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        *place = value;
    }
}

/// The HEADERS frame and the DATA frame of a response, which may be missing.
fn check_response(bytes: &mut [u8]) -> Option<(&mut [u8], &mut [u8])> {
    let headers = Header::from_bytes(bytes.first_chunk()?);
    let (first, second) = bytes.split_at_mut_checked(HEADER + headers.length)?;
    let alone = second.is_empty();
    let whole = headers.kind == kind::HEADERS
        && headers.length <= MAX_PAYLOAD
        && headers.flags & !flag::END_STREAM == flag::END_HEADERS
        && headers.has(flag::END_STREAM) == alone;
    if !whole {
        return None;
    }
    if !alone {
        let data = Header::from_bytes(second.first_chunk()?);
        if data.kind != kind::DATA
            || data.flags != flag::END_STREAM
            || data.length > MAX_PAYLOAD
            || second.len() != HEADER + data.length
        {
            return None;
        }
    }
    Some((first, second))
}
