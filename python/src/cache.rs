//! `Cache`: the artifact cache, for the hooks of JAX and Triton.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rmlir_cache::{ActionKey, Entry};
use std::path::PathBuf;

/// A cache directory, with a server beyond it: groups of files by a key that the caller computed.
///
/// A group is returned as it was stored, or not at all. A missing, damaged or unreachable entry is
/// a miss. `directory` and `remote` are those of `rmlir cache`: without them, the environment
/// variables `RMLIR_CACHE_DIR` and `RMLIR_CACHE_REMOTE`, and `rmlir.toml`.
///
/// >>> import rmlir.cache, tempfile
/// >>> cache = rmlir.cache.Cache(tempfile.mkdtemp())
/// >>> cache.get("example", "key") is None
/// True
/// >>> cache.put("example", "key", {"a": b"1", "b": b"22"})
/// True
/// >>> cache.get("example", "key")
/// {'a': b'1', 'b': b'22'}
#[pyclass(frozen, module = "rmlir.cache")]
pub(crate) struct Cache {
    cache: rmlir_cache::Cache,
}

fn key(stage: &str, key: &str) -> ActionKey {
    ActionKey::new(stage, "1").with("key", key).finish()
}

#[pymethods]
impl Cache {
    #[new]
    #[pyo3(signature = (directory = None, *, remote = None, read_only = false))]
    fn new(
        py: Python<'_>,
        directory: Option<PathBuf>,
        remote: Option<String>,
        read_only: bool,
    ) -> PyResult<Self> {
        let opened = py.detach(|| rmlir_tools::commands::cache::open(directory, remote, read_only));
        match opened {
            Ok(cache) => Ok(Cache { cache }),
            Err(failure) => Err(PyOSError::new_err(failure.message())),
        }
    }

    /// The directory.
    #[getter]
    fn directory(&self) -> PathBuf {
        self.cache.directory().to_owned()
    }

    /// Returns the files of a group by their names; `None` if it is not stored whole.
    fn get<'py>(
        &self,
        py: Python<'py>,
        stage: &str,
        key: &str,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let key = self::key(stage, key).digest();
        let Some(entry) = py.detach(|| self.cache.get(&key)) else {
            return Ok(None);
        };
        let files = PyDict::new(py);
        for (name, bytes) in entry.outputs() {
            files.set_item(name, PyBytes::new(py, bytes))?;
        }
        Ok(Some(files))
    }

    /// Stores a group at once; an existing group is replaced. Returns whether it is stored.
    fn put(
        &self,
        py: Python<'_>,
        stage: &str,
        key: &str,
        files: &Bound<'_, PyDict>,
    ) -> PyResult<bool> {
        let mut entry = Entry::new();
        for (name, bytes) in files {
            let name: String = name.extract()?;
            entry = entry.with_output(name, crate::module::bytes_of(&bytes)?);
        }
        let key = self::key(stage, key);
        Ok(py.detach(|| self.cache.put(&key, &entry)).is_ok())
    }

    /// Returns counts of hits, misses, damaged entries and others since the cache was made.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stats = py.detach(|| self.cache.stats());
        let counts = PyDict::new(py);
        for (name, count) in stats.counts() {
            counts.set_item(name, count)?;
        }
        Ok(counts)
    }

    fn __repr__(&self) -> String {
        format!("<Cache {}>", self.cache.directory().display())
    }
}
