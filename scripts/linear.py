#!/usr/bin/env python3
"""Checks that the instruction counts of commands on symbols are linear in the size of the input.

  scripts/linear.py [PROGRAM [WORD...]]   the rmlir program; by default that of the suites' profile;
                                          only rows whose titles contain one of the words

Runs each command under valgrind's cachegrind on an input, on one four times as large, and on an
empty one, whose count is subtracted from both. A command whose count grows by more than a factor of
six is neither linear nor linear times a logarithm, and fails. The inputs are modules, and
definitions of dialects.
"""
import concurrent.futures, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.environ.get('CARGO_TARGET_DIR', os.path.join(ROOT, 'target'))
PROGRAM = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(TARGET, 'suite/rmlir')
WORDS = sys.argv[2:]
# Operations of at most 1,024 operations are not divided in native bytecode, so that smaller files
# have no symbol index; both sizes must have one to be comparable.
SIZES = (0, 1050, 4200)
# Of modules in modules, 1,024 are in one that is not divided.
NESTED = {0: 0, 1050: 2100, 4200: 8400}
GROWTH = 6


def flat(n, changed=''):
    return '\n'.join(f'func.func @f{i}() attributes {{a = {i}{changed}}} {{ return }}' for i in range(n))


def nested(n):
    n = NESTED.get(n, n)
    return 'module @m {' * n + '}' * n


def deep_then_wide(n):
    half = NESTED.get(n, n) // 2
    return 'module @m {' * half + '\n'.join(f'func.func private @f{i}()' for i in range(half)) + '}' * half


def chain(n):
    calls = [f'func.func @f{i}() {{ call @f{i + 1}() : () -> () return }}' for i in range(n)]
    return '\n'.join(calls + [f'func.func @f{n}() {{ return }}'])


def loops(n):
    return 'func.func @f() {' + ''.join(f'affine.for %i{i} = 0 to 9 {{' for i in range(n)) + '}' * n + 'return }'


def call_sites(n):
    chain = (f'#l{i + 1} = loc(callsite("f" at {f"#l{i}" if i else "unknown"}))' for i in range(n))
    return '\n'.join([*chain, *(f'"t.o"() : () -> () loc(#l{i + 1})' for i in range(n))])


def files(n):
    """Locations that differ in their file only, as in modules that were linked."""
    return '\n'.join(f'"t.o"() : () -> () loc("f{i}.py":1:1)' for i in range(n))


