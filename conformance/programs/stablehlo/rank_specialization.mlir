func.func @main() {
  %x = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf32>
  %0 = "chlo.rank_specialization_cluster"(%x, %x) ({
  ^bb0(%a: tensor<*xf32>, %b: tensor<*xf32>):
    %1 = "chlo.broadcast_multiply"(%a, %b) : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %2 = "stablehlo.sqrt"(%1) : (tensor<*xf32>) -> tensor<*xf32>
    "chlo.rank_specialization_cluster_yield"(%2) : (tensor<*xf32>) -> ()
  }) : (tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
  %3 = stablehlo.reshape %0 : (tensor<*xf32>) -> tensor<1x2xf32>
  check.expect_eq_const %3, dense<[[1.0, 4.0]]> : tensor<1x2xf32>
  return
}
