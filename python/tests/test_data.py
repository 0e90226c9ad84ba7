"""Data of constants: buffers, NumPy, DLPack."""

import gc
import random
from pathlib import Path

import pytest

import rmlir

np = pytest.importorskip("numpy")
ml_dtypes = pytest.importorskip("ml_dtypes")


def data(text: str) -> rmlir.Data:
    found = rmlir.Module().attribute(text).data
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dense<[[1, 2], [3, -4]]> : tensor<2x2xi32>", np.array([[1, 2], [3, -4]], np.int32)),
        ("dense<[true, false]> : tensor<2xi1>", np.array([True, False])),
        ("dense<[255, 1]> : tensor<2xui8>", np.array([255, 1], np.uint8)),
        ("dense<[1.5, -2.0]> : vector<2xf16>", np.array([1.5, -2], np.float16)),
        ("dense<7> : tensor<3x4xi64>", np.full((3, 4), 7, np.int64)),
        ("dense<1.5> : tensor<f32>", np.array(1.5, np.float32)),
        ("dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>", np.array([1 + 2j], np.complex64)),
        ("dense<[1, 2]> : tensor<2xindex>", np.array([1, 2], np.int64)),
        ("dense<> : tensor<0x3xf32>", np.zeros((0, 3), np.float32)),
        ("array<i16: 5, -6>", np.array([5, -6], np.int16)),
        ("dense<[1.5, -2.0]> : tensor<2xbf16>", np.array([1.5, -2], ml_dtypes.bfloat16)),
        ("dense<0.5> : tensor<2x3xbf16>", np.full((2, 3), 0.5, ml_dtypes.bfloat16)),
        ("dense<[1.0, -0.5]> : tensor<2xf8E4M3FN>", np.array([1, -0.5], ml_dtypes.float8_e4m3fn)),
        ("dense<[1.0, -0.5]> : tensor<2xf8E5M2FNUZ>", np.array([1, -0.5], ml_dtypes.float8_e5m2fnuz)),
        ("dense<[-3, 7]> : tensor<2xi4>", np.array([-3, 7], ml_dtypes.int4)),
    ],
)
def test_numpy(text: str, expected: "np.ndarray") -> None:
    found = data(text)
    array = found.numpy()
    assert array.dtype == expected.dtype and array.shape == expected.shape == found.shape
    assert (array.astype(np.complex128) == expected.astype(np.complex128)).all()
    assert not array.flags.writeable and not array.flags.owndata
    assert found.tobytes() == expected.tobytes() or found.dtype in ("int4",)
    assert found.nbytes == expected.nbytes
    assert (np.asarray(found).astype(np.complex128) == expected.astype(np.complex128)).all()


def test_no_type() -> None:
    for text in ("dense<1> : tensor<2xi7>", "dense<1.0> : tensor<2xf80>"):
        found = data(text)
        assert found.dtype is None and len(found.tobytes()) == found.nbytes
        with pytest.raises(TypeError):
            found.numpy()
        with pytest.raises(BufferError):
            memoryview(found)
    assert rmlir.Module().attribute("1 : i32").data is None
    with pytest.raises(BufferError):
        rmlir.Data().shape
    with pytest.raises(BufferError):
        memoryview(rmlir.Data())


def test_memoryview() -> None:
    view = memoryview(data("dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi16>"))
    assert view.readonly and view.shape == (2, 3) and view.format == "h" and view.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert view.c_contiguous and bytes(view) == np.arange(1, 7, dtype=np.int16).tobytes()
    splat = memoryview(data("dense<9> : tensor<2x2xi8>"))
    assert splat.strides == (0, 0) and splat.tolist() == [[9, 9], [9, 9]]


def test_dlpack() -> None:
    for text in ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", "dense<3> : tensor<2x2xi32>"):
        found = data(text)
        shared = np.from_dlpack(found)
        assert (shared == found.numpy()).all() and not shared.flags.writeable
        assert shared.__array_interface__["data"][0] == found.numpy().__array_interface__["data"][0]
        copied = np.from_dlpack(found, copy=True)
        copied[0, 0] = 77
        assert found.numpy()[0, 0] != 77
    assert "dltensor_versioned" in repr(found.__dlpack__(max_version=(1, 0)))
    assert '"dltensor"' in repr(found.__dlpack__())
    del shared, found
    gc.collect()
    with pytest.raises(BufferError):
        data("dense<1> : tensor<2xi7>").__dlpack__(max_version=(1, 0))
    with pytest.raises(BufferError):
        data("dense<1> : tensor<2xi8>").__dlpack__(stream=3)  # type: ignore[arg-type]


def test_jax_dlpack() -> None:
    jax = pytest.importorskip("jax")
    for text in ("dense<[[1.5, 2.0], [3.0, 4.0]]> : tensor<2x2xbf16>", "dense<[1, 2]> : tensor<2xi32>"):
        found = data(text)
        assert (np.asarray(jax.numpy.from_dlpack(found)) == found.numpy()).all()


@pytest.mark.parametrize("form", ["rmbc", "mlirbc"])
def test_resources_are_the_file(tmp_path: Path, form: str) -> None:
    values = np.arange(100_000, dtype=np.float32)
    path = tmp_path / f"m.{form}"
    text = (
        '"d.op"() {r = dense_resource<big> : tensor<100000xf32>} : () -> ()\n'
        '{-# dialect_resources: {builtin: {big: "0x40000000%s"}} #-}' % values.tobytes().hex()
    )
    rmlir.parse(text).save(path)
    module = rmlir.open(path)
    resource = module.resources()["big"]
    array = module.body.first.attributes["r"].data.numpy()  # type: ignore[union-attr]
    assert (array == values).all() and bytes(resource) == values.tobytes()
    # The memory is the mapped file, and stays when everything else is gone.
    address = array.__array_interface__["data"][0]
    maps = [line.split() for line in Path("/proc/self/maps").read_text().splitlines() if line.endswith(str(path))]
    ranges = [tuple(int(end, 16) for end in line[0].split("-")) for line in maps]
    assert any(start <= address < end for start, end in ranges)
    assert address % 64 == 0
    del module, resource
    gc.collect()
    path.unlink()
    assert (array == values).all()
    weights = array.sum()
    del array
    gc.collect()
    assert not any(str(path) in line for line in Path("/proc/self/maps").read_text().splitlines())
    assert weights == values.sum()


def test_wrong_size() -> None:
    attribute = rmlir.parse(
        '"d.op"() {r = dense_resource<big> : tensor<2xf32>} : () -> () {-# dialect_resources: {builtin: {big: "0x04000000AB"}} #-}'
    ).body.first.attributes["r"]  # type: ignore[union-attr]
    with pytest.raises(rmlir.Error, match="1 bytes do not match"):
        attribute.data


def test_alive_without_module() -> None:
    arrays = []
    for _ in range(50):
        numbers = [random.randrange(100) for _ in range(20)]
        arrays.append((numbers, data(f"dense<{numbers}> : tensor<20xi8>").numpy()))
    gc.collect()
    for numbers, array in arrays:
        assert array.tolist() == numbers
