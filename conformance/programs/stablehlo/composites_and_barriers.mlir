module {
  func.func @main() {
    %x = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf64>
    %0 = stablehlo.composite "my.op" %x {composite_attributes = {n = 2 : i64, flag}, decomposition = @impl, version = 1 : i32} : (tensor<2xf64>) -> tensor<2xf64>
    %1 = "stablehlo.composite"(%x, %x) <{name = "my.two", decomposition = @two, version = 3 : i32}> : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %b:2 = stablehlo.optimization_barrier %0, %1 : tensor<2xf64>, tensor<2xf64>
    check.expect_eq_const %b#0, dense<[1.0, 2.0]> : tensor<2xf64>
    check.expect_eq_const %b#1, dense<[2.0, 8.0]> : tensor<2xf64>
    %one = stablehlo.optimization_barrier %x : tensor<2xf64>
    %g:2 = "stablehlo.optimization_barrier"(%one, %x) : (tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
    check.expect_eq %g#0, %x : tensor<2xf64>
    return
  }
  func.func private @impl(%a: tensor<2xf64>) -> tensor<2xf64> {
    %0 = stablehlo.sqrt %a : tensor<2xf64>
    return %0 : tensor<2xf64>
  }
  func.func private @two(%a: tensor<2xf64>, %b: tensor<2xf64>) -> tensor<2xf64> {
    %0 = "stablehlo.add"(%a, %b) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    return %0 : tensor<2xf64>
  }
}
