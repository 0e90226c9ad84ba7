//! Object files, executables and archives: ELF, Mach-O, PE, COFF, `ar`.

use super::{MAX_MEMBERS, Member, Names, Part, range_in};
use crate::artifact::Reason;
use crate::unwrap::Search;
use object::read::archive::ArchiveFile;
use object::read::macho::{FatArch, MachOFatFile32, MachOFatFile64};
use object::{FileKind, Object, ObjectSection};

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
        _ => sections(bytes),
    }
}

fn sections(bytes: &[u8]) -> Option<Vec<Member>> {
    let file = object::File::parse(bytes).ok()?;
    let mut names = Names::new(bytes);
    let mut members = Vec::new();
    for section in file.sections().take(MAX_MEMBERS) {
        let Some((start, len)) = section.file_range() else {
            continue;
        };
        let Some(range) = range_in(bytes, start, len).filter(|range| !range.is_empty()) else {
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
    Some(members)
}

fn archive(bytes: &[u8]) -> Option<Vec<Member>> {
    let archive = ArchiveFile::parse(bytes).ok()?;
    let mut names = Names::new(bytes);
    let mut members = Vec::new();
    for member in archive.members().take(MAX_MEMBERS) {
        // What follows a damaged member cannot be found.
        let Ok(member) = member else { break };
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
