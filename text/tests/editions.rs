//! Tests texts of older editions: what they become, what has no equivalent, and the note that names
//! the edition.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use rmlir_ir::{Context, Module, VerifyOptions, verify};

use rmlir_text::{
    Diagnostics, Edition, ParseOptions, PrintOptions, Span, SpanKind, module_to_string,
    parse_module, parse_module_with_spans,
};

fn context() -> Context {
    let mut context = Context::new();
    rmlir_dialects::register_all(&mut context);
    context
}

fn options(edition: Edition) -> ParseOptions {
    let mut options = ParseOptions::for_file("old.mlir");
    options.edition = edition;
    options
}

fn parse(text: &str, edition: Edition) -> (Context, Result<Module, Diagnostics>) {
    let mut context = context();
    let module = parse_module(&mut context, text.as_bytes(), &options(edition));
    (context, module)
}

/// Returns the text of today, which must be valid.
#[track_caller]
fn today(text: &str, edition: Edition) -> String {
    let (context, module) = parse(text, edition);
    let module = module.unwrap_or_else(|errors| panic!("{text}\n{errors}"));
    verify(&context, &module, module.top(), &VerifyOptions::default())
        .unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    let printed = module_to_string(&context, &module, &PrintOptions::default());
    String::from_utf8(printed.unwrap()).unwrap()
}

/// Checks what a text becomes, and that today's edition does not read it.
#[track_caller]
fn check(edition: Edition, text: &str, expected: &str) {
    let printed = today(text, edition);
    let inside = printed
        .strip_prefix("module {\n")
        .and_then(|inside| inside.trim_end().strip_suffix("\n}"));
    let lines = inside.unwrap_or(&printed).trim_end().lines();
    let lines = lines.map(|line| {
        line.strip_prefix("  ")
            .filter(|_| inside.is_some())
            .unwrap_or(line)
    });
    let printed = lines.collect::<Vec<_>>().join("\n");
    assert_eq!(printed.trim_end(), expected.trim(), "\n{printed}");
    assert!(parse(text, Edition::Current).1.is_err(), "{text}");
}

/// Returns the first error of a text, with its line and column.
#[track_caller]
fn error(edition: Edition, text: &str) -> String {
    let errors = parse(text, edition).1.map(drop).unwrap_err();
    let first = errors.iter().next().unwrap();
    format!("{}:{}: {}", first.line, first.column, first.message)
}

/// Returns the notes of the errors of a text.
fn notes(edition: Edition, text: &str) -> Vec<String> {
    let errors = parse(text, edition).1.map(drop).unwrap_err();
    let notes = errors.iter().flat_map(|error| &error.notes);
    notes.map(|note| note.message.clone()).collect()
}

#[test]
fn functions_and_branches() {
    check(
        Edition::V2018,
        "func @abort()
func @simple(i64, i1) -> i64 {
^bb0(%a: i64, %cond: i1):
  br_cond %cond, ^bb1, ^bb2
^bb1:
  br ^bb3(%a: i64)
^bb2:
  %b = addi %a, %a : i64
  br ^bb3(%b: i64)
^bb3(%c: i64):
  return %c : i64
}",
        "
func.func private @abort()
func.func @simple(%arg0: i64, %arg1: i1) -> i64 {
  cf.cond_br %arg1, ^bb1, ^bb2
^bb1:  // pred: ^bb0
  cf.br ^bb3(%arg0 : i64)
^bb2:  // pred: ^bb0
  %0 = arith.addi %arg0, %arg0 : i64
  cf.br ^bb3(%0 : i64)
^bb3(%1: i64):  // 2 preds: ^bb1, ^bb2
  return %1 : i64
}",
    );
}

#[test]
fn generic_form_of_2021() {
    let text = "\"builtin.func\"() ({
^bb0(%arg0: i32):
  \"std.return\"(%arg0) : (i32) -> ()
}) {sym_name = \"f\", type = (i32) -> i32} : () -> ()";
    let expected = "module {
  func.func @f(%arg0: i32) -> i32 {
    return %arg0 : i32
  }
}
";
    assert_eq!(today(text, Edition::V2021).trim_end(), expected.trim_end());
}

