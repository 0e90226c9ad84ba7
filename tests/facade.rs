//! Tests the facade as programs use it: every format, errors, views, edits, lazy files.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir::events::{OperationEvent, Visitor};
use rmlir::format::ProgressCounter;
use rmlir::ir::{OperationTraits, WalkResult};
use rmlir::{File, Form, Ir, ReadOptions, WriteOptions};
use std::path::PathBuf;

const MODEL: &str = include_str!("../examples/mlp.mlir");

/// A folder that is removed when it is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("rmlir-facade-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn every_form_is_saved_and_opened_by_name_and_content() {
    let folder = Scratch::new("forms");
    let mut ir = rmlir::parse(MODEL).unwrap();
    for (name, form) in [
        ("a.mlir", Form::Text),
        ("a.rmbc", Form::Rmbc),
        ("a.mlirbc", Form::Mlirbc),
    ] {
        let path = folder.path(name);
        ir.save(&path).unwrap();
        assert_eq!(Form::of_file(&path).unwrap(), form);
        // The content decides, not the extension.
        let other = folder.path("other.bin");
        std::fs::copy(&path, &other).unwrap();
        let read = rmlir::open(&other).unwrap();
        assert!(read.semantic_eq(&ir), "{name}");
        assert_eq!(read.fingerprint(), ir.fingerprint());
        assert_eq!(read.to_string(), ir.to_string());
    }
    let error = ir.save(folder.path("a.bin")).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("expected .mlir, .rmbc or .mlirbc"),
        "{error}"
    );
    let mut options = WriteOptions::default();
    options.form = Some(Form::Rmbc);
    ir.save_with(folder.path("a.bin"), &options).unwrap();
    assert!(rmlir::open(folder.path("a.bin")).unwrap().semantic_eq(&ir));
}

#[test]
fn a_file_of_any_form_gives_one_symbol() {
    let folder = Scratch::new("lazy");
    let mut ir = rmlir::parse(MODEL).unwrap();
    for name in ["a.mlir", "a.rmbc", "a.mlirbc"] {
        let path = folder.path(name);
        ir.save(&path).unwrap();
        let file = File::open(&path).unwrap();
        let paths: Vec<_> = file
            .symbols()
            .unwrap()
            .iter()
            .map(|s| s.path.to_string())
            .collect();
        assert_eq!(paths, ["@main", "@relu"], "{name}");
        let relu = file.symbol("@relu").unwrap().unwrap();
        let (alone, found) = file.read_symbol(&relu).unwrap();
        assert_eq!(alone.get(found).symbol_name().as_deref(), Some("relu"));
        assert!(alone.symbol("relu").is_some() && alone.symbol("main").is_none());
        let main = file.symbol("@main").unwrap().unwrap();
        let both = file.read_with_references(&[main]).unwrap();
        assert!(both.symbol("relu").is_some());
        assert!(file.read_all().unwrap().semantic_eq(&ir));
        assert!(file.symbol("@nothing").unwrap().is_none());
        assert!(file.symbol("nothing").is_err());
    }
}

#[test]
fn errors_say_what_kind_they_are() {
    let syntax = rmlir::parse("module {").unwrap_err();
    assert!(syntax.is_syntax() && !syntax.is_io());
    assert_eq!(syntax.diagnostics().count(), 1);

    let missing = rmlir::open("no/such/file.mlir").unwrap_err();
    assert!(missing.is_io());
    assert_eq!(missing.io_kind(), Some(std::io::ErrorKind::NotFound));
    assert!(missing.to_string().contains("no/such/file.mlir"));

    let mut ir = rmlir::parse(MODEL).unwrap();
    let mut bytes = ir.to_bytes(Form::Rmbc, &WriteOptions::default()).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    let mut options = ReadOptions::default();
    options.file_name = "x.rmbc".to_owned();
    let corrupt = rmlir::read_with(bytes, &options).unwrap_err();
    assert!(corrupt.is_corrupt(), "{corrupt}");
    assert!(corrupt.to_string().starts_with("x.rmbc: "), "{corrupt}");

    let mut options = WriteOptions::default();
    options.text.max_output = 10;
    assert!(ir.to_text(&options).unwrap_err().is_limit());

    // Errors of the other crates convert to the facade's.
    fn definition() -> rmlir::Result<()> {
        rmlir::ir::DialectDefinition::parse("dialect", &())?;
        Ok(())
    }
    assert!(!definition().unwrap_err().to_string().is_empty());
    fn release() -> rmlir::Result<()> {
        "gcc-3".parse::<rmlir::ir::definition::Release>()?;
        Ok(())
    }
    assert!(release().unwrap_err().to_string().contains("llvm-22"));
}

