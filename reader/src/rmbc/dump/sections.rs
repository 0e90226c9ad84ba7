//! Describes the content of sections.

use super::{Dumper, name_of};
use crate::dump::{DumpPart, FieldContent};
use crate::lookup::malformed;
use crate::rmbc::fields::{self, Kind, Sink};
use crate::rmbc::signature::{SignatureSink, read_signature};
use crate::rmbc::table_views::{Class, class_of};
use rmlir_format::rmbc::schema::{LocationCode, SignatureField, SignatureLayout};
use rmlir_format::rmbc::table::offset_width;
use rmlir_format::rmbc::{
    BLOCK, BlobCode, affine, fragments, location_code as code, preset, region_flag,
    registered_operation, resource, section, signature_flag as flag,
};
use rmlir_format::varint::unzigzag;
use rmlir_format::{Reader, Result};
use std::ops::Range;

/// The counts that an operation signature stores.
#[derive(Clone, Default)]
struct Signature {
    name: u64,
    operands: u64,
    results: u64,
    successors: u64,
    regions: u64,
    inline: bool,
    is_extended: bool,
    values: u64,
}

/// The fields of a signature that is being described.
struct SignatureFields<'s, 'd> {
    dumper: &'s mut Dumper<'d>,
    signature: Signature,
}

impl SignatureSink for SignatureFields<'_, '_> {
    fn number(
        &mut self,
        layout: &SignatureLayout,
        value: u64,
        before: &Reader<'_>,
        after: &Reader<'_>,
    ) -> Result<()> {
        let signature = &mut self.signature;
        match layout.field {
            SignatureField::Name => {
                signature.name = value;
                self.dumper
                    .refer(before, after, layout.title, "string", value);
                return Ok(());
            }
            SignatureField::Operands => signature.operands = value,
            SignatureField::Results => signature.results = value,
            SignatureField::Successors => signature.successors = value,
            SignatureField::Regions => signature.regions = value,
            SignatureField::Flags
            | SignatureField::AttributeKeys
            | SignatureField::PropertyKeys
            | SignatureField::Extensions => {}
        }
        let content = FieldContent::Unsigned(value);
        self.dumper.tell(before, after, layout.title, content);
        Ok(())
    }

    fn key(
        &mut self,
        _: &SignatureLayout,
        string: u64,
        _: bool,
        before: &Reader<'_>,
        after: &Reader<'_>,
    ) -> Result<()> {
        self.dumper.refer(before, after, "key", "string", string);
        self.signature.values = self.signature.values.saturating_add(1);
        Ok(())
    }

    fn extensions(&mut self, input: &mut Reader<'_>) -> Result<()> {
        self.dumper.extensions(input)
    }
}

/// The data of earlier sections.
#[derive(Default)]
pub(super) struct Known {
    /// All strings, concatenated, and the end of each.
    strings: Vec<u8>,
    ends: Vec<usize>,
    /// How many attributes there are.
    pub(super) attributes: u64,
    /// How many bytes a number of a type takes that is not spelled out, for types of numbers.
    number_bytes: Vec<u64>,
    signatures: Vec<Signature>,
    /// The number of the signature of each template.
    templates: Vec<u64>,
    /// How many types each list has.
    lists: Vec<u64>,
    blobs: Vec<(u64, u64)>,
}

fn item<T: Clone>(items: &[T], number: u64) -> Option<T> {
    let place = usize::try_from(number).ok()?;
    items.get(place).cloned()
}

impl Known {
    pub(super) fn string(&self, number: u64) -> &[u8] {
        let range = || -> Option<Range<usize>> {
            let end = item(&self.ends, number)?;
            let start = match number.checked_sub(1) {
                Some(before) => item(&self.ends, before)?,
                None => 0,
            };
            Some(start..end)
        };
        range()
            .and_then(|range| self.strings.get(range))
            .unwrap_or_default()
    }

    fn push_string(&mut self, string: &[u8]) {
        self.strings.extend_from_slice(string);
        self.ends.push(self.strings.len());
    }

    fn signature_of(&self, template: u64) -> Option<Signature> {
        item(&self.signatures, item(&self.templates, template)?)
    }

