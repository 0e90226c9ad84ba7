#!/usr/bin/env python3
"""The public API of the libraries, as a list of signatures: what a release promises.

  scripts/public_api.py            compares it with the files in api/, one for each crate; exit
                                   status 1 if it differs
  BLESS=1 scripts/public_api.py    writes these files
  scripts/public_api.py --can      whether the installed Rust has a known format: exit status 0 or 1

The lists are made from rustdoc's JSON, whose format is unstable: another release of Rust may have
another one, which is refused. Implementations of traits are listed by their heads; those that the
compiler makes (`Send`, blanket ones) are not listed.
"""
import difflib, json, os, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.environ.get('CARGO_TARGET_DIR', os.path.join(ROOT, 'target'))
CRATES = ['rmlir', 'rmlir-format', 'rmlir-ir', 'rmlir-dialects', 'rmlir-text', 'rmlir-reader', 'rmlir-writer', 'rmlir-import']
FORMATS = range(56, 58)


def listed(items, separator=', '):
    return separator.join(items)


def arguments(args):
    """Generic arguments: `<'a, T, Item = U>`, or `(A) -> B` of Fn."""
    if not args:
        return ''
    if 'parenthesized' in args:
        inner = args['parenthesized']
        output = f" -> {ty(inner['output'])}" if inner['output'] else ''
        return f"({listed(map(ty, inner['inputs']))}){output}"
    if 'angle_bracketed' not in args:
        return ''
    inner = args['angle_bracketed']
    parts = []
    for arg in inner['args']:
        if arg == 'infer':
            parts.append('_')
        else:
            (kind, value), = arg.items()
            parts.append({'lifetime': lambda v: v, 'type': ty, 'const': lambda v: v['expr']}[kind](value))
    for constraint in inner['constraints']:
        (kind, value), = constraint['binding'].items()
        name = constraint['name'] + arguments(constraint['args'])
        parts.append(f'{name}: {bounds(value)}' if kind == 'constraint' else f'{name} = {term(value)}')
    return f'<{listed(parts)}>' if parts else ''


def term(value):
    return ty(value['type']) if 'type' in value else value['constant']['expr']


def path(value):
    return value['path'] + arguments(value.get('args'))


def bounds(all_bounds):
    out = []
    for bound in all_bounds:
        (kind, value), = bound.items()
        if kind == 'outlives':
            out.append(value)
        elif kind == 'use':
            out.append(f"use<{listed(next(iter(v.values())) if isinstance(v, dict) else v for v in value)}>")
        else:
            mark = '?' if value['modifier'] == 'maybe' else ''
            out.append(mark + higher(value['generic_params']) + path(value['trait']))
    return listed(out, ' + ')


def higher(params):
    return f"for<{listed(param['name'] for param in params)}> " if params else ''


def ty(value):
    (kind, inner), = value.items()
    if kind == 'resolved_path':
        return path(inner)
    if kind in ('generic', 'primitive'):
        return inner
    if kind == 'dyn_trait':
        traits = [higher(t['generic_params']) + path(t['trait']) for t in inner['traits']]
        return 'dyn ' + listed(traits + ([inner['lifetime']] if inner['lifetime'] else []), ' + ')
    if kind == 'function_pointer':
        return f"{higher(inner['generic_params'])}fn{call(inner['sig'])}"
    if kind == 'tuple':
        return f"({listed(map(ty, inner))}{',' if len(inner) == 1 else ''})"
    if kind == 'slice':
        return f'[{ty(inner)}]'
    if kind == 'array':
        return f"[{ty(inner['type'])}; {inner['len']}]"
    if kind == 'impl_trait':
        return f'impl {bounds(inner)}'
    if kind == 'borrowed_ref':
        lifetime = f"{inner['lifetime']} " if inner['lifetime'] else ''
        return f"&{lifetime}{'mut ' if inner['is_mutable'] else ''}{ty(inner['type'])}"
    if kind == 'raw_pointer':
        return f"*{'mut' if inner['is_mutable'] else 'const'} {ty(inner['type'])}"
    if kind == 'qualified_path':
        of_trait = f" as {path(inner['trait'])}" if inner['trait'] and inner['trait']['path'] else ''
        return f"<{ty(inner['self_type'])}{of_trait}>::{inner['name']}{arguments(inner['args'])}"
    if kind == 'infer':
        return '_'
    sys.exit(f'a type of an unknown kind: {kind}')


