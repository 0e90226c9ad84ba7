//! Syntax of operations that is stated once: one function reads the text or writes it, and the
//! content that it reads or writes is converted to an operation and back. Syntax of directives is
//! stated the same way in `directive.rs`, and that of parameters of attributes and types in
//! `entry.rs`.
//!
//! Parts of texts are methods of the [`Assembler`]. Those that operations and entries have in
//! common are written once, in terms of the [`steps`] of both parsers and both printers.

mod attributes;
mod core;
mod integers;
mod layout;
mod lines;
mod lists;
mod lookahead;
mod maps;
mod names;
mod operands;
mod parts;
mod repeated;
mod separated;
mod sequence;
pub(crate) mod signature;
pub(crate) mod steps;
mod strings;
mod successors;
mod symbols;
mod typed;
mod types;
mod words;

pub(crate) use attributes::is_reference;
pub(crate) use lists::Argument;
pub(crate) use lookahead::failure;
pub(crate) use names::{Name, spelled_name};
pub(crate) use operands::{add_arguments, add_of_type, add_of_types};
pub(crate) use parts::{invalid, one_type, operands};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperandName, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep, RegionArgument,
};
use rmlir_ir::{
    Attribute, Context, Identifier, Location, Module, NamedAttribute, Operation, Region, Value,
};
pub(crate) use sequence::Sequence;
use std::any::Any;
use std::fmt;
pub(crate) use typed::TypedValues;

/// A parser or a printer. Methods parse into their arguments, or print them.
pub(crate) enum Assembler<'x, P: ?Sized, W: ?Sized> {
    /// The text is read.
    Parser(&'x mut P),
    /// The text is written.
    Printer(&'x mut W),
}

/// The parser or printer of an operation.
pub(crate) type Asm<'x, 'p> = Assembler<'x, dyn AsmParser + 'x, dyn AsmPrinter<'p> + 'x>;

/// A value by its name in a text or by its handle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Named {
    /// The name in a text that was parsed.
    pub(crate) name: Option<OperandName>,
    /// The value to be printed.
    pub(crate) value: Option<Value>,
}

impl Named {
    /// Returns a value to be printed.
    pub(crate) fn of(value: Value) -> Self {
        Named {
            name: None,
            value: Some(value),
        }
    }
}

impl Asm<'_, '_> {
    /// An attribute of a dialect without the dialect's name and the mnemonic.
    pub(crate) fn stripped(
        &mut self,
        (dialect, mnemonic): (&str, &str),
        attribute: &mut Option<Attribute>,
    ) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                *attribute = Some(parser.stripped_attribute_of(dialect, mnemonic)?);
            }
            Asm::Printer(printer) => {
                if let Some(attribute) = *attribute {
                    printer.stripped_attribute(attribute, mnemonic);
                }
            }
        }
        Ok(())
    }

    /// The name of a symbol, `@name`, as a string.
    pub(crate) fn symbol_name(&mut self, name: &mut Vec<u8>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let place = parser.place();
                let Some(found) = parser.symbol_name()? else {
                    let message = "expected valid '@'-identifier for symbol name";
                    return Err(AsmError::new(place, message));
                };
                *name = parser.context().bytes(found).to_vec();
            }
            Asm::Printer(printer) => printer.symbol_name(name),
        }
        Ok(())
    }

    /// The name of a value.
    pub(crate) fn value(&mut self, value: &mut Named) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => value.name = Some(parser.operand_name()?),
            Asm::Printer(printer) => {
                if let Some(value) = value.value {
                    printer.operand(value);
                }
            }
        }
        Ok(())
    }

    /// `{...}`.
    pub(crate) fn dictionary(&mut self, attributes: &mut Vec<NamedAttribute>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => *attributes = parser.attribute_dictionary()?,
            Asm::Printer(printer) => printer.attribute_dictionary(attributes, &[]),
        }
        Ok(())
    }

    /// `attributes {...}`.
    pub(crate) fn dictionary_with_keyword(
        &mut self,
        attributes: &mut Vec<NamedAttribute>,
    ) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => *attributes = parser.attribute_dictionary_with_keyword()?,
            Asm::Printer(printer) => printer.attribute_dictionary_with_keyword(attributes, &[]),
        }
        Ok(())
    }

    /// `loc(...)`, which is printed if locations are. A text without it has the location of
    /// `place`.
    pub(crate) fn location(
        &mut self,
        place: Option<usize>,
        location: &mut Option<Location>,
    ) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                *location = match (parser.location()?, place) {
                    (None, Some(place)) => Some(parser.location_at(place)),
                    (found, _) => found,
                };
            }
            Asm::Printer(printer) => {
                if let Some(location) = *location {
                    printer.location(location);
                }
            }
        }
        Ok(())
    }
}

