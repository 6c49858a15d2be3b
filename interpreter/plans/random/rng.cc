// spec/ops/rng.md
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/exact/summation.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/random/random.h"
#include "interpreter/numeric/rounded.h"
#include "interpreter/rules/plan.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

using numeric::FloatFormat;

constexpr int64_t kGrain = 1 << 10;  // elements that are worth a thread
constexpr double kTwoPi = 0x1.921fb54442d18p+2;

bool is_normal(const Instruction& rng) {
  return rng.get<Word>("distribution").value == "rng_normal";
}

/// 128 random bits, the lower half first.
using Bits = std::array<uint64_t, 2>;

/// The number below n (at least 1) that has as large a share of n as the bits
/// have of 2^128: no number is more likely than another by more than 2^-64.
uint64_t share_of(uint64_t n, const Bits& bits) {
  __extension__ using Wide = unsigned __int128;
  const Wide low = Wide{bits[0]} * n;
  const Wide high = Wide{bits[1]} * n + static_cast<uint64_t>(low >> 64);
  return static_cast<uint64_t>(high >> 64);
}

/// The code of a uniform number where a and b are so short that both products
/// are doubles: their sum and its rounding error are, too, which say on which
/// side of the exact value the nearest code lies.
std::optional<uint64_t> uniform_in_double(double a, double b, double m,
                                          const FloatFormat& format) {
  const int p = format.precision();
  if (p > 24 || format.specials != numeric::Specials::kIeee) {
    return std::nullopt;
  }
  const double share = m / static_cast<double>(uint64_t{1} << p);
  const double x = a * (1 - share);
  const double y = b * share;
  const double sum = x + y;
  if (sum == 0) return std::nullopt;
  const double virtual_y = sum - x;
  const double error = (x - (sum - virtual_y)) + (y - virtual_y);
  const uint64_t nearest = numeric::encode(sum, format);
  const double value = numeric::decode(nearest, format);
  const bool is_above = value > sum || (value == sum && error < 0);
  if (!is_above) return nearest;
  return numeric::from_ordinal(numeric::ordinal(nearest, format) - 1, format);
}

/// a + (b - a) m / 2^p rounded down to the format, where m are p of the bits:
/// never b, as a is below it. NaN if a is not below b.
uint64_t uniform_float(double a, double b, const Bits& bits,
                       const FloatFormat& format) {
  if (a == b) return numeric::encode(a, format);
  if (!(a < b) || std::isinf(a) || std::isinf(b)) {
    return numeric::encode(std::nan(""), format);
  }
  const int p = format.precision();
  const auto m = static_cast<double>(bits[1] >> (64 - p));
  if (const auto code = uniform_in_double(a, b, m, format)) return *code;
  numeric::ExactSum sum;
  sum.add_product(a, 1 - std::ldexp(m, -p));
  sum.add_product(b, std::ldexp(m, -p));
  return sum.round_down_minus(0, format);
}

constexpr int64_t kBlock = 256;  // elements at a time

using Codes = std::array<uint64_t, kBlock>;
using Doubles = std::array<double, kBlock>;

void apply_in_f64(numeric::Function function, Doubles& values, int64_t n) {
  Doubles results;
  numeric::round_function_array(function, values.data(), results.data(), n,
                                numeric::format(ElementType::kF64));
  values = results;
}

/// mean + deviation * z, rounded once.
uint64_t scaled(double mean, double deviation, double z,
                const FloatFormat& format) {
  CompensatedSum fast;
  fast.add(mean);
  fast.add_product(deviation, z);
  if (fast.hi != 0 && CompensatedSum::has_exact_error(deviation, z)) {
    const auto code = round_if_certain(fast.hi, fast.lo, fast.bound(2), format);
    if (code) return *code;
  }
  numeric::ExactSum sum;
  sum.add(mean);
  sum.add_product(deviation, z);
  return sum.round(format).bits;
}

