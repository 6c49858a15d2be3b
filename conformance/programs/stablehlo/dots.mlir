func.func @main() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %b = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi8>
  %0 = stablehlo.dot %a, %b : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[19, 22], [43, 50]]> : tensor<2x2xi32>
  %1 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2xi32>
  check.expect_eq_const %1, dense<[17, 53]> : tensor<2xi32>
  %2 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi32>
  check.expect_eq %2, %0 : tensor<2x2xi32>
  %f = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %3 = stablehlo.dot_general %f, %f, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %3, dense<[[7.0, 10.0], [15.0, 22.0]]> : tensor<2x2xf32>
  %4 = stablehlo.dot_general %f, %f, contracting_dims = [] x [] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2x2xf32>
  %5 = stablehlo.slice %4 [1:2, 0:1, 1:2, 0:2:1] : (tensor<2x2x2x2xf32>) -> tensor<1x1x1x2xf32>
  check.expect_eq_const %5, dense<[[[[9.0, 12.0]]]]> : tensor<1x1x1x2xf32>
  return
}
