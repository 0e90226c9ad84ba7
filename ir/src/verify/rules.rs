//! What definitions ask of an operation: a row for each rule, interpreted for the operations whose
//! definition it applies to.

use super::{
    Message, OperationVerifier, VerifyFailure, VerifyOptions, VerifyResult, function, same_types,
    symbols,
};
use crate::constraint::{AttributeConstraint, RegionConstraint, TypeConstraint, dense_i32_array};
use crate::definition::{
    GroupDefinition, GroupKind, OperationDefinition, OperationTraits, Presence,
};
use crate::equality::OperationIn;
use crate::{Attribute, Context, OperationName, Type};
use std::cell::Cell;

/// When a rule is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before what is in the operation's regions.
    Entry,
    /// After that.
    Exit,
}

/// A rule that definitions can ask for.
struct Rule {
    phase: Phase,
    /// Whether a definition asks for it.
    applies: fn(&Plan<'_>) -> bool,
    check: fn(&Plan<'_>, OperationIn<'_>) -> VerifyResult,
}

/// A rule for the operations that have these traits.
macro_rules! of_trait {
    ($phase:ident, $traits:ident, $check:expr) => {
        Rule {
            phase: Phase::$phase,
            applies: |p| p.has(OperationTraits::$traits),
            check: $check,
        }
    };
}

/// The rules, in the order in which they are checked, which is upstream's: the first that is broken is
/// the one that is reported.
static RULES: &[Rule] = &[
    Rule {
        phase: Phase::Entry,
        applies: |_| true,
        check: counts,
    },
    of_trait!(Entry, ATTRIBUTE_SIZED_OPERANDS, |_, op| {
        segments(op, "operand", op.module.operand_count(op.operation))
    }),
    of_trait!(Entry, ATTRIBUTE_SIZED_RESULTS, |_, op| {
        segments(op, "result", op.module.result_count(op.operation))
    }),
    of_trait!(Entry, NO_REGION_ARGUMENTS, |_, op| no_region_arguments(op)),
    Rule {
        phase: Phase::Entry,
        applies: |p| !p.parents.is_empty(),
        check: has_parent,
    },
    of_trait!(Entry, SINGLE_BLOCK, single_block),
    Rule {
        phase: Phase::Entry,
        applies: |p| !p.attributes.is_empty(),
        check: attributes,
    },
    Rule {
        phase: Phase::Entry,
        applies: |p| p.operands.needs_look(),
        check: |p, op| {
            let types = op.module.operands(op.operation);
            let types = types.map(|value| op.module.value_type(value));
            value_groups(op, &p.operands, "operand", types)
        },
    },
    Rule {
        phase: Phase::Entry,
        applies: |p| p.results.needs_look(),
        check: |p, op| {
            let types = op.module.results(op.operation);
            let types = types.map(|value| op.module.value_type(value));
            value_groups(op, &p.results, "result", types)
        },
    },
    Rule {
        phase: Phase::Entry,
        applies: |p| {
            p.regions
                .groups
                .iter()
                .any(|g| g.constraint != RegionConstraint::Any)
        },
        check: region_constraints,
    },
    of_trait!(Entry, SAME_TYPE_OPERANDS, |_, op| {
        same_types::same_type_operands(op)
    }),
    of_trait!(Entry, SAME_OPERANDS_ELEMENT_TYPE, |_, op| {
        same_types::same_operands_element_type(op)
    }),
    of_trait!(Entry, SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE, |_, op| {
        same_types::same_operands_and_result_element_type(op)
    }),
    of_trait!(Entry, SAME_OPERANDS_SHAPE, |_, op| {
        same_types::same_operands_shape(op)
    }),
    of_trait!(Entry, SAME_OPERANDS_AND_RESULT_SHAPE, |_, op| {
        same_types::same_operands_and_result_shape(op)
    }),
    of_trait!(Entry, SAME_OPERANDS_AND_RESULT_TYPE, |_, op| {
        same_types::same_operands_and_result_type(op)
    }),
    of_trait!(Entry, TERMINATOR, |_, op| terminator(op)),
    of_trait!(Entry, FUNCTION, |_, op| function::check_attributes(op)),
    Rule {
        phase: Phase::Entry,
        // The entry block of `gpu.func` has arguments more, for memory that these attributes count.
        applies: |p| p.has(OperationTraits::FUNCTION) && !p.knows("workgroup_attributions"),
        check: |_, op| function::check_body(op),
    },
    of_trait!(Entry, SYMBOL, symbols::check_symbol),
    Rule {
        phase: Phase::Entry,
        applies: |p| p.verifier().is_some(),
        check: |p, op| p.verifier().map_or(Ok(()), |verifier| verifier.verify(op)),
    },
    Rule {
        phase: Phase::Exit,
        applies: |p| p.implicit_terminator.is_some(),
        check: implicit_terminator,
    },
    of_trait!(Exit, SYMBOL_TABLE, |_, op| symbols::check_table(op)),
    Rule {
        phase: Phase::Exit,
        applies: |p| p.verifier().is_some(),
        check: |p, op| {
            p.verifier()
                .map_or(Ok(()), |verifier| verifier.verify_regions(op))
        },
    },
];

/// Whether an operation without a definition may be there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Undefined {
    Allowed,
    /// Its dialect is not registered.
    Unregistered,
    /// All operations of its dialect are known.
    Unknown,
}

