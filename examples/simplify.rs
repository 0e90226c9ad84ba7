//! simplify FILE: folds integer arithmetic, inlines private functions of one block that call
//! nothing, and erases what is not used; prints the remainder.

use rmlir::ir::{SymbolTable, SymbolUserMap, Visibility};
use rmlir::{Edit, Ir, Operation, Result};

/// Replaces an operation on two constants by a constant. Returns whether it was one.
fn fold(edit: &mut Edit<'_>, id: Operation) -> Result<bool> {
    let op = edit.op(id);
    let compute = match &*op.name() {
        "arith.addi" => i64::wrapping_add,
        "arith.muli" => i64::wrapping_mul,
        _ => return Ok(false),
    };
    let constant = |number| {
        let value = op.defining_op(op.operand(number)?)?.constant_value()?;
        op.context.integer_value(value)
    };
    let (Some(lhs), Some(rhs), Some(ty)) = (constant(0), constant(1), op.result_types().next())
    else {
        return Ok(false);
    };
    let value = edit
        .context
        .wrapping_integer_attribute(ty, compute(lhs, rhs))?;
    let folded = edit
        .before(id)?
        .op("arith.constant")
        .attr("value", value)
        .build_value()?;
    edit.replace_op(id, &[folded])?;
    Ok(true)
}

/// Replaces a call by the body of the function. Returns whether it was a call of a small private
/// function.
fn inline(edit: &mut Edit<'_>, symbols: &SymbolTable, call: Operation) -> Result<bool> {
    let op = edit.op(call);
    let callee = op.attr("callee").filter(|_| op.is("func.call"));
    let callee = callee.and_then(|callee| symbols.lookup_nested(op.context, op.module, callee));
    let callee = callee.map(|callee| op.with_id(callee)).filter(|callee| {
        callee.visibility() == Visibility::Private
            && callee.blocks().count() == 1
            && !callee.children().any(|op| op.is("func.call"))
    });
    let Some(callee) = callee else {
        return Ok(false);
    };
    let callee = callee.id();
    edit.inline_call(call, callee)?;
    Ok(true)
}

/// Erases operations without effects and private symbols that nothing uses. Returns whether there
/// were any.
fn erase_unused(edit: &mut Edit<'_>) -> Result<bool> {
    let top = edit.op(edit.module.top());
    let users = SymbolUserMap::new(top);
    let unused = top.descendants().filter(|op| {
        let is_private = op.symbol_name().is_some() && op.visibility() == Visibility::Private;
        op.is_trivially_dead() || is_private && users.is_unused(op.id())
    });
    let unused: Vec<Operation> = unused.map(|op| op.id()).collect();
    for &op in unused.iter().rev() {
        edit.erase(op)?;
    }
    Ok(!unused.is_empty())
}

/// Simplifies a module as long as something changes, and verifies it.
pub(crate) fn simplify(ir: &mut Ir) -> Result<()> {
    loop {
        let all: Vec<Operation> = ir.ops().map(|op| op.id()).collect();
        let mut edit = ir.edit();
        let symbols = SymbolTable::new(edit.context, edit.module, edit.module.top())?;
        let mut changed = false;
        for op in all {
            changed |= fold(&mut edit, op)? || inline(&mut edit, &symbols, op)?;
        }
        if !(erase_unused(&mut edit)? || changed) {
            return ir.verify();
        }
    }
}

#[allow(clippy::print_stdout, reason = "a program")]
fn main() -> Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let mut ir = rmlir::open(path)?;
    simplify(&mut ir)?;
    print!("{ir}");
    Ok(())
}
