//! Messages that are put together in the caller's memory.

use core::{fmt, mem, str};

use super::error::{Error, ErrorKind};
use super::event::{Data, Event, Kind, Message};
use super::header::Opcode;
use super::receiver::{Found, Ready, Receiver};

use super::Role;
use crate::sink::copy;

/// Puts messages together, in memory that may be small until a message needs more.
///
/// A message that lies whole in the input is handed on where it lies, and takes none of the memory. One
/// that arrives in pieces, or in several frames, is copied. Where there is no room for what has arrived,
/// [`next`](Self::next) says how much it takes, with [`ErrorKind::NeedsRoom`]: the caller lends more and
/// goes on with the same input, as it does by doubling, up to what it can spare; or refuses the message.
/// A header's claim by itself never takes memory.
///
/// ```
/// use onewrite::websocket::{
///     Assembly, Client, Data, Error, ErrorKind, Limits, Message, Receiver,
/// };
///
/// let (mut small, mut large) = ([0; 4], [0; 64]);
/// let mut receiver = Receiver::<Client>::new(Limits::DEFAULT);
/// let mut assembly = Assembly::new(&mut small);
/// let mut arrived = *b"\x01\x03Hel\x80\x02lo";
/// let mut input = arrived.as_mut_slice();
/// let refused = assembly.next(&mut receiver, &mut input).unwrap_err();
/// assert_eq!(refused.kind, ErrorKind::NeedsRoom { at_least: 5, announced: 5 });
/// assert!(assembly.lend(&mut large).is_ok()); // gives the small one back
/// let message = assembly.next(&mut receiver, &mut input)?;
/// assert_eq!(message, Some(Message::Data(Data::Text("Hello"))));
/// # Ok::<(), Error>(())
/// ```
pub struct Assembly<'b> {
    room: &'b mut [u8],
    len: usize,
    kind: Kind,
    /// What is held was handed on.
    handed: bool,
}

/// A message, before it is known where its bytes lie.
enum Put<'i> {
    Here(&'i [u8]),
    Held,
    Control(Opcode, Found<'i>),
}

impl<'b> Assembly<'b> {
    /// An assembly that holds nothing, with this memory.
    #[must_use]
    pub const fn new(room: &'b mut [u8]) -> Self {
        Self { room, len: 0, kind: Kind::Binary, handed: false }
    }

    /// The next message in `input`, from which it takes what it has read; `None` when it has taken all of
    /// it and needs more.
    ///
    /// # Errors
    ///
    /// As [`Receiver::next`]; and `NeedsRoom`, after which nothing is lost: lend more memory, and go on
    /// with the same input.
    pub fn next<'e, 'i: 'e, R: Role>(
        &'e mut self,
        receiver: &'e mut Receiver<R>,
        input: &mut &'i mut [u8],
    ) -> Result<Option<Message<'e>>, Error> {
        if let Some((kind, payload)) = receiver.whole(input) {
            (self.len, self.handed) = (0, false);
            return match kind {
                Kind::Binary => Ok(Some(Message::Data(Data::Binary(payload)))),
                Kind::Text => match str::from_utf8(payload) {
                    Ok(text) => Ok(Some(Message::Data(Data::Text(text)))),
                    Err(_) => Err(receiver.fail(ErrorKind::InvalidUtf8)),
                },
            };
        }
        self.next_in_steps(receiver, input)
    }

    /// What does not lie in the input as one frame, or is no message.
    #[inline(never)]
    fn next_in_steps<'e, 'i: 'e, R: Role>(
        &'e mut self,
        receiver: &'e mut Receiver<R>,
        input: &mut &'i mut [u8],
    ) -> Result<Option<Message<'e>>, Error> {
        let Some(put) = self.advance(receiver, input)? else { return Ok(None) };
        let bytes: &'e [u8] = match put {
            Put::Here(bytes) => bytes,
            Put::Held => self.held(),
            Put::Control(opcode, found) => {
                return Ok(match receiver.control(opcode, found)? {
                    Event::Ping(payload) => Some(Message::Ping(payload)),
                    Event::Pong(payload) => Some(Message::Pong(payload)),
                    Event::Close(close) => Some(Message::Close(close)),
                    Event::Begin { .. } | Event::Piece(_) | Event::End => None,
                });
            }
        };
        Ok(Some(Message::Data(match self.kind {
            Kind::Binary => Data::Binary(bytes),
            // The receiver has checked it.
            Kind::Text => Data::Text(str::from_utf8(bytes).unwrap_or_default()),
        })))
    }

    /// Goes on in `room`, into which it copies what it holds, and gives back the memory from before.
    ///
    /// Between two messages, and behind one that was handed on, it holds nothing.
    ///
    /// # Errors
    ///
    /// `room` itself, if it is too short for what is held.
    pub fn lend(&mut self, room: &'b mut [u8]) -> Result<&'b mut [u8], &'b mut [u8]> {
        self.forget_handed();
        if room.len() < self.len {
            return Err(room);
        }
        copy(room, self.held());
        Ok(mem::replace(&mut self.room, room))
    }

    /// Bytes of the memory that is lent: the longest message that can be put together.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.room.len()
    }

    /// The bytes of a message that have arrived and are kept.
    #[must_use]
    pub fn held(&self) -> &[u8] {
        self.room.get(..self.len).unwrap_or_default()
    }

    fn forget_handed(&mut self) {
        if mem::take(&mut self.handed) {
            self.len = 0;
        }
    }

    fn advance<'i, R: Role>(
        &mut self,
        receiver: &mut Receiver<R>,
        input: &mut &'i mut [u8],
    ) -> Result<Option<Put<'i>>, Error> {
        self.forget_handed();
        loop {
            let whole = match receiver.coming(input) {
                Some(coming) => {
                    let whole = coming.ends && self.len == 0;
                    let needed = self.len.saturating_add(coming.here);
                    if !whole && needed > self.room.len() {
                        let announced = (self.len as u64).saturating_add(coming.left);
                        return Err(receiver.needs_room(needed, announced));
                    }
                    whole
                }
                None => false,
            };
            match receiver.advance(input)? {
                None => return Ok(None),
                Some(Ready::Begin { kind, .. }) => (self.kind, self.len) = (kind, 0),
                // Its payload is looked at before it is taken.
                Some(Ready::Frame) => {}
                Some(Ready::Piece(piece)) if whole => {
                    // Its end needs no more input.
                    receiver.advance(input)?;
                    return Ok(Some(Put::Here(piece)));
                }
                Some(Ready::Piece(piece)) => {
                    copy(self.room.get_mut(self.len..).unwrap_or_default(), piece);
                    self.len += piece.len();
                }
                Some(Ready::End) => {
                    self.handed = true;
                    return Ok(Some(Put::Held));
                }
                Some(Ready::Control(opcode, found)) => {
                    return Ok(Some(Put::Control(opcode, found)));
                }
            }
        }
    }
}

impl fmt::Debug for Assembly<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assembly")
            .field("capacity", &self.capacity())
            .field("held", &self.len)
            .finish_non_exhaustive()
    }
}
