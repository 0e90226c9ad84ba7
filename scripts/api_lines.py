#!/usr/bin/env python3
"""Counts the lines of programs that touch rmlir.

    scripts/api_lines.py FILE.rs...

A line touches rmlir if it names one of its crates, a public type, or a public method or function of
the crates that programs use (`.name(` or `::name(`), except for names that the standard library has
as well. Comments, blank lines and attributes do not count; the layout is rustfmt's with lines of
130 columns, whatever the file's. Used to compare two versions of a program, in which the same
definitions of functions of the program's own do not count.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CRATES = ["src", "ir/src", "format/src", "text/src", "reader/src", "writer/src", "dialects/src"]
# Names that are as likely the standard library's.
COMMON = """new len is_empty get iter map find push insert remove contains take next name count text bytes
    index default clone as_str read write open parse lines peek error position block function value values set clear
    extend min max first last rev is_absent with eat expect at skip kind code main path join of
    starts_with any all""".split()


def names():
    types, methods = set(), set()
    for crate in CRATES:
        for path in (ROOT / crate).rglob("*.rs"):
            text = path.read_text()
            types.update(re.findall(r"^\s*pub (?:struct|enum|trait|type) (\w+)", text, re.M))
            methods.update(re.findall(r"^\s*pub (?:unsafe )?fn (\w+)", text, re.M))
    types.update(["Operation", "Block", "Region", "Value", "Type", "Attribute", "Location", "Identifier"])
    types -= {"Error", "Result", "File", "Text", "Work", "Lexer"}
    return types, methods - set(COMMON)


def touching(path, types, methods):
    """The lines of a program that touch rmlir."""
    text = subprocess.run(
        ["rustfmt", "--edition", "2024", "--config", "max_width=130,use_small_heuristics=Max"],
        input=pathlib.Path(path).read_text(), capture_output=True, text=True, check=True).stdout
    own = set(re.findall(r"\bfn (\w+)", text))
    words = re.compile(r"\brmlir\b|\b(?:%s)\b|(?:\.|::)(?:%s)(?:\(|::<)" % (
        "|".join(sorted(types)), "|".join(sorted(methods - own))))
    lines = (line.strip() for line in text.splitlines())
    lines = [line for line in lines if line and not line.startswith(("//", "#["))]
    return [line for line in lines if words.search(line)], len(lines)


def main():
    show = "--show" in sys.argv
    types, methods = names()
    total = 0
    for path in (argument for argument in sys.argv[1:] if argument != "--show"):
        found, all_lines = touching(path, types, methods)
        total += len(found)
        print(f"{len(found):5} of {all_lines:5}  {path}")
        if show:
            print("".join(f"        {line}\n" for line in found))
    print(f"{total:5} together")


if __name__ == "__main__":
    main()
