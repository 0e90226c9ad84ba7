//! Scales and zero points of blocks of quantized types.

use super::Pair;
use crate::entry::EntryAsm;
use crate::two_way::{failure, invalid};
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{AsmError, AsmResult, Place};
use rmlir_ir::dense::ElementLayout;
use rmlir_ir::float::{from_f64, to_f64};
use rmlir_ir::{Attribute, AttributeKind, Context, Type, TypeKind};

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

/// Scales and zero points of blocks, in nested braces, one level for each dimension.
#[derive(Default)]
pub(crate) struct Blocks {
    /// The position of a text that is read.
    pub(super) place: Option<Place>,
    shape: Vec<i64>,
    pairs: Vec<Pair>,
}

impl Blocks {
    /// Returns the elements of two attributes. They are bounded by the data; for splats, by `MOST`.
    pub(super) fn of(context: &Context, scales: Attribute, zero_points: Attribute) -> Option<Self> {
        /// The maximum number of elements of a splat.
        const MOST: usize = 1 << 16;
        let (first, second) = (
            Dense::of(context, scales)?,
            Dense::of(context, zero_points)?,
        );
        let rmlir_ir::dense::ScalarKind::Float(kind) = first.layout.scalar else {
            return None;
        };
        let mut sizes = first.shape.iter();
        let count = sizes.try_fold(1usize, |count, &size| {
            count.checked_mul(usize::try_from(size).ok()?)
        });
        let count = count.filter(|&n| n <= MOST)?;
        // The text of no elements, or of one without braces, could not be read.
        if first.shape != second.shape || count == 0 || first.shape.is_empty() {
            return None;
        }
        let pair = |number| {
            let (scale, zero_point) = (first.element(number)?, second.element(number)?);
            let words = scale.words().iter().rev();
            let bits = words.fold(0, |bits, &word| bits << 64 | u128::from(word));
            Some(Pair {
                scale: to_f64(kind, bits).to_bits(),
                zero_point: zero_point.to_i64()?,
            })
        };
        Some(Blocks {
            place: None,
            pairs: (0..count).map(pair).collect::<Option<_>>()?,
            shape: first.shape,
        })
    }

    /// `{{0.5, 1.0:3}, {2.0, 4.0}}`.
    pub(super) fn text(
        &mut self,
        asm: &mut EntryAsm<'_>,
        range: Option<(f64, f64)>,
    ) -> AsmResult<()> {
        let mut braces = Braces::new(self.place, &self.shape);
        asm.token("{", "{")?;
        braces.counts.push(0);
        for number in 0.. {
            braces.open(asm)?;
            match self.pairs.get_mut(number) {
                Some(pair) => pair.text(asm, range)?,
                None => {
                    let mut pair = Pair::default();
                    pair.text(asm, range)?;
                    self.pairs.push(pair);
                }
            }
            if !braces.close(asm)? {
                break;
            }
        }
        self.shape = braces.shape;
        Ok(())
    }

    /// Returns the attributes of the scales and of the zero points that were read.
    pub(super) fn dense(
        &self,
        context: &mut Context,
        (expressed, width): (Option<Type>, u32),
    ) -> AsmResult<(Attribute, Attribute)> {
        let float = expressed.map(|expressed| context.type_kind(expressed));
        let (Some(&TypeKind::Float(kind)), Some(expressed)) = (float, expressed) else {
            return Err(malformed(self.place));
        };
        let storage = context.integer_type(width);
        let scales = self.pairs.iter().map(|pair| {
            let bits = from_f64(kind, f64::from_bits(pair.scale));
            ApInt::from_words(kind.width(), &[bits as u64, (bits >> 64) as u64])
        });
        let zero_points = self.pairs.iter();
        let zero_points = zero_points.map(|pair| ApInt::from_i64(width, pair.zero_point));
        let scales = self.elements(context, (expressed, kind.width()), scales.collect())?;
        let zero_points = self.elements(context, (storage, width), zero_points.collect())?;
        Ok((scales, zero_points))
    }

    fn elements(
        &self,
        context: &mut Context,
        (element, width): (Type, u32),
        values: Vec<ApInt>,
    ) -> AsmResult<Attribute> {
        let ty = context.try_type(TypeKind::RankedTensor {
            shape: self.shape.clone().into(),
            element,
            encoding: None,
        });
        let splat = values.windows(2).all(|pair| pair.first() == pair.get(1));
        let mut data = Vec::new();
        let kept = if splat { 1 } else { values.len() };
        for value in values.iter().take(kept) {
            value.to_le_bytes(&mut data, width.div_ceil(8) as usize);
        }
        let ty = ty.map_err(invalid(self.place))?;
        let kind = AttributeKind::DenseElements {
            ty,
            splat: splat && values.len() > 1,
            data: data.into(),
        };
        context.try_attribute(kind).map_err(invalid(self.place))
    }
}

fn malformed(place: Option<Place>) -> AsmError {
    let message = "tensor literal is invalid; ranks are not consistent between elements";
    failure(place, message)
}

/// The braces around elements.
struct Braces {
    place: Option<Place>,
    /// The sizes of dimensions; -1 if one is not known yet.
    shape: Vec<i64>,
    /// The number of elements in each open brace.
    counts: Vec<i64>,
    rank: Option<usize>,
}

impl Braces {
    /// Returns braces for elements of this shape, to be printed, or, if it is empty, read.
    fn new(place: Option<Place>, shape: &[i64]) -> Self {
        Braces {
            place,
            shape: shape.to_vec(),
            counts: Vec::new(),
            rank: (!shape.is_empty()).then_some(shape.len()),
        }
    }

    /// The braces before an element.
    fn open(&mut self, asm: &mut EntryAsm<'_>) -> AsmResult<()> {
        while let Some(count) = self.counts.last_mut() {
            *count = count.saturating_add(1);
            let mut opens = self.rank.is_some_and(|rank| self.counts.len() < rank);
            asm.optional("{", "{", &mut opens);
            if !opens {
                break;
            }
            self.counts.push(0);
        }
        match *self.rank.get_or_insert(self.counts.len()) == self.counts.len() {
            true => Ok(()),
            false => Err(malformed(self.place)),
        }
    }

    /// The braces after an element, and the comma after them. Returns whether another one follows.
    fn close(&mut self, asm: &mut EntryAsm<'_>) -> AsmResult<bool> {
        loop {
            let depth = self.counts.len();
            let size = depth.checked_sub(1).and_then(|at| self.shape.get(at));
            let mut follows = size != self.counts.last();
            asm.optional(",", ", ", &mut follows);
            if follows {
                return Ok(true);
            }
            asm.token("}", "}")?;
            let count = self.counts.pop().unwrap_or_default();
            self.shape.resize(self.shape.len().max(depth), -1);
            if let Some(size) = depth.checked_sub(1).and_then(|at| self.shape.get_mut(at)) {
                if *size >= 0 && *size != count {
                    return Err(malformed(self.place));
                }
                *size = count;
            }
            if self.counts.is_empty() {
                return Ok(false);
            }
        }
    }
}
