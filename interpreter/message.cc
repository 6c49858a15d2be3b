#include "interpreter/message.h"

#include "interpreter/counted.h"
#include "interpreter/shortened.h"

namespace hlo {

void append_words(std::string& text, const Count& count) {
  text += counted(count.number, count.one, count.many);
}

void MessagePart::append_text(const MessagePart& part, std::string& text) {
  text.append(static_cast<const char*>(part.data_), part.size_);
}

void MessagePart::append_number(const MessagePart& part, std::string& text) {
  text += std::to_string(part.number_);
}

void MessagePart::append_list(const MessagePart& part, std::string& text) {
  const auto* numbers = static_cast<const int64_t*>(part.data_);
  text += "{";
  for (size_t i = 0; i < part.size_; ++i) {
    if (i > 0) text += ",";
    text += std::to_string(numbers[i]);
  }
  text += "}";
}

std::string joined(MessageParts parts) {
  std::string text;
  for (const MessagePart& part : parts) {
    const size_t begin = text.size();
    part.append_to(text);
    if (text.size() - begin <= kMostEchoed) continue;
    const std::string all = text.substr(begin);
    text.resize(begin);
    text += shortened(all);
  }
  return text;
}

}  // namespace hlo
