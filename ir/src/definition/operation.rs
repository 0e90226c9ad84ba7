//! Definitions of operations: attributes, groups, regions, relations between types.

use super::declaration::{AttributeValueDefinition, DeclarationDefinition};
use super::hooks::HookSource;
use super::line::DefinitionError;
use super::operation_format::{OperationFormat, TypeDerivation};
use super::property::{NativeProperty, PropertyLayout, SEGMENT_SIZES, VersionBound};
use super::release::{Family, Release, ReleaseRange};
use super::requirement::Requirement;
use super::scalar_body::ScalarBody;
use super::traits::{NamedTrait, OperationTraits, TypeRelationKind, implied, is_implied};
use super::{Documentation, Text, format};
use crate::asm::{OperationSyntax, ValueNames};
use crate::constraint::Confinement;
use crate::link::DefinitionAppender;
use crate::sort::CompactSort as _;
use crate::symbol_attributes::VisibilityRule;
use crate::verify::OperationVerifier;

/// Whether an inherent attribute is required.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// It is required.
    Required,
    /// It is optional. A default specifies the meaning of its absence, and is not filled in.
    Optional,
    /// It is set to its default if none is given.
    Default,
}

/// An inherent attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InherentAttribute {
    /// The name.
    pub name: Text,
    /// Whether it is required.
    pub presence: Presence,
    /// The name of its constraint; empty if that is not known.
    pub constraint: Text,
    /// Additional constraints.
    pub confinements: Vec<Confinement>,
    /// The name of its enumeration; empty if it has none. A name without a dialect's name and a dot
    /// denotes an enumeration of the operation's own dialect.
    pub enumeration: Text,
    /// The default as the text of an attribute. Some defaults are not known as text.
    pub default: Option<Text>,
    /// Its position in declaration order, from 0.
    pub position: u32,
    /// The bytecode that has it, if that depends on the version of a dialect.
    pub version: Option<VersionBound>,
    /// The releases in which it applies. Entries of one name have disjoint ranges.
    pub releases: ReleaseRange,
}

impl InherentAttribute {
    /// Creates an attribute of all releases without a known constraint.
    pub fn new(name: impl Into<Text>, presence: Presence) -> Self {
        InherentAttribute {
            name: name.into(),
            presence,
            constraint: Text::default(),
            confinements: Vec::new(),
            enumeration: Text::default(),
            default: None,
            position: 0,
            version: None,
            releases: ReleaseRange::ALL,
        }
    }
}

/// A discardable attribute that upstream's code adds to an operation during verification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RememberedAttribute {
    /// The name.
    pub name: Text,
    /// The value as the text of an attribute. Symbols of its affine maps are replaced by numbers.
    pub value: Text,
    /// The inherent attributes that hold these numbers, concatenated.
    pub numbers: Vec<Text>,
    /// The releases in which it applies.
    pub releases: ReleaseRange,
}

/// The arity of a group of operands, results, regions or successors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GroupKind {
    /// Exactly one member.
    #[default]
    Single,
    /// At most one member.
    Optional,
    /// Any number of members.
    Variadic,
    /// Any number of variadic groups.
    VariadicOfVariadic,
}

impl GroupKind {
    /// Returns whether a group can have several members.
    pub fn is_list(self) -> bool {
        matches!(self, GroupKind::Variadic | GroupKind::VariadicOfVariadic)
    }
}

/// A group of operands, results, regions or successors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupDefinition {
    /// The name; may be empty.
    pub name: Text,
    /// The number of members.
    pub kind: GroupKind,
    /// The name of the constraint on each member: a type constraint, for regions a region
    /// constraint; empty for successors.
    pub constraint: Text,
    /// For [`GroupKind::VariadicOfVariadic`]: the attribute, a dense array of `i32`, that stores
    /// the number of members of each list; empty if it is not known.
    pub by: Text,
    /// For regions: the type constraints of the arguments of the entry block, one for each
    /// (`irdl.region(...)`); `None` if the arguments are unrestricted.
    pub arguments: Option<Vec<Text>>,
    /// The releases in which it applies.
    pub releases: ReleaseRange,
}

