//! Integers of `moore`, each bit of which is 0, 1, X or Z: `-5`, `h9XZ1`, `b10X`.

use super::literals::negative_bits;
use super::moore::integer;
use crate::directive::{Printed, TwoWayDirective};
use crate::entry::{EntryAsm, TwoWayEntry, field, required, set};
use crate::two_way::steps::{ReadSteps, WriteSteps};
use crate::two_way::{Asm, Assembler, failure, invalid, one_type};
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut,
    ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Attribute, Context, Identifier, Invalid, NamedAttribute, Type};

/// An integer of four-valued bits. A bit that is unknown is X or, if it is set in the value, Z.
struct FourValued {
    value: ApInt,
    unknown: ApInt,
}

impl FourValued {
    /// Returns the number that a word denotes, `h` or `b` with digits, with a zero bit above them.
    fn of_word(word: &[u8]) -> Option<Self> {
        let (&prefix, digits) = word.split_first()?;
        let (bits, largest) = match prefix {
            b'h' => (4, 0xF),
            b'b' => (1, 1),
            _ => return None,
        };
        let width = u32::try_from(digits.len()).ok()?.checked_mul(bits)?;
        let width = width
            .checked_add(1)
            .filter(|&width| width <= ApInt::MAX_WIDTH)?;
        let mut words = [(); 2].map(|()| vec![0u64; width.div_ceil(64) as usize]);
        for (index, digit) in digits.iter().rev().enumerate() {
            let [value, unknown] = match digit.to_ascii_lowercase() {
                b'x' => [0, largest],
                b'z' => [largest, largest],
                digit => [char::from(digit).to_digit(16)?.into(), 0],
            };
            if value > largest {
                return None;
            }
            let at = index * bits as usize;
            for (words, part) in words.iter_mut().zip([value, unknown]) {
                if let Some(word) = words.get_mut(at / 64) {
                    *word |= part << (at % 64);
                }
            }
        }
        let [value, unknown] = words.map(|words| ApInt::from_words(width, &words));
        (!digits.is_empty()).then_some(FourValued { value, unknown })
    }

    /// Returns the text of the number in another width: decimal if all bits are known, else in the
    /// first of hexadecimal and binary that can express it. The error is the width that it needs.
    fn text(&self, width: u32) -> Result<String, u32> {
        let needed = match self.value.is_negative() {
            true => negative_bits(&self.value),
            false => self.value.active_bits().max(self.unknown.active_bits()),
        };
        if width < needed {
            return Err(needed);
        }
        if self.unknown.is_zero() {
            // A wider number has the same text.
            let value = self.value.trunc(width.min(self.value.width()));
            return Ok(value.to_decimal_string(true));
        }
        let text = self.digits(4).or_else(|| self.digits(1));
        Ok(text.unwrap_or_default())
    }

    /// Returns the prefix and the digits of this number of bits; `None` if a digit has bits of
    /// different kinds.
    fn digits(&self, bits: u32) -> Option<String> {
        let active = self.value.active_bits().max(self.unknown.active_bits());
        let mut text = if bits == 4 { "h" } else { "b" }.to_owned();
        let largest = (1u32 << bits).wrapping_sub(1);
        for digit in (0..active.div_ceil(bits)).rev() {
            let part = |of: &ApInt| {
                let bit = |at: u32| u32::from(of.bit(digit * bits + at)) << at;
                (0..bits).map(bit).sum::<u32>()
            };
            text.push(match (part(&self.unknown), part(&self.value)) {
                (0, value) => char::from_digit(value, 16)?.to_ascii_uppercase(),
                (unknown, 0) if unknown == largest => 'X',
                (unknown, value) if (unknown, value) == (largest, largest) => 'Z',
                _ => return None,
            });
        }
        Some(text)
    }
}

/// A number in a text: one that was read, or the text to be printed.
#[derive(Default)]
struct Literal {
    place: Option<usize>,
    read: Option<FourValued>,
    printed: String,
}

impl Literal {
    /// Returns the text of the number that was read, in this width.
    fn text(&self, width: u32) -> AsmResult<String> {
        let read = self.read.as_ref();
        let read = read.ok_or_else(|| failure(self.place, "expected integer value"))?;
        read.text(width).map_err(|needed| {
            let message = format!("value requires {needed} bits, but there are {width}");
            failure(self.place, message)
        })
    }

    /// Returns whether a bit of the number that was read is X or Z.
    fn has_unknown(&self) -> bool {
        let read = self.read.as_ref();
        read.is_some_and(|number| !number.unknown.is_zero())
    }
}

