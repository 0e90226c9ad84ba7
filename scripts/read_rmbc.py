#!/usr/bin/env python3
"""A reader of native bytecode written from spec/rmbc.md alone, which shows that the specification
suffices. Prints files, or compares them with text.

  scripts/read_rmbc.py FILE.rmbc             prints the operations in generic form, with locations
  scripts/read_rmbc.py --check FOLDER...     compares all files of folders such as spec/golden/1.0
                                             with the texts in spec/golden/text

Every checksum is checked, every byte read, and every reference resolved. Text is compared token by
token. Attributes and types of some tags are not printed (but as <tag>); of a file with such
entries, only the names of the operations are compared.
"""
import os, re, shutil, struct, subprocess, sys, tempfile, zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PRESET = open(os.path.join(ROOT, 'format/src/rmbc/preset.txt'), 'rb').read().split(b'\n')
FRAGMENTS = [line[1:-1] for line in open(os.path.join(ROOT, 'format/src/rmbc/fragments.txt'), 'rb').read().splitlines()]
FLOATS = ('f4E2M1FN f6E2M3FN f6E3M2FN f8E3M4 f8E4M3 f8E4M3B11FNUZ f8E4M3FN f8E4M3FNUZ f8E5M2 f8E5M2FNUZ f8E8M0FNU bf16 f16 '
          'tf32 f32 f64 f80 f128').split()
FLOAT_BITS = [4, 6, 6, 8, 8, 8, 8, 8, 8, 8, 8, 16, 16, 19, 32, 64, 80, 128]


