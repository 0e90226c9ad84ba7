//! Operations of VHLO and their versions.

use super::defaults::is_text;
use super::entries::Entries;
use super::table::{Difference, OPERATIONS, OperationVersions, RULES, Rule, SINCE_0_9, TYPED_API};
use super::version::Version;
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{Attribute, Identifier, Module, NamedAttribute, Operation, Type};

/// An operation of VHLO while it is converted.
pub(super) struct Draft {
    /// The name without dialect and version.
    pub(super) name: String,
    /// 1 for `_v1`.
    pub(super) form: u32,
    pub(super) attributes: Vec<NamedAttribute>,
    pub(super) operand_types: Vec<Type>,
    pub(super) result_types: Vec<Type>,
    pub(super) has_regions: bool,
}

impl Draft {
    /// Returns the draft of an operation with these types in VHLO.
    pub(super) fn new(
        (module, operation): (&Module, Operation),
        (name, form): (&str, u32),
        (operand_types, result_types): (Vec<Type>, Vec<Type>),
    ) -> Self {
        Draft {
            name: name.to_owned(),
            form,
            attributes: Vec::new(),
            operand_types,
            result_types,
            has_regions: module.regions(operation).len() > 0,
        }
    }

    /// Returns the rank of the first operand.
    pub(super) fn rank(&self, entries: &Entries<'_>) -> Option<i64> {
        let first = *self.operand_types.first()?;
        let parameters = entries.context.parameters(first).ok()?;
        // A hook parses the shape, whose parameter has no kind.
        let values = parameters.values();
        i64::try_from(values.list(parameters.get("shape")?.value()).len()).ok()
    }

    /// Returns the attribute of that name.
    pub(super) fn get(&self, entries: &Entries<'_>, name: &str) -> Option<Attribute> {
        let name = entries.context.find_identifier(name)?;
        let found = self.attributes.iter().find(|entry| entry.0 == name);
        found.map(|entry| entry.1)
    }

    /// Removes the attribute of that name and returns it.
    pub(super) fn take(&mut self, entries: &Entries<'_>, name: &str) -> Option<Attribute> {
        let name = entries.context.find_identifier(name)?;
        let found = self.attributes.iter().position(|entry| entry.0 == name)?;
        Some(self.attributes.swap_remove(found).1)
    }

    /// Adds an attribute.
    pub(super) fn add(&mut self, name: Identifier, value: Attribute) {
        self.attributes.push((name, value));
    }

    /// Returns the name with dialect and version.
    pub(super) fn full_name(&self) -> String {
        format!("vhlo.{}_v{}", self.name, self.form)
    }

    /// Changes the operation to the form that it has in a version, and checks that its attributes,
    /// operands and results are available there.
    ///
    /// # Errors
    ///
    /// The reason, which follows the name of the operation.
    pub(super) fn convert_to(
        &mut self,
        entries: &mut Entries<'_>,
        target: Version,
    ) -> Result<(), String> {
        let target = target.without_patch();
        let (since, second) = match versions(&self.name) {
            Some(row) => (row.since, row.second),
            None => (SINCE_0_9, None),
        };
        if target < since {
            return Err(format!("needs version {since} of StableHLO or later"));
        }
        if let Some((first, differences)) = second {
            let form = if target < first { 1 } else { 2 };
            if form < self.form {
                self.downgrade(entries, differences)
                    .map_err(|reason| format!("{reason} before version {first}"))?;
            } else if form > self.form {
                self.upgrade(entries, differences)?;
            }
            self.form = form;
        }
        self.check_rules(entries, target)?;
        for &(name, value) in &self.attributes {
            let first = entries.first_version(value);
            if target < first {
                let name = entries.context.str(name);
                return Err(format!(
                    "has attribute '{name}', which needs version {first} of StableHLO or later"
                ));
            }
        }
        for &ty in self.operand_types.iter().chain(&self.result_types) {
            let first = entries.first_version(ty);
            if target < first {
                return Err(format!(
                    "has an operand or result of a type that needs version {first} of StableHLO or later"
                ));
            }
        }
        Ok(())
    }

