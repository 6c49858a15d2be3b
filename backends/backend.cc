#include "backends/backend.h"

#include <exception>
#include <new>

#include "interpreter/arithmetic_state.h"
#include "interpreter/devices/devices.h"
#include "interpreter/error.h"

namespace hlo {
namespace {

void append_arrays(const Shape& shape, std::vector<Shape>& arrays) {
  for (const Shape* leaf : leaves(shape)) {
    if (leaf->is_array()) arrays.push_back(*leaf);
  }
}

/// The literal of that shape made of the next leaves.
Literal assemble(const Shape& shape, std::span<const Literal>& leaves) {
  if (shape.is_tuple()) {
    std::vector<Literal> elements;
    elements.reserve(shape.tuple_shapes.size());
    for (const Shape& element : shape.tuple_shapes) {
      elements.push_back(assemble(element, leaves));
    }
    return Literal::tuple(std::move(elements));
  }
  if (!shape.is_array()) return Literal(shape);
  require_evaluable(!leaves.empty(), "evaluate.arguments",
                    {"there is no literal for an array of shape ", shape},
                    "there must be one for each array of the parameters");
  const Literal& leaf = leaves.front();
  require_evaluable(
      compatible(leaf.shape(), shape, /*ignore_dynamic=*/true),
      "evaluate.arguments",
      {"the argument is ", leaf.shape(), " and the parameter ", shape},
      "they must have one shape");
  leaves = leaves.subspan(1);
  return leaf;
}

Failure failure(Failure::Kind kind, std::string message) {
  return {.kind = kind, .rule = {}, .message = std::move(message)};
}

/// What code of the backend returns, or the Failure of what it throws.
template <typename Result, typename Body>
Result guarded(const Body& body) noexcept {
  const ReferenceArithmetic arithmetic;
  const ForeignCode foreign("the backend", {});
  try {
    return body();
  } catch (const Error& error) {
    return to_failure(error);
  } catch (const std::bad_alloc&) {
    return failure(Failure::Kind::kError, "there is not enough memory");
  } catch (const std::exception& error) {
    return failure(Failure::Kind::kCrashed,
                   std::string("the backend threw: ") + error.what());
  } catch (...) {
    return failure(Failure::Kind::kCrashed, "the backend threw");
  }
}

}  // namespace

Failure to_failure(const Error& error) {
  if (error.rule() == "evaluate.undefined") {
    return failure(Failure::Kind::kUnsupported, error.message());
  }
  if (error.rule() == "evaluate.work" || error.rule() == "evaluate.memory" ||
      error.rule() == "literal.buffer") {
    return failure(Failure::Kind::kError, error.message());
  }
  return {.kind = Failure::Kind::kRejected,
          .rule = error.rule(),
          .message = error.message()};
}

Outcome guarded_run(Backend& backend, const Module& module,
                    std::span<const Buffer> arguments) noexcept {
  return guarded<Outcome>([&] { return backend.run(module, arguments); });
}

Outcome guarded_run(Executable& executable,
                    std::span<const Buffer> arguments) noexcept {
  return guarded<Outcome>([&] { return executable.run(arguments); });
}

std::variant<std::unique_ptr<Executable>, Failure> guarded_compile(
    Backend& backend, const Module& module) noexcept {
  return guarded<std::variant<std::unique_ptr<Executable>, Failure>>(
      [&] { return backend.compile(module); });
}

std::variant<std::optional<std::string>, Failure> guarded_explanation(
    const Executable& executable) noexcept {
  return guarded<std::variant<std::optional<std::string>, Failure>>(
      [&] { return executable.explanation(); });
}

std::variant<std::optional<std::string>, Failure> guarded_counts(
    const Executable& executable) noexcept {
  return guarded<std::variant<std::optional<std::string>, Failure>>(
      [&] { return executable.counts(); });
}

std::vector<Outcome> Backend::run_all(std::span<const Call> calls) {
  std::vector<Outcome> outcomes;
  for (const Call& call : calls) {
    outcomes.push_back(guarded_run(*this, *call.module, call.arguments));
  }
  return outcomes;
}

std::vector<Outcome> guarded_run_all(Backend& backend,
                                     std::span<const Call> calls) noexcept {
  const ReferenceArithmetic arithmetic;
  if (calls.size() > 1) {
    const ForeignCode foreign("the backend", {});
    try {
      std::vector<Outcome> outcomes = backend.run_all(calls);
      if (outcomes.size() == calls.size()) return outcomes;
    } catch (...) {  // one of them is at fault; alone it is found
    }
  }
  return backend.Backend::run_all(calls);
}

std::vector<Shape> argument_shapes(const Module& module) {
  std::vector<Shape> shapes;
  if (module.entry_layout) {
    for (const Shape& shape : module.entry_layout->parameters) {
      append_arrays(shape, shapes);
    }
    return shapes;
  }
  for (const Instruction* parameter : module.entry->parameters) {
    append_arrays(parameter->shape, shapes);
  }
  return shapes;
}

std::vector<Shape> result_shapes(const Module& module) {
  std::vector<Shape> shapes;
  const Shape& result = module.entry_layout ? module.entry_layout->result
                                            : module.entry->root->shape;
  const int64_t devices = device_count(module);
  append_arrays(result, shapes);
  constexpr int64_t kMostLeaves = int64_t{1} << 22;
  require_evaluable(
      devices <= kMostDevices && devices * std::ssize(shapes) <= kMostLeaves,
      "evaluate.devices",
      {"the program runs on ", Count{devices, "device"}, " with ",
       Count{std::ssize(shapes), "result"}, " each"},
      "it can run on at most 65536 devices, with 2^22 results");
  const std::vector<Shape> each = shapes;
  for (int64_t i = 1; i < devices; ++i) {
    shapes.insert(shapes.end(), each.begin(), each.end());
  }
  return shapes;
}

std::vector<Literal> assemble_arguments(const Module& module,
                                        std::span<const Literal> leaves) {
  std::vector<Literal> arguments;
  arguments.reserve(module.entry->parameters.size());
  for (const Instruction* parameter : module.entry->parameters) {
    arguments.push_back(assemble(parameter->shape, leaves));
  }
  require_evaluable(leaves.empty(), "evaluate.arguments",
                    {"there are more literals than arrays of parameters, by ",
                     std::ssize(leaves)},
                    "they must be as many");
  return arguments;
}

std::vector<std::vector<Literal>> device_arguments(
    const Module& module, std::span<const Literal> leaves) {
  const size_t each = argument_shapes(module).size();
  const auto devices = static_cast<size_t>(device_count(module));
  std::vector<std::vector<Literal>> lists;
  if (each == 0 || leaves.size() != each * devices) {
    lists.push_back(assemble_arguments(module, leaves));
    return lists;
  }
  for (size_t i = 0; i < devices; ++i) {
    lists.push_back(assemble_arguments(module, leaves.subspan(i * each, each)));
  }
  return lists;
}

std::vector<Literal> array_leaves(std::span<const Literal> literals) {
  std::vector<Literal> arrays;
  for (const Literal& literal : literals) {
    for (Literal& leaf : array_leaves(literal)) {
      arrays.push_back(std::move(leaf));
    }
  }
  return arrays;
}

std::vector<Literal> array_leaves(const Literal& literal) {
  std::vector<Literal> arrays;
  for (const Literal* leaf : leaves(literal)) {
    if (leaf->shape().is_array()) arrays.push_back(*leaf);
  }
  return arrays;
}

}  // namespace hlo
