// Which errors a solution may have, by substitution, by multiplication with
// the inverse, or by blocks whose diagonal blocks are inverted.
//
// Let u be the unit of rounding, g = (n + 2) u, M the comparison matrix of T
// (its diagonal |T(i, i)|, the rest -|T(i, j)|), S = M^-1 >= |T^-1| and K = S
// |T| >= I; all inequalities are element by element. Sums of at most n products
// err by g times the sum of the magnitudes, in any order (Higham, Accuracy and
// Stability of Numerical Algorithms, 2nd ed., section 3.1).
//
// An inverse X of a block D, by substitution on each column (theorem 8.5) or by
// the same along rows, has |X - D^-1| <= g |D^-1| |D| |X|. A block of x is X s,
// where s is b less products with what is known: s errs by g y with y = |b| +
// |T||x|. So the block's error is at most
//
//     |D^-1| g y + g |X| y + g |D^-1||D||X| y <= 3 g K S y
//
// to first order, as S bounds |D^-1| of each block and K >= I. An error e of
// blocks that are known adds |D^-1 T'| e to the next; all of them together are
// at most (I - |D^-1| |T'|)^-1 e, and that is at most S |D| e <= K e. Blocks of
// one row are substitution, one block is the whole inverse. So |x^ - x| <=
// E1 = 4 g K K S y to first order, where one unit of the four pays for |X|
// (1/7 more than S at most, see below).
//
// y has the computed x^ in it: |x^| <= |x| + E. Where B E1 <= E1 / 2 for B = 4
// g K K S |T|, the sum E1 + B E1 + B^2 E1 ... is at most 2 E1, which is the
// bound. Then g K <= B / 4 also shrinks by 8, and |X| y <= S y + g K |X| y has
// a sum of at most 8/7. Where it does not hold nothing is bounded.
//
// What underflows adds the least subnormal h: n products to each s and each
// element of X s, and n to the residual of each column of X, of which y is
// taken: 2 n h (1 + sum of y) K (S 1 + 1) in all.
//
// Where subnormal numbers may count as zero, h is the least normal number,
// which elements of T and b, sums and the inverse may lose, too: 8 n h (1 + sum
// of y + sum of |x|) K (S 1 + 1), as a loss of T is multiplied by x. Where a
// number d of the diagonal may count as zero, E exceeds 8 h / d >= 4 times 1 +
// sum of |x|, and E(E) is more than E: nothing is bounded.
//
// Complex numbers: moduli, and products and quotients that err by at most
// sqrt(2) g_4 (Higham, lemma 3.5), which 8 u pays for. The interval lies around
// the rounded solution: its u |x| is what the four units leave.
#include "conformance/expect/linear/expect_solved.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "conformance/literals/literal_bits.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/linear/triangular.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;
using Vector = std::vector<double>;

Vector moduli(const std::vector<std::complex<double>>& values) {
  Vector result;
  result.reserve(values.size());
  for (const auto& value : values) {
    result.push_back(std::hypot(value.real(), value.imag()));
  }
  return result;
}

double largest(const Vector& v) { return *std::ranges::max_element(v); }

double total(const Vector& v) {
  double sum = 0;
  for (const double x : v) sum += x;
  return sum;
}

/// a + factor * b.
Vector add(Vector a, double factor, const Vector& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
  return a;
}

/// |T|, in doubles: nothing below ever cancels.
class TriangleOfMagnitudes {
 public:
  explicit TriangleOfMagnitudes(const Triangle& t)
      : n_(static_cast<size_t>(t.n)), values_(moduli(t.values)) {}

  /// Whether all is finite and the diagonal has no zero.
  bool is_regular() const {
    for (size_t i = 0; i < n_; ++i) {
      if (row(i)[i] == 0) return false;
    }
    return std::ranges::all_of(values_,
                               [](double x) { return std::isfinite(x); });
  }

  /// |T| v, S v and K v.
  Vector apply(const Vector& v) const {
    Vector result(n_, 0);
    for (size_t i = 0; i < n_; ++i) {
      for (size_t j = 0; j <= i; ++j) result[i] += row(i)[j] * v[j];
    }
    return result;
  }

  Vector solve(Vector v) const {
    for (size_t i = 0; i < n_; ++i) {
      for (size_t j = 0; j < i; ++j) v[i] += row(i)[j] * v[j];
      v[i] /= row(i)[i];
    }
    return v;
  }

  Vector grow(const Vector& v) const { return solve(apply(v)); }

 private:
  const double* row(size_t i) const { return &values_[i * (i + 1) / 2]; }

  size_t n_;
  Vector values_;
};

/// The errors of arithmetic in a type.
struct Errors {
  double unit;   // relative, of one operation
  double least;  // absolute, where it underflows
  double most;   // largest magnitude that does not overflow on the way
  bool flushes;  // zeros may take the place of what is below `least`
};

