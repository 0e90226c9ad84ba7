//! The tables that operations refer to, except types and attributes.

use super::external::Resolver;
use super::lazy_entries::LazyEntries;
use super::table_views::TableViews;
use crate::lookup::{get, lookup, malformed, placed};
use rmlir_format::rmbc::table::offset_width;
use rmlir_format::rmbc::{BLOCK, BlobCode, affine, is_external_path, preset, resource, section};
use rmlir_format::{Budget, Error, ErrorKind, Limits, Reader, Result, ResultExt};
use rmlir_ir::affine::{AffineExpr, AffineExprKind};
use rmlir_ir::{
    Attribute, Blob, Context, Identifier, Location, NamedAttribute, OperationName, Resource,
    ResourceEntry, ResourceValue, Type,
};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The maximum capacity reserved at once for items that are only announced.
const MOST_RESERVED: usize = 1 << 16;

/// The number of a small entry's own bytes that pay for work on a shared large one.
pub(super) const FREE_WORK: u64 = 8;

/// Resolves the numbers in a file to strings, entries and resources.
pub(super) struct Tables<'c> {
    pub(super) context: &'c mut Context,
    strings: Vec<Identifier>,
    /// By the number of the string: the attribute that it denotes, and the operation's name, once
    /// used.
    string_attributes: Vec<Option<Attribute>>,
    names: Vec<Option<OperationName>>,
    affine: Vec<AffineExpr>,
    resources: Vec<Resource>,
    pub(super) types: Slots<Type>,
    pub(super) attributes: Slots<Attribute>,
    pub(super) locations: Slots<Location>,
    /// The total number of attributes; from there on, numbers are those of strings.
    pub(super) attribute_count: u64,
    pub(super) blobs: Blobs,
    pub(super) max_depth: u64,
    pub(super) max_values: u64,
    /// Bounds the work that small entries cause on large ones.
    pub(super) budget: Budget,
    /// Whether the file names the dictionary, so that bodies may have
    /// [`fragments`](rmlir_format::rmbc::fragments).
    pub(super) has_dictionary: bool,
    /// The locations of tables that are read only as far as they are used; `None` if all is read
    /// first.
    pub(super) part: Option<Box<LazyEntries>>,
    /// A reused buffer for the dictionary that is being read.
    pub(super) entries: Vec<NamedAttribute>,
}

/// Types, attributes or locations by number.
pub(super) struct Slots<T> {
    items: Vec<T>,
    /// The nesting depth of each.
    depths: Vec<u32>,
    /// The items read of a table that is not read whole.
    some: HashMap<u64, (T, u32)>,
    /// The number of the next item to be read, unless it follows all others.
    next: Option<u64>,
}

impl<T: Copy> Slots<T> {
    fn new() -> Self {
        Slots {
            items: Vec::new(),
            depths: Vec::new(),
            some: HashMap::new(),
            next: None,
        }
    }

    /// Returns the number of items, if all were read.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    #[inline]
    pub(super) fn get(&self, number: u64) -> Option<T> {
        let item = usize::try_from(number).ok();
        match item.and_then(|number| self.items.get(number)) {
            Some(&item) => Some(item),
            None => self.get_of_some(number),
        }
    }

    #[cold]
    fn get_of_some(&self, number: u64) -> Option<T> {
        self.some.get(&number).map(|&(item, _)| item)
    }

    /// Returns the nesting depth of an item.
    pub(super) fn depth(&self, number: u64) -> u32 {
        let known = get(&self.depths, number);
        known
            .or_else(|| self.some.get(&number).map(|&(_, depth)| depth))
            .unwrap_or_default()
    }

    /// Sets the number of the next item.
    pub(super) fn expect(&mut self, number: u64) {
        self.next = Some(number);
    }

    pub(super) fn push(&mut self, item: T, depth: u32) {
        match self.next.take() {
            Some(number) => drop(self.some.insert(number, (item, depth))),
            None => {
                self.items.push(item);
                self.depths.push(depth);
            }
        }
    }

