#include "backends/process/process_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "backends/process/case_messages.h"
#include "backends/process/worker_messages.h"
#include "backends/process/worker_process.h"

namespace hlo {
namespace {

using process::Answer;
using process::BadWorker;
using process::Seconds;

struct Settings {
  Seconds startup{30};
  Seconds timeout{20};
  std::string command;
};

constexpr std::string_view kScheme = "process:";
constexpr std::string_view kTimeout = "timeout=";
constexpr std::string_view kStartup = "startup=";
constexpr double kMostSeconds = 86400;

/// Takes the word off that begins with the name of the setting, and its value;
/// whether nothing is wrong with it.
bool take_setting(std::string_view& text, std::string_view name,
                  Seconds& value) {
  const std::string_view word = text.substr(0, text.find(' '));
  if (!word.starts_with(name)) return true;
  double seconds = 0;
  const char* const last = word.data() + word.size();
  const auto [end, error] =
      std::from_chars(word.data() + name.size(), last, seconds);
  if (error != std::errc() || end != last) return false;
  if (!(seconds > 0 && seconds <= kMostSeconds)) return false;
  value = Seconds(seconds);
  text.remove_prefix(word.size());
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return true;
}

std::optional<Settings> read_settings(std::string_view text) {
  Settings settings;
  for (size_t before = 0; before != text.size();) {
    before = text.size();
    if (!take_setting(text, kTimeout, settings.timeout) ||
        !take_setting(text, kStartup, settings.startup)) {
      return std::nullopt;
    }
  }
  if (text.find_first_not_of(' ') == std::string_view::npos) {
    return std::nullopt;
  }
  settings.command = text;
  return settings;
}

Failure crashed(std::string message) {
  return {.kind = Failure::Kind::kCrashed,
          .rule = {},
          .message = std::move(message)};
}

class ProcessBackend final : public Backend {
 public:
  ProcessBackend(std::string name, Settings settings)
      : name_(std::move(name)), settings_(std::move(settings)) {}

  std::string name() const override { return name_; }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    const Call call{.module = &module, .arguments = arguments};
    return std::move(run_all({&call, 1}).front());
  }

  size_t most_at_once() const override { return at_once_; }

  /// Where a frame of several calls fails, its first half is sent, and so on
  /// until the culprit stands alone; what is behind it goes in a frame again.
  std::vector<Outcome> run_all(std::span<const Call> calls) override {
    std::vector<Outcome> outcomes;
    size_t suspects = 0;  // so many of the calls that come failed together
    while (!calls.empty()) {
      const size_t most =
          suspects == 0 ? at_once_ : std::max<size_t>(suspects / 2, 1);
      const Sent sent =
          send(calls.first(std::min(most, calls.size())), outcomes);
      if (sent.failed) {
        suspects = sent.calls;
        continue;
      }
      suspects -= std::min(suspects, sent.calls);
      calls = calls.subspan(sent.calls);
    }
    return outcomes;
  }

 private:
  /// The first of the calls: those that went in a frame.
  struct Sent {
    size_t calls = 0;
    bool failed = false;  // and there are no outcomes of them
  };

  Sent send(std::span<const Call> calls, std::vector<Outcome>& outcomes) {
    constexpr int kMostStarts = 3;
    if (failed_starts_ >= kMostStarts) {
      outcomes.emplace_back(
          crashed("the worker could not be started three times in a row"));
      return {.calls = 1};
    }
    Batch batch;
    try {
      start();
      batch = make_batch(calls);
      append(batch, calls, ask(batch), outcomes);
      return {.calls = batch.refusals.size()};
    } catch (const BadWorker& bad) {
      Failure failure = end(bad);
      if (batch.refusals.size() > 1) {
        at_once_ = 1;
        return {.calls = batch.refusals.size(), .failed = true};
      }
      outcomes.emplace_back(std::move(failure));
      return {.calls = 1};
    }
  }

