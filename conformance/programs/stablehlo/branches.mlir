func.func @one() {
  %i = stablehlo.constant dense<7> : tensor<i32>
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = "stablehlo.case"(%i) ({
    "stablehlo.return"(%x) : (tensor<2xi64>) -> ()
  }) : (tensor<i32>) -> tensor<2xi64>
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi64>
  func.return
}
// -----
func.func @many() {
  %i = stablehlo.constant dense<-1> : tensor<i32>
  %x = stablehlo.iota dim = 0 : tensor<2xi64>
  %0:2 = "stablehlo.case"(%i) ({
    %1 = stablehlo.add %x, %x : tensor<2xi64>
    stablehlo.return %1, %x : tensor<2xi64>, tensor<2xi64>
  }, {
    %2 = stablehlo.multiply %x, %x : tensor<2xi64>
    stablehlo.return %2, %x : tensor<2xi64>, tensor<2xi64>
  }, {
  ^bb0:
    %3 = stablehlo.constant dense<[7, 9]> : tensor<2xi64>
    stablehlo.return %3, %3 : tensor<2xi64>, tensor<2xi64>
  }) : (tensor<i32>) -> (tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %0#0, dense<[7, 9]> : tensor<2xi64>
  check.expect_eq_const %0#1, dense<[7, 9]> : tensor<2xi64>
  func.return
}
// -----
func.func @none_results() {
  %i = stablehlo.constant dense<0> : tensor<i32>
  "stablehlo.case"(%i) ({
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i32>) -> ()
  func.return
}
// -----
func.func @pretty_if() {
  %p = stablehlo.constant dense<true> : tensor<i1>
  %x = stablehlo.constant dense<1.5> : tensor<f64>
  %0 = "stablehlo.if"(%p) ({
    %q = stablehlo.constant dense<false> : tensor<i1>
    %in = "stablehlo.if"(%q) ({
       stablehlo.return %x : tensor<f64>
    }, {
       %m = stablehlo.multiply %x, %x : tensor<f64>
       stablehlo.return %m : tensor<f64>
    }) : (tensor<i1>) -> tensor<f64>
    stablehlo.return %in : tensor<f64>
  }, {
    stablehlo.return %x : tensor<f64>
  }) {xla.attr = "a"} : (tensor<i1>) -> tensor<f64>
  check.expect_eq_const %0, dense<2.25> : tensor<f64>
  return
}
