//! Custom syntax of `vm.call.variadic`, `vm.cond_fail`, `util.hoistable_conversion` and of blocks
//! of `hal.executable`.

use crate::func::has_shape;
use crate::function::{Signature, has_lists, is_body, is_entry, types_of};
use crate::helpers::{
    add_operands, assignments, between, check_count, comma_separated, dense_integers,
    entry_arguments, is_single_block, operand_types, print_assignments, print_optional_arrow_types,
    print_region, property, region_arguments, result_types, typed,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, Operation, Signedness, Type, TypeKind, Value,
};

/// Custom syntax of `vm.call.variadic`: `@f(%a, [%b, %c], [(%d, %e)]) : (i32, i32 ...,
/// tuple<i32, i32> ...) -> i32`.
#[derive(Debug)]
pub(crate) struct CallVariadic;

/// An argument of a call: an operand, or a list of them or of tuples.
struct Segment {
    /// The number of elements; -1 for an operand.
    size: i64,
    names: Vec<rmlir_ir::asm::OperandName>,
}

impl Segment {
    fn parse(parser: &mut dyn AsmParser) -> AsmResult<Self> {
        if !parser.eat("[") {
            let names = vec![parser.operand_name()?];
            return Ok(Segment { size: -1, names });
        }
        let (mut size, mut names) = (0i64, Vec::new());
        if !parser.at("]") {
            comma_separated(parser, |parser| {
                size = size.saturating_add(1);
                match parser.at("(") {
                    true => names.extend(between(parser, ("(", ")"), |p| p.operand_name())?),
                    false => names.push(parser.operand_name()?),
                }
                Ok(())
            })?;
        }
        parser.expect("]")?;
        Ok(Segment { size, names })
    }
}

/// The attributes that the text has outside of the dictionary.
const OF_CALL: [&str; 3] = ["callee", "segment_sizes", "segment_types"];

/// The segments of a call: their sizes and types.
fn segments(context: &Context, module: &Module, operation: Operation) -> Option<Vec<(i64, Type)>> {
    let sizes = module.attribute(context, operation, "segment_sizes")?;
    let types = module.attribute(context, operation, "segment_types")?;
    let AttributeKind::DenseElements { ty, .. } = context.attribute_kind(sizes) else {
        return None;
    };
    let TypeKind::Vector { element, shape, .. } = context.type_kind(*ty) else {
        return None;
    };
    let AttributeKind::Array(types) = context.attribute_kind(types) else {
        return None;
    };
    if !matches!(
        context.type_kind(*element),
        TypeKind::Integer { width: 16, .. }
    ) || shape.len() != 1
    {
        return None;
    }
    let sizes = context.dense_integers(sizes)?;
    let types = types.iter().map(|&ty| match context.attribute_kind(ty) {
        AttributeKind::Type(ty) => Some(*ty),
        _ => None,
    });
    let types: Vec<Type> = types.collect::<Option<_>>()?;
    (sizes.len() == types.len()).then(|| sizes.into_iter().zip(types).collect())
}

/// Returns the types of the operands of a segment.
fn types_of_segment(context: &Context, (size, ty): (i64, Type)) -> Option<Vec<Type>> {
    let Ok(count) = usize::try_from(size) else {
        return Some(vec![ty]);
    };
    let each = match context.type_kind(ty) {
        TypeKind::Tuple(types) => types.to_vec(),
        _ => vec![ty],
    };
    // A size that no operation has is not expanded.
    (count <= usize::from(u16::MAX)).then(|| each.repeat(count))
}

