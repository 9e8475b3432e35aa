//! Bodies of requests, which are read and dropped (RFC 9112 sections 6 and 7).

use super::super::Limits;
use super::super::refusals::Refusal;
use super::facts::TRAILERS;
use super::line::Step;
use super::scan::value_len;
use super::{Message, Stage};

/// Hexadecimal digits that a chunk's size may have: those of the longest number there is.
const MOST_DIGITS: u8 = 16;

impl Message {
    /// Goes on with a body.
    pub(super) fn body(&mut self, limits: &Limits, input: &[u8]) -> Step {
        let Some(byte) = input.first() else { return Step::More };
        match (self.stage, byte) {
            (Stage::Body, _) => self.take(input, Stage::Respond),
            (Stage::ChunkData, _) => self.take(input, Stage::ChunkDataEnd),
            (Stage::ChunkSize, b'\r') if self.digits > 0 => self.next_byte(Stage::ChunkSizeEnd),
            (Stage::ChunkSize, b' ' | b'\t' | b';') if self.digits > 0 => {
                self.stage = Stage::ChunkSpace;
                Step::On(0)
            }
            (Stage::ChunkSize, byte) => self.digit(*byte),
            // White space is only legal in front of an extension (RFC 9112 section 7.1.1).
            (Stage::ChunkSpace, b' ' | b'\t') => {
                if self.extend(limits, 1) {
                    Step::On(1)
                } else {
                    self.refuse(Refusal::ContentTooLarge)
                }
            }
            (Stage::ChunkSpace, b';') => {
                self.stage = Stage::ChunkExtension;
                Step::On(0)
            }
            (Stage::ChunkExtension, b'\r') => self.next_byte(Stage::ChunkSizeEnd),
            (Stage::ChunkExtension, _) => self.extension(limits, input),
            (Stage::ChunkSizeEnd, b'\n') => self.chunk(limits),
            (Stage::ChunkDataEnd, b'\r') => self.next_byte(Stage::ChunkEnd),
            (Stage::ChunkEnd, b'\n') => {
                (self.left, self.digits) = (0, 0);
                self.next_byte(Stage::ChunkSize)
            }
            _ => self.refuse(Refusal::BadRequest),
        }
    }

    /// Drops what belongs to the body or to the chunk.
    fn take(&mut self, input: &[u8], then: Stage) -> Step {
        let here = input.len() as u64;
        if here < self.left {
            self.left -= here;
            return Step::On(input.len());
        }
        let taken = usize::try_from(self.left).unwrap_or(input.len());
        (self.left, self.stage) = (0, then);
        Step::On(taken)
    }

    fn digit(&mut self, byte: u8) -> Step {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            b'A'..=b'F' => byte - b'A' + 10,
            _ => return self.refuse(Refusal::BadRequest),
        };
        if self.digits == MOST_DIGITS {
            return self.refuse(Refusal::BadRequest);
        }
        self.digits += 1;
        self.left = self.left << 4 | u64::from(digit);
        Step::On(1)
    }

    /// Extensions are dropped unread, but no CR or LF is overlooked in them: who sees other ends of
    /// lines than the server in front sees other requests.
    fn extension(&mut self, limits: &Limits, input: &[u8]) -> Step {
        let allowed = limits.head.saturating_sub(self.used);
        match value_len(input.get(..allowed).unwrap_or(input)) {
            0 if allowed == 0 => self.refuse(Refusal::ContentTooLarge),
            0 => self.refuse(Refusal::BadRequest),
            len => {
                self.used += len;
                Step::On(len)
            }
        }
    }

    /// Counts bytes that are neither size nor data; whether they are still allowed.
    const fn extend(&mut self, limits: &Limits, len: usize) -> bool {
        self.used = self.used.saturating_add(len);
        self.used <= limits.head
    }

    /// The size of a chunk is known.
    fn chunk(&mut self, limits: &Limits) -> Step {
        if self.left == 0 {
            self.facts.seen |= TRAILERS;
            return self.next_byte(Stage::Field);
        }
        self.total = self.total.saturating_add(self.left);
        if self.total > limits.body {
            return self.refuse(Refusal::ContentTooLarge);
        }
        self.next_byte(Stage::ChunkData)
    }

    const fn next_byte(&mut self, stage: Stage) -> Step {
        self.stage = stage;
        Step::On(1)
    }
}
