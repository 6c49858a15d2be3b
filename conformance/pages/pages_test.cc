#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "backends/backend.h"
#include "backends/registry/make_backend.h"
#include "conformance/case/case_files.h"
#include "conformance/judge/run_case.h"
#include "conformance/report/summary.h"
#include "interpreter/error.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

std::string page_folder() { return std::string(ASSAY_SOURCE_DIR) + "/spec"; }

std::string printed(const std::string& hlo) {
  try {
    const Module module = verified_module(hlo);
    return text::print(module);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Pages, SyntaxExamplesPrintBackToThemselves) {
  for (const std::string& file : case_files({page_folder()})) {
    for (const SyntaxExample& example : load_syntax(file)) {
      EXPECT_EQ(printed(example.hlo), example.hlo)
          << example.file << ":" << example.line;
    }
  }
}

TEST(Pages, ExamplesHoldOnTheReference) {
  const std::unique_ptr<Backend> reference = make_backend("interpreter:");
  Summary summary("assay check --backend interpreter:");
  for (const Case& c : load_all(case_files({page_folder()}), "*")) {
    const Finding* finding =
        summary.add(c, {.judgement = run_case(c, *reference), .seconds = 0});
    if (finding != nullptr) ADD_FAILURE() << describe(*finding);
  }
}

}  // namespace
}  // namespace hlo::conformance
