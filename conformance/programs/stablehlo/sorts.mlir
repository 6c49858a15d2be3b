func.func @main() {
  %x = stablehlo.constant dense<[[3.0, 1.0, 2.0]]> : tensor<1x3xbf16>
  %i = stablehlo.iota dim = 1 : tensor<1x3xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare  GT, %a, %b,  TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<1x3xbf16>, tensor<1x3xi32>) -> (tensor<1x3xbf16>, tensor<1x3xi32>)
  check.expect_eq_const %0#0, dense<[[3.0, 2.0, 1.0]]> : tensor<1x3xbf16>
  check.expect_eq_const %0#1, dense<[[0, 2, 1]]> : tensor<1x3xi32>
  return
}
