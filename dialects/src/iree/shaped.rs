//! Directives for the types of operands and results with their sizes, for results that are tied to
//! operands, and for regions with such signatures.

use super::values::{SizedType, TiedType, index_array, integers};
use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::two_way::{Argument, Asm, Named};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument, RegionArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Type, Value};

/// The operands of an operation, their types with sizes, and the results.
#[derive(Default)]
pub(crate) struct Shaped {
    pub(super) operands: Vec<Named>,
    pub(super) inputs: Vec<SizedType>,
    pub(super) results: Vec<TiedType>,
}

impl Shaped {
    /// Returns operands with their types and sizes, and the types and sizes of results; `None` if
    /// the text would lose something.
    pub(super) fn of(
        context: &Context,
        (operands, types, sizes): (&[Value], &[Type], &[Value]),
        results: (&[Type], &[Value]),
        tied: Option<Attribute>,
    ) -> Option<Self> {
        Some(Shaped {
            operands: Named::all(operands.iter().copied()),
            inputs: SizedType::all(context, types, sizes)?,
            results: TiedType::all_sized(context, (operands, types), results, tied)?,
        })
    }
}

/// The directive for a function type with sizes: `(type{%a}, type) -> (type{%b}, %operand)`. Its
/// arguments are the operands (as a reference), their types and sizes, the types and sizes of
/// results, and what these are tied to.
#[derive(Debug)]
pub(crate) struct FunctionType;

impl TwoWayDirective for FunctionType {
    type Content = Shaped;

    fn content(&self, printed: &Printed<'_>) -> Option<Shaped> {
        let [operands, types, sizes, results, result_sizes, tied] = printed.arguments else {
            return None;
        };
        let operands = (operands.operands(), types.types(), sizes.operands());
        let results = (results.types(), result_sizes.operands());
        Shaped::of(printed.context, operands, results, tied.attribute())
    }

    fn given(&self, arguments: &[ParsedArgument]) -> Shaped {
        let mut content = Shaped::default();
        if let [ParsedArgument::Operands(operands), ..] = arguments {
            content.operands = Named::read(operands);
        }
        content
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Shaped) -> AsmResult<bool> {
        asm.list(("(", ")"), &mut content.inputs, |asm, input| {
            asm.sized_type(input)
        })?;
        asm.token("->", " -> ")?;
        let types = SizedType::types(&content.inputs);
        asm.tied_types((&content.operands, &types), true, &mut content.results)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Shaped,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [_, types, sizes, results, result_sizes, tied] = arguments else {
            return Err(other_arguments(parser));
        };
        SizedType::set(&content.inputs, types, sizes);
        set_results(parser, &content.results, [results, result_sizes, tied]);
        Ok(())
    }
}

/// Sets the arguments for the types of results, their sizes, and what they are tied to.
fn set_results(
    parser: &mut dyn AsmParser,
    all: &[TiedType],
    [types, sizes, tied]: [&mut ParsedArgument; 3],
) {
    *types = ParsedArgument::Types(TiedType::types(all));
    *sizes = SizedType::sizes(all.iter().map(|one| &one.sized));
    *tied = ParsedArgument::Attribute(TiedType::attribute(parser.context(), all));
}

/// The directive for the results of a call: `type`, or `(type, %operand as type)`. Its arguments
/// are the operands and their types (as references), the types of results, and what these are tied
/// to.
#[derive(Debug)]
pub(crate) struct TiedResults;

impl TwoWayDirective for TiedResults {
    type Content = (Vec<Named>, Vec<Type>, Vec<TiedType>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [operands, types, results, tied] = printed.arguments else {
            return None;
        };
        let (operands, types) = (operands.operands(), types.types());
        let results = TiedType::all(printed.context, types, results.types(), tied.attribute())?;
        let named = Named::all(operands.iter().copied());
        TiedType::are_first(&results, operands).then(|| (named, types.to_vec(), results))
    }

    fn given(&self, arguments: &[ParsedArgument]) -> Self::Content {
        match arguments {
            [
                ParsedArgument::Operands(operands),
                ParsedArgument::Types(types),
                ..,
            ] => (Named::read(operands), types.clone(), Vec::new()),
            _ => Self::Content::default(),
        }
    }

    fn text(
        &self,
        asm: &mut Asm<'_, '_>,
        (operands, types, results): &mut Self::Content,
    ) -> AsmResult<bool> {
        asm.tied_types((operands, types), false, results)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (_, _, all): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [_, _, results, tied] = arguments else {
            return Err(other_arguments(parser));
        };
        *results = ParsedArgument::Types(TiedType::types(&all));
        *tied = ParsedArgument::Attribute(TiedType::attribute(parser.context(), &all));
        Ok(())
    }
}

