//! Tests building and changing modules.

#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

mod common;

use common::{Random, check};
use rmlir_ir::{
    Block, Builder, Context, InUse, InsertionPoint, Mapping, Module, Operation, Region, Value,
};

fn setup() -> (Context, Module) {
    let mut context = Context::new();
    let module = Module::new(&mut context);
    (context, module)
}

fn users(module: &Module, value: Value) -> Vec<(Operation, usize)> {
    module.uses(value).map(|u| module.user(u)).collect()
}

fn body(module: &Module) -> Block {
    module.body().unwrap()
}

fn in_order(module: &Module, block: Block) -> Vec<Operation> {
    module.operations(block).collect()
}

#[test]
fn insertion_points() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let block = b.insertion_point().unwrap().block();
    let m = b.op("t.m").build().unwrap();
    b.set_insertion_point_to_start(block);
    let a1 = b.op("t.a").build().unwrap();
    let a2 = b.op("t.a").build().unwrap();
    b.set_insertion_point_after(a1).unwrap();
    let b1 = b.op("t.b").build().unwrap();
    let b2 = b.op("t.b").build().unwrap();
    b.set_insertion_point_before(m).unwrap();
    let c1 = b.op("t.c").build().unwrap();
    let c2 = b.op("t.c").build().unwrap();
    b.set_insertion_point_after(m).unwrap();
    let d = b.op("t.d").build().unwrap();
    b.set_insertion_point_to_end(block);
    let e = b.op("t.e").build().unwrap();
    b.set_insertion_point(None);
    let detached = b.op("t.f").build().unwrap();
    assert!(b.set_insertion_point_before(detached).is_err());
    assert!(b.set_insertion_point_after(detached).is_err());
    assert_eq!(b.insertion_point(), None);
    assert_eq!(in_order(&module, block), [a1, b1, b2, a2, c1, c2, m, d, e]);
    check(&module, &[module.top(), detached]);
}

#[test]
fn a_stale_insertion_point_is_refused() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let a = b.op("t.a").build().unwrap();
    b.set_insertion_point_before(a).unwrap();
    b.module.erase_operation(a).unwrap();
    let slots = b.module.operation_slots();
    assert!(b.op("t.b").build().is_err());
    assert!(b.clone_op(a, &mut Mapping::new()).is_err());
    assert_eq!(b.module.operation_slots(), slots);
    let block = body(&module);
    assert_eq!(
        InsertionPoint::at_start(&module, block),
        InsertionPoint::at_end(block)
    );
}

#[test]
fn what_build_refuses() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let unit = b.context.unit_attribute();
    let i32 = b.context.i32_type();
    assert!(b.op("").build().is_err());
    assert!(
        b.op("t.a")
            .attribute("x", unit)
            .attribute("x", unit)
            .build()
            .is_err()
    );
    assert!(
        b.op("t.a")
            .property("x", unit)
            .property("x", unit)
            .build()
            .is_err()
    );
    assert!(b.op("t.a").build_value().is_err());
    assert!(b.op("t.a").results([i32, i32]).build_value().is_err());
    let region = b.create_region();
    assert!(b.op("t.a").regions([region, region]).build().is_err());
    b.op("t.a").region(region).build().unwrap();
    assert!(b.op("t.a").region(region).build().is_err());
    let block = b.restoring(|b| b.create_block(region, &[i32, i32]));
    assert!(b.arguments::<1>(block).is_err());
    assert!(b.arguments::<2>(block).is_ok());
    assert_eq!(module.descendants(module.top()).count(), 2);
    check(&module, &[module.top()]);
}

