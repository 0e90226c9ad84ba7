//! Custom syntax of the `wasmssa` dialect: functions, whose arguments are references to locals, and
//! the regions of conditions.

use super::enclosing::enclosing;
use crate::directive::{Printed, TwoWayDirective};
use crate::func::{has_shape, is_plain_string};
use crate::function::types_of;
use crate::helpers::{entry_arguments, is_unit, property};
use crate::two_way::signature::FunctionSignature;
use crate::two_way::{Asm, TwoWay, failure, other_attributes};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, ParsedArgument, ParsedOperation, PrintedArgument,
    RegionArgument,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Op, Operation, OperationVerifier,
    SymbolTableCollection, Type, VerifyFailure, VerifyResult,
};

/// The attributes that a function prints outside of its attribute dictionary.
const IN_SIGNATURE: [&str; 5] = [
    "sym_name",
    "exported",
    "functionType",
    "arg_attrs",
    "res_attrs",
];

/// The attribute of an exported symbol, and its keyword.
const EXPORTED: &str = "exported";

/// Returns the type of the local that a type refers to.
fn local_type(context: &Context, ty: Type) -> Option<Type> {
    context.parameter(ty, "elementType")?.ty()
}

/// Custom syntax of `wasmssa.func`: `exported @name(%a: !wasmssa<local ref to i32>) -> i32 {...}`.
/// The function type has the types of the locals.
#[derive(Debug)]
pub(crate) struct Func;

