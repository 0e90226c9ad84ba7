#!/usr/bin/env python3
"""Compares time, size and memory of rmlir with those of mlir-opt-22 on the same files.

  scripts/bench.py [--verified] [CORPUS [OUT]]

CORPUS (default: $RMLIR_CORPUS or ../shared/corpus) must contain make_large.py. OUT (default: a
folder in /tmp) keeps the generated inputs. Needs mlir-opt-22. Prints a table: the best of five
alternating runs of each program, with a warm page cache and without verification, where mlir-opt
itself times its parser and output (--mlir-timing); and the peak of anonymous memory of whole runs
of the programs.

With --verified both programs verify the module they parse or read, and the times include it.

Both programs use one thread, except in rows that state otherwise: there both use as many threads as
the machine has.

Then follow measurements that only native bytecode has: visiting its operations by events, and
decoding every field, without building IR;
reading one function of 100,000 and of 1,000, with the number of bytes of the file that are touched;
a file with 500 MB of blobs; peaks of memory. scripts/sizes.py compares sizes, also under zstd and
xz. $RMLIR_PROFILE is the profile that is built, dist by default.
"""
import os, re, subprocess, sys, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VERIFIED = '--verified' in sys.argv
ARGUMENTS = [a for a in sys.argv[1:] if a != '--verified']
CORPUS = ARGUMENTS[0] if ARGUMENTS else os.environ.get('RMLIR_CORPUS', os.path.join(ROOT, '../shared/corpus'))
OUT = ARGUMENTS[1] if len(ARGUMENTS) > 1 else '/tmp/rmlir-bench'
TARGET = os.environ.get('CARGO_TARGET_DIR', os.path.join(ROOT, 'target'))
PROFILE = os.environ.get('RMLIR_PROFILE', 'dist')
BUILT = os.path.join(TARGET, PROFILE)
MEASURE = os.path.join(BUILT, 'measure')
TRANSLATE = os.path.join(BUILT, 'rmlir-translate')
RMLIR = os.path.join(BUILT, 'rmlir')
OPT = os.environ.get('MLIR_OPT', 'mlir-opt-22')
FLAGS = ['--allow-unregistered-dialect', '--mlir-disable-threading']
if not VERIFIED:
    FLAGS.append('--mlir-very-unsafe-disable-verifier-on-parsing')
RUNS = 5
THREADS = os.cpu_count() or 1
THREADED = [flag for flag in FLAGS if flag != '--mlir-disable-threading']


def ours(path, threads=1):
    out = subprocess.run([MEASURE, path, str(threads)], check=True, capture_output=True, text=True).stdout
    return {k: float(v) for k, v in (line.split('\t') for line in out.splitlines())}


def theirs(path, *output, flags=FLAGS):
    err = subprocess.run([OPT, *flags, '--mlir-timing', *output, path, '-o', '/dev/null'], check=True,
                         capture_output=True, text=True).stderr
    return {m[2]: float(m[1]) for m in re.finditer(r'^\s*([\d.]+) \(\s*[\d.]+%\)\s+(Parser|Output)', err, re.M)}


