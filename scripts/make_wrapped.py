#!/usr/bin/env python3
"""Makes files that wrap MLIR with the tools that people make them with.

    scripts/make_wrapped.py FOLDER

Each file comes with what is in it, as the tool itself gives it: NAME.expected has the bytes of the
module, NAME.functions the names of its functions. A tool that is missing is named in a line
"SKIPPED ...". Needs any of jax with flatbuffers, tensorflow, triton, iree-base-compiler.
"""

import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import zipfile


def has(package):
    found = importlib.util.find_spec(package) is not None
    if not found:
        print(f"SKIPPED: Python has no package {package}")
    return found


def write(folder, name, content):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(content)


def functions(text):
    """The names of the functions in the text of a module."""
    return "".join(sorted(f"{name}\n" for name in re.findall(r"func\.func (?:\w+ )?@([\w.$]+)", text)))


def jax_exports(folder):
    import jax
    import jax.numpy as jnp
    from jax import export

    def body(x):
        return jnp.where(x > 0, jnp.sin(x), jnp.cumsum(x)).sum()

    def save(name, exported, data):
        write(folder, name, data)
        write(folder, f"{name}.expected", exported.mlir_module_serialized)
        write(folder, f"{name}.functions", functions(exported.mlir_module()).encode())

    shape = jax.ShapeDtypeStruct((16,), jnp.float32)
    exported = export.export(jax.jit(body), platforms=["cpu"])(shape)
    save("model.jaxexport", exported, bytes(exported.serialize()))
    save("with_vjp.jaxexport", exported, bytes(exported.serialize(vjp_order=2)))
    # A file of another tool in which the module is text in JSON, and its bytecode base64.
    import base64

    record = {
        "model": {"name": "f", "text": exported.mlir_module()},
        "code": base64.b64encode(exported.mlir_module_serialized).decode(),
    }
    write(folder, "record.json", json.dumps(record).encode())
    write(folder, "record.json.expected", exported.mlir_module_serialized)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("weights.bin", bytes(1000))
        out.writestr("model/model.jaxexport", bytes(exported.serialize()))
    write(folder, "model.zip", archive.getvalue())
    write(folder, "model.zip.expected", exported.mlir_module_serialized)
    write(folder, "model.zip.functions", functions(exported.mlir_module()).encode())

    # A kernel of Pallas for TPUs: Mosaic's bytecode, base64, in JSON, in an attribute.
    try:
        from jax.experimental import pallas as pl

        def kernel(x_ref, y_ref, o_ref):
            o_ref[...] = x_ref[...] + y_ref[...]

        def add(x, y):
            return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x, y)

        shape = jax.ShapeDtypeStruct((8, 128), jnp.float32)
        exported = export.export(jax.jit(add), platforms=["tpu"])(shape, shape)
    except Exception as error:  # whatever this release of JAX lacks
        print(f"SKIPPED: no kernel for TPUs: {error}")
        return
    text = exported.mlir_module()
    save("kernel.jaxexport", exported, bytes(exported.serialize()))
    write(folder, "kernel.mlir", text.encode())
    body = re.search(r"body\\22: \\22([A-Za-z0-9+/=]+)", text)
    if body:
        write(folder, "kernel.kernel", base64.b64decode(body.group(1)))
    else:
        print("SKIPPED: the kernel for TPUs is not where it was")


def saved_model(folder):
    import jax
    import jax.numpy as jnp
    import tensorflow as tf
    from jax.experimental import jax2tf

    converted = jax2tf.convert(lambda x: jnp.sin(x) * 2, native_serialization=True)
    module = tf.Module()
    signature = [tf.TensorSpec((4,), tf.float32)]
    module.f = tf.function(converted, autograph=False, input_signature=signature)
    tf.saved_model.save(module, os.path.join(folder, "saved_model"))
    graph = module.f.get_concrete_function().graph.as_graph_def(add_shapes=False)
    nodes = [node for function in graph.library.function for node in function.node_def]
    nodes.extend(graph.node)
    call = next(node for node in nodes if node.op == "XlaCallModule")
    write(folder, "saved_model.expected", call.attr["module"].s)
    write(folder, "graph.pb", graph.SerializeToString())
    write(folder, "graph.pb.expected", call.attr["module"].s)


def triton_cache(folder):
    """Compiles a kernel for a GPU that need not be there."""
    cache = os.path.join(folder, "triton_cache")
    os.environ["TRITON_CACHE_DIR"] = cache
    import triton
    import triton.language as tl
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    source = os.path.join(folder, "triton_kernel.py")
    with open(source, "w") as out:
        out.write(
            "import triton\nimport triton.language as tl\n\n@triton.jit\ndef add_kernel(x, y, out, n, BLOCK: tl.constexpr):\n"
            "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n    mask = at < n\n"
            "    tl.store(out + at, tl.load(x + at, mask) + tl.load(y + at, mask), mask)\n"
        )
    sys.path.insert(0, folder)
    from triton_kernel import add_kernel

    signature = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    compiled = triton.compile(
        ASTSource(fn=add_kernel, signature=signature, constexprs={"BLOCK": 128}),
        target=GPUTarget("cuda", 80, 32),
    )
    for stage in ["ttir", "ttgir"]:
        write(folder, f"triton_cache.{stage}", str(compiled.asm[stage]).encode())


def iree(folder):
    program = os.path.join(os.path.dirname(sys.executable), "iree-compile")
    source = os.path.join(folder, "iree_input.mlir")
    with open(source, "w") as out:
        out.write(
            "func.func @add(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
            "  %0 = arith.addf %x, %x : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n"
        )
    common = [program, source, "--iree-hal-target-backends=vmvx", "-o"]
    debug = "--iree-hal-executable-debug-level=3"
    for name, options in [("iree.vmfb", [debug]), ("iree_stream.mlirbc", ["--compile-to=stream", "--emit-mlir-bytecode"])]:
        run = subprocess.run([*common, os.path.join(folder, name), *options], capture_output=True, text=True)
        if run.returncode != 0:
            print(f"SKIPPED: iree-compile for {name}: {run.stderr[-300:]}")


def main():
    folder = os.path.abspath(sys.argv[1])
    os.makedirs(folder, exist_ok=True)
    makers = [("jax", jax_exports), ("tensorflow", saved_model), ("triton", triton_cache), ("iree", iree)]
    for package, make in makers:
        if has(package):
            try:
                make(folder)
            except Exception as error:  # the others are worth having
                print(f"SKIPPED: {package}: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
