//! Prints types, attributes and locations, with an explicit stack.

mod bodies;
mod children;

use super::alias::{AliasName, Aliases};
use super::output::Output;
use super::text_memo::TextMemo;
use super::{PrintError, PrintOptions, Result, dense};
use crate::entry_format::enclosed_members;
use bodies::is_pretty;
pub(crate) use bodies::{body_pieces, is_body_reference};
use rmlir_ir::definition::{Family, LlvmFeature};
use rmlir_ir::{
    Attribute, AttributeKind, BodyPiece, BodyReference, Context, DYNAMIC, DialectBody, Entry,
    Identifier, Location, LocationClasses, LocationKind, RangeForm, Resource, ResourceKeys,
    Signedness, Type, TypeKind,
};
use std::collections::{HashMap, HashSet};

/// A pending part of the output; the next one is on top of the stack.
#[derive(Clone, Copy)]
enum Work {
    /// An entry, through its alias if it has one.
    Entry(Entry),
    /// An element of an array, for which the types `i64` and `f64` are omitted.
    Element(Attribute),
    /// A location nested in another.
    Location(Location),
    /// The parts of an entry from this one on.
    Parts(Entry, usize),
    /// What a body refers to, not through an alias of its own.
    InFull(BodyReference),
    Text(&'static str),
}

/// Whether an attribute's type is printed after it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TypeSuffix {
    Always,
    /// `i64` and `f64` are omitted where the text reads back the same.
    Elided,
    Never,
}

/// Resources that were referred to.
pub(super) struct ReferredTo {
    list: Vec<Resource>,
    seen: HashSet<Resource>,
}

/// Prints entries; it keeps its buffers between calls.
pub(super) struct EntryStackPrinter<'c> {
    pub(super) context: &'c Context,
    options: &'c PrintOptions,
    keys: &'c ResourceKeys,
    stack: Vec<Work>,
    /// Resources that were referred to, in order of the first reference.
    pub(super) resources: Vec<Resource>,
    resources_seen: HashSet<Resource>,
    /// The numbers of distinct attributes, in order of printing.
    distincts: HashMap<Attribute, u64>,
    /// The classes of locations that were not encountered when aliases were assigned, if any.
    classes: Option<LocationClasses>,
    /// Whether this is a part of a text, in which content that depends on the print order is
    /// unknown.
    is_part: bool,
    /// How often a resource was referred to.
    references: usize,
    /// Whether members of an enumeration that are a whole attribute are in angle brackets.
    encloses_members: bool,
    /// The memoized texts, if many entries are printed.
    attribute_texts: TextMemo,
    type_texts: TextMemo,
}

impl<'c> EntryStackPrinter<'c> {
    pub(super) fn new(
        context: &'c Context,
        options: &'c PrintOptions,
        keys: &'c ResourceKeys,
    ) -> Self {
        let release = options.release.unwrap_or(context.release());
        EntryStackPrinter {
            context,
            options,
            keys,
            encloses_members: release.has(LlvmFeature::EnclosedMembers),
            stack: Vec::new(),
            resources: Vec::new(),
            resources_seen: HashSet::new(),
            distincts: HashMap::new(),
            classes: None,
            is_part: false,
            references: 0,
            attribute_texts: TextMemo::none(),
            type_texts: TextMemo::none(),
        }
    }

    /// Enables the memoization of texts, for the attributes, types and locations of about
    /// `operations` operations.
    pub(super) fn with_texts(mut self, operations: usize) -> Self {
        self.attribute_texts = TextMemo::new(self.context.attribute_count(), operations);
        self.type_texts = TextMemo::new(self.context.type_count(), operations);
        self
    }

    /// Begins a part of a text, up to [`end_part`](Self::end_part). Fails on content that depends
    /// on the preceding text.
    ///
    /// Returns the resources that were referred to before.
    pub(super) fn begin_part(&mut self) -> ReferredTo {
        self.is_part = true;
        ReferredTo {
            list: std::mem::take(&mut self.resources),
            seen: std::mem::take(&mut self.resources_seen),
        }
    }

    /// Resumes the text that preceded a part. Returns the resources that the part refers to, in
    /// order.
    pub(super) fn end_part(&mut self, before: ReferredTo) -> Vec<Resource> {
        self.is_part = false;
        self.resources_seen = before.seen;
        std::mem::replace(&mut self.resources, before.list)
    }

