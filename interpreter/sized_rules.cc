#include "interpreter/sized_rules.h"

#include <algorithm>
#include <string>

#include "interpreter/error.h"
#include "interpreter/rules/dimensions/ragged_dimension.h"
#include "interpreter/rules/dimensions/scatter_dimensions.h"
#include "interpreter/rules/dimensions/start_indices.h"
#include "interpreter/rules/dimensions/window.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

/// What a rule may change. The operands of the instruction are still those of
/// the program: their shapes are the bounds.
struct Fitting {
  Instruction& instruction;
  std::vector<Literal>& operands;
  std::vector<Ints>& sizes;

  int64_t& size(size_t operand, int64_t d) const {
    return sizes[operand][static_cast<size_t>(d)];
  }

  int64_t bound(size_t operand, int64_t d) const {
    return instruction.operand_shape(operand).dims[static_cast<size_t>(d)];
  }

  /// Two dimensions that have to be equal: what one lacks is not there.
  void pair(size_t a, int64_t d, size_t b, int64_t e) const {
    size(a, d) = size(b, e) = std::min(size(a, d), size(b, e));
  }

  /// All dimensions of operands [first, first + count).
  void join(size_t first, size_t count) const {
    for (size_t i = first + 1; i < first + count; ++i) {
      for (int64_t d = 0; d < std::ssize(sizes[i]); ++d) pair(first, d, i, d);
    }
    for (size_t i = first; i < first + count; ++i) sizes[i] = sizes[first];
  }

  void require_whole(size_t operand, int64_t d, std::string_view why) const {
    require_evaluable(
        size(operand, d) == bound(operand, d), "evaluate.sizes",
        {instruction.op->name, ": dimension ", d, " of operand ", operand,
         " has the size ", size(operand, d), " at run time"},
        why);
  }

  template <typename T>
  void change(std::string_view attribute, const T& value) const {
    for (auto& [name, old] : instruction.attributes) {
      if (name == attribute) old = value;
    }
  }

  std::string_view name() const { return instruction.op->name; }
};

// ------------------------------------------------------------------ movements

void fit_broadcast(const Fitting& on) {
  const Ints dimensions = on.instruction.get_or<Ints>("dimensions", {});
  for (size_t d = 0; d < dimensions.size(); ++d) {
    on.instruction.shape.dims[static_cast<size_t>(dimensions[d])] =
        on.sizes[0][d];
  }
}

/// Joined arrays have the least of their sizes in the other dimensions.
void fit_concatenate(const Fitting& on) {
  const auto joined =
      static_cast<size_t>(on.instruction.get<Ints>("dimensions")[0]);
  Ints lengths;
  for (const Ints& size : on.sizes) lengths.push_back(size[joined]);
  on.join(0, on.sizes.size());
  for (size_t i = 0; i < lengths.size(); ++i) on.sizes[i][joined] = lengths[i];
}

/// What lies beyond the sizes is not there to be taken.
void fit_slice(const Fitting& on) {
  auto slices = on.instruction.get<SliceConfig>("slice");
  for (size_t d = 0; d < on.sizes[0].size(); ++d) {
    SliceDimension& range = slices.dims[d];
    range.limit = std::min(range.limit, on.sizes[0][d]);
    range.start = std::min(range.start, range.limit);
  }
  on.change("slice", slices);
}

/// Where more is to be cut off than there is, nothing is left.
void fit_pad(const Fitting& on) {
  auto padding = on.instruction.get<PaddingConfig>("padding");
  for (size_t d = 0; d < on.sizes[0].size(); ++d) {
    PaddingDimension& edges = padding.dims[d];
    const int64_t gaps = std::max<int64_t>(on.sizes[0][d] - 1, 0);
    // At the bound the sum is not negative: it does not overflow here.
    const int64_t size =
        on.sizes[0][d] + gaps * edges.interior + edges.low + edges.high;
    edges.high -= std::min<int64_t>(size, 0);
  }
  on.change("padding", padding);
}

bool is_row_major(const Shape& shape) {
  return !shape.layout || *shape.layout == default_layout(shape.rank());
}

/// A bitcast is a reshape where neither layout turns elements.
void fit_reshape(const Fitting& on) {
  Shape& result = on.instruction.shape;
  const Shape& operand = on.instruction.operand_shape(0);
  const bool is_plain =
      is_row_major(operand) && is_row_major(result) &&
      operand.element_count() == result.element_count() &&
      storage_bytes(operand.element_type) == storage_bytes(result.element_type);
  for (int64_t d = 0; d < operand.rank() && !is_plain; ++d) {
    on.require_whole(0, d, "a bitcast must take the bytes of all elements");
  }
  const Ints sizes = reshaped_sizes(on.instruction, on.sizes[0]);
  result = Shape::array(result.element_type, sizes);
}

