//! Compiled formats of operations: a list of steps with jumps instead of a tree, with spaces
//! already decided, and rules in the order in which types are inferred.

use super::compile::Compiler;
use super::forms::{BuiltinKind, FixedType, Form, OwnType};
use super::segments::sizes_of;
use crate::lexer::TokenKind;
use foldhash::fast::RandomState;
use rmlir_ir::constraint::{AttributeIs, TypeConstraint};
use rmlir_ir::definition::{
    DialectDefinition, GroupDefinition, GroupKind, OperationDirective, Text, TypeFunction,
};
use rmlir_ir::{Attribute, Context, Identifier, OperationName, OperationTraits, Type};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The format of an operation's name in a context's release.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// The texts of literals.
    pub(crate) literals: Vec<Text>,
    pub(crate) operands: Groups,
    pub(crate) results: Groups,
    pub(crate) regions: Vec<GroupKind>,
    pub(crate) successors: Vec<GroupKind>,
    pub(crate) attributes: Vec<PlannedAttribute>,
    /// The rules that infer the types the text omits, each from types that are known before it.
    pub(crate) rules: Vec<(TypesIn, Rule)>,
    /// Whether the text has the operands as one list.
    pub(crate) all_operands: bool,
    /// Whether the text has a position for attributes that nothing else covers, unless an enclosing
    /// group is omitted.
    pub(crate) says_others: bool,
    /// Whether that position is in a directive.
    pub(crate) dictionary_by_code: bool,
    /// Whether the format is that of a later release, which is read and not printed.
    pub(crate) is_later: bool,
    /// Whether properties have a dictionary of their own.
    pub(crate) says_properties: bool,
    /// Whether that dictionary has attributes that equal their default values.
    pub(crate) keeps_defaults: bool,
    /// By region group: the step that prints and reads it.
    pub(crate) region_steps: Vec<usize>,
    /// For each group of regions, whether a directive precedes it and parses the arguments of its
    /// entry block.
    pub(crate) regions_of_directives: Vec<bool>,
    /// For each of these groups, whether the text omits a region without blocks.
    pub(crate) omitted_regions: Vec<bool>,
    /// For each group of regions: whether its terminators are always printed.
    pub(crate) shown_terminators: Vec<bool>,
    /// By region group: whether it is an anchor of an optional group.
    pub(crate) anchor_regions: Vec<bool>,
    /// The indices of the attributes by name, if there are many; determined at the first printing.
    pub(crate) attribute_numbers: OnceCell<HashMap<Identifier, usize, RandomState>>,
    /// Groups whose type must be of a kind, which upstream requires during parsing.
    pub(crate) builtin_kinds: Vec<(TypesIn, BuiltinKind)>,
    /// Groups from whose types others are computed, which upstream verifies before that.
    pub(crate) verified: Vec<VerifiedTypes>,
    pub(crate) terminator: Option<Text>,
    /// Whether its regions have just one block.
    pub(crate) single_block: bool,
    /// The types that [`FixedType::Own`] numbers.
    pub(crate) own_types: Vec<OwnType>,
    /// Dialects and mnemonics of types that are printed without these; no mnemonic if it is
    /// printed.
    pub(crate) stripped: Vec<(Arc<DialectDefinition>, Text)>,
    /// The attributes that encode the lengths of lists of operands.
    pub(crate) lengths: Vec<usize>,
    pub(crate) default_dialect: Text,
    /// The dialect in which attributes are defined.
    pub(crate) dialect: Arc<DialectDefinition>,
    /// Whether a step is for lists of operands or types.
    pub(crate) has_lists: bool,
    /// Whether what is printed depends on the operation: a step is a branch or a directive.
    pub(crate) has_choices: bool,
    /// Memoized facts about the properties that were printed last.
    pub(crate) fit: Cell<Option<Fit>>,
    /// The types that the format covers, in any branch.
    pub(crate) said_types: Vec<TypesIn>,
    /// Those of them that are lists, of which the parser requires at least one type.
    pub(crate) type_lists: Vec<TypesIn>,
    /// Whether the operation ends its block.
    pub(crate) is_terminator: bool,
    /// Whether a printed text can be parsed differently; determined at the first
    /// printing.
    pub(crate) is_ambiguous: OnceCell<bool>,
}

