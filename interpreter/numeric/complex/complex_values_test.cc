#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "interpreter/numeric/complex/rounded_complex.h"

// The values of generators/complex_values.py.
namespace hlo::numeric {
namespace {

using enum ComplexFunction;

struct Row {
  const char* name;
  ComplexFunction function;
};

constexpr std::array kRows = {
    Row{"exp", kExponential},
    Row{"exp2", kExponential2},
    Row{"expm1", kExponentialMinusOne},
    Row{"log", kLog},
    Row{"log2", kLog2},
    Row{"log10", kLog10},
    Row{"log1p", kLogPlusOne},
    Row{"sqrt", kSqrt},
    Row{"rsqrt", kRsqrt},
    Row{"logistic", kLogistic},
    Row{"sin", kSine},
    Row{"cos", kCosine},
    Row{"tan", kTan},
    Row{"sinh", kSinh},
    Row{"cosh", kCosh},
    Row{"tanh", kTanh},
    Row{"asin", kAsin},
    Row{"acos", kAcos},
    Row{"atan", kAtan},
    Row{"asinh", kAsinh},
    Row{"acosh", kAcosh},
    Row{"atanh", kAtanh},
    Row{"cbrt", kCbrt},
    Row{"asin_acos_kernel", kAsinAcosKernel},
};

constexpr size_t kLeast = 1000;  // lines of a function

/// The lines below ": function type".
using Blocks = std::map<std::string, std::vector<std::string>>;

Blocks read_blocks() {
  std::ifstream file(ASSAY_SOURCE_DIR
                     "/interpreter/numeric/complex/testing/complex_values.txt");
  Blocks found;
  std::string key;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    if (line.starts_with(": ")) {
      key = line.substr(2);
    } else {
      found[key].push_back(line);
    }
  }
  return found;
}

const Blocks& blocks() {
  static const Blocks found = read_blocks();
  return found;
}

ComplexBits read_number(std::istream& in) {
  ComplexBits z;
  in >> std::hex >> z.re >> z.im;
  return z;
}

char side_of(const Rounded& part) {
  return part.side < 0 ? '-' : (part.side > 0 ? '+' : '0');
}

void expect_line(const RoundedComplex& actual, std::istream& in,
                 const std::string& line) {
  const ComplexBits expected = read_number(in);
  std::string sides;
  in >> sides;
  EXPECT_EQ(actual.re.bits, expected.re) << line;
  EXPECT_EQ(actual.im.bits, expected.im) << line;
  EXPECT_EQ((std::string{side_of(actual.re), side_of(actual.im)}), sides)
      << line;
}

const FloatFormat& format_of(const std::string& type) {
  return format(type == "f32" ? ElementType::kF32 : ElementType::kF64);
}

TEST(ComplexValues, FunctionsAgreeWithMpmath) {
  for (const Row& row : kRows) {
    size_t count = 0;
    for (const std::string type : {"f64", "f32"}) {
      SCOPED_TRACE(row.name);
      const FloatFormat& f = format_of(type);
      for (const std::string& line : blocks().at(row.name + (" " + type))) {
        std::istringstream in(line);
        const ComplexBits z = read_number(in);
        expect_line(round_complex(row.function, z, f), in, line);
        ++count;
      }
    }
    EXPECT_GE(count, kLeast) << row.name;
  }
}

void expect_blocks(ComplexFunction2 function, const std::string& name) {
  size_t count = 0;
  for (const std::string type : {"f64", "f32"}) {
    const FloatFormat& f = format_of(type);
    for (const std::string& line : blocks().at(name + " " + type)) {
      std::istringstream in(line);
      const ComplexBits x = read_number(in);
      const ComplexBits y = read_number(in);
      expect_line(round_complex2(function, x, y, f), in, line);
      ++count;
    }
  }
  EXPECT_GE(count, kLeast);
}

TEST(ComplexValues, PowersAgreeWithMpmath) {
  expect_blocks(ComplexFunction2::kPower, "pow");
}

TEST(ComplexValues, AnglesAgreeWithMpmath) {
  expect_blocks(ComplexFunction2::kAtan2, "atan2");
}

}  // namespace
}  // namespace hlo::numeric
