//! Reports out of what a board says, in order: each whole, or an error about it.
//!
//! A report begins with its first line and ends with its last one, which counts and sums up those
//! before it. Whatever else happens in between or instead — lines that are lost, a board that
//! starts again, a beginning that nobody heard — makes an error that says what is missing, and the
//! next report is read as if nothing had been.

use crate::log::Said;
use crate::throughput::protocol::{self, Report};

/// What came of a run.
#[derive(Debug)]
pub(crate) enum Heard {
    /// A whole report.
    Report(Box<Report>),
    /// A report that is not whole, and why.
    Broken(String),
    /// Something to be said about a run of which nobody could expect a report.
    Notice(&'static str),
    /// The firmware has ended, with this exit code.
    Ended(u8),
}

/// Where in a run we are.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    /// The lines of the report so far, from its first one.
    text: String,
    /// Whether that first line has come, and no last one.
    open: bool,
    /// Lines of a report whose first one has not come.
    stray: u64,
    /// Whether any run has been heard from its start.
    started: bool,
    /// Whether the board has started and said no report since.
    silent: bool,
    /// Frames that could not be read since the last report.
    garbage: u64,
    /// Their bytes.
    garbage_bytes: usize,
    /// Reports so far, whole or not.
    reports: u64,
    /// The build that the reports have to come from.
    build: String,
}

/// What a report's first line starts with.
const FIRST: &str = "onewrite-report ";
/// What its other lines start with.
const OTHERS: [&str; 5] = ["env ", "env-after ", "sample ", "breakdown ", "note "];
/// What its last line starts with.
const LAST: &str = "end ";

/// Bytes that a board may send when it gets power, and that are no report which was lost.
const BOOT_NOISE: usize = 64;

impl Assembly {
    /// One that takes reports of this build.
    pub(crate) fn of(build: &str) -> Self {
        Self { build: build.to_owned(), ..Self::default() }
    }

    /// Whether a report has begun that has not ended.
    pub(crate) const fn is_open(&self) -> bool {
        self.open
    }

    /// Takes what was said and returns what that completes.
    pub(crate) fn take(&mut self, said: &Said) -> Option<Heard> {
        match said {
            Said::Garbage(bytes) => {
                self.garbage += 1;
                self.garbage_bytes += bytes.len();
                None
            }
            Said::Message(_) => None,
            // The program's first word: there will be no more of a report that is not whole.
            Said::Build(_) => {
                let heard = self.give_up("the board started again");
                let heard = heard.or_else(|| self.silent.then(|| self.started_again()));
                self.started = true;
                self.silent = true;
                heard
            }
            Said::Line(line) => self.line(line),
        }
    }

    /// Ends a report that is not whole; none where there is none.
    pub(crate) fn give_up(&mut self, reason: &str) -> Option<Heard> {
        if self.open {
            return Some(self.broken(&format!("{reason} in the middle of it")));
        }
        if self.stray == 0 {
            return None;
        }
        if self.started {
            return Some(self.broken("it has neither its first line nor its last"));
        }
        self.stray = 0;
        Some(Heard::Notice(
            "that was the rest of a run that had begun before: waiting for the next",
        ))
    }

    /// The board has started twice and said nothing in between that could be read.
    fn started_again(&mut self) -> Heard {
        if self.garbage_bytes > BOOT_NOISE {
            return self.broken("the board started again, and nothing of it could be read");
        }
        Heard::Notice("the board started again before it had said anything of a report")
    }

