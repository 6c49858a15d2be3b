#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/case/case_files.h"
#include "conformance/case/case_program.h"
#include "conformance/case/testing/takes_case.h"
#include "conformance/certify/certify.h"
#include "conformance/levels/profile_text.h"
#include "interpreter/evaluate.h"

namespace hlo::conformance {
namespace {

constexpr Place kReach = 3;  // codes on both sides of an argument

/// Each real number may be some codes off, each NaN any one; integers stay.
SetTree loosened(const Literal& argument) {
  SetTree array = SetTree::known(argument);
  if (!argument.shape().is_array() || !is_float(argument.type())) return array;
  const ElementType type = argument.type();
  for (int64_t i = 0; i < argument.element_count(); ++i) {
    ValueSet set = ValueSet::of(argument.at(i).bits[0], type);
    if (set.has_numbers()) {
      set.add(Places{std::max(set.low() - kReach, least_place(type)),
                     std::min(set.high() + kReach, greatest_place(type))});
    }
    array.sets.push_back(set);
  }
  return array;
}

Literal drawn(const SetTree& argument, std::mt19937_64& random) {
  Literal literal = argument.value;
  for (int64_t i = 0; i < std::ssize(argument.sets); ++i) {
    const ValueSet set = argument.at(i);
    if (!set.has_numbers()) continue;
    const Places range{set.low(), set.high()};
    const Place place = place_above(range, random() % (distance(range) + 1));
    literal.set(i, {.type = literal.type(),
                    .bits = {code_at(place, literal.type()), 0}});
  }
  return literal;
}

struct Tally {
  int64_t cases = 0;
  int64_t refused = 0;
  int64_t certified = 0;  // elements of leaves that are not unknown
  int64_t outside = 0;
  std::string example;
};

void compare(Tally& tally, const SetTree& certified, const Literal& result,
             const std::string& id) {
  const std::vector<Literal> leaves = array_leaves(result);
  const std::vector<const SetTree*> sets = array_leaves_of(certified);
  ASSERT_EQ(leaves.size(), sets.size()) << id;
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (sets[k]->is_unknown() || is_complex(leaves[k].type())) continue;
    for (int64_t i = 0; i < leaves[k].element_count(); ++i) {
      const uint64_t code = leaves[k].at(i).bits[0];
      ++tally.certified;
      if (sets[k]->at(i).contains(code, leaves[k].type())) continue;
      ++tally.outside;
      tally.example =
          fmt::format("{} leaf {} element {}: {:x} is not in {}", id, k, i,
                      code, describe(sets[k]->at(i), leaves[k].type()));
    }
  }
}

constexpr int64_t kWork = int64_t{1} << 50;  // as long as a case takes

using DeviceSets = std::vector<std::vector<SetTree>>;

/// Arguments out of the sets, of all devices or each.
std::vector<std::vector<Literal>> drawn(const DeviceSets& arguments,
                                        std::mt19937_64& random) {
  std::vector<std::vector<Literal>> lists;
  for (const std::vector<SetTree>& list : arguments) {
    std::vector<Literal>& own = lists.emplace_back();
    for (const SetTree& x : list) own.push_back(drawn(x, random));
  }
  return lists;
}

/// The sets of each device's result; none of operations that hand on what they
/// got from elsewhere.
std::vector<SetTree> certified(const Module& module,
                               const DeviceSets& arguments,
                               const std::string& profile) {
  try {
    return certify_devices(
        module, arguments,
        {.profile = parse_profile(profile), .max_work = kWork});
  } catch (const Error& error) {
    if (error.rule() != "evaluate.undefined") throw;
    return {};
  }
}

void try_case(Tally& tally, const Case& c) {
  const Module module = case_module(c);
  DeviceSets arguments;
  for (const auto& list : device_arguments(module, c.inputs)) {
    std::vector<SetTree>& own = arguments.emplace_back();
    for (const Literal& x : list) {
      if (x.shape().is_tuple()) return;
      own.push_back(loosened(x));
    }
  }
  const std::vector<SetTree> gate = certified(module, arguments, "tight");
  const std::vector<SetTree> relaxed = certified(module, arguments, "relaxed");
  if (gate.empty()) {
    ++tally.refused;
    return;
  }
  ++tally.cases;
  std::mt19937_64 random(31);
  for (int n = 0; n < 2; ++n) {
    const std::vector<Literal> results =
        evaluate_devices(module, drawn(arguments, random)).results;
    ASSERT_EQ(results.size(), gate.size()) << c.id;
    for (size_t device = 0; device < results.size(); ++device) {
      compare(tally, gate[device], results[device], c.id);
      compare(tally, relaxed[device], results[device], c.id + " relaxed");
    }
  }
}

// The reference, given arguments out of their sets, stays in the sets of the
// result: of every case with values, and of some custom-calls.
TEST(Cases, StayInTheSetsOfLoosenedArguments) {
  const std::string folder =
      std::string(ASSAY_SOURCE_DIR) + "/conformance/vectors";
  std::map<std::string, Tally> tallies;
  int64_t calls = 0;
  for (const std::string& file : case_files({folder})) {
    for (const Case& c : load_cases(file)) {
      if (!takes_case(c)) continue;
      const bool rejected =
          std::ranges::any_of(c.expect, [](const Expectation& set) {
            return std::holds_alternative<RejectedSet>(set);
          });
      const std::string operation = c.id.substr(0, c.id.find('/'));
      // The sets of functions without an opcode take MPFR a minute.
      const bool is_slow = operation == "custom-call" && ++calls % 4 != 0;
      if (!rejected && !is_slow) try_case(tallies[operation], c);
    }
  }
  for (const auto& [operation, tally] : tallies) {
    EXPECT_EQ(tally.outside, 0) << tally.example;
    fmt::print("{:<24} {:>5} cases {:>9} certified elements, {} refused\n",
               operation, tally.cases, tally.certified, tally.refused);
  }
}

}  // namespace
}  // namespace hlo::conformance
