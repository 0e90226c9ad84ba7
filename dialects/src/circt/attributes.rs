//! Directives of attributes of single operations: events, cycles, addresses, ports.

use super::firrtl::flat;
use super::infer::width;
use super::literals::{Digits, integer, integer_attribute};
use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::integer_of;
use crate::two_way::{Asm, Named, failure, invalid, items, one_type, operands};
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Signedness, Type};

/// The directive of events and the clocks that they are of: `posedge %a, negedge %b`. Arguments:
/// the array of events, the operands.
#[derive(Debug)]
pub(crate) struct Events;

const EVENTS: [&str; 3] = ["posedge", "negedge", "edge"];

impl TwoWayDirective for Events {
    /// Events by their indices, and their clocks.
    type Content = Vec<(usize, Named)>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [events, clocks] = printed.arguments else {
            return None;
        };
        let context = printed.context;
        let (events, clocks) = (items(context, events.attribute())?, clocks.operands());
        if events.len() != clocks.len() {
            return None;
        }
        let pair = |(&event, &clock): (&Attribute, _)| {
            let event = integer_of(context, context.i32_type(), Some(event))?;
            let event = usize::try_from(event).ok()?;
            (event < EVENTS.len()).then(|| (event, Named::of(clock)))
        };
        events.iter().zip(clocks).map(pair).collect()
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if !asm.is_keyword_there(!content.is_empty()) {
            return Ok(false);
        }
        asm.items(content, |asm, (event, clock)| {
            let chosen = asm.choice(&EVENTS, event);
            let message = "expected 'posedge', 'negedge', or 'edge'";
            chosen.map_err(|error| error.saying(message))?;
            asm.space(" ");
            asm.value(clock)
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let (events, clocks): (Vec<usize>, Vec<Named>) = content.into_iter().unzip();
        let context = parser.context();
        let i32 = context.i32_type();
        let attribute = |event| {
            context
                .integer_attribute(i32, i64::try_from(event).ok()?)
                .ok()
        };
        let events: Vec<Attribute> = events.into_iter().filter_map(attribute).collect();
        let events = context.array_attribute(&events);
        if let [to_events, to_clocks] = arguments {
            *to_events = ParsedArgument::Attribute(Some(events));
            *to_clocks = operands(&clocks);
        }
        Ok(())
    }
}

/// The directive of a cycle, or of a range of cycles: `1`, `[1:3]`. Arguments: the first, the last.
#[derive(Debug)]
pub(crate) struct Cycle;

impl TwoWayDirective for Cycle {
    /// The first cycle, and the last one of a range.
    type Content = (Option<Attribute>, Option<Attribute>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [first, last] = printed.arguments else {
            return None;
        };
        Some((Some(first.attribute()?), last.attribute()))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (first, last): &mut Self::Content) -> AsmResult<bool> {
        let mut is_range = last.is_some();
        asm.optional("[", "[", &mut is_range);
        asm.i32_attribute(first)?;
        if is_range {
            asm.token(":", ":")?;
            asm.i32_attribute(last)?;
            asm.token("]", "]")?;
        }
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        (first, last): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [to_first, to_last] = arguments {
            *to_first = ParsedArgument::Attribute(first);
            *to_last = ParsedArgument::Attribute(last);
        }
        Ok(())
    }
}

/// The directive of a range of addresses: `[0x0 - 0x1f]`, integers of the width that the type has.
/// Arguments: the first address, the last, the type.
#[derive(Debug)]
pub(crate) struct MemoryRange;

/// The text of [`MemoryRange`].
#[derive(Default)]
pub(crate) struct RangeContent {
    place: Option<usize>,
    first: Option<ApInt>,
    last: Option<ApInt>,
    ty: Option<Type>,
}

/// Returns the width of addresses in `!rtg.isa.memory_block<N>`.
fn address_width(context: &Context, ty: Type) -> Option<u32> {
    if !crate::helpers::is_of(context, ty, "rtg", "isa.memory_block") {
        return None;
    }
    u32::try_from(context.parameter(ty, "addressWidth")?.integer()?).ok()
}

/// Returns the value of an address if it has this width.
fn address(context: &Context, attribute: Option<Attribute>, of: u32) -> Option<&ApInt> {
    match context.attribute_kind(attribute?) {
        AttributeKind::Integer { ty, value } => (width(context, *ty) == Some(of)).then_some(value),
        _ => None,
    }
}

impl TwoWayDirective for MemoryRange {
    type Content = RangeContent;

