#include "interpreter/plans/contraction/blocks/contraction_round.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "interpreter/numeric/exact/summation.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo {
namespace {

bool all_finite(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers,
                             [](double x) { return std::isfinite(x); });
}

/// A product meets at most m = kBlockDepth additions in its block and one for
/// every block, n of them all; so the sum's error is at most m 2^-53
/// (1 + m 2^-53) times the sum of the products' magnitudes, which Cauchy and
/// Schwarz bound by the norms: products of at most 2 * 24 bits are exact in
/// double, and nothing under- or overflows. 2^-20 covers the rounding of norms
/// of up to 2^30 terms and of this.
double error_factor(int64_t length) {
  const auto n = static_cast<double>(length);
  const int64_t blocks = length / kBlockDepth;
  const auto additions =
      static_cast<double>(std::min(length, kBlockDepth) + blocks + 2);
  return additions * 0x1p-53 * (1 + 0x1p-20 + n * 0x1p-50);
}

/// The nearest floats of the lower ends of the intervals around the sums;
/// whether each upper end has the same one, and so every number between.
bool round_floats(const double* sums, const double* norms, double factor,
                  int64_t n, uint32_t* codes, uint32_t* differences) {
  uint32_t any = 0;
  for (int64_t v = 0; v < n; ++v) {
    const double margin = factor * norms[v] + std::fabs(sums[v]) * 0x1p-51;
    codes[v] = std::bit_cast<uint32_t>(static_cast<float>(sums[v] - margin));
    differences[v] = codes[v] ^ std::bit_cast<uint32_t>(
                                    static_cast<float>(sums[v] + margin));
    any |= differences[v];
  }
  return any == 0;
}

/// Rounds to any format narrower than double.
class NarrowRounder {
 public:
  NarrowRounder(const numeric::FloatFormat& format, int64_t n)
      : format_(format),
        low_(static_cast<size_t>(n)),
        high_(low_.size()),
        high_codes_(low_.size() * 4) {}

  template <typename S>
  bool round(const double* sums, const double* norms, double factor, S* codes,
             uint32_t* differences) {
    const size_t n = low_.size();
    for (size_t v = 0; v < n; ++v) {
      const double margin = factor * norms[v] + std::fabs(sums[v]) * 0x1p-51;
      low_[v] = sums[v] - margin;
      high_[v] = sums[v] + margin;
    }
    auto* const high = reinterpret_cast<S*>(high_codes_.data());
    const auto count = static_cast<int64_t>(n);
    numeric::encode_array(low_.data(), codes, count, format_);
    numeric::encode_array(high_.data(), high, count, format_);
    uint32_t any = 0;
    for (size_t v = 0; v < n; ++v) {
      const bool same = codes[v] == high[v] && same_sign(low_[v], high_[v]);
      differences[v] = same ? 0 : 1;
      any |= differences[v];
    }
    return any == 0;
  }

 private:
  const numeric::FloatFormat& format_;
  std::vector<double> low_;
  std::vector<double> high_;
  std::vector<std::byte> high_codes_;
};

template <typename S>
class Rounder {
 public:
  Rounder(const Job& job, const Panel<double>& panel,
          const RowBlock<double>& block)
      : job_(job),
        panel_(panel),
        block_(block),
        type_(component_type(job.type)),
        numbers_(static_cast<int64_t>(panel.places.size())),
        narrow_(numeric::format(type_), numbers_),
        codes_(panel.places.size()),
        differences_(panel.places.size()) {}

  std::vector<Cell> run() {
    const double factor = error_factor(job_.length());
    const bool finite = all_finite(panel_.norms);
    for (int64_t r = 0; r < block_.count; ++r) {
      const double norm = block_.norms[r];
      if (!finite || !std::isfinite(norm)) {
        leave_open(r);
      } else if (!round_row(r, factor * norm)) {
        note_open(r);
      }
      store_row(r);
    }
    return std::move(open_);
  }

 private:
  bool round_row(int64_t r, double factor) {
    const double* const sums = block_.sums.data() + r * panel_.vectors;
    if constexpr (std::is_same_v<S, uint32_t>) {
      return round_floats(sums, panel_.norms.data(), factor, numbers_,
                          codes_.data(), differences_.data());
    }
    return narrow_.round(sums, panel_.norms.data(), factor, codes_.data(),
                         differences_.data());
  }

  void leave_open(int64_t r) {
    for (int64_t v = 0; v < numbers_; ++v) open_.push_back({r, v});
  }

  void note_open(int64_t r) {
    for (int64_t v = 0; v < numbers_; ++v) {
      if (differences_[static_cast<size_t>(v)] != 0) open_.push_back({r, v});
    }
  }

  void store_row(int64_t r) {
    S* const row = reinterpret_cast<S*>(job_.result) +
                   job_.row_place(panel_.group, block_.first + r) * job_.parts;
    for (size_t v = 0; v < codes_.size(); ++v) {
      row[panel_.places[v]] = codes_[v];
    }
  }

  const Job& job_;
  const Panel<double>& panel_;
  const RowBlock<double>& block_;
  ElementType type_;
  int64_t numbers_;
  NarrowRounder narrow_;
  std::vector<S> codes_;
  std::vector<uint32_t> differences_;
  std::vector<Cell> open_;
};

}  // namespace

template <typename S>
std::vector<Cell> store_certain(const Job& job, const Panel<double>& panel,
                                const RowBlock<double>& block) {
  return Rounder<S>(job, panel, block).run();
}

template std::vector<Cell> store_certain<uint8_t>(const Job&,
                                                  const Panel<double>&,
                                                  const RowBlock<double>&);
template std::vector<Cell> store_certain<uint16_t>(const Job&,
                                                   const Panel<double>&,
                                                   const RowBlock<double>&);
template std::vector<Cell> store_certain<uint32_t>(const Job&,
                                                   const Panel<double>&,
                                                   const RowBlock<double>&);

}  // namespace hlo