def declarations(n):
    """Half of the functions that `flat` defines, as declarations, each with a caller."""
    return '\n'.join(f'func.func private @f{i}()\nfunc.func @g{i}() {{ call @f{i}() : () -> () return }}' for i in range(n // 2))


def mutual(n):
    """Functions that call the previous, the next and the first."""
    def function(i):
        calls = ' '.join(f'call @f{j}() : () -> ()' for j in ((i - 1) % n, (i + 1) % n, 0))
        return f'func.func @f{i}() {{ {calls} return }}'
    return '\n'.join(map(function, range(n)))


def constants(n):
    return 'func.func @f() {' + '\n'.join(f'%c{i} = arith.constant dense<[{i}, 1]> : tensor<2xi32>' for i in range(n)) + ' return }'


# Definitions, each with a text in the dialect, for 'dialect check' and for loading.

def joined(n, item, separator=', '):
    return separator.join(item(i) for i in range(n))


def uses(n):
    return f'uses {joined(max(n, 1), lambda i: f"d{i}")}', ''


def codec(n):
    names = joined(max(n, 1), lambda i: f'p{i}')
    fields = f'parameters {names}: int = 0\nformat `<` struct(params) `>`\ncodec 1 = {names}: svarint'
    return f'attribute x\n{fields}', '"t.y"() {a = #t.x<>} : () -> ()'


def enums(n):
    return joined(n, lambda i: f'enum E{i}: i32 bits "|"\ncases a = 1, b = 2', '\n'), ''


def used_enums(n):
    enum = lambda i: f'enum E{i}: i32\ncases a, b\nattribute x{i}\nparameters e: enum<E{i}>\nformat `<` $e `>`'
    return joined(n, enum, '\n'), joined(n, lambda i: f'"t.y"() {{a = #t.x{i}<b>}} : () -> ()', '\n')


def ranges(n):
    return joined(n, lambda i: f'attribute x since {i + 1} until {i + 1}', '\n'), ''


def optional_groups(n):
    operands = joined(max(n, 2), lambda i: f'a{i}: optional I32')
    format = joined(max(n, 2), lambda i: f'(`k{i}` $a{i}^)?', ' ')
    text = '"t.x"() <{operandSegmentSizes = array<i32: ' + joined(max(n, 2), lambda i: '0') + '>}> : () -> ()'
    return f'op x({operands})\ntraits AttrSizedOperandSegments\nformat {format} attr-dict', text


def types_match(n):
    names = joined(max(n, 2), lambda i: f'a{i}')
    operands = joined(max(n, 2), lambda i: f'a{i}: AnyType')
    format = f'{joined(max(n, 2), lambda i: f"$a{i}", " ")} attr-dict `:` type($a0)'
    chain = joined(max(n, 2) - 1, lambda i: f'  traits AllTypesMatch(a{i}, a{i + 1})', '\n')
    values = joined(max(n, 2), lambda i: '%v', ' ')
    return f'op x({operands})\n{chain}\nformat {format}', f'%v = "t.v"() : () -> i32\nt.x {values} : i32'


def operand_types(n):
    count = max(n, 1)
    operands = joined(count, lambda i: f'a{i}: AnyType')
    format = f'{joined(count, lambda i: f"$a{i}", " ")} attr-dict `:` {joined(count, lambda i: f"type($a{i})", " ")}'
    values, types = joined(count, lambda i: '%v', ' '), joined(count, lambda i: 'i32', ' ')
    return f'op x({operands})\nformat {format}', f'%v = "t.v"() : () -> i32\nt.x {values} : {types}'


def regions(n):
    count = max(n, 1)
    names = joined(count, lambda i: f'r{i}: AnyRegion')
    format = joined(count, lambda i: f'$r{i}', ' ')
    return f'op x\nregions {names}\nformat {format} attr-dict', 't.x ' + joined(count, lambda i: '{}', ' ')


def named_types(n):
    declared = lambda i: f'type x{i}\nparameters p: type<x{i + 1}>\nformat `<` $p `>`'
    return joined(n, declared, '\n') + f'\ntype x{n}', f'"t.y"() : () -> !t.x{n}'


def defaults(n):
    parameters = joined(max(n, 1), lambda i: f'p{i + 1}: int = $p{i}')
    return f'attribute x\nparameters p0: int, {parameters}\nformat `<` struct(params) `>`', '"t.y"() {a = #t.x<p0 = 1>} : () -> ()'


def attributes(n):
    declared = joined(n, lambda i: f'attr a{i}: I32Attr', '\n')
    format = joined(n, lambda i: f'$a{i}', ' ')
    return f'op x\n{declared}\nformat {format} attr-dict', 't.x ' + joined(n, str, ' ')


def announced(n):
    return '// expected-error {{never}}\n' * n


def instructions(arguments, folder, accepted):
    # The fastest of valgrind's tools that count instructions.
    command = ['valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', *arguments]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode not in accepted:
        sys.exit(f'{" ".join(arguments)}: exit status {done.returncode}\n{done.stderr[-1000:]}')
    return int(re.search(r'I +refs: +([\d,]+)', done.stderr).group(1).replace(',', ''))


def report(title, counts):
    """Prints counts for an empty, a small and a large input; returns whether they grow too fast."""
    small, large = counts[1] - counts[0], counts[2] - counts[0]
    growth = large / max(small, 1)
    # Counts that do not exceed those of the empty input measure nothing.
    is_linear = small > 0 and growth <= GROWTH
    verdict = 'ok' if is_linear else 'NOT LINEAR'
    print(f'{title:45} {small:>13,} {large:>13,}  x {growth:.2f}  {verdict}', flush=True)
    return not is_linear


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
        (nested, ('rmbc',), 'info {a}'),
        (nested, ('rmbc', 'mlirbc'), 'size {a}'),
        (nested, ('rmbc', 'mlirbc'), 'list --signature {a}'),
        (nested, ('mlir', 'rmbc', 'mlirbc'), 'dump {a}'),
        # Not as text, whose indentation is quadratic in the depth.
        (nested, ('rmbc',), 'extract {a} @m -o {a}.part.rmbc'),
        (loops, ('mlir',), 'diff {a} {b}'),
        (call_sites, ('mlir',), 'grep t.* {a}'),
        (files, ('mlir', 'mlirbc'), 'convert {a} -o {a}.part.rmbc'),
        (files, ('mlir', 'rmbc'), 'convert {a} -o {a}.part.mlirbc'),
        (announced, ('mlir',), 'translate'),
        # What reads a text is what `convert` does, except for a few commands.
        *((flat, ('rmbc', 'mlirbc'), command) for command in (
            'list {a}', 'info {a}', 'view {a}', 'grep func.func {a}', 'stats {a}', 'size {a}', 'hash {a}',
            'strip {a} -o {a}.part.rmbc',
        )),
        *((flat, ('mlir',), command) for command in ('list {a}', 'verify {a}', 'stats {a}', 'size {a}')),
        (flat, ('mlir', 'rmbc'), 'convert {a} -o {a}.part.mlirbc'),
        (flat, ('mlir', 'mlirbc'), 'convert {a} -o {a}.part.rmbc'),
        (flat, ('rmbc', 'mlirbc'), 'diff {a} {b}'),
        (flat, ('mlir',), 'hash --symbols {a}'),
        (flat, ('mlir',), 'link {a} {declarations} -o {a}.part.rmbc'),
        (flat, ('mlir',), 'cache key --stage s --input {a} -- true'),
        *((flat, ('rmbc',), f'split {{a}} --to {form} -o {{a}}.{form}.parts') for form in ('text', 'rmbc', 'mlirbc')),
        (mutual, ('mlir', 'rmbc', 'mlirbc'), 'extract {a} @f1 -o {a}.part.rmbc'),
        (mutual, ('mlir',), 'size {a}'),
        (mutual, ('mlir',), 'hash --symbols {a}'),
        (constants, ('mlir', 'mlirbc'), 'weights list {a}'),
    ]
    failed = False
    translate = os.path.join(os.path.dirname(PROGRAM), 'rmlir-translate')
    with tempfile.TemporaryDirectory() as folder:
        inputs = {}
        for make in (flat, nested, deep_then_wide, chain, loops, call_sites, files, announced, declarations, mutual, constants):
            for size in SIZES:
                name = f'{make.__name__}-{size}'
                with open(os.path.join(folder, name + '.mlir'), 'w') as file:
                    file.write(make(size))
                inputs[make, size] = name
                for form in {form for m, forms, _ in table if m is make for form in forms} - {'mlir'}:
                    subprocess.run([PROGRAM, 'convert', name + '.mlir', '-o', f'{name}.{form}'], cwd=folder, check=True)
        others = {flat: lambda n: flat(n, ', b'), nested: lambda n: nested(n + n // 2), loops: lambda n: loops(n + n // 2)}
        for make, other in others.items():
            for size in SIZES:
                with open(os.path.join(folder, f'other-{inputs[make, size]}.mlir'), 'w') as file:
                    file.write(other(size))
        # Counts do not depend on what else runs, so all cores count.
        pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        measured = []

        # The run on an empty input measures the start, once for a command and a form.
        empty = {}

        def measure(title, command, runs):
            if WORDS and not any(word in title for word in WORDS):
                return
            submit = lambda run: pool.submit(instructions, run[0], folder, run[1])
            if command not in empty:
                empty[command] = submit(runs[0])
            measured.append((title, [empty[command], *map(submit, runs[1:])]))

        for make in (uses, codec, enums, used_enums, ranges, optional_groups, types_match, operand_types, regions,
                     named_types, defaults, attributes):
            runs = {'dialect check': [], 'convert': []}
            for size in (0, 400, 1600):
                definition, text = make(size)
                stem = f'{make.__name__}-{size}'
                for name, content in (('dialect', f'dialect t\n{definition}\n'), ('mlir', text)):
                    with open(os.path.join(folder, f'{stem}.{name}'), 'w') as file:
                        file.write(content)
                runs['dialect check'].append(([PROGRAM, 'dialect', 'check', f'{stem}.dialect'], (0, 1)))
                convert = [PROGRAM, 'convert', '--dialect', f'{stem}.dialect', f'{stem}.mlir', '-o', f'{stem}-out']
                runs['convert'].append((convert, (0,)))
            for command, all in runs.items():
                measure(f'{make.__name__} {command}', command, all)
        for make, forms, command in table:
            for form in forms:
                runs = []
                for size in SIZES:
                    name = inputs[make, size]
                    if command == 'translate':
                        arguments = [translate, '--verify-diagnostics', name + '.mlir']
                    else:
                        filled = command.format(a=f'{name}.{form}', b=f'other-{name}.mlir',
                                                declarations=inputs[declarations, size] + '.mlir')
                        # An empty file has no symbol to extract.
                        if size == 0 and filled.startswith('extract'):
                            filled = f'list {name}.{form}'
                        arguments = [PROGRAM, *filled.split()]
                    # The first run hashes the tool, and stores the hash for the following runs.
                    if size == 0 and command.startswith('cache'):
                        subprocess.run(arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
                    runs.append((arguments, (0, 1)))
                measure(f'{make.__name__}.{form} {command}', (form, command), runs)
        for title, counts in measured:
            failed |= report(title, [count.result() for count in counts])
    sys.exit(failed)


main()
