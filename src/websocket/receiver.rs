//! Frames that come in, in pieces of any length.

use core::fmt;
use core::marker::PhantomData;
use core::mem;

use super::error::{Error, ErrorKind};
use super::event::{Event, Kind};
use super::header::{Header, MAX_CONTROL, Opcode, Plain};
use super::utf8::Utf8;
use super::{Close, Mask, Role};

/// How much a peer may send at a time.
///
/// A header that announces more ends the connection before a byte of its payload is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Limits {
    /// Bytes of a frame's payload.
    pub frame: u64,
    /// Bytes of a message, all its frames together.
    pub message: u64,
}

impl Limits {
    /// 32 KiB, as ASP.NET Core takes from a client.
    pub const DEFAULT: Self = Self { frame: 32_768, message: 32_768 };

    /// No limit: for messages that are not kept.
    pub const NONE: Self = Self { frame: u64::MAX, message: u64::MAX };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Reads what the other end of a connection sends.
///
/// Takes the bytes that come behind the handshake, in pieces of any length, and hands on what they
/// say: messages in pieces, as they arrive, and control frames whole. Payloads are unmasked where they
/// lie and are not copied, so a message may be of any length whatever the length of the caller's
/// buffer. Only control frames and headers that came in several pieces are kept: 125 bytes.
///
/// `R` is this end. An [`Assembly`](crate::websocket::Assembly) on top puts messages together.
///
/// ```
/// use onewrite::websocket::{Client, Event, Kind, Limits, Receiver};
///
/// let mut receiver = Receiver::<Client>::new(Limits::DEFAULT);
/// let mut arrived = *b"\x01\x03Hel\x89\x00\x80\x02lo"; // a ping between the frames of a text
/// let mut input = arrived.as_mut_slice();
/// let (mut text, mut pings) = (Vec::new(), 0);
/// while let Some(event) = receiver.next(&mut input)? {
///     match event {
///         Event::Begin { kind, .. } => assert_eq!(kind, Kind::Text),
///         Event::Piece(piece) => text.extend(piece),
///         Event::Ping(_) => pings += 1,
///         _ => {}
///     }
/// }
/// assert_eq!((text.as_slice(), pings), (b"Hello".as_slice(), 1));
/// # Ok::<(), onewrite::websocket::Error>(())
/// ```
pub struct Receiver<R> {
    limits: Limits,
    /// Bytes taken so far.
    read: u64,
    /// Where the current frame began.
    frame_at: u64,
    step: Step,
    /// The current frame.
    last: bool,
    left: u64,
    mask: Option<Mask>,
    /// The message that has begun.
    message: Option<Kind>,
    message_len: u64,
    utf8: Utf8,
    /// Of a header or of a control frame that comes in several pieces.
    gathered: [u8; MAX_CONTROL],
    gathered_len: usize,
    role: PhantomData<R>,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Header,
    /// Payload of a message.
    Data,
    /// Payload of a control frame.
    Control(Opcode),
    /// Nothing that counts.
    Closed,
    Failed(Error),
}

/// An event, before it is known where its bytes lie.
pub(crate) enum Ready<'i> {
    Begin {
        kind: Kind,
        len: Option<u64>,
    },
    /// The header of a frame that goes on with the message: nothing to hand on.
    Frame,
    Piece(&'i [u8]),
    End,
    Control(Opcode, Found<'i>),
}

/// The payload of a control frame.
pub(crate) enum Found<'i> {
    Here(&'i [u8]),
    Gathered(usize),
}

/// What an [`Assembly`](super::Assembly) has to know beforehand.
pub(super) struct Coming {
    /// Bytes in the input that belong to the message.
    pub(super) here: usize,
    /// Bytes of the frame that are still to come, those included.
    pub(super) left: u64,
    /// Whether the input has the message to its end.
    pub(super) ends: bool,
}

impl<R: Role> Receiver<R> {
    /// A receiver behind a handshake.
    #[must_use]
    pub const fn new(limits: Limits) -> Self {
        Self {
            limits,
            read: 0,
            frame_at: 0,
            step: Step::Header,
            last: false,
            left: 0,
            mask: None,
            message: None,
            message_len: 0,
            utf8: Utf8::START,
            gathered: [0; MAX_CONTROL],
            gathered_len: 0,
            role: PhantomData,
        }
    }

    /// The next event in `input`, from which it takes what it has read; `None` when it has taken all of
    /// it and needs more.
    ///
    /// What a masked payload was is overwritten with what it says. Behind a close frame everything is
    /// taken and nothing is said (section 5.5.1).
    ///
    /// # Errors
    ///
    /// What the peer did wrong, as soon as the bytes are there that say so: see [`ErrorKind`]. Each
    /// call after that returns the same. Events that were handed on stand; the message that was under way
    /// has to be thought of as never having come.
    pub fn next<'e, 'i: 'e>(
        &'e mut self,
        input: &mut &'i mut [u8],
    ) -> Result<Option<Event<'e>>, Error> {
        loop {
            let Some(ready) = self.advance(input)? else { return Ok(None) };
            return Ok(Some(match ready {
                Ready::Begin { kind, len } => Event::Begin { kind, len },
                Ready::Frame => continue,
                Ready::Piece(piece) => Event::Piece(piece),
                Ready::End => Event::End,
                Ready::Control(opcode, found) => self.control(opcode, found)?,
            }));
        }
    }

