func.func @main() {
  %y = stablehlo.constant dense<[[1.0, 4.0, 2.0]]> : tensor<1x3xf32>
  %c = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %b = chlo.broadcast_add %y, %c : (tensor<1x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %b, dense<[[2.0, 5.0, 3.0], [3.0, 6.0, 4.0]]> : tensor<2x3xf32>
  %p = chlo.broadcast_compare %y, %c {comparison_direction = #chlo<comparison_direction GT>} : (tensor<1x3xf32>, tensor<2x1xf32>) -> tensor<2x3xi1>
  check.expect_eq_const %p, dense<[[false, true, true], [false, true, false]]> : tensor<2x3xi1>
  %q = "chlo.broadcast_compare"(%y, %c) <{compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction LE>}> : (tensor<1x3xf32>, tensor<2x1xf32>) -> tensor<2x3xi1>
  check.expect_eq_const %q, dense<[[true, false, false], [true, false, true]]> : tensor<2x3xi1>
  %s = "chlo.broadcast_select"(%p, %y, %c) : (tensor<2x3xi1>, tensor<1x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %s, dense<[[1.0, 4.0, 2.0], [2.0, 4.0, 2.0]]> : tensor<2x3xf32>
  %k = "chlo.constant"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
  %l = "chlo.constant_like"(%y) {value = 3.0 : f32} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  check.expect_eq_const %l, dense<3.0> : tensor<1x3xf32>
  %n = chlo.next_after %y, %l : tensor<1x3xf32>, tensor<1x3xf32> -> tensor<1x3xf32>
  check.expect_eq_const %n, dense<[[0x3F800001, 0x407FFFFF, 0x40000001]]> : tensor<1x3xf32>
  %inf = chlo.is_inf %y : tensor<1x3xf32> -> tensor<1x3xi1>
  check.expect_eq_const %inf, dense<false> : tensor<1x3xi1>
  %z = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>
  %cj = chlo.conj %z : tensor<1xcomplex<f32>> -> tensor<1xcomplex<f32>>
  check.expect_eq_const %cj, dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>
  %ii = stablehlo.constant dense<[2147483647, -2147483648]> : tensor<2xi32>
  %mh = "chlo.mulhi"(%ii, %ii) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %mh, dense<[1073741823, 1073741824]> : tensor<2xi32>
  %sq = chlo.square %y : tensor<1x3xf32> -> tensor<1x3xf32>
  check.expect_eq_const %sq, dense<[[1.0, 16.0, 4.0]]> : tensor<1x3xf32>
  return
}