/// A group whose types the parser verifies.
#[derive(Debug)]
pub(crate) struct VerifiedTypes {
    pub(crate) types: TypesIn,
    pub(crate) name: Text,
    pub(crate) constraint: Arc<TypeConstraint>,
    /// The type that was last accepted, most likely also the next one.
    pub(crate) accepted: Cell<Option<Type>>,
}

/// Facts about an operation's properties that printing by a plan needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit {
    pub(crate) properties: Option<Attribute>,
    /// Whether each of them has the textual form that the format requires.
    pub(crate) fits: bool,
    /// Whether there are some that the format does not cover.
    pub(crate) has_others: bool,
}

/// Groups of operands or results.
#[derive(Debug)]
pub(crate) struct Groups {
    pub(crate) kinds: Vec<GroupKind>,
    /// For each group, the number of groups before it that are not single.
    variadic_before: Vec<usize>,
    /// The number of groups that are not single.
    pub(crate) variadic: usize,
    pub(crate) sizes: Sizes,
    pub(crate) segments: &'static str,
    /// The name of that attribute; `None` if the context has not met it.
    pub(crate) identifier: Option<Identifier>,
    /// The attribute of sizes that was last used, and the sums of its sizes up to each group, which
    /// end before a negative one.
    ends: RefCell<Option<(Attribute, Vec<usize>)>>,
}

/// How the lengths of groups are determined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sizes {
    /// One group takes the values that the others leave.
    Rest,
    /// All groups that are not single have the same length.
    Same,
    /// An attribute encodes them.
    Segments,
}

/// The groups to whose types an element refers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypesIn {
    Operands(usize),
    Results(usize),
    AllOperands,
    AllResults,
}

/// How types are inferred.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    /// They are always this type.
    Fixed(FixedType),
    /// They follow from the type of a group.
    Of(TypeFunction, TypesIn),
    /// They follow from that of an attribute.
    OfAttribute(TypeFunction, usize),
}

/// An inherent attribute or native property.
#[derive(Debug)]
pub(crate) struct PlannedAttribute {
    pub(crate) name: Text,
    /// Its name; `None` if the context has not met it, so that no operation has the attribute.
    pub(crate) identifier: Option<Identifier>,
    pub(crate) form: Form,
    /// The value required, if its form also has others.
    pub(crate) is: Option<Box<AttributeIs>>,
    pub(crate) required: bool,
    /// Whether its text can begin with `{`.
    pub(crate) may_be_dictionary: bool,
    /// Whether it is a native property.
    pub(crate) is_native: bool,
    /// The text of its default.
    pub(crate) default: Option<Text>,
    /// Whether the format covers it.
    pub(crate) said: bool,
    /// The value that was last compared with the default, and whether it equals the default.
    pub(crate) compared: Cell<Option<(Attribute, bool)>>,
    /// Memoizes whether attributes without the dialect's name and the mnemonic round-trip.
    pub(crate) reads_back: RefCell<HashMap<Attribute, bool, RandomState>>,
}

