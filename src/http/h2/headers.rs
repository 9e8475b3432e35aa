//! HEADERS and CONTINUATION (RFC 9113 sections 6.2 and 6.10).

use super::answer::Answer;
use super::frame::{Code, Header, flag, number};
use super::streams::{Slot, State};
use super::{Call, Ending, H2, Pending, Stage, Stop};
use crate::http::hpack::{Head, Kind, LENGTH_TOO_LARGE, Table, decode};
use crate::http::{Handler, Routes};
use crate::sink::copy;

/// A header block that comes in several frames.
///
/// Its fields are read as they come. What is kept is the part of a field that a frame ends within.
#[derive(Debug)]
pub(super) struct Block<const N: usize> {
    pub(super) stream: u32,
    end_stream: bool,
    /// A stream error that does not depend on the fields.
    wrong: bool,
    continuations: u32,
    head: Head,
    len: usize,
    bytes: [u8; N],
}

impl<const N: usize> Block<N> {
    pub(super) const fn new() -> Self {
        Self {
            stream: 0,
            end_stream: false,
            wrong: false,
            continuations: 0,
            head: Head::new(),
            len: 0,
            bytes: [0; N],
        }
    }

    /// Reads the fields in a fragment.
    ///
    /// # Errors
    ///
    /// `COMPRESSION_ERROR`, also if the block ends within a field, and `ENHANCE_YOUR_CALM` if the part of
    /// a field is too long to be kept.
    fn read(
        &mut self,
        table: &mut Table,
        routes: &Routes<'_>,
        mut fragment: &[u8],
        ends: bool,
    ) -> Result<(), Code> {
        if self.len > 0 {
            let added = fragment.len().min(N - self.len);
            let Some((start, after)) = fragment.split_at_checked(added) else { return Ok(()) };
            if let Some(to) = self.bytes.get_mut(self.len..self.len + added) {
                copy(to, start);
            }
            let kept = self.bytes.get(..self.len + added).unwrap_or_default();
            let rest =
                decode(table, routes, &mut self.head, kept).map_err(|_| Code::CompressionError)?;
            if rest.len() == kept.len() {
                self.len += added;
                return match after {
                    [] if ends => Err(Code::CompressionError),
                    [] => Ok(()),
                    _ => Err(Code::EnhanceYourCalm),
                };
            }
            // At least the field that was kept is read, so the rest is all of this fragment.
            let at = fragment.len() - after.len() - rest.len();
            fragment = fragment.get(at..).unwrap_or_default();
            self.len = 0;
        }
        let rest =
            decode(table, routes, &mut self.head, fragment).map_err(|_| Code::CompressionError)?;
        if ends && !rest.is_empty() {
            return Err(Code::CompressionError);
        }
        let Some(to) = self.bytes.get_mut(..rest.len()) else {
            return Err(Code::EnhanceYourCalm);
        };
        copy(to, rest);
        self.len = rest.len();
        Ok(())
    }
}