impl<P: ReadSteps + ?Sized, W: WriteSteps + ?Sized> Assembler<'_, P, W> {
    /// A decimal number, or `h` or `b` with digits.
    fn four_valued(&mut self, literal: &mut Literal) -> AsmResult<()> {
        let parser = match self {
            Self::Parser(parser) => parser,
            Self::Printer(printer) => {
                printer.text(&literal.printed);
                return Ok(());
            }
        };
        let place = parser.place();
        literal.place = Some(place);
        literal.read = match parser.optional_keyword() {
            Some(word) => FourValued::of_word(parser.context().bytes(word)),
            None => parser.optional_big_integer()?.map(|value| FourValued {
                unknown: ApInt::zero(value.width()),
                value,
            }),
        };
        match literal.read.is_some() {
            true => Ok(()),
            false => Err(AsmError::new(
                place,
                "expected an integer, or `b` or `h` with digits",
            )),
        }
    }
}

/// The parameters of `#moore.fvint`: `h9XZ1 : 16`. Parameters: the text of the number, which is the
/// same for equal numbers, and its width.
#[derive(Debug)]
pub(crate) struct Parts;

/// The text of [`Parts`].
#[derive(Default)]
pub(crate) struct PartsContent {
    literal: Literal,
    width: i64,
}

impl TwoWayEntry for Parts {
    type Content<'v> = PartsContent;

    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        let text: Option<Identifier> = required(values, 0, "expected an integer")?;
        let width: u64 = field(values, 1);
        let context = printer.context();
        let printed = text.map(|text| context.str(text).into_owned());
        Ok(PartsContent {
            literal: Literal {
                printed: printed.unwrap_or_default(),
                ..Literal::default()
            },
            width: i64::try_from(width).unwrap_or(i64::MAX),
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut PartsContent) -> AsmResult<()> {
        asm.four_valued(&mut content.literal)?;
        asm.token(":", " : ")?;
        asm.integer(&mut content.width)
    }

    fn build(
        &self,
        parser: &mut dyn EntryParser,
        content: PartsContent,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let width = u32::try_from(content.width).ok();
        let width = width.filter(|&width| width <= ApInt::MAX_WIDTH);
        let width = width.ok_or_else(|| failure(content.literal.place, "invalid width"))?;
        let text = content.literal.text(width)?;
        let text = parser.context().identifier(&text);
        set(values, 0, Some(text));
        set(values, 1, u64::from(width));
        Ok(())
    }
}

/// The directive of `moore.constant`: `h9XZ1 {...} : l16`. Arguments: the value, the attributes,
/// the type.
#[derive(Debug)]
pub(crate) struct Constant;

/// The text of [`Constant`].
#[derive(Default)]
pub(crate) struct ConstantContent {
    literal: Literal,
    attributes: Vec<NamedAttribute>,
    ty: Option<Type>,
}

/// Returns the text and the width of `#moore.fvint`.
fn parts(context: &Context, value: Attribute) -> Option<(String, u32)> {
    let text = context.parameter(value, "value")?.str()?.into_owned();
    let width = context.parameter(value, "width")?.integer()?;
    let is_number = super::fields::is_attribute_of(context, value, "moore", "fvint");
    Some((text, u32::try_from(width).ok()?)).filter(|_| is_number)
}

impl TwoWayDirective for Constant {
    type Content = ConstantContent;

    fn content(&self, printed: &Printed<'_>) -> Option<ConstantContent> {
        let [value, PrintedArgument::Dictionary(attributes), ty] = printed.arguments else {
            return None;
        };
        let &[ty] = ty.types() else { return None };
        let (text, found) = parts(printed.context, value.attribute()?)?;
        let (width, is_four_valued) = integer(printed.context, ty)?;
        let is_known = !text.starts_with(['b', 'h']);
        (found == width && (is_four_valued || is_known)).then(|| ConstantContent {
            literal: Literal {
                printed: text,
                ..Literal::default()
            },
            attributes: attributes.clone(),
            ty: Some(ty),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ConstantContent) -> AsmResult<bool> {
        asm.four_valued(&mut content.literal)?;
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.bare_type("moore", &mut content.ty)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: ConstantContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = content.literal.place;
        let context = parser.context();
        let of = content.ty.and_then(|ty| integer(context, ty));
        let (width, is_four_valued) =
            of.ok_or_else(|| failure(place, "invalid kind of type specified"))?;
        let text = content.literal.text(width)?;
        if content.literal.has_unknown() && !is_four_valued {
            let message = "value contains X or Z bits, but the result type has two-valued bits";
            return Err(failure(place, message));
        }
        let builder = context.build_attribute("moore.fvint").with("value", text);
        let made = builder.with("width", i64::from(width)).build();
        let made = made.map_err(invalid(place))?;
        if let [value, attributes, ty] = arguments {
            *value = ParsedArgument::Attribute(Some(made));
            *attributes = ParsedArgument::Dictionary(content.attributes);
            *ty = one_type(content.ty);
        }
        Ok(())
    }
}
