#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "conformance/expect/testing/probe.h"
#include "conformance/sets/testing/number_line.h"

// Programs whose results are sums, or products, in any order: two rows of three
// terms, either of which is moved just inside and just outside of what
// spec/conformance.md (Sums) says.
namespace hlo::conformance {
namespace {

using testing::NumberLine;
using testing::power_of_two;
using testing::Probe;

enum class Kind : uint8_t { kSum, kProducts, kScaled, kProduct };

struct Program {
  const char* name;
  Kind kind;
  const char* text;  // $ is the type, x the terms
  std::vector<int64_t> dims;
  int64_t stride;  // from the result of one row to that of the other
  int64_t first;
};

const Program kPrograms[] = {
    {"reduce",
     Kind::kSum,
     "  ROOT r = $[2] reduce(x, zero), dimensions={1}, to_apply=add",
     {2, 3},
     1,
     0},
    {"reduce at sizes",
     Kind::kSum,
     "  c = $[2,1] broadcast(one), dimensions={}\n"
     "  w = $[2,4] concatenate(x, c), dimensions={1}\n"
     "  n = s32[] constant(3)\n"
     "  d = $[2,<=4] set-dimension-size(w, n), dimensions={1}\n"
     "  ROOT r = $[2] reduce(d, zero), dimensions={1}, to_apply=add",
     {2, 3},
     1,
     0},
    {"reduce-window",
     Kind::kSum,
     "  ROOT r = $[2,1] reduce-window(x, zero), window={size=1x3}, "
     "to_apply=add",
     {2, 3},
     1,
     0},
    {"scatter",
     Kind::kSum,
     "  i = s32[6,1] constant({{0}, {0}, {0}, {1}, {1}, {1}})\n"
     "  z = $[2] broadcast(zero), dimensions={}\n"
     "  ROOT r = $[2] scatter(z, i, x), update_window_dims={}, "
     "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
     "index_vector_dim=1, to_apply=add",
     {6},
     1,
     0},
    {"dot",
     Kind::kProducts,
     "  y = $[3] broadcast(one), dimensions={}\n"
     "  ROOT r = $[2] dot(x, y), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={0}",
     {2, 3},
     1,
     0},
    {"convolution",
     Kind::kProducts,
     "  y = $[3,1,1] broadcast(one), dimensions={}\n"
     "  ROOT r = $[2,1,1] convolution(x, y), window={size=3}, "
     "dim_labels=b0f_0io->b0f",
     {2, 3, 1},
     1,
     0},
    {"ragged-dot",
     Kind::kProducts,
     "  y = $[2,3,1] broadcast(one), dimensions={}\n"
     "  n = s32[2] constant({1, 1})\n"
     "  ROOT r = $[2,1] ragged-dot(x, y, n), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}",
     {2, 3},
     1,
     0},
    {"product",
     Kind::kProduct,
     "  ROOT r = $[2] reduce(x, one), dimensions={1}, to_apply=multiply",
     {2, 3},
     1,
     0},
};

// The greatest of each window of three is the middle of five, all of whose
// three sources come to it.
const Program kSelectAndScatter = {
    "select-and-scatter",
    Kind::kSum,
    "  o = $[2,5] constant({{0, 0, 9, 0, 0}, {0, 0, 9, 0, 0}})\n"
    "  ROOT r = $[2,5] select-and-scatter(o, x, zero), window={size=1x3}, "
    "select=ge, scatter=add",
    {2, 3},
    5,
    2};

// Its operands have a type of their own, and scales of 2.
const Program kScaledDot = {
    "scaled-dot",
    Kind::kScaled,
    "  y = f8e5m2[3,1] constant({{1}, {1}, {1}})\n"
    "  s = f8e8m0fnu[2,1] constant({{2}, {2}})\n"
    "  t = f8e8m0fnu[] constant(1)\n"
    "  ROOT r = $[2,1] scaled-dot(x, y, s, t), lhs_contracting_dims={1}, "
    "rhs_contracting_dims={0}",
    {2, 3},
    1,
    0};

std::string with_type(std::string text, ElementType type) {
  for (size_t at = text.find('$'); at != std::string::npos;
       at = text.find('$', at)) {
    text.replace(at, 1, name(type));
  }
  return text;
}

std::string text_of(const Program& program, ElementType operand,
                    ElementType type) {
  std::string text;
  for (const char* operation : {"add", "multiply"}) {
    text += fmt::format(
        "{0} {{\n  a = $[] parameter(0)\n  b = $[] parameter(1)\n"
        "  ROOT c = $[] {0}(a, b)\n}}\n\n",
        operation);
  }
  if (!is_complex(type)) {
    text +=
        "ge {\n  a = $[] parameter(0)\n  b = $[] parameter(1)\n"
        "  ROOT c = pred[] compare(a, b), direction=GE\n}\n\n";
  }
  std::string dims;
  for (const int64_t dim : program.dims) {
    dims += fmt::format("{}{}", dims.empty() ? "" : ",", dim);
  }
  text += fmt::format("ENTRY main {{\n  x = {}[{}] parameter(0)\n",
                      name(operand), dims);
  const bool complex = is_complex(type);
  text += fmt::format("  zero = $[] constant({})\n  one = $[] constant({})\n",
                      complex ? "(0, 0)" : "0", complex ? "(1, 0)" : "1");
  return with_type(text + program.text + "\n}\n", type);
}

using Row = std::vector<double>;

struct Interval {
  mpq_class center;
  mpq_class error;
};

/// What the page says of the row's terms. A factor with more digits than the
/// result's type may be rounded, and its product with a scale.
Interval interval_of(const Program& program, const Row& row,
                     ElementType operand, const NumberLine& line) {
  const mpq_class n = static_cast<double>(row.size());
  const mpq_class u = power_of_two(-line.precision());
  const mpq_class scale = program.kind == Kind::kScaled ? 2 : 1;
  mpq_class sum;
  mpq_class product = 1;
  mpq_class magnitude;
  for (const double x : row) {
    const mpq_class term = scale * mpq_class(x);
    sum += term;
    product *= term;
    magnitude += abs(term);
  }
  const mpq_class slack = 1 + power_of_two(-6);
  switch (program.kind) {
    case Kind::kSum:
      return {sum, (n - 1) * u * magnitude * slack};
    case Kind::kProducts:
      return {sum, n * u * magnitude * slack + n * line.least()};
    case Kind::kScaled: {
      const NumberLine own(component_type(operand));
      const bool rounds = own.precision() > line.precision();
      const mpq_class more = rounds ? (1 + u) * (1 + u) - 1 : mpq_class(0);
      const mpq_class share = n * u + more * (1 + n * u);
      return {sum, share * magnitude * slack + n * line.least()};
    }
    case Kind::kProduct:
      break;
  }
  // The init is a factor, too.
  const mpq_class once = 1 + u;
  const mpq_class growth = once * once * once - 1;
  return {product, (2 * growth + 3 * power_of_two(-53)) * abs(product)};
}

void expect_rows(const Program& program, const std::vector<Row>& rows,
                 ElementType operand, ElementType type) {
  const NumberLine line(component_type(type));
  std::vector<double> parts;
  for (const Row& row : rows) {
    for (const double x : row) {
      parts.push_back(x);
      if (is_complex(operand)) parts.push_back(0);
    }
  }
  const Probe probe(
      text_of(program, operand, type),
      {testing::literal(Shape::array(operand, program.dims), parts)});
  for (size_t k = 0; k < rows.size(); ++k) {
    const auto i = static_cast<int64_t>(k);
    const Interval held = interval_of(program, rows[k], operand, line);
    EXPECT_EQ(probe.differs_from({0, program.first + program.stride * i, 0},
                                 held.center, held.error),
              "")
        << program.name << ' ' << name(type);
  }
}

/// Terms that need more digits than the type has.
std::vector<Row> rows_of(const NumberLine& line) {
  const double little = std::ldexp(1.0, -line.precision() - 2);
  return {{2, -1, little}, {1, -0.5, little}};
}

TEST(SumsEnds, AreThoseOfThePage) {
  using enum ElementType;
  for (const ElementType type : {kF64, kF32, kF16, kBF16, kC64, kC128}) {
    const NumberLine line(component_type(type));
    for (const Program& program : kPrograms) {
      const bool is_product = program.kind == Kind::kProduct;
      if (is_product && is_complex(type)) continue;
      const double next = line.value(line.nearest(1) + 1).get_d();
      const std::vector<Row> factors = {{1.5, next, next}, {-1.25, 3, next}};
      expect_rows(program, is_product ? factors : rows_of(line), type, type);
    }
    if (!is_complex(type)) {
      expect_rows(kSelectAndScatter, rows_of(line), type, type);
    }
  }
}

TEST(SumsEnds, OfScaledDotsAreThoseOfThePage) {
  using enum ElementType;
  for (const ElementType type : {kF32, kF16, kBF16}) {
    for (const ElementType operand : {kF8E5M2, kF32}) {
      const std::vector<Row> rows = {{2, -1, 0.125}, {1, -0.5, 0.0625}};
      expect_rows(kScaledDot, rows, operand, type);
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
