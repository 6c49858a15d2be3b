module {
func.func @main() {
  %x = stablehlo.constant dense<[1.0, 5.0, 3.0, 4.0]> : tensor<4xf16>
  %s = stablehlo.constant dense<[10.0, 20.0]> : tensor<2xf16>
  %z = stablehlo.constant dense<0.0> : tensor<f16>
  %sc = stablehlo.constant dense<2.0> : tensor<f16>
  %0 = func.call @f(%x, %s, %z, %sc) : (tensor<4xf16>, tensor<2xf16>, tensor<f16>, tensor<f16>) -> tensor<4xf16>
  check.expect_eq_const %0, dense<[0.0, 20.0, 0.0, 40.0]> : tensor<4xf16>
  %1 = func.call @g(%x, %s, %z) : (tensor<4xf16>, tensor<2xf16>, tensor<f16>) -> tensor<4xf32>
  %big = stablehlo.constant dense<[2048.0, 1.0]> : tensor<2xf16>
  %2 = func.call @h(%x, %big, %z) : (tensor<4xf16>, tensor<2xf16>, tensor<f16>) -> tensor<4xf32>
  check.expect_eq_const %2, dense<[0.0, 2049.0, 0.0, 0.0]> : tensor<4xf32>
  check.expect_eq_const %1, dense<[0.0, 10.0, 0.0, 20.0]> : tensor<4xf32>
  return
}
func.func private @g(%x: tensor<4xf16>, %s: tensor<2xf16>, %z: tensor<f16>) -> tensor<4xf32> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4xf16>, tensor<2xf16>, tensor<f16>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @h(%x: tensor<4xf16>, %s: tensor<2xf16>, %z: tensor<f16>) -> tensor<4xf32> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4xf16>, tensor<2xf16>, tensor<f16>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf16>, %s: tensor<2xf16>, %z: tensor<f16>, %sc: tensor<f16>) -> tensor<4xf16> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %am = stablehlo.multiply %a, %sc : tensor<f16>
    %bm = stablehlo.multiply %b, %sc : tensor<f16>
    %p = stablehlo.compare GE, %am, %bm : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %am = stablehlo.multiply %b, %sc : tensor<f16>
    %p = stablehlo.add %a, %am : tensor<f16>
    stablehlo.return %p : tensor<f16>
  }) : (tensor<4xf16>, tensor<2xf16>, tensor<f16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}
}
