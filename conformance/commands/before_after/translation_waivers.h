#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "conformance/translation/judge_translation.h"
#include "conformance/waivers/waivers.h"

namespace hlo::conformance {

/// Which of the programs that a compiler made may differ: those whose names a
/// waiver has as its cases, of the engine "compiler".
class TranslationWaivers {
 public:
  /// Errors of read_waivers().
  explicit TranslationWaivers(const Waiving& waiving);

  /// Takes what came of a program, and says where a waiver covers that it
  /// differs; whether one does.
  bool waives(const std::string& name, Translation::Verdict verdict);

  /// Says how often each waiver held, and what is wrong with waivers.
  void tell() const;

  int64_t waived() const { return waived_; }

  /// Whether a program agrees although it is waived, which is not to be.
  bool is_surprised() const { return is_strict_ && unexpected_ > 0; }

 private:
  Waivers waivers_;
  bool is_strict_;
  int64_t waived_ = 0;
  int64_t unexpected_ = 0;
  std::map<std::string, int64_t> by_waiver_;
};

}  // namespace hlo::conformance
