use super::*;
use crate::checksum::crc32_of_parts;
use crate::varint::write_varint;
use rmlir_testing::Prng;

fn names(kind: u16) -> Option<&'static str> {
    match kind {
        1 => Some("strings"),
        2 => Some("ops"),
        7 => Some("empty"),
        8 => Some("aligned"),
        _ => None,
    }
}

/// Small sections, which are bundled, and an aligned one.
fn bundled() -> Vec<u8> {
    let mut writer = ContainerWriter::new();
    writer.add_required(2, &b"some operations"[..]).unwrap();
    writer.add_required(1, b"hello".to_vec()).unwrap();
    writer.add_optional(7, Vec::new()).unwrap();
    writer.add_optional(900, &b"from the future"[..]).unwrap();
    writer.add_aligned(8, 6, &b"here"[..]).unwrap();
    writer.finish()
}

/// Several pages, of numbers that repeat.
fn large() -> Vec<u8> {
    (0..3 * PAGE / 2).map(|n| (n / 100) as u8).collect()
}

/// Sections that are too large to be bundled.
fn paged(level: Option<i32>) -> Vec<u8> {
    let mut writer = ContainerWriter::new();
    if let Some(level) = level {
        writer.set_compression(level);
    }
    writer.add_required(1, large()).unwrap();
    writer.add_optional(900, &b"x"[..]).unwrap();
    writer.finish()
}

fn parse(bytes: &[u8]) -> Result<Container<'_>> {
    Container::parse(bytes, &Limits::default(), names)
}

/// Returns a file of a header, a directory with that length of the file and those entries, and the
/// rest.
fn by_hand(len: Option<u64>, entries: &[&[u64]], rest: &[u8]) -> Vec<u8> {
    let build = |len: u64| {
        let mut directory = Vec::new();
        write_varint(&mut directory, len);
        write_varint(&mut directory, 0);
        write_varint(&mut directory, entries.len() as u64);
        for number in entries.iter().copied().flatten() {
            write_varint(&mut directory, *number);
        }
        let mut file = MAGIC.to_vec();
        file.extend([MAJOR_VERSION, MINOR_VERSION]);
        let bundle = match entries.first() {
            Some([0 | 1, len, ..]) => rest.get(..*len as usize).unwrap_or_default(),
            _ => &[],
        };
        file.extend(crc32_of_parts([&file[..], &directory[..], bundle]).to_le_bytes());
        write_varint(&mut file, directory.len() as u64);
        file.extend(directory);
        file.extend(rest);
        file
    };
    let mut own = 0;
    for _ in 0..4 {
        own = build(own).len() as u64;
    }
    build(len.unwrap_or(own))
}

/// Returns the content of a section of a kind, with the table of its page.
fn page_of(kind: u16, bytes: &[u8]) -> Vec<u8> {
    [bytes, &page_crc(kind, 0, [bytes]).to_le_bytes()].concat()
}

/// Returns the content of the section of kind 1, with the table of its page.
fn page(bytes: &[u8]) -> Vec<u8> {
    page_of(1, bytes)
}

fn kind_of(bytes: &[u8]) -> ErrorKind {
    parse(bytes).unwrap_err().kind()
}

#[test]
fn reads_what_it_wrote() {
    let bytes = bundled();
    let file = parse(&bytes).unwrap();
    file.verify_all().unwrap();
    let kinds: Vec<_> = file.sections().map(|section| section.kind()).collect();
    assert_eq!(kinds, [2, 1, 7, 900, 8]);

    let strings = file.section(1).unwrap();
    assert_eq!((strings.name(), strings.is_required()), ("strings", true));
    assert_eq!(strings.len(), 5);
    assert_eq!(&*strings.bytes().unwrap(), b"hello");
    assert_eq!(&*strings.part(1..4).unwrap(), b"ell");
    assert_eq!(strings.part(1..6).unwrap_err().kind(), ErrorKind::Truncated);
    let at = strings.offset() as usize;
    assert_eq!(&bytes[at..at + 5], b"hello");

    let empty = file.section(7).unwrap();
    assert!(empty.is_empty() && empty.bytes().unwrap().is_empty() && !empty.is_required());
    assert_eq!(file.section(900).unwrap().name(), "unknown");
    let aligned = file.section(8).unwrap();
    assert_eq!(
        (aligned.offset() % 64, aligned.alignment_log()),
        (0, Some(6))
    );
    assert_eq!(aligned.bytes_unverified(), Some(&b"here"[..]));
    assert!(file.section(3).is_none());
    let error = file.require(3, "index").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the file has no section 'index' (kind 3)"
    );
    assert!(format!("{file:?}").contains("strings"));
}

