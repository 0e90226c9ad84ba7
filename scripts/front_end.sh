#!/usr/bin/env bash
# Compiles expressions with examples/calculator.rs to upstream's bytecode, lowers it with
# mlir-opt-22, runs it with mlir-runner-22, and checks the results. Needs both tools.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cargo build --profile suite --quiet --workspace --example calculator
calculator=${CARGO_TARGET_DIR:-target}/suite/examples/calculator
program=$(mktemp)
trap 'rm -f "$program"' EXIT
while IFS='|' read -r expression expected; do
    "$calculator" "$expression" >"$program"
    found=$(mlir-opt-22 --convert-func-to-llvm --convert-arith-to-llvm "$program" |
        mlir-runner-22 -e main --entry-point-result=i32)
    printf '%s = %s\n' "$expression" "$found"
    [[ $found == "$expected" ]] || { printf 'expected %s\n' "$expected"; exit 1; }
done <<'CASES'
42|42
(1 + 2) * 30 - 4 / 2|88
2 * (3 + 4) * (5 - 7)|-28
100 / 7 / 2 - 1 - 2|4
CASES
