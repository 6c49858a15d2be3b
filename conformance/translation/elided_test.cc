#include "conformance/translation/elided.h"

#include <gtest/gtest.h>

#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

Module program(const std::string& constants) {
  return verified_module("HloModule m\nENTRY e {\n" + constants +
                         "  ROOT r = f32[] constant(0) }\n");
}

const Literal& value(const Module& module, const std::string& name) {
  for (const auto& instruction : module.entry->instructions) {
    if (instruction->name == name) return *instruction->literal;
  }
  throw std::logic_error("no such constant");
}

TEST(Elided, TheOnlyOneOfAShapeIsTheSameWhateverItsName) {
  Module before = program("  a = f32[4,3] constant({...})\n");
  Module after = program("  b = f32[4,3]{0,1} constant({...})\n");
  const auto drawn = draw_elided(before, after, 7);
  ASSERT_EQ(drawn.size(), 1U);
  EXPECT_EQ(drawn[0].uses, 1);
  EXPECT_TRUE(identical(value(before, "a"), value(after, "b")));
}

TEST(Elided, OfSeveralOfAShapeTheNameTells) {
  Module before =
      program("  a = f32[3] constant({...})\n  b = f32[3] constant({...})\n");
  Module after = program("  b = f32[3] constant({...})\n");
  draw_elided(before, after, 7);
  EXPECT_TRUE(identical(value(before, "b"), value(after, "b")));
  EXPECT_FALSE(identical(value(before, "a"), value(after, "b")));
}

std::string rule_of(const std::string& first, const std::string& second) {
  Module before = program(first);
  Module after = program(second);
  try {
    draw_elided(before, after, 7);
  } catch (const Error& error) {
    return error.rule();
  }
  return "";
}

TEST(Elided, WhatIsNotCertainIsRefused) {
  const std::string label = "input.elided";
  EXPECT_EQ(
      rule_of("  a = f32[3] constant({...})\n  b = f32[3] constant({...})\n",
              "  c = f32[3] constant({...})\n"),
      label);
  // Transposed, or converted, while it was compiled.
  EXPECT_EQ(rule_of("  a = f32[4,3] constant({...})\n",
                    "  a = f32[3,4] constant({...})\n"),
            label);
  EXPECT_EQ(rule_of("  a = f32[3] constant({...})\n",
                    "  a = bf16[3] constant({...})\n"),
            label);
}

}  // namespace
}  // namespace hlo::conformance
