//! Spells operations that satisfy their definitions.

use super::*;

impl Generator {
    /// Returns the types of groups, and the length of each.
    pub(super) fn groups(
        &mut self,
        groups: &[&GroupDefinition],
        same: bool,
        preferred: Type,
    ) -> Option<(Vec<Type>, Vec<usize>)> {
        let (mut types, mut sizes) = (Vec::new(), Vec::new());
        let all = self.random.below(3);
        let same = same || self.is_thorough && self.random.below(2) == 0;
        let all = match self.is_thorough && self.random.below(2) == 0 {
            true => self.length,
            false => all,
        };
        for group in groups {
            let size = match group.kind {
                GroupKind::Single => 1,
                GroupKind::Optional if same => all.min(1),
                GroupKind::Optional => self.random.below(2),
                GroupKind::Variadic if same => all,
                GroupKind::Variadic => self.random.below(3),
                GroupKind::VariadicOfVariadic => self.lists.iter().sum(),
            };
            for _ in 0..size {
                types.push(self.type_of(&group.constraint, preferred)?);
            }
            sizes.push(size);
        }
        Some((types, sizes))
    }

    /// Returns the text of a module with an operation in generic form, in the operations that it
    /// must be in.
    pub(super) fn operation(&mut self, operation: &OperationDefinition) -> Result<String, String> {
        let name = format!("{}.{}", self.dialect.name, operation.mnemonic);
        let mut text = self.spelled(operation, &name, None)?;
        let mut inner = operation.clone();
        for _ in 0..PARENTS {
            let parents: Vec<&str> = inner.parents_in(release()).collect();
            let Some(parent) = self.pick(&parents).map(str::to_owned) else {
                break;
            };
            let name = self.context.operation_name(&*parent);
            let Some(outer) = self.context.operation_definition(name).cloned() else {
                break;
            };
            // Constraints have the names that they have in the parent's dialect.
            let of_parent = parent.split('.').next().unwrap_or_default();
            let of_parent = self.context.dialect(of_parent.as_bytes());
            let own = std::mem::replace(&mut self.dialect, of_parent.ok_or("no dialect")?);
            let around = self.spelled(&outer, &parent, Some(&text));
            self.dialect = own;
            text = around?;
            inner = OperationDefinition::clone(&outer);
        }
        let symbol = match self.is_thorough {
            true => self.pick(SYMBOLS).unwrap_or_default(),
            false => "",
        };
        Ok(format!(
            "{symbol}\"t.around\"() ({{\n{text}}}) : () -> ()\n"
        ))
    }

