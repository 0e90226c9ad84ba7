//! Operations with several regions, each after a line of its own: `rtg.with_handlers` and
//! `firrtl.match`.

use super::fields::{field_type, fields, is_field_type};
use super::firrtl::flat;
use crate::func::has_shape;
use crate::helpers::{integer, property};
use crate::two_way::{Argument, Asm, Named, TwoWay, failure, invalid, items, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, Context, Module, NamedAttribute, Operation, Type, TypeKind};

/// Returns whether a region has one block.
fn is_single(module: &Module, operation: Operation, number: usize) -> bool {
    let region = module.region(operation, number);
    let block = region.and_then(|region| module.first_block(region));
    block.is_some_and(|block| module.next_block(block).is_none())
}

/// The syntax of `rtg.with_handlers`: `{ handle @effect(%a: T) {...} do {...} }`. The body, which
/// is the first region, is printed last.
#[derive(Debug)]
pub(crate) struct WithHandlers;

/// The text of [`WithHandlers`] before a region, or after the body.
#[derive(Default)]
pub(crate) struct HandlersContent {
    place: Option<usize>,
    effect: Option<Attribute>,
    arguments: Vec<Argument>,
    /// The index of the region that follows.
    number: usize,
    /// The body follows.
    is_body: bool,
    /// The body precedes.
    is_end: bool,
    attributes: Vec<NamedAttribute>,
    /// The effects that were read.
    effects: Vec<Attribute>,
}

impl HandlersContent {
    /// Returns the text before a handler, or before the body if there are no more handlers.
    fn before(
        module: &Module,
        operation: Operation,
        effects: &[Attribute],
        handled: usize,
    ) -> HandlersContent {
        match effects.get(handled).zip(handled.checked_add(1)) {
            Some((&effect, number)) => HandlersContent {
                effect: Some(effect),
                arguments: Argument::all(module, operation, number),
                number,
                ..HandlersContent::default()
            },
            None => HandlersContent {
                is_body: true,
                ..HandlersContent::default()
            },
        }
    }

    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        asm.newline();
        asm.optional("do", "do ", &mut self.is_body);
        if self.is_body {
            return Ok(());
        }
        asm.token("handle", "handle ")?;
        self.place = asm.place();
        asm.attribute(&mut self.effect)?;
        asm.arguments(&mut self.arguments)?;
        asm.space(" ");
        Ok(())
    }

    /// Returns the arguments of the region that follows.
    fn build(&mut self, parser: &mut dyn AsmParser) -> AsmResult<Vec<RegionArgument>> {
        if self.is_body {
            self.is_end = true;
            return Ok(Vec::new());
        }
        if flat(parser.context(), self.effect).is_none() {
            return Err(failure(self.place, "expected a flat symbol reference"));
        }
        self.effects.extend(self.effect);
        Ok(self.arguments.iter().filter_map(Argument::parsed).collect())
    }
}

impl TwoWay for WithHandlers {
    type Content = HandlersContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<HandlersContent> {
        let regions = module.regions(operation).len();
        let effects = items(context, module.attribute(context, operation, "effects"))?;
        let is_flat = |&effect: &Attribute| flat(context, Some(effect)).is_some();
        let is_lossless = has_shape(module, operation, 0, 0, regions)
            && effects.len().checked_add(1) == Some(regions)
            && effects.iter().all(is_flat)
            && (0..regions).all(|number| is_single(module, operation, number))
            && Argument::all(module, operation, 0).is_empty();
        is_lossless.then(|| HandlersContent::before(module, operation, effects, 0))
    }

    fn content_after(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        regions: usize,
    ) -> Option<HandlersContent> {
        let handled = regions.checked_sub(1)?;
        if handled == 0 {
            return Some(HandlersContent {
                is_end: true,
                attributes: other_attributes(context, module, operation, &["effects"]),
                ..HandlersContent::default()
            });
        }
        let effects = items(context, module.attribute(context, operation, "effects"))?;
        Some(HandlersContent::before(module, operation, effects, handled))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut HandlersContent) -> AsmResult<()> {
        asm.token("{", " {")?;
        asm.indent(1);
        content.text(asm)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        _: &mut ParsedOperation,
        content: &mut HandlersContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        content.build(parser).map(Some)
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut HandlersContent,
        _: usize,
    ) -> AsmResult<bool> {
        if !content.is_end {
            content.text(asm)?;
            return Ok(true);
        }
        asm.indent(-1);
        asm.newline();
        asm.token("}", "}")?;
        asm.dictionary(&mut content.attributes)?;
        Ok(false)
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut HandlersContent,
        regions: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        if !content.is_end {
            return content.build(parser);
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        let effects = parser.context().array_attribute(&content.effects);
        property(parser, operation, "effects", effects);
        operation.region_order = (1..regions).chain([0]).collect();
        Ok(Vec::new())
    }

    fn region_number(&self, content: &HandlersContent, _: usize) -> usize {
        content.number
    }

    fn is_close(&self) -> bool {
        true
    }
}

/// The syntax of `firrtl.match`: `%a : T { case Some(%b) {...} }`.
#[derive(Debug)]
pub(crate) struct Match;

/// The text of [`Match`] before a region, or after the last one.
#[derive(Default)]
pub(crate) struct MatchContent {
    input: Named,
    place: Option<usize>,
    ty: Option<Type>,
    attributes: Vec<NamedAttribute>,
    case: Option<Case>,
    /// The tags that were read.
    tags: Vec<Attribute>,
}

/// A case of [`Match`].
#[derive(Default)]
struct Case {
    place: Option<usize>,
    tag: Vec<u8>,
    argument: Argument,
}

impl Case {
    /// Returns a case; `None` if the text would lose something.
    fn of(
        (context, module, operation): (&Context, &Module, Operation),
        (ty, variants): (Type, &[(&[u8], Type)]),
        tag: Attribute,
        number: usize,
    ) -> Option<Self> {
        let at = usize::try_from(integer(context, Some(tag))?).ok()?;
        let &(tag, variant) = variants.get(at)?;
        let arguments = Argument::all(module, operation, number);
        let [argument] = *arguments else { return None };
        let is_lossless = is_single(module, operation, number)
            && is_field_type(context, ty, variant, argument.ty?);
        is_lossless.then(|| Case {
            place: None,
            tag: tag.to_vec(),
            argument,
        })
    }
}

impl MatchContent {
    /// The text of a case, or of the end.
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<bool> {
        if !asm.is_there("case", self.case.is_some()) {
            self.case = None;
            asm.indent(-1);
            asm.newline();
            asm.token("}", "}")?;
            return Ok(false);
        }
        let case = self.case.get_or_insert_default();
        asm.newline();
        asm.token("case", "case ")?;
        case.place = asm.place();
        asm.word(&mut case.tag)?;
        asm.token("(", "(")?;
        asm.argument_name(&mut case.argument)?;
        asm.token(")", ") ")?;
        Ok(true)
    }

