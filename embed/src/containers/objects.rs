//! Object files, executables and archives: ELF, Mach-O, PE, COFF, `ar`.

use super::{MAX_MEMBERS, Member, Names, Part, range_in};
use crate::artifact::Reason;
use crate::unwrap::Search;
use object::macho::{MachHeader32, MachHeader64};
use object::read::archive::ArchiveFile;
use object::read::macho::{FatArch, MachHeader, MachOFatFile32, MachOFatFile64};
use object::{Endianness, FileKind, Object, ObjectSection, ObjectSegment};

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

pub(super) fn members(bytes: &[u8], _: &mut Search<'_>) -> Option<Vec<Member>> {
    match kind(bytes)? {
        FileKind::Archive => archive(bytes),
        FileKind::MachOFat32 => Some(fat(bytes, MachOFatFile32::parse(bytes).ok()?.arches())),
        FileKind::MachOFat64 => Some(fat(bytes, MachOFatFile64::parse(bytes).ok()?.arches())),
        kind => sections(bytes, kind),
    }
}

fn sections(bytes: &[u8], kind: FileKind) -> Option<Vec<Member>> {
    let Ok(file) = object::File::parse(bytes) else {
        // A COFF file begins with the number of a machine, as files of other formats may.
        let is_other = matches!(kind, FileKind::Coff | FileKind::CoffBig);
        let damaged = Member::damaged(0..bytes.len(), "its headers are cut off or invalid");
        return (!is_other).then(|| vec![damaged]);
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
        let Some(range) = range_in(bytes, start, len) else {
            is_cut |= !is_by_segment;
            continue;
        };
        let (name, is_text) = names.name(|| section.name_bytes().ok());
        members.push(Member {
            part: Part::Range(range),
            name,
            is_text,
            ..Member::default()
        });
    }
    if is_cut {
        let end = bytes.len()..bytes.len();
        members.push(Member::damaged(end, "its sections end after the file"));
    }
    Some(members)
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
    for member in archive.members().take(MAX_MEMBERS) {
        let Ok(member) = member else {
            // What follows cannot be found.
            let end = bytes.len()..bytes.len();
            members.push(Member::damaged(end, "a member is cut off or invalid"));
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
            false => range_in(bytes, start, len).map(Part::Range),
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
    Some(members)
}

fn fat(bytes: &[u8], arches: &[impl FatArch]) -> Vec<Member> {
    let mut members = Vec::new();
    for arch in arches.iter().take(MAX_MEMBERS) {
        let (start, len) = arch.file_range();
        if let Some(range) = range_in(bytes, start, len) {
            members.push(Member {
                part: Part::Range(range),
                name: format!("{:?}", arch.architecture()).to_lowercase(),
                is_text: false,
                ..Member::default()
            });
        }
    }
    members
}
