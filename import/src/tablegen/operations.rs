//! Operations.

use super::confinements;
use super::constraints::{AttributeArgument, base, group, known, own, plain};
use super::enums::Enums;
use super::records::{Argument, LONGEST_CHAIN, Record, Records};
use super::{Import, Parts, dialect_of, predicates, values};
use crate::is_name;
use rmlir_ir::constraint::{TypeConstraint, TypePredicate};
use rmlir_ir::definition::{
    GroupDefinition, InherentAttribute, NativeProperty, OperationDefinition, Presence,
    PropertyBase, PropertyKind, PropertyWrapper, ReleaseRange,
};

use std::sync::Arc;

/// Whether the operation is verified by code.
fn has_rules(record: Record<'_>) -> bool {
    record.is_set("hasVerifier") || record.is_set("hasRegionVerifier")
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
            self.warn("the encoding of its properties in bytecode is C++");
        }
        let dialect = self.name.clone();
        if let Some(format) = record.some_text("assemblyFormat") {
            let format = one_line(format);
            let read = operation.add_format(&format, ReleaseRange::ALL, &dialect, self.hooks);
            match read {
                Ok(()) => self.missing_directives(&operation),
                Err(error) => {
                    self.warn(format!(
                        "the format is not expressible: {}",
                        error.message()
                    ));
                }
            }
        }
        let custom = record.is_set("hasCustomAssemblyFormat");
        let rules = has_rules(record);
        if custom || rules {
            let hook = format!("{dialect}.{mnemonic}");
            operation = operation.with_hook(hook.clone(), self.hooks);
            if custom && operation.syntax.is_none() {
                self.warn(format!(
                    "the custom syntax is C++: it is read and printed in generic form without a hook '{hook}'"
                ));
            }
            if rules && operation.verifier.is_none() {
                self.warn(format!(
                    "has rules of its own that are C++: they are not checked without a hook '{hook}'"
                ));
            }
        }
        operation
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
            let argument = plain(argument);
            if argument.is_a("TypeConstraint") {
                if name.is_empty() || self.accepts_name(name) {
                    let group = self.types(argument, name, enums);
                    operation.operands.push(group);
                }
            } else if argument.is_a("DerivedAttr") || !self.accepts_name(name) {
                // What is derived is not stored.
            } else if argument.is_a("Property") || argument.is_a("PropConstraint") {
                let property = self.property(argument, name, enums);
                operation.properties.push(property);
            } else if argument.is_a("AttrConstraint") {
                let attribute = self.attribute(argument, name, enums);
                operation.add_attribute(attribute);
            } else {
                self.warn(format!(
                    "argument '{name}' is nothing that is known: left out"
                ));
            }
        }
    }

    /// A group; what its types must be is said under the constraint's name, or in place if it has none.
    fn types(&mut self, constraint: Record<'_>, name: &str, enums: &Enums<'_>) -> GroupDefinition {
        let mut group = group(constraint, name);
        let base = base(constraint);
        if !base.is_a("TypeConstraint") {
            return group;
        }
        let built = base.some_text("builderCall");
        let built = built.and_then(|call| values::built_type(call, enums));
        let text = built.or_else(|| predicates::predicate(base, &self.classes));
        let Some(predicate) = text.and_then(|text| TypePredicate::new(&text).ok()) else {
            return group;
        };
        if predicate.to_string() == "unknown" {
            return group;
        }
        let summary = base.some_text("summary").map(one_line);
        let summary = summary.filter(|summary| !summary.contains('"'));
        let derived = predicate.summary();
        if base.is_anonymous() {
            group.constraint = match summary.filter(|summary| *summary != derived) {
                // Errors say something else than the predicate does: it needs a name to say it under.
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
            let name = base.name.to_owned();
            self.constraints.insert(name, Arc::new(constraint));
        }
        group
    }

    /// The name of a constraint that has none: its class and what its predicate speaks of.
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
        let names = std::iter::once(stem.clone()).chain((2u32..).map(|n| format!("{stem}_{n}")));
        for name in names {
            let Some(there) = self.constraints.get(&name) else {
                let constraint = TypeConstraint {
                    name: name.clone().into(),
                    summary: summary.into(),
                    predicate,
                };
                self.constraints.insert(name.clone(), Arc::new(constraint));
                return name;
            };
            if there.predicate == predicate && there.summary == summary {
                return name;
            }
        }
        stem
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
        attribute.confinements = confinements::of_argument(record, enums, &self.classes);
        if is_name(argument.constraint)
            && let Some(named) = confinements::named(argument.base, enums, &self.classes)
        {
            let name = named.name.to_string();
            self.attribute_constraints.insert(name, named);
        }
        let enumeration = enums.of_attribute(argument.base);
        let reference = enumeration.and_then(|e| enums.reference(e));
        if let Some(reference) = reference.filter(|reference| is_name(reference)) {
            attribute.enumeration = reference.into();
        }
        if let Some(expression) = argument.default {
            let text = values::attribute(expression, argument.base, enums);
            if text.is_none() {
                let expression = one_line(expression);
                self.warn(format!("the default of '{name}' is C++: {expression}"));
            }
            attribute.default = text.map(Into::into);
        }
        if attribute.presence == Presence::Required {
            attribute.default = None;
        }
        attribute
    }

    fn property<'j>(
        &mut self,
        record: Record<'j>,
        name: &str,
        enums: &Enums<'j>,
    ) -> NativeProperty {
        let kind = property_kind(record).unwrap_or_else(|| {
            let storage = record.text("storageType").unwrap_or_default();
            self.warn(format!("property '{name}' is C++: {}", one_line(storage)));
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
                    let expression = one_line(expression);
                    self.warn(format!(
                        "the default of property '{name}' is C++: {expression}"
                    ));
                }
            }
        }
        property
    }

    /// Names the directives of an operation's format that are code and not there.
    fn missing_directives(&mut self, operation: &OperationDefinition) {
        let mut missing = Vec::new();
        for format in &operation.formats {
            missing.extend(format.missing_hooks().map(|name| name.to_owned()));
        }
        for name in missing {
            self.warn(format!(
                "the directive custom<{name}> is C++: without a hook '{}.{name}' it is read and printed in generic form",
                self.name
            ));
        }
    }
}

/// Without line breaks and with one space where there are several.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// C++ types of integers: the bits of the attribute that shows one.
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

/// The enumeration that a property, or the one that it gives a default, is of.
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
                return values::enumerator(expression, form, enumeration);
            }
            let (_, value) = values::case(expression, enumeration)?;
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
