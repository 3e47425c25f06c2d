#include "ir/context.h"

#include "ir/type.h"

namespace tine {

Context::Context() {
#define TINE_PRIM(id, text)                                                                        \
  builtins_[static_cast<int>(Builtin::id)] =                                                       \
      Symbol(&*symbols_.try_emplace(text, Builtin::id).first);
#define TINE_NAME(id, text)                                                                        \
  builtins_[static_cast<int>(Builtin::id)] =                                                       \
      Symbol(&*symbols_.try_emplace(text, Builtin::id).first);
#include "ir/symbols.def"
}

Context::~Context() {
  for (Type& type : types_) {
    if (type.tensor_) type.tensor_->~TensorInfo(); // its vectors may have grown out of the arena
    type.~Type();
  }
}

Symbol Context::symbol(llvm::StringRef text) {
  std::lock_guard lock(mutex_);
  return Symbol(&*symbols_.try_emplace(text, Builtin::None).first);
}

void Context::setPath(Symbol file, llvm::StringRef path) {
  std::lock_guard lock(mutex_);
  auto [known, isNew] = paths_.try_emplace(file.str(), path.str());
  if (!isNew && known->second != path) known->second.clear();
}

std::vector<std::pair<std::string, std::string>> Context::paths() const {
  std::lock_guard lock(mutex_);
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [name, path] : paths_)
    if (!path.empty()) out.emplace_back(name.str(), path);
  return out;
}

} // namespace tine