/// The sizes of a slice that starts are clamped for.
void fit_slice_sizes(const Fitting& on, std::string_view attribute) {
  auto slice = on.instruction.get<Ints>(attribute);
  std::ranges::transform(slice, on.sizes[0], slice.begin(),
                         [](int64_t a, int64_t b) { return std::min(a, b); });
  on.change(attribute, slice);
}

void fit_dynamic_slice(const Fitting& on) {
  fit_slice_sizes(on, "dynamic_slice_sizes");
}

void fit_dynamic_update_slice(const Fitting& on) {
  std::ranges::transform(on.sizes[1], on.sizes[0], on.sizes[1].begin(),
                         [](int64_t a, int64_t b) { return std::min(a, b); });
}

/// An index vector names a place only with all its elements.
void require_index_vectors(const Fitting& on, size_t indices) {
  const auto d = on.instruction.get<int64_t>("index_vector_dim");
  if (d == on.instruction.operand_shape(indices).rank()) return;
  on.require_whole(indices, d, "index vectors must be whole");
}

void fit_gather(const Fitting& on) {
  require_index_vectors(on, 1);
  const Instruction& gather = on.instruction;
  const Ints operand = gather.get_or<Ints>("operand_batching_dims", {});
  const Ints indices = gather.get_or<Ints>("start_indices_batching_dims", {});
  for (size_t i = 0; i < operand.size(); ++i) {
    on.pair(0, operand[i], 1, indices[i]);
  }
  fit_slice_sizes(on, "slice_sizes");
}

// ----------------------------------------------------- regions and
// contractions

void fit_all(const Fitting& on) { on.join(0, on.sizes.size()); }

/// Inputs, then as many initial values.
void fit_fold(const Fitting& on) { on.join(0, on.sizes.size() / 2); }

void fit_topk(const Fitting& on) {
  on.change("k",
            std::min(on.instruction.get<int64_t>("k"), on.sizes[0].back()));
}

void fit_scatter(const Fitting& on) {
  const size_t n = on.sizes.size() / 2;
  require_index_vectors(on, n);
  on.join(0, n);
  on.join(n + 1, n);
  const ScatterDimensions dims(on.instruction);
  const Ints kept = dims.scatter_dims_of_indices(std::ssize(on.sizes[n]));
  const Ints scattered =
      dims.scatter_dims_of_updates(std::ssize(on.sizes[n + 1]));
  // An operand's size reaches the updates by way of the indices.
  for (size_t i = 0; i < dims.operand_batching.size(); ++i) {
    on.pair(0, dims.operand_batching[i], n, dims.indices_batching[i]);
  }
  for (size_t i = 0; i < kept.size(); ++i) {
    on.pair(n, kept[i], n + 1, scattered[i]);
  }
  for (size_t i = 0; i < dims.operand_batching.size(); ++i) {
    on.pair(0, dims.operand_batching[i], n, dims.indices_batching[i]);
  }
  const Ints windowed = dims.window_dims_of_operand(std::ssize(on.sizes[0]));
  for (size_t i = 0; i < windowed.size(); ++i) {
    int64_t& window = on.size(n + 1, dims.update_window[i]);
    window = std::min(window, on.size(0, windowed[i]));
  }
  for (size_t i = 1; i < n; ++i) {
    on.sizes[i] = on.sizes[0];
    on.sizes[n + 1 + i] = on.sizes[n + 1];
  }
}

/// The window has as many places as the source has elements: those past the
/// operand's are not there, and places past the source's have nothing to add.
void fit_select_and_scatter(const Fitting& on) {
  auto window = on.instruction.get_or("window", Window{});
  for (size_t d = 0; d < window.dims.size(); ++d) {
    WindowDimension& dimension = window.dims[d];
    int64_t& source = on.sizes[1][d];
    const int64_t places = window_places(on.sizes[0][d], dimension, {});
    source = std::min(source, places);
    dimension.high -= (places - source) * dimension.stride;
  }
  on.change("window", window);
}

void fit_pairs(const Fitting& on, const DotDimensions& dims) {
  for (size_t i = 0; i < dims.lhs_batch.size(); ++i) {
    on.pair(0, dims.lhs_batch[i], 1, dims.rhs_batch[i]);
  }
  for (size_t i = 0; i < dims.lhs_contracting.size(); ++i) {
    on.pair(0, dims.lhs_contracting[i], 1, dims.rhs_contracting[i]);
  }
}

void fit_dot(const Fitting& on) {
  fit_pairs(on, dot_dimensions(on.instruction));
}

void fit_ragged_dot(const Fitting& on) {
  const DotDimensions dims = dot_dimensions(on.instruction);
  const RaggedDimension ragged = ragged_dimension(on.instruction);
  const int64_t last = std::ssize(on.sizes[2]) - 1;
  if (ragged.mode == RaggedMode::kFree) {
    on.pair(1, on.instruction.get<Ints>("rhs_group_dims")[0], 2, last);
  }
  fit_pairs(on, dims);
  for (int64_t i = 0; i < last; ++i) {
    on.pair(0, ragged.outer[static_cast<size_t>(i)], 2, i);
  }
  fit_pairs(on, dims);  // what the group sizes lack lhs lacks now
}

