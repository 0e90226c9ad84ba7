// Inherent attributes in the plain dictionary, defaults, native properties and segment sizes of registered
// operations: all in the form in which mlir-opt makes the operations.
"builtin.module"() ({
  "func.func"() ({
  ^bb0(%a: i32, %f: f32, %m: memref<?x4xf32>, %i: index, %t: tensor<4xf32>, %v: vector<4xf32>, %p: !llvm.ptr):
    // Defaults.
    %0 = "arith.addi"(%a, %a) : (i32, i32) -> i32
    %1 = "arith.addi"(%0, %a) <{}> : (i32, i32) -> i32
    %2 = "arith.addi"(%0, %a) {overflowFlags = #arith.overflow<nsw>} : (i32, i32) -> i32
    %3 = "arith.addi"(%0, %a) <{overflowFlags = #arith.overflow<nuw>}> {note = "x"} : (i32, i32) -> i32
    // What is a property counts, not what the plain dictionary says.
    %4 = "arith.addi"(%0, %a) <{overflowFlags = #arith.overflow<nuw>}> {overflowFlags = #arith.overflow<nsw>, note} : (i32, i32) -> i32
    %5 = "arith.addf"(%f, %f) {note} : (f32, f32) -> f32
    %6 = "arith.cmpf"(%f, %f) {predicate = 1 : i64} : (f32, f32) -> i1
    %7 = "arith.constant"() {value = 3 : i16} : () -> i16
    %8 = "math.fma"(%f, %f, %f) : (f32, f32, f32) -> f32
    // Attributes that 24 has and 22 has not are discardable.
    %9 = "arith.mulf"(%f, %f) {roundingmode = 0 : i32} : (f32, f32) -> f32
    // Optional ones stay away, and so do their defaults.
    %10 = "memref.load"(%m, %i, %i) : (memref<?x4xf32>, index, index) -> f32
    %11 = "memref.load"(%m, %i, %i) {nontemporal = true} : (memref<?x4xf32>, index, index) -> f32
    // Segment sizes, also by their former name.
    %12 = "memref.alloc"() : () -> memref<4xf32>
    %13 = "memref.alloc"() {alignment = 8 : i64} : () -> memref<4xf32>
    %14 = "memref.alloc"(%i) {operandSegmentSizes = array<i32: 1, 0>} : (index) -> memref<?xf32>
    %15 = "memref.alloc"(%i) {operand_segment_sizes = array<i32: 1, 0>, alignment = 16 : i64} : (index) -> memref<?xf32>
    %16 = "memref.alloc"(%i) <{operand_segment_sizes = array<i32: 1, 0>}> : (index) -> memref<?xf32>
    // Native properties have defaults, and stand nowhere but among the properties.
    %17 = "llvm.add"(%a, %a) : (i32, i32) -> i32
    %18 = "llvm.add"(%a, %a) <{overflowFlags = 2 : i32}> : (i32, i32) -> i32
    %19 = "llvm.mul"(%a, %a) {overflowFlags = 1 : i32} : (i32, i32) -> i32
    %20 = "llvm.getelementptr"(%p) {elem_type = i8, rawConstantIndices = array<i32: 1>} : (!llvm.ptr) -> !llvm.ptr
    // Without any properties.
    %21 = "math.absf"(%f) {fastmath = #arith.fastmath<nnan>} : (f32) -> f32
    %22 = "vector.broadcast"(%f) {value = 1 : i32} : (f32) -> vector<4xf32>
    %23 = "llvm.load"(%p) : (!llvm.ptr) -> i32
    "llvm.store"(%23, %p) {alignment = 4 : i64} : (i32, !llvm.ptr) -> ()
    %24 = "vector.reduction"(%v) {kind = #vector.kind<add>} : (vector<4xf32>) -> f32
    %25 = "arith.cmpi"(%a, %a) {predicate = 2 : i64, z, a} : (i32, i32) -> i1
    "scf.if"(%25) ({
      "scf.yield"() : () -> ()
    }, {
    }) {note} : (i1) -> ()
    "cf.cond_br"(%25)[^bb1, ^bb1] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb1:
    "func.return"() : () -> ()
  }) {function_type = (i32, f32, memref<?x4xf32>, index, tensor<4xf32>, vector<4xf32>, !llvm.ptr) -> (), sym_name = "f", note = 1 : i8} : () -> ()
  "llvm.func"() ({
  }) {sym_name = "g", function_type = !llvm.func<void ()>} : () -> ()
  "llvm.mlir.global"() ({
  }) {sym_name = "h", global_type = i32, linkage = #llvm.linkage<external>} : () -> ()
  "memref.global"() {sym_name = "m", type = memref<2xi32>, sym_visibility = "private"} : () -> ()
  "gpu.module"() ({
    "gpu.func"() ({
      "gpu.barrier"() : () -> ()
      "gpu.return"() : () -> ()
    }) {function_type = () -> (), gpu.kernel, workgroup_attributions = 0 : i64, sym_name = "k"} : () -> ()
  }) {sym_name = "gpu"} : () -> ()
  "spirv.module"() ({
  ^bb0:
  }) {addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>} : () -> ()
  "func.func"() ({
  ^bb0(%t: tensor<1x8x8x4xf32>, %w: tensor<2x2x2x4xf32>, %m: memref<4x4xf32>, %n: memref<4x4xf32>):
    "linalg.copy"(%m, %n) ({
    ^bb0(%x: f32, %y: f32):
      "linalg.yield"(%x) : (f32) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1>} : (memref<4x4xf32>, memref<4x4xf32>) -> ()
    "func.return"() : () -> ()
  }) {function_type = (tensor<1x8x8x4xf32>, tensor<2x2x2x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> (), sym_name = "l"} : () -> ()
}) : () -> ()
