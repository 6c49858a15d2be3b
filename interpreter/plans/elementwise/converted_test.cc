#include "interpreter/plans/elementwise/converted.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo {
namespace {

/// The checksum that generators/conversions.py makes of codes.
class Checksum {
 public:
  void add(uint64_t code) { h_ = h_ * 6364136223846793005U + code + 1; }

  uint64_t value() const { return h_; }

 private:
  uint64_t h_ = 0;
};

uint64_t ones(int n) { return n == 0 ? 0 : ~uint64_t{0} >> (64 - n); }

/// k * 2^i and its neighbours, in `bits` bits: near_walls of the generator.
void near_walls(int bits, int below, std::vector<uint64_t>& found) {
  for (int i = 0; i < below; ++i) {
    for (const uint64_t k : {uint64_t{1}, uint64_t{3}, ones(bits)}) {
      for (const uint64_t d : {~uint64_t{0}, uint64_t{0}, uint64_t{1}}) {
        found.push_back(((k << i) + d) & ones(bits));
      }
    }
  }
}

std::vector<uint64_t> wide_floats(const numeric::FloatFormat& f) {
  const int top = (1 << f.exponent_bits) - 1;
  std::vector<int> fields = {0, 1, 2};
  const int first = std::max(f.bias - 152, 3);
  const int last = std::min(f.bias + 130, top - 2);
  for (int field = first; field < last; ++field) fields.push_back(field);
  for (int field = top - 2; field <= top; ++field) fields.push_back(field);
  std::vector<uint64_t> walls;
  near_walls(f.mantissa_bits, f.mantissa_bits, walls);
  std::vector<uint64_t> codes;
  for (const uint64_t sign : {uint64_t{0}, f.sign_mask()}) {
    for (const int field : fields) {
      const uint64_t upper = static_cast<uint64_t>(field) << f.mantissa_bits;
      for (const uint64_t low : walls) codes.push_back(sign | upper | low);
    }
  }
  return codes;
}

std::vector<uint64_t> wide_integers(int bits) {
  std::vector<uint64_t> codes;
  for (int j = 0; j < bits; ++j) {
    std::vector<uint64_t> lows = {0};
    near_walls(bits, j, lows);
    for (const uint64_t low : lows) {
      const uint64_t code = ((uint64_t{1} << j) + low) & ones(bits);
      codes.push_back(code);
      codes.push_back((0 - code) & ones(bits));
    }
  }
  return codes;
}

/// All codes of types of at most 16 bits, the walls of wider ones.
std::vector<uint64_t> codes_of(ElementType type) {
  if (bits(type) > 16) {
    return is_float(type) ? wide_floats(numeric::format(type))
                          : wide_integers(bits(type));
  }
  std::vector<uint64_t> codes(size_t{1} << bits(type));
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = i;
  return codes;
}

Literal literal_of(ElementType type, const std::vector<uint64_t>& codes) {
  Literal literal(Shape::array(type, {static_cast<int64_t>(codes.size())}));
  for (size_t i = 0; i < codes.size(); ++i) {
    literal.set(static_cast<int64_t>(i), {type, {codes[i], 0}});
  }
  return literal;
}

Literal convert(const Literal& from, ElementType to) {
  Literal result(Shape::array(to, from.shape().dims));
  convert_elements(from.type(), from.bytes().data(), from.element_count(), to,
                   result.mutable_bytes().data());
  return result;
}

uint64_t checksum_of(const Literal& literal) {
  Checksum sum;
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    sum.add(literal.at(i).bits[0]);
  }
  return sum.value();
}

std::vector<std::string> read_lines() {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) +
                     "/interpreter/plans/elementwise/conversions.txt");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

std::vector<ElementType> real_types() {
  std::vector<ElementType> types;
  for (const TypeInfo& row : all_types()) {
    if (is_float(row.type) || is_integer(row.type) ||
        row.type == ElementType::kPred) {
      types.push_back(row.type);
    }
  }
  return types;
}

/// Checks one line of the file: a type, its codes, and every target.
void check_line(const std::string& line, int64_t& conversions) {
  std::istringstream words(line);
  std::string from;
  std::string to;
  size_t count = 0;
  uint64_t expected = 0;
  words >> from >> count >> std::hex >> expected;
  const ElementType source = find_type(from).value();
  const std::vector<uint64_t> codes = codes_of(source);
  const Literal operand = literal_of(source, codes);
  ASSERT_EQ(codes.size(), count) << from;
  ASSERT_EQ(checksum_of(operand), expected) << from << ": other operands";
  size_t targets = 0;
  while (words >> to >> expected) {
    const ElementType target = find_type(to).value();
    EXPECT_EQ(checksum_of(convert(operand, target)), expected)
        << from << " to " << to;
    ++targets;
    conversions += operand.element_count();
  }
  EXPECT_EQ(targets, real_types().size()) << from;
}

TEST(Conversions, AllPairsHaveTheChecksumsOfTheGenerator) {
  const std::vector<std::string> lines = read_lines();
  EXPECT_EQ(lines.size(), real_types().size());
  int64_t conversions = 0;
  for (const std::string& line : lines) check_line(line, conversions);
  std::cout << conversions << " conversions\n";
}

/// The complex number is the real one; NaN is computed even where a real copy
/// keeps its bits.
void expect_real(const Scalar& whole, const Scalar& real) {
  const numeric::FloatFormat& format = numeric::format(real.type);
  if (numeric::is_nan(real.bits[0], format)) {
    EXPECT_TRUE(numeric::is_nan(whole.bits[0], format));
  } else {
    EXPECT_EQ(whole.bits[0], real.bits[0]);
  }
  EXPECT_EQ(whole.bits[1], 0U);
}

TEST(Conversions, RealNumbersBecomeRealParts) {
  for (const ElementType source : real_types()) {
    const Literal operand = literal_of(source, codes_of(source));
    const Literal c64 = convert(operand, ElementType::kC64);
    const Literal c128 = convert(operand, ElementType::kC128);
    const Literal f32 = convert(operand, ElementType::kF32);
    const Literal f64 = convert(operand, ElementType::kF64);
    for (int64_t i = 0; i < operand.element_count(); ++i) {
      expect_real(c64.at(i), f32.at(i));
      expect_real(c128.at(i), f64.at(i));
    }
    ASSERT_FALSE(HasFailure()) << name(source);
  }
}

TEST(Conversions, ComplexNumbersConvertPartByPart) {
  for (const auto& [from, to, source, target] :
       {std::tuple{ElementType::kC64, ElementType::kC128, ElementType::kF32,
                   ElementType::kF64},
        std::tuple{ElementType::kC128, ElementType::kC64, ElementType::kF64,
                   ElementType::kF32}}) {
    const std::vector<uint64_t> codes = codes_of(source);
    Literal operand(Shape::array(from, {static_cast<int64_t>(codes.size())}));
    for (size_t i = 0; i < codes.size(); ++i) {
      operand.set(static_cast<int64_t>(i),
                  {from, {codes[i], codes[codes.size() - 1 - i]}});
    }
    const Literal result = convert(operand, to);
    const Literal parts = convert(literal_of(source, codes), target);
    for (int64_t i = 0; i < operand.element_count(); ++i) {
      const int64_t other = operand.element_count() - 1 - i;
      ASSERT_EQ(result.at(i).bits[0], parts.at(i).bits[0]) << i;
      ASSERT_EQ(result.at(i).bits[1], parts.at(other).bits[0]) << i;
    }
  }
}

}  // namespace
}  // namespace hlo
