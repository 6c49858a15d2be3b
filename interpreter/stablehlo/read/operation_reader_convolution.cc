#include "interpreter/shortened.h"
#include "interpreter/stablehlo/read/attributes/dimension_numbers.h"
#include "interpreter/stablehlo/read/attributes/tensor_type.h"
#include "interpreter/stablehlo/read/operation_reader.h"

namespace hlo::stablehlo {

/// convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
/// window = {stride = [1], ...} {...} : types
void OperationReader::convolution(Operation& operation) {
  uses(operation);
  if (!in_.eat_word("dim_numbers")) in_.expected("'dim_numbers ='");
  in_.expect('=', "behind 'dim_numbers'");
  Attribute numbers;
  numbers.location = in_.location();
  numbers.value = read_dimension_numbers(in_);
  add(operation, "dimension_numbers", std::move(numbers));
  in_.expect(',', "behind the dimension numbers");
  if (!in_.eat_word("window")) in_.expected("'window ='");
  in_.expect('=', "behind 'window'");
  in_.expect('{', "before the window");
  read_items(in_, '}', [&] { window(operation); });
  optional_dictionary(operation);
  in_.expect(':', "before the types of an operation");
  function_types(operation);
}

void OperationReader::window(Operation& operation) {
  const size_t position = in_.position();
  const std::string_view word = in_.word("a part of the window");
  in_.expect('=', "behind a part of the window");
  if (word == "stride") {
    add(operation, "window_strides", attributes_.integers());
  } else if (word == "lhs_dilate") {
    add(operation, "lhs_dilation", attributes_.integers());
  } else if (word == "rhs_dilate") {
    add(operation, "rhs_dilation", attributes_.integers());
  } else if (word == "reverse") {
    add(operation, "window_reversal", attributes_.integers(ElementType::kPred));
  } else if (word == "pad") {
    padding(operation);
  } else {
    in_.fail_at(position, "stablehlo.syntax",
                "a window has no '" + shortened(word) +
                    "': it can have stride, pad, lhs_dilate, rhs_dilate and "
                    "reverse");
  }
}

/// [[1, 2], [0, 0]]: two columns.
void OperationReader::padding(Operation& operation) {
  Attribute result;
  result.location = in_.location();
  std::vector<int64_t> values;
  in_.expect('[', "before the padding");
  read_items(in_, ']', [&] {
    in_.expect('[', "before the padding of a dimension");
    values.push_back(in_.integer("the padding before"));
    in_.expect(',', "between the padding before and behind");
    values.push_back(in_.integer("the padding behind"));
    in_.expect(']', "behind the padding of a dimension");
  });
  result.type = tensor_type(ElementType::kS64,
                            {static_cast<int64_t>(values.size() / 2), 2});
  Literal literal = Literal::uninitialized(result.type.shape);
  std::copy(values.begin(), values.end(),
            literal.mutable_data<int64_t>().begin());
  result.value = std::move(literal);
  add(operation, "padding", std::move(result));
}

}  // namespace hlo::stablehlo
