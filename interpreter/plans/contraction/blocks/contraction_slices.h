#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace hlo {

/// Vectors cut into slices, whose sums of products are exact (Ozaki, Ogita,
/// Oishi, Rump, 2012). Slice i of a vector holds multiples of 2^(e - (i+1) b)
/// below 2^(e - i b), where all of the vector lies below 2^e. So products of
/// slices are multiples of a common unit and below 2^(2b) units, and with
/// 2b + log2(length) <= 53 the sum of `length` of them is exact in double, in
/// any order.
class Slices {
 public:
  static constexpr int kMost = 4;

  /// The largest b for vectors of a length.
  static int bits(int64_t length);

  /// Vectors of `length` numbers, interleaved by `lanes`.
  Slices(std::span<const double> numbers, int64_t length, int64_t lanes,
         int slice_bits);

  int count() const { return static_cast<int>(slices_.size()); }

  const double* slice(int i) const {
    return slices_[static_cast<size_t>(i)].data();
  }

  /// Whether the slices hold everything.
  bool is_complete() const { return complete_; }

  /// A power of two above the vector's magnitudes; infinity where the vector
  /// is not cut.
  double scale(int64_t vector) const {
    return scales_[static_cast<size_t>(vector)];
  }

 private:
  void find_scales();
  void find_largest(const double* tile, double* largest) const;
  void clear(int64_t v);
  void cut(double unit);
  void cut_row(double* rest, double* slice, double shift) const;
  void cut_tile(double* rest, double* slice, const double* shift) const;

  std::vector<double> rest_;
  int64_t length_;
  int64_t lanes_;
  int64_t vectors_;
  bool complete_ = false;
  std::vector<double> scales_;
  std::vector<std::vector<double>> slices_;
};

/// The slices of a panel, which several threads may ask for: cut once.
class PanelSlices {
 public:
  /// The slices of numbers, with the arguments that every other call has.
  const Slices& get(std::span<const double> numbers, int64_t length,
                    int slice_bits);

 private:
  std::once_flag once_;
  std::optional<Slices> slices_;
};

}  // namespace hlo