#[test]
fn parts_of_an_operation() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let file = b.context.identifier("f");
    let location = b.context.file_location(file, 1, 2);
    let (one, two) = (
        b.context.string_attribute("1"),
        b.context.string_attribute("2"),
    );
    let i32 = b.context.i32_type();
    b.set_location(location);
    let region = b.create_region();
    let (first, second) = b.restoring(|b| {
        let first = b.create_block(region, &[i32]);
        let second = b.create_block(region, &[]);
        assert_eq!(b.insertion_point(), Some(InsertionPoint::at_end(second)));
        (first, second)
    });
    let zeroth = b.restoring(|b| b.create_block_before(first, &[])).unwrap();
    let value = b.add_argument(second, i32);
    let unknown = b.context.unknown_location();
    let op = b
        .op("t.a")
        .operand(value)
        .operands([value, value])
        .result(i32)
        .attribute("b", one)
        .attribute("a", two)
        .property("p", one)
        .successors([first, second])
        .region(region)
        .location(unknown)
        .build()
        .unwrap();
    assert_eq!(module.location(op), unknown);
    assert_eq!(module.arguments(second).next(), Some((value, location)));
    assert_eq!(
        module.blocks(region).collect::<Vec<_>>(),
        [zeroth, first, second]
    );
    assert_eq!(module.successors(op).collect::<Vec<_>>(), [first, second]);
    assert_eq!(users(&module, value), [(op, 2), (op, 1), (op, 0)]);
    let names: Vec<_> = module
        .discardable_attributes(&context, op)
        .iter()
        .map(|&(name, value)| (context.bytes(name).to_vec(), value))
        .collect();
    assert_eq!(names, [(b"a".to_vec(), two), (b"b".to_vec(), one)]);
    assert_eq!(module.attribute(&context, op, "p"), Some(one));
    check(&module, &[module.top()]);
}

#[test]
fn moving_operations() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let [x, y, z] = ["t.x", "t.y", "t.z"].map(|name| b.op(name).build().unwrap());
    let region = b.create_region();
    let other = b.restoring(|b| b.create_block(region, &[]));
    let w = b.op("t.w").region(region).build().unwrap();
    let block = body(&module);

    // To its current position.
    module.append_operation(block, w);
    assert_eq!(in_order(&module, block), [x, y, z, w]);
    module.prepend_operation(block, x);
    assert_eq!(in_order(&module, block), [x, y, z, w]);
    module.insert_before(y, y).unwrap();
    module.insert_after(y, y).unwrap();
    module.insert_before(z, y).unwrap();
    module.insert_after(y, z).unwrap();
    assert_eq!(in_order(&module, block), [x, y, z, w]);
    check(&module, &[module.top()]);

    // Within the block.
    module.insert_before(x, z).unwrap();
    assert_eq!(in_order(&module, block), [z, x, y, w]);
    module.insert_after(w, z).unwrap();
    assert_eq!(in_order(&module, block), [x, y, w, z]);
    module.append_operation(block, x);
    assert_eq!(in_order(&module, block), [y, w, z, x]);
    module.prepend_operation(block, x);
    assert_eq!(in_order(&module, block), [x, y, w, z]);
    check(&module, &[module.top()]);

    // To another block and back.
    module.append_operation(other, y);
    module.insert_before(y, x).unwrap();
    module.insert_after(y, z).unwrap();
    assert_eq!(in_order(&module, block), [w]);
    assert_eq!(in_order(&module, other), [x, y, z]);
    assert_eq!(module.parent_operation(y), Some(w));
    check(&module, &[module.top()]);
    module.insert_before(w, y).unwrap();
    module.detach_operation(x);
    module.detach_operation(x);
    assert_eq!(in_order(&module, block), [y, w]);
    assert_eq!(in_order(&module, other), [z]);
    assert!(module.insert_before(x, y).is_err());
    assert!(module.insert_after(x, y).is_err());
    check(&module, &[module.top(), x]);
}

#[test]
fn moving_blocks() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let (r, s) = (b.create_region(), b.create_region());
    let op = b.op("t.a").regions([r, s]).build().unwrap();
    let [a, c, d] = [(); 3].map(|()| b.create_block(r, &[]));
    let order = |module: &Module, region: Region| module.blocks(region).collect::<Vec<_>>();
    module.insert_block_at_end(r, d);
    module.insert_block_before(c, c).unwrap();
    module.insert_block_before(c, a).unwrap();
    assert_eq!(order(&module, r), [a, c, d]);
    module.insert_block_before(a, d).unwrap();
    assert_eq!(order(&module, r), [d, a, c]);
    assert!(module.is_entry_block(d) && !module.is_entry_block(a));
    check(&module, &[module.top()]);
    module.take_blocks(r, r);
    assert_eq!(order(&module, r), [d, a, c]);
    module.insert_block_at_end(s, a);
    module.take_blocks(s, r);
    assert_eq!(order(&module, r), []);
    assert_eq!(order(&module, s), [a, d, c]);
    module.detach_block(d);
    assert!(module.insert_block_before(d, a).is_err());
    assert_eq!(order(&module, s), [a, c]);
    assert_eq!(module.region(op, 1), Some(s));
    check(&module, &[module.top()]);
}

