//! `onewrite.h`, made from what the sources of `capi/` offer.
//!
//! | Rust | C |
//! |---|---|
//! | `pub const NAME: T` | `#define OW_NAME` |
//! | `pub const fn name(..)` of one expression | `#define OW_NAME(..)` |
//! | `#[repr(i32)] pub enum SomeName` | `typedef int32_t ow_some_name`, constants `OW_SOME_NAME_..` |
//! | `#[repr(C)] pub struct SomeName` | `typedef struct ow_some_name` |
//! | `pub extern "C" fn ow_name` | the function |
//!
//! An enum becomes a number of stated size, because the size of C's own is the compiler's choice.
//! Whatever else is public is an error that names it: nothing is left out in silence.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use syn::{BinOp, Expr, Lit, Type};

use super::source::{self, Declaration, Field, Kind, Variant};

/// The header of the crate whose `lib.rs` this is.
pub(super) fn generate(root: &Path) -> Result<String> {
    let interface = source::read(root)?;
    let mut names = Names::default();
    for item in &interface.items {
        names.add(item);
    }
    let mut text = String::from(
        "// Made by `cargo xtask capi --bless` from the Rust sources: not to be edited.\n\n",
    );
    comment(&mut text, "", &interface.about);
    text.push_str("#ifndef ONEWRITE_H\n#define ONEWRITE_H\n\n");
    text.push_str("#include <stddef.h>\n#include <stdint.h>\n\n");
    text.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for item in &interface.items {
        text.push('\n');
        comment(&mut text, "", &item.docs);
        names.item(&mut text, item).with_context(|| format!("{}: no header made", item.name))?;
    }
    text.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    Ok(text)
}

/// The names that types and constants of the crate have in C.
#[derive(Debug, Default)]
struct Names {
    types: BTreeMap<String, String>,
    constants: BTreeMap<String, String>,
}

impl Names {
    fn add(&mut self, item: &Declaration) {
        let name = item.name.clone();
        match item.kind {
            Kind::Const(_) => drop(self.constants.insert(name, format!("OW_{}", item.name))),
            Kind::Enum { .. } | Kind::Struct(_) => {
                let snake = format!("ow_{}", snake(&item.name));
                self.types.insert(name, snake);
            }
            Kind::Macro { .. } | Kind::Function { .. } => {}
        }
    }

    fn item(&self, text: &mut String, item: &Declaration) -> Result<()> {
        let name = &item.name;
        match &item.kind {
            Kind::Const(value) => {
                writeln!(text, "#define OW_{name} {}", self.expression(value, &[])?)?;
            }
            Kind::Macro { parameters, body } => {
                let (name, list) = (name.to_uppercase(), parameters.join(", "));
                writeln!(text, "#define OW_{name}({list}) \\")?;
                writeln!(text, "    {}", self.expression(body, parameters)?)?;
            }
            Kind::Enum { representation, variants } => {
                let ty = primitive(representation).context("an unknown representation")?;
                self.enumeration(text, name, ty, variants)?;
            }
            Kind::Struct(fields) => self.structure(text, name, fields)?,
            Kind::Function { parameters, output } => {
                let output = match output {
                    None => "void".to_owned(),
                    Some(ty) => self.declare(ty, "")?,
                };
                let all: Vec<String> = parameters
                    .iter()
                    .map(|parameter| self.declare(&parameter.ty, &parameter.name))
                    .collect::<Result<_>>()?;
                let list = if all.is_empty() { "void".to_owned() } else { all.join(", ") };
                let space = if output.ends_with('*') { "" } else { " " };
                let line = format!("{output}{space}{name}({list});");
                if line.len() <= WIDTH {
                    writeln!(text, "{line}")?;
                } else {
                    writeln!(text, "{output}{space}{name}(\n    {});", all.join(",\n    "))?;
                }
            }
        }
        Ok(())
    }

    fn enumeration(
        &self,
        text: &mut String,
        name: &str,
        ty: &str,
        variants: &[Variant],
    ) -> Result<()> {
        let name = snake(name);
        writeln!(text, "typedef {ty} ow_{name};\nenum {{")?;
        for variant in variants {
            comment(text, "    ", &variant.docs);
            let (prefix, own) = (name.to_uppercase(), snake(&variant.name).to_uppercase());
            let value = self.expression(&variant.value, &[])?;
            writeln!(text, "    OW_{prefix}_{own} = {value},")?;
        }
        text.push_str("};\n");
        Ok(())
    }

