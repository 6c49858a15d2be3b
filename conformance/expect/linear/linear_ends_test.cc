#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "conformance/expect/testing/probe.h"
#include "conformance/sets/testing/number_line.h"

// The intervals of triangular-solve and cholesky by the formulas of their
// pages, in rational arithmetic: batches of two, each number of which is moved
// just inside and just outside.
namespace hlo::conformance {
namespace {

using testing::NumberLine;
using testing::Part;
using testing::power_of_two;
using testing::Probe;

constexpr int kSize = 2;

/// A matrix of two rows; a vector is its first column.
struct Square {
  mpq_class at[kSize][kSize];

  mpq_class* operator[](int i) { return at[i]; }

  const mpq_class* operator[](int i) const { return at[i]; }
};

Square operator*(const Square& a, const Square& b) {
  Square product;
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) {
      for (int k = 0; k < kSize; ++k) product[i][j] += a[i][k] * b[k][j];
    }
  }
  return product;
}

Square operator+(Square a, const Square& b) {
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) a[i][j] += b[i][j];
  }
  return a;
}

Square operator*(const mpq_class& factor, Square a) {
  for (auto& row : a.at) {
    for (mpq_class& x : row) x *= factor;
  }
  return a;
}

Square transposed(const Square& a) {
  return {{{a[0][0], a[1][0]}, {a[0][1], a[1][1]}}};
}

mpq_class largest(const Square& a) {
  return std::max({a[0][0], a[0][1], a[1][0], a[1][1]});
}

/// The inverse of a lower triangle with what is below its diagonal negated.
Square inverse(const Square& l) {
  return {{{1 / l[0][0], 0}, {l[1][0] / (l[0][0] * l[1][1]), 1 / l[1][1]}}};
}

/// What a type's arithmetic may do.
struct Machine {
  mpq_class unit;
  mpq_class least;
  mpq_class most;

  explicit Machine(ElementType type) {
    const NumberLine line(component_type(type));
    const int factor = is_complex(type) ? 8 : 1;
    unit = factor * power_of_two(-line.precision());
    least = factor * line.least();
    most = line.largest() / 4;
  }
};

/// How far the solution of T x = b may be off; nothing without a bound.
std::optional<Square> solved_error(const Square& t, const Square& b,
                                   const Square& x, const Machine& m) {
  const Square ones{{{1, 0}, {1, 0}}};
  const Square s = inverse(t);
  const Square k = s * t;
  const mpq_class n = kSize;
  const auto error = [&](const Square& y, int c) {
    const mpq_class total = y[0][0] + y[1][0] + c;
    return 4 * (n + 2) * m.unit * (k * k * s * y) +
           2 * n * m.least * total * (k * (s * ones + ones));
  };
  const Square y = b + t * x;
  const Square first = error(y, 1);
  const Square next = error(t * first, 0);
  const Square twice = 2 * (1 + power_of_two(-20)) * first;
  const mpq_class reached = std::max(
      {largest(y), largest(s * y), largest(s * ones), largest(x + twice)});
  const bool converges =
      2 * next[0][0] <= first[0][0] && 2 * next[1][0] <= first[1][0];
  if (!converges || reached >= m.most) return std::nullopt;
  return twice;
}

/// How far the factor L may be off.
std::optional<Square> factored_error(const Square& l, const Machine& m) {
  const mpq_class steps = 4 * (kSize + 2);
  const Square s = inverse(l);
  const Square products = l * (transposed(l) * transposed(s)) * transposed(l);
  const mpq_class underflow = steps * m.least * (1 + largest(l));
  const Square e = steps * m.unit * products +
                   Square{{{underflow, underflow}, {underflow, underflow}}};
  const Square w = s * e * transposed(s);
  mpq_class squares;
  for (const auto& row : w.at) {
    for (const mpq_class& x : row) squares += x * x;
  }
  if (16 * squares > 1 || largest(products) >= m.most || largest(s) >= m.most) {
    return std::nullopt;
  }
  Square g = w;
  for (auto& row : g.at) {
    for (mpq_class& x : row) x += squares;
  }
  g[0][1] = 0;
  return l * g;
}

