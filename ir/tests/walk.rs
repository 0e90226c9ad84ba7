//! Tests walks, and changes of the module during walks.

#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

mod common;

use common::check;
use rmlir_ir::{Block, Builder, Context, Module, Operation, WalkOrder, WalkResult, WalkStep};
use std::collections::HashMap;

/// A module of named operations: `a{b c{d | e}} f` has `d` and `e` in two blocks of one region.
struct Tree {
    context: Context,
    module: Module,
    by_name: HashMap<String, Operation>,
}

impl Tree {
    fn new(text: &str) -> Self {
        let mut context = Context::new();
        let mut module = Module::new(&mut context);
        let mut by_name = HashMap::new();
        let mut b = Builder::new(&mut context, &mut module);
        let mut outer = Vec::new();
        let mut region = None;
        let mut characters = text.chars().peekable();
        while let Some(c) = characters.next() {
            match c {
                '{' => {}
                '|' => {
                    b.create_block(region.unwrap(), &[]);
                }
                '}' => {
                    let (point, before) = outer.pop().unwrap();
                    b.set_insertion_point(point);
                    region = before;
                }
                ' ' => {}
                name => {
                    let has_region = characters.peek() == Some(&'{');
                    let inside = has_region.then(|| b.create_region());
                    let op = b.op(format!("t.{name}")).regions(inside).build().unwrap();
                    by_name.insert(name.to_string(), op);
                    if let Some(inside) = inside {
                        outer.push((b.insertion_point(), region));
                        region = Some(inside);
                        b.create_block(inside, &[]);
                    }
                }
            }
        }
        Tree {
            context,
            module,
            by_name,
        }
    }

    fn op(&self, name: &str) -> Operation {
        self.by_name[name]
    }

    fn name(&self, module: &Module, op: Operation) -> String {
        let name = self.context.operation_name_bytes(module.name(op));
        String::from_utf8_lossy(name)
            .split_once('.')
            .unwrap()
            .1
            .to_owned()
    }

    /// Returns the names in the order in which `walk_mut` visits them, with changes by name.
    fn walk_mut(
        &mut self,
        order: WalkOrder,
        mut visit: impl FnMut(&Self, &mut Module, &str, Operation) -> WalkResult,
    ) -> String {
        let mut module = self.module.clone();
        let top = module.top();
        let mut seen = String::new();
        module.walk_mut(top, order, |module, op| {
            if op == top {
                return WalkResult::Advance;
            }
            let name = self.name(module, op);
            seen.push_str(&name);
            visit(self, module, &name, op)
        });
        check(&module, &[top]);
        self.module = module;
        seen
    }

    fn visit(&self, order: WalkOrder) -> String {
        let mut seen = String::new();
        self.module.walk(self.module.top(), order, |module, op| {
            if op != module.top() {
                seen.push_str(&self.name(module, op));
            }
            WalkResult::Advance
        });
        seen
    }
}

const TEXT: &str = "a b{c d{e | f g} h | i} j{} k";
use WalkOrder::{PostOrder, PreOrder};
use WalkResult::{Advance, Interrupt, Skip};

#[test]
fn orders() {
    let mut tree = Tree::new(TEXT);
    assert_eq!(tree.visit(PreOrder), "abcdefghijk");
    assert_eq!(tree.visit(PostOrder), "acefgdhibjk");
    assert_eq!(tree.walk_mut(PreOrder, |_, _, _, _| Advance), "abcdefghijk");
    assert_eq!(
        tree.walk_mut(PostOrder, |_, _, _, _| Advance),
        "acefgdhibjk"
    );
    let module = &tree.module;
    let names = |root| {
        module
            .descendants(root)
            .map(|op| tree.name(module, op))
            .collect::<String>()
    };
    assert_eq!(names(tree.op("b")), "bcdefghi");
    assert_eq!(names(tree.op("a")), "a");
}

