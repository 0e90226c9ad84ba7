//! `vector.outerproduct` and `vector.shuffle`: operations whose result type several operand types
//! determine.

use crate::func::has_shape;
use crate::helpers::{
    add_operands, comma_separated_types, numbers, operand_names, operand_types, property,
    result_types,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{Context, Module, Operation, Type, TypeKind, Value};

/// Custom syntax of `vector.outerproduct`: `%a, %b[, %acc] {...} : type, type`.
#[derive(Debug)]
pub(crate) struct OuterProduct;

/// Returns the type of an outer product: a matrix for two vectors, the vector's type for a vector
/// and a scalar.
fn product(context: &Context, left: Type, right: Type) -> Option<TypeKind> {
    let TypeKind::Vector {
        shape,
        scalable,
        element,
    } = context.type_kind(left)
    else {
        return None;
    };
    let (mut shape, mut scalable) = (shape.to_vec(), scalable.to_vec());
    if let TypeKind::Vector {
        shape: other,
        scalable: other_scalable,
        ..
    } = context.type_kind(right)
    {
        shape.extend_from_slice(other);
        scalable.extend_from_slice(other_scalable);
    }
    Some(TypeKind::Vector {
        shape: shape.into(),
        scalable: scalable.into(),
        element: *element,
    })
}

/// As [`product`], interned.
fn product_type(context: &mut Context, left: Type, right: Type) -> Option<Type> {
    let kind = product(context, left, right)?;
    context.try_type(kind).ok()
}

impl OperationSyntax for OuterProduct {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let place = parser.place();
        let names = operand_names(parser)?;
        if names.len() < 2 {
            return Err(AsmError::new(place, "expected at least 2 operands"));
        }
        operation.attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let place = parser.place();
        let left = parser.ty()?;
        if !parser.eat(",") {
            return Err(AsmError::new(place, "expected 2 types"));
        }
        let right = parser.ty()?;
        let Some(result) = product_type(parser.context(), left, right) else {
            return Err(AsmError::new(place, "expected vector type for operand #1"));
        };
        add_operands(
            parser,
            operation,
            names.into_iter().zip([left, right, result]),
        )?;
        operation.result_types.push(result);
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let attributes = module.all_attributes(context, operation);
        let operands: Vec<Value> = module.operands(operation).collect();
        let types = operand_types(module, operation, 0);
        // Without a third operand, the kind has no effect and is omitted.
        let elided: &[&str] = if operands.len() > 2 { &[] } else { &["kind"] };
        printer.text(" ");
        printer.operands(operands.into_iter());
        printer.attribute_dictionary(&attributes, elided);
        printer.text(" : ");
        printer.types(types.into_iter().take(2));
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let types = operand_types(module, operation, 0);
        let [left, right, rest @ ..] = types.as_slice() else {
            return false;
        };
        let results = result_types(module, operation);
        let found = results.first().map(|&ty| context.type_kind(ty).clone());
        has_shape(module, operation, types.len(), 1, 0)
            && rest.len() <= 1
            && rest.iter().all(|ty| results.first() == Some(ty))
            && found.is_some()
            && found == product(context, *left, *right)
    }
}

/// Custom syntax of `vector.shuffle`: `%a, %b [0, 1] {...} : type, type`.
#[derive(Debug)]
pub(crate) struct Shuffle;

/// Returns the type of a shuffle: one element for each number of the mask, with all dimensions but
/// the first.
fn shuffled(context: &Context, first: Type, count: usize) -> Option<TypeKind> {
    let TypeKind::Vector { shape, element, .. } = context.type_kind(first) else {
        return None;
    };
    let mut sizes = vec![i64::try_from(count).ok()?];
    sizes.extend(shape.iter().skip(1));
    Some(TypeKind::Vector {
        scalable: vec![false; sizes.len()].into(),
        shape: sizes.into(),
        element: *element,
    })
}

impl OperationSyntax for Shuffle {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let place = parser.place();
        let names = operand_names(parser)?;
        let mask = crate::helpers::bracketed(parser)?;
        let numbers = parser.context().i64_array_attribute(mask.iter().copied());
        property(parser, operation, "mask", numbers);
        operation.attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let type_place = parser.place();
        let types = comma_separated_types(parser)?;
        crate::helpers::check_count(names.len(), types.len(), place)?;
        let first = types.first().copied();
        let context = parser.context();
        let kind = first.and_then(|first| shuffled(context, first, mask.len()));
        let Some(result) = kind.and_then(|kind| context.try_type(kind).ok()) else {
            return Err(AsmError::new(type_place, "expected vector types"));
        };
        add_operands(parser, operation, names.into_iter().zip(types))?;
        operation.result_types.push(result);
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let attributes = module.all_attributes(context, operation);
        let mask = numbers(context, module.attribute(context, operation, "mask"));
        let mask: Vec<String> = mask.iter().flatten().map(i64::to_string).collect();
        let operands: Vec<Value> = module.operands(operation).collect();
        let types = operand_types(module, operation, 0);
        printer.text(" ");
        printer.operands(operands.into_iter());
        printer.text(&format!(" [{}]", mask.join(", ")));
        printer.attribute_dictionary(&attributes, &["mask"]);
        printer.text(" : ");
        printer.types(types.into_iter());
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let types = operand_types(module, operation, 0);
        let mask = numbers(context, module.attribute(context, operation, "mask"));
        let results = result_types(module, operation);
        let found = results.first().map(|&ty| context.type_kind(ty).clone());
        has_shape(module, operation, 2, 1, 0)
            && found.is_some()
            && mask.is_some_and(|mask| {
                found
                    == types
                        .first()
                        .and_then(|&ty| shuffled(context, ty, mask.len()))
            })
    }

    fn has_format(&self) -> bool {
        true
    }
}
