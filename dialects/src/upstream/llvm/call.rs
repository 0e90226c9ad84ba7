//! Calls: `llvm.call`, `llvm.invoke`, `llvm.call_intrinsic`, and landing pads.

use super::super::enclosing::enclosing;
use super::enums::{CONVENTION, TAIL_CALL, remove_default_flags};
use super::types;
use crate::directive::{Printed, TwoWayDirective};
use crate::func::{has_shape, is_flat_reference, is_plain_string};
use crate::function::{has_lists, property};
use crate::helpers::{
    check_count, is_unit, result_types, segment_sizes, segments_property, sizes_of,
};
use crate::two_way::signature::{WithAttributes, set_attributes, with_attributes};
use crate::two_way::{
    Asm, Named, TwoWay, TypedValues, add_of_type, failure, items, other_attributes,
};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, ParsedOperation, RegionArgument};
use rmlir_ir::definition::LlvmFeature;
use rmlir_ir::{
    Attribute, AttributeKind, Block, Context, Location, LocationKind, Module, NamedAttribute, Op,
    Operation, OperationTraits, OperationVerifier, SymbolTableCollection, Type, Value,
    VerifyFailure, VerifyResult,
};

/// Custom syntax of calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Call {
    /// `llvm.call`: `fastcc tail @callee(%a) vararg(type) ["bundle"(%b : i32)] {...} : (i32) ->
    /// i32`. If the callee is a value, its type and a comma follow the colon.
    Function,
    /// `llvm.invoke`: `fastcc @callee(%a) to ^normal(%b : i32) unwind ^unwind vararg(type)
    /// [bundles] {...} : (i32) -> i32`.
    Invoke,
    /// `llvm.call_intrinsic`: `"name"(%a) [bundles] {...} : (i32) -> i32`; before [operand
    /// bundles](LlvmFeature::OperandBundles), the dictionary is last.
    Intrinsic,
}

/// The attributes that calls print outside of the attribute dictionary.
const OF_CALLS: [&str; 9] = [
    "callee",
    "var_callee_type",
    "CConv",
    "operandSegmentSizes",
    "op_bundle_sizes",
    "op_bundle_tags",
    "arg_attrs",
    "res_attrs",
    "TailCallKind",
];

/// The attributes that `llvm.call_intrinsic` prints outside of the attribute dictionary.
const OF_INTRINSICS: [&str; 6] = [
    "operandSegmentSizes",
    "op_bundle_sizes",
    "intrin",
    "op_bundle_tags",
    "arg_attrs",
    "res_attrs",
];

/// An operand bundle: `"tag"(%a, %b : i32, i64)`.
#[derive(Default)]
pub(crate) struct Bundle {
    tag: Option<Attribute>,
    values: TypedValues,
}

impl Bundle {
    /// Returns bundles with these sizes and tags; `None` if they do not match.
    fn all(
        context: &Context,
        module: &Module,
        values: &[Value],
        (sizes, tags): (Option<Attribute>, Option<Attribute>),
    ) -> Option<Vec<Self>> {
        let sizes = match sizes {
            Some(sizes) => sizes_of(context, sizes)?,
            None => Vec::new(),
        };
        let tags = items(context, tags).unwrap_or_default();
        let is_tag = |&tag: &Attribute| is_plain_string(context, tag);
        if sizes.len() != tags.len() || !tags.iter().all(is_tag) {
            return None;
        }
        let (mut rest, mut bundles) = (values, Vec::with_capacity(sizes.len()));
        for (size, &tag) in sizes.into_iter().zip(tags) {
            let (own, others) = rest.split_at_checked(size)?;
            bundles.push(Bundle {
                tag: Some(tag),
                values: TypedValues::of(module, own),
            });
            rest = others;
        }
        rest.is_empty().then_some(bundles)
    }

    /// Returns the tags as an attribute; `None` if there are none.
    fn tags(parser: &mut dyn AsmParser, bundles: &[Self]) -> Option<Attribute> {
        let tags: Vec<Attribute> = bundles.iter().filter_map(|bundle| bundle.tag).collect();
        (!tags.is_empty()).then(|| parser.context().array_attribute(&tags))
    }

    /// Returns the number of values of each bundle.
    fn sizes(bundles: &[Self]) -> Vec<usize> {
        bundles
            .iter()
            .map(|bundle| bundle.values.values.len())
            .collect()
    }
}

