#include "conformance/translation/dump_folder.h"

#include <gtest/gtest.h>

#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

TEST(DumpFolder, PairsFilesByTheirModuleAndOrdersPasses) {
  const auto modules = modules_of_dump(
      {"module_0008.jit_f.0010.fusion.after_b.before_c.txt",
       "module_0008.jit_f.cpu_after_optimizations.txt",
       "module_0008.jit_f.0002.simplification.after_a.before_b.txt",
       "module_0008.jit_f.before_optimizations.txt",
       "module_0008.jit_f.cpu_after_optimizations-buffer-assignment.txt",
       "module_0008.jit_f.0003.thunk_sequence.txt",
       "module_0012.jit_g.sm_9.0_gpu_after_optimizations.txt",
       "module_0012.jit_g.before_optimizations.txt",
       "module_0014.jit_h.before_optimizations.txt", "notes.txt"});
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_EQ(modules[1].after,
            "module_0012.jit_g.sm_9.0_gpu_after_optimizations.txt");
  EXPECT_EQ(modules[0].name, "module_0008.jit_f");
  EXPECT_EQ(modules[0].after, "module_0008.jit_f.cpu_after_optimizations.txt");
  ASSERT_EQ(modules[0].passes.size(), 2U);
  EXPECT_EQ(modules[0].passes[0],
            "module_0008.jit_f.0002.simplification.after_a.before_b.txt");
}

TEST(DumpFolder, StrangeNamesMeanNothing) {
  EXPECT_TRUE(modules_of_dump({"", ".", "module_", "module_.txt",
                               "after_optimizations.txt",
                               "module_after_optimizations.txt",
                               ".before_optimizations.txt"})
                  .empty());
}

TEST(DumpFolder, AFolderThatIsNoneIsAnError) {
  EXPECT_THROW(names_in_folder("/no/such/folder"), Error);
}

}  // namespace
}  // namespace hlo::conformance
