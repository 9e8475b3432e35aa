//! The same work done by onewrite and by other serializers, to be timed and counted by
//! `cargo xtask bench`.
//!
//! ```text
//! serializers list                  a line a row: what it writes, and whether it allocates
//! serializers time [OPTIONS]        a line a sample; all rows in turn, in an order drawn each round
//! serializers count                 nothing: marks between the rows for who counts instructions
//!   --rounds N  --sample-us N  --seed N  --core N     of time
//!   --only WORKLOAD,...                               of all three
//! ```
//!
//! Every row's output is looked at before anything is measured; see [`row`].

mod allocations;
mod batches;
mod count;
mod frames;
mod interning;
mod passing;
mod peers;
mod pipe;
#[allow(nonstandard_style, unused, reason = "as the generator writes it")]
#[rustfmt::skip]
mod proto;
mod row;
mod stored;
mod text;
mod time;

// Workloads and shapes of the example `throughput`, which name each other from the root. Not
// everything of them is asked for here.
#[allow(dead_code, reason = "the example's own")]
#[path = "../../../../examples/throughput/memory.rs"]
mod memory;
#[allow(dead_code, reason = "the example's own")]
#[path = "../../../../examples/throughput/shapes.rs"]
mod shapes;
#[path = "../../../../examples/throughput/walk.rs"]
mod walk;
#[allow(dead_code, reason = "the example's own")]
#[path = "../../../../examples/throughput/workloads/mod.rs"]
mod workloads;

use std::process::ExitCode;

use crate::row::{Room, Rows};

const USAGE: &str = "usage: serializers list|time|count [--rounds N] [--sample-us N] [--seed N] \
                     [--core N] [--only WORKLOAD,...]";

/// What was asked for.
struct Arguments {
    task: String,
    rounds: u32,
    sample_us: u64,
    seed: u64,
    core: Option<usize>,
    only: Vec<String>,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("serializers: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments = Arguments::read(std::env::args().skip(1))?;
    if let Some(core) = arguments.core {
        onewrite_boards::pin_to(core).map_err(|failure| failure.message().to_owned())?;
    }
    let mut rows = Rows::default();
    frames::add(&mut rows);
    batches::add(&mut rows);
    stored::add(&mut rows);
    text::add(&mut rows);
    interning::add(&mut rows);
    let only = &arguments.only;
    rows.all.retain(|row| only.is_empty() || only.contains(&row.workload));
    if rows.all.is_empty() {
        return Err("no such workload".to_owned());
    }
    let mut room = Room::new().map_err(|error| format!("no pipe: {error}"))?;
    let found = row::look_at(&mut rows.all, &mut room)?;
    match arguments.task.as_str() {
        "list" => found.iter().for_each(|line| println!("{line}")),
        "time" => time::run(&mut rows.all, &mut room, &arguments),
        "count" => count::run(&mut rows.all, &mut room),
        _ => return Err(USAGE.to_owned()),
    }
    Ok(())
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let task = words.next().ok_or(USAGE)?;
        let mut arguments =
            Self { task, rounds: 5, sample_us: 200, seed: 1, core: None, only: Vec::new() };
        while let Some(word) = words.next() {
            let value = words.next().ok_or(USAGE)?;
            match word.as_str() {
                "--rounds" => arguments.rounds = value.parse().map_err(|_| USAGE)?,
                "--sample-us" => arguments.sample_us = value.parse().map_err(|_| USAGE)?,
                "--seed" => arguments.seed = value.parse().map_err(|_| USAGE)?,
                "--core" => arguments.core = Some(value.parse().map_err(|_| USAGE)?),
                "--only" => arguments.only = value.split(',').map(str::to_owned).collect(),
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(arguments)
    }
}
