#!/usr/bin/env python3
"""Adds custom syntax of operations, and attributes and types, to the bundled definitions.

    scripts/add_formats.py [--entries] SOURCE...

A SOURCE is a definition NAME.dialect that `rmlir dialect import` made of TableGen's records; the
suite `imported` writes those of LLVM to RMLIR_IMPORTED_FOLDER. An operation of the bundled
definition with neither a format nor a hook gets the format of the source. With --entries, an
attribute or type that the bundled definition lacks is added as the source has it, unless its syntax
is code. What a definition
has already is left as it is, so a second run changes nothing.
"""

import argparse
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFINITIONS = ROOT / "dialects" / "definitions"
# The release of LLVM that the sources describe.
LLVM = 22
# Syntax, or a parameter, that is code.
CODE = re.compile(r"custom<|: own\b")
HEAD = re.compile(r"^(op|attribute|type) ([^\s(:]+)")
# Statements that follow the format of an operation.
AFTER_FORMAT = ("  requires ", "  body ", "  remembers ", "  symbol ", "  declar", "  hook ", "  forwards ", "  default_dialect ")


def entries(lines):
    """Yields the kind, the name, and the range of lines of each operation, attribute and type."""
    start = None
    for number, line in enumerate([*lines, "end"]):
        if start is not None and not line.startswith("  "):
            kind, name = HEAD.match(lines[start]).groups()
            yield kind, name, start, number
            start = None
        if HEAD.match(line):
            start = number


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sources", metavar="SOURCE", type=pathlib.Path, nargs="+")
    parser.add_argument("--entries", action="store_true", help="add attributes and types, too")
    arguments = parser.parse_args()
    for source in arguments.sources:
        target = DEFINITIONS / source.name
        if not target.exists():
            continue
        # Documentation is upstream's text, which is not copied.
        theirs = [line for line in source.read_text().splitlines() if not re.match(r"  (doc|summary)( |$)", line)]
        known = {(kind, name): theirs[start:end] for kind, name, start, end in entries(theirs)}
        lines = target.read_text().splitlines()
        ours = list(entries(lines))
        added = 0
        for kind, name, start, end in reversed(ours):
            body = lines[start:end]
            formats = [line for line in known.get((kind, name), []) if line.startswith("  format ")]
            if kind != "op" or not formats or any(line.startswith(("  format ", "  hook ")) for line in body):
                continue
            # What the source has says nothing of releases in which the operation has other parts.
            head = re.sub(r"( (since|until) \d+)+$", "", body[0])
            numbers = [int(n) for line in [head, *body[1:]] for n in re.findall(r" (?:since|until) (\d+)", line)]
            since = f"since {LLVM} " if any(number <= LLVM for number in numbers) else ""
            until = f"until {LLVM} " if any(number > LLVM for number in numbers) else ""
            formats = [line.replace("  format ", f"  format {since}{until}", 1) for line in formats]
            at = next((start + i for i, line in enumerate(body) if line.startswith(AFTER_FORMAT)), end)
            lines[at:at] = formats
            added += 1
        missing = [
            body
            for key, body in known.items()
            if key[0] != "op" and key not in {one[:2] for one in ours} and not any(CODE.search(line) for line in body)
        ]
        if arguments.entries and missing:
            first = next((start for kind, _, start, _ in entries(lines) if kind == "op"), len(lines))
            lines[first:first] = [*(line for entry in missing for line in entry), ""]
        target.write_text("\n".join(lines) + "\n")
        print(f"{source.stem}: {added} formats" + (f", {len(missing)} attributes and types" if arguments.entries else ""))


if __name__ == "__main__":
    main()
