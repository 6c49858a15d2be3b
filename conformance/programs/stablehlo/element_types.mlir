func.func @main() {
  %a = stablehlo.constant dense<[1.5, 0x7FC0, 0xFF80, -0.0]> : tensor<4xbf16>
  %p = stablehlo.is_finite %a : (tensor<4xbf16>) -> tensor<4xi1>
  check.expect_eq_const %p, dense<[true, false, false, true]> : tensor<4xi1>
  %b = stablehlo.constant dense<[(1.0, 0x7F800000), (2.5E-1, -3.0)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.real %b : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[1.0, 0.25]> : tensor<2xf32>
  %c = stablehlo.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f64>>
  %cm = stablehlo.multiply %c, %c : tensor<2xcomplex<f64>>
  check.expect_eq_const %cm, dense<(-3.0, 4.0)> : tensor<2xcomplex<f64>>
  %cb = stablehlo.constant dense<"0x0000803F000000400000404000008040"> : tensor<2xcomplex<f32>>
  check.expect_eq_const %cb, dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %f8 = stablehlo.constant dense<[1.0, 448.0, -0.0]> : tensor<3xf8E4M3FN>
  %f8c = stablehlo.convert %f8 : (tensor<3xf8E4M3FN>) -> tensor<3xf8E5M2>
  check.expect_eq_const %f8c, dense<[1.0, 448.0, -0.0]> : tensor<3xf8E5M2>
  %g1 = stablehlo.constant dense<[1.0, 0x70]> : tensor<2xf8E3M4>
  %g2 = stablehlo.constant dense<[1.0, -7.5]> : tensor<2xf6E2M3FN>
  %g3 = stablehlo.constant dense<[1.0, -28.0]> : tensor<2xf6E3M2FN>
  %g4 = stablehlo.constant dense<[1.0, -6.0]> : tensor<2xf4E2M1FN>
  %g5 = stablehlo.constant dense<[1.0, 0.5]> : tensor<2xf8E8M0FNU>
  %g6 = stablehlo.constant dense<"0x3870"> : tensor<2xf8E4M3FN>
  check.expect_eq_const %g6, dense<[1.0, 128.0]> : tensor<2xf8E4M3FN>
  %g7 = stablehlo.convert %g4 : (tensor<2xf4E2M1FN>) -> tensor<2xf32>
  check.expect_eq_const %g7, dense<[1.0, -6.0]> : tensor<2xf32>
  %g8 = stablehlo.constant dense<[1.0, 0x80]> : tensor<2xf8E4M3B11FNUZ>
  %g9 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E5M2FNUZ>
  %g10 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FNUZ>
  %g11 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3>
  %e = stablehlo.constant dense<> : tensor<0x3xf32>
  %e2 = stablehlo.concatenate %e, %e, dim = 0 : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xf32>
  check.expect_eq_const %e2, dense<> : tensor<0x3xf32>
  %i4 = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %i4b = stablehlo.constant dense<"0xF807"> : tensor<2xi4>
  check.expect_eq %i4, %i4b : tensor<2xi4>
  %i2 = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %u2 = stablehlo.constant dense<[3, 0]> : tensor<2xui2>
  %ad = stablehlo.add %u2, %u2 : tensor<2xui2>
  check.expect_eq_const %ad, dense<[2, 0]> : tensor<2xui2>
  %h = stablehlo.constant dense<0x3C00> : tensor<f16>
  check.expect_eq_const %h, dense<1.0> : tensor<f16>
  %big = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %sm = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %hx = stablehlo.constant dense<0xFF> : tensor<ui8>
  check.expect_eq_const %hx, dense<255> : tensor<ui8>
  return
}
