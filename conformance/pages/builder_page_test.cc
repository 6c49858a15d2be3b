// The examples of spec/builder.md: each block of the page stands here as it
// stands there, which the last test checks.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>

#include "interpreter/builder/xla_builder.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/testing/page_blocks.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

using namespace hlo::builder;
using hlo::builder::Padding;

std::string value(XlaOp op) {
  return text::print(evaluate(op.builder().Build(op).module(), {}));
}

/// Program number `i` of the page.
std::string page_program(size_t i) {
  return page_blocks("builder.md", "hlo syntax").at(i).text;
}

TEST(BuilderPage, Sums) {
  XlaBuilder b("sums");
  XlaOp x = Parameter(&b, 0, Shape::array(ElementType::kF32, {2, 3}), "x");
  XlaOp v = ConstantR1<float>(&b, {7, 8, 9});
  XlaOp sums = Add(x, v, /*broadcast_dimensions=*/{1});
  XlaComputation computation = b.Build();

  EXPECT_EQ(text::print(computation.module()), page_program(0));
  EXPECT_EQ(text::print(b.Build(sums).module()), page_program(0));
  const Literal argument =
      text::parse_literal_with_shape("f32[2,3] {{1, 2, 3}, {4, 5, 6}}");
  EXPECT_EQ(text::print(evaluate(computation.module(), {argument})),
            "{ { 8, 10, 12 }, { 11, 13, 15 } }");
}

TEST(BuilderPage, MaximumOfWindows) {
  XlaBuilder b("maximum_of_windows");
  XlaOp input = Reshape(Iota(&b, ElementType::kF32, 24), {4, 6});
  XlaOp windows = ReduceWindow(
      input, /*init_value=*/MinValue(&b, ElementType::kF32),
      CreateScalarMaxComputation(ElementType::kF32),
      /*window_dimensions=*/{2, 3}, /*window_strides=*/{2, 3}, Padding::kValid);

  EXPECT_EQ(value(windows), "{ { 8, 11 }, { 20, 23 } }");
}

TEST(BuilderPage, Minima) {
  XlaBuilder b("minima");
  XlaOp x = ConstantR1<float>(&b, {10000, 1000, 100, 10, 1});
  XlaOp most = MaxValue(&b, ElementType::kF32);
  XlaComputation min = CreateScalarMinComputation(ElementType::kF32);
  XlaOp valid = ReduceWindow(x, most, min, {3}, {2}, Padding::kValid);
  XlaOp same = ReduceWindow(x, most, min, {3}, {2}, Padding::kSame);

  EXPECT_EQ(value(valid), "{100, 1}");
  EXPECT_EQ(value(same), "{1000, 10, 1}");
}

TEST(BuilderPage, AllToAll) {
  XlaBuilder b("alltoall");
  b.set_devices(/*replicas=*/4);
  XlaOp x = Parameter(&b, 0, Shape::array(ElementType::kF32, {4, 16}), "x");
  XlaOp y = AllToAll(x, /*split_dimension=*/1, /*concat_dimension=*/0,
                     /*split_count=*/4);

  EXPECT_EQ(text::print(b.Build(y).module()), page_program(1));
}

/// What each rule refuses.
std::map<std::string, std::function<void()>> invalid() {
  return {
      {"builder.C1",
       [] {
         XlaBuilder a("a");
         XlaBuilder b("b");
         Add(ConstantR0<float>(&a, 1), ConstantR0<float>(&b, 1));
       }},
      {"builder.C2",
       [] {
         XlaBuilder b("b");
         Call(&b, XlaComputation(), {});
       }},
      {"builder.C3",
       [] {
         XlaBuilder b("b");
         Parameter(&b, 0, Shape::array(ElementType::kF32, {-2}), "x");
       }},
      {"builder.C4",
       [] {
         XlaBuilder b("b");
         Parameter(&b, 0, Shape::scalar(ElementType::kF32), "x");
         Parameter(&b, 0, Shape::scalar(ElementType::kF32), "y");
       }},
      {"builder.C5",
       [] {
         XlaBuilder b("b");
         Slice(ConstantR1<float>(&b, {1, 2, 3}), {0}, {2}, {1, 1});
       }},
      {"builder.C6",
       [] {
         XlaBuilder b("b");
         Collapse(Broadcast(ConstantR0<float>(&b, 1), {2, 3, 4}), {0, 2});
       }},
      {"builder.C7",
       [] {
         XlaBuilder b("b");
         SliceInDim(ConstantR1<float>(&b, {1, 2, 3}), 0, 1, 1, /*dimension=*/1);
       }},
      {"builder.C8",
       [] {
         XlaBuilder b("b");
         Dot(ConstantR0<float>(&b, 1), ConstantR1<float>(&b, {1}));
       }},
      {"builder.C9",
       [] {
         XlaBuilder b("b");
         b.set_devices(2);
         AllToAll(ConstantR1<float>(&b, {1, 2, 3}), 0, 0, 2);
       }},
      {"builder.C10",
       [] {
         XlaBuilder b("b");
         XlaOp one = ConstantR1<float>(&b, {1});
         BatchNormTraining(one, one, one, /*epsilon=*/INFINITY, 0);
       }},
  };
}

TEST(BuilderPage, InvalidExamplesAreRefusedByTheirRule) {
  const auto calls = invalid();
  EXPECT_EQ(page_blocks("builder.md", "cpp invalid").size(), calls.size());
  for (const auto& [rule, call] : calls) {
    std::string refused_by;
    try {
      call();
    } catch (const Error& error) {
      refused_by = error.rule();
    }
    EXPECT_EQ(refused_by, rule);
  }
}

std::string without_space(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  return text;
}

TEST(BuilderPage, BlocksStandInThisFile) {
  std::ifstream file(ASSAY_SOURCE_DIR
                     "/conformance/pages/builder_page_test.cc");
  const std::string here =
      without_space({std::istreambuf_iterator<char>(file), {}});
  const std::vector<PageBlock> blocks = page_blocks("builder.md", "cpp");
  EXPECT_GE(blocks.size(), 14U);
  for (const PageBlock& block : blocks) {
    // An invalid one is the call under its rule.
    const std::string rule = block.info.starts_with("cpp invalid ")
                                 ? "{\"" + block.info.substr(12) + "\",[]{"
                                 : "{";
    EXPECT_NE(here.find(rule + without_space(block.text)), std::string::npos)
        << place(block);
  }
}

}  // namespace
}  // namespace hlo::conformance
