//! Formats of operations, made ready: a list of steps with jumps instead of a tree, spaces already decided, and
//! rules in the order in which types are found.

use crate::lexer::{Lexer, TokenKind};
use rmlir_ir::definition::{
    DialectDefinition, DirectiveArgument, EnumDefinition, FormatElement, GroupDefinition,
    GroupKind, InherentAttribute, NativeProperty, OperationDefinition, OperationDirective,
    OperationElement, OperationFormat, Presence, PropertyBase, Text, TypeFunction,
    TypeRelationKind, TypesOf, VariableKind,
};
use rmlir_ir::{Attribute, Context, Identifier, OperationName, OperationTraits, Type};
use std::cell::Cell;
use std::sync::Arc;

/// The format of an operation's name in a context's release.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    pub(crate) operands: Groups,
    pub(crate) results: Groups,
    pub(crate) regions: Vec<GroupKind>,
    pub(crate) successors: Vec<GroupKind>,
    pub(crate) attributes: Vec<PlannedAttribute>,
    /// How the types are found that the text does not say, each by what is known before.
    pub(crate) rules: Vec<(TypesIn, Rule)>,
    /// Whether the text says the operands as one list.
    pub(crate) all_operands: bool,
    /// Whether properties have a dictionary of their own.
    pub(crate) says_properties: bool,
    /// By region group: the step that prints and reads it.
    pub(crate) region_steps: Vec<usize>,
    /// Groups whose type must be of a kind, which upstream asks for while it reads.
    pub(crate) builtin_kinds: Vec<(TypesIn, BuiltinKind)>,
    pub(crate) terminator: Option<Text>,
    /// Whether its regions have just one block.
    pub(crate) single_block: bool,
    /// What [`FixedType::Own`] numbers.
    pub(crate) own_types: Vec<OwnType>,
    pub(crate) default_dialect: Text,
    /// Where attributes of the dialect are defined.
    pub(crate) dialect: Arc<DialectDefinition>,
}

/// Groups of operands or results.
#[derive(Debug)]
pub(crate) struct Groups {
    pub(crate) kinds: Vec<GroupKind>,
    /// How many are not single.
    pub(crate) variadic: usize,
    pub(crate) sizes: Sizes,
    pub(crate) segments: &'static str,
    /// The name of that attribute; none if the context has not met it.
    pub(crate) identifier: Option<Identifier>,
}

/// How the lengths of groups are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sizes {
    /// One group takes what the others leave.
    Rest,
    /// All that are not single are equally long.
    Same,
    /// An attribute says them.
    Segments,
}

/// Groups whose types are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypesIn {
    Operands(usize),
    Results(usize),
    AllOperands,
    AllResults,
}

/// How types are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    /// They are always this.
    Fixed(FixedType),
    /// They follow from the type of a group.
    Of(TypeFunction, TypesIn),
    /// They follow from that of an attribute.
    OfAttribute(TypeFunction, usize),
}

/// Types that constraints say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FixedType {
    Integer(u32),
    Index,
    F32,
    F64,
    None,
    /// One that the dialect says, by its number in the plan.
    Own(usize),
}

/// A type that a definition says as text.
#[derive(Debug)]
pub(crate) struct OwnType {
    text: Text,
    /// The type, once it was met.
    found: Cell<Option<Type>>,
}

impl OwnType {
    fn get(&self, context: &mut Context) -> Option<Type> {
        if self.found.get().is_none() {
            let parsed = crate::parser::parse_type(context, self.text.as_bytes());
            self.found.set(parsed.ok());
        }
        self.found.get()
    }

    fn is(&self, context: &Context, ty: Type) -> bool {
        match self.found.get() {
            Some(found) => found == ty,
            None => {
                let same = crate::printer::type_to_string(context, ty) == *self.text;
                if same {
                    self.found.set(Some(ty));
                }
                same
            }
        }
    }
}

impl FixedType {
    pub(crate) fn get(self, context: &mut Context, own: &[OwnType]) -> Type {
        match self {
            FixedType::Own(number) => {
                let ty = own.get(number).and_then(|own| own.get(context));
                ty.unwrap_or_else(|| context.none_type())
            }
            FixedType::Integer(width) => context.integer_type(width),
            FixedType::Index => context.index_type(),
            FixedType::F32 => context.f32_type(),
            FixedType::F64 => context.f64_type(),
            FixedType::None => context.none_type(),
        }
    }

    /// Whether a type is this one.
    pub(crate) fn is(self, context: &Context, own: &[OwnType], ty: Type) -> bool {
        match self {
            FixedType::Own(number) => own.get(number).is_some_and(|own| own.is(context, ty)),
            FixedType::Integer(bits) => {
                matches!(context.type_kind(ty), rmlir_ir::TypeKind::Integer {
                    width, signedness: rmlir_ir::Signedness::Signless,
                } if *width == bits)
            }
            FixedType::Index => ty == context.index_type(),
            FixedType::F32 => ty == context.f32_type(),
            FixedType::F64 => ty == context.f64_type(),
            FixedType::None => ty == context.none_type(),
        }
    }
}