def peak(*command):
    """Returns the peak of anonymous memory in MiB, sampled every few milliseconds."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    anonymous = 0
    while process.poll() is None:
        try:
            status = open(f'/proc/{process.pid}/status').read()
            found = re.search(r'RssAnon:\s+(\d+)', status)
            anonymous = max(anonymous, int(found[1]) if found else 0)
        except OSError:
            pass
        time.sleep(0.003)
    return anonymous / 1024


def resident(*command):
    """Returns the peak of resident memory in MiB, including mapped files, as the kernel counts it.

    For runs that are too short to be sampled.
    """
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_maxrss / 1024


def startup(*command):
    best = 9.0
    for _ in range(20):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


def make(base, arguments):
    """Generates the inputs with a name, unless they exist."""
    if not os.path.exists(base + '.mlirbc'):
        subprocess.run([sys.executable, os.path.join(CORPUS, 'make_large.py'), OUT, *arguments], check=True,
                       stdout=subprocess.DEVNULL)


def native(base, path):
    subprocess.run([RMLIR, 'convert', '--no-verify', base + '.mlirbc', '-o', path], check=True)


def least(results):
    return {k: min(r[k] for r in results) for k in results[0]}


def row(what, mine, other, unit='s'):
    ratio = f'{other / mine:8.2f} x' if unit == 's' else f'{mine / other:8.2f} x'
    print(f'  {what:<36} {mine:>10.3f} {other:>10.3f} {unit:<4}{ratio}')


def main():
    subprocess.run(['cargo', 'build', '--profile', PROFILE, '--quiet', '-p', 'rmlir-benches', '-p', 'rmlir-tools'],
                   cwd=ROOT, check=True)
    os.makedirs(OUT, exist_ok=True)
    for name, arguments in (('funcs50000', ['funcs', '50000']), ('mix30MB', ['mix', '30'])):
        base = os.path.join(OUT, name)
        make(base, arguments)
        text, located = base + '.generic.mlir', base + '.loc.generic.mlir'
        # Both programs read the text that rmlir prints, where operations without a custom syntax
        # here are in generic form.
        custom = base + '.custom.mlir'
        subprocess.run([TRANSLATE, '--no-verify', text, '-o', custom], check=True)
        mine, printed, bytecode, own, default, shared, threaded = [], [], [], [], [], [], []
        own_shared, default_threaded = [], []
        for _ in range(RUNS):
            own.append(ours(custom))
            default.append(theirs(custom))
            mine.append(ours(text))
            printed.append(theirs(text, '--mlir-print-op-generic'))
            bytecode.append(theirs(base + '.mlirbc', '--emit-bytecode'))
            shared.append(ours(text, THREADS))
            own_shared.append(ours(custom, THREADS))
            default_threaded.append(theirs(custom, flags=THREADED))
            threaded.append(theirs(base + '.mlirbc', '--emit-bytecode', flags=THREADED))
        mine, printed, bytecode = least(mine), least(printed), least(bytecode)
        own, default = least(own), least(default)
        shared, threaded = least(shared), least(threaded)
        own_shared, default_threaded = least(own_shared), least(default_threaded)
        verification = mine['verify'] if VERIFIED else 0.0
        own_verification = own['verify'] if VERIFIED else 0.0
        state = 'both verified' if VERIFIED else 'nothing verified'
        read = least([ours(base + '.mlirbc') for _ in range(RUNS)])
        print(f'{name}: {mine["operations"]:.0f} operations, {state}'.ljust(50) + 'rmlir  mlir-opt')
        row('text parse (generic)', mine['text parse'] + verification, printed['Parser'])
        row('text print (generic)', mine['text print'], printed['Output'])
        row('text parse (custom)', own['text parse'] + own_verification, default['Parser'])
        row('text print (custom)', own['text print'], default['Output'])
        row('rmbc read / its mlirbc read', mine['rmbc read'] + verification, bytecode['Parser'])
        row('mlirbc read', read['mlirbc read'] + verification, bytecode['Parser'])
        row('mlirbc write', read['mlirbc write'], bytecode['Output'])
        row('rmbc write / its mlirbc write', mine['rmbc write'], bytecode['Output'])
        all_verified = shared['verify'] if VERIFIED else 0.0
        own_all_verified = own_shared['verify'] if VERIFIED else 0.0
        row(f'text parse (custom), {THREADS} threads on both', own_shared['text parse'] + own_all_verified, default_threaded['Parser'])
        row(f'text print (custom), {THREADS} threads on both', own_shared['text print'], default_threaded['Output'])
        row(f'rmbc read, {THREADS} threads on both', shared['rmbc read'] + all_verified, threaded['Parser'])
        row(f'rmbc write, {THREADS} threads on both', shared['rmbc write'], threaded['Output'])
        row('rmbc, event reader / read', mine['rmbc events'], mine['rmbc read'])
        row('rmbc, every field without IR / read', mine['rmbc decode'], mine['rmbc read'])
        sizes = ours(located)
        row('size with locations / mlirbc', sizes['rmbc bytes'] / 1e6, os.path.getsize(base + '.mlirbc') / 1e6, 'MB')
        row('peak memory, text to text', peak(TRANSLATE, *([] if VERIFIED else ['--no-verify']), '--generic', text, '-o', '/dev/null'),
            peak(OPT, *FLAGS, '--mlir-print-op-generic', text, '-o', '/dev/null'), 'MiB')
        native(base, base + '.rmbc')
        verify = [] if VERIFIED else ['--no-verify']
        theirs_peak = peak(OPT, *FLAGS, base + '.mlirbc', '--emit-bytecode', '-o', '/dev/null')
        row('peak memory, rmbc to rmbc', peak(TRANSLATE, *verify, base + '.rmbc', '--to-bytecode', '-o', '/dev/null'), theirs_peak,
            'MiB')
        row('peak memory, mlirbc to rmbc', peak(TRANSLATE, *verify, base + '.mlirbc', '--to-bytecode', '-o', '/dev/null'),
            theirs_peak, 'MiB')
        symbol = subprocess.run([RMLIR, 'list', base + '.rmbc'], check=True, capture_output=True, text=True).stdout
        symbol = re.search(r'@\S+', symbol)[0]
        row(f'all resident, rmlir extract {symbol}', resident(RMLIR, 'extract', base + '.rmbc', symbol, '-o', '/dev/null'),
            resident(OPT, *FLAGS, base + '.mlirbc', '--emit-bytecode', '-o', '/dev/null'), 'MiB')
    files = []
    for count in ('1000', '100000'):
        base = os.path.join(OUT, 'funcs' + count)
        make(base, ['funcs', count])
        native(base, base + '.rmbc')
        files.append(base + '.rmbc')
    print('one function, file opened anew: median of 100'.ljust(38) + 'open, us  and read, us  bytes touched')
    seconds = []
    for line in subprocess.run([os.path.join(BUILT, 'parts'), *files], check=True, capture_output=True, text=True).stdout.splitlines():
        path, count, *found = line.split('\t')
        for how, (opened, read, touched) in (('mapped', found[:3]), ('by position', found[3:])):
            print(f'  {count + ", " + how:<34} {float(opened) * 1e6:>10.1f} {float(read) * 1e6:>13.1f} {touched:>14}')
        seconds.append(float(found[1]))
    print(f'  of 100,000 beside of 1,000, mapped {seconds[1] / seconds[0]:>10.2f} x')
    print(subprocess.run([os.path.join(BUILT, 'blobs'), OUT], check=True, capture_output=True, text=True).stdout, end='')
    example = os.path.join(ROOT, 'examples/add.mlir')
    row('start-up (whole run, tiny input)', startup(TRANSLATE, example), startup(OPT, *FLAGS, example))


main()
