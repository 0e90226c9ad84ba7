//! Syntax of the types of the `quant` dialect, and verification of its casts.

mod blocks;
mod casts;

use crate::entry::{EntryAsm, Rows, TwoWayEntry, field, item, required, set};
use crate::two_way::failure;
use blocks::Blocks;
pub(crate) use casts::Cast;
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut, Place,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::float::{FloatKind, to_f64};
use rmlir_ir::{Context, Invalid, Type, TypeKind};

/// The parameters of `!quant.any`: `storage[:expressed]`, stored as flags, storage type, minimum,
/// maximum and expressed type.
#[derive(Debug)]
pub(crate) struct Any;

/// The parameters of `!quant.uniform`: flags, storage type, minimum, maximum and expressed type,
/// followed by the scale and zero point; by the dimension, scales and zero points; or by the
/// dimensions, block sizes, and scales and zero points as dense elements.
#[derive(Debug)]
pub(crate) struct Uniform;

const SIGNED: u64 = 1;
/// The maximum width of a storage type.
const WIDEST: u32 = 32;

/// Returns the least and the greatest value of an integer type.
fn default_range(signed: bool, width: u32) -> (i64, i64) {
    let all = 1i64.checked_shl(width).unwrap_or(0);
    match signed {
        true => (-(all / 2), all / 2 - 1),
        false => (0, all.wrapping_sub(1)),
    }
}

const WRONG: &str = "the values do not make a quantized type";

fn wrong() -> Invalid {
    Invalid::new(WRONG)
}

/// The storage type: `i8` or `u8<1:255>`.
#[derive(Clone, Copy, Default)]
pub(crate) struct Storage {
    signed: bool,
    width: u32,
    min: i64,
    max: i64,
}

impl Storage {
    /// Returns the storage type of the first four parameters: flags (bit 0: signed), type, minimum
    /// and maximum.
    fn of(printer: &mut dyn EntryPrinter, values: Parameters<'_, '_>) -> Result<Self, Invalid> {
        let (&FieldValue::Unsigned(flags), &FieldValue::Type(storage)) =
            (values.get(0), values.get(1))
        else {
            return Err(wrong());
        };
        let (&FieldValue::Signed(min), &FieldValue::Signed(max)) = (values.get(2), values.get(3))
        else {
            return Err(wrong());
        };
        let TypeKind::Integer { width, .. } = *printer.context().type_kind(storage) else {
            return Err(Invalid::new("storage type must be integral"));
        };
        if width == 0 || width > WIDEST || flags > SIGNED {
            return Err(wrong());
        }
        let signed = flags == SIGNED;
        Ok(Storage {
            signed,
            width,
            min,
            max,
        })
    }

    /// `i8` or `u8`.
    fn word(&mut self, asm: &mut EntryAsm<'_>) -> AsmResult<()> {
        let parser = match asm {
            EntryAsm::Parser(parser) => parser,
            EntryAsm::Printer(printer) => {
                printer.text(if self.signed { b"i" } else { b"u" });
                printer.integer(self.width);
                return Ok(());
            }
        };
        let place = parser.place();
        let illegal = || AsmError::new(place, "illegal storage type prefix");
        let keyword = parser.optional_keyword().ok_or_else(illegal)?;
        let text = parser.context().str(keyword).into_owned();
        self.signed = text.starts_with('i');
        let width = text.strip_prefix(['i', 'u']).ok_or_else(illegal)?;
        let is_number = !width.is_empty() && width.bytes().all(|byte| byte.is_ascii_digit());
        self.width = match width.parse() {
            Ok(width) if is_number => width,
            _ if is_number && self.signed => {
                return Err(AsmError::new(place, "invalid integer width"));
            }
            _ if self.signed => return Err(illegal()),
            _ => return Err(AsmError::new(place, "expected storage type width")),
        };
        if !(1..=WIDEST).contains(&self.width) {
            let message = format!("illegal storage type size: {}", self.width);
            return Err(AsmError::new(place, message));
        }
        Ok(())
    }

