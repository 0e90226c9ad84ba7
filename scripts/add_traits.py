#!/usr/bin/env python3
"""Adds traits and interfaces by name to the bundled definitions of dialects.

    scripts/add_traits.py SOURCE...

A SOURCE is a definition (NAME.dialect), such as those that `rmlir dialect import` makes of
TableGen's records and that the suite `imported` writes to RMLIR_IMPORTED_FOLDER, or facts about
operations (*.ops.jsonl: an object a line, with `name` and `traits`). Only names that have no
meaning to the library are added: the others are stated by hand, with their releases. Names that
another one implies, as `Pure` does `NoMemoryEffect`, are left out. What a definition has already is
left as it is, so a second run changes nothing.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFINITIONS = ROOT / "dialects" / "definitions"
# The release of LLVM that the sources describe.
LLVM = 22
HEAD = re.compile(r"^(op|attribute|type) ([^\s(]+)(.*)$")


def known_names():
    """The names that the library gives a meaning, and those of relations between types."""
    text = (ROOT / "ir/src/definition/traits.rs").read_text()
    relations = text[text.index("const RELATIONS"):]
    return set(re.findall(r'= \d+, "(\w+)";', text)) | set(re.findall(r'\(\s*"(\w+)",', relations))


def implied_names():
    """The names that a name implies, by that name."""
    text = (ROOT / "ir/src/definition/traits.rs").read_text()
    start = text.index("const IMPLIED")
    rows = re.findall(r'\(\s*"(\w+)",\s*&\[(.*?)\],?\s*\)', text[start:text.index("};", start)], re.S)
    return {name: set(re.findall(r'named\("(\w+)"', names)) for name, names in rows}


def split_names(rest):
    """The names of a `traits` or `interfaces` statement, without relations and releases."""
    rest = re.sub(r'"[^"]*"|\([^()]*\)', "()", rest)
    items = (item.strip() for item in rest.split(","))
    return [item.split()[0] for item in items if item and "(" not in item]


def blocks(lines):
    """Yields kind, mnemonic, remainder of the first line, and the range of lines of each entry."""
    heads = [(number, HEAD.match(line)) for number, line in enumerate(lines)]
    heads = [(number, match) for number, match in heads if match]
    for (number, match), following in zip(heads, heads[1:] + [(len(lines), None)]):
        yield match[1], match[2], match[3], range(number, following[0])


def named(lines, where):
    """The traits and interfaces of an entry."""
    found = {"traits": [], "interfaces": []}
    for number in where:
        match = re.match(r"  (traits|interfaces) (.*)$", lines[number])
        if match:
            found[match[1]] += split_names(match[2])
    return found


def exists(rest):
    """Whether an entry exists in the release that the sources describe."""
    rest = re.sub(r"\([^()]*\)", "", rest)
    since, until = re.search(r"since (\d+)", rest), re.search(r"until (\d+)", rest)
    return not (since and int(since[1]) > LLVM or until and int(until[1]) < LLVM)


def read(sources):
    """Maps dialect, kind and mnemonic to traits and interfaces."""
    facts, interfaces = {}, set()
    # Definitions come first: they have all traits.
    for source in sorted(map(pathlib.Path, sources), key=lambda source: source.suffix):
        if source.suffix == ".dialect":
            lines = source.read_text().splitlines()
            for kind, mnemonic, _, where in blocks(lines):
                found = named(lines, where)
                interfaces.update(found["interfaces"])
                facts.setdefault((source.stem, kind, mnemonic), set()).update(*found.values())
            continue
        for line in source.read_text().splitlines():
            row = json.loads(line)
            dialect, _, mnemonic = row["name"].partition(".")
            # A trait with arguments is more than its name, and so is a predicate.
            names = [one if isinstance(one, str) else one["name"] for one in row.get("traits", [])
                     if isinstance(one, str) or set(one) == {"name"}]
            names = [name for name in names if name != "PredOpTrait"]
            facts.setdefault((dialect, "op", mnemonic), set(names))
    return facts, interfaces


def main():
    facts, interfaces = read(sys.argv[1:])
    known, implied, added = known_names(), implied_names(), 0
    for path in sorted(DEFINITIONS.glob("*.dialect")):
        lines = path.read_text().splitlines()
        inserted = {}
        for kind, mnemonic, rest, where in blocks(lines):
            names = facts.get((path.stem, kind, mnemonic))
            if not names or not exists(rest):
                continue
            own = named(lines, where)
            present = set(own["traits"]) | set(own["interfaces"])
            surplus = set().union(*(implied.get(name, set()) for name in names | present))
            new = sorted(names - known - present - surplus)
            is_interface = lambda name: name in interfaces or name.endswith("Interface")
            statements = [("traits", [name for name in new if not is_interface(name)]),
                          ("interfaces", [name for name in new if is_interface(name)])]
            # Behind the statements of that sort, else in the second line.
            at = [number for number in where if re.match(r"  (traits|interfaces) ", lines[number])]
            at = at[-1] if at else where.start
            for statement, all_names in statements:
                if all_names:
                    inserted.setdefault(at, []).append(f"  {statement} {', '.join(all_names)}")
                    added += len(all_names)
        text = []
        for number, line in enumerate(lines):
            text += [line] + inserted.get(number, [])
        path.write_text("\n".join(text) + "\n")
    print(f"{added} added")


if __name__ == "__main__":
    main()
