#include "interpreter/numeric/f32/kernel_array.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "interpreter/numeric/f32/ends_array.h"
#include "interpreter/numeric/f32/fast_path.h"
#include "interpreter/numeric/f32/round_narrow.h"
#include "interpreter/numeric/f32/special_kernels.h"
#include "interpreter/numeric/f32/special_zeta_kernels.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/format/instruction_sets.h"

// Blocks go through a kernel in double and the rounding test, and what that
// leaves open goes to round_narrow one by one.
namespace hlo::numeric {
namespace {

constexpr int64_t kBlock = 512;

using Doubles = std::array<double, kBlock>;
using Flags = std::array<uint32_t, kBlock>;

struct Widen {
  [[gnu::always_inline]] static void run(const uint32_t* codes, double* wide,
                                         int64_t n) {
    for (int64_t i = 0; i < n; ++i) wide[i] = std::bit_cast<float>(codes[i]);
  }
};

// NaN that a function computes is positive; NaN that it is given keeps its
// sign.
struct KeepNan {
  [[gnu::always_inline]] static void run(const double* x, double* y,
                                         int64_t n) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    for (int64_t i = 0; i < n; ++i) {
      const double nan = std::isnan(x[i]) ? x[i] : kNan;
      y[i] = std::isnan(y[i]) ? nan : y[i];
    }
  }
};

struct PositiveNan {
  [[gnu::always_inline]] static void run(double* y, int64_t n) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    for (int64_t i = 0; i < n; ++i) y[i] = std::isnan(y[i]) ? kNan : y[i];
  }
};

// Where both ends of what y stands for round to one f32, f(x) does too, as
// rounding is monotonic.
struct DecideF32 {
  [[gnu::always_inline]] static void run(const double* y, double error,
                                         uint32_t* codes, uint32_t* open,
                                         int64_t n) {
    constexpr uint32_t kNan = 0x7fc00000;
    constexpr uint32_t kSign = 0x80000000;
    const double below = 1 - 2 * error;
    const double above = 1 + 2 * error;
    for (int64_t i = 0; i < n; ++i) {
      const auto one =
          std::bit_cast<uint32_t>(static_cast<float>(y[i] * below));
      const auto two =
          std::bit_cast<uint32_t>(static_cast<float>(y[i] * above));
      const auto sign =
          static_cast<uint32_t>(std::bit_cast<uint64_t>(y[i]) >> 32) & kSign;
      const bool nan = std::isnan(y[i]);
      codes[i] = nan ? sign | kNan : one;
      open[i] = nan ? 0 : one ^ two;
    }
  }
};

struct Scale {
  [[gnu::always_inline]] static void run(const double* y, double factor,
                                         double* scaled, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      scaled[i] = std::isnan(y[i]) ? y[i] : y[i] * factor;
    }
  }
};

void load(const uint32_t* codes, Doubles& wide, int64_t n, const FloatFormat&) {
  run_on_vectors<Widen, const uint32_t*, double* __restrict__>(codes,
                                                               wide.data(), n);
}

template <typename Code>
void load(const Code* codes, Doubles& wide, int64_t n,
          const FloatFormat& format) {
  decode_array(codes, wide.data(), n, format);
}

void decide(const Doubles& y, double error, uint32_t* codes, Flags& open,
            int64_t n, const FloatFormat&) {
  run_on_vectors<DecideF32, const double*, double, uint32_t* __restrict__,
                 uint32_t* __restrict__>(y.data(), error, codes, open.data(),
                                         n);
}

template <typename Code>
void decide(const Doubles& y, double error, Code* codes, Flags& open, int64_t n,
            const FloatFormat& format) {
  Doubles scaled;
  std::array<Code, kBlock> others;
  const auto encode_scaled = [&](double factor, Code* to) {
    run_on_vectors<Scale, const double*, double, double* __restrict__>(
        y.data(), factor, scaled.data(), n);
    encode_array(scaled.data(), to, n, format);
  };
  encode_scaled(1 - 2 * error, codes);
  encode_scaled(1 + 2 * error, others.data());
  for (int64_t i = 0; i < n; ++i) {
    const auto at = static_cast<size_t>(i);
    open[at] = static_cast<uint32_t>(codes[i] ^ others[at]);
  }
}

