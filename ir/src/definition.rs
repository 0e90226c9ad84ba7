//! The schema of dialect definitions: plain data that parser, printer, readers and writers share.
//!
//! What stands here is what the generic form and the first custom forms need: structural traits,
//! names of inherent attributes and syntax hooks of operations, and stems of alias names.

use crate::asm::OperationSyntax;

/// Structural traits of an operation, as a set of bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OperationTraits(u32);

impl OperationTraits {
    /// No trait.
    pub const NONE: Self = OperationTraits(0);
    /// `IsTerminator`: ends a block.
    pub const TERMINATOR: Self = OperationTraits(1);
    /// `IsolatedFromAbove`: its regions use no values from outside.
    pub const ISOLATED_FROM_ABOVE: Self = OperationTraits(1 << 1);
    /// `SymbolTable`: symbols in its region are looked up through it.
    pub const SYMBOL_TABLE: Self = OperationTraits(1 << 2);
    /// `Symbol`: has a name in the symbol table around it.
    pub const SYMBOL: Self = OperationTraits(1 << 3);
    /// `NoTerminator`: its blocks need no terminator.
    pub const NO_TERMINATOR: Self = OperationTraits(1 << 4);
    /// `SingleBlock`: its regions have one block at most.
    pub const SINGLE_BLOCK: Self = OperationTraits(1 << 5);
    /// Its regions are graph regions: uses may come before definitions.
    pub const GRAPH_REGION: Self = OperationTraits(1 << 6);

    /// The traits of both sets.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        OperationTraits(self.0 | other.0)
    }

    /// Whether all of `other` are in this set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// An operation of a dialect.
#[derive(Clone, Debug)]
pub struct OperationDefinition {
    /// The name without the dialect's namespace.
    pub mnemonic: &'static str,
    /// Its structural traits.
    pub traits: OperationTraits,
    /// Names of the inherent attributes, sorted.
    pub inherent: &'static [&'static str],
    /// Its custom syntax, if that is known.
    pub syntax: Option<&'static dyn OperationSyntax>,
}

impl OperationDefinition {
    /// Whether an attribute of that name is inherent.
    pub fn is_inherent(&self, name: &[u8]) -> bool {
        self.inherent
            .binary_search_by(|known| known.as_bytes().cmp(name))
            .is_ok()
    }
}

/// An attribute or type of a dialect that is printed through an alias.
#[derive(Clone, Debug)]
pub struct AliasDefinition {
    /// The mnemonic that its body starts with.
    pub mnemonic: &'static str,
    /// The stem of its alias: `loop_annotation` gives `#loop_annotation`, `#loop_annotation1`.
    pub stem: &'static str,
}

/// A dialect.
#[derive(Clone, Debug, Default)]
pub struct DialectDefinition {
    /// The namespace.
    pub name: &'static str,
    /// Its operations, sorted by mnemonic.
    pub operations: &'static [OperationDefinition],
    /// The attributes that have aliases, sorted by mnemonic.
    pub attribute_aliases: &'static [AliasDefinition],
    /// The types that have aliases, sorted by mnemonic.
    pub type_aliases: &'static [AliasDefinition],
}

impl DialectDefinition {
    /// The operation of that mnemonic.
    pub fn operation(&self, mnemonic: &[u8]) -> Option<&'static OperationDefinition> {
        let at = self
            .operations
            .binary_search_by(|op| op.mnemonic.as_bytes().cmp(mnemonic))
            .ok()?;
        self.operations.get(at)
    }

    /// The alias stem of an attribute by its mnemonic.
    pub fn attribute_alias(&self, mnemonic: &[u8]) -> Option<&'static str> {
        find_alias(self.attribute_aliases, mnemonic)
    }

    /// The alias stem of a type by its mnemonic.
    pub fn type_alias(&self, mnemonic: &[u8]) -> Option<&'static str> {
        find_alias(self.type_aliases, mnemonic)
    }
}

fn find_alias(aliases: &[AliasDefinition], mnemonic: &[u8]) -> Option<&'static str> {
    let at = aliases
        .binary_search_by(|alias| alias.mnemonic.as_bytes().cmp(mnemonic))
        .ok()?;
    aliases.get(at).map(|alias| alias.stem)
}
