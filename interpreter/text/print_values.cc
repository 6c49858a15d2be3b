#include "interpreter/text/print_values.h"

#include "interpreter/model/module.h"
#include "interpreter/text/print_literal.h"
#include "interpreter/text/scan/quote.h"

namespace hlo::text {
namespace {

/// Appends the items, separated, between braces.
template <typename Items, typename Item>
void append_list(std::string& text, const Items& items,
                 std::string_view separator, const Item& item) {
  text += '{';
  bool is_first = true;
  for (const auto& value : items) {
    if (!is_first) text += separator;
    is_first = false;
    item(value);
  }
  text += '}';
}

/// Appends values of each dimension with x between them.
template <typename Dims, typename Item>
void append_dims(std::string& text, const Dims& dims, const Item& item) {
  for (size_t d = 0; d < dims.size(); ++d) {
    if (d > 0) text += 'x';
    item(dims[d]);
  }
}

struct WindowField {
  std::string_view name;
  int64_t WindowDimension::*value;
  int64_t usual;
};

void append_field(std::string& text, const Window& window,
                  const WindowField& field) {
  const auto& dims = window.dims;
  bool is_usual = true;
  for (const auto& dim : dims) {
    is_usual = is_usual && dim.*field.value == field.usual;
  }
  if (dims.empty() || (is_usual && field.name != "size")) return;
  if (text.back() != '{') text += ' ';
  text.append(field.name).append("=");
  append_dims(text, dims, [&](const WindowDimension& dim) {
    append_integer(text, dim.*field.value);
  });
}

void append_window_padding(std::string& text, const Window& window) {
  bool is_usual = true;
  for (const auto& dim : window.dims) {
    is_usual = is_usual && dim.low == 0 && dim.high == 0;
  }
  if (is_usual) return;
  text += " pad=";
  append_dims(text, window.dims, [&](const WindowDimension& dim) {
    append_integer(text, dim.low);
    text += '_';
    append_integer(text, dim.high);
  });
}

void append_reversal(std::string& text, const Window& window) {
  bool is_usual = true;
  for (const auto& dim : window.dims) is_usual = is_usual && !dim.reversal;
  if (is_usual) return;
  text += " rhs_reversal=";
  append_dims(text, window.dims, [&](const WindowDimension& dim) {
    text += dim.reversal ? '1' : '0';
  });
}

std::string side_labels(const ConvolutionSide& side, char first, char second) {
  std::string labels(side.spatial.size() + side.unused.size() + 2, '?');
  labels.at(static_cast<size_t>(side.batch_or_input)) = first;
  labels.at(static_cast<size_t>(side.feature)) = second;
  for (size_t s = 0; s < side.spatial.size(); ++s) {
    labels.at(static_cast<size_t>(side.spatial[s])) =
        static_cast<char>('0' + s);
  }
  return labels;
}

/// One overload for each alternative of AttributeValue.
struct ValuePrinter {
  std::string& text;

  void operator()(bool value) const { text += value ? "true" : "false"; }

  void operator()(int64_t value) const { append_integer(text, value); }

  void operator()(const std::string& value) const { text += quote(value); }

  void operator()(const Ints& values) const {
    append_list(text, values, ",",
                [&](int64_t value) { append_integer(text, value); });
  }

  void operator()(const IntPairs& pairs) const {
    append_list(text, pairs, ",", [&](const auto& pair) {
      (*this)(Ints{pair.first, pair.second});
    });
  }

  void operator()(const Window& window) const {
    text += '{';
    append_field(text, window, {"size", &WindowDimension::size, 0});
    append_field(text, window, {"stride", &WindowDimension::stride, 1});
    append_window_padding(text, window);
    append_field(text, window,
                 {"lhs_dilate", &WindowDimension::base_dilation, 1});
    append_field(text, window,
                 {"rhs_dilate", &WindowDimension::window_dilation, 1});
    append_reversal(text, window);
    text += '}';
  }

  void operator()(const PaddingConfig& padding) const {
    append_dims(text, padding.dims, [&](const PaddingDimension& dim) {
      append_integer(text, dim.low);
      text += '_';
      append_integer(text, dim.high);
      if (dim.interior == 0) return;
      text += '_';
      append_integer(text, dim.interior);
    });
  }

  void operator()(const SliceConfig& slice) const {
    append_list(text, slice.dims, ", ", [&](const SliceDimension& dim) {
      text += '[';
      append_integer(text, dim.start);
      text += ':';
      append_integer(text, dim.limit);
      if (dim.stride != 1) {
        text += ':';
        append_integer(text, dim.stride);
      }
      text += ']';
    });
  }

  void operator()(const DimLabels& labels) const {
    text += side_labels(labels.input, 'b', 'f') + "_" +
            side_labels(labels.kernel, 'i', 'o') + "->" +
            side_labels(labels.output, 'b', 'f');
  }

  void operator()(const ReplicaGroups& groups) const { text += groups.text; }

  void operator()(const Word& word) const { text += word.value; }

  void operator()(const Words& words) const {
    append_list(text, words.values, ",",
                [&](const std::string& word) { text += word; });
  }

  void operator()(const Verbatim& verbatim) const { text += verbatim.text; }

  void operator()(const Decimal& decimal) const { text += decimal.text; }

  void operator()(const Shape& shape) const { text += to_string(shape); }

  void operator()(const Shapes& shapes) const {
    append_list(text, shapes, ", ",
                [&](const Shape& shape) { text += to_string(shape); });
  }

  void operator()(Computation* computation) const {
    text.append("%").append(computation->name);
  }

  void operator()(const Computations& computations) const {
    append_list(text, computations, ", ", *this);
  }

  void operator()(const std::shared_ptr<const Literal>& literal) const {
    text += to_string(literal->shape());
    text += ' ';
    append(text, *literal);
  }

  void operator()(const std::vector<Instruction*>& instructions) const {
    append_list(text, instructions, ", ", [&](const Instruction* instruction) {
      text.append("%").append(instruction->name);
    });
  }
};

}  // namespace

void append(std::string& text, const AttributeValue& value) {
  std::visit(ValuePrinter{text}, value);
}

}  // namespace hlo::text
