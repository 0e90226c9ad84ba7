//! Files of every container format with given bytes in them, made by hand or by the crate `object`,
//! not by what reads them.

use object::write::{Object, StandardSegment};
use object::{Architecture, BinaryFormat, Endianness, SectionKind};

/// A file, and what it is.
pub struct Wrapped {
    /// The name that `rmlir-embed` has for the format.
    pub format: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
    /// The name that the content has in it.
    pub name: &'static str,
    /// Whether the content is compressed or encoded in it.
    pub is_encoded: bool,
}

/// Returns files of all formats, each with `module` in it.
pub fn wrapped(module: &[u8]) -> Vec<Wrapped> {
    let elf = object(BinaryFormat::Elf, Architecture::X86_64, b"", module);
    let elf32 = object(BinaryFormat::Elf, Architecture::Arm, b"", module);
    let macho = object(
        BinaryFormat::MachO,
        Architecture::Aarch64,
        b"__DATA",
        module,
    );
    let coff = object(BinaryFormat::Coff, Architecture::X86_64, b"", module);
    let make = |format, name, bytes, is_encoded| Wrapped {
        format,
        bytes,
        name,
        is_encoded,
    };
    let file = |format, name, bytes| make(format, name, bytes, false);
    let encoded = |format, name, bytes| make(format, name, bytes, true);
    let deflated = zip(module, true);
    vec![
        file("ar", "member.o:rmlir", ar(&elf)),
        file("macho", "aarch64:rmlir", fat(&macho)),
        file("elf", "rmlir", elf),
        file("elf", "rmlir", elf32),
        file("macho", "rmlir", macho),
        file("coff", "rmlir", coff),
        file("pe", ".rmlir", pe(module)),
        file("wasm", "rmlir", wasm(module)),
        file("zip", "folder/module", zip(module, false)),
        encoded("zip", "folder/module", deflated.clone()),
        encoded("json", "a.b[1]", json(module)),
        file("jax.export", "f", jax_export(module)),
        file("savedmodel", "call", saved_model(module)),
        file("tar", "folder/module", tar(module)),
        encoded("gzip", "", gzip(module)),
        encoded("zlib", "", zlib(module)),
        // A program that extracts itself, a script, and text.
        encoded(
            "elf",
            "folder/module",
            [
                object(BinaryFormat::Elf, Architecture::X86_64, b"", b"other"),
                deflated.clone(),
            ]
            .concat(),
        ),
        encoded(
            "zip",
            "folder/module",
            [b"#!/usr/bin/env python3\n", &deflated[..]].concat(),
        ),
        encoded("base64", "folder/module", base64(&deflated).into_bytes()),
        encoded("json", "data", json_numbers(module)),
    ]
}

/// An object file with a section `rmlir`.
fn object(
    format: BinaryFormat,
    architecture: Architecture,
    segment: &[u8],
    data: &[u8],
) -> Vec<u8> {
    let mut object = Object::new(format, architecture, Endianness::Little);
    let text = object.section_id(object::write::StandardSection::Text);
    object.append_section_data(text, &[0xc3; 16], 16);
    let segment = match segment {
        b"" => object.segment_name(StandardSegment::Data).to_vec(),
        segment => segment.to_vec(),
    };
    let section = object.add_section(segment, b"rmlir".to_vec(), SectionKind::ReadOnlyData);
    object.append_section_data(section, data, 16);
    object.write().unwrap_or_default()
}

/// An archive as `ar` makes it, with one member.
fn ar(member: &[u8]) -> Vec<u8> {
    let mut file = b"!<arch>\n".to_vec();
    let name = "member.o/";
    let header = format!(
        "{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n",
        0,
        0,
        0,
        644,
        member.len()
    );
    file.extend(header.as_bytes());
    file.extend(member);
    if file.len() % 2 == 1 {
        file.push(b'\n');
    }
    file
}

