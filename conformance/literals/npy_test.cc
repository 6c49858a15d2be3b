#include "conformance/literals/npy.h"

#include <gtest/gtest.h>

#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

Shape array(ElementType type, std::vector<int64_t> dims) {
  return Shape::array(type, std::move(dims));
}

// A file of version 1 with this dictionary and data.
std::string file(const std::string& dictionary, const std::string& data) {
  std::string text = "\x93NUMPY";
  text += std::string("\x01\x00", 2);
  text += static_cast<char>(dictionary.size());
  text += '\0';
  return text + dictionary + data;
}

std::string dictionary(const std::string& descr, const std::string& shape,
                       const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran +
         ", 'shape': " + shape + ", }\n";
}

std::string rule_of(const std::string& bytes, const Shape& shape) {
  try {
    static_cast<void>(read_npy(bytes, shape));
  } catch (const Error& error) {
    return error.rule();
  }
  return "";
}

std::vector<int64_t> integers(const Literal& literal) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    values.push_back(literal.integer(i));
  }
  return values;
}

TEST(Npy, WhatIsWrittenIsReadBack) {
  for (const TypeInfo& type : all_types()) {
    if (!is_array_type(type.type)) continue;
    Literal literal(array(type.type, {2, 3}));
    for (int64_t i = 0; i < 6; ++i) {
      const auto bits = static_cast<uint64_t>(i * 37 + 1);
      literal.set(i, {type.type, {bits, is_complex(type.type) ? bits : 0}});
    }
    const Literal back = read_npy(write_npy(literal), literal.shape());
    EXPECT_TRUE(identical(back, literal)) << type.name;
  }
}

TEST(Npy, TheHeaderIsNumPys) {
  const std::string bytes = write_npy(Literal(array(ElementType::kF32, {3})));
  EXPECT_EQ(bytes.size(), 128U + 12U);
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\x01\x00v\x00", 10));
  EXPECT_EQ(bytes.substr(10, 59),
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }  ");
  EXPECT_EQ(bytes[127], '\n');
}

TEST(Npy, TypesThatNumPyLacksAreRawBytes) {
  const auto descr = [](ElementType type) {
    return write_npy(Literal(array(type, {}))).substr(20, 5);
  };
  EXPECT_EQ(descr(ElementType::kBF16), "'<V2'");
  EXPECT_EQ(descr(ElementType::kF8E4M3FN), "'<V1'");
  EXPECT_EQ(descr(ElementType::kS4), "'<V1'");
  EXPECT_EQ(descr(ElementType::kPred), "'|b1'");
  EXPECT_EQ(descr(ElementType::kC128), "'<c16");
}

TEST(Npy, ScalarsAndEmptyArraysAreFiles) {
  const Shape scalar = array(ElementType::kS32, {});
  EXPECT_EQ(rule_of(write_npy(Literal(scalar)), scalar), "");
  const Shape empty = array(ElementType::kS32, {2, 0});
  EXPECT_EQ(rule_of(write_npy(Literal(empty)), empty), "");
}

