#include "conformance/judge/prepared_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>
#include <variant>

#include "conformance/case/case_program.h"
#include "conformance/expect/expect_module.h"
#include "conformance/judge/derived_sets.h"
#include "conformance/levels/level.h"
#include "conformance/literals/raw_memory.h"
#include "interpreter/arithmetic_state.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/model/buffer.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/rules/sizes/sizes.h"

namespace hlo::conformance {
namespace {

Failure failure(Failure::Kind kind, std::string message) {
  return {.kind = kind, .rule = {}, .message = std::move(message)};
}

Layout layout_of(const Shape& shape) {
  return shape.layout ? *shape.layout : default_layout(shape.rank());
}

/// Why the buffer is not one of that shape; empty where it is.
std::string misfit(const Buffer& buffer, const Shape& asked) {
  if (!compatible(buffer.shape, asked, /*ignore_dynamic=*/true) ||
      layout_of(buffer.shape) != layout_of(asked)) {
    return fmt::format("a result {} instead of {}", to_string(buffer.shape),
                       to_string(asked));
  }
  const int64_t bytes = buffer_bytes(asked);
  if (static_cast<int64_t>(buffer.bytes.size()) != bytes) {
    return fmt::format("a result of {} instead of {}",
                       counted(std::ssize(buffer.bytes), "byte"), bytes);
  }
  return {};
}

/// What is in the buffer. It has dynamic dimensions where the buffer tells
/// their sizes, and none where that has no room for them.
Literal literal_in(const Buffer& buffer) {
  Literal literal = load(buffer);
  if (has_room_for_sizes(buffer.shape)) return literal;
  Shape shape = literal.shape();
  shape.dynamic.clear();
  return literal.with_shape(shape);
}

Observation load_result(const Module& module,
                        const std::vector<Buffer>& buffers) {
  const std::vector<Shape> asked = result_shapes(module);
  if (buffers.size() != asked.size()) {
    return failure(Failure::Kind::kWrongShape,
                   fmt::format("{} instead of {}",
                               counted(std::ssize(buffers), "leaf", "leaves"),
                               asked.size()));
  }
  std::vector<Literal> leaves;
  leaves.reserve(buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    const std::string problem = misfit(buffers[i], asked[i]);
    if (!problem.empty()) {
      return failure(Failure::Kind::kWrongShape, problem);
    }
    leaves.push_back(literal_in(buffers[i]));
  }
  return leaves;
}

bool must_be_rejected(const Case& c) {
  return c.expect.size() == 1 &&
         std::holds_alternative<RejectedSet>(c.expect.front());
}

/// The strictest level under which the result conforms; each with the axes of
/// the profile, but for those that the level sets itself.
std::optional<int> strictest_level(const Case& c, const Module& module,
                                   const Observation& observation,
                                   const Profile& asked) {
  for (const Level& level : all_levels()) {
    Profile profile = asked;
    profile.level = level.name;
    if (level.profile != Profile{.level = level.name}) profile = level.profile;
    const Judgement judgement = judge_observed(c, module, observation, profile);
    if (judgement.verdict == Verdict::kUnjudged) return std::nullopt;
    if (judgement.verdict == Verdict::kConforms) return level.rank;
  }
  return static_cast<int>(all_levels().size());
}

Judgement judge_observation(const Case& c, const PreparedCase& prepared,
                            const Observation& observation, Backend& backend,
                            const Judging& judging) {
  const Module& module = *prepared.module;
  Judgement judgement = judge_observed(c, module, observation, judging.profile);
  const bool has_values =
      std::holds_alternative<std::vector<Literal>>(observation) &&
      !must_be_rejected(c);
  if (judging.levels && has_values) {
    judgement.closeness.level =
        strictest_level(c, module, observation, judging.profile);
  }
  if (is_failure(judgement.verdict) || is_broken(judgement.verdict)) {
    const Observation again =
        observed(module, guarded_run(backend, module, prepared.arguments));
    if (!same_outcome(observation, again)) {
      judgement.again =
          judge_observed(c, module, again, judging.profile).verdict;
    }
  }
  return judgement;
}

/// Makes a result that conforms differ where its memory is not right.
void judge_memory(const Outcome& outcome, Judgement& judgement) {
  const auto* buffers = std::get_if<std::vector<Buffer>>(&outcome);
  if (buffers == nullptr || judgement.verdict != Verdict::kConforms) return;
  for (size_t k = 0; k < buffers->size(); ++k) {
    if (const auto difference = raw_difference((*buffers)[k])) {
      judgement.verdict = Verdict::kDiffers;
      judgement.message = fmt::format("result {}: {}", k, *difference);
      return;
    }
  }
}

/// Judges that the verifier refuses the program, which no backend is asked
/// about: where that is wrong, with the place.
Judgement judge_refusal(const Case& c, const Error& error) {
  Failure refusal = to_failure(error);
  Judgement judgement = judge(c.expect, refusal);
  if (judgement.verdict == Verdict::kRejectedRightly) {
    judgement.verdict = Verdict::kRefused;
    return judgement;
  }
  refusal.message = program_message(c, error);
  return judge(c.expect, refusal);
}

/// The last resort: what the harness itself could not do.
template <typename Body>
Judgement guarded(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    return broken(Verdict::kError,
                  fmt::format("{}: {}", error.rule(), error.message()));
  } catch (const std::bad_alloc&) {
    return broken(Verdict::kError, "there is not enough memory");
  } catch (const std::exception& error) {
    return broken(Verdict::kError, error.what());
  }
}

/// Whether they have the same elements, of those that exist at run time.
bool same_elements(const Literal& a, const Literal& b) {
  if (is_sized(a) || is_sized(b)) return identical(cut(a), cut(b));
  return identical(a, b);
}

}  // namespace

