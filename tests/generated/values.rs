//! Chooses values of parameters, and attributes and types of a dialect.

use super::*;

impl Generator {
    /// Returns a value of a parameter; `None` if none can be generated.
    pub(super) fn value(
        &mut self,
        kind: &ParameterKind,
        values: &mut FieldValues<'static>,
    ) -> Option<FieldValue<'static>> {
        Some(match kind {
            ParameterKind::Integer { .. } => FieldValue::Signed(self.pick(&[1, 2, 4, 0, -1, 8])?),
            ParameterKind::Unsigned { .. } => FieldValue::Unsigned(self.pick(&[1, 2, 4, 0, 8])?),
            ParameterKind::BigInteger => kind.number(self.pick(&[1, 0, -3, i64::MAX])?),
            ParameterKind::Bool => FieldValue::Unsigned(self.pick(&[0, 1])?),
            ParameterKind::Dimension => FieldValue::Signed(self.pick(&[1, 4, i64::MIN])?),
            ParameterKind::Dimensions => {
                let sizes: &[&[i64]] = &[&[4], &[2, 4], &[i64::MIN], &[]];
                let sizes = self.pick(sizes)?;
                values.make_list(sizes.iter().map(|size| FieldValue::Signed(*size)))
            }
            ParameterKind::Float => {
                FieldValue::Float(self.pick(&[0.5f64, -1.0, 1e30])?.to_bits().into())
            }
            ParameterKind::String => {
                let text = self.pick(&["a", "b c", "q\"\n", ""])?;
                FieldValue::String(self.context.identifier(text))
            }
            ParameterKind::Enumeration { name, quoted, .. } => {
                let dialect = Arc::clone(&self.dialect);
                // Upstream prints other members, and does not read them.
                let is_word = |b: u8| b.is_ascii_alphanumeric() || b"_$.".contains(&b);
                let is_read = |keyword: &str| *quoted || keyword.bytes().all(is_word);
                let number = self.number();
                let cases = dialect.find_enumeration(&self.context, name, |found| {
                    let cases = found
                        .cases
                        .iter()
                        .filter(|case| !case.hidden && case.releases.contains(number))
                        .filter(|case| is_read(&case.keyword));
                    Some(cases.map(|case| case.value).collect::<Vec<_>>())
                })?;
                FieldValue::Unsigned(self.pick(&cases)?.cast_unsigned())
            }
            ParameterKind::Attribute { mnemonic } => {
                let attributes = self.attributes_of(mnemonic.as_deref());
                FieldValue::Attribute(self.pick(&attributes)?)
            }
            ParameterKind::Type { mnemonic } => {
                let types = self.types_of(mnemonic.as_deref());
                FieldValue::Type(self.pick(&types)?)
            }
            ParameterKind::SelfType => FieldValue::Type(self.pick(&self.types.clone())?),
            ParameterKind::List(item) => {
                let len = self.random.below(3);
                let items = (0..len).map(|_| self.value(item, values));
                let items: Option<Vec<_>> = items.collect();
                values.make_list(items?)
            }
            ParameterKind::AffineMap => FieldValue::Attribute(
                parse_attribute(&mut self.context, b"affine_map<(d0)[s0] -> (d0 + s0)>").ok()?,
            ),
            ParameterKind::IntegerSet => FieldValue::Attribute(
                parse_attribute(&mut self.context, b"affine_set<(d0) : (d0 == 0)>").ok()?,
            ),
            ParameterKind::Own => return None,
        })
    }

    /// Returns attributes that few constraints ask for, and that satisfy one: types, and texts of
    /// [`RARE_ATTRIBUTES`].
    pub(super) fn special_attributes(&mut self, is: Option<&AttributeIs>) -> Vec<Attribute> {
        let Some(is) = is else {
            return Vec::new();
        };
        let types: Vec<Type> = match self.is_thorough && self.random.below(2) == 0 {
            true => self.all_rare[self.all_rare.len() - LAST_TYPES.len()..].to_vec(),
            false => self.types.iter().chain(self.rare()).copied().collect(),
        };
        let types = types.into_iter().map(|ty| self.context.type_attribute(ty));
        let mut all: Vec<Attribute> = types.collect();
        let last = if self.is_thorough {
            LAST_ATTRIBUTES
        } else {
            &[]
        };
        all.extend(
            RARE_ATTRIBUTES
                .iter()
                .chain(last)
                .map(|text| parse_attribute(&mut self.context, text.as_bytes()).expect(text)),
        );
        all.retain(|&value| is.accepts(&self.context, value));
        all
    }

    pub(super) fn types_of(&self, mnemonic: Option<&str>) -> Vec<Type> {
        let all = self.types.iter().copied();
        let is = |ty: &Type| match (mnemonic, self.context.type_kind(*ty)) {
            (None, _) => true,
            (Some(mnemonic), TypeKind::Dialect { dialect, body }) => {
                self.context.bytes(*dialect) == self.dialect.name.as_bytes()
                    && self
                        .dialect
                        .types
                        .entry_of(body, self.number())
                        .is_some_and(|e| e.mnemonic == mnemonic)
            }
            _ => false,
        };
        all.filter(is).collect()
    }

    pub(super) fn attributes_of(&self, mnemonic: Option<&str>) -> Vec<Attribute> {
        let all = self.attributes.iter().copied();
        let is = |attribute: &Attribute| match (mnemonic, self.context.attribute_kind(*attribute)) {
            (None, _) => true,
            (Some(mnemonic), AttributeKind::Dialect { dialect, body, .. }) => {
                self.context.bytes(*dialect) == self.dialect.name.as_bytes()
                    && self
                        .dialect
                        .attributes
                        .entry_of(body, self.number())
                        .is_some_and(|e| e.mnemonic == mnemonic)
            }
            _ => false,
        };
        all.filter(is).collect()
    }
    /// Returns the text of an attribute or type of the dialect with random parameters.
    pub(super) fn entry(
        &mut self,
        entry: &EntryDefinition,
        is_type: bool,
    ) -> Result<String, String> {
        let mut values = FieldValues::default();
        for parameter in &entry.parameters {
            let is_absent = !parameter.is_required() && self.random.below(2) == 0;
            let value = match (is_absent, &parameter.absence) {
                (true, Absence::Refused | Absence::Empty) => match parameter.kind {
                    ParameterKind::List(_) => values.make_list([]),
                    _ => FieldValue::Absent,
                },
                (true, Absence::Value(value)) => parameter.kind.number(*value),
                (true, Absence::Text(text)) => FieldValue::String(self.context.identifier(&**text)),
                _ => match self.value(&parameter.kind, &mut values) {
                    Some(value) => value,
                    None => return Err(format!("no value of kind {:?}", parameter.kind)),
                },
            };
            values.fields.push(value);
        }
        let dialect = Arc::clone(&self.dialect);
        let body = entry_body(&mut self.context, &dialect, entry, &values, 1 << 16);
        let body = body.map_err(|error| format!("no text: {}", generic_reason(error.message())))?;
        let name = self.context.identifier(&*dialect.name);
        let text = match is_type {
            true => {
                let kind = TypeKind::Dialect {
                    dialect: name,
                    body,
                };
                let ty = self
                    .context
                    .try_type(kind)
                    .map_err(|e| e.message().to_owned())?;
                type_to_string(&self.context, ty)
            }
            false => {
                let ty = entry.self_type(&values);
                let kind = AttributeKind::Dialect {
                    dialect: name,
                    body,
                    ty,
                };
                let made = self.context.try_attribute(kind);
                attribute_to_string(&self.context, made.map_err(|e| e.message().to_owned())?)
            }
        };
        Ok(text)
    }

    /// Checks attributes and types of the dialect, and keeps them as parts of others.
    pub(super) fn entries(&mut self, coverage: &mut Coverage) {
        let dialect = Arc::clone(&self.dialect);
        // Twice: in the second round they can be nested.
        for round in 0..2 {
            for is_type in [true, false] {
                let table = if is_type {
                    &dialect.types
                } else {
                    &dialect.attributes
                };
                for entry in table.entries().iter().filter(|entry| !entry.opaque) {
                    if !entry.releases.contains(self.number()) {
                        continue;
                    }
                    let name = format!("{}.{} {round}", dialect.name, entry.mnemonic);
                    self.random = Prng::of(&name);
                    let mut reason = String::new();
                    let mut found = 0;
                    let is_enumeration = |p: &ParameterDefinition| {
                        matches!(p.kind, ParameterKind::Enumeration { .. })
                    };
                    // Rules of operations ask for members.
                    let (enough, most) = match entry.parameters.iter().any(is_enumeration) {
                        true => (TRIES, 4 * TRIES),
                        false => (EXAMPLES, TRIES),
                    };
                    for tries in 0..8 * TRIES {
                        if found == enough || tries >= most && found > 0 {
                            break;
                        }
                        let made = self.entry(entry, is_type);
                        let checked = made
                            .and_then(|text| self.check_entry(&text, (entry, is_type), coverage));
                        match checked {
                            Ok(()) => found += 1,
                            Err(error) => reason = error,
                        }
                    }
                    if round == 1 {
                        coverage.entries += 1;
                        coverage.entries_covered += usize::from(found > 0);
                        if found == 0 {
                            let name = format!("{}.{}", dialect.name, entry.mnemonic);
                            let reason = coverage.reasons.entry(format!("entry: {reason}"));
                            reason.or_default().push(name);
                        }
                    }
                }
            }
        }
    }

    /// Parses a printed attribute or type, and checks that it prints identically.
    pub(super) fn check_entry(
        &mut self,
        text: &str,
        (entry, is_type): (&EntryDefinition, bool),
        coverage: &mut Coverage,
    ) -> Result<(), String> {
        let module = format!("\"t.x\"() {{a = {text}}} : () -> ()\n");
        let read = parse_module(
            &mut self.context,
            module.as_bytes(),
            &ParseOptions::default(),
        );
        // Values that violate a confinement are not a defect of the text.
        if let Err(errors) = read {
            let message = generic_reason(&errors.first().message);
            let mut confinements = entry.parameters.iter().flat_map(|one| &one.confinements);
            let is_stated = confinements
                .any(|one| one.is_message && *one.words == *errors.first().message.to_string());
            let is_rule = is_stated || message.starts_with("failed to verify") || has_code(entry);
            if !is_rule {
                coverage
                    .failures
                    .push(format!("{text} is not read: {}", errors.first().message));
            }
            return Err(message);
        }
        let text = text.as_bytes();
        let again = match is_type {
            true => {
                let ty =
                    parse_type(&mut self.context, text).map_err(|e| e.first().message.clone())?;
                if !self.types.contains(&ty) && self.types.len() < 400 {
                    self.types.push(ty);
                }
                type_to_string(&self.context, ty)
            }
            false => {
                let made = parse_attribute(&mut self.context, text);
                let made = made.map_err(|e| e.first().message.clone())?;
                if !self.attributes.contains(&made) && self.attributes.len() < 400 {
                    self.attributes.push(made);
                }
                attribute_to_string(&self.context, made)
            }
        };
        if again.as_bytes() == text {
            return Ok(());
        }
        let text = String::from_utf8_lossy(text);
        // Code may leave out what means the same as its absence. Upstream must agree.
        let is_normalized = has_code(entry) && self.reads_back(&again, is_type);
        if is_normalized || self.differs_in_type(text.as_bytes(), &again) {
            coverage.respelled.insert(text.into_owned(), again);
        } else {
            coverage
                .failures
                .push(format!("{text} is printed as {again}"));
        }
        Ok(())
    }

    /// Returns whether an attribute or type is read and printed again as its text.
    pub(super) fn reads_back(&mut self, text: &str, is_type: bool) -> bool {
        let printed = match is_type {
            true => parse_type(&mut self.context, text.as_bytes())
                .map(|ty| type_to_string(&self.context, ty)),
            false => parse_attribute(&mut self.context, text.as_bytes())
                .map(|attribute| attribute_to_string(&self.context, attribute)),
        };
        printed.is_ok_and(|printed| printed == text)
    }

    /// Returns whether two texts of attributes of the dialect differ in the type after them alone,
    /// which code may determine.
    pub(super) fn differs_in_type(&mut self, one: &[u8], other: &str) -> bool {
        let Ok(attribute) = parse_attribute(&mut self.context, one) else {
            return false;
        };
        let AttributeKind::Dialect { dialect, body, .. } =
            self.context.attribute_kind(attribute).clone()
        else {
            return false;
        };
        let untyped = AttributeKind::Dialect {
            dialect,
            body,
            ty: None,
        };
        let untyped = self.context.try_attribute(untyped).ok();
        let bare = untyped.map(|bare| attribute_to_string(&self.context, bare));
        bare.is_some_and(|bare| {
            let is_bare = |text: &[u8]| {
                let rest = text.strip_prefix(bare.as_bytes());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b" : "))
            };
            is_bare(one) && is_bare(other.as_bytes())
        })
    }
}

