//! Imports dialects that are described in MLIR itself, by operations of the `irdl` dialect.
//!
//! Imported are operations with their operands, results, attributes and regions, and types and
//! attributes with their parameters, in the syntax that upstream gives them ("IRDL dialect").
//! Constraints of types and attributes are imported as far as data expresses them, including that
//! operands, results, attributes and region arguments with one constraint have one type. The others
//! are listed in warnings.
//!
//! As upstream, an operation's regions are those that its `irdl.region` operations describe, in
//! their order; `irdl.regions` names them.

use crate::{ImportError, Imported, LossKind, Warning, is_name};
use rmlir_ir::constraint::{
    ConfinedConstraint, Confinement, ConfinementRule, TypePredicate, builtin_types,
};
use rmlir_ir::definition::{
    DialectDefinition, EntryDefinition, EntryTable, GroupDefinition, GroupKind, InherentAttribute,
    OperationDefinition, OperationTraits, ParameterDefinition, ParameterKind, Presence,
    ReleaseRange, Text, TypeDerivation, TypeFunction, TypeRelation, TypeRelationKind,
};
use rmlir_ir::float::FloatKind;
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, Operation, Signedness, Type, TypeKind, Value,
    ValueDefinition,
};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The maximum nesting depth of imported type constraints.
const MOST_NESTED: usize = 8;

/// The maximum number of constraints combined in an imported one.
const MOST_TOGETHER: usize = 64;

/// Returns the definitions of all dialects that a module describes, in order. Linear in the module.
///
/// # Errors
///
/// If it describes none.
pub fn import(context: &Context, module: &Module) -> Result<Vec<Imported>, ImportError> {
    let attributes = Reader::described_attributes(context, module);
    let reader = Reader {
        context,
        module,
        attributes: &attributes,
    };
    let all = module.descendants(module.top());
    let dialects = all.filter(|operation| reader.is(*operation, b"irdl.dialect"));
    let imported = dialects.filter_map(|op| reader.dialect(op));
    let imported: Vec<Imported> = imported
        .map(|imported| imported.checked(&()))
        .collect::<Result<_, _>>()?;
    match imported.is_empty() {
        true => Err(ImportError::new("there is no 'irdl.dialect' in the module")),
        false => Ok(imported),
    }
}

#[derive(Clone, Copy)]
struct Reader<'m> {
    context: &'m Context,
    module: &'m Module,
    /// The full names of the attributes that the module describes.
    attributes: &'m HashSet<String>,
}

/// The uses of a constraint.
#[derive(Clone, Copy, Default)]
struct Uses {
    count: usize,
    /// The number of uses in other constraints.
    in_others: usize,
}

/// The state of importing a dialect.
struct Draft {
    name: String,
    operations: Vec<OperationDefinition>,
    /// The attributes, then the types.
    tables: [Vec<EntryDefinition>; 2],
    warnings: Vec<Warning>,
    /// The names that are already taken.
    taken: BTreeSet<String>,
    /// The subject of further warnings.
    subject: String,
}

/// The constraint for each builtin attribute name.
const BUILTIN_ATTRIBUTES: &[(&str, &str)] = &[
    ("affine_map", "AffineMapAttr"),
    ("array", "ArrayAttr"),
    ("dictionary", "DictionaryAttr"),
    ("integer", "APIntAttr"),
    ("integer_set", "IntegerSetAttr"),
    ("string", "StrAttr"),
    ("symbol_ref", "SymbolRefAttr"),
    ("type", "TypeAttr"),
    ("unit", "UnitAttr"),
];

/// Returns the derivation of the type of `target` from that of `source`.
fn derived(target: &Text, function: TypeFunction, source: Text) -> TypeDerivation {
    TypeDerivation {
        target: target.clone(),
        function,
        source,
        summary: Text::default(),
        releases: ReleaseRange::ALL,
    }
}

fn one_of(all: Vec<ConfinedConstraint>) -> Confinement {
    Confinement::new(ConfinementRule::AnyOf(all))
}

