//! Hooks of the `pdl` and `pdl_interp` dialects.

use crate::directive::{Directive, Printed, TwoWayDirective};
use crate::entry::{EntryAsm, TwoWayEntry, required, set};
use crate::func::is_plain_string;
use crate::helpers::{add_operands, entry_arguments, is_unit};
use crate::two_way::{Argument, Asm, Named, TwoWay, TypedValues, items, other_attributes};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut,
    ParsedArgument, ParsedOperation, RegionArgument,
};
use rmlir_ir::{
    Attribute, Block, Context, DialectBody, Invalid, Module, NamedAttribute, Op, Operation,
    OperationVerifier, Type, TypeKind, VerifyFailure, VerifyResult,
};

/// The directive `{"name" = %attribute, ...}`: the values, and an array of the names. Absent if
/// there are none.
#[derive(Debug)]
pub(crate) struct OperationAttributes {
    /// The printed text of the bracket.
    pub(crate) open: &'static str,
}

/// Custom syntax of `pdl_interp.func`.
pub(crate) static INTERP_FUNC: crate::two_way::Syntax<crate::function::Function> =
    crate::two_way::Syntax(crate::function::Function::new("pdl_interp.func", ""));

/// The directive of `pdl` and `pdl_interp`.
pub(crate) static OPERATION_ATTRIBUTES: Directive<OperationAttributes> =
    Directive(OperationAttributes { open: " {" });

impl TwoWayDirective for OperationAttributes {
    type Content = Vec<(Option<Attribute>, Named)>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [values, names, ..] = printed.arguments else {
            return None;
        };
        let names = items(printed.context, names.attribute())?;
        let is_string = |&name: &Attribute| is_plain_string(printed.context, name);
        // A following dictionary would be parsed as the empty list.
        let is_lost = names.is_empty() && printed.module.attributes(printed.operation).is_some();
        let fits = names.len() == values.operands().len() && names.iter().all(is_string);
        let values = values.operands().iter().map(|&value| Named::of(value));
        (fits && !is_lost).then(|| names.iter().copied().map(Some).zip(values).collect())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if !asm.is_there("{", !content.is_empty()) {
            return Ok(false);
        }
        asm.token("{", self.open)?;
        asm.items(content, |asm, (name, value)| {
            asm.string_as_attribute(name)?;
            asm.token("=", " = ")?;
            asm.value(value)
        })?;
        asm.token("}", "}")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let (names, values): (Vec<_>, Vec<_>) = content.into_iter().unzip();
        let names: Vec<Attribute> = names.into_iter().flatten().collect();
        let names = parser.context().array_attribute(&names);
        if let [of_values, of_names, ..] = arguments {
            *of_values = ParsedArgument::Operands(Named::names(&values));
            *of_names = ParsedArgument::Attribute(Some(names));
        }
        Ok(())
    }
}

/// Returns the body of a type of the `pdl` dialect, if it contains no references.
fn body(context: &Context, ty: Type) -> Option<&str> {
    match context.type_kind(ty) {
        TypeKind::Dialect { dialect, body }
            if context.bytes(*dialect) == b"pdl" && body.references().is_empty() =>
        {
            std::str::from_utf8(body.text()).ok()
        }
        _ => None,
    }
}

/// Returns the text of the range type whose elements have type `ty`, or, if `ty` is a range, of
/// that range.
fn range_text(context: &Context, ty: Type) -> Option<String> {
    let text = body(context, ty)?;
    Some(match text.starts_with("range<") {
        true => text.to_owned(),
        false => format!("range<{text}>"),
    })
}

fn pdl_type(context: &mut Context, text: &str) -> Option<Type> {
    let kind = TypeKind::Dialect {
        dialect: context.identifier("pdl"),
        body: DialectBody::from_text(text.as_bytes()),
    };
    context.try_type(kind).ok()
}

/// The directive `: type` of `pdl_interp.create_range`: printed only if there are no elements,
/// whose types otherwise determine it.
#[derive(Debug)]
pub(crate) struct RangeType;

/// The parsed parts of [`RangeType`].
#[derive(Default)]
pub(crate) struct RangeContent {
    element: Option<Type>,
    ty: Option<Type>,
}

impl TwoWayDirective for RangeType {
    type Content = RangeContent;

    fn content(&self, printed: &Printed<'_>) -> Option<RangeContent> {
        let [elements, result, ..] = printed.arguments else {
            return None;
        };
        let &[ty] = result.types() else {
            return None;
        };
        let element = elements.types().first().copied();
        let fits = element.is_none_or(|element| {
            let expected = range_text(printed.context, element);
            expected.is_some() && expected.as_deref() == body(printed.context, ty)
        });
        let ty = Some(ty);
        fits.then_some(RangeContent { element, ty })
    }

