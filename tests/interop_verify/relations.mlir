// Relations between types: those that hold, and others.
func.func @f(%c: i1, %d: tensor<2xi1>, %a: tensor<2xi64>, %v: vector<[4]xi32>, %t: vector<[4]x[4]xi32>, %i: index) {
  %0 = arith.select %c, %a, %a : tensor<2xi64>
  %1 = arith.select %d, %a, %a : tensor<2xi1>, tensor<2xi64>
  %2 = arm_sme.insert_tile_slice %v, %t[%i] : vector<[4]xi32> into vector<[4]x[4]xi32>
  return
}
func.func @g(%v: f32, %s: !async.value<f32>, %w: !async.token, %x: !async.value<!async.token>, %y: vector<2xf32>, %z: !async.value<vector<2xf32>>) {
  "async.runtime.store"(%v, %s) : (f32, !async.value<f32>) -> ()
  "async.runtime.store"(%w, %x) : (!async.token, !async.value<!async.token>) -> ()
  "async.runtime.store"(%y, %z) : (vector<2xf32>, !async.value<vector<2xf32>>) -> ()
  return
}
func.func @h(%p: !spirv.ptr<i32, StorageBuffer>, %v: i32) {
  %0 = "spirv.AtomicAnd"(%p, %v) <{memory_scope = #spirv.scope<Device>, semantics = #spirv.memory_semantics<None>}> : (!spirv.ptr<i32, StorageBuffer>, i32) -> i32
  return
}
// -----
func.func @f(%c: tensor<i1>, %a: tensor<2xi64>) {
  // expected-error@+1 {{'arith.select' op failed to verify that condition is signless i1 or has matching shape}}
  %0 = "arith.select"(%c, %a, %a) : (tensor<i1>, tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return
}
// -----
func.func @f(%c: tensor<?xi1>, %a: tensor<2xi64>) {
  // expected-error@+1 {{'arith.select' op failed to verify that condition is signless i1 or has matching shape}}
  %0 = arith.select %c, %a, %a : tensor<?xi1>, tensor<2xi64>
  return
}
// -----
func.func @f(%v: vector<[8]xi16>, %t: vector<[4]x[4]xi32>, %i: index) {
  // expected-error@+1 {{'arm_sme.insert_tile_slice' op failed to verify that type of 'vector' matches type of 'tile' slice}}
  %0 = "arm_sme.insert_tile_slice"(%v, %t, %i) : (vector<[8]xi16>, vector<[4]x[4]xi32>, index) -> vector<[4]x[4]xi32>
  return
}
// -----
func.func @f(%v: vector<[8]xi32>, %t: vector<[4]x[4]xi32>, %i: index) {
  // expected-error@+1 {{'arm_sme.insert_tile_slice' op failed to verify that type of 'vector' matches type of 'tile' slice}}
  %0 = arm_sme.insert_tile_slice %v, %t[%i] : vector<[8]xi32> into vector<[4]x[4]xi32>
  return
}
// -----
func.func @f(%p: !spirv.ptr<i32, StorageBuffer>, %v: i64) {
  // expected-error@+1 {{'spirv.AtomicAnd' op failed to verify that `value` type matches pointee type of `pointer`}}
  %0 = "spirv.AtomicAnd"(%p, %v) <{memory_scope = #spirv.scope<Device>, semantics = #spirv.memory_semantics<None>}> : (!spirv.ptr<i32, StorageBuffer>, i64) -> i64
  return
}
// -----
func.func @f(%p: !spirv.ptr<i32, StorageBuffer>, %v: i32) {
  // expected-error@+1 {{'spirv.AtomicExchange' op failed to verify that `result` type matches pointee type of `pointer`}}
  %0 = "spirv.AtomicExchange"(%p, %v) <{memory_scope = #spirv.scope<Device>, semantics = #spirv.memory_semantics<None>}> : (!spirv.ptr<i32, StorageBuffer>, i32) -> f32
  return
}
// -----
func.func @f(%v: f64, %s: !async.value<f32>) {
  // expected-error@+1 {{'async.runtime.store' op failed to verify that type of 'value' matches element type of 'storage'}}
  "async.runtime.store"(%v, %s) : (f64, !async.value<f32>) -> ()
  return
}
// -----
func.func @f(%v: !async.token, %s: !async.value<!async.group>) {
  // expected-error@+1 {{'async.runtime.store' op failed to verify that type of 'value' matches element type of 'storage'}}
  "async.runtime.store"(%v, %s) : (!async.token, !async.value<!async.group>) -> ()
  return
}
