//! Custom syntax of the `wasmssa` dialect: functions, whose arguments are references to locals, and
//! the regions of conditions.

use super::enclosing::enclosing;
use crate::directive::{Printed, TwoWayDirective};
use crate::func::{has_shape, is_plain_string, print_symbol_name};
use crate::function::{
    Signature, entry_block, has_lists, print_signature, property, symbol_name, types_of,
};
use crate::helpers::is_unit;
use crate::two_way::Asm;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedArgument,
    ParsedOperation, PrintStep, PrintedArgument,
};
use rmlir_ir::{
    AttributeKind, Context, Module, Op, Operation, OperationVerifier, SymbolTableCollection, Type,
    VerifyFailure, VerifyResult,
};

/// The attributes that a function prints outside of its attribute dictionary.
const IN_SIGNATURE: [&str; 5] = [
    "sym_name",
    "exported",
    "functionType",
    "arg_attrs",
    "res_attrs",
];

/// Returns the type of the local that a type refers to.
fn local_type(context: &Context, ty: Type) -> Option<Type> {
    context.parameter(ty, "elementType")?.ty()
}

/// Custom syntax of `wasmssa.func`: `exported @name(%a: !wasmssa<local ref to i32>) -> i32 {...}`.
/// The function type has the types of the locals.
#[derive(Debug)]
pub(crate) struct Func;

impl OperationSyntax for Func {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            return Ok(ParseStep::Done);
        }
        if parser.eat("exported") {
            let unit = parser.context().unit_attribute();
            property(parser, operation, "exported", unit);
        }
        let name = symbol_name(parser)?;
        property(parser, operation, "sym_name", name);
        let signature = Signature::parse(parser, false)?;
        let place = parser.place();
        let mut inputs = Vec::with_capacity(signature.arguments.len());
        for argument in &signature.arguments {
            let context = parser.context();
            match local_type(context, argument.ty) {
                Some(local) => inputs.push(local),
                None => {
                    let message = "expected references to locals as arguments";
                    return Err(AsmError::new(place, message));
                }
            }
        }
        let outputs: Vec<Type> = signature.results.iter().map(|result| result.0).collect();
        let context = parser.context();
        let ty = context.function_type(&inputs, &outputs);
        let ty = context.type_attribute(ty);
        property(parser, operation, "functionType", ty);
        operation.attributes = parser.attribute_dictionary_with_keyword()?;
        signature.set_attributes(parser, operation)?;
        if !parser.at("{") {
            operation.empty_regions = 1;
            return Ok(ParseStep::Done);
        }
        Ok(ParseStep::Region(signature.entry_arguments(parser)))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        if regions > 0 {
            return PrintStep::Done;
        }
        let (context, module) = (printer.context(), printer.module());
        let exported = module.attribute(context, operation, "exported");
        printer.text(if exported.is_some() {
            " exported "
        } else {
            " "
        });
        print_symbol_name(printer, operation, "");
        let ty = module.attribute(context, operation, "functionType");
        let (inputs, outputs) = types_of(context, ty).unwrap_or_default();
        print_signature(printer, operation, inputs, outputs);
        let attributes = module.all_attributes(context, operation);
        printer.attribute_dictionary_with_keyword(&attributes, &IN_SIGNATURE);
        if entry_block(module, operation).is_none() {
            return PrintStep::Done;
        }
        printer.text(" ");
        PrintStep::Region {
            number: 0,
            entry_arguments: false,
            terminators: true,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let Some((inputs, results)) = types_of(context, attribute("functionType")) else {
            return false;
        };
        let arguments = match entry_block(module, operation) {
            Some(block) => module
                .arguments(block)
                .map(|(argument, _)| local_type(context, module.value_type(argument)))
                .eq(inputs.iter().map(|&ty| Some(ty))),
            // Without a body upstream prints the types of the locals, which it does not read.
            None => inputs.is_empty(),
        };
        arguments
            && attribute("sym_name").is_some_and(|name| is_plain_string(context, name))
            && is_unit(context, attribute("exported"))
            && has_lists(context, module, operation, inputs.len(), results.len())
            && has_shape(module, operation, 0, 0, 1)
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

/// The keyword of [`Exported`].
const EXPORTED: &str = "exported";

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
        asm.keyword(&mut content.keyword)?;
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
