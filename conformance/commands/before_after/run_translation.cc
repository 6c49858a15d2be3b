#include "conformance/commands/before_after/run_translation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "conformance/case/file_error.h"
#include "conformance/commands/before_after/translation_waivers.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/progress.h"
#include "conformance/files/standard_output.h"
#include "conformance/levels/profile_text.h"
#include "conformance/literals/inputs.h"
#include "conformance/report/exit_code.h"
#include "conformance/translation/dump_folder.h"
#include "conformance/translation/elided.h"
#include "conformance/translation/judge_translation.h"
#include "conformance/translation/xla_calls.h"
#include "interpreter/counted.h"
#include "interpreter/shortened.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

using Verdict = Translation::Verdict;

/// What compilers take the liberty to do: quotients as products with the
/// reciprocal, sums with zero left out, fused products, wider intermediate
/// results.
constexpr std::string_view kCompilers =
    "opencl-full,zero-sign=lax,contraction=fma,excess-precision=allowed";

/// The text of an instruction on one line of bearable length.
std::string shown(const Instruction& instruction) {
  constexpr size_t kMostText = 300;
  return shortened(text::print(instruction), kMostText);
}

/// The seed of "random:SEED"; nothing without an option.
std::optional<uint64_t> seed_of(const std::string& elided) {
  constexpr std::string_view kRandom = "random:";
  if (elided.empty()) return {};
  uint64_t seed = 0;
  const char* end = elided.data() + elided.size();
  const char* begin = elided.data() + std::min(kRandom.size(), elided.size());
  const auto [next, error] = std::from_chars(begin, end, seed);
  if (!elided.starts_with(kRandom) || error != std::errc() || next != end) {
    throw Error(Phase::kEvaluate, "input.seed",
                "--elided is " + shortened(elided) +
                    ", but must be random:SEED, a number below 2^64");
  }
  return seed;
}

/// Two programs and their values.
class Pair {
 public:
  Pair(const CompareOptions& options, std::string before, std::string after)
      : options_(options),
        before_file_(std::move(before)),
        after_file_(std::move(after)),
        before_(read(before_file_)),
        after_(read(after_file_)) {
    if (const auto seed = seed_of(options.elided)) {
      drawn_ = draw_elided(before_, after_, *seed);
    }
    judging_ = {.profile = parse_profile(
                    options.profile.empty() ? kCompilers : options.profile),
                .max_work = options.max_work};
    if (!options.inputs.empty()) {
      inputs_.push_back(make_inputs(before_, options.inputs));
    } else {
      for (const char* draw : {"random:1", "random:2"}) {
        inputs_.push_back(draw_inputs(draw));
        if (before_.entry->parameters.empty()) break;
      }
    }
  }

  /// By the first inputs with which the results differ, else by the first.
  const Translation& judge() {
    for (const std::vector<Literal>& inputs : inputs_) {
      Translation found = judge_translation(before_, after_, inputs, judging_);
      const bool differs = found.verdict == Verdict::kDiffers;
      if (!translation_ || differs) translation_ = std::move(found);
      if (!differs) continue;
      differing_ = &inputs;
      break;
    }
    return *translation_;
  }

  /// Says where the two part; `from` is the program that led to the one after,
  /// where that is known.
  void tell_where(Pair* from) {
    const Module& before = from == nullptr ? before_ : from->after_;
    const auto found = locate_difference(before, after_, *differing_, judging_);
    if (!found && from != nullptr) return tell_where(nullptr);
    if (!found) {
      say("  every instruction agrees with one before\n");
      return;
    }
    say("  the first that no longer agrees:\n");
    tell(after_file_, *found->after);
    if (found->outside) {
      say("    {} {}\n", found->outside->place, found->outside->value);
    }
    if (found->before != nullptr) {
      tell(from == nullptr ? before_file_ : from->after_file_, *found->before);
      say("    {} {}\n", found->outside->place, found->outside->expected);
    }
    if (!found->mend.empty()) {
      say("  with {}, the result lies in its bounds\n", found->mend);
    }
  }

  void tell_drawn() const {
    for (const DrawnConstant& constant : drawn_) {
      say("  %{} = {} is drawn from {}{}\n", constant.name, constant.shape,
          options_.elided, constant.uses == 0 ? ", and not used after" : "");
    }
  }

  const std::string& after_file() const { return after_file_; }

 private:
  static Module read(const std::string& file) {
    const std::string source = read_program(file);
    try {
      Module module = verified_program(source);
      resolve_xla_calls(module);
      return module;
    } catch (const Error& error) {
      throw FileError(error, file, source);
    }
  }

  std::vector<Literal> draw_inputs(const std::string& draw) const {
    if (before_.entry->parameters.empty()) return {};
    return make_inputs(before_, {&draw, 1});
  }

  static void tell(const std::string& file, const Instruction& instruction) {
    say("{}",
        printable(fmt::format("  {}:{}: {}\n", file, instruction.location.line,
                              shown(instruction))));
  }

  const CompareOptions& options_;
  std::string before_file_;
  std::string after_file_;
  Module before_;
  Module after_;
  std::vector<DrawnConstant> drawn_;
  TranslationOptions judging_;
  std::vector<std::vector<Literal>> inputs_;
  std::optional<Translation> translation_;
  const std::vector<Literal>* differing_ = nullptr;
};

