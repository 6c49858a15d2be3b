#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hlo::conformance {

/// Exit codes of every command (spec/conformance.md).
enum ExitCode : int {
  kConforms = 0,
  kDiffers = 1,
  kUsage = 2,
  kBroken = 3,  // the harness or the backend
  kIncomplete = 4,
  kNothing = 77,  // no case applies
};

struct EvalOptions {
  std::string file;
  std::vector<std::string> inputs;  // one per parameter, or one "random:SEED"
  std::vector<std::string> infeed;  // in order, or one "random:SEED"
  std::vector<std::string> custom_calls;  // shared libraries
  std::string output = "print";           // print | none | digest | a folder
  int threads = 2;
  int64_t max_steps = 100'000'000;
};

struct ExplainOptions {
  std::string file;
  std::vector<std::string> inputs;
  std::vector<std::string> infeed;
  std::vector<std::string> custom_calls;
  std::string element;          // %name{0}[1,2]; "": the first of the result
  int64_t run = 1;              // of the instruction, which may run many times
  std::vector<int64_t> device;  // replica, partition; {}: the first to run it
  int depth = 1;                // how many instructions back
  int terms = 16;               // of a sum that are shown
  int64_t max_steps = 100'000'000;
};

struct LayoutOptions {
  std::string shape;
  std::vector<std::string> at;       // indices
  std::vector<std::string> offsets;  // slots
  std::string svg;                   // file for a picture, "" for none
};

struct FmtOptions {
  std::vector<std::string> files;  // "-": standard input
  bool check = false;   // print nothing; differ where a file is not canonical
  std::string to = {};  // "hlo", "stablehlo"; empty: the syntax of the input
};

struct CheckOptions {
  std::string backend = "cpu:";
  std::vector<std::string> cases;  // vector files, pages, folders; default all
  std::string filter = "*";        // GLOB[:-GLOB] on case ids
  int jobs = 1;
  std::string junit;   // file, "" for none
  std::string output;  // JSONL events, "" for none
  int failures = 5;    // how many to print in full
  std::string profile = "tight";
  bool levels = false;   // print the strictest level passed
  bool verbose = false;  // a row for each operation and type
};

struct CompareOptions {
  std::string file;
  std::string backend = "cpu:";
  std::vector<std::string> inputs;
  std::vector<std::string> infeed;
  std::vector<std::string> custom_calls;
  int threads = 2;
  int failures = 1;
  std::string profile = "tight";
};

struct BoundsOptions {
  std::string file;
  std::vector<std::string> inputs;
  std::string profile = "tight";
  std::string backend;  // judged too, where one is named
  std::string output;   // folder for .npy files, "" for none
  int show = 8;         // elements of each leaf, the widest first
  int64_t max_steps = 1'000'000;
};

struct GoldenOptions {
  std::string action;  // verify | bless
  std::vector<std::string> files;
};

struct VerifyNumericsOptions {
  std::vector<std::string> functions;  // default: all
  int64_t blocks = 8;        // of 2^20 f32 codes of each function, at most 4096
  bool rival = true;         // compare them with the second engine
  int64_t hard_cases = 100;  // of f64, of each function
  bool codes = false;        // all arguments of types of at most 16 bits
  bool pairs = false;   // all pairs of f16 and of bf16, added and multiplied
  int64_t battery = 0;  // inputs of each part; 0: no battery
  std::string write;    // folder for new checksums, "" for none
  int jobs = 2;
};

struct SpecOptions {
  std::string operation;
};

struct ListOptions {
  bool operations = false;
  bool backends = false;
  bool types = false;
  bool cases = false;
  std::string filter = "*";
};

// Each prints to standard output, errors to standard error, and returns the
// exit code of the process.
int run_eval(const EvalOptions& options);
int run_explain(const ExplainOptions& options);
int run_layout(const LayoutOptions& options);
int run_fmt(const FmtOptions& options);
int run_bounds(const BoundsOptions& options);
int run_check(const CheckOptions& options);
int run_compare(const CompareOptions& options);
int run_golden(const GoldenOptions& options);
int run_verify_numerics(const VerifyNumericsOptions& options);
int run_spec(const SpecOptions& options);
int run_list(const ListOptions& options);

}  // namespace hlo::conformance
