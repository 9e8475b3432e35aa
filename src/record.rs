//! Fixed-size records: laid out at compile time, assembled in one place, written once.

/// Overwrites the `W` bytes of `record` that start at byte `AT`.
///
/// The place is checked when the call is compiled: a field that reaches past the record does not
/// build. What is left at run time is one store.
///
/// ```
/// use onewrite::record::put;
///
/// let mut record = [0; 8];
/// put::<2, 4, 8>(&mut record, 7u32.to_le_bytes());
/// assert_eq!(record, [0, 0, 7, 0, 0, 0, 0, 0]);
/// ```
///
/// ```compile_fail,E0080
/// let mut record = [0; 8];
/// onewrite::record::put::<6, 4, 8>(&mut record, 7u32.to_le_bytes());
/// ```
#[inline(always)]
pub const fn put<const AT: usize, const W: usize, const N: usize>(
    record: &mut [u8; N],
    bytes: [u8; W],
) {
    const { assert!(AT <= N && W <= N - AT, "field reaches past the record") }
    // Checked splits fold away and leave no panic path behind, also at opt-level 1.
    if let Some((_, tail)) = record.split_at_mut_checked(AT)
        && let Some(field) = tail.first_chunk_mut::<W>()
    {
        *field = bytes;
    }
}

/// The `W` bytes of `record` that start at byte `AT`; the mirror of [`put`].
#[inline(always)]
#[must_use]
pub const fn get<const AT: usize, const W: usize, const N: usize>(record: &[u8; N]) -> [u8; W] {
    const { assert!(AT <= N && W <= N - AT, "field reaches past the record") }
    if let Some((_, tail)) = record.split_at_checked(AT)
        && let Some(field) = tail.first_chunk::<W>()
    {
        *field
    } else {
        [0; W]
    }
}
