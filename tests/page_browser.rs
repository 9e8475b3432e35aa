//! Random pages in a real browser: the unmodified script applies the edits, and a full rendering beside them.
//!
//! `ONEWRITE_BLAZOR_SCRIPT` names one or more of the scripts that ASP.NET Core ships, as in the search path.
//! Without them, or without Chromium, nothing is tested.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::panic, clippy::cast_possible_truncation, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "live_browser/chromium.rs"]
mod chromium;
#[path = "page/dom.rs"]
#[allow(dead_code, reason = "here it only counts")]
mod dom;
#[path = "live_browser/page.rs"]
#[allow(dead_code, reason = "what persons do comes with it")]
mod page;
#[path = "page/random.rs"]
mod random;
#[path = "page/website.rs"]
mod website;

use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs};

use chromium::Chromium;
use dom::Document;
use onewrite::page::{Draft, Event, Page};
use onewrite::render_batch::{Batch, Diff, Edit, Frame, FrameView, write_into};
use onewrite::string_table::StringTable;
use random::{Item, Random, show};

/// For one answer of the browser.
const PATIENCE: Duration = Duration::from_secs(60);

/// For all pages.
const ALL: Duration = Duration::from_secs(600);

const PAIRS: usize = 10_000;

/// Pairs that the browser is sent at once.
const CHUNK: usize = 250;

/// What the ids of the other page's handlers begin with.
const OTHER: u64 = 1 << 40;

const RENDERER: &str = include_str!("page/renderer.js");

#[test]
fn browser_shows_what_a_full_rendering_shows() {
    let Some(scripts) = env::var_os("ONEWRITE_BLAZOR_SCRIPT") else {
        eprintln!("skipped: ONEWRITE_BLAZOR_SCRIPT names no script");
        return;
    };
    let Some(chromium) = Chromium::shared() else { return };
    let chunks: Vec<_> = pairs(0x5eed).chunks(CHUNK).map(<[_]>::concat).collect();
    let bytes: usize = chunks.iter().map(Vec::len).sum();
    println!("{PAIRS} pairs, {bytes} bytes");
    for script in env::split_paths(&scripts) {
        let address = website(script.clone(), chunks.clone());
        // Before .NET 8 the renderer of a circuit has another number.
        let text = fs::read_to_string(&script).unwrap();
        let renderer = u8::from(text.contains("UpdateRootComponents"));
        let url = format!("http://{address}/?renderer={renderer}");
        let mut browser = page::Page::at(chromium, &url);
        let took = browser.until_within("state.done || state.failed !== null", ALL);
        let failed = browser.evaluate("state.failed");
        assert!(failed.is_null(), "{}: {failed}", script.display());
        assert_eq!(browser.evaluate("state.pairs"), PAIRS);
        assert_eq!(browser.complaints(), [""; 0], "{}", script.display());
        println!("{}: {PAIRS} pairs in {took:.1?}", script.display());
    }
}

/// The page, the script, and what it asks for before it opens a WebSocket.
fn website(script: PathBuf, chunks: Vec<Vec<u8>>) -> std::net::SocketAddr {
    let is_web = script.file_name().is_some_and(|name| name.to_string_lossy().contains("web"));
    let script = fs::read(script).unwrap();
    let marker = |sequence: u8| {
        let key = if is_web {
            format!(r#","key":{{"locationHash":"L{sequence}","formattedComponentKey":""}}"#)
        } else {
            String::new()
        };
        format!(
            r#"<!--Blazor:{{"type":"server","sequence":{sequence},"descriptor":"D{sequence}"{key}}}-->"#
        )
    };
    let html = format!(
        "<!DOCTYPE html><base href=\"/\"><link rel=\"icon\" href=\"data:,\"><body>\
         <div id=\"changed\">{}</div><div id=\"fresh\">{}</div>\
         <script src=\"/renderer.js\"></script><script src=\"/blazor.js\"></script>",
        marker(0),
        marker(1)
    );
    let negotiated = r#"{"negotiateVersion":1,"connectionId":"C","connectionToken":"T",
        "availableTransports":[{"transport":"WebSockets","transferFormats":["Text","Binary"]}]}"#;
    website::serve(move |path| {
        Some(match path {
            "/" => ("text/html", html.clone().into_bytes()),
            "/renderer.js" => ("text/javascript", RENDERER.into()),
            "/blazor.js" => ("text/javascript", script.clone()),
            "/_blazor/initializers" => ("application/json", b"[]".into()),
            "/_blazor/negotiate" => ("application/json", negotiated.into()),
            _ => {
                let chunk: usize = path.strip_prefix("/pairs/")?.parse().ok()?;
                ("application/octet-stream", chunks.get(chunk).cloned().unwrap_or_default())
            }
        })
    })
}

