// spec/ops/fft.md
#include <algorithm>
#include <functional>
#include <numeric>

#include "interpreter/definition/complex_elements.h"
#include "interpreter/definition/generate.h"
#include "interpreter/definition/numbers/cosine_sum.h"
#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/error.h"
#include "interpreter/model/index_loops.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/work.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

using definition::Complex;
using definition::Integer;
using definition::join;
using definition::Real;

constexpr AttributeSpec kAttributes[] = {
    {"fft_type", AttributeKind::kWord, true, "FFT IFFT RFFT IRFFT"},
    {"fft_length", AttributeKind::kInts, true},
};

/// How many bins hold the spectrum of `length` real samples.
int64_t half_spectrum(int64_t length) {
  return length == 0 ? 0 : length / 2 + 1;
}

/// The minor dimensions are the lengths, the last of them `last`.
bool has_lengths(const Shape& operand, Ints lengths, int64_t last) {
  lengths.back() = last;
  return std::equal(lengths.rbegin(), lengths.rend(), operand.dims.rbegin());
}

Shape infer_real(const Shape& operand, const Ints& lengths) {
  require(complex_type(operand.element_type).has_value(), "fft.C4",
          {"RFFT is given elements of type ", operand.element_type},
          "it can take f32 or f64 only");
  require(has_lengths(operand, lengths, lengths.back()), "fft.C5",
          {"the operand of RFFT is ", operand, " and fft_length is ", lengths},
          "its minor dimensions must have these sizes");
  Shape result = operand;
  result.element_type = *complex_type(operand.element_type);
  result.dims.back() = half_spectrum(lengths.back());
  return result;
}

Shape infer_inverse_real(const Shape& operand, const Ints& lengths) {
  require(has_lengths(operand, lengths, half_spectrum(lengths.back())),
          "fft.C6",
          {"the operand of IRFFT is ", operand, " and fft_length is ", lengths},
          "its minor dimensions must have these sizes, and the last one half "
          "of it and one");
  Shape result = operand;
  result.element_type = component_type(operand.element_type);
  result.dims.back() = lengths.back();
  return result;
}

Shape infer(const Instruction& fft) {
  const Shape& operand = fft.operand_shape(0);
  const Ints& lengths = fft.get<Ints>("fft_length");
  require(!lengths.empty() && lengths.size() <= 3 &&
              *std::ranges::min_element(lengths) >= 0,
          "fft.C1", {"fft_length is ", lengths},
          "it must have one to three lengths, none of them negative");
  require(operand.rank() >= static_cast<int64_t>(lengths.size()), "fft.C2",
          {"fft_length is ", lengths, " for the operand ", operand},
          "the operand must have a dimension for each length");
  const std::string& type = fft.get<Word>("fft_type").value;
  if (type == "RFFT") return infer_real(operand, lengths);
  require(is_complex(operand.element_type), "fft.C3",
          {"the elements are of type ", operand.element_type},
          "FFT, IFFT and IRFFT can take complex ones only");
  return type == "IRFFT" ? infer_inverse_real(operand, lengths) : operand;
}

bool is_inside(const Index& place, const Ints& dims) {
  return std::ranges::equal(place, dims, std::less{});
}

/// x[t] of the page in the transform at `outer`: an element of the operand, 0
/// where it is shorter; where it is half of a spectrum of real numbers,
/// conjugates are the other half.
Complex number(const Literal& operand, const Index& outer, Index t,
               const Ints& lengths, bool halved) {
  const Ints dims(operand.shape().dims.end() - std::ssize(t),
                  operand.shape().dims.end());
  const bool mirrored = halved && t.back() >= dims.back();
  for (size_t d = 0; mirrored && d < t.size(); ++d) {
    t[d] = (lengths[d] - t[d]) % lengths[d];
  }
  if (!is_inside(t, dims)) return {0, 0};
  const Complex x = definition::number_of(operand.at(join(outer, t)));
  return mirrored ? conj(x) : x;
}

/// The sum over t of x[t] exp(-2 pi i (j[0] t[0] / lengths[0] + ...)) for some
/// numbers x[t], times a factor.
class Transform {
 public:
  Transform(const Instruction& fft, const Literal& operand, const Index& outer)
      : lengths_(fft.get<Ints>("fft_length")),
        type_(fft.shape.element_type),
        least_(definition::decode(1, component_type(type_))),
        factor_(least_),
        cosines_(std::accumulate(lengths_.begin(), lengths_.end(), int64_t{4},
                                 std::lcm<int64_t, int64_t>)) {
    const std::string& type = fft.get<Word>("fft_type").value;
    is_inverse_ = type == "IFFT" || type == "IRFFT";
    for (const int64_t length : lengths_) {
      if (is_inverse_) factor_ = factor_ / Real(Integer(length));
    }
    for_each_index(lengths_, [&](const Index& t) {
      append(t, number(operand, outer, t, lengths_, type == "IRFFT"));
    });
  }

