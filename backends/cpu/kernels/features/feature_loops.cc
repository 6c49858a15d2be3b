#include "backends/cpu/kernels/features/feature_loops.h"

#include <algorithm>

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/features/feature_loops.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/lanes/lane_operations.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<double> kDoubles;
const hn::CappedTag<double, 1> kOneDouble;
constexpr int64_t kSums = 32;

/// Calls body(tag, i) for whole vectors of n numbers, and for the others one by
/// one.
template <class Body>
HWY_INLINE void each(int64_t n, const Body& body) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(kDoubles));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) body(kDoubles, i);
  for (; i < n; ++i) body(kOneDouble, i);
}

/// Numbers of f64, or of f32 made wide.
template <class Tag>
HWY_INLINE hn::Vec<Tag> load(Tag tag, const double* from) {
  return hn::LoadU(tag, from);
}

template <class Tag>
HWY_INLINE hn::Vec<Tag> load(Tag tag, const float* from) {
  return hn::PromoteTo(tag, hn::LoadU(hn::Rebind<float, Tag>(), from));
}

template <class Tag>
HWY_INLINE void store(hn::Vec<Tag> x, Tag tag, double* to) {
  hn::StoreU(x, tag, to);
}

template <class Tag>
HWY_INLINE void store(hn::Vec<Tag> x, Tag tag, float* to) {
  if constexpr (hn::MaxLanes(tag) == 1) {
    *to = static_cast<float>(hn::GetLane(x));
  } else {
    hn::StoreU(narrowed(x), hn::Rebind<float, Tag>(), to);
  }
}

template <class T>
struct Numbers {
  const T* x;
  const T* y;
};

template <class T>
Numbers<T> numbers_of(const FeaturePiece& piece) {
  return {reinterpret_cast<const T*>(piece.x),
          reinterpret_cast<const T*>(piece.y)};
}

template <FeatureTerm kTerm, class Tag, class T>
HWY_INLINE hn::Vec<Tag> term_of(Tag tag, const Numbers<T>& from, int64_t i,
                                hn::Vec<Tag> mean) {
  const auto x = load(tag, from.x + i);
  if constexpr (kTerm == FeatureTerm::kNumber) {
    return x;
  } else {
    const auto off = hn::Sub(x, mean);
    if constexpr (kTerm == FeatureTerm::kSquare) {
      return hn::Mul(off, off);
    } else {
      return hn::Mul(load(tag, from.y + i), off);
    }
  }
}

template <FeatureTerm kTerm, class T>
double sum_of(const FeaturePiece& piece, double mean) {
  constexpr auto kLanes = static_cast<int64_t>(HWY_LANES(double));
  constexpr int64_t kVectors = kSums / kLanes;
  const Numbers<T> from = numbers_of<T>(piece);
  hn::Vec<decltype(kDoubles)> vectors[kVectors];
#pragma GCC unroll 32
  for (auto& sum : vectors) sum = hn::Zero(kDoubles);
  int64_t i = 0;
  for (; i + kSums <= piece.n; i += kSums) {
#pragma GCC unroll 32
    for (int64_t v = 0; v < kVectors; ++v) {
      vectors[v] =
          hn::Add(vectors[v], term_of<kTerm>(kDoubles, from, i + v * kLanes,
                                             hn::Set(kDoubles, mean)));
    }
  }
  double sums[kSums];
#pragma GCC unroll 32
  for (int64_t v = 0; v < kVectors; ++v) {
    hn::StoreU(vectors[v], kDoubles, sums + v * kLanes);
  }
  for (int64_t k = 0; i + k < piece.n; ++k) {
    sums[k] += hn::GetLane(
        term_of<kTerm>(kOneDouble, from, i + k, hn::Set(kOneDouble, mean)));
  }
  for (int64_t half = kSums / 2; half > 0; half /= 2) {
    for (int64_t k = 0; k < half; ++k) sums[k] += sums[k + half];
  }
  return sums[0];
}

template <FeatureTerm kTerm, class T>
void add_terms(const FeaturePiece& piece, const double* means, double* sums) {
  const Numbers<T> from = numbers_of<T>(piece);
  each(piece.n, [&](auto tag, int64_t i) {
    const auto mean = kTerm == FeatureTerm::kNumber ? hn::Zero(tag)
                                                    : hn::LoadU(tag, means + i);
    const auto sum = hn::LoadU(tag, sums + i);
    hn::StoreU(hn::Add(sum, term_of<kTerm>(tag, from, i, mean)), tag, sums + i);
  });
}

