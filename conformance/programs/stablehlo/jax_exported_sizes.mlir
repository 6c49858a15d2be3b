module @jit_f attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %arg0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<3x2xf32>) -> tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<i64>
    %2 = stablehlo.convert %arg0 : (tensor<3x2xf32>) -> tensor<?x2xf32>
    %3 = call @_wrapped_jax_export_main(%1, %2) : (tensor<i64>, tensor<?x2xf32>) -> tensor<?xf32>
    %4 = stablehlo.reshape %3 : (tensor<?xf32>) -> tensor<6xf32>
    check.expect_eq_const %4, dense<[2.0, 4.0, 6.0, 8.0, 10.0, 12.0]> : tensor<6xf32>
    return
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i64> {jax.global_constant = "b"}, %arg1: tensor<?x2xf32>) -> (tensor<?xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<2> : tensor<i64>
    %0 = stablehlo.multiply %arg0, %c : tensor<i64>
    %1 = stablehlo.reshape %0 : (tensor<i64>) -> tensor<1xi64>
    %2 = stablehlo.dynamic_reshape %arg1, %1 : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<?xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<?xf32>
    return %4 : tensor<?xf32>
  }
}
