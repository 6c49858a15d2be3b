#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "conformance/shrink/candidates.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// The text of the candidate, which takes its inputs; "" of no valid program.
std::string made(const Candidate& candidate) {
  Program program;
  try {
    program = candidate();
  } catch (const Error&) {
    return "";
  }
  const Module module = verified_module(program.hlo);
  EXPECT_NO_THROW(device_arguments(module, program.inputs)) << program.hlo;
  return program.hlo;
}

TEST(SmallerArrays, TakeADimensionFromElementsOfTuplesToo) {
  Edit edit({.hlo = R"(ENTRY e { p = (s1[2]{0}, (s32[1])) parameter(0)
                           q = (s32[1]) get-tuple-element(p), index=1
                           ROOT r = s32[1] get-tuple-element(q), index=0 })",
             .inputs = {text::parse_literal_with_shape("s1[2] {0,-1}"),
                        text::parse_literal_with_shape("s32[1] {5}")}});
  const Candidates candidates = smaller_arrays({edit.finish(), {}});
  EXPECT_TRUE(std::ranges::any_of(candidates, [](const Candidate& candidate) {
    return made(candidate).find("(s32[]) get-tuple-element") !=
           std::string::npos;
  }));
  for (const Candidate& candidate : candidates) made(candidate);
}

}  // namespace
}  // namespace hlo::conformance
