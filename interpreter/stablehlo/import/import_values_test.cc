#include "interpreter/stablehlo/import/testing/import_case.h"

namespace hlo::stablehlo {
namespace {

using testing::Example;
using testing::expect_result;

constexpr Example kShapes[] = {
    {"broadcast_in_dim: a size of 1 grows",
     R"(
func.func @main(%x: tensor<1x2xi32>) -> tensor<2x2x2xi32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<1x2xi32>) -> tensor<2x2x2xi32>
  return %0 : tensor<2x2x2xi32>
})",
     {"s32[1,2] {{1, 2}}"},
     "s32[2,2,2] {{{1, 2}, {1, 2}}, {{1, 2}, {1, 2}}}"},
    {"broadcast: new dimensions come first",
     R"(
func.func @main(%x: tensor<2xi32>) -> tensor<2x2xi32> {
  %0 = "stablehlo.broadcast"(%x) {broadcast_sizes = array<i64: 2>} : (tensor<2xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
})",
     {"s32[2] {1, 2}"},
     "s32[2,2] {{1, 2}, {1, 2}}"},
    {"chlo.broadcast_subtract: a column and a row",
     R"(
func.func @main(%x: tensor<2x1xi32>, %y: tensor<3xi32>) -> tensor<2x3xi32> {
  %0 = "chlo.broadcast_subtract"(%x, %y) : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
})",
     {"s32[2,1] {{10}, {20}}", "s32[3] {1, 2, 3}"},
     "s32[2,3] {{9, 8, 7}, {19, 18, 17}}"},
    {"chlo.broadcast_add: the dimension is said",
     R"(
func.func @main(%x: tensor<2x3xi32>, %y: tensor<2xi32>) -> tensor<2x3xi32> {
  %0 = "chlo.broadcast_add"(%x, %y) {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
})",
     {"s32[2,3] {{1, 2, 3}, {4, 5, 6}}", "s32[2] {10, 20}"},
     "s32[2,3] {{11, 12, 13}, {24, 25, 26}}"},
    {"einsum: the transposed product",
     R"(
func.func @main(%x: tensor<1x2xi32>, %y: tensor<2x2xi32>) -> tensor<2x1xi32> {
  %0 = "stablehlo.einsum"(%x, %y) {einsum_config = "ab,bc->ca"} : (tensor<1x2xi32>, tensor<2x2xi32>) -> tensor<2x1xi32>
  return %0 : tensor<2x1xi32>
})",
     {"s32[1,2] {{1, 2}}", "s32[2,2] {{3, 4}, {5, 6}}"},
     "s32[2,1] {{13}, {16}}"},
    // (1 + 3) (1, 10) + (2 + 4) (100, 1000)
    {"einsum: a letter that stands once is summed first",
     R"(
func.func @main(%x: tensor<2x2xi32>, %y: tensor<2x2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.einsum"(%x, %y) {einsum_config = "ab,bc->c"} : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
})",
     {"s32[2,2] {{1, 2}, {3, 4}}", "s32[2,2] {{1, 10}, {100, 1000}}"},
     "s32[2] {604, 6040}"},
    {"minimum_broadcast_shapes: what both have is one dimension",
     R"(
func.func @main() -> tensor<3xi64> {
  %a = stablehlo.constant dense<[5, 2, 3]> : tensor<3xi64>
  %b = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0:2 = "chlo.minimum_broadcast_shapes"(%a, %b) : (tensor<3xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<1xi64>)
  %1 = stablehlo.concatenate %0#0, %0#1, dim = 0 : (tensor<2xi64>, tensor<1xi64>) -> tensor<3xi64>
  return %1 : tensor<3xi64>
})",
     {},
     "s64[3] {5, 6, 6}"},
    {"an instruction of HLO gives the leaves of its tuple",
     R"(
func.func @main(%x: tensor<4xf32>) -> tensor<2xi32> {
  %0:2 = stablehlo.custom_call @hlo.topk(%x) {backend_config = "HloModule m\0AENTRY e {\0Ax = f32[4] parameter(0)\0AROOT r = (f32[2], s32[2]) topk(x), k=2, largest=false\0A}\0A"} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#1 : tensor<2xi32>
})",
     {"f32[4] {4, 1, 3, 2}"},
     "s32[2] {1, 3}"},
    {"unary_einsum: the sums of columns",
     R"(
func.func @main(%x: tensor<2x2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.unary_einsum"(%x) {einsum_config = "ab->b"} : (tensor<2x2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
})",
     {"s32[2,2] {{1, 2}, {3, 4}}"},
     "s32[2] {4, 6}"},
    {"torch_index_select: columns of each row of a batch",
     R"(
func.func @main(%x: tensor<2x3xi32>, %i: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %0 = "stablehlo.torch_index_select"(%x, %i) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x3xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
})",
     {"s32[2,3] {{1, 2, 3}, {4, 5, 6}}", "s32[2,2] {{2, 0}, {1, 1}}"},
     "s32[2,2] {{3, 1}, {5, 5}}"},
    {"an i1 is one bit: 1 0 1 0 0 0 0 1, the lowest first",
     R"(
func.func @main(%x: tensor<8xi1>) -> tensor<ui8> {
  %0 = stablehlo.bitcast_convert %x : (tensor<8xi1>) -> tensor<ui8>
  return %0 : tensor<ui8>
})",
     {"pred[8] {1, 0, 1, 0, 0, 0, 0, 1}"},
     "u8[] 133"},
    {"convert: the real part",
     R"(
func.func @main(%x: tensor<2xcomplex<f32>>) -> tensor<2xi32> {
  %0 = stablehlo.convert %x : (tensor<2xcomplex<f32>>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
})",
     {"c64[2] {(1.5, 9), (-7, 2)}"},
     "s32[2] {1, -7}"},
    {"sizes that are constant after all",
     R"(
func.func @main(%x: tensor<4xi32>) -> tensor<2xi32> {
  %two = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %n = "stablehlo.get_dimension_size"(%x) {dimension = 0 : i64} : (tensor<4xi32>) -> tensor<i32>
  %m = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.constant dense<1> : tensor<1xi32>
  %step = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %x, %two : (tensor<4xi32>, tensor<2xi32>) -> tensor<?x?xi32>
  %1 = stablehlo.dynamic_reshape %0, %m : (tensor<?x?xi32>, tensor<1xi32>) -> tensor<?xi32>
  %2 = stablehlo.add %1, %1 : tensor<?xi32>
  %3 = stablehlo.real_dynamic_slice %2, %s, %m, %step : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  return %3 : tensor<2xi32>
})",
     {"s32[4] {1, 2, 3, 4}"},
     "s32[2] {4, 8}"},
};

