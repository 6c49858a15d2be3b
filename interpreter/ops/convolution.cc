// spec/ops/convolution.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/rules/attributes/precision_words.h"
#include "interpreter/rules/attributes/verbatim.h"
#include "interpreter/rules/dimensions/indices.h"
#include "interpreter/rules/dimensions/window.h"
#include "interpreter/rules/dimensions/window_cell.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/work.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"window", AttributeKind::kWindow},
    {"dim_labels", AttributeKind::kDimLabels, true},
    {"feature_group_count", AttributeKind::kInt},
    {"batch_group_count", AttributeKind::kInt},
    {"convolution_kind", AttributeKind::kWord, false,
     "unset fprop wgrad dgrad"},
    {"operand_precision", AttributeKind::kWords, false, kPrecisionWords},
    {"algorithm", AttributeKind::kWord, false, kAlgorithmWords},
    {"sparsity_config", AttributeKind::kBraces},
};

constexpr WindowRules kWindowRules = {.rank = "convolution.C3",
                                      .size = "convolution.C10",
                                      .stride = "convolution.C10",
                                      .dilation = "convolution.C10",
                                      .extent = "convolution.C11"};

int64_t size_of(const Shape& shape, int64_t d) {
  return shape.dims[static_cast<size_t>(d)];
}

bool divides(int64_t size, int64_t groups) {
  return size == kUnbounded || size % groups == 0;
}

/// The labels name each dimension of an array of that rank once.
bool names_all(const ConvolutionSide& side, int64_t rank) {
  Ints named = side.spatial;
  named.push_back(side.batch_or_input);
  named.push_back(side.feature);
  named.insert(named.end(), side.unused.begin(), side.unused.end());
  std::ranges::sort(named);
  for (size_t d = 0; d < named.size(); ++d) {
    if (named[d] != static_cast<int64_t>(d)) return false;
  }
  return static_cast<int64_t>(named.size()) == rank;
}

struct Convolution {
  const Shape& lhs;
  const Shape& rhs;
  const DimLabels& labels;
  Window window;
  int64_t feature_groups;
  int64_t batch_groups;

  explicit Convolution(const Instruction& instruction)
      : lhs(instruction.operand_shape(0)),
        rhs(instruction.operand_shape(1)),
        labels(instruction.get<DimLabels>("dim_labels")),
        window(instruction.get_or("window", Window{})),
        feature_groups(instruction.get_or("feature_group_count", int64_t{1})),
        batch_groups(instruction.get_or("batch_group_count", int64_t{1})) {}

  int64_t batch() const { return size_of(lhs, labels.input.batch_or_input); }

  int64_t output_feature() const { return size_of(rhs, labels.kernel.feature); }
};

void check_labels(const Convolution& conv) {
  const int64_t rank = conv.lhs.rank();
  require(names_all(conv.labels.input, rank) &&
              names_all(conv.labels.kernel, conv.rhs.rank()),
          "convolution.C2", {"the operands are ", conv.lhs, " and ", conv.rhs},
          "dim_labels must name each of their dimensions once");
  const size_t spatial = conv.labels.input.spatial.size();
  require(conv.labels.kernel.spatial.size() == spatial &&
              conv.labels.output.spatial.size() == spatial &&
              conv.window.dims.size() == spatial,
          "convolution.C3",
          {"the spatial dimensions are ", spatial, " of the input, ",
           conv.labels.kernel.spatial.size(), " of the kernel, ",
           conv.labels.output.spatial.size(), " of the result and ",
           conv.window.dims.size(), " of the window"},
          "they must be as many");
  for (size_t d = 0; d < spatial; ++d) {
    const int64_t size = size_of(conv.rhs, conv.labels.kernel.spatial[d]);
    require(size == conv.window.dims[d].size || size == kUnbounded,
            "convolution.C4",
            {"the window has the size ", conv.window.dims[d].size,
             " and the kernel ", size, " in spatial dimension ", d},
            "they must be equal");
  }
}

std::vector<Sparsity> sparsity_of(const Instruction& instruction) {
  const AttributeValue* value = instruction.find("sparsity_config");
  if (value == nullptr) return {};
  return read_sparsity(std::get<Verbatim>(*value).text);
}

