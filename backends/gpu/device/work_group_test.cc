#include "backends/gpu/device/work_group.h"

#include <gtest/gtest.h>

#include "backends/gpu/device/device.h"

namespace hlo::gpu {
namespace {

/// What running a group of four says; "" where nothing is wrong.
std::string said(const std::function<void()>& body) {
  try {
    run_group(0, 1, 4, body);
  } catch (const DeviceError& error) {
    return error.what();
  }
  return "";
}

constexpr const char* kRace = "items race for a cell of shared memory";

/// Each item writes a cell, and reads its neighbour's.
void exchange(bool with_barrier) {
  SharedArray cells(4);
  const int64_t own = work_item().local_id;
  cells.set(own, 10 * own);
  if (with_barrier) barrier();
  const int64_t next = (own + 1) % 4;
  EXPECT_EQ(cells.get(next), 10 * next);
}

TEST(GpuWorkGroup, ExchangesByABarrier) {
  EXPECT_EQ(said([] { exchange(true); }), "");
}

TEST(GpuWorkGroup, FindsABarrierThatIsLeftOut) {
  EXPECT_EQ(said([] {
              SharedArray cells(4);
              const int64_t own = work_item().local_id;
              cells.set(own, own);
              cells.get(std::max<int64_t>(own - 1, 0));
            }),
            kRace);
}

TEST(GpuWorkGroup, FindsTwoWritersAndAWriterBehindAReader) {
  EXPECT_EQ(said([] { SharedArray(1).set(0, 1); }), kRace);
  EXPECT_EQ(said([] {
              SharedArray cells(1);
              const int64_t own = work_item().local_id;
              if (own == 0) cells.set(0, 1);
              barrier();
              cells.get(0);
              if (own == 3) cells.set(0, 2);
            }),
            kRace);
}

TEST(GpuWorkGroup, FindsABarrierThatNotAllReach) {
  EXPECT_EQ(said([] {
              if (work_item().local_id != 2) barrier();
            }),
            "some items of a group do not reach a barrier");
}

TEST(GpuWorkGroup, FindsWhatIsReadUnwritten) {
  EXPECT_EQ(said([] { SharedArray(2).get(1); }),
            "shared memory is read unwritten");
}

}  // namespace
}  // namespace hlo::gpu