/// Constraints of types that just one type keeps.
const FIXED_TYPES: &[(&str, FixedType)] = &[
    ("F32", FixedType::F32),
    ("F64", FixedType::F64),
    ("I1", FixedType::Integer(1)),
    ("I16", FixedType::Integer(16)),
    ("I32", FixedType::Integer(32)),
    ("I64", FixedType::Integer(64)),
    ("I8", FixedType::Integer(8)),
    ("Index", FixedType::Index),
    ("NoneType", FixedType::None),
];

/// Kinds of builtin types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BuiltinKind {
    Integer,
    RankedTensor,
    Vector,
}

impl BuiltinKind {
    /// The kind as upstream's messages name it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            BuiltinKind::Integer => "builtin.integer",
            BuiltinKind::RankedTensor => "builtin.tensor",
            BuiltinKind::Vector => "builtin.vector",
        }
    }

    /// Whether a type is of this kind.
    pub(crate) fn is(self, context: &Context, ty: Type) -> bool {
        match context.type_kind(ty) {
            rmlir_ir::TypeKind::Integer { .. } => self == BuiltinKind::Integer,
            rmlir_ir::TypeKind::RankedTensor { .. } => self == BuiltinKind::RankedTensor,
            rmlir_ir::TypeKind::Vector { .. } => self == BuiltinKind::Vector,
            _ => false,
        }
    }
}

/// Constraints of types that only types of a kind keep.
const BUILTIN_KINDS: &[(&str, BuiltinKind)] = &[
    ("AnyRankedTensor", BuiltinKind::RankedTensor),
    ("AnySignlessInteger", BuiltinKind::Integer),
    ("AnyStaticShapeTensor", BuiltinKind::RankedTensor),
    ("LLVM_AnyVector", BuiltinKind::Vector),
];

/// Constraints of attributes whose type the text leaves out.
const TYPED_ATTRIBUTES: &[(&str, FixedType)] = &[
    ("DimensionAttr", FixedType::Index),
    ("F32Attr", FixedType::F32),
    ("F64Attr", FixedType::F64),
    ("I16Attr", FixedType::Integer(16)),
    ("I1Attr", FixedType::Integer(1)),
    ("I32Attr", FixedType::Integer(32)),
    ("I64Attr", FixedType::Integer(64)),
    ("I8Attr", FixedType::Integer(8)),
    ("IndexAttr", FixedType::Index),
    ("LevelAttr", FixedType::Index),
];

/// Constraints of arrays of numbers.
const ARRAYS: &[(&str, FixedType)] = &[
    ("DenseBoolArrayAttr", FixedType::Integer(1)),
    ("DenseF32ArrayAttr", FixedType::F32),
    ("DenseF64ArrayAttr", FixedType::F64),
    ("DenseI16ArrayAttr", FixedType::Integer(16)),
    ("DenseI32ArrayAttr", FixedType::Integer(32)),
    ("DenseI64ArrayAttr", FixedType::Integer(64)),
    ("DenseI8ArrayAttr", FixedType::Integer(8)),
];

fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// An inherent attribute or native property.
#[derive(Debug)]
pub(crate) struct PlannedAttribute {
    pub(crate) name: Text,
    /// Its name; none if the context has not met it, so that no operation has the attribute.
    pub(crate) identifier: Option<Identifier>,
    pub(crate) form: Form,
    pub(crate) required: bool,
    /// The text of its default.
    pub(crate) default: Option<Text>,
    /// Whether the format says it.
    pub(crate) said: bool,
    /// What was compared with the default last, and whether it is that.
    pub(crate) compared: Cell<Option<(Attribute, bool)>>,
}

/// How an attribute is spelled where a format says it.
#[derive(Debug)]
pub(crate) enum Form {
    /// As an attribute.
    Any,
    /// A number without its type.
    Typed(FixedType),
    /// An attribute of a dialect without its name and the mnemonic.
    Stripped(Arc<DialectDefinition>, Text),
    /// Numbers in square brackets.
    Array(FixedType),
    /// The keyword of a member; of several at once in quotes.
    Enumeration(EnumDefinition),
    /// The keywords of members.
    Members(EnumDefinition),
    /// `@name`.
    Symbol,
    /// Only whether it is there.
    Unit,
    /// As an attribute, which begins with such a token.
    Token(TokenKind),
}

/// What is read and printed.
#[derive(Debug)]
pub(crate) enum Step {
    /// Text that is only printed: white space.
    Space,
    Newline,
    Literal {
        kind: TokenKind,
        token: Text,
        /// Whether a space comes before it.
        space: bool,
    },
    Operand(usize),
    Operands,
    Attribute(usize),
    Region(usize),
    Successor(usize),
    Types(TypesIn),
    FunctionalType(TypesIn, TypesIn),
    Dictionary {
        keyword: bool,
    },
    Properties,
    Custom(Box<PlannedDirective>),
    /// Goes on behind if the group is there, else at `otherwise`.
    Branch {
        first: First,
        anchor: Vec<Anchor>,
        /// Whether the group is there if the anchor is not.
        inverted: bool,
        /// An attribute without text of its own that is there with the group.
        unit: Option<usize>,
        otherwise: usize,
    },
    Jump(usize),
    /// Clauses in any order: reads one and comes back until none is next; printed one behind the other.
    Clauses {
        clauses: Vec<Clause>,
        end: usize,
    },
    /// The end of a clause: back to the step of all when read, on to the next clause when printed.
    EndClause {
        clauses: usize,
        next: usize,
    },
}

