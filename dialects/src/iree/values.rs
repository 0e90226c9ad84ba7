//! Types with the sizes of their dynamic dimensions in braces, `tensor<?x4xf32>{%d}` or
//! `!stream.resource<*>{%size}`, and results that are tied to operands.

use crate::helpers::is_of;
use crate::two_way::{Asm, Named};
use rmlir_ir::asm::{AsmError, AsmResult, ParsedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, DYNAMIC, NamedAttribute, Type, TypeKind, Value};

/// Returns how many sizes follow a type in braces.
fn size_count(context: &Context, ty: Type) -> usize {
    match context.type_kind(ty) {
        TypeKind::RankedTensor { shape, .. } | TypeKind::MemRef { shape, .. } => {
            shape.iter().filter(|&&size| size == DYNAMIC).count()
        }
        _ => usize::from(is_sized(context, ty)),
    }
}

/// Returns whether values of a type have one size, in bytes.
pub(crate) fn is_sized(context: &Context, ty: Type) -> bool {
    is_of(context, ty, "stream", "resource") || is_of(context, ty, "util", "buffer")
}

/// A type with its sizes.
#[derive(Default)]
pub(crate) struct SizedType {
    pub(super) ty: Option<Type>,
    pub(super) sizes: Vec<Named>,
}

impl SizedType {
    /// Returns a type with the next sizes; `None` if there are too few.
    pub(super) fn next(
        context: &Context,
        ty: Type,
        sizes: &mut impl Iterator<Item = Value>,
    ) -> Option<Self> {
        let count = size_count(context, ty);
        let sizes = Named::all(sizes.take(count));
        (sizes.len() == count).then_some(SizedType {
            ty: Some(ty),
            sizes,
        })
    }

    /// Returns types with their sizes; `None` if these are not as many as the types have.
    pub(super) fn all(context: &Context, types: &[Type], sizes: &[Value]) -> Option<Vec<Self>> {
        let mut sizes = sizes.iter().copied();
        let all = types.iter().map(|&ty| Self::next(context, ty, &mut sizes));
        let all = all.collect::<Option<Vec<Self>>>()?;
        sizes.next().is_none().then_some(all)
    }

    /// Returns the types that were read.
    pub(super) fn types<'a>(all: impl IntoIterator<Item = &'a Self>) -> Vec<Type> {
        all.into_iter().filter_map(|one| one.ty).collect()
    }

    /// Returns the argument for the sizes that were read.
    pub(super) fn sizes<'a>(all: impl IntoIterator<Item = &'a Self>) -> ParsedArgument {
        let sizes = all.into_iter().flat_map(|one| &one.sizes);
        ParsedArgument::Operands(sizes.filter_map(|size| size.name).collect())
    }

    /// Sets the arguments of types and their sizes.
    pub(super) fn set(all: &[Self], types: &mut ParsedArgument, sizes: &mut ParsedArgument) {
        *types = ParsedArgument::Types(Self::types(all));
        *sizes = Self::sizes(all);
    }
}

/// A result that can be tied to an operand: `type`, `%operand`, `%operand as type`.
#[derive(Default)]
pub(crate) struct TiedType {
    /// The index of the operand, or -1.
    pub(super) to: i64,
    /// Whether the text has the type. Without it, it is that of the operand.
    has_type: bool,
    pub(super) sized: SizedType,
    /// The attributes of the result of a function.
    pub(super) attributes: Vec<NamedAttribute>,
}

impl TiedType {
    /// Returns a type that is not tied to an operand.
    pub(super) fn untied(sized: SizedType) -> Self {
        TiedType {
            to: -1,
            sized,
            ..TiedType::default()
        }
    }

    /// Returns results, without sizes, and what an attribute ties them to: nothing if it is absent.
    /// `inputs` are the types of the operands. `None` if the attribute is not of this sort.
    pub(super) fn all(
        context: &Context,
        inputs: &[Type],
        results: &[Type],
        tied: Option<Attribute>,
    ) -> Option<Vec<Self>> {
        let tied = match tied {
            None => vec![-1; results.len()],
            Some(_) => integers(context, tied).filter(|tied| tied.len() == results.len())?,
        };
        let all = results.iter().zip(tied).map(|(&ty, to)| {
            let input = usize::try_from(to).ok().and_then(|to| inputs.get(to));
            (to == -1 || input.is_some()).then(|| TiedType {
                to,
                has_type: input != Some(&ty),
                sized: SizedType {
                    ty: Some(ty),
                    sizes: Vec::new(),
                },
                attributes: Vec::new(),
            })
        });
        all.collect()
    }

    /// As [`all`](Self::all), with sizes, and with the operands. `None` if the sizes are not as
    /// many as the types have, or a result is tied to an operand that was given before.
    pub(super) fn all_sized(
        context: &Context,
        (operands, inputs): (&[Value], &[Type]),
        (results, sizes): (&[Type], &[Value]),
        tied: Option<Attribute>,
    ) -> Option<Vec<Self>> {
        let mut all = Self::all(context, inputs, results, tied)?;
        let sized = SizedType::all(context, results, sizes)?;
        for (one, sized) in all.iter_mut().zip(sized) {
            one.sized = sized;
        }
        Self::are_first(&all, operands).then_some(all)
    }

    /// Returns whether the operand of each result is the first one of that value, which is found
    /// when the text is read.
    pub(super) fn are_first(all: &[Self], operands: &[Value]) -> bool {
        all.iter().all(|one| {
            let to = usize::try_from(one.to).ok();
            let operand = to.and_then(|to| operands.get(to));
            operand.is_none_or(|operand| operands.iter().position(|other| other == operand) == to)
        })
    }