impl GroupDefinition {
    /// Returns whether `name` is the region's name, `#` and the number of a
    /// [declared](Self::arguments) argument: that argument's name in relations of types.
    pub fn is_argument(&self, name: &str) -> bool {
        self.argument(name).is_some()
    }

    /// Returns the number of the argument of that name.
    pub(crate) fn argument(&self, name: &str) -> Option<usize> {
        let number = name.strip_prefix(&*self.name)?.strip_prefix('#')?;
        let number: usize = number.parse().ok()?;
        let count = self.arguments.as_ref().map_or(0, Vec::len);
        (number < count).then_some(number)
    }
}

/// A relation between the types of groups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeRelation {
    /// The relation.
    pub kind: TypeRelationKind,
    /// The names of operands, results and attributes, and of
    /// [arguments](GroupDefinition::is_argument) of regions.
    pub groups: Vec<Text>,
    /// The rule in the verifier's error, as in "failed to verify that ..."; empty for the default
    /// wording of the kind.
    pub summary: Text,
    /// The releases in which it applies.
    pub releases: ReleaseRange,
}

/// Operands that an operation passes to a successor block as arguments, as upstream's
/// `BranchOpInterface` specifies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forwarding {
    /// The group of operands.
    pub operands: Text,
    /// The successor, or the group of successors: each gets a list of a
    /// [`VariadicOfVariadic`](GroupKind::VariadicOfVariadic) group.
    pub successor: Text,
    /// The releases in which it applies.
    pub releases: ReleaseRange,
}

/// The attributes that name an operation as a symbol, if they differ from those of upstream's
/// symbol interface.
///
/// Such an operation is a symbol for lookups, listings and lazy readers. The verifier does not
/// apply the rules of upstream's interface to it, since upstream does not either.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolDefinition {
    /// The inherent attribute that holds the name: a string, or an attribute of a dialect whose
    /// body is one string literal.
    pub name: Text,
    /// The inherent attribute that determines the visibility; empty if there is none.
    pub visibility: Text,
    /// How that attribute determines it.
    pub rule: VisibilityRule,
    /// The releases in which it applies.
    pub releases: ReleaseRange,
}

