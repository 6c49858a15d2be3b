#include "backends/cpu/devices/permutation.h"

#include <cstring>

#include "interpreter/error.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/devices/slice_moves.h"

namespace hlo::cpu {
namespace {

const Array& array_of(const Array& operand, size_t a) {
  return operand.shape.is_tuple() ? operand.elements.at(a) : operand;
}

Ints offset_of(const Array& offsets, size_t k, const Shape& array,
               const Ints& sizes) {
  return slice_offset(offsets.shape, k, array, sizes,
                      [&](std::span<const size_t> place) {
                        const Array* index = &offsets;
                        for (const size_t e : place)
                          index = &index->elements[e];
                        return integer(*index, 0);
                      });
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

void carry(const Meeting& meeting, const SliceMove& move, Array& output) {
  const std::vector<Array>& source = meeting.operands[move.source];
  const std::vector<Array>& target = meeting.operands[move.target];
  const bool tuples = target[1].shape.is_tuple();
  const size_t a = move.array;
  const Array& input = array_of(source[0], a);
  const Array& from = tuples ? source[2].elements.at(a) : source[2];
  const Array& to = tuples ? target[3].elements.at(a) : target[3];
  write_slice(input, offset_of(from, move.slice, input.shape, move.sizes),
              move.sizes, offset_of(to, move.place, output.shape, move.sizes),
              output);
}

std::vector<Array> permute_in_place(const Meeting& meeting) {
  std::vector<Array> outputs;
  for (const auto& operands : meeting.operands) outputs.push_back(operands[1]);
  const bool tuples = outputs[0].shape.is_tuple();
  for (const SliceMove& move :
       slice_moves(*meeting.collective, meeting.grid, meeting.devices,
                   meeting.operands[0][0].shape, outputs[0].shape)) {
    Array& output = outputs[move.target];
    carry(meeting, move, tuples ? output.elements[move.array] : output);
  }
  return outputs;
}

std::vector<Array> permute_whole(const Meeting& meeting) {
  const auto members =
      members_by_id(*meeting.collective, meeting.grid, meeting.devices);
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