/// Groups of operands, results or regions.
struct Groups<'c, T> {
    groups: Box<[Group<'c, T>]>,
    count: Count,
    /// An attribute says how large each group is.
    has_sizes: bool,
}

struct Group<'c, T> {
    name: &'c str,
    kind: GroupKind,
    constraint: T,
}

/// How many there must be.
#[derive(Clone, Copy, Default)]
struct Count {
    least: usize,
    /// Whether there may be more.
    is_open: bool,
}

impl Count {
    fn of(groups: &[&GroupDefinition]) -> Self {
        groups
            .iter()
            .fold(Count::default(), |count, group| match group.kind {
                GroupKind::Single => Count {
                    least: count.least.saturating_add(1),
                    ..count
                },
                _ => Count {
                    is_open: true,
                    ..count
                },
            })
    }

    fn pair(self) -> (usize, bool) {
        (self.least, self.is_open)
    }

    fn accepts(self, count: usize) -> bool {
        count == self.least || (self.is_open && count > self.least)
    }
}

impl<'c, T> Groups<'c, T> {
    fn new(groups: &[&'c GroupDefinition], has_sizes: bool, constraint: fn(&str) -> T) -> Self {
        Groups {
            count: Count::of(groups),
            groups: groups
                .iter()
                .map(|group| Group {
                    name: &group.name,
                    kind: group.kind,
                    constraint: constraint(&group.constraint),
                })
                .collect(),
            has_sizes,
        }
    }
}

impl Groups<'_, Option<&'static TypeConstraint>> {
    /// Whether something is to be checked beyond the total number.
    fn needs_look(&self) -> bool {
        self.has_sizes
            || self.groups.iter().any(|group| {
                group.kind == GroupKind::Optional || group.constraint.is_some_and(|c| !c.is_any())
            })
    }
}

struct AttributeRule<'c> {
    name: &'c str,
    is_required: bool,
    constraint: Option<&'static AttributeConstraint>,
}

