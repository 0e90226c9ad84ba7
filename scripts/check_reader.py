#!/usr/bin/env python3
"""Runs the reader of scripts/read_rmbc.py on many files.

  scripts/check_reader.py [--files N] [--sets N] [--flips N] [CORPUS]

Of N files of CORPUS (default: $RMLIR_CORPUS or ../shared/corpus), evenly spread and each of at most
256 KiB, writes native bytecode with some of the option sets below, in turn (--sets: how many for a
file). The reader must read each file, and compute the fingerprints that `rmlir hash` computes of
the original file, without and with locations. Then flips one bit in each of N copies of these files
(--flips), which the reader must refuse. $RMLIR is the program rmlir, target/suite/rmlir by default.
"""
import os, random, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import read_rmbc

ROOT = read_rmbc.ROOT
RMLIR = os.environ.get('RMLIR', os.path.join(ROOT, 'target/suite/rmlir'))
SETS = [[], ['--compress', '3'], ['--fingerprints'], ['--no-index'], ['--compress', '19', '--fingerprints'], ['--no-names'],
        ['--blob-alignment', '64'], ['--no-locations'], ['--blob-alignment', '4096', '--compress', '5'], ['--external-blobs', '4'],
        ['--no-index', '--no-names', '--compress', '1'], ['--external-blobs', '16'], ['--no-locations', '--fingerprints', '--no-index']]


def argument(name, default):
    if name not in sys.argv:
        return default
    at = sys.argv.index(name)
    value = int(sys.argv[at + 1])
    del sys.argv[at:at + 2]
    return value


def run(*command):
    return subprocess.run([RMLIR, *command], capture_output=True, text=True)


def fingerprints(path):
    """Returns the fingerprints without and with locations; None if the file is not read."""
    both = []
    for options in ([], ['--locations']):
        done = run('hash', '--no-verify', *options, path)
        if done.returncode:
            return None
        both.append(done.stdout.split()[0])
    return both


def corpus_files(folder, count):
    found = []
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            if name.endswith(('.mlir', '.mlirbc')) and os.path.getsize(path) <= 256 * 1024:
                found.append(path)
    found.sort()
    random.Random(2).shuffle(found)
    return found[:count * 2]


def main():
    files, sets, flips = argument('--files', 60), argument('--sets', 2), argument('--flips', 500)
    corpus = sys.argv[1] if len(sys.argv) > 1 else os.environ.get('RMLIR_CORPUS', os.path.join(ROOT, '../shared/corpus'))
    sys.setrecursionlimit(10_000)
    counts, kept, read, wrong, turn = {}, [], 0, [], 0
    with tempfile.TemporaryDirectory() as folder:
        for path in corpus_files(corpus, files):
            if read == files or len(wrong) > 10:
                break
            expected = fingerprints(path)
            if expected is None:
                continue
            read += 1
            for _ in range(sets):
                options = SETS[turn % len(SETS)]
                turn += 1
                written = os.path.join(folder, f'{turn}.rmbc')
                done = run('convert', '--no-verify', *options, path, '-o', written)
                if done.returncode:
                    wrong.append(f'{path} {options}: {done.stderr}')
                    continue
                data = open(written, 'rb').read()
                try:
                    file = read_rmbc.read(data, folder)
                    found = [read_rmbc.Fingerprint(file.top, file, locations).digest.hex() for locations in (False, True)]
                except read_rmbc.Damage as damage:
                    wrong.append(f'{path} {options}: {damage}')
                    continue
                compared = 1 if '--no-locations' in options else 2
                if found[:compared] != expected[:compared]:
                    wrong.append(f'{path} {options}: {found} instead of {expected}')
                name = ' '.join(options) or 'plain'
                counts[name] = counts.get(name, 0) + 1
                if len(data) < 4096 and '--external-blobs' not in options and len(kept) < 200:
                    kept.append((path, data))
        for name, count in sorted(counts.items()):
            print(f'{count:>6}  {name}')
        print(f'{read} files, {sum(counts.values())} native files read, with the same fingerprints: {not wrong}')
    numbers = random.Random(18)
    for number in range(flips if kept else 0):
        path, data = kept[number % len(kept)]
        bad = bytearray(data)
        at = numbers.randrange(len(bad))
        bad[at] ^= 1 << numbers.randrange(8)
        try:
            read_rmbc.read(bytes(bad))
            wrong.append(f'{path}: read with a flipped bit in byte {at}')
        except read_rmbc.Damage:
            pass
    print(f'{flips} files with a flipped bit')
    sys.exit('\n'.join(wrong) or 0)


main()
