#include "interpreter/plans/fourier/fourier.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "interpreter/model/shape.h"
#include "interpreter/numeric/exact/summation.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/plans/fourier/fourier_line.h"
#include "interpreter/plans/fourier/fourier_pairs.h"
#include "interpreter/plans/fourier/fourier_residues.h"
#include "interpreter/plans/fourier/fourier_series.h"

namespace hlo {
namespace {

using numeric::FloatFormat;
using numeric::Real;

/// The exponent of a power of two above all numbers; 0 where all are zero.
int exponent_above(const FourierInput& input) {
  double largest = 0;
  for (const auto* numbers : {&input.real, &input.imaginary}) {
    for (const double x : *numbers) largest = std::max(largest, std::fabs(x));
  }
  return largest == 0 ? 0 : std::ilogb(largest) + 1;
}

bool is_finite(const FourierInput& input) {
  const auto finite = [](double x) { return std::isfinite(x); };
  return std::ranges::all_of(input.real, finite) &&
         std::ranges::all_of(input.imaginary, finite);
}

/// Rounds the sums of one transform: those in pairs of doubles where these are
/// certain, else exactly.
class Rounding {
 public:
  Rounding(const FourierInput& input, bool inverse, const FloatFormat& format)
      : input_(input),
        format_(format),
        exponent_(exponent_above(input)),
        divisor_(inverse ? static_cast<double>(input.real.size()) : 1) {
    std::vector<PairRing> rings;
    for (const int64_t length : input.lengths) rings.emplace_back(length);
    double moduli = 0;
    for (size_t t = 0; t < input.real.size(); ++t) {
      const double real = std::ldexp(input.real[t], -exponent_);
      const double imaginary = std::ldexp(input.imaginary[t], -exponent_);
      sums_.push_back({PairOfParts::Part(real), PairOfParts::Part(imaginary)});
      moduli += std::fabs(real) + std::fabs(imaginary);
    }
    transform_all<PairRing>(rings, sums_);
    // What is lost of numbers and products below 2^-900 counts for nothing
    // here, next to a number of at least 1/2.
    error_ = transform_error(rings) * moduli * (1 + 0x1p-19);
  }

  uint64_t code(int64_t index, bool imaginary) {
    const PairOfParts& sum = sums_[static_cast<size_t>(index)];
    const PairOfParts::Part& part = imaginary ? sum.imaginary : sum.real;
    const auto certain = round_pair(part);
    return certain ? *certain : round_uncertain(index, imaginary, part);
  }

 private:
  /// The quotient by the divisor is off by 2^-102 of it, and what the least
  /// numbers of double lose by scaling by less than 2^-1073.
  std::optional<uint64_t> round_pair(const PairOfParts::Part& part) const {
    const PairOfParts::Part quotient = part / PairOfParts::Part(divisor_);
    const double bound =
        error_ / divisor_ * (1 + 0x1p-19) + std::fabs(quotient.hi) * 0x1p-101;
    return round_if_certain(std::ldexp(quotient.hi, exponent_),
                            std::ldexp(quotient.lo, exponent_),
                            std::ldexp(bound, exponent_) + 0x1p-1073, format_);
  }

  uint64_t round_uncertain(int64_t index, bool imaginary,
                           const PairOfParts::Part& part) {
    if (!residues_) residues_ = std::make_unique<FourierResidues>(input_);
    Real zero(mpfr_prec_t{64});
    mpfr_set_zero(zero.get(), 1);
    if (std::fabs(part.hi) <= 2 * error_ &&
        residues_->is_exactly(index, imaginary, zero)) {
      return numeric::encode(0.0, format_);
    }
    return round_series(input_, index, imaginary, divisor_, format_,
                        *residues_);
  }

  const FourierInput& input_;
  const FloatFormat& format_;
  int exponent_;
  double divisor_;
  double error_ = 0;  // of each part of the scaled sums
  std::vector<PairOfParts> sums_;
  std::unique_ptr<FourierResidues> residues_;
};

/// The index of the sum with the other sign in its exponents.
int64_t opposite(int64_t index, const std::vector<int64_t>& lengths) {
  Index place = delinearize(index, lengths);
  for (size_t d = 0; d < place.size(); ++d) {
    place[d] = (lengths[d] - place[d]) % lengths[d];
  }
  return linearize(place, lengths);
}

}  // namespace

FourierCodes fourier_transform(const FourierInput& input, bool inverse,
                               const FloatFormat& format) {
  const auto size = static_cast<int64_t>(input.real.size());
  FourierCodes codes;
  if (!is_finite(input)) {
    codes.real.assign(input.real.size(), format.quiet_nan());
    codes.imaginary = codes.real;
    return codes;
  }
  Rounding rounding(input, inverse, format);
  for (int64_t j = 0; j < size; ++j) {
    const int64_t index = inverse ? opposite(j, input.lengths) : j;
    codes.real.push_back(rounding.code(index, false));
    codes.imaginary.push_back(rounding.code(index, true));
  }
  return codes;
}

}  // namespace hlo