#[test]
#[cfg(feature = "zstd")]
fn pages_are_read_alone() {
    let expected = large();
    for level in [None, Some(1), Some(19)] {
        let bytes = paged(level);
        assert_eq!(bytes.len() < expected.len(), level.is_some());
        let file = parse(&bytes).unwrap();
        file.verify_all().unwrap();
        let section = file.section(1).unwrap();
        assert_eq!(section.is_compressed(), level.is_some());
        assert_eq!(&*section.bytes().unwrap(), expected);
        for range in [
            0..0,
            0..1,
            5..PAGE,
            PAGE..PAGE,
            PAGE - 1..PAGE + 1,
            PAGE..expected.len(),
        ] {
            let part = section.part(range.start as u64..range.end as u64).unwrap();
            assert_eq!(*part, expected[range]);
        }
        assert!(section.part(0..expected.len() as u64 + 1).is_err());
        // Damage in the second page does not matter to the first.
        let mut damaged = bytes.clone();
        let at = section.offset() as usize + if level.is_some() { 300 } else { PAGE + 3 };
        damaged[at] ^= 4;
        let file = parse(&damaged).unwrap();
        let section = file.section(1).unwrap();
        let error = section.bytes().unwrap_err();
        assert_eq!(
            (error.kind(), error.section()),
            (ErrorKind::Checksum, Some("strings"))
        );
        assert_eq!(
            section.verify(Threads::new(2)).unwrap_err().kind(),
            ErrorKind::Checksum
        );
        if level.is_none() {
            section.part(0..PAGE as u64).unwrap();
            assert_eq!(error.offset(), Some(section.offset() + PAGE as u64));
        }
    }
}

#[test]
fn the_bytes_are_these() {
    let mut writer = ContainerWriter::new();
    writer.add_optional(0x0102, &b"x"[..]).unwrap();
    let mut expected = b"\x8aRMBC\x02\0".to_vec();
    // 23 bytes, no dictionary, one section: kind 0x102 times 8, one byte.
    let directory = [23, 0, 1, 199, 80, 1];
    expected.extend(crc32_of_parts([&expected[..], &directory[..]]).to_le_bytes());
    expected.push(6);
    expected.extend(directory);
    expected.push(b'x');
    // Kind, number of the page, content.
    let crc = crate::checksum::crc32(&[2, 1, 0, 0, 0, 0, b'x']);
    expected.extend(crc.to_le_bytes());
    let bytes = writer.finish();
    assert_eq!(bytes, expected);
    let mut written = Vec::new();
    writer.write_to(&mut written).unwrap();
    assert_eq!(written, expected);
    assert_eq!(
        by_hand(None, &[&[0x0102 * 8, 1]], &page_of(0x102, b"x")),
        expected
    );
}

#[test]
fn pieces_are_put_together() {
    let bytes: Vec<u8> = (0..3 * PAGE as u32 + 77)
        .map(|i| (i * 7 + i / 251) as u8)
        .collect();
    let file = |cuts: &[usize]| {
        let (mut pieces, mut rest) = (Vec::new(), &bytes[..]);
        for &cut in cuts {
            let (piece, behind) = rest.split_at(cut);
            pieces.push(std::borrow::Cow::Borrowed(piece));
            rest = behind;
        }
        pieces.push(rest.into());
        let mut writer = ContainerWriter::new();
        writer.add_required(1, &b"small"[..]).unwrap();
        writer.add_aligned_pieces(8, 6, pieces).unwrap();
        writer.finish()
    };
    let whole = file(&[]);
    for cuts in [
        &[0][..],
        &[1, 2, 3],
        &[PAGE],
        &[PAGE - 1, 2, PAGE],
        &[2 * PAGE + 5, 0, 9],
    ] {
        assert!(file(cuts) == whole, "{cuts:?}");
    }
    let container = parse(&whole).unwrap();
    assert!(*container.section(8).unwrap().bytes().unwrap() == bytes[..]);
}

#[test]
fn a_file_may_be_empty() {
    let bytes = ContainerWriter::new().finish();
    assert_eq!(bytes.len(), 15);
    let file = parse(&bytes).unwrap();
    file.verify_all().unwrap();
    assert_eq!(file.sections().count(), 0);
}

