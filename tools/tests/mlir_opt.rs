//! Compares `rmlir-translate` with `mlir-opt-22`, where that is installed, for the options that
//! both have: the same output, and both succeed or fail.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

mod common;

use common::Folder;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rmlir-translate");
const ORACLE: &str = "mlir-opt-22";

/// Pieces between the default marker and one of its own.
const PIECES: &str = "\
\"t.a\"() {x = 1 : i32} : () -> ()
// -----
func.func @f() { return }
//====
func.func @g(%x: i32) -> i32 { return %x : i32 }
";

const ANNOUNCED: &str = "\
// expected-error@+1 {{custom op 'foo'}}
foo
// -----
bar // not announced
// -----
// expected-note@+1 {{absent}}
baz
";

const ACCEPTED: &str = "\
// expected-error@+1 {{custom op 'foo'}}
foo
// -----
bar // not announced
// -----
\"t.a\"() : () -> ()
";

const RESOURCES: &str = "\
\"t.a\"() {x = dense_resource<r> : tensor<1xi32>} : () -> ()
{-#
  dialect_resources: { builtin: { r: \"0x0800000001000000\" } },
  external_resources: { e: { k: \"0x0800000001000000\", b: true, s: \"abc\" } }
#-}
";

const FUNCTION: &str =
    "func.func @f() { \"t.a\"() {x = dense<[1, 2]> : tensor<2xi32>} : () -> () return }";
const MODULE: &str = "builtin.module @m { func.func private @f() }";

const DIALECT: &str = "\
irdl.dialect @pet {
  irdl.operation @feed {
    %0 = irdl.is i32
    irdl.operands(food: %0)
    irdl.results(rest: %0)
  }
}
";
const FED: &str = "%0 = \"t.a\"() : () -> i32\n%1 = \"pet.feed\"(%0) : (i32) -> i32";
const FED_WRONG: &str = "%0 = \"t.a\"() : () -> i64\n%1 = \"pet.feed\"(%0) : (i64) -> i32";

/// Locations of each kind, nested in each other.
const LOCATIONS: &str = "\
#x = loc(\"x y\\22q\":1:2)
func.func @f(%a: i32 loc(\"x y\"), %b: i32 loc(\"x y\"), %c: i32 loc(\"1z\"), %d: index loc(\"\")) {
  \"t.a\"() : () -> () loc(fused[callsite(\"n\" at #x), callsite(\"n\" at \"m\"), \"f\":1:2 to :7])
  \"t.b\"() {l = loc(\"attr\":1:1), m = loc(unknown)} : () -> ()
      loc(fused<\"meta\">[callsite(callsite(\"n\" at #x) at unknown), \"e\":0:0])
  %0 = arith.constant 1 : i32 loc(\"k\")
  %1 = arith.constant 1 : i32
  %2 = \"t.a\"() : () -> i32 loc(\"c1_i32\")
  %3:2 = \"t.a\"() : () -> (i32, i32) loc(\"k\"(\"o\"(#x)))
  %4 = \"t.a\"() : () -> i32 loc(fused<\"m\">[\"q\":1:1, callsite(\"f\":1:1 at \"deep\"(\"inner\"))])
  %token, %r = async.execute -> !async.value<i32> { async.yield %2 : i32 } loc(\"ex\")
  \"t.r\"() ({
  ^bb0(%e: i32 loc(\"k\"), %g: i32):
    %5 = \"t.a\"() : () -> i32 loc(\"k\")
    %6 = \"t.a\"() : () -> i32
  }, {
  ^bb0(%e: i32 loc(\"k\"), %g: i32):
    %5 = \"t.a\"() : () -> i32 loc(\"u\")
    %6 = \"t.a\"() : () -> i32 loc(\"3\")
    %7 = arith.constant 1 : i32
  }) {x = affine_map<(d0) -> (d0 + 1)>} : () -> ()
  cf.br ^bb1(%d : index)
^bb1(%w: index loc(\"ww\")):
  return
}
func.func private @g(i32) attributes {y = 1}
";

/// Regions that are skipped, with an alias and a resource in them.
const REGIONS: &str = "\
#map = affine_map<(d0) -> (d0 + 1)>
\"t.a\"() ({
  func.func @f(%a: i32, %b: index) -> (i32 {t.x}) attributes {y = #map} { return %a : i32 }
}, {}, {
^bb0(%x: i32):
  \"t.c\"() {x = dense_resource<r> : tensor<1xi32>} : () -> ()
}) {x = 1} : () -> ()
{-#
  dialect_resources: { builtin: { r: \"0x0800000001000000\" } },
  external_resources: { e: { b: true } }
#-}
";

/// Values with users of each number, and operations without results.
const USERS: &str = "\
func.func @f(%w: index, %a: i32, %b: i32) -> i32 {
  %0:2 = \"t.a\"(%a, %a) : (i32, i32) -> (i32, i32) loc(\"two\")
  %1 = \"t.b\"(%0#0) : (i32) -> i32
  %2:3 = \"t.c\"() : () -> (i32, i32, i32)
  \"t.n\"() : () -> ()
  \"t.z\"(%2#0, %1, %1) ({
  ^bb0(%q: i32, %r: i32):
    \"t.n\"(%q) : (i32) -> ()
  }) : (i32, i32, i32) -> ()
  scf.for %i = %w to %w step %w { \"t.n\"(%i) : (index) -> () }
  %c = arith.constant 4 : i32
  %d:2 = \"t.a\"(%c) : (i32) -> (i32, i32)
  \"t.u\"(%d#0, %d#0, %d#1) : (i32, i32, i32) -> ()
  cf.br ^bb1(%1, %a : i32, i32)
^bb1(%k: i32, %l: i32):
  return %k : i32
}
";

const INPUTS: &[(&str, &str)] = &[
    ("pieces.mlir", PIECES),
    ("announced.mlir", ANNOUNCED),
    ("accepted.mlir", ACCEPTED),
    ("resources.mlir", RESOURCES),
    ("function.mlir", FUNCTION),
    ("module.mlir", MODULE),
    ("dialect.irdl.mlir", DIALECT),
    ("locations.mlir", LOCATIONS),
    ("regions.mlir", REGIONS),
    ("users.mlir", USERS),
    ("fed.mlir", FED),
    ("fed_wrong.mlir", FED_WRONG),
];

const CALLS: &[&str] = &[
    "pieces.mlir",
    "pieces.mlir -split-input-file",
    "pieces.mlir --split-input-file -mlir-print-op-generic",
    "pieces.mlir -split-input-file=//====",
    "pieces.mlir --split-input-file=//==== --output-split-marker=//~~~",
    "pieces.mlir -split-input-file -output-split-marker //~~~",
    "pieces.mlir -split-input-file -output-split-marker= -mlir-print-local-scope",
    "pieces.mlir -split-input-file=",
    "-mlir-print-debuginfo -o - pieces.mlir",
    "announced.mlir -split-input-file -verify-diagnostics",
    "announced.mlir -split-input-file -verify-diagnostics=all",
    "announced.mlir -split-input-file -verify-diagnostics=only-expected",
    "accepted.mlir -split-input-file -verify-diagnostics",
    "accepted.mlir -split-input-file -verify-diagnostics=",
    "accepted.mlir -split-input-file --verify-diagnostics=only-expected",
    "accepted.mlir --verify-diagnostics=none",
    "function.mlir -emit-bytecode",
    "function.mlir --emit-bytecode --emit-bytecode-version=3",
    "function.mlir -emit-bytecode -emit-bytecode-version 5",
    "function.mlir -emit-bytecode -emit-bytecode-version=7",
    "function.mlir -emit-bytecode-version=3",
    "resources.mlir -emit-bytecode",
    "resources.mlir -emit-bytecode -elide-resource-data-from-bytecode",
    "resources.mlir -emit-bytecode -elide-resource-data-from-bytecode -emit-bytecode-version=4",
    "resources.mlir -elide-resource-data-from-bytecode",
    "function.mlir -no-implicit-module",
    "function.mlir -no-implicit-module -mlir-print-op-generic -mlir-print-debuginfo",
    "function.mlir -no-implicit-module -emit-bytecode",
    "function.mlir -no-implicit-module -verify-roundtrip",
    "module.mlir -no-implicit-module",
    "pieces.mlir -no-implicit-module",
    "pieces.mlir -no-implicit-module -split-input-file",
    "fed.mlir -irdl-file=dialect.irdl.mlir",
    "fed_wrong.mlir --irdl-file=dialect.irdl.mlir",
    "function.mlir -mlir-print-elementsattrs-with-hex-if-larger=-1",
    "function.mlir -mlir-print-elementsattrs-with-hex-if-larger=1",
    "locations.mlir -mlir-pretty-debuginfo",
    "locations.mlir -mlir-pretty-debuginfo -mlir-print-debuginfo",
    "locations.mlir -mlir-pretty-debuginfo -mlir-print-debuginfo -mlir-print-op-generic",
    "locations.mlir -mlir-pretty-debuginfo -mlir-print-debuginfo -mlir-print-local-scope",
    "locations.mlir -mlir-print-unique-ssa-ids",
    "locations.mlir -mlir-print-unique-ssa-ids -mlir-use-nameloc-as-prefix",
    "locations.mlir -mlir-use-nameloc-as-prefix",
    "locations.mlir -mlir-use-nameloc-as-prefix -mlir-print-op-generic",
    "locations.mlir -mlir-print-skip-regions -mlir-print-debuginfo",
    "regions.mlir -no-implicit-module -mlir-print-skip-regions",
    "regions.mlir -no-implicit-module -mlir-print-skip-regions -mlir-print-debuginfo",
    "regions.mlir -no-implicit-module -mlir-print-skip-regions -mlir-print-op-generic",
    "regions.mlir -mlir-print-skip-regions",
    "module.mlir -no-implicit-module -mlir-print-skip-regions -mlir-print-local-scope",
    "users.mlir -mlir-print-value-users",
    "users.mlir -mlir-print-value-users -mlir-print-debuginfo",
    "users.mlir -mlir-print-value-users -mlir-print-op-generic",
    "users.mlir -mlir-print-value-users -mlir-print-unique-ssa-ids",
    "users.mlir -mlir-print-value-users -mlir-use-nameloc-as-prefix -mlir-print-local-scope",
    "locations.mlir -mlir-print-value-users",
];

#[test]
fn options_that_both_have() {
    if Command::new(ORACLE).arg("--version").output().is_err() {
        println!("!!! SKIPPED: {ORACLE} is not installed");
        return;
    }
    let folder = Folder::new(PROGRAM, "mlir-opt");
    for (name, text) in INPUTS {
        folder.write(name, text);
    }
    let mut different = Vec::new();
    for call in CALLS {
        let mut arguments = vec!["--allow-unregistered-dialect"];
        arguments.extend(call.split(' '));
        let theirs = folder.run_program(ORACLE, &arguments, b"");
        let ours = folder.run(&arguments, b"");
        if theirs.status.success() != ours.status.success() || theirs.stdout != ours.stdout {
            different.push(format!(
                "{call}\n--- {ORACLE}: {}\n{}--- rmlir-translate: {}\n{}{}",
                theirs.status,
                String::from_utf8_lossy(&theirs.stdout),
                ours.status,
                String::from_utf8_lossy(&ours.stdout),
                String::from_utf8_lossy(&ours.stderr)
            ));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
