#!/usr/bin/env python3
"""Measures how the Python package scales with threads.

Each kind of work is done WORK times on one Python thread and on two, in wall time; the best of
several rounds. The package releases the interpreter's lock, so two threads take about half of the
time where two cores are free. Needs the wheel to be installed.

    python_threads.py FILE.mlir      # some megabytes
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import rmlir

WORK = 8
# The number of functions of a module that is too small to be divided.
SMALL = 300
ROUNDS = 5


def main():
    with open(sys.argv[1], "rb") as file:
        text = file.read()
    module = rmlir.open(text).load()
    native, upstream = module.to_bytes("rmbc"), module.to_bytes("mlirbc")
    # The printer divides only large modules.
    paths = [symbol.path for symbol in module.symbols()]
    small = module.extract(paths[: min(len(paths), SMALL)])
    # By default the package divides the work on a large module among all cores itself.
    kinds = {
        "parse text": lambda: rmlir.parse(text, threads=1),
        "read rmbc": lambda: rmlir.open(native, threads=1).load(),
        "read mlirbc": lambda: rmlir.open(upstream, threads=1).load(),
        "print text": lambda: [small.to_text() for _ in range(10)],
        "write rmbc": lambda: module.to_bytes("rmbc", threads=1),
        "read and hash": lambda: rmlir.open(native, threads=1).load().fingerprint(),
    }
    print("| work | 1 thread | 2 threads | ratio |")
    print("|---|--:|--:|--:|")
    for name, work in kinds.items():
        best = {}
        for _ in range(ROUNDS):
            for threads in (1, 2):
                with ThreadPoolExecutor(threads) as pool:
                    start = time.perf_counter()
                    for done in [pool.submit(work) for _ in range(WORK)]:
                        done.result()
                    taken = time.perf_counter() - start
                best[threads] = min(best.get(threads, taken), taken)
        one, two = best[1] * 1000, best[2] * 1000
        print(f"| {name} | {one:,.0f} ms | {two:,.0f} ms | {two / one:.2f} |", flush=True)


main()
