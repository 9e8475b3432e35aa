//! Messages that arrive in pieces: nothing of a message has to be in memory but the piece that has
//! just come, and what of an item lies in the piece before.

mod event;
mod grammar;
mod summary;

use core::fmt;
use core::str::from_utf8;

use heapless::Vec;

use crate::bsatn::row_list::pieces::Found;
use crate::bsatn::row_list::stream::{Ready as RowsReady, end_of_input};
use crate::bsatn::{RowCut, RowListStream, RowsEvent, StreamError, StreamErrorKind};
use crate::error::DecodeErrorKind;

pub use event::{Bytes, Change, Event, MessageKind, Outcome, Text};
use grammar::{DEPTH, Messages, Step};
pub use summary::{Effect, Summary};

/// The version of the protocol that client and server have agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Version {
    /// `v1.bsatn.spacetimedb`: one message of [`v1`](crate::spacetimedb::v1) a payload.
    V1,
    /// `v2.bsatn.spacetimedb`: one message of [`v2`](crate::spacetimedb::v2) a payload.
    V2,
    /// `v3.bsatn.spacetimedb`: one or more messages of version 2 a payload.
    V3,
}

impl Version {
    /// Its name in the handshake: one of those to offer as `sec-websocket-protocol`.
    ///
    /// ```
    /// use onewrite::spacetimedb::stream::Version;
    ///
    /// assert_eq!(Version::V3.subprotocol(), "v3.bsatn.spacetimedb");
    /// ```
    #[must_use]
    pub const fn subprotocol(self) -> &'static str {
        match self {
            Self::V1 => "v1.bsatn.spacetimedb",
            Self::V2 => "v2.bsatn.spacetimedb",
            Self::V3 => "v3.bsatn.spacetimedb",
        }
    }

    /// The version with this name: what a server has chosen of those that were offered.
    #[must_use]
    pub fn from_subprotocol(name: &str) -> Option<Self> {
        [Self::V3, Self::V2, Self::V1].into_iter().find(|version| version.subprotocol() == name)
    }

    const fn messages(self) -> Messages {
        match self {
            Self::V1 => grammar::V1,
            Self::V2 | Self::V3 => grammar::V2,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::V1 => "v1 ServerMessage",
            Self::V2 | Self::V3 => "v2 ServerMessage",
        }
    }
}

/// A server's messages, read from pieces of any size: the frames of a WebSocket message, or what a
/// socket happens to deliver.
///
/// Takes the body of an uncompressed [`Payload`](crate::spacetimedb::Payload), that is without its
/// first byte; a payload that is compressed has to be inflated whole first. What it yields are
/// [`Event`]s: the fields of a message in the order of the wire, with rows as they complete.
///
/// `N` is the length of the buffer in bytes, at least 32, and bounds what has to be whole: a row, and
/// the name of a table or a reducer. Everything else, texts and values included, may be of any
/// length. Rows that differ in length need something that says where they end:
/// [`RowListStream`] tells what.
///
/// | limit | bytes |
/// |---|---|
/// | frame of a server of version 2.8.3 | 4,096 |
/// | this, with a buffer of 512 | under 1,024 |
///
/// Whatever the pieces are, the events say the same; only texts, values and runs of rows are cut
/// where a piece ends. The work for a piece is at most in proportion to its length, plus once the
/// decoding of what the buffer holds.
///
/// ```
/// use onewrite::bsatn::Tail;
/// use onewrite::spacetimedb::stream::{Change, Event, MessageStream, Version};
///
/// # let body = b"\x04\x01\0\0\0\x09\0\0\0\x01\0\0\0\x04\0\0\0tick\x01\0\0\0\0\0\x02\0\x02\0\0\0\x07\0\x01\0\0\0\0\0\0\0\0";
/// let mut stream = MessageStream::<64>::new(Version::V2);
/// let (mut ticks, mut change) = (0, Change::Matches);
/// for mut piece in body.chunks(5) {
///     while let Some(event) = stream.next(&mut piece)? {
///         match event {
///             Event::Table(name) => assert_eq!(name, "tick"),
///             Event::BeginRows { of, .. } => change = of,
///             Event::Rows(rows) if change == Change::Inserts => {
///                 for row in rows.typed::<u16>(Tail::AllowTail) {
///                     ticks += row?;
///                 }
///             }
///             _ => {}
///         }
///     }
/// }
/// stream.finish()?;
/// assert_eq!(ticks, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A version 1 update that is compressed by itself is an error, `Unsupported`; servers have that
/// form and do not use it.
pub struct MessageStream<'o, const N: usize> {
    rows: RowListStream<'o, N>,
    version: Version,
    /// Steps that have begun, the innermost last.
    levels: Vec<Level, DEPTH>,
    doing: Doing,
    /// Whether there has been a message.
    any: bool,
    /// Whether nobody wants the rows of the table that was named last.
    skip_table: bool,
    failed: Option<StreamError>,
}