Errors errors_of(ElementType type, bool flushes) {
  const FloatFormat& format = numeric::format(component_type(type));
  const double factor = is_complex(type) ? 8 : 1;
  return {factor * std::ldexp(1.0, -format.precision()),
          factor * std::ldexp(1.0, format.min_exponent() -
                                       (flushes ? 0 : format.mantissa_bits)),
          numeric::decode(format.max_finite(), format) / 4, flushes};
}

/// The least number, so many times, magnified: it may be the least double, of
/// which no multiple has a fraction, and neither factor is less than 1.
double times_least(double count, double magnified, const Errors& errors) {
  const int exponent = std::ilogb(errors.least);
  return std::ldexp(count, exponent / 2) *
         std::ldexp(magnified, exponent - exponent / 2);
}

/// The bound of |x^ - x| for each component; nothing where there is none.
std::optional<Vector> bound(const TriangleOfMagnitudes& t, const Vector& b,
                            const Vector& x, const Errors& errors) {
  const auto n = static_cast<double>(b.size());
  const Vector ones(b.size(), 1.0);
  const Vector inverse = t.solve(ones);
  const Vector underflow = t.grow(add(inverse, 1, ones));
  const double relative = 4 * (n + 2) * errors.unit;
  const auto error = [&](const Vector& y, double extra) {
    Vector sum(y.size(), 0);
    sum = add(sum, relative, t.grow(t.grow(t.solve(y))));
    const double count = (errors.flushes ? 8 : 2) * n * (extra + total(y));
    for (size_t i = 0; i < sum.size(); ++i) {
      sum[i] += times_least(count, underflow[i], errors);
    }
    return sum;
  };
  const Vector y = add(t.apply(x), 1, b);
  const auto size = [&](const Vector& v) {
    return errors.flushes ? total(v) : 0;
  };
  const Vector first = error(y, 1 + size(x));
  const Vector next = error(t.apply(first), size(first));
  for (size_t i = 0; i < b.size(); ++i) {
    if (!(next[i] <= first[i] / 2)) return std::nullopt;
  }
  // The sums here are doubles, too: n^2 roundings of less than 2^-20 in all.
  const Vector twice = add(Vector(b.size(), 0), 2 * (1 + 0x1p-20), first);
  const double reached =
      std::max({largest(y), largest(inverse), largest(t.solve(y)),
                largest(add(x, 1, twice))});
  if (!(reached < errors.most)) return std::nullopt;
  return twice;
}

bool are_finite(const Vector& v) {
  return std::ranges::all_of(v, [](double x) { return std::isfinite(x); });
}

/// The sets of one right-hand side's solution.
void put_side(ArraySet& set, const TriangularSystems& systems, int64_t m,
              int64_t side, const std::optional<Vector>& error) {
  const ElementType type = set.value.type();
  const FloatFormat& format = numeric::format(component_type(type));
  for (int64_t i = 0; i < systems.n; ++i) {
    const int64_t at = systems.in_side(m, side, i);
    const Scalar element = set.value.at(at);
    for (int part = 0; part < components(type); ++part) {
      const uint64_t code = element.bits[static_cast<size_t>(part)];
      put(set, at, part,
          error ? range_around(code, (*error)[static_cast<size_t>(i)], format)
                : whole_range(code, format));
    }
  }
}

bool is_same_side(const TriangularSystems& systems, int64_t m, int64_t side,
                  const Literal& reference, const Literal* observed) {
  if (observed == nullptr) return false;
  for (int64_t i = 0; i < systems.n; ++i) {
    const int64_t at = systems.in_side(m, side, i);
    if (reference.at(at) != observed->at(at)) return false;
  }
  return true;
}

}  // namespace

Expectation expect_solved(const Instruction& solve, Operands operands,
                          const Literal& reference, const Literal* observed,
                          const Profile& profile) {
  ArraySet set = ArraySet::computed(reference);
  const TriangularSystems systems = triangular_systems(solve);
  if (reference.element_count() == 0) return set;
  const Errors errors = errors_of(reference.type(), flushes(profile));
  for (int64_t m = 0; m < systems.matrices; ++m) {
    const TriangleOfMagnitudes t(read_triangle(systems, operands[0], m));
    const bool regular = t.is_regular();
    for (int64_t side = 0; side < systems.sides; ++side) {
      if (is_same_side(systems, m, side, reference, observed)) continue;
      const Vector b = moduli(read_side(systems, operands[1], m, side));
      const Vector x = moduli(read_side(systems, reference, m, side));
      std::optional<Vector> error;
      if (regular && are_finite(b) && are_finite(x)) {
        error = bound(t, b, x, errors);
      }
      put_side(set, systems, m, side, error);
    }
  }
  return set;
}

}  // namespace hlo::conformance
