#include "conformance/random/region_recipes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace hlo::conformance {

namespace {

using Sizes = std::vector<int64_t>;

// The operations of two operands and of one that every value of the type has.
std::vector<std::string_view> binary_ops(ElementType type) {
  if (type == ElementType::kPred) return {"and", "or", "xor"};
  if (is_complex(type)) return {"add", "multiply", "subtract"};
  std::vector<std::string_view> ops = {"add", "multiply", "maximum", "minimum"};
  if (is_float(type) || is_integer(type)) ops.emplace_back("subtract");
  if (is_integer(type)) ops.emplace_back("xor");
  return ops;
}

std::string one_op(ProgramWriter& writer, ElementType type,
                   const std::string& name, const Names& from) {
  const std::vector<std::string_view> ops = binary_ops(type);
  const std::string_view op = writer.draw.of(ops);
  const std::string& a = writer.draw.of(from);
  const std::string& b = writer.draw.of(from);
  return fmt::format("{} = {}({}, {})", name, op, a, b);
}

// A reducer of n pairs of scalars of the types.
std::string write_tuple_reducer(ProgramWriter& writer,
                                const std::vector<ElementType>& types) {
  if (types.size() == 1) return write_reducer(writer, types[0]);
  std::vector<Shape> parameters;
  for (int i = 0; i < 2; ++i) {
    for (const ElementType type : types) {
      parameters.push_back(Shape::scalar(type));
    }
  }
  std::vector<std::string> body;
  Names results;
  for (size_t i = 0; i < types.size(); ++i) {
    results.push_back(fmt::format("r{}", i));
    body.push_back(
        one_op(writer, types[i], results.back(),
               {fmt::format("p{}", i), fmt::format("p{}", i + types.size())}));
  }
  body.push_back(fmt::format("t = tuple({})", fmt::join(results, ", ")));
  return writer.computation(parameters, body);
}

// x and further arrays of its dimensions, and their types.
Names write_arrays(ProgramWriter& writer, const Value& x, int64_t most,
                   std::vector<ElementType>& types) {
  Names names = {x.name};
  types = {x.shape.element_type};
  for (int64_t n = writer.draw.between(1, most); n > 1; --n) {
    types.push_back(writer.draw.type());
    names.push_back(writer.operand(types.back(), x.shape.dims));
  }
  return names;
}

void add_inits(ProgramWriter& writer, const std::vector<ElementType>& types,
               Names& operands) {
  for (const ElementType type : types) {
    operands.push_back(writer.operand(Shape::scalar(type)));
  }
}

void write_reduce(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  std::vector<ElementType> types;
  Names operands = write_arrays(writer, x, 2, types);
  add_inits(writer, types, operands);
  const std::string dimensions = list(writer.draw.subset(x.shape.rank()));
  writer.add("", op.name, operands,
             fmt::format("dimensions={}, to_apply={}", dimensions,
                         write_tuple_reducer(writer, types)));
}

void write_reduce_window(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  std::vector<ElementType> types;
  Names operands = write_arrays(writer, x, 2, types);
  add_inits(writer, types, operands);
  const std::string window = write_window(writer, x.shape.dims);
  writer.add("", op.name, operands,
             fmt::format("window={}, to_apply={}", window,
                         write_tuple_reducer(writer, types)));
}

void write_select_and_scatter(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array_of_rank(1);
  const ElementType type = x.shape.element_type;
  Sizes sizes;
  Sizes places;
  for (const int64_t size : x.shape.dims) {
    sizes.push_back(writer.draw.between(1, std::clamp<int64_t>(size, 1, 3)));
    places.push_back(size < sizes.back() ? 0 : (size - sizes.back()) / 2 + 1);
  }
  const Sizes strides(sizes.size(), 2);
  const Names operands = {x.name, writer.operand(type, places),
                          writer.operand(Shape::scalar(type))};
  const std::string select = write_comparator(writer, {type, type});
  const std::string scatter = write_reducer(writer, type);
  writer.add("", op.name, operands,
             fmt::format("window={{size={} stride={}}}, select={}, scatter={}",
                         fmt::join(sizes, "x"), fmt::join(strides, "x"), select,
                         scatter));
}

void write_map(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  const int64_t n = writer.draw.between(1, 3);
  Names operands = {x.name};
  while (static_cast<int64_t>(operands.size()) < n) {
    operands.push_back(writer.operand(x.shape));
  }
  Sizes all;
  for (int64_t d = 0; d < x.shape.rank(); ++d) all.push_back(d);
  writer.add(
      "", op.name, operands,
      fmt::format("dimensions={}, to_apply={}", list(all),
                  write_body(writer, Shape::scalar(x.shape.element_type), n)));
}

void write_sort(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array_of_rank(1);
  std::vector<ElementType> types;
  const Names operands = write_arrays(writer, x, 3, types);
  std::vector<ElementType> pairs;
  for (const ElementType type : types) pairs.insert(pairs.end(), 2, type);
  const int64_t d = writer.draw.between(0, x.shape.rank() - 1);
  const bool is_stable = writer.draw.one_in(2);
  writer.add("", op.name, operands,
             fmt::format("dimensions={{{}}}, is_stable={}, to_apply={}", d,
                         is_stable, write_comparator(writer, pairs)));
}

void write_scan(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array_of_rank(1);
  const int64_t d = writer.draw.between(0, x.shape.rank() - 1);
  Sizes dims = x.shape.dims;
  dims.erase(dims.begin() + d);
  const Shape slice = Shape::array(x.shape.element_type, dims);
  const std::string body = writer.computation(
      {slice, slice},
      {one_op(writer, x.shape.element_type, "a", {"p0", "p1"}),
       one_op(writer, x.shape.element_type, "b", {"p0", "p1", "a"}),
       "t = tuple(a, b)"});
  std::string attributes =
      fmt::format("dimensions={{{}}}, num_carries=1, to_apply={}", d, body);
  if (writer.draw.one_in(3)) attributes += ", is_reverse=true";
  writer.add(spell_tuple({to_string(x.shape, false), to_string(slice, false)}),
             op.name, {x.name, writer.operand(slice)}, attributes);
}

}  // namespace

