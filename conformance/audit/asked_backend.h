#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "backends/backend.h"
#include "conformance/jobs/worker.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/run_case.h"
#include "conformance/shrink/edit.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// Where arguments begin: at an address that leaves this remainder by 64.
inline constexpr size_t kCacheLine = 64;

/// A backend that lives as long as this, or until it does not answer in time;
/// then there is another one. Arguments stay where they are between calls.
class AskedBackend {
 public:
  /// A program that is ready to run there. Where the backend did not answer in
  /// time, a run makes it ready anew.
  struct Job;

  /// `cores`: the backend, and processes that it starts, may run on so many of
  /// them; 0 for all.
  AskedBackend(MakeBackend make, Seconds most, int cores = 0);
  ~AskedBackend();
  AskedBackend(const AskedBackend&) = delete;
  AskedBackend& operator=(const AskedBackend&) = delete;

  /// Compiles the program, where that is apart from running it. `place`: where
  /// the arguments begin, as far as memory is to be had there.
  std::shared_ptr<Job> compile(const Program& program, size_t place = 0);
  Observation run(std::shared_ptr<Job>& job);
  /// So many runs of it that the backend gets at once.
  std::vector<Observation> run_together(std::shared_ptr<Job>& job,
                                        size_t count);

 private:
  struct State;

  Observation late() const;
  void begin();

  MakeBackend make_;
  Seconds most_;
  int cores_;
  std::shared_ptr<State> state_;
  Worker worker_;
};

/// Whether the arguments of a program could be placed so.
bool is_placed(const AskedBackend::Job& job, size_t place);
/// How many cores this process may use.
int usable_cores();

}  // namespace hlo::conformance