class Damage(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Damage(message)


class Input:
    """A cursor over bytes, with the primitive encodings (section 1)."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        require(self.at < len(self.data), 'a byte is missing')
        self.at += 1
        return self.data[self.at - 1]

    def bytes(self, count):
        require(count <= len(self.data) - self.at, f'{count} bytes are missing')
        self.at += count
        return self.data[self.at - count:self.at]

    def n(self):
        first = self.byte()
        if first < 192:
            return first
        if first < 248:
            return 192 + (first - 192) * 256 + self.byte()
        require(first < 255, 'the byte 255 begins no number')
        size = first - 246
        value = int.from_bytes(self.bytes(size), 'little')
        require(value >= 192 + 56 * 256 and (size == 2 or value >> 8 * (size - 1)), 'a number is too long')
        return value

    def s(self):
        value = self.n()
        return value >> 1 ^ -(value & 1)

    def optional(self):
        return self.n() - 1 if self.data[self.at:self.at + 1] != b'\0' else (self.byte(), None)[1]

    def counted(self):
        return self.bytes(self.n())

    def list(self, item):
        return [item() for _ in range(self.n())]

    def end(self):
        require(self.at == len(self.data), f'{len(self.data) - self.at} bytes follow')


def table(source, read, count=None):
    """Reads the entries of a table, and checks its offsets."""
    if count is None:
        count = source.n()
    length = source.n()
    width = 1 + (length >= 1 << 8) + (length >= 1 << 16) + (length >= 1 << 24)
    offsets = [int.from_bytes(source.bytes(width), 'little') for _ in range(1, -(-count // 16))]
    data = Input(source.bytes(length))
    entries = []
    for number in range(count):
        if number and number % 16 == 0:
            require(offsets[number // 16 - 1] == data.at, 'an offset is wrong')
        entries.append(read(data, number))
    data.end()
    return entries


def sections(data):
    """Returns the version, and the contents of the sections by kind (section 2)."""
    file = Input(data)
    require(file.bytes(5) == b'\x8aRMBC', 'another magic')
    version = tuple(file.bytes(2))
    require(version == (0, 2) or version[0] == 1, 'another version')
    raw_page = 65536 if version == (0, 2) else 8192
    crc, = struct.unpack('<I', file.bytes(4))
    directory = Input(file.counted())
    require(crc == zlib.crc32(data[:7] + directory.data), 'the header is damaged')
    require(directory.n() == len(data), 'another length')
    found = []
    for _ in range(directory.n()):
        code, length = directory.n(), directory.n()
        stored = directory.n() if code & 2 else length
        if code & 4:
            require(not any(file.bytes(-file.at % (1 << directory.n()))), 'padding')
        pages, holds = Input(file.bytes(stored)), b''
        while len(holds) < length:
            part = min(65536 if code & 2 else raw_page, length - len(holds))
            size = struct.unpack('<I', file.bytes(4))[0] if code & 2 else part
            page = pages.bytes(size)
            require(struct.unpack('<I', file.bytes(4))[0] == zlib.crc32(page), 'a page is damaged')
            if size < part:
                page = decompress(page, holds[:65536] if version > (0, 2) else b'')
            require(len(page) == part, 'a page is shorter')
            holds += page
        pages.end()
        if code >> 3:
            found.append((code >> 3, holds))
            continue
        bundle = Input(holds)
        heads = bundle.list(lambda: (bundle.n() >> 1, bundle.n()))
        found += [(kind, bundle.bytes(size)) for kind, size in heads]
        bundle.end()
    directory.end()
    file.end()
    return version, dict(found)


def decompress(frame, before):
    """Decompresses a frame; `before`, the first page's content, is its dictionary (section 2)."""
    command = ['zstd', '-dcq']
    if not before:
        return subprocess.run(command, input=frame, check=True, capture_output=True).stdout
    with tempfile.NamedTemporaryFile() as file:
        file.write(before)
        file.flush()
        return subprocess.run(command + ['--patch-from', file.name], input=frame, check=True, capture_output=True).stdout


def spelled_out(text):
    """Returns a text with its fragments expanded (section 3.4)."""
    source, out = Input(text), b''
    while source.at < len(text):
        byte = source.byte()
        if byte < 128:
            out += bytes([byte])
        elif byte == 255:
            out += source.bytes(1)
            require(out[-1] > 127, 'a byte needs no other before it')
        else:
            number = byte - 128 if byte < 192 else 64 + (byte - 192) * 256 + source.byte()
            require(number < len(FRAGMENTS), 'there is no such fragment')
            out += FRAGMENTS[number]
    return out


def quoted(text):
    out = ''
    for byte in text:
        out += chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else '\\\\' if byte == 92 else f'\\{byte:02X}'
    return f'"{out}"'


class File:
    def __init__(self, data):
        self.version, self.sections = sections(data)
        self.partial = False
        section = lambda kind: Input(self.sections.get(kind, b''))
        self.read_strings(section(1))
        affine = section(2)
        self.affine = table(affine, self.read_affine) if affine.data else []
        affine.end()
        self.resources = []
        resources = section(3)
        if resources.data:
            self.resources = resources.list(lambda: (self.string(resources), self.string(resources), self.value(resources)))
        resources.end()
        self.types, self.attributes, self.locations, self.attribute_count = [], [], [], 0
        if 4 in self.sections:
            self.read_entries(section(4))
        self.read_shapes(section(5))
        self.places = self.read_locations(section(7)) if 7 in self.sections else None
        self.read_operations(section(6))
        for kind in (10, 11):
            names = section(kind)
            if names.data:
                for _ in range(2):
                    table(names, lambda data, _: (data.n(), self.string(data)))
            names.end()

    def string(self, source):
        return self.strings[source.n()]

    def attribute(self, source, number=None):
        number = source.n() if number is None else number
        if number >= self.attribute_count:
            return quoted(self.strings[number - self.attribute_count])
        require(number < len(self.attributes), 'an attribute does not come before')
        return self.attributes[number]

    def type(self, source):
        number = source.n()
        require(number < len(self.types), 'a type does not come before')
        return self.types[number]

    def location(self, source):
        number = source.n()
        require(number < len(self.locations), 'a location does not come before')
        return self.locations[number]

    def read_strings(self, source):
        self.strings = []
        if not source.data:
            return
        preset, following = [], 0
        for _ in range(source.n()):
            number = following + source.n()
            preset.append(PRESET[number])
            following = number + 1
        count, symbols = source.n(), source.n()

        def read(data, number):
            lengths = data.byte()
            shared = lengths >> 4 if lengths >> 4 < 15 else 15 + data.n()
            rest = lengths & 15 if lengths & 15 < 15 else 15 + data.n()
            before = self.strings[-1] if number % 16 else b''
            require(shared <= len(before), 'a string shares more than there is')
            string = before[:shared] + data.bytes(rest)
            if number and number != symbols:
                require(string > self.strings[-1], 'strings do not ascend')
            self.strings.append(string)

        table(source, read, count)
        source.end()
        self.strings += preset

    def read_affine(self, data, number):
        kind = data.byte()
        if kind == 0:
            return data.s()
        if kind < 3:
            return 'd' if kind == 1 else 's', data.n()
        left, right = data.n(), data.n()
        require(0 < left <= number and 0 < right <= number, 'an operand is not there')
        return kind, number - left, number - right

    def value(self, source):
        kind = source.byte()
        return source.counted() if kind == 2 else kind

    def body(self, source):
        text, out = source.counted(), b''
        if self.version > (0, 2):
            text = spelled_out(text)
        for _ in range(source.n()):
            size, number = source.n(), source.n()
            out, text = out + text[:size], text[size:]
            out += self.reference(number).encode('latin1')
        return (out + text).decode('latin1')

    def reference(self, number):
        return self.types[number >> 1] if number & 1 else self.attribute(None, number >> 1)

    def shape(self, source):
        return [str(size - 1) if size else '?' for size in source.list(source.n)]

    def read_entries(self, source):
        runs = source.list(lambda: (source.byte(), source.n()))
        self.attribute_count = sum(count for tag, count in runs if 32 <= tag < 64)
        tags = [tag for tag, count in runs for _ in range(count)]
        numbers = [tag < 5 for tag in tags]
        require(numbers == sorted(numbers, reverse=True), 'types of numbers come first')

        def read(data, number):
            tag = tags[number]
            entry = self.entry(data, tag)
            (self.types if tag < 32 else self.attributes if tag < 64 else self.locations).append(entry)

        table(source, read, len(tags))
        source.end()

    def entry(self, data, tag):
        n, attribute, type = data.n, lambda: self.attribute(data), lambda: self.type(data)
        optional = lambda read: None if data.data[data.at] == 0 and not data.byte() else self.less_one(data, read)
        if tag < 3:
            return ['i', 'si', 'ui'][tag] + str(n())
        if tag == 3:
            return FLOATS[data.byte()]
        if tag in (4, 5):
            return ['index', 'none'][tag - 4]
        if tag == 6:
            return f'complex<{type()}>'
        if tag == 7:
            return f'tuple<{", ".join(data.list(type))}>'
        if tag == 8:
            inputs, results = data.list(type), data.list(type)
            results = results[0] if len(results) == 1 and '->' not in results[0] else f'({", ".join(results)})'
            return f'({", ".join(inputs)}) -> {results}'
        if tag in (9, 10):
            element, sizes = type(), self.shape(data)
            if tag == 10:
                bits = data.bytes(-(-len(sizes) // 8))
                sizes = [f'[{s}]' if bits[i // 8] >> i % 8 & 1 else s for i, s in enumerate(sizes)]
            return f'vector<{"x".join(sizes + [element])}>'
        if tag == 11:
            element, encoding = type(), self.maybe(data, self.attribute)
            return f'tensor<{"x".join(self.shape(data) + [element])}{", " + encoding if encoding else ""}>'
        if tag == 12:
            return f'tensor<*x{type()}>'
        if tag in (13, 14):
            element = type()
            rest = [self.maybe(data, self.attribute) for _ in range(15 - tag)]
            sizes = self.shape(data) if tag == 13 else ['*']
            return f'memref<{"x".join(sizes + [element])}{"".join(", " + r for r in rest if r)}>'
        if tag == 15:
            return f'!{self.string(data).decode("latin1")}<{self.body(data)}>' if self.see(tag) else ''
        if tag == 32:
            return 'unit'
        if tag == 33:
            ty = type()
            width = 64 if ty == 'index' else int(re.sub('[a-z]', '', ty))
            if width <= 64:
                value = data.s()
            else:
                value = int.from_bytes(data.bytes(-(-width // 8)), 'little')
                value -= (value >> width - 1) << width
            if ty == 'i1':
                return 'true' if value else 'false'
            return f'{value} : {ty}'
        if tag == 34:
            ty = type()
            return f'<float {data.bytes(-(-FLOAT_BITS[FLOATS.index(ty)] // 8)).hex()}> : {ty}' if self.see(tag) else ''
        if tag == 35:
            return f'{quoted(self.string(data))} : {self.maybe(data, self.type_of)}'
        if tag == 36:
            names = [self.string(data)] + data.list(lambda: self.string(data))
            return '::'.join('@' + name.decode('latin1') for name in names)
        if tag == 37:
            return type()
        if tag == 38:
            return f'[{", ".join(data.list(attribute))}]'
        if tag == 39:
            return '{' + ', '.join(data.list(lambda: self.named(self.string(data), attribute()))) + '}'
        self.see(tag)
        name = f'<{tag}>'
        if tag in (40, 41):
            type(), data.counted()
        elif tag in (42, 43):
            type(), data.list(lambda: self.string(data))
        elif tag == 44:
            type(), data.counted()
        elif tag == 45:
            type(), self.resources[n()]
        elif tag == 46:
            type(), attribute(), attribute()
        elif tag == 47:
            n(), n(), data.list(lambda: self.affine[n()])
        elif tag == 48:
            n(), n(), data.list(lambda: self.affine[n() >> 1])
        elif tag == 49:
            n(), data.list(n)
        elif tag == 50:
            attribute()
        elif tag == 51:
            self.location(data)
        elif tag == 52:
            self.string(data), self.body(data), self.maybe(data, self.type_of)
        elif tag == 53:
            type(), self.string(data)
        elif tag == 64:
            name = 'unknown'
        elif tag in (65, 66):
            name = f'{quoted(self.string(data))}:{n()}:{n()}'
            if tag == 66:
                data.s(), data.s()
        elif tag == 67:
            self.string(data), self.maybe(data, self.location_of)
        elif tag == 68:
            self.location(data), self.location(data)
        elif tag == 69:
            self.maybe(data, self.attribute), data.list(lambda: self.location(data))
        elif tag == 70:
            attribute()
        elif tag == 71:
            numbers, places = Input(data.counted()), []
            while numbers.at < len(numbers.data):
                places.append(numbers.n())
            references = data.list(lambda: self.reference(n()))
            require(len(places) <= 2 and len(references) == 1, 'a range of none to two numbers in one file')
            name = ':'.join([references[0], *map(str, (places + [0, 0])[:2])])
        elif tag < 128:
            # A tag of a later version: it can be skipped.
            data.counted(), data.list(lambda: self.reference(n()))
        else:
            raise Damage(f'there is no tag {tag}')
        return name

    def see(self, tag):
        """Marks the file as partial: entries of this tag are not printed in upstream's syntax."""
        self.partial = self.partial or tag != 64
        return True

    def type_of(self, _, number):
        return self.types[number]

    def location_of(self, _, number):
        return self.locations[number]

    def maybe(self, data, read):
        number = data.optional()
        return None if number is None else read(data, number)

    def named(self, name, value):
        key = name.decode('latin1')
        key = key if re.fullmatch(r'[A-Za-z_][\w$.]*', key) else quoted(name)
        return key if value == 'unit' else f'{key} = {value}'

    def read_shapes(self, source):
        self.lists = table(source, lambda data, _: data.list(lambda: self.type(data)))

        def form(data, _):
            name, flags, operands, results = self.string(data), data.n(), data.n(), data.n()
            require(flags < 64, 'unknown flags')
            successors = data.n() if flags & 16 else 0
            regions = data.n() if flags & 32 else 0
            attributes = data.list(lambda: self.string(data)) if flags & 1 else []
            properties = data.list(lambda: self.string(data)) if flags & 2 and not flags & 4 else []
            return name, flags, operands, results, successors, regions, attributes, properties

        self.forms = table(source, form)

        def shape(data, _):
            form = self.forms[data.n()]
            results = [data.n() for _ in range(form[3])]
            return form, results, None if form[1] & 8 else self.values(data, form)

        self.shapes = table(source, shape)
        source.end()

    def values(self, data, form):
        attributes = [self.named(name, self.attribute(data)) for name in form[6]]
        properties = [self.named(name, self.attribute(data)) for name in form[7]]
        if form[1] & 4:
            properties = None, self.attribute(data)
        return attributes, properties

    def read_locations(self, source):
        file, line, column, entry, last = None, 0, 0, 0, None
        while source.at < len(source.data):
            code = source.n()
            if code == 0:
                require(last is not None, 'there is no location before')
            elif code == 1:
                last = 'unknown'
            elif code > 3 and (code - 3) % 3 == 2:
                moved = (code - 3) // 3
                entry += moved >> 1 ^ -(moved & 1)
                last = self.locations[entry]
            else:
                if code == 2:
                    file, line, column = self.string(source), source.n(), source.n()
                else:
                    moved = (code - 3) // 3
                    line += moved >> 1 ^ -(moved & 1)
                    column += source.s() if (code - 3) % 3 == 1 else 0
                last = f'{quoted(file)}:{line}:{column}'
            yield last

    def read_operations(self, source):
        totals = [source.n() for _ in range(5)]
        self.counts = [0] * 5
        self.value_types = []
        self.top = self.operation(source)
        source.end()
        require(self.counts == totals, f'{self.counts} instead of {totals}')
        require(self.places is None or next(self.places, None) is None, 'locations are left')

    def place(self):
        return 'unknown' if self.places is None else next(self.places)

    def operation(self, source):
        self.counts[0] += 1
        form, results, values = self.shapes[source.n()]
        first = len(self.value_types)
        operands = []
        for _ in range(form[2]):
            back = source.n()
            operands.append(first - back if back else first + source.n())
        self.counts[4] += len(operands)
        if values is None:
            values = self.values(source, form)
        for code in results:
            require(code > 1 or operands[code] < first, 'a type of an operand is not known')
            self.value_types.append(self.types[code - 2] if code > 1 else self.value_types[operands[code]])
        self.counts[3] += len(results)
        successors = [source.n() for _ in range(form[4])]
        place = self.place()
        self.counts[1] += form[5]
        regions = [self.region(source) for _ in range(form[5])]
        return form[0].decode('latin1'), first, len(results), operands, values, successors, regions, place

    def region(self, source):
        head = source.n()
        blocks = []
        for number in range(head >> 1):
            self.counts[2] += 1
            types = []
            if number:
                code = source.n()
                types = self.lists[code - 1] if code else []
            elif head & 1:
                types = self.lists[source.n()]
            first = len(self.value_types)
            self.value_types += types
            self.counts[3] += len(types)
            places = [self.place() for _ in types]
            blocks.append((first, types, places, [self.operation(source) for _ in range(source.n())]))
        return blocks

    # Printing in generic form.

    def text(self):
        # Members of result groups; they are named first because uses may precede them.
        self.names, out, open_ = {}, [], [self.top]
        while open_:
            _, first, results, *_, regions, _ = open_.pop()
            if results > 1:
                self.names.update((first + i, f'%v{first}#{i}') for i in range(results))
            open_ += [o for r in regions for b in r for o in b[3]]
        self.print(self.top, 0, out)
        return '\n'.join(out) + '\n'

    def name(self, value):
        """Returns the name of a value: `%v3#1` for members of result groups, `%v3` for others."""
        return self.names.get(value, f'%v{value}')

    def print(self, operation, depth, out):
        name, first, results, operands, (attributes, properties), successors, regions, place = operation
        line = '  ' * depth
        if results:
            line += f'%v{first}' + (f':{results}' if results > 1 else '') + ' = '
        line += f'"{name}"({", ".join(self.name(o) for o in operands)})'
        if successors:
            line += '[' + ', '.join(f'^bb{s}' for s in successors) + ']'
        if properties:
            line += f' <{properties[1]}>' if isinstance(properties, tuple) else ' <{' + ', '.join(properties) + '}>'
        for number, region in enumerate(regions):
            out.append(line + (' ({' if number == 0 else ', {'))
            for block, (start, types, places, operations) in enumerate(region):
                if block or types:
                    arguments = ', '.join(f'{self.name(start + i)}: {t} loc({p})' for i, (t, p) in enumerate(zip(types, places)))
                    out.append('  ' * depth + f'^bb{block}' + (f'({arguments})' if types else '') + ':')
                for inner in operations:
                    self.print(inner, depth + 1, out)
            line = '  ' * depth + '}'
        if regions:
            line += ')'
        if attributes:
            line += ' {' + ', '.join(attributes) + '}'
        types = [self.value_types[first + i] for i in range(results)]
        types = types[0] if len(types) == 1 and '->' not in types[0] else f'({", ".join(types)})'
        out.append(f'{line} : ({", ".join(self.value_types[o] for o in operands)}) -> {types} loc({place})')

    def summary(self):
        """Returns the name of each operation, and its numbers of results, operands, successors and
        regions, in preorder."""
        out, open_ = [], [self.top]
        while open_:
            name, _, results, operands, _, successors, regions, _ = open_.pop()
            out.append((name, results, len(operands), len(successors), len(regions)))
            open_ += [o for r in reversed(regions) for b in reversed(r) for o in reversed(b[3])]
        return out


def words(text):
    """Splits text into tokens, with aliases of locations expanded and values renamed in order."""
    aliases = dict(re.findall(r'^(#loc\d*) = loc\((.*)\)$', text, re.M))
    text = re.sub(r'^[#!]\S+ = .*\n', '', text, flags=re.M)
    text = re.sub(r'loc\((#loc\d*)\)', lambda m: f'loc({aliases.get(m[1], m[1])})', text)
    text = re.sub(r'\s*//[^\n]*', '', text)
    # Values are named in order of first appearance, because the format does not store upstream's
    # numbering.
    known = {}
    return re.sub(r'%\w+', lambda m: known.setdefault(m[0], f'%v{len(known)}'), text).split()


def check(path):
    file = File(open(path, 'rb').read())
    # Files with the same content have the same name up to the first dot.
    folder, name = os.path.split(os.path.abspath(path))
    expected = open(os.path.join(folder, '../text', name.split('.')[0] + '.mlir')).read()
    if not file.partial:
        ours, theirs = words(file.text()), words(expected)
        for number, (a, b) in enumerate(zip(ours, theirs)):
            require(a == b, f'word {number} is {a} instead of {b}')
        require(len(ours) == len(theirs), 'the text ends before')
        return f'{len(theirs)} words alike'
    # The operations of the text: a quoted name before a list of operands.
    theirs = re.findall(r'^\s*(?:%[^=]*= )?"([^"]+)"\(', expected, re.M)
    ours = [name for name, *_ in file.summary()]
    require(ours == theirs, 'operations differ')
    return f'{len(ours)} operations alike'


def main():
    if sys.argv[1] != '--check':
        print(File(open(sys.argv[1], 'rb').read()).text(), end='')
        return
    for folder in sys.argv[2:]:
        for name in sorted(os.listdir(folder)):
            if not name.endswith('.rmbc'):
                continue
            if '.zstd.' in name and not shutil.which('zstd'):
                print(f'SKIPPED {name}: there is no zstd')
                continue
            print(f'{name}: {check(os.path.join(folder, name))}')


if __name__ == '__main__':
    sys.setrecursionlimit(10_000)
    main()
