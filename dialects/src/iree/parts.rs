//! Directives for parts of operations of IREE's dialects that are neither lists of rows nor
//! regions.

use super::function::dictionaries_of;
use super::values::TiedType;
use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::index_list::Index;
use crate::two_way::{Asm, Named, items};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, DYNAMIC, NamedAttribute, Type};

/// The directive for the types of indices, `[type, type]`, which are not printed if all are
/// `index`. Its arguments are the indices, as a reference, and the types.
#[derive(Debug)]
pub(crate) struct IndexTypes;

impl TwoWayDirective for IndexTypes {
    type Content = Option<Vec<Type>>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let types = printed.arguments.last()?.types();
        let index = printed.context.index_type();
        let is_there = types.iter().any(|&ty| ty != index);
        Some(is_there.then(|| types.to_vec()))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if !asm.is_there("[", content.is_some()) {
            return Ok(false);
        }
        asm.types_between((" [", "]"), content.get_or_insert_default())?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [ParsedArgument::Operands(indices), types] = arguments else {
            return Err(other_arguments(parser));
        };
        let index = parser.context().index_type();
        *types = ParsedArgument::Types(content.unwrap_or_else(|| vec![index; indices.len()]));
        Ok(())
    }
}

/// The directive for lists of numbers and operands: `[[%a, 2], [3]]`. Its arguments are the
/// operands and an array of dense arrays.
#[derive(Debug)]
pub(crate) struct IndexLists;

const BRACKETS: (&str, &str) = ("[", "]");

impl TwoWayDirective for IndexLists {
    type Content = Vec<Vec<Index>>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [operands, all] = printed.arguments else {
            return None;
        };
        let mut rest = operands.operands();
        let mut lists = Vec::new();
        for list in items(printed.context, all.attribute())? {
            let numbers = crate::helpers::numbers(printed.context, Some(*list))?;
            let dynamic = numbers.iter().filter(|&&number| number == DYNAMIC);
            let (own, others) = rest.split_at_checked(dynamic.count())?;
            lists.push(Index::all(own, &numbers)?);
            rest = others;
        }
        rest.is_empty().then_some(lists)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.list(BRACKETS, content, |asm, list| {
            asm.index_list(BRACKETS, list, false)
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [operands, lists] = arguments else {
            return Err(other_arguments(parser));
        };
        let context = parser.context();
        let all = content.iter().map(|list| Index::array(context, list));
        let all: Vec<Attribute> = all.collect();
        let values = content.iter().flat_map(|list| Index::values(list));
        *operands = ParsedArgument::Operands(values.filter_map(|value| value.name).collect());
        *lists = ParsedArgument::Attribute(Some(context.array_attribute(&all)));
        Ok(())
    }
}

/// The directive for a dictionary on a line of its own: `knobs = {...}`.
#[derive(Debug)]
pub(crate) struct Knobs;

impl TwoWayDirective for Knobs {
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let value = printed.arguments.first()?.attribute()?;
        let kind = printed.context.attribute_kind(value);
        matches!(kind, AttributeKind::Dictionary(_)).then_some(Some(value))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.newline();
        asm.token("knobs", " knobs")?;
        asm.token("=", " = ")?;
        asm.attribute_of(None, content)?;
        asm.newline();
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [value] = arguments else {
            return Err(other_arguments(parser));
        };
        *value = ParsedArgument::Attribute(content);
        Ok(())
    }
}

/// The directive for the parameter of a collective operation: `source(%rank)`. Its arguments are
/// the operation's kind, as a reference, and the operand.
#[derive(Debug)]
pub(crate) struct CollectiveParameter;

/// The kinds of collective operations that have a parameter, and its keyword.
const PARAMETERS: [(&str, &str); 5] = [
    ("broadcast", "source"),
    ("reduce", "target"),
    ("send", "target"),
    ("recv", "source"),
    ("send_recv", "source_target_pair"),
];

