#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/judge.h"
#include "conformance/waivers/waiver.h"

namespace hlo::conformance {

/// What a backend says that it can do, and cannot.
using TagsOf = std::function<std::vector<std::string>(std::string_view)>;

/// Which failures of a run are known.
struct Waiving {
  std::vector<std::string> files = {};
  bool strict = false;     // a case that conforms although it is waived fails
  std::string today = {};  // that of the clock where it is empty
};

/// Whether the case went well; nothing where that was not judged. What is flaky
/// did not.
std::optional<bool> went_well(const Judgement& judgement);

/// The waivers of a run against a backend, those of other backends left out.
class Waivers {
 public:
  Waivers() = default;
  Waivers(const std::vector<Waiver>& all, std::string_view backend,
          std::string_view day, std::span<const std::string> tags = {});

  /// Those that another run had.
  Waivers(const std::vector<Waiver>& active, std::vector<Waiver> expired);

  /// Those of the files; the tags that the backend gives itself are only asked
  /// for where one needs them. Errors of read_waivers().
  Waivers(const Waiving& waiving, std::string_view backend,
          const TagsOf& tags_of = {});

  /// The first that covers the case and has not expired; null without one.
  const Waiver* find(const std::string& id) const;

  /// Adds what came of a case, which findings() counts.
  void note(const std::string& id, const Judgement& judgement);

  /// A line for each that has expired, that no noted case was meant by, and
  /// that cases which went well contradict.
  std::vector<std::string> findings() const;

  /// Those that have not expired, and those that have.
  std::vector<Waiver> active() const;

  const std::vector<Waiver>& expired() const { return expired_; }

  /// SHA-256 of those that have not expired; empty where there are none.
  std::string digest() const;

 private:
  struct Active {
    Waiver waiver;
    int64_t covered = 0;
    int64_t judged = 0;
    int64_t well = 0;
    std::string first = {};  // of those that went well
  };

  std::vector<Waiver> expired_;
  std::vector<Active> active_;
};

}  // namespace hlo::conformance