    fn line(&mut self, line: &str) -> Option<Heard> {
        if line.starts_with(FIRST) {
            let heard = self.give_up("another report began");
            self.started = true;
            self.open = true;
            self.silent = false;
            self.push(line);
            return heard;
        }
        if let Some(code) = line.strip_prefix("halted with exit code ") {
            let reason = format!("the firmware ended with exit code {code}");
            let heard = self.give_up(&reason);
            if heard.is_none() && self.silent {
                return Some(self.broken(&format!("{reason} and had said nothing of it")));
            }
            return heard.or_else(|| code.parse().ok().map(Heard::Ended));
        }
        if self.open {
            self.push(line);
            return line.starts_with(LAST).then(|| self.finish());
        }
        if line.starts_with(LAST) && self.started {
            return Some(self.broken("its first line is lost"));
        }
        if line.starts_with(LAST) || OTHERS.iter().any(|start| line.starts_with(start)) {
            self.stray += 1;
            self.silent = false;
        }
        None
    }

    fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// The last line has come.
    fn finish(&mut self) -> Heard {
        match protocol::parse(&self.text) {
            Ok(report) if report.fact("build id") != Some(&self.build) => self
                .broken("it does not say that it is from the build whose tables it was read with"),
            Ok(report) => {
                self.reset();
                Heard::Report(Box::new(report))
            }
            Err(error) => self.broken(&format!("{error:#}")),
        }
    }

    /// An error with what is known of the loss.
    fn broken(&mut self, reason: &str) -> Heard {
        let (number, lines) = (self.reports + 1, self.text.lines().count() as u64 + self.stray);
        let unreadable = match self.garbage {
            0 => String::new(),
            1 => "; 1 frame could not be read".to_owned(),
            count => format!("; {count} frames could not be read"),
        };
        let end = self.text.lines().last().unwrap_or_default().to_owned();
        let end = if end.is_empty() { end } else { format!("; its last line here is {end:?}") };
        self.reset();
        Heard::Broken(format!(
            "report {number} is not whole after {lines} lines: {reason}{unreadable}{end}"
        ))
    }

