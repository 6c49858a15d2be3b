#include "interpreter/stablehlo/dialect_words.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

namespace hlo::stablehlo {
namespace {

using Fields = std::initializer_list<std::string_view>;

struct Kind {
  std::string_view name;
  Fields fields;
};

/// The structures of StableHLO, CHLO and MHLO whose fields programs depend on.
std::span<const Kind> kinds() {
  static const std::array kKinds = {
      Kind{"axis_ref", {"name", "sub_axis_info"}},
      Kind{"channel_handle", {"handle", "type"}},
      Kind{"conv",
           {"input_batch_dimension", "input_feature_dimension",
            "input_spatial_dimensions", "kernel_input_feature_dimension",
            "kernel_output_feature_dimension", "kernel_spatial_dimensions",
            "output_batch_dimension", "output_feature_dimension",
            "output_spatial_dimensions"}},
      Kind{"dot",
           {"lhs_batching_dimensions", "rhs_batching_dimensions",
            "lhs_contracting_dimensions", "rhs_contracting_dimensions"}},
      Kind{"dot_algorithm",
           {"lhs_precision_type", "rhs_precision_type", "accumulation_type",
            "lhs_component_count", "rhs_component_count",
            "num_primitive_operations", "allow_imprecise_accumulation"}},
      Kind{"gather",
           {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
            "start_indices_batching_dims", "start_index_map",
            "index_vector_dim"}},
      Kind{"mesh", {"axes", "device_ids"}},
      Kind{"mesh_axis", {"name", "size"}},
      Kind{"output_operand_alias",
           {"output_tuple_indices", "operand_index", "operand_tuple_indices"}},
      Kind{"ragged_dot",
           {"dot_dimension_numbers", "lhs_batching_dimensions",
            "rhs_batching_dimensions", "lhs_contracting_dimensions",
            "rhs_contracting_dimensions", "lhs_ragged_dimensions",
            "rhs_group_dimensions"}},
      Kind{"replica_group_mesh_axes", {"mesh", "axes"}},
      Kind{"result_accuracy", {"atol", "rtol", "ulps", "mode"}},
      Kind{"scatter",
           {"update_window_dims", "inserted_window_dims", "input_batching_dims",
            "scatter_indices_batching_dims", "scatter_dims_to_operand_dims",
            "index_vector_dim"}},
      Kind{"type_extensions", {"bounds"}},
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
