//! Names of the values of `kanagawa`: after instances, ports and paths.

use crate::two_way::items;
use rmlir_ir::asm::ValueNames;
use rmlir_ir::{Context, Module, Operation, Value, ValueDefinition};

/// Names the results of operations of `kanagawa` after what they refer to.
#[derive(Debug)]
pub(crate) struct ScopeNames;

/// Returns the name of an inner symbol.
fn symbol(context: &Context, module: &Module, operation: Operation) -> Option<String> {
    let symbol = module.attribute(context, operation, "inner_sym")?;
    let names = context.parameter(symbol, "names")?;
    let name = names.items().next()?.bytes()?.to_vec();
    Some(String::from_utf8_lossy(&name).into_owned())
}

/// Returns the steps of a path, separated by dots.
fn path(context: &Context, module: &Module, operation: Operation) -> Option<String> {
    let steps = items(context, module.attribute(context, operation, "path"))?;
    let word = |&step: &rmlir_ir::Attribute| {
        let child = context
            .parameter(step, "child")
            .and_then(|one| one.attribute());
        match super::firrtl::flat(context, child) {
            Some(child) => String::from_utf8_lossy(child).into_owned(),
            None => "parent".to_owned(),
        }
    };
    let words: Vec<String> = steps.iter().map(word).collect();
    Some(words.join("."))
}

/// Returns the name that an operation gives to its result, followed by `suffix`; the name can be
/// that of the operand with more at the end.
fn name_of(
    context: &Context,
    module: &Module,
    mut operation: Operation,
    mut suffix: String,
) -> Option<String> {
    // A port of what an operation refers to, and what is read from it.
    for _ in 0..3 {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let base = match context.operation_name_bytes(module.name(operation)) {
            b"kanagawa.path" => path(context, module, operation),
            b"kanagawa.instance" | b"kanagawa.container.instance" => {
                symbol(context, module, operation)
            }
            b"kanagawa.get_var" => {
                let variable = super::firrtl::flat(context, attribute("varName"))?;
                Some(String::from_utf8_lossy(variable).into_owned())
            }
            b"kanagawa.get_port" => {
                let port = super::firrtl::flat(context, attribute("portSymbol"))?;
                suffix = format!(".{}.ref{suffix}", String::from_utf8_lossy(port));
                None
            }
            b"kanagawa.port.read" => {
                suffix = format!(".val{suffix}");
                None
            }
            _ => {
                let hint = attribute("name").and_then(|name| context.string_value(name));
                let hint = hint.map(|hint| String::from_utf8_lossy(hint).into_owned());
                hint.or_else(|| symbol(context, module, operation))
            }
        };
        if let Some(base) = base {
            return Some(format!("{base}{suffix}"));
        }
        let operand = module.operands(operation).next()?;
        let ValueDefinition::Result(before, _) = module.definition(operand) else {
            return None;
        };
        operation = before;
    }
    None
}

impl ValueNames for ScopeNames {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let Some(base) = name_of(context, module, operation, String::new()) else {
            return;
        };
        // An input wire has the port and its value.
        for (result, suffix) in module.results(operation).zip(["", ".out"]) {
            name(result, &format!("{base}{suffix}"));
        }
    }
}
