#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "backends/cpu/kernels/moves/gather_elements.h"
#include "backends/cpu/kernels/moves/move_windows.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// The windows of a gather or a scatter, for any indices.
class IndexedWindows {
 public:
  /// Those whose list is the result.
  static IndexedWindows of_gather(const Instruction& gather);
  /// Those whose list is the updates.
  static IndexedWindows of_scatter(const Instruction& scatter);

  /// The windows at those indices. One that reaches over an end of the array
  /// is moved back (gather) or left out (scatter). What is returned refers to
  /// this object and to the indices.
  WindowList at(const std::byte* indices) const;

  /// Those of a gather whose windows are one element each, numbered by one
  /// index after the other; nullopt of others.
  std::optional<ElementIndices> elements_at(const std::byte* indices) const;

 private:
  /// A dimension that numbers windows.
  struct Number {
    int64_t size = 1;
    int64_t in_indices = 0;
    int64_t in_list = 0;
    int64_t in_array = 0;  // of a batching dimension
  };

  /// A number of the index vectors.
  struct Component {
    int64_t in_indices = 0;
    int64_t room = 0;  // the last start
    int64_t stride = 0;
  };

  /// A dimension of windows.
  struct Extent {
    int64_t size = 1;
    int64_t in_array = 0;
    int64_t in_list = 0;
  };

  /// What the two operations say under different names.
  struct Names {
    const char* window_dims;
    const char* dropped_dims;
    const char* index_map;
    const char* batching_dims;
    const char* index_batching_dims;
  };

  IndexedWindows(const Instruction& instruction, const Names& names,
                 const Shape& list, bool moves_back);
  void add_numbers(const Instruction& instruction, const Names& names,
                   const Shape& list);
  void add_components(const Instruction& instruction, const Names& names);
  void add_extents(const Instruction& instruction, const Names& names,
                   const Shape& list);
  void make_runs(WindowList& list) const;
  static void spread(std::vector<WindowRun>& runs, const Extent& extent);
  template <typename T>
  void find(const T* indices, int64_t first, int64_t last, int64_t* starts,
            int64_t* places) const;
  template <typename T>
  void find_beside(const T* indices, const Number& first, int64_t count,
                   int64_t* starts, int64_t* places) const;
  template <typename T>
  int64_t start(const T* indices, int64_t begin) const;

  std::vector<Number> numbers_;
  std::vector<Component> components_;
  std::vector<Extent> extents_;        // with more than one element
  std::vector<int64_t> window_sizes_;  // by dimension of the array
  ElementType index_type_ = ElementType::kS32;
  bool moves_back_ = false;
  bool disjoint_ = false;  // of WindowList
};

}  // namespace hlo::cpu
