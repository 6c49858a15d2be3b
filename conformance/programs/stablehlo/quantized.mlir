module {
  func.func @main() {
    %x = stablehlo.constant dense<[[1.0, -2.0, 0.75], [100.0, -100.0, 0.25]]> : tensor<2x3xf32>
    %q = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>
    %d = stablehlo.uniform_dequantize %q : (tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x3xf32>
    check.expect_eq_const %d, dense<[[1.0, -2.0, 0.5], [62.0, -65.5, 0.5]]> : tensor<2x3xf32>
    %s = stablehlo.add %q, %q : tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>
    %t = stablehlo.transpose %s, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>
    %td = "stablehlo.uniform_dequantize"(%t) : (tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x2xf32>
    check.expect_eq_const %td, dense<[[2.0, 62.0], [-4.0, -65.5], [1.0, 1.0]]> : tensor<3x2xf32>
    %u = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<u8<1:254>:f32:1, {0.5:128, 1.0:128, 0.25:128}>>
    %ub = stablehlo.bitcast_convert %u : (tensor<2x3x!quant.uniform<u8<1:254>:f32:1, {0.5:128, 1.0:128, 0.25:128}>>) -> tensor<2x3xui8>
    check.expect_eq_const %ub, dense<[[130, 126, 131], [254, 28, 129]]> : tensor<2x3xui8>
    %c = stablehlo.constant() <{value = dense<[4, 5]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 2.0:1>>
    %cd = stablehlo.uniform_dequantize %c : (tensor<2x!quant.uniform<i8:f32, 2.0:1>>) -> tensor<2xf32>
    check.expect_eq_const %cd, dense<[6.0, 8.0]> : tensor<2xf32>
    return
  }
}