void tell(const std::string& name, const Translation& t) {
  const std::string uncertified =
      t.uncertified == 0
          ? ""
          : fmt::format("{} of {} are not the reference's, and not certified: ",
                        t.uncertified, counted(t.elements, "element"));
  switch (t.verdict) {
    case Verdict::kAgrees:
      say("{}", printable(fmt::format("{} agrees: {}\n", name,
                                      counted(t.elements, "element"))));
      return;
    case Verdict::kUnjudged:
      say("{}", printable(fmt::format("{} is not judged: {}{}\n", name,
                                      uncertified, t.reason)));
      return;
    case Verdict::kDiffers:
      say("{}", printable(fmt::format(
                    "{} differs\n  {}{} of leaf {}\n    expected   {}\n"
                    "    actual     {}\n",
                    name, t.outside.place.front() == '{' ? "element " : "",
                    t.outside.place, t.outside.leaf, t.outside.expected,
                    t.outside.value)));
  }
}

int exit_code(Verdict verdict) {
  if (verdict == Verdict::kDiffers) return kDiffers;
  return verdict == Verdict::kAgrees ? kConforms : kNothing;
}

int judge_pair(const CompareOptions& options) {
  TranslationWaivers waivers(options.waiving);
  Pair pair(options, options.before, options.after);
  const Translation& found = pair.judge();
  tell(options.after, found);
  pair.tell_drawn();
  if (found.verdict == Verdict::kDiffers) pair.tell_where(nullptr);
  const bool is_waived = waivers.waives(options.after, found.verdict);
  waivers.tell();
  if (waivers.is_surprised()) return kDiffers;
  return is_waived ? int{kNothing} : exit_code(found.verdict);
}

/// A folder that XLA dumped to.
class Dump {
 public:
  explicit Dump(const CompareOptions& options)
      : options_(options),
        waivers_(options.waiving),
        modules_(modules_of_dump(names_in_folder(options.dump))) {}

  int judge() {
    {
      CountedProgress progress(std::ssize(modules_), "module");
      for (const DumpedModule& module : modules_) {
        const Verdict verdict = judge_one(module);
        if (!waivers_.waives(module.name, verdict)) ++counts_[verdict];
        progress.step();
      }
    }
    const auto count = [&](Verdict verdict) { return counts_[verdict]; };
    waivers_.tell();
    const std::string waived =
        waivers_.waived() > 0 ? fmt::format(", {} waived", waivers_.waived())
                              : std::string();
    say("{} of {} agree, {}, {} not judged{}\n", count(Verdict::kAgrees),
        counted(std::ssize(modules_), "module"),
        counted(count(Verdict::kDiffers), "differs", "differ"),
        count(Verdict::kUnjudged), waived);
    if (count(Verdict::kDiffers) > 0 || waivers_.is_surprised()) {
      return kDiffers;
    }
    return count(Verdict::kAgrees) > 0 ? kConforms : kNothing;
  }

 private:
  std::string path(const std::string& name) const {
    return (std::filesystem::path(options_.dump) / name).string();
  }

  Verdict judge_one(const DumpedModule& module) {
    try {
      Pair pair(options_, path(module.before), path(module.after));
      const Translation found = pair.judge();
      tell(module.name, found);
      pair.tell_drawn();
      if (found.verdict == Verdict::kDiffers) tell_where(module, pair);
      return found.verdict;
    } catch (const Error& error) {
      if (error.rule().starts_with("file.write")) throw;
      tell(module.name, {.reason = error.rule() + ": " + error.message()});
      return Verdict::kUnjudged;
    }
  }

  /// By the pass that led out of the bounds, where the passes are dumped.
  void tell_where(const DumpedModule& module, Pair& whole) {
    std::optional<Pair> last;
    std::optional<Pair> pass;
    for (const std::string& name : module.passes) {
      if (!judge_pass(module, name, pass)) continue;
      if (pass->judge().verdict == Verdict::kDiffers) {
        say("  the first pass after which it does:\n    {}\n", name);
        pass->tell_where(last ? &*last : nullptr);
        return;
      }
      last.reset();
      last.emplace(options_, path(module.before), path(name));
    }
    whole.tell_where(nullptr);
  }

  /// Whether the program that the pass left can be judged.
  bool judge_pass(const DumpedModule& module, const std::string& name,
                  std::optional<Pair>& pass) {
    try {
      pass.reset();
      pass.emplace(options_, path(module.before), path(name));
      return pass->judge().verdict != Verdict::kUnjudged;
    } catch (const Error& error) {
      say("{}", printable(fmt::format("  {} is not judged: {}: {}\n", name,
                                      error.rule(), error.message())));
      return false;
    }
  }

  const CompareOptions& options_;
  TranslationWaivers waivers_;
  std::vector<DumpedModule> modules_;
  std::map<Verdict, int64_t> counts_;
};

}  // namespace

int run_translation(const CompareOptions& options) {
  try {
    return options.dump.empty() ? judge_pair(options) : Dump(options).judge();
  } catch (const Error& error) {
    return report_error(error, options.after, "");
  }
}

}  // namespace hlo::conformance
