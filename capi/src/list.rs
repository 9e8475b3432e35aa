//! Lists of a stated capacity in the caller's memory.

use core::slice;

use crate::Status;

/// Items in memory that the handle has a promise for.
#[derive(Debug)]
pub(crate) struct List<T> {
    start: *mut T,
    capacity: usize,
    len: usize,
}

impl<T: Copy> List<T> {
    /// An empty list.
    ///
    /// # Safety
    ///
    /// For as long as the list is used `start` leads, aligned, to room for `capacity` items that
    /// nobody else uses.
    pub(crate) const unsafe fn new(start: *mut T, capacity: usize) -> Self {
        Self { start, capacity, len: 0 }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) const fn is_full(&self) -> bool {
        self.len >= self.capacity
    }

    /// Appends an item.
    pub(crate) fn push(&mut self, item: T) -> Result<(), Status> {
        if self.is_full() {
            return Err(Status::CapacityExceeded);
        }
        let place = self.start.wrapping_add(self.len);
        // SAFETY: `len` is below the capacity, so by the promise of `new` there is room for an
        // item, aligned as the first one is.
        unsafe { place.write(item) };
        self.len = self.len.wrapping_add(1);
        Ok(())
    }

    /// Overwrites the last item.
    pub(crate) fn replace_last(&mut self, item: T) {
        if let Some(last) = self.len.checked_sub(1) {
            let place = self.start.wrapping_add(last);
            // SAFETY: `last` is below the capacity, so by the promise of `new` there is room for
            // an item, aligned as the first one is.
            unsafe { place.write(item) };
        }
    }

    /// Sets all of the capacity to `item`.
    pub(crate) fn fill(&mut self, item: T) {
        self.len = 0;
        while self.push(item).is_ok() {}
    }

    /// The items from `first` on, for as long as the promise of [`new`](Self::new) holds.
    ///
    /// # Safety
    ///
    /// For as long as `'a` none of them is overwritten.
    pub(crate) unsafe fn items_from<'a>(&self, first: usize) -> &'a [T] {
        let Some(len) = self.len.checked_sub(first) else { return &[] };
        // SAFETY: `push` has written the first `len` items; that they stay, the caller promises.
        unsafe { slice::from_raw_parts(self.start.wrapping_add(first), len) }
    }

    /// The items, to change.
    ///
    /// # Safety
    ///
    /// For as long as `'a` the list is not used otherwise.
    pub(crate) unsafe fn items_mut<'a>(&mut self) -> &'a mut [T] {
        // SAFETY: `push` has written the first `len` items; that nobody else uses them, the caller
        // promises.
        unsafe { slice::from_raw_parts_mut(self.start, self.len) }
    }
}
