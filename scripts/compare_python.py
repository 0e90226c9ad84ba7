#!/usr/bin/env python3
"""Times rmlir's Python package beside xDSL, jaxlib.mlir and zirium on the same files.

Each measurement is a process of its own, in CPU time: parse, walk counting the names of operations,
constants to NumPy; the best of several runs, one thread, and the peak of memory above the imports.

    compare_python.py FILE...                # .mlir in generic form, or .mlirbc
    compare_python.py --make DIR CORPUS      # writes stablehlo.generic.mlir, stablehlo.mlirbc

The files of --make have the modules of CORPUS/jax and CORPUS/stablehlo that jaxlib reads, each
several times. The functions of upstream's dialects are made by CORPUS/make_large.py DIR funcs 3000.
"""

import argparse
import glob
import json
import os
import resource
import subprocess
import sys
import time
from collections import Counter


def rmlir_package(path):
    import numpy  # noqa: F401

    import rmlir

    def parse():
        return rmlir.open(path, threads=1).load()

    def walk(module):
        return Counter(op.name for op in module.walk())

    def constants(module):
        found = 0
        for op in module.ops():
            attribute = op.attributes.get("value")
            data = attribute.data if attribute is not None else None
            if data is not None and data.dtype is not None and data.shape:
                found += data.numpy().nbytes
        return found

    return parse, walk, constants


def rmlir_bulk(path):
    parse, _, constants = rmlir_package(path)
    return parse, lambda module: Counter(module.operation_counts()), constants


def jaxlib_package(path):
    import numpy
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir

    context = jax_mlir.make_ir_context()
    context.allow_unregistered_dialects = True
    # Single-threaded, as the others.
    context.enable_multithreading(False)

    def parse():
        with open(path, "rb") as file:
            data = file.read()
        with context:
            return ir.Module.parse(data if data[:4] == b"ML\xefR" else data.decode(), context)

    def visit(operation, each):
        each(operation)
        for region in operation.regions:
            for block in region:
                for op in block:
                    visit(op.operation, each)

    def walk(module):
        names = Counter()

        def count(op):
            names[op.name] += 1

        visit(module.operation, count)
        return names

    def constants(module):
        found = 0

        def add(op):
            nonlocal found
            try:
                if "value" in op.attributes:
                    value = op.attributes["value"]
                    if isinstance(value, ir.DenseElementsAttr) and ir.ShapedType(value.type).rank:
                        found += numpy.array(value).nbytes
            except Exception:
                # The bindings have no arrays for some element types, such as complex numbers.
                pass

        visit(module.operation, add)
        return found

    return parse, walk, constants


def xdsl_package(path):
    import numpy
    from xdsl.context import Context
    from xdsl.dialects import builtin, get_all_dialects
    from xdsl.parser import Parser

    def parse():
        context = Context(allow_unregistered=True)
        for name, factory in get_all_dialects().items():
            context.register_dialect(name, factory)
        with open(path) as file:
            return Parser(context, file.read()).parse_module()

    def name_of(op):
        return op.op_name.data if isinstance(op, builtin.UnregisteredOp) else op.name

    def walk(module):
        return Counter(name_of(op) for op in module.walk())

    def constants(module):
        found = 0
        for op in module.walk():
            value = op.properties.get("value") or op.attributes.get("value")
            if isinstance(value, builtin.DenseIntOrFPElementsAttr) and value.get_shape():
                found += numpy.array(value.get_values()).reshape(value.get_shape()).nbytes
        return found

    return parse, walk, constants


def zirium_package(path):
    import zirium

    def parse():
        with open(path) as file:
            parsed = zirium.parse_text(file.read())
        # The strict form refuses what zirium does not know; then the other is measured.
        strict = parsed.lower_strict("semantic").document
        return strict if strict is not None else parsed.lower_best_effort("semantic").document

    def walk(document):
        table = document.operation_table()
        return Counter(table.operation(index).name for index in range(table.count))

    return parse, walk, None


