func.func @main() {
  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %i = stablehlo.constant dense<[[[2], [0]], [[1], [1]]]> : tensor<2x2x1xi64>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xf64>, tensor<2x2x1xi64>) -> tensor<2x2xf64>
  check.expect_eq_const %0, dense<[[3.0, 1.0], [5.0, 5.0]]> : tensor<2x2xf64>
  %u = stablehlo.constant dense<[[10.0, 20.0], [30.0, 40.0]]> : tensor<2x2xf64>
  %1 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3xf64>, tensor<2x2x1xi64>, tensor<2x2xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %1, dense<[[21.0, 2.0, 13.0], [4.0, 75.0, 6.0]]> : tensor<2x3xf64>
  %j = stablehlo.constant dense<1> : tensor<i32>
  %z = stablehlo.constant dense<5> : tensor<i32>
  %2 = stablehlo.dynamic_slice %x, %j, %z, sizes = [1, 2] : (tensor<2x3xf64>, tensor<i32>, tensor<i32>) -> tensor<1x2xf64>
  check.expect_eq_const %2, dense<[[5.0, 6.0]]> : tensor<1x2xf64>
  %3 = stablehlo.dynamic_update_slice %x, %2, %z, %j : (tensor<2x3xf64>, tensor<1x2xf64>, tensor<i32>, tensor<i32>) -> tensor<2x3xf64>
  check.expect_eq_const %3, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  return
}
