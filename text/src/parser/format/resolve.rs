//! The end of an operation with a format: infers types that the text omits, and resolves operands
//! and results.

use super::FormatParser;
use crate::diagnostic::Result;
use crate::formats::plan::{Groups, Rule, Sizes, TypesIn};
use crate::parser::operation::type_text;
use rmlir_ir::asm::AsmError;
use rmlir_ir::definition::{GroupKind, TypeFunction, listed_parameters};
use rmlir_ir::{AttributeKind, Context, Type, TypeKind};
use std::ops::Range;

impl FormatParser<'_, '_, '_> {
    /// Infers the types that the text omits, and resolves operands and results with them.
    pub(super) fn finish(&mut self) -> Result<()> {
        let plan = self.plan;
        // The types in the text; rules infer those of the groups that it omits.
        let said = self.state.operands.iter().zip(&self.state.operand_types);
        for (operands, types) in said {
            if let (None, Some(types)) = (operands, types)
                && !types.is_empty()
                && self.state.all_operands.is_none()
            {
                let place = self.place;
                let message = format!(
                    "number of operands and types do not match: got 0 operands and {} types",
                    types.len()
                );
                let error = AsmError::new(place, message);
                return Err(self.parser.of_operation(error, self.name));
            }
        }
        self.verify_types()?;
        for &(target, rule) in &plan.rules {
            self.apply(target, rule)?;
        }
        if let Some((range, place)) = self.state.all_operands.clone() {
            match self.state.all_operand_types.clone() {
                Some(types) => self.resolve(range, types, place)?,
                None => self.resolve_all_by_group(range, place)?,
            }
        } else if let Some(types) = self.state.all_operand_types.clone() {
            let mut start = types.start;
            for group in 0..plan.operands.len() {
                let Some((names, place)) = self.state.operands.get(group).cloned().flatten() else {
                    continue;
                };
                let end = start.saturating_add(names.len());
                if group.saturating_add(1) == plan.operands.len() {
                    self.resolve(names, start..types.end, place)?;
                } else {
                    self.resolve(names, start..end.min(types.end), place)?;
                }
                start = end.min(types.end);
            }
        } else {
            for group in 0..plan.operands.len() {
                let Some((names, place)) = self.state.operands.get(group).cloned().flatten() else {
                    continue;
                };
                let types = self.state.operand_types.get(group).cloned().flatten();
                self.resolve(names, types.unwrap_or_default(), place)?;
            }
        }
        match self.state.all_result_types.clone() {
            Some(range) => {
                let types = self.state.types.get(range).unwrap_or_default();
                self.operation.result_types.extend_from_slice(types);
            }
            None => {
                for range in self.state.result_types.iter().flatten() {
                    let types = self.state.types.get(range.clone()).unwrap_or_default();
                    self.operation.result_types.extend_from_slice(types);
                }
            }
        }
        if plan.operands.sizes == Sizes::Segments && self.state.all_operands.is_none() {
            let operands = std::mem::take(&mut self.state.operands);
            let lens = operands.iter();
            let lens = lens.map(|o| o.as_ref().map_or(0, |(range, _)| range.len()));
            self.segments(&plan.operands, lens);
            self.state.operands = operands;
        }
        if plan.results.sizes == Sizes::Segments && self.state.all_result_types.is_none() {
            let results = std::mem::take(&mut self.state.result_types);
            let lens = results.iter();
            let lens = lens.map(|range| range.as_ref().map_or(0, |range| range.len()));
            self.segments(&plan.results, lens);
            self.state.result_types = results;
        }
        for &lengths in &plan.lengths {
            let planned = plan.attributes.get(lengths);
            let name = planned.map(|planned| planned.name.as_bytes());
            let context = &self.parser.context;
            let mut said = self.operation.properties.iter();
            if !said.any(|said| Some(context.bytes(said.0)) == name) {
                let none = self.parser.context.i32_array_attribute([]);
                self.set(lengths, none);
            }
        }
        let singles = plan.regions.iter().filter(|k| **k == GroupKind::Single);
        let singles = singles.count();
        self.operation.empty_regions = singles.saturating_sub(self.regions.len());
        // Regions whose optional groups are not there are empty, also between others.
        let groups = &self.state.region_groups;
        if singles == plan.regions.len() && !groups.iter().copied().eq(0..groups.len()) {
            let absent = (0..singles).filter(|group| !groups.contains(group));
            let order = groups.iter().copied().chain(absent);
            self.operation.region_order = order.collect();
        }
        Ok(())
    }

    /// Verifies the types from which others are computed.
    fn verify_types(&self) -> Result<()> {
        for verified in &self.plan.verified {
            let types = self.state.types_of(verified.types).unwrap_or_default();
            for &ty in types {
                if verified.accepted.get() == Some(ty) {
                    continue;
                }
                let context = &*self.parser.context;
                if self.parser.checks_entries && !verified.constraint.accepts(context, ty) {
                    let error = AsmError::new(
                        self.place,
                        format!(
                            "'{}' must be {}, but got '{}'",
                            verified.name,
                            verified.constraint.summary,
                            type_text(context, ty)
                        ),
                    );
                    return Err(self.parser.of_operation(error, self.name));
                }
                verified.accepted.set(Some(ty));
            }
        }
        Ok(())
    }

    /// Resolves the operands of a range of names with a range of types.
    fn resolve(&mut self, names: Range<usize>, types: Range<usize>, place: usize) -> Result<()> {
        if names.len() != types.len() {
            let error = AsmError::new(
                place,
                format!(
                    "number of operands and types do not match: got {} operands and {} types",
                    names.len(),
                    types.len()
                ),
            );
            return Err(self.parser.of_operation(error, self.name));
        }
        for (name, ty) in names.zip(types) {
            let (Some(&name), Some(&ty)) = (self.state.names.get(name), self.state.types.get(ty))
            else {
                continue;
            };
            let name = self.parser.value_of(name);
            let context = &*self.parser.context;
            let value = self
                .ops
                .scopes
                .resolve(&mut self.ops.module, name, ty, |t| type_text(context, t))?;
            self.operation.operands.push(value);
        }
        Ok(())
    }

    /// Resolves all operands, given the types of the groups.
    fn resolve_all_by_group(&mut self, names: Range<usize>, place: usize) -> Result<()> {
        let mut types = Vec::new();
        for range in self.state.operand_types.iter().flatten() {
            types.extend_from_slice(self.state.types.get(range.clone()).unwrap_or_default());
        }
        let start = self.state.types.len();
        self.state.types.extend(types);
        let end = self.state.types.len();
        self.resolve(names, start..end, place)
    }

    fn segments(&mut self, groups: &Groups, lens: impl Iterator<Item = usize>) {
        let context = &mut *self.parser.context;
        let lens = lens.map(|len| i32::try_from(len).unwrap_or(i32::MAX));
        let sizes = context.i32_array_attribute(lens);
        let name = self.parser.name(groups.segments);
        self.operation.properties.push((name, sizes));
    }

    /// Finds types by a rule.
    fn apply(&mut self, target: TypesIn, rule: Rule) -> Result<()> {
        // The number of types to infer; groups without names get it from elsewhere.
        let mut count = match target {
            TypesIn::Operands(group) => {
                let names = self.state.operands.get(group).cloned().flatten();
                match (names, &self.state.all_operands) {
                    (Some((range, _)), _) => range.len(),
                    (None, Some((range, _))) if self.plan.operands.len() == 1 => range.len(),
                    (None, Some(_)) => 1,
                    (None, None) => 0,
                }
            }
            _ => 1,
        };
        let source = match rule {
            Rule::Fixed(fixed) => Some(fixed.get(self.parser.context, &self.plan.own_types)),
            Rule::Of(_, source) => {
                let all = match source {
                    TypesIn::Operands(_) => TypesIn::AllOperands,
                    _ => TypesIn::AllResults,
                };
                let types = self
                    .state
                    .types_of(source)
                    .or_else(|| self.state.types_of(all));
                types.and_then(|types| types.first().copied())
            }
            Rule::OfAttribute(function, number) => {
                let planned = self.plan.attributes.get(number);
                let name = planned.and_then(|planned| planned.identifier);
                let mut read = self.operation.properties.iter();
                let value = read
                    .find(|entry| Some(entry.0) == name)
                    .map(|entry| entry.1);
                let context = &*self.parser.context;
                value.and_then(|value| match function {
                    TypeFunction::Value => match context.attribute_kind(value) {
                        AttributeKind::Type(ty) => Some(*ty),
                        _ => None,
                    },
                    _ => Some(context.attribute_type(value)),
                })
            }
        };
        let start = self.state.types.len();
        if let Rule::Of(function @ (TypeFunction::Each | TypeFunction::I1Each), source) = rule {
            let mut types = self.state.types_of(source).unwrap_or_default().to_vec();
            if function == TypeFunction::I1Each {
                types.fill(self.parser.context.i1_type());
            }
            self.state.types.extend(types);
            let end = self.state.types.len();
            self.state.set_types(target, start..end);
            return Ok(());
        }
        let function = match rule {
            Rule::Of(function, _) | Rule::OfAttribute(function, _) => function,
            Rule::Fixed(_) => TypeFunction::Same,
        };
        let Some(source) = source else {
            // An absent group determines no types.
            self.state.set_types(target, start..start);
            return Ok(());
        };
        if function == TypeFunction::Elements {
            // As many operands as elements: no more types are made than operands are named.
            let context = &*self.parser.context;
            let elements = context.element_count(source).unwrap_or(0);
            if let (TypesIn::Results(_), Ok(number)) = (target, usize::try_from(elements)) {
                // Only the type determines the number of results.
                self.parser.spend(self.place, number)?;
                count = number;
            } else if elements != count as u64 {
                return Err(AsmError::new(
                    self.place,
                    format!(
                        "number of operands and types do not match: got {count} operands and {elements} types"
                    ),
                ));
            }
        }
        let context = &mut *self.parser.context;
        match function {
            TypeFunction::Inputs | TypeFunction::Results => {
                let TypeKind::Function { inputs, results } = context.type_kind(source) else {
                    let place = self.place;
                    return Err(AsmError::new(place, "expected a function type"));
                };
                let types = match function {
                    TypeFunction::Inputs => inputs,
                    _ => results,
                };
                self.state.types.extend_from_slice(types);
            }
            TypeFunction::Parameters => {
                let types = listed_parameters(context, source);
                if types.len() != count && matches!(target, TypesIn::Operands(_)) {
                    let message = format!(
                        "number of operands and types do not match: got {count} operands and {} types",
                        types.len()
                    );
                    return Err(AsmError::new(self.place, message));
                }
                self.parser.spend(self.place, types.len())?;
                self.state.types.extend(types);
            }
            function => {
                let ty = one_type(context, function, source);
                self.state.types.extend(std::iter::repeat_n(ty, count));
            }
        }
        let end = self.state.types.len();
        self.state.set_types(target, start..end);
        Ok(())
    }
}

/// Returns the type that a function infers from another type.
fn one_type(context: &mut Context, function: TypeFunction, source: Type) -> Type {
    match function {
        TypeFunction::Parameter => super::parameter::of(context, source).unwrap_or(source),
        _ => function.apply(context, source).unwrap_or(source),
    }
}
