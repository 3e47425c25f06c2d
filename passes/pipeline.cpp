#include "passes/pass.h"

namespace tine {

llvm::ArrayRef<llvm::StringRef> defaultPipeline() {
  static constexpr llvm::StringRef pipeline[] = {
      "inline",        // first: everything after sees through calls
      "inline_bodies", //
      "lower_tuples",  // what functions return in tuples becomes visible
      "fold",          // branches on constants go, and with them their uses of values
      "cse",           //
      "dce",           // before pool, so that dead constants are not moved
      "pool",          // last: equal constants that the others made
  };
  return pipeline;
}

} // namespace tine
