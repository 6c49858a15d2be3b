#pragma once

#include "interpreter/rules/surroundings.h"

// What collectives demand of their groups, and of the program that they stand
// in (spec/collectives.md).

namespace hlo {

/// No id is in the groups twice. Errors "collective.group-empty",
/// "collective.id-repeated".
void check_group_ids(const Surroundings& around);
/// The groups have every id of the program once, too. Errors
/// "collective.groups-needed", "collective.id-missing", "collective.id-count".
void check_groups(const Surroundings& around);
/// They have one size, too. Error "collective.group-sizes".
void check_equal_groups(const Surroundings& around);

/// Each member has one shard, `part`, of `whole`; of tuples, their first arrays
/// are compared. Error "collective.shards".
void check_shards(const Surroundings& around, const Shape& part,
                  const Shape& whole);
/// The groups of an all-gather, and its shards. Errors as above.
void check_gathering(const Surroundings& around, const Shape& gathered);

/// No id sends or receives more often than it may. Errors
/// "collective.pair-range", "collective.source-repeated",
/// "collective.target-repeated".
void check_pairs(const Surroundings& around);

}  // namespace hlo
