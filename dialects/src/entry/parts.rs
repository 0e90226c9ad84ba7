//! Parts that the bodies of attributes and types have, and operations have not.

use super::EntryAsm;
use crate::helpers::{member_keyword, member_value};
use crate::two_way::Sequence;
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{AsmError, AsmResult, Place};
use rmlir_ir::{Attribute, AttributeKind, Context, Identifier, Type};

/// The maximum length of an affine map in bytes.
const LONGEST_MAP: usize = 1 << 20;

impl EntryAsm<'_> {
    /// Checks what was read from a [position](Self::place) on: a message that `wrong` returns is
    /// the error there.
    pub(crate) fn check(
        &mut self,
        place: Option<Place>,
        wrong: impl FnOnce(&mut Context) -> Option<String>,
    ) -> AsmResult<()> {
        match (self, place) {
            (Self::Parser(parser), Some(place)) => match wrong(parser.context()) {
                Some(message) => Err(AsmError::new(place, message)),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// An attribute of the same dialect and this mnemonic, without both; present when printing.
    pub(crate) fn stripped(
        &mut self,
        mnemonic: &str,
        attribute: &mut Option<Attribute>,
    ) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => *attribute = Some(parser.stripped(mnemonic)?),
            Self::Printer(printer) => {
                if let Some(attribute) = *attribute {
                    printer.stripped(attribute, mnemonic);
                }
            }
        }
        Ok(())
    }

    /// A type of this dialect, which is that of the entry, without the dialect's name; present when
    /// printing.
    pub(crate) fn bare_type(&mut self, dialect: &str, ty: &mut Option<Type>) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => *ty = Some(parser.bare_type()?),
            Self::Printer(printer) => {
                if let Some(ty) = *ty {
                    printer.bare_type(ty, dialect);
                }
            }
        }
        Ok(())
    }

    /// An unsigned integer of at most `width` bits.
    pub(crate) fn unsigned(&mut self, width: u32, value: &mut u64) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => *value = parser.unsigned(width)?,
            Self::Printer(printer) => printer.integer(*value),
        }
        Ok(())
    }

    /// As [`unsigned`](Self::unsigned), if a number is there.
    pub(crate) fn optional_unsigned(
        &mut self,
        width: u32,
        value: &mut Option<u64>,
    ) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => *value = parser.optional_unsigned(width)?,
            Self::Printer(printer) => {
                if let Some(value) = value {
                    printer.integer(value);
                }
            }
        }
        Ok(())
    }

    /// A quoted string, if one is there.
    pub(crate) fn optional_string(&mut self, string: &mut Option<Identifier>) {
        match self {
            Self::Parser(parser) => *string = parser.optional_string(),
            Self::Printer(printer) => {
                if let Some(string) = *string {
                    printer.string(string);
                }
            }
        }
    }

    /// An integer of 64 bits that is not negative; `negative` is the error if it is.
    pub(crate) fn integer_from_0(
        &mut self,
        value: &mut u64,
        negative: impl FnOnce(i64) -> String,
    ) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => {
                let place = parser.place();
                let found = parser.integer()?;
                let found_from_0 = u64::try_from(found);
                *value = found_from_0.map_err(|_| AsmError::new(place, negative(found)))?;
            }
            Self::Printer(printer) => printer.integer(*value),
        }
        Ok(())
    }

    /// An integer literal that is not negative, without `true` and `false`.
    pub(crate) fn natural(&mut self, value: &mut u64) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => {
                let place = parser.place();
                *value = match parser.optional_integer()? {
                    Some(found) => u64::try_from(found)
                        .map_err(|_| AsmError::new(place, "expected a non-negative integer"))?,
                    None => return parser.expected("integer value"),
                };
            }
            Self::Printer(printer) => printer.integer(*value),
        }
        Ok(())
    }

    /// An integer literal of any size; present when printing.
    pub(crate) fn big_integer(&mut self, value: &mut Option<ApInt>) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => {
                let place = parser.place();
                let found = parser.number().and_then(|(negative, text)| {
                    let magnitude = match text.strip_prefix(b"0x") {
                        Some(digits) => ApInt::parse_digits(digits, 16),
                        None => ApInt::parse_digits(&text, 10),
                    };
                    Some(ApInt::from_magnitude(negative, &magnitude?))
                });
                *value = Some(found.ok_or_else(|| AsmError::new(place, "expected integer value"))?);
            }
            Self::Printer(printer) => {
                if let Some(value) = value {
                    printer.text(value.to_decimal_string(true).as_bytes());
                }
            }
        }
        Ok(())
    }

    /// A number as the bits of an `f64`.
    pub(crate) fn float(&mut self, bits: &mut u64) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => *bits = parser.float()?,
            Self::Printer(printer) => printer.float(*bits),
        }
        Ok(())
    }

    /// Sizes, each followed by an `x`, which is printed as `times`.
    pub(crate) fn sizes(
        &mut self,
        sizes: &mut impl Sequence<Item = i64>,
        times: &str,
    ) -> AsmResult<()> {
        if let Self::Parser(parser) = self {
            sizes.assign(parser.dimensions()?);
            return Ok(());
        }
        for number in 0..sizes.len() {
            sizes.with(number, |&mut size| self.print_size(size));
            self.space(times);
        }
        Ok(())
    }

    /// The keyword of a case of an enumeration. `missing` is the error if no keyword is next, and
    /// `unknown` that of another keyword.
    pub(crate) fn member(
        &mut self,
        of: (&str, &str),
        value: &mut u64,
        missing: &str,
        unknown: impl FnOnce(&str) -> String,
    ) -> AsmResult<()> {
        let place = self.place();
        let mut there = true;
        self.optional_member(of, (value, &mut there), |_| place, unknown)?;
        match (there, place) {
            (false, Some(place)) => Err(AsmError::new(place, missing)),
            _ => Ok(()),
        }
    }

    /// As [`member`](Self::member), if a keyword is there. An error about it is at `at` of the
    /// position after it.
    pub(crate) fn optional_member(
        &mut self,
        of: (&str, &str),
        (value, there): (&mut u64, &mut bool),
        at: impl FnOnce(Place) -> Option<Place>,
        unknown: impl FnOnce(&str) -> String,
    ) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => {
                let word = parser.optional_keyword();
                *there = word.is_some();
                let Some(word) = word else { return Ok(()) };
                let place = at(parser.place()).unwrap_or_default();
                let context = parser.context();
                let word = context.str(word).into_owned();
                let found = member_value(context, of, &word);
                *value = found.ok_or_else(|| AsmError::new(place, unknown(&word)))?;
            }
            Self::Printer(printer) if *there => {
                let word = member_keyword(printer.context(), of, *value);
                let missing = || AsmError::new(0, "no member of the enumeration");
                printer.text(word.ok_or_else(missing)?.as_bytes());
            }
            Self::Printer(_) => {}
        }
        Ok(())
    }

    /// An affine map without `affine_map` and brackets; present when printing. One that shares many
    /// expressions can be too long to be printed.
    pub(crate) fn affine_map(&mut self, map: &mut Option<Attribute>) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => {
                let read = parser.affine_map()?;
                *map = Some(parser.context().affine_map_attribute(read));
            }
            Self::Printer(printer) => {
                let context = printer.context();
                let mut text = Vec::new();
                if let Some(AttributeKind::AffineMap(map)) =
                    map.map(|map| context.attribute_kind(map))
                {
                    let printed = context.affine().print_map(map, LONGEST_MAP, &mut text);
                    printed.map_err(|_| AsmError::new(0, "the map is too long"))?;
                }
                printer.text(&text);
            }
        }
        Ok(())
    }

    /// Items separated by commas up to a token, which follows them. A text that is read can have a
    /// comma after the last one.
    pub(crate) fn items_until<S: Sequence>(
        &mut self,
        end: &str,
        items: &mut S,
        mut each: impl FnMut(&mut Self, &mut S::Item) -> AsmResult<()>,
    ) -> AsmResult<()> {
        if let Self::Printer(_) = self {
            return self.items(items, each);
        }
        let mut follows = true;
        while follows && !self.is_there(end, false) {
            let mut item = S::Item::default();
            each(self, &mut item)?;
            items.push(item);
            self.optional(",", ",", &mut follows);
        }
        Ok(())
    }

    /// Items separated by commas up to a closing bracket. A token can follow the last one, or be
    /// there in place of them all, which `rest` tells.
    pub(crate) fn items_and_rest<S: Sequence>(
        &mut self,
        close: &str,
        items: &mut S,
        (token, rest): (&str, &mut bool),
        mut each: impl FnMut(&mut Self, &mut S::Item) -> AsmResult<()>,
    ) -> AsmResult<()> {
        if let Self::Printer(_) = self {
            self.items(items, each)?;
            if *rest {
                self.space(if items.is_empty() { "" } else { ", " });
                self.space(token);
            }
            return self.token(close, close);
        }
        let mut follows = !self.is_there(close, false);
        while follows {
            self.optional(token, token, rest);
            if *rest {
                break;
            }
            let mut item = S::Item::default();
            each(self, &mut item)?;
            items.push(item);
            self.optional(",", ",", &mut follows);
        }
        self.token(close, close)
    }
}