#[test]
fn diagnostics_of_the_verifier_quote_the_text() {
    let text = "func.func @f(%x: i32) -> i32 {\n  %y = \"arith.addi\"(%x) : (i32) -> i32\n  return %y : i32\n}";
    let mut options = ReadOptions::default();
    options.verify = true;
    options.file_name = "f.mlir".to_owned();
    let error = rmlir::parse_with(text, &options).unwrap_err();
    assert!(error.is_invalid());
    let first = error.diagnostics().next().unwrap();
    assert_eq!(
        (first.file.as_str(), first.line, first.column),
        ("f.mlir", 2, 8)
    );
    assert_eq!(
        first.source_line,
        "  %y = \"arith.addi\"(%x) : (i32) -> i32"
    );
    // Bytecode contains the location but not the text.
    let mut ir = rmlir::parse_with(text, &ReadOptions::default()).unwrap();
    let bytes = ir.to_bytes(Form::Rmbc, &WriteOptions::default()).unwrap();
    let error = rmlir::read(bytes).unwrap().verify().unwrap_err();
    let first = error.diagnostics().next().unwrap();
    assert_eq!((first.line, first.column), (2, 8));
    assert!(first.source_line.is_empty());
}

#[test]
fn a_piece_of_a_text_keeps_its_location_in_the_file() {
    let mut options = ReadOptions::default();
    (options.lines_before, options.columns_before) = (10, 4);
    let error = rmlir::parse_with("  \"a.b\"(%x) : (i32) -> ()", &options).unwrap_err();
    let first = error.diagnostics().next().unwrap();
    assert_eq!((first.line, first.column), (11, 13));
}

#[test]
fn texts_that_need_not_verify_are_read_when_asked() {
    // An inherent attribute of a type that its definition refuses.
    let text = "\"arith.constant\"() {value = 1 : i32, fastmath} : () -> f32\n\
                \"arith.addf\"() {fastmath = 1 : i32} : () -> ()";
    let mut options = ReadOptions::default();
    assert!(rmlir::parse_with(text, &options).unwrap_err().is_syntax());
    options.check_text = false;
    assert!(rmlir::parse_with(text, &options).is_ok());
}

#[test]
fn files_tell_their_form_and_statistics() {
    let mut ir = rmlir::parse(MODEL).unwrap();
    for form in [Form::Text, Form::Rmbc, Form::Mlirbc] {
        let bytes = ir.to_bytes(form, &WriteOptions::default()).unwrap();
        let len = bytes.len() as u64;
        let file = File::from_bytes(bytes, &ReadOptions::default()).unwrap();
        assert_eq!(file.form(), form);
        assert_eq!(file.as_rmbc().is_some(), form == Form::Rmbc);
        assert_eq!(file.as_mlirbc().is_some(), form == Form::Mlirbc);
        assert_eq!(file.undecided().unwrap(), 0);
        let sections = file.sections().unwrap();
        assert_eq!(sections.is_empty(), form == Form::Text);
        assert!(sections.iter().map(|(_, bytes)| bytes).sum::<u64>() <= len);
        let mut context = ReadOptions::default().context();
        let survey = file.survey(&mut context).unwrap();
        let operations: u64 = survey.operations.iter().map(|(_, count)| count).sum();
        assert_eq!(operations, ir.ops().count() as u64);
        assert_eq!(survey.contents.symbols, file.symbols().unwrap().len());
        let mut texts = Vec::new();
        file.texts(&mut |text| texts.extend_from_slice(text))
            .unwrap();
        assert!(texts.windows(3).any(|text| text == b"mlp"));
    }
}

