#include "interpreter/text/grammar/read_mesh.h"

#include <algorithm>
#include <charconv>

#include "interpreter/counted.h"
#include "interpreter/text/grammar/read_list.h"
#include "interpreter/text/grammar/read_window.h"
#include "interpreter/text/grammar/tile_assignment.h"
#include "interpreter/text/scan/hlo_lexicon.h"

namespace hlo::text {
namespace {

constexpr int64_t kMaxDevices = int64_t{1} << 20;

std::string read_axis_name(Scanner& in) {
  const size_t start = in.position();
  std::string name = in.string();
  if (name.empty() || !std::ranges::all_of(name, is_name_character)) {
    in.fail_at(start, "text.mesh", "the axis has no name, but must have one");
  }
  return name;
}

void read_axis_definition(Scanner& in, Mesh& mesh) {
  const std::string name = read_axis_name(in);
  in.expect('=', "behind the name of an axis");
  const size_t start = in.position();
  const int64_t size = in.natural("the size of an axis");
  if (size < 1 || size > kMaxDevices) {
    in.fail_at(start, "text.mesh",
               "the axis has no devices or too many: it must have 1 to 2^20");
  }
  mesh.axes.emplace_back(name, size);
}

int64_t device_count(const Mesh& mesh) {
  int64_t count = 1;
  for (const auto& [name, size] : mesh.axes) {
    count = std::min(count * size, kMaxDevices + 1);
  }
  return count;
}

void read_device_ids(Scanner& in, Mesh& mesh) {
  in.expect('=', "behind 'device_ids'");
  const size_t start = in.position();
  mesh.devices = read_ints(in, '(', ')');
  if (static_cast<int64_t>(mesh.devices.size()) != device_count(mesh)) {
    in.fail_at(start, "text.mesh",
               "there are " + counted(std::ssize(mesh.devices), "id") +
                   ", but the mesh has " +
                   counted(device_count(mesh), "device"));
  }
}

std::string spelling(const Mesh& mesh) {
  std::string text = "mesh[";
  for (const auto& [name, size] : mesh.axes) {
    if (text.back() != '[') text += ',';
    text += "'" + name + "'=" + std::to_string(size);
  }
  text += "]";
  if (mesh.devices.empty()) return text;
  text += ", device_ids=(";
  for (const int64_t device : mesh.devices) {
    if (text.back() != '(') text += ',';
    text += std::to_string(device);
  }
  return text + ")";
}

Mesh read_maximal_mesh(Scanner& in) {
  in.expect('[', "behind 'maximal_mesh'");
  if (in.eat_word("device_id")) in.expect('=', "behind 'device_id'");
  Mesh mesh;
  mesh.devices.push_back(in.natural("a device"));
  in.expect(']', "behind a mesh");
  mesh.text = "maximal_mesh[device_id=" + std::to_string(mesh.devices[0]) + "]";
  return mesh;
}

/// An axis by its name, or by its number where no axis has that name.
size_t find_axis(Scanner& in, const Mesh& mesh, size_t start,
                 const std::string& name) {
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    if (mesh.axes[i].first == name) return i;
  }
  size_t number = mesh.axes.size();
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  if (error != std::errc() || stop != end || number >= mesh.axes.size()) {
    in.fail_at(start, "text.mesh",
               "the mesh " + mesh.text + " has no axis '" + name + "'");
  }
  return number;
}

/// A part of an axis of the mesh that lies within one named axis or in none.
struct Segment {
  int64_t size = 1;
  size_t owner = 0;  // among the named axes; their number if in none
};

void append_segments(Scanner& in, size_t start, const Mesh& mesh, size_t index,
                     const std::vector<MeshAxis>& axes,
                     std::vector<Segment>& segments) {
  Ints cuts = {1, mesh.axes[index].second};
  for (const MeshAxis& axis : axes) {
    if (axis.index != index) continue;
    cuts.push_back(axis.before);
    cuts.push_back(axis.before * axis.size);
  }
  std::ranges::sort(cuts);
  for (size_t c = 0; c + 1 < cuts.size(); ++c) {
    if (cuts[c] == cuts[c + 1]) continue;
    Segment segment{cuts[c + 1] / cuts[c], axes.size()};
    bool overlaps = cuts[c + 1] % cuts[c] != 0;
    for (size_t a = 0; a < axes.size(); ++a) {
      const int64_t low = axes[a].before;
      const int64_t high = low * axes[a].size;
      if (axes[a].index != index || cuts[c] < low || cuts[c + 1] > high) {
        continue;
      }
      overlaps = overlaps || segment.owner != axes.size();
      segment.owner = a;
    }
    if (overlaps) in.fail_at(start, "text.mesh", "the axes overlap");
    segments.push_back(segment);
  }
}

/// Groups of the devices that agree outside of the named axes; within a group
/// the axis that is named first is the most major.
std::vector<Ints> mesh_groups(const Mesh& mesh, size_t axis_count,
                              const std::vector<Segment>& segments) {
  Ints sizes;
  for (const Segment& segment : segments) sizes.push_back(segment.size);
  Ints order;
  int64_t group_size = 1;
  const auto append = [&](size_t owner) {
    for (size_t s = 0; s < segments.size(); ++s) {
      if (segments[s].owner != owner) continue;
      order.push_back(static_cast<int64_t>(s));
      if (owner < axis_count) group_size *= segments[s].size;
    }
  };
  append(axis_count);
  for (size_t a = 0; a < axis_count; ++a) append(a);
  Ints devices = iota_devices(sizes, order);
  for (int64_t& device : devices) {
    if (mesh.devices.empty()) break;
    device = mesh.devices[static_cast<size_t>(device)];
  }
  const auto count = static_cast<int64_t>(devices.size());
  return split_devices(devices, count / group_size, group_size);
}

}  // namespace

