//! A batch: what changed in the components of a page.

use super::frame::flag;
use super::layout::{offset, wire_count};
use super::{BatchError, Edit, EditType, Frame, FrameType, Place};
use crate::string_table::Keys;

/// The edits of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diff<'a> {
    /// The component's id.
    pub component: i32,
    /// Its edits, in the order in which they apply.
    pub edits: &'a [Edit<'a>],
}

/// Everything that one render changed.
///
/// Slices, not iterators: their lengths give every position on the wire before the first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Batch<'a> {
    /// The changed components.
    pub diffs: &'a [Diff<'a>],
    /// The frames that the edits refer to by index.
    pub frames: &'a [Frame<'a>],
    /// Components that are gone.
    pub disposed_components: &'a [i32],
    /// Event handlers that are gone.
    pub disposed_events: &'a [u64],
    /// Departures from what ASP.NET Core writes; none by default.
    pub options: Options,
}

/// Departures from what ASP.NET Core writes, all off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Options {
    /// Leave out components without edits (12 bytes each; dotnet/aspnetcore#45831).
    pub skip_empty_diffs: bool,
    /// Refuse event handler ids above 2^53 - 1, which the browser cannot hold.
    pub js_safe: bool,
}

/// Set in the key of a string that stands in an edit; the rest counts edits over all diffs. The
/// key of a frame's string is twice the frame's index, plus one for the unshared string.
#[doc(hidden)]
pub const EDIT_KEY: u32 = 1 << 31;

/// The largest event handler id that a browser holds: `Number.MAX_SAFE_INTEGER`.
pub(super) const JS_SAFE: u64 = (1 << 53) - 1;

impl<'a> Batch<'a> {
    /// The diffs that the options leave in.
    #[inline(always)]
    pub(super) fn written_diffs(&self) -> impl Iterator<Item = &'a Diff<'a>> + use<'a> {
        let skip = self.options.skip_empty_diffs;
        self.diffs.iter().filter(move |diff| !(skip && diff.edits.is_empty()))
    }

    /// Whether the options leave `diff` out.
    #[inline(always)]
    pub(super) const fn skips(&self, diff: &Diff<'_>) -> bool {
        self.options.skip_empty_diffs && diff.edits.is_empty()
    }

    /// Whether the string at `key` is one that the batch shares.
    pub(super) fn is_shared(&self, key: u32) -> bool {
        let frame = self.frames.get((key >> 1) as usize);
        key & EDIT_KEY != 0
            || key & 1 == 0
            || frame.is_some_and(|frame| frame.flags & flag::OWN == 0)
    }

    /// Where the string at `key` stands.
    #[inline(never)]
    pub(super) fn place(&self, key: u32) -> Place {
        let mut index = key & !EDIT_KEY;
        if key & EDIT_KEY == 0 {
            let index = (index / 2) as usize;
            let kind = self.frames.get(index).map_or(FrameType::Element, Frame::kind);
            return Place::Frame { index, kind };
        }
        let mut number = 0;
        for diff in self.diffs {
            let edits = wire_count(diff.edits.len());
            if index < edits {
                break;
            }
            index -= edits;
            number += 1;
        }
        Place::Edit { diff: number, index: index as usize, kind: EditType::RemoveAttribute }
    }

    /// Refuses what the options refuse.
    #[inline(always)]
    pub(super) fn check_options(&self) -> Result<(), BatchError> {
        if self.options.js_safe { self.check_event_ids() } else { Ok(()) }
    }

    #[inline(never)]
    fn check_event_ids(&self) -> Result<(), BatchError> {
        for (index, frame) in self.frames.iter().enumerate() {
            if frame.event > JS_SAFE {
                let at = Place::Frame { index, kind: frame.kind };
                return Err(BatchError::EventIdTooLarge { at, id: frame.event });
            }
        }
        for (index, &id) in self.disposed_events.iter().enumerate() {
            if id > JS_SAFE {
                return Err(BatchError::DisposedEventIdTooLarge { index, id });
            }
        }
        Ok(())
    }

    /// The string of an edit, found by walking the diffs. Out of line, since only names of removed
    /// attributes stand in edits, and only those above 16 bytes are fetched again.
    #[inline(never)]
    fn edit_string(&self, key: u32) -> &'a str {
        let mut index = key & !EDIT_KEY;
        for diff in self.diffs {
            if let Some(edit) = diff.edits.get(offset(index)) {
                return edit.name.as_str().unwrap_or_default();
            }
            index = index.saturating_sub(wire_count(diff.edits.len()));
        }
        ""
    }
}

/// The component, and the number of its edits.
#[cfg(feature = "defmt")]
impl defmt::Format for Diff<'_> {
    fn format(&self, f: defmt::Formatter<'_>) {
        let (component, edits) = (self.component, self.edits.len());
        defmt::write!(f, "Diff {{ component: {=i32}, edits: {=usize} }}", component, edits);
    }
}

/// The lengths of the arrays: a batch is larger than a log.
#[cfg(feature = "defmt")]
impl defmt::Format for Batch<'_> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(
            f,
            "Batch {{ diffs: {=usize}, frames: {=usize}, disposed_components: {=usize}, \
             disposed_events: {=usize}, options: {} }}",
            self.diffs.len(),
            self.frames.len(),
            self.disposed_components.len(),
            self.disposed_events.len(),
            self.options
        );
    }
}

impl Keys for Batch<'_> {
    #[inline(always)]
    fn string(&self, key: u32) -> &str {
        if key & EDIT_KEY != 0 {
            return self.edit_string(key);
        }
        match self.frames.get((key >> 1) as usize) {
            Some(frame) if key & 1 == 0 => frame.shared,
            // The only shared string at an odd key is an empty attribute value.
            Some(frame) => frame.own,
            None => "",
        }
    }
}
