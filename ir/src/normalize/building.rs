//! Normalization of the attributes of an operation that a builder creates.

use super::{AttributesAndProperties, Normalizer, Plan, Slot, Written, dictionary};
use crate::{Attribute, Context, Identifier, Invalid, NamedAttribute, OperationName, nearest_name};

/// The attributes that a caller passes to a builder.
#[derive(Debug, Default)]
pub(crate) struct GivenAttributes {
    /// Inherent or discardable, as the definition decides.
    pub(crate) unsorted: Vec<NamedAttribute>,
    /// The inherent attributes.
    pub(crate) properties: Vec<NamedAttribute>,
    /// Discardable, unless the definition declares them as inherent.
    pub(crate) attributes: Vec<NamedAttribute>,
}

impl GivenAttributes {
    /// Returns the attribute of a name.
    pub(crate) fn find(&self, context: &Context, name: &str) -> Option<Attribute> {
        let lists = [&self.unsorted, &self.properties, &self.attributes];
        let mut all = lists.into_iter().flatten();
        let found = all.find(|entry| context.bytes(entry.0) == name.as_bytes());
        found.map(|entry| entry.1)
    }

    /// Returns whether an attribute has one of two names.
    pub(crate) fn has(&self, context: &Context, names: (&str, &str)) -> bool {
        let lists = [&self.unsorted, &self.properties, &self.attributes];
        lists.into_iter().flatten().any(|&(name, _)| {
            let name = context.bytes(name);
            name == names.0.as_bytes() || name == names.1.as_bytes()
        })
    }
}

impl Normalizer {
    /// Sorts the attributes of a new operation into discardable attributes and properties, and adds
    /// defaults. Takes time linear in their number.
    ///
    /// # Errors
    ///
    /// If a name is given twice, or the definition does not declare an inherent attribute that is
    /// given; or as for [`normalize`](Self::normalize).
    pub(crate) fn normalize_built(
        &mut self,
        context: &mut Context,
        name: OperationName,
        given: GivenAttributes,
    ) -> Result<AttributesAndProperties, Invalid> {
        let GivenAttributes {
            mut unsorted,
            mut properties,
            mut attributes,
        } = given;
        if context.operation_definition(name).is_none() {
            attributes.append(&mut unsorted);
            let attributes = dictionary(context, &attributes)?;
            return Ok((attributes, dictionary(context, &properties)?));
        }
        let plan = self.plan(context, name)?;
        let empty = Plan::default();
        let plan = plan.as_deref().unwrap_or(&empty);
        for &(key, _) in &properties {
            if plan.named(key).is_none() {
                return Err(not_inherent(context, name, plan, key));
            }
        }
        for &(key, value) in &unsorted {
            match plan.place(context, name, key)? {
                AttributePlace::Inherent(key) => properties.push((key, value)),
                AttributePlace::Discardable => attributes.push((key, value)),
            }
        }
        attributes.retain(|&(key, value)| {
            let moves = plan.named(key).is_some_and(|slot| slot.moves);
            if moves {
                properties.push((plan.current_name(key), value));
            }
            !moves
        });
        self.normalize_lists(context, (name, Written::ByCode), &attributes, &properties)
    }
}

/// Where an attribute of an operation is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AttributePlace {
    /// In the properties, by its current name.
    Inherent(Identifier),
    /// In the dictionary of discardable attributes.
    Discardable,
}

impl Context {
    /// Returns where an attribute of an operation is stored, by the definition of the operation;
    /// `None` if no definition is known.
    ///
    /// # Errors
    ///
    /// If the definition does not declare the name, and the name has no dialect prefix, as that of
    /// a discardable attribute must have.
    pub(crate) fn attribute_place(
        &mut self,
        operation: OperationName,
        key: Identifier,
    ) -> Result<Option<AttributePlace>, Invalid> {
        if self.operation_definition(operation).is_none() {
            return Ok(None);
        }
        let mut normalizer = std::mem::take(&mut self.normalizer);
        let place = match normalizer.plan(self, operation) {
            Ok(Some(plan)) => plan.place(self, operation, key),
            Ok(None) => Plan::default().place(self, operation, key),
            Err(error) => Err(error),
        };
        self.normalizer = normalizer;
        place.map(Some)
    }
}

impl Plan {
    /// Where an attribute is stored that is given without saying whether it is inherent.
    fn place(
        &self,
        context: &Context,
        operation: OperationName,
        key: Identifier,
    ) -> Result<AttributePlace, Invalid> {
        match self.named(key) {
            Some(_) => Ok(AttributePlace::Inherent(self.current_name(key))),
            None if context.bytes(key).contains(&b'.') => Ok(AttributePlace::Discardable),
            None => Err(not_declared(context, operation, self, key)),
        }
    }

    /// The slot of a name, which may be one of a former release.
    fn named(&self, name: Identifier) -> Option<&Slot> {
        let name = self.current_name(name);
        self.slots.iter().find(|slot| slot.name == name)
    }
}

#[cold]
fn not_inherent(context: &Context, name: OperationName, plan: &Plan, key: Identifier) -> Invalid {
    let suggestion = suggestion(context, plan, key);
    Invalid::new(format!(
        "'{}' op has no inherent attribute '{}'{suggestion}",
        context.operation_name_bytes(name).escape_ascii(),
        context.bytes(key).escape_ascii()
    ))
}

#[cold]
fn not_declared(context: &Context, name: OperationName, plan: &Plan, key: Identifier) -> Invalid {
    let suggestion = suggestion(context, plan, key);
    Invalid::new(format!(
        "'{}' op has no attribute '{}'{suggestion} (a discardable attribute is named \
         'dialect.name'; another one is set once the operation is built)",
        context.operation_name_bytes(name).escape_ascii(),
        context.bytes(key).escape_ascii()
    ))
}

fn suggestion(context: &Context, plan: &Plan, key: Identifier) -> String {
    let names = plan.slots.iter().map(|slot| context.bytes(slot.name));
    let names = names.filter_map(|name| std::str::from_utf8(name).ok());
    match nearest_name(context.bytes(key), names) {
        Some(near) => format!("; did you mean '{near}'?"),
        None => String::new(),
    }
}