/// A fat file of Mach-O for one architecture.
fn fat(member: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let len = u32::try_from(member.len()).unwrap_or(0);
    for number in [0xcafe_babe, 1, 0x0100_000c, 0, 4096, len, 12] {
        file.extend(u32::to_be_bytes(number));
    }
    file.resize(4096, 0);
    file.extend(member);
    file
}

/// An executable for Windows with one section and no code.
fn pe(data: &[u8]) -> Vec<u8> {
    let len = u32::try_from(data.len()).unwrap_or(0);
    let mut file = vec![0; 64];
    file[..2].copy_from_slice(b"MZ");
    file[60] = 64;
    file.extend(b"PE\0\0");
    // Machine, number of sections, time, symbols (two), length of the optional header, flags.
    file.extend(0x8664u16.to_le_bytes());
    file.extend(1u16.to_le_bytes());
    file.extend([0; 12]);
    file.extend(240u16.to_le_bytes());
    file.extend(0x22u16.to_le_bytes());
    let mut optional = vec![0; 240];
    optional[..2].copy_from_slice(&0x20bu16.to_le_bytes());
    // Alignments in memory and in the file, and the number of directories.
    optional[32..36].copy_from_slice(&4096u32.to_le_bytes());
    optional[36..40].copy_from_slice(&512u32.to_le_bytes());
    optional[108..112].copy_from_slice(&16u32.to_le_bytes());
    file.extend(optional);
    file.extend(b".rmlir\0\0");
    for number in [len, 4096, len, 512, 0, 0, 0, 0x4000_0040] {
        file.extend(u32::to_le_bytes(number));
    }
    file.resize(512, 0);
    file.extend(data);
    file
}

fn leb128(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A module of WebAssembly with an empty section of types and a custom section.
fn wasm(data: &[u8]) -> Vec<u8> {
    let mut file = b"\0asm\x01\0\0\0\x01\x01\0".to_vec();
    file.push(0);
    leb128(&mut file, data.len() + 6);
    file.extend(b"\x05rmlir");
    file.extend(data);
    file
}

/// A member of a zip file.
pub struct ZipMember<'a> {
    /// The path.
    pub name: &'a str,
    /// The general purpose flags; 1 is of encrypted members.
    pub flags: u16,
    /// The method: 0 stored, 8 deflated.
    pub method: u16,
    /// The bytes in the file.
    pub stored: &'a [u8],
    /// The checksum and the length of the content.
    pub crc: u32,
    /// See `crc`.
    pub len: usize,
}

/// Returns the CRC-32 of zip and gzip, by its definition.
pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

/// A zip file with two members, one of them in a folder.
fn zip(data: &[u8], deflated: bool) -> Vec<u8> {
    let first = b"some bytes";
    let stored = match deflated {
        true => miniz_oxide::deflate::compress_to_vec(data, 6),
        false => data.to_vec(),
    };
    zip_of(&[
        ZipMember {
            name: "first",
            flags: 0,
            method: 0,
            stored: first,
            crc: crc32(first),
            len: first.len(),
        },
        ZipMember {
            name: "folder/module",
            flags: 0,
            method: u16::from(deflated) * 8,
            stored: &stored,
            crc: crc32(data),
            len: data.len(),
        },
    ])
}

