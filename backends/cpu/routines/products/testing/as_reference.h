#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/cpu/routines/make_routine.h"
#include "backends/registry/make_backend.h"
#include "interpreter/verify/verify.h"

namespace hlo::cpu {

/// Runs the entry computation on `cpu:` and as the reference does, with what
/// arguments_of(module) gives, and says whether a routine takes its root.
template <typename ArgumentsOf>
void expect_run_as_reference(const std::string& body, bool by_routine,
                             ArgumentsOf arguments_of) {
  SCOPED_TRACE(body);
  const Module module =
      verified_module("HloModule m\n\nENTRY e {\n" + body + "}\n");
  EXPECT_EQ(make_routine(*module.entry->root).has_value(), by_routine);
  const std::vector<Buffer> arguments = arguments_of(module);
  std::vector<Buffer> results;
  for (const char* const uri :
       {"interpreter:", "cpu:threads=1", "cpu:threads=3"}) {
    Outcome outcome = make_backend(uri)->run(module, arguments);
    ASSERT_TRUE(std::holds_alternative<std::vector<Buffer>>(outcome)) << uri;
    results.push_back(std::get<std::vector<Buffer>>(outcome).at(0));
    EXPECT_EQ(results.back().bytes, results.front().bytes) << uri;
  }
}

}  // namespace hlo::cpu
