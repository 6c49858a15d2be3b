#include "interpreter/plans/fold/fold_product.h"

#include <algorithm>
#include <vector>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/fold/fold_running.h"
#include "interpreter/plans/fold/fold_walk.h"
#include "interpreter/plans/fold/long_product.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

/// The products of one fold; numbers are the operand's elements.
class Products {
 public:
  Products(const Fold& fold, const std::vector<double>& numbers, double init,
           const numeric::FloatFormat& format)
      : fold_(fold), numbers_(numbers), init_(init), format_(format) {}

  /// Codes of the results [begin, end) along the axis, in row-major order of a
  /// result without the others.
  std::vector<uint64_t> run(size_t axis, int64_t begin, int64_t end,
                            int64_t slice) const {
    std::vector<LongProduct> products(
        static_cast<size_t>((end - begin) * slice));
    for (LongProduct& product : products) product.multiply(init_);
    const auto axes = part_of(fold_.axes, axis, begin, end);
    FoldWalk walk(axes, [&](int64_t from, int64_t to, int64_t n, int64_t step,
                            int64_t target_step) {
      for (int64_t i = 0; i < n; ++i) {
        products[static_cast<size_t>(to + i * target_step)].multiply(
            numbers_[static_cast<size_t>(from + i * step)]);
      }
    });
    walk.run();
    std::vector<uint64_t> codes;
    codes.reserve(products.size());
    for (const LongProduct& product : products) {
      const auto position = begin * slice + static_cast<int64_t>(codes.size());
      const auto code = product.round(format_);
      codes.push_back(code ? *code : multiply_exactly(position));
    }
    return codes;
  }

 private:
  uint64_t multiply_exactly(int64_t position) const {
    std::vector<double> factors = {init_};
    for_each_cell(fold_, position, [&](int64_t source) {
      factors.push_back(numbers_[static_cast<size_t>(source)]);
    });
    return round_product(factors, format_);
  }

  const Fold& fold_;
  const std::vector<double>& numbers_;
  double init_;
  const numeric::FloatFormat& format_;
};

}  // namespace

Literal fold_product(const Fold& fold, const Shape& shape,
                     const Literal& operand, const Literal& init,
                     const Evaluator& evaluator) {
  Literal result = Literal::uninitialized(shape);
  if (result.element_count() == 0) return result;
  const auto& format = numeric::format(shape.element_type);
  std::vector<double> numbers(static_cast<size_t>(operand.element_count()));
  numeric::decode_array(operand.bytes().data(), numbers.data(),
                        operand.element_count(), format);
  const double start = numeric::decode(init.scalar().bits[0], format);
  if (slides(fold)) {
    const auto store = [&](int64_t position, uint64_t code) {
      result.set(position, {shape.element_type, {code, 0}});
    };
    multiply_sliding(fold, {numbers.data(), start, format}, store, evaluator);
    return result;
  }
  const Products products(fold, numbers, start, format);
  const size_t axis = split_axis(fold.axes);
  const int64_t size = fold.axes.empty() ? 1 : fold.axes[axis].result_size;
  const int64_t slice = result.element_count() / size;
  const int64_t grain = std::max<int64_t>(1, kFoldGrain / 8 / slice);
  evaluator.parallel_for(size, grain, [&](int64_t begin, int64_t end) {
    const auto codes = products.run(axis, begin, end, slice);
    for (size_t i = 0; i < codes.size(); ++i) {
      const auto position = begin * slice + static_cast<int64_t>(i);
      result.set(position, {shape.element_type, {codes[i], 0}});
    }
  });
  return result;
}

}  // namespace hlo
