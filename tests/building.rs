//! Tests operations built in code: a built module equals its own text, parsed again.

#![allow(
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir::ir::{
    Attribute, Builder, Context, DialectDefinition, EqualityOptions, FingerprintOptions, Invalid,
    Module, OperationState, Type, Value, VerifyOptions, fingerprint, semantic_difference, verify,
};
use rmlir::text::{
    ParseOptions, PrintOptions, message_to_string, module_to_string, parse_attribute, parse_module,
    parse_type,
};
use rmlir::writer::mlirbc;
use std::io::Write;
use std::process::{Command, Stdio};

type Built = Result<(), Invalid>;

const OWN: &str = "
dialect own
operations complete
enum Mode: i32
  cases slow, fast
attribute layout
  parameters kind: enum<Mode>, tile: uint = 8
  format `<` $kind (`,` $tile^)? `>`
op step(value: AnyType, a, b: variadic AnyType, last: optional AnyType) -> (first: AnyType, more, rest: variadic AnyType)
  traits AttrSizedOperandSegments, AttrSizedResultSegments
  attr layout: AnyAttr = #own.layout<fast>
  attr steps: I64Attr = 1 : i64
  attr note: StrAttr optional
  property width: i32 = 4 : i32
";

fn context() -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    context.register_dialect(DialectDefinition::parse(OWN, &()).unwrap());
    context
}

fn attribute(b: &mut Builder<'_>, text: &str) -> Attribute {
    parse_attribute(b.context, text.as_bytes()).unwrap()
}

fn ty(b: &mut Builder<'_>, text: &str) -> Type {
    parse_type(b.context, text.as_bytes()).unwrap()
}

/// Builds a function around the result of `body`; it returns nothing.
fn function(
    b: &mut Builder<'_>,
    name: &str,
    inputs: &[&str],
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Built,
) -> Built {
    let inputs: Vec<Type> = inputs.iter().map(|text| ty(b, text)).collect();
    let function_type = b.context.function_type(&inputs, &[]);
    let function_type = b.context.type_attribute(function_type);
    let name = b.context.string_attribute(name);
    let region = b.create_region();
    b.op("func.func")
        .attr("sym_name", name)
        .attr("function_type", function_type)
        .region(region)
        .build()?;
    b.restoring(|b| {
        let entry = b.create_block(region, &inputs);
        let arguments: Vec<Value> = b.module.arguments(entry).map(|a| a.0).collect();
        body(b, &arguments)?;
        b.op("func.return").build().map(drop)
    })
}