TEST(Npy, FortranOrderIsTurned) {
  const std::string bytes =
      file(dictionary("|u1", "(2, 3)", "True"), "\x01\x04\x02\x05\x03\x06");
  EXPECT_EQ(integers(read_npy(bytes, array(ElementType::kU8, {2, 3}))),
            (std::vector<int64_t>{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, BigEndianElementsAreTurned) {
  const std::string bytes =
      file(dictionary(">i2", "(2,)"), std::string("\x01\x02\xff\xfe", 4));
  EXPECT_EQ(integers(read_npy(bytes, array(ElementType::kS16, {2}))),
            (std::vector<int64_t>{0x102, -2}));
}

TEST(Npy, Version2HasALongerHeader) {
  const std::string head = dictionary("|i1", "(1,)");
  std::string bytes = "\x93NUMPY";
  bytes += std::string("\x02\x00", 2);
  bytes += static_cast<char>(head.size());
  bytes += std::string(3, '\0') + head + "\x7f";
  EXPECT_EQ(integers(read_npy(bytes, array(ElementType::kS8, {1}))),
            (std::vector<int64_t>{127}));
}

/// A file of a u8 scalar whose header has that version and size, which is
/// filled with spaces, and which `stated` says.
std::string padded(char version, size_t size, size_t stated) {
  std::string head = dictionary("|u1", "()");
  head.insert(head.size() - 1, size - head.size(), ' ');
  std::string bytes = "\x93NUMPY";
  bytes += {version, '\0'};
  for (int i = 0; i < (version == '\1' ? 2 : 4); ++i) {
    bytes += static_cast<char>(stated >> (8 * i));
  }
  return bytes + head + "\x05";
}

TEST(Npy, HeadersAreAsLongAsTheirVersionCanSay) {
  const Shape shape = array(ElementType::kU8, {});
  for (const char version : {'\1', '\2', '\3'}) {
    const size_t size = version == '\1' ? 65535 : 65536 + 255;
    EXPECT_EQ(rule_of(padded(version, size, size), shape), "");
    // The line's end, or the element, belongs to the other then.
    EXPECT_EQ(rule_of(padded(version, size, size - 1), shape), "npy.size");
    EXPECT_EQ(rule_of(padded(version, size, size + 1), shape), "npy.header");
    EXPECT_EQ(rule_of(padded(version, size, size + 2), shape), "npy.header");
  }
  EXPECT_EQ(rule_of(padded('\2', 200, 0xffffffff), shape), "npy.header");
  for (const char version : {'\0', '\4'}) {
    EXPECT_EQ(rule_of(padded(version, 200, 200), shape), "npy.header");
  }
}

TEST(Npy, FilesHaveAtMost64Dimensions) {
  const auto ones = [](size_t rank) {
    std::string dims = "(";
    for (size_t i = 0; i < rank; ++i) dims += "1,";
    return file(dictionary("|u1", dims + ")"), "\x05");
  };
  EXPECT_EQ(
      rule_of(ones(64), array(ElementType::kU8, std::vector<int64_t>(64, 1))),
      "");
  EXPECT_EQ(
      rule_of(ones(65), array(ElementType::kU8, std::vector<int64_t>(65, 1))),
      "npy.header");
  const auto sized = [](const std::string& size) {
    return rule_of(file(dictionary("|u1", "(" + size + ",)"), "\x05"),
                   array(ElementType::kU8, {1}));
  };
  EXPECT_EQ(sized("9223372036854775807"), "npy.dims");
  EXPECT_EQ(sized("9223372036854775808"), "npy.header");
  EXPECT_EQ(sized("-1"), "npy.header");
}

TEST(Npy, UnusedHighBitsAreNormalized) {
  const std::string bytes = file(dictionary("<V1", "(2,)"), "\x0f\x78");
  EXPECT_EQ(integers(read_npy(bytes, array(ElementType::kS4, {2}))),
            (std::vector<int64_t>{-1, -8}));
}

TEST(Npy, DynamicDimensionsHaveTheSizeOfTheFile) {
  Shape shape = array(ElementType::kU8, {2, 3});
  shape.set_dynamic(1, true);
  const std::string bytes =
      file(dictionary("|u1", "(2, 2)"), "\x01\x02\x03\x04");
  const Literal literal = read_npy(bytes, shape);
  EXPECT_EQ(literal.dynamic_sizes(), (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(integers(literal), (std::vector<int64_t>{1, 2, 0, 3, 4, 0}));
  EXPECT_EQ(write_npy(literal).substr(128), "\x01\x02\x03\x04");
}

TEST(Npy, MalformedHeadersAreRefused) {
  const Shape shape = array(ElementType::kU8, {1});
  const std::string good = file(dictionary("|u1", "(1,)"), "\x01");
  EXPECT_EQ(rule_of(good, shape), "");
  for (size_t size = 0; size + 1 < good.size(); ++size) {
    EXPECT_EQ(rule_of(good.substr(0, size), shape), "npy.header") << size;
  }
  for (const char* text :
       {"", "{}", "{'descr': '|u1', 'fortran_order': False}",
        "{'descr': '|u1', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': [('a', '|u1')], 'fortran_order': False, 'shape': (1,)}"}) {
    EXPECT_EQ(rule_of(file(text, "\x01"), shape), "npy.header") << text;
  }
}

TEST(Npy, OtherTypesAreRefused) {
  const Shape shape = array(ElementType::kU8, {1});
  for (const char* descr : {"|i1", "<u2", "O", "", "<V1", "|b1", "xu1"}) {
    EXPECT_EQ(rule_of(file(dictionary(descr, "(1,)"), "\x01"), shape),
              "npy.type")
        << descr;
  }
}

TEST(Npy, OtherDimensionsAreRefused) {
  const Shape shape = array(ElementType::kU8, {1});
  for (const char* dims : {"()", "(2,)", "(1, 1)", "(99999999999999999,)"}) {
    EXPECT_EQ(rule_of(file(dictionary("|u1", dims), "\x01"), shape), "npy.dims")
        << dims;
  }
}

TEST(Npy, TheDataHasTheSizeOfTheArray) {
  const Shape shape = array(ElementType::kU16, {1});
  const auto sized = [](size_t size) {
    return file(dictionary("<u2", "(1,)"), std::string(size, 'x'));
  };
  EXPECT_EQ(rule_of(sized(1), shape), "npy.size");
  EXPECT_EQ(rule_of(sized(2), shape), "");
  EXPECT_EQ(rule_of(sized(3), shape), "npy.size");
}

}  // namespace
}  // namespace hlo::conformance
