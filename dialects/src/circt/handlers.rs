//! Operations with several regions, each after a line of its own: `rtg.with_handlers` and
//! `firrtl.match`.

use super::fields::fields;
use super::firrtl::flat;
use crate::helpers::{
    declared_arguments, integer, located_arguments, print_declared_arguments, property,
};
use crate::two_way::{Asm, items, print_word};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep, RegionArgument,
};
use rmlir_ir::{Attribute, Context, Module, Operation, TypeKind};

/// The syntax of `rtg.with_handlers`: `{ handle @effect(%a: T) {...} do {...} }`.
#[derive(Debug)]
pub(crate) struct WithHandlers;

/// Moves the attributes that were collected under a name to an array.
fn collected(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    name: &'static str,
) -> Attribute {
    let key = parser.name(name);
    let mut found = Vec::new();
    operation.properties.retain(|entry| {
        let is_one = entry.0 == key;
        if is_one {
            found.push(entry.1);
        }
        !is_one
    });
    parser.context().array_attribute(&found)
}

/// Returns the step that prints a region with its arguments in the line before.
fn region(number: usize) -> PrintStep {
    PrintStep::Region {
        number,
        entry_arguments: false,
        terminators: true,
    }
}

impl OperationSyntax for WithHandlers {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        match regions {
            0 => parser.expect("{")?,
            _ => parser.ensure_block(),
        }
        if !operation.numbers.is_empty() {
            // That was the body, which comes first in the operation.
            parser.expect("}")?;
            operation.attributes = parser.attribute_dictionary()?;
            let effects = collected(parser, operation, "effects");
            property(parser, operation, "effects", effects);
            operation.region_order = (1..regions).chain([0]).collect();
            return Ok(ParseStep::Done);
        }
        if parser.eat("do") {
            operation.numbers.push(0);
            return Ok(ParseStep::Region(Vec::new()));
        }
        parser.expect("handle")?;
        let place = parser.place();
        let effect = parser.attribute()?;
        if flat(parser.context(), Some(effect)).is_none() {
            return Err(AsmError::new(place, "expected a flat symbol reference"));
        }
        property(parser, operation, "effects", effect);
        Ok(ParseStep::Region(declared_arguments(parser)?))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let effects = items(context, module.attribute(context, operation, "effects"));
        let effects = effects.unwrap_or_default();
        if regions == 0 {
            printer.text(" {");
            printer.indent(1);
        }
        // The body is the first region, and printed last.
        let handled = regions.saturating_sub(1);
        if regions != 1
            && let Some(&effect) = effects.get(handled)
        {
            let number = handled.saturating_add(1);
            printer.newline();
            printer.text("handle ");
            printer.attribute(effect);
            print_declared_arguments(printer, located_arguments(module, operation, number));
            return region(number);
        }
        if regions != 1 {
            printer.newline();
            printer.text("do ");
            return region(0);
        }
        printer.indent(-1);
        printer.newline();
        printer.text("}");
        let attributes = crate::two_way::other_attributes(context, module, operation, &["effects"]);
        printer.attribute_dictionary(&attributes, &[]);
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let regions = module.regions(operation).len();
        let effects = items(context, module.attribute(context, operation, "effects"));
        let is_single = |number: usize| {
            let region = module.region(operation, number);
            let block = region.and_then(|region| module.first_block(region));
            block.is_some_and(|block| module.next_block(block).is_none())
        };
        crate::func::has_shape(module, operation, 0, 0, regions)
            && effects.is_some_and(|effects| {
                effects.len().checked_add(1) == Some(regions)
                    && effects
                        .iter()
                        .all(|&effect| flat(context, Some(effect)).is_some())
            })
            && (0..regions).all(is_single)
            && located_arguments(module, operation, 0).is_empty()
    }
}

/// The syntax of `firrtl.match`: `%a : T { case Some(%b) {...} }`.
#[derive(Debug)]
pub(crate) struct Match;

