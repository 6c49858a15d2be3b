// 18 - 26i is the cube of 3 - i; the sign of a zero part says which side of the
// cut a number is on. The kernel of z = 1.125 - 0.875i, whose sine it is of a
// number that exp makes 2 + 2i, is exact but for a logarithm.
func.func @main() {
  %0 = stablehlo.constant dense<[(18.0, -26.0), (8.0, -0.0), (-8.0, 0.0), (-8.0, -0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.cbrt %0 : tensor<4xcomplex<f64>>
  check.expect_eq_const %1, dense<[(3.0, -1.0), (2.0, -0.0), (1.0, 1.7320508075688772), (1.0, -1.7320508075688772)]> : tensor<4xcomplex<f64>>
  %2 = stablehlo.constant dense<(0.0, -8.0)> : tensor<complex<f32>>
  %3 = "stablehlo.cbrt"(%2) : (tensor<complex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %3, dense<(1.73205078, -1.0)> : tensor<complex<f32>>
  %4 = stablehlo.constant dense<[(1.125, -0.875), (0.0, 0.75), (0.5, 0.0)]> : tensor<3xcomplex<f64>>
  %5 = "chlo._asin_acos_kernel"(%4) : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  check.expect_eq_const %5, dense<[(1.125, 1.0397207708399179), (1.25, 0.6931471805599453), (0.8660254037844386, 0.0)]> : tensor<3xcomplex<f64>>
  return
}
