#include "interpreter/message.h"

#include "interpreter/counted.h"

namespace hlo {

void append_words(std::string& text, const Count& count) {
  text += counted(count.number, count.one, count.many);
}

void Piece::append_text(const Piece& piece, std::string& text) {
  text.append(static_cast<const char*>(piece.data_), piece.size_);
}

void Piece::append_number(const Piece& piece, std::string& text) {
  text += std::to_string(piece.number_);
}

void Piece::append_list(const Piece& piece, std::string& text) {
  const auto* numbers = static_cast<const int64_t*>(piece.data_);
  text += "{";
  for (size_t i = 0; i < piece.size_; ++i) {
    if (i > 0) text += ",";
    text += std::to_string(numbers[i]);
  }
  text += "}";
}

std::string joined(Pieces pieces) {
  std::string text;
  for (const Piece& piece : pieces) piece.append_to(text);
  return text;
}

}  // namespace hlo
