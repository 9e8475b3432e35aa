//! A firmware that is nothing but its log: an ELF file with tables, and the frames that fit them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use object::write::{Object, Symbol, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, SectionKind, SymbolFlags, SymbolScope};

use crate::hash;

/// What there is to know about it.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The linker's hash.
    pub(crate) build: [u8; 20],
    /// Version of defmt's format.
    pub(crate) version: &'static str,
    /// Whether the ELF file has tables.
    pub(crate) tables: bool,
    /// Whether the ELF file has the linker's hash.
    pub(crate) note: bool,
    /// Where the table has the format of a line.
    pub(crate) index: u16,
}

impl Default for Program {
    fn default() -> Self {
        Self { build: [0xa1; 20], version: "4", tables: true, note: true, index: 3 }
    }
}

impl Program {
    pub(crate) fn elf(&self) -> Vec<u8> {
        let mut file = Object::new(BinaryFormat::Elf, Architecture::Aarch64, Endianness::Little);
        let name: &[u8] = if self.note { b".note.gnu.build-id" } else { b".other" };
        let note = file.add_section(Vec::new(), name.to_vec(), SectionKind::Note);
        let mut bytes = Vec::new();
        for word in [4_u32, 20, 3] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(b"GNU\0");
        bytes.extend(self.build);
        if !self.note {
            bytes.clear();
        }
        file.append_section_data(note, &bytes, 4);
        if self.tables {
            let section = file.add_section(Vec::new(), b".defmt".to_vec(), SectionKind::Other);
            file.append_section_data(section, &[0; 16], 1);
            let format = |data: &str| {
                format!(
                    "{{\"package\":\"p\",\"disambiguator\":\"1\",\"tag\":\"defmt_println\",\
                     \"data\":\"{data}\",\"crate_name\":\"p\"}}"
                )
            };
            let (line, part) = (format("{=str}"), format("{=str}\\u0000"));
            let version = format!("_defmt_version_ = {}", self.version);
            let section = SymbolSection::Section(section);
            for (name, value, section) in [
                (line.as_str(), self.index.into(), section),
                (part.as_str(), u64::from(self.index) + 1, section),
                (version.as_str(), 0, SymbolSection::Absolute),
                ("_defmt_encoding_ = rzcobs", 1, section),
            ] {
                file.add_symbol(Symbol {
                    name: name.into(),
                    value,
                    size: 1,
                    kind: object::SymbolKind::Data,
                    scope: SymbolScope::Linkage,
                    weak: false,
                    section,
                    flags: SymbolFlags::None,
                });
            }
        }
        file.write().unwrap()
    }

    /// A line of the console as it goes over the line, with the zero behind it.
    pub(crate) fn frame(&self, text: &str) -> Vec<u8> {
        Self::encode(self.index, text)
    }

    /// A part of a line that goes on in the next frame.
    pub(crate) fn part(&self, text: &str) -> Vec<u8> {
        Self::encode(self.index + 1, text)
    }

    fn encode(index: u16, text: &str) -> Vec<u8> {
        let mut plain = index.to_le_bytes().to_vec();
        plain.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
        plain.extend(text.as_bytes());
        let mut frame = rzcobs::encode(&plain);
        frame.push(0);
        frame
    }

    /// What it says first.
    pub(crate) fn build_frame(&self) -> Vec<u8> {
        let id = hex(&self.build);
        format!("onewrite-build {id} {id}\0").into_bytes()
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    hash::hex(bytes)
}
