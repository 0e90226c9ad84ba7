//! Functions and initializers of IREE's dialects `util` and `vm`, and constants of `util`.

use super::shaped::tied_to;
use super::values::{index_array, tied_type};
use crate::func::has_shape;
use crate::function::{
    Function, Signature, VISIBILITIES, attribute_list, dictionaries, entry_block, function_types,
    has_lists, is_body, is_entry, property, symbol_name, types_of,
};
use crate::helpers::discardable_first;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperandName, OperationSyntax,
    ParseStep, ParsedArgument, ParsedOperation, PrintStep,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Type, TypeKind, Value,
};

/// The attributes that are not in the dictionary of `util.func`.
const IN_SIGNATURE: [&str; 6] = [
    "sym_name",
    "function_type",
    "tied_operands",
    "sym_visibility",
    "arg_attrs",
    "res_attrs",
];

/// Custom syntax of `util.func`: as `func.func`, with results that are tied to arguments, and with
/// names of arguments in declarations.
#[derive(Debug)]
pub(crate) struct Func;

/// The results of a signature whose results can be tied to arguments.
#[derive(Default)]
pub(super) struct Results {
    pub(super) types: Vec<Type>,
    pub(super) attributes: Vec<Vec<NamedAttribute>>,
    pub(super) tied: Vec<i64>,
}

impl Results {
    /// Parses `type`, `%arg as type` or a list of these in parentheses, after `->`.
    fn parse(parser: &mut dyn AsmParser, signature: &Signature) -> AsmResult<Self> {
        let names: Vec<_> = signature.arguments.iter().filter_map(|a| a.name).collect();
        let types: Vec<_> = signature.arguments.iter().map(|a| a.ty).collect();
        Results::of(parser, &names, &types)
    }

    /// The same, with the names and types of the arguments.
    pub(super) fn of(
        parser: &mut dyn AsmParser,
        names: &[OperandName],
        types: &[Type],
    ) -> AsmResult<Self> {
        let mut results = Results::default();
        let is_list = parser.eat("(");
        if is_list && parser.eat(")") {
            return Ok(results);
        }
        loop {
            let (ty, tied) = tied_type(parser, names, types)?;
            results.types.push(ty);
            results.tied.push(tied);
            results.attributes.push(match is_list {
                true => parser.attribute_dictionary()?,
                false => Vec::new(),
            });
            if !parser.eat(",") {
                break;
            }
        }
        if is_list {
            parser.expect(")")?;
        }
        Ok(results)
    }
}

/// Prints a signature with results that can be tied to arguments.
fn print_signature(
    printer: &mut dyn AsmPrinter,
    operation: Operation,
    (inputs, outputs): (&[Type], &[Type]),
    tied: &[i64],
) {
    let (context, module) = (printer.context(), printer.module());
    let attributes = |name| dictionaries(context, module.attribute(context, operation, name));
    let (of_arguments, of_results) = (attributes("arg_attrs"), attributes("res_attrs"));
    let entry = entry_block(module, operation);
    let entry: Vec<(Value, _)> = entry.map_or_else(Vec::new, |b| module.arguments(b).collect());
    printer.text("(");
    for (number, &ty) in inputs.iter().enumerate() {
        if number > 0 {
            printer.text(", ");
        }
        let attributes = of_arguments.get(number).copied().unwrap_or_default();
        match entry.get(number) {
            Some(&(value, location)) => printer.region_argument(value, location, attributes),
            None => {
                printer.text(&format!("%arg{number}: "));
                printer.ty(ty);
                printer.attribute_dictionary(attributes, &[]);
            }
        }
    }
    printer.text(")");
    let entry: Vec<Value> = entry.into_iter().map(|(value, _)| value).collect();
    print_tied_results(printer, &entry, (inputs, outputs), &of_results, tied);
}

