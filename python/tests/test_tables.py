"""Tables: Arrow streams, the engines that read them, and the command line."""

import csv
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import rmlir

pa = pytest.importorskip("pyarrow", reason="SKIPPED: pyarrow is not installed")

TEXT = b"""
module @top {
  func.func @a(%x: i32) -> i32 attributes {my.note = "x,y"} { %y = arith.addi %x, %x : i32 loc("a.py":3:7) return %y : i32 }
  module @inner { func.func private @b(%x: i32) -> i32 attributes {my.note = "x,y"} { %y = arith.addi %x, %x : i32 return %y : i32 } }
  func.func private @c(i32) -> i32
  %0 = arith.constant dense<[1, 2, 3]> : tensor<3xi16>
  %1 = arith.constant dense<7> : tensor<2x2xi8>
}
"""


def table(what: str, files: Any = ((("t.mlir"), TEXT),), **options: Any) -> Any:
    return pa.table(rmlir.tables(files, what, **options))  # type: ignore[arg-type]


def test_operations() -> None:
    rows = table("operations").to_pylist()
    module = rmlir.parse(TEXT)
    assert [row["name"] for row in rows] == [op.name for op in module.walk()]
    assert [row["index"] for row in rows] == list(range(len(rows)))
    for row, op in zip(rows, module.walk()):
        assert row["operand_types"] == [str(value.type) for value in op.operands]
        assert row["result_types"] == [str(value.type) for value in op.results]
        assert dict(row["attributes"]).keys() == set(op.attributes)
        parent = op.parent
        assert (rows[row["parent"]]["name"] if parent else row["parent"]) == (parent and parent.name)
        assert row["dialect"] == op.dialect and row["file"] == "t.mlir" and row["producer"] is None
    add = next(row for row in rows if row["name"] == "arith.addi")
    assert (add["symbol"], add["source_file"], add["source_line"], add["depth"]) == ("@a", "a.py", 3, 2)
    assert [row["symbol"] for row in rows if row["name"] == "func.func"] == ["@a", "@inner::@b", "@c"]
    assert rows[0]["fingerprint"] == module.fingerprint() and rows[0]["symbol"] is None
    assert add["fingerprint"] is None
    everything = table("operations", all_fingerprints=True).to_pylist()
    assert [row["fingerprint"] for row in everything] == [op.fingerprint() for op in module.walk()]


@pytest.mark.parametrize("what", ["operations", "symbols", "attributes", "constants", "locations"])
def test_schema(what: str) -> None:
    tables = rmlir.tables(["there is no such file"], what)  # type: ignore[arg-type]
    schema = pa.schema(tables)
    assert schema == pa.schema(tables) == table(what).schema and len(schema) > 1


def test_fingerprint_without_names() -> None:
    rows = {row["symbol"]: row for row in table("symbols").to_pylist()}
    a, b, c = rows["@a"], rows["@inner::@b"], rows["@c"]
    assert a["fingerprint"] != b["fingerprint"] == rmlir.parse(TEXT)["@inner::@b"].fingerprint()
    # They differ in name and visibility.
    assert a["fingerprint_without_names"] != b["fingerprint_without_names"]
    public = table("symbols", [("u.mlir", TEXT.replace(b"private @b", b"@b"))]).to_pylist()
    assert {row["fingerprint_without_names"] for row in public if row["name"] in "ab"} == {a["fingerprint_without_names"]}
    assert (a["operations"], a["is_declaration"], c["is_declaration"], c["visibility"]) == (3, False, True, "private")
    assert rows["@inner"]["operations"] == 4


def test_other_tables() -> None:
    constants = table("constants").to_pylist()
    assert [(row["type"], row["shape"], row["bytes"], row["is_splat"]) for row in constants] == [
        ("tensor<3xi16>", [3], 6, False),
        ("tensor<2x2xi8>", [2, 2], 1, True),
    ]
    attributes = table("attributes").to_pylist()
    assert Counter(row["name"] for row in attributes)["my.note"] == 2
    assert all(row["is_inherent"] == (row["name"] != "my.note") for row in attributes)
    locations = table("locations").to_pylist()
    assert [row["source_column"] for row in locations if row["source_file"] == "a.py"] == [7]
    with pytest.raises(ValueError):
        rmlir.tables([], "nothing")  # type: ignore[arg-type]