    fn text(&mut self, asm: &mut EntryAsm<'_>) -> AsmResult<()> {
        let place = asm.place();
        self.word(asm)?;
        let (least, greatest) = default_range(self.signed, self.width);
        let mut is_bounded = (self.min, self.max) != (least, greatest);
        asm.optional("<", "<", &mut is_bounded);
        if !is_bounded {
            (self.min, self.max) = (least, greatest);
            return Ok(());
        }
        let of_min = asm.place();
        asm.integer(&mut self.min)?;
        asm.token(":", ":")?;
        let of_max = asm.place();
        asm.integer(&mut self.max)?;
        asm.token(">", ">")?;
        let Storage { min, max, .. } = *self;
        asm.check(of_min, |_| {
            (min < least).then(|| format!("illegal storage type minimum: {min}"))
        })?;
        asm.check(of_max, |_| {
            (max > greatest).then(|| format!("illegal storage type maximum: {max}"))
        })?;
        asm.check(place, |_| {
            let message = || format!("illegal storage min and storage max: ({min}:{max})");
            (max <= min).then(message)
        })
    }

    /// Sets the first four parameters.
    fn set(self, parser: &mut dyn EntryParser, values: &mut ParametersMut<'_>) {
        set(values, 0, u64::from(self.signed));
        set(values, 1, Some(parser.context().integer_type(self.width)));
        set(values, 2, self.min);
        set(values, 3, self.max);
    }
}

impl TwoWayEntry for Any {
    /// The storage type and the expressed type.
    type Content<'v> = (Storage, Option<Type>);

    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        Ok((Storage::of(printer, values)?, field(values, 4)))
    }

    fn text(
        &self,
        asm: &mut EntryAsm<'_>,
        (storage, expressed): &mut Self::Content<'_>,
    ) -> AsmResult<()> {
        storage.text(asm)?;
        let mut is_there = expressed.is_some();
        asm.optional(":", ":", &mut is_there);
        match is_there {
            true => asm.ty(expressed),
            false => Ok(()),
        }
    }

    fn build(
        &self,
        parser: &mut dyn EntryParser,
        (storage, expressed): Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        storage.set(parser, values);
        set(values, 4, expressed);
        Ok(())
    }
}

/// The parameters of `!quant.calibrated`: `expressed<min:max>`.
#[derive(Debug)]
pub(crate) struct Calibrated;

/// The text of a calibrated type.
#[derive(Default)]
pub(crate) struct CalibratedContent {
    place: Option<Place>,
    expressed: Option<Type>,
    /// The bits of the bounds.
    min: u64,
    max: u64,
}

impl CalibratedContent {
    /// `<min:max>`.
    fn bounds(&mut self, asm: &mut EntryAsm<'_>) -> AsmResult<()> {
        asm.token("<", "<")?;
        asm.float(&mut self.min)?;
        asm.token(":", ":")?;
        asm.float(&mut self.max)?;
        asm.token(">", ">")
    }
}

impl TwoWayEntry for Calibrated {
    type Content<'v> = CalibratedContent;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<CalibratedContent, Invalid> {
        match (values.get(0), values.get(1), values.get(2)) {
            (FieldValue::Type(expressed), FieldValue::Float(min), FieldValue::Float(max)) => {
                Ok(CalibratedContent {
                    place: None,
                    expressed: Some(*expressed),
                    min: *min as u64,
                    max: *max as u64,
                })
            }
            _ => Err(wrong()),
        }
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut CalibratedContent) -> AsmResult<()> {
        content.place = asm.place();
        asm.ty(&mut content.expressed)?;
        if let (EntryAsm::Parser(parser), Some(expressed)) = (&mut *asm, content.expressed)
            && !matches!(parser.context().type_kind(expressed), TypeKind::Float(_))
        {
            let error = failure(content.place, "invalid kind of type specified");
            return Err(error.consequence("expecting float expressed type"));
        }
        let bounds = content.bounds(asm);
        bounds.map_err(|error| error.consequence("calibrated values must be present"))
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: CalibratedContent,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let (min, max) = (f64::from_bits(content.min), f64::from_bits(content.max));
        if max <= min {
            let message = format!(
                "illegal min and max: ({}:{})",
                scientific(min),
                scientific(max)
            );
            return Err(failure(content.place, message));
        }
        set(values, 0, content.expressed);
        set(values, 1, Some(u128::from(content.min)));
        set(values, 2, Some(u128::from(content.max)));
        Ok(())
    }
}

