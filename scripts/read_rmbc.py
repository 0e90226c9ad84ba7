#!/usr/bin/env python3
"""A reader of native bytecode written from spec/rmbc.md alone, which shows that the specification
suffices. Prints files, or compares them with text.

  scripts/read_rmbc.py FILE.rmbc             prints the operations in generic form, with locations
  scripts/read_rmbc.py --rejected FOLDER     checks that each file of a folder such as
                                             spec/golden/rejected is refused for its reason
  scripts/read_rmbc.py --check FOLDER...     compares all files of folders such as spec/golden
                                             with the texts in spec/golden/text
  scripts/read_rmbc.py --hash FILE.rmbc...   prints the fingerprints of spec/fingerprint.md of each
                                             file, without and with locations

Every checksum is checked, every byte read, and every reference resolved. Text is compared token by
token. Attributes and types of some tags are not printed (but as <tag>); of a file with such
entries, only the names of the operations are compared. Fingerprints cover everything, and those
that a file stores are compared. scripts/check_reader.py runs this reader on many files.
"""
import hashlib, os, re, shutil, struct, subprocess, sys, tempfile, zlib

try:
    from blake3 import blake3

    def hashed(data):
        return blake3(bytes(data)).digest()
except ImportError:
    hashed = None

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LISTS = [open(os.path.join(ROOT, 'spec/dictionary-1', name), 'rb').read() for name in ('strings.txt', 'fragments.txt')]
PRESET = LISTS[0].splitlines()
FRAGMENTS = [line[1:-1] for line in LISTS[1].splitlines()]
DICTIONARIES = {1: hashlib.sha256(b''.join(LISTS)).digest()[:4]}
# Kinds of sections: whether they are required.
SECTIONS = {1: True, 2: True, 3: True, 4: True, 5: True, 6: True, 7: True, 8: False, 9: False, 10: False, 11: False,
            12: False, 13: False, 14: True, 15: True, 16: True, 17: False, 18: False}
FLOATS = ('f4E2M1FN f6E2M3FN f6E3M2FN f8E3M4 f8E4M3 f8E4M3B11FNUZ f8E4M3FN f8E4M3FNUZ f8E5M2 f8E5M2FNUZ f8E8M0FNU bf16 f16 '
          'tf32 f32 f64 f80 f128').split()
DYNAMIC = -1 << 63
FLOAT_BITS = [4, 6, 6, 8, 8, 8, 8, 8, 8, 8, 8, 16, 16, 19, 32, 64, 80, 128]


class Damage(Exception):
    pass


# Fingerprints (spec/fingerprint.md).

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
ORDER = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
START, END, PARENT, IS_ROOT = 1, 2, 4, 8


def compress(value, words, counter, length, flags):
    """The compression function of BLAKE3, of which the first half of the output is used."""
    state = [*value, *IV[:4], counter & 0xFFFFFFFF, counter >> 32, length, flags]

    def mix(a, b, c, d, x, y):
        for word, first, second in ((x, 16, 12), (y, 8, 7)):
            state[a] = state[a] + state[b] + word & 0xFFFFFFFF
            turned = state[d] ^ state[a]
            state[d] = (turned >> first | turned << 32 - first) & 0xFFFFFFFF
            state[c] = state[c] + state[d] & 0xFFFFFFFF
            turned = state[b] ^ state[c]
            state[b] = (turned >> second | turned << 32 - second) & 0xFFFFFFFF

    for _ in range(7):
        for number in range(4):
            mix(number, number + 4, number + 8, number + 12, words[2 * number], words[2 * number + 1])
        for number in range(4):
            mix(number, 4 + (number + 1) % 4, 8 + (number + 2) % 4, 12 + (number + 3) % 4,
                words[8 + 2 * number], words[9 + 2 * number])
        words = [words[place] for place in ORDER]
    return [a ^ b for a, b in zip(state[:8], state[8:])]


def portable_hash(data):
    """BLAKE3 with 32 bytes of output, without a key."""
    def chunk(start, end, flags):
        value, number = IV, start // 1024
        blocks = range(start, max(end, start + 1), 64)
        for at in blocks:
            block = bytes(data[at:min(at + 64, end)])
            last = at + 64 >= end
            own = START * (at == start) | END * last | flags * last
            value = compress(value, struct.unpack('<16I', block.ljust(64, b'\0')), number, len(block), own)
        return value

    def tree(start, end, flags):
        if end - start <= 1024:
            return chunk(start, end, flags)
        left = 1024
        while left * 2 < end - start:
            left *= 2
        return compress(IV, tree(start, start + left, 0) + tree(start + left, end, 0), 0, 64, PARENT | flags)

    return struct.pack('<8I', *tree(0, len(data), IS_ROOT))


hashed = hashed or portable_hash