    /// Notes that a resource was referred to.
    pub(super) fn refer_to(&mut self, resource: Resource) {
        if self.resources_seen.insert(resource) {
            self.resources.push(resource);
        }
    }

    /// Prints an entry, through its alias if it has one.
    #[inline]
    pub(super) fn print(
        &mut self,
        entry: Entry,
        aliases: &Aliases,
        out: &mut Output<'_>,
    ) -> Result<()> {
        let (index, texts) = match entry {
            Entry::Attribute(attribute) => (attribute.index(), &mut self.attribute_texts),
            Entry::Type(ty) => (ty.index(), &mut self.type_texts),
            Entry::Location(_) => {
                self.entry(entry, aliases, out)?;
                return self.run(aliases, out);
            }
        };
        if let Some(text) = texts.get(index) {
            out.text(text);
            return Ok(());
        }
        let keep = texts.note(index);
        let (start, references) = (out.position(), self.references);
        self.entry(entry, aliases, out)?;
        self.run(aliases, out)?;
        // A memoized text does not record the resources that it refers to.
        if keep
            && self.references == references
            && let Some(text) = out.since(start)
        {
            match entry {
                Entry::Attribute(_) => self.attribute_texts.keep(index, text),
                _ => self.type_texts.keep(index, text),
            }
        }
        Ok(())
    }

    /// Prints an attribute of a dialect through its alias, or without the dialect's name and the
    /// first `skip` bytes of its body; an array of numbers in square brackets.
    pub(super) fn print_stripped(
        &mut self,
        attribute: Attribute,
        skip: usize,
        aliases: &Aliases,
        out: &mut Output<'_>,
    ) -> Result<()> {
        if print_attribute_alias(attribute, aliases, out) {
            return Ok(());
        }
        let entry = Entry::Attribute(attribute);
        match self.context.attribute_kind(attribute) {
            AttributeKind::Dialect {
                body,
                ty: None,
                dialect,
            } => {
                let mut part = 0usize;
                if let Some(Some(BodyPiece::Text(text))) = body.piece(0) {
                    let rest = text.get(skip..).unwrap_or_default();
                    match rest.strip_prefix(b" ") {
                        Some(rest) if !self.keeps_space(*dialect) => out.text(rest),
                        _ => out.text(rest),
                    }
                    part = 1;
                }
                self.push(Work::Parts(entry, part));
                self.run(aliases, out)
            }
            AttributeKind::DenseArray { .. } => {
                out.byte(b'[');
                dense::array(self.context, attribute, "", out)?;
                out.byte(b']');
                Ok(())
            }
            _ => self.print(entry, aliases, out),
        }
    }

    /// Prints a type of a dialect through its alias, or without the dialect's name and this
    /// mnemonic; prints any other type in full.
    pub(super) fn print_stripped_type(
        &mut self,
        ty: Type,
        mnemonic: &str,
        aliases: &Aliases,
        out: &mut Output<'_>,
    ) -> Result<()> {
        let entry = Entry::Type(ty);
        if aliases.ty(ty).is_none()
            && let TypeKind::Dialect { body, .. } = self.context.type_kind(ty)
            && body.mnemonic() == mnemonic.as_bytes()
            && let Some(Some(BodyPiece::Text(text))) = body.piece(0)
            && let Some(rest) = text.get(mnemonic.len()..)
            && (rest.starts_with(b"<") || crate::entry_format::begins_with_word(self.context, ty))
        {
            out.text(rest);
            self.push(Work::Parts(entry, 1));
            return self.run(aliases, out);
        }
        self.print(entry, aliases, out)
    }

    /// Prints a type of that dialect through its alias, or without the dialect's name; prints any
    /// other type in full.
    pub(super) fn print_bare_type(
        &mut self,
        ty: Type,
        dialect: &str,
        aliases: &Aliases,
        out: &mut Output<'_>,
    ) -> Result<()> {
        let entry = Entry::Type(ty);
        if aliases.ty(ty).is_none()
            && let TypeKind::Dialect { dialect: of, body } = self.context.type_kind(ty)
            && self.context.bytes(*of) == dialect.as_bytes()
            && is_pretty(body)
            && !body.text().ends_with(b"-")
        {
            self.push(Work::Parts(entry, 0));
            return self.run(aliases, out);
        }
        self.print(entry, aliases, out)
    }