const SCALE: usize = 5;
const ZERO_POINT: usize = 6;
const DIMENSION: usize = 7;
const SCALES: usize = 8;
const ZERO_POINTS: usize = 9;
const DIMENSIONS: usize = 10;
const BLOCK_SIZES: usize = 11;
const DENSE_SCALES: usize = 12;
const DENSE_ZERO_POINTS: usize = 13;

/// The bits of a scale, and a zero point.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pair {
    scale: u64,
    zero_point: i64,
}

impl Pair {
    /// Returns the pair of an index of a dimension.
    fn of(values: Parameters<'_, '_>, at: usize) -> Result<Self, Invalid> {
        let scale: Option<u128> = item(values, (SCALES, at), WRONG)?;
        Ok(Pair {
            scale: scale.unwrap_or_default() as u64,
            zero_point: item(values, (ZERO_POINTS, at), WRONG)?,
        })
    }

    /// `0.5` or `0.5:3`. A scale that is read is in the range.
    fn text(&mut self, asm: &mut EntryAsm<'_>, range: Option<(f64, f64)>) -> AsmResult<()> {
        asm.float(&mut self.scale)?;
        let value = f64::from_bits(self.scale);
        if let Some((least, greatest)) = range
            && (value < least || value > greatest)
        {
            let message = format!(
                "scale {} out of expressed type range [{}, {}]",
                scientific(value),
                scientific(least),
                scientific(greatest)
            );
            return Err(failure(asm.place(), message));
        }
        let mut is_there = self.zero_point != 0;
        asm.optional(":", ":", &mut is_there);
        match is_there {
            true => asm.integer(&mut self.zero_point),
            false => Ok(()),
        }
    }
}

/// Which elements have a scale and zero point of their own.
#[derive(Clone, Copy, Default, PartialEq)]
enum Granularity {
    /// None.
    #[default]
    All,
    /// Those of each index of a dimension.
    Axis,
    /// Those of each block.
    Blocks,
}

/// The text of a uniform type.
#[derive(Default)]
pub(crate) struct UniformContent<'v> {
    storage: Storage,
    expressed: Option<Type>,
    granularity: Granularity,
    /// The scale and zero point of all elements.
    pair: Pair,
    /// The dimension, and the scales and zero points of its indices.
    dimension: u64,
    axis: Rows<'v, Pair>,
    /// Dimensions and the sizes of their blocks, and the scales and zero points of blocks.
    sizes: Rows<'v, (i64, i64)>,
    blocks: Blocks,
}

