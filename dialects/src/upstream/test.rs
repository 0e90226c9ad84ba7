//! Custom syntax and value names of `test`, the dialect of MLIR's own tests.

use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::entry::{EntryAsm, List, TwoWayEntry, required, set};
use crate::func::has_shape;
use crate::helpers::{add_operands, entry_arguments, numbers, property};
use crate::two_way::{
    Argument, Asm, Sequence as _, TwoWay, failure, other_attributes, plain_string, string_array,
};
use rmlir_ir::asm::{
    AsmParser, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut, ParsedArgument,
    ParsedOperation, RegionArgument, ValueNames,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, DYNAMIC, Invalid, Location, Module, NamedAttribute,
    Operation, Region, Value,
};

/// The directive `foo` and an attribute; absent without the keyword.
#[derive(Debug)]
pub(crate) struct OptionalCustomParser;

impl TwoWayDirective for OptionalCustomParser {
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        Some(printed.arguments.first()?.attribute())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        let mut is_there = content.is_some();
        asm.optional("foo", "foo ", &mut is_there);
        if is_there {
            asm.attribute(content)?;
        }
        Ok(is_there)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [argument, ..] = arguments {
            *argument = ParsedArgument::Attribute(content);
        }
        Ok(())
    }
}

/// The directive of a reference to a region, which has no text.
#[derive(Debug)]
pub(crate) struct NoText;

impl TwoWayDirective for NoText {
    type Content = ();

    fn content(&self, _: &Printed<'_>) -> Option<()> {
        Some(())
    }

    fn text(&self, _: &mut Asm<'_, '_>, (): &mut ()) -> AsmResult<bool> {
        Ok(true)
    }

    fn build(&self, _: &mut dyn AsmParser, (): (), _: &mut [ParsedArgument]) -> AsmResult<()> {
        Ok(())
    }
}

/// Custom syntax of `test.single_no_terminator_custom_asm_op`: a region directly after the name.
#[derive(Debug)]
pub(crate) struct OnlyRegion;

impl TwoWay for OnlyRegion {
    type Content = ();

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<()> {
        let fits = has_shape(module, operation, 0, 0, 1)
            && entry_arguments(module, operation, 0).is_empty()
            && module.all_attributes(context, operation).is_empty();
        fits.then_some(())
    }

    fn text(&self, _: &mut Asm<'_, '_>, (): &mut ()) -> AsmResult<()> {
        Ok(())
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        _: &mut ParsedOperation,
        (): &mut (),
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        Ok(Some(Vec::new()))
    }

    fn may_be_empty(&self) -> bool {
        true
    }

    fn is_close(&self) -> bool {
        true
    }
}

/// Custom syntax of `test.with_nice_properties`: `label is 3`, the parts of its property.
#[derive(Debug)]
pub(crate) struct NiceProperties;

