//! Tests equality and fingerprints of modules built through the API, in sizes and shapes that would
//! be slow to parse.

use rmlir_ir::affine::{AffineExprKind, AffineMap};
use rmlir_ir::{
    AttributeKind, Block, Context, EqualityOptions, FingerprintOptions, Location, LocationKind,
    Module, Operation, OperationState, fingerprint, semantic_difference, semantic_eq,
};

/// Returns whether two operations are equal by both definitions.
fn equal(
    left: (&Context, &Module, Operation),
    right: (&Context, &Module, Operation),
    locations: bool,
) -> bool {
    let equal = semantic_eq(left, right, &EqualityOptions { locations });
    let options = FingerprintOptions { locations };
    let prints = [left, right].map(|(c, m, op)| fingerprint(c, m, op, &options));
    assert_eq!(equal, prints[0] == prints[1]);
    equal
}

/// Returns whether two modules are equal by both definitions.
fn modules_equal(left: &(Context, Module), right: &(Context, Module), locations: bool) -> bool {
    let (l, r) = (left.1.top(), right.1.top());
    equal((&left.0, &left.1, l), (&right.0, &right.1, r), locations)
}

/// Appends an operation without operands, with a region of one block if `nested`.
fn append(
    context: &mut Context,
    module: &mut Module,
    block: Block,
    name: &str,
    nested: bool,
) -> Block {
    let region = nested.then(|| module.create_region());
    let inner = region.map(|region| module.append_block(region));
    let state = OperationState {
        regions: region.as_slice(),
        ..OperationState::new(context.operation_name(name), context.unknown_location())
    };
    let operation = module.create_operation(&state);
    module.append_operation(block, operation);
    inner.unwrap_or(block)
}

#[test]
fn deep_regions() {
    let build = |leaf: &str| {
        let mut context = Context::new();
        let mut module = Module::new(&mut context);
        let mut block = module.body().unwrap();
        for _ in 0..100_000 {
            block = append(&mut context, &mut module, block, "t.region", true);
        }
        append(&mut context, &mut module, block, leaf, false);
        (context, module)
    };
    let (a, b, c) = (build("t.a"), build("t.a"), build("t.b"));
    assert!(modules_equal(&a, &b, true));
    assert!(!modules_equal(&a, &c, false));
    let found = semantic_difference((&a.0, &a.1), (&c.0, &c.1), &EqualityOptions::default());
    let found = found.unwrap();
    assert!(found.path().len() < 2000, "{found}");
    assert!(found.path().contains("99970 more"), "{found}");
    assert_eq!(found.message(), "name differs: `t.a` and `t.b`");
    let leaf = found.left().unwrap();
    assert_eq!(a.0.operation_name_bytes(a.1.name(leaf)), b"t.a");
}

/// `WIDTH` equal locations on each level, each built from two of the level below, combined
/// differently on both sides: a memo of pairs would have `WIDTH` squared entries on each level.
#[test]
fn equal_locations_of_many_handles() {
    const WIDTH: usize = 1000;
    let build = |leaf: &str, step: usize| {
        let mut context = Context::new();
        let name = context.identifier(leaf);
        let mut level: Vec<Location> = (0..WIDTH)
            .map(|_| context.file_location(name, 1, 1))
            .collect();
        for depth in 0..200 {
            let at = |i: usize| level[i % WIDTH];
            let kinds: Vec<LocationKind> = (0..WIDTH)
                .map(|i| LocationKind::CallSite {
                    callee: at(2 * i + step),
                    caller: at(2 * i + 1 + step * depth),
                })
                .collect();
            level = kinds.into_iter().map(|k| context.location(k)).collect();
        }
        let locations = &level;
        let metadata = None;
        let top = context.location(LocationKind::Fused {
            locations,
            metadata,
        });
        let name = context.operation_name("t.op");
        let module = Module::with_top(name, top);
        (context, module)
    };
    let (a, b, c) = (build("f", 1), build("f", 7), build("g", 7));
    assert!(modules_equal(&a, &b, true));
    assert!(!modules_equal(&a, &c, true));
    assert!(modules_equal(&a, &c, false));
}