#[test]
fn operands_and_uses() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let i32 = b.context.i32_type();
    let x = b.op("t.x").result(i32).build_value().unwrap();
    let y = b.op("t.y").result(i32).build_value().unwrap();
    let a = b.op("t.a").operands([x, y, x]).build().unwrap();
    let c = b.op("t.c").operands([x]).build().unwrap();
    assert_eq!(users(&module, x), [(c, 0), (a, 2), (a, 0)]);
    module.set_operand(a, 0, y).unwrap();
    assert_eq!(users(&module, x), [(c, 0), (a, 2)]);
    assert_eq!(users(&module, y), [(a, 0), (a, 1)]);
    module.set_operand(a, 2, x).unwrap();
    assert!(module.set_operand(a, 3, x).is_err());
    check(&module, &[module.top()]);
    // Fewer, more in place, more elsewhere, none.
    for (op, values) in [
        (a, vec![x]),
        (c, vec![x, y, x]),
        (a, vec![y, y, y, y]),
        (c, vec![y, y, y, y]),
        (a, vec![x, y, x, y, x]),
        (c, vec![]),
        (c, vec![x, x]),
        (a, vec![]),
        (a, vec![y]),
    ] {
        module.set_operands(op, &values);
        assert_eq!(module.operands(op).collect::<Vec<_>>(), values);
        check(&module, &[module.top()]);
    }
    module.replace_all_uses(x, x);
    assert_eq!(users(&module, x).len(), 2);
    module.replace_all_uses(x, y);
    assert!(!module.has_uses(x));
    assert_eq!(module.operands(c).collect::<Vec<_>>(), [y, y]);
    check(&module, &[module.top()]);
    // A forward reference.
    let later = module.create_placeholder(i32);
    module.set_operands(a, &[later, later]);
    module.replace_all_uses(later, x);
    assert_eq!(module.operands(a).collect::<Vec<_>>(), [x, x]);
    check(&module, &[module.top()]);
}

#[test]
fn operands_that_grow_one_by_one_stay_small() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let i32 = b.context.i32_type();
    let x = b.op("t.x").result(i32).build_value().unwrap();
    let a = b.op("t.a").build().unwrap();
    let mut operands = Vec::new();
    for _ in 0..2000 {
        operands.push(x);
        module.set_operands(a, &operands);
    }
    let last = module.uses(x).map(|u| u.index()).max();
    assert_eq!(last, Some(1999));
    check(&module, &[module.top()]);
}

#[test]
fn erasing() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let i32 = b.context.i32_type();
    let x = b.op("t.x").result(i32).build().unwrap();
    let value = b.module.result(x, 0).unwrap();
    let region = b.create_region();
    let outer = b.op("t.outer").result(i32).region(region).build().unwrap();
    let end = b.insertion_point();
    let block = b.create_block(region, &[i32]);
    let argument = b.module.argument(block, 0).unwrap();
    let inner = b
        .op("t.inner")
        .operands([value, argument])
        .result(i32)
        .build()
        .unwrap();
    let inside = b.module.result(inner, 0).unwrap();
    b.op("t.end").operand(inside).build().unwrap();
    b.set_insertion_point(end);
    let user = b.op("t.user").operand(inside).build().unwrap();

    assert_eq!(module.erase_operation(x), Err(InUse { value }));
    assert_eq!(module.erase_operation(inner), Err(InUse { value: inside }));
    // Used from outside, though defined at depth.
    assert_eq!(module.erase_operation(outer), Err(InUse { value: inside }));
    assert_eq!(module.erase_block(block), Err(InUse { value: inside }));
    assert_eq!(in_order(&module, body(&module)), [x, outer, user]);
    assert_eq!(module.operations(block).count(), 2);
    check(&module, &[module.top()]);

    module.set_operands(user, &[argument]);
    assert_eq!(module.erase_block(block), Err(InUse { value: argument }));
    assert_eq!(
        module.erase_operation(outer),
        Err(InUse { value: argument })
    );
    module.erase_operation(user).unwrap();
    module.erase_operation(outer).unwrap();
    check(&module, &[module.top()]);
    assert!(!module.has_uses(value));
    module.erase_operation(x).unwrap();
    assert_eq!(module.descendants(module.top()).count(), 1);

    // An operation that uses itself.
    let mut b = Builder::new(&mut context, &mut module);
    let own = b.op("t.x").result(i32).build().unwrap();
    let value = b.module.result(own, 0).unwrap();
    b.module.set_operands(own, &[value]);
    b.module.erase_operation(own).unwrap();
    assert!(!module.has_uses(value));
}