    fn given(&self, arguments: &[ParsedArgument]) -> RangeContent {
        let element = match arguments {
            [ParsedArgument::Types(elements), ..] => elements.first().copied(),
            _ => None,
        };
        RangeContent { element, ty: None }
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut RangeContent) -> AsmResult<bool> {
        if content.element.is_none() {
            asm.token(":", ": ")?;
            asm.ty(&mut content.ty)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: RangeContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let mut ty = content.ty;
        if let Some(element) = content.element {
            let place = parser.place();
            let context = parser.context();
            let text = range_text(context, element);
            let made = text.and_then(|text| pdl_type(context, &text));
            let missing = || AsmError::new(place, "expected elements of PDL types");
            ty = Some(made.ok_or_else(missing)?);
        }
        if let [_, result, ..] = arguments {
            *result = ParsedArgument::Types(ty.into_iter().collect());
        }
        Ok(())
    }
}

/// The directive `-> type` of the results with an index. All results together have the type
/// `range<value>`, which is omitted.
#[derive(Debug)]
pub(crate) struct ResultsValueType;

const VALUES: &str = "range<value>";

/// The parsed parts of [`ResultsValueType`].
#[derive(Default)]
pub(crate) struct ResultsContent {
    has_index: bool,
    ty: Option<Type>,
}

impl TwoWayDirective for ResultsValueType {
    type Content = ResultsContent;

    fn content(&self, printed: &Printed<'_>) -> Option<ResultsContent> {
        let [index, result, ..] = printed.arguments else {
            return None;
        };
        let &[ty] = result.types() else {
            return None;
        };
        let has_index = index.attribute().is_some();
        (has_index || body(printed.context, ty) == Some(VALUES)).then_some(ResultsContent {
            has_index,
            ty: Some(ty),
        })
    }

    fn given(&self, arguments: &[ParsedArgument]) -> ResultsContent {
        let index = arguments.first();
        ResultsContent {
            has_index: matches!(index, Some(ParsedArgument::Attribute(Some(_)))),
            ty: None,
        }
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ResultsContent) -> AsmResult<bool> {
        if content.has_index {
            asm.token("->", " -> ")?;
            asm.ty(&mut content.ty)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: ResultsContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = parser.place();
        let ty = content.ty.or_else(|| pdl_type(parser.context(), VALUES));
        let ty = ty.ok_or_else(|| AsmError::new(place, "expected a type"))?;
        if let [_, result, ..] = arguments {
            *result = ParsedArgument::Types(vec![ty]);
        }
        Ok(())
    }
}

/// The directive `-> <inferred>` or `-> (%types : types)`: the operands, their types, and whether
/// they are inferred.
#[derive(Debug)]
pub(crate) struct CreateOperationResults;

/// The parsed parts of [`CreateOperationResults`].
#[derive(Default)]
pub(crate) struct CreatedContent {
    inferred: bool,
    types: TypedValues,
}

impl TwoWayDirective for CreateOperationResults {
    type Content = CreatedContent;

