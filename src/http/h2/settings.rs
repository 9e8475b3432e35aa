//! SETTINGS (RFC 9113 section 6.5).

use super::frame::{Code, Frames, Header, flag, kind};
use super::{Call, H2, MAX_WINDOW, Stop};
use crate::http::{Handler, Limits};

const ENABLE_PUSH: u16 = 2;
const MAX_CONCURRENT_STREAMS: u16 = 3;
const INITIAL_WINDOW_SIZE: u16 = 4;
const MAX_FRAME_SIZE: u16 = 5;
const MAX_HEADER_LIST_SIZE: u16 = 6;

/// Bytes of one setting: its name and its value.
const SETTING: usize = 6;

/// Streams that a client may have open, as far as we tell it. Most are done with at once.
const STREAMS_TOLD: usize = 100;

/// Writes our settings.
pub(super) fn ours<const STREAMS: usize>(frames: &mut Frames<'_>, limits: &Limits) {
    let streams = if STREAMS > STREAMS_TOLD { STREAMS } else { STREAMS_TOLD };
    let list = limits.header_list;
    frames.put(&Header::bytes(2 * SETTING, kind::SETTINGS, 0, 0));
    for (name, value) in [(MAX_CONCURRENT_STREAMS, streams), (MAX_HEADER_LIST_SIZE, list)] {
        frames.put(&name.to_be_bytes());
        frames.put(&u32::try_from(value).unwrap_or(u32::MAX).to_be_bytes());
    }
}

impl<const STREAMS: usize, const BLOCK: usize, const MEMO: usize> H2<STREAMS, BLOCK, MEMO> {
    /// Takes the client's settings.
    pub(super) fn settings<H: Handler + ?Sized>(
        &mut self,
        call: &mut Call<'_, H>,
        header: Header,
        payload: &[u8],
    ) -> Result<(), Stop> {
        if header.stream != 0 {
            return Err(Stop::Error(Code::ProtocolError));
        }
        if header.has(flag::ACK) {
            if !payload.is_empty() {
                return Err(Stop::Error(Code::FrameSizeError));
            }
            return self.budget.idle(call.counters, &call.routes.limits);
        }
        let (settings, []) = payload.as_chunks::<SETTING>() else {
            return Err(Stop::Error(Code::FrameSizeError));
        };
        self.budget.idle(call.counters, &call.routes.limits)?;
        for [a, b, value @ ..] in settings {
            let value = u32::from_be_bytes(*value);
            match u16::from_be_bytes([*a, *b]) {
                ENABLE_PUSH if value > 1 => return Err(Stop::Error(Code::ProtocolError)),
                MAX_FRAME_SIZE if !(16_384..=16_777_215).contains(&value) => {
                    return Err(Stop::Error(Code::ProtocolError));
                }
                INITIAL_WINDOW_SIZE => self.set_initial(value)?,
                // No table of ours grows: our fields never enter one. Frames stay as short as any
                // client takes them, and we push and list nothing.
                _ => {}
            }
        }
        call.frames.put(&Header::bytes(0, kind::SETTINGS, flag::ACK, 0));
        self.send(call)
    }

    /// Sets the window of streams that begin, and moves that of those that did (section 6.9.2).
    fn set_initial(&mut self, value: u32) -> Result<(), Stop> {
        let initial = i32::try_from(value).map_err(|_| Stop::Error(Code::FlowControlError))?;
        let change = i64::from(initial) - i64::from(self.initial);
        self.initial = initial;
        for slot in self.streams.iter_mut() {
            let window = i64::from(slot.window) + change;
            if window > i64::from(MAX_WINDOW) {
                return Err(Stop::Error(Code::FlowControlError));
            }
            slot.window = i32::try_from(window).unwrap_or(i32::MIN);
        }
        Ok(())
    }
}