#[test]
fn erasing_a_block_with_uses_between_its_operations() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let i32 = b.context.i32_type();
    let region = b.create_region();
    b.op("t.outer").region(region).build().unwrap();
    let kept = b.create_block(region, &[]);
    let block = b.create_block(region, &[i32]);
    let [argument] = b.arguments(block).unwrap();
    let x = b
        .op("t.x")
        .operand(argument)
        .result(i32)
        .build_value()
        .unwrap();
    b.op("t.y").operand(x).build().unwrap();
    module.erase_block(block).unwrap();
    assert_eq!(module.blocks(region).collect::<Vec<_>>(), [kept]);
    check(&module, &[module.top()]);
}

/// Erasing is linear in the number of erased operations, whatever their depth and number of uses.
#[test]
fn erasing_deep_nests_with_many_uses() {
    let (mut context, mut module) = setup();
    let i32 = context.i32_type();
    let mut b = Builder::new(&mut context, &mut module);
    let root = b.op("t.root").result(i32).build().unwrap();
    let value = b.module.result(root, 0).unwrap();
    let region = b.create_region();
    let outer = b.op("t.nest").region(region).build().unwrap();
    b.module.append_operation(body(b.module), root);
    b.create_block(region, &[]);
    let inner = b.op("t.value").result(i32).build_value().unwrap();
    for _ in 0..100_000 {
        let region = b.create_region();
        b.op("t.nest")
            .operands([inner])
            .region(region)
            .build()
            .unwrap();
        b.create_block(region, &[]);
    }
    module.erase_operation(outer).unwrap();
    assert!(!module.has_uses(value) && !module.has_uses(inner));
}

#[test]
fn cloning_maps_what_is_inside_and_keeps_what_is_outside() {
    let (mut context, mut module) = setup();
    let i32 = context.i32_type();
    let unit = context.unit_attribute();
    let mut b = Builder::new(&mut context, &mut module);
    let x = b.op("t.x").result(i32).build_value().unwrap();
    let y = b.op("t.y").result(i32).build_value().unwrap();
    let region = b.create_region();
    let outside_region = b.create_region();
    let outside = b.restoring(|b| b.create_block(outside_region, &[]));
    let holder = b.op("t.holder").region(outside_region).build().unwrap();
    let original = b
        .op("t.f")
        .operands([x, y])
        .result(i32)
        .attribute("a", unit)
        .property("p", unit)
        .region(region)
        .build()
        .unwrap();
    let end = b.insertion_point();
    let first = b.create_block(region, &[i32]);
    let second = b.create_block(region, &[i32, i32]);
    let [s0, s1] = b.arguments(second).unwrap();
    let later = b
        .op("t.later")
        .operands([s0, s1, x])
        .result(i32)
        .build()
        .unwrap();
    let later_value = b.module.result(later, 0).unwrap();
    b.set_insertion_point_to_end(first);
    // A forward reference from a nested region, and branches to blocks inside and outside.
    let inner_region = b.create_region();
    let inner_op = b.op("t.inner").region(inner_region).build().unwrap();
    b.restoring(|b| {
        b.create_block(inner_region, &[]);
        b.op("t.use")
            .operands([later_value, y])
            .successor(second)
            .build()
            .unwrap();
    });
    let branch = b
        .op("t.br")
        .operands([x])
        .successors([second, outside, first])
        .build()
        .unwrap();
    b.set_insertion_point(end);

    let mut mapping = Mapping::new();
    mapping.map_value(x, y);
    // A mapping for a value defined inside is ignored.
    mapping.map_value(later_value, x);
    let copy = b.clone_op(original, &mut mapping).unwrap();
    check(&module, &[module.top()]);
    assert_eq!(module.previous_operation(copy), Some(original));
    assert_eq!(module.operands(original).collect::<Vec<_>>(), [x, y]);
    assert_eq!(module.operands(copy).collect::<Vec<_>>(), [y, y]);
    assert_eq!(module.attributes(copy), module.attributes(original));
    assert_eq!(module.properties(copy), module.properties(original));
    assert_ne!(module.result(copy, 0), module.result(original, 0));
    assert_eq!(
        mapping.value(module.result(original, 0).unwrap()),
        module.result(copy, 0).unwrap()
    );

    let copied: Vec<_> = module.descendants(copy).collect();
    let originals: Vec<_> = module.descendants(original).collect();
    assert_eq!(copied.len(), 5);
    for (&from, &to) in originals.iter().zip(&copied) {
        assert_eq!(module.name(from), module.name(to));
        assert_eq!(module.operand_count(from), module.operand_count(to));
    }
    let region = module.region(copy, 0).unwrap();
    let blocks: Vec<_> = module.blocks(region).collect();
    assert_eq!(blocks, [mapping.block(first), mapping.block(second)]);
    assert_eq!(module.argument_count(blocks[1]), 2);
    let [_, inner, used, br, late] = copied[..] else {
        panic!("five operations")
    };
    assert_eq!(originals[1], inner_op);
    assert_eq!(originals[3], branch);
    assert_eq!(module.parent_operation(used), Some(inner));
    assert_eq!(module.operand(used, 0), module.result(late, 0));
    assert_eq!(module.operand(used, 1), Some(y));
    assert_eq!(module.successors(used).collect::<Vec<_>>(), [blocks[1]]);
    assert_eq!(
        module.successors(br).collect::<Vec<_>>(),
        [blocks[1], outside, blocks[0]]
    );
    assert_eq!(module.operand(br, 0), Some(y));
    assert_eq!(module.operand(late, 2), Some(y));
    assert_eq!(module.operand(late, 0), module.argument(blocks[1], 0));

    // A copy of a part refers to the original's other parts; a mapped block is replaced.
    let mut mapping = Mapping::new();
    mapping.map_block(outside, first);
    let copy = module.clone_operation(branch, &mut mapping);
    assert_eq!(
        module.successors(copy).collect::<Vec<_>>(),
        [second, first, first]
    );
    assert_eq!(module.parent_block(copy), None);
    assert_eq!(module.parent_block(holder), module.body());
    check(&module, &[module.top(), copy]);
}

