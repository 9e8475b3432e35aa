//! What a browser calls.

use super::message::{Target, arguments, arguments_up_to};
use super::output::{Encode, Output};
use crate::circuit::message_pack::{Head, Unpacker};
use crate::error::DecodeError;

/// A call of the browser's, with its arguments.
///
/// Texts that are called JSON have not been looked at.
///
/// | target | arguments |
/// |---|---|
/// | `StartCircuit` | base address, address, components as JSON, state; to .NET 5 without state |
/// | `UpdateRootComponents` | operations as JSON, state |
/// | `ConnectCircuit` | secret |
/// | `ResumeCircuit` | secret, base address, address, components as JSON, state |
/// | `PauseCircuit` | |
/// | `BeginInvokeDotNetFromJS` | number of the call or nil, assembly or nil, method, object, arguments as JSON |
/// | `EndInvokeJSFromDotNet` | number of the call, whether it worked, result as JSON or what went wrong |
/// | `DispatchBrowserEvent` | descriptor as JSON, arguments as JSON; to .NET 5 |
/// | `OnRenderCompleted` | number of the batch, what went wrong or nil |
/// | `OnLocationChanged` | address, state or nil, whether a link was intercepted; in .NET 6 without state |
/// | `OnLocationChanging` | number of the call, address, state or nil, whether a link was intercepted |
/// | `ReceiveByteArray` | number, bytes |
/// | `ReceiveJSDataChunk` | number of the stream, number of the piece, bytes, what went wrong or nil |
/// | `SendDotNetStreamToJS` | number of the stream |
///
/// Source: dotnet/aspnetcore, `src/Components/Server/src/ComponentHub.cs` and
/// `src/Components/Web.JS/src/Platform/Circuits/CircuitManager.ts`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
#[allow(missing_docs, reason = "the table above has the fields")]
pub enum Call<'a> {
    /// Starts a circuit.
    StartCircuit { base_uri: &'a str, uri: &'a str, components: &'a str, state: Option<&'a str> },
    /// Adds, changes and removes root components.
    UpdateRootComponents { operations: &'a str, state: &'a str },
    /// Goes on with a circuit on a new connection.
    ConnectCircuit { secret: &'a str },
    /// Goes on with a circuit whose state was put away.
    ResumeCircuit {
        secret: &'a str,
        base_uri: &'a str,
        uri: &'a str,
        components: &'a str,
        state: &'a str,
    },
    /// Has the circuit's state put away.
    PauseCircuit,
    /// Calls a method; events come this way since .NET 6.
    BeginInvokeDotNetFromJs {
        call: Option<&'a str>,
        assembly: Option<&'a str>,
        method: &'a str,
        object: u64,
        arguments: &'a str,
    },
    /// Answers a call of the server's.
    EndInvokeJsFromDotNet { handle: u64, ok: bool, result: &'a str },
    /// An event, to .NET 5.
    DispatchBrowserEvent { descriptor: &'a str, arguments: &'a str },
    /// A batch is in the page, or could not be put there.
    OnRenderCompleted { batch: u64, error: Option<&'a str> },
    /// The page has another address.
    OnLocationChanged { uri: &'a str, state: Option<&'a str>, intercepted: bool },
    /// The page is about to have another address.
    OnLocationChanging { call: u64, uri: &'a str, state: Option<&'a str>, intercepted: bool },
    /// Bytes that a later call names.
    ReceiveByteArray { id: u64, data: &'a [u8] },
    /// A piece of a stream.
    ReceiveJsDataChunk { stream: u64, chunk: u64, data: &'a [u8], error: Option<&'a str> },
    /// Asks for a stream.
    SendDotNetStreamToJs { stream: u64 },
    /// A target that is none of these; its arguments as MessagePack.
    Other { target: &'a str, arguments: &'a [u8] },
}

impl<'a> Target<'a> for Call<'a> {
    const STREAMS: bool = false;

    fn decode(from: &mut Unpacker<'a>) -> Result<Self, DecodeError> {
        let start = *from;
        // Which of these it is shows whether it is UTF-8.
        Ok(match from.text_bytes()? {
            b"BeginInvokeDotNetFromJS" => {
                arguments(from, 5)?;
                Self::BeginInvokeDotNetFromJs {
                    call: from.text_or_nil()?,
                    assembly: from.text_or_nil()?,
                    method: from.text()?,
                    object: from.unsigned()?,
                    arguments: from.text()?,
                }
            }
            b"OnRenderCompleted" => {
                arguments(from, 2)?;
                Self::OnRenderCompleted { batch: from.unsigned()?, error: from.text_or_nil()? }
            }
            b"StartCircuit" => {
                let count = arguments_up_to(from, 3, 4)?;
                let (base_uri, uri, components) = (from.text()?, from.text()?, from.text()?);
                let state = if count == 4 { Some(from.text()?) } else { None };
                Self::StartCircuit { base_uri, uri, components, state }
            }
            b"UpdateRootComponents" => {
                arguments(from, 2)?;
                Self::UpdateRootComponents { operations: from.text()?, state: from.text()? }
            }
            b"ConnectCircuit" => {
                arguments(from, 1)?;
                Self::ConnectCircuit { secret: from.text()? }
            }
            b"ResumeCircuit" => {
                arguments(from, 5)?;
                Self::ResumeCircuit {
                    secret: from.text()?,
                    base_uri: from.text()?,
                    uri: from.text()?,
                    components: from.text()?,
                    state: from.text()?,
                }
            }
            b"PauseCircuit" => {
                arguments(from, 0)?;
                Self::PauseCircuit
            }
            b"EndInvokeJSFromDotNet" => {
                arguments(from, 3)?;
                let (handle, ok, result) = (from.unsigned()?, from.bool()?, from.text()?);
                Self::EndInvokeJsFromDotNet { handle, ok, result }
            }
            b"DispatchBrowserEvent" => {
                arguments(from, 2)?;
                Self::DispatchBrowserEvent { descriptor: from.text()?, arguments: from.text()? }
            }
            b"OnLocationChanged" => {
                let count = arguments_up_to(from, 2, 3)?;
                let uri = from.text()?;
                let state = if count == 3 { from.text_or_nil()? } else { None };
                Self::OnLocationChanged { uri, state, intercepted: from.bool()? }
            }
            b"OnLocationChanging" => {
                arguments(from, 4)?;
                Self::OnLocationChanging {
                    call: from.unsigned()?,
                    uri: from.text()?,
                    state: from.text_or_nil()?,
                    intercepted: from.bool()?,
                }
            }
            b"ReceiveByteArray" => {
                arguments(from, 2)?;
                Self::ReceiveByteArray { id: from.unsigned()?, data: from.bytes()? }
            }
            b"ReceiveJSDataChunk" => {
                arguments(from, 4)?;
                Self::ReceiveJsDataChunk {
                    stream: from.unsigned()?,
                    chunk: from.unsigned()?,
                    data: from.bytes()?,
                    error: from.text_or_nil()?,
                }
            }
            b"SendDotNetStreamToJS" => {
                arguments(from, 1)?;
                Self::SendDotNetStreamToJs { stream: from.unsigned()? }
            }
            _ => {
                *from = start;
                Self::Other { target: from.text()?, arguments: from.skip()? }
            }
        })
    }
}

impl Call<'_> {
    /// The name of what is called.
    #[must_use]
    pub const fn target(&self) -> &str {
        match self {
            Self::StartCircuit { .. } => "StartCircuit",
            Self::UpdateRootComponents { .. } => "UpdateRootComponents",
            Self::ConnectCircuit { .. } => "ConnectCircuit",
            Self::ResumeCircuit { .. } => "ResumeCircuit",
            Self::PauseCircuit => "PauseCircuit",
            Self::BeginInvokeDotNetFromJs { .. } => "BeginInvokeDotNetFromJS",
            Self::EndInvokeJsFromDotNet { .. } => "EndInvokeJSFromDotNet",
            Self::DispatchBrowserEvent { .. } => "DispatchBrowserEvent",
            Self::OnRenderCompleted { .. } => "OnRenderCompleted",
            Self::OnLocationChanged { .. } => "OnLocationChanged",
            Self::OnLocationChanging { .. } => "OnLocationChanging",
            Self::ReceiveByteArray { .. } => "ReceiveByteArray",
            Self::ReceiveJsDataChunk { .. } => "ReceiveJSDataChunk",
            Self::SendDotNetStreamToJs { .. } => "SendDotNetStreamToJS",
            Self::Other { target, .. } => target,
        }
    }
}

impl Encode for Call<'_> {
    fn put<O: Output>(&self, out: &mut O) {
        out.text(self.target());
        match *self {
            Self::StartCircuit { base_uri, uri, components, state } => {
                out.head(Head::array(if state.is_some() { 4 } else { 3 }));
                texts(out, &[base_uri, uri, components]);
                if let Some(state) = state {
                    out.text(state);
                }
            }
            Self::UpdateRootComponents { operations, state } => {
                out.head(Head::array(2));
                texts(out, &[operations, state]);
            }
            Self::ConnectCircuit { secret } => {
                out.head(Head::array(1));
                out.text(secret);
            }
            Self::ResumeCircuit { secret, base_uri, uri, components, state } => {
                out.head(Head::array(5));
                texts(out, &[secret, base_uri, uri, components, state]);
            }
            Self::PauseCircuit => out.head(Head::array(0)),
            Self::BeginInvokeDotNetFromJs { call, assembly, method, object, arguments } => {
                out.head(Head::array(5));
                out.text_or_nil(call);
                out.text_or_nil(assembly);
                out.text(method);
                out.head(Head::unsigned(object));
                out.text(arguments);
            }
            Self::EndInvokeJsFromDotNet { handle, ok, result } => {
                out.head(Head::array(3));
                out.head(Head::unsigned(handle));
                out.head(Head::bool(ok));
                out.text(result);
            }
            Self::DispatchBrowserEvent { descriptor, arguments } => {
                out.head(Head::array(2));
                texts(out, &[descriptor, arguments]);
            }
            Self::OnRenderCompleted { batch, error } => {
                out.head(Head::array(2));
                out.head(Head::unsigned(batch));
                out.text_or_nil(error);
            }
            Self::OnLocationChanged { uri, state, intercepted } => {
                out.head(Head::array(3));
                out.text(uri);
                out.text_or_nil(state);
                out.head(Head::bool(intercepted));
            }
            Self::OnLocationChanging { call, uri, state, intercepted } => {
                out.head(Head::array(4));
                out.head(Head::unsigned(call));
                out.text(uri);
                out.text_or_nil(state);
                out.head(Head::bool(intercepted));
            }
            Self::ReceiveByteArray { id, data } => {
                out.head(Head::array(2));
                out.head(Head::unsigned(id));
                out.bytes(data);
            }
            Self::ReceiveJsDataChunk { stream, chunk, data, error } => {
                out.head(Head::array(4));
                out.head(Head::unsigned(stream));
                out.head(Head::unsigned(chunk));
                out.bytes(data);
                out.text_or_nil(error);
            }
            Self::SendDotNetStreamToJs { stream } => {
                out.head(Head::array(1));
                out.head(Head::unsigned(stream));
            }
            Self::Other { arguments, .. } => out.put(arguments),
        }
    }
}

fn texts<O: Output>(out: &mut O, texts: &[&str]) {
    for text in texts {
        out.text(text);
    }
}
