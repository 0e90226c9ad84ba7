//! Adds a section to a linked file.

use crate::object_file::{EmbedError, Module, records_of};
use crate::record::{self, Record};
use crate::wasm_object::custom;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};
use object::{Endianness, FileKind, elf};

/// Adds the records of modules to a linked ELF or WebAssembly file, as a section that is not
/// loaded.
///
/// An ELF file gets the records and a new table of sections at its end; nothing that is loaded
/// moves. A WebAssembly module gets a custom section at its end.
///
/// # Errors
///
/// If the file is signed, so that the signature would no longer match; if it is of another format:
/// Mach-O and PE files are changed by their linkers alone; if it has no table of sections; if other
/// bytes follow an ELF file, which programs look for at the end; if it has a module of the same
/// name; or those of [`records_of`].
///
/// ```
/// use rmlir_embed::{Module, UnwrapOptions, add_to, unwrap};
///
/// let module = Module { name: "m", bytes: b"module {}" };
/// let file = add_to(b"\0asm\x01\0\0\0", &[module])?;
/// let found = unwrap(&file.into(), &UnwrapOptions::default());
/// assert_eq!(found.artifacts[0].name, "rmlir:m");
/// # Ok::<(), rmlir_embed::EmbedError>(())
/// ```
pub fn add_to(file: &[u8], modules: &[Module<'_>]) -> Result<Vec<u8>, EmbedError> {
    if file.starts_with(b"\0asm") {
        return wasm(file, modules);
    }
    let kind = FileKind::parse(file).map_err(|_| {
        EmbedError::new("the format is unknown: sections are added to ELF and WebAssembly files")
    })?;
    match kind {
        FileKind::Elf32 => elf_file::<elf::FileHeader32<Endianness>>(file, modules),
        FileKind::Elf64 => elf_file::<elf::FileHeader64<Endianness>>(file, modules),
        FileKind::MachO32 | FileKind::MachO64 | FileKind::MachOFat32 | FileKind::MachOFat64 => {
            Err(EmbedError::new(match is_signed_macho(file) {
                true => {
                    "the Mach-O file is signed, so any change makes it invalid; link an object file of 'rmlir embed' instead"
                }
                false => {
                    "no section can be added to a linked Mach-O file; link an object file of 'rmlir embed' instead"
                }
            }))
        }
        FileKind::Pe32 | FileKind::Pe64 => Err(EmbedError::new(match is_signed_pe(file) {
            true => {
                "the PE file is signed, so any change makes it invalid; link an object file of 'rmlir embed' instead"
            }
            false => {
                "no section can be added to a linked PE file; link an object file of 'rmlir embed' instead"
            }
        })),
        _ => Err(EmbedError::new(
            "sections are added to linked ELF and WebAssembly files only",
        )),
    }
}

/// Refuses modules with the names of others that the file has.
fn check_names(file: &[u8], modules: &[Module<'_>]) -> Result<(), EmbedError> {
    let mut there = std::collections::HashSet::new();
    for at in memchr::memmem::find_iter(file, &record::MAGIC) {
        let bytes = file.get(at..).unwrap_or_default();
        there.extend(Record::read(bytes).map(|record| record.name));
    }
    if let Some(module) = modules.iter().find(|module| there.contains(module.name)) {
        return Err(EmbedError::new(format!(
            "there is a module named '{}' already; link or copy the file anew, or choose another name",
            module.name.escape_debug()
        )));
    }
    Ok(())
}

fn is_signed_macho(file: &[u8]) -> bool {
    use object::read::macho::{MachOFile32, MachOFile64};
    let signed32 = || {
        let file = MachOFile32::<Endianness>::parse(file).ok()?;
        let mut commands = file.macho_load_commands().ok()?;
        while let Ok(Some(command)) = commands.next() {
            if command.cmd() == object::macho::LC_CODE_SIGNATURE {
                return Some(true);
            }
        }
        None
    };
    let signed64 = || {
        let file = MachOFile64::<Endianness>::parse(file).ok()?;
        let mut commands = file.macho_load_commands().ok()?;
        while let Ok(Some(command)) = commands.next() {
            if command.cmd() == object::macho::LC_CODE_SIGNATURE {
                return Some(true);
            }
        }
        None
    };
    signed64().or_else(signed32).unwrap_or(false)
}

fn is_signed_pe(file: &[u8]) -> bool {
    use object::pe::IMAGE_DIRECTORY_ENTRY_SECURITY;
    use object::read::pe::{PeFile32, PeFile64};
    let entry64 = PeFile64::parse(file)
        .ok()
        .and_then(|file| file.data_directory(IMAGE_DIRECTORY_ENTRY_SECURITY).copied());
    let entry = entry64.or_else(|| {
        let file = PeFile32::parse(file).ok()?;
        file.data_directory(IMAGE_DIRECTORY_ENTRY_SECURITY).copied()
    });
    entry.is_some_and(|entry| entry.size.get(object::LittleEndian) > 0)
}

fn wasm(file: &[u8], modules: &[Module<'_>]) -> Result<Vec<u8>, EmbedError> {
    let (records, _) = records_of(modules)?;
    if file.get(4..8) != Some(&[1, 0, 0, 0]) {
        return Err(EmbedError::new(
            "the WebAssembly file is not a module of version 1",
        ));
    }
    let mut sections = crate::containers::wasm_sections(file);
    if sections.any(|name| name.starts_with("signature")) {
        return Err(EmbedError::new(
            "the WebAssembly module is signed, so any change makes it invalid",
        ));
    }
    check_names(file, modules)?;
    let mut changed = file.to_vec();
    custom(&mut changed, "rmlir", &records);
    Ok(changed)
}

/// The trailer that the Linux kernel appends to signed modules.
const KERNEL_SIGNATURE: &[u8] = b"~Module signature appended~\n";

fn elf_file<E>(file: &[u8], modules: &[Module<'_>]) -> Result<Vec<u8>, EmbedError>
where
    E: FileHeader<Endian = Endianness>,
{
    let damaged =
        |error: object::read::Error| EmbedError::new(format!("the ELF file is damaged: {error}"));
    let header = E::parse(file).map_err(damaged)?;
    let endian = header.endian().map_err(damaged)?;
    let table = header.sections(endian, file).map_err(damaged)?;
    if file.ends_with(KERNEL_SIGNATURE) {
        return Err(EmbedError::new(
            "the ELF file is signed (a kernel module), so any change makes it invalid",
        ));
    }
    let names_index = header.shstrndx(endian, file).map_err(damaged)?;
    if table.is_empty() || names_index == 0 {
        return Err(EmbedError::new(
            "the ELF file has no table of sections, so no section can be added",
        ));
    }
    for section in table.iter() {
        let name = table.section_name(endian, section).unwrap_or_default();
        if name == b".signature" || name == b".sig" {
            return Err(EmbedError::new(
                "the ELF file is signed, so any change makes it invalid",
            ));
        }
    }
    let count = table.len();
    if count >= usize::from(elf::SHN_LORESERVE).saturating_sub(1) {
        return Err(EmbedError::new("the ELF file has too many sections"));
    }
    let old_names = table
        .section(object::SectionIndex(names_index as usize))
        .and_then(|section| section.data(endian, file))
        .map_err(damaged)?;
    let layout = Layout {
        is_64: header.is_type_64(),
        is_big: endian == Endianness::Big,
    };
    let entry = layout.section_entry();
    let end_of_table = (count as u64)
        .saturating_mul(entry as u64)
        .saturating_add(header.e_shoff(endian).into());
    let ends = table.iter().filter_map(|section| {
        let (offset, len) = section.file_range(endian)?;
        Some(offset.saturating_add(len))
    });
    let segments = header.program_headers(endian, file).map_err(damaged)?;
    let end_of_segments = segments.iter().map(|segment| {
        let (offset, len) = segment.file_range(endian);
        offset.saturating_add(len)
    });
    let end = ends.chain(end_of_segments).fold(end_of_table, u64::max);
    let rest = usize::try_from(end).ok().and_then(|end| file.get(end..));
    if let Some(rest) = rest
        && rest.iter().any(|&byte| byte != 0)
    {
        return Err(EmbedError::new(format!(
            "{} bytes follow the ELF file, as in a program with an appended archive, which reads them from its end; add the module before they are appended",
            rest.len()
        )));
    }
    let (records, log) = records_of(modules)?;

    check_names(file, modules)?;

    // The records, the names with one more, and the table with one more.
    let mut changed = file.to_vec();
    pad(&mut changed, 1 << log);
    let records_at = changed.len() as u64;
    changed.extend(&records);
    let names_at = changed.len() as u64;
    changed.extend(old_names);
    let name = old_names.len() as u64;
    changed.extend(b".rmlir\0");
    let names_len = (changed.len() as u64).saturating_sub(names_at);
    pad(&mut changed, 8);
    let table_at = changed.len() as u64;
    let start: u64 = header.e_shoff(endian).into();
    let start = usize::try_from(start).map_err(|_| EmbedError::new("the file is too large"))?;
    let old_table = count
        .checked_mul(entry)
        .and_then(|len| file.get(start..start.checked_add(len)?))
        .ok_or_else(|| EmbedError::new("the table of sections is cut off"))?;
    changed.extend(old_table);
    let names_entry = usize::try_from(table_at)
        .ok()
        .zip(entry.checked_mul(names_index as usize))
        .and_then(|(at, offset)| at.checked_add(offset))
        .ok_or_else(|| EmbedError::new("the file is too large"))?;
    layout.put_address(&mut changed, names_entry, Field::Offset, names_at)?;
    layout.put_address(&mut changed, names_entry, Field::Size, names_len)?;
    let fields = [
        (Field::Name, name),
        (Field::Type, elf::SHT_PROGBITS.0.into()),
        (Field::Offset, records_at),
        (Field::Size, records.len() as u64),
        (Field::Alignment, 1 << log),
    ];
    let added = changed.len();
    changed.resize(added.saturating_add(entry), 0);
    for (field, value) in fields {
        layout.put_address(&mut changed, added, field, value)?;
    }
    layout.put_header(&mut changed, table_at, count.saturating_add(1))?;
    Ok(changed)
}

fn pad(bytes: &mut Vec<u8>, alignment: usize) {
    bytes.resize(bytes.len().next_multiple_of(alignment), 0);
}

/// A field of an entry in the table of sections.
#[derive(Clone, Copy)]
enum Field {
    Name,
    Type,
    Offset,
    Size,
    Alignment,
}

/// The sizes and the byte order of a file.
struct Layout {
    is_64: bool,
    is_big: bool,
}

impl Layout {
    fn section_entry(&self) -> usize {
        match self.is_64 {
            true => 64,
            false => 40,
        }
    }

    /// Writes a number of `len` bytes.
    fn put(&self, bytes: &mut [u8], at: usize, value: u64, len: usize) -> Result<(), EmbedError> {
        let whole = match self.is_big {
            true => value.to_be_bytes(),
            false => value.to_le_bytes(),
        };
        let (part, rest) = match self.is_big {
            true => (
                whole.get(8usize.saturating_sub(len)..),
                whole.get(..8usize.saturating_sub(len)),
            ),
            false => (whole.get(..len), whole.get(len..)),
        };
        let fits = rest.is_some_and(|rest| rest.iter().all(|&byte| byte == 0));
        let place = bytes.get_mut(at..at.saturating_add(len));
        match (place, part) {
            (Some(place), Some(part)) if fits => {
                place.copy_from_slice(part);
                Ok(())
            }
            _ => Err(EmbedError::new("the file is too large for its class")),
        }
    }

    /// Writes a field of the entry at an offset.
    fn put_address(
        &self,
        bytes: &mut [u8],
        entry: usize,
        field: Field,
        value: u64,
    ) -> Result<(), EmbedError> {
        let (offset, len) = match (field, self.is_64) {
            (Field::Name, _) => (0, 4),
            (Field::Type, _) => (4, 4),
            (Field::Offset, true) => (24, 8),
            (Field::Offset, false) => (16, 4),
            (Field::Size, true) => (32, 8),
            (Field::Size, false) => (20, 4),
            (Field::Alignment, true) => (48, 8),
            (Field::Alignment, false) => (32, 4),
        };
        self.put(bytes, entry.saturating_add(offset), value, len)
    }

    /// Writes the offset and the length of the table of sections.
    fn put_header(&self, bytes: &mut [u8], table: u64, count: usize) -> Result<(), EmbedError> {
        let (offset, len, count_at) = match self.is_64 {
            true => (40, 8, 60),
            false => (32, 4, 48),
        };
        self.put(bytes, offset, table, len)?;
        self.put(bytes, count_at, count as u64, 2)
    }
}
