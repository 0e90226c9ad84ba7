//! Normalization: brings operations into the form that their definitions require, where modules
//! enter memory. The text parser, the readers of bytecode and [`Builder`](crate::Builder) use it.

#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod building;
mod cached_attributes;
mod conversion;

use crate::constraint::{Confinement, ConfinementRule};
use crate::definition::{OperationDefinition, Presence, Release, SEGMENT_SIZES};
use crate::{
    Attribute, AttributeKind, Context, Identifier, Invalid, NamedAttribute, OperationName, TypeKind,
};
pub(crate) use building::{AttributePlace, GivenAttributes};
use cached_attributes::CachedAttributes;
use conversion::{Rule, invalid_properties};

/// The discardable attributes and the properties of an operation; `None` denotes an empty
/// dictionary.
pub type AttributesAndProperties = (Option<Attribute>, Option<Attribute>);

/// Brings the attributes and properties of operations into the form that MLIR gives them on
/// creation.
///
/// Where the operation's definition is known in the context's [release](Context::release), or in
/// another release that was asked for:
///
/// - an inherent attribute among the discardable ones becomes a property, unless there is a
///   property of its name, which wins; `operand_segment_sizes` and `result_segment_sizes` get their
///   present names;
/// - missing inherent attributes and native properties get their defaults, native properties
///   without a default zero or the empty value. Defaults of optional attributes are not added;
/// - missing segment sizes are all 0;
/// - discardable attributes that MLIR's verifiers add are added, as
///   `linalg.memoized_indexing_maps`;
/// - a function type becomes a graph type where the definition requires one: their texts are equal.
///
/// Unlike in MLIR, properties that the definition does not declare are kept.
///
/// A normalizer belongs to one context and caches what it finds for each operation name. Defaults
/// are parsed by the context's [textual form](crate::TextualForm).
#[derive(Debug, Default)]
pub struct Normalizer {
    /// The release whose definitions apply; `None` for the context's.
    release: Option<Release>,
    /// Whether to reject attributes that operations cannot have.
    checks: bool,
    /// Indexed by operation name: 0 if the name was not looked up yet, else the index in `plans`
    /// plus one.
    names: Vec<u32>,
    plans: Vec<Plan>,
    lists: Lists,
}

/// The steps of normalization for the operations of a name.
#[derive(Debug, Default)]
struct Plan {
    /// The inherent attributes, sorted by the bytes of their names.
    slots: Vec<Slot>,
    /// The rule of each slot; empty if attributes are not checked.
    rules: Box<[Rule]>,
    remembered: Vec<CachedAttributes>,
    /// The attributes that hold a graph type, which has the text of a function type.
    graphs: Vec<Identifier>,
    /// Pairs of a former name and the present one.
    renamed: Vec<(Identifier, Identifier)>,
    /// The input and output of the last call. Most operations of a name have equal attributes.
    last: Option<(AttributesAndProperties, AttributesAndProperties)>,
    /// As `last`, for lists: the attributes followed by the properties, and the number of
    /// attributes.
    last_lists: Option<(Vec<NamedAttribute>, usize, AttributesAndProperties)>,
}

/// Lists whose memory is reused.
#[derive(Debug, Default)]
struct Lists {
    /// The values of the slots.
    values: Vec<Value>,
    /// The properties sorted by name, and the discardable attributes.
    sorted: Vec<NamedAttribute>,
    others: Vec<NamedAttribute>,
}

/// The value of a slot.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// No value was given; the default applies.
    Unsaid,
    /// The value is a property.
    Property(Attribute),
    /// The value is among the discardable attributes.
    Said(Attribute),
    /// No value, not even the default: a value was given that the operation cannot have.
    Refused,
}

/// How upstream treats inherent attributes among the discardable ones in custom form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// Upstream's parser is generated from a format: each attribute must satisfy the definition,
    /// and takes precedence over one elsewhere in the text.
    ByFormat,
    /// Upstream's parser is hand-written: an attribute of another sort is ignored, and a duplicate
    /// is an error.
    ByCode,
}

