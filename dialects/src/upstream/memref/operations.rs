//! Custom syntax of `memref.transpose`, `memref.generic_atomic_rmw` and `memref.prefetch`.

use crate::func::has_shape;
use crate::helpers::{is_single_block, names_between, operand_types, property, result_types};
use crate::upstream::affine::access::{
    PREFETCH, has_prefetch_hints, prefetch_hints, print_prefetch_hints,
};
use rmlir_ir::affine::{AffineExprKind, AffineMap};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{AttributeKind, Context, Module, Operation, Type, TypeKind, Value};

/// Custom syntax of `memref.transpose`: `%in (d0, d1) -> (d1, d0) {...} : type to type`.
#[derive(Debug)]
pub(crate) struct Transpose;

/// Returns the dimensions of a permutation map, in order of the results.
fn permutation(map: &AffineMap, context: &Context) -> Option<Vec<u32>> {
    let dim = |&expr| match context.affine().kind(expr) {
        Some(AffineExprKind::Dim(position)) => Some(position),
        _ => None,
    };
    (map.num_symbols == 0).then(|| map.results.iter().map(dim).collect())?
}

impl OperationSyntax for Transpose {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let name = parser.operand_name()?;
        let map = parser.affine_map()?;
        let map = parser.context().affine_map_attribute(map);
        property(parser, operation, "permutation", map);
        operation.attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let ty = parser.ty()?;
        parser.expect("to")?;
        operation.result_types.push(parser.ty()?);
        operation.operands.push(parser.resolve(name, ty)?);
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
        let map = module.attribute(context, operation, "permutation");
        let mut text = Vec::new();
        if let Some(AttributeKind::AffineMap(map)) = map.map(|map| context.attribute_kind(map)) {
            let _ = context.affine().print_map(map, usize::MAX, &mut text);
        }
        let types = operand_types(module, operation, 0);
        let results = result_types(module, operation);
        let value = module.operand(operation, 0);
        printer.text(" ");
        if let Some(value) = value {
            printer.operand(value);
        }
        printer.text(" ");
        printer.text(&String::from_utf8_lossy(&text));
        printer.attribute_dictionary(&attributes, &["permutation"]);
        printer.text(" : ");
        printer.types(types.into_iter());
        printer.text(" to ");
        printer.types(results.into_iter());
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let map = module.attribute(context, operation, "permutation");
        let map = map.and_then(|map| match context.attribute_kind(map) {
            AttributeKind::AffineMap(map) => permutation(map, context),
            _ => None,
        });
        has_shape(module, operation, 1, 1, 0) && map.is_some()
    }
}

/// Custom syntax of `memref.generic_atomic_rmw`: `%memref[%i] : type {...} {...}`.
#[derive(Debug)]
pub(crate) struct GenericAtomic;

/// Returns the type of the elements of a memref.
fn memref_element(context: &Context, ty: Type) -> Option<Type> {
    match context.type_kind(ty) {
        TypeKind::MemRef { element, .. } => Some(*element),
        _ => None,
    }
}

/// Returns whether all operands after the first have type `index`.
fn indices_fit(context: &Context, module: &Module, operation: Operation) -> bool {
    let index = context.index_type();
    operand_types(module, operation, 1)
        .iter()
        .all(|&ty| ty == index)
}

/// Prints ` %memref[%i, %j]`.
fn print_place(printer: &mut dyn AsmPrinter, operation: Operation) {
    let operands: Vec<Value> = printer.module().operands(operation).collect();
    if let Some((&memref, indices)) = operands.split_first() {
        printer.text(" ");
        printer.operand(memref);
        printer.text("[");
        printer.operands(indices.iter().copied());
        printer.text("]");
    }
}

impl OperationSyntax for GenericAtomic {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            operation.attributes = parser.attribute_dictionary()?;
            return Ok(ParseStep::Done);
        }
        let memref = parser.operand_name()?;
        let indices = names_between(parser, "[", "]")?;
        parser.expect(":")?;
        let place = parser.place();
        let ty = parser.ty()?;
        let Some(element) = memref_element(parser.context(), ty) else {
            return Err(AsmError::new(place, "expected a memref"));
        };
        let index = parser.context().index_type();
        operation.operands.push(parser.resolve(memref, ty)?);
        for name in indices {
            operation.operands.push(parser.resolve(name, index)?);
        }
        operation.result_types.push(element);
        Ok(ParseStep::Region(Vec::new()))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        if regions > 0 {
            let attributes = printer
                .module()
                .all_attributes(printer.context(), operation);
            printer.attribute_dictionary(&attributes, &[]);
            return PrintStep::Done;
        }
        let ty = operand_types(printer.module(), operation, 0)
            .first()
            .copied();
        print_place(printer, operation);
        printer.text(" : ");
        printer.types(ty.into_iter());
        printer.text(" ");
        PrintStep::Region {
            number: 0,
            entry_arguments: true,
            terminators: true,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let operands = module.operand_count(operation);
        let memref = operand_types(module, operation, 0).first().copied();
        let element = memref.and_then(|ty| memref_element(context, ty));
        let results = result_types(module, operation);
        has_shape(module, operation, operands, 1, 1)
            && element.is_some()
            && results.first().copied() == element
            && indices_fit(context, module, operation)
            && is_single_block(module, module.region(operation, 0), &results)
    }
}

/// Custom syntax of `memref.prefetch`: `%memref[%i], read, locality<3>, data {...} : type`.
#[derive(Debug)]
pub(crate) struct Prefetch;

impl OperationSyntax for Prefetch {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let memref = parser.operand_name()?;
        let indices = names_between(parser, "[", "]")?;
        prefetch_hints(parser, operation)?;
        operation.attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let ty = parser.ty()?;
        let index = parser.context().index_type();
        operation.operands.push(parser.resolve(memref, ty)?);
        for name in indices {
            operation.operands.push(parser.resolve(name, index)?);
        }
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
        let ty = operand_types(module, operation, 0).first().copied();
        print_place(printer, operation);
        print_prefetch_hints(printer, operation);
        printer.attribute_dictionary(&attributes, &PREFETCH);
        printer.text(" : ");
        printer.types(ty.into_iter());
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let operands = module.operand_count(operation);
        operands > 0
            && has_shape(module, operation, operands, 0, 0)
            && indices_fit(context, module, operation)
            && has_prefetch_hints(context, module, operation)
            // Upstream prints other attributes, and does not read them.
            && module.discardable_attributes(context, operation).is_empty()
    }
}
