//! A batch on its way: into the store, or straight to the sink.

use super::link::{Put, full_or, full_or_all, of_sink, whole};
use crate::circuit::handler::{BatchSink, NotSent};
use crate::circuit::hub::{AROUND_BATCH, BATCH_HEAD, BATCH_TAIL, batch_head};
use crate::circuit::store::Store;
use crate::error::{WriteError, WriteErrorKind};
use crate::record::split_last_chunk_mut;
use crate::render_batch::{self, Batch, BatchError, BatchProducer};
use crate::sink::{self, SCRATCH_LEN, Sink, copy};
use crate::string_table::Interner;
use crate::websocket::{HeaderBytes, Role, Sender, Server};

/// Takes one batch of a page.
pub(super) struct Outlet<'x, St, T, S: Sink + ?Sized> {
    pub(super) sender: &'x mut Sender<Server>,
    pub(super) sink: &'x mut S,
    pub(super) table: &'x mut T,
    pub(super) strings: &'x mut [u32],
    pub(super) store: &'x mut St,
    pub(super) id: u32,
    pub(super) became: Became<S::Error>,
}

/// What became of it.
pub(super) enum Became<E> {
    /// There was none.
    Nothing,
    /// It is in the store.
    Kept,
    /// It went to the sink, in a frame of so many bytes.
    Sent(usize),
    /// The sink has no room for so many bytes.
    Full(usize),
    /// The store has no room until more is acknowledged.
    Waits,
    Refused(BatchError),
    Broken(WriteError<E>),
    /// The same inside a frame.
    Torn(WriteError<E>),
}

/// Handed out as `dyn BatchSink` only: there is no such type outside.
#[doc(hidden)]
impl<St: Store, T: Interner, S: Sink + ?Sized> BatchSink for Outlet<'_, St, T, S> {
    fn send(&mut self, batch: &Batch<'_>) -> Result<(), NotSent> {
        if !matches!(self.became, Became::Nothing) {
            return Err(NotSent::Once);
        }
        self.became = self.take(batch);
        match self.became {
            Became::Kept | Became::Sent(_) => Ok(()),
            Became::Refused(error) => Err(NotSent::Refused(error)),
            Became::Broken(_) | Became::Torn(_) => Err(NotSent::Broken),
            Became::Full(_) | Became::Waits | Became::Nothing => Err(NotSent::Later),
        }
    }
}

impl<St: Store, T: Interner, S: Sink + ?Sized> Outlet<'_, St, T, S> {
    fn take(&mut self, batch: &Batch<'_>) -> Became<S::Error> {
        let len = match render_batch::encoded_len(self.table, batch) {
            Ok(len) => len,
            Err(error) => return Became::Refused(error),
        };
        if St::KEEPS {
            if let Some(room) = self.store.reserve(self.id, len) {
                return match render_batch::write_into(self.table, batch, room) {
                    Ok(_) => Became::Kept,
                    Err(error) => Became::Refused(error),
                };
            }
            if !self.store.is_empty() {
                return Became::Waits;
            }
        }
        let Some(around) = Around::new(self.sender, self.id, len) else {
            return Became::Refused(BatchError::BatchTooLong);
        };
        match self.sink.reserve(around.total) {
            Ok(Some(room)) => match around.put(room) {
                Some(room) => match render_batch::write_into(self.table, batch, room) {
                    Ok(_) => Became::Sent(around.total),
                    Err(error) => Became::Refused(error),
                },
                None => Became::Waits,
            },
            Ok(None) => self.stream(batch, &around),
            Err(error) => became(full_or(error)),
        }
    }

    /// In chunks, into a sink that lends no memory.
    fn stream(&mut self, batch: &Batch<'_>, around: &Around) -> Became<S::Error> {
        let producer = match BatchProducer::new(self.table, self.strings, batch) {
            Ok(producer) => producer,
            Err(error) => return Became::Refused(error),
        };
        if let Err(error) = around.write_front(self.sink) {
            return became(full_or_all(error, around.total));
        }
        let mut scratch = [0; SCRATCH_LEN];
        if let Err(WriteError { written, kind }) =
            sink::write_from(self.sink, producer, &mut scratch)
        {
            // Where the batch itself stopped it, the message in the sink has no end either.
            let kind = of_sink(kind).unwrap_or(WriteErrorKind::Poisoned);
            return Became::Torn(WriteError::new(written, kind));
        }
        match self.sink.write(&BATCH_TAIL) {
            Ok(()) => Became::Sent(around.total),
            Err(error) => Became::Torn(error),
        }
    }
}

/// Brings a batch that was kept to the sink.
pub(super) fn send_kept<S: Sink + ?Sized>(
    sender: &mut Sender<Server>,
    sink: &mut S,
    id: u32,
    batch: &[u8],
) -> Became<S::Error> {
    let Some(around) = Around::new(sender, id, batch.len()) else {
        return Became::Refused(BatchError::BatchTooLong);
    };
    match sink.reserve(around.total) {
        Ok(Some(room)) => {
            if let Some(room) = around.put(room) {
                copy(room, batch);
            }
        }
        Ok(None) => {
            if let Err(error) = around.write_front(sink) {
                return became(full_or_all(error, around.total));
            }
            if let Err(error) = sink.write(batch).and_then(|()| sink.write(&BATCH_TAIL)) {
                return Became::Torn(error);
            }
        }
        Err(error) => return became(full_or(error)),
    }
    Became::Sent(around.total)
}

/// What becomes of a batch whose first byte found no room, or no sink.
fn became<E>(put: Result<Put, WriteError<E>>) -> Became<E> {
    match put {
        Ok(Put::Full(needed)) => Became::Full(needed),
        Ok(Put::Done) => Became::Waits,
        Err(error) => Became::Broken(error),
    }
}

/// What stands around a batch: the header of its frame, and the constant head and tail of its message.
struct Around {
    header: HeaderBytes,
    head: [u8; BATCH_HEAD::LEN],
    /// Bytes of the frame.
    total: usize,
}

impl Around {
    fn new(sender: &mut Sender<Server>, id: u32, len: usize) -> Option<Self> {
        let head = batch_head(id, len)?;
        let message = len.checked_add(AROUND_BATCH)?;
        let header = sender.header(whole(), message as u64, ()).ok()?;
        let total = message.checked_add(header.as_slice().len())?;
        Some(Self { header, head, total })
    }

    /// Fills both ends of `room`, which has the length of the frame; returns what is between them.
    fn put<'r>(&self, room: &'r mut [u8]) -> Option<&'r mut [u8]> {
        let header = self.header.as_slice();
        let (front, room) = room.split_at_mut_checked(header.len())?;
        let (head, room) = room.split_first_chunk_mut()?;
        let (room, tail) = split_last_chunk_mut(room)?;
        copy(front, header);
        (*head, *tail) = (self.head, BATCH_TAIL);
        Some(room)
    }

    /// Both heads in one write.
    fn write_front<S: Sink + ?Sized>(&self, sink: &mut S) -> Result<(), WriteError<S::Error>> {
        let mut front = [0; Server::HEAD_ROOM + BATCH_HEAD::LEN];
        let header = self.header.as_slice();
        copy(&mut front, header);
        copy(front.get_mut(header.len()..).unwrap_or_default(), &self.head);
        sink.write(front.get(..header.len() + BATCH_HEAD::LEN).unwrap_or_default())
    }
}
