#include "interpreter/stablehlo/import/import.h"

#include "interpreter/stablehlo/import/testing/import_case.h"

namespace hlo::stablehlo {
namespace {

using testing::Example;
using testing::expect_result;

constexpr Example kRegions[] = {
    {"reduce takes the scalar along: min(max(1, 5, 3), 4)",
     R"(
func.func @main(%x: tensor<3xi32>, %k: tensor<i32>) -> tensor<i32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.reduce"(%x, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %m = stablehlo.maximum %a, %b : tensor<i32>
    %c = stablehlo.minimum %m, %k : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
})",
     {"s32[3] {1, 5, 3}", "s32[] 4"},
     "s32[] 4"},
    {"reduce in a wider type: 100 + 100",
     R"(
func.func @main(%x: tensor<2xi8>) -> tensor<i32> {
  %i = stablehlo.constant dense<0> : tensor<i8>
  %r = "stablehlo.reduce"(%x, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xi8>, tensor<i8>) -> tensor<i32>
  return %r : tensor<i32>
})",
     {"s8[2] {100, 100}"},
     "s32[] 200"},
    {"windows take a scalar along, too",
     R"(
func.func @main(%x: tensor<4xi32>, %k: tensor<i32>) -> tensor<3xi32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %m = stablehlo.maximum %a, %b : tensor<i32>
    %c = stablehlo.minimum %m, %k : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
})",
     {"s32[4] {1, 7, 2, 3}", "s32[] 5"},
     "s32[3] {5, 5, 3}"},
    {"sort by the distance from a scalar",
     R"(
func.func @main(%x: tensor<4xi32>, %k: tensor<i32>) -> tensor<4xi32> {
  %r = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.subtract %a, %k : tensor<i32>
    %q = stablehlo.subtract %b, %k : tensor<i32>
    %u = stablehlo.abs %p : tensor<i32>
    %v = stablehlo.abs %q : tensor<i32>
    %l = stablehlo.compare LT, %u, %v, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
})",
     {"s32[4] {1, 5, 9, 4}", "s32[] 5"},
     "s32[4] {5, 4, 1, 9}"},
    {"map: x * y + k",
     R"(
func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>, %k: tensor<i32>) -> tensor<2xi32> {
  %r = "stablehlo.map"(%x, %y) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.multiply %a, %b : tensor<i32>
    %s = stablehlo.add %p, %k : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
})",
     {"s32[2] {2, 3}", "s32[2] {10, 20}", "s32[] 1"},
     "s32[2] {21, 61}"},
    {"scatter: each update times k is added, 1 twice",
     R"(
func.func @main(%x: tensor<3xi32>, %i: tensor<3x1xi32>, %u: tensor<3xi32>, %k: tensor<i32>) -> tensor<3xi32> {
  %r = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.multiply %b, %k : tensor<i32>
    %s = stablehlo.add %a, %p : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<3xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
})",
     {"s32[3] {1, 2, 3}", "s32[3,1] {{0}, {1}, {1}}", "s32[3] {5, 6, 7}",
      "s32[] 100"},
     "s32[3] {501, 1302, 3}"},
    {"a captured array that is constant is copied",
     R"(
func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %t = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %r = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<i32>):
    %e = "stablehlo.dynamic_slice"(%t, %a) {slice_sizes = array<i64: 1>} : (tensor<3xi32>, tensor<i32>) -> tensor<1xi32>
    %s = stablehlo.reshape %e : (tensor<1xi32>) -> tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
})",
     {"s32[2] {2, 0}"},
     "s32[2] {30, 10}"},
    {"scan carries what it uses: running sums of x + k",
     R"(
func.func @main(%x: tensor<3xi32>, %k: tensor<i32>) -> tensor<3xi32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = chlo.scan(%x) inits(%i) dimension=0 {
  ^bb0(%a: tensor<i32>, %c: tensor<i32>):
    %1 = stablehlo.add %a, %c : tensor<i32>
    %2 = stablehlo.add %1, %k : tensor<i32>
    stablehlo.return %2, %2 : tensor<i32>, tensor<i32>
  } : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  return %0#0 : tensor<3xi32>
})",
     {"s32[3] {1, 2, 3}", "s32[] 10"},
     "s32[3] {11, 23, 36}"},
};

TEST(ImportTest, RegionsThatUseValuesOfOutside) {
  for (const Example& example : kRegions) expect_result(example);
}

