use super::*;
use crate::prng::Prng;

fn names(kind: u16) -> Option<&'static str> {
    match kind {
        1 => Some("strings"),
        2 => Some("ops"),
        7 => Some("empty"),
        _ => None,
    }
}

fn sample() -> Vec<u8> {
    let mut writer = ContainerWriter::new();
    writer.add_required(2, &b"some operations"[..]).unwrap();
    writer.add_required(1, b"hello".to_vec()).unwrap();
    writer.add_optional(7, Vec::new()).unwrap();
    writer.add_optional(900, &b"from the future"[..]).unwrap();
    writer.finish()
}

fn parse(bytes: &[u8]) -> Result<Container<'_>> {
    Container::parse(bytes, &Limits::default(), names)
}

/// Changes bytes of a file, and makes the checksum of the header right again.
fn edit(mut bytes: Vec<u8>, at: usize, new: &[u8]) -> Vec<u8> {
    bytes[at..at + new.len()].copy_from_slice(new);
    let count = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let end = bytes.len().min(28 + 24 * count);
    let crc = crc32_of_parts([&bytes[..24], &bytes[28..end]]);
    bytes[24..28].copy_from_slice(&crc.to_le_bytes());
    bytes
}

fn kind_of(bytes: &[u8]) -> ErrorKind {
    parse(bytes).unwrap_err().kind()
}

#[test]
fn reads_what_it_wrote() {
    let bytes = sample();
    let file = parse(&bytes).unwrap();
    file.verify_all().unwrap();
    assert_eq!(file.minor_version(), 0);
    let kinds: Vec<_> = file.sections().map(|section| section.kind()).collect();
    assert_eq!(kinds, [2, 1, 7, 900]);

    let strings = file.section(1).unwrap();
    assert_eq!((strings.name(), strings.is_required()), ("strings", true));
    assert_eq!(strings.offset(), 28 + 4 * 24 + 15);
    assert_eq!((strings.len(), strings.crc32()), (5, crc32(b"hello")));
    assert_eq!(strings.bytes().unwrap(), b"hello");
    let mut reader = strings.reader().unwrap();
    reader.skip(5).unwrap();
    let error = reader.u8().unwrap_err();
    assert_eq!(
        (error.section(), error.offset()),
        (Some("strings"), Some(144))
    );

    let empty = file.section(7).unwrap();
    assert!(empty.is_empty() && empty.bytes().unwrap().is_empty() && !empty.is_required());
    assert_eq!(file.section(900).unwrap().name(), "unknown");
    assert!(file.section(3).is_none());
    let error = file.require(3, "index").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the file has no section 'index' (kind 3)"
    );
    assert!(format!("{file:?}").contains("strings"));
}

#[test]
fn the_bytes_are_these() {
    let mut writer = ContainerWriter::new();
    writer.add_optional(0x0102, &b"x"[..]).unwrap();
    let mut expected = b"\x8aRMBC\r\n\x1a".to_vec();
    expected.extend([0, 0, 0, 0, 1, 0, 0, 0, 53, 0, 0, 0, 0, 0, 0, 0]);
    let mut entry = vec![2, 1, 0, 0];
    entry.extend(0x8cdc_1683_u32.to_le_bytes());
    entry.extend([52, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    let crc = crc32(&[&expected[..], &entry].concat());
    expected.extend(crc.to_le_bytes());
    expected.extend(entry);
    expected.push(b'x');
    assert_eq!(writer.finish(), expected);
    assert_eq!(writer.encoded_len(), 53);
    let mut written = Vec::new();
    writer.write_to(&mut written).unwrap();
    assert_eq!(written, expected);
}

#[test]
fn a_file_may_be_empty() {
    let bytes = ContainerWriter::new().finish();
    assert_eq!(bytes.len(), 28);
    let file = parse(&bytes).unwrap();
    file.verify_all().unwrap();
    assert_eq!(file.sections().count(), 0);
}

#[test]
fn a_writer_refuses_duplicates() {
    let mut writer = ContainerWriter::new();
    writer.add_required(1, &b"a"[..]).unwrap();
    let error = writer.add_optional(1, &b"b"[..]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
}

#[test]
fn every_flipped_bit_is_found() {
    let good = sample();
    for bit in 0..good.len() * 8 {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        let result = parse(&bad).and_then(|file| file.verify_all());
        assert!(result.is_err(), "bit {bit}");
    }
}

#[test]
fn every_cut_is_found() {
    let good = sample();
    for len in 0..good.len() {
        assert_eq!(kind_of(&good[..len]), ErrorKind::Truncated, "{len} bytes");
    }
}

#[test]
fn damage_is_found_on_first_use() {
    let mut bytes = sample();
    let at = bytes.len() - 16; // the last byte of the strings
    bytes[at] ^= 0x40;
    let file = parse(&bytes).unwrap();
    file.section(2).unwrap().reader().unwrap();
    let strings = file.section(1).unwrap();
    let error = strings.reader().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Checksum);
    assert_eq!(
        (error.section(), error.offset()),
        (Some("strings"), Some(strings.offset()))
    );
    assert_eq!(strings.bytes_unverified(), b"hell\x2f");
    assert_eq!(file.verify_all().unwrap_err().section(), Some("strings"));
}

#[test]
fn foreign_and_damaged_beginnings() {
    let error = parse(b"ML\xefR\x01MLIR").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotThisFormat);
    assert!(!error.message().contains("damaged"));
    for text in [
        &b"\x8aRMBC\n\x1a\0"[..],
        b"\x8aRMBC\r\r\n\x1a",
        b"\nRMBC\r\n\x1a",
        b"\xc2\x8aRMBC\r\n\x1a",
        b"\xef\xbf\xbdRMBC\r\n\x1a",
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotThisFormat);
        assert!(error.message().contains("transfer as text"), "{text:?}");
    }
}

