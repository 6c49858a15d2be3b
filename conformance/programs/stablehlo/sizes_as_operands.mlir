module {
  func.func @main() {
    %x = stablehlo.iota dim = 0 : tensor<6xi32>
    %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
    %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xi32>, tensor<2xi64>) -> tensor<?x?xi32>
    %1 = "stablehlo.dynamic_reshape"(%x, %s) : (tensor<6xi32>, tensor<2xi64>) -> tensor<2x3xi32>
    check.expect_eq_const %1, dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
    %d = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
    check.expect_eq_const %d, dense<3> : tensor<i32>
    %sh = stablehlo.constant dense<[2, 2, 3]> : tensor<3xindex>
    %b = stablehlo.dynamic_broadcast_in_dim %0, %sh, dims = [1, 2] : (tensor<?x?xi32>, tensor<3xindex>) -> tensor<?x?x?xi32>
    %b2 = stablehlo.dynamic_broadcast_in_dim %1, %sh, dims = [1, 2] {known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64: 0, 1>} : (tensor<2x3xi32>, tensor<3xindex>) -> tensor<2x2x3xi32>
    check.expect_eq_const %b2, dense<[[[0, 1, 2], [3, 4, 5]], [[0, 1, 2], [3, 4, 5]]]> : tensor<2x2x3xi32>
    %io = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>
    %st = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
    %li = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
    %sr = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %sl = stablehlo.real_dynamic_slice %1, %st, %li, %sr : (tensor<2x3xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x1xi32>
    check.expect_eq_const %sl, dense<[[1], [4]]> : tensor<2x1xi32>
    %pv = stablehlo.constant dense<-1> : tensor<i32>
    %lo = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
    %hi = stablehlo.constant dense<[0, -1]> : tensor<2xi64>
    %in = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
    %p = stablehlo.dynamic_pad %1, %pv, %lo, %hi, %in : (tensor<2x3xi32>, tensor<i32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<3x3xi32>
    check.expect_eq_const %p, dense<[[-1, 0, 1], [-1, -1, -1], [-1, 3, 4]]> : tensor<3x3xi32>
    %ix = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi64>
    %gs = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
    %g = "stablehlo.dynamic_gather"(%1, %ix, %gs) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false} : (tensor<2x3xi32>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x2xi32>
    check.expect_eq_const %g, dense<[[2, 5], [0, 3]]> : tensor<2x2xi32>
    %cu = stablehlo.add %0, %0 : tensor<?x?xi32>
    %cus = stablehlo.convert %cu : (tensor<?x?xi32>) -> tensor<?x?xi64>
    %back = stablehlo.reshape %cus : (tensor<?x?xi64>) -> tensor<6xi64>
    check.expect_eq_const %back, dense<[0, 2, 4, 6, 8, 10]> : tensor<6xi64>
    return
  }
}