    fn content(&self, printed: &Printed<'_>) -> Option<CreatedContent> {
        let [operands, _, inferred, ..] = printed.arguments else {
            return None;
        };
        let (operands, inferred) = (operands.operands(), inferred.attribute());
        let fits =
            is_unit(printed.context, inferred) && (inferred.is_none() || operands.is_empty());
        fits.then(|| CreatedContent {
            inferred: inferred.is_some(),
            types: TypedValues::of(printed.module, operands),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut CreatedContent) -> AsmResult<bool> {
        if !asm.is_there("->", content.inferred || !content.types.values.is_empty()) {
            return Ok(true);
        }
        asm.token("->", " -> ")?;
        asm.optional("<", "<", &mut content.inferred);
        if content.inferred {
            asm.token("inferred", "inferred")?;
            asm.token(">", ">")?;
        } else {
            asm.typed_values_between(("(", ")"), &mut content.types, None)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: CreatedContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [operands, types, inferred, ..] = arguments {
            let unit = parser.context().unit_attribute();
            *operands = ParsedArgument::Operands(Named::names(&content.types.values));
            *types = ParsedArgument::Types(content.types.types);
            *inferred = ParsedArgument::Attribute(content.inferred.then_some(unit));
        }
        Ok(())
    }
}

/// Custom syntax of `pdl_interp.foreach`: `%item : type in %range {...} {...} -> ^successor`. The
/// type of the range follows from that of its items.
#[derive(Debug)]
pub(crate) struct ForEach;

/// The parsed parts of [`ForEach`].
#[derive(Default)]
pub(crate) struct ForEachContent {
    item: Argument,
    type_place: Option<usize>,
    range: Named,
    attributes: Vec<NamedAttribute>,
    successor: Option<Block>,
}

/// Returns the range type whose elements have this type, if it is not a range.
fn range_of(context: &mut Context, item: Type) -> Option<Type> {
    let text = body(context, item).filter(|text| !text.starts_with("range<"))?;
    let text = format!("range<{text}>");
    pdl_type(context, &text)
}

impl TwoWay for ForEach {
    type Content = ForEachContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ForEachContent> {
        let arguments = entry_arguments(module, operation, 0);
        let &[item] = &arguments[..] else {
            return None;
        };
        let range = module.operands(operation).next()?;
        let ty = module.value_type(item);
        let text = body(context, ty).map(|text| format!("range<{text}>"))?;
        let fits = body(context, module.value_type(range)) == Some(&*text)
            && module.operand_count(operation) == 1
            && module.result_count(operation) == 0
            && module.regions(operation).len() == 1
            && module.successors(operation).len() == 1;
        fits.then(|| ForEachContent {
            item: Argument {
                value: Named::of(item),
                ty: Some(ty),
                location: None,
            },
            type_place: None,
            range: Named::of(range),
            attributes: other_attributes(context, module, operation, &[]),
            successor: module.successors(operation).next(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ForEachContent) -> AsmResult<()> {
        asm.space(" ");
        asm.value(&mut content.item.value)?;
        asm.token(":", " : ")?;
        content.type_place = asm.place();
        asm.ty(&mut content.item.ty)?;
        // LLVM reads the location, but does not print it.
        asm.location(None, &mut content.item.location)?;
        asm.token("in", " in ")?;
        asm.value(&mut content.range)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ForEachContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = content.type_place.unwrap_or_default();
        let ty = content.item.ty;
        let range = ty.and_then(|ty| range_of(parser.context(), ty));
        let range = range.ok_or_else(|| AsmError::new(place, "expected a PDL type"))?;
        let values = content.range.name.map(|name| (name, range));
        add_operands(parser, operation, values)?;
        Ok(Some(content.item.parsed().into_iter().collect()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut ForEachContent,
        _: usize,
    ) -> AsmResult<bool> {
        asm.dictionary(&mut content.attributes)?;
        asm.token("->", " -> ")?;
        asm.block(&mut content.successor)?;
        Ok(false)
    }

    fn build_after(
        &self,
        _: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ForEachContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        operation.successors.extend(content.successor);
        Ok(Vec::new())
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}

/// Verifies `pdl_interp.create_operation`: results are inferred only of operations that are known.
/// Which of these can infer them, not all definitions state.
#[derive(Debug)]
pub(crate) struct CreatedOperation;

impl OperationVerifier for CreatedOperation {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let name = op
            .attr("name")
            .and_then(|name| op.context.string_value(name));
        let Some(name) = name.filter(|_| op.attr("inferredResultTypes").is_some()) else {
            return Ok(());
        };
        let at = name.iter().position(|&byte| byte == b'.');
        let parts = at.and_then(|at| name.split_at_checked(at));
        let is_known = parts.is_some_and(|(dialect, mnemonic)| {
            let mnemonic = mnemonic.get(1..).unwrap_or_default();
            let dialect = op.context.dialect(dialect);
            dialect.is_some_and(|dialect| {
                let release = op.context.release();
                dialect.operation(mnemonic, release).is_some()
            })
        });
        match is_known {
            true => Ok(()),
            false => Err(VerifyFailure::op(format!(
                "has inferred results, but the created operation '{}' does not support result \
                 type inference (or is not registered)",
                name.escape_ascii()
            ))),
        }
    }
}

/// Verifies `pdl_interp.create_range`: the operands have the elements of the range.
#[derive(Debug)]
pub(crate) struct CreatedRange;

impl OperationVerifier for CreatedRange {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let element = |ty| {
            let text = body(op.context, ty)?;
            let inner = text
                .strip_prefix("range<")
                .and_then(|text| text.strip_suffix('>'));
            Some(inner.unwrap_or(text))
        };
        let Some(expected) = op.result_types().next().and_then(element) else {
            return Ok(());
        };
        match op
            .operand_types()
            .filter_map(element)
            .find(|&found| found != expected)
        {
            None => Ok(()),
            Some(found) => Err(VerifyFailure::op(format!(
                "expected operand to have element type '!pdl.{expected}', but got '!pdl.{found}'"
            ))),
        }
    }
}

/// The type of the elements of `!pdl.range`, without the prefix of the dialect: `range<value>`.
#[derive(Debug)]
pub(crate) struct Element;

impl TwoWayEntry for Element {
    type Content<'v> = Option<Type>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Option<Type>, Invalid> {
        required(values, 0, "expected the type of the elements")
    }

    fn text(&self, asm: &mut EntryAsm<'_>, element: &mut Option<Type>) -> AsmResult<()> {
        let place = asm.place();
        asm.bare_type("pdl", element)?;
        asm.check(place, |context| {
            match element.map(|element| context.type_kind(element)) {
                // Upstream has no space before the type, either.
                Some(TypeKind::Dialect { body, .. }) if body.mnemonic() == b"range" => {
                    let text = body.text().escape_ascii();
                    Some(format!(
                        "element of pdl.range cannot be another range, but got'!pdl.{text}'"
                    ))
                }
                _ => None,
            }
        })
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        element: Option<Type>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 0, element);
        Ok(())
    }
}
