//! Custom syntax and value names of `test`, the dialect of MLIR's own tests.

use crate::func::has_shape;
use crate::helpers::{entry_arguments, located_arguments, numbers, print_region, property};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, EntryParser, EntryPrinter,
    EntrySyntax, OperationSyntax, Parameters, ParametersMut, ParseStep, ParsedArgument,
    ParsedOperation, PrintStep, PrintedArgument, RegionArgument, ValueNames,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{
    Attribute, AttributeKind, Context, DYNAMIC, Invalid, Module, NamedAttribute, Operation, Region,
    TypeKind, Value,
};

/// The directive `foo` and an attribute; absent without the keyword.
#[derive(Debug)]
pub(crate) struct OptionalCustomParser;

impl DirectiveSyntax for OptionalCustomParser {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        if !parser.eat("foo") {
            return Ok(false);
        }
        let attribute = parser.attribute()?;
        if let [argument, ..] = arguments {
            *argument = ParsedArgument::Attribute(Some(attribute));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let Some(attribute) = arguments.first().and_then(PrintedArgument::attribute) {
            printer.text("foo ");
            printer.attribute(attribute);
        }
    }
}

/// The directive of a reference to a region, which has no text.
#[derive(Debug)]
pub(crate) struct NoText;

impl DirectiveSyntax for NoText {
    fn parse(&self, _: &mut dyn AsmParser, _: &mut [ParsedArgument]) -> AsmResult<bool> {
        Ok(true)
    }

    fn print(&self, _: &mut dyn AsmPrinter, _: Operation, _: &[PrintedArgument]) {}
}

/// Custom syntax of `test.single_no_terminator_custom_asm_op`: a region directly after the name.
#[derive(Debug)]
pub(crate) struct OnlyRegion;

impl OperationSyntax for OnlyRegion {
    fn parse(
        &self,
        _: &mut dyn AsmParser,
        _: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        Ok(match regions {
            0 => ParseStep::Region(Vec::new()),
            _ => ParseStep::Done,
        })
    }

    fn print(&self, _: &mut dyn AsmPrinter, _: Operation, regions: usize) -> PrintStep {
        match regions {
            0 => print_region(0, true),
            _ => PrintStep::Done,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        has_shape(module, operation, 0, 0, 1)
            && entry_arguments(module, operation, 0).is_empty()
            && module.all_attributes(context, operation).is_empty()
    }
}

/// Custom syntax of `test.polyfor`: `%i, %j {...}`, where all arguments are indices.
#[derive(Debug)]
pub(crate) struct PolyFor;

impl OperationSyntax for PolyFor {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        _: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            return Ok(ParseStep::Done);
        }
        let ty = parser.context().index_type();
        let arguments = match parser.at_operand() {
            true => crate::helpers::comma_separated(parser, |parser| {
                let name = parser.operand_name()?;
                let location = parser.location()?;
                Ok(RegionArgument { name, ty, location })
            })?,
            false => Vec::new(),
        };
        Ok(ParseStep::Region(arguments))
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
        printer.text(" ");
        let arguments = located_arguments(printer.module(), operation, 0);
        for (number, (argument, location)) in arguments.into_iter().enumerate() {
            if number > 0 {
                printer.text(", ");
            }
            printer.region_argument_name(argument, location);
        }
        printer.text(" ");
        print_region(0, true)
    }

    /// The attribute that only suggests argument names is dropped, as upstream drops it.
    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let attributes = module.all_attributes(context, operation);
        let only_names =
            |&(name, _): &NamedAttribute| context.bytes(name) == ARGUMENT_NAMES.as_bytes();
        has_shape(module, operation, 0, 0, 1) && attributes.iter().all(only_names)
    }
}

/// The discardable attribute with the names of the arguments of `test.polyfor`.
const ARGUMENT_NAMES: &str = "arg_names";

impl ValueNames for PolyFor {
    fn argument_names(
        &self,
        context: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let operation = module.region_parent(region);
        let names = operation.and_then(|it| module.attribute(context, it, ARGUMENT_NAMES));
        let block = module.first_block(region);
        for (string, (argument, _)) in strings(context, names)
            .into_iter()
            .zip(block.into_iter().flat_map(|block| module.arguments(block)))
        {
            if let Some(string) = string {
                name(argument, &string);
            }
        }
    }
}

/// Returns the items of an array, `None` for those that are not strings.
fn strings(context: &Context, attribute: Option<Attribute>) -> Vec<Option<String>> {
    let kind = attribute.map(|attribute| context.attribute_kind(attribute));
    let Some(AttributeKind::Array(items)) = kind else {
        return Vec::new();
    };
    let string = |&item: &Attribute| {
        let value = context.string_value(item)?;
        Some(String::from_utf8_lossy(value).into_owned())
    };
    items.iter().map(string).collect()
}

