#include "backends/registry/engine_command.h"

#include <gtest/gtest.h>

#include "backends/registry/make_backend.h"
#include "interpreter/error.h"

namespace hlo {
namespace {

TEST(EngineCommand, StartsTheWorkerOfThePackage) {
  const auto command = engine_command("jax:cpu");
  ASSERT_TRUE(command.has_value());
  EXPECT_TRUE(command->starts_with("process:startup=60 env PYTHONPATH='"));
  EXPECT_TRUE(command->ends_with(
      "/conformance/python' \"${ASSAY_PYTHON:-python3}\" -m assay.serve "
      "jax:cpu"));
  for (const char* const uri :
       {"jax:cpu", "stablehlo-interpreter:", "iree:llvm-cpu", "onnxruntime:"}) {
    EXPECT_EQ(make_backend(uri)->name(), uri);
  }
}

TEST(EngineCommand, HandsNothingElseToTheShell) {
  for (const char* const uri :
       {"jax:", "jax", "jax:cpu; true", "jax:$(true)", "jax:a b",
        "cpu:", "stablehlo-interpreter", "stablehlo-interpreter:x",
        "iree:", "iree:cuda"}) {
    EXPECT_EQ(engine_command(uri), std::nullopt) << uri;
  }
  EXPECT_THROW(make_backend("jax:cpu; true"), Error);
}

}  // namespace
}  // namespace hlo
