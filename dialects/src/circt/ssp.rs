//! Operations of `ssp`, whose properties are attributes of the dialect in square brackets.

use super::firrtl::flat;
use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::property;
use crate::two_way::{
    Asm, Named, TwoWay, is_dialect_attribute, items, other_attributes, plain_string,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, ParsedArgument, ParsedOperation, RegionArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, TypeKind};

/// Returns the mnemonic of an attribute of the dialect.
fn mnemonic(context: &Context, attribute: Attribute) -> Option<String> {
    match context.attribute_kind(attribute) {
        AttributeKind::Dialect {
            dialect,
            body,
            ty: None,
        } if context.bytes(*dialect) == b"ssp" => String::from_utf8(body.mnemonic().to_vec()).ok(),
        _ => None,
    }
}

/// One property: `t<5>`.
fn property_text(asm: &mut Asm<'_, '_>, item: &mut Option<Attribute>) -> AsmResult<()> {
    let mut word = item.and_then(|item| mnemonic(asm.context(), item));
    asm.optional_keyword(&mut word);
    match &word {
        Some(word) => asm.stripped(("ssp", word), item),
        None => asm.attribute(item),
    }
}

/// Properties in square brackets; nothing if there are none.
fn properties_text(asm: &mut Asm<'_, '_>, all: &mut Vec<Option<Attribute>>) -> AsmResult<()> {
    asm.optional_list(("[", "]"), all, property_text)
}

/// The directive of an optional array of properties. The argument is the array.
#[derive(Debug)]
pub(crate) struct Properties;

impl TwoWayDirective for Properties {
    /// Whether the text has brackets, and the properties.
    type Content = (bool, Vec<Option<Attribute>>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let Some(value) = printed.arguments.first()?.attribute() else {
            return Some(<_>::default());
        };
        let all = items(printed.context, Some(value))?;
        let is_lossless = !all.is_empty() && are_properties(printed.context, all);
        is_lossless.then(|| (true, all.iter().copied().map(Some).collect()))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (there, all): &mut Self::Content) -> AsmResult<bool> {
        *there = asm.is_there("[", *there);
        properties_text(asm, all)?;
        Ok(*there)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (there, all): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let ([argument], true) = (arguments, there) {
            let all: Vec<Attribute> = all.into_iter().flatten().collect();
            *argument = ParsedArgument::Attribute(Some(parser.context().array_attribute(&all)));
        }
        Ok(())
    }
}

/// Returns whether attributes are of the dialect: their texts have no other name of it.
fn are_properties(context: &Context, all: &[Attribute]) -> bool {
    let is = |&one: &Attribute| is_dialect_attribute(context, one, "ssp", None);
    all.iter().all(is)
}

/// The syntax of `ssp.operation`: `<@opr> @name(%a, @b [dist<1>]) uses[@r] [t<1>]`.
#[derive(Debug)]
pub(crate) struct OperationOp;

/// A dependence: a value or the name of another operation, and properties.
#[derive(Default, Debug)]
struct Dependence {
    is_value: bool,
    value: Named,
    source: Option<Attribute>,
    properties: Vec<Option<Attribute>>,
}

