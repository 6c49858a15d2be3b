#include "conformance/python/library/assay_library.h"

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/python/library/library_call.h"

using hlo::Literal;
using hlo::conformance::LibraryCall;

struct AssayCall {
  std::unique_ptr<LibraryCall> call;
};

namespace {

constexpr const char* kNoMemory =
    R"({"error":{"phase":"evaluate","rule":"system.memory","message":)"
    R"("there is not enough memory","line":0,"column":0,"excerpt":""}})";

std::vector<std::byte> copy_of(const AssayArray& array) {
  if (array.bytes == 0) return {};
  const auto* data = static_cast<const std::byte*>(array.data);
  return {data, data + array.bytes};
}

}  // namespace

int32_t assay_version(void) { return 1; }

AssayCall* assay_start(const char* request, uint64_t request_bytes,
                       const AssayArray* arrays, uint64_t count) {
  try {
    std::vector<std::vector<std::byte>> copies;
    for (const AssayArray& array : std::span(arrays, count)) {
      copies.push_back(copy_of(array));
    }
    auto call = std::make_unique<AssayCall>();
    call->call = std::make_unique<LibraryCall>(
        std::string(request, request_bytes), std::move(copies));
    return call.release();
  } catch (const std::exception&) {
    return nullptr;
  }
}

int32_t assay_wait(AssayCall* call, double seconds) {
  return call->call->wait(seconds) ? 1 : 0;
}

void assay_cancel(AssayCall* call) { call->call->cancel(); }

const char* assay_answer(const AssayCall* call) {
  if (!call->call->has_ended()) return nullptr;
  const std::string& text = call->call->answer().text;
  return text.empty() ? kNoMemory : text.c_str();
}

AssayArray assay_array(const AssayCall* call, uint64_t number) {
  if (!call->call->has_ended()) return {nullptr, 0};
  const std::vector<Literal>& arrays = call->call->answer().arrays;
  if (number >= arrays.size()) return {nullptr, 0};
  const std::span<const std::byte> bytes = arrays[number].bytes();
  return {bytes.data(), bytes.size()};
}

void assay_release(AssayCall* call) {
  const std::unique_ptr<AssayCall> own(call);
  if (call == nullptr || call->call->has_ended()) return;
  try {
    hlo::conformance::abandon(std::move(own->call));
  } catch (const std::exception&) {
    // No memory for the list: then it is waited for here, at its end.
  }
}

void assay_finish(void) { hlo::conformance::finish_abandoned(); }
