"""partition-id: the partition of each device (spec/ops/partition_id.md)."""

from ops import replica_id

WHY = replica_id.WHY


def cases():
    yield from replica_id.cases("partition-id", lambda id, partitions: id % partitions)