impl Draft {
    fn warn(&mut self, kind: LossKind, message: impl Into<String>) {
        self.warnings.push(Warning {
            subject: self.subject.clone(),
            kind,
            message: message.into(),
        });
    }
}

impl<'m> Reader<'m> {
    fn is(self, operation: Operation, name: &[u8]) -> bool {
        self.name(operation) == name
    }

    fn name(self, operation: Operation) -> &'m [u8] {
        let name = self.module.name(operation);
        self.context
            .bytes(self.context.operation_name_identifier(name))
    }

    /// Returns a string attribute.
    fn string(self, operation: Operation, name: &str) -> Option<String> {
        let attribute = self.module.attribute(self.context, operation, name)?;
        self.text(attribute)
    }

    fn text(self, attribute: Attribute) -> Option<String> {
        match self.context.attribute_kind(attribute) {
            AttributeKind::String { value, .. } => Some(self.context.str(*value).into_owned()),
            _ => None,
        }
    }

    /// Returns the operations in the only block of an operation.
    fn body(self, operation: Operation) -> impl Iterator<Item = Operation> + use<'m> {
        let block = self.module.region(operation, 0);
        let block = block.and_then(|region| self.module.blocks(region).next());
        let module = self.module;
        block.into_iter().flat_map(|block| module.operations(block))
    }

    fn dialect(self, operation: Operation) -> Option<Imported> {
        let name = self
            .string(operation, "sym_name")
            .filter(|name| is_name(name))?;
        let mut draft = Draft {
            name: name.clone(),
            operations: Vec::new(),
            tables: [Vec::new(), Vec::new()],
            warnings: Vec::new(),
            taken: BTreeSet::new(),
            subject: String::new(),
        };
        for part in self.body(operation) {
            let Some(name) = self.string(part, "sym_name") else {
                continue;
            };
            if !is_name(&name) {
                draft.subject = format!("dialect {}", draft.name);
                draft.warn(
                    LossKind::Definition,
                    format!("'{}' is not a valid name: left out", name.escape_debug()),
                );
                continue;
            }
            // Older texts of upstream have the sigils of attributes and types in their names.
            let name = name.trim_start_matches(['!', '#']).to_owned();
            match self.name(part) {
                b"irdl.type" => self.entry(part, name, 1, &mut draft),
                b"irdl.attribute" => self.entry(part, name, 0, &mut draft),
                b"irdl.operation" => self.operation(part, name, &mut draft),
                _ => {}
            }
        }
        let mut definition = DialectDefinition::new(name);
        let [attributes, types] = draft.tables;
        definition.attributes = EntryTable::new(attributes, []);
        definition.types = EntryTable::new(types, []);
        definition.operations_complete = true;
        definition.attributes_complete = true;
        definition.types_complete = true;
        Some(Imported {
            definition: definition.with_operations(draft.operations),
            warnings: draft.warnings,
        })
    }

    /// Imports an attribute (table 0) or a type (table 1).
    fn entry(self, operation: Operation, name: String, table: usize, draft: &mut Draft) {
        let what = if table == 0 { "attribute" } else { "type" };
        draft.subject = format!("{what} {name}");
        if !draft.taken.insert(draft.subject.clone()) {
            return;
        }
        let mut entry = EntryDefinition::new(name.clone());
        if table == 0 {
            entry.constraint = format!("{}.{name}", draft.name).into();
        }
        for part in self
            .body(operation)
            .filter(|op| self.is(*op, b"irdl.parameters"))
        {
            let names = self.names(part, "names");
            for (number, value) in self.module.operands(part).enumerate() {
                let name = self.part_name(&names, number, "parameter");
                let kind = ParameterKind::Attribute { mnemonic: None };
                let mut parameter = ParameterDefinition::new(name, kind);
                let ConfinedConstraint { name, confinements } =
                    self.attribute(value, &parameter.name, draft);
                parameter.confinements = match &*name {
                    "AnyAttr" | "" => confinements,
                    _ => vec![one_of(vec![ConfinedConstraint { name, confinements }])],
                };
                entry = entry.with_parameter(parameter);
            }
        }
        let uses = self.variables(operation);
        if uses.values().any(|of| of.count > 1) {
            draft.warn(
                LossKind::Predicate,
                "what parameters with one constraint have in common is not checked",
            );
        }
        if !entry.parameters.is_empty() {
            // A format of literals and parameters is always valid.
            let _ = entry.set_format("`<` params `>`", &draft.name, &());
        }
        if let Some(table) = draft.tables.get_mut(table) {
            table.push(entry);
        }
    }

    fn operation(self, operation: Operation, name: String, draft: &mut Draft) {
        draft.subject = format!("op {name}");
        if !draft.taken.insert(draft.subject.clone()) {
            return;
        }
        let mut definition = OperationDefinition::new(name);
        let types = self.constraints_of_values(operation);
        for part in self.body(operation) {
            match self.name(part) {
                b"irdl.operands" => {
                    definition.operands = self.groups(part, "operand", draft);
                }
                b"irdl.results" => {
                    definition.results = self.groups(part, "result", draft);
                }
                b"irdl.attributes" => {
                    let names = self.names(part, "attributeValueNames");
                    for (number, value) in self.module.operands(part).enumerate() {
                        let name = self.part_name(&names, number, "attribute");
                        let mut is = self.attribute(value, &name, draft);
                        // An attribute that holds the type of an operand or result is a type
                        // attribute.
                        if is.name == "AnyAttr"
                            && is.confinements.is_empty()
                            && types.contains(&value)
                        {
                            is.name = Text::Borrowed("TypeAttr");
                        }
                        let mut attribute = InherentAttribute::new(name, Presence::Required);
                        attribute.constraint = is.name;
                        attribute.confinements = is.confinements;
                        definition.add_attribute(attribute);
                    }
                }
                _ => {}
            }
        }
        definition.regions = self.regions(operation, draft);
        for (groups, sizes) in [
            (
                &definition.operands,
                OperationTraits::ATTRIBUTE_SIZED_OPERANDS,
            ),
            (
                &definition.results,
                OperationTraits::ATTRIBUTE_SIZED_RESULTS,
            ),
        ] {
            let open = groups.iter().filter(|g| g.kind != GroupKind::Single);
            if open.count() > 1 {
                definition.common_traits = definition.common_traits.with(sizes);
            }
        }
        let checked = self.alike(operation, &mut definition);
        let mut uses = self.variables(operation).into_iter();
        let is_open = |(value, of): (Value, Uses)| {
            of.count > 1 && of.in_others > usize::from(checked.contains(&value))
        };
        if uses.any(is_open) {
            draft.warn(
                LossKind::Predicate,
                "what a part of one constraint has in common with others is not checked",
            );
        }
        draft.operations.push(definition);
    }

    /// Returns the uses of each constraint that more than one value can satisfy: upstream requires
    /// the same value at each use.
    fn variables(self, operation: Operation) -> HashMap<Value, Uses> {
        let mut uses: HashMap<Value, Uses> = HashMap::new();
        for part in self.body(operation) {
            let of_constraint = matches!(
                self.name(part),
                b"irdl.any_of" | b"irdl.all_of" | b"irdl.parametric"
            );
            for value in self.module.operands(part) {
                let of = self.defined_by(value);
                if of.is_some_and(|of| !self.is(of, b"irdl.is")) {
                    let of = uses.entry(value).or_default();
                    of.count = of.count.saturating_add(1);
                    of.in_others = of.in_others.saturating_add(usize::from(of_constraint));
                }
            }
        }
        uses
    }

    /// Declares that groups and region arguments with a shared constraint have one type, and that
    /// attributes with it hold that type. The same applies to the first parameter of a parametric
    /// type; returns the constraints of parameters for which it was declared.
    fn alike(self, operation: Operation, definition: &mut OperationDefinition) -> HashSet<Value> {
        let mut named: Vec<Vec<Text>> = Vec::new();
        let mut places: HashMap<Value, usize> = HashMap::new();
        let mut attributes = self.attributes_by_constraint(operation);
        let mut variadic: Vec<(Value, Text)> = Vec::new();
        let mut values: Vec<(Value, Text, GroupKind)> = Vec::new();
        for part in self.body(operation) {
            let groups = match self.name(part) {
                b"irdl.operands" => &definition.operands,
                b"irdl.results" => &definition.results,
                _ => continue,
            };
            let groups = self.module.operands(part).zip(groups);
            values.extend(groups.map(|(value, group)| (value, group.name.clone(), group.kind)));
        }
        // Upstream checks region arguments after the operation itself.
        let first_argument = values.len();
        for (part, group) in self.described_regions(operation).zip(&definition.regions) {
            let count = group.arguments.as_ref().map_or(0, Vec::len);
            let arguments = self.module.operands(part).take(count).enumerate();
            values.extend(arguments.map(|(number, value)| {
                let name = format!("{}#{number}", group.name);
                (value, name.into(), GroupKind::Single)
            }));
        }
        let mut arguments: HashMap<Value, Text> = HashMap::new();
        let mut parametric: Vec<(Value, Text)> = Vec::new();
        let mut seen: HashSet<Value> = HashSet::new();
        for (number, (value, name, kind)) in values.into_iter().enumerate() {
            let of = self.defined_by(value);
            // A constraint that only one type satisfies needs no relation.
            let is_variable = of.is_some_and(|of| !self.is(of, b"irdl.is"));
            if is_variable && let Some(names) = attributes.get_mut(&value) {
                let sources = names.iter().cloned().map(Text::Owned);
                let value = TypeFunction::Value;
                let derivations = sources.map(|source| derived(&name, value, source));
                definition.derivations.extend(derivations);
                // The first group already equals the others, so one relation with it suffices.
                names.truncate(1);
            }
            if !is_variable {
                continue;
            }
            if kind == GroupKind::Variadic {
                variadic.push((value, name));
                continue;
            }
            if kind == GroupKind::Single
                && number < first_argument
                && let Some(of) = of.filter(|of| self.is(*of, b"irdl.parametric"))
                && let Some(first) = self.module.operands(of).next()
                && seen.insert(value)
            {
                parametric.push((first, name.clone()));
            }
            if number >= first_argument {
                arguments.entry(value).or_insert(name.clone());
            }
            let place = *places.entry(value).or_insert(named.len());
            match named.get_mut(place) {
                Some(groups) => groups.push(name),
                None => named.push(vec![name]),
            }
        }
        for (value, rest) in variadic {
            let same = TypeFunction::Same;
            let mut alike = derived(&rest, same, rest.clone());
            alike.summary = format!("all of {{{rest}}} have same type").into();
            definition.derivations.push(alike);
            let argument = arguments.get(&value);
            let groups = places.get(&value).and_then(|&place| named.get(place));
            let first = groups.and_then(|groups| groups.first());
            let first = first.filter(|&first| Some(first) != argument);
            let of_group = first.map(|first| derived(&rest, same, first.clone()));
            let of_argument = argument.map(|argument| derived(argument, same, rest));
            definition
                .derivations
                .extend(of_group.into_iter().chain(of_argument));
        }
        let mut checked = HashSet::new();
        for (first, name) in parametric {
            let groups = places.get(&first).and_then(|&place| named.get(place));
            if let Some(group) = groups.and_then(|groups| groups.first()) {
                let of_first = derived(group, TypeFunction::Parameter, name);
                definition.derivations.push(of_first);
                checked.insert(first);
            }
        }
        for groups in named.into_iter().filter(|groups| groups.len() > 1) {
            definition.relations.push(TypeRelation {
                kind: TypeRelationKind::Types,
                groups,
                summary: Text::default(),
                releases: ReleaseRange::ALL,
            });
        }
        checked
    }

    /// Returns the names of an operation's attributes, by constraint.
    fn attributes_by_constraint(self, operation: Operation) -> HashMap<Value, Vec<String>> {
        let mut found: HashMap<Value, Vec<String>> = HashMap::new();
        for part in self.body(operation) {
            if !self.is(part, b"irdl.attributes") {
                continue;
            }
            let names = self.names(part, "attributeValueNames");
            for (number, value) in self.module.operands(part).enumerate() {
                let name = self.part_name(&names, number, "attribute");
                found.entry(value).or_default().push(name);
            }
        }
        found
    }

    /// Returns the constraints of the operands and results of an operation.
    fn constraints_of_values(self, operation: Operation) -> HashSet<Value> {
        let parts = self.body(operation);
        let parts =
            parts.filter(|part| matches!(self.name(*part), b"irdl.operands" | b"irdl.results"));
        parts.flat_map(|part| self.module.operands(part)).collect()
    }

    /// Returns the names in an array of strings.
    fn names(self, operation: Operation, attribute: &str) -> Vec<Option<String>> {
        let array = self.module.attribute(self.context, operation, attribute);
        match array.map(|array| self.context.attribute_kind(array)) {
            Some(AttributeKind::Array(items)) => {
                items.iter().map(|item| self.text(*item)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the name of part `number`; older releases do not specify names.
    fn part_name(self, names: &[Option<String>], number: usize, what: &str) -> String {
        let name = names.get(number).cloned().flatten();
        let name = name.filter(|name| is_name(name));
        name.unwrap_or_else(|| format!("{what}{number}"))
    }

    fn groups(self, operation: Operation, what: &str, draft: &mut Draft) -> Vec<GroupDefinition> {
        let names = self.names(operation, "names");
        let kinds = self.variadicity(operation);
        let values = self.module.operands(operation).enumerate();
        let groups = values.map(|(number, value)| {
            let name = self.part_name(&names, number, what);
            let constraint = self.types(value, &name, draft);
            let mut group = GroupDefinition::new(name, constraint);
            group.kind = kinds.get(number).copied().unwrap_or_default();
            group
        });
        groups.collect()
    }

    /// Returns the variadicities in `#irdl<variadicity_array[single, optional]>`.
    fn variadicity(self, operation: Operation) -> Vec<GroupKind> {
        let attribute = self
            .module
            .attribute(self.context, operation, "variadicity");
        let Some(AttributeKind::Dialect { body, .. }) =
            attribute.map(|attribute| self.context.attribute_kind(attribute))
        else {
            return Vec::new();
        };
        let text = String::from_utf8_lossy(body.text());
        let inner = text.split_once('[').map_or("", |(_, inner)| inner);
        let words = inner.trim_end_matches([']', ' ', '>']).split(',');
        words
            .map(|word| match word.trim() {
                "optional" => GroupKind::Optional,
                "variadic" => GroupKind::Variadic,
                _ => GroupKind::Single,
            })
            .collect()
    }

    fn regions(self, operation: Operation, draft: &mut Draft) -> Vec<GroupDefinition> {
        let mut given: HashMap<Value, String> = HashMap::new();
        for part in self.body(operation) {
            if self.is(part, b"irdl.regions") {
                let names = self.names(part, "names");
                for (number, value) in self.module.operands(part).enumerate() {
                    let name = self.part_name(&names, number, "region");
                    given.entry(value).or_insert(name);
                }
            }
        }
        let mut taken: HashSet<String> = HashSet::new();
        let regions = self.described_regions(operation).enumerate();
        let groups = regions.map(|(number, region)| {
            let value = self.module.results(region).next();
            let name = value.and_then(|value| given.remove(&value));
            let mut name = name.unwrap_or_else(|| format!("region{number}"));
            if taken.contains(&name) {
                name = format!("{name}_{number}");
            }
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            let attribute = |name| self.module.attribute(self.context, region, name);
            let blocks = attribute("numberOfBlocks");
            let count = blocks.map(|blocks| match self.context.attribute_kind(blocks) {
                AttributeKind::Integer { value, .. } => value.to_i64(),
                _ => None,
            });
            let constraint = match count.map(|count| u32::try_from(count?).ok()) {
                None => Text::Borrowed("AnyRegion"),
                Some(Some(count)) => format!("Blocks({count})").into(),
                Some(None) => {
                    draft.warn(
                        LossKind::Predicate,
                        format!("the number of blocks of '{name}' is not checked"),
                    );
                    Text::Borrowed("AnyRegion")
                }
            };
            let mut group = GroupDefinition::new(name, constraint);
            if attribute("constrainedArguments").is_some() {
                let arguments = self.module.operands(region).enumerate();
                let types = arguments.map(|(number, value)| {
                    let what = format!("{}#{number}", group.name);
                    self.types(value, &what, draft)
                });
                group.arguments = Some(types.collect());
            }
            group
        });
        groups.collect()
    }

    fn described_regions(self, operation: Operation) -> impl Iterator<Item = Operation> + use<'m> {
        let parts = self.body(operation);
        parts.filter(move |part| self.is(*part, b"irdl.region"))
    }

    fn defined_by(self, value: Value) -> Option<Operation> {
        match self.module.definition(value) {
            ValueDefinition::Result(operation, _) => Some(operation),
            _ => None,
        }
    }

    /// Returns the name of a constraint; `_` if it has none.
    fn constraint(self, value: Value, what: &str, draft: &mut Draft) -> Text {
        let operation = self.defined_by(value);
        let name = operation.map_or(&b""[..], |operation| self.name(operation));
        let attribute = |name| {
            let operation = operation?;
            self.module.attribute(self.context, operation, name)
        };
        let found = match name {
            b"irdl.any" => Some(Text::Borrowed("AnyType")),
            b"irdl.is" => attribute("expected").and_then(|expected| self.builtin(expected)),
            _ => None,
        };
        if found.is_none() {
            let name = String::from_utf8_lossy(name);
            draft.warn(
                LossKind::Predicate,
                format!("the constraint '{name}' of '{what}' is not checked"),
            );
        }
        let found = found.filter(|name| is_name(name));
        found.unwrap_or(Text::Borrowed("_"))
    }

    /// Returns the constraint of operands or results: a name, or a predicate in parentheses.
    fn types(self, value: Value, what: &str, draft: &mut Draft) -> Text {
        let text = self.predicate(value, MOST_NESTED, &mut { MOST_TOGETHER });
        if let Some(predicate) = text
            .as_deref()
            .and_then(|text| TypePredicate::new(text).ok())
        {
            let known = builtin_types().iter().find(|c| c.predicate == predicate);
            return match known {
                Some(known) => known.name.clone(),
                None => format!("({predicate})").into(),
            };
        }
        self.constraint(value, what, draft)
    }

    /// Returns the constraint of an attribute; an empty one if it is unknown.
    fn attribute(self, value: Value, what: &str, draft: &mut Draft) -> ConfinedConstraint {
        let found = self.attribute_constraint(value, MOST_NESTED, &mut { MOST_TOGETHER });
        found.unwrap_or_else(|| {
            let operation = self.defined_by(value);
            let name = operation.map_or(&b""[..], |operation| self.name(operation));
            let name = String::from_utf8_lossy(name);
            draft.warn(
                LossKind::Predicate,
                format!("the constraint '{name}' of '{what}' is not checked"),
            );
            ConfinedConstraint::default()
        })
    }

    /// Returns the constraint of an attribute, or of a type as an attribute; `None` if it is
    /// unknown. `depth` and `left` are as for [`predicate`](Self::predicate).
    fn attribute_constraint(
        self,
        value: Value,
        depth: usize,
        left: &mut usize,
    ) -> Option<ConfinedConstraint> {
        let named = |name: &str| ConfinedConstraint {
            name: name.to_owned().into(),
            confinements: Vec::new(),
        };
        let depth = depth.checked_sub(1)?;
        *left = left.checked_sub(1)?;
        let operation = self.defined_by(value)?;
        let attribute = |name| self.module.attribute(self.context, operation, name);
        let mut all = || {
            let mut all = Vec::new();
            for operand in self.module.operands(operation) {
                all.push(self.attribute_constraint(operand, depth, left)?);
            }
            Some(all)
        };
        match self.name(operation) {
            b"irdl.any" => return Some(named("AnyAttr")),
            b"irdl.any_of" => {
                let mut is = named("AnyAttr");
                is.confinements.push(one_of(all()?));
                return Some(is);
            }
            b"irdl.all_of" => {
                let mut is = named("AnyAttr");
                let each = all()?.into_iter().map(|one| one_of(vec![one]));
                is.confinements.extend(each);
                return Some(is);
            }
            b"irdl.base" => {
                let base = attribute("base_name").and_then(|name| self.text(name));
                if let Some(name) = base.as_deref().and_then(|name| name.strip_prefix('#')) {
                    return match name.strip_prefix("builtin.") {
                        Some(builtin) => {
                            let mut known = BUILTIN_ATTRIBUTES.iter();
                            known.find(|row| row.0 == builtin).map(|row| named(row.1))
                        }
                        None => Some(named(&format!("#{name}"))),
                    };
                }
                let base = attribute("base_ref").and_then(|base| self.symbol(base));
                if let Some(name) = base.filter(|name| self.describes_attribute(name)) {
                    return Some(named(&format!("#{name}")));
                }
            }
            b"irdl.parametric" => {
                let base = attribute("base_type").and_then(|base| self.symbol(base));
                if let Some(name) = base.filter(|name| self.describes_attribute(name)) {
                    // The constraints of its parameters are not expressed.
                    return Some(named(&format!("#{name}")));
                }
            }
            _ => {}
        }
        let predicate = self.predicate(value, depth, left)?;
        TypePredicate::new(&predicate).ok()?;
        let mut is = named("TypeAttr");
        let rule = ConfinementRule::Type(predicate.into());
        is.confinements.push(Confinement::new(rule));
        Some(is)
    }

    /// Returns whether `dialect.name` is an attribute that this module describes.
    fn describes_attribute(self, full: &str) -> bool {
        self.attributes.contains(full)
    }

    /// Returns the attributes that a module describes, by their full names.
    fn described_attributes(context: &Context, module: &Module) -> HashSet<String> {
        let none = HashSet::new();
        let reader = Reader {
            context,
            module,
            attributes: &none,
        };
        let all = module.descendants(module.top());
        let dialects = all.filter(|operation| reader.is(*operation, b"irdl.dialect"));
        let mut found = HashSet::new();
        for dialect in dialects {
            let Some(namespace) = reader.string(dialect, "sym_name") else {
                continue;
            };
            let parts = reader.body(dialect);
            for part in parts.filter(|part| reader.is(*part, b"irdl.attribute")) {
                if let Some(name) = reader.string(part, "sym_name") {
                    let name = name.trim_start_matches(['!', '#']);
                    found.insert(format!("{namespace}.{name}"));
                }
            }
        }
        found
    }

    /// Returns the predicate of a constraint; `None` if it is unknown. `depth` is the remaining
    /// nesting depth, `left` the remaining number of combined constraints.
    fn predicate(self, value: Value, depth: usize, left: &mut usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        *left = left.checked_sub(1)?;
        let operation = self.defined_by(value)?;
        let attribute = |name| self.module.attribute(self.context, operation, name);
        let of = |name: &str| format!("!{name}<_>");
        let mut together = |separator: &str| {
            let mut all: Vec<String> = Vec::new();
            for operand in self.module.operands(operation) {
                if *left == 0 {
                    return None;
                }
                let one = self.predicate(operand, depth, left);
                let one = one.unwrap_or_else(|| "unknown".to_owned());
                let is_simple = !one.contains(' ');
                all.push(if is_simple { one } else { format!("({one})") });
            }
            (!all.is_empty()).then(|| all.join(separator))
        };
        match self.name(operation) {
            b"irdl.any" => Some("any".to_owned()),
            b"irdl.is" => match self.context.attribute_kind(attribute("expected")?) {
                AttributeKind::Type(ty) => self.single_type(*ty),
                _ => None,
            },
            b"irdl.base" => match attribute("base_ref") {
                Some(base) => Some(of(&self.symbol(base)?)),
                None => {
                    let name = self.text(attribute("base_name")?)?;
                    let name = name.strip_prefix('!')?;
                    match name.strip_prefix("builtin.") {
                        // In predicates, `tensor` includes unranked tensors, so IRDL's is
                        // `ranked_tensor`.
                        Some("tensor") => Some("ranked_tensor".to_owned()),
                        Some(builtin) => Some(builtin.to_owned()),
                        None => Some(of(name)),
                    }
                }
            },
            b"irdl.parametric" => {
                let base = self.symbol(attribute("base_type")?)?;
                Some(match self.exact_type(operation, &base) {
                    Some(exact) => exact,
                    None => format!("{} & unknown", of(&base)),
                })
            }
            b"irdl.any_of" => together(" | "),
            b"irdl.all_of" => together(" & "),
            _ => None,
        }
    }

    /// Returns the only type that a base has if each parameter has one value and these are builtin
    /// types of one word.
    fn exact_type(self, parametric: Operation, base: &str) -> Option<String> {
        let mut arguments = Vec::new();
        if self
            .module
            .operands(parametric)
            .nth(MOST_TOGETHER)
            .is_some()
        {
            return None;
        }
        for value in self.module.operands(parametric) {
            let is = self
                .defined_by(value)
                .filter(|op| self.is(*op, b"irdl.is"))?;
            let expected = self.module.attribute(self.context, is, "expected")?;
            let AttributeKind::Type(ty) = self.context.attribute_kind(expected) else {
                return None;
            };
            let name = self.single_type(*ty)?;
            // Types of dialects are referenced in bodies, so the text would differ.
            arguments.push((!name.starts_with('!')).then_some(name)?);
        }
        Some(match arguments.is_empty() {
            true => format!("!{base}"),
            false => format!("!{base}<{}>", arguments.join(", ")),
        })
    }

    /// Returns the text of a type in predicates, if it can be expressed.
    fn single_type(self, ty: Type) -> Option<String> {
        Some(match self.context.type_kind(ty) {
            TypeKind::Integer { width, signedness } => {
                let prefix = match signedness {
                    Signedness::Signless => "i",
                    Signedness::Signed => "si",
                    Signedness::Unsigned => "ui",
                };
                format!("{prefix}{width}")
            }
            TypeKind::Index => "index".to_owned(),
            TypeKind::None => "none".to_owned(),
            TypeKind::Token => "token".to_owned(),
            TypeKind::Float(kind) => kind.keyword().to_owned(),
            TypeKind::Dialect { dialect, body } if body.references().is_empty() => {
                let text = std::str::from_utf8(body.text()).ok()?;
                format!("!{}.{text}", self.context.str(*dialect))
            }
            _ => return None,
        })
    }

    /// Returns `dialect.name` for `@dialect::@name`.
    fn symbol(self, attribute: Attribute) -> Option<Text> {
        match self.context.attribute_kind(attribute) {
            AttributeKind::SymbolRef { root, nested } => {
                let mut name = self.context.str(*root).into_owned();
                for part in nested.iter() {
                    name.push('.');
                    name.push_str(&self.context.str(*part));
                }
                Some(name.into())
            }
            _ => None,
        }
    }

    /// Returns the constraint that only one builtin type satisfies.
    fn builtin(self, attribute: Attribute) -> Option<Text> {
        let AttributeKind::Type(ty) = self.context.attribute_kind(attribute) else {
            return None;
        };
        let name = match self.context.type_kind(*ty) {
            TypeKind::Integer {
                width,
                signedness: Signedness::Signless,
            } if matches!(width, 1 | 8 | 16 | 32 | 64) => return Some(format!("I{width}").into()),
            TypeKind::Index => "Index",
            TypeKind::None => "NoneType",
            TypeKind::Float(FloatKind::F32) => "F32",
            TypeKind::Float(FloatKind::F64) => "F64",
            _ => return None,
        };
        Some(Text::Borrowed(name))
    }
}
