#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "interpreter/plans/linear/extended.h"
#include "interpreter/rules/op.h"

// What the batch-norms share: features are the elements with one index along
// feature_index.

namespace hlo {

/// Where the elements of each feature lie.
struct Features {
  int64_t count = 0;
  int64_t size = 0;             // elements of one feature
  int64_t stride = 0;           // from one feature to the next
  std::vector<int64_t> places;  // row-major, of the first feature

  /// The elements of feature `i` of a block, among those that gather() gives.
  std::span<const double> part(const std::vector<double>& gathered,
                               int64_t i) const {
    return std::span(gathered).subspan(static_cast<size_t>(i * size),
                                       static_cast<size_t>(size));
  }
};

Features features_of(const Instruction& norm, const Literal& operand);

/// A float literal's elements.
std::vector<double> decoded(const Literal& literal);

/// Some features whose elements are neighbours in memory.
struct FeatureBlock {
  int64_t first = 0;
  int64_t count = 0;
};

/// Calls body(block) for all features, on the evaluator's threads.
void for_each_block(const Features& features, const Evaluator& evaluator,
                    const std::function<void(const FeatureBlock&)>& body);
/// The elements of the block's features, one feature after the other.
std::vector<double> gather(const Features& features, const FeatureBlock& block,
                           const std::vector<double>& values);
/// The inverse, of codes of the result's type. Several threads may write the
/// features of a result that is not shared.
void scatter(const Features& features, const FeatureBlock& block,
             const std::vector<uint64_t>& codes, Literal& result);
/// Rounds the value to element i of the result.
void put(Literal& result, int64_t i, const Extended& value);

/// Mean and variance of numbers, exactly; NaN of none.
struct Moments {
  Extended mean;
  Extended variance;
};

Moments moments_of(std::span<const double> x);

/// What turns the elements x of one feature into
///   (x - mean) scale / sqrt(variance) + offset.
struct Normalization {
  Extended mean;
  Extended variance;  // with epsilon
  double scale = 0;
  double offset = 0;
};

/// Element by element, each rounded once.
void normalize(const Normalization& feature, std::span<const double> x,
               const numeric::FloatFormat& format, uint64_t* codes);

/// What turns the elements x, dy of one feature into
///   scale / sqrt(variance) (dy - g / n - (x - mean) s / (n variance)).
struct Gradient {
  double mean = 0;
  Extended variance;  // with epsilon
  double scale = 0;
  Extended g;  // the sum of dy
  Extended s;  // the sum of dy (x - mean)
  int64_t n = 0;
};

/// The sum of dy (x - mean), exactly.
Extended sum_of_products(std::span<const double> x, double mean,
                         std::span<const double> dy);

void differentiate(const Gradient& feature, std::span<const double> x,
                   std::span<const double> dy,
                   const numeric::FloatFormat& format, uint64_t* codes);

}  // namespace hlo
