#include "interpreter/rules/attributes/sharding.h"

#include "interpreter/rules/attributes/verbatim.h"

namespace hlo {
namespace {

/// `2,4]` or `1,0)`: integers up to the closing character.
std::optional<std::vector<int64_t>> read_integers(TextScanner& in,
                                                  std::string_view close) {
  std::vector<int64_t> values;
  while (!in.accept(close)) {
    const std::optional<int64_t> value = in.integer();
    if (!value) return std::nullopt;
    values.push_back(*value);
    in.accept(",");
  }
  return values;
}

/// `<=[8]T(1,0)` or `0,1,2,3` behind the tile dimensions.
bool read_devices(TextScanner& in, Sharding& sharding) {
  if (in.accept("<=")) {
    if (!in.accept("[") || !read_integers(in, "]")) return false;
    return !in.accept("T(") || read_integers(in, ")").has_value();
  }
  while (const std::optional<int64_t> device = in.integer()) {
    sharding.devices.push_back(*device);
    in.accept(",");
  }
  return true;
}

/// How many dimensions `{manual,replicated}` speaks of.
int64_t count_words(TextScanner& in) {
  int64_t count = 0;
  if (!in.accept("{")) return 0;
  while (!in.at_end() && !in.accept("}")) {
    if (in.word().empty()) {
      in.skip();
    } else {
      ++count;
    }
  }
  return count;
}

bool read_tiled(TextScanner& in, Sharding& sharding) {
  sharding.kind = Sharding::Kind::kTiled;
  if (!in.accept("[")) return false;
  const auto tiles = read_integers(in, "]");
  if (!tiles) return false;
  sharding.tiles = *tiles;
  return read_devices(in, sharding);
}

/// mesh['x'=2] [{'x'}, {}]: counts the dimensions between the brackets.
void read_mesh(TextScanner& in, Sharding& sharding) {
  sharding.kind = Sharding::Kind::kMesh;
  in.skip();
  in.accept(",");
  if (!in.accept("[")) return;
  sharding.mesh_dims = 0;
  while (!in.at_end() && !in.accept("]")) {
    if (in.peek() == '{') ++sharding.mesh_dims;
    in.skip();
  }
}

/// One word of a sharding and what belongs to it; false where it is unknown.
bool read_item(TextScanner& in, Sharding& sharding) {
  if (in.accept("devices=")) return read_tiled(in, sharding);
  const std::string_view word = in.word();
  if (word == "last_tile_dim_replicate") {
    sharding.subgroup_dims = 1;
  } else if (word == "last_tile_dims") {
    in.accept("=");
    sharding.subgroup_dims = count_words(in);
  } else if (word == "mesh" || word == "maximal_mesh") {
    read_mesh(in, sharding);
  } else if (word == "metadata" || word == "replicated" ||
             word == "unreduced") {
    if (in.accept("=")) in.skip();
  } else if (word.empty()) {
    in.skip();
  }
  return true;
}

std::optional<Sharding> read(TextScanner& in, int depth) {
  if (depth > kDeepestVerbatim || !in.accept("{")) return std::nullopt;
  Sharding sharding;
  if (in.peek() == '{' || in.peek() == '}')
    sharding.kind = Sharding::Kind::kTuple;
  while (!in.accept("}")) {
    if (in.at_end()) return std::nullopt;
    if (sharding.kind == Sharding::Kind::kTuple) {
      std::optional<Sharding> element = read(in, depth + 1);
      if (!element) return std::nullopt;
      sharding.elements.push_back(std::move(*element));
      in.accept(",");
    } else if (!read_item(in, sharding)) {
      return std::nullopt;
    }
  }
  return sharding;
}

}  // namespace

std::optional<Sharding> read_sharding(std::string_view text) {
  TextScanner in(text);
  return read(in, 0);
}

}  // namespace hlo
