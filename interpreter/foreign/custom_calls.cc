#include "interpreter/foreign/custom_calls.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <bit>
#include <utility>

#include "interpreter/arithmetic_state.h"
#include "interpreter/error.h"

namespace hlo {
namespace {

/// What the symbol at `address` is, and the object that it stands in.
struct Symbol {
  const link_map* object = nullptr;
  bool is_data = false;
};

Symbol symbol_at(void* address) {
  Dl_info info{};
  void* extra = nullptr;
  Symbol symbol;
  if (dladdr1(address, &info, &extra, RTLD_DL_LINKMAP) == 0) return symbol;
  symbol.object = static_cast<const link_map*>(extra);
  extra = nullptr;
  if (dladdr1(address, &info, &extra, RTLD_DL_SYMENT) == 0) return symbol;
  const auto* entry = static_cast<const ElfW(Sym)*>(extra);
  symbol.is_data = entry != nullptr && (entry->st_info & 0xf) == STT_OBJECT;
  return symbol;
}

/// The function of that name that the library itself defines: dlsym also finds
/// those of what the library needs, such as `exp`, which take other arguments.
CustomFunction find_in(void* library, const std::string& name) {
  void* const address = dlsym(library, name.c_str());
  if (address == nullptr) return nullptr;
  link_map* own = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &own) != 0) return nullptr;
  const Symbol symbol = symbol_at(address);
  if (symbol.object != own || symbol.is_data) return nullptr;
  return std::bit_cast<CustomFunction>(address);
}

/// Null where that fails. A library may run code when it is loaded: one of
/// gcc -ffast-math has subnormal numbers taken for zeros from then on.
void* open_library(const std::string& file) {
  const ReferenceArithmetic arithmetic;
  const ForeignCode foreign("loading the library", file);
  // All that it needs is bound now, so that nothing is missing in a call.
  return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

void CustomCalls::Unload::operator()(void* library) const {
  const ReferenceArithmetic arithmetic;
  const ForeignCode foreign("unloading a library", {});
  dlclose(library);
}

void CustomCalls::add(std::string name, CustomFunction function) {
  added_.insert_or_assign(std::move(name), function);
}

void CustomCalls::load(const std::string& path) {
  const bool has_folder = path.find('/') != std::string::npos;
  const std::string file = has_folder ? path : "./" + path;
  void* const library = open_library(file);
  if (library == nullptr) {
    const char* const reason = dlerror();
    throw Error(Phase::kEvaluate, "file.library",
                reason != nullptr ? reason : "cannot load " + path);
  }
  libraries_.emplace_back(library);
}

CustomFunction CustomCalls::find(const std::string& name) const {
  const auto found = added_.find(name);
  if (found != added_.end()) return found->second;
  for (const auto& library : libraries_) {
    const CustomFunction function = find_in(library.get(), name);
    if (function != nullptr) return function;
  }
  return nullptr;
}

}  // namespace hlo
