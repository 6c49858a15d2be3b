// The host stands between two programs: it hands on what one sends to it over a
// channel from which the other receives.
module @m {
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %t = "stablehlo.after_all"() : () -> !stablehlo.token
    %r:3 = "interpreter.run_parallel"(%x, %t, %t) {programs = [[@send, @recv]]} : (tensor<2xi32>, !stablehlo.token, !stablehlo.token) -> (!stablehlo.token, tensor<2xi32>, !stablehlo.token)
    check.expect_eq_const %r#1, dense<[1, 2]> : tensor<2xi32>
    return
  }
  func.func private @send(%x: tensor<2xi32>, %t: !stablehlo.token) -> !stablehlo.token {
    %0 = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
    return %0 : !stablehlo.token
  }
  func.func private @recv(%t: !stablehlo.token) -> (tensor<2xi32>, !stablehlo.token) {
    %0:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
    return %0#0, %0#1 : tensor<2xi32>, !stablehlo.token
  }
}
