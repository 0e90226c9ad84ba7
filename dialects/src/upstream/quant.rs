//! Syntax of the types of the `quant` dialect, and verification of its casts.

use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut, Place,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::dense::ElementLayout;
use rmlir_ir::float::{FloatKind, from_f64, to_f64};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Invalid, Op, OperationVerifier, Parameter, Type, TypeKind,
    VerifyFailure, VerifyResult,
};

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

fn wrong() -> Invalid {
    Invalid::new("the values do not make a quantized type")
}

/// Prints `i8` or `u8<1:255>`: flags (bit 0: signed), storage type, minimum and maximum.
fn print_storage(
    printer: &mut dyn EntryPrinter,
    values: Parameters<'_, '_>,
) -> Result<(), Invalid> {
    let (&FieldValue::Unsigned(flags), &FieldValue::Type(storage)) = (values.get(0), values.get(1))
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
    printer.text(if signed { b"i" } else { b"u" });
    printer.integer(width);
    if (min, max) != default_range(signed, width) {
        printer.text(b"<");
        printer.integer(min);
        printer.text(b":");
        printer.integer(max);
        printer.text(b">");
    }
    Ok(())
}

fn parse_storage(parser: &mut dyn EntryParser, values: &mut ParametersMut<'_>) -> AsmResult<()> {
    let place = parser.place();
    let illegal = || AsmError::new(place, "illegal storage type prefix");
    let keyword = parser.optional_keyword().ok_or_else(illegal)?;
    let text = parser.context().str(keyword).into_owned();
    let signed = text.starts_with('i');
    let width = text.strip_prefix(['i', 'u']).ok_or_else(illegal)?;
    let is_number = !width.is_empty() && width.bytes().all(|byte| byte.is_ascii_digit());
    let width: u32 = match width.parse() {
        Ok(width) if is_number => width,
        _ if is_number && signed => return Err(AsmError::new(place, "invalid integer width")),
        _ if signed => return Err(illegal()),
        _ => return Err(AsmError::new(place, "expected storage type width")),
    };
    if !(1..=WIDEST).contains(&width) {
        let message = format!("illegal storage type size: {width}");
        return Err(AsmError::new(place, message));
    }
    let (least, greatest) = default_range(signed, width);
    let (mut min, mut max) = (least, greatest);
    if parser.eat("<") {
        let of_min = parser.place();
        min = parser.integer()?;
        parser.expect(":")?;
        let of_max = parser.place();
        max = parser.integer()?;
        parser.expect(">")?;
        if min < least {
            let message = format!("illegal storage type minimum: {min}");
            return Err(AsmError::new(of_min, message));
        }
        if max > greatest {
            let message = format!("illegal storage type maximum: {max}");
            return Err(AsmError::new(of_max, message));
        }
        if max <= min {
            let message = format!("illegal storage min and storage max: ({min}:{max})");
            return Err(AsmError::new(place, message));
        }
    }
    values.set(0, FieldValue::Unsigned(signed.into()));
    let storage = parser.context().integer_type(width);
    values.set(1, FieldValue::Type(storage));
    values.set(2, FieldValue::Signed(min));
    values.set(3, FieldValue::Signed(max));
    Ok(())
}

impl EntrySyntax for Any {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        print_storage(printer, values)?;
        if let FieldValue::Type(expressed) = values.get(4) {
            printer.text(b":");
            printer.ty(*expressed);
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        parse_storage(parser, &mut values)?;
        if parser.eat(":") {
            let expressed = parser.ty()?;
            values.set(4, FieldValue::Type(expressed));
        }
        Ok(())
    }
}

/// The parameters of `!quant.calibrated`: `expressed<min:max>`.
#[derive(Debug)]
pub(crate) struct Calibrated;

