//! Custom syntax of `sdy.manual_computation` and `sdy.named_computation`.

use crate::func::has_shape;
use crate::helpers::{
    check_count, declared_arguments, located_arguments, names_between, operand_types,
    print_declared_arguments, print_region, property, result_types,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{
    Attribute, AttributeKind, BodyBuilder, BodyPiece, BodyReference, Context, Module, Operation,
    TypeKind, Value,
};

const NAME: &str = "name";
const IN: &str = "in_shardings";
const OUT: &str = "out_shardings";
const AXES: &str = "manual_axes";
const SHARDING: &str = "sharding";
/// The start and end of the body of the attribute that holds one sharding for each value. Custom
/// syntax prints what is between them.
const PER_VALUE: (&str, &str) = ("sharding_per_value<", ">");

/// Custom syntax of `sdy.manual_computation` and `sdy.named_computation`:
/// `[<"name">](%operands) in_shardings=[...] out_shardings=[...] [manual_axes={...}] (%arguments)
/// {...} {...} : (types) -> types`.
#[derive(Debug)]
pub(crate) struct Computation {
    /// Whether it has a name and optional shardings; otherwise it has required shardings and manual
    /// axes.
    is_named: bool,
}

pub(crate) static MANUAL: Computation = Computation { is_named: false };
pub(crate) static NAMED: Computation = Computation { is_named: true };

/// Parses `[<...>, <...>]`, one sharding for each value.
fn shardings(parser: &mut dyn AsmParser) -> AsmResult<Attribute> {
    let place = parser.place();
    let mut body = BodyBuilder::new();
    body.text(PER_VALUE.0.as_bytes());
    body.text(b"[");
    parser.expect("[")?;
    let mut is_first = true;
    while !(is_first && parser.eat("]")) {
        if !is_first {
            body.text(b", ");
        }
        is_first = false;
        let sharding = parser.stripped_attribute(SHARDING)?;
        append(parser.context(), &mut body, sharding);
        if !parser.eat(",") {
            parser.expect("]")?;
            break;
        }
    }
    body.text(b"]");
    body.text(PER_VALUE.1.as_bytes());
    let context = parser.context();
    let kind = AttributeKind::Dialect {
        dialect: context.identifier("sdy"),
        body: body.finish(),
        ty: None,
    };
    let made = context.try_attribute(kind);
    made.map_err(|invalid| AsmError::new(place, invalid.message()))
}

/// Appends the body of a sharding without the mnemonic.
fn append(context: &Context, body: &mut BodyBuilder, sharding: Attribute) {
    let AttributeKind::Dialect { body: inner, .. } = context.attribute_kind(sharding) else {
        return;
    };
    let mut skip = SHARDING.len();
    for piece in inner.pieces() {
        match piece {
            BodyPiece::Text(text) => body.text(text.get(skip..).unwrap_or_default()),
            BodyPiece::Reference(reference) => body.reference(context, reference),
        }
        skip = 0;
    }
}

/// Prints a sharding for each value.
fn print_shardings(printer: &mut dyn AsmPrinter, attribute: Attribute) {
    let context = printer.context();
    let AttributeKind::Dialect { body, .. } = context.attribute_kind(attribute) else {
        return;
    };
    let (mut skip, last) = (PER_VALUE.0.len(), body.references().len());
    for (number, piece) in (0..).map_while(|at| body.piece(at)).enumerate() {
        match piece {
            Some(BodyPiece::Text(text)) => {
                let mut text = text.get(skip..).unwrap_or_default();
                if number / 2 == last {
                    text = text.strip_suffix(PER_VALUE.1.as_bytes()).unwrap_or(text);
                }
                printer.text(&String::from_utf8_lossy(text));
            }
            Some(BodyPiece::Reference(BodyReference::Attribute(attribute))) => {
                printer.attribute(attribute);
            }
            Some(BodyPiece::Reference(BodyReference::Type(ty))) => printer.ty(ty),
            None => {}
        }
        skip = 0;
    }
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

impl OperationSyntax for Computation {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            operation.attributes = parser.attribute_dictionary()?;
            parser.expect(":")?;
            let place = parser.place();
            let ty = parser.ty()?;
            let TypeKind::Function { inputs, results } = parser.context().type_kind(ty).clone()
            else {
                return Err(AsmError::new(place, "expected function type"));
            };
            let names = std::mem::take(&mut operation.names);
            check_count(names.len(), inputs.len(), place)?;
            for (name, &ty) in names.into_iter().zip(&inputs) {
                operation.operands.push(parser.resolve(name, ty)?);
            }
            operation.result_types = results.to_vec();
            return Ok(ParseStep::Done);
        }
        if self.is_named {
            parser.expect("<")?;
            let name = parser.attribute()?;
            property(parser, operation, NAME, name);
            parser.expect(">")?;
        }
        operation.names = names_between(parser, "(", ")")?;
        for name in [IN, OUT] {
            if self.is_named && !parser.at(name) {
                continue;
            }
            parser.expect(name)?;
            parser.expect("=")?;
            let value = shardings(parser)?;
            property(parser, operation, name, value);
        }
        if !self.is_named {
            parser.expect(AXES)?;
            parser.expect("=")?;
            let axes = parser.stripped_attribute(AXES)?;
            property(parser, operation, AXES, axes);
        }
        Ok(ParseStep::Region(declared_arguments(parser)?))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        if regions > 0 {
            let attributes = module.all_attributes(context, operation);
            printer.attribute_dictionary(&attributes, self.elided());
            printer.text(" : (");
            printer.types(operand_types(module, operation, 0).into_iter());
            printer.text(")");
            crate::control::print_results(printer, &result_types(module, operation));
            return PrintStep::Done;
        }
        let attribute = |name: &str| module.attribute(context, operation, name);
        if let Some(name) = attribute(NAME).filter(|_| self.is_named) {
            printer.text("<");
            printer.attribute(name);
            printer.text(">");
        }
        let operands: Vec<Value> = module.operands(operation).collect();
        printer.text("(");
        printer.operands(operands.into_iter());
        printer.text(")");
        for name in [IN, OUT] {
            if let Some(value) = attribute(name) {
                printer.text(" ");
                printer.text(name);
                printer.text("=");
                print_shardings(printer, value);
            }
        }
        if let Some(axes) = attribute(AXES).filter(|_| !self.is_named) {
            printer.text(" ");
            printer.text(AXES);
            printer.text("=");
            printer.stripped_attribute(axes, AXES);
        }
        printer.text(" ");
        print_declared_arguments(printer, located_arguments(module, operation, 0));
        print_region(0, true)
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let (operands, results) = (
            module.operand_count(operation),
            module.result_count(operation),
        );
        let attribute = |name: &str| module.attribute(context, operation, name);
        let is_shardings = |name: &str| match attribute(name) {
            Some(value) => is_between(context, value, ("sharding_per_value<[", "]>")),
            None => self.is_named,
        };
        let is_headed = match self.is_named {
            true => attribute(NAME).is_some_and(|name| {
                let kind = context.attribute_kind(name);
                matches!(kind, AttributeKind::String { ty: None, .. })
            }),
            false => {
                attribute(AXES).is_some_and(|axes| is_between(context, axes, ("manual_axes{", "}")))
            }
        };
        let region = module.region(operation, 0);
        let block = region.and_then(|region| module.first_block(region));
        has_shape(module, operation, operands, results, 1)
            && is_headed
            && is_shardings(IN)
            && is_shardings(OUT)
            && block.is_some_and(|block| {
                module.next_block(block).is_none() && module.first_operation(block).is_some()
            })
    }

    fn has_format(&self) -> bool {
        true
    }
}
