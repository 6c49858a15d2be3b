#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "backends/tpu/memory/tiled_array.h"
#include "interpreter/model/module.h"

namespace hlo::tpu {

/// How much of each a machine had done.
struct TileWork {
  int64_t operations = 0;  // on registers
  int64_t moves = 0;       // of lanes
  int64_t passes = 0;
};

/// Something that goes between an array and registers, or the other way.
struct TileStep {
  static constexpr int64_t kOneByOne = -1;

  bool is_store = false;
  const Hbm* memory = nullptr;
  int64_t address = 0;  // of the array
  int64_t number = 0;   // of its register, or kOneByOne: all, each alone
  int64_t run = 0;      // for which this is done
  TileWork work = {};   // since the step before it of the run
};

/// An array that an instruction read or gave, and how it is called there.
struct RecordedArray {
  const Hbm* memory;
  int64_t address;
  std::string name;
};

/// One run of an instruction on a machine with that memory.
struct RecordedRun {
  const Instruction* instruction = nullptr;
  const Hbm* memory = nullptr;
  std::vector<RecordedArray> arrays = {};  // known when it has ended
};

/// The last steps of all machines of a program, in their order, and the last
/// runs of instructions.
class TileRecord {
 public:
  static constexpr size_t kMost = size_t{1} << 18;  // of both

  /// The number of a run that begins: the steps from now on are its own.
  int64_t begin(const Instruction& instruction, const Hbm& memory,
                const TileWork& done);
  /// It goes on.
  void resume(int64_t run, const TileWork& done);
  void add(TileStep step, const TileWork& done);

  const std::deque<TileStep>& steps() const { return steps_; }

  /// Null where it began before all that are kept.
  const RecordedRun* run(int64_t number) const;
  RecordedRun* run(int64_t number);

  /// Whether there were more steps.
  bool is_cut() const { return is_cut_; }

 private:
  std::deque<TileStep> steps_;
  std::deque<RecordedRun> runs_;
  int64_t first_run_ = 0;  // of those that are kept
  int64_t run_ = -1;       // which makes steps
  TileWork done_;          // by its machine at its last step
  bool is_cut_ = false;
};

}  // namespace hlo::tpu
