#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "interpreter/communication.h"
#include "interpreter/device_rules.h"
#include "interpreter/error.h"

namespace hlo {
namespace {

using Sizes = std::vector<Ints>;

/// slice_sizes={{2,8},{1,4}}.
Sizes slice_sizes(const Instruction& permute) {
  const std::string& text = permute.get<Verbatim>("slice_sizes").text;
  Sizes sizes;
  int depth = 0;
  for (size_t i = 0; i < text.size();) {
    int64_t number = 0;
    const auto [end, error] =
        std::from_chars(text.data() + i, text.data() + text.size(), number);
    if (error == std::errc() && depth == 2) {
      sizes.back().push_back(number);
      i = static_cast<size_t>(end - text.data());
      continue;
    }
    if (text[i] == '{' && ++depth == 2) sizes.emplace_back();
    if (text[i] == '}') --depth;
    ++i;
  }
  return sizes;
}

/// The elements of a tuple, or the one array.
std::vector<Literal> parts(const Literal& value) {
  return value.shape().is_tuple() ? value.elements()
                                  : std::vector<Literal>{value};
}

/// Offset `k` of a buffer: a tuple of indices, clamped so that the slice lies
/// in the buffer.
Ints offset_of(const Literal& offsets, size_t k, const Shape& buffer,
               const Ints& sizes) {
  const bool several =
      !offsets.elements().empty() && offsets.elements()[0].shape().is_tuple();
  require_evaluable(!several || k < offsets.elements().size(),
                    "collective-permute.slice", "each slice has its offset");
  const Literal& indices = several ? offsets.elements()[k] : offsets;
  Ints result;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const int64_t last = buffer.dims[d] - sizes[d];
    const Literal& index = indices.elements().at(d);
    require_evaluable(index.shape().is_scalar() && is_integer(index.type()),
                      "collective-permute.slice", "an index is an integer");
    result.push_back(std::clamp<int64_t>(index.integer(0), 0, last));
  }
  return result;
}

/// One buffer of a source, where its slice lies, and where it shall go.
struct Slice {
  const Literal& input;
  Ints from;
  Ints to;
  const Ints& sizes;
};

void write(const Slice& slice, Literal& output) {
  const auto count = Shape::array(output.type(), slice.sizes).element_count();
  for (int64_t i = 0; i < count; ++i) {
    Index source = delinearize(i, slice.sizes);
    Index target = source;
    for (size_t d = 0; d < source.size(); ++d) {
      source[d] += slice.from[d];
      target[d] += slice.to[d];
    }
    output.set(linearize(target, output.shape().dims), slice.input.at(source));
  }
}

void check_sizes(const Ints& sizes, const Shape& input, const Shape& output) {
  bool fits =
      std::ssize(sizes) == input.rank() && std::ssize(sizes) == output.rank();
  for (size_t d = 0; fits && d < sizes.size(); ++d) {
    fits = sizes[d] >= 0 && sizes[d] <= input.dims[d] &&
           sizes[d] <= output.dims[d];
  }
  require_evaluable(fits && input.element_type == output.element_type,
                    "collective-permute.slice",
                    "a slice fits into its input and its output");
}

/// Transfer number `sent` of a source, number `received` of a target.
void transfer(const std::vector<Literal>& source, size_t sent,
              const std::vector<Literal>& target, size_t received,
              const Sizes& sizes, Literal& result) {
  const std::vector<Literal> inputs = parts(source[0]);
  std::vector<Literal> outputs = parts(result);
  const bool is_tuple = result.shape().is_tuple();
  for (size_t b = 0; b < inputs.size(); ++b) {
    const Literal from = is_tuple ? source[2].elements().at(b) : source[2];
    const Literal to = is_tuple ? target[3].elements().at(b) : target[3];
    const Shape input = inputs[b].shape();
    const size_t number = sizes.size() / inputs.size() * b + sent;
    require_evaluable(number < sizes.size(), "collective-permute.slice",
                      "each slice has its size");
    const Ints& size = sizes[number];
    check_sizes(size, input, outputs[b].shape());
    write({inputs[b], offset_of(from, sent, input, size),
           offset_of(to, received, outputs[b].shape(), size), size},
          outputs[b]);
  }
  result = is_tuple ? Literal::tuple(outputs) : outputs[0];
}

/// Slices go from input to output buffers: the n-th pair of a source takes its
/// n-th slice, the n-th pair of a target puts it at its n-th offset.
std::vector<Literal> permute_in_place(const Meeting& meeting,
                                      const std::map<int64_t, size_t>& member) {
  const Sizes sizes = slice_sizes(*meeting.collective);
  std::vector<Literal> results;
  results.reserve(meeting.size());
  for (const auto& operands : meeting.operands) results.push_back(operands[1]);
  std::map<int64_t, size_t> sent;
  std::map<int64_t, size_t> received;
  for (const auto& [source, target] :
       meeting.collective->get<IntPairs>("source_target_pairs")) {
    const auto from = member.find(source);
    if (from == member.end()) continue;
    const size_t to = member.at(target);
    transfer(meeting.operands[from->second], sent[source]++,
             meeting.operands[to], received[target]++, sizes, results[to]);
  }
  return results;
}

std::vector<Literal> permute_arrays(const Meeting& meeting,
                                    const std::map<int64_t, size_t>& member) {
  const Literal zeros(one_or_tuple(meeting.operands[0]).shape());
  std::vector<Literal> results(meeting.size(), zeros);
  for (const auto& [source, target] :
       meeting.collective->get<IntPairs>("source_target_pairs")) {
    const auto from = member.find(source);
    if (from == member.end()) continue;
    results[member.at(target)] = one_or_tuple(meeting.operands[from->second]);
  }
  return results;
}

}  // namespace

std::vector<Literal> permute_all(const Meeting& meeting,
                                 Evaluator& /*evaluator*/) {
  const GroupMode mode = group_mode(*meeting.collective);
  std::map<int64_t, size_t> member;  // by the ids of the pairs
  for (size_t i = 0; i < meeting.size(); ++i) {
    const Device device = device_of(meeting.devices[i], meeting.grid);
    member[id_of(device, mode, meeting.grid)] = i;
  }
  return is_in_place(*meeting.collective) ? permute_in_place(meeting, member)
                                          : permute_arrays(meeting, member);
}

Literal not_permuted(const Instruction& permute, Operands operands) {
  if (is_in_place(permute)) return operands[1];
  std::vector<Literal> values(operands.begin(), operands.end());
  return Literal(one_or_tuple(std::move(values)).shape());
}

}  // namespace hlo