#[test]
fn skip_and_interrupt() {
    let mut tree = Tree::new(TEXT);
    for order in [PreOrder, PostOrder] {
        for at in ["b", "d", "f"] {
            for result in [Skip, Interrupt] {
                let mut seen = String::new();
                let answer = tree.module.walk(tree.module.top(), order, |module, op| {
                    if op == module.top() {
                        return Advance;
                    }
                    let name = tree.name(module, op);
                    seen.push_str(&name);
                    if name == at { result } else { Advance }
                });
                assert_eq!(answer.was_interrupted(), result == Interrupt);
                let same = tree.walk_mut(
                    order,
                    |_, _, name, _| if name == at { result } else { Advance },
                );
                assert_eq!(seen, same);
                let expected = match (order, result, at) {
                    (PreOrder, Skip, "b") => "abjk",
                    (PreOrder, Skip, "d") => "abcdhijk",
                    (PreOrder, Skip, "f") => "abcdefghijk",
                    (PreOrder, Interrupt, "b") => "ab",
                    (PreOrder, Interrupt, "d") => "abcd",
                    (PreOrder, Interrupt, "f") => "abcdef",
                    (PostOrder, Interrupt, "b") => "acefgdhib",
                    (PostOrder, Interrupt, "d") => "acefgd",
                    (PostOrder, Interrupt, "f") => "acef",
                    _ => "acefgdhibjk",
                };
                assert_eq!(seen, expected, "{order:?} {result:?} {at}");
            }
        }
    }
    let mut all = tree.module.descendants(tree.module.top());
    let mut seen = String::new();
    while let Some(op) = all.next() {
        seen.push_str(&tree.name(&tree.module, op));
        if op == tree.op("d") {
            all.skip_regions();
            all.skip_regions();
        }
    }
    assert_eq!(seen, "moduleabcdhijk");
    assert_eq!(all.next(), None);
    assert_eq!(all.next(), None);
}

#[test]
fn steps() {
    let tree = Tree::new("b{c | d} j{}");
    let mut spelled = String::new();
    let mut steps = tree.module.traverse(tree.module.top());
    while let Some(step) = steps.next() {
        match step {
            WalkStep::EnterOperation(op) => spelled.push_str(&tree.name(&tree.module, op)),
            WalkStep::EnterRegion(_) => spelled.push('{'),
            WalkStep::EnterBlock(block) => {
                spelled.push('^');
                if tree.module.first_operation(block) == Some(tree.op("d")) {
                    steps.skip_content();
                }
            }
            WalkStep::LeaveBlock(_) => spelled.push('.'),
            WalkStep::LeaveRegion(_) => spelled.push('}'),
            WalkStep::LeaveOperation(_) => spelled.push(';'),
        }
    }
    assert_eq!(spelled, "module{^b{^c;.^.};j{^.};.};");

    // Skips a region, and nothing.
    let mut steps = tree.module.traverse(tree.op("b"));
    assert_eq!(steps.next(), Some(WalkStep::EnterOperation(tree.op("b"))));
    let Some(WalkStep::EnterRegion(region)) = steps.next() else {
        panic!("a region")
    };
    steps.skip_content();
    assert_eq!(steps.next(), Some(WalkStep::LeaveRegion(region)));
    steps.skip_content();
    assert_eq!(steps.next(), Some(WalkStep::LeaveOperation(tree.op("b"))));
    assert_eq!(steps.next(), None);
}

#[test]
fn erasing_the_visited_operation() {
    for at in ["b", "c", "d", "e", "k"] {
        let mut tree = Tree::new(TEXT);
        let seen = tree.walk_mut(PreOrder, |_, module, name, op| {
            if name == at {
                module.erase_operation(op).unwrap();
            }
            Advance
        });
        let expected = match at {
            "b" => "abjk",
            "d" => "abcdhijk",
            _ => "abcdefghijk",
        };
        assert_eq!(seen, expected);
        let mut tree = Tree::new(TEXT);
        let seen = tree.walk_mut(PostOrder, |_, module, name, op| {
            if name == at {
                module.erase_operation(op).unwrap();
            }
            Advance
        });
        assert_eq!(seen, "acefgdhibjk");
        assert!(!tree.visit(PreOrder).contains(at));
    }
}

#[test]
fn erasing_everything() {
    let mut tree = Tree::new(TEXT);
    let seen = tree.walk_mut(PostOrder, |_, module, _, op| {
        module.erase_operation(op).unwrap();
        Advance
    });
    assert_eq!(seen, "acefgdhibjk");
    assert_eq!(tree.visit(PreOrder), "");
}

