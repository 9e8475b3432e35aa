//! Nothing: what is subtracted, or not.
#![no_std]
#![no_main]

use onewrite_size::{Port, start};

start!(main);

fn main(port: &mut Port) -> u32 {
    port.read()
}