impl OperationSyntax for Match {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions == 0 {
            let name = parser.operand_name()?;
            parser.expect(":")?;
            let place = parser.place();
            let ty = parser.ty()?;
            if fields(parser.context(), ty).is_none() {
                return Err(AsmError::new(place, "expected enumeration type"));
            }
            operation.operands.push(parser.resolve(name, ty)?);
            operation.types.push(ty);
            operation.attributes = parser.attribute_dictionary_with_keyword()?;
            parser.expect("{")?;
        } else {
            parser.ensure_block();
        }
        if !parser.eat("case") {
            parser.expect("}")?;
            let tags = collected(parser, operation, "tags");
            property(parser, operation, "tags", tags);
            return Ok(ParseStep::Done);
        }
        let place = parser.place();
        let mut tag = Vec::new();
        Asm::Parser(parser).word(&mut tag)?;
        parser.expect("(")?;
        let name = parser.operand_name()?;
        let location = parser.location()?;
        parser.expect(")")?;
        let context = parser.context();
        let of = operation.types.first().copied();
        let all = of.and_then(|of| fields(context, of)).unwrap_or_default();
        let found = all.iter().position(|field| field.0 == tag);
        let Some((at, of, (_, ty))) = found.and_then(|at| Some((at, of?, all.get(at).copied()?)))
        else {
            let tag = String::from_utf8_lossy(&tag);
            let message = format!("the tag \"{tag}\" is not a member of the enumeration");
            return Err(AsmError::new(place, message));
        };
        let ty = super::fields::field_type(context, of, ty);
        let i32_type = context.i32_type();
        let tag = context.integer_attribute(i32_type, i64::try_from(at).unwrap_or(i64::MAX));
        let tag = tag.map_err(|error| AsmError::new(place, error.message()))?;
        property(parser, operation, "tags", tag);
        Ok(ParseStep::Region(vec![RegionArgument {
            name,
            ty,
            location,
        }]))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let tags = items(context, module.attribute(context, operation, "tags"));
        let tags = tags.unwrap_or_default();
        let Some(input) = module.operands(operation).next() else {
            return PrintStep::Done;
        };
        if regions == 0 {
            printer.text(" ");
            printer.operand(input);
            printer.text(" : ");
            printer.ty(module.value_type(input));
            let attributes =
                crate::two_way::other_attributes(context, module, operation, &["tags"]);
            printer.attribute_dictionary_with_keyword(&attributes, &[]);
            printer.text(" {");
            printer.indent(1);
        }
        if let Some(&tag) = tags.get(regions) {
            let all = fields(context, module.value_type(input)).unwrap_or_default();
            let at = integer(context, Some(tag)).and_then(|at| usize::try_from(at).ok());
            printer.newline();
            printer.text("case ");
            if let Some((name, _)) = at.and_then(|at| all.get(at)) {
                print_word(printer, name);
            }
            printer.text("(");
            for (value, location) in located_arguments(module, operation, regions) {
                printer.region_argument_name(value, location);
            }
            printer.text(") ");
            return region(regions);
        }
        printer.indent(-1);
        printer.newline();
        printer.text("}");
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let regions = module.regions(operation).len();
        let Some(input) = module.operands(operation).next() else {
            return false;
        };
        let of = module.value_type(input);
        let all = fields(context, of).unwrap_or_default();
        let tags = items(context, module.attribute(context, operation, "tags"));
        let is_case = |(number, &tag): (usize, &Attribute)| {
            let at = integer(context, Some(tag)).and_then(|at| usize::try_from(at).ok());
            let region = module.region(operation, number);
            let block = region.and_then(|region| module.first_block(region));
            let arguments = located_arguments(module, operation, number);
            let ([(argument, _)], Some(&(_, ty))) = (&*arguments, at.and_then(|at| all.get(at)))
            else {
                return false;
            };
            block.is_some_and(|block| module.next_block(block).is_none())
                && super::fields::is_field_type(context, of, ty, module.value_type(*argument))
        };
        matches!(context.type_kind(of), TypeKind::Dialect { .. })
            && crate::func::has_shape(module, operation, 1, 0, regions)
            && tags
                .is_some_and(|tags| tags.len() == regions && tags.iter().enumerate().all(is_case))
    }
}
