//! Row lists that arrive in pieces.

use core::fmt;

use super::pieces::{Found, Pieces};
use super::stream_error::{StreamError, StreamErrorKind};
use super::view::{RowList, SizeHint};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::reader::Reader;

/// Takes a row of some type from the front of what a reader has left: what tells rows apart where
/// they differ in length and there is no room for their offsets.
///
/// Most often it is `|row| Note::decode(row).map(drop)`. It has to find the same end whatever stands
/// behind the row, and to say `EndOfInput` or `CountTooLarge` of a row that is cut short, as every
/// [`Decode`](crate::bsatn::Decode) here does.
pub type RowCut = fn(&mut Reader<'_>) -> Result<(), DecodeError>;

/// What [`RowListStream::next`] has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum RowsEvent<'a> {
    /// A list begins. This is the moment to name the type of its rows or to skip them.
    Begin {
        /// Rows of the whole list. Where they have offsets, this is what the list claims and nothing
        /// has confirmed yet: do not make room for as many without a limit.
        rows: usize,
    },
    /// The next rows of the list, at least one: as many as lie whole in the piece where they are
    /// equally long, else one.
    Rows(RowList<'a>),
    /// The list has ended.
    End,
}

/// Row lists read from pieces of any size, one list behind the other.
///
/// `N` is the length in bytes of the buffer for a row that comes in several pieces, at least 32. A
/// longer row is refused, also where it lies whole in a piece, so that it never depends on the
/// pieces what is accepted. Rows that do lie whole in a piece are not copied.
///
/// Rows of equal length need nothing else. Where they differ, their offsets come first, and one of
/// these says where they end:
///
/// | what | how | memory |
/// |---|---|---|
/// | [`lend`](Self::lend) | the offsets are kept; the rows may be of any type, also of one that has gained columns | a `u32` a row |
/// | [`cut_by`](Self::cut_by) | each row ends where its type does; the offsets are checked for order, number and end, and a digest of them for whether they agree | none |
/// | [`skip`](Self::skip) | no row is handed out | none |
///
/// With a type, rows are handed out before it can be known whether the offsets agree. Where they do
/// not, an error of the type or [`OffsetsDiffer`](StreamErrorKind::OffsetsDiffer) comes instead of
/// the end of the list: whatever the error, what was made of the list's rows has to be undone. So it
/// is where rows have gained columns: `cut_by` is for types that are known exactly, as
/// [`Tail::Strict`](crate::bsatn::Tail) is. The digest has 64 bits and is no defence against a server
/// that means harm, which could as well send other rows.
///
/// ```
/// use onewrite::bsatn::{Decode, RowListStream, RowsEvent, Tail};
///
/// let list = b"\x01\x02\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0\x0b\0\0\0\x01\0\0\0a\x02\0\0\0bc";
/// let mut stream = RowListStream::<64>::new();
/// let mut lengths = Vec::new();
/// for mut piece in list.chunks(3) {
///     while let Some(event) = stream.next(&mut piece)? {
///         match event {
///             RowsEvent::Begin { .. } => stream.cut_by(|row| <&str>::decode(row).map(drop)),
///             RowsEvent::Rows(rows) => {
///                 for row in rows.typed::<&str>(Tail::Strict) {
///                     lengths.push(row?.len());
///                 }
///             }
///             _ => {}
///         }
///     }
/// }
/// stream.finish()?;
/// assert_eq!(lengths, [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RowListStream<'o, const N: usize> {
    pub(crate) pieces: Pieces<N>,
    offsets: &'o mut [u32],
    /// What was lent while the offsets of a list were being kept.
    lent: Option<&'o mut [u32]>,
    cut: Option<RowCut>,
    skip: bool,
    state: State,
    /// Bytes of each row, where they are equally long.
    size: u16,
    /// Rows of the list, and those of them that are through; of offsets as well.
    rows: u32,
    row: u32,
    /// Where the table of offsets begins.
    offsets_at: usize,
    last_offset: u64,
    /// Where the rows begin, their bytes, and those of them that are through.
    data_at: usize,
    data: u32,
    passed: u32,
    /// Bytes that the row which is waited for has at the least.
    wanted: usize,
    /// Of the offsets, and of where the rows were cut.
    expected: Digest,
    found: Digest,
    failed: Option<StreamError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Tag,
    Size,
    /// In front of the length of rows that are equally long.
    Run,
    Count,
    /// In front of the offsets.
    How,
    Offsets,
    Data,
    Fixed,
    Lent,
    Cut,
    Skip,
}

