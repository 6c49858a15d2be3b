#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "interpreter/rules/op.h"

// What the shape rules of several operations share.

namespace hlo {

std::vector<Shape> operand_shapes(const Instruction& instruction);
/// The shapes of operands that are arrays. Error `rule`.
std::vector<Shape> array_operands(const Instruction& instruction,
                                  std::string_view rule);
/// One shape is itself, several become a tuple.
Shape one_or_tuple(std::vector<Shape> shapes);
/// The inverse: `count` shapes in `shape`. Error `rule` where it is no tuple of
/// that many.
std::vector<Shape> split(const Shape& shape, size_t count,
                         std::string_view rule);
/// The only element of the attribute `dimensions`, which lies in [0, rank).
int64_t only_dimension(const Instruction& instruction, int64_t rank,
                       std::string_view rule);
/// Whether each of `dimensions` lies in [0, rank) and none is repeated.
bool are_dimensions(const Ints& dimensions, int64_t rank);
/// Whether `a` and `b` are arrays of the same type and dimensions but for
/// dimension d.
bool same_but_for(const Shape& a, const Shape& b, int64_t d);

/// The dimension numbers of an operation that contracts two operands.
struct DotDimensions {
  Ints lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
};

DotDimensions dot_dimensions(const Instruction& instruction);
/// Whether the lists name distinct dimensions of lhs and rhs in equal numbers.
bool are_dimensions_of(const DotDimensions& dims, const Shape& lhs,
                       const Shape& rhs);
/// Whether batch and contracting dimensions have equal sizes on both sides.
bool sizes_agree(const DotDimensions& dims, const Shape& lhs, const Shape& rhs);
/// The type of the result of a contraction: the given one, or the operands'
/// type, of two different ones that of the higher precision.
ElementType contraction_type(const Instruction& instruction);
/// The type of both, or of two different floats the wider one; nothing for
/// other pairs.
std::optional<ElementType> common_type(ElementType a, ElementType b);
/// The type of the result of an operation on operands of `type`, some of which
/// were of other float types where `mixed`: then the text may say which.
ElementType chosen_type(const Instruction& instruction, ElementType type,
                        bool mixed);
/// Appends the sizes of `dimensions` of `shape` to `dims`.
void append_sizes(std::vector<int64_t>& dims, const Shape& shape,
                  const Ints& dimensions);
/// Appends dimension `d` of `from` to the shape, dynamic where that is.
void append_dimension(Shape& shape, const Shape& from, int64_t d);
/// The dimensions in [0, rank) that neither list names.
Ints remaining(int64_t rank, const Ints& a, const Ints& b);

/// What batch-norm-training, -inference and -grad take.
inline constexpr AttributeSpec kBatchNormAttributes[] = {
    {"epsilon", AttributeKind::kDecimal, true},
    {"feature_index", AttributeKind::kInt, true},
};
/// Demands that operand 0 of a batch-norm is a float array with the feature
/// dimension. Error `rule`.
void require_features(const Instruction& norm, std::string_view rule);
/// Whether operands [1, count) of a batch-norm are float vectors with one
/// element for each feature.
bool are_feature_vectors(const Instruction& norm, size_t count);

/// The computation that an asynchronous operation wraps: of the start that the
/// chain of updates begins with; null where the chain passes through a loop or
/// a tuple and the operation does not name it.
const Computation* wrapped_computation(const Instruction& asynchronous);
std::vector<Shape> parameter_shapes(const Computation& computation);
/// Whether `shape` is `whole`, or a tuple of the first of its elements.
bool is_prefix(const Shape& shape, const Shape& whole);

}  // namespace hlo