bool at_mesh(const Scanner& in) {
  const std::string_view word = in.peek_word();
  return word == "mesh" || word == "maximal_mesh";
}

Mesh read_mesh(Scanner& in) {
  const size_t start = in.position();
  if (in.eat_word("maximal_mesh")) return read_maximal_mesh(in);
  in.eat_word("mesh");
  Mesh mesh;
  read_list(in, '[', ']', [&] { read_axis_definition(in, mesh); });
  if (device_count(mesh) > kMaxDevices) {
    in.fail_at(start, "text.mesh",
               "the mesh has too many devices: it can have at most 2^20");
  }
  if (in.peek() == ',' && in.peek_behind() == 'd') {
    in.eat(',');
    if (!in.eat_word("device_ids")) in.expected("'device_ids'");
    read_device_ids(in, mesh);
  }
  mesh.text = spelling(mesh);
  return mesh;
}

MeshAxis read_mesh_axis(Scanner& in, const Mesh& mesh) {
  const size_t start = in.position();
  const std::string name = read_axis_name(in);
  MeshAxis axis;
  axis.index = find_axis(in, mesh, start, name);
  const int64_t whole = mesh.axes[axis.index].second;
  axis.size = whole;
  axis.text = "'" + name + "'";
  if (!in.eat(':')) return axis;
  in.expect('(', "before the size in front of a part");
  axis.before = in.natural("a size");
  in.expect(')', "behind the size in front of a part");
  axis.size = in.natural("the size of a part");
  const bool divides = axis.before > 0 && axis.size > 0 &&
                       axis.before <= whole && axis.size <= whole &&
                       whole % (axis.before * axis.size) == 0;
  if (!divides) {
    in.fail_at(start, "text.mesh", "the part does not divide its axis");
  }
  axis.text +=
      ":(" + std::to_string(axis.before) + ")" + std::to_string(axis.size);
  return axis;
}

ReplicaGroups read_mesh_groups(Scanner& in) {
  const size_t start = in.position();
  const Mesh mesh = read_mesh(in);
  std::vector<MeshAxis> axes;
  std::string text;
  read_list(in, '{', '}', [&] {
    axes.push_back(read_mesh_axis(in, mesh));
    text += (text.empty() ? "" : ",") + axes.back().text;
  });
  std::vector<Segment> segments;
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    append_segments(in, start, mesh, i, axes, segments);
  }
  in.spend(2 * device_count(mesh) * static_cast<int64_t>(sizeof(int64_t)));
  return {mesh_groups(mesh, axes.size(), segments),
          mesh.text + " {" + text + "}"};
}

}  // namespace hlo::text
