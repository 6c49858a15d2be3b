#include "interpreter/plans/region/map_region.h"

#include <algorithm>
#include <vector>

#include "interpreter/plans/region/region.h"
#include "interpreter/run/evaluator.h"

namespace hlo {

Literal apply_to_elements(const Computation& computation, Operands operands,
                          Shape shape, Evaluator& evaluator) {
  constexpr int64_t kGrain = 16 * Region::kMaxElements;
  shape.element_type = computation.root->shape.element_type;
  Literal result = Literal::uninitialized(shape);
  const Region region(computation, evaluator);
  std::byte* const out = result.mutable_bytes().data();
  const int64_t n = result.element_count();
  region.parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    Region::Scratch scratch(region,
                            std::min(end - begin, Region::kMaxElements));
    std::vector<const std::byte*> inputs(operands.size());
    for (int64_t i = begin; i < end; i += Region::kMaxElements) {
      for (size_t k = 0; k < operands.size(); ++k) {
        inputs[k] =
            operands[k].bytes().data() + i * storage_bytes(operands[k].type());
      }
      std::byte* const target = out + i * storage_bytes(result.type());
      region.run(scratch, std::min(Region::kMaxElements, end - i),
                 inputs.data(), &target);
    }
  });
  return result;
}

}  // namespace hlo