    /// Returns the arguments of the region that follows, or adds the tags if none does.
    fn build(
        &mut self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let context = parser.context();
        let Some(case) = &mut self.case else {
            let tags = context.array_attribute(&self.tags);
            property(parser, operation, "tags", tags);
            return Ok(None);
        };
        let variants = self.ty.and_then(|ty| fields(context, ty));
        let variants = variants.unwrap_or_default();
        let found = variants.iter().position(|variant| variant.0 == case.tag);
        let found = found.and_then(|at| Some((at, self.ty?, variants.get(at)?.1)));
        let Some((at, ty, variant)) = found else {
            let tag = String::from_utf8_lossy(&case.tag);
            let message = format!("the tag \"{tag}\" is not a member of the enumeration");
            return Err(failure(case.place, message));
        };
        case.argument.ty = Some(field_type(context, ty, variant));
        let i32 = context.i32_type();
        let tag = context.integer_attribute(i32, i64::try_from(at).unwrap_or(i64::MAX));
        self.tags.push(tag.map_err(invalid(case.place))?);
        Ok(Some(case.argument.parsed().into_iter().collect()))
    }
}

impl TwoWay for Match {
    type Content = MatchContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<MatchContent> {
        let regions = module.regions(operation).len();
        let input = module.operands(operation).next()?;
        let ty = module.value_type(input);
        let variants = fields(context, ty)?;
        let tags = items(context, module.attribute(context, operation, "tags"))?;
        let is_match = matches!(context.type_kind(ty), TypeKind::Dialect { .. })
            && has_shape(module, operation, 1, 0, regions)
            && tags.len() == regions;
        if !is_match {
            return None;
        }
        let mut first = None;
        for (number, &tag) in tags.iter().enumerate() {
            let of = (context, module, operation);
            let case = Case::of(of, (ty, &variants), tag, number)?;
            first.get_or_insert(case);
        }
        Some(MatchContent {
            input: Named::of(input),
            ty: Some(ty),
            attributes: other_attributes(context, module, operation, &["tags"]),
            case: first,
            ..MatchContent::default()
        })
    }

    fn content_after(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        regions: usize,
    ) -> Option<MatchContent> {
        let ty = module.value_type(module.operands(operation).next()?);
        let variants = fields(context, ty)?;
        let tags = items(context, module.attribute(context, operation, "tags"))?;
        let case = tags.get(regions).and_then(|&tag| {
            let of = (context, module, operation);
            Case::of(of, (ty, &variants), tag, regions)
        });
        Some(MatchContent {
            case,
            ..MatchContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut MatchContent) -> AsmResult<()> {
        asm.space(" ");
        asm.value(&mut content.input)?;
        asm.token(":", " : ")?;
        content.place = asm.place();
        asm.ty(&mut content.ty)?;
        asm.dictionary_with_keyword(&mut content.attributes)?;
        asm.token("{", " {")?;
        asm.indent(1);
        content.text(asm)?;
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut MatchContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let context = parser.context();
        let ty = content.ty.filter(|&ty| fields(context, ty).is_some());
        let Some(ty) = ty else {
            return Err(failure(content.place, "expected enumeration type"));
        };
        if let Some(name) = content.input.name {
            operation.operands.push(parser.resolve(name, ty)?);
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        content.build(parser, operation)
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut MatchContent,
        _: usize,
    ) -> AsmResult<bool> {
        content.text(asm)
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut MatchContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        let arguments = content.build(parser, operation)?;
        Ok(arguments.unwrap_or_default())
    }

    fn is_close(&self) -> bool {
        true
    }
}
