module {
  func.func @main() {
    %t = stablehlo.create_token : !stablehlo.token
    %u = "stablehlo.create_token"() : () -> !stablehlo.token
    %v = stablehlo.after_all %t, %u : !stablehlo.token
    %x = stablehlo.constant dense<[1, -2]> : tensor<2xi16>
    %w = "stablehlo.outfeed"(%x, %v) <{outfeed_config = ""}> : (tensor<2xi16>, !stablehlo.token) -> !stablehlo.token
    %r = stablehlo.replica_id : tensor<ui32>
    %p = "stablehlo.partition_id"() : () -> tensor<ui32>
    check.expect_eq %r, %p : tensor<ui32>
    return
  }
}