    /// Returns the items read so far, with their numbers.
    pub(super) fn known(&self) -> impl Iterator<Item = (u64, T)> {
        let some = self.some.iter().map(|(&number, &(item, _))| (number, item));
        (0..).zip(self.items.iter().copied()).chain(some)
    }
}

impl<'c> Tables<'c> {
    pub(super) fn new(
        context: &'c mut Context,
        blobs: Blobs,
        limits: &Limits,
        (budget, has_dictionary): (Budget, bool),
    ) -> Self {
        rmlir_text::register(context);
        Tables {
            context,
            strings: Vec::new(),
            string_attributes: Vec::new(),
            names: Vec::new(),
            affine: Vec::new(),
            resources: Vec::new(),
            types: Slots::new(),
            attributes: Slots::new(),
            locations: Slots::new(),
            attribute_count: 0,
            blobs,
            max_depth: limits.max_depth,
            max_values: limits.max_values_per_op,
            budget,
            has_dictionary,
            part: None,
            entries: Vec::new(),
        }
    }

    pub(super) fn read_strings(&mut self, mut input: Reader<'_>) -> Result<()> {
        let preset = read_preset(&mut input, self.has_dictionary)?;
        let at = input.offset();
        let (count, symbols) = (input.varint()?, input.varint()?);
        if symbols > count {
            let message = format!("{symbols} of {count} strings are names of symbols");
            return Err(malformed(&input, at, message));
        }
        let (mut data, mut offsets) = table_data(&mut input, count)?;
        input.expect_end()?;
        // Each takes at least one byte.
        let most = data.remaining().min(MOST_RESERVED);
        let reserved = usize::try_from(count).unwrap_or(most).min(most);
        self.context.reserve_identifiers(reserved);
        self.strings.reserve(reserved);
        // Only strings that share bytes with the preceding one are assembled; the others are slices
        // of the data.
        let mut joined = Vec::new();
        let mut before: Option<Identifier> = None;
        for number in 0..count {
            let begins = offsets.begin(number, &data)?;
            let at = data.offset();
            let (shared, rest) = string_parts(&mut data)?;
            let last = before.map_or(&[][..], |before| self.context.bytes(before));
            let string = if shared == 0 {
                rest
            } else {
                let known = if begins { &[][..] } else { last };
                let prefix = shared_prefix(&data, at, known, shared)?;
                let spent = self.budget.spend(shared / SHARED_BYTES);
                placed(&data, at, spent)?;
                joined.clear();
                joined.extend_from_slice(prefix);
                joined.extend_from_slice(rest);
                joined.as_slice()
            };
            // The names of symbols ascend, and so do the other strings.
            if number > 0 && number != symbols && string <= last {
                return Err(malformed(&data, at, "strings do not ascend"));
            }
            let string = self.context.identifier(string);
            before = Some(string);
            self.strings.push(string);
        }
        data.expect_end()?;
        for number in preset {
            let string = preset::get(number).unwrap_or_default();
            self.strings.push(self.context.identifier(string));
        }
        self.string_attributes = vec![None; self.strings.len()];
        self.names = vec![None; self.strings.len()];
        Ok(())
    }

    /// Returns the strings by number.
    pub(super) fn strings(&self) -> &[Identifier] {
        &self.strings
    }

    /// Checks that a name of a dictionary precedes another. Comparing two long ones is charged to
    /// the budget.
    pub(super) fn check_ascending(
        &mut self,
        input: &Reader<'_>,
        at: u64,
        before: Identifier,
        name: Identifier,
    ) -> Result<()> {
        let (a, b) = (self.context.bytes(before), self.context.bytes(name));
        let ascending = a < b;
        let work = a.len().min(b.len()) as u64 / FREE_WORK;
        let spent = self.budget.spend(work);
        placed(input, at, spent)?;
        match ascending {
            true => Ok(()),
            false => Err(malformed(
                input,
                at,
                "the names of a dictionary do not ascend",
            )),
        }
    }