#[test]
fn newer_versions() {
    let error = parse(&edit(sample(), 8, &[3, 0, 5, 0])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the file has format version 3.5, this build reads versions up to 0; a newer build is \
         needed (section header, offset 0x8)"
    );
    assert_eq!(error.kind(), ErrorKind::UnknownVersion);
    let newer_minor = edit(sample(), 10, &[9, 0]);
    assert_eq!(parse(&newer_minor).unwrap().minor_version(), 9);
}

#[test]
fn unknown_sections() {
    let entry = 28 + 3 * 24;
    let required = edit(sample(), entry + 2, &[1]);
    let error = parse(&required).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownSection);
    assert_eq!(error.offset(), Some(entry as u64));
    assert!(
        error
            .to_string()
            .ends_with("while reading directory entry #3")
    );
    assert_eq!(
        kind_of(&edit(sample(), entry + 2, &[2])),
        ErrorKind::Malformed
    );
}

#[test]
fn impossible_directories() {
    let (first, second) = (28, 28 + 24);
    // A kind twice.
    let twice = edit(sample(), second, &[2]);
    let error = parse(&twice).unwrap_err();
    assert_eq!(
        (error.kind(), error.offset()),
        (ErrorKind::Malformed, Some(second as u64))
    );
    assert_eq!(error.message(), "two sections have the kind 2");
    // A gap before the first; an overlap; a section that ends outside the file; lengths that overflow.
    assert_eq!(
        kind_of(&edit(sample(), first + 8, &[125])),
        ErrorKind::Malformed
    );
    assert_eq!(
        kind_of(&edit(sample(), second + 8, &[130])),
        ErrorKind::Malformed
    );
    assert_eq!(
        kind_of(&edit(sample(), first + 16, &[200])),
        ErrorKind::Truncated
    );
    assert_eq!(
        kind_of(&edit(sample(), first + 16, &[0xff; 8])),
        ErrorKind::Truncated
    );
    // A shorter last section leaves bytes over, as do trailing bytes.
    assert_eq!(
        kind_of(&edit(sample(), 28 + 3 * 24 + 16, &[14])),
        ErrorKind::Malformed
    );
    let longer = [&sample()[..], b"x"].concat();
    assert_eq!(kind_of(&longer), ErrorKind::Malformed);
    // Even if the file says so itself.
    let len = longer.len() as u8;
    assert_eq!(kind_of(&edit(longer, 16, &[len])), ErrorKind::Malformed);
    // More entries than the file has bytes for, within the limit and without one.
    assert_eq!(kind_of(&edit(sample(), 12, &[200])), ErrorKind::Truncated);
    let many = edit(sample(), 12, &[0xff; 4]);
    let error = parse(&many).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Limit, Some(12)));
    let mut limits = Limits {
        max_section_count: u64::MAX,
        ..Limits::default()
    };
    let error = Container::parse(&many, &limits, names).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Truncated);
    limits.max_section_count = 3;
    let error = Container::parse(&sample(), &limits, names)
        .unwrap_err()
        .kind();
    assert_eq!(error, ErrorKind::Limit);
}

#[test]
fn random_directories_never_panic() {
    let mut prng = Prng::new(7);
    for _ in 0..50_000 {
        let at = 10 + (prng.next_u64() % 114) as usize;
        let len = 1 + (prng.next_u64() % 8) as usize;
        // Small edits and wild ones; the checksum is made right, so that the checks behind it run.
        let shift = prng.next_u64() % 64;
        let new = (prng.next_u64() >> shift).to_le_bytes();
        let end = (at + len).min(124);
        if (at..end).any(|byte| (12..16).contains(&byte) || (24..28).contains(&byte)) {
            continue;
        }
        let bytes = edit(sample(), at, &new[..end - at]);
        if let Ok(file) = parse(&bytes) {
            let _ = file.verify_all();
        }
    }
}
