//! Searches any bytes for modules.

use rmlir::ReadOptions;
use rmlir::embedded::{self, Artifact, Content, is_wrapped, resolve};

/// The maximum number of decoded bytes in this check: for small inputs, few.
const DECODED: u64 = 1 << 20;

/// Checks that what is found in a file is there, that artifacts do not overlap partly, and that the
/// search gives the same twice.
fn check(data: &[u8], options: &ReadOptions) -> Vec<Artifact> {
    let source = data.into();
    let found = embedded::unwrap(&source, options);
    // Decoded bytes are longer or shorter than the range that they were decoded from.
    let is_raw = |artifact: &Artifact| {
        let start = usize::try_from(artifact.offset).unwrap_or(usize::MAX);
        let rest = data.get(start..).unwrap_or_default();
        rest.starts_with(&artifact.source)
    };
    let mut decoded = 0;
    for artifact in &found.artifacts {
        assert!(artifact.offset + artifact.span <= data.len() as u64);
        assert!(artifact.depth <= 16, "{}", artifact.container);
        if !is_raw(artifact) {
            decoded += artifact.source.len() as u64;
        }
        let is_bytecode = matches!(artifact.content, Content::Rmbc | Content::Mlirbc);
        if is_bytecode && artifact.is_intact {
            let len = rmlir::reader::length(&artifact.source);
            assert_eq!(len.ok(), Some(artifact.source.len() as u64));
        }
    }
    // Nested artifacts count again.
    let most = options.limits.decompressed_bytes(data.len() as u64);
    assert!(decoded <= 16 * (most + data.len() as u64));
    found.artifacts
}

/// Searches bytes for modules, and reads what is found.
pub fn unwrap(data: &[u8]) {
    let mut options = ReadOptions::default();
    options.limits.max_decompressed_bytes = DECODED;
    let artifacts = check(data, &options);
    let ranges = |artifact: &Artifact| (artifact.offset, artifact.offset + artifact.span);
    for (number, artifact) in artifacts.iter().enumerate() {
        let (start, end) = ranges(artifact);
        for other in artifacts.iter().skip(number + 1).take(50) {
            let (from, to) = ranges(other);
            let apart = to <= start || end <= from;
            let nested = (start <= from && to <= end) || (from <= start && end <= to);
            assert!(apart || nested, "{artifact:?} {other:?}");
        }
    }
    let again = check(data, &options);
    assert_eq!(artifacts.len(), again.len());
    let _ = is_wrapped(data);
    // Whether it is refused or found, and then whether that can be read.
    if let Ok(source) = resolve(data.into(), &options) {
        let _ = rmlir::File::from_bytes(source, &options);
    }
}
