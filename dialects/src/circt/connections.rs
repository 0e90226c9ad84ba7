//! Directives of connections: invocations of components of `calyx`, ports of `systemc`.

use super::fields::fields;
use super::firrtl::flat;
use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::integer;
use crate::two_way::{Asm, Named, failure, invalid, items, one_type, operands, string_array};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, NamedAttribute, Type};

/// The directive of `calyx.invoke`: `@c[a = b](%p = %x, %q = %y) -> (type, type)`. Arguments: the
/// component, the cells, the ports, their types, their names, the inputs, their types, their names.
#[derive(Debug)]
pub(crate) struct Invocation;

/// The text of [`Invocation`].
#[derive(Default)]
pub(crate) struct InvocationContent {
    place: Option<usize>,
    component: Option<Attribute>,
    cells: Vec<(Vec<u8>, Vec<u8>)>,
    pairs: Vec<(Named, Named)>,
    types: Vec<Type>,
}

impl TwoWayDirective for Invocation {
    type Content = InvocationContent;

    fn content(&self, printed: &Printed<'_>) -> Option<InvocationContent> {
        let [component, cells, ports, types, _, inputs, others, _] = printed.arguments else {
            return None;
        };
        let context = printed.context;
        let (ports, inputs) = (ports.operands(), inputs.operands());
        let cell = |&cell: &Attribute| match context.dictionary_entries(cell) {
            [(name, to)] => Some((
                context.bytes(*name).to_vec(),
                flat(context, Some(*to))?.to_vec(),
            )),
            _ => None,
        };
        let cells = items(context, cells.attribute())?.iter().map(cell);
        let is_lossless = ports.len() == inputs.len() && types.types() == others.types();
        is_lossless.then_some(())?;
        Some(InvocationContent {
            place: None,
            component: component.attribute(),
            cells: cells.collect::<Option<_>>()?,
            pairs: Named::all(ports.iter().copied())
                .into_iter()
                .zip(Named::all(inputs.iter().copied()))
                .collect(),
            types: types.types().to_vec(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut InvocationContent) -> AsmResult<bool> {
        content.place = asm.place();
        asm.symbol_reference(&mut content.component, "expected valid '@'-identifier")?;
        if asm.is_there("[", true) {
            asm.list(("[", "]"), &mut content.cells, |asm, (name, to)| {
                asm.word(name)?;
                asm.token("=", " = ")?;
                asm.word(to)
            })?;
        }
        asm.assignments(&mut content.pairs)?;
        asm.token("->", " -> ")?;
        asm.types_between(("(", ")"), &mut content.types)?;
        let place = content.place.unwrap_or_default();
        crate::helpers::check_count(content.pairs.len(), content.types.len(), place)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: InvocationContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = content.place;
        let (ports, inputs): (Vec<Named>, Vec<Named>) = content.pairs.into_iter().unzip();
        let names = |parser: &mut dyn AsmParser, all: &[Named]| {
            let names = all.iter().filter_map(|one| one.name);
            let names: Vec<Vec<u8>> = names
                .map(|name| parser.operand_text(name).to_vec())
                .collect();
            let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
            ParsedArgument::Attribute(Some(string_array(parser.context(), &names)))
        };
        let mut cells = Vec::new();
        for (name, to) in &content.cells {
            let context = parser.context();
            let to = context.symbol_ref_attribute(to);
            let name = context.identifier(name);
            let cell = context.dictionary_attribute(&[(name, to)]);
            cells.push(cell.map_err(invalid(place))?);
        }
        let [
            to_component,
            to_cells,
            to_ports,
            to_types,
            to_names,
            to_inputs,
            to_others,
            to_input_names,
        ] = arguments
        else {
            return Ok(());
        };
        *to_component = ParsedArgument::Attribute(content.component);
        *to_cells = ParsedArgument::Attribute(Some(parser.context().array_attribute(&cells)));
        *to_names = names(parser, &ports);
        *to_input_names = names(parser, &inputs);
        *to_ports = operands(&ports);
        *to_inputs = operands(&inputs);
        *to_types = ParsedArgument::Types(content.types.clone());
        *to_others = ParsedArgument::Types(content.types);
        Ok(())
    }
}

/// The directive of a port by its name and a channel:
/// `["port"] to %channel {...} : type, type`. Arguments: the index of the port, the channel, the
/// attributes, the type of the instance, that of the channel.
#[derive(Debug)]
pub(crate) struct BoundPort;

/// The text of [`BoundPort`].
#[derive(Default)]
pub(crate) struct BoundContent {
    place: Option<usize>,
    port: Vec<u8>,
    channel: Named,
    attributes: Vec<NamedAttribute>,
    of: Option<Type>,
    ty: Option<Type>,
}

impl TwoWayDirective for BoundPort {
    type Content = BoundContent;

    fn content(&self, printed: &Printed<'_>) -> Option<BoundContent> {
        let [port, channel, attributes, of, ty] = printed.arguments else {
            return None;
        };
        let PrintedArgument::Dictionary(attributes) = attributes else {
            return None;
        };
        let &[of] = of.types() else { return None };
        let index = usize::try_from(integer(printed.context, port.attribute())?).ok()?;
        let ports = fields(printed.context, of)?;
        let &(name, _) = ports.get(index)?;
        // The first port of the name is the one that is read.
        let first = ports.iter().position(|one| one.0 == name);
        (first == Some(index)).then_some(())?;
        Some(BoundContent {
            place: None,
            port: name.to_vec(),
            channel: Named::of(*channel.operands().first()?),
            attributes: attributes.clone(),
            of: Some(of),
            ty: ty.types().first().copied(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut BoundContent) -> AsmResult<bool> {
        asm.token("[", "[")?;
        content.place = asm.place();
        asm.string(&mut content.port)?;
        asm.token("]", "]")?;
        asm.token("to", " to ")?;
        asm.value(&mut content.channel)?;
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.of)?;
        asm.token(",", ", ")?;
        asm.ty(&mut content.ty)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: BoundContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let ports = content.of.and_then(|of| fields(context, of));
        let ports = ports.unwrap_or_default();
        let found = ports.iter().position(|port| port.0 == content.port);
        let found = found.and_then(|found| i64::try_from(found).ok());
        let Some(found) = found else {
            let port = String::from_utf8_lossy(&content.port);
            let message = format!("port name \"{port}\" not found in module");
            return Err(failure(content.place, message));
        };
        let index = context.index_type();
        let port = context.integer_attribute(index, found);
        if let [to_port, to_channel, to_attributes, to_of, to_ty] = arguments {
            *to_port = ParsedArgument::Attribute(Some(port.map_err(invalid(content.place))?));
            *to_channel = operands(&[content.channel]);
            *to_attributes = ParsedArgument::Dictionary(content.attributes);
            *to_of = one_type(content.of);
            *to_ty = one_type(content.ty);
        }
        Ok(())
    }
}