/// What the operations of a name must keep, in the context's release.
pub(super) struct Plan<'c> {
    pub(super) definition: Option<&'c OperationDefinition>,
    traits: OperationTraits,
    undefined: Undefined,
    /// By number of the rule.
    entry: u32,
    exit: u32,
    operands: Groups<'c, Option<&'static TypeConstraint>>,
    results: Groups<'c, Option<&'static TypeConstraint>>,
    regions: Groups<'c, RegionConstraint>,
    successors: Count,
    /// Sorted by name.
    attributes: Box<[AttributeRule<'c>]>,
    /// The last attributes that were found to be good: most operations of a name have the same.
    good_attributes: Cell<Option<(Option<Attribute>, Option<Attribute>)>>,
    parents: Box<[&'c str]>,
    implicit_terminator: Option<&'c str>,
}

impl<'c> Plan<'c> {
    pub(super) fn new(context: &'c Context, name: OperationName, options: &VerifyOptions) -> Self {
        let definition = context.operation_definition(name).map(|d| &**d);
        let release = context.release();
        let namespace = context.operation_dialect(name);
        let undefined = match context.dialect(context.bytes(namespace)) {
            // Definitions of other families are of other releases.
            Some(dialect) if dialect.operations_complete && dialect.family == release.family => {
                match options.allow_unknown {
                    true => Undefined::Allowed,
                    false => Undefined::Unknown,
                }
            }
            None if !options.allow_unregistered_dialects
                && namespace != context.builtin_namespace() =>
            {
                Undefined::Unregistered
            }
            _ => Undefined::Allowed,
        };
        let traits = context.operation_traits(name).unwrap_or_default();
        let groups = |list: fn(&OperationDefinition) -> &[GroupDefinition]| {
            definition
                .into_iter()
                .flat_map(move |d| d.groups_in(list(d), release))
                .collect::<Vec<_>>()
        };
        let has = |of| traits.contains(of);
        let mut plan = Plan {
            definition,
            traits,
            undefined,
            entry: 0,
            exit: 0,
            operands: Groups::new(
                &groups(|d| &d.operands),
                has(OperationTraits::ATTRIBUTE_SIZED_OPERANDS),
                TypeConstraint::find,
            ),
            results: Groups::new(
                &groups(|d| &d.results),
                has(OperationTraits::ATTRIBUTE_SIZED_RESULTS),
                TypeConstraint::find,
            ),
            regions: Groups::new(&groups(|d| &d.regions), false, RegionConstraint::find),
            successors: Count::of(&groups(|d| &d.successors)),
            attributes: definition
                .into_iter()
                .flat_map(|d| d.attributes_in(release))
                .map(|attribute| AttributeRule {
                    name: &attribute.name,
                    is_required: attribute.presence == Presence::Required,
                    constraint: AttributeConstraint::find(&attribute.constraint),
                })
                .filter(|rule| rule.is_required || rule.constraint.is_some())
                .collect(),
            good_attributes: Cell::new(None),
            parents: definition
                .into_iter()
                .flat_map(|d| d.parents_in(release))
                .collect(),
            implicit_terminator: definition.and_then(|d| d.implicit_terminator(release)),
        };
        if definition.is_some() {
            for (number, rule) in RULES.iter().enumerate() {
                if (rule.applies)(&plan) {
                    match rule.phase {
                        Phase::Entry => plan.entry |= 1 << number,
                        Phase::Exit => plan.exit |= 1 << number,
                    }
                }
            }
        }
        plan
    }

    fn verifier(&self) -> Option<&'static dyn OperationVerifier> {
        self.definition?.verifier
    }

    /// Whether the operation's hook checks the symbols that it refers to.
    pub(super) fn uses_symbols(&self) -> bool {
        self.verifier()
            .is_some_and(|verifier| verifier.uses_symbols())
    }

    /// Whether the definition has an attribute of that name.
    fn knows(&self, name: &str) -> bool {
        self.definition
            .is_some_and(|d| d.attributes().iter().any(|a| a.name == name))
    }

    /// Whether the definition has an attribute of that name that must be there.
    pub(super) fn requires(&self, name: &str) -> bool {
        self.attributes
            .iter()
            .any(|rule| rule.name == name && rule.is_required)
    }

    /// Whether an operation by itself is good whatever it is.
    #[inline]
    pub(super) fn has_nothing_to_check(&self) -> bool {
        self.undefined == Undefined::Allowed && self.definition.is_none()
    }

    /// The traits, if the operation is known.
    pub(super) fn known_traits(&self) -> Option<OperationTraits> {
        self.definition.map(|_| self.traits)
    }

    /// Whether the definition has all of these traits.
    pub(super) fn has(&self, traits: OperationTraits) -> bool {
        self.traits.contains(traits)
    }

    /// Whether an operation without a definition may be there.
    pub(super) fn check_undefined(&self, op: OperationIn<'_>) -> VerifyResult {
        match self.undefined {
            Undefined::Allowed => Ok(()),
            Undefined::Unregistered => Err(VerifyFailure::op("created with unregistered dialect")),
            Undefined::Unknown => {
                let identifier = op
                    .context
                    .operation_name_identifier(op.module.name(op.operation));
                let name = op.context.str(identifier);
                let dialect = op.context.operation_dialect(op.module.name(op.operation));
                let dialect = op.context.str(dialect);
                let meant = op.context.suggest_operation(op.context.bytes(identifier));
                let meant = meant.map(|meant| format!("; did you mean '{meant}'?"));
                Err(VerifyFailure::plain(format!(
                    "unregistered operation '{name}' found in dialect ('{dialect}') that does not allow unknown operations{}",
                    meant.unwrap_or_default()
                )))
            }
        }
    }

    /// Checks the rules that come before what is in the regions.
    pub(super) fn check_entry(&self, operation: OperationIn<'_>) -> VerifyResult {
        self.check(self.entry, operation)
    }

    /// Checks the rules that come after what is in the regions.
    pub(super) fn check_exit(&self, operation: OperationIn<'_>) -> VerifyResult {
        self.check(self.exit, operation)
    }

    fn check(&self, mut rules: u32, operation: OperationIn<'_>) -> VerifyResult {
        while rules != 0 {
            if let Some(rule) = RULES.get(rules.trailing_zeros() as usize) {
                (rule.check)(self, operation)?;
            }
            rules &= rules - 1;
        }
        Ok(())
    }
}