/// Returns the keyword of the parameter of a collective operation.
fn parameter(context: &Context, kind: Option<Attribute>) -> Option<&'static str> {
    let members = crate::helpers::dialect_members(context, "stream", kind, "collective")?;
    let kind = members.split([' ', ':']).next()?;
    PARAMETERS.iter().find(|one| one.0 == kind).map(|one| one.1)
}

impl TwoWayDirective for CollectiveParameter {
    type Content = (Option<Attribute>, Vec<Named>);

    fn given(&self, arguments: &[ParsedArgument]) -> Self::Content {
        match arguments {
            [ParsedArgument::Attribute(kind), _] => (*kind, Vec::new()),
            _ => Self::Content::default(),
        }
    }

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [kind, operand] = printed.arguments else {
            return None;
        };
        let kind = kind.attribute();
        let operands = Named::all(operand.operands().iter().copied());
        let is_there = parameter(printed.context, kind).is_some();
        (operands.len() == usize::from(is_there)).then_some((kind, operands))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (kind, operands): &mut Self::Content) -> AsmResult<bool> {
        let Some(keyword) = parameter(asm.context(), *kind) else {
            return Ok(false);
        };
        asm.token(keyword, keyword)?;
        asm.values_between(("(", ") "), operands)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (_, operands): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [_, of_operand] = arguments else {
            return Err(other_arguments(parser));
        };
        *of_operand = ParsedArgument::Operands(Named::names(&operands));
        Ok(())
    }
}

/// The directive for an array of types: `(i32, i64)`.
#[derive(Debug)]
pub(crate) struct TypeList;

impl TwoWayDirective for TypeList {
    type Content = Vec<Type>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let list = printed.arguments.first()?.attribute();
        let ty = |&item: &Attribute| match printed.context.attribute_kind(item) {
            AttributeKind::Type(ty) => Some(*ty),
            _ => None,
        };
        items(printed.context, list)?.iter().map(ty).collect()
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.types_between(("(", ")"), content)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [list] = arguments else {
            return Err(other_arguments(parser));
        };
        let context = parser.context();
        let types = content.into_iter().map(|ty| context.type_attribute(ty));
        let types: Vec<Attribute> = types.collect();
        *list = ParsedArgument::Attribute(Some(context.array_attribute(&types)));
        Ok(())
    }
}

/// The directive for the signature of a function whose arguments have no block: `(%arg0: type) ->
/// (%arg0 as type, type)`. Its arguments are the function type, the operands that results are tied
/// to unless `ranges`, and the attributes of arguments and results.
#[derive(Debug)]
pub(crate) struct TextSignature {
    /// Whether resources have a range, `%arg0[%arg1 for %arg2]: type`, whose offset and length are
    /// the next two arguments.
    pub(crate) ranges: bool,
}

/// The parsed parts of [`TextSignature`].
#[derive(Default)]
pub(crate) struct Signature {
    arguments: Vec<Argument>,
    results: Vec<TiedType>,
}

/// An argument of a function without a block.
#[derive(Default)]
struct Argument {
    number: usize,
    name: Named,
    has_range: bool,
    ty: Option<Type>,
    attributes: Vec<NamedAttribute>,
}

impl Argument {
    fn text(&mut self, asm: &mut Asm<'_, '_>, ranges: bool) -> AsmResult<()> {
        let mut name = Named::default();
        asm.function_argument(&mut self.name, self.number)?;
        if ranges {
            asm.optional("[", "[", &mut self.has_range);
        }
        if self.has_range {
            asm.function_argument(&mut name, self.number + 1)?;
            asm.token("for", " for ")?;
            asm.function_argument(&mut name, self.number + 2)?;
            asm.token("]", "]")?;
        }
        asm.token(":", ": ")?;
        asm.ty(&mut self.ty)?;
        asm.dictionary(&mut self.attributes)
    }

