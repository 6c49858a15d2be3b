#include "conformance/case/spec_page.h"

#include <gtest/gtest.h>

#include <string>

#include "conformance/case/case_files.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kPage =
    "# pad\n"
    "text\n"
    "```hlo syntax\n"
    "HloModule m\n"
    "```\n"
    "* `pad.C1` rule\n"
    "  ```hlo invalid pad.C1\n"
    "  HloModule bad\n"
    "    body\n"
    "  ```\n"
    "```json\n"
    "{}\n"
    "```\n"
    "```hlo example\n"
    "HloModule m\n"
    "input: f32[2] {1, 2}\n"
    "---\n"
    "f32[] 3\n"
    "s32[2] {4, 5}\n"
    "```\n";

int error_line(std::string_view text) {
  try {
    parse_spec_page(text, "p.md");
  } catch (const Error& error) {
    return error.location().line;
  }
  return 0;
}

TEST(SpecPage, FindsTheFencesByTheirInfo) {
  const SpecPage page = parse_spec_page(kPage, "spec/ops/pad.md");
  ASSERT_EQ(page.syntax.size(), 1U);
  EXPECT_EQ(page.syntax[0].line, 4);
  ASSERT_EQ(page.cases.size(), 2U);
  EXPECT_EQ(page.cases[0].id, "pad/page/invalid-pad.C1-1");
  EXPECT_EQ(page.cases[1].id, "pad/page/example-1");
  EXPECT_EQ(page.cases[1].line, 14);
}

TEST(SpecPage, TakesOffTheIndentationOfTheFence) {
  EXPECT_EQ(parse_spec_page(kPage, "pad.md").cases[0].hlo,
            "HloModule bad\n  body\n");
}

TEST(SpecPage, NamesTheOperationOfItsFile) {
  EXPECT_EQ(parse_spec_page(kPage, "custom_call.md").cases[1].id,
            "custom-call/page/example-1");
}

TEST(SpecPage, ReadsInputsAndLeaves) {
  const Case example = parse_spec_page(kPage, "pad.md").cases[1];
  EXPECT_EQ(example.hlo, "HloModule m\n");
  EXPECT_EQ(example.inputs.size(), 1U);
  EXPECT_EQ(example.expect.size(), 2U);
  EXPECT_TRUE(example.derive_sets);
}

TEST(SpecPage, NamesTheLineOfWhatIsWrong) {
  EXPECT_EQ(error_line("a\n```hlo example\nm\n"), 2);
  EXPECT_EQ(error_line("```hlo example\nm\n```\n"), 1);
  EXPECT_EQ(error_line("```hlo exmaple\nm\n```\n"), 1);
  EXPECT_EQ(error_line("```hlo example\nm\n---\nf32[ 3\n```\n"), 4);
  EXPECT_EQ(error_line("```hlo example\nm\ninput: f32[] 3\nx\n---\n```\n"), 4);
}

TEST(Filter, SelectsByGlobs) {
  EXPECT_TRUE(selects("*", "add/f32/x"));
  EXPECT_TRUE(selects("add/*", "add/f32/x"));
  EXPECT_FALSE(selects("add/*", "subtract/f32/x"));
  EXPECT_TRUE(selects("add/*:sub*", "subtract/f32/x"));
  EXPECT_FALSE(selects("*:-*f32*", "add/f32/x"));
  EXPECT_TRUE(selects("-*f64*", "add/f32/x"));
  EXPECT_TRUE(selects("*/f3?/*", "add/f32/x"));
  EXPECT_FALSE(selects("add", "add/f32/x"));
}

TEST(Filter, IsWhatAPersonMeans) {
  EXPECT_EQ(meant_filter("add"), "add/*");
  EXPECT_EQ(meant_filter("add/f32"), "add/f32/*");
  EXPECT_EQ(meant_filter("f32"), "*/f32/*");
  EXPECT_EQ(meant_filter("custom_call:-pad"), "custom-call/*:-pad/*");
  for (const std::string filter :
       {"*", "add*", "-*f64*", "add/f32/a_b", "*/f3?/*:-pad/*", "", "-"}) {
    EXPECT_EQ(meant_filter(filter), filter);
  }
}

}  // namespace
}  // namespace hlo::conformance
