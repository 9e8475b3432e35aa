//! What outlasts a connection: the tables, what was asked, and what it comes to.

use core::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;

use heapless::{String as Text, Vec as List};
use onewrite::bsatn::{ConnectionId, Decode as _};
use onewrite::spacetimedb::Pending;
use onewrite::spacetimedb::stream::{self, Effect, Event, MessageKind, Outcome, Summary};

use super::arguments::Arguments;
use super::call::Call;
use super::print::{Digits, Printer};
use super::random::Random;
use super::tables::{Problem, Tables};
use super::types::Types;

/// Requests without an answer.
const PENDING: usize = 32;
/// Of a text, and of a value: what is printed of it.
const SHOWN: usize = 1_024;
/// Of a token.
const TOKEN: usize = 4_096;

/// The client, apart from its connection.
#[derive(Debug)]
pub(crate) struct State<'a, const N: usize> {
    pub(crate) arguments: &'a Arguments,
    types: &'a Types,
    calls: &'a [Call],
    pub(crate) token: Option<String>,
    pub(crate) printer: Printer<'a>,
    pub(crate) random: Random,
    pub(crate) pending: Pending<Asked, PENDING>,
    tables: &'a mut Tables<N>,
    /// Calls that were sent.
    called: usize,
    /// Whether a call has failed, or was left without an answer.
    failed: bool,
    /// Of this connection: its number, and whether the subscription holds.
    own: Option<ConnectionId>,
    subscribed: bool,
    greeted: bool,
    /// Whether the subscription was refused.
    refused: bool,
    /// Of the message that is being read.
    summary: Summary,
    table: Option<u8>,
    effect: Effect,
    identity: Text<64>,
    heard: Text<SHOWN>,
    value: List<u8, SHOWN>,
    new_token: Text<TOKEN>,
    token_fits: bool,
}

/// What was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Subscription,
    Call(usize),
}

/// The number of the only set of queries.
pub(crate) const QUERY_SET: u32 = 1;

impl<'a, const N: usize> State<'a, N> {
    pub(crate) fn new(
        arguments: &'a Arguments,
        types: &'a Types,
        calls: &'a [Call],
        token: Option<String>,
        printer: Printer<'a>,
        tables: &'a mut Tables<N>,
    ) -> Self {
        Self {
            arguments,
            types,
            calls,
            token,
            printer,
            random: Random::new(),
            pending: Pending::new(),
            tables,
            called: 0,
            failed: false,
            own: None,
            subscribed: false,
            greeted: false,
            refused: false,
            summary: Summary::new(),
            table: None,
            effect: Effect::Seen,
            identity: Text::new(),
            heard: Text::new(),
            value: List::new(),
            new_token: Text::new(),
            token_fits: true,
        }
    }

    /// Takes a part of a message.
    pub(crate) fn part(&mut self, event: &Event<'_>) -> Result<(), Problem> {
        self.summary.note(event);
        match *event {
            Event::Begin(_) => {
                self.heard.clear();
                self.value.clear();
            }
            Event::RequestId(id) if self.is_new_subscription(id) => self.tables.begin_anew()?,
            Event::ConnectionId(id) if !self.greeted => self.own = Some(id),
            Event::Identity(identity) if !self.greeted => {
                self.identity.clear();
                // It has 64 digits.
                let _ = write!(self.identity, "{}", Digits(&identity.to_be_bytes()));
            }
            Event::Text { of: stream::Text::Token, piece, .. } => {
                // One that is longer is not kept.
                self.token_fits &= self.new_token.push_str(piece).is_ok();
            }
            Event::Text { piece, .. } => {
                // What has room; a text for people may be long.
                for character in piece.chars() {
                    if self.heard.push(character).is_err() {
                        break;
                    }
                }
            }
            Event::Bytes { of: stream::Bytes::Value | stream::Bytes::Error, piece, .. } => {
                let room = self.value.capacity() - self.value.len();
                let _ = self.value.extend_from_slice(piece.get(..room).unwrap_or(piece));
            }
            Event::Table(name) => self.table = Some(self.tables.number(name, self.types)?),
            Event::BeginRows { of, .. } => self.effect = self.summary.effect(of),
            Event::Rows(rows) => {
                let Some(number) = self.table else { return Ok(()) };
                for row in rows.rows() {
                    self.tables.row(number, self.effect, row, self.types)?;
                    let sign = match self.effect {
                        Effect::Event => ("event", '*'),
                        Effect::Seen => ("seen", '='),
                        Effect::Added | Effect::Removed => continue,
                    };
                    if let Some(table) = self.tables.table(number) {
                        self.printer.row(sign, table, row);
                    }
                }
            }
            Event::End => return self.end_of_message(),
            _ => {}
        }
        Ok(())
    }

    /// Whether this answers the subscription of this connection, with all rows that there are.
    fn is_new_subscription(&self, request_id: u32) -> bool {
        matches!(
            self.summary.kind(),
            Some(MessageKind::SubscribeApplied | MessageKind::SubscribeMultiApplied)
        ) && self.pending.iter().any(|one| one == (request_id, &Asked::Subscription))
    }

    fn end_of_message(&mut self) -> Result<(), Problem> {
        self.tables.apply(&mut self.printer)?;
        let kind = self.summary.kind();
        match kind {
            Some(MessageKind::InitialConnection | MessageKind::IdentityToken) => self.greet(),
            // A failure without a number would be taken for that of our only call.
            _ if self.summary.is_of_another(self.own) => {}
            _ => self.answer(),
        }
        Ok(())
    }