/// Numbers with zero imaginary parts where the type has any.
std::vector<double> parts_of(const std::vector<double>& numbers,
                             ElementType type) {
  if (!is_complex(type)) return numbers;
  std::vector<double> parts;
  for (const double x : numbers) parts.insert(parts.end(), {x, 0});
  return parts;
}

Literal array(ElementType type, const std::vector<int64_t>& dims,
              const std::vector<double>& numbers) {
  return testing::literal(Shape::array(type, dims), parts_of(numbers, type));
}

/// Each part within the error, and roundings of its own.
void expect_at(const Probe& probe, int64_t element,
               const std::optional<mpq_class>& error, ElementType type,
               int roundings = 0) {
  for (int part = 0; part < (is_complex(type) ? 2 : 1); ++part) {
    const Part at{0, element, part};
    if (!error) {
      EXPECT_EQ(probe.differs_from_anything(at), "") << name(type);
      continue;
    }
    const NumberLine line(component_type(type));
    const mpq_class rounding =
        roundings * power_of_two(-line.precision()) * abs(probe.value(at));
    EXPECT_EQ(probe.differs_from(at, *error + rounding), "") << name(type);
  }
}

/// Two systems, with two right-hand sides each.
struct Systems {
  std::vector<double> t;
  std::vector<double> b;
};

void expect_solutions(const Systems& systems, ElementType type) {
  const std::string word(name(type));
  const Probe probe(
      fmt::format("ENTRY main {{\n  a = {0}[2,2,2] parameter(0)\n  b = "
                  "{0}[2,2,2] parameter(1)\n  ROOT r = {0}[2,2,2] "
                  "triangular-solve(a, b), left_side=true, lower=true, "
                  "transpose_a=NO_TRANSPOSE\n}}\n",
                  word),
      {array(type, {2, 2, 2}, systems.t), array(type, {2, 2, 2}, systems.b)});
  const auto number = [](const std::vector<double>& x, int64_t i) {
    return mpq_class(abs(mpq_class(x[static_cast<size_t>(i)])));
  };
  for (int64_t m = 0; m < 8; m += 4) {
    const Square t{{{number(systems.t, m), 0},
                    {number(systems.t, m + 2), number(systems.t, m + 3)}}};
    for (int64_t side = 0; side < 2; ++side) {
      const int64_t first = m + side;
      const auto x = [&](int64_t i) {
        return mpq_class(abs(probe.value({0, i, 0})));
      };
      const bool known = t[0][0] != 0 && t[1][1] != 0 &&
                         probe.is_number({0, first, 0}) &&
                         probe.is_number({0, first + 2, 0});
      if (!known) {
        expect_at(probe, first, std::nullopt, type);
        continue;
      }
      const auto error = solved_error(
          t,
          {{{number(systems.b, first), 0}, {number(systems.b, first + 2), 0}}},
          {{{x(first), 0}, {x(first + 2), 0}}}, Machine(type));
      for (int i = 0; i < kSize; ++i) {
        expect_at(probe, first + 2 * i,
                  error ? std::optional((*error)[i][0]) : std::nullopt, type);
      }
    }
  }
}

constexpr ElementType kTypes[] = {
    ElementType::kF64,    ElementType::kF32,    ElementType::kF16,
    ElementType::kBF16,   ElementType::kC64,    ElementType::kC128,
    ElementType::kF8E3M4, ElementType::kF8E4M3, ElementType::kF4E2M1FN};

TEST(LinearEnds, OfSolutionsAreThoseOfThePage) {
  for (const ElementType type : kTypes) {
    expect_solutions(
        {{1, 0, 0.5, 2, 2, 0, -0.25, 1}, {1, -2, 3, 1, 0, 1, 1, 4}}, type);
  }
}

// What underflows counts as many times as it is magnified: in f64 multiples of
// the least number would be rounded themselves.
TEST(LinearEnds, OfSolutionsCountWhatUnderflowsExactly) {
  const auto small = [](double x, int e) { return std::ldexp(x, e); };
  for (const double share : {1.3, 0.7, 2.9}) {
    expect_solutions({{1, 0, 0, small(1, -490), 1, 0, 0, small(1.7, -480)},
                      {share, 0.1, small(1.1, -1023), small(1.3, -1020), share,
                       -share, small(-1.9, -1010), small(1.1, -1015)}},
                     ElementType::kF64);
  }
}

