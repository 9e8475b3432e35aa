//! Whole render batches, strings included: workloads and shapes of the example `throughput`.

use std::cell::RefCell;
use std::hint::black_box;

use onewrite::render_batch::{Batch, Diff, write_into};

use crate::memory::{Memory, Table};
use crate::row::Rows;
use crate::shapes::{Shape, Tools};
use crate::workloads::{self, ARENA_LEN, Arena, BATCH_LEN, Page};

/// The workloads of the source pull requests, by their names in the example.
const BATCHES: [(&str, &str); 5] = [
    ("batch-64", "seed000-frames-64"),
    ("batch-512", "seed000-frames-512"),
    ("batch-4096", "seed000-frames-4096"),
    ("batch-table-200", "seed001-table-200"),
    ("batch-counter", "seed001-counter-update"),
];

/// All shapes share one string table and one list; each batch has its own text.
pub(crate) fn add(rows: &mut Rows) {
    let Memory { table, list, .. } = Memory::take().expect("it is taken once");
    let tools = Tools { table, list: &mut list[..], finished: &[] };
    let tools: &'static RefCell<Tools<'static>> = Box::leak(Box::new(RefCell::new(tools)));
    for (name, batch) in BATCHES {
        let finished: &'static [u8] = finished(batch).leak();
        let (batch, records) = build(batch);
        rows.begin(name, records, finished.to_vec(), ["in_place", "stream"]);
        for shape in [Shape::FieldDyn, Shape::Scratch, Shape::Stream] {
            rows.outlet(shape.name(), move |outlet| {
                let Tools { table, list, .. } = &mut *tools.borrow_mut();
                shape.send(table, list, black_box(batch), outlet).expect("the room is there");
            });
        }
        rows.outlet(Shape::Memcpy.name(), move |outlet| {
            outlet.write_all(black_box(finished)).expect("the room is there");
        });
        for shape in [Shape::InPlace, Shape::Memcpy] {
            rows.memory(shape.name(), move |out| {
                let tools = &mut *tools.borrow_mut();
                tools.finished = finished;
                shape.write(tools, black_box(batch), out).expect("the room is there")
            });
        }
    }
}

/// The bytes of a batch, by its name in the example.
pub(crate) fn finished(name: &str) -> Vec<u8> {
    let mut table = Box::new(Table::new());
    let mut out = vec![0; BATCH_LEN];
    let len = write_into(&mut *table, build(name).0, &mut out).expect("the room is there");
    out.truncate(len);
    out
}

/// The batch, and how many records it has.
fn build(name: &str) -> (&'static Batch<'static>, usize) {
    let workload = workloads::ALL.iter().find(|workload| workload.name == name);
    let workload = workload.expect("a workload of the example");
    let arena = Arena::new(vec![0; ARENA_LEN].leak());
    let page: &'static mut Page<'static> = Box::leak(Box::new(Page::new(workload.variant, arena)));
    assert!(workload.build(page), "{name} fits the memory for it");
    let page: &'static Page<'static> = page;
    let diff: &'static Option<Diff<'static>> = Box::leak(Box::new(page.diff()));
    (Box::leak(Box::new(page.batch(diff.as_slice()))), workload.records)
}
