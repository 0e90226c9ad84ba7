//! Operations on memory, aggregates and comparisons: syntax that data cannot express.

use super::enums::{keyword, value};
use super::types;
use crate::directive::{Printed, TwoWayDirective};
use crate::func::has_shape;
use crate::function::property;
use crate::helpers::{is_unit, numbers};
use crate::index_list::Index;
use crate::two_way::{Asm, Named, TwoWay, add_of_types, failure, other_attributes};
use crate::upstream::derived::Derivation;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, ParsedArgument, ParsedOperation, RegionArgument,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, DYNAMIC, Module, NamedAttribute, Operation, Type, TypeKind,
};

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

/// The parsed parts of [`Alloca`].
#[derive(Default)]
pub(crate) struct AllocaContent {
    inalloca: bool,
    count: Named,
    element: Option<Type>,
    attributes: Vec<NamedAttribute>,
    inputs: Vec<Type>,
    results: Vec<Type>,
}

impl TwoWay for Alloca {
    type Content = AllocaContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<AllocaContent> {
        let attribute = |name| module.attribute(context, operation, name);
        let AttributeKind::Type(element) = *context.attribute_kind(attribute("elem_type")?) else {
            return None;
        };
        let (count, result) = (module.operand(operation, 0)?, module.result(operation, 0)?);
        let inalloca = attribute("inalloca");
        let fits = has_shape(module, operation, 1, 1, 0)
            && is_unit(context, inalloca)
            // The custom form has no alignment of 0.
            && alignment(context, module, operation) != Some(0);
        let elided = ["elem_type", "inalloca"];
        fits.then(|| AllocaContent {
            inalloca: inalloca.is_some(),
            count: Named::of(count),
            element: Some(element),
            attributes: other_attributes(context, module, operation, &elided),
            inputs: vec![module.value_type(count)],
            results: vec![module.value_type(result)],
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut AllocaContent) -> AsmResult<()> {
        asm.space(" ");
        asm.optional("inalloca", "inalloca ", &mut content.inalloca);
        asm.value(&mut content.count)?;
        asm.token("x", " x ")?;
        asm.ty(&mut content.element)?;
        let attributes_place = asm.place();
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        let place = asm.place();
        let is_function = asm.function_type(&mut content.inputs, &mut content.results)?;
        let context = asm.context();
        let is_invalid = |&(name, value): &NamedAttribute| {
            let kind = context.attribute_kind(value);
            context.bytes(name) == b"alignment" && !matches!(kind, AttributeKind::Integer { .. })
        };
        if content.attributes.iter().any(is_invalid) {
            return Err(failure(attributes_place, "expected integer alignment"));
        }
        if !is_function || content.inputs.len() != 1 || content.results.len() != 1 {
            let message = "expected trailing function type with one argument and one result";
            return Err(failure(place, message));
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut AllocaContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if content.inalloca {
            let unit = parser.context().unit_attribute();
            property(parser, operation, "inalloca", unit);
        }
        if let Some(element) = content.element {
            let element = parser.context().type_attribute(element);
            property(parser, operation, "elem_type", element);
        }
        let context = parser.context();
        operation.attributes = std::mem::take(&mut content.attributes);
        operation.attributes.retain(|&(name, value)| {
            // Upstream drops an alignment of 0, which denotes none.
            context.bytes(name) != b"alignment"
                || crate::helpers::integer(context, Some(value)) != Some(0)
        });
        add_of_types(parser, operation, &[content.count], &content.inputs)?;
        operation.result_types = std::mem::take(&mut content.results);
        Ok(None)
    }
}

/// The placeholder among constant indices for an index that is a value.
const DYNAMIC_INDEX: i32 = i32::MIN;

/// The directive for the indices of `llvm.getelementptr`: `%a, 1, %b`.
#[derive(Debug)]
pub(crate) struct GepIndices;

impl TwoWayDirective for GepIndices {
    type Content = Vec<Index>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [values, constants, ..] = printed.arguments else {
            return None;
        };
        let constants = printed.context.i32_array(constants.attribute()?)?;
        let number = |index| match index {
            DYNAMIC_INDEX => DYNAMIC,
            index => i64::from(index),
        };
        let numbers: Vec<i64> = constants.map(number).collect();
        let list = Index::all(values.operands(), &numbers)?;
        (!list.is_empty()).then_some(list)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.items(content, |asm, index| {
            let place = asm.place();
            asm.index(index, false)?;
            match index.is_dynamic() || i32::try_from(index.number()).is_ok() {
                true => Ok(()),
                false => Err(failure(place, "expected integer value")),
            }
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let numbers = content.iter().map(Index::number);
        let numbers = numbers.map(|number| i32::try_from(number).unwrap_or(DYNAMIC_INDEX));
        let array = parser.context().i32_array_attribute(numbers);
        if let [values, constants, ..] = arguments {
            let names = Index::values(&content).filter_map(|value| value.name);
            *values = ParsedArgument::Operands(names.collect());
            *constants = ParsedArgument::Attribute(Some(array));
        }
        Ok(())
    }
}

/// The directive for the type of an element of an aggregate, which is omitted: the aggregate's type
/// and the position determine it.
#[derive(Debug)]
pub(crate) struct InsertExtractValueElementType;

impl TwoWayDirective for InsertExtractValueElementType {
    type Content = ();

    fn content(&self, printed: &Printed<'_>) -> Option<()> {
        let [element, container, position] = printed.arguments else {
            return None;
        };
        let position = numbers(printed.context, position.attribute())?;
        let ([element], [container]) = (element.types(), container.types()) else {
            return None;
        };
        let found = types::element(printed.context, *container, &position)?;
        found.is(printed.context, *element).then_some(())
    }

    fn text(&self, _: &mut Asm<'_, '_>, (): &mut ()) -> AsmResult<bool> {
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (): (),
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = parser.place();
        let [
            element,
            ParsedArgument::Types(container),
            ParsedArgument::Attribute(position),
        ] = arguments
        else {
            return Ok(());
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
        Ok(())
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

impl TwoWayDirective for ShuffleType {
    type Content = ();

    fn content(&self, printed: &Printed<'_>) -> Option<()> {
        let [operand, result, mask] = printed.arguments else {
            return None;
        };
        let context = printed.context;
        let mask = context.i32_array(mask.attribute()?)?;
        let ([operand], [result]) = (operand.types(), result.types()) else {
            return None;
        };
        let shape = context.shape(*result).unwrap_or_default();
        let fits = vector_of(context, *operand) == vector_of(context, *result)
            && matches!(*shape, [len] if usize::try_from(len) == Ok(mask.len()));
        fits.then_some(())
    }

    fn text(&self, _: &mut Asm<'_, '_>, (): &mut ()) -> AsmResult<bool> {
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (): (),
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = parser.place();
        let [
            ParsedArgument::Types(operand),
            result,
            ParsedArgument::Attribute(mask),
        ] = arguments
        else {
            return Ok(());
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
        Ok(())
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

/// The parsed parts of [`Predicate`].
#[derive(Default)]
pub(crate) struct PredicateContent {
    word: Vec<u8>,
    value: u64,
}

impl TwoWayDirective for Predicate {
    type Content = PredicateContent;

    fn content(&self, printed: &Printed<'_>) -> Option<PredicateContent> {
        let word = self.keyword(printed.context, printed.arguments.first()?.attribute())?;
        Some(PredicateContent {
            word: word.into_bytes(),
            value: 0,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut PredicateContent) -> AsmResult<bool> {
        let place = asm.place();
        if !asm.string_attribute(&mut content.word)? {
            return Err(failure(place, "expected string attribute"));
        }
        let text = String::from_utf8_lossy(&content.word);
        let Some(found) = value(asm.context(), self.enumeration, &text) else {
            let message = format!("'{text}' is an incorrect value of the 'predicate' attribute");
            return Err(failure(place, message));
        };
        content.value = found;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: PredicateContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = parser.place();
        let context = parser.context();
        let ty = context.i64_type();
        let number = i64::try_from(content.value).unwrap_or(i64::MAX);
        let number = context.integer_attribute(ty, number);
        let number = number.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        if let [predicate, ..] = arguments {
            *predicate = ParsedArgument::Attribute(Some(number));
        }
        Ok(())
    }
}
