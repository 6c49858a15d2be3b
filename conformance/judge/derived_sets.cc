#include "conformance/judge/derived_sets.h"

#include "backends/backend.h"
#include "conformance/expect/expect_module.h"
#include "conformance/judge/certified_sets.h"
#include "conformance/judge/judge.h"

namespace hlo::conformance {
namespace {

/// Whether the reference returns what the case states.
bool states_reference(const Case& c, const std::vector<Literal>& reference) {
  return judge(c.expect, reference).verdict == Verdict::kConforms;
}

}  // namespace

std::vector<Expectation> derived_sets(const Case& c, const Module& module,
                                      const std::vector<Literal>& observed,
                                      const Profile& profile) {
  if (!c.asks_reference) {
    const std::vector<Literal> reference = run_reference(module, c.inputs);
    if (!states_reference(c, reference)) return c.expect;
  }
  if (c.certified) return certified_sets(module, c.inputs, profile);
  return expect_devices(module, device_arguments(module, c.inputs), &observed,
                        profile);
}

}  // namespace hlo::conformance
