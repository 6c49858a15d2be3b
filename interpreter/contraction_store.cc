#include <cmath>
#include <limits>

#include "interpreter/contraction_block.h"
#include "interpreter/numeric/float_format.h"
#include "interpreter/summation.h"

namespace hlo {
namespace {

using numeric::ExactSum;
using numeric::FloatFormat;

/// The low bits as a literal of the type holds them.
template <typename S>
S normalized(uint64_t value, ElementType type) {
  if (type == ElementType::kPred) return static_cast<S>(value != 0);
  const int unused = 64 - bits(type);
  if (is_signed(type)) {
    return static_cast<S>(static_cast<int64_t>(value << unused) >> unused);
  }
  return static_cast<S>(value << unused >> unused);
}

template <typename S, typename T>
void store_integers(const Job& job, const Panel<T>& panel,
                    const RowBlock<T>& block) {
  auto* result = reinterpret_cast<S*>(job.result);
  for (int64_t r = 0; r < block.count; ++r) {
    const T* sums = block.sums.data() + r * panel.vectors;
    for (int64_t c = 0; c < panel.count; ++c) {
      result[job.position(panel.group, block.first + r, panel.first + c)] =
          normalized<S>(sums[c], job.type);
    }
  }
}

template <typename T>
void store_any_integers(const Job& job, const Panel<T>& panel,
                        const RowBlock<T>& block) {
  switch (storage_bytes(job.type)) {
    case 1:
      return store_integers<uint8_t>(job, panel, block);
    case 2:
      return store_integers<uint16_t>(job, panel, block);
    case 4:
      return store_integers<uint32_t>(job, panel, block);
    default:
      return store_integers<uint64_t>(job, panel, block);
  }
}

/// The components of one element of a literal of a float or complex type.
struct Components {
  double real;
  double imaginary;
};

Components components(const Literal& literal, int64_t position) {
  const Scalar scalar = literal.at(position);
  const FloatFormat& format = numeric::format(component_type(literal.type()));
  return {
      numeric::decode(scalar.bits[0], format),
      is_complex(literal.type()) ? numeric::decode(scalar.bits[1], format) : 0};
}

/// Rounds the sums of a block of rows with a panel. The error of a sum of n
/// products, in any order, is at most (n - 1) 2^-53 times the sum of their
/// magnitudes, which Cauchy and Schwarz bound by the norms: products of at
/// most 2 * 24 bits are exact in double, and nothing under- or overflows.
class Rounder {
 public:
  Rounder(const Job& job, const Panel<double>& panel,
          const RowBlock<double>& block)
      : job_(job),
        panel_(panel),
        block_(block),
        format_(numeric::format(component_type(job.type))),
        is_double_(format_.type == ElementType::kF64),
        length_(job.length()),
        // 2^-20 covers the rounding of norms of up to 2^30 terms and of this.
        factor_(static_cast<double>(length_ + 2) * 0x1p-53 *
                (1 + 0x1p-20 + static_cast<double>(length_) * 0x1p-50)) {}

  template <typename S>
  void store_all() {
    if (!is_double_) {
      low_.resize(static_cast<size_t>(panel_.vectors));
      high_.resize(low_.size());
      low_codes_.resize(low_.size() * sizeof(S));
      high_codes_.resize(low_codes_.size());
    }
    for (int64_t r = 0; r < block_.count; ++r) {
      if (!is_double_) enclose(r);
      store_row<S>(r);
    }
  }

 private:
  double bound(int64_t r, int64_t v) const {
    return factor_ * block_.norms[static_cast<size_t>(r)] *
           panel_.norms[static_cast<size_t>(v)];
  }

  /// Codes of both ends of each sum's interval.
  void enclose(int64_t r) {
    const double* sums = block_.sums.data() + r * panel_.vectors;
    for (int64_t v = 0; v < panel_.vectors; ++v) {
      const double slack = bound(r, v);
      const double margin = slack > 0 ? slack + std::abs(sums[v]) * 0x1p-51 : 0;
      low_[static_cast<size_t>(v)] = sums[v] - margin;
      high_[static_cast<size_t>(v)] = sums[v] + margin;
    }
    numeric::encode_array(low_.data(), low_codes_.data(), panel_.vectors,
                          format_);
    numeric::encode_array(high_.data(), high_codes_.data(), panel_.vectors,
                          format_);
  }

