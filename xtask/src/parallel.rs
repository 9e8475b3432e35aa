//! Work that does not depend on each other, on every core.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What `work` makes of each item, in their order; begun in their order, too.
///
/// A panic in `work` goes on here.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let workers = cores().min(items.len());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(item), Some(result)) = (items.get(index), results.get(index)) else {
                        return;
                    };
                    let done = work(item);
                    if let Ok(mut result) = result.lock() {
                        *result = Some(done);
                    }
                }
            });
        }
    });
    results.into_iter().filter_map(|result| result.into_inner().ok().flatten()).collect()
}

/// The cores that this process may use.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_and_the_order_kept() {
        let items: Vec<u64> = (0..100).collect();
        let squares = map(&items, |item| {
            // The first are the slowest: they end last.
            thread::sleep(std::time::Duration::from_micros(200 - 2 * item));
            item * item
        });
        assert_eq!(squares, items.iter().map(|item| item * item).collect::<Vec<_>>());
        assert!(map(&[] as &[u64], |item| *item).is_empty());
    }
}
