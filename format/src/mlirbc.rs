//! The container of mlirbc, upstream MLIR's bytecode: header, version rules and section frames.
//!
//! | field | encoding |
//! |---|---|
//! | magic | [`MAGIC`] |
//! | version | varint, 0 to [`MAX_VERSION`] |
//! | producer | bytes up to a zero byte |
//! | sections | up to the end of the file |
//!
//! | section | encoding |
//! |---|---|
//! | id | a byte: seven bits, and the highest one if an alignment follows |
//! | length | varint, of the data alone |
//! | alignment | varint, a power of two |
//! | padding | bytes [`PADDING`] up to the next file offset that is a multiple of the alignment |
//! | data | `length` bytes |
//!
//! Integers are those of [`prefix_varint`](crate::prefix_varint). Sections come in any order, each
//! once. (From the MLIR bytecode format's page, "Magic number", "Sections"; the same in versions 0
//! to 6.)

mod length;

pub use length::length;

use crate::cursor::Reader;
use crate::error::{Error, ErrorKind, Result, ResultExt};
use crate::input::Input;
use crate::prefix_varint::{prefix_varint_len, write_prefix_varint};

/// The first bytes of a file.
pub const MAGIC: [u8; 4] = *b"ML\xefR";
/// The newest version.
pub const MAX_VERSION: u8 = 6;
/// The byte that pads to an alignment.
pub const PADDING: u8 = 0xCB;
/// The number of padding bytes checked at a time.
const PIECE: u64 = 1 << 12;
/// The bit of a section's first byte that declares an alignment.
const ALIGNED: u8 = 0x80;

/// Ids of sections.
pub mod section {
    /// Strings.
    pub const STRINGS: u8 = 0;
    /// Dialects and the names of operations.
    pub const DIALECTS: u8 = 1;
    /// Attributes and types.
    pub const ENTRIES: u8 = 2;
    /// Dialects and sizes of attributes and types.
    pub const ENTRY_OFFSETS: u8 = 3;
    /// Operations. Regions of isolated operations are nested sections with this id, too.
    pub const IR: u8 = 4;
    /// Values of resources.
    pub const RESOURCES: u8 = 5;
    /// Keys, kinds and sizes of resources.
    pub const RESOURCE_OFFSETS: u8 = 6;
    /// The version of a dialect; only inside of [`DIALECTS`].
    pub const DIALECT_VERSION: u8 = 7;
    /// Properties of operations.
    pub const PROPERTIES: u8 = 8;

    /// Names of the ids, from 0 on, as in upstream.
    pub const NAMES: [&str; 9] = [
        "String",
        "Dialect",
        "AttrType",
        "AttrTypeOffset",
        "IR",
        "Resource",
        "ResourceOffset",
        "DialectVersions",
        "Properties",
    ];

    /// Returns the name of an id; `None` if there is no such section. O(1).
    pub fn name(id: u8) -> Option<&'static str> {
        NAMES.get(usize::from(id)).copied()
    }
}

/// Bits of the byte after the name of an operation.
pub mod operation_mask {
    /// The operation has attributes.
    pub const ATTRIBUTES: u8 = 0x01;
    /// The operation has results.
    pub const RESULTS: u8 = 0x02;
    /// The operation has operands.
    pub const OPERANDS: u8 = 0x04;
    /// The operation has successors.
    pub const SUCCESSORS: u8 = 0x08;
    /// The operation has regions.
    pub const REGIONS: u8 = 0x10;
    /// The operation has use-list orders; from version 3 on.
    pub const USE_LIST_ORDERS: u8 = 0x20;
    /// The operation has properties; from version 5 on.
    pub const PROPERTIES: u8 = 0x40;
}

/// The kinds of resource values.
pub mod resource_kind {
    /// Aligned bytes, or nothing.
    pub const BLOB: u8 = 0;
    /// A byte, 0 or 1.
    pub const BOOL: u8 = 1;
    /// The number of a string.
    pub const STRING: u8 = 2;
}

/// A version of the container, and the features that it introduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u8);

impl Version {
    /// The newest version.
    pub const NEWEST: Version = Version(MAX_VERSION);

    /// Returns version `number`; `None` if it is newer than [`MAX_VERSION`].
    pub fn new(number: u64) -> Option<Version> {
        u8::try_from(number)
            .ok()
            .filter(|&number| number <= MAX_VERSION)
            .map(Version)
    }

    /// Returns the number in the file.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns whether dialects can have versions.
    pub fn has_dialect_versions(self) -> bool {
        self.0 >= 1
    }

    /// Returns whether the regions of an isolated operation are in a section of their own.
    pub fn has_isolated_sections(self) -> bool {
        self.0 >= 2
    }

