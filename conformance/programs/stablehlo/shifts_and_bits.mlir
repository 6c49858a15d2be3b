func.func @main() {
  %x = stablehlo.constant dense<[-8, 7, 1, -1]> : tensor<4xi4>
  %s = stablehlo.constant dense<[1, 1, 3, 7]> : tensor<4xi4>
  %0 = stablehlo.shift_left %x, %s : tensor<4xi4>
  check.expect_eq_const %0, dense<[0, -2, -8, 0]> : tensor<4xi4>
  %1 = stablehlo.shift_right_arithmetic %x, %s : tensor<4xi4>
  check.expect_eq_const %1, dense<[-4, 3, 0, -1]> : tensor<4xi4>
  %2 = stablehlo.shift_right_logical %x, %s : tensor<4xi4>
  check.expect_eq_const %2, dense<[4, 3, 0, 0]> : tensor<4xi4>
  %3 = stablehlo.popcnt %x : tensor<4xi4>
  check.expect_eq_const %3, dense<[1, 3, 1, 4]> : tensor<4xi4>
  %4 = stablehlo.count_leading_zeros %x : tensor<4xi4>
  check.expect_eq_const %4, dense<[0, 1, 3, 0]> : tensor<4xi4>
  %5 = stablehlo.bitcast_convert %x : (tensor<4xi4>) -> tensor<4xui4>
  check.expect_eq_const %5, dense<[8, 7, 1, 15]> : tensor<4xui4>
  %f = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %6 = stablehlo.bitcast_convert %f : (tensor<2xf32>) -> tensor<2x2xui16>
  check.expect_eq_const %6, dense<[[0, 16256], [0, 32768]]> : tensor<2x2xui16>
  %7 = stablehlo.xor %x, %s : tensor<4xi4>
  check.expect_eq_const %7, dense<[-7, 6, 2, -8]> : tensor<4xi4>
  %c = stablehlo.clamp %s, %x, %s : tensor<4xi4>
  check.expect_eq %c, %s : tensor<4xi4>
  %8 = stablehlo.remainder %x, %s : tensor<4xi4>
  check.expect_eq_const %8, dense<[0, 0, 1, -1]> : tensor<4xi4>
  %9 = stablehlo.power %x, %s : tensor<4xi4>
  check.expect_eq_const %9, dense<[-8, 7, 1, -1]> : tensor<4xi4>
  return
}
