//! For who counts instructions from outside: marks before and after each row's work.

use std::hint::black_box;
use std::os::unix::process::parent_id;

use crate::row::{Room, Row};

/// Each row has three marks. Between the first two it does its work once, then three times; half of
/// the difference is one time, without marks and loop. What follows the third is nobody's.
pub(crate) fn run(rows: &mut [Row], room: &mut Room) {
    for row in rows {
        // Everything that happens the first time only.
        row.once(room);
        room.pipe.drain();
        bench_mark();
        repeat(row, room, ONCE);
        bench_mark();
        repeat(row, room, MORE);
        bench_mark();
        room.pipe.drain();
    }
}

const ONCE: u32 = 1;
const MORE: u32 = 3;

#[inline(never)]
fn repeat(row: &mut Row, room: &mut Room, times: u32) {
    for _ in 0..black_box(times) {
        row.once(room);
    }
}

/// What callgrind knows by its name, and QEMU's plugin by its system call, which nothing else here
/// makes.
#[inline(never)]
fn bench_mark() {
    black_box(parent_id());
}
