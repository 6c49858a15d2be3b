#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/fold_typed.h"
#include "interpreter/program.h"

namespace hlo {
namespace {

/// Moves elements of `width` bytes between a dense array and places.
template <typename T>
void gather(const std::byte* source, const std::vector<int64_t>& positions,
            std::byte* dense) {
  const auto* from = reinterpret_cast<const T*>(source);
  auto* to = reinterpret_cast<T*>(dense);
  for (size_t i = 0; i < positions.size(); ++i) to[i] = from[positions[i]];
}

template <typename T>
void spread(const std::byte* dense, const std::vector<int64_t>& positions,
            std::byte* target) {
  const auto* from = reinterpret_cast<const T*>(dense);
  auto* to = reinterpret_cast<T*>(target);
  for (size_t i = 0; i < positions.size(); ++i) to[positions[i]] = from[i];
}

struct Wide {
  uint64_t parts[2];
};

template <typename Body>
void with_storage(int bytes, Body body) {
  switch (bytes) {
    case 1:
      return body(uint8_t{});
    case 2:
      return body(uint16_t{});
    case 4:
      return body(uint32_t{});
    case 8:
      return body(uint64_t{});
    default:
      return body(Wide{});
  }
}

void gather(int bytes, const std::byte* source,
            const std::vector<int64_t>& positions, std::byte* dense) {
  with_storage(bytes, [&](auto element) {
    gather<decltype(element)>(source, positions, dense);
  });
}

void spread(int bytes, const std::byte* dense,
            const std::vector<int64_t>& positions, std::byte* target) {
  with_storage(bytes, [&](auto element) {
    spread<decltype(element)>(dense, positions, target);
  });
}

/// The elements under one cell of a run of result elements ("lanes").
class Cells {
 public:
  Cells(const Fold& fold, int64_t first, int64_t count)
      : fold_(fold), bases_(static_cast<size_t>(count), 0) {
    for (size_t lane = 0; lane < bases_.size(); ++lane) {
      add_lane(first + static_cast<int64_t>(lane), lane);
    }
  }

  /// Finds, for the cell, which lanes have an element and where.
  void find(const Index& cell) {
    positions_.clear();
    lanes_.clear();
    int64_t base = 0;
    for (size_t a = 0; a < cell.size(); ++a) {
      const FoldAxis& axis = fold_.axes[a];
      if (axis.is_full()) {
        base += cell[a] * axis.cell_step * axis.operand_stride;
      }
    }
    for (size_t lane = 0; lane < bases_.size(); ++lane) {
      const int64_t clipped = clipped_position(cell, lane);
      if (clipped < 0) continue;
      positions_.push_back(bases_[lane] + base + clipped);
      lanes_.push_back(static_cast<int64_t>(lane));
    }
  }

  const std::vector<int64_t>& positions() const { return positions_; }

  const std::vector<int64_t>& lanes() const { return lanes_; }

 private:
  /// The part of the position that does not depend on the cell, and the lane's
  /// places along the axes where cells may be missing.
  void add_lane(int64_t position, size_t lane) {
    for (const FoldAxis& axis : fold_.axes) {
      const int64_t place =
          axis.result_size == 1
              ? 0
              : position / axis.result_stride % axis.result_size;
      if (axis.is_full()) {
        bases_[lane] +=
            (place * axis.result_step + axis.offset) * axis.operand_stride;
      } else {
        places_.push_back(place);
      }
    }
  }

  /// -1 where the lane has no such cell.
  int64_t clipped_position(const Index& cell, size_t lane) const {
    if (places_.empty()) return 0;
    int64_t position = 0;
    size_t next = lane * (places_.size() / bases_.size());
    for (size_t a = 0; a < cell.size(); ++a) {
      const FoldAxis& axis = fold_.axes[a];
      if (axis.is_full()) continue;
      const int64_t p = axis.position(places_[next++], cell[a]);
      if (p < 0) return -1;
      position += p * axis.operand_stride;
    }
    return position;
  }

  const Fold& fold_;
  std::vector<int64_t> bases_;   // by lane
  std::vector<int64_t> places_;  // by lane, then by clipped axis
  std::vector<int64_t> positions_;
  std::vector<int64_t> lanes_;
};

/// Calls visit(cell) for the index of each cell, in order.
template <typename Visit>
void for_each_index(const Fold& fold, Visit visit) {
  Index cell(fold.axes.size(), 0);
  for (const FoldAxis& axis : fold.axes) {
    if (axis.cells == 0) return;
  }
  while (true) {
    visit(cell);
    size_t a = cell.size();
    while (a > 0 && ++cell[a - 1] == fold.axes[a - 1].cells) cell[--a] = 0;
    if (a == 0) return;
  }
}

using Buffers = std::vector<std::vector<std::byte>>;

/// The arrays of a run of lanes: accumulators, elements, and room to compact
/// accumulators where some lanes have no element.
class Lanes {
 public:
  Lanes(const Program& program, Operands operands, int64_t count)
      : program_(program),
        operands_(operands),
        inputs_(operands.size() / 2),
        scratch_(program, count) {
    for (size_t i = 0; i < inputs_; ++i) {
      accumulators_.push_back(buffer(program.inputs()[i], count));
      compact_.push_back(accumulators_.back());
      elements_.push_back(buffer(program.inputs()[inputs_ + i], count));
      const Literal init =
          Literal::splat(Shape::array(program.inputs()[i], {count}),
                         operands[inputs_ + i].scalar());
      std::ranges::copy(init.bytes(), accumulators_[i].begin());
    }
  }

