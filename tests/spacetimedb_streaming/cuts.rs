//! The types that rows of the vectors and captures have.

use onewrite::bsatn::{Decode, RowCut, RowList, Tail};

/// `mixed` of the vectors.
type Mixed<'a> = (u32, u64, i32, &'a str);
/// `note`, `same` and `ping` of the captures.
type Note<'a> = (u32, &'a str);

/// A type whose values end where the rows of `list` do, if one is known.
pub(crate) fn of(list: RowList<'_>) -> Option<RowCut> {
    if list.typed::<Mixed<'_>>(Tail::Strict).all(|row| row.is_ok()) {
        return Some(|row| Mixed::decode(row).map(drop));
    }
    if list.typed::<Note<'_>>(Tail::Strict).all(|row| row.is_ok()) {
        return Some(|row| Note::decode(row).map(drop));
    }
    None
}
