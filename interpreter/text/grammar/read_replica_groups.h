#pragma once

#include "interpreter/model/attribute.h"
#include "interpreter/text/scan/scanner.h"

namespace hlo::text {

/// Groups of replicas: listed, as a tile assignment, or along axes of a mesh.
ReplicaGroups read_replica_groups(Scanner& in);

}  // namespace hlo::text