    /// Whether a close frame has come.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        matches!(self.step, Step::Closed)
    }

    /// Bytes taken, of all frames.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.read
    }

    /// The event of a control frame, with its bytes.
    pub(crate) fn control<'e, 'i: 'e>(
        &'e mut self,
        opcode: Opcode,
        found: Found<'i>,
    ) -> Result<Event<'e>, Error> {
        let payload: &'e [u8] = match found {
            Found::Here(payload) => payload,
            Found::Gathered(len) => self.gathered.get(..len).unwrap_or_default(),
        };
        match opcode {
            Opcode::Ping => Ok(Event::Ping(payload)),
            Opcode::Pong => Ok(Event::Pong(payload)),
            _ => match Close::decode(payload) {
                Ok(close) => Ok(Event::Close(close)),
                Err(kind) => {
                    let error = Error { at: self.frame_at, kind };
                    self.step = Step::Failed(error);
                    Err(error)
                }
            },
        }
    }

    pub(crate) fn advance<'i>(
        &mut self,
        input: &mut &'i mut [u8],
    ) -> Result<Option<Ready<'i>>, Error> {
        if let Step::Failed(error) = self.step {
            return Err(error);
        }
        self.read_on(input).map_err(|kind| self.fail(kind))
    }

    /// A message that is one frame and lies whole in `input`, unmasked: nearly all of them, read without
    /// steps in between. Whether a text is one, the caller has to see. `None`, and nothing is taken, where
    /// there is anything else, or something to be refused.
    #[inline(always)]
    pub(super) fn whole<'i>(&mut self, input: &mut &'i mut [u8]) -> Option<(Kind, &'i mut [u8])> {
        if !matches!(self.step, Step::Header) || self.message.is_some() || self.gathered_len != 0 {
            return None;
        }
        let Plain { kind, front, len, key } = Plain::decode(input, R::PEER_MASKS)?;
        if u64::from(len) > self.limits.frame.min(self.limits.message) {
            return None;
        }
        let used = front.checked_add(usize::from(len))?;
        if used > input.len() {
            return None;
        }
        self.frame_at = self.read;
        let payload = self.pass(input, used).get_mut(front..)?;
        if R::PEER_MASKS {
            Mask::new(key).apply(payload);
        }
        Some((kind, payload))
    }

    /// Ends the connection.
    #[cold]
    pub(super) const fn fail(&mut self, kind: ErrorKind) -> Error {
        let error = Error { at: self.frame_at, kind };
        self.step = Step::Failed(error);
        error
    }

    /// What is known of the next piece of a message.
    pub(super) fn coming(&self, input: &[u8]) -> Option<Coming> {
        if self.step != Step::Data || self.left == 0 || input.is_empty() {
            return None;
        }
        let here = at_most(self.left, input.len());
        let ends = self.last && here as u64 == self.left;
        Some(Coming { here, left: self.left, ends })
    }

    /// The error that asks for more memory. It is not kept.
    pub(super) const fn needs_room(&self, at_least: usize, announced: u64) -> Error {
        Error { at: self.frame_at, kind: ErrorKind::NeedsRoom { at_least, announced } }
    }

    fn read_on<'i>(&mut self, input: &mut &'i mut [u8]) -> Result<Option<Ready<'i>>, ErrorKind> {
        loop {
            match self.step {
                Step::Header => {
                    let Some(header) = self.header(input)? else { return Ok(None) };
                    if let Some(begin) = self.begin(&header)? {
                        return Ok(Some(begin));
                    }
                }
                Step::Data if self.left == 0 => {
                    self.step = Step::Header;
                    if self.last {
                        self.message = None;
                        if !self.utf8.is_complete() {
                            return Err(ErrorKind::InvalidUtf8);
                        }
                        return Ok(Some(Ready::End));
                    }
                }
                Step::Data => {
                    let piece = self.take(input);
                    if piece.is_empty() {
                        return Ok(None);
                    }
                    if self.message == Some(Kind::Text) && self.utf8.check(piece).is_err() {
                        return Err(ErrorKind::InvalidUtf8);
                    }
                    return Ok(Some(Ready::Piece(piece)));
                }
                Step::Control(opcode) => {
                    let Some(found) = self.payload(input) else { return Ok(None) };
                    self.step = match opcode {
                        Opcode::Close => Step::Closed,
                        _ => Step::Header,
                    };
                    return Ok(Some(Ready::Control(opcode, found)));
                }
                Step::Closed | Step::Failed(_) => {
                    self.read = self.read.wrapping_add(input.len() as u64);
                    *input = &mut [];
                    return Ok(None);
                }
            }
        }
    }

    /// The next header, once it is there.
    fn header(&mut self, input: &mut &mut [u8]) -> Result<Option<Header>, ErrorKind> {
        if self.gathered_len == 0 {
            self.frame_at = self.read;
            if let Some((header, len)) = Header::decode(input)? {
                self.pass(input, len);
                return Ok(Some(header));
            }
        }
        // Cut: byte by byte, at most fourteen of them.
        while let Some(byte) = input.first().copied() {
            if let Some(slot) = self.gathered.get_mut(self.gathered_len) {
                *slot = byte;
                self.gathered_len += 1;
            }
            self.pass(input, 1);
            let gathered = self.gathered.get(..self.gathered_len).unwrap_or_default();
            if let Some((header, _)) = Header::decode(gathered)? {
                self.gathered_len = 0;
                return Ok(Some(header));
            }
        }
        Ok(None)
    }

    /// Enters the frame of `header`, if it may stand here.
    fn begin(&mut self, header: &Header) -> Result<Option<Ready<'static>>, ErrorKind> {
        match (R::PEER_MASKS, header.key) {
            (true, None) => return Err(ErrorKind::MaskMissing),
            (false, Some(_)) => return Err(ErrorKind::MaskUnexpected),
            _ => {}
        }
        let kind = match (header.opcode, self.message) {
            (Opcode::Continuation, None) => return Err(ErrorKind::NoMessage),
            (Opcode::Text | Opcode::Binary, Some(_)) => return Err(ErrorKind::MessageUnfinished),
            (Opcode::Continuation, Some(_)) => None,
            (Opcode::Text, None) => Some(Kind::Text),
            (Opcode::Binary, None) => Some(Kind::Binary),
            (control, _) => {
                self.step = Step::Control(control);
                (self.left, self.mask) = (header.len, header.key.map(Mask::new));
                return Ok(None);
            }
        };
        let len = header.len;
        if len > self.limits.frame {
            return Err(ErrorKind::FrameTooLarge { len, limit: self.limits.frame });
        }
        let before = if kind.is_some() { 0 } else { self.message_len };
        let message_len = before.saturating_add(len);
        if message_len > self.limits.message {
            let limit = self.limits.message;
            return Err(ErrorKind::MessageTooLarge { len: message_len, limit });
        }
        (self.step, self.last, self.message_len) = (Step::Data, header.last, message_len);
        (self.left, self.mask) = (len, header.key.map(Mask::new));
        let Some(kind) = kind else { return Ok(Some(Ready::Frame)) };
        (self.message, self.utf8) = (Some(kind), Utf8::START);
        Ok(Some(Ready::Begin { kind, len: header.last.then_some(len) }))
    }

    /// The payload of a control frame, once it is there.
    fn payload<'i>(&mut self, input: &mut &'i mut [u8]) -> Option<Found<'i>> {
        if self.gathered_len == 0 && at_most(self.left, input.len()) as u64 == self.left {
            return Some(Found::Here(self.take(input)));
        }
        let piece = self.take(input);
        for byte in &*piece {
            if let Some(slot) = self.gathered.get_mut(self.gathered_len) {
                *slot = *byte;
                self.gathered_len += 1;
            }
        }
        (self.left == 0).then(|| Found::Gathered(mem::take(&mut self.gathered_len)))
    }

    /// Takes what `input` has of the current frame, unmasked.
    fn take<'i>(&mut self, input: &mut &'i mut [u8]) -> &'i mut [u8] {
        let len = at_most(self.left, input.len());
        self.left = self.left.saturating_sub(len as u64);
        let taken = self.pass(input, len);
        if let Some(mask) = &mut self.mask {
            mask.apply(taken);
        }
        taken
    }

    /// Takes `len` bytes.
    fn pass<'i>(&mut self, input: &mut &'i mut [u8], len: usize) -> &'i mut [u8] {
        match mem::take(input).split_at_mut_checked(len) {
            Some((taken, rest)) => {
                *input = rest;
                self.read = self.read.wrapping_add(len as u64);
                taken
            }
            None => &mut [],
        }
    }
}

/// The limits and the place, and not what was gathered.
impl<R> fmt::Debug for Receiver<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver")
            .field("limits", &self.limits)
            .field("read", &self.read)
            .field("step", &self.step)
            .field("left", &self.left)
            .field("message", &self.message)
            .finish_non_exhaustive()
    }
}

/// `len`, or `most` where that is less.
fn at_most(len: u64, most: usize) -> usize {
    usize::try_from(len).map_or(most, |len| len.min(most))
}
