"""Dense data of attributes and resources."""

from __future__ import annotations

from rmlir import _rmlir

# Type checkers take it as true; `typing` itself would double the time of the import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as _numpy


class Data(_rmlir.Buffer):
    """The elements of a constant, without a copy: of `Attribute.data` and `Module.resources`.

    The memory is read-only and stays alive as long as anything that refers to it, after the module
    is gone, too. That of a resource is the file itself if the file was mapped; the elements of
    other constants are in the memory of the module. Use it as a NumPy array, by the buffer protocol
    (`memoryview`, for types that Python has formats for), or by DLPack.

    >>> import rmlir
    >>> data = rmlir.Module().attribute("dense<[[1, 2, 3]]> : tensor<1x3xi16>").data
    >>> data.shape, data.dtype
    ((1, 3), 'int16')
    >>> memoryview(data).tolist()
    [[1, 2, 3]]
    """

    __module__ = "rmlir"
    __slots__ = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        return _rmlir.data_shape(self)

    @property
    def strides(self) -> tuple[int, ...]:
        """The step of each dimension in bytes; zeros for a splat."""
        return _rmlir.data_strides(self)

    @property
    def dtype(self) -> str | None:
        """The name of the type in NumPy or `ml_dtypes`; `None` if neither has it.

        Signless integers are signed, as in JAX. `i1` is `bool`, a byte each.
        """
        return _rmlir.data_dtype(self)

    @property
    def element_type(self) -> str:
        """The MLIR type of the elements."""
        return _rmlir.data_element_type(self)

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return _rmlir.data_item_size(self)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        count = 1
        for size in self.shape:
            count *= size
        return count

    @property
    def nbytes(self) -> int:
        """The bytes of all elements, a splat's counted as often as it is repeated."""
        return self.size * self.itemsize

    @property
    def is_splat(self) -> bool:
        """Whether one element is stored for all."""
        return _rmlir.data_is_splat(self)

    def tobytes(self) -> bytes:
        """Returns a copy of all elements in row-major order, little-endian."""
        return _rmlir.data_bytes(self)

    def numpy(self) -> _numpy.ndarray[Any, Any]:
        """Returns a read-only NumPy array of the same memory.

        `bf16` and types of 8 bits and less need `ml_dtypes`.

        Raises `TypeError` if neither NumPy nor `ml_dtypes` has the type, such as `i7` and `f80`,
        and `ImportError` if the package is not installed.
        """
        import numpy as np

        dtype = self.dtype
        if dtype is None:
            message = f"NumPy has no type for elements of type {self.element_type}: use tobytes()"
            raise TypeError(message)
        if _rmlir.data_has_format(self):
            return np.asarray(self)
        import ml_dtypes

        try:
            custom = np.dtype(getattr(ml_dtypes, dtype))
        except AttributeError:
            message = f"ml_dtypes {ml_dtypes.__version__} has no type '{dtype}'"
            raise TypeError(message) from None
        raw = np.asarray(_rmlir.data_raw(self))
        # Strides of zero must not be reinterpreted as those of one dimension.
        return np.ndarray(raw.shape, custom, buffer=raw, strides=raw.strides) if 0 not in raw.strides else np.broadcast_to(
            np.asarray(raw[(0,) * raw.ndim]).view(custom), raw.shape
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> _numpy.ndarray[Any, Any]:
        import numpy as np

        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError("a conversion needs a copy")
            return array.astype(dtype)
        return np.array(array) if copy else array

    def __dlpack_device__(self) -> tuple[int, int]:
        """The CPU."""
        return (1, 0)

    def __dlpack__(
        self,
        *,
        stream: None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """Returns a DLPack capsule.

        Consumers that ask for version 1.0 or newer get the memory itself, marked as read-only.
        Others get a copy, since an older capsule cannot be marked, unless `copy=False`.
        """
        if stream is not None:
            raise BufferError("the CPU has no streams")
        if dl_device is not None and tuple(dl_device) != (1, 0):
            raise BufferError("the data is on the CPU")
        versioned = max_version is not None and max_version[0] >= 1
        return _rmlir.data_dlpack(self, versioned, copy)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("the data has no dimensions")
        return self.shape[0]

    def __bytes__(self) -> bytes:
        return self.tobytes()

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return f"<Data {shape or 'scalar'} of {self.element_type}>"