#[test]
fn a_writer_refuses_what_cannot_be() {
    let mut writer = ContainerWriter::new();
    writer.add_required(1, &b"a"[..]).unwrap();
    let error = writer.add_optional(1, &b"b"[..]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    let error = writer.add_optional(0, &b"b"[..]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    let error = writer.add_aligned(2, 13, &b"b"[..]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
}

#[test]
fn every_flipped_bit_is_found() {
    for good in [bundled(), by_hand(None, &[&[9, 1]], &page(b"x"))] {
        for bit in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            let result = parse(&bad).and_then(|file| file.verify_all());
            assert!(result.is_err(), "bit {bit}");
        }
    }
    // All bits of a compressed file.
    let good = paged(Some(3));
    for bit in 0..good.len() * 8 {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        let result = parse(&bad).and_then(|file| file.verify_all());
        assert!(result.is_err(), "bit {bit}");
    }
}

#[test]
fn every_cut_is_found() {
    for good in [bundled(), paged(Some(3))] {
        for len in 0..good.len() {
            assert_eq!(kind_of(&good[..len]), ErrorKind::Truncated, "{len} bytes");
        }
    }
}

#[test]
fn foreign_and_damaged_beginnings() {
    let error = parse(b"ML\xefR\x01MLIR").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotThisFormat);
    assert!(!error.message().contains("damaged"));
    for text in [
        &b"\nRMBC\0\x01"[..],
        b"\xc2\x8aRMBC\0\x01",
        b"\xef\xbf\xbdRMBC\0\x01",
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotThisFormat);
        assert!(error.message().contains("transfer as text"), "{text:?}");
    }
}

#[test]
fn other_versions() {
    let with_version = |major: u8, minor: u8| {
        let mut bytes = bundled();
        (bytes[5], bytes[6]) = (major, minor);
        parse(&bytes).unwrap_err()
    };
    let error = with_version(3, 5);
    assert_eq!(
        error.to_string(),
        "the file has format version 3.5, this build reads versions up to 2.0; a newer build is \
         needed (section header, offset 0x5)"
    );
    assert_eq!(error.kind(), ErrorKind::UnknownVersion);
    for version in [(0, 1), (0, 2), (1, 0), (1, 1)] {
        let error = with_version(version.0, version.1);
        assert_eq!(error.kind(), ErrorKind::UnknownVersion);
        assert!(error.message().contains("a pre-release version"), "{error}");
    }
    // The additions of a later minor version can be skipped: only the checksum fails here.
    assert_eq!(with_version(2, 7).kind(), ErrorKind::Checksum);
    let mut later = bundled();
    later[6] = 7;
    repair(&mut later);
    parse(&later).unwrap();
}

#[test]
fn unknown_sections() {
    parse(&by_hand(None, &[&[900 * 8, 1]], &page_of(900, b"x"))).unwrap();
    let error = parse(&by_hand(None, &[&[900 * 8 + 1, 1]], &page(b"x")))
        .map(drop)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownSection);
    assert!(
        error
            .to_string()
            .ends_with("while reading directory entry #0")
    );
}

