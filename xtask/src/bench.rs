//! `cargo xtask bench`: the same work by us and by other serializers, timed in one run and counted.
//!
//! The program is `benches/peers/serializers`, a workspace of its own. It is timed on this machine,
//! and counted on this machine (callgrind) and on an emulated Cortex-A53 (QEMU's plugin). Everything
//! that is shown is made from the JSON, so `--from` shows it again.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail};

use crate::progress::say;
use crate::report::document::Timestamp;
use crate::report::facts::Facts;
use crate::report::{markdown, output, plot, text};
use crate::{throughput, workspace};

mod bars;
mod document;
mod marks;
mod page;
mod program;

use document::{Document, Effort};
use program::Programs;

/// What to measure, and where it goes.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Five short rounds; the counts are the same.
    #[arg(long)]
    quick: bool,
    /// Show this earlier measurement and measure nothing.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quick", "seed", "json"])]
    from: Option<PathBuf>,
    /// Only these workloads.
    #[arg(long, value_name = "WORKLOADS", value_delimiter = ',')]
    only: Vec<String>,
    /// Decides the order within the rounds; by default another one each time.
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Write the measurement, every sample included, to this file; one is always kept in
    /// target/bench.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the tables to this file, as Markdown.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Draw it into this file, as SVG.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

const HELP: &str = "\
A row is a workload, a place and a shape. Places: memory (a slice), dyn (a slice behind an opaque dyn
Write), pipe (a real pipe behind the same; time in the kernel included). Shapes with a peer's name are
that peer's; benches/peers/serializers/README.md says how each is set up.

Times are processor time of one thread on this machine, all rows in turn in an order drawn each round:
label host. Instructions are exact: here by callgrind, and of aarch64 Linux under qemu-user, built for
the Cortex-A53: label qemu-count. `x base` is against the row marked `=` of the same workload and place;
for time it has its own 99.9 % confidence interval. A row marked `!` is ahead in time and behind in one
of the counts, or the other way round: it says nothing, and is not to be quoted.

Exit code: 0 measured, 1 failed, 2 wrong usage. Bars that are missed are shown, and fail nothing.";

/// The command itself.
pub(crate) fn command(arguments: &Arguments, yes: bool) -> Result<()> {
    let Arguments { from, json, markdown, plot, .. } = arguments;
    for file in [json, markdown, plot].into_iter().flatten() {
        if from.as_ref().is_some_and(|from| output::same(from, file)) {
            bail!("{} is the measurement: name another file", file.display());
        }
        output::probe(file)?;
    }
    let mut document = match from {
        Some(file) => Document::read(file)?,
        None => measure(arguments, &folder()?, yes)?,
    };
    if from.is_some() {
        document.keep_only(&arguments.only);
    }
    let page = page::of(&document);
    output::print(&text::render(&page, output::width()))?;
    if let Some(file) = markdown {
        output::write(file, &markdown::render(&page))?;
        say(format_args!("wrote {}", file.display()));
    }
    if let Some(file) = plot {
        let picture = plot::of_times(&document.times()?)?;
        picture.notes.iter().for_each(|note| say(format_args!("in the picture: {note}")));
        output::write(file, &picture.svg)?;
        say(format_args!("wrote {}", file.display()));
    }
    Ok(())
}

/// Where measurements are kept. It is made before there is one.
fn folder() -> Result<PathBuf> {
    let folder = workspace::target_folder().join("bench");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot keep measurements in {}", folder.display()))?;
    Ok(folder)
}

fn measure(arguments: &Arguments, folder: &Path, yes: bool) -> Result<Document> {
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |now| now.as_secs());
    let seed = arguments.seed.unwrap_or(clock);
    let effort = if arguments.quick {
        Effort { rounds: 5, sample_us: 50, seed }
    } else {
        Effort { rounds: 51, sample_us: 500, seed }
    };
    let programs = Programs::build(yes)?;
    let mut facts = programs.facts()?;
    if let Some(commit) = throughput::commit() {
        facts.push(("commit".to_owned(), commit));
    }
    let before = load_average();
    let only = &arguments.only;
    let mut rows = programs.rows(only)?;
    say(format_args!("timing {} rows, --seed {seed}", rows.len()));
    let timed = programs.time(only, effort)?;
    timed.enter(&mut rows)?;
    facts.extend(timed.environment);
    facts.push((
        "load average before and after".to_owned(),
        format!("{before}, {}", load_average()),
    ));
    say("counting, here and on the emulated Cortex-A53");
    let [here, a53] = programs.count(only, rows.len())?;
    for ((row, here), a53) in rows.iter_mut().zip(here).zip(a53) {
        row.instructions = here;
        row.a53_instructions = a53;
    }
    let environment = Facts::of(facts);
    let environment_after = Facts::of(timed.environment_after);
    let measured_at = Timestamp::now();
    let document = Document { measured_at, environment, environment_after, effort, rows };
    keep(&document, arguments, folder)?;
    Ok(document)
}

/// Writes the measurement before anything is shown that may fail.
fn keep(document: &Document, arguments: &Arguments, folder: &Path) -> Result<()> {
    let json = document.json()?;
    let kept = folder.join(format!("{}.json", document.measured_at.compact()));
    for file in [Some(&kept), arguments.json.as_ref()].into_iter().flatten() {
        output::write(file, &json)?;
        say(format_args!("wrote {}", workspace::short(file)));
    }
    Ok(())
}

/// Programs that want to run, as an average of one minute.
fn load_average() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}
