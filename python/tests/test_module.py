"""Modules, operations, attributes and types."""

import copy
import io
import pickle
import threading
import time
from pathlib import Path
from typing import Any, Callable

import pytest

import rmlir

ADD = """
func.func @add(%x: i32, %y: i32) -> i32 attributes {my.note = "hot"} {
  %z = arith.addi %x, %y : i32 loc("a.py":3:7)
  return %z : i32
}
func.func private @other(tensor<4x?xf32>) -> !llvm.ptr<3>
"""


def test_text_and_bytecode_are_equal(mlp: Path, tmp_path: Path) -> None:
    module = rmlir.open(mlp)
    for form in ("rmbc", "mlirbc", "mlir"):
        path = tmp_path / f"m.{form}"
        module.save(path)
        again = rmlir.open(path)
        assert again.is_loaded == (form == "mlir")
        assert again.equals(module)
        assert again.fingerprint() == module.fingerprint()
        assert rmlir.open(module.to_bytes(form)).equals(module)
        assert path.read_bytes() == module.to_bytes(form)


def test_releases() -> None:
    text = 'gpu.module "private" @kernels {}'
    module = rmlir.parse(text, release="llvm-24")
    assert 'gpu.module "private" @kernels' in str(module)
    with pytest.raises(rmlir.ParseError):
        rmlir.parse(text)
    with pytest.raises(ValueError, match="unknown release 'llvm-1'; known are"):
        rmlir.parse(text, release="llvm-1")


def test_lazy(mlp: Path, tmp_path: Path) -> None:
    whole = rmlir.open(mlp)
    path = tmp_path / "m.mlirbc"
    whole.save(path)
    for mmap in (True, False):
        lazy = rmlir.open(path, mmap=mmap)
        assert [s.path for s in lazy.symbols()] == ["@main", "@relu"]
        assert lazy.symbols()[0].bytes
        assert lazy.operation_counts() == whole.operation_counts()
        relu = lazy["@relu"]
        assert str(relu) == str(whole["@relu"])
        assert "@relu" in lazy and "nothing" not in lazy
        with pytest.raises(KeyError):
            lazy["@nothing"]
        with pytest.raises(rmlir.Error, match="read-only"):
            relu.attributes["my.a"] = 1
        assert lazy.extract("@relu").equals(whole.extract("@relu"))
        assert not lazy.is_loaded
        assert lazy.equals(whole)
        assert lazy.is_loaded
        lazy["@relu"].attributes["my.a"] = 1
        assert not lazy.equals(whole)


def test_operation() -> None:
    module = rmlir.parse(ADD)
    add = module.ops("arith.addi")[0]
    assert (add.name, add.dialect, add.is_registered, add.is_pure) == ("arith.addi", "arith", True, True)
    assert add.operands[0].type == module.type("i32")
    assert add.operand("lhs") == add.operands[0] != add.operands[1]
    assert add.result.uses == [(add.next, 0)] and add.users == [add.next]
    assert add.operands[1].is_argument and add.operands[1].index == 1
    assert add.operands[1].owner == add.block and add.result.owner == add
    assert (add.location.file, add.location.line, add.location.column) == ("a.py", 3, 7)
    assert add.parent == module["add"] and add.parent.parent == module.op and module.op.parent is None
    assert add.has_trait("Pure") and not add.has_trait("IsTerminator")
    assert module["@other"].visibility == "private"
    assert [op.name for op in module] == ["func.func", "func.func"]
    assert [op.name for op in module.op.walk("post")][-1] == "builtin.module"
    assert {add, module.ops("arith.addi")[0]} == {add}
    with pytest.raises(ValueError):
        module["@other"].result
    with pytest.raises(ValueError):
        module.walk("sideways")  # type: ignore[arg-type]


