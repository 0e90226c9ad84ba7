//! Compares property layouts with facts gathered from upstream's definitions: a line of JSON for
//! each operation of each project, with the properties as generated code writes them.
//!
//! An extra suite: it needs these facts, which are not part of the repository. They are in
//! `RMLIR_DIALECT_FACTS`, else in `../shared/reference/dialects`.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "test code"
)]

use rmlir_dialects::BundledDialects;
use rmlir_ir::definition::{
    DialectSource, OperationDefinition, Presence, PropertyBase, PropertyKind, PropertySlot,
    PropertyWrapper, Release, SlotKind,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The files with the releases that they describe.
const FILES: &[(&str, &str)] = &[
    ("llvm19", "llvm-19"),
    ("llvm22", "llvm-22"),
    ("llvm24git", "llvm-24"),
    ("stablehlo", "stablehlo-202608"),
    ("iree", "iree-202608"),
    ("circt", "circt-202608"),
    ("torch-mlir", "torch-202608"),
    ("sdy", "sdy-202608"),
];

/// Dialects without a definition here: that of StableHLO's programs for testing its reference
/// interpreter, which no released tool knows.
const LEFT_OUT: &[&str] = &["interpreter."];

/// Operations for which the facts are wrong: files written by the release's tools show another
/// layout.
const CORRECTED: &[(&str, &str)] = &[
    ("llvm22", "test.reify_bound"),
    ("iree", "util.initializer"),
    ("iree", "vm.func"),
    ("iree", "vm.initializer"),
    ("iree", "hal.executable.condition"),
    ("iree", "hal.executable.constant.block"),
    ("circt", "firrtl.reg"),
    ("circt", "firrtl.regreset"),
];

/// Operations that were changed after the facts of `llvm24git` were gathered.
const CHANGED: &str = include_str!("layouts_changed.txt");

/// Operations whose definitions have a builtin constraint with the same values, so that the type
/// of the value is known to their custom syntax: that of a number, or the one after an attribute.
const OTHER_CONSTRAINTS: &[(&str, &str)] = &[
    ("iree", "vm.const.f32"),
    ("iree", "vm.const.f64"),
    ("iree", "vm.const.i32"),
    ("iree", "vm.const.i64"),
    ("iree", "vm.global.f32"),
    ("iree", "vm.global.f64"),
    ("iree", "vm.global.i32"),
    ("iree", "vm.global.i64"),
    ("circt", "rtg.virtual_reg"),
    ("circt", "seq.const_clock"),
    // Elements of a type whose shape only the dialect knows.
    ("llvm24git", "spirv.Tosa.Transpose"),
];

fn main() {
    let root = std::env::var_os("RMLIR_DIALECT_FACTS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/reference/dialects"),
        PathBuf::from,
    );
    if !root.is_dir() {
        println!("SKIPPED: no facts of dialects at {}", root.display());
        return;
    }
    let read = |name: &str| -> Vec<Value> {
        let text = std::fs::read_to_string(root.join(format!("{name}.ops.jsonl"))).unwrap();
        let line = |line: &str| {
            let mut facts: Value = serde_json::from_str(line).unwrap();
            // Only some projects' rows have the format, and layouts do not depend on it.
            facts.as_object_mut().unwrap().remove("format");
            facts
        };
        text.lines().map(line).collect()
    };
    let llvm22 = read("llvm22");
    let mut failed = 0;
    for &(file, release) in FILES {
        let release: Release = release.parse().unwrap();
        let (mut equal, mut elsewhere, mut left_out) = (0, 0, 0);
        for facts in read(file) {
            let name = facts["name"].as_str().unwrap();
            // The files of other projects repeat operations of LLVM 22, with which they are built.
            if !file.starts_with("llvm") && llvm22.contains(&facts) {
                elsewhere += 1;
                continue;
            }
            if LEFT_OUT.iter().any(|dialect| name.starts_with(dialect)) {
                left_out += 1;
                continue;
            }
            if CORRECTED.contains(&(file, name)) || OTHER_CONSTRAINTS.contains(&(file, name)) {
                left_out += 1;
                continue;
            }
            let is_changed = file == "llvm24git" && CHANGED.lines().any(|line| line == name);
            match check(name, &facts, release) {
                Err(_) if is_changed => left_out += 1,
                Ok(()) if is_changed => {
                    failed += 1;
                    println!("FAILED {file} {name}: it is listed as changed, and is not");
                }
                Ok(()) => equal += 1,
                Err(message) => {
                    failed += 1;
                    println!("FAILED {file} {name}: {message}");
                }
            }
        }
        println!("{file}: {equal} equal, {elsewhere} as in llvm22, {left_out} left out");
    }
    assert!(failed == 0, "{failed} layouts differ");
}

