//! What a message of the browser's does.

use super::session::{Session, State};
use crate::circuit::counters::count;
use crate::circuit::event::Event;
use crate::circuit::handler::{Closed, Handled, Handler, Location};
use crate::circuit::hub::{Answer, Call, FromClient, FromServer, Message, Outcome};
use crate::circuit::json::Value;
use crate::circuit::root::{Operation, Operations, Root, Roots};
use crate::circuit::server::Renderer;
use crate::circuit::slot::{Circuit, Key, MAX_ROOTS};
use crate::circuit::store::Store;
use crate::circuit::{Refusal, Server};
use crate::literal;
use crate::sink::copy;
use crate::string_table::Interner;
use crate::websocket::{CloseCode, Data};

/// Characters of the longest number that a call may have: it comes back in the answer.
const ID_LEN: usize = 32;

/// The object whose methods are what a script calls: the renderer's.
const RENDERER_OBJECT: u64 = 1;

/// Bytes of the longest operations that come as an argument in JSON, as no script since .NET 8 sends them.
const OPERATIONS_LEN: usize = 1024;

/// What a script has to be told first: the number of the renderer, and the object that takes its events. Whole
/// messages, as they never change. Number 0 wants no answer.
macro_rules! attach {
    ($arguments:literal) => {{
        const LEAD: u8 = 0xa0 | $arguments.len().to_le_bytes()[0];
        const { assert!($arguments.len() < 32, "a short text") }
        literal!(
            leb(4 + 17 + 2 + 2 + 41 + 1 + $arguments.len() + 3),
            b"\x96\x01\x80\xc0\xb0JS.BeginInvokeJS\x95\x00\xd9\x29",
            "Blazor._internal.attachWebRendererInterop",
            le(LEAD),
            $arguments,
            b"\x03\x00\x90",
        )
    }};
}

const ATTACH_ZERO: &[u8] = attach!("[0,{\"__dotNetObject\":1},{},{}]");
const ATTACH_ONE: &[u8] = attach!("[1,{\"__dotNetObject\":1},{},{}]");

