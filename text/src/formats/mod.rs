//! Custom form of operations: by hooks, or by formats of definitions.
//!
//! A format is compiled once for each operation name ([`plan`]). The parser and the printer
//! interpret the plan, each in its module `format`.

mod compile;
pub(crate) mod forms;
pub(crate) mod grammar;
pub(crate) mod items;
pub(crate) mod parameter;
pub(crate) mod plan;
pub(crate) mod property_wrappers;
mod rules;
pub(crate) mod segments;
mod type_inference;

use plan::Plan;
use rmlir_ir::Written;
use rmlir_ir::asm::OperationSyntax;
use rmlir_ir::definition::Text;
use rmlir_ir::{Attribute, Context, Identifier, Module, NamedAttribute, Operation, OperationName};
use std::any::Any;
use std::rc::Rc;

/// The custom syntax of an operation.
#[derive(Clone, Debug)]
pub(crate) enum Syntax {
    /// Code.
    Hook(&'static dyn OperationSyntax),
    /// Data.
    Format(Rc<Plan>),
}

impl Syntax {
    /// Returns the dialect whose prefix is left out inside of the operation's regions.
    pub(crate) fn default_dialect(&self) -> Text {
        match self {
            Syntax::Hook(hook) => Text::Borrowed(hook.default_dialect()),
            Syntax::Format(plan) => plan.default_dialect.clone(),
        }
    }

    /// Returns how inherent attributes in the dictionary are treated.
    pub(crate) fn written(&self) -> Written {
        match self {
            Syntax::Hook(hook) if !hook.has_format() => Written::ByCode,
            Syntax::Format(plan) if plan.dictionary_by_code => Written::ByCode,
            _ => Written::ByFormat,
        }
    }
}

/// The syntax of each operation name, looked up once.
#[derive(Debug, Default)]
pub(crate) struct SyntaxTable {
    /// The compiled formats, indexed by operation name.
    names: Vec<Known>,
    /// Indexed by operation: whether it is printed in custom form, once that is determined.
    printed: Vec<Option<bool>>,
    /// What the hook of the operation for which that was determined last has prepared.
    prepared: Option<(Operation, Box<dyn Any>)>,
}

/// The cached data of an operation name.
#[derive(Debug, Default)]
struct Known {
    syntax: Option<Result<Syntax, Rc<str>>>,
    /// The dialect whose prefix is omitted in its regions, if the context has an operation with it.
    default_dialect: Option<Identifier>,
    /// The length of its own dialect's prefix; `None` if the prefix cannot be omitted.
    prefix: Option<usize>,
    /// The last properties and attributes, and whether all of them are valid in their dictionaries.
    normal: Option<(Dictionaries, bool)>,
    /// Some names of attributes, and whether they are inherent ones.
    inherent: Vec<(Identifier, bool)>,
    /// The names of the last valid properties.
    names: Vec<Identifier>,
}

/// The properties and the attributes of an operation.
type Dictionaries = (Option<Attribute>, Option<Attribute>);

/// The maximum number of attribute names for which it is memoized whether they are inherent.
const MOST_INHERENT: usize = 16;

impl Known {
    /// Returns whether an operation's attribute is inherent.
    fn is_inherent(&mut self, context: &Context, name: OperationName, entry: Identifier) -> bool {
        if let Some(known) = self.inherent.iter().find(|known| known.0 == entry) {
            return known.1;
        }
        let inherent = context.is_inherent_attribute(name, context.bytes(entry)) == Some(true);
        if self.inherent.len() < MOST_INHERENT {
            self.inherent.push((entry, inherent));
        }
        inherent
    }

    /// Returns whether inherent attributes of an operation are properties, and no others are.
    fn is_normal(&mut self, context: &Context, module: &Module, operation: Operation) -> bool {
        let dictionaries = (module.properties(operation), module.attributes(operation));
        if let Some((before, normal)) = self.normal
            && before == dictionaries
        {
            return normal;
        }
        let name = module.name(operation);
        let properties = module.inherent_attributes(context, operation);
        let others = module.discardable_attributes(context, operation);
        let mut names = properties.iter().map(|entry| entry.0);
        let belong = properties.len() == self.names.len()
            && names.by_ref().zip(&self.names).all(|(a, b)| a == *b);
        let mut is_inherent = |entry: &NamedAttribute| self.is_inherent(context, name, entry.0);
        let normal =
            (belong || properties.iter().all(&mut is_inherent)) && !others.iter().any(is_inherent);
        if normal && !belong {
            self.names.clear();
            self.names.extend(properties.iter().map(|entry| entry.0));
        }
        self.normal = Some((dictionaries, normal));
        normal
    }
}

impl SyntaxTable {
    /// Returns whether the syntax of a name was looked up before.
    #[inline]
    pub(crate) fn knows(&self, name: OperationName) -> bool {
        let known = self.names.get(name.index());
        known.is_some_and(|known| known.syntax.is_some())
    }

