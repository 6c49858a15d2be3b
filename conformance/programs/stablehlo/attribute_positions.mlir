// Attributes between <{ }>, behind regions, in both, and in pretty forms.
#dims = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
func.func @main() {
  %x = stablehlo.constant {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xui8>
  %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xui8>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #dims, slice_sizes = array<i64: 1, 2>}> {indices_are_sorted = false, mhlo.frontend_attributes = {a = "b"}} : (tensor<3x2xui8>, tensor<2x1xui8>) -> tensor<2x2xui8>
  check.expect_eq_const %0, dense<[[5, 6], [1, 2]]> : tensor<2x2xui8>
  %1 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], index_vector_dim = 1, offset_dims = [1], start_index_map = [0]>, slice_sizes = dense<[1, 2]> : tensor<2xi64>, indices_are_sorted = true} : (tensor<3x2xui8>, tensor<2x1xui8>) -> tensor<2x2xui8>
  check.expect_eq %1, %0 : tensor<2x2xui8>
  %2 = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction LE>}> {compare_type = #stablehlo<comparison_type UNSIGNED>} : (tensor<3x2xui8>, tensor<3x2xui8>) -> tensor<3x2xi1>
  check.expect_eq_const %2, dense<true> : tensor<3x2xi1>
  %3 = stablehlo.subtract %x, %x {mhlo.sharding = "{replicated}"} : tensor<3x2xui8>
  check.expect_eq_const %3, dense<0> : tensor<3x2xui8>
  %4 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> {"quoted.name" = 1 : i64, unit} : (tensor<3x2xui8>) -> tensor<3x2xui8>
  check.expect_eq_const %4, dense<[[5, 6], [3, 4], [1, 2]]> : tensor<3x2xui8>
  %5 = stablehlo.reverse %x, dims = [0, 1] {a.b} : tensor<3x2xui8>
  check.expect_eq_const %5, dense<[[6, 5], [4, 3], [2, 1]]> : tensor<3x2xui8>
  return
}
