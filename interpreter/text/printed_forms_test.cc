#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"

// The files testing/printed_*.txt say how texts are printed, form by form.
namespace hlo::text {
namespace {

struct Row {
  std::string place;
  std::string written;
  std::string printed;
};

std::vector<std::string> lines_of(const std::string& name) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) +
                     "/interpreter/text/testing/" + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// The instruction `form` with `attributes` for its @.
std::string filled(std::string form, const std::string& attributes) {
  const size_t place = form.find('@');
  return place == std::string::npos ? form + attributes
                                    : form.replace(place, 1, attributes);
}

/// One row a line; `in` says what stands around those that follow.
std::vector<Row> rows_of(const std::string& name) {
  std::vector<Row> rows;
  std::string form;
  int number = 0;
  for (const std::string& line : lines_of(name)) {
    ++number;
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("in ")) {
      form = line.substr(3);
      continue;
    }
    const size_t arrow = line.find(" => ");
    const std::string printed =
        arrow == std::string::npos ? line : line.substr(arrow + 4);
    rows.push_back({name + ":" + std::to_string(number),
                    filled(form, line.substr(0, arrow)),
                    filled(form, printed)});
  }
  return rows;
}

/// Texts of many lines behind "===", each with "---" before what is printed.
std::vector<Row> blocks_of(const std::string& name) {
  std::vector<Row> rows;
  bool is_printed = false;
  for (const std::string& line : lines_of(name)) {
    if (line.starts_with("=== ")) rows.push_back({line.substr(4), {}, {}});
    if (line.starts_with("=== ") || line == "---") {
      is_printed = line == "---";
    } else if (!rows.empty()) {
      (is_printed ? rows.back().printed : rows.back().written) += line + "\n";
    }
  }
  for (Row& row : rows) {
    if (row.printed.empty()) row.printed = row.written;
  }
  return rows;
}

using Print = std::function<std::string(const std::string&)>;

/// Both texts of each row are printed as the row says.
void expect_printed(const std::vector<Row>& rows, const Print& reprint) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.place);
    try {
      EXPECT_EQ(reprint(row.written), row.printed);
      EXPECT_EQ(reprint(row.printed), row.printed);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

std::string module_with(const std::string& instruction) {
  return "%c {\n  ROOT %p = f32[] parameter(0)\n}\n"
         "%d {\n  ROOT %p = f32[] parameter(0)\n}\n"
         "ENTRY %e {\n  %x = f32[4,4]{1,0} parameter(0)\n"
         "  %y = f32[4,4]{1,0} parameter(1)\n  ROOT %r = " +
         instruction + "\n}\n";
}

TEST(PrintedForms, OfAttributesAreThoseOfTheFile) {
  const auto rows = rows_of("printed_attributes.txt");
  EXPECT_GE(rows.size(), 250U);
  expect_printed(rows, [](const std::string& instruction) {
    const Module module = parse(module_with(instruction));
    EXPECT_TRUE(equal(parse(print(module)), module));
    return print(*module.entry->root).substr(std::string("ROOT %r = ").size());
  });
}

TEST(PrintedForms, OfShapesAreThoseOfTheFile) {
  const auto rows = rows_of("printed_shapes.txt");
  EXPECT_GE(rows.size(), 50U);
  expect_printed(rows, [](const std::string& text) {
    return to_string(parse_shape(text));
  });
}

TEST(PrintedForms, OfLiteralsAreThoseOfTheFile) {
  const auto rows = rows_of("printed_literals.txt");
  EXPECT_GE(rows.size(), 100U);
  expect_printed(rows, [](const std::string& text) {
    const Literal value = parse_literal_with_shape(text);
    EXPECT_TRUE(identical(parse_literal(print(value), value.shape()), value));
    return to_string(value.shape()) + " " + print(value);
  });
}

TEST(PrintedForms, OfModulesAreThoseOfTheFile) {
  const auto rows = blocks_of("printed_modules.txt");
  EXPECT_GE(rows.size(), 20U);
  expect_printed(rows, [](const std::string& text) {
    const Module module = parse(text);
    EXPECT_TRUE(equal(parse(print(module)), module));
    return print(module);
  });
}

}  // namespace
}  // namespace hlo::text
