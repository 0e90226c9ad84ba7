"""Runs the README's examples; those with NumPy only where it is installed."""

import doctest
import importlib.util
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text()
if importlib.util.find_spec("numpy") is None:
    lines = text.splitlines()
    text = "\n".join(line for i, line in enumerate(lines) if ".numpy()" not in line and not (i and ".numpy()" in lines[i - 1]))
test = doctest.DocTestParser().get_doctest(text, {}, "README.md", sys.argv[1], 0)
runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
runner.run(test)
print(f"Python {sys.version.split()[0]}: {runner.tries} examples, {runner.failures} failures")
sys.exit(bool(runner.failures) or runner.tries < 10)
