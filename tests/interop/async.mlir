async.func @f(%x: !async.value<f32>) -> !async.token {
  async.return
}
ml_program.global private mutable @g(dense<4> : tensor<4xi32>) : tensor<4xi32>
ml_program.global private mutable @h : tensor<?xi32>
ml_program.func @load(%v: tensor<4xi32>) -> tensor<4xi32> {
  %0 = ml_program.global_load @g : tensor<4xi32>
  ml_program.global_store @g = %0 : tensor<4xi32>
  ml_program.return %0 : tensor<4xi32>
}
ml_program.subgraph private @s() -> tensor<4xi32> {
  %t = ml_program.token
  %0, %t1 = ml_program.global_load_graph @g ordering(() -> !ml_program.token) : tensor<4xi32>
  %t2 = ml_program.global_store_graph @g = %0 ordering(%t, %t1 -> !ml_program.token) : tensor<4xi32>
  ml_program.output %0 : tensor<4xi32>
}
func.func @execute(%t: !async.token, %v: !async.value<f32>, %n: index) -> f32 {
  %0 = async.execute {
    async.yield
  }
  %1, %2:2 = async.execute [%t, %0] (%v as %x: !async.value<f32>) -> (!async.value<f32>, !async.value<i32>) attributes {a} {
    %i = arith.constant 1 : i32
    async.yield %x, %i : f32, i32
  }
  async.await %1 : !async.token
  %3 = async.await %2#0 : !async.value<f32>
  %g = async.create_group %n : !async.group
  %r = async.add_to_group %t, %g : !async.token
  async.await_all %g
  %c = async.call @f(%v) : (!async.value<f32>) -> !async.token
  return %3 : f32
}
func.func @runtime_values(%v: f32, %s: !async.value<f32>, %w: !async.value<vector<4xi32>>) -> vector<4xi32> {
  async.runtime.store %v, %s : <f32>
  async.runtime.store %v, %s : !async.value<f32>
  %0 = async.runtime.load %w : <vector<4xi32>>
  return %0 : vector<4xi32>
}