impl EntrySyntax for Calibrated {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let (&FieldValue::Type(expressed), &FieldValue::Float(min), &FieldValue::Float(max)) =
            (values.get(0), values.get(1), values.get(2))
        else {
            return Err(wrong());
        };
        printer.ty(expressed);
        printer.text(b"<");
        printer.float(min as u64);
        printer.text(b":");
        printer.float(max as u64);
        printer.text(b">");
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let place = parser.place();
        let expressed = parser.ty()?;
        if !matches!(parser.context().type_kind(expressed), TypeKind::Float(_)) {
            let error = AsmError::new(place, "invalid kind of type specified");
            return Err(error.consequence("expecting float expressed type"));
        }
        let mut bounds = || {
            parser.expect("<")?;
            let min = parser.float()?;
            parser.expect(":")?;
            let max = parser.float()?;
            parser.expect(">")?;
            Ok((min, max))
        };
        let bounds: AsmResult<_> = bounds();
        let (min, max) =
            bounds.map_err(|error| error.consequence("calibrated values must be present"))?;
        let numbers = (f64::from_bits(min), f64::from_bits(max));
        if numbers.1 <= numbers.0 {
            let message = format!(
                "illegal min and max: ({}:{})",
                scientific(numbers.0),
                scientific(numbers.1)
            );
            return Err(AsmError::new(place, message));
        }
        values.set(0, FieldValue::Type(expressed));
        values.set(1, FieldValue::Float(min.into()));
        values.set(2, FieldValue::Float(max.into()));
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

fn print_parameters(printer: &mut dyn EntryPrinter, scale: u64, zero_point: i64) {
    printer.float(scale);
    if zero_point != 0 {
        printer.text(b":");
        printer.integer(zero_point);
    }
}

impl EntrySyntax for Uniform {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        print_storage(printer, values)?;
        let &FieldValue::Type(expressed) = values.get(4) else {
            return Err(wrong());
        };
        printer.text(b":");
        printer.ty(expressed);
        if let (&FieldValue::Float(scale), &FieldValue::Signed(zero_point)) =
            (values.get(SCALE), values.get(ZERO_POINT))
        {
            printer.text(b", ");
            print_parameters(printer, scale as u64, zero_point);
            return Ok(());
        }
        if let &FieldValue::Unsigned(dimension) = values.get(DIMENSION) {
            printer.text(b":");
            printer.integer(dimension);
            printer.text(b", {");
            let (scales, zero_points) = (values.list(SCALES), values.list(ZERO_POINTS));
            if scales.len() != zero_points.len() {
                return Err(Invalid::new("illegal number of scales and zeroPoints"));
            }
            for (number, pair) in scales.iter().zip(zero_points).enumerate() {
                if number > 0 {
                    printer.text(b",");
                }
                if let (&FieldValue::Float(scale), &FieldValue::Signed(zero_point)) = pair {
                    print_parameters(printer, scale as u64, zero_point);
                }
            }
            printer.text(b"}");
            return Ok(());
        }
        let blocks = (values.list(DIMENSIONS), values.list(BLOCK_SIZES));
        let dense = (values.get(DENSE_SCALES), values.get(DENSE_ZERO_POINTS));
        let (&FieldValue::Attribute(scales), &FieldValue::Attribute(zero_points)) = dense else {
            return Err(wrong());
        };
        if blocks.0.len() != blocks.1.len() {
            return Err(wrong());
        }
        printer.text(b":{");
        printer.separated(blocks.0.iter().zip(blocks.1), |printer, pair| {
            if let (FieldValue::Signed(dimension), FieldValue::Signed(size)) = pair {
                printer.integer(dimension);
                printer.text(b":");
                printer.integer(size);
            }
        });
        printer.text(b"}, ");
        print_blocks(printer, scales, zero_points)
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        parse_storage(parser, &mut values)?;
        parser.expect(":")?;
        let expressed = parser.ty()?;
        values.set(4, FieldValue::Type(expressed));
        let range = scale_range(parser.context(), expressed);
        let parse_parameters =
            |parser: &mut (dyn EntryParser + '_)| parse_parameters(parser, range);
        if !parser.eat(":") {
            parser.expect(",")?;
            let (scale, zero_point) = parse_parameters(parser)?;
            values.set(SCALE, FieldValue::Float(scale.into()));
            values.set(ZERO_POINT, FieldValue::Signed(zero_point));
            return Ok(());
        }
        if !parser.eat("{") {
            let place = parser.place();
            let dimension = parser.integer()?;
            let dimension =
                u64::try_from(dimension).map_err(|_| illegal_dimension(place, dimension))?;
            values.set(DIMENSION, FieldValue::Unsigned(dimension));
            parser.expect(",")?;
            parser.expect("{")?;
            let pairs = parser.separated("}", parse_parameters)?;
            let scales = pairs.iter().map(|pair| FieldValue::Float(pair.0.into()));
            values.set_list(SCALES, scales);
            values.set_list(
                ZERO_POINTS,
                pairs.iter().map(|pair| FieldValue::Signed(pair.1)),
            );
            return Ok(());
        }
        let blocks = parser.separated("}", |parser| {
            let place = parser.place();
            let dimension = parser.integer()?;
            parser.expect(":")?;
            let size = parser.integer()?;
            if dimension < 0 {
                return Err(illegal_dimension(place, dimension));
            }
            if size <= 0 {
                return Err(AsmError::new(place, format!("illegal block size: {size}")));
            }
            Ok((dimension, size))
        })?;
        values.set_list(
            DIMENSIONS,
            blocks.iter().map(|block| FieldValue::Signed(block.0)),
        );
        values.set_list(
            BLOCK_SIZES,
            blocks.iter().map(|block| FieldValue::Signed(block.1)),
        );
        parser.expect(",")?;
        let storage = match values.get(1) {
            FieldValue::Type(storage) => *storage,
            _ => return parser.expected("storage type"),
        };
        let (scales, zero_points) = parse_blocks(parser, expressed, storage, range)?;
        values.set(DENSE_SCALES, FieldValue::Attribute(scales));
        values.set(DENSE_ZERO_POINTS, FieldValue::Attribute(zero_points));
        Ok(())
    }
}

fn illegal_dimension(place: Place, dimension: i64) -> AsmError {
    AsmError::new(place, format!("illegal quantized dimension: {dimension}"))
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

fn parse_parameters(
    parser: &mut (dyn EntryParser + '_),
    range: Option<(f64, f64)>,
) -> AsmResult<(u64, i64)> {
    let scale = parser.float()?;
    let value = f64::from_bits(scale);
    if let Some((least, greatest)) = range
        && (value < least || value > greatest)
    {
        let message = format!(
            "scale {} out of expressed type range [{}, {}]",
            scientific(value),
            scientific(least),
            scientific(greatest)
        );
        return Err(AsmError::new(parser.place(), message));
    }
    let zero_point = match parser.eat(":") {
        true => parser.integer()?,
        false => 0,
    };
    Ok((scale, zero_point))
}

/// Dense elements: the shape, whether all elements are equal, the data, and the layout of an
/// element.
struct Dense<'c> {
    shape: Vec<i64>,
    splat: bool,
    data: &'c [u8],
    layout: ElementLayout,
}

impl Dense<'_> {
    fn of(context: &Context, attribute: Attribute) -> Option<Dense<'_>> {
        let AttributeKind::DenseElements { ty, splat, data } = context.attribute_kind(attribute)
        else {
            return None;
        };
        Some(Dense {
            shape: context.shape(*ty)?.to_vec(),
            splat: *splat,
            data,
            layout: context.dense_layout(*ty).ok()?.0,
        })
    }

