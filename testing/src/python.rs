//! Python with packages that make or read files which wrap modules.

use std::path::PathBuf;

/// Returns the interpreters of Python that may have the packages of such tests:
/// that of `RMLIR_WRAPPED_PYTHON`, and those of the environments that the gate creates.
pub fn pythons() -> Vec<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    let mut pythons: Vec<PathBuf> = std::env::var_os("RMLIR_WRAPPED_PYTHON")
        .map(PathBuf::from)
        .into_iter()
        .collect();
    for name in ["rmlir-wrapped", "rmlir-tensorflow"] {
        pythons.extend(
            cache
                .as_ref()
                .map(|cache| cache.join(name).join("bin/python")),
        );
    }
    pythons.retain(|python| python.exists());
    pythons
}
