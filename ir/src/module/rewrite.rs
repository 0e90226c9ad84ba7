//! Edits composed of several steps, for rewrites.

use super::erased::ERASED_VALUE;
use super::{ARGUMENT, Block, InUse, List, Module, Operation, Value};
use crate::{AttributeKind, Context, Invalid, OperationName};

/// The attributes that custom form omits if all of their dictionaries are empty.
const EMPTY_IF_NOT_SHOWN: [&str; 4] = [
    "arg_attrs",
    "res_attrs",
    "workgroup_attrib_attrs",
    "private_attrib_attrs",
];

impl From<InUse> for Invalid {
    #[cold]
    fn from(error: InUse) -> Self {
        Invalid::new(error.to_string())
    }
}

impl Module {
    /// Changes the name of an operation. Its other parts are unchanged: the verifier checks whether
    /// an operation of the new name can have them.
    ///
    /// # Errors
    ///
    /// If the name is not a valid operation name; see [`OperationName::check`].
    #[track_caller]
    pub fn set_name(
        &mut self,
        context: &mut Context,
        operation: Operation,
        name: impl AsRef<[u8]>,
    ) -> Result<(), Invalid> {
        let name = name.as_ref();
        OperationName::check(name)?;
        self.expect_operation(operation);
        self.ops[operation.index()].name = context.operation_name(name);
        Ok(())
    }

    /// Replaces all uses of the results of `operation` by `values`, in order, and erases it.
    ///
    /// Linear in the number of uses and of erased entities.
    ///
    /// # Errors
    ///
    /// If the numbers of values and results differ; or if one of `values` is defined inside the
    /// operation, or is one of its own results, so that the operation stays in use. In the first
    /// case nothing is changed.
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, Module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let mut builder = Builder::new(&mut context, &mut module);
    /// let i32 = builder.context.i32_type();
    /// let old = builder.op("test.old").result(i32).build()?;
    /// let x = builder.module.result(old, 0).unwrap();
    /// let user = builder.op("test.use").operand(x).build()?;
    /// let new = builder.op("test.new").result(i32).build_value()?;
    /// module.replace_operation(old, &[new])?;
    /// assert_eq!(module.operand(user, 0), Some(new));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    #[doc(alias = "replaceOp")]
    #[track_caller]
    pub fn replace_operation(
        &mut self,
        operation: Operation,
        values: &[Value],
    ) -> Result<(), Invalid> {
        self.expect_operation(operation);
        let count = self.result_count(operation);
        if count != values.len() {
            return Err(Invalid::new(format!(
                "an operation with {count} results cannot be replaced by {} values",
                values.len()
            )));
        }
        for (from, &to) in self.results(operation).zip(values) {
            self.replace_all_uses(from, to);
        }
        Ok(self.erase_operation(operation)?)
    }

    /// Replaces those uses of `from` by `to` for which `keep` returns true.
    ///
    /// `keep` is given the operation that uses `from` and the operand number. Linear in the number
    /// of uses.
    #[doc(alias = "replaceUsesWithIf")]
    #[track_caller]
    pub fn replace_uses_if(
        &mut self,
        from: Value,
        to: Value,
        mut keep: impl FnMut(&Module, Operation, usize) -> bool,
    ) {
        self.expect_value(from);
        self.expect_value(to);
        if from == to {
            return;
        }
        let uses: Vec<_> = self.uses(from).collect();
        for operand in uses {
            let (user, number) = self.user(operand);
            if keep(self, user, number) {
                self.unlink_use(operand);
                self.link_use(operand, to);
            }
        }
    }

    /// Removes argument `number` of a block; the numbers of the following arguments decrease by
    /// one.
    ///
    /// Linear in the number of arguments. The operands that predecessors pass to the block are not
    /// changed.
    ///
    /// # Errors
    ///
    /// If there is no argument of that number, or it is in use. In this case nothing is changed.
    #[doc(alias = "eraseArgument")]
    #[track_caller]
    pub fn erase_argument(&mut self, block: Block, number: usize) -> Result<(), Invalid> {
        self.expect_block(block);
        let Some(argument) = self.argument(block, number) else {
            let count = self.argument_count(block);
            return Err(Invalid::new(format!(
                "a block of {count} arguments has no argument {number}"
            )));
        };
        if self.has_uses(argument) {
            return Err(InUse { value: argument }.into());
        }
        let List { start, len } = self.blocks[block.index()].arguments;
        let pairs = start as usize..(start + len) as usize;
        let erased = start as usize + 2 * number;
        self.lists.copy_within(erased + 2..pairs.end, erased);
        self.blocks[block.index()].arguments.len = len - 2;
        let moved: Vec<Value> = self.arguments(block).skip(number).map(|(v, _)| v).collect();
        for (value, number) in moved.into_iter().zip(number as u32..) {
            self.values[value.index()].number = number | ARGUMENT;
        }
        self.values[argument.index()].number = ERASED_VALUE;
        Ok(())
    }