/// Returns whether a name is one bare identifier.
pub(crate) fn is_word(name: &[u8]) -> bool {
    let starts = |b: &u8| b.is_ascii_alphabetic() || *b == b'_';
    let continues = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.');
    name.first().is_some_and(starts) && name.iter().all(continues)
}

/// The syntax of an operation, stated once.
///
/// A text has parts: one before the first region, and one after each region. The content of all
/// parts is one value, which is kept while the parser reads a region.
pub(crate) trait TwoWay: fmt::Debug + Send + Sync {
    /// The parsed parts of the text.
    type Content: Default + Any + Send;

    /// Returns what the text of an operation has; `None` if the text would lose something.
    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Self::Content>;

    /// Returns what the text after a region has, whose index is one less than `regions`; by
    /// default, [all content](Self::content). Where the number of regions is not bounded, it
    /// returns one part, so that printing takes linear time.
    fn content_after(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        regions: usize,
    ) -> Option<Self::Content> {
        let _ = regions;
        self.content(context, module, operation)
    }

    /// The text before the first region.
    ///
    /// # Errors
    ///
    /// If a text that is read does not match.
    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<()>;

    /// Sets the parts of the operation that the text before the first region has; returns the
    /// arguments of the region that follows, if one does.
    ///
    /// # Errors
    ///
    /// If the content is not that of an operation.
    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Self::Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>>;

    /// If the region is followed by a dictionary and nothing else: the names of the attributes that
    /// the dictionary leaves out. It is not part of the content.
    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// Returns whether the text has a part after each region.
    fn continues(&self) -> bool {
        false
    }

    /// The text after this number of regions, if it [continues](Self::continues). Returns whether
    /// another region follows.
    ///
    /// # Errors
    ///
    /// If a text that is read does not match.
    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut Self::Content,
        regions: usize,
    ) -> AsmResult<bool> {
        let _ = (asm, content, regions);
        Ok(false)
    }

    /// Sets the parts of the operation that the text after this number of regions has; returns the
    /// arguments of the region that follows, if one does.
    ///
    /// # Errors
    ///
    /// If the content is not that of an operation.
    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Self::Content,
        regions: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        let _ = (parser, operation, content, regions);
        Ok(Vec::new())
    }

    /// Returns the terminator that the text of a region leaves out.
    fn terminator(&self) -> Option<&'static str> {
        None
    }

    /// Completes a region that was parsed: by default, adds the terminator that the text leaves
    /// out, or the block of a region whose text is empty.
    ///
    /// # Errors
    ///
    /// If the region cannot have the terminator.
    fn complete_region(&self, parser: &mut dyn AsmParser) -> AsmResult<()> {
        match self.terminator() {
            Some(terminator) => parser.ensure_terminator(terminator)?,
            None if self.may_be_empty() => {}
            None => parser.ensure_block(),
        }
        Ok(())
    }

    /// Returns whether the text of a region without a terminator's text shows the last operation.
    fn shows_terminator(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        number: usize,
    ) -> bool {
        let region = module.region(operation, number);
        self.terminator().is_none_or(|terminator| {
            !crate::helpers::ends_plainly(context, module, region, terminator)
        })
    }

    /// Returns the region that follows the text after this number of regions, where the text has
    /// the regions in another order than the operation.
    fn region_number(&self, content: &Self::Content, regions: usize) -> usize {
        let _ = content;
        regions
    }

    /// Returns how many regions the text has up to this one, the inverse of
    /// [`region_number`](Self::region_number).
    fn regions_up_to(&self, content: &Self::Content, number: usize) -> usize {
        let _ = content;
        number.saturating_add(1)
    }

    /// Returns whether a region's text begins with the arguments of its entry block.
    fn shows_arguments(&self, number: usize) -> bool {
        let _ = number;
        false
    }

    /// Returns the operation that the line has in place of the first region.
    fn operation_on_line(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Operation> {
        let _ = (context, module, operation);
        None
    }

    /// Returns whether the [operation on the line](Self::operation_on_line) is in generic form.
    fn is_generic_on_line(&self) -> bool {
        false
    }

    /// Returns the region of an operation inside that is the one of this number in the text, if it
    /// is not one of the operation's own.
    fn region_inside(
        &self,
        module: &Module,
        operation: Operation,
        number: usize,
    ) -> Option<Region> {
        let _ = (module, operation, number);
        None
    }

    /// Returns whether the text always has the first region, which has no blocks if nothing is in
    /// it.
    fn may_be_empty(&self) -> bool {
        false
    }

    /// Returns whether the text has the first region; another part of the text can imply it.
    fn shows_region(&self, content: &Self::Content) -> bool {
        let _ = content;
        true
    }

    /// Returns whether the text ends with the space before the region.
    fn is_close(&self) -> bool {
        false
    }

    /// Returns the dialect whose prefix is left out in the region.
    fn default_dialect(&self) -> &'static str {
        ""
    }

    /// Returns [`OperationSyntax::shadows_names`].
    fn shadows_names(&self) -> bool {
        false
    }

    /// Returns [`OperationSyntax::has_format`].
    fn has_format(&self) -> bool {
        false
    }
}

