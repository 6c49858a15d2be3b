#include <algorithm>
#include <cstring>
#include <numeric>

#include "interpreter/error.h"
#include "interpreter/plans/region/gather_lanes.h"
#include "interpreter/plans/region/program.h"
#include "interpreter/run/steps.h"

namespace hlo {
namespace {

using Arrays = std::vector<std::vector<std::byte>>;

Arrays arrays_of(const std::vector<ElementType>& types, int64_t capacity) {
  Arrays arrays;
  for (const ElementType type : types) {
    arrays.emplace_back(static_cast<size_t>(capacity * storage_bytes(type)));
  }
  return arrays;
}

std::vector<const std::byte*> sources(const Arrays& arrays) {
  std::vector<const std::byte*> found;
  for (const auto& array : arrays) found.push_back(array.data());
  return found;
}

std::vector<std::byte*> targets(Arrays& arrays) {
  std::vector<std::byte*> found;
  for (auto& array : arrays) found.push_back(array.data());
  return found;
}

int64_t count(const std::vector<int64_t>& positions) {
  return static_cast<int64_t>(positions.size());
}

/// The numbers of the elements with that answer.
std::vector<int64_t> answering(const std::vector<std::byte>& answers, int64_t n,
                               bool answer) {
  std::vector<int64_t> found;
  for (int64_t i = 0; i < n; ++i) {
    const bool given = answers[static_cast<size_t>(i)] != std::byte{0};
    if (given == answer) found.push_back(i);
  }
  return found;
}

/// from[at[0]], from[at[1]], ...
std::vector<int64_t> pick(const std::vector<int64_t>& from,
                          const std::vector<int64_t>& at) {
  std::vector<int64_t> found(at.size());
  std::ranges::transform(at, found.begin(), [&](int64_t i) {
    return from[static_cast<size_t>(i)];
  });
  return found;
}

/// The branch that element i takes: true is 0, an index out of range the last.
size_t branch_of(const std::byte* selector, ElementType type, int64_t i,
                 size_t branches) {
  if (type == ElementType::kPred) return selector[i] != std::byte{0} ? 0 : 1;
  int32_t index = 0;
  std::memcpy(&index, selector + i * 4, sizeof index);
  const auto wanted = static_cast<size_t>(index);
  return index < 0 || wanted >= branches ? branches - 1 : wanted;
}

/// The numbers of the elements that take `branch`.
std::vector<int64_t> taking(size_t branch, const std::byte* selector,
                            ElementType type, int64_t n, size_t branches) {
  std::vector<int64_t> found;
  for (int64_t i = 0; i < n; ++i) {
    if (branch_of(selector, type, i, branches) == branch) found.push_back(i);
  }
  return found;
}

}  // namespace

bool Program::has_loops() const {
  return std::ranges::any_of(controls_, [](const Control& control) {
    return control.is_loop ||
           std::ranges::any_of(control.regions, &Program::has_loops);
  });
}

ElementType Program::type_of(uint32_t slot) const {
  const size_t inputs = inputs_.size();
  return slot < inputs ? inputs_[slot] : registers_[slot - inputs];
}

int Program::width_of(uint32_t slot) const {
  return storage_bytes(type_of(slot));
}

std::byte* Program::result(const Control& control, size_t k,
                           const Scratch& scratch) const {
  return scratch.registers_[control.results[k] - inputs_.size()];
}

Program::Scratch::Lanes Program::Scratch::lanes_of(const Program& program,
                                                   size_t control,
                                                   int64_t capacity) const {
  Lanes lanes;
  const Control& step = program.controls_[control];
  for (const Program& region : step.regions) {
    lanes.regions.emplace_back(region, capacity, max_turns_);
  }
  std::vector<ElementType> types;
  for (const uint32_t slot : step.operands) {
    types.push_back(program.type_of(slot));
  }
  lanes.values = arrays_of(types, capacity);
  lanes.results = arrays_of(step.regions[0].outputs(), capacity);
  return lanes;
}

/// The values of the elements that still turn stand side by side in
/// lanes.values.
void Program::run_loop(const Control& loop, Scratch& scratch,
                       Scratch::Lanes& lanes, int64_t n) const {
  lanes.positions.resize(static_cast<size_t>(n));
  std::iota(lanes.positions.begin(), lanes.positions.end(), 0);
  for (size_t k = 0; k < loop.operands.size(); ++k) {
    std::memcpy(lanes.values[k].data(), scratch.slots_[loop.operands[k]],
                static_cast<size_t>(n * width_of(loop.operands[k])));
  }
  for (int64_t turn = 0;; ++turn) {
    loop.regions[0].run(lanes.regions[0], count(lanes.positions),
                        sources(lanes.values).data(),
                        targets(lanes.results).data());
    retire(loop, scratch, lanes);
    if (lanes.positions.empty()) return;
    require_steps(turn + 1, scratch.max_turns_);
    loop.regions[1].run(lanes.regions[1], count(lanes.positions),
                        sources(lanes.values).data(),
                        targets(lanes.values).data());
  }
}

/// Stores the values of those elements whose condition (lanes.results) is
/// false, and moves the others together.
void Program::retire(const Control& loop, Scratch& scratch,
                     Scratch::Lanes& lanes) const {
  const int64_t n = count(lanes.positions);
  const auto ended = answering(lanes.results[0], n, false);
  if (ended.empty()) return;
  const auto kept = answering(lanes.results[0], n, true);
  const auto places = pick(lanes.positions, ended);
  for (size_t k = 0; k < loop.results.size(); ++k) {
    const int width = width_of(loop.results[k]);
    lanes.moved.resize(lanes.values[k].size());
    gather_elements(width, lanes.values[k].data(), ended, lanes.moved.data());
    spread_elements(width, lanes.moved.data(), places,
                    result(loop, k, scratch));
    gather_elements(width, lanes.values[k].data(), kept, lanes.moved.data());
    lanes.values[k].swap(lanes.moved);
  }
  lanes.positions = pick(lanes.positions, kept);
}

void Program::run_branches(const Control& conditional, Scratch& scratch,
                           Scratch::Lanes& lanes, int64_t n) const {
  const uint32_t selector = conditional.operands[0];
  size_t argument = 1;
  for (size_t b = 0; b < conditional.regions.size(); ++b) {
    lanes.positions = taking(b, scratch.slots_[selector], type_of(selector), n,
                             conditional.regions.size());
    if (!lanes.positions.empty()) {
      run_branch(conditional, b, argument, scratch, lanes);
    }
    argument += conditional.regions[b].inputs().size();
  }
}

void Program::run_branch(const Control& conditional, size_t branch,
                         size_t argument, Scratch& scratch,
                         Scratch::Lanes& lanes) const {
  const Program& region = conditional.regions[branch];
  std::vector<const std::byte*> inputs;
  for (size_t k = argument; k < argument + region.inputs().size(); ++k) {
    const uint32_t slot = conditional.operands[k];
    gather_elements(width_of(slot), scratch.slots_[slot], lanes.positions,
                    lanes.values[k].data());
    inputs.push_back(lanes.values[k].data());
  }
  region.run(lanes.regions[branch], count(lanes.positions), inputs.data(),
             targets(lanes.results).data());
  for (size_t k = 0; k < conditional.results.size(); ++k) {
    spread_elements(width_of(conditional.results[k]), lanes.results[k].data(),
                    lanes.positions, result(conditional, k, scratch));
  }
}

}  // namespace hlo