    /// Splits a block before `operation`: moves it and all operations after it to a new block that
    /// follows the old one. Returns the new block, which has no arguments.
    ///
    /// The old block is left without a terminator. Linear in the number of moved operations.
    ///
    /// # Errors
    ///
    /// If the operation is in no block, or its block in no region. In this case nothing is changed.
    #[doc(alias = "splitBlock")]
    #[track_caller]
    pub fn split_block(&mut self, operation: Operation) -> Result<Block, Invalid> {
        self.expect_operation(operation);
        let block = self
            .parent_block(operation)
            .ok_or_else(|| Invalid::new("the operation is in no block"))?;
        let region = self
            .block_region(block)
            .ok_or_else(|| Invalid::new("the block is in no region"))?;
        let new = self.create_block();
        match self.next_block(block) {
            Some(next) => self.insert_block_before(next, new)?,
            None => self.insert_block_at_end(region, new),
        }
        let mut next = Some(operation);
        while let Some(operation) = next {
            next = self.next_operation(operation);
            self.detach_operation(operation);
            self.append_operation(new, operation);
        }
        Ok(new)
    }

    /// Removes each `arg_attrs`, `res_attrs` and similar list of `gpu.func` that consists of empty
    /// dictionaries.
    ///
    /// Custom form, like upstream's, omits such a list, so its text reads back without one. This
    /// method yields the module that the text denotes. It covers all operations below the top.
    /// O(operations).
    pub fn remove_empty_argument_attributes(&mut self, context: &mut Context) {
        let names = EMPTY_IF_NOT_SHOWN.map(|name| context.identifier(name));
        let all: Vec<Operation> = self.descendants(self.top()).collect();
        for operation in all {
            for name in names {
                let list = self
                    .inherent_attributes(context, operation)
                    .iter()
                    .find_map(|&(own, value)| (own == name).then_some(value));
                let is_empty = list.is_some_and(|list| match context.attribute_kind(list) {
                    AttributeKind::Array(all) => {
                        all.iter().all(|&one| one == context.empty_dictionary())
                    }
                    _ => false,
                });
                if is_empty {
                    let removed = self.set_inherent_attribute(context, operation, name, None);
                    debug_assert!(removed.is_ok(), "the properties have an entry");
                }
            }
        }
    }

    /// Returns the blocks from which control can pass to `block`: those of the same region whose
    /// last operation has it as a successor, in order, each once.
    ///
    /// Linear in the number of blocks of the region and their successors: to query many blocks,
    /// collect the edges of the region once.
    #[doc(alias = "getPredecessors")]
    pub fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        let blocks = self
            .block_region(block)
            .filter(|_| self.was_successor(block))
            .into_iter()
            .flat_map(|region| self.blocks(region));
        blocks.filter(move |&from| {
            let last = self.last_operation(from);
            last.is_some_and(|last| self.successors(last).any(|to| to == block))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Builder, Context, Module};

    #[test]
    fn arguments_after_an_erased_one_are_renumbered() {
        let mut context = Context::new();
        let mut module = Module::new(&mut context);
        let mut builder = Builder::new(&mut context, &mut module);
        let [a, b, c] = [8, 16, 32].map(|width| builder.context.integer_type(width));
        let region = builder.create_region();
        let block = builder.create_block(region, &[a, b, c]);
        let [x, _, z] = builder.arguments(block).unwrap();
        builder.op("test.use").operand(z).build().unwrap();
        let error = module.erase_argument(block, 2).unwrap_err();
        assert_eq!(error.message(), "a value that it defines is still in use");
        assert!(module.erase_argument(block, 3).is_err());
        module.erase_argument(block, 1).unwrap();
        let left: Vec<_> = module.arguments(block).map(|(value, _)| value).collect();
        assert_eq!(left, [x, z]);
        assert_eq!(module.argument(block, 1), Some(z));
        assert_eq!(
            module.definition(z),
            crate::ValueDefinition::Argument(block, 1)
        );
        let new = module.add_argument(block, a, context.unknown_location());
        assert_eq!(module.argument(block, 2), Some(new));
    }

    #[test]
    fn a_split_block_hands_over_what_follows() {
        let mut context = Context::new();
        let mut module = Module::new(&mut context);
        let mut builder = Builder::new(&mut context, &mut module);
        let region = builder.create_region();
        let block = builder.create_block(region, &[]);
        let [first, second, third] =
            ["a", "b", "c"].map(|name| builder.op(format!("test.{name}")).build().unwrap());
        let new = module.split_block(second).unwrap();
        assert_eq!(module.operations(block).collect::<Vec<_>>(), [first]);
        assert_eq!(module.operations(new).collect::<Vec<_>>(), [second, third]);
        assert_eq!(module.next_block(block), Some(new));
        let top = module.top();
        assert!(module.split_block(top).is_err());
    }
}
