//! Portable artifacts: StableHLO as VHLO of a version, which StableHLO reads for five years.
//!
//! [`to_vhlo`] converts a module of StableHLO to VHLO of a version, and VHLO of one version to
//! another; [`to_stablehlo`] is the inverse. Both follow upstream's passes (StableHLO, "VHLO
//! dialect" and "Compatibility"): `stablehlo-legalize-to-vhlo`, `vhlo-to-version` and
//! `vhlo-legalize-to-stablehlo`. Locations, names and resources are kept.
//!
//! Most of the mapping follows from the definitions of the dialects; a table has the rest.
//!
//! A portable artifact is upstream's bytecode of such a module. Its producer is that of
//! [`Version::producer`], its version that of [`Version::bytecode_version`].

mod casts;
mod defaults;
mod entries;
mod operation;
mod table;
#[cfg(test)]
mod tests;
mod to_stablehlo;
mod to_vhlo;
mod version;

use entries::{Direction, Entries};
use rmlir_ir::{
    Attribute, Block, Context, Entry, Module, NamedAttribute, Operation, Provenance, Type, Value,
    ValueDefinition, VerifyError,
};
pub use version::{UnknownVersion, Version};

/// How a module is converted to VHLO.
///
/// ```
/// use rmlir_dialects::portable::{Options, Version};
///
/// let mut options = Options::default();
/// assert_eq!(options.version, Version::NEWEST);
/// options.version = Version::MINIMUM;
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The version; the newest by default. The patch has no effect.
    pub version: Version,
    /// Keeps operations, attributes and types of dialects that are neither converted nor
    /// `builtin`; false by default. Values that they share with VHLO pass through
    /// `builtin.unrealized_conversion_cast`. StableHLO gives no guarantee for such modules.
    pub allow_other_dialects: bool,
}

impl std::default::Default for Options {
    fn default() -> Self {
        Options {
            version: Version::NEWEST,
            allow_other_dialects: false,
        }
    }
}

/// Converts the operations of StableHLO and functions to VHLO of a version, and those of VHLO to
/// that version. Other operations at the top, such as `builtin.module`, are kept.
///
/// Linear in the size of the module; each attribute and type is converted once.
///
/// # Errors
///
/// The first operation that the version does not have, with its location and the reason. The
/// module is unchanged then.
pub fn to_vhlo(
    context: &mut Context,
    module: &mut Module,
    options: &Options,
) -> Result<(), Box<VerifyError>> {
    let top = module.top();
    let version = options.version;
    if !version.is_supported() {
        let (oldest, newest) = (Version::MINIMUM, Version::NEWEST);
        let message = format!(
            "target version {version} of StableHLO is not supported: it is not between {oldest} and {newest}"
        );
        return Err(refusal(module, top, message));
    }
    let mut conversion = Conversion::new(
        context,
        module,
        (Direction::ToVhlo, options.allow_other_dialects),
    )?;
    for operation in module.descendants(top) {
        let converted = to_vhlo::convert(&mut conversion.entries, module, operation, options);
        conversion.add(module, operation, converted)?;
    }
    let mismatches = conversion.mismatches(module);
    if let (Some(first), false) = (mismatches.first(), options.allow_other_dialects) {
        let culprit = first.other_operation(module);
        let name = module.name(culprit);
        let name = conversion.entries.context.operation_name_bytes(name);
        let message = format!(
            "'{}' op has no counterpart in VHLO, and shares a value with an operation that has one",
            String::from_utf8_lossy(name)
        );
        return Err(refusal(module, culprit, message));
    }
    conversion.apply(module);
    casts::insert(context, module, &mismatches)
        .map_err(|error| refusal(module, top, error.to_string()))?;
    Ok(())
}

/// Converts VHLO of any version to StableHLO. Operations of other dialects are kept, and casts
/// between a type and its counterpart are removed.
///
/// Linear in the size of the module; each attribute and type is converted once.
///
/// # Errors
///
/// The first operation that has no counterpart, with its location and the reason. The module is
/// unchanged then.
pub fn to_stablehlo(context: &mut Context, module: &mut Module) -> Result<(), Box<VerifyError>> {
    let mut conversion = Conversion::new(context, module, (Direction::ToStablehlo, true))?;
    for operation in module.descendants(module.top()) {
        let converted = to_stablehlo::convert(&mut conversion.entries, module, operation);
        conversion.add(module, operation, converted)?;
    }
    conversion.convert_all_types(module)?;
    conversion.apply(module);
    casts::remove(context, module);
    Ok(())
}