    /// Returns whether use-list orders other than the default are stored.
    pub fn has_use_list_orders(self) -> bool {
        self.0 >= 3
    }

    /// Returns whether unknown locations of block arguments are omitted and operation names
    /// counted.
    pub fn has_argument_flags(self) -> bool {
        self.0 >= 4
    }

    /// Returns whether properties are separate from attributes.
    ///
    /// Operations then also store whether they were registered in their writer.
    pub fn has_properties(self) -> bool {
        self.0 >= 5
    }

    /// Returns whether segment sizes come last in properties, as sparse arrays.
    pub fn has_sparse_segments(self) -> bool {
        self.0 >= 6
    }
}

/// A file split into its sections.
#[derive(Clone, Debug)]
pub struct Sections<I: Input> {
    /// The version.
    pub version: Version,
    /// The producer of the file, such as `MLIR22.1.8`.
    pub producer: I::Bytes,
    /// The length of the file in bytes.
    pub len: u64,
    /// The sections, by id.
    sections: [Option<I>; section::NAMES.len()],
    alignments: [u64; section::NAMES.len()],
    header_len: u64,
}

/// A file split into its sections, over borrowed bytes.
pub type Container<'a> = Sections<Reader<'a>>;

impl<'a> Container<'a> {
    /// Parses bytes as [`read`](Sections::read) does.
    ///
    /// # Errors
    /// Those of [`read`](Sections::read).
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        Self::read(Reader::new(bytes, "header"))
    }

    /// Returns the data of a section; empty if the file does not have it. O(1).
    pub fn section_or_empty(&self, id: u8) -> Reader<'a> {
        let name = section::name(id).unwrap_or("unknown");
        self.section(id).unwrap_or(Reader::new(&[], name))
    }
}

impl<I: Input> Sections<I> {
    /// Reads the header of a file and locates the sections without reading their data. O(sections).
    ///
    /// # Errors
    /// * [`ErrorKind::NotThisFormat`]: another magic;
    /// * [`ErrorKind::UnknownVersion`]: newer than [`MAX_VERSION`];
    /// * [`ErrorKind::UnknownSection`]: an id above 8;
    /// * [`ErrorKind::MissingSection`]: a section that the version needs;
    /// * [`ErrorKind::Truncated`], [`ErrorKind::Malformed`]: any other contradiction of the tables
    ///   above, a duplicate section, dialect versions outside of the dialects, one of the two
    ///   sections of resources without the other.
    pub fn read(mut input: I) -> Result<Self> {
        let len = input.remaining();
        match input.bytes(MAGIC.len() as u64) {
            Ok(magic) if magic.as_ref() == MAGIC => {}
            // The file is long enough for the magic, so the read itself failed.
            Err(error) if len >= MAGIC.len() as u64 => return Err(error),
            _ => {
                return Err(input.error(
                    ErrorKind::NotThisFormat,
                    "the first bytes are not those of MLIR bytecode",
                ));
            }
        }
        let at = input.offset();
        let number = input.prefix_varint()?;
        let Some(version) = Version::new(number) else {
            let message = format!(
                "bytecode version {number} is newer than the current version {MAX_VERSION} of this build"
            );
            return Err(
                Error::at(ErrorKind::UnknownVersion, at, message).with_section(input.section())
            );
        };
        let producer = input.until_nul()?;
        let header_len = input.offset();
        let mut sections: [Option<I>; section::NAMES.len()] = Default::default();
        let mut alignments = [1; section::NAMES.len()];
        while !input.is_empty() {
            let at = input.offset();
            let (id, alignment, data) = read_frame(&mut input)?;
            let name = data.section();
            let fail = |message: String| {
                Err(Error::at(ErrorKind::Malformed, at, message).with_section("container"))
            };
            if id == section::DIALECT_VERSION {
                return fail(format!(
                    "section {name} is only valid inside of the section of dialects"
                ));
            }
            if let Some(slot) = alignments.get_mut(usize::from(id)) {
                *slot = alignment;
            }
            match sections.get_mut(usize::from(id)) {
                Some(slot @ None) => *slot = Some(data),
                _ => return fail(format!("duplicate top-level section: {name} ({id})")),
            }
        }
        let read = Sections {
            version,
            producer,
            len,
            sections,
            alignments,
            header_len,
        };
        read.check_complete(&input)?;
        Ok(read)
    }

    fn check_complete(&self, end: &I) -> Result<()> {
        let mut needed = vec![
            section::STRINGS,
            section::DIALECTS,
            section::ENTRIES,
            section::ENTRY_OFFSETS,
            section::IR,
        ];
        if self.version.has_properties() {
            needed.push(section::PROPERTIES);
        }
        let (one, other) = (section::RESOURCES, section::RESOURCE_OFFSETS);
        for (id, needs) in [(one, other), (other, one)] {
            if self.section(id).is_some() {
                needed.push(needs);
            }
        }
        match needed.into_iter().find(|&id| self.section(id).is_none()) {
            None => Ok(()),
            Some(id) => {
                let name = section::name(id).unwrap_or_default();
                let message = format!("missing data for top-level section: {name} ({id})");
                Err(end.error(ErrorKind::MissingSection, message))
            }
        }
    }

