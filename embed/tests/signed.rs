//! Tests that signed files, and files that take no section, are refused with the reason.
#![cfg(feature = "write")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir_embed::{Module, add_to};
use rmlir_testing::wrapped::wrapped;

fn refusal(file: &[u8]) -> String {
    let module = Module {
        name: "m",
        bytes: b"module {}",
    };
    match add_to(file, &[module]) {
        Ok(_) => panic!("a section was added"),
        Err(error) => error.to_string(),
    }
}

/// A 64-bit ELF file of the other tests.
fn elf() -> Vec<u8> {
    let files = wrapped(b"module {}").into_iter();
    let mut elf = files.filter(|file| file.format == "elf" && file.bytes[4] == 2);
    elf.next().unwrap().bytes
}

/// A 64-bit Mach-O program with load commands, each of a number and 16 bytes long.
fn mach_o(commands: &[u32]) -> Vec<u8> {
    let header = [
        0xfeed_facf_u32,
        0x0100_000c,
        0,
        2,
        commands.len() as u32,
        commands.len() as u32 * 16,
        0,
        0,
    ];
    let commands = commands.iter().flat_map(|&command| [command, 16, 0, 0]);
    header
        .into_iter()
        .chain(commands)
        .flat_map(u32::to_le_bytes)
        .collect()
}

/// A 64-bit PE program without sections, with a table of certificates of `signature` bytes.
fn pe(signature: u32) -> Vec<u8> {
    let mut bytes = vec![0; 64 + 24 + 240];
    bytes[..2].copy_from_slice(b"MZ");
    bytes[60] = 64;
    bytes[64..68].copy_from_slice(b"PE\0\0");
    bytes[68..70].copy_from_slice(&0x8664u16.to_le_bytes());
    bytes[84..86].copy_from_slice(&240u16.to_le_bytes());
    bytes[86..88].copy_from_slice(&0x22u16.to_le_bytes());
    bytes[88..90].copy_from_slice(&0x20bu16.to_le_bytes());
    // The number of data directories, and the fifth of them.
    bytes[88 + 108] = 16;
    let place = [1000 * signature.min(1), signature];
    let place = place.map(u32::to_le_bytes);
    bytes[88 + 112 + 4 * 8..][..8].copy_from_slice(place.as_flattened());
    bytes
}

#[test]
fn kernel_modules_that_are_signed() {
    let mut file = elf();
    file.extend(b"signature~Module signature appended~\n");
    let message = refusal(&file);
    assert!(message.contains("is signed (a kernel module)"), "{message}");
}

#[test]
fn programs_of_apple_and_microsoft() {
    for (file, expected) in [
        (mach_o(&[0x1d]), "the Mach-O file is signed"),
        (
            mach_o(&[]),
            "no section can be added to a linked Mach-O file",
        ),
        (pe(8), "the PE file is signed"),
        (pe(0), "no section can be added to a linked PE file"),
    ] {
        let message = refusal(&file);
        assert!(message.starts_with(expected), "{message}");
        assert!(
            message.ends_with("link an object file of 'rmlir embed' instead"),
            "{message}"
        );
    }
}

#[test]
fn web_assembly() {
    let signed = b"\0asm\x01\0\0\0\0\x0a\x09signature";
    let message = refusal(signed);
    assert!(
        message.contains("WebAssembly module is signed"),
        "{message}"
    );
    let message = refusal(b"\0asm\x0d\0\x01\0");
    assert!(message.contains("not a module of version 1"), "{message}");
}

#[test]
fn what_has_no_sections() {
    for file in [&b"!<arch>\n"[..], b"module {}", b"", b"\x7fELF\x02\x01\x01"] {
        refusal(file);
    }
}