#[test]
fn standard_operations() {
    check(
        Edition::V2021,
        "func @std(%a: i32, %f: f32, %i: index, %m: memref<8x16xf32>, %b: memref<2048xi8>, %t: tensor<8x16xf32>, %c: complex<f32>) {
  %0 = sexti %a : i32 to i64
  %1 = index_cast %a : i32 to index
  %2 = cmpf \"olt\", %f, %f : f32
  %3 = cmpi slt, %a, %a : i32
  %4 = fpext %f : f32 to f64
  %5 = and %a, %a : i32
  %6 = shift_left %a, %a : i32
  %7 = sqrt %f : f32
  %8 = subview %m[0, %i][4, 4][1, 1] : memref<8x16xf32> to memref<4x4xf32, offset: ?, strides: [16, 1]>
  %9 = view %b[%i][] : memref<2048xi8> to memref<64x4xf32>
  %10 = subtensor %t[%i, 0][4, 4][1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  %11 = tensor_from_elements %i, %i : tensor<2xindex>
  %12 = rank %t : tensor<8x16xf32>
  %13 = re %c : complex<f32>
  %14 = alloca() : memref<4xf32>
  %15 = splat %f : tensor<4xf32>
  %16 = dynamic_tensor_from_elements %i {
  ^bb0(%k : index):
    tensor.yield %f : f32
  } : tensor<?xf32>
  %17 = divi_signed %a, %a : i32
  %18 = select %3, %a, %a : i32
  assert %3, \"msg\"
  loop.for %k = %i to %i step %i {
    %19 = addf %f, %f : f32
    loop.yield
  }
  %20 = constant dense<1> : tensor<2xi32>
  %21 = constant true
  prefetch %m[%i, %i], read, locality<3>, data : memref<8x16xf32>
  %22 = negf %f : f32
  return
}",
        "
func.func @std(%arg0: i32, %arg1: f32, %arg2: index, %arg3: memref<8x16xf32>, %arg4: memref<2048xi8>, %arg5: tensor<8x16xf32>, %arg6: complex<f32>) {
  %0 = arith.extsi %arg0 : i32 to i64
  %1 = arith.index_cast %arg0 : i32 to index
  %2 = arith.cmpf olt, %arg1, %arg1 : f32
  %3 = arith.cmpi slt, %arg0, %arg0 : i32
  %4 = arith.extf %arg1 : f32 to f64
  %5 = arith.andi %arg0, %arg0 : i32
  %6 = arith.shli %arg0, %arg0 : i32
  %7 = math.sqrt %arg1 : f32
  %subview = memref.subview %arg3[0, %arg2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
  %view = memref.view %arg4[%arg2][] : memref<2048xi8> to memref<64x4xf32>
  %extracted_slice = tensor.extract_slice %arg5[%arg2, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  %from_elements = tensor.from_elements %arg2, %arg2 : tensor<2xindex>
  %rank = tensor.rank %arg5 : tensor<8x16xf32>
  %8 = complex.re %arg6 : complex<f32>
  %alloca = memref.alloca() : memref<4xf32>
  %splat = tensor.splat %arg1 : tensor<4xf32>
  %generated = tensor.generate %arg2 {
  ^bb0(%arg7: index):
    tensor.yield %arg1 : f32
  } : tensor<?xf32>
  %9 = arith.divsi %arg0, %arg0 : i32
  %10 = arith.select %3, %arg0, %arg0 : i32
  cf.assert %3, \"msg\"
  scf.for %arg7 = %arg2 to %arg2 step %arg2 {
    %12 = arith.addf %arg1, %arg1 : f32
  }
  %cst = arith.constant dense<1> : tensor<2xi32>
  %true = arith.constant true
  memref.prefetch %arg3[%arg2, %arg2], read, locality<3>, data : memref<8x16xf32>
  %11 = arith.negf %arg1 : f32
  return
}",
    );
}

#[test]
fn sizes_of_groups() {
    let text = "func @f(%c: i1, %n: index) {
  %0 = \"memref.alloc\"(%n) {operand_segment_sizes = dense<[1, 0]> : vector<2xi32>} : (index) -> memref<?xf32>
  \"std.cond_br\"(%c, %n, %n)[^a, ^a] {operand_segment_sizes = dense<1> : vector<3xi32>} : (i1, index, index) -> ()
^a(%i: index):
  return
}";
    let expected = "
func.func @f(%arg0: i1, %arg1: index) {
  %alloc = memref.alloc(%arg1) : memref<?xf32>
  cf.cond_br %arg0, ^bb1(%arg1 : index), ^bb1(%arg1 : index)
^bb1(%0: index):  // 2 preds: ^bb0, ^bb0
  return
}";
    check(Edition::V2021, text, expected);
}

#[test]
fn memory() {
    check(
        Edition::V2018,
        "func @f(%A: memref<4x?xf32>, %t: tensor<4x?xf32>, %i: index) {
  %n = dim %A, 1 : memref<4x?xf32>
  %m = \"dim\"(%t) {index: 1} : (tensor<4x?xf32>) -> index
  %v = load %A[%i, 3] : memref<4x?xf32>
  store %v, %A[3, %i] : memref<4x?xf32>
  store 0 to %A[%i, %i] : memref<4x?xf32>
  %x = alloc(%n) : memref<?xf32>
  %y = alloc memref<?xf32>(%m)
  %z = alloc <4x?xf32>(%m)
  tensor_store %t, %A : memref<4x?xf32>
  %l = tensor_load %A : memref<4x?xf32>
  %c = memref_cast %x : memref<?xf32> to memref<4xf32>
  dealloc %y : memref<?xf32>
  return
}",
        "
func.func @f(%arg0: memref<4x?xf32>, %arg1: tensor<4x?xf32>, %arg2: index) {
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c1 : memref<4x?xf32>
  %c1_0 = arith.constant 1 : index
  %dim_1 = tensor.dim %arg1, %c1_0 : tensor<4x?xf32>
  %c3 = arith.constant 3 : index
  %0 = memref.load %arg0[%arg2, %c3] : memref<4x?xf32>
  %c3_2 = arith.constant 3 : index
  memref.store %0, %arg0[%c3_2, %arg2] : memref<4x?xf32>
  %cst = arith.constant 0.000000e+00 : f32
  memref.store %cst, %arg0[%arg2, %arg2] : memref<4x?xf32>
  %alloc = memref.alloc(%dim) : memref<?xf32>
  %alloc_3 = memref.alloc(%dim_1) : memref<?xf32>
  %alloc_4 = memref.alloc(%dim_1) : memref<4x?xf32>
  bufferization.materialize_in_destination %arg1 in writable %arg0 : (tensor<4x?xf32>, memref<4x?xf32>) -> ()
  %1 = bufferization.to_tensor %arg0 : memref<4x?xf32> to tensor<4x?xf32>
  %cast = memref.cast %alloc : memref<?xf32> to memref<4xf32>
  memref.dealloc %alloc_3 : memref<?xf32>
  return
}",
    );
}

