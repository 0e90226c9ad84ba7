//! Globals of linkage `appending`: arrays whose definitions in several modules become one array.

use super::types;
use rmlir_ir::{
    AttributeKind, Block, BodyBuilder, Builder, Context, DefinitionAppender, Invalid, Module,
    Operation, Type, Value, ValueDefinition,
};

/// Joins definitions of `llvm.mlir.global appending` as LLVM's linker does: the elements of all are
/// in one array, in the order of the modules.
#[derive(Debug)]
pub(crate) struct Appending;

/// The attributes that LLVM's linker requires to be equal; of address spaces there is one for each
/// name.
const EQUAL: [&str; 7] = [
    "constant",
    "alignment",
    "visibility_",
    "unnamed_addr",
    "section",
    "addr_space",
    "thread_local_",
];

/// The maximum length of an array that is made: each element needs operations.
const MOST: u64 = 1 << 16;

impl DefinitionAppender for Appending {
    fn check(
        &self,
        context: &Context,
        module: &Module,
        first: Operation,
        other: Operation,
    ) -> Result<(), Invalid> {
        for name in EQUAL {
            let [a, b] = [first, other].map(|global| module.attribute(context, global, name));
            if a != b {
                return Err(Invalid::new(format!("'{name}' differs")));
            }
        }
        let [a, b] = [first, other].map(|global| array(context, module, global));
        let (Some((a, _)), Some((b, _))) = (a, b) else {
            return Err(Invalid::new("its type is not an array"));
        };
        let elements = [a, b].map(|ty| types::element(context, ty, &[0]));
        let [Some(mine), Some(theirs)] = elements else {
            return Err(Invalid::new("the type of its elements is unknown"));
        };
        if !mine.is_same(context, &theirs) {
            return Err(Invalid::new("the types of the elements differ"));
        }
        for global in [first, other] {
            if module.attribute(context, global, "value").is_none() {
                initializer(context, module, global)?;
            }
        }
        Ok(())
    }

    fn append(
        &self,
        context: &mut Context,
        module: &mut Module,
        definitions: &[Operation],
    ) -> Result<(), Invalid> {
        let Some(&first) = definitions.first() else {
            return Ok(());
        };
        let mut total = 0u64;
        for &global in definitions {
            let length = array(context, module, global).map_or(u64::MAX, |(_, length)| length);
            total = total.saturating_add(length);
        }
        if total > MOST {
            return Err(Invalid::new(format!(
                "the array would have {total} elements, and at most {MOST} are possible"
            )));
        }
        let known = initializer(context, module, first).ok();
        let region = module
            .region(first, 0)
            .ok_or_else(|| Invalid::new("it has no region"))?;
        let block = known.map_or_else(|| module.append_block(region), |(block, _)| block);
        let mut initial = Vec::with_capacity(definitions.len());
        for &global in definitions {
            let value = moved_value(context, module, global, block)?;
            let (ty, length) = array(context, module, global)
                .ok_or_else(|| Invalid::new("its type is not an array"))?;
            initial.push((value, ty, length));
        }
        let whole = initial.first().map(|&(_, ty, _)| ty);
        let whole = whole.and_then(|ty| array_of(context, ty, total));
        let whole = whole.ok_or_else(|| Invalid::new("the type of its elements is unknown"))?;
        let location = module.location(first);
        let mut builder = Builder::new(context, module);
        builder.set_location(location);
        builder.set_insertion_point_to_end(block);
        let undefined = builder.op("llvm.mlir.undef").result(whole);
        let mut result = undefined.build_value()?;
        let mut next = 0i64;
        for (value, ty, length) in initial {
            let found = Elements::of(builder.context, builder.module, value, length);
            let element = types::element(builder.context, ty, &[0]).map(types::Element::detach);
            let element = element.and_then(|element| element.ty(builder.context));
            let element =
                element.ok_or_else(|| Invalid::new("the type of its elements is unknown"))?;
            for (number, known) in (0i64..).zip(&found.values) {
                let item = match *known {
                    Some(item) => Some(item),
                    None if found.others_are_undefined => None,
                    None => {
                        let position = builder.context.i64_array_attribute([number]);
                        let extract = builder.op("llvm.extractvalue").operand(found.base);
                        let extract = extract.property("position", position).result(element);
                        Some(extract.build_value()?)
                    }
                };
                if let Some(item) = item {
                    let position = builder.context.i64_array_attribute([next]);
                    let insert = builder.op("llvm.insertvalue").operands([result, item]);
                    let insert = insert.property("position", position).result(whole);
                    result = insert.build_value()?;
                }
                next = next.saturating_add(1);
            }
            found.erase_unused(builder.module);
        }
        builder.op("llvm.return").operand(result).build()?;
        let ty = context.type_attribute(whole);
        for (name, value) in [("global_type", Some(ty)), ("value", None)] {
            let name = context.identifier(name);
            module.set_inherent_attribute(context, first, name, value)?;
        }
        Ok(())
    }
}