impl Session<'_> {
    /// Does what `message` says, and makes ready what answers it.
    #[inline]
    pub(super) fn handle<H: Handler, St: Store, T: Interner>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        message: &FromClient<'_>,
    ) -> Result<(), Refusal> {
        let (id, call) = match *message {
            Message::Invocation { id, ref call } => (id, call),
            Message::StreamInvocation { id, .. } => {
                // Streams are there for files, and there are none here.
                check_id(Some(id))?;
                self.complete(Some(id), Outcome::Error("no such stream"));
                count(&mut server.counters.unasked);
                return Ok(());
            }
            Message::Close { .. } => {
                // A script that will not come back.
                self.close_circuit(server, Closed::Left);
                self.end(CloseCode::NORMAL);
                return Ok(());
            }
            Message::Ping => return Ok(()),
            Message::StreamItem { .. }
            | Message::Completion { .. }
            | Message::CancelInvocation { .. }
            | Message::Acknowledge { .. }
            | Message::Sequence { .. } => {
                count(&mut server.counters.unasked);
                return Ok(());
            }
        };
        // Before anything is done.
        check_id(id)?;
        if let State::Running(key) = self.state {
            self.on_circuit(server, key, id, call)
        } else {
            self.without_circuit(server, id, call)
        }
    }

    #[inline(never)]
    fn without_circuit<H: Handler, St: Store, T: Interner>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        id: Option<&str>,
        call: &Call<'_>,
    ) -> Result<(), Refusal> {
        match *call {
            Call::StartCircuit { base_uri, uri, components, state } => {
                let start = Start { base_uri, uri, components, attaches: state.is_some() };
                self.start(server, id, &start)
            }
            Call::ConnectCircuit { secret } => {
                let connected = self.connect(server, secret);
                self.complete(id, Outcome::Bool(connected));
                Ok(())
            }
            // Nothing is put away, so there is nothing to go on with.
            Call::ResumeCircuit { .. } => {
                self.complete(id, Outcome::Nil);
                Ok(())
            }
            _ => Err(Refusal::NotStarted),
        }
    }

    #[inline]
    fn on_circuit<H: Handler, St: Store, T: Interner>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        key: Key,
        id: Option<&str>,
        call: &Call<'_>,
    ) -> Result<(), Refusal> {
        let Server { handler, slots, counters, .. } = server;
        let slot = slots.get_mut(key.slot).filter(|slot| slot.epoch == key.epoch);
        let Some(circuit) = slot.and_then(|slot| slot.circuit.as_mut()) else {
            // Whoever owns the connection is told when it is asked what has changed.
            return Ok(());
        };
        match *call {
            Call::BeginInvokeDotNetFromJs {
                call,
                assembly: None,
                method: "DispatchEventAsync",
                object: RENDERER_OBJECT,
                arguments,
            } => {
                check_id(call)?;
                let event = Event::from_call(arguments).map_err(Refusal::Json)?;
                match handler.event(&mut circuit.page, &event) {
                    Handled::Done => count(&mut counters.events),
                    Handled::Gone => count(&mut counters.gone_events),
                    Handled::Unknown => return Err(Refusal::UnknownEvent),
                }
                if let Some(call) = call {
                    self.link.end_invoke(call);
                }
            }
            Call::BeginInvokeDotNetFromJs { call, assembly, method, object, arguments } => {
                check_id(call)?;
                let ours = assembly.is_none() && object == RENDERER_OBJECT;
                if ours && method == "UpdateRootComponents" {
                    self.update_roots_in_json(handler, circuit, arguments)?;
                    self.end_invoke(call, true, "null");
                } else {
                    count(&mut counters.unasked);
                    self.end_invoke(call, false, "no such method");
                }
            }
            Call::OnRenderCompleted { batch, error } => {
                let batches = &mut circuit.batches;
                if batch > batches.sent.into() {
                    return Err(Refusal::FutureBatch);
                }
                if error.is_some() {
                    return Err(Refusal::RenderFailed);
                }
                // No more than was sent, so no more than 32 bits.
                let batch = u32::try_from(batch).unwrap_or(batches.sent);
                let more = batch.saturating_sub(batches.acknowledged);
                if more != 0 {
                    batches.acknowledged = batch;
                    circuit.store.release(batch);
                    counters.acknowledged = counters.acknowledged.wrapping_add(more.into());
                }
            }
            Call::DispatchBrowserEvent { descriptor, arguments } => {
                let event = Event::from_descriptor(descriptor, arguments).map_err(Refusal::Json)?;
                match handler.event(&mut circuit.page, &event) {
                    Handled::Done => count(&mut counters.events),
                    Handled::Gone => count(&mut counters.gone_events),
                    Handled::Unknown => return Err(Refusal::UnknownEvent),
                }
            }
            Call::UpdateRootComponents { operations, .. } => {
                let batch = self.update_roots(handler, circuit, operations)?;
                self.invoke(Answer::EndUpdateRootComponents { batch });
            }
            Call::EndInvokeJsFromDotNet { handle, ok, result } => {
                match circuit.calls.answered(handle) {
                    Some(handle) => {
                        let answer = if ok { Ok(result) } else { Err(result) };
                        handler.js_answer(&mut circuit.page, handle, answer);
                    }
                    None => count(&mut counters.unasked),
                }
            }
            Call::OnLocationChanged { uri, state, intercepted } => {
                if !self.origin.has(uri) {
                    return Err(Refusal::BadAddress);
                }
                let location = Location { uri, state, intercepted };
                handler.location_changed(&mut circuit.page, &location);
            }
            Call::OnLocationChanging { call, uri, state, intercepted } => {
                let location = Location { uri, state, intercepted };
                let go = handler.location_changing(&mut circuit.page, &location);
                self.invoke(Answer::EndLocationChanging { call, go });
            }
            // A circuit is not put away: it stays where it is.
            Call::PauseCircuit => {
                self.complete(id, Outcome::Bool(false));
                return Ok(());
            }
            Call::StartCircuit { .. }
            | Call::ConnectCircuit { .. }
            | Call::ResumeCircuit { .. } => {
                return Err(Refusal::StartedTwice);
            }
            Call::ReceiveByteArray { .. }
            | Call::ReceiveJsDataChunk { .. }
            | Call::SendDotNetStreamToJs { .. }
            | Call::Other { .. } => {
                count(&mut counters.unasked);
                self.complete(id, Outcome::Error("no such method"));
                return Ok(());
            }
        }
        self.complete(id, Outcome::Void);
        Ok(())
    }

    fn start<H: Handler, St: Store, T: Interner>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        id: Option<&str>,
        start: &Start<'_>,
    ) -> Result<(), Refusal> {
        if !self.origin.covers(start.base_uri, start.uri) {
            return Err(Refusal::BadAddress);
        }
        let roots = Roots::parse(start.components).map_err(Refusal::Json)?;
        if !server.has_room() {
            return Err(Refusal::NoCircuit);
        }
        let handler = &mut server.handler;
        let secret = handler.secret().ok_or(Refusal::NoSecret)?;
        let page = handler.open(start.base_uri, start.uri).ok_or(Refusal::NotOpened)?;
        let mut circuit = Circuit::new(secret, page);
        // Before anything is answered.
        let attached = match add_roots(handler, &mut circuit, roots) {
            Ok(attached) => attached,
            Err(refusal) => {
                handler.closed(circuit.page, Closed::Error);
                return Err(refusal);
            }
        };
        if start.attaches {
            self.link.reply_with(Data::Binary(match server.options.renderer {
                Renderer::Zero => ATTACH_ZERO,
                Renderer::One => ATTACH_ONE,
            }));
        }
        self.complete(id, Outcome::Text(circuit.secret.as_str()));
        for (component, selector) in attached.into_iter().flatten() {
            self.attach(component, selector);
        }
        let key = server.insert(circuit).ok_or(Refusal::NoCircuit)?;
        self.state = State::Running(key);
        Ok(())
    }

    /// Takes a circuit over from the connection that it had.
    fn connect<H: Handler, St: Store, T: Interner>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        secret: &str,
    ) -> bool {
        let found = server.find(secret);
        if let Some(at) = found
            && let Some(slot) = server.slots.get_mut(at)
            && let Some(circuit) = &mut slot.circuit
        {
            if circuit.is_resumable() {
                slot.epoch = slot.epoch.wrapping_add(1);
                circuit.detached_at = None;
                for handle in circuit.calls.give_up() {
                    if handle != 0 {
                        let cut = Err("connection cut");
                        server.handler.js_answer(&mut circuit.page, handle, cut);
                    }
                }
                // What is not acknowledged goes out once more.
                circuit.batches.sent = circuit.batches.acknowledged;
                self.state = State::Running(Key { slot: at, epoch: slot.epoch });
                count(&mut server.counters.reconnected);
                return true;
            }
            // The page loads anew.
            server.close(at, Closed::Cut);
        }
        count(&mut server.counters.not_reconnected);
        false
    }

    /// Adds and removes root components; returns under which number that is to be answered.
    fn update_roots<H: Handler, St: Store>(
        &mut self,
        handler: &mut H,
        circuit: &mut Circuit<H::Page, St>,
        operations: &str,
    ) -> Result<u64, Refusal> {
        let operations = Operations::parse(operations).map_err(Refusal::Json)?;
        let batch = operations.batch;
        // What one message may be answered with has room for so many.
        let mut room = MAX_ROOTS;
        for operation in operations {
            match operation.map_err(Refusal::Json)? {
                Operation::Add { selector, root } => {
                    room = room.checked_sub(1).ok_or(Refusal::BadRoot)?;
                    let component = add_root(handler, circuit, selector, &root)?;
                    self.attach(component, selector);
                }
                Operation::Remove { selector } => {
                    if let Some(component) = circuit.roots.remove(selector) {
                        handler.root_removed(&mut circuit.page, component);
                    }
                }
                // It stays, and shows what it shows.
                Operation::Update { .. } => {}
            }
        }
        Ok(batch)
    }

    /// The same where the operations are a text in JSON, as the release candidates of .NET 8 have it:
    /// `["[…]"]`, without a number.
    #[inline(never)]
    fn update_roots_in_json<H: Handler, St: Store>(
        &mut self,
        handler: &mut H,
        circuit: &mut Circuit<H::Page, St>,
        arguments: &str,
    ) -> Result<(), Refusal> {
        const FRONT: &[u8] = b"{\"batchId\":0,\"operations\":";
        let [text] = Value::parse(arguments)
            .and_then(|value| value.array()?.exactly())
            .map_err(Refusal::Json)?;
        let text = text.text().map_err(Refusal::Json)?;
        let mut buffer = [0; OPERATIONS_LEN];
        let (front, behind) = buffer.split_at_mut_checked(FRONT.len()).unwrap_or_default();
        copy(front, FRONT);
        let Ok(operations) = text.copy_to(behind) else { return Err(Refusal::BadRoot) };
        let len = operations.len();
        if operations.starts_with('[') {
            let end = FRONT.len().saturating_add(len);
            *buffer.get_mut(end).ok_or(Refusal::BadRoot)? = b'}';
            let whole = buffer.get(..end.saturating_add(1)).unwrap_or_default();
            let whole = core::str::from_utf8(whole).unwrap_or_default();
            self.update_roots(handler, circuit, whole)?;
        } else {
            let whole = buffer.get(FRONT.len()..).and_then(|rest| rest.get(..len));
            let whole = core::str::from_utf8(whole.unwrap_or_default()).unwrap_or_default();
            self.update_roots(handler, circuit, whole)?;
        }
        Ok(())
    }

    fn attach(&mut self, component: i32, selector: u32) {
        let mut digits = [0; 10];
        let selector = decimal(selector, &mut digits);
        self.invoke(Answer::AttachComponent { component, selector });
    }

    /// Answers a call of a method, if it has a number.
    #[inline]
    fn end_invoke(&mut self, call: Option<&str>, ok: bool, result: &str) {
        if let Some(call) = call {
            self.invoke(Answer::EndInvokeDotNet { call, ok, result });
        }
    }

    #[inline]
    fn invoke(&mut self, call: Answer<'_>) {
        self.link.reply(&Message::Invocation { id: None, call });
    }

    /// Answers a call, if an answer is wanted.
    #[inline]
    fn complete(&mut self, id: Option<&str>, outcome: Outcome<'_>) {
        if let Some(id) = id {
            let completion: FromServer<'_> = Message::Completion { id, outcome };
            self.link.reply(&completion);
        }
    }
}

