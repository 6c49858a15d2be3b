#include "interpreter/numeric/rounded.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include "interpreter/numeric/double_functions.h"
#include "interpreter/numeric/functions.h"
#include "interpreter/numeric/kernels.h"
#include "interpreter/numeric/rounding.h"

namespace hlo::numeric {
namespace {

// The kernels are off by less than 2^-45: what they stand for lies between
// these multiples of them.
constexpr double kBelow = 1 - 0x1p-44;
constexpr double kAbove = 1 + 0x1p-44;

constexpr size_t kFunctions = static_cast<size_t>(kLastFunction) + 1;
// From here on it pays to compute all values of a 16-bit format.
constexpr int64_t kWorthATable = 8192;

template <typename Visitor>
bool with_kernel(Function function, const Visitor& visit) {
  switch (function) {
    case Function::kExponential:
      visit([](double x) { return exponential_kernel(x); });
      return true;
    case Function::kExponentialMinusOne:
      visit([](double x) { return exponential_minus_one_kernel(x); });
      return true;
    case Function::kLog:
      visit([](double x) { return log_kernel(x); });
      return true;
    case Function::kTanh:
      visit([](double x) { return tanh_kernel(x); });
      return true;
    case Function::kLogistic:
      visit([](double x) { return logistic_kernel(x); });
      return true;
    case Function::kRsqrt:
      visit([](double x) { return rsqrt_kernel(x); });
      return true;
    default:
      return false;
  }
}

// What the kernel's value proves, if it does; bits of NaN never do.
std::optional<Rounded> decide(double approximate, const FloatFormat& format) {
  if (!std::isfinite(approximate)) return std::nullopt;
  const double one = approximate * kBelow;
  const double other = approximate * kAbove;
  const uint64_t bits = encode(one, format);
  if (bits != encode(other, format)) return std::nullopt;
  if (is_infinity(bits, format)) {
    return Rounded{bits, sign_bit(bits, format) ? 1 : -1};
  }
  if (is_nan(bits, format)) return Rounded{bits, 0};
  const double value = decode(bits, format);
  if (std::min(one, other) > value) return Rounded{bits, 1};
  if (std::max(one, other) < value) return Rounded{bits, -1};
  return std::nullopt;
}

std::optional<Rounded> by_kernel(Function function, double x,
                                 const FloatFormat& format) {
  if (format.type == ElementType::kF64 || !std::isfinite(x)) {
    return std::nullopt;
  }
  double approximate = std::numeric_limits<double>::quiet_NaN();
  with_kernel(function, [&](auto kernel) { approximate = kernel(x); });
  return decide(approximate, format);
}

template <typename Kernel>
void f32_array(Function function, const float* x, uint32_t* result, int64_t n,
               const Kernel& kernel) {
  const FloatFormat& f32 = format(ElementType::kF32);
  for (int64_t i = 0; i < n; ++i) {
    const double approximate = kernel(x[i]);
    const auto one = static_cast<float>(approximate * kBelow);
    const auto other = static_cast<float>(approximate * kAbove);
    result[i] = std::bit_cast<uint32_t>(one);
    // NaN is unequal to itself, so that every special value goes there too.
    if (one == other) continue;
    result[i] = static_cast<uint32_t>(
        round_function(function, std::bit_cast<uint32_t>(x[i]), f32).bits);
  }
}

template <typename Code>
void each_code(Function function, const Code* x, Code* result, int64_t n,
               const FloatFormat& format) {
  for (int64_t i = 0; i < n; ++i) {
    result[i] = static_cast<Code>(round_function(function, x[i], format).bits);
  }
}

// The results for all codes of a format of at most 16 bits.
template <typename Code>
std::vector<Code> make_table(Function function, const FloatFormat& format) {
  std::vector<Code> table(size_t{1} << format.width());
  for (size_t code = 0; code < table.size(); ++code) {
    table[code] =
        static_cast<Code>(round_function(function, code, format).bits);
  }
  return table;
}

template <typename Code>
struct LazyTable {
  std::once_flag once;
  std::vector<Code> results;
};

template <typename Code>
const std::vector<Code>& lazy_table(Function function,
                                    const FloatFormat& format) {
  constexpr size_t kFormats = 16;
  static std::array<LazyTable<Code>, kFunctions * kFormats> tables;
  const size_t row =
      static_cast<size_t>(format.type) - static_cast<size_t>(ElementType::kF16);
  LazyTable<Code>& table =
      tables[static_cast<size_t>(function) * kFormats + row];
  std::call_once(table.once,
                 [&] { table.results = make_table<Code>(function, format); });
  return table.results;
}

template <typename Code>
void by_table(Function function, const Code* x, Code* result, int64_t n,
              const FloatFormat& format) {
  const std::vector<Code>& table = lazy_table<Code>(function, format);
  const size_t mask = table.size() - 1;
  for (int64_t i = 0; i < n; ++i) result[i] = table[x[i] & mask];
}

}  // namespace

Rounded round_function(Function function, uint64_t x,
                       const FloatFormat& format) {
  if (is_nan(x, format)) return {nan_code(sign_bit(x, format), format), 0};
  const double value = decode(x, format);
  if (format.type == ElementType::kF64) {
    if (const auto rounded = round_double(function, value)) return *rounded;
  }
  if (const auto rounded = by_kernel(function, value, format)) return *rounded;
  return evaluate(function, value, format);
}

Rounded round_function2(Function2 function, uint64_t x, uint64_t y,
                        const FloatFormat& format) {
  const double first = decode(x, format);
  const double second = decode(y, format);
  if (format.type == ElementType::kF64) {
    const auto rounded = round_double2(function, first, second);
    if (rounded) return *rounded;
  }
  return evaluate(function, first, second, format);
}

void round_function_array(Function function, const void* x, void* result,
                          int64_t n, const FloatFormat& format) {
  if (format.width() <= 8) {
    return by_table(function, static_cast<const uint8_t*>(x),
                    static_cast<uint8_t*>(result), n, format);
  }
  if (format.width() == 16) {
    const auto* from = static_cast<const uint16_t*>(x);
    auto* to = static_cast<uint16_t*>(result);
    if (n >= kWorthATable) return by_table(function, from, to, n, format);
    return each_code(function, from, to, n, format);
  }
  if (format.type == ElementType::kF64) {
    return round_double_array(function, static_cast<const double*>(x),
                              static_cast<double*>(result), n);
  }
  auto* to = static_cast<uint32_t*>(result);
  const bool done = with_kernel(function, [&](auto kernel) {
    f32_array(function, static_cast<const float*>(x), to, n, kernel);
  });
  if (done) return;
  each_code(function, static_cast<const uint32_t*>(x), to, n, format);
}

}  // namespace hlo::numeric