#[test]
fn definitions_are_read_from_files() {
    let scratch = Scratch::new("definitions");
    let path = scratch.0.join("toy.dialect");
    std::fs::write(&path, "dialect toy\nop answer() -> I32\n").unwrap();
    let read = rmlir::dialects::open_definitions(&path).unwrap();
    assert_eq!(read.len(), 1);
    let mut options = ReadOptions::default();
    options.dialects.extend(read.into_iter().map(Into::into));
    options.verify = true;
    assert!(rmlir::parse_with("\"toy.answer\"() : () -> i32", &options).is_ok());
    let error = rmlir::parse_with("\"toy.answer\"() : () -> f32", &options).unwrap_err();
    assert!(error.is_invalid(), "{error}");

    let source = b"dialect toy\nnonsense".to_vec().into();
    let error = rmlir::dialects::read_definitions(&source, "bad.dialect").unwrap_err();
    let first = error.diagnostics().next().unwrap();
    assert_eq!((first.file.as_str(), first.line), ("bad.dialect", 2));

    let irdl = b"irdl.dialect @toy { irdl.operation @answer {} }"
        .to_vec()
        .into();
    let read = rmlir::dialects::read_definitions(&irdl, "toy.mlir");
    assert_eq!(read.is_ok(), cfg!(feature = "import"));
    match read {
        Ok(read) => assert_eq!(read[0].name, "toy"),
        Err(error) => assert!(error.to_string().contains("feature 'import'"), "{error}"),
    }
}

#[test]
fn views_show_the_parts_of_operations() {
    let ir = rmlir::parse(
        "func.func @f(%m: memref<4x4xi32>, %i: index) -> i32 {
           %c = arith.constant 7 : i32
           %x = memref.load %m[%i, %i] : memref<4x4xi32>
           %y = arith.addi %x, %c : i32
           return %y : i32
         }",
    )
    .unwrap();
    let function = ir.symbol("f").unwrap();
    assert_eq!(function.dialect(), "func");
    assert!(function.has_traits(OperationTraits::ISOLATED_FROM_ABOVE));
    assert_eq!(function.body_arguments().count(), 2);
    assert_eq!(function.children().count(), 4);
    let load = ir.ops().find(|op| op.is("memref.load")).unwrap();
    let arguments: Vec<_> = function.body_arguments().collect();
    assert_eq!(load.named_operand("memref"), Some(arguments[0]));
    let indices: Vec<_> = load.operand_group("indices").unwrap().collect();
    assert_eq!(indices, [arguments[1]; 2]);
    assert!(load.operand_group("nothing").is_none());
    let add = ir.ops().find(|op| op.is("arith.addi")).unwrap();
    assert_eq!(add.named_operand("lhs"), load.result(0));
    let constant = add.defining_op(add.operand(1).unwrap()).unwrap();
    let value = constant.constant_value().unwrap();
    assert_eq!(ir.context().integer_value(value), Some(7));
    assert!(add.constant_value().is_none());
    assert_eq!(
        load.users().map(|op| op.id()).collect::<Vec<_>>(),
        [add.id()]
    );
    assert_eq!(add.ancestors().count(), 2);
    assert_eq!(add.parent(), Some(function));
    let position = ir.context().file_line_col(add.location()).unwrap();
    assert_eq!((position.line, position.column), (4, 17));
}

