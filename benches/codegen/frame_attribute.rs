//! A frame as users build it: the name's hash and kind are the compiler's work.
#![cfg_attr(target_os = "none", no_std)]

use onewrite::render_batch::{Frame, Name, Value};
use onewrite_codegen as _;

const CLASS: Name<'static> = Name::new("class");

#[unsafe(no_mangle)]
fn bench_frame_attribute(event: u64) -> Frame<'static> {
    Frame::attribute_named(CLASS, Value::Str("even"), event)
}
