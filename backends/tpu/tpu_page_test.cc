#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "backends/element_teller.h"
#include "backends/tpu/tpu_backend.h"
#include "interpreter/model/buffer.h"
#include "interpreter/testing/page_blocks.h"
#include "interpreter/verify/verify.h"

// The programs of spec/tpu.md, and what the page has below --- of each.
namespace hlo::tpu {
namespace {

std::pair<std::string, std::string> parts(const PageBlock& block) {
  const std::string line = "---\n";
  const size_t at = block.text.find(line);
  if (at == std::string::npos) return {block.text, ""};
  return {block.text.substr(0, at), block.text.substr(at + line.size())};
}

std::string explained(const std::string& program, const std::string& uri) {
  const Module module = verified_module(program);
  const std::unique_ptr<Backend> backend = make_tpu_backend(uri);
  return backend->compile(module)->explanation().value();
}

/// What a run on zeros counts: it hangs on no value here.
std::string counted(const std::string& program) {
  const Module module = verified_module(program);
  const std::unique_ptr<Backend> backend = make_tpu_backend("tpu:");
  const std::unique_ptr<Executable> executable = backend->compile(module);
  std::vector<Buffer> arguments;
  for (const Shape& shape : argument_shapes(module)) {
    arguments.push_back(store(Literal(shape), shape));
  }
  const Outcome outcome = executable->run(arguments);
  EXPECT_TRUE(std::holds_alternative<std::vector<Buffer>>(outcome));
  return executable->counts().value();
}

TEST(TpuPage, TellsLayoutsAsAPlanHasThem) {
  const auto blocks = page_blocks("tpu.md", "tpu explain");
  EXPECT_GE(blocks.size(), 1U);
  for (const PageBlock& block : blocks) {
    const auto [program, expected] = parts(block);
    EXPECT_EQ(explained(program, "tpu:"), expected) << place(block);
  }
}

TEST(TpuPage, TellsWhatIsSplit) {
  const auto blocks = page_blocks("tpu.md", "tpu splits");
  EXPECT_GE(blocks.size(), 1U);
  for (const PageBlock& block : blocks) {
    const auto [program, expected] = parts(block);
    EXPECT_EQ(explained(program, "tpu:?scratch=262144"), expected)
        << place(block);
  }
}

TEST(TpuPage, TellsWhatARunCosts) {
  const auto blocks = page_blocks("tpu.md", "tpu counts");
  EXPECT_GE(blocks.size(), 2U);
  for (const PageBlock& block : blocks) {
    const auto [program, expected] = parts(block);
    EXPECT_EQ(counted(program), expected) << place(block);
  }
}

/// What is told of an element in a run on zeros.
std::string told(const Module& module, const AskedElement& asked) {
  const std::unique_ptr<Backend> backend = make_tpu_backend("tpu:");
  std::vector<Buffer> arguments;
  for (const Shape& shape : argument_shapes(module)) {
    arguments.push_back(store(Literal(shape), shape));
  }
  const auto told =
      dynamic_cast<ElementTeller&>(*backend).tell(module, arguments, asked);
  const auto* element = std::get_if<ToldElement>(&told);
  return element == nullptr ? std::get<Failure>(told).message : element->text;
}

// The last line of each program is "element: %ROOT[i,j]"; the one before may be
// "depth: N".
TEST(TpuPage, TellsWhereElementsLie) {
  const auto blocks = page_blocks("tpu.md", "tpu element");
  EXPECT_GE(blocks.size(), 2U);
  for (const PageBlock& block : blocks) {
    const auto [text, expected] = parts(block);
    const size_t at = text.find("element: ");
    ASSERT_NE(at, std::string::npos) << place(block);
    const size_t depth = text.find("depth: ");
    const Module module = verified_module(text.substr(0, std::min(at, depth)));
    const size_t open = text.find('[', at);
    const size_t comma = text.find(',', open);
    const Index index = {std::stoll(text.substr(open + 1)),
                         std::stoll(text.substr(comma + 1))};
    EXPECT_EQ(told(module, {.instruction = module.entry->root,
                            .index = index,
                            .depth = depth == std::string::npos
                                         ? 1
                                         : std::stoll(text.substr(depth + 7))}),
              expected)
        << place(block);
  }
}

TEST(TpuPage, RefusesTilesThatAreLargerThanTheMemory) {
  const Module module = verified_module(
      "ENTRY main { x = u8[1] constant({1})\n"
      "ROOT n = u8[1]{0:T(4294967296)} negate(x) }");
  const Outcome outcome = make_tpu_backend("tpu:")->run(module, {});
  const auto* failure = std::get_if<Failure>(&outcome);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->kind, Failure::Kind::kError);
  EXPECT_NE(failure->message.find("2147483647"), std::string::npos)
      << failure->message;
}

}  // namespace
}  // namespace hlo::tpu