    /// Returns the name of the operations of a template.
    pub(super) fn template_name(&self, template: u64) -> &[u8] {
        let place = |number| usize::try_from(number).ok();
        let signature = item(&self.templates, template).and_then(place);
        match signature.and_then(|signature| self.signatures.get(signature)) {
            Some(signature) => self.string(signature.name),
            None => b"",
        }
    }
}

/// An operation whose regions are not all described yet.
struct Frame {
    regions: u64,
    /// How many were begun.
    region: u64,
    blocks: u64,
    block: u64,
    operations: u64,
    has_arguments: bool,
    chunks: u64,
    /// Whether the region and its blocks have extensions, and whether blocks have chunks.
    is_extended: bool,
    has_chunks: bool,
    /// Parts to leave: the block, the region.
    in_block: bool,
    in_region: bool,
}

impl Dumper<'_> {
    pub(super) fn content(&mut self, input: &mut Reader<'_>, kind: u64) -> Result<()> {
        match u16::try_from(kind) {
            Ok(0) => return self.bundle(input),
            Ok(section::STRINGS) => self.strings(input)?,
            Ok(section::AFFINE) => self.table(input, "expression", None, Self::affine)?,
            Ok(section::RESOURCES) => {
                for number in 0..self.count(input, "resources")? {
                    self.enter(input, DumpPart::Entry("resource", number));
                    self.reference(input, "dialect", "string")?;
                    self.reference(input, "key", "string")?;
                    self.value(input)?;
                    self.leave(input);
                }
            }
            Ok(section::ENTRIES) => self.entries(input)?,
            Ok(section::TEMPLATES) => {
                self.table(input, "type list", None, Self::list)?;
                self.table(input, "signature", None, Self::signature)?;
                self.table(input, "template", None, Self::template)?;
            }
            Ok(section::OPERATIONS) => self.operations(input)?,
            Ok(section::LOCATIONS) => {
                while !input.is_empty() {
                    self.location(input)?;
                }
            }
            Ok(section::INDEX) => self.index(input)?,
            Ok(section::PROVENANCE) => self.provenance(input)?,
            Ok(section::ALIAS_NAMES) => {
                self.table(input, "stem of a type", None, Self::named)?;
                self.table(input, "stem of an attribute", None, Self::named)?;
            }
            Ok(section::NAMES) => {
                self.table(input, "name of a value", None, Self::named_in)?;
                self.table(input, "name of a block", None, Self::named_in)?;
            }
            Ok(section::USES) => self.table(input, "order of uses", None, Self::order)?,
            Ok(section::HASHES) => {
                self.byte(input, "version of fingerprints")?;
                self.table(input, "fingerprint", None, |dumper, data, _| {
                    dumper.number(data, "offset of the operation")?;
                    dumper.bytes(data, "fingerprint", 32)
                })?;
            }
            Ok(section::BLOB_LIST) => {
                for number in 0..self.count(input, "blobs")? {
                    self.enter(input, DumpPart::Entry("blob", number));
                    let alignment = self.number(input, "alignment")?;
                    let len = self.number(input, "length")?;
                    // A reader reports the error.
                    let blob = BlobCode::of(alignment, len).ok();
                    if blob.is_some_and(|blob| blob.is_external) {
                        let path = self.number(input, "length of the path")?;
                        self.text(input, "path", path)?;
                        self.number(input, "offset in that file")?;
                        self.bytes(input, "blake3", 32)?;
                    } else {
                        let alignment = blob.map_or(1, |blob| blob.alignment(len));
                        self.known.blobs.push((alignment.into(), len));
                    }
                    self.leave(input);
                }
            }
            Ok(section::BLOBS) => self.blobs(input)?,
            Ok(section::FEATURES) => {
                for _ in 0..self.count(input, "features")? {
                    let len = self.number(input, "length")?;
                    self.text(input, "feature", len)?;
                }
            }
            Ok(section::METADATA) => {
                for _ in 0..self.count(input, "keys")? {
                    let len = self.number(input, "length")?;
                    self.text(input, "key", len)?;
                    self.counted_bytes(input, "value")?;
                }
            }
            _ => {
                let len = input.remaining() as u64;
                self.bytes(input, "contents", len)?;
            }
        }
        input.expect_end()
    }

    fn bundle(&mut self, input: &mut Reader<'_>) -> Result<()> {
        let mut sections = Vec::new();
        let count = self.count(input, "sections")?;
        for number in 1..=count {
            let before = input.clone();
            let kind = input.varint()? >> 1;
            let content = FieldContent::Reference("section", kind, name_of(kind).as_bytes());
            self.tell(&before, input, "kind and flag", content);
            let len = match number == count {
                true => None,
                false => Some(self.number(input, "length")?),
            };
            sections.push((kind, len));
        }
        for (kind, len) in sections {
            let len = len.unwrap_or(input.remaining() as u64);
            let mut part = input.sub_reader(len, name_of(kind))?;
            let (depth, whole) = (self.depth, part.clone());
            self.enter(&part, DumpPart::Table(name_of(kind)));
            match self.content(&mut part, kind) {
                Ok(()) => self.leave(&part),
                Err(error) => self.damage(&whole, depth, error),
            }
        }
        input.expect_end()
    }

    /// Describes a table whose entries have this name; the table starts with its count unless that
    /// is known.
    fn table(
        &mut self,
        input: &mut Reader<'_>,
        name: &'static str,
        count: Option<u64>,
        mut each: impl FnMut(&mut Self, &mut Reader<'_>, u64) -> Result<()>,
    ) -> Result<()> {
        let count = match count {
            Some(count) => count,
            None => self.number(input, "count")?,
        };
        let len = self.number(input, "length of the table")?;
        let blocks = count.div_ceil(BLOCK as u64).saturating_sub(1);
        let offsets = blocks.saturating_mul(offset_width(len));
        self.bytes(input, "offsets of blocks", offsets)?;
        let mut data = input.sub_reader(len, input.section())?;
        for number in 0..count {
            self.enter(&data, DumpPart::Entry(name, number));
            each(self, &mut data, number)?;
            self.leave(&data);
        }
        data.expect_end()
    }

    fn strings(&mut self, input: &mut Reader<'_>) -> Result<()> {
        let (mut next, mut presets) = (0u64, Vec::new());
        for _ in 0..self.count(input, "preset strings")? {
            let before = input.clone();
            let number = next.saturating_add(input.varint()?);
            next = number.saturating_add(1);
            let string = preset::get(number).unwrap_or_default();
            let content = FieldContent::Reference("preset string", number, string.as_bytes());
            self.tell(&before, input, "preset string", content);
            presets.push(string);
        }
        let count = self.number(input, "strings")?;
        self.number(input, "names of symbols")?;
        let mut last: Vec<u8> = Vec::new();
        self.table(input, "string", Some(count), |dumper, data, number| {
            if number.is_multiple_of(BLOCK as u64) {
                last.clear();
            }
            let at = data.offset();
            let lengths = dumper.byte(data, "lengths")?;
            let mut long = |dumper: &mut Self, few: u8, name| -> Result<u64> {
                match few {
                    15 => Ok(dumper.number(data, name)?.saturating_add(15)),
                    few => Ok(few.into()),
                }
            };
            let shared = long(dumper, lengths >> 4, "shared length")?;
            let rest = long(dumper, lengths & 15, "length of the rest")?;
            match usize::try_from(shared) {
                Ok(shared) if shared <= last.len() => last.truncate(shared),
                _ => {
                    let message = "the string begins as more of the one before than it has";
                    return Err(malformed(data, at, message));
                }
            }
            let bytes = data.clone().bytes(rest)?;
            last.extend_from_slice(bytes);
            dumper.text(data, "text", rest)?;
            dumper.known.push_string(&last);
            Ok(())
        })?;
        for string in presets {
            self.known.push_string(string.as_bytes());
        }
        Ok(())
    }

    fn affine(&mut self, input: &mut Reader<'_>, _: u64) -> Result<()> {
        match self.byte(input, "kind")? {
            affine::CONSTANT => self.signed(input, "constant"),
            affine::DIM | affine::SYMBOL => self.number(input, "position").map(drop),
            affine::LATER.. => {
                for _ in 0..self.count(input, "operands")? {
                    self.number(input, "operand, defined before")?;
                }
                self.counted_bytes(input, "data")
            }
            _ => {
                self.number(input, "left operand, before")?;
                self.number(input, "right operand, before").map(drop)
            }
        }
    }

    /// Describes the value of a resource.
    fn value(&mut self, input: &mut Reader<'_>) -> Result<()> {
        match self.byte(input, "value")? {
            resource::BLOB => self.reference(input, "data", "blob").map(drop),
            resource::STRING => self.counted_bytes(input, "string"),
            resource::LATER.. => self.counted_bytes(input, "data"),
            _ => Ok(()),
        }
    }

    fn entries(&mut self, input: &mut Reader<'_>) -> Result<()> {
        let mut runs = Vec::new();
        let mut total = 0u64;
        for _ in 0..self.count(input, "runs")? {
            let before = input.clone();
            let tag = input.u8()?;
            let name = fields::fields(tag).map_or("unknown", |(name, _)| name);
            let content = FieldContent::Reference("kind", tag.into(), name.as_bytes());
            self.tell(&before, input, "kind", content);
            let count = self.number(input, "count")?;
            total = total.saturating_add(count);
            runs.push((tag, count));
            if class_of(tag) == Class::Attribute {
                self.known.attributes = self.known.attributes.saturating_add(count);
            }
        }
        let len = self.number(input, "length of the table")?;
        let blocks = total.div_ceil(BLOCK as u64).saturating_sub(1);
        let offsets = blocks.saturating_mul(offset_width(len));
        self.bytes(input, "offsets of blocks", offsets)?;
        let mut data = input.sub_reader(len, input.section())?;
        let mut numbers = [0u64; 3];
        for (tag, count) in runs {
            let Some((name, fields)) = fields::fields(tag) else {
                let message = format!("no entry is of the kind {tag}");
                return Err(malformed(&data, data.offset(), message));
            };
            for _ in 0..count {
                let class = class_of(tag);
                let number = numbers.get_mut(class as usize).map(|number| {
                    let this = *number;
                    *number = number.saturating_add(1);
                    this
                });
                self.enter(&data, DumpPart::Entry(name, number.unwrap_or_default()));
                if class == Class::Type {
                    let at = data.offset();
                    let bytes = fields::fixed_bytes(&data, at, tag, data.clone());
                    self.known.number_bytes.push(bytes.unwrap_or(u64::MAX));
                }
                fields::walk(&mut data, fields, self)?;
                self.leave(&data);
            }
        }
        data.expect_end()
    }

    fn list(&mut self, input: &mut Reader<'_>, _: u64) -> Result<()> {
        let count = self.count(input, "types")?;
        self.known.lists.push(count);
        (0..count).try_for_each(|_| self.reference(input, "type", "type").map(drop))
    }

    fn signature(&mut self, input: &mut Reader<'_>, _: u64) -> Result<()> {
        let mut fields = SignatureFields {
            dumper: self,
            signature: Signature::default(),
        };
        let flags = read_signature(input, &mut fields)?;
        let mut signature = fields.signature;
        let other = flags & flag::OTHER_PROPERTIES != 0;
        signature.values = signature.values.saturating_add(other.into());
        signature.inline = flags & flag::INLINE != 0;
        signature.is_extended = flags & flag::EXTENDED_OPERATIONS != 0;
        self.known.signatures.push(signature);
        Ok(())
    }

    fn template(&mut self, input: &mut Reader<'_>, _: u64) -> Result<()> {
        let at = input.offset();
        let number = self.reference(input, "signature", "signature")?;
        self.known.templates.push(number);
        let Some(signature) = item(&self.known.signatures, number) else {
            return Err(malformed(
                input,
                at,
                format!("signature #{number} is not there"),
            ));
        };
        for _ in 0..signature.results {
            let before = input.clone();
            let ty = input.varint()?;
            match ty.checked_sub(2) {
                Some(ty) => self.refer(&before, input, "type of a result", "type", ty),
                None => {
                    let content = FieldContent::Reference("operand", ty, b"");
                    self.tell(&before, input, "type of a result, that of", content);
                }
            }
        }
        if !signature.inline {
            self.values(input, signature.values)?;
        }
        Ok(())
    }

    /// Describes a list of extensions.
    fn extensions(&mut self, input: &mut Reader<'_>) -> Result<()> {
        for _ in 0..self.count(input, "extensions")? {
            self.number(input, "key of an extension")?;
            self.counted_bytes(input, "extension")?;
        }
        Ok(())
    }

    fn values(&mut self, input: &mut Reader<'_>, count: u64) -> Result<()> {
        (0..count).try_for_each(|_| self.reference(input, "value", "attribute").map(drop))
    }

    fn operations(&mut self, input: &mut Reader<'_>) -> Result<()> {
        for name in ["operations", "regions", "blocks", "values", "operands"] {
            self.number(input, name)?;
        }
        let mut stack: Vec<Frame> = Vec::new();
        self.operation(input, &mut stack)?;
        while let Some(frame) = stack.last_mut() {
            if let Some(left) = frame.operations.checked_sub(1) {
                frame.operations = left;
                self.operation(input, &mut stack)?;
                continue;
            }
            if let Some(left) = frame.chunks.checked_sub(1) {
                frame.chunks = left;
                frame.operations = self.number(input, "operations of the chunk")?;
                continue;
            }
            if std::mem::take(&mut frame.in_block) {
                self.leave(input);
                continue;
            }
            if frame.block < frame.blocks {
                let is_first = frame.block == 0;
                self.enter(input, DumpPart::Block(frame.block));
                if frame.is_extended {
                    self.extensions(input)?;
                }
                frame.block = frame.block.saturating_add(1);
                frame.in_block = true;
                match (is_first, frame.has_arguments) {
                    (true, false) => {}
                    (true, true) => {
                        self.reference(input, "arguments", "type list")?;
                    }
                    (false, _) => {
                        self.optional(input, "arguments", "type list")?;
                    }
                }
                match frame.has_chunks {
                    false => frame.operations = self.number(input, "operations")?,
                    true => frame.chunks = self.number(input, "chunks")?,
                }
                continue;
            }
            if std::mem::take(&mut frame.in_region) {
                self.leave(input);
                continue;
            }
            if frame.region < frame.regions {
                self.enter(input, DumpPart::Region(frame.region));
                frame.region = frame.region.saturating_add(1);
                frame.in_region = true;
                let before = input.clone();
                let head = input.varint()?;
                let blocks = head >> region_flag::SHIFT;
                frame.has_arguments = head & region_flag::ARGUMENTS != 0;
                frame.has_chunks = head & region_flag::CHUNKED != 0;
                frame.is_extended = head & region_flag::EXTENDED != 0;
                let name = match (frame.has_arguments, frame.has_chunks) {
                    (false, false) => "blocks",
                    (true, false) => "blocks, the first with arguments",
                    (false, true) => "blocks with chunks",
                    (true, true) => "blocks with chunks, the first with arguments",
                };
                self.tell(&before, input, name, FieldContent::Unsigned(blocks));
                (frame.blocks, frame.block) = (blocks, 0);
                if frame.is_extended {
                    self.extensions(input)?;
                }
                continue;
            }
            stack.pop();
            self.leave(input);
        }
        Ok(())
    }

    /// Describes an operation up to its regions, and leaves it if it has none.
    fn operation(&mut self, input: &mut Reader<'_>, stack: &mut Vec<Frame>) -> Result<()> {
        let at = input.offset();
        let number = input.clone().varint()?;
        let name = self.known.template_name(number).to_vec();
        let dot = name.iter().position(|&byte| byte == b'.');
        let (dialect, rest) = match dot {
            Some(dot) => (
                name.get(..dot).unwrap_or_default(),
                name.get(dot.saturating_add(1)..).unwrap_or_default(),
            ),
            None => (name.as_slice(), &[][..]),
        };
        self.enter(
            input,
            DumpPart::Operation {
                dialect,
                name: rest,
            },
        );
        self.reference(input, "template", "template")?;
        let Some(signature) = self.known.signature_of(number) else {
            return Err(malformed(
                input,
                at,
                format!("template #{number} is not there"),
            ));
        };
        for _ in 0..signature.operands {
            if self.number(input, "operand, defined before")? == 0 {
                self.number(input, "operand, defined after")?;
            }
        }
        if signature.inline {
            self.values(input, signature.values)?;
        }
        for _ in 0..signature.successors {
            self.reference(input, "successor", "block")?;
        }
        if signature.is_extended {
            self.extensions(input)?;
        }
        if signature.regions == 0 {
            self.leave(input);
            return Ok(());
        }
        stack.push(Frame {
            regions: signature.regions,
            region: 0,
            blocks: 0,
            block: 0,
            operations: 0,
            has_arguments: false,
            chunks: 0,
            is_extended: false,
            has_chunks: false,
            in_block: false,
            in_region: false,
        });
        Ok(())
    }

    fn location(&mut self, input: &mut Reader<'_>) -> Result<()> {
        let before = input.clone();
        let number = input.varint()?;
        let Some(layout) = LocationCode::of(number) else {
            return Err(malformed(input, before.offset(), "no code of a location"));
        };
        if layout.has_distance() {
            let moved = number.saturating_sub(code::MOVES);
            let content = FieldContent::Signed(unzigzag(moved / code::KINDS));
            self.tell(&before, input, layout.title, content);
        } else {
            let content = FieldContent::Text(layout.title.as_bytes());
            self.tell(&before, input, "location", content);
        }
        for field in layout.fields {
            match field.kind {
                Kind::String => self.reference(input, field.title, "string").map(drop)?,
                Kind::Signed => self.signed(input, field.title)?,
                Kind::Bytes => self.counted_bytes(input, field.title)?,
                _ => self.number(input, field.title).map(drop)?,
            }
        }
        Ok(())
    }

    fn index(&mut self, input: &mut Reader<'_>) -> Result<()> {
        self.table(input, "chunk", None, |dumper, data, _| {
            dumper.number(data, "offset")?;
            dumper.number(data, "offset of locations")?;
            dumper.number(data, "nested in the chunk before by")?;
            dumper.number(data, "chunks nested in it").map(drop)
        })?;
        self.table(input, "name", None, |dumper, data, _| {
            loop {
                let before = data.clone();
                let code = data.varint()?;
                let content = FieldContent::Flagged(code >> 1, code & 1 == 1);
                dumper.tell(&before, data, "chunk, and whether more follow", content);
                if code & 1 == 0 {
                    return Ok(());
                }
            }
        })?;
        self.table(input, "references of a chunk", None, |dumper, data, _| {
            let len = dumper.number(data, "length")?;
            let mut symbols = data.sub_reader(len, data.section())?;
            while !symbols.is_empty() {
                dumper.number(&mut symbols, "offset of the symbol")?;
                let mut next = 0u64;
                for _ in 0..dumper.count(&mut symbols, "references")? {
                    let before = symbols.clone();
                    let number = next.saturating_add(symbols.varint()?);
                    next = number.saturating_add(1);
                    dumper.refer(&before, &symbols, "reference", "attribute", number);
                }
            }
            Ok(())
        })
    }

    fn provenance(&mut self, input: &mut Reader<'_>) -> Result<()> {
        self.optional(input, "producer", "string")?;
        self.optional(input, "version of upstream's bytecode", "version")?;
        for _ in 0..self.count(input, "versions of dialects")? {
            self.reference(input, "dialect", "string")?;
            self.counted_bytes(input, "version")?;
        }
        if self.number(input, "why layouts are known")? > 0 {
            for _ in 0..self.count(input, "releases")? {
                let before = input.clone();
                match input.varint()?.checked_sub(1) {
                    Some(number) => {
                        let string = preset::get(number).unwrap_or_default();
                        let content =
                            FieldContent::Reference("preset string", number, string.as_bytes());
                        self.tell(&before, input, "release", content);
                    }
                    None => {
                        self.tell(&before, input, "release", FieldContent::Unsigned(0));
                        self.counted_bytes(input, "release")?;
                    }
                }
            }
        }
        let listed = self.optional(input, "operations that are listed", "count")?;
        for _ in 0..listed.unwrap_or_default() {
            let before = input.clone();
            let number = input.varint()? / registered_operation::KINDS;
            self.refer(&before, input, "operation and kind", "string", number);
        }
        for _ in 0..self.count(input, "encoded dialects")? {
            self.reference(input, "dialect", "string")?;
        }
        for _ in 0..self.count(input, "declared resources")? {
            self.reference(input, "resource", "resource")?;
        }
        for _ in 0..self.count(input, "groups of external resources")? {
            self.reference(input, "group", "string")?;
            for _ in 0..self.count(input, "resources")? {
                self.reference(input, "key", "string")?;
                self.value(input)?;
            }
        }
        Ok(())
    }

    fn named(&mut self, input: &mut Reader<'_>, _: u64) -> Result<()> {
        self.number(input, "number")?;
        self.reference(input, "name", "string").map(drop)
    }

    /// Describes segment and number of a value or block.
    fn numbered(&mut self, input: &mut Reader<'_>, place: u64) -> Result<()> {
        if place.is_multiple_of(BLOCK as u64) {
            self.number(input, "segment")?;
            return self.number(input, "number").map(drop);
        }
        let before = input.clone();
        let code = input.varint()?;
        match code & 1 {
            0 => self.tell(
                &before,
                input,
                "numbers skipped",
                FieldContent::Unsigned(code >> 1),
            ),
            _ => {
                let content = FieldContent::Unsigned(code >> 1);
                self.tell(&before, input, "segments further", content);
                self.number(input, "number")?;
            }
        }
        Ok(())
    }

    fn named_in(&mut self, input: &mut Reader<'_>, place: u64) -> Result<()> {
        self.numbered(input, place)?;
        self.reference(input, "name", "string").map(drop)
    }

    fn order(&mut self, input: &mut Reader<'_>, place: u64) -> Result<()> {
        self.numbered(input, place)?;
        for _ in 0..self.count(input, "uses")? {
            self.number(input, "place")?;
        }
        Ok(())
    }

    fn blobs(&mut self, input: &mut Reader<'_>) -> Result<()> {
        for (number, (alignment, len)) in (0..).zip(std::mem::take(&mut self.known.blobs)) {
            let mask = alignment.wrapping_sub(1);
            let padding = (input.position() as u64).wrapping_neg() & mask;
            self.bytes(input, "padding", padding)?;
            self.enter(input, DumpPart::Entry("blob", number));
            self.bytes(input, "data", len)?;
            self.leave(input);
        }
        Ok(())
    }
}

