#include "interpreter/text/grammar/read_replica_groups.h"

#include "interpreter/text/grammar/read_list.h"
#include "interpreter/text/grammar/read_mesh.h"
#include "interpreter/text/grammar/read_window.h"
#include "interpreter/text/grammar/tile_assignment.h"

namespace hlo::text {
namespace {

std::string joined(const Ints& values) {
  std::string text;
  for (const int64_t value : values) {
    if (!text.empty()) text += ',';
    text += std::to_string(value);
  }
  return text;
}

ReplicaGroups read_iota_groups(Scanner& in) {
  const size_t start = in.position();
  const TileAssignment tiles =
      read_tile_assignment(in, /*with_list=*/false, "groups");
  if (tiles.dims.size() != 2) {
    in.fail_at(start, "text.devices",
               "groups in iota form do not have two sizes: they must be "
               "[groups,devices of each]");
  }
  in.spend(2 * tiles.size() * static_cast<int64_t>(sizeof(int64_t)));
  return {split_devices(iota_devices(tiles.reshape, tiles.transpose),
                        tiles.dims[0], tiles.dims[1]),
          tiles.text};
}

ReplicaGroups read_listed_groups(Scanner& in) {
  ReplicaGroups result;
  read_list(in, '{', '}', [&] {
    const Ints group = read_ints(in);
    if (!result.text.empty()) result.text += ',';
    result.text += "{" + joined(group) + "}";
    result.groups.push_back(group);
  });
  result.text = "{" + result.text + "}";
  return result;
}

}  // namespace

ReplicaGroups read_replica_groups(Scanner& in) {
  if (at_mesh(in)) return read_mesh_groups(in);
  if (in.peek() == '[') return read_iota_groups(in);
  return read_listed_groups(in);
}

}  // namespace hlo::text