def call(signature):
    def input(name, of):
        if name == 'self' and ty(of) in ('Self', '&Self', '&mut Self'):
            return ty(of).replace('Self', 'self')
        return f'{name}: {ty(of)}' if name not in ('', '_') else ty(of)

    inputs = [input(name, of) for name, of in signature['inputs']]
    output = f" -> {ty(signature['output'])}" if signature['output'] else ''
    return f'({listed(inputs)}){output}'


def generics(value):
    params, where = [], []
    for param in value['params']:
        (kind, inner), = param['kind'].items()
        if kind == 'type' and inner['is_synthetic']:
            continue
        if kind == 'lifetime':
            params.append(param['name'] + (f": {listed(inner['outlives'], ' + ')}" if inner['outlives'] else ''))
        elif kind == 'type':
            params.append(param['name'] + (f": {bounds(inner['bounds'])}" if inner['bounds'] else ''))
        else:
            params.append(f"const {param['name']}: {ty(inner['type'])}")
    for predicate in value['where_predicates']:
        (kind, inner), = predicate.items()
        if kind == 'bound_predicate':
            where.append(f"{higher(inner['generic_params'])}{ty(inner['type'])}: {bounds(inner['bounds'])}")
        elif kind == 'lifetime_predicate':
            where.append(f"{inner['lifetime']}: {listed(inner['outlives'], ' + ')}")
        else:
            where.append(f"{ty(inner['lhs'])} == {term(inner['rhs'])}")
    return f'<{listed(params)}>' if params else '', f' where {listed(where)}' if where else ''


class Crate:
    def __init__(self, document):
        self.index = document['index']
        self.lines = set()
        root = self.index[str(document['root'])]
        self.module(root['name'], root, set())

    def item(self, number):
        return self.index.get(str(number))

    def module(self, name, module, entered):
        if module['id'] in entered:
            return
        for number in module['inner']['module']['items']:
            item = self.item(number)
            if item and item['visibility'] == 'public':
                self.public(name, item, entered | {module['id']})

    def public(self, parent, item, entered):
        (kind, inner), = item['inner'].items()
        name = f"{parent}::{item['name']}"
        hidden = any('doc(hidden)' in json.dumps(attribute) for attribute in item['attrs'])
        if hidden:
            return
        if kind == 'use':
            target = self.item(inner['id']) if inner['id'] is not None else None
            if target is None:
                self.lines.add(f"{parent}::{'*' if inner['is_glob'] else inner['name']} = pub use {inner['source']}")
            elif inner['is_glob']:
                if 'module' in target['inner']:
                    self.module(parent, target, entered)
            else:
                self.public(parent, target | {'name': inner['name']}, entered)
        elif kind == 'module':
            self.lines.add(f'mod {name}')
            self.module(name, item, entered)
        else:
            self.declare(name, kind, inner, item)

    def declare(self, name, kind, inner, item):
        marks = ''.join('#[non_exhaustive] ' for attribute in item['attrs'] if 'non_exhaustive' in json.dumps(attribute))
        if kind == 'function':
            header = inner['header']
            words = [word for word in ('const', 'unsafe', 'async') if header[f'is_{word}']]
            params, where = generics(inner['generics'])
            must = '#[must_use] ' if any('must_use' in json.dumps(attribute) for attribute in item['attrs']) else ''
            self.lines.add(f"{must}{''.join(word + ' ' for word in words)}fn {name}{params}{call(inner['sig'])}{where}")
        elif kind in ('struct', 'union', 'enum', 'trait', 'type_alias'):
            params, where = generics(inner['generics'])
            extra = f" = {ty(inner['type'])}" if kind == 'type_alias' else ''
            if kind == 'trait':
                extra = f": {bounds(inner['bounds'])}" if inner['bounds'] else ''
            self.lines.add(f"{marks}{'type' if kind == 'type_alias' else kind} {name}{params}{extra}{where}")
            self.members(name, kind, inner)
        elif kind == 'constant':
            self.lines.add(f"const {name}: {ty(inner['type'])}")
        elif kind == 'static':
            self.lines.add(f"static {name}: {ty(inner['type'])}")
        elif kind == 'assoc_const':
            self.lines.add(f"const {name}: {ty(inner['type'])}")
        elif kind == 'assoc_type':
            self.lines.add(f"type {name}" + (f": {bounds(inner['bounds'])}" if inner['bounds'] else ''))
        elif kind in ('macro', 'proc_macro'):
            self.lines.add(f'macro {name}!')
        else:
            sys.exit(f'an item of an unknown kind: {kind}')

    def members(self, name, kind, inner):
        if kind == 'struct':
            self.fields(name, inner['kind'])
        for number in inner.get('variants', []):
            variant = self.item(number)
            detail = variant['inner']['variant']
            marks = ''.join('#[non_exhaustive] ' for attribute in variant['attrs'] if 'non_exhaustive' in json.dumps(attribute))
            value = f" = {detail['discriminant']['value']}" if detail['discriminant'] else ''
            self.lines.add(f"{marks}variant {name}::{variant['name']}{value}")
            self.fields(f"{name}::{variant['name']}", detail['kind'], True)
        for number in inner.get('items', []):
            item = self.item(number)
            (of, detail), = item['inner'].items()
            self.declare(f"{name}::{item['name']}", of, detail, item)
        for number in inner.get('impls', []):
            item = self.item(number)
            if item:
                self.implementation(name, item['inner']['impl'])

    def fields(self, name, kind, all_public=False):
        if kind in ('unit', 'plain'):
            return
        (of, value), = kind.items()
        for number in value if of == 'tuple' else value['fields']:
            item = self.item(number) if number is not None else None
            if item and (all_public or item['visibility'] == 'public'):
                self.lines.add(f"field {name}::{item['name']}: {ty(item['inner']['struct_field'])}")

    def implementation(self, name, value):
        if value['is_synthetic'] or value['blanket_impl']:
            return
        if value['trait']:
            params, where = generics(value['generics'])
            own = value['for'].get('resolved_path')
            of = name + arguments(own['args']) if own and own['path'].endswith(name.rsplit('::')[-1]) else ty(value['for'])
            # The compiler's own, beside PartialEq.
            if value['trait']['path'] != 'StructuralPartialEq':
                self.lines.add(f"impl{params} {path(value['trait'])} for {of}{where}")
            return
        for number in value['items']:
            item = self.item(number)
            if item and item['visibility'] == 'public':
                (of, detail), = item['inner'].items()
                self.declare(f"{name}::{item['name']}", of, detail, item)