    /// Returns the text of an operation with the operations that it uses, and an operation that
    /// ends its block, if it does not. `content` is the text in one of its regions.
    pub(super) fn spelled(
        &mut self,
        operation: &OperationDefinition,
        full_name: &str,
        content: Option<&str>,
    ) -> Result<String, String> {
        let release = release();
        let traits = operation.traits(release);
        self.chosen.clear();
        self.length = self.random_length();
        // Names of values must differ from those of the content.
        self.level = self.level.wrapping_add(1);
        let level = self.level;
        let operands: Vec<_> = operation.groups_in(&operation.operands, release).collect();
        let results: Vec<_> = operation.groups_in(&operation.results, release).collect();
        let regions: Vec<_> = operation.groups_in(&operation.regions, release).collect();
        let successors: Vec<_> = operation
            .groups_in(&operation.successors, release)
            .collect();
        let single = |group: &&&GroupDefinition| group.kind == GroupKind::Single;
        let singles = successors.iter().filter(single).count();
        let others = match singles == successors.len() {
            true => 0,
            false => self.random.below(2),
        };
        let successors = singles + others;
        // Blocks have no arguments, so lists of operands that are forwarded to them are empty.
        self.lists = match operation.forwards_in(release).next() {
            Some(_) => vec![0; others],
            None => (0..self.random.below(3))
                .map(|_| self.random.below(3))
                .collect(),
        };
        let types: Vec<&GroupDefinition> = operands.iter().chain(&results).copied().collect();
        let preferred = self.preferred(&types).ok_or("no type")?;
        let same = traits.contains(OperationTraits::SAME_VARIADIC_OPERAND_SIZE);
        let made = self.groups(&operands, same, preferred);
        let (operand_types, operand_sizes) =
            made.ok_or_else(|| format!("no type is '{}'", self.unkept))?;
        let same = traits.contains(OperationTraits::SAME_VARIADIC_RESULT_SIZE);
        let made = self.groups(&results, same, preferred);
        let (mut result_types, result_sizes) =
            made.ok_or_else(|| format!("no type is '{}'", self.unkept))?;
        if traits.contains(OperationTraits::SAME_OPERANDS_AND_RESULT_TYPE)
            && let Some(first) = operand_types.first()
        {
            result_types.iter_mut().for_each(|ty| *ty = *first);
        }
        let mut properties = Vec::new();
        let dialect = Arc::clone(&self.dialect);
        for attribute in operation.attributes_in(release) {
            if attribute.presence != Presence::Required && self.random.below(2) == 0 {
                continue;
            }
            if let (Some(default), 0) = (&attribute.default, self.random.below(2)) {
                properties.push(format!("{} = {default}", quoted(&attribute.name)));
                continue;
            }
            if operands.iter().any(|group| group.by == attribute.name) {
                let sizes: Vec<String> = self.lists.iter().map(usize::to_string).collect();
                let colon = if sizes.is_empty() { "" } else { ": " };
                let (name, sizes) = (quoted(&attribute.name), sizes.join(", "));
                properties.push(format!("{name} = array<i32{colon}{sizes}>"));
                continue;
            }
            let is = AttributeIs::of(&self.context, &dialect, attribute);
            let keep = self.attributes.iter().copied();
            let keep: Vec<Attribute> = match &is {
                Some(is) => keep
                    .filter(|value| is.accepts(&self.context, *value))
                    .collect(),
                None => keep.collect(),
            };
            // The value of a constant has its type.
            let result = result_types.first();
            let is_typed =
                |value: &&Attribute| Some(&self.context.attribute_type(**value)) == result;
            let typed: Vec<Attribute> = keep.iter().filter(is_typed).copied().collect();
            let keep = match typed.is_empty() || self.random.below(2) == 0 {
                true => keep,
                false => typed,
            };
            let mut keep = keep;
            if keep.is_empty() || self.is_thorough {
                keep.extend(self.special_attributes(is.as_ref()));
            }
            if self.is_thorough && self.random.below(4) > 0 {
                let fits = |value: &Attribute| {
                    let text = attribute_to_string(&self.context, *value);
                    list_length(&text).is_none_or(|length| length == self.length)
                };
                let fitting: Vec<Attribute> = keep.iter().copied().filter(fits).collect();
                if !fitting.is_empty() {
                    keep = fitting;
                }
            }
            match self.pick(&keep) {
                Some(value) => {
                    let value = attribute_to_string(&self.context, value);
                    properties.push(format!("{} = {value}", quoted(&attribute.name)));
                }
                None if attribute.presence != Presence::Required => {}
                None => return Err(format!("no attribute is '{}'", attribute.constraint)),
            }
        }
        for (bit, name, sizes) in [
            (
                OperationTraits::ATTRIBUTE_SIZED_OPERANDS,
                "operandSegmentSizes",
                operand_sizes,
            ),
            (
                OperationTraits::ATTRIBUTE_SIZED_RESULTS,
                "resultSegmentSizes",
                result_sizes,
            ),
        ] {
            if traits.contains(bit) {
                let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
                properties.push(format!("{name} = array<i32: {}>", sizes.join(", ")));
            }
        }
        let mut text = String::new();
        let mut names = Vec::new();
        for (number, ty) in operand_types.iter().enumerate() {
            let ty = type_to_string(&self.context, *ty);
            writeln!(text, "  %v{level}_{number} = \"t.v\"() : () -> ({ty})").unwrap();
            names.push(format!("%v{level}_{number}"));
        }
        write!(text, "  ").unwrap();
        if !result_types.is_empty() {
            write!(text, "%r{level}:{} = ", result_types.len()).unwrap();
        }
        write!(text, "\"{full_name}\"({})", names.join(", ")).unwrap();
        if successors > 0 {
            let blocks = vec!["^next"; successors];
            write!(text, "[{}]", blocks.join(", ")).unwrap();
        }
        if !properties.is_empty() {
            write!(text, " <{{{}}}>", properties.join(", ")).unwrap();
        }
        if !regions.is_empty() {
            let terminator = operation.implicit_terminator(release);
            let mut bodies = Vec::new();
            let with_content = self.random.below(regions.len());
            for (at, region) in regions.iter().enumerate() {
                let mut body = String::new();
                let mut all = Vec::new();
                if let Some(arguments) = &region.arguments {
                    for constraint in arguments.iter() {
                        all.push(self.type_of(constraint, preferred).ok_or("no argument")?);
                    }
                } else if content.is_none() {
                    // Often an index, the operands, or both.
                    all.extend((0..self.random.below(3)).map(|_| self.context.index_type()));
                    if self.random.below(2) == 0 {
                        let count = self.random.below(operand_types.len() + 1);
                        all.extend(operand_types.iter().rev().take(count).rev());
                    }
                    if self.random.below(2) == 0 {
                        all.clear();
                    }
                    if self.is_thorough && self.random.below(2) == 0 {
                        let types = operand_types.iter().chain(&result_types);
                        all = types.map(|&ty| self.element_of(ty)).collect();
                    }
                }
                let all = all.iter().enumerate().map(|(number, &ty)| {
                    format!("%a{level}_{number}: {}", type_to_string(&self.context, ty))
                });
                let all: Vec<String> = all.collect();
                if !all.is_empty() {
                    write!(body, "\n  ^bb0({}):", all.join(", ")).unwrap();
                }
                if at == with_content
                    && let Some(content) = content
                {
                    bodies.push(format!("{{{body}\n{content}}}"));
                    continue;
                }
                if self.is_thorough {
                    let operands = (&operand_types[..], &result_types[..], preferred);
                    let body =
                        body + &self.end_of_body(full_name, (level, at), terminator, operands);
                    bodies.push(format!("{{{body}}}"));
                    continue;
                }
                match (terminator, self.random.below(3)) {
                    (Some(name), 0 | 1) => write!(body, "\"{name}\"() : () -> ()").unwrap(),
                    (None, 0 | 1) => write!(body, "\"t.end\"() : () -> ()").unwrap(),
                    _ => body.clear(),
                }
                bodies.push(format!("{{{body}}}"));
            }
            write!(text, " ({})", bodies.join(", ")).unwrap();
        } else if content.is_some() {
            return Err(format!("'{full_name}' has no region"));
        }
        if self.random.below(4) == 0 {
            write!(text, " {{t.extra = 1 : i32}}").unwrap();
        }
        let list = |types: &[Type]| {
            let types = types.iter().map(|ty| type_to_string(&self.context, *ty));
            types.collect::<Vec<_>>().join(", ")
        };
        writeln!(
            text,
            " : ({}) -> ({})",
            list(&operand_types),
            list(&result_types)
        )
        .unwrap();
        let is_terminator = traits.contains(OperationTraits::TERMINATOR);
        let behind = match (is_terminator, successors == 0) {
            (true, true) => String::new(),
            (_, false) => "^next:\n  \"t.end\"() : () -> ()\n".to_owned(),
            (false, true) => {
                // What ends the block that its parent must have.
                let parent = operation.parents_in(release).next();
                let name = parent.map(|parent| self.context.operation_name(parent));
                let parent = name.and_then(|name| self.context.operation_definition(name));
                let ends = parent.and_then(|parent| parent.implicit_terminator(release));
                match ends {
                    Some(name) => format!("  \"{name}\"() : () -> ()\n"),
                    None => format!("  %x{level} = \"t.v\"() : () -> i32\n"),
                }
            }
        };
        Ok(text + &behind)
    }

