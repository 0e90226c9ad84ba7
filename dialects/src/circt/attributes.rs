//! Directives of attributes of single operations: events, cycles, addresses, ports.

use super::firrtl::flat;
use super::infer::width;
use super::literals::{parse_integer, type_of};
use crate::helpers::integer;
use crate::two_way::items;
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Signedness, Type, TypeKind};

/// The directive of events and the clocks that they are of: `posedge %a, negedge %b`. Arguments:
/// the array of events, the operands.
#[derive(Debug)]
pub(crate) struct Events;

const EVENTS: [&str; 3] = ["posedge", "negedge", "edge"];

impl DirectiveSyntax for Events {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let (mut events, mut names) = (Vec::new(), Vec::new());
        while events.is_empty() && parser.at_keyword() || parser.eat(",") {
            let place = parser.place();
            let Some(found) = EVENTS.iter().position(|word| parser.eat(word)) else {
                let message = "expected 'posedge', 'negedge', or 'edge'";
                return Err(AsmError::new(place, message));
            };
            names.push(parser.operand_name()?);
            let context = parser.context();
            let ty = context.integer_type(32);
            let event = context.integer_attribute(ty, i64::try_from(found).unwrap_or(0));
            events.push(event.map_err(|error| AsmError::new(place, error.message()))?);
        }
        let there = !events.is_empty();
        let events = parser.context().array_attribute(&events);
        if let [to_events, to_names] = arguments {
            *to_events = ParsedArgument::Attribute(Some(events));
            *to_names = ParsedArgument::Operands(names);
        }
        Ok(there)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [events, names] = arguments else { return };
        let context = printer.context();
        let events = items(context, events.attribute()).unwrap_or_default();
        for (number, (&event, &value)) in events.iter().zip(names.operands()).enumerate() {
            let at = integer(context, Some(event)).and_then(|at| usize::try_from(at).ok());
            printer.text(if number > 0 { ", " } else { "" });
            printer.text(
                at.and_then(|at| EVENTS.get(at))
                    .copied()
                    .unwrap_or_default(),
            );
            printer.text(" ");
            printer.operand(value);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [events, names] = arguments else {
            return false;
        };
        let is_event = |&event: &Attribute| {
            let i32_type = context.i32_type();
            crate::helpers::integer_of(context, i32_type, Some(event))
                .is_some_and(|event| (0..3).contains(&event))
        };
        items(context, events.attribute()).is_some_and(|events| {
            events.len() == names.operands().len() && events.iter().all(is_event)
        })
    }
}

/// The directive of a cycle, or of a range of cycles: `1`, `[1:3]`. Arguments: the first, the last.
#[derive(Debug)]
pub(crate) struct Cycle;

impl DirectiveSyntax for Cycle {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let ty = parser.context().i32_type();
        let is_range = parser.eat("[");
        let first = parser.attribute_of_type(ty)?;
        let mut last = None;
        if is_range {
            parser.expect(":")?;
            last = Some(parser.attribute_of_type(ty)?);
            parser.expect("]")?;
        }
        if let [to_first, to_last] = arguments {
            *to_first = ParsedArgument::Attribute(Some(first));
            *to_last = ParsedArgument::Attribute(last);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [first, last] = arguments else { return };
        let Some(first) = first.attribute() else {
            return;
        };
        match last.attribute() {
            Some(last) => {
                printer.text("[");
                printer.attribute_without_type(first);
                printer.text(":");
                printer.attribute_without_type(last);
                printer.text("]");
            }
            None => printer.attribute_without_type(first),
        }
    }
}

/// The directive of a range of addresses: `[0x0 - 0x1f]`, integers of the width that the type has.
/// Arguments: the first address, the last, the type.
#[derive(Debug)]
pub(crate) struct MemoryRange;

/// Returns the width of addresses in `!rtg.isa.memory_block<N>`.
fn address_width(context: &Context, ty: Type) -> Option<u32> {
    if !crate::helpers::is_of(context, ty, "rtg", "isa.memory_block") {
        return None;
    }
    u32::try_from(context.parameter(ty, "addressWidth")?.integer()?).ok()
}

