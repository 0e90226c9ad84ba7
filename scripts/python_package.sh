#!/usr/bin/env bash
# Builds the Python package, installs it in an environment of its own, and checks it: tests with the
# real packages of others, stubs, the README with each Python that is there.
#
# The environment is kept in the cache: RMLIR_PYTHON or ~/.cache/rmlir-python. With --build, makes
# the environment and compiles the package, and checks nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cache=${XDG_CACHE_HOME:-}
[[ -n $cache ]] || cache=~/.cache
home=${RMLIR_PYTHON:-$cache/rmlir-python}
venv=$home/venv
bin=$venv/bin

skip() {
    printf '!!! SKIPPED: %s\n' "$*"
}

# What must be there, and what tests need that are left out without it.
needed=('maturin>=1.9,<2' 'pytest' 'mypy' 'numpy' 'ml_dtypes' 'typing_extensions')
others=('jax==0.10.2' 'flatbuffers' 'xdsl==0.74.0' 'zirium==0.7.0' 'pyarrow' 'polars' 'duckdb' 'pandas' 'pyright' 'etils[epath]' 'triton==3.9.0')

[[ -z ${RMLIR_SPARK:-} ]] || others+=('pyspark')

[[ -x $bin/python ]] || python3 -m venv "$venv" || { rm -rf "$venv"; skip 'the Python package: no virtual environment can be made'; exit 0; }
installed() {
    "$bin/python" -c 'import importlib.metadata as m, re, sys; [m.version(re.split(r"[<>=\[]", a)[0]) for a in sys.argv[1:]]' "$@" 2>/dev/null
}
installed "${needed[@]}" || "$bin/pip" install --quiet "${needed[@]}" ||
    { skip 'the Python package: pip cannot install maturin, pytest, mypy and numpy'; exit 0; }
for package in "${others[@]}"; do
    installed "$package" || "$bin/pip" install --quiet "$package" || skip "tests with $package: pip cannot install it"
done

export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
wheels=$CARGO_TARGET_DIR/python-wheels
rm -rf "$wheels"
source scripts/fold_flags.sh
"$bin/maturin" build --quiet --release -m python/Cargo.toml --interpreter "$bin/python" -o "$wheels" \
    --compression-level 9 -- "${fold[@]}"
wheel=$(ls "$wheels"/rmlir-*-cp310-abi3-*.whl)
# The same format, by a compressor that searches longer.
! command -v advzip >/dev/null || advzip -z3 -q "$wheel"
[[ ${1:-} != --build ]] || exit 0
size=$(stat -c %s "$wheel")
printf 'wheel: %s, %d bytes\n' "$(basename "$wheel")" "$size"
# The limit is for the whole compression.
if command -v advzip >/dev/null; then
    ((size < 6000000)) || { echo 'the wheel is larger than 6 MB'; exit 1; }
else
    skip 'the size of the wheel: advzip (package advancecomp), which makes it 3 % smaller, is not installed'
fi
"$bin/pip" install --quiet --no-deps --force-reinstall "$wheel"

# The tests run outside of the checkout, so that the installed package is tested.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests=$PWD/python/tests
(cd "$work" && "$bin/python" -m pytest -q -rs -p no:cacheprovider "$tests")
(cd "$work" && "$bin/stubtest" rmlir --allowlist "$tests/stubtest_allowlist.txt" --ignore-unused-allowlist)
if [[ -x $bin/pyright ]]; then
    cp python/tests/typed.py "$work/typed.py"
    (cd "$work" && "$bin/pyright" --pythonpath "$bin/python" typed.py && PATH=$bin:$PATH "$bin/pyright" --verifytypes rmlir --ignoreexternal) ||
        { [[ $? == 3 ]] && skip 'pyright: it cannot run' || exit 1; }
fi

# The README with other versions of Python, in fresh environments without other packages.
for version in 3.10 3.11 3.12 3.13 3.14; do
    python=$(command -v "python$version" || true)
    # The name may be one of pyenv, for a version that is not selected.
    [[ -n $python ]] && "$python" -c '' 2>/dev/null ||
        python=$(ls -d "$HOME"/.pyenv/versions/"$version".*/bin/python 2>/dev/null | head -1) || true
    if [[ -z $python ]] || ! "$python" -c '' 2>/dev/null; then
        skip "Python $version: it is not installed"
        continue
    fi
    "$python" -m venv "$work/$version"
    "$work/$version/bin/pip" install --quiet --disable-pip-version-check "$wheel" 2>&1 | grep -v '^$' || true
    mkdir "$work/run-$version"
    ln -s "$PWD/examples" "$work/run-$version/examples"
    (cd "$work/run-$version" && "../$version/bin/python" "$tests/readme.py" "$tests/../README.md")
done