    /// Returns the element type of a shaped type, or the type itself.
    pub(super) fn element_of(&self, ty: Type) -> Type {
        match *self.context.type_kind(ty) {
            TypeKind::Vector { element, .. }
            | TypeKind::RankedTensor { element, .. }
            | TypeKind::MemRef { element, .. } => element,
            _ => ty,
        }
    }

    /// Returns the text that ends the block of a region: a terminator with operands that regions
    /// often pass, and sometimes another block.
    pub(super) fn end_of_body(
        &mut self,
        of: &str,
        (level, region): (u32, usize),
        terminator: Option<&str>,
        (operands, results, preferred): (&[Type], &[Type], Type),
    ) -> String {
        let passed: Vec<Type> = match self.random.below(7) {
            0 => results.to_vec(),
            1 => results.iter().map(|&ty| self.element_of(ty)).collect(),
            2 => operands.to_vec(),
            3 => vec![preferred],
            4 => vec![self.element_of(preferred)],
            5 => {
                let text = self.pick(&["i1", "tensor<i1>", "!smt.bool"]);
                let text = text.unwrap_or("i1").as_bytes();
                parse_type(&mut self.context, text).into_iter().collect()
            }
            _ => Vec::new(),
        };
        let mut text = "\n".to_owned();
        let mut names = Vec::new();
        let mut types = Vec::new();
        for (number, ty) in passed.into_iter().enumerate() {
            let ty = type_to_string(&self.context, ty);
            let name = format!("%y{level}_{region}_{number}");
            writeln!(text, "    {name} = \"t.v\"() : () -> ({ty})").unwrap();
            names.push(name);
            types.push(ty);
        }
        let own = self.terminators.len();
        let name = match (terminator, self.random.below(4)) {
            (Some(name), 0 | 1) => name.to_owned(),
            (_, 0..3) if own > 0 => {
                // Often that of the parent: `a.reduce.return` in `a.reduce`.
                let inner = self.terminators.iter().filter(|name| name.starts_with(of));
                let inner: Vec<&String> = inner.collect();
                match inner.is_empty() {
                    true => self.terminators[self.random.below(own)].clone(),
                    false => inner[self.random.below(inner.len())].clone(),
                }
            }
            _ => "t.end".to_owned(),
        };
        let (names, types) = (names.join(", "), types.join(", "));
        writeln!(text, "    \"{name}\"({names}) : ({types}) -> ()").unwrap();
        if self.random.below(8) == 0 {
            writeln!(
                text,
                "  ^other{level}_{region}:\n    \"t.end\"() : () -> ()"
            )
            .unwrap();
        }
        text
    }