/// What a circuit is started with.
struct Start<'a> {
    base_uri: &'a str,
    uri: &'a str,
    components: &'a str,
    /// Whether the script waits to be told of the renderer: those up to .NET 5 know it.
    attaches: bool,
}

/// Adds all that a circuit starts with; the component and the selector of each.
fn add_roots<H: Handler, St: Store>(
    handler: &mut H,
    circuit: &mut Circuit<H::Page, St>,
    roots: Roots<'_>,
) -> Result<[Option<(i32, u32)>; MAX_ROOTS], Refusal> {
    let mut attached = [None; MAX_ROOTS];
    let mut places = attached.iter_mut();
    for root in roots {
        let root = root.map_err(Refusal::Json)?;
        let component = add_root(handler, circuit, root.sequence, &root)?;
        *places.next().ok_or(Refusal::BadRoot)? = Some((component, root.sequence));
    }
    Ok(attached)
}

fn add_root<H: Handler, St: Store>(
    handler: &mut H,
    circuit: &mut Circuit<H::Page, St>,
    selector: u32,
    root: &Root<'_>,
) -> Result<i32, Refusal> {
    let component = circuit.roots.add(selector).ok_or(Refusal::BadRoot)?;
    if handler.root(&mut circuit.page, component, root.descriptor) {
        Ok(component)
    } else {
        Err(Refusal::BadRoot)
    }
}

#[inline]
fn check_id(id: Option<&str>) -> Result<(), Refusal> {
    match id {
        Some(id) if id.len() > ID_LEN => Err(Refusal::IdTooLong),
        _ => Ok(()),
    }
}

/// `value` in decimal.
fn decimal(mut value: u32, digits: &mut [u8; 10]) -> &str {
    let mut start = digits.len();
    for digit in digits.iter_mut().rev() {
        *digit = b'0' | (value % 10).to_le_bytes()[0];
        value /= 10;
        start -= 1;
        if value == 0 {
            break;
        }
    }
    core::str::from_utf8(digits.get(start..).unwrap_or_default()).unwrap_or_default()
}
