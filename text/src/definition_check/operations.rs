//! Checks the definitions of operations.

use super::Checker;
use super::coverage::sort;
use crate::diagnostic::Severity;
use crate::formats::items::GroupNames;
use crate::formats::plan::Plan;
use crate::parser::parse_attribute;
use rmlir_ir::constraint::{AttributeConstraint, AttributeIs, Confinement};
use rmlir_ir::definition::{
    DirectiveArgument, FormatElement, GroupDefinition, GroupKind, OperationDefinition,
    OperationElement, OperationFormat, OperationTraits, Presence, Release, ReleaseRange,
    ReleaseSet, TypesOf, VariableKind,
};
use rmlir_ir::{Attribute, Context};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// An operation, and the range of its definition in the text.
struct Subject<'d> {
    operation: &'d OperationDefinition,
    block: Range<usize>,
}

/// A check of an operation.
type Check = fn(&mut Checker<'_>, &Subject<'_>);

/// The checks of an operation.
const CHECKS: &[Check] = &[
    |c, s| c.groups(s),
    |c, s| c.attributes(s),
    |c, s| c.names(s),
    |c, s| c.segments(s),
    |c, s| c.traits(s.operation, &s.block),
    |c, s| c.hook(s),
    |c, s| c.formats(s),
];

impl Checker<'_> {
    pub(super) fn operations(&mut self) {
        let definition = Arc::clone(&self.definition);
        let (mut number, mut before) = (0usize, "");
        for operation in definition.operations() {
            number = if operation.mnemonic == before {
                number.saturating_add(1)
            } else {
                0
            };
            before = &operation.mnemonic;
            let subject = Subject {
                operation,
                block: self.places.block("op", &operation.mnemonic, number),
            };
            for check in CHECKS {
                check(self, &subject);
            }
        }
        self.plans();
    }

    fn place(&self, subject: &Subject<'_>, keyword: &str, word: &str) -> usize {
        self.places.statement(subject.block.clone(), keyword, word)
    }

    /// Constraints and releases of operands, results, regions and successors.
    fn groups(&mut self, subject: &Subject<'_>) {
        let operation = subject.operation;
        for (keyword, groups) in lists(operation) {
            let mut before: HashMap<&str, ReleaseSet> = HashMap::new();
            for group in groups {
                let place = self.place(subject, keyword, &group.name);
                self.range(
                    group.releases,
                    operation.releases,
                    &format!("'{}'", group.name),
                    place,
                );
                let of_values = matches!(keyword, "operands" | "results");
                let own = of_values.then_some(&group.constraint);
                for constraint in own.into_iter().chain(group.arguments.iter().flatten()) {
                    let namespace = self.definition.name.as_bytes();
                    let known = self.context.type_constraint(namespace, constraint);
                    let known = known.is_some();
                    self.uses_constraint(true, constraint, known, place);
                }
                let before = before.entry(&group.name).or_default();
                let is_again = !before.insert(group.releases);
                if !group.name.is_empty() && is_again {
                    let message = format!(
                        "'{}' is twice among the {keyword} of one release",
                        group.name
                    );
                    self.error(place, message);
                }
            }
        }
    }

    fn attributes(&mut self, subject: &Subject<'_>) {
        let operation = subject.operation;
        let mut groups: HashMap<&str, Vec<ReleaseRange>> = HashMap::new();
        for group in lists(operation).into_iter().flat_map(|(_, groups)| groups) {
            groups.entry(&group.name).or_default().push(group.releases);
        }
        for attribute in operation.attributes() {
            let place = self.place(subject, "attr", &attribute.name);
            self.range(
                attribute.releases,
                operation.releases,
                &format!("'{}'", attribute.name),
                place,
            );
            self.uses_enumeration(&attribute.enumeration, place);
            let known = !attribute.enumeration.is_empty();
            self.uses_attribute_constraint(&attribute.constraint, known, place);
            for constraint in Confinement::constraints(&attribute.confinements) {
                self.uses_attribute_constraint(&constraint.name, false, place);
            }
            if AttributeIs::is_cut(&self.context, &self.definition, attribute) {
                let message = format!(
                    "'{}' is not checked to its end: the constraints that it names have too much text together",
                    attribute.name
                );
                self.warn(place, message);
            }
            if let Some(default) = &attribute.default
                && let Some(value) = self.attribute_text(&attribute.name, default, place)
                // The absence of an optional attribute denotes its default, which is then stored
                // nowhere.
                && attribute.presence != Presence::Optional
            {
                let definition = Arc::clone(&self.definition);
                let is = AttributeIs::of(&self.context, &definition, attribute);
                if let Some(is) = is.filter(|is| !is.accepts(&self.context, value)) {
                    let message = format!(
                        "the default of '{}' is not what it must be: {}",
                        attribute.name,
                        is.summary(&self.context)
                    );
                    self.error(place, message);
                }
            }
            let same = groups.get(&*attribute.name).map(Vec::as_slice);
            let mut same = same.unwrap_or_default().iter();
            let is_group = same.any(|range| range.overlaps(attribute.releases));
            if is_group {
                let message = format!("'{}' is the name of something else, too", attribute.name);
                self.error(place, message);
            }
        }
        let names: HashSet<&str> = operation.attributes().iter().map(|a| &*a.name).collect();
        let is_there = |name: &str| names.contains(name);
        for remembered in &operation.remembered {
            let place = self.place(subject, "remembers", &remembered.name);
            for name in remembered.numbers.iter().filter(|name| !is_there(name)) {
                self.error(place, format!("there is no attribute '{name}'"));
            }
            self.attribute_text(&remembered.name, &remembered.value, place);
        }
        for symbol in &operation.symbols {
            let place = self.place(subject, "symbol", &symbol.name);
            let names = [&symbol.name, &symbol.visibility].into_iter();
            for name in names.filter(|name| !name.is_empty() && !is_there(name)) {
                self.error(place, format!("there is no attribute '{name}'"));
            }
        }
        for (name, _) in &operation.symbol_references {
            if !is_there(name) {
                let place = self.place(subject, "references", name);
                self.error(place, format!("there is no attribute '{name}'"));
            }
        }
        self.check_declarations(operation, subject);
        for property in &operation.properties {
            let place = self.place(subject, "property", &property.name);
            self.range(
                property.releases,
                operation.releases,
                &format!("'{}'", property.name),
                place,
            );
            self.uses_enumeration(&property.enumeration, place);
            if let Some(default) = &property.default {
                self.attribute_text(&property.name, default, place);
            }
        }
    }

    /// Checks that the named constraint on an attribute, or on its content, exists.
    ///
    /// `is_known` if it is known for another reason.
    pub(super) fn uses_attribute_constraint(&mut self, name: &str, is_known: bool, place: usize) {
        let known = is_known
            || name.starts_with('#')
            || AttributeConstraint::find(name).is_some()
            || self.enumerations.contains(name)
            || name.contains('.')
            || self.attribute_constraints.contains(name)
            || self
                .definition
                .find_attribute_constraint(&self.context, name)
                .is_some();
        self.uses_constraint(false, name, known, place);
    }

    /// The statements on how a symbol is declared.
    fn check_declarations(&mut self, operation: &OperationDefinition, subject: &Subject) {
        let attributes: HashSet<&str> = operation.attributes().iter().map(|a| &*a.name).collect();
        let regions: HashSet<&str> = operation.regions.iter().map(|r| &*r.name).collect();
        let has_attribute = |name: &str| attributes.contains(name);
        let has_region = |name: &str| regions.contains(name);
        for declaration in &operation.declarations {
            for name in &declaration.body {
                if !has_attribute(name) && !has_region(name) {
                    let place = self.place(subject, "declaration", name);
                    self.error(place, format!("there is no attribute or region '{name}'"));
                }
            }
            let others = declaration.without.iter().chain(&declaration.matching);
            for name in others.filter(|name| !has_attribute(name)) {
                let place = self.place(subject, "declaration", name);
                self.error(place, format!("there is no attribute '{name}'"));
            }
        }
        for (keyword, values) in [
            ("declared", &operation.declared),
            ("local", &operation.local),
            ("weak", &operation.weak),
            ("appends", &operation.appends),
        ] {
            for value in values {
                let place = self.place(subject, keyword, &value.name);
                if !has_attribute(&value.name) {
                    self.error(place, format!("there is no attribute '{}'", value.name));
                }
                for text in value.values().filter(|&text| text != "?") {
                    self.attribute_text(&value.name, text, place);
                }
            }
        }
    }

    /// The text of an attribute: a default, or a memoized value.
    fn attribute_text(&mut self, name: &str, text: &str, place: usize) -> Option<Attribute> {
        match parse_attribute(&mut self.context, text.as_bytes()) {
            Ok(attribute) => Some(attribute),
            Err(errors) => {
                let message = &errors.first().message;
                let message = format!("the default of '{name}' is not an attribute: {message}");
                self.error(place, message);
                None
            }
        }
    }

    /// Checks the names in relations, type functions, terminators and parents.
    fn names(&mut self, subject: &Subject<'_>) {
        let operation = subject.operation;
        let values = operation.operands.iter().chain(&operation.results);
        let values: HashSet<&str> = values.map(|group| &*group.name).collect();
        let is_group = |name: &str| values.contains(name);
        let attributes = operation.attributes().iter();
        let attributes: HashSet<&str> = attributes.map(|a| &*a.name).collect();
        let is_attribute = |name: &str| attributes.contains(name);
        let mut regions: HashMap<&str, Vec<&GroupDefinition>> = HashMap::new();
        for region in &operation.regions {
            regions.entry(&region.name).or_default().push(region);
        }
        let is_argument = |name: &str| {
            let region = name.split_once('#').and_then(|name| regions.get(name.0));
            region.is_some_and(|all| all.iter().any(|region| region.is_argument(name)))
        };
        for requirement in &operation.requirements {
            let place = self.place(subject, "requires", &requirement.text);
            for name in requirement.names() {
                let is_region = regions.contains_key(name);
                let is_all = matches!(name, "operands" | "results");
                let is_property = operation.properties.iter().any(|p| p.name == name);
                if !is_group(name) && !is_attribute(name) && !is_region && !is_property && !is_all {
                    let message = format!("the rule names '{name}', which is not there");
                    self.error(place, message);
                }
            }
            self.range(requirement.releases, operation.releases, "requires", place);
        }
        for relation in &operation.relations {
            for name in &relation.groups {
                if !is_group(name) && !is_attribute(name) && !is_argument(name) {
                    let place = self.place(subject, "traits", name);
                    let message = format!(
                        "{} names '{name}', which is not there",
                        relation.kind.name()
                    );
                    self.error(place, message);
                }
            }
            let place = self.place(subject, "traits", relation.kind.name());
            self.range(
                relation.releases,
                operation.releases,
                relation.kind.name(),
                place,
            );
        }
        for &(traits, releases) in &operation.changed_traits {
            for name in traits.names() {
                let place = self.place(subject, "traits", name);
                self.range(releases, operation.releases, name, place);
            }
        }
        for derivation in &operation.derivations {
            let (target, source) = (&derivation.target, &derivation.source);
            let of_argument = is_argument(target);
            let is_source = is_group(source)
                || is_attribute(source)
                // The types in a region do not determine those outside.
                || of_argument && is_argument(source);
            for (name, known) in [
                (target, is_group(target) || of_argument),
                (source, is_source),
            ] {
                if !known {
                    let place = self.place(subject, "types", name);
                    self.error(place, format!("'{name}' is not there"));
                }
            }
        }
        let terminators = operation.implicit_terminator.iter();
        let terminators = terminators.map(|(name, _)| ("terminator", name));
        let parents = operation.parents.iter().map(|(name, _)| ("parents", name));
        for (keyword, name) in terminators.chain(parents) {
            let own = name.split_once('.');
            let own = own.filter(|(dialect, _)| *dialect == self.definition.name);
            let operations = self.definition.operations();
            if let Some((_, mnemonic)) = own
                && self.definition.operations_complete
                && operations
                    .binary_search_by(|op| (*op.mnemonic).cmp(mnemonic))
                    .is_err()
            {
                let place = self.place(subject, keyword, name);
                self.error(place, format!("there is no operation '{name}'"));
            }
        }
    }

    /// That it is known how long groups are.
    fn segments(&mut self, subject: &Subject<'_>) {
        let operation = subject.operation;
        for release in self.releases_of(operation) {
            let traits = operation.traits(release);
            for (keyword, groups, with) in [
                (
                    "operands",
                    &operation.operands,
                    [
                        OperationTraits::ATTRIBUTE_SIZED_OPERANDS,
                        OperationTraits::SAME_VARIADIC_OPERAND_SIZE,
                    ],
                ),
                (
                    "results",
                    &operation.results,
                    [
                        OperationTraits::ATTRIBUTE_SIZED_RESULTS,
                        OperationTraits::SAME_VARIADIC_RESULT_SIZE,
                    ],
                ),
            ] {
                let groups = operation.groups_in(groups, release);
                let open = groups
                    .filter(|group| group.kind != GroupKind::Single)
                    .count();
                if open > 1 && !with.iter().any(|one| traits.contains(*one)) {
                    let names: Vec<&str> = with.iter().flat_map(|one| one.names()).collect();
                    let place = self.place(subject, keyword, "");
                    let message = format!(
                        "'{}' has several groups of {keyword} that are not single: their lengths are unknown without {}",
                        operation.mnemonic,
                        names.join(" or ")
                    );
                    self.warn(place, message);
                }
                if open < 2 && traits.contains(with[0]) {
                    let place = self.place(
                        subject,
                        "traits",
                        with[0].names().next().unwrap_or_default(),
                    );
                    let message = format!(
                        "'{}' does not have two groups of {keyword} whose lengths must be stored",
                        operation.mnemonic
                    );
                    self.warn(place, message);
                }
            }
            for (keyword, groups) in [
                ("regions", &operation.regions),
                ("successors", &operation.successors),
            ] {
                let groups: Vec<_> = operation.groups_in(groups, release).collect();
                let before = groups.split_last().map_or(&[][..], |(_, before)| before);
                if let Some(group) = before.iter().find(|group| group.kind != GroupKind::Single) {
                    let place = self.place(subject, keyword, &group.name);
                    let message = format!(
                        "'{}' is not the last of the {keyword}: its length is unknown",
                        group.name
                    );
                    self.warn(place, message);
                }
            }
        }
    }

    fn hook(&mut self, subject: &Subject<'_>) {
        let operation = subject.operation;
        let found =
            operation.syntax.is_some() || operation.verifier.is_some() || operation.names.is_some();
        if !operation.hook.is_empty() && !found {
            let place = self.place(subject, "hook", &operation.hook);
            let what = match operation.formats.is_empty() {
                true => "it is read and printed in generic form",
                false => "what it would check is not checked",
            };
            // The definition itself declares that a part of the rules is C++.
            let verifiers = self.definition.verifiers.as_deref().unwrap_or_default();
            let is_declared = verifiers.contains(&operation.mnemonic);
            let severity = match is_declared && !operation.formats.is_empty() {
                true => Severity::Remark,
                false => Severity::Warning,
            };
            let message = format!("there is no hook '{}': {what}", operation.hook);
            self.say(place, severity, message);
        }
    }

    /// Checks for content that formats do not cover, and for groups that cannot be distinguished
    /// from the following tokens.
    fn formats(&mut self, subject: &Subject<'_>) {
        let operation = subject.operation;
        for (number, format) in operation.formats.iter().enumerate() {
            let place = self
                .places
                .numbered(subject.block.clone(), "format", number);
            self.range(format.releases, operation.releases, "the format", place);
            let mut said = Covered::default();
            said.elements(&format.format.elements);
            self.literals(&format.format.elements, place);
            self.operation_format(operation, format, place);
            let names = said
                .variables
                .iter()
                .filter_map(|&at| format.variables.get(at));
            let names: BTreeSet<(u8, &str)> = names.map(|v| (sort(v.kind), &*v.name)).collect();
            // A format that names an absent part is not used, which is reported elsewhere.
            let numbers: Vec<u32> = self
                .releases_of(operation)
                .into_iter()
                .filter(|release| is_usable(operation, format, *release))
                .map(|release| release.number_in(operation.family))
                .collect();
            let is_in = |range: ReleaseRange| numbers.iter().any(|&n| range.contains(n));
            let mut missing = Vec::new();
            for (variable, groups, all) in [
                (VariableKind::Operand, &operation.operands, said.operands),
                (VariableKind::Region, &operation.regions, said.regions),
                (
                    VariableKind::Successor,
                    &operation.successors,
                    said.successors,
                ),
            ] {
                let groups = groups.iter().filter(|group| is_in(group.releases));
                let unsaid = groups.filter(|g| !all && !names.contains(&(sort(variable), &g.name)));
                missing.extend(unsaid.map(|group| group.name.to_string()));
            }
            if !said.attributes {
                let attributes = operation.attributes().iter();
                let attributes = attributes.filter(|a| is_in(a.releases));
                let unsaid = attributes
                    .filter(|a| !names.contains(&(sort(VariableKind::Attribute), &a.name)));
                missing.extend(unsaid.map(|a| a.name.to_string()));
            }
            for name in missing {
                let message = format!(
                    "the format of '{}' does not contain '{name}'",
                    operation.mnemonic
                );
                self.error(place, message);
            }
        }
    }

    /// Reports formats that cover too little to be used, by release.
    fn plans(&mut self) {
        let definition = Arc::clone(&self.definition);
        let mut said: BTreeSet<(String, String)> = BTreeSet::new();
        for release in self.releases() {
            let mut context = Context::new();
            context.set_release(release);
            if let Some(dialects) = self.dialects {
                context.set_dialect_source(Arc::clone(dialects));
            }
            context.register_dialect(Arc::clone(&definition));
            for operation in definition.operations() {
                if operation.family != definition.family || operation.number(release).is_none() {
                    continue;
                }
                let name =
                    context.operation_name(format!("{}.{}", definition.name, operation.mnemonic));
                let mnemonic = &operation.mnemonic;
                let found = match Plan::new(&context, name) {
                    None => continue,
                    Some(Err(reason)) => vec![(
                        Severity::Warning,
                        format!("the format of '{mnemonic}' is not used: {reason}"),
                    )],
                    Some(Ok(plan)) => {
                        let names = GroupNames::new(operation, release);
                        let found = plan.ambiguities(&names).into_iter();
                        found
                            .map(|one| {
                                // What depends on the next operation is printed in generic form.
                                let severity = match one.is_of_module {
                                    true => Severity::Remark,
                                    false => Severity::Error,
                                };
                                let message = one.message;
                                (severity, format!("the format of '{mnemonic}': {message}"))
                            })
                            .collect()
                    }
                };
                for (severity, message) in found {
                    if said.insert((mnemonic.to_string(), message.clone())) {
                        let block = self.places.block("op", mnemonic, 0);
                        let place = self.places.statement(block, "format", "");
                        self.say(place, severity, message);
                    }
                }
            }
        }
    }

    /// Returns the known releases that an operation is in.
    fn releases_of(&self, operation: &OperationDefinition) -> Vec<Release> {
        let releases = self.releases();
        releases
            .filter(|release| operation.number(*release).is_some())
            .collect()
    }
}

