//! Names of results that are stored in attributes, and names that constants suggest.

use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::two_way::{Asm, failure, items, plain_string};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument, ValueNames};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Identifier, Module, NamedAttribute, Operation, Region,
    Signedness, Type, TypeKind, Value,
};
use std::borrow::Cow;

/// The directive of a name that is left out if it is that of the result. The argument is the
/// attribute, which is written as `name "a"`, or the dictionary with the attribute `name`.
#[derive(Debug)]
pub(crate) struct ImplicitName {
    /// Whether the dictionary has `annotations`, which are left out if they are empty.
    pub(crate) annotations: bool,
}

/// Returns the name that the text gives to the first result; empty if it is a number.
pub(super) fn name_in_text(parser: &mut dyn AsmParser) -> Attribute {
    let name = parser.result_name(0).map_or(&[][..], |(name, _)| name);
    let is_number = name.first().is_some_and(u8::is_ascii_digit);
    let name = if is_number { Vec::new() } else { name.to_vec() };
    parser.context().string_attribute(name)
}

/// The text of [`ImplicitName`].
#[derive(Default)]
pub(crate) struct NameContent {
    /// Whether the name is not in a dictionary.
    is_alone: bool,
    name: Option<Attribute>,
    /// The name to be printed, and the result.
    text: Vec<u8>,
    result: Option<Value>,
    attributes: Vec<NamedAttribute>,
    /// The key of the name among the attributes.
    key: Option<Identifier>,
}

impl NameContent {
    /// Returns whether the name is left out where it is printed, since it is that of the result.
    fn is_implied(&self, asm: &Asm<'_, '_>) -> bool {
        let printed = self.result.and_then(|result| asm.printed_name(result));
        printed.is_some_and(|printed| {
            // An empty name is read from a number.
            let is_number = printed.first().is_some_and(u8::is_ascii_digit);
            printed == self.text || self.text.is_empty() && is_number
        })
    }
}

impl TwoWayDirective for ImplicitName {
    type Content = NameContent;

    fn content(&self, printed: &Printed<'_>) -> Option<NameContent> {
        let (context, module, operation) = (printed.context, printed.module, printed.operation);
        let attribute = |name: &str| module.attribute(context, operation, name);
        if self.annotations {
            attribute("annotations")?;
        }
        let mut content = NameContent {
            result: Some(module.result(operation, 0)?),
            ..NameContent::default()
        };
        match printed.arguments {
            [PrintedArgument::Attribute(name)] => {
                content.is_alone = true;
                content.name = *name;
            }
            [PrintedArgument::Dictionary(attributes)] => {
                content.name = attribute("name");
                content.attributes.clone_from(attributes);
                content.attributes.retain(|&(key, value)| {
                    !self.annotations
                        || context.bytes(key) != b"annotations"
                        || items(context, Some(value)).is_none_or(|list| !list.is_empty())
                });
                let mut keys = attributes.iter().map(|entry| entry.0);
                content.key = keys.find(|&key| context.bytes(key) == b"name");
            }
            _ => return None,
        }
        content.text = plain_string(context, content.name)?.to_vec();
        Some(content)
    }

    fn given(&self, arguments: &[ParsedArgument]) -> NameContent {
        NameContent {
            is_alone: matches!(arguments, [ParsedArgument::Attribute(_)]),
            ..NameContent::default()
        }
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut NameContent) -> AsmResult<bool> {
        let is_implied = content.is_implied(asm);
        if content.is_alone {
            let mut there = !is_implied;
            asm.optional("name", " name ", &mut there);
            if there {
                let place = asm.place();
                asm.optional_quoted(&mut content.name);
                content
                    .name
                    .ok_or_else(|| failure(place, "expected string"))?;
            }
            return Ok(true);
        }
        let hidden = content.key.filter(|_| is_implied);
        content.attributes.retain(|entry| Some(entry.0) != hidden);
        asm.dictionary(&mut content.attributes)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: NameContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        match arguments {
            [ParsedArgument::Attribute(name)] => {
                *name = Some(content.name.unwrap_or_else(|| name_in_text(parser)));
            }
            [ParsedArgument::Dictionary(attributes)] => {
                *attributes = content.attributes;
                let key = parser.name("name");
                if !attributes.iter().any(|entry| entry.0 == key) {
                    attributes.push((key, name_in_text(parser)));
                }
                let key = parser.name("annotations");
                if self.annotations && !attributes.iter().any(|entry| entry.0 == key) {
                    attributes.push((key, parser.context().array_attribute(&[])));
                }
            }
            _ => return Err(other_arguments(parser)),
        }
        Ok(())
    }
}

