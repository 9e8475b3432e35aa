//! Samples of time: all rows in turn, in another order each round.

use std::hint::black_box;

use rustix::time::{ClockId, clock_gettime};

use crate::Arguments;
use crate::pipe;
use crate::row::{Place, Room, Row};

/// Prints a line `sample ROW ROUND REPS NS` for each row of each round; rows are numbered as
/// `list` names them.
///
/// What drifts or disturbs hits rows of all kinds alike. Nothing is printed between two samples of
/// a round.
pub(crate) fn run(rows: &mut [Row], room: &mut Room, arguments: &Arguments) {
    for fact in onewrite_boards::environment().facts() {
        println!("env {fact}");
    }
    let mut random = fastrand::Rng::with_seed(arguments.seed);
    let reps: Vec<u64> = rows
        .iter_mut()
        .map(|row| {
            // The second time finds everything in the caches.
            sample(row, room, 1);
            let once = sample(row, room, 3) / 3;
            (arguments.sample_us * 1000 / once.max(1)).clamp(1, 100_000)
        })
        .collect();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    for round in 0..arguments.rounds {
        random.shuffle(&mut order);
        let samples: Vec<(usize, u64)> = order
            .iter()
            .map(|&index| (index, sample(&mut rows[index], room, reps[index])))
            .collect();
        for (index, ns) in samples {
            println!("sample {index} {round} {} {ns}", reps[index]);
        }
    }
    for fact in onewrite_boards::environment().facts() {
        println!("env-after {fact}");
    }
}

/// Nanoseconds that this thread has run, in the kernel as well: other programs that share the core
/// do not count.
fn processor_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    u64::try_from(time.tv_sec * 1_000_000_000 + time.tv_nsec).unwrap_or_default()
}

/// Nanoseconds of so many times. A pipe is emptied when it is half full; that is not among them.
#[inline(never)]
fn sample(row: &mut Row, room: &mut Room, reps: u64) -> u64 {
    let burst = match row.place {
        Place::Pipe => (pipe::ROOM / 2 / row.bytes().max(1)).max(1) as u64,
        Place::Memory | Place::Dyn => reps,
    };
    let (mut left, mut sum) = (reps, 0);
    while left > 0 {
        let now = left.min(burst);
        let start = processor_ns();
        for _ in 0..now {
            black_box(row.once(room));
        }
        sum += processor_ns() - start;
        left -= now;
        room.pipe.drain();
    }
    sum
}
