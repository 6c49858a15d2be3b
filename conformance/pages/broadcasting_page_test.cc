#include <gtest/gtest.h>

#include "interpreter/builder/broadcasting.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/testing/page_blocks.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

// "f32[2,3] + f32[3] dims={1} -> f32[2,3]".
struct Line {
  Shape lhs;
  Shape rhs;
  std::vector<int64_t> dimensions;
  std::string result;
};

Line read(const std::string& text) {
  Line line;
  const size_t plus = text.find(" + ");
  const size_t arrow = text.find(" -> ");
  const size_t dims = text.find(" dims={");
  line.lhs = text::parse_shape(text.substr(0, plus));
  line.rhs = text::parse_shape(
      text.substr(plus + 3, std::min(dims, arrow) - plus - 3));
  if (dims != std::string::npos)
    line.dimensions = numbers(text.substr(dims + 7));
  if (arrow != std::string::npos) line.result = text.substr(arrow + 4);
  return line;
}

std::string program(const Line& line) {
  return broadcast_program("add", line.lhs, line.rhs, line.dimensions);
}

// The text behind `key` in the block's lines.
std::string value(const PageBlock& block, const std::string& key) {
  for (const std::string& line : block.lines) {
    if (line.starts_with(key)) return line.substr(key.size());
  }
  return "";
}

TEST(BroadcastingPage, ExamplesHaveTheResultsOfThePage) {
  for (const PageBlock& block :
       page_blocks("broadcasting.md", "broadcast example")) {
    SCOPED_TRACE(place(block));
    for (const std::string& text : block.lines) {
      if (text.find(" -> ") == std::string::npos) continue;
      const Line line = read(text);
      const BroadcastPlan plan =
          plan_broadcast(line.lhs, line.rhs, line.dimensions);
      EXPECT_EQ(to_string(plan.result), line.result) << text;
      Module module = text::parse(program(line));
      EXPECT_NO_THROW(verify(module)) << program(line);
    }
  }
}

TEST(BroadcastingPage, ValuesAreThoseOfThePage) {
  size_t count = 0;
  for (const PageBlock& block :
       page_blocks("broadcasting.md", "broadcast example")) {
    const std::string expected = value(block, "result:");
    if (expected.empty()) continue;
    SCOPED_TRACE(place(block));
    const Line line = read(block.lines.at(0));
    const Module module = verified_module(program(line));
    const Literal result =
        evaluate(module, {text::parse_literal(value(block, "lhs:"), line.lhs),
                          text::parse_literal(value(block, "rhs:"), line.rhs)});
    EXPECT_EQ(text::print(result),
              text::print(text::parse_literal(expected, result.shape())));
    ++count;
  }
  EXPECT_GE(count, 8U);
}

TEST(BroadcastingPage, ProgramsAreThoseOfThePage) {
  const std::vector<PageBlock> blocks =
      page_blocks("broadcasting.md", "broadcast program");
  EXPECT_GE(blocks.size(), 5U);
  for (const PageBlock& block : blocks) {
    SCOPED_TRACE(place(block));
    const std::string& first = block.lines.at(0);
    EXPECT_EQ(program(read(first)), block.text.substr(first.size() + 1));
  }
}

TEST(BroadcastingPage, InvalidPairsAreRefusedByTheirRule) {
  const std::vector<PageBlock> blocks =
      page_blocks("broadcasting.md", "broadcast invalid");
  EXPECT_EQ(blocks.size(), 8U);
  for (const PageBlock& block : blocks) {
    for (const std::string& text : block.lines) {
      const Line line = read(text);
      try {
        static_cast<void>(plan_broadcast(line.lhs, line.rhs, line.dimensions));
        ADD_FAILURE() << place(block) << ": " << text;
      } catch (const Error& error) {
        EXPECT_EQ("broadcast invalid " + error.rule(), block.info) << text;
      }
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
