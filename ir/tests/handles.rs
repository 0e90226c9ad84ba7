//! Tests that handles of erased items, and of other contexts and modules, panic: they are
//! programming errors.
#![allow(clippy::unwrap_used, clippy::drop_non_drop, dropping_copy_types)]

use rmlir_ir::{
    Block, Builder, Context, Mapping, Module, Operation, OperationState, Region, Type, Value,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the message of the panic that `f` causes on a copy of the module.
fn panic_of(module: &Module, f: impl FnOnce(&mut Module)) -> String {
    let mut module = module.clone();
    let panic = catch_unwind(AssertUnwindSafe(|| f(&mut module))).unwrap_err();
    match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(other) => (*other.downcast::<&str>().unwrap()).to_owned(),
    }
}

/// A module with an erased operation, which had a result, a region, a block, an argument, and a
/// nested operation.
struct Erased {
    context: Context,
    module: Module,
    operation: Operation,
    inner: Operation,
    result: Value,
    region: Region,
    block: Block,
    argument: Value,
    /// The remaining content: an operation with an operand, a result, and a region.
    other: Operation,
    value: Value,
    i32: Type,
}

fn erased() -> Erased {
    let mut context = Context::new();
    let mut module = Module::new(&mut context);
    let i32 = context.i32_type();
    let mut builder = Builder::new(&mut context, &mut module);
    let value = builder.op("test.x").result(i32).build_value().unwrap();
    let point = builder.insertion_point();
    let region = builder.create_region();
    let block = builder.create_block(region, &[i32]);
    let [argument] = builder.arguments(block).unwrap();
    let inner = builder.op("test.inner").operand(argument).build().unwrap();
    builder.set_insertion_point(point);
    let operation = builder
        .op("test.outer")
        .operand(value)
        .result(i32)
        .region(region);
    let operation = operation.build().unwrap();
    let left = builder.create_region();
    builder.create_block(left, &[i32]);
    builder.set_insertion_point(point);
    let other = builder
        .op("test.y")
        .operand(value)
        .region(left)
        .build()
        .unwrap();
    let result = module.result(operation, 0).unwrap();
    assert!(!module.is_erased(operation) && !module.is_erased(inner));
    module.erase_operation(operation).unwrap();
    assert!(module.is_erased(operation) && module.is_erased(inner));
    assert!(!module.is_erased(other));
    Erased {
        context,
        module,
        operation,
        inner,
        result,
        region,
        block,
        argument,
        other,
        value,
        i32,
    }
}

#[test]
fn erased_operations_stay_erased() {
    let mut e = erased();
    let body = e.module.body().unwrap();
    let location = e.context.unknown_location();
    let (other, context) = (e.other, &mut e.context);
    for operation in [e.operation, e.inner] {
        let expected = format!("operation was erased: {operation:?}");
        let check = |f: &mut dyn FnMut(&mut Module)| {
            assert_eq!(panic_of(&e.module, f), expected);
        };
        check(&mut |m| m.append_operation(body, operation));
        check(&mut |m| m.prepend_operation(body, operation));
        check(&mut |m| drop(m.insert_before(other, operation)));
        check(&mut |m| drop(m.insert_after(other, operation)));
        check(&mut |m| drop(m.insert_before(operation, other)));
        check(&mut |m| m.detach_operation(operation));
        check(&mut |m| drop(m.erase_operation(operation)));
        check(&mut |m| drop(m.set_operand(operation, 0, e.value)));
        check(&mut |m| m.set_operands(operation, &[e.value]));
        check(&mut |m| m.set_location(operation, location));
        check(&mut |m| m.set_properties(operation, None));
        check(&mut |m| drop(m.set_attributes(context, operation, None)));
        check(&mut |m| drop(m.set_name(context, operation, "test.z")));
        check(&mut |m| drop(m.replace_operation(operation, &[])));
        check(&mut |m| drop(m.split_block(operation)));
        check(&mut |m| drop(m.clone_operation(operation, &mut Mapping::new())));
        check(&mut |m| m.set_top(operation));
        check(&mut |m| drop(m.descendants(operation).count()));
    }
    // The remaining content is unchanged.
    assert_eq!(e.module.operations(body).count(), 2);
    assert_eq!(e.module.uses(e.value).count(), 1);
}