TEST(ImportTest, Shapes) {
  for (const Example& example : kShapes) expect_result(example);
}

constexpr Example kFunctions[] = {
    {"atan 1 is a quarter of pi",
     R"(
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = chlo.atan %x : tensor<f64> -> tensor<f64>
  return %0 : tensor<f64>
})",
     {"f64[] 1"},
     "f64[] 0.78539816339744828"},
    {"atan of i/2 is i times half the logarithm of 3",
     R"(
func.func @main(%x: tensor<complex<f64>>) -> tensor<complex<f64>> {
  %0 = chlo.atan %x : tensor<complex<f64>> -> tensor<complex<f64>>
  return %0 : tensor<complex<f64>>
})",
     {"c128[] (0, 0.5)"},
     "c128[] (0, 0.54930614433405489)"},
    {"conj",
     R"(
func.func @main(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %0 = chlo.conj %x : tensor<complex<f32>> -> tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
})",
     {"c64[] (1, 2)"},
     "c64[] (1, -2)"},
    {"top_k: values and places",
     R"(
func.func @main(%x: tensor<4xi32>) -> tensor<2xi32> {
  %0:2 = chlo.top_k(%x, k = 2) : tensor<4xi32> -> (tensor<2xi32>, tensor<2xi32>)
  return %0#1 : tensor<2xi32>
})",
     {"s32[4] {3, 9, 1, 9}"},
     "s32[2] {1, 3}"},
    {"constant_like",
     R"(
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "chlo.constant_like"(%x) {value = 2.5 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
})",
     {"f32[2] {1, 2}"},
     "f32[2] {2.5, 2.5}"},
    // 0.1 (30 + -20) + 0.5 (20 + -16) = 1 + 2 = 3 = 0.5 (-14 + 20)
    {"sums of quantised numbers are quantised",
     R"(
func.func @main(%x: tensor<1xi8>, %y: tensor<1xi8>) -> tensor<1xi8> {
  %0 = stablehlo.bitcast_convert %x : (tensor<1xi8>) -> tensor<1x!quant.uniform<i8:f32, 0.1:-30>>
  %1 = stablehlo.bitcast_convert %y : (tensor<1xi8>) -> tensor<1x!quant.uniform<i8:f32, 0.5:-20>>
  %2 = stablehlo.add %0, %1 : (tensor<1x!quant.uniform<i8:f32, 0.1:-30>>, tensor<1x!quant.uniform<i8:f32, 0.5:-20>>) -> tensor<1x!quant.uniform<i8:f32, 0.5:-20>>
  %3 = stablehlo.bitcast_convert %2 : (tensor<1x!quant.uniform<i8:f32, 0.5:-20>>) -> tensor<1xi8>
  return %3 : tensor<1xi8>
})",
     {"s8[1] {-20}", "s8[1] {-16}"},
     "s8[1] {-14}"},
    // 127 + 128 is beyond i8; 255 is not beyond the numbers in between.
    {"differences from the zero point do not wrap",
     R"(
func.func @main(%x: tensor<1xi8>) -> tensor<1xf32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<1xi8>) -> tensor<1x!quant.uniform<i8:f32, 0.5:-128>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<1x!quant.uniform<i8:f32, 0.5:-128>>) -> tensor<1xf32>
  return %1 : tensor<1xf32>
})",
     {"s8[1] {127}"},
     "f32[1] {127.5}"},
    // 1 / 0.25 = 4, 1e9 / 0.5 is cut to the greatest stored number, 7.
    {"each place along the axis has its scale, the range is cut",
     R"(
func.func @main(%x: tensor<2xf32>) -> tensor<2xi8> {
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8<-8:7>:f32:0, {0.25, 0.5:1}>>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8<-8:7>:f32:0, {0.25, 0.5:1}>>) -> tensor<2xi8>
  return %1 : tensor<2xi8>
})",
     {"f32[2] {1, 1000000000}"},
     "s8[2] {4, 7}"},
};

TEST(ImportTest, FunctionsAndQuantisedNumbers) {
  for (const Example& example : kFunctions) expect_result(example);
}

}  // namespace
}  // namespace hlo::stablehlo
