"""Memory does not grow when objects come and go."""

import gc
import subprocess
import sys

PROGRAM = """
import gc, resource, sys, tempfile, os
import rmlir
try:
    import numpy as np
except ImportError:
    np = None

text = "\\n".join(f'func.func @f{n}(%x: i32) -> i32 {{ %c = arith.constant dense<[{n}, 2, 3, 4]> : tensor<4xi32> %y = arith.addi %x, %x : i32 return %y : i32 }}' for n in range(50))
path = os.path.join(tempfile.mkdtemp(), "m.rmbc")
rmlir.parse(text).save(path)

def once(step):
    module = rmlir.parse(text)
    for op in module.walk():
        op.name, op.operands, op.results, op.regions, op.location, op.attributes.items()
    data = [op.attributes["value"].data for op in module.ops("arith.constant")]
    views = [memoryview(one) for one in data]
    capsules = [one.__dlpack__(max_version=(1, 0)) for one in data] + [one.__dlpack__() for one in data]
    if np is not None:
        arrays = [one.numpy() for one in data] + [np.from_dlpack(one) for one in data]
    lazy = rmlir.open(path)
    lazy["@f7"], lazy.symbols(), lazy.extract("@f3"), lazy.fingerprint()
    module.to_bytes("mlirbc"), module.to_text(), module.copy(), module.diff(lazy)
    for broken in ("func.func @f() {", '"a.b"(%x) : () -> ()'):
        try:
            rmlir.parse(broken)
        except rmlir.ParseError as error:
            error.diagnostics
    b = rmlir.Builder()
    f = b.op("func.func", attributes={"sym_name": "f", "function_type": "() -> ()"}, regions=1)
    with b.body(f.regions[0]):
        b.op("func.return")
    f.erase()
    # A cycle through Python objects is collected.
    class Holder: pass
    holder = Holder()
    holder.module, holder.self = module, holder

def resident():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()

for step in range(60):
    once(step)
before = resident()
for step in range(240):
    once(step)
after = resident()
print(after - before)
"""


def test_no_leak() -> None:
    grown = int(subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout)
    # 240 rounds; a lost module alone would be 20 MB.
    assert grown < 3_000_000, grown


def test_data_outlives_everything() -> None:
    import rmlir

    data = rmlir.parse('"d.op"() {a = dense<[1, 2, 3]> : tensor<3xi64>} : () -> ()').ops("d.op")[0].attributes["a"].data
    assert data is not None
    capsule = data.__dlpack__(max_version=(1, 0))
    view = memoryview(data)
    del data
    gc.collect()
    assert view.tolist() == [1, 2, 3]
    del capsule
    gc.collect()
    assert view.tolist() == [1, 2, 3]