#[derive(Debug)]
pub(crate) struct Clause {
    pub(crate) kind: TokenKind,
    pub(crate) token: Text,
    /// The step behind the clause's literal's test: a branch for printing.
    pub(crate) start: usize,
    pub(crate) unit: Option<usize>,
}

/// How it is seen in a text whether a group is there.
#[derive(Debug)]
pub(crate) enum First {
    Literal(TokenKind, Text),
    Operand,
    Attribute(usize),
    Region,
    Successor,
    Type,
    /// The directive in the next step says it.
    Custom,
    /// By what the other branch begins with.
    Not(Box<First>),
}

/// What an anchor names.
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
    Successors(usize),
    Dictionary,
    Text(Text),
}

/// Why a format cannot be used: it says too little, or what is not known here.
pub(crate) type NoPlan = String;

impl Groups {
    fn new<'d>(
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
        Groups {
            kinds,
            variadic,
            sizes,
            segments: name,
            identifier: context.find_identifier(name),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(crate) fn kind(&self, group: usize) -> GroupKind {
        self.kinds.get(group).copied().unwrap_or_default()
    }
}

impl Plan {
    /// The plan of an operation whose definition has a format for the context's release; none without one.
    pub(crate) fn new(context: &Context, name: OperationName) -> Option<Result<Self, NoPlan>> {
        let definition = context.operation_definition(name)?;
        let format = definition.format(context.release())?;
        let dialect = context.bytes(context.operation_dialect(name));
        let dialect = context.dialect(dialect)?;
        Some(Compiler::new(context, definition, format, dialect).plan())
    }
}

struct Compiler<'d> {
    context: &'d Context,
    definition: &'d OperationDefinition,
    format: &'d OperationFormat,
    plan: Plan,
    operand_groups: Vec<&'d GroupDefinition>,
    result_groups: Vec<&'d GroupDefinition>,
    region_names: Vec<&'d str>,
    successor_names: Vec<&'d str>,
    /// Upstream's state of spaces: whether a space comes before the next element, and whether the last was
    /// punctuation. It goes through all groups, whether they are there or not.
    space: bool,
    punctuation: bool,
    /// Types that the format says.
    said: Vec<TypesIn>,
}