    /// Returns the data of a section, if the file has it. O(1).
    pub fn section(&self, id: u8) -> Option<I> {
        self.sections.get(usize::from(id)).cloned().flatten()
    }

    /// Returns the alignment in the frame of a section, in bytes; 1 if it has none. O(1).
    pub fn alignment(&self, id: u8) -> u64 {
        self.alignments.get(usize::from(id)).copied().unwrap_or(1)
    }

    /// Returns the offset of the first section, in bytes from the start of the file.
    pub fn header_len(&self) -> u64 {
        self.header_len
    }

    /// Returns the same sections, each converted by `each`.
    ///
    /// # Errors
    /// Those of `each`.
    pub fn map<'s, J: Input>(
        &'s self,
        producer: J::Bytes,
        mut each: impl FnMut(u8, &'s I) -> Result<J>,
    ) -> Result<Sections<J>> {
        let mut sections: [Option<J>; section::NAMES.len()] = Default::default();
        for ((from, to), id) in self.sections.iter().zip(&mut sections).zip(0..) {
            if let Some(data) = from {
                *to = Some(each(id, data)?);
            }
        }
        Ok(Sections {
            version: self.version,
            producer,
            len: self.len,
            sections,
            alignments: self.alignments,
            header_len: self.header_len,
        })
    }
}

/// Reads the frame of a section, and skips the section. The reader of the data has its name.
///
/// # Errors
/// [`ErrorKind::UnknownSection`], [`ErrorKind::Truncated`], [`ErrorKind::Malformed`] as for
/// [`Sections::read`].
#[inline]
pub fn read_section<I: Input>(input: &mut I) -> Result<(u8, I)> {
    let (id, _, data) = read_frame(input)?;
    Ok((id, data))
}

/// Reads a section as [`read_section`] does, and returns the alignment, too; 1 if there is none.
fn read_frame<I: Input>(input: &mut I) -> Result<(u8, u64, I)> {
    let at = input.offset();
    let first = input.u8()?;
    let id = first & !ALIGNED;
    let Some(name) = section::name(id) else {
        let message = format!("invalid section ID: {id}");
        return Err(Error::at(ErrorKind::UnknownSection, at, message).with_section(input.section()));
    };
    let len = input.prefix_varint()?;
    let mut alignment = 1;
    if first & ALIGNED != 0 {
        let at = input.offset();
        alignment = input.prefix_varint()?;
        read_padding(input, at, alignment)?;
    }
    let data = input
        .sub_reader(len, name)
        .with_context(|| format!("reading section {name}"))?;
    Ok((id, alignment, data))
}

/// Skips the padding at the offset `at` up to a multiple of `alignment`.
///
/// Checks that the alignment is a power of two and all padding bytes are [`PADDING`].
///
/// # Errors
/// [`ErrorKind::Malformed`], or [`ErrorKind::Truncated`] if the bytes end within the padding.
pub fn read_padding<I: Input>(input: &mut I, at: u64, alignment: u64) -> Result<()> {
    if !alignment.is_power_of_two() {
        let message = format!("the alignment {alignment} is not a power of two");
        return Err(Error::at(ErrorKind::Malformed, at, message).with_section(input.section()));
    }
    let start = input.offset();
    let mut left = padding_len(start, alignment);
    input.clone().skip(left)?;
    while left > 0 {
        // The file may not be in memory, and may have any number of padding bytes.
        let piece = input.bytes(left.min(PIECE))?;
        if piece.as_ref().iter().any(|&byte| byte != PADDING) {
            let message = format!("padding has a byte other than {PADDING:#04x}");
            let error = Error::at(ErrorKind::Malformed, start, message);
            return Err(error.with_section(input.section()));
        }
        left = left.saturating_sub(PIECE);
    }
    Ok(())
}

/// Returns the number of bytes from `offset` to the next multiple of `alignment`, a power of two.
pub fn padding_len(offset: u64, alignment: u64) -> u64 {
    offset.wrapping_neg() & alignment.wrapping_sub(1)
}

