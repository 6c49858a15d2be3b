#include "conformance/shrink/folder_page.h"

#include <gtest/gtest.h>

#include <string>

#include "conformance/shrink/testing/faulty_backend.h"

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
              "assay check case.jsonl --backend 'jax:cpu' --timeout 10",
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

TEST(FolderPage, TellsABackendOfThisProgramFromAnEngine) {
  EXPECT_EQ(engine_words(faulty([](const Module&, std::vector<Literal>&) {})),
            "of this assay itself, no other engine");
}

}  // namespace
}  // namespace hlo::conformance
