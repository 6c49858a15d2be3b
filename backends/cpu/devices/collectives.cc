#include "backends/cpu/devices/collectives.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "backends/cpu/devices/combination.h"
#include "backends/cpu/devices/permutation.h"
#include "interpreter/error.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

using Results = std::vector<std::shared_ptr<const Array>>;
using Rule = Results (*)(const Meeting&, const EngineCalls&);

Results for_all(const Meeting& meeting, std::vector<Array> values) {
  const auto one =
      std::make_shared<const Array>(one_or_tuple(std::move(values)));
  return Results(meeting.devices.size(), one);
}

/// Operand k of each member.
std::vector<const Array*> operands_of(const Meeting& meeting, size_t k) {
  std::vector<const Array*> arrays;
  for (const auto& operands : meeting.operands) arrays.push_back(&operands[k]);
  return arrays;
}

/// How the bytes of an array lie along a dimension: runs of `bytes` for each
/// index of those before it.
struct Runs {
  size_t count = 1;
  size_t bytes = 0;

  Runs(const Array& array, int64_t dimension) {
    for (int64_t d = 0; d < dimension; ++d) {
      count *= static_cast<size_t>(array.shape.dims[static_cast<size_t>(d)]);
    }
    bytes = count == 0 ? 0 : array.bytes.size() / count;
  }
};

Array joined_along(const std::vector<const Array*>& parts, int64_t dimension) {
  Shape shape =
      Shape::array(parts[0]->shape.element_type, parts[0]->shape.dims);
  shape.dims[static_cast<size_t>(dimension)] *= std::ssize(parts);
  Array whole(shape);
  const Runs runs(*parts[0], dimension);
  auto to = whole.bytes.begin();
  for (size_t run = 0; run < runs.count; ++run) {
    for (const Array* part : parts) {
      const auto from =
          part->bytes.begin() + static_cast<std::ptrdiff_t>(run * runs.bytes);
      to = std::copy_n(from, runs.bytes, to);
    }
  }
  return whole;
}

/// Part i of `count` equal ones.
Array part_of(const Array& whole, int64_t dimension, size_t i, size_t count) {
  Shape shape = Shape::array(whole.shape.element_type, whole.shape.dims);
  shape.dims[static_cast<size_t>(dimension)] /= static_cast<int64_t>(count);
  Array part(shape);
  const Runs runs(part, dimension);
  auto to = part.bytes.begin();
  for (size_t run = 0; run < runs.count; ++run) {
    const auto from = whole.bytes.begin() + static_cast<std::ptrdiff_t>(
                                                (run * count + i) * runs.bytes);
    to = std::copy_n(from, runs.bytes, to);
  }
  return part;
}

int64_t dimension_of(const Meeting& meeting) {
  return meeting.collective->get<Ints>("dimensions").at(0);
}

Results gather_all(const Meeting& meeting, const EngineCalls&) {
  std::vector<Array> values;
  for (size_t k = 0; k < meeting.operands[0].size(); ++k) {
    values.push_back(
        joined_along(operands_of(meeting, k), dimension_of(meeting)));
  }
  return for_all(meeting, std::move(values));
}

std::vector<Array> combinations(const Meeting& meeting,
                                const EngineCalls& calls) {
  std::vector<Array> values;
  for (size_t k = 0; k < meeting.operands[0].size(); ++k) {
    values.push_back(
        combination(*meeting.collective->get<Computation*>("to_apply"),
                    operands_of(meeting, k), calls));
  }
  return values;
}

Results reduce_all(const Meeting& meeting, const EngineCalls& calls) {
  return for_all(meeting, combinations(meeting, calls));
}

Results reduce_scatter(const Meeting& meeting, const EngineCalls& calls) {
  const std::vector<Array> whole = combinations(meeting, calls);
  Results results;
  for (size_t i = 0; i < meeting.devices.size(); ++i) {
    std::vector<Array> parts;
    for (const Array& array : whole) {
      parts.push_back(
          part_of(array, dimension_of(meeting), i, meeting.devices.size()));
    }
    results.push_back(
        std::make_shared<const Array>(one_or_tuple(std::move(parts))));
  }
  return results;
}

Results exchange_all(const Meeting& meeting, const EngineCalls&) {
  const size_t count = meeting.devices.size();
  const bool split = meeting.collective->find("dimensions") != nullptr;
  Results results;
  for (size_t j = 0; j < count; ++j) {
    std::vector<Array> parts;
    for (size_t k = 0; k < count; ++k) {
      parts.push_back(split ? part_of(meeting.operands[k][0],
                                      dimension_of(meeting), j, count)
                            : meeting.operands[k].at(j));
    }
    if (split) {
      std::vector<const Array*> places;
      for (const Array& part : parts) places.push_back(&part);
      results.push_back(std::make_shared<const Array>(
          joined_along(places, dimension_of(meeting))));
    } else if (meeting.collective->shape.is_tuple()) {
      results.push_back(
          std::make_shared<const Array>(tuple_of(std::move(parts))));
    } else {
      results.push_back(std::make_shared<const Array>(std::move(parts.at(0))));
    }
  }
  return results;
}

