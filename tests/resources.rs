//! Tests resources with equal keys in one module: each operation keeps its own, in each format and
//! for `mlir-opt`.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "test code"
)]

use rmlir::ir::{
    AttributeKind, Context, EqualityOptions, FingerprintOptions, Module, ResourceValue,
    fingerprint, semantic_difference,
};
use rmlir::reader::{mlirbc, rmbc};
use rmlir::text::{ParseOptions, PrintOptions, parse_module};
use rmlir::writer;
use rmlir_testing::module_to_string;
use std::io::Write;
use std::process::{Command, Stdio};

fn context() -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    context
}

/// Joins one module per value, each with a resource `x` of that value.
fn joined(values: &[&str], extra: &str) -> (Context, Module) {
    let mut context = context();
    let mut module = Module::new(&mut context);
    let mut fork = context.fork();
    let parts: Vec<Module> = values
        .iter()
        .enumerate()
        .map(|(n, value)| {
            let text = format!(
                "func.func @f{n}() {{\n  %0 = arith.constant dense_resource<x> : tensor<1xi32>\n  \
                 \"t.op\"() {{a = #t.box<[dense_resource<x> : tensor<1xi32>]>}} : () -> ()\n  return\n}}\n\
                 {{-# dialect_resources: {{ builtin: {{ x: \"0x04000000{value}\"{extra} }} }} #-}}"
            );
            parse_module(&mut fork.context, text.as_bytes(), &ParseOptions::default()).unwrap()
        })
        .collect();
    let translation = context
        .join(fork, |context, entry| context.add_resource(entry))
        .unwrap();
    let body = module.body().unwrap();
    for part in parts {
        for resource in &part.provenance.resources {
            let resource = translation.resource(*resource);
            module.provenance.resources.push(resource);
        }
        module.append_body(body, part, &translation);
    }
    (context, module)
}

/// Returns the data of the resource of each constant, in order.
fn data(context: &Context, module: &Module) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for operation in module.descendants(module.top()) {
        for &(_, value) in module.all_attributes(context, operation).iter() {
            if let AttributeKind::DenseResource { resource, .. } = context.attribute_kind(value)
                && let Some(ResourceValue::Blob(blob)) = &context.resource(*resource).value
            {
                found.push(blob.data().to_vec());
            }
        }
    }
    found
}

fn assert_same(left: (&Context, &Module), right: (&Context, &Module)) {
    let equality = EqualityOptions { locations: false };
    let difference = semantic_difference(left, right, &equality);
    assert!(difference.is_none(), "{}", difference.unwrap());
    let hash = |(context, module): (&Context, &Module)| {
        fingerprint(
            context,
            module,
            module.top(),
            &FingerprintOptions::default(),
        )
    };
    assert_eq!(hash(left), hash(right));
}

/// Returns what `mlir-opt` prints in generic form, if it is installed.
fn mlir_opt(input: &[u8]) -> Option<String> {
    let program = std::env::var("MLIR_OPT").unwrap_or_else(|_| "mlir-opt-22".to_owned());
    let mut command = Command::new(program);
    command.args(["--mlir-print-op-generic", "--allow-unregistered-dialect"]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        println!("SKIPPED: mlir-opt not found");
        return None;
    };
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(
        String::from_utf8(output.stdout)
            .unwrap()
            .trim_end()
            .to_owned(),
    )
}

#[test]
fn joined_modules_keep_their_resources() {
    let values = ["01000000", "02000000", "03000000"];
    for extra in ["", ", x_1: \"0x040000000A000000\""] {
        let (mut context, module) = joined(&values, extra);
        let expected = data(&context, &module);
        assert_eq!(expected, [[1, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0]]);

        let generic = module_to_string(&context, &module, &PrintOptions::generic()).unwrap();
        let generic = String::from_utf8(generic).unwrap();
        for options in [PrintOptions::default(), PrintOptions::generic()] {
            let text = module_to_string(&context, &module, &options).unwrap();
            let mut other = self::context();
            let again = parse_module(&mut other, &text, &ParseOptions::default()).unwrap();
            assert_eq!(data(&other, &again), expected);
            assert_same((&context, &module), (&other, &again));
            if let Some(theirs) = mlir_opt(&text) {
                // It omits resources that nothing refers to.
                if extra.is_empty() {
                    assert_eq!(theirs, generic.trim_end());
                }
                let options = ParseOptions::default();
                let theirs = parse_module(&mut other, theirs.as_bytes(), &options).unwrap();
                assert_eq!(data(&other, &theirs), expected);
                assert_same((&context, &module), (&other, &theirs));
            }
        }

        let bytes = writer::rmbc::write_module(&context, &module, &Default::default()).unwrap();
        let mut other = self::context();
        let again = rmbc::read_module(&mut other, &bytes.into(), &Default::default()).unwrap();
        assert_same((&context, &module), (&other, &again));

        let bytes = writer::mlirbc::write_module(&mut context, &module, &Default::default());
        let bytes = bytes.unwrap();
        if let Some(theirs) = mlir_opt(&bytes) {
            let theirs = parse_module(&mut other, theirs.as_bytes(), &ParseOptions::default());
            let theirs = theirs.unwrap();
            assert_eq!(data(&other, &theirs), expected);
            assert_same((&context, &module), (&other, &theirs));
        }
        let mut other = self::context();
        let again = mlirbc::read_module(&mut other, &bytes.into(), &Default::default()).unwrap();
        assert_eq!(data(&other, &again), expected);
        assert_same((&context, &module), (&other, &again));
    }
}

