//! Damaged containers of every format: no panic, no hang, and no memory beyond a multiple of the
//! input. `RMLIR_MUTANTS` overrides their number, `RMLIR_SEED` the seed.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "test code")]

use peak_alloc::PeakAlloc;
use rmlir_embed::{Content, UnwrapOptions, record, unwrap};
use rmlir_format::{ContainerWriter, Source, mlirbc};
use rmlir_testing::Prng;
use rmlir_testing::wrapped::{ZipMember, base64, crc32, wrapped, zip_of};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The memory for each byte of a file and of what is decoded from it; a member of an archive takes
/// more than a hundred bytes, and each has at least some in the file.
const BYTE: usize = 64;
/// The memory that every search may take.
const BASE: usize = 1 << 18;

fn seeds() -> Vec<Vec<u8>> {
    let mut writer = ContainerWriter::new();
    writer.add_required(1, vec![7; 300]).unwrap();
    let rmbc = writer.finish();
    let mut module = b"ML\xefR\x0dMLIR\0".to_vec();
    for (id, data) in [
        (1, &b"dialects"[..]),
        (2, b"x"),
        (3, b"y"),
        (4, b"ir"),
        (0, &[3, 3, 0]),
        (8, b""),
    ] {
        mlirbc::write_section(&mut module, 0, id, data, 1);
    }
    let mut records = Vec::new();
    record::write(&mut records, "first", Content::Rmbc, &rmbc, 6);
    record::write(&mut records, "second", Content::Text, b"module {}", 4);
    let text = format!(
        "{{\"body\": \"{}\", \"ir\": \"module {{}}\\n\"}}",
        base64(&module)
    );
    let contents: [&[u8]; 6] = [
        &rmbc,
        &module,
        &records,
        text.as_bytes(),
        b"BC\xc0\xde bitcode",
        &[&module[..], &[0; 9], &rmbc].concat(),
    ];
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for content in contents {
        seeds.push(content.to_vec());
        seeds.extend(wrapped(content).into_iter().map(|file| file.bytes));
    }
    let inner: Vec<Vec<u8>> = wrapped(&module)
        .into_iter()
        .map(|file| file.bytes)
        .collect();
    // Members that are not read, thin archives, text, and values in values.
    let unread = [(12, 0), (14, 0), (0, 1), (99, 0)].map(|(method, flags)| ZipMember {
        name: "dir/m.mlir",
        flags,
        method,
        stored: &module,
        crc: crc32(&module),
        len: module.len(),
    });
    seeds.push(zip_of(&unread));
    seeds.push(thin());
    let last = inner.last().map_or(&module, |file| file);
    let zip = base64(&zip_of(&[ZipMember {
        name: "in.json",
        flags: 0,
        method: 0,
        stored: last,
        crc: crc32(last),
        len: last.len(),
    }]));
    let escaped = zip.replace('/', "\\/");
    seeds.push(format!("[[1, 2], {{\"a\": \"{escaped}\", \"b\": \"{{\\\"c\\\": 1}}\"}}]").into());
    seeds.push(base64(format!("{{\"a\": \"{zip}\"}}").as_bytes()).into());
    seeds.push(
        b"module {}\n"
            .map(|byte| format!("{byte:02x}"))
            .concat()
            .repeat(4)
            .into(),
    );
    for file in inner {
        seeds.extend(wrapped(&file).into_iter().map(|file| file.bytes));
    }
    seeds
}

/// A thin archive with two members.
fn thin() -> Vec<u8> {
    let header = |name: &str, len: usize| format!("{name:<16}{:<32}{len:<10}`\n", 0);
    let names = "sub/kernel.o/\n../other.o/\n\n";
    let (list, first, second) = (
        header("//", names.len()),
        header("/0", 100),
        header("/14", 100),
    );
    format!("!<thin>\n{list}{names}{first}{second}").into()
}

/// Returns a seed with bytes changed, preferably to those of counts and offsets that are wrong.
fn mutated(prng: &mut Prng, seeds: &[Vec<u8>]) -> Vec<u8> {
    const INTERESTING: [u8; 8] = [0, 1, 4, 0x7f, 0x80, 0xfe, 0xff, 0x40];
    let mut data = seeds[prng.below(seeds.len())].clone();
    for _ in 0..=prng.below(6) {
        if data.is_empty() {
            break;
        }
        // Headers are at the start, or at the end.
        let at = match prng.below(3) {
            0 => prng.below(data.len().min(256)),
            1 => data.len() - 1 - prng.below(data.len().min(256)),
            _ => prng.below(data.len()),
        };
        let len = prng.below(40).min(data.len() - at);
        match prng.below(6) {
            0 => data[at] = prng.next_u64() as u8,
            1 => data[at] = INTERESTING[prng.below(8)],
            2 => data[at] ^= 1 << prng.below(8),
            3 => drop(data.drain(at..at + len)),
            4 => {
                let copy = data[at..at + len].to_vec();
                let to = prng.below(data.len());
                data.splice(to..to, copy);
            }
            _ => {
                let other = &seeds[prng.below(seeds.len())];
                let from = prng.below(other.len());
                let end = (from + prng.below(64)).min(other.len());
                data.splice(at..at + len, other[from..end].iter().copied());
            }
        }
    }
    data
}

#[test]
fn damaged_containers() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |number| number.parse().unwrap())
    };
    let seeds = seeds();
    let mut prng = Prng::new(number("RMLIR_SEED", 0));
    let mut options = UnwrapOptions::default();
    options.limits.max_decompressed_bytes = 1 << 16;
    let (mut found, mut most, mut longest) = (0, 0, Duration::ZERO);
    for _ in 0..number("RMLIR_MUTANTS", 5_000) {
        let source = Source::from(mutated(&mut prng, &seeds));
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        let start = Instant::now();
        let result = unwrap(&source, &options);
        longest = longest.max(start.elapsed());
        let peak = ALLOCATOR.peak_usage().saturating_sub(before);
        let decodable = options.limits.decompressed_bytes(source.len() as u64) as usize;
        assert!(
            peak <= BASE + BYTE * source.len() + decodable,
            "{peak} of {}",
            source.len()
        );
        most = most.max(peak);
        found += result.artifacts.len();
        for artifact in &result.artifacts {
            assert!(artifact.offset + artifact.span <= source.len() as u64);
        }
        for unread in &result.unread {
            assert!(unread.offset <= source.len() as u64);
        }
        assert_eq!(result.is_complete, result.unread.is_empty());
    }
    println!("{found} artifacts; at most {most} bytes of memory, {longest:?} for one file");
    assert!(found > 0);
}
