#!/usr/bin/env python3
"""Counts the instructions that parts of rmlir execute on fixed inputs; unlike times, the counts do
not depend on the machine's load.

  scripts/instructions.py             prints the counts beside those of benches/instructions.tsv
  scripts/instructions.py --check     fails if a count is more than 3 % above or below its baseline
  scripts/instructions.py --update    writes the baseline

Builds benches/src/bin/measure.rs with the profile `suite` and runs it under valgrind's callgrind
on texts that are generated here. Hash tables are seeded at random, so each count is the median of
some runs.
Counts are those of one compiler on x86-64: a baseline of another release is shown and not checked.
"""
import os, platform, re, statistics, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.environ.get('CARGO_TARGET_DIR', os.path.join(ROOT, 'target'))
MEASURE = os.path.join(TARGET, 'suite/measure')
BASELINE = os.path.join(ROOT, 'benches/instructions.tsv')
TOLERANCE = 0.03
RUNS = 3
PARTS = ('text_parse', 'verify', 'text_print', 'rmbc_write', 'rmbc_read')


class Random:
    """A linear congruential generator: its sequence does not depend on the version of Python."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n

    def pick(self, items):
        return items[self.below(len(items))]


def generate(functions, located):
    """Returns a module in generic form: functions with arithmetic, loops and branches over several
    kinds of types, with attributes of every kind."""
    random = Random(1)
    line = 0
    out = ['#map = affine_map<(d0, d1) -> (d1, d0 + 4)>', '#set = affine_set<(d0) : (d0 - 1 >= 0)>',
           '!pair = tuple<i32, tensor<4x?xf32>>', '"builtin.module"() ({']
    shaped = ['tensor<4x?xf32>', 'tensor<?x?xf32>', 'vector<4x[8]xi16>', 'memref<2x3xf32, strided<[?, 1], offset: 3>>',
              'tensor<*xi8>', 'memref<?xf64, 3>', 'vector<16xbf16>', '!own.buffer<4, [1, 2]>']

    def location():
        nonlocal line
        line += 1
        if not located:
            return ''
        place = f'"source/file{line % 3}.py":{line}:{line % 60 + 1}'
        return f' loc({place})' if line % 5 else f' loc("name{line % 7}"({place}))'

    for number in range(functions):
        shape, width = random.pick(shaped), random.pick(['i64', 'i32', 'i1', 'i7'])
        names = {width: ['%a'], 'f32': ['%b'], shape: ['%c'], 'index': []}
        signature = f'({width}, f32, {shape}) -> ({width}, f32)'
        out.append(f'  "func.func"() <{{arg_attrs = [{{own.used}}, {{}}, {{own.range = [{number}, {number * 7}]}}], '
                   f'function_type = {signature}, sym_name = "f{number}"}}> ({{')
        out.append(f'  ^entry(%a: {width}{location()}, %b: f32{location()}, %c: {shape}{location()}):')
        values = 0

        def operation(kind, text, indent='    '):
            nonlocal values
            name = f'%{values}'
            values += 1
            out.append(f'{indent}{name} = {text}{location()}')
            names.setdefault(kind, []).append(name)

        for _ in range(random.below(30) + 10):
            what = random.below(12)
            a, b = random.pick(names[width]), random.pick(names[width])
            x, y = random.pick(names['f32']), random.pick(names['f32'])
            if what < 3:
                flags = random.pick(['none', 'nsw', 'nsw, nuw'])
                name = random.pick(['addi', 'muli', 'subi'])
                operation(width, f'"arith.{name}"({a}, {b}) <{{overflowFlags = #arith.overflow<{flags}>}}> : '
                                 f'({width}, {width}) -> {width}')
            elif what < 6:
                name = random.pick(['addf', 'mulf', 'maximumf'])
                operation('f32', f'"arith.{name}"({x}, {y}) <{{fastmath = #arith.fastmath<none>}}> : '
                                 '(f32, f32) -> f32')
            elif what == 6:
                value = 'true' if width == 'i1' else f'{random.below(64)} : {width}'
                operation(width, f'"arith.constant"() <{{value = {value}}}> : () -> {width}')
            elif what == 7:
                value = f'{random.below(1000)}.{random.below(1000)}e{random.below(40) - 20}'
                operation('f32', f'"arith.constant"() <{{value = {value} : f32}}> : () -> f32')
            elif what == 8:
                data = ', '.join(str(random.below(2000) - 1000) for _ in range(random.below(12) + 1))
                count = data.count(',') + 1
                operation('dense', f'"arith.constant"() <{{value = dense<[{data}]> : tensor<{count}xi64>}}> : () -> '
                                   f'tensor<{count}xi64>')
            elif what == 9:
                text = random.pick(['plain', 'with \\"quotes\\"', 'line\\0Abreak', 'tab\\09'])
                operation(shape, f'"own.cast"(%c, %b) {{map = #map, note = "{text} {random.below(50)}", pair = !pair, '
                                 f'set = #set, sizes = array<i64: {random.below(9)}, -9223372036854775808>}} : '
                                 f'({shape}, f32) -> {shape}')
            elif what == 10:
                out.append(f'    "own.loop"({x}) ({{')
                out.append(f'    ^body(%i: index{location()}):')
                operation('inner', f'"own.load"({random.pick(names[shape])}, %i) : ({shape}, index) -> f32', '      ')
                out.append(f'      "own.yield"() : () -> (){location()}')
                out.append(f'    }}) : (f32) -> (){location()}')
            else:
                out.append(f'    %{values}:2 = "own.split"({x}) {{of = @f{random.below(number + 1)}::@inner}} : '
                           f'(f32) -> (f32, f32){location()}')
                names['f32'].append(f'%{values}#1')
                values += 1
        out.append(f'    "cf.br"({names["f32"][-1]})[^exit] : (f32) -> (){location()}')
        out.append(f'  ^exit(%r: f32{location()}):')
        out.append(f'    "func.return"({names[width][-1]}, %r) : ({width}, f32) -> (){location()}')
        out.append(f'  }}) : () -> (){location()}')
    out.append(f'}}) : () -> (){location()}')
    return '\n'.join(out) + '\n'


def count(path):
    """Returns the number of instructions of each part, including its callees."""
    profile = path + '.callgrind'
    # glibc copies by `rep movsb` where the processor does so fast: an instruction for each byte.
    portable = os.environ | {'GLIBC_TUNABLES': 'glibc.cpu.hwcaps=-ERMS,-FSRM,-AVX512F,-AVX512VL'}
    subprocess.run(['valgrind', '--tool=callgrind', '-q', f'--callgrind-out-file={profile}', MEASURE, path],
                   check=True, stdout=subprocess.DEVNULL, env=portable)
    counts, names, callee, is_call = {}, {}, None, False
    for line in open(profile):
        found = re.match(r'cfn=\((\d+)\)(?: (.*))?', line)
        if found:
            names.setdefault(found[1], found[2])
            callee = names[found[1]]
        elif found := re.match(r'fn=\((\d+)\) (.*)', line):
            names[found[1]] = found[2]
        elif line.startswith('calls='):
            is_call = True
        elif is_call:
            is_call = False
            for part in PARTS:
                if callee and re.search(rf'\bpart_{part}\b', callee):
                    counts[part] = int(line.split()[1])
    return counts


def compiler():
    release = subprocess.run(['rustc', '-V'], check=True, capture_output=True, text=True).stdout.strip()
    return f'{release}, {platform.machine()}'


def main():
    mode = sys.argv[1] if len(sys.argv) > 1 else ''
    if mode not in ('', '--check', '--update'):
        sys.exit(__doc__)
    # Incremental builds divide the code otherwise, and so inline otherwise.
    subprocess.run(['cargo', 'build', '--profile', 'suite', '--quiet', '--workspace', '--bin', 'measure'], cwd=ROOT, check=True,
                   env=os.environ | {'CARGO_INCREMENTAL': '0'})
    counts, spread = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for name, located in (('plain', False), ('locations', True)):
            path = os.path.join(folder, name + ('.loc' if located else '') + '.generic.mlir')
            with open(path, 'w') as file:
                file.write(generate(400, located))
            runs = [count(path) for _ in range(RUNS)]
            for found in runs:
                if len(found) != len(PARTS):
                    sys.exit(f'callgrind did not show all parts: {sorted(found)}')
            for part in PARTS:
                numbers = [found[part] for found in runs]
                counts[name, part] = statistics.median(numbers)
                spread[name, part] = (max(numbers) - min(numbers)) / counts[name, part]
    header = f'# {compiler()}'
    if mode == '--update':
        with open(BASELINE, 'w') as file:
            file.write(header + '\n')
            file.writelines(f'{name}\t{part}\t{number}\n' for (name, part), number in counts.items())
        print(f'{BASELINE} is written')
        return
    rows = open(BASELINE).read().splitlines()
    baseline = {tuple(row.split('\t')[:2]): int(row.split('\t')[2]) for row in rows[1:]}
    comparable = rows[0] == header
    worse, better = [], []
    for key, number in counts.items():
        before = baseline.get(key)
        change = (number - before) / before if before else 0.0
        print(f'{key[0]:<10} {key[1]:<11} {number:>12,} {before or 0:>12,} {change:>+8.2%}   runs {spread[key]:.2%} apart')
        if before is None or change > TOLERANCE:
            worse.append(key)
        elif change < -TOLERANCE:
            better.append(key)
    if not comparable:
        print(f'!!! SKIPPED: the baseline is of another compiler ({rows[0][2:]}), this is {header[2:]}')
    elif mode == '--check' and worse:
        sys.exit(f'more instructions than the baseline and {TOLERANCE:.0%} allow: {worse}')
    elif mode == '--check' and better:
        sys.exit(f'fewer instructions than the baseline: run scripts/instructions.py --update and commit it: {better}')


main()
