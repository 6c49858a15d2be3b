#pragma once

#include <atomic>
#include <cstdint>

namespace hlo {

/// The work that one run may do, on all its devices and threads. A unit is
/// about a nanosecond of one core (interpreter/rules/work.h).
class Budget {
 public:
  /// What no run does.
  static constexpr int64_t kEndless = int64_t{1} << 53;

  /// A budget of at least 1 and at most kEndless units.
  explicit Budget(int64_t most);

  /// How much work a program may do that is given so many elements, where
  /// nobody says otherwise: about two seconds, and a microsecond for each of
  /// them.
  static int64_t by_inputs(int64_t elements);

  /// Takes what somebody is about to do. Evaluate error "evaluate.work" where
  /// less is left.
  void spend(int64_t work);

  /// Takes it without an error: the next spend() has that.
  void take(int64_t work) noexcept;

  int64_t most() const { return most_; }

  int64_t spent() const { return spent_; }

 private:
  int64_t most_;
  std::atomic<int64_t> spent_{0};
};

}  // namespace hlo
