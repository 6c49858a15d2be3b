#include "interpreter/stablehlo/read/attributes/dimension_numbers.h"

#include <algorithm>
#include <array>

namespace hlo::stablehlo {
namespace {

Attribute integer_attribute(int64_t value, Location location) {
  Attribute result;
  result.value = value;
  result.location = location;
  return result;
}

/// One list of dimension numbers: [b, 0, 1, f] names the batch dimension, the
/// feature dimension and the spatial ones, each by its place.
void read_dimension_list(Scanner& in, std::string_view first,
                         std::string_view second, const std::string& spatial,
                         Dictionary& fields) {
  const Location location = in.location();
  const size_t start = in.position();
  std::vector<std::pair<int64_t, int64_t>> places;  // number, dimension
  std::array<int64_t, 2> named = {-1, -1};
  int64_t dimension = 0;
  in.expect('[', "before dimension numbers");
  read_items(in, ']', [&] {
    if (is_digit(in.peek())) {
      places.emplace_back(in.integer("a dimension"), dimension);
    } else if (!in.eat('?')) {
      const std::string_view word = in.word("a dimension");
      const bool is_first = word == first.substr(0, 1);
      if (!is_first && word != second.substr(0, 1)) {
        in.fail_at(start, "stablehlo.dimensions",
                   "the dimension is unknown: it must be a number, '" +
                       std::string(first.substr(0, 1)) + "' or '" +
                       std::string(second.substr(0, 1)) + "'");
      }
      named[is_first ? 0 : 1] = dimension;
    }
    ++dimension;
  });
  std::ranges::sort(places);
  bool is_whole = named[0] >= 0 && named[1] >= 0;
  Attribute dimensions = integer_attribute(0, location);
  std::vector<Attribute> spatials;
  for (size_t i = 0; i < places.size(); ++i) {
    is_whole = is_whole && places[i].first == static_cast<int64_t>(i);
    spatials.push_back(integer_attribute(places[i].second, location));
  }
  if (!is_whole) {
    in.fail_at(start, "stablehlo.dimensions",
               "one is missing or stands there twice: both letters and the "
               "numbers from 0 on must stand there once");
  }
  dimensions.value = std::move(spatials);
  fields.emplace_back(first.substr(2), integer_attribute(named[0], location));
  fields.emplace_back(second.substr(2), integer_attribute(named[1], location));
  fields.emplace_back(spatial, std::move(dimensions));
}

}  // namespace

Structure read_dimension_numbers(Scanner& in) {
  Structure result;
  result.name = "stablehlo.conv";
  read_dimension_list(in, "b:input_batch_dimension",
                      "f:input_feature_dimension", "input_spatial_dimensions",
                      result.fields);
  in.expect('x', "between dimension numbers");
  read_dimension_list(in, "i:kernel_input_feature_dimension",
                      "o:kernel_output_feature_dimension",
                      "kernel_spatial_dimensions", result.fields);
  in.expect("->", "before the dimension numbers of the result");
  read_dimension_list(in, "b:output_batch_dimension",
                      "f:output_feature_dimension", "output_spatial_dimensions",
                      result.fields);
  return result;
}

}  // namespace hlo::stablehlo
