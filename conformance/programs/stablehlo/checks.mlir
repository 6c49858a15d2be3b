module @jit_x {
  func.func public @main() -> tensor<2xf32> {
    %a = stablehlo.constant dense<[1.0, 0x7F800000]> : tensor<2xf32>
    %b = stablehlo.constant dense<[1.00001, 0x7F800000]> : tensor<2xf32>
    %n = stablehlo.constant dense<[1.0000001, 0x7F800000]> : tensor<2xf32>
    stablehlo.custom_call @check.expect_almost_eq(%a, %b) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
    stablehlo.custom_call @check.expect_close(%a, %n) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
    stablehlo.custom_call @check.expect_eq(%a, %a) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
    check.expect_almost_eq_const %a, dense<[1.00009, 0x7F800000]> : tensor<2xf32>
    check.expect_almost_eq_const %a, dense<[1.09, 0x7F800000]> : tensor<2xf32>, tolerance = 0.1
    check.expect_almost_eq %a, %b, tolerance = 0.1 : tensor<2xf32>
    "check.expect_almost_eq"(%a, %b) {tolerance = 1.000000e-01 : f64} : (tensor<2xf32>, tensor<2xf32>) -> ()
    "check.expect_almost_eq_const"(%a) <{value = dense<[1.0, 0x7F800000]> : tensor<2xf32>}> : (tensor<2xf32>) -> ()
    "check.expect_eq_const"(%a) {value = dense<[1.0, 0x7F800000]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
    check.expect_close %a, %n, max_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
    check.expect_close %a, %n, max_ulp_difference = 1, min_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
    check.expect_close %a, %n, max_ulp_difference = 1 : {a.b = 1 : i64} tensor<2xf32>, tensor<2xf32>
    "check.expect_close"(%a, %n) : (tensor<2xf32>, tensor<2xf32>) -> ()
    "check.expect_close"(%a, %n) <{max_ulp_difference = 4 : i64, min_ulp_difference = 0 : i64}> : (tensor<2xf32>, tensor<2xf32>) -> ()
    %e = stablehlo.custom_call @check.eq(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
    return %a : tensor<2xf32>
  }
}
