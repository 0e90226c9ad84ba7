// 2:111
func.func @f(%p: !llvm.ptr, %n: i64) {
  %2 = acc.map_info varPtr(%p : !llvm.ptr) varType(i32) size(%n : i64) elementSize(4) name("a") exitLoc("a.c":1:2) descKind(none) mapFlags(from,to) -> !llvm.ptr
  return
}
// -----
// 2:65
func.func @f(%p: !llvm.ptr, %n: i64) {
  %2 = acc.map_info varPtr(%p : !llvm.ptr) varType(i32) exitLoc("a.c") descKind(cfi, memref) mapFlags(from,to) -> !llvm.ptr
  return
}
// -----
// 2:65
func.func @f(%p: !llvm.ptr, %n: i64) {
  %2 = acc.map_info varPtr(%p : !llvm.ptr) varType(i32) exitLoc(3) descKind(cfi, memref) mapFlags(from,to) -> !llvm.ptr
  return
}
// -----
// 2:65
func.func @f(%p: !llvm.ptr, %n: i64) {
  %2 = acc.map_info varPtr(%p : !llvm.ptr) varType(i32) exitLoc() descKind(foo) mapFlags(from,to) -> !llvm.ptr
  return
}
// -----
// 2:66
func.func @f(%p: !llvm.ptr, %n: i64) {
  %2 = acc.map_info varPtr(%p : !llvm.ptr) varType(i32) descKind(foo) mapFlags(from|to) -> !llvm.ptr
  return
}
// -----
// 2:85
func.func @f(%p: !llvm.ptr, %n: i64) {
  %2 = acc.map_info varPtr(%p : !llvm.ptr) varType(i32) descKind(none) mapFlags(from|to) -> !llvm.ptr
  return
}
// -----
// 2:36
func.func @f(%a: memref<4xi32>, %i: index, %s: !gpu.async.token) {
  acc.compute_region launch() ins() {
  } {origin = "a"}
  return
}
// -----
// 2:34
func.func @f(%a: memref<4xi32>, %i: index, %s: !gpu.async.token) {
  acc.compute_region ins(%x = %a) stream(%s : !gpu.async.token) : (memref<4xi32>) {
  } {origin = "a"}
  return
}
// -----
// 2:31
func.func @f(%a: memref<4xi32>, %i: index, %s: !gpu.async.token) {
  acc.compute_region stream(%s) ins(%x = %a) : (memref<4xi32>) {
  } <{origin = "a"}> {foo}
  return
}
// -----
// 2:36
func.func @f(%a: memref<4xi32>, %i: index, %s: !gpu.async.token) {
  acc.compute_region ins(%x = %a) : memref<4xi32> {
  } <{origin = "a"}> {foo}
  return
}
// -----
// 2:34
func.func @f(%a: memref<4xi32>, %i: index, %s: !gpu.async.token) {
  acc.compute_region ins(%x = %a) {
  } <{origin = "a"}> {foo}
  return
}
// -----
// 2:27
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %m: memref<i32>) {
  omp.declare_simd linear(foo(%p : !llvm.ptr = %i : i32))
  return
}
// -----
// 2:30
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %m: memref<i32>) {
  omp.declare_simd linear(val %p : !llvm.ptr = %i : i32)
  return
}
// -----
// 2:29
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %m: memref<i32>) {
  omp.declare_simd linear(%p = %i : i32)
  return
}
// -----
// 2:46
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %m: memref<i32>) {
  omp.declare_simd linear(%p : !llvm.ptr = %i)
  return
}
// -----
// 2:27
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %m: memref<i32>) {
  omp.declare_simd linear()
  return
}
// -----
// 2:28
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %m: memref<i32>) {
  omp.declare_simd uniform()
  return
}
// -----
// 2:30
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %m: memref<i32>) {
  omp.declare_simd uniform(%p)
  return
}
// -----
// 2:153
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %m: memref<i32>) {
  omp.declare_simd uniform(%p : !llvm.ptr, %m : memref<i32>) linear(val(%p : !llvm.ptr = %i : i32)) notinbranch simdlen(4) aligned(%p : !llvm.ptr -> 8) linear_var_types([i32])
  return
}
// -----
// 2:27
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %m: memref<i32>) {
  omp.declare_simd linear(@a %p : !llvm.ptr = %i : i32)
  return
}
// -----
// 2:31
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %m: memref<i32>) {
  omp.declare_simd linear(val(@a %p : !llvm.ptr = %i : i32))
  return
}
// -----
// 2:27
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %m: memref<i32>) {
  omp.declare_simd linear(@a val(%p : !llvm.ptr = %i : i32))
  return
}
// -----
// 2:57
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %m: memref<i32>) {
  omp.declare_simd linear(val(%p : !llvm.ptr = %i : i32)
  return
}
// -----
// 2:21
func.func @f(%l: i32, %p: !llvm.ptr) {
  %0 = omp.iterator(%i: i32, %j: i32) = (%l to %l step %l) {
    omp.yield(%p : !llvm.ptr)
  } -> !omp.iterated<!llvm.ptr>
  return
}
// -----
// 2:21
func.func @f(%l: i32, %p: !llvm.ptr) {
  %0 = omp.iterator(%i: i32) = (%l to %l step %l, %l to %l step %l) {
    omp.yield(%p : !llvm.ptr)
  } -> !omp.iterated<!llvm.ptr>
  return
}
// -----
// 2:28
func.func @f(%l: i32, %p: !llvm.ptr) {
  %0 = omp.iterator(%i) = (%l to %l step %l) {
    omp.yield(%p : !llvm.ptr)
  } -> !omp.iterated<!llvm.ptr>
  return
}
// -----
// 2:21
func.func @f(%l: i32, %p: !llvm.ptr) {
  %0 = omp.iterator() = () {
    omp.yield(%p : !llvm.ptr)
  } -> !omp.iterated<!llvm.ptr>
  return
}
// -----
// 2:41
func.func @f(%l: i32, %p: !llvm.ptr) {
  %0 = omp.iterator(%i: i32) = (%l to %l) {
    omp.yield(%p : !llvm.ptr)
  } -> !omp.iterated<!llvm.ptr>
  return
}
// -----
// 3:3
func.func @f(%l: i32, %p: !llvm.ptr) {
  %0 = omp.iterator(%i: i32) = (%l to %l step %l) {
  ^bb0:
    cf.br ^bb1
  ^bb1:
    omp.yield(%p : !llvm.ptr)
  } -> !omp.iterated<!llvm.ptr> {foo}
  return
}
// -----
// 2:29
func.func @f(%l: i32, %p: !llvm.ptr) {
  %0 = omp.iterator(%i: i32, ) = (%l to %l step %l) {
    omp.yield(%p : !llvm.ptr)
  } -> !omp.iterated<!llvm.ptr>
  return
}
// -----
// 3:23
omp.private {type = linear} @lin : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64) {
    omp.wsloop linear(%p -> %q : !llvm.ptr = %i : i32) linear_var_types([i32]) {
      omp.loop_nest (%k) : i32 = (%i) to (%i) step (%i) { omp.yield }
    }
  return
}
// -----
// 3:27
omp.private {type = linear} @lin : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64) {
    omp.wsloop linear(@lin val(%p -> %q : !llvm.ptr = %i : i32)) linear_var_types([i32]) {
      omp.loop_nest (%k) : i32 = (%i) to (%i) step (%i) { omp.yield }
    }
  return
}
// -----
// 3:30
omp.private {type = linear} @lin : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64) {
    omp.wsloop linear(@lin %p : !llvm.ptr = %i : i32) linear_var_types([i32]) {
      omp.loop_nest (%k) : i32 = (%i) to (%i) step (%i) { omp.yield }
    }
  return
}
// -----
// 3:78
omp.private {type = linear} @lin : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64) {
    omp.wsloop linear(@lin %p -> %q : !llvm.ptr = %i : i32) linear_var_types(i32) {
      omp.loop_nest (%k) : i32 = (%i) to (%i) step (%i) { omp.yield }
    }
  return
}
// -----
// 3:23
omp.private {type = linear} @lin : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64) {
    omp.wsloop linear() {
      omp.loop_nest (%k) : i32 = (%i) to (%i) step (%i) { omp.yield }
    }
  return
}
// -----
// 3:23
omp.private {type = linear} @lin : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64) {
    omp.wsloop linear(foo(@lin %p -> %q : !llvm.ptr = %i : i32)) linear_var_types([i32]) {
      omp.loop_nest (%k) : i32 = (%i) to (%i) step (%i) { omp.yield }
    }
  return
}
// -----
// 4:49
omp.private {type = private} @pv : i32
omp.private {type = linear} @lin : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64) {
    omp.wsloop private(@pv %p -> %r : !llvm.ptr) linear(@lin %p -> %q : !llvm.ptr = %i : i32) linear_var_types([i32]) {
      omp.loop_nest (%k) : i32 = (%i) to (%i) step (%i) { omp.yield }
    }
  return
}
// -----
// 4:60
omp.private {type = private} @pv : i32
omp.private {type = linear} @lin : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64) {
    omp.wsloop linear(@lin %p -> %q : !llvm.ptr = %i : i32) nowait linear_var_types([i32]) {
      omp.loop_nest (%k) : i32 = (%i) to (%i) step (%i) { omp.yield }
    }
  return
}
// -----
// 4:15
omp.private {type = private} @pv : i32
omp.private {type = linear} @lin : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64) {
    omp.wsloop linear_var_types([i32]) {
      omp.loop_nest (%k) : i32 = (%i) to (%i) step (%i) { omp.yield }
    }
  return
}
// -----
// 2:30
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>) {
  omp.teams dyn_groupprivate() { omp.terminator }
  return
}
// -----
// 2:36
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>) {
  omp.teams dyn_groupprivate(cgroup fallback(null), %i : i32) { omp.terminator }
  return
}
// -----
// 2:30
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>) {
  omp.teams dyn_groupprivate(foo, %i : i32) { omp.terminator }
  return
}
// -----
// 2:38
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>) {
  omp.teams dyn_groupprivate(fallback, %i : i32) { omp.terminator }
  return
}
// -----
// 2:32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>) {
  omp.teams dyn_groupprivate(%i) { omp.terminator }
  return
}
// -----
// 2:36
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>) {
  omp.teams dyn_groupprivate(cgroup %i : i32) { omp.terminator }
  return
}
// -----
// 2:37
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>) {
  omp.teams dyn_groupprivate(cgroup, foo, %i : i32) { omp.terminator }
  return
}
// -----
// 2:59
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>) {
  omp.teams dyn_groupprivate(fallback(default_mem), cgroup %i : i32) { omp.terminator }
  return
}
// -----
// 2:44
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>) {
  omp.teams dyn_groupprivate(fallback(null) %i: i32) { omp.terminator }
  return
}
// -----
// 2:37
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>) {
  omp.teams dyn_groupprivate(cgroup,) { omp.terminator }
  return
}
// -----
// 4:24
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %ai: !omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, %ae: !omp.affinity_entry_ty<!llvm.ptr, i64>) {
  omp.task affinity(%ae, %ae : !omp.affinity_entry_ty<!llvm.ptr, i64>, !omp.affinity_entry_ty<!llvm.ptr, i64>) { omp.terminator }
  return
}
// -----
// 4:21
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %ai: !omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, %ae: !omp.affinity_entry_ty<!llvm.ptr, i64>) {
  omp.task affinity() { omp.terminator }
  return
}
// -----
// 4:19
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %ai: !omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, %ae: !omp.affinity_entry_ty<!llvm.ptr, i64>) {
  omp.task depend() { omp.terminator }
  return
}
// -----
// 4:22
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %ai: !omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, %ae: !omp.affinity_entry_ty<!llvm.ptr, i64>) {
  omp.task threadset(foo) { omp.terminator }
  return
}
// -----
// 4:22
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %ai: !omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, %ae: !omp.affinity_entry_ty<!llvm.ptr, i64>) {
  omp.task threadset() { omp.terminator }
  return
}
// -----
// 4:21
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %ai: !omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, %ae: !omp.affinity_entry_ty<!llvm.ptr, i64>) {
  omp.task allocate() { omp.terminator }
  return
}
// -----
// 4:11
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %ai: !omp.iterated<!omp.affinity_entry_ty<!llvm.ptr, i64>>, %ae: !omp.affinity_entry_ty<!llvm.ptr, i64>) {
  omp.task iterated_affinity(%ai : i32) { omp.terminator }
  return
}
// -----
// 4:68
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %m: memref<i32>) {
  omp.target kernel_type(generic) in_reduction(@red %p : !llvm.ptr, byref @red %p : !llvm.ptr) { omp.terminator }
  return
}
// -----
// 4:48
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %m: memref<i32>) {
  omp.target kernel_type(generic) in_reduction() { omp.terminator }
  return
}
// -----
// 4:48
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %m: memref<i32>) {
  omp.target kernel_type(generic) in_reduction(%p : !llvm.ptr) { omp.terminator }
  return
}
// -----
// 4:55
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %m: memref<i32>) {
  omp.target kernel_type(generic) in_reduction(@red %p -> %q : !llvm.ptr) { omp.terminator }
  return
}
// -----
// 4:48
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %m: memref<i32>) {
  omp.target kernel_type(generic) in_reduction(foo @red %p : !llvm.ptr) { omp.terminator }
  return
}
// -----
// 4:14
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %m: memref<i32>) {
  omp.target { omp.terminator }
  return
}
// -----
// 4:26
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %m: memref<i32>) {
  omp.target kernel_type(foo) { omp.terminator }
  return
}
// -----
// 4:26
omp.declare_reduction @red : !llvm.ptr init { ^bb0(%a: !llvm.ptr): omp.yield(%a : !llvm.ptr) } combiner { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
omp.private {type = private} @pv : i32
func.func @f(%p: !llvm.ptr, %i: i32, %j: i64, %b: i1, %it: !omp.iterated<!llvm.ptr>, %m: memref<i32>) {
  omp.target kernel_type() { omp.terminator }
  return
}
// -----
// 2:29
func.func @f(%p: i32, %i: i64, %j: i8) {
  llvm.switch %p : i32, ^bb2
^bb1(%a: i32, %b : i64):
  return
^bb2:
  return
}
// -----
// 2:42
func.func @f(%p: i32, %i: i64, %j: i8) {
  llvm.switch %j : i8, ^bb2 [ 255: ^bb2, ]
^bb1(%a: i32, %b : i64):
  return
^bb2:
  return
}
// -----
// 2:43
func.func @f(%p: i32, %i: i64, %j: i8) {
  llvm.switch %j : i8, ^bb2 [ 255: ^bb2(%p) ]
^bb1(%a: i32, %b : i64):
  return
^bb2:
  return
}
// -----
// 2:31
func.func @f(%p: i32, %i: i64, %j: i8) {
  llvm.switch %j : i8, ^bb2 [ a: ^bb2 ]
^bb1(%a: i32, %b : i64):
  return
^bb2:
  return
}
// -----
// 2:32
func.func @f(%p: i32, %i: i64, %j: i8) {
  llvm.switch %j : i8, ^bb2 [ 1 ^bb2 ]
^bb1(%a: i32, %b : i64):
  return
^bb2:
  return
}
// -----
// 2:29
func.func @f(%p: i32, %i: i64, %j: i8) {
  llvm.switch %j : i8, ^bb2 [ 1: ^bb1(%p, %i : i32) ]
^bb1(%a: i32, %b : i64):
  return
^bb2:
  return
}
// -----
// 2:38
func.func @f(%p: i32, %i: i64, %j: i8) {
  llvm.switch %j : i8, ^bb2 [ 1: ^bb2 2: ^bb2]
^bb1(%a: i32, %b : i64):
  return
^bb2:
  return
}
// -----
// 2:83
llvm.func @f(%d: !llvm.ptr<7>, %s: !llvm.ptr<3>, %t: !llvm.ptr, %m: !llvm.ptr<3>, %c: i32, %o: i16, %l: i64, %p: i1) {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %d, %t, %m, box[%c, %c] group = <cta_1> : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}
// -----
// 2:83
llvm.func @f(%d: !llvm.ptr<7>, %s: !llvm.ptr<3>, %t: !llvm.ptr, %m: !llvm.ptr<3>, %c: i32, %o: i16, %l: i64, %p: i1) {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %d, %t, %m, box[%c, %c] group = : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}
// -----
// 2:83
llvm.func @f(%d: !llvm.ptr<7>, %s: !llvm.ptr<3>, %t: !llvm.ptr, %m: !llvm.ptr<3>, %c: i32, %o: i16, %l: i64, %p: i1) {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %d, %t, %m, box[%c, %c] group = "cta_1" : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}
// -----
// 2:108
func.func @f(%p: memref<4xi32>, %i: i32, %j: index, %d: !llvm.ptr) {
  acc.loop  control(%k : i32) = (%i : i32) to (%i : i32) step (%i : i32) { acc.yield } inclusiveUpperbound([true])
  return
}
// -----
// 2:108
func.func @f(%p: memref<4xi32>, %i: i32, %j: index, %d: !llvm.ptr) {
  acc.loop  control(%k : i32) = (%i : i32) to (%i : i32) step (%i : i32) { acc.yield } inclusiveUpperbound([true]) collapse([1]) collapseDeviceType([#acc.device_type<none>]) seq([#acc.device_type<none>]) 
  return
}
// -----
// 2:108
func.func @f(%p: memref<4xi32>, %i: i32, %j: index, %d: !llvm.ptr) {
  acc.loop  control(%k : i32) = (%i : i32) to (%i : i32) step (%i : i32) { acc.yield } inclusiveUpperbound([])
  return
}
// -----
// 2:108
func.func @f(%p: memref<4xi32>, %i: i32, %j: index, %d: !llvm.ptr) {
  acc.loop  control(%k : i32) = (%i : i32) to (%i : i32) step (%i : i32) { acc.yield } inclusiveUpperbound(true)
  return
}
// -----
// 2:99
func.func @f(%p: memref<4xi32>, %i: i32, %j: index, %d: !llvm.ptr) {
  acc.loop  control(%k : i32) = (%i : i32) to (%i : i32) step (%i : i32) { acc.yield } independent[#acc.device_type<none>]
  return
}
// -----
// 2:107
func.func @f(%p: memref<4xi32>, %i: i32, %j: index, %d: !llvm.ptr) {
  acc.loop  control(%k : i32) = (%i : i32) to (%i : i32) step (%i : i32) { acc.yield } collapseDeviceType(<none>) independent([#acc.device_type<none>])
  return
}
// -----
// 2:97
func.func @f(%p: memref<4xi32>, %i: i32, %j: index, %d: !llvm.ptr) {
  acc.loop  control(%k : i32) = (%i : i32) to (%i : i32) step (%i : i32) { acc.yield } collapse(2) independent([#acc.device_type<none>])
  return
}
// -----
// 2:100
func.func @f(%p: memref<4xi32>, %i: i32, %j: index, %d: !llvm.ptr) {
  acc.loop  control(%k : i32) = (%i : i32) to (%i : i32) step (%i : i32) { acc.yield } collapse([1], [2])
  return
}
// -----
// 2:100
func.func @f(%p: memref<4xi32>, %i: i32, %j: index, %d: !llvm.ptr) {
  acc.loop  control(%k : i32) = (%i : i32) to (%i : i32) step (%i : i32) { acc.yield } independent()
  return
}
// -----
// 2:108
func.func @f(%p: memref<4xi32>, %i: i32, %j: index, %d: !llvm.ptr) {
  acc.loop  control(%k : i32) = (%i : i32) to (%i : i32) step (%i : i32) { acc.yield } inclusiveUpperbound([1, false])
  return
}
// -----
// 2:108
func.func @f(%p: memref<4xi32>, %i: i32, %j: index, %d: !llvm.ptr) {
  acc.loop  control(%k : i32) = (%i : i32) to (%i : i32) step (%i : i32) { acc.yield } inclusiveUpperbound(true, false)
  return
}
// -----
// 2:97
func.func @f(%p: memref<4xi32>, %i: i32, %j: index, %d: !llvm.ptr) {
  acc.loop  control(%k : i32) = (%i : i32) to (%i : i32) step (%i : i32) { acc.yield } collapse(1, 2)
  return
}
// -----
// 3:104
module attributes {transform.with_named_sequence} { transform.named_sequence @f(%p: !transform.any_op, %q: !transform.any_op, %r: !transform.param<i64>) {
  transform.apply_conversion_patterns to %p { } with type_converter {
 transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter use_bare_ptr_call_conv = true, use_aligned_alloc = true, index_bitwidth = 32 : i64
 } : !transform.any_op
  transform.yield
} }
// -----
// 3:94
module attributes {transform.with_named_sequence} { transform.named_sequence @f(%p: !transform.any_op, %q: !transform.any_op, %r: !transform.param<i64>) {
  transform.apply_conversion_patterns to %p { } with type_converter {
 transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter index_bitwidth = 32 : i64
 } : !transform.any_op
  transform.yield
} }
// -----
// 3:88
module attributes {transform.with_named_sequence} { transform.named_sequence @f(%p: !transform.any_op, %q: !transform.any_op, %r: !transform.param<i64>) {
  transform.apply_conversion_patterns to %p { } with type_converter {
 transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter data_layout = e
 } : !transform.any_op
  transform.yield
} }
// -----
// 3:91
module attributes {transform.with_named_sequence} { transform.named_sequence @f(%p: !transform.any_op, %q: !transform.any_op, %r: !transform.param<i64>) {
  transform.apply_conversion_patterns to %p { } with type_converter {
 transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter index_bitwidth = a
 } : !transform.any_op
  transform.yield
} }
// -----
// 3:75
module attributes {transform.with_named_sequence} { transform.named_sequence @f(%p: !transform.any_op, %q: !transform.any_op, %r: !transform.param<i64>) {
  transform.apply_conversion_patterns to %p { } with type_converter {
 transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter foo = 3
 } : !transform.any_op
  transform.yield
} }
// -----
// 3:94
module attributes {transform.with_named_sequence} { transform.named_sequence @f(%p: !transform.any_op, %q: !transform.any_op, %r: !transform.param<i64>) {
  transform.apply_conversion_patterns to %p { } with type_converter {
 transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter use_aligned_alloc = a
 } : !transform.any_op
  transform.yield
} }
// -----
// 2:108
module attributes {transform.with_named_sequence} { transform.named_sequence @f(%p: !transform.any_op, %q: !transform.any_op, %r: !transform.param<i64>) {
  %0:2 = transform.structured.tile_using_for %p tile_sizes [2] inner_tile_alignments = [Unknown, Multiple, ] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
} }
// -----
// 2:96
module attributes {transform.with_named_sequence} { transform.named_sequence @f(%p: !transform.any_op, %q: !transform.any_op, %r: !transform.param<i64>) {
  %0:2 = transform.structured.tile_using_for %p tile_sizes [2] inner_tile_alignments = [Unknown Multiple] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
} }
// -----
// 2:95
module attributes {transform.with_named_sequence} { transform.named_sequence @f(%p: !transform.any_op, %q: !transform.any_op, %r: !transform.param<i64>) {
  %0:2 = transform.structured.tile_using_for %p tile_sizes [2] inner_tile_alignments = [Equal] interchange = [0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
} }
// -----
// 3:38
spirv.module Logical Vulkan requires #spirv.vce<v1.3, [Shader], []> {
 spirv.ARM.Graph @f(%a: !spirv.arm.tensor<3x3xi8>) -> !spirv.arm.tensor<3x3xi8> {
  %0 = spirv.Tosa.Transpose perms = [2147483648, -2147483648], %a : !spirv.arm.tensor<3x3xi8> -> !spirv.arm.tensor<3x3xi8>
  spirv.ARM.GraphOutputs %0 : !spirv.arm.tensor<3x3xi8>
 }
}
// -----
// 3:38
spirv.module Logical Vulkan requires #spirv.vce<v1.3, [Shader], []> {
 spirv.ARM.Graph @f(%a: !spirv.arm.tensor<3x3xi8>) -> !spirv.arm.tensor<3x3xi8> {
  %0 = spirv.Tosa.Transpose perms = [4294967295, -1], %a : !spirv.arm.tensor<3x3xi8> -> !spirv.arm.tensor<3x3xi8>
  spirv.ARM.GraphOutputs %0 : !spirv.arm.tensor<3x3xi8>
 }
}
// -----
// 3:38
spirv.module Logical Vulkan requires #spirv.vce<v1.3, [Shader], []> {
 spirv.ARM.Graph @f(%a: !spirv.arm.tensor<3x3xi8>) -> !spirv.arm.tensor<3x3xi8> {
  %0 = spirv.Tosa.Transpose perms = [4294967296, -1], %a : !spirv.arm.tensor<3x3xi8> -> !spirv.arm.tensor<3x3xi8>
  spirv.ARM.GraphOutputs %0 : !spirv.arm.tensor<3x3xi8>
 }
}
// -----
// 3:38
spirv.module Logical Vulkan requires #spirv.vce<v1.3, [Shader], []> {
 spirv.ARM.Graph @f(%a: !spirv.arm.tensor<3x3xi8>) -> !spirv.arm.tensor<3x3xi8> {
  %0 = spirv.Tosa.Transpose perms = [-2147483649, -1], %a : !spirv.arm.tensor<3x3xi8> -> !spirv.arm.tensor<3x3xi8>
  spirv.ARM.GraphOutputs %0 : !spirv.arm.tensor<3x3xi8>
 }
}
// -----
// 3:93
spirv.module Logical Vulkan requires #spirv.vce<v1.3, [Shader], []> {
 spirv.ARM.Graph @f(%a: !spirv.arm.tensor<1x32x32x8xf32>) -> !spirv.arm.tensor<1x32x32x8xf32> {
  %0 = spirv.Tosa.MaxPool2D kernel = [1, 1], stride = [1, 1], pad = [0, 0, 0, 0], nan_mode = Propagate, %a : !spirv.arm.tensor<1x32x32x8xf32> -> !spirv.arm.tensor<1x32x32x8xf32>
  spirv.ARM.GraphOutputs %0 : !spirv.arm.tensor<1x32x32x8xf32>
 }
}
// -----
// 6:56
spirv.module Logical GLSL450 {
  spirv.func @k() "None" { spirv.Return }
  spirv.SpecConstant @x = 3 : i32
  spirv.EntryPoint "GLCompute" @k
  spirv.ExecutionModeId @k "LocalSizeId" @x, @x, @x
  spirv.ExecutionModeId @k "SubgroupsPerWorkgroupId" @x {foo}
}
// -----
// 4:41
spirv.module Logical GLSL450 {
  spirv.func @k() "None" { spirv.Return }
  spirv.EntryPoint "GLCompute" @k
  spirv.ExecutionModeId @k "LocalSizeId"
}
// -----
// 4:28
spirv.module Logical GLSL450 {
  spirv.func @k() "None" { spirv.Return }
  spirv.EntryPoint "GLCompute" @k
  spirv.ExecutionModeId @k "Foo" @x, @a
}
// -----
// 4:41
spirv.module Logical GLSL450 {
  spirv.func @k() "None" { spirv.Return }
  spirv.EntryPoint "GLCompute" @k
  spirv.ExecutionModeId @k "LocalSizeId", @x, @a
}
// -----
// 5:44
spirv.module Logical GLSL450 {
  spirv.func @k() "None" { spirv.Return }
  spirv.SpecConstant @x = 3 : i32
  spirv.EntryPoint "GLCompute" @k
  spirv.ExecutionModeId @k "LocalSizeId" @x {fn = @k}
}
// -----
// 2:44
func.func @f(%i: i32) {
  omp.teams dyn_groupprivate(cgroup, cgroup, %i : i32) { omp.terminator }
  return
}
// -----
// 2:54
func.func @f(%i: i32) {
  omp.teams dyn_groupprivate(fallback(null), fallback(null), %i : i32) { omp.terminator }
  return
}
// -----
// 2:42
func.func @f(%i: i32) {
  omp.teams dyn_groupprivate(fallback(foo), %i : i32) { omp.terminator }
  return
}
// -----
// 2:39
func.func @f(%i: i32) {
  omp.teams dyn_groupprivate(fallback(), %i : i32) { omp.terminator }
  return
}
// -----
// 2:39
func.func @f(%i: i32) {
  omp.teams dyn_groupprivate(fallback("null"), %i : i32) { omp.terminator }
  return
}
// -----
// 2:61
func.func @f(%i: i32) {
  omp.teams dyn_groupprivate(fallback(abort), cgroup, cgroup, %i : i32) { omp.terminator }
  return
}
// -----
// 2:43
func.func @f(%i: i32) {
  omp.teams dyn_groupprivate(%i : i32, %i : i32) { omp.terminator }
  return
}
// -----
// 2:64
func.func @f(%i: i32) {
  omp.teams dyn_groupprivate(%i : i32, fallback(null), fallback(null)) { omp.terminator }
  return
}
// -----
// 2:38
func.func @f(%i: i32) {
  omp.teams dyn_groupprivate(%i : i32 cgroup) { omp.terminator }
  return
}
// -----
// 2:51
func.func @f(%i: i32) {
  omp.teams dyn_groupprivate(%i : i32, cgroup, %i : i32) { omp.terminator }
  return
}
// -----
// 4:27
spirv.module Logical GLSL450 {
  spirv.func @k() "None" { spirv.Return }
  spirv.SpecConstant @x = 3 : i32
  spirv.ExecutionModeId @k LocalSizeId @x
}
// -----
// 4:28
spirv.module Logical GLSL450 {
  spirv.func @k() "None" { spirv.Return }
  spirv.SpecConstant @x = 3 : i32
  spirv.ExecutionModeId @k 3 @x
}
// -----
// 4:28
spirv.module Logical GLSL450 {
  spirv.func @k() "None" { spirv.Return }
  spirv.SpecConstant @x = 3 : i32
  spirv.ExecutionModeId @k ["LocalSizeId"] @x
}
// -----
// 4:27
spirv.module Logical GLSL450 {
  spirv.func @k() "None" { spirv.Return }
  spirv.SpecConstant @x = 3 : i32
  spirv.ExecutionModeId @k, "LocalSizeId" @x
}
// -----
// 4:28
spirv.module Logical GLSL450 {
  spirv.func @k() "None" { spirv.Return }
  spirv.SpecConstant @x = 3 : i32
  spirv.ExecutionModeId @k "Local" @x
}
// -----
// 4:28
spirv.module Logical GLSL450 {
  spirv.func @k() "None" { spirv.Return }
  spirv.SpecConstant @x = 3 : i32
  spirv.ExecutionModeId @k "ContractionOff|Foo" @x
}
// -----
// 4:28
spirv.module Logical GLSL450 {
  spirv.func @k() "None" { spirv.Return }
  spirv.SpecConstant @x = 3 : i32
  spirv.ExecutionModeId @k @x
}
// -----
// 1:31
test.with_nice_properties foo 3
// -----
// 1:30
test.with_nice_properties is 3
// -----
// 1:34
test.with_nice_properties foo is 99999999999
// -----
// 2:1
test.with_nice_properties foo is
// -----
// 1:35
test.with_nice_properties foo is 3 : i32
// -----
// 1:27
test.with_nice_properties 3 is 3
// -----
// 1:36
test.with_nice_properties "foo" is x
// -----
// 1:35
test.with_nice_properties foo is 3 <{a}>
// -----
// 1:9
module <sym_name = "x"> {}
// -----
// 1:9
module <foo = 3> {}
// -----
// 1:36
module <dlti = #dlti.map<"a" = 1>, dlti = #dlti.map<"a" = 1>> {}
// -----
// 1:13
module <dlti> {}
// -----
// 1:36
module <sym_visibility = "private",> {}
// -----
// 1:12
module @x <sym_name = "y"> {}
// -----
// 1:23
module <sym_visibility "a"> {}
// -----
// 1:35
module <sym_visibility = "private" {}
// -----
// 1:22
module attributes {a} <sym_visibility = "private"> {}
// -----
// 1:31
module attributes {t.a = token<i32>} {}
// -----
// 1:26
module attributes {t.a = vector<2xtoken>} {}
// -----
// 1:25
module attributes {t.a = graph<() -> ()>} {}
// -----
// 1:26
module attributes {t.a = 1 : token} {}
// -----
// 1:63
module attributes {t.a = #llvm.di_source_language_name<name = DW_LNAME_X, version = 1>} {}
// -----
// 1:67
module attributes {t.a = #llvm.di_source_language_name<language = DW_LANG_X>} {}
// -----
// 1:66
module attributes {t.a = #llvm.di_source_language_name<dialect = simt>} {}
// -----
// 1:85
module attributes {t.a = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LNAME_C>} {}
// -----
// 1:85
module attributes {t.a = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = 7>} {}
// -----
// 1:85
module attributes {t.a = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = <language = DW_LANG_C>>} {}
// -----
// 1:85
module attributes {t.a = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = #llvm.di_file<"a" in "b">>} {}
// -----
// 2:3
gpu.module @m {
  gpu.func @k() kernel attributes {kernel} { gpu.return }
}
// -----
// 2:23
gpu.module @m {
  gpu.func @k() kernel kernel { gpu.return }
}
// -----
// 2:47
gpu.module @m {
  gpu.func @k() private(%p : memref<1xf32, 5>) workgroup(%w : memref<3xf32, 3>) { gpu.return }
}
// -----
// 2:23
gpu.module @m {
  gpu.func @k() kernel()  { gpu.return }
}
// -----
// 2:23
gpu.module @m {
  gpu.func @k() kernel workgroup(%w : memref<3xf32, 3>) { gpu.return }
}
// -----
// 3:118
module attributes {transform.with_named_sequence} { transform.named_sequence @f(%p: !transform.any_op, %q: !transform.any_op, %r: !transform.param<i64>) {
  transform.apply_conversion_patterns to %p { } with type_converter {
 transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter use_aligned_alloc = true use_aligned_alloc = true
 } : !transform.any_op
  transform.yield
} }
