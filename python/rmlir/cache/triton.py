"""Triton compiles once: its cache in the directory, or on the server, of `rmlir cache`.

    export TRITON_CACHE_MANAGER=rmlir.cache.triton:Manager

The directory and the server are those of `rmlir cache`: `RMLIR_CACHE_DIR`, `RMLIR_CACHE_REMOTE`.

The files of a kernel are one entry: it is found whole or not at all, so files of two writers
never mix, and no paths are stored, so the directory may be moved, copied or mounted elsewhere.
Triton wants paths of files: they are written to a folder of the user's own below the folder of
temporary files (`RMLIR_TRITON_FILES`), and compared with the checked content each time.
"""

from __future__ import annotations

import functools
import getpass
import hashlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # Triton has no types.
    class CacheManager:
        """Triton's base class."""

        def __init__(self, key: str, override: bool = False, dump: bool = False) -> None: ...

    FileCacheManager: Any
else:
    from triton.runtime.cache import CacheManager, FileCacheManager

from rmlir.cache import Cache

__all__ = ["Manager"]

_STAGE = "triton"


@functools.cache
def _cache() -> Cache:
    return Cache()


def _folder() -> Path:
    """Returns the folder for files, which only the user can write to."""
    given = os.environ.get("RMLIR_TRITON_FILES")
    folder = Path(given) if given else Path(tempfile.gettempdir()) / f"rmlir-triton-{getpass.getuser()}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.stat()
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
        raise PermissionError(f"others can write to '{folder}': set RMLIR_TRITON_FILES")
    return folder


def _write(path: Path, data: bytes) -> str:
    """Makes the content of a file that of `data`, in one step for readers."""
    try:
        if path.read_bytes() == data:
            return str(path)
    except OSError:
        pass
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o700)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    return str(path)


class Manager(CacheManager):
    """The class for `TRITON_CACHE_MANAGER`: a cache for one key of Triton's."""

    def __init__(self, key: str, override: bool = False, dump: bool = False) -> None:
        # Folders of files that people edit are Triton's own.
        self._files = FileCacheManager(key, override=override, dump=dump) if override or dump else None
        self._key = key

    def _path(self, files: dict[str, bytes], name: str) -> Path:
        """Returns the path for a file of a group; groups of other content have other folders."""
        digest = hashlib.sha256(self._key.encode())
        for other in sorted(files):
            digest.update(b"%s\0%d\0" % (other.encode(), len(files[other])) + files[other])
        return _folder() / digest.hexdigest() / os.path.basename(name)

    def get_file(self, filename: str) -> str | None:
        if self._files is not None:
            return self._files.get_file(filename)
        files = _cache().get(_STAGE, f"{self._key}/file/{filename}")
        if files is None or filename not in files:
            return None
        return _write(self._path(files, filename), files[filename])

    def put(self, data: Any, filename: str, binary: bool = True) -> str:
        if self._files is not None:
            return self._files.put(data, filename, binary)
        content = data if isinstance(data, bytes) else str(data).encode()
        _cache().put(_STAGE, f"{self._key}/file/{filename}", {filename: content})
        return _write(self._path({filename: content}, filename), content)

    def get_group(self, filename: str) -> dict[str, str] | None:
        if self._files is not None:
            return self._files.get_group(filename)
        files = _cache().get(_STAGE, f"{self._key}/group/{filename}")
        if files is None:
            return None
        return {name: _write(self._path(files, name), data) for name, data in files.items()}

    def put_group(self, filename: str, group: dict[str, str]) -> str:
        if self._files is not None:
            return self._files.put_group(filename, group)
        key = f"{self._key}/group/{filename}"
        _cache().put(_STAGE, key, {name: Path(path).read_bytes() for name, path in group.items()})
        return filename
