#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using Cells = std::vector<std::string>;

// The rows of the page's tables whose number of columns is `columns` and whose
// first cell names an element type.
std::vector<Cells> rows(size_t columns) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/spec/types.md");
  std::vector<Cells> found;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| ")) continue;
    Cells cells;
    for (size_t begin = 2; begin < line.size();) {
      const size_t end = line.find(" |", begin);
      cells.push_back(line.substr(begin, end - begin));
      begin = end + 3;
    }
    if (cells.size() == columns && find_type(cells[0])) found.push_back(cells);
  }
  return found;
}

// "0x7b = 255 * 2^120": the code and its value. "–" gives nothing.
struct Code {
  uint64_t bits = 0;
  double value = 0;
};

std::optional<Code> code(const std::string& cell) {
  if (!cell.starts_with("0x")) return std::nullopt;
  Code found{std::stoull(cell, nullptr, 16), 0};
  const size_t equals = cell.find("= ");
  if (equals == std::string::npos) return found;
  const std::string value = cell.substr(equals + 2);
  const size_t power = value.find("2^");
  const bool plain = power == std::string::npos;
  found.value = plain || power > 0 ? std::stod(value) : 1;
  if (!plain) {
    found.value = std::ldexp(found.value, std::stoi(value.substr(power + 2)));
  }
  return found;
}

TEST(TypesPage, WidthsAreThoseOfTheTable) {
  const std::vector<Cells> found = rows(4);
  EXPECT_EQ(found.size(), 32U);
  for (const Cells& row : found) {
    const TypeInfo& type = info(*find_type(row[0]));
    EXPECT_EQ(std::to_string(type.bits), row[1]) << row[0];
    EXPECT_EQ(std::to_string(type.storage_bytes), row[2]) << row[0];
  }
}

void expect_value(const std::string& cell, const numeric::FloatFormat& format) {
  ASSERT_TRUE(code(cell).has_value());
  EXPECT_EQ(numeric::decode(code(cell)->bits, format), code(cell)->value);
}

TEST(TypesPage, FloatFormatsAreThoseOfTheTable) {
  const std::vector<Cells> found = rows(10);
  EXPECT_EQ(found.size(), 15U);
  for (const Cells& row : found) {
    SCOPED_TRACE(row[0]);
    const numeric::FloatFormat& format = numeric::format(*find_type(row[0]));
    EXPECT_EQ(std::to_string(format.exponent_bits), row[1]);
    EXPECT_EQ(std::to_string(format.mantissa_bits), row[2]);
    EXPECT_EQ(std::to_string(format.bias), row[3]);
    expect_value(row[6], format);
    expect_value(row[7], format);
    expect_value(row[8], format);
    EXPECT_EQ(format.max_finite(), code(row[6])->bits);
    EXPECT_EQ(format.min_exponent(), std::ilogb(code(row[7])->value));
  }
}

TEST(TypesPage, SpecialCodesAreThoseOfTheTable) {
  for (const Cells& row : rows(10)) {
    SCOPED_TRACE(row[0]);
    const numeric::FloatFormat& format = numeric::format(*find_type(row[0]));
    ASSERT_EQ(format.has_infinity(), code(row[4]).has_value());
    if (code(row[4])) {
      EXPECT_EQ(format.infinity(), code(row[4])->bits);
    }
    ASSERT_EQ(format.has_nan(), code(row[5]).has_value());
    if (code(row[5])) {
      EXPECT_EQ(format.quiet_nan(), code(row[5])->bits);
    }
    ASSERT_EQ(format.has_negative_zero(), code(row[9]).has_value());
    if (!code(row[9])) continue;
    EXPECT_EQ(numeric::decode(code(row[9])->bits, format), 0.0);
    EXPECT_TRUE(numeric::sign_bit(code(row[9])->bits, format));
  }
}

}  // namespace
}  // namespace hlo::conformance
