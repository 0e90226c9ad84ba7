//! Tests that the programs list the same symbols, other operations and counts for every format.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Folder;
use rmlir_testing::{corpus, mlir_opt};
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rmlir");

/// A portable artifact: functions of `vhlo`, whose names and references are attributes of the
/// dialect.
const PORTABLE: &str = r##""builtin.module"() ({
  "vhlo.func_v1"() <{arg_attrs = #vhlo.array_v1<[]>, function_type = #vhlo.type_v1<!vhlo.func_v1<() -> ()>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"main">, sym_visibility = #vhlo.string_v1<"public">}> ({
    "vhlo.call_v1"() <{callee = #vhlo.string_v1<"helper">}> : () -> ()
    "vhlo.custom_call_v1"() <{api_version = #vhlo<api_version_v1 API_VERSION_ORIGINAL>, backend_config = #vhlo.string_v1<"unused">, call_target_name = #vhlo.string_v1<"unused">, called_computations = #vhlo.array_v1<[#vhlo.string_v1<"called">]>, has_side_effect = #vhlo.bool_v1<false>, operand_layouts = #vhlo.array_v1<[]>, output_operand_aliases = #vhlo.array_v1<[]>, result_layouts = #vhlo.array_v1<[]>}> : () -> ()
    "vhlo.return_v1"() : () -> ()
  }) : () -> ()
  "vhlo.func_v1"() <{arg_attrs = #vhlo.array_v1<[]>, function_type = #vhlo.type_v1<!vhlo.func_v1<() -> ()>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"helper">, sym_visibility = #vhlo.string_v1<"private">}> ({
    "vhlo.composite_v1"() <{composite_attributes = #vhlo.dict_v1<{}>, decomposition = #vhlo.string_v1<"composed">, name = #vhlo.string_v1<"unused">, version = #vhlo.integer_v1<0 : i32>}> : () -> ()
    "vhlo.return_v1"() : () -> ()
  }) : () -> ()
  "vhlo.func_v1"() <{arg_attrs = #vhlo.array_v1<[]>, function_type = #vhlo.type_v1<!vhlo.func_v1<() -> ()>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"composed">, sym_visibility = #vhlo.string_v1<"private">}> ({
    "vhlo.return_v1"() : () -> ()
  }) : () -> ()
  "vhlo.func_v1"() <{arg_attrs = #vhlo.array_v1<[]>, function_type = #vhlo.type_v1<!vhlo.func_v1<() -> ()>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"called">, sym_visibility = #vhlo.string_v1<"private">}> ({
    "vhlo.return_v1"() : () -> ()
  }) : () -> ()
  "vhlo.func_v1"() <{arg_attrs = #vhlo.array_v1<[]>, function_type = #vhlo.type_v1<!vhlo.func_v1<() -> ()>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"unused">, sym_visibility = #vhlo.string_v1<"private">}> ({
    "vhlo.return_v1"() : () -> ()
  }) : () -> ()
}) : () -> ()
"##;

