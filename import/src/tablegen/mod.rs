//! TableGen: the records of a dialect's `.td` files, as `llvm-tblgen --dump-json` writes them.
//!
//! The classes of records are those of MLIR's `OpBase.td`, `AttrTypeBase.td` and what they include
//! ("Operation Definition Specification", "Defining Dialect Attributes and Types").
//!
//! * `records`: records and their fields.
//! * `classes`: C++ classes of attributes and types.
//! * `constraints`, `predicates`, `confinements`: how arguments and results are constrained, what
//!   types and attributes must be.
//! * `operations`, `traits`, `entries`, `enums`: the parts of a definition.
//! * `values`: C++ expressions that are attributes in truth.

mod classes;
mod confinements;
mod constraints;
mod entries;
mod enums;
mod operations;
mod predicates;
mod records;
mod traits;
mod values;

use crate::{ImportError, Imported, LossKind, Warning, is_name};
use classes::Classes;
use enums::Enums;
use operations::documentation;
use predicates::Predicates;
use records::{Record, Records, excerpt};
use rmlir_ir::constraint::{NamedAttributeConstraint, TypeConstraint};
use rmlir_ir::definition::{
    AliasDefinition, DialectDefinition, EntryTable, HookSource, OperationDefinition,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

/// The selection of the parts to import from a dump.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The dialect's namespace; needed if the dump has operations, attributes or types of several
    /// dialects.
    pub dialect: Option<String>,
    /// Whether the dialect has more than the dumps, so that names absent from them are accepted.
    pub partial: bool,
}

/// Imports the definition of one dialect from dumps. A record that occurs in several dumps is taken
/// from the first.
///
/// Hooks that the definition names are looked up in `hooks`. Takes time and memory linear in the
/// dumps, apart from the logarithm of lookups by name.
///
/// # Errors
///
/// If a dump is not JSON or not from TableGen, or if it contains several dialects and the options
/// do not select one.
///
/// ```
/// use rmlir_import::tablegen::{ImportOptions, import};
///
/// let dump = br#"{
///   "!instanceof": {"Dialect": ["Toy"], "Op": ["Toy_AddOp"]},
///   "Toy": {"!name": "Toy", "!superclasses": ["Dialect"], "name": "toy", "cppNamespace": "::toy"},
///   "Toy_AddOp": {"!name": "Toy_AddOp", "!superclasses": ["Op"], "opName": "add",
///     "opDialect": {"def": "Toy", "kind": "def"},
///     "arguments": {"kind": "dag", "args": []}, "assemblyFormat": "attr-dict"}
/// }"#;
/// let imported = import(&[&dump[..]], &ImportOptions::default(), &())?;
/// assert_eq!(
///     imported.definition.to_string(),
///     "dialect toy\noperations complete\n  verifiers none\n\nop add\n  format attr-dict\n"
/// );
/// # Ok::<(), rmlir_import::ImportError>(())
/// ```
pub fn import(
    dumps: &[&[u8]],
    options: &ImportOptions,
    hooks: &dyn HookSource,
) -> Result<Imported, ImportError> {
    let mut parsed = Vec::new();
    for dump in dumps {
        let value = serde_json::from_slice::<serde_json::Value>(dump);
        let value = value.map_err(|error| ImportError::new(format!("no JSON: {error}")))?;
        parsed.push(value);
    }
    let size = dumps.iter().map(|dump| dump.len()).sum();
    let mut all = Vec::new();
    for value in &parsed {
        all.push(Records::new(value).ok_or_else(|| ImportError::new("no dump of TableGen's"))?);
    }
    let name = match &options.dialect {
        Some(name) => name.clone(),
        None => only_dialect(&all)?,
    };
    if !is_name(&name) {
        let name = name.escape_debug();
        return Err(ImportError::new(format!(
            "'{name}' is not the name of a dialect"
        )));
    }
    let classes = Rc::new(Classes::new(&all, &name));
    let mut import = Import {
        name: name.clone(),
        hooks,
        definition: DialectDefinition::new(name),
        warnings: Vec::new(),
        constraints: BTreeMap::new(),
        attribute_constraints: BTreeMap::new(),
        predicates: Predicates::new(classes.clone(), size),
        named: HashMap::new(),
        names: HashMap::new(),
        subject: String::new(),
    };
    let mut parts = Parts::default();
    let enums = Enums::new(&all, &import.name, classes.clone());
    for records in &all {
        import.enums(records, &enums, &mut parts);
        import.entries(records, &enums, &mut parts);
        import.operations(records, &enums, &mut parts);
    }
    let found = !parts.operations.is_empty()
        || parts.tables.iter().any(|table| !table.is_empty())
        || !import.definition.enums.is_empty();
    if !found {
        return Err(ImportError::new(format!(
            "there is nothing of a dialect '{}' in the dump",
            import.name
        )));
    }
    for (class, dialects) in classes.ambiguous() {
        import.subject = format!("dialect {}", import.name);
        let dialects: Vec<&str> = dialects.iter().map(String::as_str).collect();
        import.warn(
            LossKind::Predicate,
            format!(
                "the C++ class '{}' is ambiguous, and constrains nothing: it can be of {}",
                excerpt(&class),
                dialects.join(", ")
            ),
        );
    }
    if import.predicates.is_exhausted() {
        import.subject = format!("dialect {}", import.name);
        import.warn(
            LossKind::Predicate,
            "predicates and traits refer to one another too often: the rest is left out",
        );
    }
    let dialects = all.iter().flat_map(|records| records.of_class("Dialect"));
    let mut own_records = dialects.filter(|record| record.text("name") == Some(&import.name));
    import.definition.documentation = own_records.find_map(documentation);
    let [attributes, types] = parts.tables;
    let mut definition = import.definition;
    definition.attributes = EntryTable::new(attributes, []);
    definition.types = EntryTable::new(types, []);
    let complete = !options.partial;
    definition.operations_complete = complete && !parts.operations.is_empty();
    definition.verifiers = (!parts.operations.is_empty()).then_some(parts.verifiers);
    definition.attributes_complete = complete && parts.complete[0];
    definition.types_complete = complete && parts.complete[1];
    let mut definition = definition
        .with_operations(parts.operations)
        .with_attribute_aliases(parts.attribute_aliases)
        .with_type_aliases(parts.type_aliases)
        .with_type_constraints(import.constraints.into_values())
        .with_attribute_constraints(import.attribute_constraints.into_values());
    // Constraints that are C++ keep their names.
    let (types, attributes) = definition.undeclared_constraints();
    let unknown: BTreeSet<&str> = types.into_iter().chain(attributes).collect();
    let unknown = unknown
        .into_iter()
        .filter(|name| is_name(name))
        .map(constraints::own);
    definition.unknown_constraints = unknown.collect();
    Imported {
        definition,
        warnings: import.warnings,
    }
    .checked(hooks)
}

