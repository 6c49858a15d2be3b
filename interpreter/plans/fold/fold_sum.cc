#include "interpreter/plans/fold/fold_sum.h"

#include <algorithm>
#include <vector>

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/exact/summation.h"
#include "interpreter/plans/fold/fold_running.h"
#include "interpreter/plans/fold/fold_walk.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

constexpr int64_t kPieceResults = int64_t{1} << 15;
constexpr int64_t kSumLanes = 8;

/// The parts of many CompensatedSums, each in an array.
struct Sums {
  std::vector<double> hi;
  std::vector<double> lo;
  std::vector<double> lost;

  explicit Sums(size_t n) : hi(n, -0.0), lo(n, 0.0), lost(n, 0.0) {}
};

/// Sums a row into lanes that do not wait for one another.
template <typename S>
CompensatedSum sum_row(const S* source, int64_t n, int64_t stride) {
  CompensatedSum lanes[kSumLanes];
  int64_t i = 0;
  for (; i + kSumLanes <= n; i += kSumLanes) {
    for (int64_t l = 0; l < kSumLanes; ++l) {
      lanes[l].add(static_cast<double>(source[(i + l) * stride]));
    }
  }
  for (; i < n; ++i) lanes[0].add(static_cast<double>(source[i * stride]));
  for (int64_t l = 1; l < kSumLanes; ++l) lanes[0].add(lanes[l]);
  return lanes[0];
}

/// The addends of a fold: one component of each element, which lie `parts`
/// apart.
template <typename S>
struct Addends {
  const S* first;
  int64_t parts;
};

/// Adds a row to one sum.
template <typename S>
void add_row(Sums& sums, size_t to, const S* source, int64_t n,
             int64_t stride) {
  CompensatedSum sum{sums.hi[to], sums.lo[to], sums.lost[to]};
  if (n < 2 * kSumLanes) {
    for (int64_t i = 0; i < n; ++i) {
      sum.add(static_cast<double>(source[i * stride]));
    }
  } else {
    sum.add(sum_row(source, n, stride));
  }
  sums.hi[to] = sum.hi;
  sums.lo[to] = sum.lo;
  sums.lost[to] = sum.lost;
}

/// Adds each element of a row to a sum of its own.
template <typename S>
void add_each(Sums& sums, int64_t to, int64_t target_stride, const S* source,
              int64_t n, int64_t stride) {
  double* const hi = sums.hi.data() + to;
  double* const lo = sums.lo.data() + to;
  double* const lost = sums.lost.data() + to;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t t = i * target_stride;
    CompensatedSum sum{hi[t], lo[t], lost[t]};
    sum.add(static_cast<double>(source[i * stride]));
    hi[t] = sum.hi;
    lo[t] = sum.lo;
    lost[t] = sum.lost;
  }
}

template <typename S>
void sum_cells(const std::vector<FoldAxis>& axes, const Addends<S>& addends,
               Sums& sums) {
  const S* const source = addends.first;
  const int64_t parts = addends.parts;
  FoldWalk walk(axes, [&](int64_t from, int64_t to, int64_t n, int64_t step,
                          int64_t target_step) {
    const S* const row = source + from * parts;
    if (target_step == 0) {
      add_row(sums, static_cast<size_t>(to), row, n, step * parts);
    } else if (target_step == 1 && step * parts == 1) {
      add_each(sums, to, 1, row, n, 1);
    } else {
      add_each(sums, to, target_step, row, n, step * parts);
    }
  });
  walk.run();
}

/// One component of the sums of a literal.
template <typename S>
class Summation {
 public:
  Summation(const Fold& fold, Addends<S> addends, double init,
            const numeric::FloatFormat& format)
      : fold_(fold), addends_(addends), init_(init), format_(format) {
    for (const FoldAxis& axis : fold.axes) cells_ *= axis.cells;
  }

  /// Rounds the sums of results [begin, end) along the axis into code(i, c).
  template <typename Store>
  void run(size_t axis, int64_t begin, int64_t end, int64_t slice,
           Store store) const {
    Sums sums(static_cast<size_t>((end - begin) * slice));
    sum_cells(part_of(fold_.axes, axis, begin, end), addends_, sums);
    for (size_t i = 0; i < sums.hi.size(); ++i) {
      const int64_t position = begin * slice + static_cast<int64_t>(i);
      CompensatedSum sum{sums.hi[i], sums.lo[i], sums.lost[i]};
      sum.add(init_);
      const auto code = round_if_certain(
          sum.hi, sum.lo, sum.bound(cells_ + 2 * kSumLanes), format_);
      store(position, code ? *code : sum_exactly(position));
    }
  }

