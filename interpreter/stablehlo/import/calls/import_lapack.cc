#include "interpreter/stablehlo/import/calls/import_lapack.h"

#include "interpreter/shortened.h"

// What JAX calls LAPACK for where it lowers for CPUs, with the letters of
// LAPACK's arguments in the configuration.

namespace hlo::stablehlo {
namespace {

constexpr std::string_view kNeeds = "stablehlo.needs";

/// The configuration, in either of its two places.
const Dictionary& configuration(const Conversion& c) {
  for (const char* name : {"mhlo.backend_config", "backend_config"}) {
    const Attribute* attribute = c.find(name);
    if (attribute == nullptr) continue;
    const auto* entries = std::get_if<Dictionary>(&attribute->value);
    if (entries != nullptr) return *entries;
  }
  c.fail(
      kNeeds,
      "backend_config is no dictionary of LAPACK's arguments, but must be one");
}

/// The letter of an argument, which is written as its code; one of `letters`.
char letter(const Conversion& c, const Dictionary& arguments,
            std::string_view name, std::string_view letters) {
  const int64_t code = c.field(arguments, name, 0);
  for (const char one : letters) {
    if (code == one) return one;
  }
  c.fail(kNeeds, shortened(name) + " is not the code of a letter of '" +
                     std::string(letters) + "'");
}

/// Matrices of predicates: those of the triangle, the diagonal included.
Instruction* triangle(InstructionBuilder& builder, const Shape& shape,
                      bool lower) {
  const Shape places = Shape::array(ElementType::kS32, shape.dims);
  const int64_t rows = shape.rank() - 2;
  Instruction* row =
      builder.add("iota", places, {}, {{"iota_dimension", rows}});
  Instruction* column =
      builder.add("iota", places, {}, {{"iota_dimension", rows + 1}});
  return builder.add("compare", Shape::array(ElementType::kPred, shape.dims),
                     {row, column}, {{"direction", Word{lower ? "GE" : "LE"}}});
}

/// 0 for each matrix that has a factor, else 1: then the factor is NaN.
Instruction* status(InstructionBuilder& builder, Instruction* factor,
                    const Shape& shape) {
  const Shape& matrices = factor->shape;
  if (matrices.element_count() == 0) {
    return builder.constant(integer(shape, 0));
  }
  SliceConfig first;
  std::vector<int64_t> sizes = shape.dims;
  for (int64_t d = 0; d < matrices.rank(); ++d) {
    const bool counts = d < matrices.rank() - 2;
    first.dims.push_back(
        {0, counts ? matrices.dims[static_cast<size_t>(d)] : 1, 1});
  }
  sizes.insert(sizes.end(), 2, 1);
  Instruction* corner =
      builder.add("slice", Shape::array(matrices.element_type, sizes), {factor},
                  {{"slice", std::move(first)}});
  if (is_complex(matrices.element_type)) {
    corner = builder.add("real", {corner});
  }
  corner = builder.reshape(corner, shape.dims);
  Instruction* fails =
      builder.add("compare", Shape::array(ElementType::kPred, shape.dims),
                  {corner, corner}, {{"direction", Word{"NE"}}});
  return builder.convert(fails, shape.element_type);
}

/// The factor in one triangle, the operand in the other; and whether there is
/// one.
Values potrf(const Conversion& c) {
  const bool lower = letter(c, configuration(c), "uplo", "LU") == 'L';
  const Shape& shape = c.operand_shape(0);
  c.require(shape.rank() >= 2, kNeeds, {"the operand is ", shape},
            "it must have matrices");
  InstructionBuilder& builder = c.build();
  Instruction* factor =
      builder.add("cholesky", shape, {c.operand(0)}, {{"lower", lower}});
  const Shape counts = Shape::array(ElementType::kS32,
                                    {shape.dims.begin(), shape.dims.end() - 2});
  Instruction* fails = status(builder, factor, counts);
  return {builder.add("select", shape,
                      {triangle(builder, shape, lower), factor, c.operand(0)}),
          fails};
}

/// The solution; an older form has a factor of the right side as an operand.
Values trsm(const Conversion& c) {
  const Dictionary& arguments = configuration(c);
  const char transposition = letter(c, arguments, "trans_x", "NTC");
  Instruction* right = c.operand(1);
  if (c.operands.size() > 2) {
    right = c.build().add(
        "multiply", right->shape,
        {right, c.build().broadcast(c.operand(2), right->shape.dims)});
  }
  return {c.build().add(
      "triangular-solve", right->shape, {c.operand(0), right},
      {{"left_side", letter(c, arguments, "side", "LR") == 'L'},
       {"lower", letter(c, arguments, "uplo", "LU") == 'L'},
       {"unit_diagonal", letter(c, arguments, "diag", "NU") == 'U'},
       {"transpose_a", Word{transposition == 'N'   ? "NO_TRANSPOSE"
                            : transposition == 'T' ? "TRANSPOSE"
                                                   : "ADJOINT"}}})};
}

}  // namespace

Converter find_lapack(std::string_view target) {
  constexpr std::string_view kPrefix = "lapack_";
  constexpr std::string_view kTypes = "sdcz";
  if (!target.starts_with(kPrefix)) return nullptr;
  target.remove_prefix(kPrefix.size());
  if (target.empty() || kTypes.find(target[0]) == std::string_view::npos) {
    return nullptr;
  }
  target.remove_prefix(1);
  if (target == "potrf_ffi") return potrf;
  return target == "trsm_ffi" ? trsm : nullptr;
}

}  // namespace hlo::stablehlo
