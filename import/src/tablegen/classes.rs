//! Looks up the C++ classes of attributes and types, as C++ does from the imported dialect's
//! namespace.

use super::dialect_of;
use super::records::Records;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The maximum number of classes with the same name that are examined: a limit against dumps that
/// would turn a lookup into a search.
const MOST_ALIKE: usize = 64;

/// An attribute or type of a dialect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Class {
    /// The C++ namespace of its dialect, without the leading `::`.
    namespace: String,
    pub(super) dialect: String,
    pub(super) mnemonic: String,
    pub(super) is_type: bool,
    pub(super) has_parameters: bool,
    /// Whether it has parameters without a default.
    pub(super) needs_parameters: bool,
}

/// The C++ classes of the attributes and types of all dialects in the dumps.
#[derive(Debug)]
pub(super) struct Classes {
    /// The name of the imported dialect.
    own: String,
    /// Its C++ namespace and the enclosing ones, the innermost first. The last one is the global
    /// namespace.
    scopes: Vec<String>,
    /// By name without namespace.
    by_name: HashMap<String, Vec<Class>>,
    /// Names that denote several classes, with the dialects of these.
    ambiguous: RefCell<BTreeMap<String, BTreeSet<String>>>,
}

impl Classes {
    /// Collects the classes from all dumps.
    pub(super) fn new(all: &[Records<'_>], own: &str) -> Self {
        let mut by_name: HashMap<String, Vec<Class>> = HashMap::new();
        for (of_class, is_type) in [("AttrDef", false), ("TypeDef", true)] {
            for record in all.iter().flat_map(|records| records.of_class(of_class)) {
                let (Some(name), Some(dialect), Some(mnemonic)) = (
                    record.some_text("cppClassName"),
                    dialect_of(record, "dialect"),
                    record.some_text("mnemonic"),
                ) else {
                    continue;
                };
                let of_dialect = record.def("dialect");
                let namespace = of_dialect.and_then(|dialect| dialect.text("cppNamespace"));
                let mut needed = record.arguments("parameters").map(|(p, _)| p.is_needed());
                let class = Class {
                    namespace: absolute(namespace.unwrap_or_default()),
                    dialect: dialect.to_owned(),
                    mnemonic: mnemonic.to_owned(),
                    is_type,
                    has_parameters: record.arguments("parameters").next().is_some(),
                    needs_parameters: needed.any(|needed| needed),
                };
                let alike = by_name.entry(name.to_owned()).or_default();
                // Several dumps can have the same record.
                if alike.len() < MOST_ALIKE && !alike.contains(&class) {
                    alike.push(class);
                }
            }
        }
        let dialects = all.iter().flat_map(|records| records.of_class("Dialect"));
        let mut own_dialects = dialects.filter(|record| record.text("name") == Some(own));
        let namespace = own_dialects.find_map(|dialect| dialect.text("cppNamespace"));
        let mut scope = absolute(namespace.unwrap_or_default());
        let mut scopes = Vec::new();
        while !scope.is_empty() {
            let outer = scope.rsplit_once("::").map_or("", |(outer, _)| outer);
            let outer = outer.to_owned();
            scopes.push(std::mem::replace(&mut scope, outer));
            if scopes.len() >= MOST_ALIKE {
                break;
            }
        }
        scopes.push(String::new());
        Classes {
            own: own.to_owned(),
            scopes,
            by_name,
            ambiguous: RefCell::default(),
        }
    }

    /// Returns the class that a name denotes, with or without a namespace, among those of
    /// attributes or of types.
    ///
    /// A name denotes the class of the innermost enclosing namespace of the imported dialect that
    /// has it. Otherwise C++ finds it through `using` declarations, which the dumps do not have:
    /// it denotes the only class whose namespace ends with the written one. A name that denotes
    /// several classes denotes none, and is [listed](Self::ambiguous).
    pub(super) fn find(&self, written: &str, is_type: bool) -> Option<&Class> {
        let written = written.trim();
        let is_absolute = written.starts_with("::");
        let full = written.trim_start_matches("::");
        let (namespace, name) = full.rsplit_once("::").unwrap_or(("", full));
        let alike = || {
            let alike = self.by_name.get(name).into_iter().flatten();
            alike.filter(|class| class.is_type == is_type)
        };
        let of = |namespace: &str| alike().find(|class| class.namespace == namespace);
        if is_absolute && let Some(class) = of(namespace) {
            return Some(class);
        }
        if namespace.is_empty()
            && let Some(class) = self.find_own(name, is_type)
        {
            return Some(class);
        }
        let mut scopes = self.scopes.iter().filter(|_| !is_absolute);
        let nested = scopes.find_map(|scope| match (scope.as_str(), namespace) {
            (scope, "") => of(scope),
            ("", namespace) => of(namespace),
            (scope, namespace) => of(&format!("{scope}::{namespace}")),
        });
        if nested.is_some() {
            return nested;
        }
        let mut found = alike().filter(|class| ends_with(&class.namespace, namespace));
        let first = found.next()?;
        if found.next().is_none() {
            return Some(first);
        }
        let found = alike().filter(|class| ends_with(&class.namespace, namespace));
        let dialects = found.map(|class| class.dialect.clone()).collect();
        self.ambiguous
            .borrow_mut()
            .insert(full.to_owned(), dialects);
        None
    }

    /// Returns the class of that name, without a namespace, of the imported dialect.
    pub(super) fn find_own(&self, name: &str, is_type: bool) -> Option<&Class> {
        let mut alike = self.by_name.get(name)?.iter();
        alike.find(|class| class.dialect == self.own && class.is_type == is_type)
    }

    /// Returns whether a class is of the imported dialect.
    pub(super) fn is_own(&self, class: &Class) -> bool {
        class.dialect == self.own
    }

    /// Returns the names that were looked up and denote several classes, with the dialects of
    /// these classes, and forgets them.
    pub(super) fn ambiguous(&self) -> BTreeMap<String, BTreeSet<String>> {
        self.ambiguous.take()
    }
}

/// Returns a namespace without the leading `::`.
fn absolute(namespace: &str) -> String {
    namespace.trim().trim_start_matches("::").to_owned()
}

/// Returns whether a namespace is `end`, or `end` nested in others.
pub(super) fn ends_with(namespace: &str, end: &str) -> bool {
    let before = namespace.strip_suffix(end);
    before.is_some_and(|before| end.is_empty() || before.is_empty() || before.ends_with("::"))
}

/// Returns the class, as it is written, that a C++ expression tests its argument for:
/// `::toy::BoxType` of `(::llvm::isa<::toy::BoxType>($_self))`.
pub(super) fn tested(expression: &str) -> Option<String> {
    let compact: String = expression.split_whitespace().collect();
    let test = compact.trim_start_matches('(').trim_start_matches("::");
    let test = test.strip_prefix("llvm::").unwrap_or(test);
    let (class, _) = test.strip_prefix("isa<")?.split_once(">(")?;
    Some(class.to_owned())
}
