#include "interpreter/run/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "interpreter/run/helpers.h"
#include "interpreter/run/shared_limits.h"

namespace hlo {
namespace {

/// The first exception that any of several threads met.
class FirstException {
 public:
  void capture() {
    const std::lock_guard lock(mutex_);
    if (exception_ == nullptr) exception_ = std::current_exception();
  }

  void rethrow() const {
    if (exception_ != nullptr) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
};

}  // namespace

void parallel_for(int threads, int64_t n, int64_t grain,
                  const std::function<void(int64_t, int64_t)>& body) {
  if (n <= 0) return;
  constexpr int64_t kPiecesPerThread = 4;  // evens out pieces of unequal cost
  constexpr int64_t kPiecesToStop = 256;
  const int64_t most = std::max<int64_t>(1, n / std::max<int64_t>(1, grain));
  const int64_t workers = std::min<int64_t>(threads, most);
  // Somebody may take what is left of a shared budget, and waits for the end.
  const bool may_stop = shared_limits().budget != nullptr;
  if (workers <= 1 && !may_stop) return body(0, n);
  const int64_t pieces =
      std::min(most, may_stop ? kPiecesToStop : workers * kPiecesPerThread);
  std::atomic<int64_t> next_piece{0};
  FirstException failure;
  const std::function<void(int64_t)> work = [&](int64_t /*thread*/) {
    try {
      for (int64_t p = next_piece++; p < pieces; p = next_piece++) {
        spend_shared(0);
        body(n / pieces * p + std::min(p, n % pieces),
             n / pieces * (p + 1) + std::min(p + 1, n % pieces));
      }
    } catch (...) {
      failure.capture();
    }
  };
  {
    const Helpers helpers(workers - 1, work);
    work(0);
  }
  failure.rethrow();
}

}  // namespace hlo
