#include "conformance/random/linear_recipes.h"

#include <fmt/format.h>

#include <array>

namespace hlo::conformance {

namespace {

using Sizes = std::vector<int64_t>;

bool is_real_or_complex(ElementType type) {
  return is_float(type) || is_complex(type);
}

ElementType linear_type(Draw& draw) {
  ElementType type = draw.type();
  while (!is_real_or_complex(type)) type = draw.type();
  return type;
}

void write_fft(ProgramWriter& writer, const Op& op) {
  constexpr std::array kKinds = {"FFT", "IFFT", "RFFT", "IRFFT"};
  Draw& draw = writer.draw;
  const std::string_view kind = draw.of(kKinds);
  const bool is_double = draw.one_in(2);
  ElementType type = is_double ? ElementType::kC128 : ElementType::kC64;
  if (kind == "RFFT") type = component_type(type);
  const int64_t axes = draw.between(1, 3);
  Sizes lengths;
  for (int64_t d = 0; d < axes; ++d) lengths.push_back(draw.between(0, 7));
  Sizes dims = lengths;
  if (kind == "IRFFT") {
    dims.back() = lengths.back() == 0 ? 0 : lengths.back() / 2 + 1;
  }
  if (draw.one_in(2)) dims.insert(dims.begin(), draw.between(0, 3));
  writer.add("", op.name, {writer.operand(type, dims)},
             fmt::format("fft_type={}, fft_length={}", kind, list(lengths)));
}

// A constant matrix that is positive definite, now and then.
std::string write_matrix(ProgramWriter& writer, ElementType type,
                         const Sizes& dims) {
  if (!is_float(type) || writer.draw.one_in(2) || dims.size() != 2) {
    return writer.operand(type, dims);
  }
  std::string rows;
  for (int64_t i = 0; i < dims[0]; ++i) {
    Sizes row(static_cast<size_t>(dims[0]), 1);
    row[static_cast<size_t>(i)] = 4;
    rows += (i == 0 ? "" : ", ") + list(row);
  }
  return writer.add(spell(type, dims), "constant", {"{" + rows + "}"});
}

void write_cholesky(ProgramWriter& writer, const Op& op) {
  Draw& draw = writer.draw;
  const int64_t n = draw.between(0, 4);
  Sizes dims = {n, n};
  if (draw.one_in(3)) dims.insert(dims.begin(), draw.between(0, 3));
  const ElementType type = linear_type(draw);
  const std::string a = write_matrix(writer, type, dims);
  writer.add("", op.name, {a}, fmt::format("lower={}", draw.one_in(2)));
}

void write_triangular_solve(ProgramWriter& writer, const Op& op) {
  constexpr std::array kTransposes = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  Draw& draw = writer.draw;
  const int64_t n = draw.between(0, 4);
  const int64_t sides = draw.between(0, 3);
  const bool is_left = draw.one_in(2);
  Sizes a = {n, n};
  Sizes b = is_left ? Sizes{n, sides} : Sizes{sides, n};
  if (draw.one_in(3)) {
    a.insert(a.begin(), draw.between(0, 3));
    b.insert(b.begin(), a[0]);
  }
  const ElementType type = linear_type(draw);
  const std::string matrix = write_matrix(writer, type, a);
  const std::string side = writer.operand(type, b);
  const bool is_lower = draw.one_in(2);
  const bool is_unit = draw.one_in(2);
  writer.add("", op.name, {matrix, side},
             fmt::format("left_side={}, lower={}, unit_diagonal={}, "
                         "transpose_a={}",
                         is_left, is_lower, is_unit, draw.of(kTransposes)));
}

void write_batch_norm(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array_of_rank(1, is_float);
  const int64_t feature = writer.draw.between(0, x.shape.rank() - 1);
  const bool is_grad = op.name == "batch-norm-grad";
  Names operands = {x.name};
  while (static_cast<int64_t>(operands.size()) <
         op.min_operands - (is_grad ? 1 : 0)) {
    operands.push_back(writer.operand(
        x.shape.element_type, {x.shape.dims[static_cast<size_t>(feature)]}));
  }
  if (is_grad) operands.push_back(writer.operand(x.shape));
  writer.add("", op.name, operands,
             fmt::format("epsilon=0.001, feature_index={}", feature));
}

void write_rng(ProgramWriter& writer, const Op& op) {
  const Value low = writer.array();
  const Shape scalar = Shape::scalar(low.shape.element_type);
  const std::string a = writer.operand(scalar);
  const std::string b = writer.operand(scalar);
  const bool is_normal =
      is_float(low.shape.element_type) && writer.draw.one_in(2);
  writer.add(
      spell(low.shape.element_type, writer.draw.dims()), op.name, {a, b},
      fmt::format("distribution=rng_{}", is_normal ? "normal" : "uniform"));
}

void write_rng_bit_generator(ProgramWriter& writer, const Op& op) {
  constexpr std::array kAlgorithms = {"three_fry", "philox", "default"};
  constexpr std::array kTypes = {ElementType::kU8,  ElementType::kU16,
                                 ElementType::kU32, ElementType::kU64,
                                 ElementType::kU4,  ElementType::kU1};
  Draw& draw = writer.draw;
  const std::string_view algorithm = draw.of(kAlgorithms);
  const Sizes state = {algorithm != "three_fry" && draw.one_in(2) ? 3 : 2};
  const ElementType type = draw.of(kTypes);
  const std::string bits = spell(type, draw.dims());
  writer.add(spell_tuple({spell(ElementType::kU64, state), bits}), op.name,
             {writer.operand(ElementType::kU64, state)},
             fmt::format("algorithm=rng_{}", algorithm));
}

void write_rng_state(ProgramWriter& writer, const Op& op) {
  writer.add(spell(ElementType::kU64, {2}), op.name, {},
             fmt::format("delta={}", writer.draw.between(0, 9)));
}

}  // namespace

std::span<const NamedRecipe> linear_recipes() {
  static constexpr std::array kRecipes = std::to_array<NamedRecipe>({
      {"fft", write_fft},
      {"cholesky", write_cholesky},
      {"triangular-solve", write_triangular_solve},
      {"batch-norm-training", write_batch_norm},
      {"batch-norm-inference", write_batch_norm},
      {"batch-norm-grad", write_batch_norm},
      {"rng", write_rng},
      {"rng-bit-generator", write_rng_bit_generator},
      {"rng-get-and-update-state", write_rng_state},
  });
  return kRecipes;
}

}  // namespace hlo::conformance
