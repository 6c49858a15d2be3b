func.func @main() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xui16>
  %z = stablehlo.constant dense<0> : tensor<ui16>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<ui16>, %b: tensor<ui16>):
    %m = stablehlo.maximum %a, %b : tensor<ui16>
    stablehlo.return %m : tensor<ui16>
  }) : (tensor<4xui16>, tensor<ui16>) -> tensor<3xui16>
  check.expect_eq_const %0, dense<[1, 3, 4]> : tensor<3xui16>
  %xf = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %zf = stablehlo.constant dense<0.0> : tensor<f32>
  %1:2 = "stablehlo.reduce_window"(%xf, %xf, %zf, %zf) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %m = stablehlo.maximum %a, %c : tensor<f32>
    %s = stablehlo.add %b, %d : tensor<f32>
    stablehlo.return %m, %s : tensor<f32>, tensor<f32>
  }) {window_dimensions = dense<2> : tensor<1xi64>, base_dilations = array<i64: 2>, window_dilations = array<i64: 2>} : (tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  check.expect_eq_const %1#0, dense<[2.0, 0.0, 3.0]> : tensor<3xf32>
  check.expect_eq_const %1#1, dense<[3.0, 0.0, 5.0]> : tensor<3xf32>
  return
}