#[test]
fn erasing_others() {
    // Erases the next, a later, a nested operation, one in a later block, and several.
    for (gone, expected) in [
        ("d", "abchijk"),
        ("h", "abcdefgijk"),
        ("i", "abcdefghjk"),
        ("jk", "abcdefghi"),
        ("adhk", "abcij"),
    ] {
        let mut tree = Tree::new(TEXT);
        let seen = tree.walk_mut(PreOrder, |tree, module, name, _| {
            if name == "c" {
                for name in gone.chars() {
                    module.erase_operation(tree.op(&name.to_string())).unwrap();
                }
            }
            Advance
        });
        assert_eq!(seen, expected, "{gone}");
    }
    // Erases the visited operation and the next one.
    let mut tree = Tree::new(TEXT);
    let seen = tree.walk_mut(PreOrder, |tree, module, name, op| {
        if name == "a" {
            module.erase_operation(op).unwrap();
            module.erase_operation(tree.op("b")).unwrap();
        }
        Advance
    });
    assert_eq!(seen, "ajk");
    // Erases a later block, and one that was visited.
    let mut tree = Tree::new(TEXT);
    let seen = tree.walk_mut(PreOrder, |tree, module, name, _| {
        let block = |name| module.parent_block(tree.op(name)).unwrap();
        match name {
            "c" => {
                let block = block("f");
                module.erase_block(block).unwrap();
            }
            "i" => {
                let block = block("c");
                module.erase_block(block).unwrap();
            }
            _ => {}
        }
        Advance
    });
    assert_eq!(seen, "abcdehijk");
    assert_eq!(tree.visit(PreOrder), "abijk");
}

fn new_op(tree: &Tree, module: &mut Module) -> Operation {
    let mut context = tree.context.clone();
    let name = context.find_identifier("t.k");
    assert!(name.is_some());
    let name = context.operation_name("t.k");
    let location = context.unknown_location();
    module.create_operation(&rmlir_ir::OperationState::new(name, location))
}

#[test]
fn inserting() {
    // Inserts before and after the visited operation: not visited.
    for order in [PreOrder, PostOrder] {
        let mut tree = Tree::new("a b{c} e k");
        let seen = tree.walk_mut(order, |tree, module, name, op| {
            if name != "k" {
                let (before, after) = (new_op(tree, module), new_op(tree, module));
                module.insert_before(op, before).unwrap();
                module.insert_after(op, after).unwrap();
            }
            Advance
        });
        assert_eq!(seen, if order == PreOrder { "abcek" } else { "acbek" });
        assert_eq!(tree.visit(PreOrder), "kakkbkckkkekk");
    }
    // Inserts into the regions of the visited operation: visited in pre-order. Into a later one:
    // visited.
    for (order, at, into, expected) in [
        (PreOrder, "b", "b", "abckek"),
        (PostOrder, "b", "b", "acbek"),
        (PreOrder, "a", "b", "abckek"),
        (PostOrder, "a", "b", "ackbek"),
        (PreOrder, "c", "b", "abcek"),
        (PreOrder, "e", "b", "abcek"),
    ] {
        let mut tree = Tree::new("a b{c} e k");
        let seen = tree.walk_mut(order, |tree, module, name, _| {
            if name == at {
                let new = new_op(tree, module);
                let region = module.region(tree.op(into), 0).unwrap();
                let block = module.first_block(region).unwrap();
                module.append_operation(block, new);
            }
            Advance
        });
        assert_eq!(seen, expected, "{order:?} {at} {into}");
    }
}

#[test]
fn replacing_the_visited_operation() {
    for order in [PreOrder, PostOrder] {
        let mut tree = Tree::new("a b{c} e k");
        let seen = tree.walk_mut(order, |tree, module, name, op| {
            if name == "b" || name == "e" {
                let new = new_op(tree, module);
                module.insert_before(op, new).unwrap();
                module.erase_operation(op).unwrap();
            }
            Advance
        });
        assert_eq!(seen, if order == PreOrder { "abek" } else { "acbek" });
        assert_eq!(tree.visit(PreOrder), "akkk");
    }
}