/// An operation of a dialect, in all releases of the family that defines it.
///
/// Queries about a release in which the operation does not exist return meaningless results.
#[derive(Clone, Debug)]
pub struct OperationDefinition {
    /// The name without the dialect's namespace.
    pub mnemonic: Text,
    /// The family whose releases the ranges refer to.
    pub family: Family,
    /// The releases in which it exists.
    pub releases: ReleaseRange,
    /// The traits that it has in all its releases.
    pub common_traits: OperationTraits,
    /// The traits that it has in some releases.
    pub changed_traits: Vec<(OperationTraits, ReleaseRange)>,
    /// Traits and interfaces without a meaning to this crate, by name.
    pub named_traits: Vec<NamedTrait>,
    /// Relations between types.
    pub relations: Vec<TypeRelation>,
    /// Rules about types, attributes and regions, in the order in which they are checked.
    pub requirements: Vec<Requirement>,
    /// Groups of operands.
    pub operands: Vec<GroupDefinition>,
    /// Groups of results.
    pub results: Vec<GroupDefinition>,
    /// Regions.
    pub regions: Vec<GroupDefinition>,
    /// Successors.
    pub successors: Vec<GroupDefinition>,
    /// Operands that become arguments of successors; a successor without any gets none. If the list
    /// is empty, the operands of successors are not known.
    pub forwards: Vec<Forwarding>,
    attributes: Vec<InherentAttribute>,
    /// The attributes that name it as a symbol, by release, if they are not `sym_name` and
    /// `sym_visibility` as strings.
    pub symbols: Vec<SymbolDefinition>,
    /// Inherent attributes whose strings are symbol names.
    pub symbol_references: Vec<(Text, ReleaseRange)>,
    /// How it is declared as a symbol, by release.
    pub declarations: Vec<DeclarationDefinition>,
    /// The attributes that a declaration of it has.
    pub declared: Vec<AttributeValueDefinition>,
    /// The attributes of which each makes the symbol local to its module, as private visibility
    /// does.
    pub local: Vec<AttributeValueDefinition>,
    /// The attributes of which each makes the definition of a symbol weak, from the weakest on: the
    /// definition yields to a stronger one of the same name. Values of equal strength are separated
    /// by `|`.
    pub weak: Vec<AttributeValueDefinition>,
    /// The attributes of which each makes definitions of one name add up to one.
    pub appends: Vec<AttributeValueDefinition>,
    /// The releases in which its regions are SSACFG regions, although it has the interface
    /// `RegionKindInterface`.
    pub ssacfg_regions: Vec<ReleaseRange>,
    /// The releases in which two definitions of one name are merged.
    pub merges: Vec<ReleaseRange>,
    /// The releases in which symbols that it and operations nested in it refer to must be
    /// definitions.
    pub refers_to_definitions: Vec<ReleaseRange>,
    /// The mnemonics of operations of which it resolves declarations, besides its own.
    pub resolves: Vec<(Vec<Text>, ReleaseRange)>,
    /// Native properties, in declaration order.
    pub properties: Vec<NativeProperty>,
    /// The full name of the implicit terminator: the operation that ends its blocks where the
    /// custom form prints none.
    pub implicit_terminator: Vec<(Text, ReleaseRange)>,
    /// Full names of the allowed parent operations; empty if any is allowed.
    pub parents: Vec<(Text, ReleaseRange)>,
    /// The name of its hooks; empty if it has none.
    pub hook: Text,
    /// Its custom syntax, if it is implemented by a known hook.
    pub syntax: Option<&'static dyn OperationSyntax>,
    /// Its custom syntax as data, by release.
    pub formats: Vec<OperationFormat>,
    /// How types follow from others, where the format does not specify them.
    pub derivations: Vec<TypeDerivation>,
    /// The computations of regions that the custom syntax omits, by release.
    pub bodies: Vec<ScalarBody>,
    /// Discardable attributes that upstream adds to it.
    pub remembered: Vec<RememberedAttribute>,
    /// The dialect whose prefix is omitted inside of its regions in custom form; empty for none.
    pub default_dialect: Text,
    /// The names of its results in custom form if the text does not specify any; results after the
    /// last name are numbered.
    pub result_names: Vec<Text>,
    /// The names of its values in custom form, if a hook computes them.
    pub names: Option<&'static dyn ValueNames>,
    /// How definitions of one name add up to one, if the hook knows.
    pub appender: Option<&'static dyn DefinitionAppender>,
    /// The rules that only the verifier's hook checks.
    pub verifier: Option<&'static dyn OperationVerifier>,
    /// Its documentation, if it has any.
    pub documentation: Option<Box<Documentation>>,
}

impl OperationDefinition {
    /// Frees what its longest lists have reserved beyond their ends: a dialect can have a thousand
    /// operations, and most lists have one or two items.
    pub(super) fn shrink_to_fit(&mut self) {
        self.named_traits.shrink_to_fit();
        self.operands.shrink_to_fit();
        self.results.shrink_to_fit();
        self.attributes.shrink_to_fit();
    }

    /// Creates an empty operation.
    pub fn new(mnemonic: impl Into<Text>) -> Self {
        OperationDefinition {
            mnemonic: mnemonic.into(),
            family: Family::default(),
            releases: ReleaseRange::ALL,
            common_traits: OperationTraits::NONE,
            changed_traits: Vec::new(),
            named_traits: Vec::new(),
            relations: Vec::new(),
            requirements: Vec::new(),
            operands: Vec::new(),
            results: Vec::new(),
            regions: Vec::new(),
            successors: Vec::new(),
            forwards: Vec::new(),
            attributes: Vec::new(),
            symbols: Vec::new(),
            symbol_references: Vec::new(),
            declarations: Vec::new(),
            declared: Vec::new(),
            local: Vec::new(),
            weak: Vec::new(),
            appends: Vec::new(),
            ssacfg_regions: Vec::new(),
            merges: Vec::new(),
            refers_to_definitions: Vec::new(),
            resolves: Vec::new(),
            properties: Vec::new(),
            implicit_terminator: Vec::new(),
            parents: Vec::new(),
            hook: Text::default(),
            syntax: None,
            formats: Vec::new(),
            derivations: Vec::new(),
            bodies: Vec::new(),
            remembered: Vec::new(),
            default_dialect: Text::default(),
            result_names: Vec::new(),
            names: None,
            appender: None,
            verifier: None,
            documentation: None,
        }
    }