/// An inherent attribute or native property.
#[derive(Clone, Copy, Debug)]
struct Slot {
    name: Identifier,
    default: Option<Attribute>,
    /// Whether a discardable attribute of that name is moved here. Native properties are not moved.
    moves: bool,
}

impl Clone for Normalizer {
    /// Returns a normalizer with the same settings and empty caches.
    fn clone(&self) -> Self {
        Normalizer {
            release: self.release,
            checks: self.checks,
            ..Normalizer::default()
        }
    }
}

impl Normalizer {
    /// Returns a normalizer for the context's release.
    pub fn new() -> Self {
        Normalizer::default()
    }

    /// Returns a normalizer for the context's release that rejects, as upstream's parser does, the
    /// attributes that operations cannot have.
    pub fn checking() -> Self {
        Normalizer {
            checks: true,
            ..Normalizer::default()
        }
    }

    /// Returns a normalizer for a release that can differ from the context's, as readers of
    /// bytecode need.
    pub fn for_release(release: Release) -> Self {
        Normalizer {
            release: Some(release),
            ..Normalizer::default()
        }
    }

    /// Returns the attributes and properties of an operation in the form that its definition
    /// requires. Takes O(1) if they equal those of the previous operation of that name; else time
    /// linear in their number.
    ///
    /// # Errors
    ///
    /// If the properties are not a dictionary although the operation can have properties; if a
    /// default of the definition is not an attribute; or, if [checked](Self::checking), if the
    /// operation cannot have one of the inherent attributes: a property of another sort, or a
    /// discardable attribute that violates the definition.
    pub fn normalize(
        &mut self,
        context: &mut Context,
        name: OperationName,
        attributes: Option<Attribute>,
        properties: Option<Attribute>,
    ) -> Result<AttributesAndProperties, Invalid> {
        let given = (attributes, properties);
        let Some(plan) = self.plan(context, name)? else {
            return Ok(given);
        };
        if let Some((before, made)) = plan.last
            && before == given
        {
            return Ok(made);
        }
        if let Some(properties) = properties
            && !matches!(
                context.attribute_kind(properties),
                AttributeKind::Dictionary(_)
            )
        {
            let reason = "expected DictionaryAttr to set properties";
            return Err(invalid_properties(context, name, properties, reason));
        }
        plan.check_conversion(context, name, attributes, properties)?;
        let mut made = if plan.is_normal(context, attributes, properties) {
            given
        } else {
            plan.rebuild(context, attributes, properties)?
        };
        for remembered in &mut plan.remembered {
            made = remembered.add(context, made)?;
        }
        made.1 = with_graphs(context, &plan.graphs, made.1)?;
        plan.last = Some((given, made));
        Ok(made)
    }

    /// As [`normalize`](Self::normalize), for the attributes and properties of custom form, given
    /// as unsorted lists. Interns only the dictionaries of the result, while `normalize` would need
    /// those of the input too.
    ///
    /// # Errors
    ///
    /// If a name occurs twice in a list, or, if the operation is [`Written::ByCode`], in both; or
    /// as for [`normalize`](Self::normalize).
    pub fn normalize_lists(
        &mut self,
        context: &mut Context,
        (name, written): (OperationName, Written),
        attributes: &[NamedAttribute],
        properties: &[NamedAttribute],
    ) -> Result<AttributesAndProperties, Invalid> {
        let Some((plan, lists)) = self.plan_and_lists(context, name)? else {
            let attributes = dictionary(context, attributes)?;
            return Ok((attributes, dictionary(context, properties)?));
        };
        if let Some((before, count, made)) = &plan.last_lists
            && before.get(..*count) == Some(attributes)
            && before.get(*count..) == Some(properties)
        {
            return Ok(*made);
        }
        if !plan.sort(context, (name, written), lists, attributes, properties)? {
            let attributes = dictionary(context, attributes)?;
            let properties = dictionary(context, properties)?;
            return self.normalize(context, name, attributes, properties);
        }
        let Lists { sorted, others, .. } = lists;
        let inherent = (!sorted.is_empty()).then(|| context.sorted_dictionary_of(sorted));
        let mut made = (dictionary(context, others)?, inherent);
        for remembered in &mut plan.remembered {
            made = remembered.add(context, made)?;
        }
        made.1 = with_graphs(context, &plan.graphs, made.1)?;
        let mut before = plan.last_lists.take().unwrap_or_default().0;
        before.clear();
        before.extend_from_slice(attributes);
        before.extend_from_slice(properties);
        plan.last_lists = Some((before, attributes.len(), made));
        Ok(made)
    }

