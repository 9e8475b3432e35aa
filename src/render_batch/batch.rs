//! A batch: what changed in the components of a page.

use super::{Edit, Frame};

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
