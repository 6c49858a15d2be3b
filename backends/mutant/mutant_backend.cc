#include "backends/mutant/mutant_backend.h"

#include <algorithm>
#include <array>
#include <deque>
#include <unordered_set>

#include "backends/interpreter/interpreter_backend.h"
#include "backends/mutant/linear_mutants.h"
#include "backends/mutant/movement_mutants.h"
#include "backends/mutant/mutant.h"
#include "backends/mutant/number_mutants.h"
#include "interpreter/devices/devices.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/model/buffer.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/clone.h"

namespace hlo {
namespace {

constexpr std::string_view kSwapLayout = "swap-layout";
constexpr std::string_view kReadPadding = "read-padding";
constexpr std::string_view kNextCode = "next-code";

constexpr std::array kBufferMutants = {
    Mutant{kNextCode, "all floats that come out are a code too far from zero",
           ""},
    Mutant{kSwapLayout, "results are stored in the opposite order", ""},
    Mutant{kReadPadding, "tiles of operands are taken for dense arrays", ""},
};

std::vector<Mutant> all_mutants() {
  std::vector<Mutant> all(kBufferMutants.begin(), kBufferMutants.end());
  for (const auto& some :
       {number_mutants(), movement_mutants(), linear_mutants()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  std::ranges::sort(all, {}, &Mutant::name);
  return all;
}

bool applies(const Mutant& mutant, std::string_view operation) {
  const std::string list = " " + std::string(mutant.operations) + " ";
  return list.find(" " + std::string(operation) + " ") != std::string::npos;
}

/// The operands' buffers as a reader sees them that knows no tiles.
std::vector<Buffer> without_tiles(std::span<const Buffer> buffers) {
  std::vector<Buffer> result(buffers.begin(), buffers.end());
  for (Buffer& buffer : result) {
    if (!buffer.shape.layout) continue;
    Shape dense = buffer.shape;
    dense.layout->tiles.clear();
    dense.layout->tail_padding_alignment_in_elements = 1;
    buffer.bytes.resize(static_cast<size_t>(buffer_bytes(dense)));
    buffer.shape = dense;
  }
  return result;
}

/// The results' buffers with their elements in the opposite order of
/// dimensions, where that takes as many bytes.
std::vector<Buffer> in_opposite_order(std::vector<Buffer> buffers) {
  for (Buffer& buffer : buffers) {
    Shape swapped = buffer.shape;
    if (!swapped.layout) swapped.layout = default_layout(swapped.rank());
    std::ranges::reverse(swapped.layout->minor_to_major);
    Buffer opposite = store(load(buffer), swapped);
    if (opposite.bytes.size() != buffer.bytes.size()) continue;
    buffer.bytes = std::move(opposite.bytes);
  }
  return buffers;
}

/// The code that follows a finite number of the same sign; zeros and largest
/// numbers stay.
uint64_t next_code(uint64_t code, const numeric::FloatFormat& format) {
  const auto is_number = [&](uint64_t x) {
    return !numeric::is_nan(x, format) && !numeric::is_infinity(x, format);
  };
  const uint64_t sign = format.sign_mask();
  const uint64_t next = code + 1;
  const bool is_zero = sign != 0 && (code & ~sign) == 0;
  const bool stays = is_zero || ((code ^ next) & sign) != 0 ||
                     !is_number(code) || !is_number(next);
  return stays ? code : next;
}

/// The results' buffers, each finite float one code further from zero.
std::vector<Buffer> one_code_further(std::vector<Buffer> buffers) {
  for (Buffer& buffer : buffers) {
    const ElementType type = component_type(buffer.shape.element_type);
    if (!is_float(type)) continue;
    Literal array = load(buffer);
    for (int64_t i = 0; i < array.element_count(); ++i) {
      Scalar element = array.at(i);
      const size_t parts = is_complex(element.type) ? 2 : 1;
      for (size_t part = 0; part < parts; ++part) {
        uint64_t& code = element.bits.at(part);
        code = next_code(code, numeric::format(type));
      }
      array.set(i, element);
    }
    buffer = store(array, buffer.shape);
  }
  return buffers;
}

class MutantBackend : public Backend {
 public:
  explicit MutantBackend(const Mutant& mutant) : mutant_(mutant) {}

  std::string name() const override {
    return "mutant:" + std::string(mutant_.name);
  }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    try {
      return mutated_run(module, arguments);
    } catch (const Error& error) {
      return to_failure(error);
    }
  }

 private:
  std::vector<Buffer> mutated_run(const Module& module,
                                  std::span<const Buffer> arguments) {
    ops_.clear();
    const Module mutated = clone(module);
    for (Computation* run : run_as_a_whole(*mutated.entry)) infect(*run);
    const std::vector<Buffer> buffers =
        mutant_.name == kReadPadding
            ? without_tiles(arguments)
            : std::vector<Buffer>(arguments.begin(), arguments.end());
    const GridResult run =
        evaluate_devices(mutated, load_arguments(module, buffers));
    std::vector<Buffer> results = store_results(module, run.results);
    if (mutant_.name == kSwapLayout) {
      return in_opposite_order(std::move(results));
    }
    return mutant_.name == kNextCode ? one_code_further(std::move(results))
                                     : results;
  }

  /// The computation and all that it runs as a whole, not for each element.
  static Computations run_as_a_whole(Computation& entry) {
    Computations found = {&entry};
    std::unordered_set<const Computation*> seen = {&entry};
    for (size_t i = 0; i < found.size(); ++i) {
      for (const auto& instruction : found[i]->instructions) {
        if (instruction->op->control == nullptr) continue;
        for (Computation* called : called_by(*instruction)) {
          if (seen.insert(called).second) found.push_back(called);
        }
      }
    }
    return found;
  }

  /// Gives the instructions the mutant's operations.
  void infect(Computation& computation) {
    for (const auto& instruction : computation.instructions) {
      if (applies(mutant_, instruction->op->name)) {
        instruction->op = mutated_op(*instruction->op);
      }
    }
  }

  const Op* mutated_op(const Op& op) {
    ops_.push_back({.name = op.name,
                    .min_operands = op.min_operands,
                    .max_operands = op.max_operands,
                    .attributes = op.attributes,
                    .infer = op.infer,
                    .value = mutant_.apply,
                    .accuracy = op.accuracy,
                    .is_determined = op.is_determined,
                    .fit = op.fit,
                    .takes_sizes = op.takes_sizes || op.element != nullptr});
    return &ops_.back();
  }

  Mutant mutant_;
  std::deque<Op> ops_;  // outlive the modules that point to them
};

}  // namespace

std::unique_ptr<Backend> make_mutant_backend(std::string_view name) {
  for (const Mutant& mutant : all_mutants()) {
    if (mutant.name == name) return std::make_unique<MutantBackend>(mutant);
  }
  return nullptr;
}

std::vector<std::string> known_mutants() {
  std::vector<std::string> names;
  for (const Mutant& mutant : all_mutants()) names.emplace_back(mutant.name);
  return names;
}

std::string_view describe_mutant(std::string_view name) {
  for (const Mutant& mutant : all_mutants()) {
    if (mutant.name == name) return mutant.fault;
  }
  return {};
}

}  // namespace hlo
