//! `linalg.generic` and `vector.contract`: operations whose custom syntax starts with a dictionary
//! of indexing maps and iterator types, in which iterator types are strings.

use crate::func::has_shape;
use crate::function::entry_block;
use crate::helpers::{add_operands, dialect_attribute, result_types, segments_property};
use crate::two_way::{Asm, Named, TwoWay, TypedValues, failure};
use crate::upstream::linalg::inputs_outputs::{InputsOutputs, input_count};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument, ValueNames};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Invalid, Module, NamedAttribute, Operation, Region, Type,
    Value,
};

const ITERATORS: &str = "iterator_types";
/// The text of an attribute before and after the keyword of an iterator type.
const AROUND: (&str, &str) = ("iterator_type<", ">");
const GENERIC: [&str; 4] = ["doc", "indexing_maps", ITERATORS, "library_call"];
const CONTRACT: [&str; 3] = ["indexing_maps", ITERATORS, "kind"];

/// Returns the keyword of a `#dialect.iterator_type<WORD>`.
fn iterator<'c>(context: &'c Context, dialect: &str, attribute: Attribute) -> Option<&'c str> {
    match context.attribute_kind(attribute) {
        AttributeKind::Dialect {
            dialect: found,
            body,
            ..
        } if context.bytes(*found) == dialect.as_bytes() => {
            let text = std::str::from_utf8(body.text()).ok()?;
            text.strip_prefix(AROUND.0)?.strip_suffix(AROUND.1)
        }
        _ => None,
    }
}

/// Returns the keywords of an array of iterator types.
fn iterators(context: &Context, dialect: &str, attribute: Attribute) -> Option<Vec<Vec<u8>>> {
    let AttributeKind::Array(items) = context.attribute_kind(attribute) else {
        return None;
    };
    let word = |&item: &Attribute| Some(iterator(context, dialect, item)?.as_bytes().to_vec());
    items.iter().map(word).collect()
}

/// `{...}`, with iterator types as strings.
fn dictionary(
    asm: &mut Asm<'_, '_>,
    dialect: &str,
    entries: &mut Vec<NamedAttribute>,
) -> AsmResult<()> {
    let Asm::Parser(parser) = asm else {
        let mut pairs: Vec<_> = entries
            .iter()
            .map(|one| (Some(one.0), Some(one.1)))
            .collect();
        return asm.list(("{", "}"), &mut pairs, |asm, (name, value)| {
            let is_iterators =
                name.is_some_and(|name| asm.context().bytes(name) == ITERATORS.as_bytes());
            let words = value.filter(|_| is_iterators);
            let words = words.and_then(|value| iterators(asm.context(), dialect, value));
            asm.word(name)?;
            asm.token("=", " = ")?;
            match words {
                Some(mut words) => asm.list(("[", "]"), &mut words, Asm::string),
                None => asm.attribute(value),
            }
        });
    };
    // As upstream, a dictionary attribute is read, for which an alias can stand.
    let place = parser.place();
    let dictionary = parser.attribute()?;
    let context = parser.context();
    if !matches!(
        context.attribute_kind(dictionary),
        AttributeKind::Dictionary(_)
    ) {
        return Err(AsmError::new(place, "expected a dictionary attribute"));
    }
    *entries = context.dictionary_entries(dictionary).to_vec();
    let name = context.identifier(ITERATORS);
    for entry in entries.iter_mut().filter(|entry| entry.0 == name) {
        entry.1 = iterators_of(context, dialect, entry.1)
            .map_err(|error| AsmError::new(place, error.message()))?;
    }
    Ok(())
}

/// Returns the array of iterator types of an array that can have their keywords instead.
fn iterators_of(
    context: &mut Context,
    dialect: &str,
    array: Attribute,
) -> Result<Attribute, Invalid> {
    let AttributeKind::Array(items) = context.attribute_kind(array).clone() else {
        let message = format!("expected {ITERATORS} array attribute");
        return Err(Invalid::new(message));
    };
    let mut kinds = Vec::new();
    for item in items {
        let Some(word) = context.string_value(item).map(<[u8]>::to_vec) else {
            kinds.push(item);
            continue;
        };
        let word = String::from_utf8_lossy(&word);
        if !["parallel", "reduction", "window"].contains(&&*word) {
            return Err(Invalid::new(format!("unexpected iterator_type ({word})")));
        }
        let (before, after) = AROUND;
        let text = format!("{before}{word}{after}");
        kinds.push(dialect_attribute(context, dialect, &text)?);
    }
    Ok(context.array_attribute(&kinds))
}

/// Returns the attributes in the dictionary at the start, which have these names, and the others.
fn split_attributes(
    context: &Context,
    module: &Module,
    operation: Operation,
    names: &[&str],
) -> (Vec<NamedAttribute>, Vec<NamedAttribute>) {
    let is_first = |entry: &NamedAttribute| {
        let name = context.bytes(entry.0);
        names.iter().any(|one| one.as_bytes() == name)
    };
    let attributes = module.all_attributes(context, operation).into_owned();
    attributes.into_iter().partition(is_first)
}

fn iterators_fit(context: &Context, module: &Module, operation: Operation, dialect: &str) -> bool {
    let attribute = module.attribute(context, operation, ITERATORS);
    attribute.is_some_and(|attribute| iterators(context, dialect, attribute).is_some())
        && module
            .attribute(context, operation, "indexing_maps")
            .is_some()
}

