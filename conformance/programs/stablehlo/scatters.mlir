func.func @main() {
  %x = stablehlo.constant dense<0> : tensor<4xi16>
  %i = stablehlo.constant dense<[[1], [3], [1], [9]]> : tensor<4x1xui32>
  %u = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi16>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %s = stablehlo.add %a, %b : tensor<i16>
    stablehlo.return %s : tensor<i16>
  }) : (tensor<4xi16>, tensor<4x1xui32>, tensor<4xi16>) -> tensor<4xi16>
  check.expect_eq_const %0, dense<[0, 4, 0, 2]> : tensor<4xi16>
  %j = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %v = stablehlo.constant dense<[7, 8]> : tensor<2xi16>
  %1:2 = "stablehlo.scatter"(%x, %x, %j, %v, %v) ({
  ^bb0(%a: tensor<i16>, %a2: tensor<i16>, %b: tensor<i16>, %b2: tensor<i16>):
    %s = stablehlo.subtract %a2, %b2 : tensor<i16>
    stablehlo.return %b, %s : tensor<i16>, tensor<i16>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = true, unique_indices = true} : (tensor<4xi16>, tensor<4xi16>, tensor<2xi64>, tensor<2xi16>, tensor<2xi16>) -> (tensor<4xi16>, tensor<4xi16>)
  check.expect_eq_const %1#0, dense<[0, 7, 0, 8]> : tensor<4xi16>
  check.expect_eq_const %1#1, dense<[0, -7, 0, -8]> : tensor<4xi16>
  return
}