    /// Returns the operation name with the number of a string.
    pub(super) fn operation_name(
        &mut self,
        input: &Reader<'_>,
        at: u64,
        number: u64,
    ) -> Result<OperationName> {
        let string = self.string_at(input, at, number)?;
        let slot = usize::try_from(number).ok();
        if let Some(Some(Some(name))) = slot.map(|number| self.names.get(number)) {
            return Ok(*name);
        }
        let bytes = self.context.bytes(string).to_vec();
        OperationName::check(&bytes)
            .map_err(|invalid| malformed(input, at, invalid.message().to_owned()))?;
        let name = self.context.operation_name(bytes);
        if let Some(slot) = slot.and_then(|number| self.names.get_mut(number)) {
            *slot = Some(name);
        }
        Ok(name)
    }

    /// Returns the attribute with a number: an entry or, after these, a string.
    #[inline]
    pub(super) fn attribute(
        &mut self,
        input: &Reader<'_>,
        at: u64,
        number: u64,
    ) -> Result<Attribute> {
        match number.checked_sub(self.attribute_count) {
            None => match self.attributes.get(number) {
                Some(attribute) => Ok(attribute),
                None => self.missing_attribute(input, at, number),
            },
            Some(number) => self.string_attribute(input, at, number),
        }
    }

    fn string_attribute(&mut self, input: &Reader<'_>, at: u64, number: u64) -> Result<Attribute> {
        let string = self.string_at(input, at, number)?;
        let slot = usize::try_from(number).ok();
        let slot = slot.and_then(|number| self.string_attributes.get_mut(number));
        match slot {
            Some(Some(attribute)) => Ok(*attribute),
            Some(slot) => Ok(*slot.insert(self.context.string_attribute_of(string))),
            None => Ok(self.context.string_attribute_of(string)),
        }
    }

    pub(super) fn read_affine(&mut self, mut input: Reader<'_>) -> Result<()> {
        let (count, mut data, mut offsets) = table(&mut input)?;
        input.expect_end()?;
        self.affine = Vec::with_capacity(count.min(MOST_RESERVED));
        for number in 0..count {
            offsets.begin(number as u64, &data)?;
            let at = data.offset();
            let kind = self.affine_kind(&mut data)?;
            let expr = self.context.affine_mut().intern(kind);
            self.affine
                .push(expr.map_err(|error| malformed(&data, at, error.to_string()))?);
        }
        data.expect_end()
    }

    fn affine_kind(&self, input: &mut Reader<'_>) -> Result<AffineExprKind> {
        let at = input.offset();
        let make: fn(AffineExpr, AffineExpr) -> AffineExprKind = match input.u8()? {
            affine::CONSTANT => return Ok(AffineExprKind::Constant(input.signed_varint()?)),
            affine::DIM => return Ok(AffineExprKind::Dim(input.varint_u32()?)),
            affine::SYMBOL => return Ok(AffineExprKind::Symbol(input.varint_u32()?)),
            affine::ADD => AffineExprKind::Add,
            affine::MUL => AffineExprKind::Mul,
            affine::MOD => AffineExprKind::Mod,
            affine::FLOOR_DIV => AffineExprKind::FloorDiv,
            affine::CEIL_DIV => AffineExprKind::CeilDiv,
            affine::LATER.. => {
                let message = "an affine expression is of a later version";
                return Err(input.error(ErrorKind::Unsupported, message).with_offset(at));
            }
            tag => {
                let message = format!("no affine expression begins with the byte {tag}");
                return Err(malformed(input, at, message));
            }
        };
        let mut operand = || {
            let at = input.offset();
            let back = input.varint()?;
            let number = (self.affine.len() as u64).checked_sub(back);
            let expr = number.and_then(|number| get(&self.affine, number));
            expr.ok_or_else(|| {
                let message = format!("the affine expression {back} before this one is not there");
                malformed(input, at, message)
            })
        };
        Ok(make(operand()?, operand()?))
    }

