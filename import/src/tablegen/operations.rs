//! Imports the definitions of operations.

use super::confinements;
use super::constraints::{AttributeArgument, base, group, known, own, plain};
use super::enums::Enums;
use super::records::{
    Argument, LONGEST_CHAIN, MOST_TEXT, Record, Records, excerpt, one_line, summary,
};
use super::{Import, Parts, dialect_of, values};
use crate::{LossKind, Warning, is_name};
use rmlir_ir::constraint::{
    AttributeConstraint, ConfinedConstraint, NamedAttributeConstraint, TypeConstraint,
    TypePredicate,
};
use rmlir_ir::definition::{
    Documentation, GroupDefinition, InherentAttribute, NativeProperty, OperationDefinition,
    Presence, PropertyBase, PropertyKind, PropertyWrapper, ReleaseRange,
};

use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns whether an operation is verified by code.
fn has_rules(record: Record<'_>) -> bool {
    record.is_set("hasVerifier") || record.is_set("hasRegionVerifier")
}

/// Returns a format with the directive `Members` for each `enum($attribute)`.
fn with_members(format: &str, record: Record<'_>) -> String {
    let mut parts = format.split("enum($");
    let mut text = parts.next().unwrap_or_default().to_owned();
    let arguments = record.arguments("arguments");
    let attributes = arguments.filter_map(|(argument, name)| match argument {
        Argument::Record(one) => Some((name, AttributeArgument::new(one).base)),
        Argument::Text(_) => None,
    });
    let attributes: BTreeMap<&str, Record<'_>> = attributes.collect();
    for part in parts {
        let (name, rest) = part.split_once(')').unwrap_or((part, ""));
        let base = attributes.get(name);
        let of =
            base.and_then(|base| Some((dialect_of(*base, "dialect")?, base.text("mnemonic")?)));
        match of {
            Some((dialect, mnemonic)) => {
                // An anchor follows the parenthesis.
                let is_anchor = rest.starts_with('^');
                let rest = rest.strip_prefix('^').unwrap_or(rest);
                let anchor = if is_anchor { "^" } else { "" };
                text.push_str(&format!(
                    "custom<Members>(${name}, \"{dialect}.{mnemonic}\"){anchor}{rest}"
                ));
            }
            None => text.push_str(&format!("enum(${part}")),
        }
    }
    text
}