    /// Changes the form `_v1` to `_v2`.
    fn upgrade(
        &mut self,
        entries: &mut Entries<'_>,
        differences: &[Difference],
    ) -> Result<(), String> {
        for difference in differences {
            match difference {
                Difference::Added(name, default) => {
                    let value = default.make(entries, self);
                    let value = value.ok_or_else(|| format!("cannot have attribute '{name}'"))?;
                    let name = entries.context.identifier(name);
                    self.add(name, value);
                }
                Difference::Removed(name, _) => drop(self.take(entries, name)),
                Difference::Variadic | Difference::Regions => {}
            }
        }
        Ok(())
    }

    /// Changes the form `_v2` to `_v1`.
    fn downgrade(
        &mut self,
        entries: &mut Entries<'_>,
        differences: &[Difference],
    ) -> Result<(), String> {
        for difference in differences {
            match difference {
                Difference::Added(name, default) => {
                    let value = self.take(entries, name);
                    if !value.is_some_and(|value| default.is(entries, value)) {
                        return Err(format!("cannot have attribute '{name}'"));
                    }
                }
                Difference::Removed(name, default) => {
                    let value = default.make(entries, self);
                    let value = value.ok_or_else(|| format!("needs attribute '{name}'"))?;
                    let name = entries.context.identifier(name);
                    self.add(name, value);
                }
                Difference::Variadic if self.operand_types.len() != 1 => {
                    return Err("must have one operand".to_owned());
                }
                Difference::Regions if self.has_regions => {
                    return Err("cannot have regions".to_owned());
                }
                Difference::Variadic | Difference::Regions => {}
            }
        }
        Ok(())
    }

    fn check_rules(&self, entries: &Entries<'_>, target: Version) -> Result<(), String> {
        let rules = RULES.iter().filter(|(names, until, _)| {
            self.form == 1 && target < *until && names.contains(&&*self.name)
        });
        for (_, until, rule) in rules {
            let reason = match rule {
                Rule::SameElementTypes => {
                    let element = |ty: &Type| element_type(entries, *ty);
                    let mut pairs = self.operand_types.iter().zip(&self.result_types);
                    pairs
                        .any(|(operand, result)| element(operand) != element(result))
                        .then_some("must have operands and results of the same element types")
                }
                Rule::NoFutures => {
                    let is_future = |ty: &Type| {
                        let body = entries.vhlo_type_body(*ty);
                        body.is_some_and(|body| body.mnemonic() == b"future_v1")
                    };
                    let found = self.operand_types.iter().any(is_future);
                    found.then_some("cannot have operands of type 'future'")
                }
                Rule::UntypedConfiguration => {
                    let is_dictionary = |attribute| {
                        let body = entries.vhlo_body(attribute);
                        body.is_some_and(|body| body.mnemonic() == b"dict_v1")
                    };
                    let api = self.get(entries, "api_version");
                    let found = self
                        .get(entries, "backend_config")
                        .is_some_and(is_dictionary)
                        || api.is_some_and(|api| is_text(entries, api, TYPED_API));
                    found.then_some("cannot have a dictionary as its configuration or a typed API")
                }
            };
            if let Some(reason) = reason {
                return Err(format!("{reason} before version {until}"));
            }
        }
        Ok(())
    }
}

/// Returns what is known of an operation that is not in all versions.
pub(super) fn versions(name: &str) -> Option<&'static OperationVersions> {
    let found = OPERATIONS.binary_search_by(|row| row.name.cmp(name)).ok()?;
    OPERATIONS.get(found)
}

/// Splits the name of an operation of VHLO: `vhlo.gather_v2` into `gather` and 2.
pub(super) fn split_name(name: &[u8]) -> Option<(&str, u32)> {
    let name = std::str::from_utf8(name.strip_prefix(b"vhlo.")?).ok()?;
    let (name, form) = name.rsplit_once("_v")?;
    Some((name, form.parse().ok()?))
}

/// Returns the type of the elements of a tensor type of VHLO.
pub(super) fn element_type(entries: &Entries<'_>, ty: Type) -> Option<Type> {
    let parameters = entries.context.parameters(ty).ok()?;
    match parameters.get("element")?.value() {
        &FieldValue::Type(element) => Some(element),
        _ => None,
    }
}
