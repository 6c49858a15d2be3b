#include "interpreter/model/layout.h"

#include <cstddef>

namespace hlo {

Layout::Layout() = default;
Layout::Layout(const Layout& other) = default;
Layout::Layout(Layout&& other) noexcept = default;
Layout& Layout::operator=(const Layout& other) = default;
Layout& Layout::operator=(Layout&& other) noexcept = default;
Layout::~Layout() = default;

bool operator==(const Layout& a, const Layout& b) = default;

Layout default_layout(int64_t rank) {
  Layout layout;
  layout.minor_to_major.resize(static_cast<size_t>(rank));
  for (int64_t d = 0; d < rank; ++d) {
    layout.minor_to_major[static_cast<size_t>(d)] = rank - 1 - d;
  }
  return layout;
}

}  // namespace hlo
