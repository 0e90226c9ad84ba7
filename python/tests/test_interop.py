"""Interchange with the real packages: JAX, upstream's bindings, StableHLO, xDSL."""

import dataclasses
import io
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import rmlir

np = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def jax() -> Any:
    return pytest.importorskip("jax", reason="SKIPPED: jax is not installed")


@pytest.fixture(scope="module")
def lowered(jax: Any) -> Any:
    weights = np.arange(64 * 8, dtype=np.float32).reshape(64, 8)

    def f(x: Any) -> Any:
        return jax.numpy.tanh(x @ weights).sum(axis=1)

    return jax.jit(f).lower(np.ones((4, 64), np.float32))


def bytecode(module: Any) -> bytes:
    out = io.BytesIO()
    module.operation.write_bytecode(out)
    return out.getvalue()


def test_upstream_bindings_both_ways(lowered: Any) -> None:
    from jaxlib.mlir import ir

    upstream = lowered.compiler_ir("stablehlo")
    for source in (bytecode(upstream), str(upstream).encode(), upstream.operation.get_asm(print_generic_op_form=True).encode()):
        module = rmlir.open(source)
        module.verify()
        # The text and the bytecode of ours give upstream the same module.
        expected = upstream.operation.get_asm()
        with upstream.context:
            files = [module.to_bytes("mlirbc", target=target) for target in ("stablehlo-202608", "jax-202608")]
            for back in (*files, module.to_text().encode(), module.to_text(generic=True).encode()):
                assert ir.Module.parse(back).operation.get_asm() == expected


def test_same_operations_and_constants(lowered: Any) -> None:
    upstream = lowered.compiler_ir("stablehlo")
    names: Counter[str] = Counter()
    constants = []

    def visit(op: Any) -> None:
        names[op.name] += 1
        if op.name == "stablehlo.constant":
            constants.append(np.array(op.attributes["value"]))
        for region in op.regions:
            for block in region:
                for inner in block:
                    visit(inner.operation)

    visit(upstream.operation)
    module = rmlir.open(bytecode(upstream))
    assert module.operation_counts() == names
    assert Counter(op.name for op in module.walk()) == names
    ours = [op.attributes["value"].data.numpy() for op in module.ops("stablehlo.constant")]  # type: ignore[union-attr]
    assert len(ours) == len(constants) > 0
    for left, right in zip(ours, constants):
        assert left.dtype == right.dtype and left.shape == right.shape and (left == right).all()


def test_jax_export(jax: Any) -> None:
    from jax import export

    exported = export.export(jax.jit(lambda x: jax.numpy.sin(x) * 3))(jax.ShapeDtypeStruct((4,), "float32"))
    module = rmlir.open(exported.mlir_module_serialized)
    assert all(op.dialect in ("vhlo", "builtin") for op in module.walk())
    # A constant is changed, and JAX runs what we wrote.
    changed = 0
    for op in module.ops("vhlo.constant_v1"):
        text = str(op.attributes["value"])
        if "3.0" in text:
            op.attributes["value"] = module.attribute(text.replace("3.0", "5.0"))
            changed += 1
    assert changed == 1
    again = dataclasses.replace(exported, mlir_module_serialized=module.to_bytes("mlirbc", producer="StableHLO_v1.0.0"))
    pytest.importorskip("flatbuffers")
    restored = export.deserialize(again.serialize())
    x = np.arange(4, dtype=np.float32)
    assert np.allclose(restored.call(x), np.sin(x) * 5, rtol=1e-5)


def test_portable_artifacts(lowered: Any) -> None:
    from jaxlib.mlir.dialects import stablehlo

    upstream = lowered.compiler_ir("stablehlo")
    for version in (stablehlo.get_minimum_version(), stablehlo.get_current_version()):
        artifact = stablehlo.serialize_portable_artifact(upstream, version)
        module = rmlir.open(artifact)
        assert module.producer == f"StableHLO_v{version}"
        with upstream.context as context:
            expected = stablehlo.deserialize_portable_artifact(context, artifact)
            restored = stablehlo.deserialize_portable_artifact(context, module.to_bytes("mlirbc"))
            assert restored.operation.get_asm() == expected.operation.get_asm()


def test_xdsl_both_ways(corpus: Path) -> None:
    pytest.importorskip("xdsl", reason="SKIPPED: xdsl is not installed")
    from xdsl.context import Context
    from xdsl.dialects import get_all_dialects
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    def xdsl_text(text: str) -> tuple[str, Counter[str]]:
        context = Context(allow_unregistered=True)
        for name, factory in get_all_dialects().items():
            context.register_dialect(name, factory)
        parsed = Parser(context, text).parse_module()
        out = io.StringIO()
        Printer(stream=out, print_generic_format=True).print_op(parsed)
        names = Counter(getattr(op, "op_name", None) and op.op_name.data or op.name for op in parsed.walk())
        return out.getvalue(), names

    files = [corpus / "jax" / "lstm_scan.generic.mlir", *sorted((corpus / "upstream").rglob("*.generic.mlir"))[:400:20]]
    compared = 0
    for path in files:
        if ".loc." in path.name:
            continue
        module = rmlir.open(path)
        try:
            text, names = xdsl_text(module.to_text(generic=True))
        except Exception:  # xDSL knows a part of the syntax of attributes.
            continue
        back = rmlir.parse(text, allow_unknown=True)
        assert back.operation_counts() == module.operation_counts() == names, path
        compared += 1
    assert compared >= 5, compared


def test_whole_corpus_of_jax(corpus: Path) -> None:
    for path in sorted((corpus / "jax").glob("*.mlirbc")):
        text = path.with_suffix("").with_suffix(".loc.generic.mlir") if "vhlo" in path.name else path.with_suffix(".loc.generic.mlir")
        if not text.exists() or "portable" in path.name:
            continue
        assert rmlir.open(path).equals(rmlir.open(text), locations="vhlo" not in path.name), path