/// Prints ` -> type`, ` -> (%arg as type, %arg, type)`; nothing if there are no results. `entry`
/// are the arguments of the body, if there is one.
pub(super) fn print_tied_results(
    printer: &mut dyn AsmPrinter,
    entry: &[Value],
    (inputs, outputs): (&[Type], &[Type]),
    of_results: &[&[NamedAttribute]],
    tied: &[i64],
) {
    if outputs.is_empty() {
        return;
    }
    let wrapped = outputs.len() != 1 || of_results.iter().any(|list| !list.is_empty());
    printer.text(if wrapped { " -> (" } else { " -> " });
    for (number, &ty) in outputs.iter().enumerate() {
        if number > 0 {
            printer.text(", ");
        }
        let to = tied.get(number).and_then(|&at| usize::try_from(at).ok());
        if let Some(to) = to {
            match entry.get(to) {
                Some(&value) => printer.operand(value),
                None => printer.text(&format!("%arg{to}")),
            }
        }
        let same = to.is_some_and(|to| inputs.get(to) == Some(&ty));
        if !same {
            printer.text(if to.is_some() { " as " } else { "" });
            printer.ty(ty);
        }
        let attributes = of_results.get(number).copied().unwrap_or_default();
        printer.attribute_dictionary(attributes, &[]);
    }
    if wrapped {
        printer.text(")");
    }
}

impl OperationSyntax for Func {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            if parser.region_is_empty() {
                let message = "expected non-empty function body";
                return Err(AsmError::new(parser.region_place(), message));
            }
            return Ok(ParseStep::Done);
        }
        for visibility in VISIBILITIES {
            if parser.eat(visibility) {
                let value = parser.context().string_attribute(visibility);
                property(parser, operation, "sym_visibility", value);
                break;
            }
        }
        let name = symbol_name(parser)?;
        property(parser, operation, "sym_name", name);
        let mut signature = Signature::parse_arguments(parser)?;
        if parser.eat("->") {
            let results = Results::parse(parser, &signature)?;
            if !results.tied.is_empty()
                && let Some(tied) = index_array(parser.context(), &results.tied)
            {
                property(parser, operation, "tied_operands", tied);
            }
            signature.results = results.types.into_iter().zip(results.attributes).collect();
        }
        let function_type = signature.function_type(parser, operation);
        property(parser, operation, "function_type", function_type);
        let place = parser.place();
        operation.attributes = parser.attribute_dictionary_with_keyword()?;
        for &(name, _) in &operation.attributes {
            let name = parser.context().str(name).into_owned();
            if ["sym_name", "sym_visibility", "function_type"].contains(&name.as_str()) {
                let message = format!(
                    "'{name}' is an inferred attribute and should not be specified in the explicit attribute dictionary"
                );
                return Err(AsmError::new(place, message));
            }
        }
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
        let attribute = |name: &str| module.attribute(context, operation, name);
        let visibility = attribute("sym_visibility").and_then(|a| context.string_value(a));
        let visibility = visibility.map_or("public".into(), String::from_utf8_lossy);
        printer.text(" ");
        printer.text(&visibility);
        printer.text(" ");
        crate::func::print_symbol_name(printer, operation, "");
        let types = function_types(printer, operation);
        let tied = tied_to(context, attribute("tied_operands"), types.1.len());
        print_signature(printer, operation, types, &tied.unwrap_or_default());
        let attributes = module.all_attributes(context, operation);
        printer.attribute_dictionary_with_keyword(&attributes, &IN_SIGNATURE);
        if entry_block(module, operation).is_none() {
            return PrintStep::Done;
        }
        printer.text(" ");
        crate::helpers::print_region(0, true)
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let Some((inputs, results)) = types_of(context, attribute("function_type")) else {
            return false;
        };
        let tied = tied_to(context, attribute("tied_operands"), results.len());
        let exists = |at: i64| at == -1 || usize::try_from(at).is_ok_and(|at| at < inputs.len());
        tied.is_some_and(|tied| tied.into_iter().all(exists))
            && attribute("sym_name").is_some_and(|a| crate::func::is_plain_string(context, a))
            && attribute("sym_visibility").is_none_or(|a| {
                crate::func::is_plain_string(context, a)
                    && VISIBILITIES
                        .iter()
                        .any(|known| context.string_value(a) == Some(known.as_bytes()))
            })
            && has_lists(context, module, operation, inputs.len(), results.len())
            && has_shape(module, operation, 0, 0, 1)
            && is_body(module, operation, inputs)
    }
}