/// A scale in as many elements as its operand, whose blocks no longer are of
/// one size.
Literal repeated(const Literal& scale, const Ints& dims) {
  const Ints& blocks = scale.shape().dims;
  Literal result(Shape::array(scale.type(), dims));
  for (int64_t i = 0; i < result.element_count(); ++i) {
    Index index = delinearize(i, dims);
    for (size_t d = 0; d < dims.size(); ++d) index[d] /= dims[d] / blocks[d];
    result.set(i, scale.at(index));
  }
  return result;
}

void fit_scaled_dot(const Fitting& on) {
  for (size_t i = 0; i < 2; ++i) {
    const Ints& dims = on.instruction.operand_shape(i).dims;
    const Ints& blocks = on.instruction.operand_shape(2 + i).dims;
    for (size_t d = 0; d < blocks.size(); ++d) {
      if (blocks[d] == 0) continue;
      const int64_t scaled = on.sizes[2 + i][d] * (dims[d] / blocks[d]);
      on.sizes[i][d] = std::min(on.sizes[i][d], scaled);
    }
  }
  fit_pairs(on, dot_dimensions(on.instruction));
  for (size_t i = 0; i < 2; ++i) {
    if (on.sizes[2 + i].empty()) continue;
    on.operands[2 + i] =
        repeated(on.operands[2 + i], on.instruction.operand_shape(i).dims);
    on.sizes[2 + i] = on.sizes[i];
  }
}

/// Which features a group has follows from the bounds, so that dimensions that
/// are divided into groups are whole; so is the window.
void fit_convolution(const Fitting& on) {
  const auto& labels = on.instruction.get<DimLabels>("dim_labels");
  const bool features =
      on.instruction.get_or("feature_group_count", int64_t{1}) > 1;
  const bool batches =
      on.instruction.get_or("batch_group_count", int64_t{1}) > 1;
  for (const int64_t d : labels.kernel.spatial) {
    on.require_whole(1, d, "the window must have the size of the kernel");
  }
  if (features) {
    constexpr std::string_view kWhy =
        "features that are divided into groups must be whole";
    on.require_whole(0, labels.input.feature, kWhy);
    on.require_whole(1, labels.kernel.batch_or_input, kWhy);
  }
  if (features || batches) {
    on.require_whole(
        1, labels.kernel.feature,
        "output features that are divided into groups must be whole");
  }
  if (batches) {
    on.require_whole(0, labels.input.batch_or_input,
                     "a batch that is divided into groups must be whole");
  }
  if (!features) {
    on.pair(0, labels.input.feature, 1, labels.kernel.batch_or_input);
  }
}

/// Vectors have an element for each feature; the gradient of the result is as
/// large as the operand.
void fit_batch_norm(const Fitting& on) {
  const auto feature = on.instruction.get<int64_t>("feature_index");
  const bool has_gradient = on.name() == "batch-norm-grad";
  const size_t vectors = on.sizes.size() - (has_gradient ? 1 : 0);
  if (has_gradient) {
    for (int64_t d = 0; d < std::ssize(on.sizes[0]); ++d) on.pair(0, d, 4, d);
  }
  for (size_t k = 1; k < vectors; ++k) on.pair(0, feature, k, 0);
  for (size_t k = 1; k < vectors; ++k) on.pair(0, feature, k, 0);
  if (has_gradient) on.sizes[4] = on.sizes[0];
}

struct Rule {
  std::string_view op;
  void (*fit)(const Fitting&);
};

/// Those of other operations change only shapes.
constexpr Rule kRules[] = {{"batch-norm-grad", fit_batch_norm},
                           {"batch-norm-inference", fit_batch_norm},
                           {"batch-norm-training", fit_batch_norm},
                           {"bitcast", fit_reshape},
                           {"broadcast", fit_broadcast},
                           {"concatenate", fit_concatenate},
                           {"convolution", fit_convolution},
                           {"dot", fit_dot},
                           {"dynamic-slice", fit_dynamic_slice},
                           {"dynamic-update-slice", fit_dynamic_update_slice},
                           {"gather", fit_gather},
                           {"map", fit_all},
                           {"pad", fit_pad},
                           {"ragged-dot", fit_ragged_dot},
                           {"reduce", fit_fold},
                           {"reduce-window", fit_fold},
                           {"reshape", fit_reshape},
                           {"scaled-dot", fit_scaled_dot},
                           {"scatter", fit_scatter},
                           {"select-and-scatter", fit_select_and_scatter},
                           {"slice", fit_slice},
                           {"sort", fit_all},
                           {"topk", fit_topk}};

}  // namespace

void fit(Instruction& instruction, std::vector<Literal>& operands,
         std::vector<Ints>& sizes) {
  const auto* rule = std::ranges::find(kRules, instruction.op->name, &Rule::op);
  if (rule != std::end(kRules)) rule->fit({instruction, operands, sizes});
}

}  // namespace hlo