#[test]
fn edits_take_handles() {
    let mut ir = rmlir::parse(
        "func.func @f(%x: i32, %unused: i32) -> i32 {
           %y = arith.addi %x, %x : i32
           %z = arith.muli %y, %y : i32
           return %z : i32
         }",
    )
    .unwrap();
    let id = |ir: &Ir, name: &str| ir.ops().find(|op| op.is(name)).unwrap().id();
    let (add, mul, ret) = (
        id(&ir, "arith.addi"),
        id(&ir, "arith.muli"),
        id(&ir, "func.return"),
    );
    let mut edit = ir.edit();
    let (sum, product) = (
        edit.op(add).result(0).unwrap(),
        edit.op(mul).result(0).unwrap(),
    );
    edit.replace_uses_if(sum, product, |user, number| {
        user.is("arith.muli") && number == 5
    });
    assert_eq!(edit.op(mul).operand(0), Some(sum));
    let note = edit.attr("\"hot\"").unwrap();
    edit.set_attr(mul, "test.note", note).unwrap();
    edit.remove_attr(mul, "test.note").unwrap();
    edit.remove_attr(mul, "test.note").unwrap();
    // An attribute that the definition knows is inherent.
    let flags = edit.attr("#arith.overflow<nsw>").unwrap();
    edit.set_attr(add, "overflowFlags", flags).unwrap();
    assert!(edit.op(add).attr("overflowFlags").is_some());
    assert!(
        edit.module
            .discardable_attributes(edit.context, add)
            .is_empty()
    );
    assert!(edit.erase(add).is_err());
    edit.replace_op(mul, &[sum]).unwrap();
    let block = edit.op(ret).block().unwrap();
    edit.erase_argument(block, 1).unwrap();
    let function = edit.op(ret).parent().unwrap().id();
    let ty = edit.attr("(i32) -> i32").unwrap();
    edit.set_attr(function, "function_type", ty).unwrap();
    assert_eq!(
        ir.to_string(),
        "module {\n  func.func @f(%arg0: i32) -> i32 {\n    %0 = arith.addi %arg0, %arg0 overflow<nsw> : i32\n    return %0 : i32\n  }\n}\n"
    );
}

/// The front page of the documentation shows five tasks, each in a few lines.
#[test]
fn five_tasks_take_a_few_lines() {
    let page = include_str!("../src/lib.rs");
    let tasks = page.split("# Five tasks").nth(1).unwrap();
    let tasks = tasks.split("# Dialects of your own").next().unwrap();
    let lengths: Vec<usize> = tasks
        .split("//! ```")
        .skip(1)
        .step_by(2)
        .map(|block| {
            let lines = block.lines().skip(1);
            let shown = |line: &&str| line.starts_with("//! ") && !line.starts_with("//! #");
            lines.filter(shown).count()
        })
        .collect();
    assert_eq!(lengths, [4, 2, 11, 6, 3]);
}

