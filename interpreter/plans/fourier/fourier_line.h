#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "interpreter/plans/fourier/fourier_radix.h"

namespace hlo {

template <typename Ring>
class PrimeSums;

/// The sums over t of x[t] w^(j t) for all j, w the ring's root of unity of
/// order ring.order(), by Cooley's and Tukey's splitting into sums over
/// residue classes of t. A ring has
/// * a type Element with addition, zero(), and product(x, y);
/// * root(k), which is w^k for 0 <= k < order, and times_root(x, k), x w^k;
/// * over(x, n), x divided by n, a power of two;
/// * ring_of(n), a ring of another order, which is convolution_length() of a
///   factor of its own order.
template <typename Ring>
class FourierLine {
 public:
  using Element = typename Ring::Element;

  explicit FourierLine(const Ring& ring)
      : ring_(ring), order_(ring.order()), radices_(radices(order_)) {
    int64_t largest = 1;
    for (const int64_t radix : radices_) {
      largest = std::max(largest, radix);
      auto& prime = primes_[radix];
      if (radix <= kMostDirect || prime != nullptr) continue;
      prime = std::make_unique<PrimeSums<Ring>>(ring, radix);
    }
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
    if (radix > kMostDirect) {
      primes_.at(radix)->run(terms_);
      for (int64_t q = 0; q < radix; ++q) {
        result[q * part + k] = terms_[static_cast<size_t>(q)];
      }
      return;
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
  std::map<int64_t, std::unique_ptr<PrimeSums<Ring>>> primes_;
};

/// The sums over s of x[s] w^(j s) for all j, w of prime order, by Rader's way:
/// with s = g^i and j = g^-l for a primitive root g they are, but for x[0] and
/// for j = 0, the cyclic convolution of x[g^i] and w^(g^-l), which transforms
/// of a power of two of elements make.
template <typename Ring>
class PrimeSums {
 public:
  using Element = typename Ring::Element;

  /// w is the power order() / prime of the ring's root.
  PrimeSums(const Ring& ring, int64_t prime)
      : powers_(powers_of_root(prime)),
        ring_(ring.ring_of(convolution_length(prime))),
        line_(ring_),
        terms_(static_cast<size_t>(ring_.order()), ring_.zero()),
        factors_(terms_) {
    const int64_t length = ring_.order();
    const int64_t step = ring.order() / prime;
    const int64_t n = prime - 1;
    // The root at -l and at n - l is the same; where length is n they meet.
    for (int64_t i = 0; i < n; ++i) {
      const Element root = ring.root(power(i) * step);
      terms_[static_cast<size_t>((length - i) % length)] = root;
      if (i > 0) terms_[static_cast<size_t>(n - i)] = root;
    }
    line_.run(terms_.data(), 1, factors_.data());
    for (Element& factor : factors_) factor = ring_.over(factor, length);
    sums_ = terms_;
  }

  /// Puts the sums in the place of the first `prime` elements.
  void run(std::vector<Element>& x) {
    const auto n = std::ssize(powers_);
    const Element first = x[0];
    Element all = first;
    terms_.assign(terms_.size(), ring_.zero());
    for (int64_t i = 0; i < n; ++i) {
      const Element& term = x[static_cast<size_t>(power(i))];
      terms_[static_cast<size_t>(i)] = term;
      all = all + term;
    }
    convolve();
    x[0] = all;
    for (int64_t l = 0; l < n; ++l) {
      x[static_cast<size_t>(power((n - l) % n))] =
          first + sums_[(sums_.size() - static_cast<size_t>(l)) % sums_.size()];
    }
  }

 private:
  int64_t power(int64_t i) const { return powers_[static_cast<size_t>(i)]; }

  /// sums_[-l] becomes element l of the convolution of terms_ and the roots.
  void convolve() {
    line_.run(terms_.data(), 1, sums_.data());
    for (size_t k = 0; k < sums_.size(); ++k) {
      terms_[k] = ring_.product(sums_[k], factors_[k]);
    }
    line_.run(terms_.data(), 1, sums_.data());
  }

  std::vector<int64_t> powers_;
  Ring ring_;
  FourierLine<Ring> line_;
  std::vector<Element> terms_;
  std::vector<Element> factors_;  // the transform of the roots
  std::vector<Element> sums_;
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
