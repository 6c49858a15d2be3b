#include "backends/abi/abi_backend.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "backends/registry/make_backend.h"
#include "interpreter/error.h"
#include "interpreter/model/buffer.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

namespace fs = std::filesystem;

/// What the library makes of a program of this name that copies an array:
/// "values" where those come back, else the message of the failure.
std::string outcome(Backend& backend, const std::string& name) {
  const Module module =
      verified_module("HloModule " + name +
                      "\n\nENTRY main {\n  x = f32[2]{0:T(4)} parameter(0)\n" +
                      "  ROOT r = f32[2]{0:T(4)} copy(x)\n}\n");
  const Literal value = text::parse_literal_with_shape("f32[2] {1, 2}");
  const std::vector<Buffer> arguments = {
      store(value, argument_shapes(module)[0])};
  const Outcome got = guarded_run(backend, module, arguments);
  if (const auto* failure = std::get_if<Failure>(&got)) return failure->message;
  const Buffer& result = std::get<std::vector<Buffer>>(got).at(0);
  return identical(load(result), value) ? "values" : "others";
}

std::unique_ptr<Backend> liar(const char* fault, const std::string& uri) {
  setenv("ASSAY_ABI_FAULT", fault, 1);
  return make_abi_backend(uri, ASSAY_ABI_WORKER);
}

std::unique_ptr<Backend> liar(const char* fault) {
  return liar(fault, "abi:timeout=2 startup=5 " ASSAY_ABI_LIAR);
}

struct Fault {
  const char* name;
  std::string message;  // the beginning; "values" where none
};

std::string words(const std::string& last) {
  return "the worker ended with the exit code 1 without an answer; its last "
         "words: the library " +
         last + "\n";
}

const std::string kAborted =
    "the worker was ended by the signal 6 without an answer";

const Fault kFaults[] = {
    {"none", "values"},
    {"beyond", words("wrote beyond the 8 bytes of result 0, f32[2]")},
    {"far_beyond", words("wrote beyond the 8 bytes of result 0, f32[2]")},
    {"before", words("wrote beyond the 8 bytes of result 0, f32[2]")},
    {"input", words("changed the bytes of input 0")},
    {"beyond_message", words("wrote beyond the place for its message")},
    {"endless_message", std::string(1000, 'x')},
    {"unsupported", "say \xef\xbf\xbd 1"},
    {"rejected", "say \xef\xbf\xbd 2"},
    {"failed", "say \xef\xbf\xbd 3"},
    {"reasonless", "the library gives no reason"},
    {"status", "the library returned -1, but must return from 0 to 3"},
    {"exit", "the worker ended with the exit code 7 without an answer"},
    {"abort", kAborted},
    {"throw", kAborted + "; its last words: terminate called after throwing"},
    {"print", "values"},
    {"print_and_crash", kAborted + "; its last words: out of luck\n"},
    {"read", "values"},
    {"sleep", "the worker did not answer within 2 s"},
    {"close", "the worker ended with the exit code 1 without an answer"},
    {"late", "the worker did not answer within 2 s"},
    {"garbage",
     "the worker wrote \"Hello, world?Hel\" on standard output, but a frame "
     "must begin with ASSY"},
    {"half",
     "the worker ended with the exit code 0 in the middle of its answer"},
    {"huge",
     "the worker sent a frame with a body of 1152921504606846976 bytes, but "
     "it can have at most 1048584"},
    {"flood_output", "the worker did not answer within 2 s; its last words: x"},
    {"flood_errors", "the worker did not answer within 2 s; its last words: x"},
    {"fork", "the worker ended with the exit code 3 without an answer"},
    {"ignore_sigterm", "the worker did not answer within 2 s"},
};

TEST(AbiBackend, LosesOnlyTheCaseOfAFault) {
  for (const auto& [name, message] : kFaults) {
    const auto backend = liar(name);
    EXPECT_EQ(outcome(*backend, "a"), "values") << name;
    const std::string found = outcome(*backend, "FAULT");
    EXPECT_TRUE(found.starts_with(message)) << name << ": " << found;
    EXPECT_EQ(outcome(*backend, "b"), "values") << name;
  }
}