    /// Returns the syntax in which an operation is printed; `None` if its generic form is more
    /// expressive: if `prepare` returns none. Determined once for an operation.
    pub(crate) fn for_printing(
        &mut self,
        context: &Context,
        module: &Module,
        operation: Operation,
        prepare: impl FnOnce(&Syntax) -> Option<Box<dyn Any>>,
    ) -> Option<Syntax> {
        let known = self.known(context, module.name(operation))?;
        let Some(Ok(syntax)) = &known.syntax else {
            return None;
        };
        if matches!(syntax, Syntax::Format(plan) if plan.is_later) {
            return None;
        }
        let syntax = syntax.clone();
        let index = operation.index();
        if let Some(Some(printed)) = self.printed.get(index) {
            return printed.then_some(syntax);
        }
        let known = self.known(context, module.name(operation))?;
        let prepared = match known.is_normal(context, module, operation) {
            true => prepare(&syntax),
            false => None,
        };
        let printed = prepared.is_some();
        self.prepared = prepared.map(|prepared| (operation, prepared));
        if index >= self.printed.len() {
            self.printed
                .resize(module.operation_slots().max(index.saturating_add(1)), None);
        }
        if let Some(slot) = self.printed.get_mut(index) {
            *slot = Some(printed);
        }
        printed.then_some(syntax)
    }

    /// Takes what was prepared for printing an operation, if that was determined just before.
    pub(crate) fn take_prepared(&mut self, operation: Operation) -> Option<Box<dyn Any>> {
        let prepared = self.prepared.take()?;
        (prepared.0 == operation).then_some(prepared.1)
    }

    /// Sets the syntax of a name that no definition has.
    pub(crate) fn define(&mut self, name: OperationName, syntax: Syntax) {
        let index = name.index();
        if index >= self.names.len() {
            self.names
                .resize_with(index.saturating_add(1), Known::default);
        }
        if let Some(known) = self.names.get_mut(index) {
            known.syntax = Some(Ok(syntax));
        }
    }

    /// Returns the syntax of a name, or the reason why there is none.
    pub(crate) fn get(
        &mut self,
        context: &Context,
        name: OperationName,
    ) -> Result<Syntax, Rc<str>> {
        let known = self.known(context, name);
        known
            .and_then(|known| known.syntax.clone())
            .unwrap_or_else(|| Err(Rc::default()))
    }

    /// Interns the dialect whose prefix is omitted in the regions of an operation whose syntax was
    /// looked up.
    pub(crate) fn intern_default_dialect(&mut self, context: &mut Context, name: OperationName) {
        if let Some(known) = self.names.get_mut(name.index())
            && let Some(Ok(syntax)) = &known.syntax
        {
            let dialect = syntax.default_dialect();
            known.default_dialect =
                (!dialect.is_empty()).then(|| context.identifier(dialect.as_bytes()));
        }
    }

    /// Returns the dialect whose prefix is omitted in the regions of an operation whose syntax was
    /// looked up, if an operation has that prefix.
    #[inline]
    pub(crate) fn default_dialect(&self, name: OperationName) -> Option<Identifier> {
        self.names.get(name.index())?.default_dialect
    }

    /// Returns the length of the omitted prefix of an operation's name, whose syntax was looked up,
    /// where its dialect is `default`.
    #[inline]
    pub(crate) fn prefix(
        &self,
        context: &Context,
        name: OperationName,
        default: Option<Identifier>,
    ) -> usize {
        let known = self.names.get(name.index());
        match known.and_then(|known| known.prefix) {
            Some(prefix) if Some(context.operation_dialect(name)) == default => prefix,
            _ => 0,
        }
    }

    /// Returns the cached data of a name, after looking up its syntax.
    #[inline]
    fn known(&mut self, context: &Context, name: OperationName) -> Option<&mut Known> {
        let index = name.index();
        if self
            .names
            .get(index)
            .is_none_or(|known| known.syntax.is_none())
        {
            self.look_up(context, name);
        }
        self.names.get_mut(index)
    }

    #[cold]
    fn look_up(&mut self, context: &Context, name: OperationName) {
        let index = name.index();
        if index >= self.names.len() {
            self.names
                .resize_with(index.saturating_add(1), Known::default);
        }
        let Some(known) = self.names.get_mut(index) else {
            return;
        };
        let syntax = find(context, name);
        if let Ok(syntax) = &syntax {
            let default = syntax.default_dialect();
            known.default_dialect = context.find_identifier(default.as_bytes());
        }
        known.syntax = Some(syntax);
        let dialect = context.bytes(context.operation_dialect(name));
        let bytes = context.operation_name_bytes(name);
        let rest = bytes
            .strip_prefix(dialect)
            .and_then(|rest| rest.strip_prefix(b"."));
        known.prefix = rest
            .filter(|rest| !rest.contains(&b'.'))
            .map(|rest| bytes.len().saturating_sub(rest.len()));
    }
}

fn find(context: &Context, name: OperationName) -> Result<Syntax, Rc<str>> {
    let Some(definition) = context.operation_definition(name) else {
        return Err(Rc::default());
    };
    if let Some(hook) = definition.syntax {
        return Ok(Syntax::Hook(hook));
    }
    match Plan::new(context, name) {
        Some(Ok(plan)) => Ok(Syntax::Format(Rc::new(plan))),
        Some(Err(reason)) => Err(reason.into()),
        None if definition.hook.is_empty() => Err(Rc::default()),
        None => {
            let hook = &definition.hook;
            Err(format!("the hook '{hook}' is not part of this build").into())
        }
    }
}
