#include "backends/cpu/kernels/transforms/transform_pass.h"

#include <algorithm>

#include "backends/cpu/threads/share_loop.h"
#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/transforms/transform_pass.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// A complex number in each lane.
template <class V>
struct Lanes {
  V re;
  V im;
};

template <class V>
HWY_INLINE Lanes<V> sum(Lanes<V> a, Lanes<V> b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}

template <class V>
HWY_INLINE Lanes<V> difference(Lanes<V> a, Lanes<V> b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}

template <class V>
HWY_INLINE Lanes<V> product(Lanes<V> a, Lanes<V> b) {
  return {hn::Sub(hn::Mul(a.re, b.re), hn::Mul(a.im, b.im)),
          hn::Add(hn::Mul(a.re, b.im), hn::Mul(a.im, b.re))};
}

/// What one k of a pass reads, computes and writes, a vector of numbers that
/// lie side by side at a time. Vectors of one lane take what is left: every
/// lane is computed by the same operations.
template <class Tag>
class Butterfly {
 public:
  using V = hn::Vec<Tag>;
  static constexpr Tag kTag = Tag();

  Butterfly(const TransformPass& pass, size_t k) : pass_(pass), k_(k) {
    for (size_t t = 1; t < std::min<size_t>(pass.factor, 4); ++t) {
      roots_[t] = root_of_bin(t);
    }
  }

  /// Numbers q ... last - 1, up to the first one that has no whole vector.
  size_t run(size_t q, size_t last) const {
    switch (pass_.factor) {
      case 2:
        return each(q, last, [&](size_t i) { by_two(i); });
      case 4:
        return each(q, last, [&](size_t i) { by_four(i); });
      default:
        return each(q, last, [&](size_t i) { by_any(i); });
    }
  }

 private:
  template <class F>
  static HWY_INLINE size_t each(size_t q, size_t last, F f) {
    const size_t step = hn::Lanes(kTag);
    for (; q + step <= last; q += step) f(q);
    return q;
  }

  HWY_INLINE Lanes<V> root(size_t index) const {
    return {hn::Set(kTag, pass_.re[index]), hn::Set(kTag, pass_.im[index])};
  }

  HWY_INLINE Lanes<V> root_of_bin(size_t t) const {
    return root(k_ * t * (pass_.length / (pass_.factor * pass_.parts)));
  }

  HWY_INLINE Lanes<V> load(size_t j, size_t q) const {
    const size_t at = (j * pass_.parts + k_) * pass_.beside + q;
    return {hn::LoadU(kTag, pass_.from.re + at),
            hn::LoadU(kTag, pass_.from.im + at)};
  }

  HWY_INLINE void store(size_t t, size_t q, Lanes<V> y) const {
    const size_t at = (k_ * pass_.factor + t) * pass_.beside + q;
    hn::StoreU(y.re, kTag, pass_.to.re + at);
    hn::StoreU(y.im, kTag, pass_.to.im + at);
  }

  /// Stores bin t times its root, which is 1 of the first part.
  HWY_INLINE void store_turned(size_t t, size_t q, Lanes<V> y,
                               Lanes<V> turn) const {
    store(t, q, k_ == 0 ? y : product(y, turn));
  }

  HWY_INLINE void by_two(size_t q) const {
    const Lanes<V> a = load(0, q);
    const Lanes<V> b = load(1, q);
    store(0, q, sum(a, b));
    store_turned(1, q, difference(a, b), roots_[1]);
  }

  HWY_INLINE void by_four(size_t q) const {
    const Lanes<V> a = load(0, q);
    const Lanes<V> b = load(1, q);
    const Lanes<V> c = load(2, q);
    const Lanes<V> d = load(3, q);
    const Lanes<V> even = sum(a, c);
    const Lanes<V> odd = difference(a, c);
    const Lanes<V> both = sum(b, d);
    const Lanes<V> off = difference(b, d);
    const Lanes<V> turned{off.im, hn::Neg(off.re)};  // -i times it
    store(0, q, sum(even, both));
    store_turned(1, q, sum(odd, turned), roots_[1]);
    store_turned(2, q, difference(even, both), roots_[2]);
    store_turned(3, q, difference(odd, turned), roots_[3]);
  }

  HWY_INLINE void by_any(size_t q) const {
    const size_t factor = pass_.factor;
    const size_t step = pass_.length / factor;
    const Lanes<V> first = load(0, q);
    Lanes<V> y = first;
    for (size_t j = 1; j < factor; ++j) y = sum(y, load(j, q));
    store(0, q, y);
    for (size_t t = 1; t < factor; ++t) {
      y = first;
      size_t turns = 0;  // j t modulo the factor
      for (size_t j = 1; j < factor; ++j) {
        turns += turns + t < factor ? t : t - factor;
        y = sum(y, product(load(j, q), root(turns * step)));
      }
      store_turned(t, q, y, root_of_bin(t));
    }
  }

  const TransformPass& pass_;
  size_t k_;
  Lanes<V> roots_[4];  // of bins 1 to 3
};

/// Numbers first ... last - 1 of those that lie side by side.
void run_pass(const TransformPass& pass, size_t first_part, size_t last_part,
              size_t first, size_t last) {
  for (size_t k = first_part; k < last_part; ++k) {
    const Butterfly<hn::ScalableTag<double>> vectors(pass, k);
    const Butterfly<hn::CappedTag<double, 1>> numbers(pass, k);
    numbers.run(vectors.run(first, last), last);
  }
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(run_pass);

}  // namespace

void transform_pass(const TransformPass& pass) {
  constexpr size_t kOfTask = size_t{1} << 14;  // numbers
  const auto run = HWY_DYNAMIC_DISPATCH(run_pass);
  const size_t tasks = pass.factor * pass.parts * pass.beside / kOfTask;
  if (tasks < 2) return run(pass, 0, pass.parts, 0, pass.beside);
  const bool by_parts = pass.parts >= tasks;
  const size_t all = by_parts ? pass.parts : pass.beside;
  share_loop(static_cast<int64_t>(tasks), [&](int64_t task) {
    const auto own = static_cast<size_t>(task);
    const size_t first = own * all / tasks;
    const size_t last = (own + 1) * all / tasks;
    by_parts ? run(pass, first, last, 0, pass.beside)
             : run(pass, 0, pass.parts, first, last);
  });
}

}  // namespace hlo::cpu

#endif