/// The directive for a result with sizes that can be tied to the first operand: `type{%a}`,
/// `%operand as type{%a}`. Its arguments are the type, the sizes, and what it is tied to, if the
/// operation stores it. As upstream, it is always printed as tied.
#[derive(Debug)]
pub(crate) struct TiedResult;

impl TwoWayDirective for TiedResult {
    type Content = (Option<Named>, SizedType);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [ty, sizes, rest @ ..] = printed.arguments else {
            return None;
        };
        // The text is read as tied to the first operand.
        let operand = printed.module.operands(printed.operation).next()?;
        let tied = rest.first();
        let tied = tied.map(|tied| integers(printed.context, tied.attribute()));
        let is_tied = tied.is_none_or(|tied| tied.is_some_and(|tied| *tied == [0]));
        let sized = SizedType::all(printed.context, ty.types(), sizes.operands())?;
        let sized = sized.into_iter().next()?;
        is_tied.then(|| (Some(Named::of(operand)), sized))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (tied, sized): &mut Self::Content) -> AsmResult<bool> {
        if asm.is_value_there(tied.is_some()) {
            asm.value(tied.get_or_insert_default())?;
            asm.token("as", " as ")?;
        }
        asm.sized_type(sized)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (tied, sized): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [ty, sizes, rest @ ..] = arguments else {
            return Err(other_arguments(parser));
        };
        SizedType::set(&[sized], ty, sizes);
        if let [of_tied] = rest {
            let tied = [if tied.is_some() { 0 } else { -1 }];
            *of_tied = ParsedArgument::Attribute(index_array(parser.context(), &tied));
        }
        Ok(())
    }
}

/// The directive for types with sizes that several groups share: the types of both groups, and the
/// sizes.
#[derive(Debug)]
pub(crate) struct SharedTypes;

impl TwoWayDirective for SharedTypes {
    type Content = Vec<SizedType>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [types, others @ .., sizes] = printed.arguments else {
            return None;
        };
        let are_same = others.iter().all(|other| other.types() == types.types());
        let all = SizedType::all(printed.context, types.types(), sizes.operands())?;
        (are_same && !all.is_empty()).then_some(all)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.items(content, |asm, one| asm.sized_type(one))?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [types @ .., sizes] = arguments else {
            return Err(other_arguments(parser));
        };
        types.fill(ParsedArgument::Types(SizedType::types(&content)));
        *sizes = SizedType::sizes(&content);
        Ok(())
    }
}

/// A reference to a parameter: `%scope::%key`, `%key`.
#[derive(Clone, Copy, Default)]
pub(crate) struct Parameter {
    /// The scope if there is one, else the key.
    first: Named,
    has_scope: bool,
    second: Named,
}

impl Parameter {
    /// Returns a parameter to be printed.
    pub(super) fn of(scope: Option<Named>, key: Named) -> Self {
        Parameter {
            first: scope.unwrap_or(key),
            has_scope: scope.is_some(),
            second: key,
        }
    }

    pub(super) fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        asm.value(&mut self.first)?;
        asm.optional("::", "::", &mut self.has_scope);
        match self.has_scope {
            true => asm.value(&mut self.second),
            false => Ok(()),
        }
    }

    pub(super) fn scope(&self) -> Option<Named> {
        self.has_scope.then_some(self.first)
    }

    pub(super) fn key(&self) -> Named {
        if self.has_scope {
            self.second
        } else {
            self.first
        }
    }
}

/// The directive for a [`Parameter`]. Its arguments are the scope and the key.
#[derive(Debug)]
pub(crate) struct ParameterReference;

impl TwoWayDirective for ParameterReference {
    type Content = Parameter;

    fn content(&self, printed: &Printed<'_>) -> Option<Parameter> {
        let [scope, key] = printed.arguments else {
            return None;
        };
        let scope = scope.operands().first().copied().map(Named::of);
        let key = Named::of(*key.operands().first()?);
        Some(Parameter::of(scope, key))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Parameter) -> AsmResult<bool> {
        content.text(asm)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Parameter,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [scope, key] = arguments else {
            return Err(other_arguments(parser));
        };
        let scopes = content.scope().and_then(|scope| scope.name);
        *scope = ParsedArgument::Operands(scopes.into_iter().collect());
        *key = ParsedArgument::Operands(Named::names(&[content.key()]));
        Ok(())
    }
}

