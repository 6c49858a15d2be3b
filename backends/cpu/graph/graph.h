#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "backends/cpu/kernels/fold.h"
#include "backends/cpu/kernels/routine.h"
#include "backends/cpu/kernels/tiles/tile_program.h"
#include "backends/cpu/kernels/view.h"
#include "backends/cpu/kernels/windows.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// An array in memory, dense and row-major, or a token, which takes none.
struct Value {
  Shape shape;
  size_t bytes = 0;
  int64_t argument = -1;             // the leaf of the parameters that it is
  const Literal* literal = nullptr;  // the constant that it is
  int64_t node = -1;                 // the node that computes it
};

/// A value as it is read.
struct Operand {
  size_t value = 0;
  View view;

  /// Whether it is the whole value, in its order.
  bool is_whole() const { return view.offset == 0 && view.is_contiguous(); }
};

enum class NodeKind : uint8_t {
  kFunction,     // whatever the instruction is
  kMap,          // one operation on each element
  kCopy,         // the operand's elements, row-major
  kProduct,      // batches of matrices: dot
  kConvolution,  // dense ones and depthwise ones of f32
  kFold,         // reduce
  kFoldWindows,  // reduce-window
  kSlice,        // dynamic-slice
  kConcatenate,
  kUpdate,   // dynamic-update-slice, of an array in its order
  kLoop,     // while, by plans of its computations
  kRoutine,  // what a routine runs
};

/// A computation of values from values.
struct Node {
  NodeKind kind = NodeKind::kFunction;
  const Instruction* instruction = nullptr;  // none of kCopy, and of kMap
                                             // that converts for others
  std::vector<Operand> operands;  // of kFunction the leaves of all operands
  std::vector<size_t> results;
  LaneOp op;                               // of kMap; the code alone
  Fold fold = Fold::kAdd;                  // of kFold and kFoldWindows
  std::vector<WindowLine> windows;         // of kConvolution and kFoldWindows
  std::shared_ptr<const Routine> routine;  // of kRoutine
};

/// What a computation computes, without calls, tuples and what only looks at
/// values another way.
struct Graph {
  std::vector<Value> values;
  std::vector<Node> nodes;  // each after what it reads
  std::vector<Operand> results;

  size_t add_value(const Shape& shape);
  /// Adds a node with one array as its result.
  Operand add_node(Node node, const Shape& result);
  /// The operand as an array of its own, copied where it is not one.
  void make_contiguous(Operand& operand);
  /// Leaves out what nothing reads, but for functions: they may do
  /// something else, or not end.
  void drop_unread_nodes();
};

}  // namespace hlo::cpu
