#include "interpreter/plans/fold/fold_product.h"

#include <gmp.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/exact/summation.h"
#include "interpreter/numeric/format/rounding.h"
#include "interpreter/plans/fold/fold_walk.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

/// A product of `factors` numbers in twice the working precision: (hi + lo)
/// 2^exponent, whose error is at most bound() in units of 2^exponent. hi is
/// zero, infinite or NaN where a factor is.
class Product {
 public:
  void multiply(double x) {
    int exponent = 0;
    const double factor = std::frexp(x, &exponent);
    const auto product =
        numeric::two_product<numeric::Product::kSplit>(hi_, factor);
    hi_ = product.hi;
    ++factors_;
    if (!(std::fabs(hi_) > 0) || std::isinf(hi_)) {
      lo_ = 0;
      return;
    }
    lo_ = lo_ * factor + product.lo;
    exponent_ += exponent;
    if (std::fabs(hi_) < 0x1p-300) {
      hi_ *= 0x1p300;
      lo_ *= 0x1p300;
      exponent_ -= 300;
    }
  }

  /// The code, where it is certain.
  std::optional<uint64_t> round(const numeric::FloatFormat& format) const {
    constexpr int64_t kBeyond = 1200;  // any format's range
    // The sign of a NaN that a processor makes is its own choice.
    if (std::isnan(hi_)) {
      return numeric::encode(std::numeric_limits<double>::quiet_NaN(), format);
    }
    if (hi_ == 0 || std::isinf(hi_)) return numeric::encode(hi_, format);
    const int64_t size = exponent_ + std::ilogb(hi_);
    if (std::abs(size) > kBeyond) {
      const numeric::Scaled far{uint64_t{1} << 63, size, true, hi_ < 0};
      return numeric::round_scaled(far, format).bits;
    }
    // What is near the ends of double's range may lose bits below.
    if (size < -800 || size > 1000) return std::nullopt;
    const auto exponent = static_cast<int>(exponent_);
    return round_if_certain(std::ldexp(hi_, exponent),
                            std::ldexp(lo_, exponent),
                            std::ldexp(bound(), exponent), format);
  }

 private:
  // With u = 2^-53: the exact product of hi and the factor is split without
  // error. lo stays below n u |hi| (1 + n u), and two roundings of numbers of
  // that size at each step make at most 2 n (n + 1) u^2 |hi|; what lo_ * factor
  // loses to underflow is far less than u^2 |hi|, as hi stays above 2^-301.
  double bound() const {
    const auto n = static_cast<double>(factors_);
    return 4 * (n + 1) * (n + 2) * 0x1p-106 * std::fabs(hi_);
  }

  double hi_ = 1;
  double lo_ = 0;
  int64_t exponent_ = 0;
  int64_t factors_ = 0;
};

/// The product of finite numbers that are not zero, as an integer and a power
/// of two.
class ExactProduct {
 public:
  ExactProduct() { mpz_init_set_ui(digits_, 1); }

  ~ExactProduct() { mpz_clear(digits_); }

  ExactProduct(const ExactProduct&) = delete;
  ExactProduct& operator=(const ExactProduct&) = delete;

  void multiply(double x) {
    const numeric::Scaled parts = numeric::split(x);
    const int zeros = std::countr_zero(parts.significand);
    mpz_mul_ui(digits_, digits_, parts.significand >> zeros);
    exponent_ += parts.exponent + zeros;
    negative_ = negative_ != parts.negative;
  }

  uint64_t round(const numeric::FloatFormat& format) const {
    const auto length = static_cast<int64_t>(mpz_sizeinbase(digits_, 2));
    const int64_t below = std::max<int64_t>(0, length - 64);
    mpz_t top;
    mpz_init(top);
    mpz_tdiv_q_2exp(top, digits_, static_cast<mp_bitcnt_t>(below));
    numeric::Scaled scaled{mpz_get_ui(top), exponent_ + below, false,
                           negative_};
    scaled.sticky =
        below > 0 && mpz_scan1(digits_, 0) < static_cast<mp_bitcnt_t>(below);
    mpz_clear(top);
    return numeric::round_scaled(scaled, format).bits;
  }

 private:
  mpz_t digits_;
  int64_t exponent_ = 0;
  bool negative_ = false;
};

/// The products of one fold; numbers are the operand's elements.
class Products {
 public:
  Products(const Fold& fold, const std::vector<double>& numbers, double init,
           const numeric::FloatFormat& format)
      : fold_(fold), numbers_(numbers), init_(init), format_(format) {}

  /// Codes of the results [begin, end) along the axis, in row-major order of a
  /// result without the others.
  std::vector<uint64_t> run(size_t axis, int64_t begin, int64_t end,
                            int64_t slice) const {
    std::vector<Product> products(static_cast<size_t>((end - begin) * slice));
    for (Product& product : products) product.multiply(init_);
    const auto axes = part_of(fold_.axes, axis, begin, end);
    FoldWalk walk(axes, [&](int64_t from, int64_t to, int64_t n, int64_t step,
                            int64_t target_step) {
      for (int64_t i = 0; i < n; ++i) {
        products[static_cast<size_t>(to + i * target_step)].multiply(
            numbers_[static_cast<size_t>(from + i * step)]);
      }
    });
    walk.run();
    std::vector<uint64_t> codes;
    codes.reserve(products.size());
    for (const Product& product : products) {
      const auto position = begin * slice + static_cast<int64_t>(codes.size());
      const auto code = product.round(format_);
      codes.push_back(code ? *code : multiply_exactly(position));
    }
    return codes;
  }

 private:
  uint64_t multiply_exactly(int64_t position) const {
    ExactProduct product;
    product.multiply(init_);
    for_each_cell(fold_, position, [&](int64_t source) {
      product.multiply(numbers_[static_cast<size_t>(source)]);
    });
    return product.round(format_);
  }

  const Fold& fold_;
  const std::vector<double>& numbers_;
  double init_;
  const numeric::FloatFormat& format_;
};

}  // namespace

Literal fold_product(const Fold& fold, const Shape& shape,
                     const Literal& operand, const Literal& init,
                     const Evaluator& evaluator) {
  Literal result = Literal::uninitialized(shape);
  if (result.element_count() == 0) return result;
  const auto& format = numeric::format(shape.element_type);
  std::vector<double> numbers(static_cast<size_t>(operand.element_count()));
  numeric::decode_array(operand.bytes().data(), numbers.data(),
                        operand.element_count(), format);
  const Products products(
      fold, numbers, numeric::decode(init.scalar().bits[0], format), format);
  const size_t axis = split_axis(fold.axes);
  const int64_t size = fold.axes.empty() ? 1 : fold.axes[axis].result_size;
  const int64_t slice = result.element_count() / size;
  const int64_t grain = std::max<int64_t>(1, kFoldGrain / 8 / slice);
  evaluator.parallel_for(size, grain, [&](int64_t begin, int64_t end) {
    const auto codes = products.run(axis, begin, end, slice);
    for (size_t i = 0; i < codes.size(); ++i) {
      const auto position = begin * slice + static_cast<int64_t>(i);
      result.set(position, {shape.element_type, {codes[i], 0}});
    }
  });
  return result;
}

}  // namespace hlo
