//! Definitions built in code.
//!
//! A definition built in code has an equivalent text:
//!
//! ```
//! use rmlir_ir::definition::{
//!     Absence, DialectDefinition, EntryDefinition, EnumDefinition, GroupDefinition, InherentAttribute,
//!     OperationDefinition, OperationTraits, ParameterDefinition, ParameterKind, Presence,
//! };
//!
//! let mode = ParameterKind::enumeration("Mode");
//! let tuning = EntryDefinition::new("tuning")
//!     .with_constraint("TuningAttr")
//!     .with_parameter(ParameterDefinition::new("mode", mode).absent(Absence::Value(0)))
//!     .with_format("`<` struct(params) `>`", "toy", &())?;
//! let push = OperationDefinition::new("push")
//!     .with_operand(GroupDefinition::new("queue", "AnyType"))
//!     .with_operand(GroupDefinition::new("values", "I32").variadic())
//!     .with_traits(OperationTraits::RETURN_LIKE)
//!     .with_attribute(InherentAttribute::new("tuning", Presence::Optional).with_constraint("TuningAttr"))
//!     .with_format("$queue `,` $values (`tuned` $tuning^)? attr-dict `:` type($queue)", "toy", &())?;
//! let toy = DialectDefinition::new("toy")
//!     .with_enumeration(EnumDefinition::new("Mode", 32).with_case("slow", 0).with_case("fast", 1))
//!     .with_entries([tuning], [])
//!     .with_operations([push]);
//!
//! let text = "\
//! dialect toy
//!
//! enum Mode: i32
//!   cases slow, fast
//!
//! attribute tuning
//!   constraint TuningAttr
//!   parameters mode: enum<Mode> = slow
//!   format `<` struct(params) `>`
//!
//! op push(queue: AnyType, values: variadic I32)
//!   traits ReturnLike
//!   attr tuning: TuningAttr optional
//!   format $queue `,` $values (`tuned` $tuning^)? attr-dict `:` type($queue)
//! ";
//! assert_eq!(toy.to_string(), text);
//! # Ok::<(), rmlir_ir::definition::DefinitionError>(())
//! ```

use super::hooks::HookSource;
use super::line::DefinitionError;
use super::{
    DialectDefinition, EntryDefinition, EntryTable, EnumCase, EnumDefinition, GroupDefinition,
    GroupKind, InherentAttribute, NativeProperty, OperationDefinition, PropertyKind, ReleaseRange,
    Text, TypeDerivation, TypeFunction, TypeRelation, TypeRelationKind,
};

impl DialectDefinition {
    /// Adds an enumeration. It is ignored if there is one of its name.
    #[must_use]
    pub fn with_enumeration(mut self, enumeration: EnumDefinition) -> Self {
        if self.enumeration(&enumeration.name).is_none() {
            self.enums.push(enumeration);
        }
        self
    }

    /// Replaces the attributes and types by these, which have no layouts in bytecode.
    #[must_use]
    pub fn with_entries(
        mut self,
        attributes: impl IntoIterator<Item = EntryDefinition>,
        types: impl IntoIterator<Item = EntryDefinition>,
    ) -> Self {
        self.attributes = EntryTable::new(attributes.into_iter().collect(), []);
        self.types = EntryTable::new(types.into_iter().collect(), []);
        self
    }
}

impl EnumDefinition {
    /// Creates an enumeration without members, stored in an integer of `width` bits, 1 to 64.
    pub fn new(name: impl Into<Text>, width: u32) -> Self {
        EnumDefinition {
            name: name.into(),
            width,
            separator: None,
            every_member: false,
            cases: Vec::new(),
        }
    }

    /// Allows several members to be set at once, joined by this separator.
    #[must_use]
    pub fn separated(mut self, separator: impl Into<Text>) -> Self {
        self.separator = Some(separator.into());
        self
    }

    /// Adds a member of all releases.
    #[must_use]
    pub fn with_case(mut self, keyword: impl Into<Text>, value: i64) -> Self {
        self.cases.push(EnumCase {
            keyword: keyword.into(),
            value,
            hidden: false,
            releases: ReleaseRange::ALL,
        });
        self
    }
}

impl EntryDefinition {
    /// Sets the constraint by which operations require it.
    #[must_use]
    pub fn with_constraint(mut self, constraint: impl Into<Text>) -> Self {
        self.constraint = constraint.into();
        self
    }

    /// Sets the format after the mnemonic, like [`set_format`](Self::set_format).
    ///
    /// # Errors
    ///
    /// The error in the text, with its position.
    pub fn with_format(
        mut self,
        text: &str,
        dialect: &str,
        hooks: &dyn HookSource,
    ) -> Result<Self, DefinitionError> {
        self.set_format(text, dialect, hooks)?;
        Ok(self)
    }
}

