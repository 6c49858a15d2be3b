#include "conformance/python/library/library_call.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "interpreter/arithmetic_state.h"
#include "interpreter/error.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

using Arrays = std::vector<std::vector<std::byte>>;

RequestAnswer refusal(std::string_view phase, std::string_view rule,
                      std::string_view message, const Location& place = {},
                      std::string_view excerpt = {}) {
  using ErrorJson = nlohmann::ordered_json;
  const ErrorJson json = {{"error",
                           {{"phase", phase},
                            {"rule", rule},
                            {"message", message},
                            {"line", place.line},
                            {"column", place.column},
                            {"excerpt", excerpt}}}};
  return {.text =
              json.dump(-1, ' ', false, ErrorJson::error_handler_t::replace)};
}

/// Where the error has a place, that is in the program's text.
std::string excerpt_of(const Error& error, std::string_view source) {
  if (error.location().line == 0) return {};
  return text::excerpt(error.location(), source);
}

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Abandoned {
  std::mutex mutex;
  std::vector<std::unique_ptr<LibraryCall>> calls;
};

Abandoned& abandoned() {
  // Never destroyed: its threads may outlive the other statics.
  static auto* const everything = new Abandoned();
  return *everything;
}

}  // namespace

RequestAnswer answer_to(const std::string& request, const Arrays& arrays,
                        StopSignal& stop) {
  const ReferenceArithmetic arithmetic;
  try {
    return run_request(read_request(request, arrays), stop);
  } catch (const Error& error) {
    return refusal(
        name(error.phase()), error.rule(), error.message(), error.location(),
        arrays.empty() ? "" : excerpt_of(error, text_of(arrays.front())));
  } catch (const std::bad_alloc&) {
    return refusal("evaluate", "system.memory", "there is not enough memory");
  } catch (const std::exception& error) {
    return refusal("internal", "system.internal", error.what());
  }
}

LibraryCall::LibraryCall(std::string request, Arrays arrays)
    : thread_([this, request = std::move(request), arrays = std::move(arrays)] {
        run(request, arrays);
      }) {}

LibraryCall::~LibraryCall() { thread_.join(); }

void LibraryCall::run(const std::string& request,
                      const Arrays& arrays) noexcept {
  RequestAnswer answer;
  try {
    answer = answer_to(request, arrays, stop_);
  } catch (...) {
    // An empty text: assay_answer() has one for it.
  }
  const std::lock_guard lock(mutex_);
  answer_ = std::move(answer);
  has_ended_ = true;
  ended_.notify_all();
}

bool LibraryCall::wait(double seconds) {
  constexpr double kMost = 3600;
  const double bounded = seconds > 0 ? std::min(seconds, kMost) : 0;
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, std::chrono::duration<double>(bounded),
                         [this] { return has_ended_; });
}

void LibraryCall::cancel() { stop_.stop(); }

bool LibraryCall::has_ended() const {
  const std::lock_guard lock(mutex_);
  return has_ended_;
}

void abandon(std::unique_ptr<LibraryCall> call) {
  call->cancel();
  Abandoned& all = abandoned();
  const std::lock_guard lock(all.mutex);
  all.calls.push_back(std::move(call));
  std::erase_if(all.calls, [](const auto& other) {
    return other->has_thread() && other->has_ended();
  });
}

void finish_abandoned() {
  std::vector<std::unique_ptr<LibraryCall>> calls;
  Abandoned& all = abandoned();
  {
    const std::lock_guard lock(all.mutex);
    calls.swap(all.calls);
  }
  for (auto& call : calls) {
    if (!call->has_thread()) (void)call.release();
  }
  calls.clear();
}

}  // namespace hlo::conformance
