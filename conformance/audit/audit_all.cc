#include "conformance/audit/audit_all.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "interpreter/run/helpers.h"

namespace hlo::conformance {
namespace {

/// Hands out cases to jobs, and their results on in the order of the cases.
class Audits {
 public:
  using Put = std::function<void(const AuditedProgram&)>;

  Audits(std::span<const Case> cases, const Put& put)
      : cases_(cases), put_(put), found_(cases.size()) {}

  /// The number of the next case; nothing where none is left, or one has
  /// failed.
  std::optional<size_t> claim() {
    const std::lock_guard lock(mutex_);
    if (next_ == cases_.size() || has_failed_) return std::nullopt;
    return next_++;
  }

  /// Audits the case, or keeps what that throws.
  void run(AuditedBackend& backend, size_t i) {
    Found found;
    try {
      found.program = backend.audit(cases_[i]);
    } catch (...) {
      found.error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    has_failed_ = has_failed_ || found.error != nullptr;
    found_[i] = std::move(found);
    pass_on();
  }

  /// A job has no backend.
  void fail() {
    const std::lock_guard lock(mutex_);
    has_failed_ = true;
    if (error_ == nullptr) error_ = std::current_exception();
  }

  std::vector<AuditedProgram> take() {
    if (error_ != nullptr) std::rethrow_exception(error_);
    return std::move(programs_);
  }

 private:
  struct Found {
    std::optional<AuditedProgram> program;
    std::exception_ptr error;
  };

  void pass_on() {
    while (error_ == nullptr && programs_.size() < found_.size()) {
      Found& found = found_[programs_.size()];
      if (found.error != nullptr) error_ = found.error;
      if (!found.program) return;
      programs_.push_back(*std::move(found.program));
      put_(programs_.back());
    }
  }

  std::span<const Case> cases_;
  const Put& put_;
  std::mutex mutex_;
  size_t next_ = 0;
  bool has_failed_ = false;
  std::exception_ptr error_;
  std::vector<Found> found_;
  std::vector<AuditedProgram> programs_;
};

}  // namespace

std::vector<AuditedProgram> audit_all(
    std::span<const Case> cases, const MakeBackend& make,
    const AuditOptions& options, int jobs,
    const std::function<void(const AuditedProgram&)>& put) {
  Audits audits(cases, put);
  const std::function<void(int64_t)> work = [&](int64_t) {
    try {
      std::optional<AuditedBackend> backend;
      while (const auto i = audits.claim()) {
        if (!backend) backend.emplace(make, options);
        audits.run(*backend, *i);
      }
    } catch (...) {
      audits.fail();
    }
  };
  const int64_t most = std::min(int64_t{jobs}, std::ssize(cases));
  {
    const Helpers helpers(most - 1, work);
    work(0);
  }
  return audits.take();
}

}  // namespace hlo::conformance
