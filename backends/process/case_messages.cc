#include "backends/process/case_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "interpreter/counted.h"
#include "interpreter/devices/devices.h"
#include "interpreter/error.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/model/index_loops.h"
#include "interpreter/rules/clone.h"
#include "interpreter/shortened.h"
#include "interpreter/stablehlo/export/export.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"

namespace hlo::process {
namespace {

Failure failure(Failure::Kind kind, std::string message) {
  return {.kind = kind, .rule = {}, .message = std::move(message)};
}

Failure unsupported(std::string message) {
  return failure(Failure::Kind::kUnsupported, std::move(message));
}

/// The shape with the layout that the worker has for it.
Shape laid_out(const Shape& shape, const Hello& hello) {
  Shape result = shape;
  for (Shape& element : result.tuple_shapes) element = laid_out(element, hello);
  if (shape.is_array() && (!hello.wants_layouts || !shape.layout)) {
    result.layout = default_layout(shape.rank());
  }
  return result;
}

/// The program with the worker's layouts at its entry.
std::string program_text(const Module& module, const Hello& hello) {
  if (hello.wants_stablehlo) return stablehlo::print(module);
  Module own = clone(module);
  EntryLayout layout;
  for (const Instruction* parameter : module.entry->parameters) {
    layout.parameters.push_back(parameter->shape);
  }
  layout.result = module.entry->root->shape;
  if (module.entry_layout) layout = *module.entry_layout;
  for (Shape& shape : layout.parameters) shape = laid_out(shape, hello);
  layout.result = laid_out(layout.result, hello);
  own.entry_layout = std::move(layout);
  return text::print(own);
}

Part part_of(const Shape& shape, const Hello& hello) {
  const Shape own = laid_out(shape, hello);
  return {.shape = to_string(own, hello.wants_layouts),
          .bytes = static_cast<uint64_t>(buffer_bytes(own))};
}

void append_bytes(std::string& bytes, const Buffer& buffer) {
  bytes.append(reinterpret_cast<const char*>(buffer.bytes.data()),
               buffer.bytes.size());
}

/// Why the result is not an array that was asked for; empty where it is.
std::string misfit(const Part& part, const Part& asked, const Hello& hello) {
  std::string shape;
  try {
    shape = to_string(laid_out(text::parse_shape(part.shape), hello),
                      hello.wants_layouts);
  } catch (const Error&) {
    return fmt::format("a result \"{}\", which is no shape",
                       shortened(part.shape));
  }
  if (shape != asked.shape) {
    return fmt::format("a result {} instead of {}", shortened(part.shape),
                       asked.shape);
  }
  if (part.bytes == asked.bytes) return {};
  return fmt::format("a result of {} instead of the {} of {}",
                     counted(part.bytes, "byte"), asked.bytes, asked.shape);
}

/// The buffer in the layout of `shape`, whose elements keep all bits of the
/// bytes that they had before, where their slots have room.
Buffer moved(const Buffer& dense, const Shape& shape) {
  Buffer result = store(load(dense), shape);
  const int64_t width = storage_bytes(shape.element_type);
  const int64_t bits = shape.layout ? shape.layout->element_size_in_bits : 0;
  if (bits != 0 && bits < width * 8) return result;
  const int64_t slot = bits == 0 ? width : bits / 8;
  const int64_t first =
      shape.layout ? shape.layout->dynamic_shape_metadata_prefix_bytes : 0;
  const std::byte* element = dense.bytes.data();
  for_each_index(shape.dims, [&](const Index& index) {
    std::copy_n(
        element, width,
        result.bytes.data() + first + linear_index(shape, index) * slot);
    element += width;
  });
  return result;
}

/// A worker without layouts has no room for sizes of run time: its result has
/// no dynamic dimensions.
Buffer to_buffer(const std::string& bytes, const Shape& asked,
                 const Hello& hello) {
  Buffer buffer{.shape = laid_out(asked, hello), .bytes = Bytes(bytes.size())};
  for (size_t i = 0; i < bytes.size(); ++i) {
    buffer.bytes[i] = static_cast<std::byte>(bytes[i]);
  }
  if (hello.wants_layouts) return buffer;
  Shape shape = asked;
  shape.dynamic.clear();
  return moved(buffer, shape);
}

Outcome to_buffers(const Answer& answer, const Module& module,
                   const Hello& hello) {
  const std::vector<Shape> asked = result_shapes(module);
  if (answer.results.size() != asked.size()) {
    return failure(
        Failure::Kind::kWrongShape,
        fmt::format("{} instead of {}",
                    counted(std::ssize(answer.results), "leaf", "leaves"),
                    asked.size()));
  }
  std::vector<Buffer> buffers;
  for (size_t i = 0; i < asked.size(); ++i) {
    std::string problem =
        misfit(answer.results[i], part_of(asked[i], hello), hello);
    if (!problem.empty()) {
      return failure(Failure::Kind::kWrongShape, std::move(problem));
    }
    buffers.push_back(to_buffer(answer.bytes[i], asked[i], hello));
  }
  return buffers;
}

Request request_of(int64_t id, const Module& module,
                   std::span<const Buffer> arguments, const Hello& hello) {
  std::vector<Part> inputs;
  std::vector<Part> results;
  std::string bytes;
  for (const Buffer& buffer : arguments) {
    inputs.push_back(part_of(buffer.shape, hello));
    append_bytes(bytes,
                 hello.wants_layouts
                     ? buffer
                     : store(load(buffer), laid_out(buffer.shape, hello)));
  }
  for (const Shape& shape : result_shapes(module)) {
    results.push_back(part_of(shape, hello));
  }
  return to_request(id, program_text(module, hello), inputs, results, bytes);
}

}  // namespace

std::variant<Request, Failure> make_request(int64_t id, const Module& module,
                                            std::span<const Buffer> arguments,
                                            const Hello& hello) {
  if (device_count(module) != 1 && !hello.runs_devices) {
    return unsupported("the worker runs no programs of several devices");
  }
  try {
    Request request = request_of(id, module, arguments, hello);
    if (request.head.size() <= kMostHead && request.body.size() <= kMostBody) {
      return request;
    }
    return unsupported(fmt::format(
        "a header of {} and a body of {} say the case, but may have {} and {}",
        counted(std::ssize(request.head), "byte"),
        counted(std::ssize(request.body), "byte"), kMostHead, kMostBody));
  } catch (const Error& error) {
    if (error.rule() != "stablehlo.export") throw;
    return unsupported(error.message());
  }
}

Outcome to_outcome(const Answer& answer, const Module& module,
                   const Hello& hello) {
  switch (answer.kind) {
    case Answer::Kind::kResults:
      return to_buffers(answer, module, hello);
    case Answer::Kind::kUnsupported:
      return unsupported(answer.message);
    case Answer::Kind::kRejected:
      return Failure{.kind = Failure::Kind::kRejected,
                     .rule = "process.rejected",
                     .message = answer.message};
    case Answer::Kind::kCrashed:
      return failure(Failure::Kind::kCrashed, answer.message);
    case Answer::Kind::kFailed:
      break;
  }
  return failure(Failure::Kind::kError, answer.message);
}

}  // namespace hlo::process
