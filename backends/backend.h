#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "interpreter/model/buffer.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo {

/// Why a backend returned no values.
struct Failure {
  enum class Kind {
    kRejected,     // the program violates `rule`
    kUnsupported,  // valid, but this backend cannot run it
    kWrongShape,   // a result of another shape, layout or size
    kError,        // anything else: no memory, a broken invariant
    kCrashed,      // it threw or died instead of answering
  };
  Kind kind = Kind::kError;
  std::string rule;  // of kRejected
  std::string message;
};

/// The leaves of the result (arrays, left to right), in the layouts that the
/// program asks for, of one device after the other; or why there are none.
using Outcome = std::variant<std::vector<Buffer>, Failure>;

/// What `run` gets.
struct Call {
  const Module* module = nullptr;
  std::span<const Buffer> arguments;
};

/// A program that a backend has made ready to run.
class Executable {
 public:
  virtual ~Executable() = default;
  /// As Backend::run() of the module that it was made of.
  virtual Outcome run(std::span<const Buffer> arguments) = 0;

  /// How it runs, in lines of text that are the same each time; nothing where
  /// the backend does not tell.
  virtual std::optional<std::string> explanation() const {
    return std::nullopt;
  }

  /// What the last run cost, in lines of text that are the same each time;
  /// nothing where the backend does not count.
  virtual std::optional<std::string> counts() const { return std::nullopt; }
};

/// A machine that is judged. `run` gets a verified module and one buffer for
/// each array leaf of its parameters, in the layouts of the entry computation
/// (default layouts where it has none), with padding poisoned; for a module
/// that runs on several devices, those for all of them or those of one after
/// the other. It must not throw; whoever calls it guards against that all the
/// same.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;

  /// What whoever asked for it should know, in one line: the machine that it
  /// has found. "" where there is nothing.
  virtual std::string remark() const { return ""; }

  virtual Outcome run(const Module& module,
                      std::span<const Buffer> arguments) = 0;

  /// Does the part of run() that needs no arguments. Null where that is not
  /// apart from the rest. The backend and the module outlive what it returns;
  /// it may throw what run() may.
  virtual std::unique_ptr<Executable> compile(const Module& /*module*/) {
    return nullptr;
  }

  /// What it says that it can do, and cannot, for waivers
  /// (spec/conformance.md): "devices", "no-f64". It may start what answers;
  /// Error "usage.backend" where that does not start.
  virtual std::vector<std::string> tags() { return {}; }

  /// How many calls it takes at once, for now.
  virtual size_t most_at_once() const { return 1; }

  /// What `run` would return for each of the calls.
  virtual std::vector<Outcome> run_all(std::span<const Call> calls);
};

/// The backend's answer; what it throws becomes a Failure.
Outcome guarded_run(Backend& backend, const Module& module,
                    std::span<const Buffer> arguments) noexcept;
Outcome guarded_run(Executable& executable,
                    std::span<const Buffer> arguments) noexcept;
/// What compile() returns, or the failure that it throws.
std::variant<std::unique_ptr<Executable>, Failure> guarded_compile(
    Backend& backend, const Module& module) noexcept;
/// What explanation() returns, or the failure that it throws.
std::variant<std::optional<std::string>, Failure> guarded_explanation(
    const Executable& executable) noexcept;
/// What counts() returns, or the failure that it throws.
std::variant<std::optional<std::string>, Failure> guarded_counts(
    const Executable& executable) noexcept;
/// The backend's answers to several calls, one each, of what throws, too.
std::vector<Outcome> guarded_run_all(Backend& backend,
                                     std::span<const Call> calls) noexcept;
/// The failure that a program's error stands for: an operation that cannot be
/// evaluated is unsupported, what takes too much work or memory an error,
/// anything else is rejected by its rule.
Failure to_failure(const Error& error);

/// The shapes, layouts included, of the leaves of one device's parameters and
/// of the results of all devices as `run` gets and returns them. Tokens are no
/// leaves here.
std::vector<Shape> argument_shapes(const Module& module);
std::vector<Shape> result_shapes(const Module& module);
/// The parameters' literals whose array leaves are `leaves`, in order. Error
/// "evaluate.arguments" where they do not fit.
std::vector<Literal> assemble_arguments(const Module& module,
                                        std::span<const Literal> leaves);
/// One such list for all devices, or one for each where there are as many
/// leaves.
std::vector<std::vector<Literal>> device_arguments(
    const Module& module, std::span<const Literal> leaves);
/// The array leaves of a literal, or of several.
std::vector<Literal> array_leaves(const Literal& literal);
std::vector<Literal> array_leaves(std::span<const Literal> literals);

}  // namespace hlo