/// Custom syntax of `vector.contract`: `{...} %a, %b, %c {...} : types into type`.
#[derive(Debug)]
pub(crate) struct Contract;

/// The parsed parts of [`Contract`].
#[derive(Default)]
pub(crate) struct ContractContent {
    entries: Vec<NamedAttribute>,
    operands: Vec<Named>,
    attributes: Vec<NamedAttribute>,
    left: Option<Type>,
    right: Option<Type>,
    result: Option<Type>,
}

impl TwoWay for Contract {
    type Content = ContractContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ContractContent> {
        let operands = TypedValues::operands(module, operation);
        let [left, right, result] = operands.types[..] else {
            return None;
        };
        let fits = has_shape(module, operation, 3, 1, 0)
            && result_types(module, operation) == [result]
            && iterators_fit(context, module, operation, "vector");
        let (entries, attributes) = split_attributes(context, module, operation, &CONTRACT);
        fits.then_some(ContractContent {
            entries,
            operands: operands.values,
            attributes,
            left: Some(left),
            right: Some(right),
            result: Some(result),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ContractContent) -> AsmResult<()> {
        asm.space(" ");
        dictionary(asm, "vector", &mut content.entries)?;
        asm.space(" ");
        let place = asm.place();
        asm.values(&mut content.operands)?;
        if content.operands.len() != 3 {
            return Err(failure(place, "expected 3 operands"));
        }
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.left)?;
        asm.token(",", ", ")?;
        asm.ty(&mut content.right)?;
        asm.token("into", " into ")?;
        asm.ty(&mut content.result)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ContractContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.entries);
        operation.attributes.append(&mut content.attributes);
        let types = [content.left, content.right, content.result];
        let names = Named::names(&content.operands);
        add_operands(
            parser,
            operation,
            names.into_iter().zip(types.into_iter().flatten()),
        )?;
        operation.result_types.extend(content.result);
        Ok(None)
    }
}

/// Custom syntax of `linalg.generic`: `{...} ins(%a : type) outs(%b : type) attrs = {...} {...} ->
/// types`.
#[derive(Debug)]
pub(crate) struct Generic;

/// The parsed parts of [`Generic`].
#[derive(Default)]
pub(crate) struct GenericContent {
    entries: Vec<NamedAttribute>,
    operands: InputsOutputs,
    attributes: Vec<NamedAttribute>,
    results: Vec<Type>,
}

impl TwoWay for Generic {
    type Content = GenericContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<GenericContent> {
        let operands: Vec<Value> = module.operands(operation).collect();
        let inputs = input_count(context, module, operation)?;
        let all = InputsOutputs::of(module, &operands, inputs)?;
        let results = result_types(module, operation);
        let block = entry_block(module, operation)?;
        let fits = has_shape(module, operation, operands.len(), results.len(), 1)
            && module.next_block(block).is_none()
            && module.first_operation(block).is_some()
            && iterators_fit(context, module, operation, "linalg");
        let (entries, mut attributes) = split_attributes(context, module, operation, &GENERIC);
        attributes.retain(|entry| context.bytes(entry.0) != b"operandSegmentSizes");
        fits.then_some(GenericContent {
            entries,
            operands: all,
            attributes,
            results,
        })
    }

    fn content_after(
        &self,
        _: &Context,
        module: &Module,
        operation: Operation,
        _: usize,
    ) -> Option<GenericContent> {
        Some(GenericContent {
            results: result_types(module, operation),
            ..GenericContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut GenericContent) -> AsmResult<()> {
        asm.space(" ");
        dictionary(asm, "linalg", &mut content.entries)?;
        asm.inputs_and_outputs(&mut content.operands)?;
        if asm.is_there("attrs", !content.attributes.is_empty()) {
            asm.token("attrs", " attrs")?;
            asm.token("=", " = ")?;
            asm.dictionary(&mut content.attributes)?;
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut GenericContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.entries);
        operation.attributes.append(&mut content.attributes);
        let sizes = content.operands.add(parser, operation)?;
        segments_property(parser, operation, &sizes);
        Ok(Some(Vec::new()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut GenericContent,
        _: usize,
    ) -> AsmResult<bool> {
        asm.optional_arrow_types(&mut content.results)?;
        Ok(false)
    }

    fn build_after(
        &self,
        _: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut GenericContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        operation.result_types = std::mem::take(&mut content.results);
        Ok(Vec::new())
    }

    fn shows_arguments(&self, _: usize) -> bool {
        true
    }

    fn may_be_empty(&self) -> bool {
        true
    }

    fn has_format(&self) -> bool {
        // Upstream's hand-written parser checks attributes as a generated one does.
        true
    }
}

/// Names the arguments of the region `%in` and `%out`.
impl ValueNames for Generic {
    fn argument_names(
        &self,
        context: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let Some(operation) = module.region_parent(region) else {
            return;
        };
        let inputs = input_count(context, module, operation).unwrap_or_default();
        let block = module.first_block(region);
        let arguments = block.into_iter().flat_map(|block| module.arguments(block));
        for (number, (argument, _)) in arguments.enumerate() {
            name(argument, if number < inputs { "in" } else { "out" });
        }
    }
}
