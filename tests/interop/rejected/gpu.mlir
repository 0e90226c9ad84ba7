gpu.module @m {
  gpu.func @f(i32)
}
// -----
gpu.module @m {
  gpu.func @f(%a: i32) workgroup(%w: memref<1xf32>
}
// -----
gpu.module @m {
  gpu.func @f(%a: i32) workgroup(memref<1xf32>) {
  }
}
// -----
func.func @f(%i: index) {
  gpu.launch blocks(%a, %b) in (%c = %i, %d = %i, %e = %i) threads(%f, %g, %h) in (%j = %i, %k = %i, %l = %i) {
  }
}
// -----
func.func @f(%i: index) {
  gpu.launch blocks(%a, %b, %x) in (%c = %i, %d = %i, %e = %i) {
  }
}
// -----
func.func @f(%i: i32) {
  gpu.launch blocks(%a, %b, %x) in (%c = %i, %d = %i, %e = %i) threads(%f, %g, %h) in (%j = %i, %k = %i, %l = %i) {
  }
}
// -----
func.func @f(%i: index) {
  gpu.launch_func @m::@f blocks in (%i, %i) threads in (%i, %i, %i)
}
// -----
func.func @f(%i: index) {
  gpu.launch_func @m::@f blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%i index)
}
// -----
func.func @f(%i: index) {
  gpu.warp_execute_on_lane_0(%i) {
  }
}
// -----
func.func @f(%i: i32) {
  gpu.warp_execute_on_lane_0(%i)[32] {
  }
}
// -----
func.func @f() {
  %0 = gpu.thread_id w
}
// -----
func.func @f(%a: f32) {
  %0 = gpu.all_reduce sum %a {} : (f32) -> f32
}
// -----
func.func @f(%a: i32) {
  gpu.wait [%a]
}
