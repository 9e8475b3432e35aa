//! How much of what asks for nothing a client may send.

use super::Stop;
use super::frame::Code;
use crate::http::{Counters, Limits};

/// Requests that pay for one reset.
const REQUESTS_A_RESET: u64 = 4;

/// Frames that one request pays for: those that an honest client sends with it.
const FRAMES_A_REQUEST: u64 = 8;

/// Bytes of bodies that pay for a frame, which is a window update of an honest client.
///
/// With a window of 1,023 bytes, the smallest that `nghttp` can be asked for, one of the stream and one
/// of the connection come for as many bytes; half of that is left to others.
const BYTES_A_FRAME: u64 = 256;

/// What was sent that asks for nothing.
#[derive(Debug)]
pub(super) struct Budget {
    idle: u64,
    moved: u64,
}

impl Budget {
    pub(super) const fn new() -> Self {
        Self { idle: 0, moved: 0 }
    }

    /// Counts a frame that asks for nothing.
    ///
    /// # Errors
    ///
    /// `ENHANCE_YOUR_CALM` if there were more of them than the limit and than what paid for them.
    pub(super) fn idle(&mut self, counters: &Counters, limits: &Limits) -> Result<(), Stop> {
        self.idle += 1;
        let paid = counters.requests * FRAMES_A_REQUEST + self.moved / BYTES_A_FRAME;
        if self.idle > paid + u64::from(limits.idle_frames) {
            return Err(Stop::Error(Code::EnhanceYourCalm));
        }
        Ok(())
    }

    /// Counts bytes of a body.
    pub(super) fn move_bytes(&mut self, bytes: usize) {
        self.moved += bytes as u64;
    }
}

/// Compares the resets of both sides with the limit and with the requests that pay for them.
///
/// A request that is reset was answered before, so that it must not pay for its own reset.
///
/// # Errors
///
/// `ENHANCE_YOUR_CALM` if there were more.
pub(super) fn check_resets(counters: &Counters, limits: &Limits) -> Result<(), Stop> {
    let resets = counters.resets_received + counters.resets_sent;
    if resets > counters.requests / REQUESTS_A_RESET + u64::from(limits.resets) {
        return Err(Stop::Error(Code::EnhanceYourCalm));
    }
    Ok(())
}