impl Import<'_> {
    pub(super) fn operations<'j>(
        &mut self,
        records: &Records<'j>,
        enums: &Enums<'j>,
        parts: &mut Parts,
    ) {
        for record in records.of_class("Op") {
            if dialect_of(record, "opDialect") != Some(&self.name) {
                continue;
            }
            let Some(mnemonic) = record.text("opName") else {
                continue;
            };
            self.subject = format!("op {mnemonic}");
            if !parts.taken.insert(self.subject.clone()) || !self.accepts_name(mnemonic) {
                continue;
            }
            let operation = self.operation(record, mnemonic, enums);
            if has_rules(record) {
                parts.verifiers.push(own(mnemonic));
            }
            parts.operations.push(operation);
        }
    }

    fn operation<'j>(
        &mut self,
        record: Record<'j>,
        mnemonic: &str,
        enums: &Enums<'j>,
    ) -> OperationDefinition {
        let mut operation = OperationDefinition::new(own(mnemonic));
        self.arguments(record, enums, &mut operation);
        for (field, groups) in [
            ("results", &mut operation.results),
            ("regions", &mut operation.regions),
            ("successors", &mut operation.successors),
        ] {
            for (argument, name) in record.arguments(field) {
                let Argument::Record(argument) = argument else {
                    continue;
                };
                self.variable(argument, name);
                if name.is_empty() || self.accepts_name(name) {
                    let mut group = self.types(argument, name, enums);
                    if field == "successors" {
                        group.constraint = own("");
                    }
                    groups.push(group);
                }
            }
        }
        self.traits(record, enums, &mut operation);
        if record.is_set("useCustomPropertiesEncoding") {
            self.warn(
                LossKind::Encoding,
                "the encoding of its properties in bytecode is C++",
            );
        }
        let dialect = self.name.clone();
        if let Some(format) = record.some_text("assemblyFormat") {
            let format = with_members(&one_line(format), record);
            let read = operation.add_format(&format, ReleaseRange::ALL, &dialect, self.hooks);
            match read {
                Ok(()) => self.missing_directives(&operation),
                Err(error) => {
                    self.warn(
                        LossKind::Syntax,
                        format!("the format is not expressible: {}", error.message()),
                    );
                }
            }
        }
        // A class can ask for code for all of its operations; a format takes precedence.
        let declarative = record.some_text("assemblyFormat").is_some();
        let custom = record.is_set("hasCustomAssemblyFormat") && !declarative;
        let rules = has_rules(record);
        operation.documentation = documentation(record);
        if custom || rules {
            let hook = format!("{dialect}.{mnemonic}");
            operation = operation.with_hook(hook.clone(), self.hooks);
            if custom && operation.syntax.is_none() {
                self.warn(LossKind::Syntax, format!(
                    "the custom syntax is C++: it is read and printed in generic form without a hook '{hook}'"
                ));
            }
            if rules && operation.verifier.is_none() {
                self.warn(
                    LossKind::Verifier,
                    format!(
                        "its verifier is C++: its rules are not checked without a hook '{hook}'"
                    ),
                );
            }
        }
        operation
    }

    /// Adds warnings for facts about a single operand, attribute or result beyond its constraint.
    fn variable(&mut self, argument: Record<'_>, name: &str) {
        if !argument.is_a("OpVariable") {
            return;
        }
        let effects = argument.defs("decorators").take(LONGEST_CHAIN);
        let effects: Vec<&str> = effects.map(effect_name).collect();
        if !effects.is_empty() {
            let effects = excerpt(&effects.join(", "));
            self.warn(
                LossKind::Effects,
                format!("the memory effects of '{name}' are left out: {effects}"),
            );
        }
        if argument.some_text("summary").is_some() {
            self.warn(
                LossKind::Documentation,
                format!("the description of '{name}' is left out"),
            );
        }
    }

    fn arguments<'j>(
        &mut self,
        record: Record<'j>,
        enums: &Enums<'j>,
        operation: &mut OperationDefinition,
    ) {
        for (argument, name) in record.arguments("arguments") {
            let Argument::Record(argument) = argument else {
                continue;
            };
            self.variable(argument, name);
            let argument = plain(argument);
            if argument.is_a("TypeConstraint") {
                if name.is_empty() || self.accepts_name(name) {
                    let group = self.types(argument, name, enums);
                    operation.operands.push(group);
                }
            } else if argument.is_a("DerivedAttr") || !self.accepts_name(name) {
                // Derived attributes are not stored.
            } else if argument.is_a("Property") || argument.is_a("PropConstraint") {
                let property = self.property(argument, name, enums);
                operation.properties.push(property);
            } else if argument.is_a("AttrConstraint") {
                let attribute = self.attribute(argument, name, enums);
                operation.add_attribute(attribute);
            } else {
                self.warn(
                    LossKind::Definition,
                    format!("argument '{name}' is of an unknown class: left out"),
                );
            }
        }
    }

    /// Imports a group of operands or results. Its constraint is declared under its name; an
    /// anonymous one is written in place.
    fn types(&mut self, constraint: Record<'_>, name: &str, enums: &Enums<'_>) -> GroupDefinition {
        let mut group = group(constraint, name);
        let base = base(constraint);
        if !base.is_a("TypeConstraint") {
            return group;
        }
        if !base.is_anonymous() && self.constraints.contains_key(base.name) {
            return group;
        }
        let built = base.some_text("builderCall");
        let built = built.and_then(|call| values::built_type(call, enums));
        let text = built.or_else(|| self.predicates.of(base));
        let predicate = text.and_then(|text| TypePredicate::new(&text).ok());
        let predicate = predicate.unwrap_or_else(TypePredicate::unknown);
        let summary = summary(base);
        let summary = summary.filter(|summary| !summary.contains('"'));
        let derived = predicate.summary();
        let is_unknown = predicate.to_string() == "unknown";
        if is_unknown {
            // The group keeps the constraint's name, which has no verdict.
            self.unknown_constraint(&group.constraint, summary.unwrap_or_default(), predicate);
        } else if base.is_anonymous() {
            group.constraint = match summary.filter(|summary| *summary != derived) {
                // The description differs from the predicate's own, so the constraint needs a name.
                Some(summary) => {
                    let class = base.class().unwrap_or_default();
                    self.named(class, summary, predicate).into()
                }
                None => format!("({predicate})").into(),
            };
        } else if is_name(base.name) && TypeConstraint::find(base.name).is_none() {
            let constraint = TypeConstraint {
                name: own(base.name),
                summary: summary.unwrap_or(derived).into(),
                predicate,
            };
            if has_unknown_part(&constraint.predicate) {
                self.warn_constraint(
                    base.name,
                    "a part of the predicate is C++: it is not checked",
                );
            }
            let name = base.name.to_owned();
            self.constraints.insert(name, Arc::new(constraint));
        }
        group
    }

    /// Declares a constraint on types that cannot be checked.
    fn unknown_constraint(&mut self, name: &str, summary: String, predicate: TypePredicate) {
        let is_declared =
            self.constraints.contains_key(name) || TypeConstraint::find(name).is_some();
        if is_declared || !is_name(name) {
            return;
        }
        let constraint = TypeConstraint {
            name: own(name),
            summary: match summary.is_empty() {
                true => predicate.summary().into(),
                false => summary.into(),
            },
            predicate,
        };
        self.warn_constraint(name, "the predicate is C++: it is not checked");
        self.constraints
            .insert(name.to_owned(), Arc::new(constraint));
    }

    fn warn_constraint(&mut self, name: &str, message: &str) {
        self.warnings.push(Warning {
            subject: format!("constraint {name}"),
            kind: LossKind::Predicate,
            message: message.to_owned(),
        });
    }

    /// Returns a generated name for an anonymous constraint, from its class and the words of its
    /// predicate.
    fn named(&mut self, class: &str, summary: String, predicate: TypePredicate) -> String {
        let text = predicate.to_string();
        let mut words: Vec<&str> = Vec::new();
        for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            let of_sort = TypePredicate::takes_elements(word);
            if !of_sort && !["", "_", "unknown"].contains(&word) && !words.contains(&word) {
                words.push(word);
            }
        }
        words.truncate(4);
        let stem = format!("{class}_{}", words.join("_"));
        let key = (stem.clone(), summary.clone(), text);
        if let Some(name) = self.named.get(&key) {
            return name.clone();
        }
        let count = self.names.entry(stem.clone()).or_default();
        let name = loop {
            *count = count.saturating_add(1);
            let name = match *count {
                1 => stem.clone(),
                number => format!("{stem}_{number}"),
            };
            if !self.constraints.contains_key(&name) || *count == u32::MAX {
                break name;
            }
        };
        let constraint = TypeConstraint {
            name: name.clone().into(),
            summary: summary.into(),
            predicate,
        };
        self.constraints.insert(name.clone(), Arc::new(constraint));
        self.named.insert(key, name.clone());
        name
    }

    fn attribute<'j>(
        &mut self,
        record: Record<'j>,
        name: &str,
        enums: &Enums<'j>,
    ) -> InherentAttribute {
        let argument = AttributeArgument::new(record);
        let mut attribute = InherentAttribute::new(own(name), argument.presence);
        attribute.constraint = known(argument.constraint);
        attribute.confinements = confinements::of_argument(record, enums, &mut self.predicates);
        let enumeration = enums.of_attribute(argument.base);
        let reference = enumeration.and_then(|e| enums.reference(e));
        if let Some(reference) = reference.filter(|reference| is_name(reference)) {
            attribute.enumeration = reference.into();
        }
        let is_declared = self.attribute_constraints.contains_key(argument.constraint);
        if is_name(argument.constraint) && !is_declared {
            let named = confinements::named(argument.base, enums, &mut self.predicates);
            let named = named.or_else(|| self.unknown_attribute(&argument, &attribute.enumeration));
            if let Some(named) = named {
                let name = named.name.to_string();
                self.attribute_constraints.insert(name, named);
            }
        }
        if let Some(expression) = argument.default {
            let text = values::attribute(expression, argument.base, enums);
            if text.is_none() {
                let expression = excerpt(expression);
                self.warn(
                    LossKind::Default,
                    format!("the default of '{name}' is C++: {expression}"),
                );
            }
            attribute.default = text.map(Into::into);
        }
        if attribute.presence == Presence::Required {
            attribute.default = None;
        }
        attribute
    }

    /// Declares a constraint on attributes that cannot be checked, unless its name is a known one.
    fn unknown_attribute(
        &mut self,
        argument: &AttributeArgument<'_>,
        enumeration: &str,
    ) -> Option<NamedAttributeConstraint> {
        let (base, name) = (argument.base, argument.constraint);
        let of_dialect = base.is_a("AttrDef")
            && dialect_of(base, "dialect") == Some(&self.name)
            && base.some_text("mnemonic").is_some();
        let has_meaning = AttributeConstraint::find(name).is_some() || !enumeration.is_empty();
        if of_dialect || has_meaning {
            return None;
        }
        self.warn_constraint(name, "the predicate is C++: it is not checked");
        let summary = summary(base).filter(|text| !base.is_anonymous() && !text.contains('"'));
        Some(NamedAttributeConstraint {
            name: own(name),
            summary: summary.unwrap_or_default().into(),
            constraint: ConfinedConstraint {
                name: own("AnyAttr"),
                confinements: Vec::new(),
            },
        })
    }

    fn property<'j>(
        &mut self,
        record: Record<'j>,
        name: &str,
        enums: &Enums<'j>,
    ) -> NativeProperty {
        let kind = property_kind(record).unwrap_or_else(|| {
            let storage = record.text("storageType").unwrap_or_default();
            self.warn(
                LossKind::Property,
                format!("property '{name}' is C++: {}", excerpt(storage)),
            );
            PropertyKind::plain(PropertyBase::Own)
        });
        let mut property = NativeProperty::new(own(name), kind);
        let is_integer = matches!(property.kind.base, PropertyBase::Integer { .. });
        if property.kind.wrappers.is_empty()
            && is_integer
            && let Some(enumeration) = enumeration_of(record).and_then(|e| enums.reference(e))
            && is_name(&enumeration)
        {
            property = property.with_enumeration(enumeration);
        }
        if let Some(expression) = record.some_text("defaultValue") {
            let text = property_default(expression, record, &property.kind, enums);
            match text {
                Some(text) => property.default = Some(text.into()),
                None => {
                    let expression = excerpt(expression);
                    self.warn(
                        LossKind::Default,
                        format!("the default of property '{name}' is C++: {expression}"),
                    );
                }
            }
        }
        property
    }

    /// Adds a warning for the directives of an operation's formats whose hooks are missing.
    fn missing_directives(&mut self, operation: &OperationDefinition) {
        let mut missing = Vec::new();
        for format in &operation.formats {
            missing.extend(format.missing_hooks().map(|name| name.to_owned()));
        }
        for name in missing {
            self.warn(LossKind::Syntax, format!(
                "the directive custom<{name}> is C++: without a hook '{}.{name}' it is read and printed in generic form",
                self.name
            ));
        }
    }
}

