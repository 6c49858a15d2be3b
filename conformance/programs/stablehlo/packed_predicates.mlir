func.func @bits() {
  %a = stablehlo.constant dense<"0x55"> : tensor<8xi1>
  check.expect_eq_const %a, dense<[true, false, true, false, true, false, true, false]> : tensor<8xi1>
  %b = stablehlo.constant dense<"0x0001000101"> : tensor<5xi1>
  check.expect_eq_const %b, dense<[false, true, false, true, true]> : tensor<5xi1>
  %c = stablehlo.constant dense<"0xFF"> : tensor<3x3xi1>
  check.expect_eq_const %c, dense<true> : tensor<3x3xi1>
  %d = stablehlo.constant dense<"0x0D01"> : tensor<9xi1>
  check.expect_eq_const %d, dense<[true, false, true, true, false, false, false, false, true]> : tensor<9xi1>
  %e = stablehlo.constant dense<true> : tensor<i1>
  %f = stablehlo.not %e : tensor<i1>
  check.expect_eq_const %f, dense<false> : tensor<i1>
  %g = stablehlo.constant dense<[1, 0]> : tensor<2xi1>
  check.expect_eq_const %g, dense<[true, false]> : tensor<2xi1>
  %h = stablehlo.constant dense<[-1, 0]> : tensor<2xi1>
  check.expect_eq_const %h, dense<[true, false]> : tensor<2xi1>
  return
}
