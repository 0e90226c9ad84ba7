//! Prints the parts of attributes and types with many parts, one after another.

use super::{Entry, EntryStackPrinter, Work};
use crate::printer::output::Output;
use rmlir_ir::{AttributeKind, LocationKind, Type, TypeKind};

impl EntryStackPrinter<'_> {
    /// Prints part number `part` of an entry, and puts the next on the stack.
    pub(super) fn part(&mut self, entry: Entry, part: usize, out: &mut Output<'_>) {
        let context = self.context;
        let next = Work::Parts(entry, part.saturating_add(1));
        match entry {
            Entry::Attribute(attribute) => match context.attribute_kind(attribute) {
                AttributeKind::Array(items) => {
                    let Some(&item) = items.get(part) else {
                        return out.byte(b']');
                    };
                    if part > 0 {
                        out.text(", ");
                    }
                    self.push(next);
                    self.push(Work::Element(item));
                }
                AttributeKind::Dictionary(entries) => {
                    let Some(&(name, value)) = entries.get(part) else {
                        return out.byte(b'}');
                    };
                    if part > 0 {
                        out.text(", ");
                    }
                    self.push(next);
                    out.keyword_or_string(context.bytes(name));
                    if value != context.unit_attribute() {
                        out.text(" = ");
                        self.push_attribute(value);
                    }
                }
                AttributeKind::Distinct { referenced, .. } => {
                    out.text("]<");
                    self.push(Work::Text(">"));
                    if *referenced != context.unit_attribute() {
                        self.push_attribute(*referenced);
                    }
                }
                AttributeKind::Dialect { body, .. } => self.body_part(entry, body, part, out),
                _ => debug_assert!(false, "an entry without parts is printed at once"),
            },
            Entry::Type(ty) => match context.type_kind(ty) {
                TypeKind::Tuple(types) => {
                    let Some(&item) = types.get(part) else {
                        return out.byte(b'>');
                    };
                    if part > 0 {
                        out.text(", ");
                    }
                    self.push(next);
                    self.push_type(item);
                }
                TypeKind::Function { inputs, results } | TypeKind::Graph { inputs, results } => {
                    self.function_part(inputs, results, part, next, out);
                }
                TypeKind::Dialect { body, .. } => self.body_part(entry, body, part, out),
                _ => debug_assert!(false, "an entry without parts is printed at once"),
            },
            Entry::Location(location) => {
                if let LocationKind::Fused { locations, .. } = context.location_kind(location) {
                    if part == 0 {
                        out.byte(b'[');
                    }
                    let Some(&item) = locations.get(part) else {
                        return out.byte(b']');
                    };
                    if part > 0 {
                        out.text(", ");
                    }
                    self.push(next);
                    self.push(Work::Location(item));
                }
            }
        }
    }

    fn function_part(
        &mut self,
        inputs: &[Type],
        results: &[Type],
        part: usize,
        next: Work,
        out: &mut Output<'_>,
    ) {
        if let Some(&input) = inputs.get(part) {
            if part > 0 {
                out.text(", ");
            }
            self.push(next);
            self.push_type(input);
            return;
        }
        let result = part.saturating_sub(inputs.len());
        let bare = self.has_bare_result(results);
        if result == 0 {
            out.text(if bare { ") -> " } else { ") -> (" });
        }
        match results.get(result) {
            Some(&ty) => {
                if result > 0 {
                    out.text(", ");
                }
                self.push(next);
                self.push_type(ty);
            }
            None if bare => {}
            None => out.byte(b')'),
        }
    }
}