/// The syntax of an operation as a hook.
#[derive(Debug)]
pub(crate) struct Syntax<T>(pub(crate) T);

impl<T: TwoWay> Syntax<T> {
    /// The text before the first region. Compiled once for each syntax.
    #[inline(never)]
    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut T::Content) -> AsmResult<()> {
        self.0.text(asm, content)
    }

    /// Prints the part of the text after this number of regions. Compiled once for each syntax.
    #[inline(never)]
    fn print_content(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
        content: &mut T::Content,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        // The number of the region that was printed last, and 1.
        let regions = match regions.checked_sub(1) {
            Some(last) => self.0.regions_up_to(content, last),
            None => 0,
        };
        // Printing does not fail.
        let asm = &mut Asm::Printer(printer);
        let follows = if regions == 0 {
            let _ = self.text(asm, content);
            if let Some(inner) = self.0.operation_on_line(context, module, operation) {
                return match self.0.is_generic_on_line() {
                    true => PrintStep::GenericOperation(inner),
                    false => PrintStep::Operation(inner),
                };
            }
            let region = module.region(operation, 0);
            let has_blocks = region.is_some_and(|region| module.first_block(region).is_some());
            (has_blocks || self.0.may_be_empty()) && self.0.shows_region(content)
        } else {
            let follows = self.0.text_after(asm, content, regions);
            follows.is_ok_and(|follows| follows)
        };
        if !follows {
            return PrintStep::Done;
        }
        if !self.0.is_close() {
            printer.text(" ");
        }
        let number = self.0.region_number(content, regions);
        let entry_arguments = self.0.shows_arguments(number);
        if let Some(region) = self.0.region_inside(module, operation, number) {
            return PrintStep::RegionInside {
                region,
                number,
                entry_arguments,
            };
        }
        PrintStep::Region {
            number,
            entry_arguments,
            terminators: self.0.shows_terminator(context, module, operation, number),
        }
    }
}