const _: () = assert!(RULES.len() <= 32, "a plan has a bit for each rule");

/// The numbers of regions, results, successors and operands.
fn counts(plan: &Plan<'_>, op: OperationIn<'_>) -> VerifyResult {
    let (module, operation) = (op.module, op.operation);
    let regions = module.regions(operation).len();
    let results = module.result_count(operation);
    let successors = module.successors(operation).len();
    let operands = module.operand_count(operation);
    let message = if !plan.regions.count.accepts(regions) {
        match plan.regions.count.pair() {
            (0, false) => "requires zero regions".to_owned(),
            (1, false) => "requires one region".to_owned(),
            (n, false) => format!("expected {n} regions"),
            (n, true) => format!("expected {n} or more regions"),
        }
    } else if !plan.results.count.accepts(results) {
        match plan.results.count.pair() {
            (0, false) => "requires zero results".to_owned(),
            (1, false) => "requires one result".to_owned(),
            (n, false) => format!("expected {n} results"),
            (n, true) => format!("expected {n} or more results"),
        }
    } else if !plan.successors.accepts(successors) {
        match plan.successors.pair() {
            (1, false) => format!("requires 1 successor but found {successors}"),
            (n, false) => format!("requires {n} successors but found {successors}"),
            (n, true) => format!("requires at least {n} successors but found {successors}"),
        }
    } else if !plan.operands.count.accepts(operands) {
        match plan.operands.count.pair() {
            (0, false) => "requires zero operands".to_owned(),
            (1, false) => "requires a single operand".to_owned(),
            (n, false) => format!("expected {n} operands, but found {operands}"),
            (n, true) => format!("expected {n} or more operands, but found {operands}"),
        }
    } else {
        return Ok(());
    };
    Err(VerifyFailure::op(message))
}

/// The sizes of the groups of operands or results, as an attribute says them.
fn segment_sizes(op: OperationIn<'_>, what: &str) -> Option<Vec<i32>> {
    let name = format!("{what}SegmentSizes");
    let attribute = op.module.attribute(op.context, op.operation, name)?;
    Some(dense_i32_array(op.context, attribute)?.collect())
}

