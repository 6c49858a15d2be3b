#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "interpreter/contraction_round.h"
#include "interpreter/numeric/float_format.h"
#include "interpreter/summation.h"

// Sums of many products at once, almost exactly (Ozaki, Ogita, Oishi, Rump,
// 2012). Each vector is cut into slices: slice i holds multiples of
// 2^(e - (i+1) b) below 2^(e - i b), where all of the vector lies below 2^e. So
// products of slices are multiples of a common unit and below 2^(2b) units, and
// with 2b + log2(n) <= 53 the sum of n of them is exact in double, in any
// order.

namespace hlo {
namespace {

constexpr int kMostSlices = 4;
constexpr int kMostPairs = 9;
// Exponents of a vector's largest number, so that no slice or product of
// slices leaves the range of double.
constexpr int kMostExponent = 400;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Vectors of `length` numbers, interleaved by `lanes`, cut into slices.
class Slices {
 public:
  Slices(const std::vector<double>& numbers, int64_t length, int64_t lanes,
         int slice_bits)
      : rest_(numbers),
        length_(length),
        lanes_(lanes),
        vectors_(length == 0 ? 0
                             : static_cast<int64_t>(numbers.size()) / length),
        scales_(static_cast<size_t>(vectors_)) {
    find_scales();
    for (int i = 1; i <= kMostSlices && !is_complete(); ++i) {
      cut(std::ldexp(1.0, -i * slice_bits));
    }
  }

  int count() const { return static_cast<int>(slices_.size()); }

  const double* slice(int i) const {
    return slices_[static_cast<size_t>(i)].data();
  }

  /// Whether the slices hold everything.
  bool is_complete() const {
    return std::ranges::all_of(rest_, [](double x) { return x == 0; });
  }

  /// A power of two above the vector's magnitudes; infinity where the vector
  /// is not cut.
  double scale(int64_t vector) const {
    return scales_[static_cast<size_t>(vector)];
  }

 private:
  void find_scales() {
    for (int64_t v = 0; v < vectors_; v += lanes_) {
      double* const scales = scales_.data() + v;
      find_largest(rest_.data() + v * length_, scales);
      for (int64_t l = 0; l < lanes_; ++l) {
        scales[l] = power_above(scales[l]);
        if (!std::isfinite(scales[l])) clear(v + l);
      }
    }
  }

  /// The largest magnitudes of a tile's vectors; NaN where one is infinite or
  /// NaN.
  void find_largest(const double* tile, double* largest) const {
    std::vector<double> zeros(static_cast<size_t>(lanes_));
    for (int64_t k = 0; k < length_; ++k, tile += lanes_) {
      for (int64_t l = 0; l < lanes_; ++l) {
        const double x = std::fabs(tile[l]);
        largest[l] = largest[l] > x ? largest[l] : x;
        zeros[static_cast<size_t>(l)] += x * 0;
      }
    }
    for (int64_t l = 0; l < lanes_; ++l) {
      largest[l] += zeros[static_cast<size_t>(l)];
    }
  }

  static double power_above(double largest) {
    if (largest == 0) return 0;
    const int exponent = std::ilogb(largest) + 1;
    if (!std::isfinite(largest) || std::abs(exponent) > kMostExponent) {
      return kInfinity;
    }
    return std::ldexp(1.0, exponent);
  }

  void clear(int64_t v) {
    double* const first = rest_.data() + v / lanes_ * lanes_ * length_;
    for (int64_t k = 0; k < length_; ++k) first[k * lanes_ + v % lanes_] = 0;
  }

  /// x + 1.5 * 2^52 * unit is a multiple of the unit: x rounded to one.
  void cut(double unit) {
    slices_.emplace_back(rest_.size());
    std::vector<double> shift(static_cast<size_t>(lanes_));
    for (int64_t v = 0; v < vectors_; v += lanes_) {
      for (int64_t l = 0; l < lanes_; ++l) {
        const double size = scale(v + l);
        shift[static_cast<size_t>(l)] =
            std::isfinite(size) ? 0x1.8p52 * unit * size : 0;
      }
      const int64_t first = v * length_;
      if (lanes_ == 1) {
        cut_row(rest_.data() + first, slices_.back().data() + first, shift[0]);
      } else {
        cut_tile(rest_.data() + first, slices_.back().data() + first,
                 shift.data());
      }
    }
  }

  void cut_row(double* rest, double* slice, double shift) const {
    for (int64_t k = 0; k < length_; ++k) {
      slice[k] = (rest[k] + shift) - shift;
      rest[k] -= slice[k];
    }
  }

