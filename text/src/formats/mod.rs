//! Operations in custom form: by code, or by formats of definitions.
//!
//! A format is made ready once for a name ([`plan`]); the parser reads by it
//! ([`parser::format`](crate::parser)) and the printer prints by it ([`print`]).

pub(crate) mod parameter;
pub(crate) mod plan;
pub(crate) mod print;

use plan::Plan;
use rmlir_ir::asm::OperationSyntax;
use rmlir_ir::definition::Text;
use rmlir_ir::{Attribute, Context, Module, NamedAttribute, Operation, OperationName};
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
    /// The dialect whose prefix is left out inside of the operation's regions.
    pub(crate) fn default_dialect(&self) -> Text {
        match self {
            Syntax::Hook(hook) => Text::Borrowed(hook.default_dialect()),
            Syntax::Format(plan) => plan.default_dialect.clone(),
        }
    }
}

/// The syntax of each operation's name, found out once.
#[derive(Debug, Default)]
pub(crate) struct SyntaxTable {
    /// By operation name.
    found: Vec<Option<Result<Syntax, Rc<str>>>>,
    /// By operation: whether it is printed by its syntax, once that is found out.
    printed: Vec<Option<bool>>,
    /// By operation name: the last properties and attributes, and whether they are where they belong.
    normal: Vec<Option<(Dictionaries, bool)>>,
}

/// The properties and the attributes of an operation.
type Dictionaries = (Option<Attribute>, Option<Attribute>);

impl SyntaxTable {
    /// Whether the syntax of a name was asked for before.
    #[inline]
    pub(crate) fn knows(&self, name: OperationName) -> bool {
        matches!(self.found.get(name.index()), Some(Some(_)))
    }

    /// The syntax with which an operation is printed; none if its generic form says more. Found out once for an
    /// operation.
    pub(crate) fn for_printing(
        &mut self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Syntax> {
        let name = module.name(operation);
        let syntax = self.get(context, name).ok()?;
        let index = operation.index();
        let printed = match self.printed.get(index).copied().flatten() {
            Some(known) => known,
            None => {
                let printed = self.is_normal(context, module, operation)
                    && syntax.can_print(context, module, operation);
                if index >= self.printed.len() {
                    self.printed
                        .resize(module.operation_slots().max(index.saturating_add(1)), None);
                }
                if let Some(slot) = self.printed.get_mut(index) {
                    *slot = Some(printed);
                }
                printed
            }
        };
        printed.then_some(syntax)
    }

    /// Whether inherent attributes of an operation are properties, and no others are.
    fn is_normal(&mut self, context: &Context, module: &Module, operation: Operation) -> bool {
        let name = module.name(operation);
        let index = name.index();
        let dictionaries = (module.properties(operation), module.attributes(operation));
        if let Some(Some((before, normal))) = self.normal.get(index)
            && *before == dictionaries
        {
            return *normal;
        }
        let is_inherent = |entry: &NamedAttribute| {
            context.is_inherent_attribute(name, context.bytes(entry.0)) == Some(true)
        };
        let properties = module.inherent_attributes(context, operation);
        let others = module.discardable_attributes(context, operation);
        let normal = properties.iter().all(is_inherent) && !others.iter().any(is_inherent);
        if index >= self.normal.len() {
            self.normal.resize(index.saturating_add(1), None);
        }
        if let Some(slot) = self.normal.get_mut(index) {
            *slot = Some((dictionaries, normal));
        }
        normal
    }

    /// The syntax of a name, or why there is none.
    pub(crate) fn get(
        &mut self,
        context: &Context,
        name: OperationName,
    ) -> Result<Syntax, Rc<str>> {
        let index = name.index();
        if let Some(Some(known)) = self.found.get(index) {
            return known.clone();
        }
        if index >= self.found.len() {
            self.found.resize_with(index.saturating_add(1), || None);
        }
        let found = find(context, name);
        if let Some(slot) = self.found.get_mut(index) {
            *slot = Some(found.clone());
        }
        found
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