impl OperationSyntax for CallVariadic {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _: usize,
    ) -> AsmResult<ParseStep> {
        let callee = parser.attribute()?;
        property(parser, operation, "callee", callee);
        let place = parser.place();
        let segments = between(parser, ("(", ")"), Segment::parse)?;
        operation.attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let types = between(parser, ("(", ")"), |parser| {
            let ty = parser.ty()?;
            Ok((ty, parser.eat("...")))
        })?;
        check_count(segments.len(), types.len(), place)?;
        let (mut sizes, mut attributes) = (Vec::new(), Vec::new());
        for (segment, (ty, several)) in segments.into_iter().zip(types) {
            if several != (segment.size >= 0) {
                return Err(AsmError::new(place, "expected a list for a variadic type"));
            }
            let own = types_of_segment(parser.context(), (segment.size, ty)).unwrap_or_default();
            check_count(segment.names.len(), own.len(), place)?;
            add_operands(parser, operation, typed(&segment.names, &own))?;
            sizes.push(segment.size);
            attributes.push(parser.context().type_attribute(ty));
        }
        operation.result_types = crate::helpers::optional_arrow_types(parser)?;
        let context = parser.context();
        let types = context.array_attribute(&attributes);
        let i16 = context.try_type(TypeKind::Integer {
            width: 16,
            signedness: Signedness::Signless,
        });
        let sizes = i16
            .ok()
            .and_then(|i16| dense_integers(context, i16, &sizes, true));
        property(parser, operation, "segment_types", types);
        if let Some(sizes) = sizes {
            property(parser, operation, "segment_sizes", sizes);
        }
        Ok(ParseStep::Done)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, operation: Operation, _: usize) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        printer.text(" ");
        if let Some(callee) = module.attribute(context, operation, "callee") {
            printer.attribute(callee);
        }
        let segments = segments(context, module, operation).unwrap_or_default();
        let mut operands = module.operands(operation);
        printer.text("(");
        for (number, &segment) in segments.iter().enumerate() {
            printer.text(if number > 0 { ", " } else { "" });
            let count = types_of_segment(context, segment).map_or(0, |types| types.len());
            let own: Vec<Value> = operands.by_ref().take(count).collect();
            if segment.0 < 0 {
                printer.operands(own.into_iter());
                continue;
            }
            printer.text("[");
            match context.type_kind(segment.1) {
                TypeKind::Tuple(types) => {
                    for (number, tuple) in own.chunks(types.len().max(1)).enumerate() {
                        printer.text(if number > 0 { ", (" } else { "(" });
                        printer.operands(tuple.iter().copied());
                        printer.text(")");
                    }
                }
                _ => printer.operands(own.into_iter()),
            }
            printer.text("]");
        }
        printer.text(")");
        let attributes = module.all_attributes(context, operation);
        printer.attribute_dictionary(&attributes, &OF_CALL);
        printer.text(" : (");
        for (number, &(size, ty)) in segments.iter().enumerate() {
            printer.text(if number > 0 { ", " } else { "" });
            printer.ty(ty);
            printer.text(if size < 0 { "" } else { " ..." });
        }
        printer.text(")");
        print_optional_arrow_types(printer, &result_types(module, operation));
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let Some(segments) = segments(context, module, operation) else {
            return false;
        };
        let mut types = Vec::new();
        for segment in segments {
            // Empty tuples leave no trace of their number.
            let is_empty =
                matches!(context.type_kind(segment.1), TypeKind::Tuple(t) if t.is_empty());
            match types_of_segment(context, segment) {
                Some(own) if segment.0 >= -1 && !(is_empty && segment.0 >= 0) => types.extend(own),
                _ => return false,
            }
        }
        let results = module.result_count(operation);
        types == operand_types(module, operation, 0)
            && has_shape(module, operation, types.len(), results, 0)
            && module.attribute(context, operation, "callee").is_some_and(|callee| {
                matches!(context.attribute_kind(callee), AttributeKind::SymbolRef { nested, .. } if nested.is_empty())
            })
    }
}

/// Custom syntax of `vm.cond_fail`: `%status, "message"`, `%condition, %status`.
#[derive(Debug)]
pub(crate) struct CondFail;

impl OperationSyntax for CondFail {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _: usize,
    ) -> AsmResult<ParseStep> {
        let condition = parser.operand_name()?;
        let mut status = condition;
        let mut more = parser.eat(",");
        if more && parser.at_operand() {
            status = parser.operand_name()?;
            more = parser.eat(",");
        }
        if more {
            let message = parser.attribute()?;
            property(parser, operation, "message", message);
        }
        operation.attributes = parser.attribute_dictionary()?;
        let i32 = parser.context().i32_type();
        add_operands(parser, operation, [(condition, i32), (status, i32)])?;
        Ok(ParseStep::Done)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, operation: Operation, _: usize) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let mut operands: Vec<Value> = module.operands(operation).collect();
        operands.dedup();
        printer.text(" ");
        printer.operands(operands.into_iter());
        let message = module.attribute(context, operation, "message");
        if let Some(message) = message.and_then(|message| context.string_value(message)) {
            printer.text(", ");
            printer.string(message);
        }
        let attributes = module.all_attributes(context, operation);
        printer.attribute_dictionary(&attributes, &["message"]);
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let i32 = context.i32_type();
        has_shape(module, operation, 2, 0, 0)
            && operand_types(module, operation, 0) == [i32, i32]
            && module
                .attribute(context, operation, "message")
                .is_none_or(|message| crate::func::is_plain_string(context, message))
    }
}

/// Custom syntax of `util.hoistable_conversion`: `"tag" inverts("other") (%a = %b) : (i32) -> i64
/// {...}`.
#[derive(Debug)]
pub(crate) struct Conversion;

const TAGS: [&str; 2] = ["tag", "inverseTag"];

