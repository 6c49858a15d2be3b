#include "conformance/golden/golden_diff.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <variant>

#include "conformance/literals/describe_scalar.h"
#include "interpreter/counted.h"

namespace hlo::conformance {
namespace {

std::map<std::string, const Case*> by_id(const std::vector<Case>& cases) {
  std::map<std::string, const Case*> found;
  for (const Case& c : cases) found.emplace(c.id, &c);
  return found;
}

/// "2 of 4 elements have OTHER, first {1}: A, now B"; empty where none has.
template <typename Differs, typename Describe>
std::string elements_text(const Literal& value, std::string_view other,
                          const Differs& differs, const Describe& describe_at) {
  int64_t count = 0;
  int64_t first = 0;
  for (int64_t i = 0; i < value.element_count(); ++i) {
    if (differs(i) && count++ == 0) first = i;
  }
  if (count == 0) return {};
  return fmt::format("{} of {} {} other {}, first {}: {}", count,
                     counted(value.element_count(), "element"),
                     count == 1 ? "has" : "have", other,
                     index_text(first, value), describe_at(first));
}

/// How the elements of two values of the same shape differ.
std::string values_text(const Literal& a, const Literal& b) {
  return elements_text(
      a, "bits", [&](int64_t i) { return !(a.at(i) == b.at(i)); },
      [&](int64_t i) {
        return describe(a.at(i)) + ", now " + describe(b.at(i));
      });
}

/// Nothing of those that are the bits alone, of which values_text() tells.
std::string sets_text(const ArraySet& a, const ArraySet& b) {
  if (a.sets.empty() && b.sets.empty() && a.any_nan == b.any_nan) return {};
  const ElementType type = a.value.type();
  return elements_text(
      a.value, "sets",
      [&](int64_t i) { return !(a.element(i) == b.element(i)); },
      [&](int64_t i) {
        return describe(a.element(i), type) + ", now " +
               describe(b.element(i), type);
      });
}

/// The value that is stated of a leaf; null without one.
const Literal* value_of(const Expectation& set) {
  if (const auto* array = std::get_if<ArraySet>(&set)) return &array->value;
  const auto* open = std::get_if<UnspecifiedSet>(&set);
  return open != nullptr && open->value ? &*open->value : nullptr;
}

std::string kind_of(const Expectation& set) {
  if (const auto* rejected = std::get_if<RejectedSet>(&set)) {
    return "rejected by " + rejected->rule;
  }
  if (const auto* open = std::get_if<UnspecifiedSet>(&set)) {
    return "unspecified, " + open->reason;
  }
  return "a set";
}

class CaseDiff {
 public:
  CaseDiff(const Case& before, const Case& after)
      : before_(before), after_(after) {
    fields();
    inputs();
    expectations();
  }

  std::vector<std::string> lines;

 private:
  void add(const std::string& clause, const std::string& text) {
    if (text.empty()) return;
    lines.push_back(fmt::format("{}: {}: {}", before_.id, clause, text));
  }

  void fields() {
    const auto differ = [](bool differs) -> std::string {
      return differs ? "it is another one" : "";
    };
    add("program", differ(before_.hlo != after_.hlo ||
                          before_.stablehlo != after_.stablehlo));
    add("statement", differ(before_.statement != after_.statement));
    add("why", differ(before_.why != after_.why));
    if (source_of(before_) != source_of(after_)) {
      add("source",
          fmt::format("{}, now {}", source_of(before_), source_of(after_)));
    }
  }

  void literals(const std::string& clause, const Literal& a, const Literal& b) {
    if (!compatible(a.shape(), b.shape())) {
      add(clause,
          to_string(a.shape(), false) + ", now " + to_string(b.shape(), false));
    } else if (a.dynamic_sizes() != b.dynamic_sizes()) {
      add(clause, "it has other sizes at run time");
    } else {
      add(clause, values_text(a, b));
    }
  }

  /// Whether there are as many.
  bool counts(const std::string& clause, size_t a, size_t b) {
    if (a != b) add(clause, fmt::format("there are {}, now {}", a, b));
    return a == b;
  }

  void inputs() {
    if (!counts("inputs", before_.inputs.size(), after_.inputs.size())) return;
    for (size_t k = 0; k < before_.inputs.size(); ++k) {
      literals(fmt::format("input {}", k), before_.inputs[k], after_.inputs[k]);
    }
  }

  void expectations() {
    if (before_.asks_reference != after_.asks_reference) {
      add("expect", before_.asks_reference ? "not blessed, now it is"
                                           : "blessed, now it is not");
      return;
    }
    if (!counts("expect", before_.expect.size(), after_.expect.size())) return;
    for (size_t k = 0; k < before_.expect.size(); ++k) {
      expectation(fmt::format("leaf {}", k), before_.expect[k],
                  after_.expect[k]);
    }
  }

  void expectation(const std::string& clause, const Expectation& a,
                   const Expectation& b) {
    if (kind_of(a) != kind_of(b))
      add(clause, kind_of(a) + ", now " + kind_of(b));
    const Literal* const value = value_of(a);
    const Literal* const other = value_of(b);
    if (value != nullptr && other != nullptr) literals(clause, *value, *other);
    const auto* array = std::get_if<ArraySet>(&a);
    const auto* array_now = std::get_if<ArraySet>(&b);
    const bool has_sets =
        array != nullptr && array_now != nullptr &&
        compatible(array->value.shape(), array_now->value.shape());
    if (has_sets) add(clause, sets_text(*array, *array_now));
  }

  const Case& before_;
  const Case& after_;
};

}  // namespace

std::vector<std::string> golden_differences(const std::vector<Case>& before,
                                            const std::vector<Case>& after) {
  const std::map<std::string, const Case*> old = by_id(before);
  const std::map<std::string, const Case*> now = by_id(after);
  std::set<std::string> ids;
  for (const auto& [id, c] : old) ids.insert(id);
  for (const auto& [id, c] : now) ids.insert(id);
  std::vector<std::string> lines;
  for (const std::string& id : ids) {
    if (!now.contains(id)) {
      lines.push_back(id + ": case: it is gone");
    } else if (!old.contains(id)) {
      lines.push_back(id + ": case: it is new");
    } else {
      const CaseDiff diff(*old.at(id), *now.at(id));
      lines.insert(lines.end(), diff.lines.begin(), diff.lines.end());
    }
  }
  return lines;
}

}  // namespace hlo::conformance