/// Custom syntax of `util.initializer` and `vm.initializer`: `attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct Initializer;

impl OperationSyntax for Initializer {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            return Ok(ParseStep::Done);
        }
        let context = parser.context();
        let ty = context.function_type(&[], &[]);
        let ty = context.type_attribute(ty);
        property(parser, operation, "function_type", ty);
        operation.attributes = parser.attribute_dictionary_with_keyword()?;
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
        let attributes = printer
            .module()
            .all_attributes(printer.context(), operation);
        printer.attribute_dictionary_with_keyword(&attributes, &["function_type"]);
        printer.text(" ");
        crate::helpers::print_region(0, true)
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let ty = types_of(
            context,
            module.attribute(context, operation, "function_type"),
        );
        ty.is_some_and(|(inputs, results)| inputs.is_empty() && results.is_empty())
            && has_shape(module, operation, 0, 0, 1)
            && entry_block(module, operation).is_some_and(|b| module.argument_count(b) == 0)
            && is_entry(module, operation)
    }
}

/// Custom syntax of `vm.export`: `@f`, `@f as("name")`.
#[derive(Debug)]
pub(crate) struct Export;

/// Returns the name in an attribute `function_ref`.
fn exported<'c>(context: &'c Context, module: &Module, operation: Operation) -> Option<&'c [u8]> {
    match context.attribute_kind(module.attribute(context, operation, "function_ref")?) {
        AttributeKind::SymbolRef { root, nested } if nested.is_empty() => {
            Some(context.bytes(*root))
        }
        _ => None,
    }
}

impl OperationSyntax for Export {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _: usize,
    ) -> AsmResult<ParseStep> {
        let place = parser.place();
        let function = parser.attribute()?;
        let name = match parser.context().attribute_kind(function) {
            AttributeKind::SymbolRef { root, nested } if nested.is_empty() => *root,
            _ => return Err(AsmError::new(place, "expected a flat symbol reference")),
        };
        property(parser, operation, "function_ref", function);
        let name = if parser.eat("as") {
            parser.expect("(")?;
            let name = parser.attribute()?;
            parser.expect(")")?;
            name
        } else {
            parser.context().string_attribute_of(name)
        };
        property(parser, operation, "export_name", name);
        operation.attributes = parser.attribute_dictionary_with_keyword()?;
        Ok(ParseStep::Done)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, operation: Operation, _: usize) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let attribute = |name: &str| module.attribute(context, operation, name);
        let function = exported(context, module, operation).unwrap_or_default();
        printer.text(" ");
        printer.symbol_name(function);
        if let Some(name) = attribute("export_name")
            && context.string_value(name) != Some(function)
        {
            printer.text(" as(");
            printer.attribute(name);
            printer.text(")");
        }
        let attributes = module.all_attributes(context, operation);
        let elided = ["function_ref", "export_name"];
        printer.attribute_dictionary_with_keyword(&attributes, &elided);
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let name = module.attribute(context, operation, "export_name");
        has_shape(module, operation, 0, 0, 0)
            && exported(context, module, operation).is_some()
            && name.is_some_and(|name| crate::func::is_plain_string(context, name))
    }
}

/// Custom syntax of `vm.func`.
pub(crate) static VM_FUNC: crate::two_way::Syntax<Function> =
    crate::two_way::Syntax(Function::new("vm.func", "").with_discardable_first());

/// Custom syntax of `vm.import`: `private optional @f(%a : i32, %b : i64 ...) -> i32`. The names
/// are
/// attributes of the arguments.
#[derive(Debug)]
pub(crate) struct Import;

/// Returns whether an import's arguments have no attributes but a name and that they are variadic.
fn is_plain_argument(context: &Context, attributes: &[NamedAttribute]) -> bool {
    attributes
        .iter()
        .all(|(name, value)| match context.bytes(*name) {
            b"vm.name" => crate::func::is_plain_string(context, *value),
            b"vm.variadic" => *value == context.unit_attribute(),
            _ => false,
        })
}

