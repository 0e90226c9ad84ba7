#!/usr/bin/env python3
"""Compares the time of splitting a module into files and linking them with that of reading and
writing it once.

  scripts/bench_split.py [CORPUS [OUT]]

CORPUS (default: $RMLIR_CORPUS or ../shared/corpus) must contain make_large.py. OUT (default: a
folder in /tmp) keeps the inputs. Needs mlir-opt-22, which makes them. funcs50000 is read and
written once, by `rmlir convert`, split into 100 files with declarations, and linked again, in each
form. All runs verify, and use as many threads as the machine has. Prints the best of five runs of
each, and the sum of the last two beside the first: elapsed time, and time on processors, which
depends less on what else the machine does. $RMLIR_PROFILE is the profile that is built, dist by
default; $RMLIR names a program that exists.
"""
import os, resource, shutil, subprocess, sys, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPUS = sys.argv[1] if len(sys.argv) > 1 else os.environ.get('RMLIR_CORPUS', os.path.join(ROOT, '../shared/corpus'))
OUT = sys.argv[2] if len(sys.argv) > 2 else '/tmp/rmlir-bench'
TARGET = os.environ.get('CARGO_TARGET_DIR', os.path.join(ROOT, 'target'))
PROFILE = os.environ.get('RMLIR_PROFILE', 'dist')
RMLIR = os.environ.get('RMLIR')
RUNS = 5
PARTS = '100'


def timed(*command):
    """Returns elapsed time and time on processors."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True)
    elapsed, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return elapsed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    global RMLIR
    if not RMLIR:
        RMLIR = os.path.join(TARGET, PROFILE, 'rmlir')
        subprocess.run(['cargo', 'build', '--profile', PROFILE, '--quiet', '-p', 'rmlir-tools'], cwd=ROOT, check=True)
    os.makedirs(OUT, exist_ok=True)
    base = os.path.join(OUT, 'funcs50000')
    if not os.path.exists(base + '.mlirbc'):
        subprocess.run([sys.executable, os.path.join(CORPUS, 'make_large.py'), OUT, 'funcs', '50000'], check=True,
                       stdout=subprocess.DEVNULL)
    if not os.path.exists(base + '.rmbc'):
        subprocess.run([RMLIR, 'convert', base + '.mlirbc', '-o', base + '.rmbc'], check=True)
    print(f'funcs50000, {PARTS} files    convert    split     link    ratio    on processors')
    for form in ('rmbc', 'mlirbc', 'mlir'):
        parts, whole, linked = (os.path.join(OUT, name) for name in ('parts', 'whole.' + form, 'linked.' + form))
        runs = []
        for _ in range(RUNS):
            shutil.rmtree(parts, ignore_errors=True)
            convert = timed(RMLIR, 'convert', f'{base}.{form}', '-o', whole)
            split = timed(RMLIR, 'split', f'{base}.{form}', '--parts', PARTS, '-o', parts)
            files = sorted(os.path.join(parts, name) for name in os.listdir(parts))
            runs.append((convert, split, timed(RMLIR, 'link', *files, '-o', linked)))
        convert, split, link = ([min(run[step][kind] for run in runs) for kind in (0, 1)] for step in range(3))
        ratio, on_processors = ((split[kind] + link[kind]) / convert[kind] for kind in (0, 1))
        print(f'  {form:<20} {convert[0]:>9.3f}{split[0]:>9.3f}{link[0]:>9.3f} s{ratio:>7.2f} x {on_processors:>10.2f} x')
        same = subprocess.run([RMLIR, 'diff', whole, linked], stdout=subprocess.DEVNULL).returncode == 0
        assert same, f'{linked} differs from {whole}'


main()