/// Returns the summary and the description of a record.
pub(super) fn documentation(record: Record<'_>) -> Option<Box<Documentation>> {
    let text = |field| record.text(field).unwrap_or_default();
    Documentation::new(text("summary"), text("description"))
}

/// Returns the name of a memory effect; that of its class if the record is anonymous.
pub(super) fn effect_name(effect: Record<'_>) -> &str {
    match effect.is_anonymous() {
        true => effect.class().unwrap_or_default(),
        false => effect.name,
    }
}

/// Returns whether a part of a predicate has no verdict.
fn has_unknown_part(predicate: &TypePredicate) -> bool {
    let text = predicate.to_string();
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.any(|word| word == "unknown")
}

/// The C++ integer types, with the width of the attribute that represents one.
const INTEGERS: &[(&str, u32)] = &[
    ("int8_t", 8),
    ("uint8_t", 8),
    ("int16_t", 16),
    ("uint16_t", 16),
    ("int32_t", 32),
    ("uint32_t", 32),
    ("int", 32),
    ("unsigned", 32),
    ("int64_t", 64),
    ("uint64_t", 64),
];

fn property_kind(record: Record<'_>) -> Option<PropertyKind> {
    let mut rest = record.text("storageType")?.trim();
    let mut wrappers = Vec::new();
    loop {
        let plain = rest.trim_start_matches("::").trim_start_matches("llvm::");
        let plain = plain
            .trim_start_matches("mlir::")
            .trim_start_matches("std::");
        let (wrapper, inner) = if let Some(inner) = plain.strip_prefix("optional<") {
            (PropertyWrapper::Optional, inner)
        } else if let Some(inner) = plain.strip_prefix("SmallVector<") {
            let dense = record.is_a("IntArrayProp") && wrappers.is_empty();
            let wrapper = match dense {
                true => PropertyWrapper::DenseArray,
                false => PropertyWrapper::Array,
            };
            (wrapper, inner)
        } else {
            rest = plain;
            break;
        };
        wrappers.push(wrapper);
        rest = inner.strip_suffix('>')?.trim();
    }
    let integer = INTEGERS.iter().find(|row| row.0 == rest);
    let base = if let Some(&(_, width)) = integer {
        PropertyBase::Integer { width }
    } else if rest == "bool" {
        match record.is_a("_cls_UnitProp") {
            true => PropertyBase::Unit,
            false => PropertyBase::Bool,
        }
    } else if rest == "string" {
        PropertyBase::String
    } else if rest == "Attribute" {
        PropertyBase::Attribute
    } else if let Some(width) = enumeration_of(record).and_then(|e| e.integer("bitwidth")) {
        PropertyBase::Integer {
            width: u32::try_from(width).ok().filter(|w| (1..=64).contains(w))?,
        }
    } else {
        return None;
    };
    Some(PropertyKind { wrappers, base })
}

