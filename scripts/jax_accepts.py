#!/usr/bin/env python3
"""Checks that modules exported by JAX round-trip through rmlir: JAX runs rmlir's output, and the
results must be equal to those of the original.

  scripts/jax_accepts.py [RMLIR]

RMLIR (default: target/release/rmlir) is the program. Needs the package `jax`. Each module is
written as upstream's bytecode again: unchanged, without its locations, by way of text, and by way
of the native bytecode.
"""
import dataclasses, os, subprocess, sys, tempfile

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.environ.get('CARGO_TARGET_DIR', os.path.join(ROOT, 'target'))
RMLIR = sys.argv[1] if len(sys.argv) > 1 else os.path.join(TARGET, 'release/rmlir')


def attention(x, w):
    scores = jax.nn.softmax(x @ w @ x.T / jnp.sqrt(x.shape[-1]))
    return jnp.where(scores > 0.1, scores, 0.0) @ x


def loop(x):
    return jax.lax.fori_loop(0, 5, lambda i, y: jnp.sin(y) * i + x, x)


def integers(x):
    return jnp.sort(x)[::-1], jnp.cumsum(x), (x % 3 == 0).any(), x.astype(jnp.bfloat16)


def convolution(x, k):
    return jax.lax.conv_general_dilated(x, k, (1, 1), 'SAME', feature_group_count=1)


CASES = [
    (attention, [np.linspace(-1, 1, 32, dtype=np.float32).reshape(8, 4), np.ones((4, 4), np.float32)]),
    (jax.grad(lambda x, w: attention(x, w).sum(), argnums=1),
     [np.linspace(-1, 1, 32, dtype=np.float32).reshape(8, 4), np.ones((4, 4), np.float32)]),
    (loop, [np.arange(6, dtype=np.float32)]),
    (integers, [np.array([5, 3, 9, 1, 12], np.int32)]),
    (convolution, [np.ones((1, 2, 5, 5), np.float32), np.ones((3, 2, 3, 3), np.float32)]),
]


def through(folder, data, steps):
    """Applies `steps`, each a run of rmlir on the preceding output; returns the last output."""
    path = os.path.join(folder, 'in.mlirbc')
    open(path, 'wb').write(data)
    for number, (arguments, extension) in enumerate(steps):
        out = os.path.join(folder, f'{number}.{extension}')
        subprocess.run([RMLIR, *arguments, path, '-o', out], check=True)
        path = out
    return open(path, 'rb').read()


WAYS = {
    'as it came': [(['convert', '--to', 'mlirbc'], 'mlirbc')],
    'without locations': [(['strip', '--to', 'mlirbc'], 'mlirbc')],
    'by way of text': [(['convert', '--to', 'generic', '--debuginfo'], 'mlir'),
                       (['convert', '--to', 'mlirbc', '--target', 'jax-202608'], 'mlirbc')],
    'by way of rmbc': [(['convert', '--to', 'rmbc'], 'rmbc'),
                       (['convert', '--to', 'mlirbc', '--target', 'stablehlo-202608'], 'mlirbc')],
}


def main():
    with tempfile.TemporaryDirectory() as folder:
        for function, arguments in CASES:
            exported = export.export(jax.jit(function))(*arguments)
            expected = jax.tree.leaves(exported.call(*arguments))
            data = bytes(exported.mlir_module_serialized)
            for way, steps in WAYS.items():
                ours = through(folder, data, steps)
                again = dataclasses.replace(exported, mlir_module_serialized=ours)
                found = jax.tree.leaves(again.call(*arguments))
                for a, b in zip(expected, found, strict=True):
                    np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
                same = 'the same bytes' if ours == data else f'{len(ours)} bytes of {len(data)}'
                print(f'{function.__name__:<12} {way:<18} {same}')
    print(f'jax {jax.__version__} accepts all')


main()