/// The text of an operation.
#[derive(Default)]
pub(crate) struct OperationContent {
    has_type: bool,
    of: Option<Attribute>,
    has_name: bool,
    name: Vec<u8>,
    dependences: Vec<Dependence>,
    has_resources: bool,
    resources: Vec<Option<Attribute>>,
    has_properties: bool,
    properties: Vec<Option<Attribute>>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for OperationOp {
    type Content = OperationContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<OperationContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let (operands, results) = (
            module.operand_count(operation),
            module.result_count(operation),
        );
        let is_none = |value| matches!(context.type_kind(module.value_type(value)), TypeKind::None);
        let plain = crate::func::has_shape(module, operation, operands, results, 0)
            && module.operands(operation).all(is_none)
            && module.results(operation).all(is_none);
        if !plain {
            return None;
        }
        let mut content = OperationContent {
            dependences: module
                .operands(operation)
                .map(|value| Dependence {
                    is_value: true,
                    value: Named::of(value),
                    ..Dependence::default()
                })
                .collect(),
            attributes: other_attributes(
                context,
                module,
                operation,
                &["sym_name", "dependences", "sspProperties"],
            ),
            ..OperationContent::default()
        };
        if let Some(name) = attribute("sym_name") {
            content.has_name = true;
            content.name = plain_string(context, Some(name))?.to_vec();
        }
        if let Some(dependences) = attribute("dependences") {
            let dependences = items(context, Some(dependences))?;
            if dependences.is_empty() {
                return None;
            }
            for &dependence in dependences {
                let parameters = context.parameters(dependence).ok()?;
                let at = usize::try_from(parameters.get("operandIdx")?.integer()?).ok()?;
                let source = parameters.get("sourceRef").and_then(|one| one.attribute());
                let properties = parameters.get("properties").and_then(|one| one.attribute());
                let properties = match properties {
                    Some(list) => items(context, Some(list))?
                        .iter()
                        .copied()
                        .map(Some)
                        .collect(),
                    None => Vec::new(),
                };
                match source {
                    Some(source) => {
                        flat(context, Some(source))?;
                        if at != content.dependences.len() {
                            return None;
                        }
                        content.dependences.push(Dependence {
                            source: Some(source),
                            properties,
                            ..Dependence::default()
                        });
                    }
                    None => {
                        let known = content.dependences.get_mut(at)?;
                        if known.source.is_some() || properties.is_empty() {
                            return None;
                        }
                        known.properties = properties;
                    }
                }
            }
        }
        if let Some(properties) = attribute("sspProperties") {
            content.has_properties = true;
            let mut rest = items(context, Some(properties))?.iter().copied().peekable();
            let is = |one: Attribute, word: &str| mnemonic(context, one).as_deref() == Some(word);
            if let Some(of) = rest.next_if(|&one| is(one, "opr")) {
                content.has_type = true;
                content.of = Some(context.parameter(of, "value")?.attribute()?);
            }
            if let Some(resources) = rest.next_if(|&one| is(one, "rsrcs")) {
                let list = context.parameter(resources, "value")?.attribute()?;
                content.has_resources = true;
                content.resources = items(context, Some(list))?
                    .iter()
                    .copied()
                    .map(Some)
                    .collect();
            }
            content.properties = rest.map(Some).collect();
            let others: Vec<Attribute> = content.properties.iter().copied().flatten().collect();
            if !are_properties(context, &others) {
                return None;
            }
            let lost = content
                .properties
                .iter()
                .flatten()
                .any(|&one| is(one, "opr") || is(one, "rsrcs"));
            let is_nothing =
                !content.has_type && !content.has_resources && content.properties.is_empty();
            if lost || is_nothing || content.has_resources && content.resources.is_empty() {
                return None;
            }
        }
        Some(content)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut OperationContent) -> AsmResult<()> {
        asm.token("<", "<")?;
        content.has_type = !asm.is_there(">", !content.has_type);
        if content.has_type {
            asm.attribute(&mut content.of)?;
        }
        asm.token(">", ">")?;
        content.has_name = !asm.is_there("(", !content.has_name);
        if content.has_name {
            asm.space(" ");
            asm.symbol_name(&mut content.name)?;
        }
        asm.list(("(", ")"), &mut content.dependences, |asm, one| {
            one.is_value = asm.is_value_there(one.is_value);
            match one.is_value {
                true => asm.value(&mut one.value)?,
                false => asm.attribute(&mut one.source)?,
            }
            if !one.properties.is_empty() {
                asm.space(" ");
            }
            properties_text(asm, &mut one.properties)
        })?;
        asm.optional("uses", " uses", &mut content.has_resources);
        if content.has_resources {
            asm.list(("[", "]"), &mut content.resources, |asm, one| {
                asm.attribute(one)
            })?;
        }
        if content.has_properties {
            asm.space(" ");
        }
        properties_text(asm, &mut content.properties)?;
        asm.dictionary(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut OperationContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        let invalid = |error: rmlir_ir::Invalid| AsmError::new(place, error.message());
        operation.attributes = std::mem::take(&mut content.attributes);
        let none = parser.context().try_type(TypeKind::None).map_err(invalid)?;
        let mut dependences = Vec::new();
        for (number, one) in std::mem::take(&mut content.dependences)
            .into_iter()
            .enumerate()
        {
            if let Some(name) = one.value.name {
                operation.operands.push(parser.resolve(name, none)?);
            }
            let properties: Vec<Attribute> = one.properties.into_iter().flatten().collect();
            if one.source.is_none() && properties.is_empty() {
                continue;
            }
            let context = parser.context();
            let list = (!properties.is_empty()).then(|| context.array_attribute(&properties));
            let number = i64::try_from(number).unwrap_or(i64::MAX);
            let mut builder = context.build_attribute("ssp.dependence");
            builder = builder.with("operandIdx", number);
            if let Some(source) = one.source {
                builder = builder.with("sourceRef", source);
            }
            if let Some(list) = list {
                builder = builder.with("properties", list);
            }
            dependences.push(builder.build().map_err(invalid)?);
        }
        let mut properties = Vec::new();
        let context = parser.context();
        if let Some(of) = content.of {
            let builder = context.build_attribute("ssp.opr").with("value", of);
            properties.push(builder.build().map_err(invalid)?);
        }
        if content.has_resources {
            let list: Vec<Attribute> = content.resources.iter().copied().flatten().collect();
            let list = context.array_attribute(&list);
            let builder = context.build_attribute("ssp.rsrcs").with("value", list);
            properties.push(builder.build().map_err(invalid)?);
        }
        properties.extend(content.properties.iter().copied().flatten());
        if content.has_name {
            let name = context.string_attribute(&content.name);
            property(parser, operation, "sym_name", name);
        }
        if !dependences.is_empty() {
            let list = parser.context().array_attribute(&dependences);
            property(parser, operation, "dependences", list);
        }
        if !properties.is_empty() {
            let list = parser.context().array_attribute(&properties);
            property(parser, operation, "sspProperties", list);
        }
        let mut results = 0usize;
        while parser.result_name(results).is_some() {
            results = results.saturating_add(1);
            operation.result_types.push(none);
        }
        Ok(None)
    }
}
