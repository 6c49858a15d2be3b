#include "interpreter/plans/fold/fold_program.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/model/index_loops.h"
#include "interpreter/plans/fold/fold_cells.h"
#include "interpreter/plans/fold/fold_walk.h"
#include "interpreter/plans/region/gather_lanes.h"
#include "interpreter/plans/region/region.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

using Buffers = std::vector<std::vector<std::byte>>;

/// The arrays of a run of lanes: accumulators, elements, and room to compact
/// accumulators where some lanes have no element.
class Lanes {
 public:
  Lanes(const Region& region, Operands operands, int64_t count)
      : region_(region),
        operands_(operands),
        inputs_(operands.size() / 2),
        scratch_(region, count) {
    for (size_t i = 0; i < inputs_; ++i) {
      accumulators_.push_back(buffer(region.inputs()[i], count));
      compact_.push_back(accumulators_.back());
      elements_.push_back(buffer(region.inputs()[inputs_ + i], count));
      const Literal init =
          Literal::splat(Shape::array(region.inputs()[i], {count}),
                         operands[inputs_ + i].scalar());
      std::ranges::copy(init.bytes(), accumulators_[i].begin());
    }
    whole_ = arrays(accumulators_);
    some_ = arrays(compact_);
  }

  void step(const FoldCells& cells, int64_t count) {
    const auto n = static_cast<int64_t>(cells.lanes().size());
    if (n == 0) return;
    if (count == 1) return step_alone(cells.positions()[0]);
    for (size_t i = 0; i < inputs_; ++i) {
      gather_elements(width(inputs_ + i), operands_[i].bytes().data(),
                      cells.positions(), elements_[i].data());
    }
    if (n == count) return run(whole_, n);
    for (size_t i = 0; i < inputs_; ++i) {
      gather_elements(width(i), accumulators_[i].data(), cells.lanes(),
                      compact_[i].data());
    }
    run(some_, n);
    for (size_t i = 0; i < inputs_; ++i) {
      spread_elements(width(i), compact_[i].data(), cells.lanes(),
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
    return storage_bytes(region_.inputs()[input]);
  }

  /// What the program takes and gives back.
  struct Arrays {
    std::vector<const std::byte*> inputs;
    std::vector<std::byte*> outputs;
  };

  Arrays arrays(Buffers& accumulators) {
    Arrays result;
    for (auto& array : accumulators) {
      result.inputs.push_back(array.data());
      result.outputs.push_back(array.data());
    }
    for (const auto& array : elements_) result.inputs.push_back(array.data());
    return result;
  }

  /// The only lane reads its elements where they are.
  void step_alone(int64_t position) {
    for (size_t i = inputs_; i < 2 * inputs_; ++i) {
      whole_.inputs[i] =
          operands_[i - inputs_].bytes().data() + position * width(i);
    }
    run(whole_, 1);
  }

  void run(const Arrays& arrays, int64_t n) {
    region_.run(scratch_, n, arrays.inputs.data(), arrays.outputs.data());
  }

  const Region& region_;
  Operands operands_;
  size_t inputs_;
  Region::Scratch scratch_;
  Buffers accumulators_;
  Buffers compact_;
  Buffers elements_;
  Arrays whole_;  // of all lanes
  Arrays some_;   // of those that have an element
};

void run_region(const Fold& fold, const Region& region, Operands operands,
                std::vector<Literal>& results) {
  std::vector<std::byte*> data;
  data.reserve(results.size());
  for (Literal& result : results) {
    data.push_back(result.mutable_bytes().data());
  }
  const int64_t count = results[0].element_count();
  int64_t cells = 1;
  for (const FoldAxis& axis : fold.axes) cells *= axis.cells;
  const int64_t grain = std::max<int64_t>(16, kFoldGrain / 8 / (cells + 1));
  region.parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t first = begin; first < end; first += Region::kMaxElements) {
      const int64_t n = std::min(Region::kMaxElements, end - first);
      FoldCells under(fold, first, n);
      Lanes lanes(region, operands, n);
      for_each_index(cell_counts(fold), [&](const Index& cell) {
        under.find(cell);
        lanes.step(under, n);
      });
      lanes.store(data.data(), first);
    }
  });
}

}  // namespace

std::optional<Literal> fold_in_order(const Fold& fold, const Shape& shape,
                                     Operands operands, Evaluator& evaluator) {
  const Region region(*fold.reducer, evaluator);
  if (!region.is_compiled()) return std::nullopt;
  std::vector<Literal> results;
  for (const Shape* leaf : leaves(shape)) {
    results.push_back(Literal::uninitialized(*leaf));
  }
  if (results[0].element_count() > 0) {
    run_region(fold, region, operands, results);
  }
  return shape.is_tuple() ? Literal::tuple(std::move(results)) : results[0];
}

}  // namespace hlo
