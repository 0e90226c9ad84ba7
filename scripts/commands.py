#!/usr/bin/env python3
"""Measures how long commands take beside the reading of their file.

  commands.py PROGRAM_FOLDER FILE [OTHER_FILE]

PROGRAM_FOLDER has rmlir and rmlir-translate. Prints the CPU time of each command, the best of
several rounds in which the commands alternate, so that the load of the machine affects all of them
alike; and its ratio to the time of reading the file without printing. OTHER_FILE is compared with
FILE; 'diff' is measured beside 'hash --symbols' of both.
"""
import os
import sys

ROUNDS = int(os.environ.get('ROUNDS', 3))


def cpu(command):
    """The CPU time that a command takes, in seconds."""
    null = os.open(os.devnull, os.O_RDWR)
    child = os.fork()
    if child == 0:
        os.dup2(null, 0)
        os.dup2(null, 1)
        os.execv(command[0], command)
    os.close(null)
    _, status, usage = os.wait4(child, 0)
    assert os.waitstatus_to_exitcode(status) in (0, 1), command
    return usage.ru_utime + usage.ru_stime


def main(folder, file, other=None):
    rmlir = os.path.join(folder, 'rmlir')
    translate = os.path.join(folder, 'rmlir-translate')
    one = ['--threads', '1']
    commands = {
        'reading': [translate, '--no-verify', '--mlir-print-skip-regions', file, '-o', os.devnull, *one],
        'info': [rmlir, 'info', file, *one],
        'list': [rmlir, 'list', file, *one],
        'list --signature': [rmlir, 'list', '--signature', file, *one],
        'grep -c': [rmlir, 'grep', '-c', 'arith.* and result ~ i32', file, *one],
        'grep, all operations of one name': [rmlir, 'grep', 'arith.constant', file, *one],
        'stats': [rmlir, 'stats', file, *one],
        'weights list': [rmlir, 'weights', 'list', file, *one],
        'size': [rmlir, 'size', file, *one],
        'view': [rmlir, 'view', file, *one],
        'hash --symbols': [rmlir, 'hash', '--no-verify', '--symbols', file, *one],
        'verify': [rmlir, 'verify', file, *one],
    }
    if other:
        commands['hash --symbols, other file'] = [rmlir, 'hash', '--no-verify', '--symbols', other, *one]
        commands['diff --no-verify'] = [rmlir, 'diff', '--no-verify', file, other, *one]
    best = dict.fromkeys(commands, float('inf'))
    for _ in range(ROUNDS):
        for name, command in commands.items():
            best[name] = min(best[name], cpu(command))
    for name, seconds in best.items():
        print(f'{name:34} {seconds:8.3f} s  {seconds / best["reading"]:6.2f} x')
    if other:
        both = best['hash --symbols'] + best['hash --symbols, other file']
        print(f'diff / hash --symbols of both: {best["diff --no-verify"] / both:.2f}')


main(*sys.argv[1:])
