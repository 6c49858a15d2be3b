#include "interpreter/stablehlo/import/operations/import_windows.h"

#include "interpreter/stablehlo/import/importer/applied_region.h"
#include "interpreter/stablehlo/import/operations/import_captures.h"

namespace hlo::stablehlo {
namespace {

int64_t at(const Ints& list, size_t d) { return list.empty() ? 1 : list[d]; }

Window reduction_window(const Conversion& c) {
  c.need({"window_dimensions"});
  return make_window(c, c.operand_shape(0).rank(),
                     {.sizes = c.ints("window_dimensions", {}),
                      .strides = c.ints("window_strides", {}),
                      .base_dilations = c.ints("base_dilations", {}),
                      .window_dilations = c.ints("window_dilations", {}),
                      .padding = c.pairs("padding")});
}

Values select_and_scatter(const Conversion& c) {
  if (!captures({&c.region(0), &c.region(1)}, c.scope).empty()) {
    return select_and_scatter_of_outside(c, reduction_window(c));
  }
  // Sums may be of a wider type than the values that are compared.
  const ElementType sum = argument_type(c, c.region(1), 0);
  Computation* select = applied_region(c, 0, {.type = sum});
  Computation* scatter = applied_region(c, 1);
  Values operands;
  for (Instruction* operand : c.operands) {
    operands.push_back(c.build().convert(operand, sum));
  }
  return c.make("select-and-scatter", std::move(operands),
                {{"window", reduction_window(c)},
                 {"select", select},
                 {"scatter", scatter}});
}

/// One result for each operand but the values that the region uses.
Values reduction(const Conversion& c, std::string_view opcode,
                 Attributes attributes) {
  const size_t n = c.operands.size() / 2;
  c.require(n >= 1 && c.operands.size() == 2 * n && c.shapes.size() == n,
            "stablehlo.operand-count",
            {"there are ", Count{std::ssize(c.operands), "operand"}, " and ",
             Count{std::ssize(c.shapes), "result"}},
            "the operands must be arrays, then as many initial values, and "
            "there must be a result for each");
  const Block& block = c.region(0);
  const Passing passing = {
      .values = captures({&block}, c.scope), .groups = 2, .returns = true};
  Values inputs;
  Values inits;
  std::vector<Shape> shapes = c.shapes;
  for (size_t i = 0; i < n; ++i) {
    const ElementType type = argument_type(c, block, i);
    inputs.push_back(c.build().convert(c.operand(i), type));
    inits.push_back(c.build().convert(c.operand(n + i), type));
  }
  for (const Value* value : passing.values) {
    Instruction* scalar = passed_scalar(c, *value);
    inputs.push_back(c.build().broadcast(scalar, c.operand_shape(0).dims));
    inits.push_back(scalar);
    shapes.push_back(shapes[0]);
    shapes.back().element_type = scalar->shape.element_type;
  }
  inputs.insert(inputs.end(), inits.begin(), inits.end());
  attributes.emplace_back("to_apply", applied_region(c, 0, passing));
  const Shape shape = shapes.size() == 1 ? shapes[0] : Shape::tuple(shapes);
  Values results = c.build().split(
      c.build().add(opcode, shape, std::move(inputs), std::move(attributes)),
      shapes.size());
  results.resize(n);
  return results;
}

Values reduce(const Conversion& c) {
  return reduction(c, "reduce", {{"dimensions", c.ints("dimensions")}});
}

Values reduce_window(const Conversion& c) {
  return reduction(c, "reduce-window", {{"window", reduction_window(c)}});
}

constexpr ConverterRow kRows[] = {
    {"stablehlo.reduce", reduce, true, at_least(2), exactly(1)},
    {"stablehlo.reduce_window", reduce_window, true, at_least(2), exactly(1)},
    {"stablehlo.select_and_scatter", select_and_scatter, true, exactly(3),
     exactly(2)},
};

}  // namespace

Window make_window(const Conversion& c, int64_t rank,
                   const WindowLists& lists) {
  const auto n = static_cast<size_t>(rank);
  const auto fits = [&](const Ints& list) {
    return list.empty() || list.size() == n;
  };
  c.require(fits(lists.sizes) && fits(lists.strides) &&
                fits(lists.base_dilations) && fits(lists.window_dilations) &&
                fits(lists.reversal) &&
                (lists.padding.empty() || lists.padding.size() == n),
            "stablehlo.needs",
            {"the lists of a window have ", lists.sizes.size(), " sizes, ",
             lists.strides.size(), " strides, ", lists.base_dilations.size(),
             " and ", lists.window_dilations.size(), " dilations and ",
             lists.padding.size(), " paddings for ", Count{rank, "dimension"}},
            "they must have an entry for each dimension");
  Window window;
  for (size_t d = 0; d < n; ++d) {
    WindowDimension dim;
    dim.size = at(lists.sizes, d);
    dim.stride = at(lists.strides, d);
    dim.base_dilation = at(lists.base_dilations, d);
    dim.window_dilation = at(lists.window_dilations, d);
    dim.reversal = !lists.reversal.empty() && lists.reversal[d] != 0;
    if (!lists.padding.empty()) {
      dim.low = lists.padding[d].first;
      dim.high = lists.padding[d].second;
    }
    window.dims.push_back(dim);
  }
  return window;
}

ConverterRows window_rows() { return kRows; }

}  // namespace hlo::stablehlo
