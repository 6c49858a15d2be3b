// Scans of several states, in both forms; values of constant_like; several open sizes.
func.func @main() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %y = stablehlo.constant dense<[5, 6, 7]> : tensor<3xi32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0:4 = chlo.scan(%x, %y) inits(%ten, %two) dimension=0 {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %s: tensor<i32>, %p: tensor<i32>):
    %1 = stablehlo.add %s, %a : tensor<i32>
    %2 = stablehlo.multiply %p, %b : tensor<i32>
    %3 = stablehlo.subtract %2, %1 : tensor<i32>
    stablehlo.return %1, %3, %1, %2 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  } : (tensor<3xi32>, tensor<3xi32>, tensor<i32>, tensor<i32>) -> (tensor<3xi32>, tensor<3xi32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[11, 13, 16]> : tensor<3xi32>
  check.expect_eq_const %0#1, dense<[-1, 47, 404]> : tensor<3xi32>
  check.expect_eq_const %0#2, dense<16> : tensor<i32>
  check.expect_eq_const %0#3, dense<420> : tensor<i32>
  %4:2 = chlo.scan(%x) inits(%ten) dimension=0 attributes {is_reverse = true} {
  ^bb0(%a: tensor<i32>, %s: tensor<i32>):
    %5 = stablehlo.add %s, %a : tensor<i32>
    stablehlo.return %5, %s : tensor<i32>, tensor<i32>
  } : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  check.expect_eq_const %4#0, dense<[11, 12, 13]> : tensor<3xi32>
  check.expect_eq_const %4#1, dense<10> : tensor<i32>
  %6:3 = "chlo.scan"(%x, %ten, %two) <{dimension = 0 : i64, is_reverse = true, is_associative = false, operandSegmentSizes = array<i32: 1, 2>, resultSegmentSizes = array<i32: 1, 2>}> ({
  ^bb0(%a: tensor<i32>, %s: tensor<i32>, %p: tensor<i32>):
    %7 = stablehlo.add %s, %a : tensor<i32>
    %8 = stablehlo.multiply %p, %7 : tensor<i32>
    stablehlo.return %8, %7, %8 : tensor<i32>, tensor<i32>, tensor<i32>
  }) : (tensor<3xi32>, tensor<i32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %6#0, dense<[6240, 390, 26]> : tensor<3xi32>
  check.expect_eq_const %6#1, dense<16> : tensor<i32>
  check.expect_eq_const %6#2, dense<6240> : tensor<i32>
  %9 = chlo.scan(%x) inits() dimension=0 {
  ^bb0(%a: tensor<i32>):
    %10 = stablehlo.negate %a : tensor<i32>
    stablehlo.return %10 : tensor<i32>
  } : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %9, dense<[-1, -2, -3]> : tensor<3xi32>

  %l0 = "chlo.constant_like"(%x) {value = -7 : i32} : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %l0, dense<-7> : tensor<3xi32>
  %l1 = "chlo.constant_like"(%x) {value = dense<9> : tensor<i32>} : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %l1, dense<9> : tensor<3xi32>
  %l2 = "chlo.constant_like"(%x) <{value = dense<[4]> : tensor<1xi32>}> : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %l2, dense<4> : tensor<3xi32>
  %l3 = "chlo.constant_like"(%x) {value = dense<2.5> : tensor<f32>} : (tensor<3xi32>) -> tensor<3xf32>
  check.expect_eq_const %l3, dense<2.5> : tensor<3xf32>
  %l4 = "chlo.constant_like"(%x) {value = 3.0 : f16} : (tensor<3xi32>) -> tensor<3xf16>
  check.expect_eq_const %l4, dense<3.0> : tensor<3xf16>
  %l6 = "chlo.constant_like"(%x) {value = dense<(1.0, -2.0)> : tensor<complex<f32>>} : (tensor<3xi32>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %l6, dense<(1.0, -2.0)> : tensor<3xcomplex<f32>>

  %v = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi32>
  %n = stablehlo.constant dense<[4, 2]> : tensor<2xi32>
  %11 = stablehlo.dynamic_reshape %v, %n : (tensor<2x4xi32>, tensor<2xi32>) -> tensor<?x?xi32>
  %12 = stablehlo.reshape %11 : (tensor<?x?xi32>) -> tensor<4x2xi32>
  check.expect_eq_const %12, dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi32>
  %m = stablehlo.constant dense<[2, 2, 2]> : tensor<3xi64>
  %13 = stablehlo.dynamic_reshape %v, %m : (tensor<2x4xi32>, tensor<3xi64>) -> tensor<?x2x?xi32>
  %14 = stablehlo.transpose %13, dims = [2, 1, 0] : (tensor<?x2x?xi32>) -> tensor<?x2x?xi32>
  check.expect_eq_const %14, dense<[[[0, 4], [2, 6]], [[1, 5], [3, 7]]]> : tensor<2x2x2xi32>
  return
}
