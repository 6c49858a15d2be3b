#include "backends/process/process_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

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
  ProcessBackend(std::string_view uri, Settings settings)
      : uri_(uri), settings_(std::move(settings)) {}

  std::string name() const override { return uri_; }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    constexpr int kMostStarts = 3;
    if (failed_starts_ >= kMostStarts) {
      return crashed("the worker could not be started three times in a row");
    }
    try {
      start();
      return ask(module, arguments);
    } catch (const BadWorker& bad) {
      return end(bad);
    } catch (const Error& error) {
      if (error.rule() != "stablehlo.export") throw;
      return Failure{.kind = Failure::Kind::kUnsupported,
                     .rule = {},
                     .message = error.message()};
    }
  }

 private:
  /// There is a worker that has said hello and waits for a case.
  void start() {
    if (worker_ && worker_->is_ready()) return;
    worker_.reset();
    ++failed_starts_;
    worker_.emplace(settings_.command);
    hello_ = process::read_hello(
        worker_->exchange(process::hello_frame(), 0, settings_.startup));
    failed_starts_ = 0;
  }

  Outcome ask(const Module& module, std::span<const Buffer> arguments) {
    const auto request =
        process::make_request(++id_, module, arguments, hello_);
    if (!request) {
      return Failure{.kind = Failure::Kind::kUnsupported,
                     .rule = {},
                     .message =
                         "the worker runs no programs of several "
                         "devices"};
    }
    const process::Frame frame = worker_->exchange(
        process::run_frame({&*request, 1}),
        process::most_answered({&*request, 1}), settings_.timeout);
    const std::vector<Answer> answers = process::read_answers(frame, {&id_, 1});
    return process::to_outcome(answers.front(), module, hello_);
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

  std::string uri_;
  Settings settings_;
  std::optional<process::WorkerProcess> worker_;
  process::Hello hello_;
  int64_t id_ = 0;
  int failed_starts_ = 0;
};

}  // namespace

std::unique_ptr<Backend> make_process_backend(std::string_view uri,
                                              std::string_view name) {
  if (!uri.starts_with(kScheme)) return nullptr;
  auto settings = read_settings(uri.substr(kScheme.size()));
  if (!settings) return nullptr;
  return std::make_unique<ProcessBackend>(name.empty() ? uri : name,
                                          *std::move(settings));
}

}  // namespace hlo
