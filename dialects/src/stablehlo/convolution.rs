//! Directives of `stablehlo.convolution`: its dimension numbers and its window.

use crate::helpers::{between, bracketed, dense_integers, dialect_attribute};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, TypeKind};

/// The directive for the dimension numbers: `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, the body of
/// a `#stablehlo.conv<...>`.
#[derive(Debug)]
pub(crate) struct Dimensions {
    /// The dialect of the attribute.
    pub(crate) dialect: &'static str,
}

/// The separators before the lists.
const BEFORE: [&str; 3] = ["", "x", "->"];

/// Returns the text between the brackets of a `#stablehlo.conv<...>`.
fn dimensions<'c>(context: &'c Context, attribute: Attribute, of: &str) -> Option<&'c str> {
    let AttributeKind::Dialect { dialect, body, .. } = context.attribute_kind(attribute) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let inside = text.strip_prefix("conv<")?.strip_suffix('>')?;
    let written_out = inside.starts_with('[');
    (written_out && context.bytes(*dialect) == of.as_bytes()).then_some(inside)
}

impl DirectiveSyntax for Dimensions {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let start = parser.place();
        let mut text = String::from("conv<");
        for before in BEFORE {
            if !before.is_empty() {
                parser.expect(before)?;
                text.push_str(before);
            }
            parser.expect("[")?;
            text.push('[');
            let mut end = parser.eat("]");
            while !end {
                let place = parser.place();
                if let Some(number) = parser.optional_integer()? {
                    text.push_str(&number.to_string());
                } else if parser.eat("?") {
                    text.push('?');
                } else if let Some(word) = parser.optional_keyword() {
                    text.push_str(&parser.context().str(word));
                } else {
                    return Err(AsmError::new(place, "expected dimension"));
                }
                end = !parser.eat(",");
                if end {
                    parser.expect("]")?;
                } else {
                    text.push_str(", ");
                }
            }
            text.push(']');
        }
        text.push('>');
        let made = dialect_attribute(parser.context(), self.dialect, &text);
        let made = made.map_err(|invalid| AsmError::new(start, invalid.message()))?;
        if let [first, ..] = arguments {
            *first = ParsedArgument::Attribute(Some(made));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let attribute = arguments.first().and_then(PrintedArgument::attribute);
        let context = printer.context();
        let text = attribute.and_then(|attribute| dimensions(context, attribute, self.dialect));
        if let Some(text) = text.map(str::to_owned) {
            printer.text(&text);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let attribute = arguments.first().and_then(PrintedArgument::attribute);
        attribute.is_some_and(|attribute| dimensions(context, attribute, self.dialect).is_some())
    }
}

/// The directive for the window: `stride = [1, 1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate =
/// [1], reverse = [false]`, each of which is optional.
#[derive(Debug)]
pub(crate) struct Window {
    /// Whether the parts are stored as dense elements of a tensor instead of dense arrays.
    pub(crate) elements: bool,
}

/// The parts in order.
const PARTS: [&str; 5] = ["stride", "pad", "lhs_dilate", "rhs_dilate", "reverse"];
/// The index of the part whose elements are pairs.
const PAD: usize = 1;
/// The index of the part whose elements are booleans.
const REVERSE: usize = 4;

/// Parses `[true, false]`.
fn flags(parser: &mut dyn AsmParser) -> AsmResult<Option<Attribute>> {
    let mut data = Vec::new();
    parser.expect("[")?;
    let mut end = parser.eat("]");
    while !end {
        let place = parser.place();
        data.push(match (parser.eat("true"), parser.at("false")) {
            (true, _) => 1,
            (false, true) => {
                parser.expect("false")?;
                0
            }
            _ => return Err(AsmError::new(place, "expected 'true' or 'false'")),
        });
        end = !parser.eat(",");
        if end {
            parser.expect("]")?;
        }
    }
    let context = parser.context();
    let kind = AttributeKind::DenseArray {
        element: context.i1_type(),
        length: data.len(),
        data: data.into(),
    };
    Ok(context.try_attribute(kind).ok())
}

/// Parses `[[0, 1], [0, 1]]`.
fn pairs(parser: &mut dyn AsmParser) -> AsmResult<Option<Attribute>> {
    let mut numbers: Vec<i64> = Vec::new();
    parser.expect("[")?;
    let mut end = parser.eat("]");
    while !end {
        let place = parser.place();
        let pair = bracketed(parser)?;
        if pair.len() != 2 {
            return Err(AsmError::new(place, "expected a pair of numbers"));
        }
        numbers.extend(pair);
        end = !parser.eat(",");
        if end {
            parser.expect("]")?;
        }
    }
    Ok(pairs_attribute(parser.context(), &numbers))
}

fn pairs_attribute(context: &mut Context, numbers: &[i64]) -> Option<Attribute> {
    let rows = i64::try_from(numbers.len().checked_div(2)?).ok()?;
    let ty = TypeKind::RankedTensor {
        shape: vec![rows, 2].into(),
        element: context.i64_type(),
        encoding: None,
    };
    let ty = context.try_type(ty).ok()?;
    let splat = matches!(numbers, [first, rest @ ..] if rest.iter().all(|n| n == first));
    let kept = if splat { 1 } else { numbers.len() };
    let kept = numbers.iter().take(kept);
    let kind = AttributeKind::DenseElements {
        ty,
        splat,
        data: kept.flat_map(|number| number.to_le_bytes()).collect(),
    };
    context.try_attribute(kind).ok()
}

/// Returns the text of a part; `None` if the attribute has no such text.
fn spell(context: &Context, part: usize, attribute: Attribute) -> Option<String> {
    let number = |bytes: &[u8]| {
        let bits = bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
        bits.cast_signed().to_string()
    };
    match (part, context.attribute_kind(attribute)) {
        (PAD, AttributeKind::DenseElements { ty, splat, data }) => {
            let TypeKind::RankedTensor {
                shape,
                element,
                encoding: None,
            } = context.type_kind(*ty)
            else {
                return None;
            };
            let [rows @ 0..=1024, 2] = **shape else {
                return None;
            };
            if *element != context.i64_type() {
                return None;
            }
            let numbers: Vec<String> = data.chunks_exact(8).map(number).collect();
            let rows: Vec<String> = match (*splat, numbers.as_slice()) {
                (true, [number]) => (0..rows).map(|_| format!("[{number}, {number}]")).collect(),
                _ => numbers
                    .chunks_exact(2)
                    .map(|pair| format!("[{}]", pair.join(", ")))
                    .collect(),
            };
            Some(format!("[{}]", rows.join(", ")))
        }
        (PAD, _) => None,
        (REVERSE, AttributeKind::DenseArray { element, data, .. }) => {
            let words = data.iter().map(|&b| if b == 0 { "false" } else { "true" });
            let is_flags = *element == context.i1_type();
            is_flags.then(|| format!("[{}]", words.collect::<Vec<_>>().join(", ")))
        }
        (part, AttributeKind::DenseArray { element, data, .. }) if part != REVERSE => {
            let numbers: Vec<String> = data.chunks_exact(8).map(number).collect();
            (*element == context.i64_type()).then(|| format!("[{}]", numbers.join(", ")))
        }
        _ => None,
    }
}

impl Window {
    /// Returns the text of a part.
    fn spell(&self, context: &Context, part: usize, attribute: Attribute) -> Option<String> {
        if !self.elements || part == PAD {
            return spell(context, part, attribute);
        }
        let AttributeKind::DenseElements { ty, .. } = context.attribute_kind(attribute) else {
            return None;
        };
        let TypeKind::RankedTensor {
            shape,
            element,
            encoding: None,
        } = context.type_kind(*ty)
        else {
            return None;
        };
        let flags = part == REVERSE;
        let expected = match flags {
            true => context.i1_type(),
            false => context.i64_type(),
        };
        let values = context.dense_integers(attribute)?;
        let words = values.iter().map(|&value| match (flags, value) {
            (true, 0) => "false".to_owned(),
            (true, _) => "true".to_owned(),
            (false, value) => value.to_string(),
        });
        let text = format!("[{}]", words.collect::<Vec<_>>().join(", "));
        (shape.len() == 1 && *element == expected).then_some(text)
    }
}

impl DirectiveSyntax for Window {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut read = [None; PARTS.len()];
        while !parser.at("}") {
            let place = parser.place();
            let found = (0..PARTS.len()).find(|&part| {
                let name = PARTS.get(part).copied().unwrap_or_default();
                parser.at(name)
            });
            let Some(part) = found else {
                return Err(AsmError::new(place, "Unexpected keyword"));
            };
            let Some(slot) = read.get_mut(part).filter(|slot| slot.is_none()) else {
                return Err(AsmError::new(place, "Unexpected keyword"));
            };
            parser.optional_keyword();
            parser.expect("=")?;
            *slot = match part {
                PAD => pairs(parser)?,
                REVERSE if self.elements => {
                    let values = between(parser, ("[", "]"), |parser| {
                        Ok(parser.eat("true") || {
                            parser.expect("false")?;
                            false
                        })
                    })?;
                    let values: Vec<i64> = values.into_iter().map(i64::from).collect();
                    let context = parser.context();
                    let i1 = context.i1_type();
                    dense_integers(context, i1, &values, false)
                }
                REVERSE => flags(parser)?,
                _ => {
                    let numbers = bracketed(parser)?;
                    let context = parser.context();
                    let i64 = context.i64_type();
                    match self.elements {
                        true => dense_integers(context, i64, &numbers, false),
                        false => Some(context.i64_array_attribute(numbers.iter().copied())),
                    }
                }
            };
            if !parser.eat(",") {
                break;
            }
        }
        for (argument, value) in arguments.iter_mut().zip(read) {
            *argument = ParsedArgument::Attribute(value);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let context = printer.context();
        let parts = arguments.iter().zip(PARTS).enumerate();
        let texts = parts.filter_map(|(part, (argument, name))| {
            let text = self.spell(context, part, argument.attribute()?)?;
            Some(format!("{name} = {text}"))
        });
        let text = texts.collect::<Vec<_>>().join(", ");
        printer.text(&text);
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let mut parts = arguments.iter().enumerate();
        parts.all(|(part, argument)| {
            let attribute = argument.attribute();
            attribute.is_none_or(|attribute| self.spell(context, part, attribute).is_some())
        })
    }
}