    /// Returns whether an additional space precedes an attribute of a dialect printed without its
    /// mnemonic: older releases of upstream print it besides the one of the format.
    fn keeps_space(&self, dialect: Identifier) -> bool {
        let definition = self.context.dialect(self.context.bytes(dialect));
        definition.is_some_and(|dialect| {
            dialect.family.numbering() == Family::Llvm
                && !self.context.release().has(LlvmFeature::SingleSpaces)
        })
    }

    /// Prints an attribute through its alias, or without its type if it has one.
    pub(super) fn print_without_type(
        &mut self,
        attribute: Attribute,
        aliases: &Aliases,
        out: &mut Output<'_>,
    ) -> Result<()> {
        if print_attribute_alias(attribute, aliases, out) {
            return Ok(());
        }
        self.attribute(attribute, TypeSuffix::Never, aliases, out)?;
        self.run(aliases, out)
    }

    /// Prints the entry that an alias denotes.
    pub(super) fn print_definition(
        &mut self,
        entry: Entry,
        aliases: &Aliases,
        out: &mut Output<'_>,
    ) -> Result<()> {
        match entry {
            Entry::Attribute(attribute) => {
                self.attribute(attribute, TypeSuffix::Always, aliases, out)?
            }
            Entry::Type(ty) => self.ty(ty, out),
            Entry::Location(location) => match self.context.location_kind(location) {
                LocationKind::Dialect(attribute) => {
                    self.attribute(attribute, TypeSuffix::Always, aliases, out)?
                }
                _ => self.location_wrapped(location, out),
            },
        }
        self.run(aliases, out)
    }

    /// Prints `loc(...)` after something; `alias` allows an alias.
    pub(super) fn print_location(
        &mut self,
        location: Location,
        alias: bool,
        aliases: &Aliases,
        out: &mut Output<'_>,
    ) -> Result<()> {
        // A pretty location has no alias itself; those in it have.
        let alias = alias && !self.options.pretty_locations;
        match aliases.location(self.context, location, &mut self.classes) {
            Some(name) if alias => {
                out.text("loc(#");
                out.alias(name);
                out.byte(b')');
                Ok(())
            }
            _ => {
                self.location_wrapped(location, out);
                self.run(aliases, out)
            }
        }
    }

    /// Prints what is on the stack.
    fn run(&mut self, aliases: &Aliases, out: &mut Output<'_>) -> Result<()> {
        let result = self.print_stack(aliases, out);
        if result.is_err() {
            // A hook goes on after an error; what it prints next must not be followed by this rest,
            // whose text would be memoized with it.
            self.stack.clear();
        }
        result
    }

    fn print_stack(&mut self, aliases: &Aliases, out: &mut Output<'_>) -> Result<()> {
        while let Some(work) = self.stack.pop() {
            match work {
                Work::Entry(entry) => self.entry(entry, aliases, out)?,
                Work::Element(attribute) if self.refer(Entry::Attribute(attribute), out)? => {}
                Work::Element(attribute) if print_attribute_alias(attribute, aliases, out) => {}
                Work::Element(attribute) => {
                    self.attribute(attribute, TypeSuffix::Elided, aliases, out)?
                }
                Work::Location(location) => {
                    match aliases.location(self.context, location, &mut self.classes) {
                        Some(name) => print_alias(b'#', name, out),
                        None => self.location(location, out),
                    }
                }
                Work::Parts(entry, part) => self.part(entry, part, out),
                Work::InFull(reference) => self.in_full(reference, aliases, out)?,
                Work::Text(text) => out.text(text),
            }
            out.checkpoint()?;
        }
        Ok(())
    }

    #[inline]
    fn entry(&mut self, entry: Entry, aliases: &Aliases, out: &mut Output<'_>) -> Result<()> {
        if self.refer(entry, out)? {
            return Ok(());
        }
        match entry {
            Entry::Attribute(attribute) => {
                if !print_attribute_alias(attribute, aliases, out) {
                    return self.attribute(attribute, TypeSuffix::Always, aliases, out);
                }
            }
            Entry::Type(ty) => match (self.type_texts.get(ty.index()), aliases.ty(ty)) {
                (Some(text), _) => out.text(text),
                (None, Some(name)) => print_alias(b'!', name, out),
                (None, None) => self.ty(ty, out),
            },
            Entry::Location(location) => self.location_wrapped(location, out),
        }
        Ok(())
    }

