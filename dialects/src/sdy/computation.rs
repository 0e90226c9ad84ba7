//! Custom syntax of `sdy.manual_computation` and `sdy.named_computation`.

use crate::func::has_shape;
use crate::helpers::{add_operands, check_count, operand_types, property, result_types, typed};
use crate::two_way::{Argument, Asm, Named, Syntax, TwoWay, failure, other_attributes};
use rmlir_ir::asm::{AsmError, AsmParser, AsmPrinter, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{
    Attribute, AttributeKind, BodyBuilder, BodyPiece, BodyReference, Context, Module,
    NamedAttribute, Operation, Type,
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

pub(crate) static MANUAL: Syntax<Computation> = Syntax(Computation { is_named: false });
pub(crate) static NAMED: Syntax<Computation> = Syntax(Computation { is_named: true });

/// The text of a computation.
#[derive(Default)]
pub(crate) struct Content {
    name: Option<Attribute>,
    operands: Vec<Named>,
    /// The shardings of operands and of results.
    shardings: [Option<Attribute>; 2],
    axes: Option<Attribute>,
    arguments: Vec<Argument>,
    attributes: Vec<NamedAttribute>,
    place: Option<usize>,
    inputs: Vec<Type>,
    results: Vec<Type>,
}

/// Parses `[<...>, <...>]`, one sharding for each value.
fn parse_shardings(parser: &mut dyn AsmParser) -> AsmResult<Attribute> {
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

/// A sharding for each value, `[<...>, <...>]`; present when printing.
fn shardings(asm: &mut Asm<'_, '_>, attribute: &mut Option<Attribute>) -> AsmResult<()> {
    match asm {
        Asm::Parser(parser) => *attribute = Some(parse_shardings(&mut **parser)?),
        Asm::Printer(printer) => {
            if let Some(attribute) = *attribute {
                print_shardings(&mut **printer, attribute);
            }
        }
    }
    Ok(())
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
        let shardings = [IN, OUT].map(attribute);
        let are_shardings = shardings.iter().all(|value| match *value {
            Some(value) => is_between(context, value, ("sharding_per_value<[", "]>")),
            None => self.is_named,
        });
        let region = module.region(operation, 0)?;
        let block = module.first_block(region)?;
        let is_lossless = has_shape(module, operation, operands, results, 1)
            && head.is_some()
            && are_shardings
            && module.next_block(block).is_none()
            && module.first_operation(block).is_some();
        is_lossless.then(|| Content {
            name: head,
            operands: Named::all(module.operands(operation)),
            shardings,
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
        for (name, value) in [IN, OUT].into_iter().zip(&mut content.shardings) {
            if !self.is_named || asm.is_there(name, value.is_some()) {
                asm.space(" ");
                asm.token(name, name)?;
                asm.token("=", "=")?;
                shardings(asm, value)?;
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
        let [of_operands, of_results] = content.shardings;
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
