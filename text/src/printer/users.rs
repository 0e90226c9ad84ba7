//! Comments with the users of values.

use super::Result;
use super::operation::OperationPrinter;
use rmlir_ir::{Block, Operation, Value};
use std::collections::HashSet;

impl OperationPrinter<'_, '_> {
    /// Prints the users of an operation's results, or the number of an operation without results
    /// that has operands.
    pub(super) fn users_comment(&mut self, operation: Operation) -> Result<()> {
        let module = self.module;
        let count = module.result_count(operation);
        if count == 0 {
            if module.operands(operation).len() > 0 {
                self.out.text(" // id: ");
                self.names.print_operation(operation, self.out);
            }
            return Ok(());
        }
        let mut users = HashSet::new();
        let uses = module.results(operation).flat_map(|r| module.uses(r));
        users.extend(uses.map(|operand| module.user(operand).0));
        if users.is_empty() {
            self.out.text(" // unused");
            return Ok(());
        }
        let results: usize = users.iter().map(|&user| module.result_count(user)).sum();
        let is_one = count == 1 && users.len() == 1 && results <= 1;
        self.out
            .text(if is_one { " // user: " } else { " // users: " });
        for (number, result) in module.results(operation).enumerate() {
            if number > 0 {
                self.out.text(", ");
            }
            if count > 1 {
                self.out.byte(b'(');
            }
            self.users(result)?;
            if count > 1 {
                self.out.byte(b')');
            }
        }
        Ok(())
    }

    /// Prints the users of the arguments of a block, a line each.
    pub(super) fn argument_users(&mut self, block: Block, depth: usize) -> Result<()> {
        let module = self.module;
        for (argument, _) in module.arguments(block) {
            self.indent(depth);
            self.out.text("// ");
            self.value(argument);
            match module.has_uses(argument) {
                true => {
                    self.out.text(" is used by ");
                    self.users(argument)?;
                }
                false => self.out.text(" is unused"),
            }
            self.out.byte(b'\n');
            self.out.checkpoint()?;
        }
        Ok(())
    }

    /// Prints the results or numbers of the operations that use a value, the last user first.
    fn users(&mut self, value: Value) -> Result<()> {
        let module = self.module;
        let mut users = HashSet::new();
        for operand in module.uses(value) {
            let (user, _) = module.user(operand);
            let is_first = users.is_empty();
            if !users.insert(user) {
                continue;
            }
            if !is_first {
                self.out.text(", ");
            }
            if module.result_count(user) == 0 {
                self.names.print_operation(user, self.out);
            }
            for (number, result) in module.results(user).enumerate() {
                if number > 0 {
                    self.out.text(", ");
                }
                self.value(result);
            }
            self.out.checkpoint()?;
        }
        if users.is_empty() {
            self.out.text("unused");
        }
        Ok(())
    }
}