fn segments(op: OperationIn<'_>, what: &str, count: usize) -> VerifyResult {
    let Some(sizes) = segment_sizes(op, what) else {
        let message = format!("requires dense i32 array attribute '{what}SegmentSizes'");
        return Err(VerifyFailure::op(message));
    };
    if sizes.iter().any(|&size| size < 0) {
        let message = format!("'{what}SegmentSizes' attribute cannot have negative elements");
        return Err(VerifyFailure::op(message));
    }
    let total: i64 = sizes.iter().map(|&size| i64::from(size)).sum();
    if usize::try_from(total) != Ok(count) {
        let message = format!(
            "{what} count ({count}) does not match with the total size ({total}) specified in attribute '{what}SegmentSizes'"
        );
        return Err(VerifyFailure::op(message));
    }
    Ok(())
}

fn no_region_arguments(op: OperationIn<'_>) -> VerifyResult {
    let regions = op.module.regions(op.operation);
    let count = regions.len();
    for (number, region) in regions.enumerate() {
        let entry = op.module.first_block(region);
        if entry.is_some_and(|block| op.module.argument_count(block) != 0) {
            let message = match count {
                1 => "region should have no arguments".to_owned(),
                _ => format!("region #{number} should have no arguments"),
            };
            return Err(VerifyFailure::op(message));
        }
    }
    Ok(())
}

fn has_parent(plan: &Plan<'_>, op: OperationIn<'_>) -> VerifyResult {
    let parent = op.module.parent_operation(op.operation);
    let name = parent.map(|p| op.context.operation_name_bytes(op.module.name(p)));
    let parents = &*plan.parents;
    if parents.iter().any(|parent| Some(parent.as_bytes()) == name) {
        return Ok(());
    }
    let message = match parents {
        [one] => format!("expects parent op '{one}'"),
        _ => format!("expects parent op to be one of '{}'", parents.join(", ")),
    };
    Err(VerifyFailure::op(message))
}

fn single_block(plan: &Plan<'_>, op: OperationIn<'_>) -> VerifyResult {
    for (number, region) in op.module.regions(op.operation).enumerate() {
        let Some(block) = op.module.first_block(region) else {
            continue;
        };
        if op.module.next_block(block).is_some() {
            let message = format!("expects region #{number} to have 0 or 1 blocks");
            return Err(VerifyFailure::op(message));
        }
        if op.module.first_operation(block).is_none() && !plan.has(OperationTraits::NO_TERMINATOR) {
            return Err(VerifyFailure::op("expects a non-empty block"));
        }
    }
    Ok(())
}

fn attributes(plan: &Plan<'_>, op: OperationIn<'_>) -> VerifyResult {
    let given = (
        op.module.properties(op.operation),
        op.module.attributes(op.operation),
    );
    if plan.good_attributes.get() == Some(given) {
        return Ok(());
    }
    for rule in &plan.attributes {
        let name = rule.name;
        match op.module.attribute(op.context, op.operation, name) {
            None if rule.is_required => {
                return Err(VerifyFailure::op(format!("requires attribute '{name}'")));
            }
            Some(value) => {
                if let Some(constraint) = rule.constraint
                    && !(constraint.accepts)(op.context, value)
                {
                    return Err(VerifyFailure::op(format!(
                        "attribute '{name}' failed to satisfy constraint: {}",
                        constraint.summary
                    )));
                }
            }
            None => {}
        }
    }
    plan.good_attributes.set(Some(given));
    Ok(())
}

