#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "conformance/expect/testing/probe.h"
#include "conformance/sets/testing/number_line.h"

// The intervals of batch-norms by the formulas of their pages: each number of
// two features, whose operands all differ, is moved just inside and outside.
namespace hlo::conformance {
namespace {

using testing::NumberLine;
using testing::Part;
using testing::power_of_two;
using testing::Probe;

/// To 256 bits, which is next to exact.
mpq_class root(const mpq_class& x) {
  return mpq_class(sqrt(mpf_class(x, 256)));
}

mpq_class size(const mpq_class& x) { return abs(x); }

using Numbers = std::vector<double>;

// Three elements of two features, [3,2] and [2,3].
const Numbers kElements = {1, -2, 3, 5, -2, 4};
const Numbers kByFeature = {1, 3, -2, -2, 5, 4};
const Numbers kScale = {1.5, -3};
const Numbers kOffset = {-0.5, 6};
const Numbers kMean = {0.75, 2};
const Numbers kVariance = {3.75, 9};
const Numbers kGradient = {2, -1, 0.5, 3, -4, 1};
const Numbers kGradientByFeature = {2, 0.5, -4, -1, 3, 1};

constexpr int kCount = 3;  // n
const mpq_class kEpsilon(1, 4);

/// Element i of feature f.
mpq_class element(const Numbers& x, int i, int f) {
  return x[static_cast<size_t>(2 * i + f)];
}

mpq_class of(const Numbers& x, int f) { return x[static_cast<size_t>(f)]; }

/// What the pages call u, h and n.
struct Terms {
  mpq_class u;
  mpq_class h;
  mpq_class n = kCount;

  explicit Terms(ElementType type)
      : u(power_of_two(-NumberLine(type).precision())),
        h(NumberLine(type).least()) {}

