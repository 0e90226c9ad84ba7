"""Random calls of the whole package, with values of all its classes, stale ones among them.

Each call returns a value or raises an exception that derives from `Exception`: no panic, no crash.
"""

import copy
import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rmlir

TEXT = """
func.func @f(%x: i32, %y: tensor<4xf32>) -> i32 {
  %c = arith.constant true
  cf.br ^next(%x : i32)
^next(%z: i32):
  %a = arith.addi %x, %z {my.note = [1, "x"]} : i32 loc(fused["a.py":1:2, "n"(callsite("b.py":1:1 at "c.py":2:2))])
  %b = scf.if %c -> i32 { scf.yield %a : i32 } else { scf.yield %x : i32 }
  %d = arith.constant dense<[1, 2]> : tensor<2xi32>
  %e = "d.op"() {r = dense_resource<big> : tensor<2xi8>, m = affine_map<(d0) -> (d0)>, s = @f} : () -> !llvm.ptr<3>
  return %b : i32
}
module @inner { func.func private @g(i32) -> i32 }
{-# dialect_resources: {builtin: {big: "0x01000000ABCD"}} #-}
"""
CALLS = 200_000
SEED = 20261128
SPECIAL = "len iter str repr hash getitem setitem delitem contains eq bool next enter exit copy dlpack bytes array length_hint arrow_c_stream lt"
SCALARS: list[object] = [
    *(0, 1, 2, -1, 2**31, 2**63, -(2**63), 10**30, True, None, 1.5, float("nan"), object(), slice(None), b"", b"ML\xefR"),
    *("", "i32", "(i32) -> i32", "value", "@f", "@inner::@g", "my.note", "post", "arith.addi", "mlirbc", "llvm-22", "x\0y", "\ud800"),
    *([], {}, [1, "x"], {"a": 1}, ("a.py", 1, 2)),
]
KEYWORDS = "generic locations elide target version compression max_errors references attributes results regions location operand_groups copy".split()