impl Sink for Dumper<'_> {
    fn part(
        &mut self,
        name: &'static str,
        kind: Kind,
        value: Option<u64>,
        before: &Reader<'_>,
        after: &Reader<'_>,
    ) -> Result<()> {
        let what = match kind {
            Kind::String => "string",
            Kind::Type => "type",
            Kind::Attribute => "attribute",
            Kind::Location => "location",
            Kind::Affine => "affine expression",
            Kind::Resource => "resource",
            Kind::Blob => "blob",
            _ => "",
        };
        let len = after.position().saturating_sub(before.position());
        let bytes = before.peek_rest().get(..len).unwrap_or_default();
        match (value, kind) {
            (Some(value), Kind::Signed) => {
                self.tell(before, after, name, FieldContent::Signed(unzigzag(value)));
            }
            (Some(value), _) if what.is_empty() => {
                self.tell(before, after, name, FieldContent::Unsigned(value));
            }
            (Some(value), _) => self.refer(before, after, name, what, value),
            (None, Kind::Bytes) if name == "body" => {
                let mut input = before.clone();
                let len = input.varint()?;
                let text = fragments::decode(&mut input, len, true, &mut |_, _, each| {
                    each(b"");
                    Ok(())
                })?;
                self.tell(before, after, name, FieldContent::Text(&text));
            }
            (None, Kind::Bytes | Kind::Fixed) => {
                if !bytes.is_empty() {
                    self.tell(before, after, name, FieldContent::Bytes(bytes));
                }
            }
            (None, _) => self.tell(before, after, name, FieldContent::Text(b"nothing")),
        }
        Ok(())
    }

    fn fixed_bytes(&mut self, input: &Reader<'_>, at: u64, ty: u64) -> Result<u64> {
        match item(&self.known.number_bytes, ty) {
            Some(bytes) if bytes != u64::MAX => Ok(bytes),
            _ => Err(malformed(input, at, "a number needs a type of numbers")),
        }
    }
}