    pub(super) fn operations(&mut self, coverage: &mut Coverage) {
        let dialect = Arc::clone(&self.dialect);
        for operation in dialect.operations() {
            if operation.family != dialect.family || operation.number(release()).is_none() {
                continue;
            }
            coverage.operations += 1;
            // Its own seed: a change of one definition leaves the examples of others as they are.
            self.random = Prng::of(&format!("{}.{}", dialect.name, operation.mnemonic));
            let mut found = 0;
            let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
            for tries in 0..TRIES + MORE_TRIES {
                if found == EXAMPLES || tries >= TRIES && found > 0 {
                    break;
                }
                self.is_thorough = tries >= TRIES;
                let checked = match self.operation(operation) {
                    Ok(text) => {
                        let name = format!("{}.{}", dialect.name, operation.mnemonic);
                        check_module(&text, &name, coverage)
                    }
                    Err(error) => Err(error),
                };
                match checked {
                    Ok(()) => found += 1,
                    Err(error) => *reasons.entry(error).or_default() += 1,
                }
            }
            self.is_thorough = false;
            coverage.examples += found;
            coverage.covered += usize::from(found > 0);
            if found == 0 {
                let name = format!("{}.{}", dialect.name, operation.mnemonic);
                let mut all: Vec<_> = reasons.into_iter().collect();
                all.sort_by_key(|reason| std::cmp::Reverse(reason.1));
                let most = all.into_iter().take(3);
                let most = most.map(|(reason, count)| format!("{count} x {reason}"));
                let most = most.collect::<Vec<_>>().join("; ");
                coverage.missing.insert(name, most);
            }
        }
    }
}

/// Returns a name as a dictionary key.
pub(super) fn quoted(name: &str) -> String {
    let in_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_$.".contains(&byte);
    match name.bytes().all(in_word) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        true => name.to_owned(),
        false => format!("\"{name}\""),
    }
}
