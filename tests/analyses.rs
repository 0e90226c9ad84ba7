//! Dominance beside the verifier, and the users of all symbols beside the search for each.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir::ir::{Dominance, SymbolUse, SymbolUserMap, ValueDefinition};
use rmlir::{Ir, Op, Operation, ReadOptions, Value};
use std::fmt::Write;

/// Pseudo-random numbers, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % bound
    }
}

fn unverified(text: &str) -> Ir {
    let mut options = ReadOptions::default();
    options.allow_unknown = true;
    rmlir::parse_with(text, &options).unwrap()
}

/// A function of several blocks, of which some are not reachable, with nested regions of both
/// kinds.
fn function(random: &mut Random) -> String {
    let mut text = String::from("func.func @f(%c: i1, %x: i32) {\n");
    let blocks = 2 + random.below(6);
    for block in 0..blocks {
        if block > 0 {
            writeln!(text, "^bb{block}(%a{block}: i32):").unwrap();
        }
        for number in 0..random.below(3) {
            writeln!(text, "  %v{block}_{number} = arith.addi %x, %x : i32").unwrap();
        }
        match random.below(4) {
            0 => text.push_str(
                "  scf.if %c {\n    %in = arith.muli %x, %x : i32\n    \"t.user\"(%x) : (i32) -> ()\n  }\n",
            ),
            1 => text.push_str(
                "  %g = \"t.graph\"() ({\n    %h = \"t.x\"(%x) : (i32) -> i32\n    %i = \"t.y\"(%x) : (i32) -> i32\n  }) : () -> i32\n"
                    .replace("%g", &format!("%g{block}")).as_str(),
            ),
            _ => {}
        }
        let target = |random: &mut Random| 1 + random.below(blocks - 1);
        match random.below(3) {
            0 => text.push_str("  return\n"),
            1 => {
                let to = target(random);
                writeln!(text, "  cf.br ^bb{to}(%x : i32)").unwrap();
            }
            _ => {
                let (to, other) = (target(random), target(random));
                writeln!(
                    text,
                    "  cf.cond_br %c, ^bb{to}(%x : i32), ^bb{other}(%x : i32)"
                )
                .unwrap();
            }
        }
    }
    text.push_str("}\n");
    text
}

fn values(op: Op<'_>) -> Vec<Value> {
    let mut values = Vec::new();
    for op in op.descendants() {
        values.extend(op.results());
        for block in op.blocks() {
            values.extend(op.module.arguments(block).map(|(value, _)| value));
        }
    }
    values
}

/// An operation may use a value exactly if the verifier accepts that.
#[test]
fn values_dominate_what_the_verifier_accepts() {
    let mut random = Random(7);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..60 {
        let mut ir = unverified(&function(&mut random));
        let i32 = ir.context().i32_type();
        let function = ir.symbol("f").unwrap().id();
        let all = values(ir.get(function));
        let all: Vec<Value> = all
            .into_iter()
            .filter(|&value| ir.parts().1.value_type(value) == i32)
            .collect();
        let users: Vec<Operation> = ir
            .get(function)
            .descendants()
            .filter(|op| op.operand_types().any(|ty| ty == i32))
            .map(|op| op.id())
            .collect();
        for &user in &users {
            let number = ir
                .get(user)
                .operand_types()
                .position(|ty| ty == i32)
                .unwrap();
            let before = ir.get(user).operand(number).unwrap();
            for &value in &all {
                let dominance = Dominance::new(ir.parts());
                let block = ir.get(user).block().unwrap();
                if !reachable(&dominance, ir.get(user)) {
                    // The verifier does not look at it.
                    continue;
                }
                let dominates = dominance.value_dominates(value, user);
                if let ValueDefinition::Argument(owner, _) = ir.parts().1.definition(value)
                    && owner == block
                {
                    assert!(dominates);
                }
                drop(dominance);
                let (context, module) = ir.parts_mut();
                module.set_operand(user, number, value).unwrap();
                let mut options = rmlir::ir::VerifyOptions::default();
                options.allow_unknown = true;
                let verified = rmlir::ir::verify(context, module, module.top(), &options).is_ok();
                module.set_operand(user, number, before).unwrap();
                assert_eq!(
                    verified,
                    dominates,
                    "{value:?} in {:?}:\n{ir}",
                    ir.get(user)
                );
                if dominates {
                    accepted += 1
                } else {
                    refused += 1
                }
            }
        }
    }
    assert!(accepted > 500 && refused > 500, "{accepted} and {refused}");
}

fn reachable(dominance: &Dominance<'_>, op: Op<'_>) -> bool {
    let around = std::iter::successors(Some(op), |op| op.parent());
    around
        .filter_map(|op| op.block())
        .all(|block| dominance.is_reachable(block))
}

