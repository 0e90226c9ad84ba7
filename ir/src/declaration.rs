//! Declarations of symbols, and symbols that are local to their module.

use crate::definition::{AttributeValueDefinition, DeclarationDefinition};
use crate::error::Invalid;
use crate::{
    Attribute, Context, Identifier, Module, NamedAttribute, Operation, OperationName,
    OperationState, Region, Visibility,
};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::Arc;

/// The value of an attribute whose text is not known.
const UNKNOWN: &str = "?";

/// Denotes the name of the symbol in the text of a `declared` attribute.
const SYMBOL_NAME: &str = "$name";

/// Returns a text as it is written between quotes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            c if c.is_control() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    escaped.push_str(&format!("\\{byte:02X}"));
                }
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// The statements of the definitions on symbols, with their attributes parsed.
#[derive(Default)]
pub(crate) struct SymbolRules {
    rules: HashMap<OperationName, Arc<Rules>, RandomState>,
}

/// The statements of the definition of one operation.
#[derive(Default)]
struct Rules {
    declaration: Option<Declaration>,
    local: Vec<NamedAttribute>,
    /// Values of equal strength, from the weakest on.
    weak: Vec<Vec<NamedAttribute>>,
    appends: Vec<NamedAttribute>,
}

/// How an operation is declared.
struct Declaration {
    /// The name of the declaring operation.
    name: OperationName,
    /// Attributes that the declaration does not have.
    removed: Vec<Identifier>,
    /// Attributes that it has.
    added: Vec<NamedAttribute>,
    /// Attributes that it has, as text that mentions the name of the symbol.
    named: Vec<(Identifier, String)>,
}

impl SymbolRules {
    /// Returns whether a symbol is a definition that is local to its module: private, or of a
    /// linkage that its definition declares local. O(1) but for the first symbol of an operation
    /// name.
    pub(crate) fn is_local_definition(
        &mut self,
        context: &mut Context,
        module: &Module,
        symbol: Operation,
    ) -> bool {
        self.is_local_linkage(context, module, symbol)
            || (module.symbol_visibility(context, symbol) == Visibility::Private
                && !module.is_declaration(context, symbol))
    }

    /// Returns whether a symbol is of a linkage that its definition declares local.
    fn is_local_linkage(
        &mut self,
        context: &mut Context,
        module: &Module,
        symbol: Operation,
    ) -> bool {
        let rules = self.of(context, module.name(symbol));
        has_one(context, module, symbol, &rules.local)
    }

    /// Returns whether definitions of the symbol's name add up to one.
    pub(crate) fn appends(
        &mut self,
        context: &mut Context,
        module: &Module,
        symbol: Operation,
    ) -> bool {
        let rules = self.of(context, module.name(symbol));
        has_one(context, module, symbol, &rules.appends)
    }

    /// Returns the strength of a definition or declaration: of two of one name the stronger is
    /// kept. `None` is the greatest strength, of those that the operation's definition does not
    /// call weak.
    pub(crate) fn weakness(
        &mut self,
        context: &mut Context,
        module: &Module,
        symbol: Operation,
    ) -> Option<usize> {
        let rules = self.of(context, module.name(symbol));
        let mut weak = rules.weak.iter();
        weak.position(|values| has_one(context, module, symbol, values))
    }

    /// Returns whether the definition states how the symbol is declared, and the symbol has nothing
    /// that a declaration could not have.
    pub(crate) fn can_declare(
        &mut self,
        context: &mut Context,
        module: &Module,
        symbol: Operation,
    ) -> bool {
        let rules = self.of(context, module.name(symbol));
        let is_dictionary = |properties| context.is_dictionary(properties);
        rules.declaration.is_some()
            && module.result_count(symbol) == 0
            && module.operand_count(symbol) == 0
            && module.successors(symbol).len() == 0
            && module.properties(symbol).is_some_and(is_dictionary)
    }

