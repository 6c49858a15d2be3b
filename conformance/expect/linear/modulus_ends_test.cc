#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/expect/testing/probe.h"
#include "conformance/sets/testing/number_line.h"

// Errors that a modulus or a norm bounds, by the pages: complex operations with
// results that are known numbers, and transforms.
namespace hlo::conformance {
namespace {

using testing::NumberLine;
using testing::Part;
using testing::power_of_two;
using testing::Probe;

/// An operation of complex numbers whose result has the modulus; an error of so
/// many units of it.
struct Row {
  const char* operation;
  std::vector<std::vector<double>> operands;
  mpq_class modulus;
  double units_of_c64;
  double units_of_c128;
};

// 2 d + 1 units for functions, d being their steps.
const Row kRows[] = {
    {"multiply", {{3, 4}, {2, 0}}, 10, 2.25, 2.25},
    {"divide", {{6, 8}, {2, 0}}, 5, 8, 8},
    {"divide", {{-3, 4}, {0, 1}}, 5, 8, 8},
    {"sign", {{0, -5}}, 1, 8, 8},
    {"sqrt", {{-7, 24}}, 5, 8, 8},
    {"abs", {{3, 4}}, 5, 4, 4},
    {"exponential", {{0, 0}}, 1, 5, 3},
    {"tanh", {{0.0, 0.0}}, 0, 7, 5},
};

/// The operation on two elements, the first of which is always 1.
Probe probe_of(const Row& row, ElementType type) {
  const std::string shape = fmt::format("{}[2]", name(type));
  std::string text = "ENTRY main {\n";
  std::string list;
  std::vector<Literal> operands;
  for (size_t k = 0; k < row.operands.size(); ++k) {
    const std::vector<double>& x = row.operands[k];
    text += fmt::format("  x{0} = {1} parameter({0})\n", k, shape);
    list += fmt::format("{}x{}", k > 0 ? ", " : "", k);
    operands.push_back(
        testing::literal(Shape::array(type, {2}), {1, 0, x[0], x[1]}));
  }
  const std::string result =
      row.operation == std::string("abs")
          ? fmt::format("{}[2]", name(component_type(type)))
          : shape;
  text +=
      fmt::format("  ROOT r = {} {}({})\n}}\n", result, row.operation, list);
  return {text, std::move(operands)};
}

TEST(ModulusEnds, OfComplexOperationsAreThoseOfThePage) {
  for (const ElementType type : {ElementType::kC64, ElementType::kC128}) {
    const NumberLine line(component_type(type));
    for (const Row& row : kRows) {
      const Probe probe = probe_of(row, type);
      const mpq_class units =
          type == ElementType::kC64 ? row.units_of_c64 : row.units_of_c128;
      const mpq_class error =
          units * power_of_two(-line.precision()) * row.modulus + line.least();
      const int parts = is_complex(probe.reference()[0].type()) ? 2 : 1;
      for (int part = 0; part < parts; ++part) {
        const Part at{0, 1, part};
        EXPECT_EQ(probe.differs_from(at, row.modulus == 0 ? 0 : error), "")
            << row.operation << ' ' << name(type);
      }
    }
  }
}

TEST(ModulusEnds, NoModulusIsNegative) {
  for (const ElementType type : {ElementType::kC64, ElementType::kC128}) {
    const double least =
        mpq_class(NumberLine(component_type(type)).least()).get_d();
    for (const double x : {0.0, least}) {
      const Probe probe = probe_of({"abs", {{x, 0}}, 0, 4, 4}, type);
      const Part at{0, 1, 0};
      const uint64_t sign = uint64_t{1} << (bits(probe.type(at)) - 1);
      EXPECT_TRUE(probe.admits(at, 0)) << x;
      EXPECT_TRUE(probe.admits(at, 1)) << x;
      EXPECT_FALSE(probe.admits(at, sign)) << x;
      EXPECT_FALSE(probe.admits(at, sign | 1)) << x;
    }
  }
}

/// Two transforms: 3 and 4 times 1, and times 2, with a norm of 5 and 10.
struct Transform {
  const char* kind;
  int length;
  bool is_half;  // of the spectrum: its numbers count twice
  int c;
};

void expect_transform(const Transform& row, ElementType type) {
  const NumberLine line(component_type(type));
  const int64_t from = row.is_half ? row.length / 2 + 1 : row.length;
  std::vector<double> x(static_cast<size_t>(4 * from), 0);
  x[0] = 3;
  x[2] = 4;
  x[static_cast<size_t>(2 * from)] = 6;
  x[static_cast<size_t>(2 * from + 2)] = 8;
  const ElementType to = row.is_half ? component_type(type) : type;
  const Probe probe(
      fmt::format("ENTRY main {{\n  x = {}[2,{}] parameter(0)\n  ROOT r = "
                  "{}[2,{}] fft(x), fft_type={}, fft_length={{{}}}\n}}\n",
                  name(type), from, name(to), row.length, row.kind, row.length),
      {testing::literal(Shape::array(type, {2, from}), x)});
  const mpf_class n(row.length, 256);
  const bool inverse = row.kind[0] == 'I';
  // The length's log2.
  const mpq_class steps = row.length == 4 ? 2.0 : 0x1.bacea7c065d42p+1;
  for (int transform = 0; transform < 2; ++transform) {
    const mpq_class norm =
        mpq_class(sqrt(mpf_class(row.is_half ? 2 : 1, 256))) * 5 *
        (transform + 1);
    const mpq_class root =
        inverse ? mpq_class(1 / sqrt(n)) : mpq_class(sqrt(n));
    const mpq_class error =
        row.c * power_of_two(-line.precision()) * steps * root * norm +
        2 * row.length * line.least();
    for (const int64_t i : {0, 1}) {
      const int64_t place = transform * row.length + i;
      EXPECT_EQ(probe.differs_from({0, place, 0}, error), "")
          << row.kind << row.length << name(type);
    }
  }
}

/// Two of four numbers are transformed. The others are no part of the norm, and
/// what the result has in their places is zero.
TEST(ModulusEnds, OfTransformsAreOfWhatIsRead) {
  const NumberLine line(ElementType::kF64);
  const Probe probe(
      "ENTRY main {\n  x = c128[4] parameter(0)\n  ROOT r = c128[4] fft(x), "
      "fft_type=FFT, fft_length={2}\n}\n",
      {testing::literal(Shape::array(ElementType::kC128, {4}),
                        {3, 4, 0, 0, 1000, 1000, 0, 0})});
  const mpq_class error = 8 * power_of_two(-line.precision()) *
                              mpq_class(sqrt(mpf_class(2, 256))) * 5 +
                          4 * line.least();
  EXPECT_EQ(probe.differs_from({0, 0, 0}, error), "");
  EXPECT_EQ(probe.differs_from({0, 1, 0}, error), "");
  EXPECT_FALSE(probe.admits({0, 2, 0}, 1));
  EXPECT_FALSE(probe.admits({0, 3, 1}, 1));
}

TEST(ModulusEnds, OfTransformsAreThoseOfThePage) {
  for (const ElementType type : {ElementType::kC64, ElementType::kC128}) {
    for (const Transform& row :
         {Transform{"FFT", 4, false, 8}, Transform{"IFFT", 4, false, 8},
          Transform{"IRFFT", 4, true, 8}, Transform{"FFT", 11, false, 30}}) {
      expect_transform(row, type);
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
