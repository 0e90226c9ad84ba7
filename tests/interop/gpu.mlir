module attributes {gpu.container_module} {
gpu.module @m [#nvvm.target] {
gpu.func @k(%a: index {llvm.foo}, %b: memref<4xf32>) workgroup(%w: memref<32xf32, 3> {llvm.align = 4 : i32}, %w2 : memref<1xf32, 3>) private(%p: memref<1xf32, 5>) kernel attributes {known_block_size = array<i32: 1,2,3>, x} {
  %t = gpu.thread_id x
  %t1 = gpu.thread_id y upper_bound 64
  %d = gpu.block_dim z
  %f = arith.constant 1.0 : f32
  %r = gpu.all_reduce add %f uniform {} : (f32) -> (f32)
  %r1 = gpu.all_reduce %f {
  ^bb0(%x: f32, %y: f32):
    gpu.yield %x : f32
  } : (f32) -> (f32)
  %r2 = gpu.subgroup_reduce mul %f cluster(size = 4, stride = 2) : (f32) -> (f32)
  gpu.barrier
  gpu.return
}
gpu.func @nk(%a: index) -> index {
  gpu.return %a : index
}
gpu.func @nk2() kernel {
  gpu.return
}
}
func.func @l(%i: index, %d: i32, %i64 : i64, %m: memref<4xf32>) {
  %t = gpu.wait async
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %i, %gy = %i, %gz = %i) threads(%tx, %ty, %tz) in (%sx = %i, %sy = %i, %sz = %i) { gpu.terminator } {z}
  %t2 = gpu.launch async [%t, %t] clusters(%cx, %cy, %cz) in (%ccx = %i, %ccy = %i, %ccz = %i) blocks(%bx, %by, %bz) in (%gx = %i, %gy = %i, %gz = %i) threads(%tx, %ty, %tz) in (%sx = %i, %sy = %i, %sz = %i) dynamic_shared_memory_size %d module(@m) function(@k) workgroup(%w : memref<1xf32, 3>) private(%p: memref<3xf32, 5>) { gpu.terminator }
  gpu.launch_func @m::@k blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%i : index, %m: memref<4xf32>)
  gpu.launch_func @m::@nk2 clusters in (%i64, %i64, %i64) blocks in (%i64, %i64, %i64) threads in (%i64, %i64, %i64) : i64 dynamic_shared_memory_size %d 
  %lt = gpu.launch_func async [%t] @m::@nk2 blocks in (%i, %i, %i) threads in (%i, %i, %i) 
  gpu.dealloc %m : memref<4xf32>
  %x, %y = gpu.alloc async [%t] (%i) : memref<?xf32>
  %x1 = gpu.alloc host_shared () : memref<4xf32>
  gpu.wait
  gpu.wait [%t]
  %w = gpu.warp_execute_on_lane_0(%i)[32] -> (f32) {
    %f = arith.constant 1.0 : f32
    gpu.yield %f : f32
  }
  gpu.warp_execute_on_lane_0(%i)[32] args(%m, %i : memref<4xf32>, index) {
  ^bb0(%q: memref<4xf32>, %z: index):
    gpu.yield
  } {a}
  return
}
}
