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

} // namespace tine
