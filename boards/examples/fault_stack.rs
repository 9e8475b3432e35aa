//! A stack that is full is reported, with code 102, and eats no data before that.
#![cfg_attr(target_os = "none", no_std, no_main)]
#![allow(clippy::large_stack_arrays, reason = "this is what is tested")]

use core::hint::black_box;

use onewrite_boards::{Console, Failure, entry};

entry!(run);

fn run(_: &mut Console) -> Result<(), Failure> {
    if cfg!(target_os = "none") && descend(1) != 0 {
        return Err("a stack without end".into());
    }
    Err("nothing faulted".into())
}

/// Two thousand calls would fill the stack of 2 MiB; this makes a million.
fn descend(depth: u32) -> u32 {
    let frame = black_box([depth; 256]);
    if depth == 1_000_000 {
        return frame.iter().sum();
    }
    descend(depth + 1).wrapping_add(frame[0])
}