/// Names the results by the strings of the attribute `names`.
#[derive(Debug)]
pub(crate) struct Named;

impl ValueNames for Named {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let names = module.attribute(context, operation, "names");
        for (number, string) in strings(context, names).into_iter().enumerate() {
            if let Some(string) = string.filter(|string| !string.is_empty())
                && let Some(result) = module.result(operation, number)
            {
                name(result, &string);
            }
        }
    }
}

/// Custom syntax of `test.string_attr_pretty_name`: the strings of the attribute `names` name the
/// results. The attribute is printed only if the results have other names.
#[derive(Debug)]
pub(crate) struct PrettyName;

impl OperationSyntax for PrettyName {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _: usize,
    ) -> AsmResult<ParseStep> {
        let mut names = Vec::new();
        while let Some((text, _)) = parser.result_name(names.len()) {
            let is_number = text.first().is_none_or(u8::is_ascii_digit);
            names.push(if is_number { Vec::new() } else { text.to_vec() });
        }
        let context = parser.context();
        operation.result_types = vec![context.i32_type(); names.len()];
        let key = context.identifier("names");
        operation.attributes = parser.attribute_dictionary_with_keyword()?;
        if names.is_empty() || operation.attributes.iter().any(|&(name, _)| name == key) {
            return Ok(ParseStep::Done);
        }
        let context = parser.context();
        let strings: Vec<Attribute> = names.iter().map(|n| context.string_attribute(n)).collect();
        let strings = context.array_attribute(&strings);
        operation.properties.push((key, strings));
        Ok(ParseStep::Done)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, operation: Operation, _: usize) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let names = strings(context, module.attribute(context, operation, "names"));
        let mut agrees = names.len() == module.result_count(operation);
        for (number, string) in names.iter().enumerate() {
            let printed = module
                .result(operation, number)
                .map(|result| printer.value_name(result));
            agrees &= string.as_ref().map(String::as_bytes) == printed.as_deref();
        }
        let attributes = module.all_attributes(context, operation);
        let elided: &[&str] = if agrees { &["names"] } else { &[] };
        let is_shown =
            |&(name, _): &NamedAttribute| !agrees || context.bytes(name) != b"names".as_slice();
        if attributes.iter().any(is_shown) {
            printer.text(" attributes");
            printer.attribute_dictionary(&attributes, elided);
        }
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let i32_type = |result: Value| {
            let kind = context.type_kind(module.value_type(result));
            matches!(kind, TypeKind::Integer { width: 32, signedness } if *signedness == rmlir_ir::Signedness::Signless)
        };
        let mut results = (0..module.result_count(operation))
            .filter_map(|number| module.result(operation, number));
        has_shape(module, operation, 0, module.result_count(operation), 0) && results.all(i32_type)
    }
}

/// Names results, or arguments of blocks, of the type `!test.op_asm_type_interface`.
#[derive(Debug)]
pub(crate) struct NamedByType {
    /// Whether results, or arguments of a block, get names only if all of them have the type.
    pub(crate) all: bool,
}

/// The mnemonic of the type, and the name that it suggests.
const NAMING_TYPE: &str = "op_asm_type_interface";

impl NamedByType {
    fn name(
        &self,
        context: &Context,
        module: &Module,
        values: &[Value],
        name: &mut dyn FnMut(Value, &str),
    ) {
        let is_naming = |&value: &Value| {
            let ty = module.value_type(value);
            crate::helpers::is_dialect_type(context, ty, "test", NAMING_TYPE)
        };
        if self.all && !values.iter().all(is_naming) {
            return;
        }
        for &value in values {
            if is_naming(&value) {
                name(value, NAMING_TYPE);
            }
        }
    }
}

impl ValueNames for NamedByType {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let results = (0..module.result_count(operation))
            .filter_map(|number| module.result(operation, number));
        self.name(context, module, &results.collect::<Vec<_>>(), name);
    }

    fn argument_names(
        &self,
        context: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let mut block = module.first_block(region);
        while let Some(current) = block {
            let arguments: Vec<Value> = module.arguments(current).map(|(v, _)| v).collect();
            self.name(context, module, &arguments, name);
            block = module.next_block(current);
        }
    }
}

/// The directive `OptionalLoc`: a location, which is printed only if locations of operations are;
/// without one, the location of the text.
#[derive(Debug)]
pub(crate) struct OptionalLocation;

