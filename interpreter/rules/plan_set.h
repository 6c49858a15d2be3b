#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hlo {

/// A family of plans: a folder of interpreter/plans.
enum class PlanFamily : uint8_t {
  kElementwise,
  kMovement,
  kFold,
  kContraction,
  kRegion,
  kSort,
  kUpdates,
  kFourier,
  kLinear,
  kRandom,
};

inline constexpr size_t kPlanFamilies =
    static_cast<size_t>(PlanFamily::kRandom) + 1;

/// The families whose plans may be used; where one is not, operations are
/// evaluated by their definitions.
class PlanSet {
 public:
  static PlanSet all();
  static PlanSet none();
  /// What "all", "none", or families to leave out of all ("-fold,-sort") or to
  /// use alone ("fold,sort") say; nothing for other texts.
  static std::optional<PlanSet> parse(std::string_view text);

  /// The names of all families: "elementwise, movement, ...".
  static std::string names();

  bool contains(PlanFamily family) const {
    return families_[static_cast<size_t>(family)];
  }

  void insert(PlanFamily family) { families_.set(static_cast<size_t>(family)); }

  void erase(PlanFamily family) {
    families_.reset(static_cast<size_t>(family));
  }

  friend bool operator==(const PlanSet&, const PlanSet&) = default;

 private:
  std::bitset<kPlanFamilies> families_;
};

/// The name of a family, which is that of its folder.
std::string_view name_of(PlanFamily family);

}  // namespace hlo