/// The parsed parts of [`Func`].
#[derive(Default)]
pub(crate) struct FuncContent {
    exported: bool,
    name: Option<Attribute>,
    signature: FunctionSignature,
    place: Option<usize>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Func {
    type Content = FuncContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<FuncContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let (inputs, results) = types_of(context, attribute("functionType"))?;
        let arguments = entry_arguments(module, operation, 0);
        let references = arguments.into_iter().map(|value| module.value_type(value));
        let references: Vec<Option<Type>> = references.map(Some).collect();
        let locals = references.iter().flatten();
        // Without a body upstream prints the types of the locals, which it does not read.
        let fits = locals
            .map(|&ty| local_type(context, ty))
            .eq(inputs.iter().copied().map(Some))
            && attribute("sym_name").is_some_and(|name| is_plain_string(context, name))
            && is_unit(context, attribute("exported"))
            && has_shape(module, operation, 0, 0, 1);
        if !fits {
            return None;
        }
        let results = results.iter().copied().map(Some);
        Some(FuncContent {
            exported: attribute("exported").is_some(),
            name: attribute("sym_name"),
            signature: FunctionSignature::of(context, module, operation, references, results)?,
            place: None,
            attributes: other_attributes(context, module, operation, &IN_SIGNATURE),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut FuncContent) -> AsmResult<()> {
        asm.space(" ");
        asm.optional(EXPORTED, "exported ", &mut content.exported);
        asm.symbol(&mut content.name)?;
        asm.signature(&mut content.signature, false)?;
        content.place = asm.place();
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut FuncContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if content.exported {
            let unit = parser.context().unit_attribute();
            property(parser, operation, EXPORTED, unit);
        }
        if let Some(name) = content.name {
            property(parser, operation, "sym_name", name);
        }
        let (signature, context) = (&content.signature, parser.context());
        let locals = signature.inputs().map(|ty| local_type(context, ty));
        let message = "expected references to locals as arguments";
        let locals = locals.collect::<Option<Vec<Type>>>();
        let locals = locals.ok_or_else(|| failure(content.place, message))?;
        let results: Vec<Type> = signature.results.iter().filter_map(|one| one.0).collect();
        let ty = context.function_type(&locals, &results);
        let ty = context.type_attribute(ty);
        property(parser, operation, "functionType", ty);
        operation.attributes = std::mem::take(&mut content.attributes);
        content.signature.set_attributes(parser, operation)?;
        if !parser.at("{") {
            operation.empty_regions = 1;
            return Ok(None);
        }
        Ok(Some(content.signature.entry_arguments(parser)))
    }

    fn complete_region(&self, _: &mut dyn AsmParser) -> AsmResult<()> {
        Ok(())
    }
}

/// The directive for the `else` region of a condition, which is printed as `"else "{...}`, with
/// quotation marks; an absent region has no text.
#[derive(Debug)]
pub(crate) struct ElseRegion;

/// The keyword of [`ElseRegion`]. LLVM prints it in quotation marks, and reads it with and without
/// them.
fn quoted_else(asm: &mut Asm<'_, '_>) -> AsmResult<()> {
    match asm {
        Asm::Parser(parser) => {
            let place = parser.place();
            let is_there = parser.eat("else")
                || parser
                    .optional_string()
                    .is_some_and(|word| parser.context().bytes(word) == b"else ");
            let missing = || AsmError::new(place, "expected \"else \" or '>'");
            is_there.then_some(()).ok_or_else(missing)
        }
        Asm::Printer(printer) => {
            printer.text("\"else \"");
            Ok(())
        }
    }
}

impl TwoWayDirective for ElseRegion {
    /// Whether there is a region.
    type Content = bool;

    fn content(&self, printed: &Printed<'_>) -> Option<bool> {
        let [PrintedArgument::Region { number, .. }] = printed.arguments else {
            return None;
        };
        let region = printed.module.region(printed.operation, *number);
        let block = region.and_then(|region| printed.module.first_block(region));
        let fits = block.is_none_or(|block| printed.module.argument_count(block) == 0);
        fits.then_some(block.is_some())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut bool) -> AsmResult<bool> {
        *content = !asm.is_there(">", !*content);
        if *content {
            quoted_else(asm)?;
        }
        Ok(*content)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: bool,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [ParsedArgument::Region { arguments, .. }] = arguments {
            *arguments = content.then(Vec::new);
        }
        Ok(())
    }
}

/// The directive for the omitted type of a new local: a reference to the type in the attribute.
#[derive(Debug)]
pub(crate) struct Local;

impl TwoWayDirective for Local {
    type Content = ();

    fn content(&self, printed: &Printed<'_>) -> Option<()> {
        let [target, local] = printed.arguments else {
            return None;
        };
        let AttributeKind::Type(local) = *printed.context.attribute_kind(local.attribute()?) else {
            return None;
        };
        let &[target] = target.types() else {
            return None;
        };
        (local_type(printed.context, target) == Some(local)).then_some(())
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
        let [target, ParsedArgument::Attribute(Some(local))] = arguments else {
            return Ok(());
        };
        let place = parser.place();
        let context = parser.context();
        let AttributeKind::Type(local) = *context.attribute_kind(*local) else {
            return Err(AsmError::new(place, "expected the type of the local"));
        };
        let made = context
            .build_type("wasmssa.local")
            .with("elementType", local)
            .build();
        let made = made.map_err(|error| AsmError::new(place, error.message()))?;
        *target = ParsedArgument::Types(vec![made]);
        Ok(())
    }
}

/// The directive for the keyword `exported`, which precedes the name of a symbol.
#[derive(Debug)]
pub(crate) struct Exported;

/// The parsed parts of [`Exported`].
#[derive(Default)]
pub(crate) struct ExportedContent {
    place: Option<usize>,
    /// Empty if there is none.
    keyword: Vec<u8>,
}

impl TwoWayDirective for Exported {
    type Content = ExportedContent;

    fn content(&self, printed: &Printed<'_>) -> Option<ExportedContent> {
        let exported = printed.arguments.first()?.attribute();
        let keyword = exported.map_or("", |_| EXPORTED).into();
        let place = None;
        Some(ExportedContent { place, keyword })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ExportedContent) -> AsmResult<bool> {
        if !asm.is_keyword_there(!content.keyword.is_empty()) {
            return Ok(false);
        }
        content.place = asm.place();
        asm.space(" ");
        asm.any_keyword(&mut content.keyword)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: ExportedContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let Some(place) = content.place else {
            return Ok(());
        };
        if content.keyword != EXPORTED.as_bytes() {
            let keyword = String::from_utf8_lossy(&content.keyword);
            let message = format!("expecting either `exported` or symbol name. got {keyword}");
            return Err(AsmError::new(place, message));
        }
        if let [exported, ..] = arguments {
            let unit = parser.context().unit_attribute();
            *exported = ParsedArgument::Attribute(Some(unit));
        }
        Ok(())
    }
}

/// Verifies the initial value of `wasmssa.global`: it is computed by constant expressions.
#[derive(Debug)]
pub(crate) struct Global;

impl OperationVerifier for Global {
    fn verify_regions(&self, op: Op<'_>) -> VerifyResult {
        let is_constant =
            |inner: &Op<'_>| inner.is("wasmssa.return") || inner.has_trait("ConstantExprOpTrait");
        match op.descendants().skip(1).find(|inner| !is_constant(inner)) {
            None => Ok(()),
            Some(inner) => Err(VerifyFailure::plain(format!(
                "expected a constant initializer for this operator, got '{}'",
                inner.name()
            ))),
        }
    }
}

/// Verifies `wasmssa.global_get` in the initial value of a global: it reads an imported global that
/// is not mutable.
#[derive(Debug)]
pub(crate) struct GlobalGet;

impl OperationVerifier for GlobalGet {
    fn uses_symbols(&self) -> bool {
        true
    }

    fn verify_symbol_uses(&self, op: Op<'_>, symbols: &mut SymbolTableCollection) -> VerifyResult {
        let initializes = "ConstantExpressionInitializerOpTrait";
        if enclosing(op, |around| around.has_trait(initializes))?.is_none() {
            return Ok(());
        }
        let Some(global) = op.attr("global") else {
            return Ok(());
        };
        let found = symbols.lookup_symbol_from(op.context, op.module, op.operation, global);
        let Some(found) = found.map(|found| op.with_id(found)) else {
            let name = match op.context.attribute_kind(global) {
                AttributeKind::SymbolRef { root, .. } => op.context.str(*root),
                _ => return Ok(()),
            };
            let message = format!("symbol @{name} is undefined");
            return Err(VerifyFailure::plain(message));
        };
        match found.is("wasmssa.import_global") && found.attr("isMutable").is_none() {
            true => Ok(()),
            false => Err(VerifyFailure::plain(
                "global.get op is considered constant if it's referring to a import.global symbol \
                 marked non-mutable",
            )),
        }
    }
}
