//! Tests the description of every byte.

use super::encoder::{Bytes, File, private, text};
use super::{operation, with_attributes};
use rmlir_ir::Context;
use rmlir_reader::dump::{DumpPart, FieldContent, Visitor};
use rmlir_reader::mlirbc::dump::dump;
use std::ops::Range;

/// Checks that fields follow each other without gaps, and that parts end.
#[derive(Default)]
struct Coverage {
    end: u64,
    open: usize,
    fields: usize,
    damaged: u64,
    parts: Vec<String>,
}

impl Visitor for Coverage {
    fn enter(&mut self, offset: u64, part: DumpPart<'_>) {
        assert_eq!(offset, self.end, "{part:?} begins elsewhere");
        self.open += 1;
        self.parts.push(format!("{part:?}"));
    }

    fn field(&mut self, bytes: Range<u64>, name: &str, content: FieldContent<'_>) {
        assert_eq!(bytes.start, self.end, "{name} begins elsewhere");
        assert!(bytes.end >= bytes.start);
        self.end = bytes.end;
        self.fields += 1;
        if let FieldContent::Damaged(rest) = content {
            self.damaged += rest.len() as u64;
        }
    }

    fn leave(&mut self, offset: u64) {
        assert_eq!(offset, self.end, "{:?} ends elsewhere", self.parts.last());
        self.open -= 1;
    }
}

fn coverage(bytes: &[u8]) -> (Coverage, usize) {
    let mut coverage = Coverage::default();
    let errors = dump(&Context::new(), bytes, &mut coverage).len();
    assert_eq!(coverage.end, bytes.len() as u64, "all bytes are told of");
    assert_eq!(coverage.open, 0, "all parts end");
    (coverage, errors)
}

/// Returns files that cover all kinds of content.
fn files() -> Vec<Vec<u8>> {
    let mut region = File::new();
    // An isolated region of one block, with an operation.
    let inner = Bytes::new().flagged(1, false).int(0).raw(&[0]).int(0);
    let body = Bytes::new().int(1).int(0).raw(&inner.0);
    let section = Bytes::new().raw(&[4]).int(body.0.len() as u64).raw(&body.0);
    region.ir = operation(0x10, Bytes::new().flagged(1, true).raw(&section.0));
    let attributes = with_attributes(
        vec![
            private(Bytes::new().int(1).int(0)),
            text("affine_map<(d0) -> (d0)>"),
            private(Bytes::new().int(0).int(2).int(1).int(1)),
        ],
        Vec::new(),
    );
    vec![File::new().bytes(), region.bytes(), attributes.bytes()]
}

#[test]
fn every_byte_of_good_files() {
    for bytes in files() {
        let (told, errors) = coverage(&bytes);
        assert_eq!((errors, told.damaged), (0, 0), "{:#?}", told.parts);
        assert!(told.fields > 20);
    }
}

#[test]
fn every_byte_of_damaged_files() {
    for bytes in files() {
        for len in 0..bytes.len() {
            let (told, errors) = coverage(&bytes[..len]);
            assert!(errors > 0 || told.damaged == 0);
        }
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                let (told, errors) = coverage(&damaged);
                assert!(errors > 0 || told.damaged == 0);
            }
        }
    }
}

#[test]
fn damage_does_not_hide_what_is_behind_it() {
    let bytes = &files()[0];
    // A dialect section that consists of a number that is too large.
    let (good, _) = coverage(bytes);
    let at = 4 + 1 + bytes[5..].iter().position(|&b| b == 0).unwrap() + 1 + 2;
    let mut damaged = bytes.clone();
    damaged[at] = 0xFF;
    let (told, errors) = coverage(&damaged);
    assert!(errors > 0 && told.damaged > 0);
    let sections = |c: &Coverage| c.parts.iter().filter(|p| p.starts_with("Section")).count();
    assert_eq!(sections(&told), sections(&good));
}