/// Bytecode in which two resources have the same key, as other writers could produce.
#[test]
fn bytecode_with_equal_keys() {
    let text = "%0 = arith.constant dense_resource<kx> : tensor<1xi32>\n\
         %1 = arith.constant dense_resource<ky> : tensor<1xi32>\n\
         {-# dialect_resources: { builtin: { kx: \"0x0400000001000000\", ky: \"0x0400000002000000\" } } #-}";
    let mut context = context();
    let module = parse_module(&mut context, text.as_bytes(), &ParseOptions::default()).unwrap();
    let mut bytes =
        writer::mlirbc::write_module(&mut context, &module, &Default::default()).unwrap();
    let at = bytes.windows(4).position(|w| w == b"\0ky\0").unwrap();
    bytes[at + 2] = b'x';

    let mut context = self::context();
    let module =
        mlirbc::read_module(&mut context, &bytes.clone().into(), &Default::default()).unwrap();
    assert_eq!(data(&context, &module), [[1, 0, 0, 0], [2, 0, 0, 0]]);
    let generic = module_to_string(&context, &module, &PrintOptions::generic()).unwrap();
    let generic = String::from_utf8(generic).unwrap();
    assert!(
        generic.contains("kx_1: \"0x0400000002000000\""),
        "{generic}"
    );
    if let Some(theirs) = mlir_opt(&bytes) {
        assert_eq!(theirs, generic.trim_end());
    }
}

/// Resources of the context that a module does not use have no effect.
#[test]
fn other_modules_of_the_context() {
    let mut context = context();
    let text = "%0 = arith.constant dense_resource<x> : tensor<1xi32>\n\
         {-# dialect_resources: { builtin: { x: \"0x0400000001000000\" } } #-}";
    let mut parse = || parse_module(&mut context, text.as_bytes(), &ParseOptions::default());
    let (first, second) = (parse().unwrap(), parse().unwrap());
    let print = |module| module_to_string(&context, module, &PrintOptions::default()).unwrap();
    assert_eq!(print(&first), print(&second));
}

/// A resource that no attribute names survives with its alignment in each form; only upstream's
/// bytecode with `lossy` drops it, as upstream does.
#[test]
fn resources_without_references_survive() {
    let text = "\"t.a\"() {a = dense_resource<used> : tensor<4xi8>} : () -> ()\n\
                {-# dialect_resources: { builtin: { used: \"0x0400000001020304\", \
                unused: \"0x400000000506\", other: \"0x0010000007\" } } #-}";
    let mut first = context();
    let module = parse_module(&mut first, text.as_bytes(), &ParseOptions::default()).unwrap();
    let alignments = |context: &Context, module: &Module| -> Vec<(Vec<u8>, u32, Vec<u8>)> {
        let resources = module.provenance.resources.iter();
        let blobs = resources.map(|&resource| {
            let entry = context.resource(resource);
            let Some(ResourceValue::Blob(blob)) = &entry.value else {
                panic!("no blob");
            };
            let key = context.bytes(entry.key).to_vec();
            (key, blob.alignment(), blob.data().to_vec())
        });
        let mut blobs: Vec<_> = blobs.collect();
        blobs.sort();
        blobs
    };
    let expected = alignments(&first, &module);
    assert_eq!(expected.len(), 3);
    assert_eq!(expected[0].1, 0x1000);

    let mut other = context();
    let printed = module_to_string(&first, &module, &PrintOptions::default()).unwrap();
    let again = parse_module(&mut other, &printed, &ParseOptions::default()).unwrap();
    assert_eq!(alignments(&other, &again), expected);

    let mut other = context();
    let bytes = writer::rmbc::write_module(&first, &module, &writer::rmbc::WriteOptions::default());
    let again = rmbc::read_module(
        &mut other,
        &bytes.unwrap().into(),
        &rmbc::ReadOptions::default(),
    );
    assert_eq!(alignments(&other, &again.unwrap()), expected);

    let mut options = writer::mlirbc::WriteOptions::default();
    for lossy in [false, true] {
        options.lossy = lossy;
        let bytes = writer::mlirbc::write_module(&mut first, &module, &options).unwrap();
        let mut other = context();
        let again = mlirbc::read_module(&mut other, &bytes.into(), &mlirbc::ReadOptions::default());
        let found = alignments(&other, &again.unwrap());
        match lossy {
            false => assert_eq!(found, expected),
            true => assert_eq!(found, expected[2..]),
        }
    }
}

/// The bytecode with `lossy` is upstream's, whose alignment is not that of a dropped resource.
#[test]
fn bytecode_without_unreferenced_resources_is_that_of_upstream() {
    for alignment in ["01", "08", "20", "40"] {
        let text = format!(
            "module {{\n\"t.a\"() {{a = dense_resource<used> : tensor<4xi8>}} : () -> () loc(unknown)\n\
             }} loc(unknown)\n{{-# dialect_resources: {{ builtin: {{ \
             unused: \"0x{alignment}0000000506\", used: \"0x0800000001020304\", other: \"0x0010000007\" }} }} #-}}"
        );
        let mut context = context();
        let module = parse_module(&mut context, text.as_bytes(), &ParseOptions::default());
        let mut options = writer::mlirbc::WriteOptions::default();
        options.lossy = true;
        let bytes = writer::mlirbc::write_module(&mut context, &module.unwrap(), &options).unwrap();
        let program = Command::new("mlir-opt-22")
            .args(["--allow-unregistered-dialect", "--emit-bytecode", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut program) = program else {
            println!("SKIPPED: mlir-opt-22 is not installed");
            return;
        };
        let mut input = program.stdin.take().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        drop(input);
        let output = program.wait_with_output().unwrap();
        assert!(output.stdout == bytes, "alignment {alignment}");
    }
}
