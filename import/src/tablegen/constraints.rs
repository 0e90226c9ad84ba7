//! Imports the constraints of arguments, results, regions and successors.

use super::records::{LONGEST_CHAIN, Record};
use crate::is_name;
use rmlir_ir::definition::{GroupDefinition, GroupKind, Presence, Text};

/// The classes of groups, special ones first.
const KINDS: &[(&str, GroupKind)] = &[
    ("VariadicOfVariadic", GroupKind::VariadicOfVariadic),
    ("Variadic", GroupKind::Variadic),
    ("Optional", GroupKind::Optional),
    ("VariadicRegion", GroupKind::Variadic),
    ("VariadicSuccessor", GroupKind::Variadic),
];

/// Returns a constraint without the decorators for effects and descriptions (`Arg`, `Res`).
pub(super) fn plain(mut record: Record<'_>) -> Record<'_> {
    for _ in 0..LONGEST_CHAIN {
        match record.def("constraint") {
            Some(inner) if record.is_a("OpVariable") => record = inner,
            _ => break,
        }
    }
    record
}

/// Returns the name by which definitions refer to a constraint: that of the constraint it confines
/// or makes optional, its own, or that of its class.
pub(super) fn name<'j>(record: Record<'j>) -> &'j str {
    let mut record = record;
    for _ in 0..LONGEST_CHAIN {
        match record.def("baseAttr") {
            Some(base) => record = base,
            None => break,
        }
    }
    match record.is_anonymous() {
        true => record.class().unwrap_or_default(),
        false => record.name,
    }
}

/// Returns the constraint on each member of a group.
pub(super) fn base(record: Record<'_>) -> Record<'_> {
    let record = plain(record);
    let is_group = KINDS.iter().any(|kind| record.is_a(kind.0));
    match record.def("baseType") {
        Some(base) if is_group => base,
        _ => record,
    }
}

/// Returns a group of operands, results, regions or successors.
pub(super) fn group(record: Record<'_>, group_name: &str) -> GroupDefinition {
    let record = plain(record);
    let found = KINDS.iter().find(|kind| record.is_a(kind.0));
    let kind = found.map_or(GroupKind::Single, |kind| kind.1);
    let by = record
        .some_text("segmentAttrName")
        .map_or_else(Default::default, own);
    let record = base(record);
    let constraint = region(record).unwrap_or_else(|| name(record));
    let mut group = GroupDefinition::new(own(group_name), known(constraint));
    if let Some(number) = blocks(record, constraint) {
        group.constraint = own(&format!("{}({number})", group.constraint));
    }
    group.kind = kind;
    group.by = by;
    group
}

/// The constraint on each region of a variadic group, of which the record has only the description.
fn region(record: Record<'_>) -> Option<&'static str> {
    if !record.is_a("VariadicRegion") {
        return None;
    }
    let summary = record.some_text("summary")?.strip_prefix("region with ")?;
    Some(match summary.split(' ').nth(1) {
        Some("least") => "MinSizedRegion",
        Some("most") => "MaxSizedRegion",
        _ => "SizedRegion",
    })
}

/// The number of blocks that a constraint on regions asks for, if it is not the usual one: its
/// description alone has it.
fn blocks(record: Record<'_>, constraint: &str) -> Option<u32> {
    let counts = ["SizedRegion", "MinSizedRegion", "MaxSizedRegion"].contains(&constraint);
    let words = record.some_text("summary").filter(|_| counts)?.split(' ');
    let number = words.filter_map(|word| word.parse().ok()).next();
    number.filter(|&number| number != 1)
}

/// An attribute argument.
pub(super) struct AttributeArgument<'j> {
    /// The constraint, without the parts that make it optional or confine it.
    pub(super) base: Record<'j>,
    pub(super) constraint: &'j str,
    pub(super) presence: Presence,
    /// The C++ expression of its default.
    pub(super) default: Option<&'j str>,
}

impl<'j> AttributeArgument<'j> {
    pub(super) fn new(record: Record<'j>) -> Self {
        let mut base = record;
        for _ in 0..LONGEST_CHAIN {
            match base.def("baseAttr") {
                Some(inner) => base = inner,
                None => break,
            }
        }
        let default = record.some_text("defaultValue");
        let unit = base.name == "UnitAttr";
        let presence = match (unit || record.is_set("isOptional"), default) {
            (true, _) => Presence::Optional,
            (false, Some(_)) => Presence::Default,
            (false, None) => Presence::Required,
        };
        AttributeArgument {
            base,
            constraint: name(record),
            presence,
            default: default.filter(|_| !unit),
        }
    }
}

/// Returns a name; `_` if it is not valid as one.
pub(super) fn known(name: &str) -> Text {
    own(if is_name(name) { name } else { "_" })
}

pub(super) fn own(text: &str) -> Text {
    Text::Owned(text.to_owned())
}