impl<const STREAMS: usize, const BLOCK: usize, const MEMO: usize> H2<STREAMS, BLOCK, MEMO> {
    pub(super) fn headers<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        header: Header,
        payload: &[u8],
    ) -> Result<(), Stop> {
        let stream = header.stream;
        if stream & 1 == 0 {
            return Err(Stop::Error(Code::ProtocolError));
        }
        let (fragment, wrong) = fragment(header, payload).map_err(Stop::Error)?;
        if stream <= self.last
            && !self.is_receiving(stream)
            && self.streams.dropped(stream).is_none()
        {
            return Err(Stop::Error(self.closed(stream)));
        }
        self.block.stream = stream;
        self.block.end_stream = header.has(flag::END_STREAM);
        self.block.wrong = wrong;
        self.block.continuations = 0;
        self.block.head = Head::new();
        self.block.len = 0;
        self.stage = Stage::Block;
        self.read(call, header, fragment)
    }

    pub(super) fn continuation<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        header: Header,
        payload: &[u8],
    ) -> Result<(), Stop> {
        self.block.continuations += 1;
        if self.block.continuations > call.routes.limits.continuations {
            return Err(Stop::Error(Code::EnhanceYourCalm));
        }
        self.read(call, header, payload)
    }

    fn read<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        header: Header,
        fragment: &[u8],
    ) -> Result<(), Stop> {
        let ends = header.has(flag::END_HEADERS);
        self.block.read(&mut self.table, call.routes, fragment, ends).map_err(Stop::Error)?;
        if !ends {
            return Ok(());
        }
        self.stage = Stage::Frame;
        let (stream, head, end) = (self.block.stream, self.block.head, self.block.end_stream);
        if stream > self.last {
            if self.block.wrong {
                self.open(stream);
                let code = Code::ProtocolError;
                return self.reset(call, stream, end, code);
            }
            return self.new_stream(call, stream, &head, end);
        }
        self.trailers(call, stream, &head, end)
    }

    /// A stream that begins with this header list.
    #[inline(never)]
    pub(super) fn new_stream<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        stream: u32,
        head: &Head,
        end: bool,
    ) -> Result<(), Stop> {
        self.open(stream);
        let length = match head.has(Kind::CONTENT_LENGTH) {
            true => head.value(Kind::CONTENT_LENGTH),
            false => Slot::UNKNOWN,
        };
        let too_large = head.has(Kind::CONTENT_LENGTH)
            && (length == LENGTH_TOO_LARGE || u64::from(length) > call.routes.limits.body);
        let answer = match Answer::to(head, call.routes) {
            // Section 8.1.1: no content is content of length zero.
            Ok(answer) if !end || matches!(length, 0 | Slot::UNKNOWN) && !too_large => answer,
            _ => {
                let code = Code::ProtocolError;
                return self.reset(call, stream, end, code);
            }
        };
        let pending = Pending { stream, window: self.initial, answer };
        if let Ending::Said(_) = self.ending {
            let code = Code::RefusedStream;
            return self.reset(call, stream, end, code);
        }
        if end {
            return self.respond(call, pending);
        }
        let answer = if too_large { Answer::CONTENT_TOO_LARGE } else { answer };
        let mut slot = Slot::new(State::Receiving, pending.with(answer));
        slot.length = length;
        if self.streams.insert(slot) {
            return Ok(());
        }
        self.reset(call, stream, end, Code::RefusedStream)
    }

    /// The fields behind a body (section 8.1).
    fn trailers<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        stream: u32,
        head: &Head,
        end: bool,
    ) -> Result<(), Stop> {
        let wrong = self.block.wrong;
        let limits = &call.routes.limits;
        let Some(slot) = self.streams.get(stream) else {
            // Its stream was reset.
            if end {
                self.streams.forget(stream);
            }
            return Ok(());
        };
        let short = slot.length != Slot::UNKNOWN && slot.done != slot.length;
        if wrong || short || !end || !head.is_trailers() {
            return self.reset(call, stream, end, Code::ProtocolError);
        }
        if head.is_larger_than(limits) {
            slot.answer = Answer::FIELDS_TOO_LARGE;
        }
        self.end_of_request(call, stream)
    }
}

/// The part of a header block in HEADERS, and whether its priority is a stream error.
fn fragment(header: Header, payload: &[u8]) -> Result<(&[u8], bool), Code> {
    let (padding, rest) = if header.has(flag::PADDED) {
        let Some((padding, rest)) = payload.split_first() else {
            return Err(Code::FrameSizeError);
        };
        (usize::from(*padding), rest)
    } else {
        (0, payload)
    };
    let (wrong, rest) = if header.has(flag::PRIORITY) {
        let Some(([a, b, c, d, _], rest)) = rest.split_first_chunk() else {
            return Err(Code::FrameSizeError);
        };
        // A stream cannot depend on itself (RFC 7540 section 5.3.1).
        (number([*a, *b, *c, *d]) == header.stream, rest)
    } else {
        (false, rest)
    };
    let len = rest.len().checked_sub(padding).ok_or(Code::ProtocolError)?;
    Ok((rest.get(..len).unwrap_or_default(), wrong))
}