const Fault kStarts[] = {
    {"start_exit", "the worker ended with the exit code 5 without an answer"},
    {"start_sleep", "the worker did not answer within 1 s"},
    {"start_throw", kAborted},
    {"start_null", "the worker cannot start: the library says: nothing"},
    {"start_message", "the worker cannot start: the library says: no device"},
    {"version",
     "the worker cannot start: AssayBackend.version is 2, but must be 1"},
    {"small",
     "the worker cannot start: AssayBackend.struct_size is 63, but must be at "
     "least 64"},
    {"first", "values"},
    {"large", "values"},
    {"program",
     "the worker cannot start: AssayBackend.program is 2, but must be 0 or 1"},
    {"layouts",
     "the worker cannot start: AssayBackend.layouts is 7, but must be 0 or 1"},
    {"devices",
     "the worker cannot start: AssayBackend.devices is 2, but must be 0 or 1"},
    {"nameless", "the worker cannot start: AssayBackend.name or run is NULL"},
    {"runless", "the worker cannot start: AssayBackend.name or run is NULL"},
    {"explicit", "values"},
    {"stablehlo", "values"},
};

TEST(AbiBackend, SaysWhyALibraryDoesNotStart) {
  for (const auto& [name, message] : kStarts) {
    const auto backend = liar(name, "abi:startup=1 " ASSAY_ABI_LIAR);
    const std::string found = outcome(*backend, "a");
    EXPECT_TRUE(found.starts_with(message)) << name << ": " << found;
  }
}

TEST(AbiBackend, LetsTheLibraryCleanUp) {
  const fs::path left =
      fs::temp_directory_path() / ("assay_abi_end" + std::to_string(getpid()));
  setenv("ASSAY_ABI_END", left.c_str(), 1);
  auto backend = liar("beyond");
  EXPECT_EQ(outcome(*backend, "a"), "values");
  outcome(*backend, "FAULT");
  backend.reset();
  EXPECT_FALSE(fs::exists(left));
  backend = liar("none");
  EXPECT_EQ(outcome(*backend, "a"), "values");
  backend.reset();
  EXPECT_TRUE(fs::exists(left));
  unsetenv("ASSAY_ABI_END");
  fs::remove(left);
}

TEST(AbiBackend, SaysWhatIsNoBackend) {
  const auto nothing =
      make_abi_backend("abi:" ASSAY_ABI_NOTHING, ASSAY_ABI_WORKER);
  EXPECT_EQ(outcome(*nothing, "a"),
            "the worker cannot start: the library has no function "
            "assay_backend, but must have it");
  const auto text = make_abi_backend("abi:" ASSAY_SOURCE_DIR "/spec/abi.md",
                                     ASSAY_ABI_WORKER);
  EXPECT_TRUE(
      outcome(*text, "a")
          .starts_with(
              "the worker cannot start: the library cannot be loaded: "));
}

TEST(AbiBackend, TakesAnyNameOfAFile) {
  const fs::path before = fs::current_path();
  const fs::path folder = fs::temp_directory_path() /
                          ("abi test's $(exit 3)" + std::to_string(getpid()));
  fs::create_directory(folder);
  fs::current_path(folder);
  for (const std::string name :
       {"-b \"it's\" $HOME;`exit 1`\\ \n.so", "b.so", "./timeout=1 x.so"}) {
    fs::create_symlink(ASSAY_ABI_LIAR, name);
    EXPECT_EQ(outcome(*liar("none", "abi:" + name), "a"), "values") << name;
    EXPECT_EQ(outcome(*liar("none", "abi:" + (folder / name).string()), "a"),
              "values")
        << name;
  }
  fs::current_path(before);
  fs::remove_all(folder);
}

TEST(AbiBackend, RefusesWhatNamesNoFile) {
  for (const char* uri : {"abi:", "abi:timeout=2", "abi:timeout=0 /dev/null",
                          "abi:/no/such.so", "abi:/", "abi: x"}) {
    const auto make = [&] {
      if (make_abi_backend(uri, ASSAY_ABI_WORKER) == nullptr) {
        throw Error(Phase::kParse, "usage.backend", "none");
      }
    };
    EXPECT_THROW(make(), Error) << uri;
  }
  EXPECT_EQ(liar("none", "abi:timeout=9 " ASSAY_ABI_LIAR)->name(),
            "abi:timeout=9 " ASSAY_ABI_LIAR);
}

}  // namespace
}  // namespace hlo