def key(line):
    """Sorts by path, whatever kind of item it is."""
    return line.split(' for ')[-1] if line.startswith('impl') else next((w for w in line.split() if '::' in w), line), line


def document(crate):
    """rustdoc's JSON of a crate."""
    subprocess.run(['cargo', 'rustdoc', '--quiet', '--package', crate, '--lib', '--all-features', '--', '-Z', 'unstable-options',
                    '--output-format', 'json', '--cap-lints', 'allow'], cwd=ROOT, check=True,
                   env=os.environ | {'RUSTC_BOOTSTRAP': '1'})
    with open(os.path.join(TARGET, 'doc', crate.replace('-', '_') + '.json')) as file:
        read = json.load(file)
    if read['format_version'] not in FORMATS:
        sys.exit(f"rustdoc's JSON has version {read['format_version']}, not {FORMATS[0]} to {FORMATS[-1]}")
    return read


def main():
    if '--can' in sys.argv:
        document('rmlir-import')
        return
    bless, differ = 'BLESS' in os.environ, False
    for crate in CRATES:
        lines = sorted(Crate(document(crate)).lines, key=key)
        golden = os.path.join(ROOT, 'api', crate + '.txt')
        if bless:
            os.makedirs(os.path.dirname(golden), exist_ok=True)
            with open(golden, 'w') as file:
                file.writelines(line + '\n' for line in lines)
            continue
        with open(golden) as file:
            known = file.read().splitlines()
        change = list(difflib.unified_diff(known, lines, f'api/{crate}.txt', 'now', lineterm='', n=0))
        differ |= bool(change)
        print(*change, sep='\n', end='\n' if change else '')
    if differ:
        sys.exit("The public API is not that of api/. If that is meant, 'BLESS=1 scripts/public_api.py' writes it.")
    print(f"{'written' if bless else 'as in api/'}: {len(CRATES)} crates")


main()