/// Builds a module and checks that it equals its own text: content, fingerprint and bytecode.
fn check(label: &str, build: impl FnOnce(&mut Builder<'_>) -> Built) {
    let mut context = context();
    let mut built = Module::new(&mut context);
    build(&mut Builder::new(&mut context, &mut built)).unwrap_or_else(|e| panic!("{label}: {e}"));
    if let Err(errors) = verify(&context, &built, built.top(), &VerifyOptions::default()) {
        let errors = errors.iter();
        let errors = errors.map(|e| message_to_string(&context, &built, &e.message));
        panic!("{label}: {:?}", errors.collect::<Vec<_>>());
    }
    for generic in [true, false] {
        let mut options = PrintOptions::default();
        (options.generic, options.debug_info) = (generic, true);
        let text = module_to_string(&context, &built, &options).unwrap();
        let parsed = parse_module(&mut context, &text, &ParseOptions::default()).unwrap();
        // Custom form omits the locations of some block arguments.
        let equality = EqualityOptions { locations: generic };
        let difference = semantic_difference((&context, &built), (&context, &parsed), &equality);
        assert!(difference.is_none(), "{label}: {difference:?}");
        let digest = |m: &Module| fingerprint(&context, m, m.top(), &FingerprintOptions::default());
        assert_eq!(digest(&built), digest(&parsed), "{label}");
        if !generic {
            continue;
        }
        let bytes = mlirbc::write_module(&mut context, &built, &Default::default()).unwrap();
        let expected = mlirbc::write_module(&mut context, &parsed, &Default::default()).unwrap();
        assert!(bytes == expected, "{label}: bytecode differs");
        if label != "stablehlo" && label != "own" {
            check_upstream(label, &text, &bytes);
        }
    }
}

/// Checks that the bytecode is what `mlir-opt-22` writes for the text.
fn check_upstream(label: &str, text: &[u8], bytes: &[u8]) {
    let child = Command::new("mlir-opt-22")
        .args(["--emit-bytecode", "--no-implicit-module", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("SKIPPED: {label} is not compared with upstream: mlir-opt-22 is not installed");
        return;
    };
    child.stdin.take().unwrap().write_all(text).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{label}");
    assert!(output.stdout == bytes, "{label}: mlir-opt-22 writes others");
}

#[test]
fn arith_and_cf() {
    check("arith", |b| {
        function(b, "f", &["i64", "f32", "i1"], |b, args| {
            let (i64, f32, i1) = (ty(b, "i64"), ty(b, "f32"), ty(b, "i1"));
            let &[x, y, bit] = args else { panic!() };
            let five = b.context.integer_attribute(i64, 5)?;
            let five = b
                .op("arith.constant")
                .attr("value", five)
                .result(i64)
                .build_value()?;
            let nsw = attribute(b, "#arith.overflow<nsw>");
            b.op("arith.addi").operands([x, five]).result(i64).build()?;
            b.op("arith.muli")
                .operands([x, five])
                .attr("overflowFlags", nsw)
                .result(i64)
                .build()?;
            b.op("arith.divsi")
                .operands([x, five])
                .result(i64)
                .build()?;
            b.op("arith.mulf").operands([y, y]).result(f32).build()?;
            let note = b.context.unit_attribute();
            b.op("arith.negf")
                .operand(y)
                .attr("my.note", note)
                .result(f32)
                .build()?;
            let slt = attribute(b, "2 : i64");
            b.op("arith.cmpi")
                .operands([x, x])
                .attr("predicate", slt)
                .result(i1)
                .build()?;
            b.op("arith.cmpf")
                .operands([y, y])
                .attr("predicate", slt)
                .result(i1)
                .build()?;
            b.op("arith.select")
                .operands([bit, x, x])
                .result(i64)
                .build()?;
            b.op("arith.extsi").operand(bit).result(i64).build()?;
            b.op("arith.uitofp")
                .operand(x)
                .result(f32)
                .build()
                .map(drop)
        })
    });
    // Inherent attributes set by the method for discardable ones, as in the textual form.
    check("attribute", |b| {
        function(b, "f", &[], |b, _| {
            let i64 = ty(b, "i64");
            let five = b.context.integer_attribute(i64, 5)?;
            b.op("arith.constant")
                .attribute("value", five)
                .result(i64)
                .build()
                .map(drop)
        })
    });
    check("cf", |b| {
        function(b, "f", &["i1", "i64", "i32"], |b, args| {
            let &[bit, x, flag] = args else { panic!() };
            let start = b.insertion_point().unwrap().block();
            let region = b.module.block_region(start).unwrap();
            let i64 = ty(b, "i64");
            let both = b.create_block(region, &[i64]);
            let none = b.create_block(region, &[]);
            b.set_insertion_point_to_end(start);
            b.op("cf.cond_br")
                .operand(bit)
                .operand_group("falseDestOperands", [x])
                .operand_group("trueDestOperands", [])
                .successors([none, both])
                .build()?;
            b.set_insertion_point_to_end(none);
            b.op("cf.cond_br")
                .operand(bit)
                .successors([none, none])
                .build()?;
            let cases = attribute(b, "dense<[7, 8]> : vector<2xi32>");
            let lengths = attribute(b, "array<i32: 1, 0>");
            b.set_insertion_point_to_end(both);
            b.op("cf.switch")
                .operand(flag)
                .operand_group("caseOperands", [x])
                .operand_group("defaultOperands", [])
                .attr("case_values", cases)
                .attr("case_operand_segments", lengths)
                .successors([none, both, none])
                .build()?;
            let last = b.create_block(region, &[]);
            b.set_insertion_point_to_end(last);
            Ok(())
        })
    });
}

/// Enumerations by keyword, strings and symbols as text, results from the definition.
#[test]
fn text_and_inferred_results() {
    check("inferred", |b| {
        function(b, "f", &["i64", "f32", "vector<4xf32>", "i1"], |b, args| {
            let &[x, y, v, bit] = args else { panic!() };
            let (i1, i64) = (b.context.i1_type(), b.context.i64_type());
            let f32 = b.context.f32_type();
            let vector_of_i1 = ty(b, "vector<4xi1>");
            let less = b
                .op("arith.cmpi")
                .operands([x, x])
                .attr("predicate", "slt")
                .build_value()?;
            assert_eq!(b.module.value_type(less), i1);
            let less = b
                .op("arith.cmpf")
                .operands([v, v])
                .attr("predicate", "olt")
                .build_value()?;
            assert_eq!(b.module.value_type(less), vector_of_i1);
            let both = b
                .op("arith.addi")
                .operands([x, x])
                .attr("overflowFlags", "nsw, nuw");
            let sum = both.build_value()?;
            assert_eq!(b.module.value_type(sum), i64);
            b.op("arith.mulf")
                .operands([y, y])
                .attr("fastmath", "nnan,ninf")
                .build()?;
            b.op("arith.select").operands([bit, v, v]).build()?;
            let five = b.context.integer_attribute(i64, 5)?;
            b.op("arith.constant").attr("value", five).build_value()?;
            b.op("math.sqrt").operand(v).build()?;
            let callee = b
                .op("func.call")
                .attr("callee", "f")
                .operands([x, y, v, bit]);
            callee.results([]).build()?;
            let shuffle = attribute(b, "array<i64: 0>");
            let element = b
                .op("vector.extract")
                .operand(v)
                .attr("static_position", shuffle);
            element.result(f32).build()?;
            Ok(())
        })
    });
    check("inferred llvm", |b| {
        function(b, "f", &["i64"], |b, args| {
            let x = args[0];
            b.op("llvm.icmp")
                .operands([x, x])
                .attr("predicate", "ult")
                .build()?;
            b.op("llvm.add")
                .operands([x, x])
                .attr("overflowFlags", "nsw")
                .build()
                .map(drop)
        })
    });
    check("stablehlo", |b| {
        function(b, "f", &["tensor<4xf32>"], |b, args| {
            let (t, bits) = (args[0], ty(b, "tensor<4xi1>"));
            b.op("stablehlo.compare")
                .operands([t, t])
                .attr("comparison_direction", "LT")
                .result(bits)
                .build()
                .map(drop)
        })
    });
    let found = error(|b, x| {
        let compare = b.op("arith.cmpi").operands([x, x]);
        compare.attr("predicate", "slf").build().map(drop)
    });
    assert_eq!(found, "'predicate' has no case 'slf'; did you mean 'slt'?");
    let found = error(|b, x| {
        let compare = b.op("arith.constant").operands([x]);
        compare.attr("value", "dense<").build().map(drop)
    });
    assert!(found.starts_with("'value' is malformed: "), "{found}");
    let found = error(|b, x| b.op("arith.extsi").operand(x).build().map(drop));
    assert_eq!(
        found,
        "the type of result 'out' does not follow from the definition: give it"
    );
    let found = error(|b, _| {
        let i8 = b.context.integer_type(8);
        b.context.integer_attribute(i8, 300).map(drop)
    });
    assert_eq!(
        found,
        "integer 300 is out of range for a signless type of 8 bits"
    );
}

#[test]
fn func_and_scf() {
    check("func", |b| {
        let hidden = b.context.string_attribute("private");
        let name = b.context.string_attribute("callee");
        let function_type = ty(b, "(i64) -> i64");
        let function_type = b.context.type_attribute(function_type);
        let region = b.create_region();
        b.op("func.func")
            .attr("sym_name", name)
            .attr("function_type", function_type)
            .attr("sym_visibility", hidden)
            .region(region)
            .build()?;
        function(b, "f", &["i64"], |b, args| {
            let i64 = ty(b, "i64");
            let callee = b.context.symbol_ref_attribute("callee");
            b.op("func.call")
                .attr("callee", callee)
                .operands([args[0]])
                .result(i64)
                .build()?;
            Ok(())
        })
    });
    check("scf", |b| {
        function(b, "f", &["index", "i1", "f32"], |b, args| {
            let &[n, bit, x] = args else { panic!() };
            let (index, f32) = (ty(b, "index"), ty(b, "f32"));
            let body = b.create_region();
            b.op("scf.for")
                .operands([n, n, n, x])
                .result(f32)
                .region(body)
                .build()?;
            b.restoring(|b| {
                let block = b.create_block(body, &[index, f32]);
                let carried = b.module.argument(block, 1).unwrap();
                b.op("scf.yield").operand(carried).build()
            })?;
            let (then, other) = (b.create_region(), b.create_region());
            b.op("scf.if")
                .operand(bit)
                .result(f32)
                .regions([then, other])
                .build()?;
            for region in [then, other] {
                b.restoring(|b| {
                    b.create_block(region, &[]);
                    b.op("scf.yield").operand(x).build()
                })?;
            }
            let body = b.create_region();
            b.op("scf.parallel")
                .operand_group("lowerBound", [n, n])
                .operand_group("upperBound", [n, n])
                .operand_group("step", [n, n])
                .operand_group("initVals", [])
                .region(body)
                .build()?;
            b.restoring(|b| {
                b.create_block(body, &[index, index]);
                b.op("scf.reduce").build()
            })?;
            Ok(())
        })
    });
}

#[test]
fn memory_and_linalg() {
    check("memref", |b| {
        function(b, "f", &["index"], |b, args| {
            let n = args[0];
            let buffer = ty(b, "memref<4x?xf32>");
            let f32 = ty(b, "f32");
            let memory = b
                .op("memref.alloc")
                .operand_group("dynamicSizes", [n])
                .operand_group("symbolOperands", [])
                .result(buffer)
                .build_value()?;
            let fixed = ty(b, "memref<4xf32>");
            let align = attribute(b, "64 : i64");
            b.op("memref.alloca")
                .attr("alignment", align)
                .result(fixed)
                .build()?;
            let x = b
                .op("memref.load")
                .operands([memory, n, n])
                .result(f32)
                .build_value()?;
            b.op("memref.store").operands([x, memory, n, n]).build()?;
            b.op("memref.dealloc").operand(memory).build().map(drop)
        })
    });
    check("tensor", |b| {
        function(b, "f", &["tensor<8x8xf32>", "index"], |b, args| {
            let slice = ty(b, "tensor<4x?xf32>");
            let (offsets, sizes, strides) = (
                attribute(b, "array<i64: 0, 0>"),
                attribute(b, "array<i64: 4, -9223372036854775808>"),
                attribute(b, "array<i64: 1, 1>"),
            );
            b.op("tensor.extract_slice")
                .operand(args[0])
                .operand_group("offsets", [])
                .operand_group("sizes", [args[1]])
                .operand_group("strides", [])
                .attr("static_offsets", offsets)
                .attr("static_sizes", sizes)
                .attr("static_strides", strides)
                .result(slice)
                .build()
                .map(drop)
        })
    });
    check("linalg", |b| {
        function(b, "f", &["f32", "tensor<4x4xf32>"], |b, args| {
            let &[x, t] = args else { panic!() };
            let (f32, tensor) = (ty(b, "f32"), ty(b, "tensor<4x4xf32>"));
            let body = b.create_region();
            b.op("linalg.fill")
                .operand_group("inputs", [x])
                .operand_group("outputs", [t])
                .result(tensor)
                .region(body)
                .build()?;
            b.restoring(|b| {
                let block = b.create_block(body, &[f32, f32]);
                let [value, _] = b.arguments(block)?;
                b.op("linalg.yield").operand(value).build()
            })?;
            let body = b.create_region();
            let map = "affine_map<(d0, d1) -> (d0, d1)>";
            let maps = attribute(b, &format!("[{map}, {map}]"));
            let kinds = "#linalg.iterator_type<parallel>";
            let kinds = attribute(b, &format!("[{kinds}, {kinds}]"));
            b.op("linalg.generic")
                .operand_group("inputs", [t])
                .operand_group("outputs", [t])
                .attr("indexing_maps", maps)
                .attr("iterator_types", kinds)
                .result(tensor)
                .region(body)
                .build()?;
            b.restoring(|b| {
                let block = b.create_block(body, &[f32, f32]);
                let [value, _] = b.arguments(block)?;
                b.op("linalg.yield").operand(value).build()
            })?;
            let body = b.create_region();
            b.op("linalg.matmul")
                .operand_group("inputs", [t, t])
                .operand_group("outputs", [t])
                .result(tensor)
                .region(body)
                .build()?;
            b.restoring(|b| {
                let block = b.create_block(body, &[f32, f32, f32]);
                let [l, r, sum] = b.arguments(block)?;
                let product = b
                    .op("arith.mulf")
                    .operands([l, r])
                    .result(f32)
                    .build_value()?;
                let sum = b
                    .op("arith.addf")
                    .operands([sum, product])
                    .result(f32)
                    .build_value()?;
                b.op("linalg.yield").operand(sum).build()
            })?;
            Ok(())
        })
    });
    check("vector", |b| {
        function(b, "f", &["memref<8xf32>", "index", "f32"], |b, args| {
            let &[memory, i, x] = args else { panic!() };
            let vector = ty(b, "vector<4xf32>");
            let map = attribute(b, "affine_map<(d0) -> (d0)>");
            let inside = attribute(b, "[true]");
            b.op("vector.transfer_read")
                .operand(memory)
                .operand_group("padding", [x])
                .operand_group("indices", [i])
                .operand_group("mask", [])
                .attr("permutation_map", map)
                .attr("in_bounds", inside)
                .result(vector)
                .build()
                .map(drop)
        })
    });
}

#[test]
fn llvm() {
    check("llvm", |b| {
        let function_type = ty(b, "!llvm.func<i64 (i64, ptr)>");
        let function_type = b.context.type_attribute(function_type);
        let (i64, pointer) = (ty(b, "i64"), ty(b, "!llvm.ptr"));
        let region = b.create_region();
        let name = b.context.string_attribute("f");
        // Parsing the custom form adds it.
        let address = attribute(b, "0 : i64");
        b.op("llvm.func")
            .attr("sym_name", name)
            .attr("unnamed_addr", address)
            .attr("function_type", function_type)
            .region(region)
            .build()?;
        b.restoring(|b| {
            let entry = b.create_block(region, &[i64, pointer]);
            let [x, p] = b.arguments(entry)?;
            let nuw = attribute(b, "2 : i32");
            let sum = b
                .op("llvm.add")
                .operands([x, x])
                .result(i64)
                .build_value()?;
            let sum = b
                .op("llvm.sub")
                .operands([sum, x])
                .attr("overflowFlags", nuw)
                .result(i64)
                .build_value()?;
            b.op("llvm.load").operand(p).result(i64).build()?;
            b.op("llvm.store").operands([x, p]).build()?;
            let callee = b.context.symbol_ref_attribute("f");
            let bundles = attribute(b, "array<i32>");
            b.op("llvm.call")
                .attr("callee", callee)
                .operand_group("callee_operands", [sum, p])
                .operand_group("op_bundle_operands", [])
                .attr("op_bundle_sizes", bundles)
                .result(i64)
                .build()?;
            b.op("llvm.return").operand(sum).build()
        })?;
        Ok(())
    });
}

#[test]
fn stablehlo() {
    check("stablehlo", |b| {
        function(b, "f", &["tensor<4x4xf32>"], |b, args| {
            let t = args[0];
            let tensor = ty(b, "tensor<4x4xf32>");
            b.op("stablehlo.add")
                .operands([t, t])
                .result(tensor)
                .build()?;
            let numbers = attribute(
                b,
                "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>",
            );
            b.op("stablehlo.dot_general")
                .operands([t, t])
                .attr("dot_dimension_numbers", numbers)
                .result(tensor)
                .build()?;
            let order = attribute(b, "array<i64: 1, 0>");
            b.op("stablehlo.transpose")
                .operand(t)
                .attr("permutation", order)
                .result(tensor)
                .build()
                .map(drop)
        })
    });
}

#[test]
fn own_dialect() {
    check("own", |b| {
        function(b, "f", &["i64"], |b, args| {
            let (x, i64) = (args[0], ty(b, "i64"));
            b.op("own.step").operand(x).result(i64).build()?;
            let (steps, width) = (attribute(b, "3 : i64"), attribute(b, "3 : i32"));
            b.op("own.step")
                .operand_group("last", [x])
                .operand_group("a", [x, x])
                .operand_group("b", [])
                .operand(x)
                .result(i64)
                .result_group("more", [])
                .result_group("rest", [i64, i64])
                .attr("steps", steps)
                .attr("width", width)
                .build()
                .map(drop)
        })
    });
}

/// Returns the error of `build` for one operation in an empty module.
fn error(build: impl FnOnce(&mut Builder<'_>, Value) -> Built) -> String {
    let mut context = context();
    let mut module = Module::new(&mut context);
    let mut b = Builder::new(&mut context, &mut module);
    let i64 = b.context.i64_type();
    let x = b.op("test.value").result(i64).build_value().unwrap();
    let error = build(&mut b, x).expect_err("an error");
    assert_eq!(module.descendants(module.top()).count(), 2);
    error.message().to_owned()
}

#[test]
fn mistakes() {
    let unit = |b: &mut Builder<'_>| b.context.unit_attribute();
    let found = error(|b, x| {
        let (unit, i64) = (unit(b), ty(b, "i64"));
        let add = b.op("arith.addi").operands([x, x]).result(i64);
        add.property("overflowFlag", unit).build().map(drop)
    });
    assert_eq!(
        found,
        "'arith.addi' op has no inherent attribute 'overflowFlag'; did you mean 'overflowFlags'?"
    );
    let found = error(|b, x| {
        let (unit, i64) = (unit(b), ty(b, "i64"));
        let add = b.op("arith.addi").operands([x, x]).result(i64);
        add.attr("note", unit).build().map(drop)
    });
    assert_eq!(
        found,
        "'arith.addi' op has no attribute 'note' (a discardable attribute is named \
         'dialect.name'; another one is set once the operation is built)"
    );
    let found = error(|b, _| {
        let five = attribute(b, "5 : i64");
        let i64 = ty(b, "i64");
        let constant = b.op("arith.constant").result(i64);
        constant
            .attr("value", five)
            .attribute("value", five)
            .build()
            .map(drop)
    });
    assert!(found.contains("value"), "{found}");
    let found = error(|b, x| {
        b.op("memref.store")
            .operand_group("valu", [x])
            .build()
            .map(drop)
    });
    assert_eq!(
        found,
        "no group of operands is called 'valu'; did you mean 'value'?"
    );
    let found = error(|b, x| b.op("cf.cond_br").operands([x, x]).build().map(drop));
    assert_eq!(
        found,
        "2 operands can be divided among the groups 'trueDestOperands', 'falseDestOperands' in \
         several ways: give them by operand_group, or give 'operandSegmentSizes'"
    );
    let found = error(|b, x| {
        let branch = b.op("cf.cond_br").operand_group("condition", [x, x]);
        branch.build().map(drop)
    });
    assert_eq!(found, "group 'condition' has 1 operand, but 2 are given");
    let found = error(|b, x| {
        let sizes = b.context.i32_array_attribute([1, 0, 0]);
        let branch = b.op("cf.cond_br").operand_group("condition", [x]);
        branch.attr("operandSegmentSizes", sizes).build().map(drop)
    });
    assert_eq!(
        found,
        "both operand groups and 'operandSegmentSizes' are given"
    );
    let found = error(|b, x| b.op("t.t").operand_group("a", [x]).build().map(drop));
    assert_eq!(
        found,
        "operands cannot be given by group: the operation's definition is not known"
    );
    let found = error(|b, x| {
        let store = b.op("memref.store").operand_group("indices", [x]);
        store.build().map(drop)
    });
    assert_eq!(
        found,
        "expected 2 operands besides those given by group, but found 0"
    );
}

/// A default is text, so only a context with a text parser can read it.
#[test]
fn a_context_without_text() {
    let mut context = Context::new();
    context.register_dialect(DialectDefinition::parse(OWN, &()).unwrap());
    let mut module = Module::new(&mut context);
    let mut b = Builder::new(&mut context, &mut module);
    let i64 = b.context.i64_type();
    let x = b.op("test.value").result(i64).build_value().unwrap();
    let error = b.op("own.step").operand(x).result(i64).build().unwrap_err();
    assert_eq!(
        error.message(),
        "the default of 'layout' in the definition of 'step' is text ('#own.layout<fast>'), and \
         the context has no parser: call rmlir_text::register first"
    );
    rmlir::text::register(b.context);
    b.op("own.step").operand(x).result(i64).build().unwrap();
}

/// A definition that is registered after an operation was built applies to the next one.
#[test]
fn a_later_definition() {
    let mut context = Context::new();
    rmlir::text::register(&mut context);
    let mut module = Module::new(&mut context);
    let mut b = Builder::new(&mut context, &mut module);
    let before = b.op("late.op").build().unwrap();
    let text = "dialect late\nop op\n  attr a: I64Attr = 1 : i64\n";
    b.context
        .register_dialect(DialectDefinition::parse(text, &()).unwrap());
    let after = b.op("late.op").build().unwrap();
    assert_eq!(module.attribute(&context, before, "a"), None);
    assert!(module.attribute(&context, after, "a").is_some());
}

/// Edits change exactly what they name; normalization is a separate step.
#[test]
fn edits_do_not_normalize() {
    let mut context = context();
    let mut module = Module::new(&mut context);
    let mut b = Builder::new(&mut context, &mut module);
    let i64 = b.context.i64_type();
    let x = b.op("test.value").result(i64).build_value().unwrap();
    let step = b.op("own.step").operand(x).result(i64);
    let step = step.attr("note", "text").build().unwrap();
    let whole = module.properties(step);
    let steps = context.identifier("steps");
    module
        .set_inherent_attribute(&mut context, step, steps, None)
        .unwrap();
    assert_eq!(module.attribute(&context, step, "steps"), None);
    module.normalize_operation(&mut context, step).unwrap();
    assert_eq!(module.properties(step), whole);
    let unit = context.unit_attribute();
    module
        .set_discardable_attribute(&mut context, step, steps, Some(unit))
        .unwrap();
    module.normalize_operation(&mut context, step).unwrap();
    // The property takes precedence.
    assert_eq!(module.properties(step), whole);
    assert_eq!(module.attributes(step), None);
}

/// The low-level function creates exactly what it is given.
#[test]
fn the_low_level_path_does_not_normalize() {
    let mut context = context();
    let mut module = Module::new(&mut context);
    let state = OperationState {
        name: context.operation_name("own.step"),
        location: context.unknown_location(),
        operands: &[],
        result_types: &[],
        attributes: None,
        properties: None,
        successors: &[],
        regions: &[],
    };
    let operation = module.create_operation(&state);
    assert_eq!(module.properties(operation), None);
}
