//! What goes out: frames that are ready, and those that go straight to the sink.

use core::convert::Infallible;

use crate::circuit::hub::{FromServer, MAX_LEN};
use crate::circuit::message_pack::Head;
use crate::error::{WriteError, WriteErrorKind};
use crate::leb128;
use crate::sink::{Sink, SliceSink, copy};
use crate::websocket::{CloseCode, Data, Error, Event, Kind, Part, Sender, Server};

/// Bytes of frames that may be ready and not sent.
const READY: usize = 768;

/// Bytes of the longest answer to one message: those to a start with all its roots.
pub(super) const LONGEST: usize = 640;

/// Frames that answer what came, in the order in which they are to go.
///
/// An answer must not be lost where the sink has no room, as what it answers has been done. So there is
/// memory for it here, and nothing else is done before it is sent.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) sender: Sender<Server>,
    /// Bytes that went to the sink.
    pub(super) sent: u64,
    /// The sink stopped inside a frame. It refuses what comes behind by itself only if it is one of those
    /// that can be poisoned.
    torn: bool,
    len: usize,
    ready: [u8; READY],
}

/// What became of something that goes straight to the sink.
#[must_use]
pub(super) enum Put {
    Done,
    /// The sink has no room for so many bytes.
    Full(usize),
}

impl Link {
    pub(super) const fn new() -> Self {
        Self { sender: Sender::new(), sent: 0, torn: false, len: 0, ready: [0; READY] }
    }

    /// Whether the longest answer has room.
    #[inline]
    pub(super) const fn has_room(&self) -> bool {
        self.len <= READY - LONGEST
    }

    /// Nothing goes out any more: the sink has stopped inside a frame.
    pub(super) fn tear<S: Sink + ?Sized>(&mut self, sink: &mut S) {
        self.torn = true;
        sink.poison();
    }

    /// Appends a message. The caller knows that there is room for it.
    pub(super) fn reply(&mut self, message: &FromServer<'_>) {
        let header = self.sender.header(whole(), message.encoded_len() as u64, ());
        let Ok(header) = header else { return };
        self.append(|_, out| out.write(header.as_slice()).is_ok() && message.encode(out).is_ok());
    }

    /// Appends the answer to a call that has worked and gives nothing back: what nearly every event gets.
    ///
    /// The same bytes as those of [`reply`](Self::reply), of which all but two are known beforehand.
    pub(super) fn end_invoke(&mut self, call: &str) {
        const FRONT: &[u8] = b"\x96\x01\x80\xc0\xb2JS.EndInvokeDotNet\x93";
        const BACK: &[u8] = b"\xc3\xa4null\x90";
        // A number that is kept has at most 32 characters, so that no length takes a second byte.
        let Ok(call_len) = u8::try_from(call.len()) else { return };
        let head = Head::text(call_len.into());
        let head = head.as_slice();
        let len = FRONT.len() + head.len() + call.len() + BACK.len();
        let Ok(header) = self.sender.header(whole(), len as u64 + 1, ()) else { return };
        let prefix = [len.to_le_bytes()[0]];
        self.append(|_, out| {
            let parts = [header.as_slice(), &prefix, FRONT, head, call.as_bytes(), BACK];
            parts.into_iter().all(|part| out.write(part).is_ok())
        });
    }

    /// Appends bytes that are a message, or a text.
    pub(super) fn reply_with(&mut self, data: Data<'_>) {
        self.append(|sender, out| sender.message(data, (), out).is_ok());
    }

    /// Appends what the protocol answers.
    pub(super) fn answer(&mut self, event: &Event<'_>) {
        self.append(|sender, out| sender.answer(event, (), out).is_ok());
    }

    /// Appends a close frame.
    pub(super) fn close(&mut self, code: CloseCode) {
        self.append(|sender, out| sender.close(code, "", (), out).is_ok());
    }

    /// Appends the close frame of an error.
    pub(super) fn fail(&mut self, error: Error) {
        self.append(|sender, out| sender.fail(error, (), out).is_ok());
    }

