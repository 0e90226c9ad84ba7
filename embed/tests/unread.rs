//! What is not read is named, what is damaged is reported, and containers are found in encodings.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir_embed::{Artifact, Content, Reason, UnwrapOptions, Unwrapped, record, unwrap};
use rmlir_format::{ContainerWriter, Source};
use rmlir_testing::wrapped::{Wrapped, ZipMember, base64, crc32, wrapped, zip_of};

fn module() -> Vec<u8> {
    let mut writer = ContainerWriter::new();
    writer.add_required(1, vec![7; 600]).unwrap();
    writer.finish()
}

fn search(bytes: &[u8]) -> Unwrapped {
    unwrap(&Source::from(bytes), &UnwrapOptions::default())
}

/// Returns the only artifact, which is the module.
fn only(bytes: &[u8]) -> Artifact {
    let found = search(bytes);
    assert!(found.is_complete, "{:?}", found.unread);
    let [artifact] = found.artifacts.as_slice() else {
        panic!("{:?}", found.artifacts);
    };
    assert_eq!(artifact.source[..], module());
    artifact.clone()
}

fn of(format: &str, is_encoded: bool, bytes: &[u8]) -> Vec<u8> {
    let is_it = |file: &Wrapped| file.format == format && file.is_encoded == is_encoded;
    let file = wrapped(bytes).into_iter().find(is_it);
    file.unwrap().bytes
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    of("zip", true, bytes)
}

#[test]
fn containers_are_found_in_encodings() {
    let module = module();
    let zip = deflated(&module);
    let json = of("json", true, &module);
    let in_json = |bytes: &[u8]| format!("{{\"x\": [\"{}\"]}}", base64(bytes)).into_bytes();
    let hex: String = zip.iter().map(|byte| format!("{byte:02x}")).collect();
    let hex_lines: Vec<&[u8]> = hex.as_bytes().chunks(60).collect();
    let lines = base64(&zip);
    let lines: Vec<&[u8]> = lines.as_bytes().chunks(64).collect();
    let numbers: Vec<String> = zip.iter().map(|&byte| (byte as i8).to_string()).collect();
    for (bytes, container) in [
        (base64(&zip).into_bytes(), "base64/zip"),
        (lines.join(&b'\n'), "base64/zip"),
        (hex.clone().into_bytes(), "hex/zip"),
        (in_json(&zip), "json/base64/zip"),
        // In lines, as `xxd -p` prints it.
        (hex_lines.join(&b"\n"[..]), "hex/zip"),
        (format!("{{\"x\": \"{hex}\"}}").into_bytes(), "json/hex/zip"),
        ([b"\xef\xbb\xbf", &json[..]].concat(), "json/base64"),
        (deflated(&in_json(&zip)), "zip/json/base64/zip"),
        (of("zip", false, &in_json(&zip)), "zip/json/base64/zip"),
        (base64(&json).into_bytes(), "base64/json/base64"),
        (in_json(&json), "json/base64/json/base64"),
        (in_json(&of("gzip", true, &module)), "json/base64/gzip"),
        (in_json(&of("tar", false, &module)), "json/base64/tar"),
        (in_json(&of("elf", false, &module)), "json/base64/elf"),
        // Signed numbers, as Java has them, of a container.
        (
            format!("[[{}]]", numbers.join(",\n ")).into_bytes(),
            "json/zip",
        ),
        // In other text, a zip file is found by how its first member begins.
        (
            format!("url(data:;base64,{})", base64(&zip)).into_bytes(),
            "base64/zip",
        ),
        (of("tar", false, &zip), "tar/zip"),
        (of("gzip", true, &of("tar", false, &module)), "gzip/tar"),
    ] {
        let artifact = only(&bytes);
        assert_eq!(artifact.container, container);
        assert_eq!(artifact.depth, container.split('/').count());
    }
    // What has no magic number is decoded if it is long.
    for (bytes, container) in [
        (of("jax.export", false, &module), "jax.export"),
        (of("savedmodel", false, &module), "savedmodel"),
        ([&[9; 400], &module[..]].concat(), ""),
    ] {
        for text in [
            base64(&bytes),
            bytes.iter().map(|b| format!("{b:02X}")).collect(),
        ] {
            let json = format!("{{\"x\": [\"{text}\"]}}");
            let artifact = only(json.as_bytes());
            let container = ["json/base64/", container].concat();
            let expected = container.trim_end_matches('/').replace(
                "base64",
                match text.len() {
                    len if len == bytes.len() * 2 => "hex",
                    _ => "base64",
                },
            );
            assert_eq!(artifact.container, expected);
        }
        let numbers: Vec<String> = bytes.iter().map(u8::to_string).collect();
        only(format!("[[{}]]", numbers.join(",")).as_bytes());
    }
    // JSON in a string of JSON is a value of its own.
    let quoted = String::from_utf8(json)
        .unwrap()
        .replace('\\', "\\\\")
        .replace('"', "\\\"");
    let artifact = only(format!("{{\"y\": \"{}\"}}", quoted.trim()).as_bytes());
    assert_eq!(
        (&artifact.container[..], &artifact.name[..]),
        ("json/json/base64", "y:a.b[1]")
    );
    // Text in base64.
    let found = search(&in_json(
        b"module @m {\n  // enough to be a value of its own\n}\n",
    ));
    assert_eq!(found.artifacts[0].content, Content::Text);
}