  /// There is a worker that has said hello and waits for a case.
  void start() {
    if (worker_ && worker_->is_ready()) return;
    worker_.reset();
    ++failed_starts_;
    worker_.emplace(settings_.command);
    hello_ = process::read_hello(
        worker_->exchange(process::hello_frame(), 0, settings_.startup));
    failed_starts_ = 0;
    at_once_ = std::min(at_once_, hello_.batch);
  }

  /// Calls as one frame has them.
  struct Batch {
    std::vector<process::Request> requests;
    std::vector<std::optional<Failure>> refusals;  // of calls without a request
  };

  /// A batch of the first calls: of as many as fit.
  Batch make_batch(std::span<const Call> calls) {
    constexpr size_t kMostBytes = size_t{1} << 22U;
    const size_t most = std::min(calls.size(), hello_.batch);
    Batch batch;
    size_t bytes = 0;
    while (batch.refusals.size() < most) {
      const Call& call = calls[batch.refusals.size()];
      auto request =
          process::make_request(++id_, *call.module, call.arguments, hello_);
      if (auto* refusal = std::get_if<Failure>(&request)) {
        batch.refusals.emplace_back(std::move(*refusal));
        continue;
      }
      auto& made = std::get<process::Request>(request);
      bytes += made.head.size() + made.body.size() + made.asked;
      if (bytes > kMostBytes && !batch.refusals.empty()) break;
      batch.refusals.emplace_back();
      batch.requests.push_back(std::move(made));
    }
    return batch;
  }

  std::vector<Answer> ask(const Batch& batch) {
    // Too short a time makes no failure: a case alone has all of its own.
    constexpr Seconds kBatchTime{5};
    if (batch.requests.empty()) return {};
    const bool alone = batch.refusals.size() == 1;
    const auto begin = std::chrono::steady_clock::now();
    const process::Frame frame = worker_->exchange(
        process::run_frame(batch.requests),
        process::most_answered(batch.requests),
        alone ? settings_.timeout : std::min(settings_.timeout, kBatchTime));
    adapt(batch.refusals.size(), std::chrono::steady_clock::now() - begin);
    return process::read_answers(frame, batch.requests);
  }

  /// A worker that is slow gets fewer cases at once, one that is fast more.
  void adapt(size_t calls, Seconds taken) {
    constexpr Seconds kFast{0.1};
    constexpr Seconds kSlow{0.5};
    if (taken > kSlow) at_once_ = std::max<size_t>(calls / 2, 1);
    if (taken < kFast && calls >= at_once_) at_once_ *= 2;
    at_once_ = std::min(at_once_, hello_.batch);
  }

  void append(const Batch& batch, std::span<const Call> calls,
              const std::vector<Answer>& answers,
              std::vector<Outcome>& outcomes) const {
    auto answer = answers.begin();
    for (size_t i = 0; i < batch.refusals.size(); ++i) {
      if (batch.refusals[i]) {
        outcomes.emplace_back(*batch.refusals[i]);
      } else {
        outcomes.push_back(
            process::to_outcome(*answer++, *calls[i].module, hello_));
      }
    }
  }

  /// Ends the worker; the failure that it was.
  Failure end(const BadWorker& bad) {
    std::string message = fmt::format("the worker {}", bad.what());
    if (worker_) {
      const std::string words = worker_->last_words();
      if (!words.empty()) message += fmt::format("; its last words: {}", words);
    }
    worker_.reset();
    return crashed(std::move(message));
  }

  std::string name_;
  Settings settings_;
  std::optional<process::WorkerProcess> worker_;
  process::Hello hello_;
  size_t at_once_ = 1;
  int64_t id_ = 0;
  int failed_starts_ = 0;
};

}  // namespace

std::unique_ptr<Backend> make_process_backend(std::string_view uri,
                                              std::string_view name) {
  if (!uri.starts_with(kScheme)) return nullptr;
  auto settings = read_settings(uri.substr(kScheme.size()));
  if (!settings) return nullptr;
  return std::make_unique<ProcessBackend>(
      std::string(name.empty() ? uri : name), *std::move(settings));
}

}  // namespace hlo