    fn content(&self, printed: &Printed<'_>) -> Option<RangeContent> {
        let [first, last, ty] = printed.arguments else {
            return None;
        };
        let context = printed.context;
        let &[ty] = ty.types() else { return None };
        let width = address_width(context, ty)?;
        Some(RangeContent {
            place: None,
            first: Some(address(context, first.attribute(), width)?.clone()),
            last: Some(address(context, last.attribute(), width)?.clone()),
            ty: Some(ty),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut RangeContent) -> AsmResult<bool> {
        asm.token("[", "[")?;
        content.place = asm.place();
        integer(asm, Digits::Hexadecimal, &mut content.first)?;
        asm.token("-", " - ")?;
        integer(asm, Digits::Hexadecimal, &mut content.last)?;
        asm.token("]", "]")?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: RangeContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let width = content.ty.and_then(|ty| address_width(context, ty));
        let (Some(width), Some(first), Some(last)) = (width, content.first, content.last) else {
            return Err(failure(content.place, "invalid kind of type specified"));
        };
        if first.active_bits().max(last.active_bits()) > width {
            let message =
                format!("address out of range for memory block with address width {width}");
            return Err(failure(content.place, message));
        }
        if let [to_first, to_last, to_ty] = arguments {
            for (argument, value) in [(to_first, first), (to_last, last)] {
                let made = integer_attribute(context, &value, (width, Signedness::Signless));
                let made = made.map_err(invalid(content.place))?;
                *argument = ParsedArgument::Attribute(Some(made));
            }
            *to_ty = one_type(content.ty);
        }
        Ok(())
    }
}

/// The directive of an optional `field_locs(...)`, which upstream prints with locations only. The
/// argument is the attribute.
#[derive(Debug)]
pub(crate) struct FieldLocations;

impl TwoWayDirective for FieldLocations {
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let locations = printed.arguments.first()?.attribute();
        locations.is_none().then_some(None)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, locations: &mut Self::Content) -> AsmResult<bool> {
        if !asm.is_there("field_locs", locations.is_some()) {
            return Ok(false);
        }
        asm.token("field_locs", " field_locs")?;
        asm.token("(", "(")?;
        asm.attribute(locations)?;
        asm.token(")", ")")?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        locations: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(locations);
        }
        Ok(())
    }
}

/// The directive of the ports of an interface: `(input @a, output @b)`. The argument is the array.
#[derive(Debug)]
pub(crate) struct ModuleInterfacePorts;

/// A port of an interface.
#[derive(Default)]
pub(crate) struct InterfacePort {
    place: Option<usize>,
    direction: Option<Attribute>,
    signal: Option<Attribute>,
}

impl TwoWayDirective for ModuleInterfacePorts {
    type Content = Vec<InterfacePort>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let context = printed.context;
        let port = |&port: &Attribute| {
            let parameter = |name: &str| context.parameter(port, name)?.attribute();
            let signal = parameter("signal");
            flat(context, signal)?;
            super::fields::is_attribute_of(context, port, "sv", "mod_port").then_some(())?;
            Some(InterfacePort {
                place: None,
                direction: Some(parameter("direction")?),
                signal,
            })
        };
        let ports = items(context, printed.arguments.first()?.attribute())?;
        ports.iter().map(port).collect()
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.list(("(", ")"), content, |asm, port| {
            port.place = asm.place();
            asm.stripped(("sv", "modport_direction"), &mut port.direction)?;
            asm.space(" ");
            asm.attribute(&mut port.signal)
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let mut ports = Vec::new();
        for port in content {
            let (Some(direction), Some(signal)) = (port.direction, port.signal) else {
                continue;
            };
            let builder = context.build_attribute("sv.mod_port");
            let builder = builder.with("direction", direction).with("signal", signal);
            ports.push(builder.build().map_err(invalid(port.place))?);
        }
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(context.array_attribute(&ports)));
        }
        Ok(())
    }
}