#[test]
fn erased_values_blocks_and_regions_stay_erased() {
    let mut e = erased();
    let name = e.context.operation_name("test.z");
    let location = e.context.unknown_location();
    let state = OperationState::new(name, location);
    for value in [e.result, e.argument] {
        let expected = format!("value was erased: {value:?}");
        let check = |f: &mut dyn FnMut(&mut Module)| {
            assert_eq!(panic_of(&e.module, f), expected);
        };
        check(&mut |m| m.replace_all_uses(e.value, value));
        check(&mut |m| m.replace_all_uses(value, e.value));
        check(&mut |m| m.replace_uses_if(e.value, value, |_, _, _| true));
        check(&mut |m| m.move_uses(e.value, value));
        check(&mut |m| drop(m.set_operand(e.other, 0, value)));
        check(&mut |m| m.set_operands(e.other, &[value]));
        check(&mut |m| m.set_value_type(value, e.i32));
        check(&mut |m| drop(m.definition(value)));
        check(&mut |m| {
            let operands = &[value];
            m.create_operation(&OperationState { operands, ..state });
        });
    }
    let left = e.module.region(e.other, 0).unwrap();
    let expected = format!("block was erased: {:?}", e.block);
    let check = |f: &mut dyn FnMut(&mut Module)| {
        assert_eq!(panic_of(&e.module, f), expected);
    };
    check(&mut |m| m.insert_block_at_end(left, e.block));
    check(&mut |m| m.append_operation(e.block, e.other));
    check(&mut |m| m.detach_block(e.block));
    check(&mut |m| drop(m.erase_block(e.block)));
    check(&mut |m| drop(m.add_argument(e.block, e.i32, location)));
    check(&mut |m| {
        let successors = &[e.block];
        m.create_operation(&OperationState {
            successors,
            ..state
        });
    });
    let expected = format!("region was erased: {:?}", e.region);
    let check = |f: &mut dyn FnMut(&mut Module)| {
        assert_eq!(panic_of(&e.module, f), expected);
    };
    check(&mut |m| drop(m.append_block(e.region)));
    check(&mut |m| m.take_blocks(e.region, left));
    check(&mut |m| m.take_blocks(left, e.region));
    check(&mut |m| {
        let regions = &[e.region];
        m.create_operation(&OperationState { regions, ..state });
    });
}

#[test]
fn an_erased_block_takes_its_content_along() {
    let mut e = erased();
    let left = e.module.region(e.other, 0).unwrap();
    let block = e.module.first_block(left).unwrap();
    let argument = e.module.argument(block, 0).unwrap();
    let name = e.context.operation_name("test.z");
    let operands = &[argument];
    let location = e.context.unknown_location();
    let state = OperationState {
        operands,
        ..OperationState::new(name, location)
    };
    let inside = e.module.create_operation(&state);
    e.module.append_operation(block, inside);
    e.module.erase_block(block).unwrap();
    assert!(e.module.is_erased(inside));
    let expected = format!("value was erased: {argument:?}");
    assert_eq!(
        panic_of(&e.module, |m| m.set_operands(e.other, &[argument])),
        expected
    );
    let expected = format!("block was erased: {block:?}");
    assert_eq!(
        panic_of(&e.module, |m| m.insert_block_at_end(left, block)),
        expected
    );
}

#[test]
fn the_top_level_operation_is_not_erased() {
    let mut e = erased();
    let top = e.module.top();
    let expected = format!("the top-level operation cannot be erased: {top:?}");
    assert_eq!(
        panic_of(&e.module, |m| drop(m.erase_operation(top))),
        expected
    );
    let other = e.other;
    e.module.detach_operation(other);
    e.module.set_top(other);
    e.module.set_operands(other, &[]);
    e.module.erase_operation(top).unwrap();
    assert!(e.module.is_erased(top));
}

/// Tests for builds in which handles record their owner.
#[cfg(debug_assertions)]
mod owners {
    use super::*;

    /// Returns the message of the panic that `f` causes.
    fn message(f: impl FnOnce()) -> String {
        let panic = catch_unwind(AssertUnwindSafe(f)).unwrap_err();
        *panic.downcast::<String>().unwrap()
    }

    #[test]
    fn handles_of_another_context_panic() {
        let mut context = Context::new();
        let other = Context::new();
        let ty = context.integer_type(77);
        let found = message(|| drop(other.type_kind(ty).clone()));
        let expected = format!("Type({}) of context ", ty.index());
        assert!(found.starts_with(&expected), "{found}");
        assert!(found.contains(" was used with context "), "{found}");
        // Even if the other context has an item at that index.
        let i32 = context.i32_type();
        assert!(message(|| drop(other.type_kind(i32).clone())).contains("was used with"));
        let unit = context.unit_attribute();
        assert!(message(|| drop(other.attribute_kind(unit).clone())).contains("was used with"));
        let name = context.operation_name("test.a");
        assert!(message(|| drop(other.operation_name_identifier(name))).contains("was used"));
        let identifier = context.identifier("a");
        assert!(message(|| drop(other.bytes(identifier).len())).contains("was used with"));
        let location = context.file_location(identifier, 1, 2);
        assert!(message(|| drop(other.location_kind(location))).contains("was used with"));
    }

    #[test]
    fn copies_share_handles() {
        let mut context = Context::new();
        let ty = context.integer_type(77);
        let copy = context.clone();
        assert_eq!(copy.type_kind(ty), context.type_kind(ty));
        let mut fork = context.fork();
        assert_eq!(fork.context.type_kind(ty), context.type_kind(ty));
        let there = fork.context.integer_type(78);
        let translation = context
            .join(fork, |context, resource| context.add_resource(resource))
            .unwrap();
        let here = translation.ty(there);
        assert_eq!(context.integer_type(78), here);
        assert_eq!(context.all_types().last(), Some(here));
    }

