//! Hooks of the `sparse_tensor` dialect: level ranges, encodings, iteration.

pub(crate) mod encoding;
pub(crate) mod iterate;

use crate::directive::{Printed, TwoWayDirective};
use crate::entry::{EntryAsm, TwoWayEntry, field, set};
use crate::helpers::integer_of;
use crate::two_way::steps::{ReadSteps, WriteSteps};
use crate::two_way::{Asm, Assembler, failure};
use rmlir_ir::Invalid;
use rmlir_ir::asm::{
    AsmParser, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut, ParsedArgument,
};

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

impl LevelsContent {
    /// The text in an operation or an attribute.
    fn text<P: ReadSteps + ?Sized, W: WriteSteps + ?Sized>(
        &mut self,
        asm: &mut Assembler<'_, P, W>,
    ) -> AsmResult<()> {
        asm.integer(&mut self.low)?;
        let mut follows = self.high.is_some();
        asm.optional("to", " to ", &mut follows);
        match follows {
            true => asm.integer(self.high.get_or_insert_default()),
            false => Ok(()),
        }
    }
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
        levels.text(asm)?;
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
            return Err(failure(place, NO_LEVELS));
        }
        let index = parser.context().index_type();
        for (argument, level) in arguments.iter_mut().zip([low, high]) {
            let made = parser.context().integer_attribute(index, level);
            *argument = ParsedArgument::Attribute(made.ok());
        }
        Ok(())
    }
}

impl TwoWayEntry for LevelRange {
    type Content<'v> = (Option<usize>, LevelsContent);

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        let level = |at| {
            let level = field::<Option<u64>>(values, at);
            let level = level.and_then(|level| i64::try_from(level).ok());
            level.ok_or_else(|| Invalid::new("a range needs two levels"))
        };
        let (low, high) = (level(0)?, level(1)?);
        let is_next = low.checked_add(1) == Some(high);
        let high = (!is_next).then_some(high);
        Ok((None, LevelsContent { low, high }))
    }

    fn text(
        &self,
        asm: &mut EntryAsm<'_>,
        (place, levels): &mut Self::Content<'_>,
    ) -> AsmResult<()> {
        *place = asm.place();
        levels.text(asm)
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        (place, levels): Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let LevelsContent { low, high } = levels;
        let high = high.unwrap_or(low.saturating_add(1));
        let levels = (u64::try_from(low), u64::try_from(high));
        let (Ok(low), Ok(high)) = levels else {
            return Err(failure(place, "expect valid levels"));
        };
        if high <= low {
            return Err(failure(place, NO_LEVELS));
        }
        set(values, 0, low);
        set(values, 1, high);
        Ok(())
    }
}

const NO_LEVELS: &str = "expect larger level upper bound than lower bound";