    /// Prints what a body refers to, not through an alias of its own.
    fn in_full(
        &mut self,
        reference: BodyReference,
        aliases: &Aliases,
        out: &mut Output<'_>,
    ) -> Result<()> {
        if out.refer(self.context, reference)? {
            return Ok(());
        }
        match reference {
            BodyReference::Attribute(attribute) => {
                self.attribute(attribute, TypeSuffix::Always, aliases, out)?;
            }
            BodyReference::Type(ty) => self.ty(ty, out),
        }
        Ok(())
    }

    /// Where a body is collected, appends an entry that bodies refer to as a reference.
    #[inline]
    fn refer(&self, entry: Entry, out: &mut Output<'_>) -> Result<bool> {
        let reference = match entry {
            Entry::Attribute(attribute) => BodyReference::Attribute(attribute),
            Entry::Type(ty) => BodyReference::Type(ty),
            Entry::Location(_) => return Ok(false),
        };
        out.refer(self.context, reference)
    }

    fn push(&mut self, work: Work) {
        self.stack.push(work);
    }

    fn push_type(&mut self, ty: Type) {
        self.push(Work::Entry(Entry::Type(ty)));
    }

    fn push_attribute(&mut self, attribute: Attribute) {
        self.push(Work::Entry(Entry::Attribute(attribute)));
    }

    // Attributes.

