#!/usr/bin/env python3
"""Compares conversions between StableHLO and VHLO with those of jaxlib.

  scripts/portable_artifacts.py [RMLIR]

RMLIR (default: target/release/rmlir) is the program. Needs the package `jax`. Without a corpus
($RMLIR_CORPUS, default ../shared/corpus), compares the modules of examples/ and those below. Each
module is written as a portable artifact of several versions by both; the verdict and the bytes
must be equal, and where bytes differ, the content with all locations. Both convert each artifact
back, to equal modules, and prints each with the same text, which is read with the same content. At
last JAX runs artifacts that rmlir wrote.

$RMLIR_CORPUS_FILTER selects paths, VERSIONS is a list of versions. Of the modules of StableHLO's
tests, which are many, each twentieth is compared; EVERY=1 compares all.
"""
import collections, dataclasses, glob, io, os, subprocess, sys, tempfile

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.environ.get('CARGO_TARGET_DIR', os.path.join(ROOT, 'target'))
RMLIR = sys.argv[1] if len(sys.argv) > 1 else os.path.join(TARGET, 'release/rmlir')
CORPUS = os.environ.get('RMLIR_CORPUS', os.path.join(ROOT, '../shared/corpus'))
FILTER = os.environ.get('RMLIR_CORPUS_FILTER', '')
NEWEST = stablehlo.get_current_version()
# The release of the bytecode that this jaxlib reads as VHLO.
RELEASE = 'stablehlo-202608'
EVERY = int(os.environ.get('EVERY', '20'))
VERSIONS = os.environ.get('VERSIONS', f'0.9.0 0.17.3 1.5.0 1.12.0 {NEWEST}').split()

# What the corpus has little of: refused modules, defaults, empty lists.
MODULES = {
    'module attributes': 'module @m attributes {mhlo.num_partitions = 1 : i32, a.b = [unit]} {'
                         ' func.func private @f(tensor<?x4xf32, #stablehlo.bounds<3, ?>>) }',
    'nested modules': 'module { module @n { func.func @f() { return } } }',
    'attributes of functions': 'func.func @f(%x: tensor<4xi1> {tf.x = "y"}) -> (tensor<4xi1> {a.b = 1 : i8})'
                               ' attributes {jax.uses_shape_polymorphism = false} { return %x : tensor<4xi1> }',
    'unit attribute': 'func.func @f(%x: tensor<4xi1> {a.b}) { return }',
    'symbols in attributes': 'func.func @f() attributes {a.b = @f, a.c = array<i64: 1, 1>} { return }',
    'odd integer': 'func.func @f(%x: tensor<4xi3>) { return }',
    'vector': 'func.func @f(%x: vector<4xi1>) { return }',
    'chlo': 'func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {'
            ' %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32> return %0 : tensor<4xf32> }',
    'mesh': 'sdy.mesh @mesh = <["x"=2]> func.func @f() { return }',
    'sharding': 'sdy.mesh @mesh = <["x"=2]> func.func @f(%x: tensor<4xf32>'
                ' {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) { return }',
    'typed call': 'func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { %0 = stablehlo.custom_call @x(%x)'
                  ' {api_version = 4 : i32} : (tensor<4xf32>) -> tensor<4xf32> return %0 : tensor<4xf32> }',
    'accuracy': 'func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { %0 = stablehlo.sqrt %x'
                ' {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}'
                ' : tensor<4xf32> return %0 : tensor<4xf32> }',
    'no spatial dimensions': 'func.func @f(%x: tensor<4x4xf32>) { %0 = stablehlo.convolution(%x, %x)'
                             ' dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64,'
                             ' feature_group_count = 1 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> return }',
    'constants': 'func.func @f() { %0 = stablehlo.constant dense<true> : tensor<1xi1>'
                 ' %1 = stablehlo.constant dense<> : tensor<0xi1> %2 = stablehlo.constant dense<true> : tensor<9xi1>'
                 ' %3 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>'
                 ' %4 = stablehlo.constant dense<-3> : tensor<i4> %5 = stablehlo.constant dense<(1.0, -0.0)> : tensor<2xcomplex<f32>>'
                 ' %6 = stablehlo.constant dense<[1, 2]> : tensor<2xui8> return }',
    'resource': 'func.func @f() { %0 = stablehlo.constant dense_resource<a> : tensor<2xf32> return }'
                ' {-# dialect_resources: { builtin: { a: "0x040000000000803F0000803F" } } #-}',
    'type attributes': 'func.func @f() attributes {a.b = none, a.c = tensor<2xf4E2M1FN>, a.d = i2} { return }',
}

