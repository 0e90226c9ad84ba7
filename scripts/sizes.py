#!/usr/bin/env python3
"""Compares the sizes of rmbc with those of upstream's bytecode over the files of the corpus.

  scripts/sizes.py [CORPUS]

CORPUS (default: $RMLIR_CORPUS or ../shared/corpus) has files of upstream's bytecode (.mlirbc).
Needs the build of benches/src/bin/sizes.rs (in the profile $RMLIR_PROFILE, dist by default), and
zstd. Prints for each folder the sum over the files above 8 KiB, uncompressed and under zstd at
levels 1, 3 and 19, how far the last is from `xz -9` of the uncompressed files, and for small
modules (below 1,500 bytes) the median and the worst.

Files with more than half of their rmbc bytes in attributes, types and blobs are excluded from the
sums and counted separately: no layout makes embedded binaries and weights smaller.
"""
import lzma, os, statistics, subprocess, sys, tempfile, zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPUS = sys.argv[1] if len(sys.argv) > 1 else os.environ.get('RMLIR_CORPUS', os.path.join(ROOT, '../shared/corpus'))
TARGET = os.environ.get('CARGO_TARGET_DIR', os.path.join(ROOT, 'target'))
SIZES = os.path.join(TARGET, os.environ.get('RMLIR_PROFILE', 'dist'), 'sizes')
LEVELS = (1, 3, 19)


def varint(data, at):
    first = data[at]
    if first < 192:
        return first, at + 1
    if first < 248:
        return 192 + (first - 192) * 256 + data[at + 1], at + 2
    end = at + 1 + first - 246
    return int.from_bytes(data[at + 1:end], 'little'), end


def entries(path):
    """Returns the size in bytes of the sections of entries and blobs of an uncompressed file."""
    data = open(path, 'rb').read()
    length, at = varint(data, 11)
    offset = at + length
    _, at = varint(data, at)
    dictionary, at = varint(data, at)
    at += 4 if dictionary else 0
    count, at = varint(data, at)
    found = 0
    for _ in range(count):
        code, at = varint(data, at)
        length, at = varint(data, at)
        if code & 4:
            log, at = varint(data, at)
            offset += -offset % (1 << log)
        if code >> 3 == 0:
            inner = data[offset:offset + length]
            sections, place = varint(inner, 0)
            heads = []
            for number in range(sections):
                kind, place = varint(inner, place)
                size, place = varint(inner, place) if number < sections - 1 else (None, place)
                heads.append((kind >> 1, size))
            left = length - place - sum(size or 0 for _, size in heads)
            found += sum(left if size is None else size for kind, size in heads if kind in (4, 15))
            offset += length
            continue
        if code >> 3 in (4, 15):
            found += length
        offset += length + -(-length // 8192) * 4
    return found


def upstream(path, level):
    return len(subprocess.run(['zstd', '-q', '-c', f'-{level}', path], check=True, capture_output=True).stdout)


def main():
    paths = sorted(os.path.join(folder, name) for folder, _, names in os.walk(CORPUS) for name in names
                   if name.endswith('.mlirbc'))
    with tempfile.TemporaryDirectory() as kept:
        out = subprocess.run([SIZES, '--keep', kept, *map(str, LEVELS)], input='\n'.join(paths), text=True, check=True,
                             capture_output=True).stdout
        folders, small = {}, {}
        for line in out.splitlines():
            number, path, theirs, ours, *levels = line.split('\t')
            theirs, ours = int(theirs), int(ours)
            folder = os.path.relpath(path, CORPUS).split(os.sep)[0]
            if theirs < 1500:
                # The preset strings were chosen from one half of the test files; the other half
                # shows whether they generalize.
                case = os.path.basename(path).split('__')[0].split('.')[0]
                half = 'not used for preset strings' if zlib.crc32(case.encode()) & 1 else 'used for preset strings'
                small.setdefault((folder, half), []).append((ours / theirs, ours - theirs))
            if theirs <= 8192:
                continue
            sums = folders.setdefault(folder, [0, 0, 0, 0, [0] * 3, [0] * 3, 0])
            uncompressed = os.path.join(kept, number + '.rmbc')
            if entries(uncompressed) * 2 > ours:
                sums[1] += 1
                continue
            sums[0] += 1
            sums[2] += theirs
            sums[3] += ours
            sums[6] += len(lzma.compress(open(uncompressed, 'rb').read(), preset=9))
            for place, level in enumerate(LEVELS):
                sums[4][place] += upstream(path, level)
                sums[5][place] += int(levels[place])
    for folder, (count, left_out, theirs, ours, theirs_z, ours_z, xz) in sorted(folders.items()):
        if not count:
            continue
        compressed = ', '.join(f'zstd {level} {o / t:.3f}' for level, t, o in zip(LEVELS, theirs_z, ours_z))
        print(f'{folder}: {count} files ({left_out} left out), {theirs} to {ours} bytes: {ours / theirs:.3f}; {compressed}; '
              f'zstd 19 is {ours_z[2] / xz:.3f} of xz -9')
    for (folder, half), found in sorted(small.items()):
        ratio = statistics.median(r for r, _ in found)
        worst = max(d for _, d in found)
        more = sum(d > 96 for _, d in found)
        print(f'{folder}, small, {half}: {len(found)} files, median {ratio:.3f}; the worst {worst} bytes larger, '
              f'{more} more than 96')


main()