#[test]
fn operations_and_blocks_dominate_as_in_mlir() {
    let ir = unverified(
        "func.func @f(%c: i1) {
          %a = arith.constant 1 : i32
          scf.if %c {
            %b = arith.constant 2 : i32
          }
          cf.cond_br %c, ^bb1, ^bb2
        ^bb1:
          cf.br ^bb3
        ^bb2:
          cf.br ^bb3
        ^bb3:
          return
        ^bb4:
          cf.br ^bb3
        }
        \"t.graph\"() ({
          \"t.one\"() : () -> ()
          \"t.two\"() : () -> ()
        }) : () -> ()",
    );
    let dominance = Dominance::new(ir.op());
    let find = |name: &str| {
        ir.ops()
            .filter(|op| op.is(name))
            .map(|op| op.id())
            .collect::<Vec<_>>()
    };
    let ([a, b], branch) = (
        find("arith.constant")[..].try_into().unwrap(),
        find("scf.if")[0],
    );
    let [cond, end] = [find("cf.cond_br")[0], find("func.return")[0]];
    assert!(dominance.properly_dominates(a, b) && !dominance.properly_dominates(b, a));
    assert!(dominance.properly_dominates(branch, b) && !dominance.properly_dominates(b, cond));
    assert!(dominance.dominates(a, a) && !dominance.properly_dominates(a, a));
    assert!(dominance.properly_dominates(cond, end));
    let value = ir.get(branch).children().next().unwrap();
    assert_eq!(value.id(), b);
    let blocks: Vec<_> = ir.symbol("f").unwrap().blocks().collect();
    let [entry, left, right, join, dead] = blocks[..] else {
        panic!("five blocks")
    };
    for block in [left, right, join, dead] {
        assert!(dominance.properly_dominates_block(entry, block));
        assert!(!dominance.dominates_block(block, entry));
        // Unreachable blocks are dominated by all.
        assert!(dominance.dominates_block(block, dead));
    }
    assert!(!dominance.dominates_block(left, join) && !dominance.dominates_block(left, right));
    assert!(!dominance.is_reachable(dead) && dominance.is_reachable(join));
    assert!(dominance.dominates_block(entry, ir.get(b).block().unwrap()));
    let [one, two] = [find("t.one")[0], find("t.two")[0]];
    for (a, b) in [(one, two), (two, one), (one, one)] {
        assert!(dominance.properly_dominates(a, b));
    }
    assert!(!dominance.properly_dominates(one, a));
    let predecessors: Vec<_> = ir.parts().1.predecessors(join).collect();
    assert_eq!(predecessors.len(), 3);
}

const SYMBOLS: &str = "
module @outer attributes {o.a = @main} {
  func.func private @a()
  func.func private @unused()
  func.func @main() attributes {o.list = [@a, {x = @inner::@deep}], o.ty = !o.t<@a, \"@b\">} {
    call @a() : () -> ()
    call @a() : () -> ()
    \"o.opaque\"() {x = #o<body @a @missing>} : () -> ()
    return
  }
  module @inner {
    func.func private @a()
    func.func @deep() {
      call @a() : () -> ()
      \"o.far\"() {x = @outer} : () -> ()
      return
    }
  }
}
\"o.top\"() {x = @outer::@inner::@deep} : () -> ()
";

/// The map of all symbols has for each what the search for that one finds.
#[test]
fn users_of_all_symbols_are_those_of_each() {
    let ir = unverified(SYMBOLS);
    let (context, module) = ir.parts();
    let map = SymbolUserMap::new(ir.op());
    let mut symbols = 0;
    for op in ir.ops().filter(|op| op.symbol_name().is_some()) {
        symbols += 1;
        let mut each: Vec<SymbolUse> = module.uses_of_symbol(context, op.id());
        let mut all: Vec<SymbolUse> = map.uses(op.id()).cloned().collect();
        let order = |one: &SymbolUse| (one.operation, one.path.clone(), format!("{:?}", one.entry));
        each.sort_by_key(order);
        all.sort_by_key(order);
        assert_eq!(all, each, "{:?}", op.symbol_name());
        assert_eq!(map.is_unused(op.id()), each.is_empty());
        let mut users: Vec<_> = each.iter().map(|one| one.operation).collect();
        users.dedup();
        let mut found = map.users(op.id()).to_vec();
        found.sort();
        assert_eq!(found, users);
    }
    assert_eq!(symbols, 7);
    let unresolved: Vec<String> = map
        .unresolved()
        .iter()
        .map(|one| {
            one.path
                .iter()
                .map(|&name| context.str(name))
                .collect::<Vec<_>>()
                .join("::")
        })
        .collect();
    assert_eq!(unresolved, ["main", "missing", "outer"]);
    let opaque = ir.ops().find(|op| op.is("o.opaque")).unwrap();
    let outer = ir.symbol("outer").unwrap();
    let a = outer
        .children()
        .find(|op| op.symbol_name().as_deref() == Some("a"))
        .unwrap();
    let in_text = map
        .uses(a.id())
        .find(|one| one.operation == opaque.id())
        .unwrap();
    assert_eq!(
        context.parameters(in_text.entry).err(),
        Some(rmlir::ir::ParametersError::UnknownDialect("o".into()))
    );
}

/// One pass over 20,000 functions; a search for each would take minutes.
#[test]
fn users_of_many_symbols_take_one_pass() {
    const COUNT: usize = 20_000;
    let mut text = String::new();
    for number in 0..COUNT {
        let next = (number + 1) % COUNT;
        writeln!(
            text,
            "func.func @f{number}() {{ call @f{next}() : () -> ()\n return }}"
        )
        .unwrap();
    }
    let ir = rmlir::parse(&text).unwrap();
    let map = SymbolUserMap::new(ir.op());
    let functions = ir.ops().filter(|op| op.is("func.func"));
    assert_eq!(
        functions.filter(|op| map.users(op.id()).len() == 1).count(),
        COUNT
    );
}
