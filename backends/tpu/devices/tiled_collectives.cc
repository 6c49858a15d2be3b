#include "backends/tpu/devices/tiled_collectives.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "backends/tpu/devices/brought.h"
#include "backends/tpu/devices/collected.h"
#include "backends/tpu/devices/joined_arrays.h"
#include "backends/tpu/devices/member_slices.h"
#include "backends/tpu/machine/scalar_read.h"
#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/operations/fills/fill.h"
#include "interpreter/error.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/op.h"

namespace hlo::tpu {
namespace {

using devices::meeting_name;

std::shared_ptr<const Value> shared(Value value) {
  return std::make_shared<const Value>(std::move(value));
}

MemberResults for_all(const Group& group, std::vector<Value> values) {
  return MemberResults(group.size(), shared(one_or_tuple(std::move(values))));
}

size_t dimension_of(const Group& group) {
  return static_cast<size_t>(
      group.meeting.collective->get<Ints>("dimensions").at(0));
}

/// How the positions of an array run along one of its dimensions.
struct Along {
  int64_t size;   // of the dimension
  int64_t inner;  // elements of what is behind it

  Along(const Shape& array, size_t dimension)
      : size(array.dims[dimension]), inner(1) {
    for (size_t d = dimension + 1; d < array.dims.size(); ++d) {
      inner *= array.dims[d];
    }
  }

  int64_t index(int64_t position) const { return position / inner % size; }