    /// Every function that returns handles marks them: they panic in another context.
    #[test]
    fn handles_of_lists_and_copies_are_marked() {
        let other = Context::new();
        let of_type = |ty: Type| {
            assert!(message(|| drop(other.type_kind(ty).clone())).contains("was used with"));
        };
        let of_attribute = |attribute| {
            let kind = || drop(other.attribute_kind(attribute).clone());
            assert!(message(kind).contains("was used with"));
        };
        let of_location = |location| {
            let kind = || drop(other.location_kind(location));
            assert!(message(kind).contains("was used with"));
        };
        let of_name = |name| {
            let identifier = || drop(other.operation_name_identifier(name));
            assert!(message(identifier).contains("was used with"));
        };
        let mut context = Context::new();
        context.all_types().for_each(of_type);
        context.all_attributes().for_each(of_attribute);
        of_location(context.unknown_location());
        // A dictionary that is found again.
        let unit = context.unit_attribute();
        let entry = (context.identifier("a"), unit);
        for _ in 0..2 {
            of_attribute(context.dictionary_attribute(&[entry]).unwrap());
            of_attribute(context.sorted_dictionary_of(&[entry]));
        }

        // Of a fork that was joined.
        let mut fork = context.fork();
        let mut module = Module::new(&mut fork.context);
        let file = fork.context.identifier("file");
        let there = fork.context.file_location(file, 1, 2);
        let mut builder = Builder::new(&mut fork.context, &mut module);
        let i32 = builder.context.i32_type();
        let region = builder.create_region();
        let block = builder.create_block(region, &[i32]);
        let [argument] = builder.arguments(block).unwrap();
        let inner = builder.op("test.user").operand(argument).build().unwrap();
        let body = builder.module.body().unwrap();
        builder.set_insertion_point(Some(rmlir_ir::InsertionPoint::at_end(body)));
        let outer = builder.op("test.joined").region(region).build().unwrap();
        module.set_argument_location(block, 0, there).unwrap();
        let name = module.name(inner);
        let mut whole = Module::new(&mut context);
        let translation = context
            .join(fork, |context, resource| context.add_resource(resource))
            .unwrap();
        of_location(translation.location(there));
        of_name(translation.operation_name(name));
        assert!(message(|| drop(other.bytes(translation.identifier(file)).len())).contains("was"));

        let before = whole.body().unwrap();
        whole.append_body(before, module.clone(), &translation);
        let joined = whole.first_operation(before).unwrap();
        let region = whole.region(joined, 0).unwrap();
        let block = whole.first_block(region).unwrap();
        let (argument, location) = whole.arguments(block).next().unwrap();
        of_location(location);
        of_name(whole.name(joined));
        // `module` still has the handles of its own.
        assert!(message(|| drop(module.name(joined))).contains("of module"));
        assert!(message(|| drop(module.value_type(argument))).contains("of module"));
        assert!(message(|| drop(module.first_operation(block))).contains("of module"));
        let operand = whole.uses(argument).next().unwrap();
        assert!(message(|| drop(module.user(operand))).contains("of module"));
        let inner = whole.first_operation(block).unwrap();
        let (operand, _) = whole.operand_uses(inner).next().unwrap();
        assert!(message(|| drop(module.next_use(operand))).contains("of module"));
        assert_eq!(module.name(outer), module.name(outer));

        // Of an import.
        let mut target = Context::new();
        let mut copy = Module::new(&mut target);
        let mut map = rmlir_ir::ImportMap::default();
        let roots = [joined];
        let copies = copy.import(&mut target, (&context, &whole), &roots, &mut map);
        drop(copies.unwrap());
        of_name(copy.name(map.operation(joined).unwrap()));
        let message_of_copy = |f: &dyn Fn()| assert!(message(f).contains("of module"));
        let copied = map.operation(joined).unwrap();
        message_of_copy(&|| drop(whole.name(copied)));
        let copied = map.value(argument).unwrap();
        message_of_copy(&|| drop(whole.value_type(copied)));
        let copied = map.block(block).unwrap();
        message_of_copy(&|| drop(whole.first_operation(copied)));
        for entry in [map.entry(i32), map.entry(location)].into_iter().flatten() {
            match entry {
                rmlir_ir::Entry::Type(ty) => {
                    assert!(message(|| drop(context.type_kind(ty).clone())).contains("was used"));
                }
                rmlir_ir::Entry::Location(location) => {
                    assert!(message(|| drop(context.location_kind(location))).contains("was used"));
                }
                rmlir_ir::Entry::Attribute(_) => {}
            }
        }
    }

    #[test]
    fn handles_of_another_module_panic() {
        let e = erased();
        let mut context = Context::new();
        let other = Module::new(&mut context);
        let found = message(|| drop(other.operand_count(e.other)));
        assert!(found.starts_with("Operation("), "{found}");
        assert!(
            found.contains(" of module ") && found.contains(" was used with module "),
            "{found}"
        );
        assert!(message(|| drop(other.value_type(e.value))).contains("was used with module"));
        assert!(message(|| drop(other.block_region(e.block))).contains("was used with module"));
        assert!(message(|| drop(other.region_parent(e.region))).contains("was used with module"));
        // A clone accepts the handles of the original.
        assert_eq!(e.module.clone().operand_count(e.other), 1);
    }
}
