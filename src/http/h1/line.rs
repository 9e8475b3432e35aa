//! Heads that do not lie whole in the input, or that are not plain: line by line, as they come.
//!
//! No byte is looked at a second time while its line is not complete: a stage and `scanned` say how
//! far the line was read. A line is kept in the owner's buffer until it is complete, unless it is a
//! field that nothing depends on: its value is consumed as it comes. The first byte that is wrong, or
//! the first that a limit forbids, decides the answer, so that it does not depend on how the input was
//! cut.

use super::super::refusals::Refusal;
use super::super::{Routes, is_quick};
use super::facts::{CHUNKED, EXPECTS, Facts, Field, LENGTH, Reply, TRAILERS, is_exchanged};
use super::scan::{TOKEN, VISIBLE, behind_line, run, token_len, value_len};
use super::{Message, Stage};

/// What a step over the input did.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Consumed so many bytes; there may be more to do.
    On(usize),
    /// Nothing can be done without more input.
    More,
}

impl Message {
    /// Goes on with a head or with trailers.
    pub(super) fn line(&mut self, routes: &Routes<'_>, input: &[u8]) -> Step {
        let allowed = routes.limits.head.saturating_sub(self.used);
        let (window, cut) = match input.get(..allowed) {
            Some(window) => (window, true),
            None => (input, false),
        };
        match self.stage_of_line(routes, window) {
            Ok(Step::On(consumed)) => {
                self.used = self.used.saturating_add(consumed);
                Step::On(consumed)
            }
            // The next byte would be one too many.
            Ok(Step::More) if cut => {
                let refusal = self.too_long();
                self.refuse(refusal)
            }
            Ok(Step::More) => Step::More,
            Err(refusal) => self.refuse(refusal),
        }
    }

    /// What a head is told that is longer than allowed, or than the owner's buffer.
    pub(super) const fn too_long(&self) -> Refusal {
        match self.stage {
            Stage::Fresh | Stage::Method | Stage::EmptyLine => Refusal::BadRequest,
            Stage::Target | Stage::Version | Stage::LineEnd => Refusal::TargetTooLong,
            Stage::Body => Refusal::ContentTooLarge,
            _ => Refusal::FieldsTooLarge,
        }
    }

    fn stage_of_line(&mut self, routes: &Routes<'_>, window: &[u8]) -> Result<Step, Refusal> {
        match self.stage {
            Stage::Fresh if window.is_empty() => Ok(Step::More),
            Stage::Fresh => self.go_on(Stage::Method, 0),
            Stage::Method => match self.stop(window, |rest| run(rest, TOKEN)) {
                (at, Some(b' ')) if at > 0 => {
                    self.mark = at + 1;
                    self.go_on(Stage::Target, at + 1)
                }
                (0, Some(b'\r')) => self.go_on(Stage::EmptyLine, 1),
                stop => more(stop),
            },
            Stage::EmptyLine => match window.get(1) {
                Some(b'\n') => self.consume(Stage::Method, 2),
                byte => more((1, byte)),
            },
            Stage::Target => match self.stop(window, |rest| run(rest, VISIBLE)) {
                (at, _) if at - self.mark > routes.limits.target => Err(Refusal::TargetTooLong),
                (at, Some(b' ')) if at > self.mark => self.go_on(Stage::Version, at + 1),
                stop => more(stop),
            },
            Stage::Version => match self.stop(window, |rest| run(rest, VISIBLE)) {
                (at, Some(b'\r')) => self.go_on(Stage::LineEnd, at + 1),
                stop => more(stop),
            },
            Stage::LineEnd => match window.get(self.scanned) {
                Some(b'\n') => {
                    let (method, rest) = self.parts(window);
                    let space = rest.iter().position(|byte| *byte == b' ').unwrap_or(0);
                    let (target, version) = rest.split_at_checked(space).unwrap_or_default();
                    let version = version.get(1..).unwrap_or_default();
                    self.facts = Facts::request_line(routes, method, target, version)?;
                    if let Reply::Route(route) = self.facts.reply {
                        self.holds = is_exchanged(routes, route);
                    }
                    self.consume(Stage::Field, self.scanned + 1)
                }
                byte => more((self.scanned, byte)),
            },
            Stage::Field => match window.first() {
                Some(b'\r') => self.go_on(Stage::HeadEnd, 1),
                Some(_) if !is_quick() => self.go_on(Stage::Name, 0),
                Some(_) => match self.whole_lines(routes, window)? {
                    0 => self.go_on(Stage::Name, 0),
                    len => self.consume(Stage::Field, len),
                },
                None => Ok(Step::More),
            },
            Stage::Name => match self.stop(window, token_len) {
                (at, Some(b':')) if at > 0 => {
                    let trailers = self.facts.seen & TRAILERS != 0;
                    let name = window.get(..at).unwrap_or_default();
                    if trailers || Field::named(name) == Field::Other {
                        return self.consume(Stage::Skip, at + 1);
                    }
                    self.mark = at + 1;
                    self.go_on(Stage::Value, at + 1)
                }
                stop => more(stop),
            },
            Stage::Value => match self.stop(window, value_len) {
                (at, Some(b'\r')) => self.go_on(Stage::ValueEnd, at + 1),
                stop => more(stop),
            },
            Stage::ValueEnd => match window.get(self.scanned) {
                Some(b'\n') => {
                    self.count_field(routes)?;
                    let (name, value) = self.parts(window);
                    self.facts.field(routes, Field::named(name), value)?;
                    self.consume(Stage::Field, self.scanned + 1)
                }
                byte => more((self.scanned, byte)),
            },
            Stage::Skip => match self.stop(window, value_len) {
                (at, Some(b'\r')) => self.consume(Stage::SkipEnd, at + 1),
                (at, None) if at > 0 => self.consume(Stage::Skip, at),
                stop => more(stop),
            },
            Stage::SkipEnd => match window.first() {
                Some(b'\n') => {
                    self.count_field(routes)?;
                    self.consume(Stage::Field, 1)
                }
                byte => more((0, byte)),
            },
            // Of these only `HeadEnd` is a stage of a line.
            _ => match window.get(1) {
                Some(b'\n') => {
                    if self.facts.seen & TRAILERS != 0 {
                        return self.consume(Stage::Respond, 2);
                    }
                    self.facts.complete(&routes.limits)?;
                    if self.holds && self.facts.seen & CHUNKED != 0 {
                        return Err(Refusal::LengthRequired);
                    }
                    let next = self.behind_head();
                    self.consume(next, 2)
                }
                byte => more((1, byte)),
            },
        }
    }