def test_attributes() -> None:
    module = rmlir.parse(ADD)
    add = module["@add"]
    assert add.attributes["my.note"].value == "hot"
    assert set(add.properties) == {"sym_name", "function_type"}
    assert len(add.attributes) == 3 and "sym_name" in add.attributes and 3 not in add.attributes
    add.attributes["my.list"] = [1, 2.5, "x", True, None, {"a": module.type("i8")}]
    values = [item.value for item in add.attributes["my.list"]]
    assert values[:5] == [1, 2.5, "x", True, None] and str(values[5]["a"]) == "i8"
    del add.attributes["my.list"]
    assert add.attributes.get("my.list") is None and add.attributes.get("my.list", 7) == 7
    with pytest.raises(KeyError):
        del add.attributes["my.list"]
    with pytest.raises(TypeError):
        add.attributes["my.list"] = object()  # type: ignore[assignment]
    deep: list[object] = []
    for _ in range(200):
        deep = [deep]
    with pytest.raises(ValueError):
        add.attributes["my.list"] = deep  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("true", "integer", True),
        ("-7 : i32", "integer", -7),
        ("200 : ui8", "integer", 200),
        ("170141183460469231731687303715884105727 : i128", "integer", 2**127 - 1),
        ("18446744073709551615 : ui64", "integer", 2**64 - 1),
        ("1.5 : bf16", "float", 1.5),
        ('"\\FFx"', "string", b"\xffx"),
        ("@a::@b", "symbol_ref", "@a::@b"),
        ("array<i32: 1, -2>", "dense_array", [1, -2]),
        ("array<f32: 0.5>", "dense_array", [0.5]),
        ("array<i1: true, false>", "dense_array", [True, False]),
        ("unit", "unit", None),
        ("affine_map<(d0) -> (d0)>", "affine_map", None),
        ("[]", "array", []),
        ("{}", "dictionary", {}),
    ],
)
def test_values(text: str, kind: str, value: object) -> None:
    attribute = rmlir.Module().attribute(text)
    assert attribute.kind == kind
    assert attribute.value == value and type(attribute.value) is type(value)
    assert rmlir.Module().attribute(str(attribute)) == attribute
    assert attribute


def test_types() -> None:
    module = rmlir.parse(ADD)
    tensor, pointer = module.type("tensor<4x?xf32>"), module.type("!llvm.ptr<3>")
    function = module["@other"].attributes["function_type"].value
    assert isinstance(function, rmlir.Type)
    assert function.inputs == (tensor,) and function.results == (pointer,)
    assert tensor.shape == (4, None) and tensor.rank == 2
    assert pointer.parameters == {"addressSpace": 3} and pointer.mnemonic == "ptr" and pointer.dialect == "llvm"
    assert module.type("vector<[4]x2xi8>").scalable == (True, False)
    assert module.type("tuple<i1, index>").types == (module.type("i1"), module.type("index"))
    assert module.type("ui7").signedness == "unsigned" and module.type("ui7").dtype is None
    other = rmlir.Module().type("tensor<4x?xf32>")
    assert other == tensor and hash(other) == hash(tensor) and other != pointer and other != "tensor<4x?xf32>"


def test_edit_and_stale_handles() -> None:
    module = rmlir.parse(ADD)
    add = module["@add"]
    addi, ret = add.body.operations  # type: ignore[union-attr]
    with pytest.raises(rmlir.Error, match="in use"):
        addi.erase()
    result, x = addi.result, addi.operands[0]
    addi.replace_with(x)
    assert ret.operands == (x,) and addi.is_erased and result.is_erased
    for stale in (lambda: addi.name, lambda: str(addi), lambda: result.type, lambda: addi.attributes["a"]):
        with pytest.raises(rmlir.StaleHandleError):
            stale()
    assert repr(addi) == "<Operation (erased)>" and repr(result) == "<Value (erased)>"
    block, region = add.body, add.regions[0]
    add.erase()
    for stale in (lambda: block.operations, lambda: region.blocks, lambda: x.type, lambda: ret.next):
        with pytest.raises(rmlir.StaleHandleError):
            stale()
    with pytest.raises(rmlir.Error):
        module.op.erase()
    assert len(module) == 1
    module.verify()


