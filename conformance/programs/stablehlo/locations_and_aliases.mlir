// RUN: stablehlo-translate --interpret -split-input-file %s
!vec = tensor<2x3xf32>
#loc = loc(unknown)
#loc1 = loc("file.py":1:2)
#perm = array<i64: 1, 0>
module @jit_f attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() -> (tensor<3x2xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<"0x0000803F0000004000004040000080400000A0400000C040"> : !vec loc(#loc1)
    %0 = "stablehlo.transpose"(%cst) <{permutation = #perm}> : (!vec) -> tensor<3x2xf32> loc(fused["a", #loc1])
    check.expect_eq_const %0, dense<[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]> : tensor<3x2xf32>
    %1 = call @"<lambda>"(%0) : (tensor<3x2xf32>) -> tensor<3x2xf32> loc(callsite("x" at "y"))
    check.expect_eq_const %1, dense<[[-1.0, -4.0], [-2.0, -5.0], [-3.0, -6.0]]> : tensor<3x2xf32>
    return %1 : tensor<3x2xf32> loc(#loc)
  } loc(#loc)
  func.func private @"<lambda>"(%arg0: tensor<3x2xf32> loc("z")) -> tensor<3x2xf32> {
    %0 = stablehlo.negate %arg0 : tensor<3x2xf32> loc(#loc2)
    return %0 : tensor<3x2xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc2 = loc("foo"(#loc1))
