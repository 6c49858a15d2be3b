// RUN: nothing stands before the first separator.
// -----

module @"first program" {
  func.func @"odd name"() {
    %a_b.c-d$1 = stablehlo.constant dense<1> : tensor<i8>
    return
  }
}

// ----- the second

func.func @named.like-this$() {
  %0 = stablehlo.constant dense<-128> : tensor<i8>
  %1 = stablehlo.abs %0 : tensor<i8>
  check.expect_eq_const %1, dense<-128> : tensor<i8>
  return
}
// -----
