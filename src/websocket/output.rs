//! What of a frame or of a head lies in several places, into any sink.

use core::mem;

use crate::error::WriteError;
use crate::sink::{SCRATCH_LEN, Sink, copy};

/// Writes `parts` one after the other: into memory all or nothing, into a stream in as few writes as a
/// scratch allows.
pub(super) fn write_parts<'p, S, P, E>(
    parts: P,
    sink: &mut S,
) -> Result<(), WriteError<S::Error, E>>
where
    S: Sink + ?Sized,
    P: Iterator<Item = &'p [u8]> + Clone,
{
    let total = parts.clone().fold(0, |total: usize, part| total.saturating_add(part.len()));
    if let Some(mut room) = sink.reserve(total).map_err(WriteError::widen)? {
        for part in parts {
            if let Some((to, rest)) = mem::take(&mut room).split_at_mut_checked(part.len()) {
                copy(to, part);
                room = rest;
            }
        }
        return Ok(());
    }
    let mut scratch = [0; SCRATCH_LEN];
    let (mut filled, mut begun) = (0, false);
    for mut part in parts {
        loop {
            let room = scratch.get_mut(filled..).unwrap_or_default();
            let (now, later) = part.split_at_checked(room.len()).unwrap_or((part, &[]));
            copy(room, now);
            (filled, part) = (filled + now.len(), later);
            if filled < SCRATCH_LEN {
                break;
            }
            write_or_poison(&scratch, begun, sink)?;
            (filled, begun) = (0, true);
        }
    }
    write_or_poison(scratch.get(..filled).unwrap_or_default(), begun, sink)
}

/// Where a message has begun, it cannot be taken back.
pub(super) fn write_or_poison<S: Sink + ?Sized, E>(
    bytes: &[u8],
    begun: bool,
    sink: &mut S,
) -> Result<(), WriteError<S::Error, E>> {
    if bytes.is_empty() {
        return Ok(());
    }
    let written = sink.write(bytes);
    if begun && written.is_err() {
        sink.poison();
    }
    written.map_err(WriteError::widen)
}
