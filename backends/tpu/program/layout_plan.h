#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "backends/tpu/generations/generation.h"
#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::tpu {

/// The leaves of a value's shape, each array with its layout.
using Leaves = std::vector<Shape>;

/// An array that is copied to another layout, which the program does not say.
struct LayoutCopy {
  const Instruction* value = nullptr;  // whose leaf it is
  Shape from;
  Shape to;
  const Instruction* reader = nullptr;  // the first; null: who runs the program
  const Instruction* last = nullptr;    // the last
  bool is_kept = false;  // until then, for element-wise readers and calls
};

/// The layouts of all arrays of a program, chosen before it runs:
///  - parameters and results of the program, and arrays for which it asks for
///    a layout, have that;
///  - the result of an element-wise operation has the layout that most of its
///    operands have which lie in tiles, so that registers meet lane by lane;
///  - what only hands values on keeps their layouts;
///  - a transpose, a reshape that cuts no tile and what takes a part of an
///  array
///    keep the order that its dimensions had (carried_layout.h), where no other
///    pads less and all readers take it as it is;
///  - a product or a fold has the layout of what an element-wise reader takes
///    beside it, where no other pads less and all readers take it;
///  - what is filled from one element has the layout of an only reader that is
///    element-wise;
///  - everything else has the layout that pads least, as parameters of
///    computations have that others run.
/// Where a reader needs another layout than an array has, it is copied.
class LayoutPlan {
 public:
  /// The module and the generation outlive it.
  LayoutPlan(const Module& module, const Generation& generation);

  const Generation& generation() const { return *generation_; }

  /// Computations whose arrays have layouts, callees before their callers. What
  /// is applied to elements in registers is not among them.
  const Computations& computations() const { return computations_; }

  /// The leaves of an instruction of one of these computations.
  const Leaves& leaves_of(const Instruction& instruction) const {
    return leaves_.at(&instruction);
  }

  /// In the order in which they are first needed, by computation.
  const std::deque<LayoutCopy>& copies() const { return copies_; }

  /// The copy that an operand of an element-wise operation, a call or a branch
  /// is read from; null where it is read as it lies.
  const LayoutCopy* copy_of(const Instruction& reader, size_t operand) const;

 private:
  void plan(const Computation& computation);
  void find_readers(const Computation& computation);
  Leaves assigned(const Shape& shape) const;
  Leaves chosen(const Instruction& instruction) const;
  Leaves handed_on(const Instruction& instruction) const;
  Leaves joined(const Instruction& instruction) const;
  Leaves moved(const Instruction& instruction) const;
  bool is_taken(const Instruction& instruction, const Shape& as) const;
  bool takes(const Instruction& reader, const Instruction& operand,
             const Shape& as) const;
  Shape met_by_lanes(const Instruction& instruction) const;
  std::optional<Shape> met_by_reader(const Instruction& instruction) const;
  /// Whether its layout is that of its only reader.
  bool follows_reader(const Instruction& instruction) const;
  void lead(const Instruction& reader);
  void find_copies(const Instruction& instruction);
  void copy_operands(const Instruction& instruction);
  void read_from_copy(const Instruction& reader, size_t k, const Shape& to);
  void copy_arguments(const Instruction& instruction);
  void copy_argument(const Instruction& caller, size_t k,
                     const Instruction& parameter);
  /// Copies of leaves that are not as others shall be.
  void copy_leaves(const Instruction& value, const Leaves& from,
                   const Leaves& to, const Instruction* reader);

  const Generation* generation_;
  Computations computations_;
  std::map<const Instruction*, std::vector<const Instruction*>> readers_;
  std::map<const Instruction*, Leaves> leaves_;
  std::deque<LayoutCopy> copies_;
  std::map<std::pair<const Instruction*, size_t>, const LayoutCopy*> read_;
};

}  // namespace hlo::tpu
