//! No writer is left out: read from the sources, every public function that takes a sink, or a slice to
//! write to, stands in a row of a table, or below with the reason why not.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use quote::ToTokens as _;
use syn::visit::{self, Visit};
use syn::{FnArg, ImplItemFn, ItemFn, ItemImpl, ItemTrait, Signature, TraitItemFn, Visibility};

use super::{batches, rooms, writers};

/// What is in no table, by the end of its name or the beginning.
const ELSEWHERE: &[(&str, &str)] = &[
    ("circuit::connection::Connection::", "circuit, in this test"),
    ("http::connection::Conn::", "http, in this test"),
    ("http::serve::", "http, in this test"),
    ("sink::embedded_io::StreamSink::", "batches, in this test"),
    ("sink::embedded_io_async::StreamSink::", "batches, in this test"),
    ("circuit::gate::Gate::answer", "tests/circuit_gate: it answers with status 500"),
    ("render_batch::edit::EditRecord::write_at", "an array of just its length"),
    ("render_batch::frame_record::FrameRecord::write_at", "an array of just its length"),
    ("record::put", "an array of just its length"),
    ("record::field::Field::put", "its caller has cut the slice"),
    ("record::private::", "what a derive calls, with the record itself"),
    ("record::bytes::ByteArray::", "cuts a slice, and writes nothing"),
    ("compression::", "a decoder: tests/compression"),
    ("::decompress", "a decoder: tests/compression"),
    ("::decompress_with", "a decoder: tests/compression"),
    ("source::", "a source: tests/source_stream"),
    ("sink::slice::SliceSink::new", "the sink itself"),
    ("spacetimedb::connection::", "reads"),
    ("websocket::assembly::Assembly::", "reads"),
    ("websocket::receiver::Receiver::next", "reads"),
    ("websocket::fragments::Fragments::next_frame", "tests/websocket: every scratch"),
    ("websocket::mask::Mask::apply", "changes what is there"),
    ("sink::producer::Producer::next_chunk", "the producers have rows"),
    ("http::handler::Handler::", "implemented by a server"),
    ("circuit::secret::Random::fill", "implemented by a server"),
];

/// Everything that takes a place for bytes.
#[derive(Default)]
struct Found {
    module: String,
    /// The type or trait around a method.
    around: Option<String>,
    names: BTreeSet<String>,
}

impl Found {
    fn function(&mut self, signature: &Signature) {
        let takes = |argument: &FnArg| {
            let FnArg::Typed(argument) = argument else { return false };
            let of = argument.ty.to_token_stream().to_string();
            of.contains("mut [u8]") || of.contains("mut [u8 ;") || of.contains("dyn Sink")
        };
        let generics = signature.generics.to_token_stream().to_string()
            + &signature.generics.where_clause.to_token_stream().to_string();
        let bounds = ["Sink", "Producer", "Write"];
        if bounds.iter().any(|bound| generics.contains(bound)) || signature.inputs.iter().any(takes)
        {
            let around = self.around.iter().map(|around| format!("{around}::"));
            let around: String = around.collect();
            self.names.insert(format!("{}::{around}{}", self.module, signature.ident));
        }
    }

