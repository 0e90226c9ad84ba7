//! Operations in custom form: by code, or by formats of definitions.
//!
//! A format is made ready once for a name ([`plan`]); the parser reads by it
//! ([`parser::format`](crate::parser)) and the printer prints by it ([`print`]).

pub(crate) mod plan;
pub(crate) mod print;

use plan::Plan;
use rmlir_ir::asm::OperationSyntax;
use rmlir_ir::definition::Text;
use rmlir_ir::{Context, OperationName};
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
}

impl SyntaxTable {
    /// Whether the syntax of a name was asked for before.
    #[inline]
    pub(crate) fn knows(&self, name: OperationName) -> bool {
        matches!(self.found.get(name.index()), Some(Some(_)))
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
