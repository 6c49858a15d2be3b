#include "backends/cpu/cpu_options.h"

#include <gtest/gtest.h>

#include "backends/registry/make_backend.h"
#include "interpreter/error.h"

namespace hlo::cpu {
namespace {

TEST(CpuOptions, AreReadInAnyOrder) {
  EXPECT_EQ(options_of("cpu:?fast-math=on").numerics, Numerics::kFast);
  EXPECT_EQ(options_of("cpu:?fast-math=on").threads, 0);
  EXPECT_EQ(options_of("cpu:?fast-math=off").numerics, Numerics::kTight);
  for (const char* const uri :
       {"cpu:?threads=64&fast-math=on", "cpu:?fast-math=on&threads=64"}) {
    EXPECT_EQ(options_of(uri).numerics, Numerics::kFast) << uri;
    EXPECT_EQ(options_of(uri).threads, 64) << uri;
    EXPECT_EQ(make_backend(uri)->name(), uri);
  }
}

TEST(CpuOptions, AreRefusedWhereTheyAreNotKnown) {
  for (const char* const uri :
       {"cpu:?", "cpu:?fast-math", "cpu:?fast-math=", "cpu:?fast-math=yes",
        "cpu:?Fast-math=on", "cpu:?fast-math=on&", "cpu:?&fast-math=on",
        "cpu:?fast-math=on&fast-math=on", "cpu:?threads=0", "cpu:?threads=65",
        "cpu:?threads=1x", "cpu:?threads=", "cpu:?=on"}) {
    try {
      make_backend(uri);
      ADD_FAILURE() << uri;
    } catch (const Error& error) {
      EXPECT_EQ(error.rule(), "usage.backend") << uri;
      EXPECT_NE(std::string(error.what()).find("fast-math=CHOICE (off, on)"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(CpuOptions, DeclareTheProfileOfTheirNumerics) {
  EXPECT_EQ(declared_profile("cpu:?fast-math=on&threads=2"),
            "opencl-full,subnormals=daz+ftz");
  for (const char* const uri : {"cpu:", "cpu", "cpu:?fast-math=off",
                                "cpu:threads=2", "interpreter:", "nobody:"}) {
    EXPECT_EQ(declared_profile(uri), "tight") << uri;
  }
}

}  // namespace
}  // namespace hlo::cpu