    /// Returns the value of element `number`.
    fn element(&self, number: usize) -> Option<ApInt> {
        let number = if self.splat { 0 } else { number };
        let size = self.layout.element_size();
        let start = number.checked_mul(size)?;
        let bytes = self.data.get(start..start.checked_add(size)?)?;
        Some(ApInt::from_le_bytes(self.layout.scalar.width(), bytes))
    }
}

/// Prints pairs of scale and zero point in nested braces, one level for each dimension. The output
/// is bounded by the data; for splats, by `MOST`.
fn print_blocks(
    printer: &mut dyn EntryPrinter,
    scales: Attribute,
    zero_points: Attribute,
) -> Result<(), Invalid> {
    /// The maximum number of elements of a splat.
    const MOST: usize = 1 << 16;
    let context = printer.context();
    let (Some(first), Some(second)) = (Dense::of(context, scales), Dense::of(context, zero_points))
    else {
        return Err(wrong());
    };
    let rmlir_ir::dense::ScalarKind::Float(kind) = first.layout.scalar else {
        return Err(wrong());
    };
    let sizes: Option<Vec<usize>> = first
        .shape
        .iter()
        .map(|&n| usize::try_from(n).ok())
        .collect();
    let count = sizes.as_ref().and_then(|sizes| {
        sizes
            .iter()
            .try_fold(1usize, |count, &n| count.checked_mul(n))
    });
    let (Some(sizes), Some(count)) = (sizes, count.filter(|&n| n <= MOST)) else {
        return Err(wrong());
    };
    if first.shape != second.shape {
        return Err(wrong());
    }
    let mut pairs = Vec::with_capacity(count);
    for number in 0..count {
        let (Some(scale), Some(zero_point)) = (first.element(number), second.element(number))
        else {
            return Err(wrong());
        };
        let bits = scale
            .words()
            .iter()
            .rev()
            .fold(0, |bits, &word| bits << 64 | u128::from(word));
        let zero_point = zero_point.to_i64().ok_or_else(wrong)?;
        pairs.push((to_f64(kind, bits).to_bits(), zero_point));
    }
    // The number of elements in a brace of each dimension.
    let mut strides = vec![1usize; sizes.len()];
    let mut below = 1usize;
    for (stride, &size) in strides.iter_mut().zip(&sizes).rev() {
        below = below.saturating_mul(size.max(1));
        *stride = below;
    }
    for (number, &(scale, zero_point)) in pairs.iter().enumerate() {
        let starting = strides
            .iter()
            .filter(|&&stride| number % stride == 0)
            .count();
        if number > 0 {
            for _ in 0..starting {
                printer.text(b"}");
            }
            printer.text(b", ");
        }
        for _ in 0..starting {
            printer.text(b"{");
        }
        print_parameters(printer, scale, zero_point);
    }
    for _ in &strides {
        printer.text(b"}");
    }
    Ok(())
}

