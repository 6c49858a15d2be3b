#include "interpreter/text/grammar/read_window.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "interpreter/shortened.h"
#include "interpreter/text/grammar/read_list.h"
#include "interpreter/text/scan/hlo_lexicon.h"

namespace hlo::text {
namespace {

constexpr std::string_view kDigits = "0123456789";

/// "3x5x7": one integer a dimension. `item` reads each.
template <typename Item>
void read_by_dimension(Scanner& in, const Item& item) {
  do {
    item();
  } while (in.eat('x'));
}

/// "1_2" of a window.
std::pair<int64_t, int64_t> read_low_high(Scanner& in) {
  const int64_t low = in.integer("the padding before");
  in.expect('_', "between the two sides of a padding");
  return {low, in.integer("the padding behind")};
}

bool read_window_field(Scanner& in, std::string_view field,
                       WindowDimension& dim) {
  if (field == "size") {
    dim.size = in.integer("a size");
  } else if (field == "stride") {
    dim.stride = in.integer("a stride");
  } else if (field == "pad") {
    std::tie(dim.low, dim.high) = read_low_high(in);
  } else if (field == "lhs_dilate") {
    dim.base_dilation = in.integer("a dilation");
  } else if (field == "rhs_dilate") {
    dim.window_dilation = in.integer("a dilation");
  } else if (field == "rhs_reversal") {
    const size_t at = in.position();
    const int64_t reversal = in.integer("0 or 1");
    if (reversal != 0 && reversal != 1) {
      in.fail_at(at, "text.window",
                 "rhs_reversal is " + std::to_string(reversal) +
                     ", but must be 0 or 1");
    }
    dim.reversal = reversal == 1;
  } else {
    return false;
  }
  return true;
}

/// The values of one field, written into a window whose rank the first field
/// fixes.
void read_window_fields(Scanner& in, std::string_view field, size_t start,
                        bool is_first, Window& window) {
  size_t d = 0;
  read_by_dimension(in, [&] {
    if (is_first) window.dims.emplace_back();
    if (d == window.dims.size()) {
      in.fail_at(start, "text.window",
                 "the fields of the window differ in their number of "
                 "dimensions, but must have as many");
    }
    if (!read_window_field(in, field, window.dims[d])) {
      in.fail_at(start, "text.window",
                 "a window has no field '" + shortened(field) + "'");
    }
    ++d;
  });
  if (in.peek() == '_') in.expected("'x' or the next field", "text.window");
  if (d != window.dims.size()) {
    in.fail_at(start, "text.window",
               "the fields of the window differ in their number of dimensions, "
               "but must have as many");
  }
}

/// Position of a single letter among the labels of one side.
int64_t label_position(Scanner& in, size_t start, std::string_view labels,
                       char letter) {
  const size_t position = labels.find(letter);
  if (position == std::string_view::npos || labels.rfind(letter) != position) {
    in.fail_at(start, "text.dim-labels",
               "the labels '" + shortened(labels) + "' do not name '" + letter +
                   "' once");
  }
  return static_cast<int64_t>(position);
}

ConvolutionSide read_side(Scanner& in, char first, char second) {
  const size_t start = in.position();
  const std::string allowed = std::string(kDigits) + "?" + first + second;
  const std::string_view labels = in.run(allowed);
  ConvolutionSide side;
  side.batch_or_input = label_position(in, start, labels, first);
  side.feature = label_position(in, start, labels, second);
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == '?') side.unused.push_back(static_cast<int64_t>(i));
  }
  const size_t spatial = labels.size() - 2 - side.unused.size();
  for (size_t s = 0; s < spatial; ++s) {
    if (s > 9) in.fail_at(start, "text.dim-labels", "too many dimensions");
    side.spatial.push_back(
        label_position(in, start, labels, static_cast<char>('0' + s)));
  }
  return side;
}

size_t rank(const ConvolutionSide& side) {
  return side.spatial.size() + side.unused.size() + 2;
}

int64_t read_slice_number(Scanner& in) {
  return in.natural("a slice's number");
}

}  // namespace

Ints read_ints(Scanner& in, char open, char close) {
  Ints values;
  read_list(in, open, close,
            [&] { values.push_back(in.integer("an integer")); });
  return values;
}

Window read_window(Scanner& in) {
  Window window;
  bool has_size = false;
  std::string seen = " ";
  in.expect('{', "before a window");
  const size_t open = in.position();
  while (!in.eat('}')) {
    const size_t start = in.position();
    const std::string field{in.word("a field of a window")};
    if (seen.find(" " + field + " ") != std::string::npos) {
      in.fail_at(start, "text.window", "the field stands there twice");
    }
    in.expect('=', "behind the field's name");
    read_window_fields(in, field, start, seen.size() == 1, window);
    seen += field + " ";
    has_size = has_size || field == "size";
  }
  if (!has_size && !window.dims.empty()) {
    in.fail_at(open, "text.window",
               "the window has no field 'size', but must have it");
  }
  return window;
}

PaddingConfig read_padding(Scanner& in) {
  PaddingConfig padding;
  read_by_dimension(in, [&] {
    PaddingDimension dim;
    std::tie(dim.low, dim.high) = read_low_high(in);
    if (in.eat('_')) dim.interior = in.integer("the interior padding");
    padding.dims.push_back(dim);
  });
  return padding;
}

SliceConfig read_slice(Scanner& in) {
  SliceConfig slice;
  read_list(in, '{', '}', [&] {
    SliceDimension dim;
    in.expect('[', "before the bounds of a slice");
    dim.start = read_slice_number(in);
    in.expect(':', "between the bounds of a slice");
    dim.limit = read_slice_number(in);
    if (in.eat(':')) dim.stride = read_slice_number(in);
    in.expect(']', "behind the bounds of a slice");
    slice.dims.push_back(dim);
  });
  return slice;
}

DimLabels read_dim_labels(Scanner& in) {
  const size_t start = in.position();
  DimLabels labels;
  labels.input = read_side(in, 'b', 'f');
  in.expect('_', "behind the labels of the input");
  labels.kernel = read_side(in, 'i', 'o');
  in.expect("->", "behind the labels of the kernel");
  labels.output = read_side(in, 'b', 'f');
  if (rank(labels.input) != rank(labels.kernel) ||
      rank(labels.input) != rank(labels.output)) {
    in.fail_at(
        start, "text.dim-labels",
        "input, kernel and output differ in rank, but must have the same");
  }
  return labels;
}

Decimal read_decimal(Scanner& in) {
  const size_t start = in.position();
  Decimal decimal;
  decimal.text = std::string(in.run("0123456789+-.eE"));
  const char* const end = decimal.text.data() + decimal.text.size();
  const auto [stop, error] =
      std::from_chars(decimal.text.data(), end, decimal.value);
  if (error == std::errc::result_out_of_range) {
    in.fail_at(start, "text.range",
               "the number " + shortened(decimal.text) +
                   " does not fit into a double");
  }
  if (error != std::errc() || stop != end || is_name_character(in.peek())) {
    in.seek(start);
    in.expected("a number", "text.number");
  }
  return decimal;
}

}  // namespace hlo::text