    fn structure(&self, text: &mut String, name: &str, fields: &[Field]) -> Result<()> {
        let name = snake(name);
        writeln!(text, "typedef struct ow_{name} {{")?;
        for field in fields {
            comment(text, "    ", &field.docs);
            writeln!(text, "    {};", self.declare(&field.ty, &field.name)?)?;
        }
        writeln!(text, "}} ow_{name};")?;
        Ok(())
    }

    /// A declaration of `name`; a type alone where the name is empty.
    fn declare(&self, ty: &Type, name: &str) -> Result<String> {
        match ty {
            Type::Path(path) => {
                let ident = path.path.segments.last().context("a type without a name")?;
                if !ident.arguments.is_none() {
                    bail!("type {} has arguments", ident.ident);
                }
                let ident = ident.ident.to_string();
                let c = primitive(&ident).or_else(|| self.types.get(&ident).map(String::as_str));
                let c = c.with_context(|| format!("type {ident} has no name in C"))?;
                Ok(if name.is_empty() { c.to_owned() } else { format!("{c} {name}") })
            }
            Type::Ptr(pointer) => {
                let to = self.declare(&pointer.elem, "")?;
                let constant = if pointer.const_token.is_some() { "const " } else { "" };
                let space = if to.ends_with('*') { "" } else { " " };
                Ok(format!("{constant}{to}{space}*{name}"))
            }
            Type::Array(array) if !name.is_empty() => {
                let element = self.declare(&array.elem, name)?;
                Ok(format!("{element}[{}]", self.expression(&array.len, &[])?))
            }
            _ => bail!("a type that has no form in C"),
        }
    }

    /// An expression of numbers, in parentheses where it is more than one.
    fn expression(&self, value: &Expr, parameters: &[String]) -> Result<String> {
        match value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(number) => Ok(number.base10_digits().to_owned()),
                _ => bail!("a literal that is no integer"),
            },
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
                Ok(format!("-{}", self.expression(&unary.expr, parameters)?))
            }
            Expr::Paren(inner) => self.expression(&inner.expr, parameters),
            Expr::Path(path) => {
                let name = path.path.get_ident().context("a path in a number")?.to_string();
                if parameters.contains(&name) {
                    return Ok(format!("(size_t)({name})"));
                }
                let known = self.constants.get(&name);
                known.cloned().with_context(|| format!("{name} is not a public constant"))
            }
            Expr::Binary(binary) => {
                let sign = match binary.op {
                    BinOp::Add(_) => "+",
                    BinOp::Sub(_) => "-",
                    BinOp::Mul(_) => "*",
                    BinOp::Div(_) => "/",
                    BinOp::Shl(_) => "<<",
                    BinOp::BitOr(_) => "|",
                    _ => bail!("an operator that is not known"),
                };
                let left = self.expression(&binary.left, parameters)?;
                let right = self.expression(&binary.right, parameters)?;
                Ok(format!("({left} {sign} {right})"))
            }
            _ => bail!("an expression that is not known"),
        }
    }
}

/// The longest line of a declaration.
const WIDTH: usize = 96;

/// A type of the language, in C.
fn primitive(name: &str) -> Option<&'static str> {
    Some(match name {
        "u8" => "uint8_t",
        "u16" => "uint16_t",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "i8" => "int8_t",
        "i16" => "int16_t",
        "i32" => "int32_t",
        "i64" => "int64_t",
        "usize" => "size_t",
        "f32" => "float",
        "f64" => "double",
        "c_char" => "char",
        "c_void" => "void",
        _ => return None,
    })
}

/// `SomeName` as `some_name`; digits belong to the word before them.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