impl<'d> Compiler<'d> {
    fn new(
        context: &'d Context,
        definition: &'d OperationDefinition,
        format: &'d OperationFormat,
        dialect: Arc<DialectDefinition>,
    ) -> Self {
        let release = context.release();
        let traits = definition.traits(release);
        let groups = |groups: &'d [GroupDefinition]| definition.groups_in(groups, release);
        let operands = Groups::new(
            context,
            groups(&definition.operands),
            traits,
            OperationTraits::ATTRIBUTE_SIZED_OPERANDS,
            OperationTraits::SAME_VARIADIC_OPERAND_SIZE,
            rmlir_ir::definition::OPERAND_SEGMENT_SIZES,
        );
        let results = Groups::new(
            context,
            groups(&definition.results),
            traits,
            OperationTraits::ATTRIBUTE_SIZED_RESULTS,
            OperationTraits::SAME_VARIADIC_RESULT_SIZE,
            rmlir_ir::definition::RESULT_SEGMENT_SIZES,
        );
        let kinds =
            |list: &'d [GroupDefinition]| groups(list).map(|group| group.kind).collect::<Vec<_>>();
        let names = |list: &'d [GroupDefinition]| {
            groups(list).map(|group| &*group.name).collect::<Vec<_>>()
        };
        let mut attributes: Vec<PlannedAttribute> = Vec::new();
        for attribute in definition.attributes_in(release) {
            attributes.push(PlannedAttribute {
                name: attribute.name.clone(),
                identifier: context.find_identifier(attribute.name.as_bytes()),
                form: form(context, &dialect, attribute),
                required: attribute.presence == Presence::Required,
                default: attribute.default.clone(),
                said: false,
                compared: Cell::new(None),
            });
        }
        for property in definition.properties_in(release) {
            attributes.push(PlannedAttribute {
                name: property.name.clone(),
                identifier: context.find_identifier(property.name.as_bytes()),
                form: property_form(context, &dialect, property),
                required: false,
                default: property.default.clone(),
                said: false,
                compared: Cell::new(None),
            });
        }
        let regions = kinds(&definition.regions);
        let plan = Plan {
            steps: Vec::new(),
            operands,
            results,
            region_steps: vec![usize::MAX; regions.len()],
            regions,
            successors: kinds(&definition.successors),
            attributes,
            rules: Vec::new(),
            builtin_kinds: Vec::new(),
            all_operands: false,
            says_properties: false,
            own_types: Vec::new(),
            terminator: definition
                .implicit_terminator(release)
                .map(|name| Text::Owned(name.to_owned())),
            single_block: traits.contains(OperationTraits::SINGLE_BLOCK),
            default_dialect: definition.default_dialect.clone(),
            dialect,
        };
        Compiler {
            context,
            definition,
            format,
            plan,
            operand_groups: groups(&definition.operands).collect(),
            result_groups: groups(&definition.results).collect(),
            region_names: names(&definition.regions),
            successor_names: names(&definition.successors),
            space: true,
            punctuation: false,
            said: Vec::new(),
        }
    }

    fn plan(mut self) -> Result<Plan, NoPlan> {
        let format = self.format;
        self.elements(&format.format.elements, None)?;
        self.types()?;
        Ok(self.plan)
    }

    fn push(&mut self, step: Step) -> usize {
        self.plan.steps.push(step);
        self.plan.steps.len().saturating_sub(1)
    }

    fn next(&self) -> usize {
        self.plan.steps.len()
    }

    /// Recurses on groups of the definition, which are few. `elided` is a variable that has no text here.
    fn elements(
        &mut self,
        elements: &'d [FormatElement],
        elided: Option<usize>,
    ) -> Result<(), NoPlan> {
        for element in elements {
            if let (FormatElement::Parameter(place), Some(elided)) = (element, elided)
                && *place == elided
            {
                continue;
            }
            self.element(element)?;
        }
        Ok(())
    }

    fn element(&mut self, element: &'d FormatElement) -> Result<(), NoPlan> {
        match element {
            FormatElement::Literal(text) => {
                self.literal(text);
                Ok(())
            }
            FormatElement::Space(space) => {
                if *space {
                    self.push(Step::Space);
                }
                self.punctuation = !*space;
                self.space = false;
                Ok(())
            }
            FormatElement::Parameter(place) | FormatElement::Qualified(place) => {
                let qualified = matches!(element, FormatElement::Qualified(_));
                self.before_value();
                self.variable(*place, qualified)
            }
            FormatElement::Group(group) => self.group(group),
            FormatElement::Operation(element) => self.operation_element(element),
            FormatElement::Parameters(_) | FormatElement::Struct(_) | FormatElement::Custom(_) => {
                Err("an element of attributes and types".to_owned())
            }
        }
    }

    fn operation_element(&mut self, element: &'d OperationElement) -> Result<(), NoPlan> {
        match element {
            OperationElement::AttributeDictionary { keyword } => {
                self.push(Step::Dictionary { keyword: *keyword });
                self.punctuation = false;
                return Ok(());
            }
            OperationElement::PropertyDictionary => {
                self.plan.says_properties = true;
                self.push(Step::Properties);
                self.punctuation = false;
                return Ok(());
            }
            OperationElement::Newline => {
                // As upstream, this changes nothing of what comes before the next element.
                self.push(Step::Newline);
                return Ok(());
            }
            OperationElement::Clauses(clauses) => return self.clauses(clauses),
            _ => {}
        }
        self.before_value();
        match element {
            OperationElement::Type(types) => {
                let types = self.types_in(*types)?;
                self.push(Step::Types(types));
            }
            OperationElement::FunctionalType(inputs, results) => {
                let (inputs, results) = (self.types_in(*inputs)?, self.types_in(*results)?);
                self.push(Step::FunctionalType(inputs, results));
            }
            OperationElement::Operands => {
                self.plan.all_operands = true;
                self.push(Step::Operands);
            }
            OperationElement::Regions => {
                for region in 0..self.plan.regions.len() {
                    if region > 0 {
                        self.literal(&Text::Borrowed(","));
                        self.before_value();
                    }
                    let step = self.push(Step::Region(region));
                    if let Some(slot) = self.plan.region_steps.get_mut(region) {
                        *slot = step;
                    }
                }
            }
            OperationElement::Successors => {
                for successor in 0..self.plan.successors.len() {
                    if successor > 0 {
                        self.literal(&Text::Borrowed(","));
                        self.before_value();
                    }
                    self.push(Step::Successor(successor));
                }
            }
            OperationElement::Custom(directive) => self.directive(directive)?,
            _ => {}
        }
        Ok(())
    }

    /// Upstream's rules of spaces around punctuation.
    fn literal(&mut self, text: &Text) {
        let first = text.bytes().next().unwrap_or(b' ');
        let single = text.len() == 1;
        let takes_space = if !single && *text != "->" {
            true
        } else if self.punctuation {
            !b">)}],".contains(&first)
        } else {
            !b"<>(){}[],".contains(&first)
        };
        let space = self.space && takes_space;
        self.push(Step::Literal {
            kind: token_kind(text),
            token: text.clone(),
            space,
        });
        self.space = !single || !b"<({[".contains(&first);
        self.punctuation = first != b'_' && !first.is_ascii_alphabetic();
    }

    fn before_value(&mut self) {
        if self.space || !self.punctuation {
            self.push(Step::Space);
        }
        self.space = true;
        self.punctuation = false;
    }

    fn name_of(&self, place: usize) -> Result<(VariableKind, &'d str), NoPlan> {
        let variable = self.format.variables.get(place);
        let variable = variable.ok_or_else(|| "a variable too many".to_owned())?;
        Ok((variable.kind, &variable.name))
    }

    fn variable(&mut self, place: usize, qualified: bool) -> Result<(), NoPlan> {
        let step = match self.anchor(place)? {
            Anchor::Operands(group) => Step::Operand(group),
            Anchor::Attribute(attribute) => {
                if let Some(planned) = self.plan.attributes.get_mut(attribute) {
                    planned.said = true;
                    if qualified && matches!(planned.form, Form::Stripped(..)) {
                        planned.form = Form::Any;
                    }
                }
                Step::Attribute(attribute)
            }
            Anchor::Region(region) => {
                let step = self.next();
                if let Some(slot) = self.plan.region_steps.get_mut(region) {
                    *slot = step;
                }
                Step::Region(region)
            }
            Anchor::Successors(successor) => Step::Successor(successor),
            Anchor::Results(_) => return Err("results have no text".to_owned()),
        };
        self.push(step);
        Ok(())
    }

    /// What a variable is in this release.
    fn anchor(&self, place: usize) -> Result<Anchor, NoPlan> {
        let (kind, name) = self.name_of(place)?;
        let group = |groups: &[&'d GroupDefinition]| groups.iter().position(|g| g.name == name);
        let named = |names: &[&str]| names.iter().position(|n| *n == name);
        let found = match kind {
            VariableKind::Operand => group(&self.operand_groups).map(Anchor::Operands),
            VariableKind::Result => group(&self.result_groups).map(Anchor::Results),
            VariableKind::Attribute | VariableKind::Property => {
                self.attribute(name).map(Anchor::Attribute)
            }
            VariableKind::Region => named(&self.region_names).map(Anchor::Region),
            VariableKind::Successor => named(&self.successor_names).map(Anchor::Successors),
        };
        found.ok_or_else(|| format!("'{name}' is not there in this release"))
    }

    fn attribute(&self, name: &str) -> Option<usize> {
        self.plan.attributes.iter().position(|a| a.name == name)
    }

    fn types_in(&mut self, types: TypesOf) -> Result<TypesIn, NoPlan> {
        let types = self.types_of(types)?;
        self.said.push(types);
        Ok(types)
    }

    fn types_of(&self, types: TypesOf) -> Result<TypesIn, NoPlan> {
        Ok(match types {
            TypesOf::Operands => TypesIn::AllOperands,
            TypesOf::Results => TypesIn::AllResults,
            TypesOf::Group(place) => match self.anchor(place)? {
                Anchor::Operands(group) => TypesIn::Operands(group),
                Anchor::Results(group) => TypesIn::Results(group),
                _ => return Err("only operands and results have types".to_owned()),
            },
        })
    }

    fn directive(&mut self, directive: &'d OperationDirective) -> Result<(), NoPlan> {
        if directive.hook.is_none() {
            return Err(format!(
                "the syntax '{}.{}' is code that this build does not have",
                self.plan.dialect.name, directive.name
            ));
        }
        let mut arguments = Vec::new();
        for argument in &directive.arguments {
            let is_reference = matches!(
                argument,
                DirectiveArgument::Reference(_) | DirectiveArgument::TypeReference(_)
            );
            let what = match argument {
                DirectiveArgument::Variable(place) | DirectiveArgument::Reference(place) => {
                    match self.anchor(*place)? {
                        Anchor::Operands(group) => ArgumentKind::Operands(group),
                        Anchor::Attribute(attribute) => {
                            if let Some(planned) = self.plan.attributes.get_mut(attribute) {
                                planned.said = true;
                            }
                            ArgumentKind::Attribute(attribute)
                        }
                        Anchor::Successors(group) => ArgumentKind::Successors(group),
                        Anchor::Region(_) | Anchor::Results(_) => {
                            return Err("directives with regions".to_owned());
                        }
                    }
                }
                DirectiveArgument::Type(types) => ArgumentKind::Types(self.types_in(*types)?),
                DirectiveArgument::TypeReference(types) => {
                    ArgumentKind::Types(self.types_of(*types)?)
                }
                DirectiveArgument::AttributeDictionary => ArgumentKind::Dictionary,
                DirectiveArgument::Text(text) => ArgumentKind::Text(text.clone()),
            };
            arguments.push(PlannedArgument { what, is_reference });
        }
        self.push(Step::Custom(Box::new(PlannedDirective {
            directive: directive.clone(),
            arguments,
        })));
        Ok(())
    }

    fn group(&mut self, group: &'d rmlir_ir::definition::OptionalGroup) -> Result<(), NoPlan> {
        let anchor: Result<Vec<Anchor>, NoPlan> = group
            .anchor
            .iter()
            .map(|&place| self.anchor(place))
            .collect();
        let anchor = anchor?;
        let (elided, unit) = match (group.anchor.as_slice(), anchor.as_slice()) {
            ([place], [Anchor::Attribute(attribute)])
                if self.is_unit(*attribute)
                    && !is_parameter(group.then.first(), *place)
                    && !is_parameter(group.otherwise.first(), *place) =>
            {
                if let Some(planned) = self.plan.attributes.get_mut(*attribute) {
                    planned.said = true;
                }
                (Some(*place), Some(*attribute))
            }
            _ => (None, None),
        };
        let first = match (self.first(&group.then)?, self.first(&group.otherwise)?) {
            (Some(first), _) => first,
            (None, Some(first)) => First::Not(Box::new(first)),
            (None, None) => return Err("an optional group that nothing is seen of".to_owned()),
        };
        // The anchor's attribute is there with the branch that the anchor is in.
        let unit_then = if group.inverted { None } else { unit };
        let branch = self.push(Step::Branch {
            first,
            anchor,
            inverted: group.inverted,
            unit: unit_then,
            otherwise: 0,
        });
        self.elements(&group.then, elided)?;
        let mut after_then = self.next();
        if !group.otherwise.is_empty() {
            let jump = self.push(Step::Jump(0));
            after_then = self.next();
            self.elements(&group.otherwise, elided)?;
            let end = self.next();
            if let Some(Step::Jump(to)) = self.plan.steps.get_mut(jump) {
                *to = end;
            }
        }
        if let Some(Step::Branch { otherwise, .. }) = self.plan.steps.get_mut(branch) {
            *otherwise = after_then;
        }
        Ok(())
    }

    fn is_unit(&self, attribute: usize) -> bool {
        let planned = self.plan.attributes.get(attribute);
        planned.is_some_and(|planned| matches!(planned.form, Form::Unit))
    }

    /// How it is seen that elements come next.
    fn first(&self, elements: &'d [FormatElement]) -> Result<Option<First>, NoPlan> {
        let mut elements = elements.iter();
        let first = elements.find(|e| !matches!(e, FormatElement::Space(_)));
        Ok(Some(match first {
            None => return Ok(None),
            Some(FormatElement::Literal(text)) => First::Literal(token_kind(text), text.clone()),
            Some(FormatElement::Parameter(place) | FormatElement::Qualified(place)) => {
                match self.anchor(*place)? {
                    Anchor::Operands(_) => First::Operand,
                    Anchor::Attribute(attribute) => First::Attribute(attribute),
                    Anchor::Region(_) => First::Region,
                    Anchor::Successors(_) => First::Successor,
                    Anchor::Results(_) => return Err("results have no text".to_owned()),
                }
            }
            Some(FormatElement::Operation(OperationElement::Custom(_))) => First::Custom,
            Some(FormatElement::Operation(OperationElement::Type(_))) => First::Type,
            Some(FormatElement::Operation(OperationElement::Operands)) => First::Operand,
            Some(_) => {
                return Err("an optional group that begins with an unusual element".to_owned());
            }
        }))
    }

    fn clauses(&mut self, clauses: &'d [Vec<FormatElement>]) -> Result<(), NoPlan> {
        let all = self.push(Step::Clauses {
            clauses: Vec::new(),
            end: 0,
        });
        let mut planned = Vec::new();
        for clause in clauses {
            let Some(FormatElement::Literal(word)) = clause.first() else {
                return Err("a clause begins with a literal".to_owned());
            };
            let mut anchor = Vec::new();
            for element in clause {
                match element {
                    FormatElement::Parameter(place) | FormatElement::Qualified(place) => {
                        anchor.push(self.anchor(*place)?);
                    }
                    FormatElement::Operation(OperationElement::Custom(directive)) => {
                        for argument in &directive.arguments {
                            if let DirectiveArgument::Variable(place) = argument {
                                anchor.push(self.anchor(*place)?);
                            }
                        }
                    }
                    _ => {}
                }
            }
            let mut unit = None;
            if let (2, Some(FormatElement::Parameter(_)), [Anchor::Attribute(attribute)]) =
                (clause.len(), clause.get(1), anchor.as_slice())
                && self.is_unit(*attribute)
            {
                unit = Some(*attribute);
                if let Some(planned) = self.plan.attributes.get_mut(*attribute) {
                    planned.said = true;
                }
            }
            let start = self.push(Step::Branch {
                first: First::Literal(token_kind(word), word.clone()),
                anchor,
                inverted: false,
                unit,
                otherwise: 0,
            });
            planned.push(Clause {
                kind: token_kind(word),
                token: word.clone(),
                start,
                unit,
            });
            let elements = if unit.is_some() {
                clause.get(..1).unwrap_or_default()
            } else {
                clause
            };
            self.elements(elements, None)?;
            let next = self.next().saturating_add(1);
            self.push(Step::EndClause { clauses: all, next });
            if let Some(Step::Branch { otherwise, .. }) = self.plan.steps.get_mut(start) {
                *otherwise = next;
            }
        }
        let last = self.next();
        if let Some(Step::Clauses { clauses, end }) = self.plan.steps.get_mut(all) {
            *clauses = planned;
            *end = last;
        }
        Ok(())
    }

    // Types.

    /// Finds a rule for every type that the format does not say.
    fn types(&mut self) -> Result<(), NoPlan> {
        for (groups, types) in [
            (
                &self.operand_groups,
                TypesIn::Operands as fn(usize) -> TypesIn,
            ),
            (&self.result_groups, TypesIn::Results),
        ] {
            let kinds = groups.iter().enumerate().filter_map(|(number, group)| {
                Some((types(number), find(BUILTIN_KINDS, &group.constraint)?))
            });
            self.plan.builtin_kinds.extend(kinds);
        }
        let mut known: Vec<TypesIn> = Vec::new();
        let (operands, results) = (self.plan.operands.len(), self.plan.results.len());
        for said in self.said.clone() {
            match said {
                TypesIn::AllOperands => known.extend((0..operands).map(TypesIn::Operands)),
                TypesIn::AllResults => known.extend((0..results).map(TypesIn::Results)),
                one => known.push(one),
            }
        }
        let all: Vec<TypesIn> = (0..operands)
            .map(TypesIn::Operands)
            .chain((0..results).map(TypesIn::Results))
            .collect();
        let relations = self.relations();
        self.follow(&all, &relations, &mut known);
        for &types in &all {
            if known.contains(&types) {
                continue;
            }
            let constraint = match types {
                TypesIn::Operands(group) => self.operand_groups.get(group),
                TypesIn::Results(group) => self.result_groups.get(group),
                _ => None,
            };
            let constraint = constraint.map_or("", |group| &*group.constraint);
            if let Some(fixed) = self.fixed_type(constraint) {
                self.plan.rules.push((types, Rule::Fixed(fixed)));
                known.push(types);
            }
        }
        self.follow(&all, &relations, &mut known);
        match all.iter().find(|types| !known.contains(types)) {
            None => Ok(()),
            Some(&types) => Err(self.untyped(types)),
        }
    }

    /// That types are open.
    fn untyped(&self, types: TypesIn) -> NoPlan {
        let (what, number, groups) = match types {
            TypesIn::Operands(group) => ("operands", group, &self.operand_groups),
            TypesIn::Results(group) => ("results", group, &self.result_groups),
            TypesIn::AllOperands => return "nothing says the types of operands".to_owned(),
            TypesIn::AllResults => return "nothing says the types of results".to_owned(),
        };
        match groups.get(number).map_or("", |group| &*group.name) {
            "" => format!("nothing says the types of {what} of group {number}"),
            name => format!("nothing says the types of {what} '{name}'"),
        }
    }

    /// The one type that keeps a constraint.
    fn fixed_type(&mut self, constraint: &str) -> Option<FixedType> {
        if let Some(fixed) = find(FIXED_TYPES, constraint) {
            return Some(fixed);
        }
        let text = self.plan.dialect.fixed_type(constraint)?.into();
        let own = &mut self.plan.own_types;
        own.push(OwnType {
            text,
            found: Cell::new(None),
        });
        Some(FixedType::Own(own.len().saturating_sub(1)))
    }

    /// Adds rules that follow from what is known, until nothing more does.
    fn follow(&mut self, all: &[TypesIn], relations: &[(TypesIn, Rule)], known: &mut Vec<TypesIn>) {
        loop {
            let before = known.len();
            for &types in all {
                if known.contains(&types) {
                    continue;
                }
                let usable = |rule: &&(TypesIn, Rule)| {
                    rule.0 == types
                        && match rule.1 {
                            Rule::Of(_, source) => known.contains(&source),
                            _ => true,
                        }
                };
                if let Some(&rule) = relations.iter().find(usable) {
                    self.plan.rules.push(rule);
                    known.push(types);
                }
            }
            if known.len() == before {
                return;
            }
        }
    }

    /// The rules that traits, relations and derivations say.
    fn relations(&self) -> Vec<(TypesIn, Rule)> {
        let release = self.context.release();
        let mut rules = Vec::new();
        let traits = self.definition.traits(release);
        let operands = (0..self.plan.operands.len()).map(TypesIn::Operands);
        let results = (0..self.plan.results.len()).map(TypesIn::Results);
        if traits.contains(OperationTraits::SAME_OPERANDS_AND_RESULT_TYPE) {
            let groups: Vec<TypesIn> = operands.clone().chain(results).collect();
            all_same(&groups, &mut rules);
        }
        if traits.contains(OperationTraits::SAME_TYPE_OPERANDS) {
            all_same(&operands.collect::<Vec<_>>(), &mut rules);
        }
        let relations = self.definition.relations_in(release);
        for relation in relations.filter(|r| r.kind == TypeRelationKind::Types) {
            let names = relation.groups.iter();
            let groups: Vec<TypesIn> = names.clone().filter_map(|n| self.named(n)).collect();
            if groups.iter().all(|&group| self.is_variadic(group)) {
                all_follow(TypeFunction::Each, &groups, &mut rules);
            } else {
                all_same(&groups, &mut rules);
            }
            for attribute in names.filter_map(|name| self.attribute(name)) {
                let rule = Rule::OfAttribute(TypeFunction::Same, attribute);
                rules.extend(groups.iter().map(|&group| (group, rule)));
            }
        }
        for derivation in self.definition.derivations_in(release) {
            let function = derivation.function;
            let rule = match self.named(&derivation.source) {
                Some(source) => Some(Rule::Of(function, source)),
                None => self
                    .attribute(&derivation.source)
                    .map(|attribute| Rule::OfAttribute(function, attribute)),
            };
            if let (Some(target), Some(rule)) = (self.named(&derivation.target), rule) {
                rules.push((target, rule));
            }
        }
        rules
    }

    /// Whether a group can have several members.
    fn is_variadic(&self, group: TypesIn) -> bool {
        let kind = match group {
            TypesIn::Operands(group) => self.plan.operands.kind(group),
            TypesIn::Results(group) => self.plan.results.kind(group),
            TypesIn::AllOperands | TypesIn::AllResults => return true,
        };
        matches!(kind, GroupKind::Variadic | GroupKind::VariadicOfVariadic)
    }

    /// The group of operands or results of a name.
    fn named(&self, name: &str) -> Option<TypesIn> {
        let operands = self.operand_groups.iter().position(|g| g.name == name);
        let results = self.result_groups.iter().position(|g| g.name == name);
        operands
            .map(TypesIn::Operands)
            .or(results.map(TypesIn::Results))
    }
}