#[test]
fn arrays_that_are_not_bytes_are_left_alone() {
    let start: Vec<String> = module().iter().map(u8::to_string).collect();
    let start = start.join(",");
    for end in ["256", "-129", "1.5", "\"a\"", "[1]", "1e2"] {
        let found = search(format!("[[{start},{end}],\"a\"]").as_bytes());
        assert!(found.artifacts.is_empty(), "{end}");
        assert!(
            search(format!("[[{start},{end}").as_bytes())
                .artifacts
                .is_empty()
        );
    }
    only(format!("[1, [{start}]]").as_bytes());
}

#[test]
fn zip_files_after_programs_and_scripts() {
    let module = module();
    let zip = deflated(&module);
    for program in ["elf", "pe", "macho", "wasm"] {
        let bytes = [of(program, false, b"code"), zip.clone()].concat();
        let artifact = only(&bytes);
        assert_eq!(artifact.container, format!("{program}/zip"));
        assert_eq!(artifact.name, "folder/module");
    }
    assert_eq!(
        only(&[b"#!/bin/sh\nexit\n", &zip[..]].concat()).container,
        "zip"
    );
    // A module in the program and one after it.
    let mut both = of("elf", false, &module);
    both.extend(&zip);
    let found = search(&both);
    assert_eq!(found.artifacts.len(), 2);
    // A zip file that is a section at the end of a program is not one after it.
    assert_eq!(search(&of("elf", false, &zip)).artifacts.len(), 1);
    assert_eq!(search(&of("ar", false, &zip)).artifacts.len(), 1);
}

fn member<'a>(name: &'a str, method: u16, stored: &'a [u8], content: &[u8]) -> ZipMember<'a> {
    ZipMember {
        name,
        flags: 0,
        method,
        stored,
        crc: crc32(content),
        len: content.len(),
    }
}

#[test]
fn members_that_are_not_read_are_named() {
    let module = module();
    let mut encrypted = member("secret", 0, &module, &module);
    encrypted.flags = 1;
    let zip = zip_of(&[
        member("a.mlirbc", 12, b"BZh9", b"x"),
        member("dir/b", 14, b"lzma", b"x"),
        encrypted,
        member("c", 77, b"?", b"x"),
        member("good", 0, &module, &module),
    ]);
    let found = search(&zip);
    // The bytes of the member that is said to be encrypted are found, as any others are.
    assert!(found.artifacts.iter().any(|one| one.name == "good"));
    assert!(!found.is_complete);
    let lines: Vec<String> = found.unread.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "'a.mlirbc' at offset 38 is not read: it is compressed by bzip2",
            "'dir/b' at offset 77 is not read: it is compressed by LZMA",
            "'secret' at offset 117 is not read: it is encrypted",
            &format!(
                "'c' at offset {} is not read: it is compressed by the method 77",
                117 + module.len() + 31
            ),
        ]
    );
}

