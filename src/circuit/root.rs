//! Which places in a page a client wants filled.
//!
//! A page has a marker for each root component, `<!--Blazor:{"type":"server",…}-->`. A client reads them and
//! sends them back as JSON:
//!
//! | client | call | JSON |
//! |---|---|---|
//! | `blazor.server.js` | `StartCircuit` | `[{"type":"server","sequence":0,"descriptor":"…"}]`, which [`Roots`] reads |
//! | `blazor.web.js` | `StartCircuit` | `[]` |
//! | | then `UpdateRootComponents` | `{"batchId":1,"operations":[{"type":"add","ssrComponentId":1,"marker":{…}}]}`, which [`Operations`] reads |
//!
//! A descriptor proves that the page came from here: see [`Tickets`](super::ticket::Tickets). Source:
//! aspnetcore, `src/Components/Web.JS/src/Services/ComponentDescriptorDiscovery.ts`,
//! `WebRootComponentManager.ts`.

use super::json::{Elements, Error, Text, Value};

/// A marker that came back.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Root<'a> {
    /// Its number among those of the page; for `blazor.server.js` the selector that says where to attach.
    pub sequence: u32,
    /// What the page had as proof.
    pub descriptor: Text<'a>,
}

impl<'a> Root<'a> {
    fn read(marker: Value<'a>) -> Result<Self, Error> {
        let object = marker.object()?;
        let [class, sequence, descriptor] = object.pick(["type", "sequence", "descriptor"])?;
        let class = class.ok_or(object.missing("type"))?;
        // Only one that a server renders.
        if class.text()? != "server" {
            return Err(class.wrong("a marker of a server"));
        }
        Ok(Self {
            sequence: sequence.ok_or(object.missing("sequence"))?.u32()?,
            descriptor: descriptor.ok_or(object.missing("descriptor"))?.text()?,
        })
    }
}

/// The markers in `StartCircuit`.
///
/// ```
/// use onewrite::circuit::root::Roots;
///
/// let json = r#"[{"type":"server","sequence":0,"descriptor":"t1cket","uniqueId":0}]"#;
/// let mut roots = Roots::parse(json)?;
/// let Some(Ok(root)) = roots.next() else { panic!("a marker") };
/// assert!(root.sequence == 0 && root.descriptor == "t1cket");
/// assert!(roots.next().is_none());
/// # Ok::<(), onewrite::circuit::json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Roots<'a> {
    markers: Elements<'a>,
}

impl<'a> Roots<'a> {
    /// The markers in `json`, each of which is checked when it is asked for.
    ///
    /// # Errors
    ///
    /// What in `json` is no JSON, or no array.
    pub fn parse(json: &'a str) -> Result<Self, Error> {
        Ok(Self { markers: Value::parse(json)?.array()?.iter() })
    }
}

impl<'a> Iterator for Roots<'a> {
    type Item = Result<Root<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.markers.next().map(Root::read)
    }
}

/// What `UpdateRootComponents` wants done.
#[derive(Clone, Debug)]
pub struct Operations<'a> {
    /// The number under which it is to be answered.
    pub batch: u64,
    operations: Elements<'a>,
}

impl<'a> Operations<'a> {
    /// The operations in `json`, each of which is checked when it is asked for.
    ///
    /// # Errors
    ///
    /// What in `json` is no JSON, or not such an object.
    pub fn parse(json: &'a str) -> Result<Self, Error> {
        let object = Value::parse(json)?.object()?;
        let [batch, operations] = object.pick(["batchId", "operations"])?;
        Ok(Self {
            batch: batch.ok_or(object.missing("batchId"))?.u64()?,
            operations: operations.ok_or(object.missing("operations"))?.array()?.iter(),
        })
    }
}

impl<'a> Iterator for Operations<'a> {
    type Item = Result<Operation<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.operations.next().map(Operation::read)
    }
}

/// What is to be done with one place in the page.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Operation<'a> {
    /// It is new.
    Add {
        /// The selector that says where to attach.
        selector: u32,
        /// Its marker.
        root: Root<'a>,
    },
    /// It is gone.
    Remove {
        /// Its selector.
        selector: u32,
    },
    /// The page was fetched anew, and has it still.
    Update {
        /// Its selector.
        selector: u32,
        /// Its new marker.
        root: Option<Root<'a>>,
    },
}

impl<'a> Operation<'a> {
    fn read(value: Value<'a>) -> Result<Self, Error> {
        let object = value.object()?;
        let [class, selector, candidate, marker] =
            object.pick(["type", "ssrComponentId", "selectorId", "marker"])?;
        let class = class.ok_or(object.missing("type"))?;
        // The release candidate of .NET 8 had another name for it.
        let selector = selector.or(candidate).ok_or(object.missing("ssrComponentId"))?.u32()?;
        let root = match marker.filter(|marker| !marker.is_null()) {
            Some(marker) => Some(Root::read(marker)?),
            None => None,
        };
        let name = class.text()?;
        if name == "add" {
            Ok(Self::Add { selector, root: root.ok_or(object.missing("marker"))? })
        } else if name == "remove" {
            Ok(Self::Remove { selector })
        } else if name == "update" {
            Ok(Self::Update { selector, root })
        } else {
            Err(class.wrong("an operation"))
        }
    }
}
