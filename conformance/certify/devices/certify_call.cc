#include "conformance/certify/devices/certify_call.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "backends/backend.h"
#include "conformance/certify/array/from_expectation.h"
#include "conformance/certify/rules/application.h"
#include "conformance/certify/rules/certify_fold.h"
#include "conformance/expect/collective_call.h"
#include "conformance/expect/expect_module.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/clone.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {
namespace {

using Results = std::map<int64_t, SetTree>;

std::vector<Literal> nominals_of(const std::vector<SetTree>& values) {
  std::vector<Literal> nominals;
  nominals.reserve(values.size());
  for (const SetTree& value : values) nominals.push_back(nominal_of(value));
  return nominals;
}

CollectiveCall nominal_call(const GroupCall& call) {
  CollectiveCall nominal{call.collective, call.grid, {}};
  for (const auto& [device, values] : call.brought) {
    nominal.operands[device] = nominals_of(values);
  }
  return nominal;
}

/// Whether `holds` is true of all that was brought.
bool all_brought(const GroupCall& call,
                 const std::function<bool(const SetTree&)>& holds) {
  return std::ranges::all_of(call.brought, [&](const auto& entry) {
    return std::ranges::all_of(entry.second, holds);
  });
}

/// The value of each member, made of the sets of its leaves.
SetTree with_leaves(const Literal& nominal, std::vector<SetTree> leaves) {
  if (!nominal.shape().is_tuple()) return std::move(leaves.at(0));
  SetTree tuple = SetTree::known(nominal);
  for (size_t k = 0; k < tuple.elements.size(); ++k) {
    tuple.elements[k] = std::move(leaves.at(k));
  }
  return tuple;
}

/// Follows one collective of a group.
class Call {
 public:
  Call(const GroupCall& call, const Profile& profile)
      : call_(call),
        profile_(profile),
        nominal_call_(nominal_call(call)),
        module_(module_of(nominal_call_)) {
    if (module_ == nullptr) {
      throw Error(Phase::kEvaluate, "evaluate.undefined",
                  "bounds cannot see what ends " + call.collective->name,
                  call.collective->location);
    }
    nominals_ = evaluate_devices(*module_, arguments_of(nominal_call_)).results;
  }

  Results results() const {
    if (all_brought(call_, &SetTree::is_known)) return of_known();
    const auto has_rule = [](const SetTree& value) {
      return !value.is_unknown() && value.value.shape().is_array() &&
             value.value.shape().dynamic.empty() &&
             !is_complex(value.value.type());
    };
    const size_t leaves = array_leaves(nominal(call_.members[0])).size();
    const bool is_plain = all_brought(call_, has_rule) &&
                          call_.collective->operands.size() == leaves;
    if (!is_plain || !keeps_types()) return nothing();
    return call_.collective->find("to_apply") != nullptr ? combined() : moved();
  }

 private:
  const Literal& nominal(int64_t device) const {
    return nominals_[static_cast<size_t>(device)];
  }

  /// Whether each result has the type of its operand: sets of another one are
  /// not rounded here.
  bool keeps_types() const {
    return std::ranges::equal(call_.brought.at(call_.members[0]),
                              array_leaves(nominal(call_.members[0])),
                              [](const SetTree& value, const Literal& result) {
                                return value.value.type() == result.type();
                              });
  }

  Results nothing() const {
    Results results;
    for (const int64_t device : call_.members) {
      std::string why = "nothing is known of " + call_.collective->name;
      for (const SetTree& value : call_.brought.at(device)) {
        if (value.is_unknown()) why = value.reason();
      }
      results[device] = SetTree::nothing(nominal(device), std::move(why));
    }
    return results;
  }

  Results of_known() const {
    const std::vector<Expectation> sets =
        expect_devices(*module_, arguments_of(nominal_call_),
                       /*observed=*/nullptr, profile_);
    const size_t each = sets.size() / nominals_.size();
    Results results;
    for (const int64_t device : call_.members) {
      const std::vector<Literal> values = array_leaves(nominal(device));
      std::vector<SetTree> leaves;
      for (size_t k = 0; k < each; ++k) {
        leaves.push_back(from_expectation(
            sets[static_cast<size_t>(device) * each + k], values[k]));
      }
      results[device] = with_leaves(nominal(device), std::move(leaves));
    }
    return results;
  }

  /// What the reducer makes of the elements that members brought, of each of
  /// whom a part for each where the result is scattered.
  Results combined() const {
    Results results;
    for (size_t i = 0; i < call_.members.size(); ++i) {
      const Literal& whole = nominal(call_.members[i]);
      const std::vector<Literal> values = array_leaves(whole);
      std::vector<SetTree> leaves;
      for (size_t k = 0; k < values.size(); ++k) {
        leaves.push_back(combined(values[k], i, k));
      }
      results[call_.members[i]] = with_leaves(whole, std::move(leaves));
    }
    return results;
  }

