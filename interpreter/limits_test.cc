#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/stablehlo/import/import.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

// What the pages say to be the most is accepted, one more is refused.
namespace hlo {
namespace {

using Make = std::function<std::string(int64_t)>;

struct Limit {
  std::string what;
  int64_t most;
  std::string rule;
  Make make;
};

std::string repeated(const std::string& text, int64_t count) {
  std::string all;
  for (int64_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string of(int64_t n) { return std::to_string(n); }

/// The rule that refuses the text; empty where none does.
std::string rule_of(const std::string& text,
                    const std::function<void(const std::string&)>& read) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_GT(error.location().line, 0) << error.what();
    return error.rule();
  }
  return "";
}

void expect_limits(const std::vector<Limit>& limits,
                   const std::function<void(const std::string&)>& read) {
  for (const Limit& limit : limits) {
    EXPECT_EQ(rule_of(limit.make(limit.most), read), "") << limit.what;
    EXPECT_EQ(rule_of(limit.make(limit.most + 1), read), limit.rule)
        << limit.what;
  }
}

std::string entry(const std::string& body) {
  return "HloModule m\nENTRY e {\n" + body + "\n}\n";
}

/// A parameter of the shape, and what may stand behind it.
Make parameter(const Make& shape) {
  return [shape](int64_t n) { return entry("p = " + shape(n)); };
}

Make header(const std::string& name) {
  return [name](int64_t n) {
    return "HloModule m, " + name + "=" + of(n) +
           "\nENTRY e { p = f32[] parameter(0) }";
  };
}

Make sharding(const Make& text) {
  return [text](int64_t n) {
    return entry("p = f32[4] parameter(0), sharding={" + text(n) + "}");
  };
}

constexpr int64_t kDevices = int64_t{1} << 20;

// A body and an instruction are two of the 200 levels of a text.
const std::vector<Limit> kOfTexts = {
    {"nested tuples", 197, "text.depth", parameter([](int64_t n) {
       return std::string(static_cast<size_t>(n), '(') + "f32[]" +
              std::string(static_cast<size_t>(n), ')') + " parameter(0)";
     })},
    {"nested shardings", 198, "text.depth", sharding([](int64_t n) {
       return repeated("{", n - 2) + "{replicated}" + repeated("}", n - 2);
     })},
    {"dimensions", 190, "text.depth", parameter([](int64_t n) {
       return "f32[1" + repeated(",1", n - 1) + "] parameter(0)";
     })},
    {"replicas", kDevices, "text.range", header("replica_count")},
    {"partitions", kDevices, "text.range", header("num_partitions")},
    {"devices in order", kDevices, "text.devices", sharding([](int64_t n) {
       return "devices=[" + of(n) + "]<=[" + of(n) + "]";
     })},
    {"the size of an axis", kDevices, "text.mesh",
     sharding([](int64_t n) { return "mesh['x'=" + of(n) + "], [{}]"; })},
    {"devices of a mesh", 1024, "text.mesh", sharding([](int64_t n) {
       return "mesh['x'=1024,'y'=" + of(n) + "], [{}]";
     })},
    {"kinds of the last dimensions", 2, "text.sharding",
     sharding([](int64_t n) {
       return "devices=[1,4]<=[4] last_tile_dims={manual" +
              repeated(", manual", n - 1) + "}";
     })},
    {"integers of s32", std::numeric_limits<int32_t>::max(), "text.range",
     parameter([](int64_t n) { return "s32[] constant(" + of(n) + ")"; })},
    {"values in short form", int64_t{1} << 28, "literal.size",
     parameter([](int64_t n) { return "s8[" + of(n) + "] constant(1)"; })},
    {"octal escapes", 255, "text.string", parameter([](int64_t n) {
       std::string digits;
       for (int shift = 6; shift >= 0; shift -= 3) digits += of(n >> shift & 7);
       return "f32[] custom-call(), custom_call_target=\"\\" + digits + "\"";
     })},
};

TEST(Limits, OfTexts) {
  expect_limits(kOfTexts, [](const std::string& text) { text::parse(text); });
}

/// Every tuple has all the ones before it as its first element.
std::string nested_tuples(int64_t n) {
  std::string body = "t0 = f32[] parameter(0)\n";
  for (int64_t i = 1; i <= n; ++i) {
    body += "t" + of(i) + " = tuple(t" + of(i - 1) + ")\n";
  }
  return entry(body);
}

/// Parts of shapes: each of the two instructions may have 100 more than the
/// 250,000, a tuple of n parameters counts its own n + 1 parts and the one of
/// each of its n operands.
std::string wide_tuple(int64_t n) {
  std::string list = "p";
  for (int64_t i = 1; i < n; ++i) list += ", p";
  return entry("p = f32[] parameter(0)\nt = tuple(" + list + ")");
}

Make window(const std::string& fields) {
  return [fields](int64_t n) {
    std::string text = fields;
    text.replace(text.find('@'), 1, of(n));
    return "HloModule m\n%c {\n  a = f32[] parameter(0)\n"
           "  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n"
           "ENTRY e {\n  x = f32[2] parameter(0)\n  z = f32[] constant(0)\n"
           "  ROOT r = reduce-window(x, z), window={" +
           text + "}, to_apply=%c\n}\n";
  };
}

constexpr int64_t kExtent = int64_t{1} << 60;

const std::vector<Limit> kOfPrograms = {
    {"tiles", 64, "layout.C2", parameter([](int64_t n) {
       return "f32[1]{0:T" + repeated("(1)", n) + "} parameter(0)";
     })},
    {"sizes of a tile", 64, "layout.C2", parameter([](int64_t n) {
       return "f32[1]{0:T(1" + repeated(",1", n - 1) + ")} parameter(0)";
     })},
    {"bits of a byte", 8, "layout.C4", parameter([](int64_t n) {
       return "s4[1]{0:E(" + of(n) + ")} parameter(0)";
     })},
    {"bits of an element", 128, "layout.C4", parameter([](int64_t n) {
       return "f32[1]{0:E(" + of(n) + ")} parameter(0)";
     })},
    {"nested tuples", 200, "module.shapes", nested_tuples},
    {"parts of tuples", 125'099, "module.shapes", wide_tuple},
    {"low padding", kExtent, "reduce-window.C8",
     window("size=1 stride=4 pad=@_0")},
    {"high padding", kExtent, "reduce-window.C8",
     window("size=1 stride=4 pad=0_@")},
    {"a dilated size", kExtent - 1, "reduce-window.C8",
     window("size=1 stride=4 lhs_dilate=@")},
    {"a dilated window", kExtent - 1, "reduce-window.C8",
     window("size=2 rhs_dilate=@")},
};

TEST(Limits, OfPrograms) {
  expect_limits(kOfPrograms,
                [](const std::string& text) { verified_module(text); });
}

// As deep as texts may be, whatever is nested is looked at.
TEST(Limits, OfWhatIsComparedWithShapes) {
  const auto verify = [](const std::string& text) { verified_module(text); };
  for (const int64_t depth : {3, 99, 100, 101, 102, 198}) {
    const Make twice = sharding([](int64_t n) {
      return repeated("{", n - 2) + "{replicated}" + repeated("}", n - 2);
    });
    EXPECT_EQ(rule_of(twice(depth), verify), "sharding.tuple") << depth;
  }
  for (const int64_t depth : {1, 99, 100, 101, 102, 150, 196}) {
    const auto named = [](int64_t shape, int64_t origin) {
      return entry("p = " + repeated("(", shape) + "f32[]" +
                   repeated(")", shape) + " parameter(0), origin={" +
                   repeated("(", origin) + "{\"a\"}" + repeated(")", origin) +
                   "}");
    };
    EXPECT_EQ(rule_of(named(depth, depth), verify), "") << depth;
    EXPECT_EQ(rule_of(named(depth, depth - 1), verify), "module.origin")
        << depth;
  }
}

/// f0 negates; each other function, of open sizes, calls the one before.
std::string open_calls(int64_t n) {
  const std::string type = "(tensor<?xf32>) -> tensor<?xf32>";
  std::string text;
  for (int64_t i = 0; i < n; ++i) {
    text += "func.func private @f" + of(i) +
            "(%x: tensor<?xf32>) -> tensor<?xf32> {\n  %y = " +
            (i == 0 ? "stablehlo.negate %x : tensor<?xf32>"
                    : "func.call @f" + of(i - 1) + "(%x) : " + type) +
            "\n  return %y : tensor<?xf32>\n}\n";
  }
  return text +
         "func.func public @main(%x: tensor<2xf32>) -> tensor<?xf32> {\n"
         "  %z = stablehlo.reshape %x : (tensor<2xf32>) -> tensor<2xf32>\n"
         "  %y = func.call @f" +
         of(n - 1) +
         "(%z) : (tensor<2xf32>) -> tensor<?xf32>\n"
         "  return %y : tensor<?xf32>\n}\n";
}

/// A call of a function of open sizes with each of so many shapes.
std::string open_functions(int64_t n) {
  std::string body;
  for (int64_t i = 0; i < n; ++i) {
    const std::string type = "tensor<" + of(i) + "xf32>";
    body += "  %x" + of(i) + " = stablehlo.iota dim = 0 : " + type + "\n  %y" +
            of(i) + " = func.call @f(%x" + of(i) + ") : (" + type +
            ") -> tensor<?xf32>\n";
  }
  return "func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
         "  return %x : tensor<?xf32>\n}\n"
         "func.func public @main() {\n" +
         body + "  return\n}\n";
}

std::string mlir(const std::string& body) {
  return "func.func public @main(%x: tensor<f32>) -> tensor<f32> {\n" + body +
         "  return %x : tensor<f32>\n}\n";
}

Make module_attribute(const std::string& name) {
  return [name](int64_t n) {
    return "module attributes {" + name + " = " + of(n) + " : i32} {\n" +
           mlir("") + "}\n";
  };
}

const std::vector<Limit> kOfStablehlo = {
    {"open calls in each other", 200, "stablehlo.depth", open_calls},
    {"replicas", kDevices, "text.range", module_attribute("mhlo.num_replicas")},
    {"partitions", kDevices, "text.range",
     module_attribute("mhlo.num_partitions")},
    {"bits of a mantissa", 999'999'999, "stablehlo.syntax",
     [](int64_t n) {
       return mlir("  %y = stablehlo.reduce_precision %x, format = e5m" +
                   of(n) + " : tensor<f32>\n");
     }},
    {"elements that broadcasting is asked for", int64_t{1} << 39,
     "stablehlo.size",
     [](int64_t n) {
       return mlir(
           "  %s = stablehlo.constant dense<[2, " + of(n) +
           "]> : tensor<2xi64>\n"
           "  %a, %b = chlo.minimum_broadcast_shapes %s, %s : tensor<2xi64>, "
           "tensor<2xi64> -> tensor<?xi64>, tensor<?xi64>\n");
     }},
    {"results of an operation", 100'000, "stablehlo.results",
     [](int64_t n) {
       return mlir("  %r:" + of(n) +
                   " = \"stablehlo.custom_call\"() <{call_target_name = "
                   "\"f\"}> : () -> (tensor<i1>" +
                   repeated(", tensor<i1>", n - 1) + ")\n");
     }},
    {"functions of open sizes", 4096, "stablehlo.size", open_functions},
    {"operations that a constant is made of", 64, "stablehlo.dynamic",
     [](int64_t n) {
       std::string body =
           "  %s1 = stablehlo.constant dense<1> : tensor<1xi64>\n";
       for (int64_t i = 2; i <= n; ++i) {
         body += "  %s" + of(i) + " = stablehlo.abs %s" + of(i - 1) +
                 " : tensor<1xi64>\n";
       }
       return mlir(body + "  %y = stablehlo.dynamic_reshape %x, %s" + of(n) +
                   " : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>\n");
     }},
    {"elements of a constant that says sizes", 64, "stablehlo.dynamic",
     [](int64_t n) {
       return mlir(
                  "  %s = stablehlo.constant dense<1> : tensor<" + of(n) +
                  "xi64>\n  %y = func.call @f(%x, %s) : (tensor<f32>, tensor<" +
                  of(n) + "xi64>) -> tensor<?xf32>\n") +
              "func.func private @f(%x: tensor<f32>, %s: tensor<" + of(n) +
              "xi64>) -> tensor<?xf32> {\n"
              "  %a = stablehlo.slice %s [0:1] : (tensor<" +
              of(n) +
              "xi64>) -> tensor<1xi64>\n"
              "  %y = stablehlo.dynamic_reshape %x, %a : (tensor<f32>, "
              "tensor<1xi64>) -> tensor<?xf32>\n"
              "  return %y : tensor<?xf32>\n}\n";
     }},
    {"values in short form", int64_t{1} << 28, "stablehlo.size",
     [](int64_t n) {
       return mlir("  %y = stablehlo.constant dense<1> : tensor<" + of(n) +
                   "xi8>\n");
     }},
};

TEST(Limits, OfStablehlo) {
  expect_limits(kOfStablehlo,
                [](const std::string& text) { stablehlo::import_text(text); });
}

}  // namespace
}  // namespace hlo