/// Steps that are gone through a number of times.
#[derive(Clone, Copy)]
struct Level {
    steps: &'static [Step],
    next: usize,
    /// How often after this time.
    again: u32,
}

/// What is in the middle of being read.
#[derive(Clone, Copy, Debug)]
enum Doing {
    /// Nothing: the next step begins.
    Step,
    Name {
        of: fn(&str) -> Event<'_>,
        len: u32,
    },
    Text {
        of: Text,
        len: u32,
        left: u32,
    },
    Bytes {
        of: Bytes,
        left: u32,
    },
    Rows(Change),
}

/// An event, before it is known where its bytes lie.
pub(in crate::spacetimedb) enum Ready<'p> {
    Whole(Event<'p>),
    Name {
        of: fn(&str) -> Event<'_>,
        at: usize,
        found: Found<'p>,
    },
    /// A character that came in several pieces.
    Char {
        of: Text,
        at: usize,
        found: Found<'p>,
        left: u32,
    },
    Rows {
        of: Change,
        ready: RowsReady<'p>,
    },
}

impl<'o, const N: usize> MessageStream<'o, N> {
    /// A stream in front of a payload's first message.
    #[must_use]
    pub const fn new(version: Version) -> Self {
        Self {
            rows: RowListStream::new(),
            version,
            levels: Vec::new(),
            doing: Doing::Step,
            any: false,
            skip_table: false,
            failed: None,
        }
    }

    /// Begins with another payload; lent memory stays. What was left of the one before is forgotten,
    /// and so is an error.
    pub fn reset(&mut self) {
        self.rows.reset();
        self.levels.clear();
        self.doing = Doing::Step;
        self.any = false;
        self.skip_table = false;
        self.failed = None;
    }

    /// Lends room for the offsets of rows that differ in length, one number a row: see
    /// [`RowListStream::lend`].
    pub fn lend(&mut self, offsets: &'o mut [u32]) {
        self.rows.lend(offsets);
    }

    /// [`RowListStream::cut_by`], of the list that has just begun.
    pub fn cut_by(&mut self, cut: RowCut) {
        self.rows.cut_by(cut);
    }

    /// [`RowListStream::skip`], of the list that has just begun.
    pub fn skip(&mut self) {
        self.rows.skip();
    }

    /// Hands out no rows of the table that was named last: of its lists come only
    /// [`BeginRows`](Event::BeginRows) and [`EndRows`](Event::EndRows).
    pub fn skip_table(&mut self) {
        self.skip_table = true;
    }

