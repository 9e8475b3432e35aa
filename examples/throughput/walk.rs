//! The writers that the library's are measured against: the same walk over the batch, with a
//! write for each field or for each record.

use onewrite::leb128;
use onewrite::render_batch::{Batch, EDIT_KEY, EditRecord, FrameRecord, FrameType, StringList};
use onewrite::string_table::{Interner as _, Keys as _};

use crate::memory::Table;
use crate::shapes::{Outlet, Refused};

/// How the parts of a batch leave.
pub(crate) trait Leave {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Refused>;

    /// Integers that stand together.
    fn ints<const N: usize>(&mut self, ints: [u32; N]) -> Result<(), Refused>;

    fn frame(&mut self, frame: &FrameRecord) -> Result<(), Refused>;

    fn edit(&mut self, edit: &EditRecord) -> Result<(), Refused>;
}

/// A write for each field, as `BinaryWriter` does under ASP.NET Core's `RenderBatchWriter`.
pub(crate) struct Fields<'a, 'o>(pub(crate) &'a mut Outlet<'o>);

impl Leave for Fields<'_, '_> {
    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        Ok(self.0.write_all(bytes)?)
    }

    #[inline(always)]
    fn ints<const N: usize>(&mut self, ints: [u32; N]) -> Result<(), Refused> {
        for int in ints {
            self.bytes(&int.to_le_bytes())?;
        }
        Ok(())
    }

    /// Five writes, or four for an attribute: its event handler id is one field of eight bytes,
    /// where other kinds have padding of four and four.
    #[inline(always)]
    fn frame(&mut self, frame: &FrameRecord) -> Result<(), Refused> {
        self.bytes(&frame.kind.to_le_bytes())?;
        self.bytes(&frame.first.to_le_bytes())?;
        self.bytes(&frame.second.to_le_bytes())?;
        if frame.kind == FrameType::Attribute as i32 {
            self.bytes(&frame.event.to_le_bytes())
        } else {
            self.ints([0, 0])
        }
    }

    #[inline(always)]
    fn edit(&mut self, edit: &EditRecord) -> Result<(), Refused> {
        self.bytes(&edit.kind.to_le_bytes())?;
        self.bytes(&edit.sibling.to_le_bytes())?;
        self.bytes(&edit.index.to_le_bytes())?;
        self.bytes(&edit.name.to_le_bytes())
    }
}

/// A write for each record, which is assembled first.
pub(crate) struct Records<'a, 'o>(pub(crate) &'a mut Outlet<'o>);

impl Leave for Records<'_, '_> {
    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        Ok(self.0.write_all(bytes)?)
    }

    #[inline(always)]
    fn ints<const N: usize>(&mut self, ints: [u32; N]) -> Result<(), Refused> {
        self.bytes(ints.map(u32::to_le_bytes).as_flattened())
    }

    #[inline(always)]
    fn frame(&mut self, frame: &FrameRecord) -> Result<(), Refused> {
        self.bytes(&frame.to_bytes())
    }

    #[inline(always)]
    fn edit(&mut self, edit: &EditRecord) -> Result<(), Refused> {
        self.bytes(&edit.to_bytes())
    }
}

/// Writes `batch`, whose strings are found through the library's table and list.
#[inline(always)]
pub(crate) fn write<L: Leave>(
    table: &mut Table,
    list: &mut [u32],
    batch: &Batch<'_>,
    out: &mut L,
) -> Result<(), Refused> {
    table.clear();
    let mut strings = StringList { entries: list, count: 0 };

    let mut key = EDIT_KEY;
    for diff in batch.diffs {
        out.ints([diff.component.cast_unsigned(), int(diff.edits.len())?])?;
        for edit in diff.edits {
            let record = strings.edit_record(table, batch, edit, key).map_err(|_| Refused)?;
            out.edit(&record)?;
            key += 1;
        }
    }
    let mut at = 0;
    out.ints([int(batch.diffs.len())?])?;
    for diff in batch.diffs {
        out.ints([at])?;
        at += int(2 * INT + EditRecord::SIZE * diff.edits.len())?;
    }
    let diff_positions = at;
    let frames = diff_positions + int(INT + INT * batch.diffs.len())?;

    out.ints([int(batch.frames.len())?])?;
    let mut key = 0;
    for frame in batch.frames {
        let record = strings.frame_record(table, batch, frame, key).map_err(|_| Refused)?;
        out.frame(&record)?;
        key += 2;
    }
    let components = frames + int(INT + FrameRecord::SIZE * batch.frames.len())?;

    out.ints([int(batch.disposed_components.len())?])?;
    for id in batch.disposed_components {
        out.bytes(&id.to_le_bytes())?;
    }
    let events = components + int(INT + INT * batch.disposed_components.len())?;
    out.ints([int(batch.disposed_events.len())?])?;
    for id in batch.disposed_events {
        out.bytes(&id.to_le_bytes())?;
    }

    let mut at = events + int(INT + 2 * INT * batch.disposed_events.len())?;
    let StringList { entries, count } = strings;
    let entries = entries.get_mut(..count).ok_or(Refused)?;
    for entry in &mut *entries {
        let string = batch.string(*entry);
        *entry = at;
        let (prefix, len) = leb128::encode_u32(int(string.len())?);
        out.bytes(prefix.get(..len).ok_or(Refused)?)?;
        out.bytes(string.as_bytes())?;
        at += int(len + string.len())?;
    }
    for position in entries {
        out.ints([*position])?;
    }
    out.ints([diff_positions, frames, components, events, at])
}

const INT: usize = size_of::<u32>();

#[inline(always)]
fn int(count: usize) -> Result<u32, Refused> {
    u32::try_from(count).map_err(|_| Refused)
}