/// mean + deviation * z with z of Box and Muller (1958) in f64: a radius of the
/// higher half of the bits, an angle of the lower.
void draw_normal(double mean, double deviation, std::span<const Bits> bits,
                 const FloatFormat& format, Codes& codes) {
  Doubles logarithms;
  Doubles cosines;
  for (size_t k = 0; k < bits.size(); ++k) {
    logarithms[k] = static_cast<double>((bits[k][1] >> 11U) + 1) * 0x1p-53;
    cosines[k] = kTwoPi * (static_cast<double>(bits[k][0] >> 11U) * 0x1p-53);
  }
  apply_in_f64(numeric::Function::kLog, logarithms, std::ssize(bits));
  apply_in_f64(numeric::Function::kCosine, cosines, std::ssize(bits));
  for (size_t k = 0; k < bits.size(); ++k) {
    const double z = std::sqrt(-2 * logarithms[k]) * cosines[k];
    codes[k] = scaled(mean, deviation, z, format);
  }
}

void draw_integers(const Literal& a, const Literal& b,
                   std::span<const Bits> bits, Codes& codes) {
  const int64_t low = a.integer(0);
  // u64 beyond INT64_MAX saturates there.
  const bool wide = a.type() == ElementType::kU64;
  const uint64_t from = wide ? a.scalar().bits[0] : static_cast<uint64_t>(low);
  const uint64_t to =
      wide ? b.scalar().bits[0] : static_cast<uint64_t>(b.integer(0));
  const bool empty = wide ? to <= from : b.integer(0) <= low;
  for (size_t k = 0; k < bits.size(); ++k) {
    codes[k] = empty ? from : from + share_of(to - from, bits[k]);
  }
}

void draw(const Instruction& rng, Operands operands, std::span<const Bits> bits,
          Codes& codes) {
  const ElementType type = operands[0].type();
  if (!is_float(type)) {
    return draw_integers(operands[0], operands[1], bits, codes);
  }
  const FloatFormat& format = numeric::format(type);
  const double a = numeric::decode(operands[0].scalar().bits[0], format);
  const double b = numeric::decode(operands[1].scalar().bits[0], format);
  if (is_normal(rng)) return draw_normal(a, b, bits, format, codes);
  for (size_t k = 0; k < bits.size(); ++k) {
    codes[k] = uniform_float(a, b, bits[k], format);
  }
}

/// Stores codes of the type, or integers of which it takes the low bits.
void store(std::span<const uint64_t> codes, int64_t first, Literal& result) {
  const uint64_t mask = ~uint64_t{0} >> (64 - hlo::bits(result.type()));
  for (size_t k = 0; k < codes.size(); ++k) {
    result.set(first + static_cast<int64_t>(k),
               {.type = result.type(), .bits = {codes[k] & mask, 0}});
  }
}

/// One block of Philox for each element; the state is its counter.
std::optional<Literal> value(const Instruction& rng, Operands operands,
                             Evaluator& evaluator) {
  Literal result(rng.shape);
  const int64_t n = result.element_count();
  std::array<uint64_t, 2>& state = evaluator.random_state();
  const std::array<uint64_t, 2> counter = state;
  result.mutable_bytes();  // its own before threads write to it
  evaluator.parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    std::array<Bits, kBlock> bits;
    Codes codes;
    for (int64_t i = begin; i < end; i += kBlock) {
      const auto count = static_cast<size_t>(std::min(kBlock, end - i));
      for (size_t k = 0; k < count; ++k) {
        const auto words = numeric::philox4x32(
            numeric::advance(counter, static_cast<uint64_t>(i) + k), 0);
        bits[k] = {words[0] | (uint64_t{words[1]} << 32U),
                   words[2] | (uint64_t{words[3]} << 32U)};
      }
      draw(rng, operands, std::span(bits).first(count), codes);
      store(std::span(codes).first(count), i, result);
    }
  });
  state = numeric::advance(counter, static_cast<uint64_t>(n));
  return result;
}

}  // namespace

extern constinit const Plan plan_rng{.value = value};

}  // namespace hlo
