//! A message whose length nobody knows beforehand: a frame for each chunk of a producer.

use core::fmt;

use super::Role;
use super::error::SendError;
use super::event::Kind;
use super::header::MAX_CONTROL;
use super::sender::{Part, Sender, apply};
use crate::sink::{Producer, copy};

/// Makes a message of what a producer makes: one frame for each of its chunks, and an empty one behind
/// the last.
///
/// `K` gives the key of each frame: for a client keys that nobody can foretell, for a server
/// `core::iter::repeat(())`. Between two frames others may go out, with the same sender: pings, pongs.
///
/// ```
/// use core::convert::Infallible;
/// use onewrite::sink::Producer;
/// use onewrite::websocket::{Fragments, Kind, Sender, Server};
///
/// struct Countdown(u8);
///
/// impl Producer for Countdown {
///     type Error = Infallible;
///
///     fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, Infallible> {
///         let (Some(last), Some(to)) = (self.0.checked_sub(1), scratch.first_mut()) else {
///             return Ok(0);
///         };
///         (*to, self.0) = (b'0' + last, last);
///         Ok(1)
///     }
/// }
///
/// let mut sender = Sender::<Server>::new();
/// let mut fragments = Fragments::new(Kind::Text, Countdown(2), core::iter::repeat(()));
/// let (mut scratch, mut out) = ([0; 64], Vec::new());
/// while let Some(frame) = fragments.next_frame(&mut sender, &mut scratch)? {
///     out.extend_from_slice(frame);
/// }
/// assert_eq!(out, b"\x01\x011\x00\x010\x80\x00");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Fragments<P, K> {
    /// What is to come.
    next: Option<Part>,
    producer: P,
    keys: K,
}

impl<P: Producer, K> Fragments<P, K> {
    /// The message that `producer` makes.
    #[must_use]
    pub const fn new(kind: Kind, producer: P, keys: K) -> Self {
        Self { next: Some(Part::First(kind)), producer, keys }
    }

    /// The next frame, in `scratch`; `None` behind the last.
    ///
    /// A scratch of up to 125 bytes and the header gives the producer all but 2 bytes, a longer one all
    /// but 4, of at most 65,539; 4 less for a client.
    ///
    /// # Errors
    ///
    /// The producer's own; the sender's; `NoKey`; and `NoRoom` for a scratch that has no room for more
    /// than a header. The message cannot be completed then, and if it has begun, all that is left is to
    /// close.
    pub fn next_frame<'s, R: Role>(
        &mut self,
        sender: &mut Sender<R>,
        scratch: &'s mut [u8],
    ) -> Result<Option<&'s [u8]>, FragmentsError<P::Error>>
    where
        K: Iterator<Item = R::Key>,
    {
        let Some(part) = self.next else { return Ok(None) };
        let Some(key) = self.keys.next() else {
            return Err(FragmentsError::Send(SendError::NoKey));
        };
        // Up to here the payload may begin; the longest header that is used has a length of 16 bits.
        let (short, medium) = (R::HEAD_ROOM - 8, R::HEAD_ROOM - 6);
        let front = if scratch.len() <= short + MAX_CONTROL { short } else { medium };
        let available = scratch.len();
        let body = match scratch.get_mut(front..) {
            Some(body) if !body.is_empty() => body,
            _ => {
                let needed = front + 1;
                return Err(FragmentsError::Send(SendError::NoRoom { needed, available }));
            }
        };
        let body = match body.split_at_mut_checked(usize::from(u16::MAX)) {
            Some((body, _)) => body,
            None => body,
        };
        let len = match self.producer.next_chunk(body) {
            Ok(len) => len,
            Err(error) => return Err(FragmentsError::Producer(error)),
        };
        let (part, next) = match (len, part) {
            (0, Part::First(kind)) => (Part::Whole(kind), None),
            (0, _) => (Part::Last, None),
            (_, part) => (part, Some(Part::Middle)),
        };
        let Some(payload) = body.get_mut(..len) else {
            let claimed = FragmentsError::Miscounted { offered: body.len(), claimed: len };
            return Err(claimed);
        };
        let header = match sender.header(part, len as u64, key) {
            Ok(header) => header,
            Err(error) => return Err(FragmentsError::Send(error)),
        };
        self.next = next;
        apply(R::key(key), payload);
        let head = header.as_slice();
        if head.len() != front {
            // A short payload in a long scratch: its header has two bytes less.
            let mut short = [0; MAX_CONTROL];
            copy(&mut short, payload);
            let to = scratch.get_mut(head.len()..head.len() + len).unwrap_or_default();
            copy(to, &short);
        }
        copy(scratch, head);
        Ok(scratch.get(..head.len() + len))
    }

    /// The frames as a producer of bytes, for what pumps such into a sink.
    pub const fn with<'s, R: Role>(self, sender: &'s mut Sender<R>) -> FrameProducer<'s, R, P, K> {
        FrameProducer { fragments: self, sender }
    }
}

/// [`Fragments`] with their sender: a producer, for [`write_from`](crate::sink::write_from) and the
/// stream sinks.
#[derive(Debug)]
pub struct FrameProducer<'s, R, P, K> {
    fragments: Fragments<P, K>,
    sender: &'s mut Sender<R>,
}

impl<R: Role, P: Producer, K: Iterator<Item = R::Key>> Producer for FrameProducer<'_, R, P, K> {
    type Error = FragmentsError<P::Error>;

    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, Self::Error> {
        Ok(self.fragments.next_frame(self.sender, scratch)?.map_or(0, <[u8]>::len))
    }
}

/// Why [`Fragments`] cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum FragmentsError<E> {
    /// The producer claims to have made more bytes than it had room for.
    Miscounted {
        /// The room that it was given.
        offered: usize,
        /// Bytes that it claims.
        claimed: usize,
    },
    /// The producer's own error.
    Producer(E),
    /// The frame cannot be sent.
    Send(SendError),
}

impl<E: fmt::Display> fmt::Display for FragmentsError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Miscounted { offered, claimed } => {
                write!(f, "{claimed} bytes claimed in room for {offered}")
            }
            Self::Producer(error) => error.fmt(f),
            Self::Send(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for FragmentsError<E> {}