/// The elements that are parsed and printed. Kept small, since a text with many kinds of operations
/// fetches the steps of each repeatedly: larger data is boxed.
#[derive(Debug)]
pub(crate) enum Step {
    /// Text that is only printed: white space.
    Space,
    Newline,
    Literal {
        kind: TokenKind,
        /// The index of its text in [`Plan::literals`].
        token: u32,
        /// Whether a space precedes it.
        space: bool,
    },
    Operand(usize),
    /// Operands of a group in lists, whose lengths an attribute encodes.
    OperandLists(Box<Lists<usize>>),
    Operands,
    Attribute(usize),
    Region(usize),
    Successor(usize),
    Types(TypesIn),
    /// The type of a single group, without the dialect's name, and without the mnemonic; see
    /// [`Plan::stripped`].
    StrippedType(Box<(TypesIn, usize)>),
    /// The types of a group in such lists.
    TypeLists(Box<Lists<TypesIn>>),
    FunctionalType(Box<(TypesIn, TypesIn)>),
    Dictionary {
        keyword: bool,
    },
    /// The properties that the format does not cover: `<{...}>`, or `<...>` if `bare`.
    Properties {
        bare: bool,
    },
    Custom(Box<PlannedDirective>),
    Branch(Box<Branch>),
    Jump(usize),
    Clauses(Box<Clauses>),
    EndClause(Box<EndClause>),
}

/// A group, or its types, in lists.
#[derive(Debug)]
pub(crate) struct Lists<T> {
    pub(crate) of: T,
    /// The index in [`Plan::attributes`] of the attribute that encodes the length of each.
    pub(crate) lengths: usize,
}

/// A branch: continues with the next step if a group is present, otherwise at `otherwise`.
#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) first: First,
    pub(crate) anchor: Vec<Anchor>,
    /// Whether the group is present if the anchor is absent.
    pub(crate) inverted: bool,
    /// An attribute without text of its own that is present together with the group.
    pub(crate) unit: Option<usize>,
    pub(crate) otherwise: usize,
}

/// The end of a clause: when parsing, jumps back to the step of all clauses; when printing, on to
/// the next clause.
#[derive(Debug)]
pub(crate) struct EndClause {
    pub(crate) clauses: usize,
    pub(crate) next: usize,
}

/// Clauses in any order: parsing reads one and comes back until none is next; printing prints them
/// in sequence.
#[derive(Debug)]
pub(crate) struct Clauses {
    pub(crate) clauses: Vec<Clause>,
    pub(crate) end: usize,
}

#[derive(Debug)]
pub(crate) struct Clause {
    pub(crate) kind: TokenKind,
    pub(crate) token: Text,
    /// The step after the test of the clause's literal: a branch for printing.
    pub(crate) start: usize,
    pub(crate) unit: Option<usize>,
}

/// How the parser detects whether a group is present.
#[derive(Debug)]
pub(crate) enum First {
    Literal(TokenKind, Text),
    Operand,
    Attribute(usize),
    Region,
    Successor,
    Type,
    /// The directive in the next step determines it.
    Custom,
    /// By the tokens that the other branch begins with.
    Not(Box<First>),
}

/// The part of an operation that an anchor names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Anchor {
    Operands(usize),
    Results(usize),
    Attribute(usize),
    Region(usize),
    Successors(usize),
}

/// `custom<...>` with its arguments.
#[derive(Debug)]
pub(crate) struct PlannedDirective {
    pub(crate) directive: OperationDirective,
    pub(crate) arguments: Vec<PlannedArgument>,
}

#[derive(Debug)]
pub(crate) struct PlannedArgument {
    pub(crate) what: ArgumentKind,
    /// Whether it is in `ref`.
    pub(crate) is_reference: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ArgumentKind {
    Operands(usize),
    Types(TypesIn),
    Attribute(usize),
    Region(usize),
    Successors(usize),
    Dictionary,
    Text(Text),
}

/// A step is this small on purpose.
const _: () = assert!(size_of::<Step>() <= 16);

/// The reason why a format cannot be used: it covers too little, or uses something unknown here.
pub(crate) type NoPlan = String;

impl Groups {
    pub(super) fn new<'d>(
        context: &Context,
        groups: impl Iterator<Item = &'d GroupDefinition>,
        traits: OperationTraits,
        segments: OperationTraits,
        same: OperationTraits,
        name: &'static str,
    ) -> Self {
        let kinds: Vec<GroupKind> = groups.map(|group| group.kind).collect();
        let variadic = kinds.iter().filter(|k| **k != GroupKind::Single).count();
        let sizes = if traits.contains(segments) {
            Sizes::Segments
        } else if traits.contains(same) {
            Sizes::Same
        } else {
            Sizes::Rest
        };
        let mut before = 0usize;
        let variadic_before = kinds.iter().map(|kind| {
            let before_this = before;
            before = before.saturating_add(usize::from(*kind != GroupKind::Single));
            before_this
        });
        let variadic_before = variadic_before.collect();
        Groups {
            kinds,
            variadic_before,
            variadic,
            sizes,
            segments: name,
            identifier: context.find_identifier(name),
            ends: RefCell::default(),
        }
    }

