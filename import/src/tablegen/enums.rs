//! Imports enumerations, and looks up C++ names.

use super::classes::{Classes, ends_with};
use super::constraints::own;
use super::records::{LONGEST_CHAIN, Record, Records};
use super::{Import, Parts, dialect_of};
use crate::{LossKind, is_name};
use rmlir_ir::definition::{EnumCase, EnumDefinition, ReleaseRange};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The maximum number of records with the same C++ name that are examined: a limit against dumps
/// that would turn a lookup into a search.
const MOST_ALIKE: usize = 64;

/// Tables for looking up C++ names.
pub(super) struct Enums<'j> {
    /// Dialects by their C++ namespaces.
    dialects: BTreeMap<&'j str, &'j str>,
    /// Enumerations by class without namespace, with their namespaces.
    by_class: BTreeMap<&'j str, Vec<(&'j str, Record<'j>)>>,
    /// Operations by class without namespace.
    operations: BTreeMap<&'j str, Vec<Record<'j>>>,
    /// The classes of attributes and types.
    classes: Rc<Classes>,
    /// Cases of enumerations by C++ symbol, with their keywords and values, by the address of the
    /// record. The symbol `{}` is that of the value 0.
    members: HashMap<usize, HashMap<&'j str, (&'j str, i64)>>,
    /// The name of the imported dialect.
    own: String,
}

impl<'j> Enums<'j> {
    /// Collects the tables from all dumps.
    pub(super) fn new(all: &[Records<'j>], own: &str, classes: Rc<Classes>) -> Self {
        let mut enums = Enums {
            dialects: BTreeMap::new(),
            by_class: BTreeMap::new(),
            operations: BTreeMap::new(),
            classes,
            members: HashMap::new(),
            own: own.to_owned(),
        };
        for dialect in all.iter().flat_map(|r| r.of_class("Dialect")) {
            if let (Some(namespace), Some(name)) =
                (dialect.text("cppNamespace"), dialect.text("name"))
            {
                let namespace = namespace.trim_start_matches("::");
                // If several dialects share a namespace, its content is assumed to belong to the
                // imported one.
                let entry = enums.dialects.entry(namespace).or_insert(name);
                if name == own {
                    *entry = name;
                }
            }
        }
        for record in all.iter().flat_map(|r| r.of_class("EnumInfo")) {
            let members = enums.members.entry(record.address()).or_default();
            for (symbol, keyword, value) in cases(record) {
                members.entry(symbol).or_insert((keyword, value));
                if value == 0 {
                    members.entry("{}").or_insert((keyword, value));
                }
            }
            if let Some(class) = record.text("className") {
                let namespace = record.text("cppNamespace").unwrap_or_default();
                let namespace = namespace.trim_start_matches("::");
                let alike = enums.by_class.entry(class).or_default();
                if alike.len() < MOST_ALIKE {
                    alike.push((namespace, record));
                }
            }
        }
        for record in all.iter().flat_map(|r| r.of_class("Op")) {
            let alike = enums.operations.entry(class_of(record.name)).or_default();
            if alike.len() < MOST_ALIKE {
                alike.push(record);
            }
        }
        enums
    }

    /// Returns the dialect of an enumeration: that of its namespace or of an enclosing one. If it
    /// is not in the dumps, the dialect is assumed to have the name of the namespace, as upstream's
    /// dialects do.
    fn dialect(&self, record: Record<'j>) -> Option<&'j str> {
        let full = record.text("cppNamespace")?.trim_start_matches("::");
        let mut namespace = full;
        for _ in 0..LONGEST_CHAIN {
            if let Some(dialect) = self.dialects.get(namespace) {
                return Some(dialect);
            }
            match namespace.rsplit_once("::") {
                // A class outside of any dialect's namespace is builtin.
                Some((outer, _)) if outer.contains("::") => namespace = outer,
                _ => break,
            }
        }
        full.rsplit_once("::").map(|(_, name)| name)
    }

    /// Returns the name by which the imported dialect refers to an enumeration.
    pub(super) fn reference(&self, record: Record<'j>) -> Option<String> {
        let class = record.text("className")?;
        match self.dialect(record) {
            Some(dialect) if dialect != self.own => Some(format!("{dialect}.{class}")),
            _ => Some(class.to_owned()),
        }
    }

    /// Returns the enumeration of a C++ type, in any namespace.
    pub(super) fn of_type(&self, cpp: &str) -> Option<Record<'j>> {
        let cpp = cpp.trim().trim_start_matches("::");
        let (namespace, class) = cpp.rsplit_once("::").unwrap_or(("", cpp));
        let alike = self.by_class.get(class)?.as_slice();
        if let Some((_, record)) = alike.iter().find(|(of, _)| *of == namespace) {
            return Some(*record);
        }
        let mut found = alike.iter().filter(|(of, _)| ends_with(of, namespace));
        match (found.next(), found.next()) {
            (Some((_, record)), None) => Some(*record),
            _ => None,
        }
    }

    /// Returns the mnemonic of an attribute or type (true) of the imported dialect, by its C++
    /// class.
    pub(super) fn entry(&self, cpp: &str) -> Option<(&str, bool)> {
        let find = |is_type| self.classes.find(cpp, is_type);
        let class = find(false).or_else(|| find(true))?;
        let is_own = self.classes.is_own(class);
        is_own.then_some((class.mnemonic.as_str(), class.is_type))
    }

    /// Returns the case that an expression such as `::toy::Mode::fast` names: its keyword and
    /// value.
    pub(super) fn case(&self, expression: &str, enumeration: Record<'_>) -> Option<(&'j str, i64)> {
        let symbol = match expression.trim() {
            "{}" => "{}",
            named => named.rsplit_once("::")?.1,
        };
        let members = self.members.get(&enumeration.address())?;
        members.get(symbol).copied()
    }

    /// Returns the dialect and the mnemonic of an attribute of any dialect, by its class.
    pub(super) fn any_attribute(&self, class: &str) -> Option<(&str, &str)> {
        let class = self.classes.find(class, false)?;
        Some((&class.dialect, &class.mnemonic))
    }

    /// Returns the imported dialect and the mnemonic of one of its types that needs no parameters,
    /// by its class.
    pub(super) fn plain_type(&self, class: &str) -> Option<(&str, &str)> {
        let class = self.classes.find(class, true)?;
        let is_plain = !class.needs_parameters && is_name(&class.mnemonic);
        (is_plain && self.classes.is_own(class)).then_some((&class.dialect, &class.mnemonic))
    }

    /// Returns the full name of the operation of a class, from the imported dialect's point of
    /// view.
    pub(super) fn operation(&self, class: &str) -> Option<String> {
        let class = class.trim();
        let (namespace, class) = class.rsplit_once("::").unwrap_or(("", class));
        let namespace = namespace.trim_start_matches("::");
        let alike = self.operations.get(class)?.iter();
        let full = |record: &Record<'j>| {
            let dialect = dialect_of(*record, "opDialect")?;
            Some(format!("{dialect}.{}", record.text("opName")?))
        };
        let is_meant = |record: &&Record<'j>| match namespace {
            "" => dialect_of(**record, "opDialect") == Some(&self.own),
            _ => {
                let of = record.text("cppNamespace").unwrap_or_default();
                ends_with(of.trim_start_matches("::"), namespace)
            }
        };
        let meant = alike.clone().find(is_meant).and_then(full);
        // C++ resolves a name without a namespace through `using` declarations.
        meant.or_else(|| match namespace {
            "" => alike.clone().find_map(full),
            _ => None,
        })
    }

    /// Returns the enumeration that an attribute is of.
    pub(super) fn of_attribute(&self, attribute: Record<'j>) -> Option<Record<'j>> {
        if attribute.is_a("EnumInfo") {
            return Some(attribute);
        }
        attribute
            .def("enum")
            .filter(|record| record.is_a("EnumInfo"))
    }
}

