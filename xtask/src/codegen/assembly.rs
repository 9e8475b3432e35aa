//! What the compiler writes as assembly, in a form that stays the same as long as the machine code
//! does: no directives, no debug information, and names and labels without hashes.

use std::collections::BTreeMap;

/// The machine code and the constants of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listing {
    pub(super) functions: Vec<Block>,
    constants: Vec<Block>,
}

/// A function, or a constant: what stands between two symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) name: String,
    pub(super) lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Where a branch goes.
    Label(String),
    /// An instruction and its operands, or the bytes of a constant.
    Code(String, String),
}

/// Directives that make the bytes of a constant.
const DATA: [&str; 12] = [
    ".ascii", ".asciz", ".byte", ".hword", ".short", ".word", ".long", ".xword", ".quad", ".zero",
    ".space", ".2byte",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Code,
    Constants,
    Other,
}

impl Listing {
    /// Reads what rustc wrote for `--emit=asm`.
    pub(super) fn read(text: &str) -> Self {
        let mut listing = Self::default();
        let mut section = Section::Other;
        for line in text.lines() {
            if let Some(label) = line.strip_suffix(':').filter(|_| !line.starts_with('\t')) {
                listing.label(section, label);
                continue;
            }
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            let (word, operands) = line.split_once('\t').unwrap_or((line, ""));
            match word {
                ".text" => section = Section::Code,
                ".section" => section = section_of(operands),
                _ if !word.starts_with('.') => {
                    listing.line(section, Section::Code, word, operands);
                }
                _ if DATA.contains(&word) => {
                    listing.line(section, Section::Constants, word, operands);
                }
                _ => {}
            }
        }
        listing.functions.retain(|function| !function.lines.is_empty());
        listing.constants.retain(|constant| !constant.lines.is_empty());
        listing.rename();
        listing
    }

    fn label(&mut self, section: Section, label: &str) {
        let is_branch_target = label.starts_with(".LBB");
        match section {
            Section::Code if is_branch_target => {
                if let Some(function) = self.functions.last_mut() {
                    function.lines.push(Line::Label(label.to_owned()));
                }
            }
            // The marks of debug information.
            Section::Code if label.starts_with(".L") => {}
            Section::Code => self.functions.push(Block::new(label)),
            Section::Constants => self.constants.push(Block::new(label)),
            Section::Other => {}
        }
    }

    fn line(&mut self, section: Section, wanted: Section, word: &str, operands: &str) {
        let blocks = match section {
            Section::Code => &mut self.functions,
            Section::Constants => &mut self.constants,
            Section::Other => return,
        };
        if section == wanted
            && let Some(block) = blocks.last_mut()
        {
            block.lines.push(Line::Code(word.to_owned(), operands.to_owned()));
        }
    }

    /// Numbers labels in the order in which they stand, and takes hashes out of names.
    fn rename(&mut self) {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let blocks = || self.functions.iter().chain(&self.constants);
        let labels = blocks().flat_map(|block| &block.lines).filter_map(|line| match line {
            Line::Label(label) => Some(label),
            Line::Code(..) => None,
        });
        for (number, label) in labels.enumerate() {
            names.insert(label.clone(), format!(".L{}", number + 1));
        }
        // Several forms of one generic function differ in nothing but the hash.
        let mut taken: BTreeMap<String, usize> = BTreeMap::new();
        for function in &self.functions {
            let name = without_hash(&function.name);
            let count = taken.entry(name.clone()).or_default();
            *count += 1;
            let name = if *count == 1 { name } else { format!("{name}.{count}") };
            names.insert(function.name.clone(), name);
        }
        for (number, constant) in self.constants.iter().enumerate() {
            names.insert(constant.name.clone(), format!(".Lbytes{}", number + 1));
        }
        for block in self.functions.iter_mut().chain(&mut self.constants) {
            block.name = renamed(&block.name, &names);
            for line in &mut block.lines {
                match line {
                    Line::Label(label) => *label = renamed(label, &names),
                    // The bytes of a text are no names.
                    Line::Code(word, _) if word.starts_with(".asci") => {}
                    Line::Code(_, operands) => *operands = renamed(operands, &names),
                }
            }
        }
    }

    /// Instructions in all functions.
    pub(super) fn instructions(&self) -> usize {
        let lines = self.functions.iter().flat_map(|function| &function.lines);
        lines.filter(|line| matches!(line, Line::Code(..))).count()
    }

    /// The listing as it is kept.
    pub(super) fn text(&self) -> String {
        let blocks = self.functions.iter().chain(&self.constants);
        blocks.map(Block::text).collect::<Vec<_>>().join("\n")
    }
}

