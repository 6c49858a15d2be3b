#include "interpreter/plans/region/program.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>

#include "interpreter/plans/region/gather_lanes.h"
#include "interpreter/plans/region/work_meter.h"
#include "interpreter/rules/work.h"

namespace hlo {
namespace {

constexpr size_t kAlignment = 64;

size_t register_bytes(ElementType type, int64_t capacity) {
  const auto bytes = static_cast<size_t>(capacity * storage_bytes(type));
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

void copy_elements(std::byte* to, const std::byte* from, size_t width,
                   int64_t n) {
  if (n == 1 && width == 4) {
    std::memmove(to, from, 4);
  } else if (n == 1 && width == 8) {
    std::memmove(to, from, 8);
  } else if (n == 1 && width == 1) {
    *to = *from;
  } else {
    std::memmove(to, from, width * static_cast<size_t>(n));
  }
}

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

Program::Scratch::Scratch(const Program& program, int64_t capacity,
                          WorkMeter& meter, bool single)
    : meter_(&meter),
      single_(single),
      work_(program.work_ * (single ? kWorkOfTurn : 1)),
      work_of_run_(single ? 0 : program.work_ * kWorkOfRun) {
  size_t total = kAlignment;
  for (const ElementType type : program.registers_) {
    total += register_bytes(type, capacity);
  }
  storage_ = std::make_unique<std::byte[]>(total);
  void* begin = storage_.get();
  std::align(kAlignment, total - kAlignment, begin, total);
  auto* next = static_cast<std::byte*>(begin);
  slots_.resize(program.inputs_.size());
  for (const ElementType type : program.registers_) {
    registers_.push_back(next);
    slots_.push_back(next);
    next += register_bytes(type, capacity);
  }
  for (const Constant& constant : program.constants_) {
    std::byte* values = registers_[constant.slot - program.inputs_.size()];
    const std::span<const std::byte> value = constant.value->bytes();
    for (int64_t i = 0; i < capacity; ++i) {
      std::memcpy(values, value.data(), value.size());
      values += value.size();
    }
  }
  for (size_t i = 0; i < program.controls_.size(); ++i) {
    lanes_.push_back(lanes_of(program, i, capacity));
  }
}

void Program::run(Scratch& scratch, int64_t n, const std::byte* const* inputs,
                  std::byte* const* outputs) const {
  static constexpr std::array<bool, kMaxOperands> kNoSplat{};
  scratch.meter_->count(n * scratch.work_ + scratch.work_of_run_);
  const size_t first_register = inputs_.size();
  for (size_t k = 0; k < first_register; ++k) scratch.slots_[k] = inputs[k];
  const std::byte* const* slots = scratch.slots_.data();
  for (const Step& step : steps_) {
    if (step.kernel == nullptr) {
      const Control& control = controls_[step.result];
      Scratch::Lanes& lanes = scratch.lanes_[step.result];
      control.is_loop ? run_loop(control, scratch, lanes, n)
                      : run_branches(control, scratch, lanes, n);
      continue;
    }
    const std::array<const std::byte*, kMaxOperands> operands = {
        slots[step.operands[0]], slots[step.operands[1]],
        slots[step.operands[2]]};
    step.kernel({step.instruction, operands.data(), kNoSplat.data(),
                 scratch.registers_[step.result - first_register], n});
  }
  for (const auto& [from, to] : copies_) {
    copy_elements(scratch.registers_[to - first_register], slots[from],
                  static_cast<size_t>(storage_bytes(inputs_[from])), n);
  }
  for (size_t k = 0; k < results_.size(); ++k) {
    copy_elements(outputs[k], slots[results_[k]],
                  static_cast<size_t>(storage_bytes(outputs_[k])), n);
  }
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
    lanes.regions.emplace_back(region, capacity, *meter_,
                               single_ || step.is_loop);
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
  while (true) {
    loop.regions[0].run(lanes.regions[0], count(lanes.positions),
                        sources(lanes.values).data(),
                        targets(lanes.results).data());
    retire(loop, scratch, lanes);
    if (lanes.positions.empty()) return;
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
