//! Chooses types that satisfy constraints and the relations between them.

use super::*;

impl Generator {
    /// Returns a type that satisfies a constraint: `preferred` if it does, else often the one that
    /// was chosen for that constraint before.
    pub(super) fn type_of(&mut self, constraint: &str, preferred: Type) -> Option<Type> {
        let found = self
            .context
            .type_constraint(self.dialect.name.as_bytes(), constraint);
        let Some(found) = found else {
            return Some(preferred);
        };
        let preference = if self.is_thorough { 2 } else { 6 };
        if found.predicate.holds(&self.context, preferred) == Some(true)
            && self.random.below(preference) > 0
        {
            return Some(preferred);
        }
        if let Some(&chosen) = self.chosen.get(constraint)
            && self.random.below(4) > 0
        {
            return Some(chosen);
        }
        let chosen = self.type_by(&found, preferred);
        match chosen {
            Some(ty) => drop(self.chosen.insert(constraint.to_owned(), ty)),
            None => constraint.clone_into(&mut self.unkept),
        }
        chosen
    }

    pub(super) fn type_by(&mut self, found: &TypeConstraint, preferred: Type) -> Option<Type> {
        if let Some(text) = found.predicate.single_type() {
            return parse_type(&mut self.context, text.as_bytes()).ok();
        }
        let is_it = |context: &Context, ty: Type| found.predicate.holds(context, ty) == Some(true);
        if self.random.below(2) == 0 {
            // A constraint that is partly unknown accepts all that it does not refuse.
            let thorough = self.is_thorough;
            let accepts = |context: &Context, ty: Type| match thorough {
                true => found.accepts(context, ty),
                false => is_it(context, ty),
            };
            let related = self.related(preferred).into_iter();
            let related: Vec<Type> = related.filter(|&ty| accepts(&self.context, ty)).collect();
            // The first is the element type, if there is one.
            let first = related.first().copied();
            if let Some(ty) = first.filter(|_| self.random.below(2) == 0) {
                return Some(ty);
            }
            if let Some(ty) = self.pick(&related) {
                return Some(ty);
            }
        }
        let with_rare = self.is_thorough && self.random.below(2) == 0;
        let rare = if with_rare { self.rare() } else { &[] };
        let keep = self.types.iter().chain(rare).copied();
        let keep: Vec<Type> = keep.filter(|&ty| is_it(&self.context, ty)).collect();
        if !keep.is_empty() {
            // The first satisfies most relations between types.
            return match self.random.below(2) {
                0 => keep.first().copied(),
                _ => self.pick(&keep),
            };
        }
        let (context, own) = (&self.context, self.dialect.name.as_bytes());
        let mut rare = self.rare().iter().copied();
        if let Some(rare) = rare.find(|&ty| is_it(context, ty)) {
            return Some(rare);
        }
        // A part of the constraint is unknown: a type of the dialect is the best guess.
        let all = self.rare().iter().chain(&self.types).copied();
        let accepted: Vec<Type> = all.filter(|&ty| found.accepts(context, ty)).collect();
        let is_own = |ty: &&Type| {
            matches!(context.type_kind(**ty), TypeKind::Dialect { dialect, .. }
                if context.bytes(*dialect) == own)
        };
        let own = accepted.iter().find(is_own).copied();
        let preferred = Some(preferred).filter(|&ty| found.accepts(context, ty));
        own.or(preferred).or(accepted.first().copied())
    }

    /// Returns the types with the sizes of a type and other elements, its element type, and types
    /// with it as the element type.
    pub(super) fn related(&mut self, ty: Type) -> Vec<Type> {
        let kind = self.context.type_kind(ty).clone();
        let element = match kind {
            TypeKind::Vector { element, .. }
            | TypeKind::RankedTensor { element, .. }
            | TypeKind::MemRef { element, .. } => element,
            _ => {
                let text = type_to_string(&self.context, ty);
                let mut related = self.type_parameters(ty);
                let shaped = ["vector<4x", "tensor<4x", "memref<4x"].into_iter();
                related.extend(shaped.filter_map(|start| {
                    let text = format!("{start}{text}>");
                    parse_type(&mut self.context, text.as_bytes()).ok()
                }));
                return related;
            }
        };
        let mut related = vec![element];
        for text in ELEMENTS {
            let Ok(other) = parse_type(&mut self.context, text.as_bytes()) else {
                continue;
            };
            let mut kind = kind.clone();
            if let TypeKind::Vector { element, .. }
            | TypeKind::RankedTensor { element, .. }
            | TypeKind::MemRef { element, .. } = &mut kind
            {
                *element = other;
            }
            related.extend(self.context.try_type(kind).ok());
        }
        related
    }

    /// Returns the parameters of a type of a dialect that are types.
    pub(super) fn type_parameters(&self, ty: Type) -> Vec<Type> {
        let TypeKind::Dialect { dialect, body } = self.context.type_kind(ty) else {
            return Vec::new();
        };
        let dialect = self.context.dialect(self.context.bytes(*dialect));
        let entry = dialect.as_ref().and_then(|dialect| {
            let number = release().number_in(dialect.family);
            dialect.types.entry_of(body, number)
        });
        let parameters = entry.into_iter().flat_map(|entry| &entry.parameters);
        let types = parameters.filter_map(|p| self.context.parameter(ty, &p.name)?.ty());
        types.collect()
    }

    /// Returns a type for as much as possible of an operation: any, or one that satisfies a
    /// constraint of a group.
    pub(super) fn preferred(&mut self, groups: &[&GroupDefinition]) -> Option<Type> {
        if self.random.below(3) > 0
            && let Some(group) = self.pick(groups)
        {
            let name = self.dialect.name.clone();
            let found = self
                .context
                .type_constraint(name.as_bytes(), &group.constraint);
            if let Some(found) = found {
                let all = self.types.iter().chain(self.rare()).copied();
                let all = all.filter(|&ty| found.predicate.holds(&self.context, ty) == Some(true));
                let mut all: Vec<Type> = all.collect();
                if self.is_thorough && self.random.below(2) == 0 {
                    let last = &self.all_rare[self.all_rare.len() - LAST_TYPES.len()..];
                    let is_last = |ty: &Type| last.contains(ty);
                    if all.iter().any(is_last) {
                        all.retain(is_last);
                    }
                }
                if let Some(ty) = self.pick(&all) {
                    return Some(ty);
                }
            }
        }
        self.pick(&self.types.clone())
    }

    /// Returns a length for lists of the next operation.
    pub(super) fn random_length(&mut self) -> usize {
        match self.is_thorough {
            true => self.random.below(4),
            false => 0,
        }
    }
}
