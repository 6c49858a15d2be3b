// Regions that use values of the function around them, which are not constant.
module {
  func.func @main() {
    %x = stablehlo.constant dense<[4, 1, 2, 0]> : tensor<4xi32>
    %k = stablehlo.constant dense<3> : tensor<i32>
    %0:5 = call @f(%x, %k) : (tensor<4xi32>, tensor<i32>) -> (tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<3xi32>, tensor<4xi32>)
    check.expect_eq_const %0#0, dense<3> : tensor<i32>
    check.expect_eq_const %0#1, dense<[4, 2, 1, 0]> : tensor<4xi32>
    check.expect_eq_const %0#2, dense<[12, 3, 6, 0]> : tensor<4xi32>
    check.expect_eq_const %0#3, dense<[3, 2, 2]> : tensor<3xi32>
    check.expect_eq_const %0#4, dense<[4, 1, 20, 0]> : tensor<4xi32>
    return
  }
  func.func private @f(%x: tensor<4xi32>, %k: tensor<i32>) -> (tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<3xi32>, tensor<4xi32>) {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %r = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
     reducer(%a: tensor<i32>, %b: tensor<i32>) {
      %s = stablehlo.maximum %a, %b : tensor<i32>
      %t = stablehlo.minimum %s, %k : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }
    %s = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = stablehlo.subtract %a, %k : tensor<i32>
      %d = stablehlo.subtract %b, %k : tensor<i32>
      %e = stablehlo.abs %c : tensor<i32>
      %g = stablehlo.abs %d : tensor<i32>
      %eq = stablehlo.compare EQ, %e, %g : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %gt = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %lt = stablehlo.compare LT, %e, %g : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %p = stablehlo.select %eq, %gt, %lt : tensor<i1>, tensor<i1>
      stablehlo.return %p : tensor<i1>
    }) : (tensor<4xi32>) -> tensor<4xi32>
    %m = "stablehlo.map"(%x) ({
    ^bb0(%a: tensor<i32>):
      %s2 = stablehlo.multiply %a, %k : tensor<i32>
      stablehlo.return %s2 : tensor<i32>
    }) {dimensions = array<i64: 0>} : (tensor<4xi32>) -> tensor<4xi32>
    %w = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s3 = stablehlo.maximum %a, %b : tensor<i32>
      %t3 = stablehlo.minimum %s3, %k : tensor<i32>
      stablehlo.return %t3 : tensor<i32>
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
    %i = stablehlo.constant dense<[[2]]> : tensor<1x1xi32>
    %u = stablehlo.constant dense<[6]> : tensor<1xi32>
    %c = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s4 = stablehlo.multiply %b, %k : tensor<i32>
      %t4 = stablehlo.add %a, %s4 : tensor<i32>
      stablehlo.return %t4 : tensor<i32>
    }) : (tensor<4xi32>, tensor<1x1xi32>, tensor<1xi32>) -> tensor<4xi32>
    return %r, %s, %m, %w, %c : tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<3xi32>, tensor<4xi32>
  }
}
