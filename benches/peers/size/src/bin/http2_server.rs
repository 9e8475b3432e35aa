//! A server of one response over HTTP: version 2 alone.
#![no_std]
#![no_main]

use onewrite::http::OnlyHttp2;
use onewrite_size::{serve, start};

start!(serve::<OnlyHttp2>);
