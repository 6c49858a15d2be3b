func.func @main() {
  %x = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf16>
  %y = stablehlo.constant dense<7> : tensor<ui4>
  %t = stablehlo.tuple %x, %y : tuple<tensor<2xf16>, tensor<ui4>>
  %u = stablehlo.tuple %t, %x : tuple<tuple<tensor<2xf16>, tensor<ui4>>, tensor<2xf16>>
  %g = stablehlo.get_tuple_element %u[0] : (tuple<tuple<tensor<2xf16>, tensor<ui4>>, tensor<2xf16>>) -> tuple<tensor<2xf16>, tensor<ui4>>
  %z = "stablehlo.get_tuple_element"(%g) {index = 1 : i32} : (tuple<tensor<2xf16>, tensor<ui4>>) -> tensor<ui4>
  check.expect_eq_const %z, dense<7> : tensor<ui4>
  %e = "stablehlo.tuple"() : () -> tuple<>
  %id = call @pass(%u) : (tuple<tuple<tensor<2xf16>, tensor<ui4>>, tensor<2xf16>>) -> tuple<tuple<tensor<2xf16>, tensor<ui4>>, tensor<2xf16>>
  %h = stablehlo.get_tuple_element %id[1] : (tuple<tuple<tensor<2xf16>, tensor<ui4>>, tensor<2xf16>>) -> tensor<2xf16>
  check.expect_eq %h, %x : tensor<2xf16>
  return
}
func.func private @pass(%a: tuple<tuple<tensor<2xf16>, tensor<ui4>>, tensor<2xf16>>) -> tuple<tuple<tensor<2xf16>, tensor<ui4>>, tensor<2xf16>> {
  return %a : tuple<tuple<tensor<2xf16>, tensor<ui4>>, tensor<2xf16>>
}
