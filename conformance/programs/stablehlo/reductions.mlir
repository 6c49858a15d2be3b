func.func @main() {
  %x = stablehlo.constant dense<[[1.0, 5.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %ix = stablehlo.iota dim = 1 : tensor<2x2xi32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zi = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [0, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>)  {
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  check.expect_eq_const %0, dense<13.0> : tensor<f32>
  %1:2 = stablehlo.reduce(%x init: %ninf), (%ix init: %zi) across dimensions = [1] : (tensor<2x2xf32>, tensor<2x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
    %p = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %p, %arg1, %arg3 : tensor<i1>, tensor<f32>
    %w = stablehlo.select %p, %arg2, %arg4 : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<f32>, tensor<i32>
  }
  check.expect_eq_const %1#0, dense<[5.0, 4.0]> : tensor<2xf32>
  check.expect_eq_const %1#1, dense<[1, 1]> : tensor<2xi32>
  %2 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq %2, %x : tensor<2x2xf32>
  %pr = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %tr = stablehlo.constant dense<true> : tensor<i1>
  %3 = stablehlo.reduce(%pr init: %tr) applies stablehlo.and across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %3, dense<false> : tensor<i1>
  %h = stablehlo.constant dense<[2048.0, 1.0, 1.0]> : tensor<3xf16>
  %zh = stablehlo.constant dense<0.0> : tensor<f16>
  %4 = "stablehlo.reduce"(%h, %zh) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf16>, tensor<f16>) -> tensor<f32>
  check.expect_eq_const %4, dense<2050.0> : tensor<f32>
  return
}