/// The directive for a type that is stored and one that values have: `type`, `type as type`.
#[derive(Debug)]
pub(crate) struct TypeAlias;

/// The types of [`TypeAlias`].
#[derive(Default)]
pub(crate) struct Aliased {
    stored: Option<Type>,
    is_alias: bool,
    ty: Option<Type>,
}

impl TwoWayDirective for TypeAlias {
    type Content = Aliased;

    fn content(&self, printed: &Printed<'_>) -> Option<Aliased> {
        let [stored, ty] = printed.arguments else {
            return None;
        };
        let AttributeKind::Type(stored) = *printed.context.attribute_kind(stored.attribute()?)
        else {
            return None;
        };
        let ty = *ty.types().first()?;
        Some(Aliased {
            stored: Some(stored),
            is_alias: stored != ty,
            ty: Some(ty),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Aliased) -> AsmResult<bool> {
        asm.ty(&mut content.stored)?;
        asm.optional("as", " as ", &mut content.is_alias);
        match content.is_alias {
            true => asm.ty(&mut content.ty)?,
            false => content.ty = content.stored,
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Aliased,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [stored, ty] = arguments else {
            return Err(other_arguments(parser));
        };
        let context = parser.context();
        let of_stored = content.stored.map(|ty| context.type_attribute(ty));
        *stored = ParsedArgument::Attribute(of_stored);
        *ty = ParsedArgument::Types(content.ty.into_iter().collect());
        Ok(())
    }
}

/// The directive for a region that takes resources: `(%operand as %argument: type{%size}) ->
/// type{%size} {...}`. Its arguments are the operands, their types and sizes; if it has results,
/// their types and sizes and what they are tied to; and the region.
#[derive(Debug)]
pub(crate) struct ResourceRegion {
    /// Whether the region always shows its terminators.
    pub(crate) shows_terminators: bool,
}

/// The parsed parts of [`ResourceRegion`].
#[derive(Default)]
pub(crate) struct Resources {
    captures: Vec<Capture>,
    /// Whether the directive has arguments for results.
    has_results: bool,
    results: Vec<TiedType>,
}

/// `%operand as %argument: type{%size}`.
#[derive(Default)]
struct Capture {
    operand: Named,
    argument: Named,
    sized: SizedType,
}

impl TwoWayDirective for ResourceRegion {
    type Content = Resources;

    fn shows_terminators(&self) -> bool {
        self.shows_terminators
    }

    fn content(&self, printed: &Printed<'_>) -> Option<Resources> {
        let [operands, types, sizes, rest @ .., region] = printed.arguments else {
            return None;
        };
        let (context, module) = (printed.context, printed.module);
        let (operands, types) = (operands.operands(), types.types());
        let number = entry_of(module, printed.operation, region)?;
        let arguments = crate::helpers::entry_arguments(module, printed.operation, number);
        let are_same = (arguments
            .iter()
            .map(|&argument| module.value_type(argument)))
        .eq(types.iter().copied());
        let results = match rest {
            [results, sizes, tied] => {
                let results = (results.types(), sizes.operands());
                TiedType::all_sized(context, (operands, types), results, tied.attribute())?
            }
            _ => Vec::new(),
        };
        let sized = SizedType::all(context, types, sizes.operands())?;
        let captures = operands.iter().zip(arguments).zip(sized);
        let captures = captures.map(|((&operand, argument), sized)| Capture {
            operand: Named::of(operand),
            argument: Named::of(argument),
            sized,
        });
        are_same.then(|| Resources {
            captures: captures.collect(),
            has_results: rest.len() == 3,
            results,
        })
    }

    fn given(&self, arguments: &[ParsedArgument]) -> Resources {
        Resources {
            has_results: arguments.len() == 7,
            ..Resources::default()
        }
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Resources) -> AsmResult<bool> {
        asm.lenient_list(("(", ")"), &mut content.captures, |asm, capture| {
            asm.value(&mut capture.operand)?;
            asm.token("as", " as ")?;
            asm.value(&mut capture.argument)?;
            asm.token(":", ": ")?;
            asm.sized_type(&mut capture.sized)
        })?;
        if content.has_results && asm.is_there("->", !content.results.is_empty()) {
            asm.token("->", " -> ")?;
            let captures = content.captures.iter();
            let operands: Vec<Named> = captures.map(|capture| capture.operand).collect();
            let types = SizedType::types(content.captures.iter().map(|capture| &capture.sized));
            asm.tied_types((&operands, &types), true, &mut content.results)?;
        }
        asm.space(" ");
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Resources,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [operands, types, sizes, rest @ .., region] = arguments else {
            return Err(other_arguments(parser));
        };
        let captures = &content.captures;
        let names = captures.iter().filter_map(|capture| capture.operand.name);
        let sized = captures.iter().map(|capture| &capture.sized);
        *operands = ParsedArgument::Operands(names.collect());
        *types = ParsedArgument::Types(SizedType::types(sized.clone()));
        *sizes = SizedType::sizes(sized);
        if let [types, sizes, tied] = rest {
            set_results(parser, &content.results, [types, sizes, tied]);
        }
        let argument = |capture: &Capture| {
            Some(RegionArgument {
                name: capture.argument.name?,
                ty: capture.sized.ty?,
                location: None,
            })
        };
        if let ParsedArgument::Region { arguments, .. } = region {
            *arguments = Some(captures.iter().filter_map(argument).collect());
        }
        Ok(())
    }
}

/// Returns the number of the region of a directive if it has an entry block with operations.
fn entry_of(module: &Module, operation: Operation, region: &PrintedArgument) -> Option<usize> {
    let PrintedArgument::Region { number, .. } = *region else {
        return None;
    };
    let entry = module.first_block(module.region(operation, number)?)?;
    module.first_operation(entry).map(|_| number)
}

/// The directive for a region that computes the number of workgroups, or a condition: `count(%a:
/// type) -> (index, index, index) {...}`; nothing if there is no region.
#[derive(Debug)]
pub(crate) struct CountRegion {
    /// The keyword; empty if the format has it.
    pub(crate) keyword: &'static str,
    /// The types of results: `index` three times, or `i1`.
    pub(crate) counts: bool,
    /// Whether a space precedes the keyword, which the format does not print.
    pub(crate) spaced: bool,
}

/// The parsed parts of [`CountRegion`].
#[derive(Default)]
pub(crate) struct Count {
    arguments: Vec<Argument>,
    /// The offset of the types.
    place: usize,
    types: Vec<Type>,
}

impl CountRegion {
    fn result_types(&self, context: &Context) -> Vec<Type> {
        match self.counts {
            true => vec![context.index_type(); 3],
            false => vec![context.i1_type()],
        }
    }
}

impl TwoWayDirective for CountRegion {
    type Content = Option<Count>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [region] = printed.arguments else {
            return None;
        };
        let number = entry_of(printed.module, printed.operation, region);
        Some(number.map(|number| Count {
            arguments: Argument::all(printed.module, printed.operation, number),
            place: 0,
            types: self.result_types(printed.context),
        }))
    }

    fn given(&self, _: &[ParsedArgument]) -> Self::Content {
        // Without a keyword, the region is there.
        self.keyword.is_empty().then(Count::default)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if !self.keyword.is_empty() && asm.is_there(self.keyword, content.is_some()) {
            asm.space(if self.spaced { " " } else { "" });
            asm.token(self.keyword, self.keyword)?;
            content.get_or_insert_default();
        }
        let Some(count) = content else {
            return Ok(false);
        };
        asm.arguments(&mut count.arguments)?;
        count.place = asm.place().unwrap_or_default();
        asm.optional_arrow_types(&mut count.types)?;
        asm.space(" ");
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let Some(count) = content else {
            return Ok(());
        };
        if count.types != self.result_types(parser.context()) {
            let message = match self.counts {
                true => "workgroup count region must return the XYZ dimension counts",
                false => "the region must return one i1 condition value",
            };
            return Err(AsmError::new(count.place, message));
        }
        if let [ParsedArgument::Region { arguments, .. }] = arguments {
            *arguments = Some(
                count
                    .arguments
                    .iter()
                    .filter_map(Argument::parsed)
                    .collect(),
            );
        }
        Ok(())
    }
}

/// The directive for results with sizes: `-> (type{%a}, type)`, which can be absent. Its arguments
/// are the types and the sizes.
#[derive(Debug)]
pub(crate) struct RegionResults;

impl TwoWayDirective for RegionResults {
    type Content = Vec<SizedType>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [types, sizes] = printed.arguments else {
            return None;
        };
        SizedType::all(printed.context, types.types(), sizes.operands())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        // The format prints it only if there are results.
        if !asm.is_there("->", true) {
            return Ok(false);
        }
        asm.token("->", "-> ")?;
        asm.list(("(", ")"), content, |asm, one| asm.sized_type(one))?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [types, sizes] = arguments else {
            return Err(other_arguments(parser));
        };
        SizedType::set(&content, types, sizes);
        Ok(())
    }
}
