func.func @main() {
  %x = stablehlo.constant dense<[[1.0, 10.0], [3.0, 20.0]]> : tensor<2x2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %two = stablehlo.constant dense<2.0> : tensor<2xf32>
  %mean = stablehlo.constant dense<[2.0, 15.0]> : tensor<2xf32>
  %var = stablehlo.constant dense<[1.0, 25.0]> : tensor<2xf32>
  %0 = "stablehlo.batch_norm_inference"(%x, %one, %two, %mean, %var) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[1.0, 1.0], [3.0, 3.0]]> : tensor<2x2xf32>
  %1:3 = "stablehlo.batch_norm_training"(%x, %one, %two) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %1#0, dense<[[1.0, 1.0], [3.0, 3.0]]> : tensor<2x2xf32>
  check.expect_eq_const %1#1, dense<[2.0, 15.0]> : tensor<2xf32>
  check.expect_eq_const %1#2, dense<[1.0, 25.0]> : tensor<2xf32>
  return
}
