// Texts for the test `rules`, one between each two separators. The line with `// error` is the one
// on which the text is refused; a text without it is accepted.
// -----
func.func @load(%m: memref<4x4xi32>, %i: index) {
  %0 = memref.load %m[%i] : memref<4x4xi32> // error
  return
}
// -----
func.func @load(%m: memref<4x4xi32>, %i: index) {
  %0 = memref.load %m[%i, %i] : memref<4x4xi32>
  return
}
// -----
func.func @alloc() {
  %0 = memref.alloc() : memref<?xf32> // error
  return
}
// -----
func.func @alloc(%n: index) {
  %0 = memref.alloc(%n) : memref<?xf32>
  %1 = memref.alloc() : memref<4xf32>
  return
}
// -----
func.func @cast(%t: tensor<4xf32>) {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<5xf32> // error
  return
}
// -----
func.func @cast(%t: tensor<4xf32>, %u: tensor<*xf32>) {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.cast %u : tensor<*xf32> to tensor<?xf32>
  return
}
// -----
func.func @cast(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<?xi32> // error
  return
}
// -----
func.func @cast(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32, 1> // error
  return
}
// -----
func.func @cast(%m: memref<4xf32, 1>) {
  %0 = memref.cast %m : memref<4xf32, 1> to memref<?xf32, 1>
  return
}
// -----
func.func @extract(%t: tensor<4x4xf32>, %i: index) {
  %0 = tensor.extract %t[%i] : tensor<4x4xf32> // error
  return
}
// -----
func.func @empty() {
  %0 = tensor.empty() : tensor<?x4xf32> // error
  return
}
// -----
func.func @concat(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  %0 = tensor.concat dim(0) %a, %b : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32> // error
  return
}
// -----
func.func @concat(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @reshape(%t: tensor<4x6xf32>) {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x6xf32> into tensor<25xf32> // error
  return
}
// -----
func.func @reshape(%t: tensor<4x6xf32>) {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>
  return
}
// -----
func.func @slice(%t: tensor<8xf32>) {
  %0 = tensor.extract_slice %t[2] [8] [1] : tensor<8xf32> to tensor<8xf32> // error
  return
}
// -----
func.func @slice(%t: tensor<8x1xf32>) {
  %0 = tensor.extract_slice %t[2, 0] [4, 1] [1, 1] : tensor<8x1xf32> to tensor<4xf32>
  return
}
// -----
func.func @ext(%x: f32) {
  %0 = arith.extf %x : f32 to f16 // error
  return
}
// -----
func.func @ext(%x: f16) {
  %0 = arith.extf %x : f16 to f32
  return
}
// -----
func.func @index(%x: i32) {
  %0 = "arith.index_cast"(%x) : (i32) -> i64 // error
  return
}
// -----
func.func @transpose(%v: vector<2x3xf32>) {
  %0 = vector.transpose %v, [0, 0] : vector<2x3xf32> to vector<2x2xf32> // error
  return
}
// -----
func.func @transpose(%v: vector<2x3xf32>) {
  %0 = vector.transpose %v, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  return
}
// -----
func.func @shape_cast(%v: vector<2x3xf32>) {
  %0 = vector.shape_cast %v : vector<2x3xf32> to vector<7xf32> // error
  return
}
// -----
func.func @vector_load(%m: memref<4x4xf32>, %i: index) {
  %0 = "vector.load"(%m, %i) : (memref<4x4xf32>, index) -> vector<4xf32> // error
  return
}
// -----
func.func @if(%c: i1, %x: i32) {
  %0 = "scf.if"(%c) ({ // error
    scf.yield %x : i32
  }, {
    scf.yield %c : i1
  }) : (i1) -> i32
  return
}
// -----
func.func @if(%c: i1, %x: i32) {
  %0 = scf.if %c -> i32 {
    scf.yield %x : i32
  } else {
    scf.yield %x : i32
  }
  return
}
// -----
func.func @for(%i: index, %x: i32) {
  %0 = "scf.for"(%i, %i, %i, %x) ({ // error
  ^bb0(%iv: index, %a: i32):
    scf.yield %iv : index
  }) : (index, index, index, i32) -> i32
  return
}
// -----
func.func @affine(%m: memref<4xf32>, %n: i1) {
  "t.loop"() ({
    %i = "t.index"() : () -> index
    affine.for %j = 0 to 4 {
      %k = affine.load %m[%j] : memref<4xf32>
    }
  }) : () -> ()
  return
}
// -----
func.func @affine(%m: memref<?xindex>, %p: index) {
  affine.for %j = 0 to 4 {
    %k = affine.load %m[%j] : memref<?xindex>
    %x = affine.load %m[%k] : memref<?xindex> // error
  }
  return
}
// -----
func.func @affine(%m: memref<?xindex>) {
  affine.for %j = 0 to 4 {
    %x = affine.apply affine_map<()[s0] -> (s0)>()[%j] // error
  }
  return
}
// -----
func.func @affine(%m: memref<?xindex>, %n: index) {
  affine.for %j = 0 to %n {
    %x = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%n]
    %y = affine.load %m[%x] : memref<?xindex>
  }
  return
}
// -----
func.func @generic(%a: tensor<4xf32>, %b: tensor<4x4xf32>) {
  %0 = linalg.generic { // error
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : tensor<4xf32>) outs(%b : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return
}
// -----
func.func @generic(%a: tensor<4xf32>, %b: tensor<4x4xf32>) {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : tensor<4xf32>) outs(%b : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return
}
// -----
func.func @generic(%a: tensor<4xf32>, %c: f16) {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } outs(%a : tensor<4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %c : f16 // error
  } -> tensor<4xf32>
  return
}
// -----
func.func @tosa(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  %0 = tosa.add %a, %b : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32> // error
  return
}
// -----
func.func @tosa(%a: tensor<2x3xf32>, %b: tensor<2x2xf32>) {
  %0 = tosa.add %a, %b : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x3xf32> // error
  return
}
// -----
func.func @tosa(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>) {
  %0 = tosa.add %a, %b : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @reduce(%a: tensor<2x3xf32>) {
  %0 = tosa.reduce_sum %a {axis = 2 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32> // error
  return
}
// -----
func.func @reduce(%a: tensor<2x3xf32>) {
  %0 = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}
// -----
shard.grid @grid(shape = 2x4)
func.func @gather(%a: tensor<3x4xf32>) {
  %0 = shard.all_gather %a on @grid grid_axes = [2] gather_axis = 1 : tensor<3x4xf32> -> tensor<3x4xf32> // error
  return
}
// -----
func.func @gather(%a: tensor<3x4xf32>) {
  %0 = shard.all_gather %a on @nothing grid_axes = [0] gather_axis = 1 : tensor<3x4xf32> -> tensor<3x8xf32> // error
  return
}
// -----
shard.grid @grid(shape = 2x4)
func.func @gather(%a: tensor<3x4xf32>) {
  %0 = shard.all_gather %a on @grid grid_axes = [0] gather_axis = 1 : tensor<3x4xf32> -> tensor<3x8xf32>
  return
}
// -----
func.func private @element(memref<2x!llvm.void>) // error
// -----
func.func private @element(memref<2x!gpu.async.token>) // error
// -----
func.func private @element(vector<2x!transform.any_op>) // error
// -----
func.func private @element(vector<2x!llvm.ptr>, tensor<2x!llvm.ptr>, tensor<2x!transform.any_op>)
// -----
func.func private @encoding(
  tensor<2xf32, #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>>) // error
// -----
func.func private @encoding(
  tensor<2x2xf32, #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>>)
// -----
module attributes {dlti.dl_spec = 1 : i32} {} // error
// -----
module attributes {dlti.something = 1 : i32} {} // error
// -----
module attributes {dlti.dl_spec = #dlti.dl_spec<i32 = dense<32> : vector<2xi64>>} {}
// -----
llvm.func @parameter(%a: i32 {llvm.noalias}) { // error
  llvm.return
}
// -----
llvm.func @parameter(%a: !llvm.ptr {llvm.noalias = 1 : i32}) { // error
  llvm.return
}
// -----
llvm.func @parameter(%a: !llvm.ptr {llvm.noalias}, %b: i32 {llvm.zeroext}) {
  llvm.return
}
// -----
func.func @parameter(%a: memref<2xi32> {llvm.noalias}) {
  return
}
// -----
func.func @result() -> (i32 {llvm.byval = i32}) { // error
  %0 = arith.constant 1 : i32
  return %0 : i32
}
// -----
func.func @kernel() attributes {nvvm.kernel} { // error
  return
}
// -----
llvm.func @kernel() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 1, 2>} {
  llvm.return
}
// -----
llvm.func @kernel() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 1, 2, 3, 4>} { // error
  llvm.return
}
// -----
func.func @container() attributes {gpu.container_module} { // error
  return
}
// -----
func.func @bufferization(%a: tensor<2xf32> {bufferization.writable = 1 : i32}) { // error
  return
}
// -----
func.func @bufferization(%a: tensor<2xf32> {bufferization.writable = true}) {
  return
}
// -----
func.func @spirv() attributes {spirv.something} { // error
  return
}
// -----
"memref.global"() <{initial_value = dense<[0, 1]> : tensor<2xi64>, sym_name = "g", type = memref<2xf32>}> : () -> () // error
// -----
"memref.global"() <{initial_value = dense<[0, 1]> : tensor<2xi32>, sym_name = "g", type = memref<3xi32>}> : () -> () // error
// -----
"memref.global"() <{initial_value = 1 : i32, sym_name = "g", type = memref<2xi32>}> : () -> () // error
// -----
"memref.global"() <{initial_value = dense<[0, 1]> : tensor<2xi32>, sym_name = "g", type = memref<2xi32>}> : () -> ()
memref.global "private" @u : memref<2xi32> = uninitialized
memref.global "private" @e : memref<2xi32>
// -----
func.func @await(%v: !async.value<i32>) {
  %0 = "async.await"(%v) : (!async.value<i32>) -> i64 // error
  return
}
// -----
func.func @await(%t: !async.token) {
  %0 = "async.await"(%t) : (!async.token) -> i64 // error
  return
}
// -----
func.func @await(%v: !async.value<i32>, %t: !async.token) {
  %0 = async.await %v : !async.value<i32>
  async.await %t : !async.token
  return
}
// -----
func.func @index_casts(%a: i64) {
  %0 = index.casts %a : i64 to i32 // error
  return
}
// -----
func.func @index_casts(%a: i64) {
  %0 = index.casts %a : i64 to index
  return
}
// -----
func.func @complex_constant() {
  %0 = complex.constant [1.0 : f32, -1.0 : f32] : complex<f64> // error
  return
}
// -----
func.func @complex_constant() {
  %0 = complex.constant [1.0 : f64, -1.0 : f64] : complex<f64>
  return
}
// -----
func.func @bitcast(%a: !spirv.ptr<f32, Function>) {
  %0 = spirv.Bitcast %a : !spirv.ptr<f32, Function> to i32 // error
  return
}
// -----
func.func @dot(%a: vector<4xi8>) {
  %0 = spirv.SDot %a, %a : vector<4xi8> -> i16 // error
  return
}
// -----
func.func @dot(%a: vector<4xi8>) {
  %0 = spirv.SDot %a, %a : vector<4xi8> -> i32
  return
}
// -----
func.func @barrier() {
  spirv.MemoryBarrier <Device>, <Acquire|Release> // error
  return
}
// -----
func.func @barrier() {
  spirv.MemoryBarrier <Device>, <Acquire|UniformMemory>
  return
}
// -----
func.func @store(%p: !ptr.ptr<#ptr.generic_space>, %a: i64) {
  ptr.store %a, %p alignment = 3 : i64, !ptr.ptr<#ptr.generic_space> // error
  return
}
// -----
func.func @store(%p: !ptr.ptr<#ptr.generic_space>, %a: i64) {
  ptr.store %a, %p alignment = 4 : i64, !ptr.ptr<#ptr.generic_space>
  return
}
// -----
func.func @parallel() {
  affine.parallel () = () to () {
    affine.yield
  }
  return
}
// -----
emitc.func @two_results(%a: i32) -> (i32, i32) { // error
  emitc.return %a : i32
}
// -----
emitc.func @one_result(%a: i32) -> i32 {
  emitc.return // error
}
// -----
emitc.func @one_result(%a: i32) -> i32 {
  emitc.return %a : i32
}
// -----
emitc.func @lvalue(%a: !emitc.lvalue<i32>) { // error
  emitc.return
}
// -----
func.func @pointers(%p: !emitc.ptr<i32>, %a: f32) {
  %0 = emitc.add %p, %a : (!emitc.ptr<i32>, f32) -> !emitc.ptr<i32> // error
  return
}
// -----
func.func @pointers(%p: !emitc.ptr<i32>, %a: i32) {
  %0 = emitc.add %p, %a : (!emitc.ptr<i32>, i32) -> !emitc.ptr<i32>
  return
}
// -----
func.func @pointers(%p: !emitc.ptr<i32>, %a: i32) {
  %0 = emitc.sub %a, %p : (i32, !emitc.ptr<i32>) -> !emitc.ptr<i32> // error
  return
}
// -----
func.func @pointers(%p: !emitc.ptr<i32>) {
  %0 = emitc.sub %p, %p : (!emitc.ptr<i32>, !emitc.ptr<i32>) -> f32 // error
  return
}
// -----
func.func @pointers(%p: !emitc.ptr<i32>) {
  %0 = emitc.sub %p, %p : (!emitc.ptr<i32>, !emitc.ptr<i32>) -> !emitc.ptrdiff_t
  return
}
// -----
func.func @assign(%a: f32) {
  %0 = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<i32>
  emitc.assign %a : f32 to %0 : !emitc.lvalue<i32> // error
  return
}
// -----
func.func @assign(%a: i32) {
  %0 = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<i32>
  emitc.assign %a : i32 to %0 : !emitc.lvalue<i32>
  return
}
// -----
func.func @subscript(%p: !emitc.ptr<f32>, %i: index) {
  %0 = emitc.subscript %p[%i] : (!emitc.ptr<f32>, index) -> !emitc.lvalue<i32> // error
  return
}
// -----
func.func @subscript(%p: !emitc.ptr<f32>, %i: index) {
  %0 = emitc.subscript %p[%i] : (!emitc.ptr<f32>, index) -> !emitc.lvalue<f32>
  return
}
// -----
func.func @call() {
  emitc.call_opaque ""() : () -> () // error
  return
}
// -----
func.func @member(%a: !emitc.lvalue<i32>) {
  %0 = "emitc.member"(%a) <{member = "x"}> : (!emitc.lvalue<i32>) -> !emitc.lvalue<i32> // error
  return
}
// -----
func.func @member(%a: !emitc.lvalue<!emitc.opaque<"s">>) {
  %0 = "emitc.member"(%a) <{member = "x"}> : (!emitc.lvalue<!emitc.opaque<"s">>) -> !emitc.lvalue<i32>
  return
}
// -----
func.func @loop(%a: index) {
  "acc.loop"(%a) <{inclusiveUpperbound = array<i1: false>, independent = [#acc.device_type<none>], seq = [#acc.device_type<none>], operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0>}> ({ // error
    acc.yield
  }) : (index) -> ()
  return
}
// -----
acc.private.recipe @privatization : !llvm.ptr init { // error
^bb0(%a: i32):
  acc.yield %a : i32
}
// -----
acc.private.recipe @privatization : i32 init {
^bb0(%a: i32):
  acc.yield %a : i32
}
// -----
acc.reduction.recipe @reduction : i64 reduction_operator<add> init { // error
^bb0(%a: i64):
  acc.yield %a : i64
} combiner {
^bb0(%a: i64):
  acc.yield %a : i64
}
// -----
func.func @set(%a: i32) {
  acc.set // error
  return
}
// -----
func.func @set(%a: i32) {
  acc.set default_async(%a : i32)
  return
}
// -----
func.func @private(%a: memref<10xf32>) {
  %0 = acc.private varPtr(%a : memref<10xf32>) -> memref<10xf32> // error
  return
}
// -----
func.func @wait(%a: i64) {
  acc.wait async(%a : i64) wait_devnum(%a : i64) // error
  return
}
// -----
func.func @update() {
  acc.update // error
  return
}
// -----
async.func @none() { // error
  return
}
// -----
async.func @other(%a: f32) -> f32 { // error
  return %a : f32
}
// -----
async.func @value(%a: f32) -> (!async.token, !async.value<i32>) {
  return %a : f32 // error
}
// -----
async.func @value(%a: f32) -> (!async.token, !async.value<f32>) {
  return %a : f32
}
// -----
func.func @bitcast(%a: f32) {
  %0 = spirv.Bitcast %a : f32 to i64 // error
  return
}
// -----
func.func @bitcast(%a: vector<2xf32>) {
  %0 = spirv.Bitcast %a : vector<2xf32> to i64
  return
}
// -----
func.func @broadcast(%a: f32, %id: i32) {
  %0 = spirv.GroupNonUniformBroadcast <Subgroup> %a, %id : f32, i32 // error
  return
}
// -----
func.func @length(%a: vector<3xf16>) {
  %0 = spirv.GL.Length %a : vector<3xf16> -> f32 // error
  return
}
// -----
func.func @length(%a: vector<3xf16>) {
  %0 = spirv.GL.Length %a : vector<3xf16> -> f16
  return
}
// -----
func.func @affine(%m: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %t = gpu.thread_id x
    %0 = affine.load %m[%t] : memref<8xf32>
    affine.for %j = 0 to %t {
    }
  }
  return
}
// -----
func.func @affine(%n: index, %a: memref<8xf32>, %b: memref<8xf32, 2>, %t: memref<1xi32, 4>) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 8 {
    %k = affine.load %a[%i] : memref<8xf32>
    %l = arith.fptosi %k : f32 to i32
    %m = arith.index_cast %l : i32 to index
    affine.dma_start %a[%i], %b[%n], %t[%c0], %n : memref<8xf32>, memref<8xf32, 2>, memref<1xi32, 4>
    affine.dma_wait %t[%m], %n : memref<1xi32, 4> // error
  }
  return
}
// -----
func.func @affine(%n: index, %a: memref<8xf32>, %b: memref<8xf32, 2>, %t: memref<1xi32, 4>) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 8 {
    %k = arith.muli %i, %n : index
    affine.dma_start %a[%i], %b[%k], %t[%c0], %n : memref<8xf32>, memref<8xf32, 2>, memref<1xi32, 4> // error
  }
  return
}
// -----
func.func @ptr(%m: memref<f32>) {
  %0 = ptr.to_ptr %m : memref<f32> -> !ptr.ptr<#ptr.generic_space> // error
  return
}
// -----
func.func @ptr(%m: memref<f32, #ptr.generic_space>) {
  %0 = ptr.to_ptr %m : memref<f32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  return
}
// -----
func.func @ptr(%p: !ptr.ptr<#llvm.address_space<1>>) {
  %0 = ptr.load %p : !ptr.ptr<#llvm.address_space<1>> -> vector<4xf32>
  %1 = ptr.load %p : !ptr.ptr<#llvm.address_space<1>> -> tensor<4xf32> // error
  return
}
// -----
spirv.module Logical GLSL450 {
  spirv.func @convert(%p: !spirv.ptr<i32, Generic>) "None" {
    %0 = spirv.ConvertPtrToU %p : !spirv.ptr<i32, Generic> to i32 // error
    spirv.Return
  }
}
// -----
spirv.module Physical64 OpenCL {
  spirv.func @convert(%p: !spirv.ptr<i32, Generic>, %i: i32) "None" {
    %0 = spirv.ConvertPtrToU %p : !spirv.ptr<i32, Generic> to i32
    %1 = spirv.ConvertUToPtr %i : i32 to !spirv.ptr<i32, Generic>
    spirv.Return
  }
}
// -----
func.func @matrix(%m: !spirv.matrix<3 x vector<2xf32>>, %n: !spirv.matrix<2 x vector<3xf32>>) {
  %0 = spirv.MatrixTimesMatrix %m, %n : !spirv.matrix<3 x vector<2xf32>>, !spirv.matrix<2 x vector<3xf32>> -> !spirv.matrix<2 x vector<2xf32>>
  %1 = spirv.Transpose %m : !spirv.matrix<3 x vector<2xf32>> -> !spirv.matrix<2 x vector<3xf32>>
  %2 = spirv.Transpose %m : !spirv.matrix<3 x vector<2xf32>> -> !spirv.matrix<3 x vector<3xf32>> // error
  return
}
// -----
func.func @matrix(%m: !spirv.matrix<4 x vector<3xf32>>, %v: vector<4xf32>, %w: vector<3xf32>) {
  %0 = spirv.MatrixTimesVector %m, %v : !spirv.matrix<4 x vector<3xf32>>, vector<4xf32> -> vector<3xf32>
  %1 = spirv.VectorTimesMatrix %w, %m : vector<3xf32>, !spirv.matrix<4 x vector<3xf32>> -> vector<4xf32>
  %2 = spirv.MatrixTimesVector %m, %v : !spirv.matrix<4 x vector<3xf32>>, vector<4xf32> -> vector<4xf32> // error
  return
}
// -----
func.func @matrix(%m: !spirv.matrix<5 x vector<3xf32>>) { // error
  return
}
// -----
func.func @matrix(%a: !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>, %b: !spirv.coopmatrix<16x4xi32, Subgroup, MatrixB>, %c: !spirv.coopmatrix<8x4xi32, Subgroup, MatrixAcc>) {
  %0 = spirv.KHR.CooperativeMatrixMulAdd %a, %b, %c : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>, !spirv.coopmatrix<16x4xi32, Subgroup, MatrixB> -> !spirv.coopmatrix<8x4xi32, Subgroup, MatrixAcc>
  %1 = spirv.KHR.CooperativeMatrixMulAdd %a, %b, %b : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>, !spirv.coopmatrix<16x4xi32, Subgroup, MatrixB> -> !spirv.coopmatrix<16x4xi32, Subgroup, MatrixB> // error
  return
}
// -----
gpu.module @nvvm [#nvvm.target<chip = "sm_90">] {
  func.func @f(%p: !llvm.ptr<7>, %n: i32) {
    nvvm.cluster.wait
    nvvm.tcgen05.alloc %p, %n : !llvm.ptr<7>, i32 // error
    return
  }
}
// -----
gpu.module @nvvm [#nvvm.target<chip = "sm_100a">] {
  func.func @f(%p: !llvm.ptr<7>, %n: i32) {
    nvvm.tcgen05.alloc %p, %n : !llvm.ptr<7>, i32
    return
  }
}
// -----
gpu.module @nvvm [#nvvm.target<chip = "sm_80">] {
  func.func @f() {
    nvvm.cluster.wait // error
    return
  }
}
// -----
gpu.module @nvvm [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  func.func @f() {
    nvvm.cluster.wait
    return
  }
}
// -----
llvm.func @nvvm(%a: f32) {
  %0 = nvvm.convert.float.to.tf32 %a {rnd = #nvvm.fp_rnd_mode<rna>}
  %1 = nvvm.convert.float.to.tf32 %a {rnd = #nvvm.fp_rnd_mode<rm>} // error
  llvm.return
}
// -----
llvm.func @nvvm(%a: f32) {
  %0 = nvvm.convert.f32x2.to.f8x2 %a, %a {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
  %1 = nvvm.convert.f32x2.to.f8x2 %a, %a {rnd = #nvvm.fp_rnd_mode<rz>} : i16 (f8E8M0FNU)
  %2 = nvvm.convert.f32x2.to.f8x2 %a, %a {rnd = #nvvm.fp_rnd_mode<rn>} : i16 (f8E4M3FN) // error
  llvm.return
}
// -----
irdl.dialect @d {
  irdl.type @t {
    %0 = irdl.any
    irdl.parameters(a: %0, b: %0, a: %0) // error
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.any
    irdl.operands(aB: %0) // error
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.region with size 1
    %1 = irdl.region with size 0 // error
    irdl.regions(a: %0)
  }
}
// -----
func.func @outer() {
  func.func @inner(f32) { // error
  ^entry:
    return
  }
  return
}
// -----
func.func @f(%a: i64 {test.invalid_attr}) { // error
  return
}
// -----
func.func @ptr(%p: !ptr.ptr<#ptr.generic_space>, %i: i64) {
  %0 = ptr.load volatile %p atomic syncscope("workgroup") acquire nontemporal alignment = 4 : !ptr.ptr<#ptr.generic_space> -> i32
  ptr.store %i, %p atomic monotonic alignment = 8 : i64, !ptr.ptr<#ptr.generic_space>
  return
}
// -----
func.func @sizes_of_lists(%a: i32, %b: i64) {
  "cf.switch"(%a, %b)[^a, ^c] <{case_values = dense<1> : vector<1xi32>, case_operand_segments = array<i32: 2>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i64) -> () // error
^a:
  return
^c(%x: i64):
  return
}
// -----
func.func @sizes_of_lists(%a: i32, %b: i64) {
  "cf.switch"(%a, %b)[^a, ^c] <{case_values = dense<1> : vector<1xi32>, case_operand_segments = array<i32: -1>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i64) -> () // error
^a:
  return
^c(%x: i64):
  return
}
// -----
func.func @sizes_of_lists(%a: i32, %b: i64) {
  "cf.switch"(%a, %b)[^a, ^c, ^a] <{case_values = dense<1> : vector<1xi32>, case_operand_segments = array<i32: 1, 0>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i64) -> () // error
^a:
  return
^c(%x: i64):
  return
}
// -----
func.func @type_of_cases(%a: i32) {
  "cf.switch"(%a)[^a, ^a] <{case_values = dense<1> : vector<1xi64>, case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> () // error
^a:
  return
}
// -----
func.func @sizes_of_lists(%a: i32, %b: i64) {
  "cf.switch"(%a, %b)[^a, ^c, ^a] <{case_values = dense<[1, 2]> : vector<2xi32>, case_operand_segments = array<i32: 1, 0>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i64) -> ()
^a:
  return
^c(%x: i64):
  return
}
// -----
func.func @more_sizes_than_cases(%a: i32, %b: i64) {
  "cf.switch"(%a, %b)[^a, ^c] <{case_values = dense<1> : vector<1xi32>, case_operand_segments = array<i32: 1, 0>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i64) -> ()
^a:
  return
^c(%x: i64):
  return
}
// -----
llvm.func @sizes_of_lists(%a: i32, %b: i64) {
  "llvm.switch"(%a, %b)[^a, ^c] <{case_values = dense<1> : vector<1xi32>, case_operand_segments = array<i32: 2>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i64) -> () // error
^a:
  llvm.return
^c(%x: i64):
  llvm.return
}
// -----
llvm.func @number_of_cases(%a: i32) {
  "llvm.switch"(%a)[^a, ^a, ^a] <{case_values = dense<1> : vector<1xi32>, case_operand_segments = array<i32: 0, 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> () // error
^a:
  llvm.return
}
// -----
llvm.func @sizes_of_lists(%a: !llvm.ptr, %b: i64) {
  "llvm.indirectbr"(%a, %b)[^c] <{indbr_operand_segments = array<i32: 2>}> : (!llvm.ptr, i64) -> () // error
^c(%x: i64):
  llvm.return
}
// -----
llvm.func @sizes_of_lists(%a: !llvm.ptr, %b: i64) {
  "llvm.indirectbr"(%a, %b)[^c] <{indbr_operand_segments = array<i32: 1>}> : (!llvm.ptr, i64) -> ()
^c(%x: i64):
  llvm.return
}
// -----
func.func @sizes_of_lists(%c: i1, %p: !llvm.ptr) {
  "llvm.intr.assume"(%c, %p) <{op_bundle_sizes = array<i32: 2>, op_bundle_tags = ["align"]}> : (i1, !llvm.ptr) -> () // error
  return
}
// -----
func.func @sizes_of_lists(%c: i1, %p: !llvm.ptr) {
  "llvm.intr.assume"(%c, %p) <{op_bundle_sizes = array<i32: 1>, op_bundle_tags = ["align"]}> : (i1, !llvm.ptr) -> ()
  return
}
// -----
func.func @sizes_of_lists(%a: i32, %b: i64) {
  "spirv.Switch"(%a, %b)[^a, ^c] <{literals = dense<1> : vector<1xi32>, case_operand_segments = array<i32: 2>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i64) -> () // error
^a:
  spirv.Return
^c(%x: i64):
  spirv.Return
}
// -----
func.func @tile() {
  %0 = amx.tile_zero : !amx.tile<17x16xbf16> // error
  return
}
// -----
func.func @tile() {
  %0 = amx.tile_zero : !amx.tile<16x5xi8> // error
  return
}
// -----
func.func @tile() {
  %0 = amx.tile_zero : !amx.tile<8x8xi16> // error
  return
}
// -----
func.func @tile() {
  %0 = amx.tile_zero : !amx.tile<32xi8> // error
  return
}
// -----
func.func @tile(%m: memref<?x?xf32, strided<[?, ?]>>, %i: index) {
  %0 = amx.tile_load %m[%i, %i] : memref<?x?xf32, strided<[?, ?]>> into !amx.tile<16x16xf32> // error
  return
}
// -----
func.func @tile(%m: memref<?x?xf32, strided<[?, 1]>>, %i: index, %s: index) {
  %0 = amx.tile_load %m[%i, %i] : memref<?x?xf32, strided<[?, 1]>> into !amx.tile<16x16xf32>
  %1 = amx.tile_zero : !amx.tile<16x32xbf16>
  %2 = amx.tile_mulf %1, %1, %0 : !amx.tile<16x32xbf16>, !amx.tile<16x32xbf16>, !amx.tile<16x16xf32>
  return
}
// -----
llvm.mlir.global internal constant @constant(37.0) : !llvm.label // error
// -----
llvm.mlir.global internal constant @string("foobar") : !llvm.array<42 x i8> // error
// -----
llvm.mlir.global internal constant @string("foobar") : !llvm.array<6 x i8>
// -----
llvm.mlir.global internal @two(0) : i64, i32 // error
// -----
llvm.mlir.global internal @g() : i32 { // error
  %c = llvm.mlir.constant(42 : i64) : i64
  llvm.return %c : i64
}
// -----
llvm.mlir.global internal @g(43 : i64) : i64 { // error
  %c = llvm.mlir.constant(42 : i64) : i64
  llvm.return %c : i64
}
// -----
llvm.mlir.global internal @g() : i64 {
  %c = llvm.mlir.constant(42 : i64) : i64
  llvm.return %c : i64
}
// -----
func.func @f() {
  %0 = llvm.mlir.addressof @f : !llvm.ptr // error
  return
}
// -----
llvm.mlir.global internal @g(32 : i64) {addr_space = 3: i32} : i64
func.func @f() {
  %0 = llvm.mlir.addressof @g : !llvm.ptr<4> // error
  return
}
// -----
llvm.mlir.global internal @g(32 : i64) {addr_space = 3: i32} : i64
func.func @f() {
  %0 = llvm.mlir.addressof @g : !llvm.ptr<3>
  return
}
// -----
ml_program.global private mutable @var(42 : i64) : i64
ml_program.func @f() -> i32 {
  %0 = ml_program.global_load @var : i32 // error
  ml_program.return %0 : i32
}
// -----
ml_program.global private @var(42 : i64) : i64
ml_program.func @f(%a: i64) {
  ml_program.global_store @var = %a : i64 // error
  ml_program.return
}
// -----
ml_program.func @f(%a: i32) -> i32 {
  ml_program.return %a, %a : i32, i32 // error
}
// -----
ml_program.global private mutable @var(42 : i64) : i64
ml_program.func @f(%a: i64) -> i64 {
  ml_program.global_store @var = %a : i64
  %0 = ml_program.global_load @var : i64
  ml_program.return %0 : i64
}
// -----
llvm.func @f(%a: !llvm.ptr {llvm.byval = i32, nvvm.grid_constant}) { // error
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr {nvvm.grid_constant}) attributes {nvvm.kernel} { // error
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr {llvm.byval = i32, nvvm.grid_constant = true}) attributes {nvvm.kernel} { // error
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr {llvm.byval = i32, nvvm.grid_constant}) attributes {nvvm.kernel} {
  llvm.return
}
// -----
llvm.func @f(%a: i32 {llvm.noalias}) // error
// -----
llvm.func @f() -> (i32 {llvm.noalias}) // error
// -----
llvm.func @f() -> (!llvm.ptr {llvm.byval = i32}) // error
// -----
llvm.func @f(%a: !llvm.ptr {llvm.noalias}) -> (!llvm.ptr {llvm.noalias, llvm.align = 4 : i64})
// -----
"t.x"() {transform.with_named_sequence} : () -> () // error
// -----
"t.x"() {transform.target_tag = 1} : () -> () // error
// -----
"t.x"() {a = #dlti.dl_spec<index = 32 : i64, index = 32 : i64>} : () -> () // error
// -----
"t.x"() {a = #dlti.map<"" = 32 : i64>} : () -> () // error
// -----
"t.x"() {a = #dlti.map<"a" = 32 : i64, "b" = 32 : i64>} : () -> ()
// -----
"t.x"() {a = memref<2xf32, affine_map<(d0) -> (d0 + 1)>, 1, 2>} : () -> () // error
// -----
"t.x"() {a = memref<2xf32, 1, affine_map<(d0) -> (d0 + 1)>>} : () -> () // error
// -----
"t.x"() {a = memref<*xf32, affine_map<(d0) -> (d0)>>} : () -> () // error
// -----
"t.x"() {a = memref<2xf32, >} : () -> () // error
// -----
"t.x"() {a = memref<2xf32, affine_map<(d0) -> (d0 + 1)>, 1>, b = memref<*xf32, 1>} : () -> ()
// -----
func.func @cast(%x: f32) {
  %0 = quant.qcast %x : f32 to !quant.uniform<i8:f32, 1.0>
  return
}
// -----
func.func @cast(%x: f16) {
  %0 = quant.qcast %x : f16 to !quant.uniform<i8:f32, 1.0> // error
  return
}
// -----
func.func @cast(%x: tensor<2x3xf32>) {
  %0 = quant.qcast %x : tensor<2x3xf32> to tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0}>>
  return
}
// -----
func.func @cast(%x: tensor<2x3xf32>) {
  %0 = quant.qcast %x : tensor<2x3xf32> to tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 2.0}>> // error
  return
}
// -----
func.func @cast(%x: tensor<4x?xi8>) {
  %0 = quant.scast %x : tensor<4x?xi8> to tensor<4x?x!quant.uniform<i8:f32:{0:2}, {{1.0}, {2.0}}>>
  return
}
// -----
func.func @cast(%x: tensor<3x?xi8>) {
  %0 = quant.scast %x : tensor<3x?xi8> to tensor<3x?x!quant.uniform<i8:f32:{0:2}, {{1.0}, {2.0}}>> // error
  return
}
// -----
func.func @cast(%x: i8) {
  %0 = quant.scast %x : i8 to i8 // error
  return
}
// -----
func.func private @f(!quant.uniform<i8<-4:3>:f16, 6.0e4>)
// -----
func.func private @f(!quant.uniform<i8<-4:3>:f16, 6.6e4>) // error
// -----
func.func private @f(!quant.any<i4<-9:1>>) // error
// -----
func.func private @f(!quant.any<i8<1:1>>) // error
// -----
func.func private @f(!quant.uniform<i8:f32:{0:0}, {1.0}>) // error
// -----
%0 = smt.forall ["a"] {
^bb0(%a: !smt.int):
  %1 = smt.eq %a, %a : !smt.int
  smt.yield %1 : !smt.bool
} patterns {
^bb0(%a: !smt.int):
  smt.yield %a : !smt.int
}
// -----
%0 = smt.forall ["a", "b"] { // error
^bb0(%a: !smt.int):
  %1 = smt.eq %a, %a : !smt.int
  smt.yield %1 : !smt.bool
}
// -----
%0 = smt.exists { // error
^bb0(%a: !smt.bool):
  smt.yield %a : !smt.bool
} patterns {
^bb0(%a: !smt.int):
  smt.yield %a : !smt.int
}
// -----
%0 = smt.exists { // error
^bb0(%a: !smt.bool):
  smt.yield %a : !smt.bool
} patterns {
^bb0(%a: !smt.bool):
  %1 = arith.constant 0 : i1
  smt.yield %a : !smt.bool
}
// -----
wasmssa.import_global "g" from "m" as @g : i32
wasmssa.global exported @h i32 : {
  %0 = wasmssa.global_get @g : i32
  wasmssa.return %0 : i32
}
// -----
wasmssa.import_global "g" from "m" as @g mutable : i32
wasmssa.global @h i32 : {
  %0 = wasmssa.global_get @g : i32 // error
  wasmssa.return %0 : i32
}
// -----
wasmssa.global @h i32 : { // error
  %0 = wasmssa.const 1 : i32
  %1 = wasmssa.clz %0 : i32
  wasmssa.return %1 : i32
}
// -----
irdl.dialect @d {
  irdl.type @t {
    %0 = irdl.any
    irdl.parameters(p: %0)
  }
  irdl.operation @o {
    %0 = irdl.base @d::@t
    %1 = irdl.base "!builtin.integer"
    irdl.operands(a: %0)
    irdl.results(b: %1)
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o { // error
    %0 = irdl.any
    irdl.operands(a: %0)
    irdl.results(a: %0)
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.base @missing // error
    irdl.operands(a: %0)
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.base "builtin.integer" // error
    irdl.operands(a: %0)
  }
}
// -----
spirv.func @f(%a: !spirv.ptr<i32, PhysicalStorageBuffer> {spirv.decoration = #spirv.decoration<Aliased>}) "None" {
  spirv.Return
}
// -----
spirv.func @f(%a: !spirv.ptr<!spirv.array<4 x i32>, PhysicalStorageBuffer>) "None" {
  spirv.Return
}
// -----
spirv.func @f(%a: !spirv.ptr<i32, PhysicalStorageBuffer>) "None" { // error
  spirv.Return
}
// -----
spirv.ARM.Graph @g(%a: !spirv.arm.tensor<4xi16>) -> !spirv.arm.tensor<4xi16> {
  spirv.ARM.GraphOutputs %a : !spirv.arm.tensor<4xi16>
}
// -----
spirv.ARM.Graph @g(%a: !spirv.arm.tensor<4xi16>) -> !spirv.arm.tensor<5xi16> {
  spirv.ARM.GraphOutputs %a : !spirv.arm.tensor<4xi16> // error
}
// -----
%0 = spirv.ARM.GraphConstant {graph_constant_id = 42 : i32} : !spirv.arm.tensor<2x3xi16> // error
// -----
func.func @tile(%n: i32) {
  %a = omp.new_cli
  %b = omp.new_cli
  omp.canonical_loop(%a) %i : i32 in range(%n) {
    omp.canonical_loop(%b) %j : i32 in range(%n) {
      omp.terminator
    }
    omp.terminator
  }
  omp.tile <-(%a, %b) sizes(%n, %n : i32, i32)
  return
}
// -----
func.func @tile(%n: i32) {
  %a = omp.new_cli
  %b = omp.new_cli
  omp.canonical_loop(%a) %i : i32 in range(%n) {
    omp.canonical_loop(%b) %j : i32 in range(%i) {
      omp.terminator
    }
    omp.terminator
  }
  omp.tile <-(%a, %b) sizes(%n, %n : i32, i32) // error
  return
}
// -----
func.func @handle() {
  %a = omp.new_cli // error
  omp.unroll_heuristic(%a)
  return
}
// -----
pdl_interp.func @f(%v: !pdl.value, %t: !pdl.type) {
  %0 = pdl_interp.create_range %v, %v : !pdl.value, !pdl.value
  pdl_interp.finalize
}
// -----
pdl_interp.func @f(%v: !pdl.value, %t: !pdl.type) {
  %0 = pdl_interp.create_range %v, %t : !pdl.value, !pdl.type // error
  pdl_interp.finalize
}
// -----
pdl_interp.func @f() {
  %0 = pdl_interp.create_operation "nobody.knows" -> <inferred> // error
  pdl_interp.finalize
}
// -----
%0 = "test.make"() : () -> !pdl.range<value>
// -----
func.func private @f(!pdl.range<range<value>>) // error
// -----
func.func private @f(!quant.calibrated<f32<-0.998:1.232>>)
// -----
func.func private @f(!quant.calibrated<i8<-4.0:3.0>>) // error
// -----
func.func private @f(!quant.calibrated<f32<-0.998>>) // error
// -----
func.func private @f(!quant.calibrated<f32<1.0:1.0>>) // error
// -----
func.func private @f(!quant.foobar) // error
// -----
func.func @barrier() {
  spirv.ControlBarrier <Workgroup>, <Device>, <Acquire|UniformMemory>
  return
}
// -----
func.func @barrier() {
  spirv.ControlBarrier <Something>, <Device>, <Acquire|UniformMemory> // error
  return
}
// -----
#map = affine_map<(i) -> (-(i))>
func.func private @f() attributes {test.map = #map}
// -----
#map = affine_map<(i) -> (-())> // error
// -----
func.func @frexp(%a: f32, %b: vector<3xf32>) {
  %0 = spirv.GL.FrexpStruct %a : f32 -> !spirv.struct<(f32, i32)>
  %1 = spirv.GL.FrexpStruct %b : vector<3xf32> -> !spirv.struct<(vector<3xf32>, vector<3xi32>)>
  return
}
// -----
func.func @frexp(%a: f32) {
  %0 = spirv.GL.FrexpStruct %a : f32 -> !spirv.struct<(vector<3xf32>, i32)> // error
  return
}
// -----
func.func @frexp(%a: f32) {
  %0 = spirv.GL.FrexpStruct %a : f32 -> !spirv.struct<(f32, i64)> // error
  return
}
// -----
func.func @frexp(%b: vector<3xf32>) {
  %0 = spirv.GL.FrexpStruct %b : vector<3xf32> -> !spirv.struct<(vector<3xf32>, vector<2xi32>)> // error
  return
}
// -----
func.func @frexp(%a: f32) {
  %0 = spirv.GL.FrexpStruct %a : f32 -> !spirv.struct<(f32, i32, i32)> // error
  return
}
// -----
func.func @not(%a: i1) {
  %0 = spirv.LogicalNot %a : i1
  return
}
// -----
func.func @not(%a: i32) {
  %0 = spirv.LogicalNot %a : i32 // error
  return
}
// -----
ml_program.func @ordered(%a: i32) -> i32 {
  %0 = "test.use"(%a) : (i32) -> i32
  %1 = "test.use"(%0) : (i32) -> i32
  ml_program.return %1 : i32
}
// -----
ml_program.func @ordered(%a: i32) -> i32 {
  %1 = "test.use"(%0) : (i32) -> i32 // error
  %0 = "test.use"(%a) : (i32) -> i32
  ml_program.return %1 : i32
}
// -----
ml_program.subgraph @unordered(%a: i32) -> i32 {
  %1 = "test.use"(%0) : (i32) -> i32
  %0 = "test.use"(%a) : (i32) -> i32
  ml_program.output %1 : i32
}
// -----
%0 = smt.bv.constant #smt.bv<3> : !smt.bv<2>
%1 = smt.bv.constant #smt.bv<-2> : !smt.bv<2>
// -----
%0 = smt.bv.constant #smt.bv<4> : !smt.bv<2> // error
// -----
%0 = smt.bv.constant #smt.bv<-3> : !smt.bv<2> // error
// -----
%0 = smt.int.constant 184467440737095516152
%1 = smt.int.constant -184467440737095516152
// -----
func.func @g() {
  return
}
func.func @f() attributes {test.ref = #test.symbol_ref_attr<@g>} {
  return
}
// -----
func.func @f() attributes {test.ref = #test.symbol_ref_attr<@g>} { // error
  return
}
// -----
func.func private @f() attributes {test.shape = #test.decimal_shape<0x3x7>}
// -----
func.func private @f() attributes {test.shape = #test.decimal_shape<1x0xb>} // error
// -----
%0 = test.result_has_same_type_as_attr #test<attr_with_type_builder 10 : i16> -> i16
// -----
func.func @f(%s: memref<4xf32>, %t: tensor<4xf32>, %i: index, %j: i32, %tag: memref<1xi32>) {
  "memref.dma_start"(%s, %i, %i) : (memref<4xf32>, index, index) -> () // error
  return
}
// -----
func.func @f(%s: memref<4xf32>, %t: tensor<4xf32>, %i: index, %j: i32, %tag: memref<1xi32>) {
  "memref.dma_start"(%t, %i, %s, %i, %i, %tag, %i) : (tensor<4xf32>, index, memref<4xf32>, index, index, memref<1xi32>, index) -> () // error
  return
}
// -----
func.func @f(%s: memref<4xf32>, %t: tensor<4xf32>, %i: index, %j: i32, %tag: memref<1xi32>) {
  "memref.dma_start"(%s, %i, %t, %i, %i, %tag, %i) : (memref<4xf32>, index, tensor<4xf32>, index, index, memref<1xi32>, index) -> () // error
  return
}
// -----
func.func @f(%s: memref<4xf32>, %t: tensor<4xf32>, %i: index, %j: i32, %tag: memref<1xi32>) {
  "memref.dma_start"(%s, %j, %s, %i, %i, %tag, %i) : (memref<4xf32>, i32, memref<4xf32>, index, index, memref<1xi32>, index) -> () // error
  return
}
// -----
func.func @f(%s: memref<4xf32>, %t: tensor<4xf32>, %i: index, %j: i32, %tag: memref<1xi32>) {
  "memref.dma_start"(%s, %i, %s, %i, %j, %tag, %i) : (memref<4xf32>, index, memref<4xf32>, index, i32, memref<1xi32>, index) -> () // error
  return
}
// -----
func.func @f(%s: memref<4xf32>, %t: tensor<4xf32>, %i: index, %j: i32, %tag: memref<1xi32>) {
  "memref.dma_start"(%s, %i, %s, %i, %i, %t, %i) : (memref<4xf32>, index, memref<4xf32>, index, index, tensor<4xf32>, index) -> () // error
  return
}
// -----
func.func @f(%s: memref<4xf32>, %t: tensor<4xf32>, %i: index, %j: i32, %tag: memref<1xi32>) {
  "memref.dma_start"(%s, %i, %s, %i, %i, %tag, %j) : (memref<4xf32>, index, memref<4xf32>, index, index, memref<1xi32>, i32) -> () // error
  return
}
// -----
func.func @f(%s: memref<4xf32>, %t: tensor<4xf32>, %i: index, %j: i32, %tag: memref<1xi32>) {
  "memref.dma_start"(%s, %i, %s, %i, %i, %tag, %i, %i) : (memref<4xf32>, index, memref<4xf32>, index, index, memref<1xi32>, index, index) -> () // error
  return
}
// -----
func.func @f(%s: memref<4xf32>, %t: tensor<4xf32>, %i: index, %j: i32, %tag: memref<1xi32>) {
  "memref.dma_start"(%s, %i, %s, %i, %i, %tag, %i, %i, %j) : (memref<4xf32>, index, memref<4xf32>, index, index, memref<1xi32>, index, index, i32) -> () // error
  return
}
// -----
func.func @f(%s: memref<4xf32>, %t: tensor<4xf32>, %i: index, %j: i32, %tag: memref<1xi32>) {
  "memref.dma_start"(%s, %i, %s, %i) : (memref<4xf32>, index, memref<4xf32>, index) -> () // error
  return
}
// -----
func.func @f(%s: memref<4xf32>, %t: tensor<4xf32>, %i: index, %j: i32, %tag: memref<1xi32>) {
  "memref.dma_start"(%s, %i, %s, %i, %i, %tag) : (memref<4xf32>, index, memref<4xf32>, index, index, memref<1xi32>) -> () // error
  return
}
// -----
func.func @f(%s: memref<4xf32>, %i: index, %tag: memref<1xi32>, %z: memref<f32>) {
  "memref.dma_start"(%s, %i, %s, %i, %i, %tag, %i, %i, %i) : (memref<4xf32>, index, memref<4xf32>, index, index, memref<1xi32>, index, index, index) -> ()
  memref.dma_start %z[], %z[], %i, %tag[%i] : memref<f32>, memref<f32>, memref<1xi32>
  return
}
// -----
func.func private @f() attributes {test.a = tensor<2x!spirv.ptr<f32, Function>>}
// -----
func.func private @f() attributes {test.a = !llvm.struct<"l", (i32)>, test.b = !llvm.struct<"m", (i64)>, test.c = !llvm.struct<"l", (i32)>}
// -----
func.func private @f() attributes {test.a = !llvm.struct<"l", (array<2 x struct<"m", (i32)>>)>, test.b = !llvm.struct<"m", (i32)>}
// -----
module attributes {llvm.data_layout = ""} {}
// -----
module attributes {llvm.data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"} {}
// -----
module attributes {llvm.data_layout = "E-s64-ni:1-P1-A5-G1-Fn32-v16:16-a:0:32"} {}
// -----
func.func private @f() attributes {test.a = vector<2x!spirv.ptr<f32, Function>>} // error
// -----
func.func private @f() attributes {test.a = memref<2x!spirv.struct<(f32)>>} // error
// -----
func.func private @f() attributes {test.a = memref<2x!spirv.array<4xf32>>} // error
// -----
func.func private @f() attributes {test.a = vector<2x!amx.tile<16x16xbf16>>} // error
// -----
func.func private @f() attributes {test.a = !llvm.struct<"l", (i32)>, test.b = !llvm.struct<"l", (i64)>} // error
// -----
func.func private @f() attributes {test.a = !llvm.struct<"l", (i32)>, test.b = !llvm.struct<"l", opaque>} // error
// -----
func.func private @f() attributes {test.a = !llvm.struct<"l", (i32)>, test.b = !llvm.struct<"l", packed (i32)>} // error
// -----
func.func private @f() attributes {test.a = !llvm.struct<"l", (array<2 x struct<"m", (i32)>>)>, test.b = !llvm.struct<"m", (i64)>} // error
// -----
module attributes {llvm.data_layout = "bogus-layout"} {} // error
// -----
module attributes {llvm.data_layout = "e--i64:64"} {} // error
// -----
module attributes {llvm.data_layout = "ee"} {} // error
// -----
module attributes {llvm.data_layout = 1 : i32} {} // error
// -----
llvm.func @f(!llvm.struct<"l", (i32, ptr)>)
llvm.func @g(!llvm.struct<"l", (i32, ptr)>, !llvm.struct<"m", (struct<"l", (i32, ptr)>)>)
// -----
llvm.func @f(!llvm.struct<"l", (i32, ptr)>)
llvm.func @g(!llvm.struct<"l", (i64, ptr)>) // error
// -----
llvm.func @f(!llvm.struct<"l", (i32, ptr)>)
llvm.func @g() -> !llvm.array<2 x struct<"l", (i32)>> // error
// -----
llvm.func @f(!llvm.struct<"l", (i32, struct<"l">)>)
// -----
llvm.func @f(!llvm.struct<"l", (i32, struct<"m", (struct<"l">)>)>)
llvm.func @g(!llvm.struct<"m", (struct<"l", (i32, struct<"m">)>)>)
// -----
llvm.func @f(!llvm.struct<"l", (i32, struct<"m", (struct<"l">)>)>)
llvm.func @g(!llvm.struct<"m", (struct<"l", (i64, struct<"m">)>)>) // error
// -----
llvm.func @f(!llvm.struct<"l", (struct<"l", (i32)>)>) // error
// -----
llvm.func @f(!llvm.struct<"l", opaque>)
llvm.func @g(!llvm.struct<"l", (i32)>) // error
// -----
llvm.func @f(!llvm.struct<"l <struct<\22", (i32)>, !llvm.struct<"l", (i64)>)
llvm.func @g(!llvm.struct<"l", (i64)>)
// -----
llvm.func @f(!llvm.struct<"l", (ptr<1>, struct<(i32)>)>)
llvm.func @g(%n: i32) {
  %0 = llvm.alloca %n x !llvm.array<3 x struct<"l", (ptr<2>, struct<(i32)>)>> : (i32) -> !llvm.ptr // error
  llvm.return
}