    /// Returns the types that were read.
    pub(super) fn types(all: &[Self]) -> Vec<Type> {
        SizedType::types(all.iter().map(|one| &one.sized))
    }

    /// Returns the attribute with the operands that results are tied to; `None` without results.
    pub(super) fn attribute(context: &mut Context, all: &[Self]) -> Option<Attribute> {
        let tied: Vec<i64> = all.iter().map(|one| one.to).collect();
        match tied.is_empty() {
            true => None,
            false => index_array(context, &tied),
        }
    }
}

impl Asm<'_, '_> {
    /// `{%a, %b}` after a type that has sizes.
    pub(super) fn sizes_of_type(&mut self, sized: &mut SizedType) -> AsmResult<()> {
        if let (Asm::Parser(parser), Some(ty)) = (&mut *self, sized.ty) {
            sized.sizes = vec![Named::default(); size_count(parser.context(), ty)];
        }
        for (number, size) in sized.sizes.iter_mut().enumerate() {
            match number {
                0 => self.token("{", "{")?,
                _ => self.token(",", ", ")?,
            }
            self.value(size)?;
        }
        match sized.sizes.is_empty() {
            true => Ok(()),
            false => self.token("}", "}"),
        }
    }

    /// `type{%a, %b}`.
    pub(super) fn sized_type(&mut self, sized: &mut SizedType) -> AsmResult<()> {
        self.ty(&mut sized.ty)?;
        self.sizes_of_type(sized)
    }

    /// `%name`: an argument of a function, which is printed by its number if it has no value.
    pub(super) fn function_argument(&mut self, name: &mut Named, number: usize) -> AsmResult<()> {
        match self {
            Asm::Printer(printer) if name.value.is_none() => {
                printer.text(&format!("%arg{number}"));
                Ok(())
            }
            _ => self.value(name),
        }
    }

    /// `%operand`: one of several operands with their types, by its index.
    fn one_of(&mut self, (operands, types): (&[Named], &[Type]), index: &mut i64) -> AsmResult<()> {
        let number = usize::try_from(*index).unwrap_or_default();
        let mut name = operands.get(number).copied().unwrap_or_default();
        self.function_argument(&mut name, number)?;
        if let (Asm::Parser(parser), Some(name)) = (self, name.name) {
            let is_same = |(other, _): (&Named, &Type)| {
                other.name.is_some_and(|other| {
                    other.number == name.number
                        && parser.operand_text(other) == parser.operand_text(name)
                })
            };
            let found = operands.iter().zip(types).position(is_same);
            let Some(found) = found.and_then(|found| i64::try_from(found).ok()) else {
                let text = String::from_utf8_lossy(parser.operand_text(name));
                let message = format!("tied operand not found for result reference {text}");
                return Err(AsmError::new(name.place, message));
            };
            *index = found;
        }
        Ok(())
    }

    /// `type`, `%operand`, `%operand as type`, without sizes. `operands` are those that the result
    /// can be tied to, with their types.
    pub(super) fn tied_type(
        &mut self,
        (operands, types): (&[Named], &[Type]),
        result: &mut TiedType,
    ) -> AsmResult<()> {
        if !self.is_value_there(result.to >= 0) {
            result.to = -1;
            return self.ty(&mut result.sized.ty);
        }
        self.one_of((operands, types), &mut result.to)?;
        self.optional("as", " as ", &mut result.has_type);
        if result.has_type {
            return self.ty(&mut result.sized.ty);
        }
        let to = usize::try_from(result.to).ok();
        result.sized.ty = to.and_then(|to| types.get(to).copied());
        Ok(())
    }

    /// `type{%size}`, or `(type{%size}, %operand, %operand as type{%size})`; without sizes unless
    /// `sized`.
    pub(super) fn tied_types(
        &mut self,
        operands: (&[Named], &[Type]),
        sized: bool,
        results: &mut Vec<TiedType>,
    ) -> AsmResult<()> {
        let each = |asm: &mut Self, result: &mut TiedType| {
            asm.tied_type(operands, result)?;
            match sized {
                true => asm.sizes_of_type(&mut result.sized),
                false => Ok(()),
            }
        };
        match self.is_there("(", results.len() != 1) {
            true => self.list(("(", ")"), results, each),
            false => self.items(results, each),
        }
    }

    /// `type`, or `(type {...}, %argument {...}, %argument as type {...})`: results of a function
    /// with these arguments.
    pub(super) fn function_results(
        &mut self,
        arguments: (&[Named], &[Type]),
        results: &mut Vec<TiedType>,
    ) -> AsmResult<()> {
        let has_attributes = results.iter().any(|result| !result.attributes.is_empty());
        if !self.is_there("(", results.len() != 1 || has_attributes) {
            return self.items(results, |asm, result| asm.tied_type(arguments, result));
        }
        self.list(("(", ")"), results, |asm, result| {
            asm.tied_type(arguments, result)?;
            asm.dictionary(&mut result.attributes)
        })
    }
}

/// Returns an array of integers of type `index`.
pub(crate) fn index_array(context: &mut Context, values: &[i64]) -> Option<Attribute> {
    let index = context.index_type();
    let items: Result<Vec<Attribute>, _> = values
        .iter()
        .map(|&value| context.integer_attribute(index, value))
        .collect();
    Some(context.array_attribute(&items.ok()?))
}

/// Returns the values of an array of integers.
pub(crate) fn integers(context: &Context, attribute: Option<Attribute>) -> Option<Vec<i64>> {
    match context.attribute_kind(attribute?) {
        AttributeKind::Array(items) => items
            .iter()
            .map(|&item| crate::helpers::integer(context, Some(item)))
            .collect(),
        _ => None,
    }
}
