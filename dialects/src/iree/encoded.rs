//! The directive for the types of a dispatch whose operands and results have encodings.

use super::values::{SizedType, TiedType};
use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::helpers::{dialect_type, is_dialect_type};
use crate::two_way::{Asm, Named, invalid, items};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Type};

/// The directive `(type, encoding{%dim} in type{%size}) -> (encoding{%dim} in %operand, type)`. Its
/// arguments are the operands (as a reference), their types, sizes, encodings and the dimensions of
/// these; the same four of the results, and what these are tied to. The encoding of a value without
/// one is `!util.unused`.
#[derive(Debug)]
pub(crate) struct EncodedType;

/// `encoding{%dim} in type{%size}`, or `type{%size}`; of a result, the type can be that of a
/// `%operand`.
#[derive(Default)]
pub(crate) struct Encoded {
    is_encoded: bool,
    encoding: SizedType,
    tied: TiedType,
}

/// The parsed parts of [`EncodedType`].
#[derive(Default)]
pub(crate) struct Content {
    operands: Vec<Named>,
    place: Option<usize>,
    inputs: Vec<Encoded>,
    results: Vec<Encoded>,
}

const UNUSED: &str = "unused";

impl Encoded {
    /// Returns types with sizes and encodings; `None` if they are not as many.
    fn all(
        context: &Context,
        tied: Vec<TiedType>,
        encodings: Option<Attribute>,
        dimensions: &[rmlir_ir::Value],
    ) -> Option<Vec<Self>> {
        let encodings = items(context, encodings)?;
        (encodings.len() == tied.len()).then_some(())?;
        let mut dimensions = dimensions.iter().copied();
        let mut all = Vec::new();
        for (tied, &encoding) in tied.into_iter().zip(encodings) {
            let AttributeKind::Type(encoding) = *context.attribute_kind(encoding) else {
                return None;
            };
            let is_encoded = !is_dialect_type(context, encoding, "util", UNUSED);
            // A result that is tied to an operand is read only after an encoding.
            (is_encoded || tied.to < 0).then_some(())?;
            all.push(Encoded {
                is_encoded,
                encoding: match is_encoded {
                    true => SizedType::next(context, encoding, &mut dimensions)?,
                    false => SizedType::default(),
                },
                tied,
            });
        }
        dimensions.next().is_none().then_some(all)
    }

    /// The text; `operands` are those that it can be tied to, with their types.
    fn text(
        &mut self,
        asm: &mut Asm<'_, '_>,
        operands: Option<(&[Named], &[Type])>,
    ) -> AsmResult<()> {
        let first = match self.is_encoded {
            true => &mut self.encoding,
            false => &mut self.tied.sized,
        };
        asm.sized_type(first)?;
        asm.optional("in", " in ", &mut self.is_encoded);
        if !self.is_encoded {
            self.tied.to = -1;
            return Ok(());
        }
        if asm.place().is_some() {
            self.encoding = std::mem::take(&mut self.tied.sized);
        }
        match operands {
            Some(operands) => asm.tied_type(operands, &mut self.tied)?,
            None => asm.ty(&mut self.tied.sized.ty)?,
        }
        asm.sizes_of_type(&mut self.tied.sized)
    }

    /// Sets the arguments of types, sizes, encodings and dimensions.
    fn set(
        parser: &mut dyn AsmParser,
        all: &[Self],
        place: Option<usize>,
        [types, sizes, encodings, dimensions]: [&mut ParsedArgument; 4],
    ) -> AsmResult<()> {
        let sized = all.iter().map(|one| &one.tied.sized);
        *types = ParsedArgument::Types(SizedType::types(sized.clone()));
        *sizes = SizedType::sizes(sized);
        *dimensions = SizedType::sizes(all.iter().map(|one| &one.encoding));
        let context = parser.context();
        let unused = dialect_type(context, "util", UNUSED).map_err(invalid(place))?;
        let of = all.iter().map(|one| one.encoding.ty.unwrap_or(unused));
        let of: Vec<Attribute> = of.map(|ty| context.type_attribute(ty)).collect();
        *encodings = ParsedArgument::Attribute(Some(context.array_attribute(&of)));
        Ok(())
    }
}

impl TwoWayDirective for EncodedType {
    type Content = Content;

    fn content(&self, printed: &Printed<'_>) -> Option<Content> {
        let [
            operands,
            types,
            sizes,
            encodings,
            dimensions,
            results,
            result_sizes,
            result_encodings,
            result_dimensions,
            tied,
        ] = printed.arguments
        else {
            return None;
        };
        let (context, operands, types) = (printed.context, operands.operands(), types.types());
        let inputs = SizedType::all(context, types, sizes.operands())?;
        let inputs = inputs.into_iter().map(TiedType::untied).collect();
        let results = (results.types(), result_sizes.operands());
        let results = TiedType::all_sized(context, (operands, types), results, tied.attribute())?;
        let (of_inputs, of_results) = (dimensions.operands(), result_dimensions.operands());
        Some(Content {
            operands: Named::all(operands.iter().copied()),
            place: None,
            inputs: Encoded::all(context, inputs, encodings.attribute(), of_inputs)?,
            results: Encoded::all(context, results, result_encodings.attribute(), of_results)?,
        })
    }

    fn given(&self, arguments: &[ParsedArgument]) -> Content {
        let mut content = Content::default();
        if let [ParsedArgument::Operands(operands), ..] = arguments {
            content.operands = Named::read(operands);
        }
        content
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<bool> {
        content.place = asm.place();
        asm.list(("(", ")"), &mut content.inputs, |asm, one| {
            one.text(asm, None)
        })?;
        asm.token("->", " -> ")?;
        let types = SizedType::types(content.inputs.iter().map(|one| &one.tied.sized));
        let operands = Some((&content.operands[..], &types[..]));
        asm.one_or_list(("(", ")"), &mut content.results, |asm, one| {
            one.text(asm, operands)
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [_, a, b, c, d, e, f, g, h, of_tied] = arguments else {
            return Err(other_arguments(parser));
        };
        Encoded::set(parser, &content.inputs, content.place, [a, b, c, d])?;
        Encoded::set(parser, &content.results, content.place, [e, f, g, h])?;
        let results: Vec<TiedType> = content.results.into_iter().map(|one| one.tied).collect();
        let tied = TiedType::attribute(parser.context(), &results);
        *of_tied = ParsedArgument::Attribute(tied);
        Ok(())
    }
}