    /// Adds traits that hold in all releases.
    #[must_use]
    pub fn with_traits(mut self, traits: OperationTraits) -> Self {
        self.common_traits = self.common_traits.with(traits);
        self
    }

    /// Adds traits that hold in some releases.
    pub fn add_traits(&mut self, traits: OperationTraits, releases: ReleaseRange) {
        if releases == ReleaseRange::ALL {
            self.common_traits = self.common_traits.with(traits);
        } else {
            self.changed_traits.push((traits, releases));
        }
    }

    /// Adds an inherent attribute, declared after the existing ones. It is ignored if there is one
    /// of that name in a release of its range.
    #[must_use]
    pub fn with_attribute(mut self, attribute: InherentAttribute) -> Self {
        self.add_attribute(attribute);
        self
    }

    /// Sets the hook of the custom syntax.
    #[must_use]
    pub fn with_syntax(mut self, syntax: &'static dyn OperationSyntax) -> Self {
        self.syntax = Some(syntax);
        self
    }

    /// Adds custom syntax as data: a format in the language of definitions, for releases that do
    /// not have one yet. Call this after everything that the format names is declared. `dialect` is
    /// for the names of hooks.
    ///
    /// # Errors
    ///
    /// The error in the text, with its position.
    pub fn add_format(
        &mut self,
        text: &str,
        releases: ReleaseRange,
        dialect: &str,
        hooks: &dyn HookSource,
    ) -> Result<(), DefinitionError> {
        let own = |text: &str| Text::Owned(text.to_owned());
        let read = format::parse_operation(text, (self, releases), dialect, hooks, own);
        let format = read.map_err(|(at, message)| DefinitionError::in_text(text, at, message))?;
        self.formats.push(format);
        Ok(())
    }

    /// Sets the name of the hooks.
    #[must_use]
    pub fn with_hook(mut self, name: impl Into<Text>, hooks: &dyn HookSource) -> Self {
        let name = name.into();
        self.syntax = hooks.syntax(&name);
        self.verifier = hooks.verifier(&name);
        self.names = hooks.names(&name);
        self.appender = hooks.appender(&name);
        self.hook = name;
        self
    }

    /// Sets the implicit terminator.
    pub fn add_implicit_terminator(&mut self, name: impl Into<Text>, releases: ReleaseRange) {
        self.implicit_terminator.push((name.into(), releases));
        self.add_traits(OperationTraits::IMPLICIT_TERMINATOR, releases);
    }

    /// Adds an inherent attribute, declared after the existing ones; returns whether it was added:
    /// no other may have its name in a common release.
    pub fn add_attribute(&mut self, mut attribute: InherentAttribute) -> bool {
        let position = u32::try_from(self.attributes.len()).unwrap_or(u32::MAX);
        attribute.position = position;
        let same = self.named(&attribute.name);
        let overlaps = |a: &&InherentAttribute| a.releases.overlaps(attribute.releases);
        if same.iter().any(|a| overlaps(&a)) {
            return false;
        }
        let at = self
            .attributes
            .partition_point(|a| *a.name <= *attribute.name);
        self.attributes.insert(at, attribute);
        true
    }

    /// Adds an inherent attribute without a check. After the last one,
    /// [`sort_attributes`](Self::sort_attributes) is called.
    pub(super) fn push_attribute(&mut self, mut attribute: InherentAttribute) {
        attribute.position = u32::try_from(self.attributes.len()).unwrap_or(u32::MAX);
        self.attributes.push(attribute);
    }