// Calls answer(i) for every i whose flag is set: hardly ever.
template <typename Answer>
void for_each_open(const Flags& open, int64_t n, const Answer& answer) {
  const uint32_t* const first = open.data();
  if (std::accumulate(first, first + n, 0U, std::bit_or<>()) == 0) return;
  for (int64_t i = 0; i < n; ++i) {
    if (open[static_cast<size_t>(i)] != 0) answer(i);
  }
}

template <typename Code>
void each_code(Function function, const Code* x, Code* result, int64_t n,
               const FloatFormat& format) {
  for (int64_t i = 0; i < n; ++i) {
    result[i] = static_cast<Code>(round_narrow(function, x[i], format).bits);
  }
}

// What both ends of a value round to, where that is one code.
std::optional<uint64_t> code_of(Ends ends, const FloatFormat& format) {
  const bool known = std::isfinite(ends.low) || std::isfinite(ends.high);
  const uint64_t code = known ? encode(ends.low, format) : 0;
  if (!known || code != encode(ends.high, format)) return std::nullopt;
  return code;
}

template <typename Code>
void each_pair(Function2 function, const Code* x, const Code* y, Code* result,
               int64_t n, const FloatFormat& format) {
  const Ends2Of ends_at = ends_of(function);
  for (int64_t i = 0; i < n; ++i) {
    std::optional<uint64_t> code;
    if (ends_at != nullptr) {
      code =
          code_of(ends_at(decode(x[i], format), decode(y[i], format)), format);
    }
    result[i] = static_cast<Code>(
        code ? *code : round_narrow2(function, x[i], y[i], format).bits);
  }
}

}  // namespace

template <typename Code>
void round_by_kernel(Function function, const Code* x, Code* result, int64_t n,
                     const FloatFormat& format) {
  const FastPath path = fast_path(function);
  if (path.evaluate == nullptr && ends_of(function) != nullptr) {
    return round_by_ends(function, x, result, n, format);
  }
  if (path.evaluate == nullptr) {
    return each_code(function, x, result, n, format);
  }
  Doubles wide;
  Doubles y;
  Flags open;
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t count = std::min(kBlock, n - begin);
    load(x + begin, wide, count, format);
    path.evaluate(wide.data(), y.data(), count);
    run_on_vectors<KeepNan, const double*, double* __restrict__>(
        wide.data(), y.data(), count);
    decide(y, path.error, result + begin, open, count, format);
    for_each_open(open, count, [&](int64_t i) {
      each_code(function, x + begin + i, result + begin + i, 1, format);
    });
  }
}

template <typename Code>
void round_by_kernel(Function2 function, const Code* x, const Code* y,
                     Code* result, int64_t n, const FloatFormat& format) {
  const FastPath2 path = fast_path(function);
  if (path.evaluate == nullptr) {
    return each_pair(function, x, y, result, n, format);
  }
  Doubles first;
  Doubles second;
  Doubles z;
  Flags open;
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t count = std::min(kBlock, n - begin);
    load(x + begin, first, count, format);
    load(y + begin, second, count, format);
    path.evaluate(first.data(), second.data(), z.data(), count);
    run_on_vectors<PositiveNan, double*>(z.data(), count);
    decide(z, path.error, result + begin, open, count, format);
    for_each_open(open, count, [&](int64_t i) {
      const int64_t at = begin + i;
      each_pair(function, x + at, y + at, result + at, 1, format);
    });
  }
}

template void round_by_kernel(Function, const uint8_t*, uint8_t*, int64_t,
                              const FloatFormat&);
template void round_by_kernel(Function, const uint16_t*, uint16_t*, int64_t,
                              const FloatFormat&);
template void round_by_kernel(Function, const uint32_t*, uint32_t*, int64_t,
                              const FloatFormat&);
template void round_by_kernel(Function2, const uint8_t*, const uint8_t*,
                              uint8_t*, int64_t, const FloatFormat&);
template void round_by_kernel(Function2, const uint16_t*, const uint16_t*,
                              uint16_t*, int64_t, const FloatFormat&);
template void round_by_kernel(Function2, const uint32_t*, const uint32_t*,
                              uint32_t*, int64_t, const FloatFormat&);

}  // namespace hlo::numeric