/// Top-level operations that are not symbols, and resources that are declared, used, or both.
const UNNAMED: &str = r#"%0 = "t.value"() {data = dense_resource<used> : tensor<2xi8>} : () -> i32
func.func private @f()
"t.user"(%0) ({
  "t.inner"() {sym_name = "inner"} : () -> ()
}) : (i32) -> ()
{-# dialect_resources: {builtin: {used: "0x010000000102", declared: "0x0100000003"}} #-}
"#;

/// Returns the standard output of a call that succeeds.
#[track_caller]
fn out(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.run(arguments, b"");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the file in three formats.
fn forms(folder: &Folder, file: &str) -> [String; 3] {
    let stem = file.split('.').next().unwrap();
    let forms = ["mlirbc", "rmbc", "generic.mlir"].map(|form| format!("{stem}.copy.{form}"));
    for form in &forms {
        let to = if form.ends_with("mlir") {
            "generic"
        } else {
            form.rsplit('.').next().unwrap()
        };
        out(
            folder,
            &["convert", file, "--to", to, "-o", form, "--no-verify"],
        );
    }
    forms
}

#[test]
fn functions_of_portable_artifacts_are_symbols() {
    let folder = Folder::new(PROGRAM, "portable");
    folder.write("a.mlir", PORTABLE);
    let hashes = out(&folder, &["hash", "--symbols", "a.mlir"]);
    assert_eq!(hashes.lines().count(), 5);
    let changed = PORTABLE.replace(
        "name = #vhlo.string_v1<\"unused\">, version",
        "name = #vhlo.string_v1<\"x\">, version",
    );
    folder.write("changed.mlir", &changed);
    for file in forms(&folder, "a.mlir") {
        let listed = out(&folder, &["list", &file]);
        let rows: Vec<Vec<&str>> = listed
            .lines()
            .map(|l| l.split_whitespace().collect())
            .collect();
        let names: Vec<&str> = rows.iter().skip(1).map(|row| row[3]).collect();
        assert_eq!(
            names,
            ["@main", "@helper", "@composed", "@called", "@unused"],
            "{file}"
        );
        assert_eq!(
            (rows[1][0], rows[1][1], rows[2][1]),
            ("vhlo.func_v1", "public", "private")
        );
        assert_eq!(
            out(&folder, &["hash", "--symbols", &file]),
            hashes,
            "{file}"
        );
        // With the symbols it refers to; a string that is not a reference has no effect.
        let part = out(&folder, &["extract", &file, "@main", "--to", "generic"]);
        for (name, is_there) in [
            ("main", true),
            ("helper", true),
            ("composed", true),
            ("called", true),
            ("unused", false),
        ] {
            let function = format!("sym_name = #vhlo.string_v1<\"{name}\">");
            assert_eq!(part.contains(&function), is_there, "{file}: {name}");
        }
        let same = out(&folder, &["diff", "a.mlir", &file]);
        assert!(
            same.is_empty() || same == "only locations differ\n",
            "{file}: {same}"
        );
        let output = folder.run(&["diff", "--brief", &file, "changed.mlir"], b"");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "changed @helper\n");
        let size: Value = serde_json::from_str(&out(&folder, &["size", "--json", &file])).unwrap();
        assert_eq!(size["symbols"].as_array().unwrap().len(), 5, "{file}");
    }
}

#[test]
fn operations_that_are_not_symbols_are_listed() {
    let folder = Folder::new(PROGRAM, "unnamed");
    folder.write("a.mlir", UNNAMED);
    for file in forms(&folder, "a.mlir") {
        let listed = out(&folder, &["list", &file]);
        let cells = |line: &str| {
            let cells: Vec<&str> = line.split_whitespace().collect();
            (
                cells[0].to_owned(),
                cells[1].to_owned(),
                cells[3].to_owned(),
            )
        };
        let rows: Vec<_> = listed.lines().skip(1).map(cells).collect();
        let row = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        let expected = [
            row("func.func", "private", "@f"),
            row("t.value", "-", "-"),
            row("t.user", "-", "-"),
        ];
        assert_eq!(rows, expected, "{file}");
        let listed = out(&folder, &["list", "--json", &file]);
        let last: Value = serde_json::from_str(listed.lines().last().unwrap()).unwrap();
        assert_eq!(last["operation"], "t.user");
        assert!(last["symbol"].is_null() && last["visibility"].is_null());
    }
}

/// Functions whose visibility is a unit attribute, and an imported function, whose visibility is
/// fixed. `sym_visibility` has no meaning for either.
const EXPORTED: &str = r#""builtin.module"() ({
  "wasmssa.import_func"() <{importName = "f", moduleName = "m", sym_name = "imported", type = () -> ()}> : () -> ()
  "wasmssa.func"() <{exported, functionType = () -> (), sym_name = "exported"}> ({
    "wasmssa.return"() : () -> ()
  }) : () -> ()
  "wasmssa.func"() <{functionType = () -> (), sym_name = "not_exported"}> ({
    "wasmssa.return"() : () -> ()
  }) : () -> ()
  "wasmssa.func"() <{exported, functionType = () -> (), sym_name = "with_both"}> ({
    "wasmssa.return"() : () -> ()
  }) {sym_visibility = "private"} : () -> ()
  "wasmssa.memory"() <{exported, limits = !wasmssa<limit[0:]>, sym_name = "memory"}> : () -> ()
  "wasmssa.memory"() <{limits = !wasmssa<limit[0:]>, sym_name = "hidden"}> {sym_visibility = "public"} : () -> ()
  "builtin.module"() ({
    "wasmssa.func"() <{exported, functionType = () -> (), sym_name = "exported"}> ({
      "wasmssa.return"() : () -> ()
    }) : () -> ()
  }) : () -> ()
}) : () -> ()
"#;

#[test]
fn visibility_is_that_of_the_definition() {
    let folder = Folder::new(PROGRAM, "visibility");
    folder.write("a.mlir", EXPORTED);
    let files = forms(&folder, "a.mlir");
    for file in ["a.mlir"]
        .into_iter()
        .chain(files.iter().map(String::as_str))
    {
        let listed = |file: &str| -> Vec<String> {
            let listed = out(&folder, &["list", file]);
            let cells = |line: &str| {
                let cells: Vec<&str> = line.split_whitespace().collect();
                format!("{} {}", cells[3], cells[1])
            };
            listed.lines().skip(1).map(cells).collect()
        };
        let expected = [
            "@imported nested",
            "@exported public",
            "@not_exported nested",
            "@with_both public",
            "@memory public",
            "@hidden nested",
            "- -",
        ];
        assert_eq!(listed(file), expected, "{file}");
        // Without the unnamed module, which parts cannot have.
        out(
            &folder,
            &[
                "extract",
                file,
                "@not_exported",
                "@exported",
                "@hidden",
                "-o",
                "part.rmbc",
            ],
        );
        let expected = ["@exported public", "@not_exported nested", "@hidden nested"];
        assert_eq!(listed("part.rmbc"), expected, "{file}");
    }
    // Upstream removes the symbols that are neither public nor used.
    let arguments = ["--symbol-dce", "--mlir-print-op-generic"];
    let Some(results) = mlir_opt(&[EXPORTED], &arguments) else {
        return;
    };
    let left = results[0].as_ref().unwrap();
    let is_left = |name: &str| left.contains(&format!("sym_name = \"{name}\""));
    let found = [
        "exported",
        "with_both",
        "memory",
        "imported",
        "not_exported",
        "hidden",
    ]
    .map(is_left);
    assert_eq!(found, [true, true, true, false, false, false], "{left}");
}