  void step(const Cells& cells, int64_t count) {
    const auto n = static_cast<int64_t>(cells.lanes().size());
    if (n == 0) return;
    for (size_t i = 0; i < inputs_; ++i) {
      gather(width(inputs_ + i), operands_[i].bytes().data(), cells.positions(),
             elements_[i].data());
    }
    if (n == count) return run(accumulators_, n);
    for (size_t i = 0; i < inputs_; ++i) {
      gather(width(i), accumulators_[i].data(), cells.lanes(),
             compact_[i].data());
    }
    run(compact_, n);
    for (size_t i = 0; i < inputs_; ++i) {
      spread(width(i), compact_[i].data(), cells.lanes(),
             accumulators_[i].data());
    }
  }

  void store(std::byte* const* results, int64_t first) const {
    for (size_t i = 0; i < inputs_; ++i) {
      std::ranges::copy(accumulators_[i], results[i] + first * width(i));
    }
  }

 private:
  static std::vector<std::byte> buffer(ElementType type, int64_t count) {
    return std::vector<std::byte>(
        static_cast<size_t>(count * storage_bytes(type)));
  }

  int width(size_t input) const {
    return storage_bytes(program_.inputs()[input]);
  }

  void run(Buffers& accumulators, int64_t n) {
    inputs_data_.clear();
    outputs_data_.clear();
    for (auto& array : accumulators) {
      inputs_data_.push_back(array.data());
      outputs_data_.push_back(array.data());
    }
    for (const auto& array : elements_) inputs_data_.push_back(array.data());
    program_.run(scratch_, n, inputs_data_.data(), outputs_data_.data());
  }

  const Program& program_;
  Operands operands_;
  size_t inputs_;
  Program::Scratch scratch_;
  Buffers accumulators_;
  Buffers compact_;
  Buffers elements_;
  std::vector<const std::byte*> inputs_data_;
  std::vector<std::byte*> outputs_data_;
};

void run_program(const Fold& fold, const Program& program, Operands operands,
                 std::vector<Literal>& results, const Evaluator& evaluator) {
  std::vector<std::byte*> data;
  for (Literal& result : results) {
    data.push_back(result.mutable_bytes().data());
  }
  const int64_t count = results[0].element_count();
  int64_t cells = 1;
  for (const FoldAxis& axis : fold.axes) cells *= axis.cells;
  const int64_t grain = std::max<int64_t>(16, kFoldGrain / 8 / (cells + 1));
  evaluator.parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t first = begin; first < end; first += Program::kMaxElements) {
      const int64_t n = std::min(Program::kMaxElements, end - first);
      Cells under(fold, first, n);
      Lanes lanes(program, operands, n);
      for_each_index(fold, [&](const Index& cell) {
        under.find(cell);
        lanes.step(under, n);
      });
      lanes.store(data.data(), first);
    }
  });
}

/// One result element at a time, for regions that do not compile.
void run_evaluator(const Fold& fold, Operands operands,
                   std::vector<Literal>& results, const Evaluator& evaluator) {
  const size_t inputs = results.size();
  Evaluator inner(evaluator.options());
  for (int64_t i = 0; i < results[0].element_count(); ++i) {
    std::vector<Literal> values(
        operands.begin() + static_cast<std::ptrdiff_t>(inputs), operands.end());
    for_each_cell(fold, i, [&](int64_t position) {
      for (size_t k = 0; k < inputs; ++k) {
        values.push_back(Literal::of(operands[k].at(position)));
      }
      const Literal result = inner.run(*fold.reducer, std::move(values));
      values = result.shape().is_tuple() ? result.elements()
                                         : std::vector<Literal>{result};
    });
    for (size_t k = 0; k < inputs; ++k) {
      results[k].set(i, values[k].scalar());
    }
  }
}

}  // namespace

Literal fold_in_order(const Fold& fold, const Shape& shape, Operands operands,
                      const Evaluator& evaluator) {
  std::vector<Literal> results;
  if (shape.is_tuple()) {
    for (const Shape& leaf : shape.tuple_shapes) {
      results.push_back(Literal::uninitialized(leaf));
    }
  } else {
    results.push_back(Literal::uninitialized(shape));
  }
  if (results[0].element_count() > 0) {
    if (const auto program = Program::compile(*fold.reducer)) {
      run_program(fold, *program, operands, results, evaluator);
    } else {
      run_evaluator(fold, operands, results, evaluator);
    }
  }
  return shape.is_tuple() ? Literal::tuple(std::move(results)) : results[0];
}

}  // namespace hlo