/// Each of some groups has the type of any other.
fn all_same(groups: &[TypesIn], rules: &mut Vec<(TypesIn, Rule)>) {
    all_follow(TypeFunction::Same, groups, rules);
}

/// The types of each of some groups follow so from those of any other.
fn all_follow(function: TypeFunction, groups: &[TypesIn], rules: &mut Vec<(TypesIn, Rule)>) {
    for &a in groups {
        let others = groups.iter().filter(|&&b| a != b);
        rules.extend(others.map(|&b| (a, Rule::Of(function, b))));
    }
}

/// The kind of token that a literal is.
fn token_kind(text: &str) -> TokenKind {
    Lexer::new(text.as_bytes()).next_token().kind
}

fn is_parameter(element: Option<&FormatElement>, place: usize) -> bool {
    matches!(element, Some(FormatElement::Parameter(p)) if *p == place)
}

/// How a native property is spelled.
fn property_form(
    context: &Context,
    dialect: &Arc<DialectDefinition>,
    property: &NativeProperty,
) -> Form {
    let of_enumeration =
        crate::entries::find_enumeration(context, dialect, &property.enumeration, |enumeration| {
            Some(enumeration.clone())
        });
    match (of_enumeration, &*property.kind.wrappers, property.kind.base) {
        (Some(enumeration), ..) => Form::Members(enumeration),
        (None, [], PropertyBase::Integer { width }) => Form::Typed(FixedType::Integer(width)),
        (None, [], PropertyBase::String) => Form::Token(TokenKind::String),
        (None, [], PropertyBase::Unit) => Form::Unit,
        _ => Form::Any,
    }
}

