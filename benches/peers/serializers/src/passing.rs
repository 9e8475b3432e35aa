//! How a record reaches the function that writes it, a write for each field: the four shapes that
//! the source pull requests compared, and one record a write by hand.
//!
//! | shape | the record is passed |
//! |---|---|
//! | `field-in` | by shared reference |
//! | `field-value` | by value |
//! | `field-local` | as a reference to a copy in a local variable |
//! | `field-direct` | as slice and index: the fields are read from the slice itself |
//! | `record-scratch` | by shared reference, and assembled in 20 bytes, zeroed first |
//!
//! The functions are not inlined, since there is nothing to pass otherwise.

use std::hint::black_box;

use embedded_io::{SliceWriteError, Write};
use onewrite::record::Scratch;

use crate::frames::Frame;
use crate::row::Rows;

pub(crate) fn add(rows: &mut Rows, frames: &'static [Frame]) {
    macro_rules! shape {
        ($name:literal, $walk:ident) => {
            rows.memory($name, move |out| {
                let available = out.len();
                let mut free = out;
                $walk(black_box(frames), &mut free).expect("the room is there");
                available - free.len()
            });
            rows.outlet($name, move |outlet| {
                $walk(black_box(frames), outlet).expect("the room is there");
            });
        };
    }
    shape!("field-in", by_reference);
    shape!("field-value", by_value);
    shape!("field-local", by_local_copy);
    shape!("field-direct", by_index);
    shape!("record-scratch", by_record);
}

type Written = Result<(), SliceWriteError>;

fn by_reference<W: Write<Error = SliceWriteError> + ?Sized>(
    frames: &[Frame],
    out: &mut W,
) -> Written {
    frames.iter().try_for_each(|frame| fields_in(frame, out))
}

fn by_value<W: Write<Error = SliceWriteError> + ?Sized>(frames: &[Frame], out: &mut W) -> Written {
    frames.iter().try_for_each(|frame| fields_of(*frame, out))
}

fn by_local_copy<W: Write<Error = SliceWriteError> + ?Sized>(
    frames: &[Frame],
    out: &mut W,
) -> Written {
    for frame in frames {
        // Without the box the copy is left out, and this is the shape before.
        let copy = black_box(*frame);
        fields_in(&copy, out)?;
    }
    Ok(())
}

fn by_index<W: Write<Error = SliceWriteError> + ?Sized>(frames: &[Frame], out: &mut W) -> Written {
    (0..frames.len()).try_for_each(|index| fields_at(frames, index, out))
}

fn by_record<W: Write<Error = SliceWriteError> + ?Sized>(frames: &[Frame], out: &mut W) -> Written {
    frames.iter().try_for_each(|frame| record_in(frame, out))
}

#[inline(always)]
fn fields<W: Write<Error = SliceWriteError> + ?Sized>(frame: &Frame, out: &mut W) -> Written {
    out.write_all(&frame.kind.to_le_bytes())?;
    out.write_all(&frame.first.to_le_bytes())?;
    out.write_all(&frame.second.to_le_bytes())?;
    out.write_all(&frame.event.to_le_bytes())
}

#[inline(never)]
fn fields_in<W: Write<Error = SliceWriteError> + ?Sized>(frame: &Frame, out: &mut W) -> Written {
    fields(frame, out)
}

#[inline(never)]
fn fields_of<W: Write<Error = SliceWriteError> + ?Sized>(frame: Frame, out: &mut W) -> Written {
    fields(&frame, out)
}

#[inline(never)]
fn fields_at<W: Write<Error = SliceWriteError> + ?Sized>(
    frames: &[Frame],
    index: usize,
    out: &mut W,
) -> Written {
    frames.get(index).map_or(Ok(()), |frame| fields(frame, out))
}

#[inline(never)]
fn record_in<W: Write<Error = SliceWriteError> + ?Sized>(frame: &Frame, out: &mut W) -> Written {
    let mut scratch = Scratch::<20>::new();
    scratch.put::<0, 4>(frame.kind.to_le_bytes());
    scratch.put::<4, 4>(frame.first.to_le_bytes());
    scratch.put::<8, 4>(frame.second.to_le_bytes());
    scratch.put::<12, 8>(frame.event.to_le_bytes());
    out.write_all(scratch.as_bytes())
}
