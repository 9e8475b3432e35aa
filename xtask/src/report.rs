//! `cargo xtask report`: tables and pictures of measurements, made from their JSON alone.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueEnum;
use clap::error::ErrorKind;

use crate::progress::say;

pub(crate) mod comparison;
mod csv;
pub(crate) mod document;
pub(crate) mod facts;
mod history;
mod html;
pub(crate) mod load;
pub(crate) mod markdown;
pub(crate) mod measure;
pub(crate) mod output;
pub(crate) mod page;
pub(crate) mod plot;
#[cfg(test)]
pub(crate) mod sample;
pub(crate) mod statistics;
pub(crate) mod text;

use comparison::Comparison;
use document::Document;
use history::History;
use page::Page;
use plot::Growth;

/// What to show, and how.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Measurements that `throughput` has written; several of one label are shown as a history.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The form; by default that of the output's name, else text.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Compare with this earlier measurement.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Fail where a row got worse by more than this, in per cent.
    #[arg(long, value_name = "PERCENT", requires = "baseline", value_parser = limit)]
    limit: Option<f64>,
    /// How the axes of pictures grow; by default as the values need it.
    #[arg(long, value_enum)]
    scale: Option<Growth>,
}

const HELP: &str = "\
Without --limit, a baseline is kept where counts grew by at most 1 % and means of time or cycles by
at most 5 %. Only rows with the same label, workload, shape and bytes are compared; a row of the
baseline that has no counterpart is a failure. An unfit measurement, another label and another target
are refused.

Text is fitted to COLUMNS or the terminal; there are no colours. docs/reports.md describes the
JSON, the CSV and the comparison.

Exit code: 0 done, 1 failed, beyond the limit, or a row of the baseline is missing, 2 wrong usage.";

/// A form to show measurements in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables for a terminal.
    Text,
    /// One line for each quantity of each row, or for each change.
    Csv,
    /// Tables for a web page or a pull request.
    Markdown,
    /// A picture.
    Svg,
    /// One page with picture, tables and environment.
    Html,
}

impl Format {
    fn of_name(file: &Path) -> Option<Self> {
        Some(match file.extension()?.to_str()? {
            "txt" => Self::Text,
            "csv" => Self::Csv,
            "md" => Self::Markdown,
            "svg" => Self::Svg,
            "html" | "htm" => Self::Html,
            _ => return None,
        })
    }
}

/// A limit in per cent.
pub(crate) fn limit(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(limit) if limit.is_finite() && limit >= 0.0 => Ok(limit),
        _ => Err("not a number of per cent such as 2.5".to_owned()),
    }
}

/// The command itself.
pub(crate) fn command(arguments: &Arguments) -> Result<()> {
    let Arguments { files, output, baseline, .. } = arguments;
    let by_name = output.as_deref().and_then(Format::of_name);
    let format = arguments.format.or(by_name).unwrap_or(Format::Text);
    if baseline.is_some() && files.len() > 1 {
        wrong_usage("--baseline compares one FILE");
    }
    if baseline.is_some() && format == Format::Svg {
        wrong_usage("a picture shows no comparison: use text, markdown, csv or html");
    }
    if let Some(output) = output {
        if files.iter().chain(baseline).any(|file| output::same(file, output)) {
            bail!("{} is a measurement: name another file for the output", output.display());
        }
        output::probe(output)?;
    }
    let documents: Vec<Document> =
        files.iter().map(|file| Document::read(file)).collect::<Result<_>>()?;
    let comparison = match (baseline, documents.as_slice()) {
        (Some(file), [document]) => {
            let before = Document::read(file)?;
            Some(Comparison::of(&before, document, arguments.limit)?)
        }
        _ => None,
    };
    let width = if output.is_some() { None } else { output::width() };
    let shown = render(documents, comparison.as_ref(), format, arguments.scale, width)?;
    match output {
        Some(file) => {
            output::write(file, &shown)?;
            say(format_args!("wrote {}", file.display()));
        }
        None => output::print(&shown)?,
    }
    if let (Format::Csv, Some(comparison)) = (format, &comparison) {
        comparison.notes().iter().for_each(say);
    }
    if let Some(comparison) = comparison {
        say(comparison.verdict()?);
    }
    Ok(())
}

fn render(
    documents: Vec<Document>,
    comparison: Option<&Comparison>,
    format: Format,
    growth: Option<Growth>,
    width: Option<usize>,
) -> Result<String> {
    if format == Format::Csv {
        return match comparison {
            Some(comparison) => comparison.csv(),
            None => csv::render(&documents),
        };
    }
    let is_picture = matches!(format, Format::Svg | Format::Html);
    let (mut page, picture) = match documents.as_slice() {
        [] => bail!("no measurement"),
        [one] => (Page::of(one), is_picture.then(|| plot::of_one(one, growth)).transpose()?),
        _ => {
            let history = History::of(documents)?;
            let picture = is_picture.then(|| plot::of_history(&history, growth));
            (Page::of_history(&history), picture)
        }
    };
    if let Some(comparison) = comparison {
        page.compare(comparison);
    }
    for note in picture.iter().flat_map(|picture| &picture.notes) {
        say(format_args!("in the picture: {note}"));
    }
    Ok(match (format, picture) {
        (Format::Svg, Some(picture)) => picture.svg,
        (Format::Html, Some(picture)) => html::render(&page, &picture),
        (Format::Markdown, _) => markdown::render(&page),
        _ => text::render(&page, width),
    })
}

/// Ends the program as clap does.
pub(crate) fn wrong_usage(message: &str) -> ! {
    clap::Error::raw(ErrorKind::ArgumentConflict, format!("{message}\n")).exit()
}