#[test]
fn elements_and_constants() {
    check(
        Edition::V2018,
        "func @f(%v: vector<4x4xi32>, %t: tensor<4x4xi32>, %u: tensor<*xi32>, %i: index) {
  %0 = constant 42 : i32
  %1 = constant @f : (vector<4x4xi32>, tensor<4x4xi32>, tensor<*xi32>, index) -> ()
  %2 = \"constant\"() {value: 7} : () -> i8
  %3 = extract_element %v[%i, %i] : vector<4x4xi32>
  %4 = extract_element %t[%i, 1] : tensor<4x4xi32>
  %5 = extract_element %u[%i, %i] : tensor<*xi32>
  return
}",
        "
func.func @f(%arg0: vector<4x4xi32>, %arg1: tensor<4x4xi32>, %arg2: tensor<*xi32>, %arg3: index) {
  %c42_i32 = arith.constant 42 : i32
  %f = constant @f : (vector<4x4xi32>, tensor<4x4xi32>, tensor<*xi32>, index) -> ()
  %c7_i8 = arith.constant 7 : i8
  %0 = vector.extract %arg0[%arg3, %arg3] : i32 from vector<4x4xi32>
  %c1 = arith.constant 1 : index
  %extracted = tensor.extract %arg1[%arg3, %c1] : tensor<4x4xi32>
  %cast = tensor.cast %arg2 : tensor<*xi32> to tensor<?x?xi32>
  %extracted_0 = tensor.extract %cast[%arg3, %arg3] : tensor<?x?xi32>
  return
}",
    );
}

#[test]
fn loops_and_conditions() {
    check(
        Edition::V2018,
        "#set = (d0)[s0] : (d0 - s0 >= 0)
func @g(index, index)
func @f(%n: index) {
  for %i = 0 to %n step 2 {
    %0 = affine_apply (d0)[s0] -> (d0 + s0, d0 - 1)(%i)[%n]
    if #set(%i)[%n] {
      call @g(%0#0, %0#1) : (index, index) -> ()
    } else if (d0) : (d0 == 0)(%i) {
    } else {
      \"t.x\"() : () -> ()
    }
    if #set(%i)[%n] {
      if #set(%i)[%n] {
      }
    }
  }
  return
}",
        "
