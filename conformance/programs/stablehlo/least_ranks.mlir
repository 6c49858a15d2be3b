// Dimensions that the same shapes have beyond 1 become one; those of 1 in all
// shapes go, and so do leading ones.
func.func @main() {
  %a = stablehlo.constant dense<[1, 2, 3, 1, 2, 1]> : tensor<6xindex>
  %b = stablehlo.constant dense<[1, 1, 1, 2, 3]> : tensor<5xindex>
  %0, %1 = chlo.minimum_broadcast_shapes %a, %b : tensor<6xindex>, tensor<5xindex> -> tensor<?xindex>, tensor<?xindex>
  check.expect_eq_const %0, dense<[6, 2, 1]> : tensor<3xindex>
  check.expect_eq_const %1, dense<[2, 3]> : tensor<2xindex>
  %c = stablehlo.constant dense<[4, 1, 5]> : tensor<3xindex>
  %2:3 = "chlo.minimum_broadcast_shapes"(%c, %c, %c) : (tensor<3xindex>, tensor<3xindex>, tensor<3xindex>) -> (tensor<1xindex>, tensor<?xindex>, tensor<?xindex>)
  check.expect_eq_const %2#2, dense<20> : tensor<1xindex>
  %d = stablehlo.constant dense<> : tensor<0xindex>
  %e = stablehlo.constant dense<1> : tensor<2xindex>
  %3:2 = chlo.minimum_broadcast_shapes %d, %e : tensor<0xindex>, tensor<2xindex> -> tensor<?xindex>, tensor<?xindex>
  check.expect_eq_const %3#1, dense<> : tensor<0xindex>
  %x = stablehlo.constant dense<[[[[1.0]], [[2.0]], [[3.0]]]]> : tensor<1x3x1x1xf32>
  %s = stablehlo.constant dense<[1, 3, 1, 1]> : tensor<4xindex>
  %t = stablehlo.constant dense<[2]> : tensor<1xindex>
  %4:2 = chlo.minimum_broadcast_shapes %s, %t : tensor<4xindex>, tensor<1xindex> -> tensor<?xindex>, tensor<?xindex>
  %5 = stablehlo.dynamic_reshape %x, %4#0 : (tensor<1x3x1x1xf32>, tensor<?xindex>) -> tensor<?x?xf32>
  %6 = stablehlo.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %7 = chlo.broadcast_add %5, %6 : (tensor<?x?xf32>, tensor<2xf32>) -> tensor<?x?xf32>
  check.expect_eq_const %7, dense<[[11.0, 21.0], [12.0, 22.0], [13.0, 23.0]]> : tensor<3x2xf32>
  return
}
