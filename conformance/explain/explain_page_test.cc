#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <string>

#include "conformance/explain/explain.h"
#include "conformance/literals/inputs.h"
#include "interpreter/error.h"
#include "interpreter/testing/page_blocks.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// A program, the lines `input: VALUE` and `element: NAME` behind it, and what
/// stands behind `---`.
struct Example {
  std::string program;
  std::vector<std::string> inputs;
  ExplainRequest request;
  std::string told;
};

void read_line(const std::string& line, Example& example) {
  const auto value_of = [&](std::string_view key) {
    return line.starts_with(key) ? std::optional(line.substr(key.size()))
                                 : std::nullopt;
  };
  if (const auto input = value_of("input: ")) {
    example.inputs.push_back(*input);
  } else if (const auto element = value_of("element: ")) {
    example.request.element = *element;
  } else if (const auto run = value_of("run: ")) {
    example.request.run = std::stoll(*run);
  } else if (const auto depth = value_of("depth: ")) {
    example.request.depth = std::stoi(*depth);
  } else if (const auto replica = value_of("replica: ")) {
    example.request.device = Device{std::stoll(*replica), 0};
  } else {
    example.program += line + "\n";
  }
}

Example read_example(const PageBlock& block) {
  Example example;
  std::istringstream text(block.text);
  bool told = false;
  for (std::string line; std::getline(text, line);) {
    if (line == "---") {
      told = true;
    } else if (told) {
      example.told += line + "\n";
    } else {
      read_line(line, example);
    }
  }
  return example;
}

std::string tell(const Example& example) {
  const Module module = verified_module(example.program);
  return explain(module, make_device_inputs(module, example.inputs),
                 example.request)
      .text;
}

TEST(ExplainPage, ExamplesHold) {
  const std::vector<PageBlock> blocks =
      page_blocks("explain.md", "explain example");
  EXPECT_GE(blocks.size(), 10U);
  for (const PageBlock& block : blocks) {
    SCOPED_TRACE(place(block));
    const Example example = read_example(block);
    EXPECT_EQ(tell(example), example.told);
  }
}

TEST(ExplainPage, InvalidExamplesFailByTheirRule) {
  const std::vector<PageBlock> blocks =
      page_blocks("explain.md", "explain invalid");
  EXPECT_GE(blocks.size(), 5U);
  for (const PageBlock& block : blocks) {
    SCOPED_TRACE(place(block));
    try {
      tell(read_example(block));
      ADD_FAILURE() << "it was explained";
    } catch (const Error& error) {
      EXPECT_EQ("explain invalid " + error.rule(), block.info);
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