    /// Brings what is ready to the sink; everything else goes out behind that.
    #[inline]
    pub(super) fn flush<S: Sink + ?Sized>(
        &mut self,
        sink: &mut S,
    ) -> Result<Put, WriteError<S::Error>> {
        if self.torn {
            let whole = usize::try_from(self.sent).unwrap_or(usize::MAX);
            return Err(WriteError::new(whole, WriteErrorKind::Poisoned));
        }
        let ready = self.ready.get(..self.len).unwrap_or_default();
        if ready.is_empty() {
            return Ok(Put::Done);
        }
        match sink.write(ready) {
            Ok(()) => {
                self.sent = self.sent.wrapping_add(self.len as u64);
                self.len = 0;
                Ok(Put::Done)
            }
            Err(error) => full_or(error),
        }
    }

    /// Brings a message straight to the sink, behind what is ready. `None` where it never goes out: it is too
    /// long, or nothing follows on what was sent.
    pub(super) fn send<S: Sink + ?Sized>(
        &mut self,
        message: &FromServer<'_>,
        sink: &mut S,
    ) -> Result<Option<Put>, WriteError<S::Error>> {
        if let Put::Full(needed) = self.flush(sink)? {
            return Ok(Some(Put::Full(needed)));
        }
        let len = message.encoded_len();
        // Where an address has 16 bits, the longest length stands for every longer one.
        if len == usize::MAX || len as u64 > u64::from(MAX_LEN) + leb128::MAX_LEN_U32 as u64 {
            return Ok(None);
        }
        let Ok(header) = self.sender.header(whole(), len as u64, ()) else { return Ok(None) };
        let header = header.as_slice();
        let total = header.len().saturating_add(len);
        match sink.reserve(total) {
            Ok(Some(room)) => {
                if let Some((front, behind)) = room.split_at_mut_checked(header.len()) {
                    copy(front, header);
                    // As long as was foretold.
                    message.encode(&mut SliceSink::new(behind)).ok();
                }
            }
            Ok(None) => {
                if let Err(error) = sink.write(header) {
                    return full_or_all(error, total).map(Some);
                }
                if let Err(WriteError { written, kind }) = message.encode(sink) {
                    self.tear(sink);
                    // No message fails by itself that could say how long it is.
                    let kind = of_sink(kind).unwrap_or(WriteErrorKind::Poisoned);
                    return Err(WriteError::new(written, kind));
                }
            }
            Err(error) => return full_or(error).map(Some),
        }
        self.sent = self.sent.wrapping_add(total as u64);
        Ok(Some(Put::Done))
    }

    /// Appends what `write` writes, or nothing where it fails.
    fn append<F>(&mut self, write: F)
    where
        F: FnOnce(&mut Sender<Server>, &mut SliceSink<'_>) -> bool,
    {
        let mut out = SliceSink::new(self.ready.get_mut(self.len..).unwrap_or_default());
        if write(&mut self.sender, &mut out) {
            self.len = self.len.saturating_add(out.written());
        }
    }
}

/// A message in one frame.
pub(super) const fn whole() -> Part {
    Part::Whole(Kind::Binary)
}

/// A sink that is full is asked again, any other error stands.
pub(super) fn full_or<E>(error: WriteError<E>) -> Result<Put, WriteError<E>> {
    match error.kind {
        WriteErrorKind::Full { needed, .. } => Ok(Put::Full(needed)),
        _ => Err(error),
    }
}

/// The same where a first write of several found no room: `total` bytes are to come.
pub(super) fn full_or_all<E>(error: WriteError<E>, total: usize) -> Result<Put, WriteError<E>> {
    match full_or(error)? {
        Put::Full(_) => Ok(Put::Full(total)),
        Put::Done => Ok(Put::Done),
    }
}

/// The error without what a protocol may refuse.
pub(super) fn of_sink<E, P>(kind: WriteErrorKind<E, P>) -> Option<WriteErrorKind<E, Infallible>> {
    Some(match kind {
        WriteErrorKind::Encode(_) => return None,
        WriteErrorKind::Full { needed, available } => WriteErrorKind::Full { needed, available },
        WriteErrorKind::Miscounted { offered, claimed } => {
            WriteErrorKind::Miscounted { offered, claimed }
        }
        WriteErrorKind::Poisoned => WriteErrorKind::Poisoned,
        WriteErrorKind::Sink(error) => WriteErrorKind::Sink(error),
        WriteErrorKind::Stalled => WriteErrorKind::Stalled,
    })
}