  void cut_tile(double* rest, double* slice, const double* shift) const {
    for (int64_t k = 0; k < length_; ++k) {
      for (int64_t l = 0; l < lanes_; ++l) {
        slice[l] = (rest[l] + shift[l]) - shift[l];
        rest[l] -= slice[l];
      }
      rest += lanes_;
      slice += lanes_;
    }
  }

  std::vector<double> rest_;
  int64_t length_;
  int64_t lanes_;
  int64_t vectors_;
  std::vector<double> scales_;
  std::vector<std::vector<double>> slices_;
};

/// The largest b with 2b + log2(length) <= 53.
int slice_bits(int64_t length) {
  int bits = 26;
  while (bits > 1 && length > int64_t{1} << (53 - 2 * bits)) --bits;
  return bits;
}

/// Sums of all rows of a block with all vectors of a panel.
class SlicedSums {
 public:
  SlicedSums(const Job& job, const Panel<double>& panel,
             const RowBlock<double>& block)
      : length_(job.length()),
        vectors_(panel.vectors),
        rows_(block.count),
        bits_(slice_bits(length_)),
        left_(block.numbers, length_, 1, bits_),
        right_(panel.numbers, length_, best_kernel<double>().lanes, bits_),
        hi_(block.sums.size(), 0.0),
        lo_(block.sums.size(), 0.0),
        lost_(block.sums.size(), 0.0),
        sums_(block.sums.size()) {
    // Products of small slices that would be many are left out.
    limit_ = kMostSlices;
    if (left_.is_complete() && right_.is_complete() &&
        left_.count() * right_.count() <= kMostPairs) {
      limit_ = 2 * kMostSlices;
      omitted_ = 0;
    } else {
      omitted_ = 6 * static_cast<double>(length_) *
                 std::ldexp(1.0, -kMostSlices * bits_);
    }
    for (int order = 0; order < limit_; ++order) add_order(order);
  }

  std::optional<uint64_t> code(const Cell& cell,
                               const numeric::FloatFormat& format) const {
    const auto i = static_cast<size_t>(cell.row * vectors_ + cell.vector);
    const CompensatedSum sum{hi_[i], lo_[i], lost_[i]};
    // Omitted are products of slices i and j with i + j >= 4, numbered from 0,
    // whose factors are below 2^(-b i) and 2^(-b j) of the vectors' scales: at
    // most three of them with i + j = 4, less than one in all beyond, and what
    // no slice holds, less than 2^(-4b - 1) of the scale, times the other.
    double bound = sum.bound(kMostPairs + 1);
    const double scale = left_.scale(cell.row) * right_.scale(cell.vector);
    if (omitted_ != 0 || !std::isfinite(scale)) bound += omitted_ * scale;
    if (!std::isfinite(scale)) return std::nullopt;
    return round_if_certain(sum.hi, sum.lo, bound, format);
  }

 private:
  void add_order(int order) {
    for (int i = 0; i <= order; ++i) {
      const int j = order - i;
      if (i < left_.count() && j < right_.count()) {
        add(left_.slice(i), right_.slice(j));
      }
    }
  }

  void add(const double* left, const double* right) {
    std::ranges::fill(sums_, 0);
    multiply(left, rows_, right, vectors_, length_, sums_.data());
    for (size_t i = 0; i < sums_.size(); ++i) {
      CompensatedSum sum{hi_[i], lo_[i], lost_[i]};
      sum.add(sums_[i]);
      hi_[i] = sum.hi;
      lo_[i] = sum.lo;
      lost_[i] = sum.lost;
    }
  }

  int64_t length_;
  int64_t vectors_;
  int64_t rows_;
  int bits_;
  Slices left_;
  Slices right_;
  std::vector<double> hi_;
  std::vector<double> lo_;
  std::vector<double> lost_;
  std::vector<double> sums_;
  int limit_ = 0;
  double omitted_ = 0;
};

}  // namespace

std::vector<std::optional<uint64_t>> round_sliced(
    const Job& job, const Panel<double>& panel, const RowBlock<double>& block,
    const std::vector<Cell>& cells) {
  const SlicedSums sums(job, panel, block);
  const numeric::FloatFormat& format =
      numeric::format(component_type(job.type));
  std::vector<std::optional<uint64_t>> codes;
  codes.reserve(cells.size());
  for (const Cell& cell : cells) codes.push_back(sums.code(cell, format));
  return codes;
}

}  // namespace hlo
