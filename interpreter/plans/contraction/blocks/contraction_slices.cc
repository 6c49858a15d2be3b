#include "interpreter/plans/contraction/blocks/contraction_slices.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "interpreter/plans/contraction/blocks/contraction_kernel.h"

namespace hlo {
namespace {

// Exponents of a vector's largest number, so that no slice or product of
// slices leaves the range of double.
constexpr int kMostExponent = 400;

double power_above(double largest) {
  if (largest == 0) return 0;
  const int exponent = std::ilogb(largest) + 1;
  if (!std::isfinite(largest) || std::abs(exponent) > kMostExponent) {
    return std::numeric_limits<double>::infinity();
  }
  return std::ldexp(1.0, exponent);
}

}  // namespace

int Slices::bits(int64_t length) {
  int bits = 26;
  while (bits > 1 && length > int64_t{1} << (53 - 2 * bits)) --bits;
  return bits;
}

Slices::Slices(std::span<const double> numbers, int64_t length, int64_t lanes,
               int slice_bits)
    : rest_(numbers.begin(), numbers.end()),
      length_(length),
      lanes_(lanes),
      vectors_(length == 0 ? 0 : static_cast<int64_t>(numbers.size()) / length),
      scales_(static_cast<size_t>(vectors_)) {
  find_scales();
  for (int i = 1; i <= kMost && !complete_; ++i) {
    cut(std::ldexp(1.0, -i * slice_bits));
  }
  rest_ = {};
}

void Slices::find_scales() {
  for (int64_t v = 0; v < vectors_; v += lanes_) {
    double* const scales = scales_.data() + v;
    find_largest(rest_.data() + v * length_, scales);
    for (int64_t l = 0; l < lanes_; ++l) {
      scales[l] = power_above(scales[l]);
      if (!std::isfinite(scales[l])) clear(v + l);
    }
  }
}

// The largest magnitudes of a tile's vectors; NaN where one is infinite or
// NaN.
void Slices::find_largest(const double* tile, double* largest) const {
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

void Slices::clear(int64_t v) {
  double* const first = rest_.data() + v / lanes_ * lanes_ * length_;
  for (int64_t k = 0; k < length_; ++k) first[k * lanes_ + v % lanes_] = 0;
}

// x + 1.5 * 2^52 * unit is a multiple of the unit: x rounded to one.
void Slices::cut(double unit) {
  slices_.emplace_back(rest_.size());
  std::vector<double> shift(static_cast<size_t>(lanes_));
  for (int64_t v = 0; v < vectors_; v += lanes_) {
    for (int64_t l = 0; l < lanes_; ++l) {
      const double size = scale(v + l);
      shift[static_cast<size_t>(l)] =
          std::isfinite(size) ? 0x1.8p52 * unit * size : 0;
    }
    double* const rest = rest_.data() + v * length_;
    double* const slice = slices_.back().data() + v * length_;
    if (lanes_ == 1) {
      cut_row(rest, slice, shift[0]);
    } else {
      cut_tile(rest, slice, shift.data());
    }
  }
  complete_ = std::ranges::all_of(rest_, [](double x) { return x == 0; });
}

void Slices::cut_row(double* rest, double* slice, double shift) const {
  for (int64_t k = 0; k < length_; ++k) {
    slice[k] = (rest[k] + shift) - shift;
    rest[k] -= slice[k];
  }
}

void Slices::cut_tile(double* rest, double* slice, const double* shift) const {
  for (int64_t k = 0; k < length_; ++k) {
    for (int64_t l = 0; l < lanes_; ++l) {
      slice[l] = (rest[l] + shift[l]) - shift[l];
      rest[l] -= slice[l];
    }
    rest += lanes_;
    slice += lanes_;
  }
}

const Slices& PanelSlices::get(std::span<const double> numbers, int64_t length,
                               int slice_bits) {
  std::call_once(once_, [&] {
    slices_.emplace(numbers, length, best_kernel<double>().lanes, slice_bits);
  });
  return *slices_;
}

}  // namespace hlo