std::vector<Buffer> stored(const Module& module,
                           std::span<const Literal> leaves) {
  const std::vector<Shape> shapes = argument_shapes(module);
  std::vector<Buffer> arguments;
  arguments.reserve(leaves.size());
  for (size_t i = 0; i < leaves.size(); ++i) {
    arguments.push_back(store(leaves[i], shapes.at(i % shapes.size())));
  }
  return arguments;
}

Observation observed(const Module& module, const Outcome& outcome) {
  if (const auto* buffers = std::get_if<std::vector<Buffer>>(&outcome)) {
    return load_result(module, *buffers);
  }
  return std::get<Failure>(outcome);
}

bool same_outcome(const Observation& first, const Observation& second) {
  const auto* failed = std::get_if<Failure>(&first);
  const auto* failed_again = std::get_if<Failure>(&second);
  if (failed != nullptr && failed_again != nullptr) {
    return failed->kind == failed_again->kind &&
           failed->rule == failed_again->rule;
  }
  if (failed != nullptr || failed_again != nullptr) return false;
  return std::ranges::equal(std::get<std::vector<Literal>>(first),
                            std::get<std::vector<Literal>>(second),
                            same_elements);
}

Judgement broken(Verdict verdict, std::string message) {
  Judgement judgement;
  judgement.verdict = verdict;
  judgement.message = std::move(message);
  return judgement;
}

PreparedCase prepare(const Case& c) {
  const ReferenceArithmetic arithmetic;
  PreparedCase prepared;
  prepared.judgement = guarded([&] {
    try {
      prepared.module = case_module(c);
    } catch (const Error& error) {
      return judge_refusal(c, error);
    }
    device_arguments(*prepared.module, c.inputs);  // throws if they do not fit
    prepared.arguments = stored(*prepared.module, c.inputs);
    prepared.is_ready = true;
    return Judgement();
  });
  return prepared;
}

Judgement judge_observed(const Case& c, const Module& module,
                         const Observation& observation,
                         const Profile& profile) {
  const auto* leaves = std::get_if<std::vector<Literal>>(&observation);
  const bool stated =
      !c.derive_sets && !c.asks_reference && profile == Profile();
  if (leaves == nullptr || stated || must_be_rejected(c)) {
    return judge(c.expect, observation);
  }
  return judge(derived_sets(c, module, *leaves, profile), observation);
}

Judgement judge_outcome(const Case& c, const PreparedCase& prepared,
                        const Outcome& outcome, Backend& backend,
                        const Judging& judging) {
  const ReferenceArithmetic arithmetic;
  return guarded([&] {
    Judgement judgement = judge_observation(
        c, prepared, observed(*prepared.module, outcome), backend, judging);
    if (judging.raw) judge_memory(outcome, judgement);
    return judgement;
  });
}

Observation observe(Backend& backend, const Module& module,
                    std::span<const Literal> leaves) {
  return observed(module, guarded_run(backend, module, stored(module, leaves)));
}

}  // namespace hlo::conformance
