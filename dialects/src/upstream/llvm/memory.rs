//! Operations on memory, aggregates and comparisons: syntax that data cannot express.

use super::enums::{keyword, value};
use super::types;
use crate::func::has_shape;
use crate::function::property;
use crate::helpers::numbers;
use crate::upstream::derived::Derivation;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperationSyntax, ParseStep,
    ParsedArgument, ParsedOperation, PrintStep, PrintedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Type, TypeKind};

/// Custom syntax of `llvm.alloca`: `inalloca %count x type {...} : (i64) -> !llvm.ptr`.
#[derive(Debug)]
pub(crate) struct Alloca;

/// Returns the value of the alignment attribute of an allocation.
fn alignment(context: &Context, module: &Module, operation: Operation) -> Option<i64> {
    let value = module.attribute(context, operation, "alignment")?;
    match context.attribute_kind(value) {
        AttributeKind::Integer { value, .. } => value.to_i64(),
        _ => None,
    }
}

impl OperationSyntax for Alloca {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        if parser.eat("inalloca") {
            let unit = parser.context().unit_attribute();
            property(parser, operation, "inalloca", unit);
        }
        let count = parser.operand_name()?;
        parser.expect("x")?;
        let element = parser.ty()?;
        let element = parser.context().type_attribute(element);
        property(parser, operation, "elem_type", element);
        let attributes_place = parser.place();
        let attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let place = parser.place();
        let ty = parser.ty()?;
        let context = parser.context();
        for (name, value) in attributes {
            if context.bytes(name) == b"alignment" {
                let AttributeKind::Integer { value, .. } = context.attribute_kind(value) else {
                    let message = "expected integer alignment";
                    return Err(AsmError::new(attributes_place, message));
                };
                // Upstream drops an alignment of 0, which denotes none.
                if value.to_i64() == Some(0) {
                    continue;
                }
            }
            operation.attributes.push((name, value));
        }
        let types = match parser.context().type_kind(ty) {
            TypeKind::Function { inputs, results } => match (&**inputs, &**results) {
                (&[input], &[result]) => Some((input, result)),
                _ => None,
            },
            _ => None,
        };
        let Some((input, result)) = types else {
            let message = "expected trailing function type with one argument and one result";
            return Err(AsmError::new(place, message));
        };
        operation.operands.push(parser.resolve(count, input)?);
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
        let attribute = |name| module.attribute(context, operation, name);
        let (inalloca, element) = (attribute("inalloca"), attribute("elem_type"));
        let attributes = module.all_attributes(context, operation);
        let operand = module.operand(operation, 0);
        let result = module.result(operation, 0);
        let types = [operand, result].map(|value| value.map(|value| module.value_type(value)));
        printer.text(if inalloca.is_some() {
            " inalloca "
        } else {
            " "
        });
        let (Some(operand), Some(element), [Some(input), Some(output)]) = (operand, element, types)
        else {
            return PrintStep::Done;
        };
        printer.operand(operand);
        printer.text(" x ");
        printer.attribute(element);
        printer.attribute_dictionary(&attributes, &["elem_type", "inalloca"]);
        printer.text(" : (");
        printer.ty(input);
        printer.text(") -> ");
        printer.ty(output);
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let attribute = |name| module.attribute(context, operation, name);
        let is_type = |a| matches!(context.attribute_kind(a), AttributeKind::Type(_));
        has_shape(module, operation, 1, 1, 0)
            && attribute("elem_type").is_some_and(is_type)
            && attribute("inalloca").is_none_or(|a| a == context.unit_attribute())
            // The custom form has no alignment of 0.
            && alignment(context, module, operation) != Some(0)
    }
}

/// The placeholder among constant indices for an index that is a value.
const DYNAMIC_INDEX: i32 = i32::MIN;

/// The directive for the indices of `llvm.getelementptr`: `%a, 1, %b`.
#[derive(Debug)]
pub(crate) struct GepIndices;

impl DirectiveSyntax for GepIndices {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let (mut names, mut indices) = (Vec::new(), Vec::new());
        loop {
            let place = parser.place();
            if parser.at_operand() {
                names.push(parser.operand_name()?);
                indices.push(DYNAMIC_INDEX);
            } else {
                let index = parser.optional_integer()?;
                let index = index.and_then(|index| i32::try_from(index).ok());
                indices.push(index.ok_or_else(|| AsmError::new(place, "expected integer value"))?);
            }
            if !parser.eat(",") {
                break;
            }
        }
        let array = Some(
            parser
                .context()
                .i32_array_attribute(indices.iter().copied()),
        );
        if let [values, constants, ..] = arguments {
            *values = ParsedArgument::Operands(names);
            *constants = ParsedArgument::Attribute(array);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [values, constants, ..] = arguments else {
            return;
        };
        let constants = constants.attribute();
        let indices = constants.and_then(|a| printer.context().i32_array(a));
        let mut values = values.operands().iter();
        for (number, index) in indices.into_iter().flatten().enumerate() {
            if number > 0 {
                printer.text(", ");
            }
            match index {
                DYNAMIC_INDEX => {
                    if let Some(&value) = values.next() {
                        printer.operand(value);
                    }
                }
                index => printer.text(&index.to_string()),
            }
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [values, constants, ..] = arguments else {
            return false;
        };
        let indices = constants.attribute().and_then(|a| context.i32_array(a));
        indices.is_some_and(|indices| {
            let is_empty = indices.len() == 0;
            let dynamic = indices.filter(|&index| index == DYNAMIC_INDEX);
            !is_empty && dynamic.count() == values.operands().len()
        })
    }
}

/// The directive for the type of an element of an aggregate, which is omitted: the aggregate's type
/// and the position determine it.
#[derive(Debug)]
pub(crate) struct InsertExtractValueElementType;

impl DirectiveSyntax for InsertExtractValueElementType {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let [
            element,
            ParsedArgument::Types(container),
            ParsedArgument::Attribute(position),
        ] = arguments
        else {
            return Ok(false);
        };
        let context = parser.context();
        let position = numbers(context, *position).unwrap_or_default();
        let found = container
            .first()
            .and_then(|&ty| types::element(context, ty, &position))
            .map(types::Element::detach);
        let found = found.and_then(|found| found.ty(context));
        let Some(found) = found else {
            let message = "expected a position inside of an LLVM struct or array";
            return Err(AsmError::new(place, message));
        };
        *element = ParsedArgument::Types(vec![found]);
        Ok(true)
    }