  Scalar at(const Index& j) {
    const Real nan = Real::nan();
    const Complex sum = is_finite_ ? Complex{real_part(j), imaginary_part(j)}
                                   : Complex{nan, nan};
    return element_of(sum, type_);
  }

 private:
  /// (a + i b) times the least positive number of the type.
  struct Number {
    Index t;
    Integer a;
    Integer b;
  };

  void append(const Index& t, const Complex& x) {
    is_finite_ = is_finite_ && isfinite(x);
    x_.push_back({t, integer_part(x.re / least_), integer_part(x.im / least_)});
  }

  /// The turns of the exponent in parts of which order() are one.
  int64_t turns(const Index& j, const Index& t) const {
    int64_t sum = 0;
    for (size_t d = 0; d < t.size(); ++d) {
      sum += j[d] * t[d] % lengths_[d] * (cosines_.order() / lengths_[d]);
    }
    return is_inverse_ ? -sum : sum;
  }

  // (a + i b) (cos - i sin), where the sine is the cosine a quarter turn back.
  Real real_part(const Index& j) {
    cosines_.clear();
    for (const auto& [t, a, b] : x_) {
      cosines_.add(turns(j, t), a);
      cosines_.add(turns(j, t) - cosines_.order() / 4, b);
    }
    return cosines_.times(factor_);
  }

  Real imaginary_part(const Index& j) {
    cosines_.clear();
    for (const auto& [t, a, b] : x_) {
      cosines_.add(turns(j, t), b);
      cosines_.add(turns(j, t) - cosines_.order() / 4, -a);
    }
    return cosines_.times(factor_);
  }

  Ints lengths_;
  ElementType type_;
  bool is_inverse_ = false;
  bool is_finite_ = true;
  Real least_;
  Real factor_;
  std::vector<Number> x_;
  definition::CosineSums cosines_;
};

Literal value(const Instruction& fft, Operands operands, Evaluator& evaluator) {
  const Ints& lengths = fft.get<Ints>("fft_length");
  const Ints& dims = fft.shape.dims;
  evaluator.budget().spend(
      saturating_product({result_elements(fft), saturating_product(lengths),
                          kWorkOfSlowDefinition}));
  const auto minor = dims.end() - std::ssize(lengths);
  Literal result(fft.shape);
  if (std::ranges::find(lengths, 0) != lengths.end()) return result;
  for_each_index({dims.begin(), minor}, [&](const Index& outer) {
    Transform transform(fft, operands[0], outer);
    for_each_index({minor, dims.end()}, [&](const Index& j) {
      if (!is_inside(j, lengths)) return;
      result.set(linearize(join(outer, j), dims), transform.at(j));
    });
  });
  return result;
}

/// The sum of the prime factors of n > 0, of which those above 128 take no more
/// than that and count as much; what is left without those below 2^16 counts as
/// one.
int64_t sum_of_factors(int64_t n) {
  constexpr int64_t kLargest = int64_t{1} << 16;
  constexpr int64_t kMost = 128;
  int64_t sum = 0;
  for (int64_t p = 2; p < kLargest && n > 1; ++p) {
    for (; n % p == 0; n /= p) sum += std::min(p, kMost);
  }
  return n == 1 ? sum : sum + kMost;
}

/// A line is split by the prime factors of its length, and a large one done by
/// convolution.
int64_t work(const Instruction& fft) {
  constexpr int64_t kElement = 2000;
  constexpr int64_t kFactor = 64;
  const Ints& dims = fft.shape.dims;
  const Ints& lengths = fft.get<Ints>("fft_length");
  Ints factors(dims.begin(), dims.end() - std::ssize(lengths));
  int64_t cost = kElement;
  for (const int64_t length : lengths) {
    if (length == 0) return 1;
    factors.push_back(length);
    cost += kFactor * sum_of_factors(length);
  }
  factors.push_back(cost);
  return saturating_product(factors);
}

}  // namespace

extern constinit const Op op_fft{.name = "fft",
                                 .min_operands = 1,
                                 .max_operands = 1,
                                 .attributes = kAttributes,
                                 .infer = infer,
                                 .value = value,
                                 .work = work,
                                 .accuracy = {Accuracy::Kind::kTransform},
                                 .fit = fit_shapes};

}  // namespace hlo