    pub(super) fn read_resources(&mut self, mut input: Reader<'_>) -> Result<()> {
        let count = input.count(3)?;
        self.resources = Vec::with_capacity(count.min(MOST_RESERVED));
        for _ in 0..count {
            let resource = self.read_resource(&mut input)?;
            self.resources.push(resource);
        }
        input.expect_end()
    }

    /// Reads a resource, and adds it to the context.
    pub(super) fn read_resource(&mut self, input: &mut Reader<'_>) -> Result<Resource> {
        let (dialect, key) = (self.string(input)?, self.string(input)?);
        let at = input.offset();
        let value = self.resource_value(input)?;
        let is_blob = matches!(value, None | Some(ResourceValue::Blob(_)));
        if dialect == self.context.builtin_namespace() && !is_blob {
            let message = "a resource of the builtin dialect is not a blob";
            return Err(malformed(input, at, message));
        }
        Ok(self.context.add_resource(ResourceEntry {
            dialect,
            key,
            value,
        }))
    }

    /// Reads the value of a resource. A string is spelled out and never shared, so it is paid for.
    pub(super) fn resource_value(
        &mut self,
        input: &mut Reader<'_>,
    ) -> Result<Option<ResourceValue>> {
        let at = input.offset();
        Ok(Some(match input.u8()? {
            resource::NONE => return Ok(None),
            resource::BLOB => {
                let at = input.offset();
                let number = input.varint()?;
                ResourceValue::Blob(self.blob(input, at, number)?)
            }
            resource::STRING => ResourceValue::String(bytes(input)?.into()),
            resource::FALSE => ResourceValue::Bool(false),
            resource::TRUE => ResourceValue::Bool(true),
            resource::LATER.. => {
                let message = "the value of a resource is of a later version";
                return Err(input.error(ErrorKind::Unsupported, message).with_offset(at));
            }
            tag => {
                let message = format!("no value of a resource begins with the byte {tag}");
                return Err(malformed(input, at, message));
            }
        }))
    }

    /// Returns the blob with a number. Two values cannot share one: a small file could denote much
    /// data.
    pub(super) fn blob(&mut self, input: &Reader<'_>, at: u64, number: u64) -> Result<Blob> {
        self.need_blobs()?;
        let slot = usize::try_from(number).unwrap_or(usize::MAX);
        match self.blobs.get(slot)? {
            Some(blob) if self.part.is_some() || self.blobs.take(slot) => Ok(blob),
            Some(_) => Err(malformed(
                input,
                at,
                format!("blob #{number} is used twice"),
            )),
            None => Err(malformed(input, at, format!("blob #{number} is not there"))),
        }
    }

    /// Reads the number of a string, and returns the string.
    #[inline]
    pub(super) fn string(&mut self, input: &mut Reader<'_>) -> Result<Identifier> {
        let at = input.offset();
        let number = input.varint()?;
        self.string_at(input, at, number)
    }

    /// Returns the string with a number.
    #[inline]
    pub(super) fn string_at(
        &mut self,
        input: &Reader<'_>,
        at: u64,
        number: u64,
    ) -> Result<Identifier> {
        match get(&self.strings, number) {
            Some(string) => Ok(string),
            None => self.missing_string(input, at, number),
        }
    }

    /// Returns the type with a number.
    #[inline]
    pub(super) fn ty(&mut self, input: &Reader<'_>, at: u64, number: u64) -> Result<Type> {
        match self.types.get(number) {
            Some(ty) => Ok(ty),
            None => self.missing_type(input, at, number),
        }
    }

    /// Returns the location with a number.
    #[inline]
    pub(super) fn location(
        &mut self,
        input: &Reader<'_>,
        at: u64,
        number: u64,
    ) -> Result<Location> {
        match self.locations.get(number) {
            Some(location) => Ok(location),
            None => self.missing_location(input, at, number),
        }
    }

