#include "backends/cpu/kernels/features/array_features.h"

#include <algorithm>

#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kPerTask =
    int64_t{32} * 1024;             // elements worth another thread
constexpr int64_t kFewBeside = 64;  // too few for a loop of their own
constexpr int64_t kBlock = int64_t{4} * 1024;  // columns whose sums L1 holds

int64_t parts_of(int64_t count, int64_t each) {
  return (count + each - 1) / each;
}

/// n elements of the piece from `first` on.
FeaturePiece part_of(const FeaturePiece& all, int64_t first, int64_t n) {
  const int64_t offset = first * storage_bytes(all.type);
  return {all.type, all.x + offset, all.y == nullptr ? nullptr : all.y + offset,
          n};
}

/// Adds the terms of some columns of some rows.
void add_rows(FeatureTerm term, const FeaturePiece& all, int64_t first,
              int64_t last, int64_t columns, int64_t begin, int64_t end,
              const double* means, double* sums) {
  for (int64_t row = first; row < last; ++row) {
    const int64_t at = row * columns + begin;
    const int64_t n = std::min(end - begin, all.n - at);
    if (n > 0) add_piece(term, part_of(all, at, n), means + begin, sums);
  }
}

}  // namespace

ArrayFeatures::ArrayFeatures(const FeatureOrder& order, ElementType type)
    : order_(order), type_(type) {
  if (order.inner >= kFewBeside || order.elements == 0) return;
  columns_ = order.count * order.inner;
  if (columns_ < kFewBeside) columns_ *= parts_of(kFewBeside, columns_);
}

/// The numbers of the columns' features.
std::vector<double> ArrayFeatures::of_columns(
    const std::vector<double>& of_features) const {
  std::vector<double> numbers;
  numbers.reserve(static_cast<size_t>(columns_));
  for (int64_t c = 0; !of_features.empty() && c < columns_; ++c) {
    numbers.push_back(
        of_features[static_cast<size_t>(c / order_.inner % order_.count)]);
  }
  return numbers;
}

/// The sums of the features, of which so many in a row are of each one.
std::vector<double> ArrayFeatures::of_features(std::span<const double> sums,
                                               int64_t each) const {
  std::vector<double> result(static_cast<size_t>(order_.count));
  for (size_t k = 0; k < sums.size(); ++k) {
    result[k / static_cast<size_t>(each) % result.size()] += sums[k];
  }
  return result;
}

std::vector<double> ArrayFeatures::sums_of_runs(
    FeatureTerm term, const FeaturePiece& all,
    const std::vector<double>& means) const {
  const int64_t parts = parts_of(order_.inner, kPerTask);  // of a run
  const int64_t runs = order_.elements / order_.inner;
  std::vector<double> sums(static_cast<size_t>(runs * parts));
  const int64_t some = std::max<int64_t>(1, kPerTask / order_.inner);
  share_loop(runs * parts, some, [&](int64_t i) {
    const int64_t first = i % parts * kPerTask;
    const int64_t n = std::min(kPerTask, order_.inner - first);
    const auto feature = static_cast<size_t>(i / parts % order_.count);
    sums[static_cast<size_t>(i)] =
        sum_piece(term, part_of(all, i / parts * order_.inner + first, n),
                  means.empty() ? 0 : means[feature]);
  });
  return of_features(sums, parts);
}

std::vector<double> ArrayFeatures::sums_of_columns(
    FeatureTerm term, const FeaturePiece& all,
    const std::vector<double>& means) const {
  const std::vector<double> own = of_columns(means);
  const int64_t rows = parts_of(order_.elements, columns_);
  const int64_t blocks = parts_of(columns_, kBlock);
  // Where columns are few, each part has some rows together and sums of its
  // own.
  const int64_t some =
      blocks > 1 ? rows : std::max<int64_t>(1, kPerTask / columns_);
  const int64_t parts = parts_of(rows, some);
  std::vector<double> sums(static_cast<size_t>(parts * columns_));
  share_loop(parts * blocks, [&](int64_t i) {
    const int64_t part = i / blocks;
    const int64_t begin = i % blocks * kBlock;
    add_rows(term, all, part * some, std::min(rows, (part + 1) * some),
             columns_, begin, std::min(begin + kBlock, columns_), own.data(),
             sums.data() + part * columns_ + begin);
  });
  return of_features(sums, order_.inner);
}

std::vector<double> ArrayFeatures::sums(
    FeatureTerm term, const std::byte* x, const std::byte* y,
    const std::vector<double>& means) const {
  const FeaturePiece all{type_, x, y, order_.elements};
  if (order_.elements == 0) return of_features({}, 1);
  return has_columns() ? sums_of_columns(term, all, means)
                       : sums_of_runs(term, all, means);
}

void ArrayFeatures::map(FeatureMap map, const std::byte* x, const std::byte* y,
                        std::span<const std::vector<double>> numbers, double n,
                        std::byte* to) const {
  if (order_.elements == 0) return;
  const FeaturePiece all{type_, x, y, order_.elements};
  std::vector<std::vector<double>> own(numbers.begin(), numbers.end());
  if (has_columns()) {
    for (std::vector<double>& each : own) each = of_columns(each);
  }
  const int64_t run = has_columns() ? columns_ : order_.inner;
  share_loop(parts_of(order_.elements, kPerTask), [&](int64_t task) {
    const int64_t last = std::min(order_.elements, (task + 1) * kPerTask);
    for (int64_t at = task * kPerTask; at < last;) {
      const int64_t some = std::min(run - at % run, last - at);
      const int64_t place = has_columns() ? at % run : at / run % order_.count;
      FeatureNumbers here{.n = n};
      for (size_t k = 0; k < own.size(); ++k) {
        here.first[k] = own[k].data() + place;
      }
      map_piece(map, part_of(all, at, some), here, !has_columns(),
                to + at * storage_bytes(type_));
      at += some;
    }
  });
}

}  // namespace hlo::cpu
