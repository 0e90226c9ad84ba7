//! lint FILE...: findings about StableHLO programs, of a framework or portable (VHLO): arithmetic
//! on `f64`, large constants, constants of one repeated element, custom calls, dynamic shapes, and
//! functions that no public one reaches.

use rmlir::ir::{
    AttributeKind, DYNAMIC, Entry, EntryWalker, ResourceValue, SymbolUserMap, TypeKind, Visibility,
    WalkOrder, WalkResult,
};
use rmlir::{Attribute, Ir, Op, Operation, Result, Type};
use std::collections::{HashMap, HashSet};

/// The size of a constant that is large, in bytes.
const LARGE: usize = 1 << 20;

/// Returns the types in a type, itself included, for which `is_it` is true.
fn has_type(op: Op<'_>, ty: Type, is_it: impl Fn(Type) -> bool) -> bool {
    let found = EntryWalker::new().walk(op.context, ty, WalkOrder::PreOrder, |entry| match entry {
        Entry::Type(inner) if is_it(inner) => WalkResult::Interrupt,
        _ => WalkResult::Advance,
    });
    found == WalkResult::Interrupt
}

fn is_f64(op: Op<'_>, ty: Type) -> bool {
    let is_portable = |ty| {
        let entry = op.parameters(ty).map(|parameters| parameters.definition());
        entry.is_ok_and(|entry| entry.mnemonic == "f64_v1")
    };
    has_type(op, ty, |ty| ty == op.context.f64_type() || is_portable(ty))
}

fn is_dynamic(op: Op<'_>, ty: Type) -> bool {
    has_type(op, ty, |ty| {
        let shape = op.context.shape(ty);
        let portable = op.parameter(ty, "shape");
        shape.is_some_and(|shape| shape.contains(&DYNAMIC))
            || matches!(op.context.type_kind(ty), TypeKind::UnrankedTensor(_))
            || portable.is_some_and(|s| s.items().any(|size| size.integer() == Some(DYNAMIC)))
    })
}

/// Returns the size of a constant's elements in bytes, and whether they repeat one that is stored
/// often.
fn elements(op: Op<'_>, value: Attribute) -> Option<(usize, bool)> {
    // A portable constant has them as a parameter.
    if let Some(data) = op.parameter(value, "data").and_then(|data| data.bytes()) {
        return Some((data.len(), false));
    }
    match op.context.attribute_kind(value) {
        AttributeKind::DenseElements { data, .. } => Some((data.len(), false)),
        AttributeKind::DenseResource { ty, resource } => {
            let Some(ResourceValue::Blob(blob)) = &op.context.resource(*resource).value else {
                return None;
            };
            let (layout, _) = op.context.dense_layout(*ty).ok()?;
            let element = layout.find_splat(blob.data());
            Some((
                blob.data().len(),
                element.is_some_and(|one| one.len() < blob.data().len()),
            ))
        }
        _ => None,
    }
}

/// Returns the findings about an operation.
fn check(op: Op<'_>) -> Vec<String> {
    let mut findings = Vec::new();
    let name = op.name();
    let (dialect, mnemonic) = name.split_once('.').unwrap_or_default();
    if !["stablehlo", "vhlo", "mhlo"].contains(&dialect) {
        return findings;
    }
    let mut types = op.operand_types().chain(op.result_types());
    let mnemonic = mnemonic
        .strip_suffix("_v1")
        .or(mnemonic.strip_suffix("_v2"))
        .unwrap_or(mnemonic);
    match mnemonic {
        "convolution" | "dot" | "dot_general" if types.any(|ty| is_f64(op, ty)) => {
            findings.push("f64".to_owned());
        }
        "constant" => {
            let found = op.attr("value").and_then(|value| elements(op, value));
            let (bytes, repeats) = found.unwrap_or_default();
            if bytes > LARGE {
                findings.push(format!("large constant: {bytes} bytes"));
            }
            if repeats {
                findings.push(format!("one element repeated over {bytes} bytes"));
            }
        }
        "custom_call" => {
            let target = op
                .attr("call_target_name")
                .and_then(|name| op.context.string_literal(name));
            let target = target
                .map(|target| op.context.str(target))
                .unwrap_or_default();
            findings.push(format!("custom call: {target}"));
        }
        _ => {}
    }
    if op.result_types().any(|ty| is_dynamic(op, ty)) {
        findings.push("dynamic shape".to_owned());
    }
    findings
}

/// Returns the functions that public ones refer to, directly or through others, and these.
fn reached(functions: &[Op<'_>], users: &SymbolUserMap) -> HashSet<Operation> {
    let all: HashSet<Operation> = functions.iter().map(|function| function.id()).collect();
    let mut callees: HashMap<Operation, Vec<Operation>> = HashMap::new();
    for function in functions {
        for user in users.users(function.id()) {
            let mut around = function.with_id(*user).ancestors().map(|op| op.id());
            if let Some(caller) = around.find(|caller| all.contains(caller)) {
                callees.entry(caller).or_default().push(function.id());
            }
        }
    }
    let public = functions
        .iter()
        .filter(|function| function.visibility() == Visibility::Public);
    let mut pending: Vec<Operation> = public.map(|function| function.id()).collect();
    let mut reached = HashSet::new();
    while let Some(function) = pending.pop() {
        if reached.insert(function) {
            pending.extend(callees.get(&function).into_iter().flatten());
        }
    }
    reached
}

/// Returns the findings about a module, each with the function, the operation and its call stack.
pub(crate) fn lint(ir: &Ir) -> Vec<String> {
    let mut findings = Vec::new();
    let symbols = ir.op().children().filter(|op| op.symbol_name().is_some());
    let functions: Vec<Op<'_>> = symbols.collect();
    let reached = reached(&functions, &SymbolUserMap::new(ir.op()));
    for function in functions {
        let name = function.symbol_name().unwrap_or_default();
        if !reached.contains(&function.id()) {
            findings.push(format!("@{name}: is not used"));
        }
        for op in function.descendants() {
            for finding in check(op) {
                let stack = ir.context().call_stack(op.location());
                let stack: Vec<String> = stack.iter().map(ToString::to_string).collect();
                findings.push(format!(
                    "@{name}: {finding} in {} at {}",
                    op.name(),
                    stack.join(" <- ")
                ));
            }
        }
    }
    findings
}

#[allow(clippy::print_stdout, reason = "a program")]
fn main() -> Result<()> {
    for path in std::env::args().skip(1) {
        for finding in lint(&rmlir::open(path)?) {
            println!("{finding}");
        }
    }
    Ok(())
}
