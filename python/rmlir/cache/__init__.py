"""The artifact cache of `rmlir cache` as storage for other compilers.

`rmlir.cache.jax` is the compilation cache of JAX, `rmlir.cache.triton` that of Triton. Both
compilers compute their own keys; this package stores what they compile: checked when it is read,
published as a whole, in a directory that may be shared, moved or copied, and on a server
(`RMLIR_CACHE_REMOTE`).
"""

from rmlir._rmlir import Cache

__all__ = ["Cache"]