/// Returns a zip file with members.
pub fn zip_of(members: &[ZipMember<'_>]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut directory = Vec::new();
    for member in members {
        let offset = file.len();
        let mut common = Vec::new();
        common.extend([20, 0]);
        common.extend(member.flags.to_le_bytes());
        common.extend(member.method.to_le_bytes());
        common.extend([0; 4]);
        common.extend(member.crc.to_le_bytes());
        common.extend((member.stored.len() as u32).to_le_bytes());
        common.extend((member.len as u32).to_le_bytes());
        common.extend((member.name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        file.extend(b"PK\x03\x04");
        file.extend(&common);
        file.extend(member.name.as_bytes());
        file.extend(member.stored);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend((offset as u32).to_le_bytes());
        directory.extend(member.name.as_bytes());
    }
    let start = file.len();
    let count = (members.len() as u16).to_le_bytes();
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([count, count].concat());
    file.extend((directory.len() as u32).to_le_bytes());
    file.extend((start as u32).to_le_bytes());
    file.extend([0, 0]);
    file
}

/// An archive of `tar` with two members.
fn tar(data: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    for (name, content) in [("first", &b"some bytes"[..]), ("folder/module", data)] {
        let mut header = [0u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..107].copy_from_slice(b"0000644");
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[148..156].copy_from_slice(b"        ");
        header[156] = b'0';
        header[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        file.extend(header);
        file.extend(content);
        file.resize(file.len().next_multiple_of(512), 0);
    }
    file.resize(file.len() + 1024, 0);
    file
}

/// A file of gzip with a name.
fn gzip(data: &[u8]) -> Vec<u8> {
    let mut file = b"\x1f\x8b\x08\x08\0\0\0\0\0\xffname\0".to_vec();
    file.extend(miniz_oxide::deflate::compress_to_vec(data, 6));
    file.extend(crc32(data).to_le_bytes());
    file.extend((data.len() as u32).to_le_bytes());
    file
}

/// Data as zlib's programs write it.
fn zlib(data: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(data, 6)
}

/// Returns bytes as base64.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let at = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let number = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..4 {
            match digit <= group.len() {
                true => text.push(DIGITS[(number >> (18 - 6 * digit) & 63) as usize].into()),
                false => text.push('='),
            }
        }
    }
    text
}

/// JSON with base64 in it, in which slashes are escaped, as some writers do.
fn json(data: &[u8]) -> Vec<u8> {
    let text = base64(data).replace('/', "\\/");
    format!("{{\"n\": [1, {{}}], \"a\": {{\"b\": [\"\\u0041\", \"{text}\"]}}}}\n").into_bytes()
}

/// JSON with an array of the numbers of all bytes.
fn json_numbers(data: &[u8]) -> Vec<u8> {
    let numbers: Vec<String> = data.iter().map(u8::to_string).collect();
    format!(
        "{{\"type\": \"Buffer\", \"data\": [{}]}}",
        numbers.join(", ")
    )
    .into_bytes()
}

/// A flatbuffer as `jax.export` serializes it, with the fields that matter.
fn jax_export(module: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let number = |file: &mut Vec<u8>, number: usize| file.extend((number as u32).to_le_bytes());
    // The table of fields 0 to 13 is at 4, the table itself at 36; its fields are offsets to the
    // name at 48 and to the module at 56.
    number(&mut file, 36);
    let mut fields = [0u16; 16];
    (fields[0], fields[1]) = (32, 12);
    (fields[2 + 1], fields[2 + 13]) = (4, 8);
    file.extend(fields.iter().flat_map(|field| field.to_le_bytes()));
    for word in [32, 8, 12, 1, usize::from(b'f'), module.len()] {
        number(&mut file, word);
    }
    file.extend(module);
    file
}

fn message(field: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![field << 3 | 2];
    leb128(&mut bytes, content.len());
    bytes.extend(content);
    bytes
}

/// A SavedModel of TensorFlow whose graph has a function that calls the module.
fn saved_model(module: &[u8]) -> Vec<u8> {
    let attribute = [message(1, b"module"), message(2, &message(2, module))].concat();
    let node = [
        message(1, b"call"),
        message(2, b"XlaCallModule"),
        message(5, &attribute),
    ]
    .concat();
    let function = [message(1, &message(1, b"f")), message(3, &node)].concat();
    let other = [message(1, b"x"), message(2, b"Placeholder")].concat();
    let graph = [message(1, &other), message(2, &message(1, &function))].concat();
    [vec![8, 1], message(2, &message(2, &graph))].concat()
}