    /// Returns the resource with a number.
    pub(super) fn resource(
        &mut self,
        input: &Reader<'_>,
        at: u64,
        number: u64,
    ) -> Result<Resource> {
        match get(&self.resources, number) {
            Some(resource) => Ok(resource),
            None => self.missing_resource(input, at, number),
        }
    }

    /// Returns the affine expression with a number.
    pub(super) fn affine_expr(
        &mut self,
        input: &Reader<'_>,
        at: u64,
        number: u64,
    ) -> Result<AffineExpr> {
        self.need_affine()?;
        lookup(input, at, "affine expression", &self.affine, number)
    }

    /// Returns the error for a number that does not exist, or that does not precede what refers to
    /// it.
    #[cold]
    pub(super) fn absent(
        &self,
        input: &Reader<'_>,
        at: u64,
        what: &'static str,
        number: u64,
    ) -> rmlir_format::Error {
        let before = match what {
            "type" => self.types.len(),
            "attribute" => self.attributes.len(),
            "location" => self.locations.len(),
            _ => self.strings.len(),
        };
        malformed(
            input,
            at,
            format!("{what} #{number} is not there: {before} come before"),
        )
    }
}

/// Reads the numbers of preset strings.
pub(super) fn read_preset(input: &mut Reader<'_>, has_dictionary: bool) -> Result<Vec<u64>> {
    let mut next = 0u64;
    let mut preset = Vec::new();
    for _ in 0..input.count(1)? {
        let at = input.offset();
        if !has_dictionary {
            let message = "there are preset strings, and the file names no dictionary";
            return Err(malformed(input, at, message));
        }
        let number = next.saturating_add(input.varint()?);
        next = number.saturating_add(1);
        if preset::get(number).is_none() {
            let message = format!("there is no preset string {number}");
            return Err(malformed(input, at, message));
        }
        preset.push(number);
    }
    Ok(preset)
}

/// Locates the blobs of a file.
#[derive(Default)]
pub(super) struct Blobs {
    list: Vec<BlobPlace>,
    bytes: BlobBytes,
    external: Option<Resolver>,
    /// Whether each blob was used.
    used: Vec<bool>,
}

/// The location of a blob.
struct BlobPlace {
    /// Its range in the content of their section, or in another file.
    range: Range<u64>,
    /// The range between the preceding blob and this one in the section's content; the bytes are
    /// zero.
    padding: Range<u64>,
    /// The requested alignment.
    asked: u32,
    external: Option<ExternalBlob>,
    /// The offset of its record.
    at: u64,
}

/// A blob in another file.
struct ExternalBlob {
    path: String,
    hash: [u8; 32],
}

/// The source of the bytes of blobs.
#[derive(Default)]
pub(super) enum BlobBytes {
    #[default]
    None,
    /// An owner of bytes that has the section at an offset.
    Owner(Arc<dyn AsRef<[u8]> + Send + Sync>, u64),
    /// Bytes of a file that are shared, or read when they are requested.
    TableViews(Arc<TableViews>),
}

impl Blobs {
    /// Reads the list of blobs, whose section has `len` bytes.
    pub(super) fn read(
        mut input: Reader<'_>,
        bytes: BlobBytes,
        len: u64,
        external: Option<Resolver>,
    ) -> Result<Self> {
        let count = input.count(2)?;
        let mut list = Vec::with_capacity(count.min(MOST_RESERVED));
        let mut end = 0u64;
        for _ in 0..count {
            let at = input.offset();
            let code = input.varint()?;
            let size = input.varint()?;
            let blob = BlobCode::of(code, size);
            let blob = blob.map_err(|message| malformed(&input, at, message))?;
            let asked = blob.asked;
            if blob.is_external {
                list.push(external_place(&mut input, at, asked, size)?);
                continue;
            }
            let mask = u64::from(blob.alignment(size)).wrapping_sub(1);
            let before = end;
            let start = before.saturating_add(mask) & !mask;
            end = start.saturating_add(size);
            if end > len {
                let message = format!("the blob ends at byte {end} of a section of {len}");
                return Err(malformed(&input, at, message));
            }
            list.push(BlobPlace {
                range: start..end,
                padding: before..start,
                asked,
                external: None,
                at,
            });
        }
        input.expect_end()?;
        if end != len {
            let message = format!("the blobs end at byte {end} of a section of {len}");
            return Err(malformed(&input, input.offset(), message));
        }
        let blobs = Blobs {
            used: vec![false; list.len()],
            list,
            bytes,
            external,
        };
        // A reader of parts checks the padding only before the blobs that it reads.
        if !matches!(blobs.bytes, BlobBytes::TableViews(_)) {
            blobs.check_padding()?;
        }
        Ok(blobs)
    }

