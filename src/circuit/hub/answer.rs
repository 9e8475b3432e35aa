//! What a server calls.

use super::message::{Target, arguments};
use super::output::{Encode, Output};
use crate::circuit::message_pack::{Head, Unpacker};
use crate::error::{DecodeError, DecodeErrorKind};

/// A call of the server's, with its arguments.
///
/// | target | arguments |
/// |---|---|
/// | `JS.AttachComponent` | component, selector: `sequence` of a marker, or `ssrComponentId` |
/// | `JS.RenderBatch` | number, batch; see [`BATCH_HEAD`](super::BATCH_HEAD) |
/// | `JS.BeginInvokeJS` | number of the call, function, arguments as JSON, kind of result, object |
/// | `JS.EndInvokeDotNet` | number of the call, whether it worked, result as JSON or what went wrong |
/// | `JS.EndUpdateRootComponents` | number that the operations had |
/// | `JS.EndLocationChanging` | number of the call, whether the page may go |
/// | `JS.Error` | text |
///
/// Source: dotnet/aspnetcore, `src/Components/Server/src/Circuits/RemoteRenderer.cs`, `RemoteJSRuntime.cs`
/// and `src/Components/Web.JS/src/Platform/Circuits/CircuitManager.ts`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
#[allow(missing_docs, reason = "the table above has the fields")]
pub enum Answer<'a> {
    /// Puts a component where a marker is.
    AttachComponent { component: i32, selector: &'a str },
    /// Changes the page.
    RenderBatch { id: u64, batch: &'a [u8] },
    /// Calls a function of the page. Handle 0 wants no answer.
    BeginInvokeJs {
        handle: u64,
        function: &'a str,
        arguments: &'a str,
        result: JsResult,
        object: u64,
    },
    /// Answers a call of the browser's.
    EndInvokeDotNet { call: &'a str, ok: bool, result: &'a str },
    /// Root components are as the browser wanted them.
    EndUpdateRootComponents { batch: u64 },
    /// Whether the page may have another address.
    EndLocationChanging { call: u64, go: bool },
    /// Something went wrong: the browser shows it, and does not connect again.
    Error { text: &'a str },
    /// A target that is none of these; its arguments as MessagePack.
    Other { target: &'a str, arguments: &'a [u8] },
}

/// What a function of the page gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum JsResult {
    /// A value, as JSON.
    Value = 0,
    /// An object that stays in the page.
    Object = 1,
    /// A stream.
    Stream = 2,
    /// Nothing.
    Void = 3,
}

impl JsResult {
    fn from_wire(value: u64) -> Option<Self> {
        [Self::Value, Self::Object, Self::Stream, Self::Void]
            .into_iter()
            .find(|kind| *kind as u64 == value)
    }
}

impl<'a> Target<'a> for Answer<'a> {
    const STREAMS: bool = true;

    fn decode(from: &mut Unpacker<'a>) -> Result<Self, DecodeError> {
        let start = *from;
        // Which of these it is shows whether it is UTF-8.
        Ok(match from.text_bytes()? {
            b"JS.AttachComponent" => {
                arguments(from, 2)?;
                Self::AttachComponent { component: from.i32()?, selector: from.text()? }
            }
            b"JS.RenderBatch" => {
                arguments(from, 2)?;
                Self::RenderBatch { id: from.unsigned()?, batch: from.bytes()? }
            }
            b"JS.BeginInvokeJS" => {
                arguments(from, 5)?;
                let (handle, function, arguments) = (from.unsigned()?, from.text()?, from.text()?);
                let at = *from;
                let value = from.unsigned()?;
                let Some(result) = JsResult::from_wire(value) else {
                    let name = "kind of result";
                    return Err(at.error(DecodeErrorKind::UnknownDiscriminant { name, value }));
                };
                let object = from.unsigned()?;
                Self::BeginInvokeJs { handle, function, arguments, result, object }
            }
            b"JS.EndInvokeDotNet" => {
                arguments(from, 3)?;
                let (call, ok, result) = (from.text()?, from.bool()?, from.text()?);
                Self::EndInvokeDotNet { call, ok, result }
            }
            b"JS.EndUpdateRootComponents" => {
                arguments(from, 1)?;
                Self::EndUpdateRootComponents { batch: from.unsigned()? }
            }
            b"JS.EndLocationChanging" => {
                arguments(from, 2)?;
                Self::EndLocationChanging { call: from.unsigned()?, go: from.bool()? }
            }
            b"JS.Error" => {
                arguments(from, 1)?;
                Self::Error { text: from.text()? }
            }
            _ => {
                *from = start;
                Self::Other { target: from.text()?, arguments: from.skip()? }
            }
        })
    }
}

impl Answer<'_> {
    /// The name of what is called.
    #[must_use]
    pub const fn target(&self) -> &str {
        match self {
            Self::AttachComponent { .. } => "JS.AttachComponent",
            Self::RenderBatch { .. } => "JS.RenderBatch",
            Self::BeginInvokeJs { .. } => "JS.BeginInvokeJS",
            Self::EndInvokeDotNet { .. } => "JS.EndInvokeDotNet",
            Self::EndUpdateRootComponents { .. } => "JS.EndUpdateRootComponents",
            Self::EndLocationChanging { .. } => "JS.EndLocationChanging",
            Self::Error { .. } => "JS.Error",
            Self::Other { target, .. } => target,
        }
    }
}

impl Encode for Answer<'_> {
    #[inline]
    fn put<O: Output>(&self, out: &mut O) {
        out.text(self.target());
        match *self {
            Self::AttachComponent { component, selector } => {
                out.head(Head::array(2));
                out.head(Head::signed(component));
                out.text(selector);
            }
            Self::RenderBatch { id, batch } => {
                out.head(Head::array(2));
                out.head(Head::unsigned(id));
                out.bytes(batch);
            }
            Self::BeginInvokeJs { handle, function, arguments, result, object } => {
                out.head(Head::array(5));
                out.head(Head::unsigned(handle));
                out.text(function);
                out.text(arguments);
                out.head(Head::unsigned(result as u64));
                out.head(Head::unsigned(object));
            }
            Self::EndInvokeDotNet { call, ok, result } => {
                out.head(Head::array(3));
                out.text(call);
                out.head(Head::bool(ok));
                out.text(result);
            }
            Self::EndUpdateRootComponents { batch } => {
                out.head(Head::array(1));
                out.head(Head::unsigned(batch));
            }
            Self::EndLocationChanging { call, go } => {
                out.head(Head::array(2));
                out.head(Head::unsigned(call));
                out.head(Head::bool(go));
            }
            Self::Error { text } => {
                out.head(Head::array(1));
                out.text(text);
            }
            Self::Other { arguments, .. } => out.put(arguments),
        }
    }
}
