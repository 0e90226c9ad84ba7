//! Hooks of the `sparse_tensor` dialect: level ranges, encodings, iteration.

pub(crate) mod encoding;
pub(crate) mod iterate;

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::integer_of;
use crate::two_way::{Asm, failure};
use rmlir_ir::Invalid;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters,
    ParametersMut, ParsedArgument,
};
use rmlir_ir::codec::FieldValue;

/// The directive `1` or `1 to 3`: the first level, and the end of the range.
#[derive(Debug)]
pub(crate) struct LevelRange;

/// The parsed parts of [`LevelRange`].
#[derive(Default)]
pub(crate) struct LevelsContent {
    low: i64,
    /// The end, unless it is the next level.
    high: Option<i64>,
}

impl TwoWayDirective for LevelRange {
    type Content = (Option<usize>, LevelsContent);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [low, high, ..] = printed.arguments else {
            return None;
        };
        let index = printed.context.index_type();
        let low = integer_of(printed.context, index, low.attribute())?;
        let high = integer_of(printed.context, index, high.attribute())?;
        let is_next = low.saturating_add(1) == high;
        let high = (!is_next).then_some(high);
        let fits = high.is_none_or(|high| low < high);
        fits.then_some((None, LevelsContent { low, high }))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (place, levels): &mut Self::Content) -> AsmResult<bool> {
        *place = asm.place();
        asm.integer(&mut levels.low)?;
        let mut follows = levels.high.is_some();
        asm.optional("to", " to ", &mut follows);
        if follows {
            asm.integer(levels.high.get_or_insert_default())?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (place, LevelsContent { low, high }): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let high = high.unwrap_or(low.saturating_add(1));
        if high <= low {
            let message = "expect larger level upper bound than lower bound";
            return Err(failure(place, message));
        }
        let index = parser.context().index_type();
        for (argument, level) in arguments.iter_mut().zip([low, high]) {
            let made = parser.context().integer_attribute(index, level);
            *argument = ParsedArgument::Attribute(made.ok());
        }
        Ok(())
    }
}

impl EntrySyntax for LevelRange {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let (&FieldValue::Unsigned(low), &FieldValue::Unsigned(high)) =
            (values.get(0), values.get(1))
        else {
            return Err(Invalid::new("a range needs two levels"));
        };
        printer.integer(low);
        if low.checked_add(1) != Some(high) {
            printer.text(b" to ");
            printer.integer(high);
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let place = parser.place();
        let low = parser.integer()?;
        let high = match parser.eat("to") {
            true => parser.integer()?,
            false => low.saturating_add(1),
        };
        let levels = (u64::try_from(low), u64::try_from(high));
        let (Ok(low), Ok(high)) = levels else {
            return Err(AsmError::new(place, "expect valid levels"));
        };
        if high <= low {
            return Err(AsmError::new(
                place,
                "expect larger level upper bound than lower bound",
            ));
        }
        values.set(0, FieldValue::Unsigned(low));
        values.set(1, FieldValue::Unsigned(high));
        Ok(())
    }
}