  SetTree combined(const Literal& nominal, size_t member, size_t k) const {
    const std::string why = "there is no rule for " + call_.collective->name;
    const auto& combiner = *call_.collective->get<Computation*>("to_apply");
    const Reducer reducer = recognize(combiner);
    const ElementType type = nominal.type();
    if (combiner.root->shape.element_type != type) {
      return SetTree::nothing(nominal, why);
    }
    SetTree result = SetTree::known(nominal);
    std::vector<ValueSet> terms;
    for (int64_t e = 0; e < nominal.element_count(); ++e) {
      const int64_t from = position(nominal, e, member, k);
      terms.clear();
      for (size_t j = 0; j < call_.members.size(); ++j) {
        terms.push_back(operand(j, k).at(from));
      }
      const auto set = joined({.reducer = reducer,
                               .terms = terms,
                               .operand = type,
                               .nominal = nominal.at(e)},
                              profile_);
      if (!set) return SetTree::nothing(nominal, why);
      result.sets.push_back(*set);
    }
    return widened(std::move(result), profile_);
  }

  const SetTree& operand(size_t member, size_t k) const {
    return call_.brought.at(call_.members[member])[k];
  }

  /// Where element e of the member's result lies in what each member brought.
  int64_t position(const Literal& nominal, int64_t e, size_t member,
                   size_t k) const {
    const AttributeValue* scattered = call_.collective->find("dimensions");
    if (scattered == nullptr) return e;
    const auto d = static_cast<size_t>(std::get<Ints>(*scattered)[0]);
    Index index = delinearize(e, nominal.shape().dims);
    index[d] += static_cast<int64_t>(member) * nominal.shape().dims[d];
    return linearize(index, operand(0, k).value.shape().dims);
  }

  /// Elements that are handed on: numbers in their places tell where each came
  /// from; a zero is one.
  Results moved() const {
    std::vector<const SetTree*> arrays;
    const std::vector<Literal> found = moved_labels(arrays);
    std::vector<int64_t> first = {1};
    for (const SetTree* array : arrays) {
      first.push_back(first.back() + array->value.element_count());
    }
    const size_t each = found.size() / nominals_.size();
    Results results;
    for (const int64_t device : call_.members) {
      const std::vector<Literal> values = array_leaves(nominal(device));
      std::vector<SetTree> leaves;
      for (size_t k = 0; k < each; ++k) {
        SetTree leaf = SetTree::known(values[k]);
        const Literal& labels = found[static_cast<size_t>(device) * each + k];
        for (int64_t e = 0; e < labels.element_count(); ++e) {
          const int64_t label = labels.integer(e);
          leaf.sets.push_back(label == 0 ? ValueSet::of(values[k].at(e).bits[0],
                                                        values[k].type())
                                         : labelled(label, first, arrays));
        }
        leaves.push_back(simplified(std::move(leaf)));
      }
      results[device] = with_leaves(nominal(device), std::move(leaves));
    }
    return results;
  }

  /// The set of the element with that number; array k begins with first[k].
  static ValueSet labelled(int64_t label, const std::vector<int64_t>& first,
                           const std::vector<const SetTree*>& arrays) {
    const auto after = std::ranges::upper_bound(first, label);
    const auto k = static_cast<size_t>(after - first.begin()) - 1;
    return arrays[k]->at(label - first[k]);
  }

  /// What the collective makes of numbers from 1 on in the places of all
  /// elements of `arrays`, of one member after the other.
  std::vector<Literal> moved_labels(std::vector<const SetTree*>& arrays) const {
    Module module = clone(*module_);
    for (const auto& instruction : module.entry->instructions) {
      instruction->shape = of_labels(instruction->shape);
    }
    const Instruction* root = module.entry->root;
    const bool ends = root->op->start != nullptr;
    CollectiveCall labels{ends ? root->operands[0] : root, call_.grid, {}};
    int64_t next = 1;
    for (const int64_t device : call_.members) {
      for (const SetTree& array : call_.brought.at(device)) {
        arrays.push_back(&array);
        Literal numbers(of_labels(array.value.shape()));
        for (int64_t e = 0; e < numbers.element_count(); ++e) {
          const auto label = static_cast<uint64_t>(next++);
          numbers.set(e, {.type = ElementType::kS64, .bits = {label, 0}});
        }
        labels.operands[device].push_back(std::move(numbers));
      }
    }
    return array_leaves(evaluate_devices(module, arguments_of(labels)).results);
  }

  /// The shape with numbers as the elements of its arrays.
  static Shape of_labels(const Shape& shape) {
    Shape result = shape;
    if (result.is_array()) result.element_type = ElementType::kS64;
    for (Shape& part : result.tuple_shapes) part = of_labels(part);
    return result;
  }

  const GroupCall& call_;
  const Profile& profile_;
  CollectiveCall nominal_call_;
  std::shared_ptr<const Module> module_;
  std::vector<Literal> nominals_;  // of all devices
};

}  // namespace

std::map<int64_t, SetTree> certify_call(const GroupCall& call,
                                        const Profile& profile) {
  return Call(call, profile).results();
}

}  // namespace hlo::conformance
