#include "conformance/expect/linear/expect_fft.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>

#include "conformance/literals/differences.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

/// The norms of the operand's numbers of one transform.
struct Norms {
  double sum = 0;      // of the magnitudes of the parts
  double squares = 0;  // of the parts, scaled by `largest`
  double largest = 0;
};

int64_t count(std::span<const int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1},
                         std::multiplies{});
}

/// Whether no prime factor exceeds 7.
bool is_smooth(int64_t n) {
  for (const int64_t p : {2, 3, 5, 7}) {
    while (n > 1 && n % p == 0) n /= p;
  }
  return n <= 1;
}

class FftRange {
 public:
  FftRange(const Instruction& fft, const Literal& operand, bool flushes)
      : operand_(operand),
        from_dims_(last_dims(operand.shape(), fft)),
        to_dims_(last_dims(fft.shape, fft)),
        lengths_(fft.get<Ints>("fft_length")),
        inverse_(fft.get<Word>("fft_type").value.starts_with("I")),
        halved_(fft.get<Word>("fft_type").value == "IRFFT"),
        half_(fft.get<Word>("fft_type").value == "RFFT"),
        flushes_(flushes),
        from_(block(operand.shape())),
        to_(block(fft.shape)),
        format_(numeric::format(component_type(operand.type()))) {}

  /// Where a part of element i may lie, whose exact value rounds to `value`.
  ComponentRange range(uint64_t value, int64_t i) {
    if (!is_inside(i % to_, to_dims_, half_)) {
      return {.value = value, .low = value, .high = value};
    }
    const int64_t transform = i / to_;
    if (transform != measured_) {
      norms_ = measure(transform);
      measured_ = transform;
    }
    const bool overflows =
        !(norms_.sum < numeric::decode(format_.max_finite(), format_));
    if (overflows) return whole_range(value, format_);
    numeric::ExactSum center;
    center.add(numeric::decode(value, format_));
    const int unit = unit_of_errors();
    ComponentRange range = range_around(center, error(unit), format_, unit);
    range.value = value;
    return range;
  }

 private:
  int64_t block(const Shape& shape) const {
    return count(std::span(shape.dims).last(lengths_.size()));
  }

  static Ints last_dims(const Shape& shape, const Instruction& fft) {
    const size_t rank = fft.get<Ints>("fft_length").size();
    return {shape.dims.end() - static_cast<std::ptrdiff_t>(rank),
            shape.dims.end()};
  }

  /// Whether the transform has a number at this place of an array of these
  /// dimensions, which may be larger; of a half spectrum, if it is one.
  bool is_inside(int64_t place, const Ints& dims, bool is_half) const {
    for (size_t d = lengths_.size(); d-- > 0;) {
      const bool is_last = d + 1 == lengths_.size();
      const int64_t length =
          is_half && is_last ? lengths_[d] / 2 + 1 : lengths_[d];
      if (place % dims[d] >= length) return false;
      place /= dims[d];
    }
    return true;
  }

  /// Twice as many numbers as a half spectrum has are at least those of the
  /// whole one.
  Norms measure(int64_t transform) const {
    Norms norms;
    const double copies = halved_ ? 2 : 1;
    const int64_t end = (transform + 1) * from_;
    const auto visit = [&](const auto& body) {
      for (int64_t i = transform * from_; i < end; ++i) {
        if (!is_inside(i % from_, from_dims_, halved_)) continue;
        const Scalar x = operand_.at(i);
        body(std::fabs(numeric::decode(x.bits[0], format_)));
        if (!is_complex(x.type)) continue;
        body(std::fabs(numeric::decode(x.bits[1], format_)));
      }
    };
    visit([&](double x) {
      norms.sum += copies * x;  // NaN and infinities stay
      norms.largest = std::max(norms.largest, x);
    });
    visit([&](double x) {
      if (x == 0) return;
      norms.squares += copies * (x / norms.largest) * (x / norms.largest);
    });
    return norms;
  }

  /// The unit 2^k in which errors are bounded: of small numbers one that keeps
  /// them from being rounded to multiples of the least double.
  int unit_of_errors() const { return norms_.largest < 0x1p-800 ? -600 : 0; }

  /// In units of 2^unit. By Parseval the 2-norm of the sums is that of the
  /// operand times the root of their number.
  double error(int unit) const {
    const auto n = std::max(1.0, static_cast<double>(count(lengths_)));
    const bool are_smooth = std::ranges::all_of(lengths_, is_smooth);
    const double c = are_smooth ? 8 : 30;
    const double share = std::ldexp(c, -format_.precision());
    const double norm = std::ldexp(norms_.largest, -unit) *
                        std::sqrt(norms_.squares) *
                        (inverse_ ? 1 / std::sqrt(n) : std::sqrt(n));
    const double steps = std::max(1.0, std::log2(n));
    const double underflow =
        flushes_
            ? std::ldexp(flushed(n, are_smooth), format_.min_exponent() - unit)
            : std::ldexp(2 * n,
                         format_.min_exponent() - format_.mantissa_bits - unit);
    return share * steps * norm * (1 + 0x1p-20) + underflow;
  }

  /// How many of the least normal number zeros for subnormal numbers take from
  /// a sum: each number on the way may lose one, in operands, some ten products
  /// and sums of a turn, and there are 2 n of them that a sum hangs on; where
  /// transforms of up to 4 n numbers are convolved, these losses are multiplied
  /// by a spectrum whose root mean square is that of 2 n at most.
  static double flushed(double n, bool are_smooth) {
    return are_smooth ? 32 * n : 512 * n * std::sqrt(n);
  }

  const Literal& operand_;
  Ints from_dims_;  // the last of the operand's, and of the result's
  Ints to_dims_;
  const Ints& lengths_;
  bool inverse_;
  bool halved_;  // the operand is a half spectrum
  bool half_;    // the result is one
  bool flushes_;
  int64_t from_;  // elements of the operand, and of the result, per transform
  int64_t to_;
  const FloatFormat& format_;
  int64_t measured_ = -1;
  Norms norms_;
};

}  // namespace

Expectation expect_fft(const Instruction& fft, Operands operands,
                       const Literal& reference, const Literal* observed,
                       const Profile& profile) {
  ArraySet set = ArraySet::computed(reference);
  if (is_same(reference, observed)) return set;
  FftRange ranges(fft, operands[0], flushes(profile));
  for_each_difference(reference, observed, [&](int64_t i) {
    const Scalar element = reference.at(i);
    for (int part = 0; part < components(reference.type()); ++part) {
      put(set, i, part,
          ranges.range(element.bits[static_cast<size_t>(part)], i));
    }
  });
  return set;
}

}  // namespace hlo::conformance