    /// Returns the plan for a name; `None` if no inherent attributes are known.
    fn plan(
        &mut self,
        context: &mut Context,
        name: OperationName,
    ) -> Result<Option<&mut Plan>, Invalid> {
        let found = self.plan_and_lists(context, name)?;
        Ok(found.map(|(plan, _)| plan))
    }

    /// As [`plan`](Self::plan), with lists to use for it.
    #[inline]
    fn plan_and_lists(
        &mut self,
        context: &mut Context,
        name: OperationName,
    ) -> Result<Option<(&mut Plan, &mut Lists)>, Invalid> {
        let index = name.index();
        if index >= self.names.len() {
            self.names.resize(index.saturating_add(1), 0);
        }
        let known = self.names.get(index).copied().unwrap_or(0);
        let plan = match known.checked_sub(1) {
            Some(plan) => plan as usize,
            None => {
                let release = self.release.unwrap_or(context.release());
                let mut plan = Plan::new(context, name, release)?;
                if self.checks
                    && let Some(definition) = context.operation_definition_in(name, release)
                {
                    let slots = &plan.slots;
                    plan.rules = conversion::rules(context, &definition, name, release, slots);
                }
                self.plans.push(plan);
                if let Some(slot) = self.names.get_mut(index) {
                    *slot = u32::try_from(self.plans.len()).unwrap_or(0);
                }
                self.plans.len().saturating_sub(1)
            }
        };
        let plan = self.plans.get_mut(plan);
        let plan = plan.filter(|p| !p.slots.is_empty() || !p.remembered.is_empty());
        Ok(plan.map(|plan| (plan, &mut self.lists)))
    }
}

impl Plan {
    fn new(context: &mut Context, name: OperationName, release: Release) -> Result<Self, Invalid> {
        let mut plan = Plan::default();
        let Some(definition) = context.operation_definition_in(name, release) else {
            return Ok(plan);
        };
        let definition: &OperationDefinition = &definition;
        for attribute in definition.attributes_in(release) {
            let value = match (&attribute.default, attribute.presence) {
                (Some(text), Presence::Default) => {
                    Some(default(context, definition, &attribute.name, text)?)
                }
                _ => None,
            };
            let name = context.identifier(attribute.name.as_bytes());
            if attribute.confinements.iter().any(is_graph) {
                plan.graphs.push(name);
            }
            plan.slots.push(Slot {
                name,
                default: value,
                moves: true,
            });
        }
        for property in definition.properties_in(release) {
            let text = property.default.clone();
            let value = match text.or_else(|| property.kind.initial_value()) {
                Some(text) => Some(default(context, definition, &property.name, &text)?),
                None => None,
            };
            plan.slots.push(Slot {
                name: context.identifier(property.name.as_bytes()),
                default: value,
                moves: false,
            });
        }
        let segments = definition.segment_counts(release);
        for ((now, before), count) in SEGMENT_SIZES.into_iter().zip(segments) {
            let Some(count) = count else { continue };
            let name = context.identifier(now);
            let zeros = context.i32_array_attribute(std::iter::repeat_n(0, count));
            plan.slots.push(Slot {
                name,
                default: Some(zeros),
                moves: true,
            });
            plan.renamed.push((context.identifier(before), name));
        }
        for remembered in definition.remembered_in(release) {
            let remembered = CachedAttributes::new(context, definition, remembered, release)?;
            plan.remembered.push(remembered);
        }
        let context = &*context;
        plan.slots
            .sort_by(|a, b| context.bytes(a.name).cmp(context.bytes(b.name)));
        Ok(plan)
    }

