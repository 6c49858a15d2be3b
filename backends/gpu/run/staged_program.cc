#include "backends/gpu/run/staged_program.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "backends/cpu/arrays/literals.h"
#include "backends/cpu/devices/device_grid.h"
#include "backends/cpu/devices/host_queues.h"
#include "backends/cpu/functions/sequences/scan_functions.h"
#include "backends/cpu/sizes/sized_instruction.h"
#include "backends/gpu/operations/custom_call_operations.h"
#include "backends/gpu/run/evaluate_program.h"
#include "backends/gpu/run/group_combination.h"
#include "backends/gpu/run/host_functions.h"
#include "backends/gpu/run/staged_values.h"
#include "interpreter/rules/op.h"

namespace hlo::gpu {
namespace {

/// The value of what hands on its operands, with their sizes; nothing where the
/// instruction does more.
std::optional<cpu::Array> handed_on(const Instruction& instruction,
                                    cpu::Operands operands) {
  switch (instruction.op->form) {
    case Form::kIdentity:
      if (operands[0]->shape.element_type != instruction.shape.element_type) {
        return std::nullopt;
      }
      return *operands[0];
    case Form::kTuple: {
      std::vector<cpu::Array> elements;
      for (const cpu::Array* operand : operands) elements.push_back(*operand);
      return cpu::tuple_of(std::move(elements));
    }
    case Form::kElement:
      return operands[0]->elements.at(
          static_cast<size_t>(instruction.get<int64_t>("index")));
    case Form::kForeign:
      if (!is_marker(instruction)) return std::nullopt;
      return *operands[0];
    default:
      return std::nullopt;
  }
}

/// The instruction on all elements of the bounds.
cpu::Array run_whole(Memory& memory, const Instruction& instruction,
                     cpu::Operands operands) {
  if (auto same = handed_on(instruction, operands)) return *std::move(same);
  const cpu::Function host = host_function(instruction);
  if (host != nullptr) return host(instruction, operands);
  const Uploads uploads(memory, operands);
  Instruction whole = instruction;
  whole.shape = without_sizes(instruction.shape);
  cpu::Array result = downloaded(
      memory, evaluate(memory, whole, uploads.places()), instruction.shape);
  if (instruction.op->form == Form::kIdentity) {
    result.sizes = operands[0]->sizes;
  }
  return result;
}

cpu::EngineCalls calls_of(Memory& memory);

/// A scan of slices that may have fewer elements than their bounds, step by
/// step.
cpu::Array run_scan(Memory& memory, const Instruction& scan,
                    cpu::Operands operands) {
  const cpu::Run body = [&memory](const Computation& computation,
                                  cpu::Operands arguments) {
    std::vector<cpu::DeviceWork> work;
    work.push_back({&computation, {}});
    for (const cpu::Array* argument : arguments) {
      work.back().arguments.push_back(*argument);
    }
    return cpu::run_grid(Grid{}, std::move(work), {}, calls_of(memory)).at(0);
  };
  return cpu::scan_functions().at(0).second(scan, operands, body);
}

cpu::Array run_one(Memory& memory, const Instruction& instruction,
                   cpu::Operands operands) {
  const bool is_sized = std::ranges::any_of(
      operands, [](const cpu::Array* array) { return cpu::has_sizes(*array); });
  if (is_sized && instruction.op->form == Form::kScan) {
    return run_scan(memory, instruction, operands);
  }
  const auto whole = [&memory](const Instruction& own, cpu::Operands values) {
    return run_whole(memory, own, values);
  };
  return cpu::is_sized(operands)
             ? cpu::run_at_sizes(instruction, operands, whole)
             : run_whole(memory, instruction, operands);
}

cpu::Array run_region(Memory& memory, const Computation& computation,
                      cpu::Operands operands) {
  const Uploads uploads(memory, operands);
  return downloaded(memory, evaluate(memory, computation, uploads.places()),
                    computation.root->shape);
}

cpu::EngineCalls calls_of(Memory& memory) {
  return {.run_one =
              [&memory](const Instruction& instruction, cpu::Operands values) {
                return run_one(memory, instruction, values);
              },
          .run =
              [&memory](const Computation& region, cpu::Operands values) {
                return run_region(memory, region, values);
              },
          .combine =
              [&memory](const Computation& combiner,
                        const std::vector<const cpu::Array*>& arrays) {
                return combined(memory, combiner, arrays);
              }};
}

}  // namespace

bool needs_stages(const Module& module) {
  if (cpu::needs_machine(module)) return true;
  return std::ranges::any_of(module.computations, [](const auto& computation) {
    return std::ranges::any_of(
        computation->instructions, [](const auto& instruction) {
          return instruction->shape.has_dynamic_dimensions();
        });
  });
}

std::vector<Literal> run_stages(
    Memory& memory, const Module& module,
    const std::vector<std::vector<Literal>>& arguments, const HostSide& host) {
  const Grid grid = cpu::grid_of(module);
  std::vector<cpu::DeviceWork> work;
  for (int64_t device = 0; device < grid.count(); ++device) {
    const size_t list = arguments.size() == 1 ? 0 : static_cast<size_t>(device);
    work.push_back({module.entry, {}});
    for (const Literal& argument : arguments.at(list)) {
      work.back().arguments.push_back(cpu::array_of(argument));
    }
  }
  std::vector<Literal> results;
  try {
    const std::vector<cpu::Array> ran = cpu::run_grid(
        grid, std::move(work), cpu::queues_of(host), calls_of(memory));
    for (const cpu::Array& result : ran) {
      results.push_back(cpu::literal_of(result));
    }
  } catch (const cpu::Unsupported& unsupported) {
    throw Unsupported(unsupported.what());
  }
  return results;
}

}  // namespace hlo::gpu