/// What has been found, before it is known where it lies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ready<'p> {
    Begin(usize),
    Rows { found: Found<'p>, rows: usize, at: usize },
    End,
}

impl<'o, const N: usize> RowListStream<'o, N> {
    /// A stream in front of its first list.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            pieces: Pieces::new(),
            offsets: &mut [],
            lent: None,
            cut: None,
            skip: false,
            state: State::Tag,
            size: 0,
            rows: 0,
            row: 0,
            offsets_at: 0,
            last_offset: 0,
            data_at: 0,
            data: 0,
            passed: 0,
            wanted: 0,
            expected: Digest::NEW,
            found: Digest::NEW,
            failed: None,
        }
    }

    /// Begins again in front of a first list; lent memory stays. What was left is forgotten, and so is
    /// an error.
    pub fn reset(&mut self) {
        let offsets = core::mem::take(&mut self.offsets);
        let offsets = self.lent.take().unwrap_or(offsets);
        *self = Self::new();
        self.offsets = offsets;
    }

    /// Lends room for offsets, for this list and those behind it: a number a row. A list with more
    /// rows than that is treated as if there were no room.
    ///
    /// In the middle of a list it holds from the next one on.
    pub fn lend(&mut self, offsets: &'o mut [u32]) {
        if matches!(self.state, State::Offsets | State::Data | State::Lent) {
            self.lent = Some(offsets);
        } else {
            self.offsets = offsets;
        }
    }

    /// Names the type of the rows of the list that has just begun. It counts only where they differ
    /// in length and no room for their offsets was lent; between two lists it does nothing.
    pub fn cut_by(&mut self, cut: RowCut) {
        if self.state != State::Tag {
            self.cut = Some(cut);
        }
    }

    /// Hands out no row of this list, or none of those that are still to come; between two lists it
    /// does nothing.
    pub fn skip(&mut self) {
        if self.state != State::Tag {
            self.skip = true;
        }
    }

    /// Where the item begins that is waited for, in bytes from the start of the first piece.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.pieces.item_at()
    }

    /// The next thing in `piece`, from which it takes what it has read; `None` when it has taken
    /// all of it and needs the next piece.
    ///
    /// # Errors
    ///
    /// Those of [`RowList`], at the same offset; further, what [`StreamErrorKind`] names. A count
    /// of offsets that the input does not have is noticed where the input ends. Offsets that lie
    /// outside the data are noticed behind all of them, and where they were not kept, the error is at
    /// the last one. With [`cut_by`](Self::cut_by) also those of the type.
    ///
    /// After an error, other than `NeedsOffsets`, each call returns it again.
    pub fn next<'e, 'p: 'e>(
        &'e mut self,
        piece: &mut &'p [u8],
    ) -> Result<Option<RowsEvent<'e>>, StreamError> {
        match self.advance(piece)? {
            Some(ready) => Ok(Some(self.event(ready))),
            None => Ok(None),
        }
    }

    /// Whether the input may end here.
    ///
    /// # Errors
    ///
    /// `EndOfInput` inside a list, at the item that is cut short; or the error that
    /// [`next`](Self::next) has returned.
    pub fn finish(&self) -> Result<(), StreamError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.state == State::Tag { Ok(()) } else { Err(end_of_input(&self.pieces)) }
    }

    #[inline]
    pub(crate) fn event<'e, 'p: 'e>(&'e self, ready: Ready<'p>) -> RowsEvent<'e> {
        match ready {
            Ready::Begin(rows) => RowsEvent::Begin { rows },
            Ready::Rows { found, rows, at } => {
                let hint = match self.size {
                    // One row that begins at the first byte.
                    0 => SizeHint::RowOffsets(&[[0; 8]]),
                    size => SizeHint::FixedSize(size),
                };
                RowsEvent::Rows(RowList { hint, data: self.pieces.bytes_of(found), len: rows, at })
            }
            Ready::End => RowsEvent::End,
        }
    }

    #[inline]
    pub(crate) fn advance<'p>(
        &mut self,
        piece: &mut &'p [u8],
    ) -> Result<Option<Ready<'p>>, StreamError> {
        let result = match (self.failed, self.state) {
            (None, State::Fixed | State::Lent | State::Cut) if self.skip => self.leave(piece),
            (None, State::Fixed) => self.fixed(piece),
            (None, State::Lent) => self.lent(piece),
            (None, State::Cut) => self.cut(piece),
            (None, _) => self.head(piece),
            (Some(error), _) => Err(error),
        };
        if let Err(error) = result
            && !matches!(error.kind, StreamErrorKind::NeedsOffsets { .. })
        {
            self.failed = Some(error);
        }
        result
    }

    /// All that stands in front of the rows, and rows that nobody wants.
    fn head<'p>(&mut self, piece: &mut &'p [u8]) -> Result<Option<Ready<'p>>, StreamError> {
        loop {
            let at = self.pieces.item_at();
            match self.state {
                State::Tag => {
                    let Some([tag]) = self.pieces.array(piece) else { return Ok(None) };
                    self.state = match tag {
                        0 => State::Size,
                        1 => State::Count,
                        tag => return Err(unknown_hint(at, tag)),
                    };
                }
                State::Size => {
                    let Some(size) = self.pieces.array(piece) else { return Ok(None) };
                    self.size = u16::from_le_bytes(size);
                    self.state = State::Run;
                }
                State::Run => {
                    let Some(count) = self.pieces.array(piece) else { return Ok(None) };
                    self.begin_data(u32::from_le_bytes(count));
                    let size = self.size.into();
                    if self.data.checked_rem(size).unwrap_or(self.data) != 0 {
                        return Err(self.uneven(at));
                    }
                    self.rows = self.data.checked_div(size).unwrap_or(0);
                    self.state = State::Fixed;
                    return Ok(Some(Ready::Begin(counted(self.rows))));
                }
                State::Count => {
                    let Some(count) = self.pieces.array(piece) else { return Ok(None) };
                    self.rows = u32::from_le_bytes(count);
                    self.offsets_at = at.wrapping_add(4);
                    self.state = State::How;
                    return Ok(Some(Ready::Begin(counted(self.rows))));
                }
                State::How => {
                    if !self.has_room() && self.cut.is_none() && !self.skip {
                        let kind = StreamErrorKind::NeedsOffsets { rows: counted(self.rows) };
                        return Err(StreamError::new(self.offsets_at, kind));
                    }
                    self.state = State::Offsets;
                }
                State::Offsets => {
                    if !self.take_offsets(piece)? {
                        return Ok(None);
                    }
                    self.row = 0;
                    self.state = State::Data;
                }
                State::Data => {
                    let Some(count) = self.pieces.array(piece) else { return Ok(None) };
                    self.begin_data(u32::from_le_bytes(count));
                    if self.rows == 0 && self.data != 0 {
                        return Err(self.uneven(at));
                    }
                    self.check_last_offset()?;
                    self.state = if self.has_room() { State::Lent } else { State::Cut };
                    return self.advance(piece);
                }
                State::Skip => {
                    let size = self.left().min(piece.len());
                    self.pieces.take(piece, size);
                    self.pass(size);
                    return if self.passed == self.data { Ok(Some(self.end())) } else { Ok(None) };
                }
                State::Fixed | State::Lent | State::Cut => return self.advance(piece),
            }
        }
    }

    fn begin_data(&mut self, count: u32) {
        self.data = count;
        self.data_at = self.pieces.item_at();
        self.passed = 0;
    }

    /// Bytes of the rows that are still to come; all that can be counted.
    #[inline]
    fn left(&self) -> usize {
        counted(self.data.saturating_sub(self.passed))
    }

    #[inline]
    fn pass(&mut self, size: usize) {
        // A piece's part of the rows has no more bytes than all of them.
        self.passed = self.passed.saturating_add(u32::try_from(size).unwrap_or(u32::MAX));
    }

    /// Whether there is room for the offsets.
    #[inline]
    fn has_room(&self) -> bool {
        counted(self.rows) <= self.offsets.len()
    }

    /// Leaves the rows that are still to come.
    fn leave<'p>(&mut self, piece: &mut &'p [u8]) -> Result<Option<Ready<'p>>, StreamError> {
        let held = self.pieces.drop_held();
        self.pass(held);
        self.state = State::Skip;
        self.head(piece)
    }

    /// Rows of equal length: all that lie whole in the piece at once.
    #[inline]
    fn fixed<'p>(&mut self, piece: &mut &'p [u8]) -> Result<Option<Ready<'p>>, StreamError> {
        let left = self.left();
        if left == 0 {
            return Ok(Some(self.end()));
        }
        let size = usize::from(self.size);
        self.fits(size)?;
        let at = self.pieces.item_at();
        let mut rows = 1;
        if self.pieces.held() == 0 {
            rows = piece.len().min(left).checked_div(size).unwrap_or(0).max(1);
        }
        let size = size.wrapping_mul(rows);
        let Some(found) = self.pieces.take(piece, size) else { return Ok(None) };
        self.pass(size);
        Ok(Some(Ready::Rows { found, rows, at }))
    }

    /// The row between two offsets that were kept.
    #[inline]
    fn lent<'p>(&mut self, piece: &mut &'p [u8]) -> Result<Option<Ready<'p>>, StreamError> {
        if self.row >= self.rows {
            return Ok(Some(self.end()));
        }
        let next = self.row.wrapping_add(1);
        let end = match self.offsets.get(counted(next)) {
            Some(&end) if next < self.rows => end,
            _ => self.data,
        };
        let size = counted(end.saturating_sub(self.passed));
        self.fits(size)?;
        let at = self.pieces.item_at();
        let Some(found) = self.pieces.take(piece, size) else { return Ok(None) };
        self.row = next;
        self.passed = end;
        Ok(Some(Ready::Rows { found, rows: 1, at }))
    }

    /// The row that ends where its type does.
    fn cut<'p>(&mut self, piece: &mut &'p [u8]) -> Result<Option<Ready<'p>>, StreamError> {
        let left = self.left();
        let Some(cut) = self.cut.filter(|_| self.row < self.rows) else {
            return if left == 0 && self.expected == self.found {
                Ok(Some(self.end()))
            } else {
                Err(StreamError::new(self.data_at, StreamErrorKind::OffsetsDiffer))
            };
        };
        let at = self.pieces.item_at();
        let whole = *piece;
        // Never more than the buffer takes, so that it does not depend on the pieces what is wrong.
        let seen = if self.pieces.held() == 0 {
            piece.get(..left.min(N)).unwrap_or(piece)
        } else {
            self.pieces.hold(piece, left);
            self.pieces.held_bytes()
        };
        if seen.len() < self.wanted {
            self.pieces.hold(piece, left);
            return Ok(None);
        }
        match size_of_row(cut, at, seen, left)? {
            Ok(size) => {
                self.fits(size)?;
                let found = if self.pieces.held() == 0 {
                    self.pieces.take(piece, size)
                } else {
                    self.pieces.give_back(size, piece, whole)
                };
                let Some(found) = found else { return Err(refused(at)) };
                self.found.add(self.passed.into());
                self.pass(size);
                self.row = self.row.wrapping_add(1);
                self.wanted = 0;
                Ok(Some(Ready::Rows { found, rows: 1, at }))
            }
            Err(wanted) => {
                self.fits(wanted)?;
                self.wanted = wanted;
                self.pieces.hold(piece, left);
                Ok(None)
            }
        }
    }

    /// Takes offsets; whether they are all here.
    fn take_offsets(&mut self, piece: &mut &[u8]) -> Result<bool, StreamError> {
        while self.row < self.rows {
            let at = self.pieces.item_at();
            let (whole, _) = piece.as_chunks();
            let whole = match whole.split_at_checked(counted(self.rows.wrapping_sub(self.row))) {
                Some((whole, _)) => whole,
                None => whole,
            };
            if self.pieces.held() != 0 || whole.is_empty() {
                let Some(offset) = self.pieces.array(piece) else { return Ok(false) };
                self.take_offset(offset, at)?;
                continue;
            }
            let size = whole.as_flattened().len();
            for (offset, at) in whole.iter().zip((at..).step_by(8)) {
                self.take_offset(*offset, at)?;
            }
            self.pieces.take(piece, size);
        }
        Ok(true)
    }

    #[inline]
    fn take_offset(&mut self, offset: [u8; 8], at: usize) -> Result<(), StreamError> {
        let offset = u64::from_le_bytes(offset);
        let is_first = self.row == 0;
        let Ok(short) = u32::try_from(offset) else { return Err(self.wrong_offset(offset, at)) };
        if offset < self.last_offset || (is_first && offset != 0) {
            return Err(self.wrong_offset(offset, at));
        }
        // Kept only where there is room for all of them: see `Data`.
        if let Some(slot) = self.offsets.get_mut(counted(self.row)) {
            *slot = short;
        }
        self.expected.add(offset);
        self.last_offset = offset;
        self.row = self.row.wrapping_add(1);
        Ok(())
    }

    #[cold]
    fn wrong_offset(&self, offset: u64, at: usize) -> StreamError {
        let position = i64::try_from(offset).unwrap_or(i64::MAX);
        let kind = if offset < self.last_offset {
            DecodeErrorKind::NotAscending { table: "row offsets" }
        } else {
            DecodeErrorKind::BadPosition { table: "rows", position }
        };
        StreamError::decode(at, kind)
    }

    /// No offset may lie behind the data.
    fn check_last_offset(&self) -> Result<(), StreamError> {
        let is_inside = |offset: u64| offset <= self.data.into();
        if is_inside(self.last_offset) {
            return Ok(());
        }
        let (mut index, mut offset) = (counted(self.rows.saturating_sub(1)), self.last_offset);
        if self.has_room() {
            let outside = |&(_, &offset): &(usize, &u32)| !is_inside(offset.into());
            if let Some((first, &at)) = self.offsets.iter().enumerate().find(outside) {
                (index, offset) = (first, at.into());
            }
        }
        let at = self.offsets_at.saturating_add(index.saturating_mul(8));
        let position = i64::try_from(offset).unwrap_or(i64::MAX);
        Err(StreamError::decode(at, DecodeErrorKind::BadPosition { table: "rows", position }))
    }

    /// Ends the list; what was said about its rows does not count for the next one.
    fn end(&mut self) -> Ready<'static> {
        if let Some(offsets) = self.lent.take() {
            self.offsets = offsets;
        }
        self.cut = None;
        self.skip = false;
        self.state = State::Tag;
        (self.size, self.rows, self.row, self.wanted) = (0, 0, 0, 0);
        self.last_offset = 0;
        (self.expected, self.found) = (Digest::NEW, Digest::NEW);
        Ready::End
    }

    #[inline]
    fn fits(&self, size: usize) -> Result<(), StreamError> {
        if size <= N {
            return Ok(());
        }
        let kind = StreamErrorKind::NeedsBuffer { at_least: size };
        Err(StreamError::new(self.pieces.item_at(), kind))
    }

    #[cold]
    fn uneven(&self, at: usize) -> StreamError {
        let kind = DecodeErrorKind::UnevenRows { size: self.size.into(), len: counted(self.data) };
        StreamError::decode(at, kind)
    }
}

