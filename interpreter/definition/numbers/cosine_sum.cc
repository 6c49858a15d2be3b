#include "interpreter/definition/numbers/cosine_sum.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "interpreter/definition/numbers/exact_numbers.h"
#include "interpreter/definition/numbers/growing_precision.h"

namespace hlo::definition {
namespace {

using Coefficients = std::vector<Whole>;

/// A prime factor of an order and its power there.
struct PrimePower {
  int64_t prime;
  int64_t power;
};

std::vector<PrimePower> factorize(int64_t n) {
  std::vector<PrimePower> factors;
  for (int64_t p = 2; n > 1; ++p) {
    if (n % p != 0) continue;
    factors.push_back({p, 1});
    for (; n % p == 0; n /= p) factors.back().power *= p;
  }
  return factors;
}

// The sum over k of x[k] w^k, w = exp(2 pi i / order), as one of powers that
// are linearly independent over the rational numbers, of which 1 is one. For
// order = p^e they are 1 to w^(p^e - p^(e-1) - 1), and w^k + w^(k + order / p)
// +
// ... = 0 takes away the others; for other orders products of these.
void reduce(Coefficients& x, const std::vector<PrimePower>& factors) {
  const auto order = static_cast<int64_t>(x.size());
  for (const auto& [prime, power] : factors) {
    for (int64_t k = 0; k < order; ++k) {
      const bool is_dependent = k % power >= power - power / prime;
      if (!is_dependent || x[static_cast<size_t>(k)] == 0) continue;
      const Whole c = x[static_cast<size_t>(k)];
      for (int64_t i = 0; i < prime; ++i) {
        x[static_cast<size_t>((k + i * (order / prime)) % order)] -= c;
      }
    }
  }
}

/// cos(2 pi k / order) for all k. The angle, below 7, is off by three units of
/// it, the cosine by one more: less than 22 units.
template <typename F>
std::vector<F> cosines_of(int64_t order) {
  const F turn = 2 * acos(F(-1));
  std::vector<F> cosines;
  for (int64_t k = 0; k < order; ++k) {
    cosines.push_back(cos(turn * k / order));
  }
  return cosines;
}

}  // namespace

struct CosineSums::Numbers {
  template <typename F>
  const std::vector<F>& cosines() {
    auto& table = std::get<std::vector<F>>(tables);
    if (table.empty()) {
      table = cosines_of<F>(static_cast<int64_t>(doubled.size()));
    }
    return table;
  }

  // The reduced sum of `doubled` is real: its cosines add up to it. With the
  // products each term is off by less than 25 units of its coefficient, and
  // each addition by one of the sum of magnitudes.
  template <typename F>
  Ball<F> sum(const Rational& factor) {
    const std::vector<F>& cosine = cosines<F>();
    F value = 0;
    F magnitudes = 0;
    for (size_t k = 0; k < doubled.size(); ++k) {
      if (doubled[k] == 0) continue;
      const F c(doubled[k]);
      value += c * cosine[k];
      magnitudes += abs(c);
    }
    const F scale(factor / 2);
    const F units = F(doubled.size() + 30) * unit<F>();
    return {value * scale, magnitudes * units * abs(scale)};
  }

  std::vector<PrimePower> factors;
  Coefficients doubled;  // of w^k in twice the sum
  std::tuple<std::vector<Float<50>>, std::vector<Float<250>>,
             std::vector<Float<800>>, std::vector<Float<1500>>>
      tables;
};

CosineSums::CosineSums(int64_t order)
    : order_(order), numbers_(std::make_unique<Numbers>()) {
  numbers_->factors = factorize(order);
  clear();
}

CosineSums::~CosineSums() = default;

void CosineSums::clear() {
  numbers_->doubled.assign(static_cast<size_t>(order_), 0);
}

void CosineSums::add(int64_t k, const Integer& x) {
  const int64_t place = (k % order_ + order_) % order_;
  numbers_->doubled[static_cast<size_t>(place)] += whole(x);
  numbers_->doubled[static_cast<size_t>((order_ - place) % order_)] += whole(x);
}

Real CosineSums::times(const Real& factor) {
  Coefficients& doubled = numbers_->doubled;
  reduce(doubled, numbers_->factors);
  const bool is_rational = std::all_of(doubled.begin() + 1, doubled.end(),
                                       [](const Whole& c) { return c == 0; });
  if (is_rational) return Real(Rational(doubled[0]) / 2) * factor;
  return refine(
      [&](auto f) { return numbers_->sum<decltype(f)>(rational(factor)); });
}

}  // namespace hlo::definition
