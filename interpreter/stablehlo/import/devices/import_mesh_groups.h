#pragma once

#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// The groups with their text.
ReplicaGroups make_groups(std::vector<Ints> groups);
/// The groups of #stablehlo.replica_group_mesh_axes<mesh = .., axes = [..]>.
/// Error "stablehlo.sharding".
ReplicaGroups mesh_groups(const Conversion& c, const Structure& groups);

}  // namespace hlo::stablehlo