#[test]
fn impossible_directories() {
    let x = page(b"x");
    let two = [x.clone(), page_of(2, b"x")].concat();
    parse(&by_hand(None, &[&[8, 1], &[16, 1]], &two)).unwrap();
    let malformed: [(Vec<u8>, &str); 13] = [
        (
            by_hand(None, &[&[8, 1], &[8, 1]], &two),
            "two sections have the kind 1",
        ),
        (by_hand(None, &[&[8, 1]], &two), "the last section ends"),
        (by_hand(Some(20), &[&[8, 1]], &x), "the last section ends"),
        (by_hand(None, &[&[8, 1, 7]], &x), "nothing may"),
        (by_hand(None, &[&[0, 1]], &x), "the bundle is not required"),
        (
            by_hand(None, &[&[1, PAGE as u64 + 1]], &vec![0; PAGE + 1]),
            "longer than a page",
        ),
        (
            by_hand(None, &[&[1, 3]], &[1, 0, 9]),
            "a bundle is in the bundle",
        ),
        (by_hand(None, &[&[1, 3]], &[0, 9, 9]), "nothing may"),
        (
            by_hand(None, &[&[8, 1], &[1, 1]], &[&x[..], &[0]].concat()),
            "not the first section",
        ),
        (
            by_hand(None, &[&[1, 1], &[8, 1]], &[&[0][..], &x].concat()),
            "beside a bundle",
        ),
        (
            by_hand(None, &[&[65_536 * 8, 1]], &x),
            "which is above 65535",
        ),
        (by_hand(None, &[&[14, 1, 1, 0]], &x), "may be compressed"),
        (
            by_hand(None, &[&[12, 1, 6]], &[&[7; 64][..], &x].concat()),
            "not zero",
        ),
    ];
    for (bytes, message) in malformed {
        let error = parse(&bytes).map(drop).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(error.kind(), ErrorKind::Malformed);
    }
    for truncated in [
        by_hand(None, &[&[8, 2]], &x),
        by_hand(None, &[&[8, u64::MAX]], &x),
        by_hand(None, &[&[10, 1, u64::MAX]], &x),
        by_hand(None, &[&[1, 4]], &[2, 2, 9, 4]),
        by_hand(None, &[&[1, 1]], &[100]),
        by_hand(Some(100), &[&[8, 1]], &x),
    ] {
        assert_eq!(kind_of(&truncated), ErrorKind::Truncated);
    }
    for beyond in [&[12, 1, 13][..], &[10, u64::MAX, 1]] {
        let error = parse(&by_hand(None, &[beyond], &x)).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
    }
    let limits = Limits {
        max_section_count: 1,
        ..Limits::default()
    };
    let bytes = by_hand(None, &[&[8, 1], &[16, 1]], &two);
    let error = Container::parse(&bytes, &limits, names).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn declared_lengths_of_compressed_sections_are_limited_together() {
    // Two sections that declare 100 bytes each in a page of one byte.
    let stored = [0; 1 + 8];
    let bytes = by_hand(
        None,
        &[&[10, 100, 1], &[18, 100, 1]],
        &[stored, stored].concat(),
    );
    let mut limits = Limits {
        max_decompressed_bytes: 200,
        max_decompressed_bytes_per_byte: 0,
        ..Limits::default()
    };
    let open = |limits: &Limits| -> [Result<()>; 2] {
        let source = crate::Source::from(bytes.as_slice());
        let store = super::Store::new(source, limits, names);
        [
            Container::parse(&bytes, limits, names).map(drop),
            store.map(drop),
        ]
    };
    assert!(open(&limits).iter().all(Result::is_ok));
    limits.max_decompressed_bytes = 199;
    for error in open(&limits).map(Result::unwrap_err) {
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert!(
            error.message().contains("200 bytes of compressed"),
            "{error}"
        );
    }
    limits.max_decompressed_bytes_per_byte = 1;
    assert!(open(&limits).iter().all(Result::is_ok));
}

#[test]
#[cfg(feature = "zstd")]
fn frames_are_what_they_say() {
    let bytes = vec![5; 1000];
    let mut frame = Vec::new();
    assert!(crate::zstd::compress(&bytes, &[], 3, &mut frame));
    let table = |stored: usize, frame: &[u8]| {
        let mut table = (stored as u32).to_le_bytes().to_vec();
        table.extend(page_crc(1, 0, [frame]).to_le_bytes());
        [frame, &table].concat()
    };
    let n = frame.len() as u64;
    let read = |len: u64, rest: &[u8]| -> Result<Vec<u8>> {
        let bytes = by_hand(None, &[&[10, len, n]], rest);
        let file = parse(&bytes)?;
        Ok(file.section(1).unwrap().bytes()?.into_owned())
    };
    assert_eq!(read(1000, &table(frame.len(), &frame)).unwrap(), bytes);
    for len in [999, 1001, 60_000] {
        let error = read(len, &table(frame.len(), &frame)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed);
    }
    // Declared lengths longer and shorter than the stored ones.
    let error = read(1000, &table(frame.len() + 1, &frame)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Truncated);
    let error = read(1000, &table(frame.len() - 1, &frame)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Checksum);
    let noise: Vec<u8> = (0..n).map(|n| n as u8 ^ 0x5a).collect();
    let error = read(1000, &table(frame.len(), &noise)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Malformed);
}

#[test]
fn random_directories_never_panic() {
    let mut prng = Prng::new(7);
    let good = bundled();
    let directory = 12..12 + usize::from(good[11]);
    for _ in 0..50_000 {
        let mut bytes = good.clone();
        for _ in 0..=prng.next_u64() % 3 {
            let at = directory.start + (prng.next_u64() as usize) % directory.len();
            bytes[at] = (prng.next_u64() >> (prng.next_u64() % 64)) as u8;
        }
        // The checksum is corrected, so that the checks after it run.
        repair(&mut bytes);
        if let Ok(file) = parse(&bytes) {
            let _ = file.verify_all();
        }
    }
}

#[test]
fn checksums_are_repaired() {
    for good in [bundled(), paged(None), paged(Some(3))] {
        let mut bytes = good.clone();
        repair(&mut bytes);
        assert_eq!(bytes, good);
        let file = parse(&good).unwrap();
        let at = file.section(1).unwrap().offset() as usize;
        bytes[at + 3] ^= 1;
        assert!(parse(&bytes).and_then(|file| file.verify_all()).is_err());
        repair(&mut bytes);
        match parse(&bytes).and_then(|file| file.verify_all()) {
            Ok(()) => {}
            // A frame may still be none.
            Err(error) => assert_eq!(error.kind(), ErrorKind::Malformed),
        }
    }
    for len in 0..40 {
        repair(&mut bundled()[..len]);
    }
}