/// The uses in a copy have the order of the uses in an original that was built in order.
#[test]
fn cloning_keeps_the_order_of_uses() {
    let (mut context, mut module) = setup();
    let i32 = context.i32_type();
    let mut b = Builder::new(&mut context, &mut module);
    let region = b.create_region();
    let original = b.op("t.f").region(region).build().unwrap();
    let block = b.create_block(region, &[i32]);
    let [x] = b.arguments(block).unwrap();
    for _ in 0..3 {
        let inner = b.create_region();
        b.op("t.nest").operand(x).region(inner).build().unwrap();
        b.restoring(|b| {
            b.create_block(inner, &[]);
            b.op("t.use").operands([x, x]).build().unwrap();
        });
    }
    let copy = module.clone_operation(original, &mut Mapping::new());
    let place = |root, value| {
        let all: Vec<_> = module.descendants(root).collect();
        users(&module, value)
            .into_iter()
            .map(|(op, number)| (all.iter().position(|&o| o == op).unwrap(), number))
            .collect::<Vec<_>>()
    };
    let block = module.first_block(module.region(copy, 0).unwrap()).unwrap();
    let y = module.argument(block, 0).unwrap();
    assert_eq!(place(copy, y), place(original, x));
    assert_eq!(place(copy, y).first(), Some(&(6, 1)));
}

/// After reversal, the list of uses is consistent in both directions, so uses can be removed.
#[test]
fn the_order_of_uses_is_turned_around() {
    let (mut context, mut module) = setup();
    let i32 = context.i32_type();
    let mut b = Builder::new(&mut context, &mut module);
    let made = b.op("t.make").results([i32]).build().unwrap();
    let [x] = [module.result(made, 0).unwrap()];
    let mut b = Builder::new(&mut context, &mut module);
    let used: Vec<_> = (0..3)
        .map(|_| b.op("t.use").operands([x, x]).build().unwrap())
        .collect();
    let mut expected = users(&module, x);
    assert_eq!(expected.first(), Some(&(used[2], 1)));
    expected.reverse();
    module.reverse_uses(x);
    assert_eq!(users(&module, x), expected);
    module.erase_operation(used[1]).unwrap();
    expected.retain(|&(operation, _)| operation != used[1]);
    assert_eq!(users(&module, x), expected);
    check(&module, &[module.top()]);
}