/// Names results and arguments after attributes that store names.
#[derive(Debug)]
pub(crate) struct NamedBy {
    /// The string attribute with the name of the first result, or an array with one for each
    /// result.
    pub(crate) results: &'static str,
    /// The prefix of the name of each result: the value of this attribute, and the text that
    /// takes its place if it is empty.
    pub(crate) prefix: Option<(&'static str, &'static str)>,
    /// The text between that and the name.
    pub(crate) separator: &'static str,
    /// The array with the names of the arguments of the first region.
    pub(crate) arguments: &'static str,
}

impl NamedBy {
    /// Names the results after an attribute.
    pub(crate) const fn results(results: &'static str) -> Self {
        NamedBy {
            results,
            prefix: None,
            separator: "",
            arguments: "",
        }
    }

    /// Names the arguments of the region after an attribute.
    pub(crate) const fn arguments(arguments: &'static str) -> Self {
        NamedBy {
            results: "",
            prefix: None,
            separator: "",
            arguments,
        }
    }
}

impl ValueNames for NamedBy {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        if self.results.is_empty() {
            return;
        }
        let Some(found) = module.attribute(context, operation, self.results) else {
            return;
        };
        let single = [found];
        // One name is that of one result, or of two of which the second refers to the first.
        let count = module.result_count(operation);
        let is_single = count == 1;
        let forceable = module.attribute(context, operation, "forceable").is_some();
        if let (2, true, Some(text)) = (count, forceable, context.string_value(found)) {
            let text = String::from_utf8_lossy(text);
            for (result, suffix) in module.results(operation).zip(["", "_ref"]) {
                if !text.is_empty() {
                    name(result, &format!("{text}{suffix}"));
                }
            }
            return;
        }
        let all = items(context, Some(found));
        let all = all.unwrap_or(if is_single { &single } else { &[] });
        let prefix = self.prefix.map(|(attribute, other)| {
            let prefix = module.attribute(context, operation, attribute);
            match prefix.and_then(|prefix| context.string_value(prefix)) {
                Some(prefix) if !prefix.is_empty() => String::from_utf8_lossy(prefix).into_owned(),
                _ => other.to_owned(),
            }
        });
        for (result, &found) in module.results(operation).zip(all) {
            let symbol = super::firrtl::flat(context, Some(found));
            let text = context.string_value(found).or(symbol).unwrap_or_default();
            let text = String::from_utf8_lossy(text);
            match &prefix {
                Some(prefix) => name(result, &format!("{prefix}{}{text}", self.separator)),
                None if text.is_empty() => {}
                None => name(result, &text),
            }
        }
    }

    fn argument_names(
        &self,
        context: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let (Some(operation), Some(block)) =
            (module.region_parent(region), module.first_block(region))
        else {
            return;
        };
        if self.arguments.is_empty() {
            return;
        }
        let names = items(
            context,
            module.attribute(context, operation, self.arguments),
        );
        let names = names.unwrap_or_default();
        if names.len() != module.argument_count(block) {
            return;
        }
        for ((value, _), &found) in module.arguments(block).zip(names) {
            let text = context.string_value(found).unwrap_or_default();
            if !text.is_empty() {
                name(value, &String::from_utf8_lossy(text));
            }
        }
    }
}

/// Returns the digits of an integer.
fn digits(context: &Context, value: Attribute, signed: bool) -> Option<String> {
    let AttributeKind::Integer { value, .. } = context.attribute_kind(value) else {
        return None;
    };
    let mut text = Vec::new();
    value.write_decimal(signed, &mut text);
    String::from_utf8(text).ok()
}