class Pool:
    """Values that calls get as arguments."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.module = rmlir.parse(TEXT)
        lazy = [rmlir.open(self.module.to_bytes("rmbc")), rmlir.open(self.module.to_bytes("mlirbc"))]
        self.values: list[Any] = [self.module, *lazy, lazy[0]["@f"], rmlir.Builder(), self.module.walk(), *self.module.symbols()]
        self.values.append(rmlir.tables([("a.mlir", TEXT.encode())]))
        for op in self.module.walk():
            self.values += [op, op.attributes, op.properties, op.location, *op.operands, *op.results, *op.regions, *op.attributes.values()]
            self.values += [value.type for value in op.results]
            for region in op.regions:
                self.values.append(rmlir.Builder(self.module).body(region))
                for block in region:
                    self.values += [block, *block.arguments, rmlir.Builder.at_end(block)]
        attributes = [value for value in self.values if isinstance(value, rmlir.Attribute)]
        self.values += [attribute.data for attribute in attributes if attribute.data is not None]

    def of(self, kind: type) -> Any:
        found = [value for value in self.rng.choices(self.values, k=40) if isinstance(value, kind)]
        return found[0] if found else None

    def any(self) -> Any:
        return self.rng.choice(self.values if self.rng.random() < 0.6 else SCALARS)


Recipe = Callable[[Pool], tuple[Any, ...]]


def one(*choices: Any) -> Recipe:
    return lambda pool: (pool.rng.choice(choices),)


def of(kind: type) -> Recipe:
    return lambda pool: (pool.of(kind),)


NAMES = one("my.note", "value", "sym_name", "lhs", "new.one", "r")
# Arguments that fit, by the name of the function.
FITTING: dict[str, Recipe] = {
    **{name: of(rmlir.Operation) for name in ("move_before", "move_after", "before", "after")},
    **{name: of(rmlir.Block) for name in ("move_to_end", "at_end", "at_start")},
    **{name: of(rmlir.Module) for name in ("diff", "equals", "Builder")},
    **{name: NAMES for name in ("get", "__delitem__", "__contains__")},
    "set_operand": lambda pool: (pool.rng.randrange(3), pool.of(rmlir.Value)),
    "replace_all_uses_with": of(rmlir.Value),
    "replace_with": lambda pool: (pool.rng.choice([[], [pool.of(rmlir.Value)], pool.of(rmlir.Operation)]),),
    "add_argument": one("i32", "tensor<?xf32>"),
    "operand": one("lhs", "operands"),
    "operand_group": one("operands", "lhs"),
    "has_trait": one("Pure"),
    "has_interface": one("Pure"),
    "__getitem__": one("@f", "@inner::@g", "value", "my.note", 0, 1, -1, 99),
    "__setitem__": lambda pool: (*NAMES(pool), pool.rng.choice([pool.of(rmlir.Type), pool.of(rmlir.Attribute), 1, 2.5, "x", None, [1, "x"], {"a": 1}])),
    "type": one("i32", "tensor<?x4xf32>", "!llvm.ptr", "bad<"),
    "attribute": one("1 : i32", "@x", "[", "dense<1> : tensor<2xi8>"),
    "extract": one("@f", "@inner", "@none", ["@f"]),
    "to_bytes": one("rmbc", "mlirbc", "mlir"),
    "save": one("m.rmbc", "m.mlirbc", "m.mlir", "m.none"),
    "walk": one("pre", "post"),
    "op": lambda pool: (pool.rng.choice(["d.op", "arith.addi", "func.return", "func.func"]), pool.rng.choice([[], pool.of(rmlir.Value), pool.of(rmlir.Operation)])),
    "block": lambda pool: (pool.of(rmlir.Region), pool.rng.choice([[], "i32", ["i32", "f32"]])),
    "body": lambda pool: (pool.of(rmlir.Region), pool.rng.choice([[], "i32"])),
    "link": lambda pool: ([pool.of(rmlir.Module), pool.of(rmlir.Module)],),
    "parse": one(TEXT, "(", '"a.b"() : () -> ()'),
    "open": one(b"(", TEXT.encode(), b"ML\xefR"),
}
SETTABLE: dict[str, Recipe] = {
    "name": one("d.x", "func.func", "arith.addi", "", 1),
    "location": lambda pool: (pool.rng.choice([("a.py", 1, 2), pool.of(rmlir.Location), None, ("a", -1, 2)]),),
}
GROWING = ("copy", "__copy__", "clone", "link", "extract")


def test_random_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(SEED)
    special = {f"__{name}__" for name in SPECIAL.split()}
    members: dict[type, list[str]] = {}
    called: set[tuple[str, str]] = set()
    calls = stale = 0
    while calls < CALLS:
        pool = Pool(rng)
        for _ in range(1500):
            calls += 1
            target: Any = rng.choice(pool.values) if rng.random() < 0.97 else rmlir
            if target is rmlir:
                name = rng.choice(["link", "tables", "Module", "Builder", "parse", "open"])
            else:
                known = members.setdefault(type(target), [n for n in dir(target) if n[:2] != "__" or n in special])
                name = rng.choice(known)
            if name in GROWING and len(pool.values) > 600 or name in ("erase", "replace_with") and rng.random() < 0.5:
                continue
            called.add((type(target).__name__, name))
            try:
                if name in SETTABLE and target is not rmlir and rng.random() < 0.3:
                    setattr(target, name, SETTABLE[name](pool)[0])
                    continue
                result = getattr(target, name)
                if callable(result):
                    fits = name == "save" or rng.random() < 0.85
                    arguments = FITTING.get(name, lambda _: ())(pool) if fits else tuple(pool.any() for _ in range(rng.randrange(4)))
                    keywords = {rng.choice(KEYWORDS): pool.any()} if name != "print" and rng.random() < 0.1 else {}
                    if keywords.get("regions") not in (None, 0, 1, 2, -1, 10**30):
                        keywords = {}
                    if name == "print":
                        keywords, arguments = {"file": io.StringIO()}, ()
                    result = result(*arguments, **keywords)
                found = result if isinstance(result, (list, tuple)) else [result]
                pool.values += [value for value in found[:5] if type(value).__module__.startswith("rmlir")][: max(0, 800 - len(pool.values))]
            except rmlir.StaleHandleError:
                stale += 1
            # What derives from `BaseException` only, such as a panic, fails the test.
            except Exception:
                pass
        # Whatever happened, the module can be printed and copied.
        assert pool.module.to_text(generic=True) and copy.copy(pool.module)
    assert stale > CALLS // 200, stale
    assert len(called) > 200, len(called)
