//! Lists of numbers that are stored as dense elements of `!spirv.arm.tensor`.

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::dialect_type;
use crate::two_way::{Asm, failure, invalid};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, TypeKind};

/// The directive `[1, 2]` for `dense<[1, 2]> : !spirv.arm.tensor<2xi32>`.
#[derive(Debug)]
pub(crate) struct Numbers;

/// The parsed parts of [`Numbers`].
#[derive(Default)]
pub(crate) struct Content {
    place: Option<usize>,
    numbers: Vec<i64>,
}

/// The limit of elements that are the same, whose number is not bounded by the attribute's text.
const MOST: usize = 1 << 16;

/// Returns the text of elements between `dense<` and `>`; there is at least one.
fn literal(numbers: &[i64]) -> String {
    if let [first, rest @ ..] = numbers
        && rest.iter().all(|number| number == first)
    {
        return first.to_string();
    }
    format!("{numbers:?}")
}

/// Returns the numbers of an attribute; `None` if it is not written as the directive stores it.
fn numbers(context: &Context, attribute: Attribute) -> Option<Vec<i64>> {
    let AttributeKind::DenseText { ty, literal: text } = context.attribute_kind(attribute) else {
        return None;
    };
    let TypeKind::Dialect { dialect, body } = context.type_kind(*ty) else {
        return None;
    };
    let of = std::str::from_utf8(body.text()).ok()?;
    let count = of.strip_prefix("arm.tensor<")?.strip_suffix("xi32>")?;
    let count: usize = count.parse().ok()?;
    let text = std::str::from_utf8(context.bytes(*text)).ok()?;
    let number = |text: &str| text.trim().parse::<i32>().ok().map(i64::from);
    let numbers: Vec<i64> = match text.strip_prefix('[') {
        Some(list) => {
            let list = list.strip_suffix(']')?.split(',');
            list.map(number).collect::<Option<_>>()?
        }
        None if count <= MOST => vec![number(text)?; count],
        None => return None,
    };
    let fits = context.bytes(*dialect) == b"spirv" && count > 0 && numbers.len() == count;
    (fits && literal(&numbers) == text).then_some(numbers)
}

impl TwoWayDirective for Numbers {
    type Content = Content;

    fn content(&self, printed: &Printed<'_>) -> Option<Content> {
        let attribute = printed.arguments.first()?.attribute()?;
        Some(Content {
            place: None,
            numbers: numbers(printed.context, attribute)?,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<bool> {
        content.place = asm.place();
        asm.token("[", "[")?;
        asm.items(&mut content.numbers, |asm, number| {
            let place = asm.place();
            asm.integer(number)?;
            match i32::try_from(*number) {
                Ok(_) => Ok(()),
                Err(_) => Err(failure(place, "integer value too large")),
            }
        })?;
        asm.token("]", "]")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let invalid = invalid(content.place);
        let text = format!("arm.tensor<{}xi32>", content.numbers.len());
        let ty = dialect_type(context, "spirv", &text).map_err(&invalid)?;
        let literal = context.identifier(literal(&content.numbers));
        let made = context.try_attribute(AttributeKind::DenseText { ty, literal });
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(made.map_err(&invalid)?));
        }
        Ok(())
    }
}