    /// Checks that all bytes between blobs are zero.
    pub(super) fn check_padding(&self) -> Result<()> {
        self.list
            .iter()
            .try_for_each(|place| self.check_padding_of(place))
    }

    /// Checks that the bytes between a blob and the preceding one are zero. O(alignment), which is
    /// at most 4,096.
    fn check_padding_of(&self, place: &BlobPlace) -> Result<()> {
        let padding = &place.padding;
        if padding.is_empty() {
            return Ok(());
        }
        let (base, position) = match &self.bytes {
            BlobBytes::None => return Ok(()),
            BlobBytes::Owner(owner, base) => {
                let part = |at: u64| usize::try_from(base.saturating_add(at)).ok();
                let range = part(padding.start).zip(part(padding.end));
                let bytes = range.and_then(|(start, end)| (**owner).as_ref().get(start..end));
                let bytes = bytes.unwrap_or_default();
                (*base, bytes.iter().position(|&byte| byte != 0))
            }
            BlobBytes::TableViews(views) => {
                let Some(section) = views.store.section(section::BLOBS) else {
                    return Ok(());
                };
                let bytes = section.range(padding.clone())?;
                let position = bytes.iter().position(|&byte| byte != 0);
                (section.offset(), position)
            }
        };
        let Some(position) = position else {
            return Ok(());
        };
        let at = base
            .saturating_add(padding.start)
            .saturating_add(position as u64);
        let error = Error::at(ErrorKind::Malformed, at, "a byte between blobs is not zero");
        Err(error.with_section("blobs"))
    }

    /// Returns a blob; `None` if there are fewer.
    pub(super) fn get(&self, number: usize) -> Result<Option<Blob>> {
        let Some(place) = self.list.get(number) else {
            return Ok(None);
        };
        let (range, asked) = (&place.range, &place.asked);
        if let Some(external) = &place.external {
            return self.external(place, external).map(Some);
        }
        if range.is_empty() {
            // A section need not exist for empty blobs.
            return Ok(Some(Blob::from_vec(Vec::new(), *asked)));
        }
        if matches!(self.bytes, BlobBytes::TableViews(_)) {
            self.check_padding_of(place)?;
        }
        let (owner, base): (Arc<dyn AsRef<[u8]> + Send + Sync>, u64) = match &self.bytes {
            BlobBytes::None => return Ok(None),
            BlobBytes::Owner(owner, base) => (owner.clone(), *base),
            BlobBytes::TableViews(views) => {
                let Some(section) = views.store.section(section::BLOBS) else {
                    return Ok(None);
                };
                let shared = section.unverified(range.clone());
                let bytes = match shared {
                    Some(bytes) => bytes,
                    None => section.range(range.clone())?,
                };
                let len = bytes.len();
                return Ok(Some(Blob::new(Arc::new(bytes), 0..len, *asked)));
            }
        };
        let (start, end) = (
            base.saturating_add(range.start),
            base.saturating_add(range.end),
        );
        // Both lie in the slice that is read.
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        Ok(range.map(|(start, end)| Blob::new(owner, start..end, *asked)))
    }

