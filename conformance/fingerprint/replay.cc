#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "conformance/fingerprint/model_search.h"
#include "conformance/fingerprint/unit_arithmetic.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

/// Draws numbers of a type; of a seed the same everywhere.
class Draw {
 public:
  Draw(uint64_t seed, ElementType type)
      : random_(seed), format_(numeric::format(type)) {}

  int64_t below(int64_t n) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(n));
  }

  int between(int low, int high) {
    return low + static_cast<int>(below(std::max(high - low, 0) + 1));
  }

  /// A number of that exponent, with any sign and significand, or with one of
  /// at most three ones, which ties come of.
  double number(int exponent, bool sparse) {
    const int64_t one = int64_t{1} << format_.mantissa_bits;
    int64_t rest = below(one);
    if (sparse) {
      const auto bits = static_cast<int64_t>(format_.mantissa_bits);
      rest = below(2) << below(bits);
      rest |= int64_t{1} << below(bits);
    }
    const double value = std::ldexp(static_cast<double>(one + rest),
                                    exponent - format_.mantissa_bits);
    const double signed_value = below(2) == 0 ? value : -value;
    return numeric::decode(numeric::encode(signed_value, format_), format_);
  }

  const numeric::FloatFormat& format() const { return format_; }

 private:
  std::mt19937_64 random_;
  const numeric::FloatFormat& format_;
};

/// Exponents between which operands are drawn.
struct Exponents {
  int low = 0;
  int high = 0;
};

/// So that no sum overflows, and the numbers are of about one size or of many.
Exponents plain_exponents(const SummedOperation& operation, int spread) {
  const auto& operand = numeric::format(operation.operand);
  const auto& result = numeric::format(operation.result);
  const int growth =
      static_cast<int>(std::bit_width(static_cast<uint64_t>(operation.terms))) +
      3;
  const int room = result.max_exponent() - growth;
  const int factors = operation.has_products() ? 2 : 1;
  const int high = std::min({4, operand.max_exponent() - 1, room / factors});
  return {std::max(high - spread, operand.min_exponent()), high};
}

/// About the least numbers: operands that are subnormal, or products that are.
Exponents low_exponents(const SummedOperation& operation, bool products) {
  const auto& operand = numeric::format(operation.operand);
  if (!products || !operation.has_products()) {
    return {operand.min_exponent() - operand.mantissa_bits,
            operand.min_exponent() + 4};
  }
  const int middle = numeric::format(operation.result).min_exponent() / 2;
  return {std::max(middle - 8, operand.min_exponent()), middle + 2};
}

enum class Kind {
  kLike,
  kSpread,
  kCancelling,
  kSparse,
  kZeros,
  kSubnormal,
  kLowProducts
};

constexpr uint64_t kKinds = 7;
constexpr uint64_t kPlainKinds = 5;  // without very small numbers
constexpr int kNear = 8;
constexpr int kFar = 28;

Exponents exponents_of(const SummedOperation& operation, Kind kind) {
  switch (kind) {
    case Kind::kSpread:
      return plain_exponents(operation, kFar);
    case Kind::kSubnormal:
      return low_exponents(operation, false);
    case Kind::kLowProducts:
      return low_exponents(operation, true);
    case Kind::kLike:
    case Kind::kCancelling:
    case Kind::kSparse:
    case Kind::kZeros:
      break;
  }
  return plain_exponents(operation, kNear);
}

/// One row of one of the operands. Of zeros a row has three of four, in the
/// second operand one of four.
std::vector<double> row(Draw& draw, const SummedOperation& operation, Kind kind,
                        bool second) {
  std::vector<double> numbers;
  // The other factor of a subnormal number is a plain one.
  const bool plain = second && kind == Kind::kSubnormal;
  const Exponents exponents =
      exponents_of(operation, plain ? Kind::kLike : kind);
  for (int64_t i = 0; i < operation.terms; ++i) {
    if (kind == Kind::kZeros && draw.below(4) < (second ? 1 : 3)) {
      numbers.push_back(draw.below(2) == 0 ? 0.0 : -0.0);
      continue;
    }
    const bool repeats =
        kind == Kind::kCancelling && i > 0 && draw.below(2) == 0;
    const double last = repeats ? numbers.back() : 0;
    numbers.push_back(
        repeats ? (second ? last : -last)
                : draw.number(draw.between(exponents.low, exponents.high),
                              kind == Kind::kSparse));
  }
  return numbers;
}

