#include "interpreter/plans/contraction/blocks/contraction_sliced_sums.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "interpreter/numeric/exact/summation.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/contraction/blocks/contraction_round.h"
#include "interpreter/plans/contraction/blocks/contraction_slices.h"

namespace hlo {
namespace {

constexpr int kMostPairs = 9;

/// Sums of all rows of a block with all vectors of a panel.
class SlicedSums {
 public:
  SlicedSums(const Job& job, const Panel<double>& panel,
             const RowBlock<double>& block)
      : length_(job.length()),
        vectors_(panel.vectors),
        rows_(block.count),
        bits_(Slices::bits(length_)),
        left_(block.numbers, length_, 1, bits_),
        right_(panel.slices->get(panel.numbers, length_, bits_)),
        hi_(block.sums.size(), 0.0),
        lo_(block.sums.size(), 0.0),
        lost_(block.sums.size(), 0.0),
        sums_(block.sums.size()) {
    // Products of small slices that would be many are left out.
    limit_ = Slices::kMost;
    if (left_.is_complete() && right_.is_complete() &&
        left_.count() * right_.count() <= kMostPairs) {
      limit_ = 2 * Slices::kMost;
      omitted_ = 0;
    } else {
      omitted_ = 6 * static_cast<double>(length_) *
                 std::ldexp(1.0, -Slices::kMost * bits_);
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
  const Slices& right_;
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
