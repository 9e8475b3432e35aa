//! A render batch of three frames, written in place.
#![no_std]
#![no_main]

use onewrite::render_batch::{Batch, Diff, Edit, Frame, Value, write_into};
use onewrite::string_table::SlimStringTable;
use onewrite_size::{Port, start};

start!(main);

fn main(port: &mut Port) -> u32 {
    let [component, event] = [(); 2].map(|()| port.read());
    let frames = [
        Frame::element("div", 3),
        Frame::event_handler("onclick", event.into()),
        Frame::attribute("class", Value::Str("even")),
    ];
    let edits = [Edit::prepend_frame(0, 0)];
    let diffs = [Diff { component: component.cast_signed(), edits: &edits }];
    let batch = Batch { diffs: &diffs, frames: &frames, ..Batch::default() };
    let (mut table, mut output) = (SlimStringTable::<16>::new(), [0; 256]);
    let Ok(len) = write_into(&mut table, &batch, &mut output) else { return 1 };
    for byte in output.iter().take(len) {
        port.send(*byte);
    }
    0
}
