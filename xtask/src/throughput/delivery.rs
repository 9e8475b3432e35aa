//! What is done with a measurement once it is there: kept first, shown then.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::progress::say;
use crate::report::comparison::Comparison;
use crate::report::document::Document;
use crate::report::page::Page;
use crate::report::{output, plot, text};
use crate::workspace;

/// Where a measurement goes.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    /// A file of the user's.
    json: Option<PathBuf>,
    plot: Option<PathBuf>,
    baseline: Option<Document>,
    limit: Option<f64>,
    /// Every measurement is kept here.
    folder: PathBuf,
}

impl Delivery {
    /// Finds out before measuring whether everything could be written, for each of so many reports,
    /// and the baseline be read.
    pub(crate) fn prepare(
        reports: u32,
        json: Option<&Path>,
        plot: Option<&Path>,
        baseline: Option<&Path>,
        limit: Option<f64>,
    ) -> Result<Self> {
        let folder = workspace::target_folder().join("throughput");
        Self::prepare_in(folder, reports, json, plot, baseline, limit)
    }

    fn prepare_in(
        folder: PathBuf,
        reports: u32,
        json: Option<&Path>,
        plot: Option<&Path>,
        baseline: Option<&Path>,
        limit: Option<f64>,
    ) -> Result<Self> {
        let all = |file: Option<&Path>| -> Vec<PathBuf> {
            file.iter()
                .flat_map(|file| (1..=reports).map(|number| numbered(file, number)))
                .collect()
        };
        let (measurements, pictures) = (all(json), all(plot));
        if let Some(file) = measurements.iter().find(|file| pictures.contains(file)) {
            bail!("--json and --plot name the same file: {}", file.display());
        }
        let written = || measurements.iter().chain(&pictures);
        if let Some(baseline) = baseline
            && written().any(|file| output::same(file, baseline))
        {
            bail!("{} is the baseline: name another file to write to", baseline.display());
        }
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot keep measurements in {}", folder.display()))?;
        output::probe(&folder.join("probe"))?;
        for file in written() {
            output::probe(file)?;
        }
        let baseline = baseline.map(Document::read).transpose()?;
        let unfit = baseline.iter().find(|baseline| !baseline.unfit.is_empty());
        if let Some(unfit) = unfit {
            bail!("the baseline is unfit for comparison: {}", unfit.unfit.join("; "));
        }
        let [json, plot] = [json, plot].map(|file| file.map(Path::to_owned));
        Ok(Self { json, plot, baseline, limit, folder })
    }

    /// The same for a report of several, which has files of its own: `run.json`, `run-2.json`.
    pub(crate) fn numbered(&self, number: u32) -> Self {
        let [json, plot] =
            [&self.json, &self.plot].map(|file| file.as_deref().map(|file| numbered(file, number)));
        Self { json, plot, ..self.clone() }
    }

    /// Writes the JSON, prints the tables, draws, compares, in this order.
    ///
    /// A picture that fails is a warning. What was measured is on disk before anything that may
    /// fail, and stays there.
    pub(crate) fn deliver(
        &self,
        document: &Document,
        width: Option<usize>,
        print: impl FnOnce(&str) -> Result<()>,
    ) -> Result<()> {
        let written = self.keep(document);
        let mut page = Page::of(document);
        let comparison = self
            .baseline
            .as_ref()
            .map(|baseline| Comparison::of(baseline, document, self.limit))
            .transpose();
        if let Ok(Some(comparison)) = &comparison {
            page.compare(comparison);
        }
        let printed = print(&text::render(&page, width));
        if let Some(file) = &self.plot {
            match draw(document, file) {
                Ok(()) => say(format_args!("wrote {}", file.display())),
                Err(error) => say(format_args!("WARNING: no picture: {error:#}")),
            }
        }
        written.and(printed)?;
        if let Some(comparison) = comparison? {
            say(comparison.verdict()?);
        }
        Ok(())
    }