void check_sparsity(const Instruction& instruction,
                    const std::vector<Sparsity>& sides) {
  for (const Sparsity& side : sides) {
    const Shape& operand = instruction.operand_shape(side.is_rhs ? 1 : 0);
    require(side.operand >= 2 &&
                side.operand < std::ssize(instruction.operands) &&
                side.kept >= 1 && side.of >= side.kept && side.dimension >= 0 &&
                side.dimension < operand.rank(),
            "convolution.C13",
            {"a sparse side keeps ", side.kept, " of ", side.of,
             " elements of dimension ", side.dimension, " of ", operand,
             ", and operand ", side.operand, " says which"},
            "it must keep some elements of a dimension, and an operand behind "
            "the first two must say which");
  }
}

/// The size of a dimension of lhs or rhs with the elements that are left out.
int64_t dense_size(const Shape& shape, int64_t d, bool is_rhs,
                   const std::vector<Sparsity>& sides) {
  int64_t size = size_of(shape, d);
  for (const Sparsity& side : sides) {
    if (side.is_rhs != is_rhs || side.dimension != d) continue;
    if (__builtin_mul_overflow(size / side.kept, side.of, &size)) return -2;
  }
  return size;
}

void check_groups(const Convolution& conv, const std::vector<Sparsity>& sides) {
  require(conv.feature_groups >= 1 && conv.batch_groups >= 1, "convolution.C5",
          {"feature_group_count is ", conv.feature_groups,
           " and batch_group_count ", conv.batch_groups},
          "they must be at least 1");
  require(conv.feature_groups == 1 || conv.batch_groups == 1, "convolution.C5",
          {"feature_group_count is ", conv.feature_groups,
           " and batch_group_count ", conv.batch_groups},
          "only one of them can exceed 1");
  const int64_t input =
      dense_size(conv.lhs, conv.labels.input.feature, false, sides);
  const int64_t kernel =
      dense_size(conv.rhs, conv.labels.kernel.batch_or_input, true, sides);
  int64_t features = 0;
  require(
      kernel == kUnbounded || input == kUnbounded ||
          (!__builtin_mul_overflow(kernel, conv.feature_groups, &features) &&
           features == input),
      "convolution.C6",
      {"there are ", Count{input, "input feature"}, ", ",
       Count{kernel, "kernel input feature"}, " and ",
       Count{conv.feature_groups, "feature group"}},
      "the first number must be the product of the others");
  require(divides(conv.output_feature(), conv.feature_groups), "convolution.C7",
          {"there are ", Count{conv.output_feature(), "output feature"},
           " and ", Count{conv.feature_groups, "feature group"}},
          "the first number must be a multiple of the second");
  require(divides(conv.batch(), conv.batch_groups), "convolution.C8",
          {"the batch is ", conv.batch(), " and there are ",
           Count{conv.batch_groups, "batch group"}},
          "the first number must be a multiple of the second");
  require(divides(conv.output_feature(), conv.batch_groups), "convolution.C9",
          {"there are ", Count{conv.output_feature(), "output feature"},
           " and ", Count{conv.batch_groups, "batch group"}},
          "the first number must be a multiple of the second");
}

void set_dimension(Shape& result, int64_t d, int64_t size, bool dynamic) {
  result.dims[static_cast<size_t>(d)] = size;
  if (dynamic) result.set_dynamic(d, true);
}

Shape infer(const Instruction& instruction) {
  const Shape& lhs = instruction.operand_shape(0);
  require(lhs.is_array() && instruction.operand_shape(1).is_array(),
          "convolution.C1",
          {"the operands are ", lhs, " and ", instruction.operand_shape(1)},
          "both must be arrays");
  const Convolution conv(instruction);
  const std::vector<Sparsity> sides = sparsity_of(instruction);
  check_sparsity(instruction, sides);
  check_labels(conv);
  check_groups(conv, sides);
  const DimLabels& labels = conv.labels;
  const auto rank = static_cast<int64_t>(labels.output.spatial.size() + 2 +
                                         labels.output.unused.size());
  require(names_all(labels.output, rank), "convolution.C2",
          {"the result has ", Count{rank, "dimension"}},
          "dim_labels must name each of them once");
  Shape result = Shape::array(contraction_type(instruction),
                              Ints(static_cast<size_t>(rank), 1));
  require(
      is_complex(result.element_type) ||
          (!is_complex(lhs.element_type) && !is_complex(conv.rhs.element_type)),
      "convolution.C12",
      {"the operands are ", lhs, " and ", conv.rhs, " and the result is ",
       result.element_type},
      "the result of complex operands must be complex");
  const int64_t batch = conv.batch();
  set_dimension(result, labels.output.batch_or_input,
                batch == kUnbounded ? batch : batch / conv.batch_groups,
                lhs.is_dynamic(labels.input.batch_or_input));
  set_dimension(result, labels.output.feature, conv.output_feature(),
                conv.rhs.is_dynamic(labels.kernel.feature));
  for (size_t d = 0; d < conv.window.dims.size(); ++d) {
    const int64_t from = labels.input.spatial[d];
    set_dimension(
        result, labels.output.spatial[d],
        window_places(size_of(lhs, from), conv.window.dims[d], kWindowRules),
        lhs.is_dynamic(from));
  }
  return result;
}

