//! The machines the onewrite examples run on.
#![no_std]
