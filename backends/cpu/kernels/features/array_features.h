#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/kernels/features/feature_loops.h"

namespace hlo::cpu {

/// Which feature each element of an array belongs to: of `inner` elements that
/// lie beside each other the same, then the next of `count`, and so on.
struct FeatureOrder {
  int64_t count = 0;
  int64_t inner = 1;
  int64_t elements = 0;  // of the array
};

/// Sums and maps over an array, by parts that do not depend on the number of
/// threads.
class ArrayFeatures {
 public:
  ArrayFeatures(const FeatureOrder& order, ElementType type);

  /// The sum of the term over each feature. `y` is read by kProduct, `means`
  /// by all but kNumber.
  std::vector<double> sums(FeatureTerm term, const std::byte* x,
                           const std::byte* y,
                           const std::vector<double>& means) const;

  /// Writes what becomes of each element, by the numbers of the features and n.
  void map(FeatureMap map, const std::byte* x, const std::byte* y,
           std::span<const std::vector<double>> numbers, double n,
           std::byte* to) const;

 private:
  /// Where few elements lie beside each other, each is of a column of its own:
  /// a feature has as many as that, or more, so that loops are long.
  bool has_columns() const { return columns_ > 0; }

  std::vector<double> of_columns(const std::vector<double>& of_features) const;
  std::vector<double> of_features(std::span<const double> sums,
                                  int64_t each) const;
  std::vector<double> sums_of_runs(FeatureTerm term, const FeaturePiece& all,
                                   const std::vector<double>& means) const;
  std::vector<double> sums_of_columns(FeatureTerm term, const FeaturePiece& all,
                                      const std::vector<double>& means) const;

  FeatureOrder order_;
  ElementType type_;
  int64_t columns_ = 0;
};

}  // namespace hlo::cpu