/// The parsed parts of [`NiceProperties`].
#[derive(Default)]
pub(crate) struct NiceContent {
    label: Vec<u8>,
    value: i64,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for NiceProperties {
    type Content = NiceContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<NiceContent> {
        let inherent = module.inherent_attributes(context, operation);
        let [(name, value)] = *inherent else {
            return None;
        };
        let entries = context.dictionary_entries(value);
        let &[(label, text), (number, value)] = entries else {
            return None;
        };
        let names = [name, label, number].map(|name| context.bytes(name));
        let fits = names == [b"prop".as_slice(), b"label", b"value"]
            && has_shape(module, operation, 0, 0, 0);
        Some(NiceContent {
            label: plain_string(context, Some(text).filter(|_| fits))?.to_vec(),
            value: match context.attribute_kind(value) {
                AttributeKind::Integer { ty, value } if *ty == context.i32_type() => {
                    value.to_i64()?
                }
                _ => return None,
            },
            attributes: module.discardable_attributes(context, operation).to_vec(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut NiceContent) -> AsmResult<()> {
        asm.space(" ");
        asm.word(&mut content.label)?;
        asm.token("is", " is ")?;
        let place = asm.place();
        asm.integer(&mut content.value)?;
        if i32::try_from(content.value).is_err() {
            return Err(failure(place, "integer value too large"));
        }
        asm.dictionary(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut NiceContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let context = parser.context();
        let ty = context.i32_type();
        let made = context.integer_attribute(ty, content.value);
        let value = made.map_err(|invalid| failure(None, invalid.message()))?;
        let label = context.string_attribute(std::mem::take(&mut content.label));
        let entries = [("label", label), ("value", value)];
        let entries = entries.map(|(name, value)| (context.identifier(name), value));
        let made = context.dictionary_attribute(&entries);
        let made = made.map_err(|invalid| failure(None, invalid.message()))?;
        property(parser, operation, "prop", made);
        operation.attributes = std::mem::take(&mut content.attributes);
        Ok(None)
    }
}

/// Custom syntax of `test.polyfor`: `%i, %j {...}`, where all arguments are indices.
#[derive(Debug)]
pub(crate) struct PolyFor;

impl TwoWay for PolyFor {
    type Content = Vec<Argument>;

    /// The attribute that only suggests argument names is dropped, as upstream drops it.
    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Vec<Argument>> {
        let others = other_attributes(context, module, operation, &[ARGUMENT_NAMES]);
        let fits = has_shape(module, operation, 0, 0, 1) && others.is_empty();
        fits.then(|| Argument::all(module, operation, 0))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Vec<Argument>) -> AsmResult<()> {
        asm.space(" ");
        match asm.is_value_there(!content.is_empty()) {
            true => asm.items(content, |asm, argument| asm.argument_name(argument)),
            false => Ok(()),
        }
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        _: &mut ParsedOperation,
        content: &mut Vec<Argument>,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let ty = Some(parser.context().index_type());
        let arguments = content.iter();
        let arguments = arguments.filter_map(|&argument| Argument { ty, ..argument }.parsed());
        Ok(Some(arguments.collect()))
    }

    fn may_be_empty(&self) -> bool {
        true
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

/// The parsed parts of [`PrettyName`].
#[derive(Default)]
pub(crate) struct PrettyContent {
    results: Vec<Value>,
    /// The names in the attribute, which is printed only if the results have other names.
    names: Vec<Option<String>>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for PrettyName {
    type Content = PrettyContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<PrettyContent> {
        let names = strings(context, module.attribute(context, operation, "names"));
        let results: Vec<Value> = module.results(operation).collect();
        let mut types = results.iter().map(|&result| module.value_type(result));
        let fits = has_shape(module, operation, 0, results.len(), 0)
            && types.all(|ty| ty == context.i32_type());
        fits.then(|| PrettyContent {
            results,
            names,
            attributes: other_attributes(context, module, operation, &[]),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut PrettyContent) -> AsmResult<()> {
        let mut pairs = content.results.iter().zip(&content.names);
        let agrees = content.results.len() == content.names.len()
            && pairs.all(|(&result, name)| {
                let name = name.as_ref().map(String::as_bytes);
                name == asm.printed_name(result).as_deref()
            });
        if agrees {
            let context = asm.context();
            let attributes = &mut content.attributes;
            attributes.retain(|entry| context.bytes(entry.0) != b"names");
        }
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut PrettyContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let mut names = Vec::new();
        while let Some((text, _)) = parser.result_name(names.len()) {
            let is_number = text.first().is_none_or(u8::is_ascii_digit);
            names.push(if is_number { Vec::new() } else { text.to_vec() });
        }
        let context = parser.context();
        operation.result_types = vec![context.i32_type(); names.len()];
        operation.attributes = std::mem::take(&mut content.attributes);
        let key = context.identifier("names");
        if names.is_empty() || operation.attributes.iter().any(|&(name, _)| name == key) {
            return Ok(None);
        }
        let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        let strings = string_array(context, &names);
        operation.properties.push((key, strings));
        Ok(None)
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

impl TwoWayDirective for OptionalLocation {
    type Content = Option<Location>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let attribute = printed.arguments.first()?.attribute()?;
        match *printed.context.attribute_kind(attribute) {
            AttributeKind::Location(location) => Some(Some(location)),
            _ => None,
        }
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        let place = asm.place();
        asm.location(place, content)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [argument, ..] = arguments else {
            return Err(other_arguments(parser));
        };
        let attribute = content.map(|location| parser.context().location_attribute(location));
        *argument = ParsedArgument::Attribute(attribute);
        Ok(())
    }
}

/// Custom syntax of `transform.test_transform_op`: an optional string, which is the discardable
/// attribute `message`.
#[derive(Debug)]
pub(crate) struct Message;

impl TwoWay for Message {
    type Content = Option<Attribute>;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Self::Content> {
        let message = module.attribute(context, operation, "message");
        let fits = has_shape(module, operation, 0, 0, 0)
            && other_attributes(context, module, operation, &["message"]).is_empty()
            && message.is_none_or(|message| crate::func::is_plain_string(context, message));
        fits.then_some(message)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<()> {
        asm.space(if content.is_some() { " " } else { "" });
        asm.optional_quoted(content);
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Self::Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let name = parser.name("message");
        operation
            .attributes
            .extend(content.map(|message| (name, message)));
        Ok(None)
    }
}

/// Custom syntax of `test.switch_with_no_break`: `%arg {...} case 0 {...} case 1 {...}`.
#[derive(Debug)]
pub(crate) struct Switch;

const CASES: &str = "cases";

/// The parsed parts of [`Switch`].
#[derive(Default)]
pub(crate) struct SwitchContent {
    value: crate::two_way::Named,
    attributes: Vec<NamedAttribute>,
    /// The case that follows.
    case: Option<i64>,
    /// The cases that were read.
    cases: Vec<i64>,
}

impl SwitchContent {
    /// `case 0`, on a line. Returns whether there is a case.
    fn next(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<bool> {
        if !asm.is_there("case", self.case.is_some()) {
            return Ok(false);
        }
        asm.newline();
        asm.token("case", "case ")?;
        asm.integer(self.case.get_or_insert_default())?;
        Ok(true)
    }

    /// Adds the case that was read, or sets the attribute of all. Returns whether there is a case.
    fn build_next(&mut self, parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> bool {
        if let Some(case) = self.case.take() {
            self.cases.push(case);
            return true;
        }
        let cases = self.cases.iter().copied();
        let cases = parser.context().i64_array_attribute(cases);
        property(parser, operation, CASES, cases);
        false
    }
}

impl TwoWay for Switch {
    type Content = SwitchContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<SwitchContent> {
        let cases = numbers(context, module.attribute(context, operation, CASES))?;
        let value = module.operand(operation, 0)?;
        let has_arguments = |number| !entry_arguments(module, operation, number).is_empty();
        let fits = has_shape(module, operation, 1, 0, cases.len())
            && module.value_type(value) == context.index_type()
            && !(0..cases.len()).any(has_arguments);
        fits.then(|| SwitchContent {
            value: crate::two_way::Named::of(value),
            attributes: other_attributes(context, module, operation, &[CASES]),
            case: cases.first().copied(),
            cases: Vec::new(),
        })
    }

    fn content_after(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        regions: usize,
    ) -> Option<SwitchContent> {
        let cases = module.attribute(context, operation, CASES)?;
        Some(SwitchContent {
            case: context.i64_array(cases)?.nth(regions),
            ..SwitchContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut SwitchContent) -> AsmResult<()> {
        asm.space(" ");
        asm.value(&mut content.value)?;
        asm.dictionary(&mut content.attributes)?;
        // As upstream: the end of a line.
        asm.space(" ");
        content.next(asm)?;
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut SwitchContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let index = parser.context().index_type();
        let value = content.value.name.map(|value| (value, index));
        add_operands(parser, operation, value)?;
        operation.attributes = std::mem::take(&mut content.attributes);
        let follows = content.build_next(parser, operation);
        Ok(follows.then(Vec::new))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut SwitchContent,
        _: usize,
    ) -> AsmResult<bool> {
        content.next(asm)
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut SwitchContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        content.build_next(parser, operation);
        Ok(Vec::new())
    }

    fn shows_region(&self, content: &SwitchContent) -> bool {
        content.case.is_some()
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}

/// The sizes of `#test.decimal_shape`: decimal integers separated by `x`.
#[derive(Debug)]
pub(crate) struct DecimalShape;

impl TwoWayEntry for DecimalShape {
    type Content<'v> = List<'v, i64>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<List<'v, i64>, Invalid> {
        let sizes = List::of(values, 0, NO_INTEGER)?;
        match sizes.all(|size| size >= 0) {
            true => Ok(sizes),
            false => Err(Invalid::new(NO_INTEGER)),
        }
    }

    fn text(&self, asm: &mut EntryAsm<'_>, sizes: &mut List<'_, i64>) -> AsmResult<()> {
        let place = asm.place();
        let read = asm.dimensions(sizes);
        let is_there = !sizes.is_empty() || asm.is_there(">", true);
        match read.is_ok() && is_there && !sizes.read().contains(&DYNAMIC) {
            true => Ok(()),
            false => Err(failure(place, NO_INTEGER)),
        }
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        sizes: List<'static, i64>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        sizes.set(values, 0);
        Ok(())
    }
}

const NO_INTEGER: &str = "expected an integer";

/// The parameters of an attribute that has the type of another one: the other attribute, and the
/// type, which is not written in the body.
#[derive(Debug)]
pub(crate) struct TypeOfValue;

impl TwoWayEntry for TypeOfValue {
    type Content<'v> = Option<Attribute>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        required(values, 0, "expected an attribute")
    }

    fn text(&self, asm: &mut EntryAsm<'_>, value: &mut Option<Attribute>) -> AsmResult<()> {
        asm.attribute(value)
    }

    fn build(
        &self,
        parser: &mut dyn EntryParser,
        value: Option<Attribute>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let ty = value.map(|value| parser.context().attribute_type(value));
        set(values, 0, value);
        set(values, 1, ty);
        Ok(())
    }
}
