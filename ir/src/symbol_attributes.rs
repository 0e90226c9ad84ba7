//! The attributes of an operation that are its symbol name and visibility, and those that refer to
//! symbols.

use crate::definition::SymbolDefinition;
use crate::{Attribute, AttributeKind, Context, Identifier, OperationName, Visibility};

/// The attribute that holds a symbol's name, by upstream's symbol interface.
const NAME: &str = "sym_name";
/// The attribute that holds a symbol's visibility, by upstream's symbol interface.
const VISIBILITY: &str = "sym_visibility";

/// The attributes of an operation that hold its symbol name and visibility.
///
/// They are `sym_name` and `sym_visibility`, which hold strings, unless the definition of the
/// operation has a `symbol` statement. The attributes that such a statement names can also be
/// attributes of a dialect whose bodies are [string literals](Context::string_literal), and the
/// visibility can follow from the presence of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymbolAttributes<'c> {
    /// The attribute that holds the name.
    pub name: &'c str,
    /// The attribute that determines the visibility; empty if there is none.
    pub visibility: &'c str,
    /// How that attribute determines it.
    pub rule: VisibilityRule,
    /// A `symbol` statement of the definition names them.
    pub declared: bool,
}

/// How the visibility of a symbol follows from its visibility attribute.
///
/// By upstream's symbol interface the attribute is the visibility's name, and a symbol without it
/// is public; this is [`VisibilityRule::default`]. Operations such as `wasmssa.func` have a unit
/// attribute instead (`exported`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VisibilityRule {
    /// The symbol is public if the attribute is present, whatever its value is.
    pub is_flag: bool,
    /// The visibility of a symbol without the attribute.
    pub default: Visibility,
}

impl VisibilityRule {
    /// Returns the visibility. `found` is the visibility attribute, if it is present, as the
    /// string that it stores, if it stores one.
    pub fn visibility(self, found: Option<Option<&[u8]>>) -> Visibility {
        match found {
            None => self.default,
            Some(_) if self.is_flag => Visibility::Public,
            Some(name) => Visibility::from_name(name),
        }
    }
}

impl Context {
    /// Returns the attributes that hold the symbol name and visibility of operations of that name.
    /// O(1), but for the number of releases that the operation's definition distinguishes.
    pub fn symbol_attributes(&self, name: OperationName) -> SymbolAttributes<'_> {
        match self.declared_symbol(name) {
            Some(symbol) => SymbolAttributes {
                name: &symbol.name,
                visibility: &symbol.visibility,
                rule: symbol.rule,
                declared: true,
            },
            None => SymbolAttributes {
                name: NAME,
                visibility: VISIBILITY,
                rule: VisibilityRule::default(),
                declared: false,
            },
        }
    }

    /// Returns the string of an attribute that holds a symbol's name or visibility.
    pub fn symbol_string(
        &self,
        of: SymbolAttributes<'_>,
        attribute: Attribute,
    ) -> Option<Identifier> {
        match self.attribute_kind(attribute) {
            AttributeKind::String { value, .. } => Some(*value),
            _ if of.declared => self.string_literal(attribute),
            _ => None,
        }
    }

    fn declared_symbol(&self, name: OperationName) -> Option<&SymbolDefinition> {
        self.symbol_naming(name)?.symbol_in(self.release())
    }

    /// Returns the inherent attributes of an operation whose strings are names of symbols, by the
    /// `references` statements of its definition.
    pub fn symbol_references(&self, name: OperationName) -> impl Iterator<Item = &str> {
        let definition = self.symbol_naming(name);
        let release = self.release();
        definition
            .into_iter()
            .flat_map(move |definition| definition.symbol_references_in(release))
    }
}