// y = 2 b reaches a quarter of the largest number, or just does not; and so
// does the inverse. What lies below the diagonal makes the error grow without
// end.
TEST(LinearEnds, OfSolutionsAreOpenFromTheLimitsOn) {
  for (const ElementType type : kTypes) {
    const NumberLine line(component_type(type));
    const int64_t eighth = line.nearest(line.largest() / 8);
    const auto beside = [&](int64_t steps) {
      return line.value(eighth + steps).get_d();
    };
    expect_solutions(
        {{1, 0, 0, 1, 1, 0, 0, 1},
         {beside(-1), beside(0), 1, 1, beside(1), beside(2), 1, 1}},
        type);
    const double small = mpq_class(line.least_normal()).get_d();
    expect_solutions({{small, 0, 0, 1, 4 * small, 0, 0, 1},
                      {small, 0, 1, 1, small, 0, 1, 1}},
                     type);
    expect_solutions({{1, 0, 2, 1, 1, 0, 6, 1}, {1, 1, 1, 1, 1, 1, 1, 1}},
                     type);
  }
}

/// The factors of two matrices a b; b c.
void expect_factors(const std::vector<double>& a, ElementType type) {
  const std::string word(name(type));
  const Probe probe(fmt::format("ENTRY main {{\n  a = {0}[2,2,2] parameter(0)\n"
                                "  ROOT r = {0}[2,2,2] cholesky(a), "
                                "lower=true\n}}\n",
                                word),
                    {array(type, {2, 2, 2}, a)});
  for (int64_t m = 0; m < 8; m += 4) {
    const auto l = [&](int64_t i) {
      return mpq_class(abs(probe.value({0, m + i, 0})));
    };
    const bool known = probe.is_number({0, m, 0}) &&
                       probe.is_number({0, m + 3, 0}) && l(0) * l(3) != 0;
    std::optional<Square> error;
    if (known)
      error = factored_error({{{l(0), 0}, {l(2), l(3)}}}, Machine(type));
    expect_at(probe, m + 1, std::nullopt, type);
    for (const int i : {0, 2, 3}) {
      expect_at(probe, m + i,
                error ? std::optional((*error)[i / 2][i % 2]) : std::nullopt,
                type, /*roundings=*/1);
    }
  }
}

TEST(LinearEnds, OfFactorsAreThoseOfThePage) {
  for (const ElementType type : kTypes) {
    expect_factors({4, 0, 0.5, 4, 4, 0, 2, 2}, type);
    expect_factors({1, 0, 0, 4, 4, 0, -0.5, 1}, type);
  }
}

// In f64 products of small factors would be rounded to multiples of the least
// number.
TEST(LinearEnds, OfFactorsCountWhatUnderflowsExactly) {
  const auto small = [](double x, int e) { return std::ldexp(x, e); };
  for (const double share : {1.3, 0.7, 2.9}) {
    expect_factors(
        {small(share, -1025), 0, small(0.4, -1027), small(1.9, -1023),
         small(1.1, -1022), 0, small(share, -1024), small(5 * share, -1023)},
        ElementType::kF64);
  }
}

// The squares of the diagonal reach a quarter of the largest number, which is
// nearly an even power of two in these types.
TEST(LinearEnds, OfFactorsAreOpenFromTheLimitsOn) {
  for (const ElementType type : kTypes) {
    const NumberLine line(component_type(type));
    const int64_t quarter = line.nearest(line.largest() / 4);
    const auto beside = [&](int64_t steps) {
      return line.value(quarter + steps).get_d();
    };
    expect_factors({beside(0), 0, 0, 1, beside(-8), 0, 0, 1}, type);
    const double small = mpq_class(line.least_normal()).get_d();
    expect_factors({small, 0, 0, small, 1, 0, 0, small}, type);
    expect_factors({4, 0, 2, 2, 4, 0, 3.5, 4}, type);
  }
}

}  // namespace
}  // namespace hlo::conformance