/// Returns whether every part that a format names exists in a release.
fn is_usable(operation: &OperationDefinition, format: &OperationFormat, release: Release) -> bool {
    let number = release.number_in(operation.family);
    let groups = lists(operation).into_iter().flat_map(|(_, groups)| groups);
    let groups = groups.filter(|group| group.releases.contains(number));
    let attributes = operation.attributes_in(release).map(|a| &*a.name);
    let properties = operation.properties_in(release).map(|p| &*p.name);
    let names = groups
        .map(|group| &*group.name)
        .chain(attributes)
        .chain(properties);
    let names: HashSet<&str> = names.collect();
    format.releases.contains(number) && format.variables.iter().all(|v| names.contains(&*v.name))
}

fn lists(operation: &OperationDefinition) -> [(&'static str, &[GroupDefinition]); 4] {
    [
        ("operands", &operation.operands),
        ("results", &operation.results),
        ("regions", &operation.regions),
        ("successors", &operation.successors),
    ]
}

/// The parts that a format covers.
#[derive(Default)]
struct Covered {
    variables: BTreeSet<usize>,
    operands: bool,
    regions: bool,
    successors: bool,
    /// The attributes that nothing else covers.
    attributes: bool,
}

impl Covered {
    /// Recurses on groups of the definition, which are few.
    fn elements(&mut self, elements: &[FormatElement]) {
        for element in elements {
            match element {
                FormatElement::Parameter(place) | FormatElement::Qualified(place) => {
                    self.variables.insert(*place);
                }
                FormatElement::Group(group) => {
                    self.elements(&group.then);
                    self.elements(&group.otherwise);
                }
                FormatElement::Operation(element) => self.operation_element(element),
                _ => {}
            }
        }
    }

    fn operation_element(&mut self, element: &OperationElement) {
        match element {
            OperationElement::Operands => self.operands = true,
            OperationElement::Regions => self.regions = true,
            OperationElement::Successors => self.successors = true,
            OperationElement::AttributeDictionary { .. } | OperationElement::PropertyDictionary => {
                self.attributes = true;
            }
            OperationElement::Custom(directive) => {
                for argument in &directive.arguments {
                    match argument {
                        DirectiveArgument::Variable(place) => {
                            self.variables.insert(*place);
                        }
                        DirectiveArgument::AttributeDictionary => self.attributes = true,
                        _ => {}
                    }
                }
            }
            OperationElement::Clauses(clauses) => {
                for clause in clauses {
                    self.elements(clause);
                }
            }
            OperationElement::Type(TypesOf::Group(_)) => {}
            _ => {}
        }
    }
}
