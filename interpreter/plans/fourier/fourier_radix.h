#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/model/shape.h"

namespace hlo {

/// The prime factors of n >= 1, but 4 for two factors 2 that stand together.
std::vector<int64_t> radices(int64_t n);

/// The sums over t of x[t] w^(j t) for all j, w the ring's root of unity of
/// order ring.order(), by Cooley's and Tukey's splitting into sums over
/// residue classes of t. A ring has a type Element with addition, and
/// times_root(x, k), which is x w^k for 0 <= k < order.
template <typename Ring>
class FourierLine {
 public:
  using Element = typename Ring::Element;

  explicit FourierLine(const Ring& ring)
      : ring_(ring), order_(ring.order()), radices_(radices(order_)) {
    int64_t largest = 1;
    for (const int64_t radix : radices_) largest = std::max(largest, radix);
    terms_.resize(static_cast<size_t>(largest));
  }

  /// Transforms x[0], x[stride], ... into result[0], result[1], ...
  void run(const Element* x, int64_t stride, Element* result) {
    split(0, order_, x, stride, result);
  }

 private:
  /// The sums of n elements, whose root of unity is w^(order / n).
  void split(size_t level, int64_t n, const Element* x, int64_t stride,
             Element* result) {
    if (n == 1) {
      *result = *x;
      return;
    }
    const int64_t radix = radices_[level];
    const int64_t part = n / radix;
    for (int64_t s = 0; s < radix; ++s) {
      split(level + 1, part, x + s * stride, stride * radix, result + s * part);
    }
    for (int64_t k = 0; k < part; ++k) join(n, radix, k, result);
  }

  /// result[q part + k] = sum over s of w_n^(s k) w_radix^(s q) times what
  /// stood at result[s part + k].
  void join(int64_t n, int64_t radix, int64_t k, Element* result) {
    const int64_t part = n / radix;
    const int64_t turn = order_ / n;
    for (int64_t s = 0; s < radix; ++s) {
      terms_[static_cast<size_t>(s)] =
          ring_.times_root(result[s * part + k], s * k * turn);
    }
    const int64_t step = order_ / radix;
    for (int64_t q = 0; q < radix; ++q) {
      Element sum = terms_[0];
      int64_t power = 0;
      for (int64_t s = 1; s < radix; ++s) {
        power += q;
        if (power >= radix) power -= radix;
        sum = sum +
              ring_.times_root(terms_[static_cast<size_t>(s)], power * step);
      }
      result[q * part + k] = sum;
    }
  }

  const Ring& ring_;
  int64_t order_;
  std::vector<int64_t> radices_;
  std::vector<Element> terms_;
};

/// Transforms the lines of an array whose elements lie `stride` apart.
template <typename Ring>
void transform_lines(const Ring& ring, int64_t stride,
                     std::vector<typename Ring::Element>& array) {
  const int64_t length = ring.order();
  const auto lines = static_cast<int64_t>(array.size()) / length;
  FourierLine<Ring> line(ring);
  std::vector<typename Ring::Element> result(static_cast<size_t>(length));
  for (int64_t i = 0; i < lines; ++i) {
    auto* const first =
        array.data() + i / stride * stride * length + i % stride;
    line.run(first, stride, result.data());
    for (int64_t j = 0; j < length; ++j) {
      first[j * stride] = result[static_cast<size_t>(j)];
    }
  }
}

/// Transforms the row-major array of these dimensions along all of them;
/// rings[d] has the order dims[d].
template <typename Ring>
void transform_all(std::span<const Ring> rings,
                   std::vector<typename Ring::Element>& array) {
  int64_t stride = 1;
  for (size_t d = rings.size(); d-- > 0;) {
    transform_lines(rings[d], stride, array);
    stride *= rings[d].order();
  }
}

}  // namespace hlo