fn comment(text: &mut String, indent: &str, lines: &[String]) {
    match lines {
        [] => {}
        [only] => drop(writeln!(text, "{indent}/** {only} */")),
        lines => {
            let _ = writeln!(text, "{indent}/**");
            for line in lines {
                let _ = writeln!(text, "{}", format!("{indent} * {line}").trim_end());
            }
            let _ = writeln!(text, "{indent} */");
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use std::fs;

    /// The header of a crate of one file.
    fn of(source: &str) -> Result<String> {
        let folder = std::env::temp_dir().join(format!("onewrite-header-{}", std::process::id()));
        let name = format!("{:?}.rs", std::thread::current().id());
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name.replace(['(', ')'], "-"));
        fs::write(&path, source).unwrap();
        generate(&path)
    }

    #[test]
    fn items_become_what_c_understands() {
        let header = of("//! About.\n\
            /// A size.\npub const LONGEST: usize = 5;\n\
            pub const BOTH: u32 = LONGEST * 2 + 1;\n\
            /// Room.\npub const fn room_for(a: usize, b: usize) -> usize { a * 2 + b / 4 }\n\
            /// Kinds.\n#[repr(u32)] pub enum SomeKind { /// One.\n OneThing = 1 }\n\
            #[repr(C)] pub struct Some { pub size: u32, pub words: [u64; 3], pub name: Other }\n\
            #[repr(C)] pub struct Other { pub start: *const c_void }\n\
            /// Does.\n///\n/// # Safety\n///\n/// None.\n\
            #[unsafe(no_mangle)] pub unsafe extern \"C\" fn ow_do(a: *mut Some, n: usize) \
            -> SomeKind {}\n\
            #[unsafe(no_mangle)] pub extern \"C\" fn ow_text() -> *const c_char {}\n\
            fn private<T>(t: T) {} pub(crate) struct Hidden<'a>(&'a str);")
        .unwrap();
        for part in [
            "/** About. */\n#ifndef",
            "/** A size. */\n#define OW_LONGEST 5\n",
            "#define OW_BOTH ((OW_LONGEST * 2) + 1)\n",
            "#define OW_ROOM_FOR(a, b) \\\n    (((size_t)(a) * 2) + ((size_t)(b) / 4))\n",
            "typedef uint32_t ow_some_kind;\nenum {\n    /** One. */\n    OW_SOME_KIND_ONE_THING = 1,\n};",
            "typedef struct ow_some {\n    uint32_t size;\n    uint64_t words[3];\n    ow_other name;\n} ow_some;",
            "    const void *start;\n",
            "/** Does. */\now_some_kind ow_do(ow_some *a, size_t n);\n",
            "const char *ow_text(void);\n",
        ] {
            assert!(header.contains(part), "{part}\n---\n{header}");
        }
        assert!(!header.contains("private") && !header.contains("Hidden"));
    }

    #[test]
    fn what_is_not_known_is_named() {
        for (source, complaint) in [
            ("pub fn ow_x() {}", "extern \"C\""),
            ("pub extern \"C\" fn ow_x() {}", "no_mangle"),
            ("#[unsafe(no_mangle)] pub extern \"C\" fn ow_x(a: &u8) {}", "no form in C"),
            ("#[unsafe(no_mangle)] pub extern \"C\" fn ow_x(a: Option<u8>) {}", "arguments"),
            ("#[unsafe(no_mangle)] pub extern \"C\" fn ow_x(a: Foo) {}", "type Foo"),
            ("#[unsafe(no_mangle)] pub extern \"C\" fn ow_x<T>() {}", "generics"),
            ("pub struct X { pub a: u8 }", "repr(C)"),
            ("#[repr(C)] pub struct X { a: u8 }", "field a is not public"),
            ("#[repr(C)] pub struct X(pub u8);", "names"),
            ("pub enum X { A = 1 }", "repr(i32)"),
            ("#[repr(i32)] pub enum X { A }", "needs a number"),
            ("pub const X: u32 = f();", "expression"),
            ("pub const X: u32 = Y;", "Y is not a public constant"),
            ("pub static X: u32 = 1;", "only constants"),
            ("pub type X = u32;", "only constants"),
            ("make!();", "macro"),
            ("fn a() {}", "nothing public"),
            ("fn", "unexpected end of input"),
        ] {
            let error = format!("{:#}", of(source).unwrap_err());
            assert!(error.contains(complaint), "{source}: {error}");
        }
    }
}