impl Asm<'_, '_> {
    /// ` ["tag"(%a, %b : i32, i64), "tag"()]`; nothing is printed if there are none. Returns
    /// whether the text has anything.
    fn bundles(&mut self, bundles: &mut Vec<Bundle>) -> AsmResult<bool> {
        if !self.is_there("[", !bundles.is_empty()) {
            return Ok(false);
        }
        self.list((" [", "]"), bundles, |asm, bundle| {
            let place = asm.place();
            asm.attribute(&mut bundle.tag)?;
            if !bundle
                .tag
                .is_some_and(|tag| is_plain_string(asm.context(), tag))
            {
                return Err(failure(place, "expected operand bundle tag"));
            }
            asm.token("(", "(")?;
            if asm.is_value_there(!bundle.values.is_empty()) {
                asm.typed_values(&mut bundle.values)?;
            }
            asm.token(")", ")")
        })?;
        Ok(true)
    }

    /// `^block(%a, %b : i32, i64)`.
    fn successor(&mut self, successor: &mut Successor) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => successor.block = Some(parser.successor()?),
            Asm::Printer(printer) => {
                if let Some(block) = successor.block {
                    printer.successor(block);
                }
            }
        }
        if self.is_there("(", !successor.values.is_empty()) {
            self.token("(", "(")?;
            self.typed_values(&mut successor.values)?;
            self.token(")", ")")?;
        }
        Ok(())
    }
}

/// A block with its operands.
#[derive(Default)]
struct Successor {
    block: Option<Block>,
    values: TypedValues,
}

/// The parsed parts of [`Call`].
#[derive(Default)]
pub(crate) struct CallContent {
    convention: Option<Attribute>,
    tail: Option<Attribute>,
    /// The symbol, or the name of the intrinsic.
    callee: Option<Attribute>,
    /// The callee if it is a value.
    pointer: Option<Named>,
    pointer_type: Option<Type>,
    arguments: Vec<Named>,
    normal: Successor,
    unwind: Successor,
    vararg: Option<Type>,
    bundles: Vec<Bundle>,
    attributes: Vec<NamedAttribute>,
    inputs: Vec<WithAttributes>,
    results: Vec<WithAttributes>,
}

/// Returns whether calls have operand bundles.
fn has_bundles(context: &Context) -> bool {
    context.release().has(LlvmFeature::OperandBundles)
}

impl Call {
    /// Returns the numbers of operands: those of the call, of both successors, of all bundles.
    fn sizes(
        self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<(usize, [usize; 2], usize)> {
        let has_bundles = has_bundles(context);
        if !has_bundles && self != Call::Invoke {
            return Some((module.operands(operation).len(), [0, 0], 0));
        }
        let sizes = module.attribute(context, operation, "operandSegmentSizes")?;
        match (self, has_bundles, sizes_of(context, sizes)?.as_slice()) {
            (Call::Invoke, true, &[count, normal, unwind, bundles]) => {
                Some((count, [normal, unwind], bundles))
            }
            (Call::Invoke, false, &[count, normal, unwind]) => Some((count, [normal, unwind], 0)),
            (Call::Function | Call::Intrinsic, true, &[count, bundles]) => {
                Some((count, [0, 0], bundles))
            }
            _ => None,
        }
    }

    /// Returns the name of the attribute that has the callee.
    fn callee(self) -> &'static str {
        match self {
            Call::Intrinsic => "intrin",
            _ => "callee",
        }
    }
}

