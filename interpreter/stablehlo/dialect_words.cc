#include "interpreter/stablehlo/dialect_words.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace hlo::stablehlo {
namespace {

struct Kind {
  std::string_view name;
  std::vector<std::string_view> fields;
};

/// The structures of StableHLO, CHLO and MHLO whose fields programs depend on.
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> kKinds = {
      {"axis_ref", {"name", "sub_axis_info"}},
      {"channel_handle", {"handle", "type"}},
      {"conv",
       {"input_batch_dimension", "input_feature_dimension",
        "input_spatial_dimensions", "kernel_input_feature_dimension",
        "kernel_output_feature_dimension", "kernel_spatial_dimensions",
        "output_batch_dimension", "output_feature_dimension",
        "output_spatial_dimensions"}},
      {"dot",
       {"lhs_batching_dimensions", "rhs_batching_dimensions",
        "lhs_contracting_dimensions", "rhs_contracting_dimensions"}},
      {"dot_algorithm",
       {"lhs_precision_type", "rhs_precision_type", "accumulation_type",
        "lhs_component_count", "rhs_component_count",
        "num_primitive_operations", "allow_imprecise_accumulation"}},
      {"gather",
       {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
        "start_indices_batching_dims", "start_index_map", "index_vector_dim"}},
      {"mesh", {"axes", "device_ids"}},
      {"mesh_axis", {"name", "size"}},
      {"output_operand_alias",
       {"output_tuple_indices", "operand_index", "operand_tuple_indices"}},
      {"ragged_dot",
       {"dot_dimension_numbers", "lhs_batching_dimensions",
        "rhs_batching_dimensions", "lhs_contracting_dimensions",
        "rhs_contracting_dimensions", "lhs_ragged_dimensions",
        "rhs_group_dimensions"}},
      {"replica_group_mesh_axes", {"mesh", "axes"}},
      {"result_accuracy", {"atol", "rtol", "ulps", "mode"}},
      {"scatter",
       {"update_window_dims", "inserted_window_dims", "input_batching_dims",
        "scatter_indices_batching_dims", "scatter_dims_to_operand_dims",
        "index_vector_dim"}},
      {"type_extensions", {"bounds"}},
  };
  return kKinds;
}

}  // namespace

std::string_view word_kind(std::string_view attribute) {
  if (attribute == "compare_type") return "comparison_type";
  if (attribute == "precision_config") return "precision";
  if (attribute == "transpose_a") return "transpose";
  return attribute;
}

bool may_have_field(std::string_view kind, std::string_view field) {
  const auto found = std::ranges::find(kinds(), kind, &Kind::name);
  return found == kinds().end() ||
         std::ranges::find(found->fields, field) != found->fields.end();
}

}  // namespace hlo::stablehlo