  /// k ((|x| + |m|) (d + 16 u) + 2 Em) + 8 u |offset| + 8 h (...), V's root r.
  mpq_class output(const mpq_class& x, const mpq_class& m, int f,
                   const mpq_class& d, const mpq_class& em,
                   const mpq_class& r) const {
    const mpq_class scale = size(of(kScale, f));
    const mpq_class k = scale / r;
    return k * ((size(x) + size(m)) * (d + 16 * u) + 2 * em) +
           8 * u * size(of(kOffset, f)) +
           8 * h * (1 + scale + 1 / r + k + size(x) + size(m));
  }
};

class NormalizedEnds
    : public ::testing::TestWithParam<std::pair<ElementType, int>> {
 protected:
  ElementType type() const { return GetParam().first; }

  /// Which dimension the features are.
  int index() const { return GetParam().second; }

  /// The operation on literals of its operands' shapes, the results' shapes
  /// being those of the operands 0, and vectors.
  Probe probe(const std::string& operation, const std::vector<Numbers>& given,
              bool has_vectors) const {
    const std::string word(name(type()));
    const std::string array = word + (index() == 1 ? "[3,2]" : "[2,3]");
    const Shape wide =
        Shape::array(type(), index() == 1 ? std::vector<int64_t>{3, 2}
                                          : std::vector<int64_t>{2, 3});
    std::string text = "ENTRY main {\n";
    std::string list;
    std::vector<Literal> operands;
    for (size_t k = 0; k < given.size(); ++k) {
      const bool vector = given[k].size() == 2;
      text += fmt::format("  x{0} = {1} parameter({0})\n", k,
                          vector ? word + "[2]" : array);
      list += fmt::format("{}x{}", k > 0 ? ", " : "", k);
      operands.push_back(testing::literal(
          vector ? Shape::array(type(), {2}) : wide, given[k]));
    }
    const std::string shape =
        has_vectors ? fmt::format("({0}, {1}[2], {1}[2])", array, word) : array;
    text += fmt::format(
        "  ROOT r = {} {}({}), epsilon=0.25, feature_index={}\n}}\n", shape,
        operation, list, index());
    return {text, std::move(operands)};
  }

  Numbers arranged(const Numbers& by_row, const Numbers& by_feature) const {
    return index() == 1 ? by_row : by_feature;
  }

  /// Where element i of feature f lies.
  int64_t place(int i, int f) const {
    return index() == 1 ? 2 * i + f : kCount * f + i;
  }

  /// Twice the error, beside one rounding.
  void expect_error(const Probe& probe, const Part& at,
                    const mpq_class& error) const {
    const mpq_class rounding = Terms(type()).u * size(probe.value(at));
    EXPECT_EQ(probe.differs_from(at, 2 * error + rounding), "");
  }
};

TEST_P(NormalizedEnds, OfTrainingAreThoseOfThePage) {
  const Terms t(type());
  const Probe norm = probe("batch-norm-training",
                           {arranged(kElements, kByFeature), kScale, kOffset},
                           /*has_vectors=*/true);
  for (int f = 0; f < 2; ++f) {
    mpq_class sum;
    mpq_class sizes;
    mpq_class squares;
    mpq_class most;
    for (int i = 0; i < kCount; ++i) {
      const mpq_class x = element(kElements, i, f);
      sum += x;
      sizes += size(x);
      squares += x * x;
      most = std::max(most, size(x));
    }
    const mpq_class mean = sum / t.n;
    const mpq_class a2 = squares / t.n;
    const mpq_class v = a2 - mean * mean + kEpsilon;
    const mpq_class em = (t.n + 2) * t.u * sizes / t.n + t.n * t.h;
    const mpq_class ev = (4 * t.n + 16) * t.u * a2 + t.n * t.h * (2 + most);
    const mpq_class d = (ev + 2 * t.u * (a2 + kEpsilon) + t.h) / v;
    expect_error(norm, {1, f, 0}, em);
    expect_error(norm, {2, f, 0}, ev);
    for (int i = 0; i < kCount; ++i) {
      expect_error(norm, {0, place(i, f), 0},
                   t.output(element(kElements, i, f), mean, f, d, em, root(v)));
    }
  }
}

TEST_P(NormalizedEnds, OfInferenceAreThoseOfThePage) {
  const Terms t(type());
  const Probe norm = probe(
      "batch-norm-inference",
      {arranged(kElements, kByFeature), kScale, kOffset, kMean, kVariance},
      /*has_vectors=*/false);
  for (int f = 0; f < 2; ++f) {
    const mpq_class v = of(kVariance, f) + kEpsilon;
    const mpq_class d = (2 * t.u * v + t.h) / v;
    for (int i = 0; i < kCount; ++i) {
      expect_error(
          norm, {0, place(i, f), 0},
          t.output(element(kElements, i, f), of(kMean, f), f, d, 0, root(v)));
    }
  }
}

TEST_P(NormalizedEnds, OfGradientsAreThoseOfThePage) {
  const Terms t(type());
  const Probe norm = probe("batch-norm-grad",
                           {arranged(kElements, kByFeature), kScale, kMean,
                            kVariance, arranged(kGradient, kGradientByFeature)},
                           /*has_vectors=*/true);
  for (int f = 0; f < 2; ++f) {
    const mpq_class v = of(kVariance, f) + kEpsilon;
    const mpq_class r = 1 / root(v);
    const mpq_class m = size(of(kMean, f));
    const mpq_class scale = size(of(kScale, f));
    const mpq_class e = (t.n + 16) * t.u + (2 * t.u * v + t.h) / v + 16 * t.u;
    const mpq_class least =
        8 * (t.n + 8) * t.h * (1 + r) * (1 + r / v) * (1 + scale) * (1 + m);
    mpq_class moved;
    mpq_class given;
    for (int i = 0; i < kCount; ++i) {
      const mpq_class dy = size(element(kGradient, i, f));
      moved += dy * (size(element(kElements, i, f)) + m);
      given += dy;
    }
    expect_error(norm, {1, f, 0}, moved * r * e + least);
    expect_error(norm, {2, f, 0}, (t.n + 2) * t.u * given + t.n * t.h);
    for (int i = 0; i < kCount; ++i) {
      const mpq_class x = size(element(kElements, i, f)) + m;
      const mpq_class terms =
          t.n * size(element(kGradient, i, f)) + given + x * moved / v;
      expect_error(norm, {0, place(i, f), 0},
                   3 * scale * r / t.n * terms * e + least * (1 + x + terms));
    }
  }
}

// A sum of squares, a factor or a sum of the first feature that reaches a
// quarter of the largest number leaves that feature open; one number less does
// not, nor do the numbers of the other feature.
TEST_P(NormalizedEnds, OfOneFeatureMayBeOpen) {
  const NumberLine line(type());
  const mpq_class quarter = line.largest() / 4;
  const int64_t half = line.nearest(quarter / 2);
  for (const int step : {0, 1}) {
    // D is the sum of two numbers of an eighth of the largest, or a step more.
    const double dy = line.value(half + 2 * step - 1).get_d();
    Numbers gradient = {dy, 1, dy, 1, 0, 1};
    Numbers by_feature = {dy, dy, 0, 1, 1, 1};
    const Probe norm = probe("batch-norm-grad",
                             {arranged({0, 1, 0, 1, 0, 1}, {0, 0, 0, 1, 1, 1}),
                              {1, 1},
                              {0, 0},
                              {1, 1},
                              arranged(gradient, by_feature)},
                             /*has_vectors=*/true);
    for (const size_t leaf : {size_t{1}, size_t{2}}) {
      const bool is_open = norm.differs_from_anything({leaf, 0, 0}).empty();
      EXPECT_EQ(is_open, step == 1) << leaf;
    }
    EXPECT_NE(norm.differs_from_anything({2, 1, 0}), "");
    EXPECT_NE(norm.differs_from_anything({0, place(0, 1), 0}), "");
  }
}

/// One element of one feature, in f64.
Probe norm_of_one(const std::string& operation, const std::string& shape,
                  const Numbers& given) {
  std::string text = "ENTRY main {\n";
  std::string list;
  std::vector<Literal> operands;
  for (size_t k = 0; k < given.size(); ++k) {
    text += fmt::format("  x{0} = f64[1] parameter({0})\n", k);
    list += fmt::format("{}x{}", k > 0 ? ", " : "", k);
    operands.push_back(
        testing::literal(Shape::array(ElementType::kF64, {1}), {given[k]}));
  }
  return {text + fmt::format("  ROOT r = {} {}({}), epsilon=0, "
                             "feature_index=0\n}}\n",
                             shape, operation, list),
          std::move(operands)};
}

// scale / sqrt(V) has few digits where it is subnormal, or none, and x makes
// that a normal number.
TEST(NormalizedUnderflow, OfAFactorIsAdmitted) {
  const auto code = [](double x) { return std::bit_cast<uint64_t>(x); };
  const double x = -0x1p1000;
  const double scale = 0x1.8p-560;
  const double variance = 0x1.2p1000;
  const double factor = scale * (1 / std::sqrt(variance));
  EXPECT_LT(factor, std::numeric_limits<double>::min());
  const Probe inference =
      norm_of_one("batch-norm-inference", "f64[1]", {x, scale, 0, 0, variance});
  EXPECT_TRUE(inference.admits({}, code(x * factor)));
  EXPECT_TRUE(inference.admits({}, code(x / std::sqrt(variance) * scale)));
  EXPECT_FALSE(inference.admits({}, code(2 * x * factor)));
  // scale / sqrt(V) is 2^-1076, a zero, and the gradient 2^-926 in size.
  const Probe gradient =
      norm_of_one("batch-norm-grad", "(f64[1], f64[1], f64[1])",
                  {1, 0x1p-1001, 0, 0x1p150, 0x1p300});
  EXPECT_TRUE(gradient.admits({}, code(0)));
  EXPECT_FALSE(gradient.admits({}, code(0x1p-700)));
}

// The least number is a sixteenth of V, which is 2^-1070.
TEST(NormalizedUnderflow, OfAVarianceIsAdmitted) {
  const Probe norm =
      norm_of_one("batch-norm-inference", "f64[1]", {1, 1, 0, 0, 0x1p-1070});
  const mpq_class u = Terms(ElementType::kF64).u;
  const mpq_class d = 2 * u + mpq_class(1, 16);
  const mpq_class number = power_of_two(535);
  EXPECT_EQ(norm.value({}).get_d(), 0x1p535);
  EXPECT_EQ(norm.differs_from({}, number * (2 * (d + 16 * u) + u)), "");
}

INSTANTIATE_TEST_SUITE_P(Types, NormalizedEnds,
                         ::testing::Values(std::pair{ElementType::kF32, 0},
                                           std::pair{ElementType::kF32, 1},
                                           std::pair{ElementType::kF64, 1},
                                           std::pair{ElementType::kF16, 1},
                                           std::pair{ElementType::kF16, 0}),
                         [](const auto& row) {
                           return fmt::format("{}_by_{}", name(row.param.first),
                                              row.param.second);
                         });

}  // namespace
}  // namespace hlo::conformance
