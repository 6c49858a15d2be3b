#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "backends/registry/make_backend.h"
#include "conformance/case/case_files.h"
#include "conformance/case/testing/takes_case.h"
#include "conformance/files/read_file.h"
#include "conformance/judge/run_case.h"
#include "interpreter/error.h"
#include "interpreter/stablehlo/export/export.h"
#include "interpreter/stablehlo/import/import.h"
#include "interpreter/testing/page_blocks.h"
#include "interpreter/verify/verify.h"

// What is printed as StableHLO and read back computes the same bits.
namespace hlo::conformance {
namespace {

/// The module itself where it is valid and StableHLO has words for it.
std::optional<Module> expressible(const std::string& source) {
  try {
    Module module = verified_module(source);
    stablehlo::print(module);
    return module;
  } catch (const Error&) {
    return std::nullopt;  // to be rejected, or of a type like s1
  }
}

/// Whether the case is a program that must fail when it runs.
bool must_fail(const Case& c) {
  return c.expect.size() == 1 &&
         std::holds_alternative<RejectedSet>(c.expect[0]);
}

std::string differences(const Observation& before, const Observation& after) {
  const auto* a = std::get_if<std::vector<Literal>>(&before);
  const auto* b = std::get_if<std::vector<Literal>>(&after);
  if (a == nullptr || b == nullptr) {
    if (a == nullptr && b == nullptr) return "";
    return (a == nullptr ? std::get<Failure>(before) : std::get<Failure>(after))
        .message;
  }
  if (a->size() != b->size()) return "another number of results";
  for (size_t i = 0; i < a->size(); ++i) {
    if (!identical((*a)[i], (*b)[i])) return fmt::format("result {}", i);
  }
  return "";
}

/// What is wrong with the case's program after the way there and back.
std::string round_trip(const Case& c, const Module& module, Backend& backend) {
  const std::string text = stablehlo::print(module);
  try {
    Module back = stablehlo::import_text(text);
    // StableHLO has no layouts, and it is the layout of a result that has room
    // for its sizes at run time.
    back.entry_layout = module.entry_layout;
    return differences(observe(backend, module, c.inputs),
                       observe(backend, back, c.inputs));
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(StablehloRoundTrip, CasesKeepTheirBits) {
  const auto backend = make_backend("interpreter:");
  const std::string root = ASSAY_SOURCE_DIR;
  int64_t count = 0;
  for (const std::string& file :
       case_files({root + "/spec", root + "/conformance/vectors"})) {
    for (const Case& c : load_cases(file)) {
      if (!takes_case(c)) continue;
      const std::optional<Module> module = expressible(c.hlo);
      if (!module || must_fail(c)) continue;
      ++count;
      EXPECT_EQ(round_trip(c, *module, *backend), "")
          << c.file << ":" << c.line << ": " << c.id;
    }
  }
  EXPECT_GE(count, 2000);
}

/// A call of the target with operands of one f32[2], and what it carries.
std::string call_of(const std::string& target, const std::string& operands,
                    const std::string& carried) {
  const std::string types = operands.empty()       ? "()"
                            : operands.size() == 2 ? "(tensor<2xf32>)"
                                                   : "(tensor<2xf32>, "
                                                     "tensor<2xf32>)";
  return "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
         "  %0 = stablehlo.custom_call @" +
         target + "(" + operands + ") {backend_config = \"HloModule m\\n" +
         carried + "\"} : " + types +
         " -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n";
}

std::string rule_of(const std::string& source) {
  try {
    stablehlo::import_text(source);
    return "";
  } catch (const Error& error) {
    return error.rule();
  }
}

TEST(StablehloRoundTrip, HostileCarriedInstructionsAreErrors) {
  const std::string x = "ENTRY e { x = f32[2] parameter(0) ROOT r = ";
  EXPECT_EQ(rule_of(call_of("hlo.abs", "%a", x + "f32[2] abs(x) }")), "");
  EXPECT_EQ(rule_of(call_of("hlo.abs", "%a",
                            x + "f32[2] abs(x), control-predecessors={x} }")),
            "");
  for (const std::string& source :
       {call_of("hlo.call", "%a", x + "f32[2] call(x), to_apply=e }"),
        call_of("hlo.call", "%a",
                "f { p = f32[2] parameter(0) ROOT c = f32[2] call(p), "
                "to_apply=f } " +
                    x + "f32[2] call(x), to_apply=f }"),
        call_of("hlo.parameter", "",
                "ENTRY e { ROOT x = f32[2] parameter(0) }"),
        call_of("hlo.add", "%a, %a", x + "f32[2] add(x, x) }"),
        call_of("hlo.negate", "%a", x + "f32[2] abs(x) }"),
        call_of("hlo.abs", "%a, %a", x + "f32[2] abs(x) }"),
        call_of("hlo.abs", "", x + "f32[2] abs(x) }"),
        call_of("hlo.abs", "%a",
                "ENTRY e { x = f32[3] parameter(0) ROOT r = abs(x) }")}) {
    EXPECT_NE(rule_of(source), "") << source;
  }
}

TEST(StablehloRoundTrip, CarriedInstructionsAreChecked) {
  for (const PageBlock& block :
       page_blocks("stablehlo_export.md", "mlir invalid stablehlo.carried")) {
    SCOPED_TRACE(place(block));
    try {
      stablehlo::import_text(block.text);
      ADD_FAILURE() << "was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.rule(), "stablehlo.carried");
    }
  }
}

TEST(StablehloRoundTrip, TheCorpusIsReadBack) {
  const char* data = std::getenv("ASSAY_DATA");
  const std::filesystem::path folder =
      std::filesystem::path(data != nullptr ? data : "../shared/data") / "hlo";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename());
    const Module module = verified_module(read_file(entry.path().string()));
    const std::string text = stablehlo::print(module);
    const Module back = stablehlo::import_text(text);
    // Names of computations and layouts aside, nothing changes any more.
    EXPECT_EQ(stablehlo::print(stablehlo::import_text(stablehlo::print(back))),
              stablehlo::print(back));
  }
}

}  // namespace
}  // namespace hlo::conformance