impl OperationSyntax for Import {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _: usize,
    ) -> AsmResult<ParseStep> {
        for visibility in VISIBILITIES {
            if parser.eat(visibility) {
                let value = parser.context().string_attribute(visibility);
                property(parser, operation, "sym_visibility", value);
                break;
            }
        }
        if parser.eat("optional") {
            let unit = parser.context().unit_attribute();
            property(parser, operation, "is_optional", unit);
        }
        let name = symbol_name(parser)?;
        property(parser, operation, "sym_name", name);
        let mut types = Vec::new();
        let mut attributes = Vec::new();
        parser.expect("(")?;
        while !parser.at(")") {
            let mut own = Vec::new();
            if parser.at_operand() {
                let name = parser.operand_name()?;
                let text = parser.operand_text(name);
                let text = String::from_utf8_lossy(text.get(1..).unwrap_or_default()).into_owned();
                parser.expect(":")?;
                let value = parser.context().string_attribute(&text);
                own.push((parser.name("vm.name"), value));
            }
            types.push(parser.ty()?);
            if parser.eat("...") {
                own.push((
                    parser.name("vm.variadic"),
                    parser.context().unit_attribute(),
                ));
            }
            attributes.push(own);
            if !parser.eat(",") {
                break;
            }
        }
        parser.expect(")")?;
        let results = crate::helpers::optional_arrow_types(parser)?;
        if let Some(list) = attribute_list(parser, attributes.iter().map(Vec::as_slice))? {
            property(parser, operation, "arg_attrs", list);
        }
        operation.attributes = parser.attribute_dictionary_with_keyword()?;
        let context = parser.context();
        let ty = context.function_type(&types, &results);
        let ty = context.type_attribute(ty);
        property(parser, operation, "function_type", ty);
        operation.empty_regions = 1;
        Ok(ParseStep::Done)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, operation: Operation, _: usize) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let attribute = |name: &str| module.attribute(context, operation, name);
        let visibility = attribute("sym_visibility").and_then(|a| context.string_value(a));
        let visibility = visibility.map_or("public".into(), String::from_utf8_lossy);
        printer.text(" ");
        printer.text(&visibility);
        printer.text(" ");
        if attribute("is_optional").is_some() {
            printer.text("optional ");
        }
        crate::func::print_symbol_name(printer, operation, "");
        let (inputs, outputs) = function_types(printer, operation);
        let attributes = dictionaries(context, attribute("arg_attrs"));
        printer.text("(");
        for (number, &ty) in inputs.iter().enumerate() {
            if number > 0 {
                printer.text(", ");
            }
            let own = attributes.get(number).copied().unwrap_or_default();
            let find = |name: &[u8]| own.iter().find(|entry| context.bytes(entry.0) == name);
            if let Some(name) = find(b"vm.name").and_then(|entry| context.string_value(entry.1)) {
                printer.text(&format!("%{} : ", String::from_utf8_lossy(name)));
            }
            printer.ty(ty);
            if find(b"vm.variadic").is_some() {
                printer.text(" ...");
            }
        }
        printer.text(")");
        crate::helpers::print_optional_arrow_types(printer, outputs);
        let attributes = discardable_first(context, module, operation);
        let elided = [&IN_SIGNATURE[..], &["is_variadic", "is_optional"]].concat();
        printer.attribute_dictionary_with_keyword(&attributes, &elided);
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let Some((inputs, results)) = types_of(context, attribute("function_type")) else {
            return false;
        };
        let named = |attributes: &[NamedAttribute]| {
            attributes
                .iter()
                .filter(|entry| context.bytes(entry.0) == b"vm.name")
                .all(|entry| {
                    let name = context.string_value(entry.1).unwrap_or_default();
                    !name.is_empty()
                        && name
                            .iter()
                            .all(|b| b.is_ascii_alphanumeric() || b"_$.-".contains(b))
                })
        };
        attribute("sym_name").is_some_and(|a| crate::func::is_plain_string(context, a))
            && attribute("res_attrs").is_none()
            && has_lists(context, module, operation, inputs.len(), results.len())
            && dictionaries(context, attribute("arg_attrs"))
                .into_iter()
                .all(|own| is_plain_argument(context, own) && named(own))
            && has_shape(module, operation, 0, 0, 1)
            && entry_block(module, operation).is_none()
    }
}

