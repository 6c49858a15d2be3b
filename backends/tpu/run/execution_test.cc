#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "backends/tpu/testing/run_tpu.h"

namespace hlo::tpu {
namespace {

// Neither computation does more than to hand its argument on.
TEST(TpuExecution, EndsALoopThatOnlyHandsValuesOn) {
  try {
    run_program(R"(
      condition { p = (pred[]) parameter(0)
                  ROOT q = pred[] get-tuple-element(p), index=0 }
      body { ROOT p = (pred[]) parameter(0) }
      ENTRY main { t = pred[] constant(true)  s = (pred[]) tuple(t)
                   ROOT w = (pred[]) while(s), condition=condition, body=body }
    )");
    FAIL() << "an endless loop has ended";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("units of work"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace hlo::tpu