    /// Replaces the attributes by these, in declaration order.
    pub(super) fn set_attributes(&mut self, attributes: Vec<InherentAttribute>) {
        self.attributes.clear();
        for attribute in attributes {
            self.push_attribute(attribute);
        }
        self.sort_attributes();
    }

    /// Sorts the attributes by name; those of one name are in declaration order.
    pub(super) fn sort_attributes(&mut self) {
        self.attributes.compact_sort_by(|a, b| a.name.cmp(&b.name));
    }

    /// Returns the inherent attributes of a release, sorted by name.
    pub fn attributes_in(&self, release: Release) -> impl Iterator<Item = &InherentAttribute> {
        let number = release.number_in(self.family);
        self.attributes
            .iter()
            .filter(move |a| a.releases.contains(number))
    }

    /// Returns the native properties of a release, in declaration order.
    pub fn properties_in(&self, release: Release) -> impl Iterator<Item = &NativeProperty> {
        let number = release.number_in(self.family);
        self.properties
            .iter()
            .filter(move |p| p.releases.contains(number))
    }

    /// Returns the inherent attributes, sorted by name. See [`InherentAttribute::position`] for the
    /// declaration order.
    pub fn attributes(&self) -> &[InherentAttribute] {
        &self.attributes
    }

    /// Returns the entries of a name.
    fn named(&self, name: &str) -> &[InherentAttribute] {
        let start = self.attributes.partition_point(|a| *a.name < *name);
        let rest = self.attributes.get(start..).unwrap_or_default();
        let len = rest.partition_point(|a| *a.name == *name);
        rest.get(..len).unwrap_or_default()
    }

    /// Returns the number of the family's release that corresponds to `release`, if the operation
    /// exists in it.
    pub fn number(&self, release: Release) -> Option<u32> {
        let number = release.number_in(self.family);
        self.releases.contains(number).then_some(number)
    }

    /// Returns the traits in a release. [`OperationTraits::REGION_KIND`] is not among them if all
    /// of its regions are SSACFG regions, although it has that interface.
    pub fn traits(&self, release: Release) -> OperationTraits {
        let number = release.number_in(self.family);
        let traits = self.traits_of(number);
        let mut ssacfg = self.ssacfg_regions.iter();
        match ssacfg.any(|releases| releases.contains(number)) {
            true => traits.without(OperationTraits::REGION_KIND),
            false => traits,
        }
    }

    /// Returns whether it has the trait or interface of that name in a release.
    ///
    /// This includes those with and without a meaning to this crate: `Pure`, `IsTerminator`,
    /// `MemoryEffectOpInterface`, and those that others imply: a pure operation has
    /// `NoMemoryEffect`. Linear in its traits.
    pub fn has_trait_named(&self, name: &str, release: Release) -> bool {
        self.trait_names(release).any(|trait_| trait_ == name)
    }

    /// Returns whether it has the interface of that name in a release. Linear in its interfaces.
    pub fn has_interface(&self, name: &str, release: Release) -> bool {
        self.interfaces(release).any(|interface| interface == name)
    }

    /// Returns the names of its traits and interfaces in a release, each once.
    pub fn trait_names(&self, release: Release) -> impl Iterator<Item = &str> {
        let named = self.named_traits_in(release).map(|one| &*one.name);
        let known = self.traits_of(release.number_in(self.family));
        let known = known.names().map(|name| -> &str { name });
        known.chain(named)
    }

    /// Returns the names of its interfaces in a release, each once.
    pub fn interfaces(&self, release: Release) -> impl Iterator<Item = &str> {
        let named = self.named_traits_in(release).filter(|one| one.is_interface);
        let known = self.traits_of(release.number_in(self.family));
        let known = known.interfaces().names();
        let known = known.map(|name| -> &str { name });
        known.chain(named.map(|one| &*one.name))
    }