#map = affine_map<(d0)[s0] -> (d0 + s0)>
#map1 = affine_map<(d0)[s0] -> (d0 - 1)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
#set1 = affine_set<(d0) : (d0 == 0)>
module {
  func.func private @g(index, index)
  func.func @f(%arg0: index) {
    affine.for %arg1 = 0 to %arg0 step 2 {
      %0 = affine.apply #map(%arg1)[%arg0]
      %1 = affine.apply #map1(%arg1)[%arg0]
      affine.if #set(%arg1)[%arg0] {
        func.call @g(%0, %1) : (index, index) -> ()
      } else {
        affine.if #set1(%arg1) {
        } else {
          \"t.x\"() : () -> ()
        }
      }
      affine.if #set(%arg1)[%arg0] {
        affine.if #set(%arg1)[%arg0] {
        }
      }
    }
    return
  }
}",
    );
}

#[test]
fn attributes_and_types() {
    check(
        Edition::V2018,
        "#fd = (d0)[s0] -> (d0 + floordiv(s0, 2), ceildiv(d0, 4) * 2)
#set42 = (d0, d1)[s0, s1] : d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0
!avx.m128 = type vector<4 x f32>
\"t.a\"() {a: #fd, b: #set42, f: (i32) -> i32, g: @foo : (i32) -> i32, h: [@a : () -> (), 1], i} : () -> ()
%q = \"t.b\"() : () -> !avx.m128
\"foo\"(%q) : vector<4 x f32> -> ()
\"t.c\"() {a: memref<16x32xf32, (i, j) -> (j, i), hbm>} : () -> ()
\"t.d\"() {a = splat<tensor<4xf32>, 1.0>, b = dense<tensor<2xi32>, [1, 2]>, c = sparse<tensor<4xi32>, [[1]], [3]>} : () -> ()",
        "
#map = affine_map<(d0)[s0] -> (d0 + s0 floordiv 2, (d0 ceildiv 4) * 2)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
#set = affine_set<(d0, d1)[s0, s1] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0)>
module {
  \"t.a\"() {a = #map, b = #set, f = (i32) -> i32, g = @foo, h = [@a, 1], i} : () -> ()
  %0 = \"t.b\"() : () -> vector<4xf32>
  \"foo\"(%0) : (vector<4xf32>) -> ()
  \"t.c\"() {a = memref<16x32xf32, #map1, \"hbm\">} : () -> ()
  \"t.d\"() {a = dense<1.000000e+00> : tensor<4xf32>, b = dense<[1, 2]> : tensor<2xi32>, c = sparse<1, 3> : tensor<4xi32>} : () -> ()
}",
    );
    check(
        Edition::V2021,
        "#i = affine_map<(d0, d1) -> (d0 + 1, d1)>
#l = affine_map<(d0, d1) -> (d1, d0)>
\"t.a\"() {a = memref<16x32xf32, #i, #l, 3>, b = memref<42x16xf32, offset: 33, strides: [1, ?]>, c = opaque<\"pdl\", \"value\">, d = !llvm<\"i32*\">} : () -> () loc(?)",
        "
#map = affine_map<(d0, d1) -> (d1, d0 + 1)>
module {
  \"t.a\"() {a = memref<16x32xf32, #map, 3>, b = memref<42x16xf32, strided<[1, ?], offset: 33>>, c = !pdl.value, d = !llvm.ptr} : () -> ()
}",
    );
}

#[test]
fn labels_and_successors() {
    check(
        Edition::V2018,
        "cfgfunc @c(i32, i1) -> i32 {
bb0(%a: i32, %c: i1):
  cond_br %c, bb1(%a : i32), bb2
bb1(%x: i32):
  \"br\"()[bb2] : () -> ()
bb2:
  \"cond_br\"(%c)[bb2, bb3(%a : i32)] : (i1) -> ()
bb3(%r: i32):
  return %r : i32
}
extfunc @e(i32)
mlfunc @m(%a: i32) {
  return
}",
        "
func.func @c(%arg0: i32, %arg1: i1) -> i32 {
  cf.cond_br %arg1, ^bb1(%arg0 : i32), ^bb2
^bb1(%0: i32):  // pred: ^bb0
  cf.br ^bb2
^bb2:  // 3 preds: ^bb0, ^bb1, ^bb2
  cf.cond_br %arg1, ^bb2, ^bb3(%arg0 : i32)
^bb3(%1: i32):  // pred: ^bb2
  return %1 : i32
}
func.func private @e(i32)
func.func @m(%arg0: i32) {
  return
}",
    );
}

