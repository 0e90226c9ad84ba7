"""A million calls with handles of which many are stale: errors, never a crash."""

import random

import rmlir

TEXT = """
func.func @f(%x: i32, %y: tensor<4xf32>) -> i32 {
  cf.br ^next(%x : i32)
^next(%z: i32):
  %a = arith.addi %x, %z {my.note = [1, "x"]} : i32
  %b = scf.if %c -> i32 { scf.yield %a : i32 } else { scf.yield %x : i32 }
  %d = arith.constant dense<[1, 2]> : tensor<2xi32>
  return %b : i32
}
""".replace("cf.br", "%c = arith.constant true\n  cf.br")
CALLS = 1_000_000
SEED = 20261123


def test_stale_handles() -> None:
    random.seed(SEED)
    rng = random.Random(SEED)
    calls = stale = others = 0
    while calls < CALLS:
        module = rmlir.parse(TEXT)
        handles: list[object] = [module.op]
        for op in module.walk():
            handles += [op, op.attributes, op.properties, op.location, *op.operands, *op.results, *op.regions, *op.attributes.values()]
            for region in op.regions:
                for block in region:
                    handles += [block, *block.arguments]
        ops = [h for h in handles if isinstance(h, rmlir.Operation)]
        values = [h for h in handles if isinstance(h, rmlir.Value)]
        blocks = [h for h in handles if isinstance(h, rmlir.Block)]
        names = {type(h): [n for n in dir(h) if not n.startswith("__") or n in ("__len__", "__iter__", "__str__", "__repr__", "__hash__")] for h in handles}
        for _ in range(2000):
            handle = rng.choice(handles)
            name = rng.choice(names[type(handle)])
            calls += 1
            try:
                member = getattr(handle, name)
                if not callable(member):
                    if name in ("operands", "results"):
                        values += member
                    continue
                if name in ("erase", "replace_with") and rng.random() < 0.85:
                    continue
                if name in ("print", "walk", "_repr_html_", "to_text", "__str__") and rng.random() < 0.8:
                    continue
                arguments: tuple[object, ...] = {
                    "move_before": lambda: (rng.choice(ops),),
                    "move_after": lambda: (rng.choice(ops),),
                    "move_to_end": lambda: (rng.choice(blocks),),
                    "set_operand": lambda: (rng.randrange(3), rng.choice(values)),
                    "replace_with": lambda: ([rng.choice(values) for _ in range(rng.randrange(2))],),
                    "replace_all_uses_with": lambda: (rng.choice(values),),
                    "add_argument": lambda: ("i32",),
                    "operand": lambda: ("lhs",),
                    "operand_group": lambda: ("operands",),
                    "has_trait": lambda: ("Pure",),
                    "has_interface": lambda: ("Pure",),
                    "get": lambda: ("value",),
                }.get(name, tuple)()
                if name == "print":
                    continue
                result = member(*arguments)
                if isinstance(result, rmlir.Operation):
                    ops.append(result)
                    handles.append(result)
            except rmlir.StaleHandleError:
                stale += 1
            except (rmlir.Error, ValueError, TypeError):
                others += 1
        # Whatever happened, the module can be printed and written.
        text = module.to_text(generic=True)
        assert text.startswith('"builtin.module"')
    assert stale > calls // 100, (calls, stale, others)
