// Device d stands in row d / 4 and column d % 4 of the mesh, unless device_ids
// says otherwise.
#mesh = #stablehlo.mesh<axes = [<name = "a", size = 2>, <name = "b", size = 4>]>
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func @main() {
    %a:8 = "interpreter.run_parallel"() {programs = [[@along_a, @along_a, @along_a, @along_a, @along_a, @along_a, @along_a, @along_a]]} : () -> (tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>)
    check.expect_eq_const %a#1, dense<[1, 5]> : tensor<2xui32>
    check.expect_eq_const %a#6, dense<[2, 6]> : tensor<2xui32>
    %b:8 = "interpreter.run_parallel"() {programs = [[@part_of_b, @part_of_b, @part_of_b, @part_of_b, @part_of_b, @part_of_b, @part_of_b, @part_of_b]]} : () -> (tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>)
    check.expect_eq_const %b#1, dense<[1, 3]> : tensor<2xui32>
    check.expect_eq_const %b#6, dense<[4, 6]> : tensor<2xui32>
    %c:8 = "interpreter.run_parallel"() {programs = [[@minor_part_of_b, @minor_part_of_b, @minor_part_of_b, @minor_part_of_b, @minor_part_of_b, @minor_part_of_b, @minor_part_of_b, @minor_part_of_b]]} : () -> (tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>)
    check.expect_eq_const %c#1, dense<[0, 1]> : tensor<2xui32>
    check.expect_eq_const %c#6, dense<[6, 7]> : tensor<2xui32>
    %d:8 = "interpreter.run_parallel"() {programs = [[@b_then_a, @b_then_a, @b_then_a, @b_then_a, @b_then_a, @b_then_a, @b_then_a, @b_then_a]]} : () -> (tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>)
    check.expect_eq_const %d#0, dense<[0, 4, 1, 5, 2, 6, 3, 7]> : tensor<8xui32>
    %e:8 = "interpreter.run_parallel"() {programs = [[@other_order, @other_order, @other_order, @other_order, @other_order, @other_order, @other_order, @other_order]]} : () -> (tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>)
    check.expect_eq_const %e#1, dense<[0, 1]> : tensor<2xui32>
    check.expect_eq_const %e#6, dense<[6, 7]> : tensor<2xui32>
    %f:8 = "interpreter.run_parallel"() {programs = [[@mesh_of_module, @mesh_of_module, @mesh_of_module, @mesh_of_module, @mesh_of_module, @mesh_of_module, @mesh_of_module, @mesh_of_module]]} : () -> (tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xui32>)
    check.expect_eq_const %f#1, dense<[0, 1, 2, 3]> : tensor<4xui32>
    check.expect_eq_const %f#6, dense<[4, 5, 6, 7]> : tensor<4xui32>
    return
  }
  func.func private @along_a() -> tensor<2xui32> {
    %p = stablehlo.partition_id : tensor<ui32>
    %0 = stablehlo.reshape %p : (tensor<ui32>) -> tensor<1xui32>
    %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #mesh, axes = [#stablehlo.axis_ref<name = "a">]>, use_global_device_ids}> : (tensor<1xui32>) -> tensor<2xui32>
    return %1 : tensor<2xui32>
  }
  func.func private @part_of_b() -> tensor<2xui32> {
    %p = stablehlo.partition_id : tensor<ui32>
    %0 = stablehlo.reshape %p : (tensor<ui32>) -> tensor<1xui32>
    %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "a", size = 2>, #stablehlo.mesh_axis<name = "b", size = 4>]>, axes = [#stablehlo.axis_ref<name = "b", sub_axis_info = (1)2>]>, use_global_device_ids}> : (tensor<1xui32>) -> tensor<2xui32>
    return %1 : tensor<2xui32>
  }
  func.func private @minor_part_of_b() -> tensor<2xui32> {
    %p = stablehlo.partition_id : tensor<ui32>
    %0 = stablehlo.reshape %p : (tensor<ui32>) -> tensor<1xui32>
    %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #mesh, axes = [#stablehlo.axis_ref<name = "b", sub_axis_info = (2)2>]>, use_global_device_ids}> : (tensor<1xui32>) -> tensor<2xui32>
    return %1 : tensor<2xui32>
  }
  func.func private @b_then_a() -> tensor<8xui32> {
    %p = stablehlo.partition_id : tensor<ui32>
    %0 = stablehlo.reshape %p : (tensor<ui32>) -> tensor<1xui32>
    %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #mesh, axes = [#stablehlo.axis_ref<name = "b">, #stablehlo.axis_ref<name = "a">]>, use_global_device_ids}> : (tensor<1xui32>) -> tensor<8xui32>
    return %1 : tensor<8xui32>
  }
  func.func private @other_order() -> tensor<2xui32> {
    %p = stablehlo.partition_id : tensor<ui32>
    %0 = stablehlo.reshape %p : (tensor<ui32>) -> tensor<1xui32>
    %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "a", size = 2>, <name = "b", size = 4>], device_ids=dense<[0, 2, 4, 6, 1, 3, 5, 7]> : tensor<8xi64>>, axes = [#stablehlo.axis_ref<name = "a">]>, use_global_device_ids}> : (tensor<1xui32>) -> tensor<2xui32>
    return %1 : tensor<2xui32>
  }
  func.func private @mesh_of_module() -> tensor<4xui32> {
    %p = stablehlo.partition_id : tensor<ui32>
    %0 = stablehlo.reshape %p : (tensor<ui32>) -> tensor<1xui32>
    %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "b">]>, use_global_device_ids}> : (tensor<1xui32>) -> tensor<4xui32>
    return %1 : tensor<4xui32>
  }
}
