#!/usr/bin/env python3
"""Measure `rmlir cache run --per-function` beside the program alone.

  cache_speed.py RMLIR MODULE.mlirbc [ROUNDS]

MODULE is bytecode of functions, with locations. Cases: an empty cache, for which the program runs
on the whole input and on its parts at once, since it is not known yet; the same input again; one
function changed; all positions shifted by a line; all functions changed, which is an empty cache
for a program that is known. Plain runs alternate with these. Prints
wall-clock time and processor time of each case, how many times as fast as the plain run it is,
and whether the outputs are equal. Needs mlir-opt-22.
"""
import os, re, resource, shutil, subprocess, sys, tempfile, time

OPT = os.environ.get('MLIR_OPT', 'mlir-opt-22')
PIPELINE = '--pass-pipeline=builtin.module(func.func(canonicalize,cse))'


def run(*args, env=None):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(args, check=True, env=env, stdin=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    rmlir, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        text = subprocess.run([OPT, source, '--mlir-print-debuginfo', '--mlir-print-local-scope'], check=True,
                              capture_output=True, encoding='utf8').stdout

        def version(name, content):
            subprocess.run([OPT, '-', '--emit-bytecode', '-o', name], input=content, encoding='utf8', check=True)

        version('first.mlirbc', text)
        shifted = re.sub(r'(loc\("[^"]*":)(\d+)', lambda m: m.group(1) + str(int(m.group(2)) + 1), text)
        version('shifted.mlirbc', shifted)
        version('other.mlirbc', re.sub(r'(arith\.constant )(\d+)( : i64)', r'\g<1>7\2\3', text))
        # Another constant in a function in the middle.
        constants = list(re.finditer(r'arith\.constant (\d+) : i64', text))
        for number in range(rounds):
            middle = constants[len(constants) // 2 + number]
            version(f'changed{number}.mlirbc', text[:middle.start(1)] + str(4321 + number) + text[middle.end(1):])

        def plain(name):
            return run(OPT, PIPELINE, '--emit-bytecode', name, '-o', 'plain.out')

        def cached(name, cache):
            env = dict(os.environ, RMLIR_CACHE_DIR=cache)
            result = run(rmlir, 'cache', 'run', '--stage', 'speed', '--per-function', '-v', '-i', name, '-o', 'cached.out',
                         '--', OPT, PIPELINE, '--emit-bytecode', '{in}', '-o', '{out}', env=env)
            same = open('plain.out', 'rb').read() == open('cached.out', 'rb').read()
            if not same:
                same = subprocess.run([rmlir, 'diff', '--locations', 'plain.out', 'cached.out']).returncode == 0
            return result, same

        rows = {'cold': [], 'unchanged': [], 'one function changed': [], 'shifted by a line': [],
                'all functions changed': []}
        for number in range(rounds):
            cache = os.path.join(folder, 'cache')
            shutil.rmtree(cache, ignore_errors=True)
            for case, name in [('cold', 'first.mlirbc'), ('unchanged', 'first.mlirbc'),
                               ('one function changed', f'changed{number}.mlirbc'),
                               ('shifted by a line', 'shifted.mlirbc'),
                               ('all functions changed', 'other.mlirbc')]:
                alone = plain(name)
                rows[case].append((alone, *cached(name, cache)))
        for case, measured in rows.items():
            wall = min(alone[0] for alone, _, _ in measured) / min(own[0] for _, own, _ in measured)
            cpu = min(alone[1] for alone, _, _ in measured) / min(own[1] for _, own, _ in measured)
            best = min(measured, key=lambda row: row[1][0])
            print(f'{case:22} plain {best[0][0]:6.2f} s, {best[0][1]:6.2f} s CPU; cached {best[1][0]:6.2f} s, '
                  f'{best[1][1]:6.2f} s CPU; {wall:5.2f} x wall, {cpu:5.2f} x CPU; '
                  f'{"equal" if all(row[2] for row in measured) else "DIFFERENT"}')


main()
