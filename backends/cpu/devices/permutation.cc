#include "backends/cpu/devices/permutation.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "interpreter/error.h"
#include "interpreter/rules/devices/device_rules.h"

namespace hlo::cpu {
namespace {

constexpr std::string_view kRule = "collective-permute.slice";

/// The numbers of {{2,8},{1,4}}, list by list.
std::vector<Ints> lists_of(const std::string& text) {
  std::vector<Ints> lists;
  int depth = 0;
  for (size_t i = 0; i < text.size();) {
    int64_t number = 0;
    const auto [end, error] =
        std::from_chars(text.data() + i, text.data() + text.size(), number);
    if (error == std::errc()) {
      if (depth == 2) lists.back().push_back(number);
      i = static_cast<size_t>(end - text.data());
      continue;
    }
    if (text[i] == '{' && ++depth == 2) lists.emplace_back();
    if (text[i] == '}') --depth;
    ++i;
  }
  return lists;
}

const Array& array_of(const Array& operand, size_t a) {
  return operand.shape.is_tuple() ? operand.elements.at(a) : operand;
}

/// Number k of the offsets of an array, clamped so that a slice of these sizes
/// lies inside of it.
Ints offset_of(const Array& offsets, size_t k, const Shape& array,
               const Ints& sizes) {
  const bool several =
      !offsets.elements.empty() && offsets.elements[0].shape.is_tuple();
  require_evaluable(!several || k < offsets.elements.size(), kRule,
                    {"slice ", k, " has no offset"}, "each must have one");
  const Array& indices = several ? offsets.elements[k] : offsets;
  Ints result;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const Array& index = indices.elements.at(d);
    require_evaluable(
        index.shape.is_scalar() && is_integer(index.shape.element_type), kRule,
        {"index ", d, " of an offset is ", index.shape},
        "it must be an integer");
    result.push_back(
        std::clamp<int64_t>(integer(index, 0), 0, array.dims[d] - sizes[d]));
  }
  return result;
}

void require_fit(const Ints& sizes, const Shape& input, const Shape& output) {
  bool fits = std::ssize(sizes) == input.rank() &&
              std::ssize(sizes) == output.rank() &&
              input.element_type == output.element_type;
  for (size_t d = 0; fits && d < sizes.size(); ++d) {
    fits = sizes[d] >= 0 && sizes[d] <= input.dims[d] &&
           sizes[d] <= output.dims[d];
  }
  require_evaluable(
      fits, kRule,
      {"a slice of sizes ", sizes, " goes from ", input, " to ", output},
      "it must fit into both, and their types must be equal");
}

void write_slice(const Array& input, const Ints& from, const Ints& sizes,
                 const Ints& to, Array& output) {
  const int64_t count = Shape::array(ElementType::kPred, sizes).element_count();
  const size_t width = output.width();
  for (int64_t i = 0; i < count; ++i) {
    Index source = delinearize(i, sizes);
    Index target = source;
    for (size_t d = 0; d < source.size(); ++d) {
      source[d] += from[d];
      target[d] += to[d];
    }
    const auto read =
        static_cast<size_t>(linearize(source, input.shape.dims)) * width;
    const auto written =
        static_cast<size_t>(linearize(target, output.shape.dims)) * width;
    std::memcpy(output.bytes.data() + written, input.bytes.data() + read,
                width);
  }
}

/// The members by the ids that pairs name.
std::map<int64_t, size_t> by_id(const Meeting& meeting) {
  const GroupMode mode = group_mode(*meeting.collective);
  std::map<int64_t, size_t> members;
  for (size_t i = 0; i < meeting.devices.size(); ++i) {
    const Device device = device_of(meeting.devices[i], meeting.grid);
    members[id_of(device, mode, meeting.grid)] = i;
  }
  return members;
}

/// Slice `sent` of the source goes to place `received` of the target.
struct Carried {
  size_t source = 0;
  size_t target = 0;
  size_t sent = 0;
  size_t received = 0;
};

void carry(const Meeting& meeting, const Carried& carried, size_t a,
           const Ints& sizes, Array& output) {
  const std::vector<Array>& source = meeting.operands[carried.source];
  const std::vector<Array>& target = meeting.operands[carried.target];
  const bool tuples = target[1].shape.is_tuple();
  const Array& input = array_of(source[0], a);
  require_fit(sizes, input.shape, output.shape);
  const Array& from = tuples ? source[2].elements.at(a) : source[2];
  const Array& to = tuples ? target[3].elements.at(a) : target[3];
  write_slice(input, offset_of(from, carried.sent, input.shape, sizes), sizes,
              offset_of(to, carried.received, output.shape, sizes), output);
}

std::vector<Array> permute_in_place(const Meeting& meeting) {
  const std::map<int64_t, size_t> members = by_id(meeting);
  const std::vector<Ints> sizes =
      lists_of(meeting.collective->get<Verbatim>("slice_sizes").text);
  std::vector<Array> outputs;
  for (const auto& operands : meeting.operands) outputs.push_back(operands[1]);
  const bool tuples = outputs[0].shape.is_tuple();
  const size_t arrays = tuples ? outputs[0].elements.size() : 1;
  std::map<int64_t, size_t> sent;
  std::map<int64_t, size_t> received;
  for (const auto& pair :
       meeting.collective->get<IntPairs>("source_target_pairs")) {
    const auto source = members.find(pair.first);
    if (source == members.end()) continue;
    const size_t target = members.at(pair.second);
    const Carried carried{source->second, target, sent[pair.first]++,
                          received[pair.second]++};
    for (size_t a = 0; a < arrays; ++a) {
      const size_t number = sizes.size() / arrays * a + carried.sent;
      require_evaluable(number < sizes.size(), kRule,
                        {"slice ", number, " has no size"},
                        "each must have one");
      Array& output = tuples ? outputs[target].elements[a] : outputs[target];
      carry(meeting, carried, a, sizes[number], output);
    }
  }
  return outputs;
}

std::vector<Array> permute_whole(const Meeting& meeting) {
  const std::map<int64_t, size_t> members = by_id(meeting);
  const Shape shape = one_or_tuple(meeting.operands[0]).shape;
  std::vector<Array> results(meeting.devices.size(), zeros(shape));
  for (const auto& pair :
       meeting.collective->get<IntPairs>("source_target_pairs")) {
    const auto source = members.find(pair.first);
    if (source == members.end()) continue;
    results[members.at(pair.second)] =
        one_or_tuple(meeting.operands[source->second]);
  }
  return results;
}

}  // namespace

std::vector<std::shared_ptr<const Array>> permuted(const Meeting& meeting) {
  std::vector<std::shared_ptr<const Array>> results;
  for (Array& value : is_in_place(*meeting.collective)
                          ? permute_in_place(meeting)
                          : permute_whole(meeting)) {
    results.push_back(std::make_shared<const Array>(std::move(value)));
  }
  return results;
}

}  // namespace hlo::cpu
