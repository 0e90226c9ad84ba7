//! Detects named constraints on attributes that refer to themselves.

use super::Checker;
use rmlir_ir::constraint::{Confinement, NamedAttributeConstraint};
use std::sync::Arc;

/// The state of a constraint in the search for constraints that contain themselves.
#[derive(Clone, Copy)]
enum State {
    New,
    /// On the stack: the constraints that it names are being visited.
    Open,
    Good,
    /// It refers to itself, or to one that does, so it cannot be expanded.
    Endless,
}

impl Checker<'_> {
    /// Checks that no constraint on attributes refers to itself. Linear in their text, times the
    /// logarithm of their number.
    pub(super) fn attribute_constraints(&mut self) {
        let definition = Arc::clone(&self.definition);
        let all = definition.attribute_constraints();
        let named = |constraint: &NamedAttributeConstraint| -> Vec<usize> {
            let constraint = &constraint.constraint;
            let inner = Confinement::constraints(&constraint.confinements);
            let names = std::iter::once(constraint).chain(inner).map(|c| &*c.name);
            names
                .filter_map(|name| all.binary_search_by(|c| (*c.name).cmp(name)).ok())
                .collect()
        };
        let mut states = vec![State::New; all.len()];
        for first in 0..all.len() {
            // Constraints being visited, each with those that it names and that are not visited
            // yet.
            let mut stack: Vec<(usize, Vec<usize>)> = Vec::new();
            let mut next = Some(first);
            loop {
                if let Some(at) = next.take() {
                    match states.get(at) {
                        Some(State::New) => {
                            if let Some((constraint, state)) = all.get(at).zip(states.get_mut(at)) {
                                *state = State::Open;
                                stack.push((at, named(constraint)));
                            }
                        }
                        Some(State::Open | State::Endless) => {
                            let around = stack.last().and_then(|around| states.get_mut(around.0));
                            if let Some(around) = around {
                                *around = State::Endless;
                            }
                        }
                        _ => {}
                    }
                }
                let Some((at, others)) = stack.last_mut() else {
                    break;
                };
                next = others.pop();
                if next.is_some() {
                    continue;
                }
                let at = *at;
                stack.pop();
                if let Some(state @ State::Open) = states.get_mut(at) {
                    *state = State::Good;
                } else {
                    // A constraint that names an endless one is endless too.
                    next = (!stack.is_empty()).then_some(at);
                }
            }
        }
        for (constraint, state) in all.iter().zip(states) {
            if matches!(state, State::Endless) {
                let name = &constraint.name;
                let place = self.places.named("attribute_constraint", name);
                self.error(
                    place,
                    format!("'{name}' has no end: it names itself, or one that does"),
                );
            }
        }
    }
}