/// Returns the keyword of an integer type.
fn integer_keyword(context: &Context, ty: Type) -> Option<String> {
    let TypeKind::Integer { width, signedness } = context.type_kind(ty) else {
        return None;
    };
    let sign = match signedness {
        Signedness::Signless => "i",
        Signedness::Signed => "si",
        Signedness::Unsigned => "ui",
    };
    Some(format!("{sign}{width}"))
}

/// Names constants after their value and type.
#[derive(Debug)]
pub(crate) enum ConstantName {
    /// `true`, `c5_i8`.
    Hw,
    /// `c5_ui8`.
    Firrtl,
    /// `c1_clock`.
    Special,
}

impl ValueNames for ConstantName {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let (Some(result), Some(value)) = (
            module.result(operation, 0),
            module.attribute(context, operation, "value"),
        ) else {
            return;
        };
        let ty = module.value_type(result);
        let text = match self {
            ConstantName::Hw => {
                let Some(keyword) = integer_keyword(context, ty) else {
                    return;
                };
                match keyword.as_str() {
                    "i1" => {
                        let is_zero = digits(context, value, true).as_deref() == Some("0");
                        Some(if is_zero { "false" } else { "true" }.to_owned())
                    }
                    _ => digits(context, value, true).map(|text| format!("c{text}_{keyword}")),
                }
            }
            ConstantName::Firrtl => firrtl_constant(context, value, ty),
            ConstantName::Special => {
                let number = u8::from(value == context.bool_attribute(true));
                let suffix = [
                    ("clock", "_clock"),
                    ("reset", "_reset"),
                    ("asyncreset", "_asyncreset"),
                ];
                let of = suffix.iter().find(|(word, _)| {
                    crate::helpers::is_of(context, ty, "firrtl", word)
                        || crate::helpers::is_of(context, ty, "firrtl", &format!("const.{word}"))
                });
                Some(format!("c{number}{}", of.map_or("", |of| of.1)))
            }
        };
        if let Some(text) = text {
            name(result, &text);
        }
    }
}

fn firrtl_constant(context: &Context, value: Attribute, ty: Type) -> Option<String> {
    let TypeKind::Dialect { body, .. } = context.type_kind(ty) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let text = text.strip_prefix("const.").unwrap_or(text);
    let signed = text.starts_with("sint");
    let width = text.split_once('<').map_or("", |(_, width)| width);
    let width = width.trim_end_matches('>');
    let digits = digits(context, value, signed)?;
    let sign = if signed { "si" } else { "ui" };
    Some(format!("c{digits}_{sign}{width}"))
}

/// Names results after the groups that they belong to, with the name of the operation in front:
/// `r.out`.
#[derive(Debug)]
pub(crate) struct CellNames {
    /// The names of the last results, if all results are one group; `addr0` and so on are in front.
    pub(crate) last: &'static [&'static str],
}

impl ValueNames for CellNames {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let symbol = module.attribute(context, operation, "sym_name");
        let symbol = symbol.and_then(|symbol| context.string_value(symbol));
        let symbol = String::from_utf8_lossy(symbol.unwrap_or_default()).into_owned();
        let Some(definition) = context.operation_definition(module.name(operation)) else {
            return;
        };
        let count = module.result_count(operation);
        let addresses = count.saturating_sub(self.last.len());
        for (number, result) in module.results(operation).enumerate() {
            let word = match (self.last, definition.results.get(number)) {
                ([], Some(group)) => group.name.to_string(),
                ([], None) => return,
                (last, _) => match number.checked_sub(addresses) {
                    Some(at) => last.get(at).copied().unwrap_or_default().to_owned(),
                    None => format!("addr{number}"),
                },
            };
            name(result, &format!("{symbol}.{word}"));
        }
    }
}

/// Names the result after the group around it: `A.go`.
pub(crate) fn group_go_name(
    context: &Context,
    module: &Module,
    operation: Operation,
    _: Value,
) -> Option<Cow<'static, str>> {
    let parent = module.parent_operation(operation)?;
    let symbol = module.attribute(context, parent, "sym_name")?;
    let symbol = String::from_utf8_lossy(context.string_value(symbol)?);
    Some(format!("{symbol}.go").into())
}

