#!/usr/bin/env python3
"""Renews the bundled definitions of projects other than LLVM from their TableGen files.

    scripts/import_projects.py --project NAME=FOLDER ... --llvm FOLDER --rmlir PROGRAM
                               [--facts FILE.ops.jsonl ...] [--dialect NAME ...] [-o FOLDER]

FOLDER is a checkout of the project; `--llvm` has `bin/llvm-tblgen` and `include/mlir`. Each dialect
of `dialects/sources.toml` whose project is given is dumped by llvm-tblgen, imported by `rmlir
dialect import` and merged with the definition that exists: the import has the operations,
attributes, types,
enumerations, constraints and formats, the existing definition keeps the statements that are no
part of TableGen (aliases,
how a symbol is declared, releases, hooks and formats that replace code).
`dialects/overlays/NAME.dialect` has such statements for a dialect (see `overlay` below),
`constraints.toml` there the
predicates of constraints that are C++.

`--facts` has formats of the same or a newer snapshot, a JSON object a line with `name` and
`format`, which replace those of the import.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFINITIONS = ROOT / "dialects" / "definitions"
OVERLAYS = ROOT / "dialects" / "overlays"
# Statements of operations that TableGen does not have.
KEPT = ("declaration", "declared", "local", "merges", "refers_to_definitions",
        "resolves", "symbol", "references", "remembers",
        "result_names", "default_dialect", "forwards")
HEAD = re.compile(r"^(op|attribute|type|enum) (\S+?)(?=[\s(:]|$)(.*)$")
# Words of the head that are made anew.
DROPPED = ("operations complete", "attributes complete", "types complete", "summary", "doc", "family")


def blocks(text):
    """Splits a definition into its head and its entries: (kind, name) and lines."""
    head, found, current = [], {}, None
    for line in text.splitlines():
        match = HEAD.match(line)
        if match and not (match[1] == "op" and " family " in line):
            current = [line]
            found[match[1], match[2]] = current
        elif line.startswith("op ") and " family " in line:
            current = []
        elif line.strip() and not line.lstrip().startswith("//"):
            (head if current is None else current).append(line)
    return head, found


def plain(lines):
    """Lines without documentation."""
    return [line for line in lines if not re.match(r"\s*(summary|doc)\b", line)]


def used_hooks():
    """The names of the hooks that exist, of operations and of directives."""
    tables = (ROOT / "dialects/src/hooks").glob("*.rs")
    text = "".join(table.read_text() for table in tables)
    return set(re.findall(r'\(\s*"([\w.]+)",', text))


def spelled(tokens):
    """The format of a list of tokens. Groups are written without spaces inside of the
    parentheses."""
    text, before = "", ""
    for token in tokens:
        if token.startswith("custom<"):
            # How a directive prints a type is its own matter, and texts are written without
            # escapes.
            token = re.sub(r"qualified\((type\([^()]*\)|[^()]*)\)", r"\1", token).replace('\\"', "")
            token = token.replace('""', '"')
        if token == "`:`" and text.endswith("`:` ``"):
            # One token of the language.
            text = text.removesuffix("`:` ``") + "`::`"
            before = "`::`"
            continue
        glued = not text or before == "(" or token in (")", "?") or token == "(" and before == "oilist"
        text += token if glued else " " + token
        before = token
    return text


def overlay(path):
    """Reads an overlay: blocks as in a definition. A statement replaces all of its keyword in the
    entry, `attr NAME` those of that attribute; a line `-KEYWORD` removes them; in the head, a
    constraint replaces that of its name. An entry that the import does not have is added."""
    return blocks(path.read_text()) if path.exists() else ([], {})


def key(line):
    words = line.split()
    if words[0] in ("attr", "property", "constraint", "attribute_constraint", "parameters") and len(words) > 1:
        return words[0], words[1].rstrip(":,")
    return words[0], ""


def replace(lines, changes):
    """Applies the statements of an overlay to the lines of an entry or of a head."""
    lines = list(lines)
    first = {}
    for change in changes:
        removed = change.strip().startswith("-")
        change = change.replace("-", "", 1) if removed else change
        kind = key(change)
        if kind not in first:
            at = [n for n, line in enumerate(lines) if key(line) == kind]
            lines = [line for line in lines if key(line) != kind]
            first[kind] = at[0] if at else len(lines)
        if not removed:
            lines.insert(first[kind], change)
            first[kind] += 1
    return lines


def from_facts(row, enumerations):
    """The lines of an operation that only the facts have, or that they have otherwise."""
    name = row["name"].partition(".")[2]

    def groups(of):
        out = []
        for one in of:
            kind = "" if one[1] == "single" else one[1].replace("-", "_") + " "
            constraint = one[2] if re.fullmatch(r"\w+", one[2]) else "AnyType"
            out.append(f"{one[0] or '_'}: {kind}{constraint}")
        return out

    lines = [f"op {name}"]
    traits = [one for one in row.get("traits", []) if isinstance(one, str)]
    for one in row.get("traits", []):
        if isinstance(one, dict) and one["name"] == "AllTypesMatch":
            traits.append(f"AllTypesMatch({', '.join(one['values'])})")
    if traits:
        lines.append("  traits " + ", ".join(traits))
    lines += [f"  operands {one}" for one in groups(row["operands"])]
    lines += [f"  results {one}" for one in groups(row["results"])]
    for one in row.get("regions", []):
        kind = "variadic " if one[1] == "variadic" else ""
        lines.append(f"  regions {one[0]}: {kind}{one[2]}")
    for attribute, presence, constraint, *more in row["attributes"]:
        more = more[0] if more else {}
        line = f"  attr {attribute}: {constraint}"
        if presence in ("optional", "default_optional"):
            line += " optional"
        if "enum" in more:
            line += f" enum {enumerations.get(more['enum'].split('.')[-1], more['enum'].split('.')[-1])}"
        if "default" in more:
            line += f" = {more['default']}"
        lines.append(line)
    if "implicit_terminator" in row:
        lines.append(f"  terminator {row['implicit_terminator']}")
    return lines


# Dialects whose operations with this interface name their result after the attribute `name`.
NAMED = {"chirrtl", "firrtl", "kanagawa", "llhd", "moore", "seq", "sv", "systemc", "verif"}


def names_results(lines):
    """Whether an operation without a hook names its result."""
    has_interface = any(l.startswith("  interfaces") and "OpAsmOpInterface" in l for l in lines)
    return has_interface and not any(l.startswith("  hook") for l in lines)


def attributes_of(lines):
    """The names of the inherent attributes of an operation."""
    found = set()
    for line in lines:
        if line.startswith("  attr "):
            found.update(one.strip() for one in line[7:].partition(":")[0].split(","))
    return found


# Operations of torch-mlir with parsers of their own; the other ones without a format share one.
TORCH_PARSERS = {"constant.int", "initialize.global_slots", "prim.If", "bind_symbolic_shape",
                 "hop_flex_attention", "onnx.rotary_embedding"}


def shared_parser(name, mnemonic, lines):
    """The format of an operation whose parser is code that many operations share."""
    if name != "torch" or mnemonic in TORCH_PARSERS or not any(l.startswith("  hook") for l in lines):
        return None
    takes = "(" in lines[0].partition("->")[0] or any(l.startswith("  operands") for l in lines)
    gives = "->" in lines[0] or any(l.startswith("  results") for l in lines)
    parts = ["operands"] * takes + ["attr-dict", "`:`"] + ["type(operands)"] * takes
    return parts + ["`->`"] * (takes and gives) + ["type(results)"] * gives


def absent_defaults(lines):
    """The operation with attributes of an `oilist` optional: parsers leave absent ones out,
    whatever their default is."""
    text = re.sub(r"`[^`]*`", "", next((l for l in lines if l.startswith("  format")), ""))
    named = set(re.findall(r"\$(\w+)", " ".join(re.findall(r"oilist\([^()]*\)", text))))

    def of(line):
        match = re.match(r"  attr (\w+): (\w+)( enum [\w.]+)?( = .*)$", line)
        if match and match[1] in named:
            return f"  attr {match[1]}: {match[2]} optional{match[3] or ''}{match[4]}"
        return line

    return [of(line) for line in lines]


def with_properties(lines):
    """The operation with a dictionary of properties for the attributes that its format leaves to
    `attr-dict`, as IREE 3.13 has them."""
    at = next((n for n, line in enumerate(lines) if line.startswith("  format ")), None)
    names = attributes_of(lines) | {one for line in lines if line.startswith("  property ")
                                    for one in re.split(r",\s*", line[11:].partition(":")[0])}
    if at is None or "prop-dict" in lines[at]:
        return lines
    if all(re.search(rf"\${re.escape(name)}\b", lines[at]) for name in names):
        return lines
    with_them = re.sub(r" (attr-dict(-with-keyword)?)", r" prop-dict \1", lines[at], count=1)
    return lines[:at] + [with_them] + lines[at + 1:]


def stated(lines, constraints, attributes):
    """The head with the predicates of constraints that are code in TableGen."""
    out = []
    for line in lines:
        match = re.match(r'(constraint|attribute_constraint) (\w+)( "[^"]*")?', line)
        table = match and (constraints if match[1] == "constraint" else attributes)
        if match and match[2] in table:
            line = f"{match[0]} = {table[match[2]]}"
        out.append(line)
    return out


def other_projects(existing):
    """The operations of a definition that belong to another project than the definition."""
    found, current = [], None
    for line in existing.splitlines():
        if line.startswith("op "):
            current = [line] if " family " in line else None
            if current:
                found.append(current)
        elif current and line.strip():
            current.append(line)
    return found


def enum_lines(name, row):
    """The lines of an enumeration."""
    bits = f' bits "{row["separator"]}"' if row["bits"] else ""
    cases = ", ".join(f"{keyword} = {value}" for keyword, value in row["cases"])
    return [f"enum {name}: i{row['width']}{bits}", f"  cases {cases}"]


def is_other(known, row):
    """Whether the facts about an operation are not those of the import."""
    if attributes_of(known) != {one[0] for one in row["attributes"]}:
        return True
    text = "\n".join(known)
    names = [one[0] for one in row["operands"] + row["results"] if one[0] and one[0] != "result"]
    return not all(re.search(rf"\b{re.escape(one)}\b", text) for one in names)


def missing_code(dialect, text, hooks):
    """Whether a format has a directive whose code does not exist."""
    names = re.findall(r"custom<(\w+)>", text)
    return any(f"{dialect}.{one}" not in hooks and one not in hooks for one in names)


def drop_code(dialect, entries, hooks):
    """Makes the attributes and types opaque whose syntax is code that does not exist: they are kept
    as they are written. Returns the names of their constraints."""
    dropped = {"attribute": [], "type": []}
    for kind, mnemonic in list(entries):
        lines = entries[kind, mnemonic]
        if kind in dropped and missing_code(dialect, "\n".join(l for l in lines if l.startswith("  format")), hooks):
            dropped[kind] += [l.split()[1] for l in lines if l.startswith("  constraint ")]
            entries[kind, mnemonic] = [lines[0], "  opaque"]
    return dropped["attribute"], dropped["type"]


def merge(name, family, imported, existing, facts, hooks, changes, enumerations, constraints, all_enums):
    head, entries = blocks(imported)
    local = {mnemonic: mnemonic for kind, mnemonic in entries if kind == "enum"}
    for full, row in facts.items():
        dialect, _, mnemonic = full.partition(".")
        known = entries.get(("op", mnemonic))
        if dialect == name and (known is None or is_other(known, row)):
            for one in row["attributes"]:
                short = one[3]["enum"].split(".")[-1] if len(one) > 3 and "enum" in one[3] else ""
                if short in all_enums and short not in local and short not in enumerations:
                    entries["enum", short] = enum_lines(short, all_enums[short])
                    local[short] = short
            entries["op", mnemonic] = from_facts(row, {**enumerations, **local})
    # Parameters that are members of which several can be set are strings, as upstream prints them.
    several = {mnemonic for (kind, mnemonic), lines in entries.items() if kind == "enum" and " bits " in lines[0]}
    if family == "iree" and name == "hal":
        for (kind, _), lines in entries.items():
            if kind in ("attribute", "type"):
                lines[:] = [re.sub(r"enum<(\w+)>", lambda m: f"enum_string<{m[1]}>" if m[1] in several else m[0], l)
                            if l.startswith("  parameters") else l for l in lines]
    dropped_attributes, dropped_types = drop_code(name, entries, hooks)
    old_head, old = blocks(existing)
    kept = [line for line in old_head
            if re.match(r"\s*(alias|aliases|uses|attributes complete|types complete)\b", line)]
    head = [line for line in plain(head[1:]) if not line.startswith(DROPPED)]
    verifiers = [line for line in head if line.strip().startswith("verifiers")]
    rest = [line for line in head if line not in verifiers]
    changed_head, changed = changes
    own = replace(kept, [l for l in changed_head if key(l)[0] in ("alias", "aliases", "uses")])
    # Constraints that are attributes of a dialect that this one uses.
    used = [word for line in own for word in re.findall(r"[\w.]+", line.partition("uses")[2])]
    theirs = set()
    for other in used:
        path = DEFINITIONS / f"{other}.dialect"
        if path.exists():
            theirs.update(re.findall(r"^  constraint (\w+)", path.read_text(), re.M))
    rest = [l for l in rest if not (l.startswith("attribute_constraint ") and l.split()[1] in theirs)]
    rest = stated(rest, *constraints)
    stated_names = {l.split()[1] for l in rest if l.startswith(("constraint ", "attribute_constraint "))}
    rest += [f"attribute_constraint {one} = AnyAttr" for one in dropped_attributes if one not in stated_names]
    unknown = [one for one in dropped_types if one not in stated_names]
    if unknown:
        own.append("unknown_constraints " + ", ".join(unknown))
    rest = replace(rest, [l for l in changed_head if key(l)[0] not in ("alias", "aliases", "uses", "dialect")])
    out = [f"dialect {name}", f"family {family}"] + own + verifiers + [""] + rest + [""]
    kinds = {"enum": 0, "attribute": 1, "type": 2, "op": 3}
    # Enumerations that no attribute of the dialect holds are not in the import.
    for at, lines in old.items():
        if at[0] == "enum":
            entries.setdefault(at, lines)
    # What only the overlay has; operations that only the bundled definition has are gone.
    for at, lines in changed.items():
        if at not in entries:
            entries[at] = lines
            changed[at] = [lines[0]]
    for (kind, mnemonic), lines in sorted(entries.items(), key=lambda e: (kinds[e[0][0]], e[0][1] if e[0][0] == "op" else "")):
        lines = plain(lines)
        if kind == "op":
            tokens = facts.get(f"{name}.{mnemonic}", {}).get("format")
            tokens = tokens or shared_parser(name, mnemonic, lines)
            if tokens is not None:
                lines = [l for l in lines if not l.startswith("  format")]
                lines.append("  format " + spelled(tokens))
            lines = [l for l in lines
                     if not (l.startswith("  format") and missing_code(name, l, hooks))]
            lines += [l for l in plain(old.get((kind, mnemonic), [])) if l.split()[0] in KEPT]
            lines = [l for l in lines if not l.startswith("  hook") or l.split()[1] in hooks]
            if name in NAMED and names_results(lines):
                lines.append("  hook circt.name")
            if name == "calyx" and names_results(lines) and any("CellInterface" in l for l in lines):
                lines.append("  hook calyx.cell")
            lines = absent_defaults(lines)
            if family == "iree":
                lines = with_properties(lines)
        if family == "iree":
            # Its printers print an absent visibility as `public`.
            visibility = "  attr sym_visibility: StrAttr optional"
            lines = [l + ' = "public"' if l == visibility else l for l in lines]
        lines = lines[:1] + replace(lines[1:], changed.get((kind, mnemonic), [""])[1:])
        if changed.get((kind, mnemonic)):
            lines[0] = changed[kind, mnemonic][0] if "(" in changed[kind, mnemonic][0] or "->" in changed[kind, mnemonic][0] else lines[0]
        out += lines
        if kind == "op" and len(lines) > 1:
            out.append("")
    # Operations of another project that has a dialect of this name, too.
    for lines in other_projects(existing):
        out += lines + [""]
    return "\n".join(out).strip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--project", action="append", default=[])
    parser.add_argument("--llvm", type=pathlib.Path, required=True)
    parser.add_argument("--rmlir", required=True)
    parser.add_argument("--facts", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--dialect", action="append", default=[])
    parser.add_argument("-o", dest="output", type=pathlib.Path, default=DEFINITIONS)
    arguments = parser.parse_args()
    folders = dict(one.split("=", 1) for one in arguments.project)
    sources = tomllib.loads((ROOT / "dialects/sources.toml").read_text())
    facts, all_enums = {}, {}
    for path in arguments.facts:
        for line in path.read_text().splitlines():
            row = json.loads(line)
            facts[row["name"]] = row
        enums = path.with_name(path.name.replace(".ops.", ".enums."))
        for line in enums.read_text().splitlines() if enums.exists() else []:
            row = json.loads(line)
            all_enums[row["name"].split(".")[-1]] = row
    # Enumerations by name, with their dialect.
    enumerations = {}
    for path in DEFINITIONS.glob("*.dialect"):
        for kind, mnemonic in blocks(path.read_text())[1]:
            if kind == "enum":
                enumerations.setdefault(mnemonic.rstrip(":"), f"{path.stem}.{mnemonic.rstrip(':')}")
    hooks = used_hooks()
    predicates = tomllib.loads((OVERLAYS / "constraints.toml").read_text())
    for name, source in sources["dialect"].items():
        project = source["project"]
        if project not in folders or arguments.dialect and name not in arguments.dialect:
            continue
        folder = pathlib.Path(folders[project])
        with tempfile.TemporaryDirectory() as scratch:
            dumps = []
            for number, file in enumerate(source["files"]):
                includes = [folder / one for one in sources["project"][project]["includes"]]
                includes = [arguments.llvm / "include"] + includes + [(folder / file).parent]
                dump = pathlib.Path(scratch) / f"{number}.json"
                command = [arguments.llvm / "bin/llvm-tblgen", "--dump-json", folder / file, "-o", dump]
                subprocess.run(command + [f"-I{one}" for one in includes], check=True)
                dumps.append(dump)
            result = pathlib.Path(scratch) / "imported.dialect"
            command = [arguments.rmlir, "dialect", "import", "--quiet", "--name", name, "-o", result]
            subprocess.run(command + dumps, check=True)
            imported = result.read_text()
        path = DEFINITIONS / f"{name}.dialect"
        existing = path.read_text() if path.exists() else ""
        changes = overlay(OVERLAYS / f"{name}.dialect")
        own = {**predicates.get(project, {}), **predicates.get(name, {})}
        constraints = own, own.get("attributes", {})
        text = merge(name, sources["project"][project]["family"], imported,
                     existing, facts, hooks, changes, enumerations, constraints, all_enums)
        (arguments.output / path.name).write_text(text)
        print(name)


if __name__ == "__main__":
    sys.exit(main())