    /// Where the item begins that is waited for, in bytes from the start of the payload's body.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.rows.position()
    }

    /// The next event in `piece`, from which it takes what it has read; `None` when it has taken all
    /// of it and needs the next piece.
    ///
    /// # Errors
    ///
    /// Those of the messages' `decode`, at the same offset; but a count, or a length, that the
    /// input does not have is noticed only where the input ends. `TrailingBytes` behind the message
    /// of version 1 or 2, with as many of them as the piece has. Further, what [`StreamErrorKind`] names. Events that have been handed out
    /// by then stand; the message has to be thought of as never having come.
    ///
    /// After an error, other than `NeedsOffsets`, each call returns it again.
    pub fn next<'e, 'p: 'e>(
        &'e mut self,
        piece: &mut &'p [u8],
    ) -> Result<Option<Event<'e>>, StreamError> {
        match self.ready(piece)? {
            Some(ready) => self.event(ready).map(Some),
            None => Ok(None),
        }
    }

    /// Whether the payload may end here.
    ///
    /// # Errors
    ///
    /// `EndOfInput` inside a message, at the item that is cut short, and where there was none; or
    /// the error that [`next`](Self::next) has returned.
    pub fn finish(&self) -> Result<(), StreamError> {
        match self.failed {
            Some(error) => Err(error),
            None if self.any && self.levels.is_empty() => Ok(()),
            None => Err(end_of_input(&self.rows.pieces)),
        }
    }

    /// The first half of [`next`](Self::next): what it has found borrows nothing of the stream.
    pub(in crate::spacetimedb) fn ready<'p>(
        &mut self,
        piece: &mut &'p [u8],
    ) -> Result<Option<Ready<'p>>, StreamError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let found = self.advance(piece);
        if let Err(error) = found
            && !matches!(error.kind, StreamErrorKind::NeedsOffsets { .. })
        {
            self.failed = Some(error);
        }
        found
    }

    /// The second half.
    pub(in crate::spacetimedb) fn event<'e, 'p: 'e>(
        &'e mut self,
        ready: Ready<'p>,
    ) -> Result<Event<'e>, StreamError> {
        Ok(match ready {
            Ready::Whole(event) => event,
            Ready::Name { of, at, found } => match from_utf8(self.rows.pieces.bytes_of(found)) {
                Ok(name) => of(name),
                Err(_) => return Err(*self.failed.insert(not_text(at))),
            },
            Ready::Char { of, at, found, left } => {
                match from_utf8(self.rows.pieces.bytes_of(found)) {
                    Ok(piece) => Event::Text { of, piece, left },
                    Err(_) => return Err(*self.failed.insert(not_text(at))),
                }
            }
            Ready::Rows { of, ready } => match self.rows.event(ready) {
                RowsEvent::Begin { rows } => Event::BeginRows { of, rows },
                RowsEvent::Rows(rows) => Event::Rows(rows),
                RowsEvent::End => Event::EndRows,
            },
        })
    }

    fn advance<'p>(&mut self, piece: &mut &'p [u8]) -> Result<Option<Ready<'p>>, StreamError> {
        loop {
            match self.doing {
                Doing::Rows(of) => {
                    let Some(ready) = self.rows.advance(piece)? else { return Ok(None) };
                    match ready {
                        RowsReady::Begin(_) if self.skip_table => self.rows.skip(),
                        RowsReady::End => self.doing = Doing::Step,
                        _ => {}
                    }
                    return Ok(Some(Ready::Rows { of, ready }));
                }
                Doing::Name { of, len } => {
                    let at = self.rows.pieces.item_at();
                    let size = usize::try_from(len).unwrap_or(usize::MAX);
                    if size > N {
                        let kind = StreamErrorKind::NeedsBuffer { at_least: size };
                        return Err(StreamError::new(at, kind));
                    }
                    let Some(found) = self.rows.pieces.take(piece, size) else { return Ok(None) };
                    self.doing = Doing::Step;
                    self.skip_table = false;
                    return Ok(Some(Ready::Name { of, at, found }));
                }
                Doing::Text { of, len, left } => return self.text(of, len, left, piece),
                Doing::Bytes { of, left } => return Ok(self.bytes(of, left, piece)),
                Doing::Step => {}
            }
            let Some(level) = self.levels.last_mut() else { return self.message(piece) };
            let Some(step) = level.steps.get(level.next) else {
                if let Some(again) = level.again.checked_sub(1) {
                    (level.again, level.next) = (again, 0);
                    continue;
                }
                self.levels.pop();
                if self.levels.is_empty() {
                    return Ok(Some(Ready::Whole(Event::End)));
                }
                continue;
            };
            let Some(event) = self.step(step, piece)? else { return Ok(None) };
            if let Some(event) = event {
                return Ok(Some(Ready::Whole(event)));
            }
        }
    }

    /// The first byte of a message.
    fn message<'p>(&mut self, piece: &mut &'p [u8]) -> Result<Option<Ready<'p>>, StreamError> {
        if piece.is_empty() {
            return Ok(None);
        }
        let at = self.rows.pieces.item_at();
        if self.any && self.version != Version::V3 {
            let kind = DecodeErrorKind::TrailingBytes { extra: piece.len() };
            return Err(StreamError::decode(at, kind));
        }
        let Some([tag]) = self.rows.pieces.array(piece) else { return Ok(None) };
        let Some((kind, steps)) = self.version.messages().get(usize::from(tag)) else {
            return Err(unknown(at, self.version.name(), tag));
        };
        self.any = true;
        self.enter(steps, 0)?;
        Ok(Some(Ready::Whole(Event::Begin(*kind))))
    }

    /// Reads a number, a tag or a length; `None` where the piece ends before it.
    fn step(
        &mut self,
        step: &'static Step,
        piece: &mut &[u8],
    ) -> Result<Option<Option<Event<'static>>>, StreamError> {
        let at = self.rows.pieces.item_at();
        let pieces = &mut self.rows.pieces;
        // What is an event by itself.
        let event = match step {
            Step::Of4(event) => pieces.array(piece).map(|bytes| event(u32::from_le_bytes(bytes))),
            Step::Of8(event) => pieces.array(piece).map(event),
            Step::Of16(event) => pieces.array(piece).map(event),
            Step::Of32(event) => pieces.array(piece).map(event),
            Step::Option(_) | Step::Sum(_) => {
                let Some([tag]) = pieces.array(piece) else { return Ok(None) };
                self.passed();
                return self.choose(step, tag, at).map(Some);
            }
            Step::Rows(of) => {
                self.passed();
                self.doing = Doing::Rows(*of);
                return Ok(Some(None));
            }
            Step::Compressed => {
                let kind = DecodeErrorKind::Unsupported { what: "compressed update in pieces" };
                return Err(StreamError::decode(at.wrapping_sub(1), kind));
            }
            Step::Table | Step::Reducer | Step::Text(_) | Step::Bytes(_) | Step::Each(_) => {
                let Some(count) = pieces.array(piece) else { return Ok(None) };
                self.passed();
                self.begin(step, u32::from_le_bytes(count))?;
                return Ok(Some(None));
            }
        };
        if event.is_some() {
            self.passed();
        }
        Ok(event.map(Some))
    }

    /// Goes on behind a length or a count.
    fn begin(&mut self, step: &Step, count: u32) -> Result<(), StreamError> {
        self.doing = match step {
            Step::Table => Doing::Name { of: |name| Event::Table(name), len: count },
            Step::Reducer => Doing::Name { of: |name| Event::Reducer(name), len: count },
            Step::Text(of) => Doing::Text { of: *of, len: count, left: count },
            Step::Bytes(of) => Doing::Bytes { of: *of, left: count },
            Step::Each(steps) => {
                return match count.checked_sub(1) {
                    Some(again) => self.enter(steps, again),
                    None => Ok(()),
                };
            }
            _ => Doing::Step,
        };
        Ok(())
    }

    /// Goes on behind the tag of a sum.
    fn choose(
        &mut self,
        step: &'static Step,
        tag: u8,
        at: usize,
    ) -> Result<Option<Event<'static>>, StreamError> {
        let (outcome, steps) = match (step, tag) {
            (Step::Option(steps), 0) => (None, *steps),
            (Step::Option(_), 1) => return Ok(None),
            (Step::Sum(sum), tag) => match sum.variants.get(usize::from(tag)) {
                Some((outcome, steps)) => (*outcome, *steps),
                None => return Err(unknown(at, sum.name, tag)),
            },
            _ => return Err(unknown(at, "Option", tag)),
        };
        self.enter(steps, 0)?;
        Ok(outcome.map(Event::Outcome))
    }

    /// The step is through.
    fn passed(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            level.next = level.next.wrapping_add(1);
        }
    }

    fn enter(&mut self, steps: &'static [Step], again: u32) -> Result<(), StreamError> {
        // There is room: see the assertion in `grammar`.
        self.levels.push(Level { steps, next: 0, again }).map_err(|_| {
            let kind = DecodeErrorKind::DepthLimit { limit: DEPTH };
            StreamError::decode(self.rows.pieces.item_at(), kind)
        })
    }

    fn bytes<'p>(&mut self, of: Bytes, left: u32, piece: &mut &'p [u8]) -> Option<Ready<'p>> {
        if left != 0 && piece.is_empty() {
            return None;
        }
        let size = piece.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let found = self.rows.pieces.take(piece, size)?;
        let left = left.saturating_sub(u32::try_from(size).unwrap_or(u32::MAX));
        self.doing = if left == 0 { Doing::Step } else { Doing::Bytes { of, left } };
        match found {
            Found::Piece(piece) => Some(Ready::Whole(Event::Bytes { of, piece, left })),
            Found::Held(_) => None,
        }
    }

    /// The next whole characters of a text of `len` bytes, `left` of which were not handed out.
    fn text<'p>(
        &mut self,
        of: Text,
        len: u32,
        left: u32,
        piece: &mut &'p [u8],
    ) -> Result<Option<Ready<'p>>, StreamError> {
        let pieces = &mut self.rows.pieces;
        let rest = usize::try_from(left).unwrap_or(usize::MAX);
        let done = usize::try_from(len.saturating_sub(left)).unwrap_or(usize::MAX);
        let at = pieces.item_at().wrapping_sub(done);
        let mut ready = None;
        let mut taken = 0;
        if let Some(&first) = pieces.held_bytes().first() {
            let size = char_len(first);
            if size > rest {
                return Err(not_text(at));
            }
            let Some(found) = pieces.take(piece, size) else { return Ok(None) };
            taken = size;
            ready = Some(found);
        }
        let left_behind = |taken: usize| left.saturating_sub(u32::try_from(taken).unwrap_or(left));
        let event = if let Some(found) = ready {
            Ready::Char { of, at, found, left: left_behind(taken) }
        } else {
            let seen = piece.get(..rest).unwrap_or(piece);
            let valid = match from_utf8(seen) {
                Ok(text) => text,
                Err(error) if error.error_len().is_none() && seen.len() < rest => {
                    let valid = seen.get(..error.valid_up_to()).unwrap_or_default();
                    from_utf8(valid).unwrap_or_default()
                }
                Err(_) => return Err(not_text(at)),
            };
            taken = valid.len();
            pieces.take(piece, taken);
            if taken == 0 && rest != 0 {
                // The first bytes of a character, or none.
                let size = piece.len();
                pieces.hold(piece, size);
                return Ok(None);
            }
            Ready::Whole(Event::Text { of, piece: valid, left: left_behind(taken) })
        };
        let left = left_behind(taken);
        self.doing = if left == 0 { Doing::Step } else { Doing::Text { of, len, left } };
        Ok(Some(event))
    }
}

/// Bytes of a character that begins with `first`, as far as that can be told from it.
const fn char_len(first: u8) -> usize {
    match first {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    }
}

#[cold]
fn not_text(at: usize) -> StreamError {
    StreamError::decode(at, DecodeErrorKind::InvalidUtf8)
}

#[cold]
fn unknown(at: usize, name: &'static str, tag: u8) -> StreamError {
    let kind = DecodeErrorKind::UnknownDiscriminant { name, value: tag.into() };
    StreamError::decode(at, kind)
}

// A frame of a server and what reads it have room in 5 KiB.
const _: () = assert!(4096 + size_of::<MessageStream<'_, 512>>() <= 5 * 1024);

impl<const N: usize> fmt::Debug for MessageStream<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageStream")
            .field("version", &self.version)
            .field("position", &self.position())
            .field("doing", &self.doing)
            .finish_non_exhaustive()
    }
}
