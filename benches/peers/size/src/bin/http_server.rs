//! A server of one response over HTTP: both versions, by what the client sends first.
#![no_std]
#![no_main]

use onewrite::http::Both;
use onewrite_size::{serve, start};

start!(serve::<Both>);
