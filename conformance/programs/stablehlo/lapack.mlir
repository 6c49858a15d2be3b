#loc1 = loc("x")
module @jit_func attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %x = stablehlo.constant dense<[[[4.0, 2.0], [2.0, 5.0]], [[1.0, 2.0], [2.0, 1.0]]]> : tensor<2x2x2xf32>
    %4:2 = stablehlo.custom_call @lapack_spotrf_ffi(%x) {mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i]) {i=2, j=2, k=2, l=2, m=2}, custom>} : (tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2xi32>) loc(#loc1)
    check.expect_eq_const %4#1, dense<[0, 1]> : tensor<2xi32>
    %0 = stablehlo.slice %4#0 [0:1, 0:2, 0:2] : (tensor<2x2x2xf32>) -> tensor<1x2x2xf32>
    check.expect_eq_const %0, dense<[[[2.0, 2.0], [1.0, 2.0]]]> : tensor<1x2x2xf32>
    %a = stablehlo.constant dense<[[2.0, 9.0], [1.0, 4.0]]> : tensor<2x2xf32>
    %b = stablehlo.constant dense<[[2.0], [9.0]]> : tensor<2x1xf32>
    %one = stablehlo.constant dense<2.0> : tensor<f32>
    %s = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=4, j=4, k=4, l=5, m=4, n=5}, custom>} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    check.expect_eq_const %s, dense<[[1.0], [2.0]]> : tensor<2x1xf32>
    %t = stablehlo.custom_call @lapack_strsm_ffi(%a, %b, %one) {backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, api_version = 4 : i32} : (tensor<2x2xf32>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
    check.expect_eq_const %t, dense<[[-0.25], [4.5]]> : tensor<2x1xf32>
    return
  }
}
