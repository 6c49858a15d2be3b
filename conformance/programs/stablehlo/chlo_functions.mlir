func.func @main() {
  %x = stablehlo.constant dense<[0.0, 0.5]> : tensor<2xf32>
  %0 = chlo.erf %x : tensor<2xf32> -> tensor<2xf32>
  check.expect_close %0, %0, max_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  check.expect_almost_eq_const %0, dense<[0.0, 0.5204999]> : tensor<2xf32>
  %1 = "chlo.atan"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %1, dense<[0.0, 0.46364760]> : tensor<2xf32>
  %y = stablehlo.constant dense<[[1.0, 4.0, 2.0]]> : tensor<1x3xf32>
  %v, %i = chlo.top_k(%y, k = 2) : tensor<1x3xf32> -> (tensor<1x2xf32>, tensor<1x2xi32>)
  check.expect_eq_const %v, dense<[[4.0, 2.0]]> : tensor<1x2xf32>
  check.expect_eq_const %i, dense<[[1, 2]]> : tensor<1x2xi32>
  return
}
