//! What a connection is about: its circuit, and what goes out.

use super::link::{Link, Put};
use super::outlet::{Became, Outlet, send_kept};
use crate::circuit::counters::count;
use crate::circuit::handler::{Closed, Handler, JsCall};
use crate::circuit::hub::{
    Answer, FromClient, HANDSHAKE_REFUSED, HANDSHAKE_REPLY, Message, Messages, check_handshake,
};
use crate::circuit::origin::Origin;
use crate::circuit::slot::Key;
use crate::circuit::store::Store;
use crate::circuit::{Next, Refusal, Server};
use crate::error::WriteError;
use crate::sink::Sink;
use crate::string_table::Interner;
use crate::websocket::{CloseCode, Data, Kind};

#[derive(Debug)]
pub(super) struct Session<'o> {
    pub(super) origin: Origin<'o>,
    pub(super) link: Link,
    pub(super) state: State,
    pub(super) refusal: Option<Refusal>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing was said yet.
    Handshake,
    /// There is no circuit.
    Open,
    Running(Key),
    /// Nothing counts any more. The circuit is still to be let go of.
    Over(Option<Key>),
}

impl<'o> Session<'o> {
    pub(super) const fn new(origin: Origin<'o>) -> Self {
        Self { origin, link: Link::new(), state: State::Handshake, refusal: None }
    }