    /// Returns the traits without a meaning to this crate, with those that others imply.
    fn named_traits_in(&self, release: Release) -> impl Iterator<Item = &NamedTrait> {
        let number = release.number_in(self.family);
        let holds = move |one: &&NamedTrait| one.releases.contains(number);
        let stated = self.named_traits.iter().filter(holds);
        let implied = stated.clone().enumerate().flat_map(move |(at, one)| {
            // Another trait may imply it as well, or state it for other releases.
            let before = self.named_traits.iter().filter(holds).take(at);
            implied(&one.name).iter().filter(move |implied| {
                let is_stated = self
                    .named_traits
                    .iter()
                    .filter(holds)
                    .any(|o| o.name == implied.name);
                let is_implied = before
                    .clone()
                    .any(|one| self::implied(&one.name).contains(implied));
                !is_stated && !is_implied
            })
        });
        stated.chain(implied)
    }

    /// Adds the trait or interface of that name. One that is implied by another is not stored.
    pub fn add_trait_named(&mut self, named: NamedTrait) {
        if let Some(known) = OperationTraits::from_name(&named.name) {
            self.add_traits(known, named.releases);
            return;
        }
        let implies = |one: &NamedTrait, other: &NamedTrait| {
            one.releases == other.releases
                && implied(&one.name)
                    .iter()
                    .any(|implied| implied.name == other.name)
        };
        // Few names imply others or are implied, so that an operation has few such traits.
        if is_implied(&named.name) && self.named_traits.iter().any(|one| implies(one, &named)) {
            return;
        }
        if !implied(&named.name).is_empty() {
            self.named_traits.retain(|one| !implies(&named, one));
        }
        self.named_traits.push(named);
    }

    fn traits_of(&self, number: u32) -> OperationTraits {
        self.changed_traits
            .iter()
            .filter(|t| t.1.contains(number))
            .fold(self.common_traits, |all, t| all.with(t.0))
    }

    /// Returns the inherent attribute of that name in a release. Takes O(log n).
    pub fn attribute(&self, name: &str, release: Release) -> Option<&InherentAttribute> {
        let number = release.number_in(self.family);
        let mut entries = self.named(name).iter();
        entries.find(|a| a.releases.contains(number))
    }

    /// Returns whether an attribute of that name is inherent: it is declared as inherent, shows a
    /// native property, or stores segment sizes.
    pub fn is_inherent(&self, name: &[u8], release: Release) -> bool {
        let Ok(name) = std::str::from_utf8(name) else {
            return false;
        };
        if self.attribute(name, release).is_some() {
            return true;
        }
        let number = release.number_in(self.family);
        let native = |p: &NativeProperty| p.name == name && p.releases.contains(number);
        let segments = SEGMENT_SIZES.iter().zip(self.segments(number));
        self.properties.iter().any(native)
            || segments
                .into_iter()
                .any(|(n, len)| len.is_some() && n.0 == name)
    }

    /// Returns whether attributes store the segment sizes of operands and of results, in any
    /// release.
    pub(crate) fn has_segments(&self) -> [bool; 2] {
        let has = |traits: OperationTraits| {
            let mut changed = self.changed_traits.iter();
            self.common_traits.contains(traits) || changed.any(|t| t.0.contains(traits))
        };
        [
            has(OperationTraits::ATTRIBUTE_SIZED_OPERANDS),
            has(OperationTraits::ATTRIBUTE_SIZED_RESULTS),
        ]
    }

    /// Returns the numbers of groups of operands and of results, if an attribute stores their
    /// sizes.
    pub(super) fn segments(&self, number: u32) -> [Option<usize>; 2] {
        let traits = self.traits_of(number);
        let count = |of: OperationTraits, groups: &[GroupDefinition]| {
            let counted = groups.iter().filter(|g| g.releases.contains(number));
            traits.contains(of).then(|| counted.count())
        };
        [
            count(OperationTraits::ATTRIBUTE_SIZED_OPERANDS, &self.operands),
            count(OperationTraits::ATTRIBUTE_SIZED_RESULTS, &self.results),
        ]
    }

    /// Returns the numbers of groups of operands and of results in a release, if an attribute
    /// stores their sizes: the lengths of `operandSegmentSizes` and `resultSegmentSizes`.
    pub fn segment_counts(&self, release: Release) -> [Option<usize>; 2] {
        self.segments(release.number_in(self.family))
    }

