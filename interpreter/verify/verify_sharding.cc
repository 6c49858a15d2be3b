#include <algorithm>
#include <string>

#include "interpreter/rules/attributes/sharding.h"
#include "interpreter/rules/attributes/verbatim.h"
#include "interpreter/rules/op.h"
#include "interpreter/verify/verify_rules.h"

namespace hlo {
namespace {

void check_devices(const Sharding& sharding) {
  std::vector<int64_t> sorted = sharding.devices;
  std::ranges::sort(sorted);
  require(std::ranges::adjacent_find(sorted) == sorted.end() &&
              (sorted.empty() || sorted.front() >= 0),
          "sharding.device-repeated",
          {"the devices of a sharding are ", sorted},
          "they must be distinct and not negative");
}

void check_array(const Sharding& sharding, const Shape& shape) {
  switch (sharding.kind) {
    case Sharding::Kind::kTuple:
      require(sharding.elements.empty() && leaves(shape).empty(),
              "sharding.tuple",
              {"a tuple of ", Count{std::ssize(sharding.elements), "sharding"},
               " is given for ", shape},
              "such a tuple can be for a tuple only");
      return;
    case Sharding::Kind::kTiled: {
      const auto tiled = static_cast<int64_t>(sharding.tiles.size());
      require(tiled - sharding.subgroup_dims == shape.rank(), "sharding.rank",
              {"a sharding has tiles for ",
               Count{tiled - sharding.subgroup_dims, "dimension"},
               " and the shape is ", shape},
              "it must have a number of tiles for each dimension");
      check_devices(sharding);
      return;
    }
    case Sharding::Kind::kMesh:
      require(sharding.mesh_dims < 0 || sharding.mesh_dims == shape.rank(),
              "sharding.rank",
              {"a sharding has ", Count{sharding.mesh_dims, "dimension"},
               " and the shape is ", shape},
              "it must have one for each dimension");
      return;
    default:
      return;
  }
}

void check(const Sharding& sharding, const Shape& shape) {
  if (!shape.is_tuple()) {
    if (sharding.kind == Sharding::Kind::kTuple &&
        sharding.elements.size() == 1) {
      check_array(sharding.elements[0], shape);
    } else {
      check_array(sharding, shape);
    }
    return;
  }
  const std::vector<const Shape*> parts = leaves(shape);
  if (sharding.kind != Sharding::Kind::kTuple) {
    for (const Shape* part : parts) check_array(sharding, *part);
    return;
  }
  require(sharding.elements.size() == parts.size() ||
              (parts.empty() && sharding.elements.size() == 1),
          "sharding.tuple",
          {"there are ", Count{std::ssize(sharding.elements), "sharding"},
           " for ", shape},
          "there must be one for each leaf of the shape");
  for (size_t i = 0; i < parts.size(); ++i) {
    check_array(sharding.elements[i], *parts[i]);
  }
}

const std::string* sharding_text(const Instruction& instruction) {
  const AttributeValue* value = instruction.find("sharding");
  return value == nullptr ? nullptr : &std::get<Verbatim>(*value).text;
}

void require_one_sharding(const std::vector<const Instruction*>& all) {
  const std::string* first = nullptr;
  for (const Instruction* instruction : all) {
    const std::string* text = sharding_text(*instruction);
    if (text == nullptr) continue;
    if (first == nullptr) first = text;
    require(*first == *text, "sharding.consistent",
            {"one sharding is ", *first, " and another ", *text},
            "a loop, its parameters and the root of its body must have one, "
            "and so must a conditional and the roots of its branches");
  }
}

/// What has to have the sharding of a loop.
std::vector<const Instruction*> parts_of_loop(const Instruction& loop) {
  const auto* body = loop.get<Computation*>("body");
  const auto* condition = loop.get<Computation*>("condition");
  return {&loop, body->root, body->parameters[0], condition->parameters[0]};
}

/// What has to have the sharding of a conditional.
std::vector<const Instruction*> parts_of_branches(
    const Instruction& conditional) {
  std::vector<const Instruction*> parts = {&conditional};
  for (const auto& [name, value] : conditional.attributes) {
    if (const auto* branch = std::get_if<Computation*>(&value)) {
      parts.push_back((*branch)->root);
    } else if (const auto* branches = std::get_if<Computations>(&value)) {
      for (const Computation* one : *branches) parts.push_back(one->root);
    }
  }
  return parts;
}

}  // namespace

void check_sharding(const Instruction& instruction) {
  const std::string* text = sharding_text(instruction);
  if (text == nullptr) return;
  const std::optional<Sharding> sharding = read_sharding(*text);
  // The data of an outfeed is sharded, not its token.
  if (!sharding || instruction.op->takes("outfeed_shape")) return;
  check(*sharding, instruction.shape);
}

void check_common_sharding(const Instruction& instruction) {
  if (instruction.op->form == Form::kLoop) {
    require_one_sharding(parts_of_loop(instruction));
  } else if (instruction.op->form == Form::kBranches) {
    require_one_sharding(parts_of_branches(instruction));
  }
}

}  // namespace hlo
