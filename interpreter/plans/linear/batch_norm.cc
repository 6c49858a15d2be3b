// Each element is first computed in pairs of doubles, whose sums, products,
// quotients and roots err by less than 2^-102 (numeric/double_double.h). What
// is computed from a rational number errs by 2^-103 more. Ten such errors are
// less than 2^-98 of the sum of the magnitudes of the terms; where that does
// not decide the rounding, exact arithmetic does. Before that f32 is tried in
// double: the representation of what is given by a pair and each operation err
// by 2^-53 of that sum at most, ten of them by less than 2^-49.
#include "interpreter/plans/linear/batch_norm.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <type_traits>

#include "interpreter/model/storage.h"
#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/exact/summation.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

using numeric::FloatFormat;
using Pair = numeric::DoubleDouble<numeric::Product::kSplit>;

constexpr double kError = 0x1p-98;
constexpr double kErrorOfDoubles = 0x1p-49;

/// Nothing that is computed from such doubles leaves double's range.
bool is_moderate(double x) {
  const double magnitude = std::fabs(x);
  return x == 0 || (magnitude > 0x1p-150 && magnitude < 0x1p+150);
}

/// The number by two doubles, off by less than 2^-103 of it.
Pair pair_of(const Extended& x) {
  const double high = x.value.get_d();
  const mpq_class rest = x.value - mpq_class(high);
  return Pair(numeric::fast_two_sum(high, rest.get_d()));
}

bool is_moderate(const Extended& x) {
  return x.is_number() && is_moderate(x.value.get_d());
}

/// The code of sum, which is off by at most `bound`, or nothing.
std::optional<uint64_t> round_pair(Pair sum, double bound,
                                   const FloatFormat& format) {
  if (bound == 0) return numeric::encode(0, format);
  return round_if_certain(sum.hi, sum.lo, bound, format);
}

/// The f32 nearest to all numbers within `bound` of x, or nothing.
std::optional<uint64_t> round_double(double x, double bound) {
  const auto low = static_cast<float>(x - bound);
  const auto high = static_cast<float>(x + bound);
  if (low != high || low == 0) return std::nullopt;
  return std::bit_cast<uint32_t>(low);
}

/// normalize() in pairs of doubles.
class QuickNormalization {
 public:
  QuickNormalization(const Normalization& feature, const FloatFormat& format)
      : format_(format),
        offset_(feature.offset),
        is_f32_(format.type == ElementType::kF32) {
    usable_ = is_moderate(feature.mean) && is_moderate(feature.variance) &&
              feature.variance.sign() > 0 && is_moderate(feature.scale) &&
              is_moderate(offset_);
    if (!usable_) return;
    mean_ = pair_of(feature.mean);
    is_exact_mean_ = mean_.lo == 0 && mpq_class(mean_.hi) == feature.mean.value;
    factor_ = Pair(feature.scale) / square_root(pair_of(feature.variance));
    most_ = std::fabs(factor_.hi) * std::fabs(mean_.hi) + std::fabs(offset_);
  }

  std::optional<uint64_t> at(double x) const {
    if (!usable_) return std::nullopt;
    const double magnitudes = std::fabs(x) * std::fabs(factor_.hi) + most_;
    if (is_f32_) {
      const double y = (x - mean_.hi) * factor_.hi + offset_;
      const auto code = round_double(y, kErrorOfDoubles * magnitudes);
      if (code) return code;
    }
    if (!is_moderate(x)) return std::nullopt;
    if (is_exact_mean_ && x == mean_.hi) {
      return numeric::encode(offset_ + 0.0, format_);
    }
    const Pair product = (-mean_ + x) * factor_;
    return round_pair(product + offset_, kError * magnitudes, format_);
  }

 private:
  const FloatFormat& format_;
  double offset_;
  bool is_f32_;
  bool usable_ = false;
  bool is_exact_mean_ = false;
  Pair mean_;
  Pair factor_;
  double most_ = 0;
};

/// differentiate() in pairs of doubles.
class QuickGradient {
 public:
  QuickGradient(const Gradient& feature, const FloatFormat& format)
      : format_(format),
        mean_(feature.mean),
        n_(static_cast<double>(feature.n)),
        is_f32_(format.type == ElementType::kF32) {
    usable_ = is_moderate(mean_) && is_moderate(feature.variance) &&
              feature.variance.sign() > 0 && is_moderate(feature.scale) &&
              is_moderate(feature.g) && is_moderate(feature.s);
    if (!usable_) return;
    const Pair variance = pair_of(feature.variance);
    g_ = pair_of(feature.g);
    slope_ = pair_of(feature.s) / variance;
    factor_ = Pair(feature.scale) / (square_root(variance) * n_);
  }

  std::optional<uint64_t> at(double x, double dy) const {
    if (!usable_) return std::nullopt;
    const double magnitudes =
        n_ * std::fabs(dy) + std::fabs(g_.hi) +
        (std::fabs(x) + std::fabs(mean_)) * std::fabs(slope_.hi);
    const double size = std::fabs(factor_.hi) * magnitudes;
    if (is_f32_) {
      const double sum = n_ * dy - g_.hi - (x - mean_) * slope_.hi;
      const auto code = round_double(sum * factor_.hi, kErrorOfDoubles * size);
      if (code) return code;
    }
    if (!is_moderate(x) || !is_moderate(dy)) return std::nullopt;
    const Pair scaled(numeric::two_product<numeric::Product::kSplit>(n_, dy));
    const Pair slope = Pair(numeric::two_sum(x, -mean_)) * slope_;
    const Pair sum = scaled - g_ - slope;
    return round_pair(sum * factor_, kError * size, format_);
  }

