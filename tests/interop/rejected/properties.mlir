// What properties cannot hold, and what stands among the discardable attributes though it is none.
func.func @string(%m: memref<4xf32>, %i: index) {
  %0 = "memref.load"(%m, %i) <{nontemporal = "no"}> : (memref<4xf32>, index) -> f32
  return
}

// -----

func.func @in_order(%p: !llvm.ptr) {
  %0 = "llvm.load"(%p) <{ordering = "a", alignment = "b"}> : (!llvm.ptr) -> i32
  return
}

// -----

func.func @discardable(%p: !llvm.ptr) {
  %0 = "llvm.load"(%p) {ordering = "a", alignment = "b"} : (!llvm.ptr) -> i32
  return
}

// -----

func.func @both(%p: !llvm.ptr) {
  %0 = "llvm.load"(%p) <{ordering = "a"}> {alignment = "b"} : (!llvm.ptr) -> i32
  return
}

// -----

// Of the right class: the verifier says what is wrong, and later than the parser.
func.func @width(%p: !llvm.ptr) {
  %0 = "llvm.load"(%p) <{alignment = 4 : i32, ordering = 0 : i64}> : (!llvm.ptr) -> i32
  return
}
func.func @later(%p: !llvm.ptr) {
  %0 = "llvm.load"(%p) <{alignment = [], ordering = 0 : i64}> : (!llvm.ptr) -> i32
  return
}

// -----

// Before the numbers of operands and results.
func.func @first() {
  "memref.load"() {nontemporal = 3 : i64} : () -> ()
  return
}

// -----

func.func @dense(%a: tensor<4xf32>) {
  %0 = "tensor.extract_slice"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i32: 0>, static_sizes = array<i64: 2>, static_strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @few_segments(%a: tensor<4xf32>) {
  %0 = "tensor.extract_slice"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 2>, static_strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @segments_are_last(%a: tensor<4xf32>) {
  %0 = "tensor.extract_slice"(%a) <{operandSegmentSizes = 4 : i32, static_sizes = array<i64: 2>, static_strides = 3 : i64}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @no_segments(%a: tensor<4xf32>) {
  %0 = "tensor.extract_slice"(%a) <{operandSegmentSizes = 4 : i32, static_offsets = array<i64: 0>, static_sizes = array<i64: 2>, static_strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @predicate(%a: i32) {
  %0 = "arith.cmpi"(%a, %a) <{predicate = 14 : i64}> : (i32, i32) -> i1
  return
}

// -----

func.func @flags(%a: f32) {
  %0 = "arith.addf"(%a, %a) <{fastmath = 14 : i64}> : (f32, f32) -> f32
  return
}

// -----

"llvm.mlir.global"() <{addr_space = 1 : i32, global_type = i32, linkage = #llvm.tailcallkind<none>, sym_name = "a"}> ({}) : () -> ()

// -----

"func.call"() <{callee = @a::@b}> : () -> ()

// -----

"func.call"() <{callee = @a, no_inline = 2 : i64}> : () -> ()

// -----

func.func @elements() {
  %0 = "shape.const_shape"() <{shape = array<i64: 1>}> : () -> !shape.shape
  return
}

// -----

func.func @interface() {
  %0 = "tosa.const"() <{values = array<i32: 1>}> : () -> tensor<1xi32>
  return
}

// -----

func.func @types() {
  %0 = "llvm.alloca"() <{elem_type = 3 : i32}> : () -> !llvm.ptr
  return
}
