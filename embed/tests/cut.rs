//! Object files and executables that end too early: what remains is found, and the damage is named.
#![allow(clippy::unwrap_used, reason = "test code")]

use object::write::{Object, StandardSection};
use object::{Architecture, BinaryFormat, Endianness, SectionKind};
use rmlir_embed::{Reason, UnwrapOptions, Unwrapped, unwrap};
use rmlir_format::{ContainerWriter, Source};
use rmlir_testing::wrapped::wrapped;

fn module(byte: u8) -> Vec<u8> {
    let mut writer = ContainerWriter::new();
    writer.add_required(1, vec![byte; 600]).unwrap();
    writer.finish()
}

fn search(bytes: &[u8]) -> Unwrapped {
    unwrap(&Source::from(bytes), &UnwrapOptions::default())
}

/// A COFF object with two modules, each in a section.
fn coff() -> Vec<u8> {
    let mut object = Object::new(BinaryFormat::Coff, Architecture::X86_64, Endianness::Little);
    let text = object.section_id(StandardSection::Text);
    object.append_section_data(text, &[0xc3; 16], 16);
    for (name, byte) in [(".one", 7), (".two", 8)] {
        let name = name.as_bytes().to_vec();
        let section = object.add_section(Vec::new(), name, SectionKind::ReadOnlyData);
        object.append_section_data(section, &module(byte), 16);
    }
    object.write().unwrap()
}

#[test]
fn coff_objects() {
    let whole = coff();
    assert!(search(&whole).is_complete);
    let second = memchr::memmem::find(&whole, &module(8)).unwrap();
    // Without its symbols, and in the middle of the second module.
    for (end, names) in [
        (whole.len() - 1, &[".one", ".two"][..]),
        (second + module(8).len(), &[".one", ".two"]),
        (second + 100, &[".one"]),
        (second, &[".one"]),
    ] {
        let found = search(&whole[..end]);
        assert_eq!(found.container, Some("coff"), "{end}");
        let got: Vec<&str> = found.artifacts.iter().map(|one| &one.name[..]).collect();
        assert_eq!(got, names, "{end}");
        assert!(found.unread.iter().any(|one| one.is_damage()), "{end}");
    }
    // However short, it does not pass for a complete file once the first section is declared.
    for end in 20 + 40..whole.len() {
        assert!(!search(&whole[..end]).is_complete, "{end}");
    }
}

/// The number of a machine alone does not make a file COFF.
#[test]
fn other_files_that_begin_with_the_number_of_a_machine() {
    let mut bytes = vec![0x64, 0x86, 3, 0];
    bytes.extend((0..4000u32).flat_map(u32::to_le_bytes));
    assert!(search(&bytes).is_complete);
    let text =
        b"d\x86 some text, and more of it, so that it has the length of a header and sections";
    assert!(search(text).is_complete);
}

#[test]
fn executables_and_archives() {
    // The fat file is among them.
    let files = wrapped(&module(7)).into_iter();
    let files = files.filter(|file| ["pe", "macho", "ar", "coff"].contains(&file.format));
    let mut count = 0;
    for file in files {
        let format = file.format;
        let whole = file.bytes;
        let end = memchr::memmem::find(&whole, &module(7)).unwrap() + 100;
        let found = search(&whole[..end]);
        assert_eq!(found.container, Some(format));
        assert!(found.unread.iter().any(|one| one.is_damage()), "{format}");
        // An archive whose member is cut after the module.
        if format == "ar" {
            let found = search(&whole[..whole.len() - 2]);
            assert_eq!(found.artifacts.len(), 1);
            assert!(found.unread.iter().any(|one| one.is_damage()));
        }
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn executables_without_the_end_of_their_symbols() {
    let mut files = wrapped(&module(7)).into_iter();
    let mut pe = files.find(|file| file.format == "pe").unwrap().bytes;
    assert!(search(&pe).is_complete);
    // The offset and the number of symbols, of 18 bytes each, and the length of their strings.
    let at = u32::try_from(pe.len()).unwrap();
    pe[64 + 12..64 + 16].copy_from_slice(&at.to_le_bytes());
    pe[64 + 16..64 + 20].copy_from_slice(&2u32.to_le_bytes());
    pe.extend([0; 36]);
    pe.extend(4u32.to_le_bytes());
    assert!(search(&pe).is_complete);
    let found = search(&pe[..pe.len() - 1]);
    assert_eq!(found.artifacts.len(), 1);
    assert_eq!(found.artifacts[0].name, ".rmlir");
    assert!(matches!(found.unread[0].reason, Reason::Damaged(_)));
}

/// An ELF file with a compressed section, as `llvm-objcopy --compress-sections` writes it.
fn compressed(name: &str, method: u32, data: &[u8], len: usize) -> Vec<u8> {
    let mut object = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    let name = name.as_bytes().to_vec();
    let section = object.add_section(Vec::new(), name, SectionKind::OtherString);
    let mut content = method.to_le_bytes().to_vec();
    content.extend([0; 4]);
    content.extend((len as u64).to_le_bytes());
    content.extend(16u64.to_le_bytes());
    content.extend(data);
    object.append_section_data(section, &content, 16);
    object.section_mut(section).flags = object::SectionFlags::Elf {
        sh_type: object::elf::SHT_PROGBITS,
        sh_flags: object::elf::SHF_COMPRESSED,
    };
    object.write().unwrap()
}

#[test]
fn compressed_sections() {
    let module = module(7);
    let mut files = wrapped(&module).into_iter();
    let zlib = files.find(|file| file.format == "zlib").unwrap().bytes;
    let found = search(&compressed("rmlir", 1, &zlib, module.len()));
    assert!(found.is_complete, "{:?}", found.unread);
    assert_eq!(found.artifacts[0].source[..], module);
    assert_eq!(found.artifacts[0].name, "rmlir");
    let found = search(&compressed(
        "rmlir",
        1,
        &zlib[..zlib.len() / 2],
        module.len(),
    ));
    assert!(found.unread[0].is_damage());
    let found = search(&compressed("rmlir", 2, b"\x28\xb5\x2f\xfd", module.len()));
    assert_eq!(
        found.unread[0].reason,
        Reason::Method("Zstandard".to_owned())
    );
    // Debug information has no modules.
    let found = search(&compressed(".debug_info", 2, b"\x28\xb5\x2f\xfd", 9));
    assert!(found.is_complete, "{:?}", found.unread);
}
