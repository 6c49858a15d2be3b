#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/arrays/array.h"
#include "backends/cpu/kernels/lanes/lane_op.h"
#include "backends/cpu/threads/share_loop.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// Elements that are loaded at a time, which lie in L1.
inline constexpr int64_t kChunk = 512;

/// Which feature each element of an array belongs to: of `inner` elements that
/// lie beside each other the same, then the next of `count`, and so on.
struct Features {
  int64_t count;
  int64_t inner;
  int64_t elements;  // of each feature

  Features(const Instruction& instruction, const Shape& shape);

  int64_t of(int64_t element) const { return element / inner % count; }

  /// Calls visit(begin, n, feature) for pieces of the elements first ... last -
  /// 1, one after the other: n elements of that feature, or, where inner is 1,
  /// one of each of n features from that one on.
  template <typename Visit>
  void for_pieces(int64_t first, int64_t last, Visit visit) const {
    while (first < last) {
      const int64_t feature = of(first);
      const int64_t left = inner == 1 ? count - feature : inner - first % inner;
      const int64_t n = std::min(left, last - first);
      visit(first, n, feature);
      first += n;
    }
  }
};

/// Some elements of an array of floats, one after the other.
class Chunk {
 public:
  Chunk();
  Chunk(const Chunk&) = delete;
  Chunk& operator=(const Chunk&) = delete;
  void load(const Array& array, int64_t first, int64_t count);
  void store(Array& array, int64_t first, int64_t count);

  double operator[](int64_t i) const { return values_[static_cast<size_t>(i)]; }

  double& operator[](int64_t i) { return values_[static_cast<size_t>(i)]; }

 private:
  std::array<float, kChunk> narrow_ = {};
  std::array<double, kChunk> values_ = {};
  std::array<Register, 2> registers_;  // both
};

/// term(0) + ... + term(n - 1), in an order that n alone decides.
template <typename Term>
double sum_of(int64_t n, Term term) {
  constexpr int64_t kTogether = 8;
  double parts[kTogether] = {};
  int64_t i = 0;
  for (; i + kTogether <= n; i += kTogether) {
    for (int64_t k = 0; k < kTogether; ++k) parts[k] += term(i + k);
  }
  for (int64_t k = 0; i + k < n; ++k) parts[k] += term(i + k);
  return ((parts[0] + parts[4]) + (parts[2] + parts[6])) +
         ((parts[1] + parts[5]) + (parts[3] + parts[7]));
}

/// Sums of the features that some elements have, from the first one's on.
struct PartialSums {
  int64_t first = 0;
  std::vector<double> sums;

  PartialSums() = default;
  /// For those that elements first ... last - 1 have.
  PartialSums(const Features& features, int64_t first, int64_t last);
  /// The sum of that feature; those of the next ones follow, up to the last
  /// feature.
  double* of(const Features& features, int64_t feature);
};

/// The sums over all of an array, of which the parts have those of some.
std::vector<double> joined(const Features& features,
                           const std::vector<PartialSums>& parts);

template <size_t kArrays>
void load_chunks(std::array<Chunk, kArrays>& chunks,
                 const std::array<const Array*, kArrays>& arrays, int64_t at,
                 int64_t n) {
  for (size_t k = 0; k < kArrays; ++k) chunks[k].load(*arrays[k], at, n);
}

/// The sums of sums_of() over elements `first` to `end` - 1.
template <size_t kArrays, typename Term>
PartialSums partial_sums(const Features& features,
                         const std::array<const Array*, kArrays>& arrays,
                         Term term, int64_t first, int64_t end) {
  PartialSums part(features, first, end);
  std::array<Chunk, kArrays> chunks;
  for (int64_t at = first; at < end; at += kChunk) {
    const int64_t last = std::min(end, at + kChunk);
    load_chunks(chunks, arrays, at, last - at);
    features.for_pieces(at, last, [&](int64_t begin, int64_t n, int64_t f) {
      double* const sums = part.of(features, f);
      const auto own = [&](int64_t i) {
        return term(chunks, begin - at + i, features.inner == 1 ? f + i : f);
      };
      if (features.inner == 1) {
        for (int64_t i = 0; i < n; ++i) sums[i] += own(i);
      } else {
        sums[0] += sum_of(n, own);
      }
    });
  }
  return part;
}

/// The sum over each feature of term(chunks, i, feature), where i counts the
/// elements of the chunks, one of each of the arrays: by parts that do not
/// depend on the number of threads.
template <size_t kArrays, typename Term>
std::vector<double> sums_of(const Features& features,
                            const std::array<const Array*, kArrays>& arrays,
                            Term term) {
  constexpr int64_t kOfTask = 64 * kChunk;
  const int64_t all = arrays[0]->count();
  std::vector<PartialSums> parts(
      static_cast<size_t>((all + kOfTask - 1) / kOfTask));
  share_loop(std::ssize(parts), [&](int64_t task) {
    parts[static_cast<size_t>(task)] =
        partial_sums(features, arrays, term, task * kOfTask,
                     std::min(all, (task + 1) * kOfTask));
  });
  return joined(features, parts);
}

/// Fills elements `first` to `end` - 1 of mapped().
template <size_t kArrays, typename Value>
void map_part(Array& result, const Features& features,
              const std::array<const Array*, kArrays>& arrays, Value value,
              int64_t first, int64_t end) {
  std::array<Chunk, kArrays> chunks;
  Chunk to;
  for (int64_t at = first; at < end; at += kChunk) {
    const int64_t last = std::min(end, at + kChunk);
    load_chunks(chunks, arrays, at, last - at);
    features.for_pieces(at, last, [&](int64_t begin, int64_t n, int64_t f) {
      for (int64_t i = begin - at; i < begin - at + n; ++i) {
        const int64_t own = features.inner == 1 ? f + i - (begin - at) : f;
        to[i] = value(chunks, i, own);
      }
    });
    to.store(result, at, last - at);
  }
}

/// The array of value(chunks, i, feature) for each element of the chunks.
template <size_t kArrays, typename Value>
Array mapped(const Shape& shape, const Features& features,
             const std::array<const Array*, kArrays>& arrays, Value value) {
  constexpr int64_t kOfTask = 16 * kChunk;
  Array result = Array::unwritten(shape);
  const int64_t all = result.count();
  share_loop((all + kOfTask - 1) / kOfTask, [&](int64_t task) {
    map_part(result, features, arrays, value, task * kOfTask,
             std::min(all, (task + 1) * kOfTask));
  });
  return result;
}

}  // namespace hlo::cpu