/// Returns the C++ class of a definition: its name without the dialect's before the first `_`.
fn class_of(name: &str) -> &str {
    match name.split_once('_') {
        Some((head, class)) if !head.is_empty() => class,
        _ => name,
    }
}

/// Returns the cases: C++ symbol, keyword, value.
pub(super) fn cases<'j>(
    record: Record<'j>,
) -> impl Iterator<Item = (&'j str, &'j str, i64)> + use<'j> {
    record.defs("enumerants").filter_map(|case| {
        let symbol = case.text("symbol")?;
        Some((
            symbol,
            case.text("str").unwrap_or(symbol),
            case.integer("value")?,
        ))
    })
}

impl Import<'_> {
    pub(super) fn enums(&mut self, records: &Records<'_>, enums: &Enums<'_>, parts: &mut Parts) {
        for record in records.of_class("EnumInfo") {
            if enums.dialect(record) != Some(&self.name)
                || !parts.taken.insert(record.name.to_owned())
            {
                continue;
            }
            let Some(name) = record.text("className") else {
                continue;
            };
            self.subject = format!("enum {name}");
            let same = self.definition.enumeration(name).is_some();
            if same || !self.accepts_name(name) {
                continue;
            }
            let width = record
                .integer("bitwidth")
                .and_then(|w| u32::try_from(w).ok());
            let Some(width) = width.filter(|width| (1..=64).contains(width)) else {
                self.warn(
                    LossKind::Definition,
                    "is not held in an integer of at most 64 bits: left out",
                );
                continue;
            };
            let mut enumeration = EnumDefinition {
                name: own(name),
                width,
                separator: None,
                every_member: false,
                cases: Vec::new(),
            };
            if record.is_a("BitEnumBase") {
                let separator = record.text("separator").unwrap_or("|");
                match separator.contains(['"', '\n']) {
                    true => self.warn(
                        LossKind::Syntax,
                        "the separator is not expressible: members are read one at a time",
                    ),
                    false => enumeration.separator = Some(own(separator)),
                }
            }
            for (_, keyword, value) in cases(record) {
                if !keyword.is_empty() && !self.accepts_name(keyword) {
                    continue;
                }
                enumeration.cases.push(EnumCase {
                    keyword: own(keyword),
                    value,
                    hidden: false,
                    releases: ReleaseRange::ALL,
                });
            }
            self.definition.enums.push(enumeration);
        }
    }
}
