#include "interpreter/stablehlo/import/devices/sdy_sharding.h"

#include <algorithm>
#include <map>

#include "interpreter/error.h"
#include "interpreter/shortened.h"
#include "interpreter/stablehlo/read/attributes/mlir_lexicon.h"

namespace hlo::stablehlo {
namespace {

constexpr int64_t kMaxDevices = 1 << 20;

[[noreturn]] void fail(std::string_view message) {
  throw Error(Phase::kVerify, "stablehlo.sharding", std::string(message));
}

std::string_view from(std::string_view text, char bracket) {
  const size_t at = text.find(bracket);
  if (at == std::string_view::npos) {
    fail("'" + std::string(text) + "' is no list");
  }
  return text.substr(at);
}

/// {"x", "y", ?}: a dimension that stays open is cut along what is named.
std::vector<std::string> axes(Scanner& in) {
  std::vector<std::string> names;
  in.expect('{', "before the names of axes");
  read_items(in, '}', [&] {
    if (in.eat('?')) return;
    names.push_back(in.string());
    if (in.peek() == ':') fail("parts of an axis are not supported here");
  });
  return names;
}

Sharding sharding(Scanner& in) {
  Sharding result;
  in.expect('<', "before a sharding");
  if (in.peek() != '@') {
    fail("the sharding names no mesh, but must name one that the module has");
  }
  result.mesh = in.peek(1) == '"' ? (in.advance_within(1), in.string())
                                  : std::string(in.suffix("a name"));
  in.expect(',', "behind the name of a mesh");
  in.expect('[', "before the dimensions");
  read_items(in, ']', [&] {
    result.dims.push_back(axes(in));
    if (in.peek() == 'p') in.word("a priority");
  });
  while (in.eat(',')) {
    const std::string_view word = in.word("replicated or unreduced");
    in.expect('=', "behind a keyword");
    const bool has_axes = !axes(in).empty();
    if (word == "unreduced" && has_axes) {
      fail("sums that are not taken yet (unreduced) are not supported here");
    }
  }
  in.expect('>', "behind a sharding");
  return result;
}

}  // namespace

int64_t Mesh::coordinate(int64_t position, std::string_view axis) const {
  for (size_t k = axes.size(); k > 0; --k) {
    const auto& [name, size] = axes[k - 1];
    if (name == axis) return position % size;
    position /= size;
  }
  fail("the mesh has no axis \"" + shortened(axis) + "\"");
}

int64_t Mesh::count(const std::vector<std::string>& along) const {
  int64_t product = 1;
  for (const std::string& axis : along) {
    const auto found =
        std::ranges::find(axes, axis, &decltype(axes)::value_type::first);
    if (found == axes.end()) fail("the mesh has no axis \"" + axis + "\"");
    product *= found->second;
  }
  return product;
}

Ints Mesh::shards(const std::vector<std::string>& along) const {
  Ints result(devices.size());
  for (size_t position = 0; position < devices.size(); ++position) {
    int64_t shard = 0;
    for (const std::string& axis : along) {
      shard = shard * count({axis}) +
              coordinate(static_cast<int64_t>(position), axis);
    }
    result[static_cast<size_t>(devices[position])] = shard;
  }
  return result;
}

std::vector<Ints> Mesh::groups(const std::vector<std::string>& along) const {
  std::vector<std::string> others;
  for (const auto& [name, size] : axes) {
    if (std::ranges::find(along, name) == along.end()) others.push_back(name);
  }
  const Ints group_of = shards(others);
  const Ints place = shards(along);
  std::vector<Ints> result(static_cast<size_t>(count(others)),
                           Ints(static_cast<size_t>(count(along))));
  for (size_t device = 0; device < devices.size(); ++device) {
    result[static_cast<size_t>(group_of[device])]
          [static_cast<size_t>(place[device])] = static_cast<int64_t>(device);
  }
  return result;
}

Mesh read_mesh(std::string_view text) {
  Scanner in(from(text, '<'), kMlirLexicon);
  Mesh mesh;
  int64_t count = 1;
  in.expect('<', "before a mesh");
  in.expect('[', "before the axes");
  read_items(in, ']', [&] {
    std::string name = in.string();
    in.expect('=', "behind the name of an axis");
    const int64_t size = in.integer("the size of an axis");
    if (size < 1 || size > kMaxDevices / count) {
      fail("the mesh has no devices or too many: it must have 1 to " +
           std::to_string(kMaxDevices));
    }
    count *= size;
    mesh.axes.emplace_back(std::move(name), size);
  });
  if (in.eat(',')) {
    if (!in.eat_word("device_ids")) in.expected("device_ids");
    in.expect('=', "behind device_ids");
    in.expect('[', "before the ids");
    read_items(in, ']', [&] { mesh.devices.push_back(in.integer("an id")); });
  } else {
    for (int64_t id = 0; id < count; ++id) mesh.devices.push_back(id);
  }
  Ints sorted = mesh.devices;
  std::ranges::sort(sorted);
  for (int64_t id = 0; id < std::ssize(sorted); ++id) {
    if (sorted[static_cast<size_t>(id)] != id || std::ssize(sorted) != count) {
      fail(
          "the ids of the mesh have gaps or repeat: they must be those from 0, "
          "each once");
    }
  }
  return mesh;
}

std::vector<Sharding> read_shardings(std::string_view text) {
  Scanner in(from(text, '['), kMlirLexicon);
  std::vector<Sharding> result;
  in.expect('[', "before the shardings");
  read_items(in, ']', [&] { result.push_back(sharding(in)); });
  return result;
}

std::vector<std::string> read_axes(std::string_view text) {
  Scanner in(from(text, '{'), kMlirLexicon);
  return axes(in);
}

}  // namespace hlo::stablehlo