impl TwoWayEntry for Uniform {
    type Content<'v> = UniformContent<'v>;

    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<UniformContent<'v>, Invalid> {
        let mut content = UniformContent {
            storage: Storage::of(printer, values)?,
            expressed: required(values, 4, WRONG)?,
            ..UniformContent::default()
        };
        if let (&FieldValue::Float(scale), &FieldValue::Signed(zero_point)) =
            (values.get(SCALE), values.get(ZERO_POINT))
        {
            let scale = scale as u64;
            content.pair = Pair { scale, zero_point };
            return Ok(content);
        }
        if let &FieldValue::Unsigned(dimension) = values.get(DIMENSION) {
            let scales = values.list(SCALES).len();
            if scales != values.list(ZERO_POINTS).len() {
                return Err(Invalid::new("illegal number of scales and zeroPoints"));
            }
            content.granularity = Granularity::Axis;
            content.dimension = dimension;
            content.axis = Rows::of(values, scales, Pair::of)?;
            return Ok(content);
        }
        let dense = (values.get(DENSE_SCALES), values.get(DENSE_ZERO_POINTS));
        let (&FieldValue::Attribute(scales), &FieldValue::Attribute(zero_points)) = dense else {
            return Err(wrong());
        };
        let dimensions = values.list(DIMENSIONS).len();
        if dimensions != values.list(BLOCK_SIZES).len() {
            return Err(wrong());
        }
        content.granularity = Granularity::Blocks;
        content.sizes = Rows::of(values, dimensions, |values, at| {
            Ok((
                item(values, (DIMENSIONS, at), WRONG)?,
                item(values, (BLOCK_SIZES, at), WRONG)?,
            ))
        })?;
        content.blocks = Blocks::of(printer.context(), scales, zero_points).ok_or_else(wrong)?;
        Ok(content)
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut UniformContent<'_>) -> AsmResult<()> {
        content.storage.text(asm)?;
        asm.token(":", ":")?;
        asm.ty(&mut content.expressed)?;
        let range = match (&mut *asm, content.expressed) {
            (EntryAsm::Parser(parser), Some(ty)) => scale_range(parser.context(), ty),
            _ => None,
        };
        let mut is_divided = content.granularity != Granularity::All;
        asm.optional(":", ":", &mut is_divided);
        if !is_divided {
            asm.token(",", ", ")?;
            return content.pair.text(asm, range);
        }
        let mut has_blocks = content.granularity == Granularity::Blocks;
        asm.optional("{", "{", &mut has_blocks);
        if !has_blocks {
            content.granularity = Granularity::Axis;
            asm.integer_from_0(&mut content.dimension, illegal_dimension)?;
            asm.token(",", ", ")?;
            asm.token("{", "{")?;
            return asm.list_after((",", "}"), &mut content.axis, |asm, pair| {
                pair.text(asm, range)
            });
        }
        content.granularity = Granularity::Blocks;
        asm.list_after((", ", "}"), &mut content.sizes, |asm, (dimension, size)| {
            let place = asm.place();
            asm.integer(dimension)?;
            asm.token(":", ":")?;
            asm.integer(size)?;
            asm.check(place, |_| match (*dimension, *size) {
                (dimension @ ..0, _) => Some(illegal_dimension(dimension)),
                (_, size @ ..=0) => Some(format!("illegal block size: {size}")),
                _ => None,
            })
        })?;
        asm.token(",", ", ")?;
        content.blocks.place = asm.place();
        content.blocks.text(asm, range)
    }

    fn build(
        &self,
        parser: &mut dyn EntryParser,
        content: UniformContent<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        content.storage.set(parser, values);
        set(values, 4, content.expressed);
        match content.granularity {
            Granularity::All => {
                set(values, SCALE, Some(u128::from(content.pair.scale)));
                set(values, ZERO_POINT, content.pair.zero_point);
            }
            Granularity::Axis => {
                set(values, DIMENSION, content.dimension);
                let axis = content.axis;
                axis.set(values, SCALES, |pair| Some(u128::from(pair.scale)));
                axis.set(values, ZERO_POINTS, |pair| pair.zero_point);
            }
            Granularity::Blocks => {
                content.sizes.set(values, DIMENSIONS, |block| block.0);
                content.sizes.set(values, BLOCK_SIZES, |block| block.1);
                let types = (content.expressed, content.storage.width);
                let (scales, zero_points) = content.blocks.dense(parser.context(), types)?;
                set(values, DENSE_SCALES, Some(scales));
                set(values, DENSE_ZERO_POINTS, Some(zero_points));
            }
        }
        Ok(())
    }
}

fn illegal_dimension(dimension: i64) -> String {
    format!("illegal quantized dimension: {dimension}")
}

/// Returns the least positive and the greatest finite value of a float type that a scale can have.
fn scale_range(context: &Context, expressed: Type) -> Option<(f64, f64)> {
    let TypeKind::Float(kind) = *context.type_kind(expressed) else {
        return None;
    };
    let width = FloatKind::width(kind);
    if width >= f64::MANTISSA_DIGITS {
        return None;
    }
    // Finite values ascend with their bits, up to infinity and the NaNs. A type without zero has
    // no sign, either.
    let is_positive = to_f64(kind, 0) > 0.0;
    let (least, width) = match is_positive {
        true => (0, width),
        false => (1, width.saturating_sub(1)),
    };
    let (mut finite, mut above) = (least, 1u128.checked_shl(width)?);
    while finite + 1 < above {
        let middle = (finite + above) / 2;
        match to_f64(kind, middle).is_finite() {
            true => finite = middle,
            false => above = middle,
        }
    }
    Some((to_f64(kind, least), to_f64(kind, finite)))
}

/// Returns a number as C's `%e` prints it: `5.800000e-08`.
fn scientific(value: f64) -> String {
    let text = format!("{value:.6e}");
    match text.split_once('e') {
        Some((digits, exponent)) => match exponent.strip_prefix('-') {
            Some(exponent) => format!("{digits}e-{exponent:0>2}"),
            None => format!("{digits}e+{exponent:0>2}"),
        },
        None => text,
    }
}