#[test]
fn without_successor() {
    for (text, message) in [
        (
            "#m = (d0) -> (d0) size (10)",
            "1:19: the sizes of an affine map have no successor; remove 'size (...)'",
        ),
        (
            "func @f() {\n  %A = alloc_static(0x1232a00) : memref<4xf32>\n  return\n}",
            "2:8: 'alloc_static' of edition 2018: an allocation at a fixed address has no successor; \
             use memref.alloc, or memref.global",
        ),
        (
            "\"t.x\"() {a = opaque<\"foo\", \"0xDEADBEEF\"> : tensor<10xi32>} : () -> ()",
            "1:14: opaque elements have no successor; use dense<...> or dense_resource<...>",
        ),
        (
            "\"t.x\"() {a = !llvm<\"[4 i32]\">} : () -> ()",
            "1:20: '[4 i32]' is not a type of LLVM IR that has a conversion; spell it as a type of \
             today's LLVM dialect, such as !llvm.ptr, !llvm.struct<(i32, f32)> or \
             !llvm.array<4 x i32>",
        ),
        (
            "func @f(%x: i32) {\n  %n = \"dim\"(%x) {index: 0} : (i32) -> index\n  return\n}",
            "2:8: in edition 2018: expected a memref or a tensor",
        ),
        (
            "func @f(%m: memref<4xi32>) {\n  store 1.5 to %m[0] : memref<4xi32>\n  return\n}",
            "2:3: in edition 2018: the literal is not a number of the element type",
        ),
    ] {
        assert_eq!(error(Edition::V2018, text), message);
    }
}

#[test]
fn editions_have_their_constructs_only() {
    let branch = "func @f() {\n  br ^a\n^a:\n  return\n}";
    assert!(parse(branch, Edition::V2021).1.is_ok());
    assert!(parse(branch, Edition::V2022).1.is_err());
    let map = "#m = (d0) -> (d0)";
    assert!(parse(map, Edition::V2018).1.is_ok());
    assert!(parse(map, Edition::V2021).1.is_err());
    // The constructs of today belong to all editions, and so do the operations of other dialects.
    let new = "func.func @f(%x: memref<4xf32, strided<[1]>>) { return }
        async.func @g() -> !async.token { affine.for %i = 0 to 4 { func.call @h() : () -> () } return }
        func.func private @h()";
    for &edition in Edition::ALL {
        assert!(parse(new, edition).1.is_ok(), "{edition}");
    }
}

#[test]
fn one_note_names_the_edition() {
    let note = |edition: &str| {
        vec![format!(
            "this looks like MLIR of {edition}: set the edition to read it (--edition {edition}, \
             ParseOptions::edition)"
        )]
    };
    let both = "func @f() {\n  return\n}\n\"t.x\"() {a: 1} : () -> ()\n";
    assert_eq!(notes(Edition::Current, both), note("2022"));
    let older = "func @f(%x: i32) {\n  %y = addi %x, %x : i32\n  return\n}\n";
    assert_eq!(notes(Edition::Current, older), note("2021"));
    assert_eq!(notes(Edition::V2022, older), note("2021"));
    let oldest = "func @f(%x: i32) {\n  %y = divis %x, %x : i32\n  return\n}\n";
    assert_eq!(notes(Edition::Current, oldest), note("2018"));
    assert_eq!(notes(Edition::Current, "#m = (d0) -> (d0)\n"), note("2018"));
    assert_eq!(notes(Edition::Current, "!t = type i32\n"), note("2022"));
    assert!(notes(Edition::Current, "\"t.x\"() {a = } : () -> ()").is_empty());
    assert_eq!(
        notes(Edition::Current, "func.func @f("),
        ["the text ends before this is closed"]
    );
}

#[test]
fn names_and_spans_are_those_of_the_text() {
    let text = "func @f(%m: memref<4xf32>, %n: index) {\n  %size = dim %m, 0 : memref<4xf32>\n  \
                %pair = affine_apply (d0) -> (d0, d0 + 1)(%n)\n  return\n}\n";
    let mut options = options(Edition::V2018);
    options.keep_names = true;
    let mut context = context();
    let module = parse_module(&mut context, text.as_bytes(), &options).unwrap();
    let names = module.provenance.value_names.iter();
    let names: Vec<_> = names
        .map(|(_, name)| context.str(name).into_owned())
        .collect();
    assert!(names.contains(&"size".to_owned()), "{names:?}");
    let (module, spans) = parse_module_with_spans(&mut context, text.as_bytes(), &options).unwrap();
    for Span { kind, .. } in spans {
        if let SpanKind::Operation(operation) = kind {
            assert!(!module.is_erased(operation));
        }
    }
}