/// Names each result after a field of the type of the operand, or the one that an index selects.
#[derive(Debug)]
pub(crate) struct FieldNames {
    pub(crate) index: Option<&'static str>,
}

impl ValueNames for FieldNames {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let Some(operand) = module.operands(operation).next() else {
            return;
        };
        let fields = super::fields::fields(context, module.value_type(operand)).unwrap_or_default();
        match self.index {
            None => {
                for (result, (text, _)) in module.results(operation).zip(fields) {
                    name(result, &String::from_utf8_lossy(text));
                }
            }
            Some(index) => {
                let index = module.attribute(context, operation, index);
                let index = crate::helpers::integer(context, index);
                let index = index.and_then(|index| usize::try_from(index).ok());
                let field = index.and_then(|index| fields.get(index));
                if let (Some((text, _)), Some(result)) = (field, module.result(operation, 0)) {
                    name(result, &String::from_utf8_lossy(text));
                }
            }
        }
    }
}

/// Names the results by fixed words.
#[derive(Debug)]
pub(crate) struct ResultWords(pub(crate) &'static [&'static str]);

impl ValueNames for ResultWords {
    fn result_names(
        &self,
        _: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        for (result, word) in module.results(operation).zip(self.0) {
            name(result, word);
        }
    }
}

/// Names the result after the words of an invalid value's type.
pub(crate) fn invalid_name(
    context: &Context,
    module: &Module,
    _: Operation,
    result: Value,
) -> Option<Cow<'static, str>> {
    let TypeKind::Dialect { body, .. } = context.type_kind(module.value_type(result)) else {
        return None;
    };
    let text = String::from_utf8_lossy(body.text());
    let text = text.strip_prefix("const.").unwrap_or(&text);
    let (word, width) = text.split_once('<').unwrap_or((text, ""));
    let width = width.trim_end_matches('>');
    Some(match word {
        "uint" => format!("invalid_ui{width}").into(),
        "sint" => format!("invalid_si{width}").into(),
        "analog" => format!("invalid_analog{width}").into(),
        "asyncreset" | "reset" | "clock" => format!("invalid_{word}").into(),
        _ => "invalid".into(),
    })
}

/// Names a constant after the register that it is: `#rtgtest.t0` is `t0`.
pub(crate) fn register_name(
    context: &Context,
    module: &Module,
    operation: Operation,
    _: Value,
) -> Option<Cow<'static, str>> {
    let value = module.attribute(context, operation, "value")?;
    let AttributeKind::Dialect { body, ty, .. } = context.attribute_kind(value) else {
        return None;
    };
    let is_register = ty.is_some_and(|ty| {
        ["ireg", "freg"]
            .iter()
            .any(|word| crate::helpers::is_of(context, ty, "rtgtest", word))
    });
    let word = std::str::from_utf8(body.text()).unwrap_or_default();
    is_register.then(|| word.to_owned().into())
}

/// Names the arguments of the region by fixed words.
#[derive(Debug)]
pub(crate) struct ArgumentWords(pub(crate) &'static [&'static str]);

impl ValueNames for ArgumentWords {
    fn argument_names(
        &self,
        _: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        if let Some(block) = module.first_block(region)
            && module.argument_count(block) == self.0.len()
        {
            for ((value, _), word) in module.arguments(block).zip(self.0) {
                name(value, word);
            }
        }
    }
}

/// Names the result after its integer type, with this in front: `z_i8`.
#[derive(Debug)]
pub(crate) struct TypeName(pub(crate) &'static str);

impl ValueNames for TypeName {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        if let Some(result) = module.result(operation, 0)
            && let Some(width) = super::infer::width(context, module.value_type(result))
        {
            name(result, &format!("{}i{width}", self.0));
        }
    }
}

/// Names the result after an attribute, with a text in front: `in_a`.
#[derive(Debug)]
pub(crate) struct Prefixed(pub(crate) &'static str);

impl ValueNames for Prefixed {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let text = module.attribute(context, operation, "name");
        let text = text.and_then(|text| context.string_value(text));
        if let (Some(text), Some(result)) = (text, module.result(operation, 0)) {
            name(
                result,
                &format!("{}{}", self.0, String::from_utf8_lossy(text)),
            );
        }
    }
}