impl<T: TwoWay> OperationSyntax for Syntax<T> {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions == 0 {
            let mut content = T::Content::default();
            self.text(&mut Asm::Parser(parser), &mut content)?;
            let Some(arguments) = self.0.build(parser, operation, &mut content)? else {
                return Ok(ParseStep::Done);
            };
            if self.0.continues() {
                operation.state = Some(Box::new(content));
            }
            return Ok(match self.0.is_generic_on_line() {
                true => ParseStep::Operation,
                false => ParseStep::Region(arguments),
            });
        }
        self.0.complete_region(parser)?;
        if self.0.dictionary_after().is_some() {
            operation
                .attributes
                .append(&mut parser.attribute_dictionary()?);
        }
        if !self.0.continues() {
            return Ok(ParseStep::Done);
        }
        let kept = operation.state.take();
        let kept = kept.and_then(|kept| kept.downcast::<T::Content>().ok());
        let mut content = kept.unwrap_or_default();
        let asm = &mut Asm::Parser(parser);
        let follows = self.0.text_after(asm, &mut content, regions)?;
        let arguments = self
            .0
            .build_after(parser, operation, &mut content, regions)?;
        Ok(match follows {
            true => {
                operation.state = Some(content);
                ParseStep::Region(arguments)
            }
            false => ParseStep::Done,
        })
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        if regions > 0 && !self.0.continues() {
            if let Some(elided) = self.0.dictionary_after() {
                let attributes = module.all_attributes(context, operation);
                printer.attribute_dictionary(&attributes, elided);
            }
            return PrintStep::Done;
        }
        if regions == 0 {
            return match self.prepare(context, module, operation) {
                Some(prepared) => self.print_prepared(printer, operation, prepared),
                None => PrintStep::Done,
            };
        }
        match self.0.content_after(context, module, operation, regions) {
            Some(mut content) => self.print_content(printer, operation, regions, &mut content),
            None => PrintStep::Done,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        self.prepare(context, module, operation).is_some()
    }

    // Compiled once for each syntax, with what collects the content.
    #[inline(never)]
    fn prepare(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Box<dyn Any>> {
        let content = self.0.content(context, module, operation)?;
        Some(Box::new(content))
    }

    fn print_prepared(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        prepared: Box<dyn Any>,
    ) -> PrintStep {
        match prepared.downcast::<T::Content>() {
            Ok(mut content) => self.print_content(printer, operation, 0, &mut content),
            // Of another syntax: nothing that `prepare` returned.
            Err(_) => PrintStep::Done,
        }
    }

    fn default_dialect(&self) -> &'static str {
        self.0.default_dialect()
    }

    fn shadows_names(&self) -> bool {
        self.0.shadows_names()
    }

    fn has_format(&self) -> bool {
        self.0.has_format()
    }
}

/// Returns the bytes of a string attribute without a type.
pub(crate) fn plain_string(context: &Context, attribute: Option<Attribute>) -> Option<&[u8]> {
    let attribute = attribute.filter(|&a| crate::func::is_plain_string(context, a))?;
    context.string_value(attribute)
}

/// Returns the attributes of an operation but those of these names.
pub(crate) fn other_attributes(
    context: &Context,
    module: &Module,
    operation: Operation,
    elided: &[&str],
) -> Vec<NamedAttribute> {
    let attributes = module.all_attributes(context, operation);
    let is_kept = |entry: &&NamedAttribute| {
        let name = context.bytes(entry.0);
        !elided.iter().any(|one| one.as_bytes() == name)
    };
    attributes.iter().filter(is_kept).copied().collect()
}

/// Returns the items of an array.
pub(crate) fn items(context: &Context, attribute: Option<Attribute>) -> Option<&[Attribute]> {
    match context.attribute_kind(attribute?) {
        rmlir_ir::AttributeKind::Array(items) => Some(items),
        _ => None,
    }
}

/// Returns the inner symbol of an operation, if it is absent or `#hw<innerSym ...>`: the text has
/// no name for other attributes.
pub(crate) fn inner_symbol(
    context: &Context,
    attribute: Option<Attribute>,
) -> Option<Option<Attribute>> {
    let is = |attribute| is_dialect_attribute(context, attribute, "hw", Some("innerSym"));
    attribute.is_none_or(is).then_some(attribute)
}

/// Returns whether an attribute is of a dialect, and has a mnemonic if one is given.
pub(crate) fn is_dialect_attribute(
    context: &Context,
    attribute: Attribute,
    namespace: &str,
    mnemonic: Option<&str>,
) -> bool {
    match context.attribute_kind(attribute) {
        rmlir_ir::AttributeKind::Dialect { dialect, body, .. } => {
            context.bytes(*dialect) == namespace.as_bytes()
                && mnemonic.is_none_or(|mnemonic| body.mnemonic() == mnemonic.as_bytes())
        }
        _ => false,
    }
}

/// Returns an array of strings.
pub(crate) fn string_array(context: &mut Context, names: &[&[u8]]) -> Attribute {
    let items: Vec<Attribute> = names
        .iter()
        .map(|name| {
            let name: Identifier = context.identifier(name);
            context.string_attribute_of(name)
        })
        .collect();
    context.array_attribute(&items)
}