    /// What follows a head that is in order.
    pub(super) const fn behind_head(&mut self) -> Stage {
        if self.facts.seen & EXPECTS != 0 {
            // Only once.
            self.facts.seen &= !EXPECTS;
            Stage::Continue
        } else if self.facts.seen & CHUNKED != 0 {
            (self.left, self.total, self.digits) = (0, 0, 0);
            Stage::ChunkSize
        } else if self.facts.seen & LENGTH != 0 && self.facts.length != 0 {
            self.left = self.facts.length;
            Stage::Body
        } else {
            Stage::Respond
        }
    }

    /// Where the run of bytes ends that `len` measures, and the byte that ends it.
    fn stop<'i>(
        &mut self,
        window: &'i [u8],
        len: impl Fn(&[u8]) -> usize,
    ) -> (usize, Option<&'i u8>) {
        let rest = window.get(self.scanned..).unwrap_or_default();
        self.scanned += len(rest);
        (self.scanned, window.get(self.scanned))
    }

    /// What is in front of the mark and of the byte there, and what is behind it, without the CR.
    fn parts<'i>(&self, window: &'i [u8]) -> (&'i [u8], &'i [u8]) {
        let line = window.get(..self.scanned.saturating_sub(1)).unwrap_or_default();
        let (front, behind) = line.split_at_checked(self.mark).unwrap_or_default();
        (front.split_last().map_or(front, |(_, front)| front), behind)
    }

    /// Length of the lines at the start that are whole, with fields that nothing depends on.
    fn whole_lines(&mut self, routes: &Routes<'_>, window: &[u8]) -> Result<usize, Refusal> {
        let mut rest = window;
        while let Some(behind) = behind_other(rest) {
            self.count_field(routes)?;
            rest = behind;
        }
        Ok(window.len() - rest.len())
    }

    fn count_field(&mut self, routes: &Routes<'_>) -> Result<(), Refusal> {
        self.fields = self.fields.saturating_add(1);
        if self.fields > routes.limits.fields { Err(Refusal::FieldsTooLarge) } else { Ok(()) }
    }

    fn go_on(&mut self, stage: Stage, scanned: usize) -> Result<Step, Refusal> {
        (self.stage, self.scanned) = (stage, scanned);
        Ok(Step::On(0))
    }

    fn consume(&mut self, stage: Stage, consumed: usize) -> Result<Step, Refusal> {
        (self.stage, self.scanned) = (stage, 0);
        Ok(Step::On(consumed))
    }
}

/// What is behind the line of a field that nothing depends on.
fn behind_other(input: &[u8]) -> Option<&[u8]> {
    let (name, rest) = input.split_at_checked(token_len(input))?;
    let [b':', value @ ..] = rest else { return None };
    if name.is_empty() || Field::named(name) != Field::Other {
        return None;
    }
    behind_line(value)
}

/// Nothing more is known where the input ended; a byte that may not stand there is a mistake.
const fn more((_, byte): (usize, Option<&u8>)) -> Result<Step, Refusal> {
    match byte {
        Some(_) => Err(Refusal::BadRequest),
        None => Ok(Step::More),
    }
}