    /// Returns the number of arguments that the text declares.
    fn count(&self) -> usize {
        if self.has_range { 3 } else { 1 }
    }
}

/// Returns an array of dictionaries.
fn dictionaries<'a>(
    parser: &mut dyn AsmParser,
    lists: impl Iterator<Item = &'a [NamedAttribute]>,
) -> AsmResult<Attribute> {
    let place = parser.place();
    let context = parser.context();
    let lists = lists.map(|list| context.dictionary_attribute(list));
    let lists: Result<Vec<Attribute>, _> = lists.collect();
    let lists = lists.map_err(|error| AsmError::new(place, error.message()))?;
    Ok(context.array_attribute(&lists))
}

impl TwoWayDirective for TextSignature {
    type Content = Signature;

    fn content(&self, printed: &Printed<'_>) -> Option<Signature> {
        let (function, tied, of_arguments, of_results) = match printed.arguments {
            [function, of_arguments, of_results] if self.ranges => {
                (function, None, of_arguments, of_results)
            }
            [function, tied, of_arguments, of_results] => {
                (function, tied.attribute(), of_arguments, of_results)
            }
            _ => return None,
        };
        let context = printed.context;
        let (inputs, outputs) = crate::function::types_of(context, function.attribute())?;
        let mut results = TiedType::all(context, inputs, outputs, tied)?;
        let of_arguments = dictionaries_of(context, of_arguments.attribute(), inputs.len())?;
        let of_results = dictionaries_of(context, of_results.attribute(), outputs.len())?;
        for (result, attributes) in results.iter_mut().zip(of_results) {
            result.attributes = attributes.to_vec();
        }
        let index = context.index_type();
        let mut arguments = Vec::new();
        let mut number = 0;
        while let Some(&ty) = inputs.get(number) {
            let has_range = self.ranges && crate::helpers::is_of(context, ty, "stream", "resource");
            let argument = Argument {
                number,
                name: Named::default(),
                has_range,
                ty: Some(ty),
                attributes: of_arguments
                    .get(number)
                    .map_or_else(Vec::new, |a| a.to_vec()),
            };
            if has_range && inputs.get(number + 1..number + 3) != Some(&[index, index][..]) {
                return None;
            }
            number += argument.count();
            arguments.push(argument);
        }
        Some(Signature { arguments, results })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Signature) -> AsmResult<bool> {
        asm.list(("(", ")"), &mut content.arguments, |asm, argument| {
            argument.text(asm, self.ranges)
        })?;
        if asm.is_there("->", !content.results.is_empty()) {
            asm.token("->", " -> ")?;
            // The arguments of a range have no names of their own.
            let declared = content.arguments.iter().flat_map(|argument| {
                let one = argument.ty.map(|ty| (argument.name, ty));
                std::iter::repeat_n(one, argument.count()).flatten()
            });
            let (names, types): (Vec<Named>, Vec<Type>) = declared.unzip();
            asm.function_results((&names, &types), &mut content.results)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Signature,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let index = parser.context().index_type();
        let (mut types, mut lists) = (Vec::new(), Vec::new());
        for argument in &content.arguments {
            let range = argument.count() - 1;
            types.extend(argument.ty);
            types.extend(vec![index; range]);
            lists.push(&*argument.attributes);
            lists.extend(vec![&[][..]; range]);
        }
        let of_results = content.results.iter().map(|result| &*result.attributes);
        let of_results = dictionaries(parser, of_results)?;
        let of_arguments = dictionaries(parser, lists.into_iter())?;
        let context = parser.context();
        let function = context.function_type(&types, &TiedType::types(&content.results));
        let function = context.type_attribute(function);
        let mut found = vec![Some(function), Some(of_arguments), Some(of_results)];
        if !self.ranges {
            found.insert(1, TiedType::attribute(context, &content.results));
        }
        for (argument, value) in arguments.iter_mut().zip(found) {
            *argument = ParsedArgument::Attribute(value);
        }
        Ok(())
    }
}