 private:
  uint64_t sum_exactly(int64_t position) const {
    numeric::ExactSum sum;
    sum.add(init_);
    for_each_cell(fold_, position, [&](int64_t source) {
      sum.add(static_cast<double>(addends_.first[source * addends_.parts]));
    });
    return sum.round(format_).bits;
  }

  const Fold& fold_;
  Addends<S> addends_;
  double init_;
  const numeric::FloatFormat& format_;
  int64_t cells_ = 1;
};

template <typename S>
void store_code(std::byte* data, int64_t position, uint64_t code) {
  reinterpret_cast<S*>(data)[position] = static_cast<S>(code);
}

void store_code(std::byte* data, int bytes, int64_t position, uint64_t code) {
  switch (bytes) {
    case 1:
      return store_code<uint8_t>(data, position, code);
    case 2:
      return store_code<uint16_t>(data, position, code);
    case 4:
      return store_code<uint32_t>(data, position, code);
    default:
      return store_code<uint64_t>(data, position, code);
  }
}

/// Sums one component (of `parts`) of all elements; addends[p] is that of the
/// element at position p * parts.
template <typename S>
void sum_component(const Fold& fold, const Literal& init, int64_t part,
                   const S* addends, int64_t elements, Literal& result,
                   const Evaluator& evaluator) {
  const ElementType component = component_type(result.type());
  const int64_t parts = is_complex(result.type()) ? 2 : 1;
  const auto& format = numeric::format(component);
  const double start =
      numeric::decode(init.scalar().bits[static_cast<size_t>(part)], format);
  std::byte* const data = result.mutable_bytes().data();
  const int bytes = storage_bytes(component);
  const auto store = [&](int64_t position, uint64_t code) {
    store_code(data, bytes, position * parts + part, code);
  };
  if (slides(fold)) {
    std::vector<double> numbers(static_cast<size_t>(elements));
    for (int64_t i = 0; i < elements; ++i) {
      numbers[static_cast<size_t>(i)] =
          static_cast<double>(addends[i * parts + part]);
    }
    return sum_sliding(fold, {numbers.data(), start, format}, store, evaluator);
  }
  const Summation<S> summation(fold, {addends + part, parts}, start, format);
  const size_t axis = split_axis(fold.axes);
  const int64_t size = fold.axes.empty() ? 1 : fold.axes[axis].result_size;
  const int64_t slice = result.element_count() / size;
  const int64_t step = std::max<int64_t>(1, kPieceResults / slice);
  const int64_t grain = std::max<int64_t>(1, kFoldGrain / 8 / slice);
  evaluator.parallel_for(size, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i += step) {
      summation.run(axis, i, std::min(i + step, end), slice, store);
    }
  });
}

/// Narrow formats as floats, which hold all their numbers.
std::vector<float> widen(const Literal& operand, const Evaluator& evaluator) {
  const auto& format = numeric::format(operand.type());
  const int64_t width = storage_bytes(operand.type());
  std::vector<float> result(static_cast<size_t>(operand.element_count()));
  evaluator.parallel_for(
      operand.element_count(), kFoldGrain, [&](int64_t begin, int64_t end) {
        constexpr int64_t kBlock = 512;
        double block[kBlock];
        for (int64_t i = begin; i < end; i += kBlock) {
          const int64_t n = std::min(kBlock, end - i);
          numeric::decode_array(operand.bytes().data() + i * width, block, n,
                                format);
          std::transform(block, block + n, result.begin() + i,
                         [](double x) { return static_cast<float>(x); });
        }
      });
  return result;
}

}  // namespace

Literal fold_sum(const Fold& fold, const Shape& shape, const Literal& operand,
                 const Literal& init, const Evaluator& evaluator) {
  Literal result = Literal::uninitialized(shape);
  if (result.element_count() == 0) return result;
  const std::byte* data = operand.bytes().data();
  const int64_t elements = operand.element_count();
  const ElementType component = component_type(shape.element_type);
  for (int64_t part = 0; part < (is_complex(shape.element_type) ? 2 : 1);
       ++part) {
    if (component == ElementType::kF64) {
      sum_component(fold, init, part, reinterpret_cast<const double*>(data),
                    elements, result, evaluator);
    } else if (component == ElementType::kF32) {
      sum_component(fold, init, part, reinterpret_cast<const float*>(data),
                    elements, result, evaluator);
    } else {
      const std::vector<float> addends = widen(operand, evaluator);
      sum_component(fold, init, part, addends.data(), elements, result,
                    evaluator);
    }
  }
  return result;
}

}  // namespace hlo
