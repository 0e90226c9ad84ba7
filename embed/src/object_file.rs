//! Writes modules into object files, which linkers put into programs.

use crate::artifact::Content;
use crate::module::bytecode_magic;
use crate::record;
use crate::target::{Kind, Target};
use object::write::Object;
use object::{BinaryFormat, FileFlags, SectionFlags, SectionKind, elf, macho, pe};
use rmlir_format::{Limits, mlirbc, section};
use std::fmt;

/// A module to embed.
#[derive(Clone, Copy, Debug)]
pub struct Module<'a> {
    /// The name by which it is found.
    pub name: &'a str,
    /// Its bytes: native bytecode, upstream's, or else text.
    pub bytes: &'a [u8],
}

impl Module<'_> {
    /// Returns the format, by content.
    pub fn content(&self) -> Content {
        bytecode_magic(self.bytes).unwrap_or(Content::Text)
    }

    /// Returns the binary logarithm of the alignment that the sections and blobs of the module
    /// need: at least 4, at most 12.
    ///
    /// ```
    /// let module = rmlir_embed::Module { name: "m", bytes: b"module {}" };
    /// assert_eq!(module.alignment_log(), 4);
    /// ```
    pub fn alignment_log(&self) -> u8 {
        const LEAST: u32 = 4;
        let needed = match self.content() {
            Content::Rmbc => {
                let file = section::Container::parse(self.bytes, &Limits::default(), |_| Some(""));
                let sections = file.iter().flat_map(|file| file.sections());
                sections.filter_map(|section| section.alignment_log()).max()
            }
            Content::Mlirbc => {
                let file = mlirbc::Container::parse(self.bytes);
                let alignment = file.map(|file| file.alignment(mlirbc::section::RESOURCES));
                alignment.ok().map(u64::trailing_zeros)
            }
            _ => None,
        };
        let log = needed
            .unwrap_or(LEAST)
            .clamp(LEAST, record::MAX_ALIGNMENT_LOG.into());
        u8::try_from(log).unwrap_or(record::MAX_ALIGNMENT_LOG)
    }
}

/// The reason why an object file cannot be written or a file not be changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmbedError(String);

impl EmbedError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        EmbedError(message.into())
    }
}

impl fmt::Display for EmbedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EmbedError {}

