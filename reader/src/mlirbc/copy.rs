//! Copies files, whole or only some symbols, without decoding anything.
//!
//! So files with unknown encodings can be copied too. The numbers of strings, entries, properties
//! and operation names are positions in tables, so the tables are copied whole: items that only
//! omitted operations refer to stay in them. The numbers of values count from the start of an
//! isolated operation.

use super::file::File;
use super::index::{Index, Scanner, Span};
use super::session::Session;
use crate::lazy::Symbol;
use rmlir_format::mlirbc::{Sections, padding_len, section, write_section_header};
use rmlir_format::prefix_varint::{write_prefix_flagged_varint, write_prefix_varint};
use rmlir_format::{Error, ErrorKind, Input, Result, ResultExt};
use rmlir_ir::sort::CompactSort as _;
use std::io::Write;

/// The number of bytes that are copied at a time.
const PIECE: u64 = 1 << 20;

impl File {
    /// Writes the file unchanged. O(bytes).
    ///
    /// Nothing is checked that was not checked when the file was opened.
    ///
    /// # Errors
    /// Those of reading by position, and of `out`.
    pub fn copy(&self, out: &mut dyn Write) -> Result<()> {
        let len = self.storage().len();
        let mut at = 0;
        while at < len {
            let end = at.saturating_add(PIECE).min(len);
            out.write_all(&self.storage().bytes(at..end, "file")?)?;
            at = end;
        }
        Ok(())
    }

    /// Writes a file of the same version and tables that contains only some symbols.
    ///
    /// It contains the symbols and the operations around them, unchanged, and of the other
    /// operations only those that are known to be terminators. References of the symbols are not
    /// followed. Resources are copied whole.
    ///
    /// # Errors
    /// * [`ErrorKind::InvalidRequest`] for symbols that are not of this file;
    /// * [`ErrorKind::Unsupported`]: a symbol cannot be cut out, since it uses values of others, is
    ///   in an operation of more than one block, or its values are numbered together with those of
    ///   others; or the alignment of blobs is not the declared one;
    /// * if tables or operations around it are damaged, with offset and section; those of `out`.
    pub fn copy_symbols(&self, symbols: &[Symbol], out: &mut dyn Write) -> Result<()> {
        self.cut(symbols, out).with_context(|| {
            let paths: Vec<String> = symbols.iter().map(Symbol::to_string).collect();
            format!("copying {}", paths.join(", "))
        })
    }

    /// Returns the operations section of a file, reduced to some operations.
    pub(super) fn cut_operations<I: Input>(
        &self,
        session: &mut Session<'_, '_, I>,
        index: &Index,
        symbols: &[Symbol],
    ) -> Result<Vec<u8>> {
        let places = index.places(symbols)?;
        let Some(steps) = index.steps(&places) else {
            return Err(not_alone(
                0,
                "a symbol uses values of others, or does not lie in modules of one block",
            ));
        };
        let mut scanner = Scanner::new(session, false, &|| None);
        let mut spans: Vec<(u32, bool, Span)> = Vec::new();
        // By depth: whether omitted values are numbered before those of an operation there.
        let mut shifted = vec![false];
        for step in &steps {
            let depth = step.depth as usize;
            shifted.truncate(depth.saturating_add(1));
            let span = scanner.span(step.start, step.is_around)?;
            let is_shifted = shifted.last() == Some(&true) && !span.isolated;
            if is_shifted && span.regions > 0 {
                return Err(not_alone(
                    step.start,
                    "the values of a symbol are numbered with those of others",
                ));
            }
            if step.is_around {
                shifted.push(is_shifted || span.values > 0);
            }
            spans.push((step.depth, step.is_around, span));
        }
        // Written from the end to the start, since lengths precede the data they belong to.
        let mut reversed = Reversed(Vec::new());
        // By depth: the number of operations so far, and the number of bytes written before them.
        let mut levels: Vec<(u64, usize)> = Vec::new();
        for (depth, is_around, span) in spans.iter().rev() {
            let depth = *depth as usize;
            if *is_around {
                let inside = levels.get(depth.saturating_add(1)).copied();
                let (count, before) = inside.unwrap_or((0, reversed.0.len()));
                levels.truncate(depth.saturating_add(1));
                // One region of one block, without values of its own and without arguments.
                let mut head = Vec::new();
                write_prefix_varint(&mut head, 1);
                write_prefix_varint(&mut head, 0);
                write_prefix_flagged_varint(&mut head, count, false);
                reversed.prepend(&head);
                if span.has_section {
                    let len = reversed.0.len().saturating_sub(before);
                    let mut frame = Vec::new();
                    write_section_header(&mut frame, 0, section::IR, len as u64, 1);
                    reversed.prepend(&frame);
                }
            }
            while levels.len() <= depth {
                levels.push((0, reversed.0.len()));
            }
            // An enclosing operation begins before the operations just counted.
            if let Some((count, _)) = levels.get_mut(depth) {
                *count = count.saturating_add(1);
            }
            let bytes = scanner.bytes(span.start..span.end)?;
            reversed.prepend(bytes.as_ref());
        }
        let mut head = Vec::new();
        let count = levels.first().map_or(0, |&(count, _)| count);
        write_prefix_flagged_varint(&mut head, count, false);
        reversed.prepend(&head);
        reversed.0.reverse();
        Ok(reversed.0)
    }

    /// Writes the file with other operations. `alignment` is the alignment of its blobs.
    pub(super) fn write_with<I: Input>(
        &self,
        sections: &Sections<I>,
        ir: &[u8],
        alignment: u64,
        out: &mut dyn Write,
    ) -> Result<()> {
        let storage = self.storage();
        out.write_all(&storage.bytes(0..sections.header_len(), "header")?)?;
        let mut offset = sections.header_len();
        let ids = 0..=u8::MAX;
        let mut all: Vec<(u8, I)> = ids
            .filter_map(|id| Some((id, sections.section(id)?)))
            .collect();
        all.compact_sort_by_key(|(_, section)| section.offset());
        for (id, data) in all {
            let start = data.offset();
            let mut range = start..start.saturating_add(data.remaining());
            let mut needed = sections.alignment(id);
            if id == section::RESOURCES && !data.is_empty() {
                if padding_len(start, alignment) != 0 {
                    let message = "the blobs are not aligned as the section declares";
                    return Err(Error::at(ErrorKind::Unsupported, start, message)
                        .with_section(data.section()));
                }
                needed = needed.max(alignment);
            }
            let len = match id {
                section::IR => ir.len() as u64,
                _ => data.remaining(),
            };
            let mut frame = Vec::new();
            write_section_header(&mut frame, offset, id, len, needed);
            out.write_all(&frame)?;
            offset = offset
                .saturating_add(frame.len() as u64)
                .saturating_add(len);
            if id == section::IR {
                out.write_all(ir)?;
                continue;
            }
            while !range.is_empty() {
                let end = range.start.saturating_add(PIECE).min(range.end);
                out.write_all(&storage.bytes(range.start..end, data.section())?)?;
                range = end..range.end;
            }
        }
        Ok(())
    }
}

/// A buffer that grows at its start.
struct Reversed(Vec<u8>);

impl Reversed {
    fn prepend(&mut self, bytes: &[u8]) {
        self.0.extend(bytes.iter().rev());
    }
}

#[cold]
fn not_alone(at: u64, why: &'static str) -> Error {
    let message = format!("{why}: it can't be cut out without decoding it");
    let error = Error::new(ErrorKind::Unsupported, message);
    match at {
        0 => error,
        at => error.with_offset(at).with_section("IR"),
    }
}
