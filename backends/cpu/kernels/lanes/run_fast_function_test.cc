#include "backends/cpu/kernels/lanes/run_fast_function.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "backends/cpu/kernels/testing/everywhere.h"
#include "backends/cpu/kernels/testing/numbers.h"

// Exact values are long doubles; how far a result may be is what the level
// opencl-full says (conformance/levels/opencl-full.json), and what is subnormal
// may count as zero.

namespace hlo::cpu {
namespace {

constexpr float kLeast = std::numeric_limits<float>::min();

struct Fact {
  Code code;
  long double (*exact)(long double);
  long double ulps;
};

const Fact kFunctions[] = {
    {Code::kFastExponentialF32, [](long double x) { return std::exp(x); }, 3},
    {Code::kFastLogF32, [](long double x) { return std::log(x); }, 3},
    {Code::kFastTanhF32, [](long double x) { return std::tanh(x); }, 5},
    {Code::kFastLogisticF32,
     [](long double x) { return 1 / (1 + std::exp(-x)); }, 3.5L},
    {Code::kFastErfF32, [](long double x) { return std::erf(x); }, 16},
    {Code::kFastRsqrtF32, [](long double x) { return 1 / std::sqrt(x); }, 2},
};

/// Numbers all over the codes, and more of those that are no large ones.
Numbers arguments() {
  Numbers x = {0.0F, -0.0F, 1.0F, -1.0F, kInf, -kInf, kNan, 0x1p-126F};
  for (uint64_t code = 0; code < uint64_t{1} << 32; code += 99991) {
    x.push_back(std::bit_cast<float>(static_cast<uint32_t>(code)));
  }
  for (float at = -110; at < 110; at += 0.00713F) x.push_back(at);
  return x;
}

Numbers computed(Code code, const Numbers& x, const Numbers& y) {
  constexpr size_t kWhole = 16;
  const size_t n = (x.size() + kWhole - 1) / kWhole * kWhole;
  Numbers lanes[3] = {x, y, Numbers(n)};
  for (Numbers& own : lanes) own.resize(n);
  Register registers[3];
  for (size_t r = 0; r < 3; ++r) {
    registers[r].first = reinterpret_cast<std::byte*>(lanes[r].data());
  }
  run_fast_function({code, 2, {0, 1}}, registers, n);
  lanes[2].resize(x.size());
  return lanes[2];
}

bool is_subnormal(long double x) { return x != 0 && std::abs(x) < kLeast; }

/// Whether y is within so many units in the last place of the exact value:
/// infinity is the number behind the largest one.
bool is_near(float y, long double exact, long double ulps) {
  if (std::isnan(exact)) return std::isnan(y);
  if (std::isnan(y)) return false;
  if (std::isinf(exact)) return static_cast<long double>(y) == exact;
  if (y == 0 && is_subnormal(exact)) return true;
  if (std::isinf(y) && exact * y > 0 && std::abs(exact) > 0x1p128L) return true;
  const long double own = std::isinf(y) ? std::copysign(0x1p128L, y) : y;
  const int exponent = exact == 0 ? -126 : std::ilogb(exact);
  const long double ulp =
      std::ldexp(1.0L, std::clamp(exponent, -126, 127) - 23);
  return std::abs(own - exact) <= ulps * ulp;
}

TEST(RunFastFunction, IsWithinTheUnitsOfOpenCl) {
  const Numbers x = arguments();
  for (const Fact& fact : kFunctions) {
    std::vector<long double> exact;
    for (const float at : x) {
      exact.push_back(
          fact.exact(is_subnormal(at) ? std::copysign(0.0F, at) : at));
    }
    on_each_target([&] {
      const Numbers y = computed(fact.code, x, x);
      for (size_t i = 0; i < x.size(); ++i) {
        ASSERT_TRUE(is_near(y[i], exact[i], fact.ulps) ||
                    is_near(y[i], fact.exact(x[i]), fact.ulps))
            << int{static_cast<uint8_t>(fact.code)} << " of " << x[i]
            << " gives " << y[i] << " and not " << exact[i];
        ASSERT_TRUE(exact[i] != 0 || y[i] != 0 ||
                    std::signbit(exact[i]) == std::signbit(y[i]))
            << x[i];
      }
    });
  }
}

TEST(RunFastFunction, StaysInTheRangeOfItsFunction) {
  const Numbers x = arguments();
  on_each_target([&] {
    for (const Code code :
         {Code::kFastTanhF32, Code::kFastErfF32, Code::kFastLogisticF32}) {
      const Numbers y = computed(code, x, x);
      for (size_t i = 0; i < x.size(); ++i) {
        ASSERT_FALSE(std::abs(y[i]) > 1) << x[i];
        ASSERT_FALSE(code == Code::kFastLogisticF32 && y[i] < 0) << x[i];
      }
    }
  });
}

TEST(RunFastFunction, DividesAsOpenClMay) {
  Numbers x, y;
  const Numbers ends = {0.0F,     -0.0F,    1.0F,  -3.0F, 0x1p-126F, 0x1p-125F,
                        0x1p126F, 0x1p127F, 1e38F, kInf,  -kInf,     kNan};
  for (const float above : ends) {
    for (const float below : ends) {
      x.push_back(above);
      y.push_back(below);
    }
  }
  const Numbers all = arguments();
  for (size_t i = 1; i < all.size(); ++i) {
    x.push_back(all[i]);
    y.push_back(all[i * 7919 % all.size()]);
  }
  on_each_target([&] {
    const Numbers quotients = computed(Code::kFastDivideF32, x, y);
    for (size_t i = 0; i < x.size(); ++i) {
      if (is_subnormal(x[i]) || is_subnormal(y[i])) continue;
      const long double exact = static_cast<long double>(x[i]) / y[i];
      ASSERT_TRUE(is_near(quotients[i], exact, 2.5L))
          << x[i] << " / " << y[i] << " gives " << quotients[i];
    }
  });
}

TEST(RunFastFunction, HasTheSameBitsOnEachInstructionSet) {
  const Numbers x = arguments();
  for (const Fact& fact : kFunctions) {
    const Numbers expected = computed(fact.code, x, x);
    on_each_target([&] {
      const Numbers y = computed(fact.code, x, x);
      EXPECT_EQ(std::memcmp(y.data(), expected.data(), 4 * y.size()), 0)
          << int{static_cast<uint8_t>(fact.code)};
    });
  }
}

}  // namespace
}  // namespace hlo::cpu