# Modules of which jaxlib refuses a mixed artifact by a verifier that rmlir lacks: chlo.scan infers
# its results from values of its region, which then have types of VHLO.
VERIFIED = {f'tests_ops_chlo__{number:03}.mlirbc' for number in range(33, 38)}


def artifact(text, version, other_dialects):
    """Returns jaxlib's artifact of a module; None if it refuses."""
    with jax_mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(text)
        try:
            return stablehlo.serialize_portable_artifact(module, version, other_dialects)
        except Exception:
            return None


def bytecode(text):
    """Returns a text as bytecode, so that both read the same locations; None if it is invalid."""
    with jax_mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        out = io.BytesIO()
        ir.Module.parse(text).operation.write_bytecode(out)
        return out.getvalue()


def generic(module):
    return module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True,
                                    large_elements_limit=None)


def content(data):
    with jax_mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        return generic(ir.Module.parse(data))


def printed(data):
    """Returns the text of an artifact with jaxlib's syntax of VHLO; None if jaxlib itself reads the
    text with other content: the syntax has no types of arguments of a function without a body."""
    with jax_mlir.make_ir_context():
        module = ir.Module.parse(data)
        text = module.operation.get_asm(enable_debug_info=True, large_elements_limit=None)
    return text if content(text) == content(data) else None


def upgraded(data):
    """Returns the generic text of what jaxlib makes of an artifact; None if it refuses."""
    with jax_mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        try:
            return generic(stablehlo.deserialize_portable_artifact(context, data))
        except Exception:
            return None


def rmlir(arguments, data):
    run = subprocess.run([RMLIR, 'convert', *arguments], input=data, capture_output=True)
    if run.returncode not in (0, 1):
        raise Exception(f'rmlir {arguments}: status {run.returncode}: {run.stderr.decode()}')
    return (run.stdout if run.returncode == 0 else None), run.stderr.decode(errors='replace')


def first_difference(ours, theirs):
    for a, b in zip(ours.splitlines(), theirs.splitlines()):
        if a != b:
            return f'\n  ours   {a[:400]}\n  theirs {b[:400]}'
    return ' in length'


def compare(source, other_dialects):
    """Yields the direction and the outcome of each comparison of a module."""
    extra = ['--allow-other-dialects'] if other_dialects else []
    for version in VERSIONS:
        # In older bytecode, jaxlib loses properties of unregistered operations.
        if other_dialects and tuple(map(int, version.split('.'))) < (0, 15, 0):
            continue
        theirs = artifact(source, version, other_dialects)
        ours, reason = rmlir([f'--to=vhlo={version}', '--to=mlirbc', *extra, '-'], source)
        way = f'to {version}'
        if theirs is None or ours is None:
            if theirs is not ours:
                yield way, 'other verdict', reason or 'jaxlib refuses'
            else:
                yield way, 'both refuse', ''
            continue
        if ours == theirs:
            yield way, 'same bytes', ''
        else:
            a, b = content(ours), content(theirs)
            yield (way, 'same content', '') if a == b else (way, 'DIFFERENT', first_difference(a, b))
        text = None if other_dialects else printed(theirs)
        if text is not None:
            shown, _ = rmlir(['--to=text', '--mlir-print-debuginfo', '-'], theirs)
            shown = shown and shown.decode()
            again, reason = rmlir(['--to=mlirbc', f'--target={RELEASE}', '-'], text.encode())
            if shown is None or shown.strip() != text.strip():
                yield f'text of {version}', 'DIFFERENT', first_difference(shown or '', text)
            elif again is None or content(again) != content(theirs):
                yield f'text of {version}', 'DIFFERENT', f'read again: {reason}'
            else:
                yield f'text of {version}', 'same text', ''
        wanted = upgraded(theirs)
        back, reason = rmlir(['--to=stablehlo', '--to=mlirbc', '-'], theirs)
        way = f'from {version}'
        if wanted is None or back is None:
            if (wanted is None) != (back is None):
                yield way, 'other verdict', reason or 'jaxlib refuses'
            else:
                yield way, 'both refuse', ''
            continue
        found = content(back)
        yield (way, 'same content', '') if found == wanted else (way, 'DIFFERENT', first_difference(found, wanted))


