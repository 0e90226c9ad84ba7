//! `llvm.mlir.global`, `llvm.mlir.alias`, and the linkage of `llvm.mlir.ifunc`.

use super::enums::{Keyword, SAID_LINKAGE, UNNAMED_ADDR, VISIBILITY};
use super::types;
use crate::func::{has_shape, is_plain_string, print_symbol_name};
use crate::function::{entry_block, property, symbol_name};
use crate::helpers::entry_arguments;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperationSyntax, ParseStep,
    ParsedArgument, ParsedOperation, PrintStep, PrintedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Type};
use std::borrow::Cow;

/// Custom syntax of `llvm.mlir.global`: `internal thread_local constant @name(value) comdat(@c::@s)
/// {...} : type {...}`.
#[derive(Debug)]
pub(crate) struct Global;

/// The attributes that a global prints outside of its attribute dictionary.
const OF_GLOBALS: [&str; 9] = [
    "sym_name",
    "global_type",
    "constant",
    "value",
    "linkage",
    "comdat",
    "unnamed_addr",
    "thread_local_",
    "visibility_",
];

/// The attributes that an alias prints outside of its attribute dictionary.
const OF_ALIASES: [&str; 6] = [
    "sym_name",
    "alias_type",
    "linkage",
    "unnamed_addr",
    "thread_local_",
    "visibility_",
];

/// Parses a keyword that denotes a unit attribute, if it is next.
fn unit(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    keyword: &str,
    name: &'static str,
) {
    if parser.eat(keyword) {
        let unit = parser.context().unit_attribute();
        property(parser, operation, name, unit);
    }
}

/// Parses the keywords before the name of a global or alias.
fn parse_prefix(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) {
    SAID_LINKAGE.parse(parser, operation);
    VISIBILITY.parse(parser, operation);
    unit(parser, operation, "thread_local", "thread_local_");
    UNNAMED_ADDR.parse(parser, operation);
}

fn print_prefix(printer: &mut dyn AsmPrinter, operation: Operation) {
    let (context, module) = (printer.context(), printer.module());
    let said = |keyword: &Keyword| keyword.said(context, module, operation);
    let is_local = module.attribute(context, operation, "thread_local_");
    let words = [
        said(&SAID_LINKAGE),
        said(&VISIBILITY),
        is_local.map(|_| Cow::Borrowed("thread_local")),
        said(&UNNAMED_ADDR),
    ];
    printer.text(" ");
    for word in words.into_iter().flatten() {
        printer.text(&word);
        printer.text(" ");
    }
}

fn has_prefix(context: &Context, module: &Module, operation: Operation) -> bool {
    let unit = |name| {
        let value = module.attribute(context, operation, name);
        value.is_none_or(|value| value == context.unit_attribute())
    };
    let keywords = [&SAID_LINKAGE, &VISIBILITY, &UNNAMED_ADDR];
    let name = module.attribute(context, operation, "sym_name");
    keywords
        .iter()
        .all(|k| k.can_print(context, module, operation))
        && module.attribute(context, operation, "linkage").is_some()
        && name.is_some_and(|name| is_plain_string(context, name))
        && unit("thread_local_")
        && unit("constant")
}

/// Returns the type in a type attribute of an operation.
fn type_of(context: &Context, module: &Module, operation: Operation, name: &str) -> Option<Type> {
    let value = module.attribute(context, operation, name)?;
    match context.attribute_kind(value) {
        AttributeKind::Type(ty) => Some(*ty),
        _ => None,
    }
}

/// Returns the length of a global's initial string. The type of such a global is omitted.
fn string_len(context: &Context, value: Option<Attribute>) -> Option<usize> {
    match context.attribute_kind(value?) {
        AttributeKind::String { value, .. } => Some(context.bytes(*value).len()),
        _ => None,
    }
}

