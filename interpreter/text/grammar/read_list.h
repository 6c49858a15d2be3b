#pragma once

#include "interpreter/text/scan/scanner.h"

namespace hlo::text {

/// Comma-separated items between braces: calls `item` for each.
template <typename Item>
void read_list(Scanner& in, char open, char close, const Item& item) {
  in.expect(open, "before a list");
  if (in.eat(close)) return;
  do {
    item();
  } while (in.eat(','));
  in.expect(close, "behind a list");
}

}  // namespace hlo::text
