#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include "backends/backend.h"
#include "backends/registry/make_backend.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

// A layout with M(4) has room in front of the elements for one size.
TEST(SizedArguments, KeepTheSizesThatTheirBuffersHold) {
  const Module module = verified_module(R"(
    HloModule m, entry_computation_layout={(f32[<=3]{0:M(4)})->s32[]}
    ENTRY main {
      x = f32[<=3]{0:M(4)} parameter(0)
      ROOT n = s32[] get-dimension-size(x), dimensions={0}
    })");
  Literal literal(module.entry->parameters[0]->shape);
  literal.set_dynamic_sizes({2});
  const std::vector<Buffer> arguments = {
      store(literal, argument_shapes(module).at(0))};
  for (const char* uri :
       {"interpreter:", "cpu:", "gpu:?device=fibers", "tpu:"}) {
    const Outcome outcome = make_backend(uri)->run(module, arguments);
    ASSERT_TRUE(std::holds_alternative<std::vector<Buffer>>(outcome))
        << uri << ": " << std::get<Failure>(outcome).message;
    EXPECT_EQ(load(std::get<std::vector<Buffer>>(outcome).at(0)).integer(0), 2)
        << uri;
  }
}

}  // namespace
}  // namespace hlo