/// Names the results after the attribute `name`, followed by a suffix for each.
#[derive(Debug)]
pub(crate) struct Suffixed {
    /// The name in place of an empty one.
    pub(crate) unnamed: &'static str,
    pub(crate) suffixes: &'static [&'static str],
}

impl ValueNames for Suffixed {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let text = module.attribute(context, operation, "name");
        let text = text.and_then(|text| context.string_value(text));
        let text = String::from_utf8_lossy(text.unwrap_or_default()).into_owned();
        let base = if text.is_empty() { self.unnamed } else { &text };
        for (result, suffix) in module.results(operation).zip(self.suffixes) {
            name(result, &format!("{base}{suffix}"));
        }
    }
}

/// Names the results of an instance after the ports of the component or primitive that an attribute
/// refers to, with the name of the instance in front: `r.out`.
#[derive(Debug)]
pub(crate) struct InstanceNames(pub(crate) &'static str);

/// The number of operations among which a component is looked for.
const MOST: usize = 4096;

impl ValueNames for InstanceNames {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let attribute = |of: Operation, name: &str| module.attribute(context, of, name);
        let target = super::firrtl::flat(context, attribute(operation, self.0));
        let symbol = attribute(operation, "sym_name");
        let (Some(target), Some(symbol)) =
            (target, symbol.and_then(|one| context.string_value(one)))
        else {
            return;
        };
        let symbol = String::from_utf8_lossy(symbol).into_owned();
        let component = module.parent_operation(operation);
        let parent = component.and_then(|component| module.parent_operation(component));
        let region = parent.and_then(|parent| module.region(parent, 0));
        let block = region.and_then(|region| module.first_block(region));
        let mut all = block.into_iter().flat_map(|block| module.operations(block));
        let found = all.by_ref().take(MOST).find(|&one| {
            let name = attribute(one, "sym_name").and_then(|name| context.string_value(name));
            name == Some(target)
        });
        let Some(found) = found else { return };
        let ports = match attribute(found, "portNames") {
            Some(ports) => {
                let ports = items(context, Some(ports)).unwrap_or_default().iter();
                let ports = ports.map(|&port| context.string_value(port).unwrap_or_default());
                ports.map(<[u8]>::to_vec).collect()
            }
            None => super::module::port_names(context, attribute(found, "module_type")),
        };
        for (result, port) in module.results(operation).zip(ports) {
            name(
                result,
                &format!("{symbol}.{}", String::from_utf8_lossy(&port)),
            );
        }
    }
}

/// Names the results of `seq.fifo`, in upstream's order.
#[derive(Debug)]
pub(crate) struct FifoNames;

impl ValueNames for FifoNames {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let has = |name: &str| module.attribute(context, operation, name).is_some();
        let results: Vec<Value> = module.results(operation).collect();
        let mut flags = results.iter().skip(3);
        let full = has("almostFullThreshold").then(|| flags.next());
        let empty = has("almostEmptyThreshold").then(|| flags.next());
        for (result, text) in [
            (results.first(), "out"),
            (results.get(2), "empty"),
            (results.get(1), "full"),
            (full.flatten(), "almostFull"),
            (empty.flatten(), "almostEmpty"),
        ] {
            if let Some(&result) = result {
                name(result, text);
            }
        }
    }
}

/// Names the result after the word at the start of a text in Verilog: that of the attribute
/// `format_string` or `text`.
pub(crate) fn verbatim_name(
    context: &Context,
    module: &Module,
    operation: Operation,
    _: Value,
) -> Option<Cow<'static, str>> {
    let attribute = |name: &str| module.attribute(context, operation, name);
    let text = attribute("format_string").or_else(|| attribute("text"))?;
    let text = context.string_value(text)?;
    let text = text.strip_prefix(b"`").unwrap_or(text);
    let is_end = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'_';
    let end = text.iter().position(is_end).unwrap_or(text.len());
    let word = text.get(..end).filter(|word| !word.is_empty())?;
    Some(String::from_utf8_lossy(word).into_owned().into())
}
