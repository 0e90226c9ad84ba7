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

/// A file of `jax.export` with a function and its derivative, in the order that JAX writes.
fn exported() -> Vec<u8> {
    let mut file = vec![0; 4];
    let mut tables = Vec::new();
    // The function, then its derivative, each a table with its field offsets; the objects follow,
    // those of the function last.
    for _ in 0..2 {
        let vtable = file.len();
        let mut fields = [0u16; 2 + 18];
        (fields[0], fields[1]) = (40, 16);
        (fields[2 + 1], fields[2 + 13], fields[2 + 17]) = (4, 8, 12);
        file.extend(fields.iter().flat_map(|field| field.to_le_bytes()));
        tables.push(file.len());
        file.extend(((file.len() - vtable) as u32).to_le_bytes());
        file.extend([0; 12]);
    }
    let set = |file: &mut Vec<u8>, at: usize, target: usize| {
        let offset = target as u32 - at as u32;
        file[at..at + 4].copy_from_slice(&offset.to_le_bytes());
    };
    set(&mut file, 0, tables[0]);
    set(&mut file, tables[0] + 12, tables[1]);
    // The derivative has none.
    file[tables[1] - 2..tables[1]].fill(0);
    for (table, byte) in [(tables[1], 8), (tables[0], 7)] {
        for (field, content) in [(8, module(byte)), (4, vec![b'a' + byte; 3])] {
            let end = file.len();
            set(&mut file, table + field, end);
            file.extend((content.len() as u32).to_le_bytes());
            file.extend(content);
            file.resize(file.len().next_multiple_of(4), 0);
        }
    }
    file
}

#[test]
fn exported_functions() {
    let whole = exported();
    let found = search(&whole);
    assert!(found.is_complete, "{:?}", found.unread);
    let names: Vec<&str> = found.artifacts.iter().map(|one| &one.name[..]).collect();
    assert_eq!(names, ["iii.vjp", "hhh"]);
    let first = memchr::memmem::find(&whole, &module(8)).unwrap();
    // The last byte is padding.
    for end in first + 8..whole.len() - 1 {
        let found = search(&whole[..end]);
        assert_eq!(found.container, Some("jax.export"), "{end}");
        assert!(found.unread.iter().any(|one| one.is_damage()), "{end}");
    }
    // Without the name of the function, both modules are found.
    let found = search(&whole[..whole.len() - 4]);
    let names: Vec<&str> = found.artifacts.iter().map(|one| &one.name[..]).collect();
    assert_eq!(names, ["iii.vjp", ""]);
}

#[test]
fn saved_models() {
    let files = wrapped(&module(7)).into_iter();
    let whole = files.filter(|file| file.format == "savedmodel");
    let whole = whole.map(|file| file.bytes).next().unwrap();
    assert!(search(&whole).is_complete);
    let start = memchr::memmem::find(&whole, b"XlaCallModule").unwrap();
    for end in start + b"XlaCallModule".len()..whole.len() {
        let found = search(&whole[..end]);
        assert_eq!(found.container, Some("savedmodel"), "{end}");
        assert!(found.unread.iter().any(|one| one.is_damage()), "{end}");
        assert!(found.artifacts.is_empty(), "{end}");
    }
    // A module that is in the file is found.
    let both = [&whole[..], &whole[2..]].concat();
    assert_eq!(search(&both).artifacts.len(), 2);
    let found = search(&both[..both.len() - 9]);
    assert_eq!(found.artifacts.len(), 1);
    assert_eq!(found.artifacts[0].name, "call");
    assert!(found.unread.iter().any(|one| one.is_damage()));
    // Other bytes that begin like fields are not cut graphs.
    for start in [
        &b"\x08\x01\x12\xff\x7f"[..],
        b"\x0a\xff\x7f\x12\x04name",
        b"\n\n text",
    ] {
        let bytes = [start, &[b'a'; 500]].concat();
        assert!(search(&bytes).is_complete);
    }
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
