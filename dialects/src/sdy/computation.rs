//! Custom syntax of `sdy.manual_computation` and `sdy.named_computation`.

use crate::func::has_shape;
use crate::helpers::{add_operands, check_count, operand_types, property, result_types, typed};
use crate::two_way::{
    Argument, Asm, Named, Syntax, TwoWay, failure, invalid, is_dialect_attribute, other_attributes,
};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::codec::{FieldValue, FieldValues};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Type};

const NAME: &str = "name";
const IN: &str = "in_shardings";
const OUT: &str = "out_shardings";
const AXES: &str = "manual_axes";
const SHARDING: &str = "sharding";
/// The mnemonic of the attribute that holds one sharding for each value.
const PER_VALUE: &str = "sharding_per_value";

/// Custom syntax of `sdy.manual_computation` and `sdy.named_computation`:
/// `[<"name">](%operands) in_shardings=[...] out_shardings=[...] [manual_axes={...}] (%arguments)
/// {...} {...} : (types) -> types`.
#[derive(Debug)]
pub(crate) struct Computation {
    /// Whether it has a name and optional shardings; otherwise it has required shardings and manual
    /// axes.
    is_named: bool,
}

pub(crate) static MANUAL: Syntax<Computation> = Syntax(Computation { is_named: false });
pub(crate) static NAMED: Syntax<Computation> = Syntax(Computation { is_named: true });

/// The text of a computation.
#[derive(Default)]
pub(crate) struct Content {
    name: Option<Attribute>,
    operands: Vec<Named>,
    /// The shardings of operands and of results.
    shardings: [Shardings; 2],
    /// The positions of the shardings in a text that is read.
    places: [Option<usize>; 2],
    axes: Option<Attribute>,
    arguments: Vec<Argument>,
    attributes: Vec<NamedAttribute>,
    place: Option<usize>,
    inputs: Vec<Type>,
    results: Vec<Type>,
}

/// One sharding for each value; `None` if the operation does not have the attribute.
type Shardings = Option<Vec<Option<Attribute>>>;

/// Returns the shardings of an attribute; `None` if it is another one.
fn shardings_of(context: &Context, attribute: Attribute) -> Option<Vec<Option<Attribute>>> {
    if !is_dialect_attribute(context, attribute, "sdy", Some(PER_VALUE)) {
        return None;
    }
    let shardings = context.parameter(attribute, "shardings")?;
    let shardings = shardings.items().map(|item| item.attribute().map(Some));
    shardings.collect()
}

/// `[<...>, <...>]`; present when printing.
fn shardings_text(asm: &mut Asm<'_, '_>, shardings: &mut Shardings) -> AsmResult<()> {
    let shardings = shardings.get_or_insert_default();
    asm.list(("[", "]"), shardings, |asm, sharding| {
        asm.stripped(("sdy", SHARDING), sharding)
    })
}

/// Returns the attribute of shardings that were read.
fn shardings_attribute(
    context: &mut Context,
    place: Option<usize>,
    shardings: &[Option<Attribute>],
) -> AsmResult<Attribute> {
    let mut values = FieldValues::default();
    let items = shardings.iter().flatten();
    values.push_list(items.copied().map(FieldValue::Attribute));
    let made = context.attribute_with_values("sdy.sharding_per_value", values);
    made.map_err(invalid(place))
}

/// Returns whether an attribute belongs to `sdy` and its body has this start and end.
fn is_between(context: &Context, attribute: Attribute, ends: (&str, &str)) -> bool {
    match context.attribute_kind(attribute) {
        AttributeKind::Dialect {
            dialect,
            body,
            ty: None,
        } => {
            context.bytes(*dialect) == b"sdy"
                && body.text().starts_with(ends.0.as_bytes())
                && body.text().ends_with(ends.1.as_bytes())
                && std::str::from_utf8(body.text()).is_ok()
        }
        _ => false,
    }
}

