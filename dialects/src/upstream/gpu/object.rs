//! Syntax of `#gpu.object`.

use crate::entry::{EntryAsm, Field, List, TwoWayEntry, required, set};
use crate::helpers::{member_keyword, member_value};
use crate::two_way::Sequence as _;
use rmlir_ir::asm::{AsmError, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut};
use rmlir_ir::sort::CompactSort as _;
use rmlir_ir::{Attribute, Identifier, Invalid};

/// The parameters of `#gpu.object`: `bin = "..."`, the format and the bytes. The default format is
/// omitted.
#[derive(Debug)]
pub(crate) struct Object;

const FORMATS: (&str, &str) = ("gpu", "CompilationTarget");
/// The default format.
const USUAL: &str = "fatbin";

/// The text of an object.
#[derive(Default)]
pub(crate) struct ObjectContent {
    format: u64,
    object: Option<Identifier>,
}

/// `bin = `, unless the format is the default.
fn object_format(asm: &mut EntryAsm<'_>, format: &mut u64) -> AsmResult<()> {
    match asm {
        EntryAsm::Parser(parser) => {
            let place = parser.place();
            let word = match parser.optional_keyword() {
                Some(word) => {
                    parser.expect("=")?;
                    parser.context().str(word).into_owned()
                }
                None => USUAL.to_owned(),
            };
            let found = member_value(parser.context(), FORMATS, &word);
            *format = found.ok_or_else(|| AsmError::new(place, "Invalid object format"))?;
        }
        EntryAsm::Printer(printer) => {
            let word = member_keyword(printer.context(), FORMATS, *format);
            let word = word.ok_or_else(|| AsmError::new(0, "unknown format"))?;
            if word != USUAL {
                printer.text(word.as_bytes());
                printer.text(b" = ");
            }
        }
    }
    Ok(())
}

impl TwoWayEntry for Object {
    type Content<'v> = ObjectContent;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<ObjectContent, Invalid> {
        let format: Option<u64> = required(values, 0, "unknown format")?;
        Ok(ObjectContent {
            format: format.unwrap_or_default(),
            object: required(values, 1, "expected the bytes of an object")?,
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut ObjectContent) -> AsmResult<()> {
        object_format(asm, &mut content.format)?;
        asm.string(&mut content.object)
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: ObjectContent,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 0, content.format);
        set(values, 1, content.object);
        Ok(())
    }
}

/// The parameter of `#gpu.kernel_table`: `[...]` with the kernels in order of their names; an empty
/// table has no text.
#[derive(Debug)]
pub(crate) struct KernelTable;

impl TwoWayEntry for KernelTable {
    type Content<'v> = List<'v, Option<Attribute>>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        List::of(values, 0, "expected attributes of kernels")
    }

    fn text(&self, asm: &mut EntryAsm<'_>, kernels: &mut Self::Content<'_>) -> AsmResult<()> {
        asm.optional_list(("[", "]"), kernels, |asm, kernel| asm.attribute(kernel))
    }

    fn build(
        &self,
        parser: &mut dyn EntryParser,
        mut kernels: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let mut named = Vec::new();
        for &kernel in kernels.read().iter().flatten() {
            let found = parser.parameters_of(kernel)?;
            let name = found.and_then(|found| Field::of(found.fields.first()?));
            let name = name.and_then(|name: Attribute| parser.context().string_value(name));
            named.push((name.map(<[u8]>::to_vec), kernel));
        }
        named.compact_sort_by(|a, b| a.0.cmp(&b.0));
        kernels.assign(named.into_iter().map(|kernel| Some(kernel.1)).collect());
        kernels.set(values, 0);
        Ok(())
    }
}
