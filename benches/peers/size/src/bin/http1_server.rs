//! A server of one response over HTTP: version 1 alone.
#![no_std]
#![no_main]

use onewrite::http::OnlyHttp1;
use onewrite_size::{serve, start};

start!(serve::<OnlyHttp1>);