    /// Makes a declaration of an operation whose regions are empty.
    ///
    /// # Errors
    ///
    /// If it [cannot](Self::can_declare) be declared.
    pub(crate) fn declare(
        &mut self,
        context: &mut Context,
        module: &mut Module,
        symbol: Operation,
    ) -> Result<(), Invalid> {
        let rules = self.of(context, module.name(symbol));
        let properties = module.properties(symbol);
        let (Some(declaration), Some(properties)) = (&rules.declaration, properties) else {
            return Err(Invalid::new(
                "the definition of the operation does not state how it is declared",
            ));
        };
        let other = declaration.name != module.name(symbol);
        let mut added = declaration.added.clone();
        let symbol_name = module.symbol_name(context, symbol);
        for (name, text) in &declaration.named {
            let spelled = symbol_name.map(|symbol| context.str(symbol).into_owned());
            let text = text.replace(SYMBOL_NAME, &escaped(&spelled.unwrap_or_default()));
            let value = context
                .parse_attribute(&text)
                .map_err(|error| Invalid::new(error.to_string()))?;
            added.push((*name, value));
        }
        let is_kept = |&(name, _): &NamedAttribute| {
            let is_set = added.iter().any(|&(added, _)| added == name);
            let is_known = || {
                let known = context.is_inherent_attribute(declaration.name, context.bytes(name));
                known.unwrap_or(true)
            };
            !is_set && !declaration.removed.contains(&name) && (!other || is_known())
        };
        let entries = context.dictionary_entries(properties).iter();
        let mut entries: Vec<NamedAttribute> = entries.filter(|&e| is_kept(e)).copied().collect();
        entries.extend(&added);
        let properties = context.dictionary_attribute(&entries)?;
        module.set_properties(symbol, Some(properties));
        if other {
            let name = context.operation_name_bytes(declaration.name).to_vec();
            module.set_name(context, symbol, &name)?;
        }
        Ok(())
    }

    fn of(&mut self, context: &mut Context, name: OperationName) -> Arc<Rules> {
        if let Some(known) = self.rules.get(&name) {
            return Arc::clone(known);
        }
        let rules = Arc::new(Rules::of(context, name));
        self.rules.insert(name, Arc::clone(&rules));
        rules
    }
}

/// Returns whether an operation has one of the attributes.
fn has_one(
    context: &Context,
    module: &Module,
    operation: Operation,
    attributes: &[NamedAttribute],
) -> bool {
    attributes.iter().any(|&(name, value)| {
        module.attribute_by_identifier(context, operation, Some(name)) == Some(value)
    })
}

impl Rules {
    fn of(context: &mut Context, name: OperationName) -> Self {
        let Some(definition) = context.operation_definition(name).cloned() else {
            return Rules::default();
        };
        let release = context.release();
        let mut parsed = |value: &AttributeValueDefinition| {
            let attribute = context.parse_attribute(&value.value).ok()?;
            Some((context.identifier(&*value.name), attribute))
        };
        let local = definition.local_in(release).filter_map(&mut parsed);
        let local = local.collect();
        let appends = definition.appends_in(release).filter_map(&mut parsed);
        let appends = appends.collect();
        let mut weak = Vec::new();
        for value in definition.weak_in(release) {
            let name = context.identifier(&*value.name);
            let values = value.values();
            let values = values.filter_map(|text| context.parse_attribute(text).ok());
            weak.push(values.map(|value| (name, value)).collect());
        }
        let declaration = definition.declaration_in(release).and_then(|declaration| {
            let (mut added, mut named) = (Vec::new(), Vec::new());
            for value in definition.declared_in(release) {
                let name = context.identifier(&*value.name);
                match &*value.value {
                    UNKNOWN => return None,
                    text if text.contains(SYMBOL_NAME) => named.push((name, text.to_owned())),
                    text => added.push((name, context.parse_attribute(text).ok()?)),
                }
            }
            Some(Declaration {
                name: declaring_operation(context, name, declaration),
                removed: removed(context, declaration),
                added,
                named,
            })
        });
        Rules {
            declaration,
            local,
            weak,
            appends,
        }
    }
}

fn declaring_operation(
    context: &mut Context,
    name: OperationName,
    declaration: &DeclarationDefinition,
) -> OperationName {
    if declaration.operation.is_empty() {
        return name;
    }
    let mut other = context.bytes(context.operation_dialect(name)).to_vec();
    other.push(b'.');
    other.extend_from_slice(declaration.operation.as_bytes());
    context.operation_name(other)
}

