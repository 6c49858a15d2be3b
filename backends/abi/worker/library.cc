#include "backends/abi/worker/library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/abi/worker/guarded_bytes.h"
#include "interpreter/counted.h"
#include "interpreter/shortened.h"

namespace hlo::abi {
namespace {

using process::Answer;
using process::Part;

constexpr size_t kMostName = 200;
constexpr size_t kMostMessage = 1000;
constexpr size_t kBatch = 64;  // one after the other
constexpr const char* kSymbol = "assay_backend";
using Entry = decltype(&assay_backend);

/// The text up to its zero byte, which may be missing.
std::string until_zero(const char* text, size_t most) {
  return {text, strnlen(text, most)};
}

/// A place for a library's message.
class Message {
 public:
  Message() : bytes_(uint64_t{kMostMessage}) { *text() = '\0'; }

  const AssayMessage* get() const { return &message_; }

  std::string said() const { return until_zero(text(), kMostMessage); }

  bool is_intact() const { return bytes_.is_intact(); }

 private:
  char* text() const { return reinterpret_cast<char*>(bytes_.data()); }

  GuardedBytes bytes_;
  AssayMessage message_{sizeof(AssayMessage), text(), kMostMessage};
};

/// A path names a file, where dlopen would look for a name elsewhere.
Entry load(const std::string& path) {
  const bool is_name = path.find('/') == std::string::npos;
  void* const library =
      dlopen((is_name ? "./" + path : path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw BadLibrary("the library cannot be loaded: " + std::string(dlerror()));
  }
  void* const symbol = dlsym(library, kSymbol);
  if (symbol == nullptr) {
    throw BadLibrary(
        "the library has no function assay_backend, but must have it");
  }
  return reinterpret_cast<Entry>(symbol);
}

/// What a library throws is not caught: it would not be, either, where its
/// caller is C.
const AssayBackend* call(Entry entry, const AssayHost& host) noexcept {
  return entry(&host);
}

int call(const AssayBackend& backend, const AssayCase& one) noexcept {
  return backend.run(backend.state, &one);
}

AssayBackend start(Entry entry) {
  const Message message;
  const AssayHost host = {sizeof(AssayHost), ASSAY_BACKEND_VERSION,
                          message.get()};
  const AssayBackend* const backend = call(entry, host);
  if (!message.is_intact()) {
    throw BadLibrary("the library wrote beyond the place for its message");
  }
  if (backend == nullptr) {
    const std::string said = message.said();
    throw BadLibrary("the library says: " + (said.empty() ? "nothing" : said));
  }
  constexpr size_t kLeast = offsetof(AssayBackend, tags);  // as it was first
  if (backend->struct_size < kLeast) {
    throw BadLibrary("AssayBackend.struct_size is " +
                     std::to_string(backend->struct_size) +
                     ", but must be at least " + std::to_string(kLeast));
  }
  AssayBackend known{};
  std::memcpy(&known, backend,
              std::min(backend->struct_size, sizeof(AssayBackend)));
  return known;
}

/// The words of a text, between blanks.
std::vector<std::string> words_of(const char* text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

void require_one_of(const char* member, uint32_t value, uint32_t least,
                    uint32_t most) {
  if (value >= least && value <= most) return;
  std::string allowed = std::to_string(least);
  if (most != least) allowed += " or " + std::to_string(most);
  throw BadLibrary("AssayBackend." + std::string(member) + " is " +
                   std::to_string(value) + ", but must be " + allowed);
}

process::Hello hello_of(const AssayBackend& backend) {
  require_one_of("version", backend.version, ASSAY_BACKEND_VERSION,
                 ASSAY_BACKEND_VERSION);
  require_one_of("program", backend.program, ASSAY_PROGRAM_HLO,
                 ASSAY_PROGRAM_STABLEHLO);
  require_one_of("layouts", backend.layouts, ASSAY_LAYOUTS_DENSE,
                 ASSAY_LAYOUTS_EXPLICIT);
  require_one_of("devices", backend.devices, 0, 1);
  if (backend.name == nullptr || backend.run == nullptr) {
    throw BadLibrary(
        "AssayBackend.name or run is NULL, but must not be; release and end "
        "may");
  }
  process::Hello hello;
  hello.name = until_zero(backend.name, kMostName);
  if (backend.release != nullptr) {
    hello.release = until_zero(backend.release, kMostName);
  }
  hello.wants_stablehlo = backend.program == ASSAY_PROGRAM_STABLEHLO;
  hello.wants_layouts = backend.layouts == ASSAY_LAYOUTS_EXPLICIT;
  hello.runs_devices = backend.devices == 1;
  if (backend.tags != nullptr) hello.tags = words_of(backend.tags);
  hello.batch = kBatch;
  return hello;
}

/// The arrays of a case, and the structs by which a library sees them.
template <typename View>
class Arrays {
 public:
  void add(const Part& part, GuardedBytes bytes) {
    parts_.push_back(part);
    bytes_.push_back(std::move(bytes));
  }

  /// Nothing may be added afterwards.
  const View* const* views() {
    for (size_t i = 0; i < parts_.size(); ++i) {
      views_.push_back({sizeof(View), parts_[i].shape.c_str(), bytes_[i].data(),
                        static_cast<size_t>(bytes_[i].size())});
    }
    for (const View& view : views_) pointers_.push_back(&view);
    return pointers_.data();
  }

  size_t size() const { return parts_.size(); }

  const GuardedBytes& bytes(size_t i) const { return bytes_[i]; }

  void require_intact(const char* kind) const {
    for (size_t i = 0; i < parts_.size(); ++i) {
      if (bytes_[i].is_intact()) continue;
      throw BadLibrary("the library wrote beyond the " +
                       counted(static_cast<int64_t>(parts_[i].bytes), "byte") +
                       " of " + kind + " " + std::to_string(i) + ", " +
                       shortened(parts_[i].shape));
    }
  }

 private:
  std::vector<Part> parts_;
  std::vector<GuardedBytes> bytes_;
  std::vector<View> views_;
  std::vector<const View*> pointers_;
};

using Inputs = Arrays<AssayInput>;
using Results = Arrays<AssayResult>;

Inputs inputs_of(const ServedCase& one) {
  Inputs inputs;
  std::string_view left = one.bytes;
  for (const Part& part : one.inputs) {
    inputs.add(part, GuardedBytes(left.substr(0, part.bytes)));
    left.remove_prefix(part.bytes);
  }
  return inputs;
}

Results results_of(const ServedCase& one) {
  Results results;
  for (const Part& part : one.results) {
    results.add(part, GuardedBytes(part.bytes));
  }
  return results;
}

void require_unchanged(const Inputs& inputs, std::string_view before) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string_view now = inputs.bytes(i).view();
    if (now != before.substr(0, now.size())) {
      throw BadLibrary("the library changed the bytes of input " +
                       std::to_string(i));
    }
    before.remove_prefix(now.size());
  }
}

Answer values_of(const ServedCase& one, const Results& results) {
  Answer answer{.kind = Answer::Kind::kResults,
                .message = {},
                .results = one.results,
                .bytes = {}};
  for (size_t i = 0; i < results.size(); ++i) {
    answer.bytes.emplace_back(results.bytes(i).view());
  }
  return answer;
}

Answer refusal(int status, std::string message) {
  Answer answer;
  answer.message =
      message.empty() ? "the library gives no reason" : std::move(message);
  if (status == ASSAY_UNSUPPORTED) {
    answer.kind = Answer::Kind::kUnsupported;
  } else if (status == ASSAY_REJECTED) {
    answer.kind = Answer::Kind::kRejected;
  } else if (status != ASSAY_FAILED) {
    answer.message = "the library returned " + std::to_string(status) +
                     ", but must return from 0 to 3";
  }
  return answer;
}

}  // namespace

Library::Library(const std::string& path)
    : backend_(start(load(path))), hello_(hello_of(backend_)) {}

Answer Library::run(const ServedCase& served) const {
  Inputs inputs = inputs_of(served);
  Results results = results_of(served);
  const Message message;
  AssayCase one{};
  one.struct_size = sizeof(AssayCase);
  one.program = served.program.c_str();
  one.program_size = served.program.size();
  one.inputs = inputs.views();
  one.input_count = inputs.size();
  one.results = results.views();
  one.result_count = results.size();
  one.message = message.get();
  const int status = call(backend_, one);
  results.require_intact("result");
  inputs.require_intact("input");
  require_unchanged(inputs, served.bytes);
  if (!message.is_intact()) {
    throw BadLibrary("the library wrote beyond the place for its message");
  }
  return status == ASSAY_DONE ? values_of(served, results)
                              : refusal(status, message.said());
}

void Library::end() const noexcept {
  if (backend_.end != nullptr) backend_.end(backend_.state);
}

}  // namespace hlo::abi