impl Computation {
    fn elided(&self) -> &'static [&'static str] {
        match self.is_named {
            true => &[NAME, IN, OUT],
            false => &[IN, OUT, AXES],
        }
    }
}

impl TwoWay for Computation {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let (operands, results) = (
            module.operand_count(operation),
            module.result_count(operation),
        );
        let is_head = |head: Attribute| match self.is_named {
            true => matches!(
                context.attribute_kind(head),
                AttributeKind::String { ty: None, .. }
            ),
            false => is_between(context, head, ("manual_axes{", "}")),
        };
        let head = attribute(if self.is_named { NAME } else { AXES }).filter(|&head| is_head(head));
        let shardings = |name: &str| match attribute(name) {
            Some(value) => Some(Some(shardings_of(context, value)?)),
            None => self.is_named.then_some(None),
        };
        let shardings = [shardings(IN)?, shardings(OUT)?];
        let region = module.region(operation, 0)?;
        let block = module.first_block(region)?;
        let is_lossless = has_shape(module, operation, operands, results, 1)
            && head.is_some()
            && module.next_block(block).is_none()
            && module.first_operation(block).is_some();
        is_lossless.then(|| Content {
            name: head,
            operands: Named::all(module.operands(operation)),
            shardings,
            places: [None; 2],
            axes: head,
            arguments: Argument::all(module, operation, 0),
            attributes: other_attributes(context, module, operation, self.elided()),
            place: None,
            inputs: operand_types(module, operation, 0),
            results: result_types(module, operation),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        if self.is_named {
            asm.token("<", "<")?;
            asm.attribute(&mut content.name)?;
            asm.token(">", ">")?;
        }
        asm.values_between(("(", ")"), &mut content.operands)?;
        let places = content.places.iter_mut().zip(&mut content.shardings);
        for (name, (place, value)) in [IN, OUT].into_iter().zip(places) {
            if !self.is_named || asm.is_there(name, value.is_some()) {
                asm.space(" ");
                asm.token(name, name)?;
                asm.token("=", "=")?;
                *place = asm.place();
                shardings_text(asm, value)?;
            }
        }
        asm.space(" ");
        if !self.is_named {
            asm.token(AXES, AXES)?;
            asm.token("=", "=")?;
            asm.stripped(("sdy", AXES), &mut content.axes)?;
            asm.space(" ");
        }
        asm.arguments(&mut content.arguments)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let mut shardings = [None; 2];
        let read = content.shardings.iter().zip(content.places);
        for (made, (read, place)) in shardings.iter_mut().zip(read) {
            if let Some(read) = read {
                *made = Some(shardings_attribute(parser.context(), place, read)?);
            }
        }
        let [of_operands, of_results] = shardings;
        let properties = [
            (NAME, content.name),
            (IN, of_operands),
            (OUT, of_results),
            (AXES, content.axes),
        ];
        for (name, value) in properties {
            if let Some(value) = value {
                property(parser, operation, name, value);
            }
        }
        let arguments = content.arguments.iter().filter_map(Argument::parsed);
        Ok(Some(arguments.collect()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut Content,
        _: usize,
    ) -> AsmResult<bool> {
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        content.place = asm.place();
        match asm.function_type(&mut content.inputs, &mut content.results)? {
            true => Ok(false),
            false => Err(failure(content.place, "expected function type")),
        }
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        let (operands, inputs) = (&content.operands, &content.inputs);
        let place = content.place.unwrap_or_default();
        check_count(operands.len(), inputs.len(), place)?;
        let names = Named::names(operands);
        add_operands(parser, operation, typed(&names, inputs))?;
        operation.attributes = std::mem::take(&mut content.attributes);
        operation.result_types = std::mem::take(&mut content.results);
        Ok(Vec::new())
    }

    fn may_be_empty(&self) -> bool {
        true
    }

    fn has_format(&self) -> bool {
        true
    }
}