fn removed(context: &mut Context, declaration: &DeclarationDefinition) -> Vec<Identifier> {
    let names = declaration.body.iter().chain(&declaration.without);
    names.map(|name| context.identifier(&**name)).collect()
}

impl SymbolRules {
    /// Returns the name of the operation that declares symbols of an operation name.
    pub(crate) fn declaring_name(
        &mut self,
        context: &mut Context,
        name: OperationName,
    ) -> Option<OperationName> {
        let rules = self.of(context, name);
        rules
            .declaration
            .as_ref()
            .map(|declaration| declaration.name)
    }
}

impl Context {
    pub(crate) fn is_dictionary(&self, attribute: Attribute) -> bool {
        matches!(
            self.attribute_kind(attribute),
            crate::AttributeKind::Dictionary(_)
        )
    }

    /// Returns whether a symbol of an operation is a declaration, as [`Module::is_declaration`]
    /// does, from the names of its attributes and the numbers of the regions that have blocks.
    ///
    /// ```
    /// let mut context = rmlir_ir::Context::new();
    /// let name = context.operation_name("builtin.module");
    /// assert!(!context.is_declaration(name, |_| false, |_| false));
    /// ```
    pub fn is_declaration(
        &self,
        symbol: OperationName,
        has_attribute: impl Fn(&str) -> bool,
        has_blocks: impl Fn(usize) -> bool,
    ) -> bool {
        let Some(definition) = self.operation_definition(symbol) else {
            return false;
        };
        let release = self.release();
        let Some(declaration) = definition.declaration_in(release) else {
            return false;
        };
        let has_body = |name: &str| {
            let regions = definition.groups_in(&definition.regions, release);
            let number = regions.clone().position(|region| region.name == name);
            number.is_some_and(&has_blocks)
        };
        !declaration
            .body
            .iter()
            .any(|name| has_attribute(name) || has_body(name))
    }
}

impl Module {
    /// Returns whether a symbol is a declaration: an external reference without a body, by the
    /// `declaration` statement of its definition. If the definition has none, no such operation is
    /// a declaration. Linear in the number of names in the statement.
    pub fn is_declaration(&self, context: &Context, symbol: Operation) -> bool {
        let has_attribute = |name: &str| self.attribute(context, symbol, name).is_some();
        let has_blocks = |number| {
            let region = self.region(symbol, number);
            region.is_some_and(|region| self.first_block(region).is_some())
        };
        context.is_declaration(self.name(symbol), has_attribute, has_blocks)
    }

    /// Creates a declaration of a symbol, at its location, and returns it; it is detached. Returns
    /// `None` if the definition does not state how such a symbol is declared. The declaration of a
    /// declaration is a copy.
    ///
    /// Linear in the number of the symbol's attributes.
    ///
    /// # Errors
    ///
    /// Does not fail in a module that keeps its invariants.
    pub fn create_declaration(
        &mut self,
        context: &mut Context,
        symbol: Operation,
    ) -> Result<Option<Operation>, Invalid> {
        self.create_declaration_by(context, symbol, &mut SymbolRules::default())
    }

    /// [`create_declaration`](Self::create_declaration), with the parsed statements of the
    /// definitions.
    pub(crate) fn create_declaration_by(
        &mut self,
        context: &mut Context,
        symbol: Operation,
        rules: &mut SymbolRules,
    ) -> Result<Option<Operation>, Invalid> {
        if !rules.can_declare(context, self, symbol) {
            return Ok(None);
        }
        let count = self.regions(symbol).len();
        let regions: Vec<Region> = (0..count).map(|_| self.create_region()).collect();
        let state = OperationState {
            attributes: self.attributes(symbol),
            properties: self.properties(symbol),
            regions: &regions,
            ..OperationState::new(self.name(symbol), self.location(symbol))
        };
        let is_declaration = self.is_declaration(context, symbol);
        let declaration = self.create_operation(&state);
        if !is_declaration {
            rules.declare(context, self, declaration)?;
        }
        Ok(Some(declaration))
    }
}
