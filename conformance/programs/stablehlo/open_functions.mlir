module {
  func.func private @double(%a: tensor<?xf32>) -> tensor<?xf32> {
    %0 = stablehlo.add %a, %a : tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func @main() {
    %x = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
    %y = stablehlo.constant dense<[1.0, -2.0, 5.0]> : tensor<3xf32>
    %xd = stablehlo.convert %x : (tensor<2xf32>) -> tensor<?xf32>
    %yd = stablehlo.convert %y : (tensor<3xf32>) -> tensor<?xf32>
    %0 = call @double(%xd) : (tensor<?xf32>) -> tensor<?xf32>
    %1 = call @double(%yd) : (tensor<?xf32>) -> tensor<?xf32>
    %2 = stablehlo.convert %0 : (tensor<?xf32>) -> tensor<2xf32>
    %3 = stablehlo.convert %1 : (tensor<?xf32>) -> tensor<3xf32>
    check.expect_eq_const %2, dense<[2.0, -4.0]> : tensor<2xf32>
    check.expect_eq_const %3, dense<[2.0, -4.0, 10.0]> : tensor<3xf32>
    return
  }
}
