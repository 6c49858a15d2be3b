#include "conformance/shrink/haste.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/run/shared_limits.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

class Lent : public Backend {
 public:
  Lent(std::shared_ptr<Backend> backend, int64_t work)
      : backend_(std::move(backend)), work_(work) {}

  std::string name() const override { return backend_->name(); }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    const auto limit = limited();
    return backend_->run(module, arguments);
  }

  size_t most_at_once() const override { return backend_->most_at_once(); }

  std::vector<Outcome> run_all(std::span<const Call> calls) override {
    const auto limit = limited();
    return backend_->run_all(calls);
  }

 private:
  std::unique_ptr<SharedLimitsScope> limited() const {
    SharedLimits limits = shared_limits();
    if (work_ > 0) limits.budget = std::make_shared<Budget>(work_);
    return std::make_unique<SharedLimitsScope>(std::move(limits));
  }

  std::shared_ptr<Backend> backend_;
  int64_t work_;
};

}  // namespace

std::optional<int64_t> reference_work(const Program& program, int64_t most) {
  const auto budget = std::make_shared<Budget>(most);
  try {
    const Module module = verified_module(program.hlo);
    evaluate_devices(module, device_arguments(module, program.inputs),
                     {.budget = budget});
  } catch (const Error&) {
    return std::nullopt;
  }
  return budget->spent();
}

int64_t work_of_candidates(const Program& program) {
  constexpr int64_t kLeast = 50'000'000;
  constexpr int64_t kTimes = 64;
  constexpr int64_t kMost = 2'000'000'000;
  const auto work = reference_work(program, kMost);
  return work ? kLeast + kTimes * *work : 0;
}

bool ends_within(const Program& program, int64_t work) {
  return reference_work(program, work).has_value();
}

void require_value(const Program& program) {
  constexpr std::string_view kOwnLimits[] = {
      "async.calls",       "constant.elided", "custom-call.",
      "evaluate.depth",    "evaluate.memory", "evaluate.work",
      "rng-bit-generator."};
  const Module module = verified_module(program.hlo);
  try {
    evaluate_devices(
        module, device_arguments(module, program.inputs),
        {.budget = std::make_shared<Budget>(Budget::by_inputs(0))});
  } catch (const Error& error) {
    const bool is_limit =
        std::ranges::any_of(kOwnLimits, [&](std::string_view family) {
          return error.rule().starts_with(family);
        });
    if (!is_limit) throw;
  }
}

bool is_late(const Judgement& judgement) {
  return judgement.verdict == Verdict::kCrashed &&
         judgement.message.starts_with("no answer");
}

bool is_by_limit(const Judgement& judgement) {
  const bool is_work = judgement.verdict == Verdict::kError &&
                       judgement.message.find(" of work") != std::string::npos;
  return is_work || is_late(judgement);
}

std::unique_ptr<Backend> lend(std::shared_ptr<Backend> backend, int64_t work) {
  return std::make_unique<Lent>(std::move(backend), work);
}

}  // namespace hlo::conformance