impl OperationSyntax for Conversion {
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
        let tag = parser.attribute()?;
        parser.expect("inverts")?;
        parser.expect("(")?;
        let inverse = parser.attribute()?;
        parser.expect(")")?;
        for (name, value) in TAGS.into_iter().zip([tag, inverse]) {
            property(parser, operation, name, value);
        }
        let place = parser.place();
        let (arguments, inputs) = assignments(parser)?;
        parser.expect(":")?;
        let type_place = parser.place();
        let ty = parser.ty()?;
        let TypeKind::Function {
            inputs: types,
            results,
        } = parser.context().type_kind(ty).clone()
        else {
            return Err(AsmError::new(type_place, "expected function type"));
        };
        check_count(inputs.len(), types.len(), place)?;
        add_operands(parser, operation, typed(&inputs, &types))?;
        operation.result_types = results.to_vec();
        Ok(ParseStep::Region(region_arguments(&arguments, &types)))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        if regions > 0 {
            let attributes = module.all_attributes(context, operation);
            printer.attribute_dictionary(&attributes, &TAGS);
            return PrintStep::Done;
        }
        let tag = |name: &str| {
            let tag = module.attribute(context, operation, name);
            tag.and_then(|tag| context.string_value(tag))
                .unwrap_or_default()
        };
        printer.text(" ");
        printer.string(tag("tag"));
        printer.text(" inverts(");
        printer.string(tag("inverseTag"));
        printer.text(")");
        let operands: Vec<Value> = module.operands(operation).collect();
        print_assignments(
            printer,
            " ",
            &entry_arguments(module, operation, 0),
            &operands,
        );
        printer.text(" : (");
        printer.types(operand_types(module, operation, 0).into_iter());
        printer.text(")");
        let results = result_types(module, operation);
        match results.is_empty() {
            true => printer.text(" -> ()"),
            false => print_optional_arrow_types(printer, &results),
        }
        printer.text(" ");
        print_region(0, true)
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let types = operand_types(module, operation, 0);
        let results = module.result_count(operation);
        let is_tag = |name: &str| {
            let tag = module.attribute(context, operation, name);
            tag.is_some_and(|tag| crate::func::is_plain_string(context, tag))
        };
        TAGS.into_iter().all(is_tag)
            && has_shape(module, operation, types.len(), results, 1)
            && is_single_block(module, module.region(operation, 0), &types)
    }
}

/// Custom syntax of `hal.executable.constant.block`, `(%a: type) -> (i32, i32) as ("a", "b")
/// attributes {...} {...}`, or without `keys` of `hal.executable.condition`, `(%a: type) -> i1
/// {...} attributes {...}`.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) keys: bool,
}

/// The attributes that the text has outside of the dictionary.
const OF_BLOCK: [&str; 4] = ["function_type", "keys", "arg_attrs", "res_attrs"];

/// Returns the keys of the results.
fn keys(context: &Context, module: &Module, operation: Operation) -> Option<Vec<Attribute>> {
    match context.attribute_kind(module.attribute(context, operation, "keys")?) {
        AttributeKind::Array(keys) => Some(keys.to_vec()),
        _ => None,
    }
}

impl OperationSyntax for Block {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            if !self.keys {
                operation.attributes = parser.attribute_dictionary_with_keyword()?;
            }
            return Ok(ParseStep::Done);
        }
        let place = parser.place();
        let signature = Signature::parse(parser, false)?;
        let function_type = signature.function_type(parser, operation);
        property(parser, operation, "function_type", function_type);
        if self.keys {
            parser.expect("as")?;
            let keys = match parser.at("(") {
                true => between(parser, ("(", ")"), |parser| parser.attribute())?,
                false => vec![parser.attribute()?],
            };
            check_count(signature.results.len(), keys.len(), place)?;
            let keys = parser.context().array_attribute(&keys);
            property(parser, operation, "keys", keys);
            operation.attributes = parser.attribute_dictionary_with_keyword()?;
        }
        signature.set_attributes(parser, operation)?;
        Ok(ParseStep::Region(signature.entry_arguments(parser)))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let attributes = module.all_attributes(context, operation);
        if regions > 0 {
            if !self.keys {
                printer.attribute_dictionary_with_keyword(&attributes, &OF_BLOCK);
            }
            return PrintStep::Done;
        }
        let (inputs, outputs) = crate::function::function_types(printer, operation);
        crate::function::print_signature(printer, operation, inputs, outputs);
        if self.keys {
            let keys = keys(context, module, operation).unwrap_or_default();
            let wrapped = keys.len() != 1;
            printer.text(if wrapped { " as (" } else { " as " });
            for (number, &key) in keys.iter().enumerate() {
                printer.text(if number > 0 { ", " } else { "" });
                printer.attribute(key);
            }
            printer.text(if wrapped { ")" } else { "" });
            printer.attribute_dictionary_with_keyword(&attributes, &OF_BLOCK);
        }
        printer.text(" ");
        print_region(0, true)
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let ty = module.attribute(context, operation, "function_type");
        let Some((inputs, outputs)) = types_of(context, ty) else {
            return false;
        };
        let keys = keys(context, module, operation);
        has_shape(module, operation, 0, 0, 1)
            && has_lists(context, module, operation, inputs.len(), outputs.len())
            && is_body(module, operation, inputs)
            && is_entry(module, operation)
            && match self.keys {
                true => keys.is_some_and(|keys| keys.len() == outputs.len()),
                false => true,
            }
    }
}
