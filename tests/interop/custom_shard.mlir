"shard.grid"() <{shape = array<i64: 3, 4, 5>, sym_name = "grid0"}> : () -> ()
func.func @f(%t: tensor<2x2xi8>, %i: i64) {
  %0 = "shard.sharding"() <{grid = @grid0, split_axes = #shard<axisarray[[0], [1], [2]]>, static_sharded_dims_offsets = array<i64>, static_halo_sizes = array<i64>}> : () -> !shard.sharding
  %1 = shard.sharding @grid0 split_axes = [[0, 1], [],[2]] : !shard.sharding
  %2 = shard.sharding @grid0 split_axes = [[0]] halo_sizes = [1, %i] : !shard.sharding
  %3 = shard.shard %t to %0 annotate_for_users : tensor<2x2xi8>
  %4 = shard.get_sharding %t : tensor<2x2xi8> -> !shard.sharding
  %5 = shard.all_reduce %t on @grid0 grid_axes = [1] reduction = max : tensor<2x2xi8> -> tensor<2x2xf64>
  %6 = shard.all_reduce %t on @grid0 : tensor<2x2xi8> -> tensor<2x2xi8>
  %7 = shard.update_halo %t on @grid0 split_axes = [[0]] halo_sizes = [1, %i] : tensor<2x2xi8>
  "test.op"() {a = #shard<axisarray[[0],[2]]>, b = #shard<partial max>} : () -> ()
  %8:2 = shard.grid_shape @grid0 axes = [0, 1] : index, index
  %9:3 = shard.process_multi_index on @grid0 : index, index, index
  %10 = shard.process_linear_index on @grid0 : index
  return
}
