//! Object files, executables and archives: ELF, Mach-O, PE, COFF, `ar`.

use super::{MAX_MEMBERS, Member, Names, Part, range_in};
use crate::artifact::Reason;
use crate::unwrap::Search;
use object::macho::{MachHeader32, MachHeader64};
use object::pe::{AnonObjectHeaderBigobj, ImageFileHeader, ImageSectionHeader};
use object::read::archive::ArchiveFile;
use object::read::coff::CoffHeader;
use object::read::macho::{FatArch, MachHeader, MachOFatFile32, MachOFatFile64};
use object::{
    CompressionFormat, Endianness, File, FileKind, Object, ObjectSection, ObjectSegment, ReadRef,
};
use std::ops::Range;

/// The magic numbers of archives, which may be empty.
const ARCHIVES: [&[u8; 8]; 2] = [b"!<arch>\n", b"!<thin>\n"];

fn kind(bytes: &[u8]) -> Option<FileKind> {
    if ARCHIVES.iter().any(|magic| bytes.starts_with(*magic)) {
        return Some(FileKind::Archive);
    }
    FileKind::parse(bytes).ok()
}

pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    Some(match kind(bytes)? {
        FileKind::Elf32 | FileKind::Elf64 => "elf",
        FileKind::MachO32 | FileKind::MachO64 | FileKind::MachOFat32 | FileKind::MachOFat64 => {
            "macho"
        }
        FileKind::Pe32 | FileKind::Pe64 => "pe",
        FileKind::Coff | FileKind::CoffBig => "coff",
        FileKind::Archive => "ar",
        _ => return None,
    })
}

pub(super) fn members(bytes: &[u8], search: &mut Search<'_>) -> Option<Vec<Member>> {
    match kind(bytes)? {
        FileKind::Archive => archive(bytes),
        FileKind::MachOFat32 => Some(fat(bytes, MachOFatFile32::parse(bytes).ok()?.arches())),
        FileKind::MachOFat64 => Some(fat(bytes, MachOFatFile64::parse(bytes).ok()?.arches())),
        kind => sections(bytes, kind, search),
    }
}

/// The damage of a file that ends before its sections do.
const CUT: &str = "its sections end after the file";

fn sections(bytes: &[u8], kind: FileKind, search: &mut Search<'_>) -> Option<Vec<Member>> {
    let Ok(file) = File::parse(bytes) else {
        return match kind {
            FileKind::Coff => cut_coff::<ImageFileHeader>(bytes),
            FileKind::CoffBig => cut_coff::<AnonObjectHeaderBigobj>(bytes),
            _ => {
                let whole = 0..bytes.len();
                let what = "its headers are cut off or invalid";
                Some(vec![Member::damaged(whole, what)])
            }
        };
    };
    let mut names = Names::new(bytes);
    let mut members = Vec::new();
    let mut is_cut = false;
    // Mach-O files of debug information declare sections whose content they do not have. Their
    // segments are empty.
    let is_by_segment = match kind {
        FileKind::MachO32 => {
            is_cut = has_cut_commands::<MachHeader32<Endianness>>(bytes);
            true
        }
        FileKind::MachO64 => {
            is_cut = has_cut_commands::<MachHeader64<Endianness>>(bytes);
            true
        }
        _ => false,
    };
    if is_by_segment {
        let mut ranges = file.segments().map(|segment| segment.file_range());
        is_cut |= ranges.any(|(start, len)| len > 0 && range_in(bytes, start, len).is_none());
    }
    for section in file.sections().take(MAX_MEMBERS) {
        let Some((start, len)) = section.file_range().filter(|(_, len)| *len > 0) else {
            continue;
        };
        let Some(range) = range_to_end(bytes, start, len) else {
            is_cut |= !is_by_segment;
            continue;
        };
        is_cut |= !is_by_segment && (range.len() as u64) < len;
        let (name, is_text) = names.name(|| section.name_bytes().ok());
        members.push(Member {
            name,
            is_text,
            ..content(bytes, range, &section, search)
        });
    }
    is_cut |= has_cut_symbols(bytes, &file);
    if is_cut {
        let end = bytes.len()..bytes.len();
        members.push(Member::damaged(end, CUT));
    }
    Some(members)
}

/// Returns the part of a range of `len` bytes from `start` on that is within `bytes`.
fn range_to_end(bytes: &[u8], start: u64, len: u64) -> Option<Range<usize>> {
    let end = bytes.len() as u64;
    range_in(bytes, start, len.min(end.checked_sub(start)?)).filter(|range| !range.is_empty())
}

/// Returns the content of a section, which ELF files may compress. Compressed debug information is
/// not decompressed: it is large and contains no modules.
fn content<'d>(
    bytes: &[u8],
    range: Range<usize>,
    section: &impl ObjectSection<'d>,
    search: &mut Search<'_>,
) -> Member {
    let compressed = section.compressed_file_range().ok();
    let compressed = compressed.filter(|found| {
        let name = section.name_bytes().unwrap_or_default();
        found.format != CompressionFormat::None
            && !name.starts_with(b".debug")
            && !name.starts_with(b".zdebug")
    });
    let Some(found) = compressed else {
        return Member {
            part: Part::Range(range),
            ..Member::default()
        };
    };
    let (start, len) = (found.offset, found.compressed_size);
    let data = range_in(bytes, start, len).unwrap_or(range);
    if found.format == CompressionFormat::Zlib {
        let compressed = bytes.get(data.clone()).unwrap_or_default();
        // Sections may share bytes.
        if !search.charge(compressed.len()) {
            let reason = Reason::Limit("its sections overlap");
            return Member {
                part: Part::Unread {
                    range: data,
                    reason,
                },
                ..Member::default()
            };
        }
        let content = super::zlib::members(compressed, search).and_then(|mut all| all.pop());
        return match content {
            Some(member) => Member {
                part: member.part.moved(data.start),
                ..member
            },
            None => Member::damaged(data, crate::inflate::INVALID),
        };
    }
    let method = match found.format {
        CompressionFormat::Zstandard => "Zstandard",
        _ => "an unknown method",
    };
    Member {
        part: Part::Unread {
            range: data,
            reason: Reason::Method(method.to_owned()),
        },
        ..Member::default()
    }
}