/// Parses what [`print_blocks`] prints.
fn parse_blocks(
    parser: &mut dyn EntryParser,
    expressed: Type,
    storage: Type,
    range: Option<(f64, f64)>,
) -> AsmResult<(Attribute, Attribute)> {
    let place = parser.place();
    let malformed = || {
        let message = "tensor literal is invalid; ranks are not consistent between elements";
        AsmError::new(place, message)
    };
    let (mut pairs, mut shape, mut counts) = (Vec::new(), Vec::<i64>::new(), Vec::<i64>::new());
    let mut rank = None;
    parser.expect("{")?;
    counts.push(0);
    while let Some(count) = counts.last_mut() {
        *count = count.saturating_add(1);
        if parser.eat("{") {
            counts.push(0);
            continue;
        }
        if *rank.get_or_insert(counts.len()) != counts.len() {
            return Err(malformed());
        }
        pairs.push(parse_parameters(parser, range)?);
        while !parser.eat(",") {
            parser.expect("}")?;
            let depth = counts.len();
            let Some(count) = counts.pop() else {
                break;
            };
            shape.resize(shape.len().max(depth), -1);
            if let Some(size) = depth.checked_sub(1).and_then(|at| shape.get_mut(at)) {
                if *size >= 0 && *size != count {
                    return Err(malformed());
                }
                *size = count;
            }
            if counts.is_empty() {
                break;
            }
        }
    }
    let context = parser.context();
    let invalid = |invalid: Invalid| AsmError::new(place, invalid.message());
    let TypeKind::Float(kind) = *context.type_kind(expressed) else {
        return Err(malformed());
    };
    let width = match *context.type_kind(storage) {
        TypeKind::Integer { width, .. } => width,
        _ => return Err(malformed()),
    };
    let mut dense = |element, size: usize, values: Vec<ApInt>| {
        let ty = context.try_type(TypeKind::RankedTensor {
            shape: shape.clone().into(),
            element,
            encoding: None,
        });
        let splat = values.windows(2).all(|pair| pair.first() == pair.get(1));
        let mut data = Vec::new();
        let kept = if splat { 1 } else { values.len() };
        for value in values.iter().take(kept) {
            value.to_le_bytes(&mut data, size);
        }
        let ty = ty.map_err(invalid)?;
        let kind = AttributeKind::DenseElements {
            ty,
            splat: splat && values.len() > 1,
            data: data.into(),
        };
        context.try_attribute(kind).map_err(invalid)
    };
    let scales = pairs.iter().map(|pair| {
        let bits = from_f64(kind, f64::from_bits(pair.0));
        ApInt::from_words(kind.width(), &[bits as u64, (bits >> 64) as u64])
    });
    let scales = dense(
        expressed,
        FloatKind::width(kind).div_ceil(8) as usize,
        scales.collect(),
    )?;
    let zero_points = pairs.iter().map(|pair| ApInt::from_i64(width, pair.1));
    let zero_points = dense(storage, width.div_ceil(8) as usize, zero_points.collect())?;
    Ok((scales, zero_points))
}

/// Verifies a cast between quantized values and numbers.
#[derive(Debug)]
pub(crate) enum Cast {
    /// `quant.dcast`, `quant.qcast`: to or from floats.
    Expressed,
    /// `quant.scast`: to or from integers.
    Stored,
}

/// Returns the element type of a tensor, or the type itself.
fn scalar(context: &Context, ty: Type) -> Type {
    match *context.type_kind(ty) {
        TypeKind::RankedTensor { element, .. } | TypeKind::UnrankedTensor(element) => element,
        _ => ty,
    }
}