    fn inside(&mut self, around: String, visit: impl FnOnce(&mut Self)) {
        let before = self.around.replace(around);
        visit(self);
        self.around = before;
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        // Tests, and macros' modules.
        if item.content.is_none() {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if matches!(item.vis, Visibility::Public(_)) {
            self.function(&item.sig);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let of = item.self_ty.to_token_stream().to_string();
        let of = of.split(' ').next().unwrap().to_owned();
        if let Some((_, of_trait, _)) = &item.trait_ {
            let name = of_trait.segments.last().unwrap().ident.to_string();
            if name == "Producer" && of != "&" {
                self.names.insert(format!("{}::{of} as {name}", self.module));
            }
            return;
        }
        self.inside(of, |found| visit::visit_item_impl(found, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if matches!(item.vis, Visibility::Public(_)) {
            self.function(&item.sig);
        }
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        if !matches!(item.vis, Visibility::Public(_)) {
            return;
        }
        let is_sink = item.supertraits.to_token_stream().to_string().contains("Sink");
        let name = item.ident.to_string();
        if is_sink || name == "Sink" {
            for method in &item.items {
                if let syn::TraitItem::Fn(method) = method
                    && method.sig.ident != "poison"
                {
                    let method = &method.sig.ident;
                    self.names.insert(format!("{}::{name}::{method}", self.module));
                }
            }
            return;
        }
        self.inside(name, |found| visit::visit_item_trait(found, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        self.function(&item.sig);
    }
}

fn read(folder: &Path, module: &str, found: &mut Found) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let inside = match (name, module) {
            ("mod" | "lib", _) => module.to_owned(),
            (_, "") => name.to_owned(),
            _ => format!("{module}::{name}"),
        };
        if path.is_dir() {
            read(&path, &inside, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.module = inside;
            let text = fs::read_to_string(&path).unwrap();
            found.visit_file(&syn::parse_file(&text).unwrap());
        }
    }
}

#[test]
fn every_writer_has_a_row() {
    let mut found = Found::default();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut found);
    assert!(
        found.names.len() > 50,
        "only {} found: are the sources read at all?",
        found.names.len()
    );

    let covered: BTreeSet<&str> = writers::all()
        .flat_map(|writer| writer.covers)
        .chain(rooms::ROOMS.iter().flat_map(|room| room.covers))
        .copied()
        .chain(batches::PRODUCERS.iter().map(|(name, _)| *name))
        // Macros write those, and they take closures.
        .filter(|name| !name.contains('!') && *name != "page::update::Page::update")
        .collect();
    for name in &covered {
        assert!(found.names.contains(*name), "there is no {name}: {:#?}", found.names);
    }
    let is_elsewhere = |name: &str, of: &str| {
        if of.starts_with("::") { name.ends_with(of) } else { name.starts_with(of) }
    };
    let mut forgotten = found.names.clone();
    forgotten.retain(|name| {
        let elsewhere = ELSEWHERE.iter().any(|(of, _)| is_elsewhere(name, of));
        !elsewhere && !covered.contains(name.as_str())
    });
    assert!(forgotten.is_empty(), "give these a row: {forgotten:#?}");
    let mut unused = ELSEWHERE.to_vec();
    unused.retain(|(of, _)| !found.names.iter().any(|name| is_elsewhere(name, of)));
    assert!(unused.is_empty(), "exceptions that nothing needs: {unused:#?}");
}

/// What of the interface for C writes to memory, and which test in C gives it too little.
const OF_C: &[(&str, &str)] = &[
    ("ow_leb128_put_", "full.c"),
    ("ow_bsatn_put_", "full.c"),
    ("ow_bsatn_writer_begin", "full.c"),
    ("ow_bsatn_writer_finish", "full.c"),
    ("ow_render_batch_finish", "full.c"),
    ("ow_bsatn_row_list_write", "formats.c"),
    ("ow_record_put_", "formats.c"),
    ("ow_http_feed", "http.c"),
    ("ow_http_overflow", "http.c"),
    ("ow_http_time_out", "http.c"),
];

#[test]
fn every_writer_of_the_interface_for_c_is_given_too_little() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("capi");
    let header = fs::read_to_string(root.join("include/onewrite.h")).unwrap();
    let mut found = 0;
    for declaration in header.split("ow_status ").skip(1) {
        let declaration = declaration.split(';').next().unwrap();
        let (name, arguments) = declaration.split_once('(').unwrap();
        let writes = arguments.split(',').any(|argument| {
            let argument = argument.trim();
            ["uint8_t *out", "uint8_t *record", "ow_bsatn_writer *"]
                .iter()
                .any(|start| argument.starts_with(start))
        });
        if !writes {
            continue;
        }
        found += 1;
        let Some((_, file)) = OF_C.iter().find(|(start, _)| name.starts_with(start)) else {
            panic!("give {name} a test in capi/tests/full.c");
        };
        let test = fs::read_to_string(root.join("tests").join(file)).unwrap();
        // Those of records are made by a macro, from their width and order.
        let called = format!("{name}(");
        assert!(
            name.starts_with("ow_record_") || test.contains(&called),
            "{name} is not in {file}"
        );
    }
    assert!(found > 25, "only {found} found: is the header read at all?");
}