/// Returns the records of modules, and the binary logarithm of the alignment that they need.
///
/// # Errors
///
/// If two modules have the same name, a name is empty or longer than 4096 bytes, or a module has no
/// bytes.
///
/// ```
/// use rmlir_embed::{Module, record, records_of};
///
/// let module = Module { name: "m", bytes: b"module {}" };
/// let (bytes, log) = records_of(&[module])?;
/// assert_eq!(record::records(&bytes).count(), 1);
/// assert_eq!(log, 4);
/// # Ok::<(), rmlir_embed::EmbedError>(())
/// ```
pub fn records_of(modules: &[Module<'_>]) -> Result<(Vec<u8>, u8), EmbedError> {
    let mut names: Vec<&str> = modules.iter().map(|module| module.name).collect();
    names.sort_unstable();
    let mut neighbours = names.iter().zip(names.iter().skip(1));
    if let Some((name, _)) = neighbours.find(|(a, b)| a == b) {
        let name = name.escape_debug();
        return Err(EmbedError(format!("two modules are named '{name}'")));
    }
    if let Some(name) = names.iter().find(|name| name.len() > 4096) {
        let len = name.len();
        return Err(EmbedError(format!(
            "a name has {len} bytes, the maximum is 4096"
        )));
    }
    if names.first().is_some_and(|name| name.is_empty()) {
        return Err(EmbedError::new("a module has an empty name"));
    }
    if let Some(module) = modules.iter().find(|module| module.bytes.is_empty()) {
        let name = module.name.escape_debug();
        return Err(EmbedError(format!("the module '{name}' is empty")));
    }
    let log = modules.iter().map(Module::alignment_log).max();
    let log = log.unwrap_or(record::MIN_ALIGNMENT_LOG);
    let mut bytes = Vec::new();
    for module in modules {
        // All have the same alignment, so that each begins at a multiple of its own.
        record::write(&mut bytes, module.name, module.content(), module.bytes, log);
    }
    Ok((bytes, log))
}

/// Writes an object file with the records of modules.
///
/// A *loaded* section is part of the program's memory; without, it is *attached*: tools find it in
/// the file, the program does not have it in memory. Linkers keep the section although no code
/// refers to it.
///
/// | format | section | loaded | attached |
/// |---|---|---|---|
/// | ELF | `rmlir`, attached `.rmlir` | allocated, retained | not allocated, retained |
/// | Mach-O | `__DATA,__rmlir` | not dead-stripped | refused: there is no such section |
/// | COFF | `.rmlir` | initialized data | discardable |
/// | WebAssembly | `rmlir` | data segment, retained | custom section |
///
/// # Errors
///
/// Those of [`records_of`], and if the target has no attached sections.
///
/// ```
/// use rmlir_embed::{Module, UnwrapOptions, object_file, unwrap};
///
/// let module = Module { name: "m", bytes: b"module {}" };
/// for target in ["x86_64-linux-gnu", "arm64-apple-macos", "x86_64-windows-gnu", "wasm32"] {
///     let object = object_file(&[module], target.parse()?, true)?;
///     let found = unwrap(&object.into(), &UnwrapOptions::default());
///     assert_eq!(found.artifacts[0].source[..], *b"module {}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn object_file(
    modules: &[Module<'_>],
    target: Target,
    is_loaded: bool,
) -> Result<Vec<u8>, EmbedError> {
    let (records, log) = records_of(modules)?;
    let (format, architecture, endianness, elf_flags) = match target.kind {
        Kind::Wasm { is_64 } => {
            return Ok(crate::wasm_object::write(&records, log, is_loaded, is_64));
        }
        Kind::Object {
            format,
            architecture,
            endianness,
            elf_flags,
        } => (format, architecture, endianness, elf_flags),
    };
    let mut object = Object::new(format, architecture, endianness);
    let (segment, name, kind, flags) = match format {
        BinaryFormat::MachO if !is_loaded => {
            let message = "Mach-O has no sections that are kept in programs but not loaded";
            return Err(EmbedError(message.to_owned()));
        }
        BinaryFormat::MachO => {
            let flags = SectionFlags::MachO {
                flags: macho::SectionFlags(macho::S_ATTR_NO_DEAD_STRIP.0),
                reserved2: 0,
            };
            ("__DATA", "__rmlir", SectionKind::ReadOnlyData, flags)
        }
        BinaryFormat::Coff => {
            let discardable = match is_loaded {
                true => 0,
                false => pe::IMAGE_SCN_MEM_DISCARDABLE.0,
            };
            let data = pe::IMAGE_SCN_CNT_INITIALIZED_DATA.0 | pe::IMAGE_SCN_MEM_READ.0;
            let flags = SectionFlags::Coff {
                characteristics: pe::SectionFlags(data | discardable),
            };
            ("", ".rmlir", SectionKind::ReadOnlyData, flags)
        }
        _ => {
            // Only files for GNU may have this flag.
            object.flags = FileFlags::Elf {
                os_abi: elf::ELFOSABI_GNU,
                abi_version: 0,
                e_flags: elf::FileFlags(elf_flags),
            };
            let alloc = match is_loaded {
                true => elf::SHF_ALLOC.0,
                false => 0,
            };
            let flags = SectionFlags::Elf {
                sh_type: elf::SHT_PROGBITS,
                sh_flags: elf::SectionFlags(alloc | elf::SHF_GNU_RETAIN.0),
            };
            let kind = match is_loaded {
                true => SectionKind::ReadOnlyData,
                false => SectionKind::OtherString,
            };
            add_stack_note(&mut object);
            // Linkers define the bounds of sections whose names are C identifiers. Those of a
            // section that is not loaded would be addresses of something else.
            let name = match is_loaded {
                true => "rmlir",
                false => ".rmlir",
            };
            ("", name, kind, flags)
        }
    };
    let id = object.add_section(segment.into(), name.into(), kind);
    object.section_mut(id).flags = flags;
    object.append_section_data(id, &records, 1 << log);
    let written = object.write();
    written.map_err(|error| EmbedError(format!("the object file cannot be written: {error}")))
}

/// Without this section, linkers assume that the file needs an executable stack.
fn add_stack_note(object: &mut Object<'_>) {
    let name = b".note.GNU-stack".to_vec();
    let id = object.add_section(Vec::new(), name, SectionKind::Other);
    object.section_mut(id).flags = SectionFlags::Elf {
        sh_type: elf::SHT_PROGBITS,
        sh_flags: elf::SectionFlags(0),
    };
}