def test_moves() -> None:
    module = rmlir.parse('"a.a"() ({ "a.b"() : () -> () }) : () -> () "a.c"() : () -> ()')
    a, c = module.body.operations  # type: ignore[union-attr]
    b = a.body.first  # type: ignore[union-attr]
    for move in (lambda: a.move_before(b), lambda: a.move_after(b), lambda: a.move_to_end(a.body), lambda: module.op.move_before(a)):
        with pytest.raises(rmlir.Error):
            move()
    c.move_before(b)
    assert [op.name for op in module.walk()] == ["builtin.module", "a.a", "a.c", "a.b"]
    d = c.clone()
    d.name = "a.d"
    d.move_to_end(module.body)
    assert [op.name for op in module] == ["a.a", "a.d"]
    with pytest.raises(ValueError):
        d.move_before(rmlir.Module().op)


def test_walk_and_erase() -> None:
    module = rmlir.parse('"a.a"() ({ "a.b"() : () -> () }) : () -> () "a.c"() : () -> ()')
    seen = []
    for op in module.walk():
        seen.append(op.name)
        if op.name == "a.a":
            op.erase()
    assert seen == ["builtin.module", "a.a", "a.c"]


def test_builder_across_modules() -> None:
    source = rmlir.parse('"d.op"() {r = dense_resource<big> : tensor<2xi8>} : () -> () {-# dialect_resources: {builtin: {big: "0x01000000ABCD"}} #-}')
    b = rmlir.Builder()
    b.location = ("x.py", 4, 2)
    op = b.op("d.copy", attributes={"r": source.body.first.attributes["r"]}, results=[source.type("tensor<2xi8>")])  # type: ignore[union-attr]
    assert bytes(op.attributes["r"].data) == b"\xab\xcd"  # type: ignore[arg-type]
    assert (op.location.file, op.location.line) == ("x.py", 4)
    with pytest.raises(rmlir.Error, match="arith.addi"):
        b.op("arith.addi", [op.result, op.result], attributes={"nothing": 1})
    with pytest.raises(rmlir.Error):
        b.op("")
    with pytest.raises(ValueError):
        b.op("d.e", [rmlir.parse(ADD).ops("arith.addi")[0].result])
    rmlir.Builder.before(op).op("d.first")
    assert [op.name for op in b.module] == ["d.first", "d.copy"]