    fn reset(&mut self) {
        self.text.clear();
        self.open = false;
        self.silent = false;
        self.stray = 0;
        self.garbage = 0;
        self.garbage_bytes = 0;
        self.reports += 1;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::*;
    use crate::throughput::protocol::Sum;

    /// The lines of a report.
    pub(crate) fn report() -> Vec<String> {
        let mut lines: Vec<String> = [
            "onewrite-report 3",
            "env label: pi",
            "env build id: b1",
            "sample t in_place bytes=244 records=8 round=0 reps=2 ns=1600",
            "env-after clock: 1 GHz",
        ]
        .map(str::to_owned)
        .into();
        let mut sum = Sum::default();
        for line in &lines {
            sum.add(line);
        }
        lines.push(sum.end());
        lines
    }

    fn start() -> Said {
        Said::Build("b1".into())
    }

    /// What is heard of lines, the first word of each.
    fn hear(assembly: &mut Assembly, said: impl IntoIterator<Item = Said>) -> Vec<String> {
        let heard = said.into_iter().filter_map(|said| assembly.take(&said));
        heard
            .map(|heard| match heard {
                Heard::Report(report) => format!("whole {}", report.samples.len()),
                Heard::Broken(reason) => reason,
                Heard::Notice(notice) => notice.to_owned(),
                Heard::Ended(code) => format!("ended {code}"),
            })
            .collect()
    }

    fn lines(lines: &[String]) -> Vec<Said> {
        lines.iter().cloned().map(Said::Line).collect()
    }

    fn halted(code: u8) -> Vec<Said> {
        vec![Said::Line(format!("halted with exit code {code}"))]
    }

    #[test]
    fn a_report_follows_another() {
        let mut assembly = Assembly::of("b1");
        for _ in 0..3 {
            let run = [vec![start()], lines(&report()), halted(0)].concat();
            assert_eq!(hear(&mut assembly, run), ["whole 1", "ended 0"]);
        }
    }

    #[test]
    fn each_line_that_is_lost_makes_an_error_and_the_next_report_is_whole() {
        for lost in 0..report().len() {
            let mut assembly = Assembly::of("b1");
            let mut broken = report();
            broken.remove(lost);
            let run = [vec![start()], lines(&broken), vec![Said::Garbage(vec![1])], halted(0)];
            let next = [vec![start()], lines(&report())];
            let heard = hear(&mut assembly, [run.concat(), next.concat()].concat());
            let errors: Vec<&String> =
                heard.iter().filter(|heard| heard.contains("not whole")).collect();
            assert_eq!(errors.len(), 1, "{lost}: {heard:?}");
            assert!(errors[0].starts_with("report 1 is not whole after "), "{heard:?}");
            assert_eq!(heard.last().unwrap(), "whole 1", "{heard:?}");
            if (1..5).contains(&lost) {
                assert!(errors[0].contains("5: 1 lost on the way"), "{lost}: {heard:?}");
            }
        }
    }

    #[test]
    fn an_error_counts_what_could_not_be_read() {
        let mut assembly = Assembly::of("b1");
        let mut run = lines(&report());
        run[2] = Said::Garbage(vec![1]);
        run[3] = Said::Garbage(vec![2]);
        let heard = hear(&mut assembly, run);
        assert!(heard[0].contains("2 lost on the way"), "{heard:?}");
        assert!(heard[0].contains("2 frames could not be read"), "{heard:?}");
    }

    #[test]
    fn a_board_that_starts_again_or_ends_leaves_an_error() {
        let mut assembly = Assembly::of("b1");
        let begun = lines(&report()[..4]);
        let again = [begun.clone(), vec![start()], lines(&report())].concat();
        let heard = hear(&mut assembly, again);
        assert!(heard[0].contains("the board started again in the middle"), "{heard:?}");
        assert_eq!(heard[1], "whole 1");
        let heard = hear(&mut assembly, [begun.clone(), halted(101)].concat());
        assert!(heard[0].contains("ended with exit code 101 in the middle"), "{heard:?}");
        let heard = hear(&mut assembly, [vec![start()], halted(0)].concat());
        assert!(heard[0].contains("ended with exit code 0 and had said nothing"), "{heard:?}");
        let heard = hear(&mut assembly, [begun, lines(&report())].concat());
        assert!(heard[0].contains("another report began in the middle"), "{heard:?}");
        assert_eq!(heard[1], "whole 1");
        let noise = |count| Said::Garbage(vec![0x55; count]);
        let heard = hear(&mut assembly, [start(), noise(BOOT_NOISE), start()]);
        assert!(heard[0].contains("started again before"), "{heard:?}");
        let heard = hear(&mut assembly, [noise(1), start()]);
        assert!(heard[0].contains("nothing of it could be read"), "{heard:?}");
    }

    #[test]
    fn who_comes_late_waits_for_the_next_run() {
        let mut assembly = Assembly::of("b1");
        let rest = [lines(&report()[3..]), halted(0), vec![start()], lines(&report())].concat();
        let heard = hear(&mut assembly, rest);
        assert!(heard[0].contains("begun before"), "{heard:?}");
        assert_eq!(heard[1], "whole 1");
        // Later it is a loss.
        let rest = [lines(&report()[3..5]), halted(0)].concat();
        assert!(hear(&mut assembly, rest)[0].contains("neither its first line nor its last"));
        let heard = hear(&mut assembly, lines(&report()[1..]));
        assert!(heard[0].contains("report 3") && heard[0].contains("first line is lost"));
    }

    #[test]
    fn a_report_of_another_build_is_none() {
        let mut assembly = Assembly::of("b2");
        let heard = hear(&mut assembly, lines(&report()));
        assert!(heard[0].contains("the build whose tables"), "{heard:?}");
    }

    #[test]
    fn a_firmware_that_fails_says_why() {
        let mut assembly = Assembly::of("b1");
        let mut failed = report();
        *failed.last_mut().unwrap() = "end FAILED nothing here measures".into();
        let heard = hear(&mut assembly, lines(&failed));
        assert!(heard[0].contains("nothing here measures"), "{heard:?}");
    }
}