impl Block {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), lines: Vec::new() }
    }

    fn text(&self) -> String {
        let mut text = format!("{}:\n", self.name);
        for line in &self.lines {
            let line = match line {
                Line::Label(label) => format!("{label}:"),
                Line::Code(word, operands) => format!("    {word:<7} {operands}"),
            };
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// Instructions of the function.
    pub(super) fn code(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines.iter().filter_map(|line| match line {
            Line::Code(word, operands) => Some((word.as_str(), operands.as_str())),
            Line::Label(_) => None,
        })
    }
}

fn section_of(operands: &str) -> Section {
    let name = operands.split(',').next().unwrap_or_default().trim_matches('"');
    let is_in = |section: &str| {
        name.strip_prefix(section).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    if is_in(".text") {
        Section::Code
    } else if is_in(".rodata") || is_in(".data") || is_in(".bss") || is_in(".srodata") {
        Section::Constants
    } else {
        Section::Other
    }
}

/// A text with every name in it replaced.
fn renamed(text: &str, names: &BTreeMap<String, String>) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    let (mut result, mut rest) = (String::new(), text);
    while let Some(start) = rest.find(is_name) {
        let (before, from) = rest.split_at(start);
        let (name, after) = from.split_at(from.find(|c| !is_name(c)).unwrap_or(from.len()));
        result.push_str(before);
        match names.get(name) {
            Some(new) => result.push_str(new),
            None => result.push_str(&without_hash(name)),
        }
        rest = after;
    }
    result + rest
}

/// A mangled path as words with dots between them, which an assembler still takes for a name;
/// anything else as it is.
fn without_hash(name: &str) -> String {
    let words = || {
        let mut rest = name.strip_prefix("_ZN")?;
        let mut words = Vec::new();
        while rest != "E" {
            let digits = rest.find(|c: char| !c.is_ascii_digit())?;
            let (len, from) = rest.split_at(digits);
            let (word, after) = from.split_at_checked(len.parse().ok()?)?;
            words.push(word);
            rest = after;
        }
        let is_hash = |word: &str| word.len() == 17 && word.starts_with('h');
        words.pop_if(|word| is_hash(word));
        Some(words.join("."))
    };
    words().unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\t.file\t\"x.4a5ecf50e6e2fc6-cgu.0\"\n\
        \t.section\t.text.bench_x,\"ax\",@progbits\n\t.globl\tbench_x\n\t.p2align\t4\n\
        bench_x:\n.Lfunc_begin0:\n\t.cfi_startproc\n\t.loc\t1 100 30 prologue_end\n\
        \tcbz\tx0, .LBB0_9\n.Ltmp0:\n\tadrp\tx9, .Lanon.f04d2323.1\n\
        \tadd\tx9, x9, :lo12:.Lanon.f04d2323.1\n\
        \tbl\t_ZN8onewrite4sink4copy17h0123456789abcdefE\n.LBB0_9:\n\tret\n.Lfunc_end0:\n\
        \t.size\tbench_x, .Lfunc_end0-bench_x\n\
        \t.section\t.debug_info,\"\",@progbits\n\t.byte\t1\n\
        \t.section\t.rodata..Lanon.f04d2323.1,\"a\",@progbits\n.Lanon.f04d2323.1:\n\
        \t.ascii\t\".Lanon.f04d2323.1 said\"\n\t.section\t\".note.GNU-stack\",\"\",@progbits\n";

    const KEPT: &str = "bench_x:\n    cbz     x0, .L1\n    adrp    x9, .Lbytes1\n    \
        add     x9, x9, :lo12:.Lbytes1\n    bl      onewrite.sink.copy\n.L1:\n    ret\n\n\
        .Lbytes1:\n    .ascii  \".Lanon.f04d2323.1 said\"\n";

    #[test]
    fn what_is_kept_has_no_directive_and_no_hash() {
        let listing = Listing::read(TEXT);
        assert_eq!(listing.text(), KEPT);
        assert_eq!(listing.instructions(), 5);
    }

    #[test]
    fn another_hash_and_another_number_of_a_label_change_nothing() {
        let other =
            TEXT.replace("0123456789abcdef", "fedcba9876543210").replace("LBB0_9", "LBB0_2");
        let other = other.replace(".Lanon.f04d2323.1\n", ".Lanon.aaaa.7\n");
        let other = other.replace(".Lanon.f04d2323.1:", ".Lanon.aaaa.7:");
        assert_eq!(Listing::read(&other).text(), KEPT);
    }

    #[test]
    fn two_forms_of_a_function_stay_two() {
        let of = |hash: &str| format!("_ZN1a1b17h{hash}E");
        let (one, two) = (of("0000000000000001"), of("0000000000000002"));
        let listing = Listing::read(&format!("\t.text\n{one}:\n\tbl\t{two}\n{two}:\n\tret\n"));
        assert_eq!(listing.text(), "a.b:\n    bl      a.b.2\n\na.b.2:\n    ret\n");
    }

    #[test]
    fn names_that_are_not_mangled_stay() {
        for name in ["memcpy", "_ZN", "_ZN99xE", "_start", "#0x10", "[sp, #-16]!"] {
            assert_eq!(renamed(name, &BTreeMap::new()), name);
        }
        assert_eq!(without_hash("_ZN4core3fmtE"), "core.fmt");
    }
}
