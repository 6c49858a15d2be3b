#include "backends/tpu/machine/tile_record.h"

#include <iterator>
#include <utility>

namespace hlo::tpu {

int64_t TileRecord::begin(const Instruction& instruction, const Hbm& memory,
                          const TileWork& done) {
  if (runs_.size() == kMost) {
    runs_.pop_front();
    ++first_run_;
  }
  runs_.push_back({.instruction = &instruction, .memory = &memory});
  const int64_t number = first_run_ + std::ssize(runs_) - 1;
  resume(number, done);
  return number;
}

void TileRecord::resume(int64_t run, const TileWork& done) {
  run_ = run;
  done_ = done;
}

void TileRecord::add(TileStep step, const TileWork& done) {
  if (steps_.size() == kMost) {
    steps_.pop_front();
    is_cut_ = true;
  }
  step.run = run_;
  step.work = {.operations = done.operations - done_.operations,
               .moves = done.moves - done_.moves,
               .passes = done.passes - done_.passes};
  done_ = done;
  steps_.push_back(step);
}

const RecordedRun* TileRecord::run(int64_t number) const {
  const int64_t at = number - first_run_;
  const bool is_kept = at >= 0 && at < std::ssize(runs_);
  return is_kept ? &runs_[static_cast<size_t>(at)] : nullptr;
}

RecordedRun* TileRecord::run(int64_t number) {
  return const_cast<RecordedRun*>(std::as_const(*this).run(number));
}

}  // namespace hlo::tpu