    /// Writes the JSON where it is kept and where it was asked for.
    fn keep(&self, document: &Document) -> Result<()> {
        let text = document.json()?;
        let stem = format!("{}-{}", document.label.as_str(), document.measured_at.compact());
        // Two runs may end in the same second.
        let names = std::iter::once(format!("{stem}.json"))
            .chain((2..).map(|number| format!("{stem}-{number}.json")));
        let free = names.map(|name| self.folder.join(name)).find(|file| !file.exists());
        let mut all: Vec<&Path> = free.as_deref().into_iter().collect();
        all.extend(self.json.as_deref());
        let results: Vec<Result<()>> = all
            .iter()
            .map(|file| {
                output::write(file, &text)?;
                say(format_args!("wrote {}", file.display()));
                Ok(())
            })
            .collect();
        if results.iter().all(Result::is_err) {
            // The last way to keep it.
            output::print(&text)?;
        }
        results.into_iter().collect()
    }
}

/// The name of the file for the report with this number.
fn numbered(file: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return file.to_owned();
    }
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = file.extension() {
        name.push(".");
        name.push(extension);
    }
    file.with_file_name(name)
}

fn draw(document: &Document, file: &Path) -> Result<()> {
    let picture = plot::of_one(document, None)?;
    for note in &picture.notes {
        say(format_args!("in the picture: {note}"));
    }
    output::write(file, &picture.svg)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use std::cell::RefCell;

    use super::*;
    use crate::report::document::Label;
    use crate::report::sample::document;

    fn files(folder: &Path) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    #[test]
    fn each_report_has_a_file_of_its_own() {
        let name = |number| numbered(Path::new("a/run.1.json"), number).display().to_string();
        assert_eq!([name(1), name(2)], ["a/run.1.json", "a/run.1-2.json"]);
        assert_eq!(numbered(Path::new("run"), 3), Path::new("run-3"));
    }

    fn measured(amount: f64) -> Document {
        document(Label::QemuIcount, &[("in_place", amount)])
    }

    #[test]
    fn the_measurement_is_on_disk_before_anything_is_shown() {
        // report-03
        let folder = tempfile::tempdir().unwrap();
        let (kept, json) = (folder.path().join("kept"), folder.path().join("a result.json"));
        let plot = folder.path().join("a plot.svg");
        let delivery =
            Delivery::prepare_in(kept.clone(), 1, Some(&json), Some(&plot), None, None).unwrap();
        let shown = RefCell::new(String::new());
        let print = |text: &str| {
            assert!(json.exists() && files(&kept).len() == 1);
            assert!(!plot.exists(), "the picture was made first");
            shown.borrow_mut().push_str(text);
            Ok(())
        };
        delivery.deliver(&measured(500.0), None, print).unwrap();
        assert!(shown.borrow().contains("in_place"));
        assert_eq!(Document::read(&json).unwrap(), measured(500.0));
        assert_eq!(fs::read(&files(&kept)[0]).unwrap(), fs::read(&json).unwrap());
        assert!(fs::read_to_string(&plot).unwrap().contains("</svg>"));
        // The next one of the same second has a name of its own.
        delivery.deliver(&measured(501.0), None, |_| Ok(())).unwrap();
        assert_eq!(files(&kept).len(), 2);
        assert!(files(&kept)[1].ends_with("qemu-icount-20261130T200846Z.json"));
    }

    #[cfg(unix)]
    #[test]
    fn a_failed_picture_is_a_warning_and_a_failed_file_loses_nothing() {
        // report-03: a full disk.
        let folder = tempfile::tempdir().unwrap();
        let full = Path::new("/dev/full");
        let kept = folder.path().to_owned();
        let delivery = Delivery::prepare_in(kept.clone(), 1, None, Some(full), None, None).unwrap();
        delivery.deliver(&measured(500.0), None, |_| Ok(())).unwrap();
        assert_eq!(files(&kept).len(), 1);
        let delivery = Delivery::prepare_in(kept.clone(), 1, Some(full), None, None, None).unwrap();
        let error = delivery.deliver(&measured(500.0), None, |_| Ok(())).unwrap_err();
        assert!(format!("{error:#}").contains("cannot write /dev/full"), "{error:#}");
        assert_eq!(files(&kept).len(), 2);
        // What cannot be shown is kept as well.
        let delivery = Delivery::prepare_in(kept.clone(), 1, None, None, None, None).unwrap();
        assert!(delivery.deliver(&measured(500.0), None, |_| bail!("no terminal")).is_err());
        assert_eq!(files(&kept).len(), 3);
    }

    #[test]
    fn what_cannot_be_written_or_read_is_said_before_measuring() {
        // report-03: no such folder, a file where the folder should be; report-04: nothing is made.
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "{}").unwrap();
        let missing = folder.path().join("no folder/x.json");
        let kept = folder.path().join("kept");
        let prepare = |json: Option<&Path>, plot: Option<&Path>, baseline: Option<&Path>| {
            Delivery::prepare_in(kept.clone(), 1, json, plot, baseline, None).unwrap_err()
        };
        assert!(prepare(Some(&missing), None, None).to_string().contains("there is no folder"));
        assert!(prepare(None, Some(&missing), None).to_string().contains("there is no folder"));
        assert!(prepare(None, None, Some(&missing)).to_string().contains("cannot read"));
        assert!(prepare(None, None, Some(&file)).to_string().contains("is not usable"));
        let same = folder.path().join("x");
        assert!(prepare(Some(&same), Some(&same), None).to_string().contains("the same file"));
        let error = prepare(Some(&file), None, Some(&file)).to_string();
        assert!(error.contains("is the baseline"), "{error}");
        let error = Delivery::prepare_in(file.join("kept"), 1, None, None, None, None).unwrap_err();
        assert!(error.to_string().contains("cannot keep measurements in"), "{error}");
        assert!(files(&kept).is_empty());
    }

    #[test]
    fn each_of_several_reports_is_looked_after_before_measuring() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        fs::write(file("run-2.json"), measured(1.0).json().unwrap()).unwrap();
        fs::create_dir(file("dir-3.json")).unwrap();
        let prepare = |reports, json: &str, plot: Option<&Path>, baseline: Option<&Path>| {
            Delivery::prepare_in(file("kept"), reports, Some(&file(json)), plot, baseline, None)
                .map_err(|error| error.to_string())
        };
        let baseline = file("run-2.json");
        assert!(prepare(1, "run.json", None, Some(&baseline)).is_ok());
        let error = prepare(2, "run.json", None, Some(&baseline)).unwrap_err();
        assert!(error.contains("run-2.json is the baseline"), "{error}");
        assert!(prepare(2, "dir.json", None, None).is_ok());
        assert!(prepare(3, "dir.json", None, None).unwrap_err().contains("it is a folder"));
        let plot = file("run-2.json");
        assert!(prepare(1, "run.json", Some(&plot), None).is_ok());
        let error = prepare(2, "run.json", Some(&plot), None).unwrap_err();
        assert!(error.contains("the same file: ") && error.contains("run-2.json"), "{error}");
    }

    #[test]
    fn beyond_the_limit_fails_after_everything_was_kept() {
        let folder = tempfile::tempdir().unwrap();
        let baseline = folder.path().join("baseline.json");
        let mut before = measured(500.0);
        output::write(&baseline, &before.json().unwrap()).unwrap();
        let kept = folder.path().join("kept");
        let prepare =
            |limit| Delivery::prepare_in(kept.clone(), 1, None, None, Some(&baseline), limit);
        let mut shown = String::new();
        let print = |text: &str| {
            shown.push_str(text);
            Ok(())
        };
        let error = prepare(None).unwrap().deliver(&measured(600.0), None, print).unwrap_err();
        assert!(error.to_string().contains("in_place +20.00 %"), "{error}");
        assert!(shown.contains("BEYOND LIMIT"), "{shown}");
        assert_eq!(files(&kept).len(), 1);
        prepare(Some(20.0)).unwrap().deliver(&measured(600.0), None, |_| Ok(())).unwrap();
        // An unfit run is kept and not compared; an unfit baseline is refused before the run.
        let mut unfit = measured(500.0);
        unfit.unfit.push("the clock moved".to_owned());
        let error = prepare(None).unwrap().deliver(&unfit, None, |_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("this measurement is unfit"), "{error}");
        assert_eq!(files(&kept).len(), 3);
        before.unfit.push("it was hot".to_owned());
        output::write(&baseline, &before.json().unwrap()).unwrap();
        assert!(prepare(None).unwrap_err().to_string().contains("it was hot"));
    }
}