impl OperationVerifier for Cast {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let context = op.context;
        let (Some(input), Some(result)) = (op.operand_types().next(), op.result_types().next())
        else {
            return Ok(());
        };
        let types = [scalar(context, input), scalar(context, result)];
        let is_quantized = |ty| matches!(context.type_kind(ty), TypeKind::Dialect { .. });
        let (quantized, number) = match types.map(is_quantized) {
            [true, false] => (types[0], types[1]),
            [false, true] => (types[1], types[0]),
            _ => {
                return Err(VerifyFailure::op(
                    "failed to verify that input must be integer and result must be quantized, or vice versa",
                ));
            }
        };
        let (part, message) = match self {
            Cast::Expressed => (
                "expressed",
                "expressed type in quantized type expected to match float type",
            ),
            Cast::Stored => (
                "storage",
                "storage type in quantized type expected to match integer type",
            ),
        };
        let Some(part) = context.parameter(quantized, part) else {
            return Ok(());
        };
        if part.ty() != Some(number) {
            return Err(VerifyFailure::plain(message));
        }
        let parameter = |name| {
            let parameter = context.parameter(quantized, name);
            parameter.filter(|parameter| !parameter.is_absent())
        };
        if let (Some(dimension), Some(scales)) = (
            parameter("dimension").and_then(Parameter::integer),
            parameter("scales"),
        ) {
            return per_axis(context, input, dimension, scales.items().len());
        }
        match parameter("dense_scales").and_then(Parameter::attribute) {
            Some(scales) => {
                let integers = |name| {
                    let items = parameter(name).into_iter().flat_map(Parameter::items);
                    items.filter_map(Parameter::integer)
                };
                let blocks = integers("dimensions").zip(integers("block_sizes"));
                sub_channel(context, input, blocks, scales)
            }
            None => Ok(()),
        }
    }
}

/// Checks a type whose elements are quantized with a scale for each index of a dimension.
fn per_axis(context: &Context, container: Type, dimension: i64, scales: usize) -> VerifyResult {
    if container == scalar(context, container) {
        let message = "scalar types may not use per-axis quantization";
        return Err(VerifyFailure::plain(message));
    }
    let TypeKind::RankedTensor { shape, .. } = context.type_kind(container) else {
        return Ok(());
    };
    let size = usize::try_from(dimension).ok().and_then(|at| shape.get(at));
    let Some(&size) = size else {
        let message = "quantized dimension must be less than tensor rank";
        return Err(VerifyFailure::plain(message));
    };
    if size >= 0 && usize::try_from(size) != Ok(scales) {
        let message = "quantized dimension size does not match number of scales";
        return Err(VerifyFailure::plain(message));
    }
    Ok(())
}

/// Checks a type whose elements are quantized with a scale for each block.
fn sub_channel(
    context: &Context,
    container: Type,
    blocks: impl Iterator<Item = (i64, i64)>,
    scales: Attribute,
) -> VerifyResult {
    let shape = match context.type_kind(container) {
        TypeKind::RankedTensor { shape, .. } => shape,
        TypeKind::UnrankedTensor(_) => {
            return Err(VerifyFailure::plain(
                "tensor containing the sub-channel quantized type must be ranked",
            ));
        }
        _ => {
            return Err(VerifyFailure::plain(
                "scalar types may not use sub-channel quantization",
            ));
        }
    };
    // The number of scales in each dimension; `None` if it is dynamic.
    let mut counts = vec![Some(1); shape.len()];
    for (dimension, block) in blocks {
        let at = usize::try_from(dimension).ok();
        let size = at.and_then(|at| Some((*shape.get(at)?, counts.get_mut(at)?)));
        let Some((size, count)) = size else {
            return Err(VerifyFailure::plain(format!(
                "quantized dimension {dimension} must be less than tensor rank {}",
                shape.len()
            )));
        };
        *count = None;
        if size >= 0 {
            if size.checked_rem(block) != Some(0) {
                return Err(VerifyFailure::plain(format!(
                    "tensor dimension size {size} at axis {dimension} must be divisible by the \
                     corresponding block size {block}"
                )));
            }
            *count = size.checked_div(block);
        }
    }
    if shape.contains(&0) {
        return Err(VerifyFailure::plain(
            "tensor dimension size of zero is not allowed with sub-channel quantization",
        ));
    }
    let Some(scales) = context.shape(context.attribute_type(scales)) else {
        return Ok(());
    };
    if scales.len() != shape.len() {
        return Err(VerifyFailure::plain(format!(
            "Rank of scales {} must match the rank of the tensor {}",
            scales.len(),
            shape.len()
        )));
    }
    for (axis, (count, &scales)) in counts.into_iter().zip(scales).enumerate() {
        if let Some(count) = count
            && count != scales
        {
            return Err(VerifyFailure::plain(format!(
                "dimension size {count} of scales tensor at axis {axis} should match (tensor \
                 dimension at axis / block sizes at axis) = {count}"
            )));
        }
    }
    Ok(())
}