  template <typename S>
  void store_row(int64_t r) {
    auto* result = reinterpret_cast<S*>(job_.result);
    const auto* low = reinterpret_cast<const S*>(low_codes_.data());
    const auto* high = reinterpret_cast<const S*>(high_codes_.data());
    for (int64_t v = 0; v < panel_.count * job_.parts; ++v) {
      const int64_t column = panel_.first + v / job_.parts;
      const int64_t position =
          job_.position(panel_.group, block_.first + r, column);
      const bool certain = !is_double_ && low[v] == high[v] &&
                           std::isfinite(bound(r, v)) &&
                           same_sign(low_[static_cast<size_t>(v)],
                                     high_[static_cast<size_t>(v)]);
      result[position * job_.parts + v % job_.parts] =
          certain ? low[v] : static_cast<S>(resolve(r, v));
    }
  }

  /// The sum that the quick test leaves open.
  uint64_t resolve(int64_t r, int64_t v) const {
    if (!std::isfinite(bound(r, v))) return sum_existing(r, v);
    const double* row = block_.row(r, length_);
    const double* column = panel_.vector(v, length_);
    const CompensatedSum compensated =
        is_double_ ? sum_doubles(row, column) : sum_floats(row, column);
    const auto code = round_if_certain(compensated.hi, compensated.lo,
                                       compensated.bound(2 * length_), format_);
    if (code) return *code;
    ExactSum sum;
    sum.add(0.0);
    for (int64_t k = 0; k < length_; ++k) {
      sum.add_product(row[k], column[k * kLanes]);
    }
    return sum.round(format_).bits;
  }

  CompensatedSum sum_floats(const double* row, const double* column) const {
    CompensatedSum sum{0.0};
    for (int64_t k = 0; k < length_; ++k) {
      sum.add(row[k] * column[k * kLanes]);
    }
    return sum;
  }

  /// Not finite where an error of a product is lost.
  CompensatedSum sum_doubles(const double* row, const double* column) const {
    CompensatedSum sum{0.0};
    bool exact = true;
    for (int64_t k = 0; k < length_; ++k) {
      const double factor = column[k * kLanes];
      sum.add_product(row[k], factor);
      exact = exact && CompensatedSum::has_exact_error(row[k], factor);
    }
    if (!exact) sum.lost = std::numeric_limits<double>::infinity();
    return sum;
  }

  /// With infinities and NaNs, elements that do not exist must not be terms.
  uint64_t sum_existing(int64_t r, int64_t v) const {
    const int64_t column = panel_.first + v / job_.parts;
    const int64_t row = block_.first + r;
    const Contraction& contraction = *job_.contraction;
    std::vector<int64_t> left(static_cast<size_t>(contraction.depth));
    std::vector<int64_t> right(left.size());
    contraction.lhs(panel_.group, job_.swapped ? column : row, left.data());
    contraction.rhs(panel_.group, job_.swapped ? row : column, right.data());
    return sum_products(job_.lhs, left, job_.rhs, right, v % job_.parts == 1)
        .round(format_)
        .bits;
  }

  const Job& job_;
  const Panel<double>& panel_;
  const RowBlock<double>& block_;
  const FloatFormat& format_;
  bool is_double_;
  int64_t length_;
  double factor_;
  std::vector<double> low_;
  std::vector<double> high_;
  std::vector<std::byte> low_codes_;
  std::vector<std::byte> high_codes_;
};

}  // namespace

void store_sums(const Job& job, const Panel<uint32_t>& panel,
                const RowBlock<uint32_t>& block) {
  store_any_integers(job, panel, block);
}

void store_sums(const Job& job, const Panel<uint64_t>& panel,
                const RowBlock<uint64_t>& block) {
  store_any_integers(job, panel, block);
}

void store_sums(const Job& job, const Panel<double>& panel,
                const RowBlock<double>& block) {
  Rounder rounder(job, panel, block);
  switch (storage_bytes(component_type(job.type))) {
    case 1:
      return rounder.store_all<uint8_t>();
    case 2:
      return rounder.store_all<uint16_t>();
    case 4:
      return rounder.store_all<uint32_t>();
    default:
      return rounder.store_all<uint64_t>();
  }
}

ExactSum sum_products(const Literal& lhs, std::span<const int64_t> left,
                      const Literal& rhs, std::span<const int64_t> right,
                      bool imaginary) {
  ExactSum sum;
  sum.add(0.0);  // the sum starts at +0
  for (size_t k = 0; k < left.size(); ++k) {
    if (left[k] < 0 || right[k] < 0) continue;
    const Components a = components(lhs, left[k]);
    const Components b = components(rhs, right[k]);
    sum.add_product(a.real, imaginary ? b.imaginary : b.real);
    if (!is_complex(lhs.type())) continue;
    sum.add_product(imaginary ? a.imaginary : -a.imaginary,
                    imaginary ? b.real : b.imaginary);
  }
  return sum;
}

}  // namespace hlo