/// The members whose operands all get: one for each array.
std::vector<size_t> roots_of(const Meeting& meeting, size_t arrays) {
  if (!meeting.collective->get_or<bool>("has_dynamic_root", false)) {
    return std::vector<size_t>(arrays, 0);
  }
  const Array& given = meeting.operands[0].back();
  const bool one = given.count() == 1;
  require_evaluable(is_integer(given.shape.element_type) &&
                        (one || given.count() == static_cast<int64_t>(arrays)),
                    "collective-broadcast.roots",
                    {"the roots are ", given.shape, " for ",
                     Count{static_cast<int64_t>(arrays), "array"}},
                    "there must be one integer, or one for each");
  std::vector<size_t> roots;
  for (const int64_t root : integers(given)) {
    require_evaluable(root >= 0 && root < std::ssize(meeting.devices),
                      "collective-broadcast.roots",
                      {"a root is ", root, " in a group of ",
                       Count{std::ssize(meeting.devices), "member"}},
                      "it must be the place of one");
    roots.push_back(static_cast<size_t>(root));
  }
  if (one) roots.resize(arrays, roots.front());
  return roots;
}

Results broadcast_all(const Meeting& meeting, const EngineCalls&) {
  const bool dynamic =
      meeting.collective->get_or<bool>("has_dynamic_root", false);
  const size_t arrays = meeting.operands[0].size() - (dynamic ? 1 : 0);
  const std::vector<size_t> roots = roots_of(meeting, arrays);
  std::vector<Array> values;
  for (size_t k = 0; k < arrays; ++k) {
    values.push_back(meeting.operands[roots[k]][k]);
  }
  return for_all(meeting, std::move(values));
}

/// Writes the rows that member i sends to member j in its slice `u`.
void exchange_rows(const Meeting& meeting, size_t i, size_t j, int64_t u,
                   int64_t slices, Array& output) {
  const std::vector<Array>& sender = meeting.operands[i];
  const int64_t at = static_cast<int64_t>(j) * slices + u;
  const int64_t from = integer(sender[2], at);
  const int64_t count = integer(sender[3], at);
  const int64_t to = integer(sender[4], at);
  const auto fits = [&](int64_t first, const Array& array) {
    const int64_t size = array.shape.dims[0];
    return first >= 0 && count >= 0 && first <= size && count <= size - first;
  };
  require_evaluable(fits(from, sender[0]) && fits(to, output),
                    "ragged-all-to-all.range",
                    {Count{count, "row"}, " from row ", from, " of ",
                     sender[0].shape, " go to row ", to, " of ", output.shape},
                    "these must be rows of the input and of the output");
  const int64_t expected =
      integer(meeting.operands[j][5], static_cast<int64_t>(i) * slices + u);
  require_evaluable(
      expected == count, "ragged-all-to-all.sizes",
      {"a member receives ", Count{expected, "row"}, " and is sent ", count},
      "the two must be equal");
  if (count == 0) return;
  const size_t row =
      output.bytes.size() / static_cast<size_t>(output.shape.dims[0]);
  if (row == 0) return;
  std::memcpy(output.bytes.data() + static_cast<size_t>(to) * row,
              sender[0].bytes.data() + static_cast<size_t>(from) * row,
              static_cast<size_t>(count) * row);
}

Results exchange_ragged(const Meeting& meeting, const EngineCalls&) {
  const Shape& offsets = meeting.operands[0][2].shape;
  const auto count = std::ssize(meeting.devices);
  const int64_t slices = offsets.element_count();
  require_evaluable(
      slices % count == 0 && (offsets.rank() == 1 || offsets.dims[0] == count),
      "ragged-all-to-all.members",
      {"the offsets are ", offsets, " for ", Count{count, "member"}},
      "there must be as many for each member of a group");
  Results results;
  for (size_t j = 0; j < meeting.devices.size(); ++j) {
    Array output = meeting.operands[j][1];
    for (size_t i = 0; i < meeting.devices.size(); ++i) {
      for (int64_t u = 0; u < slices / count; ++u) {
        exchange_rows(meeting, i, j, u, slices / count, output);
      }
    }
    results.push_back(std::make_shared<const Array>(std::move(output)));
  }
  return results;
}

Results permute_all(const Meeting& meeting, const EngineCalls&) {
  return permuted(meeting);
}

const std::map<std::string_view, Rule>& rules() {
  static const std::map<std::string_view, Rule> by_name = {
      {"all-gather", gather_all},
      {"all-gather-start", gather_all},
      {"all-reduce", reduce_all},
      {"all-reduce-start", reduce_all},
      {"all-to-all", exchange_all},
      {"collective-broadcast", broadcast_all},
      {"collective-permute", permute_all},
      {"collective-permute-start", permute_all},
      {"ragged-all-to-all", exchange_ragged},
      {"reduce-scatter", reduce_scatter}};
  return by_name;
}

bool hands_on(const Instruction& collective) {
  const std::string_view name = collective.op->name;
  return name == "collective-broadcast" ||
         (name.starts_with("collective-permute") && !is_in_place(collective));
}

}  // namespace

bool is_collective(std::string_view name) { return rules().contains(name); }

Results results_of(const Meeting& meeting, const EngineCalls& calls) {
  return rules().at(meeting.collective->op->name)(meeting, calls);
}

std::optional<Array> outside_of(const Instruction& collective,
                                Operands operands) {
  const std::string_view name = collective.op->name;
  if (name.starts_with("collective-permute")) {
    if (is_in_place(collective)) return *operands[1];
  } else if (name != "collective-broadcast") {
    return std::nullopt;
  }
  if (collective.get_or<bool>("has_dynamic_root", false)) {
    operands = operands.first(operands.size() - 1);
  }
  std::vector<Array> values;
  for (const Array* operand : operands) values.push_back(zeros(operand->shape));
  return one_or_tuple(std::move(values));
}

void require_whole(const Instruction& collective, Operands operands) {
  if (hands_on(collective)) return;
  for (const Array* operand : operands) {
    require_evaluable(!has_sizes(*operand), "evaluate.sizes",
                      {collective.op->name,
                       " is given an array that is smaller than its bounds"},
                      "it can take only arrays that are as large");
  }
}

}  // namespace hlo::cpu
