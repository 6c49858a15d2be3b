#pragma once

#include "interpreter/model/attribute.h"
#include "interpreter/text/grammar/scanner.h"

namespace hlo::text {

/// Groups of replicas: listed, as a tile assignment, or along axes of a mesh.
ReplicaGroups read_replica_groups(Lexer& in);

}  // namespace hlo::text
