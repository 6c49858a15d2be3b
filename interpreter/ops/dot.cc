// spec/ops/dot.md
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/plans/contraction/contraction.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"lhs_batch_dims", AttributeKind::kInts},
    {"lhs_contracting_dims", AttributeKind::kInts},
    {"rhs_batch_dims", AttributeKind::kInts},
    {"rhs_contracting_dims", AttributeKind::kInts},
    {"operand_precision", AttributeKind::kWords, false, kPrecisionWords},
    {"algorithm", AttributeKind::kWord, false, kAlgorithmWords},
};

/// The dimensions of one operand: batch, contracting, and the free others.
struct Dimensions {
  Ints batch;
  Ints contracting;
  Ints free;
};

Dimensions dimensions(const Instruction& dot, size_t operand) {
  const std::string side = operand == 0 ? "lhs" : "rhs";
  Dimensions dims{dot.get_or(side + "_batch_dims", Ints{}),
                  dot.get_or(side + "_contracting_dims", Ints{}),
                  {}};
  for (int64_t d = 0; d < dot.operand_shape(operand).rank(); ++d) {
    if (std::ranges::count(dims.batch, d) == 0 &&
        std::ranges::count(dims.contracting, d) == 0) {
      dims.free.push_back(d);
    }
  }
  return dims;
}

void check_dimensions(const Shape& shape, const Dimensions& dims,
                      std::string_view range, std::string_view unique) {
  Ints named = dims.batch;
  named.insert(named.end(), dims.contracting.begin(), dims.contracting.end());
  std::ranges::sort(named);
  for (const int64_t d : named) {
    require(d >= 0 && d < shape.rank(), range,
            {"dimension ", d, " is named of ", shape},
            "dimension numbers must be dimensions of their operand");
  }
  require(std::ranges::adjacent_find(named) == named.end(), unique,
          {"dimensions ", named, " are named of one operand"},
          "no dimension may be named twice");
}

bool same_size(const Shape& lhs, int64_t l, const Shape& rhs, int64_t r) {
  const int64_t a = lhs.dims[static_cast<size_t>(l)];
  const int64_t b = rhs.dims[static_cast<size_t>(r)];
  return a == b || a == kUnbounded || b == kUnbounded;
}

void check_sizes(const Instruction& dot, const Dimensions& lhs,
                 const Dimensions& rhs) {
  const Shape& a = dot.operand_shape(0);
  const Shape& b = dot.operand_shape(1);
  require(lhs.contracting.size() == rhs.contracting.size(), "dot.C5",
          {"lhs_contracting_dims is ", lhs.contracting,
           " and rhs_contracting_dims ", rhs.contracting},
          "they must be as many");
  require(lhs.batch.size() == rhs.batch.size(), "dot.C6",
          {"lhs_batch_dims is ", lhs.batch, " and rhs_batch_dims ", rhs.batch},
          "they must be as many");
  for (size_t i = 0; i < lhs.contracting.size(); ++i) {
    require(same_size(a, lhs.contracting[i], b, rhs.contracting[i]), "dot.C7",
            {"dimension ", lhs.contracting[i], " of ", a,
             " is paired with dimension ", rhs.contracting[i], " of ", b},
            "contracting dimensions that are paired must have the same size");
  }
  for (size_t i = 0; i < lhs.batch.size(); ++i) {
    require(same_size(a, lhs.batch[i], b, rhs.batch[i]), "dot.C8",
            {"dimension ", lhs.batch[i], " of ", a,
             " is paired with dimension ", rhs.batch[i], " of ", b},
            "batch dimensions that are paired must have the same size");
  }
}

void append(Shape& result, const Shape& operand, const Ints& dims) {
  for (const int64_t d : dims) append_dimension(result, operand, d);
}

Shape infer(const Instruction& dot) {
  const Shape& a = dot.operand_shape(0);
  const Shape& b = dot.operand_shape(1);
  require(a.is_array() && b.is_array(), "dot.C1",
          {"the operands are ", a, " and ", b}, "both must be arrays");
  const Dimensions lhs = dimensions(dot, 0);
  const Dimensions rhs = dimensions(dot, 1);
  check_dimensions(a, lhs, "dot.C2", "dot.C3");
  check_dimensions(b, rhs, "dot.C2", "dot.C3");
  check_sizes(dot, lhs, rhs);
  Shape result = Shape::array(contraction_type(dot), {});
  require(is_complex(result.element_type) ||
              (!is_complex(a.element_type) && !is_complex(b.element_type)),
          "dot.C4",
          {"the operands are ", a, " and ", b, " and the result ", result},
          "the result of complex operands must be complex");
  append(result, a, lhs.batch);
  append(result, a, lhs.free);
  append(result, b, rhs.free);
  return result;
}

/// The positions of one operand's elements (g, index, k): the last contracting
/// dimension makes the runs.
struct Side {
  Ints groups;
  Ints vectors;
  Ints starts;  // of the runs, from the first one on
  int64_t length = 1;
  int64_t stride = 1;

  Side(const Instruction& dot, size_t operand) {
    Dimensions dims = dimensions(dot, operand);
    const Shape& shape = dot.operand_shape(operand);
    groups = offsets_along(shape, dims.batch);
    vectors = offsets_along(shape, dims.free);
    if (!dims.contracting.empty()) {
      const auto last = static_cast<size_t>(dims.contracting.back());
      length = shape.dims[last];
      stride = row_major_strides(shape.dims)[last];
      dims.contracting.pop_back();
    }
    starts = offsets_along(shape, dims.contracting);
  }

  Runs runs(const std::shared_ptr<const Side>& self) const {
    return {.starts = [self](int64_t g, int64_t index,
                             int64_t* p) { (*self)(g, index, p); },
            .count = static_cast<int64_t>(starts.size()),
            .length = length,
            .stride = stride};
  }

  void operator()(int64_t g, int64_t index, int64_t* positions) const {
    const int64_t base =
        groups[static_cast<size_t>(g)] + vectors[static_cast<size_t>(index)];
    for (const int64_t start : starts) *positions++ = base + start;
  }
};

Contraction contraction(const Instruction& dot) {
  const auto lhs = std::make_shared<const Side>(dot, 0);
  const auto rhs = std::make_shared<const Side>(dot, 1);
  Contraction result;
  result.groups = static_cast<int64_t>(lhs->groups.size());
  result.rows = static_cast<int64_t>(lhs->vectors.size());
  result.columns = static_cast<int64_t>(rhs->vectors.size());
  result.depth = static_cast<int64_t>(lhs->starts.size()) * lhs->length;
  result.lhs = lhs->runs(lhs);
  result.rhs = rhs->runs(rhs);
  const int64_t rows = result.rows;
  const int64_t columns = result.columns;
  result.result_row = [rows, columns](int64_t g, int64_t m) {
    return (g * rows + m) * columns;
  };
  result.result_column = [](int64_t, int64_t n) { return n; };
  result.locate = [rows, columns](int64_t position, int64_t gmn[3]) {
    gmn[0] = position / columns / rows;
    gmn[1] = position / columns % rows;
    gmn[2] = position % columns;
  };
  return result;
}

}  // namespace

extern constinit const Op op_dot{.name = "dot",
                                 .min_operands = 2,
                                 .max_operands = 2,
                                 .attributes = kAttributes,
                                 .infer = infer,
                                 .contraction = contraction,
                                 .accuracy = {.kind = Accuracy::Kind::kSum}};

}  // namespace hlo
