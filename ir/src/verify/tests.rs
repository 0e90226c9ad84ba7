//! Tests with attributes and types that the public interface cannot build because they violate
//! rules, and of dominators against their definition.

use super::{VerifyOptions, verify};
use crate::dominance::Dominators;
use crate::{AttributeKind, Block, Builder, Context, Module, TypeKind};

#[test]
fn entries_that_break_rules() {
    let mut context = Context::new();
    let mut module = Module::new(&mut context);
    let i32 = context.i32_type();
    let bad = context.intern_type(TypeKind::Vector {
        shape: [0].into(),
        scalable: [false].into(),
        element: i32,
    });
    let of_bad = context.function_type(&[bad], &[]);
    let bad_integer = context.intern_attribute(AttributeKind::Integer {
        ty: context.f32_type(),
        value: crate::apint::ApInt::from_u64(32, 1),
    });
    let array = context.array_attribute(&[bad_integer]);
    let mut builder = Builder::new(&mut context, &mut module);
    let region = builder.create_region();
    let point = builder.insertion_point();
    builder.create_block(region, &[bad]);
    builder.set_insertion_point(point);
    let argument = builder.op("t.argument").region(region).build().unwrap();
    // The type itself was reported before, but not the array that contains it.
    builder.op("t.again").result(bad).build().unwrap();
    let property = builder.op("t.property").property("a", array);
    let property = property.build().unwrap();
    let first = verify(&context, &module, module.top(), &VerifyOptions::default()).unwrap_err();
    let found: Vec<_> = first
        .iter()
        .map(|e| (e.operation, e.message.to_string()))
        .collect();
    let vector = "vector types must have positive constant sizes but got 0".to_owned();
    let integer = "expected integer or index type".to_owned();
    assert_eq!(found, [(argument, vector.clone()), (property, integer)]);

    let mut module = Module::new(&mut context);
    let mut builder = Builder::new(&mut context, &mut module);
    let op = builder.op("t.result").result(of_bad).build().unwrap();
    let errors = verify(&context, &module, module.top(), &VerifyOptions::default()).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert_eq!(
        (errors[0].operation, errors[0].message.to_string()),
        (op, vector)
    );
}

/// Returns a module with a region of `edges.len()` blocks, in which block i branches to `edges[i]`.
fn graph(edges: &[Vec<usize>]) -> (Module, Vec<Block>) {
    let mut context = Context::new();
    let mut module = Module::new(&mut context);
    let mut builder = Builder::new(&mut context, &mut module);
    let region = builder.create_region();
    let blocks: Vec<Block> = edges
        .iter()
        .map(|_| builder.create_block(region, &[]))
        .collect();
    for (&block, edges) in blocks.iter().zip(edges) {
        builder.set_insertion_point_to_end(block);
        let successors = edges.iter().map(|&to| blocks[to]);
        builder.op("t.br").successors(successors).build().unwrap();
    }
    builder.set_insertion_point(None);
    let owner = builder.op("t.owner").region(region).build().unwrap();
    module.set_top(owner);
    (module, blocks)
}

/// Returns the blocks that are reachable from the first without passing through `without`.
fn reached(edges: &[Vec<usize>], without: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut work = vec![0];
    while let Some(block) = work.pop() {
        if Some(block) == without || std::mem::replace(&mut seen[block], true) {
            continue;
        }
        work.extend(&edges[block]);
    }
    seen
}

#[test]
fn dominators_of_random_graphs() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % n
    };
    let mut dominators = Dominators::default();
    for round in 0..400 {
        let count = 1 + below(24);
        let edges: Vec<Vec<usize>> = (0..count)
            .map(|_| (0..below(4)).map(|_| below(count)).collect())
            .collect();
        let (module, blocks) = graph(&edges);
        let region = module.region(module.top(), 0).unwrap();
        dominators = if round % 7 == 0 {
            Dominators::default()
        } else {
            dominators
        };
        dominators.build(&module, region);
        let reachable = reached(&edges, None);
        for a in 0..count {
            assert_eq!(
                dominators.is_reachable(blocks[a]),
                reachable[a],
                "{edges:?}"
            );
            let without = reached(&edges, Some(a));
            for b in 0..count {
                let expected = !reachable[b] || (reachable[a] && (a == b || !without[b]));
                let found = dominators.dominates(blocks[a], blocks[b]);
                assert_eq!(found, expected, "{a} {b} in {edges:?}");
            }
        }
    }
}

#[test]
fn dominators_of_large_graphs() {
    const SIZE: usize = 100_000;
    // A chain, a ladder whose rungs lead back, and a graph in which every block branches to the
    // last ones.
    let chain: Vec<Vec<usize>> = (0..SIZE)
        .map(|i| if i + 1 < SIZE { vec![i + 1] } else { vec![] })
        .collect();
    let ladder: Vec<Vec<usize>> = (0..SIZE)
        .map(|i| vec![(i + 1).min(SIZE - 1), i.saturating_sub(1), SIZE - 1 - i])
        .collect();
    let fan: Vec<Vec<usize>> = (0..SIZE)
        .map(|i| vec![(i + 2).min(SIZE - 1), SIZE - 1, (i + 1).min(SIZE - 1)])
        .collect();
    for edges in [chain, ladder, fan] {
        let (module, blocks) = graph(&edges);
        let region = module.region(module.top(), 0).unwrap();
        let mut dominators = Dominators::default();
        dominators.build(&module, region);
        assert!(dominators.dominates(blocks[0], blocks[SIZE - 1]));
        assert!(!dominators.dominates(blocks[SIZE - 1], blocks[0]));
    }
}
