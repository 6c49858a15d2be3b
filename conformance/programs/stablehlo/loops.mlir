module {
  func.func @main() {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %step = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %limit = stablehlo.add %n, %one : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %init = stablehlo.constant dense<0.0> : tensor<2xf32>
    %r:2 = stablehlo.while(%iterArg = %zero, %iterArg_0 = %init) : tensor<i32>, tensor<2xf32> attributes {mhlo.frontend_attributes = {a = "b"}}
     cond {
      %c = stablehlo.compare LT, %iterArg, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %i = stablehlo.add %iterArg, %one : tensor<i32>
      %s = func.call @acc(%iterArg_0, %step) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %i, %s : tensor<i32>, tensor<2xf32>
    }
    check.expect_eq_const %r#0, dense<6> : tensor<i32>
    check.expect_almost_eq_const %r#1, dense<[6.0, 12.0]> : tensor<2xf32>
    %q:2 = "stablehlo.while"(%zero, %init) ({
    ^bb0(%a: tensor<i32>, %b: tensor<2xf32>):
      %c = "stablehlo.compare"(%a, %limit) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a: tensor<i32>, %b: tensor<2xf32>):
      %i = "stablehlo.add"(%a, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%i, %step) : (tensor<i32>, tensor<2xf32>) -> ()
    }) : (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>)
    check.expect_eq %q#1, %step : tensor<2xf32>
    return
  }
  func.func private @acc(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %a, %b : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
