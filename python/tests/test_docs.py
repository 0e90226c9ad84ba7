"""Examples in docstrings and in the README, and the programs of the wheel."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rmlir
import rmlir._data


def test_docstrings() -> None:
    for module in (rmlir, rmlir._data):
        results = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
        assert results.failed == 0
    finder = doctest.DocTestFinder(exclude_empty=False)
    found = {test.name for test in finder.find(rmlir) if test.examples}
    assert {"rmlir", "rmlir.Module", "rmlir.Operation", "rmlir.Builder", "rmlir.Module.diff"} <= found


def test_everything_is_documented() -> None:
    missing = []
    for name in rmlir.__all__:
        item = getattr(rmlir, name)
        if isinstance(item, str):
            continue
        if not item.__doc__:
            missing.append(name)
        if isinstance(item, type) and not issubclass(item, Exception):
            for member, value in vars(item).items():
                if not member.startswith("_") and not getattr(value, "__doc__", None):
                    missing.append(f"{name}.{member}")
    assert not missing


def test_readme(root: Path, tmp_path: Path) -> None:
    readme = (root / "python" / "README.md").read_text()
    assert readme.index("pip install rmlir") < readme.index("```python")
    os.symlink(root / "examples", tmp_path / "examples")
    before = os.getcwd()
    os.chdir(tmp_path)
    try:
        results = doctest.testfile(str(root / "python" / "README.md"), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    finally:
        os.chdir(before)
    assert results.attempted > 10 and results.failed == 0
    for line in re.findall(r"^\$ (rmlir.*)$", readme, re.M):
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        done = subprocess.run(line, shell=True, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True)
        assert done.returncode == 0, (line, done.stderr)


def program(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "rmlir", *arguments], capture_output=True, text=True)


def test_programs(mlp: Path, tmp_path: Path) -> None:
    done = program("convert", str(mlp), "-o", str(tmp_path / "m.rmbc"))
    assert done.returncode == 0, done.stderr
    assert program("hash", str(tmp_path / "m.rmbc")).stdout.split()[0] == rmlir.open(mlp).fingerprint()
    assert program("verify", str(tmp_path / "nothing")).returncode == 1
    assert program("nothing").returncode == 2
    assert program("diff", str(mlp), str(mlp)).returncode == 0
    scripts = Path(sys.executable).parent
    if not (scripts / "rmlir-translate").exists():
        pytest.skip("SKIPPED: the scripts are not installed")
    done = subprocess.run([scripts / "rmlir-translate", mlp], capture_output=True, text=True)
    assert done.returncode == 0 and rmlir.parse(done.stdout).equals(rmlir.open(mlp))


def test_import_is_light() -> None:
    code = """
import sys, time
before, start = set(sys.modules), time.process_time()
import rmlir
print((time.process_time() - start) * 1000, *set(sys.modules) - before)
"""
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3)]
    found = [run.stdout.split() for run in runs]
    # The time is for people, as it depends on the machine: what is imported is the package alone.
    print(f"import: {min(float(time) for time, *_ in found):.1f} ms")
    for _, *modules in found:
        assert set(modules) <= {"rmlir", "rmlir._data", "rmlir._rmlir", "__future__"}