    fn print(&self, _: &mut dyn AsmPrinter, _: Operation, _: &[PrintedArgument]) {}

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [element, container, position] = arguments else {
            return false;
        };
        let (Some(position), [element], [container]) = (
            numbers(context, position.attribute()),
            element.types(),
            container.types(),
        ) else {
            return false;
        };
        types::element(context, *container, &position)
            .is_some_and(|found| found.is(context, *element))
    }
}

/// Derives the result type of `llvm.cmpxchg`, a struct of the value and an `i1`, from the value's
/// type.
#[derive(Debug)]
pub(crate) struct CmpXchgResult;

impl Derivation for CmpXchgResult {
    const EXPECTED: &'static str = "expected LLVM IR Dialect type";

    fn derive(context: &mut Context, value: Type) -> Option<Type> {
        let i1 = context.i1_type();
        types::pair(context, [value, i1])
    }

    fn is(context: &Context, ty: Type, value: Type) -> bool {
        types::is_pair(context, ty, [value, context.i1_type()])
    }
}

/// The directive for the result type of a shuffle, which is omitted: a vector with one element for
/// each element of the mask.
#[derive(Debug)]
pub(crate) struct ShuffleType;

/// Returns the element type of a vector of rank 1, and whether it is scalable.
fn vector_of(context: &Context, ty: Type) -> Option<(Type, bool)> {
    match context.type_kind(ty) {
        TypeKind::Vector {
            scalable, element, ..
        } => Some((*element, scalable.iter().any(|&scalable| scalable))),
        _ => None,
    }
}

impl DirectiveSyntax for ShuffleType {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let [
            ParsedArgument::Types(operand),
            result,
            ParsedArgument::Attribute(mask),
        ] = arguments
        else {
            return Ok(false);
        };
        let context = parser.context();
        let mask = mask.and_then(|mask| context.i32_array(mask));
        let found = operand.first().and_then(|&ty| vector_of(context, ty));
        let len = mask.and_then(|mask| i64::try_from(mask.len()).ok());
        let (Some((element, scalable)), Some(len)) = (found, len) else {
            return Err(AsmError::new(
                place,
                "expected an LLVM compatible vector type",
            ));
        };
        let kind = TypeKind::Vector {
            shape: [len].into(),
            scalable: [scalable].into(),
            element,
        };
        let ty = context.try_type(kind);
        let ty = ty.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        *result = ParsedArgument::Types(vec![ty]);
        Ok(true)
    }

    fn print(&self, _: &mut dyn AsmPrinter, _: Operation, _: &[PrintedArgument]) {}

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [operand, result, mask] = arguments else {
            return false;
        };
        let mask = mask.attribute().and_then(|mask| context.i32_array(mask));
        let (Some(mask), [operand], [result]) = (mask, operand.types(), result.types()) else {
            return false;
        };
        let shape = context.shape(*result).unwrap_or_default();
        vector_of(context, *operand) == vector_of(context, *result)
            && matches!(*shape, [len] if usize::try_from(len) == Ok(mask.len()))
    }
}

/// The directive for the predicate of a comparison: `"slt"`.
#[derive(Debug)]
pub(crate) struct Predicate {
    /// The enumeration of the dialect.
    pub(crate) enumeration: &'static str,
}

impl Predicate {
    fn keyword(&self, context: &Context, predicate: Option<Attribute>) -> Option<String> {
        match context.attribute_kind(predicate?) {
            AttributeKind::Integer { value, .. } => {
                let value = u64::try_from(value.to_i64()?).ok()?;
                keyword(context, self.enumeration, value)
            }
            _ => None,
        }
    }
}

impl DirectiveSyntax for Predicate {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let read = parser.attribute()?;
        let context = parser.context();
        let text = context.string_value(read);
        let text = text.map(|text| String::from_utf8_lossy(text).into_owned());
        let Some(text) = text else {
            return Err(AsmError::new(place, "expected string attribute"));
        };
        let Some(number) = value(context, self.enumeration, &text) else {
            let message = format!("'{text}' is an incorrect value of the 'predicate' attribute");
            return Err(AsmError::new(place, message));
        };
        let ty = context.i64_type();
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        let number = context.integer_attribute(ty, number);
        let number = number.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        if let [predicate, ..] = arguments {
            *predicate = ParsedArgument::Attribute(Some(number));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let predicate = arguments.first().and_then(PrintedArgument::attribute);
        let keyword = self.keyword(printer.context(), predicate);
        printer.text(&format!("\"{}\"", keyword.unwrap_or_default()));
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let predicate = arguments.first().and_then(PrintedArgument::attribute);
        self.keyword(context, predicate).is_some()
    }
}