/// The sizes of the groups, and their types.
fn value_groups(
    op: OperationIn<'_>,
    groups: &Groups<'_, Option<&'static TypeConstraint>>,
    what: &str,
    mut types: impl ExactSizeIterator<Item = Type>,
) -> VerifyResult {
    let sizes = if groups.has_sizes {
        segment_sizes(op, what)
    } else {
        None
    };
    let (groups, count) = (&*groups.groups, groups.count);
    if let Some(sizes) = &sizes
        && sizes.len() != groups.len()
    {
        return Err(VerifyFailure::op(format!(
            "'{what}SegmentSizes' attribute for specifying {what} segments must have {} elements, but got {}",
            groups.len(),
            sizes.len()
        )));
    }
    // Without sizes, groups of no fixed size share what is left evenly.
    let open = groups.len().saturating_sub(count.least);
    let share = types.len().saturating_sub(count.least) / open.max(1);
    let mut start = 0usize;
    for (number, group) in groups.iter().enumerate() {
        let size = match (&sizes, group.kind) {
            (Some(sizes), _) => sizes
                .get(number)
                .map_or(0, |&size| usize::try_from(size).unwrap_or(0)),
            (None, GroupKind::Single) => 1,
            (None, _) => share,
        };
        if group.kind == GroupKind::Optional && size > 1 {
            return Err(VerifyFailure::op(format!(
                "{what} group starting at #{start} requires 0 or 1 element, but found {size}"
            )));
        }
        for (index, ty) in types.by_ref().take(size).enumerate() {
            if let Some(constraint) = group.constraint
                && !(constraint.accepts)(op.context, ty)
            {
                let variadic = match group.kind {
                    GroupKind::Variadic | GroupKind::VariadicOfVariadic => "variadic of ",
                    GroupKind::Single | GroupKind::Optional => "",
                };
                let message = Message::from(format!(
                    "{what} #{} must be {variadic}{}, but got '",
                    start + index,
                    constraint.summary
                ));
                return Err(VerifyFailure::op(message.ty(ty).text("'")));
            }
        }
        start = start.saturating_add(size);
    }
    Ok(())
}

fn region_constraints(plan: &Plan<'_>, op: OperationIn<'_>) -> VerifyResult {
    let groups = &plan.regions.groups;
    // Only the last group can be of any number.
    let groups = groups
        .iter()
        .chain(std::iter::repeat_with(|| groups.last()).flatten());
    for ((number, region), group) in op.module.regions(op.operation).enumerate().zip(groups) {
        if !group.constraint.accepts(op.module.blocks(region)) {
            let name = match group.name {
                "" | "_" => String::new(),
                name => format!(" ('{name}')"),
            };
            return Err(VerifyFailure::op(format!(
                "region #{number}{name} failed to verify constraint: {}",
                group.constraint.summary()
            )));
        }
    }
    Ok(())
}

fn terminator(op: OperationIn<'_>) -> VerifyResult {
    let block = op.module.parent_block(op.operation);
    if block.and_then(|block| op.module.last_operation(block)) != Some(op.operation) {
        return Err(VerifyFailure::op(
            "must be the last operation in the parent block",
        ));
    }
    let region = block.and_then(|block| op.module.block_region(block));
    if op
        .module
        .successors(op.operation)
        .any(|successor| op.module.block_region(successor) != region)
    {
        return Err(VerifyFailure::plain(
            "reference to block defined in another region",
        ));
    }
    Ok(())
}

fn implicit_terminator(plan: &Plan<'_>, op: OperationIn<'_>) -> VerifyResult {
    let Some(expected) = plan.implicit_terminator else {
        return Ok(());
    };
    for region in op.module.regions(op.operation) {
        let Some(block) = op.module.first_block(region) else {
            continue;
        };
        let last = op.module.last_operation(block);
        let found = last.map(|last| op.context.operation_name_identifier(op.module.name(last)));
        if let Some(found) = found
            && op.context.bytes(found) != expected.as_bytes()
        {
            let message = format!(
                "expects regions to end with '{expected}', found '{}'",
                op.context.str(found)
            );
            let note =
                format!("in custom textual format, the absence of terminator implies '{expected}'");
            let location = op.module.location(op.operation);
            return Err(VerifyFailure::op(message).note(location, note));
        }
    }
    Ok(())
}