/// Returns the type of a global, and its length, if it is an array.
fn array(context: &Context, module: &Module, global: Operation) -> Option<(Type, u64)> {
    let ty = module.attribute(context, global, "global_type")?;
    let AttributeKind::Type(ty) = *context.attribute_kind(ty) else {
        return None;
    };
    let text = types::body(context, ty)?.text().strip_prefix(b"array<")?;
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let digits = std::str::from_utf8(text.get(..digits)?).ok()?;
    Some((ty, digits.parse().ok()?))
}

/// Returns the type of arrays with the elements of another.
fn array_of(context: &mut Context, array: Type, length: u64) -> Option<Type> {
    let element = types::element(context, array, &[0])?.detach();
    let element = element.ty(context)?;
    let mut out = BodyBuilder::new();
    out.text(format!("array<{length} x ").as_bytes());
    types::spell(context, element, &mut out);
    out.text(b">");
    types::make(context, out.finish())
}

/// Returns the only block of a global's initializer, and the `llvm.return` at its end.
fn initializer(
    context: &Context,
    module: &Module,
    global: Operation,
) -> Result<(Block, Operation), Invalid> {
    let region = module.region(global, 0);
    let block = region.and_then(|region| module.first_block(region));
    let is_only = block == region.and_then(|region| module.last_block(region));
    let last = block.and_then(|block| module.last_operation(block));
    match block.zip(last) {
        Some((block, last))
            if is_only
                && context.operation_name_bytes(module.name(last)) == b"llvm.return"
                && module.operand_count(last) == 1 =>
        {
            Ok((block, last))
        }
        _ => Err(Invalid::new(
            "its initializer is not one block with an 'llvm.return' of one value",
        )),
    }
}

/// Moves the initializer of a global to the end of a block, without the `llvm.return`, and returns
/// its value.
fn moved_value(
    context: &mut Context,
    module: &mut Module,
    global: Operation,
    to: Block,
) -> Result<Value, Invalid> {
    if let Some(value) = module.attribute(context, global, "value") {
        let ty = array(context, module, global).map(|(ty, _)| ty);
        let ty = ty.ok_or_else(|| Invalid::new("its type is not an array"))?;
        let location = module.location(global);
        let mut builder = Builder::new(context, module);
        builder.set_location(location);
        builder.set_insertion_point_to_end(to);
        let constant = builder.op("llvm.mlir.constant").property("value", value);
        return constant.result(ty).build_value();
    }
    let (block, last) = initializer(context, module, global)?;
    let value = module.operand(last, 0);
    let value = value.ok_or_else(|| Invalid::new("its initializer has no value"))?;
    module
        .erase_operation(last)
        .map_err(|_| Invalid::new("its initializer is used"))?;
    if block != to {
        let operations: Vec<Operation> = module.operations(block).collect();
        for operation in operations {
            module.detach_operation(operation);
            module.append_operation(to, operation);
        }
    }
    Ok(value)
}

/// The elements of an array that operations make.
struct Elements {
    /// The elements that operations insert.
    values: Vec<Option<Value>>,
    /// The array that they are inserted into, which has the others.
    base: Value,
    others_are_undefined: bool,
    /// The operations that insert them, from the last on.
    inserted_by: Vec<Operation>,
}

impl Elements {
    fn of(context: &Context, module: &Module, array: Value, length: u64) -> Self {
        let length = usize::try_from(length).unwrap_or(0);
        let mut elements = Elements {
            values: vec![None; length],
            base: array,
            others_are_undefined: false,
            inserted_by: Vec::new(),
        };
        // An invalid module can use a value before its definition.
        for _ in 0..module.operation_slots() {
            let ValueDefinition::Result(operation, _) = module.definition(elements.base) else {
                break;
            };
            let name = context.operation_name_bytes(module.name(operation));
            elements.others_are_undefined = name == b"llvm.mlir.undef";
            if name != b"llvm.insertvalue" {
                break;
            }
            let position = module.attribute(context, operation, "position");
            let position = position.and_then(|position| context.i64_array(position));
            let position: Vec<i64> = position.into_iter().flatten().take(2).collect();
            let [Some(container), Some(value)] = [0, 1].map(|n| module.operand(operation, n))
            else {
                break;
            };
            let [number] = position[..] else { break };
            let slot = usize::try_from(number).ok();
            let Some(slot) = slot.and_then(|number| elements.values.get_mut(number)) else {
                break;
            };
            slot.get_or_insert(value);
            elements.base = container;
            elements.inserted_by.push(operation);
        }
        elements
    }

    /// Erases the operations that inserted the elements, as far as nothing else uses them.
    fn erase_unused(self, module: &mut Module) {
        for operation in self.inserted_by {
            if module.erase_operation(operation).is_err() {
                return;
            }
        }
        if self.others_are_undefined
            && let ValueDefinition::Result(operation, _) = module.definition(self.base)
        {
            // It stays if it is used.
            let _ = module.erase_operation(operation);
        }
    }
}