impl TwoWay for Call {
    type Content = CallContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<CallContent> {
        let attribute = |name| module.attribute(context, operation, name);
        let operands: Vec<Value> = module.operands(operation).collect();
        let (count, [of_normal, of_unwind], of_bundles) = self.sizes(context, module, operation)?;
        let (own, rest) = operands.split_at_checked(count)?;
        let (normal, rest) = rest.split_at_checked(of_normal)?;
        let (unwind, bundles) = rest.split_at_checked(of_unwind)?;
        let callee = attribute(self.callee());
        let (pointer, arguments) = match (callee, self) {
            (Some(_), _) => (None, own),
            (None, Call::Intrinsic) => return None,
            (None, _) => {
                let (pointer, arguments) = own.split_first()?;
                (Some(*pointer), arguments)
            }
        };
        let is_callee = |callee| match self {
            Call::Intrinsic => is_plain_string(context, callee),
            _ => is_flat_reference(context, callee),
        };
        let results = result_types(module, operation);
        let mut successors = module.successors(operation);
        let (first, second) = (successors.next(), successors.next());
        let blocks = if *self == Call::Invoke { 2 } else { 0 };
        let fits = bundles.len() == of_bundles
            && callee.is_none_or(is_callee)
            && results.len() <= 1
            && module.regions(operation).len() == 0
            && module.successors(operation).len() == blocks
            && has_lists(context, module, operation, arguments.len(), results.len());
        if !fits {
            return None;
        }
        let mut content = CallContent::default();
        if *self != Call::Intrinsic {
            content.convention = CONVENTION.of(context, module, operation)?;
            if let Some(vararg) = attribute("var_callee_type") {
                let AttributeKind::Type(vararg) = *context.attribute_kind(vararg) else {
                    return None;
                };
                content.vararg = Some(vararg);
            }
        }
        if *self == Call::Function {
            content.tail = TAIL_CALL.of(context, module, operation)?;
        }
        let of_bundles = (attribute("op_bundle_sizes"), attribute("op_bundle_tags"));
        content.bundles = Bundle::all(context, module, bundles, of_bundles)?;
        content.callee = callee;
        content.pointer = pointer.map(Named::of);
        content.pointer_type = pointer.map(|pointer| module.value_type(pointer));
        content.arguments = Named::all(arguments.iter().copied());
        for (successor, block, values) in [
            (&mut content.normal, first, normal),
            (&mut content.unwind, second, unwind),
        ] {
            successor.block = block;
            successor.values = TypedValues::of(module, values);
        }
        let elided: &[&str] = match self {
            Call::Intrinsic => &OF_INTRINSICS,
            _ => &OF_CALLS,
        };
        content.attributes = other_attributes(context, module, operation, elided);
        if *self != Call::Invoke {
            remove_default_flags(context, &mut content.attributes);
        }
        let inputs = arguments.iter().map(|&value| module.value_type(value));
        content.inputs = with_attributes(context, attribute("arg_attrs"), inputs);
        content.results = with_attributes(context, attribute("res_attrs"), results);
        Some(content)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut CallContent) -> AsmResult<()> {
        asm.space(" ");
        if *self == Call::Intrinsic {
            let place = asm.place();
            asm.attribute(&mut content.callee)?;
            if !content
                .callee
                .is_some_and(|name| is_plain_string(asm.context(), name))
            {
                return Err(failure(place, "expected string attribute"));
            }
        } else {
            asm.keyword(&CONVENTION, &mut content.convention, " ");
            if *self == Call::Function {
                asm.keyword(&TAIL_CALL, &mut content.tail, " ");
            }
            match asm.is_value_there(content.pointer.is_some()) {
                true => asm.value(content.pointer.get_or_insert_default())?,
                false => {
                    let missing = "expected valid '@'-identifier for symbol name";
                    asm.symbol_reference(&mut content.callee, missing)?;
                }
            }
        }
        asm.values_between(("(", ")"), &mut content.arguments)?;
        if *self == Call::Invoke {
            asm.token("to", " to ")?;
            asm.successor(&mut content.normal)?;
            asm.token("unwind", " unwind ")?;
            asm.successor(&mut content.unwind)?;
        }
        if *self != Call::Intrinsic && asm.is_there("vararg", content.vararg.is_some()) {
            asm.token("vararg", " vararg")?;
            asm.token("(", "(")?;
            asm.ty(&mut content.vararg)?;
            asm.token(")", ")")?;
        }
        let has_bundles = has_bundles(asm.context());
        let is_last = *self == Call::Intrinsic && !has_bundles;
        if has_bundles {
            asm.bundles(&mut content.bundles)?;
        }
        if !is_last {
            asm.dictionary(&mut content.attributes)?;
        }
        asm.token(":", " : ")?;
        if content.pointer.is_some() {
            asm.ty(&mut content.pointer_type)?;
            asm.token(",", ", ")?;
        }
        let place = asm.place();
        asm.call_signature(&mut content.inputs, &mut content.results)?;
        let (arguments, inputs) = (content.arguments.len(), content.inputs.len());
        check_count(arguments, inputs, place.unwrap_or_default())?;
        if is_last {
            asm.dictionary(&mut content.attributes)?;
        }
        match content.results.len() {
            0 | 1 => Ok(()),
            _ => Err(failure(place, "expected function with 0 or 1 result")),
        }
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut CallContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        CONVENTION.set(parser, operation, content.convention);
        TAIL_CALL.set(parser, operation, content.tail);
        if let Some(callee) = content.callee {
            property(parser, operation, self.callee(), callee);
        }
        if let Some(vararg) = content.vararg {
            let vararg = parser.context().type_attribute(vararg);
            property(parser, operation, "var_callee_type", vararg);
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        if let Some(ty) = content.pointer_type {
            add_of_type(parser, operation, &content.pointer, ty)?;
        }
        for (argument, input) in content.arguments.iter().zip(&content.inputs) {
            if let Some(ty) = input.0 {
                add_of_type(parser, operation, [argument], ty)?;
            }
        }
        let mut sizes = vec![operation.operands.len()];
        operation.result_types = content.results.iter().filter_map(|one| one.0).collect();
        set_attributes(parser, operation, "arg_attrs", &content.inputs)?;
        set_attributes(parser, operation, "res_attrs", &content.results)?;
        if *self == Call::Invoke {
            for successor in [&content.normal, &content.unwind] {
                operation.successors.extend(successor.block);
                successor.values.add(parser, operation)?;
                sizes.push(successor.values.values.len());
            }
        }
        for bundle in &content.bundles {
            bundle.values.add(parser, operation)?;
        }
        if !has_bundles(parser.context()) {
            if *self == Call::Invoke {
                segments_property(parser, operation, &sizes);
            }
            return Ok(None);
        }
        let of_bundles = Bundle::sizes(&content.bundles);
        sizes.push(of_bundles.iter().sum());
        if let Some(sizes) = segment_sizes(parser.context(), &of_bundles) {
            property(parser, operation, "op_bundle_sizes", sizes);
        }
        if let Some(tags) = Bundle::tags(parser, &content.bundles) {
            property(parser, operation, "op_bundle_tags", tags);
        }
        segments_property(parser, operation, &sizes);
        Ok(None)
    }
}

/// The directive `["tag"(%a : i32)]` of `llvm.intr.assume`.
#[derive(Debug)]
pub(crate) struct OpBundles;

impl TwoWayDirective for OpBundles {
    type Content = Vec<Bundle>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [operands, _, tags, sizes, ..] = printed.arguments else {
            return None;
        };
        let sizes = Some(sizes.attribute()?);
        let of_bundles = (sizes, tags.attribute());
        Bundle::all(
            printed.context,
            printed.module,
            operands.operands(),
            of_bundles,
        )
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.bundles(content)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let counts = Bundle::sizes(&content).into_iter();
        let counts = counts.map(|count| i32::try_from(count).unwrap_or(i32::MAX));
        let sizes = parser.context().i32_array_attribute(counts);
        let tags = Bundle::tags(parser, &content);
        if let [operands, types, of_tags, of_sizes, ..] = arguments {
            let names = content
                .iter()
                .flat_map(|bundle| Named::names(&bundle.values.values));
            let of = content
                .iter()
                .flat_map(|bundle| &bundle.values.types)
                .copied();
            *operands = ParsedArgument::Operands(names.collect());
            *types = ParsedArgument::Types(of.collect());
            *of_tags = ParsedArgument::Attribute(tags);
            *of_sizes = ParsedArgument::Attribute(Some(sizes));
        }
        Ok(())
    }
}

