//! The parts of an operation by the names that its definition gives them.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::definition::{
    GroupDefinition, GroupKind, OPERAND_SEGMENT_SIZES, OperationDefinition, OperationTraits,
    RESULT_SEGMENT_SIZES,
};
use crate::op::Op;
use crate::{Attribute, Block, Region, Value};
use std::ops::Range;

/// An operation whose definition is known, with its parts by name. It is as cheap to copy as a few
/// references; nothing is allocated. Each lookup is linear in the number of the definition's
/// groups, or of the operation's attributes.
///
/// Members that do not match the definition, which only an unverified operation can have,
/// are absent.
///
/// ```
/// use rmlir_ir::{Builder, Context, DialectDefinition, Module, Op};
///
/// let mut context = Context::new();
/// let text = "dialect toy\nop store(value: Any, target: Any, indices: variadic Index)\n  attr flag: UnitAttr optional\n";
/// context.register_dialect(DialectDefinition::parse(text, &())?);
/// let mut module = Module::new(&mut context);
/// let mut builder = Builder::new(&mut context, &mut module);
/// let (i32, unit) = (builder.context.i32_type(), builder.context.unit_attribute());
/// let x = builder.op("toy.make").result(i32).build_value()?;
/// let store = builder.op("toy.store").operands([x, x, x, x]).property("flag", unit).build()?;
///
/// let view = module.view(&context, store).unwrap();
/// assert_eq!(view.operand("target"), Some(x));
/// assert_eq!(view.operands("indices").map(|i| i.len()), Some(2));
/// assert!(view.attr("flag").is_some() && view.attr("other").is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OperationView<'a> {
    inner: Op<'a>,
    definition: &'a OperationDefinition,
}

impl<'a> OperationView<'a> {
    /// `None` if no definition of the operation is known.
    pub fn new(operation: Op<'a>) -> Option<Self> {
        let name = operation.module.name(operation.operation);
        let definition = operation.context.operation_definition(name)?;
        Some(OperationView {
            inner: operation,
            definition,
        })
    }

    /// Returns the definition.
    pub fn definition(&self) -> &'a OperationDefinition {
        self.definition
    }

    /// Returns the attribute of that name: the inherent one if there is one, else the discardable
    /// one.
    pub fn attr(&self, name: &str) -> Option<Attribute> {
        let Op {
            context,
            module,
            operation,
        } = self.inner;
        module.attribute(context, operation, name)
    }

    /// Returns the operands of a group.
    pub fn operands(&self, group: &str) -> Option<impl ExactSizeIterator<Item = Value> + use<'a>> {
        let Op {
            module, operation, ..
        } = self.inner;
        let sizes = (
            OperationTraits::ATTRIBUTE_SIZED_OPERANDS,
            OPERAND_SEGMENT_SIZES,
        );
        let same = OperationTraits::SAME_VARIADIC_OPERAND_SIZE;
        let count = module.operand_count(operation);
        let range = self.range(&self.definition.operands, group, count, Some(sizes), same)?;
        let operands = module.operands(operation);
        Some(operands.skip(range.start).take(range.len()))
    }

    /// Returns the operand of a group of one.
    pub fn operand(&self, group: &str) -> Option<Value> {
        only(self.operands(group)?)
    }

    /// Returns the results of a group.
    pub fn results(&self, group: &str) -> Option<impl ExactSizeIterator<Item = Value> + use<'a>> {
        let Op {
            module, operation, ..
        } = self.inner;
        let sizes = (
            OperationTraits::ATTRIBUTE_SIZED_RESULTS,
            RESULT_SEGMENT_SIZES,
        );
        let same = OperationTraits::SAME_VARIADIC_RESULT_SIZE;
        let count = module.result_count(operation);
        let range = self.range(&self.definition.results, group, count, Some(sizes), same)?;
        let results = module.results(operation);
        Some(results.skip(range.start).take(range.len()))
    }

    /// Returns the result of a group of one.
    pub fn result(&self, group: &str) -> Option<Value> {
        only(self.results(group)?)
    }

    /// Returns the regions of a group.
    pub fn regions(&self, group: &str) -> Option<impl ExactSizeIterator<Item = Region> + use<'a>> {
        let Op {
            module, operation, ..
        } = self.inner;
        let regions = module.regions(operation);
        let none = OperationTraits::NONE;
        let range = self.range(&self.definition.regions, group, regions.len(), None, none)?;
        Some(regions.skip(range.start).take(range.len()))
    }

    /// Returns the region of a group of one.
    pub fn region(&self, group: &str) -> Option<Region> {
        only(self.regions(group)?)
    }

    /// Returns the successors of a group.
    pub fn successors(
        &self,
        group: &str,
    ) -> Option<impl ExactSizeIterator<Item = Block> + use<'a>> {
        let Op {
            module, operation, ..
        } = self.inner;
        let successors = module.successors(operation);
        let none = OperationTraits::NONE;
        let count = successors.len();
        let range = self.range(&self.definition.successors, group, count, None, none)?;
        Some(successors.skip(range.start).take(range.len()))
    }

    /// Returns the successor of a group of one.
    pub fn successor(&self, group: &str) -> Option<Block> {
        only(self.successors(group)?)
    }

    /// Returns the range of a group's members among `count` members. `sizes` are the trait with
    /// which an attribute stores the lengths of groups, and the attribute's name; with the trait
    /// `same`, all groups that are not single members are equally long.
    fn range(
        &self,
        groups: &[GroupDefinition],
        name: &str,
        count: usize,
        sizes: Option<(OperationTraits, &str)>,
        same: OperationTraits,
    ) -> Option<Range<usize>> {
        let release = self.inner.context.release();
        let groups = self.definition.groups_in(groups, release);
        let place = groups.clone().position(|group| group.name == name)?;
        let traits = self.definition.traits(release);
        if let Some((_, attribute)) = sizes.filter(|sizes| traits.contains(sizes.0)) {
            let sizes = self.inner.context.i32_array(self.attr(attribute)?)?;
            let mut start = 0usize;
            for (number, size) in sizes.enumerate() {
                let end = start.checked_add(usize::try_from(size).ok()?)?;
                if number == place {
                    return (end <= count).then_some(start..end);
                }
                start = end;
            }
            return None;
        }
        let is_single = |group: &&GroupDefinition| group.kind == GroupKind::Single;
        let singles = groups.clone().filter(is_single).count();
        let others = groups.clone().count().checked_sub(singles)?;
        let rest = count.checked_sub(singles)?;
        let size = match others {
            0 => 0,
            1 => rest,
            // Groups of regions and successors of which several are open are told by nobody.
            _ if !traits.contains(same) || same == OperationTraits::NONE => return None,
            _ => rest.checked_div(others)?,
        };
        let mut start = 0usize;
        for (number, group) in groups.enumerate() {
            let size = if is_single(&group) { 1 } else { size };
            let end = start.checked_add(size)?;
            if number == place {
                return (end <= count).then_some(start..end);
            }
            start = end;
        }
        None
    }
}

fn only<T>(mut items: impl ExactSizeIterator<Item = T>) -> Option<T> {
    if items.len() == 1 { items.next() } else { None }
}