#[test]
fn traits_and_interfaces_are_known_by_name() {
    let text = "
      func.func @f(%n: index, %m: memref<4xi32>) -> i32 {
        %c = arith.constant 1 : i32
        %sum = arith.addi %c, %c : i32
        %unused = scf.for %i = %n to %n step %n iter_args(%a = %c) -> i32 {
          %next = arith.muli %a, %c : i32
          scf.yield %next : i32
        }
        scf.for %i = %n to %n step %n {
          memref.store %c, %m[%i] : memref<4xi32>
        }
        %x = \"other.thing\"() : () -> i32
        return %sum : i32
      }";
    let mut options = ReadOptions::default();
    options.allow_unknown = true;
    let ir = rmlir::parse_with(text, &options).unwrap();
    let find = |name: &str| ir.ops().filter(|op| op.is(name)).collect::<Vec<_>>();
    let add = find("arith.addi")[0];
    for name in [
        "Pure",
        "NoMemoryEffect",
        "IsCommutative",
        "SameOperandsAndResultType",
    ] {
        assert!(add.has_trait(name), "{name}");
        assert!(!add.has_interface(name), "{name}");
    }
    for name in [
        "MemoryEffectOpInterface",
        "ConditionallySpeculatable",
        "InferIntRangeInterface",
    ] {
        assert!(add.has_interface(name) && add.has_trait(name), "{name}");
    }
    assert!(!add.has_trait("IsTerminator") && add.is_pure() && !add.is_trivially_dead());
    let function = find("func.func")[0];
    assert!(function.has_interface("SymbolOpInterface"));
    assert!(!function.is_trivially_dead());
    let [pure, storing] = find("scf.for")[..] else {
        panic!("two loops")
    };
    assert!(pure.has_interface("RegionBranchOpInterface"));
    assert!(pure.is_memory_effect_free() && pure.is_trivially_dead());
    assert!(!storing.is_memory_effect_free() && !storing.is_trivially_dead());
    let constant = find("arith.constant")[0];
    assert!(constant.has_trait("ConstantLike") && constant.is_pure());
    assert!(find("func.return")[0].is_pure() && !find("func.return")[0].is_trivially_dead());
    let unknown = find("other.thing")[0];
    assert!(unknown.definition().is_none() && !unknown.has_trait("Pure") && !unknown.is_pure());
}

/// A visitor that records the counts of a visit.
struct Counts(ProgressCounter, Vec<u64>);

impl Visitor for Counts {
    fn operation(&mut self, _: &mut OperationEvent<'_>) -> rmlir::format::Result<WalkResult> {
        self.1.push(self.0.count());
        Ok(WalkResult::Advance)
    }
}

#[test]
fn progress_is_that_of_the_bytes_and_operations() {
    let function =
        |n| format!("func.func @f{n}() {{\n  %0 = arith.constant {n} : i32\n  return\n}}\n");
    let text: String = (0..3000).map(function).collect();
    let mut ir = rmlir::parse(&text).unwrap();
    let mut compressed = WriteOptions::default();
    compressed.rmbc.compression = Some(1);
    let plain = WriteOptions::default();
    let files = [
        ir.to_text(&plain).unwrap().into_bytes(),
        ir.to_bytes(Form::Rmbc, &plain).unwrap(),
        ir.to_bytes(Form::Rmbc, &compressed).unwrap(),
        ir.to_bytes(Form::Mlirbc, &plain).unwrap(),
    ];
    for bytes in files {
        for threads in [1, 2] {
            let mut options = ReadOptions::default();
            options.threads = rmlir::Threads::new(threads);
            options.progress = ProgressCounter::new();
            let mut read = rmlir::read_with(bytes.clone(), &options).unwrap();
            let len = bytes.len() as u64;
            assert_eq!(options.progress.count(), len);
            let mut verify = options.verify_options();
            verify.progress = ProgressCounter::new();
            read.verify_with(&verify).unwrap();
            let operations = read.ops().count() as u64;
            assert_eq!(verify.progress.count(), operations);
            let mut print = WriteOptions::default();
            print.text.threads = options.threads;
            print.text.progress = ProgressCounter::new();
            read.to_text(&print).unwrap();
            assert_eq!(print.text.progress.count(), operations);
        }
        if Form::of(&bytes) == Form::Text {
            continue;
        }
        let mut options = ReadOptions::default();
        options.progress = ProgressCounter::new();
        let file = File::from_bytes(bytes.clone(), &options).unwrap();
        let mut counts = Counts(options.progress.clone(), Vec::new());
        file.visit(&mut options.context(), &mut counts).unwrap();
        let len = bytes.len() as u64;
        assert_eq!(options.progress.count(), len);
        // The count grows roughly in proportion.
        assert!(counts.1.is_sorted());
        let middle = counts.1[counts.1.len() / 2];
        assert!(
            (len / 4..len / 4 * 3).contains(&middle),
            "{middle} of {len}"
        );
    }
}