/// Appends the header of a section of `len` bytes.
///
/// The header aligns the data unless the data would begin at a multiple of `alignment` anyway.
/// `base` is the offset of `out` in the file.
pub fn write_section_header(out: &mut Vec<u8>, base: u64, id: u8, len: u64, alignment: u64) {
    let header = (prefix_varint_len(len) as u64).saturating_add(1);
    let at = base.saturating_add(out.len() as u64).saturating_add(header);
    if alignment < 2 || padding_len(at, alignment) == 0 {
        out.push(id);
        write_prefix_varint(out, len);
    } else {
        out.push(id | ALIGNED);
        write_prefix_varint(out, len);
        write_prefix_varint(out, alignment);
        let at = base.saturating_add(out.len() as u64);
        let padding = usize::try_from(padding_len(at, alignment)).unwrap_or(0);
        out.resize(out.len().saturating_add(padding), PADDING);
    }
}

/// Appends a section: [`write_section_header`] and its data.
pub fn write_section(out: &mut Vec<u8>, base: u64, id: u8, data: &[u8], alignment: u64) {
    write_section_header(out, base, id, data.len() as u64, alignment);
    out.extend_from_slice(data);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u64, sections: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        write_prefix_varint(&mut bytes, version);
        bytes.extend_from_slice(b"who\0");
        for &id in sections {
            write_section(&mut bytes, 0, id, &[id; 3], 1);
        }
        bytes
    }

    #[test]
    fn sections_are_found_in_any_order() {
        let bytes = file(6, &[8, 4, 3, 2, 1, 0]);
        let container = Container::parse(&bytes).unwrap();
        assert_eq!(container.version, Version::NEWEST);
        assert_eq!(container.producer, b"who");
        for id in [8, 4, 3, 2, 1, 0] {
            assert_eq!(container.section(id).unwrap().peek_rest(), [id; 3]);
        }
        assert!(container.section(section::RESOURCES).is_none());
        assert!(container.section_or_empty(section::RESOURCES).is_empty());
    }

    #[test]
    fn what_a_version_needs_must_be_there_once() {
        let kind = |bytes: &[u8]| Container::parse(bytes).map(drop).map_err(|e| e.kind());
        assert_eq!(kind(&file(4, &[0, 1, 2, 3, 4])), Ok(()));
        assert_eq!(
            kind(&file(5, &[0, 1, 2, 3, 4])),
            Err(ErrorKind::MissingSection)
        );
        assert_eq!(
            kind(&file(0, &[0, 1, 2, 3])),
            Err(ErrorKind::MissingSection)
        );
        assert_eq!(
            kind(&file(0, &[0, 1, 2, 3, 4, 5])),
            Err(ErrorKind::MissingSection)
        );
        assert_eq!(
            kind(&file(0, &[0, 1, 2, 3, 4, 4])),
            Err(ErrorKind::Malformed)
        );
        assert_eq!(
            kind(&file(0, &[0, 1, 2, 3, 4, 7])),
            Err(ErrorKind::Malformed)
        );
        assert_eq!(kind(&file(7, &[])), Err(ErrorKind::UnknownVersion));
        assert_eq!(kind(b"MLIR"), Err(ErrorKind::NotThisFormat));
        assert_eq!(kind(b"ML"), Err(ErrorKind::NotThisFormat));
        let mut unknown = file(0, &[0, 1, 2, 3, 4]);
        unknown.extend_from_slice(&[9, 1]);
        assert_eq!(kind(&unknown), Err(ErrorKind::UnknownSection));
        let whole = file(4, &[0, 1, 2, 3, 4]);
        for len in 0..whole.len() {
            kind(whole.get(..len).unwrap()).unwrap_err();
        }
    }

    #[test]
    fn alignment_is_kept_and_checked() {
        for alignment in [1, 2, 16, 64] {
            let mut bytes = vec![1, 2, 3];
            write_section(&mut bytes, 0, section::RESOURCES, b"data", alignment);
            let mut input = Reader::new(&bytes, "test");
            input.skip(3).unwrap();
            let (id, data) = read_section(&mut input).unwrap();
            assert_eq!((id, data.peek_rest()), (section::RESOURCES, &b"data"[..]));
            assert_eq!(data.offset() % alignment, 0);
            input.expect_end().unwrap();
        }
        // Four bytes of header; padding up to 8.
        let aligned = |alignment: u8, padding: [u8; 5]| {
            let mut bytes = vec![0x85, 3, alignment << 1 | 1];
            bytes.extend_from_slice(&padding);
            bytes.push(b'x');
            read_section(&mut Reader::new(&bytes, "test"))
                .map(|(_, data)| data.offset())
                .map_err(|error| error.offset())
        };
        assert_eq!(aligned(8, [PADDING; 5]), Ok(8));
        assert_eq!(aligned(8, [PADDING, PADDING, 0, PADDING, 0]), Err(Some(3)));
        assert_eq!(aligned(6, [PADDING; 5]), Err(Some(2)));
        assert_eq!(aligned(0, [PADDING; 5]), Err(Some(2)));
    }
}
