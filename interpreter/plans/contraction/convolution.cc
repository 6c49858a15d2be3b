#include <optional>

#include "interpreter/plans/contraction/convolution_map.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

/// Declines sparse operands, of which the definition says that they are not
/// evaluated.
std::optional<Contraction> contraction(const Instruction& convolution) {
  if (convolution.find("sparsity_config") != nullptr) return std::nullopt;
  return convolve(
      convolution.operand_shape(0), convolution.operand_shape(1),
      convolution.shape,
      {.labels = convolution.get<DimLabels>("dim_labels"),
       .window = convolution.get_or("window", Window{}),
       .feature_groups = convolution.get_or("feature_group_count", int64_t{1}),
       .batch_groups = convolution.get_or("batch_group_count", int64_t{1})});
}

}  // namespace

extern constinit const Plan plan_convolution{.contraction = contraction};

}  // namespace hlo