def leb(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def counted_bytes(data):
    return leb(len(data)) + bytes(data)


def i64(value):
    return struct.pack('<q', value)


class Node:
    """An entry as it is hashed: bytes, and entries whose hashes are in their place."""

    def __init__(self, *parts):
        self.parts, self.known = parts, None
        nodes = [part for part in parts if isinstance(part, Node)]
        self.has_distinct = any(node.has_distinct for node in nodes)
        self.has_location = any(node.has_location for node in nodes)


class Distinct(Node):
    def __init__(self, referenced):
        super().__init__(referenced)
        self.has_distinct = True


class LocationAttribute(Node):
    """A location that is an attribute: unknown where locations do not count."""

    def __init__(self, location):
        super().__init__(b'\x41', location)
        self.has_location = True


def optional_node(node):
    return (b'\1', node) if node is not None else (b'\0',)


def list_of(nodes):
    return leb(len(nodes)), *nodes


class Text(str):
    """The text of an entry, and what is hashed of it."""

    def __new__(cls, text, *parts):
        made = super().__new__(cls, text)
        made.node = parts[0] if len(parts) == 1 and isinstance(parts[0], Node) else Node(*parts)
        return made


class Fingerprint:
    """The fingerprint of an operation. Distinct attributes have numbers of their own in each."""

    def __init__(self, operation, file, locations):
        self.out = bytearray(b'rmlir fingerprint' + bytes([1, locations]))
        self.file, self.locations = file, locations
        # Nodes by identity; those that were met are kept, so that no other gets their identity.
        self.values, self.distinct, self.met, self.hashes = {}, {}, {}, {}
        self.blocks = 0
        self.operation(operation, [])
        self.digest = hashed(self.out)

    def refer(self, node):
        """Appends the hash of an entry; numbers the distinct attributes in it first."""
        open_ = [node] if node.has_distinct else []
        while open_:
            inner = open_.pop()
            if id(inner) in self.met:
                continue
            self.met[id(inner)] = inner
            if isinstance(inner, LocationAttribute) and not self.locations:
                continue
            if isinstance(inner, Distinct):
                self.distinct[id(inner)] = len(self.distinct)
            open_ += [part for part in reversed(inner.parts) if isinstance(part, Node) and part.has_distinct]
        self.out += self.hash(node)

    def hash(self, node):
        if node.known is not None:
            return node.known
        # With the node, so that no other gets its identity.
        known, _ = self.hashes.get(id(node), (None, None))
        if known is None:
            start = b'\x40' + leb(self.distinct[id(node)]) if isinstance(node, Distinct) else b''
            parts = node.parts
            if isinstance(node, LocationAttribute) and not self.locations:
                parts = b'\x41', UNKNOWN.node
            known = hashed(start + b''.join(self.hash(part) if isinstance(part, Node) else part for part in parts))
            if node.has_distinct or node.has_location:
                self.hashes[id(node)] = known, node
            else:
                node.known = known
        return known

    def use(self, value):
        first = value not in self.values
        self.out += leb(self.values.setdefault(value, len(self.values)))
        if first:
            self.refer(self.file.value_types[value].node)

    def definition(self, value):
        known = self.values.get(value)
        self.out += leb(0 if known is None else known + 1)
        self.values.setdefault(value, len(self.values))
        self.refer(self.file.value_types[value].node)

    def optional(self, node):
        self.out += b'\0' if node is None else b'\1'
        if node is not None:
            self.refer(node)

    def operation(self, operation, around):
        """`around` has the numbers of the blocks of the region that the operation is in."""
        name, first, results, operands, (attributes, properties), successors, regions, place = operation
        self.out += b'\1' + counted_bytes(name.encode('latin1'))
        if self.locations:
            self.refer(place.node)
        self.out += leb(len(operands))
        for value in operands:
            self.use(value)
        self.out += leb(results)
        for value in range(first, first + results):
            self.definition(value)
        self.optional(dictionary(attributes) if attributes else None)
        if isinstance(properties, Text):
            self.optional(properties.node)
        else:
            self.optional(None if properties is None else dictionary(properties))
        self.out += leb(len(successors))
        for block in successors:
            self.out += leb(self.block(around, block)[0])
        self.out += leb(len(regions))
        for region in regions:
            numbers = [None] * len(region)
            for place_, (start, types, places, operations) in enumerate(region):
                self.out += b'\2'
                number, is_new = self.block(numbers, place_)
                self.out += leb(0 if is_new else number + 1)
                self.out += leb(len(types))
                for value, at in zip(range(start, start + len(types)), places):
                    self.definition(value)
                    if self.locations:
                        self.refer(at.node)
                for inner in operations:
                    self.operation(inner, numbers)
                self.out += b'\0'
            self.out += b'\0'

    def block(self, numbers, place):
        """Returns the number of a block, and whether it is new."""
        is_new = numbers[place] is None
        if is_new:
            numbers[place] = self.blocks
            self.blocks += 1
        return numbers[place], is_new


def dictionary(pairs):
    parts = [b'\x37', leb(len(pairs))]
    for name, value in sorted(pairs, key=lambda pair: pair[0]):
        parts += [counted_bytes(name), value.node]
    return Node(*parts)


UNKNOWN = Text('unknown', b'\x50')


def file_range(file, line, column, end_line, end_column):
    numbers = b''.join(map(leb, (line, column, end_line, end_column)))
    return Text(f'{quoted(file)}:{line}:{column}', b'\x51' + numbers + counted_bytes(file))


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
        require(value >= 192 + 56 * 256 and (size == 2 or value >> 8 * (size - 1)), f'{value} is written in {size} bytes')
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
    uncounted = count is not None
    if count is None:
        count = source.n()
    length = source.n()
    require(uncounted or count <= length, f'{count} entries are announced in {length} bytes')
    width = 1 + (length >= 1 << 8) + (length >= 1 << 16) + (length >= 1 << 24)
    offsets = [int.from_bytes(source.bytes(width), 'little') for _ in range(1, -(-count // 16))]
    data = Input(source.bytes(length))
    entries = []
    for number in range(count):
        if number and number % 16 == 0:
            require(offsets[number // 16 - 1] == data.at, f'a block of the table begins at {data.at}')
        entries.append(read(data, number))
    data.end()
    return entries


def flagged(kind, required, order, before):
    """Checks order and flag "required" of a section (section 3)."""
    require(kind < 65536 and kind, 'a section of an impossible kind')
    require(kind in SECTIONS or not required, f'section kind {kind} is required to understand the file')
    before.append(order)
    require(len(before) < 2 or before[-2] < order, 'a section is not in the order of kinds')
    if kind in SECTIONS and SECTIONS[kind] != bool(required):
        raise Damage(f'section {kind} is marked as {"required" if required else "optional"}')


def check_dictionary(number, start):
    """Checks that the dictionary of a file is known (section 2.2)."""
    require(not number or number in DICTIONARIES, f'the file uses dictionary {number}')
    require(not number or DICTIONARIES[number] == start, 'the file uses a dictionary with the hash of another one')


def sections(data):
    """Returns whether the file names a dictionary, and the sections by kind (section 2)."""
    file = Input(data)
    require(file.bytes(5) == b'\x8aRMBC', 'the first bytes are not those of an rmbc file')
    version = tuple(file.bytes(2))
    require(version[0] >= 2, 'a pre-release version')
    require(version[0] == 2, 'a newer build is needed')
    crc, = struct.unpack('<I', file.bytes(4))
    directory = Input(file.counted())
    file_length = directory.n()
    require(file_length <= len(data), 'the file is cut off')
    dictionary = directory.n()
    dictionary_hash = directory.bytes(4) if dictionary else None
    entries = []
    for number in range(directory.n()):
        code, length = directory.n(), directory.n()
        stored = directory.n() if code & 2 else length
        log = directory.n() if code & 4 else None
        require(code & 6 != 6, 'an aligned section may be compressed')
        require(log is None or log <= 12, 'an alignment is too large')
        require(code >> 3 or not number and code & 5 == 1 and length <= 65536, 'a strange bundle')
        require(number == 0 or entries[0][0] >> 3 or log is not None, 'a section beside a bundle is not aligned')
        entries.append((code, length, stored, log))
    directory.end()
    found, covered, before = [], data[:7] + directory.data, []
    if entries and not entries[0][0] >> 3:
        code, size, stored, _ = entries.pop(0)
        bundle = file.bytes(stored)
        covered += bundle
        require(crc == zlib.crc32(covered), 'the checksum of header, directory and bundle is another')
        check_dictionary(dictionary, dictionary_hash)
        content = Input(decompress(bundle, b'') if code & 2 and stored < size else bundle)
        require(len(content.data) == size, 'the bundle has another length')
        heads, count = [], content.n()
        for number in range(count):
            kind = content.n()
            heads.append((kind >> 1, kind & 1, content.n() if number < count - 1 else None))
        for kind, required, size in heads:
            flagged(kind, required, (False, kind), before)
            found.append((False, kind, content.bytes(len(content.data) - content.at if size is None else size)))
        content.end()
    check_dictionary(dictionary, dictionary_hash)
    require(crc == zlib.crc32(covered), 'the checksum of header, directory and bundle is another')
    for code, size_, stored, log in entries:
        kind = code >> 3
        flagged(kind, code & 1, (log is not None, kind), before)
        if log is not None:
            require(not any(file.bytes(-file.at % (1 << log))), 'padding')
        pages, holds, number = Input(file.bytes(stored)), b'', 0
        while len(holds) < size_:
            part = min(65536 if code & 2 else 8192, size_ - len(holds))
            size = struct.unpack('<I', file.bytes(4))[0] if code & 2 else part
            page = pages.bytes(size)
            crc = zlib.crc32(struct.pack('<HI', kind, number) + page)
            require(struct.unpack('<I', file.bytes(4))[0] == crc, 'the file is damaged')
            require(size <= part, 'a page is longer than its content')
            if size < part:
                page = decompress(page, holds[:65536])
            require(len(page) == part, 'a page is shorter')
            holds += page
            number += 1
        pages.end()
        found.append((log is not None, kind, holds))
    require(file.at == len(data) == file_length, f'the last section ends at byte {file.at} of {len(data)}')
    require(len(set(kind for _, kind, _ in found)) == len(found), 'two sections of a kind')
    for aligned, kind, content in found:
        require(kind not in SECTIONS or content, f'section {kind} is empty')
        require(kind not in SECTIONS or aligned == (kind == 15), f'section {kind} is aligned or not')
    return bool(dictionary), {kind: content for _, kind, content in found}


def decompress(frame, before):
    """Decompresses a frame; `before`, the first page's content, is its dictionary (section 2.4)."""
    require(frame[:4] == b'\x28\xb5\x2f\xfd', 'a page is not a zstd frame')
    command = ['zstd', '-dcq']
    if not before:
        done = subprocess.run(command, input=frame, capture_output=True)
    else:
        with tempfile.NamedTemporaryFile() as file:
            file.write(before)
            file.flush()
            done = subprocess.run(command + ['--patch-from', file.name], input=frame, capture_output=True)
    require(done.returncode == 0, 'a page is not a zstd frame')
    return done.stdout


def spelled_out(text, has_dictionary, blob):
    """Returns a text with its fragments and digits expanded (section 3.4)."""
    source, out = Input(text), b''
    while source.at < len(text):
        byte = source.byte()
        if byte < 128:
            out += bytes([byte])
        elif byte == 255:
            out += source.bytes(1)
            require(out[-1] > 127, 'a byte is not spelled as it is')
        elif byte == 254:
            code = source.n()
            out += (blob(code >> 1)[1] if code & 1 else source.bytes(code >> 1)).hex().upper().encode()
        else:
            number = byte - 128 if byte < 192 else 64 + (byte - 192) * 256 + source.byte()
            require(has_dictionary, 'a fragment, and the file names no dictionary')
            require(number < len(FRAGMENTS), 'there is no such fragment')
            out += FRAGMENTS[number]
    return out


def quoted(text):
    out = ''
    for byte in text:
        out += chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else '\\\\' if byte == 92 else f'\\{byte:02X}'
    return f'"{out}"'


def ascending(names):
    require(all(a < b for a, b in zip(names, names[1:])), 'the names of a dictionary do not ascend')


def hashed_body(text, references):
    parts = [counted_bytes(text), leb(len(references))]
    for at, entry in references:
        parts += [leb(at), entry.node]
    return parts


class Places:
    """The stream of locations (section 3.7)."""

    def __init__(self, source, file):
        self.source, self.file = source, file
        self.reset()

    def reset(self):
        self.name, self.line, self.column, self.entry, self.last = None, 0, 0, 0, None

    def restart(self):
        """Begins a chunk; returns its offset."""
        at = self.source.at
        require(self.source.n() == 3, 'the locations of a chunk do not restart')
        self.reset()
        return at

    def next(self):
        source = self.source
        code = source.n()
        if code == 0:
            require(self.last is not None, 'there is no location before')
        elif code == 1:
            self.last = UNKNOWN
        elif code == 4:
            require(source.n() % 2 == 0, 'a required location of a later version')
            source.counted()
            self.last = UNKNOWN
        elif code > 4 and (code - 5) % 3 == 2:
            moved = (code - 5) // 3
            self.entry += moved >> 1 ^ -(moved & 1)
            require(0 <= self.entry < len(self.file.locations), 'a location is not there')
            self.last = self.file.locations[self.entry]
        else:
            require(code != 3, 'the locations restart where no chunk begins')
            if code == 2:
                self.name, self.line, self.column = self.file.string(source), source.n(), source.n()
            else:
                moved = (code - 5) // 3
                self.line += moved >> 1 ^ -(moved & 1)
                self.column += source.s() if (code - 5) % 3 == 1 else 0
            require(self.name is not None, 'the place in a file lies in no file')
            require(0 <= self.line < 1 << 32 and 0 <= self.column < 1 << 32, 'a line or column is too large')
            self.last = file_range(self.name, self.line, self.column, self.line, self.column)
        return self.last


def numbered(source, data_of, counts):
    """Reads a table of entries about values or blocks, by segment and number (section 3.11)."""
    before = [0, 0]

    def read(data, number):
        code = data.n()
        if number % 16 == 0:
            segment, item = code, data.n()
        elif code & 1:
            segment, item = before[0] + (code >> 1), data.n()
        else:
            segment, item = before[0], before[1] + (code >> 1)
        require([segment, item] >= before, 'entries are not in order')
        require(segment < len(counts) and item < counts[segment], f'#{item} is not there in segment {segment}')
        before[:] = segment, item + 1
        return segment, item, data_of(data)

    return table(source, read)


class File:
    def __init__(self, data, folder=None):
        self.folder = folder
        self.has_dictionary, self.sections = sections(data)
        self.partial = False
        section = lambda kind: Input(self.sections.get(kind, b''))
        if 16 in self.sections:
            features = section(16)
            raise Damage(f"the file needs the feature '{features.list(features.counted)[0].decode()}'")
        self.read_blobs(section(14), self.sections.get(15, b''))
        self.read_strings(section(1))
        affine = section(2)
        self.affine_nodes = []
        if affine.data:
            table(affine, self.read_affine)
        affine.end()
        self.resources = []
        resources = section(3)
        if resources.data:
            def resource():
                dialect, key = self.string(resources), self.string(resources)
                value = self.value(resources)
                return value or Node(b'\x63' + counted_bytes(dialect) + counted_bytes(key))

            self.resources = resources.list(resource)
        resources.end()
        self.types, self.attributes, self.locations, self.attribute_count = [], [], [], 0
        self.references = set()
        if 4 in self.sections:
            self.read_entries(section(4))
        require(5 in self.sections and 6 in self.sections, 'the file has no operations')
        self.read_shapes(section(5))
        self.places = Places(section(7), self) if 7 in self.sections else None
        self.read_operations(section(6))
        if 8 in self.sections:
            self.read_index(section(8))
        if 9 in self.sections:
            self.read_provenance(section(9))
        names = section(10)
        if names.data:
            for count in (len(self.types), self.attribute_count):
                following = [0]

                def alias(data, number):
                    item = data.n() + (following[0] if number % 16 else 0)
                    require(following[0] <= item < count, 'an alias name of nothing')
                    following[0] = item + 1
                    self.string(data)

                table(names, alias)
        names.end()
        names = section(11)
        if names.data:
            for counts in zip(*self.segments):
                numbered(names, self.string, counts)
        names.end()
        uses = section(12)
        if uses.data:
            numbered(uses, lambda data: data.list(data.n), [values for values, _ in self.segments])
        uses.end()
        hashes = section(13)
        if hashes.data:
            version, following = hashes.byte(), [0]

            def fingerprint(data, number):
                place = data.n() + (following[0] if number % 16 else 0)
                require(following[0] <= place, 'fingerprints are not in order')
                following[0] = place + 1
                stated = data.bytes(32)
                require(place in self.operations_at, 'a fingerprint of no operation')
                if version == 1:
                    digest = Fingerprint(self.operations_at[place], self, False).digest
                    require(digest == stated, f'the fingerprint of the operation at {place} is another')

            table(hashes, fingerprint)
        hashes.end()
        metadata = section(17)
        if metadata.data:
            keys = [key for key, _ in metadata.list(lambda: (metadata.counted(), metadata.counted()))]
            require(all(a < b for a, b in zip(keys, keys[1:])), 'the keys of the metadata do not ascend')
        metadata.end()

    def read_blobs(self, source, content):
        self.blobs, self.used_blobs, end = [], set(), 0
        for _ in range(source.n() if source.data else 0):
            code, length = source.n(), source.n()
            asked, external, log = code & (1 << 32) - 1, code >> 32 & 1, code >> 33
            require(not asked & asked - 1, 'an alignment is not a power of two')
            require(log <= 12, 'an alignment is too large')
            own = min(asked, 4096) or (8 if length < 64 else 64)
            require(not log or not external and own < 1 << log, 'a redundant alignment')
            if external:
                path = source.counted().decode()
                require(all(name not in ('', '.', '..') for name in path.split('/')), 'a strange path')
                start, digest = source.n(), source.bytes(32)
                found = None
                if self.folder is not None:
                    found = open(os.path.join(self.folder, path), 'rb').read()[start:start + length]
                    require(hashed(found) == digest, 'the data of a blob in another file is not what it was')
                self.blobs.append((asked, found))
                continue
            start = end + -end % max(own, 1 << log)
            require(not any(content[end:start]), 'a byte between blobs is not zero')
            end = start + length
            require(end <= len(content), 'a blob is not there')
            self.blobs.append((asked, content[start:end]))
        require(end == len(content), 'bytes follow the last blob')
        source.end()

    def blob(self, number):
        require(number < len(self.blobs), f'blob #{number} is not there')
        require(number not in self.used_blobs, f'blob #{number} is used twice')
        self.used_blobs.add(number)
        return self.blobs[number]

    def data(self, source):
        """Returns data of elements, which is here or in a blob (section 3.4)."""
        code = source.n()
        return self.blob(code >> 1)[1] if code & 1 else source.bytes(code >> 1)

    def extensions(self, source):
        """Skips extensions (section 3.5)."""
        before = -1
        count = source.n()
        require(count, 'a list of extensions is empty')
        for _ in range(count):
            key = source.n()
            require(key > before, 'the keys of extensions do not ascend')
            require(key % 2 == 0, f'something has the extension {key} of a later version')
            source.counted()
            before = key

    def read_index(self, source):
        """Compares the chunks with those of the operations; checks names and references."""
        place = [0, 0]

        def chunk(data, number):
            if number % 16 == 0:
                place[:] = 0, 0
            place[0] += data.n()
            place[1] += data.n()
            back, inside = data.n(), data.n()
            require(back <= number, 'a chunk is nested in none')
            return place[0], place[1], number - back if back else None, inside

        chunks = table(source, chunk)
        expected = [(a, b if self.places else c[1], p, i) for (a, b, p, i), c in zip(self.chunks, chunks)]
        require(len(chunks) == len(self.chunks),
                f'the index has {len(chunks)} chunks, and the operations have {len(self.chunks)}')
        for number, (stated, is_) in enumerate(zip(chunks, expected)):
            require(stated == is_, f'chunk #{number} of the index is {stated}, not {is_}')
        symbols = {}
        for name, at in self.symbols:
            symbols.setdefault(name, []).append(at)

        def name(data, number):
            found, at = [], 0
            while True:
                code = data.n()
                at += code >> 1
                found.append(at)
                if not code & 1:
                    break
            require(found == sorted(set(symbols.get(number, []))), f'string {number} names other symbols')

        require(len(table(source, name)) == len(symbols), 'a symbol has no name in the index')

        def references(data, number):
            entry = Input(data.counted())
            while entry.at < len(entry.data):
                entry.n()
                numbers, at = [], 0
                for _ in range(entry.n()):
                    at += entry.n()
                    require(at in self.references, 'a reference of the index is not one')
                    at += 1

        require(len(table(source, references)) in (0, len(chunks)), 'the references of the index are not those of chunks')
        source.end()

    def read_provenance(self, source):
        source.optional(), source.optional()
        source.list(lambda: (self.string(source), source.counted()))
        if source.n():
            source.list(lambda: source.counted() if source.optional() is None else None)
        for _ in range(source.optional() or 0):
            require(source.n() // 3 < len(self.strings), 'an operation is not there')
        source.list(lambda: self.string(source))
        for number in source.list(source.n):
            require(number < len(self.resources), 'a resource is not there')
        source.list(lambda: (self.string(source), source.list(lambda: (self.string(source), self.value(source)))))
        source.end()

    def string(self, source):
        number = source.n()
        require(number < len(self.strings), 'a string is not there')
        return self.strings[number]

    def attribute(self, source, number=None):
        number = source.n() if number is None else number
        if number >= self.attribute_count:
            require(number - self.attribute_count < len(self.strings), 'a string is not there')
            string = self.strings[number - self.attribute_count]
            return Text(quoted(string), b'\x33\0' + string)
        require(number < len(self.attributes), 'an attribute is not there')
        return self.attributes[number]

    def type(self, source):
        number = source.n()
        require(number < len(self.types), 'a type is not there')
        return self.types[number]

    def location(self, source):
        number = source.n()
        require(number < len(self.locations), 'a location is not there')
        return self.locations[number]

    def read_strings(self, source):
        self.strings = []
        if not source.data:
            return
        preset, following = [], 0
        for _ in range(source.n()):
            number = following + source.n()
            require(self.has_dictionary, 'a preset string, and the file names no dictionary')
            require(number < len(PRESET), 'there is no such preset string')
            preset.append(PRESET[number])
            following = number + 1
        count, symbols = source.n(), source.n()
        require(symbols <= count, 'more symbols than strings')

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
            return self.affine_nodes.append(Node(b'\x20' + i64(data.s())))
        if kind < 3:
            return self.affine_nodes.append(Node(bytes([0x20 + kind]) + leb(data.n())))
        require(kind < 128, 'an affine expression is of a later version')
        require(kind < 8, f'no affine expression begins with the byte {kind}')
        left, right = data.n(), data.n()
        require(0 < left <= number and 0 < right <= number, 'an operand is not there')
        nodes = self.affine_nodes
        nodes.append(Node(bytes([0x20 + kind]), nodes[number - left], nodes[number - right]))

    def value(self, source):
        kind = source.byte()
        require(kind < 128, 'the value of a resource is of a later version')
        require(kind < 5, 'a value of another kind')
        if kind == 1:
            asked, found = self.blob(source.n())
            return None if found is None else Node(b'\x60' + leb(asked) + found)
        if kind == 2:
            return Node(b'\x61' + source.counted())
        return Node(b'\x62' + bytes([kind - 3])) if kind else None

    def body(self, source):
        """Returns the text of a body with that of its references, and what is hashed of it."""
        text = spelled_out(source.counted(), self.has_dictionary, self.blob)
        rest, out, at, found = text, b'', 0, []
        for _ in range(source.n()):
            size, number = source.n(), source.n()
            require(size <= len(rest), 'a reference is after the end of the text')
            out, rest, at = out + rest[:size], rest[size:], at + size
            found.append((at, self.reference(number)))
            out += found[-1][1].encode('latin1')
        return (out + rest).decode('latin1'), hashed_body(text, found)

    def reference(self, number):
        return self.types[number >> 1] if number & 1 else self.attribute(None, number >> 1)

    def shape(self, source):
        """Returns the sizes as text, and as they are hashed."""
        sizes = source.list(source.n)
        numbers = b''.join(i64(size - 1 if size else DYNAMIC) for size in sizes)
        return [str(size - 1) if size else '?' for size in sizes], leb(len(sizes)) + numbers

    def read_entries(self, source):
        runs = source.list(lambda: (source.byte(), source.n()))
        require(all(count for _, count in runs), 'a run of no entries')
        require(all(count == 1 or tag not in (4, 5, 17, 32, 64) for tag, count in runs), 'entries are all equal')
        self.attribute_count = sum(count for tag, count in runs if 32 <= tag < 64)
        tags = [tag for tag, count in runs for _ in range(count)]
        numbers = [tag < 5 for tag in tags]
        require(numbers == sorted(numbers, reverse=True), 'a type of numbers follows another entry')

        def read(data, number):
            tag = tags[number]
            entry = self.entry(data, tag)
            if tag == 36:
                self.references.add(len(self.attributes))
            (self.types if tag < 32 else self.attributes if tag < 64 else self.locations).append(entry)

        table(source, read, len(tags))
        source.end()

    def entry(self, data, tag):
        n, attribute, type = data.n, lambda: self.attribute(data), lambda: self.type(data)
        nodes = lambda entries: list_of([entry.node for entry in entries])
        maybe = lambda entry: optional_node(None if entry is None else entry.node)
        if tag < 3:
            width = n()
            require(width < 1 << 24, f'an integer type of {width} bits')
            made = Text(['i', 'si', 'ui'][tag] + str(width), bytes([0x10, tag]) + leb(width))
            made.width = width
            return made
        if tag == 3:
            name = FLOATS[data.byte()]
            return Text(name, b'\x11' + counted_bytes(name.encode()))
        if tag in (4, 5):
            return Text(['index', 'none'][tag - 4], bytes([0x12 + tag - 4]))
        if tag == 6:
            element = type()
            return Text(f'complex<{element}>', b'\x14', element.node)
        if tag == 7:
            elements = data.list(type)
            return Text(f'tuple<{", ".join(elements)}>', b'\x15', *nodes(elements))
        if tag in (8, 18):
            inputs, results = data.list(type), data.list(type)
            shown = results[0] if len(results) == 1 and '->' not in results[0] else f'({", ".join(results)})'
            kind = b'\x16' if tag == 8 else b'\x1d'
            return Text(f'({", ".join(inputs)}) -> {shown}', kind, *nodes(inputs), *nodes(results))
        if tag in (9, 10):
            element, (sizes, numbers) = type(), self.shape(data)
            scalable = [False] * len(sizes)
            if tag == 10:
                bits = data.bytes(-(-len(sizes) // 8))
                scalable = [bool(bits[i // 8] >> i % 8 & 1) for i in range(len(sizes))]
                require(any(scalable) and int.from_bytes(bits, 'little') >> len(sizes) == 0, 'bits of no dimension')
                sizes = [f'[{s}]' if is_scalable else s for s, is_scalable in zip(sizes, scalable)]
            return Text(f'vector<{"x".join(sizes + [element])}>', b'\x17', element.node, numbers + bytes(scalable))
        if tag == 11:
            element, encoding = type(), self.maybe(data, self.attribute)
            sizes, numbers = self.shape(data)
            text = f'tensor<{"x".join(sizes + [element])}{", " + encoding if encoding else ""}>'
            return Text(text, b'\x18', element.node, *maybe(encoding), numbers)
        if tag == 12:
            element = type()
            return Text(f'tensor<*x{element}>', b'\x19', element.node)
        if tag in (13, 14):
            element = type()
            rest = [self.maybe(data, self.attribute) for _ in range(15 - tag)]
            sizes, numbers = self.shape(data) if tag == 13 else (['*'], b'')
            text = f'memref<{"x".join(sizes + [element])}{"".join(", " + r for r in rest if r)}>'
            found = [part for entry in rest for part in maybe(entry)]
            return Text(text, bytes([0x1A + tag - 13]), element.node, *found, numbers)
        if tag == 15:
            self.see(tag)
            dialect, (body, parts) = self.string(data), self.body(data)
            return Text(f'!{dialect.decode("latin1")}<{body}>', b'\x1c' + counted_bytes(dialect), *parts)
        if tag == 17:
            return Text('token', b'\x1e')
        if tag == 32:
            return Text('unit', b'\x30')
        if tag == 33:
            ty = type()
            width = 64 if ty == 'index' else ty.width
            size = -(-width // 8)
            if width <= 64:
                value = data.s()
                require(-(1 << width - 1 if width else 0) <= value < (1 << width - 1 if width else 1),
                        f'the value of an integer does not fit in {width} bits')
            else:
                value = int.from_bytes(data.bytes(size), 'little')
                require(value >> width == 0, 'unused bits of an integer are not zero')
                value -= (value >> width - 1) << width
            bits = (value & (1 << width) - 1).to_bytes(size, 'little')
            text = ('true' if value else 'false') if ty == 'i1' else f'{value} : {ty}'
            return Text(text, b'\x31', ty.node, bits)
        if tag == 34:
            self.see(tag)
            ty = type()
            bits = data.bytes(-(-FLOAT_BITS[FLOATS.index(ty)] // 8))
            return Text(f'<float {bits.hex()}> : {ty}', b'\x32', ty.node, bits.ljust(16, b'\0'))
        if tag == 35:
            value, ty = self.string(data), self.maybe(data, self.type_of)
            ty = None if ty == 'none' else ty
            return Text(f'{quoted(value)} : {ty}', b'\x33', *maybe(ty), value)
        if tag == 36:
            names = [self.string(data)] + data.list(lambda: self.string(data))
            text = '::'.join('@' + name.decode('latin1') for name in names)
            nested = b''.join(map(counted_bytes, names[1:]))
            return Text(text, b'\x34' + counted_bytes(names[0]) + leb(len(names) - 1) + nested)
        if tag == 37:
            ty = type()
            return Text(ty, b'\x35', ty.node)
        if tag == 38:
            elements = data.list(attribute)
            return Text(f'[{", ".join(elements)}]', b'\x36', *nodes(elements))
        if tag == 39:
            pairs = data.list(lambda: (self.string(data), attribute()))
            ascending([name for name, _ in pairs])
            return Text('{' + ', '.join(self.named(*pair) for pair in pairs) + '}', dictionary(pairs))
        self.see(tag)
        name, parts = f'<{tag}>', None
        if tag in (40, 41):
            ty, content = type(), self.data(data)
            parts = bytes([0x38, tag - 40]), ty.node, content
        elif tag in (42, 43):
            ty, values = type(), data.list(lambda: self.string(data))
            parts = bytes([0x39, tag - 42]), ty.node, leb(len(values)) + b''.join(map(counted_bytes, values))
        elif tag == 44:
            ty, content = type(), self.data(data)
            width = getattr(ty, 'width', None) or (64 if ty == 'index' else FLOAT_BITS[FLOATS.index(ty)])
            parts = b'\x3a', ty.node, leb(len(content) // -(-width // 8)), content
        elif tag == 45:
            parts = b'\x3b', type().node, self.resources[n()]
        elif tag == 46:
            parts = b'\x3c', type().node, attribute().node, attribute().node
        elif tag == 47:
            numbers = leb(n()) + leb(n())
            parts = b'\x3d' + numbers, *list_of(data.list(lambda: self.affine_nodes[n()]))
        elif tag == 48:
            numbers, constraints = leb(n()) + leb(n()), data.list(n)
            parts = [b'\x3e' + numbers, leb(len(constraints))]
            for code in constraints:
                parts += [bytes([code & 1]), self.affine_nodes[code >> 1]]
        elif tag == 49:
            offset, strides = n(), data.list(n)
            number = lambda code: i64(code - 1 >> 1 ^ -(code - 1 & 1) if code else DYNAMIC)
            parts = b'\x3f' + number(offset) + leb(len(strides)) + b''.join(map(number, strides)),
        elif tag == 50:
            return Text(name, Distinct(attribute().node))
        elif tag == 51:
            return Text(name, LocationAttribute(self.location(data).node))
        elif tag == 52:
            dialect, (body, found), ty = self.string(data), self.body(data), self.maybe(data, self.type_of)
            ty = None if ty == 'none' else ty
            name = f'#{dialect.decode("latin1")}<{body}>'
            parts = b'\x42' + counted_bytes(dialect), *maybe(ty), *found
        elif tag == 53:
            parts = b'\x43', type().node, self.string(data)
        elif tag == 64:
            return UNKNOWN
        elif tag in (65, 66):
            file, line, column = self.string(data), n(), n()
            lines, columns = (data.s(), data.s()) if tag == 66 else (0, 0)
            require(tag == 65 or (lines, columns) != (0, 0), 'a range ends where it starts')
            return file_range(file, line, column, line + lines, column + columns)
        elif tag == 67:
            called, child = self.string(data), self.maybe(data, self.location_of)
            parts = b'\x52' + counted_bytes(called), (child or UNKNOWN).node
        elif tag == 68:
            parts = b'\x53', self.location(data).node, self.location(data).node
        elif tag == 69:
            metadata = self.maybe(data, self.attribute)
            parts = b'\x54', *maybe(metadata), *nodes(data.list(lambda: self.location(data)))
        elif tag == 70:
            parts = b'\x55', attribute().node
        elif tag == 71:
            file, places = self.string(data), data.list(n)
            require(len(places) <= 2, f'a file position stored as a range has {len(places)} numbers')
            line, column = (places + [0, 0])[:2]
            return file_range(file, line, column, line, column)
        elif tag < 128:
            parts = self.later(data, tag)
        else:
            raise Damage(f'no entry is of the kind {tag}')
        return Text(name, *parts)

    def later(self, data, tag):
        """Reads an entry of a later version (section 6.2)."""
        content, references = data.counted(), data.list(lambda: self.reference(data.n()))
        text = f'entry<{tag}, "{content.hex().upper()}"'.encode()
        found = []
        for reference in references:
            text += b', '
            found.append((len(text), reference))
        body = hashed_body(text + b'>', found)
        if tag < 32:
            return b'\x1c' + counted_bytes(b'rmbc'), *body
        attribute = Node(b'\x42' + counted_bytes(b'rmbc') + b'\0', *body)
        return (attribute,) if tag < 64 else (b'\x55', attribute)

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
            require(flags < 256 and (flags & 2 or not flags & 4), 'the flags of a signature contradict each other')
            successors = data.n() if flags & 16 else 0
            regions = data.n() if flags & 32 else 0
            attributes = data.list(lambda: self.string(data)) if flags & 1 else []
            properties = data.list(lambda: self.string(data)) if flags & 2 and not flags & 4 else []
            require(attributes or not flags & 1, 'a signature has attributes and no keys')
            ascending(attributes)
            ascending(properties)
            if flags & 64:
                self.extensions(data)
            return name, flags, operands, results, successors, regions, attributes, properties

        self.forms = table(source, form)

        def shape(data, _):
            number = data.n()
            require(number < len(self.forms), 'a signature is not there')
            form = self.forms[number]
            results = [data.n() for _ in range(form[3])]
            return form, results, None if form[1] & 8 else self.values(data, form)

        self.shapes = table(source, shape)
        source.end()

    def values(self, data, form):
        """Returns pairs of names and values of attributes and properties; other properties are a
        single value, and None if there are none."""
        attributes = [(name, self.attribute(data)) for name in form[6]]
        properties = [(name, self.attribute(data)) for name in form[7]] if form[1] & 2 else None
        return attributes, self.attribute(data) if form[1] & 4 else properties

    def read_operations(self, source):
        totals = [source.n() for _ in range(5)]
        self.counts, self.totals = [0] * 5, totals
        self.value_types, self.operations_at = [], {}
        # Chunks: offsets in operations and locations, the chunk around, chunks inside.
        # Segments: counts of values and blocks.
        self.chunks, self.segments, self.symbols, self.open, self.named_symbols = [], [[0, 0]], [], [], 0
        self.top, _ = self.operation(source, True)
        source.end()
        require(self.counts == totals, f'{totals} are announced, and {self.counts} are there')
        require(self.places is None or self.places.source.at == len(self.places.source.data), 'locations are left')

    def place(self):
        return UNKNOWN if self.places is None else self.places.next()

    def define(self, types):
        self.value_types += types
        self.counts[3] += len(types)
        self.segments[-1][0] += len(types)

    def operation(self, source, is_last):
        """Reads an operation; also returns the values that are used in it and defined outside.

        `is_last` if it is the last one of its chunk, or the top-level operation."""
        before = self.counts[0]
        self.counts[0] += 1
        at = source.at
        number = source.n()
        require(number < len(self.shapes), 'a template is not there')
        form, results, values = self.shapes[number]
        first = len(self.value_types)
        operands = []
        for _ in range(form[2]):
            back = source.n()
            operands.append(first - back if back else first + source.n())
            require(0 <= operands[-1] < self.totals[3], 'a value is not there')
        self.counts[4] += len(operands)
        if values is None:
            values = self.values(source, form)
        types = []
        for code in results:
            require(code > 1 or code < len(operands) and operands[code] < first, 'a type of an operand is not known')
            require(code - 2 < len(self.types), 'a type is not there')
            types.append(self.types[code - 2] if code > 1 else self.value_types[operands[code]])
        self.define(types)
        successors = [source.n() for _ in range(form[4])]
        if form[1] & 128:
            self.extensions(source)
        place = self.place()
        self.counts[1] += form[5]
        # A symbol of the index has a name, and neither operands nor results nor successors.
        name = self.symbol_name(form, values) if not (operands or results or successors) and at > 5 else None
        chunk, slot = len(self.chunks) - 1, len(self.symbols)
        self.symbols.append(None)
        regions, flags, used, named = [], [], list(operands), self.named_symbols
        self.open.append(None)
        for _ in range(form[5]):
            region, inner = self.region(source, is_last, flags)
            regions.append(region)
            used += inner
        around = self.open.pop()
        if around is not None and around >= 0:
            place_, locations, parent, _ = self.chunks[around]
            self.chunks[around] = place_, locations, parent, len(self.chunks) - 1 - around
        require(not (self.chunks and not any(flags) and self.counts[0] - before > 1024 and self.named_symbols > named),
                'an operation with symbols is not divided into chunks')
        self.named_symbols += name is not None
        end = len(self.value_types)
        outside = [u for u in used if not first <= u < end]
        if name is not None and not outside and chunk >= 0:
            self.symbols[slot] = name, chunk
        if self.top_done(at):
            self.symbols = [symbol for symbol in self.symbols if symbol]
        operation = form[0].decode('latin1'), first, len(results), operands, values, successors, regions, place
        self.operations_at[at] = operation
        return operation, outside

    def top_done(self, at):
        return not self.open

    def symbol_name(self, form, values):
        """Returns the number of the string that names a symbol of the index (section 3.8)."""
        attributes, properties = values
        found = None
        for pairs in (attributes, properties if isinstance(properties, list) else []):
            for key, value in pairs:
                if key == b'sym_name':
                    found = self.literal(value)
        return found

    def literal(self, text):
        match = re.fullmatch(r'"((?:[^"\\]|\\.)*)"(?: : .*)?', text, re.S)
        inside = re.fullmatch(r'#[^<]*<[\w.$]*<?"((?:[^"\\]|\\.)*)">?>', text, re.S)
        if not match and inside is None or match and ' : ' in text[match.end(1) + 1:]:
            return None
        raw = (match or inside)[1]
        name = re.sub(rb'\\([0-9A-Fa-f]{2}|.)', lambda m: bytes.fromhex(m[1].decode()) if len(m[1]) == 2 else
                      {b'n': b'\n', b't': b'\t'}.get(m[1], m[1]), raw.encode('latin1'), flags=re.S)
        try:
            return self.strings.index(name)
        except ValueError:
            return -1

    def region(self, source, is_last, flags):
        head = source.n()
        blocks, used = [], []
        count, chunked = head >> 3, bool(head & 2)
        require(count or not head & 3, 'a region without blocks has arguments or chunks')
        if head & 4:
            self.extensions(source)
        if count:
            require(not flags or flags[0] == chunked, 'some regions are divided into chunks')
            if chunked and not flags:
                require(is_last, 'an operation with chunks is not the last one of a chunk')
                self.open[-1] = self.current_chunk()
            flags.append(chunked)
        for number in range(count):
            self.counts[2] += 1
            self.segments[-1][1] += 1
            if head & 4:
                self.extensions(source)
            types, code = [], 0
            if number or head & 1:
                code = source.n() + (1 - bool(number))
            require(code <= len(self.lists), 'a type list is not there')
            types = self.lists[code - 1] if code else []
            first = len(self.value_types)
            self.define(types)
            places = [self.place() for _ in types]
            operations = []
            for _ in range(source.n() if chunked else 1):
                if chunked:
                    offset, location = source.at, self.places.restart() if self.places else 0
                    self.chunks.append((offset, location, self.open[-1] if self.open[-1] >= 0 else None, 0))
                    self.segments.append([0, 0])
                total = source.n()
                require(total or not chunked, 'a chunk has no operations')
                for place in range(total):
                    operation, inner = self.operation(source, chunked and place == total - 1)
                    operations.append(operation)
                    used += inner
            blocks.append((first, types, places, operations))
        return blocks, used

    def current_chunk(self):
        """Returns the innermost chunk that was begun; -1 for none."""
        return len(self.chunks) - 1

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
            is_other = isinstance(properties, Text)
            line += f' <{properties}>' if is_other else ' <{' + ', '.join(self.named(*pair) for pair in properties) + '}>'
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
            line += ' {' + ', '.join(self.named(*pair) for pair in attributes) + '}'
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


def read(data, folder=None):
    """Reads a file, and data of blobs in other files of a folder, if given; raises only Damage."""
    try:
        return File(data, folder)
    except (AttributeError, IndexError, ValueError, KeyError, struct.error, RecursionError, OverflowError, MemoryError) as error:
        raise Damage(f'{type(error).__name__}: {error}')


def check(path):
    file = read(open(path, 'rb').read())
    # Files with the same content have the same name up to the first dot.
    folder, name = os.path.split(os.path.abspath(path))
    expected = open(os.path.join(folder, 'text', name.split('.')[0] + '.mlir')).read()
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
    if sys.argv[1] == '--rejected':
        wrong = []
        for line in open(os.path.join(sys.argv[2], 'reasons.tsv')):
            name, _, reason = line.rstrip('\n').split('\t')
            try:
                read(open(os.path.join(sys.argv[2], name + '.rmbc'), 'rb').read())
            except Damage as damage:
                if reason not in str(damage):
                    wrong.append(f'{name} is refused because {damage}, and not: {reason}')
            else:
                wrong.append(f'{name} is read')
        sys.exit('\n'.join(wrong) or print('all files are refused for their reasons'))
    if sys.argv[1] == '--hash':
        for path in sys.argv[2:]:
            file = read(open(path, 'rb').read(), os.path.dirname(path))
            print(*(Fingerprint(file.top, file, locations).digest.hex() for locations in (False, True)), path)
        return
    if sys.argv[1] != '--check':
        print(read(open(sys.argv[1], 'rb').read()).text(), end='')
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