#[test]
fn damaged_members_are_reported() {
    let module = module();
    let packed = miniz_oxide(&module);
    let mut wrong = member("a", 0, &module, &module);
    wrong.crc ^= 1;
    let mut packed_wrong = member("b", 8, &packed, &module);
    packed_wrong.crc ^= 1;
    let mut long = member("c", 8, &packed, &module);
    long.len += 1;
    for damaged in [wrong, packed_wrong, long] {
        let name = damaged.name;
        let found = search(&zip_of(&[damaged]));
        assert_eq!(found.artifacts.len(), 1, "{name}");
        assert!(!found.artifacts[0].is_intact, "{name}");
        let reason = Reason::Damaged("its checksum is wrong");
        assert_eq!(
            (&found.unread[0].name[..], &found.unread[0].reason),
            (name, &reason)
        );
    }
    let cut = &packed[..packed.len() / 2];
    for stored in [cut, b"\xff\xff\xff"] {
        let found = search(&zip_of(&[member("d", 8, stored, &module)]));
        assert!(found.artifacts.is_empty());
        assert!(matches!(found.unread[0].reason, Reason::Damaged(_)));
    }
    // Every byte of a member counts, as does that of gzip.
    for format in ["zip", "gzip"] {
        let bytes = of(format, true, &module);
        for at in bytes.len() / 3..bytes.len() / 2 {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x10;
            let found = search(&bytes);
            assert!(!found.is_complete, "{format} {at}");
            assert!(
                found.artifacts.iter().all(|one| !one.is_intact),
                "{format} {at}"
            );
        }
    }
    // Many members of gzip are one content, which damage of any changes.
    let parts: Vec<Vec<u8>> = module
        .chunks(3)
        .map(|part| of("gzip", true, part))
        .collect();
    let many = [&parts.concat()[..], &vec![0; 512]].concat();
    assert_eq!(only(&many).container, "gzip");
    let len = parts[0].len();
    let mut wrong = many;
    wrong[len * 5 - 6] ^= 1;
    assert!(!search(&wrong).is_complete);
    // Without the directory at its end, and of tar, a header that is wrong.
    let zip = deflated(&module);
    assert!(!search(&zip[..zip.len() - 30]).is_complete);
    let mut tar = of("tar", false, &module);
    tar[1024 + 5] ^= 1;
    let found = search(&tar);
    assert!(!found.is_complete);
    assert_eq!(found.artifacts.len(), 1, "found by its magic number");
}

fn miniz_oxide(bytes: &[u8]) -> Vec<u8> {
    let zip = deflated(bytes);
    // After the first member of 45 bytes, the header of the second.
    let start = 30 + 5 + 10 + 30 + 13;
    let len = u32::from_le_bytes(zip[45 + 18..45 + 22].try_into().unwrap()) as usize;
    zip[start..start + len].to_vec()
}

#[test]
fn what_is_too_deep_is_named() {
    for is_encoded in [false, true] {
        let mut bytes = module();
        for depth in 1..=10 {
            bytes = of("zip", is_encoded, &bytes);
            let found = search(&bytes);
            assert_eq!(found.is_complete, depth <= 8, "{depth}");
            // What is not compressed is found by its magic number.
            let is_found = depth <= 8 || !is_encoded;
            assert_eq!(found.artifacts.len(), usize::from(is_found), "{depth}");
            if depth > 8 {
                assert_eq!(found.unread[0].reason, Reason::Depth(8));
                assert!(found.unread[0].name.starts_with("folder/module:"));
            }
        }
    }
    let mut text = base64(&module());
    for depth in 1..12 {
        text = base64(format!("{{\"a\": \"{text}\"}}").as_bytes());
        assert_eq!(search(text.as_bytes()).is_complete, depth < 4, "{depth}");
    }
}

