func.func @main() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %i = stablehlo.constant dense<10> : tensor<i32>
  %0:2 = chlo.scan(%x) inits(%i) dimension=0 attributes {is_reverse = false} {
  ^bb0(%a: tensor<i32>, %c: tensor<i32>):
    %s = stablehlo.add %a, %c : tensor<i32>
    stablehlo.return %s, %s : tensor<i32>, tensor<i32>
  } : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[11, 13, 16]> : tensor<3xi32>
  check.expect_eq_const %0#1, dense<16> : tensor<i32>
  %l = stablehlo.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %r = stablehlo.constant dense<[[[10.0]], [[100.0]]]> : tensor<2x1x1xf32>
  %g = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %1 = "chlo.ragged_dot"(%l, %r, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<3x1xf32>, tensor<2x1x1xf32>, tensor<2xi64>) -> tensor<3x1xf32>
  check.expect_eq_const %1, dense<[[10.0], [200.0], [300.0]]> : tensor<3x1xf32>
  return
}