impl DirectiveSyntax for OptionalLocation {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let location = match parser.location()? {
            Some(location) => location,
            None => parser.location_at(place),
        };
        let attribute = parser.context().location_attribute(location);
        match arguments {
            [argument, ..] => *argument = ParsedArgument::Attribute(Some(attribute)),
            [] => return Err(AsmError::new(place, "expected a location")),
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let attribute = arguments.first().and_then(PrintedArgument::attribute);
        if let Some(attribute) = attribute
            && let AttributeKind::Location(location) = *printer.context().attribute_kind(attribute)
        {
            printer.location(location);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let attribute = arguments.first().and_then(PrintedArgument::attribute);
        let kind = attribute.map(|attribute| context.attribute_kind(attribute));
        matches!(kind, Some(AttributeKind::Location(_)))
    }
}

/// Custom syntax of `transform.test_transform_op`: an optional string, which is the discardable
/// attribute `message`.
#[derive(Debug)]
pub(crate) struct Message;

impl OperationSyntax for Message {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _: usize,
    ) -> AsmResult<ParseStep> {
        if let Some(message) = parser.optional_string() {
            let context = parser.context();
            let message = context.string_attribute_of(message);
            let name = context.identifier("message");
            operation.attributes.push((name, message));
        }
        Ok(ParseStep::Done)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, operation: Operation, _: usize) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        if let Some(message) = module.attribute(context, operation, "message") {
            printer.text(" ");
            printer.attribute(message);
        }
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let attributes = module.all_attributes(context, operation);
        let is_message = |&(name, value): &NamedAttribute| {
            context.bytes(name) == b"message" && crate::func::is_plain_string(context, value)
        };
        has_shape(module, operation, 0, 0, 0) && attributes.iter().all(is_message)
    }
}

/// Custom syntax of `test.switch_with_no_break`: `%arg {...} case 0 {...} case 1 {...}`.
#[derive(Debug)]
pub(crate) struct Switch;

const CASES: &str = "cases";

impl OperationSyntax for Switch {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions == 0 {
            let index = parser.context().index_type();
            let name = parser.operand_name()?;
            operation.operands.push(parser.resolve(name, index)?);
            operation.attributes = parser.attribute_dictionary()?;
        }
        if parser.eat("case") {
            let place = parser.place();
            let Some(number) = parser.optional_integer()? else {
                return Err(AsmError::new(place, "expected integer value"));
            };
            operation.numbers.push(number);
            return Ok(ParseStep::Region(Vec::new()));
        }
        let cases = operation.numbers.iter().copied();
        let cases = parser.context().i64_array_attribute(cases);
        property(parser, operation, CASES, cases);
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        if regions == 0 {
            let attributes = module.all_attributes(context, operation);
            printer.text(" ");
            if let Some(value) = module.operand(operation, 0) {
                printer.operand(value);
            }
            printer.attribute_dictionary(&attributes, &[CASES]);
            // As upstream: the end of a line.
            printer.text(" ");
        }
        let cases = module.attribute(context, operation, CASES);
        let cases = numbers(context, cases).unwrap_or_default();
        match cases.get(regions) {
            Some(case) => {
                printer.newline();
                printer.text(&format!("case {case} "));
                print_region(regions, true)
            }
            None => PrintStep::Done,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let cases = numbers(context, module.attribute(context, operation, CASES));
        let value = module.operand(operation, 0);
        cases.is_some_and(|cases| has_shape(module, operation, 1, 0, cases.len()))
            && value.map(|value| module.value_type(value)) == Some(context.index_type())
            && module.regions(operation).all(|region| {
                let block = module.first_block(region);
                block.is_none_or(|block| module.arguments(block).next().is_none())
            })
    }
}

/// The sizes of `#test.decimal_shape`: decimal integers separated by `x`.
#[derive(Debug)]
pub(crate) struct DecimalShape;

impl EntrySyntax for DecimalShape {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        for (number, size) in values.list(0).iter().enumerate() {
            if number > 0 {
                printer.text(b"x");
            }
            match size {
                FieldValue::Signed(size @ 0..) => printer.integer(size),
                _ => return Err(Invalid::new("expected an integer")),
            }
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let place = parser.place();
        let expected = || AsmError::new(place, "expected an integer");
        let sizes = parser.dimension_list().map_err(|_| expected())?;
        if sizes.contains(&DYNAMIC) || sizes.is_empty() && !parser.at(">") {
            return Err(expected());
        }
        values.set_list(0, sizes.into_iter().map(FieldValue::Signed));
        Ok(())
    }
}

/// The parameters of an attribute that has the type of another one: the other attribute, and the
/// type, which is not written in the body.
#[derive(Debug)]
pub(crate) struct TypeOfValue;

impl EntrySyntax for TypeOfValue {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        match values.get(0) {
            &FieldValue::Attribute(value) => {
                printer.attribute(value);
                Ok(())
            }
            _ => Err(Invalid::new("expected an attribute")),
        }
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let value = parser.attribute()?;
        let ty = parser.context().attribute_type(value);
        values.set(0, FieldValue::Attribute(value));
        values.set(1, FieldValue::Type(ty));
        Ok(())
    }
}