 private:
  const FloatFormat& format_;
  double mean_;
  double n_;
  bool is_f32_;
  bool usable_ = false;
  Pair g_;
  Pair slope_;
  Pair factor_;
};

uint64_t normalize_exactly(const Normalization& feature, double x,
                           const FloatFormat& format) {
  const Extended a =
      (Extended::of(x) - feature.mean) * Extended::of(feature.scale);
  return round_over_root(a, feature.variance, Extended::of(feature.offset),
                         format);
}

uint64_t differentiate_exactly(const Gradient& feature, double x, double dy,
                               const FloatFormat& format) {
  const Extended n = Extended::of(static_cast<double>(feature.n));
  const Extended slope = feature.s / (n * feature.variance);
  const Extended sum = Extended::of(dy) - feature.g / n -
                       (Extended::of(x) - Extended::of(feature.mean)) * slope;
  return round_over_root(Extended::of(feature.scale) * sum, feature.variance,
                         {}, format);
}

template <typename T>
void put_codes(const Features& features, const FeatureBlock& block,
               const std::vector<uint64_t>& codes, T* to) {
  const auto size = static_cast<size_t>(features.size);
  for (size_t i = 0; i < size; ++i) {
    T* const row = to + features.places[i] + block.first * features.stride;
    for (int64_t k = 0; k < block.count; ++k) {
      row[k * features.stride] =
          static_cast<T>(codes[static_cast<size_t>(k) * size + i]);
    }
  }
}

}  // namespace

Features features_of(const Instruction& norm, const Literal& operand) {
  const auto& dims = operand.shape().dims;
  const auto d = static_cast<size_t>(norm.get<int64_t>("feature_index"));
  Features features;
  features.count = dims[d];
  features.stride = 1;
  int64_t outer = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i < d) outer *= dims[i];
    if (i > d) features.stride *= dims[i];
  }
  if (operand.element_count() == 0) outer = 0;
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < features.stride; ++i) {
      features.places.push_back(o * features.count * features.stride + i);
    }
  }
  features.size = std::ssize(features.places);
  return features;
}

std::vector<double> decoded(const Literal& literal) {
  std::vector<double> values(static_cast<size_t>(literal.element_count()));
  numeric::decode_array(literal.bytes().data(), values.data(),
                        literal.element_count(),
                        numeric::format(literal.type()));
  return values;
}

void put(Literal& result, int64_t i, const Extended& value) {
  const auto& format = numeric::format(result.type());
  result.set(i, {.type = result.type(), .bits = {round_to(value, format), 0}});
}

void for_each_block(const Features& features, const Evaluator& evaluator,
                    const std::function<void(const FeatureBlock&)>& body) {
  // A cache line holds so many floats; features far apart are taken singly.
  const int64_t most = features.stride == 1 ? 16 : 1;
  const int64_t blocks = (features.count + most - 1) / most;
  evaluator.parallel_for(blocks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      body({.first = b * most,
            .count = std::min(most, features.count - b * most)});
    }
  });
}

std::vector<double> gather(const Features& features, const FeatureBlock& block,
                           const std::vector<double>& values) {
  const auto size = static_cast<size_t>(features.size);
  const auto count = static_cast<size_t>(block.count);
  const auto stride = static_cast<size_t>(features.stride);
  std::vector<double> gathered(size * count);
  const int64_t from = block.first * features.stride;
  for (size_t i = 0; i < size; ++i) {
    const double* const row = values.data() + (from + features.places[i]);
    for (size_t k = 0; k < count; ++k) {
      gathered[k * size + i] = row[k * stride];
    }
  }
  return gathered;
}

void scatter(const Features& features, const FeatureBlock& block,
             const std::vector<uint64_t>& codes, Literal& result) {
  std::byte* const to = result.mutable_bytes().data();
  with_storage(storage_bytes(result.type()), [&](auto element) {
    using T = decltype(element);
    if constexpr (std::is_integral_v<T>) {
      put_codes(features, block, codes, reinterpret_cast<T*>(to));
    }
  });
}

Moments moments_of(std::span<const double> x) {
  const auto size = static_cast<int64_t>(x.size());
  const Extended n = Extended::of(static_cast<double>(size));
  const Extended mean = exact_sum(x.data(), size) / n;
  if (!mean.is_number()) return {.mean = mean, .variance = Extended::nan()};
  const Extended squares = exact_dot(x.data(), x.data(), size);
  return {.mean = mean, .variance = squares / n - mean * mean};
}

Extended sum_of_products(std::span<const double> x, double mean,
                         std::span<const double> dy) {
  const auto n = static_cast<int64_t>(x.size());
  const Extended products = exact_dot(x.data(), dy.data(), n);
  const Extended shift = Extended::of(mean) * exact_sum(dy.data(), n);
  if (products.is_number() && shift.is_number()) return products - shift;
  Extended sum;
  for (size_t i = 0; i < x.size() && !sum.is_nan(); ++i) {
    const Extended difference = Extended::of(x[i]) - Extended::of(mean);
    sum = sum + Extended::of(dy[i]) * difference;
  }
  return sum;
}

void normalize(const Normalization& feature, std::span<const double> x,
               const FloatFormat& format, uint64_t* codes) {
  const QuickNormalization quick(feature, format);
  for (const double value : x) {
    const auto code = quick.at(value);
    *codes++ = code ? *code : normalize_exactly(feature, value, format);
  }
}

void differentiate(const Gradient& feature, std::span<const double> x,
                   std::span<const double> dy, const FloatFormat& format,
                   uint64_t* codes) {
  const QuickGradient quick(feature, format);
  for (size_t i = 0; i < x.size(); ++i) {
    const auto code = quick.at(x[i], dy[i]);
    *codes++ =
        code ? *code : differentiate_exactly(feature, x[i], dy[i], format);
  }
}

}  // namespace hlo