/// Returns whether the symbols of a PE file, which come last in it, end after the file.
fn has_cut_symbols(bytes: &[u8], file: &File<'_>) -> bool {
    use object::read::pe::ImageNtHeaders;
    let header = match file {
        File::Pe32(file) => file.nt_headers().file_header(),
        File::Pe64(file) => file.nt_headers().file_header(),
        _ => return false,
    };
    CoffHeader::symbols(header, bytes).is_err()
}

/// Lists the sections of a COFF file that is cut off or invalid. `None` if it is of another format:
/// COFF files begin with the number of a machine only, so their sections have to be plausible.
fn cut_coff<H: CoffHeader>(bytes: &[u8]) -> Option<Vec<Member>> {
    let mut at = 0;
    let header = H::parse(bytes, &mut at).ok()?;
    let table = usize::try_from(at).ok()?;
    let rest = bytes.get(table..)?;
    let declared = usize::try_from(header.number_of_sections()).ok()?;
    // Those that are declared, or those that remain.
    let complete = rest.len().checked_div(size_of::<ImageSectionHeader>())?;
    let sections: &[ImageSectionHeader] = rest.read_slice_at(0, declared.min(complete)).ok()?;
    if sections.is_empty() || !sections.iter().all(is_of_coff_object) {
        return None;
    }
    let mut names = Names::new(bytes);
    let mut members = Vec::new();
    for section in sections.iter().take(MAX_MEMBERS) {
        let Some((start, len)) = section.coff_file_range() else {
            continue;
        };
        let Some(range) = range_to_end(bytes, start.into(), len.into()) else {
            continue;
        };
        let (name, is_text) = names.name(|| Some(section.raw_name()));
        members.push(Member {
            part: Part::Range(range),
            name,
            is_text,
            ..Member::default()
        });
    }
    let end = bytes.len()..bytes.len();
    members.push(Member::damaged(
        end,
        "it is cut off, or its symbols are invalid",
    ));
    Some(members)
}

/// Returns whether a header may be that of a section of a COFF object: it has a name and no
/// address, as those of executables have.
fn is_of_coff_object(section: &ImageSectionHeader) -> bool {
    let name = section.raw_name();
    let is_name = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
    is_name && section.virtual_address.get(object::LittleEndian) == 0
}

/// Returns whether the load commands of a Mach-O file, which declare segments and sections, end
/// after the file.
fn has_cut_commands<H: MachHeader<Endian = Endianness>>(bytes: &[u8]) -> bool {
    let header = H::parse(bytes, 0);
    let commands = header.and_then(|header| header.load_commands(header.endian()?, bytes, 0));
    commands.is_err()
}

fn archive(bytes: &[u8]) -> Option<Vec<Member>> {
    let Ok(archive) = ArchiveFile::parse(bytes) else {
        let whole = 0..bytes.len();
        return Some(vec![Member::damaged(
            whole,
            "its members are cut off or invalid",
        )]);
    };
    let mut names = Names::new(bytes);
    let mut members = Vec::new();
    let mut is_cut = false;
    for member in archive.members().take(MAX_MEMBERS) {
        let Ok(member) = member else {
            // What follows cannot be found.
            is_cut = true;
            break;
        };
        let (start, len) = member.file_range();
        let part = match member.is_thin() {
            true => {
                let path = String::from_utf8_lossy(member.name()).into_owned();
                let reason = Reason::Elsewhere(path);
                Some(Part::Unread {
                    range: 0..0,
                    reason,
                })
            }
            false => {
                let range = range_to_end(bytes, start, len);
                is_cut |= range.as_ref().map_or(0, Range::len) as u64 != len;
                range.map(Part::Range)
            }
        };
        if let Some(part) = part {
            let (name, is_text) = names.name(|| Some(member.name()));
            members.push(Member {
                part,
                name,
                is_text,
                ..Member::default()
            });
        }
    }
    if is_cut {
        let end = bytes.len()..bytes.len();
        members.push(Member::damaged(end, "a member is cut off or invalid"));
    }
    Some(members)
}

fn fat(bytes: &[u8], arches: &[impl FatArch]) -> Vec<Member> {
    let mut members = Vec::new();
    let mut is_cut = false;
    for arch in arches.iter().take(MAX_MEMBERS) {
        let (start, len) = arch.file_range();
        let range = range_to_end(bytes, start, len);
        is_cut |= range.as_ref().map_or(0, Range::len) as u64 != len;
        if let Some(range) = range {
            members.push(Member {
                part: Part::Range(range),
                name: format!("{:?}", arch.architecture()).to_lowercase(),
                is_text: false,
                ..Member::default()
            });
        }
    }
    if is_cut {
        let end = bytes.len()..bytes.len();
        members.push(Member::damaged(end, CUT));
    }
    members
}