impl GroupDefinition {
    /// Creates a group of one operand, result or region in all releases; for a successor, the
    /// constraint is empty.
    pub fn new(name: impl Into<Text>, constraint: impl Into<Text>) -> Self {
        GroupDefinition {
            name: name.into(),
            kind: GroupKind::Single,
            constraint: constraint.into(),
            by: Text::default(),
            arguments: None,
            releases: ReleaseRange::ALL,
        }
    }

    /// For a region: sets the type constraints of the arguments of its entry block, one for each.
    #[must_use]
    pub fn with_arguments(mut self, constraints: impl IntoIterator<Item = Text>) -> Self {
        self.arguments = Some(constraints.into_iter().collect());
        self
    }

    /// Allows any number of lists of members; the attribute `by`, a dense array of `i32`, stores
    /// their sizes.
    #[must_use]
    pub fn variadic_of_variadic(mut self, by: impl Into<Text>) -> Self {
        self.kind = GroupKind::VariadicOfVariadic;
        self.by = by.into();
        self
    }

    /// Allows any number of members.
    #[must_use]
    pub fn variadic(mut self) -> Self {
        self.kind = GroupKind::Variadic;
        self
    }

    /// Allows at most one member.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.kind = GroupKind::Optional;
        self
    }
}

impl InherentAttribute {
    /// Sets the constraint.
    #[must_use]
    pub fn with_constraint(mut self, constraint: impl Into<Text>) -> Self {
        self.constraint = constraint.into();
        self
    }

    /// Sets the enumeration of the value.
    #[must_use]
    pub fn with_enumeration(mut self, enumeration: impl Into<Text>) -> Self {
        self.enumeration = enumeration.into();
        self
    }

    /// Sets a default, the text of an attribute.
    #[must_use]
    pub fn with_default(mut self, default: impl Into<Text>) -> Self {
        self.default = Some(default.into());
        self
    }
}

impl NativeProperty {
    /// Creates a property of all releases without a default.
    pub fn new(name: impl Into<Text>, kind: PropertyKind) -> Self {
        NativeProperty {
            name: name.into(),
            kind,
            enumeration: Text::default(),
            default: None,
            releases: ReleaseRange::ALL,
        }
    }

    /// Sets the enumeration of an integer.
    #[must_use]
    pub fn with_enumeration(mut self, enumeration: impl Into<Text>) -> Self {
        self.enumeration = enumeration.into();
        self
    }

    /// Sets a default, the text of an attribute.
    #[must_use]
    pub fn with_default(mut self, default: impl Into<Text>) -> Self {
        self.default = Some(default.into());
        self
    }
}

impl OperationDefinition {
    /// Adds a group of operands.
    #[must_use]
    pub fn with_operand(mut self, group: GroupDefinition) -> Self {
        self.operands.push(group);
        self
    }

    /// Adds a group of results.
    #[must_use]
    pub fn with_result(mut self, group: GroupDefinition) -> Self {
        self.results.push(group);
        self
    }

    /// Adds a group of regions.
    #[must_use]
    pub fn with_region(mut self, group: GroupDefinition) -> Self {
        self.regions.push(group);
        self
    }

    /// Adds a group of successors.
    #[must_use]
    pub fn with_successor(mut self, group: GroupDefinition) -> Self {
        self.successors.push(group);
        self
    }

    /// Adds a native property.
    #[must_use]
    pub fn with_property(mut self, property: NativeProperty) -> Self {
        self.properties.push(property);
        self
    }

    /// Adds a relation between the types of groups and attributes, in all releases.
    #[must_use]
    pub fn with_relation<N: Into<Text>>(
        mut self,
        kind: TypeRelationKind,
        groups: impl IntoIterator<Item = N>,
    ) -> Self {
        self.relations.push(TypeRelation {
            kind,
            groups: groups.into_iter().map(Into::into).collect(),
            summary: Text::default(),
            releases: ReleaseRange::ALL,
        });
        self
    }

    /// Specifies how the types of a group, which the format omits, follow from another's, in all
    /// releases.
    #[must_use]
    pub fn with_types(
        mut self,
        target: impl Into<Text>,
        function: TypeFunction,
        source: impl Into<Text>,
    ) -> Self {
        self.derivations.push(TypeDerivation {
            target: target.into(),
            function,
            source: source.into(),
            summary: Text::default(),
            releases: ReleaseRange::ALL,
        });
        self
    }

    /// Adds custom syntax as data in all releases, like [`add_format`](Self::add_format).
    ///
    /// # Errors
    ///
    /// The error in the text, with its position.
    pub fn with_format(
        mut self,
        text: &str,
        dialect: &str,
        hooks: &dyn HookSource,
    ) -> Result<Self, DefinitionError> {
        self.add_format(text, ReleaseRange::ALL, dialect, hooks)?;
        Ok(self)
    }
}