/// An operation with its new name and attributes.
struct Converted {
    name: String,
    attributes: Option<Attribute>,
    properties: Option<Attribute>,
}

impl Converted {
    /// Divides the attributes into inherent and discardable ones.
    fn of(
        entries: &mut Entries<'_>,
        name: &str,
        attributes: &[NamedAttribute],
    ) -> Result<Self, String> {
        let all = entries.context.dictionary_attribute(attributes);
        let all = all.map_err(|error| format!("cannot be converted: {error}"))?;
        let operation = entries.context.operation_name(name);
        let (attributes, properties) = entries
            .normalizer
            .normalize(entries.context, operation, Some(all), None)
            .map_err(|error| format!("cannot be converted: {error}"))?;
        Ok(Converted {
            name: name.to_owned(),
            attributes,
            properties,
        })
    }
}

/// A use of a value whose type will differ from the one that its user expects.
struct Mismatch {
    user: Operation,
    operand: usize,
    value: Value,
    expected: Type,
    /// Whether the user is an operation of VHLO.
    to_vhlo: bool,
}

impl Mismatch {
    /// Returns the operation that is not converted: the user, or the one that defines the value.
    fn other_operation(&self, module: &Module) -> Operation {
        if !self.to_vhlo {
            return self.user;
        }
        let definition = match module.definition(self.value) {
            ValueDefinition::Result(operation, _) => Some(operation),
            ValueDefinition::Argument(block, _) => {
                let region = module.block_region(block);
                region.and_then(|region| module.region_parent(region))
            }
            ValueDefinition::Placeholder => None,
        };
        definition.unwrap_or(self.user)
    }
}

/// The changes of a module, which are made when all are known.
struct Conversion<'c> {
    entries: Entries<'c>,
    operations: Vec<(Operation, Converted)>,
    /// The new types of values whose type changes.
    types: std::collections::HashMap<Value, Type>,
}

impl<'c> Conversion<'c> {
    fn new(
        context: &'c mut Context,
        module: &Module,
        (direction, other_dialects): (Direction, bool),
    ) -> Result<Self, Box<VerifyError>> {
        let entries = Entries::new(context, direction, other_dialects);
        let entries = entries.map_err(|error| refusal(module, module.top(), error.to_string()))?;
        Ok(Conversion {
            entries,
            operations: Vec::new(),
            types: std::collections::HashMap::new(),
        })
    }

    /// Adds what becomes of an operation: its results and the arguments of its regions get new
    /// types.
    fn add(
        &mut self,
        module: &Module,
        operation: Operation,
        converted: Result<Option<Converted>, String>,
    ) -> Result<(), Box<VerifyError>> {
        let fail = |conversion: &Self, reason: String| {
            let name = conversion
                .entries
                .context
                .operation_name_bytes(module.name(operation));
            let name = String::from_utf8_lossy(name);
            Err(refusal(module, operation, format!("'{name}' op {reason}")))
        };
        let converted = match converted {
            Ok(Some(converted)) => converted,
            Ok(None) => return Ok(()),
            Err(reason) => return fail(self, reason),
        };
        self.operations.push((operation, converted));
        let blocks = module
            .regions(operation)
            .flat_map(|region| module.blocks(region));
        let arguments = blocks.flat_map(|block: Block| module.arguments(block));
        let values = module
            .results(operation)
            .chain(arguments.map(|(value, _)| value));
        for value in values {
            if let Err(part) = self.convert_type(module, value) {
                let reason = describe(&self.entries, "has a result or block argument", part);
                return fail(self, reason);
            }
        }
        Ok(())
    }

    fn convert_type(&mut self, module: &Module, value: Value) -> Result<(), Entry> {
        let ty = module.value_type(value);
        let new = self.entries.ty(ty)?;
        if new != ty {
            self.types.insert(value, new);
        }
        Ok(())
    }