    fn greet(&mut self) {
        self.greeted = true;
        let connection = self.own.unwrap_or_default().to_be_bytes();
        let identity = &self.identity;
        self.printer
            .note("connected", format_args!("as {identity}, connection {}", Digits(&connection)));
        if self.token.is_some() || self.new_token.is_empty() || !self.token_fits {
            return;
        }
        // With it, the next connection is of the same identity.
        self.token = Some(self.new_token.as_str().to_owned());
        if let Some(path) = &self.arguments.token
            && let Err(error) = keep_token(path, &self.new_token)
        {
            self.printer.note("error", format_args!("{}: {error}", path.display()));
        }
    }

    /// What the message says about a request of ours.
    fn answer(&mut self) {
        let kind_and_outcome = (self.summary.kind(), self.summary.outcome());
        let asked = match self.summary.answers(self.own) {
            Some(id) => self.pending.end(id),
            // Version 1 gives no number where it could not even begin: where one call waits, it is that.
            None if kind_and_outcome
                == (Some(MessageKind::TransactionUpdate), Some(Outcome::Failed)) =>
            {
                self.only_call().and_then(|id| self.pending.end(id))
            }
            None => None,
        };
        match (asked, self.summary.kind()) {
            (Some(Asked::Subscription), Some(MessageKind::SubscriptionError)) => {
                self.refused = true;
                self.printer.note("refused", format_args!("{}", self.heard));
            }
            (Some(Asked::Subscription), _) => {
                self.subscribed = true;
                self.printer.note("subscribed", format_args!("{} rows", self.tables.len()));
            }
            (Some(Asked::Call(number)), _) => self.end_of_call(number),
            // The server ends a subscription that has held: then it answers no request.
            (None, Some(MessageKind::SubscriptionError))
                if self.summary.request_id().is_none()
                    && matches!(self.summary.query_set_id(), None | Some(QUERY_SET)) =>
            {
                self.refused = true;
                self.printer.note("refused", format_args!("{}", self.heard));
            }
            _ => {}
        }
    }

    /// The number of the only call that waits.
    fn only_call(&self) -> Option<u32> {
        let mut calls = self.pending.iter().filter(|(_, asked)| **asked != Asked::Subscription);
        match (calls.next(), calls.next()) {
            (Some((id, _)), None) => Some(id),
            _ => None,
        }
    }

    fn end_of_call(&mut self, number: usize) {
        let reducer = self.calls.get(number).map_or("", |call| call.reducer.as_str());
        match self.summary.outcome() {
            Some(Outcome::Ok | Outcome::OkEmpty) => {
                self.printer.note("called", format_args!("{reducer}: committed"));
            }
            Some(Outcome::Err) => {
                self.failed = true;
                match <&str>::from_slice(&self.value) {
                    Ok(error) => {
                        self.printer.note("called", format_args!("{reducer}: failed: {error}"));
                    }
                    Err(_) => self
                        .printer
                        .note("called", format_args!("{reducer}: failed: {}", Digits(&self.value))),
                }
            }
            Some(Outcome::OutOfEnergy) => {
                self.failed = true;
                self.printer.note("called", format_args!("{reducer}: out of energy"));
            }
            _ => {
                self.failed = true;
                let why = &self.heard;
                self.printer.note("called", format_args!("{reducer}: could not run: {why}"));
            }
        }
    }

    /// The next call that may be sent now, with its number.
    pub(crate) fn next_call(&mut self) -> Option<(u32, &'a Call)> {
        let ready = self.greeted && (self.subscribed || self.arguments.queries.is_empty());
        let call = self.calls.get(self.called).filter(|_| ready)?;
        let id = self.pending.begin(Asked::Call(self.called)).ok()?;
        self.called += 1;
        Some((id, call))
    }

    /// Whether everything that was asked for has been answered, or nobody hears of it any more.
    pub(crate) fn is_done(&self) -> bool {
        self.printer.failure().is_some() || self.has_all()
    }

    fn has_all(&self) -> bool {
        self.arguments.once
            && self.greeted
            && self.called == self.calls.len()
            && self.pending.is_empty()
            && (self.subscribed || self.arguments.queries.is_empty())
    }

    pub(crate) const fn is_refused(&self) -> bool {
        self.refused
    }

    /// What waited for an answer will have none; what was under way of a message has never come.
    pub(crate) fn end_of_connection(&mut self) {
        self.tables.forget_message();
        for (_, asked) in self.pending.iter() {
            if let Asked::Call(number) = asked {
                let reducer = self.calls.get(*number).map_or("", |call| call.reducer.as_str());
                self.failed = true;
                self.printer.note("called", format_args!("{reducer}: no answer"));
            }
        }
        self.pending.clear();
        self.new_token.clear();
        self.token_fits = true;
        self.summary = Summary::new();
        (self.own, self.greeted, self.table) = (None, false, None);
    }

    /// Whether the connection that ends had all that was asked for: its rows, or its name where no rows
    /// were. To be asked before [`end_of_connection`](Self::end_of_connection).
    pub(crate) fn take_subscribed(&mut self) -> bool {
        core::mem::take(&mut self.subscribed) || (self.greeted && self.arguments.queries.is_empty())
    }

    /// Prints what there is to say at the end; whether all went well.
    pub(crate) fn finish(&mut self) -> bool {
        if self.arguments.rows {
            for (table, row, _) in self.tables.iter() {
                self.printer.row(("row", '='), table, row);
            }
        }
        let [inserted, updated, deleted] = self.printer.counts;
        self.printer.note(
            "ended",
            format_args!(
                "{} rows; {inserted} inserted, {updated} updated, {deleted} deleted",
                self.tables.len()
            ),
        );
        self.printer.flush();
        !self.failed
    }
}

/// Writes a new file that nobody else on this machine may read: with the token anybody is this identity.
fn keep_token(path: &Path, token: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(token.as_bytes())
}
