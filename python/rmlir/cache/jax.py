"""JAX compiles once: its compilation cache in the directory, or on the server, of `rmlir cache`.

    import rmlir.cache.jax

    rmlir.cache.jax.enable()  # or enable("/shared/cache", remote="http://host:8080")

`enable` sets JAX's own options. The module registers the URI `rmlir-cache://` with `etils.epath`,
which JAX uses for directories with a scheme; JAX itself is not changed. So these lines do the same:

    import rmlir.cache.jax
    cache = "rmlir-cache:///shared/cache?remote=http://host:8080"
    jax.config.update("jax_compilation_cache_dir", cache)

An entry that is damaged, cut off or missing is a miss, and is written again. Entries are removed by
`rmlir cache gc`, not by JAX: leave `jax_compilation_cache_max_size` at -1.
"""

from __future__ import annotations

import stat as _stat
import time
import urllib.parse
from collections.abc import Iterator
from typing import Any

from etils import epath  # type: ignore[import-untyped]

from rmlir.cache import Cache

__all__ = ["SCHEME", "CachePath", "enable", "uri"]

SCHEME = "rmlir-cache://"
_SUFFIX = "-cache"
_STAGE = "jax"
_FILE = "executable"
_caches: dict[str, Cache] = {}


def _cache(root: str) -> Cache:
    """Returns the cache of a URI, which is opened once."""
    found = _caches.get(root)
    if found is None:
        parts = urllib.parse.urlsplit(root)
        query = urllib.parse.parse_qs(parts.query, strict_parsing=bool(parts.query))
        unknown = set(query) - {"remote", "read-only"}
        if unknown:
            raise ValueError(f"unknown option '{min(unknown)}' in '{root}': expected remote or read-only")
        directory = urllib.parse.unquote(parts.netloc + parts.path) or None
        remote = query.get("remote", [None])[-1]
        read_only = query.get("read-only", ["false"])[-1] not in ("", "0", "false", "no")
        found = _caches[root] = Cache(directory, remote=remote, read_only=read_only)
    return found


class CachePath:
    """The cache, or an entry in it, as JAX uses paths.

    Names that JAX gives to entries become keys; its files with access times are not stored.
    """

    def __init__(self, *parts: Any) -> None:
        first, *names = (part._text() if isinstance(part, CachePath) else str(part) for part in parts)
        # The name of an entry follows the URI after "#", so that a query cannot hide it.
        self._root, _, name = first.partition("#")
        self._name = "/".join([*([name] if name else []), *names])
        self._bytes: bytes | None = None

    def _text(self) -> str:
        return f"{self._root}#{self._name}" if self._name else self._root

    def joinpath(self, *names: Any) -> CachePath:
        return CachePath(self, *names)

    def __truediv__(self, name: Any) -> CachePath:
        return CachePath(self, name)

    @property
    def name(self) -> str:
        return self._name.rpartition("/")[2]

    @property
    def _key(self) -> str | None:
        return self._name.removesuffix(_SUFFIX) if self._name.endswith(_SUFFIX) else None

    def _load(self) -> bytes | None:
        if self._bytes is None and self._key is not None:
            files = _cache(self._root).get(_STAGE, self._key)
            self._bytes = files.get(_FILE) if files is not None else None
        return self._bytes

    def exists(self) -> bool:
        # What was read is kept for `read_bytes`: between the two, nothing can happen to the entry.
        return not self._name or self._load() is not None

    is_file = exists

    def is_dir(self) -> bool:
        return not self._name

    def read_bytes(self) -> bytes:
        found = self._load()
        if found is None:
            raise FileNotFoundError(str(self))
        return found

    def write_bytes(self, data: bytes) -> int:
        if self._key is not None:
            _cache(self._root).put(_STAGE, self._key, {_FILE: data})
        return len(data)

    def mkdir(self, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        _cache(self._root)

    def glob(self, pattern: str) -> Iterator[CachePath]:
        raise RuntimeError(
            "entries are removed by 'rmlir cache gc': set jax_compilation_cache_max_size to -1"
        )

    def stat(self) -> epath.StatResult:
        size = len(self.read_bytes()) if self._name else 0
        return epath.StatResult(is_directory=self.is_dir(), length=size, mtime=int(time.time()), owner=None, group=None, mode=_stat.S_IFREG)

    def unlink(self, missing_ok: bool = False) -> None:
        """Does nothing: entries are removed by `rmlir cache gc`."""

    def __str__(self) -> str:
        return self._text()

    def __repr__(self) -> str:
        return f"CachePath({self._text()!r})"

    def __fspath__(self) -> str:
        return self._text()


epath.register_path_cls(SCHEME)(CachePath)


def uri(directory: str | None = None, *, remote: str | None = None, read_only: bool = False) -> str:
    """Returns the value for JAX's option `jax_compilation_cache_dir`."""
    options = {"remote": remote, "read-only": "true" if read_only else None}
    query = urllib.parse.urlencode({name: value for name, value in options.items() if value})
    return SCHEME + urllib.parse.quote(directory or "") + (f"?{query}" if query else "")


def enable(directory: str | None = None, *, remote: str | None = None, read_only: bool = False) -> Cache:
    """Makes JAX use the cache, for everything that it compiles, and returns it.

    `directory` and `remote` are those of `rmlir cache` if they are not given. Call it before JAX
    compiles anything.
    """
    import jax

    address = uri(directory, remote=remote, read_only=read_only)
    cache = _cache(address)
    jax.config.update("jax_compilation_cache_dir", address)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    # XLA's own caches for GPUs are directories, which a URI is not.
    jax.config.update("jax_persistent_cache_enable_xla_caches", "none")
    return cache