std::string write_window(ProgramWriter& writer, const Ints& dims) {
  Draw& draw = writer.draw;
  std::vector<std::string> sizes;
  std::vector<std::string> strides;
  std::vector<std::string> pads;
  std::vector<std::string> rhs;
  std::vector<std::string> lhs;
  for (const int64_t size : dims) {
    const int64_t most = std::clamp<int64_t>(size, 1, 4);
    sizes.push_back(std::to_string(draw.between(1, most)));
    strides.push_back(std::to_string(draw.between(1, 3)));
    const int64_t low = draw.between(-1, 2);
    const int64_t high = draw.between(-1, 2);
    pads.push_back(fmt::format("{}_{}", low, high));
    rhs.push_back(std::to_string(draw.between(1, 2)));
    lhs.push_back(std::to_string(draw.between(1, 2)));
  }
  if (dims.empty()) return "{}";
  std::string text = fmt::format("{{size={} stride={}", fmt::join(sizes, "x"),
                                 fmt::join(strides, "x"));
  if (draw.one_in(2)) text += fmt::format(" pad={}", fmt::join(pads, "x"));
  if (draw.one_in(2)) {
    text += fmt::format(" lhs_dilate={}", fmt::join(lhs, "x"));
  }
  if (draw.one_in(3))
    text += fmt::format(" rhs_dilate={}", fmt::join(rhs, "x"));
  return text + "}";
}

std::string write_body(ProgramWriter& writer, const Shape& shape, int64_t n) {
  Names names;
  for (int64_t i = 0; i < n; ++i) names.push_back(fmt::format("p{}", i));
  std::vector<std::string> body;
  for (int64_t left = writer.draw.between(1, 5); left > 0; --left) {
    const std::string name = fmt::format("x{}", left);
    body.push_back(one_op(writer, shape.element_type, name, names));
    names.push_back(name);
  }
  return writer.computation(std::vector<Shape>(static_cast<size_t>(n), shape),
                            body);
}

std::string write_reducer(ProgramWriter& writer, ElementType type) {
  const Shape scalar = Shape::scalar(type);
  if (writer.draw.one_in(3)) return write_body(writer, scalar, 2);
  return writer.computation(
      {scalar, scalar},
      {fmt::format("r = {}(p0, p1)", writer.draw.of(binary_ops(type)))});
}

std::string write_comparator(ProgramWriter& writer,
                             const std::vector<ElementType>& types) {
  constexpr std::array kDirections = {"LT", "GT", "GE", "LE"};
  std::vector<Shape> parameters(types.size());
  std::ranges::transform(types, parameters.begin(), Shape::scalar);
  if (is_complex(types[0])) {
    return writer.computation(parameters, {"a = real(p0)", "b = real(p1)",
                                           "r = compare(a, b), direction=LT"});
  }
  const bool is_total = is_float(types[0]) && writer.draw.one_in(2);
  return writer.computation(parameters,
                            {fmt::format("r = compare(p0, p1), direction={}{}",
                                         writer.draw.of(kDirections),
                                         is_total ? ", type=TOTALORDER" : "")});
}

std::span<const NamedRecipe> region_recipes() {
  static constexpr std::array kRecipes = std::to_array<NamedRecipe>({
      {"reduce", write_reduce},
      {"reduce-window", write_reduce_window},
      {"select-and-scatter", write_select_and_scatter},
      {"map", write_map},
      {"sort", write_sort},
      {"scan", write_scan},
  });
  return kRecipes;
}

}  // namespace hlo::conformance