bool same_bits(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

/// Counts a sum, and tells whether it is taken for that of the machine.
bool count_sum(double machine, double sum, Zeros zeros, ReplayResult& result) {
  ++result.sums;
  const bool is_same = same_bits(machine, sum);
  const bool other_zero = machine == 0 && sum == 0 && !is_same;
  const bool passes = other_zero && zeros != Zeros::kSigned;
  if (passes) ++result.other_zeros;
  if (is_same || passes) ++result.equal;
  return is_same || passes;
}

}  // namespace

SumRows drawn_rows(const SummedOperation& operation, uint64_t call) {
  // Products of doubles this small are no exact doubles to replay with.
  const bool f64_products =
      operation.has_products() && operation.operand == ElementType::kF64;
  const auto kind =
      static_cast<Kind>(call % (f64_products ? kPlainKinds : kKinds));
  Draw draw(call, operation.operand);
  SumRows rows{.terms = operation.terms, .a = {}, .b = {}};
  const std::vector<double> ones(static_cast<size_t>(operation.terms), 1);
  for (int64_t i = 0; i < operation.rows(); ++i) {
    const std::vector<double> a = row(draw, operation, kind, false);
    rows.add(
        a, operation.has_products() ? row(draw, operation, kind, true) : ones);
  }
  return rows;
}

ReplayResult replay(const UnitModel& model, const SummedOperation& operation,
                    const std::vector<DrawnSums>& drawn, int64_t most,
                    Zeros zeros) {
  UnitSimulator simulator(model);
  ReplayResult result;
  const int64_t columns = operation.cells() / operation.rows();
  for (const DrawnSums& one : drawn) {
    for (int64_t cell = 0; cell < operation.cells(); ++cell) {
      const auto a = one.rows.row_of_a(cell / columns);
      const auto b =
          one.rows.row_of_b(operation.has_products() ? cell % columns : cell);
      const double machine = one.cells[static_cast<size_t>(cell)];
      const double sum = simulator.sum(a, b);
      if (count_sum(machine, sum, zeros, result)) continue;
      if (!result.first) {
        result.first = {
            {a.begin(), a.end()}, {b.begin(), b.end()}, machine, sum};
      }
      if (result.sums - result.equal >= most) return result;
    }
  }
  return result;
}

ObservedSteadiness observe_steadiness(SumMachine& machine, int64_t repeats) {
  const SummedOperation& operation = machine.operation();
  ObservedSteadiness steady;
  SumRows alike{.terms = operation.terms, .a = {}, .b = {}};
  const SumRows drawn = drawn_rows(operation, 1);
  for (int64_t i = 0; i < operation.rows(); ++i) {
    alike.add(drawn.row_of_a(0), drawn.row_of_b(0));
  }
  const auto note = [&](bool& rule, double first, double other) {
    if (same_bits(first, other) || !rule) return;
    rule = false;
    const auto a = drawn.row_of_a(0);
    const auto b = drawn.row_of_b(0);
    steady.first = {{a.begin(), a.end()}, {b.begin(), b.end()}, other, first};
  };
  const std::vector<double> cells = machine.cells(alike);
  for (int64_t call = 1; call < repeats; ++call) {
    const std::vector<double> again = machine.cells(alike);
    for (size_t i = 0; i < cells.size(); ++i) {
      note(steady.in_time, cells[i], again[i]);
    }
  }
  for (const double cell : cells) note(steady.in_place, cells[0], cell);
  steady.calls = repeats;
  return steady;
}

}  // namespace hlo::conformance
