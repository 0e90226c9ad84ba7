"""A program that pyright checks in strict mode: what a user writes has the types one expects."""
# pyright: strict

import rmlir

module = rmlir.open("examples/mlp.mlir", dialects=["toy.dialect"], verify=True)
names: list[str] = [op.name for op in module.walk()]
shape: tuple[int | None, ...] | None = module.type("tensor<?xf32>").shape
for op in module.ops("stablehlo.constant"):
    data = op.attributes["value"].data
    if data is not None:
        print(data.numpy().sum(), data.dtype)
builder = rmlir.Builder(module)
function = builder.op("func.func", attributes={"sym_name": "f", "my.list": [1, 2.5, {"a": None}]}, regions=1)
with builder.body(function.regions[0], ["i32", module.type("f32")]) as (x, y):
    total: rmlir.Operation = builder.op("d.add", [x, y], results="i32")
    builder.op("func.return", total)
raw: bytes = module.to_bytes("mlirbc", target="llvm-22")
try:
    rmlir.parse(raw)
except rmlir.ParseError as error:
    line: int = error.line