/// Tests that no text of an older edition makes the parser panic: each prefix, and each text with a
/// byte changed.
#[test]
fn damaged_texts_are_errors() {
    let text = "#s = (d0)[s0] : d0 >= 0\n!a.b = type i32\nfunc @f(%m: memref<4x?xf32, (i, j) -> \
                (j, i), hbm>, %i: index) {\n  %n = dim %m, 1 : memref<4x?xf32, (i, j) -> (j, i), \
                hbm>\n  %p = affine_apply (d0) -> (floordiv(d0, 2), d0)(%i)\n  if #s(%i)[%n] {\n  } \
                else if #s(%p#0)[%n] {\n  } else {\n  }\n  %z = constant splat<tensor<4xi32>, 1>\n  \
                \"br\"()[bb1(%i : index)] : () -> ()\nbb1(%k: index):\n  return\n}\n";
    today(text, Edition::V2018);
    for end in 0..text.len() {
        drop(parse(&text[..end], Edition::V2018));
    }
    let mut context = context();
    for place in 0..text.len() {
        for byte in [b'(', b'<', b'"', b'}', b'0', b':'] {
            let mut bytes = text.as_bytes().to_vec();
            bytes[place] = byte;
            drop(parse_module(&mut context, &bytes, &options(Edition::V2018)));
        }
    }
}

/// Tests that nested constructs take no stack.
#[test]
fn deep_nesting() {
    let depth = 20_000;
    let text = format!(
        "func @f(%i: index) {{\n{}{}return\n}}\n",
        "if (d0) : (d0 >= 0)(%i) {\n} else if (d0) : (d0 >= 1)(%i) {\n".repeat(depth),
        "}\n".repeat(depth)
    );
    let (context, module) = parse(&text, Edition::V2018);
    let module = module.unwrap_or_else(|errors| panic!("{errors}"));
    let name = |operation| context.operation_name_bytes(module.name(operation));
    let operations = module.descendants(module.top());
    assert_eq!(
        operations.filter(|&o| name(o) == b"affine.if").count(),
        2 * depth
    );
    let chain = "else if (d0) : (d0 >= 1)(%i) {\n} ".repeat(depth);
    let text =
        format!("func @f(%i: index) {{\nif (d0) : (d0 >= 0)(%i) {{\n}} {chain}\nreturn\n}}\n");
    assert!(parse(&text, Edition::V2018).1.is_ok());
    let sums = format!(
        "#m = (d0) -> ({}d0{})",
        "floordiv(".repeat(depth),
        ", 2)".repeat(depth)
    );
    assert!(parse(&sums, Edition::V2018).1.is_ok());
}

/// Tests that short texts of older editions do not become large modules.
#[test]
fn expansion_is_limited() {
    let sum = |name: &str| {
        let terms = (2..40).map(|n| format!("({name} mod {n})"));
        terms.collect::<Vec<_>>().join(" + ")
    };
    let map = format!("(d0) -> ({})", sum("d0"));
    let text = format!(
        "#m = {map}\n\"t.x\"() {{a: memref<4xf32, #m, #m, #m, #m, #m, #m, #m, #m>}} : () -> ()"
    );
    let message = error(Edition::V2018, &text);
    assert!(
        message.ends_with("the composition of the maps is too long"),
        "{message}"
    );
    let names = |prefix: &str| {
        let names = (0..3000).map(|n| format!("{prefix}{n}"));
        names.collect::<Vec<_>>().join(", ")
    };
    let operands = vec!["%n"; 3000].join(", ");
    let text = format!(
        "func @f(%n: index) {{\n  %0 = affine_apply ({}) -> ({})({operands})\n  return\n}}\n",
        names("d"),
        names("d")
    );
    let mut options = options(Edition::V2018);
    options.max_shared_entities = 1 << 20;
    let errors = parse_module(&mut context(), text.as_bytes(), &options);
    let errors = errors.map(drop).unwrap_err().to_string();
    assert!(errors.contains("makes more entities"), "{errors}");
}