constexpr Example kControl[] = {
    {"while: 3 is doubled until it passes the limit of outside",
     R"(
func.func @main(%x: tensor<i32>, %limit: tensor<i32>) -> tensor<i32> {
  %r:2 = stablehlo.while(%i = %x, %j = %limit) : tensor<i32>, tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %d = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %d, %j : tensor<i32>, tensor<i32>
  }
  return %r#0 : tensor<i32>
})",
     {"s32[] 3", "s32[] 20"},
     "s32[] 24"},
    {"if: the second branch, of two results",
     R"(
func.func @main(%p: tensor<i1>, %x: tensor<i32>) -> tensor<i32> {
  %r:2 = "stablehlo.if"(%p) ({
    stablehlo.return %x, %x : tensor<i32>, tensor<i32>
  }, {
    %n = stablehlo.negate %x : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    stablehlo.return %n, %one : tensor<i32>, tensor<i32>
  }) : (tensor<i1>) -> (tensor<i32>, tensor<i32>)
  %s = stablehlo.subtract %r#0, %r#1 : tensor<i32>
  return %s : tensor<i32>
})",
     {"pred[] false", "s32[] 5"},
     "s32[] -6"},
    {"case: an index out of range is the last",
     R"(
func.func @main(%i: tensor<i32>, %x: tensor<i32>) -> tensor<i32> {
  %r = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<i32>
  }, {
    %n = stablehlo.negate %x : tensor<i32>
    stablehlo.return %n : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
})",
     {"s32[] -1", "s32[] 5"},
     "s32[] -5"},
    {"calls of functions with several results, in any order",
     R"(
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0:2 = call @both(%x) : (tensor<i32>) -> (tensor<i32>, tensor<i32>)
  %1 = stablehlo.multiply %0#0, %0#1 : tensor<i32>
  return %1 : tensor<i32>
}
func.func private @both(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %0 = func.call @next(%x) : (tensor<i32>) -> tensor<i32>
  return %x, %0 : tensor<i32>, tensor<i32>
}
func.func private @next(%x: tensor<i32>) -> tensor<i32> {
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %x, %1 : tensor<i32>
  return %0 : tensor<i32>
})",
     {"s32[] 6"},
     "s32[] 42"},
    {"async: a region that is begun and awaited",
     R"(
func.func @main(%x: tensor<4xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<4xi32>):
    %1 = stablehlo.slice %a [1:3] : (tensor<4xi32>) -> tensor<2xi32>
    stablehlo.return %1 : tensor<2xi32>
  }) : (tensor<4xi32>) -> !stablehlo.future<tensor<2xi32>>
  %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
  return %2 : tensor<2xi32>
})",
     {"s32[4] {1, 2, 3, 4}"},
     "s32[2] {2, 3}"},
    {"infeed within a grid: two values, in their order",
     R"(
func.func @f(%t: !stablehlo.token) -> tensor<i32> {
  %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %1:2 = "stablehlo.infeed"(%0#1) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %2 = stablehlo.subtract %0#0, %1#0 : tensor<i32>
  return %2 : tensor<i32>
}
func.func @a() -> tensor<i32> {
  %0 = stablehlo.constant dense<7> : tensor<i32>
  return %0 : tensor<i32>
}
func.func @b() -> tensor<i32> {
  %0 = stablehlo.constant dense<2> : tensor<i32>
  return %0 : tensor<i32>
}
func.func @main() -> tensor<i32> {
  %t = stablehlo.create_token : !stablehlo.token
  %0 = "interpreter.run_parallel"(%t) {programs = [[@f]], infeed = [@a, @b]} : (!stablehlo.token) -> tensor<i32>
  return %0 : tensor<i32>
})",
     {},
     "s32[] 5"},
    {"composite: what it is made of",
     R"(
func.func @impl(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.negate %x : tensor<i32>
  return %0 : tensor<i32>
}
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.composite "my.op" %x {decomposition = @impl, composite_attributes = {n = 2 : i64}} : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
})",
     {"s32[] 6"},
     "s32[] -6"},
    {"composite: a function of CHLO is that function",
     R"(
func.func @impl(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "chlo.erf" %x {decomposition = @impl} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
})",
     {"f32[] 1"},
     "f32[] 0.842700779"},
};

TEST(ImportTest, Control) {
  for (const Example& example : kControl) expect_result(example);
}

}  // namespace
}  // namespace hlo::stablehlo
