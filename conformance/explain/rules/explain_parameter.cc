#include "conformance/explain/rules/explain_parameter.h"

#include <fmt/format.h>

#include "conformance/explain/recording/element.h"

namespace hlo::conformance {
namespace {

bool has(const Shape& shape, const Ints& list) {
  const Shape* part = &shape;
  for (const int64_t i : list) {
    if (!part->is_tuple() || i >= std::ssize(part->tuple_shapes)) return false;
    part = &part->tuple_shapes[static_cast<size_t>(i)];
  }
  return part->is_array();
}

/// Whether the argument is the source's last result: then they share memory.
bool is_of(const Point& point, const ArgumentSource& source) {
  const auto run = point.recording.latest.find(source.from);
  if (run == point.recording.latest.end()) return false;
  Ints list = source.tuple_index;
  list.insert(list.end(), point.tuple_index.begin(), point.tuple_index.end());
  if (!has(source.from->shape, list)) return false;
  const Literal& value = part_of(run->second.result, list);
  return value.shape().dims == point.array.shape().dims &&
         value.bytes().data() == point.array.bytes().data();
}

std::string caller_text(const ArgumentSource& source) {
  const std::string& caller = source.caller->name;
  return source.is_carried
             ? fmt::format("carried by %{} from the run before", caller)
             : fmt::format("an operand of %{}", caller);
}

}  // namespace

void explain_parameter(Story& story) {
  const Point& point = story.point();
  const Instruction& parameter = point.instruction();
  story.say(fmt::format("argument {} of %{}", parameter.parameter_number,
                        parameter.parent->name));
  const std::vector<ArgumentSource> sources =
      argument_sources(parameter, point.recording.callers);
  for (const ArgumentSource& source : sources) {
    if (!is_of(point, source)) continue;
    Ints list = source.tuple_index;
    list.insert(list.end(), point.tuple_index.begin(), point.tuple_index.end());
    story.say(caller_text(source));
    // What the run before depends on has run again since.
    if (!source.is_carried) story.use({source.from, list, point.index});
    const Scalar from =
        part_of(point.recording.latest.at(source.from).result, list)
            .at(point.position);
    return story.copy_of(
        from,
        fmt::format("%{}/{} = {}", source.from->parent->name,
                    element_name(*source.from, list, point.index).substr(1),
                    value_text(from)));
  }
  if (sources.size() == 1 && sources[0].caller->op->form == Form::kScan) {
    story.say(fmt::format("a slice of %{}, in the order of the steps",
                          sources[0].from->name));
  }
}

}  // namespace hlo::conformance
