// spec/ops/rng.md
#include <array>
#include <cmath>

#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/exact_sum.h"
#include "interpreter/numeric/float_format.h"
#include "interpreter/numeric/random.h"
#include "interpreter/numeric/rounded.h"
#include "interpreter/op.h"

namespace hlo {
namespace {

using numeric::FloatFormat;

constexpr int64_t kGrain = 1 << 10;  // elements that are worth a thread
constexpr double kTwoPi = 0x1.921fb54442d18p+2;

constexpr AttributeSpec kAttributes[] = {
    {"distribution", AttributeKind::kWord, true, "rng_uniform rng_normal"},
};

bool is_normal(const Instruction& rng) {
  return rng.get<Word>("distribution").value == "rng_normal";
}

Shape infer(const Instruction& rng) {
  const Shape& result = given_shape(rng);
  require(rng.operands.size() == 2 && rng.operand_shape(0).is_scalar() &&
              rng.operand_shape(1).is_scalar(),
          "rng.C1", "there are two operands, both scalars");
  const ElementType type = rng.operand_shape(0).element_type;
  require(
      type == rng.operand_shape(1).element_type && type == result.element_type,
      "rng.C2", "operands and result have one element type");
  if (is_normal(rng)) {
    require(is_float(type), "rng.C3", "rng_normal gives floats");
  } else {
    require(!is_complex(type), "rng.C4",
            "rng_uniform gives floats, integers or pred");
  }
  return result;
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
  numeric::ExactSum sum;
  sum.add_product(a, 1 - std::ldexp(m, -p));
  sum.add_product(b, std::ldexp(m, -p));
  return sum.round_down_minus(0, format);
}

double in_f64(numeric::Function function, double x) {
  const FloatFormat& format = numeric::format(ElementType::kF64);
  return numeric::decode(
      numeric::round_function(function, numeric::encode(x, format), format)
          .bits,
      format);
}

/// mean + deviation * z, rounded once, with z of Box and Muller (1958) in f64:
/// a radius of the higher half of the bits, an angle of the lower.
uint64_t normal_float(double mean, double deviation, const Bits& bits,
                      const FloatFormat& format) {
  const double u = std::ldexp(static_cast<double>((bits[1] >> 11U) + 1), -53);
  const double v = std::ldexp(static_cast<double>(bits[0] >> 11U), -53);
  const double radius = std::sqrt(-2 * in_f64(numeric::Function::kLog, u));
  const double z = radius * in_f64(numeric::Function::kCosine, kTwoPi * v);
  numeric::ExactSum sum;
  sum.add(mean);
  sum.add_product(deviation, z);
  return sum.round(format).bits;
}

Scalar uniform_integer(const Literal& a, const Literal& b, const Bits& bits) {
  const ElementType type = a.type();
  const int64_t low = a.integer(0);
  // u64 beyond INT64_MAX saturates there.
  const bool wide = type == ElementType::kU64;
  const uint64_t from = wide ? a.scalar().bits[0] : static_cast<uint64_t>(low);
  const uint64_t to =
      wide ? b.scalar().bits[0] : static_cast<uint64_t>(b.integer(0));
  const bool empty = wide ? to <= from : b.integer(0) <= low;
  const uint64_t value = empty ? from : from + share_of(to - from, bits);
  const uint64_t mask = ~uint64_t{0} >> (64 - hlo::bits(type));
  return {.type = type, .bits = {value & mask, 0}};
}

Scalar draw(const Instruction& rng, Operands operands, const Bits& bits) {
  const ElementType type = operands[0].type();
  if (!is_float(type)) return uniform_integer(operands[0], operands[1], bits);
  const FloatFormat& format = numeric::format(type);
  const double a = numeric::decode(operands[0].scalar().bits[0], format);
  const double b = numeric::decode(operands[1].scalar().bits[0], format);
  const auto distribution = is_normal(rng) ? normal_float : uniform_float;
  return {.type = type, .bits = {distribution(a, b, bits, format), 0}};
}

/// One block of Philox for each element; the state is its counter.
Literal eval(const Instruction& rng, Operands operands, Evaluator& evaluator) {
  Literal result(rng.shape);
  const int64_t n = result.element_count();
  std::array<uint64_t, 2>& state = evaluator.random_state();
  const std::array<uint64_t, 2> counter = state;
  result.mutable_bytes();  // its own before threads write to it
  evaluator.parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto words = numeric::philox4x32(
          numeric::advance(counter, static_cast<uint64_t>(i)), 0);
      const Bits bits = {words[0] | (uint64_t{words[1]} << 32U),
                         words[2] | (uint64_t{words[3]} << 32U)};
      result.set(i, draw(rng, operands, bits));
    }
  });
  state = numeric::advance(counter, static_cast<uint64_t>(n));
  return result;
}

}  // namespace

extern constinit const Op op_rng{.name = "rng",
                                 .min_operands = 0,
                                 .max_operands = -1,
                                 .attributes = kAttributes,
                                 .infer = infer,
                                 .eval = eval,
                                 .accuracy = {Accuracy::Kind::kDrawn}};

}  // namespace hlo
