#include "interpreter/stablehlo/import/operations/import_broadcasting.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>

#include "interpreter/stablehlo/import/importer/importer.h"
#include "interpreter/stablehlo/operation_names.h"

namespace hlo::stablehlo {
namespace {

/// Which dimensions of a result of `rank` the operand's become: the last ones,
/// or those that the text gives for the operand of lower rank.
Ints places(const Conversion& c, const Instruction* operand, int64_t rank) {
  const int64_t own = operand->shape.rank();
  Ints dimensions;
  for (int64_t d = 0; d < own; ++d) dimensions.push_back(rank - own + d);
  if (own == rank) return dimensions;
  return c.ints("broadcast_dimensions", dimensions);
}

std::vector<int64_t> common_dims(const Conversion& c) {
  int64_t rank = 0;
  for (const Instruction* operand : c.operands) {
    rank = std::max(rank, operand->shape.rank());
  }
  std::vector<int64_t> dims(static_cast<size_t>(rank), 1);
  for (const Instruction* operand : c.operands) {
    const Ints at = places(c, operand, rank);
    c.require(std::ssize(at) == operand->shape.rank(), "stablehlo.needs",
              {"broadcast_dimensions is ", at, " for ", operand->shape},
              "it must have an entry for each dimension");
    for (size_t d = 0; d < at.size(); ++d) {
      c.require(
          at[d] >= 0 && at[d] < rank, "stablehlo.needs",
          {"broadcast_dimensions is ", at, " for a result of rank ", rank},
          "these must be dimensions of the result");
      int64_t& size = dims[static_cast<size_t>(at[d])];
      const int64_t own = operand->shape.dims[d];
      c.require(size == own || size == 1 || own == 1, "stablehlo.broadcast",
                {"sizes ", size, " and ", own, " meet in dimension ", at[d]},
                "they must be equal, or one of them be 1");
      if (size == 1) size = own;
    }
  }
  return dims;
}

Instruction* expanded(const Conversion& c, Instruction* operand,
                      const std::vector<int64_t>& dims) {
  if (operand->shape.dims == dims) return operand;
  const Ints at = places(c, operand, std::ssize(dims));
  Ints kept;
  std::vector<int64_t> sizes;
  for (size_t d = 0; d < at.size(); ++d) {
    const int64_t own = operand->shape.dims[d];
    if (own != dims[static_cast<size_t>(at[d])]) continue;
    kept.push_back(at[d]);
    sizes.push_back(own);
  }
  return c.build().broadcast(c.build().reshape(operand, sizes), dims, kept);
}

Values broadcasting(const Conversion& c) {
  const auto row =
      std::ranges::find(broadcasting_names(), std::string_view(c.op.name),
                        &std::pair<std::string_view, std::string_view>::first);
  const std::vector<int64_t> dims = common_dims(c);
  Operation plain;
  plain.name = row->second;
  plain.attributes = c.op.attributes;
  plain.location = c.op.location;
  Conversion inner{plain, c.importer, c.scope, {}, c.shapes};
  for (Instruction* operand : c.operands) {
    inner.operands.push_back(expanded(c, operand, dims));
  }
  return c.importer.converter(row->second)->convert(inner);
}

/// The sizes of a dimension of all shapes, counted from the last one; a shape
/// without it has 1.
Ints sizes_from_last(const std::vector<Ints>& shapes, size_t place) {
  Ints sizes;
  for (const Ints& shape : shapes) {
    sizes.push_back(place < shape.size() ? shape[shape.size() - 1 - place] : 1);
  }
  return sizes;
}

/// Neighbouring dimensions that the same shapes have beyond 1 become one, and
/// those that none has are left out: the sizes of each group, last one first.
std::vector<Ints> joined_dimensions(const Conversion& c,
                                    const std::vector<Ints>& shapes) {
  const size_t rank = std::ranges::max(shapes, {}, &Ints::size).size();
  std::vector<Ints> groups;
  for (size_t place = 0; place < rank; ++place) {
    const Ints sizes = sizes_from_last(shapes, place);
    int64_t common = 1;
    for (const int64_t size : sizes) {
      c.require(size == 1 || common == 1 || size == common,
                "stablehlo.broadcast",
                {"sizes ", common, " and ", size, " meet"},
                "they must be equal, or one of them be 1");
      if (size != 1) common = size;
    }
    if (common == 1) continue;
    const auto alike = [](int64_t a, int64_t b) {
      return (a == 1) == (b == 1);
    };
    if (!groups.empty() && std::ranges::equal(groups.back(), sizes, alike)) {
      std::ranges::transform(groups.back(), sizes, groups.back().begin(),
                             std::multiplies());
    } else {
      groups.push_back(sizes);
    }
  }
  return groups;
}

void check_moderate(const Conversion& c, const Ints& shape) {
  constexpr int64_t kMost = int64_t{1} << 40;
  int64_t count = 1;
  for (const int64_t size : shape) {
    c.require(size >= 0, "stablehlo.dynamic", {"a size is ", size},
              "sizes must not be negative");
    c.require(size == 0 || count <= kMost / size, "stablehlo.size",
              {"a shape has the sizes ", shape},
              "it can have at most 2^40 elements");
    if (size > 0) count *= size;
  }
}

/// Shapes of least rank that broadcast as the operands do.
Values minimum_broadcast_shapes(const Conversion& c) {
  std::vector<Ints> shapes;
  for (size_t i = 0; i < c.operands.size(); ++i) {
    shapes.push_back(c.constant_ints(i));
    check_moderate(c, shapes.back());
  }
  const std::vector<Ints> groups = joined_dimensions(c, shapes);
  Values results;
  for (size_t i = 0; i < shapes.size(); ++i) {
    Ints sizes;
    for (size_t g = groups.size(); g > 0; --g) {
      const int64_t size = groups[g - 1][i];
      if (size != 1 || !sizes.empty()) sizes.push_back(size);
    }
    Literal literal = Literal::uninitialized(
        Shape::array(c.operand_shape(i).element_type, {std::ssize(sizes)}));
    for (size_t d = 0; d < sizes.size(); ++d) {
      literal.set(static_cast<int64_t>(d),
                  {literal.type(), {static_cast<uint64_t>(sizes[d]), 0}});
    }
    results.push_back(c.build().constant(std::move(literal)));
  }
  return results;
}

std::vector<ConverterRow> rows() {
  std::vector<ConverterRow> rows = {{"chlo.minimum_broadcast_shapes",
                                     minimum_broadcast_shapes, false,
                                     at_least(2)}};
  for (const auto& [name, plain] : broadcasting_names()) {
    rows.push_back({name, broadcasting});
  }
  return rows;
}

}  // namespace

ConverterRows broadcasting_rows() {
  static const std::vector<ConverterRow> all = rows();
  return all;
}

}  // namespace hlo::stablehlo