fn check(name: &str, facts: &Value, release: Release) -> Result<(), String> {
    let (namespace, mnemonic) = name.split_once('.').unwrap();
    let dialect = BundledDialects.dialect(namespace.as_bytes());
    let dialect = dialect.ok_or("the dialect is not there")?;
    let operation = dialect.operation(mnemonic.as_bytes(), release);
    let operation = operation.ok_or("the operation is not there")?;
    let layout = operation.layout(release).ok_or("there is no layout")?;
    for (version, other) in [(5, ">= 6"), (6, "< 6")] {
        let expected: Vec<Value> = facts["bytecode"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|p| !p["only"].as_str().unwrap_or_default().ends_with(other))
            .cloned()
            .collect();
        let ours: Vec<Value> = layout.slots(version, |_| 0).map(slot).collect();
        let same = ours.len() == expected.len()
            && ours.iter().zip(&expected).all(|(a, b)| same_slot(a, b));
        if !same {
            return Err(format!(
                "version {version}\n  ours   {}\n  theirs {}",
                json!(ours),
                json!(expected)
            ));
        }
    }
    groups(operation, facts, release)?;
    attributes(operation, facts, release)
}

/// Returns a slot in the notation of the facts.
fn slot(slot: &PropertySlot) -> Value {
    match &slot.kind {
        SlotKind::Attribute { optional, .. } => {
            json!([slot.name, if *optional { "optional_attr" } else { "attr" }])
        }
        SlotKind::SegmentAttribute { .. } => {
            json!({"name": slot.name, "enc": "attr"})
        }
        SlotKind::SegmentArray { len } => {
            json!({"name": slot.name, "enc": "sparse_i32_array", "n": len})
        }
        SlotKind::Native(kind) => json!({"name": slot.name, "enc": "native", "code": code(kind)}),
    }
}

fn code(kind: &PropertyKind) -> String {
    let base = match kind.base {
        PropertyBase::Integer { .. } => "varint",
        PropertyBase::Bool | PropertyBase::Unit => "bool",
        PropertyBase::String => "string",
        PropertyBase::Attribute => "attribute",
        PropertyBase::Own => "cpp",
    };
    kind.wrappers
        .iter()
        .rev()
        .fold(base.to_owned(), |inner, wrapper| match wrapper {
            PropertyWrapper::Optional => format!("optional<{inner}>"),
            PropertyWrapper::Array | PropertyWrapper::DenseArray => format!("array<{inner}>"),
        })
}

fn same_slot(ours: &Value, theirs: &Value) -> bool {
    let of = |v: &Value, key: &str| v[key].as_str().unwrap_or_default().to_owned();
    if theirs.is_array() || ours.is_array() {
        return ours == theirs;
    }
    let (code, their_code) = (of(ours, "code"), of(theirs, "code"));
    of(ours, "name") == of(theirs, "name")
        && of(ours, "enc") == of(theirs, "enc")
        && ours.get("n") == theirs.get("n")
        // In the facts, an operation's own code has the name of a class.
        && (code == their_code || (code == "cpp" && their_code.starts_with("cpp<")))
}

/// Compares operands, results, regions and successors: names and kinds.
fn groups(operation: &OperationDefinition, facts: &Value, release: Release) -> Result<(), String> {
    for (key, groups) in [
        ("operands", &operation.operands),
        ("results", &operation.results),
        ("regions", &operation.regions),
        ("successors", &operation.successors),
    ] {
        let expected: Vec<(String, String)> = facts[key]
            .as_array()
            .into_iter()
            .flatten()
            .map(|g| (text(&g[0]), text(&g[1])))
            .collect();
        let ours: Vec<(String, String)> = operation
            .groups_in(groups, release)
            .map(|g| {
                let kind = match g.kind {
                    rmlir_ir::definition::GroupKind::Single => "single",
                    rmlir_ir::definition::GroupKind::Optional => "optional",
                    rmlir_ir::definition::GroupKind::Variadic => "variadic",
                    rmlir_ir::definition::GroupKind::VariadicOfVariadic => "variadic_of_variadic",
                };
                (g.name.to_string(), kind.to_owned())
            })
            .collect();
        if ours != expected {
            return Err(format!("{key}: {ours:?}, not {expected:?}"));
        }
    }
    Ok(())
}

/// Compares inherent attributes in the order of declaration, with constraints and defaults where
/// the facts have them.
fn attributes(
    operation: &OperationDefinition,
    facts: &Value,
    release: Release,
) -> Result<(), String> {
    // Those that depend on the version of a dialect are newer than the facts.
    let ours = operation.attributes_in(release);
    let mut ours: Vec<_> = ours.filter(|a| a.version.is_none()).collect();
    ours.sort_by_key(|a| a.position);
    let theirs = facts["attributes"].as_array().unwrap();
    let same = ours.len() == theirs.len()
        && ours.iter().zip(theirs).all(|(a, b)| {
            let presence = match (a.presence, text(&b[1]).as_str()) {
                (Presence::Required, "required") | (Presence::Default, "default") => true,
                (Presence::Optional, presence) => {
                    matches!(presence, "optional" | "default_optional")
                }
                _ => false,
            };
            let default = b[3]["default"].as_str();
            a.name == text(&b[0])
                && presence
                && a.constraint == text(&b[2])
                && (default.is_none() || default == a.default.as_deref())
        });
    if same {
        Ok(())
    } else {
        Err(format!("attributes: {ours:?}, not {}", json!(theirs)))
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
