#include "backends/gpu/device/nvrtc_compiler.h"

#include <gtest/gtest.h>

#include "backends/gpu/device/device.h"

namespace hlo::gpu {
namespace {

// The text that an H100 would get.
TEST(GpuKernels, HaveNoApproximationAndNoFusedProductInPtx) {
  std::string ptx;
  try {
    ptx = kernels_as_ptx("90");
  } catch (const DeviceError& error) {
    if (std::string(error.what()).find("no library") == std::string::npos) {
      throw;
    }
    GTEST_SKIP() << error.what();
  }
  for (const char* const kernel : {"gpu_map(", "gpu_fold(", "gpu_sum("}) {
    EXPECT_NE(ptx.find(std::string(".entry ") + kernel), std::string::npos);
  }
  for (const char* const wrong :
       {".approx", ".ftz", "fma.rn.f32", "fma.rn.f64", "mad.rn.f"}) {
    EXPECT_EQ(ptx.find(wrong), std::string::npos) << wrong;
  }
  for (const char* const right : {"div.rn.f64", "sqrt.rn.f64", "mul.rn.f64"}) {
    EXPECT_NE(ptx.find(right), std::string::npos) << right;
  }
}

}  // namespace
}  // namespace hlo::gpu
