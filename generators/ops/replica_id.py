"""replica-id: the replica of each device (spec/ops/replica_id.md)."""

from assaygen import arrays, types
from assaygen.cases import Case, bits
from assaygen.program import Program

WHY = {"Grid": "each size of a small grid"}
U32 = types.BY_NAME["u32"]


def cases(op="replica-id", value=lambda id, partitions: id // partitions):
    for replicas in range(1, 6):
        for partitions in range(1, 6):
            header = f", replica_count={replicas}, num_partitions={partitions}"
            program = Program("m", [], header).root("u32[]", f"{op}()")
            expect = [bits(arrays.splat(U32, (), value(i, partitions)))
                      for i in range(replicas * partitions)]
            yield Case(f"u32/{replicas}x{partitions}",
                       f"{replicas} replicas of {partitions} partitions", program,
                       expect, ["Grid"])
