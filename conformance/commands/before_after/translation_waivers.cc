#include "conformance/commands/before_after/translation_waivers.h"

#include <fmt/format.h>

#include "conformance/files/printable.h"
#include "conformance/files/standard_output.h"
#include "interpreter/counted.h"

namespace hlo::conformance {
namespace {

Judgement judgement_of(Translation::Verdict verdict) {
  Judgement judgement;
  if (verdict == Translation::Verdict::kAgrees) {
    judgement.verdict = Verdict::kConforms;
  } else if (verdict == Translation::Verdict::kDiffers) {
    judgement.verdict = Verdict::kDiffers;
  }
  return judgement;
}

}  // namespace

TranslationWaivers::TranslationWaivers(const Waiving& waiving)
    : waivers_(waiving, "compiler"), is_strict_(waiving.strict) {}

bool TranslationWaivers::waives(const std::string& name,
                                Translation::Verdict verdict) {
  const Judgement judgement = judgement_of(verdict);
  waivers_.note(name, judgement);
  const Waiver* const waiver = waivers_.find(name);
  const auto well = went_well(judgement);
  if (waiver == nullptr || !well) return false;
  if (*well) {
    ++unexpected_;
    return false;
  }
  ++waived_;
  ++by_waiver_[waiver->text()];
  return true;
}

void TranslationWaivers::tell() const {
  for (const auto& [waiver, count] : by_waiver_) {
    say("{}", printable(fmt::format(
                  "waived       {}: {}\n", waiver,
                  counted(count, "program differs", "programs differ"))));
  }
  for (const std::string& line : waivers_.findings()) {
    say("{}\n", printable(line));
  }
}

}  // namespace hlo::conformance
