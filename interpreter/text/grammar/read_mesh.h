#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/model/attribute.h"
#include "interpreter/text/scan/scanner.h"

namespace hlo::text {

/// mesh['x'=2,'y'=4]: the names and sizes of its axes and its spelling.
struct Mesh {
  std::vector<std::pair<std::string, int64_t>> axes;
  Ints devices;
  std::string text;
};

/// Whether a mesh starts here.
bool at_mesh(const Scanner& in);
/// A mesh: `mesh['x'=2,'y'=4]`.
Mesh read_mesh(Scanner& in);

/// An axis or a part of one, 'x' or 'x':(1)2, in its canonical spelling.
struct MeshAxis {
  size_t index = 0;
  int64_t before = 1;  // product of the parts before this one
  int64_t size = 1;
  std::string text;
};

/// An axis of the mesh, or a part of one.
MeshAxis read_mesh_axis(Scanner& in, const Mesh& mesh);
/// Groups of replicas along axes of a mesh.
ReplicaGroups read_mesh_groups(Scanner& in);

}  // namespace hlo::text
