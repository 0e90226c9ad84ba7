#!/usr/bin/env python3
"""Compares rmlir with mlir-opt-22 on a ledger of cases, and prints a table of their status.

    scripts/ledger.py CASES [--program rmlir] [--reasons scripts/ledger_reasons.tsv] [--all]

CASES is a directory with files *.txt, each a sequence of cases:

    === ID | SEED:LINE | TITLE | EXPECTED | [OPTIONS]
    text

and with the definitions *.dialect that cases name. EXPECTED is `ok`, `err`, `any`, or `old`: the
text is of an older edition, that of the seed (0: 2021, 1: 2018, 2: 2022, 3: 2021), and what it
becomes must be valid for mlir-opt-22. A case is

    ok       the same verdict, and the same generic text if accepted
    differs  refused here, or another text
    missing  accepted here, refused by mlir-opt-22

The reasons file has a line `ID<tab>reason` for each case that is not `ok` and is meant not to be.
The script fails if any other case is missing.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

EDITIONS = {"0": "2021", "1": "2018", "2": "2022", "3": "2021", "5": "2018"}
# Which definitions the cases of a file need.
DIALECTS = {"hand": "hand.dialect", "hand2": "hand.dialect", "s4": "my.dialect"}


def cases(directory):
    for path in sorted(directory.glob("*.txt")):
        for part in re.split(r"^=== ", path.read_text(), flags=re.M)[1:]:
            head, _, text = part.partition("\n")
            fields = [field.strip() for field in head.split("|")]
            fields += [""] * (5 - len(fields))
            yield path.stem, fields[0], fields[1], fields[2], fields[3], text


def run(command, text):
    done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=60)
    return done.returncode == 0, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def first_error(text):
    found = re.search(r"error: (.*)", text)
    return found[1][:90] if found else ""


def judge(program, directory, file, seed, expected, text):
    options = []
    if file in DIALECTS and (directory / DIALECTS[file]).exists():
        options += ["--dialect", str(directory / DIALECTS[file])]
    if expected == "old":
        options += ["--edition", EDITIONS.get(seed[:1], "2018")]
    ours, printed, why = run([program, "convert", "--to", "generic", *options, "-"], text)
    if expected == "old" or options[:1] == ["--dialect"]:
        if expected == "err":
            return ("missing", "accepted") if ours else ("ok", first_error(why))
        if not ours:
            return "differs", first_error(why)
        if expected == "old":
            theirs, _, error = run(["mlir-opt-22", "--allow-unregistered-dialect"], printed)
            return ("ok", "") if theirs else ("differs", "mlir-opt-22: " + first_error(error))
        return "ok", ""
    command = ["mlir-opt-22", "--allow-unregistered-dialect", "--mlir-print-op-generic"]
    theirs, their_text, error = run(command, text)
    if ours and not theirs:
        return "missing", "mlir-opt-22: " + first_error(error)
    if theirs and not ours:
        return "differs", first_error(why)
    if ours and printed.strip() != their_text.strip():
        return "differs", "another text"
    return "ok", first_error(why)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("--program", default="rmlir")
    parser.add_argument("--reasons", type=pathlib.Path, default=pathlib.Path(__file__).with_name("ledger_reasons.tsv"))
    parser.add_argument("--all", action="store_true", help="print the cases that are ok, too")
    arguments = parser.parse_args()
    lines = arguments.reasons.read_text().splitlines() if arguments.reasons.exists() else []
    reasons = dict(line.split("\t", 1) for line in lines if "\t" in line)
    counts = collections.Counter()
    unexplained = 0
    print("| file | id | seed | case | status | evidence |\n|---|---|---|---|---|---|")
    for file, identifier, seed, title, expected, text in cases(arguments.cases):
        status, evidence = judge(arguments.program, arguments.cases, file, seed, expected, text)
        reason = reasons.get(identifier)
        if status != "ok" and reason:
            evidence = f"{evidence}: {reason}" if evidence else reason
            status += ", explained"
        elif status != "ok":
            unexplained += 1
        counts[status] += 1
        if status != "ok" or arguments.all:
            title = title.replace("|", "\\|")
            evidence = evidence.replace("|", "\\|")
            print(f"| {file} | {identifier} | {seed} | {title} | {status} | {evidence} |")
    print("\n" + ", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
