//! Finds parts that a format covers more than once, and parts that it covers although they may be
//! omitted.

use super::Checker;
use super::coverage::{Coverage, What};
use rmlir_ir::definition::{
    EntryDefinition, FormatElement, OperationDefinition, OperationElement, OperationFormat,
};
use std::collections::BTreeMap;

/// The number of times each part is covered.
type Counts<'f> = BTreeMap<What<'f>, usize>;

impl Checker<'_> {
    /// Checks the format of an operation, which is at `place` in the text.
    pub(super) fn operation_format(
        &mut self,
        operation: &OperationDefinition,
        format: &OperationFormat,
        place: usize,
    ) {
        let said = Coverage::new(operation, format);
        let mut counts = Counts::new();
        count(&format.format.elements, &|one| said.of(one), &mut counts);
        let name = &*operation.mnemonic;
        for (what, _) in counts.iter().filter(|found| *found.1 > 1) {
            self.error(
                place,
                format!("the format of '{name}' contains {what} twice"),
            );
        }
        if !counts.contains_key(&What::Attributes) {
            let message = format!(
                "the format of '{name}' has no `attr-dict`: attributes other than its own are lost"
            );
            self.error(place, message);
        }
        self.order(&said, place);
        self.clauses(&said, place);
        self.dictionary(operation, &format.format.elements, false, place);
        self.mandatory(&said, &format.format.elements, place);
        let always = |at: usize| said.is_always_there(at);
        self.anchors(&format.format.elements, always, place);
    }

    /// Checks the format of an attribute or type; the format is at `place`.
    pub(super) fn entry_format(&mut self, entry: &EntryDefinition, place: usize) {
        let said = |element: &FormatElement| {
            let places = match element {
                FormatElement::Parameter(at) | FormatElement::Qualified(at) => {
                    std::slice::from_ref(at)
                }
                FormatElement::Parameters(all) | FormatElement::Struct(all) => all,
                FormatElement::Custom(custom) => &custom.bound,
                _ => &[],
            };
            let named = places.iter().filter_map(|at| entry.parameters.get(*at));
            named
                .map(|parameter| What::Part(0, &parameter.name))
                .collect()
        };
        let mut counts = Counts::new();
        count(&entry.format.elements, &said, &mut counts);
        for (what, _) in counts.into_iter().filter(|found| found.1 > 1) {
            let message = format!("the format of '{}' contains {what} twice", entry.mnemonic);
            self.error(place, message);
        }
        let always = |at: usize| {
            let parameter = entry.parameters.get(at)?;
            parameter.is_required().then(|| parameter.name.to_string())
        };
        self.anchors(&entry.format.elements, always, place);
    }

    /// Checks that of the anchors of each optional group at least one can be absent.
    ///
    /// `always` names those that cannot.
    fn anchors(
        &mut self,
        elements: &[FormatElement],
        always: impl Fn(usize) -> Option<String>,
        place: usize,
    ) {
        let mut stack: Vec<&FormatElement> = elements.iter().collect();
        while let Some(element) = stack.pop() {
            match element {
                FormatElement::Group(group) => {
                    stack.extend(group.then.iter().chain(&group.otherwise));
                    let names: Option<Vec<String>> =
                        group.anchor.iter().map(|at| always(*at)).collect();
                    if let Some(name) = names.and_then(|names| names.into_iter().next()) {
                        let message = format!(
                            "'{name}' is always present: it cannot be the anchor of an optional group"
                        );
                        self.error(place, message);
                    }
                }
                FormatElement::Operation(OperationElement::Clauses(clauses)) => {
                    stack.extend(clauses.iter().flatten());
                }
                _ => {}
            }
        }
    }
}

/// Counts how often elements cover each part. Of the branches of a group, only one of which is
/// present, the one that covers a part more often counts.
///
/// Recurses on groups of the definition, which are few.
fn count<'f>(
    elements: &[FormatElement],
    said: &impl Fn(&FormatElement) -> Vec<What<'f>>,
    counts: &mut Counts<'f>,
) {
    let mut add = |what, times: usize| {
        let count: &mut usize = counts.entry(what).or_default();
        *count = count.saturating_add(times);
    };
    for element in elements {
        match element {
            FormatElement::Group(group) => {
                let (mut either, mut other) = (Counts::new(), Counts::new());
                count(&group.then, said, &mut either);
                count(&group.otherwise, said, &mut other);
                for (what, times) in other {
                    let before: &mut usize = either.entry(what).or_default();
                    *before = times.max(*before);
                }
                either
                    .into_iter()
                    .for_each(|(what, times)| add(what, times));
            }
            FormatElement::Operation(OperationElement::Clauses(clauses)) => {
                let mut inner = Counts::new();
                clauses
                    .iter()
                    .for_each(|clause| count(clause, said, &mut inner));
                inner.into_iter().for_each(|(what, times)| add(what, times));
            }
            element => said(element).into_iter().for_each(|what| add(what, 1)),
        }
    }
}