/// How an inherent attribute is spelled.
fn form(
    context: &Context,
    dialect: &Arc<DialectDefinition>,
    attribute: &InherentAttribute,
) -> Form {
    let constraint = &*attribute.constraint;
    // An enumeration of another dialect comes with that dialect's attribute.
    let other = attribute.enumeration.split_once('.');
    let home = other.and_then(|(name, _)| context.dialect(name.as_bytes()));
    let home = home.as_ref().unwrap_or(dialect);
    let number = context.release().number_in(home.family);
    if let Some(entry) = home.attributes.of_constraint(constraint, number) {
        return Form::Stripped(Arc::clone(home), entry.mnemonic.clone());
    }
    if !attribute.enumeration.is_empty() {
        let found = crate::entries::find_enumeration(
            context,
            dialect,
            &attribute.enumeration,
            |enumeration| Some(enumeration.clone()),
        );
        if let Some(enumeration) = found {
            return Form::Enumeration(enumeration);
        }
    }
    if let Some(ty) = find(TYPED_ATTRIBUTES, constraint) {
        return Form::Typed(ty);
    }
    if let Some(element) = find(ARRAYS, constraint) {
        return Form::Array(element);
    }
    match constraint {
        "UnitAttr" => Form::Unit,
        "SymbolNameAttr" => Form::Symbol,
        "StrAttr" => Form::Token(TokenKind::String),
        "FlatSymbolRefAttr" | "SymbolRefAttr" => Form::Token(TokenKind::AtIdentifier),
        // As upstream, an array of whatever is one.
        _ if constraint.ends_with("ArrayAttr") => Form::Token(TokenKind::LeftSquare),
        _ => Form::Any,
    }
}