    /// Converts the types of the values of operations that are kept.
    fn convert_all_types(&mut self, module: &Module) -> Result<(), Box<VerifyError>> {
        for operation in module.descendants(module.top()) {
            let blocks = module
                .regions(operation)
                .flat_map(|region| module.blocks(region));
            let arguments = blocks.flat_map(|block: Block| module.arguments(block));
            let values = module
                .results(operation)
                .chain(arguments.map(|(value, _)| value));
            for value in values {
                if let Err(part) = self.convert_type(module, value) {
                    let reason = describe(&self.entries, "has a result or block argument", part);
                    let name = self
                        .entries
                        .context
                        .operation_name_bytes(module.name(operation));
                    let name = String::from_utf8_lossy(name);
                    let message = format!("'{name}' op {reason}");
                    return Err(refusal(module, operation, message));
                }
            }
        }
        Ok(())
    }

    /// Returns the uses whose operation expects another type than the value will have: an
    /// operation that is converted expects the counterpart.
    fn mismatches(&mut self, module: &Module) -> Vec<Mismatch> {
        let converted = self.operations.iter().map(|row| row.0);
        let converted: std::collections::HashSet<Operation> = converted.collect();
        let mut found = Vec::new();
        for user in module.descendants(module.top()) {
            let is_converted = converted.contains(&user);
            for (operand, value) in module.operands(user).enumerate() {
                let old = module.value_type(value);
                let new = self.types.get(&value).copied().unwrap_or(old);
                let expected = match is_converted {
                    true => self.entries.ty(old).unwrap_or(old),
                    false => old,
                };
                if expected != new {
                    found.push(Mismatch {
                        user,
                        operand,
                        value,
                        expected,
                        to_vhlo: is_converted,
                    });
                }
            }
        }
        found
    }

    /// Makes the changes.
    fn apply(self, module: &mut Module) {
        let Conversion {
            entries,
            operations,
            types,
        } = self;
        for (operation, converted) in operations {
            let Converted {
                name,
                attributes,
                properties,
            } = converted;
            // The names are those of definitions, and the attributes are dictionaries.
            let renamed = module.set_name(entries.context, operation, name);
            let set = module.set_attributes(entries.context, operation, attributes);
            debug_assert!(renamed.is_ok() && set.is_ok());
            module.set_properties(operation, properties);
        }
        let mut types: Vec<(Value, Type)> = types.into_iter().collect();
        types.sort_unstable();
        for (value, ty) in types {
            module.set_value_type(value, ty);
        }
        forget_bytecode(&mut module.provenance);
    }
}

/// Removes the metadata of the bytecode that the module was read from, which does not describe the
/// converted module. Locations, names and resources stay.
fn forget_bytecode(provenance: &mut Provenance) {
    provenance.producer = None;
    provenance.bytecode_version = None;
    provenance.dialect_versions.clear();
    provenance.registered_operations.clear();
    provenance.encoded_dialects.clear();
    provenance.layouts = None;
}

/// Returns the error of an operation.
#[cold]
fn refusal(module: &Module, operation: Operation, message: String) -> Box<VerifyError> {
    Box::new(VerifyError {
        operation,
        location: module.location(operation),
        message: message.into(),
        notes: Vec::new(),
    })
}

/// Returns the reason why an attribute or type cannot be converted.
#[cold]
fn describe(entries: &Entries<'_>, subject: &str, part: Entry) -> String {
    let what = match part {
        Entry::Attribute(part) => {
            let kind = entries.context.attribute_kind(part);
            format!(
                "an attribute of kind '{}'",
                kind_name(entries, kind.name(), part)
            )
        }
        Entry::Type(part) => {
            let kind = entries.context.type_kind(part);
            format!("a type of kind '{}'", kind_name(entries, kind.name(), part))
        }
        Entry::Location(_) => "a location".to_owned(),
    };
    format!("{subject} with {what}, which has no counterpart")
}

/// Returns the name of the dialect and the mnemonic of a part, or the word for a builtin one.
fn kind_name(entries: &Entries<'_>, word: &str, part: impl Into<Entry>) -> String {
    use rmlir_ir::{AttributeKind, TypeKind};
    let context = &*entries.context;
    let (dialect, body) = match part.into() {
        Entry::Attribute(part) => match context.attribute_kind(part) {
            AttributeKind::Dialect { dialect, body, .. } => (dialect, body),
            _ => return word.to_owned(),
        },
        Entry::Type(part) => match context.type_kind(part) {
            TypeKind::Dialect { dialect, body } => (dialect, body),
            _ => return word.to_owned(),
        },
        Entry::Location(_) => return word.to_owned(),
    };
    let mnemonic = String::from_utf8_lossy(body.mnemonic());
    format!("{}.{mnemonic}", context.str(*dialect))
}