/// The index of an element by the parts that its labels name.
Index labelled(const ConvolutionSide& side, int64_t first, int64_t feature,
               const Index& spatial) {
  Index index(side.spatial.size() + side.unused.size() + 2);
  place(index, {side.batch_or_input, side.feature}, {first, feature});
  place(index, side.spatial, spatial);
  return index;
}

/// Which element of the kernel a cell of the window stands for.
Index in_kernel(const Window& window, Index cell) {
  for (size_t d = 0; d < cell.size(); ++d) {
    if (window.dims[d].reversal) cell[d] = window.dims[d].size - 1 - cell[d];
  }
  return cell;
}

/// input[b + n * B, g * I + i, q] * kernel[i, o, d] for all cells, which lie
/// over q and d, and all input features i.
void terms(const Instruction& instruction, Operands, const Index& result,
           const VisitTerm& visit) {
  require_evaluable(instruction.find("sparsity_config") == nullptr,
                    "evaluate.undefined", {"the convolution is sparse"},
                    "only dense ones can be evaluated yet");
  const Convolution conv(instruction);
  const auto& [input, kernel, output] = conv.labels;
  const int64_t b = result[static_cast<size_t>(output.batch_or_input)];
  const int64_t o = result[static_cast<size_t>(output.feature)];
  const Index p = chosen(result, output.spatial);
  const int64_t n = o / (conv.output_feature() / conv.batch_groups);
  const int64_t g = o / (conv.output_feature() / conv.feature_groups);
  const int64_t batch = b + n * (conv.batch() / conv.batch_groups);
  const int64_t features = size_of(conv.rhs, kernel.batch_or_input);
  const Ints sizes = chosen(conv.lhs.dims, input.spatial);
  for_each_index(sizes_of(conv.window), [&, &input = input,
                                         &kernel = kernel](const Index& cell) {
    const auto q = element_under(conv.window, p, cell, sizes);
    for (int64_t i = 0; q && i < features; ++i) {
      visit({labelled(input, batch, g * features + i, *q),
             labelled(kernel, i, o, in_kernel(conv.window, cell))});
    }
  });
}

bool has_groups(const Fitting& on, std::string_view count) {
  return on.instruction.get_or(count, int64_t{1}) > 1;
}

/// Which features a group has follows from the bounds, so that dimensions that
/// are divided into groups are whole.
void require_whole_groups(const Fitting& on, const DimLabels& labels) {
  constexpr std::string_view kFeatures =
      "features that are divided into groups must be whole";
  const bool features = has_groups(on, "feature_group_count");
  const bool batches = has_groups(on, "batch_group_count");
  if (features) {
    on.require_whole(0, labels.input.feature, kFeatures);
    on.require_whole(1, labels.kernel.batch_or_input, kFeatures);
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
}

void fit(const Fitting& on) {
  const auto& labels = on.instruction.get<DimLabels>("dim_labels");
  for (const int64_t d : labels.kernel.spatial) {
    on.require_whole(1, d, "the window must have the size of the kernel");
  }
  require_whole_groups(on, labels);
  if (!has_groups(on, "feature_group_count")) {
    on.pair(0, labels.input.feature, 1, labels.kernel.batch_or_input);
  }
}

int64_t work(const Instruction& instruction) {
  const Convolution conv(instruction);
  return work_of_sums(
      instruction, saturating_product(
                       {saturating_product(sizes_of(conv.window)),
                        size_of(conv.rhs, conv.labels.kernel.batch_or_input)}));
}

}  // namespace

extern constinit const Op op_convolution{
    .name = "convolution",
    .min_operands = 2,
    .max_operands = 4,  // sparse operands bring their indices
    .attributes = kAttributes,
    .infer = infer,
    .terms = terms,
    .work = work,
    .accuracy = {.kind = Accuracy::Kind::kSum},
    .fit = fit};

}  // namespace hlo