template <FeatureMap kMap, class Tag, class T, class Of>
HWY_INLINE hn::Vec<Tag> mapped(Tag tag, const Numbers<T>& from, int64_t i,
                               const Of& number, double n) {
  const auto x = load(tag, from.x + i);
  if constexpr (kMap == FeatureMap::kGradient) {
    const auto y = hn::Mul(hn::Set(tag, n), load(tag, from.y + i));
    const auto along =
        hn::Mul(hn::Sub(x, number(tag, 2, i)), number(tag, 3, i));
    const auto rest = hn::Sub(hn::Sub(y, number(tag, 1, i)),
                              hn::Div(along, number(tag, 4, i)));
    return hn::Mul(number(tag, 0, i), rest);
  } else {
    const auto off = hn::Sub(x, number(tag, 0, i));
    if constexpr (kMap == FeatureMap::kScaled) {
      return hn::Add(hn::Mul(off, number(tag, 1, i)), number(tag, 2, i));
    } else {
      const auto unit = hn::Div(off, number(tag, 1, i));
      return hn::Add(hn::Mul(unit, number(tag, 2, i)), number(tag, 3, i));
    }
  }
}

template <FeatureMap kMap, class T>
void map_numbers(const FeaturePiece& piece, const FeatureNumbers& numbers,
                 bool of_one, std::byte* bytes) {
  const Numbers<T> from = numbers_of<T>(piece);
  T* const to = reinterpret_cast<T*>(bytes);
  const auto run = [&](const auto& number) {
    each(piece.n, [&](auto tag, int64_t i) {
      store(mapped<kMap>(tag, from, i, number, numbers.n), tag, to + i);
    });
  };
  if (!of_one) {
    return run([&](auto tag, size_t k, int64_t i) {
      return hn::LoadU(tag, numbers.first[k] + i);
    });
  }
  run([&](auto tag, size_t k, int64_t /*i*/) {
    return hn::Set(tag, *numbers.first[k]);
  });
}

/// Calls visitor with the type of the numbers.
template <class Visitor>
auto with_type(const FeaturePiece& piece, const Visitor& visitor) {
  return piece.type == ElementType::kF64 ? visitor(double{}) : visitor(float{});
}

double sum(FeatureTerm term, const FeaturePiece& piece, double mean) {
  return with_type(piece, [&](auto number) {
    using T = decltype(number);
    switch (term) {
      case FeatureTerm::kNumber:
        return sum_of<FeatureTerm::kNumber, T>(piece, mean);
      case FeatureTerm::kSquare:
        return sum_of<FeatureTerm::kSquare, T>(piece, mean);
      default:
        return sum_of<FeatureTerm::kProduct, T>(piece, mean);
    }
  });
}

void add(FeatureTerm term, const FeaturePiece& piece, const double* means,
         double* sums) {
  with_type(piece, [&](auto number) {
    using T = decltype(number);
    switch (term) {
      case FeatureTerm::kNumber:
        return add_terms<FeatureTerm::kNumber, T>(piece, means, sums);
      case FeatureTerm::kSquare:
        return add_terms<FeatureTerm::kSquare, T>(piece, means, sums);
      default:
        return add_terms<FeatureTerm::kProduct, T>(piece, means, sums);
    }
  });
}

void map_all(FeatureMap map, const FeaturePiece& piece,
             const FeatureNumbers& numbers, bool of_one, std::byte* to) {
  with_type(piece, [&](auto number) {
    using T = decltype(number);
    switch (map) {
      case FeatureMap::kScaled:
        return map_numbers<FeatureMap::kScaled, T>(piece, numbers, of_one, to);
      case FeatureMap::kDivided:
        return map_numbers<FeatureMap::kDivided, T>(piece, numbers, of_one, to);
      default:
        return map_numbers<FeatureMap::kGradient, T>(piece, numbers, of_one,
                                                     to);
    }
  });
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(sum);
HWY_EXPORT(add);
HWY_EXPORT(map_all);

}  // namespace

double sum_piece(FeatureTerm term, const FeaturePiece& piece, double mean) {
  return HWY_DYNAMIC_DISPATCH(sum)(term, piece, mean);
}

void add_piece(FeatureTerm term, const FeaturePiece& piece, const double* means,
               double* sums) {
  HWY_DYNAMIC_DISPATCH(add)(term, piece, means, sums);
}

void map_piece(FeatureMap map, const FeaturePiece& piece,
               const FeatureNumbers& numbers, bool of_one, std::byte* to) {
  HWY_DYNAMIC_DISPATCH(map_all)(map, piece, numbers, of_one, to);
}

}  // namespace hlo::cpu

#endif
