func.func @main() {
  %z = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f64>>
  %a = chlo.atan %z : tensor<complex<f64>> -> tensor<complex<f64>>
  check.expect_eq_const %a, dense<(0.78539816339744828, 0.0)> : tensor<complex<f64>>
  %o = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xf16>
  %b = "stablehlo.composite"(%o) <{name = "chlo.atan", decomposition = @x}> : (tensor<2xf16>) -> tensor<2xf16>
  check.expect_eq_const %b, dense<[0x3A48, -0.0]> : tensor<2xf16>
  return
}
func.func private @x(%a: tensor<2xf16>) -> tensor<2xf16> {
  return %a : tensor<2xf16>
}