#[test]
fn an_operation_that_uses_its_own_result_is_cloned() {
    let (mut context, mut module) = setup();
    let i32 = context.i32_type();
    let mut b = Builder::new(&mut context, &mut module);
    let op = b.op("t.x").result(i32).build().unwrap();
    let value = b.module.result(op, 0).unwrap();
    b.module.set_operands(op, &[value]);
    let copy = b.clone_op(op, &mut Mapping::new()).unwrap();
    assert_eq!(module.operand(copy, 0), module.result(copy, 0));
    check(&module, &[module.top()]);
}

#[test]
fn cloning_deep_nests() {
    const DEPTH: usize = 100_000;
    let (mut context, mut module) = setup();
    let i32 = context.i32_type();
    let mut b = Builder::new(&mut context, &mut module);
    let x = b.op("t.x").result(i32).build_value().unwrap();
    let mut outer = None;
    for _ in 0..DEPTH {
        let region = b.create_region();
        let op = b.op("t.nest").operand(x).region(region).build().unwrap();
        outer = outer.or(Some(op));
        b.create_block(region, &[i32]);
    }
    let copy = module.clone_operation(outer.unwrap(), &mut Mapping::new());
    assert_eq!(module.descendants(copy).count(), DEPTH);
    assert_eq!(module.uses(x).count(), 2 * DEPTH);
    check(&module, &[module.top(), copy]);
    module.erase_operation(copy).unwrap();
    check(&module, &[module.top()]);
    drop(module.clone());
}

/// Random edits keep all links consistent.
#[test]
fn random_edits() {
    for seed in 1..=20 {
        let mut random = Random(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
        let (mut context, mut module) = setup();
        let i32 = context.i32_type();
        let mut detached: Vec<Operation> = Vec::new();
        for step in 0..400 {
            let ops: Vec<_> = module.descendants(module.top()).collect();
            let blocks: Vec<Block> = ops
                .iter()
                .flat_map(|&op| module.regions(op))
                .flat_map(|region| module.blocks(region))
                .collect();
            let values: Vec<Value> = ops
                .iter()
                .flat_map(|&op| module.results(op))
                .chain(
                    blocks
                        .iter()
                        .flat_map(|&b| module.arguments(b).map(|(v, _)| v)),
                )
                .collect();
            let op = ops[random.below(ops.len())];
            let block = blocks[random.below(blocks.len())];
            let picked: Vec<Value> = match values.len() {
                0 => Vec::new(),
                n => (0..random.below(4))
                    .map(|_| values[random.below(n)])
                    .collect(),
            };
            let is_top = op == module.top();
            match random.below(11) {
                0..=3 => {
                    let mut b = Builder::new(&mut context, &mut module);
                    b.set_insertion_point_to_end(block);
                    let region = b.create_region();
                    let regions = (random.below(3) == 0).then_some(region);
                    let results = random.below(3);
                    b.op("t.op")
                        .operands(picked)
                        .results([i32, i32].into_iter().take(results))
                        .regions(regions)
                        .build()
                        .unwrap();
                    if regions.is_some() {
                        b.create_block(region, &[i32]);
                    }
                }
                4 if !is_top => {
                    let to = ops[random.below(ops.len())];
                    if !module.is_ancestor(op, to) && to != module.top() {
                        match random.below(2) {
                            0 => module.insert_before(to, op).unwrap(),
                            _ => module.insert_after(to, op).unwrap(),
                        }
                    }
                }
                5 => module.set_operands(op, &picked),
                6 => {
                    if let [from, to, ..] = picked[..] {
                        module.replace_all_uses(from, to);
                    }
                }
                7 if !is_top => {
                    let _ = module.erase_operation(op);
                }
                8 if !is_top && ops.len() < 300 => {
                    let copy = module.clone_operation(op, &mut Mapping::new());
                    match random.below(3) {
                        0 => detached.push(copy),
                        _ => module.append_operation(block, copy),
                    }
                }
                9 if Some(block) != module.body() => {
                    let _ = module.erase_block(block);
                }
                10 => {
                    if let Some(value) = picked.first()
                        && module.operand_count(op) > 0
                    {
                        module.set_operand(op, 0, *value).unwrap();
                    }
                }
                _ => {}
            }
            if step % 10 == 0 {
                let mut roots = vec![module.top()];
                roots.extend(&detached);
                check(&module, &roots);
            }
        }
    }
}
