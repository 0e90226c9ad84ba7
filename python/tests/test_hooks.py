"""The caches of JAX and Triton, end to end: the real packages, in processes of their own."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("rmlir.cache", reason="SKIPPED: the package was built without the cache")

from rmlir.cache import Cache  # noqa: E402

PROGRAMS = Path(tempfile.mkdtemp(prefix="rmlir-hooks-"))

JAX = """
import sys
import rmlir.cache.jax
cache = rmlir.cache.jax.enable(sys.argv[1], remote=sys.argv[2] or None)
import jax
import jax.numpy as jnp
import warnings
warnings.simplefilter("error")
compiled = []
from jax._src import monitoring
hits = []
monitoring.register_event_listener(lambda event, **_: hits.append(event.rpartition("/")[2]))
print("value", float(jax.jit(lambda x: jnp.tanh(x @ x).sum() + 3)(jnp.ones((8, 8)))))
print("hits", hits.count("cache_hits"), "misses", hits.count("cache_misses"))
print("stats", {name: count for name, count in cache.stats().items() if count})
"""

TRITON = """
import triton, triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

@triton.jit
def double(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)

source = ASTSource(fn=double, signature={"x": "*fp32", "y": "*fp32", "n": "i32", "B": "constexpr"}, constexprs={"B": 128})
import hashlib, time
before = time.process_time()
from triton.backends.nvidia.compiler import CUDABackend
compiled = []
make = CUDABackend.make_cubin
# Only counts: what runs is Triton's own.
CUDABackend.make_cubin = lambda self, *a: compiled.append(1) or make(self, *a)
kernel = triton.compile(source, target=GPUTarget("cuda", 80, 32))
# The cubin has the name of a temporary file.
print("value", hashlib.sha256(kernel.asm["ptx"].encode()).hexdigest())
print("hits", int(not compiled), "misses", len(compiled))
"""


def run(script: str, directory: Path, remote: str = "", **variables: str) -> dict[str, str]:
    environment = {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "TRITON_CACHE_MANAGER": "rmlir.cache.triton:Manager",
        "TRITON_CACHE_DIR": str(directory.parent / "unused"),
        "RMLIR_TRITON_FILES": str(directory.parent / "files"),
        "RMLIR_CACHE_DIR": str(directory),
        **({"RMLIR_CACHE_REMOTE": remote} if remote else {}),
        **variables,
    }
    # Triton reads the source of its kernels, so they have to be in a file.
    program = PROGRAMS / f"{abs(hash(script))}.py"
    program.write_text(script)
    done = subprocess.run([sys.executable, str(program), str(directory), remote], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)


@pytest.fixture(params=["jax", "triton"])
def script(request: pytest.FixtureRequest) -> str:
    pytest.importorskip(request.param, reason=f"SKIPPED: {request.param} is not installed")
    if request.param == "jax":
        pytest.importorskip("etils.epath", reason="SKIPPED: etils is not installed")
    return JAX if request.param == "jax" else TRITON


def is_hit(found: dict[str, str]) -> bool:
    words = found["hits"].split()
    return int(words[0]) > 0 and int(words[2]) == 0


def blobs(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]


def test_hit_after_restart_and_move(script: str, tmp_path: Path) -> None:
    first = run(script, tmp_path / "a")
    assert not is_hit(first)
    again = run(script, tmp_path / "a")
    assert is_hit(again) and again["value"] == first["value"]
    shutil.move(tmp_path / "a", tmp_path / "b")
    shutil.rmtree(tmp_path / "files", ignore_errors=True)
    moved = run(script, tmp_path / "b")
    assert is_hit(moved) and moved["value"] == first["value"]


@pytest.mark.parametrize("damage", ["cut", "flip", "empty"])
def test_damaged_entries(script: str, tmp_path: Path, damage: str) -> None:
    first = run(script, tmp_path / "a")
    for path in blobs(tmp_path / "a"):
        data = path.read_bytes()
        if damage == "cut":
            path.chmod(0o600)
            path.write_bytes(data[: len(data) // 2])
        elif damage == "flip" and data:
            path.chmod(0o600)
            path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        elif damage == "empty":
            path.chmod(0o600)
            path.write_bytes(b"")
    found = run(script, tmp_path / "a")
    assert not is_hit(found) and found["value"] == first["value"]
    # What was damaged has been written again.
    repaired = run(script, tmp_path / "a")
    assert is_hit(repaired) and repaired["value"] == first["value"]


def test_two_writers(script: str, tmp_path: Path) -> None:
    found: list[dict[str, str]] = []
    threads = [threading.Thread(target=lambda: found.append(run(script, tmp_path / "a"))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2 and found[0]["value"] == found[1]["value"]
    assert is_hit(run(script, tmp_path / "a"))


class Server(BaseHTTPRequestHandler):
    """Bazel's HTTP protocol over a dictionary."""

    objects: dict[str, bytes] = {}

    def do_GET(self) -> None:
        data = self.objects.get(self.path)
        self.send_response(404 if data is None else 200)
        self.send_header("Content-Length", str(len(data or b"")))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data or b"")

    do_HEAD = do_GET

    def do_PUT(self) -> None:
        self.objects[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    Server.objects.clear()
    http = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{http.server_address[1]}"
    http.shutdown()
    http.server_close()


def test_shared_by_a_server(script: str, tmp_path: Path, server: str) -> None:
    first = run(script, tmp_path / "a", server)
    assert not is_hit(first) and Server.objects
    other = run(script, tmp_path / "other", server)
    assert is_hit(other) and other["value"] == first["value"]
    # A lie of the server is a miss.
    for path in Server.objects:
        if "/cas/" in path:
            Server.objects[path] = b"wrong"
    wrong = run(script, tmp_path / "third", server)
    assert not is_hit(wrong) and wrong["value"] == first["value"]


def test_server_is_down(script: str, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        remote = f"http://127.0.0.1:{taken.getsockname()[1]}"
        first = run(script, tmp_path / "a", remote)
        assert not is_hit(first)
        again = run(script, tmp_path / "a", remote)
        assert is_hit(again) and again["value"] == first["value"]


def test_cache(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "c")
    assert cache.get("s", "k") is None
    assert cache.put("s", "k", {"a": b"1", "b": bytearray(b"2" * 100_000)})
    assert Cache(tmp_path / "c").get("s", "k") == {"a": b"1", "b": b"2" * 100_000}
    assert cache.get("s", "other") is None and cache.get("other", "k") is None
    assert cache.directory == tmp_path / "c"
    with pytest.raises(OSError):
        Cache(tmp_path / "d", remote="ftp://nothing")
    with pytest.raises(TypeError):
        cache.put("s", "k", {"a": 3})  # type: ignore[dict-item]
    assert not Cache(tmp_path / "c", read_only=True).put("s", "x", {"a": b"1"}) or cache.get("s", "x") is None