    /// Returns the number of groups before a group that are not single.
    pub(crate) fn variadic_before(&self, group: usize) -> usize {
        let before = self.variadic_before.get(group).copied();
        before.unwrap_or(self.variadic)
    }

    /// Returns the members of a group by an attribute of sizes; `None` if it is none, or a size up
    /// to this group is negative. Memoized, because many operations of a name have equal sizes, and
    /// each asks for several groups.
    pub(crate) fn segment(
        &self,
        context: &Context,
        sizes: Attribute,
        group: usize,
    ) -> Option<Range<usize>> {
        let mut memo = self.ends.borrow_mut();
        let ends = match &mut *memo {
            Some((of, ends)) if *of == sizes => ends,
            memo => {
                let mut ends = memo.take().map(|(_, ends)| ends).unwrap_or_default();
                ends.clear();
                let mut sum = 0usize;
                let sums = sizes_of(context, sizes)?.map_while(|size| {
                    sum = sum.checked_add(size?)?;
                    Some(sum)
                });
                ends.extend(sums);
                &mut memo.insert((sizes, ends)).1
            }
        };
        let start = match group.checked_sub(1) {
            Some(before) => *ends.get(before)?,
            None => 0,
        };
        Some(start..*ends.get(group)?)
    }

    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(crate) fn kind(&self, group: usize) -> GroupKind {
        self.kinds.get(group).copied().unwrap_or_default()
    }
}

impl Plan {
    /// Returns the text of a literal.
    pub(crate) fn literal(&self, number: u32) -> &str {
        self.literals.get(number as usize).map_or("", |text| text)
    }

    /// Returns the attribute of that name.
    pub(crate) fn attribute_of(&self, name: Identifier) -> Option<&PlannedAttribute> {
        const FEW: usize = 16;
        let mut named = self.attributes.iter();
        if self.attributes.len() <= FEW {
            return named.find(|planned| planned.identifier == Some(name));
        }
        let numbers = self.attribute_numbers.get_or_init(|| {
            let mut numbers = HashMap::default();
            for (number, planned) in named.enumerate() {
                if let Some(name) = planned.identifier {
                    numbers.entry(name).or_insert(number);
                }
            }
            numbers
        });
        self.attributes.get(*numbers.get(&name)?)
    }

    /// Returns the plan of an operation whose definition has a format for the context's release, if
    /// any. If it has one of later releases only, that is read: an operation without custom syntax
    /// is printed in generic form by its own release.
    pub(crate) fn new(context: &Context, name: OperationName) -> Option<Result<Self, NoPlan>> {
        let definition = context.operation_definition(name)?;
        let own = definition.format(context.release());
        let release = context.release().number_in(definition.family);
        let later = || {
            let formats = definition.formats.iter();
            let later = formats.filter(|format| format.releases.first > release);
            later.min_by_key(|format| format.releases.first)
        };
        let format = own.or_else(later)?;
        let dialect = context.bytes(context.operation_dialect(name));
        let dialect = context.dialect(dialect)?;
        let plan = Compiler::new(context, definition, format, dialect).plan();
        Some(plan.map(|plan| Plan {
            is_later: own.is_none(),
            ..plan
        }))
    }
}