/// The counts of `info` that concern content, which are the same in every format.
const COUNTS: [&str; 14] = [
    "operations",
    "regions",
    "blocks",
    "values",
    "symbols",
    "unnamed_operations",
    "attributes",
    "types",
    "locations",
    "weights",
    "resources",
    "resource_bytes",
    "operations_by_name",
    "operations_by_dialect",
];

fn counts(folder: &Folder, file: &str) -> Vec<(&'static str, Value)> {
    let info: Value = serde_json::from_str(&out(folder, &["info", "--json", file])).unwrap();
    assert_eq!(info["schema"], "info/1", "{file}");
    COUNTS
        .iter()
        // Text without locations has those of its own lines.
        .filter(|&&what| what != "locations" || !file.ends_with(".mlir"))
        .map(|&what| (what, info[what].clone()))
        .collect()
}

/// Compares counts, as far as both forms have them.
fn assert_same(left: &[(&str, Value)], right: &[(&str, Value)], what: &str) {
    for (name, count) in left {
        if let Some((_, other)) = right.iter().find(|(other, _)| other == name) {
            assert_eq!(count, other, "{what}: {name}");
        }
    }
}

#[test]
fn counts_are_those_of_the_content() {
    let folder = Folder::new(PROGRAM, "counts");
    folder.write("a.mlir", UNNAMED);
    folder.write("b.mlir", PORTABLE);
    for file in ["a.mlir", "b.mlir"] {
        let expected = counts(&folder, file);
        for form in forms(&folder, file) {
            assert_same(&counts(&folder, &form), &expected, &form);
        }
    }
    let info = counts(&folder, "a.mlir");
    let value = |what| &info.iter().find(|count| count.0 == what).unwrap().1;
    assert_eq!(value("operations"), 5);
    assert_eq!(value("unnamed_operations"), 2);
    assert_eq!(
        (value("resources"), value("resource_bytes")),
        (&2.into(), &3.into())
    );
}

/// The same for some files of the corpus.
#[test]
fn counts_of_the_corpus_are_those_of_the_content() {
    let Some(root) = corpus::root() else { return };
    let wanted = |name: &str| name.ends_with(".mlirbc") && !name.contains("portable");
    let mut files = corpus::files(&root.join("jax"), wanted);
    let of_iree = corpus::files(&root.join("iree"), wanted);
    files.extend(of_iree.iter().step_by(97).cloned());
    files.retain(|file| std::fs::metadata(file).is_ok_and(|data| data.len() < 40_000));
    let step = if cfg!(debug_assertions) { 10 } else { 2 };
    let files: Vec<_> = files.into_iter().step_by(step).collect();
    let folder = Folder::new(PROGRAM, "counts-of-corpus");
    let mut compared = 0;
    for file in files {
        folder.write("a.mlirbc", std::fs::read(&file).unwrap());
        let read = folder.run(
            &[
                "convert",
                "a.mlirbc",
                "--to",
                "rmbc",
                "-o",
                "b.rmbc",
                "--no-verify",
            ],
            b"",
        );
        // Some have unknown encodings.
        if !read.status.success() {
            continue;
        }
        let expected = counts(&folder, "a.mlirbc");
        for form in forms(&folder, "a.mlirbc") {
            let what = format!("{}: {form}", file.display());
            assert_same(&counts(&folder, &form), &expected, &what);
        }
        compared += 1;
    }
    assert!(compared > 5, "{compared}");
}

#[test]
fn only_similar_names_are_suggested() {
    let folder = Folder::new(PROGRAM, "suggested");
    folder.write(
        "a.mlir",
        "func.func private @main()\nfunc.func private @add()\n",
    );
    let error = |name: &str| {
        let output = folder.run(&["extract", "a.mlir", name], b"");
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(
        error("nosuch"),
        "a.mlir: error: there is no symbol '@nosuch'\n"
    );
    assert_eq!(
        error("@nosym"),
        "a.mlir: error: there is no symbol '@nosym'\n"
    );
    assert_eq!(
        error("mian"),
        "a.mlir: error: there is no symbol '@mian'; did you mean '@main'?\n"
    );
}