/// For each pair of pages the two batches, and what the handlers do.
fn pairs(seed: u64) -> Vec<Vec<u8>> {
    let mut random = Random(seed);
    let mut table = StringTable::<128>::new();
    let mut out = vec![0; 1 << 17];
    let mut draft = Box::new(Draft::<1024, 8192>::new());
    let mut changed = Box::new(Page::<1024, 8192>::new(0));
    let mut fresh = changed.clone();
    let (mut shown, mut ids) = (Document::default(), Vec::new());
    let mut other = Document::default();
    let mut list: Vec<Item> = Vec::new();
    let mut pairs = Vec::new();
    for _ in 0..PAIRS {
        if random.below(10) == 0 {
            list = random.list(0);
        } else {
            random.change(&mut list, 0);
        }
        let mut bytes = Vec::new();
        let mut handlers = Vec::new();
        let mut put = |piece: &[u8]| {
            bytes.extend((piece.len() as u32).to_be_bytes());
            bytes.extend_from_slice(piece);
        };
        let send = |batch: &Batch<'_>| write_into(&mut table, batch, &mut out);
        let len = changed.update(&mut draft, |page| show(&list, page), send).unwrap();
        if let Some(len) = len {
            other.apply(&out[..len]);
        }
        put(&out[..len.unwrap_or(0)]);

        // The same list on an empty page, behind the removal of what is there.
        fresh.reset();
        let gone: Vec<_> = shown.children.iter().map(|_| Edit::remove_frame(0)).collect();
        shown = Document::default();
        let send = |batch: &Batch<'_>| {
            let len = write_into(&mut table, batch, &mut out).unwrap();
            shown.apply(&out[..len]);
            anew(batch, &gone, &mut ids, |batch| write_into(&mut table, batch, &mut out))
        };
        let sent = fresh.update(&mut draft, |page| show(&list, page), send).unwrap();
        let len = sent.unwrap_or_else(|| {
            anew(&Batch::default(), &gone, &mut ids, |batch| {
                write_into(&mut table, batch, &mut out)
            })
            .unwrap()
        });
        put(&out[..len]);

        handlers.extend(ids.iter().map(|&id| (id, action(&fresh, id - OTHER))));
        handlers.extend(other.handlers.keys().map(|&id| (id, action(&changed, id))));
        put(serde_json::to_string(&handlers).unwrap().as_bytes());
        pairs.push(bytes);
    }
    pairs
}

fn action(page: &Page<1024, 8192>, id: u64) -> u32 {
    match page.event(id) {
        Event::Action(action) => action,
        other => panic!("{other:?}"),
    }
}

/// What `batch` inserts, behind `gone`, with ids of its own in the place of those in `ids`.
fn anew<R>(
    batch: &Batch<'_>,
    gone: &[Edit<'_>],
    ids: &mut Vec<u64>,
    send: impl FnOnce(&Batch<'_>) -> R,
) -> R {
    let disposed = std::mem::take(ids);
    let frames: Vec<_> = batch
        .frames
        .iter()
        .map(|frame| match frame.view() {
            FrameView::Attribute { name, event, .. } if event != 0 => {
                ids.push(event + OTHER);
                Frame::event_handler(name.unwrap(), event + OTHER)
            }
            _ => *frame,
        })
        .collect();
    let inserted = batch.diffs.iter().flat_map(|diff| diff.edits);
    let edits: Vec<_> = gone.iter().chain(inserted).copied().collect();
    let diffs = [Diff { component: 1, edits: &edits }];
    send(&Batch { diffs: &diffs, frames: &frames, disposed_events: &disposed, ..Batch::default() })
}
