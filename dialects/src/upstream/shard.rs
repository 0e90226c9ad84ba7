//! Syntax of the attributes of the `shard` dialect.

use crate::entry::{EntryAsm, List, Rows, TwoWayEntry};
use crate::two_way::failure;
use rmlir_ir::Invalid;
use rmlir_ir::asm::{AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut};
use rmlir_ir::codec::FieldValue;

/// The directive `[0, 1], [], [2]`: lists of 16-bit integers.
#[derive(Debug)]
pub(crate) struct Axes;

impl TwoWayEntry for Axes {
    type Content<'v> = Rows<'v, List<'v, i64>>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        Rows::of(values, values.list(0).len(), |values, at| {
            let axes = values.list(0).get(at).unwrap_or(&FieldValue::Absent);
            List::of_items(values.items(axes), "expected an axis")
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Self::Content<'_>) -> AsmResult<()> {
        asm.items(content, |asm, axes| {
            asm.list(("[", "]"), axes, |asm, axis| {
                let place = asm.place();
                asm.integer(axis)?;
                match place.is_some() && i16::try_from(*axis).is_err() {
                    true => Err(failure(place, "integer value too large")),
                    false => Ok(()),
                }
            })
        })
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let lists = content.read.into_iter();
        let lists: Vec<_> = lists.map(|axes| axes.make(values)).collect();
        values.set_list(0, lists);
        Ok(())
    }
}