/// Custom syntax of `util.unfoldable_constant`: `{...} value`, or `@f : type`.
#[derive(Debug)]
pub(crate) struct Constant;

impl OperationSyntax for Constant {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _: usize,
    ) -> AsmResult<ParseStep> {
        operation.attributes = parser.attribute_dictionary()?;
        let value = parser.attribute()?;
        property(parser, operation, "value", value);
        let context = parser.context();
        let is_symbol = matches!(
            context.attribute_kind(value),
            AttributeKind::SymbolRef { .. }
        );
        let ty = if is_symbol {
            parser.expect(":")?;
            parser.ty()?
        } else {
            context.attribute_type(value)
        };
        operation.result_types.push(ty);
        Ok(ParseStep::Done)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, operation: Operation, _: usize) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let attributes = module.all_attributes(context, operation);
        printer.text(" ");
        printer.attribute_dictionary(&attributes, &["value"]);
        if attributes.len() > 1 {
            printer.text(" ");
        }
        let Some(value) = module.attribute(context, operation, "value") else {
            return PrintStep::Done;
        };
        printer.attribute(value);
        if matches!(
            context.attribute_kind(value),
            AttributeKind::SymbolRef { .. }
        ) {
            printer.text(" : ");
            printer.types(crate::helpers::result_types(module, operation).into_iter());
        }
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let Some(value) = module.attribute(context, operation, "value") else {
            return false;
        };
        let is_symbol = matches!(
            context.attribute_kind(value),
            AttributeKind::SymbolRef { .. }
        );
        let results = crate::helpers::result_types(module, operation);
        has_shape(module, operation, 0, 1, 0)
            && (is_symbol || results == [context.attribute_type(value)])
    }
}

/// The directive for a type and a value: `: type`, `= value` if the value has that type, or
/// `: type = value`.
#[derive(Debug)]
pub(crate) struct TypeOrAttribute;

impl DirectiveSyntax for TypeOrAttribute {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut ty = None;
        if parser.eat(":") {
            let read = parser.ty()?;
            ty = Some(parser.context().type_attribute(read));
        }
        let place = parser.place();
        let value = match parser.eat("=") {
            true => Some(parser.attribute()?),
            false => None,
        };
        let ty = match (ty, value) {
            (Some(ty), _) => ty,
            (None, Some(value)) => {
                let context = parser.context();
                let ty = context.attribute_type(value);
                context.type_attribute(ty)
            }
            (None, None) => return Err(AsmError::new(place, "expected ':' or '='")),
        };
        if let [of_type, of_value] = arguments {
            *of_type = ParsedArgument::Attribute(Some(ty));
            *of_value = ParsedArgument::Attribute(value);
        }
        Ok(true)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        _: Operation,
        arguments: &[rmlir_ir::asm::PrintedArgument],
    ) {
        let [ty, value] = arguments else { return };
        let context = printer.context();
        let value = value.attribute();
        let ty = ty.attribute().map(|a| context.attribute_kind(a));
        let Some(&AttributeKind::Type(ty)) = ty else {
            return;
        };
        let is_typed = value.is_some_and(|value| has_type(context, value, ty));
        if !is_typed {
            printer.text(": ");
            printer.ty(ty);
        }
        if let Some(value) = value {
            printer.text(if is_typed { "= " } else { " = " });
            printer.attribute(value);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[rmlir_ir::asm::PrintedArgument],
    ) -> bool {
        let ty = arguments.first().and_then(|argument| argument.attribute());
        ty.is_some_and(|ty| matches!(context.attribute_kind(ty), AttributeKind::Type(_)))
    }
}

/// Returns whether an attribute has a type, which is this one.
fn has_type(context: &Context, value: Attribute, ty: Type) -> bool {
    context.attribute_type(value) == ty && !matches!(context.type_kind(ty), TypeKind::None)
}