    /// Returns a blob of another file, after checking its hash.
    fn external(&self, place: &BlobPlace, external: &ExternalBlob) -> Result<Blob> {
        let read = || {
            let Some(resolver) = &self.external else {
                let message = "the data of a blob is in another file, and no resolver of external files is set";
                return Err(Error::new(ErrorKind::InvalidRequest, message));
            };
            let bytes = resolver.0.read(&external.path, place.range.clone())?;
            let len = place.range.end.saturating_sub(place.range.start);
            if bytes.len() as u64 != len || rmlir_ir::hash::hash(&bytes) != external.hash {
                let message = "the data of a blob in another file is not what it was";
                return Err(Error::new(ErrorKind::Checksum, message));
            }
            let len = bytes.len();
            Ok(Blob::new(Arc::new(bytes), 0..len, place.asked))
        };
        read()
            .map_err(|error| error.with_offset(place.at).with_section("list of blobs"))
            .with_context(|| format!("reading '{}'", external.path))
    }

    /// Marks a blob as used; returns false if it was used before.
    fn take(&mut self, number: usize) -> bool {
        let used = self.used.get_mut(number);
        used.is_none_or(|used| !std::mem::replace(used, true))
    }
}

/// Reads the location of a blob in another file.
fn external_place(input: &mut Reader<'_>, at: u64, asked: u32, size: u64) -> Result<BlobPlace> {
    let path_at = input.offset();
    let path = bytes(input)?;
    let Some(path) = str::from_utf8(path).ok().filter(|_| is_external_path(path)) else {
        let message = format!(
            "'{}' is not a path of names relative to the file",
            path.escape_ascii()
        );
        return Err(malformed(input, path_at, message));
    };
    let offset = input.varint()?;
    let Some(end) = offset.checked_add(size) else {
        return Err(malformed(input, at, "the blob is too far from the start"));
    };
    Ok(BlobPlace {
        range: offset..end,
        padding: 0..0,
        asked,
        external: Some(ExternalBlob {
            path: path.to_owned(),
            hash: input.array()?,
        }),
        at,
    })
}

/// Reads a length and as many bytes.
#[inline]
pub(super) fn bytes<'a>(input: &mut Reader<'a>) -> Result<&'a [u8]> {
    let len = input.varint()?;
    input.bytes(len)
}

/// The offsets of the blocks of a table, except the first.
pub(super) struct Offsets<'a> {
    input: Reader<'a>,
    width: u64,
    /// The offset at which the data begins.
    start: u64,
}

impl Offsets<'_> {
    /// Returns whether the entry of that number begins a block. If so, checks that the block begins
    /// at the position of `data`.
    #[inline]
    pub(super) fn begin(&mut self, number: u64, data: &Reader<'_>) -> Result<bool> {
        if !number.is_multiple_of(BLOCK as u64) {
            return Ok(false);
        }
        if number > 0 {
            self.check(data)?;
        }
        Ok(true)
    }

    fn check(&mut self, data: &Reader<'_>) -> Result<()> {
        let at = self.input.offset();
        let bytes = self.input.bytes(self.width)?.iter().rev();
        let said = bytes.fold(0, |said, &byte| said << 8 | u64::from(byte));
        let is = data.offset().saturating_sub(self.start);
        if said != is {
            let message =
                format!("a block of the table begins at byte {is}, but its offset is {said}");
            return Err(malformed(&self.input, at, message));
        }
        Ok(())
    }
}

/// Reads the number of entries of a table, its data, and the offsets of blocks.
pub(super) fn table<'a>(input: &mut Reader<'a>) -> Result<(usize, Reader<'a>, Offsets<'a>)> {
    let at = input.offset();
    let count = input.varint()?;
    let (data, offsets) = table_data(input, count)?;
    let fits = usize::try_from(count).ok();
    // Each entry takes at least one byte.
    let Some(count) = fits.filter(|&count| count <= data.remaining()) else {
        let message = format!(
            "{count} entries are announced in {} bytes",
            data.remaining()
        );
        return Err(malformed(input, at, message));
    };
    Ok((count, data, offsets))
}