  /// The position in an array of another size whose index is `index` there.
  int64_t moved(int64_t position, int64_t other_size, int64_t index) const {
    const int64_t outer = position / inner / size;
    return (outer * other_size + index) * inner + position % inner;
  }
};

/// One after the other along the dimension.
TiledArray gathered(const Group& group, size_t k) {
  const auto arrays = group.arrays(k);
  const size_t dimension = dimension_of(group);
  Shape shape =
      Shape::array(arrays[0]->shape.element_type, arrays[0]->shape.dims);
  const int64_t part = shape.dims[dimension];
  shape.dims[dimension] *= std::ssize(arrays);
  const Along along(shape, dimension);
  const bool is_reversed = group.machines[0]->has(Fault::kMembersReversed);
  return collected(*group.machines[0], shape, arrays, [&](int64_t position) {
    const int64_t index = along.index(position);
    const int64_t member = index / part;
    return Origin{static_cast<size_t>(
                      is_reversed ? std::ssize(arrays) - 1 - member : member),
                  along.moved(position, part, index % part)};
  });
}

MemberResults gather_all(const Group& group) {
  std::vector<Value> values;
  for (size_t k = 0; k < group.meeting.operands[0].size(); ++k) {
    values.push_back(value_of(gathered(group, k)));
  }
  return for_all(group, std::move(values));
}

/// The arrays of a group combined by a computation of whole arrays.
Value joined_whole(const Group& group, const Computation& combiner, size_t k) {
  Machine& machine = *group.machines[0];
  Value joined = group.meeting.operands[0][k];
  for (size_t i = 1; i < group.size(); ++i) {
    const Value x = retyped(machine, joined, combiner.parameters[0]->shape);
    const Value y =
        retyped(machine, brought(machine, group.meeting.operands[i][k]),
                combiner.parameters[1]->shape);
    joined = group.run(group.meeting.devices[0], combiner, {&x, &y});
  }
  return joined;
}

Value combination(const Group& group, size_t k) {
  const auto& combiner =
      *group.meeting.collective->get<Computation*>("to_apply");
  const Value& first = group.meeting.operands[0][k];
  const Shape& returned = combiner.root->shape;
  require_evaluable(
      returned.is_scalar() || same_dims(returned, first.shape),
      "collective.combiner",
      {"to_apply returns ", returned, " and the operands are ", first.shape},
      "it must combine scalars, or whole operands");
  if (group.size() == 1) return first;
  if (!returned.is_scalar()) return joined_whole(group, combiner, k);
  return value_of(joined_arrays(*group.machines[0], combiner, group.arrays(k)));
}

std::vector<Value> combinations(const Group& group) {
  std::vector<Value> values;
  for (size_t k = 0; k < group.meeting.operands[0].size(); ++k) {
    values.push_back(combination(group, k));
  }
  return values;
}

MemberResults reduce_all(const Group& group) {
  return for_all(group, combinations(group));
}

/// Part i of as many equal ones as the group has members.
TiledArray part_of(const Group& group, const TiledArray& whole, size_t i) {
  const size_t dimension = dimension_of(group);
  Shape shape = Shape::array(whole.shape.element_type, whole.shape.dims);
  const int64_t size = shape.dims[dimension];
  const int64_t part = size / static_cast<int64_t>(group.size());
  shape.dims[dimension] = part;
  const Along along(shape, dimension);
  const size_t taken = group.machines[i]->has(Fault::kPartOfNextMember)
                           ? (i + 1) % group.size()
                           : i;
  const int64_t first = part * static_cast<int64_t>(taken);
  return collected(*group.machines[i], shape, {&whole}, [&](int64_t position) {
    return Origin{0,
                  along.moved(position, size, first + along.index(position))};
  });
}

MemberResults reduce_scatter(const Group& group) {
  const std::vector<Value> whole = combinations(group);
  MemberResults results;
  for (size_t i = 0; i < group.size(); ++i) {
    std::vector<Value> parts;
    for (const Value& value : whole) {
      parts.push_back(value_of(part_of(group, value.array, i)));
    }
    results.push_back(shared(one_or_tuple(std::move(parts))));
  }
  return results;
}

/// Part j of each member's array, one after the other along the dimension.
Value exchanged_parts(const Group& group, size_t j) {
  const auto arrays = group.arrays(0);
  const size_t dimension = dimension_of(group);
  const auto count = static_cast<int64_t>(group.size());
  Shape shape =
      Shape::array(arrays[0]->shape.element_type, arrays[0]->shape.dims);
  const int64_t size = shape.dims[dimension];
  const int64_t part = size / count;
  shape.dims[dimension] = part * count;
  const Along along(shape, dimension);
  const int64_t first = part * static_cast<int64_t>(j);
  return value_of(
      collected(*group.machines[j], shape, arrays, [&](int64_t position) {
        const int64_t index = along.index(position);
        return Origin{static_cast<size_t>(index / part),
                      along.moved(position, size, first + index % part)};
      }));
}

/// Operand j of each member.
Value exchanged_operands(const Group& group, size_t j) {
  const Instruction& exchange = *group.meeting.collective;
  std::vector<Value> parts;
  for (const std::vector<Value>& operands : group.meeting.operands) {
    require_evaluable(operands.size() == group.size(),
                      "collective.exchange-operands",
                      {"there are ", Count{std::ssize(operands), "operand"},
                       " and ", Count{std::ssize(group.machines), "member"}},
                      "there must be one operand for each member");
    parts.push_back(operands[j]);
  }
  return exchange.shape.is_tuple() ? tuple_of(std::move(parts))
                                   : std::move(parts.at(0));
}

MemberResults exchange_all(const Group& group) {
  const bool splits = group.meeting.collective->find("dimensions") != nullptr;
  MemberResults results;
  for (size_t j = 0; j < group.size(); ++j) {
    results.push_back(shared(splits ? exchanged_parts(group, j)
                                    : exchanged_operands(group, j)));
  }
  return results;
}

bool has_dynamic_root(const Instruction& collective) {
  return collective.get_or<bool>("has_dynamic_root", false);
}

/// The members whose operands all get: one for each array.
std::vector<size_t> roots_of(const Group& group, size_t arrays) {
  if (!has_dynamic_root(*group.meeting.collective) ||
      group.machines[0]->has(Fault::kFirstMemberIsRoot)) {
    return std::vector<size_t>(arrays, 0);
  }
  const Value& given = group.meeting.operands[0].back();
  const int64_t count = given.shape.element_count();
  require_evaluable(is_integer(given.shape.element_type) &&
                        (count == 1 || count == static_cast<int64_t>(arrays)),
                    "collective-broadcast.roots",
                    {"the roots are ", given.shape, " for ",
                     Count{static_cast<int64_t>(arrays), "array"}},
                    "there must be one integer, or one for each");
  std::vector<size_t> roots;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t root = integer_at(*group.machines[0], given.array, i);
    require_evaluable(root >= 0 && root < std::ssize(group.machines),
                      "collective-broadcast.roots",
                      {"a root is ", root, " in a group of ",
                       Count{std::ssize(group.machines), "member"}},
                      "it must be the place of one");
    roots.push_back(static_cast<size_t>(root));
  }
  if (count == 1) roots.resize(arrays, roots.front());
  return roots;
}

MemberResults broadcast_all(const Group& group) {
  const size_t arrays = group.meeting.operands[0].size() -
                        (has_dynamic_root(*group.meeting.collective) ? 1 : 0);
  const std::vector<size_t> roots = roots_of(group, arrays);
  std::vector<Value> values;
  for (size_t k = 0; k < arrays; ++k) {
    values.push_back(group.meeting.operands[roots[k]][k]);
  }
  return for_all(group, std::move(values));
}

using Rule = MemberResults (*)(const Group&);

const std::map<std::string_view, Rule>& rules() {
  static const std::map<std::string_view, Rule> by_name = {
      {"all-gather", gather_all},
      {"all-reduce", reduce_all},
      {"all-to-all", exchange_all},
      {"collective-broadcast", broadcast_all},
      {"collective-permute", permute_all},
      {"ragged-all-to-all", exchange_ragged},
      {"reduce-scatter", reduce_scatter}};
  return by_name;
}

bool hands_on(const Instruction& collective) {
  const std::string_view name = meeting_name(collective);
  return name == "collective-broadcast" ||
         (name == "collective-permute" && !is_in_place(collective));
}

bool is_whole(const Value& value) {
  return value.array.sizes.empty() &&
         std::ranges::all_of(value.elements, is_whole);
}

}  // namespace

bool is_collective(const Instruction& instruction) {
  return rules().contains(meeting_name(instruction));
}

MemberResults results_of(const Group& group) {
  return rules().at(meeting_name(*group.meeting.collective))(group);
}

std::optional<Value> outside_of(Machine& machine, const Instruction& collective,
                                const Values& operands) {
  const std::string_view name = meeting_name(collective);
  if (name == "collective-permute") {
    if (is_in_place(collective)) return *operands[1];
  } else if (name != "collective-broadcast") {
    return std::nullopt;
  }
  const size_t arrays =
      operands.size() - (has_dynamic_root(collective) ? 1 : 0);
  std::vector<Value> values;
  for (size_t k = 0; k < arrays; ++k) {
    values.push_back(zeros(machine, operands[k]->shape));
  }
  return one_or_tuple(std::move(values));
}

void require_whole(const Instruction& collective, const Values& operands) {
  if (hands_on(collective)) return;
  for (const Value* operand : operands) {
    require_evaluable(is_whole(*operand), "evaluate.sizes",
                      {collective.op->name,
                       " is given an array that is smaller than its bounds"},
                      "it can take only arrays that are as large");
  }
}

}  // namespace hlo::tpu
