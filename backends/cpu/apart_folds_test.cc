#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/cpu/arrays/array.h"
#include "backends/cpu/arrays/packing.h"
#include "backends/registry/make_backend.h"
#include "interpreter/verify/verify.h"

// Folds of dimensions with others between them. Sums are of small whole
// numbers, so that each order gives the reference's.

namespace hlo::cpu {
namespace {

struct Reduction {
  std::vector<int64_t> dims;
  std::vector<int64_t> folded;
};

// Lines, and columns with few and with many others behind them; dimensions of
// one element between; three that are apart.
const std::vector<Reduction>& reductions() {
  static const std::vector<Reduction> all = {
      {{3, 5, 4, 6}, {0, 2, 3}},    {{3, 5, 4, 6}, {3, 1}},
      {{5, 4, 3, 20}, {0, 2}},      {{5, 4, 3, 7}, {2, 0}},
      {{4, 1, 3, 1, 5}, {0, 3, 4}}, {{2, 3, 4, 5, 6}, {4, 0, 2}},
      {{40, 3, 50}, {0, 2}},        {{2, 3, 2, 17, 2, 16}, {0, 2, 4}}};
  return all;
}

/// A program that folds an array and reads it once more, in its own order.
std::string text_of(const Reduction& reduction, std::string_view type,
                    std::string_view region, float init) {
  std::vector<int64_t> left;
  for (int64_t d = 0; d < std::ssize(reduction.dims); ++d) {
    if (std::ranges::count(reduction.folded, d) == 0) {
      left.push_back(reduction.dims[static_cast<size_t>(d)]);
    }
  }
  return fmt::format(
      "HloModule m\n\nregion {{\n  a = {0}[] parameter(0)\n"
      "  b = {0}[] parameter(1)\n  ROOT r = {0}[] {1}(a, b)\n}}\n\n"
      "ENTRY main {{\n  x = {0}[{2}] parameter(0)\n"
      "  z = {0}[] constant({3})\n"
      "  r = {0}[{4}] reduce(x, z), dimensions={{{5}}}, to_apply=region\n"
      "  n = {0}[{2}] negate(x)\n"
      "  ROOT t = ({0}[{4}], {0}[{2}]) tuple(r, n)\n}}\n",
      type, region, fmt::join(reduction.dims, ","), init, fmt::join(left, ","),
      fmt::join(reduction.folded, ","));
}

/// The bytes of both results that a backend makes of the numbers.
std::vector<Bytes> results_of(const char* backend, const std::string& text,
                              const std::vector<float>& numbers) {
  const Module module = verified_module(text);
  const Shape& shape = module.entry->parameters[0]->shape;
  const Buffer argument = pack(store<float>(shape, numbers), shape);
  const Outcome outcome = make_backend(backend)->run(module, {&argument, 1});
  std::vector<Bytes> results;
  for (const Buffer& own : std::get<std::vector<Buffer>>(outcome)) {
    results.push_back(own.bytes);
  }
  return results;
}

void expect_reference(const std::vector<float>& of_each, float init) {
  for (const Reduction& reduction : reductions()) {
    int64_t count = 1;
    for (const int64_t size : reduction.dims) count *= size;
    std::vector<float> numbers;
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      numbers.push_back(of_each[i * i % of_each.size()]);
    }
    for (const char* type : {"f32", "bf16"}) {
      for (const char* region : {"add", "maximum", "minimum"}) {
        const std::string text = text_of(reduction, type, region, init);
        EXPECT_EQ(results_of("cpu:", text, numbers),
                  results_of("interpreter:", text, numbers))
            << text;
      }
    }
  }
}

TEST(ApartFolds, AreThoseOfTheReference) {
  expect_reference({1, -2, 0, 3, 1, -1, 2}, 5);
  expect_reference({-2, -1, -3}, -7);
}

// No sum, extreme or init is another where parts are folded first.
TEST(ApartFolds, ChangeNoZeroAndNoInfinity) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  expect_reference({-0.0F}, -0.0F);
  expect_reference({-0.0F, 0.0F}, -0.0F);
  expect_reference({kInf}, kInf);
  expect_reference({-kInf}, -kInf);
}

}  // namespace
}  // namespace hlo::cpu