impl DirectiveSyntax for MemoryRange {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        parser.expect("[")?;
        let place = parser.place();
        let first = parse_integer(parser)?;
        parser.expect("-")?;
        let last = parse_integer(parser)?;
        parser.expect("]")?;
        parser.expect(":")?;
        let ty = parser.ty()?;
        let Some(width) = address_width(parser.context(), ty) else {
            return Err(AsmError::new(place, "invalid kind of type specified"));
        };
        if first.active_bits().max(last.active_bits()) > width {
            let message =
                format!("address out of range for memory block with address width {width}");
            return Err(AsmError::new(place, message));
        }
        let context = parser.context();
        let of = context.try_type(TypeKind::Integer {
            width,
            signedness: Signedness::Signless,
        });
        let mut made = Vec::new();
        for value in [first, last] {
            let attribute = of.clone().and_then(|ty| {
                context.try_attribute(AttributeKind::Integer {
                    ty,
                    value: value.trunc(width),
                })
            });
            made.push(attribute.map_err(|error| AsmError::new(place, error.message()))?);
        }
        if let ([to_first, to_last, to_ty], [first, last]) = (arguments, &*made) {
            *to_first = ParsedArgument::Attribute(Some(*first));
            *to_last = ParsedArgument::Attribute(Some(*last));
            *to_ty = ParsedArgument::Types(vec![ty]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [first, last, ty] = arguments else {
            return;
        };
        let context = printer.context();
        let hex = |attribute: Option<Attribute>| {
            let value = attribute.map(|attribute| context.attribute_kind(attribute));
            match value {
                Some(AttributeKind::Integer { value, .. }) => hexadecimal(value),
                _ => String::new(),
            }
        };
        printer.text(&format!("[0x{} - 0x", hex(first.attribute())));
        printer.text(&format!("{}] : ", hex(last.attribute())));
        printer.types(ty.types().iter().copied());
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [first, last, ty] = arguments else {
            return false;
        };
        let &[ty] = ty.types() else { return false };
        let expected = address_width(context, ty);
        let fits = |attribute: Option<Attribute>| {
            let found = attribute.and_then(|attribute| type_of(context, attribute));
            expected.is_some() && found.and_then(|found| width(context, found)) == expected
        };
        fits(first.attribute()) && fits(last.attribute())
    }
}

/// Returns the digits of a number in hexadecimal.
fn hexadecimal(value: &ApInt) -> String {
    let mut words = value.words().iter().rev().skip_while(|&&word| word == 0);
    let mut text = words
        .next()
        .map_or("0".to_owned(), |word| format!("{word:x}"));
    for word in words {
        text.push_str(&format!("{word:016x}"));
    }
    text
}

/// The directive of an optional `field_locs(...)`, which upstream prints with locations only. The
/// argument is the attribute.
#[derive(Debug)]
pub(crate) struct FieldLocations;

impl DirectiveSyntax for FieldLocations {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        if !parser.eat("field_locs") {
            return Ok(false);
        }
        parser.expect("(")?;
        let value = parser.attribute()?;
        parser.expect(")")?;
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(value));
        }
        Ok(true)
    }

    fn print(&self, _: &mut dyn AsmPrinter, _: Operation, _: &[PrintedArgument]) {}

    fn can_print(
        &self,
        _: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        arguments
            .first()
            .and_then(PrintedArgument::attribute)
            .is_none()
    }
}

/// The directive of the ports of an interface: `(input @a, output @b)`. The argument is the array.
#[derive(Debug)]
pub(crate) struct ModuleInterfacePorts;

impl DirectiveSyntax for ModuleInterfacePorts {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut ports = Vec::new();
        parser.expect("(")?;
        while !parser.at(")") {
            let place = parser.place();
            let direction = parser.stripped_attribute("modport_direction")?;
            let signal = parser.attribute()?;
            let builder = parser.context().build_attribute("sv.mod_port");
            let made = builder
                .with("direction", direction)
                .with("signal", signal)
                .build();
            ports.push(made.map_err(|error| AsmError::new(place, error.message()))?);
            if !parser.eat(",") {
                break;
            }
        }
        parser.expect(")")?;
        let ports = parser.context().array_attribute(&ports);
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(ports));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let context = printer.context();
        let ports = items(
            context,
            arguments.first().and_then(PrintedArgument::attribute),
        );
        printer.text("(");
        for (number, &port) in ports.unwrap_or_default().iter().enumerate() {
            let parameter = |name: &str| context.parameter(port, name)?.attribute();
            printer.text(if number > 0 { ", " } else { "" });
            if let (Some(direction), Some(signal)) = (parameter("direction"), parameter("signal")) {
                printer.stripped_attribute(direction, "modport_direction");
                printer.text(" ");
                printer.attribute(signal);
            }
        }
        printer.text(")");
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let is_port = |&port: &Attribute| {
            let parameter = |name: &str| context.parameter(port, name)?.attribute();
            super::fields::is_attribute_of(context, port, "sv", "mod_port")
                && parameter("direction").is_some()
                && flat(context, parameter("signal")).is_some()
        };
        let ports = items(
            context,
            arguments.first().and_then(PrintedArgument::attribute),
        );
        ports.is_some_and(|ports| ports.iter().all(is_port))
    }
}
