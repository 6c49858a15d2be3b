// Members across replicas and partitions: by their partitions first, then by
// their replicas, in the order of the group. Each brings 10 replica + partition.
module @m {
  func.func @main() {
    %g:4 = "interpreter.run_parallel"() {programs = [[@gather, @gather], [@gather, @gather]]} : () -> (tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xui32>)
    check.expect_eq_const %g#0, dense<[10, 0, 11, 1]> : tensor<4xui32>
    check.expect_eq_const %g#3, dense<[10, 0, 11, 1]> : tensor<4xui32>
    %s:4 = "interpreter.run_parallel"() {programs = [[@scatter, @scatter], [@scatter, @scatter]]} : () -> (tensor<1xui32>, tensor<1xui32>, tensor<1xui32>, tensor<1xui32>)
    check.expect_eq_const %s#0, dense<122> : tensor<1xui32>
    check.expect_eq_const %s#1, dense<322> : tensor<1xui32>
    check.expect_eq_const %s#2, dense<222> : tensor<1xui32>
    check.expect_eq_const %s#3, dense<422> : tensor<1xui32>
    %r:4 = "interpreter.run_parallel"() {programs = [[@first, @first], [@first, @first]]} : () -> (tensor<1xui32>, tensor<1xui32>, tensor<1xui32>, tensor<1xui32>)
    check.expect_eq_const %r#1, dense<10> : tensor<1xui32>
    check.expect_eq_const %r#2, dense<10> : tensor<1xui32>
    return
  }
  func.func private @own() -> tensor<1xui32> {
    %r = stablehlo.replica_id : tensor<ui32>
    %p = stablehlo.partition_id : tensor<ui32>
    %ten = stablehlo.constant dense<10> : tensor<ui32>
    %t = stablehlo.multiply %r, %ten : tensor<ui32>
    %s = stablehlo.add %t, %p : tensor<ui32>
    %v = stablehlo.reshape %s : (tensor<ui32>) -> tensor<1xui32>
    return %v : tensor<1xui32>
  }
  func.func private @gather() -> tensor<4xui32> {
    %v = func.call @own() : () -> tensor<1xui32>
    %0 = "stablehlo.all_gather"(%v) {all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<1xui32>) -> tensor<4xui32>
    return %0 : tensor<4xui32>
  }
  // Part k is 100 (k + 1) and the sum of all: 0 + 1 + 10 + 11.
  func.func private @scatter() -> tensor<1xui32> {
    %v = func.call @own() : () -> tensor<1xui32>
    %i = stablehlo.constant dense<[25, 50, 75, 100]> : tensor<4xui32>
    %b = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<1xui32>) -> tensor<4xui32>
    %a = stablehlo.add %b, %i : tensor<4xui32>
    %0 = "stablehlo.reduce_scatter"(%a) ({
    ^bb0(%x: tensor<ui32>, %y: tensor<ui32>):
      %s = stablehlo.add %x, %y : tensor<ui32>
      stablehlo.return %s : tensor<ui32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<4xui32>) -> tensor<1xui32>
    return %0 : tensor<1xui32>
  }
  func.func private @first() -> tensor<1xui32> {
    %v = func.call @own() : () -> tensor<1xui32>
    %0 = "stablehlo.all_reduce"(%v) ({
    ^bb0(%x: tensor<ui32>, %y: tensor<ui32>):
      stablehlo.return %x : tensor<ui32>
    }) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<1xui32>) -> tensor<1xui32>
    return %0 : tensor<1xui32>
  }
}