    /// Deals with the messages of `payload`, as far as there is room for what answers them; how many bytes
    /// that were, also where the sink failed: they are not dealt with again. At least one message is. In
    /// front of `payload` there were `before` bytes of it.
    pub(super) fn message<H: Handler, St: Store, T: Interner, S: Sink + ?Sized>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        kind: Kind,
        payload: &[u8],
        before: usize,
        sink: &mut S,
    ) -> (usize, Result<(), WriteError<S::Error>>) {
        match (self.state, kind) {
            (State::Handshake, _) => self.handshake(server, payload),
            (State::Over(_), _) => {}
            (_, Kind::Text) => self.refuse(server, Refusal::Text),
            (_, Kind::Binary) => {
                let mut messages = Messages::new(payload);
                let mut done = 0;
                while let Some(message) = messages.next() {
                    let at = messages.position();
                    let result = match message {
                        Ok(message) => {
                            done = at.saturating_add(message.len());
                            FromClient::decode(message)
                                .map_err(|error| {
                                    Refusal::Hub(error.shifted(before.saturating_add(at)))
                                })
                                .and_then(|message| self.handle(server, &message))
                        }
                        Err(error) => Err(Refusal::Hub(error.shifted(before))),
                    };
                    if let Err(refusal) = result {
                        self.refuse(server, refusal);
                    }
                    if matches!(self.state, State::Over(_)) {
                        break;
                    }
                    if !self.link.has_room() {
                        match self.link.flush(sink) {
                            Ok(Put::Done) => {}
                            Ok(Put::Full(_)) => return (done, Ok(())),
                            Err(error) => return (done, Err(error)),
                        }
                    }
                }
            }
        }
        (payload.len(), Ok(()))
    }

    fn handshake<H: Handler, St: Store, T: Interner>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        payload: &[u8],
    ) {
        match check_handshake(payload) {
            Ok(()) => {
                self.link.reply_with(Data::Binary(HANDSHAKE_REPLY.as_bytes()));
                self.state = State::Open;
            }
            Err(error) => {
                self.link.reply_with(Data::Binary(HANDSHAKE_REFUSED.as_bytes()));
                self.refuse(server, Refusal::Handshake(error));
            }
        }
    }

    /// Sends what the page wants to have sent; `None` where the session is over now.
    pub(super) fn update<H: Handler, St: Store, T: Interner, S: Sink + ?Sized>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        sink: &mut S,
    ) -> Result<Option<Next>, WriteError<S::Error>> {
        let State::Running(key) = self.state else { return Ok(Some(Next::Read)) };
        let Some(circuit) = server.circuit_of(key) else {
            // Another connection has it, or the page was left.
            self.end(CloseCode::NORMAL);
            return Ok(None);
        };
        if circuit.batches.next == u32::MAX {
            self.refuse(server, Refusal::TooManyBatches);
            return Ok(None);
        }
        match self.js_calls(server, key, sink)? {
            Some(Put::Done) => {}
            Some(Put::Full(needed)) => return Ok(Some(Next::Flush { needed })),
            None => {
                self.refuse(server, Refusal::CallTooLong);
                return Ok(None);
            }
        }
        if let Put::Full(needed) = self.kept_batches(server, key, sink)? {
            return Ok(Some(Next::Flush { needed }));
        }
        match self.render(server, key, sink) {
            Became::Nothing | Became::Waits | Became::Sent(_) => Ok(Some(Next::Read)),
            Became::Kept => Ok(Some(match self.kept_batches(server, key, sink)? {
                Put::Done => Next::Read,
                Put::Full(needed) => Next::Flush { needed },
            })),
            Became::Full(needed) => Ok(Some(Next::Flush { needed })),
            Became::Refused(error) => {
                self.refuse(server, Refusal::BadBatch(error));
                Ok(None)
            }
            Became::Broken(error) => Err(error),
            Became::Torn(error) => {
                self.link.tear(sink);
                Err(error)
            }
        }
    }

    /// Calls the functions that the page wants to have called; `None` where one of them cannot be.
    fn js_calls<H: Handler, St: Store, T: Interner, S: Sink + ?Sized>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        key: Key,
        sink: &mut S,
    ) -> Result<Option<Put>, WriteError<S::Error>> {
        let Some(slot) = server.slots.get_mut(key.slot) else { return Ok(Some(Put::Done)) };
        let Some(circuit) = &mut slot.circuit else { return Ok(Some(Put::Done)) };
        // Scripts know no function of a page before they have one.
        if circuit.roots.never() {
            return Ok(Some(Put::Done));
        }
        loop {
            let Some(call) = server.handler.js_call(&mut circuit.page) else {
                return Ok(Some(Put::Done));
            };
            let JsCall { function, arguments, result, object, answered } = call;
            if answered && !circuit.calls.has_room() {
                return Ok(Some(Put::Done));
            }
            let handle = if answered { circuit.calls.next() } else { 0 };
            let call = Answer::BeginInvokeJs {
                handle: handle.into(),
                function,
                arguments,
                result,
                object,
            };
            let message = Message::Invocation { id: None, call };
            match self.link.send(&message, sink)? {
                Some(Put::Done) => {}
                not_called => return Ok(not_called),
            }
            if answered {
                circuit.calls.wait();
            }
            server.handler.js_called(&mut circuit.page, handle);
        }
    }

    /// Sends the batches that are kept and did not go out on this connection yet.
    fn kept_batches<H: Handler, St: Store, T: Interner, S: Sink + ?Sized>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        key: Key,
        sink: &mut S,
    ) -> Result<Put, WriteError<S::Error>> {
        if !St::KEEPS {
            return Ok(Put::Done);
        }
        let Some(circuit) = server.circuit_of(key) else { return Ok(Put::Done) };
        loop {
            let id = circuit.batches.sent.saturating_add(1);
            let Some(batch) = circuit.store.batch(id) else { return Ok(Put::Done) };
            match send_kept(&mut self.link.sender, sink, id, batch) {
                Became::Sent(len) => {
                    circuit.batches.sent = id;
                    self.link.sent = self.link.sent.wrapping_add(len as u64);
                }
                Became::Full(needed) => return Ok(Put::Full(needed)),
                Became::Broken(error) => return Err(error),
                Became::Torn(error) => {
                    self.link.tear(sink);
                    return Err(error);
                }
                Became::Nothing | Became::Kept | Became::Waits | Became::Refused(_) => {
                    return Ok(Put::Done);
                }
            }
        }
    }

    /// Asks the page for what has changed.
    #[inline]
    fn render<H: Handler, St: Store, T: Interner, S: Sink + ?Sized>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        key: Key,
        sink: &mut S,
    ) -> Became<S::Error> {
        let Server { handler, slots, table, strings, options, counters } = server;
        let Some(slot) = slots.get_mut(key.slot) else { return Became::Nothing };
        let Some(circuit) = &mut slot.circuit else { return Became::Nothing };
        let batches = &mut circuit.batches;
        // A batch names a component that the browser has to know.
        if circuit.roots.never() || batches.under_way() >= options.unacknowledged.max(1) {
            return Became::Nothing;
        }
        let id = batches.next;
        let mut outlet = Outlet {
            sender: &mut self.link.sender,
            sink,
            table,
            strings,
            store: &mut circuit.store,
            id,
            became: Became::Nothing,
        };
        handler.render(&mut circuit.page, &mut outlet);
        let became = outlet.became;
        if let Became::Sent(len) = became {
            (batches.sent, batches.lost) = (id, id);
            self.link.sent = self.link.sent.wrapping_add(len as u64);
        }
        if matches!(became, Became::Sent(_) | Became::Kept) {
            batches.next = id.saturating_add(1);
            count(&mut counters.batches);
        }
        became
    }

    /// Ends the connection over something that the browser did, or that it cannot be given.
    #[cold]
    pub(super) fn refuse<H: Handler, St: Store, T: Interner>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        refusal: Refusal,
    ) {
        if matches!(self.state, State::Over(_)) {
            return;
        }
        server.counters.refuse(refusal);
        self.refusal = Some(refusal);
        if let Some(text) = refusal.text() {
            let call = Answer::Error { text };
            self.link.reply(&Message::Invocation { id: None, call });
            self.close_circuit(server, Closed::Error);
        }
        match refusal {
            Refusal::WebSocket(error) => self.link.fail(error),
            _ => self.link.close(refusal.close_code()),
        }
        self.over();
    }

    /// The browser has closed the WebSocket.
    pub(super) fn left<H: Handler, St: Store, T: Interner>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        code: Option<CloseCode>,
    ) {
        // Only a page that is left says so. A script that hangs up to connect again gives no code.
        if code == Some(CloseCode::GOING_AWAY) {
            self.close_circuit(server, Closed::Left);
        }
        self.over();
    }

    /// Says good-bye.
    pub(super) fn end(&mut self, code: CloseCode) {
        if !matches!(self.state, State::Over(_)) {
            self.link.close(code);
            self.over();
        }
    }

    pub(super) fn close_circuit<H: Handler, St: Store, T: Interner>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        why: Closed,
    ) {
        if let Some(key) = self.key() {
            server.close_of(key, why);
        }
    }

    pub(super) fn detach<H: Handler, St: Store, T: Interner>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        now: u64,
    ) {
        if let Some(key) = self.key()
            && let Some(circuit) = server.circuit_of(key)
        {
            circuit.detached_at = Some(now);
            if !circuit.is_resumable() {
                server.close(key.slot, Closed::Cut);
            }
        }
        self.state = State::Over(None);
    }

    /// The circuit.
    pub(super) const fn key(&self) -> Option<Key> {
        match self.state {
            State::Running(key) => Some(key),
            State::Over(key) => key,
            State::Handshake | State::Open => None,
        }
    }

    pub(super) const fn over(&mut self) {
        self.state = State::Over(self.key());
    }
}