impl OperationSyntax for Global {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            return Ok(ParseStep::Done);
        }
        let place = parser.place();
        parse_prefix(parser, operation);
        unit(parser, operation, "constant", "constant");
        let name = symbol_name(parser)?;
        property(parser, operation, "sym_name", name);
        parser.expect("(")?;
        let mut value = None;
        if !parser.eat(")") {
            let read = parser.attribute()?;
            property(parser, operation, "value", read);
            value = Some(read);
            parser.expect(")")?;
        }
        if parser.eat("comdat") {
            parser.expect("(")?;
            let comdat = parser.attribute()?;
            parser.expect(")")?;
            property(parser, operation, "comdat", comdat);
        }
        operation.attributes = parser.attribute_dictionary()?;
        let ty = if parser.eat(":") {
            let ty = parser.ty()?;
            if parser.at(",") {
                return Err(AsmError::new(place, "expected zero or one type"));
            }
            ty
        } else {
            let context = parser.context();
            let wrong = || AsmError::new(place, "type can only be omitted for string globals");
            let len = string_len(context, value).ok_or_else(wrong)?;
            let ty = types::from_text(context, &format!("array<{len} x i8>"));
            ty.ok_or_else(wrong)?
        };
        let ty = parser.context().type_attribute(ty);
        property(parser, operation, "global_type", ty);
        if parser.at("{") {
            return Ok(ParseStep::Region(Vec::new()));
        }
        operation.empty_regions = 1;
        Ok(ParseStep::Done)
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
        print_prefix(printer, operation);
        let (context, module) = (printer.context(), printer.module());
        let attribute = |name| module.attribute(context, operation, name);
        let (value, comdat) = (attribute("value"), attribute("comdat"));
        let is_constant = attribute("constant").is_some();
        let is_string = string_len(context, value).is_some();
        let attributes = module.all_attributes(context, operation);
        let ty = type_of(context, module, operation, "global_type");
        print_symbol_name(
            printer,
            operation,
            if is_constant { "constant " } else { "" },
        );
        printer.text("(");
        if let Some(value) = value {
            printer.attribute(value);
        }
        printer.text(")");
        if let Some(comdat) = comdat {
            printer.text(" comdat(");
            printer.attribute(comdat);
            printer.text(")");
        }
        printer.attribute_dictionary(&attributes, &OF_GLOBALS);
        if is_string {
            return PrintStep::Done;
        }
        if let Some(ty) = ty {
            printer.text(" : ");
            printer.ty(ty);
        }
        if entry_block(printer.module(), operation).is_none() {
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
        let value = module.attribute(context, operation, "value");
        let ty = type_of(context, module, operation, "global_type");
        let body = ty.and_then(|ty| types::body(context, ty));
        let fits = string_len(context, value).is_none_or(|len| {
            let text = format!("array<{len} x i8>");
            entry_block(module, operation).is_none()
                && body.is_some_and(|body| body.text() == text.as_bytes())
        });
        has_prefix(context, module, operation)
            && has_shape(module, operation, 0, 0, 1)
            && entry_arguments(module, operation, 0).is_empty()
            && ty.is_some()
            && fits
    }
}

/// Custom syntax of `llvm.mlir.alias`: `external @name {...} : type {...}`.
#[derive(Debug)]
pub(crate) struct Alias;

impl OperationSyntax for Alias {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            return Ok(ParseStep::Done);
        }
        parse_prefix(parser, operation);
        let name = symbol_name(parser)?;
        property(parser, operation, "sym_name", name);
        operation.attributes = parser.attribute_dictionary()?;
        let place = parser.place();
        if !parser.eat(":") {
            return Err(AsmError::new(place, "expected trailing type"));
        }
        let ty = parser.ty()?;
        let ty = parser.context().type_attribute(ty);
        property(parser, operation, "alias_type", ty);
        Ok(ParseStep::Region(Vec::new()))
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
        print_prefix(printer, operation);
        print_symbol_name(printer, operation, "");
        let (context, module) = (printer.context(), printer.module());
        let attributes = module.all_attributes(context, operation);
        let ty = type_of(context, module, operation, "alias_type");
        printer.attribute_dictionary(&attributes, &OF_ALIASES);
        printer.text(" : ");
        if let Some(ty) = ty {
            printer.ty(ty);
        }
        printer.text(" ");
        PrintStep::Region {
            number: 0,
            entry_arguments: false,
            terminators: true,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        has_prefix(context, module, operation)
            && has_shape(module, operation, 0, 0, 1)
            && entry_arguments(module, operation, 0).is_empty()
            && type_of(context, module, operation, "alias_type").is_some()
    }
}

/// The directive for the linkage of `llvm.mlir.ifunc`, which is always printed.
#[derive(Debug)]
pub(crate) struct Linkage;

impl DirectiveSyntax for Linkage {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut read = ParsedOperation::default();
        SAID_LINKAGE.parse(parser, &mut read);
        if let ([linkage, ..], Some(&(_, value))) = (arguments, read.properties.first()) {
            *linkage = ParsedArgument::Attribute(Some(value));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, operation: Operation, _: &[PrintedArgument]) {
        let said = SAID_LINKAGE.said(printer.context(), printer.module(), operation);
        printer.text(&said.unwrap_or_default());
    }

    fn can_print(
        &self,
        context: &Context,
        (module, operation): (&Module, Operation),
        _: &[PrintedArgument],
    ) -> bool {
        SAID_LINKAGE.can_print(context, module, operation)
    }
}
