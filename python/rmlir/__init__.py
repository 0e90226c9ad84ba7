"""MLIR as text, in memory and as bytecode, without LLVM.

>>> import rmlir
>>> module = rmlir.parse('''
...     func.func @f(%x: i32) -> i32 {
...       %y = arith.addi %x, %x : i32
...       return %y : i32
...     }''')
>>> [op.name for op in module.walk()]
['builtin.module', 'func.func', 'arith.addi', 'func.return']
>>> module["@f"].attributes["function_type"].value
Type((i32) -> i32)

`open` reads a file of any form, `parse` text; `Module` has the rest. Handles of operations, blocks,
values and regions are checked: one whose operation was erased raises `StaleHandleError`.
"""

from rmlir._rmlir import (
    Attribute,
    AttributeMap,
    Block,
    Body,
    Builder,
    Change,
    CorruptError,
    Diagnostic,
    Dialect,
    Error,
    LimitError,
    Location,
    Module,
    Operation,
    ParseError,
    Region,
    StaleHandleError,
    Symbol,
    Tables,
    Type,
    UnsupportedError,
    Value,
    VerifyError,
    Walk,
    __version__,
    link,
    open,
    parse,
    tables,
)
from rmlir._data import Data

__all__ = [
    "Attribute",
    "AttributeMap",
    "Block",
    "Body",
    "Builder",
    "Change",
    "CorruptError",
    "Data",
    "Diagnostic",
    "Dialect",
    "Error",
    "LimitError",
    "Location",
    "Module",
    "Operation",
    "ParseError",
    "Region",
    "StaleHandleError",
    "Symbol",
    "Tables",
    "Type",
    "UnsupportedError",
    "Value",
    "VerifyError",
    "Walk",
    "__version__",
    "link",
    "open",
    "parse",
    "tables",
]