    /// Prints an attribute or its start.
    fn attribute(
        &mut self,
        attribute: Attribute,
        suffix: TypeSuffix,
        aliases: &Aliases,
        out: &mut Output<'_>,
    ) -> Result<()> {
        let context = self.context;
        let entry = Entry::Attribute(attribute);
        match context.attribute_kind(attribute) {
            AttributeKind::Unit => out.text("unit"),
            AttributeKind::Integer { ty, value } => match *context.type_kind(*ty) {
                TypeKind::Integer {
                    width: 1,
                    signedness: Signedness::Signless,
                } => {
                    out.text(if value.is_zero() { "false" } else { "true" });
                }
                TypeKind::Integer {
                    width: 64,
                    signedness: Signedness::Signless,
                } if suffix == TypeSuffix::Elided => out.decimal(value, true),
                ref kind => {
                    let unsigned = matches!(
                        kind,
                        TypeKind::Integer {
                            signedness: Signedness::Unsigned,
                            ..
                        }
                    );
                    out.decimal(value, !unsigned);
                    self.colon_type(*ty, suffix, out);
                }
            },
            AttributeKind::Float { ty, bits } => {
                let TypeKind::Float(kind) = *context.type_kind(*ty) else {
                    return Ok(());
                };
                let hex = out.float(kind, *bits);
                if !(suffix == TypeSuffix::Elided && !hex && *ty == context.f64_type()) {
                    self.colon_type(*ty, suffix, out);
                }
            }
            AttributeKind::String { value, ty } => {
                out.quoted(context.bytes(*value));
                if let Some(ty) = *ty {
                    self.colon_type(ty, suffix, out);
                }
            }
            AttributeKind::SymbolRef { root, nested } => {
                out.symbol(context.bytes(*root));
                for &name in nested {
                    out.text("::");
                    out.symbol(context.bytes(name));
                }
            }
            AttributeKind::Type(ty) => self.push_type(*ty),
            AttributeKind::Array(_) => {
                out.byte(b'[');
                self.push(Work::Parts(entry, 0));
            }
            AttributeKind::Dictionary(_) => {
                out.byte(b'{');
                self.push(Work::Parts(entry, 0));
            }
            AttributeKind::DenseElements { ty, splat, .. } => {
                if self.is_elided(*ty, *splat) {
                    out.text("dense_resource<__elided__>");
                } else {
                    out.text("dense<");
                    dense::elements(context, attribute, Some(self.options.hex_if_larger), out)?;
                    out.byte(b'>');
                }
                self.colon_type(*ty, suffix, out);
            }
            AttributeKind::DenseStrings { ty, splat, .. } => {
                if self.is_elided(*ty, *splat) {
                    out.text("dense_resource<__elided__>");
                } else {
                    out.text("dense<");
                    dense::elements(context, attribute, None, out)?;
                    out.byte(b'>');
                }
                self.colon_type(*ty, suffix, out);
            }
            AttributeKind::Sparse {
                ty,
                indices,
                values,
            } => {
                if self.is_dense_elided(*indices) || self.is_dense_elided(*values) {
                    out.text("dense_resource<__elided__>");
                } else {
                    out.text("sparse<");
                    if !dense::is_empty(context, *indices) {
                        dense::elements(context, *indices, None, out)?;
                        out.text(", ");
                        dense::elements(context, *values, Some(self.options.hex_if_larger), out)?;
                    }
                    out.byte(b'>');
                }
                self.colon_type(*ty, suffix, out);
            }
            AttributeKind::DenseText { ty, literal } => {
                out.text("dense<");
                out.text(context.bytes(*literal));
                out.byte(b'>');
                self.colon_type(*ty, suffix, out);
            }
            AttributeKind::DenseArray { element, .. } => {
                out.text("array<");
                // The element type is an integer or float, which has no parts.
                self.ty(*element, out);
                dense::array(context, attribute, ": ", out)?;
                out.byte(b'>');
            }
            AttributeKind::DenseResource { ty, resource } => {
                out.text("dense_resource<");
                out.keyword_or_string(self.keys.get(context, *resource));
                out.byte(b'>');
                self.references = self.references.saturating_add(1);
                self.refer_to(*resource);
                self.colon_type(*ty, suffix, out);
            }
            AttributeKind::AffineMap(map) => {
                out.text("affine_map<");
                out.pieces(|out| context.affine().write_map(map, out))?;
                out.byte(b'>');
            }
            AttributeKind::IntegerSet(set) => {
                out.text("affine_set<");
                out.pieces(|out| context.affine().write_set(set, out))?;
                out.byte(b'>');
            }
            AttributeKind::StridedLayout { offset, strides } => {
                out.text("strided<[");
                for (i, &stride) in strides.iter().enumerate() {
                    if i > 0 {
                        out.text(", ");
                    }
                    stride_or_question(stride, out);
                }
                out.byte(b']');
                if *offset != 0 {
                    out.text(", offset: ");
                    stride_or_question(*offset, out);
                }
                out.byte(b'>');
            }
            AttributeKind::Distinct { .. } => {
                let next = self.distincts.len() as u64;
                let number = match self.distincts.get(&attribute) {
                    Some(&number) => number,
                    // The text is printed again where the preceding content is known.
                    None if self.is_part => return Err(PrintError::TooLarge(0)),
                    None => *self.distincts.entry(attribute).or_insert(next),
                };
                out.text("distinct[");
                out.number(number);
                self.push(Work::Parts(entry, 0));
            }
            AttributeKind::Location(location) => {
                match aliases.location(context, *location, &mut self.classes) {
                    Some(name) => print_alias(b'#', name, out),
                    None => self.location_wrapped(*location, out),
                }
            }
            AttributeKind::Dialect { dialect, body, ty } => {
                if let Some(ty) = ty.filter(|_| suffix != TypeSuffix::Never) {
                    self.push_type(ty);
                    self.push(Work::Text(" : "));
                }
                let enclosed = (self.encloses_members && ty.is_none())
                    .then(|| enclosed_members(context, *dialect, body))
                    .flatten();
                match enclosed {
                    None => self.body_start(entry, b'#', *dialect, body, out),
                    Some((mnemonic, members)) => {
                        out.byte(b'#');
                        for part in [context.bytes(*dialect), b".", mnemonic, b"<", members, b">"] {
                            out.text(part);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn is_elided(&self, ty: Type, splat: bool) -> bool {
        match self.options.elide_elements_if_larger {
            Some(limit) if !splat => self.context.element_count(ty).is_none_or(|n| n > limit),
            _ => false,
        }
    }

    /// Returns whether a part of a sparse attribute is so large that the whole is left out.
    fn is_dense_elided(&self, attribute: Attribute) -> bool {
        match self.context.attribute_kind(attribute) {
            AttributeKind::DenseElements { ty, splat, .. }
            | AttributeKind::DenseStrings { ty, splat, .. } => self.is_elided(*ty, *splat),
            _ => false,
        }
    }

    fn colon_type(&mut self, ty: Type, suffix: TypeSuffix, out: &mut Output<'_>) {
        if suffix != TypeSuffix::Never {
            out.text(" : ");
            self.push_type(ty);
        }
    }

    // Types.

    /// Prints a type or its start.
    fn ty(&mut self, ty: Type, out: &mut Output<'_>) {
        let entry = Entry::Type(ty);
        match self.context.type_kind(ty) {
            TypeKind::Integer { width, signedness } => {
                out.text(match signedness {
                    Signedness::Signless => "i",
                    Signedness::Signed => "si",
                    Signedness::Unsigned => "ui",
                });
                out.number(u64::from(*width));
            }
            TypeKind::Float(kind) => out.text(kind.keyword()),
            TypeKind::Index => out.text("index"),
            TypeKind::None => out.text("none"),
            TypeKind::Token => out.text("token"),
            TypeKind::Complex(element) => {
                out.text("complex<");
                self.push(Work::Text(">"));
                self.push_type(*element);
            }
            TypeKind::Tuple(_) => {
                out.text("tuple<");
                self.push(Work::Parts(entry, 0));
            }
            TypeKind::Function { .. } | TypeKind::Graph { .. } => {
                out.byte(b'(');
                self.push(Work::Parts(entry, 0));
            }
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => {
                out.text("vector<");
                for (i, &size) in shape.iter().enumerate() {
                    let brackets = scalable.get(i).is_some_and(|&s| s);
                    if brackets {
                        out.byte(b'[');
                    }
                    out.signed(size);
                    if brackets {
                        out.byte(b']');
                    }
                    out.byte(b'x');
                }
                self.push(Work::Text(">"));
                self.push_type(*element);
            }
            TypeKind::RankedTensor {
                shape,
                element,
                encoding,
            } => {
                out.text("tensor<");
                dimensions(shape, out);
                self.push(Work::Text(">"));
                if let Some(encoding) = *encoding {
                    self.push_attribute(encoding);
                    self.push(Work::Text(", "));
                }
                self.push_type(*element);
            }
            TypeKind::UnrankedTensor(element) => {
                out.text("tensor<*x");
                self.push(Work::Text(">"));
                self.push_type(*element);
            }
            TypeKind::MemRef {
                shape,
                element,
                layout,
                memory_space,
            } => {
                out.text("memref<");
                dimensions(shape, out);
                self.push(Work::Text(">"));
                self.push_memory_space(*memory_space);
                if let Some(layout) = *layout {
                    self.push_attribute(layout);
                    self.push(Work::Text(", "));
                }
                self.push_type(*element);
            }
            TypeKind::UnrankedMemRef {
                element,
                memory_space,
            } => {
                out.text("memref<*x");
                self.push(Work::Text(">"));
                self.push_memory_space(*memory_space);
                self.push_type(*element);
            }
            TypeKind::Dialect { dialect, body } => {
                self.body_start(entry, b'!', *dialect, body, out)
            }
        }
    }

    fn push_memory_space(&mut self, memory_space: Option<Attribute>) {
        if let Some(attribute) = memory_space {
            self.push(Work::Element(attribute));
            self.push(Work::Text(", "));
        }
    }

    // Bodies of dialects.

    fn body_start(
        &mut self,
        entry: Entry,
        prefix: u8,
        dialect: Identifier,
        body: &DialectBody,
        out: &mut Output<'_>,
    ) {
        out.byte(prefix);
        let name = self.context.bytes(dialect);
        out.text(name);
        // Behind a number no dot belongs to the name.
        if is_pretty(body) && !name.first().is_some_and(u8::is_ascii_digit) {
            out.byte(b'.');
        } else {
            out.byte(b'<');
            self.push(Work::Text(">"));
        }
        self.push(Work::Parts(entry, 0));
    }

    fn body_part(&mut self, entry: Entry, body: &DialectBody, part: usize, out: &mut Output<'_>) {
        let Some(piece) = body.piece(part) else {
            return;
        };
        let next = part.saturating_add(1);
        self.push(Work::Parts(entry, next));
        match piece {
            Some(BodyPiece::Text(text)) => out.text(text),
            // Text that would belong to an alias can follow a reference that ends with a bracket.
            Some(BodyPiece::Reference(reference)) if matches!(body.piece(next), Some(Some(next)) if next.continues_alias()) =>
            {
                self.push(Work::InFull(reference));
            }
            Some(BodyPiece::Reference(BodyReference::Attribute(attribute))) => {
                self.push_attribute(attribute)
            }
            Some(BodyPiece::Reference(BodyReference::Type(ty))) => self.push_type(ty),
            None => {}
        }
    }

    // Locations.

    fn location_wrapped(&mut self, location: Location, out: &mut Output<'_>) {
        if self.options.pretty_locations {
            return self.location(location, out);
        }
        out.text("loc(");
        self.push(Work::Text(")"));
        self.location(location, out);
    }

    /// Prints a location or its start, without `loc(`.
    fn location(&mut self, location: Location, out: &mut Output<'_>) {
        let context = self.context;
        let pretty = self.options.pretty_locations;
        match context.location_kind(location) {
            LocationKind::Unknown if pretty => out.text("[unknown]"),
            LocationKind::Unknown => out.text("unknown"),
            LocationKind::FileLineColRange {
                file,
                start_line,
                start_column,
                end_line,
                end_column,
                // Upstream prints all forms alike.
                form: _,
            } => {
                match pretty {
                    true => out.text(context.bytes(file)),
                    false => out.quoted(context.bytes(file)),
                }
                out.byte(b':');
                out.number(u64::from(start_line));
                out.byte(b':');
                out.number(u64::from(start_column));
                if (start_line, start_column) != (end_line, end_column) {
                    out.text(" to ");
                    if start_line != end_line {
                        out.number(u64::from(end_line));
                    }
                    out.byte(b':');
                    out.number(u64::from(end_column));
                }
            }
            LocationKind::Name { name, child } => {
                out.quoted(context.bytes(name));
                if !matches!(context.location_kind(child), LocationKind::Unknown) {
                    out.byte(b'(');
                    self.push(Work::Text(")"));
                    self.push(Work::Location(child));
                }
            }
            LocationKind::CallSite { callee, caller } if pretty => {
                self.push(Work::Location(caller));
                self.push(Work::Text(match self.is_on_one_line(callee, caller) {
                    true => " at ",
                    false => "\n at ",
                }));
                self.push(Work::Location(callee));
            }
            LocationKind::CallSite { callee, caller } => {
                out.text("callsite(");
                self.push(Work::Text(")"));
                self.push(Work::Location(caller));
                self.push(Work::Text(" at "));
                self.push(Work::Location(callee));
            }
            LocationKind::Dialect(attribute) => self.push_attribute(attribute),
            LocationKind::Fused { metadata, .. } => {
                if !pretty {
                    out.text("fused");
                }
                self.push(Work::Parts(Entry::Location(location), 0));
                if let Some(metadata) = metadata {
                    out.byte(b'<');
                    self.push(Work::Text(">"));
                    self.push_attribute(metadata);
                }
            }
        }
    }

    /// Returns whether a pretty call site is printed on one line: that of a name at a position.
    fn is_on_one_line(&self, callee: Location, caller: Location) -> bool {
        let is_position = match self.context.location_kind(caller) {
            LocationKind::FileLineColRange {
                start_line,
                start_column,
                end_line,
                end_column,
                form,
                ..
            } => form == RangeForm::Full && (start_line, start_column) == (end_line, end_column),
            _ => false,
        };
        is_position
            && matches!(
                self.context.location_kind(callee),
                LocationKind::Name { .. }
            )
    }

    /// Returns whether the results of a function type are printed without parentheses.
    pub(super) fn has_bare_result(&self, results: &[Type]) -> bool {
        matches!(results, [one] if self.context.type_kind(*one).signature().is_none())
    }
}

/// Prints an attribute's alias; whether it has one.
fn print_attribute_alias(attribute: Attribute, aliases: &Aliases, out: &mut Output<'_>) -> bool {
    let name = aliases.attribute(attribute);
    if let Some(name) = name {
        print_alias(b'#', name, out);
    }
    name.is_some()
}

fn print_alias(prefix: u8, name: AliasName<'_>, out: &mut Output<'_>) {
    out.byte(prefix);
    out.alias(name);
}

fn dimensions(shape: &[i64], out: &mut Output<'_>) {
    for &size in shape {
        stride_or_question(size, out);
        out.byte(b'x');
    }
}

fn stride_or_question(value: i64, out: &mut Output<'_>) {
    if value == DYNAMIC {
        out.byte(b'?');
    } else {
        out.signed(value);
    }
}