/// A thin archive as `ar` makes it, with long names.
fn thin(names: &[&str]) -> Vec<u8> {
    let mut list: String = names.iter().map(|name| format!("{name}/\n")).collect();
    if list.len() % 2 == 1 {
        list.push('\n');
    }
    let header = |name: &str, len: usize| format!("{name:<16}{:<32}{len:<10}`\n", 0);
    let mut file = format!("!<thin>\n{}{list}", header("//", list.len()));
    let mut at = 0;
    for name in names {
        file += &header(&format!("/{at}"), 100);
        at += name.len() + 2;
    }
    file.into_bytes()
}

#[test]
fn members_of_thin_archives_are_named() {
    let found = search(&thin(&["sub/kernel.o", "../other.o\u{1b}"]));
    assert_eq!(found.container, Some("ar"));
    let paths: Vec<&Reason> = found.unread.iter().map(|unread| &unread.reason).collect();
    assert_eq!(
        paths,
        [
            &Reason::Elsewhere("sub/kernel.o".to_owned()),
            &Reason::Elsewhere("../other.o\u{1b}".to_owned())
        ]
    );
    assert!(!found.unread[1].to_string().contains('\u{1b}'));
}

#[test]
fn segments_of_web_assembly_have_names() {
    fn leb(bytes: &mut Vec<u8>, number: usize) {
        bytes.extend([(number & 0x7f) as u8 | 0x80, (number >> 7) as u8]);
    }
    fn section(file: &mut Vec<u8>, id: u8, content: &[u8]) {
        file.push(id);
        leb(file, content.len());
        file.extend(content);
    }
    let mut records = Vec::new();
    record::write(&mut records, "add", Content::Rmbc, &module(), 6);
    // An active segment, a passive one, and one of a memory with a number.
    let mut data = vec![3, 0, 0x41, 0x80, 8, 0x0b, 1, b'x', 1];
    leb(&mut data, records.len());
    data.extend(&records);
    data.extend([2, 0, 0x23, 0, 0x0b, 1, b'y']);
    let mut plain = b"\0asm\x01\0\0\0".to_vec();
    section(&mut plain, 11, &data);
    let found = only(&plain);
    assert_eq!(found.name, "rmlir:add");
    let mut named = plain.clone();
    section(
        &mut named,
        0,
        b"\x04name\x09\x0f\x02\x00\x05.data\x01\x05rmlir",
    );
    assert_eq!(only(&named).name, "rmlir:add");
    let mut linking = plain.clone();
    section(
        &mut linking,
        0,
        b"\x07linking\x02\x05\x12\x02\x01a\x00\x00\x0a.rodata.ir\x04\x00",
    );
    assert_eq!(only(&linking).name, ".rodata.ir:add");
    // Names that are cut off are none.
    let mut cut = plain;
    section(&mut cut, 0, b"\x04name\x09\x7f\x02\x00");
    assert_eq!(only(&cut).name, "rmlir:add");
}

#[test]
fn what_follows_a_member_that_is_too_large_is_read() {
    let (large, module) = (vec![0; 1 << 16], module());
    let (packed, packed_module) = (miniz_oxide(&large), miniz_oxide(&module));
    let zip = zip_of(&[
        member("large", 8, &packed, &large),
        member("small", 8, &packed_module, &module),
    ]);
    let mut options = UnwrapOptions::default();
    options.limits.max_decompressed_bytes = 1 << 15;
    options.limits.max_decompressed_bytes_per_byte = 0;
    let found = unwrap(&Source::from(zip), &options);
    let names: Vec<&str> = found.artifacts.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["small"], "{:?}", found.unread);
    let unread = found.unread.iter().find(|unread| unread.name == "large");
    assert!(matches!(unread.unwrap().reason, Reason::Limit(_)));
    let message = unread.unwrap().to_string();
    assert!(
        message.starts_with("'large' at offset 35 is not read: "),
        "{message}"
    );
}

