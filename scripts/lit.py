#!/usr/bin/env python3
"""Runs lit tests of mlir-opt with rmlir-translate in its place.

    scripts/lit.py FOLDER... [--program rmlir-translate] [--reference mlir-opt-22] [--list]

Of the files *.mlir and *.mlirbc below each FOLDER (for example mlir/test of LLVM's sources, which
are not part of this repository), those are taken whose RUN lines only parse, print and verify:
each command is mlir-opt with options for that, FileCheck, or a program that handles text. Tests
that the reference passes are run with the program. Prints both counts, by kind of test, and with
--list the tests that fail and the first line of the reason.

Needs FileCheck of LLVM (Debian: llvm-22-tools) or of the Python package `filecheck`, and bash.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

# Options of mlir-opt with which it parses, prints and verifies; those with a star have suffixes.
OPTIONS = """
    allow-unregistered-dialect elide-resource-data-from-bytecode emit-bytecode emit-bytecode-version
    irdl-file mlir-disable-threading mlir-elide-elementsattrs-if-larger
    mlir-elide-resource-strings-if-larger mlir-pretty-debuginfo mlir-print-debuginfo
    mlir-print-elementsattrs-with-hex-if-larger mlir-print-local-scope mlir-print-op-generic
    mlir-print-op-on-diagnostic mlir-print-skip-regions mlir-print-unique-ssa-ids
    mlir-print-value-users mlir-use-nameloc-as-prefix no-implicit-module o output-split-marker
    show-dialects split-input-file verify-diagnostics verify-each verify-roundtrip
""".split()
# Options whose value is the next argument.
SEPARATE = {"o", "irdl-file"}
OTHER_PROGRAMS = {"FileCheck", "cat", "cmp", "cp", "diff", "echo", "grep", "mkdir", "not", "printf", "rm", "sed", "split-file", "tail", "head"}
SEPARATORS = {"|", "||", "&&", ";", "&"}
ENVIRONMENT = {"FILECHECK_OPTS": "-enable-var-scope --allow-unused-prefixes=false"}

NOT = """#!/bin/bash
[[ $1 == --crash ]] && shift
"$@"
status=$?
(( status > 0 && status < 128 ))
"""


def run_lines(text):
    """Returns the commands of the RUN lines, or None if the test has needs of its own."""
    if re.search(r"^\W*(REQUIRES|UNSUPPORTED|XFAIL):", text, re.M):
        return None
    commands, continued = [], False
    for line in re.findall(r"\bRUN:(.*)", text):
        line = line.strip()
        more = line.endswith("\\")
        line = line.removesuffix("\\")
        if continued and commands:
            commands[-1] += " " + line
        else:
            commands.append(line)
        continued = more
    return commands


def only_parses_and_prints(command):
    """Returns whether a command line has no passes in it."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:
        return False
    is_first, ours, skip, found = True, False, False, False
    for word in words:
        if word in SEPARATORS:
            is_first, ours = True, False
        elif is_first:
            ours = word == "mlir-opt"
            found |= ours
            if not ours and word not in OTHER_PROGRAMS:
                return False
            is_first = word in ("not", "env") or word.startswith("-") and is_first
        elif skip:
            skip = False
        elif ours and word.startswith("-") and word != "-":
            name = word.lstrip("-").partition("=")[0]
            if name not in OPTIONS:
                return False
            skip = name in SEPARATE and "=" not in word
    return found


def select(folders):
    for folder in folders:
        paths = [folder] if folder.is_file() else sorted(folder.rglob("*.mlir*"))
        for path in paths:
            if "Inputs" in path.parts or path.suffix not in (".mlir", ".mlirbc"):
                continue
            text = path.read_text(errors="replace")
            commands = run_lines(text)
            mlir = [command for command in commands or [] if "mlir-opt" in command]
            if mlir and all(map(only_parses_and_prints, mlir)):
                others = [command for command in commands if "mlir-opt" not in command]
                kind = "verify-diagnostics" if any("-verify-diagnostics" in command for command in mlir) else "print"
                if all(command.split()[0] in OTHER_PROGRAMS for command in others if command.strip()):
                    yield path, commands, kind


