#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// StableHLO orders the members of a group of replicas, all partitions of which
/// take part, by their partitions first, and HLO by their replicas
/// (openxla/stablehlo#1933). Ids of devices say the same order in both: the
/// groups become those, but for axes of a mesh. Error "stablehlo.needs".
void order_by_partition(const Conversion& c, Attributes& attributes);

}  // namespace hlo::stablehlo