/// Returns the data of a table of `count` entries, and the offsets of blocks. Stored are the length
/// of the data, the offsets, and the data.
pub(super) fn table_data<'a>(
    input: &mut Reader<'a>,
    count: u64,
) -> Result<(Reader<'a>, Offsets<'a>)> {
    let len = input.varint()?;
    let blocks = count.div_ceil(BLOCK as u64).saturating_sub(1);
    let width = offset_width(len);
    let offsets = input.sub_reader(blocks.saturating_mul(width), input.section())?;
    let data = input.sub_reader(len, input.section())?;
    let offsets = Offsets {
        input: offsets,
        width,
        start: data.offset(),
    };
    Ok((data, offsets))
}

/// The number of bytes shared with the preceding string that count as one entity of the budget.
const SHARED_BYTES: u64 = 8;

/// Reads a string that shares its first bytes with `string`, the preceding one, and stores it
/// there.
pub(super) fn read_string(input: &mut Reader<'_>, string: &mut Vec<u8>) -> Result<()> {
    let at = input.offset();
    let (shared, rest) = string_parts(input)?;
    let shared = shared_prefix(input, at, string, shared)?.len();
    string.truncate(shared);
    string.extend_from_slice(rest);
    Ok(())
}

/// Reads the parts of a string: how many bytes it shares with the preceding one, and the others.
fn string_parts<'a>(input: &mut Reader<'a>) -> Result<(u64, &'a [u8])> {
    let lengths = input.u8()?;
    let mut long = |few: u8| -> Result<u64> {
        Ok(match few {
            15 => input.varint()?.saturating_add(15),
            few => few.into(),
        })
    };
    let (shared, rest) = (long(lengths >> 4)?, long(lengths & 15)?);
    Ok((shared, input.bytes(rest)?))
}

/// Returns the first `shared` bytes of the preceding string.
fn shared_prefix<'b>(
    input: &Reader<'_>,
    at: u64,
    before: &'b [u8],
    shared: u64,
) -> Result<&'b [u8]> {
    let prefix = usize::try_from(shared)
        .ok()
        .and_then(|len| before.get(..len));
    prefix.ok_or_else(|| {
        let len = before.len();
        let message =
            format!("the string begins as {shared} bytes of one before it that has {len}");
        malformed(input, at, message)
    })
}

/// Reads segment and number at the start of an entry of a table that
/// [`write_numbered`](rmlir_format::rmbc::table::write_numbered) began; they are greater than those
/// of the preceding entry. `before` has these, with the number plus one; `place` is the entry's
/// number.
pub(super) fn read_numbered(
    input: &mut Reader<'_>,
    place: usize,
    before: &mut (u64, u64),
) -> Result<(u64, u64)> {
    let at = input.offset();
    let code = input.varint()?;
    let (segment, number) = match (place.is_multiple_of(BLOCK), code & 1) {
        (true, _) => (code, input.varint()?),
        (false, 0) => (before.0, before.1.saturating_add(code >> 1)),
        (false, _) => (before.0.saturating_add(code >> 1), input.varint()?),
    };
    if (segment, number) < *before {
        let message = format!("the entry of #{number} of segment {segment} is not in order");
        return Err(malformed(input, at, message));
    }
    *before = (segment, number.saturating_add(1));
    Ok((segment, number))
}

/// Reads the number at the start of an entry of a table; it is greater than that of the preceding
/// entry, `next - 1`.
///
/// It is stored as a distance, or as itself where a block begins. `place` is the entry's number.
pub(super) fn read_ascending(input: &mut Reader<'_>, place: usize, next: u64) -> Result<u64> {
    let at = input.offset();
    let number = input.varint()?;
    if !place.is_multiple_of(BLOCK) {
        return Ok(next.saturating_add(number));
    }
    if number < next {
        let message = format!("the entry of {number} follows that of {next} or more");
        return Err(malformed(input, at, message));
    }
    Ok(number)
}
