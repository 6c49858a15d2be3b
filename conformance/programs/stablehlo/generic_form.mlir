"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %9 = "stablehlo.add"(%arg0, %arg1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%9) : (tensor<i32>) -> ()
    }) : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>
    "check.expect_eq_const"(%2) <{value = dense<[3, 7]> : tensor<2xi32>}> : (tensor<2xi32>) -> ()
    %3 = "stablehlo.slice"(%0) <{limit_indices = array<i64: 2, 2>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 1>}> : (tensor<2x2xi32>) -> tensor<2x1xi32>
    %4 = "stablehlo.slice"(%0) {limit_indices = dense<[2, 2]> : tensor<2xi64>, start_indices = dense<[0, 1]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} : (tensor<2x2xi32>) -> tensor<2x1xi32>
    "check.expect_eq"(%3, %4) : (tensor<2x1xi32>, tensor<2x1xi32>) -> ()
    %5 = "stablehlo.concatenate"(%0, %3) <{dimension = 1 : i64}> : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
    "check.expect_eq_const"(%5) <{value = dense<[[1, 2, 2], [3, 4, 4]]> : tensor<2x3xi32>}> : (tensor<2x3xi32>) -> ()
    %6 = "stablehlo.pad"(%0, %1) <{edge_padding_high = array<i64: 0, 0>, edge_padding_low = array<i64: 0, 1>, interior_padding = array<i64: 0, 0>}> : (tensor<2x2xi32>, tensor<i32>) -> tensor<2x3xi32>
    "check.expect_eq_const"(%6) <{value = dense<[[0, 1, 2], [0, 3, 4]]> : tensor<2x3xi32>}> : (tensor<2x3xi32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
