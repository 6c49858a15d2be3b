#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hlo {

/// A number and what it counts, as a part of a message: "1 element",
/// "2 elements". `many` is the word for several things, where it is not `one`
/// with an s.
struct Count {
  int64_t number;
  std::string_view one;
  std::string_view many = {};
};

/// Appends the words of a count: counted() of its parts.
void append_words(std::string& text, const Count& count);

/// A type of values that append_words() puts in words.
template <typename T>
concept HasWords = requires(std::string& text, const T& value) {
  append_words(text, value);
};

/// A part of a message: text, a number, a list of numbers ({0,2}), what a
/// function returns, or a value of a type that append_words() knows. It refers
/// to what it is made of, and costs nothing until a message is wanted.
class MessagePart {
 public:
  MessagePart(std::string_view text)
      : data_(text.data()), size_(text.size()), append_(&append_text) {}

  MessagePart(const char* text) : MessagePart(std::string_view(text)) {}

  MessagePart(const std::string& text) : MessagePart(std::string_view(text)) {}

  MessagePart(std::integral auto number)
      : number_(static_cast<int64_t>(number)), append_(&append_number) {}

  MessagePart(std::span<const int64_t> list)
      : data_(list.data()), size_(list.size()), append_(&append_list) {}

  MessagePart(const std::vector<int64_t>& list)
      : MessagePart(std::span<const int64_t>(list)) {}

  template <HasWords T>
  MessagePart(const T& value)
      : data_(&value), append_([](const MessagePart& part, std::string& text) {
          append_words(text, *static_cast<const T*>(part.data_));
        }) {}

  template <std::invocable T>
  MessagePart(const T& function)
      : data_(&function),
        append_([](const MessagePart& part, std::string& text) {
          text += (*static_cast<const T*>(part.data_))();
        }) {}

  void append_to(std::string& text) const { append_(*this, text); }

 private:
  static void append_text(const MessagePart& part, std::string& text);
  static void append_number(const MessagePart& part, std::string& text);
  static void append_list(const MessagePart& part, std::string& text);

  const void* data_ = nullptr;
  size_t size_ = 0;
  int64_t number_ = 0;
  void (*append_)(const MessagePart&, std::string&);
};

/// The parts of a message, in order: {"the operand is ", shape}.
using MessageParts = std::initializer_list<MessagePart>;

/// The text of the parts, one after another.
std::string joined(MessageParts parts);

}  // namespace hlo