    /// Returns the order of properties in a release's bytecode; `None` if the operation does not
    /// exist in it. Linear in the size of the definition: call this once per file.
    pub fn layout(&self, release: Release) -> Option<PropertyLayout> {
        let number = self.number(release)?;
        Some(PropertyLayout::of(self, number))
    }

    /// Returns the groups of a list that exist in a release.
    pub fn groups_in<'d>(
        &self,
        groups: &'d [GroupDefinition],
        release: Release,
    ) -> impl Iterator<Item = &'d GroupDefinition> + Clone {
        let number = release.number_in(self.family);
        groups.iter().filter(move |g| g.releases.contains(number))
    }

    /// Returns the custom syntax of a release, if it is defined as data.
    pub fn format(&self, release: Release) -> Option<&OperationFormat> {
        let number = release.number_in(self.family);
        let mut formats = self.formats.iter();
        formats.find(|f| f.releases.contains(number))
    }

    /// Returns the computation of the region in a release that the custom syntax omits.
    pub fn body(&self, release: Release) -> Option<&ScalarBody> {
        let number = release.number_in(self.family);
        let mut bodies = self.bodies.iter();
        bodies.find(|body| body.releases.contains(number))
    }

    /// Returns the discardable attributes that upstream adds to it in a release.
    pub fn remembered_in(&self, release: Release) -> impl Iterator<Item = &RememberedAttribute> {
        let number = release.number_in(self.family);
        let remembered = self.remembered.iter();
        remembered.filter(move |r| r.releases.contains(number))
    }

    /// Returns how types follow from others in a release.
    pub fn derivations_in(&self, release: Release) -> impl Iterator<Item = &TypeDerivation> {
        let number = release.number_in(self.family);
        let derivations = self.derivations.iter();
        derivations.filter(move |d| d.releases.contains(number))
    }

    /// Returns the relations between types in a release.
    pub fn relations_in(&self, release: Release) -> impl Iterator<Item = &TypeRelation> {
        let number = release.number_in(self.family);
        let relations = self.relations.iter();
        relations.filter(move |r| r.releases.contains(number))
    }

    /// Returns the rules in a release.
    pub fn requirements_in(&self, release: Release) -> impl Iterator<Item = &Requirement> {
        let number = release.number_in(self.family);
        let requirements = self.requirements.iter();
        requirements.filter(move |r| r.releases.contains(number))
    }

    /// Returns the operands that become arguments of successors in a release.
    pub fn forwards_in(&self, release: Release) -> impl Iterator<Item = &Forwarding> {
        let number = release.number_in(self.family);
        let forwards = self.forwards.iter();
        forwards.filter(move |f| f.releases.contains(number))
    }

    /// Returns the full names of the allowed parent operations in a release; empty if any is
    /// allowed.
    pub fn parents_in(&self, release: Release) -> impl Iterator<Item = &str> {
        let number = release.number_in(self.family);
        let parents = self.parents.iter();
        parents
            .filter(move |p| p.1.contains(number))
            .map(|p| p.0.as_ref())
    }

    /// Returns the attributes that name it as a symbol in a release, if they differ from those of
    /// upstream's symbol interface.
    pub fn symbol_in(&self, release: Release) -> Option<&SymbolDefinition> {
        let number = release.number_in(self.family);
        let mut symbols = self.symbols.iter();
        symbols.find(|symbol| symbol.releases.contains(number))
    }

    /// Returns the inherent attributes whose strings are symbol names in a release.
    pub fn symbol_references_in(&self, release: Release) -> impl Iterator<Item = &str> {
        let number = release.number_in(self.family);
        let references = self.symbol_references.iter();
        references
            .filter(move |reference| reference.1.contains(number))
            .map(|reference| reference.0.as_ref())
    }

    /// Returns the implicit terminator in a release.
    pub fn implicit_terminator(&self, release: Release) -> Option<&str> {
        let number = release.number_in(self.family);
        let mut entries = self.implicit_terminator.iter();
        entries.find(|t| t.1.contains(number)).map(|t| t.0.as_ref())
    }
}