#[test]
fn doubling_affine_expressions() {
    let build = |leaf: i64| {
        let mut context = Context::new();
        let arena = context.affine_mut();
        let mut expr = arena.intern(AffineExprKind::Constant(leaf)).unwrap();
        for _ in 0..60 {
            expr = arena.intern(AffineExprKind::Add(expr, expr)).unwrap();
        }
        let map = AffineMap {
            num_dims: 1,
            num_symbols: 0,
            results: [expr].into(),
        };
        let map = context.affine_map_attribute(map);
        let mut module = Module::new(&mut context);
        let name = context.identifier("map");
        let top = module.top();
        module
            .set_discardable_attribute(&mut context, top, name, Some(map))
            .unwrap();
        (context, module)
    };
    let (a, b, c) = (build(1), build(1), build(2));
    assert!(modules_equal(&a, &b, false));
    assert!(!modules_equal(&a, &c, false));
}

/// Successors may be outside of the operation that is compared.
#[test]
fn outer_successors() {
    let mut context = Context::new();
    let mut module = Module::new(&mut context);
    let body = module.body().unwrap();
    let region = module.create_region();
    let blocks: Vec<Block> = (0..2).map(|_| module.append_block(region)).collect();
    let name = context.operation_name("t.branch");
    let mut branch = |successors: &[Block]| {
        let state = OperationState {
            successors,
            ..OperationState::new(name, context.unknown_location())
        };
        let operation = module.create_operation(&state);
        module.append_operation(body, operation);
        operation
    };
    let (a, b) = (blocks[0], blocks[1]);
    let (ab, ba, aa) = (branch(&[a, b]), branch(&[b, a]), branch(&[a, a]));
    let side = |operation| (&context, &module, operation);
    assert!(equal(side(ab), side(ba), false));
    assert!(!equal(side(ab), side(aa), false));
}

/// An absent and an empty dictionary of discardable attributes are equal; absent and empty
/// properties are not.
#[test]
fn empty_dictionaries() {
    let mut context = Context::new();
    let mut module = Module::new(&mut context);
    let body = module.body().unwrap();
    let name = context.operation_name("t.op");
    let empty = Some(context.empty_dictionary());
    let mut make = |attributes, properties| {
        let state = OperationState {
            attributes,
            properties,
            ..OperationState::new(name, context.unknown_location())
        };
        let operation = module.create_operation(&state);
        module.append_operation(body, operation);
        operation
    };
    let (none, attributes, properties) = (make(None, None), make(empty, None), make(None, empty));
    let side = |operation| (&context, &module, operation);
    assert!(equal(side(none), side(attributes), false));
    assert!(!equal(side(none), side(properties), false));
    assert!(!equal(side(properties), side(none), false));
}

/// The identity of a distinct attribute does not depend on which code assigned its number.
#[test]
fn distinct_numbers() {
    let build = |first: u32, second: u32| {
        let mut context = Context::new();
        let referenced = context.unit_attribute();
        let mut distinct = |id| {
            let kind = AttributeKind::Distinct { id, referenced };
            context.try_attribute(kind).unwrap()
        };
        let elements = [distinct(first), distinct(second), distinct(first)];
        let array = context.array_attribute(&elements);
        let mut module = Module::new(&mut context);
        let name = context.identifier("a");
        let top = module.top();
        module
            .set_discardable_attribute(&mut context, top, name, Some(array))
            .unwrap();
        (context, module)
    };
    let (a, b, c) = (build(0, 1), build(9, 3), build(4, 4));
    assert!(modules_equal(&a, &b, false));
    assert!(!modules_equal(&a, &c, false));
}
