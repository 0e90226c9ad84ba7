//! Directives of `stablehlo.convolution`: its dimension numbers and its window.

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::{dense_integers, dialect_attribute};
use crate::two_way::{Asm, failure};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, TypeKind};

/// The directive for the dimension numbers: `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, the body of
/// a `#stablehlo.conv<...>`.
#[derive(Debug)]
pub(crate) struct Dimensions {
    /// The dialect of the attribute.
    pub(crate) dialect: &'static str,
}

/// The separators before the lists.
const BEFORE: [&str; 3] = ["", "x", "->"];

/// The parsed parts of [`Dimensions`].
#[derive(Default)]
pub(crate) struct Lists {
    /// The offset of the text.
    place: Option<usize>,
    /// The names of dimensions of input, kernel and output.
    lists: [Vec<String>; 3],
}

/// Returns the lists of a `#stablehlo.conv<...>`.
fn dimensions(context: &Context, attribute: Attribute, of: &str) -> Option<Lists> {
    let AttributeKind::Dialect { dialect, body, .. } = context.attribute_kind(attribute) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let inside = text.strip_prefix("conv<[")?.strip_suffix("]>")?;
    let (input, rest) = inside.split_once("]x[")?;
    let (kernel, output) = rest.split_once("]->[")?;
    let lists = [names(input)?, names(kernel)?, names(output)?];
    (context.bytes(*dialect) == of.as_bytes()).then_some(Lists { place: None, lists })
}

/// Returns the names of dimensions in `b, 0, ?`.
fn names(list: &str) -> Option<Vec<String>> {
    if list.is_empty() {
        return Some(Vec::new());
    }
    let in_name =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'-' | b'?');
    let name = |name: &str| {
        let is_name = !name.is_empty() && name.bytes().all(in_name);
        is_name.then(|| name.to_owned())
    };
    list.split(", ").map(name).collect()
}

impl Asm<'_, '_> {
    /// The name of a dimension: a number, a keyword or `?`.
    fn dimension(&mut self, name: &mut String) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let place = parser.place();
                *name = if let Some(number) = parser.optional_integer()? {
                    number.to_string()
                } else if parser.eat("?") {
                    "?".to_owned()
                } else if let Some(word) = parser.optional_keyword() {
                    parser.context().str(word).into_owned()
                } else {
                    return Err(AsmError::new(place, "expected dimension"));
                };
            }
            Asm::Printer(printer) => printer.text(name),
        }
        Ok(())
    }
}

impl TwoWayDirective for Dimensions {
    type Content = Lists;

