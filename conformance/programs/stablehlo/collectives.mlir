module @m attributes {mhlo.num_replicas = 1 : i32} {
  func.func @main() {
    %x = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
    %r:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@p], [@p]]} : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<2x8xi64>, tensor<2x8xi64>)
    check.expect_eq_const %r#0, dense<[[1, 2, 3, 4, 1, 2, 3, 4], [5, 6, 7, 8, 5, 6, 7, 8]]> : tensor<2x8xi64>
    %s:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@q, @q]]} : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>)
    check.expect_eq_const %s#0, dense<[[6, 12, 18, 24], [30, 36, 42, 48]]> : tensor<2x4xi64>
    %t:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@rs, @rs]]} : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>)
    check.expect_eq_const %t#0, dense<[[6, 12], [30, 36]]> : tensor<2x2xi64>
    check.expect_eq_const %t#1, dense<[[18, 24], [42, 48]]> : tensor<2x2xi64>
    return
  }
  func.func private @rs(%a: tensor<2x4xi64>) -> tensor<2x2xi64> {
    %t = stablehlo.constant dense<3> : tensor<i64>
    %r = stablehlo.reduce(%a init: %t) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x4xi64>, tensor<i64>) -> tensor<i64>
    %eight = stablehlo.constant dense<5> : tensor<i64>
    %three = stablehlo.subtract %r, %eight : tensor<i64>
    %0 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%b: tensor<i64>, %c: tensor<i64>):
      %s = stablehlo.add %b, %c : tensor<i64>
      %m = stablehlo.multiply %s, %three : tensor<i64>
      stablehlo.return %m : tensor<i64>
    }) : (tensor<2x4xi64>) -> tensor<2x2xi64>
    return %0 : tensor<2x2xi64>
  }
  func.func private @p(%a: tensor<2x4xi64>) -> tensor<2x8xi64> {
    %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2x4xi64>) -> tensor<2x8xi64>
    return %0 : tensor<2x8xi64>
  }
  func.func private @q(%a: tensor<2x4xi64>) -> tensor<2x4xi64> {
    %t = stablehlo.constant dense<3> : tensor<i64>
    %r = stablehlo.reduce(%a init: %t) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x4xi64>, tensor<i64>) -> tensor<i64>
    %eight = stablehlo.constant dense<5> : tensor<i64>
    %three = stablehlo.subtract %r, %eight : tensor<i64>
    %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%b: tensor<i64>, %c: tensor<i64>):
      %s = stablehlo.add %b, %c : tensor<i64>
      %m = stablehlo.multiply %s, %three : tensor<i64>
      stablehlo.return %m : tensor<i64>
    }) : (tensor<2x4xi64>) -> tensor<2x4xi64>
    return %0 : tensor<2x4xi64>
  }
}
