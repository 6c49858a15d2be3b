#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backends/registry/make_backend.h"
#include "conformance/judge/certified_sets.h"
#include "conformance/judge/run_case.h"
#include "conformance/levels/profile_text.h"
#include "conformance/random/draw.h"
#include "conformance/random/random_program.h"
#include "conformance/random/testing/run_program.h"
#include "conformance/shrink/shrink.h"
#include "interpreter/error.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

// Whole programs of many instructions, as a backend plans and fuses them,
// judged by what is certified of them.

namespace hlo::conformance {
namespace {

/// By night there are more of them.
uint64_t programs_on_backend() {
  const char* const count = std::getenv("ASSAY_RANDOM_PROGRAMS");
  return count == nullptr ? 300 : std::strtoull(count, nullptr, 10);
}

uint64_t seed_on_backend() {
  const char* const seed = std::getenv("ASSAY_RANDOM_SEED");
  return seed == nullptr ? 0 : std::strtoull(seed, nullptr, 10);
}

bool reads_infeed(const Module& module) {
  return std::ranges::any_of(module.entry->instructions,
                             [](const auto& instruction) {
                               return instruction->op->name == "infeed";
                             });
}

/// The arguments of all devices, drawn from the seed.
std::vector<Literal> drawn_leaves(const Module& module, uint64_t seed) {
  Draw draw(seed);
  std::vector<Literal> arguments;
  for (int64_t device = 0; device < device_count(module); ++device) {
    for (const Instruction* parameter : module.entry->parameters) {
      arguments.push_back(draw.literal(parameter->shape));
    }
  }
  return array_leaves(arguments);
}

bool is_wrong(Verdict verdict) {
  return verdict != Verdict::kConforms && verdict != Verdict::kUnjudged &&
         verdict != Verdict::kRefused;
}

std::string told(const std::optional<Difference>& difference) {
  if (!difference) return {};
  return fmt::format("element {} of leaf {}: expected {}, actual {:x}",
                     fmt::join(difference->index, ","), difference->leaf,
                     difference->expected, difference->actual.bits[0]);
}

/// How many programs came to each verdict.
using Verdicts = std::map<Verdict, int64_t>;

void judge_program(uint64_t seed, Backend& backend, const Profile& profile,
                   Verdicts& verdicts) {
  const Module module = verified_module(random_program(seed));
  // Whether sizes fit is known at run time only.
  if (reads_infeed(module) || !run_program(module, seed).rule.empty()) return;
  const std::string text = text::print(module);
  try {
    Case c = case_of(Program{text, drawn_leaves(module, seed)}, profile);
    // Judged by what is certified under the profile, on several devices too.
    c.asks_reference = false;
    c.expect = certified_sets(module, c.inputs, profile);
    const Judgement judgement = run_case(c, backend);
    ++verdicts[judgement.verdict];
    EXPECT_FALSE(is_wrong(judgement.verdict))
        << "seed " << seed << " on " << backend.name() << ": "
        << name(judgement.verdict) << " " << judgement.message
        << told(judgement.difference) << "\n"
        << text;
  } catch (const Error& error) {
    // Nothing is certified of what is undefined, or takes too long.
    EXPECT_TRUE(error.rule() == "evaluate.undefined" ||
                error.rule() == "evaluate.work")
        << "seed " << seed << ": " << error.what();
  }
}

TEST(RandomOnCpu, ConformsAsAWhole) {
  const uint64_t first = seed_on_backend();
  const uint64_t count = programs_on_backend();
  for (const char* const uri : {"cpu:", "cpu:?fast-math=on"}) {
    const std::unique_ptr<Backend> backend = make_backend(uri);
    const Profile profile = parse_profile(declared_profile(uri));
    Verdicts verdicts;
    for (uint64_t seed = first; seed < first + count; ++seed) {
      judge_program(seed, *backend, profile, verdicts);
    }
    fmt::print("{}: {} of {} programs conform, {} are not judged\n", uri,
               verdicts[Verdict::kConforms], count,
               verdicts[Verdict::kUnjudged]);
    if (count >= 100) {
      EXPECT_GT(verdicts[Verdict::kConforms], static_cast<int64_t>(count / 2));
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