/// Returns bytes as the elements of an array of C, twelve in each line.
fn array(bytes: &[u8], separator: &str) -> String {
    let lines: Vec<String> = bytes
        .chunks(12)
        .map(|line| {
            let elements: Vec<String> = line.iter().map(|b| format!("0x{b:02x}")).collect();
            elements.join(separator)
        })
        .collect();
    lines.join(",\n  ")
}

#[test]
fn modules_in_source_code() {
    let module = module();
    let is_plain = |byte: u8| (b' '..=b'~').contains(&byte) && !b"\"'\\?".contains(&byte);
    let string = |escape: &dyn Fn(u8) -> String| -> String {
        let character = |&byte: &u8| match is_plain(byte) {
            true => char::from(byte).to_string(),
            false => escape(byte),
        };
        module.iter().map(character).collect()
    };
    let octal = string(&|byte| format!("\\{byte:03o}"));
    let hex = string(&|byte| format!("\\x{byte:02x}"));
    let python = string(&|byte| match byte {
        b'\n' => "\\n".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b'"' => "\"".to_owned(),
        byte => format!("\\x{byte:02x}"),
    });
    let decimal = |number: fn(&u8) -> String, separator: &str| {
        let numbers: Vec<String> = module.iter().map(number).collect();
        numbers.join(separator)
    };
    let signed = |byte: &u8| byte.cast_signed().to_string();
    for (text, container) in [
        (format!("char m[] = \"{octal}\"; f(\"x\");"), "string"),
        (format!("static M: &[u8] = b\"{hex}\";\n"), "string"),
        (format!("M = b'{python}'\nN = 1\n"), "string"),
        (
            format!("char m[] = {{\n  {}\n}};\n", array(&module, ", ")),
            "array",
        ),
        (format!("m = {{{},}};", array(&module, ",")), "array"),
        // JavaScript, and Java.
        (
            format!("new Uint8Array([{}])", decimal(u8::to_string, ", ")),
            "array",
        ),
        (format!("m = {{{}}};", decimal(u8::to_string, ",")), "array"),
        (
            format!("byte[] m = {{{}}};", decimal(signed, ", ")),
            "array",
        ),
        (format!("m = {{\n{},\n}};", decimal(signed, ",")), "array"),
    ] {
        assert_eq!(only(text.as_bytes()).container, container);
    }
    // Two in one line, and what follows the second.
    let found = search(format!("a(\"{octal}\", '{python}', \"\\400\")").as_bytes());
    assert_eq!(found.artifacts.len(), 2);
    // Cut, or with an escape or element that is none.
    let half = octal.get(..octal.len() / 2 / 4 * 4).unwrap();
    let elements = array(&module, ", ").replacen("0x07, 0x07", "0x07, 0x777", 1);
    for text in [
        format!("\"{half}\""),
        format!("\"{half}\\q{octal}\""),
        format!("\"{half}\\"),
        format!("{{{elements}}}"),
    ] {
        assert!(search(text.as_bytes()).artifacts.is_empty());
    }
}

