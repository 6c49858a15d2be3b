#weights = dense_resource<w> : tensor<2x2xf32>
module {
  func.func @main() {
    %0 = stablehlo.constant dense_resource<w> : tensor<2x2xf32>
    check.expect_eq_const %0, dense<[[1.0, -2.0], [0.5, 0x7FC00000]]> : tensor<2x2xf32>
    %1 = "stablehlo.constant"() <{value = #weights}> : () -> tensor<2x2xf32>
    check.expect_eq_const %1, dense_resource<w> : tensor<2x2xf32>
    %2 = stablehlo.constant dense_resource<"a name"> : tensor<9xi1>
    check.expect_eq_const %2, dense<[true, false, true, false, false, false, false, false, true]> : tensor<9xi1>
    %3 = stablehlo.constant dense_resource<narrow> : tensor<3xi4>
    check.expect_eq_const %3, dense<[7, -8, -1]> : tensor<3xi4>
    %4 = stablehlo.constant dense_resource<none> : tensor<0x3xf64>
    check.expect_eq_const %4, dense<> : tensor<0x3xf64>
    return
  }
}

{-#
  dialect_resources: {
    other: {
      w: "0x10000000FF"
    },
    builtin: {
      w: "0x100000000000803F000000C00000003F0000C07F",
      "a name": "0x01000000010001000000000001", // a byte for each
      narrow: "0x010000000708FF",
      none: "0x08000000"
    }
  },
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(canonicalize)",
      disable_threading: true
    }
  }
#-}