    /// Returns the index of the slot of that name. Few are compared one after the other, which is
    /// faster.
    fn slot_index(&self, context: &Context, name: Identifier) -> Option<usize> {
        const FEW: usize = 32;
        match self.slots.len() {
            0..=FEW => self.slots.iter().position(|slot| slot.name == name),
            _ => {
                let bytes = context.bytes(name);
                let sorted = |slot: &Slot| context.bytes(slot.name).cmp(bytes);
                self.slots.binary_search_by(sorted).ok()
            }
        }
    }

    /// Sorts the lists of an operation: the properties, with defaults and in order, into `sorted`,
    /// and the discardable attributes into `others`. Returns false in the rare cases it does not
    /// handle: a duplicate property, a former name, or an undeclared property.
    fn sort(
        &self,
        context: &Context,
        operation: (OperationName, Written),
        lists: &mut Lists,
        attributes: &[NamedAttribute],
        properties: &[NamedAttribute],
    ) -> Result<bool, Invalid> {
        let Plan { slots, renamed, .. } = self;
        let Lists {
            values,
            sorted,
            others,
        } = lists;
        let slot = |name: Identifier| self.slot_index(context, name);
        values.clear();
        values.resize(slots.len(), Value::Unsaid);
        for &(name, value) in properties {
            match slot(name).and_then(|at| values.get_mut(at)) {
                Some(free @ Value::Unsaid) => *free = Value::Property(value),
                _ => return Ok(false),
            }
        }
        others.clear();
        for &(name, value) in attributes {
            match slot(name) {
                Some(at) if slots.get(at).is_some_and(|slot| slot.moves) => {
                    if let Some(held) = values.get_mut(at) {
                        *held = self.said(context, operation, at, (*held, value))?;
                    }
                }
                _ if renamed.iter().any(|renamed| renamed.0 == name) => return Ok(false),
                _ => others.push((name, value)),
            }
        }
        // The slots are sorted, so the properties taken in their order are sorted.
        sorted.clear();
        for (slot, value) in slots.iter().zip(values) {
            let value = match *value {
                Value::Unsaid => slot.default,
                Value::Property(value) | Value::Said(value) => Some(value),
                Value::Refused => None,
            };
            sorted.extend(value.map(|value| (slot.name, value)));
        }
        Ok(true)
    }

    /// Returns the present name of an attribute that may have a former one.
    fn current_name(&self, name: Identifier) -> Identifier {
        let renamed = self.renamed.iter().find(|r| r.0 == name);
        renamed.map_or(name, |r| r.1)
    }

    /// Returns the index of the slot of that name, and the slot.
    fn slot(&self, context: &Context, name: Identifier) -> Option<(usize, Slot)> {
        let name = context.bytes(self.current_name(name));
        let at = self
            .slots
            .binary_search_by(|slot| context.bytes(slot.name).cmp(name))
            .ok()?;
        Some((at, *self.slots.get(at)?))
    }

    /// Returns whether a discardable attribute of that name is to be moved to the properties.
    fn moves(&self, context: &Context, name: Identifier) -> bool {
        self.slot(context, name).is_some_and(|(_, slot)| slot.moves)
    }

