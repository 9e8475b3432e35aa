//! Frames that carry no request and no response.

use super::frame::{Code, Header, MAX_PAYLOAD, flag, kind, number};
use super::{Call, H2, PREFACE, Stage, Stop, budget, settings};
use crate::http::Handler;

impl<const STREAMS: usize, const BLOCK: usize, const MEMO: usize> H2<STREAMS, BLOCK, MEMO> {
    /// Takes one frame, or what there is of one that means nothing.
    #[inline(never)]
    pub(super) fn other<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        rest: &mut &[u8],
    ) -> Result<(), Stop> {
        match self.stage {
            Stage::Preface => return self.preface(call, rest),
            Stage::Data { .. } => return self.more_data(call, rest),
            Stage::Skip { left } => {
                self.skip(left, rest);
                return Ok(());
            }
            Stage::Closed => return Err(Stop::Close),
            Stage::Settings | Stage::Frame | Stage::Block => {}
        }
        let Some((header, after)) = rest.split_first_chunk() else { return Err(Stop::Read) };
        let header = Header::from_bytes(header);
        if header.length > MAX_PAYLOAD {
            return Err(Stop::Error(Code::FrameSizeError));
        }
        let expected = match self.stage {
            Stage::Settings => header.kind == kind::SETTINGS && !header.has(flag::ACK),
            Stage::Block => header.kind == kind::CONTINUATION && header.stream == self.block.stream,
            _ => header.kind != kind::CONTINUATION && header.kind != kind::PUSH_PROMISE,
        };
        if !expected {
            return Err(Stop::Error(Code::ProtocolError));
        }
        match header.kind {
            kind::DATA => return self.data(call, header, after, rest),
            0..=9 if header.kind != kind::GOAWAY => {}
            _ => {
                if header.kind == kind::GOAWAY {
                    go_away(header)?;
                }
                self.budget.idle(call.counters, &call.routes.limits)?;
                *rest = after;
                self.skip(header.length, rest);
                return Ok(());
            }
        }
        let Some((payload, after)) = after.split_at_checked(header.length) else {
            return Err(Stop::Read);
        };
        *rest = after;
        match header.kind {
            kind::HEADERS => self.headers(call, header, payload),
            kind::CONTINUATION => self.continuation(call, header, payload),
            kind::SETTINGS => {
                if self.stage == Stage::Settings {
                    self.stage = Stage::Frame;
                }
                self.settings(call, header, payload)
            }
            kind::PING => self.ping(call, header, payload),
            kind::PRIORITY => self.priority(call, header, payload),
            kind::RST_STREAM => self.rst_stream(call, header, payload),
            _ => {
                self.window_update(call, header, payload)?;
                self.send(call)
            }
        }
    }

    /// Takes the preface, and answers with our settings: no client needs to wait for them longer.
    fn preface<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        rest: &mut &[u8],
    ) -> Result<(), Stop> {
        let known = rest.len().min(PREFACE.len());
        if rest.get(..known) != PREFACE.get(..known) {
            return Err(Stop::Error(Code::ProtocolError));
        }
        let Some((_, after)) = rest.split_at_checked(PREFACE.len()) else {
            return Err(Stop::Read);
        };
        *rest = after;
        settings::ours::<STREAMS>(&mut call.frames, &call.routes.limits);
        self.stage = Stage::Settings;
        Ok(())
    }

    /// Drops up to `left` bytes.
    pub(super) fn skip(&mut self, left: usize, rest: &mut &[u8]) {
        let here = left.min(rest.len());
        *rest = rest.get(here..).unwrap_or_default();
        self.stage = match left - here {
            0 => Stage::Frame,
            left => Stage::Skip { left },
        };
    }

    /// Section 6.7.
    fn ping<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        header: Header,
        payload: &[u8],
    ) -> Result<(), Stop> {
        if header.stream != 0 {
            return Err(Stop::Error(Code::ProtocolError));
        }
        if payload.len() != 8 {
            return Err(Stop::Error(Code::FrameSizeError));
        }
        self.budget.idle(call.counters, &call.routes.limits)?;
        if !header.has(flag::ACK) {
            call.frames.put(&Header::bytes(8, kind::PING, flag::ACK, 0));
            call.frames.put(payload);
        }
        Ok(())
    }

    /// Section 6.3: of no use but to be well formed.
    fn priority<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        header: Header,
        payload: &[u8],
    ) -> Result<(), Stop> {
        let stream = header.stream;
        if stream == 0 {
            return Err(Stop::Error(Code::ProtocolError));
        }
        self.budget.idle(call.counters, &call.routes.limits)?;
        let code = match payload {
            [a, b, c, d, _] if number([*a, *b, *c, *d]) != stream => return Ok(()),
            // A stream cannot depend on itself (RFC 7540 section 5.3.1).
            [_, _, _, _, _] => Code::ProtocolError,
            _ => Code::FrameSizeError,
        };
        if self.is_idle(stream) {
            // A stream that is idle has no end.
            return Err(Stop::Error(code));
        }
        self.reset(call, stream, true, code)
    }

    /// Section 6.4.
    fn rst_stream<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        header: Header,
        payload: &[u8],
    ) -> Result<(), Stop> {
        if self.is_idle(header.stream) {
            return Err(Stop::Error(Code::ProtocolError));
        }
        if payload.len() != 4 {
            return Err(Stop::Error(Code::FrameSizeError));
        }
        self.streams.remove(header.stream);
        self.streams.forget(header.stream);
        call.counters.resets_received += 1;
        budget::check_resets(call.counters, &call.routes.limits)
    }

    /// Section 6.9.
    fn window_update<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        header: Header,
        payload: &[u8],
    ) -> Result<(), Stop> {
        let Ok(increment) = <[u8; 4]>::try_from(payload).map(number) else {
            return Err(Stop::Error(Code::FrameSizeError));
        };
        self.budget.idle(call.counters, &call.routes.limits)?;
        let grown = |window: i32| {
            let window = i64::from(window) + i64::from(increment);
            i32::try_from(window).map_err(|_| Code::FlowControlError)
        };
        if header.stream == 0 {
            if increment == 0 {
                return Err(Stop::Error(Code::ProtocolError));
            }
            self.window = grown(self.window).map_err(Stop::Error)?;
            return Ok(());
        }
        if self.is_idle(header.stream) {
            return Err(Stop::Error(Code::ProtocolError));
        }
        let code = match self.streams.get(header.stream) {
            // A stream that is closed may get them for a while (section 5.1).
            _ if increment == 0 => Code::ProtocolError,
            None => return Ok(()),
            Some(slot) => match grown(slot.window) {
                Ok(window) => {
                    slot.window = window;
                    return Ok(());
                }
                Err(code) => code,
            },
        };
        let ended = !self.is_receiving(header.stream);
        self.reset(call, header.stream, ended, code)
    }

    /// Whether the client did not open this stream yet, or never can (section 5.1.1).
    pub(super) const fn is_idle(&self, stream: u32) -> bool {
        stream > self.last || stream & 1 == 0
    }
}

/// Section 6.8: what was begun goes on.
fn go_away(header: Header) -> Result<(), Stop> {
    match header {
        Header { stream: 0, length: 8.., .. } => Ok(()),
        Header { stream: 0, .. } => Err(Stop::Error(Code::FrameSizeError)),
        _ => Err(Stop::Error(Code::ProtocolError)),
    }
}