/// Bytes of the row at the start of `seen`, or bytes that it has at the least where it is cut short
/// and may go on: `left` bytes of rows follow from there on, `seen` included.
fn size_of_row(
    cut: RowCut,
    at: usize,
    seen: &[u8],
    left: usize,
) -> Result<Result<usize, usize>, DecodeError> {
    let mut reader = Reader::starting_at(at, seen);
    let Err(error) = cut(&mut reader) else {
        return Ok(Ok(seen.len().saturating_sub(reader.remaining())));
    };
    let inside = error.at.saturating_sub(at);
    let wanted = match error.kind {
        DecodeErrorKind::EndOfInput { needed, .. }
        | DecodeErrorKind::TableTruncated { needed, .. } => inside.saturating_add(needed),
        // Each element takes a byte or more, and the count four.
        DecodeErrorKind::CountTooLarge { count, .. } => {
            inside.saturating_add(4).saturating_add(usize::try_from(count).unwrap_or(usize::MAX))
        }
        _ => usize::MAX,
    };
    let wanted = wanted.max(seen.len().saturating_add(1));
    if wanted > left { Err(error) } else { Ok(Err(wanted)) }
}

/// A count as a size; where that is too small for it, the count is too large for the memory.
#[inline]
fn counted(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[cold]
fn unknown_hint(at: usize, tag: u8) -> StreamError {
    let kind = DecodeErrorKind::UnknownDiscriminant { name: "RowSizeHint", value: tag.into() };
    StreamError::decode(at, kind)
}

/// The error of a type that does not find the same end twice.
#[cold]
fn refused(at: usize) -> StreamError {
    StreamError::decode(at, DecodeErrorKind::Refused)
}

/// The error of an input that ends here.
#[cold]
pub(crate) fn end_of_input<const N: usize>(pieces: &Pieces<N>) -> StreamError {
    let available = pieces.held();
    let needed = pieces.wanted().max(available.saturating_add(1));
    StreamError::decode(pieces.item_at(), DecodeErrorKind::EndOfInput { needed, available })
}

/// Of a sequence of offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Digest(u64);

impl Digest {
    const NEW: Self = Self(0);

    #[inline]
    fn add(&mut self, offset: u64) {
        // The golden ratio's odd bits, as in Fibonacci hashing; the rotation brings high bits down.
        self.0 = (self.0.rotate_left(29) ^ offset).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl<const N: usize> Default for RowListStream<'_, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> fmt::Debug for RowListStream<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowListStream")
            .field("position", &self.position())
            .field("state", &self.state)
            .field("rows", &self.rows)
            .field("row", &self.row)
            .finish_non_exhaustive()
    }
}