def sources():
    for name, text in MODULES.items():
        yield name, in_child(lambda: bytecode(text))
    paths = sorted(glob.glob(os.path.join(ROOT, 'examples/*.mlir')))
    paths += sorted(glob.glob(os.path.join(CORPUS, 'stablehlo/cases/*.mlirbc')))[::EVERY]
    jax_files = sorted(glob.glob(os.path.join(CORPUS, 'jax/*.mlirbc')))
    paths += [path for path in jax_files if 'vhlo' not in path]
    for path in paths:
        if FILTER in path:
            with open(path, 'rb') as file:
                data = file.read()
            is_text = path.endswith('.mlir')
            yield os.path.basename(path), in_child(lambda: bytecode(data)) if is_text else data


def in_child(work):
    """Runs `work` in a process of its own, and returns what it writes; None if it dies."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        status = 1
        try:
            with os.fdopen(write, 'w') as out:
                out.write(repr(work()))
            status = 0
        finally:
            os._exit(status)
    os.close(write)
    with os.fdopen(read) as result:
        text = result.read()
    _, status = os.waitpid(child, 0)
    return eval(text) if status == 0 else None


def is_valid(source):
    with jax_mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        try:
            ir.Module.parse(source)
            return True
        except Exception:
            return False


def check_modules():
    counts, failures, skipped = collections.Counter(), [], 0
    for name, source in sources():
        if source is None or not in_child(lambda: is_valid(source)):
            skipped += 1
            continue
        # Modules with operations of other dialects, which are refused by default.
        is_mixed = not in_child(lambda: artifact(source, NEWEST, False) is not None)
        for other_dialects in (False, True)[:1 + (is_mixed and name not in VERIFIED)]:
            outcomes = in_child(lambda: list(compare(source, other_dialects)))
            if outcomes is None:
                skipped += 1
                continue
            for way, outcome, detail in outcomes:
                mode = 'mixed ' if other_dialects else ''
                counts[mode + way, outcome] += 1
                if outcome in ('DIFFERENT', 'other verdict'):
                    failures.append(f'{name}, {mode}{way}: {outcome}{": " if outcome != "DIFFERENT" else ""}{detail}')
    for (way, outcome), count in sorted(counts.items()):
        print(f'{count:6} {way:<16} {outcome}')
    print(f'{skipped:6} not read by jaxlib, or it ended')
    return failures


def model(x, w):
    scores = jax.nn.softmax(x @ w @ x.T / jnp.sqrt(x.shape[-1]))
    return jax.lax.fori_loop(0, 3, lambda i, y: jnp.tanh(y) * i + y, scores @ x), jnp.sort(x)[::-1]


def check_runs():
    """JAX runs artifacts that rmlir wrote from StableHLO text."""
    arguments = [np.linspace(-1, 1, 32, dtype=np.float32).reshape(8, 4), np.ones((4, 4), np.float32)]
    exported = export.export(jax.jit(model))(*arguments)
    expected = jax.tree.leaves(exported.call(*arguments))
    for version in VERSIONS:
        ours, reason = rmlir([f'--to=vhlo={version}', '--to=mlirbc', '-'], exported.mlir_module().encode())
        assert ours, reason
        again = dataclasses.replace(exported, mlir_module_serialized=ours)
        for a, b in zip(expected, jax.tree.leaves(again.call(*arguments)), strict=True):
            np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
    print(f'jax {jax.__version__} runs artifacts of {", ".join(VERSIONS)}')


def main():
    failures = check_modules()
    for failure in failures[:40]:
        print(failure)
    if failures:
        sys.exit(f'{len(failures)} failures')
    check_runs()


main()
