#include "backends/tpu/program/layout_plan.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "backends/backend.h"
#include "backends/tpu/program/assign_layout.h"
#include "backends/tpu/program/carried_layout.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/devices/parallel_programs.h"
#include "interpreter/rules/float_types.h"

namespace hlo::tpu {
namespace {

/// Whether the machine runs the computations that the instruction names, with
/// arrays of their own, before it goes on.
bool runs_computations(const Instruction& instruction) {
  const Form form = instruction.op->form;
  return instruction.op->communicate == nullptr &&
         (form == Form::kCall || form == Form::kBranches ||
          form == Form::kLoop || form == Form::kScan);
}

/// Whether it combines whole arrays of several devices by a computation.
bool combines_arrays(const Instruction& instruction) {
  return instruction.op->communicate != nullptr &&
         instruction.find("to_apply") != nullptr &&
         !callee_of(instruction).root->shape.is_scalar();
}

/// Whether it runs them beside the program, or on devices of their own.
bool begins_computations(const Instruction& instruction) {
  return (instruction.op->communicate != nullptr &&
          instruction.find("calls") != nullptr) ||
         combines_arrays(instruction) || is_run_parallel(instruction);
}

/// In the order of the module, which has callees before their callers.
Computations run_by(const Module& module) {
  std::set<const Computation*> found = {module.entry};
  Computations run;
  for (size_t k = module.computations.size(); k-- > 0;) {
    Computation* const computation = module.computations[k].get();
    if (!found.contains(computation)) continue;
    run.insert(run.begin(), computation);
    for (const auto& instruction : computation->instructions) {
      if (!runs_computations(*instruction) &&
          !begins_computations(*instruction)) {
        continue;
      }
      const Computations called = called_by(*instruction);
      found.insert(called.begin(), called.end());
    }
  }
  return run;
}

/// Whether registers of the operands meet those of the result lane by lane.
bool meets_lanes(const Instruction& instruction) {
  const Op& op = *instruction.op;
  return (op.element != nullptr || op.form == Form::kMap) &&
         op.form != Form::kIdentity && op.cells == nullptr &&
         op.terms == nullptr && instruction.shape.is_array() &&
         !instruction.shape.has_dynamic_dimensions() &&
         std::ranges::none_of(instruction.operands, [](const auto* operand) {
           return operand->shape.has_dynamic_dimensions();
         });
}

/// What a loop asks before each turn gives no part of its result.
bool is_condition(const Instruction& caller, const Computation& called) {
  return caller.op->form == Form::kLoop &&
         caller.get<Computation*>("condition") == &called;
}

bool have_same_lanes(const Shape& a, const Shape& b) {
  return a.layout->minor_to_major == b.layout->minor_to_major &&
         a.layout->tiles == b.layout->tiles;
}

/// The layouts of arrays in the order of leaves, in which tokens count, too.
Leaves stated(const std::vector<const Shape*>& leaves, const Shape*& next) {
  Leaves arrays;
  for (const Shape* leaf : leaves) {
    arrays.push_back(*leaf);
    if (!leaf->is_array()) continue;
    const Shape& array = *next++;
    arrays.back().layout =
        array.layout ? array.layout : default_layout(array.rank());
  }
  return arrays;
}

size_t leaves_before(const Shape& tuple, int64_t element) {
  size_t count = 0;
  for (int64_t k = 0; k < element; ++k) {
    count += leaves(tuple.tuple_shapes[static_cast<size_t>(k)]).size();
  }
  return count;
}

}  // namespace

LayoutPlan::LayoutPlan(const Module& module, const Generation& generation)
    : generation_(&generation), computations_(run_by(module)) {
  const std::vector<Shape> arguments = argument_shapes(module);
  const Shape* next = arguments.data();
  for (const Instruction* parameter : module.entry->parameters) {
    leaves_[parameter] = stated(leaves(parameter->shape), next);
  }
  for (const Computation* computation : computations_) plan(*computation);
  const Instruction& root = *module.entry->root;
  const std::vector<Shape> results = result_shapes(module);
  const Shape* result = results.data();
  copy_leaves(root, leaves_of(root), stated(leaves(root.shape), result),
              nullptr);
}

void LayoutPlan::plan(const Computation& computation) {
  find_readers(computation);
  for (const auto& instruction : computation.instructions) {
    if (!leaves_.contains(instruction.get())) {
      leaves_[instruction.get()] = chosen(*instruction);
    }
    if (meets_lanes(*instruction)) lead(*instruction);
    find_copies(*instruction);
  }
}

/// The caller of the computation is a reader of its root, which is no
/// instruction here: null.
void LayoutPlan::find_readers(const Computation& computation) {
  for (const auto& instruction : computation.instructions) {
    for (const Instruction* operand : instruction->operands) {
      readers_[operand].push_back(instruction.get());
    }
  }
  readers_[computation.root].push_back(nullptr);
}

bool LayoutPlan::follows_reader(const Instruction& instruction) const {
  const auto found = readers_.find(&instruction);
  return fills_any_layout(instruction) && found != readers_.end() &&
         found->second.size() == 1 && found->second[0] != nullptr &&
         meets_lanes(*found->second[0]) && !is_asked_for(instruction.shape);
}

/// Gives what follows an element-wise operation its layout.
void LayoutPlan::lead(const Instruction& reader) {
  const Shape& result = leaves_of(reader).at(0);
  for (const Instruction* operand : reader.operands) {
    if (!same_dims(operand->shape, result) || result.layout->tiles.empty() ||
        !follows_reader(*operand)) {
      continue;
    }
    leaves_[operand] = {placed_like(*generation_, operand->shape, result)};
  }
}

/// Whether an element-wise reader meets the operand in that layout: as it does
/// its other operands, or as these follow it.
bool LayoutPlan::takes(const Instruction& reader, const Instruction& operand,
                       const Shape& as) const {
  if (is_asked_for(reader.shape)) {
    return have_same_lanes(
        as, placed_like(*generation_, operand.shape, reader.shape));
  }
  const Shape result = placed_like(*generation_, reader.shape, as);
  return std::ranges::all_of(reader.operands, [&](const Instruction* other) {
    if (other == &operand || !same_dims(other->shape, result) ||
        follows_reader(*other)) {
      return true;
    }
    const auto found = leaves_.find(other);
    return found != leaves_.end() &&
           have_same_lanes(found->second.at(0),
                           placed_like(*generation_, other->shape, result));
  });
}

/// Whether no reader needs a copy of the instruction's array in that layout
/// that it would not need in any.
bool LayoutPlan::is_taken(const Instruction& instruction,
                          const Shape& as) const {
  const auto found = readers_.find(&instruction);
  if (found == readers_.end()) return true;
  return std::ranges::all_of(found->second, [&](const Instruction* reader) {
    if (reader == nullptr) return false;
    if (meets_lanes(*reader)) return takes(*reader, instruction, as);
    const Form form = reader->op->form;
    return reader->op->communicate == nullptr && !runs_computations(*reader) &&
           form != Form::kTuple && form != Form::kIdentity &&
           form != Form::kForeign;
  });
}

/// The result of an operation that reads any layout and gives any.
Leaves LayoutPlan::moved(const Instruction& instruction) const {
  if (instruction.operands.empty() || is_asked_for(instruction.shape) ||
      !instruction.operands[0]->shape.is_array()) {
    return assigned(instruction.shape);
  }
  const auto carried = carried_layout(
      *generation_, instruction, leaves_of(*instruction.operands[0]).at(0));
  if (carried && is_taken(instruction, *carried)) return {*carried};
  const auto met = met_by_reader(instruction);
  if (met && is_taken(instruction, *met)) return {*met};
  return assigned(instruction.shape);
}

/// The layout of what an element-wise reader takes beside a product or a fold,
/// where the assigned one pads as much.
std::optional<Shape> LayoutPlan::met_by_reader(
    const Instruction& instruction) const {
  const auto found = readers_.find(&instruction);
  const bool gives_any =
      instruction.op->terms != nullptr || instruction.op->cells != nullptr;
  if (!gives_any || !instruction.shape.is_array() ||
      instruction.shape.rank() < 2 || found == readers_.end()) {
    return std::nullopt;
  }
  const int64_t least =
      slots_in_tiles(with_assigned_layout(*generation_, instruction.shape));
  for (const Instruction* reader : found->second) {
    if (reader == nullptr || !meets_lanes(*reader)) continue;
    for (const Instruction* other : reader->operands) {
      const auto leaf = leaves_.find(other);
      if (leaf == leaves_.end() ||
          !same_dims(other->shape, instruction.shape) ||
          leaf->second.at(0).layout->tiles.empty()) {
        continue;
      }
      Shape met =
          placed_like(*generation_, instruction.shape, leaf->second.at(0));
      if (slots_in_tiles(met) <= least) return met;
    }
  }
  return std::nullopt;
}

Leaves LayoutPlan::assigned(const Shape& shape) const {
  Leaves all;
  for (const Shape* leaf : leaves(shape)) {
    all.push_back(leaf->is_array() ? placed(*generation_, *leaf) : *leaf);
  }
  return all;
}

Leaves LayoutPlan::chosen(const Instruction& instruction) const {
  switch (instruction.op->form) {
    case Form::kIdentity:
    case Form::kTuple:
    case Form::kElement:
      return handed_on(instruction);
    case Form::kCall:
      return runs_computations(instruction)
                 ? leaves_of(*callee_of(instruction).root)
                 : assigned(instruction.shape);
    default:
      return meets_lanes(instruction) ? Leaves{met_by_lanes(instruction)}
                                      : moved(instruction);
  }
}

Leaves LayoutPlan::handed_on(const Instruction& instruction) const {
  if (instruction.op->form == Form::kTuple) return joined(instruction);
  const Instruction& first = *instruction.operands[0];
  const Leaves& given = leaves_of(first);
  if (instruction.op->form == Form::kElement) {
    const auto index = instruction.get<int64_t>("index");
    const auto begin = given.begin() + static_cast<std::ptrdiff_t>(
                                           leaves_before(first.shape, index));
    return {begin, begin + std::ssize(leaves(instruction.shape))};
  }
  const bool is_kept = same_types(instruction.shape, first.shape) &&
                       !is_asked_for(instruction.shape);
  return is_kept ? given : assigned(instruction.shape);
}

/// Those of all operands.
Leaves LayoutPlan::joined(const Instruction& instruction) const {
  Leaves all;
  for (const Instruction* operand : instruction.operands) {
    const Leaves& each = leaves_of(*operand);
    all.insert(all.end(), each.begin(), each.end());
  }
  return all;
}

/// The result of an element-wise operation.
Shape LayoutPlan::met_by_lanes(const Instruction& instruction) const {
  const Shape& result = instruction.shape;
  if (is_asked_for(result)) return result;
  std::vector<Shape> votes;
  for (const Instruction* operand : instruction.operands) {
    if (!same_dims(operand->shape, result) || follows_reader(*operand)) {
      continue;
    }
    const Shape& leaf = leaves_of(*operand).at(0);
    if (leaf.layout->tiles.empty()) continue;
    votes.push_back(placed_like(*generation_, result, leaf));
  }
  if (votes.empty()) return with_assigned_layout(*generation_, result);
  return *std::ranges::max_element(votes, {}, [&](const Shape& vote) {
    return std::ranges::count(votes, vote);
  });
}

void LayoutPlan::find_copies(const Instruction& instruction) {
  if (meets_lanes(instruction)) {
    copy_operands(instruction);
  } else if (runs_computations(instruction)) {
    copy_arguments(instruction);
  }
}

void LayoutPlan::copy_operands(const Instruction& instruction) {
  const Shape& result = leaves_of(instruction).at(0);
  for (size_t k = 0; k < instruction.operands.size(); ++k) {
    const Instruction& operand = *instruction.operands[k];
    const Shape& from = leaves_of(operand).at(0);
    // The one element of a scalar is in lane 0 of any layout.
    if (from.rank() == 0 || !same_dims(from, result)) continue;
    const Shape to = placed_like(*generation_, from, result);
    if (!have_same_lanes(from, to)) read_from_copy(instruction, k, to);
  }
}

/// One copy for all who read the operand in that layout.
void LayoutPlan::read_from_copy(const Instruction& reader, size_t k,
                                const Shape& to) {
  const Instruction& operand = *reader.operands[k];
  auto copy = std::ranges::find_if(copies_, [&](const LayoutCopy& each) {
    return each.is_kept && each.value == &operand && each.to == to;
  });
  if (copy == copies_.end()) {
    copies_.push_back({.value = &operand,
                       .from = leaves_of(operand).at(0),
                       .to = to,
                       .reader = &reader,
                       .last = &reader,
                       .is_kept = true});
    copy = std::prev(copies_.end());
  }
  copy->last = &reader;
  read_[{&reader, k}] = &*copy;
}

/// A call's or a branch's argument, which is copied before the computation
/// takes it, where it is an array.
void LayoutPlan::copy_argument(const Instruction& caller, size_t k,
                               const Instruction& parameter) {
  const Instruction& operand = *caller.operands[k];
  const Leaves& from = leaves_of(operand);
  const Leaves& to = leaves_of(parameter);
  const bool is_kept =
      operand.shape.is_array() &&
      (caller.op->form == Form::kCall || caller.op->form == Form::kBranches) &&
      same_dims(from.at(0), to.at(0));
  if (!is_kept) return copy_leaves(operand, from, to, &caller);
  if (from[0].layout == to[0].layout) return;
  Shape shape = from[0];
  shape.layout = to[0].layout;
  read_from_copy(caller, k, shape);
}

void LayoutPlan::copy_arguments(const Instruction& instruction) {
  const Computations called = called_by(instruction);
  const bool chooses = instruction.op->form == Form::kBranches;
  for (size_t c = 0; c < called.size(); ++c) {
    const auto& parameters = called[c]->parameters;
    for (size_t k = 0; k < parameters.size(); ++k) {
      copy_argument(instruction, chooses ? c + 1 : k, *parameters[k]);
    }
    if (is_condition(instruction, *called[c])) continue;
    const Instruction& root = *called[c]->root;
    copy_leaves(root, leaves_of(root), leaves_of(instruction), &instruction);
  }
}

void LayoutPlan::copy_leaves(const Instruction& value, const Leaves& from,
                             const Leaves& to, const Instruction* reader) {
  for (size_t k = 0; k < from.size(); ++k) {
    if (!from[k].is_array() || from[k].layout == to[k].layout ||
        !same_dims(from[k], to[k])) {
      continue;
    }
    Shape shape = from[k];
    shape.layout = to[k].layout;
    copies_.push_back({&value, from[k], shape, reader, reader});
  }
}

const LayoutCopy* LayoutPlan::copy_of(const Instruction& reader,
                                      size_t operand) const {
  const auto found = read_.find({&reader, operand});
  return found == read_.end() ? nullptr : found->second;
}

}  // namespace hlo::tpu
