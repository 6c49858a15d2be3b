#include "interpreter/stablehlo/import/operations/import_indexing.h"

namespace hlo::stablehlo {
namespace {

void add_ints(Attributes& attributes, std::string_view name, Ints values) {
  if (!values.empty()) attributes.emplace_back(name, std::move(values));
}

void add_flag(Attributes& attributes, std::string_view name, bool value) {
  if (value) attributes.emplace_back(name, true);
}

/// The slice from `starts` to `limits`.
Values slice(const Conversion& c, const Ints& starts, const Ints& limits,
             const Ints& strides) {
  c.require(starts.size() == limits.size() && starts.size() == strides.size(),
            "stablehlo.needs",
            {"start_indices is ", starts, ", limit_indices ", limits,
             " and strides ", strides},
            "they must be equally many");
  SliceConfig config;
  for (size_t d = 0; d < starts.size(); ++d) {
    config.dims.push_back({starts[d], limits[d], strides[d]});
  }
  return c.make("slice", {c.operand(0)}, {{"slice", std::move(config)}});
}

Values slice(const Conversion& c) {
  const Ints starts = c.ints("start_indices");
  return slice(c, starts, c.ints("limit_indices"),
               c.ints("strides", Ints(starts.size(), 1)));
}

Values real_dynamic_slice(const Conversion& c) {
  return slice(c, c.constant_ints(1), c.constant_ints(2), c.constant_ints(3));
}

Values dynamic_slice(const Conversion& c) {
  return c.make("dynamic-slice",
                {{"dynamic_slice_sizes", c.ints("slice_sizes")}});
}

Values dynamic_update_slice(const Conversion& c) {
  return c.make("dynamic-update-slice");
}

Values pad(const Conversion& c, const Ints& low, const Ints& high,
           const Ints& interior) {
  c.require(low.size() == high.size() && low.size() == interior.size(),
            "stablehlo.needs",
            {"edge_padding_low is ", low, ", edge_padding_high ", high,
             " and interior_padding ", interior},
            "they must be equally many");
  PaddingConfig config;
  for (size_t d = 0; d < low.size(); ++d) {
    config.dims.push_back({low[d], high[d], interior[d]});
  }
  return c.make("pad", {c.operand(0), c.operand(1)},
                {{"padding", std::move(config)}});
}

Values pad(const Conversion& c) {
  const Ints low = c.ints("edge_padding_low");
  return pad(c, low, c.ints("edge_padding_high"),
             c.ints("interior_padding", Ints(low.size(), 0)));
}

Values dynamic_pad(const Conversion& c) {
  return pad(c, c.constant_ints(2), c.constant_ints(3), c.constant_ints(4));
}

Values gather(const Conversion& c, Ints slice_sizes) {
  const Dictionary& dims = c.fields("dimension_numbers", "gather");
  Attributes attributes = {
      {"offset_dims", c.field(dims, "offset_dims")},
      {"collapsed_slice_dims", c.field(dims, "collapsed_slice_dims")},
      {"start_index_map", c.field(dims, "start_index_map")},
      {"index_vector_dim", c.field(dims, "index_vector_dim", 0)},
      {"slice_sizes", std::move(slice_sizes)}};
  add_ints(attributes, "operand_batching_dims",
           c.field(dims, "operand_batching_dims"));
  add_ints(attributes, "start_indices_batching_dims",
           c.field(dims, "start_indices_batching_dims"));
  add_flag(attributes, "indices_are_sorted", c.flag("indices_are_sorted"));
  return c.make("gather", {c.operand(0), c.operand(1)}, std::move(attributes));
}

Values gather(const Conversion& c) { return gather(c, c.ints("slice_sizes")); }

Values dynamic_gather(const Conversion& c) {
  return gather(c, c.constant_ints(2));
}

/// The deprecated operation: rows of the operand along `dim`, for each element
/// of the index behind its batch dimensions.
Values torch_index_select(const Conversion& c) {
  const Shape& operand = c.operand_shape(0);
  const Shape& index = c.operand_shape(1);
  const int64_t dim = c.integer("dim");
  const int64_t batch = c.integer("batch_dims");
  c.require(
      batch >= 0 && batch <= dim && dim < operand.rank() &&
          batch <= index.rank(),
      "stablehlo.needs",
      {"dim is ", dim, " and batch_dims ", batch, " for the operand ", operand,
       " and the index ", index},
      "dim must be a dimension of the operand behind the batch dimensions");
  Ints batching;
  Ints offset;
  Ints sizes = operand.dims;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    if (d < batch) batching.push_back(d);
    if (d <= dim)
      sizes[static_cast<size_t>(d)] =
          d < batch || d == dim ? 1 : sizes[static_cast<size_t>(d)];
    if (d >= batch && d < dim) offset.push_back(d);
    if (d > dim) offset.push_back(d - 1 + index.rank() - batch);
  }
  Attributes attributes = {{"offset_dims", offset},
                           {"collapsed_slice_dims", Ints{dim}},
                           {"start_index_map", Ints{dim}},
                           {"index_vector_dim", index.rank()},
                           {"slice_sizes", sizes}};
  add_ints(attributes, "operand_batching_dims", batching);
  add_ints(attributes, "start_indices_batching_dims", batching);
  return c.make("gather", std::move(attributes));
}

constexpr ConverterRow kRows[] = {
    {"stablehlo.dynamic_gather", dynamic_gather, true, exactly(3)},
    {"stablehlo.dynamic_pad", dynamic_pad, true, exactly(5)},
    {"stablehlo.dynamic_slice", dynamic_slice, true, at_least(1)},
    {"stablehlo.dynamic_update_slice", dynamic_update_slice, true, at_least(2)},
    {"stablehlo.gather", gather, true, exactly(2)},
    {"stablehlo.pad", pad, true, exactly(2)},
    {"stablehlo.real_dynamic_slice", real_dynamic_slice, true, exactly(4)},
    {"stablehlo.slice", slice, true, exactly(1)},
    {"stablehlo.torch_index_select", torch_index_select, true, exactly(2)},
};

}  // namespace

ConverterRows indexing_rows() { return kRows; }

}  // namespace hlo::stablehlo
