//! Output that is made in chunks.

use crate::error::{WriteError, WriteErrorKind};

use super::Sink;

/// Makes one message, in chunks of whole records.
///
/// A protocol's stream writer is a producer. It does not know what the bytes go to, so there is no
/// second copy of the protocol for sinks that are asynchronous.
///
/// A producer makes its message once. It has moved past a chunk as soon as it has made it, whatever
/// becomes of that chunk, so a message that was not sent to its end is made again by a new
/// producer, never by the same one. What pumps producers takes them by value for this reason; a
/// `&mut P` is a producer as well, to look at it afterwards.
pub trait Producer {
    /// What the protocol can refuse.
    type Error;

    /// Fills `scratch` from its start and returns how many bytes it filled.
    ///
    /// The bytes follow directly on those of the call before. A chunk holds whole records; only
    /// long strings are cut into pieces. `Ok(0)` means that the message is complete, and so does
    /// every later call. The scratch may differ from call to call, and what it holds on entry has
    /// no meaning. The bytes from the returned count on may have been overwritten.
    ///
    /// # Errors
    ///
    /// The protocol's own. A scratch that is too small for a single record is among them, never
    /// `Ok(0)`. After an error the message cannot be completed.
    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, Self::Error>;
}

impl<P: Producer + ?Sized> Producer for &mut P {
    type Error = P::Error;

    #[inline]
    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, Self::Error> {
        (**self).next_chunk(scratch)
    }
}

/// Writes everything that `producer` makes to `sink`, and returns the number of bytes.
///
/// One [`Sink::write`] a chunk. Chunks before the one that failed stay written: to be sure that
/// memory holds a whole message or none, let the producer fill a slice of it directly.
///
/// | what stops the message | memory | a stream |
/// |---|---|---|
/// | the producer, before its first chunk | as it was | as it was |
/// | the producer, behind a chunk | keeps the chunks before | [poisoned](Sink::poison) |
/// | the sink, at any chunk | keeps the chunks before | [poisoned](Sink::poison) |
///
/// A stream is poisoned also where it took no byte: the producer has moved past the chunk, and the
/// message it would go on with has no beginning. Try again with a new one.
///
/// # Errors
///
/// Those of the sink, untouched. `Encode` with the protocol's own, and `Miscounted` if the producer
/// claims more bytes than `scratch` has; with these two, `written` counts this message only.
pub fn write_from<S, P>(
    sink: &mut S,
    mut producer: P,
    scratch: &mut [u8],
) -> Result<usize, WriteError<S::Error, P::Error>>
where
    S: Sink + ?Sized,
    P: Producer,
{
    let mut written: usize = 0;
    loop {
        let chunk = match chunk_of(&mut producer, scratch) {
            Ok([]) => return Ok(written),
            Ok(chunk) => chunk,
            Err(kind) => {
                if written != 0 {
                    sink.poison();
                }
                return Err(WriteError::new(written, kind));
            }
        };
        if let Err(error) = sink.write(chunk) {
            sink.poison();
            return Err(error.widen());
        }
        written = written.saturating_add(chunk.len());
    }
}

/// The producer's next chunk as it stands in `scratch`.
#[inline]
pub(super) fn chunk_of<'s, P: Producer + ?Sized, E>(
    producer: &mut P,
    scratch: &'s mut [u8],
) -> Result<&'s [u8], WriteErrorKind<E, P::Error>> {
    let len = match producer.next_chunk(scratch) {
        Ok(len) => len,
        Err(error) => return Err(WriteErrorKind::Encode(error)),
    };
    match scratch.get(..len) {
        Some(chunk) => Ok(chunk),
        None => Err(WriteErrorKind::Miscounted { offered: scratch.len(), claimed: len }),
    }
}

/// The length of scratch that the drivers use when the caller brings none.
///
/// A sink call costs about as much as five records, so a scratch of one record wastes most of the
/// time; past a dozen records there is little left to gain.
pub const SCRATCH_LEN: usize = 256;