    fn content(&self, printed: &Printed<'_>) -> Option<Lists> {
        let attribute = printed.arguments.first()?.attribute()?;
        dimensions(printed.context, attribute, self.dialect)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Lists) -> AsmResult<bool> {
        content.place = asm.place();
        for (before, list) in BEFORE.into_iter().zip(&mut content.lists) {
            if !before.is_empty() {
                asm.token(before, before)?;
            }
            asm.list(("[", "]"), list, Asm::dimension)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Lists,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [input, kernel, output] = content.lists.map(|list| list.join(", "));
        let text = format!("conv<[{input}]x[{kernel}]->[{output}]>");
        let made = dialect_attribute(parser.context(), self.dialect, &text);
        let made = made.map_err(|invalid| failure(content.place, invalid.message()))?;
        if let [first, ..] = arguments {
            *first = ParsedArgument::Attribute(Some(made));
        }
        Ok(())
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

/// A part of the window.
#[derive(Default)]
pub(crate) struct Part {
    /// The offset of the text.
    place: Option<usize>,
    /// The index of the part; `None` after the last comma.
    part: Option<usize>,
    /// The elements; flags are 0 or 1.
    numbers: Vec<i64>,
    pairs: Vec<Vec<i64>>,
}

/// `[0, 1]`.
fn pair(asm: &mut Asm<'_, '_>, pair: &mut Vec<i64>) -> AsmResult<()> {
    let place = asm.place();
    asm.integers_between(("[", "]"), pair)?;
    match pair.len() {
        2 => Ok(()),
        _ => Err(failure(place, "expected a pair of numbers")),
    }
}

impl Window {
    /// Returns the elements of a part; `None` if they are stored in another way.
    fn part(&self, context: &Context, part: usize, attribute: Attribute) -> Option<Part> {
        let (mut numbers, mut pairs) = (Vec::new(), Vec::new());
        if part == PAD {
            pairs = pairs_of(context, attribute)?;
        } else if self.elements {
            let AttributeKind::DenseElements { ty, .. } = context.attribute_kind(attribute) else {
                return None;
            };
            let of = match part {
                REVERSE => context.i1_type(),
                _ => context.i64_type(),
            };
            match context.type_kind(*ty) {
                TypeKind::RankedTensor {
                    element,
                    encoding: None,
                    ..
                } if *element == of => {}
                _ => return None,
            }
            numbers = context.dense_integers(attribute)?;
        } else if part == REVERSE {
            let flags = crate::index_list::flags_of(context, attribute)?;
            numbers = flags.into_iter().map(i64::from).collect();
        } else {
            numbers = context.i64_array(attribute)?.collect();
        }
        Some(Part {
            place: None,
            part: Some(part),
            numbers,
            pairs,
        })
    }

    /// `true`, `false`.
    fn flag(&self, asm: &mut Asm<'_, '_>, number: &mut i64) -> AsmResult<()> {
        let mut flag = *number != 0;
        asm.optional("true", "true", &mut flag);
        *number = i64::from(flag);
        if flag {
            return Ok(());
        }
        let found = asm.token("false", "false");
        found.map_err(|error| match self.elements {
            true => error,
            false => error.saying("expected 'true' or 'false'"),
        })
    }

    /// `stride = [1, 1]`. A text that is read can end with a comma.
    fn part_text(&self, asm: &mut Asm<'_, '_>, part: &mut Part) -> AsmResult<()> {
        if asm.is_there("}", false) {
            return Ok(());
        }
        part.place = asm.place();
        let number = part.part.get_or_insert_default();
        let found = asm.choice(&PARTS, number);
        found.map_err(|error| error.saying("Unexpected keyword"))?;
        asm.token("=", " = ")?;
        match *number {
            PAD => asm.list(("[", "]"), &mut part.pairs, pair),
            REVERSE => asm.list(("[", "]"), &mut part.numbers, |asm, number| {
                self.flag(asm, number)
            }),
            _ => asm.integers_between(("[", "]"), &mut part.numbers),
        }
    }

    /// Returns the attribute that stores a part.
    fn stored(&self, context: &mut Context, part: &Part) -> Option<Attribute> {
        let (i64, i1) = (context.i64_type(), context.i1_type());
        match part.part? {
            PAD => pairs_attribute(context, &part.pairs.concat()),
            REVERSE if self.elements => dense_integers(context, i1, &part.numbers, false),
            _ if self.elements => dense_integers(context, i64, &part.numbers, false),
            REVERSE => {
                let flags: Vec<bool> = part.numbers.iter().map(|&flag| flag != 0).collect();
                crate::index_list::array_of_flags(context, &flags)
            }
            _ => Some(context.i64_array_attribute(part.numbers.iter().copied())),
        }
    }
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

/// Returns the pairs of dense elements of a tensor.
fn pairs_of(context: &Context, attribute: Attribute) -> Option<Vec<Vec<i64>>> {
    let AttributeKind::DenseElements { ty, splat, data } = context.attribute_kind(attribute) else {
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
    let [rows @ 0..=1024, 2] = **shape else {
        return None;
    };
    let number = |bytes: &[u8]| Some(i64::from_le_bytes(bytes.try_into().ok()?));
    let numbers: Vec<i64> = data.chunks_exact(8).filter_map(number).collect();
    let pairs = match (*splat, numbers.as_slice()) {
        (true, &[one]) => vec![vec![one, one]; usize::try_from(rows).ok()?],
        _ => numbers.chunks_exact(2).map(<[i64]>::to_vec).collect(),
    };
    (*element == context.i64_type()).then_some(pairs)
}

impl TwoWayDirective for Window {
    type Content = Vec<Part>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let attributes = printed.arguments.iter().map(PrintedArgument::attribute);
        let parts = attributes
            .enumerate()
            .filter_map(|(part, attribute)| Some(self.part(printed.context, part, attribute?)));
        parts.collect()
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.items(content, |asm, part| self.part_text(asm, part))?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let mut read = [None; PARTS.len()];
        for part in &content {
            let Some(slot) = part.part.and_then(|number| read.get_mut(number)) else {
                continue;
            };
            if slot.is_some() {
                return Err(failure(part.place, "Unexpected keyword"));
            }
            *slot = self.stored(parser.context(), part);
        }
        for (argument, value) in arguments.iter_mut().zip(read) {
            *argument = ParsedArgument::Attribute(value);
        }
        Ok(())
    }
}
