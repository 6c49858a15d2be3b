#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/audit/asked_backend.h"
#include "conformance/audit/trial.h"
#include "conformance/case/case.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/run_case.h"
#include "conformance/levels/profile.h"

namespace hlo::conformance {

/// What came of a program, the worst last (spec/audit.md, Verdicts).
enum class Steadiness : uint8_t {
  kSteady,            // the same bits in every trial
  kUnsupported,       // the backend does not take the program
  kVaries,            // as it may
  kUnjudged,          // and nobody knows whether it may
  kNotDeterministic,  // the same program, values and machine: other bits
  kOutside,           // some result is not in its set, or is none
  kBroken,            // the backend crashed
};

inline constexpr size_t kSteadinessCount = 7;

/// "steady", "unsupported", "varies", ...
std::string_view name(Steadiness steadiness);

/// How two results differ: of the first leaf that does.
struct Variation {
  int64_t elements = 0;  // that differ, of all leaves
  int64_t of = 0;
  size_t leaf = 0;
  Index index;
  Scalar first;  // in the first run
  Scalar other;
  std::optional<int64_t> steps;  // codes between them, with sign
  std::vector<uint64_t> bits;    // that differ somewhere, of each component
  std::string failure;           // in place of all that: why there is no result
};

/// A trial that came to other bits than the first run.
struct AuditFinding {
  Cause cause = Cause::kRun;
  std::string what;  // "4 threads"
  Variation variation;
  /// That of what came: where it is in its set, it may vary, but for programs
  /// that are not deterministic.
  Verdict verdict = Verdict::kConforms;
  std::string message = {};  // why it is not, or why a run may differ
};

struct AuditedProgram {
  std::string id;
  Steadiness steadiness = Steadiness::kSteady;
  Verdict verdict = Verdict::kConforms;  // of the first run
  std::string message;                   // of that, where it is not in its set
  std::array<int64_t, kCauseCount> trials{};
  std::vector<AuditFinding> findings = {};
};

/// A backend in another setting, and what that is called.
struct Setting {
  Cause cause = Cause::kSetting;
  std::string what;
  MakeBackend make;
  int cores = 0;  // that it may use; 0: all
};

struct AuditOptions {
  Profile profile = {};
  int runs = 5;          // of the same compiled program
  int compilations = 2;  // beside the first, and as many backends
  bool places = true;    // arguments at several places of memory
  Seconds most = Seconds(60);
  std::vector<Setting> settings = {};
};

/// A backend that is audited: it, the others that are started beside it, and
/// one in each setting. They are started once, for all programs.
class AuditedBackend {
 public:
  AuditedBackend(const MakeBackend& make, const AuditOptions& options);
  ~AuditedBackend();
  AuditedBackend(const AuditedBackend&) = delete;
  AuditedBackend& operator=(const AuditedBackend&) = delete;

  /// Runs the case's program in every way that there is, and tells what differs
  /// from the first run. Errors of the case's program.
  AuditedProgram audit(const Case& c);

 private:
  AuditOptions options_;
  std::unique_ptr<AskedBackend> first_;
  std::vector<std::unique_ptr<AskedBackend>> starts_;
  std::vector<std::unique_ptr<AskedBackend>> settings_;  // as options_ has them
};

/// How they differ; nothing where they have the same bits, or failed alike.
std::optional<Variation> variation(const Observation& first,
                                   const Observation& other);

}  // namespace hlo::conformance
