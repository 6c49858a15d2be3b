// Complex numbers are ordered by their real parts, then by the imaginary ones;
// where a part is NaN, the second operand is taken.
func.func @main() {
  %a = stablehlo.constant dense<[(1.0, 5.0), (2.0, -1.0), (3.0, 3.0), (0x7FC00000, 0.0), (-0.0, 1.0), (4.0, 0x7FC00000)]> : tensor<6xcomplex<f32>>
  %b = stablehlo.constant dense<[(2.0, 0.0), (2.0, -2.0), (3.0, 3.0), (1.0, 2.0), (0.0, 2.0), (4.0, 7.0)]> : tensor<6xcomplex<f32>>
  %max = stablehlo.maximum %a, %b : tensor<6xcomplex<f32>>
  check.expect_eq_const %max, dense<[(2.0, 0.0), (2.0, -1.0), (3.0, 3.0), (1.0, 2.0), (0.0, 2.0), (4.0, 7.0)]> : tensor<6xcomplex<f32>>
  %min = stablehlo.minimum %a, %b : tensor<6xcomplex<f32>>
  check.expect_eq_const %min, dense<[(1.0, 5.0), (2.0, -2.0), (3.0, 3.0), (1.0, 2.0), (-0.0, 1.0), (4.0, 7.0)]> : tensor<6xcomplex<f32>>
  %init = stablehlo.constant dense<(0xFF800000, 0xFF800000)> : tensor<complex<f32>>
  %greatest = stablehlo.reduce(%b init: %init) applies stablehlo.maximum across dimensions = [0] : (tensor<6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %greatest, dense<(4.0, 7.0)> : tensor<complex<f32>>
  return
}
