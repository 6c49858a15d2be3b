#include "backends/process/process_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "backends/process/case_messages.h"
#include "backends/process/worker_messages.h"
#include "backends/process/worker_process.h"
#include "interpreter/error.h"

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

  Introduction introduce() {
    start();
    return {.name = hello_.name,
            .release = hello_.release,
            .group = worker_->group()};
  }

  /// Those that the worker gives itself, and what follows from its hello.
  std::vector<std::string> tags() override {
    try {
      start();
    } catch (const BadWorker& bad) {
      refuse(Phase::kEvaluate, "usage.backend",
             {"the worker of ", name_, " does not say hello: ", bad.what()},
             "it must start to say what it can do");
    }
    std::vector<std::string> tags = hello_.tags;
    if (hello_.runs_devices) tags.emplace_back("devices");
    if (hello_.wants_layouts) tags.emplace_back("explicit-layouts");
    return tags;
  }

  /// Where a frame of several calls fails, the culprit is looked for until it
  /// stands alone; what is behind it goes in a frame again.
  std::vector<Outcome> run_all(std::span<const Call> calls) override {
    std::vector<Outcome> outcomes;
    Suspicion suspicion;
    while (outcomes.size() < calls.size()) {
      const std::span<const Call> open = calls.subspan(outcomes.size());
      const size_t most = suspicion.calls == 0 ? at_once_ : suspicion.next();
      send(open.first(std::min(most, open.size())), suspicion, outcomes);
    }
    return outcomes;
  }

 private:
  /// What is known of calls that come, of which one made a frame fail.
  struct Suspicion {
    size_t calls = 0;  // so many of them
    /// How the frame failed, where more time is no excuse.
    std::optional<Failure> failure = {};

    /// How many go in the next frame.
    size_t next() const { return std::max<size_t>(calls / 2, 1); }
  };

  /// Calls as one frame has them.
  struct Batch {
    std::vector<process::Request> requests;
    std::vector<std::optional<Failure>> refusals;  // of calls without a request

    /// Up to the last one that is asked.
    size_t calls_asked() const {
      const auto last = std::find_if(
          refusals.rbegin(), refusals.rend(),
          [](const auto& refusal) { return !refusal.has_value(); });
      return static_cast<size_t>(refusals.rend() - last);
    }
  };

  void send(std::span<const Call> calls, Suspicion& suspicion,
            std::vector<Outcome>& outcomes) {
    constexpr int kMostStarts = 3;
    if (failed_starts_ >= kMostStarts) {
      outcomes.emplace_back(
          crashed("the worker could not be started three times in a row"));
      return;
    }
    Batch batch;
    std::vector<Answer> answers;
    try {
      start();
      batch = make_batch(calls);
      ask(batch, answers);
      acquit(append(batch, calls, answers, outcomes), suspicion, outcomes);
    } catch (const BadWorker& bad) {
      Failure failure = end(bad, batch.requests.size());
      suspicion = {};
      if (batch.refusals.size() <= 1) {
        outcomes.emplace_back(std::move(failure));
        return;
      }
      at_once_ = 1;
      const size_t answered = append(batch, calls, answers, outcomes);
      suspicion.calls =
          hello_.answers_in_parts ? 1 : batch.calls_asked() - answered;
      const bool is_late =
          dynamic_cast<const process::SilentWorker*>(&bad) != nullptr;
      if (!is_late) suspicion.failure = std::move(failure);
    }
  }

  /// So many calls more were answered. The last suspect is the culprit: where
  /// it passes alone, it and this worker are flaky.
  void acquit(size_t calls, Suspicion& suspicion,
              std::vector<Outcome>& outcomes) {
    suspicion.calls -= std::min(suspicion.calls, calls);
    if (suspicion.calls > 0 || !suspicion.failure) return;
    outcomes.back() = *std::exchange(suspicion.failure, std::nullopt);
    takes_batches_ = false;
    hello_.batch = 1;
    at_once_ = 1;
  }

  /// There is a worker that has said hello and waits for a case.
  void start() {
    if (worker_ && worker_->is_ready()) return;
    worker_.reset();
    ++failed_starts_;
    worker_.emplace(settings_.command);
    worker_->ask(process::hello_frame());
    hello_ = process::read_hello(worker_->answer(0, settings_.startup));
    if (worker_->speaks_unasked()) {
      throw BadWorker(
          "cannot start: it wrote to standard output behind its hello, "
          "where it must wait for a case");
    }
    if (!takes_batches_) hello_.batch = 1;
    failed_starts_ = 0;
    at_once_ = std::min(at_once_, hello_.batch);
  }

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

  /// Takes the answers as they come; those that came stay where it throws.
  void ask(const Batch& batch, std::vector<Answer>& answers) {
    if (batch.requests.empty()) return;
    const auto begin = std::chrono::steady_clock::now();
    worker_->ask(process::run_frame(batch.requests));
    std::span<const process::Request> open = batch.requests;
    while (!open.empty()) {
      const Seconds taken = std::chrono::steady_clock::now() - begin;
      const process::Frame frame =
          worker_->answer(process::most_answered(open),
                          most_time(batch.refusals.size(), taken));
      std::vector<Answer> part =
          process::read_answers(frame, open, hello_.answers_in_parts);
      open = open.subspan(part.size());
      std::ranges::move(part, std::back_inserter(answers));
    }
    adapt(batch.refusals.size(), std::chrono::steady_clock::now() - begin);
  }

  /// How long the next answers to so many calls may take. Too short a time
  /// makes no failure: a case alone has all of its own.
  Seconds most_time(size_t calls, Seconds taken) const {
    constexpr Seconds kBatchTime{5};
    if (calls == 1) return settings_.timeout;
    return std::min(settings_.timeout - taken, kBatchTime);
  }

  /// A worker that is slow gets fewer cases at once, one that is fast more.
  void adapt(size_t calls, Seconds taken) {
    const Seconds slow{hello_.pace};
    if (taken > slow) at_once_ = std::max<size_t>(calls / 2, 1);
    if (taken < slow / 2 && calls >= at_once_) at_once_ *= 2;
    at_once_ = std::min(at_once_, hello_.batch);
  }

  /// Adds the outcomes of the first calls, as far as there are answers; how
  /// many these are.
  size_t append(const Batch& batch, std::span<const Call> calls,
                const std::vector<Answer>& answers,
                std::vector<Outcome>& outcomes) const {
    auto answer = answers.begin();
    for (size_t i = 0; i < batch.refusals.size(); ++i) {
      if (batch.refusals[i]) {
        outcomes.emplace_back(*batch.refusals[i]);
        continue;
      }
      if (answer == answers.end()) return i;
      outcomes.push_back(
          process::to_outcome(*answer++, *calls[i].module, hello_));
    }
    return batch.refusals.size();
  }

  /// Ends the worker; the failure that it was, with so many cases in a frame.
  Failure end(const BadWorker& bad, size_t cases) {
    std::string message = fmt::format("the worker {}", bad.what());
    if (cases > 1) message = fmt::format("with {} cases, {}", cases, message);
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
  bool takes_batches_ = true;  // until it fails where each case alone does not
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

std::optional<Introduction> introduction(Backend& backend) {
  auto* const process = dynamic_cast<ProcessBackend*>(&backend);
  if (process == nullptr) return std::nullopt;
  return process->introduce();
}

}  // namespace hlo
