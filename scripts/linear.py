#!/usr/bin/env python3
"""Checks that the instruction counts of commands on symbols are linear in the size of the input.

  scripts/linear.py [PROGRAM]      the rmlir program; by default that of the suites' profile

Runs each command under valgrind's callgrind on an input, on one four times as large, and on an
empty one, whose count is subtracted from both. A command whose count grows by more than a factor of
six is neither linear nor linear times a logarithm, and fails.
"""
import os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.environ.get('CARGO_TARGET_DIR', os.path.join(ROOT, 'target'))
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else os.path.join(TARGET, 'suite/rmlir')
# Smaller files have no symbol index; both sizes must have one to be comparable.
SIZES = (0, 1500, 6000)
GROWTH = 6


def flat(n, changed=''):
    return '\n'.join(f'func.func @f{i}() attributes {{a = {i}{changed}}} {{ return }}' for i in range(n))


def nested(n):
    return 'module @m {' * n + '}' * n


def deep_then_wide(n):
    half = n // 2
    return 'module @m {' * half + '\n'.join(f'func.func private @f{i}()' for i in range(half)) + '}' * half


def chain(n):
    calls = [f'func.func @f{i}() {{ call @f{i + 1}() : () -> () return }}' for i in range(n)]
    return '\n'.join(calls + [f'func.func @f{n}() {{ return }}'])


def announced(n):
    return '// expected-error {{never}}\n' * n


def instructions(arguments, folder, accepted):
    command = ['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null', *arguments]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode not in accepted:
        sys.exit(f'{" ".join(arguments)}: exit status {done.returncode}\n{done.stderr[-1000:]}')
    return int(re.search(r'Collected : (\d+)', done.stderr).group(1))


def main():
    # The generator of the input, its file formats, the command.
    table = [
        (flat, ('rmbc', 'mlirbc'), 'hash --symbols {a}'),
        (flat, ('mlir',), 'diff {a} {b}'),
        (nested, ('rmbc', 'mlirbc'), 'list {a}'),
        (nested, ('rmbc',), 'verify {a}'),
        (nested, ('mlir',), 'diff {a} {b}'),
        (deep_then_wide, ('rmbc',), 'verify {a}'),
        (chain, ('mlir', 'rmbc', 'mlirbc'), 'extract {a} @f0'),
        (announced, ('mlir',), 'translate'),
    ]
    failed = False
    translate = os.path.join(os.path.dirname(PROGRAM), 'rmlir-translate')
    with tempfile.TemporaryDirectory() as folder:
        inputs = {}
        for make in (flat, nested, deep_then_wide, chain, announced):
            for size in SIZES:
                name = f'{make.__name__}-{size}'
                with open(os.path.join(folder, name + '.mlir'), 'w') as file:
                    file.write(make(size))
                inputs[make, size] = name
                for form in {form for m, forms, _ in table if m is make for form in forms} - {'mlir'}:
                    subprocess.run([PROGRAM, 'convert', name + '.mlir', '-o', f'{name}.{form}'], cwd=folder, check=True)
        others = {flat: lambda n: flat(n, ', b'), nested: lambda n: nested(n + n // 2)}
        for make, other in others.items():
            for size in SIZES:
                with open(os.path.join(folder, f'other-{inputs[make, size]}.mlir'), 'w') as file:
                    file.write(other(size))
        for make, forms, command in table:
            for form in forms:
                counts = []
                for size in SIZES:
                    name = inputs[make, size]
                    if command == 'translate':
                        arguments = [translate, '--verify-diagnostics', name + '.mlir']
                    else:
                        filled = command.format(a=f'{name}.{form}', b=f'other-{name}.mlir')
                        # An empty file has no symbol to extract.
                        filled = filled.replace('extract', 'list') if size == 0 else filled
                        arguments = [PROGRAM, *filled.replace(' @m' if size == 0 else '\0', '')
                                     .replace(' @f0' if size == 0 else '\0', '').split()]
                    counts.append(instructions(arguments, folder, (0, 1)))
                small, large = counts[1] - counts[0], counts[2] - counts[0]
                growth = large / max(small, 1)
                verdict = 'ok' if growth <= GROWTH else 'NOT LINEAR'
                failed |= growth > GROWTH
                title = f'{make.__name__}.{form} {command}'
                print(f'{title:45} {small:>13,} {large:>13,}  x {growth:.2f}  {verdict}', flush=True)
    sys.exit(failed)


main()