def passes(path, commands, tools, temporary):
    """Runs a test. Returns None if it passes, else the first line of the reason."""
    own = pathlib.Path(tempfile.mkdtemp(dir=temporary))
    values = {"%%": "%", "%/s": path, "%s": path, "%/S": path.parent, "%S": path.parent, "%p": path.parent}
    values |= {"%/t": own / "t", "%t": own / "t", "%T": own, "%/T": own, "%basename_t": path.name}
    pattern = re.compile("|".join(map(re.escape, sorted(values, key=len, reverse=True))))
    lines = [pattern.sub(lambda found: str(values[found[0]]), command) for command in commands]
    script = "set -o pipefail\n" + "".join(f"{{ {line}\n}} || exit 1\n" for line in lines)
    environment = {**os.environ, **ENVIRONMENT, "PATH": f"{tools}:{os.environ['PATH']}"}
    try:
        done = subprocess.run(
            ["bash", "-c", script], capture_output=True, timeout=120, env=environment, cwd=own, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return "does not end"
    finally:
        shutil.rmtree(own, ignore_errors=True)
    if done.returncode == 0:
        return None
    output = (done.stderr + done.stdout).decode(errors="replace").splitlines()
    reasons = [line for line in output if "error:" in line] or output or ["no output"]
    return reasons[0].replace(str(path), path.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", metavar="FOLDER", type=pathlib.Path, nargs="+")
    parser.add_argument("--program", default="rmlir-translate")
    parser.add_argument("--reference", default="mlir-opt-22")
    parser.add_argument("--filecheck", help="default: FileCheck-22, FileCheck or filecheck")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true", help="print the tests that fail")
    parser.add_argument("--at-least", type=float, metavar="PERCENT", default=0, help="fail if fewer tests pass")
    arguments = parser.parse_args()
    filecheck = arguments.filecheck or next(filter(shutil.which, ["FileCheck-22", "FileCheck", "filecheck"]), None)
    programs = {name: shutil.which(name) for name in (arguments.program, arguments.reference)}
    missing = [name for name, path in programs.items() if not path]
    if missing or not filecheck:
        sys.exit(f"not found: {', '.join(missing) or 'FileCheck'}")
    tests = list(select([folder.resolve() for folder in arguments.folders]))
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:

        def measure(program, tests):
            tools = pathlib.Path(tempfile.mkdtemp(dir=temporary))
            (tools / "mlir-opt").symlink_to(pathlib.Path(program).resolve())
            (tools / "FileCheck").symlink_to(pathlib.Path(shutil.which(filecheck)).resolve())
            (tools / "not").write_text(NOT)
            (tools / "not").chmod(0o755)
            return list(pool.map(lambda test: passes(test[0], test[1], tools, temporary), tests))

        reference = measure(programs[arguments.reference], tests)
        known = [test for test, failure in zip(tests, reference) if failure is None]
        results = measure(programs[arguments.program], known)
    counts = collections.Counter()
    for (path, _, kind), failure in zip(known, results):
        counts[kind] += 1
        counts[kind, "passed"] += failure is None
        if failure is not None and arguments.list:
            print(f"{path}\t{kind}\t{failure}")
    kinds = [key for key in counts if isinstance(key, str)]
    total, passed = len(known), sum(failure is None for failure in results)
    print(f"{len(tests)} tests parse, print and verify; {total} pass with {arguments.reference}")
    for kind in kinds:
        print(f"  {kind}: {counts[kind, 'passed']} of {counts[kind]} pass")
    share = 100 * passed / total if total else 0
    print(f"{passed} of {total} pass with {arguments.program}: {share:.1f} %")
    return 0 if share >= arguments.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