#[test]
fn texts_in_json_begin_with_any_symbol_or_operation() {
    let text_of = |text: &str| {
        let json = format!("{{\"x\": [\"{}\"]}}", text.replace('"', "\\\""));
        let found = search(json.as_bytes());
        found.artifacts.first().map(|one| one.content)
    };
    for text in [
        "func.func @f(%arg0: i32) -> i32 { return %arg0 : i32 }",
        "func.func private @\"a b\"(i32) -> tensor<4xf32>",
        "func @f(%x: i32) attributes {a} { return }",
        "llvm.mlir.global internal constant @s(\"text\") {addr_space = 0 : i32}",
        "tt.func public @kernel(%arg0: !tt.ptr<f32>) { tt.return }",
        "\"func.func\"() <{sym_name = \"f\"}> ({}) : () -> ()",
        "\"t.use\"(%0) : (i32) -> ()",
    ] {
        assert_eq!(text_of(text), Some(Content::Text), "{text}");
    }
    for text in [
        "node.js @types/node is a package of npm, not a function",
        "e.g. @somebody (who is not a symbol of any module)",
        "write to somebody.else @ example, or to func @ home",
        "\"a.quoted\" (word with parentheses) at the beginning",
        "v1.2 private @f is no operation, as it is a number: 1.2 @f",
        "llvm.mlir.global a b c d e f g h @too_many_words_before(",
    ] {
        assert_eq!(text_of(text), None, "{text}");
    }
}

/// An object of JSON with the bytes by index, as JavaScript prints them.
#[test]
fn numbered_bytes() {
    let module = module();
    let object = |bytes: &[u8], colon: &str| {
        let members = bytes.iter().enumerate();
        let members: Vec<String> = members
            .map(|(index, byte)| format!("\"{index}\"{colon}{byte}"))
            .collect();
        members.join(",\n ")
    };
    let bytes = object(&module, ": ");
    let artifact = only(format!("{{\"a\": [1, {{{bytes}}}]}}").as_bytes());
    assert_eq!(
        (&artifact.container[..], &artifact.name[..]),
        ("json", "a[1]")
    );
    only(format!("{{{}}}", object(&deflated(&module), ":")).as_bytes());
    // What follows is found, too.
    let encoded = base64(&module);
    let text = format!("{{\"a\": {{\"0\": 1, \"1\": 2}}, \"b\": \"{encoded}\"}}");
    assert_eq!(only(text.as_bytes()).name, "b");
    for wrong in [
        "\"601\": 1",
        "\"600\": 256",
        "\"x\": 1",
        "1",
        "\"600\": \"1\"",
        "",
    ] {
        let found = search(format!("{{{bytes}, {wrong}}}").as_bytes());
        assert!(found.artifacts.is_empty(), "{wrong}");
    }
}

#[test]
fn compressed_members() {
    let module = module();
    let zlib = of("zlib", true, &module);
    assert_eq!(only(&zlib).container, "zlib");
    assert_eq!(only(base64(&zlib).as_bytes()).container, "base64/zlib");
    let json = format!("{{\"x\": [\"{}\"]}}", base64(&zlib));
    assert_eq!(only(json.as_bytes()).container, "json/base64/zlib");
    only(&[&zlib[..], &[0; 9]].concat());
    let mut wrong = zlib.clone();
    *wrong.last_mut().unwrap() ^= 1;
    let found = search(&wrong);
    assert!(!found.artifacts[0].is_intact && found.unread[0].is_damage());
    let found = search(&zlib[..zlib.len() - 10]);
    assert!(found.artifacts.is_empty() && found.unread[0].is_damage());
    assert!(search(b"ML\xefR\x0d").unread[0].is_damage());
    // Text that begins like a header of zlib.
    assert!(search(b"x^ is neither an operation nor compressed data").is_complete);
    for (start, method) in [
        (&b"BZh91AY&SY"[..], "bzip2"),
        (b"\xfd7zXZ\0\0", "xz"),
        (b"\x28\xb5\x2f\xfd\x20", "Zstandard"),
        (b"7z\xbc\xaf\x27\x1c\0", "7-Zip"),
    ] {
        let found = search(&of("tar", false, start));
        assert_eq!(found.unread[0].reason, Reason::Method(method.to_owned()));
        assert_eq!(found.unread[0].name, "folder/module");
        assert!(search(start).unread[0].is_whole());
    }
}