/// The parts collected from all dumps.
#[derive(Default)]
struct Parts {
    /// The names of imported records, so that none is imported twice.
    taken: BTreeSet<String>,
    operations: Vec<OperationDefinition>,
    /// The mnemonics of operations that are verified by code.
    verifiers: Vec<rmlir_ir::definition::Text>,
    /// The attributes, then the types.
    tables: [Vec<rmlir_ir::definition::EntryDefinition>; 2],
    /// Whether the dialect has no further attributes or types.
    complete: [bool; 2],
    attribute_aliases: Vec<AliasDefinition>,
    type_aliases: Vec<AliasDefinition>,
}

/// The state shared by all steps.
struct Import<'h> {
    name: String,
    hooks: &'h dyn HookSource,
    definition: DialectDefinition,
    warnings: Vec<Warning>,
    /// The used constraints on types, by name.
    constraints: BTreeMap<String, Arc<TypeConstraint>>,
    /// The used constraints on attributes, by name.
    attribute_constraints: BTreeMap<String, NamedAttributeConstraint>,
    predicates: Predicates,
    /// The names of constraints on types that are anonymous in the dump, by class, summary and
    /// predicate.
    named: HashMap<(String, String, String), String>,
    /// The number of generated names with each beginning.
    names: HashMap<String, u32>,
    /// The subject of further warnings.
    subject: String,
}

impl Import<'_> {
    fn warn(&mut self, kind: LossKind, message: impl Into<String>) {
        self.warnings.push(Warning {
            subject: self.subject.clone(),
            kind,
            message: message.into(),
        });
    }

    /// Returns whether a name is valid in the text of a definition; adds a warning if it is not.
    fn accepts_name(&mut self, name: &str) -> bool {
        let accepted = is_name(name);
        if !accepted {
            let name = excerpt(&name.escape_debug().to_string());
            self.warn(
                LossKind::Definition,
                format!("'{name}' cannot be a name in a definition: left out"),
            );
        }
        accepted
    }
}

/// Returns the only dialect of the operations; if there are none, that of attributes and types.
fn only_dialect(all: &[Records<'_>]) -> Result<String, ImportError> {
    for (class, field) in [
        ("Op", "opDialect"),
        ("AttrDef", "dialect"),
        ("TypeDef", "dialect"),
    ] {
        let mut names = BTreeSet::new();
        for records in all {
            let of_class = records.of_class(class);
            let dialects = of_class.filter_map(|record| dialect_of(record, field));
            names.extend(dialects.filter(|&name| name != "builtin"));
        }
        let mut names = names.into_iter();
        match (names.next(), names.next()) {
            (Some(name), None) => return Ok(name.to_owned()),
            (None, _) => {}
            (Some(first), Some(second)) => {
                let rest = names.map(|name| format!(", '{name}'")).collect::<String>();
                return Err(ImportError::new(format!(
                    "several dialects are in the dump: '{first}', '{second}'{rest}; select one by name"
                )));
            }
        }
    }
    Err(ImportError::new("no dialect is in the dump"))
}

/// Returns the namespace of a record's dialect.
fn dialect_of<'j>(record: Record<'j>, field: &str) -> Option<&'j str> {
    record.def(field)?.text("name")
}
