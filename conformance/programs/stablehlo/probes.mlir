// What a probe meets is compared bit by bit; in a loop, by the number of the
// turn.
func.func @main() {
  %x = stablehlo.constant dense<[1.0, -0.0, 0x7FC00001]> : tensor<3xf32>
  %0 = interpreter.probe %x, probe_id = "input" : tensor<3xf32>
  check.expect_serialized_eq %x, probe_id = "input" : tensor<3xf32>
  "check.expect_serialized_eq"(%0) <{probe_id = "input", iteration = 0 : ui32}> : (tensor<3xf32>) -> ()
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %three = stablehlo.constant dense<3> : tensor<i64>
  %1:2 = stablehlo.while(%i = %zero, %v = %one) : tensor<i64>, tensor<i64>
   cond {
    %2 = stablehlo.compare LT, %i, %three : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i64>
    %3 = stablehlo.add %v, %v : tensor<i64>
    %4 = "interpreter.probe"(%3) {probe_id = "doubled"} : (tensor<i64>) -> tensor<i64>
    stablehlo.return %2, %4 : tensor<i64>, tensor<i64>
  }
  %two = stablehlo.constant dense<2> : tensor<i64>
  check.expect_serialized_eq %two, probe_id = "doubled" : tensor<i64>
  %four = stablehlo.constant dense<4> : tensor<i64>
  check.expect_serialized_eq %four, probe_id = "doubled", iter = 1 : tensor<i64>
  check.expect_serialized_eq %1#1, probe_id = "doubled", iter = 2 : tensor<i64>
  // A probe in a region that is applied to elements gives them on.
  %5 = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<f32>):
    %2 = interpreter.probe %a, probe_id = "element" : tensor<f32>
    %3 = stablehlo.negate %2 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %5, dense<[-1.0, 0.0, 0xFFC00001]> : tensor<3xf32>
  return
}
