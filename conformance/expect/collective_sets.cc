#include "conformance/expect/collective_sets.h"

#include "backends/backend.h"
#include "conformance/expect/sums/expect_fold.h"
#include "interpreter/devices/communication.h"
#include "interpreter/rules/float_types.h"
#include "interpreter/rules/reducer.h"

namespace hlo::conformance {
namespace {

/// The arrays that member `i` gets the combination of: operand k of each
/// member, or its part of them.
std::vector<Literal> arrays_of(const Meeting& meeting, size_t i, size_t k) {
  const AttributeValue* scattered = meeting.collective->find("dimensions");
  std::vector<Literal> arrays;
  for (const std::vector<Literal>& operands : meeting.operands) {
    arrays.push_back(scattered == nullptr
                         ? operands[k]
                         : part_of(operands[k], std::get<Ints>(*scattered)[0],
                                   static_cast<int64_t>(i),
                                   static_cast<int64_t>(meeting.size())));
  }
  return arrays;
}

}  // namespace

void CollectiveSets::see(const Meeting& meeting, bool is_known) {
  for (const int64_t device : meeting.devices) {
    known_[{meeting.collective, device}] = is_known;
  }
  const AttributeValue* combiner = meeting.collective->find("to_apply");
  if (combiner == nullptr) return;
  for (size_t i = 0; i < meeting.size(); ++i) {
    std::vector<Expectation>& sets =
        sets_[{meeting.collective, meeting.devices[i]}];
    sets.clear();
    const std::vector<Literal> results = array_leaves(meeting.results[i]);
    const std::vector<const Shape*> declared =
        leaves(meeting.collective->shape);
    const Computation& region = *std::get<Computation*>(*combiner);
    for (size_t k = 0; k < results.size(); ++k) {
      const bool combines_numbers = same_up_to_precision(
          meeting.operands[i][k].type(), region.root->shape.element_type);
      if (!is_known || !combines_numbers) {
        sets.emplace_back(UnspecifiedSet{
            "it depends on values that may differ between backends"});
      } else {
        sets.push_back(expect_members(
            region, arrays_of(meeting, i, k),
            with_float_type(results[k], declared.at(k)->element_type),
            /*observed=*/nullptr, profile_));
      }
    }
  }
}

bool CollectiveSets::is_known(const Instruction& collective,
                              int64_t device) const {
  const auto found = known_.find({&collective, device});
  return found != known_.end() && found->second;
}

const std::vector<Expectation>* CollectiveSets::find(
    const Instruction& collective, int64_t device) const {
  const auto found = sets_.find({&collective, device});
  return found == sets_.end() ? nullptr : &found->second;
}

}  // namespace hlo::conformance