    /// Returns whether normalization would change nothing. Dictionaries and slots are sorted alike,
    /// so one pass finds the properties of the slots.
    fn is_normal(
        &self,
        context: &Context,
        attributes: Option<Attribute>,
        properties: Option<Attribute>,
    ) -> bool {
        let entries = |a: Option<Attribute>| a.map_or(&[][..], |a| context.dictionary_entries(a));
        let mut properties = entries(properties).iter();
        let mut defaults = self.slots.iter().filter(|slot| slot.default.is_some());
        defaults.all(|slot| properties.by_ref().any(|p| p.0 == slot.name))
            && !entries(attributes).iter().any(|a| self.moves(context, a.0))
    }

    fn rebuild(
        &self,
        context: &mut Context,
        attributes: Option<Attribute>,
        properties: Option<Attribute>,
    ) -> Result<AttributesAndProperties, Invalid> {
        let entries = |a: Option<Attribute>| a.map_or(&[][..], |a| context.dictionary_entries(a));
        let mut inherent: Vec<NamedAttribute> = Vec::new();
        let mut discardable: Vec<NamedAttribute> = Vec::new();
        // The first value takes precedence.
        let mut filled = vec![false; self.slots.len()];
        let mut fill = |at: usize| {
            let filled = filled.get_mut(at);
            filled.is_some_and(|filled| !std::mem::replace(filled, true))
        };
        for &(name, value) in entries(properties) {
            match self.slot(context, name) {
                Some((at, slot)) if fill(at) => inherent.push((slot.name, value)),
                Some(_) => {}
                None => inherent.push((name, value)),
            }
        }
        for &(name, value) in entries(attributes) {
            match self.slot(context, name) {
                Some((at, slot)) if slot.moves => {
                    if fill(at) {
                        inherent.push((slot.name, value));
                    }
                }
                _ => discardable.push((name, value)),
            }
        }
        for (at, slot) in self.slots.iter().enumerate() {
            if let Some(default) = slot.default
                && fill(at)
            {
                inherent.push((slot.name, default));
            }
        }
        let discardable = dictionary(context, &discardable)?;
        Ok((discardable, dictionary(context, &inherent)?))
    }
}

/// Returns whether a condition requires a graph type.
fn is_graph(confinement: &Confinement) -> bool {
    matches!(&confinement.rule, ConfinementRule::Type(name) if name == "graph")
}

/// Returns the properties with graph types in place of the function types of attributes that hold
/// graph types. Linear in the number of properties if there are such attributes.
fn with_graphs(
    context: &mut Context,
    graphs: &[Identifier],
    properties: Option<Attribute>,
) -> Result<Option<Attribute>, Invalid> {
    let Some(properties) = properties.filter(|_| !graphs.is_empty()) else {
        return Ok(properties);
    };
    let mut entries = context.dictionary_entries(properties).to_vec();
    for (name, value) in &mut entries {
        if graphs.contains(name)
            && let AttributeKind::Type(ty) = context.attribute_kind(*value)
            && let TypeKind::Function { inputs, results } = context.type_kind(*ty).clone()
        {
            let graph = context.try_type(TypeKind::Graph { inputs, results })?;
            *value = context.type_attribute(graph);
        }
    }
    dictionary(context, &entries)
}

/// Parses the default that a definition specifies for an attribute.
fn default(
    context: &mut Context,
    definition: &OperationDefinition,
    name: &str,
    text: &str,
) -> Result<Attribute, Invalid> {
    context.parse_attribute(text).map_err(|error| {
        Invalid::new(format!(
            "the default of '{name}' in the definition of '{}' {error}",
            definition.mnemonic,
        ))
    })
}

/// Returns the dictionary of some entries; `None` if there are none.
fn dictionary(
    context: &mut Context,
    entries: &[NamedAttribute],
) -> Result<Option<Attribute>, Invalid> {
    match entries.is_empty() {
        true => Ok(None),
        false => context.dictionary_attribute(entries).map(Some),
    }
}
