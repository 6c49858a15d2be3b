#include "conformance/shrink/folder_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/backend.h"
#include "conformance/shrink/reproducer.h"
#include "conformance/shrink/shrink.h"
#include "conformance/shrink/testing/faulty_backend.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

FolderPage page_of(const std::string& engine) {
  return {.backend = "jax:cpu",
          .engine = engine,
          .limit = Seconds(10),
          .profile = "tight",
          .origin = "multiply/f32/values",
          .operation = "multiply",
          .explanation = "the product is 6\n"};
}

void expect_all(const std::string& text,
                std::initializer_list<const char*> parts) {
  for (const char* const part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(FolderPage, NamesTheEngineItsReleaseTheCommandAndTheLimit) {
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    if (!has(module, "multiply")) return;
    Scalar element = results.back().at(0);
    element.bits[0] ^= 0x800000;
    results.back().set(0, element);
  };
  const Shrunk shrunk = shrink(program(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  expect_all(folder_page(shrunk, page_of("jax 0.4.30")),
             {"# jax:cpu differs", "| engine | jax 0.4.30 |", "`tight`",
              "| limit | 10 s", "the case `multiply/f32/values`",
              "`assay spec multiply`",
              "assay check case.jsonl --backend 'jax:cpu' --profile 'tight' "
              "--timeout 10",
              "a value that it must not have", "multiply(", "expected",
              "actual", "the product is 6"});
}

TEST(FolderPage, SaysOfAHangWhatWasWaitedForAndWhatIsKnown) {
  Shrunk shrunk;
  shrunk.kind = FailureKind{Verdict::kCrashed, "no answer in time"};
  shrunk.smallest.program = program();
  shrunk.smallest.judgement.verdict = Verdict::kCrashed;
  shrunk.smallest.judgement.message = "no answer within 2.5 s";
  expect_all(
      folder_page(shrunk, page_of("jax, which tells no release")),
      {"(no answer within 2.5 s): it was ended then", "is not known",
       "the reference evaluates it in ", " units of work", "waits for 10 s"});
}

TEST(FolderPage, SaysOfADeathThatTheMessageIsAllThatIsKnown) {
  Shrunk shrunk;
  shrunk.kind = FailureKind{Verdict::kCrashed, "signal 6"};
  shrunk.smallest.program = program();
  shrunk.smallest.judgement.verdict = Verdict::kCrashed;
  shrunk.smallest.judgement.message = "the engine died (signal 6): why";
  expect_all(folder_page(shrunk, page_of("x 1")),
             {"the process of the engine ends", "all that is known",
              "the engine died (signal 6): why"});
}

std::string page_of_death(const std::string& message) {
  Shrunk shrunk;
  shrunk.smallest.program = program();
  shrunk.smallest.judgement.verdict = Verdict::kCrashed;
  shrunk.smallest.judgement.message = message;
  shrunk.kind = failure_kind(shrunk.smallest.judgement);
  return folder_page(shrunk, page_of("x 1"));
}

TEST(FolderPage, NamesTheSignalThatEndedTheEngine) {
  expect_all(page_of_death("the engine died (signal 8) and said nothing"),
             {"the engine ends by signal 8 (SIGFPE) while", "said nothing"});
  expect_all(page_of_death("the engine died (signal 99999)"),
             {"the engine ends by signal 99999 while"});
  expect_all(page_of_death("the engine died (exit code 3): why"),
             {"the process of the engine ends while"});
}

/// What the page says of a number of a type that came as another one; of a
/// complex type these are imaginary parts.
std::string page_of_codes(ElementType type, uint64_t right, uint64_t came) {
  const auto scalar = [&](uint64_t code) {
    Scalar made{type, {}};
    made.bits.at(is_complex(type) ? 1 : 0) = code;
    return made;
  };
  Shrunk shrunk;
  shrunk.smallest.program = program();
  shrunk.smallest.judgement.verdict = Verdict::kDiffers;
  Difference& difference = shrunk.smallest.judgement.difference.emplace();
  difference.reference = scalar(right);
  difference.actual = scalar(came);
  shrunk.kind = failure_kind(shrunk.smallest.judgement);
  return folder_page(shrunk, page_of("x 1"));
}

TEST(FolderPage, TellsSignalingNansAndSubnormalNumbersByTheirBits) {
  constexpr uint64_t kQuiet = 0x7fc00000;
  constexpr uint64_t kSignaling = 0xff800001;
  expect_all(page_of_codes(ElementType::kF32, kQuiet, kSignaling),
             {"A signaling NaN came"});
  expect_all(page_of_codes(ElementType::kF32, kSignaling, kQuiet),
             {"What is right is a signaling NaN"});
  expect_all(page_of_codes(ElementType::kF32, 0x807fffff, 0x80000000),
             {"is subnormal"});
  expect_all(page_of_codes(ElementType::kC64, 1, 0), {"is subnormal"});
  expect_all(page_of_codes(ElementType::kF8E4M3FN, 7, 0), {"is subnormal"});
  for (const auto& [right, came] : {std::pair<uint64_t, uint64_t>{1, 2},
                                    {0x00800000, 0},
                                    {kQuiet, kQuiet + 1},
                                    {0, 1},
                                    {kQuiet, 0}}) {
    const std::string text = page_of_codes(ElementType::kF32, right, came);
    EXPECT_EQ(text.find("subnormal"), std::string::npos) << text;
    EXPECT_EQ(text.find("signaling"), std::string::npos) << text;
  }
}

/// What it gives has a size at run time beyond the bound.
class Unreadable : public Backend {
 public:
  std::string name() const override { return "unreadable"; }

  Outcome run(const Module& module, std::span<const Buffer>) override {
    const Shape shape = result_shapes(module).at(0);
    Buffer buffer{.shape = shape,
                  .bytes = Bytes(static_cast<size_t>(buffer_bytes(shape)))};
    std::ranges::fill(buffer.bytes, std::byte{0xff});
    return std::vector<Buffer>{std::move(buffer)};
  }
};

TEST(FolderPage, IsWrittenWhereWhatCameCannotBeRead) {
  const Program start{
      .hlo = text::print(verified_module(R"(ENTRY e {
        x = s32[2] parameter(0)  n = s32[] parameter(1)
        ROOT r = s32[<=2]{0:M(8)} set-dimension-size(x, n), dimensions={0} })")),
      .inputs = {text::parse_literal_with_shape("s32[2] {1, 2}"),
                 text::parse_literal_with_shape("s32[] 1")}};
  const MakeBackend make = [] { return std::make_unique<Unreadable>(); };
  const ShrinkOptions options;
  const Shrunk shrunk = shrink(start, make, options);
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.kind->verdict, Verdict::kError);
  for (const auto& [name, text] :
       reproducer_files(shrunk, "unreadable:", make, options)) {
    if (name == "actual.txt") expect_all(text, {"literal.prefix: "});
  }
}

TEST(FolderPage, TellsABackendOfThisProgramFromAnEngine) {
  EXPECT_EQ(engine_words(faulty([](const Module&, std::vector<Literal>&) {})),
            "of this assay itself, no other engine");
}

}  // namespace
}  // namespace hlo::conformance
