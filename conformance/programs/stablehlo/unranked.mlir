func.func @main() {
  %x = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %0 = "stablehlo.abs"(%x) : (tensor<2xf32>) -> tensor<*xf32>
  %1 = stablehlo.add %0, %0 : tensor<*xf32>
  %2 = stablehlo.convert %1 : (tensor<*xf32>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}