def test_batches_and_errors() -> None:
    many = b"\n".join(b"func.func private @f%d()" % n for n in range(1000))
    tables = rmlir.tables([("a.mlir", many), ("bad.mlir", b"("), ("b.mlir", many)], errors="skip", batch_rows=100)
    sizes = [batch.num_rows for batch in pa.RecordBatchReader.from_stream(tables)]
    assert set(sizes[:-1]) == {100} and sum(sizes) == 2002
    assert [name for name, _ in tables.errors] == ["bad.mlir"]
    assert pa.table(tables).num_rows == 2002, "a table can be read again"
    with pytest.raises(Exception, match="bad.mlir"):
        pa.table(rmlir.tables([("bad.mlir", b"(")]))


def test_engines(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="SKIPPED: duckdb is not installed")
    polars = pytest.importorskip("polars", reason="SKIPPED: polars is not installed")
    pytest.importorskip("pandas", reason="SKIPPED: pandas is not installed")
    (tmp_path / "t.mlir").write_bytes(TEXT)
    expected = rmlir.parse(TEXT).operation_counts()
    operations = pa.RecordBatchReader.from_stream(rmlir.tables(tmp_path / "t.mlir"))  # noqa: F841
    assert dict(duckdb.sql("select name, count(*) from operations group by all").fetchall()) == expected
    frame = polars.DataFrame(rmlir.tables(tmp_path / "t.mlir"))
    assert dict(frame.group_by("name").len().iter_rows()) == expected
    assert Counter(pa.table(rmlir.tables(tmp_path / "t.mlir")).to_pandas()["name"]) == expected
    for name in ("x.parquet", "x.arrow", "x.csv"):
        done = subprocess.run([sys.executable, "-m", "rmlir", "table", "t.mlir", "-o", name], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    path = tmp_path / "x.parquet"
    assert dict(duckdb.sql(f"select name, count(*) from '{path}' group by all").fetchall()) == expected
    assert Counter(polars.read_ipc(tmp_path / "x.arrow")["name"]) == expected
    columns = ("index", "parent", "name", "operand_types")
    assert polars.read_parquet(path).select(columns).to_dicts() == frame.select(columns).to_dicts()
    with (tmp_path / "x.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert Counter(row["name"] for row in rows) == expected
    note = json.loads(rows[1]["attributes"])["my.note"]
    assert note == '"x,y"' and json.loads(rows[2]["operand_types"]) == ["i32", "i32"]


def test_command_line_errors(tmp_path: Path) -> None:
    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([sys.executable, "-m", "rmlir", "table", *arguments], cwd=tmp_path, capture_output=True, text=True)

    (tmp_path / "t.mlir").write_bytes(TEXT)
    (tmp_path / "bad.mlir").write_text("(")
    (tmp_path / "names").write_text("t.mlir\nbad.mlir\n")
    assert run("t.mlir", "-o", "x.what").returncode == 2
    assert run("@names", "-o", "x.parquet").returncode == 1 and not (tmp_path / "x.parquet").exists()
    done = run("@names", "-o", "x.parquet", "--skip-errors")
    assert done.returncode == 0 and "bad.mlir" in done.stderr
    assert run("nothing.mlir", "-o", "y.csv").returncode == 1


def test_lazy_file_is_the_whole(tmp_path: Path) -> None:
    """Bytecode above 16 MB is read without a module in memory: the same rows, in less memory."""
    def function(n: int) -> str:
        data = f'dense<"0x{n:08X}{"CD" * 99996}"> : tensor<100000xi8>'
        return f'  func.func @f{n}() {{\n    "d.a"() {{n = {n}, v = {data}}} : () -> ()\n    return\n  }}\n'

    functions = "".join(function(n) for n in range(200))
    module = rmlir.parse("module @m {\n" + functions + '  "d.end"() : () -> ()\n}')
    whole = tmp_path / "m.mlir"
    module.save(whole)
    for what in ("operations", "symbols", "attributes", "constants", "locations"):
        expected = pa.table(rmlir.tables(whole, what))  # type: ignore[arg-type]
        places = ("file", "producer", "source_file", "source_line", "source_column", "kind" if what == "locations" else "")
        columns = [name for name in expected.column_names if name not in places]
        for form in ("rmbc", "mlirbc"):
            path = tmp_path / f"m.{form}"
            if not path.exists():
                module.save(path)
            assert path.stat().st_size > 16 << 20
            found = pa.table(rmlir.tables(path, what))  # type: ignore[arg-type]
            left, right = found.select(columns).to_pylist(), expected.select(columns).to_pylist()
            if what == "operations":
                assert left[0].pop("fingerprint") is None, "the whole is never in memory"
                left[0].pop("fingerprint_without_names")
                right[0].pop("fingerprint"), right[0].pop("fingerprint_without_names")
            assert left == right, (what, form)


def awkward(rows: int) -> bytes:
    """Operations with few and many attributes, types and locations, in runs of all lengths."""
    rng = random.Random(25)
    lines: list[str] = []
    while len(lines) < rows:
        n = len(lines)
        count = rng.choices((0, 1, 2, 30), (90, 5, 4, 1))[0]
        attributes = ", ".join(f'a{k} = "{"x" * rng.randrange(90)}{k}"' for k in range(count))
        types = ", ".join(rng.choices(("i1", "f32", f"tensor<{n}xi8>"), k=rng.choice((0, 1, 1, 9))))
        place = rng.choice(("", "", f' loc("f{n % 7}.py":{rng.randrange(1 << 31)}:1)'))
        repeat = rng.choice((1, 1, 2, 8, 9, 40))
        lines += [f'"d.{rng.choice("abc")}"() {{{attributes}}} : () -> ({types}){place}'] * repeat
    return "\n".join(lines).encode()


def parquet(directory: Path, what: str, names: Path) -> Path:
    path = directory / f"{what}.parquet"
    command = [sys.executable, "-m", "rmlir", "table", f"@{names}", "--what", what, "-o", path, "--skip-errors"]
    subprocess.run(command, check=True, capture_output=True)
    return path


@pytest.mark.parametrize("what", ["operations", "symbols", "attributes", "constants", "locations"])
def test_parquet_is_the_stream(tmp_path: Path, what: Any) -> None:
    """Three readers find in the file what the stream has, in several row groups and pages."""
    pq = pytest.importorskip("pyarrow.parquet")
    files = []
    # A row group has 131,072 rows, a page 20,000.
    for number, text in enumerate((b"", TEXT, awkward(132_000), TEXT)):
        files.append(tmp_path / f"{number}.mlir")
        files[-1].write_bytes(text)
    (tmp_path / "names").write_text("\n".join(map(str, files)))
    path = parquet(tmp_path, what, tmp_path / "names")
    found = pq.read_table(path)
    stream = table(what, files).cast(found.schema)
    assert stream.equals(found)
    metadata = pq.ParquetFile(path).metadata
    assert metadata.num_rows == len(stream)
    if what in ("operations", "locations"):
        assert metadata.num_row_groups > 1
    polars = pytest.importorskip("polars", reason="SKIPPED: polars is not installed")
    assert polars.from_arrow(stream).equals(polars.read_parquet(path))
    duckdb = pytest.importorskip("duckdb", reason="SKIPPED: duckdb is not installed")
    both = f"select * from '{path}'", "select * from stream"
    for one, other in (both, both[::-1]):
        assert duckdb.sql(f"select count(*) from ({one} except all {other})").fetchall() == [(0,)]
    # Filters use the bounds of row groups.
    last = str(files[-1])
    count = duckdb.sql(f"select count(*) from '{path}' where file = '{last}'").fetchall()[0][0]
    assert count == sum(row == last for row in stream["file"].to_pylist())


READ = """
import rmlir, sys
for name in open(sys.argv[1]).read().splitlines():
    try: rmlir.open(name, threads=1).load()
    except rmlir.Error: pass
"""


def cpu_of_children(run: Any) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_corpus_as_parquet(corpus: Path, tmp_path: Path) -> None:
    """All bytecode files of the corpus in one file: SQL answers equal `rmlir stats`."""
    duckdb = pytest.importorskip("duckdb", reason="SKIPPED: duckdb is not installed")
    files = sorted(str(path) for path in corpus.rglob("*.mlirbc"))
    (tmp_path / "names").write_text("\n".join(files))
    reading = cpu_of_children(lambda: subprocess.run([sys.executable, "-c", READ, tmp_path / "names"], check=True))
    writing = cpu_of_children(lambda: parquet(tmp_path, "operations", tmp_path / "names"))
    path = tmp_path / "operations.parquet"
    # Times are for people: the next test compares instructions.
    print(f"{len(files)} files: read in {reading:.2f} s, as Parquet in {writing:.2f} s, {path.stat().st_size} bytes")
    found = [row[0] for row in duckdb.sql(f"select distinct file from '{path}' order by file").fetchall()]
    assert len(found) > 0.98 * len(files)
    names: Counter[str] = Counter()
    expected = {}

    def stats(*arguments: str) -> Any:
        command = [sys.executable, "-m", "rmlir", "stats", "--json", *arguments]
        return map(json.loads, subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines())

    for start in range(0, len(found), 4000):
        part = found[start : start + 4000]
        expected.update({row["file"]: row["operations_by_dialect"] for row in stats(*part)})
        names.update({row["operation"]: row["count"] for row in stats("--by-operation", *part)})
    assert dict(duckdb.sql(f"select name, count(*) from '{path}' group by all").fetchall()) == names
    dialects: dict[str, dict[str, int]] = {}
    for file, dialect, count in duckdb.sql(f"select file, dialect, count(*) from '{path}' group by all").fetchall():
        dialects.setdefault(file, {})[dialect] = count
    assert dialects == expected


def instructions(*command: str | Path) -> int:
    """Returns the instructions of a run of Python, which the machine's load does not change."""
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    # Strings hash alike in each run.
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    run = subprocess.run([*valgrind, sys.executable, *command], capture_output=True, text=True, env=environment)
    assert run.returncode == 0, run.stderr[-2000:]
    found = re.search(r"I +refs: +([\d,]+)", run.stderr)
    assert found, run.stderr[-2000:]
    return int(found[1].replace(",", ""))


def test_tables_take_twice_the_work_of_reading(corpus: Path, tmp_path: Path) -> None:
    """Tables of operations take at most twice the instructions of reading the files."""
    if not shutil.which("valgrind"):
        pytest.skip("SKIPPED: valgrind is not installed")
    names, nothing = tmp_path / "names", tmp_path / "nothing"
    files = sorted(str(path) for path in corpus.rglob("*.mlirbc"))[::80]
    names.write_text("\n".join(files))
    nothing.write_text("")

    def reading(names: Path) -> int:
        return instructions("-c", READ, names)

    def writing(names: Path) -> int:
        return instructions("-m", "rmlir", "table", f"@{names}", "-o", tmp_path / "t.parquet", "--skip-errors")

    read, written = (of(names) - of(nothing) for of in (reading, writing))
    print(f"{len(files)} files: {read:,} instructions to read, {written:,} as Parquet: x {written / read:.2f}")
    assert 0 < written < 2 * read


def corpus_files(corpus: Path, limit: int) -> list[str]:
    files = sorted(path for folder in ("upstream", "jax", "stablehlo") for path in (corpus / folder).rglob("*.mlirbc"))
    step = max(1, len(files) // limit)
    return [str(path) for path in files[::step]]


def spark_example(root: Path) -> str:
    text = (root / "guide" / "data.md").read_text()
    (block,) = [block for block in re.findall(r"```python\n(.*?)```", text, re.S) if "local-cluster" in block]
    return block


@pytest.mark.skipif("RMLIR_SPARK" not in os.environ, reason="SKIPPED: the Spark job takes a minute; set RMLIR_SPARK")
def test_spark(root: Path, corpus: Path, tmp_path: Path) -> None:
    """The job of the guide, on two workers with a core and 1 GB each."""
    pytest.importorskip("pyspark")
    files = corpus_files(corpus, int(os.environ["RMLIR_SPARK"]))
    script = tmp_path / "job.py"
    script.write_text(
        spark_example(root).split('if __name__ == "__main__":')[0]
        + """
import json
spark = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false").getOrCreate()
by_dialect, duplicates, constants = report(spark, open(sys.argv[1]).read().split())
print("RESULT" + json.dumps({
    "dialects": {row["dialect"]: row["count"] for row in by_dialect.collect()},
    "duplicates": {row["fingerprint_without_names"]: row["copies"] for row in duplicates.collect()},
    "constants": [[row["file"], row["index"], row["bytes"]] for row in constants.limit(20).collect()],
    "executors": spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1,
}))
"""
    )
    (tmp_path / "files").write_text("\n".join(files))
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run([sys.executable, script, tmp_path / "files"], env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("RESULT"))[6:])
    assert found["executors"] == 2
    # The job leaves out files that cannot be read whole; counting alone could read more of them.
    read = []
    for path in files:
        try:
            read.append(rmlir.open(path).load())
        except rmlir.Error:
            continue
    assert len(read) > 0.98 * len(files)
    dialects: Counter[str] = Counter()
    for module in read:
        for name, count in module.operation_counts().items():
            dialect, dot, _ = name.partition(".")
            # Names without a dot have no dialect.
            dialects[dialect if dot else ""] += count
    assert found["dialects"] == dialects
    copies = Counter(
        row["fingerprint_without_names"] for row in table("symbols", files, errors="skip").select(["is_declaration", "fingerprint_without_names"]).to_pylist() if not row["is_declaration"]
    )
    assert found["duplicates"] == {key: count for key, count in copies.items() if count > 1}
    constants = table("constants", files, errors="skip").select(["file", "index", "bytes"]).to_pylist()
    constants.sort(key=lambda row: (-row["bytes"], row["file"], row["index"]))
    assert [row[2] for row in found["constants"]] == [row["bytes"] for row in constants[:20]]


# The peak of the process alone; that of `getrusage` begins with the peak of its parent.
PEAK = "print(int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0]))"


def peak(code: str, *arguments: object) -> list[int]:
    """Runs a program; returns the numbers that it prints, and its peak of memory in kB."""
    command = [sys.executable, "-c", f"{code}\n{PEAK}", *map(str, arguments)]
    return list(map(int, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()))


def table_peak(*files: Path) -> tuple[int, int]:
    code = (
        "import sys, pyarrow, rmlir\n"
        "print(sum(b.num_rows for b in pyarrow.RecordBatchReader.from_stream(rmlir.tables(sys.argv[1:], batch_rows=1000))))"
    )
    rows, size = peak(code, *files)
    return rows, size


def test_memory_is_bounded(tmp_path: Path) -> None:
    """Many files take no more memory than one."""
    text = "\n".join(f'func.func @f{n}(%x: i32) -> i32 {{ %y = arith.addi %x, %x {{a.b = "{n}"}} : i32 return %y : i32 }}' for n in range(2000))
    files = []
    for n in range(40):
        path = tmp_path / f"{n}.rmbc"
        rmlir.parse(text).save(path)
        files.append(path)
    (few, one), (many, all) = table_peak(*files[:2]), table_peak(*files)
    assert (few, many) == (2 * 6001, 40 * 6001)
    assert all < one * 1.3, (one, all)


@pytest.mark.parametrize("name", ["m.mlirbc", "m.mlir"])
def test_memory_of_a_large_file(tmp_path: Path, name: str) -> None:
    """A large file is not in memory as a whole."""

    def function(n: int) -> str:
        body = "\n".join(f'  %{k} = arith.addi %x, %x {{a.b = "{n}.{k}"}} : i32 loc("a.py":{n * 20 + k}:1)' for k in range(20))
        return f"func.func @f{n}(%x: i32) -> i32 {{\n{body}\n  return %0 : i32\n}}"

    path = tmp_path / name
    rmlir.parse("\n".join(map(function, range(25_000)))).save(path)
    assert path.stat().st_size > 16 << 20
    (nothing,) = peak("import sys, pyarrow, rmlir")
    (whole,) = peak("import sys, pyarrow, rmlir\nmodule = rmlir.open(sys.argv[1]).load()", path)
    rows, size = table_peak(path)
    print(f"above the imports: module {whole - nothing} kB, table {size - nothing} kB")
    assert rows == 25_000 * 22 + 1
    assert size - nothing < 0.6 * (whole - nothing), (nothing, whole, size)