PACKAGES = {
    "rmlir": rmlir_package,
    "rmlir, bulk": rmlir_bulk,
    "jaxlib.mlir": jaxlib_package,
    "xDSL": xdsl_package,
    "zirium": zirium_package,
}


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(package, path, repeat):
    parse, walk, constants = PACKAGES[package](path)
    before = peak()
    times = {"parse": [], "walk": [], "constants": []}
    operations = found = None
    sys.setrecursionlimit(100_000)
    for _ in range(repeat):
        start = time.process_time()
        module = parse()
        times["parse"].append(time.process_time() - start)
        start = time.process_time()
        operations = sum(walk(module).values())
        times["walk"].append(time.process_time() - start)
        if constants is not None:
            start = time.process_time()
            found = constants(module)
            times["constants"].append(time.process_time() - start)
        memory = peak() - before
        del module
    best = {name: min(all) if all else None for name, all in times.items()}
    return {**best, "memory": memory, "operations": operations, "bytes": found}


# How often the file of --make has each module of the corpus.
COPIES = 3


def make(directory, corpus):
    """Writes the StableHLO models of the corpus as one file, in generic form and as bytecode."""
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir

    context = jax_mlir.make_ir_context()
    context.allow_unregistered_dialects = True
    modules = []
    for folder in ("jax", "stablehlo/cases"):
        for path in sorted(glob.glob(os.path.join(corpus, folder, "*.generic.mlir"))):
            with open(path, encoding="utf8", errors="surrogateescape") as file:
                text = file.read()
            # Aliases and resources are global to a file, so they cannot be nested.
            if ".loc." in path or ".export." in path or not text.startswith('"builtin.module"') or "{-#" in text:
                continue
            # Named modules would be equal symbols of the module around all.
            text = f'"builtin.module"() ({{\n{text}}}) : () -> ()\n'
            try:
                with context:
                    ir.Module.parse(text, context)
            except Exception:
                continue
            modules.append(text)
    text = '"builtin.module"() ({\n' + "".join(modules * COPIES) + "}) : () -> ()\n"
    with open(os.path.join(directory, "stablehlo.generic.mlir"), "w", encoding="utf8") as file:
        file.write(text)
    with context, open(os.path.join(directory, "stablehlo.mlirbc"), "wb") as file:
        ir.Module.parse(text, context).operation.write_bytecode(file)
    print(f"{len(modules)} modules, {COPIES} times")


def shown(value, unit=1000.0, digits=1):
    return "-" if value is None else f"{value * unit:,.{digits}f}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("files", nargs="*", metavar="FILE")
    arguments.add_argument("--make", nargs=2, metavar=("DIR", "CORPUS"), help="write the StableHLO inputs and end")
    arguments.add_argument("--repeat", type=int, default=3)
    arguments.add_argument("--timeout", type=int, default=600)
    arguments.add_argument("--packages", nargs="*", default=list(PACKAGES))
    arguments.add_argument("--one", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.make:
        make(*options.make)
        return
    if options.one:
        print(json.dumps(measure(options.one, options.files[0], options.repeat)))
        return
    for path in options.files:
        print(f"\n{path}\n")
        print("| package | parse ms | walk ms | constants ms | MB | operations | bytes of constants |")
        print("|---|--:|--:|--:|--:|--:|--:|")
        for package in options.packages:
            command = [sys.executable, __file__, "--one", package, "--repeat", str(options.repeat), path]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout)
            except subprocess.TimeoutExpired:
                print(f"| {package} | more than {options.timeout} s | | | | | |")
                continue
            if done.returncode:
                reason = done.stderr.strip().splitlines()[-1][:100] if done.stderr.strip() else "crashed"
                print(f"| {package} | cannot: {reason} | | | | | |")
                continue
            row = json.loads(done.stdout)
            cells = [shown(row[name]) for name in ("parse", "walk", "constants")]
            cells += [shown(row["memory"], 1e-6), f"{row['operations']:,}", f"{row['bytes']:,}" if row["bytes"] is not None else "-"]
            print(f"| {package} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