/// Returns the enumeration of a property, or of the property that it gives a default.
fn enumeration_of(mut record: Record<'_>) -> Option<Record<'_>> {
    for _ in 0..LONGEST_CHAIN {
        match (record.def("enum"), record.def("baseProperty")) {
            (Some(enumeration), _) => return Some(enumeration),
            (None, Some(base)) => record = base,
            (None, None) => break,
        }
    }
    None
}

fn property_default<'j>(
    expression: &str,
    record: Record<'j>,
    kind: &PropertyKind,
    enums: &Enums<'j>,
) -> Option<String> {
    let expression = expression.trim();
    if expression.len() > MOST_TEXT {
        return None;
    }
    if !kind.wrappers.is_empty() {
        return (expression == "std::nullopt" || expression.ends_with("{}"))
            .then(|| "[]".to_owned());
    }
    match kind.base {
        PropertyBase::Integer { width } => {
            let Some(enumeration) = enumeration_of(record) else {
                let number = values::number(expression, false)?;
                return Some(format!("{number} : i{width}"));
            };
            if record.is_set("storeInCustomAttribute") {
                let form = record.def("attrForm")?;
                let enumeration = enums.of_attribute(form)?;
                return values::enumerator(expression, form, enumeration, enums);
            }
            let (_, value) = enums.case(expression, enumeration)?;
            Some(format!("{value} : i{width}"))
        }
        PropertyBase::Bool | PropertyBase::Unit => {
            matches!(expression, "true" | "false").then(|| match (kind.base, expression) {
                (PropertyBase::Unit, "true") => "unit".to_owned(),
                _ => expression.to_owned(),
            })
        }
        PropertyBase::String => {
            let plain = expression.starts_with('"')
                && expression.ends_with('"')
                && expression.len() >= 2
                && !expression.contains(['\\', '\n', '\r']);
            plain.then(|| expression.to_owned())
        }
        PropertyBase::Attribute | PropertyBase::Own => None,
    }
}