/// Custom syntax of `llvm.landingpad`: `cleanup (catch %a : type) (filter %b : type) : type`.
#[derive(Debug)]
pub(crate) struct LandingPad;

/// The parsed parts of [`LandingPad`].
#[derive(Default)]
pub(crate) struct LandingPadContent {
    is_cleanup: bool,
    clauses: Vec<Clause>,
    attributes: Vec<NamedAttribute>,
    ty: Option<Type>,
}

/// `(filter %a : type)` or `(catch %a : type)`.
#[derive(Default)]
struct Clause {
    is_filter: bool,
    value: Named,
    ty: Option<Type>,
}

impl TwoWay for LandingPad {
    type Content = LandingPadContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<LandingPadContent> {
        let cleanup = module.attribute(context, operation, "cleanup");
        let clause = |value| {
            let ty = module.value_type(value);
            Clause {
                is_filter: types::is(context, ty, "array"),
                value: Named::of(value),
                ty: Some(ty),
            }
        };
        let clauses: Vec<Clause> = module.operands(operation).map(clause).collect();
        let result = module.result(operation, 0)?;
        let fits = has_shape(module, operation, clauses.len(), 1, 0)
            && is_unit(context, cleanup)
            // Upstream does not read other attributes where it prints them.
            && module.attributes(operation).is_none();
        fits.then(|| LandingPadContent {
            is_cleanup: cleanup.is_some(),
            clauses,
            attributes: other_attributes(context, module, operation, &["cleanup"]),
            ty: Some(module.value_type(result)),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut LandingPadContent) -> AsmResult<()> {
        asm.space(" ");
        asm.optional("cleanup", "cleanup ", &mut content.is_cleanup);
        asm.repeated("(", &mut content.clauses, |asm, clause| {
            asm.token("(", "(")?;
            asm.optional("filter", "filter ", &mut clause.is_filter);
            if !clause.is_filter {
                asm.token("catch", "catch ")?;
            }
            let place = asm.place();
            asm.value(&mut clause.value)?;
            asm.token(":", " : ")?;
            asm.ty(&mut clause.ty)?;
            asm.token(")", ") ")?;
            let is_array = clause
                .ty
                .is_some_and(|ty| types::is(asm.context(), ty, "array"));
            if is_array != clause.is_filter {
                let message = match clause.is_filter {
                    true => "constant array as operand is expected in filter clause",
                    false => "array as operand is only expected in filter clause",
                };
                return Err(failure(place, message));
            }
            Ok(())
        })?;
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", ": ")?;
        asm.ty(&mut content.ty)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut LandingPadContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if content.is_cleanup {
            let unit = parser.context().unit_attribute();
            property(parser, operation, "cleanup", unit);
        }
        for clause in &content.clauses {
            if let Some(ty) = clause.ty {
                add_of_type(parser, operation, &[clause.value], ty)?;
            }
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        operation.result_types.extend(content.ty);
        Ok(None)
    }
}

/// Verifies the location of `llvm.call`: a call that LLVM can inline has one if the function that
/// contains it and the callee have debug information.
#[derive(Debug)]
pub(crate) struct CallLocation;

/// The number of nested locations in which the debug information of a function is looked for.
/// Frontends put it outermost; each call without a location looks again.
const MOST_LOCATIONS: usize = 64;

/// Returns whether a location has a `#llvm.di_subprogram`.
fn has_subprogram(context: &Context, location: Location) -> bool {
    let mut open = vec![location];
    for _ in 0..MOST_LOCATIONS {
        let Some(location) = open.pop() else {
            return false;
        };
        match context.location_kind(location) {
            LocationKind::Fused {
                locations,
                metadata,
            } => {
                let metadata = metadata.map(|metadata| context.attribute_kind(metadata));
                if let Some(AttributeKind::Dialect { dialect, body, .. }) = metadata
                    && context.bytes(*dialect) == b"llvm"
                    && body.mnemonic() == b"di_subprogram"
                {
                    return true;
                }
                open.extend(locations.iter().rev().take(MOST_LOCATIONS));
            }
            LocationKind::Name { child, .. } => open.push(child),
            LocationKind::CallSite { callee, caller } => open.extend([caller, callee]),
            _ => {}
        }
    }
    false
}

impl OperationVerifier for CallLocation {
    fn uses_symbols(&self) -> bool {
        true
    }

    fn verify_symbol_uses(&self, op: Op<'_>, symbols: &mut SymbolTableCollection) -> VerifyResult {
        let context = op.context;
        if !matches!(context.location_kind(op.location()), LocationKind::Unknown) {
            return Ok(());
        }
        let callee = op.attr("callee").and_then(|callee| {
            symbols.lookup_symbol_from(context, op.module, op.operation, callee)
        });
        let Some(callee) = callee.map(|callee| op.with_id(callee)) else {
            return Ok(());
        };
        let has_body = callee
            .regions()
            .any(|body| op.module.first_block(body).is_some());
        if !callee.is("llvm.func") || !has_body || !has_subprogram(context, callee.location()) {
            return Ok(());
        }
        let function = enclosing(op, |around| around.has_traits(OperationTraits::FUNCTION))?;
        match function.is_some_and(|function| has_subprogram(context, function.location())) {
            true => Err(VerifyFailure::plain(
                "inlinable function call in a function with a DISubprogram location must have a \
                 debug location",
            )),
            false => Ok(()),
        }
    }
}
