"""The programs `rmlir` and `rmlir-translate`."""

from __future__ import annotations

import signal
import sys

from rmlir import _rmlir


def _run(name: str) -> int:
    # The program runs outside of the interpreter, which would not see Control-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _rmlir.run_program([name, *sys.argv[1:]])


def rmlir() -> int:
    """Runs `rmlir` with the arguments of the process."""
    return _run("rmlir")


def rmlir_translate() -> int:
    """Runs `rmlir-translate` with the arguments of the process."""
    return _run("rmlir-translate")