#[test]
fn moving() {
    let block_of = |module: &Module, tree: &Tree, name: &str| -> Block {
        module.parent_block(tree.op(name)).unwrap()
    };
    // Moves within the block: visited once, forwards or backwards.
    let mut tree = Tree::new("a b c d");
    let seen = tree.walk_mut(PreOrder, |tree, module, name, op| {
        if name == "b" {
            module.insert_after(tree.op("d"), op).unwrap();
            module.insert_before(tree.op("a"), tree.op("c")).unwrap();
        }
        Advance
    });
    assert_eq!(seen, "abcd");
    assert_eq!(tree.visit(PreOrder), "cadb");
    // Moves to a position that the walk has not reached, and to one that it has passed.
    let mut tree = Tree::new("a b{c} d e{f} g");
    let seen = tree.walk_mut(PreOrder, |tree, module, name, op| {
        if name == "d" {
            module.append_operation(block_of(module, tree, "f"), op);
            module.append_operation(block_of(module, tree, "c"), tree.op("g"));
        }
        Advance
    });
    assert_eq!(seen, "abcdefd");
    assert_eq!(tree.visit(PreOrder), "abcgefd");
    // Erases an operation that encloses the visited one.
    let mut tree = Tree::new("a b{c{d} e} f");
    let seen = tree.walk_mut(PostOrder, |tree, module, name, _| {
        if name == "d" {
            module.insert_before(tree.op("a"), tree.op("b")).unwrap();
            module.detach_operation(tree.op("c"));
            module.insert_after(tree.op("e"), tree.op("c")).unwrap();
        }
        Advance
    });
    assert_eq!(seen, "adcebf");
    assert_eq!(tree.visit(PreOrder), "becdaf");
    // Moves the content out: inlining.
    let mut tree = Tree::new("a b{c d} e");
    let seen = tree.walk_mut(PreOrder, |tree, module, name, op| {
        if name == "b" {
            for inner in ["c", "d"] {
                module.insert_before(op, tree.op(inner)).unwrap();
            }
            module.erase_operation(op).unwrap();
        }
        Advance
    });
    assert_eq!(seen, "abe");
    assert_eq!(tree.visit(PreOrder), "acde");
}

#[test]
fn changing_what_is_not_structure() {
    let mut tree = Tree::new(TEXT);
    let unit = tree.context.unit_attribute();
    let name = tree.context.identifier("seen");
    let mut context = tree.context.clone();
    let seen = tree.walk_mut(PreOrder, |tree, module, _, op| {
        module
            .set_discardable_attribute(&mut context, op, name, Some(unit))
            .unwrap();
        module
            .set_discardable_attribute(&mut context, tree.op("k"), name, Some(unit))
            .unwrap();
        Advance
    });
    assert_eq!(seen, "abcdefghijk");
    for op in tree.module.descendants(tree.module.top()).skip(1) {
        assert_eq!(tree.module.attribute(&context, op, "seen"), Some(unit));
    }
}

#[test]
fn deep_and_wide() {
    const DEPTH: usize = 100_000;
    let mut context = Context::new();
    let mut module = Module::new(&mut context);
    let mut b = Builder::new(&mut context, &mut module);
    for _ in 0..DEPTH {
        let region = b.create_region();
        b.op("t.nest").region(region).build().unwrap();
        b.create_block(region, &[]);
    }
    // One operation with many regions.
    let regions: Vec<_> = (0..DEPTH).map(|_| b.create_region()).collect();
    b.op("t.wide").regions(regions).build().unwrap();
    assert_eq!(module.descendants(module.top()).count(), DEPTH + 2);
    assert_eq!(
        module.traverse(module.top()).count(),
        2 * (DEPTH + 2) + 4 * (DEPTH + 1) + 2 * DEPTH
    );
    for order in [PreOrder, PostOrder] {
        let mut count = 0;
        module.walk(module.top(), order, |_, _| {
            count += 1;
            Advance
        });
        module.walk_mut(module.top(), order, |_, _| {
            count += 1;
            Advance
        });
        assert_eq!(count, 2 * (DEPTH + 2));
    }
    // Lazy: the first step takes constant time.
    assert_eq!(module.descendants(module.top()).next(), Some(module.top()));
}