/// Returns the number of elements of a list in the text of an attribute; `None` if the text is not
/// a list.
pub(super) fn list_length(text: &str) -> Option<usize> {
    let items = match text.strip_prefix('[') {
        Some(items) => items.strip_suffix(']')?,
        None => {
            let typed = text.strip_prefix("array<")?.strip_suffix('>')?;
            typed.split_once(':').map_or("", |typed| typed.1)
        }
    };
    let (mut depth, mut commas) = (0usize, 0usize);
    for byte in items.bytes() {
        match byte {
            b'[' | b'(' | b'{' | b'<' => depth += 1,
            b']' | b')' | b'}' | b'>' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    Some(if items.trim().is_empty() {
        0
    } else {
        commas + 1
    })
}

/// Returns whether code decides which parameters an attribute or type may have.
pub(super) fn has_code(entry: &EntryDefinition) -> bool {
    let mut stack: Vec<&FormatElement> = entry.format.elements.iter().collect();
    while let Some(element) = stack.pop() {
        match element {
            FormatElement::Custom(_) => return true,
            FormatElement::Group(group) => stack.extend(group.then.iter().chain(&group.otherwise)),
            _ => {}
        }
    }
    // The same applies to its parameters.
    let is_of_dialect = |kind: &ParameterKind| {
        matches!(
            kind,
            ParameterKind::Attribute { .. } | ParameterKind::Type { .. } | ParameterKind::List(_)
        )
    };
    entry.hook.verifier.is_some() || entry.parameters.iter().any(|p| is_of_dialect(&p.kind))
}
