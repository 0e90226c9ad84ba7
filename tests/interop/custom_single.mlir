// Custom syntaxes of single operations.
func.func @amdgpu(%base: !amdgpu.tdm_base<i32>, %mask: vector<16xi1>, %timeout: i1, %barrier: memref<8xi32, #gpu.address_space<workgroup>>, %i: index, %n: i32) {
  amdgpu.make_dma_descriptor %base globalSize [64, %i] globalStride [64, 1] sharedSize [%i, 64] : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
  amdgpu.make_dma_descriptor %base globalSize [64, 64] globalStride [64, 1] sharedSize [64, 64] padShared(%n every %n) workgroupMask %mask earlyTimeout %timeout atomicBarrier(%barrier[%i] : memref<8xi32, #gpu.address_space<workgroup>>) iterate %i, %n, %i {a} : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
  return
}
llvm.func @rocdl(%rsrc: vector<4xi32>, %offset: i32, %data: vector<2xf32>) {
  %0 = rocdl.raw.buffer.load %rsrc, %offset, %offset, %offset : vector<2xf32>
  %1 = rocdl.raw.buffer.load %rsrc, %offset, %offset, %offset : i64
  rocdl.raw.buffer.store %data, %rsrc, %offset, %offset, %offset : vector<2xf32>
  rocdl.raw.buffer.atomic.fadd %data, %rsrc, %offset, %offset, %offset : vector<2xf32>
  rocdl.raw.buffer.atomic.umin %offset, %rsrc, %offset, %offset, %offset : i32
  llvm.return
}
pdl_interp.func @foreach(%ops: !pdl.range<operation>) {
  pdl_interp.foreach %op : !pdl.operation in %ops {
    %0 = pdl_interp.get_result 0 of %op
    pdl_interp.continue
  } {a = 1} -> ^end
  ^end:
    pdl_interp.finalize
}
func.func @smt(%b: !smt.bv<32>) {
  %0 = smt.bv.repeat 2 times %b {a} : !smt.bv<32>
  %1 = smt.bv.repeat 1 times %0 : !smt.bv<64>
  return
}
gpu.binary @kernels [#gpu.object<#rocdl.target<chip = "gfx900">, kernels = #gpu.kernel_table<[
  #gpu.kernel_metadata<"z", () -> ()>, #gpu.kernel_metadata<"m", () -> ()>, #gpu.kernel_metadata<"a", () -> ()>]>, bin = "BLOB">]
wasmssa.func @if(%a: !wasmssa<local ref to i32>) -> i32 {
  %0 = wasmssa.local_get %a : ref to i32
  wasmssa.if %0 : {
    %1 = wasmssa.const 0.5 : f32
    wasmssa.block_return %1 : f32
  } else {
    %1 = wasmssa.const 0.25 : f32
    wasmssa.block_return %1 : f32
  } > ^bb1
 ^bb1(%v: f32):
  wasmssa.return %v : f32
}
func.func @spirv(%m: !spirv.matrix<3 x vector<2xf32>>, %c: !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>) {
  return
}
func.func @test(%a: i32, %x: index) {
  %p:2, %q = "test.custom_result_name"(%a) {names = ["p", "p", "q"]} : (i32) -> (i32, i32, i32)
  test.optional_custom_attr bar
  test.optional_custom_attr foo false
  test.array_of_attr_op a = [begin 0 : index end, begin 2 : index end], b = [0, 1, -42, 42], c = [a, b, "+"]
  test.array_of_attr_op a = [], b = [], c = []
  "test.polyfor"() ({
  ^bb0(%i: index, %j: index, %k: index):
    "test.foo"() : () -> ()
  }) {arg_names = ["i", "j"]} : () -> ()
  "test.x"() {b = #test<simple_enum "+">, c = #llvm.di_generic_subrange<count = #llvm.di_expression<[DW_OP_deref]>, lowerBound = #llvm.di_expression<[DW_OP_deref]>, stride = #llvm.di_expression<[DW_OP_deref]>>} : () -> ()
  return
}
func.func @empty() {
  omp.taskgroup {
  } {t.extra = 1 : i32}
  return
}
