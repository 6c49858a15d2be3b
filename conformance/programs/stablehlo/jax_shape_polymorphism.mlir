module @jit_f attributes {jax.uses_shape_polymorphism = true} {
  func.func public @main() {
    %x = stablehlo.constant dense<1.0> : tensor<3x4xf32>
    %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<3x4xf32>) -> tensor<i32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %ge = stablehlo.compare GE, %0, %c1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%ge, %0) {api_version = 2 : i32, error_message = "Input shapes {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2 = call @f(%0, %x) : (tensor<i32>, tensor<3x4xf32>) -> tensor<?x4xf32>
    %3 = stablehlo.convert %2 : (tensor<?x4xf32>) -> tensor<4x4xf32>
    check.expect_eq_const %3, dense<[[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0], [3.0, 3.0, 3.0, 3.0]]> : tensor<4x4xf32>
    return
  }
  func.func private @f(%b: tensor<i32>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %c2 = stablehlo.constant dense<2> : tensor<i32>
    %c4 = stablehlo.constant dense<4> : tensor<1xi32>
    %h = call @fdiv(%b, %c2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %hr = stablehlo.reshape %h : (tensor<i32>) -> tensor<1xi32>
    %sh = stablehlo.concatenate %hr, %c4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x4xf32>, tensor<f32>) -> tensor<4xf32>
    %o = stablehlo.dynamic_broadcast_in_dim %r, %sh, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %cc = stablehlo.concatenate %x, %o, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    return %cc : tensor<?x4xf32>
  }
  func.func private @fdiv(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.divide %a, %b : tensor<i32>
    return %0 : tensor<i32>
  }
}
