#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "conformance/certify/testing/machine.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/format/rounding.h"

// For the simulated machines of the tests; no program includes it.
namespace hlo::conformance {

inline double flush(double x, const numeric::FloatFormat& format) {
  const double normal = std::ldexp(1.0, format.min_exponent());
  return std::fabs(x) < normal ? std::copysign(0.0, x) : x;
}

/// Adds in one way, rounding each step to one format.
class Adder {
 public:
  Adder(const Machine& machine, const numeric::FloatFormat& result,
        uint64_t seed)
      : machine_(machine),
        format_(accumulator(machine, result)),
        random_(seed) {}

  double round(double x) const {
    const double rounded =
        numeric::decode(numeric::encode(x, format_), format_);
    return machine_.ftz ? flush(rounded, format_) : rounded;
  }

  double join(double a, double b) const {
    // Exact for f64, and innocuous for formats of at most 24 bits.
    return round(multiplies_ ? a * b : a + b);
  }

  /// It multiplies from now on.
  Adder& multiplying() {
    multiplies_ = true;
    return *this;
  }

  double sum(std::vector<double> terms) {
    if (machine_.fault == Machine::Fault::kDropsATerm && terms.size() > 1) {
      terms.pop_back();
    }
    if (terms.empty()) return 0;
    arrange(terms);
    switch (machine_.order) {
      case Machine::Order::kPairwise:
        return pairwise(terms, 0, terms.size());
      case Machine::Order::kLanes4:
        return lanes(terms, 4);
      case Machine::Order::kLanes16:
        return lanes(terms, 16);
      case Machine::Order::kBlocks32:
        return blocks(terms, 32);
      case Machine::Order::kRandomTree:
        return random_tree(terms);
      default:
        return line(terms, 0, terms.size());
    }
  }

  /// Sums of products, fused or not.
  double dot(const std::vector<double>& a, const std::vector<double>& b) {
    if (machine_.fma) {
      double sum = 0;
      for (size_t k = 0; k < a.size(); ++k) sum = fused(a[k], b[k], sum);
      return sum;
    }
    std::vector<double> terms(a.size());
    for (size_t k = 0; k < a.size(); ++k) terms[k] = round(a[k] * b[k]);
    return sum(std::move(terms));
  }

 private:
  static const numeric::FloatFormat& accumulator(
      const Machine& machine, const numeric::FloatFormat& result) {
    ElementType type = result.type;
    if (machine.width == Machine::Width::kF32 && result.precision() < 24) {
      type = ElementType::kF32;
    }
    if (machine.width == Machine::Width::kF64) type = ElementType::kF64;
    if (machine.fault == Machine::Fault::kNarrowSums) type = ElementType::kBF16;
    return numeric::format(type);
  }

  double fused(double a, double b, double c) const {
    if (format_.type == ElementType::kF32) {
      return round(std::fmaf(static_cast<float>(a), static_cast<float>(b),
                             static_cast<float>(c)));
    }
    return round(std::fma(a, b, c));
  }

  void arrange(std::vector<double>& terms) const {
    const auto smaller = [](double a, double b) {
      return std::fabs(a) < std::fabs(b);
    };
    if (machine_.order == Machine::Order::kBackward)
      std::ranges::reverse(terms);
    if (machine_.order == Machine::Order::kByMagnitude) {
      std::ranges::stable_sort(terms, smaller);
    }
    if (machine_.order == Machine::Order::kAlternating) {
      std::ranges::stable_sort(terms, smaller);
      std::vector<double> mixed;
      for (size_t k = 0; k < terms.size(); ++k) {
        mixed.push_back(k % 2 == 0 ? terms[terms.size() - 1 - k / 2]
                                   : terms[k / 2]);
      }
      terms = mixed;
    }
  }

  double line(const std::vector<double>& terms, size_t begin,
              size_t end) const {
    double sum = terms[begin];
    for (size_t k = begin + 1; k < end; ++k) sum = join(sum, terms[k]);
    return sum;
  }

  double pairwise(const std::vector<double>& terms, size_t begin,
                  size_t end) const {
    if (end - begin == 1) return terms[begin];
    const size_t middle = begin + (end - begin) / 2;
    return join(pairwise(terms, begin, middle), pairwise(terms, middle, end));
  }

  double lanes(const std::vector<double>& terms, size_t count) const {
    std::vector<double> sums(count, multiplies_ ? 1.0 : 0.0);
    for (size_t k = 0; k < terms.size(); ++k) {
      sums[k % count] = join(sums[k % count], terms[k]);
    }
    return pairwise(sums, 0, count);
  }

  double blocks(const std::vector<double>& terms, size_t size) const {
    double sum = multiplies_ ? 1 : 0;
    for (size_t begin = 0; begin < terms.size(); begin += size) {
      sum = join(sum, line(terms, begin, std::min(begin + size, terms.size())));
    }
    return sum;
  }

  double random_tree(std::vector<double> terms) {
    while (terms.size() > 1) {
      const auto take = [&] {
        const size_t k = random_() % terms.size();
        std::swap(terms[k], terms.back());
        const double term = terms.back();
        terms.pop_back();
        return term;
      };
      const double a = take();
      const double b = take();
      terms.push_back(join(a, b));
    }
    return terms[0];
  }

  const Machine& machine_;
  const numeric::FloatFormat& format_;
  std::mt19937_64 random_;
  bool multiplies_ = false;
};

}  // namespace hlo::conformance