def test_errors(tmp_path: Path) -> None:
    with pytest.raises(rmlir.ParseError) as caught:
        rmlir.parse("func.func @f() {\n  %0 = nothing\n}", file_name="x.mlir")
    error = caught.value
    assert (error.file, error.line) == ("x.mlir", 2) and error.diagnostics[0].severity == "error"
    assert error.diagnostics[0].source_line == "  %0 = nothing"
    with pytest.raises(rmlir.VerifyError) as verify:
        rmlir.parse('func.func @f(%x: i32) -> i64 {\n  "func.return"(%x) : (i32) -> ()\n}').verify()
    assert verify.value.line == 2
    with pytest.raises(FileNotFoundError):
        rmlir.open(tmp_path / "nothing.mlir")
    data = rmlir.parse(ADD).to_bytes("rmbc")
    path = tmp_path / "bad.rmbc"
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(rmlir.CorruptError, match="bad.rmbc"):
        rmlir.open(path).load()
    for cut in range(0, len(data), 7):
        with pytest.raises(rmlir.Error):
            rmlir.open(data[:cut], verify=True).symbols() or rmlir.parse("(")
    with pytest.raises(TypeError):
        rmlir.open(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        rmlir.parse("", nothing=1)  # type: ignore[call-arg]


def test_diff_link_strip(mlp: Path) -> None:
    module = rmlir.open(mlp)
    changed = module.copy()
    changed.ops("stablehlo.maximum")[0].name = "stablehlo.minimum"
    (change,) = module.diff(changed)
    assert (change.symbol, change.kind) == ("@relu", "changed") and "minimum" in (change.detail or "")
    assert not module.diff(module)
    assert copy.deepcopy(module).equals(module)
    assert pickle.loads(pickle.dumps(module)).equals(module)
    located = rmlir.parse('"d.a"() : () -> () loc("secret.py":1:1)')
    located.strip()
    assert "secret" not in located.to_text(locations=True)
    parts = [module.extract(name, references=False) for name in ("@relu",)]
    assert [s.name for s in parts[0].symbols()] == ["relu"]
    with pytest.raises(KeyError):
        module.extract("@nothing")


def test_print(mlp: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = rmlir.open(mlp)
    module.print()
    assert capsys.readouterr().out == str(module)
    out = io.StringIO()
    module["@relu"].print(file=out, generic=True)
    assert out.getvalue().startswith('"func.func"()')
    assert rmlir.parse(module.to_text(generic=True, locations=True)).equals(module)
    with pytest.raises(TypeError):
        module.to_text(nothing=True)  # type: ignore[call-arg]


def test_html() -> None:
    text = 'func.func @"<f>"() { %%0 = arith.constant dense<"0x%s"> : tensor<1000xi32> return }' % "".join(f"{n:08X}" for n in range(1000))
    html = rmlir.parse(text)._repr_html_()
    assert "&lt;f&gt;" in html and "<f>" not in html and "4000 B" in html and len(html) < 3000
    import html.parser as parser

    depth: list[str] = []

    class Check(parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            depth.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert depth.pop() == tag

    Check().feed(html)
    assert not depth


def test_dialects(tmp_path: Path) -> None:
    path = tmp_path / "toy.dialect"
    path.write_text("dialect toy\nop answer() -> I32\n")
    text = '%0 = "toy.answer"() : () -> i64'
    for dialect in (path, str(path), rmlir.Dialect.open(path)[0]):
        with pytest.raises(rmlir.VerifyError):
            rmlir.parse(text, dialects=[dialect], verify=True)
    with pytest.raises(rmlir.ParseError):
        rmlir.Dialect("dialect toy\nopp x\n")


def test_threads() -> None:
    """Readers and writers of one module at once, and modules of their own."""
    text = "\n".join(f"func.func @f{n}(%x: i32) -> i32 {{ %y = arith.addi %x, %x : i32 return %y : i32 }}" for n in range(300))
    module = rmlir.parse(text)
    failures: list[BaseException] = []

    def run(number: int) -> None:
        try:
            for step in range(10):
                if number % 2:
                    op = module[f"@f{number}"]
                    op.attributes["my.step"] = step
                    module.type(f"tensor<{number}x{step}xi8>")
                    module.to_bytes("mlirbc")
                else:
                    assert len(str(module)) > 1000 and len(module.fingerprint()) == 64
                    assert sum(op.name == "arith.addi" for op in module.walk()) == 300
                    assert rmlir.parse(text).operation_counts()["func.func"] == 300
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads), "deadlock"
    assert not failures, failures


def test_the_interpreter_runs_while_text_is_parsed() -> None:
    function = "func.func @f{n}(%x: i32) -> i32 {{ %y = arith.addi %x, %x : i32 return %y : i32 }}"
    text = "\n".join(function.format(n=n) for n in range(30000))
    thread = threading.Thread(target=rmlir.parse, args=(text,))
    thread.start()
    ticks = 0
    while thread.is_alive():
        time.sleep(0.001)
        ticks += 1
    # Once if the parser keeps the interpreter's lock.
    assert ticks > 3


@pytest.mark.parametrize("source", [None, 3, 1.5, [], object()])
def test_neither_path_nor_bytes(source: Any) -> None:
    with pytest.raises(TypeError, match=f"^expected a path or bytes, found {type(source).__name__}$"):
        rmlir.open(source)


def test_empty_path() -> None:
    with pytest.raises(FileNotFoundError, match="^'': No such file"):
        rmlir.open("")
    for path in ("there/is/no/such.mlir", Path("there/is/no/such.rmbc")):
        with pytest.raises(FileNotFoundError, match=f"^{path}: "):
            rmlir.open(path)


@pytest.mark.parametrize("index", [2**31, 2**63, -(2**63) - 1, 2**64, 10**30, -(10**30)])
def test_huge_indices(index: int) -> None:
    module = rmlir.parse(ADD + "%c = arith.constant dense<[1, 2]> : tensor<2xi32>")
    op = module["@add"]
    block = op.regions[0].blocks[0]
    attempts: list[Callable[[], Any]] = [
        lambda: op.operands[index],
        lambda: op.results[index],
        lambda: op.regions[index],
        lambda: op.regions[0].blocks[index],
        lambda: block.arguments[index],
        lambda: module.ops()[index],
    ]
    for attempt in attempts:
        with pytest.raises((IndexError, OverflowError)):
            attempt()
